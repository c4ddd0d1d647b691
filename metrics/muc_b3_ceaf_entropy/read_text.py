"""What the readers of formats share: numbered lines, and a document while it is read by tokens."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from .common import input_error, short_repr, warn
from .common_files import numbered_lines
from .documents import Document

HASH = "\x23"  # written so because evaluate's loader takes the character itself for the start of a comment
BLANKS = re.compile(r"[ \t]+")
BEGIN = re.compile(r"\s*" + HASH + r"\s*begin document\s*(.*)")  # of a document in CoNLL-2012
END = re.compile(HASH + r"\s*end document")
NUMBER = re.compile(r"\d+(?:[-.]\d+)?")  # of a token; 9-10 and 9.1 are CoNLL-U's
NEW_DOCUMENT = re.compile(HASH + r"\s*newdoc(?:\s+id\s*=\s*(.*))?$")


def is_token(line: str) -> bool:
    """Whether a line has columns: it is not empty, no comment, no JSON."""
    return line.lstrip()[:1] not in ("", HASH, "{", "[")


def columns_of(text: str) -> list[str]:
    """The columns of a line, between spaces and tabs; a no-break space and its like are part of a word."""
    return text.split() if text.isascii() else BLANKS.split(text.strip(" \t\r\n"))


def whole_text(path: str, newline: str | None = None) -> str:
    """All of a UTF-8 file; arguments and ValueError as `numbered_lines`."""
    return "".join(line for _, line in numbered_lines(path, newline))


def beside(path: str | os.PathLike[str], ending: str) -> str:
    """The file of the same name with another ending; that of a packed file is packed, too."""
    path = os.fspath(path)
    plain = path.removesuffix(".gz")
    return os.path.splitext(plain)[0] + ending + path[len(plain) :]


# ---- What several formats have to work out ----


def sentence_starts(sentences: Iterable) -> list[int]:
    """Where each sentence begins, of lists of words."""
    return [0, *accumulate(map(len, sentences))][:-1]


def connected(members: Iterable[str], links: Iterable[Iterable[str]]) -> dict[str, str]:
    """{member: the first member of what it hangs together with}, of links between members."""
    component = {member: [member] for member in members}
    for one, other in links:
        if component[one] is not component[other]:
            smaller, larger = sorted((component[one], component[other]), key=len)
            larger.extend(smaller)
            component.update(dict.fromkeys(smaller, larger))
    first: dict[int, str] = {}
    return {member: first.setdefault(id(each), member) for member, each in component.items()}


def warn_of_cut_words(path: str, times: int) -> None:
    """A warning for mentions of characters that begin or end inside a word, of which there are so many."""
    if times:
        warn(f"{path}: {times} mentions begin or end inside a word; the whole word is taken")


def check_text(written: str | None, there: str, place: str, where: str) -> None:
    """Refuse a mention's text, if it is written, that is another than the document has at its place, blanks aside."""
    if written is not None and written.split() != there.split():
        raise input_error(where, short_repr(written, 60), f"{short_repr(there, 60)}, which the text has at {place}")


# ---- A document while it is read, token by token ----


@dataclass(eq=False)
class Begun:
    """A mention that has begun: `positions` are those of its parts that have ended, `head` is as the format has it."""

    entity: str
    line: int
    head: Any = ()
    positions: list[int] = field(default_factory=list)


class Reading:
    """One document while it is read; a format says what its tokens say of mentions."""

    def __init__(self, name: str, path: str, line: int):
        self.words: list[str] = []  # of the document
        self.document = Document(name, str(path), line, words=self.words)
        self.in_sentence = False  # set it to False where a sentence ends
        self.open: list[tuple[str, Begun, int]] = []  # (what its end says, mention, where it or a part of it begins)

    def add_word(self, word: str, line: int) -> int:
        """A word of the text or an empty node, which may begin a sentence; gives its position."""
        document, position = self.document, len(self.words)
        if not self.in_sentence:
            self.in_sentence = True
            document.sentences.append(position)
        self.words.append(word)
        document.lines.append(line)
        return position

    def error(self, line: int, message: str) -> ValueError:
        """An error with file and line."""
        return ValueError(f"{self.document.file}:{line}: {message}")

    def end(self, name: str | None, position: int, line: int, what: str = "mention of entity") -> tuple[Begun, range]:
        """The latest mention that is open under a name, None for any, ends at a position; gives its words, too.

        Raises:
            ValueError: there is none.
        """
        which = len(self.open) - 1
        while which >= 0 and name not in (None, self.open[which][0]):
            which -= 1
        if which < 0:
            found = f"found the end of a {what} {short_repr(name or '')} that was never opened"
            raise self.error(line, f"{found}, expected none")
        _, mention, start = self.open.pop(which)
        return mention, range(start, position + 1)

    def check_closed(self) -> None:
        """Refuse a mention that has no end."""
        for _, mention, _ in self.open:
            found = f"found a mention of entity {short_repr(mention.entity)} that is never closed in its document"
            raise self.error(mention.line, f"{found}, expected its end")


def conllu_documents(path: str, reading: Callable, settings, header: Callable) -> Iterator[Document]:
    """Documents of a file with CoNLL-U's comments; without ``newdoc`` the file is one document.

    Args:
        path: the file.
        reading: the format's kind of `Reading`: read_token(line, settings, line's number), and finish() -> document.
        settings: those of the format for files without a header.
        header: header(comment, file and line) gives the settings from there on, or None.
    """
    current = None
    for number, line in numbered_lines(path):
        text = line.strip()
        if text.startswith(HASH):
            new = NEW_DOCUMENT.match(text)
            if new is None:
                changed = header(text, f"{path}:{number}")
                settings = settings if changed is None else changed
                continue
            if current is not None:
                yield current.finish()
            current = reading((new[1] or "").strip(), path, number)
        elif text:
            current = current or reading("", path, number)
            current.read_token(line, settings, number)
        elif current is not None:
            current.in_sentence = False
    if current is not None:
        yield current.finish()
