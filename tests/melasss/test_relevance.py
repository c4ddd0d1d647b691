"""The regression against scikit-learn; what it learns, what it must not; the embedded one; agreement."""

import gzip
import json

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr
from sklearn.linear_model import LogisticRegression, Ridge

from metrics.melasss import terms_regression as relevance
from metrics.melasss.learn_agreement import agreement, groups_of, per_document, spearman
from metrics.melasss.terms_aspects import ANY_TERMS, TERMS
from metrics.melasss.terms_features import DEFECTS, FRACTIONS, NAMES, TABLE
from metrics.melasss.terms_regression import (
    LENGTHS,
    LIMIT,
    Controls,
    Pairs,
    Regression,
    cross_validate,
    fit_regression,
)
from metrics.melasss.terms_table import RELEVANCE

from ..conftest import ROOT
from . import models

SUMMEVAL = ROOT.parent / "shared" / "data" / "summeval" / "summeval_train80.jsonl.gz"
RELEVANCE_TERMS = TERMS["relevance"]
ABOUT = {"aspect": "any", "encoder": "", "pooling": "mean", "width": 8}


GOOD, BAD = (NAMES.index(name) for name in ("recall", "repeated_words"))


def planted(documents=40, each=8, of_document=0.0, seed=0):
    """Features, of which two make the rating, and an effect of the document that no feature shows."""
    random = np.random.default_rng(seed)
    labels = np.repeat(np.arange(documents), each)
    table = random.normal(size=(len(labels), len(NAMES)))
    table[:, 3:28] += 3 * random.normal(size=(documents, 25))[labels]  # tell the documents apart
    table[:, [GOOD, BAD]] = random.normal(size=(len(labels), 2))
    for name in FRACTIONS:
        table[:, NAMES.index(name)] = random.uniform(size=len(labels)) * (random.uniform(size=len(labels)) < 0.1)
    signal = table[:, GOOD] - 0.7 * table[:, BAD] + of_document * random.normal(size=documents)[labels]
    return table, expit(signal + random.normal(size=len(labels))), labels.tolist()


def of(head, table):
    """The columns that a head looks at."""
    return table[:, head.places]


def test_weights_are_scikit_learns():
    """Of the graded terms, before the rest is added; where signs are demanded, those of ridge with positive weights."""
    table, ratings, labels = planted()
    terms = {"recall": 1, "detail": -1, "support": 1, "steps": 0, "steps x words": 0, "novelty": -1}
    z = np.clip((table - table.mean(axis=0)) / table.std(axis=0), -LIMIT, LIMIT)
    columns = [np.prod([z[:, NAMES.index(name)] for name in term.split(" x ")], axis=0) for term in terms]
    signs = np.array(list(terms.values()))
    signed = np.column_stack(columns) * np.where(signs == 0, 1, signs)
    both = np.hstack([signed, -signed[:, signs == 0]])
    ranks = rankdata(ratings)
    ridge = Ridge(alpha=relevance.PENALTY * len(ratings), positive=True, tol=1e-12)
    ridge.fit(both, (ranks - ranks.mean()) / ranks.std())
    linear = ridge.predict(both)
    # A logistic curve through fractions: each example counts as a success and as a failure, weighted.
    curve = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.r_[linear, linear][:, None], np.repeat([1, 0], len(linear)), sample_weight=np.r_[ratings, 1 - ratings]
    )
    fitted = Regression(**relevance._fitted(table, ratings, None, None, terms), **ABOUT)
    np.testing.assert_allclose(fitted.scores(of(fitted, table)), curve.predict_proba(linear[:, None])[:, 1], atol=1e-4)
    assert [fitted.weights[term] * sign >= 0 for term, sign in terms.items()] == [True] * len(terms)


def test_contributions_add_up_to_the_score():
    table, ratings, labels = planted()
    fitted = fit_regression(table, ratings, labels, **ABOUT)
    found = fitted.contributions(of(fitted, table))
    assert found.shape == (len(table), len(ANY_TERMS)) and list(fitted.terms) == list(fitted.weights)
    scores = fitted.scores(of(fitted, table))
    np.testing.assert_allclose(fitted.intercept + found.sum(axis=1), logit(scores), atol=1e-9)
    graded = [i for i, term in enumerate(fitted.terms) if term not in FRACTIONS]
    far = fitted.contributions(of(fitted, table[:1] + 1e6))[:, graded]  # beyond three standard deviations nothing grows
    assert np.isfinite(far).all() and np.abs(far).max() <= 9 * max(map(abs, fitted.weights.values()))


def test_signs_are_those_of_the_meaning():
    """Relevance: a term that can only be good never counts against a summary, whatever the ratings are."""
    table, ratings, labels = planted()
    for given in (ratings, 1 - ratings):
        fitted = fit_regression(table, given, labels, **ABOUT | {"aspect": "relevance"})
        assert set(fitted.terms) == set(RELEVANCE_TERMS)
        assert all(fitted.weights[term] * sign >= 0 for term, sign in RELEVANCE_TERMS.items())
        assert all(fitted.weights[name] < 0 for name in DEFECTS)


def test_pairs_teach_what_ratings_do_not():
    """A defect that no rated summary has weighs as much as the pairs ask for, and the graded terms stay."""
    table, ratings, labels = planted()
    place = NAMES.index("too_long")
    table[:, place] = 0
    better = table.copy()
    worse = better + 0.5 * np.eye(len(NAMES))[GOOD]  # better by recall, were it not for the defect
    worse[:, place] = 1
    pairs = Pairs(better, worse, np.full(len(table), 1 / len(table)), np.array(labels))
    about = ABOUT | {"aspect": "relevance"}
    plain, taught = (fit_regression(table, ratings, labels, None, p, **about) for p in (None, pairs))
    assert (taught.scores(of(taught, better)) > taught.scores(of(taught, worse))).mean() > 0.99
    assert taught.weights["too_long"] < plain.weights["too_long"] < 0
    slope = taught.weights["words"] / plain.weights["words"] if plain.weights["words"] else 1
    for term in set(taught.terms) - set(FRACTIONS):
        assert taught.weights[term] == pytest.approx(slope * plain.weights[term], rel=0.05, abs=1e-6)
    assert taught.report["comparisons"] == len(table)


def test_pairs_of_documents_left_out_are_left_out():
    table, ratings, labels = planted(documents=10)
    pairs = Pairs(table, table, np.ones(len(table)), np.array(labels))
    assert set(pairs.of([1, 4]).texts) == {1, 4} and len(pairs.of([1, 4]).better) == 16


@pytest.mark.parametrize("name", LENGTHS)
@pytest.mark.parametrize("spread, limit", [(0.1, np.log(8)), (1, 3)], ids=["alike", "of_all_lengths"])
def test_much_longer_than_what_was_rated(name, spread, limit):
    """Eight times the middle, or three standard deviations of their logarithms where they differ more."""
    table, ratings, labels = planted()
    column = NAMES.index(name)
    table[:, column] *= spread / table[:, column].std()
    fitted = fit_regression(table, ratings, labels, **ABOUT)
    odd = np.tile(table.mean(axis=0), (3, 1))
    odd[:, column] += np.array([-10, limit - 0.01, limit + 0.01])
    assert fitted.far(of(fitted, odd)).tolist() == [False, False, True]


def test_it_finds_what_was_planted():
    table, ratings, labels = planted()
    fitted = fit_regression(table, ratings, labels, **ABOUT)
    graded = set(fitted.weights) - set(FRACTIONS)
    largest = sorted(graded, key=lambda name: -abs(fitted.weights[name]))[:2]
    assert set(largest) == {NAMES[GOOD], NAMES[BAD]} and fitted.weights["recall"] > 0 > fitted.weights["repeated_words"]
    assert fitted.report["unseen_pooled"] > 0.5
    unseen, truth, _ = planted(seed=5)
    assert spearman(fitted.scores(of(fitted, unseen)), truth) > 0.5


def test_what_is_only_of_the_document_does_not_leak():
    """The effect of a document can be learned from its other examples; scores by document must not show it."""
    table, ratings, labels = planted(of_document=3.0)
    by_pair = cross_validate(table, ratings, groups_of(range(len(labels))))
    by_document = cross_validate(table, ratings, groups_of(labels))
    pure = np.random.default_rng(2).normal(size=40)[labels]  # nothing but the effect
    leaking = cross_validate(table, expit(pure), groups_of(range(len(labels))))
    honest = cross_validate(table, expit(pure), groups_of(labels))
    assert spearman(leaking, pure) > 0.3 > 0.1 > spearman(honest, pure)
    assert spearman(by_pair, ratings) > spearman(by_document, ratings)
    report = fit_regression(table, ratings, labels, **ABOUT).report
    assert report["unseen_pooled"] == pytest.approx(spearman(by_document, ratings))


def test_folds_share_no_document(monkeypatch):
    table, ratings, labels = planted(documents=11)
    fitted, seen = relevance._fitted, []
    monkeypatch.setattr(
        relevance, "_fitted", lambda f, *others: seen.append({row.tobytes() for row in f}) or fitted(f, *others)
    )
    cross_validate(table, ratings, groups_of(labels))
    rows = [row.tobytes() for row in table]
    for kept in seen:
        parted = {label for label, row in zip(labels, rows) if row in kept} & {
            label for label, row in zip(labels, rows) if row not in kept
        }
        assert not parted
    assert [sum(row not in kept for kept in seen) for row in rows] == [1] * len(rows)


def test_folds_share_no_document_with_their_controls(monkeypatch):
    table, ratings, labels = planted(documents=20)
    random = np.random.default_rng(0)
    controls = Controls(random.normal(size=(20, len(NAMES))), np.arange(20), random.permutation(20))
    fitted, seen = relevance._fitted, []
    monkeypatch.setattr(relevance, "_fitted", lambda f, r, c, *o: seen.append((f, c)) or fitted(f, r, c, *o))
    cross_validate(table, ratings, groups_of(labels), controls)
    for features, kept in seen:
        rows = {row.tobytes() for row in features}
        documents = {label for label, row in zip(labels, table) if row.tobytes() in rows}
        apart = [i for i in range(20) if controls.texts[i] in documents and controls.summaries[i] in documents]
        np.testing.assert_array_equal(kept, controls.features[apart])
        assert 0 < len(apart) < len(documents) == 16


def test_ratings_that_differ_in_one_document_only():
    table, ratings, labels = planted(documents=6)
    fitted = fit_regression(table, np.where(np.array(labels) == 0, ratings, 0.5), labels, **ABOUT)
    json.dumps(fitted.report, allow_nan=False)
    assert np.isfinite(fitted.scores(of(fitted, table))).all()


def test_a_head_of_another_version():
    broken = {**RELEVANCE, "weights": {**RELEVANCE["weights"], "charm": 1.0}}
    with pytest.raises(ValueError, match="^head: found other weights than this version has: charm; expected"):
        Regression(**broken)


def test_a_head_saved_under_older_names():
    table, ratings, labels = planted()
    config = vars(fit_regression(table, ratings, labels, **ABOUT))
    config = {name: value for name, value in config.items() if not name.startswith("_")}
    old = {name: dict(config[name]) for name in ("means", "scales", "weights")}
    for values in old.values():
        values["told"] = values.pop("content_recall")
    assert Regression(**config | old).digest() == Regression(**config).digest()


def test_controls_count_as_rated_worst():
    table, ratings, labels = planted()
    controls = np.random.default_rng(1).normal(size=(40, len(NAMES)))
    controls[:, NAMES.index("off_topic")] = 1
    places = np.arange(40)
    given = Controls(controls, places, np.roll(places, 1))
    about = ABOUT | {"aspect": "relevance"}
    plain, taught = (fit_regression(table, ratings, labels, c, **about) for c in (None, given))
    taught_scores, plain_scores = (head.scores(of(head, controls)).mean() for head in (taught, plain))
    assert taught_scores < np.quantile(taught.scores(of(taught, table)), 0.2) and taught.report["controls"] == 40
    assert plain_scores > taught_scores + 0.1
    assert taught.means == plain.means and taught.scales == plain.scales  # those of real pairs


@pytest.mark.parametrize("noise", [0, 1e-15])
def test_a_constant_feature_is_harmless(noise):
    """Also one that is constant but for rounding, which must not become noise of unit variance."""
    table, ratings, labels = planted()
    place = NAMES.index("coverage")
    table[:, place] = 7.0 + noise * np.arange(len(table))
    fitted = fit_regression(table, ratings, labels, **ABOUT)
    assert abs(fitted.weights["coverage"]) < 1e-9 and np.isfinite(fitted.scores(of(fitted, table))).all()
    assert fitted.scales["coverage"] == 1


def test_few_documents_have_no_cross_validation():
    table, ratings, labels = planted(documents=3)
    assert set(fit_regression(table, ratings, labels, **ABOUT).report) == {"pairs", "documents", "controls"}
    table, ratings, labels = planted(documents=5)
    assert "unseen_pooled" in fit_regression(table, ratings, labels, **ABOUT).report


def test_saved_and_loaded(tmp_path, metric):
    table, ratings, labels = planted()
    fitted = fit_regression(table, ratings, labels, **ABOUT)
    fitted.save_pretrained(tmp_path)
    json.loads((tmp_path / "config.json").read_text())
    for loaded in (metric.from_pretrained(str(tmp_path)), Regression.from_pretrained(tmp_path)):
        np.testing.assert_array_equal(loaded.scores(of(loaded, table)), fitted.scores(of(fitted, table)))
        assert (loaded.aspect, loaded.report) == ("any", fitted.report)


def test_the_embedded_table_is_whole():
    embedded = Regression(**RELEVANCE)
    assert set(embedded.weights) == set(RELEVANCE_TERMS) and list(embedded.means) == list(embedded.scales)
    assert all(embedded.weights[term] * sign >= 0 for term, sign in RELEVANCE_TERMS.items())
    assert set(embedded.features) < set(TABLE) and set(LENGTHS) < set(embedded.means)
    assert embedded.width == 384 and embedded.aspect == "relevance" and embedded.report["documents"] == 80


@pytest.fixture(scope="module")
def summeval():
    if not SUMMEVAL.exists():
        pytest.skip("needs the ratings of ../shared/data/summeval")
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.slow
def test_articles_never_seen(summeval, metric):
    """Five folds by article over thirty articles: the figures the card gives are of the whole."""
    rows = summeval[:480]
    assert len({row["doc_id"] for row in rows}) == 30
    texts, summaries = [row["text"] for row in rows], [row["summary"] for row in rows]
    head = metric.fit(texts, summaries, [row["relevance"] for row in rows], rating_range=(1, 5), mismatched=True)
    assert head.report["unseen_pooled"] > 0.35 and head.report["unseen_per_document"] > 0.33
    result = metric.compute(predictions=summaries, references=texts, details=True)
    truth = [row["relevance"] for row in rows]
    assert spearmanr(result["scores"], truth).statistic > 0.42  # these were in the fit
    turned = metric.compute(predictions=summaries[16:] + summaries[:16], references=texts, details=True)
    better = np.array(result["scores"]) > np.array(turned["scores"])
    assert better.mean() > 0.95  # a summary of another article is worse


@pytest.mark.parametrize("aspect", ["coherence", "consistency", "fluency"])
def test_aspects_agree_better_than_the_default(summeval, metric, aspect):
    """On ten articles, which were in the fit of both; validity.py has the figures of articles left out."""
    rows = summeval[:160]
    examples = {"references": [row["text"] for row in rows], "predictions": [row["summary"] for row in rows]}
    truth, articles = [row[aspect] for row in rows], [row["doc_id"] for row in rows]
    own, default = (metric.compute(**examples, aspect=a, details=True)["scores"] for a in (aspect, "relevance"))
    own, default = (agreement(scores, truth, articles)["per_document"] for scores in (own, default))
    assert own > 0.35 and own > default + 0.05


def test_the_default_agrees_with_the_experts(summeval, metric):
    """On ten articles, which were in the fit: the embedded numbers are those that were fitted."""
    rows = summeval[:160]
    texts, summaries = [row["text"] for row in rows], [row["summary"] for row in rows]
    scores = metric.compute(predictions=summaries, references=texts, details=True)["scores"]
    found = agreement(scores, [row["relevance"] for row in rows], [row["doc_id"] for row in rows])
    assert found["pooled"] > 0.4 and found["per_document"] > 0.4


def test_agreement_of_both_kinds():
    scores, ratings = [1, 2, 300, 6, 5, 4, 7, 7, 9], [1, 2, 3, 1, 2, 3, 2, 2, 2]
    labels = list("aaabbbccc")
    found = agreement(scores, ratings, labels)
    assert found["pooled"] == pytest.approx(spearmanr(scores, ratings).statistic)
    assert found["per_document"] == pytest.approx((1 - 1) / 2)  # the ratings of c do not differ
    assert found["documents"] == 3 and found["per_document_low"] == -1 and found["per_document_high"] == 1


def test_agreement_in_other_measures():
    random = np.random.default_rng(3)
    scores = random.normal(size=60)
    ratings, systems = np.round(scores + random.normal(size=60)), np.tile(list("abcdef"), 10)
    found = agreement(scores, ratings, np.repeat(range(10), 6), systems=systems)
    assert found["pearson"] == pytest.approx(pearsonr(scores, ratings).statistic)
    assert found["kendall"] == pytest.approx(kendalltau(scores, ratings).statistic)
    means = [[values[systems == name].mean() for name in "abcdef"] for values in (scores, ratings)]
    assert found["per_system"] == pytest.approx(spearmanr(*means).statistic) and found["systems"] == 6
    assert found["per_system_low"] <= found["per_system"] <= found["per_system_high"]
    with pytest.raises(ValueError, match="^agreement: found 1 systems and 60 scores"):
        agreement(scores, ratings, range(60), systems=["a"])


@pytest.mark.parametrize("seed", range(20))
def test_intervals_contain_their_value(seed):
    random = np.random.default_rng(seed)
    found = agreement(random.normal(size=9), random.normal(size=9), [0, 0, 0, 1, 1, 1, 2, 2, 2])
    for name in ("pooled", "per_document"):
        assert found[f"{name}_low"] <= found[name] <= found[f"{name}_high"]


@pytest.mark.parametrize(
    "scores, ratings, documents, message",
    [
        ([1, 2, 3], [1, 2, 3], ["a"], "found 3 scores, 3 ratings and 1 documents"),
        ([1, 2], [1, 2, 3], ["a", "b", "c"], "found 2 scores, 3 ratings"),
        ([], [], [], "found 0 scores"),
        ([1, np.nan], [1, 2], ["a", "b"], r"scores\[1\]: found nan, expected a finite number"),
    ],
)
def test_agreement_of_what_cannot_be_compared(scores, ratings, documents, message):
    with pytest.raises(ValueError, match=f"^agreement: {message}"):
        agreement(scores, ratings, documents)


def test_documents_may_be_lists_of_sentences():
    assert agreement([1, 2, 3], [1, 2, 3], [["a", "b"], ["a", "b"], ["c"]])["documents"] == 2


def test_few_documents_have_an_interval():
    found = agreement([1, 2, 3, 5], [1, 3, 2, 4], list("abcd"))
    assert -1 <= found["pooled_low"] <= found["pooled"] <= found["pooled_high"] <= 1


def test_constant_scores_agree_with_nothing():
    groups = groups_of([0, 0, 1, 1])
    assert per_document(np.ones(4), np.array([1, 2, 1, 2]), groups).tolist() == [0, 0]
    assert np.isnan(agreement([1, 1, 1], [1, 2, 3], [0, 0, 1])["pooled"])
    assert np.isnan(agreement([1, 2], [1, 1], [0, 0])["per_document"])


def test_intervals_are_over_documents():
    """Sixteen copies of each document's example tell no more than one does."""
    random = np.random.default_rng(0)
    scores = random.normal(size=30)
    ratings = scores + random.normal(size=30)
    once = agreement(scores, ratings, range(30))
    many = agreement(np.repeat(scores, 16), np.repeat(ratings, 16), np.repeat(range(30), 16))
    widths = [found["pooled_high"] - found["pooled_low"] for found in (once, many)]
    assert widths[1] == pytest.approx(widths[0], rel=0.15) and once["pooled_low"] < once["pooled"] < once["pooled_high"]
    assert str(agreement(scores, ratings, range(30))) == str(once)


def test_texts_are_documents(metric):
    texts = [text for text in models.articles(6) for _ in range(3)]
    summaries = [text[k : k + 2] for k, text in enumerate(texts[:18])]
    head = metric.fit(texts, [s or ["nothing"] for s in summaries], list(range(18)))
    assert head.report["documents"] == 6 and head.report["pairs"] == 18
