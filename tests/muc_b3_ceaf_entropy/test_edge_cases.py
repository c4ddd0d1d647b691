"""Small and degenerate documents, one by one, with the answers that the card documents."""

import json
import math
import random

import evaluate
import numpy as np
import pytest

from metrics.muc_b3_ceaf_entropy.measure_table import Contingency
from metrics.muc_b3_ceaf_entropy.measures import entropy_nats

from . import oracle

CONLL = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mention")
PAPER = ("core", "exclusive_core", "entropy")


def values(result, measures, part):
    return {result[f"{name}_{part}"] for name in measures}


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_empty_document(score, zero_division):
    result = score([], [], zero_division=zero_division)
    for part in ("recall", "precision", "f1"):
        assert values(result, CONLL, part) == {zero_division}
        assert values(result, PAPER, part) == {1.0}
    assert result["conll_f1"] == zero_division
    assert math.isnan(result["kappa"])
    assert result["size_overlap"] == 1.0
    assert result["d_error"] == 0.0


def test_zero_division_nan_is_passed_on_and_left_out_of_macro(metric):
    documents = [[], [["a", "b"]]]
    result = metric.compute(predictions=documents, references=documents, zero_division=math.nan, average="macro")
    assert result["muc_f1"] == 1.0
    assert math.isnan(metric.compute(predictions=[[]], references=[[]], zero_division=math.nan)["muc_f1"])


def test_empty_response(score):
    result = score([["a", "b"], ["c"]], [])
    assert values(result, CONLL, "recall") == values(result, CONLL, "f1") == {0.0}
    assert values(result, CONLL, "precision") == {0.0}  # 0/0
    # The paper's measures see the response {a} {b} {c}: no link found, none wrong.
    assert (result["core_recall"], result["core_precision"]) == (0.0, 1.0)
    assert result["entropy_precision"] == pytest.approx(1.0)
    assert result["kappa"] == 0.0


def test_completion_rewards_an_empty_response(score):
    """The reason for the three policies: B3 of an empty response to {a b} {c} is 0 raw, but .80 completed."""
    assert score([["a", "b"], ["c"]], [], mentions="raw")["b3_f1"] == 0.0
    assert score([["a", "b"], ["c"]], [], mentions="union")["b3_f1"] == pytest.approx(0.8)


def test_exclusive_core_ties(score):
    """Two key classes of two, both with all their mentions in one response class of four: the first mention decides."""
    key = [["c", "d"], ["a", "b"]]
    result = score(key, [["a", "b", "c", "d"]])
    assert result["exclusive_core_recall"] == pytest.approx(2 / 4)
    # {a b} and {c d} both overlap {a c} and {b d x} by one; {a b} comes first and takes the smaller, {a c}.
    result = score(key, [["b", "d", "x"], ["a", "c"]])
    assert result["exclusive_core_recall"] == pytest.approx((1 + 1 + 1 - 1) / 5)
    assert result["exclusive_core_precision"] == pytest.approx(1 - (1 + 2) / 5)


def test_exclusive_core_goes_by_the_first_mention(score):
    """{a b c} and {d e f} both overlap {a b d e} by two. The first takes it; otherwise {c y} would be a core too."""
    response = [["a", "b", "d", "e"], ["c", "y"], ["f"]]
    result = score([["d", "e", "f"], ["a", "b", "c"], ["y"]], response)
    assert result["exclusive_core_recall"] == pytest.approx((2 + 1 + 1) / 7)
    assert result["exclusive_core_precision"] == pytest.approx(1 - (2 + 0 + 1) / 7)
    renamed = [["x" + m if m in "abc" else m for m in cluster] for cluster in response]
    result = score([["d", "e", "f"], ["xa", "xb", "xc"], ["y"]], renamed)  # now {d e f} is first
    assert result["exclusive_core_precision"] == pytest.approx(1 - (2 + 1 + 0) / 7)


def test_exclusive_core_of_many_ties(score):
    generator = random.Random(0)
    mentions = [f"{i:03}" for i in range(180)]
    for _ in range(5):
        sides = []
        for _ in range(2):
            generator.shuffle(mentions)
            ends = sorted({*generator.sample(range(1, 180), 80), 180})
            sides.append([mentions[i:j] for i, j in zip([0, *ends], ends)])
        good, total, kept, _ = oracle.exclusive_core(*[[set(c) for c in sorted(side, key=min)] for side in sides])
        result = score(*sides, measures=["exclusive_core"])
        assert result["exclusive_core_recall"] == pytest.approx(good / total)
        assert result["exclusive_core_precision"] == pytest.approx(kept / total)


def test_d_error_reaches_a_half(score):
    together, apart = [list("abcdef")], [[m] for m in "abcdef"]
    assert score(together, apart)["d_error"] == 0.5
    assert score(apart, together)["d_error"] == -0.5
    assert score([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])["d_error"] == 0.0


def test_no_class_has_less_than_no_information():
    """A class that is spread like the whole has none; rounding must not make it negative."""
    for n_keys in range(1, 9):
        for n_responses in range(1, 9):
            cells = np.outer(np.arange(1, n_keys + 1), 2 * np.arange(n_responses) + 1)
            rows, columns = np.nonzero(cells)
            table = Contingency(cells.sum(axis=1), cells.sum(axis=0), rows, columns, cells[rows, columns])
            for side in (table, table.transposed):
                found, possible = entropy_nats(side)
                assert (found >= 0).all() and found == pytest.approx(0.0, abs=1e-9)


def test_result_is_saved(metric, tmp_path):
    result = metric.compute(predictions=[[["a", "b"]], []], references=[[["a"]], []], baselines=True, confidence=0.9)
    evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert {name: saved[name] for name in result} == pytest.approx(result, nan_ok=True)
