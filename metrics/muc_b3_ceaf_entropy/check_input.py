"""What a user may hand in as a document, checked and brought into one form: lists of clusters of strings."""

import hashlib
import json
import re
from array import array
from collections import Counter
from itertools import chain
from numbers import Integral

from .common import SURROGATE, InputError, Message, argument, as_python, input_error, is_listing, setting, short_repr

CLUSTERS = (list, tuple, set, frozenset)
MOST_BITS = 10_000  # of an integer; Python refuses to write one of more than 4,300 digits


def normalise_document(document, where: str) -> list:
    """Check one document's clusters and turn its mention ids into strings.

    Args:
        document: a list of clusters; a cluster is a list (tuple, set, array) of mentions; a mention is a string,
            an integer or a ``[start, end]`` pair of integers, the same kind all through the document.
        where: how to name the document in an error, such as ``"predictions[3]"``.

    Returns:
        The clusters as lists of strings: ``"x"`` for "x", ``"7"`` for 7, ``"[0, 2]"`` for [0, 2] or (0, 2).

    Raises:
        ValueError: the document is not a list of clusters, a cluster is empty, a mention is of another type than the
            first, or stands twice. The message names the document, the cluster and the mention.
    """

    def place(i):
        return f"{where}, cluster {i}"

    clusters = _as_list(document, where, "a list of clusters")
    clusters = [
        cluster if type(cluster) is list else _as_list(cluster, place(i), "a list of mentions")
        for i, cluster in enumerate(clusters)
    ]
    if not all(clusters):
        raise input_error(place(clusters.index([])), "an empty cluster", "at least one mention")
    clusters = _as_strings(clusters, place)
    _check_distinct(clusters, where)
    return clusters


def check_documents(predictions, references, start: int = 0) -> list:
    """The documents of the responses and of the keys, as `normalise_document` returns them.

    `start` is the number of the first document, for errors.

    Raises:
        ValueError: a side is not a list, the numbers of documents differ, a document is refused, or its mentions are
            of one kind in the response and of another in the key.
    """
    given = {"predictions": predictions, "references": references}
    sides = {name: as_documents(documents, name) for name, documents in given.items()}
    responses, keys = sides.values()
    if len(responses) != len(keys):
        found = f"{len(responses)} documents in predictions and {len(keys)} in references"
        raise input_error("", found, "the same number on both sides")
    pairs = {name: _all_pairs(documents) for name, documents in sides.items()}
    if all(pairs.values()):
        return list(pairs.values())
    checked = [
        pairs[name] or [normalise_document(document, f"{name}[{i}]") for i, document in enumerate(documents, start)]
        for name, documents in sides.items()
    ]
    for i, (response, key) in enumerate(zip(responses, keys, strict=True), start):
        kinds = document_kind(response), document_kind(key)
        if all(kinds) and kinds[0] != kinds[1]:
            found = f"mixed mention types: each mention is {kinds[0]} in predictions and {kinds[1]} in references"
            raise input_error(f"document {i}", found, "mentions of one type on both sides")
    return checked


def _all_pairs(documents):
    """The documents, normalised, if all they have are lists of distinct [start, end] pairs of plain integers; else [].

    It looks at all of them together; what is wrong with others, `normalise_document` says.
    """
    levels = [documents]
    while len(levels) < 4 and set(map(type, levels[-1])) == {list}:
        levels.append(list(chain.from_iterable(levels[-1])))
    if len(levels) < 4 or not all(levels[1]) or not _are_numbers(levels[3]):  # clusters; numbers
        return []
    try:
        names = [[[f"[{start}, {end}]" for start, end in cluster] for cluster in document] for document in documents]
    except ValueError:  # a mention of another length
        return []
    distinct = sum(len(set(chain.from_iterable(document))) for document in names)
    return names if distinct == len(levels[2]) else []


class Subset(list):
    """For each document the set of mentions to score; written as a digest, because it may be long."""

    def __repr__(self):
        text = json.dumps([sorted(mentions) for mentions in self]).encode()
        return f"{len(self)} documents@{hashlib.sha256(text).hexdigest()[:8]}"


def normalise_subset(subset) -> Subset:
    """The mentions to score, checked, their ids as strings; ValueError for no list of lists of mentions of one kind."""
    documents = as_documents(subset, "subset")
    return Subset(_mention_set(mentions, f"subset[{i}]") for i, mentions in enumerate(documents))


def _mention_set(mentions, where):
    return set(_as_strings([_as_list(mentions, where, "a list of mentions")], lambda _: where)[0])


def restrict(pairs: list, subset: list) -> list:
    """Restrict (key, response) of every document to a subset of its mentions (section 5.4 of the paper).

    Clusters that are then empty go; some of the subset's mentions may be on one side only, or on none.

    Raises:
        ValueError: not one set of mentions for each document, mentions of a document that are all of another form
            than the document's, or not one mention that is in its document.
    """
    if len(subset) != len(pairs):
        raise input_error(argument("subset"), f"{len(subset)} lists", f"{len(pairs)}, one for each document")
    for i, (kept, pair) in enumerate(zip(subset, pairs, strict=True)):
        _check_same_forms(kept, pair, f"subset[{i}]")
    restricted = [tuple(_within(side, kept) for side in pair) for kept, pair in zip(subset, pairs, strict=True)]
    there = next((mention for pair in pairs for side in pair for cluster in side for mention in cluster), None)
    if any(subset) and there is not None and not any(map(any, restricted)):
        found = f"mentions such as {short_repr(min(next(filter(None, subset))))}, none of them in its document"
        raise input_error(argument("subset"), found, f"mentions that are, such as {short_repr(there)}")
    return restricted


def _within(clusters, kept):
    """What is left of the clusters."""
    return [inside for cluster in clusters if (inside := [mention for mention in cluster if mention in kept])]


def check_same_mentions(key: list, response: list, where: str):
    """Refuse a document, called `where`, if a mention is on one side only (mentions="strict")."""
    in_key, in_response = ({m for cluster in side for m in cluster} for side in (key, response))
    if in_key != in_response:
        mention = min(in_key ^ in_response)
        sides = "references but not in predictions" if mention in in_key else "predictions but not in references"
        found = f"found the mention {short_repr(mention)} in {sides}"
        strict = setting("mentions", "strict"), " expects the same mentions on both sides"
        raise InputError(Message(where, f": {found}; ", *strict), (where,))


def as_documents(value, name: str) -> list:
    """A list, tuple, array or iterator with one entry per document as a list; ValueError for anything else."""
    value = plain(value)
    if not is_listing(value):
        raise input_error(name, _with_type(value), "a list with one entry for each document")
    return list(value)


def mention_kind(mention) -> str:
    """Name the kind of a mention id: "a string", "an integer" or "a [start, end] pair"; "" for anything else."""
    if isinstance(mention, str):
        return "a string"
    if _is_integer(mention):
        return "an integer"
    if isinstance(mention, (list, tuple)) and len(mention) == 2 and all(map(_is_integer, mention)):
        return "a [start, end] pair"
    return ""


def document_kind(document) -> str:
    """Kind of a checked document's mentions, "" when it has none."""
    return next((mention_kind(plain(m)) for cluster in plain(document) for m in plain(cluster)), "")


def normalise_mention(mention, where: str) -> str:
    """One mention id as a string (see `normalise_document`); ValueError for anything that is not a mention id."""
    return _as_strings([[plain(mention)]], lambda _: where)[0][0]


def plain(value):
    """Arrays, columns and tensors as the lists they stand for, everything else as it is."""
    value = as_python(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _is_integer(value) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value).bit_length() <= MOST_BITS


def _as_list(value, where, expected):
    value = plain(value)
    if not isinstance(value, CLUSTERS):
        raise input_error(where, _with_type(value), expected)
    return list(value)


def _as_strings(clusters, place):
    """Mention ids as strings, all of the kind of the first one; place(i) names cluster i in errors."""
    types = set(map(type, chain.from_iterable(clusters)))
    if types == {int}:
        try:
            return [list(map(str, cluster)) for cluster in clusters]
        except ValueError:
            pass  # one of too many digits, which is looked for below
    if not types <= {str}:
        clusters = _as_strings_one_by_one(clusters, place)
    _check_encodable(clusters, place)
    return clusters


def _are_numbers(values):
    """Whether all of a list are plain integers that 64 bits hold."""
    try:
        return set(map(type, values)) == {int} and len(array("q", values)) > 0
    except OverflowError:
        return False


def _as_strings_one_by_one(clusters, place):
    """The slow way for pairs, numpy integers and whatever must be refused."""
    first, names = None, []
    for i, cluster in enumerate(clusters):
        names.append([])
        for mention in map(plain, cluster):
            kind = mention_kind(mention)
            if not kind:
                expected = "a string, an integer or a [start, end] pair of integers"
                raise input_error(place(i), f"the mention {_with_type(mention)}", expected)
            first = first or kind
            if kind != first:
                found = f"found mixed mention types: {_with_type(mention)} is {kind}"
                raise ValueError(f"{place(i)}: {found}, but the first mention is {first}")
            names[-1].append(_name(mention))
    return names


def _name(mention):
    if isinstance(mention, str):
        return str(mention)
    if _is_integer(mention):
        return str(int(mention))
    return f"[{int(mention[0])}, {int(mention[1])}]"


def _form(name):
    """What a mention's name looks like: a pair, an integer, or text."""
    if re.fullmatch(r"\[-?\d+, -?\d+\]", name):
        return "a pair"
    return "an integer" if re.fullmatch(r"-?\d+", name) else "text"


def _check_same_forms(kept, pair, where):
    """Refuse a subset none of whose mentions is, or even looks like, a mention of the document."""
    mentions = {m for side in pair for cluster in side for m in cluster}
    if kept and mentions and not kept & mentions:
        forms, expected = {_form(m) for m in kept}, {_form(m) for m in mentions}
        if not forms & expected:
            wanted = f"mentions such as {short_repr(min(mentions))} ({min(expected)}), as the document has"
            raise input_error(where, f"mentions such as {short_repr(min(kept))} ({min(forms)})", wanted)


def _check_encodable(clusters, place):
    """Refuse lone surrogates, which no file or Arrow table can hold."""
    try:
        "".join(chain.from_iterable(clusters)).encode()
    except UnicodeEncodeError:
        i, mention = next((i, each) for i, cluster in enumerate(clusters) for each in cluster if SURROGATE.search(each))
        found = f"the mention {mention!a}, which has a lone surrogate"
        raise input_error(place(i), found, "text that can be written as UTF-8", but="; ") from None


def _check_distinct(clusters, where):
    mentions = list(chain.from_iterable(clusters))
    if len(set(mentions)) == len(mentions):
        return
    repeated = next(mention for mention, n in Counter(mentions).items() if n > 1)
    numbers = [i for i, cluster in enumerate(clusters) for mention in cluster if mention == repeated]
    raise input_error(where, f"the mention {short_repr(repeated)} in clusters {numbers}", "each mention exactly once")


def _with_type(value) -> str:
    """A value for an error message, with its type."""
    return f"{type(value).__name__} {short_repr(value)}"
