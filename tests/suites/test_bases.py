"""Clauses that are cut out of longer sentences: which stand alone, and what a suite makes of them."""

from contextlib import suppress
from pathlib import Path

import pytest

from metrics._suites.bases import bases, read_base
from metrics._suites.clauses import Unsuitable, normalised
from metrics._suites.make_suite import Draw, SuiteOptions, load_tools
from metrics.suites import make_suite

from ..morpheval.items import rows

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")
pytestmark = pytest.mark.filterwarnings("ignore:morpheval. fewer than:UserWarning")


@pytest.fixture(scope="module")
def clauses(wordnet):
    """What can be cut out of a text."""
    tools = load_tools(["past"], SuiteOptions(wordnet=wordnet))

    def clauses(text):
        found = []
        for base in bases(normalised(text)):
            with suppress(Unsuitable):
                found += [sentence.text for sentence in read_base(base, tools, 40)]
        return [sentence for sentence in found if sentence != text]

    return clauses


@pytest.mark.parametrize("text, expected", rows("clauses_en", Path(__file__).parent))
def test_clauses_that_stand_alone(clauses, text, expected):
    assert (" | ".join(clauses(text)) or "-") == expected


LONG = (
    "Although nobody had asked them in the autumn of that year, when the harbour was closed for repairs that the "
    "town had put off, the captain paints the small boat, and the pilot who had come with him from the other side "
    "of the river sleeps."
)


def test_a_clause_of_a_sentence_that_is_too_long_is_a_base(wordnet):
    suite = make_suite([LONG, "The sailor waits."], tests=["past", "subjunctive"], size=3, wordnet=wordnet)
    assert sorted(group["sources"] for group in suite) == [
        ["The captain paints the small boat.", "The captain painted the small boat."],
        ["The sailor waits.", "The sailor waited."],
    ]
    assert suite.report["tests"]["subjunctive"]["dropped"] == {"none of its words": 2}


def test_a_sentence_gives_one_base_for_a_test(wordnet):
    text = "The captain paints the boat, but the sailor greets the nurse."
    suite = make_suite([text], tests=["past", "negation"], size=5, wordnet=wordnet)
    assert [group["sources"][0] for group in suite] == ["The captain paints the boat."] * 2


def test_all_of_a_sentence_is_the_base_where_two_clauses_are_wanted(wordnet):
    text = "In the morning, the captain thinks that the sailor paints the boat."
    suite = make_suite([text], tests=["subjunctive"], size=1, wordnet=wordnet)
    assert [group["sources"][0] for group in suite] == ["The captain thinks that the sailor paints the boat."]
    nested = make_suite(
        ["When he is here, the captain sings in the boat."], tests=["past"], difficulty="nested", wordnet=wordnet
    )
    assert nested[0]["sources"][1] == "When he was here, the captain sang in the boat."


def test_the_same_clause_of_two_sentences_is_drawn_once(wordnet):
    texts = [f"{opening}, the captain paints the boat." for opening in ("In May", "Here", "On Monday", "At night")]
    made = [make_suite(order, tests=["past"], size=5, wordnet=wordnet) for order in (texts, texts[::-1])]
    assert made[0] == made[1] and len(made[0]) == 1
    assert made[0].report["tests"]["past"]["dropped"] == {"duplicate": 3}


CLAUSES = [
    text
    for noun in ("captain", "cook", "sailor", "nurse", "guest", "teacher", "doctor", "farmer")
    for place in ("harbour", "garden", "kitchen", "house")
    for text in (
        f"The {noun} waits in the {place}, looking at what will come.",
        f"The old {noun} is in the {place}, give it to him.",
        f"The {noun} sings in the {place}, and when boats are here he will paint them with the other men and sell it.",
        f"When the rain passed, the {noun} carried the old boats into the {place} and began to count what was left.",
        f"The {noun} of the {place} has.",
        f"In the {place}, the {noun} will paint the old boat, which he bought.",
        f"It is a small {place}, and the {noun} greeted the old {noun}s with a very useful gift.",
        f"When he came, it was a nice boat of the {noun}, who painted them in the {place}.",
    )
]


def test_a_full_draw_of_one_test_changes_no_other(wordnet):
    """Order, processes and the tests asked for do not matter (order does for np); kept and dropped add up."""
    tests = ["past", "pronoun_number", "conditional", "negation", "comparative", "superlative"]
    options = {"size": 2, "wordnet": wordnet, "fluency": lambda texts: [-len(text) for text in texts]}
    orders = (CLAUSES, CLAUSES[::-1], sorted(CLAUSES))
    made = [make_suite(order, tests=tests, **options) for order in orders]
    assert made[0] == made[1] == made[2]
    assert {group["test"] for group in made[0]} == set(tests)
    made += [make_suite(CLAUSES, tests=[*tests, "np"], num_proc=n, **options) for n in (1, 2)]
    assert made[3] == made[4] and made[3].report == made[4].report and made[3][-1]["test"] == "np"
    for suite in made:
        for counts in suite.report["tests"].values():
            assert counts["kept"] + sum(counts["dropped"].values()) == suite.report["sentences"]
    for test in tests:
        alone = make_suite(CLAUSES, tests=[test], **options)
        assert [group for group in made[0] if group["test"] == test] == list(alone)


@pytest.mark.parametrize("test", ["coord_verb", "verb_consistency"])
def test_a_verb_at_the_end(wordnet, test):
    texts = ["The man on the left has.", "In the hold, they have."]
    assert len(make_suite(texts, tests=[test], wordnet=wordnet)) == 0


def test_no_clause_is_cut_from_a_line_that_is_no_sentence(wordnet):
    line = "The captain likes the boat, the cook likes it, " + "the dog and zzz, " * 1000
    assert len(make_suite([line], tests=["past"], wordnet=wordnet)) == 0


def test_a_draw_keeps_the_smallest_keys_whatever_the_order():
    """The text "b" comes twice, with keys 9 and 2."""
    base = {text: type("Base", (), {"text": text})() for text in "abc"}
    found = [(5, "a"), (9, "b"), (7, "c"), (2, "b")]
    for order in (found, found[::-1], found[1:] + found[:1]):
        draw = Draw(2)
        reasons = [draw.add(key, base[text], []) for key, text in order]
        assert {text: kept[0] for text, kept in draw.drawn.items()} == {"a": 5, "b": 2}
        assert len(list(filter(None, reasons))) == len(found) - len(draw.drawn)
        assert not draw.admits(6) and draw.admits(4)
