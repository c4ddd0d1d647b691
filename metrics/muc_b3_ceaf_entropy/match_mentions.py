"""Which mention of the response is which of the key: one to one, by words, by part of them, or by heads.

The rules are those of corefud-scorer 1.2 (the scorer of the CRAC shared tasks, after the UA scorer 2.0; Yu et al. 2023,
Novák et al. 2024), in this order:

1. ``zeros="dependent"``: mentions whose head is an empty node are matched among each other, within a sentence, so that
   the sum over pairs of 10 F1(dependencies as (parent, relation)) + F1(parents) is largest.
2. Mentions of the same words (with match="head" also of the same head) that are left.
3. Of what is left, so that the sum of |K and R| / |K| is largest: match="partial": R lies within K and covers its
   head; match="head": K and R have the same head.

Ties of 1 and 3 go to the mention that begins earlier, ends earlier, is shorter, as far as the solver, which is
corefud-scorer's, heeds the order.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from .documents import EmptyNode, Mention, Pair, grouped
from .match_classes import dense_matching, max_weight_matching

MATCHES = ("exact", "partial", "head")
ZEROS = ("linear", "dependent")
DENSE_CELLS = 4_000_000  # above, what hangs together is solved by itself; ties may then fall otherwise


def identity(mention: Mention, match: str) -> tuple | str:
    """What makes two mentions of a document the same: their words, for heads also their head; or their name."""
    return mention.name or ((mention.positions, mention.head) if match == "head" else mention.positions)


def match_mentions(pair: Pair, match: str, zeros: str) -> dict[int, int]:
    """{number of a mention in pair.response: number of its match in pair.key}; no mention may stand twice on a side."""
    matches = _match_zeros(pair) if zeros == "dependent" else {}
    taken = set(matches.values())
    key = [i for i in range(len(pair.key)) if i not in taken]
    response = [j for j in range(len(pair.response)) if j not in matches]
    numbers = {identity(pair.key[i], match): i for i in reversed(key)}  # of repeated ones the first
    same = {j: numbers[name] for j in response if (name := identity(pair.response[j], match)) in numbers}
    matches |= same
    if match != "exact":
        taken = set(same.values())
        rest = [i for i in key if i not in taken], [j for j in response if j not in same]
        matches |= _assign(pair, *rest, CANDIDATES[match], _overlap)
    return matches


def counted_twice(pair: Pair, match: str) -> int:
    """Mentions of the same words that are not matched with each other, because dependencies match one elsewhere.

    Where there are some, corefud-scorer counts differently: it looks up a mention by its words where it has no match,
    so that one mention of the response can stand for two of the key.
    """
    numbers = {identity(mention, match): i for i, mention in enumerate(pair.key)}
    same = ((j, numbers.get(identity(mention, match))) for j, mention in enumerate(pair.response))
    return sum(1 for j, i in same if i is not None and pair.matches.get(j) != i)


def in_order(mention: Mention) -> tuple:
    """The order of mentions in a text: by begin, end and length; what has no words in it comes first."""
    positions = mention.positions or (-1,)
    return positions[0], positions[-1], len(positions), positions


def _assign(pair, key: list, response: list, candidates: Callable, score: Callable) -> dict:
    """The one-to-one matching with the largest sum of scores, of the mentions with these numbers."""
    if not key or not response:
        return {}
    key = sorted(key, key=lambda i: in_order(pair.key[i]))
    response = sorted(response, key=lambda j: in_order(pair.response[j]))
    cells = [
        (row, column, value)
        for row, column in candidates([pair.key[i] for i in key], [pair.response[j] for j in response])
        if (value := score(pair, pair.key[key[row]], pair.response[response[column]])) > 0
    ]
    if not cells:
        return {}
    rows, columns, values = (np.array(each) for each in zip(*cells, strict=True))
    solve = dense_matching if len(key) * len(response) <= DENSE_CELLS else max_weight_matching
    chosen = solve(rows, columns, values, (len(key), len(response)))
    return {response[column]: key[row] for row, column in zip(rows[chosen], columns[chosen], strict=True)}


def _overlap(_pair, key, response):
    """The share of the key's words that the response has."""
    return len(set(key.positions).intersection(response.positions)) / len(key.positions)


def _same_head(key: Iterable[Mention], response: Iterable[Mention]):
    """Pairs of mentions with one head."""
    by_head = grouped((mention.head, column) for column, mention in enumerate(response))
    for row, mention in enumerate(key):
        for column in by_head.get(mention.head, ()) if mention.head else ():
            yield row, column


def _parts(key: Iterable[Mention], response: Iterable[Mention]):
    """Pairs of which the response's is a part of the key's that covers its head."""
    heads = {mention.head[0] for mention in key if mention.head}
    covering = defaultdict(list)
    for column, mention in enumerate(response):
        for position in heads.intersection(mention.positions):
            covering[position].append((column, set(mention.positions)))
    for row, mention in enumerate(key):
        for column, positions in covering[mention.head[0]] if mention.head else ():
            if positions.issuperset(mention.head) and positions.issubset(mention.positions):
                yield row, column


CANDIDATES = {"partial": _parts, "head": _same_head}


def zero_node(mention: Mention, empty: dict[int, EmptyNode]) -> EmptyNode | None:
    """The empty node that is the mention's head (its first word, where it has no head); None for other mentions."""
    positions = mention.head or mention.positions
    return empty.get(positions[0]) if empty and positions else None


def _match_zeros(pair):
    key = [i for i, mention in enumerate(pair.key) if zero_node(mention, pair.key_empty)]
    response = [j for j, mention in enumerate(pair.response) if zero_node(mention, pair.response_empty)]

    def in_one_sentence(key_zeros, response_zeros):
        by_sentence = grouped((zero_node(m, pair.response_empty).sentence, j) for j, m in enumerate(response_zeros))
        for row, mention in enumerate(key_zeros):
            for column in by_sentence.get(zero_node(mention, pair.key_empty).sentence, ()):
                yield row, column

    return _assign(pair, key, response, in_one_sentence, _dependency_score)


def _dependency_score(pair, key, response):
    """10 F1 of (parent, relation) + F1 of parents."""
    ours, theirs = zero_node(key, pair.key_empty).deps, zero_node(response, pair.response_empty).deps
    return 10 * _f1(ours, theirs) + _f1({parent for parent, _ in ours}, {parent for parent, _ in theirs})


def _f1(one, other):
    """In corefud-scorer's order of operations, so that ties stay ties."""
    common = len(one & other)
    precision, recall = common / max(len(one), 1), common / max(len(other), 1)
    return 2 * precision * recall / (precision + recall) if common else 0.0
