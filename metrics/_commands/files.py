"""Files of the commands: pipes, texts that are read, tables and pages that are written."""

import csv
import io
import os
import re
import shutil
import sys
import warnings
from argparse import Namespace
from collections.abc import Iterable, MutableMapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from .._loading import input_error

STANDARD_INPUT = STANDARD_OUTPUT = "-"
TABLES = (".csv", ".tsv", ".json", ".parquet")  # endings of files that do not have a text on each line

# ---- To read ----


def copy_pipes(args: Namespace, inputs: Iterable[str], folder: str, called: MutableMapping[str, str]) -> None:
    """Put files in a folder in place of pipes and of standard input, which can be read only once.

    inputs: names of the arguments that are paths, or lists of paths; called: is told {path of a copy: what to call it}.
    """
    for name in inputs:
        given = getattr(args, name)
        of_one = given if isinstance(given, list) else [given]
        copied = [path if path is None else _copied(path, folder, called) for path in of_one]
        setattr(args, name, copied if isinstance(given, list) else copied[0])


def _copied(path, folder, called):
    """The path of a copy of a pipe; any other path as it is. A system may have a name, as --compare takes it."""
    name, equals, file = path.partition("=")
    if equals and not os.path.exists(path):
        return f"{name}={_copied(file, folder, called)}"
    if path != STANDARD_INPUT and not is_special(path):
        return path
    name = "standard input" if path == STANDARD_INPUT else path
    if name in called.values():
        raise input_error("", f"{path} twice", "each pipe once")
    copy = Path(folder, str(len(called)), "stdin" if path == STANDARD_INPUT else os.path.basename(path))
    copy.parent.mkdir()
    called[str(copy)] = name
    with (
        open(copy, "wb") as place,
        nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else open(path, "rb") as pipe,
    ):
        shutil.copyfileobj(pipe, place)
    return str(copy)


def is_special(path: str) -> bool:
    """Whether there is something at the path that is neither a file nor a folder, such as a pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


class Texts(list):
    """Texts that know where they are from: a file or an option, the lines where they begin, the column of a table."""

    def __init__(self, texts: Iterable, source: str, lines: Sequence[int] = (), column: str = ""):
        super().__init__(texts)
        self.source, self.lines, self.column = source, lines, column

    def place(self, number: int) -> str:
        """Where a text is, counted from 0."""
        line = f":{self.lines[number]}" if self.lines else ""
        return f"{self.source}{line}{f', column {self.column!r}' if self.column else ''}"


def check_lengths(*sides: Texts) -> None:
    """Raise ValueError for texts of different numbers."""
    if len(set(map(len, sides))) > 1:
        counts = " and ".join(f"{len(side)} lines in {side.source}" for side in sides)
        raise input_error("", counts, "the same number of lines")


def read_texts(path: str, *fields: str) -> Texts:
    """The texts of a file, one a line; of .jsonl the values of its lines, of objects the first of these fields."""
    from ..morpheval.common_files import read_texts

    if path.removesuffix(".gz").endswith(TABLES):
        expected = "a file with one text on each line, or JSON lines (.jsonl); --input takes a table of both sides"
        raise input_error("", repr(path), expected)
    texts = read_texts(path, *fields)
    if not texts:
        raise input_error(path, "an empty file", "one text on each line")
    if all(isinstance(text, str) and "\t" in text for text in texts):
        message = f"{path}: every line has a tab; what is read as one text may be the columns of a table"
        warnings.warn(message, stacklevel=2)
    return Texts(texts, path, range(1, len(texts) + 1))


# ---- To write ----


def check_output(option: str, path: str | None, *inputs: str | None) -> None:
    """See before any scoring that a file can be written: it is none of the inputs and in a folder that takes it."""
    if path is None:
        return
    if any(_is_same(path, each) for each in inputs if each is not None):
        raise input_error(option, f"{path!r}, which is one of the command's other files", "another file")
    if path == STANDARD_OUTPUT:
        raise input_error(option, repr(path), "the name of a file, such as /dev/stdout")
    place = path if is_special(path) else Path(path).absolute().parent
    if os.path.isdir(path) or not os.access(place, os.W_OK):
        raise input_error(option, f"{path!r}, which cannot be written", "a file in an existing folder")


def check_outputs(args: Namespace, *options: str) -> None:
    """See the same of options by which files are written."""
    for name in options:
        check_output(f"--{name}", getattr(args, name), *named_on(args, but=name))


def named_on(args: Namespace, but: str) -> list[str]:
    """Whatever on a command line may be the path of a file, but for what one option has."""
    values = (value for name, value in vars(args).items() if name != but)
    words = [word for value in values for word in (value if isinstance(value, list) else [value])]
    return [word if os.path.exists(word) else word.split("=", 1)[-1] for word in words if isinstance(word, str)]


def _is_same(path, other):
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def separated(names: Iterable[str], rows: Iterable[Iterable], delimiter: str = "\t") -> str:
    """A table with tabs or commas, the names first; what a spreadsheet would run does not run."""
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="\n").writerows(map(inert, [names, *rows]))
    return written.getvalue()


FORMULA = re.compile(r"[=+\-@\t\r]")  # how what a spreadsheet would run begins
PLAIN_NUMBER = re.compile(r"[+-]?[\d.]+([eE][+-]?\d+)?")


def inert(row: Iterable) -> list:
    """The cells, with an apostrophe before text that a spreadsheet would run."""

    def runs(cell):
        return isinstance(cell, str) and FORMULA.match(cell) and not PLAIN_NUMBER.fullmatch(cell)

    return [f"'{cell}" if runs(cell) else cell for cell in row]
