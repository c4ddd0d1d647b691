"""meaning-metrics morpheval: translations of a test suite judged, two systems compared; no evaluate, no torch."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .files import check_output, tab_separated
from .shared import Options, Output, Parser, add_options, decimal, figures, flag, handed_on, in_json, run_command
from .tables import (
    add_comparison_options,
    add_table_options,
    compared,
    comparison_tables,
    in_short,
    named_files,
    printed,
)  # fmt: skip

if TYPE_CHECKING:
    from ..morpheval.suite_files import Suite

JUDGING: Options = {
    "language": (str, "CODE", "language of the translations: fr (default), es, it or pt"),
    "lexicon": (str, "FILE", "lexicon (default: that of the Hub, or of an installed package)"),
    "mode": (str, "NAME", "default, or limsi for the verdicts of the published script"),
}
VERDICTS = ("group", "test", "system", "verdict", "reason", "sources", "translations")
HEADLINE = ("score", "A", "B", "C", "rejected_rate")
BETWEEN = " | "  # sentences, and the verdicts of a test on both sides, in one column
SCORING: Options = {
    "strict": (flag, "", "what is rejected counts as failed"),
    "frequencies": (str, "FILE", "English text: adds the accuracy by how frequent a source word is in it"),
}


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics morpheval",
        usage="meaning-metrics morpheval [-h] [options] [SENTS INFO] TRANSLATIONS [OTHER]\n"
        "       meaning-metrics morpheval --suite FILE",
        description="Judges whether translations of sentences that differ in one point differ as they should.",
        epilog="Files have one sentence a line; INFO has a line 'ID TEST' for each of SENTS. Tests A and B are "
        "accuracies, C (verb_consistency, adj_consistency) entropies, of which 0 is best. "
        'A file that ends in .jsonl has a JSON string a line, or an object with "source" in SENTS, "translation" in '
        'TRANSLATIONS, or "text"; .gz is unpacked, - is standard input. '
        "Example: meaning-metrics morpheval suite.sents suite.info system.fr other.fr",
    )
    parser.add_input(
        "files",
        metavar="FILE",
        nargs="*",
        help="SENTS, a suite's English sentences, and INFO, what each tests, such as '7 past' (default: the suite that "
        "ships); TRANSLATIONS, a system's of each sentence; OTHER, another system's, to compare with",
    )
    parser.add_argument("--suite", metavar="FILE", help="write the sentences of the suite that ships, to translate")
    add_options(parser, JUDGING | SCORING)
    add_comparison_options(parser, "translations")
    parser.add_argument("--verdicts", metavar="FILE", help="write each group's verdict and reason, tab-separated")
    parser.add_argument("--html", metavar="FILE", help="write what has not passed, by theme, as a page")
    add_table_options(parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return run_command(parser(), output, arguments)


def output(args: argparse.Namespace) -> Output:
    """The scores, and the table and the page that are asked for."""
    from .. import morphology
    from ..morpheval.intervals import Outcomes
    from ..morpheval.show_failures import failures_page
    from ..morpheval.suite_files import load_suite, load_translations

    if args.suite is not None:
        return shipped(args)
    of_suite, systems_given = parted(args.files)
    others = [*systems_given[1:], *args.compare]
    files = named_files([systems_given[0], *others])
    inputs = (*of_suite, *files.values(), args.frequencies)
    check_output("--verdicts", args.verdicts, *inputs)
    check_output("--html", args.html, *inputs, args.verdicts)
    suite = load_suite(*of_suite)
    systems = {name: load_translations(path, suite) for name, path in files.items()}
    options = handed_on(args, (*JUDGING, *SCORING, "confidence"))
    results = {name: morphology(groups, suite, details=True, **options) for name, groups in systems.items()}
    result = next(iter(results.values())) | ({"suite": suite.version} if suite.version else {})
    samples = {name: Outcomes(each["outcomes"], bool(args.strict)) for name, each in results.items()}
    comparison = compared(samples, args) if others else {}
    written = {}
    if args.verdicts:
        written[args.verdicts] = tab_separated(VERDICTS, verdict_rows(suite, systems, results))
    if args.html:
        written[args.html] = failures_page(results, systems, suite)
    notes = [f"suite {suite.version}"] if suite.version else []
    return Output(lines_of(result, comparison, args), written, notes)


def parted(files: list[str]) -> tuple[list[str], list[str]]:
    """The files of the suite, SENTS and INFO or none for the one that ships, and those of one system or two.

    Raises:
        ValueError: none, or more than SENTS, INFO, TRANSLATIONS and OTHER.
    """
    if not 1 <= len(files) <= 4:
        raise ValueError(
            f"found {len(files)} files, expected TRANSLATIONS, or SENTS, INFO and TRANSLATIONS; then OTHER"
        )
    of_suite = 2 if len(files) > 2 else 0
    return files[:of_suite], files[of_suite:]


def shipped(args: argparse.Namespace) -> Output:
    """The sentences of the suite that ships, one a line.

    Raises:
        ValueError: files of translations are there, too.
    """
    from ..morpheval.suite_files import load_suite

    if args.files:
        raise ValueError(
            f"--suite: found it with {args.files[0]!r}, expected it alone: it writes what is to be translated"
        )
    check_output("--suite", args.suite)
    suite = load_suite()
    sentences = [text for group in suite for text in group["sources"]]
    said = f"{len(sentences)} sentences of {len(suite)} groups, suite {suite.version}: translate each, in this order"
    return Output([said], {args.suite: "".join(f"{text}\n" for text in sentences)})


def lines_of(result: dict, comparison: dict, args: argparse.Namespace) -> list[str]:
    """The scores in the form that is asked for."""
    if args.json:
        return in_json(figures(result) | ({"comparison": in_short(comparison)} if comparison else {}))
    tables = comparison_tables(comparison, bool) if comparison else []
    return printed(tables if tables and (args.csv or args.latex) else [rows_of(result), *tables], args)


def verdict_rows(suite: "Suite", systems: dict[str, list], results: dict[str, dict]) -> Iterator[tuple]:
    """A row for each group, test and system."""
    for i, (identity, group) in enumerate(zip(suite.ids, suite, strict=True)):
        for name, result in results.items():
            verdicts, reasons = (
                each if isinstance(each, dict) else {group["test"]: each}
                for each in (result["verdicts"][i], result["reasons"][i])
            )
            for test, verdict in verdicts.items():
                said = (_joined(verdict), _joined(reasons[test]), _joined(group["sources"]), _joined(systems[name][i]))
                yield identity, test, name, *said


def _joined(value):
    return BETWEEN.join(value) if isinstance(value, list) else value


def rows_of(result: dict) -> list[tuple]:
    """A row for each number of the headline, for each test, and for the means over tests."""
    rows = [("", "score", "interval", "judged", "rejected")]
    rows += [(name, decimal(result[name]), "", "", "") for name in HEADLINE if name in result]
    for name in (name for name in result if f"{name}_rejected" in result):
        low, high = (result[f"{name}_{end}"] for end in ("low", "high"))
        interval = "" if low != low else f"{decimal(low)} to {decimal(high)}"
        counts = (str(result[f"{name}_{what}"]) for what in ("n", "rejected"))
        rows.append((name, decimal(result[name]), interval, *counts))
    for name, value in result.items():
        if name.startswith("average_") and value == value:
            rows.append((name, decimal(value), "", "", ""))
        elif "_frequency_" in name and not name.endswith("_n"):
            rows.append((name, decimal(value), "", str(result[f"{name}_n"]), ""))
    return rows
