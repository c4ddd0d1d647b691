"""Calibration: scikit-learn's Platt scaling as the outsider; rates corrected for the judge's errors: their coverage."""

from math import nan
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.calibration import _SigmoidCalibration

from metrics.parapluie import calibration
from metrics.parapluie.calibration import calibrate, corrected_rate


def draw(n, threshold, temperature, seed=0):
    """Scores, and labels that are as probable as scores with this threshold and temperature say."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 4, n)
    labels = rng.random(n) < 1 / (1 + np.exp(-(scores - threshold) / temperature))
    return scores, labels.astype(int)


@pytest.mark.parametrize("n", [16, 400])  # in few, the targets' (n + 1) / (n + 2) and 1 / (n + 2) count
def test_against_scikit_learn(n):
    scores, labels = draw(n, 1.5, 2.0)
    found = calibrate(scores, labels, resamples=0)
    platt = _SigmoidCalibration().fit(scores, labels)  # p = 1 / (1 + exp(a s + b))
    assert found["temperature"] == pytest.approx(-1 / platt.a_, rel=1e-4)
    assert found["threshold"] == pytest.approx(-platt.b_ / platt.a_, abs=1e-4)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_units_of_the_scores(scale):
    scores, labels = draw(200, 1.0, 1.0)
    plain, scaled = calibrate(scores, labels, resamples=0), calibrate(scores * scale + 3 * scale, labels, resamples=0)
    assert scaled["temperature"] == pytest.approx(plain["temperature"] * scale)
    assert scaled["threshold"] == pytest.approx((plain["threshold"] + 3) * scale)
    assert scaled["calibrated_error"] == pytest.approx(plain["calibrated_error"])


def test_classes_that_do_not_overlap():
    found = calibrate([-3.0, -2.0, -2.5, 1.0, 2.0, 3.0], [0, 0, 0, 1, 1, 1])
    assert 0 < found["temperature"] < 2 and -2 < found["threshold"] < 1


def test_intervals_hold_what_made_the_labels():
    """Of 200 samples, some 95 in 100 have the true threshold and temperature in their intervals."""
    inside = np.zeros(2)
    for seed in range(200):
        found = calibrate(*draw(150, 1.0, 2.0, seed), resamples=200)
        truth = {"threshold": 1.0, "temperature": 2.0}
        inside += [found[f"{name}_low"] <= value <= found[f"{name}_high"] for name, value in truth.items()]
    assert (inside / 200 >= 0.90).all() and (inside / 200 <= 0.99).all(), inside


def test_no_interval_where_the_labels_may_not_follow_the_scores():
    with pytest.warns(UserWarning, match="^found too few pairs to tell that paraphrases have higher scores"):
        found = calibrate([0.0, 1.0, 2.0, 3.0], [0, 1, 0, 1])
    assert found["temperature"] > 0 and all(np.isnan(found[f"temperature_{end}"]) for end in ("low", "high"))


def test_expected_calibration_error_by_hand():
    """20 pairs in ten bins of two: |mean probability - share| of each, averaged."""
    scores, labels = draw(20, 0.0, 3.0)
    order = np.argsort(scores)
    p = 1 / (1 + np.exp(-scores[order]))
    expected = np.mean([abs(p[i : i + 2].mean() - labels[order][i : i + 2].mean()) for i in range(0, 20, 2)])
    found = calibrate(scores, labels, resamples=0, details=True)
    assert found["expected_calibration_error"] == pytest.approx(expected)
    assert [b["pairs"] for b in found["bins"]] == [2] * 10
    assert [b["probability"] for b in found["bins"]] == pytest.approx(p.reshape(10, 2).mean(1))


def test_calibration_mends_what_is_too_sure():
    scores, labels = draw(2000, 2.0, 5.0)
    found = calibrate(scores, labels, resamples=0)
    assert found["expected_calibration_error"] > 0.15 > 0.05 > found["calibrated_error"]


def test_plot(tmp_path):
    """A point for each bin and curve, where its numbers say: the diagram is 300 wide and high."""
    path = tmp_path / "reliability.svg"
    found = calibrate(*draw(50, 0, 1), resamples=0, details=True, plot=str(path))
    circles = [element.attrib for element in ElementTree.parse(path).iter() if element.tag.endswith("circle")]
    expected = [(b[name], b["rate"]) for name in ("probability", "calibrated_probability") for b in found["bins"]]
    places = [((float(c["cx"]) - 50) / 300, (330 - float(c["cy"])) / 300) for c in circles]
    assert np.array(places) == pytest.approx(np.array(expected), abs=1e-3)


@pytest.mark.parametrize(
    ("scores", "labels", "message"),
    [
        ([1.0, 1.0], [0, 1], "scores: found the score 1 for all pairs, expected different"),
        ([1.0, 2.0, 3.0, 4.0], [1, 1, 0, 0], "scores: found scores no higher for paraphrases"),
        ([1.0, nan], [0, 1], r"scores\[1\]: found nan, expected a finite number"),
    ],
)
def test_faults(scores, labels, message):
    with pytest.raises(ValueError, match=message):
        calibrate(scores, labels)


# ---- Corrected rates ----


def by_hand(p, q0, q1, n, m0, m1, z):
    """The interval, number by number (arXiv 2511.21140)."""
    p, q0, q1 = (n * p + z * z / 2) / (n + z * z), (m0 * q0 + 1) / (m0 + 2), (m1 * q1 + 1) / (m1 + 2)
    n, m0, m1 = n + z * z, m0 + 2, m1 + 2
    rate = (p + q0 - 1) / (q0 + q1 - 1)
    moved = rate + 2 * z * z * (rate * q1 * (1 - q1) / m1 - (1 - rate) * q0 * (1 - q0) / m0)
    variance = p * (1 - p) / n + (1 - rate) ** 2 * q0 * (1 - q0) / m0 + rate**2 * q1 * (1 - q1) / m1
    half = z * variance**0.5 / (q0 + q1 - 1)
    return moved - half, moved + half


def test_corrected_rate_by_hand():
    scores = [1.0] * 60 + [-1.0] * 40
    labelled, labels = [1] * 45 + [-1] * 5 + [1] * 8 + [-1] * 32, [1] * 50 + [0] * 40
    found = corrected_rate(scores, labelled, labels)
    assert (found["sensitivity"], found["specificity"], found["paraphrase_rate"]) == (0.9, 0.8, 0.6)
    assert found["corrected_rate"] == pytest.approx((0.6 + 0.8 - 1) / 0.7)
    low, high = by_hand(0.6, 0.8, 0.9, 100, 40, 50, 1.959963984540054)
    assert [found["corrected_rate_low"], found["corrected_rate_high"]] == pytest.approx([low, high])


@pytest.mark.parametrize("sensitivity, specificity, rate", [(0.9, 0.8, 0.3), (0.75, 0.95, 0.6), (0.85, 0.85, 0.1)])
def test_coverage(sensitivity, specificity, rate):
    """In 10,000 simulations the interval holds the true rate in 95 ± 1 of 100; the judge's own share hardly ever is."""
    rng, draws, n, m = np.random.default_rng(0), 10_000, 1000, 200
    judged = rng.binomial(n, rate * sensitivity + (1 - rate) * (1 - specificity), draws)
    right_no, right_yes = rng.binomial(m, specificity, draws), rng.binomial(m, sensitivity, draws)
    low, high = calibration._interval(judged, n, right_no, m, right_yes, m, z=1.959963984540054)
    covered = np.mean((low <= rate) & (rate <= high))
    assert abs(covered - 0.95) <= 0.01, covered
    corrected = (judged / n + right_no / m - 1) / (right_no / m + right_yes / m - 1)
    assert abs(corrected.mean() - rate) < 0.005


def test_no_scores():
    with pytest.raises(ValueError, match="^scores: found no score, expected at least one"):
        corrected_rate([], [1.0, -1.0], [1, 0])


def test_a_judge_no_better_than_chance():
    with pytest.raises(ValueError, match="found a sensitivity of 0.50 and a specificity of 0.50, expected"):
        corrected_rate([1.0], [1, -1, 1, -1], [1, 1, 0, 0])
