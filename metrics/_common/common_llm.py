"""Chat models as judges: prompts that user text cannot change, yes/no scores in one forward pass, generation.

torch and transformers are imported when a model is first used.
"""

import hashlib
import os
import re
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import accumulate

from .common import warn
from .common_hub import find

MARK = "\ue000"  # a private-use character, around the number of a field, stands for a text while a template is rendered
FIELD = re.compile(r"\{(\w+)\}")
PACK_TOKENS = {"cpu": 384, "cuda": 4096}  # tokens in one forward pass when the batch size is "auto"
# What all vendored copies of this file share in a process: the loaded models, and one lock, because the head of a model
# is exchanged during a forward pass.
_SHARED = sys.modules.setdefault("_chat_llm_shared", types.ModuleType("_chat_llm_shared")).__dict__
_LOADED = _SHARED.setdefault("models", {})
LOCK = _SHARED.setdefault("lock", threading.RLock())


class ItemError(ValueError):
    """What is wrong with one of several items; `index` is its place among them."""

    def __init__(self, index: int, message: str):
        super().__init__(message)
        self.index = index


def fill(content: str, values: dict) -> str:
    """A message's content with its fields filled in, in one pass: braces in a text stay text."""
    return FIELD.sub(lambda match: values[match[1]], content)


def load(model_id: str, revision: str | None = None, dtype: str = "auto", device: str = "auto") -> "ChatLLM":
    """Load a chat model from the Hub or a folder, once per process.

    Args:
        model_id: repository "owner/name" or the path of a folder. Weights must be safetensors; no code of the
            repository is run.
        revision: commit, tag or branch.
        dtype: "auto" is the checkpoint's own; else a name such as "bfloat16".
        device: "auto" lets accelerate place the model on the GPUs if there are any (over several where it is too
            large for one), else on the CPU; or a device such as "cuda:1".

    Raises:
        ValueError: it is not in reach or cannot be loaded.
    """
    source = (os.fspath(model_id), revision, str(dtype), folder_state(model_id), str(device))
    with LOCK:
        if source not in _LOADED:
            _LOADED[source] = _from_pretrained(*find(model_id, revision), revision, dtype, device)
        return ChatLLM(*_LOADED[source], source)


def _from_pretrained(name, offline, revision, dtype, device):
    """The model and its tokenizer."""
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer

    options = {"revision": revision, "local_files_only": offline, "trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
        model = AutoModelForCausalLM.from_pretrained(
            name, dtype=dtype, device_map=device, use_safetensors=True, **options
        )
    except (OSError, RuntimeError, ValueError, ImportError, AssertionError, SafetensorError) as error:
        raise ValueError(
            f"found {name!r}, which cannot be loaded, expected a chat model with safetensors weights: {error}"
        ) from error
    return model.eval(), tokenizer


def folder_state(path: str) -> tuple:
    """Names, sizes and times of a folder's files, whose content may change under its name; () for what is no folder."""
    if not os.path.isdir(path):
        return ()
    return tuple(sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(path)))


@cache
def _files_digest(path: str, state: tuple) -> str:
    digest = hashlib.sha256()
    for name, *_ in state:
        digest.update(name.encode())
        with open(os.path.join(path, name), "rb") as file:
            while block := file.read(2**20):
                digest.update(block)
    return digest.hexdigest()[:12]


def files_digest(folder: str) -> str:
    """What a folder's files are, wherever it lies: the first digits of a SHA-256."""
    state = [entry for entry in folder_state(folder) if os.path.isfile(os.path.join(folder, entry[0]))]
    return _files_digest(os.fspath(folder), tuple(state))


class ChatLLM:
    """A causal language model with its tokenizer and chat template.

    Messages are a list of {"role", "content"} whose contents may have fields in braces, such as "{source}". Prompts are
    lists of token ids. Batch sizes count prompts in one forward pass; "auto" fills a pass with as many as the device
    works well with. When memory runs out, batches are halved, with a warning. What all prompts of a call begin with
    is computed once and kept for the next call: when the model's weights have changed, make a new object.
    """

    def __init__(self, model, tokenizer, source: tuple | None = None):
        if not hasattr(model, "config") or not hasattr(tokenizer, "apply_chat_template"):
            found = f"{type(model).__name__} and {type(tokenizer).__name__}"
            raise ValueError(f"found {found} as model and tokenizer, expected objects of transformers")
        if model.config.is_encoder_decoder:
            raise ValueError(f"found the encoder-decoder {type(model).__name__}, expected a causal language model")
        self.model = model
        self.tokenizer = tokenizer
        self.source = source  # what `load` was asked for, None for live objects
        self._kept = [], None  # the last prefix that prompts shared, and its keys and values

    # ---- Prompts ----

    def prompts(self, messages: list, fields: list) -> list:
        """Prompts for the model's next turn, one for each dict of fields.

        The control tokens of a prompt are those of the template, whatever the texts contain.

        Raises:
            ItemError: a text cannot be kept apart from them.
        """
        rendered, texts = self._render(messages)
        return self._fill(rendered, texts, fields)

    def answers(self, messages: list, answers: tuple) -> tuple:
        """Token ids of the two answers as the assistant's turn after the messages.

        Returns:
            (common, first, second): ids that both answers begin with, then what is left of each; neither is empty.

        Raises:
            ValueError: one answer begins the other (or they are the same) in the model's tokens, or the chat template
                does not put the answer behind the prompt.
        """
        names = {name for message in messages for name in FIELD.findall(message["content"])}
        filler = dict.fromkeys(names, "x")
        [prompt] = self.prompts(messages, [filler])
        said = [*messages, {"role": "assistant", "content": "{_answer}"}]
        rendered, texts = self._render(said, add_generation_prompt=False)
        rendered = rendered[: rendered.rindex(MARK) + 1]  # what ends the turn is not part of the answer
        turns = []
        for answer, ids in zip(answers, self._fill(rendered, texts, [{**filler, "_answer": a} for a in answers])):
            if ids[: len(prompt)] != prompt:
                raise ValueError(
                    f"found a chat template that does not put {answer!r} behind the prompt, expected one that does"
                )
            turns.append(ids[len(prompt) :])
        first, second = turns
        shared = _shared_length([first, second])
        if shared == min(len(first), len(second)):
            raise ValueError(
                f"answers: found {answers[0]!r} and {answers[1]!r}, which begin alike in the tokens of {self.name}, "
                "expected some that differ before one ends"
            )
        return first[:shared], first[shared:], second[shared:]

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
        """The model for a reader: its name, with the commit or a digest of its files."""
        if self.source is None:
            return f"{self.name} (live)"
        commit = getattr(self.model.config, "_commit_hash", None)
        return f"{os.path.basename(self.name)}@{commit or files_digest(self.name)}"

    @property
    def context_length(self) -> int | None:
        """The most tokens the model can see, None if its configuration does not say."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)

    def control_words(self, messages: list) -> list:
        """Words that the chat template writes as plain text, such as Mistral v0.2's "[INST]".

        A user's text that contains one looks to the model like part of the template; no encoding can prevent it.
        """
        rendered, _ = self._render([{**message, "content": f"{MARK}{MARK}"} for message in messages])
        for token in sorted(self._added_tokens(), key=len, reverse=True):
            rendered = rendered.replace(token, " ")
        words = set(rendered.replace(MARK, " ").split())
        return sorted(word for word in words if re.search(r"[<>\[\]|\x23]", word))

    def _render(self, messages, add_generation_prompt=True):
        """The chat as a string with numbered marks for fields, and the fields: (name, strip left, strip right)."""
        from jinja2 import TemplateError

        names = []

        def mark(match):
            names.append(match[1])
            return f" {MARK}{len(names) - 1}{MARK} "

        marked = [{**message, "content": FIELD.sub(mark, message["content"])} for message in messages]
        try:
            rendered = self.tokenizer.apply_chat_template(
                marked, tokenize=False, add_generation_prompt=add_generation_prompt
            )
        except TemplateError as error:
            raise ValueError(
                f"found messages that the chat template of {self.name} refuses, expected others: {error}"
            ) from None
        # A template that trims the contents has taken away the space beside a mark; it would trim the text as well.
        strips = {}

        def strip(match):
            strips[int(match[2])] = not match[1], not match[3]
            return f"{MARK}{match[2]}{MARK}"

        rendered = re.sub(f"( ?){MARK}(\\d+){MARK}( ?)", strip, rendered)
        return rendered, [(name, *strips.get(i, (False, False))) for i, name in enumerate(names)]

    def _fill(self, rendered, texts, fields):
        """Token ids of the rendered chat with each dict of fields filled in."""
        parts = re.split(f"{MARK}(\\d+){MARK}", rendered)
        filled = []
        for values in fields:
            pieces = list(parts)
            for i in range(1, len(parts), 2):
                name, left, right = texts[int(parts[i])]
                text = values[name]
                text = text.lstrip() if left else text
                pieces[i] = text.rstrip() if right else text
            filled.append(pieces)
        encoded = self.tokenizer(["".join(pieces) for pieces in filled], add_special_tokens=False)["input_ids"]
        unknown = self.tokenizer.unk_token_id  # stands for any word the tokenizer lacks, and controls nothing
        added = set(self._added_tokens().values()) - {unknown}

        def control(ids):
            return [token for token in ids if token in added]

        harmless = "".join("x" if i % 2 else part for i, part in enumerate(parts))
        own = control(self.tokenizer(harmless, add_special_tokens=False)["input_ids"])
        for i, pieces in enumerate(filled):
            spelled_out = unknown is not None and any(self.tokenizer.unk_token in text for text in pieces[1::2])
            if spelled_out or control(encoded[i]) != own:
                encoded[i] = self._encode_apart(pieces)
            if control(encoded[i]) != own:
                raise ItemError(
                    i, f"found a text that {self.name} cannot tell from control tokens, expected one without them"
                )
        return encoded

    def _encode_apart(self, pieces):
        """Token ids of template and texts (by turns) where a text contains what would become a control token.

        The template's own control tokens are put in by number. A text's are cut behind their first character: what is
        encoded is then only ever text.
        """
        added = self._added_tokens()
        split = re.compile("(" + "|".join(map(re.escape, sorted(added, key=len, reverse=True))) + ")")
        ids, text = [], ""
        for i, piece in enumerate(pieces):
            for j, part in enumerate(split.split(piece)):
                if j % 2 == 0:
                    text += part
                elif i % 2 == 0:
                    ids += [*self._plain_ids(text), added[part]]
                    text = ""
                else:
                    ids += self._plain_ids(text + part[0])
                    text = part[1:]
        return ids + self._plain_ids(text)

    def _plain_ids(self, text):
        return self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]

    def _added_tokens(self):
        return self.tokenizer.get_added_vocab()

    # ---- Scores ----

    def log_ratios(self, prompts: list, answers: tuple, batch_size="auto") -> Iterator:
        """log p(first answer | prompt) - log p(second answer | prompt), in nats, by one forward pass per prompt.

        Args:
            prompts: from `prompts`.
            answers: from `answers`.
            batch_size: prompts in one forward pass, or "auto".

        Yields:
            (index of the prompt, float) in the order in which they are computed: the longest first.
        """
        common, first, second = answers
        rows = [prompt + common for prompt in prompts]
        if len(first) == len(second) == 1:
            last = [range(len(row) - 1, len(row)) for row in rows]
            for i, logits in self._logits(rows, last, batch_size, only=[first[0], second[0]]):
                yield i, float(logits[0, 0] - logits[0, 1])
            return
        # Several tokens: the chain rule, both answers of a prompt as two rows.
        pending = {}
        both = [row + answer for row in rows for answer in (first, second)]
        for i, value in self._log_likelihoods(both, [len(row) for row in rows for _ in range(2)], batch_size):
            pending[i] = value
            if i ^ 1 in pending:
                yield i // 2, pending[i & ~1] - pending[i | 1]

    def sentence_log_likelihoods(self, texts: list, batch_size="auto") -> list:
        """log p of each text's tokens, in nats, after the beginning-of-sequence token if the tokenizer has one.

        Without such a token the first one cannot be predicted and does not count; a text with none to predict has 0.
        """
        start = [self.tokenizer.bos_token_id] if self.tokenizer.bos_token_id is not None else []
        rows = [start + self._plain_ids(text) for text in texts]
        values = [0.0] * len(rows)
        scored = [i for i, row in enumerate(rows) if len(row) > 1]
        for i, value in self._log_likelihoods([rows[i] for i in scored], [1] * len(scored), batch_size):
            values[scored[i]] = value
        return values

    def _log_likelihoods(self, rows, starts, batch_size):
        """Yield (index, log p of the row's tokens from its start on)."""
        import torch

        wanted = [range(start - 1, len(row) - 1) for row, start in zip(rows, starts)]
        for i, logits in self._logits(rows, wanted, batch_size):
            targets = torch.tensor(rows[i][starts[i] :], device=logits.device)
            yield i, float(torch.log_softmax(logits, dim=-1).gather(1, targets[:, None]).sum())

    # ---- Forward passes ----

    def _logits(self, rows, wanted, batch_size, only=None):
        """Yield (index, logits of the wanted positions of the row), float32, longest rows first.

        Args:
            rows: lists of token ids.
            wanted: for each row the positions whose logits are needed, a non-empty range.
            only: the tokens whose logits are needed; None is the whole vocabulary.
        """
        if not rows:
            return
        order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
        longest = len(rows[order[0]])
        config = self.model.config.get_text_config()
        windows = [getattr(config, name, None) for name in ("sliding_window", "attention_chunk_size")]
        window = min((w for w in windows if w), default=None)
        shared = min(_shared_length(rows), min(positions[0] for positions in wanted))
        with self._inference(only):
            packs = not (window and longest >= window) and self._packing_is_exact()
            prefix = rows[0][:shared] if packs else []
            cache = self._cache_of(prefix)
        forward = self._packed(len(prefix), cache) if packs else self._padded
        tokens = PACK_TOKENS.get(self.model.device.type, PACK_TOKENS["cpu"])

        def run(batch):
            with self._inference(only):  # not around the loop: the caller may use the model between two results
                return forward([rows[i] for i in batch], [wanted[i] for i in batch])

        def fitting(i):
            tail = len(rows[i]) - len(prefix)
            size = max(1, tokens // tail) if batch_size == "auto" else batch_size
            return min(size, max(1, (window - 1 - len(prefix)) // tail)) if packs and window else size

        yield from in_batches(order, fitting, run)
        self._kept = prefix, cache

    @contextmanager
    def _inference(self, only=None):
        """Inference and evaluation mode, with the rows of some tokens as the head, in float32; None leaves it whole."""
        import torch

        model = self.model
        with torch.inference_mode(), LOCK:
            head, training = model.get_output_embeddings(), model.training
            if only is not None:
                if head.weight.device.type == "meta":  # accelerate keeps it on disk or in main memory
                    raise NotImplementedError(
                        f"the head of {self.name} is offloaded; use a model that fits into memory"
                    )
                model.set_output_embeddings(_rows_of(head, only))
            model.eval()
            try:
                yield
            finally:
                model.set_output_embeddings(head)
                model.train(training)

    def _padded(self, rows, wanted):
        """Logits of a right-padded batch: what follows a row's last token cannot change it, so no mask is needed."""
        import torch

        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=self.model.device)
        columns = sorted({position for positions in wanted for position in positions})
        keep = torch.tensor(columns, device=ids.device)
        logits = self.model(input_ids=ids, use_cache=False, logits_to_keep=keep).logits
        if logits.shape[1] != len(columns):  # some models (recurrent ones of transformers 4) give all positions
            logits = logits[:, keep]
        place = {column: k for k, column in enumerate(columns)}
        return [_wide(values[[place[p] for p in positions]]) for values, positions in zip(logits, wanted)]

    def _cache_of(self, prefix):
        """Keys and values of a prefix, None for an empty one; what the last one began with is not computed again.

        Whoever asks has them alone, until the next may have them as `_kept`.
        """
        import torch

        (known, cache), self._kept = self._kept, ([], None)
        n = _shared_length([known, prefix])
        if n == 0:
            cache = None
        elif n < len(known):
            cache.crop(n - len(known))
        if n < len(prefix):
            ids = torch.tensor([prefix[n:]], device=self.model.device)
            cache = self.model(input_ids=ids, past_key_values=cache, use_cache=True, logits_to_keep=1).past_key_values
        return cache

    def _packed(self, n, cache):
        """A function like `_padded` for rows that begin with n tokens whose keys and values are in the cache.

        What follows the prefix is laid out one row behind the other in a single sequence. The mask lets each token see
        the prefix and its own row; the positions are those it has in its row.
        """
        import torch

        model, device = self.model, self.model.device

        def forward(rows, wanted):
            tails = [row[n:] for row in rows]
            lengths = [len(tail) for tail in tails]
            starts = list(accumulate(lengths, initial=0))[:-1]
            owner = torch.arange(len(tails), device=device).repeat_interleave(torch.tensor(lengths, device=device))
            positions = n + torch.arange(len(owner), device=device) - torch.tensor(starts, device=device)[owner]
            own = (owner[:, None] == owner).tril()
            visible = torch.cat([own.new_ones(len(owner), n), own], dim=1)
            mask = torch.zeros(visible.shape, dtype=model.dtype, device=device)
            mask.masked_fill_(~visible, torch.finfo(model.dtype).min)
            columns = [start + p - n for start, wants in zip(starts, wanted) for p in wants]
            try:
                logits = model(
                    input_ids=torch.tensor([[token for tail in tails for token in tail]], device=device),
                    attention_mask=mask[None, None],
                    position_ids=positions[None],
                    past_key_values=cache,
                    use_cache=cache is not None,
                    logits_to_keep=torch.tensor(columns, device=device),
                ).logits[0]
            finally:
                if cache is not None and cache.get_seq_length() > n:
                    cache.crop(n - cache.get_seq_length())
            return list(_wide(logits).split([len(wants) for wants in wanted]))

        return forward

    def _packing_is_exact(self):
        """Whether packing gives the same on three short rows: some models (recurrent ones) ignore such a mask."""
        import torch

        if not hasattr(self.model, "_packing_is_exact"):
            size = self.model.get_input_embeddings().weight.shape[0]
            rows = [[(7 * i * i + k * i) % size for i in range(1, 12 + k)] for k in (1, 3, 5)]
            rows = [rows[0][:4] + row for row in rows]
            wanted = [range(len(row) - 1, len(row)) for row in rows]
            expected = torch.cat(self._padded(rows, wanted))
            try:
                for n in (2, 4):  # a prefix, and a longer one that begins with it
                    cache = self._cache_of(rows[0][:n])
                    self._kept = rows[0][:n], cache
                found = torch.cat(self._packed(4, cache)(rows, wanted))
                tolerance = torch.finfo(self.model.dtype).eps ** 0.5 * expected.abs().max()
                self.model._packing_is_exact = bool((found - expected).abs().max() <= tolerance)
            except torch.OutOfMemoryError:
                raise
            except (TypeError, ValueError, RuntimeError, AttributeError, NotImplementedError):
                self.model._packing_is_exact = False
        return self.model._packing_is_exact

    # ---- Generation ----

    def generate(self, prompts: list, max_new_tokens: int = 256, batch_size="auto") -> Iterator:
        """Greedy continuations up to the model's end of turn.

        Yields:
            (index of the prompt, text) as batches are done, longest prompts first; stripped, without control tokens.
        """
        import torch
        from transformers import GenerationConfig

        pad = next((p for p in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id) if p is not None), 0)
        ends = self.model.generation_config.eos_token_id
        settings = GenerationConfig(
            max_new_tokens=max_new_tokens, do_sample=False, num_beams=1, pad_token_id=pad, eos_token_id=ends
        )  # not the checkpoint's, which may have penalties
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
                    )
                finally:
                    self.model.generation_config = usual
            return [text.strip() for text in self.tokenizer.batch_decode(output[:, longest:], skip_special_tokens=True)]

        yield from in_batches(order, lambda i: 8 if batch_size == "auto" else batch_size, run)


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


def _rows_of(head, tokens):
    """A linear head with only these rows of another, in at least float32."""
    import torch

    class Rows(torch.nn.Linear):
        def forward(self, hidden):
            return super().forward(hidden.to(self.weight.device, self.weight.dtype))

    rows = Rows(head.weight.shape[1], len(tokens), bias=getattr(head, "bias", None) is not None, device="meta")
    rows.weight = torch.nn.Parameter(_wide(head.weight[tokens]), requires_grad=False)
    if rows.bias is not None:
        rows.bias = torch.nn.Parameter(_wide(head.bias[tokens]), requires_grad=False)
    return rows


def _wide(tensor):
    """The tensor in at least float32."""
    import torch

    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def _shared_length(rows) -> int:
    """Number of tokens that all rows begin with; the smallest and the largest row differ first."""
    low, high = min(rows), max(rows)
    return next((i for i, (a, b) in enumerate(zip(low, high)) if a != b), min(len(low), len(high)))
