"""Intervals and the test of two systems, beside slow literal versions and scipy."""

import itertools
import math
import random
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, permutation_test

from metrics._common import common_statistics
from metrics._common.common_statistics import (
    Sample,
    bootstrap_draws,
    bootstrap_interval,
    exact_sums,
    holm,
    percentiles,
    randomisation_p_values,
    rate_interval,
)

NUMBERS = np.random.default_rng(0).normal(1.0, 2.0, 30)
OTHERS = NUMBERS + np.random.default_rng(1).normal(0.3, 1.0, 30)


def ratio(sums):
    """A score that is no mean: of two sums, 0/0 undefined."""
    return sums[..., :1] / sums[..., 1:2]


def sample(numbers=NUMBERS):
    return Sample.of_means({"score": numbers})


# ---- Sums ----


def test_sums_are_rounded_once():
    """0.1 ten times is 1, whatever the order; numpy's sum of the columns is not."""
    column = np.array([0.1] * 10 + [1e17, 1.0, -1e17])
    assert exact_sums(np.stack([column, column[::-1]], axis=1)).tolist() == [math.fsum(column)] * 2 == [2.0, 2.0]


def test_means():
    both = Sample.of_means({"score": [1, 2, 6], "rate": [True, False, True]})
    assert both.scores() == {"score": 3.0, "rate": 2 / 3}
    assert both.each() == [{"score": 1, "rate": 1}, {"score": 2, "rate": 0}, {"score": 6, "rate": 1}]


# ---- Intervals ----


@pytest.mark.parametrize("together", [1, 70, 10**6])
def test_interval_is_the_literal_one(monkeypatch, together):
    """Of multinomial draws of the sorted examples, whatever number is drawn at a time."""
    monkeypatch.setattr(common_statistics, "BATCH_NUMBERS", together)
    rows = np.array([[0.0, 1.0], [3.0, 1.0], [1.0, 2.0], [0.0, 0.0]])
    found = bootstrap_interval(rows, ratio, 0.8, 200, 5)
    generator, values = np.random.default_rng(5), []
    for weights in generator.multinomial(4, [0.25] * 4, 200):
        ordered = sorted(rows.tolist(), key=lambda row: row[::-1])
        drawn = [row for row, times in zip(ordered, weights) for _ in range(times)]
        numerator, denominator = (sum(column) for column in zip(*drawn))
        values += [numerator / denominator] if denominator else []
    assert 0 < len(values) < 200  # some draws are undefined
    assert [end[0] for end in found] == pytest.approx(np.quantile(values, [0.1, 0.9]).tolist())


def test_one_example_has_no_interval():
    one = Sample.of_means({"score": NUMBERS[:1], "rate": [1]}, ["rate"])
    with pytest.warns(UserWarning, match="found one example alone"):
        found = one.intervals(0.95, 100, 0)
    names = [f"{key}_{end}" for key in ("score", "rate") for end in ("low", "high")]
    assert list(found) == names and all(map(math.isnan, found.values()))
    assert one.intervals(None, 100, 0) == {}


# ---- Draws of items, in some of which a statistic is undefined ----

RATES = np.array([0.0, 0.0, 1.0, 3.0])


def share(drawn):
    """0/0 where only the first two are drawn."""
    return (drawn == 3.0).sum(axis=-1) / (drawn > 0).sum(axis=-1)


@pytest.mark.parametrize("together", [1, 7, 1000])
def test_draws_are_literal_ones(monkeypatch, together):
    monkeypatch.setattr(common_statistics, "BATCH_NUMBERS", together)
    draws = bootstrap_draws((RATES,), share, 300, 1)
    random = np.random.default_rng(1)
    literal = [RATES[random.integers(0, 4, (min(together, 300 - k), 4))] for k in range(0, 300, together)]
    with np.errstate(invalid="ignore"):
        expected = np.concatenate([share(drawn) for drawn in literal])
    np.testing.assert_array_equal(draws, expected)
    assert 0 < np.isnan(draws).mean() < 0.2


def test_infinite_draws_stay_so():
    """Some draws divide by nothing, which is no warning."""
    draws = bootstrap_draws((RATES,), lambda drawn: 1 / drawn.min(axis=-1), 50, 1)
    assert np.isinf(draws).any() and np.isfinite(draws).any()


def test_samples_are_drawn_apart_as_by_scipy():
    samples = RATES, np.array([5.0, 7.0])
    expected = bootstrap(
        samples,
        lambda one, other, axis: one.mean(axis=axis) - other.mean(axis=axis),
        n_resamples=200,
        method="percentile",
        rng=np.random.default_rng(3),
    )
    draws = bootstrap_draws(samples, lambda one, other: one.mean(axis=-1) - other.mean(axis=-1), 200, 3)
    np.testing.assert_array_equal(draws, expected.bootstrap_distribution)


def test_percentiles_are_those_of_the_defined():
    draws = np.array([[1.0, np.nan, 3.0, 2.0], [np.nan] * 4, [5.0] * 4])
    np.testing.assert_array_equal(percentiles(draws, (0, 0.5, 1)), [[1, 2, 3], [np.nan] * 3, [5] * 3])
    np.testing.assert_array_equal(percentiles(draws[0], (0.5,)), [2])


def test_filters_for_warnings_stay_as_they_are():
    """Whatever other threads do; an undefined draw gives no warning even if warnings are errors."""
    before = list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: bootstrap_draws((RATES[:2],), share, 50, seed), range(40)))
    assert np.isnan(found).all() and list(warnings.filters) == before


# ---- Rates ----


@pytest.mark.parametrize(
    "k, n, printed",
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))],
)
def test_intervals_of_rates_are_the_printed_ones(k, n, printed):
    """Newcombe (1998), table I, method 3."""
    assert rate_interval(k / n, n, 0.95) == pytest.approx(printed, abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.999))
def test_intervals_of_rates_are_scipys(share, confidence):
    k, n = share
    low, high = rate_interval(k / n, n, confidence)
    assert (low, high) == pytest.approx(tuple(binomtest(k, n).proportion_ci(confidence, "wilson")), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1


def test_rates_are_told_by_name():
    """A mean of zeros and ones need not be a rate, and a rate is one at whatever value; order does not matter."""
    ones, halves = [1.0] * 6, [1, 0, 1, 0, 0, 1]
    found = Sample.of_means({"mean": ones, "rate": ones, "half": halves}, ["rate", "half"]).intervals(0.9, 50, 0)
    assert (found["mean_low"], found["mean_high"]) == (1.0, 1.0)
    assert (found["rate_low"], found["rate_high"]) == rate_interval(1.0, 6, 0.9)
    assert (found["half_low"], found["half_high"]) == rate_interval(0.5, 6, 0.9)
    turned = Sample.of_means({"half": halves[::-1]}, ["half"]).intervals(0.9, 50, 1)
    assert turned == {name: found[name] for name in ("half_low", "half_high")}
    for wrong in (0.5, math.nan, "1"):
        with pytest.raises(ValueError, match="found .*expected (0 or 1 for each example|numbers)"):
            Sample.of_means({"rate": [1, wrong]}, ["rate"])


def test_rates_of_two_systems():
    """Each has its own interval; that of the difference is drawn from the pairs, a point where these are alike."""
    a, b = (Sample.of_means({"rate": each}, ["rate"]) for each in ([1] * 10, [1, 0] * 5))
    found = a.compare(b, 0.95, 2000, 0)
    assert [found["rate_a_low"], found["rate_a_high"]] == [*rate_interval(1.0, 10, 0.95)]
    assert [found["rate_b_low"], found["rate_b_high"]] == [*rate_interval(0.5, 10, 0.95)]
    draws = bootstrap(([0, 1] * 5,), np.mean, n_resamples=2000, method="percentile", rng=2).confidence_interval
    assert [found["rate_difference_low"], found["rate_difference_high"]] == pytest.approx(list(draws), abs=0.1)
    same = a.compare(a, 0.95, 99, 0)
    assert same["rate_difference_low"] == same["rate_difference_high"] == 0.0


# ---- The order of examples ----


@given(st.randoms(use_true_random=False))
def test_the_order_of_examples_does_not_matter(shuffler):
    """Nor for a digit: of scores, intervals, differences and p-values."""
    order = list(range(30))
    shuffler.shuffle(order)
    first, second = sample(), sample(OTHERS)
    moved, others = sample(NUMBERS[order]), sample(OTHERS[order])
    assert first.scores() == moved.scores()
    assert first.intervals(0.9, 50, 3) == moved.intervals(0.9, 50, 3)
    assert first.compare(second, 0.9, 50, 3) == moved.compare(others, 0.9, 50, 3)


# ---- The paired test ----


def p_value(first, second, n_resamples=9999, seed=0):
    return randomisation_p_values(first.summands, second.summands, first.values, n_resamples, seed)[0]


@pytest.mark.parametrize("n", [2, 3, 7])
def test_exact_p_value_is_the_literal_one_and_scipys(n):
    a, b = NUMBERS[:n], OTHERS[:n]
    observed = abs(np.mean(a) - np.mean(b))
    extreme = 0
    for exchanged in itertools.product([False, True], repeat=n):
        x = [v if flip else u for u, v, flip in zip(a, b, exchanged)]
        y = [u if flip else v for u, v, flip in zip(a, b, exchanged)]
        extreme += abs(np.mean(x) - np.mean(y)) >= observed - 1e-12
    found = p_value(sample(a), sample(b))
    assert found == pytest.approx(extreme / 2**n)
    theirs = permutation_test(
        (a, b), lambda x, y: abs(x.mean() - y.mean()), permutation_type="samples", alternative="greater"
    )
    assert found == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("seed", [0, 1])
def test_random_p_value_is_the_literal_one(seed):
    a, b = NUMBERS[:20], NUMBERS[:20] + np.linspace(-1, 1.4, 20)
    pairs = np.array(sorted(zip(a, b), key=lambda pair: pair[::-1]))
    draws = np.random.default_rng(seed).integers(0, 2, (500, 20), dtype=np.int8)
    observed = abs(np.mean(a) - np.mean(b))
    as_large = 0
    for flips in draws:
        x, y = np.where(flips, pairs[:, ::-1].T, pairs.T)
        as_large += abs(x.mean() - y.mean()) >= observed - 1e-12
    assert p_value(sample(a), sample(b), 500, seed) == pytest.approx((as_large + 1) / 501)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=8), st.integers(0, 9))
def test_a_comparison_turned_round(pairs, seed):
    """The differences change their sign, the p-values stay; a system does not differ from itself."""
    a, b = (sample(np.array(side)) for side in zip(*pairs))
    one, other = a.compare(b, 0.8, 300, seed), b.compare(a, 0.8, 300, seed)  # all exchanges are tried
    assert one["score_difference"] == -other["score_difference"]
    assert one["score_p_value"] == other["score_p_value"]
    assert one["score_a"] == a.scores()["score"] == other["score_b"]
    assert one["score_difference_low"] <= one["score_difference_high"]
    same = a.compare(a, 0.8, 300, seed)
    assert same["score_p_value"] == 1.0
    assert same["score_difference_low"] == same["score_difference_high"] == same["score_difference"] == 0.0


def test_the_interval_of_a_difference_is_paired():
    """As scipy has it of the differences; each system's is its own."""
    found = sample().compare(sample(OTHERS), 0.9, 20_000, 1)
    for what, numbers in (("a", NUMBERS), ("b", OTHERS), ("difference", NUMBERS - OTHERS)):
        expected = bootstrap((numbers,), np.mean, n_resamples=20_000, confidence_level=0.9, method="percentile", rng=2)
        ends = [found[f"score_{what}_low"], found[f"score_{what}_high"]]
        assert ends == pytest.approx(list(expected.confidence_interval), abs=0.03), what
    names = [f"score_{what}{end}" for what in ("a", "b", "difference") for end in ("", "_low", "_high")]
    assert list(found) == [*names, "score_p_value"]
    assert list(sample().compare(sample(), None, 9, 1)) == ["score_a", "score_b", "score_difference", "score_p_value"]


# ---- Holm ----


def literal_holm(p_values):
    """One is rejected at a level if it and all smaller ones pass their own: the level over how many are left."""
    ranked = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    for place, i in enumerate(ranked):
        worst = max((len(ranked) - k) * p_values[j] for k, j in enumerate(ranked[: place + 1]))
        corrected[i] = min(1.0, worst)
    return corrected


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm(p_values):
    corrected = holm(p_values)
    assert corrected == pytest.approx(literal_holm(p_values))
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected))
    assert holm([math.nan, *p_values])[1:] == corrected  # what has no p-value is no test


# ---- What is left alone ----


def test_draws_are_left_alone():
    """Neither numpy's nor Python's own generator is moved, and no warning comes from what is undefined."""
    random.seed(1), np.random.seed(1)
    states = random.getstate(), np.random.get_state()[1].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = bootstrap_interval(np.zeros((3, 2)), ratio, 0.9, 20, 0)
    assert math.isnan(low[0]) and math.isnan(high[0])  # never defined
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states
