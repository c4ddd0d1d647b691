"""The kinds of values that every metric's checks tell apart."""

import doctest

import numpy as np
import pandas
import pytest
import torch

from metrics._common import values


def test_examples():
    found = doctest.testmod(values)
    assert found.failed == 0 and found.attempted > 3


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
    assert values.is_listing(value) is expected


def test_numpy_scalars_are_numbers_and_truth_values():
    values.check_booleans(a=np.True_, b=False)
    values.check_integers(1, a=np.int64(1), b=2**63 - 1)
    for found in (1, "True", None, np.array([True])):
        with pytest.raises(ValueError, match="^details: found .* expected True or False$"):
            values.check_booleans(details=found)
    for found in (0, 1.0, True, "1", 2**63, 10**5000, np.float64(1)):
        with pytest.raises(ValueError, match="^size: found .* expected an integer of at least 1, below 2\\*\\*63$"):
            values.check_integers(1, size=found)


def test_the_metric_is_named_once():
    for message in ("pair 3: wrong", "parapluie: pair 3: wrong"):
        with pytest.raises(ValueError, match="^parapluie: pair 3: wrong$"), values.named("parapluie"):
            raise values.ItemError(3, message)
    with pytest.raises(KeyError), values.named("parapluie"):
        raise KeyError("as it is")
