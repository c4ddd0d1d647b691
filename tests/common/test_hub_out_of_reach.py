"""With the Hub out of reach, what is cached loads at once; what is not soon gives a clear error."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from metrics._common.common_hub import find, hub_is_reachable

from ..conftest import ROOT
from ..hub import local_hub

DEMO_MODEL = ROOT / "spaces" / "parapluie" / "demo_model"
NOWHERE = "http://127.0.0.1:9"  # refuses to be spoken to
SCORE = """
import json, sys, time
from transformers import AutoTokenizer, LlamaForCausalLM
from metrics import paraphrases
results = []
for model in sys.argv[1:]:
    start = time.monotonic()
    try:
        found = paraphrases(["A boat came."], ["There came a boat."], model_id=model, template="direct")["score"]
    except ValueError as error:
        found = str(error)
    results.append([found, time.monotonic() - start])
print(json.dumps(results))
"""
PATIENCE = 20  # seconds; huggingface_hub alone asks for 25 to 50 before it gives up


def score(endpoint, home, *models):
    """(the score or the error, seconds) of each model in turn, in a fresh process."""
    environment = {k: v for k, v in os.environ.items() if k != "HF_HUB_OFFLINE"}
    environment |= {"HF_ENDPOINT": endpoint, "HF_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", SCORE, *models], capture_output=True, text=True, env=environment, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_chat_model_from_the_hub_then_from_the_cache_then_unknown(tmp_path):
    with local_hub() as server:
        server.repos["models", "lab/judge"] = {path.name: path.read_bytes() for path in DEMO_MODEL.iterdir()}
        [(fetched, _)] = score(server.url, tmp_path, "lab/judge")
        assert isinstance(fetched, float), fetched
    (cached, seconds), (error, more) = score(NOWHERE, tmp_path, "lab/judge", "lab/other")
    assert cached == fetched and seconds < PATIENCE and more < PATIENCE
    expected = "expected a folder, a cached model or a reachable Hub (at http://127.0.0.1:9)"
    assert error.startswith("parapluie: model_id: found 'lab/other' neither here nor in the cache")
    assert error.endswith(expected)


class HasNothing(BaseHTTPRequestHandler):
    """Answers 404, or what stands at the end of the address."""

    def do_GET(self):
        self.send_error(int(self.path.strip("/") or 404))


@pytest.mark.parametrize(
    "address, answers",
    [("HERE", True), ("HERE/401", True), *((f"HERE/{status}", False) for status in (407, 502, 503))]
    + [(NOWHERE, False), ("no address", False)],
)
def test_what_counts_as_an_answer(address, answers, monkeypatch):
    """The Hub is asked once."""
    with ThreadingHTTPServer(("127.0.0.1", 0), HasNothing) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address.replace("HERE", here))
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        assert hub_is_reachable() is answers
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        assert hub_is_reachable() is False


@pytest.mark.parametrize("name", ["a/b/c", "../x", "a b"])
def test_what_is_no_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where no folder has the name, whatever that of the clone is
    with pytest.raises(ValueError, match="found .*, expected a folder or a name on the Hub: "):
        find(name)
