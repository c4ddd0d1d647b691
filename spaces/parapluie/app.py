"""The demo of parapluie: is B a paraphrase of A, what the model is asked, and many pairs at once."""

import csv
import os
import sys

import gradio as gr
import numpy as np
import pandas as pd

from demo import HERE, STYLE, downloads, gauge, grid, hub_name, messages, metric, shaded, snippet

SMALL_JUDGE = "the small judge"  # a classifier of pairs beside this file; answers at once on a CPU
FOLDER, SHOWN_FOLDER = str(HERE / "judge"), "spaces/parapluie/judge"
SMALL_CHAT = "HuggingFaceTB/SmolLM2-135M-Instruct"  # too small to judge well
MODELS = [SMALL_JUDGE, SMALL_CHAT, "HuggingFaceTB/SmolLM2-1.7B-Instruct", "mistralai/Mistral-7B-Instruct-v0.2"]
TEMPLATES = ["fs_direct", "direct", "indirect", "exact"]
PAIRS = [
    ["The ferry leaves at noon.", "At twelve o'clock the ferry sets off."],
    ["The ferry leaves at noon.", "The ferry arrives at noon."],
    ["Nobody missed the old storm.", "The old storm was missed by no one."],
    ["She lent her brother the boat.", "Her brother lent her the boat."],
]
HEADINGS = ["sentence", "candidate"]
MOST_PAIRS = 200  # scored at once; more belong into a script
SCALE = 20  # nats at the ends of the gauge
# Set by who runs the demo, never by a visitor: requests carry the runner's key.
ENDPOINT = os.environ.get("DEMO_ENDPOINT", "")

try:  # a GPU only while it is needed, where the Space has such
    from spaces import GPU
except ImportError:

    def GPU(function):
        return function


def options_of(choice, template, served):
    """The options of compute that the visitor has chosen."""
    served = bool(served and ENDPOINT)
    if choice == SMALL_JUDGE:
        if served:
            raise ValueError(f"model: found {SMALL_JUDGE}, which is not served, expected a name that the server knows")
        return {"model_id": FOLDER}  # it has no prompt, so no template
    options = {"model_id": hub_name("model", choice), "template": template}
    return options | ({"endpoint": ENDPOINT} if served else {})


def code_of(pairs, options):
    """The snippet."""
    sources, hypotheses = zip(*pairs)
    if options["model_id"] == FOLDER:
        options = {"model_id": SHOWN_FOLDER}
    given = {"predictions": list(hypotheses), "references": list(sources), **options, "details": True}
    return snippet("parapluie", **given)


@GPU
def scored(pairs, options):
    """The metric's result with details."""
    sources, hypotheses = zip(*pairs)
    return metric("parapluie").compute(predictions=hypotheses, references=sources, details=True, **options)


def prompt_of(pair, options):
    """The prompt as the model sees it, and how much of it all pairs share; nothing for a served model."""
    if "endpoint" in options:
        return []
    package = type(metric("parapluie")).__module__.rpartition(".")[0]
    if options["model_id"] == FOLDER:
        _, tokenizer = sys.modules[f"{package}.pair_judge"].load_classifier(FOLDER)
        return [(tokenizer.decode(tokenizer(*pair, split_special_tokens=True)["input_ids"]), 0.6, "both texts at once")]
    load = sys.modules[f"{package}.common_loading"].load
    llm = sys.modules[f"{package}.common_llm"].ChatLLM(*load(options["model_id"]))
    asked = sys.modules[f"{package}.templates"].resolve(options["template"])
    # Two pairs that begin differently tell where what all share ends.
    texts = [pair, ("A", "B"), ("1", "2")]
    fields = [{"source": s, "hypothesis": h, "explanation": h} for s, h in texts]
    ids, *others = llm.prompts(asked.messages, fields)
    shared = len(os.path.commonprefix([ids, *others]))
    return [
        (llm.tokenizer.decode(ids[:shared]), 0.0, f"{shared} tokens, the same for all pairs, computed once"),
        (llm.tokenizer.decode(ids[shared:]), 0.6, f"{len(ids) - shared} tokens of this pair"),
    ]


def table_of(pairs, result):
    """Columns and rows of the pairs with their scores."""
    columns = ["sentence", "candidate", "score", "edit distance"]
    return columns, [(*p, s, d) for p, s, d in zip(pairs, result["scores"], result["edit_distances"], strict=True)]


@messages
def score_pair(source, hypothesis, choice, template, served, progress=gr.Progress(track_tqdm=True)):
    """Score one pair and show what the model was asked."""
    progress(0.1, desc="Asking the model")
    [pair], options = checked_pairs([[source, hypothesis]]), options_of(choice, template, served)
    result = scored([pair], options)
    words = "log p(yes) - log p(no), in nats: above 0 a paraphrase"
    if choice == SMALL_CHAT:
        words += ". This model is too small to judge meaning well"
    [(yes, no)], [likeliest] = np.exp(result["answer_log_probs"]), result["likeliest"]
    shares = grid(
        ["answer", "probability"],
        [("yes", yes), ("no", no), (f"anything else; likeliest of all: {likeliest}", 1 - yes - no)],
        [[yes], [no], [1 - yes - no]],
        "what the model would say",
    )
    return (
        gauge(result["score"], -SCALE, SCALE, words),
        shares,
        shaded("The model reads:", prompt_of(pair, options)),
        downloads("parapluie", result, pairs=table_of([pair], result)),
        code_of([pair], options),
    )


def checked_pairs(rows, numbers=None):
    """Rows as pairs; each must have two texts, and there must not be too many."""
    for i, row in enumerate(rows):
        if len(row) < 2 or not str(row[0]).strip() or not str(row[1]).strip():
            number = numbers[i] if numbers else i + 1
            raise ValueError(f"row {number}: found {row!r:.60}, expected a sentence and a candidate paraphrase")
    if not 0 < len(rows) <= MOST_PAIRS:
        found = f"more than {MOST_PAIRS}" if rows else "no"
        raise ValueError(f"found {found} pairs, expected 1 to {MOST_PAIRS}; use the metric in a script for more")
    return [(str(a), str(b)) for a, b, *_ in rows]


def pairs_in(path):
    """Pairs from a CSV file, its cells between commas, semicolons or tabs; a first row of headings is left out."""
    rows, numbers = [], []
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            for row in (reader := csv.reader(file, delimiter=max(",;\t", key=first.count))):
                heading = not rows and [cell.strip().lower() for cell in row[:2]] == HEADINGS
                if any(cell.strip() for cell in row) and not heading:
                    rows.append(row)
                    numbers.append(reader.line_num)
                if len(rows) > MOST_PAIRS:
                    break
    except UnicodeDecodeError:
        raise ValueError("found a file that is not UTF-8, expected a CSV file saved as UTF-8") from None
    return checked_pairs(rows, numbers)


@messages
def score_table(table, file, choice, template, served, progress=gr.Progress(track_tqdm=True)):
    """Score many pairs, of an uploaded CSV file or of the table."""
    rows = [row for row in table.fillna("").values.tolist() if any(str(cell).strip() for cell in row)]
    pairs, options = pairs_in(file) if file else checked_pairs(rows), options_of(choice, template, served)
    result = scored(pairs, options)
    points = pd.DataFrame({"edit distance": result["edit_distances"], "score": result["scores"]})
    shown = f"mean score, {result['paraphrase_rate']:.0%} of {len(pairs)} pairs above 0"
    found = table_of(pairs, result)
    return (
        gauge(result["score"], -SCALE, SCALE, shown),
        gr.ScatterPlot(points, visible=True),
        grid(*found, caption="pairs"),
        downloads("parapluie", result, pairs=found),
        code_of(pairs, options),
    )


with gr.Blocks(title="ParaPLUIE") as demo:
    gr.Markdown(
        "# ParaPLUIE: is B a paraphrase of A?\n"
        'A chat model, or a small judge, is asked; the score is the log-likelihood ratio of "yes" and "no", in one '
        "forward pass. The small judge has no prompt: the template is for chat models."
    )
    with gr.Row():
        choice = gr.Dropdown(MODELS, value=SMALL_JUDGE, label="Model", allow_custom_value=True, min_width=260)
        template = gr.Dropdown(TEMPLATES, value="fs_direct", label="Template", min_width=160)
        served = gr.Checkbox(False, label=f"Ask the served model at {ENDPOINT}", visible=bool(ENDPOINT))
    with gr.Tab("One pair"):
        with gr.Row():
            source = gr.Textbox(PAIRS[0][0], label="A: sentence", min_width=260)
            hypothesis = gr.Textbox(PAIRS[0][1], label="B: candidate paraphrase", min_width=260)
        pair_button = gr.Button("Score", variant="primary")
        figure, shares = gr.HTML(label="Score"), gr.HTML(label="Answers")
        with gr.Accordion("The exact prompt", open=False):
            prompt = gr.HTML()
        with gr.Accordion("Take it with you", open=False):
            file_of_pair = gr.File(label="Result as JSON and CSV", file_count="multiple")
            code = gr.Code(language="python", label="The same in Python")
        inputs = [source, hypothesis, choice, template, served]
        outputs = [figure, shares, prompt, file_of_pair, code]
        pair_button.click(score_pair, inputs, outputs, api_name="score")
        examples = [[*pair, SMALL_JUDGE, "fs_direct", False] for pair in PAIRS]
        labels = [f"{a} / {b}" for a, b in PAIRS]
        gr.Examples(
            examples, inputs, outputs, score_pair, run_on_click=True, cache_examples=False, example_labels=labels
        )
    with gr.Tab("Many pairs"):
        table = gr.Dataframe(PAIRS, headers=HEADINGS, label="Pairs: type or paste", interactive=True)
        file = gr.File(label="or a CSV file with two columns", type="filepath", file_types=[".csv"])
        table_button = gr.Button("Score all", variant="primary")
        mean = gr.HTML(label="Mean")
        scatter = gr.ScatterPlot(x="edit distance", y="score", label="Score against edit distance", visible=False)
        rows = gr.HTML(label="Pairs")
        with gr.Accordion("Take it with you", open=False):
            files = gr.File(label="Result as JSON and CSV", file_count="multiple")
            code_of_table = gr.Code(language="python", label="The same in Python")
        inputs = [table, file, choice, template, served]
        table_button.click(score_table, inputs, [mean, scatter, rows, files, code_of_table], api_name="score_table")

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
