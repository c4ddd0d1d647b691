"""meaning-metrics morpheval: translations of a test suite judged, two systems compared; no evaluate, no torch."""

import argparse

from .shared import (
    Parser, add_options, aligned, check_output, decimal, figures, handed_on, in_json, run_command, write_rows,
)  # fmt: skip

JUDGING = {
    "language": (str, "CODE", "language of the translations: fr (default) or es"),
    "lexicon": (str, "FILE", "lexicon (default: that of the Hub, or of an installed package)"),
    "mode": (str, "NAME", "default, or limsi for the verdicts of the published script"),
}
SCORING = {"frequencies": (str, "FILE", "English text: adds the accuracy by how frequent a source word is in it")}


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics morpheval",
        description="Judges whether translations of sentences that differ in one point differ as they should.",
        epilog="Files have one sentence a line; INFO has a line 'ID TEST' for each of SENTS. Tests A and B are "
        "accuracies, C (verb_consistency, adj_consistency) entropies, of which 0 is best. "
        "Example: meaning-metrics morpheval suite.sents suite.info system.fr other.fr",
    )
    parser.add_argument("sents", metavar="SENTS", help="the suite's English sentences")
    parser.add_argument("info", metavar="INFO", help="what each sentence tests, such as '7 past'")
    parser.add_argument("translations", metavar="TRANSLATIONS", help="a system's translation of each sentence")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="another system's, to compare with")
    add_options(parser, JUDGING | SCORING)
    parser.add_argument("--verdicts", metavar="FILE", help="write each group's verdict and reason, tab-separated")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return run_command(parser(), output_lines, arguments)


def output_lines(args: argparse.Namespace) -> list[str]:
    """The lines to print."""
    from .. import morphology
    from ..morpheval.scoring import compare
    from ..morpheval.suite_files import load_suite, load_translations

    check_output("--verdicts", args.verdicts, args.sents, args.info, args.translations, args.other)
    suite = load_suite(args.sents, args.info)
    systems = [load_translations(path, suite) for path in (args.translations, args.other) if path is not None]
    options = handed_on(args, JUDGING)
    result = morphology(systems[0], suite, details=True, **options, **handed_on(args, SCORING))
    compared = compare(*systems, suite, **options) if args.other is not None else {}
    if args.verdicts:
        tests, found = [group["test"] for group in suite], zip(result["verdicts"], result["reasons"])
        rows = [(test, verdict, reason, *group) for test, (verdict, reason), group in zip(tests, found, systems[0])]
        write_rows(args.verdicts, ("test", "verdict", "reason", "translations"), rows)
    if args.json:
        return in_json(figures(result) | ({"comparison": compared} if compared else {}))
    return [*as_table(result), *as_comparison(compared)]


def as_table(result: dict) -> list[str]:
    """A line for each test, and for the means over tests."""
    rows = [("", "score", "95 % interval", "judged", "rejected")]
    for name in (name for name in result if f"{name}_rejected" in result):
        low, high = (decimal(result[f"{name}_{end}"]) for end in ("low", "high"))
        counts = (str(result[f"{name}_{what}"]) for what in ("n", "rejected"))
        rows.append((name, decimal(result[name]), f"{low} to {high}", *counts))
    for name, value in result.items():
        if name.startswith("average_") and value == value:
            rows.append((name, decimal(value), "", "", ""))
        elif "_frequency_" in name and not name.endswith("_n"):
            rows.append((name, decimal(value), "", str(result[f"{name}_n"]), ""))
    return aligned(rows)


def as_comparison(compared: dict) -> list[str]:
    """A line for each test: both systems, the difference with its interval, p."""
    rows = [("", "TRANSLATIONS", "OTHER", "difference", "95 % interval", "p")] if compared else []
    for name in (key.removesuffix("_difference") for key in compared if key.endswith("_difference")):
        a, b, difference, low, high = (
            decimal(compared[f"{name}_{what}"]) for what in ("a", "b", "difference", "low", "high")
        )
        rows.append((name, a, b, difference, f"{low} to {high}", decimal(compared[f"{name}_p_value"], digits=4)))
    return ["", *aligned(rows)] if rows else []
