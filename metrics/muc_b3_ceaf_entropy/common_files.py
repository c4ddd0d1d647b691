# Copied from metrics/_common/common_files.py: edit there, then run make vendor.
"""Text files as they circulate: numbered lines of UTF-8, also packed by gzip, and texts in JSON lines."""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from .common import SURROGATE, InputError, input_error, short_repr

MARKS = (0xFE, 0xFF)  # of UTF-16, at the beginning of a file


def numbered_lines(path: str | os.PathLike, newline: str | None = None) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file, numbered from 1; of one whose name ends in .gz those of what is packed in it.

    Args:
        path: the file.
        newline: as for `open`; "" keeps line ends as they are.

    Raises:
        ValueError: the file cannot be read, or a line is not UTF-8 (with file and line).
    """
    if not isinstance(path, (str, os.PathLike)):  # an integer would be taken for an open file
        raise input_error("path", short_repr(path), "the path of a file")
    opener = gzip.open if os.fspath(path).endswith(".gz") else open
    try:
        file = opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline=newline)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    with file:
        try:
            for number, line in enumerate(file, 1):
                if not line.isascii():
                    _check_encoded(line, path, number)
                yield number, line
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(path, error) from error


def unreadable(path: str | os.PathLike, error: Exception) -> InputError:
    """What to raise for a file that cannot be read."""
    return InputError(f"cannot read {short_repr(path)}: {reason_of(error)}", (str(path),))


def reason_of(error: Exception) -> str:
    """Why a file cannot be read or written, to go on a line after a colon."""
    reason = (getattr(error, "strerror", None) or str(error)).rstrip(".")
    return f"{reason[:1].lower()}{reason[1:]}"


def _check_encoded(line, path, number):
    wrong = SURROGATE.search(line)
    if wrong:
        byte = ord(wrong[0]) - 0xDC00
        encoding = "utf-16" if number == 1 and byte in MARKS else "latin1"
        expected = f"a UTF-8 file; iconv -f {encoding} -t utf-8 converts the file"
        raise input_error(f"{path}:{number}", f"the byte 0x{byte:02x}, which is not UTF-8", expected)


def read_texts(path: str | os.PathLike, *fields: str) -> list:
    """The lines of a text file; of one that ends in .jsonl (or .jsonl.gz) what its lines say in JSON.

    Empty lines at the end of a .jsonl say nothing.

    Args:
        path: the file.
        fields: where the text of an object is: the first of these names that it has; without any, the object itself.

    Raises:
        ValueError: as `numbered_lines`; a line that is no JSON, or an object without any of the fields.
    """
    lines = [line.rstrip("\n") for _, line in numbered_lines(path)]
    if not os.fspath(path).removesuffix(".gz").endswith(".jsonl"):
        return lines
    while lines and not lines[-1].strip():
        lines.pop()
    values = [value_of(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    return [
        field_of(value, f"{path}:{number}", fields) if fields and isinstance(value, dict) else value
        for number, value in enumerate(values, 1)
    ]


def value_of(line: str, where: str) -> Any:
    """What a line says in JSON; `where` names it in errors."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise input_error(where, f"{short_repr(line, 60)} ({error})", "JSON") from None


def field_of(value: dict, where: str, fields: Iterable[str]) -> Any:
    """The value of the first of these fields that an object has."""
    name = next((name for name in fields if name in value), None)
    if name is None:
        raise input_error(where, f"the fields {short_repr(sorted(value))}", f"a field {' or '.join(map(repr, fields))}")
    return value[name]
