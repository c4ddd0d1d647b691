"""MiniLM in numpy: a BERT encoder and its tokenizer, without torch and transformers.

The numbers are those of transformers' BertModel to about 3e-6 (tests/common/test_bert.py). Sentences are not padded:
the tokens of a batch stand one after another, and only attention looks at where each begins.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import accumulate, chain, groupby
from pathlib import Path
from shutil import which
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

# tanh(x P(x²)) is erf(x / √2): a minimax fit on [-6, 6], by which GELU errs by less than 1e-6 in float32; numpy has no
# erf, and scipy's takes ten times as long.
ERF = tuple(
    np.float32(c)
    for c in (0.79788427, 0.036334149, -3.3026733e-05, -5.5273377e-05, 3.9740695e-06, -1.3378312e-07, 1.8139255e-09)
)
ERF_END, HALF = np.float32(6), np.float32(0.5)
BATCH_TOKENS, BATCHES = 1024, 8  # more tokens at once are slower; batches for each of several threads to choose from
STRIP = 64  # tokens whose hidden layer GELU takes at once: what a cache holds
GPU_FILES = ("/dev/nvidiactl", "/dev/kfd", "/dev/dri", "/dev/dxg")  # drivers of NVIDIA, AMD, Intel, and of WSL


def in_numpy(device: str = "auto", dtype: str = "auto") -> bool:
    """Whether MiniLM runs here: neither a device nor a precision is asked for, and torch would find no GPU.

    torch is imported to be asked only where it is already, or where there are signs of a GPU.
    """
    if device != "auto" or dtype != "auto":
        return False
    if "torch" not in sys.modules:
        signs = sys.platform == "darwin" or which("nvidia-smi") or any(map(os.path.exists, GPU_FILES))
        if not signs or find_spec("torch") is None:
            return True
    try:
        import torch

        return not torch.accelerator.is_available()
    except (ImportError, OSError, AttributeError):  # it is broken, or older than what this project takes
        return True


# ---- Tokens ----


class Tokenizer:
    """The text of a tokenizer.json, called as a tokenizer of transformers; what looks like a control token is text."""

    def __init__(self, text: str, window: int):
        import tokenizers

        self.own = tokenizers.Tokenizer.from_str(text)
        self.own.no_padding()
        self.own.no_truncation()
        self.own.encode_special_tokens = True
        self.model_max_length = window
        added = self.own.get_added_tokens_decoder()
        self.added = {token.content: i for i, token in added.items()}
        self.unk_token_id, self.pad_token_id = self.added["[UNK]"], self.added["[PAD]"]

    def __reduce__(self):  # its own way forgets encode_special_tokens
        return Tokenizer, (self.own.to_str(), self.model_max_length)

    def get_added_vocab(self) -> dict[str, int]:
        return self.added

    def __call__(self, texts: list, pairs: list | None = None, add_special_tokens: bool = True, **_) -> dict[str, list]:
        """{"input_ids": ..., "token_type_ids": ...} of each text, or of each text with its pair."""
        inputs = texts if pairs is None else list(zip(texts, pairs, strict=True))
        encoded = self.own.encode_batch_fast(inputs, add_special_tokens=add_special_tokens)
        return {"input_ids": [e.ids for e in encoded], "token_type_ids": [e.type_ids for e in encoded]}

    def decode(self, ids: list) -> str:
        return self.own.decode(ids, skip_special_tokens=False)


# ---- The encoder ----


class Linear(NamedTuple):
    """x W + b."""

    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x):
        y = x @ self.weight
        y += self.bias
        return y

    @classmethod
    def of(cls, weights: dict[str, np.ndarray], name: str) -> "Linear":
        """From the weights of torch's Linear, which are (outputs, inputs)."""
        return cls(weights[f"{name}.weight"].T, weights[f"{name}.bias"])


class Norm(NamedTuple):
    """Layer normalisation, in place."""

    weight: np.ndarray
    bias: np.ndarray
    epsilon: np.float32

    @classmethod
    def of(cls, weights: dict[str, np.ndarray], name: str, epsilon: np.float32) -> "Norm":
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"], epsilon)

    def __call__(self, x):
        x -= x.mean(-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1])
        x /= np.sqrt(variance + self.epsilon)[:, None]
        x *= self.weight
        x += self.bias
        return x


class Layer(NamedTuple):
    """What one layer has learnt; the queries' part of `inputs` is divided by √d already."""

    inputs: Linear  # to queries, keys and values
    output: Linear
    attended: Norm
    first: Linear
    second: Linear
    final: Norm


class Run(NamedTuple):
    """Rows of the same length, one after another: where they begin, how many they are, their length."""

    start: int
    n_rows: int
    length: int


class Config(SimpleNamespace):
    """A configuration as transformers has it."""

    def get_text_config(self):
        return self


class Bert:
    """A BERT encoder with weights in float32, as `config` describes it.

    Attributes:
        config: of a model of transformers, with its names.
        dtype: as a model of torch has it.
    """

    dtype = "torch.float32"

    def __init__(self, config: dict[str, Any], weights: dict[str, np.ndarray]):
        if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
            raise ValueError(f"found {config['model_type']!r} with {config['hidden_act']!r}, expected BERT with GELU")
        self.config = Config(**config)
        self.heads, self.width = config["num_attention_heads"], config["hidden_size"]
        tables = ("word", "position", "token_type")
        self.words, self.positions, self.types = (weights[f"embeddings.{name}_embeddings.weight"] for name in tables)
        epsilon = np.float32(config["layer_norm_eps"])
        self.embedded = Norm.of(weights, "embeddings.LayerNorm", epsilon)
        self.layers = [self._layer(weights, f"encoder.layer.{i}.", epsilon) for i in range(config["num_hidden_layers"])]

    def _layer(self, weights, name, epsilon) -> Layer:
        parts = [Linear.of(weights, f"{name}attention.self.{part}") for part in ("query", "key", "value")]
        scale = np.float32((self.width // self.heads) ** -0.5)
        parts[0] = Linear(parts[0].weight * scale, parts[0].bias * scale)
        return Layer(
            Linear(np.concatenate([part.weight.T for part in parts]).T, np.concatenate([part.bias for part in parts])),
            Linear.of(weights, name + "attention.output.dense"),
            Norm.of(weights, name + "attention.output.LayerNorm", epsilon),
            Linear.of(weights, name + "intermediate.dense"),
            Linear.of(weights, name + "output.dense"),
            Norm.of(weights, name + "output.LayerNorm", epsilon),
        )

    @property
    def batch_tokens(self) -> int:
        """How many tokens of rows are best asked for at once."""
        n = n_threads()
        return BATCH_TOKENS * (1 if n == 1 else n * BATCHES)

    def states(self, rows: Sequence, types: Sequence | None = None, first: bool = False) -> list[np.ndarray]:
        """The last layer's states of each row of token ids: (its length, width); the longest rows first.

        Args:
            types: of each token of each row, 0 in the first text and 1 in the second; None: all 0.
            first: of each row only the first token's: (1, width), in less time.
        """
        if not rows:
            return []
        types = [[0] * len(row) for row in rows] if types is None else types
        batches, n = _batches([len(row) for row in rows]), n_threads()

        def run(batch):
            return self._states(rows[batch], types[batch], first)

        if n == 1 or len(batches) == 1:
            return list(chain.from_iterable(map(run, batches)))
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(n) as pool:
            return list(chain.from_iterable(pool.map(run, batches)))

    def _states(self, rows, types, first):
        lengths = [len(row) for row in rows]
        starts = [0, *accumulate(lengths)]
        x = self.words[np.concatenate(rows)]
        x += self.positions[np.concatenate([np.arange(length) for length in lengths])]
        x += self.types[np.concatenate(types)]
        self.embedded(x)
        runs = list(_runs(lengths))
        for layer in self.layers[:-1] if first else self.layers:
            qkv = layer.inputs(x)
            context = np.empty_like(x)
            for run in runs:
                queries, keys, values = self._by_head(qkv, run)
                _attend(queries, keys, values, out=self._by_head(context, run)[0])
            x = self._after_attention(layer, context, x)
        if not first:
            return [x[start:end] for start, end in zip(starts[:-1], starts[1:], strict=True)]
        return list(self._last_of_first(x, runs, starts[:-1])[:, None])

    def _last_of_first(self, x, runs, starts):
        """The last layer for the first tokens alone, which look at all others: (rows, width)."""
        layer, width = self.layers[-1], self.width
        weight, bias = layer.inputs
        keys_values = Linear(weight[:, width:], bias[width:])(x)
        x = x[starts]
        queries = Linear(weight[:, :width], bias[:width])(x)
        context, done = np.empty_like(x), 0
        for run in runs:
            keys, values = self._by_head(keys_values, run)
            own = Run(done, run.n_rows, 1)
            _attend(self._by_head(queries, own)[0], keys, values, out=self._by_head(context, own)[0])
            done += run.n_rows
        return self._after_attention(layer, context, x)

    def _by_head(self, x, run):
        """Queries, keys and values, or some of them, of a run: each (rows, heads, length, width of a head)."""
        rows = x[run.start : run.start + run.n_rows * run.length]
        return rows.reshape(run.n_rows, run.length, -1, self.heads, self.width // self.heads).transpose(2, 0, 3, 1, 4)

    def _after_attention(self, layer, context, x):
        """The rest of a layer, token by token."""
        y = layer.output(context)
        y += x
        layer.attended(y)
        hidden = layer.first(y)
        for start in range(0, len(hidden), STRIP):
            gelu(hidden[start : start + STRIP])
        x = layer.second(hidden)
        x += y
        return layer.final(x)


def gelu(x: np.ndarray) -> np.ndarray:
    """GELU, in place: x (1 + erf(x / √2)) / 2."""
    clipped = np.clip(x, -ERF_END, ERF_END)
    square = clipped * clipped
    p = square * ERF[-1]
    for coefficient in ERF[-2:0:-1]:
        p += coefficient
        p *= square
    p += ERF[0]
    p *= clipped
    np.tanh(p, out=p)
    p += 1
    x *= p
    x *= HALF
    return x


def _attend(queries, keys, values, out):
    """softmax(queries keysᵀ) values, for each row and head; the scores are (keys, queries): numpy adds up rows fast."""
    scores = np.matmul(keys, queries.swapaxes(-1, -2))
    scores -= scores.max(-2, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-2, keepdims=True)
    np.matmul(scores.swapaxes(-1, -2), values, out=out)


def _runs(lengths) -> Iterator[Run]:
    start = 0
    for length, same in groupby(lengths):
        count = len(list(same))
        yield Run(start, count, length)
        start += count * length


def n_threads() -> int:
    """How many threads numpy's BLAS may use, which its environment variables say; 1 without threadpoolctl."""
    if find_spec("threadpoolctl") is None:
        return 1
    from threadpoolctl import threadpool_info

    allowed = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return min(max(allowed, default=1), os.cpu_count() or 1)


def _batches(lengths) -> list[slice]:
    """Runs of rows of at most `BATCH_TOKENS` together, or one."""
    starts, tokens = [0], 0
    for i, length in enumerate(lengths):
        if tokens and tokens + length > BATCH_TOKENS:
            starts.append(i)
            tokens = 0
        tokens += length
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(lengths)], strict=True)]


# ---- Files ----


def open_bert(files: dict[str, Path]) -> tuple[Bert, Tokenizer]:
    """An encoder and its tokenizer, from config.json, model.safetensors and tokenizer.json."""
    from safetensors.numpy import load_file

    config = json.loads(files["config.json"].read_text(encoding="utf-8"))
    return Bert(config, load_file(files["model.safetensors"])), open_tokenizer(files, config)


def open_tokenizer(files: dict[str, Path], config: dict[str, Any]) -> Tokenizer:
    """The tokenizer of a model with this configuration."""
    return Tokenizer(files["tokenizer.json"].read_text(encoding="utf-8"), config["max_position_embeddings"])
