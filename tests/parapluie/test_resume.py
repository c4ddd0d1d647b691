"""resume=: every result is kept as it is made, and only under exactly the same circumstances used again."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from math import inf

import numpy as np
import pytest

from metrics._common import common_chat
from metrics._common.common_chat import AnswerStore, Chat, ChatOptions

from ..conftest import ROOT
from ..common.models import TOKENIZERS, tiny_model
from .conftest import DEMO_MODEL, random_judge

pytestmark = random_judge

SOURCES = [f"The cat number {i} sat on the mat." for i in range(40)]
HYPOTHESES = [f"On the mat sat cat {i}." for i in range(40)]

# Scores with one pair a pass, each pass made slow enough to be interrupted; says how many rows have been written.
INTERRUPTED = """
import time
from metrics import paraphrases
from metrics.parapluie import common_chat as module
module.KEPT_TOGETHER = 4
put, write, written = module.AnswerStore.put, module.AnswerStore.write, 0
def telling_write(self):
    global written
    n = len(self.pending)
    write(self)
    written += n
def telling_put(self, *arguments):
    put(self, *arguments)
    print("put", written, flush=True)
    time.sleep(0.01)
module.AnswerStore.put, module.AnswerStore.write = telling_put, telling_write
paraphrases({hypotheses!r}, {sources!r}, model_id={model!r}, template="indirect", max_new_tokens=3, batch_size=1,
            resume={path!r})
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


def test_a_changed_model_is_scored_anew(compute, tmp_path):
    path, folder = str(tmp_path / "scores.sqlite"), tmp_path / "model"
    shutil.copytree(DEMO_MODEL, folder)
    first = compute(resume=path, model_id=folder)
    tokenizer = TOKENIZERS["llama-3"]()
    tiny_model("llama", len(tokenizer)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert compute(resume=path, model_id=str(folder))["scores"] != first["scores"]
    assert rows(path) == 2 * len(SOURCES)


def test_a_longer_explanation_is_another(compute, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    short, long = (compute(resume=path, template="indirect", max_new_tokens=limit)["explanations"] for limit in (2, 6))
    assert short != long
    assert compute(resume=path, template="indirect", max_new_tokens=2)["explanations"] == short


def test_new_pairs_are_added_to_the_old(metric, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    options = {"model_id": DEMO_MODEL, "template": "direct", "details": True}
    metric.compute(predictions=HYPOTHESES[:10], references=SOURCES[:10], resume=path, **options)
    result = metric.compute(predictions=HYPOTHESES[5:20], references=SOURCES[5:20], resume=path, **options)
    assert rows(path) == 20
    plain = metric.compute(predictions=HYPOTHESES[5:20], references=SOURCES[5:20], **options)
    assert result["scores"] == pytest.approx(plain["scores"], abs=1e-4)


def test_killed_at_any_moment_only_what_was_pending_is_lost(compute, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    expected = compute(template="indirect", max_new_tokens=3)
    script = INTERRUPTED.format(
        hypotheses=HYPOTHESES,
        sources=SOURCES,
        model=DEMO_MODEL,
        path=path,
    )
    before = 0
    for after in (9, 30):  # results after which to kill it
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(after):
            what, written = process.stdout.readline().split()
        time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert what == "put" and int(written) > after - 4
        assert before + int(written) <= rows(path) <= before + after + 4
        assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
        before = rows(path)
    result = compute(resume=path, template="indirect", max_new_tokens=3)
    assert result["explanations"] == expected["explanations"]
    assert result["scores"] == pytest.approx(expected["scores"], abs=1e-4)
    assert rows(path) == 2 * len(SOURCES)


# ---- The file itself ----


def test_what_comes_is_written_soon_however_long_the_next_takes(tmp_path):
    """After a second, on an idle machine."""
    path = str(tmp_path / "scores.sqlite")
    with closing(AnswerStore(path, "model")) as store:
        for key in "abc":
            store.put(key, 1.0)
        assert rows(path) == 0
        assert store.known(["a", "d"]) == {"a": 1.0}  # what is pending is known, too
        end = time.monotonic() + 20
        while rows(path) != 3 and time.monotonic() < end:
            time.sleep(0.1)
        assert rows(path) == 3
        store.put("d", 2.0)
    assert rows(path) == 4


def test_a_row_is_found_under_exactly_its_circumstances(tmp_path):
    path = str(tmp_path / "scores.sqlite")
    prompts = [[1, 2], [12], [1, 2, 0], [], [{"role": "user", "content": "1, 2"}], "1, 2"]
    digests = []
    for model in ("one", ["one"], {"one": 1}):
        with closing(AnswerStore(path, model)) as store:
            for circumstances in ((), ("score",), ("score", 1), ("score", "1")):
                digests += store.keys(*circumstances, prompts=prompts)
                assert digests[-len(prompts) :] == store.keys(*circumstances, prompts=prompts)
    assert len(set(digests)) == len(digests) == 3 * 4 * len(prompts)


def test_two_processes_write_into_one_file(tmp_path):
    """Each its own rows and some of both, in many small transactions, the file made by whoever is first."""
    path = str(tmp_path / "scores.sqlite")
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from metrics._common import common_chat
common_chat.KEPT_TOGETHER = 3
store = common_chat.AnswerStore({path!r}, "model")
for i in range(300):
    store.put(f"both {{i}}", i)
    store.put(f"{{sys.argv[1]}} {{i}}", i)
store.close()
"""
    both = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("first", "second")]
    assert [process.wait() for process in both] == [0, 0]
    with closing(AnswerStore(path, "model")) as store:
        for name in ("both", "first", "second"):
            assert store.known([f"{name} {i}" for i in range(300)]) == {f"{name} {i}": i for i in range(300)}
    assert rows(path) == 900


def test_a_full_disk_is_told_and_what_was_kept_stays(tmp_path):
    """Full by SQLite's own limit; tests/hardening has one by the system's."""
    path = str(tmp_path / "scores.sqlite")
    store = AnswerStore(path, "model")
    store.put("a", "x")
    store.write()
    store.connection.execute("PRAGMA max_page_count = 3")
    store.put("b", "x" * 100_000)
    for _ in range(2):
        with pytest.raises(ValueError, match="resume: found .*, which cannot be written .*full.*, expected room for"):
            store.write()
    assert rows(path) == 1
    store.connection.execute("PRAGMA max_page_count = 1000")
    store.close()  # with room again, what was pending is written
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
    path = str(tmp_path / "scores.sqlite")
    with closing(AnswerStore(path, "model")) as store:
        store.put("a", 1.0)
        modes += store.connection.execute("PRAGMA journal_mode").fetchone()
    with closing(AnswerStore(path, "model")) as store:
        assert store.known(["a"]) == {"a": 1.0}
    assert modes == ["delete"]


class Instant:
    """A model that takes no time."""

    identity, name, context_length, control_tokens = "instant", "instant", None, ()

    def prompts(self, messages, fields):
        return [[*range(600), len(values["text"]), *values["text"].encode()] for values in fields]

    def control_words(self, messages):
        return []

    def answer_log_probs(self, prompts, answers, batch_size):
        for i in range(len(prompts)):
            yield i, (-0.1234567890123, -2.3456789012345, " yes", False)


def seconds(resume, n):
    """CPU seconds of n judgements; the least of three runs, each with a new file."""
    fields, best = [{"text": f"text number {i}"} for i in range(n)], inf
    for run in range(3):
        start = time.process_time()
        with closing(Chat(ChatOptions(resume=resume and f"{resume}{run}"), silent=True)) as chat:
            chat.judge("score", [{"role": "user", "content": "{text}"}], ([[1]], [[2]]), fields, "pair {}".format)
        best = min(best, time.process_time() - start)
    return best


def test_keeping_costs_little(tmp_path, monkeypatch):
    """At most 100 microseconds for each of 20,000 pairs was asked, and about 40 measured; loose here."""
    monkeypatch.setattr(common_chat, "_open", lambda *_: Instant())
    n = 5000
    extra = seconds(str(tmp_path / "scores.sqlite"), n) - seconds(None, n)
    assert extra / n < 200e-6


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
