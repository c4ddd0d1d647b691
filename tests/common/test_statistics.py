"""Intervals, the test of two systems, several systems, parts put together: beside slow literal versions and scipy."""

import inspect
import itertools
import json
import math
import random
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, permutation_test

from metrics._common import common_statistics
from metrics._common.common import full_signature, one_of, option
from metrics._common.common_comparison import ComparedMetric
from metrics._common.common_statistics import (
    IntervalOptions,
    Sample,
    bootstrap_interval,
    exact_sums,
    holm,
    interval_of,
    randomisation_p_values,
    rate_interval,
)

NUMBERS = np.random.default_rng(0).normal(1.0, 2.0, 30)
OTHERS = NUMBERS + np.random.default_rng(1).normal(0.3, 1.0, 30)


def ratio(sums):
    """A score that is no mean: of two sums, 0/0 undefined."""
    return sums[..., :1] / sums[..., 1:2]


def sample(numbers=NUMBERS):
    return Sample.of_means({"score": numbers})


# ---- Sums ----


def test_sums_are_rounded_once():
    """0.1 ten times is 1, whatever the order; numpy's sum of the columns is not."""
    column = np.array([0.1] * 10 + [1e17, 1.0, -1e17])
    assert exact_sums(np.stack([column, column[::-1]], axis=1)).tolist() == [math.fsum(column)] * 2 == [2.0, 2.0]


def test_means():
    both = Sample.of_means({"score": [1, 2, 6], "rate": [True, False, True]})
    assert both.scores() == {"score": 3.0, "rate": 2 / 3}
    assert both.each() == [{"score": 1, "rate": 1}, {"score": 2, "rate": 0}, {"score": 6, "rate": 1}]


# ---- Intervals ----


@pytest.mark.parametrize("together", [1, 70, 10**6])
def test_interval_is_the_literal_one(monkeypatch, together):
    """Of multinomial draws of the sorted examples, whatever number is drawn at a time."""
    monkeypatch.setattr(common_statistics, "BATCH_NUMBERS", together)
    rows = np.array([[0.0, 1.0], [3.0, 1.0], [1.0, 2.0], [0.0, 0.0]])
    found = bootstrap_interval(rows, ratio, 0.8, 200, 5)
    generator, values = np.random.default_rng(5), []
    for weights in generator.multinomial(4, [0.25] * 4, 200):
        ordered = sorted(rows.tolist(), key=lambda row: row[::-1])
        drawn = [row for row, times in zip(ordered, weights) for _ in range(times)]
        numerator, denominator = (sum(column) for column in zip(*drawn))
        values += [numerator / denominator] if denominator else []
    assert 0 < len(values) < 200  # some draws are undefined
    assert [end[0] for end in found] == pytest.approx(np.quantile(values, [0.1, 0.9]).tolist())


def test_one_example_has_no_interval():
    one = Sample.of_means({"score": NUMBERS[:1], "rate": [1]}, ["rate"])
    with pytest.warns(UserWarning, match="found one example alone"):
        found = one.intervals(0.95, 100, 0)
    names = [f"{key}_{end}" for key in ("score", "rate") for end in ("low", "high")]
    assert list(found) == names and all(map(math.isnan, found.values()))
    assert one.intervals(None, 100, 0) == {}


# ---- Rates ----


@pytest.mark.parametrize(
    "k, n, printed",
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))],
)
def test_intervals_of_rates_are_the_printed_ones(k, n, printed):
    """Newcombe (1998), table I, method 3."""
    assert rate_interval(k / n, n, 0.95) == pytest.approx(printed, abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.999))
def test_intervals_of_rates_are_scipys(share, confidence):
    k, n = share
    low, high = rate_interval(k / n, n, confidence)
    assert (low, high) == pytest.approx(tuple(binomtest(k, n).proportion_ci(confidence, "wilson")), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1


def test_rates_are_told_by_name():
    """A mean of zeros and ones need not be a rate, and a rate is one at whatever value; order does not matter."""
    ones, halves = [1.0] * 6, [1, 0, 1, 0, 0, 1]
    found = Sample.of_means({"mean": ones, "rate": ones, "half": halves}, ["rate", "half"]).intervals(0.9, 50, 0)
    assert (found["mean_low"], found["mean_high"]) == (1.0, 1.0)
    assert (found["rate_low"], found["rate_high"]) == rate_interval(1.0, 6, 0.9)
    assert (found["half_low"], found["half_high"]) == rate_interval(0.5, 6, 0.9)
    turned = Sample.of_means({"half": halves[::-1]}, ["half"]).intervals(0.9, 50, 1)
    assert turned == {name: found[name] for name in ("half_low", "half_high")}
    for wrong in (0.5, math.nan, "1"):
        with pytest.raises(ValueError, match="found .*expected (0 or 1 for each example|numbers)"):
            Sample.of_means({"rate": [1, wrong]}, ["rate"])


def test_rates_of_two_systems():
    """Each has its own interval; that of the difference is drawn from the pairs, a point where these are alike."""
    a, b = (Sample.of_means({"rate": each}, ["rate"]) for each in ([1] * 10, [1, 0] * 5))
    found = a.compare(b, 0.95, 2000, 0)
    assert [found["rate_a_low"], found["rate_a_high"]] == [*rate_interval(1.0, 10, 0.95)]
    assert [found["rate_b_low"], found["rate_b_high"]] == [*rate_interval(0.5, 10, 0.95)]
    draws = bootstrap(([0, 1] * 5,), np.mean, n_resamples=2000, method="percentile", rng=2).confidence_interval
    assert [found["rate_difference_low"], found["rate_difference_high"]] == pytest.approx(list(draws), abs=0.1)
    same = a.compare(a, 0.95, 99, 0)
    assert same["rate_difference_low"] == same["rate_difference_high"] == 0.0


# ---- The order of examples ----


@given(st.randoms(use_true_random=False))
def test_the_order_of_examples_does_not_matter(shuffler):
    """Nor for a digit: of scores, intervals, differences and p-values."""
    order = list(range(30))
    shuffler.shuffle(order)
    first, second = sample(), sample(OTHERS)
    moved, others = sample(NUMBERS[order]), sample(OTHERS[order])
    assert first.scores() == moved.scores()
    assert first.intervals(0.9, 50, 3) == moved.intervals(0.9, 50, 3)
    assert first.compare(second, 0.9, 50, 3) == moved.compare(others, 0.9, 50, 3)


# ---- The paired test ----


def p_value(first, second, n_resamples=9999, seed=0):
    return randomisation_p_values(first.summands, second.summands, first.values, n_resamples, seed)[0]


@pytest.mark.parametrize("n", [2, 3, 7])
def test_exact_p_value_is_the_literal_one_and_scipys(n):
    a, b = NUMBERS[:n], OTHERS[:n]
    observed = abs(np.mean(a) - np.mean(b))
    extreme = 0
    for exchanged in itertools.product([False, True], repeat=n):
        x = [v if flip else u for u, v, flip in zip(a, b, exchanged)]
        y = [u if flip else v for u, v, flip in zip(a, b, exchanged)]
        extreme += abs(np.mean(x) - np.mean(y)) >= observed - 1e-12
    found = p_value(sample(a), sample(b))
    assert found == pytest.approx(extreme / 2**n)
    theirs = permutation_test(
        (a, b), lambda x, y: abs(x.mean() - y.mean()), permutation_type="samples", alternative="greater"
    )
    assert found == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("seed", [0, 1])
def test_random_p_value_is_the_literal_one(seed):
    a, b = NUMBERS[:20], NUMBERS[:20] + np.linspace(-1, 1.4, 20)
    pairs = np.array(sorted(zip(a, b), key=lambda pair: pair[::-1]))
    draws = np.random.default_rng(seed).integers(0, 2, (500, 20), dtype=np.int8)
    observed = abs(np.mean(a) - np.mean(b))
    as_large = 0
    for flips in draws:
        x, y = np.where(flips, pairs[:, ::-1].T, pairs.T)
        as_large += abs(x.mean() - y.mean()) >= observed - 1e-12
    assert p_value(sample(a), sample(b), 500, seed) == pytest.approx((as_large + 1) / 501)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=8), st.integers(0, 9))
def test_a_comparison_turned_round(pairs, seed):
    """The differences change their sign, the p-values stay; a system does not differ from itself."""
    a, b = (sample(np.array(side)) for side in zip(*pairs))
    one, other = a.compare(b, 0.8, 300, seed), b.compare(a, 0.8, 300, seed)  # all exchanges are tried
    assert one["score_difference"] == -other["score_difference"]
    assert one["score_p_value"] == other["score_p_value"]
    assert one["score_a"] == a.scores()["score"] == other["score_b"]
    assert one["score_difference_low"] <= one["score_difference_high"]
    same = a.compare(a, 0.8, 300, seed)
    assert same["score_p_value"] == 1.0
    assert same["score_difference_low"] == same["score_difference_high"] == same["score_difference"] == 0.0


def test_the_interval_of_a_difference_is_paired():
    """As scipy has it of the differences; each system's is its own."""
    found = sample().compare(sample(OTHERS), 0.9, 20_000, 1)
    for what, numbers in (("a", NUMBERS), ("b", OTHERS), ("difference", NUMBERS - OTHERS)):
        expected = bootstrap((numbers,), np.mean, n_resamples=20_000, confidence_level=0.9, method="percentile", rng=2)
        ends = [found[f"score_{what}_low"], found[f"score_{what}_high"]]
        assert ends == pytest.approx(list(expected.confidence_interval), abs=0.03), what
    names = [f"score_{what}{end}" for what in ("a", "b", "difference") for end in ("", "_low", "_high")]
    assert list(found) == [*names, "score_p_value"]
    assert list(sample().compare(sample(), None, 9, 1)) == ["score_a", "score_b", "score_difference", "score_p_value"]


# ---- Holm ----


def literal_holm(p_values):
    """One is rejected at a level if it and all smaller ones pass their own: the level over how many are left."""
    ranked = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    for place, i in enumerate(ranked):
        worst = max((len(ranked) - k) * p_values[j] for k, j in enumerate(ranked[: place + 1]))
        corrected[i] = min(1.0, worst)
    return corrected


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm(p_values):
    corrected = holm(p_values)
    assert corrected == pytest.approx(literal_holm(p_values))
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected))
    assert holm([math.nan, *p_values])[1:] == corrected  # what has no p-value is no test


# ---- A toy metric ----


@dataclass(frozen=True, kw_only=True)
class Options(IntervalOptions):
    """How a toy scores."""

    case: str | None = option(None, one_of(("lower", None)))
    single: int | None = option(None, affects_score=False)
    OF_COMPUTE = ("single",)


class Scorer:
    """The share of a prediction's letters that are as in the reference."""

    ADDS_UP = ("scores",)

    def __init__(self, options):
        self.options = options

    def close(self):
        """Nothing is open."""

    def signature(self):
        return self.options.signature()

    def _lists(self, predictions, references):
        pairs = ((p.lower(), r.lower()) if self.options.case else (p, r) for p, r in zip(predictions, references))
        return {
            "scores": [sum(map(str.__eq__, p, r)) / len(r) for p, r in pairs],
            "lengths": list(map(len, references)),
        }

    def sample(self, predictions, references):
        return Sample.of_means({"toy": self._lists(predictions, references)["scores"]})

    def score(self, predictions, references):
        known = {"long": sum(len(p) > 3 for p in predictions)}
        return self.combine(known, self._lists(predictions, references), self.options)

    @staticmethod
    def combine(known, lists, options):
        toy = Sample.of_means({"toy": lists["scores"]})
        result = toy.scores() | ({"long": known["long"]} if known.get("long") else {})
        return result | toy.intervals(*interval_of(options)) | (lists if options.details else {})


def check(predictions, references, start=0):
    if len(predictions) != len(references):
        raise ValueError(f"found {len(predictions)} and {len(references)}, expected the same number")
    return list(predictions), list(references)


class Base:
    """What evaluate's Metric is to the mixin, as far as it needs it."""

    def compute(self, *, predictions=None, references=None):
        return {"predictions": predictions, "references": references}


class Toy(ComparedMetric, Base):
    METRIC, UNIT = "toy", "words"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check)

    def __init__(self):
        """Nothing is kept."""

    @staticmethod
    def result(predictions, references, **options):
        """What compute gives."""
        options = Options(**options)
        scorer = Scorer(options)
        signature = {"signature": full_signature("toy", scorer)} if options.details else {}
        return scorer.score(predictions, references) | signature


WORDS = ["house", "boat", "river", "sun", "harbour", "ferry"]
SPELT = ["hoose", "boat", "rever", "sum", "harbour", "fairy"]
WORSE = ["xxxxx", "baat", "rover", "sun", "hxrbxxx", "berry"]


def test_compare():
    found, scorer = Toy.compare(SPELT, WORSE, WORDS, seed=2), Scorer(Options())
    assert found == scorer.sample(SPELT, WORDS).compare(scorer.sample(WORSE, WORDS), 0.95, 9999, 2)
    assert found["toy_a"] == Toy.result(SPELT, WORDS)["toy"] > found["toy_b"] == Toy.result(WORSE, WORDS)["toy"]
    details = Toy.compare(SPELT, WORSE, iter(WORDS), seed=2, details=True)
    assert {name: details[name] for name in found} == found and details["signature"].startswith("toy|version:")
    assert details["words"][1] == {"word": 1, "toy_a": 1.0, "toy_b": 0.75, "toy_difference": 0.25}


def test_compare_shows_its_options():
    for function, own in (
        (Toy.compare, ["predictions_a", "predictions_b", "references"]),
        (Toy.compare_many, ["systems", "references", "against"]),
    ):
        parameters = inspect.signature(function).parameters
        assert list(parameters) == [*own, "confidence", "n_resamples", "seed", "details", "case", "single"]
        assert [parameters[name].default for name in ("confidence", "n_resamples")] == [0.95, 9999]
    expected = ["results", "confidence", "n_resamples", "seed", "details"]
    assert list(inspect.signature(Toy.combine).parameters) == expected
    for function in (Toy.compare, Toy.compare_many, Toy.combine):
        assert "Args:" in function.__doc__ and "Raises:" in function.__doc__


@pytest.mark.parametrize(
    "systems, options, message",
    [
        ((SPELT, WORSE[1:]), {}, "toy: system 'b': found 5 and 6, expected the same number"),
        ((SPELT[1:], WORSE), {}, "toy: system 'a': found 5 and 6, expected the same number"),
        ((SPELT, WORSE), {"single": 3}, "toy: single: found this option in a comparison, expected"),
        ((SPELT, WORSE), {"confidence": 95}, "toy: confidence: found 95, expected a number between 0 and 1"),
    ],
)
def test_compare_errors(systems, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Toy.compare(*systems, WORDS, **options)


SYSTEMS = {"spelt": SPELT, "worse": WORSE, "right": WORDS}


def test_compare_many():
    found = Toy.compare_many(SYSTEMS, WORDS, n_resamples=500, case="lower")
    assert list(found) == ["systems", "pairs"] and list(found["systems"]) == list(SYSTEMS)
    for name, scores in found["systems"].items():
        alone = Toy.result(SYSTEMS[name], WORDS, confidence=0.95, n_resamples=500)
        assert scores == {key: alone[key] for key in ("toy", "toy_low", "toy_high")}
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == list(itertools.combinations(SYSTEMS, 2))
    for pair in found["pairs"]:
        alone = Toy.compare(SYSTEMS[pair["a"]], SYSTEMS[pair["b"]], WORDS, n_resamples=500, case="lower")
        assert {name: pair[name] for name in alone} == alone
    p_values = [pair["toy_p_value"] for pair in found["pairs"]]
    assert [pair["toy_p_holm"] for pair in found["pairs"]] == holm(p_values) != p_values


def test_compare_many_with_one():
    found = Toy.compare_many(SYSTEMS, WORDS, against="worse", details=True)
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [("worse", "spelt"), ("worse", "right")]
    assert found["signature"].startswith("toy|version:")
    for systems, against, message in (
        ({"spelt": SPELT}, None, "systems: found {'spelt': .*, expected {name: predictions} of two systems or more"),
        ([SPELT, WORSE], None, "systems: found "),
        (SYSTEMS, "x", "against: found 'x', expected one of spelt, worse, right"),
        (SYSTEMS | {"short": ["a"]}, None, "system 'short': found 1 and 6"),
    ):
        with pytest.raises(ValueError, match=f"^toy: {message}"):
            Toy.compare_many(systems, WORDS, against)


# ---- Parts put together ----


@given(st.sets(st.integers(1, 5)), st.sampled_from([None, 0.9]))
def test_parts_are_the_whole(cuts, confidence):
    """However the examples are cut, also by way of JSON."""
    ends = [0, *sorted(cuts), 6]
    parts = [Toy.result(SPELT[i:j], WORDS[i:j], details=True) for i, j in itertools.pairwise(ends)]
    whole = Toy.result(SPELT, WORDS, details=True, confidence=confidence)
    found = Toy.combine(json.loads(json.dumps(parts)), confidence=confidence, details=True)
    assert found == whole and list(found) == list(whole)
    plain = Toy.result(SPELT, WORDS, confidence=confidence)
    assert Toy.combine(iter(parts), confidence=confidence) == plain and whole["long"] == 5
    slim = [{name: part[name] for name in ("toy", "long", "scores", "signature")} for part in parts if "long" in part]
    if len(slim) == len(parts):
        assert Toy.combine(slim, confidence=confidence) == plain


def part(**changed):
    result = Toy.result(SPELT[:2], WORDS[:2], details=True) | changed
    return {name: value for name, value in result.items() if value is not None}


@pytest.mark.parametrize(
    "results, message",
    [
        ([], "results: found no result, expected at least one"),
        (3, "results: found 3, expected a list of results of compute"),
        ([part(), {"toy": 1.0}], r"results\[1\]: found {'toy': 1.0}, expected a result of compute with details=True"),
        ([part(), 3], r"results\[1\]: found 3, expected a result of compute"),
        ([part(signature="melasss|version:1")], r"results\[0\]: found a result of 'melasss', expected a result of toy"),
        (
            [part(), Toy.result(SPELT, WORDS, details=True, case="lower")],
            r"results\[1\]: found the settings 'case:lower', expected those of results\[0\], 'case:None'",
        ),
        ([part(scores=None)], r"results\[0\]: found no list 'scores', expected this list among"),
        ([part(), part(lengths=None)], r"results\[1\]: found no list 'lengths', expected this list"),
        ([part(lengths=None), part()], r"results\[1\]: found the list 'lengths', which results\[0\] lacks"),
        ([part(scores=["a", "b"])], "found lists of scores that are no table .*'a'.*, expected as many numbers"),
        ([part(), part(long="4")], "results: found no results to add up .*'str'.*, expected results of compute"),
    ],
)
def test_what_does_not_fit_together(results, message):
    with pytest.raises(ValueError, match=f"^toy: {message}"):
        Toy.combine(results)


def test_draws_are_left_alone():
    """Neither numpy's nor Python's own generator is moved, and no warning comes from what is undefined."""
    random.seed(1), np.random.seed(1)
    states = random.getstate(), np.random.get_state()[1].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = bootstrap_interval(np.zeros((3, 2)), ratio, 0.9, 20, 0)
    assert math.isnan(low[0]) and math.isnan(high[0])  # never defined
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states
