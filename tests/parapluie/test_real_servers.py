"""Real servers, vLLM and llama.cpp, beside the same model in this process, with few pairs.

    python -m pytest -m slow tests/parapluie/test_real_servers.py

benchmarks/papers/real_servers.py has more of them, and makes the servers' environments.
"""

from pathlib import Path

import pytest

from benchmarks.papers import real_servers as real
from metrics import paraphrases

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
# Largest differences of log ratios from this process's; what they are: benchmarks/results.
TOLERANCES = {"vllm": 1e-3, "llama.cpp F32": 0.1}


@pytest.fixture(scope="module")
def pairs():
    try:
        return real.read_pairs(6)
    except real.Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def expected(pairs):
    return real.ask_all(pairs, model_id=real.model_folder())


@pytest.fixture(scope="module", params=TOLERANCES)
def server(request):
    """A server that was just started: whoever asks first waits for it."""
    try:
        with real.running(request.param) as server, pytest.MonkeyPatch.context() as patch:
            patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
            yield server
    except real.Unavailable as error:
        pytest.skip(str(error))


def test_a_server_gives_the_scores_of_this_process(server, pairs, expected):
    found = real.ask_all(pairs, **server.options())
    explained = found["indirect"]["explanations"] == expected["indirect"]["explanations"]
    for template, difference in real.differences(found, expected).items():
        assert difference["bounded"] == 0
        if template != "indirect" or explained:
            assert difference["largest"] < TOLERANCES[server.kind]
    assert found["classes"] == expected["classes"] and all(found["written"])
    assert f"(served at {server.address})" in found["direct"]["signature"]
    if server.kind == "vllm":
        assert explained and found["written"] == expected["written"]


def test_the_address_may_say_more_or_less_of_the_path(server, pairs, expected):
    for path in ("/v1", "/v1/chat/completions"):
        options = server.options(endpoint=server.address + path)
        scores = paraphrases(**pairs, template="direct", details=True, **options)["scores"]
        assert scores == pytest.approx(expected["direct"]["scores"], abs=TOLERANCES[server.kind])


def test_errors_say_what_to_do(server, pairs):
    found = real.errors(pairs, server)
    assert "several tokens" in found["answers of several tokens"]
    assert "http://... where it has no certificate" in found["https"]
    assert "ENDPOINT_API_KEY" in found["a wrong key"]
    name = f"expected a model of 'http://127.0.0.1:PORT': {real.PACKAGED}" if server.kind == "vllm" else "has no model"
    assert name in found["a wrong name"]


@pytest.mark.parametrize("restart_after", [3, None])
def test_killed_and_started_again_no_answer_is_lost_or_asked_twice(server, pairs, tmp_path, restart_after):
    many, path = real.read_pairs(60), Path(tmp_path, "scores.sqlite")
    end = real.killed(many, server, path, restart_after)
    if restart_after is None:
        assert "which does not answer" in end["error"] and end["kept"] <= end["after"] < 60
        server.start()
        end["scores"] = paraphrases(**many, template="direct", details=True, **server.options(resume=str(path)))[
            "scores"
        ]
    assert len(end["scores"]) == 60 == real.rows(path)  # none is kept twice, for another server


def test_vllm_in_a_process_gives_the_scores_of_this_one(pairs, expected):
    try:
        found = real.ask_in_vllm(pairs, "float32")
    except real.Unavailable as error:
        pytest.skip(str(error))
    assert max(each["largest"] for each in real.differences(found, expected).values()) < TOLERANCES["vllm"]
    for part in ("classes", "written"):
        assert found[part] == expected[part]
    assert "(vLLM, float32)" in found["direct"]["signature"]
