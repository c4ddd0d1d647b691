"""Files of the Universal Anaphora scorer (Yu et al. 2023): CoNLL-U and columns for identity and bridging.

A markable begins with ``(EntityID=1|MarkableID=markable_1|Min=2`` and ends with ``)``, the latest first, or with its
id, ``markable_1)``. One whose id comes again is discontinuous. An empty node is a markable of its own or none; it is
not part of those around it.
"""

import re
from collections.abc import Iterator

from .common import short_repr
from .documents import Document, EmptyNode, Mention
from .read_text import HASH, NUMBER, Begun, Reading, columns_of, conllu_documents

COLUMNS_HEADER = re.compile(HASH + r"\s*global\.columns\s*=\s*(.*)")
WORD, IDENTITY, BRIDGING, DEIXIS = 1, 10, 11, 12
OTHER_COLUMNS = {BRIDGING: "bridging links", DEIXIS: "markables of discourse deixis"}
ITEM = re.compile(r"\(([^()]*)(\))?|([^()]*)\)")
NOT_REFERRING = "-Pseudo"


def is_ua(line: str) -> bool:
    """Whether a line is of this format: the header that names the columns, or a token with enough.

    A token begins with its number. One of CoNLL-U has ten columns, between tabs: there may be spaces within.
    """
    if line.strip().startswith(HASH):
        return "global.columns" in line and "IDENTITY" in line
    columns = _columns(line)
    is_row = len(columns) > IDENTITY and NUMBER.fullmatch(columns[0]) and line.count("\t") != IDENTITY - 1
    return bool(is_row) and (columns[IDENTITY] == "_" or not {"(", ")"}.isdisjoint(columns[IDENTITY]))


def ua_documents(path: str) -> Iterator[Document]:
    """Documents of a file in the UA format; a head is the markable's Min span.

    Raises:
        ValueError: brackets that do not match, a markable without EntityID or MarkableID or in two entities, lines of
            too few columns (with file and line).
    """
    return conllu_documents(path, _Markables, IDENTITY, _header)


def _header(comment, _where):
    """The column IDENTITY, of a comment ``global.columns``."""
    header = COLUMNS_HEADER.match(comment)
    return header[1].split().index("IDENTITY") if header and "IDENTITY" in header[1].split() else None


def _columns(line):
    """Between tabs, if there are some: a word may have spaces then."""
    return [column.strip() for column in line.split("\t")] if "\t" in line else columns_of(line)


class _Markables(Reading):
    """The markables of one document, while it is read."""

    def __init__(self, *where):
        super().__init__(*where)
        self._overt = []  # the position of each word that is in the text
        self._markables, self._elements = {}, set()

    def read_token(self, line, identity, number):
        columns = _columns(line)
        if len(columns) <= identity:
            raise self.error(number, f"found {len(columns)} columns, expected at least {identity + 1}")
        position = self.add_word(columns[WORD], number)
        if "." in columns[0]:  # numbered after the words before it, as by the UA scorer, whatever the file says
            before, k = len(self._overt), position - (self._overt[-1] if self._overt else -1)
            self.document.empty[position] = EmptyNode(0, before, k, label=f"{before}.{k}")
        else:
            self._overt.append(position)
        if columns[identity] != "_":
            self._read_markables(columns[identity], position, number)
        for column, kind in OTHER_COLUMNS.items():
            if column < len(columns) and column != identity and columns[column] != "_":
                self.document.left_out[kind] += columns[column].count("(")

    def _read_markables(self, column, position, line):
        items = list(ITEM.finditer(column))
        if "".join(item[0] for item in items) != column:
            found = f"found the markables {short_repr(column)}"
            raise self.error(line, f"{found}, expected items such as '(EntityID=1|MarkableID=m1)'")
        for begun, ends, ended in (item.groups() for item in items):
            if begun is not None:
                self._begin(begun, position, line)
            if begun is None or ends:  # the latest markable ends, or the latest with this name
                markable, inside = self.end(ended or None, position, line, "markable")
                markable.positions += [p for p in inside if p not in self.document.empty or len(inside) == 1]

    def _begin(self, text, position, line):
        fields = dict(part.partition("=")[::2] for part in text.split("|"))
        if not fields.get("EntityID") or not fields.get("MarkableID"):
            raise self.error(line, f"found the markable {short_repr(text)}, expected one with EntityID and MarkableID")
        name, entity = fields["MarkableID"], fields["EntityID"]
        first = self._markables.setdefault(name, Begun(entity, line, fields.get("Min", "")))
        if first.entity != entity:
            found = f"the markable {short_repr(name)} in entity {short_repr(entity)} and in {short_repr(first.entity)}"
            raise self.error(line, f"found {found} (line {first.line}), expected one entity")
        self._elements.update(fields["ElementOf"].split(",") if "ElementOf" in fields else ())
        self.open.append((name, first, position))

    def finish(self):
        """The document with its mentions; ValueError for a markable that is still open."""
        self.check_closed()
        document = self.document
        for markable in self._markables.values():
            if markable.entity.endswith(NOT_REFERRING):
                document.left_out["non-referring markables"] += 1
                continue
            head = self._min_span(markable.head, markable.line)
            positions = tuple(sorted(set(markable.positions)))
            document.mentions.append(Mention(markable.entity, positions, head, markable.line))
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
            raise self.error(line, f"found Min={text:.60}, expected the number of a word, or of two, such as 2,3")
        return positions
