"""Speed of MeLaSSS on SummEval beside a naive pipeline.

    make bench                    (or: python benchmarks/speed/time_summaries.py [--quick] [--save])

The data are the 80 articles x 16 systems of ../shared/data/summeval, the encoder is
all-MiniLM-L6-v2, mean pooling. All pairs are scored by the default similarity, by a naive pipeline
(every sentence of every pair encoded separately, the same features) and by compute(). The floor is
the time of the encoder's matrix products for the tokens of the distinct sentences, at the rate of
such products measured in the same run.
"""

import argparse
import sys
import time
from pathlib import Path

import evaluate
import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.agreement_summaries import summeval  # noqa: E402
from benchmarks.report import print_table, seconds_cell  # noqa: E402
from metrics.melasss import encoder  # noqa: E402
from metrics.melasss.terms_pair import Pair, Side  # noqa: E402
from metrics.melasss.terms_table import ASPECTS, features  # noqa: E402
from metrics.melasss.text_sentences import natural, split  # noqa: E402


def joined(sentences, sides):
    """One side of the sides of its sentences."""
    owners = np.repeat(np.arange(len(sides)), [len(side.token_vectors) for side in sides])
    vectors, tokens = (np.concatenate([getattr(s, name) for s in sides]) for name in ("vectors", "token_vectors"))
    return Side(sentences, vectors, tokens, owners)


def naive(pairs):
    """Every sentence of every pair (rows of SummEval) encoded separately, nothing shared."""
    loaded = encoder.load()
    embedded = encoder.Encoder(loaded.model, loaded.tokenizer, "mean", "naive")
    scores, terms = [], ASPECTS["relevance"]
    for row in pairs:
        sides = []
        for name in ("text", "summary"):
            sentences, parts = split(row[name]), []
            for sentence in sentences:
                parts += embedded.sides([[sentence]])
                embedded.forget()
            sides.append(joined(sentences, parts))
        scores.append(features(Pair(*sides), terms))
    return scores


def best_rate(seconds=1.0):
    """Floating-point operations per second in products of the encoder's shape."""
    a, b = torch.randn(1024, 384), torch.randn(384, 1536)
    best, start = 0.0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        begin = time.perf_counter()
        for _ in range(10):
            a @ b
        best = max(best, 10 * 2 * a.shape[0] * b.numel() / (time.perf_counter() - begin))
    return best


def floor_seconds():
    """Seconds of the encoder's products for the distinct sentences: weights, and attention."""
    loaded = encoder.load(device="cpu")
    sentences = {s for row in summeval() for name in ("text", "summary") for s in split(row[name])}
    frame = sum(map(len, loaded.frame))
    lengths = [len(ids) + frame for ids in loaded._ids([natural(s) for s in sentences], False)]
    layers = loaded.model.encoder.layer
    weights = sum(p.numel() for p in layers.parameters() if p.dim() == 2)
    operations = 2 * weights * sum(lengths) + 4 * loaded.width * len(layers) * sum(n * n for n in lengths)
    return operations / best_rate(), len(sentences), sum(lengths)


def speed_rows(quick):
    rows = summeval()
    metric = evaluate.load(str(ROOT / "metrics" / "melasss"))
    texts, summaries = [row["text"] for row in rows], [row["summary"] for row in rows]
    metric.compute(predictions=summaries[:1], references=texts[:1])  # loads the models
    loaded = next(m for n, m in sys.modules.items() if n.endswith(".encoder") and "evaluate_modules" in n).load()

    def ours():
        loaded.forget()
        start = time.perf_counter()
        metric.compute(predictions=summaries, references=texts)
        return time.perf_counter() - start

    def encoding():
        loaded.forget()
        start = time.perf_counter()
        loaded.sides([split(text) for text in [*dict.fromkeys(texts), *summaries]])
        return time.perf_counter() - start

    floor, sentences, tokens = floor_seconds()
    mine, encoded = min(ours() for _ in range(3)), min(encoding() for _ in range(3))
    start = time.perf_counter()
    metric.compute(predictions=summaries, references=texts)
    again = time.perf_counter() - start
    if not quick:
        start = time.perf_counter()
        naive(rows)
        slow = time.perf_counter() - start
        yield "naive pipeline", seconds_cell(slow, 1), f"{len(rows) / slow:.1f} pairs/s"
        yield "compute()", seconds_cell(mine, 1), f"{len(rows) / mine:.0f} pairs/s, {slow / mine:.1f} x naive"
    yield "compute() again, sentences known", seconds_cell(again, 1), f"{len(rows) / again:.0f} pairs/s"
    share = f"{sentences / encoded:.0f} sentences/s, {floor / encoded:.0%} of the floor"
    yield "encoding alone", seconds_cell(encoded, 1), share
    floor, *_ = floor_seconds()
    yield "floor", seconds_cell(floor, 1), f"{sentences} distinct sentences, {tokens} tokens"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without the naive pipeline")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    print_table(
        "MeLaSSS: speed",
        ("torch", "transformers", "evaluate"),
        "all-MiniLM-L6-v2, float32, 1,280 pairs of SummEval; one run, all sides in it.",
        "| what | seconds | |\n|---|---:|---|",
        speed_rows(arguments.quick),
        "melasss" if arguments.save else None,
    )


if __name__ == "__main__":
    main()
