"""How well scores agree with human ratings: both definitions in use, with intervals over documents."""

from collections.abc import Hashable, Iterable
from functools import partial

import numpy as np

from .common import at_least, input_error, prefix_errors, short_repr
from .common_statistics import bootstrap_draws, percentiles

RESAMPLES = 1000


def groups_of(documents: Iterable[Hashable]) -> list[np.ndarray]:
    """The indices of each document's examples, documents in order of first appearance."""
    groups: dict[Hashable, list[int]] = {}
    for i, document in enumerate(documents):
        groups.setdefault(document, []).append(i)
    return [np.array(group) for group in groups.values()]


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Spearman's rank correlation; NaN where one side is constant."""
    from scipy.stats import rankdata  # here, because it takes half a second

    return pearson(rankdata(a), rankdata(b))


def pearson(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's correlation; NaN where one side is constant."""
    a, b = a - a.mean(), b - b.mean()
    length = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / length) if length else float("nan")


def kendall(a: np.ndarray, b: np.ndarray) -> float:
    """Kendall's tau-b; NaN where one side is constant."""
    from scipy.stats import kendalltau

    return float(kendalltau(a, b).statistic) if len(a) > 1 else float("nan")


def per_document(scores: np.ndarray, ratings: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Spearman's correlation inside each document whose ratings differ; 0 where the scores do not."""
    return np.nan_to_num([spearman(scores[g], ratings[g]) for g in groups if np.ptp(ratings[g]) > 0])


@prefix_errors("agreement")
def agreement(
    scores: Iterable, ratings: Iterable, documents: Iterable, seed: int = 0, systems: Iterable | None = None
) -> dict:
    """Correlation of scores with human ratings.

    "pooled" is Spearman's correlation over all examples; "per_document" the mean of the correlations inside each
    document. They are not comparable: the first also asks which documents got better summaries. "pearson" and "kendall"
    (tau-b) are of all examples, "per_system" is Spearman's of the means of systems. The intervals are 95 % percentile
    bootstraps over documents, not examples, because the examples of a document are not independent; one that the value
    itself is outside of, as happens with few documents, is widened to it.

    Args:
        scores: n numbers.
        ratings: n numbers, in any unit.
        documents: n labels (or the texts themselves) that tell which examples share a text.
        seed: of the bootstrap.
        systems: n labels that tell which system wrote the summary, or None.

    Returns:
        "pooled", "pooled_low", "pooled_high", "per_document", "per_document_low", "per_document_high": floats in -1..1,
        NaN where undefined; "pearson", "kendall", and with systems "per_system", "per_system_low" and
        "per_system_high"; "documents", and with systems "systems": their number.

    Raises:
        ValueError: lengths differ, or a number is not finite.
    """
    with prefix_errors("seed"):
        seed = at_least(0)(seed)
    x, y, labels = _numbers("scores", scores), _numbers("ratings", ratings), _labels(documents)
    if not len(x) == len(y) == len(labels) > 0:
        found = f"{len(x)} scores, {len(y)} ratings and {len(labels)} documents"
        raise input_error("", found, "the same number of each, at least one")
    wrote = None if systems is None else _labels(systems, "systems")
    if wrote is not None and len(wrote) != len(x):
        raise input_error("", f"{len(wrote)} systems and {len(x)} scores", "a system for each score")
    groups = groups_of(labels)
    inside = per_document(x, y, groups)

    def pooled(chosen):
        indices = np.concatenate([groups[i] for i in chosen])
        return spearman(x[indices], y[indices])

    def per_system(chosen):
        indices = np.concatenate([groups[i] for i in chosen])
        own = groups_of([wrote[i] for i in indices])
        return spearman(*(np.array([values[indices[group]].mean() for group in own]) for values in (x, y)))

    everything = np.arange(len(groups))
    measures = {"pooled": (everything, pooled), "per_document": (inside, _mean)}
    measures |= {} if wrote is None else {"per_system": (everything, per_system)}
    result: dict[str, float] = {}
    for name, (data, statistic) in measures.items():
        value, low, high = float(statistic(data)), float("nan"), float("nan")
        if len(data) > 1:
            draws = bootstrap_draws((data,), partial(np.apply_along_axis, statistic, -1), RESAMPLES, seed)
            low, high = percentiles(draws, (0.025, 0.975))
            low, high = np.fmin(low, value), np.fmax(high, value)
        result |= {name: value, f"{name}_low": float(low), f"{name}_high": float(high)}
    result |= {"pearson": pearson(x, y), "kendall": kendall(x, y), "documents": len(groups)}
    return result | ({} if wrote is None else {"systems": len(set(wrote))})


def _mean(values):
    return float(np.mean(values)) if len(values) else float("nan")


def _numbers(name, values) -> np.ndarray:
    """The values as an array of finite numbers."""
    try:
        numbers = np.asarray(values if hasattr(values, "__len__") else list(values), float)
    except (TypeError, ValueError, OverflowError, RecursionError):
        numbers = None
    if numbers is None or numbers.ndim != 1:
        raise input_error(name, short_repr(values), "a list of numbers")
    for i in np.flatnonzero(~np.isfinite(numbers))[:1]:
        raise input_error(f"{name}[{i}]", f"{numbers[i]}", "a finite number")
    return numbers


def _labels(documents, name="documents") -> list:
    """The documents as labels that can be compared; a list of sentences as a tuple."""
    try:
        labels = [tuple(d) if isinstance(d, list) else d for d in documents]
        hash(tuple(labels))
    except (TypeError, RecursionError):
        raise input_error(name, short_repr(documents), "a list of labels or texts") from None
    return labels


def reported(prefix: str, found: dict) -> dict:
    """What `agreement` found, under names with a prefix, for a report that is kept as JSON: without what is NaN."""
    return {f"{prefix}_{name}": value for name, value in found.items() if not np.isnan(value)}
