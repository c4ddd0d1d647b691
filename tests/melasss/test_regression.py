"""The regression against scikit-learn; what it learns, what it must not; the embedded ones."""

import gzip
import json

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import rankdata, spearmanr
from sklearn.linear_model import LogisticRegression, Ridge

from metrics.melasss import terms_regression as regression
from metrics.melasss.learn_agreement import agreement, spearman
from metrics.melasss.terms_pair import Pair
from metrics.melasss.terms_regression import Rated, Regression, columns, cross_validate, fit_regression, longest
from metrics.melasss.terms_table import ASPECTS, NAMES, TERMS
from metrics.melasss.terms_weights import CONSISTENCY, RELEVANCE

from ..conftest import ROOT
from .test_terms import side

SUMMEVAL = ROOT.parent / "shared" / "data" / "summeval" / "summeval_train80.jsonl.gz"
ABOUT = {"aspect": "any", "encoder": "", "pooling": "mean", "width": 8}
GOOD, BAD = (NAMES.index(name) for name in ("word_recall", "repeated_pairs"))


def planted(documents=40, each=8, of_document=0.0, seed=0):
    """Terms, of which two make the rating, and an effect of the document that none shows."""
    random = np.random.default_rng(seed)
    labels = np.repeat(np.arange(documents), each)
    table = random.normal(size=(len(labels), len(NAMES)))
    for other in set(range(len(TERMS))) - {GOOD, BAD}:
        table[:, other] += 3 * random.normal(size=documents)[labels]  # tell the documents apart
    signal = table[:, GOOD] - 0.7 * table[:, BAD] + of_document * random.normal(size=documents)[labels]
    return Rated(table, expit(signal + random.normal(size=len(labels))), labels.tolist())


def of(head, table):
    """The columns that a head looks at."""
    return columns(table, head.terms)


@pytest.mark.parametrize("aspect", ["relevance", "any"])
def test_weights_are_scikit_learns(aspect):
    """Ridge on ranks, among all and inside each text; of the terms of an aspect with the sign of their meaning."""
    collections = [planted(), planted(documents=15, each=4, seed=1)]
    terms = list(ASPECTS.get(aspect, TERMS))
    signs = np.array([TERMS[term].sign for term in terms])
    tables = [collection.features[:, [NAMES.index(term) for term in terms]] for collection in collections]
    means = sum(table.mean(axis=0) for table in tables) / 2
    scales = np.sqrt(sum(((table - means) ** 2).mean(axis=0) for table in tables) / 2)
    rows, targets, weights = [], [], []
    for table, (_, ratings, labels) in zip(tables, collections):
        z, labels = (table - means) / scales, np.array(labels)
        for mask in [labels >= 0, *(labels == label for label in set(labels.tolist()))]:
            ranks = rankdata(ratings[mask])
            rows.append(z[mask] - z[mask].mean(axis=0))
            targets.append((ranks - ranks.mean()) / ranks.std())
            weights.append(np.full(mask.sum(), 1 / len(table) / 2))
    free = aspect == "any"
    ridge = Ridge(alpha=regression.PENALTY, positive=not free, fit_intercept=False, tol=1e-12)
    ridge.fit(np.vstack(rows) * (1 if free else signs), np.concatenate(targets), np.concatenate(weights))
    expected = ridge.coef_ * (1 if free else signs)
    linear = [(table - means) / scales @ expected for table in tables]
    # A logistic curve through fractions: each example counts as a success and as a failure, weighted.
    everything, ratings = np.concatenate(linear), np.concatenate([c.ratings for c in collections])
    share = np.concatenate([np.full(len(values), 1 / len(values)) for values in linear])
    curve = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.r_[everything, everything][:, None],
        np.repeat([1, 0], len(everything)),
        sample_weight=np.r_[ratings * share, (1 - ratings) * share],
    )
    fitted = Regression(**regression._fitted(collections, aspect), **ABOUT)
    found = np.concatenate([fitted.scores(table) for table in tables])
    np.testing.assert_allclose(found, curve.predict_proba(everything[:, None])[:, 1], atol=1e-4)
    if not free:
        assert all(fitted.weights[term] * TERMS[term].sign >= 0 for term in terms)


def test_collections_weigh_the_same():
    """However many examples they have."""
    one, other = planted(), planted(seed=1)
    many = Rated(*(np.concatenate([column] * 3) for column in one[:2]), one.documents * 3)
    heads = [Regression(**regression._fitted([first, other], "any"), **ABOUT) for first in (one, many)]
    assert heads[0].weights == pytest.approx(heads[1].weights, abs=1e-6)


def test_much_longer_than_what_was_rated():
    """Eight times the middle, or three standard deviations of their logarithms where they differ more."""
    alike, all_lengths = [["boat " * 10]] * 9, [["boat " * 2**k] for k in range(9)]
    assert longest(alike) == pytest.approx(80)
    logs = np.log([2**k for k in range(9)])
    assert longest(all_lengths) == pytest.approx(np.exp(logs.mean() + 3 * logs.std()))
    head = Regression(**{**RELEVANCE, "longest": {"text": 4, "summary": 2}})
    for text, summary, is_far in (("a b c d", "a b", False), ("a b c d e", "a", True), ("a", "a b c", True)):
        assert head.is_far(Pair(side([text]), side([summary]))) is is_far


def test_what_is_only_of_the_document_does_not_leak():
    """The effect of a document can be learned from its other examples; scores by document must not show it."""
    rated = planted(of_document=3.0)
    alone = rated._replace(documents=list(range(len(rated.ratings))))
    by_pair, by_document = (cross_validate(given, "any") for given in (alone, rated))
    assert spearman(by_pair, rated.ratings) > spearman(by_document, rated.ratings)
    report = fit_regression([rated], **ABOUT).report
    assert report["unseen_pooled"] == pytest.approx(spearman(by_document, rated.ratings))


def test_folds_share_no_document(monkeypatch):
    rated = planted(documents=11)
    fitted, seen = regression._fitted, []

    def spy(collections, aspect):
        seen.append({row.tobytes() for row in collections[0].features})
        return fitted(collections, aspect)

    monkeypatch.setattr(regression, "_fitted", spy)
    cross_validate(rated, "any")
    rows = [row.tobytes() for row in rated.features]
    for kept in seen:
        inside = {label for label, row in zip(rated.documents, rows) if row in kept}
        assert not inside & {label for label, row in zip(rated.documents, rows) if row not in kept}
    assert [sum(row not in kept for kept in seen) for row in rows] == [1] * len(rows)


def test_controls_teach_what_is_worst():
    """They move the curve, not the weights of the terms beside each other, and are in no report of agreement."""
    rated = planted()
    worst = np.zeros((40, len(NAMES)))
    worst[:, GOOD] = -3
    plain, taught = (
        fit_regression([rated], controls, **ABOUT) for controls in ((), [Rated(worst, np.zeros(40), list(range(40)))])
    )
    assert (taught.report["controls"], plain.report["controls"]) == (40, 0)
    assert taught.report["unseen_pooled"] == plain.report["unseen_pooled"]
    ratios = [taught.weights[term] / plain.weights[term] for term in taught.terms]
    assert ratios == pytest.approx([ratios[0]] * len(ratios)) and ratios[0] > 1.02
    assert taught.scores(of(taught, worst)).mean() < plain.scores(of(plain, worst)).mean()


def test_ratings_that_differ_in_one_document_only():
    rated = planted(documents=6)
    flat = rated._replace(ratings=np.where(np.array(rated.documents) == 0, rated.ratings, 0.5))
    fitted = fit_regression([flat], **ABOUT)
    json.dumps(fitted.report, allow_nan=False)
    assert np.isfinite(fitted.scores(of(fitted, rated.features))).all()


def test_a_head_of_another_version():
    broken = {**RELEVANCE, "weights": {**RELEVANCE["weights"], "charm": 1.0}}
    with pytest.raises(ValueError, match="^head: found weights of charm; .* fitted again"):
        Regression(**broken)
    with pytest.raises(ValueError, match="^head: found no mean or scale of repeated_pairs, shared_words, token_recall"):
        Regression(**{**RELEVANCE, "means": {"word_recall": 1.0}})
    for odd in ({"(summary": 1.0}, {"text": "long"}, [1]):
        with pytest.raises(ValueError, match="^head: longest: found .*, expected numbers of words"):
            Regression(**{**RELEVANCE, "longest": odd})


@pytest.mark.parametrize("noise", [0, 1e-15])
def test_a_constant_term_is_harmless(noise):
    """Also one that is constant but for rounding, which must not become noise of unit variance."""
    rated = planted()
    rated.features[:, 0] = 7.0 + noise * np.arange(len(rated.features))
    fitted = fit_regression([rated], **ABOUT)
    assert abs(fitted.weights[NAMES[0]]) < 1e-9 and fitted.scales[NAMES[0]] == 1
    assert np.isfinite(fitted.scores(of(fitted, rated.features))).all()


def test_few_documents_have_no_cross_validation():
    report = fit_regression([planted(documents=3)], **ABOUT).report
    assert report == {"pairs": 24, "collections": 1, "documents": 3, "controls": 0}
    assert "unseen_pooled" in fit_regression([planted(documents=5)], **ABOUT).report


def test_saved_and_loaded(tmp_path, metric):
    rated = planted()
    about = ABOUT | {"aspect": "relevance", "longest": {"text": 100.0, "summary": 20.0}}
    fitted = fit_regression([rated], **about)
    fitted.save_pretrained(tmp_path)
    json.loads((tmp_path / "config.json").read_text())
    table = of(fitted, rated.features)
    for loaded in (metric.from_pretrained(str(tmp_path)), Regression.from_pretrained(tmp_path)):
        np.testing.assert_array_equal(loaded.scores(table), fitted.scores(table))
        assert (loaded.aspect, loaded.report, loaded.longest) == ("relevance", fitted.report, fitted.longest)
        assert loaded.digest() == fitted.digest()


@pytest.mark.parametrize("config", [RELEVANCE, CONSISTENCY], ids=["relevance", "consistency"])
def test_the_embedded_tables_are_whole(config):
    head = Regression(**config)
    assert head.terms == ASPECTS[head.aspect] and set(head.longest) == {"text", "summary"}
    assert all(head.weights[term] * TERMS[term].sign > 0 for term in head.terms)
    assert head.width == 384
    assert head.needs_whole_text is (head.aspect == "consistency")


@pytest.fixture(scope="module")
def summeval():
    if not SUMMEVAL.exists():
        pytest.skip("needs the ratings of ../shared/data/summeval")
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.slow
def test_articles_never_seen(summeval, metric):
    """Five folds by article over thirty articles: the figures the card gives are of whole collections."""
    rows = summeval[:480]
    assert len({row["doc_id"] for row in rows}) == 30
    texts, summaries = [row["text"] for row in rows], [row["summary"] for row in rows]
    head = metric.fit(texts, summaries, [row["relevance"] for row in rows], rating_range=(1, 5), mismatched=True)
    assert head.report["unseen_pooled"] > 0.25 and head.report["unseen_per_document"] > 0.2
    result = metric.compute(predictions=summaries, references=texts, details=True)
    assert spearmanr(result["scores"], [row["relevance"] for row in rows]).statistic > 0.3
    turned = metric.compute(predictions=summaries[16:] + summaries[:16], references=texts, details=True)
    better = np.array(result["scores"]) > np.array(turned["scores"])
    assert better.mean() > 0.95  # a summary of another article is worse


def test_the_embedded_agree_with_the_experts(summeval, metric):
    """On ten articles, which were in the fit: the embedded numbers are those that were fitted."""
    rows = summeval[:160]
    examples = {"references": [row["text"] for row in rows], "predictions": [row["summary"] for row in rows]}
    for aspect, least in (("relevance", 0.25), ("consistency", 0.35)):
        scores = metric.compute(**examples, aspect=aspect, details=True)["scores"]
        found = agreement(scores, [row[aspect] for row in rows], [row["doc_id"] for row in rows])
        assert found["pooled"] > least and found["per_document"] > least
