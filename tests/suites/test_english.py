"""Each transformation on sentences with known answers."""

from collections import Counter
from pathlib import Path

import pytest

from metrics._suites import clauses
from metrics._suites.clauses import Unsuitable, article, read
from metrics._suites.make_suite import VARIATIONS, SuiteOptions, load_tools
from metrics._suites.tools import Phrase, Seen
from metrics._suites.variants_nouns import noun_phrases
from metrics._suites.word_classes import CLASSES

from ..morpheval.items import rows

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")


@pytest.fixture(scope="module")
def tools(wordnet):
    phrases = (Phrase("happy sailors", True, True, "sailor"), Phrase("old boat", False, False, "boat"))
    return load_tools(list(VARIATIONS), SuiteOptions(wordnet=wordnet))._replace(phrases=phrases)


@pytest.fixture(scope="module")
def vary(tools):
    """The variants of a sentence, or the reason why it has none."""

    def vary(test, text):
        try:
            return VARIATIONS[test](clauses.read(text, tools, 15), tools)
        except Unsuitable as reason:
            return str(reason)

    return vary


# What becomes of a sentence, and why nothing does.
FOLDER = Path(__file__).parent
KNOWN = rows("variants_en", FOLDER)


@pytest.mark.parametrize("test, base, variant", KNOWN)
def test_known_answers(vary, test, base, variant):
    assert variant in vary(test, base)


UNSUITABLE = [*rows("unsuitable_en", FOLDER), ("past", "He waits " + "very " * 5000 + "long.", "too long")]


@pytest.mark.parametrize("test, text, reason", UNSUITABLE)
def test_what_cannot_be_a_base(vary, test, text, reason):
    assert vary(test, text) == reason


# Up to here sentences of one clause: in those after, several words change.
SIMPLE = next(i for i, (_, base, _) in enumerate(KNOWN) if base.startswith("But"))
CHANGED = {  # how many words a variant may have that the base lacks, and the other way round
    **{"past": (1, 1), "future": (2, 1), "conditional": (1, 1), "subjunctive": (3, 1), "pronoun_number": (1, 1)},
    **{"noun_number": (3, 3), "negation": (3, 1), "comparative": (2, 1), "superlative": (3, 2)},
    **{"coord_verb": (3, 0), "np": (3, 1), "coref": (1, 1), "verb_consistency": (1, 1), "adj_consistency": (2, 2)},
}


@pytest.mark.parametrize("test, base", [(test, base) for test, base, _ in KNOWN[:SIMPLE] if "'" not in base])
def test_only_the_intended_words_change(vary, test, base):
    for variant in vary(test, base):
        before, after = base.rstrip(".?").split(), variant.rstrip(".?").split()
        gained = sum(after.count(word) > before.count(word) for word in set(after))
        lost = sum(before.count(word) > after.count(word) for word in set(before))
        assert gained <= CHANGED[test][0] and lost <= CHANGED[test][1], variant


def test_articles_follow(tools):
    sentence = clauses.read("He has a small boat.", tools, 15)
    assert sentence.changed({3: "odd"}) == "He has an odd boat."
    assert clauses.read("An old boat sank here.", tools, 15).changed({1: "new"}) == "A new boat sank here."
    far = clauses.read("A NATO agency has Group A in a small harbour.", tools, 15)
    assert far.changed({2: "office"}) == "A NATO office has Group A in a small harbour."
    assert [article(word) for word in ("honest", "useful", "umbrella", "European", "X-ray", "USA", "FBI", "eight")] == [
        "an", "a", "an", "a", "an", "a", "an", "an",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "word, comparative",
    [("small", "smaller"), ("happy", "happier"), ("big", "bigger"), ("good", "better"), ("simple", "simpler")]
    + [("careful", "more careful"), ("famous", "more famous"), ("beautiful", "more beautiful"), ("large", "larger")]
    + [("narrow", "narrower"), ("free", "freer"), ("active", "more active"), ("important", "more important")],
)
def test_comparison(tools, word, comparative):
    assert tools.inflect(word, "JJR") == comparative


def test_what_stands_around_a_clause(tools):
    """Subordinate, coordinate (one subject), parallel (two) and attributed verbs."""
    known = {
        "He says that she waits.": "subordinate",
        "He walks and waits.": "coordinate",
        "He walks and she waits.": "parallel",
        '"I walk," he said.': "attribution",
        "He walks; she waits.": "loose",
    }
    for text, relation in known.items():
        assert [other.relation for other in clauses.read(text, tools, 15).main_clause.others] == [relation], text


def test_difficulties(tools):
    def levels(text):
        sentence = clauses.read(text, tools, 30)
        return {name for name in clauses.DIFFICULTIES if clauses.is_of(name, sentence)}

    assert levels("The captain waits on the quay.") == {"any"}
    assert levels("The captain of the old boat in the harbour waits.") == {"any", "distant"}
    assert levels("He says that she waits.") == {"any", "nested"}
    assert levels("The captain who sold the old boat last year waits.") == {"any", "distant", "nested"}


@pytest.mark.parametrize("use", ["transitive", "intransitive", "adjective", "noun"])
def test_classes_can_fill_a_group(use):
    """Four others for each word of test C; no word twice in a class."""
    for each in (c for c in CLASSES if c.use == use):
        assert len(set(each.words)) == len(each.words) >= (2 if use == "noun" else 5), each


def test_a_thing_takes_the_place_of_a_pronoun_where_the_corpus_has_it_with_the_verb(tools):
    """Persons that it has as objects; things, and persons for them, that it has with that verb."""

    def made(text, **times):
        seen = Seen(Counter({tuple(pair.split("_")): n for pair, n in times.items()}), set())
        return VARIATIONS["np"](read(text, tools, 30), tools._replace(seen=seen))

    assert made("He carried it to the harbour.") == made("He carried it to the harbour.", carry_ship=5) == []
    assert made("He carried it to the harbour.", carry_boat=1) == ["He carried the old boat to the harbour."]
    assert made("He sold it in the harbour.") == ["He sold the old boat in the harbour."]  # by a class
    assert made("We counted them.", count_person=1) == []
    assert made("We counted them.", count_person=2) == ["We counted the happy sailors."]
    assert made("We greeted them.") == made("We greeted them.", greet_boat=3) == ["We greeted the happy sailors."]
    assert made("We waited in them.", in_person=9) == []  # as good as never of persons
    assert made("We waited with them.", with_boat=9) == ["We waited with the happy sailors."]
    assert made("The village was infested with them.", infest_person=9) == made("It is made from them.") == []
    assert made("The boat was given to them.") == ["The boat was given to the happy sailors."]


def test_persons_are_those_of_the_classes(tools):
    """Whoever else the corpus has ("the sad realist") is put in no pronoun's place."""
    known, unknown = (read(text, tools, 30) for text in ("We met the sailor.", "We met the pilot."))
    assert "brave sailor" in [phrase.text for phrase in noun_phrases(known, tools)]
    assert not any(phrase.person for phrase in noun_phrases(unknown, tools))
