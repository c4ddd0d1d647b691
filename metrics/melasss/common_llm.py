# Copied from metrics/_common/common_llm.py: edit there, then run make vendor.
"""A chat model as a judge: log p of two answers in one forward pass, greedy text; its options, and loading models."""

import copy
import hashlib
import inspect
import os
import sys
import threading
import types
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, reduce
from math import inf
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from .common import CheckedOptions, Message, argument, expecting, input_error, is_integer, option, warn
from .common_judge import AnyOrder, a_judge
from .common_prompts import ItemError, Prompts
from .common_thinking import THINK_HINT, THINKING

PAPERS = "mistralai/Mistral-7B-Instruct-v0.2"  # the model of ParaPLUIE's papers
BATCH_TOKENS = {"cpu": 384, "cuda": 8192}  # tokens in one forward pass when the batch size is "auto"
GENERATED_TOGETHER = 8  # prompts
PROBED_TOKENS = 96  # of a prefix, to see whether a model can go on from its cache
DEVICE_MAPS = ("auto", "balanced", "balanced_low_0", "sequential")  # what accelerate takes for a device
DTYPES = ("auto", "float32", "bfloat16", "float16", "float64")
# All copies of this file share the loaded models, whether they can go on from a cache, and a lock for using one.
_SHARED = sys.modules.setdefault("_meaning_metrics_models", types.ModuleType("_meaning_metrics_models")).__dict__
LOADED, LOCK = _SHARED.setdefault("loaded", {}), _SHARED.setdefault("lock", threading.RLock())
CONTINUES = _SHARED.setdefault("continues", WeakKeyDictionary())

# ---- Options ----

a_name = expecting("a name on the Hub or a folder", lambda x: isinstance(x, (str, os.PathLike)) and str(x), os.fspath)
a_revision = expecting("a commit, a tag or a branch", lambda value: value is None or isinstance(value, str))
a_device = expecting("a name such as 'cpu'", lambda x: isinstance(x, str) and not x.startswith("meta"))  # no numbers
a_dtype = expecting(
    f"one of {', '.join(DTYPES)}",
    lambda x: type(x).__name__ in ("str", "dtype") and str(x).removeprefix("torch.") in DTYPES,
    lambda x: str(x).removeprefix("torch."),
)
a_batch_size = expecting(
    "a positive integer or 'auto'", lambda x: is_integer(x, 1) or isinstance(x, str) and x == "auto"
)


@dataclass(frozen=True, kw_only=True)
class ChatOptions(CheckedOptions):
    """Which chat model, and where it runs.

    model_id: on the Hub or in a folder, with safetensors weights; no code of the repository is run. None: `PAPERS`.
    model, tokenizer: live objects of transformers instead.
    revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
    batch_size: prompts in one forward pass, or "auto".
    judge: any judge to ask instead, such as one that parapluie's `judge(endpoint=...)` gives.
    """

    model_id: str | None = option(None, lambda x: a_name(PAPERS if x is None else x), affects_score=False)
    model: object = option(None, affects_score=False)
    tokenizer: object = option(None, affects_score=False)
    revision: str | None = option(None, a_revision, affects_score=False)
    dtype: str = option("auto", a_dtype)
    device: str = option("auto", a_device, affects_score=False)
    batch_size: int | str = option("auto", a_batch_size, affects_score=False)
    judge: object = option(None, a_judge, affects_score=False)

    def check_together(self):
        if (self.model is None) != (self.tokenizer is None):
            raise input_error("", "only one of model and tokenizer", "both of them or neither")
        if self.model is not None and self.judge is not None:
            raise input_error("", "both a live model and a judge", "either a model or a judge")


# ---- The model ----


class ChatModel(AnyOrder):
    """A causal language model of transformers with its tokenizer, as a judge.

    source: what `load` was asked for, None for live objects; template_kwargs: arguments of the chat template;
    batch_size: prompts in one forward pass, "auto" for as many as the device works well with.
    """

    prompts_class = Prompts
    think_hint: str = THINK_HINT

    def __init__(self, model, tokenizer, source=None, template_kwargs=None, batch_size: int | str = "auto"):
        config: Any = getattr(model, "config", None)
        if getattr(config, "is_encoder_decoder", True) or not hasattr(tokenizer, "get_added_vocab"):
            found = f"{type(model).__name__} and {type(tokenizer).__name__} as model and tokenizer"
            raise input_error("", found, "a causal language model of transformers and its tokenizer")
        self.model, self.tokenizer, self.source, self.batch_size = model, tokenizer, source, batch_size
        self.name = getattr(config, "_name_or_path", "") or type(model).__name__
        self.commit = getattr(config, "_commit_hash", None)
        self.prompts = self.prompts_class(tokenizer, self.name, template_kwargs)
        self.context_length = getattr(config.get_text_config(), "max_position_embeddings", None) or inf

    def signature(self) -> str:
        """The model for a reader: its name, the commit or a digest of its files, the template's arguments."""
        name = f"{self.name} (live)"
        if self.source:
            path, _, _, stats, _ = self.source
            digest = self.commit or files_digest(path if stats else self.name, stats or file_stats(self.name))
            name = f"{os.path.basename(path)}@{digest}"
        return f"{name}|chat_template_kwargs:{self.prompts.template_kwargs}"

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, what the method gives) as batches are done; what must be refused is so before the first."""
        shapes, run, reserved = list(map(self.prompts.shape, conversations)), self._write, argument
        if method == "answer_log_probs":
            run, argument = self._score, {shape: self.prompts.answers(shape, argument) for shape in set(shapes)}
            reserved = max((len(ids) for sides in argument.values() for side in sides for ids in side), default=0)
        if shapes:
            yield from run(shapes, self._prompts(conversations, reserved), argument)

    def _prompts(self, conversations, reserved):
        """The token ids that the model goes on from, with so many tokens left in its context."""
        prompts, most = [], max(0, self.context_length - reserved)
        for i, ids in enumerate(self.prompts.ids(conversations)):
            if len(ids) > most:
                expected = f"at most {most} for {self.name}, with {reserved} to come"
                raise ItemError(i, f"found a prompt of {len(ids)} tokens, expected {expected}")
            prompts.append(array("i", ids))  # a list takes nine times the memory
        return prompts

    # ---- Likelihoods ----

    def _score(self, shapes, prompts, variants):
        """Yield (index, (log p(first answer), log p(second answer), top token)): a forward pass for each prompt.

        What all prompts begin with is computed once; its cache, repeated for each row, is what the rest goes on from.
        A variant of several tokens takes a row of its own, prompt and variant but for the last token.
        variants: {shape: for each of two answers the tokens of its variants}.
        """
        ends = sorted({tuple(ids[:-1]) for sides in variants.values() for side in sides for ids in side})
        counts = [len(end) + 1 for end in ends]
        n = min(shared_length(prompts), min(map(len, prompts)) - 1)
        with self._inference():
            n = n if n and self._continues(prompts, n) else 0
            cache = self._cache_of(prompts[0][:n]) if n else None

        def run(batch):
            rows = [[*prompts[i][n:], *end] for i in batch for end in ends]
            with self._inference():  # not around the loop: the caller may use the model between two results
                log_probs = self._forward(rows, counts * len(batch), cache).unflatten(0, (len(batch), -1))
            after = dict(zip(ends, log_probs.split(counts, dim=1), strict=True))
            top_tokens = self.tokenizer.batch_decode(log_probs[:, 0].argmax(dim=-1, keepdim=True))
            sides = {shape: [log_p(after, side) for side in variants[shape]] for shape in {shapes[i] for i in batch}}
            return [(*(side[k] for side in sides[shapes[i]]), top_tokens[k]) for k, i in enumerate(batch)]

        most = BATCH_TOKENS.get(self.model.device.type, BATCH_TOKENS["cpu"])
        sizes = [len(ends) * (len(prompt) - n) + sum(map(len, ends)) for prompt in prompts]
        yield from in_batches(sizes, most, self.batch_size, run)

    def _forward(self, rows, counts, cache=None):
        """log p of every token after each of the last positions of each row: (positions, vocabulary), in float64."""
        longest = max(map(len, rows))  # padded on the right: what follows cannot change a row, so no mask is needed
        ids = self._tensor([[*row, *[0] * (longest - len(row))] for row in rows])
        if cache is not None:
            cache = copy.deepcopy(cache)
            cache.reorder_cache(self._tensor([0] * len(rows)))
        places = [(i, k) for i, row in enumerate(rows) for k in range(len(row) - counts[i], len(row))]
        wanted = tuple(zip(*places, strict=True))
        # logits_to_keep would give every row the columns of all, several times as many as are wanted.
        head = self.model.get_output_embeddings()
        hook = head.register_forward_pre_hook(lambda _, hidden: (hidden[0][wanted],), prepend=True)
        try:
            logits = self.model(input_ids=ids, use_cache=cache is not None, **{self._cache_name: cache}).logits
        finally:
            hook.remove()
        logits = logits if logits.ndim == 2 else logits[wanted]  # a few models have another way to their head
        return logits.double().log_softmax(dim=-1)

    def _cache_of(self, prefix, cache=None):
        """The model's cache after a prefix, which may go on from another cache."""
        given = {"input_ids": self._tensor([list(prefix)]), self._cache_name: cache, "use_cache": True}
        return getattr(self.model(**given, logits_to_keep=1), self._cache_name)

    @property
    def _cache_name(self):  # renamed in transformers 5.24, which warns of the old name
        return "cache" if "cache" in inspect.signature(self.model.forward).parameters else "past_key_values"

    def _tensor(self, numbers):
        import torch

        return torch.tensor(numbers, device=self.model.device)

    def _continues(self, rows, n) -> bool:
        """Whether the model, going on from a repeated cache, finds tokens as likely as in whole rows: some do not.

        Tried once for each model, on the ends of two real rows.
        """
        import torch

        if self.model not in CONTINUES:
            start = max(0, n - PROBED_TOKENS)
            ends, n = [row[start:] for row in (min(rows, key=len), max(rows, key=len))], n - start
            whole, error = self._forward(ends, [1, 1]), inf
            best = sorted({*whole.argmax(dim=-1).tolist(), 0, 1})
            try:
                cached = self._forward([row[n:] for row in ends], [1, 1], ChatModel._cache_of(self, ends[0][:n]))
                error = float((cached - whole)[:, best].abs().max())
            except (TypeError, ValueError, RuntimeError, AttributeError) as failure:
                if isinstance(failure, torch.OutOfMemoryError):
                    raise
            CONTINUES[self.model] = error <= max(1e-3, 32 * torch.finfo(self.model.dtype).eps)
        return CONTINUES[self.model]

    # ---- Generation ----

    def _write(self, shapes, prompts, max_new_tokens):
        """Yield (index, greedy answer up to the model's end of turn), stripped, without control tokens."""
        shown = self.prompts.template.thinking or ("", "", "")
        starts = tuple(start for start, *_ in (shown, *THINKING) if start)
        for i, ids in self._continuations(shapes, prompts, max_new_tokens):
            if self.tokenizer.decode(ids).lstrip().startswith(starts):
                raise ItemError(i, Message(f"found {self.name} thinking before it answers; ", self.think_hint))
            yield i, self.tokenizer.decode(ids, skip_special_tokens=True).strip()

    def _continuations(self, shapes, prompts, max_new_tokens, **stopping):
        """Yield (index, token ids) of greedy continuations."""
        from transformers import GenerationConfig

        eos, turn_ends = self.model.generation_config.eos_token_id, {self.prompts.rendered(s).turn_end for s in shapes}
        ends = {*(eos if isinstance(eos, list) else [eos]), *turn_ends} - {None}
        pad = next((p for p in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id) if p is not None), 0)
        settings = GenerationConfig(
            max_new_tokens=max_new_tokens, do_sample=False, num_beams=1, pad_token_id=pad, eos_token_id=sorted(ends)
        )  # not the checkpoint's, which may have penalties

        def run(batch):
            rows = [prompts[i] for i in batch]
            longest = max(map(len, rows))
            ids = self._tensor([[*[pad] * (longest - len(row)), *row] for row in rows])
            mask = self._tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows])
            with self._inference():
                usual, self.model.generation_config = self.model.generation_config, settings
                try:
                    output = self.model.generate(input_ids=ids, attention_mask=mask, **stopping)[:, longest:].tolist()
                finally:
                    self.model.generation_config = usual
            for ids in output:
                while ids and ids[-1] in {pad, *ends}:
                    ids.pop()
            return output

        together = self.batch_size if isinstance(self.batch_size, int) else GENERATED_TOGETHER
        yield from in_batches(list(map(len, prompts)), 0, together, run)

    @contextmanager
    def _inference(self):
        """Inference and evaluation mode."""
        import torch

        with torch.inference_mode(), LOCK:
            training = self.model.training
            self.model.eval()
            try:
                yield
            finally:
                self.model.train(training)


def log_p(after: dict, variants: list) -> list[float]:
    """log p of an answer after each prompt of a batch: of any of its variants, each token by token (chain rule).

    after: {a variant's tokens but for the last: log p of every token after each prompt, and after each of these in
    turn: (prompts, positions, vocabulary)}.
    """
    chains = [sum(after[tuple(ids[:-1])][:, k, token] for k, token in enumerate(ids)) for ids in variants]
    return reduce(lambda one, other: one.logaddexp(other), chains).tolist()


def shared_length(rows: list) -> int:
    """Number of tokens that all rows begin with; the smallest and the largest row differ first."""
    low, high = min(rows), max(rows)
    return next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))


def in_batches(sizes: list, most: int, batch_size: int | str, run: Callable) -> Iterator[tuple]:
    """Yield (index, result) of every item, the largest first; run(indices) gives the results of a batch.

    With batch_size "auto", a batch has as many items as the size of its largest allows for `most`. When memory runs
    out, the batch is halved, and none is larger from then on.
    """
    order, limit = sorted(range(len(sizes)), key=lambda i: -sizes[i]), len(sizes)
    while order:
        fitting = batch_size if isinstance(batch_size, int) else max(1, most // max(1, sizes[order[0]]))
        batch = order[: min(limit, fitting)]
        try:
            yield from zip(batch, run(batch), strict=True)
            order = order[len(batch) :]
        except (MemoryError, RuntimeError) as error:
            torch = sys.modules.get("torch")
            no_memory = isinstance(error, (MemoryError, torch.OutOfMemoryError) if torch else MemoryError)
            if len(batch) == 1 or not no_memory:
                raise
            limit = len(batch) // 2
            warn(f"out of memory: the model goes on with batches of {limit}")
            if torch:
                torch.cuda.empty_cache()


# ---- Loading ----


def load(open_files: Callable, model_id, revision, dtype, device, stats: tuple | None = None) -> tuple:
    """What open_files(model_id, revision, dtype, device) gives, once per process, and the source of it.

    stats: what tells its files from others, by default `file_stats`. ValueError for a folder with a revision.
    """
    if revision is not None and os.path.exists(model_id):
        raise input_error("", f"the revision {revision!r} of the path {os.fspath(model_id)!r}", "no revision of a path")
    source = (os.fspath(model_id), revision, str(dtype), file_stats(model_id) if stats is None else stats, str(device))
    key = open_files.__name__, *source  # two metrics' functions of one name open the same
    with LOCK:
        if key not in LOADED:
            _check_device(device)
            LOADED[key] = open_files(model_id, revision, dtype, device)
        return *LOADED[key], source


def torch_device(device: str) -> str:
    """A device as torch has it; "auto" is a GPU if there is one, else the CPU."""
    import torch

    if device != "auto":
        return device
    return str(torch.accelerator.current_accelerator()) if torch.accelerator.is_available() else "cpu"


def _check_device(device):
    if device not in DEVICE_MAPS:
        import torch

        try:
            torch.empty(0, device=device)
        except Exception as error:
            expected = f"{DEVICE_MAPS[0]!r} or a device of torch here, such as 'cpu'"
            raise input_error(argument("device"), repr(device), f"{expected}: {error}") from None


@contextmanager
def loading_errors(model_id, expected: str = "a chat model with safetensors weights"):
    """Whatever loading raises, of many libraries, as a ValueError that names the model."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except Exception as error:
        raise input_error("", f"{str(model_id)!r}, which cannot be loaded", f"{expected}: {error}") from error


def file_stats(path) -> tuple:
    """Names, sizes and times of the files at a path, cards left out; () for what is not here."""
    entries = os.scandir(path) if os.path.isdir(path) else [Path(path)] if os.path.isfile(path) else []
    stats = [(entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries]
    return tuple(sorted(each for each in stats if not each[0].endswith(".md")))


@cache
def files_digest(path, stats: tuple) -> str:
    """What the files of `file_stats` are, wherever they lie: 12 digits of a SHA-256 of their names and contents."""
    digest, folder = hashlib.sha256(), Path(path) if os.path.isdir(path) else Path(path).parent
    for file in filter(Path.is_file, (folder / name for name, *_ in stats)):
        digest.update(file.name.encode())
        with open(file, "rb") as content:
            while block := content.read(2**20):
                digest.update(block)
    return digest.hexdigest()[:12]
