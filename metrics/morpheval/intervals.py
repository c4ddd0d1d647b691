"""From what counts (1.0, 0.0, an entropy, None for rejected) to figures, their intervals and their differences."""

from collections.abc import Mapping, Sequence
from itertools import chain
from math import ceil, nan, sqrt
from numbers import Real
from statistics import NormalDist, fmean

import numpy as np

from .common import is_integer, is_listing, is_number, short_repr
from .common_statistics import Sample
from .contrastive_tests import CONTRASTS
from .frequencies import BANDS, band

Z95 = 1.96
ENDINGS = (
    "a",
    "b",
    "difference",
    "difference_low",
    "difference_high",
    "p_value",
)  # of what a comparison says of a test, ...
COUNTS = ("n", "n_a", "n_b", "strict_a", "strict_b")  # ... and on what
WORST = {"A": 0.0, "B": 0.0, "C": 1.0}  # outcome of a failure, by set
SIZES = (1000, 750, 500, 250, 100)  # those of table 7


class Outcomes:
    """What counts of each group, of each of its tests: in the place of a `Sample`, for each test by itself.

    Args:
        groups: of each group {test: its outcomes}.
    """

    def __init__(self, groups: list[dict]):
        self.groups = groups
        self.by_test = {name: [group[name] for group in groups if name in group] for name in CONTRASTS}
        self.by_test = {name: outcomes for name, outcomes in self.by_test.items() if outcomes}

    def suite_scores(self, confidence: float | None) -> dict:
        """Keys of the result: of each test, then means over tests.

        An accuracy has the interval of Wilson (1927), which is no point where all groups pass; a mean entropy has
        1.96 standard errors (for 95 %) to both sides, within 0 and 1. `ci95` is half of what lies between the ends of
        the 95 % interval.
        """
        result, families = {}, {}
        for name, outcomes in self.by_test.items():
            values, family = list(chain.from_iterable(outcomes)), CONTRASTS[name].family
            judged = [value for value in values if value is not None]
            result[name] = fmean(judged) if judged else nan
            result |= {f"{name}_n": len(judged), f"{name}_rejected": len(values) - len(judged)}
            low, high = interval(judged, family, 0.95)
            result[f"{name}_ci95"] = (high - low) / 2
            if confidence is not None:
                result |= _ends(name, judged, family, confidence)
            families.setdefault(family, []).append(result[name])
        for family, means in families.items():
            defined = [mean for mean in means if mean == mean]
            result[f"average_{family.lower()}"] = fmean(defined) if defined else nan
        return result

    def scores(self) -> dict:
        """{test: score}."""
        result = self.suite_scores(None)
        return {name: result[name] for name in self.by_test}

    def intervals(self, confidence: float | None, *_) -> dict:
        """{<test>_low, <test>_high} of each score; nothing without a confidence."""
        return {name: v for name, v in self.suite_scores(confidence).items() if name.endswith(("_low", "_high"))}

    def each(self) -> list[dict]:
        """{test: score} of every group by itself."""
        return [Outcomes([group]).scores() for group in self.groups]

    def compare(self, other: "Outcomes", confidence: float | None, n_resamples: int, seed: int) -> dict:
        """Keys of a comparison with another system on the same groups.

        Only what is judged for both counts: else a system could gain by what is rejected for it alone. Draws and
        exchanges are of groups, both systems' outcomes of a group together (Koehn 2004). From one group nothing can be
        drawn: its interval and p-value are NaN.
        """
        result, ends = {}, ("", "_low", "_high") if confidence is not None else ("",)
        for name, outcomes in self.by_test.items():
            family, others = CONTRASTS[name].family, other.by_test[name]
            both = [[pair for pair in zip(*pairs) if None not in pair] for pairs in zip(outcomes, others)]
            both = [list(zip(*pairs)) for pairs in both if pairs]
            a, b = (_sample(name, [group[side] for group in both]) for side in (0, 1))
            found = a.compare(b, confidence if len(both) > 1 else None, n_resamples, seed)
            for side, what in enumerate("ab" if confidence is not None else ""):
                common = list(chain.from_iterable(group[side] for group in both))
                found |= _ends(f"{name}_{what}", common, family, confidence)
            keys = [f"{name}_{what}{end}" for what in ("a", "b", "difference") for end in ends]
            result |= {key: found.get(key, nan) for key in (*keys, f"{name}_p_value")}
            systems = [list(chain.from_iterable(each)) for each in (outcomes, others)]
            judged = [sum(value is not None for value in values) for values in systems]
            strict = [fmean(WORST[family] if value is None else value for value in values) for values in systems]
            n = sum(len(group[0]) for group in both)
            result |= {f"{name}_{what}": value for what, value in zip(COUNTS, (n, *judged, *strict))}
        return result


def _sample(name: str, groups: list[tuple]) -> Sample:
    """A test's groups as their outcomes add up; a group may have several."""
    summands = np.array([[sum(group), len(group)] for group in groups], float).reshape(-1, 2)
    return Sample([name], summands, lambda sums: sums[..., :1] / sums[..., 1:])


def _ends(key: str, judged: list, family: str, confidence: float) -> dict:
    """{<key>_low, <key>_high} of a mean of outcomes, within 0 and 1."""
    low, high = interval(judged, family, confidence)
    return {f"{key}_low": max(low, 0.0), f"{key}_high": min(high, 1.0)}


def interval(judged: list, family: str, confidence: float) -> tuple[float, float]:
    """The ends of the interval of a mean of outcomes, not cut at 0 and 1; NaN where there are none."""
    z = Z95 if confidence == 0.95 else NormalDist().inv_cdf((1 + confidence) / 2)
    return _around(np.array(judged), z) if family == "C" else wilson(fmean(judged) if judged else nan, len(judged), z)


def wilson(share: float, n: int, z: float = Z95) -> tuple[float, float]:
    """The ends of Wilson's interval of a share of n, of 95 % if z is not another; NaN where n is 0.

    >>> [round(end, 3) for end in wilson(1.0, 1)], [round(end, 3) for end in wilson(0.5, 100)]
    ([0.207, 1.0], [0.404, 0.596])
    """
    if not n:
        return nan, nan
    square = z * z / n
    middle, half = share + square / 2, z * sqrt(share * (1 - share) / n + square / (4 * n))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def _around(values: np.ndarray, z: float) -> tuple[float, float]:
    """z standard errors to both sides of the mean; NaN where there are no values."""
    if not len(values):
        return nan, nan
    mean, half = float(values.mean()), z * float(values.std()) / sqrt(len(values))
    return mean - half, mean + half


def band_scores(known: dict[str, list[tuple]]) -> dict:
    """Accuracy by frequency from {test: (frequency, outcome) of each translation} (tables 5 and 6)."""
    result = {}
    for name in (name for name in CONTRASTS if name in known):
        by_band = {key: [] for key in BANDS}
        for frequency, value in known[name]:
            if value is not None:
                by_band[band(frequency)].append(value)
        for key, judged in by_band.items():
            result[f"{name}_frequency_{key}"] = float(np.mean(judged)) if judged else nan
            result[f"{name}_frequency_{key}_n"] = len(judged)
    return result


def significance(result: dict, sizes: Sequence = SIZES) -> dict:
    """Half-width of the 95 % interval of each test's score, if the suite had other sizes (paper, table 7).

    It is 1.96 standard errors, as sampling with replacement gives it (paper, section 4.4.1).

    Args:
        result: what `compute` returned; for tests A and B {test: accuracy} will do.
        sizes: numbers of groups.

    Returns:
        {test: {size: half-width}}.

    Raises:
        ValueError: no test in the result, a size below 1, or an entropy without its _n and _ci95.
    """
    sizes = list(sizes) if is_listing(sizes) else [sizes]
    for size in sizes:
        if not is_integer(size, 1):
            raise ValueError(f"sizes: found {short_repr(size)}, expected an integer of at least 1, or a list of them")
    if not isinstance(result, Mapping):
        raise ValueError(f"result: found {short_repr(result)}, expected what compute returns")
    tests = [name for name in CONTRASTS if name in result]
    if not tests:
        raise ValueError(f"found no test in the result, expected one of {', '.join(CONTRASTS)}")
    return {name: {int(size): half_width(name, result, size) for size in sizes} for name in tests}


def half_width(name: str, result: dict, size: int) -> float:
    """Half-width of the 95 % interval of a test's score over ``size`` judged translations or groups."""
    if CONTRASTS[name].family != "C":
        if not isinstance(result[name], Real) or result[name] < 0 or result[name] > 1:
            raise ValueError(f"{name}: found {short_repr(result[name])}, expected an accuracy from 0 to 1")
        return Z95 * sqrt(result[name] * (1 - result[name]) / size)
    for key in (f"{name}_n", f"{name}_ci95"):
        if key not in result:
            raise ValueError(f"found no {name}_n and {name}_ci95, expected them with an entropy")
        if not isinstance(result[key], Real) or not 0 <= result[key] <= 2**63:
            raise ValueError(f"{key}: found {short_repr(result[key])}, expected what compute returns")
    return result[f"{name}_ci95"] * sqrt(result[f"{name}_n"] / size)


def groups_needed(first: float = 0.98, second: float = 0.99, power: float = 0.8, level: float = 0.05) -> dict:
    """How many groups a test needs to tell two systems' accuracies apart.

    Two proportions, each of n groups of its own (Fleiss, Levin and Paik 2003, section 4.2, without continuity
    correction): n = (z_a sqrt(2 p q) + z_b sqrt(p1 q1 + p2 q2))^2 / (p1 - p2)^2, with p the mean of both. On the same
    groups (Connor 1987, for McNemar's test): n = (z_a sqrt(d) + z_b sqrt(d - (p1 - p2)^2))^2 / (p1 - p2)^2, with d the
    share of groups on which one is right and the other wrong: at least |p1 - p2|, and p1 q2 + p2 q1 where errors are
    independent.

    Args:
        first, second: the accuracies, different, between 0 and 1.
        power: the probability to find the difference.
        level: the two-sided significance level.

    Returns:
        {"separate": n, "paired_independent": n, "paired_nested": n}, the latter where the better system's errors are
        all among the other's.

    Raises:
        ValueError: a value that is not between 0 and 1, or equal accuracies.
    """
    for name, value in (("first", first), ("second", second), ("power", power), ("level", level)):
        if not is_number(value) or not 0 < value < 1:
            raise ValueError(f"{name}: found {short_repr(value)}, expected a number between 0 and 1")
    if first == second:
        raise ValueError(f"second: found {short_repr(second)}, expected another accuracy than the first")
    z_level, z_power = NormalDist().inv_cdf(1 - level / 2), NormalDist().inv_cdf(power)
    difference, mean = abs(first - second), (first + second) / 2

    def groups(null: float, variance: float) -> int:
        return ceil(((z_level * sqrt(null) + z_power * sqrt(variance)) / difference) ** 2)

    def paired(discordant: float) -> int:
        return groups(discordant, discordant - difference**2)

    return {
        "separate": groups(2 * mean * (1 - mean), first * (1 - first) + second * (1 - second)),
        "paired_independent": paired(first * (1 - second) + second * (1 - first)),
        "paired_nested": paired(difference),
    }


def comparison_table(comparison: dict) -> str:
    """Both systems and their difference where both are judged, and on how many, a row of Markdown for each test.

    n has the judged of both, and of each; a and b strict are the scores of all groups, those rejected as failed.

    Args:
        comparison: what `compare` returned.

    Raises:
        ValueError: anything else.
    """
    if not isinstance(comparison, Mapping) or not any(f"{name}_difference" in comparison for name in CONTRASTS):
        raise ValueError(f"comparison: found {short_repr(comparison)}, expected what compare returns")
    heads = ("test", "a", "b", "a - b", "95 %", "p", "n (a, b)", "strict a, b")
    rows = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    for name in (name for name in CONTRASTS if f"{name}_difference" in comparison):
        a, b, difference, low, high, p_value = (comparison[f"{name}_{end}"] for end in ENDINGS)
        n, n_a, n_b, *strict = (comparison[f"{name}_{end}"] for end in COUNTS)
        cells = f"{a:.3f}", f"{b:.3f}", f"{difference:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{p_value:.4f}"
        cells = ("–" if "nan" in cell else cell for cell in cells)  # too few judged for both
        rows.append(f"| {' | '.join((name, *cells, f'{n} ({n_a}, {n_b})', '{:.3f}, {:.3f}'.format(*strict)))} |")
    return "\n".join(rows)
