"""The default similarity: a regularised regression on the features of a pair, small enough to be read."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from huggingface_hub import ModelHubMixin
from scipy.optimize import minimize, nnls
from scipy.special import expit
from scipy.stats import rankdata

from .learn_agreement import agreement, groups_of, reported
from .terms_aspects import ANY_TERMS, TERMS
from .common import is_number, short_repr
from .terms_features import FRACTIONS, NAMES

RENAMED = {"told": "content_recall"}  # terms of heads that were saved before 0.3
LIMIT = 3.0  # standard deviations; what lies beyond counts as this
PENALTY = 0.1  # of the squared weights, for each example; between 0.02 and 0.2 little changes
LEAST = 0.1  # what a defect takes away at least, in standard deviations of the ranks of ratings
MARGIN = 0.3  # by which the better of a pair is to be better, in the same unit
PULL = 0.3  # of the pairs, beside the ratings
OUTLIER = 1.5  # a pair that is further from its margin pulls no harder
FOLDS = 5
LENGTHS = ("words", "text_words")  # features by which to tell that an example is unlike what was rated
FAR = np.log(8.0)  # so much longer than the middle is too long; what is short is seen to be, and has little to go wrong


class Controls(NamedTuple):
    """Texts with summaries of other texts.

    Attributes:
        features: (c, len(NAMES)).
        texts, summaries: (c,) the documents they are of, numbered in order of first appearance.
    """

    features: np.ndarray
    texts: np.ndarray
    summaries: np.ndarray


class Pairs(NamedTuple):
    """Summaries of which one is known to be better than the other, as a text's good summary and what a rule made of it.

    Attributes:
        better, worse: (p, len(NAMES)) features.
        weights: (p,), adding up to the number of kinds of pairs.
        texts: (p,) the documents they are of, numbered in order of first appearance.
    """

    better: np.ndarray
    worse: np.ndarray
    weights: np.ndarray
    texts: np.ndarray

    def of(self, documents) -> "Pairs":
        """Those of some documents."""
        return Pairs(*(column[np.isin(self.texts, documents)] for column in self))


class Regression(ModelHubMixin):
    """score = sigmoid(intercept + sum of contributions), one contribution for each term, in log-odds.

    A term is a feature in standard deviations from its mean, limited to +-3, or the product of two of them; a feature
    of 0 to 1 (`FRACTIONS`) is one as it is.

    Attributes:
        weights: of the terms, by name.
        means, scales: of the features in them, by name.
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
        for name in ("means", "scales", "weights"):
            _check_table(name, getattr(self, name), positive=name == "scales")
        used = {*LENGTHS, *(factor for term in self.terms for factor in _factors(term))}
        missing = sorted(used - set(self.means) - set(FRACTIONS))
        if missing or set(self.means) != set(self.scales):
            raise ValueError(f"head: found no mean or scale of {', '.join(missing) or 'some'}, expected both of each")
        # One order, however it was saved: sums depend on it in the last digit.
        self.weights = dict(sorted(self.weights.items(), key=lambda item: list(map(NAMES.index, _factors(item[0])))))
        if not is_number(intercept) or not isinstance(width, int):
            raise ValueError(
                f"head: found the intercept {short_repr(intercept)} and the width {short_repr(width)}, expected numbers"
            )

    @property
    def terms(self) -> tuple:
        """The names of the terms."""
        return tuple(self.weights)

    @property
    def features(self) -> tuple:
        """The names of the features that the terms are made of, and of those with a mean, in the order of `NAMES`."""
        used = {factor for term in self.terms for factor in _factors(term)}
        return tuple(name for name in NAMES if name in used or name in self.means)

    @property
    def places(self) -> list:
        """The places of these features among `NAMES`."""
        return [NAMES.index(name) for name in self.features]

    def digest(self) -> str:
        """The first digits of a SHA-256 of the numbers, which tells the head from any other."""
        numbers = [self.means, self.scales, self.weights, self.intercept]
        return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:12]

    def contributions(self, features: np.ndarray) -> np.ndarray:
        """(n, number of terms) what each term adds to the log-odds, from (n, number of features) `features`."""
        table = dict(zip(self.features, np.asarray(features, float).T))
        return _terms(table, self.terms, self.means, self.scales) * np.array(list(self.weights.values()))

    def scores(self, features: np.ndarray) -> np.ndarray:
        """(n,) scores in 0..1, from (n, number of features) `features`."""
        return expit(self.intercept + self.contributions(features).sum(axis=1))

    def far(self, features: np.ndarray) -> np.ndarray:
        """(n,) whether text or summary is much longer than what was rated, from (n, number of features) `features`."""
        table = dict(zip(self.features, np.asarray(features, float).T))
        return np.any(
            [table[name] > self.means[name] + max(FAR, LIMIT * self.scales[name]) for name in LENGTHS], axis=0
        )

    def _save_pretrained(self, save_directory):
        """All there is stands in config.json, which save_pretrained writes."""

    @classmethod
    def _from_pretrained(cls, *, model_id, revision, cache_dir, force_download, local_files_only, token, **values):
        of_older_versions = ("proxies", "resume_download")  # huggingface-hub below 1 passes them
        return cls(**{name: value for name, value in values.items() if name not in of_older_versions})


def _renamed(table):
    return {RENAMED.get(term, term): value for term, value in dict(table).items()}


def _factors(term):
    return term.split(" x ")


def _check_table(name, table, positive):
    odd = sorted(term for term in table if not set(_factors(term)) <= set(NAMES))
    if odd or not table:
        raise ValueError(f"head: found other {name} than this version has: {', '.join(odd)}; expected features of it")
    for term, value in table.items():
        if not is_number(value) or positive and value <= 0:
            raise ValueError(f"head: {name}: found {term}: {short_repr(value)}, expected a finite number")


def fit_regression(
    features: np.ndarray,
    ratings: np.ndarray,
    documents: Sequence,
    controls: Controls | None = None,
    pairs: Pairs | None = None,
    **about,
) -> Regression:
    """Fit a regression.

    First the graded terms: ridge on the ranks of the ratings (the correlation that counts is one of ranks), each weight
    with the sign that its meaning demands. Then, these held, the terms of 0 to 1, which ratings alone cannot teach as
    rated summaries hardly show them: least squares of what is left of the ranks, the controls among them, and pairs of
    which one is to be better by a margin. Last the two numbers of a logistic curve that bring the sum to the scale of
    the ratings.

    Args:
        features: (n, len(NAMES)).
        ratings: (n,) in 0..1.
        documents: n labels; what `report` says comes from folds that share no document.
        controls: pairs that count as rated 0, or None.
        pairs: summaries of which one is better, or None.
        about: aspect, which says what terms there are; encoder, pooling, width.
    """
    terms = TERMS.get(about["aspect"], ANY_TERMS)
    groups = groups_of(documents)
    report = {"pairs": len(ratings), "documents": len(groups), "controls": len(controls.features) if controls else 0}
    report |= {"comparisons": len(pairs.texts)} if pairs else {}
    if len(groups) >= FOLDS:
        unseen = cross_validate(features, ratings, groups, controls, pairs, terms)
        report |= reported("unseen", agreement(unseen, ratings, documents))
    fitted = _fitted(features, ratings, controls.features if controls else None, pairs, terms)
    return Regression(**fitted, **about, report=report)


def cross_validate(
    features: np.ndarray,
    ratings: np.ndarray,
    groups: list,
    controls: Controls | None = None,
    pairs: Pairs | None = None,
    terms: dict = ANY_TERMS,
    folds: int = FOLDS,
    seed: int = 0,
) -> np.ndarray:
    """Scores of each document by a regression fitted on the other folds of documents, in text and in summary.

    Returns:
        (n,) in log-odds without the intercept: a fold's would lean against the documents left out, because it is higher
        where those that are left have the better ratings.
    """
    scores = np.empty(len(ratings))
    for held, head in folds_of(features, ratings, groups, controls, pairs, terms, folds, seed):
        places = np.concatenate([groups[i] for i in held])
        scores[places] = head.contributions(features[places][:, head.places]).sum(axis=1)
    return scores


def folds_of(features, ratings, groups, controls, pairs, terms, folds=FOLDS, seed=0):
    """Yield (documents left out, the head fitted on the others), for each fold."""
    order = np.random.default_rng(seed).permutation(len(groups))
    for k in range(folds):
        others = [i for j in range(folds) if j != k for i in order[j::folds]]
        kept = np.concatenate([groups[i] for i in others])
        if controls:
            apart = np.isin(controls.texts, others) & np.isin(controls.summaries, others)
        fitted = _fitted(
            features[kept],
            ratings[kept],
            controls.features[apart] if controls else None,
            pairs.of(others) if pairs else None,
            terms,
        )
        yield order[k::folds], Regression(**fitted, aspect="", encoder="", pooling="", width=0)


def _terms(table, terms, means, scales):
    """(n, number of terms) from {feature: (n,) values}."""

    def factor(name):
        if name in FRACTIONS:
            return table[name]
        return np.clip((table[name] - means[name]) / scales[name], -LIMIT, LIMIT)

    return np.column_stack([np.prod([factor(name) for name in _factors(term)], axis=0) for term in terms])


def _fitted(features, ratings, controls, pairs, terms):
    """Means, scales, weights and intercept."""
    graded = [term for term in terms if term not in FRACTIONS]
    fractions = [term for term in terms if term in FRACTIONS]
    used = [name for name in NAMES if name in LENGTHS or any(name in _factors(term) for term in graded)]
    means, scales = ({name: float(f(features[:, NAMES.index(name)])) for name in used} for f in (np.mean, np.std))
    # A feature that is constant up to rounding is left alone.
    scales = {name: s if s > 1e-9 * max(1.0, abs(means[name])) else 1.0 for name, s in scales.items()}

    def of(rows, names):
        return _terms(dict(zip(NAMES, rows.T)), names, means, scales) if names else np.zeros((len(rows), 0))

    weights = _signed_ridge(of(features, graded), _standard_ranks(ratings), np.array([terms[term] for term in graded]))
    if controls is not None:
        features, ratings = np.vstack([features, controls]), np.append(ratings, np.zeros(len(controls)))
    linear = of(features, graded) @ weights
    if fractions:
        second = of(features, fractions)
        margins = None
        if pairs:
            margins = (
                of(pairs.better, fractions) - of(pairs.worse, fractions),
                (of(pairs.better, graded) - of(pairs.worse, graded)) @ weights,
                pairs.weights,
            )
        signs = np.array([terms[term] for term in fractions])
        more = _taught(second, _standard_ranks(ratings) - linear, signs, margins)
        weights, linear = np.append(weights, more), linear + second @ more

    def cross_entropy(line):
        logits = line[0] + line[1] * linear
        return np.mean(np.logaddexp(0, logits) - ratings * logits)

    offset, slope = minimize(cross_entropy, [0.0, 1.0]).x
    return {
        "means": means,
        "scales": scales,
        "weights": dict(zip([*graded, *fractions], (slope * weights).tolist())),
        "intercept": float(offset),
    }


def _standard_ranks(ratings):
    """(n,) ranks with mean 0 and standard deviation 1."""
    ranks = rankdata(ratings)
    return (ranks - ranks.mean()) / (ranks.std() or 1.0)


def _signed_ridge(terms, target, signs):
    """(k,) weights of ridge on centred terms, each of the sign that is demanded; 0 allows both."""
    centred = terms - terms.mean(axis=0)
    n, k = centred.shape
    # A weight that may have both signs is the difference of two that are not negative.
    free = np.flatnonzero(signs == 0)
    mirrored = np.hstack([np.diag(np.where(signs == 0, 1.0, signs)), -np.eye(k)[:, free]])
    root = np.sqrt(n * PENALTY)
    system = np.vstack([centred, root * np.eye(k)]) @ mirrored
    found, _ = nnls(system, np.append(target - target.mean(), np.zeros(k)))
    return mirrored @ found


def _taught(terms, target, signs, pairs):
    """(k,) weights of terms of 0 to 1: what the graded ones leave of the ratings, and the pairs.

    Args:
        pairs: None, or the differences of the terms (p, k), of what is known of the score (p,), and weights (p,).
    """
    centred, target = terms - terms.mean(axis=0), target - target.mean()

    def loss(weights):
        error = centred @ weights - target
        value, slope = error @ error / len(error), 2 * centred.T @ error / len(error)
        value, slope = value + 1e-3 * weights @ weights, slope + 2e-3 * weights
        if pairs:
            differences, known, importance = pairs
            short = np.maximum(0, MARGIN - known - differences @ weights)
            near = np.minimum(short, OUTLIER)
            value += PULL * importance @ (near * (2 * short - near))
            slope -= 2 * PULL * differences.T @ (importance * near)
        return value, slope

    bounds = [{1: (0, None), -1: (None, -LEAST), 0: (None, None)}[sign] for sign in signs.tolist()]
    start = np.where(signs < 0, -LEAST, 0.0)
    return minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
