"""Coreference files as documents: lists of clusters of mentions, in the form that the metric takes.

Every reader yields (name of the document, its clusters). Positions count the document's tokens from 0, across
sentences, and ends are inclusive. A syntax error is a ValueError that names the file and the line.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator

HASH = "\x23"  # written so because evaluate's loader takes the character itself for the start of a comment
BEGIN = re.compile(HASH + r"begin document\s*(.*)")
END = re.compile(HASH + r"end document")
CONLL_ITEM = re.compile(r"(\()?([^()|\s]+)(\))?")
COREFUD_ITEM = re.compile(r"\([^()]+\)?|[^()]+\)")
COREFUD_PART = re.compile(r"(.*)\[(\d+)/(\d+)\]$")


def conll_documents(path: str) -> Iterator[tuple]:
    """Documents of a CoNLL-2012 file: the last column of every token line, as ``(0|(1)``, ``0)`` or ``-``.

    Documents stand between begin and end lines; blank lines and other comment lines are skipped. Mentions are
    ``[start, end]``. Brackets of one entity may nest: a closing one belongs to the latest opened.
    """
    spans, name = None, ""
    for where, line in _lines(path):
        text = line.strip()
        begin = BEGIN.match(text)
        if begin or END.match(text):
            if spans is not None:
                yield name, spans.clusters()
            spans, name = (_OpenSpans(path), begin[1].strip()) if begin else (None, "")
        elif text and not text.startswith(HASH):
            if spans is None:
                raise ValueError(f"{where}: found a token outside a document, expected a '{HASH}begin document' line")
            _read_conll_column(spans, text.split()[-1], where)
    if spans is not None:
        yield name, spans.clusters()


def _read_conll_column(spans, column, where):
    if column not in ("-", "_"):
        for item in column.split("|"):
            match = CONLL_ITEM.fullmatch(item)
            if not match or not (match[1] or match[3]):
                raise ValueError(
                    f"{where}: found the coreference column {column!r}, expected '-' or items like '(3|5)'"
                )
            if match[1]:
                spans.open(match[2], where)
            if match[3]:
                spans.close(match[2], where)
    spans.position += 1


def corefud_documents(path: str) -> Iterator[tuple]:
    """Documents of a CorefUD file (CoNLL-U with ``Entity=`` in the last column).

    Mentions are strings, ``"3-5"``, because they may have several parts, ``"3-4,8-8"``. Empty nodes are tokens like
    any other; the lines of multiword tokens (``1-2``) are not.
    """
    spans, name = None, ""
    for where, line in _lines(path):
        if line.startswith(HASH):
            comment = line[1:].strip()
            if comment.startswith("newdoc"):
                if spans is not None:
                    yield name, _joined(spans)
                spans, name = _OpenSpans(path), comment.partition("=")[2].strip()
        elif line.strip():
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) != 10:
                raise ValueError(f"{where}: found {len(columns)} tab-separated columns, expected 10")
            if "-" in columns[0]:
                continue
            spans = spans or _OpenSpans(path)
            for field in columns[9].split("|"):
                if field.startswith("Entity="):
                    _read_entity_field(spans, field.removeprefix("Entity="), where)
            spans.position += 1
    if spans is not None:
        yield name, _joined(spans)


def _read_entity_field(spans, field, where):
    items = COREFUD_ITEM.findall(field)
    if "".join(items) != field:
        raise ValueError(f"{where}: found Entity={field}, expected items like '(e1-person', 'e1)' or '(e1)'")
    for item in items:
        label = item.strip("()")
        entity = label if item.endswith(")") and not item.startswith("(") else label.split("-")[0]
        part = COREFUD_PART.match(entity)
        if item.startswith("("):
            spans.open(entity, where, part and (part[1], int(part[2]), int(part[3])))
        if item.endswith(")"):
            spans.close(entity, where)


def _joined(spans):
    """Clusters with the parts of discontinuous mentions put together, mentions as strings."""
    clusters = defaultdict(list)
    unfinished = {}
    for entity, start, end, part in spans.closed():
        text = f"{start}-{end}"
        if part:
            entity, number, total = part
            parts = [*unfinished.pop((entity, total), []), text]
            if number < total:
                unfinished[entity, total] = parts
                continue
            text = ",".join(parts)
        clusters[entity].append(text)
    for entity, total in unfinished:
        raise ValueError(f"{spans.path}: found a mention of entity {entity!r} in parts, but not all {total} of them")
    return list(clusters.values())


class _OpenSpans:
    """Brackets of one document: what is open, and the spans already closed."""

    def __init__(self, path):
        self.path = path
        self.position = 0
        self._open = defaultdict(list)
        self._spans = []

    def open(self, entity, where, part=None):
        span = [entity, self.position, None, part]
        self._open[entity].append((span, where))
        self._spans.append(span)

    def close(self, entity, where):
        if not self._open[entity]:
            raise ValueError(f"{where}: found the end of a mention of entity {entity!r} that was never opened")
        self._open[entity].pop()[0][2] = self.position

    def closed(self) -> list:
        """All spans as [entity, start, end, part], by where they open; ValueError if one is still open."""
        for entity, pending in self._open.items():
            for _, where in pending:
                raise ValueError(f"{where}: found a mention of entity {entity!r} that is never closed in its document")
        return self._spans

    def clusters(self) -> list:
        """The spans as clusters of [start, end], entities in the order in which they open."""
        clusters = defaultdict(list)
        for entity, start, end, _ in self.closed():
            clusters[entity].append([start, end])
        return list(clusters.values())


def jsonlines_documents(path: str, field: str = "clusters") -> Iterator[tuple]:
    """Documents of a JSON-lines file: one object a line with the clusters under ``field``, named by ``doc_key``."""
    for where, line in _lines(path):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: found no JSON ({error}), expected one object a line") from None
        if not isinstance(document, dict) or field not in document:
            found = f"the fields {sorted(document)}" if isinstance(document, dict) else type(document).__name__
            raise ValueError(f"{where}: found {found}, expected an object with the field {field!r}")
        yield str(document.get("doc_key", "")), document[field]


def read_documents(reader, path: str, like: str | None = None, **options) -> list:
    """Clusters of every document of a file, in the file's order or in that of another file.

    Args:
        reader: one of the functions above.
        path: the file, UTF-8.
        like: a file of the same format whose documents' names give the order. Both files must have the same
            documents, each once.
    """
    documents = list(reader(path, **options))
    if like is None:
        return [clusters for _, clusters in documents]
    order = [name for name, _ in reader(like, **options)]
    by_name = dict(documents)
    for file, names in ((path, [name for name, _ in documents]), (like, order)):
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{file}: found the document {name!r} {names.count(name)} times, expected it once")
    for file, other, missing in ((path, like, set(order) - set(by_name)), (like, path, set(by_name) - set(order))):
        if missing:
            raise ValueError(f"{file}: found no document {min(missing)!r}, expected the same documents as in {other}")
    return [by_name[name] for name in order]


def _lines(path):
    """The file's lines with their place, "file:number"."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            yield f"{path}:{number}", line
