"""The ways to make_suite: the package's function, the metric's method, the shell's command."""

import inspect
import json
import sys
import warnings

import pytest

from metrics.__main__ import main
from metrics.morpheval.suite_files import load_suite
from metrics.suites import make_suite

from ..conftest import ROOT

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")

TEXTS = ["The captain waits on the quay.", "She repairs the old nets.", "They sing."]
TESTS = {"tests": ["past", "negation"], "size": 2}


def test_the_metric_hands_on_to_the_package(metric):
    made = metric.make_suite(TEXTS, **TESTS)
    assert made == make_suite(TEXTS, **TESTS) and made.report["sentences"] == 3
    assert list(inspect.signature(metric.make_suite).parameters)[:4] == ["sentences", "tests", "size", "seed"]


@pytest.mark.parametrize("wrong", [{"size": 0}, {"tests": ["x"]}, {"seed": "a"}, {"sentences": []}])
def test_errors_and_warnings_name_the_metric_once(metric, wrong):
    """The metric that evaluate loads has a copy of the modules of errors; the package has its own."""
    said = []
    for function in (metric.make_suite, make_suite):
        with pytest.raises(ValueError) as error:
            function(**{"sentences": TEXTS, **TESTS, **wrong})
        with pytest.warns(UserWarning) as warned:
            function(TEXTS, tests=["past"], size=9)
        said.append([str(error.value), *(str(each.message) for each in warned)])
    assert said[0] == said[1]
    assert all(text.startswith("morpheval: ") and text.count("morpheval") == 1 for text in said[0]), said


def test_without_the_package_the_error_says_where_it_is(metric, monkeypatch):
    monkeypatch.setitem(sys.modules, "meaning_metrics", None)
    monkeypatch.delitem(sys.modules, "meaning_metrics.suites", raising=False)
    with pytest.raises(
        ImportError, match=r"^morpheval: make_suite: .*meaning_metrics.suites.*pip install '.\[suites\]'"
    ):
        metric.make_suite(TEXTS)


# ---- The command ----


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"{line}\n" for line in TEXTS))
    return str(path)


COMMAND = ["--tests", "past", "negation", "--size", "2"]


def test_the_command_writes_a_pair(text, tmp_path, capsys):
    assert main(["suite", text, "-o", str(tmp_path / "s"), *COMMAND, "--seed", "3"]) == 0
    made = make_suite(TEXTS, **TESTS, seed=3)
    found = load_suite(tmp_path / "s.sents", tmp_path / "s.info")
    assert found == made and found.settings == made.settings and found.settings["seed"] == 3
    out = capsys.readouterr().out.splitlines()
    assert [line.split() for line in out[:2]] == [["groups", "drawn", "from"], ["past", "2", "2"]]
    assert out[-1] == "4 groups, of 3 lines"


def test_the_command_writes_a_dataset(text, tmp_path):
    for _ in range(2):  # it takes the place of what is there
        assert main(["suite", text, "-o", str(tmp_path / "s"), *COMMAND, "--dataset"]) == 0
    assert load_suite(tmp_path / "s") == make_suite(TEXTS, **TESTS)


def test_the_command_hands_on_every_option(text, tmp_path):
    options = ["--language", "it", "--difficulty", "nested", "--max-tokens", "30", "--num-proc", "2"]
    wordnet = ["--fluency", str(ROOT / "spaces" / "parapluie" / "demo_model")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert main(["suite", text, "-o", str(tmp_path / "s"), "--tests", "past", *options, *wordnet]) == 0
    settings = json.loads((tmp_path / "s.sents.json").read_text())["settings"]
    assert (settings["language"], settings["difficulty"], settings["max_tokens"]) == ("it", "nested", 30)
    assert settings["fluency"] == wordnet[1] and settings["tests"] == ["past"] and settings["size"] == 500


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["none", "-o", "x"], "text: found no file 'none', expected a file"),
        (["TEXT", "-o", "x", "--size", "0"], "--size: found 0, expected an integer of at least 1"),
        (["TEXT", "-o", "x", "--tests", "y"], "--tests: found ['y'], expected some of past, "),
        (["TEXT", "-o", "x", "--difficulty", "y"], "--difficulty: found 'y', expected one of any, distant, nested"),
        (["TEXT", "-o", "no/x"], "--output: found 'no/x.sents', which cannot be written"),
    ],
)
def test_wrong_input_is_one_line(text, capsys, monkeypatch, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert main(["suite", *(text if word == "TEXT" else word for word in arguments)]) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"meaning-metrics suite: error: {message}") and output.err.count("\n") == 1
    assert not output.out and not (tmp_path / "x.sents").exists()
