"""The sentences that a suite is made of, one at a time."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..morpheval.common import Message, argument, input_error, is_listing, short_repr, warn
from ..morpheval.lexicon import UNREADABLE, is_file, open_text

REPLACED = "\ufffd"  # stands for bytes that are no UTF-8


def iter_sentences(sentences: Iterable[str] | str | Path) -> Iterator[str]:
    """The sentences of an iterable, or the lines of a text file (also .gz, .xz, .bz2), one at a time.

    Raises:
        ValueError: no such file, or an element that is not a string, with its number: at once, of an iterator when it
            comes to it.
    """
    if isinstance(sentences, (str, Path)):
        if not is_file(sentences):
            raise input_error(argument("sentences"), f"no file {short_repr(str(sentences))}", "a file or an iterable")
        return _lines_of(sentences)
    if not is_listing(sentences) and not isinstance(sentences, (set, frozenset)):
        raise input_error(argument("sentences"), short_repr(sentences), "strings or the path of a text file")
    checked = (_check_sentence(text, i) for i, text in enumerate(sentences))
    return iter(list(checked)) if hasattr(sentences, "__len__") else checked


def _lines_of(path: str | Path) -> Iterator[str]:
    try:
        with open_text(path, "utf-8-sig", errors="replace") as lines:
            damaged = 0
            for number, line in enumerate(lines, start=1):
                damaged = damaged or number * (REPLACED in line)
                yield line
            if damaged:
                warn(
                    argument("sentences"),
                    f" {path}, line {damaged}: found bytes that are no UTF-8, or U+FFFD; such lines are left out",
                )
    except UNREADABLE as error:
        raise input_error(
            Message(argument("sentences"), f" {path}"), "bytes that cannot be read", f"text: {error}"
        ) from error


def _check_sentence(text, i: int) -> str:
    if not isinstance(text, str):
        raise input_error(argument("sentences", i), f"{type(text).__name__} {short_repr(text)}", "a string")
    return text.encode("utf-8", "replace").decode()  # a lone surrogate as in a file, where it is replaced
