"""Coreference's intervals and p-values on simulated corpora: do they hold what they promise?

    make harden                                       (or: python benchmarks/stress/confidence.py)

A population of simulated documents of various lengths, with two systems that make the same kinds of
errors at the same rates, is scored once. Corpora are drawn from it. A 95 % interval must contain
the population's score for 93 to 97 % of the corpora, and p < .05 must occur for 4 to 6 % where the
systems are equally good. --save writes the table to benchmarks/results.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["TQDM_DISABLE"] = "1"

from benchmarks.report import print_table  # noqa: E402
from metrics.muc_b3_ceaf_entropy.common_statistics import bootstrap_interval, randomisation_p_values  # noqa: E402
from metrics.muc_b3_ceaf_entropy.measures import Corpus  # noqa: E402
from metrics.muc_b3_ceaf_entropy.scoring import Options, corpus_of, count, prepare  # noqa: E402

KEYS = ("muc_f1", "b3_f1", "ceafe_f1", "blanc_f1", "lea_f1", "conll_f1", "core_f1", "entropy_f1", "kappa")


# ---- The population ----


def document(random: np.random.Generator) -> tuple:
    """A key and two systems' responses; documents that are long, or hard for both, are rare."""
    n = int(np.clip(random.lognormal(3, 0.6), 4, 150))
    key = random.integers(0, max(2, n // 4), n)
    rate = random.beta(2, 5)
    return (clusters(key), *(clusters(with_errors(key, rate, random)) for _ in range(2)))


def with_errors(key: np.ndarray, rate: float, random: np.random.Generator) -> np.ndarray:
    """The labels of a response: some mentions are in another class, alone, or (-1) missing."""
    response = key.copy()
    error = random.random(len(key))
    response[error < rate / 2] = random.choice(key, (error < rate / 2).sum())
    alone = (error >= rate / 2) & (error < rate)
    response[alone] = len(key) + np.flatnonzero(alone)
    response[error > 0.95] = -1
    return response


def clusters(labels: np.ndarray) -> list:
    """Clusters, from a label for each mention."""
    classes = {}
    for mention, label in enumerate(labels.tolist()):
        if label >= 0:
            classes.setdefault(label, []).append(f"m{mention}")
    return list(classes.values())


def population(size: int, average: str, seed: int = 0) -> tuple[Corpus, Corpus]:
    """The counts of two systems' responses to `size` documents."""
    random = np.random.default_rng(seed)
    keys, *systems = zip(*(document(random) for _ in range(size)))
    options = Options(average=average)
    return tuple(corpus_of(count(prepare(responses, keys, options), options), options) for responses in systems)


# ---- What is checked ----


def coverage(corpus: Corpus, n: int, runs: int, n_resamples: int = 1000, seed: int = 1) -> dict:
    """{key: share of the corpora of n documents whose 95 % interval contains the population's score}."""
    random = np.random.default_rng(seed)
    truth = corpus.values(corpus.summands.sum(axis=0))
    inside = np.zeros(len(truth))
    for run in range(runs):
        sample = corpus.summands[random.integers(0, len(corpus.summands), n)]
        low, high = bootstrap_interval(sample, corpus.values, 0.95, n_resamples, run)
        inside += (low <= truth) & (truth <= high)
    return dict(zip(corpus.keys, inside / runs))


def false_alarms(first: Corpus, second: Corpus, n: int, runs: int, n_resamples: int = 999, seed: int = 2) -> dict:
    """{key: share of the corpora of n documents where equally good systems differ at p < .05}."""
    random = np.random.default_rng(seed)
    significant = np.zeros(len(first.keys))
    for run in range(runs):
        drawn = random.integers(0, len(first.summands), n)
        p_values = randomisation_p_values(first.summands[drawn], second.summands[drawn], first.values, n_resamples, run)
        significant += p_values < 0.05
    return dict(zip(first.keys, significant / runs))


def rows(runs: int):
    """The rows of the table."""
    for average in ("micro", "macro"):
        a, b = population(20_000, average)
        for n in (50, 100, 348):
            shares = coverage(a, n, runs)
            yield f"95 % interval holds the truth, {n} documents, {average}", *cells(shares), ".93 to .97"
        for n in (20, 100):
            shares = false_alarms(a, b, n, runs)
            yield f"p < .05 of equal systems, {n} documents, {average}", *cells(shares), ".04 to .06"


def cells(shares: dict) -> list[str]:
    return [f"{shares[key]:.3f}" for key in KEYS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000, help="corpora for each row")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    print_table(
        "Coreference: do intervals and p-values hold what they promise?",
        ("numpy", "scipy"),
        f"{arguments.runs:,} simulated corpora for each row.",
        f"| share of corpora | {' | '.join(KEYS)} | target |\n|---|{'---:|' * len(KEYS)}---|",
        rows(arguments.runs),
        "confidence" if arguments.save else None,
        command="make harden",
    )


if __name__ == "__main__":
    main()
