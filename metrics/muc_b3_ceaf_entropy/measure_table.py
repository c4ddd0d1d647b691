"""Two partitions of a document's mentions, crossed into one sparse table.

Every measure is a formula on this table, so the mentions themselves are looked at only once, here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise, repeat

import numpy as np


@dataclass(frozen=True)
class Contingency:
    """How the classes of the key and of the response overlap.

    All fields are one-dimensional integer arrays. A cell exists only where two classes share a mention, so a
    document of n mentions has at most n cells. Mentions that only one side has (twinless mentions) are in the
    sizes but in no cell.
    """

    key_sizes: np.ndarray  # |K_i| for every key class
    response_sizes: np.ndarray  # |R_j| for every response class
    rows: np.ndarray  # key class i of every cell
    columns: np.ndarray  # response class j of every cell
    counts: np.ndarray  # |K_i ∩ R_j| > 0 of every cell

    @cached_property
    def missing(self) -> np.ndarray:
        """Number of mentions of every key class that the response does not have."""
        return self.key_sizes - self.sum_by_key(self.counts).astype(np.int64)

    def parts(self) -> Iterable[tuple]:
        """For each document the (start, end) of its key classes, response classes and cells: here there is one."""
        return [((0, len(self.key_sizes)), (0, len(self.response_sizes)), (0, len(self.counts)))]

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


@dataclass(frozen=True)
class Blocks(Contingency):
    """The tables of several documents as one: block after block, without a cell between two documents.

    What is counted class by class can be computed for all of them together.
    """

    key_ends: np.ndarray  # where each document's part of the arrays ends, and first a 0
    response_ends: np.ndarray
    cell_ends: np.ndarray

    def parts(self) -> Iterable[tuple]:
        """As `Contingency.parts`, of all the documents."""
        ends = (self.key_ends, self.response_ends, self.cell_ends)
        return zip(*(pairwise(each.tolist()) for each in ends), strict=True)

    def each(self) -> Iterator[Contingency]:
        """The documents' own tables."""
        for (key, key_end), (response, response_end), (start, end) in self.parts():
            yield Contingency(
                self.key_sizes[key:key_end],
                self.response_sizes[response:response_end],
                self.rows[start:end] - key,
                self.columns[start:end] - response,
                self.counts[start:end],
            )

    def sums(self, *values: np.ndarray) -> np.ndarray:
        """Sums for each document, of shape (documents, 4): of two arrays of key classes, two of response classes."""
        ends = (self.key_ends, self.key_ends, self.response_ends, self.response_ends)
        return np.stack([_sums_between(*each) for each in zip(values, ends, strict=True)], axis=1)


def _sums_between(values, ends):
    """The sum of each part of the values, ends[i] to ends[i + 1]; to the last bit as of the part alone."""
    if values.dtype.kind == "i":
        return np.diff(np.concatenate([[0], values.cumsum()])[ends]).astype(float)
    return np.array([np.add.reduce(values[start:end]) for start, end in pairwise(ends.tolist())])


def by_first_mention(clusters: Iterable) -> list:
    """Put clusters in the order of their smallest mention, so that no result depends on the order of input."""
    return sorted(clusters, key=min)


def contingency(key: list, response: list) -> Contingency:
    """Cross two partitions, lists of non-empty clusters of distinct mentions; the classes are in their order.

    Example: ``contingency([["a", "b"], ["c"]], [["a"], ["b", "d"]])`` has the cells (0, 0, 1) and (0, 1, 1).
    """
    return next(contingencies([(key, response)]).each())


def contingencies(documents: list[tuple[list, list]]) -> Blocks:
    """The tables of some documents, each a pair of partitions as for `contingency`."""
    (key_sizes, key_ends), (response_sizes, response_ends) = map(_sizes, zip(*documents, strict=True))
    classes = iter(np.repeat(np.arange(len(key_sizes)), key_sizes).tolist())

    def classes_in_key(key, response):
        """For each mention of the response its class in the key, -1 if it is not there."""
        key_class = dict(zip(chain.from_iterable(key), classes, strict=False))  # as many classes as it has mentions
        return map(key_class.get, chain.from_iterable(response), repeat(-1))

    in_key = chain.from_iterable(classes_in_key(*document) for document in documents)
    rows = np.fromiter(in_key, np.int64, int(response_sizes.sum()))
    columns = np.repeat(np.arange(len(response_sizes)), response_sizes)
    common, width = rows >= 0, max(1, len(response_sizes))
    cells, counts = np.unique(rows[common] * width + columns[common], return_counts=True)
    rows, columns = np.divmod(cells, width)
    cell_ends = np.searchsorted(rows, key_ends)
    return Blocks(key_sizes, response_sizes, rows, columns, counts, key_ends, response_ends, cell_ends)


def _sizes(sides):
    """The sizes of all classes of one side of the documents, and where each document's end."""
    sizes = np.fromiter(map(len, chain.from_iterable(sides)), np.int64)
    return sizes, np.fromiter(accumulate(map(len, sides), initial=0), np.int64)
