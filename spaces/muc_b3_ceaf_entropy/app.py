"""The demo of muc_b3_ceaf_entropy: key and response in the text, the errors, and what they cost."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import gradio as gr

# A Space has demo.py beside this file, a checkout has it there.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "_common"))
from demo import (
    CACHE,
    UNSEEN,
    as_utf8,
    bars,
    checked_text,
    downloads,
    examples,
    first_view,
    grid,
    header,
    launch,
    limits,
    messages,
    module,
    permalink,
    run,
    scratch,
    snippet,
)  # fmt: skip
from drawing import NAME, STYLE, bracketed, drawn, entities, how_to_read, sides_of

FILES, REPORT = module(NAME, "score_files"), module(NAME, "show_report")
percent = module(NAME, "show_page").number
EXAMPLES = Path(__file__).resolve().with_name("examples")
ALPINE = json.loads((EXAMPLES / "alpine.json").read_text(encoding="utf-8"))
CONLL = [str(EXAMPLES / f"harbour.{side}.conll") for side in ("key", "response", "other")]
# Names of settings, and their options of `score_files`.
SETTINGS = {
    "CoNLL: the same words, singletons count": {},
    "CRAC, official (CorefUD): the same heads, zeros by dependency, no singletons": {"preset": "crac"},
    "partial (CorefUD, UA): within the key's mention, with its head": {"match": "partial"},
}
USUAL = next(iter(SETTINGS))
TYPED_AS = {"words": "aligned"}  # options of typed texts
TRIVIAL = {
    "one_class": "everything in one cluster", "no_resolution": "every mention alone", "random": "random clusters",
}  # fmt: skip
MEASURES = {
    "muc": "MUC", "b3": "B³", "ceafm": "CEAF-m", "ceafe": "CEAF-e", "blanc": "BLANC", "lea": "LEA",
    "core": "core classes", "exclusive_core": "exclusive cores", "entropy": "entropy",
}  # fmt: skip
KINDS = ("split", "merged", "boundary", "missing", "spurious")
CONFIDENCE = 0.95
FEW = 10  # with fewer documents, an interval is rough
MANY = 10  # with fewer mentions, random clusters may be right by chance


def scored(key, response, other, options):
    """(pairs of documents, those of the other response or None, result with details, scores of trivial responses)."""
    options = FILES.FileOptions.of({**options, "details": True, "baselines": True}, NAME)
    pairs = REPORT.open_pairs(key, response, options)
    if len(pairs) > 1:
        options = replace(options, confidence=CONFIDENCE)
    result, others = FILES.score_pairs(pairs, options), None
    if other:
        others = REPORT.open_pairs(key, other, options)
        result["comparison"] = FILES.compare_pairs(pairs, others, options)
    trivial = {name: result.pop(name) for name in list(result) if name.startswith(tuple(TRIVIAL))}
    if result["totals"]["key_mentions"] < MANY:
        trivial = {name: value for name, value in trivial.items() if not name.startswith("random")}
    return pairs, others, result, trivial


def shown(trivial):
    """{baseline: its name on the page} of those that there are scores of."""
    return {name: words for name, words in TRIVIAL.items() if f"{name}_conll_f1" in trivial}


def headline(result, trivial):
    """The CoNLL F1 with its interval, the errors in a sentence, another response's, and the trivial ones'."""
    totals, ends, versus = result["totals"], "", ""
    if "conll_f1_low" in result:
        low, high = (percent(result[f"conll_f1_{end}"]) for end in ("low", "high"))
        rough = ", rough from so few documents" if totals["documents"] < FEW else ""
        ends = f" <small>{CONFIDENCE:.0%} interval {low} to {high}{rough}</small>"
    rows = [("this response", result["conll_f1"], "")]
    if "comparison" in result:
        compared = result["comparison"]
        rows.append(("the other response", compared["conll_f1_b"], "other"))
        points = 100 * (compared["conll_f1_a"] - compared["conll_f1_b"])
        than = "better than" if points > 0 else "worse than" if points < 0 else "as good as"
        versus = (
            f" It is {abs(points):.2f} points {than} the other response." if points else f" It is {than} the other."
        )
    baselines = [(words, trivial[f"{name}_conll_f1"], "grey") for name, words in shown(trivial).items()]
    best, most, _ = max(baselines, key=lambda row: row[1])
    side = "better than" if result["conll_f1"] > most else "no better than"
    errors = ", ".join(f"{totals[kind]} {kind}" for kind in KINDS if totals[kind]) or "no errors"
    drawn_rows = [(words, score, percent(score), kind) for words, score, kind in rows + baselines]
    return (
        f'<p class="figure">CoNLL F1 {percent(result["conll_f1"])} %{ends}</p>'
        f"<p>{totals['common_mentions']} of the key's {totals['key_mentions']} mentions are found; {errors}.{versus} "
        f"It is {side} the best trivial baseline, {best}.</p>"
        f"{bars(drawn_rows, 'CoNLL F1 in percent')}"
    )


def beside_trivial(result, trivial):
    """F1 in each measure, of the responses and of the trivial ones, in percent."""
    compared = result.get("comparison", {})
    rows = [
        (
            words,
            percent(result[f"{name}_f1"]),
            *([percent(compared[f"{name}_f1_b"])] if compared else []),
            *(percent(trivial[f"{other}_{name}_f1"]) for other in shown(trivial)),
        )
        for name, words in MEASURES.items()
    ]
    heads = ["F1 in percent", "this response", *(["the other"] if compared else []), *shown(trivial).values()]
    return grid(heads, rows, caption="all measures, and trivial baselines")


def outputs_of(key, response, other, options, names="", code="", own=()):
    """The figure, all measures, the files and the code; `own` has the typed name of each mention's entity."""
    pairs, others, result, trivial = scored(key, response, other, options)
    page = scratch() / "report.html"
    page.write_text(REPORT.html_of(pairs, result, names), encoding="utf-8")
    values = [(name, value) for name, value in (result | trivial).items() if isinstance(value, float)]
    code = code or code_of(key, response, pairs)
    texts = drawn(pairs, result["documents"], own)
    if others:
        documents = FILES.score_pairs(others, FILES.FileOptions.of({**options, "details": True}, NAME))["documents"]
        texts = (
            f'<div class="two"><section><h2>This response</h2>{texts}</section>'
            f"<section><h2>The other response</h2>{drawn(others, documents, own)}</section></div>"
        )
    return (
        headline(result, trivial) + texts + how_to_read(),
        f'{beside_trivial(result, trivial)}<div class="report">{REPORT.summary(result, pairs)}</div>',
        [str(page), *downloads(NAME, result | trivial, measures=(["measure", "value"], values))],
        code,
    )


def code_of(key, response, pairs):
    """The snippet for typed texts: from files where the key repeats mentions, for which `compute` has no rule."""
    shown = {"baselines": True, "details": True}
    if not any(pair.copies for pair in pairs):
        return snippet(NAME, **FILES.partitions(pairs), **shown)
    texts = {Path(path).name: Path(path).read_text(encoding="utf-8") for path in (key, response)}
    steps = [f"Path({name!r}).write_text({text!r})" for name, text in texts.items()]
    return snippet(NAME, "from pathlib import Path", *steps, call="score_files", given=(*texts,), **TYPED_AS, **shown)


@messages
def score_text(key, response, other=""):
    """Score typed input: text with [mentions]1 in brackets, or clusters, one per line; maybe two responses."""
    typed = [checked_text("Key", key), checked_text("Response", response), checked_text("The other response", other)]
    sides, own = sides_of(*typed)
    return outputs_of(*sides, TYPED_AS if own else {}, own=own)


@messages
def score_files(key, response, other, setting, _progress=gr.Progress(track_tqdm=True)):
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
    better = bracketed(REPORT.open_pairs(CONLL[0], CONLL[2], FILES.FileOptions()), lambda pair: entities(pair.response))
    alpine = ["\n".join(" ".join(map(str, cluster)) for cluster in ALPINE[side]) for side in ("key", "response")]
    return {
        "harbour, two systems": [key, better, response],
        "every mention alone": [key, bracketed(pairs, lambda pair: [[mention] for mention in pair.key]), ""],
        "everything in one cluster": [key, bracketed(pairs, lambda pair: [pair.key]), ""],
        "alpine text of the paper": [*alpine, ""],
    }


TYPED = examples_of_text()
START = next(iter(TYPED.values()))
FIRST = first_view(score_text, START, outputs=4)

with gr.Blocks(title="Coreference scoring", delete_cache=CACHE) as demo:
    more = header(
        "Does a system know who is who in a text?",
        "Coreference: what means the same has one colour and one number. The key is what is right, the response what a "
        "system found. Point at a mention: its whole chain lights up.",
    )
    with gr.Tab("Type"):
        above = gr.Row()
        with gr.Row():
            info = "[Mentions]1 in brackets, or clusters. Shift + Enter scores."
            key = gr.Textbox(START[0], label="Key", info=info, lines=5, max_lines=5, min_width=260)
            info = "The same text with what a system found. An empty line ends a document."
            response = gr.Textbox(START[1], label="Response", info=info, lines=5, max_lines=5, min_width=260)
            info = "Of another system, to see the difference."
            other = gr.Textbox(
                START[2], label="Other response (optional)", info=info, lines=5, max_lines=5, min_width=260
            )
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
    typed = [key, response, other]
    run(score_text, typed, outputs, button.click, *(box.submit for box in typed), api_name="score")
    run(score_files, [*uploads, setting], outputs, file_button.click, api_name="score_files")
    filled = file_example.click(lambda: (*CONLL, USUAL), None, [*uploads, setting], **UNSEEN)
    run(score_files, [*uploads, setting], outputs, filled.success)
    with above:
        chosen = examples(TYPED, typed, score_text, outputs)
    with below:
        permalink(demo, [*typed, chosen])

if __name__ == "__main__":
    launch(demo, STYLE, "Does a system know who is who in a text? Coreference scores, with every error shown.")
