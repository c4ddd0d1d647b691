"""Many questions to one chat model: which one, what it has said before, progress, errors that say about which item."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite

from .common import SURROGATE, CheckedOptions, a_boolean, expecting, is_integer, option, prefix_errors, shown, warn
from .common_llm import FIELD, ChatLLM, ItemError, load
from .common_served import ServedLLM

CHUNK = 1024  # prompts in memory at once: 25 MB of them with 600 tokens each
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


@dataclass(frozen=True, kw_only=True)
class ChatOptions(CheckedOptions):
    """Which chat model, where it runs, what is kept of its answers.

    model_id: on the Hub or in a folder; what a server calls it, with endpoint.
    model, tokenizer: live objects instead.
    revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
    batch_size: prompts in one forward pass (requests at once, for an endpoint), or "auto".
    resume: path of a file that keeps every answer as it is made; an interrupted run goes on from it.
    distributed: under "accelerate launch" each process asks a share, and all get all answers.
    endpoint: address of a served model (OpenAI-compatible chat protocol).
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
    endpoint: str | None = option(None, an_address)

    def check_together(self):
        if (self.model is None) != (self.tokenizer is None):
            raise ValueError("found only one of model and tokenizer, expected both or neither")
        if self.model is not None and self.resume is not None:
            raise ValueError("resume: found a live model, which cannot be told from another; expected a model_id")
        if self.model is not None and self.endpoint is not None:
            raise ValueError("found both a live model and an endpoint, expected one of them")


def check_messages(messages) -> list[str]:
    """The names of the fields in chat messages, in their order.

    Raises:
        ValueError: they are not a non-empty list of {"role", "content"} with strings that can be encoded.
    """
    if not isinstance(messages, (list, tuple)) or not messages:
        raise ValueError(f"found {shown(messages)}, expected a non-empty list of messages")
    for i, message in enumerate(messages):
        if (
            not isinstance(message, dict)
            or set(message) != {"role", "content"}
            or not all(isinstance(part, str) for part in message.values())
            or message["role"] not in ROLES
            or SURROGATE.search(message["content"])
        ):
            raise ValueError(
                f"message {i}: found {shown(message)}, expected a dict with a role of {', '.join(ROLES)} and a string "
                "as content"
            )
    return [name for message in messages for name in FIELD.findall(message["content"])]


def _are_answers(answers) -> bool:
    return (
        isinstance(answers, (list, tuple))
        and len(answers) == 2
        and all(isinstance(answer, str) and answer.strip() for answer in answers)
        and not any(FIELD.search(answer) or SURROGATE.search(answer) for answer in answers)
        and answers[0] != answers[1]
    )


two_answers = expecting("two different words", _are_answers, tuple)

# ---- What a chat model said, kept on disk ----


class AnswerStore:
    """A SQLite file with one row per answer of a chat model, so that an interrupted run goes on where it stopped.

    A row's key is a digest of everything its value depends on. Every call of `put` is one transaction: after a crash or
    kill -9 a row is there whole or not at all. Several processes may use one file.
    """

    def __init__(self, path: str, model):
        """Open or create the file.

        Args:
            path: the file.
            model: what tells the model from any other, JSON-serialisable; part of every key.

        Raises:
            ValueError: the file is no such store, or cannot be opened.
        """
        self.model = model
        self.path = path
        try:
            self.connection = sqlite3.connect(os.path.abspath(path), timeout=60)  # ":memory:" is a file, too
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            self.connection.execute("SELECT key, value FROM results LIMIT 1")
        except (sqlite3.Error, ValueError) as error:
            raise ValueError(
                f"resume: found {str(path)!r}, which is no score file ({error}), expected one or a new path"
            ) from None

    def key(self, *circumstances) -> str:
        """The digest for circumstances (JSON-serialisable) under this model."""
        return hashlib.sha256(json.dumps([self.model, *circumstances]).encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str):
        """The value kept under a key, or None."""
        try:
            row = self.connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            return None if row is None else json.loads(row[0])
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise ValueError(
                f"resume: found {str(self.path)!r} damaged ({error}), expected it as it was left"
            ) from None

    def put(self, key: str, value):
        """Keep a value (JSON-serialisable), durably.

        Raises:
            ValueError: it cannot be written (the disk is full, say); what was kept before stays.
        """
        try:
            with self.connection:
                self.connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value)))
        except sqlite3.Error as error:
            raise ValueError(
                f"resume: found {str(self.path)!r}, which cannot be written ({error}), expected room for the results; "
                "what was kept before is still there"
            ) from None

    def close(self):
        self.connection.close()


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


def longest_answer(answers: tuple) -> int:
    """The tokens that the longer of two answers takes, both from the model's `answers`.

    (Characters, for a model that is served; it has no limit to compare with.)
    """
    common, *rest = answers
    return len(common) + max(map(len, rest))


class Chat:
    """A chat model, how many prompts it takes at once, and what it has said before. Call close() when done.

    Args:
        options: which model.
        silent: True shows no progress bar.
    """

    def __init__(self, options: ChatOptions, silent: bool = False):
        self.processes = _processes() if options.distributed else None
        self.llm = _open(options, self.processes)
        self.batch_size = options.batch_size
        self.silent = silent
        self.store = AnswerStore(options.resume, self.llm.identity) if options.resume else None
        self._warned_of = set()  # texts with words of the chat template

    def close(self):
        if self.store:
            self.store.close()

    def signature(self) -> str:
        """The model for a reader: its name, with its commit or a digest of its files."""
        return self.llm.signature()

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
        room = max(room, longest_answer(tokens))

        def compute(prompts):
            for i, ratio in self.llm.log_ratios(prompts, tokens, self.batch_size):
                if not isfinite(ratio):
                    raise ItemError(i, f"found the score {ratio}, expected a finite one; try another dtype")
                yield i, ratio

        return self._ask(step, tokens, messages, fields, name, room, compute)

    def texts(self, step: str, messages: list, fields: list, name: Callable, limit: int) -> list:
        """The model's next turn after the messages, of at most `limit` tokens, for each dict of fields."""
        compute = self.llm.generate
        return self._ask(step, limit, messages, fields, name, limit, lambda p: compute(p, limit, self.batch_size))

    def _ask(self, step, settings, messages, fields, name, room, compute):
        """One value for each dict of fields.

        A kept value is found by what it depends on: the model, the step with its settings, and the prompt itself. What
        is refused is refused before the work starts, by every process that shares it.
        """
        self._warn_about_control_words(messages, fields, name)

        def prompts(places):
            with locate_errors(lambda i: name(places[i])):
                return fitting_prompts(self.llm, messages, [fields[i] for i in places], room)

        from datasets.utils import tqdm  # here, so that the options can be read without it

        n, mine, known = len(fields), self._share(len(fields)), {}
        if n > CHUNK or len(mine) < n:
            for places in _cut(range(n)):
                prompts(places)
        with tqdm(total=len(mine), desc=f"{step}s", unit=step, disable=self.silent) as bar:
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
        with locate_errors(lambda k: name(todo[k])):
            for k, value in compute([prompts[i] for i in todo]):
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


def _open(options, processes):
    """The chat model that the options ask for."""
    if options.endpoint is not None:
        return ServedLLM(options.endpoint, options.model_id)
    if options.model is not None:
        return ChatLLM(options.model, options.tokenizer)
    device = options.device
    if processes is not None and device == "auto":  # transformers 4 cannot load to "cpu:0", accelerate's name
        device = "cpu" if processes.device.type == "cpu" else str(processes.device)
    with prefix_errors("model_id"):
        return load(options.model_id, options.revision, options.dtype, device)


def _processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())


def _cut(places):
    """Places in chunks."""
    return (places[start : start + CHUNK] for start in range(0, len(places), CHUNK))
