"""The metric as a shell command: scores of files, as a table, JSON or a page; neither evaluate nor torch is imported.

    meaning-metrics coref KEY RESPONSE --preset crac --html page.html

What the commands of all metrics share is here, too: the first part needs nothing of this metric.
"""

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import isfinite

WRONG = 2  # exit status for wrong input
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message):
        self.exit(WRONG, f"{self.prog}: error: {message}; see {self.prog} --help\n")


def carry_out(found: Parser, lines_of: Callable[[argparse.Namespace], Iterable[str]], arguments: list | None) -> int:
    """Parse the arguments and print lines_of(them); gives the exit status.

    It is 2 for wrong input and for a package that is not installed, with one line on what is wrong.
    """
    given = found.parse_args(arguments)

    def say(what, message):
        said = " ".join(str(message).split()).removeprefix(f"{found.prog.split()[-1]}: ")  # the metric's own name
        print(f"{found.prog}: {what}{said}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: say("warning: ", message)
        try:
            _print("\n".join(lines_of(given)))
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


def in_json(result: dict) -> list[str]:
    """One object; null for what is undefined."""
    return [json.dumps(_defined(result), indent=1, ensure_ascii=False, allow_nan=False)]


def _defined(value):
    if isinstance(value, dict):
        return {name: _defined(each) for name, each in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value


def aligned(rows: list[tuple]) -> list[str]:
    """Rows of text as lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:]))]).rstrip()
        for row in rows
    ]


# ---- This metric ----

# Options that are handed on as they are; what they may be, `files.FileOptions` says.
HANDED_ON = {
    "format": "conll, corefud, ua, json or auto (default: by what the file has in it)",
    "match": "exact (default), partial or head: when two mentions are the same",
    "zeros": "linear (default) or dependent: how empty nodes are matched",
    "duplicates": "error (default) or first: what becomes of a mention in two entities",
    "preset": "crac: --match head --zeros dependent --no-singletons",
    "mentions": "mentions that one side lacks: raw (default), union completes both sides, strict refuses",
    "average": "over documents: micro (default) adds counts, macro averages scores",
}
KEPT = "(found / possible)"


def parser() -> Parser:
    """What may stand on the command line."""
    found = Parser(
        "meaning-metrics coref",
        description="Scores a coreference response against a key, in percent.",
        epilog="Example: meaning-metrics coref key.conll response.conll --measures muc b3 ceafe conll_f1",
    )
    found.add_argument("key", metavar="KEY", help="file of the key: CoNLL-2012, CorefUD, UA or JSON")
    found.add_argument("response", metavar="RESPONSE", help="file of the response")
    for name, what in HANDED_ON.items():
        found.add_argument(f"--{name}", help=what)
    found.add_argument("--measures", nargs="+", metavar="NAME", help="measures to give, such as muc b3 conll_f1")
    found.add_argument("--no-singletons", action="store_true", help="remove each side's singletons first")
    found.add_argument("--confidence", type=float, metavar="SHARE", help="add confidence intervals, such as 0.95")
    found.add_argument("--compare", metavar="OTHER", help="another response, to compare with")
    found.add_argument("--html", metavar="PAGE", help="write a page that shows what went wrong")
    found.add_argument("--json", action="store_true", help="print the scores as JSON, in 0 to 1")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return carry_out(parser(), printed, arguments)


def printed(given: argparse.Namespace) -> list[str]:
    """The lines to print."""
    result = run(given)
    return as_json(result) if given.json else [*as_table(result), *as_comparison(result.get("comparison", {}))]


def run(given: argparse.Namespace) -> dict:
    """The scores, with details, and under "comparison" those of the comparison, if one is asked for."""
    from .score_files import FileOptions, compare_pairs, read_pairs, score_pairs
    from .show_report import report

    scoring = {name: value for name in HANDED_ON if (value := getattr(given, name)) is not None}
    scoring |= {"keep_singletons": False} if given.no_singletons else {}
    scoring |= {"measures": given.measures} if given.measures else {}
    scoring |= {"confidence": given.confidence}
    options = FileOptions.of(scoring, "score")  # wrong options first
    if given.html:
        return report(given.key, given.response, given.html, other=given.compare, **scoring)
    pairs = read_pairs(given.key, given.response, options)
    result = score_pairs(pairs, replace(options, details=True))
    if given.compare:
        result["comparison"] = compare_pairs(pairs, read_pairs(given.key, given.compare, options), options)
    return result


# ---- What is printed ----


def as_json(result: dict) -> list[str]:
    """One object: the scores, the totals, the signature and the comparison; null for what is undefined."""
    scores = {name: value for name, value in result.items() if name != "documents"}
    return in_json(scores)


def as_table(result: dict) -> list[str]:
    """A line for each measure, in percent, with the counts x / y that the CoNLL scorer prints."""
    fractions = result["totals"]["fractions"]
    names = [key[: -len("_f1")] for key in result if f"{key.removesuffix('_f1')}_recall" in result]
    rows = [("", f"recall {KEPT}", f"precision {KEPT}", "F1", "")] if names else []
    for name in names:
        sides = (percent(result[f"{name}_{side}"]) + fraction(fractions.get(name), side) for side in SIDES)
        rows.append((name, *sides, percent(result[f"{name}_f1"]), interval(result, f"{name}_f1")))
    taken = {f"{name}_{part}" for name in names for part in (*SIDES, "f1")}
    for key, value in result.items():
        if isinstance(value, float) and key not in taken and not key.endswith(("_low", "_high")):
            rows.append((key, "", "", percent(value), interval(result, key)))
    totals = {name: count for name, count in result["totals"].items() if isinstance(count, int)}
    return [*aligned(rows), "", ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in totals.items())]


SIDES = ("recall", "precision")


def percent(value: float) -> str:
    """A score in percent, with two digits."""
    return f"{100 * value:.2f}" if isfinite(value) else "undefined"


def fraction(counts: dict | None, side: str) -> str:
    """The counts behind a score, where there are some."""
    return f" ({counts[f'{side}_numerator']:.6g} / {counts[f'{side}_denominator']:.6g})" if counts else ""


def interval(result: dict, key: str) -> str:
    """Both ends of a score's interval, where it has one."""
    return f"{percent(result[f'{key}_low'])} to {percent(result[f'{key}_high'])}" if f"{key}_low" in result else ""


def as_comparison(compared: dict) -> list[str]:
    """A line for each F1 and single value: both systems, difference and p."""
    from .show_page import p_values

    rows = [("", "RESPONSE", "OTHER", "difference", "p")] if compared else []
    for key, p_value in p_values(compared).items():
        rows.append((key, *(percent(compared[f"{key}_{what}"]) for what in ("a", "b", "difference")), f"{p_value:.4f}"))
    return ["", *aligned(rows)] if rows else []


if __name__ == "__main__":
    sys.exit(main())
