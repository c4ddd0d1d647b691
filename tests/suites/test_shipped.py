"""The suite that ships: its files, how it is found, translated and judged."""

import json
import shutil
from collections import Counter

import pytest

from metrics.__main__ import main
from metrics.morpheval import suite_shipped
from metrics.morpheval.check_input import check_references
from metrics.morpheval.contrastive_tests import TESTS
from metrics.morpheval.suite_files import load_suite, load_translations
from metrics.suites import Suite

from ..conftest import ROOT, module_at

FOLDER = ROOT / "metrics" / "morpheval" / "suite"
# A test for each row of the card; a name without a feature stands for all of its features.
NAMES = (
    "past future conditional subjunctive pronoun_number comparative superlative negation noun_number coord_verb np "
    "coref:gender coref:number verb_consistency adj_consistency"
).split()


@pytest.fixture(scope="module")
def shipped():
    return load_suite()


@pytest.fixture(scope="module")
def build():
    return module_at(ROOT / "training" / "suite" / "build.py")


def test_what_it_has(shipped):
    assert isinstance(shipped, Suite) and shipped.version == suite_shipped.SUITE_VERSION
    counts = Counter(group["test"] for group in shipped)
    assert set(counts) == set(NAMES) and len(set(shipped.ids)) == len(shipped)
    assert {name for test in counts for name in [contrast.name for contrast in TESTS[test]]} == {
        contrast.name for contrasts in TESTS.values() for contrast in contrasts
    }
    for group, checked in zip(shipped, check_references(shipped)):
        assert group["sources"] == checked["sources"] and len(set(group["sources"])) == len(group["sources"])
        assert all(text == " ".join(text.split()) for text in group["sources"])
        assert ("direction" in group) == (group["test"] in ("comparative", "superlative"))
    directions = Counter(group.get("direction") for group in shipped)
    assert 0 < directions["removed"] < directions["added"]


def test_its_files_are_the_same(shipped, tmp_path):
    """From whatever file it comes, it has its version and IDs."""
    shipped.save(tmp_path / "folder")
    for files in ([FOLDER / "en.sents", FOLDER / "en.info"], [str(FOLDER / "en.jsonl")], [tmp_path / "folder"]):
        again = load_suite(*files)
        assert (again, again.ids, again.version) == (shipped, shipped.ids, shipped.version)


def test_files_are_what_the_script_writes(build):
    """Of the groups beside it, with this version; and the metric asks for them."""
    groups, version = build.checked(build.read(build.GROUPS)), suite_shipped.SUITE_VERSION
    in_suite = Counter(row["test"] for row in map(json.loads, (FOLDER / "en.jsonl").read_text().splitlines()))
    texts = build.files(groups, build.chosen(groups, max(in_suite.values())), version)
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == texts
    module = build.MODULE.read_text(encoding="utf-8")
    assert build.with_version(module, version, texts["en.jsonl"]) == module
    assert f"version {version}" in texts["README.md"] and "{{" not in texts["README.md"]


def test_the_script_keeps_what_both_editors_approve_of(build, tmp_path):
    right, wrong = ({"right": True, "sense": True, "contrast": value} for value in (True, False))
    written = [
        {"test": "past", "genre": genre, "sources": [f"She {verb}s.", f"She {verb}ed."]}
        for genre, verb in [("a", "walk"), ("a", "talk"), ("a", "wait"), ("b", "open"), ("b", "walk")]
    ]
    for name, verdicts in {
        "x": written,
        "x.editor_a": [right | {"i": i} for i in range(5)],
        "x.editor_b": [(wrong if i == 1 else right) | {"i": i} for i in range(5)],
    }.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in verdicts))
    groups = build.checked(build.joined([tmp_path / "x.jsonl"]))
    assert groups[1] == written[1] | {"editors": [right, wrong]}
    rows = build.chosen(groups, 9)  # one of each genre in turn, no sentence twice
    assert [row["sources"][0] for row in rows] == ["She walks.", "She opens.", "She waits."]
    assert [row["id"] for row in rows] == ["past-1", "past-2", "past-3"] and len(build.chosen(groups, 2)) == 2
    card = build.card(groups, rows, "7.0")
    assert "version 7.0" in card and "| `past` | 5 | 4 | 3 | 80.0 |" in card and "by genre: a 2, b 1." in card
    assert "| right | 100.0 | – |" in card and "| contrast | 80.0 | 0.00 |" in card
    for change in ({"test": "x"}, {"direction": "added"}, {"editors": [right]}, {"sources": ["She walks."]}):
        with pytest.raises(ValueError):
            build.checked([groups[0] | change])


# ---- Where it is found ----


def test_the_metric_that_evaluate_loads_finds_it(metric, shipped):
    found = metric.load_suite()
    assert found == shipped and found.version == shipped.version
    assert metric.load_translations(FOLDER / "en.sents", found) == [group["sources"] for group in shipped]


def test_elsewhere_it_comes_from_the_hub_by_its_tag(monkeypatch, tmp_path, shipped):
    """Where the folder's is missing or another."""
    asked = []

    def download(name, file, repo_type, revision):
        asked.append((name, file, repo_type, revision))
        return str(shutil.copy(FOLDER / file, tmp_path / "fetched.jsonl"))

    other = tmp_path / "suite" / "en.jsonl"
    other.parent.mkdir()
    other.write_text("{}\n")
    monkeypatch.setattr(suite_shipped, "folders_of", lambda *_: [tmp_path / "none", tmp_path])
    monkeypatch.setattr(suite_shipped, "hf_hub_download", download)
    assert load_suite() == shipped
    tag = f"data-{suite_shipped.SUITE_DIGEST}"
    assert asked == [("metrics/morpheval/suite", "en.jsonl", "dataset", tag)]
    monkeypatch.setattr(suite_shipped, "hf_hub_download", lambda *_, **__: str(other))
    with pytest.raises(ValueError, match="en.jsonl: found the digest .*, expected .* of the suite"):
        load_suite()


def test_out_of_reach(monkeypatch):
    def unreachable(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(suite_shipped, "folders_of", lambda *_: [])
    monkeypatch.setattr(suite_shipped, "hf_hub_download", unreachable)
    with pytest.raises(ValueError, match=r"found no suite .* beside the metric, .*\(OSError\); expected a suite there"):
        load_suite()
    with pytest.raises(ValueError, match="sents_path: found None with info_path 'x'"):
        load_suite(None, "x")


# ---- The command ----


def test_the_command_writes_what_is_to_be_translated(shipped, tmp_path, capsys):
    assert main(["morpheval", "--suite", str(tmp_path / "en.txt")]) == 0
    assert (tmp_path / "en.txt").read_text() == (FOLDER / "en.sents").read_text()
    n = sum(len(group["sources"]) for group in shipped)
    assert capsys.readouterr().out.startswith(f"{n} sentences of {len(shipped)} groups, suite {shipped.version}")
    assert load_translations(tmp_path / "en.txt", shipped) == [group["sources"] for group in shipped]


def test_the_command_judges_translations_of_it(shipped, lefff_path, tmp_path, capsys):
    """As with the suite's own files, and two systems beside each other."""
    own, pair = FOLDER / "en.sents", [str(FOLDER / "en.sents"), str(FOLDER / "en.info")]
    upper = tmp_path / "upper.txt"
    upper.write_text(own.read_text().upper())
    options = ["--lexicon", str(lefff_path), "--json"]
    found = []
    for files in ([str(upper)], [*pair, str(upper)], [str(FOLDER / "en.jsonl"), str(upper)]):
        assert main(["morpheval", *files, *options]) == 0
        said = capsys.readouterr()
        found.append(json.loads(said.out))
    assert found[0]["suite"] == shipped.version and found[0] == found[1] == found[2] and found[0]["score"] < 0.1
    for files in ([str(upper), str(own)], [str(upper), "--compare", str(own)]):
        assert main(["morpheval", *files, *options]) == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["comparison"]["past_n"] > 0
        assert said.err.count("translations are the same as the English") == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "found 0 files, expected the files [SENTS INFO | SUITE] TRANSLATIONS [OTHER]"),
        (["a", "b", "c", "d", "e"], "found 5 files, expected the files"),
        (["a", "--suite", "x"], "--suite: found 'a' as well, expected --suite alone"),
        (["--suite", "x", "--json"], "--suite: found --json as well, expected --suite alone"),
        (["--suite", "x.gz"], "--suite: found 'x.gz', expected the name of a plain text"),
        (["TEXT", str(FOLDER / "en.info")], f"found TEXT and {FOLDER / 'en.info'}, a suite without translations"),
        ([str(FOLDER / "en.jsonl")], "found 1 files, expected the files"),
        (["TEXT", "--against", "TEXT"], "--against: found 'TEXT', expected one of TEXT, and another system"),
        (["--suite", "no/x"], "--suite: found 'no/x', which cannot be written"),
        (["TEXT"], "TEXT: found 1 lines, expected "),
    ],
)
def test_wrong_usage_is_one_line(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "TEXT").write_text("Il attend.\n")
    assert main(["morpheval", *arguments]) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"meaning-metrics morpheval: error: {message}") and output.err.count("\n") == 1
