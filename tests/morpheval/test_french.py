"""The default rules on what is difficult in French."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.morpheval.contrastive_tests import normalised_entropy
from metrics.morpheval.grammar_verbs import verb_group
from metrics.morpheval.language_french import FRENCH, WORDS
from metrics.morpheval.lexicon import Reading
from metrics.morpheval.words import describe, features

from .drawn import draw
from .items import items

NAME = re.compile(r"(?<!^)(?<![.] )\b(Rose|Marie|Paul|Paris|Zorglub)|^$")
PAIRS = [pytest.param(*item, id=f"{point}-{item[2]}") for point, *item in items("items_fr") if len(item) == 4]
FIVES = [(test, group, values) for _, test, *group, values in items("items_fr") if len(group) == 5]


@pytest.mark.parametrize("test, base, variant, verdict", PAIRS)
def test_item(judge, test, base, variant, verdict):
    assert judge(test, base, variant).verdict == verdict


@pytest.mark.parametrize("test, base, variant, verdict", PAIRS)
def test_tokenised_and_upper_case_text_is_judged_alike(judge, test, base, variant, verdict):
    tokenised = [
        " ".join(word.form for word in sentence).replace("_", " ") for sentence in judge(test, base, variant).sentences
    ]
    if not NAME.search(f"{base} {variant}"):  # the tokens are lower-case, and capitals alone tell no names
        assert judge(test, *tokenised).verdict == verdict
        assert judge(test, base.upper(), variant.upper()).verdict == verdict


@pytest.mark.parametrize("test, group, values", FIVES)
def test_group_of_five(judge, test, group, values):
    expected = values if values == "rejected" else pytest.approx(normalised_entropy(values, len(group)))
    assert judge(test, *group).verdict == expected


def test_100_items_drawn_from_the_lexicon_for_each_slip_of_the_published_script(judge, entries):
    for name, (test, drawn, verdict) in draw(entries).items():
        found = Counter(judge(test, *item).verdict for item in drawn)
        assert len(drawn) > 95, name
        if verdict == "not pass":
            assert not found["pass"], name
        else:
            assert found == {verdict: len(drawn)}, name


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("Viendra-t-il, lui ?", "viendra -il , lui ?"),
        ("Qu’est-ce que c’est ?", "qu' est-ce_que c' est ?"),
        ("viendra -t-il", "viendra -il"),
        ("Donne-le-moi !", "donne -le -moi !"),
        ("un rendez-vous aujourd'hui", "un rendez-vous aujourd'_hui"),
        ("quelqu' un vient", "quelqu'_un vient"),
        ("j 'ai dit « non »", "j' ai dit non"),
        ("l&apos;ami &amp; lui", "l' ami & lui"),
        ("l' anti @-@ inflation", "l' anti inflation"),
        ("cœur\u00adjoie", "coeurjoie"),
        ("il a d'abord vu", "il a d'_abord vu"),
        ("deux\nlignes\u2028ici", "deux lignes ici"),
        ("celui-là", "celui-là"),
        ("a - t - il", "a -il"),
        ("'oui', dit-il", "oui , dit -il"),
        ("--", ""),
    ],
)
def test_tokens(lexicon, text, tokens):
    (sentence,) = FRENCH.analyse([text], lexicon)
    assert " ".join(word.form for word in sentence) == tokens


TEXTS = st.lists(
    st.sampled_from(
        "LE CHAT|le chat|dort|DORT|&apos;|&amp;|d'abord|\tà nouveau|l’été|\u2028|Rose|ÉTÉ|aujourd' hui".split("|")
    ),
    max_size=6,
).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_text_is_analysed_as_if_it_stood_alone(lexicon, texts):
    assert FRENCH.analyse(texts, lexicon) == [FRENCH.analyse([text], lexicon)[0] for text in texts]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_any_text_becomes_one_sentence_each(lexicon, texts):
    sentences = FRENCH.analyse(texts, lexicon)
    assert len(sentences) == len(texts)
    for text, sentence in zip(texts, sentences):
        assert sentence == FRENCH.analyse([text], lexicon)[0]
        assert all(word.form and not word.form.isspace() for word in sentence)


def test_features_of_a_tag():
    assert features("PS13s") == (frozenset("PS"), frozenset("13"), frozenset("s"), frozenset())
    assert features("Kfp") == (frozenset("K"), frozenset(), frozenset("p"), frozenset("f"))
    assert features("s_P3p") == (frozenset(), frozenset(), frozenset("s"), frozenset())
    assert features("") == (frozenset(),) * 4


def test_readings_in_words():
    assert describe([Reading("v", "avoir", "I3s")]) == "verb, imperfect, third person singular"
    assert describe([Reading("auxAvoir", "avoir", "I3s"), Reading("v", "avoir", "I3s")]).count("verb") == 1
    assert describe([]) == "not in the lexicon"


@pytest.mark.parametrize(
    "sentence, i, tense, person, number",
    [
        ("il mange", 1, "PS", "3", "s"),
        ("je mange", 1, "PS", "1", "s"),
        ("Marie mange", 1, "PS", "13", "s"),
        ("ils ont mangé", 2, "P+K", "3", "p"),
        ("ils ont mangé", 1, "P+K", "3", "p"),
        ("il va vite manger", 3, "F", "3", "s"),
        ("la pomme a été mangée", 4, "P+K", "3", "s"),
        ("la pomme a été mangée", 2, "P+K", "3", "s"),
        ("la pomme est mangée", 3, "P", "3", "s"),
        ("il veut manger", 2, "W", "", ""),
        ("il dit", 1, "PJ", "3", "s"),
    ],
)
def test_verb_groups(lexicon, sentence, i, tense, person, number):
    (words,) = FRENCH.analyse([sentence], lexicon)
    values = verb_group(WORDS, words, i).values
    tenses = {tense} if "+" in tense else set(tense)
    assert values["tense"] - {"Y"} == tenses
    assert values["person"] - {"2"} == set(person) and values["number"] == set(number)
