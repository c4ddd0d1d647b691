"""Mentions that key and response have with different boundaries: `[5, 8]` for `[5, 9]` is one error, not two."""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

PAIR = re.compile(r"\[(-?\d+), (-?\d+)\]")  # of the name of a [start, end] pair
RUN = re.compile(r"(\d+)((?:\.\d+)*)(?:-(\d+)((?:\.\d+)*))?")  # of "3-5", "4", "7.1-9" (7.1 is an empty node)
SAME = 0.5  # two mentions with a larger share of words in common are taken for the same


class Extent(NamedTuple):
    """Where a mention is: runs of words, as (first, last), and the empty nodes named in it."""

    runs: tuple[tuple[int, int], ...]
    nodes: frozenset[str]

    @property
    def size(self) -> int:
        """Number of words and nodes."""
        return sum(last - first + 1 for first, last in self.runs) + len(self.nodes)


def extent_of(name: str) -> Extent | None:
    """Where a mention is, from its name: `[3, 5]`, `3-5`, `3-4,8`, `7.1`; None for a name that does not say it."""
    pair = PAIR.fullmatch(name)
    if pair:
        first, last = int(pair[1]), int(pair[2])
        return Extent(((first, last),), frozenset()) if first <= last else None
    runs, nodes = [], set()
    for part in name.rstrip("'").split(","):
        match = RUN.fullmatch(part)
        if match is None:
            return None
        begin, begin_node, end, end_node = match.groups()
        if end is None:
            end, end_node = begin, begin_node
        nodes |= {word + node for word, node in ((begin, begin_node), (end, end_node)) if node}
        # A node 7.1 comes after seven words, 0 to 6.
        run = int(begin), int(end) - bool(end_node)
        if run[0] <= run[1]:
            runs.append(run)
    return Extent(tuple(runs), frozenset(nodes))


def likeness(one: Extent, other: Extent) -> float:
    """Words in common, of the mean of both lengths (Dice): 0 to 1."""
    shared = len(one.nodes & other.nodes)
    for first, last in one.runs:
        shared += sum(max(0, min(last, end) - max(first, start) + 1) for start, end in other.runs)
    return 2 * shared / (one.size + other.size)


def boundary_pairs(missing: list[str], spurious: list[str]) -> dict[str, str]:
    """{mention that only the response has: the key's mention that it stands for}, one to one.

    Two mentions are paired that have more than half of their words in common (Dice), the most alike first; of
    equally alike ones, those that come first in the lists.
    """
    extents = {i: extent for i, name in enumerate(missing) if (extent := extent_of(name))}
    starts = sorted((first, i) for i, extent in extents.items() for first, _ in extent.runs)
    candidates = []
    for j, name in enumerate(spurious):
        extent = extent_of(name)
        if extent is None:
            continue
        for i in _near(extent, starts):
            alike = likeness(extents[i], extent)
            if alike > SAME:
                candidates.append((-alike, i, j))
    pairs: dict[str, str] = {}
    taken = set()
    for _, i, j in sorted(candidates):
        if i not in taken and spurious[j] not in pairs:
            pairs[spurious[j]] = missing[i]
            taken.add(i)
    return pairs


def _near(extent: Extent, starts: list[tuple[int, int]]) -> set[int]:
    """Numbers of the mentions that may be alike: one that is, is less than three times as long."""
    reach = 3 * extent.size
    numbers: set[int] = set()
    for first, last in extent.runs:
        begin, end = bisect_left(starts, (first - reach,)), bisect_right(starts, (last + 1,))
        numbers.update(i for _, i in starts[begin:end])
    return numbers
