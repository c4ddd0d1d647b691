"""Pairs of texts on the command line: two files, two columns of a table, or two texts."""

import argparse
import warnings
from typing import NamedTuple

from .._loading import input_error
from .columns import read_table
from .files import Texts, check_lengths, read_texts
from .shared import Note, Parser
from .tables import check_against, named_files


class Side(NamedTuple):
    """What a command calls one side of its pairs."""

    files: str  # the argument for a file of them
    text: str  # the option for one of them, and its letter
    letter: str
    fields: tuple[str, ...]  # names in JSON lines, the likeliest first

    @property
    def option(self) -> str:
        """The option for one text."""
        return f"--{self.text}"


class Pairs(NamedTuple):
    """The two sides of a command."""

    references: Side
    predictions: Side

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """How the columns of a table that has both sides are called."""
        names = self.references.fields
        return names, tuple(name for name in self.predictions.fields if name not in names)


def add_pairs(parser: Parser, pairs: Pairs) -> None:
    """The three ways to give pairs."""
    parser.sides = {"predictions": pairs.predictions.files, "references": pairs.references.files}
    names, others = map(", ".join, pairs.names)
    for side in pairs:
        parser.add_input(
            side.files, metavar=side.files.upper(), nargs="?", help=f"file with {side.files}, one per line"
        )
    parser.add_input(
        "--input",
        metavar="FILE",
        help="table with both: .csv, .tsv, .jsonl, .parquet, or .gz of these; - is standard input",
    )
    parser.add_argument("--reference-field", metavar="NAME", help=f"column of the {pairs[0].files} (default: {names})")
    parser.add_argument(
        "--prediction-field", metavar="NAME", nargs="+", default=[],
        help=f"column of the {pairs[1].files} (default: {others}); name several to compare systems",
    )  # fmt: skip
    for side in pairs:
        parser.add_argument(f"-{side.letter}", side.option, metavar="TEXT", help=f"one {side.text} instead of a file")


def read_pairs(args: argparse.Namespace, pairs: Pairs) -> tuple[Texts, dict[str, Texts]]:
    """The references, and {name: predictions} of each system; ArgumentError if pairs are given in no way, or in two."""
    _check_one_way(args, pairs)
    [text, other], [path, paths] = ([getattr(args, getattr(side, how)) for side in pairs] for how in ("text", "files"))
    if text is not None:
        return Texts([text], pairs[0].option), {pairs[1].text: Texts([other], pairs[1].option)}
    if args.input is not None:
        references, systems = _read_columns(args, pairs)
    else:
        own = [args.reference_field] if args.reference_field else pairs[0].fields
        references, systems = read_texts(path, *own), {}
    fields = args.prediction_field or pairs[1].fields
    for name, file in named_files([*filter(None, [paths]), *args.compare]).items():
        if name in systems:
            raise input_error("--compare", f"{name!r}, which is a column, too", "NAME=FILE with another name")
        systems[name] = read_texts(file, *fields)
    check_against(args.against, systems)
    check_lengths(references, *systems.values())
    return references, systems


def _check_one_way(args, pairs):
    ways = [
        {side.files.upper(): getattr(args, side.files) for side in pairs},
        {"--input": args.input},
        {side.option: getattr(args, side.text) for side in pairs},
    ]
    given = [way for way in ways if any(value is not None for value in way.values())]
    if len(given) > 1:
        found = [name for way in given for name, value in way.items() if value is not None]
        raise argparse.ArgumentError(None, f"found {' beside '.join(found)}, expected files, a table, or two texts")
    missing = [name for name, value in (given or ways)[0].items() if value is None]
    if missing:
        others = "" if given else f" (or --input FILE, or {' '.join(f'{name} TEXT' for name in ways[2])})"
        raise argparse.ArgumentError(None, f"the following arguments are required: {', '.join(missing)}{others}")


def _read_columns(args, pairs):
    """Both sides of a table; says which columns are taken for them, where they are not named."""
    table = read_table(args.input)
    given = [args.reference_field] if args.reference_field else [], args.prediction_field
    options = "--reference-field", "--prediction-field"
    [name], names = (table.find(*each) for each in zip(options, given, pairs.names, strict=True))
    if not all(given):
        others = ", ".join(map(repr, names))
        said = f"{args.input}: {name!r} has the {pairs[0].files}, {others} the {pairs[1].files}"
        warnings.warn(said, Note, stacklevel=2)
    return table.texts(name), {each: table.texts(each) for each in names}
