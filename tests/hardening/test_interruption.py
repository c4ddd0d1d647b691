"""kill -9 at random moments: nothing is lost, nothing is wrong, nothing broken is ever seen.

A few moments; benchmarks/stress/interruption.py has twenty of each.
"""

import os
import random
import time

import pytest

from metrics.morpheval import lexicon as module
from metrics.morpheval.lexicon import Reading

from . import runs

ROWS = 30_000


@pytest.mark.parametrize("name", sorted(runs.RUNS))
def test_a_run_that_is_killed_goes_on_where_it_stopped(name, server, tmp_path):
    make, steps = runs.RUNS[name]
    options, store, draw = make(12), tmp_path / "store.sqlite", random.Random(1)
    for _ in range(3):
        run = runs.killed(server, name, options, store, draw)
        assert run.reported <= run.kept <= run.computed <= run.kept + runs.BATCH, run
    before = runs.kept(store)
    assert before > 0
    resumed = server.compute(name, options, store)
    whole = server.compute(name, options, tmp_path / "another.sqlite")
    assert runs.largest_difference(resumed.result, whole.result) < 1e-5
    assert (resumed.total("computed"), runs.kept(store)) == (12 * steps - before, 12 * steps)


def test_a_build_that_is_killed_leaves_no_broken_index(server, tmp_path):
    path, cache, draw = runs.write_lexicon(tmp_path / "x.mlex", ROWS), tmp_path / "cache", random.Random(0)
    for _ in range(3):
        run = server.build(path, cache).wait(lines=1)
        time.sleep(draw.random() * 0.1)
        run.kill()
        whole, _ = runs.indices(cache)
        assert [runs.words_in(index) for index in whole] == [ROWS] * len(whole)
    assert server.build(path, cache).result == ROWS


def test_what_a_killed_build_left_is_removed_when_it_is_old(tmp_path):
    young, old = (tmp_path / f"lefff-{name}.unfinished" for name in ("young", "old"))
    for leftover in (young, old):
        leftover.write_bytes(b"half an index")
    os.utime(old, (time.time() - 4000,) * 2)
    module.build_index([("avait", Reading("v", "avoir", "I3s"))], tmp_path / "x.sqlite")
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, "x.sqlite"]
