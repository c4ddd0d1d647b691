"""What a file says of a document: its words, and clusters of mentions, sets of positions in them.

A reader gives a `Document` for each document of a file. `match_words` puts a key and a response together into a `Pair`,
whose mentions point into one text; `match_mentions` says which mention of the response is which of the key; and
`partitions` names the mentions, so that two matched ones have one name: that is all that `compute` has to know.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .common import short_repr

ALL_DOCUMENTS = "all documents"  # the name of many as one
MOST_LISTED = 3


class Mention(NamedTuple):
    """A mention as a file has it.

    Attributes:
        entity: the id of its entity in the file.
        positions: of its words (`Document.words`), in order, each once; several runs where it is discontinuous.
        head: what a partial match must cover: one word in CorefUD, the minimal span in GUM and UA, () elsewhere.
        line: of the file, where it begins; 0 where the file has no lines for it.
        name: what the file calls it, where it has no words but only names; positions is then ().
    """

    entity: str
    positions: tuple[int, ...]
    head: tuple[int, ...] = ()
    line: int = 0
    name: str = ""


class EmptyNode(NamedTuple):
    """A word that is not in the text, such as a dropped pronoun: ``N.k`` in CoNLL-U.

    Attributes:
        sentence: number of the sentence in the document, from 0.
        after: N, the word of the sentence that it comes after, 0 at the sentence's begin.
        number: k, from 1.
        deps: its dependencies, (parent's id in the sentence, relation); the fields of DEPS.
        label: a name that is its own in the document: ``"7.1"`` after seven words, ``"7.0.1"`` before the eighth in
            its sentence (0.k).
    """

    sentence: int
    after: int
    number: int
    deps: frozenset = frozenset()
    label: str = ""


@dataclass
class Document:
    """One document of a file.

    Attributes:
        name: as in the file; "" where it has none.
        file: path of the file.
        line: where the document begins.
        words: its words and empty nodes; None where the file has only positions or names.
        mentions: in the order in which they begin in the file.
        empty: {position: node} for the words that are empty nodes.
        lines: of the file, for each word.
        sentences: the position at which each sentence begins.
        left_out: {kind of annotation that is not scored: how many}, such as "split antecedents", "bridging links".
        headless: number of mentions of which the file has heads, but not this one's: the first word is taken.
        format: a name of `read_formats.FORMATS`.
        from_text: whether the file has text with mentions in it, so that the words are not the file's own tokens.
        beside: files of its folder that were not read.
    """

    name: str
    file: str
    line: int = 0
    words: list[str] | None = None
    mentions: list[Mention] = field(default_factory=list)
    empty: dict[int, EmptyNode] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    left_out: Counter = field(default_factory=Counter)
    headless: int = 0
    format: str = ""
    from_text: bool = False
    beside: list[str] = field(default_factory=list)

    @property
    def tokens(self) -> list[str]:
        """The words, of which there are none where the file has only positions or names."""
        return self.words or []

    @property
    def where(self) -> str:
        """File, line and name, for errors."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: document {short_repr(self.name)}" if self.name else f"{where}: document without a name"


@dataclass
class Pair:
    """One document of the key and of the response, in one text.

    Attributes:
        name: of the document.
        words: the words of both sides, and the empty nodes of either; a node N.k of one sentence is one position,
            whichever side has it. None where the files have no words.
        key, response: the mentions, their positions in this text.
        key_empty, response_empty: {position: node} for the empty nodes of each side.
        sentences: the position at which each sentence begins.
        matches: {number of a mention in response: number of its match in key}, one to one.
        copies: {number of a mention in key: number of the same in the last of its entities}, where it has several.
        left_out: {kind of annotation that is not scored: how many, both sides}.
        format: of the key's file.
    """

    name: str
    words: list[str] | None
    key: list[Mention]
    response: list[Mention]
    key_empty: dict[int, EmptyNode] = field(default_factory=dict)
    response_empty: dict[int, EmptyNode] = field(default_factory=dict)
    sentences: list[int] = field(default_factory=list)
    matches: dict[int, int] = field(default_factory=dict)
    left_out: Counter = field(default_factory=Counter)
    format: str = ""
    copies: dict[int, int] = field(default_factory=dict)


def listed(texts: list[str], most: int = MOST_LISTED) -> str:
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
    clusters: dict[str, list[int]] = {}
    for number, mention in enumerate(mentions):
        clusters.setdefault(mention.entity, []).append(number)
    return list(clusters.values())


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
    if not empty:
        return None
    labels, number = [], 0
    for position in range(len(positions)):
        if position in empty:
            labels.append(empty[position].label)
        else:
            labels.append(str(number))
            number += 1
    return labels


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
