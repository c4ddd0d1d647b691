"""What a file says of a document: its words, and clusters of mentions, sets of positions in them.

A reader gives a `Document` for each document of a file. `match_words` puts a key and a response together into a `Pair`,
whose mentions point into one text; `match_mentions` says which mention of the response is which of the key; and
`partitions` names the mentions, so that two matched ones have one name: that is all that `compute` has to know.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from .common import short_repr


class Mention(NamedTuple):
    """A mention as a file has it."""

    entity: str  # the id of its entity in the file
    positions: tuple[int, ...]  # of its words (`Document.words`), in order, each once; in several runs if discontinuous
    head: tuple[int, ...] = ()  # what a partial match must cover: a word in CorefUD, the minimal span in GUM and UA
    line: int = 0  # of the file, where it begins; 0 where the file has no lines for it
    name: str = ""  # what the file calls it, where it has no words but only names; positions is then ()


class EmptyNode(NamedTuple):
    """A word that is not in the text, such as a dropped pronoun: ``N.k`` in CoNLL-U."""

    sentence: int  # number of the sentence in the document, from 0
    after: int  # N, the word of the sentence that it comes after, 0 at the sentence's begin
    number: int  # k, from 1
    deps: frozenset = frozenset()  # its dependencies in DEPS, (parent's id in the sentence, relation)
    label: str = ""  # its own in the document: "7.1" after seven words, "7.0.1" before the eighth in its sentence (0.k)


@dataclass
class Document:
    """One document of a file."""

    name: str  # as in the file; "" where it has none
    file: str  # its path
    line: int = 0  # where the document begins
    words: list[str] | None = None  # and empty nodes; None where the file has only positions or names
    mentions: list[Mention] = field(default_factory=list)  # in the order in which they begin in the file
    empty: dict[int, EmptyNode] = field(default_factory=dict)  # by position, of the words that are empty nodes
    lines: list[int] = field(default_factory=list)  # of the file, for each word
    sentences: list[int] = field(default_factory=list)  # the position at which each begins
    left_out: Counter = field(default_factory=Counter)  # {what is not scored, such as "bridging links": how many}
    headless: int = 0  # mentions of which the file has heads, but not these ones': the first word is taken
    format: str = ""  # a name of `read_formats.FORMATS`
    from_text: bool = False  # whether it is text with mentions in it, so that the words are not the file's own tokens
    beside: list[str] = field(default_factory=list)  # files of its folder that were not read

    @property
    def tokens(self) -> list[str]:
        """The words, of which there are none where the file has only positions or names."""
        return self.words or []

    @property
    def text(self) -> list[int]:
        """The positions of the words that are in the text: all but the empty nodes."""
        return [position for position in range(len(self.tokens)) if position not in self.empty]

    @property
    def sentences_of_text(self) -> list[int]:
        """Before which of the words that are in the text each sentence begins."""
        text = self.text
        return [bisect_left(text, position) for position in self.sentences]

    @property
    def where(self) -> str:
        """File, line and name, for errors."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: document {short_repr(self.name)}" if self.name else f"{where}: document without a name"


@dataclass
class Pair:
    """One document of the key and of the response, in one text.

    Its words are those of both sides, and the empty nodes of either: a node N.k of one sentence is one position,
    whichever side has it.
    """

    name: str
    words: list[str] | None  # None where the files have none
    key: list[Mention]
    response: list[Mention]
    key_empty: dict[int, EmptyNode] = field(default_factory=dict)  # by position
    response_empty: dict[int, EmptyNode] = field(default_factory=dict)
    sentences: list[int] = field(default_factory=list)  # the position at which each begins
    matches: dict[int, int] = field(default_factory=dict)  # {mention of the response: mention of the key}, one to one
    left_out: Counter = field(default_factory=Counter)  # as in `Document`, of both sides
    format: str = ""  # of the key's file
    copies: dict[int, int] = field(default_factory=dict)  # {mention of the key: the same in the last of its entities}


def grouped(items: Iterable[tuple[Any, Any]]) -> dict[Any, list]:
    """{key: its values} of (key, value), in their order."""
    groups: dict[Any, list] = {}
    for key, value in items:
        groups.setdefault(key, []).append(value)
    return groups


def listed(texts: list[str], most: int = 3) -> str:
    """The first of some texts for a message, and how many more there are."""
    more = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {more} more" if more > 0 else "")


# ---- Singletons: what keep_singletons=False leaves out, of clusters and of pairs that are not matched yet ----


def larger_clusters(clusters: Iterable[list]) -> list[list]:
    """The clusters of more than one mention."""
    return [cluster for cluster in clusters if len(cluster) > 1]


def drop_singletons(pairs: list[Pair]) -> None:
    """Leave out of each side the entities that have one mention in all of the pairs together."""
    sizes_in_key = Counter(mention.entity for pair in pairs for mention in pair.key)
    sizes_in_response = Counter(mention.entity for pair in pairs for mention in pair.response)
    for pair in pairs:
        pair.key = [mention for mention in pair.key if sizes_in_key[mention.entity] > 1]
        pair.response = [mention for mention in pair.response if sizes_in_response[mention.entity] > 1]


# ---- Names ----


def clusters_of(mentions: Iterable[Mention]) -> list[list[int]]:
    """The numbers of the mentions, cluster by cluster, in the order in which entities begin."""
    return list(grouped((mention.entity, number) for number, mention in enumerate(mentions)).values())


def mention_names(pair: Pair) -> tuple[list[str], list[str]]:
    """Names for the mentions of key and response: such as ``"3-5"``, ``"3-4,8-8"``, ``"7.1-7.1"`` (an empty node).

    Places count the words that are in the text, from 0, ends inclusive. The key's names come from the text and the
    key's own empty nodes, so that they are the same beside any response. A matched mention of the response has the
    key's name. Where a name is taken by another mention, primes are added: ``"3-5'"``.
    """
    taken: set[str] = set()
    key = [_free(name, taken) for name in _names(pair.key, pair.words, pair.key_empty, pair.response_empty)]
    response = [
        key[pair.matches[number]] if number in pair.matches else _free(name, taken)
        for number, name in enumerate(_names(pair.response, pair.words, pair.response_empty, pair.key_empty))
    ]
    return key, response


def _names(mentions, words, empty, others):
    """What mentions are called in their side's text, which lacks the empty nodes that only the other side has."""
    if not empty and not others:
        return [mention_name(mention, None) for mention in mentions]
    own = [position for position in range(len(words)) if position in empty or position not in others]
    numbers = {position: number for number, position in enumerate(own)}
    labels = position_labels(own, {numbers[position]: node for position, node in empty.items()})
    return [_runs_named(tuple(map(numbers.__getitem__, mention.positions)), labels) for mention in mentions]


def partitions(pairs: Iterable[Pair]) -> dict:
    """{"predictions", "references"} as `compute` takes them: clusters of names, in which the matching is expressed."""
    predictions, references = [], []
    for pair in pairs:
        key, response = mention_names(pair)
        predictions.append([[response[i] for i in cluster] for cluster in clusters_of(pair.response)])
        references.append([[key[i] for i in cluster] for cluster in clusters_of(pair.key)])
    return {"predictions": predictions, "references": references}


def partition_across(pairs: list[Pair]) -> dict:
    """The same with all documents as one: entities of one name are one entity, a mention has its document's name."""
    keys: dict[str, list[str]] = {}
    responses: dict[str, list[str]] = {}
    for number, pair in enumerate(pairs):
        key_names, response_names = mention_names(pair)
        for entities, mentions, names in ((keys, pair.key, key_names), (responses, pair.response, response_names)):
            for mention, name in zip(mentions, names, strict=True):
                entities.setdefault(mention.entity, []).append(f"{pair.name or number} {name}")
    return {"predictions": [list(responses.values())], "references": [list(keys.values())]}


def named_copies(pairs: list[Pair]) -> list[dict] | None:
    """For each pair its copies by the names of mentions; None where there are none at all."""
    if not any(pair.copies for pair in pairs):
        return None
    keys = [mention_names(pair)[0] if pair.copies else [] for pair in pairs]
    return [{key[copy]: key[last] for copy, last in pair.copies.items()} for key, pair in zip(keys, pairs, strict=True)]


def _free(name, taken):
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def position_labels(positions: Sequence, empty: dict[int, EmptyNode]) -> list[str] | None:
    """What each of the positions of a text is called; None without empty nodes, where it is its own number."""
    numbers = count()
    return [empty[i].label if i in empty else str(next(numbers)) for i in range(len(positions))] if empty else None


def mention_name(mention: Mention, labels: list[str] | None) -> str:
    """The name that the file gives, or else the runs of positions, as `position_labels` calls them."""
    return mention.name or _runs_named(mention.positions, labels)


def _runs_named(positions, labels):
    name = str if labels is None else labels.__getitem__
    return ",".join(f"{name(first)}-{name(last)}" for first, last in runs_of(positions))


def runs_of(positions: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Neighbouring positions together, as (first, last)."""
    if positions and positions[-1] - positions[0] == len(positions) - 1:
        return ((positions[0], positions[-1]),)
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return tuple(runs)
