"""The demo of melasss: summaries of a text on one scale, where their sentences are from, and why the score is so."""

import json
import sys
from pathlib import Path

import gradio as gr

# A Space has demo.py beside this file, a checkout has it there.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "_common"))
from demo import (
    CACHE,
    checked_text,
    downloads,
    examples,
    first_view,
    header,
    hub_name,
    launch,
    limits,
    messages,
    metric,
    module,
    permalink,
    run,
    snippet,
)  # fmt: skip
from drawing import (
    LINES,
    STYLE,
    all_on_one_scale,
    cosine_table,
    headline,
    heat_map,
    linked,
    reasons,
    table_of_aspects,
    verdict,
)  # fmt: skip
from huggingface_hub import HfApi, hf_hub_download

NAME = "melasss"
metric(NAME)  # its modules come with it
EXAMPLE = json.loads((Path(__file__).with_name("examples") / "harbour.json").read_text(encoding="utf-8"))
CASES = {
    "wrong facts": "The harbour of Kerloc'h did not open on Monday. The regional council promised 900,000 euros for "
    "repairs, half of what mayor Anne Dubois wants. Work begins in June."
} | EXAMPLE["summaries"]
ASPECTS = tuple(module(NAME, "terms_table").ASPECTS)
MEANINGS = {name: term.meaning for name, term in module(NAME, "terms_table").TERMS.items()}
# similarity: (what to call it, what its score is)
SIMILARITIES = {
    "regression": ("regression: an estimate of experts' ratings", "estimated {}, 0 to 1"),
    "rouge": ("rouge: equation 1 of the paper, a mean of cosines", "weighted mean of best cosines, -1 to 1"),
    "attention": ("attention: equation 2", "mean of best cosines, learned weights, -1 to 1"),
    "transformer": ("transformer: equation 3", "learned score, 0 to 1"),
}
FREE, TRAINED = ("regression", "rouge"), ("regression", "attention", "transformer")  # without, with one's own head
LARGEST_HEAD, WIDTH = 20e6, 384  # bytes of a visitor's head; numbers of a vector of the demo's encoder
THIS, OTHER = "this summary", "the other summary"
LEAD, LEAD_LENGTH = "the text's first three sentences", 3


def labels(similarities):
    return [(SIMILARITIES[name][0], name) for name in similarities]


def opened(head):
    """A visitor's head; of another encoder none, because every encoder stays in memory.

    Too large a head is refused before memory is taken for it: its config.json says how wide it is.
    """
    head = hub_name("head", head)
    try:
        files = HfApi().model_info(head, files_metadata=True).siblings
    except Exception as error:  # of the library's HTTP client, which differs between versions
        raise ValueError(
            f"The head {head} cannot be read from the Hub: is its name right, and can the Hub be reached?"
        ) from error
    if sum(file.size or 0 for file in files) > LARGEST_HEAD:
        raise ValueError(f"The head {head} is larger than {LARGEST_HEAD / 1e6:.0f} MB; use the metric in Python.")
    config = json.loads(Path(hf_hub_download(head, "config.json")).read_text(encoding="utf-8"))
    if isinstance(config, dict) and config.get("width", WIDTH) != WIDTH:
        raise ValueError(f"The head {head} is for vectors of {config['width']!r:.20} numbers, not {WIDTH}.")
    found, encoder = metric(NAME).from_pretrained(head), module(NAME, "encoder").DEFAULT
    if found.encoder != encoder:
        raise ValueError(f"The head {head} is for {found.encoder}, not for {encoder}; use the metric in Python.")
    return found


def rivals(text):
    """{name: summary} to set the scale: the example's own, or the text's lead."""
    if text == EXAMPLE["text"]:
        return dict(CASES)
    return {LEAD: " ".join(metric(NAME).split(text)[:LEAD_LENGTH])}


def aspects_of(text, beside, options, scores):
    """{name: score in each aspect} of every summary; those in the chosen aspect are known. {} without aspects."""
    if "aspect" not in options:
        return {}
    given = {"predictions": list(beside.values()), "references": [text] * len(beside), "details": True}
    others = [aspect for aspect in ASPECTS if aspect != options["aspect"]]
    found = {aspect: metric(NAME).compute(**given, aspect=aspect)["scores"] for aspect in others}
    found[options["aspect"]] = scores
    return dict(zip(beside, zip(*(found[aspect] for aspect in ASPECTS), strict=True), strict=True))


@messages
def score(text, summary, aspect, similarity, threshold, head, head_similarity, other=""):
    """Score a summary, or two, beside others of the same text, and show what led to the score."""
    text, head = checked_text("The text", text), (head or "").strip()
    summary, other = checked_text("The summary", summary), checked_text("The other summary", other)
    if not text.strip():
        raise ValueError("The text is empty: paste the text that was summarised.")
    options = {"similarity": head_similarity if head else similarity, "threshold": threshold, "details": True}
    options |= {"aspect": aspect} if options["similarity"] == "regression" and not head else {}
    beside = rivals(text)
    chosen = next((name for name, known in beside.items() if known == summary), THIS)
    own = {chosen: summary} | ({OTHER: other} if other.strip() else {})
    beside = own | {name: known for name, known in beside.items() if name not in own}
    result = metric(NAME).compute(
        predictions=list(beside.values()),
        references=[text] * len(beside),
        **options,
        **({"head": opened(head)} if head else {}),
    )
    lists = {name: values for name, values in result.items() if isinstance(values, list)}
    rows = [{name: values[i] for name, values in lists.items()} for i in range(len(own))]
    row, scores = rows[0], [row["scores"] for row in rows]
    taken = {"score": scores[0], "melasss": scores[0], **{name: [row[name]] for name in lists}}
    given = {"predictions": [summary], "references": [text], **options} | ({"head": head} if head else {})
    of_all = dict(zip(beside, result["scores"], strict=True))
    words, terms = SIMILARITIES[options["similarity"]][1].format(aspect), row.get("contributions")
    return (
        headline(of_all, list(own), words) + verdict(rows) + linked(rows) + all_on_one_scale(of_all, list(own)),
        table_of_aspects(ASPECTS, aspects_of(text, beside, options, result["scores"])),
        reasons(terms, MEANINGS) if terms else "<p>Only the regression has terms.</p>",
        heat_map(row),
        downloads(NAME, taken, cosines=cosine_table(row)),
        snippet(NAME, **given),
    )


SHOWN = {
    name: [EXAMPLE["text"], case, "relevance", "regression", 0.5, "", "attention", ""] for name, case in CASES.items()
}
START = next(iter(SHOWN.values()))
FIRST = first_view(score, START, outputs=6)

with gr.Blocks(title="MeLaSSS", delete_cache=CACHE) as demo:
    more = header(
        "Does a summary say what its text says?",
        "Sentences are compared by meaning, without a reference summary; what the text does not say is marked.",
    )
    above = gr.Row()
    with gr.Row():
        text = gr.Textbox(START[0], label="Text", lines=1, max_lines=10, min_width=280)
        with gr.Column(min_width=280):
            summary = gr.Textbox(START[1], label="Summary (Enter scores)", lines=1, max_lines=6)
            other = gr.Textbox("", label="Another summary, to compare (optional; Enter scores)", lines=1, max_lines=6)
            aspect = gr.Radio(ASPECTS, value="relevance", label="Aspect, as experts would rate it")
    with gr.Row():
        button = gr.Button("Score", variant="primary", elem_id="score", min_width=120)
        below = gr.Column(scale=0, min_width=170)
    figure = gr.HTML(FIRST[0], elem_classes="result", js_on_load=LINES)
    with gr.Accordion("Both aspects of all summaries", open=False):
        aspects = gr.HTML(FIRST[1])
    with gr.Accordion("What raises and lowers the score", open=False):
        terms = gr.HTML(FIRST[2])
    with gr.Accordion("Every cosine (figure 3 of the paper)", open=False):
        matrix = gr.HTML(FIRST[3])
    with gr.Accordion("Settings, and a head that you trained", open=False):
        similarity = gr.Radio(labels(FREE), value="regression", label="Similarity")
        threshold = gr.Slider(0, 1, 0.5, step=0.05, label="A sentence counts as covered from this cosine on")
        head = gr.Textbox(label="A head of yours, owner/name on the Hub (empty: the metric's own)", max_lines=1)
        head_similarity = gr.Radio(labels(TRAINED), value="attention", label="The similarity of your head")
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(FIRST[4], label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(FIRST[5], language="python", label="The same in Python")
    limits(NAME, more)
    inputs = [text, summary, aspect, similarity, threshold, head, head_similarity, other]
    outputs = [figure, aspects, terms, matrix, files, code]
    asked = [button.click, aspect.input, *(box.submit for box in (summary, other, text, head))]
    run(score, inputs, outputs, *asked, api_name="score")
    with above:
        chosen = examples(SHOWN, inputs, score, outputs)
    with below:
        permalink(demo, [*inputs, chosen])

if __name__ == "__main__":
    launch(
        demo,
        STYLE,
        "How well does a summary cover the important content of its text? No reference summaries are needed.",
    )
