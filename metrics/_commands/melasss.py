"""meaning-metrics melasss: do summaries carry their texts' information?"""

import argparse
from functools import partial
from html import escape

from .._loading import input_error
from .files import check_outputs, separated
from .page import add_page_option, scores_output, with_intervals
from .pairs import Pairs, Side, add_pairs, read_pairs
from .shared import Options, Output, Parser, add_options, handed_on, number_or_word
from .tables import add_comparison_options, add_table_options, columns_of

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
    )
    add_pairs(parser, PAIRS)
    add_options(parser, HANDED_ON | OF_THE_JUDGE)
    add_comparison_options(parser, "summaries")
    parser.add_argument("--examples", metavar="FILE", help="write the scores of each summary, tab-separated")
    add_page_option(parser)
    add_table_options(parser)
    return parser


def output(args: argparse.Namespace) -> Output:
    """The scores, and the table of the examples if one is asked for."""
    check_outputs(args, "examples", "html")
    args.texts, systems = read_pairs(args, PAIRS)
    with_intervals(args, len(args.texts))
    options = handed_on(args, (*HANDED_ON, "confidence"))
    if judged := handed_on(args, OF_THE_JUDGE):
        if args.similarity != "llm" and args.rewrite is None:
            found = "neither --rewrite nor --similarity llm"
            raise input_error(f"--{next(iter(judged))}", found, "one of these two, which ask a model")
        options["judge"] = open_judge(options, judged)
    from .. import summaries  # after all that a file can have wrong: torch takes seconds
    from ..melasss.scoring import sample_of

    results, written = {}, {}
    for name, shorter in systems.items():
        args.summaries = shorter  # which errors name
        result = summaries(shorter, args.texts, details=True, **options)
        results[name] = result | {"summaries": list(map(on_one_line, shorter))}
    if args.examples:
        counted = {
            name: result | {each: list(map(len, result[each])) for each in COUNTED if each in result}
            for name, result in results.items()
        }
        columns = columns_of(counted, {"scores": "score", **{name: name for name in COUNTED}})
        columns |= columns_of(results, {"summaries": "summary"})
        written[args.examples] = separated(columns, zip(*columns.values(), strict=True))

    drawn = partial(summary_of, results), partial(text_of, results)
    lines, page = scores_output(results, sample_of, args, "Summaries", "text", *drawn)
    return Output(lines, {**written, **page})


def text_of(results: dict[str, dict], i: int) -> str:
    """An example's text, sentence by sentence, folded, as HTML."""
    sentences = next(iter(results.values())).get("text_sentences")
    if sentences is None:
        return ""
    lines = "".join(f"<p><i>{n}</i>{escape(sentence)}" for n, sentence in enumerate(sentences[i], 1))
    return f"<details><summary>Text, {len(sentences[i])} sentences</summary>{lines}</details>"


def summary_of(results: dict[str, dict], name: str, i: int) -> str:
    """A summary as HTML: each sentence with the nearest of the text, what is in doubt marked, and why."""
    from ..melasss.show_doubts import doubts, with_doubts

    result = results[name]
    if "evidence" not in result:
        return f"<p>{escape(result['summaries'][i])}"
    row = {key: result[key][i] for key in ("summary_sentences", "text_sentences", "evidence", "unsupported")}
    drawn = ""
    for j, source in enumerate(result["summary_matches"][i]):
        against = "".join(f' <small class="doubt">{escape(what)}</small>' for what, _ in doubts(row, j))
        drawn += f'<p dir="auto"><i>near {source + 1}</i>{with_doubts(row, j)}{against}'
    return drawn or "<p>It is empty."


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
