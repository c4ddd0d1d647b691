"""Coreference files as documents: lists of clusters of mentions, in the form that the metric takes.

Every reader yields (name of the document, its clusters, its words: None where the file has none). Positions count the
document's words from 0, across sentences, and ends are inclusive. A syntax error is a ValueError that names the file
and the line.
"""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain

from .documents import METRIC
from .values import shown

HASH = "\x23"  # written so because evaluate's loader takes the character itself for the start of a comment
BEGIN = re.compile(HASH + r"begin document\s*(.*)")
END = re.compile(HASH + r"end document")
CONLL_ITEM = re.compile(r"(\()?([^()|\s]+)(\))?")
NEW_DOCUMENT = re.compile(HASH + r"\s*newdoc(?:\s+id\s*=\s*(.*))?$")
ENTITY_HEADER = re.compile(HASH + r"\s*global\.Entity\s*=\s*(\S+)")
COREFUD_ITEM = re.compile(r"\([^()]+\)?|[^()]+\)")
COREFUD_PART = re.compile(r"(.*)\[(\d+)/(\d+)\]$")
CONLL_WORD, COREFUD_WORD = 3, 1  # columns


def conll_documents(path: str) -> Iterator[tuple]:
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
                yield name, spans.clusters(), spans.words
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


def corefud_documents(path: str) -> Iterator[tuple]:
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
                yield name, spans.mentions(), spans.words
            spans, name = _Spans(), new[1] or ""
        elif header:
            if "eid" not in header[1].split("-"):
                raise ValueError(f"{where}: found the entity format {shown(header[1])}, expected one with 'eid'")
            id_field = header[1].split("-").index("eid")
        elif line.strip() and not line.startswith(HASH):
            spans = spans or _Spans()
            _read_corefud_token(spans, line.rstrip("\r\n").split("\t"), id_field, where)
    if spans is not None:
        yield name, spans.mentions(), spans.words


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


def jsonlines_documents(path: str, field: str = "clusters") -> Iterator[tuple]:
    """Documents of a JSON-lines file: one object a line with the clusters under ``field``, named by ``doc_key``.

    The words are those of ``sentences``, a list of lists of words.
    """
    for where, document in _json_objects(path):
        if not isinstance(document.get(field), list):
            raise ValueError(
                f"{where}: found the fields {shown(sorted(document))}, expected a list of clusters in {shown(field)}"
            )
        yield document.get("doc_key"), document[field], _words_of(document.get("sentences"))


def _words_of(sentences):
    """The words of a list of lists of words in one list; None for anything else."""
    if not isinstance(sentences, list) or not all(isinstance(sentence, list) for sentence in sentences):
        return None
    words = list(chain.from_iterable(sentences))
    return words if all(isinstance(word, str) for word in words) else None


def jsonlines_names(path: str) -> Iterator[tuple]:
    """The documents of a JSON-lines file without their clusters: (name, None, None)."""
    for name, *_ in jsonlines_words(path):
        yield name, None, None


def jsonlines_words(path: str) -> Iterator[tuple]:
    """The documents of a JSON-lines file without their clusters: (name, None, words)."""
    for _, document in _json_objects(path):
        yield document.get("doc_key"), None, _words_of(document.get("sentences"))


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


def in_order_of(documents, path: str, like, like_path: str) -> list:
    """Documents in the order of another file's.

    Args:
        documents: what a reader yields for the file.
        path: the file.
        like: what a reader yields for the other file; only names and numbers of words matter.
        like_path: the other file.

    Raises:
        ValueError: a document without a name, the same name twice, other documents than in the other file, or a
            document of another number of words.
    """
    sides = []
    for file, read in ((path, list(documents)), (like_path, list(like))):
        for name, _, _ in read:
            if not isinstance(name, (str, int)) or name == "":
                raise ValueError(f"{METRIC}: {file}: found a document without a name (doc_key), expected one in each")
        for name, n in Counter(name for name, _, _ in read).items():
            if n > 1:
                raise ValueError(f"{METRIC}: {file}: found the document {shown(name)} {n} times, expected it once")
        sides.append({name: (clusters, None if words is None else len(words)) for name, clusters, words in read})
    for file, here, other, there in ((path, sides[0], like_path, sides[1]), (like_path, sides[1], path, sides[0])):
        for name in there:
            if name not in here:
                raise ValueError(
                    f"{METRIC}: {file}: found no document {shown(name)}, expected the same documents as in {other}"
                )
    for name, (_, expected) in sides[1].items():
        found = sides[0][name][1]
        if found != expected and None not in (found, expected):
            raise ValueError(
                f"{METRIC}: {path}: found {found} tokens in the document {shown(name)}, expected {expected} as "
                f"in {like_path}"
            )
    return [sides[0][name][0] for name in sides[1]]


def _lines(path):
    """The file's lines with their place, "file:number"."""
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            where = f"{METRIC}: {path}:{number}"
            try:
                line.encode()
            except UnicodeEncodeError:
                raise ValueError(f"{where}: found bytes that are no UTF-8, expected a UTF-8 file") from None
            yield where, line


def _opened(path):
    if not isinstance(path, (str, os.PathLike)):  # an integer would be taken for an open file
        raise ValueError(f"{METRIC}: path: found {shown(path)}, expected the path of a file")
    try:
        return open(path, encoding="utf-8-sig", errors="surrogateescape")
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{METRIC}: path: found {shown(path)}, which cannot be read, expected a file that can: {error}"
        ) from error
