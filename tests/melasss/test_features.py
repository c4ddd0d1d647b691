"""Each feature against its meaning, on vectors made by hand; none depends on what it should not."""

import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.melasss.terms_features import DEFECTS, FRACTIONS, NAMES, TABLE, Pair, Side, features, unit

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


def test_what_is_copied_and_what_is_new():
    found = named(Pair(side(TEXT), side(["boat port storm", "the ship sank"], 1)))
    assert found["token_support"] > 0.5
    assert found["novelty"] == pytest.approx(3 / 4)  # of four runs of three words one is in the text
    assert found["fragments"] == pytest.approx(2 / 6)  # "boat port storm" and "ship"
    assert found["fragment_length"] == pytest.approx(np.log1p((9 + 1) / 6))
    assert found["content_recall"] == pytest.approx((2 + 1 + 1 + 1) / 9)  # boat, twice said, port, storm, ship


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(WORDS[:4]), min_size=1, max_size=14),
    st.lists(st.sampled_from(WORDS[:4]), min_size=1, max_size=10),
)
def test_fragments_and_repetition(text, summary):
    pair = Pair(side([" ".join(text)]), side([" ".join(summary)], 1))
    assert pair.fragments == oracle.copied_fragments(text, summary)
    found = named(pair)
    assert found["repeated_words"] == pytest.approx(oracle.repetition(summary))
    assert found["repeated_pairs"] == pytest.approx(oracle.repetition(list(zip(summary, summary[1:]))))


def test_a_text_as_its_own_summary():
    text = side(TEXT)
    found = named(Pair(text, text))
    for name in ("coverage", "first_coverage", "support", "last_support", "token_support", "span"):
        assert found[name] == pytest.approx(1, abs=1e-6), name
    assert found["content_recall"] == 1 and found["novelty"] == 0 and found["backward_steps"] < 0.5
    assert found["words"] == found["text_words"]


def test_cosines_by_hand():
    text, summary = side(TEXT), side(["boat", "ship week"], 1)
    pair, found = Pair(text, summary), named(Pair(text, summary))
    cosines = [[oracle.cosine(t, r) for r in summary.vectors.tolist()] for t in text.vectors.tolist()]
    np.testing.assert_allclose(pair.cosines, cosines, atol=1e-6)
    assert found["coverage"] == pytest.approx(np.mean([max(row) for row in cosines]), abs=1e-6)
    assert found["support"] == pytest.approx(np.mean([max(column) for column in zip(*cosines)]), abs=1e-6)
    assert found["last_support"] == pytest.approx(max(row[1] for row in cosines), abs=1e-6)
    nearest = [max(range(3), key=lambda i: cosines[i][j]) for j in range(2)]
    assert found["depth"] == pytest.approx(np.mean(np.log1p(nearest))) and found["entry"] == np.log1p(min(nearest))
    text_unit, summary_unit = unit(text.vectors.astype(float)), unit(summary.vectors.astype(float))
    lead = sum(text_unit[i] / (i + 1) for i in range(3))
    assert found["closeness"] == pytest.approx(oracle.cosine(lead, summary_unit.mean(axis=0)), abs=1e-6)
    weighted = 1 * summary_unit[0] + 2 * summary_unit[1]  # by tokens
    assert found["long_closeness"] == pytest.approx(oracle.cosine(lead, weighted), abs=1e-6)
    mean = text_unit.mean(axis=0)
    central = [oracle.cosine(z, mean) for z in summary_unit]
    assert found["centrality"] == pytest.approx(np.mean(central), abs=1e-6)
    assert found["least_centrality"] == pytest.approx(min(central), abs=1e-6)
    assert found["first_coverage"] == pytest.approx(max(cosines[0]), abs=1e-6)
    square_roots = sum(text_unit[i] / (i + 1) ** 0.5 for i in range(3))
    assert found["broad_closeness"] == pytest.approx(oracle.cosine(square_roots, summary_unit.mean(axis=0)), abs=1e-6)
    plane, _ = np.linalg.qr(summary_unit.T)
    centre = lead / np.linalg.norm(lead)
    assert found["span"] == pytest.approx(np.linalg.norm(plane.T @ centre), abs=1e-6)
    tokens = [token @ summary_unit[i] for token, i in zip(summary.token_vectors, summary.owners)]
    assert found["cohesion"] == pytest.approx(np.mean(tokens), abs=1e-6)
    best = [max(oracle.cosine(t, u) for t in text.token_vectors) for u in summary.token_vectors]
    assert found["token_support"] == pytest.approx(np.mean(best), abs=1e-6)
    assert found["words"] == np.log1p(3) and found["sentences"] == np.log1p(2) and found["text_words"] == np.log1p(9)
    assert found["sentence_length"] == pytest.approx((np.log1p(1) + np.log1p(2)) / 2)
    assert found["longest_sentence"] == np.log1p(2)
    assert found["vector_length"] == pytest.approx(np.linalg.norm(summary.vectors, axis=1).mean(), abs=1e-5)


def test_long_texts_are_compared_in_blocks(monkeypatch):
    text, summary = side(TEXT), side(["ship week boat storm"], 1)
    whole = Pair(text, summary).token_matches
    monkeypatch.setattr("metrics.melasss.terms_features.BLOCK", 8)
    cosines = text.token_vectors @ summary.token_vectors.T
    for best, places, told in (whole, Pair(text, summary).token_matches):  # other shapes are rounded otherwise
        np.testing.assert_allclose(told, cosines.max(axis=1), atol=1e-6)
        np.testing.assert_allclose(best, cosines.max(axis=0), atol=1e-6)
        np.testing.assert_allclose(cosines[places, np.arange(len(places))], cosines.max(axis=0), atol=1e-6)


def test_a_sentence_said_again_spans_no_more():
    text, once = side(TEXT), side(["boat", "ship week"], 1)
    again = Side(
        once.sentences * 9,
        np.tile(once.vectors, (9, 1)),
        np.tile(once.token_vectors, (9, 1)),
        np.repeat(np.arange(18), [1, 2] * 9),
    )
    assert named(Pair(text, again))["span"] == pytest.approx(named(Pair(text, once))["span"], abs=1e-6)


def test_function_words_say_nothing():
    text = side(["the boat and the port"])
    assert named(Pair(text, side(["the and the"])))["content_recall"] == 0
    assert named(Pair(text, side(["the boat and the port"])))["repeated_words"] == 0


def test_a_vector_of_zeros_has_no_direction():
    assert unit(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


def test_steps_follow_the_text():
    text = side(TEXT)
    assert named(Pair(text, side(["port storm crane"])))["steps"] == 1
    found = named(Pair(text, side(["storm port", "mayor boat"])))
    assert found["steps"] == 0 and found["backward_steps"] == 1
    assert named(Pair(text, side(["ship ship"])))["backward_steps"] == 0
    assert named(Pair(text, side(["storm", "port"])))["steps"] == 0  # no step between sentences


@pytest.mark.parametrize("sentences", [["storm"], ["..."], ["1"], ["boat"] * 9, ["...", "boat"]])
def test_short_and_strange_sides_have_finite_features(sentences):
    assert np.isfinite(features(Pair(side(TEXT), side(sentences, 1)))).all()
    assert np.isfinite(features(Pair(side(sentences, 1), side(TEXT)))).all()


def test_tokenised_lower_cased_and_natural_forms_are_alike(minilm):
    natural = ["The harbour's keeper didn't pay 1,200 euros (or more).", '"Never," he said.']
    tokenised = ["the harbour 's keeper did n't pay 1,200 euros -lrb- or more -rrb- .", "`` never , '' he said ."]
    text, one, other = minilm.sides([models.HARBOUR.split(". "), natural, tokenised])
    np.testing.assert_allclose(features(Pair(text, one)), features(Pair(text, other)), atol=1e-5)


def test_recall_counts_what_stands_first():
    found = named(Pair(side(TEXT), side(["storms", "mayor"], 1)))  # a word is known whatever its ending
    first, second, third = 1, 2**-0.5, 3**-0.5
    assert found["content_recall"] == pytest.approx(2 / 9)
    assert found["recall"] == pytest.approx((first + second) / (3 * (first + second + third)))
    assert found["first_recall"] == min(found["recall"], 0.25)
    assert found["concentration"] == pytest.approx(found["recall"] / (2 / 9) ** 0.5)
    assert found["new_words"] == 0 and named(Pair(side(TEXT), side(["storm quay"], 1)))["new_words"] == 0.5


def test_what_tokens_find_again():
    text, summary = side(TEXT), side(["boat crane", "week"], 1)
    found = named(Pair(text, summary))
    best = [max(oracle.cosine(t, s) for s in summary.token_vectors) for t in text.token_vectors]
    weights = [1, 1, 1, 1 / 2, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]
    assert found["token_recall"] == pytest.approx(np.average(best, weights=weights), abs=1e-6)
    assert found["detail"] == pytest.approx(np.mean(best) - found["coverage"], abs=1e-6)
    assert found["least_token_support"] == pytest.approx(1, abs=1e-6)


STORY = [
    "The harbour of Kerloc'h did not open on Monday, and Anna Lund paid 1,800 euros for twelve boats.",
    "The mayor said that the council would repair the mole with the money of the region.",
]


@pytest.mark.parametrize(
    "name, sound, faulty",
    [
        ("unknown_numbers", "Anna Lund paid 1800 euros for 12 boats.", "Anna Lund paid 1,900 euros for ten boats."),
        ("unknown_names", "Anna Lund paid for the boats.", "Peter Moss and Anna Lund paid for Denmark."),
        ("unknown_negations", "The harbour did not open.", "The council will not repair the mole."),
        ("list", "The harbour stayed shut and the mayor said so.", "harbour, Monday, boats, mayor, council, mole"),
        ("jumble", "The harbour of Kerloc'h stayed shut.", "of the stayed the Kerloc'h shut harbour the and"),
        ("too_long", "The harbour stayed shut.", " ".join(STORY) * 6),
    ],
)
def test_defects(name, sound, faulty):
    text = side(STORY)
    assert TABLE[name].function(Pair(text, side([sound], 1))) == 0
    assert TABLE[name].function(Pair(text, side([faulty], 1))) == 1
    assert TABLE[name].sign == -1 and name in DEFECTS


@pytest.mark.parametrize(
    "sentence, graded, whole",
    [
        ("Nothing lets the harbour open.", [2 / 3], [0]),  # the text has "did not open on Monday"
        ("The council will not repair the mole.", [1], [1]),
        ("The others paid, but the council did not.", [0], [1]),
    ],
)
def test_negations_are_graded_for_the_score(sentence, graded, whole):
    pair = Pair(side(STORY), side([sentence], 1))
    assert pair.unknown_negations == pytest.approx(graded) and pair.unsupported_negations == whole


def test_rewording_needs_other_words_and_no_fault(minilm):
    rewritten = ["Repaired by the region's money, the mole will be the council's, the mayor told them."]
    invented = [*rewritten, "Peter Moss won 7,000 dollars."]
    text, *summaries = minilm.sides([STORY, STORY[:1], rewritten, invented])
    found = [TABLE["rewording"].function(Pair(text, summary)) for summary in summaries]
    assert found[0] == 0 and found[1] > 0.5 and found[2] == 0


def test_french_function_words():
    text = side(["le conseil de la ville n'a pas payé l'eau"])
    found = named(Pair(text, side(["la ville et le conseil"], 1)))
    assert found["content_recall"] == pytest.approx(2 / 4)  # conseil, ville, payé, eau
    assert found["unknown_negations"] == 0 == found["list"]


def test_every_feature_says_what_it_is():
    assert all(feature.meaning and feature.sign in (-1, 0, 1) for feature in TABLE.values())
    assert set(FRACTIONS) < set(NAMES) and all(TABLE[name].sign for name in FRACTIONS)
