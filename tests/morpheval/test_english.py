"""Each transformation on sentences with known answers."""

import pytest

from metrics.morpheval import english
from metrics.morpheval.english import Unsuitable, article
from metrics.morpheval.generation import SuiteOptions, load_tools

from .wordnet import write

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    write(folder)
    return load_tools(list(english.VARIATIONS), SuiteOptions(wordnet=folder))._replace(phrases=("happy sailors",))


@pytest.fixture(scope="module")
def vary(tools):
    """The variants of a sentence, or the reason why it has none."""

    def vary(test, text):
        try:
            return english.VARIATIONS[test](english.read(text, tools, 15), tools)
        except Unsuitable as reason:
            return str(reason)

    return vary


KNOWN = [
    # test, base, a variant
    ("past", "The captain waits on the quay.", "The captain waited on the quay."),
    ("past", "The boats are old.", "The boats were old."),
    ("past", "I am happy.", "I was happy."),
    ("past", "She's a nurse in town.", "She was a nurse in town."),
    ("past", "They don't know it.", "They didn't know it."),
    ("past", "He isn't ready for it.", "He wasn't ready for it."),
    ("past", "The children go to school.", "The children went to school."),
    ("past", "The old harbour has a lighthouse.", "The old harbour had a lighthouse."),
    ("past", "He has seen the film.", "He had seen the film."),
    ("future", "The ferry stops here.", "The ferry will stop here."),
    ("future", "He is a sailor.", "He will be a sailor."),
    ("future", "She doesn't like the wind.", "She will not like the wind."),
    ("future", "The boats are not new.", "The boats will not be new."),
    ("future", "She is also the captain.", "She will also be the captain."),
    ("future", "They have two boats.", "They will have two boats."),
    ("conditional", "They will help the pilot.", "They would help the pilot."),
    ("conditional", "I'll help the pilot.", "I would help the pilot."),
    ("conditional", "It won't rain all night.", "It wouldn't rain all night."),
    ("subjunctive", "I believe that he knows the coast.", "I do not believe that he knows the coast."),
    ("subjunctive", "He thinks the boat is safe.", "He does not think the boat is safe."),
    ("subjunctive", "I am sure that she is here.", "I am not sure that she is here."),
    ("pronoun_number", "The guard sees him.", "The guard sees them."),
    ("pronoun_number", "She walks with her in the garden.", "She walks with them in the garden."),
    ("pronoun_number", "The pilot repaired it.", "The pilot repaired them."),
    ("noun_number", "He knows the coast.", "He knows the coasts."),
    ("noun_number", "The boat is old.", "The boats are old."),
    ("noun_number", "The child sleeps here.", "The children sleep here."),
    ("noun_number", "She likes this harbour.", "She likes these harbours."),
    ("noun_number", "They sold their house.", "They sold their houses."),
    ("negation", "The engine runs well.", "The engine does not run well."),
    ("negation", "The engines run well.", "The engines do not run well."),
    ("negation", "He saw the boat.", "He did not see the boat."),
    ("negation", "She is a nurse.", "She is not a nurse."),
    ("negation", "She's a nurse.", "She's not a nurse."),
    ("negation", "He can swim.", "He cannot swim."),
    ("negation", "They have seen the boat.", "They have not seen the boat."),
    ("negation", "They have a boat.", "They do not have a boat."),
    ("negation", "I'll see the boat.", "I will not see the boat."),
    ("comparative", "He has a small boat.", "He has a smaller boat."),
    ("comparative", "The boat is big.", "The boat is bigger."),
    ("comparative", "He is a careful pilot.", "He is a more careful pilot."),
    ("superlative", "He has a small boat.", "He has the smallest boat."),
    ("superlative", "His big boat sank.", "His biggest boat sank."),
    ("superlative", "He is a careful pilot.", "He is the most careful pilot."),
    ("coord_verb", "The sailor walks in the street.", "The sailor walks and runs in the street."),
    ("coord_verb", "The sailors wash the deck.", "The sailors wash and scrub the deck."),
    ("np", "We greeted them.", "We greeted the happy sailors."),
    ("coref", "He bought the boat and sold it.", "He bought the ship and sold it."),
    ("verb_consistency", "The sailor walks in the street.", "The sailor creeps in the street."),
    ("adj_consistency", "He has a small boat.", "He has a tiny boat."),
    ("past", "They do n't know it .", "They didn't know it."),
    ("past", "They don\u2019t know it.", "They didn't know it."),
    ("past", "The man with the dogs sings.", "The man with the dogs sang."),
    ("negation", "They have long been friends.", "They have not long been friends."),
]


@pytest.mark.parametrize("test, base, variant", KNOWN)
def test_known_answers(vary, test, base, variant):
    assert variant in vary(test, base)


UNSUITABLE = [
    ("past", "He's eaten the fish.", "a contraction of two readings"),
    ("negation", "I'd seen the film before.", "a contraction of two readings"),
    ("future", "He is home again today.", "an adverb after the verb"),
    ("negation", "He does like it.", "an emphatic or idiomatic verb"),
    ("negation", "I cannot see it.", "a word that goes badly with a negation"),
    ("negation", "He ain't here today.", "not one plain sentence"),
    ("noun_number", "The child hurt itself.", "a reflexive pronoun"),
    ("noun_number", "His brother is a doctor.", "a predicate noun"),
    ("noun_number", "He was the king of Spain.", "no countable singular noun with a definite determiner"),
    ("past", "He thinks about the dog that barks.", "a relative clause"),
    ("coref", "The man bought it.", "antecedent and pronoun in one clause"),
    ("pronoun_number", "She bought a car and sold it.", "the antecedent may be in the sentence"),
    ("coord_verb", "He wash the deck there.", "subject and verb do not agree"),
    ("past", "The captain waited on the quay.", "not in the present"),
    ("past", "He waits now at the door.", "an adverb of another time"),
    ("past", "He says that she waits there.", "more than one finite verb"),
    ("past", "The man who lives here reads books.", "more than one finite verb"),
    ("past", "Waiting for the boat.", "no finite verb"),
    ("future", "He is to leave the boat.", "a verb that has no future"),
    ("conditional", "He waits for the boat.", "no will"),
    ("subjunctive", "I never believe that he knows it.", "no belief about one clause"),
    ("pronoun_number", "It works with the boat.", "no single object pronoun"),
    ("pronoun_number", "He took her brother home.", "no single object pronoun"),
    ("noun_number", "He likes the music.", "no countable singular noun with a definite determiner"),
    ("negation", "He never eats fish.", "a word that goes badly with a negation"),
    ("comparative", "It is a national harbour.", "no gradable adjective in a simple place"),
    ("comparative", "He has a very small boat.", "no gradable adjective in a simple place"),
    ("coord_verb", "He is a sailor.", "no content verb"),
    ("coord_verb", "He sets up the table.", "a verb with a particle or a clause"),
    ("coord_verb", "He asks the captain to wait.", "a verb with a particle or a clause"),
    ("coord_verb", "He photographs the boat.", "no verb of near meaning"),
    ("np", "She saw three of them.", "an idiom or a subject"),
    ("coref", "The boat and the ship sank when it turned.", "no single antecedent"),
    ("past", "Does he wait for the boat?", "not one plain sentence"),
    ("past", "He waits. She leaves.", "not one plain sentence"),
    ("past", "He waits <b>here</b> for it.", "not one plain sentence"),
    ("past", "He waits 😀 for the boat.", "not one plain sentence"),
    ("past", "He waits " + "very " * 5000 + "long.", "too long"),
    ("past", "He waits for the boat and the ship and the captain and the crew and me.", "too long"),
    ("past", "He waits.", "too short"),
    ("past", "", "not one plain sentence"),
]


@pytest.mark.parametrize("test, text, reason", UNSUITABLE)
def test_what_cannot_be_a_base(vary, test, text, reason):
    assert vary(test, text) == reason


CHANGED = {  # how many words a variant may have that the base lacks, and the other way round
    **{"past": (1, 1), "future": (2, 1), "conditional": (1, 1), "subjunctive": (3, 1), "pronoun_number": (1, 1)},
    **{"noun_number": (3, 3), "negation": (3, 1), "comparative": (2, 1), "superlative": (3, 2)},
    **{"coord_verb": (2, 0), "np": (3, 1), "coref": (1, 1), "verb_consistency": (1, 1), "adj_consistency": (2, 2)},
}


@pytest.mark.parametrize("test, base", [(test, base) for test, base, _ in KNOWN if "'" not in base])
def test_only_the_intended_words_change(vary, test, base):
    for variant in vary(test, base):
        before, after = base.rstrip(".").split(), variant.rstrip(".").split()
        gained = sum(after.count(word) > before.count(word) for word in set(after))
        lost = sum(before.count(word) > after.count(word) for word in set(before))
        assert gained <= CHANGED[test][0] and lost <= CHANGED[test][1], variant


def test_articles_follow(tools):
    sentence = english.read("He has a small boat.", tools, 15)
    assert sentence.changed({3: "odd"}) == "He has an odd boat."
    assert english.read("An old boat sank here.", tools, 15).changed({1: "new"}) == "A new boat sank here."
    far = english.read("A NATO agency has Group A in a small harbour.", tools, 15)
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
