"""The demo of muc_b3_ceaf_entropy: key and response in the text, the errors, and what they cost."""

import json
from dataclasses import replace
from pathlib import Path

import gradio as gr

from demo import (
    CACHE, HERE, UNSEEN, as_utf8, bars, checked_text, downloads, examples, first_view, grid, header, launch, limits,
    messages, module, permalink, run, scratch, snippet,
)  # fmt: skip
from drawing import NAME, STYLE, bracketed, drawn, entities, sides_of

FILES, REPORT = module(NAME, "score_files"), module(NAME, "show_report")
percent = module(NAME, "show_page").number
ALPINE = json.loads((HERE / "examples" / "alpine.json").read_text(encoding="utf-8"))
CONLL = [str(HERE / "examples" / f"harbour.{side}.conll") for side in ("key", "response", "other")]
# Names of settings, and their options of `score_files`.
SETTINGS = {
    "CoNLL: the same words, singletons count": {},
    "CRAC, official (CorefUD): the same heads, zeros by dependency, no singletons": {"preset": "crac"},
    "partial (CorefUD, UA): within the key's mention, with its head": {"match": "partial"},
}
USUAL = next(iter(SETTINGS))
TRIVIAL = {"one_class": "one class", "no_resolution": "no resolution", "random": "random classes"}
MEASURES = {
    "muc": "MUC", "b3": "B³", "ceafm": "CEAF-m", "ceafe": "CEAF-e", "blanc": "BLANC", "lea": "LEA",
    "core": "core classes", "exclusive_core": "exclusive cores", "entropy": "entropy",
}  # fmt: skip
KINDS = ("split", "merged", "boundary", "missing", "spurious")
CONFIDENCE = 0.95
FEW = 10  # with fewer documents, an interval is rough


def scored(key, response, other, options):
    """(pairs of documents, result with details, scores of trivial responses)."""
    options = FILES.FileOptions.of({**options, "details": True, "baselines": True}, NAME)
    pairs = REPORT.open_pairs(key, response, options)
    if len(pairs) > 1:
        options = replace(options, confidence=CONFIDENCE)
    result = FILES.score_pairs(pairs, options)
    if other:
        result["comparison"] = FILES.compare_pairs(pairs, REPORT.open_pairs(key, other, options), options)
    trivial = {name: result.pop(name) for name in list(result) if name.startswith(tuple(TRIVIAL))}
    return pairs, result, trivial


def headline(result, trivial):
    """The CoNLL F1 with its interval, the errors in a sentence, and the trivial responses."""
    totals, ends = result["totals"], ""
    if "conll_f1_low" in result:
        low, high = (percent(result[f"conll_f1_{end}"], 1) for end in ("low", "high"))
        rough = ", rough from so few documents" if totals["documents"] < FEW else ""
        ends = f" <small>{CONFIDENCE:.0%} interval {low} to {high}{rough}</small>"
    scores = {"this response": result["conll_f1"]}
    scores |= {words: trivial[f"{name}_conll_f1"] for name, words in TRIVIAL.items()}
    best = max(TRIVIAL.values(), key=scores.get)
    side = "better than" if result["conll_f1"] > scores[best] else "no better than"
    errors = ", ".join(f"{totals[kind]} {kind}" for kind in KINDS if totals[kind]) or "no errors"
    rows = [(words, score, percent(score, 1)) for words, score in scores.items()]
    return (
        f'<p class="figure">CoNLL F1 {percent(result["conll_f1"], 1)} %{ends}</p>'
        f"<p>{totals['common_mentions']} of the key's {totals['key_mentions']} mentions are found; {errors}. That is "
        f"{side} the best trivial response, {best}.</p>{bars(rows, 'CoNLL F1 in percent, beside trivial responses')}"
    )


def beside_trivial(result, trivial):
    """F1 in each measure, of the response and of the trivial ones."""
    rows = [
        (words, result[f"{name}_f1"], *(trivial[f"{other}_{name}_f1"] for other in TRIVIAL))
        for name, words in MEASURES.items()
    ]
    return grid(["F1", "this response", *TRIVIAL.values()], rows, caption="all measures beside trivial responses")


def outputs_of(key, response, other, options, names="", code=""):
    """The figure, all measures, the files and the code."""
    pairs, result, trivial = scored(key, response, other, options)
    page = scratch() / "report.html"
    page.write_text(REPORT.html_of(pairs, result, names), encoding="utf-8")
    values = [(name, value) for name, value in (result | trivial).items() if isinstance(value, float)]
    code = code or snippet(NAME, **FILES.partitions(pairs), baselines=True, details=True)
    return (
        headline(result, trivial) + drawn(pairs, result["documents"]),
        f'{beside_trivial(result, trivial)}<div class="report">{REPORT.summary(result, pairs)}</div>',
        [str(page), *downloads(NAME, result | trivial, measures=(["measure", "value"], values))],
        code,
    )


@messages
def score_text(key, response):
    """Score typed input: text with [mentions]1 in brackets, or clusters, one per line."""
    sides = sides_of(checked_text("Key", key), checked_text("Response", response))
    return outputs_of(*sides, None, {})


@messages
def score_files(key, response, other, setting, progress=gr.Progress(track_tqdm=True)):
    """Score two files of the same documents; compare with another response."""
    if not key or not response:
        raise ValueError("A file is missing: the key's and the response's are both needed.")
    paths = [path and as_utf8(path) for path in (key, response, other)]
    names = [Path(path).name for path in paths if path]
    code = snippet(NAME, call="score_files", given=tuple(names[:2]), **SETTINGS[setting], baselines=True, details=True)
    return outputs_of(*paths, SETTINGS[setting], " and ".join(names), code)


def examples_of_text():
    """{label: typed key and response}: the harbour's text; the paper's alpine text, in numbers."""
    pairs = REPORT.open_pairs(*CONLL[:2], FILES.FileOptions())
    key = bracketed(pairs, lambda pair: entities(pair.key))
    response = bracketed(pairs, lambda pair: entities(pair.response))
    response = response.replace("[The harbour master]1", "The [harbour master]1", 1)  # other boundaries
    alpine = ["\n".join(" ".join(map(str, cluster)) for cluster in ALPINE[side]) for side in ("key", "response")]
    return {
        "harbour, with errors": [key, response],
        "nothing resolved": [key, bracketed(pairs, lambda pair: [[mention] for mention in pair.key])],
        "all in one class": [key, bracketed(pairs, lambda pair: [pair.key])],
        "alpine text of the paper": alpine,
    }


TYPED = examples_of_text()
START = next(iter(TYPED.values()))
FIRST = first_view(score_text, START, outputs=4)

with gr.Blocks(title="Coreference scoring", delete_cache=CACHE) as demo:
    more = header(
        "Do a system's coreference clusters agree with the key's?",
        "Mentions of one entity share a colour and a number; the response is below the key.",
    )
    with gr.Tab("Type"):
        above = gr.Row()
        with gr.Row():
            info = (
                "[Mentions]1 in brackets with the name of their class, or clusters, one per line. Shift + Enter scores."
            )
            key = gr.Textbox(START[0], label="Key", info=info, lines=6, max_lines=12, min_width=280)
            info = "The same text with the system's mentions and classes. An empty line ends a document."
            response = gr.Textbox(START[1], label="Response", info=info, lines=6, max_lines=12, min_width=280)
        with gr.Row():
            button = gr.Button("Score", variant="primary", elem_id="score", min_width=120)
            below = gr.Column(scale=0, min_width=170)
    with gr.Tab("Upload files"):
        gr.Markdown("CoNLL-2012, CorefUD (.conllu), Universal Anaphora, JSON with `clusters`; key and response alike.")
        with gr.Row():
            uploads = [gr.File(label=label) for label in ("Key", "Response", "Another response (optional)")]
        setting = gr.Dropdown(list(SETTINGS), value=USUAL, label="Which mentions are the same")
        with gr.Row():
            file_button = gr.Button("Score the files", variant="primary")
            file_example = gr.Button("The harbour's files, two responses")
    figure = gr.HTML(FIRST[0], elem_classes="result")
    with gr.Accordion("All measures and documents", open=False):
        measures = gr.HTML(FIRST[1])
    with gr.Accordion("Take it with you: the report as one HTML page, the result, the code", open=False):
        files = gr.File(FIRST[2], label="Report, result as JSON, measures as CSV", file_count="multiple")
        code = gr.Code(FIRST[3], language="python", label="The same in Python")
    limits(NAME, more)
    outputs = [figure, measures, files, code]
    run(score_text, [key, response], outputs, button.click, key.submit, response.submit, api_name="score")
    run(score_files, [*uploads, setting], outputs, file_button.click, api_name="score_files")
    filled = file_example.click(lambda: (*CONLL, USUAL), None, [*uploads, setting], **UNSEEN)
    run(score_files, [*uploads, setting], outputs, filled.success)
    with above:
        chosen = examples(TYPED, [key, response], score_text, outputs)
    with below:
        permalink(demo, [key, response, chosen])

if __name__ == "__main__":
    launch(demo, STYLE)
