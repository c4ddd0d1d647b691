"""Each transformation on sentences with known answers."""

import pytest

from metrics.morpheval import make_clauses as clauses, make_variants as english
from metrics.morpheval.make_clauses import Unsuitable, article
from metrics.morpheval.make_suite import SuiteOptions, load_tools
from metrics.morpheval.make_tools import Phrase
from metrics.morpheval.make_word_classes import CLASSES

from .wordnet import write

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    write(folder)
    phrases = (Phrase("happy sailors", True, True), Phrase("old boat", False, False))
    return load_tools(list(english.VARIATIONS), SuiteOptions(wordnet=folder))._replace(phrases=phrases)


@pytest.fixture(scope="module")
def vary(tools):
    """The variants of a sentence, or the reason why it has none."""

    def vary(test, text):
        try:
            return english.VARIATIONS[test](clauses.read(text, tools, 15), tools)
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
    ("pronoun_number", "He walks with her in the garden.", "He walks with them in the garden."),
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
    ("coref", "The sailors ran when the captain saw them.", "The guards ran when the captain saw them."),
    ("verb_consistency", "The sailor walks in the street.", "The sailor creeps in the street."),
    ("adj_consistency", "He has a small boat.", "He has a tiny boat."),
    ("past", "They do n't know it .", "They didn't know it."),
    ("past", "They don\u2019t know it.", "They didn't know it."),
    ("past", "The man with the dogs sings.", "The man with the dogs sang."),
    ("negation", "They have long been friends.", "They have not long been friends."),
    # openings, quotations, questions, further clauses
    ("past", "But the captain waits on the quay.", "But the captain waited on the quay."),
    ("past", "However, the captain waits.", "However, the captain waited."),
    ("past", "In the old harbour, the captain waits.", "In the old harbour, the captain waited."),
    ("negation", "In 2004 he sold the boat.", "In 2004 he did not sell the boat."),
    ("negation", "If it rains, he stays here.", "If it rains, he does not stay here."),
    ("past", '"I know the captain," he says.', '"I knew the captain," he said.'),
    ("future", '"She has a boat," he said.', '"She will have a boat," he said.'),
    ("past", "He says that he is ready.", "He said that he was ready."),
    ("past", "He knows the man who waits here.", "He knew the man who waited here."),
    ("past", "The man who lives here reads books.", "The man who lived here read books."),
    ("negation", "The man who lives in town reads books.", "The man who lives in town does not read books."),
    ("past", "The captain, an old sailor, waits.", "The captain, an old sailor, waited."),
    ("past", "Does he wait for the boat?", "Did he wait for the boat?"),
    ("future", "Does he wait for the boat?", "Will he wait for the boat?"),
    ("conditional", "Where will the captain wait?", "Where would the captain wait?"),
    ("negation", "Is he ready for it?", "Is he not ready for it?"),
    ("past", "There are two boats here.", "There were two boats here."),
    ("past", "This is a small boat.", "This was a small boat."),
    ("negation", "The workers' boat sank here.", "The workers' boat did not sink here."),
    ("negation", "Mr. Smith lives in the U.S. with her.", "Mr. Smith does not live in the U.S. with her."),
    ("negation", "He saw every boat.", "He did not see every boat."),
    ("conditional", "He will come and she will wait.", "He would come and she would wait."),
    ("subjunctive", "But the captain believes that she is here.", "But the captain does not believe that she is here."),
    ("noun_number", "The captain will help with the engine.", "The captains will help with the engine."),
    ("np", "He sold it in the harbour.", "He sold the old boat in the harbour."),
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
    ("noun_number", "The child hurt itself.", "no countable singular noun with a definite determiner"),
    ("noun_number", "His brother is a doctor.", "no countable singular noun with a definite determiner"),
    ("noun_number", "He was the king of Spain.", "no countable singular noun with a definite determiner"),
    ("noun_number", "The boat will be a success.", "no countable singular noun with a definite determiner"),
    ("noun_number", "The man wears a hat.", "no countable singular noun with a definite determiner"),
    ("noun_number", "He smiled in the face of the guard.", "no countable singular noun with a definite determiner"),
    ("noun_number", "As it sank, the boat turned.", "no countable singular noun with a definite determiner"),
    ("noun_number", "They sold their peace.", "no countable singular noun with a definite determiner"),
    ("coref", "He saw the boat when it rained.", "a pronoun that may stand for nothing"),
    ("coref", "He saw the boat and it was time to go.", "a pronoun that may stand for nothing"),
    ("coref", "He took the boat because it is clear that she knows.", "a pronoun that may stand for nothing"),
    ("coref", "He saw the guard and sold it.", "a pronoun that may stand for another"),
    ("coref", "He drew the boat and fired at it.", "a pronoun that may stand for another"),
    ("coref", "These are the boats they sold.", "a pronoun that may stand for another"),
    ("coref", "He knows the sailors would see them.", "a pronoun that may stand for another"),
    ("coref", "The sailors ran and never saw them.", "a pronoun that may stand for another"),
    ("coref", "He bought the boat, opened one of the doors and sold it.", "a pronoun that may stand for another"),
    ("coref", "They said what the sailors saw when he greeted them.", "a pronoun that may stand for another"),
    ("coref", "If he had some boats to sell them, he ran.", "a pronoun that may stand for another"),
    ("coref", "You sailors ran when he saw them.", "no single antecedent"),
    ("coref", "The boat, it has often been said, is small.", "a pronoun that may stand for nothing"),
    ("pronoun_number", "The sailor talked and the captain saw him.", "the antecedent may be in the sentence"),
    ("pronoun_number", "He closed the door behind him.", "the antecedent may be in the sentence"),
    ("negation", "He looked down and smiled.", "a verb beside the first"),
    ("negation", "There was a boat and a ship.", "a list"),
    ("future", "It rains here and we stay.", "a verb beside the first"),
    ("future", "He is going to leave.", "a verb that has no future"),
    ("conditional", "If it rains, he will stay.", "a condition in the present"),
    ("superlative", "It was such a small boat.", "no gradable adjective with a determiner before a noun"),
    ("superlative", "There was a small boat.", "no gradable adjective with a determiner before a noun"),
    ("comparative", "He is a good deal less shaky.", "no gradable adjective in a simple place"),
    ("comparative", "It is small enough for him.", "no gradable adjective in a simple place"),
    ("noun_number", "He met the captain, John Smith.", "no countable singular noun with a definite determiner"),
    ("comparative", "He turned the inner door.", "no gradable adjective in a simple place"),
    ("coord_verb", "He washed the captain.", "no verb of the same use"),
    ("coord_verb", "The house sleeps here.", "no verb of the same use"),
    ("past", "Like the ones you will see.", "no simple subject before the verb"),
    ("past", "He does not like it No one does.", "not one plain sentence"),
    ("coref", "The man bought it.", "antecedent and pronoun in one clause"),
    ("pronoun_number", "She bought a car and sold it.", "the antecedent may be in the sentence"),
    ("coord_verb", "He wash the deck there.", "subject and verb do not agree"),
    ("past", "The captain waited on the quay.", "not in the present"),
    ("past", "He waits now at the door.", "an adverb of another time"),
    ("past", "He says that he walks and she waits and I run and we sit.", "too many clauses"),
    ("past", "He neither waits nor walks.", "neither or nor"),
    ("past", "Waiting for the boat.", "no finite verb"),
    ("future", "He is to leave the boat.", "a verb that has no future"),
    ("conditional", "He waits for the boat.", "no will"),
    ("subjunctive", "I never believe that he knows it.", "a word that goes badly with a negation"),
    ("pronoun_number", "It works with the boat.", "no single object pronoun"),
    ("pronoun_number", "He took her brother home.", "no single object pronoun"),
    ("noun_number", "He likes the music.", "no countable singular noun with a definite determiner"),
    ("negation", "He never eats fish.", "a word that goes badly with a negation"),
    ("comparative", "It is a national harbour.", "no gradable adjective in a simple place"),
    ("comparative", "He has a very small boat.", "no gradable adjective in a simple place"),
    ("coord_verb", "He is a sailor.", "no content verb"),
    ("coord_verb", "He sets up the table.", "a verb with a particle or a clause"),
    ("coord_verb", "He asks the captain to wait.", "a verb with a particle or a clause"),
    ("coord_verb", "He envisages the boat.", "no verb of the same use"),
    ("np", "She saw three of them.", "an idiom or a subject"),
    ("coref", "The boat and the ship sank when it turned.", "no single antecedent"),
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


# Up to here sentences of one clause: behind, several words change.
SIMPLE = next(i for i, (_, base, _) in enumerate(KNOWN) if base.startswith("But"))
CHANGED = {  # how many words a variant may have that the base lacks, and the other way round
    **{"past": (1, 1), "future": (2, 1), "conditional": (1, 1), "subjunctive": (3, 1), "pronoun_number": (1, 1)},
    **{"noun_number": (3, 3), "negation": (3, 1), "comparative": (2, 1), "superlative": (3, 2)},
    **{"coord_verb": (2, 0), "np": (3, 1), "coref": (1, 1), "verb_consistency": (1, 1), "adj_consistency": (2, 2)},
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
        assert [other.relation for other in clauses.read(text, tools, 15).found.others] == [relation], text


def test_difficulties(tools):
    def levels(text):
        sentence = clauses.read(text, tools, 30)
        return {name for name, fits in clauses.DIFFICULTIES.items() if fits(sentence)}

    assert levels("The captain waits on the quay.") == {"any"}
    assert levels("The captain of the old boat in the harbour waits.") == {"any", "distant"}
    assert levels("He says that she waits.") == {"any", "nested"}
    assert levels("The captain who sold the old boat last year waits.") == {"any", "distant", "nested"}


@pytest.mark.parametrize("use", ["transitive", "intransitive", "adjective", "noun"])
def test_classes_can_fill_a_group(use):
    """Four others for each word of test C; no word twice in a class."""
    for found in (c for c in CLASSES if c.use == use):
        assert len(set(found.words)) == len(found.words) >= (2 if use == "noun" else 5), found
