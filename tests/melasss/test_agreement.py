"""Agreement with ratings: both definitions, intervals over documents, other measures, what cannot be compared."""

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from metrics.melasss.learn_agreement import agreement, groups_of, per_document


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


@pytest.mark.parametrize("seed", range(6))
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
