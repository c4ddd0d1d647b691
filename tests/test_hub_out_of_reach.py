"""With the Hub out of reach what is cached loads at once, and what is not gives one clear sentence, soon."""

import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from metrics._common import hub

from .conftest import ROOT
from .hub import local_hub

DEMO_MODEL = ROOT / "spaces" / "parapluie" / "demo_model"
NOWHERE = "http://127.0.0.1:9"  # refuses to be spoken to
SCORE = """
import evaluate, sys
pair = {"predictions": ["A boat came."], "references": ["There came a boat."]}
print(evaluate.load("metrics/parapluie").compute(**pair, model_id=sys.argv[1], template="direct")["score"])
"""


def score(endpoint, home, model):
    """(score or None, last line of the errors, seconds) in a fresh process."""
    environment = {k: v for k, v in os.environ.items() if k != "HF_HUB_OFFLINE"}
    environment |= {"HF_ENDPOINT": endpoint, "HF_HOME": str(home)}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SCORE, model], capture_output=True, text=True, env=environment, cwd=ROOT
    )
    errors = done.stderr.strip().splitlines()
    return done.stdout and float(done.stdout), errors and errors[-1], time.monotonic() - start


def test_a_chat_model_from_the_hub_then_from_the_cache_then_unknown(tmp_path):
    with local_hub() as server:
        server.repos["models", "lab/judge"] = {path.name: path.read_bytes() for path in DEMO_MODEL.iterdir()}
        fetched, errors, _ = score(server.url, tmp_path, "lab/judge")
        assert fetched, errors
    cached, errors, with_the_hub_gone = score(NOWHERE, tmp_path, "lab/judge")
    assert cached == fetched, errors
    _, error, soon = score(NOWHERE, tmp_path, "lab/other")
    expected = "found 'lab/other', which is neither a folder nor in the cache, and the Hub at http://127.0.0.1:9 is out"
    assert error.startswith(f"ValueError: parapluie: model_id: {expected}")
    assert max(with_the_hub_gone, soon) < 25  # huggingface_hub alone asks for about that long before it gives up


@pytest.mark.parametrize("endpoint, answers", [(NOWHERE, False), ("local", True), ("no address", False)])
def test_the_hub_is_asked_once_and_shortly(endpoint, answers, monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:  # answers 501 to everything
        threading.Thread(target=server.handle_request, daemon=True).start()
        address = endpoint if endpoint != "local" else f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        assert hub.answers() is answers
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        assert hub.answers() is False


@pytest.mark.parametrize("name", ["a/b/c", "../x", "a b"])
def test_what_is_no_name(name):
    with pytest.raises(ValueError, match="which is no folder and no name on the Hub"):
        hub.find(name)
