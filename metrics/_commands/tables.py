"""Tables of the commands: scores, systems beside each other; as lines, CSV or LaTeX.

A table is a list of rows, the first with the columns' names; cells are text, numbers or `Ranged`.
"""

import argparse
import csv
import io
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from .files import PLAIN_NUMBER, inert
from .shared import Parser, aligned, decimal, figures, in_json

SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"}  # in LaTeX
WORDS = "backslash asciitilde asciicircum less greater".split()
SPECIAL |= {character: rf"\text{word}{{}}" for character, word in zip("\\~^<>", WORDS, strict=True)}
INVISIBLE = re.compile(r"[\x00-\x1f\x7f]+")


class Ranged(NamedTuple):
    """A score with the ends of its interval."""

    value: float
    low: float
    high: float


class PValue(float):
    """It has more digits than a score."""


# ---- Forms ----


def as_text(rows: list[tuple], number: Callable[[float], str] = decimal) -> list[str]:
    """Aligned columns."""
    return aligned([tuple(shown(cell, number, "{} ({} to {})") for cell in row) for row in rows])


def as_csv(rows: list[tuple], _number: Callable[[float], str] = decimal) -> list[str]:
    """Comma-separated, numbers with all their digits, the ends of intervals in columns of their own."""
    is_ranged = [any(isinstance(cell, Ranged) for cell in column) for column in zip(*rows, strict=True)]

    def spread(row):
        for cell, wide in zip(row, is_ranged, strict=True):
            yield from (cell if isinstance(cell, Ranged) else (cell, "", "") if wide else (cell,))

    names = zip(rows[0], is_ranged, strict=True)
    head = (each for name, wide in names for each in (name, *((f"{name} low", f"{name} high") if wide else ())))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(map(inert, (head, *map(spread, rows[1:]))))
    return written.getvalue().splitlines()


def as_latex(rows: list[tuple], number: Callable[[float], str] = decimal) -> list[str]:
    """A tabular, which needs no package."""
    head, *body = (" & ".join(_cell_in_latex(cell, number) for cell in row) + r" \\" for row in rows)
    begin = rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    return [begin, r"\hline", head, r"\hline", *body, r"\hline", r"\end{tabular}"]


FORMS = {"csv": as_csv, "latex": as_latex}


def shown(cell, number: Callable[[float], str], ranged: str) -> str:
    """A cell as text."""
    if isinstance(cell, Ranged):
        return ranged.format(*map(number, cell)) if cell.low == cell.low else number(cell.value)
    if isinstance(cell, PValue):
        return decimal(cell, digits=4)
    return number(cell) if isinstance(cell, float) else str(cell)


def _cell_in_latex(cell, number) -> str:
    text = in_latex(shown(cell, number, "{} [{}, {}]"))
    is_text = isinstance(cell, str) and not PLAIN_NUMBER.fullmatch(cell)
    return text if is_text else re.sub(r"-(?=\d)", "$-$", text)  # a minus, no hyphen


def in_latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(SPECIAL.get(character, character) for character in INVISIBLE.sub(" ", text))


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """How the scores are printed."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="print the scores as JSON")
    group.add_argument("--csv", action="store_true", help="print the tables as CSV, with all digits")
    group.add_argument("--latex", action="store_true", help="print the tables as LaTeX")


def printed(tables: Iterable[list[tuple]], args: argparse.Namespace, number: Callable = decimal) -> list[str]:
    """The tables in the form that is asked for, an empty line between them."""
    form = next((form for name, form in FORMS.items() if getattr(args, name)), as_text)
    return [line for rows in tables for line in ("", *form(rows, number))][1:]


# ---- What they say ----


def scores_table(result: dict) -> list[tuple]:
    """A row for each score, with its interval if it has one, and for each count."""
    rows = [("", "score")]
    for key, value in result.items():
        of_interval = key.endswith(("_low", "_high")) and key.rpartition("_")[0] in result
        if isinstance(value, (int, float)) and not of_interval:
            rows.append((key, ranged(result, key)))
    return rows


def ranged(result: dict, key: str):
    """The score, with its interval if there is one."""
    low, high = f"{key}_low", f"{key}_high"
    return Ranged(result[key], result[low], result[high]) if low in result else result[key]


def scores_printed(results: dict[str, dict], sample_of: Callable, args: argparse.Namespace) -> list[str]:
    """The lines to print of the systems' results with details, the first one's scores if it is alone."""
    first = figures(next(iter(results.values())))
    if len(results) == 1:
        table = scores_table(first)
        return in_json(first) if args.json else printed([table if args.csv or args.latex else table[1:]], args)
    samples = {name: sample_of(result) for name, result in results.items()}
    comparison = compared(samples, args)
    if args.json:
        return in_json(first | {"comparison": in_short(comparison)})
    return printed(comparison_tables(comparison, lambda key: key != "score"), args)  # which has another name, too


def compared(samples: dict, args: argparse.Namespace) -> dict:
    """What `compare_many` gives of the systems' samples."""
    from ..muc_b3_ceaf_entropy.common_statistics import CONFIDENCE, EXCHANGES, compare_samples

    return compare_samples(samples, args.against, args.confidence or CONFIDENCE, EXCHANGES, 0)


def in_short(comparison: dict) -> dict:
    """Of two systems what `compare` gives, else the whole."""
    [pair, *more] = comparison["pairs"]
    own = {name: value for name, value in pair.items() if name not in ("a", "b") and not name.endswith("_p_holm")}
    return comparison if more else own


def columns_of(results: dict[str, dict], titles: dict[str, str]) -> dict[str, list]:
    """Columns of a file from lists of the results: {title of a list: the list}, of each system if there are several."""
    return {
        f"{name}: {title}" if len(results) > 1 else title: result[key]
        for name, result in results.items()
        for key, title in titles.items()
        if key in result
    }


def comparison_tables(comparison: dict, is_shown: Callable[[str], bool]) -> list[list[tuple]]:
    """Of what `compare_many` gives: the systems beside each other; and their differences, a row for every two."""
    systems, pairs = comparison["systems"], comparison["pairs"]
    keys = [key.removesuffix("_p_value") for key in pairs[0] if key.endswith("_p_value")]
    keys = list(filter(is_shown, keys))
    beside = [("", *systems), *((key, *(ranged(scores, key) for scores in systems.values())) for key in keys)]
    tests = [("p_value", "p"), *([("p_holm", "p (Holm)")] if len(pairs) > 1 else [])]
    # Of morpheval, which counts what is judged for both, for each; and scores with the rejected as failed.
    more = [name for name in ("n", "n_a", "n_b", "strict_a", "strict_b") if f"{keys[0]}_{name}" in pairs[0]]
    names = [f"{pair['a']} - {pair['b']}" for pair in pairs]
    heads = ("systems", "difference") if len(pairs) > 1 else names
    differences = [("", *heads, *(title for _, title in tests), *(name.replace("_", " ") for name in more))]
    for key in keys:
        for name, pair in zip(names, pairs, strict=True):
            p_values = (PValue(pair[f"{key}_{test}"]) for test, _ in tests)
            cells = *([name] if len(pairs) > 1 else []), ranged(pair, f"{key}_difference"), *p_values
            differences.append((key, *cells, *(pair[f"{key}_{each}"] for each in more)))
    return [beside, differences]


# ---- Systems by name ----


def add_comparison_options(parser: Parser, what: str) -> None:
    """Other systems."""
    parser.add_input(
        "--compare", metavar="[NAME=]FILE", nargs="+", action="extend", default=[],
        help=f"{what} of other systems, to compare with; a system's name is that of its file, if no other is given",
    )  # fmt: skip
    parser.add_argument("--against", metavar="NAME", help="compare the other systems with this one, not every two")
    parser.add_argument(
        "--confidence",
        type=float,
        metavar="SHARE",
        help="confidence of the intervals printed with the scores, such as 0.95 for 95 %%",
    )


def named_files(files: Iterable[str], against: str | None = None) -> dict[str, str]:
    """{name: path} of systems, given as FILE or NAME=FILE; the others may be compared `against` one of them."""
    named = [(None, file) if os.path.exists(file) or "=" not in file else file.split("=", 1) for file in files]
    stems = [Path(path).stem for name, path in named if not name]
    pairs = [(name or (path if stems.count(Path(path).stem) > 1 else Path(path).stem), path) for name, path in named]
    for name, _ in pairs:
        if [other for other, _ in pairs].count(name) > 1:
            raise ValueError(
                f"--compare: found two systems with the name {name!r}, expected NAME=FILE with another name"
            )
    if against is not None and (len(pairs) < 2 or against not in dict(pairs)):
        expected = f"one of {', '.join(name for name, _ in pairs)}, and another system"
        raise ValueError(f"--against: found {against!r}, expected {expected}")
    return dict(pairs)
