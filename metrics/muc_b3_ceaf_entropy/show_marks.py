"""What there is to see of a document: where each side has mentions, in which class, and what went wrong.

Plain data from plain data; `page` draws it.
"""

from collections import Counter
from typing import NamedTuple

from .match_boundaries import boundary_pairs
from .documents import Mention, Pair, clusters_of, mention_names

LONGEST = 60  # characters of a mention that are quoted
MOST_QUOTED = 6  # mentions of a class that are quoted
ZERO = "\N{EMPTY SET}"


class Mark(NamedTuple):
    """A mention as one side shows it.

    Attributes:
        runs: (first, last) place of each of its parts.
        label: of its class: a number for an entity of the key; "2" or "2a", "2b", for what the response has of it;
            "+1" for a class of the response that has nothing of any.
        entity: number of the key's entity that gives the colour, from 0; None for none.
        notes: what is to be said of it, in words.
        name: what it is called, where it has no words.
    """

    runs: tuple
    label: str
    entity: int | None
    notes: tuple
    name: str = ""


class Fault(NamedTuple):
    """An error: its kind, and what happened, in words."""

    kind: str
    text: str


class View(NamedTuple):
    """A document, ready to be drawn; fields as in `mentions.Pair`, with marks for mentions."""

    name: str
    words: list | None
    zeros: dict
    sentences: list
    key: list[Mark]
    response: list[Mark]
    faults: list[Fault]


def pair_of(key: list, response: list, name: str = "") -> Pair:
    """Clusters of mention ids (strings) as a pair without words, in which equal ids match."""
    sides = [
        [Mention(str(i), (), name=mention) for i, cluster in enumerate(clusters) for mention in cluster]
        for clusters in (key, response)
    ]
    numbers = {mention.name: number for number, mention in enumerate(sides[0])}
    matches = {number: numbers[m.name] for number, m in enumerate(sides[1]) if m.name in numbers}
    return Pair(name, None, *sides, matches=matches)


def view_of(pair: Pair) -> View:
    """What there is to see of a pair of documents."""
    links = _Links(pair)
    return View(
        pair.name,
        pair.words,
        {place: node.label for place, node in (pair.key_empty | pair.response_empty).items()},
        pair.sentences,
        [_mark(pair.key[i], links.key_label(i), links.key_class[i], links.key_notes(i)) for i in range(len(pair.key))],
        [
            _mark(pair.response[i], links.labels[j], links.homes[j], links.response_notes(i))
            for i, j in enumerate(links.response_class)
        ],
        faults_of(pair, links),
    )


def _mark(mention, label, entity, notes):
    return Mark(runs_of(mention.places), label, entity, notes, mention.name)


def runs_of(places: tuple) -> tuple:
    """Neighbouring places together, as (first, last)."""
    runs = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return tuple(runs)


class _Links:
    """Which mention and which class is which on the other side.

    Attributes:
        key_clusters, response_clusters: numbers of mentions.
        key_class, response_class: number of each mention's class.
        matches: {mention of the response: mention of the key}, those with other boundaries among them.
        found: the same, the other way round.
        bounded: the mentions of the response with other boundaries.
        homes: for each class of the response the key's entity that most of its mentions are from, or None.
        labels: what each class of the response is called.
    """

    def __init__(self, pair):
        self.pair = pair
        self.key_clusters, self.response_clusters = clusters_of(pair.key), clusters_of(pair.response)
        self.key_class, self.response_class = map(_class_numbers, (self.key_clusters, self.response_clusters))
        boundaries = _boundaries(pair)
        self.matches = pair.matches | boundaries
        self.found = {i: j for j, i in self.matches.items()}
        self.bounded = set(boundaries)
        self.homes = [self._home(cluster) for cluster in self.response_clusters]
        self.labels = _labels(self.homes, list(map(len, self.response_clusters)))

    def _home(self, cluster):
        entities = Counter(self.key_class[self.matches[i]] for i in cluster if i in self.matches)
        return entities.most_common(1)[0][0] if entities else None

    def key_label(self, i):
        """What the entity of the key's mention number i is called."""
        return str(self.key_class[i] + 1)

    def key_notes(self, i):
        """What is to be said of the key's mention number i."""
        if i not in self.found:
            return ("missing",)
        j = self.found[i]
        label = self.labels[self.response_class[j]]
        moved = (f"in {label}",) if label != self.key_label(i) else ()
        return self._span_notes(j) + moved

    def response_notes(self, i):
        """What is to be said of the response's mention number i."""
        if i not in self.matches:
            return ("spurious",)
        entity, label = self.key_class[self.matches[i]], self.labels[self.response_class[i]]
        home = self.homes[self.response_class[i]]
        moved = ("split",) if entity == home and label.endswith(tuple(LETTERS[1:])) else ()
        return self._span_notes(i) + ((f"merged: is {entity + 1}",) if entity != home else moved)

    def _span_notes(self, i):
        if i in self.bounded:
            return ("boundary",)
        same = self.pair.response[i].places == self.pair.key[self.matches[i]].places
        return () if same else ("other span, matched",)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


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
            labels[j] = f"{home + 1}{_letters(number)}"
    return [labels[j] for j in range(len(homes))]


def _letters(number):
    """a, b, ... z, za, zb, ..."""
    return "z" * (number // 25) + LETTERS[number % 25]


# ---- Faults in words ----


def faults_of(pair: Pair, links: _Links) -> list[Fault]:
    """What went wrong in a document: splits, merges, boundaries, missing and spurious mentions."""
    return [
        *_splits(pair, links),
        *_merges(pair, links),
        *(
            Fault("boundary", f"{_quoted(pair, 'key', links.matches[i])} is {_quoted(pair, 'response', i)}")
            for i in sorted(links.bounded)
        ),
        *(
            Fault("missing", f"{_quoted(pair, 'key', i)} of {links.key_label(i)}")
            for i in range(len(pair.key))
            if i not in links.found
        ),
        *(
            Fault("spurious", f"{_quoted(pair, 'response', i)} in {links.labels[links.response_class[i]]}")
            for i in range(len(pair.response))
            if i not in links.matches
        ),
    ]


def _splits(pair, links):
    for number, cluster in enumerate(links.key_clusters):
        parts = {}
        for i in cluster:
            if i in links.found:
                parts.setdefault(links.response_class[links.found[i]], []).append(i)
        if len(parts) > 1:
            told = "; ".join(f"{links.labels[j]}: {_several(pair, 'key', own)}" for j, own in sorted(parts.items()))
            yield Fault("split", f"{number + 1} is in {len(parts)} classes. {told}")


def _merges(pair, links):
    for label, cluster in zip(links.labels, links.response_clusters):
        parts = {}
        for i in cluster:
            if i in links.matches:
                parts.setdefault(links.key_class[links.matches[i]], []).append(i)
        if len(parts) > 1:
            told = "; ".join(f"{j + 1}: {_several(pair, 'response', own)}" for j, own in sorted(parts.items()))
            yield Fault("merged", f"{label} is from {len(parts)} entities. {told}")


def _several(pair, side, numbers):
    quoted = ", ".join(_quoted(pair, side, i) for i in numbers[:MOST_QUOTED])
    more = len(numbers) - MOST_QUOTED
    return f"{quoted} and {more} more" if more > 0 else quoted


def _quoted(pair, side, number):
    """A mention's words in quotation marks, or its name."""
    mention, empty = getattr(pair, side)[number], getattr(pair, f"{side}_empty")
    if pair.words is None or not mention.places:
        return mention.name or str(mention.places)
    words = (word_of(pair.words[place], place in empty) for place in mention.places[:LONGEST])
    text = " ".join(words)
    return f"“{text}”" if len(text) <= LONGEST else f"“{text[: LONGEST - 2]} …”"


def word_of(word: str, is_zero: bool) -> str:
    """A word as it is shown: a zero has a sign, and its form if it has one."""
    return word if not is_zero else ZERO if word in ("", "_") else f"{ZERO}{word}"
