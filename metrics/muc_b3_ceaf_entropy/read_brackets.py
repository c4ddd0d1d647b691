"""Text with its mentions in brackets, each with an entity's id, as chat models write it.

``[She]\x231 fed [[her]\x231 dog]\x232``; also ``[She]1``, ``[She](\x231)``, ``[She]_1``, ``[She]{1}``, ``[She][1]``,
``[She|1]``, ``[She \x231]`` and ``[\x231: She]``; an id is a number or a name. Brackets without an id are text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, compress
from unicodedata import normalize

from .common import warn
from .documents import Document, listed
from .read_spans import text_document
from .read_text import BEGIN, END, HASH, numbered_lines

FENCE = re.compile(r"\s*(```|~~~)")  # of code in markdown
ESCAPED = re.compile(r"\\([\[\](){}|_*" + HASH + r"])")
NAME = r"\d+|[^\W\d_](?:[\w-]*\w)?"
NUMBER = r"(?:[A-Za-z]{1,12}[ _-]?)?\d+"  # 1, e1, entity_1
RAISED = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u2080-\u2089"
# The id after the closing bracket, or else at the beginning or the end of what is within the brackets.
AFTER = re.compile(
    rf"\**\s?{HASH}\s?({NAME})|\**\(\s?{HASH}?\s?({NAME}|{NUMBER})\s?\)|\{{\s?{HASH}?\s?({NAME}|{NUMBER})\s?\}}"
    rf"|\[\s?{HASH}?\s?({NUMBER})\s?\]|\$?[_^]\{{?({NUMBER})\}}?\$?|<su[bp]>\s?{HASH}?({NAME}|{NUMBER})\s?</su[bp]>"
    rf"|([{RAISED}]+)|(\d+)(?![A-Za-z_]|[.,]?\d)"
)
AT_BEGIN = re.compile(rf"\s*{HASH}({NAME})\s*:?\s+|\s*({NUMBER})\s?:\s*")
AT_END = re.compile(rf"(?:\s*\|\s*{HASH}?\s?({NAME}|{NUMBER})|\s+{HASH}({NAME}))\s*$")
JSON = re.compile(r"\{|\[[\[\s]*([{\"]|$)")  # how it begins


def is_brackets(line: str) -> bool:
    """Whether a line is of this format: it has a bracket with an id, and does not begin as JSON."""
    if "]" not in line or JSON.match(line.lstrip()):
        return False
    line = ESCAPED.sub(r"\1", line)
    return any(_id_of(line, opened, closed) for opened, closed in _pairs(line))


def bracket_documents(path: str) -> Iterator[Document]:
    """Documents of a text with brackets, each between the begin and end lines of CoNLL-2012; without, it is all one.

    Raises:
        ValueError: a bracket with an id, but without a word in it (with file and line).
    """
    name, begin = "", 1
    lines: list[tuple[int, str]] = []
    for number, line in numbered_lines(path):
        header = BEGIN.match(line.strip())
        if header or END.match(line.strip()):
            if any(line.strip() for _, line in lines):
                yield bracket_document(lines, name, str(path), begin)
            name, begin, lines = header[1].strip() if header else "", number, []
        else:
            lines.append((number, line))
    if any(line.strip() for _, line in lines) or not name and begin == 1:
        yield bracket_document(lines, name, str(path), begin)


def bracket_document(lines: list[tuple[int, str]], name: str, path: str, line: int) -> Document:
    """The document of a text with brackets, from its numbered lines; lines that fence code in markdown are no part."""
    lines = [(number, ESCAPED.sub(r"\1", each)) for number, each in lines if not FENCE.match(each)]
    marked = "".join(each for _, each in lines)
    starts = list(accumulate((len(each) for _, each in lines), initial=0))
    text, spans, bare = without_brackets(marked)
    if bare:
        quoted = listed(list(map(repr, bare)))
        warn(f"{path}: took {len(bare)} brackets without an entity's id as part of the text, such as {quoted}")
    mentions = [(*span, lines[bisect_right(starts, opened) - 1][0]) for *span, opened in spans]
    return text_document(text, mentions, name, path, line)


def without_brackets(marked: str) -> tuple[str, list[tuple], list[str]]:
    """A text without its brackets that have an id.

    Returns:
        The text; (entity, begin, end, begin in `marked`) of what was in them, in characters, the end exclusive; and
        the brackets without an id, which are still in the text.
    """
    mentions, others, ids, gone = [], [], set(), bytearray(len(marked))
    for opened, closed in _pairs(marked):
        found = opened not in ids and _id_of(marked, opened, closed)
        if found:
            entity, begin, end, beyond = found
            mentions.append((entity, begin, end, opened))
            ids.add(marked.find("[", closed, beyond))  # of [She][1]
            for first, last in ((opened, begin), (end, beyond)):
                gone[first:last] = b"\1" * (last - first)
        else:
            others.append((opened, closed))
    kept = list(accumulate((1 - each for each in gone), initial=0))
    text = "".join(compress(marked, (not each for each in gone)))
    spans = [(entity, kept[begin], kept[end], opened) for entity, begin, end, opened in mentions]
    bare = [marked[opened : closed + 1] for opened, closed in others if not gone[opened]]
    return text, sorted(spans, key=lambda span: span[3]), bare


def _pairs(text):
    """(opening, closing) bracket of each pair, the inner first."""
    opened = []
    for match in re.finditer(r"[\[\]]", text):
        if match[0] == "[":
            opened.append(match.start())
        elif opened:
            yield opened.pop(), match.start()


def id_after(text: str, closed: int) -> tuple[str, int] | None:
    """(id, where it ends) of what stands behind a closing bracket at `closed`; None where that is no id."""
    found = AFTER.match(text, closed + 1)
    return (normalize("NFKC", _id(found)), found.end()) if found else None


def _id_of(text, opened, closed):
    """(id, begin and end of the mention, end of what belongs to it) of a pair of brackets; None without an id."""
    after = id_after(text, closed)
    if after:
        return after[0], opened + 1, closed, after[1]
    begin = AT_BEGIN.match(text, opened + 1, closed)
    if begin:
        return _id(begin), begin.end(), closed, closed + 1
    inside = max(opened, text.rfind("]", opened, closed))
    end = AT_END.search(text[inside + 1 : closed])
    return (_id(end), opened + 1, inside + 1 + end.start(), closed + 1) if end else None


def _id(match):
    return next(group for group in match.groups() if group)
