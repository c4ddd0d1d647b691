"""Mentions that are there twice: refused, counted once, or counted as the official CoNLL scorer counts them.

The rule of that scorer (reference-coreference-scorers 8.01), found by running it: entities are in the order in which
they begin, at one word those of one word first. A mention that the response repeats and the key has counts in the first
of its entities; one that the key lacks stays in all. A mention that the key repeats is found in its last entity, and
missed in the others, but see `measure_repeats` for B3 and CEAF.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from .common import Message, input_error, setting, short_repr
from .documents import Document, Mention, Pair, grouped, mention_name
from .match_mentions import identity

DUPLICATES = ("error", "first", "conll")
SAME_ENTITY, ANOTHER_ENTITY = "in the same entity", "in another entity"
OF_THE_KEY = "key"


def drop_repeats(pair: Pair, documents: tuple[Document, Document], match: str, duplicates: str) -> Counter:
    """Leave out the mentions of a pair, not yet matched, that are there again; ValueError for one that is an error.

    `documents` are the key's and the response's, for errors; match and duplicates are as for `score_files`. Gives how
    many are left out of each kind, and under (OF_THE_KEY, quoted mention) where the key has it twice.
    """
    dropped: Counter = Counter()
    key_groups, response_groups = (_repeated(side, match) for side in (pair.key, pair.response))
    if not key_groups and not response_groups:
        return dropped
    if duplicates == "first":
        pair.key = _without_others(pair.key, key_groups.values(), dropped)
        pair.response = _without_others(pair.response, response_groups.values(), dropped)
        return dropped
    if duplicates == "error":
        pair.key, key_groups = _without_same_entity(pair.key, key_groups, match, dropped)
        pair.response, response_groups = _without_same_entity(pair.response, response_groups, match, dropped)
        for name, numbers in response_groups.items():
            if name not in key_groups:
                raise _error(documents[1], pair, *(pair.response[i] for i in numbers[:2]))
    for numbers in key_groups.values():
        entities = " and ".join(short_repr(pair.key[i].entity) for i in numbers)
        dropped[OF_THE_KEY, f"{_quoted(pair, pair.key[numbers[0]])} in {entities} ({documents[0].where})"] += 1
    pair.key = _last_first(pair.key, key_groups.values())
    in_key = {identity(mention, match) for mention in pair.key}
    ranks = _ranks(pair.response)
    doubles = [sorted(numbers, key=ranks.__getitem__) for name, numbers in response_groups.items() if name in in_key]
    pair.response = _without_others(pair.response, doubles, dropped)
    return dropped


def copies_of(mentions: list[Mention], match: str) -> dict[int, int]:
    """{number of a mention: number of the first that is the same}, for all but the first."""
    groups = _repeated(mentions, match).values()
    return {number: first for first, *others in groups for number in others}


def _repeated(mentions, match):
    """{what a mention is: its numbers} for those that are there more than once."""
    names = [identity(mention, match) for mention in mentions]
    if len(set(names)) == len(names):
        return {}
    groups = grouped((name, number) for number, name in enumerate(names))
    return {name: numbers for name, numbers in groups.items() if len(numbers) > 1}


def _without_others(mentions: list[Mention], groups: Iterable, dropped: Counter) -> list[Mention]:
    """The mentions without all but the first of each group."""
    again = set()
    for first, *others in groups:
        again.update(others)
        for number in others:
            same = mentions[number].entity == mentions[first].entity
            dropped[SAME_ENTITY if same else ANOTHER_ENTITY] += 1
    return [mention for number, mention in enumerate(mentions) if number not in again]


def _without_same_entity(mentions, groups, match, dropped):
    """The mentions without those that are again in the same entity, and the groups that are left."""
    own = [grouped((mentions[number].entity, number) for number in numbers).values() for numbers in groups.values()]
    mentions = _without_others(mentions, chain.from_iterable(own), dropped)
    return mentions, _repeated(mentions, match)


def _ranks(mentions):
    """The order of mentions: entities by where they begin, one-word mentions first, and so the mentions of each."""
    order = sorted(
        range(len(mentions)), key=lambda i: (mentions[i].positions[:1] or (-1,), len(mentions[i].positions) > 1, i)
    )
    entities = {}
    for number in order:
        entities.setdefault(mentions[number].entity, len(entities))
    return [(entities[mention.entity], number) for number, mention in enumerate(mentions)]


def _last_first(mentions, groups):
    """The mentions of each group with the one of the last entity in the first one's place: it is the one to match."""
    ranks, mentions = _ranks(mentions), list(mentions)
    for numbers in groups:
        ordered = [mentions[i] for i in sorted(numbers, key=ranks.__getitem__, reverse=True)]
        for number, mention in zip(sorted(numbers), ordered, strict=True):
            mentions[number] = mention
    return mentions


def _quoted(pair, mention):
    words = " ".join(pair.words[position] for position in mention.positions) if pair.words else mention.name
    return short_repr(words, 60) if words.strip() else mention_name(mention, None)


def _error(document, pair, earlier, mention):
    where = replace(document, line=mention.line).where if mention.line else document.where
    line = f" (line {earlier.line})" if earlier.line and earlier.line != mention.line else ""
    entities = f"{short_repr(mention.entity)} and in {short_repr(earlier.entity)}{line}"
    first, conll = (setting("duplicates", value) for value in ("first", "conll"))
    expected = Message("each mention in one entity, or ", first, ", or ", conll, " (the rule of the CoNLL scorer)")
    return input_error(where, f"the mention {_quoted(pair, mention)} in entity {entities}", expected)
