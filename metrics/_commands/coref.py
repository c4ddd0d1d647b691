"""meaning-metrics coref: scores of files, as a table, JSON or a page; no evaluate, no torch.

meaning-metrics coref KEY RESPONSE --preset crac --html page.html
"""

import argparse
from dataclasses import replace

from .shared import Parser, add_options, aligned, handed_on, in_json, run_command

HANDED_ON = {
    "format": (str, "FORMAT", "conll, corefud, ua, json or auto (default: by what the file has in it)"),
    "match": (str, "MATCH", "exact (default), partial or head: when two mentions are the same"),
    "zeros": (str, "ZEROS", "linear (default) or dependent: how empty nodes are matched"),
    "duplicates": (str, "DUPLICATES", "error (default) or first: what becomes of a mention in two entities"),
    "preset": (str, "PRESET", "crac: --match head --zeros dependent --no-singletons"),
    "mentions": (
        str,
        "MENTIONS",
        "mentions that one side lacks: raw (default), union completes both sides, strict refuses",
    ),
    "average": (str, "AVERAGE", "over documents: micro (default) adds counts, macro averages scores"),
}
SCORING = {"confidence": (float, "SHARE", "add confidence intervals, such as 0.95")}
FOUND = "(found / possible)"


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics coref",
        description="Scores a coreference response against a key, in percent.",
        epilog="Example: meaning-metrics coref key.conll response.conll --measures muc b3 ceafe conll_f1",
    )
    parser.add_argument("key", metavar="KEY", help="file of the key: CoNLL-2012, CorefUD, UA or JSON")
    parser.add_argument("response", metavar="RESPONSE", help="file of the response")
    add_options(parser, HANDED_ON)
    parser.add_argument("--measures", nargs="+", metavar="NAME", help="measures to give, such as muc b3 conll_f1")
    parser.add_argument("--no-singletons", action="store_true", help="remove each side's singletons first")
    add_options(parser, SCORING)
    parser.add_argument("--compare", metavar="OTHER", help="another response, to compare with")
    parser.add_argument("--html", metavar="PAGE", help="write a page that shows what went wrong")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON, in 0 to 1")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return run_command(parser(), output_lines, arguments)


def output_lines(args: argparse.Namespace) -> list[str]:
    """The lines to print."""
    result = score(args)
    if args.json:
        return in_json({name: value for name, value in result.items() if name != "documents"})
    return [*as_table(result), *as_comparison(result.get("comparison", {}))]


def score(args: argparse.Namespace) -> dict:
    """The scores, with details, and under "comparison" those of the comparison, if one is asked for."""
    from ..muc_b3_ceaf_entropy.read_pairs import read_pairs
    from ..muc_b3_ceaf_entropy.score_files import FileOptions, compare_pairs, score_pairs
    from ..muc_b3_ceaf_entropy.show_report import report

    scoring = handed_on(args, (*HANDED_ON, *SCORING, "measures"))
    scoring |= {"keep_singletons": False} if args.no_singletons else {}
    options = FileOptions.of(scoring, "score")  # wrong options first
    if args.html:
        return report(args.key, args.response, args.html, other=args.compare, **scoring)
    pairs = read_pairs(args.key, args.response, options)
    result = score_pairs(pairs, replace(options, details=True))
    if args.compare:
        result["comparison"] = compare_pairs(pairs, read_pairs(args.key, args.compare, options), options)
    return result


def as_table(result: dict) -> list[str]:
    """A line for each measure, in percent, with the counts x / y that the CoNLL scorer prints."""
    from ..muc_b3_ceaf_entropy.show_page import score_rows

    totals = {name: count for name, count in result["totals"].items() if isinstance(count, int)}
    rows = [row[:1] + row[3:] + row[1:3] for row in score_rows(result, result["totals"]["fractions"])]
    if any(recall for _, recall, *_ in rows):
        rows.insert(0, ("", f"recall {FOUND}", f"precision {FOUND}", "F1", ""))
    return [*aligned(rows), "", ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in totals.items())]


def as_comparison(compared: dict) -> list[str]:
    """A line for each F1 and single value: both systems, difference and p."""
    from ..muc_b3_ceaf_entropy.show_page import number, p_values

    rows = [("", "RESPONSE", "OTHER", "difference", "p")] if compared else []
    for key, p_value in p_values(compared).items():
        rows.append((key, *(number(compared[f"{key}_{what}"]) for what in ("a", "b", "difference")), f"{p_value:.4f}"))
    return ["", *aligned(rows)] if rows else []
