"""From what counts (1.0, 0.0, an entropy, None for rejected) to figures, their intervals and their differences."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import ceil, isnan, nan, sqrt
from numbers import Real
from statistics import NormalDist, fmean

import numpy as np

from .common import argument, input_error, is_integer, is_listing, is_number, short_repr, warn
from .common_statistics import Sample, wilson
from .contrastive_tests import CONTRASTS
from .frequencies import BANDS, band

Z95 = 1.96
# What a comparison says of a test, and on what.
ENDINGS = ("a", "b", "difference", "difference_low", "difference_high", "p_value")
COUNTS, STRICT = ("n", "n_a", "n_b"), ("strict_a", "strict_b")
HEADLINE = ("score", "A", "B", "C")
SET_C = tuple(name for name, contrast in CONTRASTS.items() if contrast.family == "C")
WORST = {"A": 0.0, "B": 0.0, "C": 1.0}  # outcome of a failure, by set
SIZES = (1000, 750, 500, 250, 100)  # those of table 7


class Outcomes:
    """What counts of each group, of each of its tests: in the place of a `Sample`, for each test by itself.

    Args:
        groups: of each group {test: its outcomes}.
        strict: what is rejected counts as failed.
    """

    def __init__(self, groups: list[dict], strict: bool = False):
        self.groups, self.strict = groups, strict
        by_test = {name: [group[name] for group in groups if name in group] for name in CONTRASTS}
        by_test = {name: outcomes for name, outcomes in by_test.items() if outcomes}
        self.n_rejected = {name: list(chain.from_iterable(values)).count(None) for name, values in by_test.items()}
        for name, outcomes in by_test.items() if strict else ():
            by_test[name] = [strictly(name, values) for values in outcomes]
        self.by_test = by_test

    def suite_scores(self, confidence: float | None) -> dict:
        """Keys of the result: the headline, of each test, then means over tests.

        An accuracy has the interval of Wilson (1927), which is no point where all groups pass; a mean entropy has
        1.96 standard errors (for 95 %) to both sides, within 0 and 1; of one group it has none. `ci95` is half of what
        lies between the ends of the 95 % interval.
        """
        result: dict[str, float] = {}
        for name, outcomes in self.by_test.items():
            family = CONTRASTS[name].family
            judged = [value for value in chain.from_iterable(outcomes) if value is not None]
            result[name] = fmean(judged) if judged else nan
            result |= {f"{name}_n": len(judged), f"{name}_rejected": self.n_rejected[name]}
            low, high = interval(judged, family, 0.95)
            result[f"{name}_ci95"] = (high - low) / 2
            if confidence is not None:
                result |= _ends(name, judged, family, confidence)
        if confidence is not None:
            alone = [name for name in self.by_test if CONTRASTS[name].family == "C" and result[f"{name}_n"] == 1]
            _warn_of_one_group(alone, "interval")
        accuracies, sets = as_accuracies(result), _sets(self.by_test)
        means = {name: _mean([accuracies[test] for test in tests]) for name, tests in sets.items()}
        of_all = sum(len(values) for each in self.by_test.values() for values in each)
        means = {"score": means["score"], "morpheval": means["score"], **means}
        means["rejected_rate"] = sum(self.n_rejected.values()) / of_all
        del sets["score"]
        averages = {f"average_{name.lower()}": _mean([result[test] for test in sets[name]]) for name in sets}
        return means | result | averages

    def scores(self) -> dict:
        """{name: score} of the headline and of the tests."""
        result = self.suite_scores(None)
        return {name: result[name] for name in (*HEADLINE, *self.by_test) if name in result}

    def intervals(self, confidence: float | None, *_) -> dict:
        """{<test>_low, <test>_high} of each score; nothing without a confidence."""
        return {name: v for name, v in self.suite_scores(confidence).items() if name.endswith(("_low", "_high"))}

    def each(self) -> list[dict]:
        """{test: score} of every group by itself."""
        return [Outcomes([group], self.strict).scores() for group in self.groups]

    def compare(self, other: "Outcomes", confidence: float | None, n_resamples: int, seed: int) -> dict:
        """Keys of a comparison with another system on the same groups.

        Only what is judged for both counts: else a system could gain by what is rejected for it alone. Draws and
        exchanges are of groups, both systems' outcomes of a group together (Koehn 2004). From one group nothing can be
        drawn: the difference's interval and p-value are NaN, with a warning.
        """
        result: dict[str, float] = {}
        alone: list[str] = []
        for name, outcomes in self.by_test.items():
            others = other.by_test[name]
            a, b = judged_for_both(outcomes, others)
            result |= _compared(name, a, b, confidence, n_resamples, seed)
            systems = [list(chain.from_iterable(groups)) for groups in (outcomes, others)]
            judged = [sum(value is not None for value in values) for values in systems]
            strict = [fmean(strictly(name, values)) for values in systems]
            counts = zip(COUNTS + STRICT, (sum(map(len, a)), *judged, *strict), strict=True)
            result |= {f"{name}_{what}": value for what, value in counts}
            alone += [name] if len(a) == 1 else []
        _warn_of_one_group(alone, "interval of the difference and no test")
        return self._headlines(other, as_accuracies(result), confidence, n_resamples, seed) | result

    def _headlines(self, other: "Outcomes", of_tests: dict, confidence: float | None, *drawing: int) -> dict:
        samples = self._headline_sample(other), other._headline_sample(self)
        found = samples[0].compare(samples[1], confidence if len(self.groups) > 1 else None, *drawing)
        result: dict[str, float] = {}
        for name, tests in _sets(self.by_test).items():
            alone = sum(not group.keys().isdisjoint(tests) for group in self.groups) < 2
            sure = {key: found[key] for key in (f"{name}_{what}" for what in ("a", "b", "difference"))}
            result |= _named(name, sure if alone else found, confidence)
            result |= {f"{name}_{what}": sum(of_tests[f"{test}_{what}"] for test in tests) for what in COUNTS}
            result |= {f"{name}_{what}": fmean(of_tests[f"{test}_{what}"] for test in tests) for what in STRICT}
        return result

    def _headline_sample(self, other: "Outcomes") -> Sample:
        """The headline where both are judged: a group adds to its tests, of whose accuracies it is the mean."""
        names, sets = list(self.by_test), _sets(self.by_test)
        table = np.zeros((len(self.groups), 2, len(names)))
        for i, name in enumerate(names):
            rows = (row for row, group in enumerate(self.groups) if name in group)
            for row, mine, theirs in zip(rows, self.by_test[name], other.by_test[name], strict=True):
                judged = [own for own, others in zip(mine, theirs, strict=True) if None not in (own, others)]
                table[row, :, i] = len(judged) - sum(judged) if name in SET_C else sum(judged), len(judged)

        def means(sums: np.ndarray) -> np.ndarray:
            totals, counts = np.split(sums, 2, axis=-1)
            accuracies = np.where(counts > 0, totals / counts, 0.0)
            places = ([names.index(test) for test in tests] for tests in sets.values())
            return np.stack([accuracies[..., p].sum(-1) / (counts[..., p] > 0).sum(-1) for p in places], axis=-1)

        return Sample(list(sets), table.reshape(len(table), -1), means)


def strictly(name: str, outcomes: list) -> list[float]:
    """The outcomes of a test, rejected as failed."""
    return [WORST[CONTRASTS[name].family] if value is None else value for value in outcomes]


def as_accuracies(scores: Mapping) -> dict:
    """The figures of `compute` or `compare`, with those of set C as one less the entropy: more is better in all."""
    turned = dict(scores)
    for name in SET_C:
        for what in ("", "_a", "_b", "_strict_a", "_strict_b", "_difference"):
            for end, other in (("", ""), ("_low", "_high"), ("_high", "_low")):
                if f"{name}{what}{other}" in scores:
                    whole = 0.0 if what == "_difference" else 1.0
                    turned[f"{name}{what}{end}"] = whole - scores[f"{name}{what}{other}"]
    return turned


def _sets(tests: Iterable[str]) -> dict[str, list[str]]:
    """What a headline has: {"score": all tests, and of each set its own}."""
    sets = {"score": list(tests)}
    for name in sets["score"]:
        sets.setdefault(CONTRASTS[name].family, []).append(name)
    return sets


def _mean(values: list[float]) -> float:
    """The mean of what is defined; NaN of nothing."""
    defined = [value for value in values if value == value]
    return fmean(defined) if defined else nan


def judged_for_both(first: list[list], second: list[list]) -> tuple[list[list], list[list]]:
    """Of each group both systems' outcomes that are judged for both; groups without any are left out."""
    a, b = [], []
    for own, others in zip(first, second, strict=True):
        pairs = [pair for pair in zip(own, others, strict=True) if None not in pair]
        if pairs:
            a.append([mine for mine, _ in pairs])
            b.append([theirs for _, theirs in pairs])
    return a, b


def _compared(name: str, a: list[list], b: list[list], confidence: float | None, n_resamples: int, seed: int) -> dict:
    """A test's scores of two systems on the same groups, and their difference, with intervals; its p-value."""
    found = _sample(name, a).compare(_sample(name, b), confidence if len(a) > 1 else None, n_resamples, seed)
    if confidence is not None:
        for system, groups in (("a", a), ("b", b)):
            found |= _ends(f"{name}_{system}", list(chain.from_iterable(groups)), CONTRASTS[name].family, confidence)
    return _named(name, found, confidence)


def _named(name: str, found: dict, confidence: float | None) -> dict:
    """What was found of one score, in order; NaN for an interval that there is none of."""
    ends = ("", "_low", "_high") if confidence is not None else ("",)
    keys = [f"{name}_{what}{end}" for what in ("a", "b", "difference") for end in ends]
    return {key: found.get(key, nan) for key in (*keys, f"{name}_p_value")}


def _sample(name: str, groups: list[list]) -> Sample:
    """A test's groups as their outcomes add up; a group may have several."""
    summands = np.array([[sum(group), len(group)] for group in groups], float).reshape(-1, 2)
    return Sample([name], summands, lambda sums: sums[..., :1] / sums[..., 1:])


def _ends(key: str, judged: list, family: str, confidence: float) -> dict:
    """{<key>_low, <key>_high} of a mean of outcomes, within 0 and 1."""
    low, high = interval(judged, family, confidence)
    return {f"{key}_low": max(low, 0.0), f"{key}_high": min(high, 1.0)}


def interval(judged: list, family: str, confidence: float) -> tuple[float, float]:
    """The ends of the interval of a mean of outcomes, not cut at 0 and 1; NaN where nothing is known of it.

    That of a mean entropy comes from the spread of the groups, of which a group alone has none. Where all groups are
    alike it is Wilson's, since values from 0 to 1 vary no more than those that are 0 or 1 and have the same mean.
    """
    z = Z95 if confidence == 0.95 else NormalDist().inv_cdf((1 + confidence) / 2)
    n = len(judged)
    if family == "C" and n < 2:
        return nan, nan
    if family == "C" and min(judged) < max(judged):
        values = np.array(judged)
        mean, half = float(values.mean()), z * float(values.std()) / sqrt(n)
        return mean - half, mean + half
    return wilson(fmean(judged) if judged else nan, n, z)


def _warn_of_one_group(names: list[str], lacking: str) -> None:
    """Say of which tests there is one group, of which nothing can be drawn."""
    if names:
        warn(f"found one group alone of {', '.join(names)}, which has no {lacking}; expected two groups or more")


def band_scores(known: dict[str, list[tuple]]) -> dict:
    """Accuracy by frequency from {test: (frequency, outcome) of each translation} (tables 5 and 6)."""
    result = {}
    for name in (name for name in CONTRASTS if name in known):
        by_band: dict[str, list[float]] = {key: [] for key in BANDS}
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
        {test: {size: half-width}}; NaN where the result's own is.

    Raises:
        ValueError: no test in the result, a size below 1, or an entropy without its _n and _ci95.
    """
    sizes = list(sizes) if is_listing(sizes) else [sizes]
    for size in sizes:
        if not is_integer(size, 1):
            raise input_error(argument("sizes"), short_repr(size), "an integer of at least 1, or a list of them")
    if not isinstance(result, Mapping):
        raise input_error(argument("result"), short_repr(result), "a result of compute")
    tests = [name for name in CONTRASTS if name in result]
    if not tests:
        raise input_error("", "no test in the result", f"one of {', '.join(CONTRASTS)}")
    return {name: {int(size): half_width(name, result, size) for size in sizes} for name in tests}


def half_width(name: str, result: dict, size: int) -> float:
    """Half-width of the 95 % interval of a test's score over ``size`` judged translations or groups."""
    if CONTRASTS[name].family != "C":
        if not isinstance(result[name], Real) or result[name] < 0 or result[name] > 1:
            raise input_error(name, short_repr(result[name]), "an accuracy from 0 to 1")
        return Z95 * sqrt(result[name] * (1 - result[name]) / size)
    for key in (f"{name}_n", f"{name}_ci95"):
        if key not in result:
            raise input_error("", f"no {name}_n and {name}_ci95", "both with an entropy")
        unknown = key.endswith("_ci95") and isinstance(result[key], float) and isnan(result[key])  # of one group
        if not unknown and not (isinstance(result[key], Real) and 0 <= result[key] <= 2**63):
            raise input_error(key, short_repr(result[key]), "a number of compute's result")
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
            raise input_error(name, short_repr(value), "a number between 0 and 1")
    if first == second:
        raise input_error(argument("second"), short_repr(second), "another accuracy than the first")
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
    """Both systems and their difference where both are judged, and on how many, a row of Markdown for each score.

    All are accuracies, that of a test of set C is one less its entropy; score, A, B and C are means over tests. n has
    the judged of both, and of each; a and b strict are the scores of all groups, those rejected as failed.

    Args:
        comparison: what `compare` returned.

    Raises:
        ValueError: anything else.
    """
    if not isinstance(comparison, Mapping) or not any(f"{name}_difference" in comparison for name in CONTRASTS):
        raise input_error(argument("comparison"), short_repr(comparison), "a result of compare")
    comparison = as_accuracies(comparison)
    heads = ("accuracy; of C 1 - entropy", "a", "b", "a - b", "95 %", "p", "n (a, b)", "strict a, b")
    rows = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    for name in (name for name in (*HEADLINE, *CONTRASTS) if f"{name}_difference" in comparison):
        a, b, difference, low, high, p_value = (comparison[f"{name}_{end}"] for end in ENDINGS)
        n, n_a, n_b, *strict = (comparison[f"{name}_{end}"] for end in COUNTS + STRICT)
        cells = f"{a:.3f}", f"{b:.3f}", f"{difference:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{p_value:.4f}"
        known = ("–" if "nan" in cell else cell for cell in cells)  # too few judged for both
        rows.append(f"| {' | '.join((name, *known, f'{n} ({n_a}, {n_b})', '{:.3f}, {:.3f}'.format(*strict)))} |")
    return "\n".join(rows)
