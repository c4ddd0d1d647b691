"""resume=: every result is kept as it is made, and only under exactly the same circumstances used again."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from ..conftest import ROOT
from ..common.models import TOKENIZERS, tiny_model
from .conftest import DEMO_MODEL, random_judge

pytestmark = random_judge

SOURCES = [f"The cat number {i} sat on the mat." for i in range(40)]
HYPOTHESES = [f"On the mat sat cat {i}." for i in range(40)]

# Scores with one pair a pass, each pass made slow enough to be interrupted.
INTERRUPTED = """
import sys, time, evaluate, datasets
datasets.disable_progress_bars()
metric = evaluate.load({folder!r}, keep_in_memory=True)
store = [m for n, m in sys.modules.items() if n.endswith(".common_chat") and "evaluate_modules" in n][0].AnswerStore
put = store.put
def slow_put(self, *arguments):
    put(self, *arguments)
    print("kept", flush=True)
    time.sleep(0.01)
store.put = slow_put
metric.compute(predictions={hypotheses!r}, references={sources!r}, model_id={model!r}, template="indirect",
               max_new_tokens=3, batch_size=1, resume={path!r})
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


def test_killed_at_any_moment_nothing_is_lost_or_wrong(compute, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    expected = compute(template="indirect", max_new_tokens=3)
    script = INTERRUPTED.format(
        folder=str(ROOT / "metrics" / "parapluie"),
        hypotheses=HYPOTHESES,
        sources=SOURCES,
        model=DEMO_MODEL,
        path=path,
    )
    reported = 0
    for after in (1, 25, 30):  # results after which to kill it
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        for _ in range(after):
            assert process.stdout.readline() == "kept\n"
            reported += 1
        time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert rows(path) >= reported
        assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    result = compute(resume=path, template="indirect", max_new_tokens=3)
    assert result["explanations"] == expected["explanations"]
    assert result["scores"] == pytest.approx(expected["scores"], abs=1e-4)
    assert rows(path) == 2 * len(SOURCES)


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
