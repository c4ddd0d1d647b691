"""What there is to see of a document: where each side has mentions, in which class, and what went wrong.

Plain data from plain data; `show_page` draws it.
"""

from collections import Counter
from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

from .documents import Mention, Pair, clusters_of, listed, mention_names, runs_of
from .match_boundaries import boundary_pairs

LONGEST = 60  # characters of a mention that are quoted
MOST_QUOTED = 6  # mentions of a class that are quoted
ZERO = "\N{EMPTY SET}"


class Mark(NamedTuple):
    """A mention as one side shows it.

    Attributes:
        runs: (first, last) position of each of its parts.
        label: of its class: a number for an entity of the key; "2" or "2a", "2b", for what the response has of it;
            "+1" for a class of the response that has nothing of any.
        entity: number of the key's entity that gives the colour, from 0; None for none.
        notes: remarks on it, in words.
        name: what it is called, where it has no words.
    """

    runs: tuple
    label: str
    entity: int | None
    notes: tuple
    name: str = ""


class Difference(NamedTuple):
    """An error: its kind, and what happened, in words."""

    kind: str
    text: str


class View(NamedTuple):
    """A document, ready to be drawn; fields as in `documents.Pair`, with marks for mentions."""

    name: str
    words: list | None
    zeros: dict
    sentences: list
    key: list[Mark]
    response: list[Mark]
    errors: list[Difference]


def pair_of(key: list, response: list, name: str = "") -> Pair:
    """Clusters of mention ids (strings) as a pair without words, in which equal ids match."""
    keys, responses = _named_mentions(key), _named_mentions(response)
    numbers = {mention.name: number for number, mention in enumerate(keys)}
    matches = {number: numbers[m.name] for number, m in enumerate(responses) if m.name in numbers}
    return Pair(name, None, keys, responses, matches=matches)


def _named_mentions(clusters):
    return [Mention(str(i), (), name=mention) for i, cluster in enumerate(clusters) for mention in cluster]


def view_of(pair: Pair) -> View:
    """What there is to see of a pair of documents."""
    links = _Links(pair)
    return View(
        pair.name,
        pair.words,
        {position: node.label for position, node in (pair.key_empty | pair.response_empty).items()},
        pair.sentences,
        [_mark(pair.key[i], links.key_label(i), links.key_class[i], links.key_notes(i)) for i in range(len(pair.key))],
        [
            _mark(pair.response[i], links.labels[j], links.homes[j], links.response_notes(i))
            for i, j in enumerate(links.response_class)
        ],
        list(errors_of(pair, links)),
    )


def _mark(mention, label, entity, notes):
    return Mark(runs_of(mention.positions), label, entity, notes, mention.name)


class _Links:
    """Which mention and which class is which on the other side.

    Attributes:
        key_clusters, response_clusters: numbers of mentions.
        key_class, response_class: number of each mention's class.
        key_mention: {mention of the response: mention of the key}, also those with other boundaries.
        response_mention: the same, the other way round.
        bounded: the mentions of the response with other boundaries.
        homes: for each class of the response the key's entity that most of its mentions are from, or None.
        labels: what each class of the response is called.
    """

    def __init__(self, pair):
        self.pair = pair
        self.key_clusters, self.response_clusters = clusters_of(pair.key), clusters_of(pair.response)
        self.key_class, self.response_class = map(_class_numbers, (self.key_clusters, self.response_clusters))
        boundaries = _boundaries(pair)
        self.key_mention = pair.matches | boundaries
        self.response_mention = {i: j for j, i in self.key_mention.items()}
        self.bounded = set(boundaries)
        self.homes = [self._home(cluster) for cluster in self.response_clusters]
        self.labels = _labels(self.homes, list(map(len, self.response_clusters)))

    def _home(self, cluster):
        entities = Counter(self.key_class[self.key_mention[i]] for i in cluster if i in self.key_mention)
        return entities.most_common(1)[0][0] if entities else None

    def key_label(self, i):
        """What the entity of the key's mention number i is called."""
        return str(self.key_class[i] + 1)

    def key_notes(self, i):
        """Remarks on the key's mention number i."""
        if i not in self.response_mention:
            return ("missing",)
        j = self.response_mention[i]
        label = self.labels[self.response_class[j]]
        moved = (f"in {label}",) if label != self.key_label(i) else ()
        return self._span_notes(j) + moved

    def response_notes(self, i):
        """Remarks on the response's mention number i."""
        if i not in self.key_mention:
            return ("spurious",)
        entity, label = self.key_class[self.key_mention[i]], self.labels[self.response_class[i]]
        home = self.homes[self.response_class[i]]
        moved = ("split",) if entity == home and label.endswith(tuple(ascii_lowercase[1:])) else ()
        return self._span_notes(i) + ((f"merged: is {entity + 1}",) if entity != home else moved)

    def _span_notes(self, i):
        if i in self.bounded:
            return ("boundary",)
        same = self.pair.response[i].positions == self.pair.key[self.key_mention[i]].positions
        return () if same else ("other span, matched",)


def _class_numbers(clusters):
    numbers = {mention: i for i, cluster in enumerate(clusters) for mention in cluster}
    return [numbers[mention] for mention in range(len(numbers))]


def _boundaries(pair):
    """{mention of the response: mention of the key} for those that are the same but for their boundaries."""
    key, response = mention_names(pair)
    matched = set(pair.matches.values())
    missing = {name: i for i, name in enumerate(key) if i not in matched}
    spurious = {name: i for i, name in enumerate(response) if i not in pair.matches}
    return {spurious[one]: missing[other] for one, other in boundary_pairs(list(missing), list(spurious)).items()}


def _labels(homes, sizes):
    """Names of the response's classes: the number of their entity, with a letter where there are several of it."""
    shares = Counter(home for home in homes if home is not None)
    order = sorted(range(len(homes)), key=lambda j: -sizes[j])
    seen, labels = Counter(), {}
    for j in order:
        home, number = homes[j], seen[homes[j]]
        seen[home] += 1
        if home is None:
            labels[j] = f"+{number + 1}"
        elif shares[home] == 1:
            labels[j] = str(home + 1)
        else:
            labels[j] = f"{home + 1}{'z' * (number // 25)}{ascii_lowercase[number % 25]}"  # a ... y, za ... zy, zza ...
    return [labels[j] for j in range(len(homes))]


# ---- Errors in words ----


def errors_of(pair: Pair, links: _Links) -> Iterator[Difference]:
    """What went wrong in a document: splits, merges, boundaries, missing and spurious mentions."""
    yield from _splits(pair, links)
    yield from _merges(pair, links)
    for i in sorted(links.bounded):
        key, response = _quoted(pair, "key", links.key_mention[i]), _quoted(pair, "response", i)
        yield Difference("boundary", f"{key} is {response}")
    for i in range(len(pair.key)):
        if i not in links.response_mention:
            yield Difference("missing", f"{_quoted(pair, 'key', i)} of {links.key_label(i)}")
    for i, j in enumerate(links.response_class):
        if i not in links.key_mention:
            yield Difference("spurious", f"{_quoted(pair, 'response', i)} in {links.labels[j]}")


def _splits(pair, links):
    for number, cluster in enumerate(links.key_clusters):
        parts = _parts(cluster, links.response_mention, links.response_class)
        if len(parts) > 1:
            each = "; ".join(f"{links.labels[j]}: {_several(pair, 'key', own)}" for j, own in parts)
            yield Difference("split", f"{number + 1} is in {len(parts)} classes. {each}")


def _merges(pair, links):
    for label, cluster in zip(links.labels, links.response_clusters, strict=True):
        parts = _parts(cluster, links.key_mention, links.key_class)
        if len(parts) > 1:
            each = "; ".join(f"{j + 1}: {_several(pair, 'response', own)}" for j, own in parts)
            yield Difference("merged", f"{label} is from {len(parts)} entities. {each}")


def _parts(cluster, other_mention, other_class):
    """What a cluster has of each class of the other side: [(number of the class, mentions)]."""
    parts = {}
    for i in cluster:
        if i in other_mention:
            parts.setdefault(other_class[other_mention[i]], []).append(i)
    return sorted(parts.items())


def _several(pair, side, numbers):
    return listed([_quoted(pair, side, i) for i in numbers], MOST_QUOTED)


def _quoted(pair, side, number):
    """A mention's words in quotation marks, or its name."""
    mention, empty = getattr(pair, side)[number], getattr(pair, f"{side}_empty")
    if pair.words is None or not mention.positions:
        return mention.name or str(mention.positions)
    words = (word_of(pair.words[position], position in empty) for position in mention.positions[:LONGEST])
    text = " ".join(words)
    return f"“{text}”" if len(text) <= LONGEST else f"“{text[: LONGEST - 2]} …”"


def word_of(word: str, is_zero: bool) -> str:
    """A word as it is shown: a zero has a sign, and its form if it has one."""
    return word if not is_zero else ZERO if word in ("", "_") else f"{ZERO}{word}"
