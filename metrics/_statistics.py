"""Two systems compared, several, and parts of a corpus put together, by any of the metrics, on plain data."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from ._loading import METRICS, Name, hint, input_error, part, with_default_judge

BY_NAME = {metric.name: metric for metric in METRICS}


def compare(
    metric: Name, predictions_a: Iterable, predictions_b: Iterable, references: Iterable, **options: Any
) -> dict[str, Any]:
    """Is the difference between two systems more than chance?

        >>> import meaning_metrics
        >>> key, response = [[["a", "b"], ["c"]]] * 6, [[["a", "b", "c"]]] * 6
        >>> found = meaning_metrics.compare("muc_b3_ceaf_entropy", key, response, key, measures=["b3"])
        >>> round(found["b3_f1_difference"], 2), found["b3_f1_p_value"]
        (0.29, 0.03125)

    Args:
        metric: "muc_b3_ceaf_entropy", "morpheval", "parapluie" or "melasss".
        predictions_a, predictions_b: of two systems, for the same references.
        references: as the metric takes them.
        options: those of the metric's `compute`, and of its `compare`.

    Returns:
        What the metric's `compare` gives: both systems' scores, the difference, intervals, p-values.

    Raises:
        ValueError: a metric that is none of these, and what its `compare` refuses.
    """
    options = with_default_judge(metric, options)
    return _call(metric, "compare", predictions_a, predictions_b, references, **options)


def compare_many(metric: Name, systems: Mapping[str, Iterable], references: Iterable, **options: Any) -> dict[str, Any]:
    """Several systems beside each other, and every two of them compared, with corrected p-values.

    Args:
        metric: as for `compare`.
        systems: {name: predictions}, for the same references.
        references: as the metric takes them.
        options: as for `compare`; against, the name of the system that the others are compared with.

    Returns:
        What the metric's `compare_many` gives: {"systems": {name: scores}, "pairs": [...]}.

    Raises:
        ValueError: as `compare`.
    """
    return _call(metric, "compare_many", systems, references, **with_default_judge(metric, options))


def combine(results: Iterable[Mapping[str, Any]], **options: Any) -> dict[str, Any]:
    """From a metric's results on parts of a corpus the result on all of it, to the last digit.

        >>> import meaning_metrics
        >>> documents = [[["a", "b"], ["c"]], [["a", "b", "c"]], [["a"], ["b", "c"]]]
        >>> parts = [meaning_metrics.coreference([each], [documents[0]], details=True) for each in documents]
        >>> meaning_metrics.combine(parts) == meaning_metrics.coreference(documents, documents[:1] * 3)
        True

    Args:
        results: what the metric gave with details=True and the same options on each part, in their order.
        options: confidence, n_resamples, seed and details, as for the metric.

    Returns:
        What the metric gives on all examples.

    Raises:
        ValueError: no results, or some without details, of different metrics or settings.
    """
    results = list(results) if isinstance(results, Iterable) and not isinstance(results, Mapping) else [results]
    first = results[0] if results else None
    signature = first.get("signature") if isinstance(first, Mapping) else None
    if not isinstance(signature, str):
        raise input_error("results", f"{first!r:.200}", "a result of a metric with details=True")
    return _call(signature.partition("|")[0], "combine", results, **options)


def _call(name, method, *args, **options):
    if not isinstance(name, str) or name not in BY_NAME:
        raise input_error("metric", f"{name!r:.200}", f"one of {', '.join(BY_NAME)}")
    metric = BY_NAME[name]
    with hint(metric.extra):
        return getattr(_plain(metric), method)(*args, **options)


@cache
def _plain(metric) -> type:
    """The metric's class without evaluate."""
    scoring, base = (part(metric.name, each) for each in ("scoring", "common_comparison.ComparedMetric"))
    own = {"METRIC": metric.name, "UNIT": metric.unit, "Options": scoring.Options, "Scorer": scoring.Scorer}
    own |= {"check_examples": staticmethod(part(metric.name, metric.checks))}
    return type(metric.type, (base,), own)
