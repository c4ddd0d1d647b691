"""Runs that are killed at random moments: what is lost, what is computed again, and whether the result is the same.

    make harden                                  (or: python benchmarks/stress/interruption.py)

Each row kills one kind of run (kill -9) a number of times, each time at a random moment; finished
runs are started anew. The processes, and what is compared, are those of tests/hardening. --save
writes the table to benchmarks/results.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from tests.hardening import runs  # noqa: E402

ROWS = 300_000  # of the lexicon; the Lefff has 549,274


def stores(server, name, times, folder, draw):
    """Kill runs of a metric with a store."""
    make, steps = runs.RUNS[name]
    options = make(24)
    whole = server.compute(name, options, folder / f"{name}.whole").result
    lost = in_flight = again = differing = worst = 0
    for k in range(times):
        store = folder / f"{name}.{k // 3}"  # three kills for each run
        run = runs.killed(server, name, options, store, draw)
        lost += max(0, run.reported - run.kept)
        in_flight = max(in_flight, run.computed - run.kept)
        if k % 3 == 2 or k == times - 1:
            kept = runs.kept(store)
            resumed = server.compute(name, options, store)
            worst = max(worst, runs.largest_difference(resumed.result, whole))
            differing += resumed.result != whole
            again = max(again, kept + resumed.total("computed") - 24 * steps)
    yield (
        f"{name}: 24 examples, {steps} results each, batches of {runs.BATCH}",
        f"{times}",
        f"{lost}",
        f"{in_flight}",
        f"{again}",
        f"{worst:.0e} ({differing} of {-(-times // 3)} runs)" if differing else "0",
    )


def builds(server, times, folder, draw):
    """Kill builds of the lexicon's index."""
    path = runs.write_lexicon(folder / "x.mlex", ROWS)
    start, run = time.perf_counter(), server.build(path, folder / "whole")
    while not runs.indices(folder / "whole")[0]:
        time.sleep(0.01)
    seconds = time.perf_counter() - start  # until it is there
    assert run.result == ROWS
    left = early = broken = 0
    for k in range(times):
        cache = folder / f"cache{k}"
        run = server.build(path, cache).wait(lines=1)
        time.sleep(draw.random() * 1.2 * seconds)
        run.kill()
        whole, unfinished = runs.indices(cache)
        left += len(unfinished)
        early += not whole
        broken += sum(runs.words_in(index) != ROWS for index in whole)
        broken += server.build(path, cache).result != ROWS
    yield (
        f"morpheval: index of {ROWS:,} rows ({early} killed before it stood, {left} unfinished files left)",
        f"{times}",
        f"{broken}",
        "",
        "",
        "",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20, help="how often each is killed")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as name, runs.Server(Path(name)) as server:
        folder = Path(name)
        print_table(
            "Hardening: runs that are killed",
            ("torch", "transformers"),
            "kept results lost: reported as kept and not there afterwards; in flight: computed and not kept when the "
            "run was killed; again: kept results that were computed once more; difference: of the scores of the "
            "resumed and of an uninterrupted run.",
            "| what | kills | kept results lost, broken files | most in flight | again | largest difference |\n"
            "|---|---:|---:|---:|---:|---:|",
            (
                row
                for rows in (
                    *(stores(server, metric, arguments.times, folder, draw) for metric in runs.RUNS),
                    builds(server, arguments.times, folder, draw),
                )
                for row in rows
            ),
            "interruption" if arguments.save else None,
            "make harden",
        )


if __name__ == "__main__":
    main()
