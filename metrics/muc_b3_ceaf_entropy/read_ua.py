"""Files of the Universal Anaphora scorer (Yu et al. 2023): CoNLL-U and columns for identity and bridging.

A markable begins with ``(EntityID=1|MarkableID=markable_1|Min=2`` and ends with ``)``, the latest first, or with its
id, ``markable_1)``. One whose id comes again is discontinuous. An empty node is a markable of its own or none; it is
not part of those around it.
"""

import re
from collections.abc import Iterator

from .common import short_repr
from .read_text import HASH, columns_of, is_token, never_closed, numbered_lines
from .documents import Document, EmptyNode, Mention

NEW_DOCUMENT = re.compile(HASH + r"\s*newdoc(?:\s+id\s*=\s*(.*))?$")
COLUMNS_HEADER = re.compile(HASH + r"\s*global\.columns\s*=\s*(.*)")
WORD, IDENTITY, BRIDGING, DEIXIS = 1, 10, 11, 12
OTHER_COLUMNS = {BRIDGING: "bridging links", DEIXIS: "markables of discourse deixis"}
ITEM = re.compile(r"\(([^()]*)(\))?|([^()]*)\)")
NOT_REFERRING = "-Pseudo"


def is_ua(line: str) -> bool:
    """Whether a line is of this format: the header that names the columns, or a token with those of IDENTITY.

    A token of CoNLL-U has ten columns, between tabs: there are spaces within words.
    """
    if line.strip().startswith(HASH):
        return "global.columns" in line and "IDENTITY" in line
    return is_token(line) and len(line.split()) > IDENTITY and line.count("\t") != IDENTITY - 1


def ua_documents(path: str) -> Iterator[Document]:
    """Documents of a file in the UA format; a head is the markable's Min span.

    Raises:
        ValueError: brackets that do not match, a markable without EntityID or MarkableID or in two entities, lines of
            too few columns (with file and line).
    """
    markables, identity = None, IDENTITY
    for number, line in numbered_lines(path):
        text = line.strip()
        if text.startswith(HASH):
            new, header = NEW_DOCUMENT.match(text), COLUMNS_HEADER.match(text)
            if new:
                if markables is not None:
                    yield markables.finish()
                markables = _Markables(Document((new[1] or "").strip(), str(path), number, words=[]), identity)
            elif header and "IDENTITY" in header[1].split():
                identity = header[1].split().index("IDENTITY")
        elif not text:
            if markables is not None:
                markables.in_sentence = False
        else:
            if markables is None:
                markables = _Markables(Document("", str(path), number, words=[]), identity)
            markables.read_token(_columns(line), number)
    if markables is not None:
        yield markables.finish()


def _columns(line):
    """Between tabs, if there are some: a word may have spaces then."""
    return [column.strip() for column in line.split("\t")] if "\t" in line else columns_of(line)


class _Markables:
    """The markables of one document, while it is read."""

    def __init__(self, document, identity):
        self.document, self.in_sentence = document, False
        self._identity = identity
        self._overt = []  # the position of each word that is in the text
        self._open, self._markables, self._elements = [], {}, set()

    def read_token(self, columns, line):
        document, position = self.document, len(self.document.words)
        if len(columns) <= self._identity:
            raise self._error(line, f"found {len(columns)} columns, expected at least {self._identity + 1}")
        if not self.in_sentence:
            self.in_sentence = True
            document.sentences.append(position)
        document.words.append(columns[WORD])
        document.lines.append(line)
        if "." in columns[0]:
            document.empty[position] = self._empty_node(position)
        else:
            self._overt.append(position)
        if columns[self._identity] != "_":
            self._read_markables(columns[self._identity], position, line)
        for column, kind in OTHER_COLUMNS.items():
            if column < len(columns) and column != self._identity and columns[column] != "_":
                document.left_out[kind] += columns[column].count("(")

    def _empty_node(self, position):
        """Counted from the words before it, as the UA scorer does, whatever its number in the file."""
        before = len(self._overt)
        number = position - (self._overt[-1] if self._overt else -1)
        return EmptyNode(0, before, number, frozenset(), f"{before}.{number}")

    def _read_markables(self, column, position, line):
        items = list(ITEM.finditer(column))
        if "".join(item[0] for item in items) != column:
            raise self._error(
                line, f"found the markables {short_repr(column)}, expected such as '(EntityID=1|MarkableID=m1)'"
            )
        for begun, ends, ended in (item.groups() for item in items):
            if begun is not None:
                self._begin(begun, position, line)
            if begun is None or ends:
                self._end(ended or "", position, line)

    def _begin(self, text, position, line):
        fields = dict(part.partition("=")[::2] for part in text.split("|"))
        if not fields.get("EntityID") or not fields.get("MarkableID"):
            raise self._error(line, f"found the markable {short_repr(text)}, expected one with EntityID and MarkableID")
        name, entity = fields["MarkableID"], fields["EntityID"]
        begun = {"entity": entity, "line": line, "positions": [], "min": fields.get("Min", "")}
        first = self._markables.setdefault(name, begun)
        if first["entity"] != entity:
            raise self._error(
                line,
                f"found the markable {short_repr(name)} in entity {short_repr(entity)} and in {short_repr(first['entity'])} (line "
                f"{first['line']}), expected it in one",
            )
        self._elements.update(fields["ElementOf"].split(",") if "ElementOf" in fields else ())
        self._open.append((name, position))

    def _end(self, name, position, line):
        """The end of the latest markable, or of the latest with this name."""
        which = next((i for i in reversed(range(len(self._open))) if name in ("", self._open[i][0])), None)
        if which is None:
            raise self._error(
                line, f"found the end of a markable {short_repr(name)} that was never opened, expected none"
            )
        name, start = self._open.pop(which)
        inside = [start] if start == position else (p for p in range(start, position + 1) if p not in self.document.empty)
        self._markables[name]["positions"].extend(inside)

    def finish(self):
        """The document with its mentions; ValueError for a markable that is still open."""
        document = self.document
        if self._open:
            name, _ = self._open[-1]
            raise never_closed(document.file, self._markables[name]["line"], self._markables[name]["entity"])
        for markable in self._markables.values():
            if markable["entity"].endswith(NOT_REFERRING):
                document.left_out["non-referring markables"] += 1
                continue
            head = self._min_span(markable["min"], markable["line"])
            positions = tuple(sorted(set(markable["positions"])))
            document.mentions.append(Mention(markable["entity"], positions, head, markable["line"]))
        document.left_out["split antecedents"] += len(self._elements)
        return document

    def _min_span(self, text, line):
        """The positions of Min=first,last, which count the document's words from 1."""
        if not text:
            return ()
        first, _, last = text.partition(",")
        last = last or first
        numbers = first.isdecimal() and last.isdecimal() and int(first) > 0
        positions = tuple(self._overt[int(first) - 1 : int(last)]) if numbers else ()
        if not positions:
            raise self._error(line, f"found Min={text:.60}, expected the number of a word, or of two, such as 2,3")
        return positions

    def _error(self, line, message):
        return ValueError(f"{self.document.file}:{line}: {message}")
