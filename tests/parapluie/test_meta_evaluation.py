"""meta_evaluate: against literal counting, scikit-learn, SciPy, and the figures that the papers print."""

import csv
import math
import time
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from scipy.interpolate import interp1d
from scipy.optimize import brentq
from scipy.stats import bootstrap, pearsonr
from sklearn.metrics import accuracy_score, precision_recall_fscore_support, roc_curve

from metrics.parapluie.meta_evaluation import curve, meta_evaluate, ordered

from ..conftest import ROOT
from .oracle import labelled, rates

DATA = ROOT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets (../shared/data) are not here")


@st.composite
def labelled_pairs(draw):
    """Scores with many ties, labels of both classes, distances."""
    n = draw(st.integers(2, 30))
    scores = draw(st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda found: len(set(found)) == 2))
    distances = draw(st.lists(st.floats(0, 1, width=16), min_size=n, max_size=n))
    return scores, labels, distances


@given(labelled_pairs(), st.booleans())
@settings(deadline=None, max_examples=60)
def test_best_thresholds_against_trying_all(pairs, lower_is_better):
    scores, labels, _ = pairs
    found = meta_evaluate(scores, labels, lower_is_better=lower_is_better, resamples=0)
    tried = labelled(scores, labels, lower_is_better)
    for best, place in (("best_accuracy", 0), ("best_f1", 1)):
        assert found[best] == pytest.approx(max(point[place] for point in tried))
        names = [best if rate in best else f"{best}_{rate}" for rate in ("accuracy", "f1", "recall", "precision")]
        at = rates(scores, labels, found[f"{best}_threshold"], lower_is_better)
        assert [found[name] for name in names] == pytest.approx(at)


@given(labelled_pairs(), st.sampled_from([-2, -0.25, 0, 0.1, 0.25, 2]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_natural_threshold_and_curve_against_scikit_learn(pairs, threshold, lower_is_better):
    scores, labels, _ = pairs
    found = meta_evaluate(
        scores, labels, threshold=threshold, lower_is_better=lower_is_better, resamples=0, details=True
    )
    verdicts = [score < threshold if lower_is_better else score > threshold for score in scores]
    precision, recall, f1, _ = precision_recall_fscore_support(labels, verdicts, average="binary", zero_division=0)
    names = ("natural_accuracy", "natural_f1", "natural_recall", "natural_precision")
    assert [found[name] for name in names] == pytest.approx([accuracy_score(labels, verdicts), f1, recall, precision])

    signed = [-score for score in scores] if lower_is_better else scores
    false_alarms, hits, thresholds = roc_curve(labels, signed, drop_intermediate=False)
    assert found["false_acceptance_rates"] == pytest.approx(false_alarms)
    assert found["false_rejection_rates"] == pytest.approx(1 - hits)
    assert found["accepted"] == [sum(score >= t for score in signed) for t in thresholds]
    lines = interp1d(false_alarms, hits)
    error = brentq(lambda x: 1 - x - lines(x), 0, 1) if hits[np.argmax(false_alarms > 0) - 1] < 1 else 0.0
    assert found["eer"] == pytest.approx(error, abs=1e-9)


@given(labelled_pairs())
@settings(deadline=None, max_examples=40)
def test_distances_are_scores_turned_round(pairs):
    """Means change their sign, rates do not change."""
    scores, labels, distances = pairs
    one = meta_evaluate(scores, labels, distances, resamples=0, threshold=0.3)
    other = meta_evaluate(
        [-score for score in scores], labels, distances, resamples=0, threshold=-0.3, lower_is_better=True
    )
    for name, value in one.items():
        turned = name.endswith(("_mean", "_threshold", "_correlation"))
        assert other[name] == pytest.approx(-value if turned else value, nan_ok=True), name


@given(labelled_pairs())
@settings(deadline=None, max_examples=40)
def test_means_and_correlations_against_numpy_and_scipy(pairs):
    scores, labels, distances = map(np.array, pairs)
    found = meta_evaluate(scores, labels, distances, resamples=0)
    for name, chosen in (("", labels >= 0), ("paraphrase_", labels == 1), ("non_paraphrase_", labels == 0)):
        if name:
            assert found[f"{name}mean"] == pytest.approx(scores[chosen].mean())
            assert found[f"{name}std"] == pytest.approx(scores[chosen].std(), abs=1e-9)
        correlation = found[f"{name}edit_distance_correlation"]
        if min(np.ptp(scores[chosen]), np.ptp(distances[chosen])) > 1e-3:
            assert correlation == pytest.approx(pearsonr(scores[chosen], distances[chosen]).statistic, abs=1e-6)
        elif min(np.ptp(scores[chosen]), np.ptp(distances[chosen])) == 0:
            assert math.isnan(correlation)


def test_no_two_floats_are_too_close_to_tell_apart():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    found = meta_evaluate([high, low], [1, 0], resamples=0)
    assert found["best_accuracy"] == 1.0 and low <= found["best_accuracy_threshold"] < high


def test_extremes_accept_none_and_all():
    pairs = ordered(np.array([0.5, 0.2, 0.2]), np.array([1, 0, 1]), None)
    found = curve(pairs)
    assert found["accepted"].tolist() == [0, 1, 3]
    assert found["thresholds"][0] > 0.5 and found["thresholds"][-1] < 0.2
    assert found["thresholds"][1] == pytest.approx(0.35)


def drawn(n=60, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3 > 0
    distances = rng.random(n)
    return np.round(labels + rng.normal(size=n), 1), labels, distances


def test_intervals_are_those_of_whole_resamples():
    """The same draws, each evaluated by itself as data of its own."""
    scores, labels, distances = drawn()
    order = np.argsort(-scores, kind="stable")  # the draws are of places in this order
    scores, labels, distances = scores[order], labels[order], distances[order]
    found = meta_evaluate(scores, labels, distances, resamples=60, confidence=0.9, seed=7)
    names = [name for name in found if f"{name}_low" in found and not name.endswith("_threshold")]

    def statistic(*classes):
        chosen = np.concatenate(classes)
        one = meta_evaluate(scores[chosen], labels[chosen], distances[chosen], resamples=0)
        return np.array([one[name] for name in names])

    classes = [np.flatnonzero(labels), np.flatnonzero(~labels)]
    draws = bootstrap(
        classes, statistic, vectorized=False, n_resamples=60, method="percentile", rng=np.random.default_rng(7)
    )
    expected = np.quantile(draws.bootstrap_distribution, (0.05, 0.95), axis=-1)
    assert len(names) == 20
    for name, low, high in zip(names, *expected):
        assert (found[f"{name}_low"], found[f"{name}_high"]) == pytest.approx((low, high)), name
        assert found[f"{name}_low"] <= found[f"{name}_high"]


def test_intervals_of_a_distance_have_their_ends_in_order():
    scores, labels, distances = drawn()
    found = meta_evaluate(scores, ~labels, distances, lower_is_better=True, resamples=50, threshold=None)
    lows = [name for name in found if name.endswith("_low")]
    assert lows and all(found[name] <= found[name.replace("_low", "_high")] for name in lows)
    assert not any(name.startswith("natural") for name in found)


def test_undefined_intervals_are_nan_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = meta_evaluate([1, 2, 3], [1, 0, 0], [1, 1, 1], resamples=20)
        flat = meta_evaluate([1, 1, 2, 3], [1, 1, 0, 0], [1, 2, 3, 4], resamples=20)
    assert math.isnan(one["eer_low"]) and math.isnan(one["edit_distance_correlation"])
    assert math.isnan(flat["paraphrase_edit_distance_correlation_low"]) and flat["paraphrase_std_high"] == 0


def test_same_seed_same_intervals(metric):
    scores, labels, distances = drawn()
    one, again, other = (metric.meta_evaluate(scores, labels, distances, seed=seed, resamples=50) for seed in (1, 1, 2))
    assert one == again != other
    assert all(isinstance(value, (int, float)) for value in one.values())


def test_eight_thousand_pairs_take_seconds(metric):
    scores, labels, distances = drawn(8000)
    start = time.process_time()
    metric.meta_evaluate(scores + np.random.default_rng(1).normal(size=8000), labels, distances)
    assert time.process_time() - start < 8


@needs_data
def test_levenshtein_of_the_papers_on_mrpc(metric):
    """ACL paper, tables 1 and 2, row LEV.; table 4 prints 1 - EER there."""
    pairs = []
    for part in ("train", "test"):
        with open(DATA / "mrpc" / f"msr_paraphrase_tokenized_{part}.txt", encoding="utf-8-sig") as file:
            pairs += list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    distances = [Levenshtein.normalized_distance(row[3], row[4]) for row in pairs]
    labels = [int(row[0]) for row in pairs]
    found = metric.meta_evaluate(distances, labels, threshold=None, lower_is_better=True, resamples=0)
    printed = {
        "paraphrase_mean": 0.38, "paraphrase_std": 0.16, "non_paraphrase_mean": 0.51, "non_paraphrase_std": 0.13,
        "best_accuracy": 0.69, "best_accuracy_threshold": 0.52, "best_accuracy_f1": 0.78,
        "best_accuracy_recall": 0.81, "best_accuracy_precision": 0.75, "eer": 0.34, "eer_threshold": 0.45,
    }  # fmt: skip
    assert {name: round(found[name], 2) for name in printed} == printed
    assert found["pairs"] == 5801 and found["paraphrases"] == 3900


@pytest.mark.parametrize(
    "arguments, options, message",
    [
        (([1.0], [1, 0]), {}, "found 1 scores and 2 labels, expected the same number"),
        (([1.0, 2.0], [1, 0], [1.0]), {}, "found 2 scores and 1 distances, expected the same number"),
        (([1.0, math.nan], [1, 0]), {}, r"scores\[1\]: found nan, expected a finite number"),
        (([1.0, 2.0], [1, 2]), {}, r"labels\[1\]: found 2, expected 1 for a paraphrase or 0 for none"),
        (([1.0, 2.0], [1, 1]), {}, "labels: found 2 paraphrases among 2 pairs, expected pairs of both classes"),
        (([], []), {}, "labels: found 0 paraphrases among 0 pairs"),
        ((["a", "b"], [1, 0]), {}, r"scores: found \['a', 'b'\], expected a list of numbers"),
        ((["1", "2"], [1, 0]), {}, r"scores: found \['1', '2'\], expected a list of numbers"),
        (([None, 2], [1, 0]), {}, r"scores: found \[None, 2\], expected a list of numbers"),
        (([[1.0], [2.0, 3.0]], [1, 0]), {}, "scores: found .*, expected a list of numbers"),
        ((3.0, [1, 0]), {}, "scores: found 3.0, expected a list of numbers"),
        (({0.1, 0.3}, [0, 1]), {}, "scores: found {.*, expected a list of numbers"),  # what has no order
        (({0.1: 1, 0.3: 0}, [0, 1]), {}, "scores: found {.*, expected a list of numbers"),
        ((b"ab", [0, 1]), {}, "scores: found b'ab', expected a list of numbers"),
        (([[1.0], [2.0]], [1, 0]), {}, "scores: found an array of 2 dimensions, expected a list of numbers"),
        (([1.0, 2.0], [1, 0]), {"confidence": 95}, "confidence: found 95, expected a number between 0 and 1"),
        (([1.0, 2.0], [1, 0]), {"threshold": "0"}, "threshold: found '0', expected a number, or None"),
        (([1.0, 2.0], [1, 0]), {"resamples": -1}, "resamples: found -1, expected an integer of at least 0"),
        (([1.0, 2.0], [1, 0]), {"seed": 0.5}, "seed: found 0.5, expected an integer of at least 0"),
        (([1.0, 2.0], [1, 0]), {"lower_is_better": 1}, "lower_is_better: found 1, expected True or False"),
    ],
)
def test_errors(metric, arguments, options, message):
    with pytest.raises(ValueError, match=f"parapluie: .*{message}"):
        metric.meta_evaluate(*arguments, **options)


def test_an_outlier_of_one_class_does_not_flatten_the_other(metric):
    rng = np.random.default_rng(0)
    scores, labels = np.append(rng.normal(size=199), 1e7), np.append(np.arange(199) % 2, 1)
    distances = scores + rng.normal(scale=0.1, size=200)
    found = metric.meta_evaluate(scores, labels, distances, resamples=0)
    others = labels == 0
    expected = np.corrcoef(scores[others], distances[others])[0, 1]
    assert found["non_paraphrase_edit_distance_correlation"] == pytest.approx(expected, abs=1e-9)
