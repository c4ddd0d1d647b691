"""Mentions that key and response have with different boundaries: `[5, 8]` for `[5, 9]` is one error, not two."""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

PAIR = re.compile(r"\[(-?\d+), (-?\d+)\]")  # of the name of a [start, end] pair
RUN = re.compile(r"(\d+)((?:\.\d+)*)(?:-(\d+)((?:\.\d+)*))?")  # of "3-5", "4", "7.1-9" (7.1 is an empty node)
SAME = 0.5  # two mentions with a larger share of words in common are taken for the same


class Extent(NamedTuple):
    """Where a mention is: runs of words, as (first, last), and the empty nodes named in it."""

    runs: tuple
    nodes: frozenset

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
    matches = [RUN.fullmatch(part) for part in name.rstrip("'").split(",")]
    if not all(matches):
        return None
    runs, nodes = [], set()
    for match in matches:
        first, first_node, last, last_node = match.groups()
        last, last_node = (first, first_node) if last is None else (last, last_node)
        nodes |= {word + node for word, node in ((first, first_node), (last, last_node)) if node}
        # A node 7.1 comes after seven words, 0 to 6.
        run = int(first), int(last) - bool(last_node)
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
    extents = [extent_of(name) for name in missing]
    starts = sorted((run[0], i) for i, extent in enumerate(extents) if extent for run in extent.runs)
    candidates = []
    for j, name in enumerate(spurious):
        extent = extent_of(name)
        for i in _near(extent, starts) if extent else ():
            alike = likeness(extents[i], extent)
            if alike > SAME:
                candidates.append((-alike, i, j))
    pairs, taken = {}, set()
    for _, i, j in sorted(candidates):
        if i not in taken and spurious[j] not in pairs:
            pairs[spurious[j]] = missing[i]
            taken.add(i)
    return pairs


def _near(extent, starts) -> set:
    """Numbers of the mentions that may be alike: one that is, is less than three times as long."""
    reach, numbers = 3 * extent.size, set()
    for first, last in extent.runs:
        begin, end = bisect_left(starts, (first - reach,)), bisect_right(starts, (last + 1,))
        numbers.update(i for _, i in starts[begin:end])
    return numbers
