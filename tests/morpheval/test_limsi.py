"""mode="limsi" gives the verdicts of the published script, written out plainly in `oracle`."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.morpheval.contrastive_tests import CONTRASTS
from metrics.morpheval.limsi import LIMSI

from . import oracle
from .drawn import draw
from .items import items

VOCABULARY = """il elle ils elles je le la les l' un une des leur lui en y ne n' non pas plus moins meilleur meilleure
pire supérieure le plus grand grande grands chat chats chatte prix homme table mange mangent mangeait mangé a ont est va
vont manger venir viendra viendrait vienne finit et ou que qu' aucun petit petits livre donne-le vois-les xyzzy Paris .
""".split()


@pytest.fixture(scope="module")
def agrees(judge_limsi, entries):
    """Does the mode judge a group as the oracle does, which has the whole lexicon as a dict of lower-case forms?"""
    readings = defaultdict(list)
    for form, reading in entries:
        readings[form.lower()].append(tuple(reading))

    def agrees(test, *sentences):
        expected = oracle.judge(test, [oracle.prepare(sentence) for sentence in sentences], readings)
        outcomes = judge_limsi(test, *sentences).outcomes
        found = outcomes if test.startswith("coref") else outcomes[0]
        return found == pytest.approx(expected) if isinstance(expected, float) else found == expected

    return agrees


def test_items(agrees, lexicon):
    for _, test, *translations, _ in items("items_fr"):
        if not all(translations):
            continue  # what is empty fails here, whatever the script says
        tokens = [" ".join(word.form for word in s) for s in LIMSI.analyse(translations, lexicon)]
        assert agrees(test, *tokens), (test, tokens)


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_drawn_items_and_the_slips_they_show(agrees, judge_limsi, entries, every):
    """The published script accepts all of these, and so does the mode; one in twenty, or all if there is time."""
    for name, (test, drawn, _) in draw(entries).items():
        items = drawn[::every]
        assert all(agrees(test, *item) for item in items), name
        assert {judge_limsi(test, *item).verdict for item in items} == {"pass"}, name


sentences = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=9).map(" ".join)


@settings(max_examples=300)
@given(st.sampled_from([name for name, c in CONTRASTS.items() if c.size == 2]), sentences, sentences)
def test_pairs(agrees, test, base, variant):
    assert agrees(test, base, variant)


@settings(max_examples=150)
@given(
    st.sampled_from([name for name, c in CONTRASTS.items() if c.size == 5]), st.lists(sentences, min_size=5, max_size=5)
)
def test_groups_of_five(agrees, test, group):
    assert agrees(test, *group)


def test_five_translations_alike_are_five_values_for_the_script_and_one_here(judge, judge_limsi):
    group = ["il mange"] * 5
    assert judge_limsi("verb_consistency:tense", *group).verdict == pytest.approx(1)
    assert judge("verb_consistency:tense", *group).verdict == 0
