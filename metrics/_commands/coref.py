"""meaning-metrics coref: scores of files, as a table, JSON or a page; no evaluate, no torch.

meaning-metrics coref KEY RESPONSE --preset crac --html page.html
meaning-metrics coref KEY - --explain 68.15 < RESPONSE
meaning-metrics coref --agreement ANNOTATOR ANNOTATOR ANNOTATOR
"""

import argparse
import os
import stat
import sys
from dataclasses import replace
from tempfile import TemporaryDirectory

from .shared import Parser, add_options, aligned, flag, handed_on, in_json, run_command

HANDED_ON = {
    "format": (
        str,
        "FORMAT",
        "conll, corefud, ua, json, booknlp, litbank, brat, webanno, brackets or auto (default: by its content)",
    ),
    "field": (str, "NAME", "of the response: the field of JSON, type of brat's relations or WebAnno layer of clusters"),
    "key_field": (str, "NAME", "the same of the key"),
    "match": (str, "MATCH", "exact (default), partial or head: when two mentions are the same"),
    "zeros": (str, "ZEROS", "linear (default) or dependent: how empty nodes are matched"),
    "duplicates": (
        str,
        "DUPLICATES",
        "error (default), first or conll (the CoNLL scorer's rule): how to treat a mention in two entities",
    ),
    "words": (str, "WORDS", "exact (default) or aligned: other case, quotes, tokens, dropped or added words"),
    "documents": (str, "DOCUMENTS", "name (default) or order: which document of the response is which of the key"),
    "word_column": (int, "N", "the column of CoNLL-2012 files that has the words, from 1 (default: it is found)"),
    "cross_document": (flag, "", "entities of one name in several documents are one, all documents one partition"),
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
SINGULAR = {"documents": "document", "mentions": "mention", "entities": "entity"}
OVERVIEW = ("muc_f1", "b3_f1", "ceafe_f1", "conll_f1", "lea_f1", "mention_f1", "kappa")  # of several pairs of files
ENDS = ("difference_low", "difference_high")


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics coref",
        description="Scores a coreference response against a key, in percent.",
        epilog="Example: meaning-metrics coref key.conll response.conll --measures muc b3 ceafe conll_f1",
    )
    parser.add_argument("key", metavar="KEY", help="the key: a file, or a folder of files")
    parser.add_argument(
        "response", metavar="RESPONSE", help="the response: a file, or a folder of files; one may be -, standard input"
    )
    parser.add_argument(
        "more", metavar="FILE", nargs="*", default=[], help="several data sets: all keys first, then as many responses"
    )
    add_options(parser, HANDED_ON)
    parser.add_argument("--measures", nargs="+", metavar="NAME", help="measures to give, such as muc b3 conll_f1")
    parser.add_argument("--no-singletons", action="store_true", help="remove each side's singletons first")
    add_options(parser, SCORING)
    parser.add_argument("--compare", metavar="OTHER", help="another response, to compare with")
    parser.add_argument("--explain", metavar="VALUE", help="say which conventions give the number another tool printed")
    parser.add_argument("--agreement", action="store_true", help="the files are those of annotators: score every two")
    parser.add_argument("--html", metavar="PAGE", help="write a page that shows what went wrong")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON, in 0 to 1")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return run_command(parser(), output_lines, arguments)


def output_lines(args: argparse.Namespace) -> list[str]:
    """The lines to print."""
    with TemporaryDirectory() as folder:
        for name in ("key", "response", "compare"):
            setattr(args, name, _kept(getattr(args, name), folder))
        args.more = [_kept(path, folder) for path in args.more]
        return _output_lines(args)


def _kept(path, folder):
    """A path that can be read more than once: what a pipe or standard input has is kept in the folder."""
    if path != "-" and not (path and os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)):
        return path
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        text = file.read()
    kept = os.path.join(folder, "standard input" if path == "-" else os.path.basename(path))
    with open(kept, "wb") as file:
        file.write(text)
    return kept


def _output_lines(args):
    if args.explain is not None:
        return explained(args)
    if args.agreement or args.more:
        return several(args)
    result = score(args)
    if args.json:
        return in_json({name: value for name, value in result.items() if name != "documents"})
    return [*as_table(result), *as_comparison(result.get("comparison", {}))]


def options_of(args: argparse.Namespace) -> dict:
    """The options of scoring that are on the command line."""
    scoring = handed_on(args, (*HANDED_ON, *SCORING, "measures"))
    return scoring | ({"keep_singletons": False} if args.no_singletons else {})


def score(args: argparse.Namespace) -> dict:
    """The scores, with details, and under "comparison" those of the comparison, if one is asked for."""
    from ..muc_b3_ceaf_entropy.read_pairs import read_pairs
    from ..muc_b3_ceaf_entropy.score_files import FileOptions, compare_pairs, score_pairs
    from ..muc_b3_ceaf_entropy.show_report import report

    scoring = options_of(args)
    options = FileOptions.of(scoring, "score")  # wrong options first
    if args.html:
        return report(args.key, args.response, args.html, other=args.compare, **scoring)
    pairs = read_pairs(args.key, args.response, options)
    result = score_pairs(pairs, replace(options, details=True))
    if args.compare:
        result["comparison"] = compare_pairs(pairs, read_pairs(args.key, args.compare, options), options)
    return result


def explained(args: argparse.Namespace) -> list[str]:
    """What gives the number that was printed elsewhere."""
    from ..muc_b3_ceaf_entropy.show_conventions import READ_SO, explain_score

    _alone(args, "--explain", "more", "agreement", "compare", "html")
    if len(args.measures or ()) > 1:
        raise ValueError(f"--measures: found {', '.join(args.measures)}, expected one beside --explain")
    given = handed_on(args, READ_SO)
    found = explain_score(args.key, args.response, args.explain, measure=(args.measures or [None])[0], **given)
    return in_json(found) if args.json else found["text"].splitlines()


def several(args: argparse.Namespace) -> list[str]:
    """The scores of every two annotators, or of several data sets, and their mean."""
    from ..muc_b3_ceaf_entropy.measure_agreement import agreement
    from ..muc_b3_ceaf_entropy.score_files import score_files

    _alone(args, "--agreement" if args.agreement else "several files", "compare", "html")
    paths, scoring = [args.key, args.response, *args.more], options_of(args)
    if args.agreement:
        result = agreement(dict(zip(_names(paths), paths)), **scoring)
        rows = [(f"{pair['a']}, {pair['b']}", pair) for pair in result["pairs"]]
        mean = result["mean"]
    else:
        if len(paths) % 2:
            raise ValueError(f"found {len(paths)} files, expected as many responses as keys")
        half = len(paths) // 2
        mean = result = score_files(paths[:half], paths[half:], **scoring)
        rows = list(zip(_names(paths[:half]), result["files"]))
    return in_json(result) if args.json else _as_rows([*rows, ("mean", mean)], args.measures)


def _alone(args, option, *others):
    for other in others:
        if getattr(args, other):
            raise ValueError(f"{option}: found {other} beside it, expected one of them alone")


def _names(paths):
    """What to call files: their names, or all of their paths where names are the same."""
    names = [os.path.basename(os.path.normpath(path)) for path in paths]
    return names if len(set(names)) == len(names) else paths


def _as_rows(rows, measures):
    """A line for each pair of files, a column for each F1 and single value."""
    from ..muc_b3_ceaf_entropy.show_page import number

    ends = ("_recall", "_precision", "_low", "_high")
    keys = [key for key, value in rows[0][1].items() if isinstance(value, float) and not key.endswith(ends)]
    keys = keys if measures else [key for key in keys if key in OVERVIEW]
    return aligned([("", *keys), *((name, *(number(scores[key]) for key in keys)) for name, scores in rows)])


def as_table(result: dict) -> list[str]:
    """A line for each measure, in percent, with the counts x / y that the CoNLL scorer prints."""
    from ..muc_b3_ceaf_entropy.show_page import score_rows

    totals = {name: count for name, count in result["totals"].items() if isinstance(count, int)}
    rows = [row[:1] + row[3:] + row[1:3] for row in score_rows(result, result["totals"]["fractions"])]
    if any(recall for _, recall, *_ in rows):
        rows.insert(0, ("", f"recall {FOUND}", f"precision {FOUND}", "F1", ""))
    return [*aligned(rows), "", ", ".join(counted(count, name.replace("_", " ")) for name, count in totals.items())]


def counted(count: int, name: str) -> str:
    """The number and the noun, "1 document"."""
    before, _, noun = name.rpartition(" ")
    return f"{count} {before} {SINGULAR.get(noun, noun) if count == 1 else noun}".replace("  ", " ")


def as_comparison(compared: dict) -> list[str]:
    """A line for each F1 and single value: both systems, difference, its interval and p; then the documents."""
    from ..muc_b3_ceaf_entropy.show_page import most_different, number, p_values

    if not compared:
        return []
    names = ["a", "b", "difference", *(name for name in ENDS if any(key.endswith(name) for key in compared))]
    rows = [("", "RESPONSE", "OTHER", "difference", *(name.rpartition("_")[2] for name in names[3:]), "p")]
    for key, p_value in p_values(compared).items():
        rows.append((key, *(number(compared[f"{key}_{name}"]) for name in names), f"{p_value:.4f}"))
    title, differing = most_different(compared)
    lines = ["", *aligned(rows), "", title + (", most in:" if differing else "")]
    return lines + (aligned([row[1:] for row in differing]) if differing else [])
