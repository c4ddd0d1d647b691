"""The demo of morpheval: take a suite, translate it, upload the translations, see what goes wrong and why."""

import tempfile
from html import escape
from pathlib import Path

import gradio as gr

from demo import HERE, STYLE, bars, downloads, grid, messages, metric, shade, snippet

NAME = "morpheval"
EXAMPLES = HERE / "examples"
SUITE = [str(EXAMPLES / f"harbour.en.{ending}") for ending in ("sents", "info")]
SYSTEMS = [str(EXAMPLES / f"harbour.{system}.fr") for system in ("careful", "hasty")]
STRENGTH = {"pass": 0.0, "rejected": 0.3, "fail": 0.7}
MOST_SHOWN = 200  # verdicts on the screen; the files have all


def suite_of(sents, info):
    """The uploaded suite, or the small one that is embedded."""
    if bool(sents) != bool(info):
        raise ValueError("found one file of a suite, expected both: .sents and .info")
    return metric(NAME).load_suite(*((sents, info) if sents else SUITE))


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


def verdict_rows(system, suite, translations, result):
    """(system, test, English, French, verdict, reason) of every group."""
    rows = []
    for group, french, verdict, reason in zip(suite, translations, result["verdicts"], result["reasons"], strict=True):
        # A name without feature stands for several tests, each with its verdict and reason.
        several = verdict if isinstance(verdict, dict) else {group["test"]: verdict}
        for test, one in several.items():
            why = reason[test] if isinstance(reason, dict) else reason
            texts = (" / ".join(group["sources"]), " / ".join(french))
            rows.append((system, test, *texts, _flat(one), _flat(why)))
    return rows


def _flat(value):
    return " / ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def verdict_table(rows):
    """The verdicts as a table; failures are darker, the words that a reason names are bold."""
    body = ""
    for _, test, english, french, verdict, reason in rows[:MOST_SHOWN]:
        text = escape(french)
        for word in dict.fromkeys(piece for i, piece in enumerate(reason.split("*")) if i % 2):
            text = text.replace(escape(word), f"<mark>{escape(word)}</mark>")
        cells = "".join(f"<td>{cell}</td>" for cell in (escape(english), text, escape(verdict), escape(reason)))
        body += f'<tr style="{shade(STRENGTH.get(verdict, 0))}"><th scope="row">{escape(test)}</th>{cells}</tr>'
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("test", "English", "French", "verdict", "reason"))
    return f'<div class="grid"><table><tr>{heads}</tr>{body}</table></div>'


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

    table, verdicts, bands = [], [], []
    for name, (translations, result) in found.items():
        verdicts += verdict_rows(name, suite, translations, result)
        for test in tests_of(result):
            half = result[f"{test}_ci95"]
            table.append((test, name, result[test], f"± {half:.2f}", result[f"{test}_n"], result[f"{test}_rejected"]))
        bands += [
            (key.split("_frequency_")[0], name, key.split("_frequency_")[1].replace("_", " to "), value)
            for key, value in result.items()
            if "_frequency_" in key and not key.endswith("_n")
        ]
    results = [result for _, result in found.values()]
    drawn = [(test, [(r[test], f"± {r[f'{test}_ci95']:.2f}") for r in results]) for test in tests_of(results[0])]
    columns = ["test", "system", "accuracy (entropy for test C)", "95 %", "judged", "rejected"]
    differing = [row for row in verdicts if row[4] not in ("pass", "0.0")] + [r for r in verdicts if r[4] == "pass"]
    lists = {name: result for name, (_, result) in found.items()}
    heads = ["system", "test", "English", "French", "verdict", "reason"]
    return (
        bars(names, drawn, "accuracy of each test with its 95 % interval; of verb_ and adj_ the entropy: 0 is best"),
        grid(columns, table),
        grid(["test", "system", "word seen in training", "accuracy"], bands) if bands else "",
        verdict_table(differing),
        downloads(NAME, lists, heads, verdicts),
        snippet(NAME, predictions=found[names[0]][0][:1], references=suite[:1]),
    )


with gr.Blocks(title="Morpheval") as demo:
    gr.Markdown(
        "# Morpheval: does a translation into French carry tense, number, gender?\n"
        "1. Take the suite's sentences. 2. Translate them, one a line. 3. Upload what the system wrote."
    )
    with gr.Row():
        sents = gr.File(label="Suite: sentences (empty: the small one here)", type="filepath")
        info = gr.File(label="Suite: tests (.info)", type="filepath")
    download = gr.DownloadButton("Download the sentences to translate", value=base_file(None))
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
        code = gr.Code(language="python", label="The first group in Python")
    inputs, outputs = [sents, info, first, second, counts], [accuracies, table, bands, verdicts, files, code]
    button.click(judge, inputs, outputs, api_name="judge")
    gr.Examples(
        [[None, None, SYSTEMS[0], SYSTEMS[1], None], [None, None, SYSTEMS[1], None, None]],
        inputs, outputs, judge, run_on_click=True, cache_examples=False,
        example_labels=["careful and hasty, side by side", "the hasty one"],
    )  # fmt: skip

if __name__ == "__main__":
    demo.launch(css=STYLE, show_error=True)
