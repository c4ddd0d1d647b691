"""How well scores tell paraphrases from other pairs: the papers' meta-evaluation, for the scores of any metric.

ACL paper: tables 1 (means and standard deviations), 2 and 5 (accuracy, F1, recall, precision), 3 (correlation with edit
distance), 4 (equal error rate), figure 1 (accuracy by rank); TALN 2024 paper: tables 1 to 4, figure 2 (F1 by rank).

A pair counts as a paraphrase if its score is above a threshold. Thresholds lie halfway between neighbouring scores,
where "above" and "at least" are the same. Everything is computed from how often each pair is counted: once each for the
values, as often as it is drawn for the bootstrap, so that the pairs are sorted only once.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .common import (
    CheckedOptions,
    a_boolean,
    argument,
    at_least,
    expecting,
    input_error,
    is_listing,
    is_number,
    keyword_options,
    option,
    short_repr,
)
from .common_statistics import bootstrap_draws, percentiles

RATES = ("accuracy", "f1", "recall", "precision")
CLASSES = ("paraphrase", "non_paraphrase")  # labels 1 and 0
SIGNED = ("_mean", "_threshold", "_correlation")  # ends of the names of what is turned round with the scores


a_threshold = expecting("a number, or None where there is none", lambda value: value is None or is_number(value))
a_confidence = expecting("a number between 0 and 1", lambda value: is_number(value) and 0 < value < 1)


class Pairs(NamedTuple):
    """Labelled pairs, the highest score first; arrays of n numbers, but for the last two."""

    scores: np.ndarray
    labels: np.ndarray  # 1.0 for a paraphrase, 0.0 for none
    distances: np.ndarray | None
    ends: np.ndarray  # number of pairs above each threshold; pairs with the same score are above the same ones
    thresholds: np.ndarray  # as many, from above the highest score down to below the lowest


@dataclass(frozen=True, kw_only=True)
class ResamplingOptions(CheckedOptions):
    """Options of what is said of pairs that are judged already; its intervals come from pairs drawn again."""

    confidence: float = option(0.95, a_confidence)
    resamples: int = option(1000, at_least(0))
    seed: int = option(0, at_least(0))
    details: bool = option(False, a_boolean)


@dataclass(frozen=True, kw_only=True)
class MetaOptions(ResamplingOptions):
    """Options of `meta_evaluate`."""

    threshold: float | None = option(0.0, a_threshold)
    lower_is_better: bool = option(False, a_boolean)


@keyword_options
def meta_evaluate(scores, labels, distances=None, *, options: MetaOptions) -> dict:
    """How well scores, of this or any other metric, tell paraphrases from other pairs (ACL paper, section 5).

    Args:
        scores: n numbers, one per pair.
        labels: n times 1 (or True) for a paraphrase, 0 for none; both must occur.
        distances: n edit distances, or whatever the scores should not depend on.
        threshold: the natural threshold, above which a pair counts as a paraphrase; None where there is none.
        lower_is_better: True for distances such as LEV.: a pair below a threshold counts as a paraphrase.
        confidence: of the intervals.
        resamples: draws of the bootstrap; 0 leaves the intervals out. Paraphrases and other pairs are drawn apart,
            so that every draw has the data's share of paraphrases.
        seed: of the bootstrap.
        details: True adds lists with one value per threshold.

    Returns:
        A flat dict. Counts: pairs, paraphrases. For the two classes, paraphrase and non_paraphrase: <class>_mean,
        <class>_std (of the population). At the threshold with the best accuracy (the strictest, of several):
        best_accuracy_threshold, best_accuracy, best_accuracy_f1, best_accuracy_recall, best_accuracy_precision; at
        that with the best F1: best_f1_threshold, best_f1_accuracy, best_f1, best_f1_recall, best_f1_precision; at
        the natural one: natural_accuracy, natural_f1, natural_recall, natural_precision. The equal error rate and
        the threshold where it is reached: eer, eer_threshold. With distances, Pearson's correlation with the
        scores: edit_distance_correlation for all pairs, <class>_edit_distance_correlation inside a class; NaN
        without spread. For each of these figures <figure>_low and <figure>_high, the ends of its percentile
        bootstrap interval; NaN where a class has only one pair. The best rates are chosen on the same pairs: they
        and their intervals lie too high.
        With details: thresholds (from the one that accepts no pair to the one that accepts all), accepted (how
        many pairs), accuracies, f1s, recalls, precisions, false_acceptance_rates, false_rejection_rates.

    Raises:
        ValueError: lengths differ; a number is not finite; a label is neither 0 nor 1, or all are the same; an
            option is out of its range.
    """
    columns = check_columns(scores, labels, distances)
    sign = -1.0 if options.lower_is_better else 1.0
    pairs = ordered(sign * columns["scores"], columns["labels"], columns.get("distances"))
    natural = None if options.threshold is None else sign * options.threshold
    figures = values(pairs, np.ones((1, len(pairs.scores))), natural)
    signs = np.array([[sign if name.endswith(SIGNED) else 1.0] for name in figures])
    result = {"pairs": len(pairs.scores), "paraphrases": int(pairs.labels.sum())}
    result |= zip(figures, (signs * np.stack([*figures.values()]) + 0.0)[:, 0].tolist(), strict=True)  # no -0.0
    if options.resamples:
        bounds = interval(pairs, natural, options.confidence, options.resamples, options.seed)
        for name, (low, high) in zip(figures, np.sort(signs * bounds + 0.0, axis=1).tolist(), strict=True):
            result |= {f"{name}_low": low, f"{name}_high": high}
    if options.details:
        result |= {name: column.tolist() for name, column in curve(pairs, sign).items()}
    return result


def ordered(scores: np.ndarray, labels: np.ndarray, distances: np.ndarray | None) -> Pairs:
    """The pairs by descending score, with every threshold that makes a difference."""
    order = np.argsort(-scores, kind="stable")
    scores, labels = scores[order], labels[order].astype(float)
    ends = np.append(np.flatnonzero(np.diff(scores)) + 1, len(scores))
    above, below = scores[ends[:-1] - 1], scores[ends[:-1]]
    halfway = below + (above - below) / 2
    between = np.where(halfway < above, halfway, below)  # neighbouring floats have nothing between them
    outside = np.nextafter(scores[[0, -1]], [np.inf, -np.inf])
    thresholds = np.concatenate([outside[:1], between, outside[1:]])
    return Pairs(scores, labels, None if distances is None else distances[order], np.append(0, ends), thresholds)


def values(pairs: Pairs, counts: np.ndarray, natural: float | None) -> dict[str, np.ndarray]:
    """All figures of several draws, {name: (draws,)}; NaN for the correlation of a draw without spread.

    counts: (draws, n), how often a draw has each pair; natural: the natural threshold, None leaves its figures out.
    """
    positive, negative = groups = counts * pairs.labels, counts * (1 - pairs.labels)
    hits, alarms = _sums(positive, pairs.ends), _sums(negative, pairs.ends)
    figures = {}
    for name, group in zip(CLASSES, groups, strict=True):
        figures[f"{name}_mean"], figures[f"{name}_std"] = _mean_and_std(group, pairs.scores)
    rates = dict(zip(RATES, _rates(hits, alarms), strict=True))
    for chosen in RATES[:2]:
        best = np.argmax(rates[chosen], axis=1)
        figures[f"best_{chosen}_threshold"] = pairs.thresholds[best]
        for name, rate in rates.items():
            figures[f"best_{chosen}" if name == chosen else f"best_{chosen}_{name}"] = rate[np.arange(len(best)), best]
    if natural is not None:
        n_above = np.searchsorted(-pairs.scores, -natural, side="left")
        above = np.arange(len(pairs.scores)) < n_above
        totals = [np.stack([group @ above, group.sum(axis=1)], axis=1) for group in groups]
        figures |= {f"natural_{name}": rate[:, 0] for name, rate in zip(RATES, _rates(*totals), strict=True)}
    figures["eer"], figures["eer_threshold"] = _equal_error(hits, alarms, pairs.thresholds)
    if pairs.distances is not None:
        for name, group in zip(("", *(f"{name}_" for name in CLASSES)), (counts, *groups), strict=True):
            figures[f"{name}edit_distance_correlation"] = _pearson(group, pairs.scores, pairs.distances)
    return figures


def interval(pairs: Pairs, natural: float | None, confidence: float, resamples: int, seed: int) -> np.ndarray:
    """Percentile bootstrap (Efron 1979) of all figures: pairs drawn with replacement, paraphrases and others apart.

    (figures, 2), low and high; NaN where a figure is undefined in every draw, or a class has only one pair.
    """
    n = len(pairs.scores)
    classes = [np.flatnonzero(pairs.labels == label) for label in (1, 0)]

    def statistic(paraphrases, others):
        drawn = np.concatenate([paraphrases, others], axis=-1).reshape(-1, n)
        indices = drawn + n * np.arange(len(drawn))[:, None]
        counts = np.bincount(indices.ravel(), minlength=n * len(drawn)).reshape(-1, n).astype(float)
        return np.stack([*values(pairs, counts, natural).values()]).reshape(-1, *paraphrases.shape[:-1])

    if min(map(len, classes)) < 2:  # a spread of one pair says nothing
        return np.full((len(values(pairs, np.ones((1, n)), natural)), 2), np.nan)
    draws = bootstrap_draws(classes, statistic, resamples, seed, numbers=2 * n)
    return percentiles(draws, [(1 - confidence) / 2, (1 + confidence) / 2])


def curve(pairs: Pairs, sign: float = 1.0) -> dict[str, np.ndarray]:
    """Every threshold that makes a difference, from the one that accepts no pair, and what comes of it (figure 1)."""
    hits, alarms = (_sums(group[None], pairs.ends) for group in (pairs.labels, 1 - pairs.labels))
    accuracy, f1, recall, precision = (rate[0] for rate in _rates(hits, alarms))
    return {
        "thresholds": sign * pairs.thresholds,
        "accepted": pairs.ends,
        "accuracies": accuracy,
        "f1s": f1,
        "recalls": recall,
        "precisions": precision,
        "false_acceptance_rates": alarms[0] / alarms[0, -1],
        "false_rejection_rates": 1 - recall,
    }


def _sums(counts, ends):
    """(draws, thresholds): how many pairs of a class are above each threshold."""
    sums = np.cumsum(counts, axis=1)
    return np.concatenate([np.zeros((len(sums), 1)), sums[:, ends[1:] - 1]], axis=1)


def _rates(hits, alarms):
    """Accuracy, F1, recall, precision where so many of each class are accepted; the last column is all there are.

    Precision and F1 are 0 where nothing is accepted.
    """
    n_hits, n_alarms = hits[:, -1:], alarms[:, -1:]
    accepted = hits + alarms
    accuracy = (hits + n_alarms - alarms) / (n_hits + n_alarms)
    f1 = 2 * hits / (accepted + n_hits)
    return accuracy, f1, hits / n_hits, hits / np.maximum(accepted, 1)


def _mean_and_std(counts, scores):
    """Mean and standard deviation (of the population, as the papers print it) of counted scores."""
    n, own = counts.sum(axis=1), counts.any(axis=0)
    centre = scores[own].mean()  # far from it a small spread would be lost in rounding
    first, second = (counts @ (scores - centre) ** power / n for power in (1, 2))
    return centre + first, np.sqrt(np.maximum(second - first**2, 0))


def _equal_error(hits, alarms, thresholds):
    """Where the rates of false acceptance and of false rejection are equal, and the threshold there.

    Both change in steps; between the two thresholds around the crossing they are taken as straight lines.
    """
    acceptance, rejection = alarms / alarms[:, -1:], 1 - hits / hits[:, -1:]
    difference = acceptance - rejection
    after = np.argmax(difference >= 0, axis=1)[:, None]  # the first threshold accepts nothing: its difference is -1

    def at(column, index):
        return np.take_along_axis(np.broadcast_to(column, difference.shape), index, 1)[:, 0]

    share = -at(difference, after - 1) / (at(difference, after) - at(difference, after - 1))

    def crossing(column):
        return at(column, after - 1) + share * (at(column, after) - at(column, after - 1))

    return crossing(acceptance), crossing(thresholds)


def _pearson(counts, a, b):
    """Pearson's correlation of counted numbers; NaN without spread, which is also what is left of it by rounding."""
    n, own = counts.sum(axis=1), counts.any(axis=0)  # the others must not decide what is without spread
    a, b = (np.where(own, c - c[own].mean(), 0.0) for c in (a, b))
    mean_a, mean_b = counts @ a / n, counts @ b / n
    spreads = [counts @ c**2 / n - mean**2 for c, mean in ((a, mean_a), (b, mean_b))]
    flat = [spread <= 1e-12 * np.max(c**2, initial=0.0) for spread, c in zip(spreads, (a, b), strict=True)]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = (counts @ (a * b) / n - mean_a * mean_b) / np.sqrt(spreads[0] * spreads[1])
    return np.where(flat[0] | flat[1], np.nan, np.clip(correlation, -1, 1))


def check_numbers(column, name: str) -> np.ndarray:
    """A list of finite numbers as an array of floats; an error calls it by its name."""
    try:
        listed = is_listing(column)
        numbers = np.asarray(column if hasattr(column, "__array__") else list(column)) if listed else None
    except (TypeError, RuntimeError, ValueError, OverflowError):  # no list, or lists of different lengths
        numbers = None
    if numbers is None or numbers.size and numbers.dtype.kind not in "biuf":
        raise input_error(name, short_repr(column), "a list of numbers")
    if numbers.ndim != 1:
        raise input_error(name, f"an array of {numbers.ndim} dimensions", "a list of numbers")
    numbers = numbers.astype(float)
    for i in np.flatnonzero(~np.isfinite(numbers))[:1]:
        raise input_error(f"{name}[{i}]", f"{numbers[i]}", "a finite number")
    return numbers


def check_columns(scores, labels, distances=None) -> dict[str, np.ndarray]:
    """The columns as arrays of n numbers, labels of both classes among them."""
    given = {"scores": scores, "labels": labels} | ({} if distances is None else {"distances": distances})
    columns = {name: check_numbers(column, name) for name, column in given.items()}
    for name, column in columns.items():
        if len(column) != len(columns["scores"]):
            found = f"{len(columns['scores'])} scores and {len(column)} {name}"
            raise input_error("", found, "the same number of both")
    for i in np.flatnonzero(~np.isin(columns["labels"], (0, 1)))[:1]:
        raise input_error(argument("labels", i), f"{columns['labels'][i]:g}", "1 for a paraphrase or 0 for none")
    if not 0 < columns["labels"].sum() < len(columns["labels"]):
        found = f"{columns['labels'].sum():.0f} paraphrases among {len(columns['labels'])} pairs"
        raise input_error(argument("labels"), found, "pairs of both classes")
    return columns
