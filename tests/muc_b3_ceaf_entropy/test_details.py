"""details=True: per document the scores, CEAF's alignment and the errors that each measure counts."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.muc_b3_ceaf_entropy.scoring import Options, Scorer

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


def test_errors_are_named_whatever_is_measured(score):
    """A measure that is no sum over classes, or that does not mind the error, explains nothing but hides nothing."""
    everything = details(score, KEY, RESPONSE)
    for name in ("kappa", "muc"):
        found = details(score, KEY, RESPONSE, measures=[name])
        assert found["totals"] == everything["totals"]
        for side in ("key_errors", "response_errors"):
            errors = [(entry["mentions"], entry["errors"]) for entry in found[side]]
            own = KEY if side == "key_errors" else RESPONSE
            assert errors == [(e["mentions"], e["errors"]) for e in everything[side] if e["mentions"] in own]


def test_a_boundary_is_one_error(score):
    """[5, 8] for [5, 9]: nothing is missing or spurious, and nothing split."""
    key, response = [[[0, 0], [5, 9]], [[2, 3]]], [[[0, 0], [5, 8]], [[2, 3]]]
    found = details(score, key, response)
    assert found["boundaries"] == [{"key": "[5, 9]", "response": "[5, 8]"}]
    assert found["missing"] == found["spurious"] == []
    for side, mentions in (("key_errors", ["[0, 0]", "[5, 9]"]), ("response_errors", ["[0, 0]", "[5, 8]"])):
        entries = [entry for entry in found[side] if entry["mentions"] == mentions]
        assert [(entry["errors"], entry["parts"]) for entry in entries] == [(["boundary"], [mentions])]
    assert found["totals"]["boundary"] == 1 and found["totals"]["missing"] == found["totals"]["split"] == 0


def test_a_boundary_in_another_class_is_a_boundary_and_a_link_error(score):
    found = details(score, [[[0, 0], [5, 9]], [[2, 3]]], [[[0, 0]], [[2, 3], [5, 8]]])
    assert found["key_errors"][0]["errors"] == ["split", "merged", "boundary"]
    assert found["totals"]["split"] == found["totals"]["merged"] == found["totals"]["boundary"] == 1


def test_totals_add_up_and_names_come_along(metric, score):
    result = metric.compute(predictions=[RESPONSE, KEY], references=[KEY, KEY], details=True)
    assert result["totals"] == {
        "documents": 2,
        **{"key_mentions": 14, "response_mentions": 14, "common_mentions": 13},
        **{"key_entities": 6, "response_entities": 6},
        **{"split": 1, "merged": 1, "missing": 1, "spurious": 1, "boundary": 0},
        "fractions": result["totals"]["fractions"],
    }
    muc = result["totals"]["fractions"]["muc"]
    assert muc["recall_numerator"] / muc["recall_denominator"] == result["muc_recall"]
    assert muc["precision_numerator"] / muc["precision_denominator"] == result["muc_precision"]
    assert "kappa" not in result["totals"]["fractions"]
    named = Scorer(Options(details=True)).score([RESPONSE, KEY], [KEY, KEY], names=["one", "two"])
    assert [entry["name"] for entry in named["documents"]] == ["one", "two"]
    assert list(named["documents"][0])[:2] == ["name", "scores"]


@settings(max_examples=100)
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


@settings(max_examples=100)
@given(documents)
def test_details_change_no_score(score, document):
    with_details = score(*document, details=True)
    del with_details["documents"], with_details["totals"], with_details["signature"]
    assert with_details == pytest.approx(score(*document), nan_ok=True)
