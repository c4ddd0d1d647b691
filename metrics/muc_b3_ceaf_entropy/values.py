"""What the checks of the metrics' input share: of which kind a value is, how it is shown, whose error it is.

This file is vendored: `metrics/_common/values.py` is the source, `make vendor` copies it into the metric folders.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from numbers import Integral, Real

import numpy as np

LONGEST = 200  # characters
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no tokenizer takes
MOST = 2**63  # what counts something stays below


def shown(value, longest: int = LONGEST) -> str:
    """A value for an error message: as Python writes it, cut off where it is longer; never fails.

    >>> shown("x"), shown("x" * 1000)[-7:], shown(10**5000)
    ("'x'", 'xxx ...', '<int that cannot be written>')
    """
    try:
        text = " ".join(repr(value).splitlines())  # a table's has several
    except Exception:  # nested too deeply, an integer of too many digits, whatever an object's own repr raises
        return f"<{type(value).__name__} that cannot be written>"
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."


def is_number(value) -> bool:
    """Whether a value is a number that a float can hold: no truth value, no NaN, no infinity.

    >>> is_number(2), is_number(True), is_number(float("nan")), is_number(10**400)
    (True, False, False, False)
    """
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def is_integer(value, least: int = -MOST) -> bool:
    """Whether a value is an integer from the least on that 64 bits can hold, and no truth value.

    >>> is_integer(2), is_integer(2, least=3), is_integer(True), is_integer(2.0), is_integer(10**400)
    (True, False, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and least <= value < MOST


def is_listing(value) -> bool:
    """Whether a value gives its items in an order: a list, a tuple, an array, a column, an iterator.

    Text does not, nor does a set; a table would give the names of its columns, as a mapping would.

    >>> is_listing([]), is_listing(iter("ab")), is_listing("ab"), is_listing({1: 2}), is_listing(np.array(1))
    (True, True, False, False, False)
    """
    if isinstance(value, (str, bytes, Mapping, set, frozenset)) or not isinstance(value, Iterable):
        return False
    return not hasattr(value, "columns") and getattr(value, "ndim", 1) > 0


def is_choice(value, choices) -> bool:
    """Whether a value is one of some strings and None; arrays and the like are not compared."""
    return (value is None or isinstance(value, str)) and value in choices


def check_choices(choices: Iterable, **options) -> None:
    """Refuse options that are none of the choices, strings and None."""
    for option, value in options.items():
        if not is_choice(value, choices):
            expected = ", ".join(map(str, choices))
            raise ValueError(f"{option}: found {shown(value)}, expected one of {expected}")


def check_booleans(**options) -> None:
    """Refuse options that are not True or False."""
    for option, value in options.items():
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{option}: found {shown(value)}, expected True or False")


def check_numbers(**options) -> None:
    """Refuse options that are no finite numbers."""
    for option, value in options.items():
        if not is_number(value):
            raise ValueError(f"{option}: found {shown(value)}, expected a number")


def check_integers(least: int, **options) -> None:
    """Refuse options that are no integers from the least on."""
    for option, value in options.items():
        if not is_integer(value, least):
            raise ValueError(f"{option}: found {shown(value)}, expected an integer of at least {least}, below 2**63")


class ItemError(ValueError):
    """What is wrong with one of several items; `index` is its place among them."""

    def __init__(self, index: int, message: str):
        super().__init__(message)
        self.index = index


@contextmanager
def named(metric: str) -> Iterator[None]:
    """Errors of what several metrics share, which does not know who calls, name the metric; also a decorator."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{metric}: {str(error).removeprefix(f'{metric}: ')}") from error
