"""The shell command: what it prints, its exit status, and what it does not import."""

import csv
import json
import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from metrics.__main__ import main
from metrics.muc_b3_ceaf_entropy.common import VERSION

from ..conftest import ROOT
from .test_files import AROUND
from .test_readers import conllu

EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
KEY, RESPONSE, OTHER = (str(EXAMPLES / f"harbour.{side}.conll") for side in ("key", "response", "other"))


def printed(capsys, *arguments):
    assert main(["coref", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_counts_stand_beside_percentages(capsys, metric):
    lines = printed(capsys, KEY, RESPONSE)
    assert lines[0].split() == "percent recall (found / possible) precision (found / possible) F1".split()
    assert lines[1].split() == "muc 46.15 (6 / 13) 60.00 (6 / 10) 52.17".split()
    assert any(line.split() == ["conll_f1", "56.30"] for line in lines)
    assert lines[-2].startswith("2 documents, 19 key mentions, 17 response mentions, 16 common mentions, ")
    assert lines[-1].startswith("muc_b3_ceaf_entropy|version:")


def test_options_are_handed_on(capsys, metric):
    lines = printed(capsys, KEY, RESPONSE, "--no-singletons", "--measures", "conll_f1", "--average", "macro")
    expected = metric.score_files(KEY, RESPONSE, keep_singletons=False, measures=["conll_f1"], average="macro")
    assert lines[0].split() == ["percent", "F1"]
    assert lines[1].split() == ["conll_f1", f"{100 * expected['conll_f1']:.2f}"]
    assert printed(capsys, KEY, RESPONSE, "--measures", "b3", "--confidence", "0.9")[1].split()[-2] == "to"


def test_json(capsys, metric):
    found = json.loads("\n".join(printed(capsys, KEY, RESPONSE, "--json", "--compare", OTHER)))
    expected = metric.score_files(KEY, RESPONSE)
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert found["totals"]["documents"] == 2 and found["signature"].startswith("muc_b3_ceaf_entropy|version:")
    assert found["comparison"]["muc_f1_a"] == pytest.approx(expected["muc_f1"])


def test_percent(capsys, metric):
    """Of everything that is a fraction, in CSV and JSON, too."""
    options = (KEY, RESPONSE, "--measures", "conll_f1", "b3", "--confidence", "0.9")
    scores = metric.score_files(KEY, RESPONSE, measures=["conll_f1", "b3"], confidence=0.9)
    found = json.loads("\n".join(printed(capsys, *options, "--json", "--percent")))
    assert found["unit"] == "percent" and found["totals"]["documents"] == 2
    expected = {name: 100 * value for name, value in scores.items()}
    assert {name: found[name] for name in scores} == pytest.approx(expected)
    for more, factor, unit in (([], 1, ""), (["--percent"], 100, "percent")):
        rows = list(csv.reader(printed(capsys, *options, "--csv", *more)))
        assert rows[0] == [unit, "score", "score low", "score high"]
        expected = [factor * scores[f"conll_f1{end}"] for end in ("", "_low", "_high")]
        assert [float(cell) for cell in rows[-1][1:]] == pytest.approx(expected)
    assert printed(capsys, *options, "--percent") == printed(capsys, *options)


def test_what_is_undefined_is_null_in_json(capsys, write):
    path = write('{"doc_key": "d", "clusters": [[[0, 0]]], "sentences": [["a"]]}\n')
    assert json.loads("\n".join(printed(capsys, path, path, "--json")))["kappa"] is None
    assert ["kappa", "undefined"] in [line.split() for line in printed(capsys, path, path)]


def test_comparison(capsys, metric):
    lines = printed(capsys, KEY, RESPONSE, "--compare", OTHER, "--measures", "conll_f1")
    rows = [line.split() for line in lines]
    beside = rows.index(["percent", "harbour.response", "harbour.other"]) + 1
    assert [rows[beside][i] for i in (0, 1, 5)] == ["conll_f1", "56.30", "77.28"]
    tested = rows.index(["percent", "harbour.response", "-", "harbour.other", "p"]) + 1
    pair = metric.read_pair(KEY, RESPONSE), metric.read_pair(KEY, OTHER)
    found = metric.compare(*(each["predictions"] for each in pair), pair[0]["references"], measures=["conll_f1"])
    ends = [f"{100 * found[f'conll_f1_difference{end}']:.2f}" for end in ("", "_low", "_high")]
    cells = f"conll_f1 {ends[0]} ({ends[1]} to {ends[2]}) {found['conll_f1_p_value']:.4f}"
    assert rows[tested] == cells.split()
    assert lines[tested + 2] == "conll_f1 differs in 2 of 2 documents, most in:"
    differences = [abs(float(row[-1])) for row in rows[tested + 3 : -1]]
    assert len(differences) == 2 and differences == sorted(differences, reverse=True)
    same = printed(capsys, KEY, RESPONSE, "--compare", f"again={RESPONSE}", "--measures", "b3", "--confidence", "0.9")
    assert same[-2] == "b3_f1 differs in 0 of 2 documents"
    assert same[-4].split() == "b3_f1 0.00 (0.00 to 0.00) 1.0000".split()


def test_three_systems(capsys, metric):
    systems = {"one": RESPONSE, "two": OTHER, "key": KEY}
    files = [f"{name}={path}" for name, path in systems.items()]
    found = json.loads("\n".join(printed(capsys, KEY, files[0], "--compare", *files[1:], "--json")))["comparison"]
    pairs = {name: metric.read_pair(KEY, path) for name, path in systems.items()}
    examples = {name: pair["predictions"] for name, pair in pairs.items()}
    expected = metric.compare_many(examples, pairs["one"]["references"])
    assert found["systems"]["two"]["b3_f1"] == expected["systems"]["two"]["b3_f1"]
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [("one", "two"), ("one", "key"), ("two", "key")]
    assert found["pairs"][1]["muc_f1_p_holm"] == expected["pairs"][1]["muc_f1_p_holm"] == 1.0
    options = ("--measures", "b3", "--against", "two", "--csv")
    lines = printed(capsys, KEY, files[0], "--compare", *files[1:], *options)
    rows = list(csv.reader(lines))
    assert rows[0] == ["", *(f"{name}{end}" for name in systems for end in ("", " low", " high"))]
    assert float(rows[1][1]) == expected["systems"]["one"]["b3_f1"] and rows[1][7:] == ["1.0"] * 3
    assert [row[1] for row in rows[4:]] == ["two - one", "two - key"]
    assert main(["coref", KEY, files[0], "--compare", *files[1:], "--against", "x"]) == 2
    assert "--against: found 'x', expected one of one, two, key" in capsys.readouterr().err


def test_latex(capsys):
    lines = printed(capsys, KEY, RESPONSE, "--measures", "conll_f1", "d_error", "exclusive_core", "kappa", "--latex")
    assert lines[:2] == [r"\begin{table}", r"\centering"] and lines.pop() == r"\end{table}"
    caption = rf"\caption{{Coreference, version {VERSION}; settings: mentions:raw, zero\_division:0.0, "
    assert lines[2].startswith(caption) and lines[2].endswith("words:exact.}")
    lines = lines[3:]
    head = r"percent & recall (found / possible) & precision (found / possible) & F$_1$ \\"
    rows = [line for line in lines if line.startswith(("exclusive", r"$\kappa"))]
    assert lines[:4] == [r"\begin{tabular}{lrrr}", r"\toprule", head, r"\midrule"] and lines[-1] == r"\end{tabular}"
    assert rows == [r"exclusive core & 60.00 (12 / 20) & 80.00 (16 / 20) & 68.57 \\", r"$\kappa$ &  &  & $-$28.57 \\"]
    beside = printed(capsys, KEY, RESPONSE, "--compare", OTHER, "--measures", "conll_f1", "d_error", "--markdown")
    assert beside[2].startswith("| conll\\_f1 | 56.30 (") and "| **77.28 (" in beside[2] and "**" not in beside[3]
    several = printed(capsys, KEY, KEY, RESPONSE, OTHER, "--measures", "b3", "--csv")
    assert [row[0] for row in csv.reader(several)] == ["", KEY, KEY, "mean"]


def test_explain(capsys):
    lines = printed(capsys, KEY, RESPONSE, "--explain", "52.35", "--measures", "conll_f1")
    assert lines == ["52.35 is:", "  conll_f1 = 0.523490: the mean over documents (average='macro')"]
    found = json.loads("\n".join(printed(capsys, KEY, RESPONSE, "--explain", "0.563", "--json")))
    assert found["found"] and found["explanations"][0]["score"] == "conll_f1"


def test_explain_reads_as_the_score_was_read(capsys, write):
    key = "#begin document (d); part 000\nd 0 0 The -\nd 0 1 cat (1)\nd 0 2 sees -\nd 0 3 her (1)\n\n#end document\n"
    files = write(key, "key.conll"), write(key.replace("The", "the"), "response.conll")
    lines = printed(capsys, *files, "--explain", "100", "--words", "aligned", "--measures", "muc")
    assert lines[0] == "100 is:" and "muc_f1 = 1.000000" in lines[1]


def test_several_data_sets(capsys, metric):
    lines = printed(capsys, KEY, KEY, RESPONSE, OTHER, "--measures", "conll_f1", "b3")
    each = [metric.score_files(KEY, response)["conll_f1"] for response in (RESPONSE, OTHER)]
    assert lines[0].split() == ["percent", "b3_f1", "conll_f1"]
    expected = [f"{100 * value:.2f}" for value in (*each, sum(each) / 2)]
    assert [line.split()[-1] for line in lines[1:4]] == expected and lines[3].startswith("mean")


def test_folders(capsys, tmp_path):
    for name, path in (("key", KEY), ("response", RESPONSE)):
        (tmp_path / name).mkdir()
        shutil.copy(path, tmp_path / name / "a.conll")
    arguments = str(tmp_path / "key"), str(tmp_path / "response"), "--measures", "conll_f1"
    assert printed(capsys, *arguments) == printed(capsys, KEY, RESPONSE, "--measures", "conll_f1")


def test_agreement(capsys, metric):
    lines = printed(capsys, "--agreement", KEY, RESPONSE, OTHER, "--measures", "conll_f1", "kappa")
    names = ["harbour.key.conll", "harbour.response.conll", "harbour.other.conll"]
    found = metric.agreement(dict(zip(names, (KEY, RESPONSE, OTHER))), measures=["conll_f1", "kappa"])
    pairs = [f"{one}, {other}".removesuffix(".conll") for one, other in combinations(names, 2)]
    assert [line.partition(".conll ")[0] for line in lines[1:4]] == pairs
    assert lines[4].split() == ["mean", *(f"{100 * found['mean'][key]:.2f}" for key in ("conll_f1", "kappa"))]


def test_a_field_is_handed_on(capsys, write):
    path = write('{"clusters": [[[0, 0], [1, 1]]], "x": [[[0, 0]], [[1, 1]]], "tokens": ["a", "b"]}\n')
    for fields, muc in (((), "100.00"), (("--field", "x"), "0.00"), (("--field", "x", "--key-field", "x"), "0.00")):
        assert printed(capsys, path, path, "--measures", "muc", *fields)[1].split()[-1] == muc


def test_doors_are_handed_on(capsys, write):
    key = "#begin document (a); part 000\nx\t0\t0\tAnn\t(0)\nx\t0\t1\tran\t-\nx\t0\t2\t.\t-\n#end document\n"
    files = write(key, "key"), write("#begin document b\n[ANN]#1 ran.\n#end document\n", "response")
    assert main(["coref", *files]) == 2
    assert "--documents order takes the documents" in capsys.readouterr().err
    assert main(["coref", *files, "--documents", "order"]) == 2
    assert "--words aligned aligns words" in capsys.readouterr().err
    lines = printed(capsys, *files, "--documents", "order", "--words", "aligned", "--duplicates", "conll")
    assert "1 common mention," in lines[-2]


def test_a_page_of_three_systems(capsys, tmp_path):
    """Their scores, and the documents in which they differ most with the entities of each."""
    path = tmp_path / "page.html"
    lines = printed(capsys, KEY, f"<i>={RESPONSE}", "--compare", OTHER, f"same={KEY}", "--html", str(path))
    page = path.read_text(encoding="utf-8")
    [row] = [line.split() for line in lines if line.startswith("conll_f1 ") and line.count("(") == 3]
    assert f"<td>conll_f1<td>{' '.join(row[1:5])}<td>" in page and f"<td><b>{row[9]} (" in page
    spread = [float(a) - float(b) for b, a in re.findall(r"&lt;i&gt; ([\d.]+) · .* · same ([\d.]+)<", page)]
    assert len(spread) == 2 and spread == sorted(spread, reverse=True)
    assert page.count("<h3>&lt;i&gt; ") == page.count("<h3>same 100.00</h3>") == 2 and "<i>=" not in page
    assert "merged: is 2</b></sub>]" in page and "Bold: the best; *: differs from the best" in page


def test_systems_of_one_file_name_have_their_paths_on_the_page(capsys, tmp_path):
    paths = [tmp_path / name / "system.conll" for name in ("one", "two")]
    for path, file in zip(paths, (RESPONSE, OTHER)):
        path.parent.mkdir()
        path.write_bytes(Path(file).read_bytes())
    printed(capsys, KEY, str(paths[0]), "--html", str(tmp_path / "page.html"), "--compare", str(paths[1]))
    assert f"<h1>Coreference: {paths[0]}, {paths[1]}</h1>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_one_document_is_warned_of_once(capsys, tmp_path):
    text = Path(KEY).read_text(encoding="utf-8")
    paths = [tmp_path / name for name in ("key.conll", "one.conll", "two.conll")]
    for path in paths:
        path.write_text(text[: text.index("#end document")] + "#end document\n", encoding="utf-8")
    assert main(["coref", str(paths[0]), str(paths[1]), "--compare", str(paths[2])]) == 0
    assert capsys.readouterr().err.count("warning: found one example alone") == 1


def test_comparison_counts_as_the_scores_do(capsys):
    """With the options of the scores, all of them."""
    found = json.loads("\n".join(printed(capsys, KEY, RESPONSE, "--json", "--compare", OTHER, "--no-singletons")))
    assert all(found["comparison"][f"{name}_a"] == found[name] for name in ("b3_f1", "ceafe_f1", "entropy_f1"))


def test_comparison_of_two_that_found_other_zeros(capsys, write):
    """Beside one response the key has an empty node amid a mention, beside the other it has not."""
    begin, inside = ("1", "a", "Entity=(e1-x-1-"), ("1.1", "_", "Entity=(e3-x-1-)", "1:nsubj")
    end = ("2", "b", "Entity=e1)(e3-x-1-)"), ("3", "c", "Entity=(e1-x-1-)")
    paths = write(conllu(begin, *end) + AROUND, "key"), write(conllu(begin, inside, *end) + AROUND, "zero")
    lines = printed(capsys, paths[0], paths[0], "--compare", paths[1], "--preset", "crac", "--measures", "muc")
    assert any(line.split()[1::4][:2] == ["100.00", "80.00"] for line in lines if line.startswith("muc_f1"))


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([KEY, "none.conll"], "cannot read 'none.conll': no such file"),
        ([KEY, RESPONSE, "--html", KEY], "--html: found '"),
        ([KEY, RESPONSE, "--preset", "crac", "--match", "exact"], "--match: found 'exact' beside"),
        ([KEY, RESPONSE, "--match", "x"], "--match: found 'x', expected one of exact, partial, head"),
        ([KEY, RESPONSE, "--measures", "x"], "--measures: found 'x', expected one of muc"),
        ([KEY, RESPONSE, KEY], "found 3 files, expected as many responses as keys"),
        ([KEY, RESPONSE, KEY, OTHER, "--html", "page"], "several files: found --html as well, expected"),
        ([KEY, RESPONSE, "--explain", "x"], "--explain: found 'x', expected a number"),
        ([KEY, RESPONSE, "--explain", "1", "--measures", "b3", "muc"], "--measures: found b3, muc, expected a single"),
        ([KEY, RESPONSE, "--agreement", "--measures", "blanc"], "--measures: found 'blanc', which depends on who"),
        ([KEY, RESPONSE, "--html", "/none/page"], "--html: found '/none/page', which cannot be written, expected"),
    ],
)
def test_wrong_input_is_one_line(capsys, arguments, message):
    assert main(["coref", *arguments]) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"meaning-metrics coref: error: {message}")
    assert output.err.count("\n") == 1 and not output.out


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([KEY], "the following arguments are required: RESPONSE; see "),
        ([KEY, RESPONSE, "--n", "x"], "unrecognized arguments"),
    ],
)
def test_wrong_usage_is_one_line(capsys, arguments, message):
    with pytest.raises(SystemExit) as exit:
        main(["coref", *arguments])
    assert exit.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"meaning-metrics coref: error: {message}") and error.count("\n") == 1


def test_standard_input_and_pipes():
    """They can be read once, and are read more than once."""
    python, measures = f"{sys.executable} -m metrics coref", "--measures b3"
    commands = (
        f"cat {RESPONSE} | {python} {KEY} /dev/stdin {measures}",
        f"{python} --agreement {KEY} - {measures} < {RESPONSE}",
    )
    for command in commands:
        done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
        assert done.stderr == "" and "57.90" in done.stdout, command


def test_options_are_named_as_they_are_typed(capsys):
    assert main(["coref", KEY, RESPONSE, "--match", "head"]) == 2
    message = "error: --match: found 'head', but mentions without heads .* \"partial\"\\), or --match exact"
    assert re.search(message, capsys.readouterr().err)


def test_a_reader_may_stop():
    command = f"{sys.executable} -m metrics coref {KEY} {RESPONSE} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


LIGHT = f"""
import sys, time
from metrics.__main__ import main
main(["coref", {KEY!r}, {RESPONSE!r}, "--compare", {OTHER!r}, "--html", sys.argv[1]])
heavy = set(sys.modules) & {{"evaluate", "datasets", "torch", "transformers", "pandas", "pyarrow", "scipy.stats"}}
assert not heavy, heavy
"""


def test_nothing_heavy_is_imported(tmp_path):
    subprocess.run([sys.executable, "-c", LIGHT, str(tmp_path / "page")], check=True, cwd=ROOT, capture_output=True)


def test_every_module_can_be_imported_without_evaluate():
    """But for the main script."""
    folder = ROOT / "metrics" / "muc_b3_ceaf_entropy"
    names = [p.stem for p in folder.glob("*.py") if p.stem != folder.name]
    code = f"""
import importlib, sys
sys.modules["evaluate"] = None
for name in {names!r}:
    importlib.import_module("metrics.muc_b3_ceaf_entropy." + name)
    assert "datasets" not in sys.modules and "torch" not in sys.modules, name
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
