"""The measures: from a contingency table to counts that add up over documents, and from counts to scores.

Most measures have the same shape. The response keeps some of each key class ("found" of "possible", both added up:
recall), and the key some of each response class (precision). What is kept of a key class is written down once per
measure, as a function of the table; the same function on the transposed table is the other side. ``MEASURES`` lists
them all.

Sources: Popescu-Belis (the paper of this metric; DEF.n and sections are its own) for ``core``,
``exclusive_core``, ``entropy``, ``size_overlap``, ``d_error`` and ``kappa``; for the CoNLL family Vilain et al. 1995
(MUC), Bagga and Baldwin 1998 (B3), Luo 2005 (CEAF), Recasens and Hovy 2011 with Luo et al. 2014 (BLANC), Moosavi and
Strube 2016 (LEA), and Pradhan et al. 2014 for how all of them treat mentions that only one side has.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .common_statistics import Sample
from .match_classes import max_weight_matching
from .measure_table import Blocks, Contingency


class Terms(NamedTuple):
    """What each class contributes to a measure with recall and precision: arrays of numbers, found <= possible.

    Recall is sum(key_found) / sum(key_possible), precision sum(response_found) / sum(response_possible). Measures that
    align classes one to one say which cells of the table they have aligned.
    """

    key_found: np.ndarray
    key_possible: np.ndarray
    response_found: np.ndarray
    response_possible: np.ndarray
    aligned: np.ndarray | None = None

    def sums(self) -> tuple:
        """The measure's counts."""
        return tuple(values.sum() for values in self[:4])


@dataclass(frozen=True)
class Measure:
    """One row of the table of measures."""

    count: Callable  # Contingency -> the document's counts, a tuple of numbers that may be added up over documents
    score: Callable  # (counts of shape (..., n), value of 0/0) -> {suffix of the key: scores of shape (...)}
    terms: Callable | None = None  # Contingency -> Terms, where the counts are sums over classes
    completed: bool = False  # whether it is defined on completed partitions only (the paper's own measures)
    zero_division: float | None = None  # value of 0/0 where the measure's source fixes it; None leaves it to the user


# ---- What is kept of each key class: (found, possible). The response's side is the same on the transposed table. ----


def mentions(table: Contingency) -> tuple:
    """Mention detection: mentions of the class that the response has, of all its mentions."""
    return table.key_sizes - table.missing, table.key_sizes


def muc_links(table: Contingency) -> tuple:
    """MUC (DEF.6, DEF.7): links kept, |K| - |pi(K)|, of the |K| - 1 that hold the class together.

    Each twinless mention is a fragment of its own, so that the result is the same on completed partitions.
    """
    # |pi(K)|: the classes of the response that K is scattered over, and its twinless mentions.
    fragments = table.sum_by_key(np.ones(len(table.counts))) + table.missing
    return table.key_sizes - fragments, table.key_sizes - 1


def b3_mentions(table: Contingency) -> tuple:
    """B3 (DEF.8, DEF.9): for each mention of K the share of K that is in its response class."""
    # Sum over R of |K and R| mentions, each with the share |K and R| / |K|.
    return table.sum_by_key(table.counts**2) / table.key_sizes, table.key_sizes


def lea_links(table: Contingency) -> tuple:
    """LEA: the share of the class's links that are kept, weighted by its size; a singleton has one link to itself."""
    # |K| * sum over R of link(K and R) / link(K), link(n) = n (n - 1) / 2 (Moosavi and Strube 2016).
    kept = table.sum_by_key(_pairs(table.counts))
    alone = (table.key_sizes[table.rows] == 1) & (table.response_sizes[table.columns] == 1)
    kept += table.sum_by_key(alone.astype(float))
    return table.key_sizes * kept / np.maximum(_pairs(table.key_sizes), 1), table.key_sizes


def core_mentions(table: Contingency) -> tuple:
    """C (DEF.10 to DEF.13): mentions that stay with the core, the largest projection of K, beyond the first.

    The table must be completed, so that every class has a projection.
    """
    return table.max_by_key(table.counts) - 1, table.key_sizes - 1


def entropy_nats(table: Contingency) -> tuple:
    """H (DEF.14 to DEF.16), |E| times the entropies in nats, split over the key classes.

    Possible adds up to |E| H(P_R), and possible - found to |E| H(P_R|P_K). Each class's found is |K| times a
    Kullback-Leibler divergence, so it is never negative (beyond rounding, which is cut off).
    """
    total = max(table.key_sizes.sum(), 1)
    # |E| H(P_R|P_K) = -sum |K and R| log(|K and R| / |K|); |E| H(P_R) = -sum |K and R| log(|R| / |E|).
    lost = -table.sum_by_key(table.counts * np.log(table.counts / table.key_sizes[table.rows]))
    possible = -table.sum_by_key(table.counts * np.log(table.response_sizes[table.columns] / total))
    return np.maximum(possible - lost, 0.0), possible


def _pairs(n):
    return n * (n - 1) / 2


def _both_sides(kept: Callable) -> Callable:
    """Terms from what is kept of one side's classes."""
    return lambda table: Terms(*kept(table), *kept(table.transposed))


# ---- Measures that align classes one to one. ----


def common_mentions(table: Contingency) -> np.ndarray:
    """Similarity phi3 of Luo (2005) for every cell: |K and R|. A class is as similar to itself as its size."""
    return table.counts


def dice(table: Contingency) -> np.ndarray:
    """Similarity phi4 of Luo (2005) for every cell: 2 |K and R| / (|K| + |R|). A class's with itself is 1."""
    return 2 * table.counts / (table.key_sizes[table.rows] + table.response_sizes[table.columns])


def aligned_cells(table: Contingency, similarity: Callable) -> np.ndarray:
    """Indices of the cells of CEAF's best one-to-one alignment under a similarity, document by document."""
    weights, aligned = similarity(table), []
    for (key, key_end), (response, response_end), (start, end) in table.parts():
        rows, columns = table.rows[start:end] - key, table.columns[start:end] - response
        shape = (key_end - key, response_end - response)
        aligned.append(start + max_weight_matching(rows, columns, weights[start:end], shape))
    return np.concatenate(aligned)


def _ceaf(similarity: Callable, self_similarity: Callable) -> Callable:
    """CEAF (Luo 2005): similarity of each class to the class it is aligned with, of that to itself."""

    def terms(table):
        cells = aligned_cells(table, similarity)
        similar = np.zeros(len(table.counts))
        similar[cells] = similarity(table)[cells]
        return Terms(
            table.sum_by_key(similar),
            self_similarity(table.key_sizes),
            table.transposed.sum_by_key(similar),
            self_similarity(table.response_sizes),
            cells,
        )

    return terms


def exclusive_core_terms(table: Contingency) -> Terms:
    """XC (section 4.5): mentions in the classes' exclusive cores, and those wrongly there.

    From the largest key class down, each takes the response class with the largest overlap among those still free.
    Recall counts the mentions of its core it finds there; precision takes off the mentions of the core that are not
    its own. The paper leaves ties open; here the order is: larger key class first, then the one whose first mention
    is smaller; for its core the larger overlap, then the smaller response class, then the smaller first mention
    (classes that completion has added come after the given ones).
    """
    # The place of each class in this order; equal ones keep the order of the classes.
    key_rank, response_rank = (
        np.argsort(np.argsort(sizes, kind="stable")) for sizes in (-table.key_sizes, table.response_sizes)
    )
    order = np.lexsort((response_rank[table.columns], -table.counts, key_rank[table.rows]))
    free_key = [True] * len(table.key_sizes)
    free_response = [True] * len(table.response_sizes)
    cores = []
    for cell, i, j in zip(order.tolist(), table.rows[order].tolist(), table.columns[order].tolist(), strict=True):
        if free_key[i] and free_response[j]:
            free_key[i] = free_response[j] = False
            cores.append(cell)
    found = np.zeros(len(table.counts))
    found[cores] = table.counts[cores]
    wrong = np.zeros(len(table.response_sizes))
    wrong[table.columns[cores]] = table.response_sizes[table.columns[cores]] - table.counts[cores]
    return Terms(table.sum_by_key(found), table.key_sizes, table.response_sizes - wrong, table.response_sizes)


# ---- Measures that are not sums over classes. ----


def count_pairs(table: Contingency) -> tuple:
    """BLANC: numbers of coreference links (in both, key, response), then of non-coreference links likewise."""
    in_both = _pairs(table.counts).sum()
    key, response = _pairs(table.key_sizes).sum(), _pairs(table.response_sizes).sum()
    shared_by_key, shared_by_response = table.sum_by_key(table.counts), table.transposed.sum_by_key(table.counts)
    # Pairs of common mentions that are together on neither side: all but those together in the key
    # and those together in the response, of which those in both were taken off twice.
    apart_in_both = (
        _pairs(table.counts.sum()) - _pairs(shared_by_key).sum() - _pairs(shared_by_response).sum() + in_both
    )
    apart_in_key = _pairs(table.key_sizes.sum()) - key
    apart_in_response = _pairs(table.response_sizes.sum()) - response
    return in_both, key, response, apart_in_both, apart_in_key, apart_in_response


def count_links(table: Contingency) -> tuple:
    """Kappa (Passonneau 1997, section 4.2): potential links |E| - 1, the key's, the response's, and common ones."""
    total = int(table.key_sizes.sum())
    common = muc_links(table)[0].sum()
    return max(total - 1, 0), total - len(table.key_sizes), total - len(table.response_sizes), common


def count_size_differences(table: Contingency) -> tuple:
    """RCVT (section 4.6): sum of the differences between the class sizes, both sorted; and 2|E|, never reached."""
    key, response = _sorted_sizes(table)
    return np.abs(key - response).sum(), 2 * table.key_sizes.sum()


def count_rank_shift(table: Contingency) -> tuple:
    """D-error (section 4.6): how much lower in the ranking of class sizes the response's mentions stand.

    The classes of each side are numbered 1, 2, ... from the largest. The paper compares the mean rank where the
    response is larger with that where the key is larger, but omits its formula; no simple one gives its figures. Ours
    is the difference of the mean rank of a mention in the response and in the key, over the n - 1 steps of the longer
    ranking, both times |E|. It has the sign of the paper's comparison and reaches 1/2 for one class against
    singletons: as sizes fall with the rank, no mean rank is beyond the middle.
    """
    key, response = _sorted_sizes(table)
    shift = (np.arange(len(key)) * (response - key)).sum()
    return shift, table.key_sizes.sum() * max(len(key) - 1, 0)


def _sorted_sizes(table):
    """Class sizes of both sides, largest first, the shorter list filled up with zeros."""
    length = max(len(table.key_sizes), len(table.response_sizes))
    sides = (table.key_sizes, table.response_sizes)
    return tuple(np.pad(np.sort(sizes)[::-1], (0, length - len(sizes))) for sizes in sides)


# ---- From counts to scores. All take counts of shape (..., n) and give arrays of shape (...). ----


def _ratio(numerator, denominator, zero_division):
    return np.divide(
        numerator, denominator, out=np.full(np.shape(denominator), float(zero_division)), where=denominator != 0
    )


def f1(recall, precision):
    """Harmonic mean (DEF.5): 0 where recall and precision are both 0."""
    return _ratio(2 * recall * precision, recall + precision, 0.0)


def recall_precision_f1(counts, zero_division) -> dict:
    """Scores of the counts (found, possible) of the key and (found, possible) of the response."""
    recall = _ratio(counts[..., 0], counts[..., 1], zero_division)
    precision = _ratio(counts[..., 2], counts[..., 3], zero_division)
    return {"_recall": recall, "_precision": precision, "_f1": f1(recall, precision)}


def blanc_scores(counts, zero_division) -> dict:
    """Mean over the two types of links of recall, precision and F1; a type that the key lacks does not count.

    Where the key lacks both (fewer than two mentions), all of the response's links are taken as one type.
    """
    types = np.stack([counts[..., :3], counts[..., 3:]])  # (2, ..., [in both, key, response])
    types = np.where((types[..., 1] == 0).all(axis=0)[..., None], types.sum(axis=0), types)
    recall = _ratio(types[..., 0], types[..., 1], zero_division)
    precision = _ratio(types[..., 0], types[..., 2], zero_division)
    counted = (types[..., 1] > 0) | (types[..., 1] == 0).all(axis=0)
    values = {"_recall": recall, "_precision": precision, "_f1": f1(recall, precision)}
    return {suffix: np.mean(value, axis=0, where=counted) for suffix, value in values.items()}


def kappa_scores(counts, zero_division) -> dict:
    """Agreement beyond chance on the potential links; NaN where it is 0/0 (no links at all, or all on both sides).

    From (observed - expected) / (1 - expected) with both multiplied by the square of the number of potential links.
    """
    # Observed is (common + links that neither has) / potential, and expected, of independent links, the sum of
    # key * response and (potential - key) * (potential - response), divided by potential**2.
    potential, key, response, common = np.moveaxis(counts, -1, 0)
    beyond_chance = 2 * (potential * common - key * response)
    return {"": _ratio(beyond_chance, key * (potential - response) + response * (potential - key), zero_division)}


def overlap_scores(counts, zero_division) -> dict:
    """1 minus the share of what could differ."""
    return {"": 1 - _ratio(counts[..., 0], counts[..., 1], 1 - zero_division)}


def share_scores(counts, zero_division) -> dict:
    """A signed count over its bound."""
    return {"": _ratio(counts[..., 0], counts[..., 1], zero_division)}


def _over_classes(terms: Callable, **settings) -> Measure:
    """A measure whose counts are sums of its terms."""
    return Measure(lambda table: terms(table).sums(), recall_precision_f1, terms, **settings)


# The order here is the order of the keys in a result.
MEASURES = {
    "muc": _over_classes(_both_sides(muc_links)),
    "b3": _over_classes(_both_sides(b3_mentions)),
    "ceafm": _over_classes(_ceaf(common_mentions, lambda sizes: sizes)),
    "ceafe": _over_classes(_ceaf(dice, np.ones_like)),
    "blanc": Measure(count_pairs, blanc_scores),
    "lea": _over_classes(_both_sides(lea_links)),
    "mention": _over_classes(_both_sides(mentions)),
    "core": _over_classes(_both_sides(core_mentions), completed=True, zero_division=1.0),
    "exclusive_core": _over_classes(exclusive_core_terms, completed=True, zero_division=1.0),
    "entropy": _over_classes(_both_sides(entropy_nats), completed=True, zero_division=1.0),
    "kappa": Measure(count_links, kappa_scores, completed=True, zero_division=np.nan),
    "size_overlap": Measure(count_size_differences, overlap_scores, completed=True, zero_division=1.0),
    "d_error": Measure(count_rank_shift, share_scores, completed=True, zero_division=0.0),
}
MEANS_OF_F1 = {"conll_f1": ("muc", "b3", "ceafe")}
_CONLL_FAMILY = [name for name in MEASURES if not MEASURES[name].completed]
NAMES = (*_CONLL_FAMILY, *MEANS_OF_F1, *(name for name in MEASURES if name not in _CONLL_FAMILY))
ALIGNMENTS = {"ceafm": common_mentions, "ceafe": dice}


def base_measures(names) -> list:
    """The measures that must be counted for the given names, in the table's order."""
    needed = {base for name in names for base in MEANS_OF_F1.get(name, (name,))}
    return [name for name in MEASURES if name in needed]


class Measured(NamedTuple):
    """Of a measure and a document: the table, the counts, and their terms if they are sums."""

    table: Contingency
    counts: tuple
    terms: Terms | None


def measure_document(table: Contingency, bases, policy: str) -> dict[str, Measured]:
    """{measure: Measured} of one document.

    The table has both sides' own mentions; the policy "raw" leaves it so to the CoNLL family, all else is completed.
    """
    completed = table.completed()
    measured = {}
    for name in bases:
        measure = MEASURES[name]
        own = table if policy == "raw" and not measure.completed else completed
        terms = measure.terms(own) if measure.terms else None
        measured[name] = Measured(own, terms.sums() if terms else measure.count(own), terms)
    return measured


def count_documents(blocks: Blocks, bases, policy: str) -> dict[str, np.ndarray]:
    """Counts of each document, {measure: array of shape (documents, n)}, other arguments as for `measure_document`.

    What is a sum over classes, of the tables as they are, is computed for all documents together.
    """
    alone = [name for name in bases if policy != "raw" or MEASURES[name].completed or not MEASURES[name].terms]
    each = [measure_document(table, alone, policy) for table in blocks.each()] if alone else []
    counts = {name: np.array([document[name].counts for document in each], float) for name in alone}
    for name in bases:
        if name not in alone and (terms := MEASURES[name].terms):
            counts[name] = blocks.sums(*terms(blocks)[:4])
    return {name: counts[name] for name in bases}


class Corpus(Sample):
    """The counts of a corpus, ready to be scored as a whole, compared or resampled.

    All scores of a corpus are functions of sums over its documents: of the counts for the average "micro", of the
    documents' scores and of how many of them are defined for "macro".

    Args:
        counts: {measure: array of shape (documents, n)}, from `count_documents`.
        names: what to report, from `NAMES` or of the measures given, which are as in `MEASURES`.
        average, zero_division: as for `compute`.
    """

    def __init__(self, counts: dict, names, average: str, zero_division: float, measures: dict | None = None):
        self._measures = MEASURES if measures is None else measures
        self._names = [name for name in dict.fromkeys((*NAMES, *self._measures)) if name in names]
        self._average = average
        self._zero_division = zero_division
        self._ends = dict(zip(counts, np.cumsum([values.shape[1] for values in counts.values()]).tolist(), strict=True))
        self.summands = np.concatenate(list(counts.values()), axis=1)
        if average == "macro":
            values = np.stack(list(self._from_counts(self.summands).values()), axis=1)
            defined = ~np.isnan(values)
            self.summands = np.concatenate([np.where(defined, values, 0.0), defined], axis=1)
        self.keys = list(self._from_counts(np.zeros(max(self._ends.values()))))

    def values(self, sums: np.ndarray) -> np.ndarray:
        """Scores of shape (..., keys) from sums of summands of shape (..., m)."""
        if self._average == "macro":
            n = len(self.keys)
            return _ratio(sums[..., :n], sums[..., n:], np.nan)
        return np.stack(list(self._from_counts(sums).values()), axis=-1)

    def _from_counts(self, counts):
        """{key: array of shape (...)} from counts of shape (..., all measures' numbers)."""
        by_name, start = {}, 0
        for name, end in self._ends.items():
            measure = self._measures[name]
            default = self._zero_division if measure.zero_division is None else measure.zero_division
            values = measure.score(counts[..., start:end], default)
            by_name[name] = {name + suffix: value for suffix, value in values.items()}
            start = end
        for name, parts in MEANS_OF_F1.items():
            if name in self._names:
                by_name[name] = {name: np.mean([by_name[part][part + "_f1"] for part in parts], axis=0)}
        return {key: value for name in self._names for key, value in by_name[name].items()}
