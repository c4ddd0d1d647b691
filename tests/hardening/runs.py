"""Runs that are killed, or share files; for the tests and benchmarks/stress/interruption.py.

A server imports and loads everything once and forks for each run, so that a run costs only its
work.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..conftest import ROOT

MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")
BATCH = 4

# Each job is a line of JSON. A run logs to a file when a batch has been computed, when a result has
# been kept, and in the end the result.
SERVER = """
import json, os, signal, sys
from pathlib import Path
os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
import torch, datasets, evaluate
torch.set_num_threads(1)
datasets.disable_progress_bars()
from tests.hardening import runs

metrics = {}
for name, (make, _) in runs.RUNS.items():
    metrics[name] = evaluate.load(str(runs.ROOT / "metrics" / name), keep_in_memory=True)
    metrics[name].compute(**make(1))  # the model is loaded
from metrics.morpheval import lexicon

def module(name):
    return sys.modules[type(metrics["parapluie"]).__module__.rpartition(".")[0] + "." + name]

def compute(say, name, options, store):
    kept, llm = module("judge_kept"), module("common_llm")
    completed, in_batches = kept.completed, llm.in_batches
    def telling_completed(*arguments):
        for value in completed(*arguments):
            yield value  # is written before the next one is asked for
            say("kept 1")
    def telling_batches(sizes, most, batch_size, run):
        def telling_run(batch):
            results = run(batch)
            say(f"computed {len(batch)}")
            return results
        return in_batches(sizes, most, batch_size, telling_run)
    kept.completed, llm.in_batches = telling_completed, telling_batches
    if name != "parapluie":  # whose judge it is
        which = {"model_id": runs.MODEL, "batch_size": runs.BATCH}
        return metrics[name].compute(**options, judge=metrics["parapluie"].judge(**which, resume=store))
    return metrics[name].compute(**options, resume=store)

def build(say, path, cache):
    lexicon.cache_folder = lambda: Path(cache)
    return len(lexicon.load(path).readings(f"mot{i}" for i in range(300_000)))

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
for line in sys.stdin:
    job = json.loads(line)
    pid = os.fork()
    if not pid:
        with open(job.pop("log"), "w", buffering=1) as log:
            say = lambda text: log.write(text + chr(10))
            say("begun")
            say("result " + json.dumps({"compute": compute, "build": build}[job.pop("do")](say, **job)))
        os._exit(0)
    print(pid, flush=True)
"""


def paraphrases(n=24) -> dict:
    """Options of a run of parapluie in two steps: explanations, then scores."""
    return {
        "predictions": [f"On the mat sat cat {i}." for i in range(n)],
        "references": [f"The cat number {i} sat on the mat." for i in range(n)],
        "model_id": MODEL,
        "template": "indirect",
        "max_new_tokens": 3,
        "batch_size": BATCH,
        "details": True,
    }


def judgements(n=24) -> dict:
    """Options of a run of melasss in which the chat model judges."""
    return {
        "predictions": [f"Cat number {i} slept." for i in range(n)],
        "references": [f"Cat number {i} slept on the mat. It was {i} years old." for i in range(n)],
        "similarity": "llm",
        "model_id": MODEL,
        "batch_size": BATCH,
        "details": True,
    }


# With the number of results kept for each example.
RUNS = {"parapluie": (paraphrases, 2), "melasss": (judgements, 1)}


class Run:
    """One forked process."""

    def __init__(self, pid: int, log: Path):
        self.pid, self.log = pid, log

    def lines(self) -> list[str]:
        """Its log so far."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def is_running(self) -> bool:
        return Path(f"/proc/{self.pid}").exists()

    def wait(self, lines: int | None = None) -> "Run":
        """Until it has logged so many lines, or has ended."""
        while self.is_running() and (lines is None or len(self.lines()) < lines):
            time.sleep(0.002)
        return self

    def kill(self) -> "Run":
        """kill -9."""
        with suppress(ProcessLookupError):  # it had ended
            os.kill(self.pid, signal.SIGKILL)
        return self.wait()

    def total(self, what: str) -> int:
        """The sum of the numbers logged after a word."""
        return sum(int(line.split()[1]) for line in self.lines() if line.startswith(f"{what} "))

    @property
    def result(self):
        [line] = [line for line in self.wait().lines() if line.startswith("result ")]
        return json.loads(line.removeprefix("result "))


class Server:
    """Starts runs; a context manager."""

    def __init__(self, folder: Path):
        self.folder, self.count = folder, 0
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Server":
        assert self.process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def _start(self, **job) -> Run:
        self.count += 1
        log = self.folder / f"run{self.count}.log"
        self.process.stdin.write(json.dumps({**job, "log": str(log)}) + "\n")
        self.process.stdin.flush()
        return Run(int(self.process.stdout.readline()), log)

    def compute(self, name: str, options: dict, store: Path) -> Run:
        """A run of a metric with a store."""
        return self._start(do="compute", name=name, options=options, store=str(store))

    def build(self, path: Path, cache: Path) -> Run:
        """A run that loads a lexicon and counts the words of `write_lexicon` in it."""
        cache.mkdir(exist_ok=True)
        return self._start(do="build", path=str(path), cache=str(cache))


def kept(store: Path) -> int:
    """The number of rows of a store, which must be intact; 0 if there is none yet."""
    if not store.exists():
        return 0
    connection = sqlite3.connect(store)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'results'").fetchone()[0]
    return connection.execute("SELECT count(*) FROM results").fetchone()[0] if tables else 0


class Killed(NamedTuple):
    """What a run did before it was killed: results computed, reported as kept, and kept."""

    computed: int
    reported: int
    kept: int


def killed(server: Server, name: str, options: dict, store: Path, draw: random.Random) -> Killed:
    """Run and kill -9 at a random moment: before the first result, or between any two."""
    before = kept(store)
    run = server.compute(name, options, store).wait(lines=draw.randrange(16))
    time.sleep(draw.random() * 0.02)
    run.kill()
    return Killed(run.total("computed"), run.total("kept"), kept(store) - before)


def largest_difference(first: dict, second: dict) -> float:
    """Of the scores of two results, whose explanations must be equal."""
    assert first.get("explanations") == second.get("explanations")
    return max(abs(a - b) for a, b in zip(first["scores"], second["scores"], strict=True))


def write_lexicon(path: Path, rows: int) -> Path:
    """A lexicon of invented words."""
    path.write_text("".join(f"mot{i}\tnc\tmot{i}\tms\n" for i in range(rows)), encoding="utf-8")
    return path


def indices(cache: Path) -> tuple[list, list]:
    """The indices in a cache, and what unfinished builds have left there."""
    return sorted(cache.rglob("*.sqlite")), sorted(cache.rglob("*.unfinished"))


def words_in(index: Path) -> int:
    """The number of rows of an index, which must be intact."""
    connection = sqlite3.connect(index)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return connection.execute("SELECT count(*) FROM readings").fetchone()[0]
