"""Two partitions of a document's mentions, crossed into one sparse table.

Every measure is a formula on this table, so the mentions themselves are looked at only once, here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

import numpy as np


@dataclass(frozen=True)
class Contingency:
    """How the classes of the key and of the response overlap.

    All fields are one-dimensional integer arrays. A cell exists only where two classes share a mention, so a
    document of n mentions has at most n cells. Mentions that only one side has (twinless mentions) are in the
    sizes but in no cell.

    Attributes:
        key_sizes: |K_i| for every key class.
        response_sizes: |R_j| for every response class.
        rows: key class i of every cell.
        columns: response class j of every cell.
        counts: |K_i ∩ R_j| > 0 of every cell.
    """

    key_sizes: np.ndarray
    response_sizes: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    counts: np.ndarray

    @cached_property
    def missing(self) -> np.ndarray:
        """Number of mentions of every key class that the response does not have."""
        return self.key_sizes - self.sum_by_key(self.counts).astype(np.int64)

    @cached_property
    def transposed(self) -> "Contingency":
        """The table with key and response exchanged: what is recall here is precision there."""
        return Contingency(self.response_sizes, self.key_sizes, self.columns, self.rows, self.counts)

    def sum_by_key(self, values: np.ndarray) -> np.ndarray:
        """Sum the values of the cells over each key class: one float per key class."""
        return np.bincount(self.rows, values, minlength=len(self.key_sizes))

    def max_by_key(self, values: np.ndarray) -> np.ndarray:
        """The largest of the cells' values in each key class, 0 where it has no cell."""
        largest = np.zeros(len(self.key_sizes), dtype=values.dtype)
        np.maximum.at(largest, self.rows, values)
        return largest

    def completed(self) -> "Contingency":
        """The same table after each side has received the other's twinless mentions as singletons.

        This is DEF.17 of Popescu-Belis (section 5.3). New classes come after the given ones: first the twinless
        mentions of class 0, then those of class 1, and so on.
        """
        missing, spurious = self.missing, self.transposed.missing
        if not missing.any() and not spurious.any():
            return self
        n_keys, n_responses = len(self.key_sizes), len(self.response_sizes)
        n_missing, n_spurious = int(missing.sum()), int(spurious.sum())
        return Contingency(
            key_sizes=np.concatenate([self.key_sizes, np.ones(n_spurious, np.int64)]),
            response_sizes=np.concatenate([self.response_sizes, np.ones(n_missing, np.int64)]),
            rows=np.concatenate([self.rows, np.repeat(np.arange(n_keys), missing), n_keys + np.arange(n_spurious)]),
            columns=np.concatenate(
                [self.columns, n_responses + np.arange(n_missing), np.repeat(np.arange(n_responses), spurious)]
            ),
            counts=np.concatenate([self.counts, np.ones(n_missing + n_spurious, np.int64)]),
        )


def by_first_mention(clusters: Iterable) -> list:
    """Put clusters in the order of their smallest mention, so that no result depends on the order of input."""
    return sorted(clusters, key=min)


def contingency(key: list, response: list) -> Contingency:
    """Cross two partitions.

    Args:
        key: the key's clusters, each a non-empty list of distinct hashable mentions; no mention in two clusters.
        response: the response's clusters, likewise.

    Returns:
        The table; its classes are in the order of the two lists.

    Example: ``contingency([["a", "b"], ["c"]], [["a"], ["b", "d"]])`` has the cells (0, 0, 1) and (0, 1, 1).
    """
    key_sizes = np.fromiter(map(len, key), np.int64, len(key))
    response_sizes = np.fromiter(map(len, response), np.int64, len(response))
    key_class = dict(zip(chain.from_iterable(key), np.repeat(np.arange(len(key)), key_sizes).tolist()))
    classes = map(key_class.get, chain.from_iterable(response), repeat(-1))  # -1: not in the key
    rows = np.fromiter(classes, np.int64, int(response_sizes.sum()))
    columns = np.repeat(np.arange(len(response)), response_sizes)
    common = rows >= 0
    cells, counts = np.unique(rows[common] * len(response) + columns[common], return_counts=True)
    return Contingency(key_sizes, response_sizes, *np.divmod(cells, max(1, len(response))), counts)
