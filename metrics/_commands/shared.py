"""What the commands share: running, options that are handed on, files, scores as lines."""

import argparse
import csv
import json
import os
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import cache
from itertools import chain
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

from .._loading import METRICS, hint

EXTRAS = {metric.name: metric.extra for metric in METRICS}  # of the commands that need one
WRONG = 2  # exit status for wrong input
INTERRUPTED = 130
STANDARD_INPUT = "-"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # what a terminal obeys, and no terminal shows
TABLES = (".csv", ".tsv", ".json")  # endings of files that do not have a text on each line

# ---- Running a command ----


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong.

    Attributes:
        inputs: names of the arguments that are files to read, which may be pipes, or "-".
        sides: {"predictions" and "references": the argument that is the file of them}, for errors.
        called: {what errors name: the option here}, where the names differ.
    """

    def __init__(self, *args, sides: Mapping[str, str] = {}, called: Mapping[str, str] = {}, **settings):
        super().__init__(*args, **settings)
        self.inputs, self.sides, self.called = [], sides, called

    def error(self, message):
        self.exit(WRONG, f"{self.prog}: error: {_printable(message)}; see {self.prog} --help\n")

    def add_input(self, name: str, **settings) -> None:
        """Add an argument that is a file to read."""
        self.inputs.append(self.add_argument(name, **settings).dest)


def run_command(
    parser: Parser, output_lines: Callable[[argparse.Namespace], Iterable[str]], arguments: list | None
) -> int:
    """Parse the arguments and print output_lines(them); gives the exit status.

    It is 2 for wrong input and for a package that is not installed, with one line on what is wrong.
    """
    args, called = parser.parse_args(arguments), {}
    if not sys.stderr.isatty():
        os.environ.setdefault("TQDM_DISABLE", "1")  # tqdm looks at it when it is imported

    def shown(text):
        for path, name in called.items():
            text = text.replace(path, name)
        return _printable(text)

    @cache  # what several computations warn of is said once
    def say(what, message):
        text = _in_shell_terms(" ".join(message.split()), parser, args)
        print(f"{parser.prog}: {what}{shown(text)}", file=sys.stderr)

    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: say("warning: ", str(message))
        try:
            _copy_pipes(parser, args, folder, called)
            with hint(EXTRAS.get(parser.prog.split()[-1], "")):
                _print(shown("\n".join(output_lines(args))))
        except (ValueError, OSError, ImportError) as error:
            say("error: ", str(error))
            return WRONG
        except KeyboardInterrupt:
            say("", "interrupted")
            return INTERRUPTED
    return 0


def _copy_pipes(parser, args, folder, called):
    """Put files in place of pipes and of standard input, which can be read only once; `called`: what to call them."""

    def copied(path):
        name, equals, file = (path or "").partition("=")
        if equals and not os.path.exists(path):  # a system's name, as --compare takes it
            return f"{name}={copied(file)}"
        is_pipe = path is not None and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
        if path != STANDARD_INPUT and not is_pipe:
            return path
        name = "standard input" if path == STANDARD_INPUT else path
        if name in called.values():
            raise ValueError(f"found {path} twice, expected each pipe once")
        copy = os.path.join(folder, str(len(called)), "stdin" if path == STANDARD_INPUT else os.path.basename(path))
        os.mkdir(os.path.dirname(copy))
        called[copy] = name
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else open(path, "rb") as source:
            with open(copy, "wb") as file:
                shutil.copyfileobj(source, file)
        return copy

    for name in parser.inputs:
        given = getattr(args, name)
        setattr(args, name, list(map(copied, given)) if isinstance(given, list) else copied(given))


def _in_shell_terms(text, parser, args):
    """A message of the metric's with the options and files of the command line in place of a function's arguments.

    What is itself from the command line, such as a file called references.txt, stays as it is.
    """
    kept = []

    def keep(found):
        kept.append(found if isinstance(found, str) else found[0])
        return f"\0{len(kept) - 1}\0"

    text = text.removeprefix(f"{parser.prog.split()[-1]}: ")  # the metric's name, which is the command's, too
    rewritten = re.compile(rf"\b(?:{'|'.join([*vars(args), *parser.called, *parser.sides, 'pair', 'example'])})\b")
    given = sorted(filter(rewritten.search, _given(args)), key=len, reverse=True)
    text = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, given)) or '(?!)'})(?!\w)", keep, text)
    names = {name: _option(name) for name in vars(args) if _option(name) in parser._option_string_actions}
    names |= parser.called
    known = "|".join(names)
    text = re.sub(rf"(?:^|(?<=: ))({known})(?=: found)", lambda found: names[found[1]], text)
    text = re.sub(rf"""\b({known})=["']?([\w.]*)["']?""", lambda found: f"{names[found[1]]} {found[2]}".strip(), text)
    for side, name in parser.sides.items():
        path = getattr(args, name)
        text = re.sub(rf"\b{side}\[(\d+)\]", lambda found: f"{keep(path)}:{int(found[1]) + 1}", text)
        text = re.sub(rf"\b{side}\b", name, text)
    text = re.sub(r"\b(?:pair|example) (\d+)\b", lambda found: f"line {int(found[1]) + 1}", text)
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)


def _given(args):
    """Paths and other values on the command line, and names of systems."""
    values = chain.from_iterable(each if isinstance(each, list) else [each] for each in vars(args).values())
    for value in filter(None, (each for each in values if isinstance(each, str))):
        name, equals, path = value.partition("=")
        yield from {value, *([name, path] if equals else ()), Path(path or value).stem}


def _option(name):
    return f"--{name.replace('_', '-')}"


def _printable(text):
    """The text with escapes, as JSON has them, for control characters."""
    return CONTROLS.sub(lambda found: json.dumps(found[0])[1:-1], text)


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
        parser.add_argument(_option(name), help=what, **form)


def handed_on(args: argparse.Namespace, options: Iterable[str]) -> dict:
    """Those of the options that are on the command line."""
    return {name: value for name in options if (value := getattr(args, name)) is not None}


# ---- Files ----


def read_sides(*files: tuple[str, str]) -> list[list]:
    """The texts of files, each given by path and name of the field in .jsonl (or "text"); as many in each.

    Raises:
        ValueError: as `read_texts`, or files of different lengths.
    """
    sides = [read_texts(path, field, "text") for path, field in files]
    if len(set(map(len, sides))) > 1:
        counts = ", ".join(f"{path} has {len(side)} lines" for (path, _), side in zip(files, sides))
        raise ValueError(f"{counts}, expected the same number")
    return sides


def read_texts(path: str, *fields: str) -> list:
    """The texts of a file, one a line; of .jsonl the values of its lines, of objects the first of these fields.

    Raises:
        ValueError: it cannot be read, is a table, or empty.
    """
    from ..morpheval.common_files import read_texts

    if path.removesuffix(".gz").endswith(TABLES):
        raise ValueError(f"found {path!r}, expected a file with one text on each line, or JSON lines (.jsonl)")
    texts = read_texts(path, *fields)
    if not texts:
        raise ValueError(f"{path}: found nothing in it, expected one text on each line")
    if all(isinstance(text, str) and "\t" in text for text in texts):
        warnings.warn(f"{path}: every line has a tab; what is read as one text may be the columns of a table")
    return texts


def check_output(option: str, path: str | None, *inputs: str | None) -> None:
    """See before any scoring that a file can be written; nothing is written yet.

    Raises:
        ValueError: it is one of the command's other files, a folder, or its folder is not there or not open to writing.
    """
    if path is None:
        return
    if any(_is_same(path, each) for each in inputs if each is not None):
        raise ValueError(f"{option}: found {path!r}, which is one of the command's other files, expected another")
    folder = Path(path).absolute().parent
    if os.path.isdir(path) or not os.access(folder, os.W_OK):
        raise ValueError(f"{option}: found {path!r}, which cannot be written, expected a file in an existing folder")


def _is_same(path, other):
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def write_rows(path: str, names: Iterable[str], rows: Iterable[tuple]) -> None:
    """Write a tab-separated table, the names first; what a spreadsheet would run does not run."""
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
