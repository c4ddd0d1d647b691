"""Lines of a file with their numbers, and the brackets in them that begin and end mentions."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from .common import short_repr
from .documents import Document, Mention

HASH = "\x23"  # written so because evaluate's loader takes the character itself for the start of a comment

BLANKS = re.compile(r"[ \t]+")


def numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file, numbered from 1.

    Raises:
        ValueError: the file cannot be read, or a line is not UTF-8 (with file and line).
    """
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            if not line.isascii():
                _check_encoded(line, f"{path}:{number}")
            yield number, line


def is_token(line: str) -> bool:
    """Whether a line has columns: it is not empty, no comment, no JSON."""
    return line.lstrip()[:1] not in ("", HASH, "{", "[")


def columns_of(text: str) -> list[str]:
    """The columns of a line, between spaces and tabs; a no-break space and its like are part of a word."""
    return text.split() if text.isascii() else BLANKS.split(text.strip(" \t\r\n"))


def whole_text(path: str) -> str:
    """All of a UTF-8 file; ValueError as `numbered_lines`."""
    return "".join(line for _, line in numbered_lines(path))


def is_one_of(path: str, others: Iterable[str]) -> bool:
    """Whether a file that is there is one of others, by whatever names they go."""
    there = [each for each in others if os.path.exists(each)]
    return os.path.exists(path) and any(os.path.samefile(path, each) for each in there)


def _check_encoded(line, where):
    try:
        line.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where}: found bytes that are not UTF-8, expected a UTF-8 file") from None


def _opened(path):
    if not isinstance(path, (str, os.PathLike)):  # an integer would be taken for an open file
        raise ValueError(f"path: found {short_repr(path)}, expected the path of a file")
    try:
        return open(path, encoding="utf-8-sig", errors="surrogateescape")
    except (OSError, ValueError) as error:
        raise ValueError(
            f"path: found {short_repr(path)}, which cannot be read, expected a file that can: {error}"
        ) from error


class Brackets:
    """The brackets of one document, which may nest and cross; a closing one ends the latest of its entity.

    Args:
        document: whose mentions they are.
    """

    def __init__(self, document: Document):
        self.document = document
        self._open = defaultdict(list)
        self._spans = []

    def open(self, entity: str, position: int, line: int) -> None:
        """A mention of the entity begins at the position, in this line of the file."""
        span = [entity, position, None, line]
        self._open[entity].append(span)
        self._spans.append(span)

    def close(self, entity: str, position: int, line: int) -> None:
        """The latest mention of the entity ends at the position; ValueError if there is none."""
        if not self._open[entity]:
            raise ValueError(
                f"{self.document.file}:{line}: found the end of a mention of entity {short_repr(entity)} that was never "
                "opened, expected none"
            )
        self._open[entity].pop()[2] = position

    def finish(self) -> Document:
        """The document with its mentions; ValueError if one is still open."""
        for entity, start, end, line in self._spans:
            if end is None:
                raise never_closed(self.document.file, line, entity)
            self.document.mentions.append(Mention(entity, tuple(range(start, end + 1)), (), line))
        return self.document


def never_closed(file: str, line: int, entity: str) -> ValueError:
    """The error for a mention that begins in this line and has no end."""
    return ValueError(
        f"{file}:{line}: found a mention of entity {short_repr(entity)} that is never closed in its document, "
        "expected an end"
    )
