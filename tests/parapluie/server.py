"""A server on 127.0.0.1 that speaks the chat protocol, in the ways of several real ones, with faults injected.

What it says is taken from how vLLM and TGI document and show their answers; it is not one of them.
"""

import json
import math
import threading
import time
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SOURCES, HYPOTHESES = ["The cat sat.", "He is here.", "{hypothesis}"], ["A cat sat.", "He is not here.", "b"]
WORDS = ["yes", "Yes", "no", "No", " no", "<think>", "Maybe", "A", "B", "\u00e9", " yes"]  # by their numbers
PROMPT = [900, 901, 902]  # what stands for the tokens of any prompt
HTML = b"<html><body><h1>Bad gateway</h1></body></html>"


def log_probs_of(text: str) -> dict[str, float]:
    """log p of "yes" and "no" after a text: any two numbers, always the same for it."""
    share = (zlib.crc32(text.encode()) % 1000 + 0.5) / 1001
    return {"yes": math.log(0.9 * share), "no": math.log(0.9 * (1 - share)), "Maybe": math.log(0.1)}


def expected() -> list[list[float]]:
    """log p of both answers for the pairs of the tests."""
    tops = [log_probs_of(f'A: "{s}"; B: "{h}"') for s, h in zip(SOURCES, HYPOTHESES)]
    return [[top["yes"], top["no"]] for top in tops]


class Server(ThreadingHTTPServer):
    """What tests may set: see the attributes."""

    request_queue_size, daemon_threads = 128, True

    def __init__(self, listens=True):
        super().__init__(("127.0.0.1", 0), Handler, bind_and_activate=listens)
        if not listens:
            self.server_bind()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.base = "/v1"  # where the protocol is
        self.lock = threading.Lock()
        self.requests = []  # (path, body, seconds) of all that came, faults included
        self.answered = []  # the bodies that were answered
        self.pages = []  # their paths, faults included
        self.keys = set()
        self.queries = set()  # what followed a "?" in the addresses
        self.models = [{"id": "served", "object": "model", "owned_by": "somebody"}]
        self.info = None  # TGI's page
        self.health = {"status": "ok"}  # llama.cpp's and others'
        self.page_fault = lambda n: None  # the number of the request for a page -> the status it fails with
        self.counts_tokens = False  # of a "content", as llama.cpp does
        self.say = lambda body: log_probs_of(body["messages"][-1]["content"])  # {token: log p}
        self.text = lambda body: "Yes, they do."
        self.finish = "stop"
        self.most_top = 20  # more are refused
        self.refuses = lambda body: None  # what a status 400 says of a request, if it is refused
        self.answers_as = lambda body: body["model"]  # which model it says has answered
        self.message = {}  # more fields of every message
        self.listed = None  # the entries of top_logprobs in place of what it says, (token, log p)
        self.scores_ids = False  # logprob_token_ids, as vLLM has them; else they are ignored, as by most
        self.gap = ""  # what the chat template writes before an answer
        self.fault = lambda n: None  # the number of the chat request -> what goes wrong with it
        self.slow = 1.0  # seconds, for the fault "slow"

    def asked(self, path="/v1/chat/completions"):
        """The bodies of all requests for a page."""
        return [body for where, body, _ in self.requests if where == path]

    def handle_error(self, *_):
        """A client that has gone is no news."""


class Handler(BaseHTTPRequestHandler):
    """Pages of the server."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        self.path, _, query = self.path.partition("?")
        with server.lock:
            server.queries.add(query)
            server.pages.append(self.path)
            fault = server.page_fault(len(server.pages))
        if fault is not None:
            return self._fail(fault)
        models = {"object": "list", "data": server.models}
        pages = {f"{server.base}/models": models, "/info": server.info, "/health": server.health}
        self._send(200 if pages.get(self.path) else 404, pages.get(self.path) or {"error": "not found"})

    def do_POST(self):
        server, body = self.server, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.path, _, query = self.path.partition("?")
        with server.lock:
            server.queries.add(query)
            server.requests.append((self.path, body, time.monotonic()))
            server.keys.add(self.headers.get("Authorization"))
            number = len(server.asked()) if "chat" in self.path else 0
        if self.path in ("/tokenize", "/detokenize"):
            return self._tokens(body)
        if self.path != f"{server.base}/chat/completions":
            return self._send(404, {"error": "not found"})
        fault = server.fault(number)
        if fault is not None:
            return self._fail(fault)
        if refusal := server.refuses(body):
            return self._send(400, refusal)
        if body.get("top_logprobs", 0) > server.most_top:
            message = f"`top_n_tokens` must be >= 0 and <= {server.most_top}. Given: {body['top_logprobs']}"
            return self._send(422, {"error": f"Input validation error: {message}", "error_type": "validation"})
        with server.lock:
            server.answered.append(body)
        self._send(200, self._completion(body))

    def _completion(self, body):
        choice = {"index": 0, "finish_reason": self.server.finish}
        if body.get("logprobs"):
            log_probs = self.server.say(body)
            ranked = sorted(log_probs, key=log_probs.get, reverse=True)
            shown = ranked[: body["top_logprobs"]]
            if self.server.scores_ids and body.get("logprob_token_ids"):
                shown = dict.fromkeys([ranked[0], *(WORDS[i] for i in body["logprob_token_ids"])])
            by_number = self.server.scores_ids and body.get("return_tokens_as_token_ids")
            entries = [
                {"token": f"token_id:{WORDS.index(token)}" if by_number else token, "logprob": log_probs[token]}
                for token in shown
            ]
            if self.server.listed is not None:
                entries = [{"token": token, "logprob": log_p} for token, log_p in self.server.listed]
            content = [{**entries[0], "bytes": None, "top_logprobs": entries}] if entries else None
            choice |= {"logprobs": {"content": content} if content else None}
            choice["message"] = {"role": "assistant", "content": ranked[0].strip() if ranked else ""}
        else:
            choice["message"] = {"role": "assistant", "content": self.server.text(body)}
        choice["message"] |= self.server.message
        model = self.server.answers_as(body)
        head = {"id": "1", "object": "chat.completion", "created": 0, "model": model, "system_fingerprint": ""}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {**head, "choices": [choice], "usage": usage}

    def _tokens(self, body):
        if self.server.counts_tokens and "messages" not in body:
            return self._send(200, {"tokens": self._ids(body["content"])})
        if not self.server.scores_ids:
            return self._send(404, {"error": "not found"})
        if self.path == "/detokenize":
            return self._send(200, {"prompt": "".join(WORDS[i] for i in body["tokens"])})
        if "messages" in body:
            last = body["messages"][-1]
            open_turn = [self.server.gap + last["content"]] if body.get("continue_final_message") else []
            words, tokens = open_turn, list(PROMPT)
        else:
            words, tokens = [body["prompt"]], []
        tokens += [token for word in words for token in self._ids(word)]
        self._send(200, {"tokens": tokens, "count": len(tokens), "max_model_len": 4096})

    def _ids(self, word):
        """A word that is no token is written in two."""
        return [WORDS.index(word)] if word in WORDS else [998, 999]

    def _fail(self, fault):
        if fault == "drop":
            self.close_connection = True
            return self.connection.close()
        if fault == "half":  # the connection breaks in the middle of an answer
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
            self.close_connection = True
            return None
        if fault == "slow":
            time.sleep(self.server.slow)
            self.close_connection = True
            return None
        if fault == "html":
            return self._send(502, HTML, "text/html")
        if fault == "html 200":
            return self._send(200, HTML, "text/html")
        if isinstance(fault, dict):  # an answer, with status 200
            return self._send(200, fault)
        status, _, seconds = str(fault).partition(" after ")
        return self._send(int(status), {"error": "not now"}, retry_after=seconds)

    def _send(self, status, content, kind="application/json", retry_after=""):
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing in the tests' output."""


@contextmanager
def running(server=None):
    """A server that runs in threads of its own, a new one or a given one."""
    server = server or Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
