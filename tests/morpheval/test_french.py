"""The default rules on what is difficult in French."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.morpheval.grammar_verbs import verb_group
from metrics.morpheval.language_french import FRENCH, WORDS
from metrics.morpheval.words import features

from .drawn import draw
from .items import items

NAME = re.compile(r"(?<!^)(?<![.] )\b(Rose|Marie|Paul|Paris|Zorglub)|^$")
PAIRS = [pytest.param(test, *pair, id=point) for point, test, *pair, _ in items("items_fr") if len(pair) == 2]


@pytest.mark.parametrize("test, base, variant", PAIRS)
def test_tokenised_and_upper_case_text_is_judged_alike(judge, test, base, variant):
    plain = judge(test, base, variant)
    tokenised = [" ".join(word.form for word in sentence).replace("_", " ") for sentence in plain.sentences]
    if not NAME.search(f"{base} {variant}"):  # the tokens are lower-case, and capitals alone tell no names
        assert judge(test, *tokenised).verdict == plain.verdict
        assert judge(test, base.upper(), variant.upper()).verdict == plain.verdict


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


@given(st.lists(TEXTS | st.text(min_size=1), min_size=1, max_size=5))
def test_a_text_is_analysed_as_if_it_stood_alone(lexicon, texts):
    sentences = FRENCH.analyse(texts, lexicon)
    assert sentences == [FRENCH.analyse([text], lexicon)[0] for text in texts]
    assert all(word.form and not word.form.isspace() for sentence in sentences for word in sentence)


def test_features_of_a_tag():
    assert features("PS13s") == (frozenset("PS"), frozenset("13"), frozenset("s"), frozenset())
    assert features("Kfp") == (frozenset("K"), frozenset(), frozenset("p"), frozenset("f"))
    assert features("s_P3p") == (frozenset(), frozenset(), frozenset("s"), frozenset())
    assert features("") == (frozenset(),) * 4


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
