"""A served model as a judge: servers that speak the OpenAI-compatible chat protocol (vLLM, TGI, SGLang, llama.cpp, an
Inference Endpoint). What texts contain is theirs to keep apart from control tokens: they apply the chat template.
"""

import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import exp, log
from threading import Event
from urllib.parse import urlsplit

import numpy as np

from .common import short_repr, warn
from .common_llm import AnyOrder
from .common_prompts import THINKING, ItemError

TOP_LOGPROBS = (20, 5)  # the protocol's limit, and that of servers which refuse it
PARALLEL = 16  # requests under way at once when the batch size is "auto"
TIMEOUT = 120  # seconds for one request
TRIES = 8  # of one request; between them 1, 2, 4 ... seconds, or as long as the server says
FIRST_TRIES = 3  # of the first request: the address may be wrong
FIRST_WAIT = 1  # seconds
LONGEST_WAIT = 60  # seconds
TOKEN_ID = "token_id:"  # before the number of a token, where vLLM is asked for numbers
UNKNOWN = -9999.0  # what some servers write as a log-probability that they do not tell


class ServedModel(AnyOrder):
    """A client of one model at one address.

    Requests that fail for a while (429, 5xx, dropped connections, time-outs) are sent again. The server's key is taken
    from the environment variable ENDPOINT_API_KEY. The user's Hub token is sent to Hugging Face's own hosts; others
    get the key "EMPTY" by default, as is usual for servers without one.

    Args:
        endpoint: the server's address, such as "http://localhost:8000/v1".
        model_id: what the server calls the model.
        template_kwargs: arguments of the chat template.
        batch_size: requests at once, or "auto".

    Raises:
        ValueError: there is no server, or the Hub's offline mode forbids to ask it.
    """

    def __init__(self, endpoint: str, model_id: str, template_kwargs: dict | None = None, batch_size="auto"):
        from huggingface_hub import InferenceClient, constants, get_token

        if constants.HF_HUB_OFFLINE:  # huggingface_hub's client would refuse, in words that differ between versions
            raise ValueError("endpoint: found HF_HUB_OFFLINE set, expected it unset to ask a server")
        host = urlsplit(endpoint).hostname or ""
        own = host.endswith((".huggingface.co", ".huggingface.cloud"))
        key = os.environ.get("ENDPOINT_API_KEY") or (get_token() if own else "EMPTY")
        self.name = model_id
        self.endpoint = endpoint.rstrip("/")
        self.template_kwargs, self.batch_size = template_kwargs or {}, batch_size
        self.client = InferenceClient(base_url=endpoint, token=key, timeout=TIMEOUT)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.top_logprobs = TOP_LOGPROBS[0]
        listed = self._page("GET", f"{self.endpoint}/models").get("data")
        models = {m.get("id"): m for m in listed if isinstance(m, dict)} if isinstance(listed, list) else {}
        if models and model_id not in models:
            warn(
                f"endpoint: the server has no model called {model_id!r} but {', '.join(map(str, models))}; the answers "
                "are those of whatever it takes that name for"
            )
        about = models.get(model_id, {})
        self.is_vllm = about.get("owned_by") == "vllm"
        info = {} if self.is_vllm else self._page("GET", f"{self._root()}/info")  # TGI's
        told = [*(about.get(field) for field in ("root", "max_model_len", "meta")), info.get("model_sha")]
        told += [] if about else [*models]
        self.identity = [endpoint, model_id, self.template_kwargs, *told]
        self._words = {}  # what the server's token ids say

    def signature(self) -> str:
        """The model for a reader."""
        return f"{self.name} (served)|chat_template_kwargs:{self.template_kwargs}"

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, what the method gives) as the server answers."""
        for i, conversation in enumerate(conversations):
            if isinstance(conversation, tuple):
                raise ItemError(i, f"found a prompt of plain text for {self.name}, expected chat messages")
        run = {"answer_log_probs": self._log_probs, "generate": self._texts}[method]
        yield from run(conversations, argument)

    def _log_probs(self, prompts, answers):
        """Yield (index, (log p(first answer), log p(second answer), top token, bounded)).

        Of a server that scores token ids (vLLM) the answers are asked for by these; from others they are read off the
        most probable tokens: what is not among them is at most as likely as the last one and as what the others leave,
        and `bounded` says so. A token is an answer only if it is one of the variants, exactly.

        Raises:
            ItemError: the server sends no log-probabilities, or its model thinks before it answers.
        """
        ids = self._token_ids(prompts[0], answers) if self.is_vllm and prompts else None
        options = {"max_tokens": 1, "logprobs": True}
        if ids:
            asked = sorted(token for side in ids for token in side)
            options["extra_body"] = {"logprob_token_ids": asked, "return_tokens_as_token_ids": True}
        for i, choice in self._ask(prompts, **options):
            content = choice.logprobs.content if choice.logprobs else None
            if not content:
                raise ItemError(i, f"found no logprobs in the answer of {self.name}, expected some")
            said, top = content[0].token, _told(content[:1]) | _told(content[0].top_logprobs or ())
            top_token = self._word(said)
            if _thought(choice.message) or any(top_token.lstrip().startswith(start) for start, _ in THINKING):
                raise ItemError(
                    i,
                    f"found {self.name} thinking before it answers ({top_token!r}); expected a model that answers at "
                    "once: pass chat_template_kwargs={'enable_thinking': False} if its template has that switch",
                )
            least = min([*top.values(), log(max(1e-12, 1 - sum(map(exp, top.values()))))])
            numbered = ids and said.startswith(TOKEN_ID)  # some proxies and old versions send words all the same
            wanted = [[f"{TOKEN_ID}{token}" for token in side] for side in ids] if numbered else answers
            found = [[top[token] for token in tokens if token in top] for tokens in wanted]
            first, second = (float(np.logaddexp.reduce(known)) if known else least for known in found)
            yield i, (first, second, top_token, not all(found))

    def _texts(self, prompts, max_new_tokens):
        """Yield (index, greedy answer)."""
        for i, choice in self._ask(prompts, max_tokens=max_new_tokens):
            text = choice.message.content or ""
            if not text and choice.finish_reason == "length":  # the server keeps what was thought to itself
                text = THINKING[0][0]
            yield i, text

    # ---- Tokens ----

    def _token_ids(self, messages, answers) -> list[list[int]] | None:
        """The tokens of each answer's variants, as turns after the messages; None where one is not one token."""
        prompt = self._tokenize(messages=messages, chat_template_kwargs=self.template_kwargs)
        found = [[], []]
        for side, variants in zip(found, answers):
            for variant in variants:
                ids = self._tokenize(
                    messages=[*messages, {"role": "assistant", "content": variant}],
                    add_generation_prompt=False,
                    continue_final_message=True,
                    chat_template_kwargs=self.template_kwargs,
                )
                behind = ids[: len(prompt)] == prompt
                own = ids[len(prompt) :] if behind else self._tokenize(prompt=variant, add_special_tokens=False)
                if len(own) != 1:
                    return None
                side += own
        return found

    def _tokenize(self, **what) -> list[int]:
        return self._page("POST", f"{self._root()}/tokenize", {"model": self.name, **what}).get("tokens", [])

    def _word(self, token: str) -> str:
        """A token as text."""
        if not token.startswith(TOKEN_ID):
            return _plain(token)
        if token not in self._words:
            ids = {"model": self.name, "tokens": [int(token.removeprefix(TOKEN_ID))]}
            self._words[token] = self._page("POST", f"{self._root()}/detokenize", ids).get("prompt", token)
        return self._words[token]

    # ---- Requests ----

    def _root(self):
        return self.endpoint.removesuffix("/v1")

    def _page(self, method, url, body=None) -> dict:
        """What a page of the server says; {} where it has no such page."""
        from huggingface_hub import get_session

        def send():
            answer = get_session().request(method, url, headers=self.headers, timeout=TIMEOUT, json=body)
            answer.raise_for_status()
            return answer

        try:
            found = _patiently(send, FIRST_TRIES).content
        except Exception as error:  # of the library's HTTP client, another one in each version
            if _status(error) is None:
                raise ValueError(self._silent(error)) from error
            return {}
        try:
            found = json.loads(found)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _silent(self, error) -> str:
        return (
            f"endpoint: found {self.endpoint!r}, which does not answer ({short_repr(str(error))}), expected the address of "
            "a server of chat models; what it has answered is kept with resume="
        )

    def _ask(self, prompts, **options):
        """Yield (index, choice) as the answers come; if one fails for good, after those that are under way."""
        body = {"chat_template_kwargs": self.template_kwargs} if self.template_kwargs else {}
        body |= options.pop("extra_body", {})
        options |= {"model": self.name, "temperature": 0.0, "seed": 0} | ({"extra_body": body} if body else {})
        failed, stopped = None, Event()
        pool = ThreadPoolExecutor(PARALLEL if self.batch_size == "auto" else self.batch_size)
        try:
            waiting = {pool.submit(self._request, messages, options, stopped): i for i, messages in enumerate(prompts)}
            for done in as_completed(waiting):
                if done.cancelled():
                    continue
                error = done.exception()
                if error is None:
                    yield waiting[done], done.result()
                elif failed is None:
                    failed = waiting[done], error
                    stopped.set()
                    for other in waiting:
                        other.cancel()
        finally:  # also where the caller wants no more
            stopped.set()
            pool.shutdown(cancel_futures=True)
        if failed:
            raise ItemError(failed[0], str(failed[1])) from failed[1]

    def _request(self, messages, options, stopped):
        """One answer, with patience; of a server that refuses as many top_logprobs, with fewer."""
        for top in TOP_LOGPROBS[TOP_LOGPROBS.index(self.top_logprobs) :]:
            asked = options | ({"top_logprobs": top} if "logprobs" in options else {})
            try:
                choice = _patiently(
                    lambda: self.client.chat_completion(messages, **asked).choices[0], TRIES, stopped.wait
                )
            except Exception as error:  # the client's own libraries' errors, other ones in each version
                if _is_malformed(error):
                    found = f"{type(error).__name__}: {error}"
                    raise ValueError(f"found an answer that is no chat completion ({found}), expected one") from error
                if _status(error) is None:
                    raise ValueError(self._silent(error)) from error
                if _status(error) not in (400, 422) or asked == options or top == TOP_LOGPROBS[-1]:
                    raise
            else:
                self.top_logprobs = top
                return choice


def _patiently(send: Callable, tries: int, wait: Callable | None = None):
    """What send() gives; it is called again, at most so many times, while it fails in a way that may pass.

    wait(seconds) is true where there is no use in waiting any more.
    """
    for attempt in range(1, tries + 1):
        try:
            return send()
        except Exception as error:
            status = _status(error)
            passes = status in (408, 429) or status >= 500 and status != 501 if status else not _is_malformed(error)
            if attempt == tries or not passes or (wait or Event().wait)(_pause(attempt, error)):
                raise


def _is_malformed(error) -> bool:
    """Whether an answer came that is no chat completion; a page that is no JSON may be a proxy's, and pass."""
    return isinstance(error, (LookupError, TypeError, AttributeError, RecursionError))  # the last of a NaN


def _thought(message) -> bool:
    """Whether the server keeps the thinking apart, and the first token is of that."""
    return not message.content and bool(message.get("reasoning_content") or message.get("reasoning"))


def _told(entries) -> dict[str, float]:
    """{token: log-probability} of those that are told; some servers write tokens alike that differ by a space."""
    top = {}
    for entry in entries:
        if entry.logprob is None or entry.logprob <= UNKNOWN:
            continue
        token = _plain(entry.token)
        top[token] = float(np.logaddexp(top.get(token, -np.inf), entry.logprob))
    return top


def _status(error) -> int | None:
    """The HTTP status behind an error, None if there was no answer."""
    return getattr(getattr(error, "response", None), "status_code", None)


def _pause(attempt: int, error) -> float:
    """Seconds before the next try: what the server says, else twice as long each time, not all at once."""
    said = error.response.headers.get("Retry-After", "") if _status(error) else ""
    seconds = float(said) if said.isdecimal() else FIRST_WAIT * 2 ** (attempt - 1) * random.uniform(0.5, 1)
    return min(seconds, LONGEST_WAIT)


def _plain(token: str) -> str:
    """A token's text, where the server shows how the tokenizer marks spaces."""
    return token.replace("\u2581", " ").replace("\u0120", " ").replace("\u010a", "\n")
