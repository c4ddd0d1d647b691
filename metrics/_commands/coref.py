"""meaning-metrics coref: scores of files, as a table, JSON or a page; no evaluate, no torch.

meaning-metrics coref KEY RESPONSE --preset crac --html page.html
meaning-metrics coref KEY - --explain 68.15 < RESPONSE
meaning-metrics coref --agreement ANNOTATOR ANNOTATOR ANNOTATOR
"""

import argparse
from dataclasses import replace

from .._loading import input_error
from . import tables
from .files import check_outputs
from .page import add_page_option, examples_of, scores_page, with_intervals
from .shared import Options, Output, Parser, add_options, aligned, figures, handed_on, in_json

HANDED_ON: Options = {
    "format": "conll, corefud, ua, json, booknlp, litbank, brat, webanno, corenlp, spacy, parquet, brackets or auto "
    "(default: by its content)",
    "field": (str, "NAME", "the response's clusters: a JSON field, type of brat's relations or WebAnno layer"),
    "key_field": (str, "NAME", "the same for the key"),
    "match": "when two mentions are the same: exact (default), partial or head",
    "zeros": "how empty nodes are matched: linear (by number, default) or dependent (by parents)",
    "duplicates": "how to treat a mention in two entities: error (default), first or conll (the CoNLL scorer's rule)",
    "words": "exact (default), or aligned: allow other case, quotes, tokens, dropped or added words",
    "documents": "how documents of the two files are matched: by name (default) or order",
    "word_column": (int, "N", "column of the words in CoNLL-2012 files, counted from 1 (default: found automatically)"),
    "cross_document": (bool, "", "entities with one name in several documents are one; score all documents as one"),
    "preset": "crac: --match head --zeros dependent --no-singletons",
    "mentions": "mentions found on one side only: raw (default), union (add them to the other side) or strict (an "
    "error)",
    "average": "over documents: micro (default, adds counts) or macro (averages scores)",
}
FOUND = "(found / possible)"
HEADS = {
    "name": "", "recall": f"recall {FOUND}", "precision": f"precision {FOUND}", "f1": tables.Name("F1"),
    "interval": "interval",
}  # fmt: skip
SINGULAR = {"documents": "document", "mentions": "mention", "entities": "entity"}
OVERVIEW = ("muc_f1", "b3_f1", "ceafe_f1", "conll_f1", "lea_f1", "mention_f1", "kappa")  # of several pairs of files


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics coref",
        description="Scores a coreference response against a key, in percent.",
        epilog='JSON files have clusters in the field "clusters", or "gold_clusters" for KEY and "predicted_clusters" '
        "for RESPONSE. Files may be compressed (.gz); - is standard input. "
        "Example: %(prog)s key.conll response.conll --measures muc b3 ceafe conll_f1",
    )
    parser.called = {"value": "--explain"}
    parser.add_input("key", metavar="KEY", help="the key: a file, or a folder of files")
    parser.add_input("response", metavar="RESPONSE", help="the response: a file, or a folder of files")
    more = "for several data sets: all keys first, then as many responses"
    parser.add_input("more", metavar="FILE", nargs="*", default=[], help=more)
    add_options(parser, HANDED_ON)
    parser.add_argument("--measures", nargs="+", metavar="NAME", help="measures to print, such as muc b3 conll_f1")
    allowed = "allow a response without any mention, though the key has some"
    parser.add_argument("--allow-empty", action="store_true", help=allowed)
    parser.add_argument("--no-singletons", action="store_true", help="remove each side's singletons first")
    tables.add_comparison_options(parser, "responses")
    parser.add_argument(
        "--explain", metavar="VALUE", help="find the conventions that give the number that another tool printed"
    )
    parser.add_argument("--agreement", action="store_true", help="treat the files as annotators, and score every pair")
    add_page_option(parser)
    tables.add_table_options(parser, in_percent=True)
    return parser


def output(args: argparse.Namespace) -> Output:
    """The scores, or what explains them, and the page if one is asked for."""
    if args.explain is not None:
        return Output(explained(args))
    if args.agreement or args.more:
        return Output(several(args))
    from ..muc_b3_ceaf_entropy.read_pairs import read_pairs
    from ..muc_b3_ceaf_entropy.score_files import FileOptions, differing_documents, sample_of, score_pairs
    from ..muc_b3_ceaf_entropy.show_report import check_apart, report_pairs

    systems = tables.named_files([args.response, *args.compare], args.against)
    options = FileOptions.of(options_of(args), "score")
    if args.html:
        check_apart(options)
    check_outputs(args, "html")
    pairs = {name: read_pairs(args.key, path, options) for name, path in systems.items()}
    first = pairs[next(iter(pairs))]
    with_intervals(args, len(first))
    options = replace(options, confidence=args.confidence, details=True)
    if len(pairs) == 1 and args.html:
        result, page = report_pairs(first, None, [args.key, *systems.values()], options)
        return Output(lines_of(result, {}, args), {args.html: page})
    result = score_pairs(first, options)
    if len(pairs) == 1:
        return Output(lines_of(result, {}, args))
    samples = {name: sample_of(each, options) for name, each in pairs.items()}
    comparison = tables.compared(samples, args)
    if len(samples) == 2:
        comparison["documents"] = differing_documents(first, *samples.values())
    files = {args.html: page_of(pairs, samples, comparison, result, args)} if args.html else {}
    return Output(lines_of(result, comparison, args), files)


def page_of(pairs: dict[str, list], samples: dict, comparison: dict, result: dict, args: argparse.Namespace) -> str:
    """The page of several systems: their scores, and the documents in which they differ most, with their entities."""
    from ..muc_b3_ceaf_entropy.show_marks import view_of
    from ..muc_b3_ceaf_entropy.show_page import STYLE, legend, main_score, number, text_and_errors

    key = main_score(comparison["pairs"][0])
    each = {name: [scores[key] for scores in sample.each()] for name, sample in samples.items()}
    names = [pair.name for pair in next(iter(pairs.values()))]
    documents = examples_of(
        "document", each, lambda name, i: text_and_errors(view_of(pairs[name][i])), names=names, written=number
    )
    rows = tables.comparison_tables(comparison, is_shown, args.against)
    title, parts = f"Coreference: {', '.join(pairs)}", [legend(), *documents]
    return scores_page(title, rows, result["signature"], parts, args, style=STYLE)


def lines_of(result: dict, comparison: dict, args: argparse.Namespace) -> list[str]:
    """The scores in the form that is asked for."""
    if args.json:
        shown = {name: value for name, value in result.items() if name not in ("documents", "comparison")}
        return tables.as_json(shown, args, comparison)
    beside = tables.comparison_tables(comparison, is_shown, args.against) if comparison else []
    if args.csv and not beside:
        return tables.printed([tables.scores_table(figures(result))], args)
    if not tables.is_plain(args):
        return tables.printed(beside or [rows_of(result)], args, result["signature"])
    compared = ["", *tables.printed(beside, args)] if beside else []
    return tables.with_signature([*as_table(result), *compared, *differing(comparison)], result, args)


def options_of(args: argparse.Namespace) -> dict:
    """The options of scoring that are on the command line."""
    scoring = handed_on(args, (*HANDED_ON, "confidence", "measures")) | {"allow_empty": args.allow_empty}
    return scoring | ({"keep_singletons": False} if args.no_singletons else {})


def explained(args: argparse.Namespace) -> list[str]:
    """What gives the number that was printed elsewhere."""
    from ..muc_b3_ceaf_entropy.show_conventions import READ_SO, explain_score

    _alone(args, "--explain", "more", "agreement", "compare", "html", "csv", "latex")
    if len(args.measures or ()) > 1:
        raise input_error("--measures", ", ".join(args.measures), "a single measure with --explain")
    given = handed_on(args, READ_SO)
    found = explain_score(args.key, args.response, args.explain, measure=(args.measures or [None])[0], **given)
    return in_json(found) if args.json else found["text"].splitlines()


def several(args: argparse.Namespace) -> list[str]:
    """The scores of every two annotators, or of several data sets, and their mean."""
    from ..muc_b3_ceaf_entropy.measure_agreement import agreement
    from ..muc_b3_ceaf_entropy.score_files import score_files
    from ..muc_b3_ceaf_entropy.show_report import names_of

    _alone(args, "--agreement" if args.agreement else "several files", "compare", "html")
    paths, scoring = [args.key, args.response, *args.more], options_of(args)
    if args.agreement:
        result = agreement(dict(zip(names_of(paths), paths, strict=True)), **scoring)
        rows = [(f"{pair['a']}, {pair['b']}", pair) for pair in result["pairs"]]
        mean = result["mean"]
    else:
        if len(paths) % 2:
            raise input_error("", f"{len(paths)} files", "as many responses as keys")
        half = len(paths) // 2
        mean = result = score_files(paths[:half], paths[half:], **scoring)
        rows = list(zip(names_of(paths[:half]), result["files"], strict=True))
    if args.json:
        return tables.as_json(result, args)
    lines = tables.printed([_rows([*rows, ("mean", mean)], args.measures)], args)
    return tables.with_signature(lines, result, args)


def _alone(args, option, *others):
    for other in others:
        if getattr(args, other):
            found = "more than two files" if other == "more" else f"--{other} as well"
            raise input_error(option, found, "one or the other")


def _rows(rows, measures):
    """A row for each pair of files, a column for each F1 and single value."""
    ends = ("_recall", "_precision", "_low", "_high")
    keys = [key for key, value in rows[0][1].items() if isinstance(value, float) and not key.endswith(ends)]
    keys = keys if measures else [key for key in keys if key in OVERVIEW]
    return [("", *map(tables.Name, keys)), *((name, *map(scores.get, keys)) for name, scores in rows)]


def as_table(result: dict) -> list[str]:
    """A line for each measure, in percent, with the counts x / y that the CoNLL scorer prints."""
    totals = {name: count for name, count in result["totals"].items() if isinstance(count, int)}
    head, *rows = rows_of(result)
    counted = []
    for name, count in totals.items():
        *before, noun = name.split("_")
        counted.append(" ".join([str(count), *before, SINGULAR.get(noun, noun) if count == 1 else noun]))
    return [*aligned([("percent", *head[1:]), *rows]), "", ", ".join(counted)]


def rows_of(result: dict) -> list[tuple]:
    """The table's rows: recall, precision, F1, interval."""
    from ..muc_b3_ceaf_entropy.show_page import score_rows

    return [(tables.Name(name), *cells) for name, *cells in score_rows(result, HEADS)]


def is_shown(key: str) -> bool:
    """F1 and single values."""
    return not key.endswith(("_recall", "_precision"))


def differing(comparison: dict) -> list[str]:
    """The documents in which two systems differ most."""
    from ..muc_b3_ceaf_entropy.show_page import most_different

    if "documents" not in comparison:
        return []
    title, rows = most_different(tables.in_short(comparison) | {"documents": comparison["documents"]})
    return ["", title + (", most in:" if rows else ""), *(aligned([row[1:] for row in rows]) if rows else [])]
