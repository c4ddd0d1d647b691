"""CoNLL-2012 files as they circulate: the last column of every token line has the mentions that begin and end there.

A column is ``-``, ``(0|(1)``, ``0)``, or without bars, ``(1(1``, ``(1_(1``; a bare number, as some
systems write for the words inside a mention (``322)|249``), says nothing, as in the Perl scorer.
Brackets of one entity may nest: a closing one belongs to the latest opened.
"""

import re
from collections.abc import Iterator

from .common import input_error, short_repr, warn
from .documents import Document, Mention
from .read_text import BEGIN, END, HASH, NUMBER, Begun, Reading, columns_of, numbered_lines

ITEM = re.compile(r"(\()?([^()|\s]+)(\))?\|?")
UNDERLINE = re.compile(r"(?<=\))_|_(?=\()")  # for a bar
EMPTY_COLUMNS = ("-", "_", "*")
NAMED = 3  # the column of the word, after the document's name, its part, and the word's number
LOOKED_AT = 1000  # lines of tokens that say which column has the words


def conll_documents(path: str, word_column: int | None = None) -> Iterator[Document]:
    """Documents of a CoNLL-2012 file, between their begin and end lines; positions are of token lines.

    Blank lines end sentences. A line that begins with a hash sign is a comment, but not where it has a token's columns:
    a tab, or two numbers after the sign and a coreference column. The words are in a column, counted from 1, or None
    for the one that `find_word_column` finds; lines of too few columns have empty words.

    Raises:
        ValueError: brackets that do not match, a token outside a document, a document without an end (with file and
            line).
    """
    brackets, mentions = None, 0
    bare: list[str] = []
    column = find_word_column(path) if word_column is None else word_column - 1
    for number, line in numbered_lines(path):
        text = line.strip()
        hashed = text.startswith(HASH)
        if hashed and (begin := BEGIN.match(text)):
            _check_ended(brackets)
            brackets = _Brackets(begin[1].strip(), path, number, word=column)
        elif hashed and END.match(text):
            if brackets is not None:
                document = brackets.finish()
                mentions, bare = mentions + len(document.mentions), bare + brackets.bare
                yield document
            brackets = None
        elif text and not (hashed and _is_comment(text)):
            if brackets is None:
                raise input_error(f"{path}:{number}", "a token outside a document", f"a '{HASH}begin document' line")
            brackets.read_token(columns_of(text), number)
        elif not text and brackets is not None:
            brackets.in_sentence = False
    _check_ended(brackets)
    if bare and not mentions:
        warn(f"{path}: found {len(bare)} bare numbers such as {bare[0]!r} and no mention, expected '({bare[0]})'")


def find_word_column(path: str) -> int:
    """Which column of a file has the words, from 0.

    The fourth of CoNLL-2012, after the name, the part and the number of the word, or if that is
    empty, the first, before the numbers of the sentence and the word; or the one after the number
    of the word where that comes first, as in CoNLL-U, or second; or the first of two.
    """
    rows = []
    for _, line in numbered_lines(path):
        text = line.strip()
        if text and not text.startswith(HASH):
            rows.append(columns_of(text)[:-1])
        if len(rows) == LOOKED_AT:
            break
    first, second, third, fourth = ([row[i] for row in rows if len(row) > i] for i in range(4))
    numbered = [bool(column) and all(map(NUMBER.fullmatch, column)) for column in (first, second, third)]
    if numbered[1] and numbered[2]:
        return 0 if fourth and {*fourth} <= {*EMPTY_COLUMNS} and len({*first}) > 1 else NAMED
    if numbered[0] and second:
        return 1
    if numbered[1] and third:
        return 2
    return NAMED if second or numbered[0] else 0


def _is_comment(text):
    """Whether a line with a hash sign is none of a token whose document is called so."""
    columns = columns_of(text)
    is_numbered = len(columns) > NAMED and columns[1].isdigit() and columns[2].isdigit()
    return "\t" not in text and not (is_numbered and _items(columns[-1]) is not None)


def _check_ended(brackets):
    """Refuse a document that no end line has closed."""
    if brackets is not None:
        document = brackets.finish()  # an open bracket is the more telling error
        found = f"a document without an '{HASH}end document' line"
        raise input_error(f"{document.file}:{document.line}", found, "this line at its end; is the file complete?")


def _items(column) -> list | None:
    """What begins and ends in a column: [(opening bracket or "", entity, closing bracket or "")]; None for others."""
    if column in EMPTY_COLUMNS:
        return []
    if "_" in column and "|" not in column:
        column = UNDERLINE.sub("|", column)
    items = [(match[1] or "", match[2], match[3] or "") for match in ITEM.finditer(column)]
    whole = "".join(map("".join, items)) == column.replace("|", "") and not column.endswith("|")
    marked = any(opening or closing for opening, _, closing in items) or all(item[1].isdigit() for item in items)
    bare = all(opening or closing or entity.isdigit() for opening, entity, closing in items)
    return items if items and whole and marked and bare else None


class _Brackets(Reading):
    """A document's brackets, which may nest and cross; a closing one ends the latest of its entity."""

    def __init__(self, *where, word):
        super().__init__(*where)
        self._word = word  # number of the column
        self._mentions = []
        self.bare = []  # numbers without a bracket

    def read_token(self, columns, line):
        column, items = columns[-1], _items(columns[-1])
        if items is None:
            found = f"found the coreference column {short_repr(column)}"
            raise self.error(line, f"{found}, expected '-' or numbers in brackets such as '(3|5)'")
        position = self.add_word(columns[self._word] if len(columns) > self._word + 1 else "", line)
        for opening, entity, closing in items:
            if not opening and not closing:
                self.bare.append(entity)
            if opening:
                self._mentions.append(Begun(entity, line))
                self.open.append((entity, self._mentions[-1], position))
            if closing:
                mention, inside = self.end(entity, position, line)
                mention.positions.extend(inside)

    def finish(self):
        """The document with its mentions; ValueError if one is still open."""
        self.check_closed()
        for each in self._mentions:
            self.document.mentions.append(Mention(each.entity, tuple(each.positions), (), each.line))
        return self.document
