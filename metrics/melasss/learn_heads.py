"""The two similarities of the paper that are learned (section 2.1, equations 2 and 3), and their training.

The classes get torch's module and the Hub's methods when they are first asked for (`head_classes`), so that the metric
loads without torch.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .common import argument, input_error, progress
from .learn_agreement import agreement, groups_of, reported
from .terms_pair import Side

if TYPE_CHECKING:
    from torch.nn import Module
else:
    Module = object

HIDDEN = (512, 256)
ATTENTION_HEADS = 4
AGGREGATIONS = ("max", "avg")


class Head(Module):
    """What both have: a perceptron width -> 512 -> 256 -> 1 with ReLU, and what they were trained for.

    Its forward pass takes a batch: sentence vectors of B texts (B, n, width) and summaries (B, m, width), with masks
    (B, n) and (B, m) that are True where there is a sentence; it gives (B,) scores.
    """

    def __init__(self, width, aspect="relevance", encoder="", encoder_revision=None, pooling="mean", report=None):
        from torch import nn

        super().__init__()
        self.width, self.aspect, self.report = width, aspect, report or {}
        self.encoder, self.encoder_revision, self.pooling = encoder, encoder_revision, pooling
        first, second = HIDDEN
        self.mlp = nn.Sequential(
            nn.Linear(width, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(), nn.Linear(second, 1)
        )

    @classmethod
    def _load_as_pickle(cls, *_):
        raise input_error(argument("head"), "weights saved as a pickle", "weights in model.safetensors")

    @classmethod
    def _from_pretrained(cls, **options):
        # By default what a file lacks would be left random; older hubs leave dropout on.
        return super()._from_pretrained(**{**options, "strict": True}).eval()

    def scores(self, pairs) -> np.ndarray:
        """(n,) scores of pairs, each by itself."""
        from torch import inference_mode

        with inference_mode():
            return np.array([float(self(*_batch([pair.text], [pair.summary], self.device))[0]) for pair in pairs])

    def digest(self) -> str:
        """The first digits of a SHA-256 of the weights, which tells the head from any other."""
        digest = hashlib.sha256(getattr(self, "aggregation", "").encode())
        for name, weights in self.state_dict().items():
            digest.update(name.encode() + weights.cpu().numpy().tobytes())
        return digest.hexdigest()[:12]

    @property
    def device(self):
        return self.mlp[0].weight.device


class AttentionHead(Head):
    """Equation 2: sum over i of alpha_i max_j cos(z_T,i, z_R,j), alpha the softmax of mlp(z_T,i); in -1..1."""

    def __init__(self, width, similarity="attention", **about):
        super().__init__(width, **about)
        self.similarity = similarity

    def forward(self, text, text_mask, summary, summary_mask):
        from torch.nn.functional import normalize

        cosines = normalize(text, dim=-1) @ normalize(summary, dim=-1).transpose(1, 2)
        covered = cosines.masked_fill(~summary_mask[:, None], -1.0).amax(dim=2)
        return (self.alpha(text, text_mask) * covered).sum(dim=1)

    def alpha(self, text, text_mask):
        """(B, n) weights of the text's sentences."""
        return self.mlp(text).squeeze(-1).masked_fill(~text_mask, -np.inf).softmax(dim=1)

    def weights(self, side: Side) -> np.ndarray:
        """(n,) weights of a text's sentences, adding up to 1."""
        from torch import inference_mode

        with inference_mode():
            text, mask = _padded([side], self.device)
            return self.alpha(text, mask)[0].cpu().numpy()


class TransformerHead(Head):
    """Equation 3: sigmoid(mlp(pooling of z')), z' the sentences of text and summary after one transformer layer.

    As written nothing tells the two apart; with marked=True a learned vector for each side is added to its sentences
    first.
    """

    def __init__(self, width, similarity="transformer", aggregation="max", marked=False, **about):
        import torch

        super().__init__(width, **about)
        if width % ATTENTION_HEADS:
            expected = f"a multiple of {ATTENTION_HEADS}, the attention heads of the paper"
            raise input_error("similarity transformer", f"an encoder of width {width}", expected)
        self.similarity, self.aggregation = similarity, aggregation
        self.layer = torch.nn.TransformerEncoderLayer(width, ATTENTION_HEADS, batch_first=True)
        self.sides = torch.nn.Parameter(torch.zeros(2, width)) if marked else None

    def forward(self, text, text_mask, summary, summary_mask):
        import torch

        if self.sides is not None:
            text, summary = text + self.sides[0], summary + self.sides[1]
        mask = torch.cat([text_mask, summary_mask], dim=1)
        states = self.layer(torch.cat([text, summary], dim=1), src_key_padding_mask=~mask)
        if self.aggregation == "max":
            pooled = states.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
        else:
            pooled = states.masked_fill(~mask[..., None], 0).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return self.mlp(pooled).squeeze(-1).sigmoid()


@cache
def head_classes() -> dict[str, Any]:
    """{"attention": the class of equation 2, "transformer": that of equation 3}, torch modules with the Hub's methods.

    A head is one of these; the classes above are what is theirs alone.
    """
    from huggingface_hub import PyTorchModelHubMixin
    from torch.nn import Module

    kinds = {"attention": AttentionHead, "transformer": TransformerHead}
    return {name: type(kind.__name__, (kind, Module, PyTorchModelHubMixin), {}) for name, kind in kinds.items()}


def _padded(sides, device):
    """(B, n, width) vectors of several texts, and (B, n) True where there is a sentence."""
    import torch

    vectors = [torch.from_numpy(side.vectors) for side in sides]
    lengths = torch.tensor([len(v) for v in vectors])
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    return torch.nn.utils.rnn.pad_sequence(vectors, batch_first=True).to(device), mask.to(device)


def _batch(texts, summaries, device):
    return *_padded(texts, device), *_padded(summaries, device)


def train(pairs: list, ratings: np.ndarray, documents: Sequence, options, device: str = "cpu", **about):
    """Train a head on ratings (n, in 0..1) of n pairs by mean squared error, until documents held out get no better.

    documents: n labels; a fifth of the documents is held out for early stopping. options: those of `learn_fit.fit`,
    with similarity "attention" or "transformer". about: width and the other arguments of the class.

    The head is that of its best epoch; its `report` has pairs, documents, epochs, best_epoch, loss and validation_loss
    there, and the agreement with the ratings of the held-out documents, on which the epoch was chosen.
    """
    import torch

    seed, batch_size, learning_rate = options.seed, options.batch_size, options.learning_rate
    groups = groups_of(documents)
    order = np.random.default_rng(seed).permutation(len(groups))
    held = np.concatenate([groups[i] for i in order[: max(1, len(groups) // 5)]])
    kept = np.setdiff1d(np.arange(len(pairs)), held)
    targets = torch.tensor(ratings, dtype=torch.float32, device=device)
    cuda = [torch.device(device)] if torch.device(device).type == "cuda" else []
    with torch.random.fork_rng(devices=cuda):
        torch.manual_seed(seed)
        head = head_classes()[options.similarity](**about).to(device)
        optimizer = torch.optim.AdamW(head.parameters(), lr=learning_rate)

        def loss_of(indices):
            chosen = [pairs[i] for i in indices]
            scores = head(*_batch([pair.text for pair in chosen], [pair.summary for pair in chosen], device))
            return torch.nn.functional.mse_loss(scores, targets[torch.as_tensor(indices, device=device)])

        def mean_loss(indices):
            head.eval()
            with torch.no_grad():
                return sum(float(loss_of(b)) * len(b) for b in _cut(indices, batch_size)) / len(indices)

        best = {"validation_loss": float("inf")}
        with progress(range(1, options.epochs + 1), desc="training", unit="epoch") as bar:
            for epoch in bar:
                head.train()
                for indices in _cut(kept[torch.randperm(len(kept)).numpy()], batch_size):
                    optimizer.zero_grad()
                    loss_of(indices).backward()
                    optimizer.step()
                validation_loss = mean_loss(held)
                bar.set_postfix(validation_loss=validation_loss)
                if not np.isfinite(validation_loss):
                    found = f"{learning_rate!r}, with which training diverged"
                    raise input_error(argument("learning_rate"), found, "a lower rate")
                if validation_loss < best["validation_loss"]:
                    best = {"best_epoch": epoch, "loss": mean_loss(kept), "validation_loss": validation_loss}
                    state = {name: value.clone() for name, value in head.state_dict().items()}
                if epoch - best["best_epoch"] >= options.patience:
                    break
        head.load_state_dict(state)
        unseen = agreement(head.eval().scores([pairs[i] for i in held]), ratings[held], [documents[i] for i in held])
        report = {"pairs": len(pairs), "documents": len(groups), "seed": seed, "epochs": epoch, **best}
        report |= reported("validation", unseen)
        trained = head_classes()[options.similarity](**about, report=report).to(device)  # the report is kept with it
    trained.load_state_dict(state)
    return trained.eval()


def _cut(indices, size):
    return [indices[start : start + size] for start in range(0, len(indices), size)]
