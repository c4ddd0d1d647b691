"""The demo of morpheval: failures with their reasons, two systems side by side, rows to change and judge again."""

import json
import sys
from html import escape
from pathlib import Path
from threading import Thread

import gradio as gr

# A Space has demo.py beside this file, a checkout has it there.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "_common"))
from demo import (
    CACHE,
    UNSEEN,
    Code,
    as_utf8,
    checked_text,
    downloads,
    examples,
    first_view,
    grid,
    header,
    launch,
    limits,
    messages,
    metric,
    module,
    permalink,
    run,
    scratch,
    snippet,
)  # fmt: skip
from drawing import (
    STYLE,
    cards,
    changes,
    dumbbells,
    is_failure,
    key_of,
    looks_like,
    side_by_side,
    tests_of,
    verdict_table,
    verdicts_of,
)  # fmt: skip

NAME = "morpheval"
metric(NAME)  # its modules come with it
TESTS = module(NAME, "contrastive_tests").TESTS
EXAMPLES = Path(__file__).resolve().with_name("examples")
SUITE = metric(NAME).load_suite()  # the one that ships
TRANSLATED = EXAMPLES / "suite.two_systems.fr.jsonl"  # a handful of its groups
LANGUAGES = {"French": "fr", "Spanish": "es", "Italian": "it", "Portuguese": "pt"}
HEADS = ["test", "English", "careful", "hasty"]
MOST_ROWS = 400  # of the table
LONGEST_GROUP = 5_000  # characters of a group's translations
MOST_SENTENCES = 20_000  # of a file
SPANISH = [
    ["future", "She sings.", "Ella canta.", "Ella canta."],
    ["future", "She will sing.", "Ella cantará.", "Ella canta."],
    ["past", "She sings.", "Ella canta.", "Ella canta."],
    ["past", "She sang.", "Ella cantó.", "Ella cantará."],
    ["subjunctive", "I believe that it rains.", "Creo que llueve.", "Creo que llueve."],
    ["subjunctive", "I don't believe that it rains.", "No creo que llueva.", "No creo que llueve."],
    ["np:gender", "I see her.", "La veo.", "La veo."],
    ["np:gender", "I see a nice journalist.", "Veo una periodista simpática.", "Veo una periodista simpático."],
    ["noun_number", "I see the cat.", "Veo el gato.", "Veo el gato."],
    ["noun_number", "I see the cats.", "Veo los gatos.", "Veo el gato."],
    ["comparative", "The house is tall.", "La casa es alta.", "La casa es alta."],
    ["comparative", "The house is taller.", "La casa es más alta.", "La casa es muy alta."],
]
ITALIAN = [
    ["future", "She sings.", "Lei canta.", "Lei canta."],
    ["future", "She will sing.", "Lei canterà.", "Lei canta."],
    ["past", "She sings.", "Lei canta.", "Lei canta."],
    ["past", "She sang.", "Lei ha cantato.", "Lei canterà."],
    ["subjunctive", "I believe that it rains.", "Credo che piova.", "Credo che piova."],
    ["subjunctive", "I don't believe that it rains.", "Non credo che piova.", "Non credo che piove."],
    ["np:gender", "I see her.", "La vedo.", "La vedo."],
    ["np:gender", "I see a nice journalist.", "Vedo una giornalista simpatica.", "Vedo una giornalista simpatico."],
    ["noun_number", "I see the cat.", "Vedo il gatto.", "Vedo il gatto."],
    ["noun_number", "I see the cats.", "Vedo i gatti.", "Vedo il gatto."],
    ["comparative", "The house is tall.", "La casa è alta.", "La casa è alta."],
    ["comparative", "The house is taller.", "La casa è più alta.", "La casa è molto alta."],
]
PORTUGUESE = [
    ["future", "She sings.", "Ela canta.", "Ela canta."],
    ["future", "She will sing.", "Ela vai cantar.", "Ela canta."],
    ["past", "She sings.", "Ela canta.", "Ela canta."],
    ["past", "She sang.", "Ela cantou.", "Ela cantará."],
    ["subjunctive", "I believe that it rains.", "Acho que chove.", "Acho que chove."],
    ["subjunctive", "I don't believe that it rains.", "Não acho que chova.", "Não acho que chove."],
    ["np:gender", "I see her.", "Eu a vejo.", "Eu a vejo."],
    ["np:gender", "I see a nice journalist.", "Vejo uma jornalista simpática.", "Vejo uma jornalista simpático."],
    ["noun_number", "I see the cat.", "Vejo o gato.", "Vejo o gato."],
    ["noun_number", "I see the cats.", "Vejo os gatos.", "Vejo o gato."],
    ["comparative", "The house is tall.", "A casa é alta.", "A casa é alta."],
    ["comparative", "The house is taller.", "A casa é mais alta.", "A casa é muito alta."],
]


# ---- Rows and files ----


def rows_of(suite, systems):
    """A row for each sentence: test, English, each system's translation."""
    return [
        [group["test"], *texts]
        for group, *translations in zip(suite, *systems, strict=True)
        for texts in zip(group["sources"], *translations, strict=True)
    ]


def groups_of(rows):
    """The suite of rows [test, English, ...]: as many sentences below one another as the test takes."""
    suite, i = [], 0
    while i < len(rows):
        test = rows[i][0].strip()
        if test not in TESTS:
            raise ValueError(f"Row {i + 1}: there is no test {test!r}; there are {', '.join(TESTS)}.")
        size = TESTS[test][0].size
        group = rows[i : i + size]
        if [row[0].strip() for row in group] != [test] * size:
            raise ValueError(f"Row {i + 1}: the test {test} needs {size} rows below each other.")
        for number, row in enumerate(group, i + 1):
            if not row[1].strip():
                raise ValueError(f"Row {number}: the English sentence is empty.")
        suite.append({"test": test, "sources": [row[1] for row in group]})
        i += size
    return suite


def columns_of(suite, rows, names):
    """{system: its translations of the suite's groups}; a column without a word is none."""
    systems = {}
    for column, name in enumerate(names, 2):
        texts = (row[column] for row in rows)
        groups = [[next(texts) for _ in group["sources"]] for group in suite]
        if any(text.strip() for group in groups for text in group):
            systems[name] = groups
    return systems


def suite_of(sents, info):
    """The uploaded suite, or the one that ships."""
    if bool(sents) != bool(info):
        raise ValueError("A file of the suite is missing: .sents and .info are both needed.")
    return metric(NAME).load_suite(as_utf8(sents), as_utf8(info)) if sents else SUITE


@messages
def base_file(sents):
    """The suite's sentences, to be translated one a line."""
    shipped = "".join(f"{text}\n" for group in SUITE for text in group["sources"])
    path = scratch() / "suite.en.txt"
    path.write_text(Path(as_utf8(sents)).read_text(encoding="utf-8") if sents else shipped, encoding="utf-8")
    return str(path)


# ---- Judging ----


def options_of(language):
    """The options of `compute`, and what is to be said of them: a small lexicon, where a language has no other."""
    code = LANGUAGES[language]
    try:
        if code != "fr":
            module(NAME, "scoring").LANGUAGES[code].default_lexicon()
    except ValueError:
        note = f"<p>The {language} lexicon here has the example's words alone: sentences with others are rejected.</p>"
        return {"language": code, "lexicon": str(EXAMPLES / f"few_words.{code}.mlex")}, note
    return {"language": code}, ""


def judging_options(language):
    """The same options for the snippet, files by their own names."""
    options, _ = options_of(language)
    return {name: Path(value).name if name == "lexicon" else value for name, value in options.items()}


def judged(suite, systems, language, counts, code, before):
    """Judge one system or two: what the page shows, what it gives to take along, and the verdicts for the next time."""
    if not systems:
        raise ValueError("There are no translations: a system's file has one line for each sentence of the suite.")
    for name, translations in systems.items():
        for i, texts in enumerate(translations, 1):
            checked_text(f"{name}, group {i}", "".join(texts), LONGEST_GROUP)
    options, note = options_of(language)
    given = options | {"details": True} | ({"frequencies": counts} if counts else {})
    results = {
        name: metric(NAME).compute(predictions=translations, references=suite, **given)
        for name, translations in systems.items()
    }
    comparison = metric(NAME).compare(*systems.values(), suite, **options) if len(systems) == 2 else {}
    verdicts = [v for name, result in results.items() for v in verdicts_of(name, suite, systems[name], result)]
    now = {key_of(v): v.value for v in verdicts}
    told, changed = changes((before or {}).get(language), now)
    drawn, of_test = cards(verdicts, changed, language)
    return (
        summary(verdicts, systems)
        + told
        + other_language(systems, language)
        + note
        + drawn
        + dumbbells(results, of_test),
        side_by_side(results, comparison) + reasons(verdicts) + verdict_table(verdicts) + bands(results),
        downloads(NAME, results | ({"comparison": comparison} if comparison else {}), **tables(results, verdicts)),
        code,
        {language: now},
    )


def summary(verdicts, systems):
    """In a sentence how many verdicts fail; names of systems are visitors' file names."""
    parts = []
    for name in systems:
        own = [v.value for v in verdicts if v.system == name and isinstance(v.value, str)]
        judged_ones = len(own) - own.count("rejected")
        rejected = f" ({own.count('rejected')} cannot be judged)" if "rejected" in own else ""
        uneven = [v.value > 0 for v in verdicts if v.system == name and isinstance(v.value, float)]
        varies = f", and varies in {sum(uneven)} of {len(uneven)} groups of five" if uneven else ""
        parts.append(f"{escape(name)} loses {own.count('fail')} of {judged_ones}{rejected}{varies}")
    return f'<p class="figure">{"; ".join(parts)} <small>contrasts that English makes.</small></p>'


def other_language(systems, language):
    """A hint where the translations look like another language than the chosen one."""
    texts = [text for translations in systems.values() for group in translations for text in group]
    found = looks_like(texts, [*LANGUAGES, "English"])
    if found in (None, language):
        return ""
    way_out = "are they translated?" if found == "English" else "choose the language above the rows, and judge again."
    return (
        f'<p><span class="chip bad">{found.upper()}?</span> These translations look like {found}, but {language} is '
        f"chosen: {way_out}</p>"
    )


def reasons(verdicts):
    """What goes wrong how often, by test and system, with the shortest reason."""
    failed = {}
    for v in filter(is_failure, verdicts):
        failed.setdefault((v.test, v.system), []).append(v.reason)
    rows = [(*key, len(found), min(found, key=len).replace("*", "")) for key, found in failed.items()]
    return grid(["test", "system", "failures", "for example"], rows, caption="what goes wrong") if rows else ""


def band_rows(results):
    """(test, system, band, accuracy) of every band of frequency."""
    return [
        (test, name, band.replace("_", " to "), value)
        for name, result in results.items()
        for key, value in result.items()
        for test, cut, band in [key.partition("_frequency_")]
        if cut and not band.endswith("_n")
    ]


def bands(results):
    rows = band_rows(results)
    return grid(["test", "system", "word seen in training", "accuracy"], rows, caption="by frequency") if rows else ""


def tables(results, verdicts):
    """The tables to take along."""
    ends = ("", "_low", "_high", "_n", "_rejected")
    accuracies = [
        (test, name, *(result[f"{test}{end}"] for end in ends))
        for name, result in results.items()
        for test in tests_of(result)
    ]
    rows = [(v.test, v.system, *map(" / ".join, (v.sources, v.translations)), v.value, v.reason) for v in verdicts]
    tables = {
        "accuracies": (["test", "system", "accuracy (entropy for test C)", "low", "high", "n", "rejected"], accuracies),
        "verdicts": (["test", "system", "English", "translation", "verdict", "reason"], rows),
    }
    by_frequency = band_rows(results)
    if by_frequency:
        tables["bands"] = (["test", "system", "word seen in training", "accuracy"], by_frequency)
    return tables


@messages
def judge_rows(table, language, before=None):
    """Judge the rows of the table: a test, its English sentences below each other, and one or two translations."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in table]
    rows = [row for row in rows if any(map(str.strip, row))]
    if not rows or len(rows) > MOST_ROWS:
        raise ValueError(
            f"There are {len(rows)} rows; the table takes 1 to {MOST_ROWS}. Upload larger suites as files."
        )
    suite = groups_of(rows)
    systems = columns_of(suite, rows, HEADS[2:])
    first = next(iter(systems.values()), None)
    code = snippet(NAME, predictions=first, references=suite, **judging_options(language), details=True)
    return judged(suite, systems, language, None, code, before)


@messages
def judge_files(sents, info, first, second, counts, language, before=None, _progress=gr.Progress(track_tqdm=True)):
    """Judge files, one line for each sentence of the suite: one system, or two side by side."""
    suite = suite_of(sents, info)
    if sum(len(group["sources"]) for group in suite) > MOST_SENTENCES:
        raise ValueError(f"The suite is too large for the demo, which takes {MOST_SENTENCES:,} sentences; use Python.")
    files = [path for path in (first, second) if path]
    names = [Path(path).stem for path in files]
    names = [f"{name} ({i + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]
    systems = {
        name: metric(NAME).load_translations(as_utf8(path), suite) for name, path in zip(names, files, strict=True)
    }
    code = code_of(sents, info, files, counts, language)
    return judged(suite, systems, language, counts and as_utf8(counts), code, before)


def code_of(sents, info, files, counts, language):
    """The snippet, with the files by their own names."""
    suite = [repr(Path(path).name) for path in (sents, info) if sents]
    steps = [f"suite = metric.load_suite({', '.join(suite)})"]
    steps += [f"translations = metric.load_translations({Path(path).name!r}, suite)" for path in files[:1]]
    given = {"predictions": Code("translations"), "references": Code("suite"), **judging_options(language)}
    return snippet(NAME, *steps, **given, details=True, **({"frequencies": Path(counts).name} if counts else {}))


def translated():
    """Rows of some groups of the suite with two systems' translations."""
    groups = dict(zip(SUITE.ids, SUITE, strict=True))
    rows = [json.loads(line) for line in TRANSLATED.read_text(encoding="utf-8").splitlines()]
    return rows_of([groups[row["id"]] for row in rows], [[row[name] for row in rows] for name in HEADS[2:]])


ROWS = {
    "French, a careful and a hasty system": [translated(), "French"],
    "Spanish": [SPANISH, "Spanish"],
    "Italian": [ITALIAN, "Italian"],
    "Portuguese": [PORTUGUESE, "Portuguese"],
}
START = next(iter(ROWS.values()))
FIRST = first_view(judge_rows, START, outputs=5)

with gr.Blocks(title="Morpheval", delete_cache=CACHE) as demo:
    more = header(
        "Does a translation carry tense, number, gender?",
        "Two English sentences differ in one point: so must their translations. Each contrast that is lost has a card "
        "with the reason.",
    )
    above = gr.Row()
    figure = gr.HTML(FIRST[0], elem_classes="result")
    language = gr.Radio(list(LANGUAGES), value="French", label="Language of the translations")
    before = gr.State(FIRST[4])
    with gr.Tab("Change rows and judge again"):
        table = gr.Dataframe(
            START[0], headers=HEADS, type="array", column_count=(len(HEADS), "fixed"), interactive=True, wrap=True,
            max_height=300, column_widths=["20%", "28%", "26%", "26%"],
            label="The sentences of a test stand below one another; an empty column is no system",
        )  # fmt: skip
        with gr.Row():
            button = gr.Button("Judge the rows", variant="primary", elem_id="score", min_width=120)
            below = gr.Column(scale=0, min_width=170)
    with gr.Tab("Upload files"):
        gr.Markdown("Take a suite's sentences, translate them, one a line, and upload what the system wrote.")
        with gr.Row():
            sents = gr.File(label="Suite: sentences (empty: the one that ships)")
            info = gr.File(label="Suite: tests (.info)")
            counts = gr.File(label="Training text, for accuracy by frequency (optional)")
        with gr.Row():
            download = gr.DownloadButton("Download the sentences to translate", value=base_file(None))
            first, second = gr.File(label="Translations"), gr.File(label="Another system's (optional)")
        file_button = gr.Button("Judge the files", variant="primary")
    with gr.Accordion("Every figure with its interval, and every verdict", open=False):
        verdicts = gr.HTML(FIRST[1])
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(FIRST[2], label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(FIRST[3], language="python", label="The same in Python (of two systems the first)")
    limits(NAME, more)
    outputs = [figure, verdicts, files, code, before]
    sents.change(base_file, sents, download, **UNSEEN)
    uploads = [sents, info, first, second, counts]
    run(judge_rows, [table, language, before], outputs, button.click, api_name="judge_rows")
    run(judge_files, [*uploads, language, before], outputs, file_button.click, api_name="judge")
    with above:
        chosen = examples(ROWS, [table, language], judge_rows, outputs)
    with below:
        permalink(demo, [table, language, chosen])

if __name__ == "__main__":
    # The other lexicons take a while to make; nobody has to wait for them.
    for rows in list(ROWS.values())[1:]:
        Thread(target=first_view, args=(judge_rows, rows, 5), daemon=True).start()
    launch(
        demo,
        STYLE,
        "Do translations get tense, number and gender right? Contrasts that English makes, judged with reasons.",
    )
