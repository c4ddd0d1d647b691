"""Many questions to one chat model: what it has said before is not asked again, progress is shown, faults are placed.

This file is vendored: `metrics/_common/asking.py` is the source, `make vendor` copies it into the metric folders.
"""

import os
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from math import isfinite

from datasets.utils import tqdm

from .chat_llm import ChatLLM, load
from .chat_options import dtype_name
from .score_store import ScoreStore
from .values import ItemError, named

CHUNK = 1024  # prompts in memory at once: 25 MB of them with 600 tokens each


def chat_model(model_id, model, tokenizer, revision, dtype, device) -> ChatLLM:
    """The chat model that a metric's options ask for: the live objects, else one of the Hub or a folder."""
    if model is not None:
        return ChatLLM(model, tokenizer)
    with named("model_id"):
        return load(os.fspath(model_id), revision, dtype_name(dtype), device)


def fitting_prompts(llm, messages: list, fields: list, room: int) -> list:
    """A chat model's prompts, each of which must leave room for so many tokens in the model's context.

    Raises:
        ItemError: one does not, or a text cannot be kept apart from the template.
        ValueError: there is no such room even for an empty prompt.
    """
    limit = llm.context_length
    if limit and room >= limit:
        raise ValueError(f"found {room} tokens asked for, expected fewer than the {limit} that {llm.name} can see")
    prompts = llm.prompts(messages, fields)
    for i, prompt in enumerate(prompts if limit else ()):
        if len(prompt) + room > limit:
            found, most = len(prompt), limit - room
            raise ItemError(i, f"found a prompt of {found} tokens, expected at most {most} for {llm.name}")
    return prompts


def room_for(answers: tuple) -> int:
    """The tokens that the longer of two answers takes, both from the model's `answers`.

    (Characters, for a model that is served; it has no limit to compare with.)
    """
    common, *rest = answers
    return len(common) + max(map(len, rest))


@contextmanager
def placed(name: Callable):
    """Errors about an item say which one it is: name(index)."""
    try:
        yield
    except ItemError as error:
        raise ValueError(f"{name(error.index)}: {error}") from None


class Chat:
    """A chat model, how many prompts it takes at once, and what it has said before. To be closed.

    Its errors do not name the metric: see `values.named`.

    Args:
        metric: named by progress bars and warnings.
        llm: a ChatLLM, or what has its methods.
        batch_size: prompts in one forward pass, or "auto".
        resume: path of a `ScoreStore`, or None.
        silent: True shows no progress bar.
    """

    def __init__(self, metric: str, llm, batch_size="auto", resume: str | None = None, silent: bool = False):
        self.metric = metric
        self.llm = llm
        self.batch_size = batch_size
        self.silent = silent
        self.store = ScoreStore(resume, llm.identity) if resume else None
        self._pointed_out = set()  # texts with words of the chat template

    @classmethod
    def of(cls, metric, model_id, model, tokenizer, revision, dtype, device, batch_size, resume, silent=False):
        """The one that a metric's options ask for."""
        return cls(metric, chat_model(model_id, model, tokenizer, revision, dtype, device), batch_size, resume, silent)

    def close(self):
        if self.store:
            self.store.close()

    def log_ratios(self, step: str, messages: list, tokens: tuple, fields: list, name: Callable, room: int = 1):
        """log p(first answer) - log p(second answer), in nats, as the next turn after the messages.

        Args:
            step: what is computed, in the progress bar and in the store: "score".
            messages: as for `ChatLLM.prompts`.
            tokens: the answers, from `ChatLLM.answers` with the same messages.
            fields: one dict for each question.
            name: name(i) says what question i is about, in errors: "pair 3".
            room: tokens that must be left in the context at least; more if the answers take more.

        Returns:
            list of floats, as many as fields.
        """
        room = max(room, room_for(tokens))

        def compute(prompts):
            for i, ratio in self.llm.log_ratios(prompts, tokens, self.batch_size):
                if not isfinite(ratio):
                    raise ItemError(i, f"found the score {ratio}, expected a finite one; try another dtype")
                yield i, ratio

        return self._ask(step, tokens, messages, fields, name, room, compute)

    def texts(self, step: str, messages: list, fields: list, name: Callable, limit: int) -> list:
        """The model's next turn after the messages, of at most `limit` tokens, for each dict of fields."""
        limit, compute = int(limit), self.llm.generate
        return self._ask(step, limit, messages, fields, name, limit, lambda p: compute(p, limit, self.batch_size))

    def _share(self, n: int) -> range:
        """The places among n that are asked about here."""
        return range(n)

    def _gathered(self, known: dict) -> dict:
        """{place: value} of all places, given those of the own share."""
        return known

    def _ask(self, step, settings, messages, fields, name, room, compute):
        """One value for each dict of fields.

        A kept value is found by what it depends on: the model, the step with its settings, and the prompt itself. What
        is refused is refused before the work starts, by every process that shares it.
        """
        self._point_out_control_words(messages, fields, name)

        def prompts(places):
            with placed(lambda i: name(places[i])):
                return fitting_prompts(self.llm, messages, [fields[i] for i in places], room)

        n, mine, known = len(fields), self._share(len(fields)), {}
        if n > CHUNK or len(mine) < n:
            for places in _cut(range(n)):
                prompts(places)
        with tqdm(total=len(mine), desc=f"{self.metric}: {step}s", unit=step, disable=self.silent) as bar:
            for places in _cut(mine):
                for i, value in self._values(step, settings, prompts(places), compute, lambda i: name(places[i])):
                    known[places[i]] = value
                    bar.update()
        known = self._gathered(known)
        return [known[i] for i in range(n)]

    def _values(self, step, settings, prompts, compute, name):
        """Yield (index, value) of every prompt: what is kept first, then what is computed, which is kept at once."""
        keys = [self.store.key(step, settings, prompt) for prompt in prompts] if self.store else []
        stored = [self.store.get(key) for key in keys] or [None] * len(prompts)
        yield from ((i, value) for i, value in enumerate(stored) if value is not None)
        todo = [i for i, value in enumerate(stored) if value is None]
        with placed(lambda k: name(todo[k])):
            for k, value in compute([prompts[i] for i in todo]):
                if self.store:
                    self.store.put(keys[todo[k]], value)
                yield todo[k], value

    def _point_out_control_words(self, messages, fields, name):
        """Warn of texts that no encoding can keep apart from the template, once for each text."""
        for word in self.llm.control_words(messages):
            for i, values in enumerate(fields):
                texts = {text for text in values.values() if word in text} - self._pointed_out
                if texts:
                    self._pointed_out |= texts
                    warnings.warn(
                        f"{self.metric}: {name(i)}: the text contains {word!r}, which the chat template of "
                        f"{self.llm.name} writes as plain text; the model may take it for a part of the template",
                        stacklevel=2,
                    )


def _cut(places):
    """Places in chunks."""
    return (places[start : start + CHUNK] for start in range(0, len(places), CHUNK))
