"""Several threads, several processes: the results are those of one."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..conftest import ROOT
from ..melasss import models
from . import runs, strategies

THREADS = 8


def inputs(name, i, world):
    """What thread i computes: each has its own examples, of different lengths."""
    words = " ".join(f"word{k}" for k in range(i))
    return {
        "muc_b3_ceaf_entropy": {
            "predictions": [strategies.RESPONSE[0], [[f"m{k}" for k in range(i + 1)]]],
            "references": [strategies.KEY[0], [[f"m{k}"] for k in range(i + 1)]],
            "confidence": 0.9,
            "n_resamples": 50,
        },
        "morpheval": {
            "predictions": [["il est heureux", f"il etait heureux {words}"]] * (i + 1),
            "references": [strategies.PAST] * (i + 1),
            "lexicon": str(world / "small.mlex"),
            "details": True,
        },
        "parapluie": {
            "predictions": [f"A cat {words}.", "No."],
            "references": ["The cat.", f"Yes {words}."],
            "model_id": strategies.DEMO_MODEL,
            "template": "indirect",
            "max_new_tokens": 3,
            "details": True,
        },
        "melasss": {
            "predictions": [models.GOOD, f"A cat slept {words}."],
            "references": [models.HARBOUR, f"Nobody was hurt. A cat slept on the piano {words}."],
            "details": True,
        },
    }[name]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return strategies.write_world(tmp_path_factory.mktemp("world"))


@pytest.mark.filterwarnings("ignore:.*not in the lexicon")  # a small one
@pytest.mark.parametrize("name", sorted(strategies.CALLS))
def test_threads(name, load_metric, world):
    """Each has its own metric object; model, encoder with its cache, and lexicon are shared."""
    metric = load_metric(name)

    def compute(i):
        return type(metric)(keep_in_memory=True).compute(**inputs(name, i, world))

    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(compute, range(THREADS)))
    for i, found in enumerate(together):
        assert same(found, compute(i)), i
    assert not same(together[0], together[-1])


@pytest.mark.filterwarnings("ignore:.*not in the lexicon")
@pytest.mark.parametrize("name", ["muc_b3_ceaf_entropy", "morpheval"])
def test_threads_with_one_object(name, load_metric, world):
    """evaluate collects examples in the object: a result without the lock is another thread's, or an error."""
    metric = type(load_metric(name))()
    expected = [metric.compute(**inputs(name, i, world)) for i in range(4)]

    def compute(number):
        return same(metric.compute(**inputs(name, number % 4, world)), expected[number % 4])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(compute, range(200)))


def same(first, second):
    """Equal; floats up to rounding (batches may differ), NaN like NaN."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(value, second[key]) for key, value in first.items())
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return first == pytest.approx(second, abs=1e-4, nan_ok=True)
    return first == second


def test_two_processes_share_a_store(server, tmp_path):
    """Both write to it at once; both results are as of one process, no row is there twice."""
    options, store = runs.judgements(12), tmp_path / "store.sqlite"
    both = [server.compute("melasss", options, store) for _ in range(2)]
    results = [run.result for run in both]
    assert runs.kept(store) == 12
    again = server.compute("melasss", options, store)
    for result in results:
        assert runs.largest_difference(result, again.result) < 1e-5
    assert again.total("computed") == 0


def test_two_processes_build_one_index(server, tmp_path):
    path, cache = runs.write_lexicon(tmp_path / "x.mlex", 30_000), tmp_path / "cache"
    both = [server.build(path, cache) for _ in range(2)]
    assert [run.result for run in both] == [30_000] * 2
    whole, unfinished = runs.indices(cache)
    assert [runs.words_in(index) for index in whole] == [30_000] and not unfinished


LOAD = """
import sys
sys.modules["transformers"] = None  # evaluate would import it, which takes most of the time
import datasets, evaluate
del sys.modules["transformers"]
datasets.disable_progress_bars()
metric = evaluate.load(sys.argv[1])
print(metric.compute(predictions=[[["a", "b"]]], references=[[["a", "b"]]], measures=["conll_f1"]))
"""


def test_two_processes_load_a_metric_into_an_empty_cache(tmp_path):
    """evaluate copies the script and writes the examples to files: each process gets its own."""
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", LOAD, str(ROOT / "metrics" / "muc_b3_ceaf_entropy")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    assert [process.communicate()[0].splitlines()[-1] for process in both] == ["{'conll_f1': 1.0}"] * 2
