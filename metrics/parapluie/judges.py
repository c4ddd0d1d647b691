"""Which judge the options ask for: a model here or on a server, thinking first or not, a classifier of pairs; and
around it, what keeps its answers and what shares its questions among processes."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from .common import (
    a_boolean,
    argument,
    at_least,
    expecting,
    input_error,
    is_number,
    keyword_options,
    option,
    prefix_errors,
    short_repr,
)
from .common_llm import PAPERS, ChatOptions
from .judge_kept import Kept, Shared, own_device, place_among_processes
from .judge_local import LocalModel, load
from .judge_pairs import SMALL, PairJudge, is_classifier, load_classifier
from .judge_served import ServedModel
from .judge_served_http import Server
from .judge_thinking import ThinkingModel

a_path = expecting("a path", lambda value: value is None or isinstance(value, (str, os.PathLike)) and bool(str(value)))
a_duration = expecting("a number of seconds, 0 or more", lambda value: is_number(value) and value >= 0, float)
template_arguments = expecting(
    "a dict of arguments by name, such as {'enable_thinking': False}",
    lambda value: value is None or isinstance(value, dict) and all(isinstance(name, str) for name in value),
)

OWN_FIELDS = ("messages", "model", "stream", "n", "logprobs", "chat_template_kwargs")  # the metric sets them


def request_fields(value):
    """Check of an option: fields of the chat protocol, as JSON has them, but for those that the metric sets."""
    if value is None:
        return None
    try:
        taken = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        taken = None
    if not isinstance(taken, dict) or taken.keys() != value.keys():
        expected = "a dict of fields of the chat protocol, such as {'reasoning_effort': 'low'}; None takes one away"
        raise input_error("", short_repr(value), expected)
    for name in OWN_FIELDS:
        if name in value:
            raise input_error("", f"the field {name!r}, which the metric sets", "other fields")
    return taken


def an_address(value):
    """Check of an option: http://... or https://...; errors do not show a password in it."""
    with suppress(ValueError, AttributeError, TypeError):  # of a port that is no number; of what is no text
        parts = urlsplit(value)
        if value is None or parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return value
    shown = short_repr(value.rpartition("@")[2] if isinstance(value, str) else value)
    raise input_error("", shown, "an address, http://... or https://...")


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(ChatOptions):
    """The options of `ChatOptions` and those of this metric's judges, as the metric's own description explains them."""

    resume: str | None = option(None, a_path, affects_score=False)
    distributed: bool = option(False, a_boolean, affects_score=False)
    chat_template_kwargs: dict | None = option(None, template_arguments, affects_score=False)
    think: int = option(0, at_least(0))
    endpoint: str | None = option(None, an_address, affects_score=False)  # the judge says it
    timeout: float = option(120.0, a_duration, affects_score=False)
    request: dict | None = option(None, request_fields, affects_score=False)  # the judge says it

    def check_together(self):
        if sum(value is not None for value in (self.model, self.endpoint, self.judge)) > 1:
            raise input_error("", "more than one of a live model, an endpoint and a judge", "only one of the three")
        super().check_together()
        if self.model is not None and self.resume is not None:
            found = "a live model, which cannot be told from another"
            raise input_error(argument("resume"), found, "a model_id", but="; ")
        if self.think and (self.endpoint is not None or self.judge is not None):
            found = f"{self.think} with an endpoint or a judge, which cannot think first"
            raise input_error(argument("think"), found, "0", but="; ")
        if self.request and self.endpoint is None:
            raise input_error(argument("request"), "fields without an endpoint", "an endpoint to send them to")
        if self.chat_template_kwargs and self.judge is not None:
            found = "arguments together with a judge, which has its own"
            raise input_error(argument("chat_template_kwargs"), found, "no arguments", but="; ")

    def open(self):
        """The judge that the options ask for."""
        judge = self._inner()
        judge = judge if self.resume is None else Kept(judge, self.resume)
        return Shared(judge) if self.distributed else judge

    def close(self, judge) -> None:
        """Close what `open` has opened, but for a judge that was given."""
        if judge is not self.judge and hasattr(judge, "close"):
            judge.close()

    def _inner(self):
        if self.judge is not None:
            return self.judge
        settings = {"template_kwargs": self.chat_template_kwargs, "batch_size": self.batch_size}
        if self.endpoint is not None:
            return ServedModel(Server(self.endpoint, self.timeout, self.model_id), **settings, request=self.request)
        if is_classifier(self):
            return PairJudge(*self._live(load_classifier), batch_size=self.batch_size)
        if self.think:
            return ThinkingModel(*self._live(load), **settings, think=self.think)
        return LocalModel(*self._live(load), **settings)

    def _live(self, load):
        """(model, tokenizer), and, loaded, what tells them from others."""
        if self.model is not None:
            return self.model, self.tokenizer
        device = self.device
        if device == "auto" and self.distributed and place_among_processes()[1] > 1:
            device = own_device()
        try:
            with prefix_errors(argument("model_id")):
                return load(self.model_id, self.revision, self.dtype, device)
        except ValueError as error:
            if self.model_id != PAPERS:
                raise
            raise ValueError(f"{error}; {SMALL!r} is a judge that comes with the metric, and runs anywhere") from error


@keyword_options
def judge(options: JudgeOptions):
    """The judge that `compute` would ask under these options, for other metrics: pass it as `judge=`.

    Args:
        options: model_id, endpoint, resume, think and the others of `JudgeOptions`.

    Raises:
        ValueError: as for `compute`.
    """
    return options.open()
