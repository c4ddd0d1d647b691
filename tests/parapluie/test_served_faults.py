"""Servers that fail: for a while, half-way, for good. Nothing is lost, nothing is asked twice."""

import socket
import sqlite3
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from . import server as servers

FAULTS = ("500", "503", "429 after 0", "drop", "half", "html", "html 200", "slow")


@pytest.fixture
def served(metric, server, monkeypatch):
    """The module with the client, as the metric has it: waiting times are short here."""
    module = sys.modules[type(metric).__module__.rpartition(".")[0] + ".judge_served_http"]
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.1)
    return module


@pytest.fixture
def compute(metric, server, served):
    def compute(n, **options):
        pairs = {"predictions": [f"hypothesis {i}" for i in range(n)], "references": [f"source {i}" for i in range(n)]}
        options = {"template": "direct", "answers": ("yes", "no"), "details": True, "timeout": 1, **options}
        return metric.compute(**pairs, endpoint=server.url, model_id="served", **options)

    return compute


def expected(n):
    tops = [servers.log_probs_of(f'A: "source {i}"; B: "hypothesis {i}"') for i in range(n)]
    return [top["yes"] - top["no"] for top in tops]


def rows(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT count(*) FROM results").fetchone()[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_passes_is_waited_for(compute, server, served, monkeypatch, fault):
    """Every request fails three times."""
    if fault == "slow":  # no other is to be taken for slow where much else is at work
        monkeypatch.setattr(served, "ANSWER_SECONDS", 0.5)
    failed = Counter()

    def fails(number):
        text = server.asked()[number - 1]["messages"][-1]["content"]
        failed[text] += 1
        return fault if failed[text] <= 3 else None

    server.fault = fails
    assert compute(2, batch_size=1)["scores"] == pytest.approx(expected(2))
    assert len(server.asked()) == 8 and len(server.answered) == 2


WAITS = pytest.mark.filterwarnings("ignore:.*which does not answer; waiting for up to")


@WAITS
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
    with pytest.raises(ValueError, match=r"^parapluie: endpoint: found ") as error:
        compute(100, resume=path)
    assert fault in str(error.value) or "does not answer" in str(error.value) and "resume=" in str(error.value)
    known = len(server.answered)
    assert 40 <= known < 60 and rows(path) == known  # sixteen were under way
    server.fault = lambda number: None
    assert compute(100, resume=path)["scores"] == pytest.approx(expected(100))
    assert set(Counter(map(str, server.answered)).values()) == {1} and len(server.answered) == 100


def test_a_caller_who_stops_waits_for_no_more_than_what_is_under_way(compute, server):
    """Here because the answer to one pair is of no use."""
    server.say = lambda body: {} if "source 3" in body["messages"][-1]["content"] else {"yes": -1.0, "no": -1.0}
    with pytest.raises(ValueError, match="pair 3.*: found no logprobs"):
        compute(1000)
    assert len(server.asked()) < 200


@pytest.fixture
def silent():
    """A server that does not listen yet: it has its port, and connections are refused."""
    server = servers.Server(listens=False)
    yield server
    server.server_close()


def test_a_server_that_is_not_there_is_waited_for(metric, served, silent):
    """Connections are refused, as while vLLM loads; what waiting cannot help is not waited for."""
    options = {"predictions": ["a"], "references": ["b"], "model_id": "m", "timeout": 1}
    address = silent.url.removesuffix("/v1")
    start = time.monotonic()
    message = f"^parapluie: endpoint: found '{address}', which does not answer .*refused.*expected the address"
    waiting = f"'{address}', which does not answer; waiting for up to 1 seconds"
    with pytest.raises(ValueError, match=message), pytest.warns(UserWarning, match=waiting):
        metric.compute(endpoint=address + "/v1", **options)
    assert 1 < time.monotonic() - start < 30
    for wrong in ("http://no-such-host.invalid", "http://127.0.0.1:99999"):
        with pytest.raises(ValueError, match="endpoint: found 'http://.*expected "):
            metric.compute(endpoint=wrong, **options | {"timeout": 600})
    assert time.monotonic() - start < 60


def test_a_server_that_starts_late_is_asked_then(metric, served, silent):
    """vLLM listens when it has loaded its model, half a minute or two after it was started."""
    with ThreadPoolExecutor() as pool, pytest.warns(UserWarning, match="waiting for up to 60 seconds") as told:
        asked = pool.submit(metric.judge, endpoint=silent.url, model_id="served", timeout=60)
        while not len(told) and not asked.done():
            time.sleep(0.05)
        silent.server_activate()
        with servers.running(silent):
            assert asked.result().identity[:2] == [silent.url.removesuffix("/v1"), "served"]


@pytest.mark.parametrize("fault", ["503", "429", "502", "drop"])
def test_answers_kept_before_a_server_was_loading_stay_valid(compute, server, tmp_path, fault):
    """Its pages were taken for missing, which made it another server: everything was asked again."""
    path = str(tmp_path / "scores.sqlite")
    server.models = [{"id": "served", "owned_by": "somebody", "root": "/models/judge"}]
    first = compute(3, resume=path)
    server.pages.clear()
    server.page_fault = lambda number: fault if number <= 3 else None
    with pytest.warns(UserWarning, match="which (answers with status .*|does not answer); waiting for up to 1 seconds"):
        assert compute(3, resume=path) == first
    assert len(server.answered) == 3 and len(server.pages) > 4


def test_vllm_is_asked_exactly_after_it_was_loading(compute, server):
    server.models, server.scores_ids = [{"id": "served", "owned_by": "vllm"}], True
    server.page_fault = lambda number: "503" if number <= 3 else None
    with pytest.warns(UserWarning, match="status 503; waiting for up to 1 seconds"):
        compute(1)
    assert server.answered[0]["logprob_token_ids"]


def test_a_server_that_goes_on_loading(compute, server):
    """It is waited for as long as timeout= says, and no longer."""
    server.page_fault = lambda number: "503"
    start = time.monotonic()
    with pytest.warns(UserWarning, match="waiting"), pytest.raises(ValueError, match=NEXT_STEPS["503"]):
        compute(1)
    assert 1 <= time.monotonic() - start < 30
    with pytest.warns(UserWarning, match="for up to 0 seconds"), pytest.raises(ValueError, match=NEXT_STEPS["503"]):
        compute(1, timeout=0)


def test_llama_cpp_lists_a_model_that_it_is_loading(compute, server, tmp_path):
    """What it says of the model is missing until then, and so was the identity's."""
    path, meta = str(tmp_path / "scores.sqlite"), {"n_vocab": 49152}
    server.models = [{"id": "served", "owned_by": "llamacpp", "meta": meta}]
    compute(2, resume=path)

    def loading(_):
        n = server.pages.count("/health")
        server.models[0]["meta"] = meta if n > 2 else None
        return "503" if server.pages[-1] == "/health" and n <= 2 else None

    server.page_fault = loading
    compute(2, resume=path)
    assert len(server.answered) == 2 and server.pages.count("/health") == 3


@pytest.mark.parametrize("answers", [True, False], ids=["answers", "is silent"])
def test_https_where_http_is_spoken(metric, served, server, monkeypatch, answers):
    """Some servers refuse what they cannot read, others wait for the rest of it."""
    monkeypatch.setattr(served, "PAGE_SECONDS", 0.5)
    start = time.monotonic()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = server.server_port if answers else silent.getsockname()[1]
        with pytest.raises(ValueError, match=r"endpoint: found 'https://.*http://\.\.\. where it has no certificate"):
            metric.judge(endpoint=f"https://127.0.0.1:{port}/v1", model_id="served")
    assert time.monotonic() - start < 30


NEXT_STEPS = {
    "401": "status 401 .*expected a key that it takes, in the environment variable ENDPOINT_API_KEY",
    "403": "status 403 .*expected a key that may use the model, in the environment variable ENDPOINT_API_KEY",
    "404": "status 404 .*expected one of its models: served",
    "429": "status 429 .*expected fewer requests at once",
    "503": "status 503 .*it may be still loading: timeout= says how many seconds to wait",
}


@pytest.mark.parametrize("status", NEXT_STEPS)
def test_errors_say_what_to_do(compute, server, status):
    """And blame no pair for what is the server's."""
    server.fault = lambda number: status
    with pytest.raises(ValueError, match=f"^parapluie: endpoint: found .*{NEXT_STEPS[status]}"):
        compute(2)


def test_a_wrong_name_is_refused_by_vllm_before_any_pair(compute, server):
    server.models = [{"id": "judge", "owned_by": "vllm"}, {"id": "adapter", "owned_by": "vllm"}]
    with pytest.raises(ValueError, match="model_id: found 'served', expected a model of 'http.*': judge, adapter"):
        compute(2)
    assert not server.asked()


def test_a_model_that_the_server_does_not_list(compute, server):
    """Some servers answer whatever the model is called; the signature is not to say the default's name unnoticed."""
    server.models = [{"id": "another"}]
    with pytest.warns(UserWarning, match="the server has no model called 'served' but another"):
        assert compute(1)["scores"] == pytest.approx(expected(1))


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": None}, {"error": "no"}], ids=str)
def test_an_answer_that_is_no_chat_completion(compute, server, body):
    """It would be the same the next time, so it is not waited for."""
    server.fault = lambda number: body
    with pytest.raises(ValueError, match="pair 0: found an answer that is .*, expected a chat completion"):
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
