"""Bootstrapping statistics that are undefined in some draws, beside a literal one; in threads."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.stats import bootstrap

from metrics._common import common_statistics
from metrics._common.common_statistics import bootstrap_draws, percentiles

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
