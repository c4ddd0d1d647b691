"""How far scores can be trusted: bootstrap intervals over documents, and a paired test between two systems.

Both take what `measures.Corpus` has: summands of shape (documents, m), and the function from sums of them, of shape
(..., m), to scores of shape (..., keys).
"""

from collections.abc import Callable

import numpy as np
from scipy.stats import permutation_test

from .common import BATCH_NUMBERS, bootstrap_draws, percentiles


def bootstrap_interval(summands: np.ndarray, values: Callable, confidence: float, n_resamples: int, seed: int) -> tuple:
    """Percentile bootstrap (Efron 1979): documents drawn with replacement, all scores of a draw computed together.

    Returns:
        (low, high), two arrays of shape (keys,), over the draws in which a score is defined; NaN if it never is.
    """
    draws = bootstrap_draws(
        (np.arange(len(summands)),),
        lambda documents: np.moveaxis(values(summands[documents].sum(axis=-2)), -1, 0),
        n_resamples,
        seed,
        numbers=summands.size,
    )
    return tuple(percentiles(draws, [(1 - confidence) / 2, (1 + confidence) / 2]).T)


def randomisation_p_values(
    first: np.ndarray, second: np.ndarray, values: Callable, n_resamples: int, seed: int
) -> np.ndarray:
    """Approximate randomisation (Noreen 1989), two-sided: the systems' outputs are exchanged document by document.

    With few documents (2 ** documents at most n_resamples) all exchanges are tried and the p-value is exact.

    Args:
        first: the first system's summands.
        second: the second system's, for the same documents.
        values, n_resamples, seed: see above.

    Returns:
        One p-value per key; NaN for a score that is undefined for a system or for some exchange.
    """
    n = len(first)
    totals, exchanged = (first.sum(axis=0), second.sum(axis=0)), second - first

    def difference(documents, _, axis):
        """Documents are numbered 0..n-1 in the first system and n..2n-1 in the second."""
        moved = (documents >= n).astype(float) @ exchanged
        return np.round(values(totals[0] + moved) - values(totals[1] - moved), 12)  # rounding errors are no difference

    result = permutation_test(
        (np.arange(n), np.arange(n, 2 * n)),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_resamples,
        batch=max(1, BATCH_NUMBERS // n),
        rng=np.random.default_rng(seed),
    )
    undefined = np.isnan(result.statistic) | np.isnan(result.null_distribution).any(axis=0)
    return np.where(undefined, np.nan, result.pvalue)
