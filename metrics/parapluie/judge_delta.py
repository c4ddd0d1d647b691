"""The small judge's kind of classifier: MiniLM, and what was learned on top of it, in numpy or in torch.

`config.json` names the encoder as `delta_of`; `delta.safetensors` has what was learned: matrices in four bits.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from .common_bert import Bert, Linear, Tokenizer, open_tokenizer

BASE, DELTA = "delta_of", "delta.safetensors"
SCALE, LARGEST, GROUP = ".scale", 7, 64  # the scales' names, the largest level, weights for one scale


class PairBert(Bert):
    """A BERT encoder with the pooler and the head of transformers' BertForSequenceClassification."""

    def __init__(self, config: dict[str, Any], weights: dict[str, np.ndarray]):
        own = {name.removeprefix("bert."): weight for name, weight in weights.items()}
        super().__init__(config, own)
        self.config.id2label = {int(i): label for i, label in config["id2label"].items()}
        self.pooler, self.classifier = Linear.of(own, "pooler.dense"), Linear.of(own, "classifier")

    def log_probs(self, rows: list, types: list) -> np.ndarray:
        """Natural log-probabilities of the labels for rows of token ids, the longest first: (rows, labels)."""
        first = np.concatenate(self.states(rows, types, first=True))
        logits = self.classifier(np.tanh(self.pooler(first)))
        logits -= logits.max(-1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def open_in_numpy(files: dict[str, Path], folder: Path) -> tuple[PairBert, Tokenizer]:
    """The classifier and its tokenizer; arguments as of `read_delta`."""
    config, weights = read_delta(files, folder)
    return PairBert(config, weights), open_tokenizer(files, config)


def open_in_torch(files: dict[str, Path], folder: Path, dtype: str) -> tuple:
    """The same as a model of transformers, in a dtype by its name; "auto" is float32."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    config, weights = read_delta(files, folder)
    with torch.random.fork_rng():  # the numbers that a new model draws are none of the user's
        model = BertForSequenceClassification(BertConfig.from_dict(config))
    model.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    model = model if dtype == "auto" else model.to(getattr(torch, dtype))
    return model, AutoTokenizer.from_pretrained(files["tokenizer.json"].parent)


def read_delta(files: dict[str, Path], folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The configuration of a classifier and its weights: the encoder's, plus what was learned; its head is all its own.

    files: the encoder's config.json and model.safetensors; folder: where the classifier's config.json and
    delta.safetensors are. ValueError if the delta lacks weights, which would stay as they are (only tables of
    embeddings may be the encoder's), or has others, or some of another shape.
    """
    from safetensors.numpy import load_file

    own, shape = (json.loads(place.read_text("utf-8")) for place in (folder / "config.json", files["config.json"]))
    config = {"id2label": {0: "LABEL_0", 1: "LABEL_1"}, **own, **shape}
    encoder = load_file(files["model.safetensors"])
    weights = {f"bert.{name}": weight for name, weight in encoder.items() if weight.dtype.kind == "f"}
    n_labels = len(config["id2label"])
    weights["classifier.weight"] = np.zeros((n_labels, config["hidden_size"]), np.float32)
    weights["classifier.bias"] = np.zeros(n_labels, np.float32)
    delta = load_file(folder / DELTA)
    missing = sorted(name for name in weights.keys() - delta if not name.endswith("_embeddings.weight"))
    unknown = sorted({name.removesuffix(SCALE) for name in delta} - weights.keys())
    if missing or unknown:
        raise ValueError(
            f"found {DELTA} with {len(missing)} weights missing and {len(unknown)} that the model does not have, such "
            f"as {(missing + unknown)[0]!r}"
        )
    for name in weights.keys() & delta.keys():
        learned = delta[name]
        if name + SCALE in delta:
            learned = unpacked(learned, delta[name + SCALE]).reshape(weights[name].shape)
        if learned.shape != weights[name].shape:
            raise ValueError(f"found {DELTA} with {name!r} of shape {learned.shape}, expected {weights[name].shape}")
        weights[name] = weights[name] + learned
    return config, weights


def unpacked(levels: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Weights of four bits, two in a byte, with a scale for each `GROUP` of them: a flat float32 array."""
    numbers = np.stack([levels & 15, levels >> 4], 1).astype(np.int8)
    numbers = np.where(numbers > LARGEST, numbers - 16, numbers)
    return (numbers.reshape(-1, GROUP).astype(np.float32) * scale.astype(np.float32)[:, None]).ravel()
