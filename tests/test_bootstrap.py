"""The bootstrap of statistics that are undefined in some draws, beside a literal one; in threads, too."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from metrics._common import bootstrap
from metrics._common.bootstrap import bootstrap_draws, percentiles

RATES = np.array([0.0, 0.0, 1.0, 3.0])


def share(drawn, axis):
    """0/0 where only the first two are drawn."""
    return (drawn == 3.0).sum(axis=axis) / (drawn > 0).sum(axis=axis)


@pytest.mark.parametrize("together", [1, 7, 1000])
def test_draws_are_literal_ones(monkeypatch, together):
    monkeypatch.setattr(bootstrap, "BATCH_NUMBERS", together)
    draws = bootstrap_draws((RATES,), share, 300, 1)
    random = np.random.default_rng(1)
    literal = [RATES[random.integers(0, 4, (min(together, 300 - k), 4))] for k in range(0, 300, together)]
    with np.errstate(invalid="ignore"):
        expected = np.concatenate([share(drawn, -1) for drawn in literal])
    np.testing.assert_array_equal(draws, expected)
    assert 0 < np.isnan(draws).mean() < 0.2


def test_infinite_draws_stay_so():
    """Some draws divide by nothing; scipy's standard deviation is not to overflow."""
    with np.errstate(divide="ignore"):
        draws = bootstrap_draws((RATES,), lambda drawn, axis: 1 / drawn.min(axis=axis), 50, 1)
    assert np.isinf(draws).any() and np.isfinite(draws).any()


def test_a_single_draw():
    assert bootstrap_draws((RATES,), lambda drawn, axis: drawn.sum(axis=axis), 1, 1).shape == (1,)


def test_percentiles_are_those_of_the_defined():
    draws = np.array([[1.0, np.nan, 3.0, 2.0], [np.nan] * 4, [5.0] * 4])
    np.testing.assert_array_equal(percentiles(draws, (0, 0.5, 1)), [[1, 2, 3], [np.nan] * 3, [5] * 3])
    np.testing.assert_array_equal(percentiles(draws[0], (0.5,)), [2])


def test_filters_for_warnings_stay_as_they_are():
    """Whatever the threads do at the same time; an undefined draw is no warning even where warnings are errors."""
    before = list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: bootstrap_draws((RATES[:2],), share, 50, seed), range(40)))
    assert np.isnan(found).all() and list(warnings.filters) == before
