"""Servers that fail: for a while, half-way, for good. Nothing is lost, nothing is asked twice."""

import random
import sqlite3
import sys
import threading
import time
from collections import Counter

import pytest

from . import server as servers

FAULTS = ("500", "503", "429 after 0", "drop", "half", "html", "html 200", "slow")


@pytest.fixture
def server():
    with servers.running() as server:
        yield server


@pytest.fixture
def served(metric, monkeypatch):
    """The module with the client, as the metric has it: waiting times are short here."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    module = sys.modules[type(metric).__module__.rpartition(".")[0] + ".common_served"]
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.2)
    return module


@pytest.fixture
def compute(metric, server, served):
    def compute(n, **options):
        pairs = {"predictions": [f"hypothesis {i}" for i in range(n)], "references": [f"source {i}" for i in range(n)]}
        options = {"template": "direct", "answers": ("yes", "no"), "details": True, **options}
        return metric.compute(**pairs, endpoint=server.url, model_id="served", **options)

    return compute


def expected(n):
    said = [servers.log_probs_of(f'A: "source {i}"; B: "hypothesis {i}"') for i in range(n)]
    return [top["yes"] - top["no"] for top in said]


def rows(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT count(*) FROM results").fetchone()[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_passes_is_waited_for(compute, server, served, monkeypatch, fault):
    """Every request fails three times."""
    monkeypatch.setattr(served, "TIMEOUT", 0.1)
    server.slow, failed = 0.3, Counter()

    def fails(number):
        text = server.asked()[number - 1]["messages"][-1]["content"]
        failed[text] += 1
        return fault if failed[text] <= 3 else None

    server.fault = fails
    assert compute(2, batch_size=1)["scores"] == pytest.approx(expected(2))
    assert len(server.asked()) == 8 and len(server.answered) == 2


def test_as_long_as_the_server_says(compute, server, served, monkeypatch):
    monkeypatch.setattr(served, "LONGEST_WAIT", 5)
    server.fault = lambda number: "429 after 1" if number == 1 else None
    compute(1)
    (*_, first), (*_, second) = server.requests
    assert 1 <= second - first < 2


@pytest.mark.parametrize("fault", ["503", "drop", "401"])
def test_what_does_not_pass_ends_the_run_but_nothing_is_lost(compute, server, tmp_path, fault):
    """Those under way are still waited for; what the server then lacks is asked, and no more."""
    path = str(tmp_path / "scores.sqlite")
    dead = threading.Event()

    def fails(number):
        if len(server.answered) >= 40:
            dead.set()
        return fault if dead.is_set() else None

    server.fault = fails
    with pytest.raises(ValueError, match=r"^parapluie: pair \d+: ") as error:
        compute(100, resume=path)
    assert fault in str(error.value) or "does not answer" in str(error.value) and "resume=" in str(error.value)
    known = len(server.answered)
    assert 40 <= known < 60 and rows(path) == known  # sixteen were under way
    server.fault = lambda number: None
    assert compute(100, resume=path)["scores"] == pytest.approx(expected(100))
    assert set(Counter(map(str, server.answered)).values()) == {1} and len(server.answered) == 100


def test_results_are_kept_as_they_come(compute, server, tmp_path, monkeypatch):
    """Not at the end of the run: while the last request waits, the others are on the disk."""
    path = str(tmp_path / "scores.sqlite")
    seen = []

    def late(number):
        if number == 200:
            time.sleep(1.5)
            seen.append(rows(path))

    server.fault = late
    compute(200, resume=path)
    assert seen[0] >= 150


def test_a_caller_who_stops_waits_for_no_more_than_what_is_under_way(compute, server):
    """Here because the answer to one pair is of no use."""
    server.say = lambda body: {} if "source 3" in body["messages"][-1]["content"] else {"yes": -1.0, "no": -1.0}
    with pytest.raises(ValueError, match="pair 3.*: found no logprobs"):
        compute(1000)
    assert len(server.asked()) < 200


def test_a_server_that_is_not_there(metric, served):
    start = time.monotonic()
    message = "^parapluie: endpoint: found 'http://127.0.0.1:9/v1', which does not answer .*expected the address"
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=["a"], references=["b"], endpoint="http://127.0.0.1:9/v1", model_id="m")
    assert time.monotonic() - start < 5


def test_a_model_that_the_server_does_not_list(compute, server):
    """Some servers answer whatever the model is called; the signature is not to say the default's name unnoticed."""
    server.models = [{"id": "another"}]
    with pytest.warns(UserWarning, match="the server has no model called 'served' but another"):
        assert compute(1)["scores"] == pytest.approx(expected(1))


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": None}, {"error": "no"}], ids=str)
def test_an_answer_that_is_no_chat_completion(compute, server, monkeypatch, body):
    """It would be the same the next time, so it is not waited for."""
    monkeypatch.setattr(servers.Handler, "_completion", lambda *_: body)
    with pytest.raises(ValueError, match="pair 0: found an answer that is no chat completion"):
        compute(1)
    assert len(server.asked()) == 1


def test_the_page_of_models_may_be_anything(compute, server, monkeypatch):
    for models in ([], None, 5, ["served", None]):
        server.models = models
        assert compute(1)["scores"] == pytest.approx(expected(1))
    monkeypatch.setattr(servers.Handler, "do_GET", lambda self: self._send(200, servers.HTML, "text/html"))
    assert compute(1)["scores"] == pytest.approx(expected(1))
    monkeypatch.setattr(servers.Handler, "do_GET", lambda self: self._send(501, b""))
    assert compute(1)["scores"] == pytest.approx(expected(1))


@pytest.mark.parametrize("n", [600, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_pairs_with_five_in_a_hundred_requests_failing(compute, server, served, monkeypatch, tmp_path, n):
    """The server dies for good at half the pairs; a second run asks for what lacks. Nothing is lost or scored twice."""
    monkeypatch.setattr(served, "TIMEOUT", 2)
    path, drawn = str(tmp_path / "scores.sqlite"), random.Random(0)
    server.slow = 3.0
    faults = [fault for fault in FAULTS if fault != "slow" or n < 1000]
    server.fault = lambda number: (
        "drop" if len(server.answered) >= n // 2 else drawn.choice(faults) if drawn.random() < 0.05 else None
    )
    with pytest.raises(ValueError, match=r"pair \d+: .*does not answer"):
        compute(n, resume=path)
    known = len(server.answered)
    assert n // 2 <= known < n // 2 + 32 and rows(path) == known
    server.fault = lambda number: drawn.choice(faults) if drawn.random() < 0.05 else None
    result = compute(n, resume=path)
    assert result["scores"] == pytest.approx(expected(n))
    times = Counter(body["messages"][-1]["content"] for body in server.answered)
    assert len(times) == n and set(times.values()) == {1}
    assert rows(path) == n and len(server.asked()) > n * 1.03
