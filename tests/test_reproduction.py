"""The papers' tables beside computed ones: comparing figures, and each script on some data."""

import importlib
import json
import sys
from types import SimpleNamespace

import pytest

from .conftest import ROOT

SHARED = ROOT.parent / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the papers' tables and data (../shared) are not here")


@pytest.fixture
def script(monkeypatch):
    """A module of benchmarks/papers, freshly imported, so that a test may change it."""
    monkeypatch.syspath_prepend(str(ROOT))
    yield lambda name: importlib.import_module(f"benchmarks.papers.{name}")
    for name in [name for name in sys.modules if name.startswith("benchmarks.")]:
        del sys.modules[name]


@pytest.fixture
def page(script, capsys, monkeypatch):
    """What a script prints with these arguments: {title of a table: {row: cells}}, and the page itself."""

    def page(name, *arguments):
        module = script(name)
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        module.main(list(arguments))
        text = capsys.readouterr().out
        tables = {}
        for section in text.split("\n## ")[1:]:
            title, *lines = section.splitlines()
            cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
            tables[title] = {row[0]: row[1:] for row in cells[2:]}
        return tables, text

    return page


@pytest.mark.parametrize(
    "printed, computed, digits, expected",
    [
        (0.69, 0.6913, 2, "reproduced"),
        (0.69, 0.695, 2, "reproduced"),  # half a unit rounds either way
        (0.69, 0.685, 2, "reproduced"),
        (0.69, 0.6951, 2, "differs by +0.01"),
        (0.66, 0.336, 2, "differs by -0.32"),
        (-4.89, -4.8949, 2, "reproduced"),
        (-4.89, -4.9, 2, "differs by -0.01"),
        (77, 100 * 13 / 17, 0, "differs by -1"),
        (76, 100 * 13 / 17, 0, "reproduced"),
        (0.0, 0.0, 2, "reproduced"),
        (45.7, 45.649, 1, "differs by -0.1"),
    ],
)
def test_comparing_with_a_rounded_figure(script, printed, computed, digits, expected):
    shared = script("paper_tables")
    assert shared.verdict(shared.Cell(printed, computed, digits)) == expected


def test_missing_and_other_models(script):
    shared = script("paper_tables")
    missing = shared.Cell(20.02, other="a small one", needs="Mistral")
    other = shared.Cell(0.82, 0.82, other="MiniLM")
    assert shared.cell_text(missing) == "20.02 needs Mistral"
    assert shared.cell_text(other) == "0.82 / 0.82 other model (MiniLM)"
    assert [shared.kind(cell) for cell in (missing, other)] == ["needs", "other model"]


def test_page_counts_its_cells_and_says_how_to_fill_them(script):
    shared = script("paper_tables")
    cells = [shared.Cell(1, 1.001), shared.Cell(1, 2), shared.Cell(1, needs="A"), None, shared.Cell(1, 1, other="B")]
    table = shared.Table("T", list("abcde"), {"row": cells}, "A remark.")
    lines = list(shared.page_lines(["# Top"], [table], {"A": "run --a"}))
    assert lines[0] == "# Top" and "A remark." in lines
    assert "| row | 1.00 / 1.00 reproduced | 1.00 / 2.00 differs by +1.00 | 1.00 needs A |  | " in "\n".join(lines)
    assert "| all | 1 | 1 | 1 | 1 |" in lines and "| A | `run --a` |" in lines and "| B | none |" in lines


def test_saved_page(script, tmp_path, monkeypatch):
    shared = script("paper_tables")
    report = sys.modules["benchmarks.report"]
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    table = shared.Table("T", ["a"], {"row": [shared.Cell(1, 1)]})
    shared.print_tables("Title", ("numpy",), "a setting.", "python script.py --save", [table], {}, "page")
    lines = (tmp_path / "results" / "page.md").read_text().splitlines()
    assert lines[0] == "# Title" and lines[2].startswith("`python script.py --save`, 2") and "numpy " in lines[2]


def test_coreference(page):
    tables, _ = page("reproduce_muc_b3_ceaf_entropy", "--pairs", "60")
    examples = {**tables["Table 2: recall and precision on the examples"]}
    for name in ("2a", "2b"):
        assert all(cell.endswith("reproduced") for cell in examples[name])
    assert [cell for cell in examples["1"] if not cell.endswith("reproduced")] == ["77 / 76 differs by -1"]
    assert examples["3c"][:3] == ["96 / 96 reproduced", "97 / 97 reproduced", "65 needs the MUC-6 sample text"]
    held = tables["Propositions on random responses"]
    assert len(held) == 13 and set(map(tuple, held.values())) == {("60 / 60 reproduced",)}


def test_coreference_of_a_text(page, tmp_path):
    """An annotated text is read and scored: here the paper's example in place of VA."""
    script_tables = {"KEY": "(1)|(1|1)|(2)", "RESPONSE": "(1)|(1|1)|(1)"}
    for name, column in script_tables.items():
        rows = [f"text 0 {i} word x {label}" for i, label in enumerate(column.split("|"))]
        (tmp_path / name).write_text("\n".join(["#begin document (text); part 000", *rows, "", "#end document", ""]))
    text = ["VA", *(str(tmp_path / name) for name in script_tables)]
    tables, _ = page("reproduce_muc_b3_ceaf_entropy", "--pairs", "50", "--text", *text)
    row = tables["Table 5: recall and precision on real texts"]["VA"]
    assert row[0] == "70 / 100 differs by +30" and row[1] == "78 / 50 differs by -28"


def test_morpheval(page, tmp_path, load_metric):
    tables, _ = page("reproduce_morpheval")
    for title, rows in tables.items():
        if "printed counts" in title:
            assert all(cell == "" or cell.endswith("reproduced") for row in rows.values() for cell in row), title
    halves = tables["Table 7: half-widths of the 95 % interval by number of groups"]["past"]
    assert halves[:2] == ["2.6 / 2.6 reproduced", "3.0 / 3.0 reproduced"]
    assert tables["Table 4: entropies"]["verb_consistency:number"][0] == "0.075 needs translations of Moses"


@needs_shared
def test_parapluie(page, script):
    """Of all pairs: what rapidfuzz computes; by the demo's model ParaPLUIE on a few."""
    module = script("reproduce_parapluie")
    for name in ("BLEU", "METEOR", "BERTscore", "ParaScore"):  # seconds to minutes each
        module.METRICS[name] = module.METRICS["LEV."]
    judged = []

    def judge(pairs, _):
        judged.extend(pairs)
        return [1.0 if pair.label else -1.0 for pair in pairs]

    module.METRICS["small judge"] = module.Metric(judge, natural=0.0)
    tables, text = page("reproduce_parapluie")
    first = tables["ACL paper, table 1: means and standard deviations"]
    assert first["LEV., MRPC"] == [f"{v} / {v} reproduced" for v in ("0.38", "0.16", "0.51", "0.13")]
    assert all(cell.endswith("reproduced") for cell in tables["ACL paper, table 2: best accuracy"]["LEV., PAWS"])
    assert tables["ACL paper, table 4: equal error rate"]["LEV., MRPC"][0] == "0.66 / 0.34 differs by -0.32"
    assert first["LEV., LLM"][0] == "0.49 needs the third data set (supplementary material)"
    assert first["ParaPLUIE DIRECT, MRPC"][0] == "20.02 needs Mistral-7B-Instruct-v0.2"
    assert "--model mistralai/Mistral-7B-Instruct-v0.2 --dtype float16 --resume parapluie.sqlite --save`" in text
    natural = tables["ACL paper, table 5: natural threshold"]
    for corpus, papers in (("MRPC test", "MRPC"), ("PAWS test", "PAWS"), ("both tests", "Global")):
        mistral = natural[f"ParaPLUIE FS-DIRECT, {papers}"][0].split()[0]
        found = natural[f"small judge, {corpus}, beside ParaPLUIE FS-DIRECT, {papers}"]
        assert found[0] == f"{mistral} / 1.00 other model (small judge)"
    trained_on = {pair[1:] for pair in (*module.mrpc("train"), *module.paws("dev"))}
    assert len(judged) == 1725 + 8000 and len({pair[1:] for pair in judged} & trained_on) < 10


@needs_shared
def test_parapluie_with_a_model(page, script, tmp_path):
    """The same command fills in ParaPLUIE's cells, and those of the third data set."""
    pytest.importorskip("nltk")
    module = script("reproduce_parapluie")
    if not module.WORDNET.is_dir():
        pytest.skip(f"METEOR takes WordNet in {module.WORDNET}: apt install wordnet-base")
    module.METRICS["BERTscore"] = module.METRICS["METEOR"]  # loads no encoder
    third = tmp_path / "third.tsv"
    third.write_text('1\tA boat came in.\tIn came a "boat".\n0\tA boat came in.\tNobody came.\n')
    demo = str(ROOT / "spaces" / "parapluie" / "demo_model")
    tables, _ = page(
        "reproduce_parapluie", "--pairs", "4", "--model", demo, "--max-new-tokens", "2", "--third", str(third)
    )
    for title in ("ACL paper, table 1: means and standard deviations", "TALN paper, table 2: the generated answer"):
        row = next(row for name, row in tables[title].items() if "PLUIE DIRECT, MRPC" in name or name == "Direct, MRPC")
        assert all(f"other model ({demo})" in cell for cell in row)
    assert not any("needs" in cell for rows in tables.values() for row in rows.values() for cell in row)


@needs_shared
def test_figures(script, tmp_path, monkeypatch):
    """Small files, with a line and a panel for each metric that was computed."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="drawing figures takes matplotlib: pip install matplotlib")
    module = script("reproduce_parapluie")
    monkeypatch.setattr(module, "RESULTS", tmp_path)
    monkeypatch.setattr(module, "METRICS", {name: module.METRICS[name] for name in ("LEV.", "WER", "ParaPLUIE DIRECT")})
    options = SimpleNamespace(pairs=400, third=None, model=None, bert=None)
    module.draw(module.Figures(options))
    curves = (tmp_path / "reproduction_parapluie_curves.svg").read_text(encoding="utf-8")
    assert "WER" in curves and "LEV." in curves and "PLUIE" not in curves
    assert len(curves) < 200_000
    scatter = tmp_path / "reproduction_parapluie_scatter.png"
    red, _, blue, _ = pyplot.imread(scatter).reshape(-1, 4).T
    assert scatter.stat().st_size < 200_000
    assert (red > blue + 0.2).any() and (blue > red + 0.2).any()  # non-paraphrases are orange, paraphrases blue


def test_para_score(script):
    """Shen et al. 2022: the weight is .05; from a distance of .35 wording is different enough."""
    module = script("reproduce_parapluie")
    found = module.para_score([0.8, 0.8, 0.8, 0.8], [0.0, 0.175, 0.35, 0.9])
    assert found == pytest.approx([0.8 - 0.05, 0.8 - 0.05 * 0.325, 0.8 + 0.05 * 0.35, 0.8 + 0.05 * 0.35])


@needs_shared
def test_melasss(page):
    pytest.importorskip("rouge_score")
    tables, _ = page("reproduce_melasss", "--articles", "2", "--quick")
    printed = json.loads((SHARED / "data" / "paper_tables" / "melasss.json").read_text(encoding="utf-8"))
    assert set(tables["Table 2: metrics"]) == set(printed["table2_models"])
    assert tables["Table 1: architectures, pooled"]["sim_ROUGE"][0].endswith("other model (MiniLM)")
    rewritten = tables["Table 3: rewritten sentences, pooled, folds by pair"]["MeLaSSS"]
    assert rewritten[0] == "28.1 needs Meta-Llama-3-8B-Instruct"


def test_without_the_data_it_says_where_to_look(script, tmp_path, monkeypatch):
    shared = script("paper_tables")
    monkeypatch.setattr(shared, "SHARED", tmp_path)
    with pytest.raises(SystemExit, match="found no .*parapluie.json; the papers' tables and data sets lie in ../sha"):
        shared.printed_tables("parapluie")


@pytest.mark.parametrize(
    "name, option",
    [
        ("reproduce_morpheval", ["--translations", "Mosses", "a.fr"]),
        ("reproduce_muc_b3_ceaf_entropy", ["--text", "VB", "key.conll", "response.conll"]),
    ],
)
def test_names_that_the_papers_do_not_have(page, capsys, name, option):
    with pytest.raises(SystemExit):
        page(name, *option)
    assert f"{option[0]}: found {option[1]!r}, expected one of the paper's" in capsys.readouterr().err


# ---- PARAPHRASUS ----


def test_counting_of_paraphrasus(script):
    """The published overall figures follow from those of the sets, once XNLI's is put back."""
    module = script("paraphrasus")
    for (name, rates), xnli, printed in zip(module.PUBLISHED.items(), (4.5, 26.7), (15.8, 27.5)):
        rates = dict(zip(module.SETS, rates))
        groups, mean = module.overall(rates)
        with_xnli = (4 * groups["minimize"] + xnli) / 5
        assert round((groups["classify"] + with_xnli + groups["maximize"]) / 3, 1) == printed, name


def test_error_rates_of_paraphrasus(script):
    module = script("paraphrasus")
    data = {"classify": [("a", "a", 1), ("b", "b", 1), ("c", "d", 0), ("e", "e", 0)], "maximize": [("a", "b", 1)]}
    rates = module.error_rates(module.by_edit_distance, data, threshold=-0.5)
    assert rates == {"classify": 0.25, "maximize": 1.0}


@needs_shared
def test_paraphrasus_on_a_few_pairs(script, capsys, monkeypatch):
    """Every set has pairs, counted as in the benchmark; the page has a row for each judge."""
    module = script("paraphrasus")
    whole = module.sets()
    labels = {name: {label for *_, label in pairs} for name, pairs in whole.items()}
    expected = {"classify": {0, 1}, "minimize": {0}, "maximize": {1}}
    assert labels == {name: expected[group] for group, names in module.GROUPS.items() for name in names}
    some = {name: [*pairs[:2], *pairs[-2:]] for name, pairs in whole.items()}
    monkeypatch.setattr(module, "sets", lambda: some)
    few = [("a b", "a c", 1), ("a", "b", 0), ("x", "x y z", 1), ("q", "r", 0)]
    monkeypatch.setattr(module, "mrpc", lambda part="test": few)
    monkeypatch.setattr(module, "paws", lambda: module.mrpc())
    module.main(["--model", "small"])
    page = capsys.readouterr().out
    assert "| **small** |" in page and "(published) | 23.1 |" in page and "| 15.8 |" in page
