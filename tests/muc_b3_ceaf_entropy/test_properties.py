"""What must hold for any key and response."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from metrics import coreference

from .strategies import documents, same_mention_documents

SYMMETRIC = ("muc", "b3", "ceafm", "ceafe", "lea", "mention", "core", "entropy")
SIGNED = ("kappa", "d_error")


@pytest.fixture(scope="session")
def score():
    """Score one document, without evaluate's tables, which take five times as long as the scores of a small one."""
    return lambda key, response, **options: coreference([response], [key], **options)


@settings(max_examples=100)
@given(same_mention_documents)
def test_a_perfect_response_scores_1(score, document):
    key, _ = document
    result = score(key, key, zero_division=1.0)
    undefined = not any(len(cluster) > 1 for cluster in key) or len(key) == 1
    for name, value in result.items():
        if name == "d_error":
            assert value == 0
        elif name == "kappa" and undefined:
            assert value != value
        else:
            assert value == pytest.approx(1.0), name


@settings(max_examples=150)
@given(documents, st.randoms(use_true_random=False))
def test_order_of_clusters_and_mentions_does_not_matter(score, document, generator):
    def shuffled(side):
        return generator.sample([generator.sample(cluster, len(cluster)) for cluster in side], len(side))

    key, response = document
    assert score(shuffled(key), shuffled(response)) == pytest.approx(score(key, response), abs=1e-12, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(documents, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_order_of_documents_does_not_matter(corpus, generator):
    for average in ("micro", "macro"):
        results = []
        for order in (corpus, generator.sample(corpus, len(corpus))):
            keys, responses = zip(*order)
            results.append(coreference(responses, keys, average=average))
        assert results[0] == pytest.approx(results[1], abs=1e-12, nan_ok=True)


@settings(max_examples=150)
@given(documents, st.sampled_from(["raw", "union"]))
def test_recall_and_precision_change_places_with_the_sides(score, document, policy):
    key, response = document
    forth, back = (score(*sides, mentions=policy) for sides in ((key, response), (response, key)))
    for name in SYMMETRIC:
        assert forth[f"{name}_recall"] == pytest.approx(back[f"{name}_precision"])
        assert forth[f"{name}_precision"] == pytest.approx(back[f"{name}_recall"])
        assert forth[f"{name}_f1"] == pytest.approx(back[f"{name}_f1"])
    assert forth["kappa"] == pytest.approx(back["kappa"], nan_ok=True)
    assert forth["size_overlap"] == pytest.approx(back["size_overlap"])
    assert forth["d_error"] == pytest.approx(-back["d_error"])


@settings(max_examples=150)
@given(documents)
def test_core_classes_are_never_more_lenient_than_muc(score, document):
    """PROP.8."""
    result = score(*document, zero_division=1.0)
    assert result["core_recall"] <= result["muc_recall"] + 1e-12
    assert result["core_precision"] <= result["muc_precision"] + 1e-12


@settings(max_examples=150)
@given(documents, st.sampled_from(["raw", "union"]))
def test_bounds(score, document, policy):
    for name, value in score(*document, mentions=policy).items():
        if name not in SIGNED:
            assert 0 <= value <= 1, name
    assert -1 <= score(*document, measures=["d_error"])["d_error"] <= 1


@settings(max_examples=100)
@given(same_mention_documents)
def test_policies_agree_on_equal_mentions(score, document):
    results = [score(*document, mentions=policy) for policy in ("raw", "union", "strict")]
    assert results[0] == pytest.approx(results[1], nan_ok=True)
    assert results[0] == pytest.approx(results[2], nan_ok=True)


@settings(max_examples=150)
@given(documents)
def test_singletons_do_not_matter_to_muc_and_core(score, document):
    """PROP.13."""
    with_them, without = (score(*document, keep_singletons=keep) for keep in (True, False))
    for name in ("muc", "core"):
        for part in ("recall", "precision", "f1"):
            assert with_them[f"{name}_{part}"] == pytest.approx(without[f"{name}_{part}"])


@settings(max_examples=100)
@given(documents)
def test_completing_does_not_change_muc(score, document):
    """Section 5.3: DEF.17 leaves MUC as it is."""
    raw, union = (score(*document, mentions=policy) for policy in ("raw", "union"))
    assert raw["muc_f1"] == pytest.approx(union["muc_f1"])


@settings(max_examples=100)
@given(same_mention_documents)
def test_b3_lower_bounds(score, document):
    """PROP.6."""
    key, response = document
    assume(key)
    total = sum(map(len, key))
    result = score(key, response)
    assert result["b3_recall"] >= len(key) / total - 1e-12
    assert result["b3_precision"] >= len(response) / total - 1e-12


def test_entropy_is_0_for_independent_partitions(score):
    """PROP.12: every key class is spread over the response in the same proportions."""
    key = [[f"{i}{j}{n}" for j in range(3) for n in range(2)] for i in range(4)]
    response = [[f"{i}{j}{n}" for i in range(4) for n in range(2)] for j in range(3)]
    assert score(key, response)["entropy_f1"] == pytest.approx(0.0, abs=1e-12)


def test_rounding_never_leaves_the_bounds(score):
    generator = random.Random(1)
    for _ in range(20):
        mentions = [f"m{i}" for i in range(500)]
        sides = []
        for _ in range(2):
            generator.shuffle(mentions)
            sides.append([mentions[i : i + 7] for i in range(0, 500, 7)])
        for name, value in score(*sides).items():
            assert name in SIGNED or 0 <= value <= 1
