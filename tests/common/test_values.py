"""The kinds of values that every metric's checks tell apart."""

import math

import numpy as np
import pandas
import pytest
import torch

from metrics._common.common import a_boolean, a_number, at_least, is_integer, is_listing, is_number, one_of, short_repr


def test_what_is_shown():
    assert short_repr("x") == "'x'" and short_repr("x" * 1000).endswith("xxx ...")
    assert short_repr(10**5000) == "<int that cannot be written>"
    assert len(short_repr("x" * 1000)) == 200 and short_repr(np.arange(3)) == "array([0, 1, 2])"


def test_what_is_a_number():
    assert is_number(2) and is_number(np.float32(2))
    assert not any(map(is_number, (True, math.nan, 10**400, "1")))


def test_what_is_an_integer():
    assert is_integer(2) and is_integer(-3) and is_integer(np.int64(3), 3)
    assert not any(map(is_integer, (True, 2.0, 10**400, 2**63, "2"))) and not is_integer(2, 3)


def test_what_is_a_listing():
    """In the order of the dict; a set has none."""
    listings = ["a"], ("a",), iter(["a"]), {"a": 1}.keys(), {"a": 1}.values(), range(2)
    listings += np.array(["a"]), pandas.Series(["a"]), torch.tensor([1])
    others = "a", b"a", {"a": 1}, {"a"}, frozenset("a"), 1, None
    others += pandas.DataFrame({"a": [1]}), np.array("a"), torch.tensor(1)
    assert [value for value in listings if not is_listing(value)] == []
    assert [value for value in others if is_listing(value)] == []


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
