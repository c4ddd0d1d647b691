"""The coreference demo's pictures: which mention has which class and error, and brackets that keep the text whole."""

import importlib.util
import re
import sys
from html import unescape

import pytest

from ..conftest import ROOT

spec = importlib.util.spec_from_file_location("drawing", ROOT / "spaces" / "muc_b3_ceaf_entropy" / "drawing.py")
drawing = importlib.util.module_from_spec(spec)
sys.path.insert(0, str(ROOT / "spaces" / "_common"))
try:
    spec.loader.exec_module(drawing)
finally:
    sys.path.pop(0)


def test_spurious_mentions_do_not_decide_what_a_class_is_about():
    _, of_response = drawing.marks([["x", "b"]], [["y", "b"], ["z", "w", "x"]])
    assert [of_response[m].error for m in "ybzwx"] == ["spurious", "", "spurious", "spurious", ""]


def test_errors_of_mentions():
    of_key, of_response = drawing.marks([["a", "b", "c"], ["d", "e"]], [["a", "b", "d"], ["c"], ["x"]])
    assert {m: (mark.number, mark.error) for m, mark in of_key.items()} == {
        "a": (1, ""), "b": (1, ""), "c": (1, ""), "d": (2, ""), "e": (2, "missed"),
    }  # fmt: skip
    assert {m: (mark.number, mark.error) for m, mark in of_response.items()} == {
        "a": (1, ""), "b": (1, ""), "d": (1, "misplaced"), "c": (2, ""), "x": (3, "spurious"),
    }  # fmt: skip
    assert of_response["c"].colour == of_key["a"].colour != of_response["x"].colour


@pytest.mark.parametrize(
    ("mention", "span"),
    [
        ("[3, 5]", (3, 5)),
        ("3-5", (3, 5)),
        ("3-4,8-8", (3, 8)),
        ("7.1-9", (7, 9)),
        ("5-7.1", (5, 6)),
        ("7.0.1-8", (7, 8)),
        ("7.1-7.1", None),
        ("Ann", None),
        ("m1", None),
        ("[3, 0]", None),
    ],
)
def test_spans(mention, span):
    assert drawing.span_of(mention) == span


def test_nested_and_crossing_mentions_in_the_text():
    words = ["Ann", "'s", "<b>", "dog", "ran"]
    key = [["[0, 0]"], ["[0, 3]"], ["[3, 4]"]]
    shown = unescape(re.sub(r"<[^>]*>", "", drawing.text_of(words, drawing.marks(key, key)[0])))
    assert shown.split() == "[[Ann1] 's <b> [dog2] ran3]".split()


def test_text_beyond_the_words_is_left_out():
    assert "[" not in drawing.text_of(["one"], drawing.marks([["[0, 4]"]], [])[0])
    assert drawing.text_of(["w"] * (drawing.MOST_WORDS + 1), {}).endswith("…")
