"""One call's work with a model: which model, what it is asked, what was kept before, shares of several processes."""

import os
import re
import warnings
from functools import partial
from math import isfinite

from datasets.utils import tqdm

from .chat_llm import ChatLLM, fitting_prompts, load
from .chat_options import dtype_name
from .score_store import ScoreStore
from .served import MissingAnswer, ServedLLM
from .templates import METRIC, asked_before
from .values import named

WORDS_FOR_AN_ANSWER = 8  # tokens to generate when only the first word counts
CHUNK = 4096  # prompts in memory at once: 100 MB of them with the few-shot template


class Run:
    """Texts and scores from a model; kept, shared out, shown. To be closed.

    Args:
        unit: what a prompt is made from, in messages: "pair".
        model_id, model, ...: as for `compute`.
    """

    def __init__(
        self, unit, *, model_id, model, tokenizer, revision, dtype, device, batch_size, max_new_tokens, resume,
        distributed, endpoint,
    ):  # fmt: skip
        self.unit = unit
        self.batch_size = batch_size
        self.max_new_tokens = max_new_tokens
        self.state = _processes() if distributed else None
        if endpoint is not None:
            self.llm = ServedLLM(endpoint, os.fspath(model_id))
        elif model is not None:
            self.llm = named(METRIC, ChatLLM, model, tokenizer)
        else:
            place = device
            if self.state and device == "auto":  # transformers 4 cannot load to "cpu:0", accelerate's name
                place = "cpu" if self.state.device.type == "cpu" else str(self.state.device)
            self.llm = named(METRIC, load, os.fspath(model_id), revision, dtype_name(dtype), place)
        self.store = named(METRIC, ScoreStore, resume, self.llm.identity) if resume else None

    def close(self):
        if self.store:
            self.store.close()

    def results(self, messages, answers, fields, explanations, classify) -> dict:
        """{"score": floats, and where they exist "explanation": texts, "class": bools}, in the order of the pairs."""
        llm, found = self.llm, {}
        tokens = named(METRIC, llm.answers, messages, answers)
        before = asked_before(messages)
        if before is not None:
            if explanations is None:
                explanations = self.texts("explanation", before, fields)
            found["explanation"] = list(explanations)
            fields = [{**values, "explanation": text} for values, text in zip(fields, explanations, strict=True)]
        self._warn_of_control_words(messages, fields)
        longest_answer = len(tokens[0]) + max(map(len, tokens[1:]))  # a served model has no limit to compare with
        room = max(longest_answer, WORDS_FOR_AN_ANSWER if classify else 0)
        prompts = partial(self._prompts, messages, fields, room)

        def score(chosen):
            return llm.log_ratios(chosen, tokens, self.batch_size)

        found["score"] = self._step("score", tokens, prompts, len(fields), score)
        if classify:
            texts = self._generated("answer", WORDS_FOR_AN_ANSWER, prompts, len(fields))
            first = words(answers[0])
            found["class"] = [words(text)[: len(first)] == first for text in texts]
        return found

    def texts(self, name, messages, fields) -> list:
        """The model's next turn after the messages, one for each dict of fields."""
        limit = self.max_new_tokens
        return self._generated(name, limit, partial(self._prompts, messages, fields, limit), len(fields))

    def _generated(self, name, limit, prompts, n):
        return self._step(name, limit, prompts, n, lambda chosen: self.llm.generate(chosen, limit, self.batch_size))

    def _step(self, name, settings, prompts, n, compute):
        """One value for each of n prompts, from the store where it is there, else computed; shared over all processes.

        A kept value is found by what it depends on: the model, the step with its settings, and the prompt itself.
        prompts(places) makes some of them, so that only a chunk is in memory at once.
        """
        first, step = (0, 1) if self.state is None else (self.state.process_index, self.state.num_processes)
        if step > 1 or n > CHUNK:  # a pair that is refused is refused by all processes, and before the work starts
            for places in _cut(range(n)):
                prompts(places)
        mine, known = range(first, n, step), {}
        with tqdm(total=len(mine), desc=f"{METRIC}: {name}s", unit=self.unit) as bar:
            for places in _cut(mine):
                self._chunk(name, settings, prompts(places), places, compute, known, bar)
        if self.state is not None:
            from accelerate.utils import gather_object

            known = dict(gather_object(list(known.items())))
        return [known[i] for i in range(n)]

    def _chunk(self, name, settings, prompts, places, compute, known, bar):
        """Add to the known values those of some places, whose prompts are given."""
        keys = [self.store.key(name, settings, prompt) for prompt in prompts] if self.store else []
        stored = [named(METRIC, self.store.get, key) for key in keys] or [None] * len(prompts)
        known |= {i: value for i, value in zip(places, stored) if value is not None}
        todo = [k for k, value in enumerate(stored) if value is None]
        bar.update(len(prompts) - len(todo))
        try:
            for place, value in compute([prompts[k] for k in todo]):
                i = places[todo[place]]
                if isinstance(value, float) and not isfinite(value):
                    raise ValueError(
                        f"{METRIC}: {self.unit} {i}: found the score {value}, expected a finite one; try another dtype"
                    )
                known[i] = value
                if self.store:
                    named(METRIC, self.store.put, keys[todo[place]], value)
                bar.update()
        except MissingAnswer as error:
            raise ValueError(f"{METRIC}: {self.unit} {places[todo[error.place]]}: {error}") from None

    def _prompts(self, messages, fields, room, places):
        """The prompts of some places, which must leave room for so many tokens in the model's context."""
        chosen = [fields[i] for i in places]
        return named(METRIC, fitting_prompts, self.llm, messages, chosen, room, lambda k: f"{self.unit} {places[k]}")

    def _warn_of_control_words(self, messages, fields):
        """Point out texts that no encoding can keep apart from the template."""
        for word in self.llm.control_words(messages):
            for i, values in enumerate(fields):
                if any(word in text for text in values.values()):
                    warnings.warn(
                        f"{METRIC}: {self.unit} {i}: the text contains {word!r}, which the chat template of "
                        f"{self.llm.name} writes as plain text; the model may take it for a part of the template",
                        stacklevel=2,
                    )


def words(text: str) -> list[str]:
    """The words of a text, without case."""
    return re.findall(r"\w+", text.casefold())


def _processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())


def _cut(places):
    """Places in chunks."""
    return (places[start : start + CHUNK] for start in range(0, len(places), CHUNK))
