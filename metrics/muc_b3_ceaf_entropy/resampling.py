"""How far scores can be trusted: bootstrap intervals over documents, and a paired test between two systems.

A statistic here is a function from an integer array of document numbers, of shape (..., documents), to the scores of
those documents together, an array of shape (..., keys).
"""

import warnings

import numpy as np
from scipy.stats import bootstrap, permutation_test

BATCH_NUMBERS = 2_000_000  # about how many counts are gathered at once: 16 MB


def bootstrap_interval(statistic, n_documents: int, confidence: float, n_resamples: int, seed: int) -> tuple:
    """Percentile bootstrap (Efron 1979): documents drawn with replacement, all scores of a draw computed together.

    Returns:
        (low, high), two arrays of shape (keys,); NaN for a score that was undefined in some draw.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # undefined scores are reported as NaN, which scipy warns about
        interval = bootstrap(
            (np.arange(n_documents),),
            lambda documents, axis: np.moveaxis(statistic(documents), -1, 0),
            vectorized=True,
            method="percentile",
            confidence_level=confidence,
            n_resamples=n_resamples,
            batch=_batch(n_documents),
            rng=np.random.default_rng(seed),
        ).confidence_interval
    return interval.low, interval.high


def randomisation_p_values(statistic, n_documents: int, n_resamples: int, seed: int) -> np.ndarray:
    """Approximate randomisation (Noreen 1989), two-sided: the two systems' outputs are exchanged document by document.

    Document number d of the first system is d, of the second n_documents + d. With few documents (2 ** n_documents at
    most n_resamples) all exchanges are tried and the p-value is exact.

    Returns:
        One p-value per key; NaN for a score that was undefined for some exchange.
    """
    first = np.arange(n_documents)
    result = permutation_test(
        (first, first + n_documents),
        lambda a, b, axis: statistic(a) - statistic(b),
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_resamples,
        batch=_batch(n_documents),
        rng=np.random.default_rng(seed),
    )
    undefined = np.isnan(result.null_distribution).any(axis=0)
    return np.where(undefined, np.nan, result.pvalue)


def _batch(n_documents):
    return max(1, BATCH_NUMBERS // (50 * n_documents))
