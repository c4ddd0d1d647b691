"""The shell commands of morpheval, parapluie and melasss: what they print and write, their exit status."""

import csv
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from tqdm import tqdm

import metrics
from metrics.__main__ import ALSO, COMMANDS, main
from metrics._commands import melasss, morpheval, parapluie, shared, tables
from metrics._commands.files import inert
from metrics._commands.page import examples_of
from metrics.melasss.terms_table import ASPECTS
from metrics.morpheval.scoring import JudgeOptions
from metrics.morpheval.suite_files import load_suite, load_translations

from .conftest import ROOT, needs_lefff, needs_minilm

SUITE = ROOT / "spaces" / "morpheval" / "examples"
ENDINGS = ("en.sents", "en.info", "careful.fr", "hasty.fr")
SENTS, INFO, CAREFUL, HASTY = (str(SUITE / f"harbour.{ending}") for ending in ENDINGS)
MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")
BLOCKS = re.findall(r"^```\n(\$ .*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
README = [command for block in BLOCKS for command in block[2:].split("\n$ ") if command.startswith("meaning-")]
SOURCES = ["The ferry leaves at noon.", "It rains."]
HYPOTHESES = ["At noon the ferry\tleaves.", '"Rain", they said.']
TEXT = "The harbour opened again on Monday. A storm had closed it for three weeks. Nobody was hurt."
SUMMARIES = ["After three weeks the harbour opened again on Monday.", "A bakery burned down in Lyon."]


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


@pytest.fixture
def printed(capsys):
    """Runs a command; the lines that it prints."""

    def printed(*arguments):
        assert main(list(arguments)) == 0
        return capsys.readouterr().out.splitlines()

    return printed


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


# ---- All ----


def test_which_commands_there_are(capsys):
    with pytest.raises(SystemExit) as exit:
        main([])
    assert exit.value.code == 0
    lines = [line[2:25] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert [line.strip().split(", ") for line in lines] == NAMES


NAMES = [
    ["coreference", "coref"], ["morphology", "morpheval"], ["paraphrases", "parapluie"], ["summaries", "melasss"],
    ["suite"], ["lexicon"],
]  # fmt: skip


@pytest.mark.parametrize("name", sum(NAMES, []))
def test_help_imports_nothing_heavy(name):
    code = f"""
import sys
from metrics.__main__ import main
try:
    main([{name!r}, "--help"])
finally:
    heavy = set(sys.modules) & {{"numpy", "evaluate", "datasets", "torch", "transformers", "huggingface_hub"}}
    assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith(f"usage: meaning-metrics {name} [-h] ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["x"], "meaning-metrics: error: argument NAME: invalid choice: 'x' (choose from "),
        (["parapluie", "none"], "meaning-metrics parapluie: error: the following arguments are required: HYPOTHESES"),
        (["summaries", "none"], "meaning-metrics summaries: error: the following arguments are required: SUMMARIES"),
        (["melasss", "a", "b", "--x"], "meaning-metrics melasss: error: unrecognized arguments: --x; see"),
        (["parapluie", "a", "b", "--think", "x"], "meaning-metrics parapluie: error: argument --think: invalid int"),
    ],
)
def test_wrong_usage_is_one_line(capsys, arguments, message):
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    error = capsys.readouterr().err
    assert exit.value.code == 2 and error.startswith(message) and error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["morpheval", SENTS, INFO, "none"], "cannot read 'none': no such file or directory"),
        (["morpheval", SENTS, INFO, SENTS, "--mode", "x"], "--mode: found 'x', expected one of default, limsi"),
        (["parapluie", "none", SENTS], "cannot read 'none': no such file"),
        (["parapluie", SENTS, SENTS, "--template", "x"], "--template: found 'x', expected one of direct, indirect"),
        (["parapluie", SENTS, SENTS, "--batch-size", "x"], "--batch-size: found 'x', expected a positive integer"),
        (["parapluie", SENTS, HASTY, "--model-id", "./none"], "--model-id: found './none'"),
        (["melasss", SENTS, SENTS, "--similarity", "x"], "--similarity: found 'x', expected one of regression, rouge"),
        (["parapluie", SENTS, HASTY, "--template", INFO + ".json"], f"cannot read '{INFO}.json': no such file"),
        (
            ["parapluie", SENTS, HASTY, "--pairs", HASTY],
            f"--pairs: found '{HASTY}', which is one of the command's other files",
        ),
        (
            ["parapluie", SENTS, HASTY, "--compare", f"x={CAREFUL}", "--pairs", CAREFUL],
            f"--pairs: found '{CAREFUL}', which is one of the command's other files",
        ),
        (["parapluie", SENTS, HASTY, "--pairs", "none/x"], "--pairs: found 'none/x', which cannot be written"),
        (["morpheval", SENTS, INFO, HASTY, "--verdicts", HASTY], f"--verdicts: found '{HASTY}', which is one of"),
        (["melasss", SENTS, HASTY, "--examples", SENTS], f"--examples: found '{SENTS}', which is one of the command's"),
        (["melasss", SENTS, HASTY, "--examples", "."], "--examples: found '.', which cannot be written"),
        (["melasss", SENTS, HASTY, "--html", "-"], "--html: found '-', expected the name of a file, such as /dev/std"),
        (["melasss", SENTS, SENTS, "--aspect", "x"], "--aspect: found 'x', expected one of relevance, consistency"),
    ],
)
def test_wrong_input_is_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"meaning-metrics {arguments[0]}: error: {message}")
    assert output.err.count("\n") == 1 and not output.out


@pytest.mark.parametrize("command", README, ids=lambda command: command.split()[1])
def test_examples_of_the_readme(command, capsys, monkeypatch, tmp_path):
    """They are accepted; with the files that the page makes, the output is what it shows."""
    monkeypatch.chdir(tmp_path)
    for text, file in re.findall(r"\$ echo '(.*)' > (\S+)", "\n".join(BLOCKS)):
        Path(file).write_text(f"{text}\n", encoding="utf-8")
    line, *expected = command.splitlines()
    _, name, *arguments = shlex.split(line, comments=True)
    import_module(COMMANDS[ALSO.get(name, name)][1], metrics.__name__).parser().parse_args(arguments)
    if expected:
        assert main([name, *arguments]) == 0
        assert capsys.readouterr().out.splitlines() == expected


# ---- Progress ----


def test_bars_are_a_line_a_minute_where_there_is_no_terminal(monkeypatch, capsys, put):
    now, stream = [0.0], io.StringIO()
    monkeypatch.setattr(shared, "monotonic", lambda: now[0])
    log = shared.Log(stream)
    for i in tqdm(range(8), desc="pairs", file=log, mininterval=0, miniters=1, disable=None):
        for _ in tqdm(range(2), desc="inner", file=log, mininterval=0, miniters=1, leave=False):
            pass
        if i == 1:
            print("a warning\n\nof two parts", file=log)
        now[0] += 25
    first, *lines = stream.getvalue().splitlines()
    assert first == "a warning" and lines[:2] == ["", "of two parts"] and "\r" not in stream.getvalue()
    assert [line.partition("|")[0] for line in lines[2:]] == ["pairs:  38%", "pairs:  75%"]
    for minute, options, is_shown in ((0.0, [], True), (60.0, [], False), (0.0, ["--quiet"], False)):
        text = f"Bars {minute} {options} were seen."  # what has been encoded before needs no bar
        monkeypatch.setattr(shared, "MINUTE", minute)
        assert main(["summaries", put("texts", [text]), put("summaries", [text]), *options]) == 0
        assert ("sentences: " in capsys.readouterr().err) == is_shown


@pytest.mark.parametrize(
    "options, said", [(["--resume", "kept"], "interrupted; the same command goes on from kept"), ([], "interrupted")]
)
def test_who_interrupts_is_told_how_to_go_on(capsys, options, said):
    def output(args):
        raise KeyboardInterrupt

    assert shared.run_command(parapluie.parser(), output, ["s", "h", *options]) == 130
    assert capsys.readouterr().err == f"meaning-metrics parapluie: {said}\n"


# ---- Tables, systems ----


def test_what_a_spreadsheet_would_run_does_not():
    texts = ["=HYPERLINK(1)", "@SUM(1)", "+1+cmd", "-2-x", "\tx", "\rx"]
    harmless = ["-3.5", "+1e-5", "a=1", "x - y", "", "'=1"]
    assert inert([*texts, *harmless, -0.5, None]) == [*(f"'{text}" for text in texts), *harmless, -0.5, None]
    rows = list(csv.reader(tables.as_csv([("", "=A", "b"), ("@x", -0.25, tables.Ranged(1.5, -1.0, 2.0))])))
    assert rows == [["", "'=A", "b", "b low", "b high"], ["'@x", "-0.25", "1.5", "-1.0", "2.0"]]


def test_latex_prints_text_as_it_is():
    """Every special character, and no command."""
    text = r"\input{x} 50% $a_b$ {c}#1 & ~^ <d>"
    expected = (
        r"\textbackslash{}input\{x\} 50\% \$a\_b\$ \{c\}\#1 \& \textasciitilde{}\textasciicircum{} "
        r"\textless{}d\textgreater{}"
    )
    assert tables.in_latex(text) == expected and tables.in_latex("a\n\x1bb") == "a b"
    rows = [("", "a-b"), ("x", -0.5), ("y", tables.Ranged(0.0, -1.0, 1.0, is_best=True)), ("z|", tables.PValue(0.03))]
    assert tables.as_latex(rows)[1:] == [
        r"\toprule",
        r" & a-b \\",
        r"\midrule",
        r"x & $-$0.500 \\",
        r"y & \textbf{0.000 [$-$1.000, 1.000]} \\",
        r"z| & 0.0300 \\",
        *(r"\bottomrule", r"\end{tabular}"),
    ]
    assert tables.as_markdown(rows) == [
        "|  | a-b |",
        "| --- | ---: |",
        "| x | -0.500 |",
        "| y | **0.000 (-1.000 to 1.000)** |",
        r"| z\| | 0.0300 |",
    ]


def test_the_best_of_a_row():
    def best(name, *values):
        _, *cells = tables.with_best((name, *(tables.Ranged(value, 0.0, 1.0) for value in values), 1.0))
        return [cell.is_best for cell in cells[:-1]]

    nan = float("nan")
    assert best("muc_f1", 0.5, 0.75, nan, 0.75) == [False, True, False, True]
    assert best("rejected_rate", 0.5, 0.75) == [True, False]
    assert best("muc_f1", 0.5, 0.5) == best("d_error", 0.5, 0.75) == [False, False]


def test_what_differs_from_the_best_is_marked():
    """By the corrected p-value; from the system that the others are compared with, where there is one."""
    systems, ranges = "abc", {"a": 0.5, "b": 0.75, "c": 0.25}
    rows = [("", *systems), (tables.Name("b3_f1"), *(tables.Ranged(ranges[name], 0.0, 1.0) for name in systems), 7)]
    p_values = {("a", "b"): 0.04, ("b", "c"): 0.06, ("a", "c"): 0.01}
    pairs = [{"a": a, "b": b, "b3_f1_p_value": 0.0, "b3_f1_p_holm": p} for (a, b), p in p_values.items()]
    comparison = {"systems": dict.fromkeys(systems), "pairs": pairs}

    def differ(rows, against=None):
        return [cell.differs for cell in tables.with_marks(rows, comparison, against)[1][1:4]]

    equal = [rows[0], (*rows[1][:1], *(tables.Ranged(0.5, 0.0, 1.0) for _ in systems))]
    assert differ(rows) == [True, False, False] and differ(equal) == [False] * 3
    assert differ(rows, "a") == [False, True, True] and differ(rows, "c") == [True, False, False]
    both = tables.with_marks(rows, comparison, "a")  # the best may be one that differs
    assert r"& \textbf{0.750 [0.000, 1.000]}$^{*}$ &" in tables.as_latex(both)[4]
    marked = tables.with_marks(rows, comparison)
    assert tables.as_latex(marked)[4] == (
        r"B$^3$ F$_1$ & 0.500 [0.000, 1.000]$^{*}$ & \textbf{0.750 [0.000, 1.000]} & 0.250 [0.000, 1.000] & 7 \\"
    )
    html = tables.as_html([("", "<i>"), *marked[1:]], tables.decimal, "a & b")
    assert "&lt;i&gt;" in html and "<h2>a &amp; b</h2>" in html
    assert "<td>b3_f1<td>0.500 (0.000 to 1.000) *<td><b>0.750 (0.000 to 1.000)</b><td>0.250 (" in html


@pytest.mark.parametrize(
    "name, printed",
    [
        ("muc_f1", "MUC F$_1$"), ("ceafe_recall", r"CEAF$_{\phi_4}$ recall"), ("conll_f1", "CoNLL F$_1$"),
        ("b3", "B$^3$"), ("F1", "F$_1$"), ("d_error", "$D$-error"), ("exclusive_core_f1", "exclusive core F$_1$"),
        ("verb_consistency:number", "verb consistency:number"), ("a&b_rate", r"a\&b rate"), ("melasss", "MeLaSSS"),
    ],
)  # fmt: skip
def test_latex_prints_scores_as_papers_do(name, printed):
    assert tables.pretty(name) == printed


def test_percent_is_of_fractions_alone():
    scores = {"score": 1.5, "score_low": 1.0, "rate": 0.5, "rate_p_value": 0.25, "n": 3, "totals": {"x": 2.0}, "s": "a"}
    assert tables.in_percent(scores | {"nan": None, "pairs": [{"rate_difference": -0.25}]}, ("score",)) == scores | {
        "rate": 50.0, "nan": None, "pairs": [{"rate_difference": -25.0}]
    }  # fmt: skip
    assert tables.in_percent(("n", 2, tables.PValue(0.5), tables.Ranged(0.5, 0.25, 1.0, True)), (), "rate") == [
        "n", 2, 0.5, tables.Ranged(50.0, 25.0, 100.0, True)
    ]  # fmt: skip


def test_systems_by_name(tmp_path):
    assert tables.named_files(["a/x.txt", "b/y.txt"]) == {"x": "a/x.txt", "y": "b/y.txt"}
    assert tables.named_files(["a/x.txt", "b/x.txt", "mine=b/x.txt"]) == {
        "a/x.txt": "a/x.txt", "b/x.txt": "b/x.txt", "mine": "b/x.txt"
    }  # fmt: skip
    (tmp_path / "a=b").write_text("")
    assert tables.named_files([str(tmp_path / "a=b")]) == {"a=b": str(tmp_path / "a=b")}
    with pytest.raises(ValueError, match="--compare: found two systems with the name 'x', expected NAME=FILE"):
        tables.named_files(["x=1", "x=2"])
    with pytest.raises(ValueError, match="--against: found 'x', expected one of x, and another system"):
        tables.named_files(["x=1"], "x")


# ---- morpheval ----


@needs_lefff
def test_morpheval(printed, tmp_path):
    lines = printed(
        "morpheval", SENTS, INFO, HASTY, "--verdicts", str(tmp_path / "verdicts"), "--html", str(tmp_path / "page.html")
    )
    rows = {line.split()[0]: line.split()[1:] for line in lines[1:-1]}
    suite = load_suite(SENTS, INFO)
    translations = load_translations(HASTY, suite)
    result = metrics.morphology(translations, suite, details=True)
    score, low, high = (f"{result[name]:.3f}" for name in ("past", "past_low", "past_high"))
    assert rows["past"] == [score, f"({low}", "to", f"{high})", "3", "0"]
    name = "verb_consistency:tense"
    assert rows[name] == [f"{1 - result[name]:.3f}", "1", "0"]  # a group alone, which has no interval
    assert lines[0].split() == "accuracy; of C 1 - entropy harbour.hasty judged rejected".split()
    csv = printed("morpheval", SENTS, INFO, HASTY, "--csv")
    assert f"past,{result['past']},{result['past_low']},{result['past_high']},3,0" in csv
    means = {"score", "A", "B", "C", "rejected_rate"}
    assert {name for name in result if f"{name}_n" in result} | means == set(rows)
    assert rows["score"] == [f"{result['score']:.3f}"] and list(rows)[:5] == ["score", "A", "B", "C", "rejected_rate"]
    title, *groups = table(tmp_path / "verdicts")
    assert title == ["group", "test", "system", "verdict", "reason", "sources", "translations"]
    assert all(len(row) == len(title) for row in groups)
    found = "past", "harbour.hasty", result["verdicts"][0], result["reasons"][0]
    assert groups[0] == ["1", *found, " | ".join(suite[0]["sources"]), " | ".join(translations[0])]
    assert "<h2>past</h2>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@needs_lefff
def test_morpheval_writes_the_verdicts_of_every_system_and_test(printed, put, tmp_path):
    translations = ["Le bateau rouge.", "Le bateau et la barque rouges."] * 2
    files = (
        put("s", ["a red boat", "a red boat and barge"] * 2),
        put("i", ["g7 np"] * 2 + ["x coref:number"] * 2),
    )
    systems = put("a.fr", translations), put("b.fr", translations)
    printed("morpheval", *files, *systems, "--verdicts", str(tmp_path / "v"))
    _, *rows = table(tmp_path / "v")
    assert [row[:3] for row in rows] == [
        ["g7", "np:gender", "a"], ["g7", "np:number", "a"], ["g7", "np:gender", "b"],
        ["g7", "np:number", "b"], ["x", "coref:number", "a"], ["x", "coref:number", "b"],
    ]  # fmt: skip
    assert rows[0][3] in ("pass", "fail", "rejected") and rows[4][3].count(" | ") == 1


@needs_lefff
def test_morpheval_compares(printed):
    found = json.loads("\n".join(printed("morpheval", SENTS, INFO, CAREFUL, HASTY, "--mode", "limsi", "--json")))
    compared = found.pop("comparison")
    assert compared["past_a"] == found["past"] and "mode:limsi" in found["signature"] and "verdicts" not in found
    assert all(value is None or isinstance(value, (int, float, str)) for value in found.values())
    lines = printed("morpheval", SENTS, INFO, CAREFUL, HASTY)
    assert lines[0].split()[-6:] == "harbour.careful judged rejected harbour.hasty judged rejected".split()
    assert [len(line.split()) for line in lines if line.startswith("score ")] == [3, 11]  # of both, and the difference
    beside, tested = (line.split() for line in lines if line.startswith("subjunctive"))
    assert (beside[1], beside[6:8]) == ("1.000", ["0", "0.000"])
    assert tested == "subjunctive 1.000 (1.000 to 1.000) 0.5000 2 2 2 1.000 0.000".split()


@needs_lefff
def test_morpheval_on_a_page(printed, put, tmp_path):
    """What systems differ in comes first, the words marked that a verdict rests on; then all that has not passed."""
    files = [put("s", [SCRIPT, "He waited."] * 2), put("i", ["1 past"] * 2 + ["2 past"] * 2)]
    right, wrong = [f"Il attend. {SCRIPT}", "Il attendait."], ["Il attend.", "Il attend <b>."]
    path = tmp_path / "page"
    printed("morphology", *files, put("a", right * 2), put("b", right + wrong), "--html", str(path))
    head, _, themes = check_page(path, "<td><b>1.000 (").partition("<h2>What has not passed</h2>")
    assert "past, group 2" in head and "past, group 1" not in head and "<td>Il attend &lt;b&gt;.<tr>" in head
    assert "Il <mark>attendait</mark>." in head and "b: no verb has changed (1)" in themes
    printed("morphology", SENTS, INFO, CAREFUL, HASTY, "--percent", "--html", str(path))
    check_page(path, ">31.092: gender: ", "<td>68.91<td>")


def test_examples_after_much_text_are_folded():
    heading, *examples = examples_of("pair", {"a": [0.5] * 7}, lambda _name, _number: "word " * 500)
    assert "score least" in heading and ["<details open>" in each for each in examples] == [True] * 4 + [False] * 3


@needs_lefff
def test_morpheval_strict(printed, put):
    """In the scores and in the comparison."""
    files = [put("s", ["He waits.", "He waited."] * 2), put("i", ["1 past"] * 2 + ["2 past"] * 2)]
    right, odd = ["Il attend.", "Il attendait."], ["Il attend.", "Il xyzzyte."]
    systems = [put("a", right * 2), put("b", odd + right)]
    found = json.loads("\n".join(printed("morpheval", *files, *systems[::-1], "--strict", "--json")))
    assert (found["score"], found["past_n"], found["past_rejected"], found["rejected_rate"]) == (0.5, 2, 1, 0.5)
    assert (found["comparison"]["past_n"], found["comparison"]["past_difference"]) == (2, -0.5)
    assert "|strict:True|" in found["signature"]


@needs_lefff
def test_morpheval_frequencies(printed):
    lines = printed("morpheval", SENTS, INFO, CAREFUL, "--frequencies", SENTS)
    assert any(line.startswith("past_frequency_1_49 ") for line in lines)


def test_morpheval_hands_on_what_there_is():
    assert set(morpheval.JUDGING) == set(JudgeOptions.__dataclass_fields__)


@needs_lefff
def test_morpheval_imports_nothing_heavy():
    arguments = ["morpheval", SENTS, INFO, CAREFUL, HASTY]
    code = f"""
import sys
import huggingface_hub.constants
huggingface_hub.constants.HF_HUB_OFFLINE = True
from metrics.__main__ import main
assert main({arguments!r}) == 0
heavy = set(sys.modules) & {{"evaluate", "datasets", "torch", "transformers", "pandas", "scipy"}}
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


# ---- parapluie ----


def test_a_hint_to_let_the_model_think_is_an_option(put, capsys, tmp_path):
    model = Path(shutil.copytree(MODEL, tmp_path / "thinking"))
    with open(model / "chat_template.jinja", "a", encoding="utf-8") as template:
        template.write("<think>\n{% if false %}</think>{% endif %}")
    assert main(["parapluie", put("s", SOURCES), put("h", HYPOTHESES), "--model-id", str(model)]) == 2
    assert "a score means nothing; pass --think 1024 to let it think" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:.*the two answers together")
def test_parapluie(printed, put, tmp_path):
    files = put("sources", SOURCES), put("hypotheses", HYPOTHESES)
    options = ("--model-id", MODEL, "--resume", str(tmp_path / "kept"), "--classify", "--template", "direct")
    expected = metrics.paraphrases(HYPOTHESES, SOURCES, model_id=MODEL, template="direct", classify=True, details=True)
    *lines, signature = printed("parapluie", *files, *options, "--pairs", str(tmp_path / "pairs"))
    rows = dict(line.split() for line in lines)
    assert signature == expected["signature"]
    names = ["score", "parapluie", "paraphrase_rate", "answer_mass", "classified_rate"]
    assert list(rows) == names and rows["score"] == f"{expected['score']:.3f}"
    title, *pairs = table(tmp_path / "pairs")
    assert title == ["score", "answer_mass", "class", "source", "hypothesis"]
    assert [pair[3:] for pair in pairs] == [list(pair) for pair in zip(SOURCES, HYPOTHESES)]
    assert [float(pair[0]) for pair in pairs] == pytest.approx(expected["scores"], abs=1e-4)
    found = json.loads("\n".join(printed("parapluie", *files, *options, "--json")))
    assert list(found) == [*names, "signature"] and found["score"] == pytest.approx(expected["score"], abs=1e-4)


@pytest.mark.filterwarnings("ignore:.*the two answers together")
@needs_minilm
def test_parapluie_says_that_the_small_judge_is_asked_where_none_is_named(capsys, printed, put):
    files = put("sources", SOURCES), put("hypotheses", HYPOTHESES)
    first, *rest = printed("parapluie", *files)
    assert first == "judge: small, for English; --model-id takes a chat model"
    assert rest == printed("parapluie", *files, "--model-id", "small")
    capsys.readouterr()
    assert main(["parapluie", *files, "--json"]) == 0
    said = capsys.readouterr()
    assert first in said.err and json.loads(said.out)["score"] == pytest.approx(float(rest[0].split()[1]), abs=1e-3)


def test_parapluie_compares(printed, put, tmp_path):
    """The systems' scores, each two of them, and every pair's scores under each one's name."""
    texts = {"one": HYPOTHESES, "two": SOURCES, "three": ["=1+1", "It does not rain."]}
    sources, *files = (put(name, lines) for name, lines in ({"sources": SOURCES} | texts).items())
    options = {"model_id": MODEL, "template": "direct"}
    expected = metrics.compare_many("parapluie", texts, SOURCES, **options)
    command = ["parapluie", sources, files[0], "--compare", *files[1:], "--model-id", MODEL, "--template", "direct"]
    found = json.loads("\n".join(printed(*command, "--json", "--pairs", str(tmp_path / "pairs"))))
    assert list(found["comparison"]["systems"]) == list(texts)
    for one, other in zip(found["comparison"]["pairs"], expected["pairs"], strict=True):
        assert one == pytest.approx(other, abs=1e-4)
    title, *rows = table(tmp_path / "pairs")
    names = [f"{name}: {what}" for name in texts for what in ("score", "answer_mass")]
    assert title == [*names, "source", *(f"{name}: hypothesis" for name in texts)]
    assert rows[0][-1] == "'=1+1" and float(rows[0][0]) == pytest.approx(found["score"] * 2 - float(rows[1][0]))
    two = json.loads("\n".join(printed(*command[:5], *command[6:], "--json")))["comparison"]
    assert two == pytest.approx(metrics.compare("parapluie", HYPOTHESES, SOURCES, SOURCES, **options), abs=1e-4)
    lines = printed(*command, "--against", "two")
    assert [line.split()[1:4] for line in lines if line.startswith("parapluie ")][1:] == [
        ["two", "-", "one"], ["two", "-", "three"]
    ]  # fmt: skip
    rows = [line.split() for line in printed(*command[:3], *command[6:], "--confidence", "0.9")]
    result = metrics.paraphrases(HYPOTHESES, SOURCES, **options, confidence=0.9)
    ends = [f"{result[key]:.3f}" for key in ("parapluie", "parapluie_low", "parapluie_high")]
    assert rows[1] == ["parapluie", ends[0], f"({ends[1]}", "to", f"{ends[2]})"]


@pytest.mark.filterwarnings("ignore:.*the two answers together")
def test_parapluie_s_score_is_not_in_percent(printed, put, tmp_path):
    options = [put("s", SOURCES), put("h", HYPOTHESES), "--model-id", MODEL, "--confidence", "0.9"]
    expected = metrics.paraphrases(HYPOTHESES, SOURCES, model_id=MODEL, confidence=0.9)
    found = json.loads("\n".join(printed("parapluie", *options, "--json", "--percent")))
    assert found["score_low"] == pytest.approx(expected["score_low"])
    assert found["answer_mass_high"] == pytest.approx(100 * expected["answer_mass_high"])
    assert printed("parapluie", *options, "--percent", "--quiet", "-o", str(tmp_path / "table")) == []
    head, *rows = (tmp_path / "table").read_text().splitlines()
    assert head.split() == "percent (not score, parapluie) score".split() and len(rows) == 5
    assert rows[0].split()[1] == f"{expected['score']:.2f}"
    assert rows[3].split()[1] == f"{100 * expected['answer_mass']:.2f}"


SCRIPT = "<script>alert(1)</script>"


def check_page(path, *texts):
    """A page in one file, whose texts are only texts."""
    page = path.read_text(encoding="utf-8")
    assert page.count("<script") == page.count("</script>") == 1 and SCRIPT not in page
    assert not re.search(r"(src|href)=", page) and [text for text in texts if text not in page] == []
    return page


def balanced(lines):
    """The lines of LaTeX, whose environments and braces are closed in their order."""
    opened = []
    for kind, name in re.findall(r"\\(begin|end){(\w+)}", "\n".join(lines)):
        opened.append(name) if kind == "begin" else opened.remove(opened[-1] if opened[-1] == name else None)
    bare = re.sub(r"\\[{}]", "", "\n".join(lines))
    assert not opened and bare.count("{") == bare.count("}") and "\n\n" in bare
    return lines


def test_parapluie_on_a_page_and_in_latex(printed, put, tmp_path):
    """Three systems; the pairs in which they differ most come first, the words marked that differ."""
    sources = put("sources", [f"The ferry {SCRIPT}.", "It rains."])
    systems = {"a&b": ["A ferry &.", "It snows."], "same": [f"The ferry {SCRIPT}.", "It rains."], SCRIPT: ["x", "It"]}
    paths = [f"{name}={put(str(i), texts)}" for i, (name, texts) in enumerate(systems.items())]
    options = ["--model-id", MODEL, "--template", "direct", "--html", str(tmp_path / "page")]
    lines = balanced(printed("parapluie", sources, paths[0], "--compare", *paths[1:], *options, "--latex"))
    [score] = [line for line in lines if line.startswith("ParaPLUIE & ") and " - " not in line]
    caption = r"in brackets 95\,\% intervals; the best in bold; settings: dtype:auto, think:0, "
    assert caption in lines[2] and r"\textless{}script\textgreater{}" in lines[4 + 1]
    scores = re.findall(r"([\d.$-]+) \[", score)
    page = check_page(
        tmp_path / "page", "<h2>Differences</h2>", "<h3>&lt;script&gt;alert(1)&lt;/script&gt; ",
        "<i>source</i><mark>The</mark> ferry &lt;<mark>script</mark>&gt;<mark>alert</mark>(<mark>1</mark>)",
        "<mark>snows</mark>",
    )  # fmt: skip
    shown = re.findall("<td>parapluie<td>(.*?) \\(.*?<td>(.*?) \\(.*?<td>(.*?) \\(", page)[0]
    assert [re.sub("<b>", "", each) for each in shown] == [each.replace("$", "") for each in scores]
    notes = re.findall("</h2> (.*?)</summary>", page)
    spread = [max(each) - min(each) for each in (list(map(float, re.findall(r"-?\d+\.\d+", n))) for n in notes)]
    assert len(spread) == 2 and spread == sorted(spread, reverse=True)
    printed("parapluie", sources, paths[0], *options)
    assert "<h2>The pairs that score least</h2>" in check_page(tmp_path / "page", "<td>parapluie<td>")


def test_parapluie_says_that_messages_are_no_json(capsys, put, tmp_path):
    broken = tmp_path / "messages.json"
    broken.write_text("[oops")
    assert main(["parapluie", put("sources", SOURCES), put("h", HYPOTHESES), "--template", str(broken)]) == 2
    assert f"--template: found no JSON in '{broken}' (" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:.*answers together")
def test_parapluie_takes_grades_and_says_the_deciles_of_the_masses(capsys, put, tmp_path):
    messages = [{"role": "user", "content": "{source} = {hypothesis}?"}]
    own = put("own.json", json.dumps(messages, indent=1).splitlines())
    files = put("sources", SOURCES), put("hypotheses", HYPOTHESES)
    options = ["--model-id", MODEL, "--template", own, "--grades", '{"a": 1, "b": 2, "c": 4}']
    assert main(["parapluie", *files, *options, "--json", "--pairs", str(tmp_path / "pairs")]) == 0
    printed, said = capsys.readouterr()
    expected = metrics.paraphrases(
        HYPOTHESES, SOURCES, model_id=MODEL, template=messages, details=True,
        grades={"a": 1, "b": 2, "c": 4},
    )  # fmt: skip
    assert json.loads(printed)["score"] == pytest.approx(expected["score"], abs=1e-4)
    deciles = said.split("hypotheses: answer mass by decile, from the least: ")[1].splitlines()[0].split()
    assert len(deciles) == 11 and deciles[0] == f"{min(expected['answer_masses']):.3f}"
    assert table(tmp_path / "pairs")[0] == ["grade", "score", "answer_mass", "source", "hypothesis"]
    numbers = [*options[:-1], "1, 2,3", "--json"]
    assert main(["parapluie", *files, *numbers]) == 0
    assert "|grades:1,2,3|" in json.loads(capsys.readouterr().out)["signature"]
    assert main(["parapluie", *files, *options, "--minimum-mass", "1"]) == 2
    assert "--minimum-mass: found that for 2 of 2 pairs the answers together" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["parapluie", *files, "--request", "{"])
    assert "argument --request: found '{' (" in capsys.readouterr().err


# ---- melasss ----


def test_melasss(printed, put, tmp_path):
    files = put("texts", [TEXT, TEXT]), put("summaries", SUMMARIES)
    expected = metrics.summaries(SUMMARIES, [TEXT, TEXT], details=True)
    *lines, signature = printed("melasss", *files, "--examples", str(tmp_path / "examples"))
    assert signature == expected["signature"]
    assert dict(line.split() for line in lines) == dict.fromkeys(("score", "melasss"), f"{expected['score']:.3f}")
    title, *rows = table(tmp_path / "examples")
    assert title == ["score", "uncovered", "unsupported", "summary"]
    assert [row[2:] for row in rows] == [["0", SUMMARIES[0]], ["1", SUMMARIES[1]]]
    assert [float(row[0]) for row in rows] == pytest.approx(expected["scores"], abs=1e-4)


def test_melasss_on_a_page(printed, put, tmp_path):
    """Its text folded, each sentence with the nearest of the text, what is in doubt marked."""
    texts = put("texts", [f"{TEXT} {SCRIPT}", TEXT])
    files = texts, put("a", SUMMARIES), put("b", [f"The harbour opened again in 1999. {SCRIPT}", SUMMARIES[1]])
    path = tmp_path / "page"
    printed("summaries", *files[:2], "--compare", files[2], "--html", str(path))
    page = check_page(
        path, "<i>3</i>Nobody was hurt.", "in <mark>1999</mark>", '<small class="doubt">number not in the text</small>',
        "<h2>text 1</h2>", "</u> three weeks the harbour opened again on Monday.",
    )  # fmt: skip
    assert page.count("<article") == 1  # both have the second summary
    printed("summaries", *files[:2], "--similarity", "rouge", "--html", str(path))
    assert check_page(path, "<h2>The texts that score least</h2>").count("<article") == 2
    lines = printed("summaries", *files[:2], "--html", str(path), "--percent")
    scores = metrics.summaries(SUMMARIES, [f"{TEXT} {SCRIPT}", TEXT], details=True)["scores"]
    check_page(path, *(f"<h3>a {100 * score:.2f}</h3>" for score in scores))  # in the unit of the table
    assert "to" in lines[1] and "intervals are printed, too" in " ".join(melasss.parser().format_help().split())


@pytest.mark.parametrize("aspect", ASPECTS)
def test_melasss_estimates_an_aspect(printed, put, aspect):
    files = put("texts", [TEXT, TEXT]), put("summaries", SUMMARIES)
    found = json.loads("\n".join(printed("melasss", *files, "--aspect", aspect, "--json")))
    expected = metrics.summaries(SUMMARIES, [TEXT, TEXT], aspect=aspect, details=True)
    assert found["score"] == pytest.approx(expected["score"])
    assert found["signature"] == expected["signature"] and f"head:{aspect}@" in found["signature"]


def test_melasss_help_names_every_aspect():
    words = " ".join(melasss.parser().format_help().split())
    assert f"--aspect NAME what regression estimates: {' (default), '.join(ASPECTS)}" in words


def test_melasss_compares(printed, put, tmp_path):
    texts = [TEXT] * 2
    files = put("texts", texts), put("a", SUMMARIES), put("b", SUMMARIES[::-1])
    found = json.loads("\n".join(printed("melasss", *files[:2], "--compare", files[2], "--json")))
    expected = metrics.compare("melasss", SUMMARIES, SUMMARIES[::-1], texts)
    assert found["comparison"] == pytest.approx(expected) and found["score"] == expected["score_a"]
    lines = printed("melasss", *files[:2], "--compare", files[2], "--csv", "--examples", str(tmp_path / "examples"))
    rows = list(csv.reader(lines))
    assert rows[0] == ["", "a", "a low", "a high", "b", "b low", "b high"] and rows[1][0] == "melasss"
    assert table(tmp_path / "examples")[0][::3] == ["a: score", "b: score", "a: summary"]


def test_melasss_takes_json_lines(printed, put):
    texts = put("texts.jsonl", [json.dumps(TEXT.replace(". ", ".\n"))] * 2)
    sentences = put("summaries.jsonl", [json.dumps([summary]) for summary in SUMMARIES])
    found = json.loads("\n".join(printed("melasss", texts, sentences, "--json")))
    expected = metrics.summaries([[summary] for summary in SUMMARIES], [TEXT.replace(". ", ".\n")] * 2, details=True)
    assert list(found) == ["score", "melasss", "signature"] and found["score"] == pytest.approx(expected["score"])
