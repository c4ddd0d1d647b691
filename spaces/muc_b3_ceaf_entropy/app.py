"""The demo of muc_b3_ceaf_entropy: a key and a response side by side, every measure, and what went wrong."""

import json

import gradio as gr

from demo import HERE, STYLE, bars, downloads, grid, messages, metric, snippet
from drawing import in_a_row, in_text

NAME = "muc_b3_ceaf_entropy"
ALPINE = json.loads((HERE / "examples" / "alpine.json").read_text(encoding="utf-8"))
CONLL = [str(HERE / "examples" / f"harbour.{side}.conll") for side in ("key", "response")]
PARTS = ("recall", "precision", "f1")
COMPARED = ("muc", "b3", "conll_f1", "entropy")
SINGLE = ("conll_f1", "kappa", "size_overlap", "d_error")
FORMATS = {".conll": "conll", ".jsonl": "jsonlines", ".jsonlines": "jsonlines", ".conllu": "corefud"}
MOST_DRAWN = 20  # documents whose text is on the screen


def lines_of(clusters):
    """Clusters as text, one a line."""
    return "\n".join(" ".join(map(str, cluster)) for cluster in clusters)


def clusters_of(text):
    """The clusters of a text: one a line, mentions between spaces."""
    return [line.split() for line in text.splitlines() if line.strip()]


def measure_rows(result):
    """(measure, recall, precision, F1) where there are three, else (measure, "", "", value)."""
    names = dict.fromkeys(key.removesuffix(f"_{part}") for key in result for part in PARTS if key.endswith(f"_{part}"))
    three = [(n, *(result[f"{n}_{part}"] for part in PARTS)) for n in names if f"{n}_recall" in result]
    return three + [(name, "", "", result[name]) for name in SINGLE if name in result]


def overlaps(key, response):
    """The table of overlaps: how many mentions each class of the key shares with each of the response."""
    counts = [[len(set(k) & set(r)) for r in response] for k in key]
    rows = [(f"key {i + 1}: {' '.join(k)}", *counts[i]) for i, k in enumerate(key)]
    columns = ["mentions in common", *(f"response {j + 1}" for j in range(len(response)))]
    strengths = [[c / max(len(k), 1) for c in row] for k, row in zip(key, counts)]
    return grid(columns, rows, strengths, "rows: classes of the key; columns: classes of the response")


def errors_of(document):
    """What happened to each class of the key, from the details of a document."""
    rows = []
    for i, error in enumerate(document["key_errors"]):
        parts = " | ".join(" ".join(map(str, part)) for part in error["parts"])
        rows.append((f"key {i + 1}", ", ".join(error["errors"]) or "none", parts))
    return grid(["class", "errors", "its parts in the response"], rows)


def report(keys, responses):
    """Score documents; the outputs that both tabs share."""
    result = metric(NAME).compute(predictions=responses, references=keys, baselines=True, details=True)
    documents = result["documents"]
    own = {name: value for name, value in result.items() if isinstance(value, (int, float))}
    rows = measure_rows({k: v for k, v in own.items() if not k.startswith(("no_resolution", "one_class", "random"))})
    sides = {"this response": "", "no resolution": "no_resolution_", "one class": "one_class_", "random": "random_"}
    drawn = [
        (name, [(own[f"{prefix}{name}_f1"], "") for prefix in sides.values()])
        for name, *_ in rows
        if all(f"{prefix}{name}_f1" in own for prefix in sides.values())
    ]
    columns = ["measure", "recall", "precision", "F1 or value"]
    return (
        grid(columns, rows),
        bars(list(sides), drawn, "F1 of each measure, beside trivial responses"),
        downloads(NAME, result, columns, rows),
        documents,
    )


@messages
def score_text(key_text, response_text):
    """Score clusters typed in."""
    key, response = clusters_of(key_text), clusters_of(response_text)
    table, drawn, files, [document] = report([key], [response])
    code = snippet(NAME, predictions=[response], references=[key])
    return in_a_row(key, response), table, drawn, overlaps(key, response), errors_of(document), files, code


def format_of(path):
    """The format that a file's ending says."""
    ending = next((ending for ending in FORMATS if path.lower().endswith(ending)), None)
    if ending is None:
        raise ValueError(f"found the file {path.split('/')[-1]!r}, expected an ending of {', '.join(FORMATS)}")
    return FORMATS[ending]


def texts_of(path, file_format, documents):
    """The running text of each document with its classes; a note for a file without words."""
    try:
        words = metric(NAME).read_words(path, file_format)
    except ValueError:
        return ["<p>The file has no words to show.</p>"] * len(documents)
    sides = [[[[str(mention) for mention in cluster] for cluster in side] for side in pair] for pair in documents]
    return [in_text(*given) for given in zip(words, *zip(*sides))]


def first_of(parts):
    """The parts of the first documents, under their numbers."""
    shown = "".join(f"<h3>document {i}</h3>{part}" for i, part in enumerate(parts[:MOST_DRAWN]))
    if len(parts) > MOST_DRAWN:
        shown += f"<p>The first {MOST_DRAWN} of {len(parts)} documents; the JSON file has all.</p>"
    return shown


@messages
def score_files(key_file, response_file, other_file, progress=gr.Progress()):
    """Score two files of the same documents, and compare with another response."""
    if not key_file or not response_file:
        raise ValueError("found one file or none, expected a key's and a response's")
    file_format = format_of(key_file)
    read = getattr(metric(NAME), f"read_{file_format}")
    keys, responses = read(key_file), read(response_file, like=key_file)
    table, drawn, files, documents = report(keys, responses)
    pairs = list(zip(keys, responses, strict=True))
    columns = ("conll_f1", "muc_f1", "b3_f1", "ceafe_f1", "entropy_f1")
    each = []
    for i, (key, response) in enumerate(progress.tqdm(pairs, desc="Each document")):
        result = metric(NAME).compute(predictions=[response], references=[key])
        each.append((i, *(result[column] for column in columns)))
    per_document = grid(["document", *columns], each)
    if other_file:
        other = read(other_file, like=key_file)
        found = metric(NAME).compare(responses, other, keys, measures=list(COMPARED))
        parts = ("difference", "p_value")
        rows = [(name, *(found[f"{name.replace('_f1', '')}_f1_{part}"] for part in parts)) for name in COMPARED]
        per_document += grid(["measure, F1", "response - the other", "p (paired by document)"], rows)
    texts, problems = texts_of(key_file, file_format, pairs), [errors_of(document) for document in documents]
    code = (
        f'import evaluate\n\nmetric = evaluate.load("<organisation>/{NAME}")\nkey = metric.read_{file_format}("key")\n'
        f'response = metric.read_{file_format}("response", like="key")\n'
        "result = metric.compute(predictions=response, references=key, baselines=True, details=True)\n"
    )
    return first_of(texts), table, drawn, per_document, first_of(problems), files, code


with gr.Blocks(title="Coreference scoring") as demo:
    gr.Markdown(
        "# Do a system's coreference clusters agree with the key's?\n"
        "MUC, B³, CEAF, BLANC, LEA, kappa, core classes, exclusive cores, entropy, beside trivial responses."
    )
    with gr.Tab("Type clusters"):
        gr.Markdown("One cluster a line, its mentions between spaces. The example is the alpine text of the paper.")
        with gr.Row():
            key_text = gr.Textbox(lines_of(ALPINE["key"]), label="Key", lines=5, min_width=260)
            response_text = gr.Textbox(lines_of(ALPINE["response"]), label="Response", lines=5, min_width=260)
        text_button = gr.Button("Score", variant="primary")
    with gr.Tab("Upload files"):
        gr.Markdown("CoNLL-2012 (.conll), JSON lines with `clusters` (.jsonl), CorefUD (.conllu).")
        with gr.Row():
            key_file = gr.File(label="Key", type="filepath")
            response_file = gr.File(label="Response", type="filepath")
            other_file = gr.File(label="Another response (optional)", type="filepath")
        file_button = gr.Button("Score the files", variant="primary")
        gr.Examples(
            [[*CONLL, CONLL[0]]], [key_file, response_file, other_file], example_labels=["harbour, two documents"]
        )
    picture = gr.HTML(label="Mentions coloured by class, key above response")
    measures = gr.HTML(label="All measures")
    beside = gr.HTML(label="F1 beside trivial responses")
    middle = gr.HTML(label="Overlaps, or each document")
    errors = gr.HTML(label="What went wrong")
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(language="python", label="The same in Python")
    outputs = [picture, measures, beside, middle, errors, files, code]
    text_button.click(score_text, [key_text, response_text], outputs, api_name="score")
    file_button.click(score_files, [key_file, response_file, other_file], outputs, api_name="score_files")
    with gr.Row():
        gr.Examples(
            [
                [lines_of(ALPINE["key"]), lines_of(ALPINE["response"])],
                ["Ann she her\ndog it", "Ann she\ndog it her"],
                ["a b c\nd e", "a\nb\nc\nd\ne"],
            ],
            [key_text, response_text], outputs, score_text, run_on_click=True, cache_examples=False,
            example_labels=["alpine text of the paper", "a pronoun misplaced", "nothing resolved"],
        )  # fmt: skip

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
