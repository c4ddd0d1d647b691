"""Coreference files as documents: lists of clusters of mentions, in the form that the metric takes.

Positions count a document's words from 0, across sentences, and ends are inclusive. A syntax error is a ValueError that
names the file and the line. (`files` goes from two files to scores, with mentions matched.)
"""

from collections.abc import Callable

from .match_words import check_words, pair_documents
from .common import one_of, prefix_errors, short_repr
from .read_conll import conll_documents
from .read_corefud import corefud_documents
from .score_files import READERS, find_format
from .read_json import END_EXCLUSIVE, inclusive, json_objects, json_texts
from .documents import Document, clusters_of, mention_name, place_labels


def read_conll(path: str, like: str | None = None) -> list:
    """Documents of a CoNLL-2012 file, mentions as [start, end] token positions in the document (end inclusive).

    Args:
        path: the file.
        like: another file (the key, say) whose documents give the order: by name, or one by one where they have no
            names. Both must have the same documents, each with the same words.

    Raises:
        ValueError: brackets that do not match, a token outside a document, a document without an end (with file
            and line); other documents or words than in ``like``.
    """
    return [
        [[[m.places[0], m.places[-1]] for m in cluster] for cluster in _clusters(document)]
        for document in _in_order(path, conll_documents, like)
    ]


def read_jsonlines(path: str, like: str | None = None, field: str = "clusters") -> list:
    """Documents of a JSON-lines file: the lists of clusters under ``field``, for ``like`` named by ``doc_key``.

    Of wl-coref's ``span_clusters``, whose ends are exclusive, the mentions are [start, end] with the end inclusive, as
    everywhere else.

    Raises:
        ValueError: a line that is not a JSON object or has no list in the field, with file and line; with ``like``,
            other documents or words.
    """
    if not isinstance(field, str):
        raise ValueError(f"field: found {short_repr(field)}, expected a name")
    found = []
    for line, document in json_objects(path):
        if not isinstance(document.get(field), list):
            raise ValueError(
                f"{path}:{line}: found the fields {short_repr(sorted(document))}, expected a list of clusters in "
                f"{short_repr(field)}"
            )
        found.append(inclusive(document[field], f"{path}:{line}") if field in END_EXCLUSIVE else document[field])
    if like is None:
        return found
    texts = list(json_texts(path))
    clusters = dict(zip(map(id, texts), found))
    return [clusters[id(document)] for document in _like(texts, list(json_texts(like)))]


def read_corefud(path: str, like: str | None = None) -> list:
    """Documents of a CorefUD file; mentions are strings, "3-5", or "3-4,8-8" for one in several parts.

    Only words of the text are counted, so that a predicted empty node shifts nothing; an empty node N.k is named after
    the number of words before it, "7.1", and one at the begin of a sentence (0.k) "7.0.1".

    Raises:
        ValueError: entity brackets or parts that do not match, lines without ten columns, with file and line; other
            documents or words than in ``like``.
    """
    found = []
    for document in _in_order(path, corefud_documents, like):
        labels = place_labels(document.words, document.empty)
        found.append([[mention_name(mention, labels) for mention in cluster] for cluster in _clusters(document)])
    return found


def read_words(path: str, file_format: str = "auto", like: str | None = None) -> list:
    """The words of each document of a file, to which its mentions' positions refer.

    Args:
        path: the file.
        file_format: "conll" (the fourth column), "corefud" and "ua" (the forms, without empty nodes), "json" (the lists
            in ``sentences``, or ``tokens``; also "jsonlines"), or "auto": by what the file has in it.
        like: another file whose documents give the order.

    Returns:
        A list of words for each document.

    Raises:
        ValueError: another format, a document without words, or other documents than in ``like``.
    """
    with prefix_errors("file_format"):
        one_of(("auto", *WITH_WORDS))(file_format)
    name = find_format(path) if file_format == "auto" else file_format
    documents = _in_order(path, WITH_WORDS[name], like)
    for i, document in enumerate(documents):
        if document.words is None or (document.words and not any(document.words)):
            raise ValueError(
                f"{path}: found no words in document {i}, {short_repr(document.name)}, expected some beside the clusters"
            )
    return [
        [word for place, word in enumerate(document.words) if place not in document.empty] for document in documents
    ]


WITH_WORDS = READERS | {"json": json_texts, "jsonlines": json_texts}


def _clusters(document):
    return [[document.mentions[i] for i in cluster] for cluster in clusters_of(document.mentions)]


def _in_order(path: str, reader: Callable, like: str | None) -> list[Document]:
    """The file's documents, in the order in which the reader finds them in another file, if there is one."""
    documents = list(reader(path))
    return documents if like is None else _like(documents, list(reader(like)))


def _like(documents, others):
    """The documents in the order of others; ValueError where these differ in more than their mentions."""
    pairs = pair_documents(others, documents)
    for other, document in pairs:
        check_words(other, document)
    return [document for _, document in pairs]
