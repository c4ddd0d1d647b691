"""Heads and encoders over the Hub's protocol: published, fetched in another process with an empty cache, used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..hub import hub_in_reach
from . import models

TEXTS = [["One boat."], ["Two boats sank."], ["A crane fell."]]
KINDS = ("regression", "transformer")
FETCH = f"""
import sys
from metrics import summaries
texts = {TEXTS}
for kind in sys.argv[1:]:
    print(summaries(predictions=texts, references=texts, similarity=kind, head=f"lab/{{kind}}")["score"])
"""


def test_heads_and_their_encoder_from_the_hub(metric, tmp_path, monkeypatch):
    folder, published = models.save_bert(tmp_path / "bert"), []
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with hub_in_reach(monkeypatch, tmp_path / "cache") as hub:
        hub.repos["models", "lab/bert"] = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        for kind in KINDS:
            head = metric.fit(TEXTS, TEXTS, [1, 2, 3], similarity=kind, encoder="lab/bert", epochs=1)
            head.push_to_hub(f"lab/{kind}")
            published.append(metric.compute(predictions=TEXTS, references=TEXTS, similarity=kind, head=head)["score"])
            files = hub.repos["models", f"lab/{kind}"]
            assert json.loads(files["config.json"])["encoder"] == "lab/bert"
            assert ("model.safetensors" in files) is (kind == "transformer")
        environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-c", FETCH, *KINDS]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "hf_secret" not in done.stdout + done.stderr
    assert list(map(float, done.stdout.split())) == pytest.approx(published, abs=1e-6)
