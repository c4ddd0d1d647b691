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
texts, encoder = [["One boat."], ["Two boats sank."], ["A crane fell."]], sys.argv[2]
for kind in sys.argv[3:]:
    head = metric.fit(texts, texts, [1, 2, 3], similarity=kind, encoder=encoder, epochs=1)
    head.push_to_hub(f"lab/{kind}")
    print(metric.compute(predictions=texts, references=texts, similarity=kind, head=head)["score"])
"""
FETCH = """
import sys
from metrics import summaries
texts = [["One boat."], ["Two boats sank."], ["A crane fell."]]
for kind in sys.argv[1:]:
    print(summaries(predictions=texts, references=texts, similarity=kind, head=f"lab/{kind}")["score"])
"""


def run(code, server, home, *arguments):
    environment = {**os.environ, "HF_ENDPOINT": server.url, "HF_HOME": str(home), "HF_TOKEN": "hf_secret"}
    environment.pop("HF_HUB_OFFLINE", None)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "hf_secret" not in done.stdout + done.stderr
    return [float(line) for line in done.stdout.splitlines()[-len(KINDS) :]]


KINDS = ("regression", "transformer")


def test_heads_and_their_encoder_from_the_hub(tmp_path):
    folder = models.save_bert(tmp_path / "bert")
    with local_hub() as server:
        files = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        server.repos["models", "lab/bert"] = files
        published = run(PUBLISH, server, tmp_path / "one", "metrics/melasss", "lab/bert", *KINDS)
        for kind in KINDS:
            head = server.repos["models", f"lab/{kind}"]
            assert json.loads(head["config.json"])["encoder"] == "lab/bert"
            assert ("model.safetensors" in head) is (kind == "transformer")
        fetched = run(FETCH, server, tmp_path / "two", *KINDS)
    assert fetched == pytest.approx(published, abs=1e-6)
