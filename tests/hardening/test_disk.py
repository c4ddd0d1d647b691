"""A full disk, a cache that cannot be written: a clear error or another folder; nothing is lost."""

import os
import subprocess
import sys
from contextlib import closing
from types import SimpleNamespace

import pytest

from metrics.morpheval import lexicon as module
from metrics.parapluie.judge_kept import Kept

from ..conftest import ROOT
from . import runs

# Files may not grow beyond some bytes: as on a full disk, writing fails (EFBIG for ENOSPC).
LIMIT = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
sys.path.insert(0, {root!r})
"""

STORE = """
from metrics.parapluie.judge_kept import Kept
class Long:
    name = "long"
    def generate(self, conversations, _):
        for i, (text,) in enumerate(conversations):
            if i == 100:
                limit(2_000_000)
            yield text + "x" * 100
try:
    for given, _ in Kept(Long(), sys.argv[1]).as_completed("generate", [(f"{i}",) for i in range(5000)], 8):
        pass
except ValueError as error:
    print(given + 1)
    print(error)
"""

INDEX = """
import warnings
from metrics.morpheval import common, lexicon
limit(100_000)
try:
    common.metric_errors("morpheval")(lexicon.load)(sys.argv[1])
except ValueError as error:
    print(error)
"""


def limited(code, *arguments, **environment):
    """The lines that code prints while its files may not grow."""
    command = [sys.executable, "-c", LIMIT.format(root=str(ROOT)) + code, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=True)
    return run.stdout.splitlines()


def test_a_full_disk_loses_no_result_that_was_kept(tmp_path):
    path = tmp_path / "store.sqlite"
    given, message = limited(STORE, path)
    assert message.startswith(f"resume: found '{path}', which cannot be written (")
    assert message.endswith("expected room for the answers; what was kept before is there")
    assert runs.kept(path) == int(given) > 100
    judge, questions = SimpleNamespace(name="long", generate=lambda some, _: [f"only {some}"]), range(int(given) + 1)
    with closing(Kept(judge, str(path))) as kept:  # continues once there is space
        *before, last = kept.generate([(f"{i}",) for i in questions], 8)
    assert before == [f"{i}{'x' * 100}" for i in questions[:-1]] and last == f"only [('{given}',)]"
    assert runs.kept(path) == int(given) + 1


def test_a_full_disk_leaves_no_broken_index(server, tmp_path):
    path, cache = runs.write_lexicon(tmp_path / "x.mlex", 30_000), tmp_path / "cache"
    cache.mkdir()
    [message] = limited(INDEX, path, HF_ASSETS_CACHE=str(cache))
    assert message.startswith("morpheval: lexicon: found ") and "where its index cannot be written" in message
    assert runs.indices(cache) == ([], [])
    assert server.build(path, cache).result == 30_000


@pytest.mark.parametrize("place", ["/proc/cache", "a file/cache"])
def test_a_cache_that_cannot_be_written(place, tmp_path):
    """The index is built in a folder of the process, with a warning."""
    (tmp_path / "a file").write_text("")
    path = runs.write_lexicon(tmp_path / "x.mlex", 100)
    load = "load = common.metric_errors('morpheval')(lexicon.load)"
    code = f"{load}; print(len(load(sys.argv[1]).readings(['mot1', 'no'])))"
    imports = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from metrics.morpheval import common, lexicon"
    command = [sys.executable, "-c", f"{imports}; {code}", str(path)]
    environment = {**os.environ, "HF_ASSETS_CACHE": str(tmp_path / place)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert run.stdout == "1\n"
    assert "UserWarning: morpheval: the lexicon's index cannot be kept (" in run.stderr


def test_an_index_in_a_cache_that_cannot_be_written_is_used(tmp_path, monkeypatch):
    path, cache = runs.write_lexicon(tmp_path / "x.mlex", 10), tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setattr(module, "cached_assets_path", lambda **_: cache)
    module.cache_folder.cache_clear()
    try:
        built = module.load(path).path.resolve()

        def full(**_):
            raise OSError(30, "Read-only file system")

        monkeypatch.setattr(module.tempfile, "TemporaryFile", full)
        module.cache_folder.cache_clear()
        monkeypatch.setattr(module, "build_index", None)  # must not be needed
        with pytest.warns(UserWarning, match="cannot be kept"):
            loaded = module.load(path)
        assert loaded.path.parent != cache and loaded.path.resolve() == built
        assert len(loaded.readings(["mot1"])) == 1
    finally:
        module.cache_folder.cache_clear()


@pytest.mark.parametrize("path", ["/proc/store.sqlite", "/dev/null/store.sqlite", "/dev/full"])
def test_a_store_where_none_can_be(path):
    with pytest.raises(ValueError, match=f"resume: found '{path}'"):
        Kept(SimpleNamespace(name="long", generate=lambda *_: ["a"]), path).generate([("a",)], 8)
