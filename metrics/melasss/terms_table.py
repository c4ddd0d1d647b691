"""The terms of the default similarity, one line each: name, sign, meaning, formula.

A term is a number read off a `Pair`; a regression adds them up. Terms were chosen by leaving out whole collections of
rated summaries (benchmarks/papers/fit_summaries.py).
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .terms_pair import Pair


def _mean(values):
    return float(np.mean(values)) if len(values) else 0.0


# ---- Relevance: how much of the text is there ----


def token_recall(pair: Pair) -> float:
    """sum_i w_i max_j cos(t_i, s_j) / sum_i w_i, t the tokens of the text's beginning, w_i = 1 / its sentence."""
    owners = pair.text.owners
    weights = 1.0 / (1 + owners[owners < pair.text.n_lead])
    return float(weights @ pair.token_matches[0][: len(weights)] / weights.sum()) if len(weights) else 0.0


def word_recall(pair: Pair) -> float:
    """Share of the text's content words that the summary has; one in sentence i weighs 1 / sqrt(i)."""
    known = total = 0.0
    for i, stems in enumerate(pair.text.content_stems, 1):
        known += sum(stem in pair.summary.content for stem in stems) / i**0.5
        total += len(stems) / i**0.5
    return known / total if total else 0.0


def shared_words(pair: Pair) -> float:
    """log(1 + number of distinct content words that both have)."""
    return float(np.log1p(len(pair.summary.content.keys() & pair.text.content.keys())))


def repeated_pairs(pair: Pair) -> float:
    """1 - distinct / all pairs of neighbouring words."""
    pairs = list(pairwise(pair.summary.flat_words))
    return 1 - len(set(pairs)) / len(pairs) if pairs else 0.0


# ---- Consistency: how much of the summary is the text's ----


def token_support(pair: Pair) -> float:
    """mean_j max_i cos(t_i, s_j) over the summary's tokens."""
    return _mean(pair.token_matches[1])


def single_support(pair: Pair) -> float:
    """The same with the tokens of one sentence of the text only, the best one for each sentence of the summary."""
    return _mean(pair.single_supports)


def known_words(pair: Pair) -> float:
    """Share of the summary's words, function words too, that the text has as often."""
    words, known = pair.summary.stems, pair.text.stems
    return sum(min(count, known[word]) for word, count in words.items()) / max(words.total(), 1)


def unknown_numbers(pair: Pair) -> float:
    """Share of the summary's sentences with a number that the text lacks."""
    return _mean([bool(numbers) for numbers in pair.unknown_numbers])


class Term(NamedTuple):
    """A number: whether it can only raise a score (1) or only lower it (-1), what it is, and how it is computed.

    `whole` says that it looks at vectors of the whole text, not only of its beginning.
    """

    sign: int
    meaning: str
    formula: Callable[[Pair], float]
    whole: bool = False


RELEVANCE = {
    "token_recall": Term(1, "how near the summary's tokens come to those of the text's beginning", token_recall),
    "word_recall": Term(1, "share of the text's content words that the summary has, early ones first", word_recall),
    "shared_words": Term(1, "how many different content words of the text it has", shared_words),
    "repeated_pairs": Term(-1, "share of its word pairs that were there before", repeated_pairs),
}
CONSISTENCY = {
    "token_support": Term(1, "how near the text's tokens come to the summary's", token_support, True),
    "single_support": Term(1, "the same with one sentence of the text for each of the summary", single_support, True),
    "known_words": Term(1, "share of the summary's words that the text has", known_words),
    "unknown_numbers": Term(-1, "share of its sentences with a number that the text lacks", unknown_numbers),
}
TERMS = RELEVANCE | CONSISTENCY
NAMES = tuple(TERMS)
ASPECTS = {"relevance": tuple(RELEVANCE), "consistency": tuple(CONSISTENCY)}  # of ratings of anything else: all terms


def features(pair: Pair, names: Iterable[str] = NAMES) -> np.ndarray:
    """The terms of a pair, all of them or those asked for."""
    return np.array([TERMS[name].formula(pair) for name in names])
