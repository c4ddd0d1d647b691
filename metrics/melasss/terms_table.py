"""The terms of the default similarity, one line each: name, sign, meaning, formula; and the gates.

A term is a number read off a `Pair`; a regression adds them up. A gate is 0 for ordinary summaries and
up to 1 for one that is spoilt in a way that hardly a rated summary shows, so that no rating could teach
it: the score is multiplied by 1 - gate. Terms and gates were chosen by leaving out whole collections of
rated summaries (benchmarks/papers/fit_summaries.py).
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .terms_pair import Pair
from .text_languages import parts

ALLOWED_WORDS = (92, 0.1)  # a copy may have so many words, and so many more for each word of the text
LONG, SHORT = 12, 3  # sentences of so many words at least, or fewer, are whole lists of keywords or parts of one
FEW = 0.15  # share of function words below which such a sentence is one


def _mean(values):
    return float(np.mean(values)) if len(values) else 0.0


def _ramp(value, first, last):
    """0 up to the first of two values, 1 from the last on, linear between them."""
    return float(np.clip((value - first) / (last - first), 0, 1))


# ---- Relevance: how much of the text is there ----


def token_recall(pair: Pair) -> float:
    """sum_i w_i max_j cos(t_i, s_j) / sum_i w_i, t the tokens of the text's beginning, w_i = 1 / its sentence."""
    owners = pair.text.tokens.owners
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


# ---- Gates ----


def copied(pair: Pair) -> float:
    """Much longer than a summary is, and word for word the text's."""
    start, share = ALLOWED_WORDS
    n_words, n_text = (len(side.flat_words) for side in (pair.summary, pair.text))
    same = len(pair.summary.triples & pair.text.triples) / max(len(pair.summary.triples), 1)
    return _ramp(np.log(max(n_words, 1) / (start + share * n_text)), 0, 0.1) * _ramp(same, 0.8, 0.9)


def keywords(pair: Pair) -> float:
    """Hardly any function words, in lists that are no headlines."""
    summary, listed = pair.summary, 0
    for words in summary.words:
        function_words = sum(not summary.is_content(parts(word, summary.language)[-1]) for word in words)
        listed += len(words) * (not SHORT <= len(words) < LONG and function_words < FEW * len(words))
    return _ramp(listed / max(len(summary.flat_words), 1), 0.5, 0.9)


def jumbled(pair: Pair) -> float:
    """Articles and prepositions (six at least) that nothing fitting follows."""
    language, n_all, n_astray = pair.summary.language, 0, 0
    unfit = dict.fromkeys(language.prepositions, language.verbal) | dict.fromkeys(language.articles, language.unfit)
    for sentence in pair.summary.parts:
        for word, following in pairwise([*sentence, ""]):
            n_all += word in unfit
            n_astray += word in unfit and following in unfit[word]
    return _ramp(n_astray / max(n_all, 6), 0.08, 0.4)


def wrong_numbers(pair: Pair) -> float:
    """unknown_numbers / 2: a number may be counted or known from elsewhere."""
    return unknown_numbers(pair) / 2


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
GATES = {
    "copied": Term(-1, "far longer than a summary, and word for word the text's", copied),
    "keywords": Term(-1, "a list of keywords", keywords),
    "jumbled": Term(-1, "words out of order: nothing fitting follows the articles", jumbled),
    "wrong_numbers": Term(-1, "half its share of sentences with a number that the text lacks", wrong_numbers),
}
FEATURES = TERMS | GATES
NAMES = tuple(FEATURES)


class Aspect(NamedTuple):
    """What an aspect is estimated from: names of terms and of gates."""

    terms: tuple
    gates: tuple = ()


ASPECTS = {"relevance": Aspect(tuple(RELEVANCE), tuple(GATES)), "consistency": Aspect(tuple(CONSISTENCY))}
ANY_ASPECT = Aspect(tuple(TERMS))  # of ratings of anything else


def features(pair: Pair, names: Iterable[str] = NAMES) -> np.ndarray:
    """The terms and gates of a pair, all of them or those asked for."""
    return np.array([FEATURES[name].formula(pair) for name in names])
