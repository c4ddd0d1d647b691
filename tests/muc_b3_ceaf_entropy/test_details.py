"""details=True: per document the scores, the alignment behind CEAF and the errors behind each measure."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from . import oracle
from .strategies import documents
from .test_measures import literal_fractions

KEY = [["a", "b", "c"], ["d", "e"], ["f", "g"]]
RESPONSE = [["a", "b"], ["c", "d", "e"], ["f", "x"]]


def details(score, key, response, **options):
    return score(key, response, details=True, **options)["documents"][0]


def test_one_entry_per_document_with_its_scores(metric, score):
    result = metric.compute(predictions=[RESPONSE, KEY], references=[KEY, KEY], details=True)
    assert [entry["scores"] for entry in result["documents"]] == [score(KEY, RESPONSE), score(KEY, KEY)]
    perfect = result["documents"][1]
    assert perfect["key_errors"] == perfect["response_errors"] == perfect["missing"] == perfect["spurious"] == []
    json.dumps(result["documents"])


def test_errors_are_named_and_priced(score):
    found = details(score, KEY, RESPONSE)
    assert (found["missing"], found["spurious"]) == (["g"], ["x"])
    by_class = {tuple(entry["mentions"]): entry for entry in found["key_errors"]}
    split = by_class["a", "b", "c"]
    assert split["errors"] == ["split", "merged"]  # c stands in a class with d and e
    assert split["parts"] == [["a", "b"], ["c"]]
    assert split["lost"]["muc"] == 1.0
    assert split["lost"]["b3"] == pytest.approx(3 - (4 + 1) / 3)
    assert by_class["d", "e"]["errors"] == ["merged"]
    assert set(by_class["d", "e"]["lost"]) == {"ceafe"}  # its links and mentions are all there
    assert by_class["f", "g"]["errors"] == ["missing", "spurious"]
    assert by_class["f", "g"]["missing"] == ["g"]
    assert by_class["f", "g"]["lost"]["mention"] == 1.0
    by_class = {tuple(entry["mentions"]): entry for entry in found["response_errors"]}
    assert by_class["c", "d", "e"]["errors"] == ["split", "merged"]
    assert by_class["c", "d", "e"]["parts"] == [["c"], ["d", "e"]]
    assert by_class["f", "x"]["spurious"] == ["x"]
    assert by_class["a", "b"]["errors"] == ["split"]


def test_matches_are_ceafs_alignment(score):
    matches = details(score, KEY, RESPONSE)["matches"]
    assert [(m["key"], m["response"], m["common"]) for m in matches["ceafm"]] == [
        (["a", "b", "c"], ["a", "b"], 2),
        (["d", "e"], ["c", "d", "e"], 2),
        (["f", "g"], ["f", "x"], 1),
    ]
    assert [m["similarity"] for m in matches["ceafe"]] == pytest.approx([4 / 5, 4 / 5, 1 / 2])


def test_only_what_was_asked_for_is_explained(score):
    found = details(score, KEY, RESPONSE, measures=["muc"])
    assert found["matches"] == {}
    assert {name for entry in found["key_errors"] for name in entry["lost"]} == {"muc"}


@settings(max_examples=100, deadline=None)
@given(documents, st.sampled_from(["raw", "union"]))
def test_losses_add_up_to_what_the_scores_lack(score, document, policy):
    """For every measure that is a sum over classes: lost = denominator - numerator, on both sides."""
    key, response = document
    found = details(score, key, response, mentions=policy)
    if policy == "union":
        key, response = [[list(c) for c in side] for side in oracle.complete(*[list(map(set, s)) for s in document])]
    for name, (good_r, all_r, good_p, all_p) in literal_fractions(key, response).items():
        for side, expected in (("key_errors", all_r - good_r), ("response_errors", all_p - good_p)):
            lost = sum(entry["lost"].get(name, 0.0) for entry in found[side])
            assert lost == pytest.approx(expected, abs=1e-7), (name, side)
    for name in ("ceafm", "ceafe"):
        matches = found["matches"][name]
        denominator = len(key) if name == "ceafe" else sum(map(len, key))
        total = sum(match["similarity"] for match in matches)
        assert found["scores"][f"{name}_recall"] == pytest.approx(total / denominator if denominator else 0.0)
        for match in matches:
            assert match["common"] == len(set(match["key"]) & set(match["response"])) > 0
            assert sorted(match["key"]) in map(sorted, key) and sorted(match["response"]) in map(sorted, response)


def test_small_losses_and_mixed_causes(score):
    mentions = [f"m{i}" for i in range(100)]
    found = details(score, [mentions], [mentions[:99]])
    assert found["key_errors"][0]["lost"]["ceafe"] == pytest.approx(1 - 2 * 99 / 199)
    # One of the two response classes has a spurious mention: that is enough.
    found = details(score, [["a", "b", "c"]], [["a", "b"], ["c", "x"]])
    assert found["key_errors"][0]["errors"] == ["split", "spurious"]


@settings(max_examples=100, deadline=None)
@given(documents)
def test_details_change_no_score(score, document):
    with_details = score(*document, details=True)
    del with_details["documents"], with_details["signature"]
    assert with_details == pytest.approx(score(*document), nan_ok=True)
