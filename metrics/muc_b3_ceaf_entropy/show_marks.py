"""What there is to see of a document: where each side has mentions, in which class, and what went wrong.

Plain data from plain data; `show_page` draws it.
"""

from collections import Counter
from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

from .documents import Mention, Pair, clusters_of, grouped, listed, mention_names, runs_of
from .match_boundaries import boundary_pairs

LONGEST = 60  # characters of a mention that are quoted
MOST_QUOTED = 6  # mentions of a class that are quoted
ZERO = "\N{EMPTY SET}"


class Mark(NamedTuple):
    """A mention as one side shows it.

    Its label is that of its class: a number for an entity of the key; "2" or "2a", "2b", for what the response has of
    it; "+1" for a class of the response that has nothing of any.
    """

    runs: tuple  # (first, last) position of each of its parts
    label: str
    entity: int | None  # number of the key's entity that gives the colour, from 0; None for none
    notes: tuple  # remarks on it, in words
    name: str = ""  # what it is called, where it has no words


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
    zeros = {position: node.label for position, node in (pair.key_empty | pair.response_empty).items()}
    key, response, errors = map(list, (links.key_marks(), links.response_marks(), errors_of(pair, links)))
    return View(pair.name, pair.words, zeros, pair.sentences, key, response, errors)


class _Side:
    """The classes of a side: their numbers of mentions, each mention's class, and what the classes are called.

    `twins` are {mention: mention of the other side that it is, maybe with other boundaries}.
    """

    def __init__(self, mentions, twins):
        self.mentions, self.twins = mentions, twins
        self.clusters = clusters_of(mentions)
        self.class_of = {mention: i for i, cluster in enumerate(self.clusters) for mention in cluster}
        self.labels = [str(i) for i in range(1, len(self.clusters) + 1)]

    def label(self, i):
        """What the class of a mention is called."""
        return self.labels[self.class_of[i]]


class _Links:
    """Which mention and which class is which on the other side.

    Attributes:
        key, response: the sides, the response's classes called after the key's.
        bounded: {mention of the response: mention of the key} of those with other boundaries.
        homes: for each class of the response the key's entity that most of its mentions are from, or None.
    """

    def __init__(self, pair):
        self.bounded = _boundaries(pair)
        twins = pair.matches | self.bounded
        self.key = _Side(pair.key, {i: j for j, i in twins.items()})
        self.response = _Side(pair.response, twins)
        self.homes = [self._home(cluster) for cluster in self.response.clusters]
        self.response.labels = _labels(self.homes, list(map(len, self.response.clusters)))

    def _home(self, cluster):
        twins = self.response.twins
        entities = Counter(self.key.class_of[twins[i]] for i in cluster if i in twins)
        return entities.most_common(1)[0][0] if entities else None

    def key_marks(self):
        """The key's mentions as they are shown."""
        for i, mention in enumerate(self.key.mentions):
            label, notes = self.key.label(i), ("missing",)
            if i in self.key.twins:
                there = self.response.label(self.key.twins[i])
                notes = self._span_notes(self.key.twins[i]) + ((f"in {there}",) if there != label else ())
            yield Mark(runs_of(mention.positions), label, self.key.class_of[i], notes, mention.name)

    def response_marks(self):
        """The response's mentions as they are shown."""
        for i, mention in enumerate(self.response.mentions):
            home, label, notes = self.homes[self.response.class_of[i]], self.response.label(i), ("spurious",)
            if i in self.response.twins:
                entity = self.key.class_of[self.response.twins[i]]
                moved = ("split",) if entity == home and label.endswith(tuple(ascii_lowercase[1:])) else ()
                notes = self._span_notes(i) + ((f"merged: is {entity + 1}",) if entity != home else moved)
            yield Mark(runs_of(mention.positions), label, home, notes, mention.name)

    def _span_notes(self, i):
        if i in self.bounded:
            return ("boundary",)
        same = self.response.mentions[i].positions == self.key.mentions[self.response.twins[i]].positions
        return () if same else ("other span, matched",)


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
    key = [_quoted(pair, mention, pair.key_empty) for mention in pair.key]
    response = [_quoted(pair, mention, pair.response_empty) for mention in pair.response]
    for label, n, parts in _divided(links.key, links.response, key):
        yield Difference("split", f"{label} is in {n} classes. {parts}")
    for label, n, parts in _divided(links.response, links.key, response):
        yield Difference("merged", f"{label} is from {n} entities. {parts}")
    for i, twin in sorted(links.bounded.items()):
        yield Difference("boundary", f"{key[twin]} is {response[i]}")
    for i, quoted in enumerate(key):
        if i not in links.key.twins:
            yield Difference("missing", f"{quoted} of {links.key.label(i)}")
    for i, quoted in enumerate(response):
        if i not in links.response.twins:
            yield Difference("spurious", f"{quoted} in {links.response.label(i)}")


def _divided(side, other, quoted):
    """Of each class that is in several of the other side: what it is called, in how many, and what is in each."""
    for label, cluster in zip(side.labels, side.clusters, strict=True):
        parts = grouped((other.class_of[side.twins[i]], quoted[i]) for i in cluster if i in side.twins)
        if len(parts) > 1:
            each = (f"{other.labels[j]}: {listed(own, MOST_QUOTED)}" for j, own in sorted(parts.items()))
            yield label, len(parts), "; ".join(each)


def _quoted(pair, mention, empty):
    """A mention's words in quotation marks, or its name."""
    if pair.words is None or not mention.positions:
        return mention.name or str(mention.positions)
    words = (word_of(pair.words[position], position in empty) for position in mention.positions[:LONGEST])
    text = " ".join(words)
    return f"“{text}”" if len(text) <= LONGEST else f"“{text[: LONGEST - 2]} …”"


def word_of(word: str, is_zero: bool) -> str:
    """A word as it is shown: a zero has a sign, and its form if it has one."""
    return word if not is_zero else ZERO if word in ("", "_") else f"{ZERO}{word}"
