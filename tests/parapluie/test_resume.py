"""resume=: every result is kept as it is made, and only under exactly the same circumstances used again."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from math import inf

import numpy as np
import pytest

from metrics import paraphrases
from metrics.parapluie.common_judge import ask
from metrics.parapluie.judge_kept import Kept

from ..common.models import TOKENIZERS, tiny_model
from ..conftest import ROOT
from .conftest import DEMO_MODEL, random_judge
from .toy import Toy, conversations, kept

pytestmark = random_judge

SOURCES = [f"The cat number {i} sat on the mat." for i in range(40)]
ANSWERS = (("yes",), ("no",))
HYPOTHESES = [f"On the mat sat cat {i}." for i in range(40)]

# Scores slowly enough to be interrupted; says how many answers have come.
INTERRUPTED = """
import time
from metrics import paraphrases
from metrics.parapluie import judge_kept as module
from tests.parapluie.toy import Toy
as_completed = module.Kept.as_completed
def telling(self, *arguments):
    for answer in as_completed(self, *arguments):
        print("kept", flush=True)
        time.sleep(0.01)
        yield answer
module.Kept.as_completed = telling
paraphrases({hypotheses!r}, {sources!r}, judge=Toy(), template="indirect", resume={path!r})
print("finished", flush=True)
"""


@pytest.fixture
def compute(metric):
    def compute(**options):
        options = {"model_id": DEMO_MODEL, "template": "direct", "details": True, **options}
        return metric.compute(predictions=HYPOTHESES, references=SOURCES, **options)

    return compute


def rows(path):
    return sqlite3.connect(path).execute("SELECT count(*) FROM results").fetchone()[0]


def test_a_second_run_asks_the_model_nothing(compute, tmp_path, monkeypatch):
    path = str(tmp_path / "scores.sqlite")
    first = compute(resume=path, template="indirect", max_new_tokens=3, classify=True)
    assert rows(path) == 3 * len(SOURCES)
    monkeypatch.setattr("transformers.LlamaForCausalLM.forward", lambda *_, **__: 1 / 0)
    assert compute(resume=path, template="indirect", max_new_tokens=np.int64(3), classify=np.True_) == first
    assert compute(resume=path, template="indirect", max_new_tokens=3, threshold=1.0)["scores"] == first["scores"]


@pytest.mark.parametrize(
    "change",
    [
        {"template": "fs_direct"},
        {"answers": ("no", "yes")},
        {"answers": ("yes", "nope")},
        {"dtype": "bfloat16"},
    ],
)
def test_other_circumstances_are_scored_anew(compute, tmp_path, change):
    path = str(tmp_path / "scores.sqlite")
    compute(resume=path)
    assert compute(resume=path, **change)["scores"] == pytest.approx(compute(**change)["scores"], abs=1e-4)
    assert rows(path) == 2 * len(SOURCES)


def test_killed_at_any_moment_no_answer_is_lost(tmp_path):
    path = str(tmp_path / "scores.sqlite")
    script = INTERRUPTED.format(hypotheses=HYPOTHESES, sources=SOURCES, path=path)
    before = 0
    for after in (9, 30):  # answers after which to kill it
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert [process.stdout.readline() for _ in range(after)] == ["kept\n"] * after
        time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert max(before, after) <= rows(path) < 2 * len(SOURCES)
        assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
        before = rows(path)
    expected = paraphrases(HYPOTHESES, SOURCES, judge=Toy(), template="indirect", details=True)
    result = paraphrases(HYPOTHESES, SOURCES, judge=Toy(), template="indirect", details=True, resume=path)
    assert result == expected and rows(path) == 2 * len(SOURCES)


# ---- The file itself ----


def test_two_processes_write_into_one_file(tmp_path):
    """Each its own rows and some of both, in many small transactions, the file made by whoever is first."""
    path = str(tmp_path / "scores.sqlite")
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.parapluie.toy import kept
for i in range(100):
    kept({path!r}, f"both {{i}}", f"{{sys.argv[1]}} {{i}}")
"""
    both = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("first", "second")]
    assert [process.wait() for process in both] == [0, 0]
    silent = Toy()
    silent.generate = lambda *_: []
    for name in ("both", "first", "second"):
        texts = [f"{name} {i}" for i in range(100)]
        assert kept(path, *texts, judge=silent) == texts
    assert rows(path) == 300


def test_a_full_disk_is_told_and_what_was_kept_stays(tmp_path):
    """Full by SQLite's own limit; tests/hardening has one by the system's."""
    path = str(tmp_path / "scores.sqlite")
    with closing(Kept(Toy(), path)) as keeping:
        keeping.generate(conversations("a"), 1)
        keeping.connection.execute("PRAGMA max_page_count = 3")
        for _ in range(2):
            with pytest.raises(ValueError, match="resume: found .*, which cannot be written .*full.*, expected room"):
                keeping.generate(conversations("a", "x" * 100_000), 1)
        assert rows(path) == 1
        keeping.connection.execute("PRAGMA max_page_count = 1000")
        keeping.generate(conversations("a", "x" * 100_000), 1)
    assert rows(path) == 2


def test_a_damaged_file_is_told(compute, tmp_path):
    path = tmp_path / "scores.sqlite"
    compute(resume=str(path))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = connection.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[page:] = b"\xff" * (len(content) - page)  # all but the page that says it is a database
    path.write_bytes(content)
    with pytest.raises(ValueError, match="parapluie: resume: found .*scores.sqlite', .*expected"):
        compute(resume=str(path))
    assert path.read_bytes()[page:] == bytes(content[page:])  # nothing was written over what is left of it


def test_a_file_system_without_shared_memory(tmp_path, monkeypatch):
    """There SQLite has no write-ahead log: asking for it fails, and the file is written in the old way."""
    connect, modes = sqlite3.connect, []

    class Connection(sqlite3.Connection):
        def execute(self, statement, *rest):
            if "WAL" in statement:
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(statement, *rest)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options, factory=Connection))
    path, silent = str(tmp_path / "scores.sqlite"), Toy()
    silent.generate = lambda *_: []
    with closing(Kept(Toy(), path)) as keeping:
        assert keeping.generate(conversations("a"), 1) == ["a"]
        modes += keeping.connection.execute("PRAGMA journal_mode").fetchone()
    assert kept(path, "a", judge=silent) == ["a"]
    assert modes == ["delete"]


def seconds(path, n):
    """CPU seconds of n judgements; the least of two runs, each with a new file."""
    asked, best = conversations(*(f"text number {i}" for i in range(n))), inf
    for run in range(2):
        judge, start = Toy(), time.process_time()
        if path:
            judge = Kept(judge, f"{path}{run}")
        ask(judge, "answer_log_probs", asked, ANSWERS, "pair {}".format, "score")
        best = min(best, time.process_time() - start)
    return best


def test_keeping_costs_little(tmp_path):
    """At most 100 microseconds for each of 20,000 pairs was asked, and 27 measured; loose here."""
    n = 3000
    extra = seconds(str(tmp_path / "scores.sqlite"), n) - seconds(None, n)
    assert extra / n < 200e-6


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="where Linux lists the open files")
@pytest.mark.parametrize("wrong", [{}, {"answers": ("yes", "yes sir")}])
def test_a_run_that_is_refused_leaves_no_file_open(compute, tmp_path, wrong):
    """An open file holds locks, for which the next run would wait a minute."""
    if not wrong:  # it is the file that is refused
        sqlite3.connect(tmp_path / "store").execute("CREATE TABLE results (a, b)").connection.close()
    with pytest.raises(ValueError) as caught:  # the error keeps all that was there when it was raised
        compute(resume=str(tmp_path / "store"), **wrong)
    assert caught.value.__cause__ or caught.value.__context__
    opened = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    assert str(tmp_path / "store") not in opened


def test_errors(compute, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("this is no database, and it is long enough to be looked at as one" * 20)
    with pytest.raises(ValueError, match="resume: found .*notes.txt', which is no score file"):
        compute(resume=str(path))
    with pytest.raises(ValueError, match="resume: found .*/no/such/place.* no score file"):
        compute(resume=str(tmp_path / "no/such/place"))
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE results (a, b)").connection.commit()
    with pytest.raises(ValueError, match="resume: found .*other', which is no score file"):
        compute(resume=str(tmp_path / "other"))
    for wrong in ("", True, 3):
        with pytest.raises(ValueError, match="resume: found .*, expected a path"):
            compute(resume=wrong)
    tokenizer = TOKENIZERS["qwen2"]()
    with pytest.raises(ValueError, match="resume: found a live model"):
        compute(resume=str(tmp_path / "x"), model=tiny_model("llama", len(tokenizer)), tokenizer=tokenizer)
