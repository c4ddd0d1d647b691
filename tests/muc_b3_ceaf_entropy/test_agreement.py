"""Agreement of several annotators: all pairs, by what does not depend on who is the key."""

import random

import pytest

from metrics.muc_b3_ceaf_entropy.measure_agreement import SYMMETRIC

from . import oracle


def annotation(rng):
    """Three documents of twelve mentions, some of which are left out."""
    documents = []
    for _ in range(3):
        classes = {}
        for i in range(12):
            if rng.random() < 0.8:
                classes.setdefault(rng.randrange(4), []).append(f"m{i:02}")
        documents.append(list(classes.values()))
    return documents


def test_values_are_the_same_from_both_sides(metric):
    rng = random.Random(0)
    for mentions in ("raw", "union"):
        for _ in range(30):
            a, b = annotation(rng), annotation(rng)
            here, there = (metric.agreement(sides, mentions=mentions)["mean"] for sides in ({1: a, 2: b}, {1: b, 2: a}))
            assert here == pytest.approx(there) and len(here) == len(SYMMETRIC)


def test_every_pair_is_scored_as_its_definitions_read(metric):
    rng = random.Random(1)
    annotators = {name: annotation(rng)[:1] for name in ("Ann", "Bob", "Cem")}
    result = metric.agreement(annotators)
    assert [(pair["a"], pair["b"]) for pair in result["pairs"]] == [("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Cem")]
    for pair in result["pairs"]:
        expected = oracle.scores(annotators[pair["a"]][0], annotators[pair["b"]][0], "raw", 0.0)
        values = {key: value for key, value in pair.items() if key not in ("a", "b")}
        assert values == pytest.approx({key: expected[key] for key in values}, abs=1e-12)
    kappas = [pair["kappa"] for pair in result["pairs"]]
    assert result["mean"]["kappa"] == pytest.approx(sum(kappas) / 3)


def test_undefined_values_and_intervals(metric):
    alone, together = [[["a"], ["b"]]] * 2, [[["a", "b"]]] * 2
    result = metric.agreement({"x": alone, "y": alone, "z": together}, measures=["kappa", "b3"], confidence=0.9)
    assert result["mean"]["kappa"] == 0.0  # of the two pairs where it is defined
    keys = "a b b3_f1 kappa b3_f1_low b3_f1_high kappa_low kappa_high".split()
    assert list(result["pairs"][0]) == keys


def test_errors(metric):
    one = [[["a", "b"]]]
    for annotators in (None, {"x": one}, [one, one]):
        with pytest.raises(ValueError, match="annotations: found .*, expected a dict of at least two annotators"):
            metric.agreement(annotators)
    for name in ("blanc", "exclusive_core", "d_error"):
        with pytest.raises(ValueError, match=f"measures: found '{name}', which depends on who is the key, expected"):
            metric.agreement({"x": one, "y": one}, measures=[name])
    with pytest.raises(ValueError, match="match: found 'partial', expected exact or head"):
        metric.agreement({"x": one, "y": one}, match="partial")
    with pytest.raises(ValueError, match=r"x and y: references\[0\], cluster 0: found an empty cluster"):
        metric.agreement({"x": [[[]]], "y": one})
