"""meaning-metrics melasss: do summaries carry their texts' information?"""

import argparse

from .files import check_output, named_on, tab_separated
from .pairs import Pairs, Side, add_pairs, read_pairs
from .shared import Options, Output, Parser, add_options, handed_on, number_or_word
from .tables import add_comparison_options, add_table_options, columns_of, scores_printed

HANDED_ON: Options = {
    "similarity": (str, "NAME", "regression (default), rouge, attention, transformer, or llm, a chat model asked"),
    "aspect": (str, "NAME", "what regression estimates: relevance (default), consistency"),
    "encoder": (str, "MODEL", "encoder on the Hub or in a folder (default: the head's)"),
    "pooling": (str, "NAME", "mean or cls: how the encoder's tokens become one vector (default: the head's)"),
    "head": (str, "HEAD", "trained head: a folder or a repository"),
    "rewrite": (str, "NAME", "have a chat model rewrite the sentences first: simplify or relations"),
    "model_id": (str, "MODEL", "chat model for --rewrite and llm (default: meta-llama/Meta-Llama-3-8B-Instruct)"),
    "batch_size": (number_or_word, "NUMBER", "prompts per forward pass of the chat model, or auto (default)"),
    "device": (str, "NAME", "such as cpu or cuda:0 (default: auto)"),
}
# A chat model that is served, or whose answers are kept, is a judge of parapluie's.
OF_THE_JUDGE: Options = {
    "resume": (str, "FILE", "store the chat model's answers in this file, so that an interrupted run can continue"),
    "endpoint": (str, "ADDRESS", "address of a server that runs the chat model, such as http://127.0.0.1:8000/v1"),
}
# What collections of summaries call the fields of .jsonl and the columns of tables.
PAIRS = Pairs(
    Side("texts", "text", "t", ("text", "article", "document", "source", "dialogue", "reference")),
    Side("summaries", "summary", "s", ("summary", "decoded", "prediction", "highlights", "hypothesis", "text")),
)
COUNTED = ("uncovered", "unsupported")  # lists of sentences, where the result has them


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics melasss",
        description="Scores summaries against the texts they summarise, from 0 to 1, without reference summaries.",
        epilog="Files have one text per line. In a .jsonl file, each line is a JSON string, a list of sentences, or an "
        "object with one of the fields above. Files may be compressed (.gz); - is standard input. "
        "Example: %(prog)s texts.txt summaries.txt --examples examples.tsv",
        sides={"predictions": "summaries", "references": "texts"},
    )
    add_pairs(parser, PAIRS)
    add_options(parser, HANDED_ON | OF_THE_JUDGE)
    add_comparison_options(parser, "summaries")
    parser.add_argument("--examples", metavar="FILE", help="write the scores of each summary, tab-separated")
    add_table_options(parser)
    return parser


def output(args: argparse.Namespace) -> Output:
    """The scores, and the table of the examples if one is asked for."""
    check_output("--examples", args.examples, *named_on(args, but="examples"))
    args.texts, systems = read_pairs(args, PAIRS)
    options = handed_on(args, (*HANDED_ON, "confidence"))
    if judged := handed_on(args, OF_THE_JUDGE):
        if args.similarity != "llm" and args.rewrite is None:
            raise ValueError(
                f"--{next(iter(judged))}: found it without --rewrite or --similarity llm, which ask a model"
            )
        options["judge"] = open_judge(options, judged)
    from .. import summaries  # after all that a file can have wrong: torch takes seconds
    from ..melasss.scoring import sample_of

    results, written = {}, {}
    for name, shorter in systems.items():
        args.summaries = shorter  # which errors name
        found = summaries(shorter, args.texts, details=True, **options)
        counts = {each: list(map(len, found[each])) for each in COUNTED if each in found}
        results[name] = found | counts | {"summaries": list(map(on_one_line, shorter))}
    if args.examples:
        columns = columns_of(results, {"scores": "score", **{name: name for name in COUNTED}})
        columns |= columns_of(results, {"summaries": "summary"})
        written[args.examples] = tab_separated(columns, zip(*columns.values(), strict=True))
    return Output(scores_printed(results, sample_of, args), written)


def on_one_line(summary: str | list[str]) -> str:
    """A summary as a cell of a table, without the marks of a list."""
    from ..melasss.text_sentences import without_items

    lines = summary.splitlines() if isinstance(summary, str) else summary
    return " ".join(without_items([line.strip() for line in lines if line.strip()]))


def open_judge(options: dict, judged: dict):
    """The judge that these options of the command ask for."""
    from ..melasss.scoring import Options
    from ..parapluie.judges import judge

    own = {name: options.pop(name) for name in ("model_id", "batch_size") if name in options}
    device = {"device": options["device"]} if "device" in options else {}  # the encoder's, too
    return judge(**{"model_id": Options.model_id, **own, **device, **judged})
