"""The table of file formats, and one file alone as the metric takes it: clusters of mentions.

A new format is a module `read_<name>`, with a function from a path to its documents and one that
knows its lines, and a row in `FORMATS`. (`read_pairs` puts two files together, `score_files` scores
them.) A syntax error is a ValueError that names the file and the line.
"""

from collections.abc import Callable
from typing import NamedTuple

from .common import one_of, prefix_errors, short_repr
from .documents import Document, clusters_of, mention_name, position_labels
from .match_documents import pair_documents
from .match_words import check_words
from .read_brackets import bracket_documents, is_brackets
from .read_conll import conll_documents, is_conll
from .read_corefud import corefud_documents, is_corefud
from .read_json import END_EXCLUSIVE, KEY_CLUSTERS, inclusive, is_json, json_documents, json_objects, json_texts
from .read_text import HASH, numbered_lines
from .read_ua import is_ua, ua_documents


class Format(NamedTuple):
    """A format of files.

    Attributes:
        read: path -> the documents of the file.
        knows: whether a line of a file is of this format (no line is of two).
    """

    read: Callable
    knows: Callable


FORMATS = {
    "conll": Format(conll_documents, is_conll),
    "corefud": Format(corefud_documents, is_corefud),
    "ua": Format(ua_documents, is_ua),
    "json": Format(json_documents, is_json),
    "brackets": Format(bracket_documents, is_brackets),
}
AUTO = "auto"  # by what a file has in it


def read_documents(
    path: str, file_format: str = AUTO, clusters: tuple = KEY_CLUSTERS, word_column: int | None = None
) -> list[Document]:
    """The documents of a file; `clusters` are the fields that may have them in JSON, `word_column` is CoNLL's.

    Raises:
        ValueError: what the format's reader refuses, or no format that is known.
    """
    name = find_format(path) if file_format == AUTO else file_format
    settings = {"json": {"clusters": clusters}, "conll": {"word_column": word_column}}
    documents = list(FORMATS[name].read(path, **settings.get(name, {})))
    for document in documents:
        document.format = name
    return documents


def find_format(path: str) -> str:
    """The name of a file's format, by its first lines.

    Raises:
        ValueError: it looks like none of them.
    """
    names = ", ".join(FORMATS)
    for number, line in numbered_lines(path):
        if is_brackets(line):  # before JSON, which may begin with a bracket, too
            return "brackets"
        for name, each in FORMATS.items():
            if each.knows(line):
                return name
        text = line.strip()
        if text and not text.startswith(HASH):
            if any(is_brackets(later) for _, later in numbered_lines(path)):  # a sentence of chat comes first
                return "brackets"
            raise ValueError(
                f"{path}:{number}: found {short_repr(text, 60)}, expected one of the formats {names}; say format="
            )
    raise ValueError(f"{path}: found no document, expected a file of the format {names}")


# ---- One file alone ----


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
        [[[m.positions[0], m.positions[-1]] for m in cluster] for cluster in _clusters(document)]
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
    documents = []
    for line, document in json_objects(path):
        if not isinstance(document.get(field), list):
            raise ValueError(
                f"{path}:{line}: found the fields {short_repr(sorted(document))}, expected a list of clusters in "
                f"{short_repr(field)}"
            )
        documents.append(inclusive(document[field], f"{path}:{line}") if field in END_EXCLUSIVE else document[field])
    if like is None:
        return documents
    texts = list(json_texts(path))
    clusters = dict(zip(map(id, texts), documents))
    return [clusters[id(document)] for document in _like(texts, list(json_texts(like)))]


def read_corefud(path: str, like: str | None = None) -> list:
    """Documents of a CorefUD file; mentions are strings, "3-5", or "3-4,8-8" for one in several parts.

    Only words of the text are counted, so that a predicted empty node shifts nothing; an empty node N.k is named after
    the number of words before it, "7.1", and one at the begin of a sentence (0.k) "7.0.1".

    Raises:
        ValueError: entity brackets or parts that do not match, lines without ten columns, with file and line; other
            documents or words than in ``like``.
    """
    documents = []
    for document in _in_order(path, corefud_documents, like):
        labels = position_labels(document.words, document.empty)
        documents.append([[mention_name(mention, labels) for mention in cluster] for cluster in _clusters(document)])
    return documents


def read_words(path: str, file_format: str = AUTO, like: str | None = None) -> list:
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
        one_of((AUTO, *WITH_WORDS))(file_format)
    name = find_format(path) if file_format == AUTO else file_format
    documents = _in_order(path, WITH_WORDS[name], like)
    for i, document in enumerate(documents):
        if document.words is None or (document.words and not any(document.words)):
            raise ValueError(
                f"{path}: found no words in document {i}, {short_repr(document.name)}, expected some beside the "
                "clusters"
            )
    return [
        [word for position, word in enumerate(document.words) if position not in document.empty]
        for document in documents
    ]


WITH_WORDS = {name: each.read for name, each in FORMATS.items()} | {"json": json_texts, "jsonlines": json_texts}


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
