"""Which convention gives a number that another tool printed."""

import random

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from metrics.muc_b3_ceaf_entropy.show_conventions import CONVENTIONS, ExplainOptions, all_scores, explain_score

from .test_readers import conllu, corefud

KEY = [[["a", "b", "c", "h"], ["d", "e"], ["s"]], [["f", "g"], ["i"]]]
RESPONSE = [[["a", "b"], ["c", "d", "e"], ["s"]], [["f", "x", "g"]]]


def differs(value, **options):
    """{score: what is unlike the usual way} of the explanations, the simplest of each."""
    found = explain_score(KEY, RESPONSE, value, **options)
    assert found["found"], found["text"]
    return {entry["score"]: entry["differs"] for entry in reversed(found["explanations"])}


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, {}),
        ({"keep_singletons": False}, {"keep_singletons": False}),
        ({"average": "macro"}, {"average": "macro"}),
        ({"mentions": "union"}, {"mentions": "union"}),
        ({"mentions": "union", "keep_singletons": False}, {"mentions": "union", "keep_singletons": False}),
    ],
)
def test_conventions_of_compute(metric, options, expected):
    score = metric.compute(predictions=RESPONSE, references=KEY, measures=["b3"], **options)["b3_f1"]
    assert differs(score, measure="b3") == {"b3_f1": expected}
    assert differs(f"{100 * score:.4f}", measure="b3") == {"b3_f1": expected}


def test_averages_that_compute_does_not_have(metric):
    each = [metric.compute(predictions=[r], references=[k]) for k, r in zip(KEY, RESPONSE)]
    weighted = (7 * each[0]["conll_f1"] + 3 * each[1]["conll_f1"]) / 10
    assert differs(weighted, measure="conll_f1") == {"conll_f1": {"average": "weighted"}}
    recall, precision = ((each[0][f"b3_{p}"] + each[1][f"b3_{p}"]) / 2 for p in ("recall", "precision"))
    f1 = 2 * recall * precision / (recall + precision)
    assert differs(f1, measure="b3")["b3_f1"] == {"average": "macro of recall and precision"}
    merged = [[[f"{i} {m}" for m in c] for i, side in enumerate(sides) for c in side] for sides in (KEY, RESPONSE)]
    blanc = metric.compute(predictions=[merged[1]], references=[merged[0]])["blanc_f1"]
    assert differs(blanc, measure="blanc") == {"blanc_f1": {"average": "one document"}}


def test_zero_division():
    empty = explain_score([[["a"]]], [[["a"]]], 1, measure="muc")
    assert {tuple(e["differs"].items()) for e in empty["explanations"]} == {(("zero_division", 1.0),)}


def test_zero_and_one_without_digits_are_exact():
    """Else 1 would be met by whatever is above a half."""
    for value, is_met in ((1, True), (0, False)):
        for printed in (value, str(value)):
            found = explain_score(KEY, RESPONSE, printed)
            assert found["found"] == is_met
            assert not is_met or all(abs(entry["value"] - value) < 1e-9 for entry in found["explanations"])


def test_what_is_undefined_in_every_document_is_no_score():
    """Kappa of one class on both sides is 0/0; only with all documents as one there is something to say."""
    twice = [[["a", "b"]], [["a", "b"]]]
    tried = all_scores(twice, twice, ExplainOptions(measure="kappa"))
    assert {entry["differs"].get("average", "micro") for entry in tried} == {"one document"}


def test_the_digits_that_were_printed_count():
    third = [[["a", "b", "c", "d"]]], [[["a", "b"], ["c"], ["d"]]]  # MUC's recall is 1/3
    printed = {"0.33": True, "33.3": True, "33": True, "0.3300": False, ".4%": False}
    assert {text: explain_score(*third, text, measure="muc")["found"] for text in printed} == printed


def test_what_is_nearest_when_nothing_matches():
    found = explain_score(KEY, RESPONSE, 0.123456789, most=3)
    assert not found["found"] and len(found["explanations"]) == 3
    distances = [abs(entry["difference"]) for entry in found["explanations"]]
    assert distances == sorted(distances)
    assert found["text"].startswith("No score is printed as 0.123456789; the nearest are:\n  ")


def test_the_text_says_it_in_words(metric):
    score = metric.compute(predictions=RESPONSE, references=KEY, average="macro")["lea_f1"]
    found = explain_score(KEY, RESPONSE, score, measure="lea")
    assert found["text"].splitlines()[1].endswith(f"lea_f1 = {score:.6f}: the mean over documents (average='macro')")


def test_files_are_matched_in_every_way(write):
    """A response that has only the head of a mention, and lacks a singleton."""
    key = corefud("Entity=(e1-x-3-", "_", "Entity=e1)", "Entity=(e1-x-1-)", "Entity=(e9-x-1-)")
    response = corefud("_", "_", "Entity=(e1-x-1-)", "Entity=(e1-x-1-)", "_")
    found = explain_score(write(key, "key"), write(response, "response"), "100.0", measure="conll_f1")
    ways = [entry["differs"] for entry in found["explanations"]]
    assert all(way["match"] in ("head", "partial") and len(way) == 2 for way in ways)
    assert {"match": "head", "keep_singletons": False} in ways and {"match": "partial", "mentions": "union"} in ways


def test_every_convention_is_tried_and_has_words():
    tried = [entry["differs"] for entry in all_scores(KEY, RESPONSE, ExplainOptions(measure="ceafe"))]
    for name in ("keep_singletons", "mentions", "zero_division", "average"):
        assert {entry.get(name, next(iter(CONVENTIONS[name]))) for entry in tried} == set(CONVENTIONS[name])


@pytest.mark.parametrize("value", ["abc", None, float("nan"), True, "", "1,5"])
def test_errors(value):
    with pytest.raises(ValueError, match="value: found .*, expected a number as it was printed"):
        explain_score(KEY, RESPONSE, value)


def e2e_scores(key, response):
    """e2e-coref's program, literally: what each of its loops over clusters skips. Recall, precision and F1 of three."""
    muc, b3, best, sizes = np.zeros((2, 2)), np.zeros((2, 2)), 0.0, np.zeros(2)
    for ours, theirs in zip(key, response):
        kept = [set(cluster) for cluster in theirs if len(cluster) != 1]  # CEAF-e: of the response alone
        table = np.array([[2 * len(set(k) & r) / (len(k) + len(r)) for r in kept] for k in ours])
        best += table.reshape(len(ours), len(kept))[linear_sum_assignment(-table)].sum() if kept and ours else 0.0
        sizes += len(ours), len(kept)
        for side, (those, others) in enumerate(((ours, theirs), (theirs, ours))):
            for cluster in map(set, those):
                overlaps = [len(cluster & set(other)) for other in others]
                muc[side] += sum(max(n - 1, 0) for n in overlaps), len(cluster) - 1
                if len(cluster) > 1:
                    squares = (n**2 for n, other in zip(overlaps, others) if len(other) != 1)
                    b3[side] += sum(squares) / len(cluster), len(cluster)
    sides = {name: [found / n if n else 0.0 for found, n in counts] for name, counts in (("muc", muc), ("b3", b3))}
    sides["ceafe"] = [best / n if n else 0.0 for n in sizes]
    scores = {
        name: {"recall": r, "precision": p, "f1": 2 * r * p / (r + p) if r + p else 0.0}
        for name, (r, p) in sides.items()
    }
    means = {part: np.mean([each[part] for each in scores.values()]) for part in ("recall", "precision", "f1")}
    return scores | {"conll": means}


def test_e2e_coref_keeps_singletons_for_ceafe_alone():
    key, response = KEY, [[["a", "b"], ["c", "d", "e"], ["s"], ["u"]], [["f", "x", "g"], ["i"]]]
    scores = e2e_scores(key, response)
    found = explain_score(key, response, scores["ceafe"]["f1"], measure="ceafe")
    assert [each["differs"] for each in found["explanations"]][0] == {"keep_singletons": "e2e"}
    assert "e2e-coref" in found["text"]
    found = explain_score(key, response, scores["b3"]["f1"], measure="b3")
    assert found["explanations"][0]["differs"] == {"keep_singletons": False}
    found = explain_score(key, response, f"{100 * scores['conll']['f1']:.3f}", measure="conll_f1")
    assert found["explanations"][0]["differs"] == {"keep_singletons": "e2e"}


@pytest.mark.parametrize("seed", range(20))
def test_numbers_of_e2e_coref_and_fastcoref(seed):
    """fastcoref's program itself gave the same for 300 such corpora, and for LitBank with a changed response."""
    rng = random.Random(seed)

    def partition(mentions):
        clusters = {}
        for mention in mentions:
            clusters.setdefault(rng.randrange(6), []).append(mention)
        return list(clusters.values())

    sides = [[partition("abcdefgh"[: rng.randint(2, 8)] + extra) for _ in range(3)] for extra in ("", "xy")]
    expected = e2e_scores(*sides)
    scores = {
        entry["score"]: entry["value"]
        for entry in all_scores(*sides, ExplainOptions())
        if entry["differs"] == {"keep_singletons": "e2e"}
    }
    literal = {f"{name}_{part}": value for name in ("ceafe", "conll") for part, value in expected[name].items()}
    assert scores == pytest.approx(literal)


def test_mor_and_zeros_are_known(metric, write):
    zero = "2.1", "w", "Entity=(e1-x-1-)", "1:nsubj"
    key = conllu(("1", "w", "Entity=(e1-x-1-"), ("2", "w", "Entity=e1)"), zero)
    response = conllu(("1", "w", "Entity=(e1-x-1-)"), ("2", "w", "_"), zero)
    paths = write(key, "key"), write(response, "response")
    scores = metric.score_files(*paths)
    assert scores["mor_recall"] == 2 / 3 and scores["zero_f1"] == 0.0
    found = explain_score(*paths, "66.67", measure="mor")
    assert [(each["score"], each["differs"]) for each in found["explanations"]] == [("mor_recall", {})]
    found = explain_score(*paths, 1, measure="zero")
    assert found["found"] and found["explanations"][0]["differs"] == {"match": "head"}
