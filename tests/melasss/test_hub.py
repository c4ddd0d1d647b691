"""Heads and encoders over the Hub's protocol: published, fetched in another process with an empty cache, used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..hub import local_hub
from . import models

PUBLISH = """
import sys
import evaluate
metric = evaluate.load(sys.argv[1])
texts, kind, encoder = [["One boat."], ["Two boats sank."], ["A crane fell."]], sys.argv[2], sys.argv[3]
head = metric.fit(texts, texts, [1, 2, 3], similarity=kind, encoder=encoder, epochs=1)
head.push_to_hub("lab/head")
print(metric.compute(predictions=texts, references=texts, similarity=kind, head=head)["score"])
"""
FETCH = """
import sys
import evaluate
metric = evaluate.load(sys.argv[1])
texts, kind = [["One boat."], ["Two boats sank."], ["A crane fell."]], sys.argv[2]
print(metric.compute(predictions=texts, references=texts, similarity=kind, head="lab/head")["score"])
"""


def run(code, server, home, *arguments):
    environment = {**os.environ, "HF_ENDPOINT": server.url, "HF_HOME": str(home), "HF_TOKEN": "hf_secret"}
    environment.pop("HF_HUB_OFFLINE", None)
    command = [sys.executable, "-c", code, str(ROOT / "metrics" / "melasss"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "hf_secret" not in done.stdout + done.stderr
    return float(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("kind", ["regression", "transformer"])
def test_a_head_and_its_encoder_from_the_hub(kind, tmp_path):
    folder = models.save_bert(tmp_path / "bert")
    with local_hub() as server:
        files = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        server.repos["models", "lab/bert"] = files
        published = run(PUBLISH, server, tmp_path / "one", kind, "lab/bert")
        head = server.repos["models", "lab/head"]
        assert json.loads(head["config.json"])["encoder"] == "lab/bert"
        assert ("model.safetensors" in head) is (kind == "transformer")
        fetched = run(FETCH, server, tmp_path / "two", kind)
    assert fetched == pytest.approx(published, abs=1e-6)
