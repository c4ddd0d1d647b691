"""Every measure once more, as literally and slowly as its definition reads. Clusters are sets; nothing is shared.

Each function of `FRACTIONS` returns the numerator and denominator of recall, then of precision; those of `VALUES`
return the score itself. `complete` is DEF.17.
"""

from itertools import combinations, permutations
from math import log

import numpy as np


def complete(key, response):
    """Each side with the other's mentions that it lacks, as singletons."""
    in_key, in_response = set().union(*key), set().union(*response)
    return key + [{m} for m in sorted(in_response - in_key)], response + [{m} for m in sorted(in_key - in_response)]


def ratio(numerator, denominator, zero_division):
    return numerator / denominator if denominator else zero_division


def f1(recall, precision):
    return 2 / (1 / recall + 1 / precision) if recall and precision else 0.0


def fragments(cluster, others):
    """The cluster cut up by the other partition; mentions unknown there are alone."""
    cut = [cluster & other for other in others if cluster & other]
    return cut + [{m} for m in cluster - set().union(*others)]


def muc(key, response):
    def side(ours, theirs):
        return sum(len(c) - len(fragments(c, theirs)) for c in ours), sum(len(c) - 1 for c in ours)

    return *side(key, response), *side(response, key)


def b3(key, response):
    def side(ours, theirs):
        total = 0.0
        for cluster in ours:
            for mention in cluster:
                for other in theirs:
                    if mention in other:
                        total += len(cluster & other) / len(cluster)
        return total, sum(map(len, ours))

    return *side(key, response), *side(response, key)


def best_alignment(key, response, similarity):
    """Largest total similarity over all one-to-one alignments, by trying them all."""
    small, large = sorted((key, response), key=len)
    return max(sum(similarity(a, b) for a, b in zip(small, chosen)) for chosen in permutations(large, len(small)))


def ceafm(key, response):
    best = best_alignment(key, response, lambda a, b: len(a & b))
    return best, sum(map(len, key)), best, sum(map(len, response))


def ceafe(key, response):
    best = best_alignment(key, response, lambda a, b: 2 * len(a & b) / (len(a) + len(b)))
    return best, len(key), best, len(response)


def links(clusters):
    """Pairs of mentions in one cluster, and pairs in two."""
    together = {frozenset(pair) for cluster in clusters for pair in combinations(sorted(cluster), 2)}
    return together, {frozenset(pair) for pair in combinations(sorted(set().union(*clusters)), 2)} - together


def blanc(key, response, zero_division):
    """(recall, precision, F1): means over the link types that the key has."""
    types = [(k, r) for k, r in zip(links(key), links(response)) if k]
    types = types or [(set().union(*links(key)), set().union(*links(response)))]
    scores = []
    for ours, theirs in types:
        recall = ratio(len(ours & theirs), len(ours), zero_division)
        precision = ratio(len(ours & theirs), len(theirs), zero_division)
        scores.append((recall, precision, f1(recall, precision)))
    return tuple(sum(column) / len(scores) for column in zip(*scores))


def lea(key, response):
    def own_links(cluster):
        return {frozenset(pair) for pair in combinations(sorted(cluster), 2)} or {frozenset(cluster)}

    def side(ours, theirs):
        total = 0.0
        for cluster in ours:
            kept = sum(len(own_links(cluster) & own_links(other)) for other in theirs)
            total += len(cluster) * kept / len(own_links(cluster))
        return total, sum(map(len, ours))

    return *side(key, response), *side(response, key)


def mention(key, response):
    ours, theirs = set().union(*key), set().union(*response)
    return len(ours & theirs), len(ours), len(ours & theirs), len(theirs)


def core(key, response):
    def side(ours, theirs):
        return sum(max(map(len, fragments(c, theirs))) for c in ours) - len(ours), sum(map(len, ours)) - len(ours)

    return *side(key, response), *side(response, key)


def exclusive_core(key, response):
    """The classes' order: given ones before completing ones (that is how `complete` lists them), by first mention."""
    total = sum(map(len, key))
    free = list(enumerate(response))
    good = bad = 0
    for _, cluster in sorted(enumerate(key), key=lambda item: (-len(item[1]), item[0])):
        candidates = [(-len(cluster & other), len(other), j) for j, other in free if cluster & other]
        if candidates:
            overlap, size, j = min(candidates)
            good, bad = good - overlap, bad + size + overlap
            free = [(i, other) for i, other in free if i != j]
    return good, total, total - bad, total


def entropy(key, response):
    """|E| times (I, H(P_R), I, H(P_K)) with I = H(P_R) - H(P_R|P_K) and its mirror."""
    total = sum(map(len, key))

    def own(clusters):
        return -sum(len(c) / total * log(len(c) / total) for c in clusters)

    def given(ours, theirs):
        return -sum(len(a & b) / total * log(len(a & b) / len(b)) for a in ours for b in theirs if a & b)

    received, sent = own(response), own(key)
    return (
        total * (received - given(response, key)),
        total * received if len(response) > 1 else 0,
        total * (sent - given(key, response)),
        total * sent if len(key) > 1 else 0,
    )


def kappa(key, response):
    """From the 2 x 2 table of potential links: observed and expected agreement."""
    potential = sum(map(len, key)) - 1
    ours, theirs = potential + 1 - len(key), potential + 1 - len(response)
    common = sum(len(c) - len(fragments(c, response)) for c in key)
    if potential <= 0 or ours == theirs == 0 or ours == theirs == potential:
        return np.nan
    neither = potential - ours - theirs + common
    observed = (common + neither) / potential
    expected = (ours * theirs + (potential - ours) * (potential - theirs)) / potential**2
    return (observed - expected) / (1 - expected)


def sorted_sizes(key, response):
    sizes = [sorted(map(len, side), reverse=True) for side in (key, response)]
    length = max(map(len, sizes))
    return [side + [0] * (length - len(side)) for side in sizes]


def size_overlap(key, response):
    total = sum(map(len, key))
    return 1 - sum(abs(k - r) for k, r in zip(*sorted_sizes(key, response))) / (2 * total) if total else 1.0


def d_error(key, response):
    """The paper's comparison of mean ranks, weighted by the share of mentions that differ, over the number of steps."""
    sizes = list(zip(*sorted_sizes(key, response)))
    key_larger = {i: k - r for i, (k, r) in enumerate(sizes) if k > r}
    response_larger = {i: r - k for i, (k, r) in enumerate(sizes) if r > k}
    if not key_larger:
        return 0.0

    def mean_rank(weights):
        return sum(i * w for i, w in weights.items()) / sum(weights.values())

    share = sum(key_larger.values()) / sum(k for k, _ in sizes)
    return share * (mean_rank(response_larger) - mean_rank(key_larger)) / (len(sizes) - 1)


CONLL_FRACTIONS = {"muc": muc, "b3": b3, "ceafm": ceafm, "ceafe": ceafe, "lea": lea, "mention": mention}
PAPER_FRACTIONS = {"core": core, "exclusive_core": exclusive_core, "entropy": entropy}
PAPER_VALUES = {"kappa": kappa, "size_overlap": size_overlap, "d_error": d_error}


def scores(key, response, policy, zero_division):
    """All keys of a result for one document."""
    key = [set(c) for c in sorted(key, key=min)]
    response = [set(c) for c in sorted(response, key=min)]
    completed = complete(key, response)
    given = (key, response) if policy == "raw" else completed
    result = {}
    for functions, sides, default in ((CONLL_FRACTIONS, given, zero_division), (PAPER_FRACTIONS, completed, 1.0)):
        for name, function in functions.items():
            fractions = function(*sides)
            recall, precision = ratio(*fractions[:2], default), ratio(*fractions[2:], default)
            result.update(
                {f"{name}_recall": recall, f"{name}_precision": precision, f"{name}_f1": f1(recall, precision)}
            )
    result.update(zip(("blanc_recall", "blanc_precision", "blanc_f1"), blanc(*given, zero_division)))
    result["conll_f1"] = (result["muc_f1"] + result["b3_f1"] + result["ceafe_f1"]) / 3
    result.update({name: function(*completed) for name, function in PAPER_VALUES.items()})
    return result
