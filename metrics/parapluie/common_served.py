# Copied from metrics/_common/common_served.py: edit there, then run make vendor.
"""Chat models elsewhere: servers that speak the OpenAI-compatible chat protocol, and any object that scores.

An object given as `scorer=` has
    name: what to call the model;
    answer_log_probs(conversations, answers): for each conversation (a list of {"role", "content"}, the user's last)
        in its order (log p(first answer), log p(second answer), the likeliest token), where `answers` are two tuples of
        variants whose probabilities are added; a fourth value True marks bounds; values may come one by one;
    generate(conversations, max_new_tokens): the greedy answers, texts, in the same order;
    identity (optional, JSON-serialisable): what tells the model from any other, for `resume`; else its name.
What the texts contain is theirs to keep apart from control tokens, for they apply the chat template.
"""

import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import exp, log
from urllib.parse import urlsplit

import numpy as np

from .common_prompts import THINKING, ItemError, fill

METHODS = ("answer_log_probs", "generate")
TOP_LOGPROBS = (20, 5)  # the protocol's limit, and that of servers which refuse it
PARALLEL = 16  # requests under way at once when the batch size is "auto"
TIMEOUT = 120  # seconds for one request
TRIES = 8  # of one request; they wait 1, 2, 4 ... seconds, or as long as the server says
LONGEST_WAIT = 60  # seconds


class Asked:
    """Anything that answers conversations, with the methods of `ChatLLM` that `Chat` uses."""

    context_length = None
    control_tokens = ()

    def __init__(self, scorer):
        self.scorer = scorer
        self.name = str(scorer.name)
        self.identity = getattr(scorer, "identity", self.name)

    def signature(self) -> str:
        """The model for a reader."""
        return f"{self.name} ({type(self.scorer).__name__})"

    def prompts(self, messages, fields: list) -> list:
        """The conversations with each dict of fields filled in."""
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        return [[{**message, "content": fill(message["content"], values)} for message in messages] for values in fields]

    def answers(self, messages, answers: tuple) -> tuple:
        """The two answers, as they are: who is asked has the tokens."""
        return answers

    def control_words(self, messages) -> list:
        """None are known here."""
        return []

    def answer_log_probs(self, prompts: list, answers: tuple, batch_size="auto") -> Iterator:
        """Yield (index, what the scorer says), as it comes."""
        yield from self._each(prompts, self.scorer.answer_log_probs(prompts, answers))

    def generate(self, prompts: list, max_new_tokens: int = 256, batch_size="auto") -> Iterator:
        """Yield (index, text), as it comes."""
        yield from self._each(prompts, self.scorer.generate(prompts, max_new_tokens))

    def _each(self, prompts, values):
        n = 0
        for n, value in enumerate(values, 1):
            if n <= len(prompts):
                yield n - 1, value
        if n != len(prompts):
            raise ValueError(f"scorer: found {n} values from {self.name}, expected {len(prompts)}, one for each prompt")


class ServedLLM(Asked):
    """A client of one model at one address (vLLM, TGI, SGLang, an Inference Endpoint).

    Requests that fail for a while (429, 5xx, dropped connections, time-outs) are sent again. The server's key is taken
    from the environment variable ENDPOINT_API_KEY. The user's Hub token is sent to Hugging Face's own hosts; others
    get the key "EMPTY" by default, as is usual for servers without one.

    Args:
        endpoint: the server's address, such as "http://localhost:8000/v1".
        model_id: what the server calls the model.
        template_kwargs: arguments of the chat template.

    Raises:
        ValueError: there is no server, or the Hub's offline mode forbids to ask it.
    """

    def __init__(self, endpoint: str, model_id: str, template_kwargs: dict):
        from huggingface_hub import InferenceClient, constants

        if constants.HF_HUB_OFFLINE:  # huggingface_hub's client would refuse, in words that differ between versions
            raise ValueError("endpoint: found HF_HUB_OFFLINE set, expected it unset to ask a server")
        host = urlsplit(endpoint).hostname or ""
        own = host.endswith((".huggingface.co", ".huggingface.cloud"))
        key = os.environ.get("ENDPOINT_API_KEY") or (None if own else "EMPTY")
        self.name = model_id
        self.endpoint = endpoint
        self.template_kwargs = template_kwargs
        self.client = InferenceClient(base_url=endpoint, token=key, timeout=TIMEOUT)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.top_logprobs = TOP_LOGPROBS[0]
        about = next((m for m in self._get("models").get("data", []) if m.get("id") == model_id), {})
        self.identity = [endpoint, model_id, template_kwargs, about.get("root"), about.get("max_model_len")]
        self.takes_token_ids = about.get("owned_by") == "vllm"

    def signature(self) -> str:
        """The model for a reader."""
        return f"{self.name} (served)|chat_template_kwargs:{self.template_kwargs}"

    def answer_log_probs(self, prompts: list, answers: tuple, batch_size="auto") -> Iterator:
        """Yield (index, (log p(first answer), log p(second answer), likeliest token, bounded)) as the answers come.

        Of a server that scores token ids (vLLM) the answers are asked for by these; from others they are read off the
        most probable tokens: what is not among them is at most as likely as the last one and as what the others leave,
        and `bounded` says so. A token is an answer only if it is one of the variants, exactly.

        Raises:
            ItemError: the server sends no log-probabilities, or its model thinks before it answers.
        """
        ids = self._token_ids(answers) if self.takes_token_ids else None
        asked = {"max_tokens": 1, "logprobs": True}
        if ids:
            asked["extra_body"] = {"logprob_token_ids": sorted(ids), "return_tokens_as_token_ids": True}
            answers = [[f"token_id:{i}" for i, k in ids.items() if k == side] for side in (0, 1)]
        for i, choice in self._ask(prompts, batch_size, **asked):
            content = choice.logprobs.content if choice.logprobs else None
            if not content:
                raise ItemError(i, f"found no logprobs in the answer of {self.name}, expected some")
            top = {_plain(entry.token): entry.logprob for entry in content[0].top_logprobs or ()}
            top.setdefault(_plain(content[0].token), content[0].logprob)
            likeliest = choice.message.content or _plain(content[0].token)
            if any(likeliest.lstrip().startswith(start) for start, _ in THINKING):
                raise ItemError(
                    i,
                    f"found {self.name} thinking before it answers ({likeliest!r}); expected a model that answers at "
                    "once: pass chat_template_kwargs={'enable_thinking': False} if its template has that switch",
                )
            least = min([*top.values(), log(max(1e-12, 1 - sum(map(exp, top.values()))))])
            found = [[top[variant] for variant in variants if variant in top] for variants in answers]
            first, second = (float(np.logaddexp.reduce(known)) if known else least for known in found)
            yield i, (first, second, likeliest, not all(found))

    def generate(self, prompts: list, max_new_tokens: int = 256, batch_size="auto") -> Iterator:
        """Yield (index, the model's greedy answer without its thinking) as the answers come."""
        for i, choice in self._ask(prompts, batch_size, max_tokens=max_new_tokens):
            text = (choice.message.content or "").strip()
            for start, end in THINKING:
                if text.startswith(start) and end not in text:
                    raise ItemError(i, f"found {self.name} still thinking after {max_new_tokens} tokens; allow more")
                text = text.rpartition(end)[2].strip()
            yield i, text

    # ---- Requests ----

    def _token_ids(self, answers) -> dict[int, int] | None:
        """{token id: which answer}, from the server's tokenizer; None where a variant is not one token."""
        found = {}
        for side, variants in enumerate(answers):
            for variant in variants:
                body = {"model": self.name, "prompt": variant, "add_special_tokens": False}
                ids = self._post_tokenize(body).get("tokens", ())
                if len(ids) != 1:
                    return None
                found[ids[0]] = side
        return found

    def _post_tokenize(self, body) -> dict:
        return self._json("POST", self.endpoint.rstrip("/").removesuffix("/v1") + "/tokenize", json=body)

    def _get(self, page) -> dict:
        return self._json("GET", f"{self.endpoint.rstrip('/')}/{page}")

    def _json(self, method, url, **content) -> dict:
        """What a page of the server says; {} where it has no such page."""
        from huggingface_hub import get_session

        try:
            answer = get_session().request(method, url, headers=self.headers, timeout=TIMEOUT, **content)
            found = answer.json() if answer.status_code == 200 else {}
        except ValueError:  # a page that is not JSON
            return {}
        except Exception as error:  # of the library's HTTP client, another one in each version
            raise ValueError(self._silent(error)) from error
        return found if isinstance(found, dict) else {}

    def _silent(self, error) -> str:
        return (
            f"endpoint: found {self.endpoint!r}, which does not answer ({error}), expected the address of a server of "
            "chat models"
        )

    def _ask(self, prompts, batch_size, **options):
        """Yield (index, choice) as the answers come; if one fails for good, after those that are under way."""
        body = {"chat_template_kwargs": self.template_kwargs} if self.template_kwargs else {}
        body |= options.pop("extra_body", {})
        options |= {"model": self.name, "temperature": 0.0, "seed": 0} | ({"extra_body": body} if body else {})
        failed = None
        with ThreadPoolExecutor(PARALLEL if batch_size == "auto" else batch_size) as pool:
            waiting = {pool.submit(self._request, messages, options): i for i, messages in enumerate(prompts)}
            for done in as_completed(waiting):
                if done.cancelled():
                    continue
                error = done.exception()
                if error is None:
                    yield waiting[done], done.result()
                elif failed is None:
                    failed = waiting[done], error
                    for other in waiting:
                        other.cancel()
        if failed:
            raise ItemError(failed[0], str(failed[1])) from failed[1]

    def _request(self, messages, options):
        """One answer, with patience."""
        for attempt in range(TRIES):
            asked = options | ({"top_logprobs": self.top_logprobs} if "logprobs" in options else {})
            try:
                return self.client.chat_completion(messages, **asked).choices[0]
            except Exception as error:  # the client's own libraries' errors, other ones in each version
                response = getattr(error, "response", None)
                status = getattr(response, "status_code", None)
                if status in (400, 422) and self.top_logprobs != TOP_LOGPROBS[-1] and "top_logprobs" in str(error):
                    self.top_logprobs = TOP_LOGPROBS[-1]
                    continue
                if attempt == TRIES - 1 or status is not None and status != 429 and status < 500:
                    if status is None:
                        raise ValueError(self._silent(error)) from error
                    raise
                time.sleep(_wait(attempt, response))


def _wait(attempt: int, response) -> float:
    """Seconds before the next try: what the server says, else twice as long each time, not all at once."""
    said = response.headers.get("Retry-After", "") if response is not None else ""
    seconds = float(said) if said.replace(".", "", 1).isdigit() else 2**attempt * random.uniform(0.5, 1)
    return min(seconds, LONGEST_WAIT)


def _plain(token: str) -> str:
    """A token's text, where the server shows how the tokenizer marks spaces."""
    return token.replace("\u2581", " ").replace("\u0120", " ").replace("\u010a", "\n")
