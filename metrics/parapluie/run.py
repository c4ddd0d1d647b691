"""One call's work with a model: which model, what it is asked, shares of several processes."""

import os
import re

from .asking import Chat, chat_model
from .served import ServedLLM
from .templates import METRIC, asked_before

WORDS_FOR_AN_ANSWER = 8  # tokens to generate when only the first word counts


class Run(Chat):
    """A chat model, local or served, whose work several processes may share.

    Args:
        model_id, model, ...: as for `compute`.
    """

    def __init__(
        self, *, model_id, model, tokenizer, revision, dtype, device, batch_size, resume, distributed, endpoint
    ):  # fmt: skip
        self.state = _processes() if distributed else None
        if self.state and device == "auto":  # transformers 4 cannot load to "cpu:0", accelerate's name
            device = "cpu" if self.state.device.type == "cpu" else str(self.state.device)
        llm = (
            chat_model(model_id, model, tokenizer, revision, dtype, device)
            if endpoint is None
            else ServedLLM(endpoint, os.fspath(model_id))
        )
        super().__init__(METRIC, llm, batch_size, resume)

    def _share(self, n):
        return range(n) if self.state is None else range(self.state.process_index, n, self.state.num_processes)

    def _gathered(self, known):
        if self.state is None:
            return known
        from accelerate.utils import gather_object

        return dict(gather_object(list(known.items())))


def results(run: Run, messages, answers, fields, explanations, classify, max_new_tokens) -> dict:
    """{"score": floats, and where they exist "explanation": texts, "class": bools}, in the order of the pairs."""
    found, pair = {}, "pair {}".format
    tokens = run.llm.answers(messages, answers)  # refused before explanations are made
    before = asked_before(messages)
    if before is not None:
        if explanations is None:
            explanations = run.texts("explanation", before, fields, pair, max_new_tokens)
        found["explanation"] = list(explanations)
        fields = [{**values, "explanation": text} for values, text in zip(fields, explanations, strict=True)]
    found["score"] = run.log_ratios("score", messages, tokens, fields, pair, WORDS_FOR_AN_ANSWER if classify else 1)
    if classify:
        texts = run.texts("answer", messages, fields, pair, WORDS_FOR_AN_ANSWER)
        first = words(answers[0])
        found["class"] = [words(text)[: len(first)] == first for text in texts]
    return found


def words(text: str) -> list[str]:
    """The words of a text, without case."""
    return re.findall(r"\w+", text.casefold())


def _processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())
