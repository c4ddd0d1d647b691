"""Speed of MeLaSSS by the length of the text: relevance beside consistency, and how much of each is encoding.

    python benchmarks/speed/time_summaries_lengths.py [--save]

Texts are sentences of the articles of ../shared/data/summeval in random order, each new to the encoder, with summaries
of these articles. Relevance encodes a text's first 250 words, consistency all. Seconds are those of the processor, the
best of several runs.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.agreement_summaries import summeval  # noqa: E402
from benchmarks.report import print_table  # noqa: E402
from metrics.melasss.scoring import Options, Scorer  # noqa: E402
from metrics.melasss.text_sentences import split, words  # noqa: E402

SETTINGS = ((600, 12, 1, 3), (600, 4, 16, 3), (30_000, 1, 1, 1), (30_000, 1, 16, 1))  # words, texts, summaries, runs


def text_of(n_words, seed):
    """A text of so many words, all sentences different."""
    sentences = sorted({sentence for row in summeval() for sentence in split(row["text"])})
    order = np.random.default_rng(seed).permutation(len(sentences)).tolist()
    kept, n = [], 0
    while n < n_words:
        k = len(kept)
        sentence = sentences[order[k % len(order)]]
        kept.append(sentence if k < len(order) else f"{sentence[:-1]}, {k}.")
        n += len(words(kept[-1]))
    return " ".join(kept)


def seconds(scorer, summaries, texts, runs):
    """(all, encoding) seconds of the processor."""
    best = float("inf"), 0.0
    sides, encoding = scorer.encoder.sides, 0.0

    def timed(*given):
        nonlocal encoding
        start = time.process_time()
        found = sides(*given)
        encoding += time.process_time() - start
        return found

    scorer.encoder.sides = timed
    for _ in range(runs):
        scorer.encoder.forget()
        encoding, start = 0.0, time.process_time()
        scorer.score(summaries, texts)
        best = min(best, (time.process_time() - start, encoding))
    del scorer.encoder.sides
    return best


def rows():
    scorers = [Scorer(Options(aspect=aspect)) for aspect in ("relevance", "consistency")]
    for n_words, n_texts, n_each, runs in SETTINGS:
        texts = [text_of(n_words, seed) for seed in range(n_texts) for _ in range(n_each)]
        summaries = [row["summary"] for row in summeval()[: len(texts)]]
        found = [seconds(scorer, summaries, texts, runs) for scorer in scorers]
        cells = [f"{total / len(texts):.3f} ({encoding / total:.0%})" for total, encoding in found]
        yield f"{n_words:,}", str(n_each), *cells, f"{found[1][0] / found[0][0]:.1f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="write the page to benchmarks/results")
    print_table(
        "MeLaSSS: speed by length",
        (),
        "all-MiniLM-L6-v2, float32, one thread; seconds of the processor a summary, and the share of encoding in them.",
        "| words of a text | summaries of it | relevance | consistency | ratio |\n|---:|---:|---:|---:|---:|",
        rows(),
        "melasss_lengths" if parser.parse_args().save else None,
        "python benchmarks/speed/time_summaries_lengths.py",
    )
