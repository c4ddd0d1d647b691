# Copied from metrics/_common/common_statistics.py: edit there, then run make vendor.
"""What scores are worth: sums over examples, intervals of them, and tests of two systems.

All scores of a sample are functions of sums over its examples. A draw is a weight for each example, so that many draws
are one product of matrices. Sums are rounded once and examples are sorted before anything is drawn, so that nothing
depends on their order, nor on how they were cut into parts.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, nan, sqrt
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from .common import CheckedOptions, a_boolean, at_least, expecting, input_error, is_number, option, short_repr, warn

BATCH_NUMBERS = 2_000_000  # numbers that a bootstrap looks at together: 16 MB
NEGLIGIBLE = 1e-12  # a rounding error, not a difference
ENDS = ("low", "high")

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
