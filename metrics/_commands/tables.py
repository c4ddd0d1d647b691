"""Tables of the commands: scores, systems beside each other; as lines, CSV, LaTeX, Markdown or HTML.

A table is a list of rows, the first with the columns' names; cells are text, numbers or `Ranged`. Names of scores are
`Name`, which LaTeX prints as papers do.
"""

import argparse
import os
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from html import escape
from itertools import permutations
from math import isfinite, isnan, nan
from pathlib import Path
from typing import NamedTuple

from .._loading import input_error
from ..muc_b3_ceaf_entropy.common_page import table
from .files import PLAIN_NUMBER, separated
from .shared import Parser, aligned, decimal, in_json

SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"}  # in LaTeX
WORDS = "backslash asciitilde asciicircum less greater".split()
SPECIAL |= {character: rf"\text{word}{{}}" for character, word in zip("\\~^<>", WORDS, strict=True)}
MARKUP = re.compile(r"[\\|*_`<\[]")  # of Markdown
INVISIBLE = re.compile(r"[\x00-\x1f\x7f]+")


PRETTY = {
    "muc": "MUC", "b3": "B$^3$", "ceafm": r"CEAF$_{\phi_3}$", "ceafe": r"CEAF$_{\phi_4}$", "blanc": "BLANC",
    "lea": "LEA", "conll": "CoNLL", "mor": "MOR", "kappa": r"$\kappa$", "d_error": "$D$-error", "f1": "F$_1$",
    "muc_b3_ceaf_entropy": "Coreference", "morpheval": "Morpheval", "parapluie": "ParaPLUIE", "melasss": "MeLaSSS",
}  # fmt: skip
SIDES = ("recall", "precision", "f1")
# What morpheval counts of two systems: of groups that are judged, and scores with the rejected ones as failed.
OF_BOTH = {
    "n": "both judged", "n_a": "first judged", "n_b": "second judged",
    "strict_a": "first strict", "strict_b": "second strict",
}  # fmt: skip
LEVEL = 0.05  # below it, a corrected p-value marks a difference


class Name(str):
    """The name of a score."""


class Ranged(NamedTuple):
    """A score with the ends of its interval, whether it is the best of its row, and whether it differs from that."""

    value: float
    low: float
    high: float
    is_best: bool = False
    differs: bool = False


LOWEST = ("rejected_rate", "too_close_rate")  # of these the least is best
NEITHER = ("d_error", "answer_mass", "order_agreement")  # these tell systems apart, but are not better or worse


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
            ranged = cell if isinstance(cell, Ranged) else Ranged(cell, nan, nan)
            yield from (ranged.value, *("" if isnan(end) else end for end in ranged[1:3]))[: 3 if wide else 1]

    names = zip(rows[0], is_ranged, strict=True)
    head = (each for name, wide in names for each in (name, *((f"{name} low", f"{name} high") if wide else ())))
    return separated(head, map(spread, rows[1:]), ",").splitlines()


def as_latex(rows: list[tuple], number: Callable[[float], str] = decimal) -> list[str]:
    """A tabular with the rules of the package booktabs, the best in bold."""
    head, *body = (" & ".join(_cell_in_latex(cell, number) for cell in row) + r" \\" for row in rows)
    begin = rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    return [begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]


def captioned(tabular: list[str], rows: list[tuple], signature: str, args: argparse.Namespace) -> list[str]:
    """A LaTeX table, under a caption that says what was done."""
    from ..muc_b3_ceaf_entropy.common_comparison import CONFIDENCE

    metric, version, *settings = signature.split("|")
    cells = [cell for row in rows[1:] for cell in row]
    ranges = [cell for cell in cells if isinstance(cell, Ranged)]
    reference = in_latex(getattr(args, "against", None) or "") or "the best"
    confidence = 100 * (args.confidence or CONFIDENCE)
    parts = {
        f"{PRETTY.get(metric, in_latex(metric))}, {in_latex(version.replace(':', ' '))}": True,
        rf"in brackets {confidence:g}\,\% intervals": any(not isnan(cell.low) for cell in ranges),
        "the best in bold": any(cell.is_best for cell in ranges),
        rf"$^{{*}}$ differs from {reference} ($p < {LEVEL}$, approximate randomisation, Holm's correction)": any(
            cell.differs for cell in ranges
        ),
        "$p$ by approximate randomisation": any(isinstance(cell, PValue) for cell in cells),
        f"settings: {in_latex(', '.join(settings))}": True,
    }
    caption = rf"\caption{{{'; '.join(part for part, is_there in parts.items() if is_there)}.}}"
    return [r"\begin{table}", r"\centering", caption, *tabular, r"\end{table}"]


def as_markdown(rows: list[tuple], number: Callable[[float], str] = decimal) -> list[str]:
    """A table of GitHub's Markdown, the best in bold."""
    lines = [" | ".join(_cell_in_markdown(cell, number) for cell in row) for row in rows]
    lines.insert(1, " | ".join(["---", *["---:"] * (len(rows[0]) - 1)]))
    return [f"| {line} |" for line in lines]


def as_html(rows: list[tuple], number: Callable[[float], str], caption: str) -> str:
    """A table of a page, the best in bold; a long one is folded, if it is not that of the scores."""
    head, *body = rows
    cells = [[_cell_in_html(cell, number) for cell in row] for row in body]
    return table(head, cells, caption, is_open=caption == "Scores")


FORMS = {"csv": as_csv, "latex": as_latex, "markdown": as_markdown}


def shown(cell, number: Callable[[float], str], ranged: str) -> str:
    """A cell as text."""
    if isinstance(cell, Ranged):
        return ranged.format(*map(number, cell[:3])) if cell.low == cell.low else number(cell.value)
    if isinstance(cell, PValue):
        return decimal(cell, digits=4)
    return number(cell) if isinstance(cell, float) else str(cell)


def _cell_in_latex(cell, number) -> str:
    if isinstance(cell, Name):
        return pretty(cell)
    text = in_latex(shown(cell, number, "{} [{}, {}]"))
    is_text = isinstance(cell, str) and not PLAIN_NUMBER.fullmatch(cell)
    text = text if is_text else re.sub(r"-(?=\d)", "$-$", text)  # a minus, no hyphen
    return _marked(text, cell, r"\textbf{{{}}}", "$^{*}$")


def pretty(name: str) -> str:
    """The name of a score in LaTeX, as papers print it."""
    stem, _, side = name.rpartition("_")
    parts = (stem, side) if side in SIDES and stem else (name,)
    return " ".join(PRETTY.get(part.lower(), in_latex(part.replace("_", " "))) for part in parts)


def _cell_in_html(cell, number) -> str:
    return _marked(escape(shown(cell, number, "{} ({} to {})")), cell, "<b>{}</b>", " *")


def _cell_in_markdown(cell, number) -> str:
    text = MARKUP.sub(r"\\\g<0>", INVISIBLE.sub(" ", shown(cell, number, "{} ({} to {})")))
    return _marked(text, cell, "**{}**")


def _marked(text, cell, bold, mark=""):
    """The text of a cell, in bold if it is the best, with a mark if it differs from that."""
    if not isinstance(cell, Ranged):
        return text
    return (bold.format(text) if cell.is_best else text) + (mark if cell.differs else "")


def in_latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(SPECIAL.get(character, character) for character in INVISIBLE.sub(" ", text))


def add_table_options(parser: argparse.ArgumentParser, unscaled: tuple[str, ...] = (), in_percent=False) -> None:
    """How the scores are printed.

    unscaled: scores that are no fractions; in_percent: whether tables, other than CSV, are in percent by default.
    """
    parser.set_defaults(unscaled=unscaled, in_percent=in_percent)
    forms = {
        "--json": "print the scores as JSON",
        "--csv": "print the tables as CSV, with all digits",
        "--latex": "print the tables as LaTeX, with captions and the rules of booktabs",
        "--markdown": "print the tables as Markdown",
    }
    group = parser.add_mutually_exclusive_group()
    for name, what in forms.items():
        group.add_argument(name, action="store_true", help=what)
    parser.add_argument(
        "--percent",
        action="store_true",
        help="print all scores and rates in percent (default: fractions, except that coreference prints its tables in "
        "percent)",
    )
    what = "write the scores to a file instead of printing them"
    parser.add_argument("-o", "--output-file", metavar="FILE", help=what)
    parser.add_argument("--quiet", action="store_true", help="print errors only: no notes, warnings or progress bars")


def is_plain(args: argparse.Namespace) -> bool:
    """Whether lines are asked for that a person reads."""
    return not (args.json or any(getattr(args, name) for name in FORMS))


def printed(tables: Iterable[list[tuple]], args: argparse.Namespace, signature: str = "") -> list[str]:
    """Tables of fractions in the form that is asked for, an empty line between them; captions have the signature."""
    form = next((form for name, form in FORMS.items() if getattr(args, name)), as_text)
    scaled, number = in_unit(tables, args.percent or args.in_percent and not args.csv, args.unscaled)
    forms = [form(rows, number) for rows in scaled]
    if args.latex and signature:
        forms = [captioned(lines, rows, signature, args) for lines, rows in zip(forms, scaled, strict=True)]
    return [line for lines in forms for line in ("", *lines)][1:]


def in_unit(
    tables: Iterable[list[tuple]], percent: bool, unscaled: tuple[str, ...] = ()
) -> tuple[list[list[tuple]], Callable[[float], str]]:
    """The tables in percent, which their heads say, or as they are; and how their scores are written."""
    if not percent:
        return list(tables), decimal
    unit = "percent" + (f" (not {', '.join(unscaled)})" if unscaled else "")
    scaled = [
        [
            (f"{head}, {unit}" if head else unit, *heads),
            *((row[0], *in_percent(row[1:], unscaled, row[0])) for row in rows),
        ]
        for (head, *heads), *rows in tables
    ]
    return scaled, hundredths


hundredths = partial(decimal, digits=2)  # how a score in percent is written


def in_percent(value, unscaled: tuple[str, ...] = (), name: str = ""):
    """A score, or all those of a result or of a row, in percent; p-values and totals stay as they are."""
    if isinstance(value, dict):
        return {key: each if key == "totals" else in_percent(each, unscaled, key) for key, each in value.items()}
    if isinstance(value, Ranged):
        score, low, high = in_percent(list(value[:3]), unscaled, name)
        return Ranged(score, low, high, *value[3:])
    if isinstance(value, (list, tuple)):
        return [in_percent(each, unscaled, name) for each in value]
    is_other = isinstance(value, PValue) or name.endswith(("_p_value", "_p_holm"))
    is_other = is_other or any(f"{name}_".startswith(f"{other}_") for other in unscaled)
    return 100 * value if isinstance(value, float) and not is_other else value


def as_json(result: dict, args: argparse.Namespace, comparison: dict | None = None) -> list[str]:
    """The result as JSON, with what `compare_many` gives, if systems are compared; in percent it says so."""
    result = result | ({"comparison": in_short(comparison)} if comparison else {})
    return in_json({"unit": "percent"} | in_percent(result, args.unscaled) if args.percent else result)


def with_signature(lines: list[str], result: dict, args: argparse.Namespace) -> list[str]:
    """The lines, and last the signature, where a person reads them."""
    return [*lines, result["signature"]] if is_plain(args) and "signature" in result else lines


# ---- What they say ----


def scores_table(result: dict) -> list[tuple]:
    """A row for each score, with its interval if it has one, and for each count."""
    rows = [("", "score")]
    for key, value in result.items():
        of_interval = key.endswith(("_low", "_high")) and key.rpartition("_")[0] in result
        if isinstance(value, (int, float)) and not of_interval:
            rows.append((Name(key), ranged(result, key)))
    return rows


def ranged(result: dict, key: str):
    """The score, with its interval if there is one."""
    low, high = f"{key}_low", f"{key}_high"
    return Ranged(result[key], result[low], result[high]) if low in result else result[key]


def compared(samples: dict, args: argparse.Namespace) -> dict:
    """What `compare_many` gives of the systems' samples."""
    from ..muc_b3_ceaf_entropy.common_comparison import CONFIDENCE, EXCHANGES, compare_samples

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


def comparison_tables(
    comparison: dict, is_shown: Callable[[str], bool], against: str | None = None
) -> list[list[tuple]]:
    """Of what `compare_many` gives: the systems beside each other; and their differences, a row for every two."""
    systems, pairs = comparison["systems"], comparison["pairs"]
    keys = [key.removesuffix("_p_value") for key in pairs[0] if key.endswith("_p_value")]
    keys = list(filter(is_shown, keys))
    beside = [("", *systems), *((Name(key), *(ranged(scores, key) for scores in systems.values())) for key in keys)]
    tests = [("p_value", "p"), *([("p_holm", "p (Holm)")] if len(pairs) > 1 else [])]
    more = {name: title for name, title in OF_BOTH.items() if f"{keys[0]}_{name}" in pairs[0]}
    names = [f"{pair['a']} - {pair['b']}" for pair in pairs]
    heads = ("systems", "difference") if len(pairs) > 1 else names
    differences = [("", *heads, *(title for _, title in tests), *more.values())]
    for key in keys:
        for name, pair in zip(names, pairs, strict=True):
            p_values = (PValue(pair[f"{key}_{test}"]) for test, _ in tests)
            cells = *([name] if len(pairs) > 1 else []), ranged(pair, f"{key}_difference"), *p_values
            differences.append((Name(key), *cells, *(pair[f"{key}_{each}"] for each in more)))
    return [with_marks(beside, comparison, against), differences]


def with_marks(rows: list[tuple], comparison: dict, against: str | None = None) -> list[tuple]:
    """The rows, marked in each the best score, and those that differ beyond chance from one system's, or the best."""
    return [with_differences(with_best(row), comparison, against) for row in rows]


def with_best(row: tuple) -> tuple:
    """A row, the best of its scores marked; of what has no better and worse, and of equal ones, none."""
    values = {cell.value for cell in row if isinstance(cell, Ranged) and isfinite(cell.value)}
    if len(values) < 2 or row[0] in NEITHER:
        return row
    best = min(values) if row[0] in LOWEST else max(values)
    return tuple(cell._replace(is_best=cell.value == best) if isinstance(cell, Ranged) else cell for cell in row)


def with_differences(row: tuple, comparison: dict, against: str | None = None) -> tuple:
    """A row, those scores marked that differ from that of one system, or else of the best, beyond chance."""
    names, scores = list(comparison["systems"]), [cell for cell in row if isinstance(cell, Ranged)]
    if len(scores) != len(names):
        return row
    chosen = against or next((name for name, score in zip(names, scores, strict=True) if score.is_best), None)
    different = {
        name
        for pair in comparison["pairs"]
        for name, other in permutations((pair["a"], pair["b"]))
        if other == chosen and pair.get(f"{row[0]}_p_holm", 1.0) < LEVEL
    }
    marks = iter([name in different for name in names])
    return tuple(cell._replace(differs=next(marks)) if isinstance(cell, Ranged) else cell for cell in row)


# ---- Systems by name ----


def add_comparison_options(parser: Parser, what: str) -> None:
    """Other systems."""
    parser.add_input(
        "--compare", metavar="[NAME=]FILE", nargs="+", action="extend", default=[],
        help=f"{what} of other systems to compare; a system is called like its file unless you give a name",
    )  # fmt: skip
    parser.add_argument("--against", metavar="NAME", help="compare all systems with this one only")
    what = "print intervals with this confidence, such as 0.95"
    parser.add_argument("--confidence", type=float, metavar="SHARE", help=what)


def named_files(files: Iterable[str], against: str | None = None) -> dict[str, str]:
    """{name: path} of systems, given as FILE or NAME=FILE; the others may be compared `against` one of them."""
    named = [(None, file) if os.path.exists(file) or "=" not in file else file.split("=", 1) for file in files]
    stems = [Path(path).stem for name, path in named if not name]
    pairs = [(name or (path if stems.count(Path(path).stem) > 1 else Path(path).stem), path) for name, path in named]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise input_error("--compare", f"two systems with the name {name!r}", "NAME=FILE with another name")
    check_against(against, dict(pairs))
    return dict(pairs)


def check_against(against: str | None, names: Collection[str]) -> None:
    """Raise ValueError where the others cannot be compared with that system."""
    if against is not None and (len(names) < 2 or against not in names):
        raise input_error("--against", repr(against), f"one of {', '.join(names)}, and another system")
