"""endpoint=: a served model, here a server of the standard library on 127.0.0.1 that speaks the chat protocol."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

SOURCES, HYPOTHESES = ["The cat sat.", "He is here.", "{hypothesis}"], ["A cat sat.", "He is not here.", "b"]


class Handler(BaseHTTPRequestHandler):
    """Answers with what the test has put into `server.top` (top log-probabilities by hypothesis) and `server.text`."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, request))
        self.server.authorisation = self.headers.get("Authorization")
        choice = {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": self.server.text}}
        if request.get("logprobs"):
            last = request["messages"][-1]["content"]
            top = next(
                (value for text, value in self.server.top.items() if f'B: "{text}"' in last), self.server.default
            )
            entries = [{"token": token, "logprob": value, "bytes": None} for token, value in top]
            content = [{**entries[0], "top_logprobs": entries}] if entries else None
            choice["logprobs"] = {"content": content} if entries else None
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": request["model"], "choices": [choice]}
        body["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body["system_fingerprint"] = ""
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.requests, server.text, server.default = [], "Yes, they do.", [("yes", -0.1), ("no", -2.5)]
    server.top = {"He is not here.": [("no", -0.25), ("maybe", -1.0), (" yes", -4.0), ("yes", -3.0)]}
    server.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def online(monkeypatch):
    """These tests need no Hub, but the client refuses any server while the Hub is switched off."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


@pytest.fixture
def compute(metric, server):
    def compute(**options):
        options = {"endpoint": server.url, "model_id": "served", "template": "direct", "details": True, **options}
        return metric.compute(predictions=HYPOTHESES, references=SOURCES, **options)

    return compute


def test_scores_are_the_differences_of_the_log_probabilities(compute, server):
    result = compute()
    assert result["scores"] == pytest.approx([2.4, -2.75, 2.4])
    assert result["paraphrase_rate"] == pytest.approx(2 / 3)
    paths, requests = zip(*server.requests)
    assert set(paths) == {"/v1/chat/completions"}
    for request in requests:
        assert (request["model"], request["max_tokens"], request["logprobs"]) == ("served", 1, True)
        assert request["top_logprobs"] >= 2 and request["temperature"] == 0
    contents = {request["messages"][-1]["content"] for request in requests}
    assert contents == {f'A: "{s}"; B: "{h}"' for s, h in zip(SOURCES, HYPOTHESES)}  # texts stay literal


def test_explanations_and_classes(compute, server):
    result = compute(template="indirect", classify=True, max_new_tokens=7)
    assert result["explanations"] == ["Yes, they do."] * 3
    assert result["classes"] == [True] * 3
    scored = [request for _, request in server.requests if request.get("logprobs")]
    assert all(request["messages"][3]["content"] == "Yes, they do." for request in scored)
    assert {request["max_tokens"] for _, request in server.requests} == {1, 7, 8}


@pytest.mark.parametrize(
    ("top", "message"),
    [
        ([("yes", -0.1), ("maybe", -2.0)], r"pair 0: found no token 'no' among the 2 most probable of served"),
        ([("Yes", -0.1), ("no", -2.0)], r"found no token 'yes' among"),
        ([], r"pair 0: found no logprobs in the answer of served"),
    ],
)
def test_a_missing_answer_is_an_error(compute, server, top, message):
    server.default = top
    with pytest.raises(ValueError, match=message):
        compute()


def test_resumed_runs_ask_only_what_is_missing(compute, server, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    first = compute(resume=path)
    assert len(server.requests) == 3
    assert compute(resume=path) == first
    assert len(server.requests) == 3


def test_the_hub_token_is_kept_from_other_servers(compute, server, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    compute()
    assert server.authorisation == "Bearer EMPTY"
    monkeypatch.setenv("ENDPOINT_API_KEY", "key-of-the-server")
    compute()
    assert server.authorisation == "Bearer key-of-the-server"


def test_switched_off_hub_is_pointed_out(compute, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match="found HF_HUB_OFFLINE set, expected it unset"):
        compute()


def test_a_live_model_and_an_endpoint_exclude_each_other(compute):
    with pytest.raises(ValueError, match="found both a live model and an endpoint"):
        compute(model=object(), tokenizer=object())


def test_a_server_that_is_not_there(metric, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    with pytest.raises(ValueError, match="parapluie: endpoint: found 'http://127.0.0.1:9/v1', which does not answer"):
        metric.compute(predictions=["a"], references=["b"], endpoint="http://127.0.0.1:9/v1", model_id="m")


def test_a_score_that_is_no_number_is_refused_and_not_kept(compute, server, tmp_path):
    server.default = [("yes", -0.1), ("no", float("-inf"))]
    for _ in range(2):
        with pytest.raises(ValueError, match="^parapluie: pair 0: found the score inf, expected a finite one"):
            compute(resume=str(tmp_path / "scores.sqlite"))
