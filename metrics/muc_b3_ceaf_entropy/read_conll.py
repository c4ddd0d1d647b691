"""CoNLL-2012 files as they circulate: the last column of every token line has the mentions that begin and end there.

A column is ``-``, ``(0|(1)``, ``0)``, or without bars, ``(1(1``; a bare number, as some systems write for the words
inside a mention (``322)|249``), says nothing, as in the Perl scorer. Brackets of one entity may nest: a closing one
belongs to the latest opened.
"""

import re
from collections.abc import Iterator

from .common import short_repr
from .read_text import HASH, Brackets, columns_of, numbered_lines
from .documents import Document

BEGIN = re.compile(HASH + r"\s*begin document\s*(.*)")
END = re.compile(HASH + r"\s*end document")
ITEM = re.compile(r"(\()?([^()|\s]+)(\))?\|?")
EMPTY_COLUMNS = ("-", "_", "*")
WORD = 3  # the column of the word


def is_conll(line: str) -> bool:
    """Whether a line is of this format: the beginning of a document."""
    return bool(BEGIN.match(line.strip()))


def conll_documents(path: str) -> Iterator[Document]:
    """Documents of a CoNLL-2012 file, between their begin and end lines; positions are of token lines.

    Blank lines end sentences. A line that begins with a hash sign is a comment, but not where it has a token's columns:
    a tab, or two numbers after the sign and a coreference column. The word is the fourth column; a file of fewer
    columns has empty words.

    Raises:
        ValueError: brackets that do not match, a token outside a document, a document without an end (with file and
            line).
    """
    brackets, in_sentence = None, False
    for number, line in numbered_lines(path):
        text = line.strip()
        begin = BEGIN.match(text) if text.startswith(HASH) else None
        if begin:
            _check_ended(brackets)
            brackets, in_sentence = Brackets(Document(begin[1].strip(), str(path), number, words=[])), False
        elif not text:
            in_sentence = False
        elif text.startswith(HASH) and END.match(text):
            if brackets is not None:
                yield brackets.finish()
            brackets = None
        elif not (text.startswith(HASH) and _is_comment(text)):
            if brackets is None:
                raise ValueError(
                    f"{path}:{number}: found a token outside a document, expected a '{HASH}begin document' line"
                )
            if not in_sentence:
                brackets.document.sentences.append(len(brackets.document.words))
                in_sentence = True
            _read_token(brackets, columns_of(text), number)
    _check_ended(brackets)


def _is_comment(text):
    """Whether a line with a hash sign is none of a token whose document is called so."""
    columns = columns_of(text)
    is_token = len(columns) > WORD and columns[1].isdigit() and columns[2].isdigit() and _items(columns[-1]) is not None
    return "\t" not in text and not is_token


def _check_ended(brackets):
    """Refuse a document that no end line has closed."""
    if brackets is not None:
        document = brackets.finish()  # an open bracket is the more telling error
        raise ValueError(
            f"{document.file}:{document.line}: found a document without an '{HASH}end document' line, expected one; "
            "is the file complete?"
        )


def _items(column) -> list | None:
    """What begins and ends in a column: [(opening bracket or "", entity, closing bracket or "")]; None for others."""
    if column in EMPTY_COLUMNS:
        return []
    items = [(match[1] or "", match[2], match[3] or "") for match in ITEM.finditer(column)]
    whole = "".join(map("".join, items)) == column.replace("|", "") and not column.endswith("|")
    marked = any(opening or closing for opening, _, closing in items) or all(item[1].isdigit() for item in items)
    bare = all(opening or closing or entity.isdigit() for opening, entity, closing in items)
    return items if items and whole and marked and bare else None


def _read_token(brackets, columns, line):
    document, column = brackets.document, columns[-1]
    position = len(document.words)
    if column not in EMPTY_COLUMNS:
        items = _items(column)
        if items is None:
            raise ValueError(
                f"{document.file}:{line}: found the coreference column {short_repr(column)}, expected '-' or such as '(3|5)'"
            )
        for opening, entity, closing in items:
            if opening:
                brackets.open(entity, position, line)
            if closing:
                brackets.close(entity, position, line)
    document.words.append(columns[WORD] if len(columns) > WORD + 1 else "")
    document.lines.append(line)
