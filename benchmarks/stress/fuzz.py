"""What the metrics do with wrong input: thousands of calls and files, each with a mistake or two.

    make harden                                  (or: python benchmarks/stress/fuzz.py)

A call passes if it returns a result, without NaN where the card promises a number, or if it refuses
its input with a ValueError that names the metric and says what was found (or with Python's own
TypeError for an argument that is missing or does not exist). Anything else is a failure; failures
are printed with their number. The strategies are those of tests/hardening. --save writes the table
to benchmarks/results.
"""

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_ASSETS_CACHE": FOLDER.name}  # before huggingface_hub reads them

import datasets  # noqa: E402
import evaluate  # noqa: E402
import torch  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from benchmarks.report import print_table  # noqa: E402
from tests.hardening import strategies  # noqa: E402


def drawn(strategy, cases, run):
    """Run a function on so many cases of a strategy; returns the seconds."""
    quiet = settings(
        max_examples=cases,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    start = time.perf_counter()
    seed(0)(quiet(given(strategy)(lambda case: run(case))))()
    return time.perf_counter() - start


def fuzz(name, cases):
    """Rows of the table for one metric: its calls, and the files that it reads."""
    torch.set_num_threads(1)
    datasets.disable_progress_bars()
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", RuntimeWarning)  # numpy's, about undefined numbers
    os.chdir(FOLDER.name)  # a name that is drawn as a path may become a file
    world = strategies.write_world(Path(FOLDER.name) / "world")
    loaded = {name: evaluate.load(str(ROOT / "metrics" / name), keep_in_memory=True) for name in strategies.CALLS}
    strategies.add_saved(world, loaded)
    metric, ending, rows = loaded[name], strategies.ways_to_end(world)[name], []
    outcomes, failures = Counter(), Counter()

    def tally(what, action):
        ended = []
        failure = strategies.failure(name, lambda: ended.append(action()))
        outcomes["failures" if failure else "results" if ended else "refusals"] += 1
        if failure:
            kind, _, message = f"{what}: {failure}".partition("): ")
            if not failures[kind]:
                print(f"failure: {kind}): {message}", file=sys.stderr, flush=True)
            failures[kind] += 1

    def call(case):
        method, arguments = case
        tally(method, lambda: strategies.run_call(metric, method, arguments, ending))

    def file(case):
        read, content = case
        path = strategies.put(read, content, world, world / "damaged")
        tally(read.name, lambda: read.read(metric, path, world))

    readers = st.sampled_from(strategies.files(name, world))
    damaged = readers.flatmap(strategies.damaged_file)
    for what, strategy, run in (
        ("calls", strategies.calls(strategies.CALLS[name](world)), call),
        ("files", damaged, file),
    ):
        outcomes.clear()
        seconds = drawn(strategy, cases, run)
        counts = (outcomes["results"], outcomes["refusals"], outcomes["failures"])
        rows.append((f"{name}: {what}", f"{sum(counts):,}", *(f"{n:,}" for n in counts), f"{seconds:.0f}"))
    for kind, times in failures.most_common():
        print(f"{times} x {kind})", file=sys.stderr, flush=True)
    return rows


def all_rows(names, cases):
    """The rows of all metrics, each in its own process; failures are printed as they occur."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn")) as pool:
        for rows in pool.map(fuzz, names, [cases] * len(names)):
            yield from rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000, help="for the calls, and for the files, of each metric")
    parser.add_argument("--metrics", nargs="*", default=list(strategies.CALLS))
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    print_table(
        "Hardening: input that is wrong",
        ("hypothesis", "evaluate", "datasets"),
        f"{arguments.cases:,} calls and {arguments.cases:,} files for each metric.",
        "| what | cases | results | refusals | failures | seconds |\n|---|---:|---:|---:|---:|---:|",
        all_rows(arguments.metrics, arguments.cases),
        "fuzz" if arguments.save else None,
        "make harden",
    )


if __name__ == "__main__":
    main()
