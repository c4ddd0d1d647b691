"""What the checks of the metrics' input share: how a value is shown, which one is a number, whose error it is.

This file is vendored: `metrics/_common/values.py` is the source, `make vendor` copies it into the metric folders.
"""

import re
from collections.abc import Callable
from math import isfinite
from numbers import Real

LONGEST = 200  # characters
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no tokenizer takes


def shown(value) -> str:
    """A value for an error message: as Python writes it, cut off where it is long; never fails.

    >>> shown("x"), shown("x" * 1000)[-7:], shown(10**5000)
    ("'x'", 'xxx ...', '<int that cannot be written>')
    """
    try:
        text = " ".join(repr(value).splitlines())  # a table's has several
    except Exception:  # nested too deeply, an integer of too many digits, whatever an object's own repr raises
        return f"<{type(value).__name__} that cannot be written>"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def is_number(value) -> bool:
    """Whether a value is a number that a float can hold: no truth value, no NaN, no infinity.

    >>> is_number(2), is_number(True), is_number(float("nan")), is_number(10**400)
    (True, False, False, False)
    """
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def named(metric: str, function: Callable, *arguments, **options):
    """Call a function that several metrics share and that does not know which one calls, so that its errors name it."""
    try:
        return function(*arguments, **options)
    except ValueError as error:
        raise ValueError(f"{metric}: {error}") from None
