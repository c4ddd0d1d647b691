"""Grades in place of yes and no: the expectation of a number over the answers' probabilities.

Of grades g_1 ... g_k with the answers' log-likelihoods l_1 ... l_k, the score is the sum of g_i p_i, where p is the
softmax of l: the probabilities renormalised over the grades (G-Eval, Liu et al. 2023, section 2, equation 1, whose
sampling is not needed where the probabilities can be read). How much of all probability the grades have is the answers'
mass.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .common import input_error, is_listing, is_number, short_repr
from .common_templates import are_answers


class Grades(NamedTuple):
    """What a judge may answer, and the number that each answer stands for."""

    answers: tuple[tuple[str, ...], ...]  # of each grade the variants of its label
    numbers: tuple[float, ...]

    @property
    def middle(self) -> float:
        """The middle of the scale."""
        return (min(self.numbers) + max(self.numbers)) / 2

    def __repr__(self):
        labels = ["/".join(variants) for variants in self.answers]
        return ",".join(
            label if label == _plain(number) else f"{label}={_plain(number)}"
            for label, number in zip(labels, self.numbers, strict=True)
        )


def resolve_grades(value) -> Grades | None:
    """Check of the option: None, numbers such as (1, 2, 3, 4, 5), or labels with numbers, {"poor": 1, "good": 2}.

    A label may be a tuple of variants, whose probabilities are added. ValueError for fewer than two grades, a number
    that is none, labels that are the same or no text.
    """
    if value is None or isinstance(value, Grades):
        return value
    expected = "None, numbers such as (1, 2, 3, 4, 5), or labels with numbers such as {'poor': 1, 'good': 2}"
    if is_listing(value):
        value = list(value)
        labels, numbers = [_plain(number) if is_number(number) else "" for number in value], value
    elif isinstance(value, Mapping):
        labels, numbers = list(value), list(value.values())
    else:
        raise input_error("", short_repr(value), expected)
    if len(set(filter(is_number, numbers))) < 2 or not all(map(is_number, numbers)) or not are_answers(labels):
        raise input_error("", short_repr(value), f"{expected}, at least two that differ")
    answers = tuple((label,) if isinstance(label, str) else tuple(label) for label in labels)
    return Grades(answers, tuple(map(float, numbers)))


def _plain(number) -> str:
    """A number as it would be written: without ".0"."""
    return str(int(number)) if number == int(number) else str(number)


def expected_grade(log_probs: Sequence[float], numbers: Sequence[float]) -> float:
    """The expectation of the grades' numbers over the answers' probabilities (log_probs in nats), renormalised.

    >>> round(expected_grade([-1.0, -1.0, -1.0], [1, 2, 6]), 6)
    3.0
    """
    weights = np.exp(np.asarray(log_probs) - max(log_probs))
    return float(weights @ np.asarray(numbers) / weights.sum())
