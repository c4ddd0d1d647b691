"""Every measure against the literal oracle, and H against scikit-learn."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import homogeneity_completeness_v_measure

from . import oracle
from .strategies import documents, same_mention_documents


@settings(max_examples=300)
@given(documents, st.sampled_from(["raw", "union"]), st.sampled_from([0.0, 1.0]))
def test_equals_oracle(score, document, policy, zero_division):
    key, response = document
    result = score(key, response, mentions=policy, zero_division=zero_division)
    expected = oracle.scores(key, response, policy, zero_division)
    assert set(result) == set(expected)
    for name, value in expected.items():
        assert result[name] == pytest.approx(value, abs=1e-9, nan_ok=True), name


@settings(max_examples=150)
@given(same_mention_documents)
def test_entropy_is_the_v_measure(score, document):
    key, response = document
    labels = [{m: i for i, cluster in enumerate(side) for m in cluster} for side in (key, response)]
    mentions = sorted(labels[0])
    homogeneity, completeness, v = homogeneity_completeness_v_measure(*[[side[m] for m in mentions] for side in labels])
    result = score(key, response, measures=["entropy"])
    assert result["entropy_precision"] == pytest.approx(homogeneity, abs=1e-9)
    assert result["entropy_recall"] == pytest.approx(completeness, abs=1e-9)
    assert result["entropy_f1"] == pytest.approx(v, abs=1e-9)


def literal_fractions(key, response):
    """Numerators and denominators of all measures of that shape, as the oracle has them, raw mentions."""
    key, response = ([set(c) for c in sorted(side, key=min)] for side in (key, response))
    completed = oracle.complete(key, response)
    fractions = {name: function(key, response) for name, function in oracle.CONLL_FRACTIONS.items()}
    return fractions | {name: function(*completed) for name, function in oracle.PAPER_FRACTIONS.items()}


@settings(max_examples=100)
@given(st.lists(documents, min_size=1, max_size=4))
def test_micro_adds_up_numerators_and_denominators(metric, corpus):
    keys, responses = zip(*corpus)
    result = metric.compute(predictions=responses, references=keys)
    per_document = [literal_fractions(key, response) for key, response in corpus]
    for name in per_document[0]:
        totals = [sum(column) for column in zip(*(fractions[name] for fractions in per_document))]
        default = 1.0 if name in oracle.PAPER_FRACTIONS else 0.0
        assert result[f"{name}_recall"] == pytest.approx(oracle.ratio(*totals[:2], default), abs=1e-9)
        assert result[f"{name}_precision"] == pytest.approx(oracle.ratio(*totals[2:], default), abs=1e-9)


@settings(max_examples=100)
@given(st.lists(documents, min_size=1, max_size=4))
def test_macro_is_the_mean_over_documents_where_defined(metric, corpus):
    keys, responses = zip(*corpus)
    result = metric.compute(predictions=responses, references=keys, average="macro")
    per_document = [oracle.scores(key, response, "raw", 0.0) for key, response in corpus]
    for name, value in result.items():
        defined = [scores[name] for scores in per_document if not math.isnan(scores[name])]
        expected = sum(defined) / len(defined) if defined else math.nan
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True), name


def test_micro_kappa_pools_the_tables_of_links(metric):
    """Documents of 3 and 4 mentions: N = 2 + 3, key links 1 + 2, response links 1 + 3, common 1 + 2."""
    keys = [[["a", "b"], ["c"]], [["a", "b", "c"], ["d"]]]
    responses = [[["a", "b"], ["c"]], [["a", "b", "c", "d"]]]
    result = metric.compute(predictions=responses, references=keys, measures=["kappa"])
    observed, expected = (3 + 1) / 5, (3 * 4 + 2 * 1) / 25
    assert result["kappa"] == pytest.approx((observed - expected) / (1 - expected))


def test_micro_blanc_pools_links(metric):
    """The second document has no non-coreference link, but the corpus has, so both types count."""
    keys = [[["a", "b"], ["c"]], [["a", "b"]]]
    responses = [[["a"], ["b", "c"]], [["a", "b"]]]
    result = metric.compute(predictions=responses, references=keys, measures=["blanc"])
    # Coreference: key {ab} + {ab}, response {bc} + {ab}, common 1. Non-coreference: {ac, bc} against {ab, ac}: 1.
    assert result["blanc_recall"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert result["blanc_f1"] == pytest.approx(0.5)


def test_published_examples_of_other_papers(score):
    """Luo (2005) and Moosavi and Strube (2016): their worked examples, with the values they print."""
    key = [list(range(1, 6)), [6, 7], [8, 9, 10, 11, 12]]
    merged_small = [list(range(1, 6)), [6, 7, 8, 9, 10, 11, 12]]
    merged_large = [[*range(1, 6), *range(8, 13)], [6, 7]]
    for response, b3, ceafm in ((merged_small, 0.865, 10 / 12), (merged_large, 0.737, 7 / 12)):
        result = score(key, response)
        assert result["b3_f1"] == pytest.approx(b3, abs=5e-4)
        assert result["ceafm_f1"] == pytest.approx(ceafm)
        assert result["muc_f1"] == pytest.approx(0.947, abs=5e-4)

    lea_key = [["a", "b", "c"], ["d", "e", "f", "g"]]
    lea_response = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]
    result = score(lea_key, lea_response)
    assert result["lea_recall"] == pytest.approx((3 * 1 / 3 + 4 * 1 / 6) / 7)
    assert result["lea_precision"] == pytest.approx((2 * 1 + 2 * 0 + 4 * 1 / 6) / 8)
    assert result["muc_recall"] == pytest.approx(2 / 5)
    assert result["ceafe_recall"] == pytest.approx((2 * 2 / 5 + 2 * 2 / 8) / 2)
