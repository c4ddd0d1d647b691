# Copied from metrics/_common/common_statistics.py: edit there, then run make vendor.
"""What scores are worth: intervals, two systems and more compared, parts of a corpus put together.

All scores of a sample are functions of sums over its examples. A draw is a weight for each example, so that many draws
are one product of matrices. Sums are rounded once and examples are sorted before anything is drawn, so that nothing
depends on their order, nor on how they were cut into parts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, wraps
from inspect import Signature, signature
from itertools import chain, combinations
from math import fsum, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .common import (
    CheckedMetric,
    CheckedOptions,
    a_boolean,
    argument,
    as_python,
    at_least,
    expecting,
    full_signature,
    input_error,
    is_listing,
    is_number,
    metric_errors,
    option,
    prefix_errors,
    short_repr,
    warn,
)

BATCH_NUMBERS = 2_000_000  # numbers that a bootstrap looks at together: 16 MB
NEGLIGIBLE = 1e-12  # a rounding error, not a difference
ENDS = ("low", "high")
CONFIDENCE, EXCHANGES = 0.95, 9999  # of comparisons, if no others are asked for

# ---- Options ----


a_confidence = expecting(
    "a number between 0 and 1, such as 0.95",
    lambda value: value is None or is_number(value) and 0 < value < 1,
    lambda value: None if value is None else float(value),
)


@dataclass(frozen=True, kw_only=True)
class IntervalOptions(CheckedOptions):
    """Options of `compute` that leave the scores as they are: intervals, details. OF_COMPUTE: which `compare` lacks.

    confidence: such as 0.95; adds <key>_low and <key>_high: Wilson's interval of a rate, of other scores that of a
        percentile bootstrap over the examples.
    n_resamples, seed: number of draws, and where they begin.
    """

    confidence: float | None = option(None, a_confidence, affects_score=False)
    n_resamples: int = option(1000, at_least(1), affects_score=False)
    seed: int = option(0, at_least(0), affects_score=False)
    details: bool = option(False, a_boolean, affects_score=False)
    OF_COMPUTE: ClassVar[tuple[str, ...]] = ()


def interval_of(options) -> tuple:
    """What a sample's methods take."""
    return options.confidence, options.n_resamples, options.seed


# ---- Samples ----


class Sample:
    """The examples of one system, as they add up.

    Args:
        keys: the names of the scores.
        summands: what adds up, of shape (examples, m).
        values: the function from sums of them, of shape (..., m), to scores of shape (..., keys).
        rates: the keys of those scores that are the share of examples of which something holds.
    """

    rates: Collection[str] = ()

    def __init__(self, keys: Sequence[str], summands: np.ndarray, values: Callable, rates: Collection[str] = ()):
        self.keys, self.summands, self.values, self.rates = keys, summands, values, rates

    @classmethod
    def of_means(cls, columns: Mapping[str, Sequence], rates: Collection[str] = ()) -> "Sample":
        """The sample whose scores are the means of columns, {key: a number for each example}.

        Those among the rates are shares by what they say of an example, 0 or 1, whatever the values are.
        """
        try:
            table = np.array([*columns.values(), [1.0] * len(next(iter(columns.values())))], float)
        except ValueError as error:
            raise input_error("", f"lists of scores that are no table ({error})", "as many numbers in each") from error
        rates = [key for key in columns if key in rates]
        for key in rates:
            if not np.isin(columns[key], (0, 1)).all():
                raise input_error(key, short_repr(columns[key]), "0 or 1 for each example")
        return cls(list(columns), table.T, lambda sums: sums[..., :-1] / sums[..., -1:], rates)

    def scores(self) -> dict:
        """{key: score} of all examples together."""
        with np.errstate(invalid="ignore"):
            return dict(zip(self.keys, self.values(exact_sums(self.summands)).tolist(), strict=True))

    def each(self) -> list[dict]:
        """{key: score} of every example by itself."""
        with np.errstate(invalid="ignore"):
            return [dict(zip(self.keys, values, strict=True)) for values in self.values(self.summands).tolist()]

    def intervals(self, confidence: float | None, n_resamples: int, seed: int) -> dict:
        """{<key>_low, <key>_high} of each score; nothing without a confidence.

        A rate has Wilson's interval; any other score that of `bootstrap_interval`, which is a point where all examples
        are alike. One example alone has none: NaN, and a warning.
        """
        if confidence is None:
            return {}
        n, scores = len(self.summands), self.scores()
        if n < 2:
            warn("found one example alone, of which there is no interval and no test; expected two or more examples")
        lows, highs = bootstrap_interval(self.summands, self.values, confidence, n_resamples, seed)
        found = dict(zip(self.keys, zip(lows.tolist(), highs.tolist(), strict=True), strict=True))
        found |= {key: rate_interval(scores[key], n, confidence) for key in self.rates if n > 1}
        return {f"{key}_{end}": value for key, ends in found.items() for end, value in zip(ENDS, ends, strict=True)}

    def compare(self, other: "Sample", confidence: float | None, n_resamples: int, seed: int) -> dict:
        """Both systems' scores on the same examples, the difference, and how sure it is.

        For each key <key>_a, <key>_b and <key>_difference, each with _low and _high if there is a confidence (examples
        are drawn for both together), and <key>_p_value of the difference.
        """
        n, values = self.summands.shape[1], self.values

        def both(sums):
            a, b = values(sums[..., :n]), values(sums[..., n:])
            return np.concatenate([a, b, np.where(np.abs(a - b) < NEGLIGIBLE, 0.0, a - b)], axis=-1)

        keys = [f"{key}_{what}" for what in ("a", "b", "difference") for key in self.keys]
        rates = [f"{key}_{system}" for key in self.rates for system in "ab"]
        pair = Sample(keys, np.concatenate([self.summands, other.summands], axis=1), both, rates)
        found = pair.scores() | pair.intervals(confidence, n_resamples, seed)
        p_values = randomisation_p_values(self.summands, other.summands, values, n_resamples, seed)
        found |= zip((f"{key}_p_value" for key in self.keys), p_values.tolist(), strict=True)
        ends = ("", "_low", "_high") if confidence is not None else ("",)
        names = [*(f"{what}{end}" for what in ("a", "b", "difference") for end in ends), "p_value"]
        return {name: found[name] for key in self.keys for name in (f"{key}_{each}" for each in names)}


def exact_sums(summands: np.ndarray) -> np.ndarray:
    """The sum of each column, rounded once."""
    return np.array([fsum(column.tolist()) for column in summands.T])


# ---- Rates ----


def wilson(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The ends of Wilson's interval (1927) of a share of n, of 95 % if z is not another; NaN where n is 0.

    They are the shares from which this one is z standard errors away; at 0 and 1 the interval is no point. (scipy's
    `binomtest` gives the same, but takes no z, which morpheval's paper has as 1.96, and a thousand times as long.)

    >>> [round(end, 3) for end in wilson(1.0, 1)], [round(end, 3) for end in wilson(0.5, 100)]
    ([0.207, 1.0], [0.404, 0.596])
    """
    if not n:
        return nan, nan
    square = z * z / n
    middle, half = share + square / 2, z * sqrt(share * (1 - share) / n + square / (4 * n))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def rate_interval(share: float, n: int, confidence: float) -> tuple[float, float]:
    """Wilson's interval of a share of n for a confidence, within 0 and 1, and with the share itself in it."""
    low, high = wilson(share, n, NormalDist().inv_cdf((1 + confidence) / 2))
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


# ---- Draws with replacement ----


def bootstrap_draws(samples: Sequence, statistic: Callable, n_resamples: int, seed: int, numbers: int = 1):
    """A statistic of samples drawn with replacement (Efron 1979): (..., n_resamples), NaN where undefined.

    samples: one array of items or more, drawn apart; statistic(*drawn) gives (..., draws) for arrays of (draws, items);
    numbers: how many of these it looks at for one draw, for memory says how many draws are done together.
    """
    rng, values = np.random.default_rng(seed), []
    for size in _batches(n_resamples, numbers):
        drawn = [sample[rng.integers(0, len(sample), (size, len(sample)))] for sample in samples]
        with np.errstate(invalid="ignore", divide="ignore"):
            values.append(np.asarray(statistic(*drawn), float))
    return np.concatenate(values, axis=-1)


def percentiles(draws: np.ndarray, quantiles: Sequence) -> np.ndarray:
    """Quantiles of the defined draws: (..., quantiles) for (..., draws); NaN where there is none."""
    undefined = np.isnan(draws).all(axis=-1, keepdims=True)
    found = np.nanquantile(np.where(undefined, 0.0, draws), np.asarray(quantiles, float), axis=-1)
    return np.where(undefined, np.nan, np.moveaxis(found, 0, -1))


def bootstrap_interval(summands: np.ndarray, values: Callable, confidence: float, n_resamples: int, seed: int) -> tuple:
    """Percentile bootstrap (Efron 1979): examples drawn with replacement, all scores of a draw computed together.

    How often each example is drawn is multinomial.

    Returns:
        (low, high), two arrays of shape (keys,), over the draws in which a score is defined; NaN if it never is, and
        for one example, which tells nothing of others.
    """
    n, rng = len(summands), np.random.default_rng(seed)
    if n < 2:
        return tuple(np.full((2, *values(np.ones(summands.shape[1:])).shape), np.nan))
    summands, shares = _in_order(summands), np.full(n, 1 / n)
    weights = (rng.multinomial(n, shares, size) for size in _batches(n_resamples, n))
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = np.concatenate([values(drawn.astype(float) @ summands) for drawn in weights])
    return tuple(percentiles(draws.T, [(1 - confidence) / 2, (1 + confidence) / 2]).T)


def _in_order(rows: np.ndarray) -> np.ndarray:
    """The rows in an order that does not depend on the one that they come in."""
    return rows[np.lexsort(rows.T)]


def randomisation_p_values(
    first: np.ndarray, second: np.ndarray, values: Callable, n_resamples: int, seed: int
) -> np.ndarray:
    """Approximate randomisation (Noreen 1989), two-sided: the systems' outputs are exchanged example by example.

    With few examples (2 ** examples at most n_resamples) all exchanges are tried and the p-value is exact.

    Args:
        first: the first system's summands.
        second: the second system's, for the same examples.
        values, n_resamples, seed: see above.

    Returns:
        One p-value per key; NaN for a score that is undefined for a system or for some exchange, and for one example.
    """
    rows = _in_order(np.concatenate([first, second], axis=1))
    first, second = np.split(rows, 2, axis=1)
    n, totals, changes = len(first), (exact_sums(first), exact_sums(second)), second - first
    with np.errstate(invalid="ignore"):
        observed = values(totals[0]) - values(totals[1])
    if n < 2:
        return np.full(len(observed), np.nan)
    is_exact = 2**n <= n_resamples
    as_large, defined = np.zeros(len(observed)), ~np.isnan(observed)
    for exchanged in _exchanges(n, n_resamples, seed, is_exact):
        moved = exchanged.astype(float) @ changes
        with np.errstate(invalid="ignore", divide="ignore"):
            differences = values(totals[0] + moved) - values(totals[1] - moved)
        as_large += (np.abs(differences) >= np.abs(observed) - NEGLIGIBLE).sum(axis=0)
        defined &= ~np.isnan(differences).any(axis=0)
    # What was observed is one of all exchanges; of random ones it is one more.
    p_values = as_large / 2**n if is_exact else (as_large + 1) / (n_resamples + 1)
    return np.where(defined, p_values, np.nan)


def _exchanges(n: int, n_resamples: int, seed: int, is_exact: bool) -> Iterator[np.ndarray]:
    """Exchanges of some of n examples, all or random ones, in batches of shape (exchanges, n)."""
    rng, done = np.random.default_rng(seed), 0
    for size in _batches(2**n if is_exact else n_resamples, n):
        numbers = np.arange(done, done + size)[:, None]
        yield numbers >> np.arange(n) & 1 if is_exact else rng.integers(0, 2, (size, n), dtype=np.int8)
        done += size


def _batches(n_resamples: int, numbers: int) -> Iterator[int]:
    """Sizes of batches of draws that fit into memory together."""
    most = max(1, BATCH_NUMBERS // numbers)
    for done in range(0, n_resamples, most):
        yield min(most, n_resamples - done)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm 1979): the chance of one false alarm among them stays below the level.

    From the smallest: p times how many are left, not less than the one before, not above 1. NaN does not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, float)
    order = np.argsort(given)[: np.isfinite(given).sum()]  # NaN comes last
    corrected = np.full(len(given), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(order), 0, -1)), 1.0)
    return corrected.tolist()


# ---- What every metric offers ----


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
