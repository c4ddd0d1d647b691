"""What `compute`, `compare` and `significance` return."""

import json
import re
import warnings
from math import isnan, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from metrics.morpheval.contrastive_tests import CONTRASTS, TESTS
from metrics.morpheval.intervals import wilson

PAST, KEPT, UNKNOWN = ("il dort", "il dormait"), ("il dort", "il mange"), ("il dort", "il xyzzyte")
UNKNOWN_FIVE = ("il mange", "il xyzzyte", "il zzyzte", "il yzzyte", "il dormira")
FIVE = ("il mange", "il boit", "il court", "il parle", "il dormira")


ENDINGS = ("", "_n", "_rejected", "_ci95", "_low", "_high")


def test_keys_in_the_order_of_the_tests(compute):
    groups = [
        ("verb_consistency:tense", *FIVE),
        ("coref:gender", "le plan vient, il le voit", "la loi vient, il le voit"),
        ("past", *UNKNOWN),
        ("past", *PAST),
        ("past", *KEPT),
    ]
    result = compute(*groups)
    assert list(result) == [
        *("score", "morpheval", "A", "B", "C", "rejected_rate"),
        *(f"{test}{end}" for test in ("past", "coref:gender", "verb_consistency:tense") for end in ENDINGS),
        *("average_a", "average_b", "average_c"),
    ]
    assert {type(value) for value in result.values()} == {float, int}
    assert (result["past"], result["past_n"], result["past_rejected"]) == (0.5, 2, 1)
    assert (result["past_low"], result["past_high"]) == pytest.approx((0.0945, 0.9055), abs=5e-5)
    assert result["past_ci95"] == pytest.approx((result["past_high"] - result["past_low"]) / 2)
    assert (result["coref:gender"], result["coref:gender_n"]) == (0.5, 2)
    assert result["average_a"] == 0.5 and result["average_c"] == result["verb_consistency:tense"]


def test_headline(compute):
    """Means over tests, not over groups; of set C one less the entropy; a test with nothing judged does not count."""
    groups = [("past", *PAST), ("past", *KEPT), ("past", *UNKNOWN), ("negation", "il vient", "il ne vient pas")]
    result = compute(*groups, ("future", *UNKNOWN), ("verb_consistency:tense", *FIVE))
    entropy = result["verb_consistency:tense"]
    assert result["score"] == result["morpheval"] == pytest.approx((0.5 + 1 + (1 - entropy)) / 3)
    assert (result["A"], result["C"], result["rejected_rate"]) == (0.75, 1 - entropy, 2 / 6)
    assert (result["average_a"], result["average_c"]) == (0.75, entropy)
    assert "B" not in result and 0 < entropy < 1 and isnan(result["future"]) and isnan(result["future_ci95"])
    assert (result["future_n"], result["future_rejected"]) == (0, 1)
    nothing = compute(("future", *UNKNOWN))
    assert isnan(nothing["score"]) and isnan(nothing["A"]) and nothing["rejected_rate"] == 1


def test_strict_counts_rejected_as_failed(compute, metric, lexicon):
    groups = [("past", *PAST), ("past", *UNKNOWN), ("verb_consistency:tense", *UNKNOWN_FIVE)]
    options = {"strict": True, "frequencies": {"source": 3}}
    result = compute(*groups, **options)
    assert (result["past"], result["past_n"], result["past_rejected"]) == (0.5, 2, 1)
    assert (result["verb_consistency:tense"], result["verb_consistency:tense_n"]) == (1.0, 1)
    assert (result["score"], result["A"], result["C"], result["rejected_rate"]) == (0.25, 0.5, 0.0, 2 / 3)
    assert (result["past_low"], result["past_high"]) == pytest.approx(wilson(0.5, 2))
    assert sum(value for name, value in result.items() if re.fullmatch("past_frequency_.*_n", name)) == 2
    parts = [compute(group, **options, details=True) for group in groups]
    assert parts[1]["outcomes"] == [{"past": [None]}]  # what was found, which combine counts anew
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert metric.combine(parts) == pytest.approx(result, nan_ok=True)
    references = [{"test": "past", "sources": ["a", "b"]}] * 2
    systems = [list(PAST), list(PAST)], [list(UNKNOWN), list(PAST)]
    found = metric.compare(*systems, references, lexicon=lexicon, strict=True)
    assert (found["past_n"], found["past_difference"], found["past_strict_b"]) == (2, 0.5, 0.5)


def test_a_group_alone_has_no_interval_of_an_entropy(metric, compute):
    """Nothing is known of how entropies vary; of an accuracy, Wilson's interval says how little is known."""
    name, groups = "verb_consistency:tense", [("verb_consistency:tense", *FIVE), ("past", *PAST)]
    message = f"^morpheval: found one group alone of {name}, which has no interval; expected two groups or more"
    with pytest.warns(UserWarning, match=message):
        result = compute(*groups)
    ends = [result[f"{name}{end}"] for end in ("_low", "_high", "_ci95")]
    assert all(map(isnan, ends)) and result[name] == pytest.approx(0.311, abs=5e-4)
    assert (result["past_low"], result["past_high"]) == (wilson(1.0, 1)[0], 1.0)
    assert isnan(metric.significance(result)[name][100])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isnan(compute(*groups, confidence=None)[f"{name}_ci95"])


@pytest.mark.parametrize("five", [FIVE, ["il mange"] * 5])
def test_groups_that_are_alike_leave_an_entropy_unsure(compute, five):
    """Of ten groups with one entropy there is no spread: the interval is that of a share of ten, which varies more."""
    result = compute(*[("verb_consistency:tense", *five)] * 10)
    mean, low, high = (result[f"verb_consistency:tense{end}"] for end in ("", "_low", "_high"))
    assert low <= mean < high and (low, high) == pytest.approx(wilson(mean, 10))


def test_intervals_of_sides_that_always_agree_are_too_narrow():
    """Of coref, where each group counts twice: the card's figure, for 200 groups, by how many may pass."""
    for p in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98):
        ends = [wilson(k / 200, 400) for k in range(201)]
        held = sum(binom.pmf(k, 200, p) for k, (low, high) in enumerate(ends) if low <= p <= high)
        assert 0.80 <= held <= 0.86


def test_a_name_without_feature_stands_for_all_its_tests(compute):
    result = compute(("np", "je les vois", "je vois les petits maisons"), details=True)
    assert (result["np:gender"], result["np:number"]) == (0.0, 1.0)
    assert result["verdicts"] == [{"np:gender": "fail", "np:number": "pass"}]
    assert set(result["reasons"][0]) == set(result["words"][0]) == {"np:gender", "np:number"}
    assert len(TESTS["coord_verb"]) == 3 and len(TESTS["past"]) == 1


def test_direction(metric, lexicon):
    """Where the base has the comparative, the variant must have lost it."""
    reference = {"test": "comparative", "sources": ["he is taller", "he is tall"], "direction": "removed"}
    given = {"references": [reference, reference], "lexicon": lexicon, "details": True}
    predictions = [["il est plus grand", "il est grand"], ["il est grand", "il est plus grand"]]
    result = metric.compute(predictions=predictions, **given)
    assert result["verdicts"] == ["pass", "fail"]
    assert result["tokens"][0] == [["il", "est", "plus", "grand"], ["il", "est", "grand"]]
    (word,) = result["words"][0]
    assert result["tokens"][0][word["translation"]][word["position"]] == word["form"] == "plus"


def test_details(compute):
    result = compute(
        ("past", *PAST),
        ("past", "j'ai faim", "j'avais faim"),
        ("past", *UNKNOWN),
        ("past", "il dort", "il dort"),
        ("coord_verb:number", "il mange", "il mange et boivent"),
        ("coref:gender", "le plan vient, il le voit", "la loi vient, elle dort"),
        ("adj_consistency:gender", *(f"une {adj} idée" for adj in ("grande", "petite", "bonne", "belle", "vieux"))),
        details=True,
    )
    assert result["verdicts"][:6] == ["pass", "pass", "rejected", "fail", "fail", ["pass", "pass"]]
    assert result["verdicts"][6] == pytest.approx(0.311, abs=5e-4)
    assert result["reasons"][:5] == [
        "new word *dormait*: verb, imperfect, third person singular",
        "new word *avais*: verb, imperfect, first/second person singular",
        "new word *xyzzyte* is not in the lexicon; expected a new verb in the past",
        "no verb has changed; expected a new verb in the past",
        "*mange* (verb, present/subjunctive, first/third person singular or verb, imperative, second person singular) "
        "and *boivent* (verb, present/subjunctive, third person plural) do not agree in number; expected "
        "the coordinated verbs to have one number",
    ]
    assert [reason.split()[0] for reason in result["reasons"][5]] == ["*plan*", "*loi*"]
    assert result["reasons"][6] == "gender: *grande*, *petite*, *bonne*, *belle*; *vieux*"
    assert result["words"][0] == [
        {"translation": 1, "position": 1, "form": "dormait", "reading": "verb, imperfect, third person singular"}
    ]
    for tokens, words, verdict in zip(result["tokens"], result["words"], result["verdicts"]):
        for word in sum(words, []) if isinstance(verdict, list) else words:
            assert tokens[word["translation"]][word["position"]] == word["form"]
    json.dumps(result)


ITEMS = [
    *(("past", *pair) for pair in (PAST, KEPT, UNKNOWN)),
    ("np", "je les vois", "je vois les petits maisons"),
    ("coref:gender", "le plan vient, il le voit", "la loi vient, il le voit"),
    ("verb_consistency", *FIVE),
    ("negation", "il vient", "il ne vient pas"),
]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(range(len(ITEMS))), min_size=1, max_size=12), st.randoms())
def test_verdicts_are_per_group_and_order_does_not_matter(compute, numbers, random):
    groups = [ITEMS[i] for i in numbers]
    result = compute(*groups, details=True)
    assert result["verdicts"] == [compute(group, details=True)["verdicts"][0] for group in groups]
    shuffled = random.sample(groups, len(groups))
    again = compute(*shuffled)
    assert again == pytest.approx({key: result[key] for key in again}, nan_ok=True)
    assert list(again) == list(result)[: len(again)]


def test_many_groups_are_judged_in_chunks(compute, monkeypatch, metric):
    whole = compute(*ITEMS * 3, details=True)
    monkeypatch.setitem(metric.Scorer.score.__globals__, "CHUNK", 2)
    assert compute(*ITEMS * 3, details=True) == whole


# ---- Frequencies ----


def test_accuracy_by_frequency_of_the_source_word(metric, lexicon, tmp_path):
    """It is 1 below 50, 0 from there on."""
    references = [{"test": "past", "sources": ["he sleeps", f"he {word}"]} for word in ("snored", "slept")]
    given = {"predictions": [list(PAST), list(KEPT)], "references": references, "lexicon": lexicon}
    result = metric.compute(**given, frequencies={"snored": 49, "slept": 50})
    found = {key: value for key, value in result.items() if "frequency" in key}
    assert [key for key in found if not key.endswith("_n")] == [
        f"past_frequency_{band}" for band in ("0", "1_49", "50_999", "1000")
    ]
    assert found["past_frequency_1_49"] == 1.0 and found["past_frequency_50_999"] == 0.0
    assert isnan(found["past_frequency_0"]) and found["past_frequency_0_n"] == found["past_frequency_1000_n"] == 0

    corpus = tmp_path / "corpus.txt"
    corpus.write_text("He SNORED.\n" * 49 + "we slept, \n" * 50, encoding="utf-8")
    assert metric.compute(**given, frequencies=str(corpus)) == pytest.approx(result, nan_ok=True)


def test_frequency_of_what_the_base_has_lost(metric, lexicon):
    """The word that the test turns on is the comparative, also where the base has it; case does not matter."""
    reference = {"test": "comparative", "sources": ["he is taller", "he is tall"], "direction": "removed"}
    result = metric.compute(
        predictions=[["il est plus grand", "il est grand"]],
        references=[reference],
        lexicon=lexicon,
        frequencies={"Taller": 20, "tall": 5000},
    )
    assert result["comparative_frequency_1_49_n"] == 1


def test_each_side_of_coreference_has_its_own_frequency(metric, lexicon):
    reference = {"test": "coref:gender", "sources": ["the plan is ours, he sees it", "the scheme is ours, he sees it"]}
    groups = [["le plan est là, il le voit", "la loi est là, il le voit"]]
    result = metric.compute(
        predictions=groups, references=[reference], lexicon=lexicon, frequencies={"plan": 5000, "the": 10**6}
    )
    assert result["coref:gender_frequency_1000"] == 1.0 and result["coref:gender_frequency_0"] == 0.0


def test_bands_of_tests_c_are_left_out(compute):
    assert not any("frequency" in key for key in compute(("verb_consistency:tense", *FIVE), frequencies={"a": 1}))


# ---- Comparison and sizes ----


def references_of(n, test="past"):
    return [{"test": test, "sources": [f"s{i}" for i in range(CONTRASTS[test].size)]}] * n


def test_compare(metric, lexicon):
    """A is right in 90 of 100, B in 60, on the same groups."""
    a = [list(PAST)] * 90 + [list(KEPT)] * 10
    b = [list(PAST)] * 60 + [list(KEPT)] * 40
    result = metric.compare(a, b, references_of(100), lexicon=lexicon, n_resamples=999)
    ends = [f"{what}{end}" for what in ("a", "b", "difference") for end in ("", "_low", "_high")]
    ends += "p_value n n_a n_b strict_a strict_b".split()
    assert list(result) == [f"{name}_{end}" for name in ("score", "A", "past") for end in ends]
    assert all(result[f"score_{end}"] == result[f"past_{end}"] for end in ends if not end.startswith(("a_", "b_")))
    assert result["past_difference"] == pytest.approx(0.3)
    found = result["past_difference_low"], result["past_difference_high"]
    assert found == pytest.approx((0.21, 0.39), abs=0.015)  # 1.96 sqrt(.3 .7 / 100)
    assert (result["past_a_low"], result["past_a_high"]) == wilson(0.9, 100)
    assert result["past_p_value"] < 0.01
    assert metric.compare(a, b, references_of(100), lexicon=lexicon, n_resamples=999) == result  # seeded
    head, _, score, _, row = metric.comparison_table(result).split("\n")
    assert head == "| accuracy; of C 1 - entropy | a | b | a - b | 95 % | p | n (a, b) | strict a, b |"
    assert row == score.replace("score", "past") and row.startswith("| past | 0.900 | 0.600 | +0.300 | +0.")
    assert row.endswith(" | 100 (100, 100) | 0.900, 0.600 |")
    with pytest.raises(ValueError, match="expected a result of compare"):
        metric.comparison_table({"past": 1.0})


@pytest.mark.parametrize("gained, lost", [(3, 0), (4, 1), (2, 2)])
def test_the_exact_p_value_is_that_of_mcnemars_test(metric, lexicon, gained, lost):
    """Of right and wrong only the groups count in which the systems differ: each is as likely to favour either."""
    right, wrong = list(PAST), list(KEPT)
    a = [right] * gained + [wrong] * lost + [right] * 4
    b = [wrong] * gained + [right] * lost + [right] * 4
    result = metric.compare(a, b, references_of(len(a)), lexicon=lexicon)
    assert result["past_p_value"] == pytest.approx(binomtest(gained, gained + lost).pvalue)


def test_confidence(compute):
    """Of Wilson's interval, and of a mean entropy; the half-width stays that of 95 %."""
    groups = [("past", *PAST)] * 3 + [("past", *KEPT)] + [("verb_consistency:tense", *FIVE)] * 2
    groups.append(("verb_consistency:tense", *(["il mange"] * 5)))
    half, usual, none = (compute(*groups, confidence=confidence) for confidence in (0.5, 0.95, None))
    z, n, share = NormalDist().inv_cdf(0.75), 4, 0.75
    for end, sign in (("low", -1), ("high", 1)):  # Wilson's ends solve (p - share)^2 = z^2 p (1 - p) / n
        p = half[f"past_{end}"]
        assert (p - share) ** 2 == pytest.approx(z**2 * p * (1 - p) / n) and sign * (p - share) > 0
    name = "verb_consistency:tense"
    narrow, wide = (each[f"{name}_high"] - each[f"{name}_low"] for each in (half, usual))
    assert narrow / z == pytest.approx(2 * np.std([0.311, 0.311, 0]) / sqrt(3), rel=1e-3) and wide > narrow
    assert usual == compute(*groups) and half["past_ci95"] == usual["past_ci95"]
    assert none == {key: value for key, value in usual.items() if not key.endswith(("_low", "_high"))}


def test_compare_of_equal_systems(metric, lexicon):
    a = [list(PAST), list(KEPT)] * 5
    result = metric.compare(a, a, references_of(10), lexicon=lexicon, n_resamples=99)
    assert result["past_difference"] == result["past_difference_low"] == result["past_difference_high"] == 0.0
    with pytest.warns(UserWarning, match="^morpheval: found one group alone of past, .* no interval of the difference"):
        alone = metric.compare(a[:1], a[:1], references_of(1), lexicon=lexicon)
    assert alone["past_a"] == 1.0 and isnan(alone["past_difference_low"]) and isnan(alone["past_p_value"])
    assert result["past_p_value"] == 1.0


def test_nothing_is_gained_by_what_is_rejected(metric, lexicon):
    """Of 60 groups both systems judge 40 alike; the other 20 fail for one and are rejected for the other."""
    common = [list(PAST)] * 30 + [list(KEPT)] * 10
    systems = common + [list(UNKNOWN)] * 20, common + [list(KEPT)] * 20
    result = metric.compare(*systems, references_of(60), lexicon=lexicon, n_resamples=999)
    assert result["past_a"] == result["past_b"] == 0.75 and result["past_p_value"] == 1.0
    assert result["past_difference_low"] == result["past_difference_high"] == 0.0
    assert (result["past_n"], result["past_n_a"], result["past_n_b"]) == (40, 40, 60)
    assert result["past_strict_a"] == result["past_strict_b"] == 0.5  # counted as failed


def test_one_unclear_sentence_of_five_is_left_out(metric, lexicon):
    """The reason and the words say so; the entropy is over the logarithm of five all the same."""
    reference = references_of(1, "verb_consistency:tense")
    five = ["il mange", "il boit", "il court", "il dormira", "il xyzzyte"]
    result = metric.compute(predictions=[five], references=reference, lexicon=lexicon, details=True)
    expected = -(0.75 * log(0.75) + 0.25 * log(0.25)) / log(5)
    assert result["verb_consistency:tense"] == pytest.approx(expected) and result["verb_consistency:tense_n"] == 1
    assert result["reasons"][0].endswith("; left out: new word *xyzzyte* is not in the lexicon")
    assert len(result["words"][0]) == 5


def test_a_copied_sentence_of_five_agrees_with_no_other(metric, lexicon):
    sources = [f"They are {word}." for word in "happy poor tired brave old".split()]
    five = [sources[0], *(f"Ils sont {word}." for word in "pauvres fatigués courageux vieux".split())]
    reference = [{"test": "adj_consistency:number", "sources": sources}]
    assert metric.compute(predictions=[five], references=reference, lexicon=lexicon)["adj_consistency:number"] > 0


def test_compare_takes_sides_and_entropies_that_both_have(metric, lexicon):
    """Coreference is judged twice in a group; a rejected entropy counts as the worst."""
    right, half = ["le plan vient, il le voit", "la loi vient, il la voit"], ["le plan vient, il le voit", "il voit"]
    result = metric.compare([right], [half], references_of(1, "coref:gender"), lexicon=lexicon)
    assert (result["coref:gender_n"], result["coref:gender_n_a"], result["coref:gender_n_b"]) == (1, 2, 1)
    assert (result["coref:gender_a"], result["coref:gender_strict_b"]) == (1.0, 0.5)
    name, unknown = "verb_consistency:tense", ["il mange", "il boit", "il court", "il xyzzyte", "il plugha"]
    result = metric.compare([list(FIVE)] * 2, [unknown, list(FIVE)], references_of(2, name), lexicon=lexicon)
    assert result[f"{name}_a"] == result[f"{name}_b"] == pytest.approx(0.311, abs=5e-4)
    assert result[f"{name}_n"] == 1 and result[f"{name}_strict_b"] == pytest.approx((1 + 0.311) / 2, abs=5e-4)


def test_the_headline_of_a_comparison(metric, lexicon):
    """Means over tests of what is judged for both; its interval is of groups drawn, in which a test may lack."""
    name = "verb_consistency:tense"
    a, b = ([list(PAST), past, list(PAST), verbs] for past, verbs in ((PAST, ["il mange"] * 5), (KEPT, FIVE)))
    references = references_of(3) + references_of(1, name)
    result = metric.compare(a, b, references, lexicon=lexicon, n_resamples=999)
    worse = 1 - 0.3109
    assert (result["score_a"], result["C_b"]) == pytest.approx((1, worse), abs=1e-3)
    assert result["score_b"] == pytest.approx((2 / 3 + worse) / 2, abs=1e-3) and result["score_n"] == 4
    assert result["score_strict_b"] == pytest.approx(result["score_b"])
    assert 0 <= result["score_difference_low"] < result["score_difference"] < result["score_difference_high"]
    assert result["score_p_value"] == 0.5  # as large if neither or both of the two that differ are exchanged
    assert isnan(result["C_difference_low"]) and isnan(result["C_p_value"])  # of one group
    table = metric.comparison_table(result)
    assert f"| {name} | 1.000 | 0.689 | +0.311 |" in table and "| score | 1.000 | 0.678 | +0.322 |" in table
    many = metric.compare_many({"a": a, "b": b}, references, lexicon=lexicon, n_resamples=99)
    assert many["systems"]["b"]["score"] == pytest.approx(result["score_b"])


def test_compare_with_nothing_judged(metric, lexicon):
    result = metric.compare([list(UNKNOWN)] * 3, [list(PAST)] * 3, references_of(3), lexicon=lexicon, n_resamples=9)
    assert isnan(result["past_a"]) and isnan(result["past_b"]) and isnan(result["past_p_value"])
    assert (result["past_n"], result["past_n_a"], result["past_n_b"], result["past_strict_b"]) == (0, 0, 3, 1.0)
    assert metric.comparison_table(result).endswith("| past | – | – | – | – | – | 0 (0, 3) | 0.000, 1.000 |")


def test_significance_of_entropies_scales_with_the_size(metric, compute):
    result = compute(("verb_consistency:tense", *FIVE), ("verb_consistency:tense", *(["il mange"] * 5)))
    name = "verb_consistency:tense"
    expected = 1.96 * float(np.std([0.311, 0])) / sqrt(200)
    assert metric.significance(result, [200])[name][200] == pytest.approx(expected, rel=0.01)


# ---- Entropy ----


def test_failures_by_theme(metric, compute):
    groups = [("past", *KEPT), ("past", *PAST), ("past", "il dort", "il dort bien"), ("past", "il dort", "il dort là")]
    groups.append(("np", "je les vois", "je vois les petits maisons"))
    references = [r for n, t in ((4, "past"), (1, "np")) for r in [{"test": t, "sources": ["a", "b"]}] * n]
    result = compute(*groups, details=True)
    assert result["themes"][1] == "" and result["themes"][4]["np:number"] == ""
    assert metric.failures(result, references) == {
        "past": {"no verb has changed": [2, 3], "new word …: …": [0]},
        "np:gender": {"… (…) and … (…) do not agree in gender": [4]},
    }
    with pytest.raises(ValueError, match="expected a result of compute with details=True"):
        metric.failures(compute(*groups), references)
    with pytest.raises(ValueError, match="found 5 groups and 4 references"):
        metric.failures(result, references[:4])


def test_failures_as_a_page(metric, compute, lexicon):
    """Both systems' sentences, escaped, under the theme; what passes for both is not shown."""
    references = [{"test": "past", "sources": ["<b>he</b> sleeps", "he slept"]}] * 3
    systems = {"a & b": [list(KEPT), ["il dort", "il dort <i>bien"], list(PAST)], "c": [list(PAST)] * 3}
    given = {"references": references, "lexicon": lexicon, "details": True}
    results = {name: metric.compute(predictions=groups, **given) for name, groups in systems.items()}
    page = metric.failures_page(results, systems, references)
    assert "<b>" not in page and "&lt;b&gt;he" in page and "dort &lt;i&gt;bien" in page
    assert "a &amp; b: no verb has changed (1)" in page and "c: " not in page
    assert page.count("<table>") == 2 and page.count("class='fail'") == 2
    assert "pass: new word *dormait*" in page
    assert "All groups have passed" in metric.failures_page({"c": results["c"]}, {"c": systems["c"]}, references)
    with pytest.raises(ValueError, match="systems: found .*, expected those of the results"):
        metric.failures_page(results, {"c": systems["c"]}, references)
