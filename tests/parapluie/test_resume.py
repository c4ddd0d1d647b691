"""resume=: every result is kept as it is made, and only under exactly the same circumstances used again.

Runs that are killed, full disks and two processes with one file are in tests/hardening.
"""

import os
import sqlite3

import numpy as np
import pytest

from ..common.models import TOKENIZERS, tiny_model
from .conftest import DEMO_MODEL, random_judge

pytestmark = random_judge

SOURCES = [f"The cat number {i} sat on the mat." for i in range(40)]
HYPOTHESES = [f"On the mat sat cat {i}." for i in range(40)]


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


@pytest.mark.parametrize("change", [{"template": "fs_direct"}, {"answers": ("yes", "nope")}, {"dtype": "bfloat16"}])
def test_other_circumstances_are_scored_anew(compute, tmp_path, change):
    path = str(tmp_path / "scores.sqlite")
    compute(resume=path)
    assert compute(resume=path, **change)["scores"] == pytest.approx(compute(**change)["scores"], abs=1e-4)
    assert rows(path) == 2 * len(SOURCES)


# ---- The file itself ----


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
    with pytest.raises(ValueError, match="resume: found .*notes.txt', which is no file of kept"):
        compute(resume=str(path))
    with pytest.raises(ValueError, match="resume: found .*/no/such/place.* no file of kept"):
        compute(resume=str(tmp_path / "no/such/place"))
    for table in ("notes", "results"):  # of another program
        sqlite3.connect(other := tmp_path / table).execute(f"CREATE TABLE {table} (a, b)").connection.close()
        before = other.read_bytes()
        with pytest.raises(ValueError, match=f"resume: found .*{table}', which is no file of kept"):
            compute(resume=str(other))
        assert other.read_bytes() == before
    for wrong in ("", True, 3):
        with pytest.raises(ValueError, match="resume: found .*, expected a path"):
            compute(resume=wrong)
    tokenizer = TOKENIZERS["qwen2"]()
    with pytest.raises(ValueError, match="resume: found a live model"):
        compute(resume=str(tmp_path / "x"), model=tiny_model("llama", len(tokenizer)), tokenizer=tokenizer)
