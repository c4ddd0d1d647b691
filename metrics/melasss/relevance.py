"""The default similarity: a regularised regression on the features of a pair, small enough to be read."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from huggingface_hub import ModelHubMixin
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import rankdata

from .agreement import agreement, groups_of, reported
from .common import is_number, shown
from .features import NAMES

# Products of two standardised features: a low support weighs otherwise where the wording is new, and so on.
PRODUCTS = (
    ("support", "novelty"),
    ("token_support", "novelty"),
    ("closeness", "novelty"),
    ("closeness", "words"),
    ("sentence_length", "sentence_length"),
)
TERMS = (*NAMES, *(f"{a} x {b}" for a, b in PRODUCTS))
RENAMED = {"told": "content_recall"}  # terms of heads that were saved before 0.3
LIMIT = 3.0  # standard deviations; what lies beyond counts as this
PENALTY = 50.0  # of the squared weights; between 30 and 100 little changes
FOLDS = 5


class Controls(NamedTuple):
    """Texts with summaries of other texts.

    Attributes:
        features: (c, len(NAMES)).
        texts, summaries: (c,) the documents they are of, numbered in order of first appearance.
    """

    features: np.ndarray
    texts: np.ndarray
    summaries: np.ndarray


class Regression(ModelHubMixin):
    """score = sigmoid(intercept + sum of contributions), one contribution for each term, in log-odds.

    A term is a feature in standard deviations from its mean, limited to +-3, or the product of two of them.

    Attributes:
        means, scales: of the features, by name.
        weights: of the terms, by name.
        intercept: float.
        aspect: what the ratings were about.
        encoder, encoder_revision, pooling: what made the vectors.
        width: of the vectors.
        report: how it was fitted and how well it agreed with ratings of documents it had not seen.
    """

    def __init__(
        self,
        means: dict,
        scales: dict,
        weights: dict,
        intercept: float,
        aspect: str,
        encoder: str,
        pooling: str,
        width: int,
        encoder_revision: str | None = None,
        report: dict | None = None,
        similarity: str = "regression",
    ):
        self.means, self.scales, self.weights = map(_renamed, (means, scales, weights))
        self.intercept = intercept
        self.aspect = aspect
        self.encoder = encoder
        self.pooling = pooling
        self.width = width
        self.encoder_revision = encoder_revision
        self.report = report or {}
        self.similarity = similarity
        for name, names in (("means", NAMES), ("scales", NAMES), ("weights", TERMS)):
            _check_table(name, getattr(self, name), names)
        if not is_number(intercept) or not isinstance(width, int):
            raise ValueError(
                f"head: found the intercept {shown(intercept)} and the width {shown(width)}, expected numbers"
            )

    def digest(self) -> str:
        """The first digits of a SHA-256 of the numbers, which tells the head from any other."""
        numbers = [self.means, self.scales, self.weights, self.intercept]
        return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:12]

    def contributions(self, features: np.ndarray) -> np.ndarray:
        """(n, len(TERMS)) what each term adds to the log-odds, from (n, len(NAMES)) features."""
        means, scales, weights = (
            np.array([table[name] for name in names])
            for table, names in ((self.means, NAMES), (self.scales, NAMES), (self.weights, TERMS))
        )
        return _terms(features, means, scales) * weights

    def scores(self, features: np.ndarray) -> np.ndarray:
        """(n,) scores in 0..1, from (n, len(NAMES)) features."""
        return expit(self.intercept + self.contributions(features).sum(axis=1))

    def _save_pretrained(self, save_directory):
        """All there is stands in config.json, which save_pretrained writes."""

    @classmethod
    def _from_pretrained(cls, *, model_id, revision, cache_dir, force_download, local_files_only, token, **values):
        of_older_versions = ("proxies", "resume_download")  # huggingface-hub below 1 passes them
        return cls(**{name: value for name, value in values.items() if name not in of_older_versions})


def _renamed(table):
    return {RENAMED.get(term, term): value for term, value in dict(table).items()}


def _check_table(name, table, names):
    if set(table) != set(names):
        odd = sorted(set(table) ^ set(names))
        raise ValueError(f"head: found other {name} than this version has: {', '.join(odd)}; expected the same")
    for term, value in table.items():
        if not is_number(value) or name == "scales" and value <= 0:
            raise ValueError(f"head: {name}: found {term}: {shown(value)}, expected a finite number")


def fit_regression(
    features: np.ndarray, ratings: np.ndarray, documents: Sequence, controls: Controls | None = None, **about
) -> Regression:
    """Fit a regression.

    Ridge on the ranks of the ratings (the correlation that counts is one of ranks), then the two numbers of a logistic
    curve that bring its output to the scale of the ratings.

    Args:
        features: (n, len(NAMES)).
        ratings: (n,) in 0..1.
        documents: n labels; what `report` says comes from folds that share no document.
        controls: pairs that count as rated 0, or None.
        about: aspect, encoder, pooling, width.
    """
    groups = groups_of(documents)
    report = {"pairs": len(ratings), "documents": len(groups), "controls": len(controls.features) if controls else 0}
    if len(groups) >= FOLDS:
        unseen = cross_validate(features, ratings, groups, controls)
        report |= reported("unseen", agreement(unseen, ratings, documents))
    fitted = _fitted(features, ratings, controls.features if controls else None)
    return Regression(**fitted, **about, report=report)


def cross_validate(
    features: np.ndarray,
    ratings: np.ndarray,
    groups: list,
    controls: Controls | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> np.ndarray:
    """(n,) scores of each document by a regression fitted on the other folds of documents, in text and in summary."""
    order = np.random.default_rng(seed).permutation(len(groups))
    scores = np.empty(len(ratings))
    for k in range(folds):
        others = [i for j in range(folds) if j != k for i in order[j::folds]]
        held, kept = (np.concatenate([groups[i] for i in chosen]) for chosen in (order[k::folds], others))
        if controls:
            apart = np.isin(controls.texts, others) & np.isin(controls.summaries, others)
        fitted = _fitted(features[kept], ratings[kept], controls.features[apart] if controls else None)
        scores[held] = Regression(**fitted, aspect="", encoder="", pooling="", width=0).scores(features[held])
    return scores


def _terms(features, means, scales):
    z = np.clip((features - means) / scales, -LIMIT, LIMIT)
    places = {name: i for i, name in enumerate(NAMES)}
    return np.hstack([z, *(z[:, [places[a]]] * z[:, [places[b]]] for a, b in PRODUCTS)])


def _fitted(features, ratings, controls):
    """Means, scales, weights and intercept."""
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales[scales == 0] = 1.0
    if controls is not None:
        features, ratings = np.vstack([features, controls]), np.append(ratings, np.zeros(len(controls)))
    terms = _terms(features, means, scales)
    centre = terms.mean(axis=0)
    ranks = rankdata(ratings)
    centred, target = terms - centre, (ranks - ranks.mean()) / (ranks.std() or 1.0)
    weights = np.linalg.solve(centred.T @ centred + PENALTY * np.eye(len(TERMS)), centred.T @ target)
    linear = centred @ weights

    def cross_entropy(line):
        logits = line[0] + line[1] * linear
        return np.mean(np.logaddexp(0, logits) - ratings * logits)

    offset, slope = minimize(cross_entropy, [0.0, 1.0]).x
    weights = slope * weights
    return {
        "means": dict(zip(NAMES, means.tolist())),
        "scales": dict(zip(NAMES, scales.tolist())),
        "weights": dict(zip(TERMS, weights.tolist())),
        "intercept": float(offset - centre @ weights),
    }
