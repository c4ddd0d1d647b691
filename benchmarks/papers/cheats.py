"""MeLaSSS on ways to cheat: how often a good summary in other words beats what was made to look like one.

    python benchmarks/papers/cheats.py [--save]

Ten texts of five genres (summaries/cheats.jsonl, written for this), one of 150 and one of some 400 words of each, with
a good summary that avoids the text's words, and the same with its roles swapped, its names changed, and its last
sentence invented, by hand. Other ways are rules here. Nothing was fitted, chosen or mended by these figures.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.corruptions import RULES, length, up_to  # noqa: E402
from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics.melasss.scoring import Options, Scorer  # noqa: E402
from metrics.melasss.text_sentences import split  # noqa: E402

TEXTS = Path(__file__).parent / "summaries" / "cheats.jsonl"
ASPECTS = ("relevance", "consistency")
DRAWS = 5  # of sentences at random
BY_HAND = {
    "invented": "the last sentence invented",
    "roles": "who did what to whom swapped",
    "names": "names and things changed",
}
PRAISE = "This is an accurate, complete and excellent summary of the whole text. "


def at_random(text, good, seed):
    """Sentences of the text at random, in its order, as long as the good summary."""
    order = np.random.default_rng(seed).permutation(len(text))
    drawn = up_to([text[i] for i in order], length(good))
    return " ".join(sentence for sentence in text if sentence in drawn)


def cheats(row):
    """Yield (what it is, summary) of a text."""
    text, good = split(row["text"]), split(row["good"])
    arguments = (text, good, None, None)
    for seed in range(DRAWS):
        yield "sentences drawn at random", at_random(text, good, seed)
    yield "keywords in a frame", f"The text is about {RULES['keywords'](*arguments)[0]}."
    yield "every sentence of the text cut after seven words", " ".join(" ".join(s.split()[:7]) + "." for s in text)
    yield "praise of itself, and the text's beginning", PRAISE + " ".join(RULES["lead"](*arguments))
    yield "the text's beginning", " ".join(RULES["lead"](*arguments))
    yield "the first sentence of the good summary", good[0]
    yield from ((said, row[name]) for name, said in BY_HAND.items())


def lines():
    """The page: for each way the texts of which the good summary has the higher score, and mean scores."""
    rows = [json.loads(line) for line in TEXTS.read_text(encoding="utf-8").splitlines()]
    made = [list(cheats(row)) for row in rows]
    summaries = [summary for row, ways in zip(rows, made) for summary in (row["good"], *(s for _, s in ways))]
    texts = [row["text"] for row, ways in zip(rows, made) for _ in range(len(ways) + 1)]
    scorers = [Scorer(Options(details=True, aspect=aspect)) for aspect in ASPECTS]
    found = [np.reshape(scorer.score(summaries, texts)["scores"], (len(rows), -1)) for scorer in scorers]
    setting = "; ".join(scorer.signature() for scorer in scorers)
    yield from head("MeLaSSS: ways to cheat", (), setting, "python benchmarks/papers/cheats.py")
    yield "Of ten texts, five of 150 and five of some 400 words, those whose good summary in other words has the higher"
    yield f"score, and the mean scores of the two. Of {DRAWS} draws of sentences at random it has to beat the mean."
    yield from ("", "| way | relevance | good, cheat | consistency | good, cheat |", "|---|---:|---:|---:|---:|")
    ways = [way for way, _ in made[0]]
    for way in dict.fromkeys(ways):
        columns = [k for k, other in enumerate(ways, 1) if other == way]
        cells = [way]
        for scores in found:
            good, cheat = scores[:, 0], scores[:, columns].mean(axis=1)
            cells += [f"{(good > cheat).sum()} of {len(rows)}", f"{good.mean():.2f}, {cheat.mean():.2f}"]
        yield table_row(cells)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="write the page to benchmarks/results")
    print_page(lines(), "cheats" if parser.parse_args().save else None)
