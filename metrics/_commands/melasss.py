"""meaning-metrics melasss: do summaries carry their texts' information?"""

import argparse
import json

from ..muc_b3_ceaf_entropy.command import Parser, carry_out
from .shared import add_options, as_lines, check_output, handed_on, number_or_word, read_lines, write_rows

HANDED_ON = {
    "similarity": (str, "NAME", "regression (default), rouge, attention, transformer, or llm, a chat model asked"),
    "aspect": (str, "NAME", "what regression estimates: relevance (default), consistency"),
    "encoder": (str, "MODEL", "encoder on the Hub or in a folder (default: the head's)"),
    "pooling": (str, "NAME", "mean of an encoder's tokens, or cls (default: the head's)"),
    "head": (str, "HEAD", "folder or repository of a trained head"),
    "rewrite": (str, "NAME", "simplify or relations: a chat model first rewrites the sentences"),
    "model_id": (str, "MODEL", "chat model of --rewrite and llm (default: meta-llama/Meta-Llama-3-8B-Instruct)"),
    "resume": (str, "FILE", "keeps what the chat model says: an interrupted run goes on from it"),
    "batch_size": (number_or_word, "NUMBER", "prompts of the chat model in one forward pass, or auto (default)"),
    "device": (str, "NAME", "such as cpu or cuda:0 (default: auto)"),
    "endpoint": (str, "ADDRESS", "a server that has the chat model, such as http://127.0.0.1:8000/v1"),
}
COUNTED = ("uncovered", "unsupported")  # lists of sentences, where the result has them


def parser() -> Parser:
    """What may stand on the command line."""
    found = Parser(
        "meaning-metrics melasss",
        description="Scores summaries against the texts they summarise, without reference summaries, in 0 to 1.",
        epilog="Files have one text a line; those that end in .jsonl a JSON string, or list of sentences, a line. "
        "Example: meaning-metrics melasss texts.txt summaries.txt --examples examples.tsv",
    )
    found.add_argument("texts", metavar="TEXTS", help="the texts")
    found.add_argument("summaries", metavar="SUMMARIES", help="a summary of each")
    add_options(found, HANDED_ON)
    found.add_argument("--examples", metavar="FILE", help="write each summary's score, columns by tabs")
    found.add_argument("--json", action="store_true", help="print the scores as JSON")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status: 2 for wrong input, with one line on what is wrong."""
    return carry_out(parser(), printed, arguments)


def printed(given: argparse.Namespace) -> list[str]:
    """The lines to print."""
    from .. import summaries

    check_output("--examples", given.examples, given.texts, given.summaries)
    texts, shorter = read_texts(given.texts), read_texts(given.summaries)
    result = summaries(shorter, texts, details=True, **handed_on(given, HANDED_ON))
    if given.examples:
        columns = {"score": result["scores"]}
        columns |= {name: list(map(len, result[name])) for name in COUNTED if name in result}
        written = [summary if isinstance(summary, str) else " ".join(summary) for summary in shorter]
        write_rows(given.examples, (*columns, "summary"), zip(*columns.values(), written))
    return as_lines(result, given.json)


def read_texts(path: str) -> list:
    """The texts of a file, strings or, in JSON lines, also lists of sentences.

    Raises:
        ValueError: it cannot be read; with the line.
    """
    lines = read_lines(path)
    if not path.endswith(".jsonl"):
        return lines
    texts = []
    for number, line in enumerate(lines, start=1):
        try:
            texts.append(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: found {line[:60]!r} ({error}), expected JSON") from error
    return texts
