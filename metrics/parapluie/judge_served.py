"""A served model as a judge: servers that speak the OpenAI-compatible chat protocol (vLLM, TGI, SGLang, llama.cpp, an
Inference Endpoint). What texts contain is theirs to keep apart from control tokens: they apply the chat template."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from contextlib import suppress
from dataclasses import replace

from .common import Message, argument, input_error, setting, text_of, warn
from .common_judge import AnyOrder
from .common_prompts import ItemError
from .common_thinking import THINKING
from .judge_served_answers import Choice, begins_thinking, is_same_model, log_p, plain, shown_names
from .judge_served_http import Server, ServerError
from .judge_served_requests import TOP_LOGPROBS, Manner

TOP_OF_LLAMA_CPP = 5000  # it gives as many as it is asked for; half a megabyte
PARALLEL = 16  # requests under way at once when the batch size is "auto"
TOKEN_ID = "token_id:"  # before the number of a token, where vLLM is asked for numbers
REFUSED = (400, 413, 422)  # statuses that say that a request is not as it should be
AT_ONCE = (
    "expected a model that answers at once: pass chat_template_kwargs={'enable_thinking': False} if its template has "
    "that switch, or request={...} with what its server takes (reasoning_effort='none' has been tried)"
)
ONE_TOKEN = "a single token with an endpoint; a model here, or judge=metric.VLLM(...), scores longer answers"
MARKER_TOKENS = 8  # enough to see whether a text begins with a marker of thinking
# No penalties, whatever a checkpoint's own settings say: the protocol's fields, and those of two servers.
NO_PENALTIES = {"frequency_penalty": 0.0, "presence_penalty": 0.0}
OWN_PENALTIES = {"vllm": {"repetition_penalty": 1.0}, "llamacpp": {"repeat_penalty": 1.0}}


class ServedModel(AnyOrder):
    """A client of one model of one server; request: fields of every request, None takes one away.

    Requests that fail for a while (429, 5xx, dropped connections, time-outs) are sent again. ValueError where the
    server has no such model.
    """

    def __init__(self, server: Server, template_kwargs=None, batch_size: int | str = "auto", request=None):
        self.server, self.name, self.given = server, server.model, request or {}
        self.template_kwargs, self.batch_size, model_id = template_kwargs or {}, batch_size, server.model
        about = server.models.get(model_id) or server.models.get(model_id.rpartition(":")[0]) or {}
        kinds = {model.get("owned_by") for model in server.models.values()}
        self.is_vllm = "vllm" in kinds
        if server.models and not about:
            models = shown_names(server.models, model_id)
            if self.is_vllm:
                expected = f"a model of {server.root!r}: {models}"
                raise input_error(argument("model_id"), repr(model_id), expected)
            warn(
                f"endpoint: the server has no model called {model_id!r} but {models}; the answers are those of "
                "whatever it takes that name for"
            )
        self.names = {model_id, *(about[field] for field in ("id", "root") if isinstance(about.get(field), str))}
        self.manner = Manner(TOP_OF_LLAMA_CPP if "llamacpp" in kinds else TOP_LOGPROBS, fixed=frozenset(self.given))
        self.penalties = NO_PENALTIES.copy()
        for kind in kinds & OWN_PENALTIES.keys():
            self.penalties |= OWN_PENALTIES[kind]
        others = not kinds & {"vllm", "llamacpp"}
        info = server.page(f"{server.root}/info") if others else {}  # TGI's
        facts = [*(about.get(field) for field in ("root", "max_model_len", "meta")), info.get("model_sha")]
        facts += [] if about else [*server.models]
        facts += [self.given] if self.given else []
        self.identity = [server.root, model_id, self.template_kwargs, *facts]
        self._words: dict[str, str] = {}  # what the server's token ids say

    def signature(self) -> str:
        """The model for a reader."""
        given = f"|request:{self.given}" if self.given else ""
        return f"{self.name} (served at {self.server.root})|chat_template_kwargs:{self.template_kwargs}{given}"

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, what the method gives) as the server answers."""
        for i, conversation in enumerate(conversations):
            if isinstance(conversation, tuple):
                raise ItemError(i, f"found a prompt of plain text for {self.name}, expected chat messages")
        if method == "answer_log_probs" and conversations:
            yield from self._log_probs(conversations, argument)
        elif conversations:
            for i, choice in self._ask(conversations, max_tokens=argument):
                yield i, THINKING[0][0] if self._thinks(choice) else choice.text

    def _log_probs(self, prompts, answers):
        """Yield (index, (log p of each answer, top token, bounded)).

        Of a server that scores token ids (vLLM) the answers are asked for by these. From others they are read off the
        most probable tokens, and `bounded` says where that is not enough. A token is an answer only if it is one of the
        variants, exactly. ItemError where no log-probabilities are sent, or the model thinks before it answers.
        """
        ids, options, n_unlisted = self._token_ids(prompts[0], answers), {"max_tokens": 1, "logprobs": True}, 0
        if ids:
            asked = sorted(token for side in ids for token in side)
            options |= {"logprob_token_ids": asked, "return_tokens_as_token_ids": True}
        for i, choice in self._ask(prompts, **options):
            if self._thinks(choice):
                word = f" ({self._word(choice.tokens[0])!r})" if choice.tokens else ""
                raise ItemError(i, f"found {self.name} thinking before it answers{word}; {AT_ONCE}")
            if not choice.top:
                found = f"found no logprobs in the answer of {self.name}"
                expected = "expected logprobs, as of vLLM, SGLang, TGI, llama.cpp; or run the model here, without "
                raise ItemError(i, Message(f"{found}, {expected}", setting("endpoint")))
            top_token = self._word(choice.tokens[0])
            is_numbered = ids and choice.tokens[0].startswith(TOKEN_ID)  # not by proxies and old versions
            sides = [[f"{TOKEN_ID}{token}" for token in side] for side in ids] if is_numbered else answers
            n_sharing = sum(choice.top.keys().isdisjoint(side) for side in sides)
            n_unlisted += n_sharing == len(sides)
            log_probs, bounded = zip(*(log_p(choice.top, side, max(1, n_sharing)) for side in sides), strict=True)
            yield i, (*log_probs, top_token, any(bounded))
        if n_unlisted == len(prompts):
            warn(
                f"none of the answers is among the tokens that {self.name} tells, for any pair: the scores say nothing"
            )

    # ---- Tokens ----

    def _token_ids(self, messages, answers) -> list[list[int]] | None:
        """The tokens of each answer's variants after the messages; None if ids cannot be asked for.

        ValueError for a variant of several tokens: the first one does not tell how likely it is.
        """
        options = {"chat_template_kwargs": self.template_kwargs}
        prompt = self._tokenize(messages=messages, **options) if self.is_vllm else []
        ids: list[list[int]] = [[] for _ in answers]
        for side, variants in zip(ids, answers, strict=True):
            for variant in variants:
                turns = [*messages, {"role": "assistant", "content": variant}]
                form = {"messages": turns, "add_generation_prompt": False, "continue_final_message": True, **options}
                turn = self._tokenize(**form) if prompt else []
                if prompt and turn[: len(prompt)] == prompt:
                    own = turn[len(prompt) :]
                else:  # the second of both names is llama.cpp's
                    own = self._tokenize(prompt=variant, content=variant, add_special_tokens=False, add_special=False)
                if len(own) > 1 or not own and len(variant.split()) > 1:
                    found = f"{variant!r}, several tokens of {self.name}"
                    raise input_error(argument("answers"), found, ONE_TOKEN)
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

    # ---- Thinking ----

    def _thinks(self, choice: Choice) -> bool:
        """Whether the answer is, or begins with, thinking; a text with thinking that has ended is an answer."""
        if not choice.tokens:  # it is a text; of one that is all thinking, a server may tell nothing
            return choice.is_thought or not choice.text and choice.finish == "length"
        return choice.is_thought or bool(begins_thinking("".join(map(self._word, choice.tokens))))

    # ---- Requests ----

    def _ask(self, prompts, **options):
        """Yield (index, choice) as the answers come; a failure comes after those under way.

        The first prompt goes alone until it is known how the server wants to be asked.
        """
        body = {"model": self.name, "temperature": 0.0, "seed": 0, **self.penalties, **options}
        body |= {"chat_template_kwargs": self.template_kwargs} if self.template_kwargs else {}
        failure, pool = None, ThreadPoolExecutor(PARALLEL if self.batch_size == "auto" else self.batch_size)
        manner, models = self.manner, Counter()
        try:
            waiting = {pool.submit(self._request, 0, prompts[0], body): 0}
            if not manner.is_known:
                wait(waiting)
            if manner.is_known or not next(iter(waiting)).exception():
                rest = enumerate(prompts[1:], 1)
                waiting |= {pool.submit(self._request, i, messages, body): i for i, messages in rest}
            for done in as_completed(waiting):
                if done.cancelled():
                    continue
                error = done.exception()
                if error is None:
                    choice = done.result()
                    models[choice.model] += 1
                    yield waiting[done], choice
                elif failure is None:
                    failure = error
                    for other in waiting:
                        other.cancel()
        finally:  # also where the caller wants no more, who need not wait for a server that is down
            pool.shutdown(wait=False, cancel_futures=True)
            self._tell(manner, models, len(prompts))
        if failure:
            raise failure

    def _tell(self, before: Manner, models: Counter, n: int) -> None:
        """Warn of what the server does otherwise than asked."""
        refused = sorted(self.manner.without - before.without - {"max_tokens"})  # it has an alternative
        if refused:
            warn(
                f"endpoint: {self.server.root!r} refuses {', '.join(refused)} and was asked without; with settings of "
                "its own the same question may get another answer"
            )
        same = {model for model in models if model is None or any(is_same_model(name, model) for name in self.names)}
        others = Counter({model: count for model, count in models.items() if model not in same})
        if others:
            names = ", ".join(f"{name!r} ({count})" for name, count in others.most_common(10))
            warn(f"endpoint: {others.total()} of {n} answers are not by {self.name!r} but by {names}")

    def _request(self, i, messages, body) -> Choice:
        """The answer to prompt i, without thinking if the server can."""

        def ask(manner, **fields):
            return self._accepted(i, {**body, **fields, "messages": messages}, manner)

        choice, manner = ask(self.manner)
        is_one = len(choice.tokens) == 1 and not choice.is_thought
        if is_one and begins_thinking(self._word(choice.tokens[0])) is None:  # a marker may begin so
            choice = choice._replace(tokens=ask(manner, max_tokens=MARKER_TOKENS)[0].tokens)
        if self._thinks(choice) and not manner.quiet and "reasoning_effort" not in manner.fixed:
            with suppress(ItemError):  # the server has no such switch
                quiet, quiet_manner = ask(replace(manner, quiet=True))
                if not self._thinks(quiet):
                    choice, manner = quiet, quiet_manner
        self.manner = manner
        return choice

    def _accepted(self, i, body, manner: Manner) -> tuple[Choice, Manner]:
        """The answer to a request, in the first manner that the server does not refuse, and that manner."""
        while True:
            asked = manner.fields(body) | self.given
            try:
                choice = self.server.complete({name: value for name, value in asked.items() if value is not None})
            except ServerError as error:
                if error.status not in REFUSED:  # the server's, not this prompt's
                    raise
                manner, refused = manner.after(asked, error.text), manner
                if manner == refused:
                    failure = input_error(error.where[0], error.found, "an answer")
                    raise ItemError(i, text_of(failure)) from error
            except ValueError as error:
                raise ItemError(i, text_of(error)) from error
            else:
                return choice, replace(manner, is_known=True)
