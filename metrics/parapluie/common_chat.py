# Copied from metrics/_common/common_chat.py: edit there, then run make vendor.
"""Many questions to one chat model: which one, what it has said before, progress, errors that say about which item."""

import hashlib
import json
import os
import re
import sqlite3
import threading
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import exp, inf, isfinite
from typing import NamedTuple

from .common import (
    SURROGATE, CheckedOptions, a_boolean, at_least, expecting, is_integer, option, prefix_errors, progress, short_repr, warn,
)  # fmt: skip
from .common_llm import ChatLLM
from .common_loading import load
from .common_prompts import FIELD, ItemError
from .common_served import METHODS, Asked, ServedLLM

CHUNK = 1024  # prompts in memory at once: 25 MB of them with 600 tokens each
KEPT_TOGETHER = 500  # answers written in one transaction, or those of a second
ROUNDING = 1e-3  # by so much a probability may seem to be above 1
LONGEST_CHARACTER = 4  # tokens, at the very most, for a byte of text
YES_OR_NO = (("yes", "Yes"), ("no", "No"))  # models begin their answers in either case, whatever the prompt says
ROLES = ("system", "user", "assistant")
DTYPES = ("auto", "float32", "bfloat16", "float16", "float64")

# ---- Options ----


def dtype_name(dtype) -> str:
    """A dtype's name, whether it is given by name or as torch's object; "" for anything else."""
    name = dtype if isinstance(dtype, str) else repr(dtype) if type(dtype).__name__ == "dtype" else ""
    return name.removeprefix("torch.")


def _is_path(value) -> bool:
    return isinstance(value, (str, os.PathLike)) and bool(str(value))


def _is_batch_size(value) -> bool:
    return value == "auto" if isinstance(value, str) else is_integer(value, 1)


a_name = expecting("a name on the Hub or a folder", _is_path, os.fspath)
a_path = expecting("a path", lambda value: value is None or _is_path(value))
a_revision = expecting("a commit, a tag or a branch", lambda value: value is None or isinstance(value, str))
a_device = expecting("a name such as 'cpu'", lambda value: isinstance(value, str))
a_dtype = expecting(f"one of {', '.join(DTYPES)}", lambda value: dtype_name(value) in DTYPES, dtype_name)
a_batch_size = expecting("a positive integer or 'auto'", _is_batch_size)
an_address = expecting(
    "an address, http://... or https://...",
    lambda value: value is None or isinstance(value, str) and value.startswith(("http://", "https://")),
)
template_arguments = expecting(
    "a dict of arguments by name, such as {'enable_thinking': False}",
    lambda value: value is None or isinstance(value, dict) and all(isinstance(name, str) for name in value),
)
a_scorer = expecting(
    f"an object with a name and the methods {' and '.join(METHODS)}",
    lambda value: value is None or hasattr(value, "name") and all(callable(getattr(value, m, None)) for m in METHODS),
)


@dataclass(frozen=True, kw_only=True)
class ChatOptions(CheckedOptions):
    """Which chat model, where it runs, what is kept of its answers.

    model_id: on the Hub or in a folder; what a server calls it, with endpoint.
    model, tokenizer: live objects instead.
    revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
    batch_size: prompts in one forward pass (requests at once, for an endpoint), or "auto".
    resume: path of a file that keeps every answer as it is made; an interrupted run goes on from it.
    distributed: under "accelerate launch" each process asks a share, and all get all answers.
    chat_template_kwargs: arguments of the chat template. Thinking is switched off where the template has a switch.
    think: how many tokens the model may think before it answers; the answer is looked at behind its thinking.
    endpoint: address of a served model (OpenAI-compatible chat protocol).
    scorer: an object to ask instead, as `common_served` describes it.
    """

    model_id: str = option("mistralai/Mistral-7B-Instruct-v0.2", a_name, affects_score=False)
    model: object = option(None, affects_score=False)
    tokenizer: object = option(None, affects_score=False)
    revision: str | None = option(None, a_revision, affects_score=False)
    dtype: str = option("auto", a_dtype)
    device: str = option("auto", a_device, affects_score=False)
    batch_size: int | str = option("auto", a_batch_size, affects_score=False)
    resume: str | None = option(None, a_path, affects_score=False)
    distributed: bool = option(False, a_boolean, affects_score=False)
    chat_template_kwargs: dict | None = option(None, template_arguments, affects_score=False)
    think: int = option(0, at_least(0))
    endpoint: str | None = option(None, an_address)
    scorer: object = option(None, a_scorer, affects_score=False)

    def check_together(self):
        if (self.model is None) != (self.tokenizer is None):
            raise ValueError("found only one of model and tokenizer, expected both or neither")
        if self.model is not None and self.resume is not None:
            raise ValueError("resume: found a live model, which cannot be told from another; expected a model_id")
        if sum(value is not None for value in (self.model, self.endpoint, self.scorer)) > 1:
            raise ValueError("found more than one of a live model, an endpoint and a scorer, expected one of them")
        if self.think and (self.endpoint is not None or self.scorer is not None):
            raise ValueError("think: found it together with an endpoint or a scorer, which cannot do it; expected 0")
        if self.chat_template_kwargs and self.scorer is not None:
            raise ValueError("chat_template_kwargs: found it together with a scorer, which has its own; expected None")


def check_messages(messages) -> list[str]:
    """The names of the fields in chat messages, in their order.

    Raises:
        ValueError: they are not a non-empty list of {"role", "content"} with strings that can be encoded.
    """
    if not isinstance(messages, (list, tuple)) or not messages:
        raise ValueError(f"found {short_repr(messages)}, expected a non-empty list of messages")
    for i, message in enumerate(messages):
        if (
            not isinstance(message, dict)
            or set(message) != {"role", "content"}
            or not all(isinstance(part, str) for part in message.values())
            or message["role"] not in ROLES
            or SURROGATE.search(message["content"])
        ):
            raise ValueError(
                f"message {i}: found {short_repr(message)}, expected a dict with a role of {', '.join(ROLES)} and a string "
                "as content"
            )
    return [name for message in messages for name in FIELD.findall(message["content"])]


def _variants(answer) -> tuple:
    return (answer,) if isinstance(answer, str) else tuple(answer) if isinstance(answer, (list, tuple)) else ()


def _are_answers(answers) -> bool:
    if not isinstance(answers, (list, tuple)) or len(answers) != 2:
        return False
    words = [word for answer in answers for word in _variants(answer) or [None]]
    fit = all(isinstance(w, str) and w.strip() and not FIELD.search(w) and not SURROGATE.search(w) for w in words)
    return fit and len(set(words)) == len(words)


two_answers = expecting(
    "two different words, or two tuples of variants such as (('yes', 'Yes'), ('no', 'No'))",
    _are_answers,
    lambda answers: tuple(map(_variants, answers)),
)

# ---- What a chat model said, kept on disk ----


class AnswerStore:
    """A SQLite file with one row per answer of a chat model, so that an interrupted run goes on where it stopped.

    A row's key is a digest of everything its value depends on. Rows are written some together, each time in one
    transaction, at the latest a second after they came: after a crash or kill -9 a row is there whole or not at all.
    Several processes may use one file.

    Args:
        path: the file, which is made if there is none.
        model: what tells the model from any other, JSON-serialisable; part of every key.

    Raises:
        ValueError: the file is no such store, is damaged, or cannot be written (the disk is full, say); what was kept
            before stays.
    """

    def __init__(self, path: str, model):
        self.model, self.path, self.pending = model, path, {}
        self.lock, self.timer = threading.RLock(), None
        with self._errors("which is no score file", "one or a new path"):
            path = os.path.abspath(path)  # ":memory:" is a file, too
            self.connection = sqlite3.connect(path, timeout=60, check_same_thread=False)
            with suppress(sqlite3.OperationalError):  # some file systems cannot; another process may be at it
                self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            self.connection.execute("SELECT key, value FROM results LIMIT 1")

    def keys(self, *circumstances, prompts: list) -> list[str]:
        """The digests for prompts (token ids, or JSON-serialisable) under circumstances and this model."""
        common = hashlib.sha256(json.dumps([self.model, *circumstances]).encode("utf-8", "surrogatepass"))
        digests = []
        for prompt in prompts:
            digests.append(common.copy())
            try:
                digests[-1].update(array("q", prompt))
            except TypeError:
                digests[-1].update(json.dumps(prompt).encode())
        return [digest.hexdigest() for digest in digests]

    def known(self, keys: list[str]) -> dict:
        """{key: value} of those keys that have one, written or pending."""
        with self.lock:
            found = {key: json.loads(self.pending[key]) for key in keys if key in self.pending}
        for start in range(0, len(keys), KEPT_TOGETHER):
            some = keys[start : start + KEPT_TOGETHER]
            places = ", ".join("?" * len(some))
            with self._errors("damaged", "it as it was left"), self.lock:
                rows = self.connection.execute(f"SELECT key, value FROM results WHERE key IN ({places})", some)
                found |= {key: json.loads(value) for key, value in rows}
        return found

    def put(self, key: str, value) -> None:
        """Keep a value (JSON-serialisable); on disk with the next ones, at the latest a second later."""
        with self.lock:
            self.pending[key] = json.dumps(value)
            if len(self.pending) >= KEPT_TOGETHER:
                self.write()
            elif self.timer is None:
                self.timer = threading.Timer(1, self._write_in_time)
                self.timer.daemon = True
                self.timer.start()

    def write(self) -> None:
        """Write what is pending."""
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None
            with self._errors("which cannot be written", "room for the results; what was kept before is still there"):
                with self.connection:
                    self.connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", self.pending.items())
            self.pending = {}

    def _write_in_time(self):
        with suppress(ValueError):  # the next to write will say it
            self.write()

    def close(self) -> None:
        """Write what is pending and close the file."""
        try:
            self.write()
        finally:
            self.connection.close()

    @contextmanager
    def _errors(self, found, expected):
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise ValueError(f"resume: found {str(self.path)!r}, {found} ({error}), expected {expected}") from None


# ---- Asking ----


@contextmanager
def locate_errors(name: Callable):
    """An ItemError raised inside says which item it is about: name(index)."""
    try:
        yield
    except ItemError as error:
        raise ValueError(f"{name(error.index)}: {error}") from None


def fitting_prompts(llm, messages: list, fields: list, room: int) -> list:
    """A chat model's prompts, each of which must leave room for so many tokens in the model's context.

    Raises:
        ItemError: one does not, or a text cannot be kept apart from the template.
        ValueError: there is no such room even for an empty prompt.
    """
    limit = llm.context_length
    if limit and room >= limit:
        raise ValueError(f"{room} new tokens do not fit the {limit}-token context of {llm.name}")
    prompts = llm.prompts(messages, fields)
    for i, prompt in enumerate(prompts if limit else ()):
        if len(prompt) + room > limit:
            found, most = len(prompt), limit - room
            raise ItemError(i, f"found a prompt of {found} tokens, expected at most {most} for {llm.name}")
    return prompts


def longest(answers: tuple) -> int:
    """The tokens that the longest variant of two answers takes, both from a model's `answers`.

    (Characters, for a model that is served; it has no limit to compare with.)
    """
    return max(len(variant) for variants in answers for variant in variants)


class Judgement(NamedTuple):
    """How likely a chat model finds two answers; `bounded`: one was too unlikely to be told, its log p is a bound."""

    first: float  # log p(first answer), in nats
    second: float
    likeliest: str  # the first token that it would say
    bounded: bool = False

    @property
    def log_ratio(self) -> float:
        """log p(first answer) - log p(second answer), in nats."""
        return self.first - self.second

    @property
    def mass(self) -> float:
        """p(first answer) + p(second answer), in 0 to 1: rounding may lead beyond."""
        return min(1.0, exp(self.first) + exp(self.second))


class Chat:
    """A chat model, how many prompts it takes at once, and what it has said before. Call close() when done.

    Args:
        options: which model.
        silent: True shows no progress bar.
    """

    def __init__(self, options: ChatOptions, silent: bool = False):
        self.processes = _processes() if options.distributed else None
        self.llm = _open(options, self.processes)
        self.batch_size, self.think = options.batch_size, options.think
        self.silent = silent
        self.store = AnswerStore(options.resume, [self.llm.identity, options.think]) if options.resume else None
        self._warned_of = set()  # texts with words of the chat template
        tokens = self.llm.control_tokens
        self._control = re.compile("|".join(map(re.escape, tokens))) if tokens else None

    def close(self) -> None:
        if self.store:
            self.store.close()

    def signature(self) -> str:
        """The model for a reader: its name, with its commit or a digest of its files."""
        return self.llm.signature()

    def judge(self, step: str, messages, answers: tuple, fields: list, name: Callable, room: int = 1) -> list:
        """How likely each answer is as the next turn after the messages: a `Judgement` for each dict of fields.

        Args:
            step: what is computed, in the progress bar and in the store: "score".
            messages: as for `Prompts`.
            answers: from `llm.answers` with the same messages.
            fields: one dict for each question.
            name: name(i) says what question i is about, in errors: "pair 3".
            room: tokens that must be left in the context at least; more if the answers take more.
        """

        def compute(prompts):
            return self.llm.answer_log_probs(prompts, answers, self.batch_size)

        room = max(room, longest(answers))
        return self._ask(step, answers, messages, fields, name, room, compute, judgement)

    def texts(self, step: str, messages, fields: list, name: Callable, limit: int) -> list[str]:
        """The model's next turn after the messages, of at most `limit` tokens, for each dict of fields."""

        def compute(prompts):
            return self.llm.generate(prompts, limit, self.batch_size)

        return self._ask(step, limit, messages, fields, name, limit, compute, a_text)

    def _ask(self, step, settings, messages, fields, name, room, compute, check):
        """One value for each dict of fields, as check(value) gives it, whether it is computed or was kept.

        A kept value is found by what it depends on: the model, the step with its settings, and the prompt itself. What
        may be refused is looked at before the work starts, by every process that shares it; the other prompts are made
        while the model works on those before them.
        """
        room += self.think
        self._warn_about_control_words(messages, fields, name)

        def prompts(places):
            with locate_errors(lambda i: name(places[i])):
                return fitting_prompts(self.llm, messages, [fields[i] for i in places], room)

        prompts(self._doubtful(messages, fields, room))
        mine, known = list(self._share(len(fields))), {}
        chunks = [mine[start : start + CHUNK] for start in range(0, len(mine), CHUNK)]
        with (
            progress(total=len(mine), desc=f"{step}s", unit=step, disable=self.silent or None) as bar,
            ThreadPoolExecutor(1) as background,
        ):
            coming = [background.submit(prompts, places) for places in chunks[:1]]
            for k, places in enumerate(chunks):
                made = coming.pop().result()
                coming = [background.submit(prompts, later) for later in chunks[k + 1 : k + 2]]
                for i, value in self._values(step, settings, made, compute, check, lambda i: name(places[i])):
                    known[places[i]] = value
                    bar.update()
        known = self._gathered(known)
        return [known[i] for i in range(len(fields))]

    def _doubtful(self, messages, fields, room) -> list[int]:
        """Places of the fields whose prompts may be refused: too long, or with what looks like a control token."""
        if not fields:
            return []
        limit = self.llm.context_length
        [empty] = self.llm.prompts(messages, [dict.fromkeys(fields[0], "")])
        most = (limit - room - len(empty)) // LONGEST_CHARACTER if limit else inf

        def doubtful(texts):
            too_long = sum(len(text.encode("utf-8", "replace")) for text in texts) > most
            return too_long or (self._control is not None and any(self._control.search(text) for text in texts))

        return [i for i, values in enumerate(fields) if doubtful(values.values())]

    def _values(self, step, settings, prompts, compute, check, name):
        """Yield (index, value) of every prompt: what is kept first, then what is computed, which is kept at once."""
        keys = self.store.keys(step, settings, prompts=prompts) if self.store else []
        known = self.store.known(keys) if self.store else {}
        with locate_errors(name):
            yield from ((i, _fit(check, i, known[key])) for i, key in enumerate(keys) if key in known)
        todo = [i for i in range(len(prompts)) if not (keys and keys[i] in known)]
        with locate_errors(lambda k: name(todo[k])):
            for k, value in compute([prompts[i] for i in todo]):
                value = _fit(check, k, value)
                if self.store:
                    self.store.put(keys[todo[k]], value)
                yield todo[k], value

    def _warn_about_control_words(self, messages, fields, name):
        """Warn of texts that no encoding can keep apart from the template, once for each text."""
        for word in self.llm.control_words(messages):
            for i, values in enumerate(fields):
                texts = {text for text in values.values() if word in text} - self._warned_of
                if texts:
                    self._warned_of |= texts
                    warn(
                        f"{name(i)}: the text contains {word!r}, which the chat template of {self.llm.name} writes as "
                        "plain text; the model may take it for a part of the template"
                    )

    # What several processes share.

    def _share(self, n: int) -> range:
        """The places among n that are asked about here."""
        shared = self.processes
        return range(n) if shared is None else range(shared.process_index, n, shared.num_processes)

    def _gathered(self, known: dict) -> dict:
        """{place: value} of all places, given those of the own share."""
        if self.processes is None:
            return known
        from accelerate.utils import gather_object

        return dict(gather_object(list(known.items())))


def judgement(value) -> Judgement:
    """A `Judgement` from (log p(first answer), log p(second answer), likeliest token) and maybe whether it is bounded.

    Raises:
        ValueError: it is nothing of the kind.
    """
    try:
        first, second, likeliest, *rest = value
        found = Judgement(float(first), float(second), str(likeliest), any(rest))
    except (TypeError, ValueError):
        expected = "(log p(first answer), log p(second answer), likeliest token)"
        raise ValueError(f"found {short_repr(value)}, expected {expected}") from None
    if not isfinite(found.first) or not isfinite(found.second):
        raise ValueError(f"found log-likelihoods of {found[:2]}, expected finite ones; try another dtype")
    if max(found[:2]) > ROUNDING or exp(found.first) + exp(found.second) > 1 + ROUNDING:
        raise ValueError(
            f"found log-likelihoods of {found[:2]}, expected those of two answers that together have a probability of "
            "at most 1"
        )
    return found


def a_text(value) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise ValueError(f"found {short_repr(value)}, expected a text")
    return value


def _fit(check, i, value):
    """check(value) of item i."""
    try:
        return check(value)
    except ValueError as error:
        raise ItemError(i, str(error)) from None


def _open(options, processes):
    """The chat model that the options ask for."""
    arguments = options.chat_template_kwargs or {}
    if options.scorer is not None:
        return Asked(options.scorer)
    if options.endpoint is not None:
        return ServedLLM(options.endpoint, options.model_id, arguments)
    if options.model is not None:
        return ChatLLM(options.model, options.tokenizer, None, arguments, options.think)
    device = options.device
    if processes is not None and device == "auto":  # transformers 4 cannot load to "cpu:0", accelerate's name
        device = "cpu" if processes.device.type == "cpu" else str(processes.device)
    with prefix_errors("model_id"):
        return ChatLLM(*load(options.model_id, options.revision, options.dtype, device), arguments, options.think)


def _processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())
