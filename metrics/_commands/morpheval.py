"""meaning-metrics morpheval: translations of a test suite judged, two systems compared; no evaluate, no torch."""

import argparse
import warnings
from collections.abc import Iterator
from math import nan
from typing import TYPE_CHECKING

from .._loading import input_error
from . import tables
from .files import check_output, check_outputs, separated
from .page import MOST, add_page_option, scores_page
from .shared import Note, Options, Output, Parser, add_options, figures, handed_on

if TYPE_CHECKING:
    from ..morpheval.suite_files import Suite

JUDGING: Options = {
    "language": (str, "CODE", "language of the translations: fr (default), es, it or pt"),
    "lexicon": (str, "FILE", "lexicon in the Lefff's format, .mlex (default: the language's, installed or downloaded)"),
    "mode": (str, "NAME", "default, or limsi for the verdicts of the published script"),
}
VERDICTS = ("group", "test", "system", "verdict", "reason", "sources", "translations")
SCALE = "accuracy; of C 1 - entropy"  # of a table: verb_consistency and adj_consistency are C
BETWEEN = " | "  # sentences, and the verdicts of a test on both sides, in one column
SCORING: Options = {
    "strict": (bool, "", "count rejected groups as failed"),
    "frequencies": (str, "FILE", "the training data's English text; adds the accuracy by the source word's frequency"),
}


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics morpheval",
        usage="%(prog)s [-h] [options] [SENTS INFO | SUITE] TRANSLATIONS [OTHER]\n       %(prog)s --suite FILE",
        description="Judges whether translations of English sentences that differ in one point, such as the tense, "
        "differ in the same point.",
        epilog="Files have one sentence per line; INFO has a line 'ID TEST' for each sentence. Tables show accuracies, "
        "and for set C (verb_consistency, adj_consistency) 1 - entropy; JSON has the entropy, for which 0 is best. "
        'In a .jsonl file, each line is a JSON string, or an object with the field "source" (SENTS), "translation" '
        '(TRANSLATIONS) or "text". Files may be compressed (.gz); - is standard input. '
        "Example: %(prog)s suite.sents suite.info system.fr other.fr",
    )
    parser.add_input(
        "files",
        metavar="FILE",
        nargs="*",
        help="SENTS: the English sentences of a suite, and INFO: what each one tests, such as '7 past'; or SUITE: a "
        "folder or .jsonl file that has both (default: the included suite); TRANSLATIONS: a system's translation of "
        "each sentence; OTHER: those of another system, to compare with",
    )
    parser.add_argument("--suite", metavar="FILE", help="write the sentences of the included suite, for translation")
    add_options(parser, JUDGING | SCORING)
    tables.add_comparison_options(parser, "translations")
    parser.add_argument("--verdicts", metavar="FILE", help="write the verdict and reason of each group, tab-separated")
    add_page_option(parser)
    tables.add_table_options(parser)
    return parser


def output(args: argparse.Namespace) -> Output:
    """The scores, and the table and the page that are asked for."""
    from .. import morphology
    from ..morpheval.intervals import Outcomes
    from ..morpheval.suite_files import load_suite, load_translations

    if args.suite is not None:
        return shipped(args)
    of_suite, systems_given = parted(args.files)
    others = [*systems_given[1:], *args.compare]
    files = tables.named_files([systems_given[0], *others], args.against)
    check_outputs(args, "verdicts", "html")
    suite = load_suite(*of_suite)
    systems = {name: load_translations(path, suite) for name, path in files.items()}
    options = handed_on(args, (*JUDGING, *SCORING, "confidence"))
    results = {name: morphology(groups, suite, details=True, **options) for name, groups in systems.items()}
    results = {name: each | ({"suite": suite.version} if suite.version else {}) for name, each in results.items()}
    samples = {name: Outcomes(each["outcomes"], bool(args.strict)) for name, each in results.items()}
    comparison = tables.compared(samples, args) if others else {}
    rows, written = tables_of(results, comparison, args), {}
    if args.verdicts:
        written[args.verdicts] = separated(VERDICTS, verdict_rows(suite, systems, results))
    if args.html:
        written[args.html] = page_of(results, rows, systems, suite, args)
    if suite.version:
        warnings.warn(f"suite {suite.version}", Note, stacklevel=1)
    first = next(iter(results.values()))
    if args.json:
        return Output(tables.as_json(figures(first), args, comparison), written)
    lines = tables.printed(rows, args, first["signature"])
    return Output(tables.with_signature(lines, first, args), written)


def page_of(
    results: dict[str, dict], rows: list, systems: dict[str, list], suite: "Suite", args: argparse.Namespace
) -> str:
    """The page: scores, groups on which the systems differ, and what has not passed, by theme."""
    from ..morpheval.show_failures import GROUPS, group_table, themes

    if args.percent:  # the entropies of groups, too
        results = {name: each | {"verdicts": tables.in_percent(each["verdicts"])} for name, each in results.items()}
    parts = [group_table(test, i, results, systems, suite) for test, i in differing(results)]
    if parts:
        parts.insert(0, "<h2>Groups on which the systems differ</h2>")
    parts += ["<h2>What has not passed</h2>", themes(results, systems, suite)]
    signature = next(iter(results.values()))["signature"]
    return scores_page(f"Morphology: {', '.join(results)}", rows, signature, parts, args, style=GROUPS)


def differing(results: dict[str, dict]) -> list[tuple[str, int]]:
    """The tests and groups whose outcomes differ most between the systems, what is rejected left out."""
    found = []
    for i, outcomes in enumerate(zip(*(result["outcomes"] for result in results.values()), strict=True)):
        for test in outcomes[0]:
            values = [value for of_system in outcomes for value in of_system[test] if value is not None]
            found.append((max(values, default=0.0) - min(values, default=0.0), test, i))
    found.sort(key=lambda each: -each[0])
    return [(test, i) for spread, test, i in found[:MOST] if spread and len(results) > 1]


def parted(files: list[str]) -> tuple[list[str], list[str]]:
    """The files of the suite, SENTS and INFO, SUITE, or none for the one that ships, and those of one system or two."""
    from ..morpheval.suite_files import is_info, is_suite

    expected = "the files [SENTS INFO | SUITE] TRANSLATIONS [OTHER]"
    n = 1 if files and is_suite(files[0]) else 2 if len(files) > 2 else 0
    of_suite, systems = files[:n], files[n:]
    if not 1 <= len(systems) <= 2:
        raise input_error("", f"{len(files)} files", expected)
    if not n and is_info(systems[-1]):
        raise input_error("", f"{' and '.join(files)}, a suite without translations", expected)
    return of_suite, systems


def shipped(args: argparse.Namespace) -> Output:
    """The sentences of the suite that ships, one a line in a plain text."""
    from ..morpheval.suite_files import load_suite

    for name, value in vars(args).items():
        if name != "suite" and value:
            found = repr(value[0]) if name == "files" else f"--{name}"
            raise input_error("--suite", f"{found} as well", "--suite alone, which writes what is to be translated")
    if args.suite.endswith((".gz", ".xz", ".bz2", ".jsonl")):
        raise input_error("--suite", repr(args.suite), "the name of a plain text file, such as en.txt")
    check_output("--suite", args.suite)
    suite = load_suite()
    sentences = [text for group in suite for text in group["sources"]]
    said = f"{len(sentences)} sentences of {len(suite)} groups, suite {suite.version}: translate each, in this order"
    return Output([said], {args.suite: "".join(f"{text}\n" for text in sentences)})


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


def tables_of(results: dict[str, dict], comparison: dict, args: argparse.Namespace) -> list[list[tuple]]:
    """The scores: a row for each figure of the headline, test and band of frequency; and, of several, the differences.

    Each system has three columns: the score, and how many groups are judged and rejected.
    """
    from ..morpheval.intervals import HEADLINE, as_accuracies

    found = [as_accuracies(figures(result)) for result in results.values()]
    rows: list[tuple] = [(SCALE, *(head for name in results for head in (name, "judged", "rejected")))]
    for name in found[0]:
        if name in (*HEADLINE, "rejected_rate") or f"{name}_n" in found[0]:
            rows.append((tables.Name(name), *(cell for each in found for cell in _cells(each, name))))
    if not comparison:
        return [rows]
    pairs = [as_accuracies(pair) for pair in comparison["pairs"]]
    _, [heads, *differences] = tables.comparison_tables(comparison | {"pairs": pairs}, bool)
    return [tables.with_marks(rows, comparison, args.against), [(SCALE, *heads[1:]), *differences]]


def _cells(result, name):
    """The score, which may have no interval, and the numbers of what is judged and rejected, where it has some."""
    low, high = (result.get(f"{name}_{end}", nan) for end in ("low", "high"))
    return tables.Ranged(result[name], low, high), result.get(f"{name}_n", ""), result.get(f"{name}_rejected", "")
