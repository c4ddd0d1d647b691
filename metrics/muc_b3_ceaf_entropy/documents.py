"""What a user may hand in as a document, checked and brought into one form: lists of clusters of strings."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from numbers import Integral

METRIC = "muc_b3_ceaf_entropy"
CLUSTERS = (list, tuple, set, frozenset)


def normalise_document(document, where: str) -> list:
    """Check one document's clusters and turn its mention ids into strings.

    Args:
        document: a list of clusters; a cluster is a list (tuple, set, array) of mentions; a mention is a string,
            an integer or a ``[start, end]`` pair of integers, the same kind all through the document.
        where: how to name the document in an error, such as ``"predictions[3]"``.

    Returns:
        The clusters as lists of strings: ``"x"`` for "x", ``"7"`` for 7, ``"[0, 2]"`` for [0, 2] or (0, 2).

    Raises:
        ValueError: the document is no list of clusters, a cluster is empty, a mention is of another type than the
            first, or stands twice. The message names the document, the cluster and the mention.
    """
    clusters = _as_list(document, where, "a list of clusters")
    clusters = [_as_list(c, f"{where}, cluster {i}", "a list of mentions") for i, c in enumerate(clusters)]
    for i, cluster in enumerate(clusters):
        if not cluster:
            raise ValueError(f"{METRIC}: {where}, cluster {i}: found an empty cluster, expected at least one mention")
    clusters = _as_strings(clusters, where)
    _check_distinct(clusters, where)
    return clusters


def check_sides(predictions, references, start: int = 0, predictions_name: str = "predictions") -> list:
    """Normalise the documents of both sides.

    Args:
        predictions: the responses, one document each.
        references: the keys.
        start: number of the first document, for errors.
        predictions_name: how to call the first side in errors.

    Returns:
        [responses, keys], lists of documents as `normalise_document` returns them.

    Raises:
        ValueError: a side is no list, the numbers of documents differ, a document is refused, or its mentions are of
            one kind in the response and of another in the key.
    """
    names = (predictions_name, "references")
    sides = [_as_documents(documents, name) for documents, name in zip((predictions, references), names)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{METRIC}: found {len(sides[0])} documents in {names[0]} and {len(sides[1])} in {names[1]}, "
            "expected as many on both sides"
        )
    checked = [
        [normalise_document(document, f"{name}[{start + i}]") for i, document in enumerate(documents)]
        for name, documents in zip(names, sides)
    ]
    for i, (response, key) in enumerate(zip(*sides)):
        kinds = document_kind(response), document_kind(key)
        if all(kinds) and kinds[0] != kinds[1]:
            raise ValueError(
                f"{METRIC}: document {start + i}: found mixed mention types: each mention is {kinds[0]} in "
                f"{names[0]} and {kinds[1]} in {names[1]}"
            )
    return checked


def restrict(pairs: list, subset) -> list:
    """Restrict both sides of every document to a subset of its mentions (section 5.4 of the paper).

    Args:
        pairs: (key, response) of every document, normalised.
        subset: for every document the mentions to keep; some may be on one side only, or on none.

    Returns:
        The pairs without the other mentions, and without the clusters that are then empty.

    Raises:
        ValueError: not one list of mentions for each document, or no mention of any list is in its document.
    """
    subset = _as_documents(subset, "subset")
    if len(subset) != len(pairs):
        raise ValueError(f"{METRIC}: subset: found {len(subset)} lists, expected {len(pairs)}, one for each document")
    kept = []
    for i, mentions in enumerate(subset):
        mentions = _as_list(mentions, f"subset[{i}]", "a list of mentions")
        kept.append(set(_as_strings([mentions], f"subset[{i}]")[0]))
    restricted = [
        tuple([inside for cluster in side if (inside := [m for m in cluster if m in mentions])] for side in pair)
        for pair, mentions in zip(pairs, kept)
    ]
    if any(kept) and not any(side for pair in restricted for side in pair):
        example = next(min(mentions) for mentions in kept if mentions)
        raise ValueError(f"{METRIC}: subset: found no document with any of its mentions, such as {example!r}")
    return restricted


def check_same_mentions(key: list, response: list, i: int):
    """Refuse document number i if a mention is on one side only (mentions="strict")."""
    in_key, in_response = ({m for cluster in side for m in cluster} for side in (key, response))
    if in_key != in_response:
        mention = min(in_key ^ in_response)
        side, other = ("references", "predictions") if mention in in_key else ("predictions", "references")
        raise ValueError(
            f"{METRIC}: document {i}: found the mention {mention!r} in {side} but not in {other}; "
            'mentions="strict" expects the same mentions on both sides'
        )


def check_choice(option: str, value, choices):
    """Refuse an option that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{METRIC}: {option}: found {value!r}, expected one of {', '.join(choices)}")


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
    for cluster in document:
        for mention in _plain(cluster):
            return mention_kind(_plain(mention))
    return ""


def normalise_mention(mention, where: str) -> str:
    """One mention id as a string (see `normalise_document`); ValueError for anything that is no mention id."""
    return _as_strings([[_plain(mention)]], where)[0][0]


def _is_integer(value) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _plain(value):
    """Arrays and tensors as the lists they stand for, everything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _as_documents(value, name):
    """A list, tuple or iterator of documents as a list."""
    if value is None or isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise ValueError(f"{METRIC}: {name}: found {_show(value)}, expected a list with one entry for each document")
    return list(value)


def _as_list(value, where, expected):
    value = _plain(value)
    if not isinstance(value, CLUSTERS):
        raise ValueError(f"{METRIC}: {where}: found {_show(value)}, expected {expected}")
    return list(value)


def _as_strings(clusters, where):
    """Mention ids as strings, all of the kind of the document's first one."""
    types = set(map(type, chain.from_iterable(clusters)))
    if types <= {str}:
        _check_encodable(clusters, where)
        return clusters
    if types == {int}:
        return [list(map(str, cluster)) for cluster in clusters]
    return _as_strings_one_by_one(clusters, where)


def _as_strings_one_by_one(clusters, where):
    """The slow way for pairs, numpy integers and whatever must be refused."""
    expected, names = None, []
    for i, cluster in enumerate(clusters):
        names.append([])
        for mention in map(_plain, cluster):
            kind = mention_kind(mention)
            if not kind:
                raise ValueError(
                    f"{METRIC}: {where}, cluster {i}: found the mention {_show(mention)}, "
                    "expected a string, an integer or a [start, end] pair of integers"
                )
            expected = expected or kind
            if kind != expected:
                raise ValueError(
                    f"{METRIC}: {where}, cluster {i}: found mixed mention types: {_show(mention)} is {kind}, "
                    f"but the document's first mention is {expected}"
                )
            names[-1].append(_name(mention, kind))
    _check_encodable(names, where)
    return names


def _name(mention, kind):
    if kind == "a string":
        return str(mention)
    if kind == "an integer":
        return str(int(mention))
    return f"[{int(mention[0])}, {int(mention[1])}]"


def _check_encodable(clusters, where):
    """Refuse lone surrogates, which no file or Arrow table can hold."""
    try:
        "".join(chain.from_iterable(clusters)).encode()
    except UnicodeEncodeError:
        for i, cluster in enumerate(clusters):
            for mention in cluster:
                if any("\ud800" <= character <= "\udfff" for character in mention):
                    raise ValueError(
                        f"{METRIC}: {where}, cluster {i}: found the mention {mention!a}, which has a lone surrogate; "
                        "expected text that can be written as UTF-8"
                    ) from None


def _check_distinct(clusters, where):
    mentions = list(chain.from_iterable(clusters))
    if len(set(mentions)) == len(mentions):
        return
    repeated = next(mention for mention, n in Counter(mentions).items() if n > 1)
    places = [i for i, cluster in enumerate(clusters) for mention in cluster if mention == repeated]
    raise ValueError(
        f"{METRIC}: {where}: found the mention {repeated!r} in clusters {places}, expected each mention exactly once"
    )


def _show(value) -> str:
    """A value for an error message: its type and a short repr."""
    text = ascii(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
