# Copied from metrics/_common/common_llm.py: edit there, then run make vendor.
"""A chat model on this machine: how likely its answers are, in one forward pass; greedy generation; thinking first.

torch and transformers are imported when a model is first used.
"""

import copy
import os
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .common import warn
from .common_loading import LOCK, files_digest
from .common_prompts import THINKING, ItemError, Prompts

BATCH_TOKENS = {"cpu": 384, "cuda": 8192}  # tokens in one forward pass when the batch size is "auto"
GENERATED_TOGETHER = 8  # prompts
PROBED_TOKENS = 96  # of a prefix, to see whether a model can go on from it


class ChatLLM:
    """A causal language model with its tokenizer. Prompts are lists of token ids.

    Batch sizes count prompts in one forward pass; "auto" fills a pass with as many as the device works well with. When
    memory runs out, batches are halved, with a warning. What all prompts of a call begin with is computed once and kept
    for the next call: when the model's weights have changed, make a new object.

    Args:
        model, tokenizer: of transformers.
        source: what `load` was asked for; None for live objects.
        template_kwargs: arguments of the chat template.
        think: tokens the model may think before it answers.
    """

    def __init__(self, model, tokenizer, source=None, template_kwargs=None, think: int = 0):
        if not hasattr(model, "config") or not hasattr(tokenizer, "get_added_vocab"):
            found = f"{type(model).__name__} and {type(tokenizer).__name__}"
            raise ValueError(f"found {found} as model and tokenizer, expected objects of transformers")
        if model.config.is_encoder_decoder:
            raise ValueError(f"found the encoder-decoder {type(model).__name__}, expected a causal language model")
        self.model = model
        self.tokenizer = tokenizer
        self.source = source
        self.think = think
        self.text = Prompts(tokenizer, self.name, template_kwargs or {}, bool(think))
        self.prompts, self.answers, self.control_words = self.text.ids, self.text.answers, self.text.control_words
        self.control_tokens = list(self.text.added)
        self._kept = [], None  # the last prefix that prompts shared, and its cache

    @property
    def name(self) -> str:
        """What to call the model in messages."""
        return getattr(self.model.config, "_name_or_path", "") or type(self.model).__name__

    @property
    def identity(self) -> list:
        """What tells a loaded model from any other, wherever it runs: name, dtype, and its commit or its files."""
        *asked_for, _device = self.source
        return [*asked_for, getattr(self.model.config, "_commit_hash", None)]

    def signature(self) -> str:
        """The model for a reader: its name, the commit or a digest of its files, the template's arguments."""
        arguments = f"chat_template_kwargs:{self.text.template_kwargs}"
        if self.source is None:
            return f"{self.name} (live)|{arguments}"
        asked_for = self.source[0]
        where = asked_for if os.path.exists(asked_for) else self.name
        commit = getattr(self.model.config, "_commit_hash", None)
        return f"{os.path.basename(asked_for)}@{commit or files_digest(where)}|{arguments}"

    @property
    def context_length(self) -> int | None:
        """The most tokens the model can see, None if its configuration does not say."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)

    # ---- Likelihoods ----

    def answer_log_probs(self, prompts: list, answers: tuple, batch_size="auto") -> Iterator:
        """How likely each answer is behind each prompt, by one forward pass per prompt.

        An answer's probability is the sum of its variants'; that of a variant of several tokens is the product of
        theirs, each behind those before it.

        Args:
            prompts, answers: from `prompts` and `answers`.
            batch_size: prompts in one forward pass, or "auto".

        Yields:
            (index of the prompt, (log p(first answer), log p(second answer), the likeliest first token)) as they are
            computed, the longest prompts first.
        """
        prompts = self._thought(prompts, batch_size) if self.think else prompts
        before = beginnings(answers)
        tokens = sorted({token for each in answers for ids in each for token in ids})
        ends = [row for row in before if not any(other != row and other[: len(row)] == row for other in before)]
        rows = [[*prompt, *end] for prompt in prompts for end in ends]
        wanted = [range(len(prompt) - 1, len(prompt) + len(end)) for prompt in prompts for end in ends]
        pending = {}
        for k, (log_probs, likeliest) in self._log_probs(rows, wanted, tokens, batch_size):
            i, end = k // len(ends), ends[k % len(ends)]
            known = pending.setdefault(i, {})
            known |= {end[:place]: dict(zip(tokens, values)) for place, values in enumerate(log_probs)}
            if len(known) == len(before):
                yield i, (*answer_log_probs(known, answers), self.tokenizer.decode([likeliest]))
                del pending[i]

    def _log_probs(self, rows, wanted, tokens, batch_size):
        """Yield (index, (log p of the tokens behind each wanted place of the row, the likeliest token at the first)).

        The longest rows come first. What all rows begin with is computed once; its cache, repeated for each row, is
        what the rest goes on from. Rows are padded on the right: what follows a row's last token cannot change it, so
        no mask is needed.
        """
        if not rows:
            return
        order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
        shared = min(_shared_length(rows), min(places[0] for places in wanted))
        with self._inference():
            prefix = rows[0][:shared] if shared and self._goes_on_from(rows, shared) else []
            cache = self._cache_of(prefix) if prefix else None
        most = BATCH_TOKENS.get(self.model.device.type, BATCH_TOKENS["cpu"])

        def run(batch):
            with self._inference():  # not around the loop: the caller may use the model between two results
                return self._forward([rows[i] for i in batch], [wanted[i] for i in batch], tokens, len(prefix), cache)

        def fitting(i):
            return max(1, most // (len(rows[i]) - len(prefix))) if batch_size == "auto" else batch_size

        yield from in_batches(order, fitting, run)
        self._kept = prefix, cache

    def _forward(self, rows, wanted, tokens, n=0, cache=None):
        """For each row what `_log_probs` yields; the first n tokens of all are in the cache. Softmax in float64."""
        import torch

        longest, device = max(map(len, rows)), self.model.device
        ids = torch.tensor([row[n:] + [0] * (longest - len(row)) for row in rows], device=device)
        if cache is not None:
            cache = copy.deepcopy(cache)
            cache.reorder_cache(torch.zeros(len(rows), dtype=torch.long, device=device))
        owners = [b for b, places in enumerate(wanted) for _ in places]
        columns = [place - n for places in wanted for place in places]
        head = self.model.get_output_embeddings()
        # logits_to_keep would give every row the columns of all, several times as many as are wanted.
        hook = head.register_forward_pre_hook(lambda _, hidden: (hidden[0][owners, columns],), prepend=True)
        try:
            logits = self.model(input_ids=ids, past_key_values=cache, use_cache=cache is not None).logits
        finally:
            hook.remove()
        own = logits if logits.ndim == 2 else logits[owners, columns]  # a few models have another way to their head
        log_probs = torch.log_softmax(own.double(), dim=-1)
        found, likeliest = log_probs[:, tokens].cpu().numpy(), log_probs.argmax(dim=-1).tolist()
        starts = np.cumsum([0, *map(len, wanted)])
        return [(found[a:b].tolist(), likeliest[a]) for a, b in zip(starts, starts[1:])]

    def _cache_of(self, prefix):
        """The model's cache behind a prefix; what the last one began with is not computed again.

        Whoever asks has it alone, until the next may have it as `_kept`.
        """
        import torch

        (known, cache), self._kept = self._kept, ([], None)
        n = _shared_length([known, prefix])
        if n < len(known) and not _can_be_cropped(cache):
            n = 0
        if n == 0:
            cache = None
        elif n < len(known):
            cache.crop(n - len(known))
        if n < len(prefix):
            ids = torch.tensor([prefix[n:]], device=self.model.device)
            cache = self.model(input_ids=ids, past_key_values=cache, use_cache=True, logits_to_keep=1).past_key_values
        return cache

    def _goes_on_from(self, rows, shared) -> bool:
        """Whether the model, going on from a repeated cache, finds tokens as likely as in whole rows: some do not.

        Asked once for each model, on the ends of two real rows.
        """
        import torch

        if not hasattr(self.model, "_goes_on_from_a_cache"):
            start = max(0, shared - PROBED_TOKENS)
            ends = [row[start:] for row in (min(rows, key=len), max(rows, key=len))]
            n, last = shared - start, [range(len(row) - 1, len(row)) for row in ends]
            best = sorted({likeliest for _, likeliest in self._forward(ends, last, [0])} | {0, 1})
            whole = self._forward(ends, last, best)
            try:
                ids = torch.tensor([ends[0][:n]], device=self.model.device)
                cache = self.model(input_ids=ids, use_cache=True, logits_to_keep=1).past_key_values
                cached = self._forward(ends, last, best, n, cache)
                error = max(np.abs(np.subtract(a, b)).max() for (a, _), (b, _) in zip(whole, cached))
                self.model._goes_on_from_a_cache = bool(error <= max(1e-3, 32 * torch.finfo(self.model.dtype).eps))
            except torch.OutOfMemoryError:
                raise
            except (TypeError, ValueError, RuntimeError, AttributeError, NotImplementedError):
                self.model._goes_on_from_a_cache = False
        return self.model._goes_on_from_a_cache

    # ---- Generation ----

    def generate(self, prompts: list, max_new_tokens: int = 256, batch_size="auto") -> Iterator:
        """Greedy continuations up to the model's end of turn, thinking left out.

        Yields:
            (index of the prompt, text) as batches are done, longest prompts first; stripped, without control tokens.

        Raises:
            ItemError: the model thinks first, and was given no room for it, or thinks again.
        """
        prompts = self._thought(prompts, batch_size) if self.think else prompts
        for i, ids in self._continue(prompts, max_new_tokens, batch_size):
            if self.tokenizer.decode(ids).lstrip().startswith(tuple(start for start, _ in THINKING)):
                way_out = f"expected an answer after {self.think} tokens" if self.think else "pass think=1024 for room"
                raise ItemError(i, f"found {self.name} thinking before it answers; {way_out}")
            yield i, self.tokenizer.decode(ids, skip_special_tokens=True).strip()

    def _thought(self, prompts, batch_size):
        """Prompts with the model's thinking, of at most `think` tokens, behind them; it is ended if it does not end."""
        start, end = self.text.markers
        header = "" if any(marker in self.text.header for marker in (start, end)) else self.text.header
        close, header = self.tokenizer([self.text.close, header], add_special_tokens=False)["input_ids"]
        found = list(prompts)
        for i, ids in self._continue(prompts, self.think, batch_size, end):
            said = self.tokenizer.decode(ids).partition(end)[0]
            if self.text.is_open or said.lstrip().startswith(start):
                n = bisect_right(range(len(ids) + 1), len(said), key=lambda k: len(self.tokenizer.decode(ids[:k]))) - 1
                found[i] = [*prompts[i], *ids[:n], *close]
            else:  # it answers without thinking
                found[i] = [*prompts[i], *header]
        return found

    def _continue(self, prompts, max_new_tokens, batch_size, stop=""):
        """Yield (index, token ids) of greedy continuations, longest prompts first."""
        import torch
        from transformers import GenerationConfig

        pad = next((p for p in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id) if p is not None), 0)
        eos = self.model.generation_config.eos_token_id
        eos = {*(eos if isinstance(eos, list) else [eos]), self.text.turn_end} - {None}
        settings = GenerationConfig(
            max_new_tokens=max_new_tokens, do_sample=False, num_beams=1, pad_token_id=pad, eos_token_id=sorted(eos)
        )  # not the checkpoint's, which may have penalties
        stopping = {"stop_strings": [stop], "tokenizer": self.tokenizer} if stop else {}
        order = sorted(range(len(prompts)), key=lambda i: -len(prompts[i]))

        def run(batch):
            longest = len(prompts[batch[0]])
            rows = [[pad] * (longest - len(prompts[i])) + prompts[i] for i in batch]
            mask = [[0] * (longest - len(prompts[i])) + [1] * len(prompts[i]) for i in batch]
            with self._inference():
                usual, self.model.generation_config = self.model.generation_config, settings
                try:
                    output = self.model.generate(
                        input_ids=torch.tensor(rows, device=self.model.device),
                        attention_mask=torch.tensor(mask, device=self.model.device),
                        **stopping,
                    )
                finally:
                    self.model.generation_config = usual
            return [_without_end(row[longest:].tolist(), {pad, *eos}) for row in output]

        yield from in_batches(order, lambda i: GENERATED_TOGETHER if batch_size == "auto" else batch_size, run)

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


def beginnings(answers: tuple) -> set[tuple]:
    """What stands before a token of a variant: (), and the beginnings of variants of several tokens."""
    return {tuple(ids[:k]) for variants in answers for ids in variants for k in range(len(ids))}


def answer_log_probs(known: dict, answers: tuple) -> list[float]:
    """log p of each answer: a sum over its variants, each a product over its tokens (chain rule).

    Args:
        known: {beginning: {token: log p of the token behind it}}.
        answers: two lists of variants, lists of token ids.
    """

    def chain(ids):
        return sum(known[tuple(ids[:k])][token] for k, token in enumerate(ids))

    with np.errstate(invalid="ignore"):  # NaN stays NaN, for the caller to refuse
        return [float(np.logaddexp.reduce([chain(ids) for ids in variants])) for variants in answers]


def _without_end(ids, ends):
    """Token ids without those at the end that end a turn or fill it up."""
    while ids and ids[-1] in ends:
        ids = ids[:-1]
    return ids


def _can_be_cropped(cache):
    return all(type(layer).__name__ == "DynamicLayer" for layer in getattr(cache, "layers", [None]))


def in_batches(order, fitting, run):
    """Yield (index, result) of every index.

    run(batch) gives the results of a batch, fitting(i) is the size of one that begins with i, the longest. When memory
    runs out, the batch is halved, and none is larger from then on.
    """
    import torch

    limit = len(order)
    while order:
        batch = order[: min(limit, fitting(order[0]))]
        try:
            results = run(batch)
        except torch.OutOfMemoryError:
            if len(batch) == 1:
                raise
            limit = len(batch) // 2
            warn(f"out of memory: going on with batches of {limit} prompts")
            torch.cuda.empty_cache()
            continue
        yield from zip(batch, results)
        order = order[len(batch) :]


def _shared_length(rows) -> int:
    """Number of tokens that all rows begin with; the smallest and the largest row differ first."""
    low, high = min(rows), max(rows)
    return next((i for i, (a, b) in enumerate(zip(low, high)) if a != b), min(len(low), len(high)))
