"""Bootstrap intervals and the paired test."""

import math
import random

import numpy as np
import pytest

from benchmarks.stress import confidence
from metrics.muc_b3_ceaf_entropy.common_statistics import randomisation_p_values

MENTIONS = [f"m{i}" for i in range(12)]
KEY = [MENTIONS[:5], MENTIONS[5:9], MENTIONS[9:]]


def noisy(error_rate, n, seed):
    """Responses in which each mention is moved to a random class at the given rate."""
    generator = random.Random(seed)
    responses = []
    for _ in range(n):
        classes = {}
        for i, cluster in enumerate(KEY):
            for mention in cluster:
                classes.setdefault(generator.randrange(3) if generator.random() < error_rate else i, []).append(mention)
        responses.append(list(classes.values()))
    return responses


def test_interval_contains_the_score_and_narrows_with_more_documents(metric):
    widths = {}
    for n in (20, 500):
        result = metric.compute(predictions=noisy(0.3, n, seed=1), references=[KEY] * n, confidence=0.95)
        for key in ("muc_f1", "conll_f1", "entropy_recall", "kappa"):
            assert result[f"{key}_low"] < result[key] < result[f"{key}_high"]
            widths[key, n] = result[f"{key}_high"] - result[f"{key}_low"]
    for key in ("muc_f1", "conll_f1", "entropy_recall", "kappa"):
        assert 3 < widths[key, 20] / widths[key, 500] < 8  # about the square root of 25


def test_interval_is_seeded(metric):
    options = {"predictions": noisy(0.3, 30, seed=2), "references": [KEY] * 30, "measures": "b3", "confidence": 0.95}
    lows = [metric.compute(**options, seed=seed)["b3_f1_low"] for seed in (0, 0, 1)]
    assert lows[0] == lows[1] != lows[2]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_interval_is_of_the_average_asked_for(metric, average):
    """One long wrong document among small perfect ones: the averages are far apart."""
    small, wrong = [["a", "b"], ["c"]], [[f"m{i}" for i in range(60)]]
    references = [small] * 30 + [wrong]
    predictions = [small] * 30 + [[[m] for m in wrong[0]]]
    result = metric.compute(predictions=predictions, references=references, average=average, confidence=0.9)
    assert (result["muc_recall"] < 0.4) == (average == "micro")
    assert 0 <= result["muc_recall_low"] <= result["muc_recall"] <= result["muc_recall_high"] <= 1
    assert (result["muc_recall_low"] > 0.8) == (average == "macro")


def test_interval_has_the_zero_division_asked_for(metric):
    documents = [[["a"], ["b"]]] * 3
    result = metric.compute(predictions=documents, references=documents, confidence=0.9, zero_division=1.0)
    assert result["muc_f1_low"] == 1.0


def test_scores_undefined_in_some_draws_only(metric):
    """kappa of [[a], [b]] alone is undefined: the interval is that of the other draws."""
    documents = [[["a", "b"], ["c"]]] * 2 + [[["a"], ["b"]]]
    result = metric.compute(predictions=documents, references=documents, confidence=0.95, measures=["kappa"])
    assert result["kappa_low"] == result["kappa"] == result["kappa_high"] == 1.0


def test_compare_finds_a_real_difference_and_no_other(metric):
    references = [KEY] * 40
    better, worse, as_good = noisy(0.1, 40, 3), noisy(0.4, 40, 4), noisy(0.1, 40, 5)
    result = metric.compare(better, worse, references)
    assert result["conll_f1_a"] - result["conll_f1_b"] == pytest.approx(result["conll_f1_difference"])
    assert result["conll_f1_difference"] > 0
    assert result["conll_f1_p_value"] < 0.001
    assert metric.compare(better, as_good, references)["conll_f1_p_value"] > 0.05
    assert result["conll_f1_a"] == metric.compute(predictions=better, references=references)["conll_f1"]


def test_rounding_is_no_difference():
    """Scores that are equal but for the last digits differ in every document in the same direction."""
    first, second = np.zeros((15, 1)), np.full((15, 1), 1e-16)
    assert randomisation_p_values(first, second, lambda sums: sums, 999, seed=0) == 1.0
    assert randomisation_p_values(first, second + 1, lambda sums: sums, 999, seed=0) < 0.01


def test_undefined_differences_have_no_p_value(metric):
    apart = [[m] for cluster in KEY for m in cluster]
    result = metric.compare([apart] * 40, [KEY] * 40, [KEY] * 40, measures=["muc"], zero_division=math.nan)
    assert math.isnan(result["muc_f1_difference"]) and math.isnan(result["muc_f1_p_value"])


def test_compare_restricts_both_systems(metric):
    references, subset = [KEY] * 3, [["m0", "m1", "m5"]] * 3
    responses = noisy(0.5, 3, 7)
    result = metric.compare(responses, references, references, subset=iter(subset), measures=["b3"])
    assert result["b3_f1_a"] == metric.compute(predictions=responses, references=references, subset=subset)["b3_f1"]


def test_compare_errors(metric):
    with pytest.raises(ValueError, match="system 'b': found 1 predictions? and 2|system 'b': found 1 documents"):
        metric.compare([KEY, KEY], [KEY], [KEY, KEY])
    with pytest.raises(ValueError, match=r"system 'a': predictions\[1\], cluster 0: found an empty cluster"):
        metric.compare([KEY, [[]]], [KEY, KEY], [KEY, KEY])
    with pytest.raises(ValueError, match="system 'b': document 0: found the mention 'm10' in references but not in"):
        metric.compare([KEY, KEY], [KEY[:2], KEY], [KEY, KEY], mentions="strict")
    with pytest.raises(ValueError, match="references: found NoneType None"):
        metric.compare([KEY], [KEY], None)
    with pytest.raises(ValueError, match="references: found str 'abc'"):
        metric.compare([KEY], [KEY], "abc")
    with pytest.raises(ValueError, match="baselines: found this option in a comparison"):
        metric.compare([KEY, KEY], [KEY, KEY], [KEY, KEY], baselines=True)


@pytest.mark.filterwarnings("ignore:.*found one example alone")
def test_compare_one_document(metric):
    """Both scores, and nothing that one document cannot tell."""
    result = metric.compare([KEY], noisy(0.5, 1, 1), [KEY], measures=["b3"])
    assert result["b3_f1_a"] == 1.0 > result["b3_f1_b"] == 1.0 - result["b3_f1_difference"]
    rest = {name: value for name, value in result.items() if name.endswith(("_low", "_high", "_p_value"))}
    assert len(rest) == 3 * 7 and all(map(math.isnan, rest.values()))


@pytest.mark.slow
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_intervals_and_p_values_hold_what_they_promise(average):
    """On 600 simulated corpora of 100 documents, give or take three standard deviations; more of them by the script."""
    a, b = confidence.population(5000, average)
    covered = confidence.coverage(a, 100, runs=600, n_resamples=500)
    alarms = confidence.false_alarms(a, b, 100, runs=600, n_resamples=499)
    for key in confidence.KEYS:
        assert 0.91 <= covered[key] <= 0.98, key
        assert 0.02 <= alarms[key] <= 0.08, key


def test_where_two_systems_differ(metric):
    a, b = noisy(0.1, 4, 3), noisy(0.4, 4, 4)
    documents = metric.compare(a, b, [KEY] * 4, details=True)["documents"]
    for number, each in enumerate(documents):
        assert each["document"] == number
        for name, responses in (("a", a), ("b", b)):
            alone = metric.compute(predictions=[responses[number]], references=[KEY])
            assert {key: each[f"{key}_{name}"] for key in alone} == pytest.approx(alone, nan_ok=True)
        assert each["muc_f1_difference"] == each["muc_f1_a"] - each["muc_f1_b"]
