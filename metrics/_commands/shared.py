"""What the commands of morpheval, parapluie and melasss share: options that are handed on, files, scores as lines."""

import argparse
import csv
import os
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path

from ..muc_b3_ceaf_entropy.command import aligned, in_json


def flag(value) -> bool:
    """The type of an option that takes no value."""
    return bool(value)


def number_or_word(text: str) -> int | str:
    """An integer where there is one, else the text, which the metric's own check looks at."""
    return int(text) if text.isdecimal() else text


def add_options(parser: argparse.ArgumentParser, options: Mapping[str, tuple[Callable, str, str]]) -> None:
    """Options of the metric that are handed on as they are, {name: (type, what the value is, help)}.

    The metric says what they may be.
    """
    for name, (kind, value, what) in options.items():
        form = {"action": "store_true", "default": None} if kind is flag else {"type": kind, "metavar": value}
        parser.add_argument(f"--{name.replace('_', '-')}", help=what, **form)


def handed_on(given: argparse.Namespace, options: Iterable[str]) -> dict:
    """Those of the options that are on the command line."""
    return {name: value for name in options if (value := getattr(given, name)) is not None}


def read_lines(path: str) -> list[str]:
    """The lines of a text file, without their ends.

    Raises:
        ValueError: it cannot be read, or is not in UTF-8.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            return [line.rstrip("\n") for line in file]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"found {path!r}, which cannot be read ({error}), expected a text in UTF-8") from error


def check_output(option: str, path: str | None, *inputs: str | None) -> None:
    """See before any scoring that a file can be written; nothing is written yet.

    Raises:
        ValueError: it is one of the files to read, a folder, or its folder is not there or not open to writing.
    """
    from ..muc_b3_ceaf_entropy.read_text import is_one_of  # here, so that --help needs no numpy

    if path is None:
        return
    written = Path(path)
    if is_one_of(path, filter(None, inputs)):
        raise ValueError(f"{option}: found {path!r}, which is one of the files to read, expected another")
    folder = written.absolute().parent
    if written.is_dir() or not os.access(folder, os.W_OK):
        raise ValueError(f"{option}: found {path!r}, which cannot be written, expected a file in an existing folder")


def write_rows(path: str, names: Iterable[str], rows: Iterable[tuple]) -> None:
    """Write a table with columns separated by tabs, the names first."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([names, *rows])


def figures(result: dict) -> dict:
    """The scores and the signature, without what the details list."""
    return {name: value for name, value in result.items() if not isinstance(value, list)}


def decimal(value: float, digits: int = 3) -> str:
    """A score with so many digits."""
    return f"{value:.{digits}f}" if isfinite(value) else "undefined"


def as_lines(result: dict, in_one_object: bool) -> list[str]:
    """The scores as JSON, or as a line for each."""
    if in_one_object:
        return in_json(figures(result))
    shown = {name: value for name, value in figures(result).items() if name != "signature"}
    texts = (decimal(value) if isinstance(value, float) else str(value) for value in shown.values())
    return aligned(list(zip(shown, texts)))
