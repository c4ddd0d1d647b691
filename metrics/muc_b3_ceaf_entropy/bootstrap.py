"""The bootstrap of statistics that some draws leave undefined, by scipy.

This file is vendored: `metrics/_common/bootstrap.py` is the source, `make vendor` copies it into the metric folders.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import bootstrap

BATCH_NUMBERS = 2_000_000  # about how many numbers are looked at together: 16 MB


def bootstrap_draws(
    samples: Sequence, statistic: Callable, n_resamples: int, seed: int, numbers: int = 1
) -> np.ndarray:
    """A statistic of samples drawn with replacement (Efron 1979).

    scipy warns of draws that leave it undefined (NaN), and warnings cannot be switched off in one thread alone: what
    scipy gets to see is therefore 0 in their place.

    Args:
        samples: one array of items or more, each with at least two; they are drawn apart.
        statistic: statistic(*drawn, axis) gives shape (..., draws) for arrays of shape (draws, items), axis being -1.
        n_resamples: number of draws.
        seed: of the draws.
        numbers: how many numbers the statistic looks at for one draw; as many draws as memory has room for are done
            together.

    Returns:
        (..., n_resamples), NaN where undefined.
    """
    found = []

    def defined(*drawn, axis):
        with np.errstate(invalid="ignore", divide="ignore"):
            found.append(np.asarray(statistic(*drawn, axis=axis), float))
        return np.nan_to_num(found[-1], posinf=0.0, neginf=0.0)

    bootstrap(
        samples,
        defined,
        vectorized=True,
        method="percentile",
        n_resamples=max(n_resamples, 2),  # scipy warns of a standard error of one
        batch=max(1, BATCH_NUMBERS // numbers),
        rng=np.random.default_rng(seed),
    )
    return np.concatenate(found, axis=-1)[..., :n_resamples]


def percentiles(draws: np.ndarray, quantiles: Sequence) -> np.ndarray:
    """Quantiles of the defined draws: (..., quantiles) for (..., draws); NaN where there is none."""
    rows = draws.reshape(-1, draws.shape[-1])
    result = np.full((len(rows), len(quantiles)), np.nan)
    some = ~np.isnan(rows).all(axis=1)
    if some.any():
        result[some] = np.nanquantile(rows[some], quantiles, axis=1).T
    return result.reshape(*draws.shape[:-1], len(quantiles))
