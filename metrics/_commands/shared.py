"""What the commands share: running, what the metrics say in a shell's words, options, scores as lines."""

import argparse
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr
from io import StringIO
from math import isfinite
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple, TextIO

from .._loading import METRICS, hint
from .files import check_output, copy_pipes, named_on

WRONG = 2  # exit status for wrong input
INTERRUPTED = 130
ERROR, WARNING = "error: ", "warning: "
NUMBER = re.compile(r"\d+(\.\d+)?")
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # what a terminal obeys, and no terminal shows
MINUTE = 60.0  # seconds between lines on progress
MOVES = "\r\n \x1b[A"  # what bars write to come to their place
LINES = ("pair", "example")  # what errors call the same line of both files

# ---- Running a command ----


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong; knows what the metrics' messages call by other names."""

    sides: Mapping[str, str] = {}  # what errors call a side of the input: the argument that is the file of it
    called: Mapping[str, str] = {}  # what errors name: the option here, where the names differ

    def __init__(self, *args, metric: str = "", extra: str = "", **settings):
        super().__init__(*args, **settings)
        self.inputs: list[str] = []  # names of the arguments that are files to read, which may be pipes, or "-"
        self.metric = metric or self.prog.split()[-1]  # whose messages they are
        # What must be installed, as setup.cfg calls it.
        self.extra = extra or next((each.extra for each in METRICS if each.name == self.metric), "")

    def error(self, message):
        self.exit(WRONG, f"{self.prog}: error: {_printable(message)}; see {self.prog} --help\n")

    def add_input(self, name: str, **settings) -> None:
        """Add an argument that is a file to read."""
        self.inputs.append(self.add_argument(name, **settings).dest)


class Note(UserWarning):
    """Something to know, of which nobody is warned: a command says it on the standard error."""


class Output(NamedTuple):
    """What a command has to say: lines to print and, afterwards, files to write, {path: text}."""

    lines: Iterable[str]
    files: Mapping[str, str] = {}


def run_command(parser: Parser, output: Callable[[argparse.Namespace], Output], arguments: list[str]) -> int:
    """Parse the arguments, print the lines of output(them) and write its files; gives the exit status.

    It is 2, with one line on what is wrong, for wrong input, a missing package and a file that cannot be written.
    """
    args = parser.parse_args(arguments)
    from ..morpheval.common import text_of

    copies: dict[str, str] = {}  # of pipes, and what to call them
    said: set[str] = set()
    quiet, output_file = getattr(args, "quiet", False), getattr(args, "output_file", None)
    to = StringIO() if quiet else sys.stderr

    def shown(text):
        for path, name in copies.items():
            text = text.replace(path, name)
        return _printable(text)

    def say(what, message):
        text = _in_shell_terms(message, parser, args).removeprefix(f"{parser.metric}: ")
        known = NUMBER.sub("", text) if what == WARNING else text
        if known not in said:  # what several systems are warned of is said once, with the numbers of the first
            said.add(known)
            print(f"{parser.prog}: {what}{shown(' '.join(text.split()))}", file=to if what != ERROR else sys.stderr)

    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda warning, kind, *_, **__: say("" if kind is Note else WARNING, text_of(warning))
        try:
            copy_pipes(args, parser.inputs, folder, copies)
            check_output("--output-file", output_file, *named_on(args, but="output_file"))
            with hint(parser.extra), redirect_stderr(to if to.isatty() else Log(to)):
                lines, files = output(args)
            text = shown("\n".join(lines))
            if output_file is None:
                _print(text)
            else:
                files = {output_file: f"{text}\n", **files}
            failures = list(_write(files))
        except (ValueError, OSError, ImportError) as error:
            failures = [text_of(error)]
        except argparse.ArgumentError as error:
            parser.error(str(error))
        except KeyboardInterrupt:
            kept = getattr(args, "resume", None)
            say("", f"interrupted; the same command goes on from {kept}" if kept else "interrupted")
            return INTERRUPTED
        for failure in failures:
            say(ERROR, failure)
    return WRONG if failures else 0


class Log:
    """A stream that is no terminal: of progress bars it gets a line a minute, and all else as it is."""

    def __init__(self, stream: TextIO):
        self.stream, self.next, self.in_line = stream, monotonic() + MINUTE, False

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def isatty(self) -> bool:
        """True: else the bars that hide in a log would say nothing at all."""
        return True

    def write(self, text: str) -> int:
        """Write it, if it is no bar, or none has been written for a minute."""
        is_bar, shown = text.startswith("\r"), text.strip(MOVES)
        if is_bar and shown and monotonic() >= self.next:
            self.next, text = monotonic() + MINUTE, f"{shown}\n"
        elif is_bar or not shown and not self.in_line:  # what moves to another bar's line is none itself
            return len(text)
        self.in_line = not text.endswith("\n")
        return self.stream.write(text)


def _print(text):
    try:
        print(text, flush=True)
    except BrokenPipeError:  # who reads has enough, as head has; nor is there anything to flush at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(files):
    """Write each of the files that can be written; says which cannot, and why."""
    for path, text in files.items():
        from ..morpheval.common_files import reason_of
        from ..morpheval.common_write import write_file

        try:
            write_file(path, text)
        except (OSError, ValueError) as error:
            yield f"cannot write {path!r}: {reason_of(error)}"


# ---- In a shell's words ----


def _in_shell_terms(text, parser, args):
    """A metric's message with the options and files of the command line in place of a function's arguments.

    Only what the metric calls a `Term` is replaced (see metrics/_common/common.py; each metric has a copy of it, so the
    attributes are looked for, not the class).
    """
    if hasattr(text, "parts"):
        return "".join(_in_shell_terms(part, parser, args) for part in text.parts)
    if not hasattr(text, "name"):
        return text
    if text.name in parser.sides:
        side = parser.sides[text.name]
        given = getattr(args, side)
        return side if text.number is None else given.place(text.number)
    if text.name in LINES:
        lines = getattr(getattr(args, parser.sides.get("predictions", ""), None), "lines", ())
        return f"line {lines[text.number] if lines else text.number + 1}"
    option = parser.called.get(text.name, _option(text.name))
    return f"{option} {text.value or ''}".strip() if option in parser._option_string_actions else text


def _option(name):
    return f"--{name.replace('_', '-')}"


def _printable(text):
    """The text with escapes, as JSON has them, for control characters."""
    return CONTROLS.sub(lambda found: json.dumps(found[0])[1:-1], text)


# ---- Options that are handed on ----

# {name: (type, what the value is, help)}, or the help of a text that is called like the option; bool takes no value.
Options = dict[str, tuple[Callable, str, str] | str]


def number_or_word(text: str) -> int | str:
    """An integer where there is one, else the text, which the metric's own check looks at."""
    return int(text) if text.isdecimal() else text


def add_options(parser: argparse.ArgumentParser, options: Options) -> None:
    """Options of the metric that are handed on as they are; the metric says what they may be."""
    for name, given in options.items():
        kind, value, what = (str, name.upper(), given) if isinstance(given, str) else given
        form = {"action": "store_true", "default": None} if kind is bool else {"type": kind, "metavar": value}
        parser.add_argument(_option(name), help=what, **form)


def handed_on(args: argparse.Namespace, options: Iterable[str]) -> dict:
    """Those of the options that are on the command line."""
    return {name: value for name in options if (value := getattr(args, name)) is not None}


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
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
