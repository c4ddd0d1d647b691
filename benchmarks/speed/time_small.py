"""MiniLM in numpy beside torch: start-up from the shell, pairs and sentences a second.

    make bench                    (or: python benchmarks/speed/time_small.py [--threads 2] [--save])

One process, both sides in turn, the best of five runs each. Pairs are 1,284 everyday ones of
benchmarks/papers/everyday, in both orders; sentences those of 80 articles of ../shared/data/summeval, with the vectors
of their tokens. The commands run in processes of their own; their time is the processor's, of user and system.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--threads", type=int, default=1, help="for each side")
parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
arguments = parser.parse_args()
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):  # read when numpy and torch are imported
    os.environ[name] = str(arguments.threads)

import numpy as np  # noqa: E402
import torch  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.agreement_summaries import summeval  # noqa: E402
from benchmarks.papers.everyday_pairs import EVERYDAY  # noqa: E402
from benchmarks.report import print_table  # noqa: E402
from metrics.melasss import encoder  # noqa: E402
from metrics.melasss.text_sentences import split  # noqa: E402
from metrics.parapluie.judge_pairs import PairJudge, load_classifier  # noqa: E402

RUNS = 5
PARTS = ("test", "exam", "kinds_test", "reworded_exam")
FILES = {"a": "The ferry leaves at noon.\n", "b": "The boat departs at midday.\n"}


def processor_seconds(command):
    """Of a process: the best of the runs."""
    seconds = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "metrics", *command], cwd=ROOT, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seconds)


def in_turn(*sides):
    """(seconds on the clock, result) of each side, the best of the runs, one side after the other."""
    best = [(float("inf"), None)] * len(sides)
    for _ in range(RUNS):
        for i, side in enumerate(sides):
            start = time.perf_counter()
            result = side()
            best[i] = min(best[i], (time.perf_counter() - start, result), key=lambda found: found[0])
    return best


def start_ups():
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in FILES]
        for path, text in zip(paths, FILES.values()):
            path.write_text(text)
        for metric, what in (("parapluie", "one pair"), ("melasss", "one summary")):
            command = [metric, *map(str, paths)] + ["--model-id", "small"] * (metric == "parapluie")
            ours, theirs = processor_seconds(command), processor_seconds([*command, "--device", "cpu"])
            yield f"{what} from the shell, s", f"{ours:.2f}", f"{theirs:.2f}", f"{theirs / ours:.1f} x"


def pairs_row():
    lines = [line for part in PARTS for line in (EVERYDAY / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]
    pairs = [(row["source"], row["hypothesis"]) for row in map(json.loads, lines)]
    asked = [[{"content": a}, {"content": b}] for pair in pairs for a, b in (pair, pair[::-1])]
    judges = [PairJudge(*load_classifier("small", device=device)) for device in ("auto", "cpu")]
    answers = judges[0].yes_and_no()

    def scored(judge):
        found = dict(judge.as_completed("answer_log_probs", asked, answers))
        return np.array([found[i][0] - found[i][1] for i in range(len(asked))])

    (ours, a), (theirs, b) = in_turn(*(lambda judge=judge: scored(judge) for judge in judges))
    yield "pairs a second", f"{len(pairs) / ours:.0f}", f"{len(pairs) / theirs:.0f}", f"{theirs / ours:.2f} x"
    yield "largest difference of log-odds", f"{abs(a - b).max():.1e}", "", f"{int(((a > 0) != (b > 0)).sum())} verdicts"


def sentences_row():
    sentences = list(dict.fromkeys(s for text in dict.fromkeys(row["text"] for row in summeval()) for s in split(text)))
    encoders = [encoder.load(device=device) for device in ("auto", "cpu")]

    def encoded(one):
        one.forget()
        return one.sides([sentences])[0].vectors

    (ours, a), (theirs, b) = in_turn(*(lambda one=one: encoded(one) for one in encoders))
    rates = [len(sentences) / seconds for seconds in (ours, theirs)]
    yield "sentences a second", *(f"{rate:.0f}" for rate in rates), f"{theirs / ours:.2f} x"
    yield "largest difference of a vector", f"{abs(a - b).max():.1e}", "", ""


def main():
    torch.set_num_threads(arguments.threads)
    print_table(
        "MiniLM in numpy beside torch",
        ("numpy", "torch", "transformers"),
        f"all-MiniLM-L6-v2, float32, {arguments.threads} thread(s) for each side; one run, both sides in turn.",
        "| what | numpy | torch | |\n|---|---:|---:|---:|",
        (*start_ups(), *pairs_row(), *sentences_row()),
        "small" if arguments.save else None,
    )


if __name__ == "__main__":
    main()
