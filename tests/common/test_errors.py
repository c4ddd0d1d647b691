"""Errors and warnings as fields and parts, beside their texts."""

import copy
import pickle

import pytest

import metrics
from metrics.parapluie.common import (
    Message,
    Term,
    argument,
    example,
    input_error,
    metric_errors,
    prefix_errors,
    setting,
    text_of,
    warn,
)
from metrics.parapluie.judge_served_http import ServerError


def fields(error):
    return error.where, error.found, error.expected


def parts_of(message):
    """All the way down."""
    return [part for each in message.parts for part in (parts_of(each) if hasattr(each, "parts") else [each])]


def test_terms_are_what_a_python_caller_writes():
    terms = argument("mode"), argument("predictions", 3), example("pair", 3), setting("words", "aligned"), setting("x")
    assert terms == ("mode", "predictions[3]", "pair 3", 'words="aligned"', "x=")
    assert [term.name for term in terms] == ["mode", "predictions", "pair", "words", "x"]
    assert [term.number for term in terms] == [None, 3, 3, None, None]
    assert [term.value for term in terms] == [None, None, None, "aligned", ""]


def test_an_error_has_fields_and_a_text():
    error = input_error("a.txt:3", "2", "a string")
    assert str(error) == "a.txt:3: found 2, expected a string" and fields(error) == (("a.txt:3",), "2", "a string")
    assert isinstance(error, ValueError) and error.args == (str(error),)
    error = input_error("", "none", "some", but="; ")
    assert str(error) == "found none; expected some" and fields(error) == ((), "none", "some")


def test_prefixes_keep_the_fields():
    text = "^metric: system b: head: found 1, expected 2$"
    prefixes = metric_errors("metric"), prefix_errors("system b"), prefix_errors(argument("head"))
    with pytest.raises(ValueError, match=text) as caught, prefixes[0], prefixes[1], prefixes[2]:
        raise input_error("", "1", "2")
    assert fields(caught.value) == (("metric", "system b", "head"), "1", "2")
    [term] = [part for part in parts_of(text_of(caught.value)) if isinstance(part, Term)]
    assert term == "head" and term.name == "head"
    with pytest.raises(ValueError, match="^x: invalid literal") as caught, prefix_errors("x"):
        int("one")
    assert fields(caught.value) == (("x",), "", "") and isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_cross_processes(again):
    with pytest.raises(ValueError) as caught, prefix_errors(argument("predictions", 3)):
        raise input_error("", "1", Message("2, or ", setting("words", "aligned")))
    for error in (caught.value, ServerError.of("'a', which answers", "an answer", 503, "busy")):
        other = again(error)
        assert type(other) is type(error) and str(other) == str(error) and fields(other) == fields(error)
        assert other.__dict__ == error.__dict__
        terms, others = ([vars(p) for p in parts_of(text_of(e)) if isinstance(p, Term)] for e in (error, other))
        assert terms == others and terms


def test_warnings_know_their_parts():
    with pytest.warns(UserWarning, match=r"^metric: 1 of predictions\[2\]$") as caught, metric_errors("metric"):
        warn("1 of ", argument("predictions", 2))
    assert caught[0].category is UserWarning and caught[0].filename == __file__
    assert caught[0].message.args[0].parts[-1].number == 2


@pytest.mark.parametrize(
    "compute, where, found, expected",
    [
        (
            lambda: metrics.paraphrases([" "], [" "], model_id="small"),
            ("parapluie", "references[0]"), "' '", "a source sentence",
        ),
        (
            lambda: metrics.summaries(["a", 3], ["b", "c"]),
            ("melasss", "predictions[1]"), "int 3", "a string or a list of sentences",
        ),
        (
            lambda: metrics.morphology([["a"]], [{"test": "past", "sources": ["a", "b"]}], mode="x"),
            ("morpheval", "mode"), "'x'", "one of default, limsi",
        ),
        (
            lambda: metrics.morphology([["a"]], [{"test": "x", "sources": ["a", "b"]}]),
            ("morpheval", "references[0]"), "the test 'x'", None,
        ),
        (lambda: metrics.coreference([], [], measures=["x"]), ("muc_b3_ceaf_entropy", "measures"), None, None),
    ],
)  # fmt: skip
def test_errors_of_the_metrics_have_fields(compute, where, found, expected):
    with pytest.raises(ValueError) as caught:
        compute()
    error = caught.value
    assert error.where == where and str(error).startswith(": ".join(where))
    assert found in (None, error.found) and expected in (None, error.expected)
    assert not found or not expected or str(error) == f"{': '.join(where)}: found {found}, expected {expected}"
