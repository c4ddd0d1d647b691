"""Morpheval's verdicts beside those of readers who had not seen its rules: python benchmarks/papers/judged_verdicts.py

tests/morpheval/judged_<language>.jsonl: translations with the verdicts that their writers gave, in rounds. Each round
was opened once; what was the same then, before its causes were mended, is kept here. From q on a second reader judged
each item, too (the same in 97.2 to 100 %): what one of them calls arguable, or judges otherwise, is arguable. All but
French need dictionaries, Italian Morph-it!, too (docs/morpheval/lexicons.md).
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics import morphology  # noqa: E402
from metrics.morpheval.intervals import wilson  # noqa: E402
from tests.morpheval.items import compared, judged  # noqa: E402

# By language and round, when it was opened: verdicts that were the same, and of those that are not arguable (both in
# per cent), and clear failures that passed; None where that was not written down.
NOT_KEPT = (None, None, None)
ROUNDS = {
    "fr": {
        **dict.fromkeys("abcdefgh", NOT_KEPT),
        "i": (97.4, None, 2),
        "j": (96.3, None, None),
        "k": (97.2, 97.2, 4),
        "l": (97.2, 98.3, 0),
        "m": (95.6, 97.4, 0),
        "n": (97.6, 98.7, 0),
        "o": (94.8, 97.0, 0),
        "p": (92.6, 93.9, 0),
        "q": (93.3, 95.1, 2),
        "r": (94.7, 96.2, 0),
        "s": (96.6, 100.0, 0),
        "t": (96.2, 98.4, 1),
        "u": (94.2, 96.3, 1),
        "v": (94.7, 96.7, 1),
    },
    "es": {
        **dict.fromkeys("adefg", NOT_KEPT),
        "h": (97.6, None, 0),
        "j": (93.3, None, None),
        "k": (95.4, 96.1, 1),
        "l": (91.2, 93.9, 0),
        "m": (94.4, 96.5, 1),
        "n": (91.6, 94.8, 1),
        "o": (94.4, 96.1, 0),
        "p": (85.2, 89.3, 4),
        "q": (93.3, 95.1, 4),
        "r": (92.3, 94.2, 0),
        "s": (93.8, 96.8, 0),
        "t": (94.2, 96.2, 0),
        "u": (94.7, 96.4, 1),
        "v": (93.3, 94.3, 2),
    },
    "it": {
        **dict.fromkeys("efgh", NOT_KEPT),
        "i": (96.7, None, 3),
        "j": (90.0, None, None),
        "k": (93.2, 93.2, 3),
        "l": (88.0, 90.0, 4),
        "m": (91.6, 92.3, 1),
        "n": (92.8, 93.6, 0),
        "o": (93.6, 95.3, 1),
        "p": (92.6, 95.5, 1),
        "q": (88.5, 91.7, 5),
        "r": (90.9, 93.4, 0),
        "s": (89.4, 95.2, 0),
        "t": (88.5, 90.6, 2),
        "u": (95.2, 97.8, 1),
        "v": (88.9, 92.1, 2),
    },
    "pt": {
        **dict.fromkeys("i", NOT_KEPT),
        "j": (85.9, None, 2),
        "l": (93.2, 96.1, 0),
        "n": (96.4, 97.4, 0),
        "p": (89.3, 94.2, 0),
        "q": (89.4, 91.3, 2),
        "r": (93.3, 94.8, 2),
        "s": (89.9, 92.6, 2),
        "t": (92.8, 96.3, 4),
        "u": (93.8, 95.2, 3),
        "v": (92.8, 94.9, 2),
    },
}
LANGUAGES = {"fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}
HEADER = (
    "| language | round | verdicts | when opened: the same, % | of the clear ones, % | clear failures that pass "
    "| now: the same, % [95 %] | of the clear ones, % | clear failures that pass |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|"
)


def judged_round(language: str, items: list[dict]) -> list[tuple]:
    """(is it arguable, reader's verdict, the metric's) of every verdict of a round."""
    references = [{"test": item["test"], "sources": item["sources"]} for item in items]
    translations = [item["translations"] for item in items]
    found = morphology(translations, references, language=language, details=True)["verdicts"]
    return [
        (bool(item.get("arguable")), *pair) for item, verdict in zip(items, found) for pair in compared(item, verdict)
    ]


def rows():
    for language, rounds in ROUNDS.items():
        items = judged(language)
        for name, opened in rounds.items():
            verdicts = judged_round(language, items[name])
            clear = [(reader, found) for arguable, reader, found in verdicts if not arguable]
            n, same = len(verdicts), sum(reader == found for _, reader, found in verdicts)
            low, high = wilson(same / n, n)
            yield (
                LANGUAGES[language],
                name,
                str(n),
                *("" if value is None else str(value) for value in opened),
                f"{100 * same / n:.1f} [{100 * low:.1f}, {100 * high:.1f}]",
                f"{100 * sum(reader == found for reader, found in clear) / len(clear):.1f}",
                str(clear.count(("fail", "pass"))),
            )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    save = "morpheval_judged" if parser.parse_args(arguments).save else None
    setting = (
        "translations that others wrote and judged without sight of the rules, each round opened once and then mended "
        "on, from q on with a second reader; Wilson's intervals; Italian with Morph-it!."
    )
    command = "benchmarks/papers/judged_verdicts.py --save"
    print_table("Morpheval: verdicts beside readers'", (), setting, HEADER, rows(), save, command)


if __name__ == "__main__":
    main()
