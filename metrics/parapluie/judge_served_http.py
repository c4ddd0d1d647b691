"""A server of chat models, asked by huggingface_hub's client: its address and key, its pages, what
may pass, and what to do about what does not."""

import os
import socket
import ssl
import time
from base64 import b64encode
from itertools import count
from urllib.parse import SplitResult, unquote, urlsplit

from .common import InputError, Message, argument, input_error, setting, short_repr, warn
from .judge_served_answers import Choice, as_choice, error_in, shown_names

ANSWER_SECONDS, PAGE_SECONDS = 120, 10  # for one request: to the model, for a page about the server
RETRIES = 7  # of a request; and as many more as fill the time that a server may take to start
FIRST_WAIT, LONGEST_WAIT = 1, 8  # seconds between them, twice as long each time
PASSING = (408, 429, 500, *range(502, 600))  # statuses that may be others soon
KEY = "in the environment variable ENDPOINT_API_KEY"
ENDPOINT = argument("endpoint")
EXPECTED = {  # what helps against an answer of this status
    None: "the address of a server of chat models, http://... where it has no certificate",
    401: f"a key that it takes, {KEY}",
    403: f"a key that may use the model, {KEY}",
    404: "the address of a server of chat models, and its name for one of them",
    429: Message("fewer requests at once (", setting("batch_size"), ")"),
    503: Message(
        "a server that has loaded its model; it may be still loading: ",
        setting("timeout"),
        " says how many seconds to wait for it",
    ),
}


class ServerError(InputError):
    """What is wrong with a server; `status` is that of its answer, None without one, and `text` what it says."""

    status: int | None = None
    text = ""

    @classmethod
    def of(cls, found: str, expected: str, status: int | None, text: str) -> "ServerError":
        """The error with these fields; it says how to keep what the server has answered before."""
        kept = ("; what it has answered is kept with ", setting("resume"))
        error = cls(Message(ENDPOINT, ": found ", found, ", expected ", expected, *kept), (ENDPOINT,), found, expected)
        error.status, error.text = status, text
        return error


class Server:
    """A server's pages. A password in the address is sent to it, and shown nowhere.

    address: with or without /v1 or /v1/chat/completions; what follows a "?" is sent with every request. timeout:
    seconds for which a server is waited for that refuses connections or is not ready. model: its name for the model
    that is to be asked. ValueError where there is no server, or HF_HUB_OFFLINE forbids to ask it.
    """

    def __init__(self, address: str, timeout: float, model: str):
        from huggingface_hub import constants

        if constants.HF_HUB_OFFLINE:  # huggingface_hub's client refuses, in words of each version
            raise input_error(ENDPOINT, "HF_HUB_OFFLINE set", "this variable unset, to ask a server")
        split, self.timeout, self.model, self.models, self.is_up = urlsplit(address), timeout, model, {}, False
        self.headers, self.query = {"Authorization": authorization(split)}, f"?{split.query}" if split.query else ""
        given = f"{split.scheme}://{split.netloc.rpartition('@')[2]}{split.path}".rstrip("/")
        base = given.removesuffix("/chat/completions")
        self.root = base.removesuffix("/v1")
        for self.base in (f"{self.root}/v1", self.root):  # noqa: B020  # _list_models asks there
            if (models := self._list_models()) is not None:
                self.models = models
                break
        else:
            self.base = base if base != given else f"{self.root}/v1"

    def page(self, url: str, body: dict | None = None) -> dict:
        """What a page says to a GET, or to a POST of a body; {} where there is no such page."""
        try:
            content = self._send(url, body, PAGE_SECONDS).json()
        except ServerError as error:
            if error.status is None or error.status in PASSING:
                raise
            return {}
        except (ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}

    def complete(self, body: dict) -> Choice:
        """The first choice of a chat completion; ServerError without an answer, ValueError for one of another form."""
        for wait in self._waits():
            answer = self._send(f"{self.base}/chat/completions", body, ANSWER_SECONDS)
            try:
                content = answer.json()
            except (ValueError, RecursionError):  # a proxy's page, perhaps, which may pass
                failure = input_error("", f"an answer of another form ({short_repr(answer.text)})", "a chat completion")
            else:
                error = error_in(content)  # of a router, inside an answer with status 200
                if error is None:
                    return as_choice(content)
                text, status = error
                if status is None:
                    raise input_error("", f"an answer that is an error ({text})", "a chat completion")
                failure = self._refusal(f"{self._found(answer)}, and in it the error {status}", text, status)
                if status not in PASSING:
                    raise failure
            time.sleep(wait)
        raise failure

    def _list_models(self, may_be_loading=True):
        """{name: what the page of models says of it}; None where there is no such page."""
        listed = self.page(f"{self.base}/models").get("data")
        if not isinstance(listed, list):
            return None
        models = {model.get("id"): model for model in listed if isinstance(model, dict)}
        unloaded = [m for m in models.values() if m.get("owned_by") == "llamacpp" and m.get("meta", 0) is None]
        if unloaded and may_be_loading:  # llama.cpp lists it all the same
            self.page(f"{self.root}/health")  # which has status 503 until then
            return self._list_models(may_be_loading=False)
        return models

    def _send(self, url, body, seconds):
        """The server's answer. While it starts it is waited for here, with a line that says so.

        Later huggingface_hub sends again what a status says may pass. What has no answer is always
        sent again here: several of its versions would go on with a client that they have closed.
        """
        from huggingface_hub.utils import http_backoff

        options = {"headers": self.headers, "json": body, "timeout": seconds, "retry_on_exceptions": ()}
        options |= {"base_wait_time": FIRST_WAIT, "max_wait_time": LONGEST_WAIT}
        options["max_retries"] = RETRIES + int(self.timeout // LONGEST_WAIT)
        for wait in self._waits():
            failure, options["retry_on_status_codes"] = None, PASSING if self.is_up else ()
            try:
                answer = http_backoff("GET" if body is None else "POST", url + self.query, **options)
            except Exception as error:  # of its HTTP client, other ones in each version
                answer, failure = getattr(error, "response", None), error
            if answer is not None and (self.is_up or answer.status_code not in PASSING):
                break
            if failure and not self.is_up and is_hopeless(failure):
                raise self._error(answer, failure) from failure
            if wait == LONGEST_WAIT or not self.is_up:
                warn(ENDPOINT, f": found {self._found(answer)}; waiting for up to {self.timeout:g} seconds")
            time.sleep(wait)
        else:
            raise self._error(answer, failure) from failure
        self.is_up = True
        if answer.status_code >= 400:
            raise self._error(answer, None)
        return answer

    def _waits(self):
        """Seconds to wait before each further try, for the time that a server may take to start."""
        start, least = time.monotonic(), RETRIES if self.is_up else 1
        for attempt in count():
            if attempt >= least and time.monotonic() - start >= self.timeout:
                return
            yield min(FIRST_WAIT * 2**attempt, LONGEST_WAIT)

    def _found(self, answer):
        what = "does not answer" if answer is None else f"answers with status {answer.status_code}"
        return f"{self.root!r}, which {what}"

    def _error(self, answer, failure):
        status, text = (None, str(failure)) if answer is None else (answer.status_code, answer.text)
        return self._refusal(self._found(answer), text, status)

    def _refusal(self, found, text, status):
        """The error for a server that says this text; what follows the address's "?" may be a key, and is not shown."""
        text = text.replace(self.query, "?...") if self.query else text
        expected = EXPECTED.get(status, "an answer")
        if status == 404 and self.models:
            expected = f"one of its models: {shown_names(self.models, self.model)}"
        return ServerError.of(f"{found} ({short_repr(text.strip(), 300)})", expected, status, text)


def authorization(address: SplitResult) -> str:
    """The header for the key: ENDPOINT_API_KEY of the environment, else the address's user.

    The user's Hub token is sent to Hugging Face's own hosts. Others get the key "EMPTY" by default,
    as is usual for servers without one.
    """
    from huggingface_hub import get_token

    key, host = os.environ.get("ENDPOINT_API_KEY"), address.hostname or ""
    if address.username is not None and not key:
        user = f"{unquote(address.username)}:{unquote(address.password or '')}"
        return f"Basic {b64encode(user.encode()).decode()}"
    if host.endswith((".huggingface.co", ".huggingface.cloud")):
        key = key or get_token()
    return f"Bearer {key or 'EMPTY'}"


def is_hopeless(error: BaseException | None) -> bool:
    """Whether the host is unknown or out of reach, or speaks another protocol than its address says."""
    while error is not None:
        unreachable = isinstance(error, (ssl.SSLError, socket.gaierror)) or type(error).__name__ == "ConnectTimeout"
        if unreachable or "handshake" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
