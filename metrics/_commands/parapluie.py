"""meaning-metrics parapluie: are the lines of one file paraphrases of those of another?"""

import argparse
import json
import warnings

from .._loading import input_error, with_default_judge
from .files import check_outputs, separated
from .page import add_page_option, scores_output, with_intervals
from .pairs import Pairs, Side, add_pairs, read_pairs
from .shared import Note, Options, Output, Parser, add_options, decimal, handed_on, number_or_word
from .tables import add_comparison_options, add_table_options, columns_of, is_plain


def as_json(text: str):
    """The type of an option that is written as JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"found {text!r} ({error}), expected JSON") from error


def as_grades(text: str):
    """The type of an option for grades: numbers with commas between them, or JSON."""
    return as_json(text if text.lstrip()[:1] in ("[", "{") else f"[{text}]")


HANDED_ON: Options = {
    "model_id": (
        str,
        "MODEL",
        "chat model or classifier of pairs, on the Hub or in a folder (default: small, the included judge)",
    ),
    "template": (
        str,
        "NAME",
        "direct, indirect, exact or fs_direct (default); with _fr in French; or a .json file of chat messages",
    ),
    "both_orders": (bool, "", "judge each pair in both orders (the small judge always does)"),
    "threshold": (float, "NUMBER", "pairs above it count as paraphrases (default: 0, or the middle of the grades)"),
    "grades": (as_grades, "LIST", 'grades instead of yes and no: 1,2,3,4,5 or JSON, {"poor": 1, "good": 2}'),
    "minimum_mass": (float, "SHARE", "stop if most of the first 64 pairs have a lower answer mass"),
    "classify": (bool, "", "also generate an answer, and read yes or no in it"),
    "resume": (str, "FILE", "store every answer in this file, so that an interrupted run can continue"),
    "batch_size": (number_or_word, "NUMBER", "pairs per forward pass, or auto (default)"),
    "max_new_tokens": (int, "NUMBER", "maximum length of an explanation, in tokens (templates indirect and exact)"),
    "think": (int, "NUMBER", "tokens that the model may think before it answers (default: 0)"),
    "revision": (str, "NAME", "commit, tag or branch of the model"),
    "dtype": (str, "NAME", "auto (default), float32, bfloat16, float16 or float64"),
    "device": (str, "NAME", "such as cpu or cuda:0 (default: auto)"),
    "endpoint": (str, "ADDRESS", "address of a server that runs the model, such as http://127.0.0.1:8000/v1"),
    "timeout": (float, "SECONDS", "how long to wait for a server that is starting (default: 120)"),
    "request": (as_json, "JSON", 'fields to add to every request, such as {"seed": 1}; null removes a field'),
}
# What data sets call the fields of .jsonl and the columns of tables.
PAIRS = Pairs(
    Side("sources", "source", "s", ("source", "text", "sentence1", "reference", "src", "question1")),
    Side(
        "hypotheses",
        "hypothesis",
        "t",
        ("hypothesis", "sentence2", "prediction", "paraphrase", "mt", "question2", "text"),
    ),
)
UNSCALED = ("score", "parapluie")  # no fractions
SMALL = "judge: small, for English; --model-id takes a chat model"  # said where none is named
ALL = 0.9995  # a mass that is printed as 1.000, as those of classifiers are
COLUMNS = {
    "grades": "grade",
    "scores": "score",
    "answer_masses": "answer_mass",
    "classes": "class",
    "too_close": "too_close",
    "unread": "unread",
}  # where the result has them


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics parapluie",
        description="Asks a judge model whether each hypothesis means the same as its source; the score is log p(yes) "
        "- log p(no).",
        epilog="Of the results, score is the mean (above 0 for paraphrases), paraphrase_rate the share of pairs above "
        "the threshold, and answer_mass the probability of both answers together; if it is near 0, the model would say "
        "something else. "
        "In a .jsonl file, each line is a JSON string, or an object with one of the fields above; .gz is "
        "unpacked, - is standard input. "
        "Example: %(prog)s sources.txt hypotheses.txt --model-id Qwen/Qwen2.5-0.5B-Instruct",
    )
    add_pairs(parser, PAIRS)
    add_options(parser, HANDED_ON)
    add_comparison_options(parser, "hypotheses")
    parser.add_argument("--pairs", metavar="FILE", help="write the scores of each pair, tab-separated")
    add_page_option(parser)
    add_table_options(parser, UNSCALED)
    return parser


def output(args: argparse.Namespace) -> Output:
    """The scores, and the table of the pairs if one is asked for."""
    check_outputs(args, "pairs", "html")
    options = handed_on(args, HANDED_ON)
    is_small = with_default_judge("parapluie", options) is not options
    if str(args.template).endswith(".json"):
        options["template"] = read_messages(args.template)
    args.sources, systems = read_pairs(args, PAIRS)
    with_intervals(args, len(args.sources))
    options |= handed_on(args, ["confidence"])
    from .. import paraphrases  # after all that a file can have wrong: torch takes seconds
    from ..parapluie.scoring import mass_deciles, sample_of

    results, written = {}, {}
    if is_small and not is_plain(args):
        warnings.warn(SMALL, Note, stacklevel=1)
    for name, hypotheses in systems.items():
        args.hypotheses = hypotheses  # which errors name
        results[name] = paraphrases(hypotheses, args.sources, details=True, **options) | {"hypotheses": hypotheses}
        del results[name]["edit_distance_correlation"]  # of the details
        if min(results[name]["answer_masses"]) < ALL:
            deciles = " ".join(map(decimal, mass_deciles(results[name]["answer_masses"])))
            warnings.warn(f"{name}: answer mass by decile, from the least: {deciles}", Note, stacklevel=1)
    if args.pairs:
        columns = (
            columns_of(results, COLUMNS) | {"source": args.sources} | columns_of(results, {"hypotheses": "hypothesis"})
        )
        written[args.pairs] = separated(columns, zip(*columns.values(), strict=True))

    lines, page = scores_output(
        results, sample_of, args, "Paraphrases", "pair", lambda name, i: marked(args.sources[i], systems[name][i])
    )
    return Output([SMALL, *lines] if is_small and is_plain(args) else lines, {**written, **page})


def marked(source: str, hypothesis: str) -> str:
    """Both texts with the words marked that the other does not have, as HTML."""
    from ..parapluie.show_differences import differences

    drawn = zip(("source", "hypothesis"), differences(source, hypothesis), strict=True)
    return "".join(f'<p dir="auto"><i>{side}</i>{text}' for side, text in drawn)


def read_messages(path: str) -> list:
    """The chat messages of a JSON file."""
    from ..morpheval.common_files import read_texts

    try:
        return json.loads("\n".join(read_texts(path)))
    except (json.JSONDecodeError, RecursionError) as error:
        raise input_error("--template", f"no JSON in {path!r} ({error})", "a list of chat messages") from error
