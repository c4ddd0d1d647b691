"""measures=, subset=, keep_singletons=, baselines=, typed links, pronouns."""

import pytest
from hypothesis import given, settings

from metrics.muc_b3_ceaf_entropy.scoring import random_classes

from . import oracle
from .strategies import documents

KEY = [["a", "b", "c"], ["d", "e"], ["f"]]
RESPONSE = [["a", "b"], ["c", "d"], ["e", "f"]]

ALL_KEYS = [
    *(
        f"{name}_{part}"
        for name in "muc b3 ceafm ceafe blanc lea mention".split()
        for part in ("recall", "precision", "f1")
    ),
    "conll_f1",
    *(f"{name}_{part}" for name in ("core", "exclusive_core", "entropy") for part in ("recall", "precision", "f1")),
    *("kappa", "size_overlap", "d_error"),
]


def test_keys_and_their_order(score):
    result = score(KEY, RESPONSE)
    assert list(result) == ALL_KEYS
    assert all(type(value) is float for value in result.values())


@pytest.mark.parametrize(
    "names", [["conll_f1"], ["kappa", "muc"], ["entropy"], ["d_error", "size_overlap", "lea", "blanc"]]
)
def test_measures_selects_keys_and_changes_no_value(score, names):
    everything = score(KEY, RESPONSE)
    wanted = [key for key in ALL_KEYS if any(key == name or key.rsplit("_", 1)[0] == name for name in names)]
    assert list(score(KEY, RESPONSE, measures=names)) == wanted
    assert score(KEY, RESPONSE, measures=names[0]) == score(KEY, RESPONSE, measures=names[:1])
    assert score(KEY, RESPONSE, measures=tuple(names)) == {key: everything[key] for key in wanted}


def test_subset_restricts_both_sides(score):
    result = score(KEY, RESPONSE, subset=[["a", "b", "d", "unknown"]])
    assert result == score([["a", "b"], ["d"]], [["a", "b"], ["d"]])


def test_subset_takes_the_forms_of_mentions(score):
    key, response = [[[0, 1], [2, 3]], [[4, 4]]], [[[0, 1]], [[2, 3], [4, 4]]]
    assert score(key, response, subset=[[[0, 1], (2, 3)]]) == score([[[0, 1], [2, 3]]], [[[0, 1]], [[2, 3]]])
    assert score([[1, 2], [3]], [[1, 3], [2]], subset=[{1, 3}]) == score([[1], [3]], [[1, 3]])


def test_subset_may_leave_a_document_empty(metric):
    result = metric.compute(predictions=[RESPONSE, RESPONSE], references=[KEY, KEY], subset=[[], ["a", "b"]])
    expected = metric.compute(predictions=[[], [["a", "b"]]], references=[[], [["a", "b"]]])
    assert result == pytest.approx(expected, nan_ok=True)


def test_subset_without_any_mention_of_the_document(metric):
    """As pronouns that corefer with nothing: no error, as long as they look like the document's mentions."""
    documents = [[["m1", "m2"]], [["m3"]]]
    result = metric.compute(predictions=documents, references=documents, subset=[["m7"], ["m3"]], measures=["b3"])
    assert result["b3_f1"] == 1.0


def test_strict_looks_at_the_subset_only_and_before_singletons_are_dropped(score):
    score([["a"], ["b"]], [["a"]], mentions="strict", subset=[["a"]])
    key, response = [["a", "b"], ["c", "d"], ["e"]], [["a", "b"], ["c"], ["d"], ["e"]]
    strict = score(key, response, mentions="strict", keep_singletons=False)
    assert strict == score(key, response, mentions="union", keep_singletons=False)


@settings(max_examples=100)
@given(documents)
def test_without_singletons_each_side_loses_its_own(score, document):
    larger = [[cluster for cluster in side if len(cluster) > 1] for side in document]
    for policy in ("raw", "union"):
        expected = oracle.scores(*larger, policy, 0.0)
        assert score(*document, mentions=policy, keep_singletons=False) == pytest.approx(expected, nan_ok=True)


def test_baselines_are_the_scores_of_trivial_responses(metric):
    keys = [KEY, [["x", "y"], ["z"]]]
    result = metric.compute(predictions=[RESPONSE, []], references=keys, baselines=True)
    no_resolution = [[[m] for cluster in key for m in cluster] for key in keys]
    one_class = [[[m for cluster in key for m in cluster]] for key in keys]
    for name, responses in (("no_resolution", no_resolution), ("one_class", one_class)):
        expected = metric.compute(predictions=responses, references=keys)
        assert {key: result[f"{name}_{key}"] for key in ALL_KEYS} == pytest.approx(expected, nan_ok=True)
    assert list(result) == [
        *ALL_KEYS,
        *(f"{name}_{key}" for name in ("no_resolution", "one_class", "random") for key in ALL_KEYS),
    ]


def test_random_baseline_has_the_keys_profile_and_is_seeded(metric):
    keys = [[[f"{i}-{j}" for j in range(size)] for i, size in enumerate((9, 7, 5, 3, 3, 2, 1, 1))]] * 2
    runs = [metric.compute(predictions=keys, references=keys, baselines=True, seed=seed) for seed in (0, 0, 1)]
    assert runs[0] == runs[1] != runs[2]
    assert runs[0]["random_size_overlap"] == 1.0
    assert runs[0]["random_mention_f1"] == 1.0
    assert 0 < runs[0]["random_b3_f1"] < 1


def test_random_baseline_of_a_document_does_not_depend_on_its_place(metric):
    keys = [[[f"{d}-{i}-{j}" for j in range(4)] for i in range(3)] for d in range(3)]
    results = [metric.compute(predictions=k, references=k, baselines=True) for k in (keys, keys[::-1])]
    assert results[0] == pytest.approx(results[1], nan_ok=True)


def test_baselines_are_treated_like_responses(score):
    """Singletons go, and XC's ties are broken, as for any response; the order of the key does not matter."""
    key = [["a", "b"], ["c", "d"], ["e"]]
    result = score(key, key, baselines=True, keep_singletons=False)
    assert result["no_resolution_mention_recall"] == 0.0
    for seed in range(20):
        key = [[f"{i}{j}" for j in range(3)] for i in range(6)]
        result = score(key, key, baselines=True, seed=seed)
        assert result == score([cluster[::-1] for cluster in key[::-1]], key, baselines=True, seed=seed)
        response = random_classes(key, seed)
        assert result["random_exclusive_core_f1"] == score(key, response)["exclusive_core_f1"]


def test_baselines_of_empty_documents(score):
    assert score([], [], baselines=True, zero_division=1.0)["one_class_muc_f1"] == 1.0


def test_typed_links_are_scored_apart(metric):
    predictions = {"identity": [RESPONSE], "part-whole": [[["a", "d"]]]}
    references = {"part-whole": [[["a", "d"], ["b", "e"]]], "identity": [KEY]}
    result = metric.compute_typed(predictions, references, measures=["muc", "kappa"])
    for link_type in references:
        alone = metric.compute(
            predictions=predictions[link_type], references=references[link_type], measures=["muc", "kappa"]
        )
        assert {key: result[f"{link_type}_{key}"] for key in alone} == alone
    with pytest.raises(ValueError, match="expected the same types on both sides"):
        metric.compute_typed({"identity": [KEY]}, references)
    with pytest.raises(ValueError, match=r"link type 'identity': predictions\[0\], cluster 0: found an empty"):
        metric.compute_typed({"identity": [[[]]]}, {"identity": [KEY]})
    with pytest.raises(ValueError, match="predictions: found list, expected a dict"):
        metric.compute_typed([KEY], references)


def test_pronoun_resolution(metric):
    key = [["Ann", "she", "her"], ["the dog", "it"], ["that"]]
    antecedents = {"she": "Ann", "her": "the dog", "it": None, "rain-it": "Ann", "that": "nowhere"}
    result = metric.pronoun_resolution(antecedents, key)
    # Pronouns of the key: she, her, it, that; attempted: she, her, rain-it, that; right: she.
    assert result == {"recall": 1 / 4, "precision": 1 / 4, "f1": 1 / 4, "resolved": 1, "attempted": 4, "pronouns": 4}
    chain = metric.pronoun_resolution({"her": "she", "she": "Ann"}, key)  # any mention of the class will do
    assert chain["recall"] == chain["precision"] == 1.0


def test_pronoun_resolution_adds_up_documents(metric):
    result = metric.pronoun_resolution([{2: 1}, {2: 1, 3: None}], [[[1, 2]], [[1], [2, 3]]])
    assert (result["resolved"], result["attempted"], result["pronouns"]) == (1, 2, 3)
    assert (result["recall"], result["precision"], result["f1"]) == pytest.approx((1 / 3, 1 / 2, 0.4))
    assert metric.pronoun_resolution({(3, 3): (0, 1)}, [[[0, 1], [3, 3]]])["recall"] == 1.0
    assert metric.pronoun_resolution([], [])["f1"] == 0.0


@pytest.mark.parametrize(
    ("antecedents", "key", "message"),
    [
        ({"a": "a"}, [["a", "b"]], r"antecedents\[0\]: found the pronoun 'a' as its own antecedent"),
        ([{"a": "b"}], [], "found 1 documents of antecedents and 0 of key"),
        ([[("a", "b")]], [[["a", "b"]]], r"antecedents\[0\]: found list, expected a dict"),
        ({1: 2}, [["1", "2"]], r"antecedents\[0\]: found the mention 1, expected a string as in the key"),
        ({"a": 1.5}, [["a"]], r"antecedents\[0\].*found the mention float 1.5"),
        (None, [["a"]], "antecedents: found NoneType None"),
        ({"a": "b"}, [["a"], ["a"]], r"key\[0\]: found the mention 'a' in clusters \[0, 1\]"),
    ],
)
def test_pronoun_resolution_errors(metric, antecedents, key, message):
    with pytest.raises(ValueError, match=message):
        metric.pronoun_resolution(antecedents, key)
