"""The default similarity: a regularised regression on the terms of a pair, small enough to be read."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from huggingface_hub import ModelHubMixin
from scipy.special import expit

from .common import argument, input_error, is_number, short_repr
from .learn_agreement import agreement, groups_of, reported
from .terms_pair import Pair
from .terms_table import ASPECTS, NAMES, TERMS
from .text_sentences import words

PENALTY = 0.1  # of the squared weights; between 0.02 and 0.3 little changes
FOLDS = 5
FAR = np.log(8.0)  # so much longer than the middle, or three standard deviations, is unlike what was rated
SPREAD = 3.0
SIDES = frozenset(("summary", "text"))
# What from_pretrained passes on; the last two come from huggingface-hub below 1.
OF_THE_HUB = frozenset(
    "model_id revision cache_dir force_download local_files_only token proxies resume_download".split()
)


class Rated(NamedTuple):
    """A collection of rated summaries."""

    features: np.ndarray  # (n, len(NAMES))
    ratings: np.ndarray  # (n,) in 0..1
    documents: Sequence  # n labels that tell which summaries share a text

    def take(self, indices) -> "Rated":
        """Some of the examples."""
        return Rated(self.features[indices], self.ratings[indices], [self.documents[i] for i in indices])


class Regression(ModelHubMixin):
    """score = sigmoid(intercept + sum of contributions).

    A contribution is a weight times a term in standard deviations from its mean, in log-odds; weights, means and scales
    are by the terms' names. aspect: what the ratings were about; longest: {"summary": words, "text": words}, what is
    longer is unlike anything that was rated; encoder, encoder_revision, pooling, width: of the vectors; report: how it
    was fitted and how well it agreed with ratings of documents it had not seen.
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
        longest: dict | None = None,
        encoder_revision: str | None = None,
        report: dict | None = None,
        similarity: str = "regression",
    ):
        for name, table in (("means", means), ("scales", scales), ("weights", weights)):
            _check_table(name, table, positive=name == "scales")
        missing = sorted(set(weights) - set(means) | set(weights) - set(scales))
        if missing:
            raise input_error(argument("head"), f"no mean or scale of {', '.join(missing)}", "both for each term")
        if not is_number(intercept) or not isinstance(width, int):
            found = f"the intercept {short_repr(intercept)} and the width {short_repr(width)}"
            raise input_error(argument("head"), found, "numbers")
        sides = longest or {}
        if not isinstance(sides, dict) or sides.keys() - SIDES or not all(map(is_number, sides.values())):
            raise input_error("head: longest", short_repr(longest), "numbers of words, {'summary': n, 'text': n}")
        # One order, however it was saved: sums depend on it in the last digit.
        self.terms = tuple(name for name in TERMS if name in weights)
        self.means, self.scales, self.weights = (
            {name: table[name] for name in self.terms} for table in (means, scales, weights)
        )
        self.longest, self.intercept, self.aspect, self.similarity = sides, intercept, aspect, similarity
        self.encoder, self.encoder_revision, self.pooling, self.width = encoder, encoder_revision, pooling, width
        self.report = report or {}

    @property
    def needs_whole_text(self) -> bool:
        """Whether a term looks at vectors after a text's beginning."""
        return any(TERMS[name].whole for name in self.terms)

    def digest(self) -> str:
        """The first digits of a SHA-256 of the numbers, which tells the head from any other."""
        numbers = [self.means, self.scales, self.weights, self.intercept]
        return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:12]

    def contributions(self, features: np.ndarray) -> np.ndarray:
        """(n, number of terms) what each term adds to the log-odds, from (n, number of terms)."""
        means, scales, weights = (np.array(list(t.values())) for t in (self.means, self.scales, self.weights))
        return (np.asarray(features, float) - means) / scales * weights

    def scores(self, features: np.ndarray) -> np.ndarray:
        """(n,) scores in 0..1, from (n, number of terms)."""
        return expit(self.intercept + self.contributions(features).sum(axis=1))

    def is_far(self, pair: Pair) -> bool:
        """Whether text or summary is much longer than what was rated."""
        return any(len(getattr(pair, side).flat_words) > most for side, most in self.longest.items())

    def _save_pretrained(self, save_directory):
        """All there is stands in config.json, which save_pretrained writes."""

    @classmethod
    def _from_pretrained(cls, **values):
        """From what config.json says, which from_pretrained has read, without what is the Hub's."""
        return cls(**{name: value for name, value in values.items() if name not in OF_THE_HUB})


def _check_table(name, table, positive):
    odd = sorted(set(table) - set(TERMS))
    if odd or not table:
        expected = f"{name} of some of {', '.join(TERMS)}. A head of an earlier version has to be fitted again"
        raise input_error(argument("head"), f"{name} of {', '.join(odd) or 'no term'}", expected, but="; ")
    for term, value in table.items():
        if not is_number(value) or positive and value <= 0:
            raise input_error(f"head: {name}", f"{term}: {short_repr(value)}", "a finite number, positive for a scale")


def longest(texts: list) -> float:
    """In words: what is longer than this is unlike these texts, lists of sentences."""
    logs = np.log([max(sum(len(words(sentence)) for sentence in text), 1) for text in texts])
    return float(np.exp(logs.mean() + max(FAR, SPREAD * logs.std())))


def fit_regression(collections: list[Rated], controls: Sequence[Rated] = (), **about) -> Regression:
    """Fit a regression on collections of rated summaries, each of the same weight.

    Ridge on ranks, as agreement is one of ranks: half the weight has the ranks among all of a collection, half those
    among the summaries of one text. Each weight has the sign that its meaning demands. Then the two numbers of a
    logistic curve that bring the sum to the scale of the ratings.

    The `report` of one collection comes from folds that share no document. controls: for each collection texts with
    summaries of other texts, rated 0: they teach the curve what is worst. about: aspect, which says what terms there
    are; encoder, pooling, width, longest.
    """
    aspect = about["aspect"]
    report = {"pairs": sum(len(c.ratings) for c in collections), "collections": len(collections)}
    report |= {"documents": sum(len(set(c.documents)) for c in collections)}
    report |= {"controls": sum(len(c.ratings) for c in controls)}
    if len(collections) == 1 and report["documents"] >= FOLDS:
        [rated] = collections
        report |= reported("unseen", agreement(cross_validate(rated, aspect), rated.ratings, rated.documents))
    return Regression(**_fitted(collections, aspect, controls), **about, report=report)


def cross_validate(rated: Rated, aspect: str) -> np.ndarray:
    """Scores (n,) of each document's examples by a regression fitted on the other folds of documents.

    They are log-odds without the intercept: a fold's would lean against the documents left out, because it is higher
    where those that are left have the better ratings.
    """
    groups = groups_of(rated.documents)
    order = np.random.default_rng(0).permutation(len(groups))
    scores = np.empty(len(rated.ratings))
    for k in range(FOLDS):
        kept = rated.take(np.concatenate([groups[i] for j in range(FOLDS) if j != k for i in order[j::FOLDS]]))
        head = Regression(**_fitted([kept], aspect), aspect=aspect, encoder="", pooling="", width=0)
        held = np.concatenate([groups[i] for i in order[k::FOLDS]])
        scores[held] = head.contributions(columns(rated.features, head.terms)[held]).sum(axis=1)
    return scores


def columns(features: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Some columns of a table of all terms."""
    return features[:, [NAMES.index(name) for name in names]]


def _fitted(collections, aspect, controls=()):
    """Means, scales, weights and intercept."""
    from scipy.optimize import minimize

    terms = ASPECTS.get(aspect, NAMES)
    signs = np.array([TERMS[name].sign if aspect in ASPECTS else 0 for name in terms])
    tables = [columns(collection.features, terms) for collection in collections]
    means = np.mean([table.mean(axis=0) for table in tables], axis=0)
    scales = np.sqrt(np.mean([((table - means) ** 2).mean(axis=0) for table in tables], axis=0))
    # A term that is constant up to rounding is left alone.
    scales = np.where(scales > 1e-9 * np.maximum(1, abs(means)), scales, 1.0)
    tables = [(table - means) / scales for table in tables]
    systems = [_system(table, rated) for table, rated in zip(tables, collections, strict=True)]
    n = len(systems)
    weights = _signed_ridge(
        np.vstack([system for system, _ in systems]) / n**0.5,
        np.concatenate([target for _, target in systems]) / n**0.5,
        signs,
    )
    linear = [table @ weights for table in tables]
    ratings = [collection.ratings for collection in collections]
    for i, control in enumerate(controls):
        linear[i] = np.append(linear[i], (columns(control.features, terms) - means) / scales @ weights)
        ratings[i] = np.append(ratings[i], control.ratings)

    def cross_entropy(curve):
        logits = [curve[0] + curve[1] * values for values in linear]
        return np.mean([np.mean(np.logaddexp(0, z) - y * z) for z, y in zip(logits, ratings, strict=True)])

    offset, slope = minimize(cross_entropy, [0.0, 1.0], bounds=[(None, None), (0, None)]).x
    named = {"means": means, "scales": scales, "weights": slope * weights}
    tables_of = {name: dict(zip(terms, values.tolist(), strict=True)) for name, values in named.items()}
    return {**tables_of, "intercept": float(offset)}


def _system(table, rated):
    """(2n, k) terms and (2n,) ranks of ratings, centred over all and inside each text; their squares are means."""
    inside, ranks = table.copy(), np.zeros(len(table))
    for group in groups_of(rated.documents):
        inside[group] -= table[group].mean(axis=0)
        ranks[group] = _standard_ranks(rated.ratings[group])
    system = np.vstack([table - table.mean(axis=0), inside])
    return system / len(table) ** 0.5, np.append(_standard_ranks(rated.ratings), ranks) / len(table) ** 0.5


def _standard_ranks(ratings):
    """(n,) ranks with mean 0 and standard deviation 1; zeros where all are the same."""
    from scipy.stats import rankdata

    ranks = rankdata(ratings)
    return (ranks - ranks.mean()) / (ranks.std() or 1.0)


def _signed_ridge(system, target, signs):
    """(k,) weights of ridge, each of the sign that is demanded; 0 allows both."""
    from scipy.optimize import nnls

    k = len(signs)
    # A weight that may have both signs is the difference of two that are not negative.
    free = np.flatnonzero(signs == 0)
    mirrored = np.hstack([np.diag(np.where(signs == 0, 1.0, signs)), -np.eye(k)[:, free]])
    padded = np.vstack([system, np.sqrt(PENALTY) * np.eye(k)]) @ mirrored
    positive, _ = nnls(padded, np.append(target, np.zeros(k)))
    return mirrored @ positive
