"""The kinds of values that every metric's checks tell apart."""

import math

import numpy as np
import pandas
import pytest
import torch

from metrics._common.common import a_boolean, a_number, at_least, is_integer, is_listing, is_number, one_of, short_repr
from metrics.parapluie.scoring import check_texts


def test_what_is_shown():
    assert [short_repr("x"), short_repr("x" * 1000)[-7:], short_repr(10**5000)] == [
        "'x'",
        "xxx ...",
        "<int that cannot be written>",
    ]
    assert len(short_repr("x" * 1000)) == 200 and short_repr(np.arange(3)) == "array([0, 1, 2])"


def test_what_is_a_number():
    assert [is_number(value) for value in (2, True, math.nan, 10**400, "1", np.float32(2))] == [
        True, False, False, False, False, True,
    ]  # fmt: skip


def test_what_is_an_integer():
    assert is_integer(2) and is_integer(-3) and is_integer(np.int64(3), 3)
    assert not any(map(is_integer, (True, 2.0, 10**400, 2**63, "2"))) and not is_integer(2, 3)


@pytest.mark.parametrize(
    "value, expected",
    [
        (["a"], True),
        (("a",), True),
        (iter(["a"]), True),
        ({"a": 1}.keys(), True),  # in the order of the dict
        ({"a": 1}.values(), True),
        (np.array(["a"]), True),
        (pandas.Series(["a"]), True),
        (torch.tensor([1]), True),
        (range(2), True),
        ("a", False),
        (b"a", False),
        ({"a": 1}, False),
        ({"a"}, False),
        (frozenset("a"), False),
        (pandas.DataFrame({"a": [1]}), False),
        (np.array("a"), False),
        (torch.tensor(1), False),
        (1, False),
        (None, False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_a_listing(value, expected):
    assert is_listing(value) is expected


def test_numpy_scalars_are_numbers_and_booleans():
    """Checks give the value to use, as Python's own."""
    assert a_boolean(np.True_) is True and a_boolean(False) is False
    assert [type(at_least(1)(value)) for value in (np.int64(1), 2**63 - 1)] == [int, int]
    assert a_number(np.float64(0.5)) == 0.5
    for found in (1, "True", None, np.array([True])):
        with pytest.raises(ValueError, match="^found .* expected True or False$"):
            a_boolean(found)
    for found in (0, 1.0, True, "1", 2**63, 10**5000, np.float64(1)):
        with pytest.raises(ValueError, match="^found .* expected an integer of at least 1, below 2\\*\\*63$"):
            at_least(1)(found)
    for found in ("1", None, math.inf, True):
        with pytest.raises(ValueError, match="^found .*, expected a number$"):
            a_number(found)


def test_choices():
    """Strings and None; what cannot be compared, such as an array, is none of them."""
    check = one_of(("raw", "union", None))
    assert [check("raw"), check(None)] == ["raw", None]
    for found in ("Raw", 1, np.array(["raw", "union"]), ["raw"]):
        with pytest.raises(ValueError, match="^found .*, expected one of raw, union, None$"):
            check(found)


@pytest.mark.parametrize(
    "texts, message",
    [
        ("ab", "^predictions: found str 'ab', expected a list of strings$"),
        (None, "^predictions: found NoneType None, expected a list of strings$"),
        (["a", 1], r"^predictions\[6\]: found int 1, expected a string$"),
        (["a\ud800"], r"^predictions\[5\]: found a lone surrogate in 'a.ud800', expected text that can be encoded"),
    ],
)
def test_texts(texts, message):
    with pytest.raises(ValueError, match=message):
        check_texts(texts, "predictions", start=5)
    assert check_texts(iter(["", "b"]), "predictions") == ["", "b"]
