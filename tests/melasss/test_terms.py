"""Each term against its meaning, on vectors made by hand; none depends on what it should not."""

import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.melasss.similarities import sentence_importance
from metrics.melasss.terms_pair import LEAD_WORDS, Pair, Side, n_lead, unit
from metrics.melasss.terms_table import NAMES, features

from . import models, oracle

WORDS = "boat port storm crane ship mayor euro week".split()


def side(sentences, seed=0, width=6):
    """Sentences with random vectors, and a token for each word whose vector is the word's own."""
    random = np.random.default_rng(seed)
    own = {
        word: unit(np.random.default_rng(zlib.crc32(word.encode())).normal(size=width))
        for s in sentences
        for word in s.split()
    }
    tokens = [own[word] for sentence in sentences for word in sentence.split()]
    owners = np.repeat(np.arange(len(sentences)), [len(s.split()) for s in sentences])
    vectors = random.normal(size=(len(sentences), width)).astype(np.float32)
    return Side(sentences, vectors, np.array(tokens, np.float32), owners)


def named(pair):
    return dict(zip(NAMES, features(pair)))


TEXT = ["boat port storm", "crane ship mayor", "euro week boat"]


def test_recall_counts_what_stands_first():
    found = named(Pair(side(TEXT), side(["storms", "mayor"], 1)))  # a word is known whatever its ending
    first, second, third = 1, 2**-0.5, 3**-0.5
    assert found["word_recall"] == pytest.approx((first + second) / (3 * (first + second + third)))
    assert found["shared_words"] == pytest.approx(np.log(1 + 2))


def test_tokens_both_ways():
    text, summary = side(TEXT), side(["boat crane", "week"], 1)
    found = named(Pair(text, summary))
    cosines = np.array([[oracle.cosine(t, s) for s in summary.token_vectors] for t in text.token_vectors])
    weights = [1, 1, 1, 1 / 2, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]
    assert found["token_recall"] == pytest.approx(np.average(cosines.max(axis=1), weights=weights), abs=1e-6)
    assert found["token_support"] == pytest.approx(cosines.max(axis=0).mean(), abs=1e-6) == 1
    alone = [max(cosines[3 * i : 3 * i + 3, tokens].max(axis=0).mean() for i in range(3)) for tokens in ([0, 1], [2])]
    assert found["single_support"] == pytest.approx(np.mean(alone), abs=1e-6) and alone[0] < 1


def test_only_the_beginning_counts_for_token_recall():
    long = [" ".join(WORDS * 5)] * 9  # of 40 words each: the seventh has the 250th
    assert LEAD_WORDS == 250 and n_lead(long) == 7 and n_lead(["boat"]) == 1
    text, summary = side(long), side(["boat"], 1)
    whole = named(Pair(text, summary))["token_recall"]
    beginning = Side(long, text.vectors[:7], text.token_vectors[: 7 * 40], text.owners[: 7 * 40])
    assert named(Pair(beginning, summary))["token_recall"] == whole


@pytest.mark.parametrize(
    "summary, share",
    [
        (["boat port"], 1),
        (["boat"], 1),
        (["boat boat boat"], 2 / 3),  # the text has two
        (["boat quay"], 0.5),
        (["quay"], 0),
        (["..."], 0),
    ],
)
def test_known_words(summary, share):
    assert named(Pair(side(TEXT), side(summary, 1)))["known_words"] == pytest.approx(share)


def test_importance_of_one_word():
    """No floor below the one that keeps from dividing by 0."""
    assert sentence_importance([["boat"], ["boat"]]).tolist() == [1, 1]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(WORDS[:4]), min_size=1, max_size=10))
def test_repetition(summary):
    found = named(Pair(side(TEXT), side([" ".join(summary)], 1)))
    assert found["repeated_pairs"] == pytest.approx(oracle.repetition(list(zip(summary, summary[1:]))))


def test_a_text_as_its_own_summary():
    text = side(TEXT)
    found = named(Pair(text, text))
    for name in ("token_recall", "word_recall", "token_support", "single_support", "known_words"):
        assert found[name] == pytest.approx(1, abs=1e-6), name
    assert not any(found[name] for name in ("unknown_numbers", "repeated_pairs"))


def test_long_texts_are_compared_in_blocks(monkeypatch):
    text, summary = side(TEXT), side(["ship week boat storm"], 1)
    whole = Pair(text, summary).token_matches
    monkeypatch.setattr("metrics.melasss.terms_pair.BLOCK", 8)
    cosines = text.token_vectors @ summary.token_vectors.T
    for covered, supported in (whole, Pair(text, summary).token_matches):  # other shapes are rounded otherwise
        np.testing.assert_allclose(covered, cosines.max(axis=1), atol=1e-6)
        np.testing.assert_allclose(supported, cosines.max(axis=0), atol=1e-6)


def test_function_words_say_nothing():
    text = side(["the boat and the port"])
    assert named(Pair(text, side(["the and the"])))["word_recall"] == 0
    assert named(Pair(text, side(["the and the"])))["shared_words"] == 0


def test_a_vector_of_zeros_has_no_direction():
    assert unit(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("sentences", [["storm"], ["..."], ["1"], ["boat"] * 9, ["...", "boat"]])
def test_short_and_strange_sides_have_finite_features(sentences):
    assert np.isfinite(features(Pair(side(TEXT), side(sentences, 1)))).all()
    assert np.isfinite(features(Pair(side(sentences, 1), side(TEXT)))).all()


def test_tokenised_lower_cased_and_natural_forms_are_alike(minilm):
    natural = ["The harbour's keeper didn't pay 1,200 euros (or more).", '"Never," he said.']
    tokenised = ["the harbour 's keeper did n't pay 1,200 euros -lrb- or more -rrb- .", "`` never , '' he said ."]
    text, one, other = minilm.sides([models.HARBOUR.split(". "), natural, tokenised])
    np.testing.assert_allclose(features(Pair(text, one)), features(Pair(text, other)), atol=1e-5)


def test_french_function_words():
    text = side(["le conseil de la ville n'a pas payé l'eau"])
    found = named(Pair(text, side(["la ville et le conseil"], 1)))
    assert found["word_recall"] == pytest.approx(2 / 4)  # conseil, ville, payé, eau
