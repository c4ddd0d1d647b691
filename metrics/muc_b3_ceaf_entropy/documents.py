"""What a user may hand in as a document, checked and brought into one form: lists of clusters of strings."""

from collections import Counter
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


def mention_kind(mention) -> str:
    """Name the kind of a mention id: "string", "integer" or "[start, end] pair"; "" for anything else."""
    if isinstance(mention, str):
        return "string"
    if _is_integer(mention):
        return "integer"
    if isinstance(mention, (list, tuple)) and len(mention) == 2 and all(map(_is_integer, mention)):
        return "[start, end] pair"
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
                    f"{METRIC}: {where}, cluster {i}: found mixed mention types: {_show(mention)} is a {kind}, "
                    f"but the document's first mention is a {expected}"
                )
            names[-1].append(_name(mention, kind))
    _check_encodable(names, where)
    return names


def _name(mention, kind):
    if kind == "string":
        return str(mention)
    if kind == "integer":
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
