"""How fluent a sentence is: log-likelihoods by trigrams of the sentences themselves, by KenLM, by a causal model."""

import math
import re
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from .tools import MissingTool

WORD = re.compile(r"(?:[^\W_]|['-])+|\S")
LM_BATCH = 16  # sentences in one forward pass


class Trigrams:
    """A trigram model of the sentences themselves: stupid backoff (Brants et al. 2007) over hashed counts.

    The counts are in three tables of fixed size, so that any number of sentences takes the same memory (50 MB).
    """

    ORDER, SIZE, BACKOFF = 3, 1 << 22, 0.4
    FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)

    def __init__(self):
        self.counts = np.zeros((self.ORDER, self.SIZE), dtype=np.uint32)
        self.total = 0
        self._waiting = []

    def add(self, sentence: str) -> None:
        """Count a sentence's words."""
        self._waiting.append(_words(sentence))
        if len(self._waiting) >= 10_000:
            self._count()

    def _count(self) -> None:
        if self._waiting:
            ids = self._ids(self._waiting)
            for n in range(self.ORDER):
                cells = self._cells(ids, n)[self.ORDER - 1 :]
                np.add.at(self.counts[n], cells, 1)
            self.total += sum(map(len, self._waiting))
            self._waiting = []

    def __call__(self, sentences: list[str]) -> list[float]:
        """Log-likelihood of each sentence in nats (up to stupid backoff's missing normalisation)."""
        self._count()
        if not sentences:
            return []
        words = list(map(_words, sentences))
        ids, sizes = self._ids(words), np.array([len(sentence) + self.ORDER for sentence in words])
        seen = [self.counts[n][self._cells(ids, n)].astype(float) for n in range(self.ORDER)]
        starts = np.cumsum(sizes) - sizes
        is_mark = np.zeros(len(ids), dtype=bool)
        for mark in range(self.ORDER - 1):
            is_mark[starts + mark] = True
        positions = np.flatnonzero(~is_mark)
        score = np.maximum(seen[0][positions], 0.1) / max(self.total, 1) * self.BACKOFF ** (self.ORDER - 1)
        for n in range(1, self.ORDER):
            context = np.maximum(seen[n - 1][positions - 1], 1)
            known = seen[n][positions] > 0
            share = np.minimum(seen[n][positions] / context, 1) * self.BACKOFF ** (self.ORDER - 1 - n)
            score = np.where(known, share, score)
        return np.add.reduceat(np.log(score), starts - (self.ORDER - 1) * np.arange(len(sizes))).tolist()

    def _ids(self, sentences: list[list[str]]) -> np.ndarray:
        """A number for each word, with marks for the sentences' beginnings and ends."""
        start, end = [1] * (self.ORDER - 1), [2]
        ids = [i for words in sentences for i in (*start, *(zlib.crc32(word.encode()) for word in words), *end)]
        return np.array(ids, dtype=np.uint64)

    def _cells(self, ids: np.ndarray, n: int) -> np.ndarray:
        """Cell in the table of (n + 1)-grams of the (n + 1)-gram that ends at each position."""
        mixed = np.zeros(len(ids), dtype=np.uint64)
        for back in range(n + 1):
            mixed[back:] = (mixed[back:] ^ ids[: len(ids) - back]) * self.FACTORS[back]
            mixed ^= mixed >> np.uint64(29)
        return (mixed % np.uint64(self.SIZE)).astype(np.int64)


def _words(sentence: str) -> list[str]:
    return WORD.findall(sentence.lower())


def kenlm_fluency(path: str | Path) -> Callable:
    """A KenLM model file (Heafield 2011), as in the paper."""
    try:
        import kenlm
    except ImportError as error:
        raise MissingTool("kenlm is not installed: pip install kenlm") from error
    model = kenlm.Model(str(path))
    return lambda sentences: [model.score(" ".join(_words(sentence))) * math.log(10) for sentence in sentences]


def causal_lm_fluency(name: str) -> Callable:
    """A causal language model, opened as parapluie opens a judge: of the Hub, a folder or a package, without its code.

    Raises:
        ValueError: it cannot be found or loaded.
    """
    from ..parapluie.judge_local import load  # here, because it takes torch

    model, tokenizer, _ = load(name)
    return partial(log_likelihoods, model, tokenizer)


def log_likelihoods(model, tokenizer, sentences: list[str]) -> list[float]:
    """log p of each sentence's tokens, in nats, after the beginning-of-sequence token if the tokenizer has one.

    Without such a token the first one cannot be predicted and does not count; a sentence with none to predict has 0.
    """
    start = [tokenizer.bos_token_id] if tokenizer.bos_token_id is not None else []
    encode = partial(tokenizer, add_special_tokens=False, split_special_tokens=True)  # text is no control token
    rows = [start + encode(sentence)["input_ids"] for sentence in sentences]
    order = sorted((i for i, row in enumerate(rows) if len(row) > 1), key=lambda i: -len(rows[i]))
    scores = [0.0] * len(rows)
    for first in range(0, len(order), LM_BATCH):
        batch = order[first : first + LM_BATCH]
        for i, score in zip(batch, _batch_log_likelihoods(model, [rows[i] for i in batch]), strict=True):
            scores[i] = score
    return scores


def _batch_log_likelihoods(model, rows: list[list[int]]) -> list[float]:
    """For rows of tokens, the longest first: padded on the right, where nothing can change what comes before."""
    import torch

    ids = torch.tensor([row + [0] * (len(rows[0]) - len(row)) for row in rows], device=model.device)
    with torch.inference_mode():
        log_probs = torch.log_softmax(model(input_ids=ids, use_cache=False).logits[:, :-1].float(), dim=-1)
    taken = log_probs.gather(2, ids[:, 1:, None].to(log_probs.device))[..., 0]
    return [float(row_probs[: len(row) - 1].sum()) for row, row_probs in zip(rows, taken, strict=True)]
