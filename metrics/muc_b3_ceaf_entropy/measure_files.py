"""Measures of words and of zeros, beside those of the partitions (Žabokrtský et al. 2022, CRAC 2022)."""

from collections import Counter, defaultdict

import numpy as np

from .documents import Pair, clusters_of
from .match_classes import max_weight_matching
from .match_mentions import in_order, zero_node
from .measures import Measure, recall_precision_f1


def overlap_counts(pair: Pair) -> tuple:
    """Mention Overlap Ratio: words shared by mentions, aligned one to one so that these are most, of all their words.

    Each word counts once for each mention that it is in. The matching of mentions plays no part. Gives the counts
    (shared, key's, shared, response's), as for recall and precision.
    """
    key, response = ([mention.positions for mention in side] for side in (pair.key, pair.response))
    shared = Counter(key) & Counter(response)  # of the same words; some best alignment has all of them
    rest = [list((Counter(side) - shared).elements()) for side in (key, response)]
    common = sum(len(positions) * times for positions, times in shared.items()) + _best_overlap(*rest)
    return common, sum(map(len, key)), common, sum(map(len, response))


def _best_overlap(key, response):
    covering = defaultdict(list)
    for row, positions in enumerate(key):
        for position in positions:
            covering[position].append(row)
    # Of each pair of mentions that share words, how many these are.
    cells = Counter((row, column) for column, each in enumerate(response) for p in each for row in covering[p])
    if not cells:
        return 0
    rows, columns = (np.array(each) for each in zip(*cells, strict=True))
    weights = np.array(list(cells.values()))
    return int(weights[max_weight_matching(rows, columns, weights, (len(key), len(response)))].sum())


def zero_counts(pair: Pair) -> tuple:
    """Anaphor-decomposable score of zeros: how many get an antecedent that is right.

    A key's zero that is not the first of its entity is resolved if its match is not the first of its own entity and has
    an antecedent in common: some mention before the key's zero in its entity is matched into the match's entity.
    Gives the counts (right, right + wrong link + missing, right, right + wrong link + spurious).
    """
    entity_of, first = _entities(pair.response)
    matches = {i: j for j, i in pair.matches.items()}
    right = wrong = missing = 0
    covered = set()
    for cluster in clusters_of(pair.key):
        seen = set()  # entities of the response in which the mentions so far are
        for number, i in enumerate(sorted(cluster, key=lambda i: in_order(pair.key[i]))):
            j = matches.get(i)
            if number and zero_node(pair.key[i], pair.key_empty):
                if j is None or j in first:
                    missing += 1
                elif entity_of[j] in seen:
                    right += 1
                else:
                    wrong += 1
                covered.add(j)
            if j is not None:
                seen.add(entity_of[j])
    others = (mention for j, mention in enumerate(pair.response) if j not in first and j not in covered)
    spurious = sum(zero_node(mention, pair.response_empty) is not None for mention in others)
    return right, right + wrong + missing, right, right + wrong + spurious


def _entities(mentions):
    """{number of a mention: of its entity}, and the numbers of the entities' first mentions."""
    entity_of, first = {}, set()
    for entity, cluster in enumerate(clusters_of(mentions)):
        entity_of.update(dict.fromkeys(cluster, entity))
        first.add(min(cluster, key=lambda j: in_order(mentions[j])))
    return entity_of, first


FILE_MEASURES = {"mor": Measure(overlap_counts, recall_precision_f1), "zero": Measure(zero_counts, recall_precision_f1)}
