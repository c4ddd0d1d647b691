"""The demo of morpheval: take a suite, translate it, upload the translations, see what goes wrong and why."""

import tempfile
from html import escape
from pathlib import Path

import gradio as gr

from demo import HERE, STYLE, Code, bars, downloads, framed, grid, messages, metric, number, shade, snippet

NAME = "morpheval"
EXAMPLES = HERE / "examples"
SUITE = [str(EXAMPLES / f"harbour.en.{ending}") for ending in ("sents", "info")]
SYSTEMS = [str(EXAMPLES / f"harbour.{system}.fr") for system in ("careful", "hasty")]
STRENGTHS = {"pass": 0.0, "rejected": 0.3, "fail": 0.7}
MOST_SHOWN = 200  # verdicts on the screen; the files have all


def suite_of(sents, info):
    """The uploaded suite, or the small one that is embedded."""
    if bool(sents) != bool(info):
        raise ValueError("found one file of a suite, expected both: .sents and .info")
    return metric(NAME).load_suite(*((sents, info) if sents else SUITE))


@messages
def base_file(sents):
    """The suite's sentences, to be translated one a line."""
    path = Path(tempfile.mkdtemp(prefix="morpheval-")) / "suite.en.txt"
    path.write_text(Path(sents or SUITE[0]).read_text(encoding="utf-8"), encoding="utf-8")
    return str(path)


def judged(path, suite, counts):
    """A system's result with details."""
    translations = metric(NAME).load_translations(path, suite)
    return translations, metric(NAME).compute(
        predictions=translations, references=suite, details=True, **({"frequencies": counts} if counts else {})
    )


def tests_of(result):
    return [key for key in result if f"{key}_n" in result and "_frequency_" not in key]


def accuracy_rows(system, result):
    """(test, system, accuracy, half of its interval, judged, rejected) of every test."""
    return [
        (test, system, *(result[f"{test}{suffix}"] for suffix in ("", "_ci95", "_n", "_rejected")))
        for test in tests_of(result)
    ]


def band_rows(system, result):
    """(test, system, band, accuracy) of every band of frequency."""
    return [
        (test, system, band.replace("_", " to "), value)
        for key, value in result.items()
        for test, cut, band in [key.partition("_frequency_")]
        if cut and not band.endswith("_n")
    ]


def strength(verdict):
    """How far from a pass a verdict is, 0 to 1: of several the worst; of test C's entropy the figure itself."""
    if isinstance(verdict, (list, tuple)):
        return max(map(strength, verdict))
    return STRENGTHS[verdict] if isinstance(verdict, str) else verdict


def verdict_rows(system, suite, translations, result):
    """[system, test, English, French, verdict, reason, strength, marked French] of every group and test, as text."""
    rows = []
    details = (result[name] for name in ("verdicts", "reasons", "words", "tokens"))
    for group, french, *found, tokens in zip(suite, translations, *details, strict=True):
        # A name without feature stands for several tests, each with its own verdict, reason and words.
        parts = [part if isinstance(part, dict) else {group["test"]: part} for part in found]
        for test in parts[0]:
            verdict, reason, words = (part[test] for part in parts)
            texts = (" / ".join(group["sources"]), " / ".join(french))
            rows.append((system, test, *texts, _flat(verdict), _flat(reason), strength(verdict), marked(tokens, words)))
    return rows


def _flat(value):
    if isinstance(value, (list, tuple)):
        return " / ".join(map(_flat, value))
    return number(value) if isinstance(value, float) else str(value)


def marked(tokens, words):
    """The translations as HTML, token by token; those that a verdict rests on are marked."""
    words = [word for item in words for word in (item if isinstance(item, list) else [item])]
    places = {(word["translation"], word["position"]) for word in words}
    texts = []
    for i, sentence in enumerate(tokens):
        pieces = (f"<mark>{escape(t)}</mark>" if (i, j) in places else escape(t) for j, t in enumerate(sentence))
        texts.append(" ".join(pieces))
    return " / ".join(texts)


def verdict_table(rows):
    """The verdicts as a table, failures first and darker, the words that they rest on marked."""
    body, rows = "", sorted(rows, key=lambda row: -row[6])
    for system, test, english, _, verdict, reason, strong, french in rows[:MOST_SHOWN]:
        cells = "".join(f"<td>{cell}</td>" for cell in (escape(english), french, escape(verdict), escape(reason)))
        heads = f'<th scope="row">{escape(test)}</th><td>{escape(system)}</td>'
        body += f'<tr style="{shade(strong)}">{heads}{cells}</tr>'
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("test", "system", "English", "French", "verdict", "reason"))
    left = f" (the first {MOST_SHOWN} of {len(rows)}; the files have all)" if len(rows) > MOST_SHOWN else ""
    return framed(f"verdicts, failures first{left}", f"<tr>{heads}</tr>{body}")


@messages
def judge(sents, info, first, second, counts, progress=gr.Progress(track_tqdm=True)):
    """Judge one system, or two side by side."""
    if not first:
        raise ValueError("found no translations, expected a file with one line for each sentence of the suite")
    suite = suite_of(sents, info)
    files = [path for path in (first, second) if path]
    names = [Path(path).stem for path in files]
    names = [f"{name} ({i + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]
    found = {name: judged(path, suite, counts) for name, path in zip(names, files)}

    table = [row for name, (_, result) in found.items() for row in accuracy_rows(name, result)]
    bands = [row for name, (_, result) in found.items() for row in band_rows(name, result)]
    verdicts = [row for name, both in found.items() for row in verdict_rows(name, suite, *both)]
    results = [result for _, result in found.values()]
    drawn = [(test, [(r[test], f"± {number(r[f'{test}_ci95'])}") for r in results]) for test in tests_of(results[0])]
    accuracies = (["test", "system", "accuracy (entropy for test C)", "± (95 %)", "judged", "rejected"], table)
    by_frequency = (["test", "system", "word seen in training", "accuracy"], bands)
    heads = ["system", "test", "English", "French", "verdict", "reason"]
    saved = {"accuracies": accuracies, "verdicts": (heads, [row[:6] for row in verdicts])}
    return (
        bars(names, drawn, "accuracy of each test with its 95 % interval; of verb_ and adj_ the entropy: 0 is best"),
        grid(*accuracies, caption="tests"),
        grid(*by_frequency, caption="by frequency") if bands else "",
        verdict_table(verdicts),
        downloads(NAME, {n: r for n, (_, r) in found.items()}, **saved, **({"bands": by_frequency} if bands else {})),
        code_of(sents, info, files, counts),
    )


def code_of(sents, info, files, counts):
    """The snippet, with the files by their own names."""
    suite = [Path(path).name for path in ((sents, info) if sents else SUITE)]
    steps = [f"suite = metric.load_suite({suite[0]!r}, {suite[1]!r})"]
    steps.append(f"translations = metric.load_translations({Path(files[0]).name!r}, suite)")
    given = {"predictions": Code("translations"), "references": Code("suite"), "details": True}
    return snippet(NAME, *steps, **given, **({"frequencies": Path(counts).name} if counts else {}))


with gr.Blocks(title="Morpheval") as demo:
    gr.Markdown(
        "# Morpheval: does a translation into French carry tense, number, gender?\n"
        "1. Take the suite's sentences. 2. Translate them, one a line. 3. Upload what the system wrote."
    )
    with gr.Row():
        sents = gr.File(label="Suite: sentences (empty: the small one here)", type="filepath")
        info = gr.File(label="Suite: tests (.info)", type="filepath")
    with gr.Row():
        download = gr.DownloadButton("Download the sentences to translate", value=base_file(None))
        for path in SUITE:
            gr.DownloadButton(f"The small suite: {Path(path).suffix}", value=path)
    sents.change(base_file, sents, download, api_name=False)
    with gr.Row():
        first = gr.File(label="Translations", type="filepath")
        second = gr.File(label="Another system's (optional)", type="filepath")
        counts = gr.File(label="Training text, for accuracy by frequency (optional)", type="filepath")
    button = gr.Button("Judge", variant="primary")
    accuracies = gr.HTML(label="Accuracies")
    table = gr.HTML(label="Tests")
    bands = gr.HTML(label="By frequency")
    with gr.Accordion("Every verdict with its reason, failures first", open=True):
        verdicts = gr.HTML()
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(language="python", label="The same in Python (of two systems the first)")
    inputs, outputs = [sents, info, first, second, counts], [accuracies, table, bands, verdicts, files, code]
    button.click(judge, inputs, outputs, api_name="judge")
    gr.Examples(
        [[None, None, SYSTEMS[0], SYSTEMS[1], None], [None, None, SYSTEMS[1], None, None]],
        inputs, outputs, judge, run_on_click=True, cache_examples=False,
        example_labels=["careful and hasty, side by side", "the hasty one"],
    )  # fmt: skip

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
