# Copied from metrics/_common/common_comparison.py: edit there, then run make vendor.
"""What every metric offers beside `compute`: two systems and more compared, parts of a corpus put together."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache, wraps
from inspect import Signature, signature
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from .common import (
    CheckedMetric,
    argument,
    as_python,
    at_least,
    full_signature,
    input_error,
    is_listing,
    metric_errors,
    option,
    prefix_errors,
    short_repr,
)
from .common_statistics import IntervalOptions, Sample, a_confidence, holm, interval_of

CONFIDENCE, EXCHANGES = 0.95, 9999  # of comparisons, if no others are asked for


@cache
def drawing_options(base: type, most_sure: float | None, draws: int) -> Any:
    """A class of options with the same options, but its own defaults of what is drawn."""

    @dataclass(frozen=True, kw_only=True)
    class DrawingOptions(base):
        confidence: float | None = option(most_sure, a_confidence, affects_score=False)
        n_resamples: int = option(draws, at_least(1), affects_score=False)
        seed: int = option(0, at_least(0), affects_score=False)

    return DrawingOptions


if TYPE_CHECKING:
    metric_method = classmethod
else:

    class metric_method(classmethod):
        """A class method of a metric, whose errors name the metric, and whose signature shows its options by name.

        Of an object it takes those of the object's options that it knows.
        """

        def __get__(self, metric, kind=None):
            method = metric_errors(kind.METRIC)(super().__get__(metric, kind))
            *own, _ = signature(method).parameters.values()
            parameters = kind._options_of(method.__name__).parameters()
            known = {parameter.name for parameter in parameters}

            @wraps(method)
            def call(*args, **options):
                given = options if metric is None else metric._with_bound(options)
                return method(*args, **{name: given[name] for name in given if name in known or name in options})

            call.__signature__ = Signature([*own, *parameters])
            return call


class ComparedMetric(CheckedMetric):
    """A `CheckedMetric` with `compare`, `compare_many` and `combine`.

    Its Options are `IntervalOptions`, or have what of them it needs. Its Scorer has also .sample(predictions,
    references), which gives a `Sample` or what has its methods; ADDS_UP, the names of the lists among the details that
    the result follows from; and the static .combine(known, lists, options), which gives the result from the lists of
    all parts, and from what else is known: the values of the first part, but counts of all.
    """

    @classmethod
    def _options_of(cls, method: str) -> Any:
        """The class of a method's options: those of `compute`, for `combine` those of intervals and details alone."""
        if method == "combine":
            return drawing_options(IntervalOptions, cls.Options.confidence, IntervalOptions.n_resamples)
        return drawing_options(cls.Options, CONFIDENCE, EXCHANGES)

    @metric_method
    def compare(
        cls, predictions_a: Iterable, predictions_b: Iterable, references: Iterable, **options: Any
    ) -> dict[str, Any]:
        """Is the difference between two systems more than chance?

        Intervals are those of `compute`; that of the difference, also of rates, is a percentile bootstrap over the
        examples (Efron 1979), drawn for both systems together. The p-value is that of approximate randomisation, paired
        by example (Noreen 1989), exact where there are few.

        Args:
            predictions_a: the first system's predictions, in the form that `compute` takes.
            predictions_b: the second system's, for the same references.
            references: as for `compute`.
            confidence: of the intervals; None for none.
            n_resamples, seed: number of draws, and of random exchanges; where they begin.
            details: True adds both systems' scores of every example, under what the metric calls its examples, and
                the signature.
            options: the others of `compute`.

        Returns:
            For every score of `compute` <key>_a, <key>_b and <key>_difference (a - b), each with its interval, such as
            <key>_a_low and <key>_a_high, and <key>_p_value (two-sided). NaN where a score is undefined; one example
            alone has no interval and no p-value.

        Raises:
            ValueError: input as `compute` refuses it, with the system.
        """
        chosen = cls._options_of("compare").of(options, "compare")
        systems, signature = _samples(cls, {"a": predictions_a, "b": predictions_b}, references, chosen)
        a, b = systems.values()
        result = a.compare(b, *interval_of(chosen))
        if not chosen.details:
            return result
        name = cls.UNIT.removesuffix("s")
        each = zip(a.each(), b.each(), strict=True)
        rows = [{name: i} | differences(*both) for i, both in enumerate(each)]
        return result | {cls.UNIT: rows, "signature": signature}

    @metric_method
    def compare_many(
        cls, systems: Mapping[str, Iterable], references: Iterable, against: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """Several systems beside each other, and every two of them compared.

        Args:
            systems: {name of the system: its predictions}, at least two.
            references: as for `compute`.
            against: the name of the system that the others are compared with; None compares every two.
            confidence, n_resamples, seed: as for `compare`.
            details: True adds the signature.
            options: the others of `compute`.

        Returns:
            "systems": {name: its scores and their intervals}; "pairs": a list of what `compare` gives of two, with
            their names as "a" and "b", and with <key>_p_holm, the p-value corrected for the number of pairs (Holm
            1979).

        Raises:
            ValueError: input as `compute` refuses it, with the system; fewer than two systems; against is none of them.
        """
        chosen = cls._options_of("compare_many").of(options, "compare_many")
        if not isinstance(systems, Mapping) or len(systems) < 2:
            raise input_error(argument("systems"), short_repr(systems), "{name: predictions} of two systems or more")
        if against is not None and against not in systems:
            raise input_error(argument("against"), short_repr(against), f"one of {', '.join(map(str, systems))}")
        samples, signature = _samples(cls, systems, references, chosen)
        result = compare_samples(samples, against, *interval_of(chosen))
        return result | ({"signature": signature} if chosen.details else {})

    @metric_method
    def combine(cls, results: Iterable[Mapping[str, Any]], **options: Any) -> dict[str, Any]:
        """From results on parts of a corpus the result on all of it, to the last digit.

        Args:
            results: what `compute` gave with details=True and the same options on each part, in the parts' order;
                also read again from JSON. Lists of the details that the card does not name as needed may be left out of
                all of them.
            confidence, n_resamples, seed: as for `compute`.
            details: False leaves the details out.

        Returns:
            What `compute` gives on all examples together, but for what is in a model's batch beside them.

        Raises:
            ValueError: no results; one without details, or of other details, of another metric, or of other settings.
        """
        chosen = cls._options_of("combine").of(options, "combine")
        if not is_listing(results):
            raise input_error(argument("results"), short_repr(results), "a list of results of compute with details")
        parts = list(results)
        if not parts:
            raise input_error(argument("results"), "no result", "at least one result")
        for i, part in enumerate(parts):
            with prefix_errors(f"results[{i}]"):
                _check_part(cls, part, parts[0])
        try:
            known, lists = _added_up(parts)
            result = cls.Scorer.combine(known, lists, chosen)
        except (AttributeError, LookupError, TypeError) as error:  # somebody has changed what compute gave
            raise input_error(argument("results"), f"no results to add up ({error!r})", "results of compute") from error
        return result | ({"signature": known["signature"]} if chosen.details else {})


def differences(a: dict, b: dict) -> dict[str, float]:
    """Two systems' scores, and their differences: <key>_a, <key>_b, <key>_difference."""
    whats = ("a", "b", "difference")
    return {f"{key}_{what}": v for key in a for what, v in zip(whats, (a[key], b[key], a[key] - b[key]), strict=True)}


def compare_samples(samples: Mapping[str, Sample], against: str | None, *interval) -> dict:
    """What `compare_many` gives of the systems' samples; interval as for their methods."""
    chosen = combinations(samples, 2) if against is None else ((against, name) for name in samples if name != against)
    pairs = [{"a": a, "b": b} | samples[a].compare(samples[b], *interval) for a, b in chosen]
    for key in [key for key in pairs[0] if key.endswith("_p_value")]:
        for pair, corrected in zip(pairs, holm([pair[key] for pair in pairs]), strict=True):
            pair[f"{key.removesuffix('value')}holm"] = corrected
    systems = {name: each.scores() | each.intervals(*interval) for name, each in samples.items()}
    return {"systems": systems, "pairs": pairs}


def _samples(metric, systems: Mapping, references, options) -> tuple[dict, str]:
    """{name: sample} of the systems, and the signature of their scores."""
    for name in options.OF_COMPUTE:
        if getattr(options, name) != getattr(type(options)(), name):
            raise input_error(name, "this option in a comparison", "this option in compute alone")
    references = as_python(references)
    references = list(references) if is_listing(references) else references
    with closing(metric.Scorer(options)) as scorer:
        samples = {}
        for name, predictions in systems.items():
            with prefix_errors(f"system {short_repr(name)}"):
                samples[name] = scorer.sample(*metric.check_examples(predictions, references))
        return samples, full_signature(metric.METRIC, scorer)


def _added_up(parts: list) -> tuple[dict, dict]:
    """What is known of the parts' results, counts of all among it; and the lists of the details, put together."""
    names = [name for name, values in parts[0].items() if isinstance(values, list)]
    lists = {name: list(chain.from_iterable(part[name] for part in parts)) for name in names}
    counts = {name for part in parts for name, value in part.items() if type(value) is int}
    return {**parts[0], **{name: sum(part.get(name, 0) for part in parts) for name in counts}}, lists


def _check_part(metric, result, first) -> None:
    """Refuse what is no result with details, or not one of the same kind as the first."""
    if not isinstance(result, Mapping) or not isinstance(result.get("signature"), str):
        raise input_error("", short_repr(result), "a result of compute with details=True")
    name = result["signature"].partition("|")[0]
    if name != metric.METRIC:
        raise input_error("", f"a result of {short_repr(name)}", f"a result of {metric.METRIC}")
    own, expected = (each["signature"].split("|") for each in (result, first))
    if own != expected:
        differing = ("|".join(p for p in one if p not in other) for one, other in ((own, expected), (expected, own)))
        raise ValueError("found the settings {}, expected those of results[0], {}".format(*map(short_repr, differing)))
    lists, expected = ({name for name, v in each.items() if isinstance(v, list)} for each in (result, first))
    for name in (*metric.Scorer.ADDS_UP, *sorted(expected)):
        if name not in lists:
            raise input_error("", f"no list {name!r}", "this list among the details")
    if more := lists - expected:
        raise input_error("", f"the list {min(more)!r}, which results[0] lacks", "the same details in each", but="; ")
    lengths = {len(result[name]) for name in metric.Scorer.ADDS_UP}
    if len(lengths) > 1 or 0 in lengths:
        expected = f"as many values, at least one, in each of {', '.join(metric.Scorer.ADDS_UP)}"
        raise input_error("", f"lists of {' and '.join(map(str, sorted(lengths)))} values", expected)
