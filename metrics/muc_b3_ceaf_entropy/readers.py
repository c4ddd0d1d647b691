"""Coreference files as documents: lists of clusters of mentions, in the form that the metric takes.

Positions count a document's words from 0, across sentences, and ends are inclusive. A syntax error is a ValueError that
names the file and the line.
"""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from .common import one_of, prefix_errors, shown

HASH = "\x23"  # written so because evaluate's loader takes the character itself for the start of a comment
BEGIN = re.compile(HASH + r"begin document\s*(.*)")
END = re.compile(HASH + r"end document")
CONLL_ITEM = re.compile(r"(\()?([^()|\s]+)(\))?")
NEW_DOCUMENT = re.compile(HASH + r"\s*newdoc(?:\s+id\s*=\s*(.*))?$")
ENTITY_HEADER = re.compile(HASH + r"\s*global\.Entity\s*=\s*(\S+)")
COREFUD_ITEM = re.compile(r"\([^()]+\)?|[^()]+\)")
COREFUD_PART = re.compile(r"(.*)\[(\d+)/(\d+)\]$")
CONLL_WORD, COREFUD_WORD = 3, 1  # columns


class Document(NamedTuple):
    """One document of a file."""

    name: str | int | None
    clusters: list | None  # None where only words or names are read
    words: list[str] | None  # None where the file has none


# ---- What the metric offers ----


def read_conll(path: str, like: str | None = None) -> list:
    """Documents of a CoNLL-2012 file, mentions as [start, end] token positions in the document (end inclusive).

    Args:
        path: the file.
        like: another file (the key, say) whose documents' names give the order. Both must have the same documents,
            each with the same number of tokens.

    Raises:
        ValueError: brackets that do not match, a token outside a document, a document without an end (with file
            and line); other documents than in ``like``.
    """
    return _clusters(conll_documents(path), path, conll_documents, like)


def read_jsonlines(path: str, like: str | None = None, field: str = "clusters") -> list:
    """Documents of a JSON-lines file: the lists of clusters under ``field``, for ``like`` named by ``doc_key``.

    Raises:
        ValueError: a line that is not a JSON object or has no list in the field, with file and line; with ``like``, a
            document without ``doc_key``, or other documents.
    """
    if not isinstance(field, str):
        raise ValueError(f"field: found {shown(field)}, expected a name")
    return _clusters(jsonlines_documents(path, field), path, jsonlines_names, like)


def read_corefud(path: str, like: str | None = None) -> list:
    """Documents of a CorefUD file; mentions are strings, "3-5", or "3-4,8-8" for one in several parts.

    Raises:
        ValueError: entity brackets or parts that do not match, lines without ten columns, with file and line; other
            documents than in ``like``.
    """
    return _clusters(corefud_documents(path), path, corefud_documents, like)


def read_words(path: str, file_format: str = "conll", like: str | None = None) -> list:
    """The words of each document of a file, to which its mentions' positions refer.

    Args:
        path: the file.
        file_format: "conll" (the fourth column), "corefud" (the forms) or "jsonlines" (the lists in ``sentences``).
        like: another file whose documents' names give the order.

    Returns:
        A list of words for each document.

    Raises:
        ValueError: another format, a document without words, or other documents than in ``like``.
    """
    with prefix_errors("file_format"):
        one_of(WITH_WORDS)(file_format)
    reader = WITH_WORDS[file_format]
    documents = list(reader(path))
    for i, (name, _, words) in enumerate(documents):
        if words is None or (words and not any(words)):
            raise ValueError(
                f"{path}: found no words in document {i}, {shown(name)}, expected some beside the clusters"
            )
    return [document.words for document in _in_order(documents, path, reader, like)]


def _clusters(documents: Iterable[Document], path, reader, like) -> list:
    return [document.clusters for document in _in_order(documents, path, reader, like)]


def _in_order(documents: Iterable[Document], path: str, reader: Callable, like: str | None) -> Iterable[Document]:
    """The file's documents in the order in which the reader finds them in another file, if there is one.

    Raises:
        ValueError: a document without a name, the same name twice, other documents than in the other file, or a
            document of another number of words.
    """
    if like is None:
        return documents
    here, there = _by_name(documents, path), _by_name(reader(like), like)
    for file, found, other, expected in ((path, here, like, there), (like, there, path, here)):
        for name in expected:
            if name not in found:
                raise ValueError(f"{file}: found no document {shown(name)}, expected the same documents as in {other}")
    for name, document in there.items():
        found, expected = here[name].words, document.words
        if None not in (found, expected) and len(found) != len(expected):
            raise ValueError(
                f"{path}: found {len(found)} tokens in the document {shown(name)}, expected {len(expected)} as in "
                f"{like}"
            )
    return [here[name] for name in there]


def _by_name(documents: Iterable[Document], file: str) -> dict:
    """{name: document}; ValueError for a document without a name or for two of one name."""
    documents = list(documents)
    for name, _, _ in documents:
        if not isinstance(name, (str, int)) or name == "":
            raise ValueError(f"{file}: found a document without a name (doc_key), expected one in each")
    for name, times in Counter(document.name for document in documents).items():
        if times > 1:
            raise ValueError(f"{file}: found the document {shown(name)} {times} times, expected it once")
    return {document.name: document for document in documents}


# ---- CoNLL-2012 ----


def conll_documents(path: str) -> Iterator[Document]:
    """Documents of a CoNLL-2012 file: the last column of every token line, as ``(0|(1)``, ``0)`` or ``-``.

    Documents stand between begin and end lines. Blank lines are skipped, and comments, lines that begin with a hash
    sign and have no tab. Mentions are ``[start, end]``. Brackets of one entity may nest: a closing one belongs to the
    latest opened. The word is the fourth column; a file of fewer columns has empty words.
    """
    spans, name, begun = None, "", ""
    for where, line in _lines(path):
        text = line.strip()
        begin = BEGIN.match(text)
        if begin:
            _check_ended(spans, begun)
            spans, name, begun = _Spans(), begin[1].strip(), where
        elif END.match(text):
            if spans is not None:
                yield Document(name, spans.clusters(), spans.words)
            spans = None
        elif text and not (text.startswith(HASH) and "\t" not in text):
            if spans is None:
                raise ValueError(f"{where}: found a token outside a document, expected a '{HASH}begin document' line")
            _read_conll_token(spans, text.split(), where)
    _check_ended(spans, begun)


def _check_ended(spans, begun):
    """Refuse a document that no end line has closed."""
    if spans is not None:
        spans.clusters()  # an open bracket is the more telling error
        raise ValueError(
            f"{begun}: found a document without an '{HASH}end document' line, expected one; is the file complete?"
        )


def _read_conll_token(spans, columns, where):
    spans.place, column = len(spans.words), columns[-1]
    if column not in ("-", "_"):
        for item in column.split("|"):
            match = CONLL_ITEM.fullmatch(item)
            if not match or not (match[1] or match[3]):
                raise ValueError(
                    f"{where}: found the coreference column {shown(column)}, expected '-' or such as '(3|5)'"
                )
            if match[1]:
                spans.open(match[2], where)
            if match[3]:
                spans.close(match[2], where)
    spans.words.append(columns[CONLL_WORD] if len(columns) > CONLL_WORD + 1 else "")


# ---- CorefUD ----


def corefud_documents(path: str) -> Iterator[Document]:
    """Documents of a CorefUD file (CoNLL-U with ``Entity=`` in the last column).

    Mentions are strings, ``"3-5"``, because they may have several parts, ``"3-4,8-8"``. Only overt tokens are counted,
    so that a predicted empty node shifts nothing; an empty node is named after the number of tokens before it,
    ``"7.1"``. Where the entity's id stands in an item is what the ``global.Entity`` comment says, by default first.
    """
    spans, name, id_field = None, "", 0
    for where, line in _lines(path):
        new, header = NEW_DOCUMENT.match(line.strip()), ENTITY_HEADER.match(line)
        if new:
            if spans is not None:
                yield Document(name, spans.mentions(), spans.words)
            spans, name = _Spans(), new[1] or ""
        elif header:
            if "eid" not in header[1].split("-"):
                raise ValueError(f"{where}: found the entity format {shown(header[1])}, expected one with 'eid'")
            id_field = header[1].split("-").index("eid")
        elif line.strip() and not line.startswith(HASH):
            spans = spans or _Spans()
            _read_corefud_token(spans, line.rstrip("\r\n").split("\t"), id_field, where)
    if spans is not None:
        yield Document(name, spans.mentions(), spans.words)


def _read_corefud_token(spans, columns, id_field, where):
    if len(columns) != 10:
        raise ValueError(f"{where}: found {len(columns)} tab-separated columns, expected 10")
    number, _, empty = columns[0].partition(".")
    fields = [field.removeprefix("Entity=") for field in columns[9].split("|") if field.startswith("Entity=")]
    if "-" in number:
        if fields:
            raise ValueError(f"{where}: found Entity={fields[0]:.60} at a multiword token, expected it at its words")
        return
    spans.place = f"{len(spans.words)}.{empty}" if empty else len(spans.words)
    for field in fields:
        items = COREFUD_ITEM.findall(field)
        if "".join(items) != field:
            raise ValueError(f"{where}: found Entity={field:.60}, expected items such as '(e1-person', 'e1)' or '(e1)'")
        for item in items:
            label = item.strip("()")
            if not item.startswith("("):
                spans.close(label, where)
                continue
            parts = label.split("-")
            if len(parts) > 1 and len(parts) <= id_field:
                raise ValueError(f"{where}: found Entity={field:.60}, expected the entity's id in field {id_field + 1}")
            entity = parts[id_field] if len(parts) > 1 else label
            spans.open(entity, where)
            if item.endswith(")"):
                spans.close(entity, where)
    if not empty:
        spans.words.append(columns[COREFUD_WORD])


# ---- Brackets, which both have ----


class _Spans:
    """The brackets of one document.

    Attributes:
        words: the words read.
        place: what to call the token at hand in a mention.
    """

    def __init__(self):
        self.words = []
        self.place = 0
        self._open = defaultdict(list)
        self._spans = []

    def open(self, entity, where):
        span = [entity, self.place, None, where]
        self._open[entity].append(span)
        self._spans.append(span)

    def close(self, entity, where):
        if not self._open[entity]:
            raise ValueError(
                f"{where}: found the end of a mention of entity {shown(entity)} that was never opened, expected none"
            )
        self._open[entity].pop()[2] = self.place

    def _closed(self) -> list:
        """All spans as [entity, start, end, where], by where they open; ValueError if one is still open."""
        for entity, start, end, where in self._spans:
            if end is None:
                raise ValueError(
                    f"{where}: found a mention of entity {shown(entity)} that is never closed in its document, "
                    "expected an end"
                )
        return self._spans

    def clusters(self) -> list:
        """Clusters of [start, end], entities in the order in which they open."""
        clusters = defaultdict(list)
        for entity, start, end, _ in self._closed():
            clusters[entity].append([start, end])
        return list(clusters.values())

    def mentions(self) -> list:
        """Clusters of strings "start-end", the parts ``e1[1/2]``, ``e1[2/2]`` of an entity put together."""
        clusters, begun = defaultdict(list), {}
        for label, start, end, where in self._closed():
            match = COREFUD_PART.match(label)
            entity, number, total = (match[1], int(match[2]), int(match[3])) if match else (label, 1, 1)
            parts, first = begun.pop((entity, total), ([], where)) if total > 1 else ([], where)
            if number != len(parts) + 1 or number > total:
                raise ValueError(f"{where}: found {label}, expected part {len(parts) + 1} of {total} of this mention")
            parts = [*parts, f"{start}-{end}"]
            if number < total:
                begun[entity, total] = parts, first
            else:
                clusters[entity].append(",".join(parts))
        for (entity, total), (parts, where) in begun.items():
            raise ValueError(
                f"{where}: found {len(parts)} of the {total} parts of a mention of entity {shown(entity)}, expected all"
            )
        return list(clusters.values())


# ---- JSON lines ----


def jsonlines_documents(path: str, field: str = "clusters") -> Iterator[Document]:
    """Documents of a JSON-lines file: one object a line with the clusters under ``field``, named by ``doc_key``.

    The words are those of ``sentences``, a list of lists of words.
    """
    for where, found in _json_objects(path):
        if not isinstance(found.get(field), list):
            raise ValueError(
                f"{where}: found the fields {shown(sorted(found))}, expected a list of clusters in {shown(field)}"
            )
        yield Document(found.get("doc_key"), found[field], _words_of(found.get("sentences")))


def _words_of(sentences):
    """The words of a list of lists of words in one list; None for anything else."""
    if not isinstance(sentences, list) or not all(isinstance(sentence, list) for sentence in sentences):
        return None
    words = list(chain.from_iterable(sentences))
    return words if all(isinstance(word, str) for word in words) else None


def jsonlines_words(path: str) -> Iterator[Document]:
    """The documents of a JSON-lines file without their clusters."""
    for _, found in _json_objects(path):
        yield Document(found.get("doc_key"), None, _words_of(found.get("sentences")))


def jsonlines_names(path: str) -> Iterator[Document]:
    """The documents of a JSON-lines file without their clusters and words."""
    for document in jsonlines_words(path):
        yield document._replace(words=None)


def _json_objects(path):
    for where, line in _lines(path):
        if line.strip():
            try:
                document = json.loads(line)
            except (ValueError, RecursionError) as error:  # also a number of too many digits, and too deep a nesting
                raise ValueError(f"{where}: found no JSON ({error}), expected one object a line") from None
            if not isinstance(document, dict):
                raise ValueError(f"{where}: found {type(document).__name__}, expected an object")
            yield where, document


# What reads the words of each format; clusters may stand in a field of any name.
WITH_WORDS = {"conll": conll_documents, "corefud": corefud_documents, "jsonlines": jsonlines_words}


# ---- Lines ----


def _lines(path):
    """The file's lines with their place, "file:number"."""
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            where = f"{path}:{number}"
            try:
                line.encode()
            except UnicodeEncodeError:
                raise ValueError(f"{where}: found bytes that are not UTF-8, expected a UTF-8 file") from None
            yield where, line


def _opened(path):
    if not isinstance(path, (str, os.PathLike)):  # an integer would be taken for an open file
        raise ValueError(f"path: found {shown(path)}, expected the path of a file")
    try:
        return open(path, encoding="utf-8-sig", errors="surrogateescape")
    except (OSError, ValueError) as error:
        raise ValueError(
            f"path: found {shown(path)}, which cannot be read, expected a file that can: {error}"
        ) from error
