"""The demo of parapluie: is B a paraphrase of A, what the model is asked, and many pairs at once."""

import csv
import math
import os
import sys

import gradio as gr
import pandas as pd

from demo import HERE, STYLE, downloads, gauge, grid, messages, metric, shaded, snippet

DEMO_JUDGE = "demo judge (random weights: shows how, judges nothing)"
MODELS = [DEMO_JUDGE, "HuggingFaceTB/SmolLM2-360M-Instruct", "mistralai/Mistral-7B-Instruct-v0.2"]
TEMPLATES = ["fs_direct", "direct", "indirect", "exact"]
PAIRS = [
    ["The ferry leaves at noon.", "At twelve o'clock the ferry sets off."],
    ["The ferry leaves at noon.", "The ferry arrives at noon."],
    ["Nobody missed the old storm.", "The old storm was missed by no one."],
    ["She lent her brother the boat.", "Her brother lent her the boat."],
]
MOST_PAIRS = 200  # scored at once; more belong into a script
SCALE = 20  # nats at the ends of the gauge
# Set by who runs the demo, never by a visitor: requests carry the runner's key.
ENDPOINT = os.environ.get("DEMO_ENDPOINT", "")

try:  # a GPU only while it is needed, where the Space has such
    from spaces import GPU
except ImportError:

    def GPU(function):
        return function


def model_of(choice):
    """The folder or the name on the Hub."""
    return str(HERE / "demo_model") if choice == DEMO_JUDGE else choice.strip()


@GPU
def scored(pairs, choice, template, served):
    """The metric's result with details."""
    sources, hypotheses = zip(*pairs)
    options = {"model_id": model_of(choice), "template": template, "details": True}
    options |= {"endpoint": ENDPOINT} if served and ENDPOINT else {}
    return metric("parapluie").compute(predictions=hypotheses, references=sources, **options)


def prompt_of(pair, choice, template):
    """The prompt as the model sees it, and how much of it all pairs share."""
    module = sys.modules[type(metric("parapluie")).__module__]
    llm, asked = module.load(model_of(choice)), module.resolve(template)
    fields = [dict(zip(("source", "hypothesis", "explanation"), (*texts, "..."))) for texts in (pair, ("?", "!"))]
    ids, other = llm.prompts(asked, fields)
    shared = len(os.path.commonprefix([ids, other]))
    return [
        (llm.tokenizer.decode(ids[:shared]), 0.0, f"{shared} tokens, the same for all pairs, computed once"),
        (llm.tokenizer.decode(ids[shared:]), 0.6, f"{len(ids) - shared} tokens of this pair"),
    ]


@messages
def score_pair(source, hypothesis, choice, template, served, progress=gr.Progress(track_tqdm=True)):
    """Score one pair and show what the model was asked."""
    progress(0.1, desc="Asking the model")
    result = scored([(source, hypothesis)], choice, template, served)
    yes = 1 / (1 + math.exp(-result["score"]))
    words = "log p(yes) - log p(no), in nats: above 0 a paraphrase"
    if choice == DEMO_JUDGE:
        words += ". The demo judge has random weights and does not judge meaning"
    shares = grid(["answer", "share of the two"], [("yes", yes), ("no", 1 - yes)], [[yes], [1 - yes]])
    prompt = prompt_of((source, hypothesis), choice, template) if not (served and ENDPOINT) else []
    given = {"predictions": [hypothesis], "references": [source], "model_id": choice, "template": template}
    remark = ""
    if choice == DEMO_JUDGE:
        given["model_id"], remark = "demo_model", "demo_model is a folder of this Space; take a real model instead"
    elif served and ENDPOINT:
        given["endpoint"] = ENDPOINT
    code = snippet("parapluie", remark, **given)
    return gauge(result["score"], -SCALE, SCALE, words), shares, shaded("The model reads:", prompt), code


def pairs_of(table, file):
    """Pairs from an uploaded CSV file, or from the table."""
    if file:
        with open(file, encoding="utf-8-sig", newline="") as opened:
            rows = [row for row in csv.reader(opened) if any(cell.strip() for cell in row)]
    else:
        rows = [row for row in table.fillna("").values.tolist() if any(str(cell).strip() for cell in row)]
    for i, row in enumerate(rows):
        if len(row) < 2 or not str(row[0]).strip() or not str(row[1]).strip():
            raise ValueError(f"row {i + 1}: found {row!r:.60}, expected a sentence and a candidate paraphrase")
    if not 0 < len(rows) <= MOST_PAIRS:
        raise ValueError(f"found {len(rows)} pairs, expected 1 to {MOST_PAIRS}; use the metric in a script for more")
    return [(str(a), str(b)) for a, b, *_ in rows]


@messages
def score_table(table, file, choice, template, served, progress=gr.Progress(track_tqdm=True)):
    """Score many pairs."""
    pairs = pairs_of(table, file)
    result = scored(pairs, choice, template, served)
    columns = ["sentence", "candidate", "score", "edit distance"]
    rows = [(*pair, s, d) for pair, s, d in zip(pairs, result["scores"], result["edit_distances"], strict=True)]
    points = pd.DataFrame({"edit distance": result["edit_distances"], "score": result["scores"]})
    shown = f"mean score, {result['paraphrase_rate']:.0%} of {len(pairs)} pairs above 0"
    return (
        gauge(result["score"], -SCALE, SCALE, shown),
        gr.ScatterPlot(points, visible=True),
        grid(columns, rows),
        downloads("parapluie", result, columns, rows),
    )


with gr.Blocks(title="ParaPLUIE") as demo:
    gr.Markdown(
        "# ParaPLUIE: is B a paraphrase of A?\n"
        'A chat model is asked; the score is the log-likelihood ratio of "yes" and "no", in one forward pass.'
    )
    with gr.Row():
        choice = gr.Dropdown(MODELS, value=DEMO_JUDGE, label="Model", allow_custom_value=True, min_width=260)
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
        code = gr.Code(language="python", label="The same in Python")
        inputs, outputs = [source, hypothesis, choice, template, served], [figure, shares, prompt, code]
        pair_button.click(score_pair, inputs, outputs, api_name="score")
        examples = [[*pair, DEMO_JUDGE, "fs_direct", False] for pair in PAIRS]
        labels = [f"{a} / {b}" for a, b in PAIRS]
        gr.Examples(
            examples, inputs, outputs, score_pair, run_on_click=True, cache_examples=False, example_labels=labels
        )
    with gr.Tab("Many pairs"):
        table = gr.Dataframe(PAIRS, headers=["sentence", "candidate"], label="Pairs: type or paste", interactive=True)
        file = gr.File(label="or a CSV file with two columns", type="filepath", file_types=[".csv"])
        table_button = gr.Button("Score all", variant="primary")
        mean = gr.HTML(label="Mean")
        scatter = gr.ScatterPlot(x="edit distance", y="score", label="Score against edit distance", visible=False)
        rows, files = gr.HTML(label="Pairs"), gr.File(label="Result as JSON and CSV", file_count="multiple")
        table_button.click(
            score_table, [table, file, choice, template, served], [mean, scatter, rows, files], api_name="score_table"
        )

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
