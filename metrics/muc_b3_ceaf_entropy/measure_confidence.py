"""How far scores can be trusted: bootstrap intervals over documents, and a paired test between two systems.

Both take what `measures.Corpus` has: summands of shape (documents, m), and the function from sums of them, of shape
(..., m), to scores of shape (..., keys). A draw is a weight for each document, so that many draws are one product of
matrices.
"""

from collections.abc import Callable, Iterator

import numpy as np

from .common import BATCH_NUMBERS, percentiles

NEGLIGIBLE = 1e-12  # a rounding error, not a difference


def bootstrap_interval(summands: np.ndarray, values: Callable, confidence: float, n_resamples: int, seed: int) -> tuple:
    """Percentile bootstrap (Efron 1979): documents drawn with replacement, all scores of a draw computed together.

    How often each document is drawn is multinomial.

    Returns:
        (low, high), two arrays of shape (keys,), over the draws in which a score is defined; NaN if it never is.
    """
    n, rng = len(summands), np.random.default_rng(seed)
    shares = np.full(n, 1 / n)
    weights = (rng.multinomial(n, shares, size) for size in _batches(n_resamples, n))
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = np.concatenate([values(drawn.astype(float) @ summands) for drawn in weights])
    return tuple(percentiles(draws.T, [(1 - confidence) / 2, (1 + confidence) / 2]).T)


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
    totals, changes = (first.sum(axis=0), second.sum(axis=0)), second - first
    observed = values(totals[0]) - values(totals[1])
    is_exact = 2 ** len(first) <= n_resamples
    as_large, defined = np.zeros(len(observed)), ~np.isnan(observed)
    for exchanged in _all_exchanges(len(first)) if is_exact else _exchanges(len(first), n_resamples, seed):
        moved = exchanged.astype(float) @ changes
        differences = values(totals[0] + moved) - values(totals[1] - moved)
        as_large += (np.abs(differences) >= np.abs(observed) - NEGLIGIBLE).sum(axis=0)
        defined &= ~np.isnan(differences).any(axis=0)
    # What was observed is one of all exchanges; of random ones it is one more.
    p_values = as_large / 2 ** len(first) if is_exact else (as_large + 1) / (n_resamples + 1)
    return np.where(defined, p_values, np.nan)


def _all_exchanges(n: int) -> Iterator[np.ndarray]:
    """All ways to exchange some of n documents, in batches of shape (ways, n)."""
    done = 0
    for size in _batches(2**n, n):
        yield np.arange(done, done + size)[:, None] >> np.arange(n) & 1
        done += size


def _exchanges(n: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Random exchanges of n documents, in batches of shape (draws, n)."""
    rng = np.random.default_rng(seed)
    for size in _batches(n_resamples, n):
        yield rng.integers(0, 2, (size, n), dtype=np.int8)


def _batches(n_resamples: int, n: int) -> Iterator[int]:
    """Sizes of batches of draws that fit into memory together."""
    most = max(1, BATCH_NUMBERS // n)
    for done in range(0, n_resamples, most):
        yield min(most, n_resamples - done)
