"""A served model as a judge: servers that speak the OpenAI-compatible chat protocol (vLLM, TGI,
SGLang, llama.cpp, an Inference Endpoint). What texts contain is theirs to keep apart from control
tokens: they apply the chat template."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import exp, inf, log

import numpy as np

from .common import warn
from .common_judge import AnyOrder
from .common_prompts import THINKING, ItemError
from .judge_served_http import Server, ServerError, plain

TOP_LOGPROBS = (20, 5)  # to ask for: the protocol's limit, and that of servers which refuse it
TOP_OF_LLAMA_CPP = 5000  # it gives as many as it is asked for; half a megabyte
NEGLIGIBLE = 1e-3  # nats: what unlisted variants may add to a log p that is not called a bound
PARALLEL = 16  # requests under way at once when the batch size is "auto"
TOKEN_ID = "token_id:"  # before the number of a token, where vLLM is asked for numbers


class ServedModel(AnyOrder):
    """A client of one model of one server, by the options of `JudgeOptions`.

    Requests that fail for a while (429, 5xx, dropped connections, time-outs) are sent again.
    ValueError where there is no server, it has no such model, or HF_HUB_OFFLINE forbids to ask it.
    """

    def __init__(self, endpoint, model_id: str, template_kwargs=None, batch_size="auto", timeout: float = 120):
        from huggingface_hub import constants

        if constants.HF_HUB_OFFLINE:  # huggingface_hub's client refuses, in words of each version
            raise ValueError("endpoint: found HF_HUB_OFFLINE set, expected it unset to ask a server")
        self.name, self.template_kwargs, self.batch_size = model_id, template_kwargs or {}, batch_size
        self.server = server = Server(endpoint, timeout)
        about = server.models.get(model_id, {})
        kinds = {model.get("owned_by") for model in server.models.values()}
        self.is_vllm = "vllm" in kinds
        if server.models and not about:
            self._check_name()
        self.top_logprobs = ((TOP_OF_LLAMA_CPP,) if "llamacpp" in kinds else ()) + TOP_LOGPROBS
        others = not kinds & {"vllm", "llamacpp"}
        info = server.page(f"{server.root}/info") if others else {}  # TGI's
        facts = [*(about.get(field) for field in ("root", "max_model_len", "meta")), info.get("model_sha")]
        facts += [] if about else [*server.models]
        self.identity = [server.root, model_id, self.template_kwargs, *facts]
        self._words = {}  # what the server's token ids say

    def _check_name(self):
        models = ", ".join(map(str, self.server.models))
        if self.is_vllm:
            raise ValueError(f"model_id: found {self.name!r}, expected a model of {self.server.root!r}: {models}")
        warn(
            f"endpoint: the server has no model called {self.name!r} but {models}; the answers are those of whatever "
            "it takes that name for"
        )

    def signature(self) -> str:
        """The model for a reader."""
        return f"{self.name} (served at {self.server.root})|chat_template_kwargs:{self.template_kwargs}"

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, what the method gives) as the server answers."""
        for i, conversation in enumerate(conversations):
            if isinstance(conversation, tuple):
                raise ItemError(i, f"found a prompt of plain text for {self.name}, expected chat messages")
        run = {"answer_log_probs": self._log_probs, "generate": self._texts}[method]
        if conversations:
            yield from run(conversations, argument)

    def _log_probs(self, prompts, answers):
        """Yield (index, (log p(first answer), log p(second answer), top token, bounded)).

        Of a server that scores token ids (vLLM) the answers are asked for by these. From others
        they are read off the most probable tokens, and `bounded` says where that is not enough. A
        token is an answer only if it is one of the variants, exactly.

        Raises:
            ItemError: the server sends no log-probabilities, or its model thinks before it answers.
        """
        ids, options, n_unlisted = self._token_ids(prompts[0], answers), {"max_tokens": 1, "logprobs": True}, 0
        if ids:
            asked = sorted(token for side in ids for token in side)
            options |= {"logprob_token_ids": asked, "return_tokens_as_token_ids": True}
        for i, choice in self._ask(prompts, **options):
            if choice.first is None:
                alternative = "expected some: vLLM, SGLang, TGI and llama.cpp send them; or run the model here"
                raise ItemError(i, f"found no logprobs in the answer of {self.name}, {alternative}, without endpoint=")
            top_token = self._word(choice.first)
            if choice.is_thought or any(top_token.lstrip().startswith(start) for start, _ in THINKING):
                raise ItemError(
                    i,
                    f"found {self.name} thinking before it answers ({top_token!r}); expected a model that answers at "
                    "once: pass chat_template_kwargs={'enable_thinking': False} if its template has that switch",
                )
            is_numbered = ids and choice.first.startswith(TOKEN_ID)  # not by proxies and old versions
            sides = [[f"{TOKEN_ID}{token}" for token in side] for side in ids] if is_numbered else answers
            n_unlisted += not any(token in choice.top for side in sides for token in side)
            (first, first_bounded), (second, second_bounded) = (log_p(choice.top, side) for side in sides)
            yield i, (first, second, top_token, first_bounded or second_bounded)
        if n_unlisted == len(prompts):
            warn(f"neither answer is among the tokens that {self.name} tells, for any pair: the scores say nothing")

    def _texts(self, prompts, max_new_tokens):
        """Yield (index, greedy answer)."""
        for i, choice in self._ask(prompts, max_tokens=max_new_tokens):
            still_thinks = not choice.text and choice.finish == "length"  # and keeps it to itself
            yield i, THINKING[0][0] if still_thinks else choice.text

    # ---- Tokens ----

    def _token_ids(self, messages, answers) -> list[list[int]] | None:
        """The tokens of each answer's variants after the messages; None if ids cannot be asked for.

        Raises:
            ValueError: a variant is several tokens: the first one does not tell how likely it is.
        """
        options = {"chat_template_kwargs": self.template_kwargs}
        prompt = self._tokenize(messages=messages, **options) if self.is_vllm else []
        ids = [[], []]
        for side, variants in zip(ids, answers):
            for variant in variants:
                turns = [*messages, {"role": "assistant", "content": variant}]
                form = {"messages": turns, "add_generation_prompt": False, "continue_final_message": True, **options}
                turn = self._tokenize(**form) if prompt else []
                if prompt and turn[: len(prompt)] == prompt:
                    own = turn[len(prompt) :]
                else:  # the second of both names is llama.cpp's
                    own = self._tokenize(prompt=variant, content=variant, add_special_tokens=False, add_special=False)
                if len(own) > 1 or not own and len(variant.split()) > 1:
                    raise ValueError(
                        f"answers: found {variant!r}, several tokens of {self.name}, expected one of a single token "
                        "with an endpoint; a model here, or judge=metric.VLLM(...), scores longer ones"
                    )
                side += own
        return ids if self.is_vllm and all(ids) else None

    def _tokenize(self, **what) -> list[int]:
        tokens = self.server.page(f"{self.server.root}/tokenize", {"model": self.name, **what}).get("tokens")
        return tokens if isinstance(tokens, list) else []

    def _word(self, token: str) -> str:
        """A token as text."""
        if not token.startswith(TOKEN_ID):
            return plain(token)
        if token not in self._words:
            body = {"model": self.name, "tokens": [int(token.removeprefix(TOKEN_ID))]}
            self._words[token] = self.server.page(f"{self.server.root}/detokenize", body).get("prompt", token)
        return self._words[token]

    # ---- Requests ----

    def _ask(self, prompts, **options):
        """Yield (index, choice) as the answers come; a failure comes after those under way."""
        body = {"model": self.name, "temperature": 0.0, "seed": 0, **options}
        body |= {"chat_template_kwargs": self.template_kwargs} if self.template_kwargs else {}
        failure, pool = None, ThreadPoolExecutor(PARALLEL if self.batch_size == "auto" else self.batch_size)
        try:
            waiting = {pool.submit(self._request, i, messages, body): i for i, messages in enumerate(prompts)}
            for done in as_completed(waiting):
                if done.cancelled():
                    continue
                error = done.exception()
                if error is None:
                    yield waiting[done], done.result()
                elif failure is None:
                    failure = error
                    for other in waiting:
                        other.cancel()
        finally:  # also where the caller wants no more, who need not wait for a server that is down
            pool.shutdown(wait=False, cancel_futures=True)
        if failure:
            raise failure

    def _request(self, i, messages, body):
        """The answer to prompt i; of a server that refuses so many log-probabilities, with fewer."""
        tops = self.top_logprobs if "logprobs" in body else (None,)
        for top in tops:
            asked = {**body, "messages": messages} | ({"top_logprobs": top} if top else {})
            try:
                choice = self.server.complete(asked)
            except ServerError as error:
                if error.status not in (400, 413, 422):  # the server's, not this prompt's
                    raise
                if top == tops[-1]:
                    raise ItemError(i, f"{error.found}, expected an answer") from error
            except ValueError as error:
                raise ItemError(i, str(error)) from error
            else:
                self.top_logprobs = tuple(n for n in self.top_logprobs if top is None or n <= top)
                return choice


def log_p(top: dict, variants: list) -> tuple[float, bool]:
    """log p of an answer that is any of some tokens, and whether it is a bound.

    Each that is not listed is at most as likely as the last one listed, and all together at most as
    what the listed ones leave.
    """
    listed, n = [top[token] for token in variants if token in top], sum(token not in top for token in variants)
    known = float(np.logaddexp.reduce(listed)) if listed else -inf
    if not n:
        return known, False
    left = log(max(1e-12, 1 - sum(map(exp, top.values()))))
    rest = min(log(n) + min(top.values(), default=0.0), left)
    return (known, bool(np.logaddexp(known, rest) - known > NEGLIGIBLE)) if listed else (rest, True)
