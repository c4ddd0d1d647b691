"""The demo of melasss: which sentences of a text a summary covers, and why its score is what it is."""

import json

import gradio as gr
import pandas as pd

from demo import HERE, STYLE, downloads, gauge, grid, hub_name, messages, metric, shaded, snippet

EXAMPLE = json.loads((HERE / "examples" / "harbour.json").read_text(encoding="utf-8"))
# similarity: (what to call it, what its score is, its lowest score)
SIMILARITIES = {
    "regression": ("regression: an estimate of experts' relevance, 0 to 1", "estimated relevance, 0 to 1", 0),
    "rouge": ("rouge: equation 1 of the paper, a mean of cosines", "weighted mean of best cosines, -1 to 1", -1),
    "attention": ("attention: equation 2, needs a trained head", "mean of best cosines, learned weights, -1 to 1", -1),
    "transformer": ("transformer: equation 3, needs a trained head", "learned score, 0 to 1", 0),
}
MOST_CELLS = 10_000  # of the heat map


def heat_map(columns, rows, cosines):
    """Every cosine as a shaded cell, where it is not too large for a screen."""
    if len(columns) * len(rows) > MOST_CELLS:
        return f"<p>{len(rows)} times {len(columns) - 1} cosines are too many to show; the files have all.</p>"
    return grid(columns, rows, cosines, "cosines; the summary's sentences in their order")


@messages
def score(text, summary, similarity, threshold, head, progress=gr.Progress(track_tqdm=True)):
    """Score one summary and show what led to the score."""
    progress(0.1, desc="Encoding the sentences")
    options = {"similarity": similarity, "threshold": threshold, "details": True}
    options |= {"head": hub_name("head", head)} if head.strip() else {}
    result = metric("melasss").compute(predictions=[summary], references=[text], **options)
    details = {name: values[0] for name, values in result.items() if isinstance(values, list)}
    sentences, claims, cosines = (details[n] for n in ("text_sentences", "summary_sentences", "similarities"))
    # An empty summary has no cosines.
    covered, supported = [max(row, default=0.0) for row in cosines], [max(column) for column in zip(*cosines)]

    def pieces(heading, items, best, missing, word, weights=()):
        notes = [word if i in missing else f"{value:.2f}" for i, value in enumerate(best)]
        for i, weight in enumerate(weights):
            notes[i] += f", weight {weight:.2f}"
        return shaded(heading, list(zip(items, best, notes)))

    columns = ["sentence of the text", *(f"summary {j + 1}" for j in range(len(claims)))]
    rows = [[f"{i + 1}. {sentence}", *row] for i, (sentence, row) in enumerate(zip(sentences, cosines))]
    terms = details.get("contributions", {})
    largest = sorted(terms, key=lambda term: -abs(terms[term]))[:12]
    table = pd.DataFrame({"term": largest, "log-odds": [terms[term] for term in largest]})
    _, words, lowest = SIMILARITIES[similarity]
    return (
        gauge(result["score"], lowest, 1, words),
        pieces(
            "Text: the stronger the colour, the better covered",
            sentences,
            covered,
            details["uncovered"],
            "not covered",
            details.get("weights", ()),
        ),
        pieces(
            "Summary: the stronger the colour, the better supported",
            claims,
            supported,
            details["unsupported"],
            "not supported",
        ),
        heat_map(columns, rows, cosines),
        gr.BarPlot(table, visible=bool(terms)),
        downloads("melasss", result, cosines=(columns, rows)),
        snippet("melasss", predictions=[summary], references=[text], **options),
    )


with gr.Blocks(title="MeLaSSS") as demo:
    gr.Markdown(
        "# MeLaSSS: does a summary carry its text's information?\n"
        "Sentences of both are compared in the latent space of an encoder; no reference summary is needed."
    )
    with gr.Row():
        text = gr.Textbox(EXAMPLE["text"], label="Text", lines=10, min_width=280)
        with gr.Column(min_width=280):
            summary = gr.Textbox(EXAMPLE["summaries"]["faithful"], label="Summary", lines=5)
            choices = [(label, name) for name, (label, *_) in SIMILARITIES.items()]
            similarity = gr.Radio(choices, value="regression", label="Similarity")
            head = gr.Textbox(label="A head that you trained, owner/name on the Hub (empty: the metric's own)")
            threshold = gr.Slider(0, 1, 0.5, step=0.05, label="A sentence counts as covered from this cosine on")
            button = gr.Button("Score", variant="primary")
    figure = gr.HTML(label="Score")
    with gr.Row():
        coverage = gr.HTML(label="Text", min_width=280)
        support = gr.HTML(label="Summary", min_width=280)
    contributions = gr.BarPlot(
        x="term", y="log-odds", label="What raises and lowers the score (twelve largest terms)", x_label_angle=-40,
        sort=None, visible=False,
    )  # fmt: skip
    with gr.Accordion("Every cosine (figure 3 of the paper)", open=False):
        matrix = gr.HTML()
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(language="python", label="The same in Python")
    inputs, outputs = (
        [text, summary, similarity, threshold, head],
        [figure, coverage, support, matrix, contributions, files, code],
    )
    button.click(score, inputs, outputs, api_name="score")
    gr.Examples(
        [[EXAMPLE["text"], item, "regression", 0.5, ""] for item in EXAMPLE["summaries"].values()],
        inputs, outputs, score, example_labels=list(EXAMPLE["summaries"]), run_on_click=True, cache_examples=False,
    )  # fmt: skip

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
