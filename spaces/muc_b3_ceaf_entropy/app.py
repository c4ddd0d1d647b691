"""The demo of muc_b3_ceaf_entropy: a key and a response side by side, every measure, and what went wrong."""

import json
import tempfile
from pathlib import Path

import gradio as gr

from demo import HERE, STYLE, Code, bars, downloads, grid, messages, metric, snippet
from drawing import in_a_row, in_text

NAME = "muc_b3_ceaf_entropy"
ALPINE = json.loads((HERE / "examples" / "alpine.json").read_text(encoding="utf-8"))
CONLL = [str(HERE / "examples" / f"harbour.{side}.conll") for side in ("key", "response", "other")]
PARTS = ("recall", "precision", "f1")
COMPARED = ("muc", "b3", "conll_f1", "entropy")
SINGLE = ("conll_f1", "kappa", "size_overlap", "d_error")
# What a file's name ends with, and its format.
FORMATS = {
    "conll": "conll",
    ".jsonl": "jsonlines",
    ".jsonlines": "jsonlines",
    ".json": "jsonlines",
    ".conllu": "corefud",
}
SIDES = ("response", "other")
MOST_DRAWN = 20  # documents on the screen
MOST_SHOWN = 500  # rows of the table of documents
MOST_MENTIONS = 400  # of clusters typed in
MOST_CELLS = 2_500  # of a table of overlaps


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
    if len(key) * len(response) > MOST_CELLS:
        return f"<p>{len(key)} times {len(response)} classes are too many to show.</p>"
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
    return grid(["class", "errors", "its parts in the response"], rows, caption="what went wrong")


def report(keys, responses):
    """Score documents; the outputs that both tabs share."""
    result = metric(NAME).compute(predictions=responses, references=keys, baselines=True, details=True)
    own = {name: value for name, value in result.items() if isinstance(value, (int, float))}
    rows = measure_rows({k: v for k, v in own.items() if not k.startswith(("no_resolution", "one_class", "random"))})
    sides = {"this response": "", "no resolution": "no_resolution_", "one class": "one_class_", "random": "random_"}
    drawn = [
        (name, [(own[f"{prefix}{name}_f1"], "") for prefix in sides.values()])
        for name, *_ in rows
        if all(f"{prefix}{name}_f1" in own for prefix in sides.values())
    ]
    table = (["measure", "recall", "precision", "F1 or value"], rows)
    return (
        result,
        table,
        grid(*table, caption="all measures"),
        bars(list(sides), drawn, "F1 of each measure, beside trivial responses"),
    )


@messages
def score_text(key_text, response_text):
    """Score clusters typed in."""
    key, response = clusters_of(key_text), clusters_of(response_text)
    if not key:
        raise ValueError("found no clusters in the key, expected one a line")
    if max(sum(map(len, key)), sum(map(len, response))) > MOST_MENTIONS:
        raise ValueError(f"found more than {MOST_MENTIONS} mentions, expected fewer here; upload them as files")
    result, table, measures, drawn = report([key], [response])
    code = snippet(NAME, predictions=[response], references=[key], baselines=True, details=True)
    return (
        in_a_row(key, response),
        measures,
        drawn,
        overlaps(key, response),
        errors_of(result["documents"][0]),
        downloads(NAME, result, measures=table),
        code,
    )


def format_of(paths):
    """The format that the files' names say; the same for all."""
    found = []
    for path in paths:
        ending = next((ending for ending in FORMATS if path.lower().endswith(ending)), None)
        if ending is None:
            raise ValueError(f"found the file {Path(path).name!r}, expected an ending of {', '.join(FORMATS)}")
        found.append(FORMATS[ending])
    if len(set(found)) > 1:
        raise ValueError(f"found files of the formats {', '.join(found)}, expected one format")
    return found[0]


def one_a_line(path):
    """A JSON file that is one list of documents as a file of JSON lines; any other file as it is."""
    if not path.lower().endswith(".json"):
        return path
    try:
        documents = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return path  # lines, or the reader says what is wrong
    documents = documents if isinstance(documents, list) else [documents]
    lines = Path(tempfile.mkdtemp()) / Path(path).name
    lines.write_text("".join(f"{json.dumps(document)}\n" for document in documents), encoding="utf-8")
    return str(lines)


def texts_of(path, file_format, documents):
    """The running text of each of the first documents with its classes; a note for a file without words."""
    try:
        words = metric(NAME).read_words(path, file_format)
    except ValueError:
        return ["<p>The file has no words to show.</p>"] * len(documents)
    sides = [[[[str(mention) for mention in cluster] for cluster in side] for side in pair] for pair in documents]
    return [in_text(*given) for given in zip(words, *zip(*sides))]


def first_of(parts, total):
    """What there is to show of the first documents, under their numbers."""
    shown = "".join(f"<h3>document {i}</h3>{part}" for i, part in enumerate(parts))
    return shown if len(parts) == total else f"{shown}<p>The first {len(parts)} of {total}; the files have all.</p>"


def comparison(responses, others, keys):
    """The differences between two responses, or why there are none."""
    if len(keys) < 2:
        return [], {}, "<p>A comparison takes two documents or more.</p>"
    found = metric(NAME).compare(responses, others, keys, measures=list(COMPARED))
    names = [name if f"{name}_difference" in found else f"{name}_f1" for name in COMPARED]
    rows = [(name, found[f"{name}_difference"], found[f"{name}_p_value"]) for name in names]
    columns = ["measure", "response - the other", "p (paired by document)"]
    return (columns, rows), found, grid(columns, rows, caption="beside the other response")


@messages
def score_files(key_file, response_file, other_file, progress=gr.Progress()):
    """Score two files of the same documents, and compare with another response."""
    if not key_file or not response_file:
        raise ValueError("found one file or none, expected a key's and a response's")
    given = [path for path in (key_file, response_file, other_file) if path]
    file_format = format_of(given)
    paths = [one_a_line(path) for path in given]
    read = getattr(metric(NAME), f"read_{file_format}")
    keys, responses, *others = (read(path, like=None if i == 0 else paths[0]) for i, path in enumerate(paths))
    result, table, measures, drawn = report(keys, responses)
    pairs = list(zip(keys, responses, strict=True))

    columns = ["document", "conll_f1", "muc_f1", "b3_f1", "ceafe_f1", "entropy_f1"]
    each = []
    for i, (key, response) in enumerate(progress.tqdm(pairs, desc="Each document")):
        scores = metric(NAME).compute(predictions=[response], references=[key])
        each.append((i, *(scores[column] for column in columns[1:])))
    tables = {"measures": table, "documents": (columns, each)}
    shown = grid(columns, each[:MOST_SHOWN], caption="each document")
    names = [Path(path).name for path in given]
    steps = [f"key = metric.read_{file_format}({names[0]!r})"]
    steps += [
        f"{side} = metric.read_{file_format}({name!r}, like={names[0]!r})" for side, name in zip(SIDES, names[1:])
    ]
    if others:
        differences, result["comparison"], html = comparison(responses, others[0], keys)
        tables |= {"comparison": differences} if differences else {}
        shown += html
        steps.append(f"difference = metric.compare(response, other, key, measures={list(COMPARED)})")

    texts = texts_of(paths[0], file_format, pairs[:MOST_DRAWN])
    problems = [errors_of(document) for document in result["documents"][:MOST_DRAWN]]
    arguments = {"predictions": Code("response"), "references": Code("key"), "baselines": True, "details": True}
    return (
        first_of(texts, len(pairs)),
        measures,
        drawn,
        shown,
        first_of(problems, len(pairs)),
        downloads(NAME, result, **tables),
        snippet(NAME, *steps, **arguments),
    )


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
        gr.Markdown(
            "CoNLL-2012 (.conll), JSON with `clusters` (.jsonl: one document a line, .json: a list), CorefUD (.conllu)."
        )
        with gr.Row():
            key_file = gr.File(label="Key", type="filepath")
            response_file = gr.File(label="Response", type="filepath")
            other_file = gr.File(label="Another response (optional)", type="filepath")
        file_button = gr.Button("Score the files", variant="primary")
        file_examples = gr.Row()
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
    with file_examples:
        gr.Examples(
            [CONLL], [key_file, response_file, other_file], outputs, score_files, run_on_click=True,
            cache_examples=False, example_labels=["harbour, two documents, two responses"],
        )  # fmt: skip
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
