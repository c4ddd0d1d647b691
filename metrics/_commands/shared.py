"""What the commands share: running, options that are handed on, files, scores as lines."""

import argparse
import csv
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path

from .._loading import METRICS, hint

EXTRAS = {metric.name: metric.extra for metric in METRICS}  # of the commands that need one
WRONG = 2  # exit status for wrong input
INTERRUPTED = 130

# ---- Running a command ----


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def as_typed(self, message: str) -> str:
        """A metric's message with its options as they stand on the command line: words="aligned", match: found ..."""
        options = "|".join(name[2:].replace("-", "_") for name in self._option_string_actions if name[:2] == "--")
        message = re.sub(rf"(^|(?<=: ))({options})(?=: found)", _typed, message)
        return re.sub(rf"()\b({options})=(?:\"([^\"]*)\"|(?=[\s,;)]))", _typed, message)

    def error(self, message):
        self.exit(WRONG, f"{self.prog}: error: {message}; see {self.prog} --help\n")


def _typed(match):
    name, value = match[2], match[3] if match.re.groups > 2 else None
    return f"--{name.replace('_', '-')}" + (f" {value}" if value else "")


def run_command(
    parser: Parser, output_lines: Callable[[argparse.Namespace], Iterable[str]], arguments: list | None
) -> int:
    """Parse the arguments and print output_lines(them); gives the exit status.

    It is 2 for wrong input and for a package that is not installed, with one line on what is wrong.
    """
    args = parser.parse_args(arguments)

    def say(what, message):
        metric = parser.prog.split()[-1]  # which the message begins with, too
        text = " ".join(str(message).split()).removeprefix(f"{metric}: ")
        print(f"{parser.prog}: {what}{parser.as_typed(text)}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: say("warning: ", message)
        try:
            with hint(EXTRAS.get(parser.prog.split()[-1], "")):
                _print("\n".join(output_lines(args)))
        except (ValueError, OSError, ImportError) as error:
            say("error: ", error)
            return WRONG
        except KeyboardInterrupt:
            say("", "interrupted")
            return INTERRUPTED
    return 0


def _print(text):
    try:
        print(text, flush=True)
    except BrokenPipeError:  # who reads has enough, as head has; nor is there anything to flush at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# ---- Options that are handed on ----


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


def handed_on(args: argparse.Namespace, options: Iterable[str]) -> dict:
    """Those of the options that are on the command line."""
    return {name: value for name in options if (value := getattr(args, name)) is not None}


# ---- Files ----


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
    if path is None:
        return
    inputs = [each for each in inputs if each is not None and os.path.exists(each)]
    if os.path.exists(path) and any(os.path.samefile(path, each) for each in inputs):
        raise ValueError(f"{option}: found {path!r}, which is one of the files to read, expected another")
    folder = Path(path).absolute().parent
    if os.path.isdir(path) or not os.access(folder, os.W_OK):
        raise ValueError(f"{option}: found {path!r}, which cannot be written, expected a file in an existing folder")


def write_rows(path: str, names: Iterable[str], rows: Iterable[tuple]) -> None:
    """Write a table of tab-separated columns, the names first; what a spreadsheet would run does not run."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(map(inert, [names, *rows]))


FORMULA = re.compile(r"[=+\-@\t\r]")  # how what a spreadsheet takes for one begins
PLAIN_NUMBER = re.compile(r"[+-]?[\d.]+([eE][+-]?\d+)?")


def inert(row: Iterable) -> list:
    """The cells, with an apostrophe before text that a spreadsheet would run."""
    return [f"'{cell}" if isinstance(cell, str) and runs(cell) else cell for cell in row]


def runs(text: str) -> bool:
    """Whether a spreadsheet takes a text for a formula."""
    return bool(FORMULA.match(text)) and not PLAIN_NUMBER.fullmatch(text)


# ---- Scores as lines ----


def figures(result: dict) -> dict:
    """The scores and the signature, without what the details list."""
    return {name: value for name, value in result.items() if not isinstance(value, list)}


def decimal(value: float, digits: int = 3) -> str:
    """A score with so many digits."""
    return f"{value:.{digits}f}" if isfinite(value) else "undefined"


def in_json(result: dict) -> list[str]:
    """One object; null for what is undefined."""
    return [json.dumps(_defined(result), indent=1, ensure_ascii=False, allow_nan=False)]


def _defined(value):
    if isinstance(value, dict):
        return {name: _defined(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_defined(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def aligned(rows: list[tuple]) -> list[str]:
    """Rows of text as lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:]))]).rstrip()
        for row in rows
    ]
