"""Another language fills the same lists and uses the same functions; options, signature."""

import inspect
import random
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from importlib import import_module
from itertools import permutations

import pytest

from metrics.morpheval.contrastive_tests import CONTRASTS
from metrics.morpheval.find_listed import find_comparative, find_negation
from metrics.morpheval.find_verbs import compound_past, find_tense, like_a_conditional
from metrics.morpheval.language_lists import WordLists
from metrics.morpheval.lexicon import Lexicon, Reading, build_index
from metrics.morpheval.verdicts import NEW_WORD, PASS, Evidence, Finding, new_positions
from metrics.morpheval.words import analyse

from .items import items

SPANISH = WordLists(
    subjects=frozenset("yo tú él ella".split()),
    determiners={"el": "ms", "la": "fs", "un": "ms", "una": "fs"},
    have="haber",
    be="ser",
    negative_particles=frozenset(["no"]),
    negative_subjects=frozenset(["nadie", "nada"]),
    negatives=frozenset("nunca nadie nada".split()),
    negative_alone=frozenset(["no"]),
    more="más",
    less="menos",
)
ENTRIES = [
    *(("canta", Reading("v", "cantar", "P3s")), ("cantaba", Reading("v", "cantar", "I13s"))),
    *(("ha", Reading("v", "haber", "P3s")), ("cantado", Reading("v", "cantar", "Kms"))),
    *(("alta", Reading("adj", "alto", "fs")), ("es", Reading("v", "ser", "P3s"))),
]


@pytest.fixture(scope="module")
def finds(tmp_path_factory):
    path = tmp_path_factory.mktemp("spanish") / "index.sqlite"
    build_index(ENTRIES, path)
    spanish = Lexicon(path)

    def finds(finder, *pair):
        base, variant = analyse(SPANISH, list(pair), spanish)
        return finder(base, variant, new_positions(base, variant)).verdict

    return finds


@pytest.mark.parametrize(
    "base, variant, verdict",
    [
        ("ella canta", "ella cantaba", "pass"),
        ("ella canta", "ella ha cantado", "pass"),
        ("ella es", "ella canta", "fail"),
    ],
)
def test_the_past_of_another_language(finds, base, variant, verdict):
    assert finds(partial(find_tense, SPANISH, "IJ", compound_past), base, variant) == verdict


def test_closed_lists_of_another_language(finds):
    comparative = partial(find_comparative, SPANISH)
    assert finds(comparative, "ella es alta", "ella es más alta") == "pass"
    assert finds(comparative, "ella es alta", "ella canta alta") == "fail"
    negation = partial(find_negation, SPANISH)
    assert finds(negation, "ella canta", "ella no canta nunca") == "pass"
    assert finds(negation, "ella canta", "ella no canta") == "pass"
    assert finds(negation, "ella canta", "ella canta más") == "fail"


def test_signature(metric, lexicon):
    found = metric.signature(lexicon=lexicon)
    version = found.split("version:")[1].split("|")[0]
    assert found == f"morpheval|version:{version}|language:fr|mode:default|lexicon:{lexicon.signature()}"
    assert metric.signature(lexicon=lexicon, mode="limsi") == found.replace("default", "limsi")
    assert metric.signature(lexicon=lexicon, details=True, frequencies={"a": 1}) == found
    assert metric.signature(lexicon=lexicon, strict=True) == found.replace("|lexicon", "|strict:True|lexicon")
    result = metric.compute(
        predictions=[["il dort", "il dormait"]],
        references=[{"test": "past", "sources": ["he sleeps", "he slept"]}],
        lexicon=lexicon,
        details=True,
    )
    assert result["signature"] == found


def test_compute_shows_its_options(metric):
    assert list(inspect.signature(metric.compute).parameters) == [
        *("predictions", "references", "language", "lexicon", "mode", "strict", "frequencies", "confidence", "details")
    ]
    options = ["language", "lexicon", "mode", "strict", "frequencies", "confidence", "details", "n_resamples", "seed"]
    assert list(inspect.signature(metric.compare).parameters)[3:] == options
    assert list(inspect.signature(metric.make_suite).parameters)[:4] == ["sentences", "tests", "size", "seed"]


def test_a_word_is_read_alike_whatever_was_read_before(tmp_path):
    """Told by its ending or as a name, with a mark left out here or there, as a word or a part of one."""
    lists = WordLists(
        adjective_endings={"able": "s", "os": "mp"}, enclitics=frozenset(["os"]), unmarked_letters={"e": "é"}
    )
    build_index([("élèvé", Reading("nc", "élèvé", "ms"))], tmp_path / "index.sqlite")
    texts = ["es Amable", "es amable", "es no-amable", "es amable-os", "es -os", "es élève", "es elèvé"]

    def read(*numbers):
        sentences = analyse(lists, [texts[i] for i in numbers], fresh)
        return [[(word.form, word.readings) for word in sentence] for sentence in sentences]

    alone = []
    for i in range(len(texts)):
        fresh = Lexicon(tmp_path / "index.sqlite")
        alone += read(i)
    for numbers in permutations(range(len(texts)), 2):
        fresh = Lexicon(tmp_path / "index.sqlite")
        assert read(*numbers) == [alone[i] for i in numbers]
        fresh = Lexicon(tmp_path / "index.sqlite")
        assert [*read(numbers[0]), *read(numbers[1])] == [alone[i] for i in numbers]
    assert [bool(sentence[1][1]) for sentence in alone] == [True, True, False, True, False, True, True]
    assert [sentence[1][1][0].category for sentence in alone[:2]] == ["np", "adj"]


def test_which_word_and_reading_stand_for_a_conditional(tmp_path):
    wanted = Reading("v", "querer", "T13s")
    build_index([("quisiera", wanted), ("quisiera", Reading("v", "quisar", "T3s"))], tmp_path / "index.sqlite")
    lists = WordLists(conditional_subjunctives=frozenset(["querer"]))
    (sentence,) = analyse(lists, ["hoy quisiera pan"], Lexicon(tmp_path / "index.sqlite"))
    assert like_a_conditional(lists, sentence, 1) == Finding(PASS, NEW_WORD, (Evidence(1, 1, (wanted,)),))
    assert like_a_conditional(lists, sentence, 0) is None


# ---- Italian and Portuguese ----


@pytest.mark.parametrize("test, base, variant, verdict", items("items_it"))
def test_italian_item(judge_italian, test, base, variant, verdict):
    assert judge_italian(test, base, variant).verdict == verdict


@pytest.mark.parametrize("test, base, variant, verdict", items("items_pt"))
def test_portuguese_item(judge_portuguese, test, base, variant, verdict):
    assert judge_portuguese(test, base, variant).verdict == verdict


@pytest.mark.parametrize("language", ["french", "spanish", "italian", "portuguese"])
def test_words_of_grammar_in_any_order_are_judged(request, language):
    """Short, torn and ungrammatical translations: no rule reads beyond a sentence or takes a word for another."""
    judge = request.getfixturevalue("judge" if language == "french" else f"judge_{language}")
    lists = import_module(f"metrics.morpheval.language_{language}").WORDS
    filled = (getattr(lists, field.name) for field in fields(lists))
    words = sorted({w for of in filled if isinstance(of, (frozenset, Mapping)) for w in of if isinstance(w, str)})
    words += [".", ",", "?", "-", "casa", "porte", "visto", "3"]
    draw = random.Random(0)
    for name, contrast in CONTRASTS.items():
        for _ in range(10):
            group = [" ".join(draw.choices(words, k=draw.choice((0, 1, 2, 3, 6)))) for _ in range(contrast.size)]
            judge(name, *group, sources=["I see him.", "I see them.", "It is red.", "They go.", ""][: len(group)])


# ---- What the English sentences say ----

LONG_ROADS = (
    "La longue route finit|La route la plus longue finit",
    "Une longue route finit|La route la plus longue finit",
)
STRONG_DOGS = "Un chien fort aboie|Le chien le plus fort aboie"
THAN_MINE = "Her idea is better than mine|Her plan is better than mine"
BIGGER_ONE = "The bag is full; have you a bigger one?|The basket is full; have you a bigger one?"


@pytest.mark.parametrize(
    "language, test, sources, translations, verdict",
    [
        ("italian", "superlative", "She is nice|She is the nicest", "È carina|È carinissima", "fail"),
        ("italian", "superlative", "He is kind|He is a most kind man", "È gentile|È gentilissimo", "pass"),
        ("italian", "pronoun_number", "I eat|We eat", "Mangio|Mangiate", "fail"),
        ("italian", "pronoun_number", "I eat|We eat", "Mangio|Mangiamo", "pass"),
        ("italian", "pronoun_number", "I see her|I see them", "La vedo|La vedono", "fail"),
        ("italian", "pronoun_number", "He likes it|He likes them", "Gli piace|Gli piacciono", "pass"),
        ("italian", "pronoun_number", "I like it, yes|I like them, yes", "Mi piace, lo so|Mi piacciono, lo so", "pass"),
        ("french", "pronoun_number", "We greet her|We greet them", "Nous l'accueillons|On l'accueille", "fail"),
        ("french", "comparative", "The long road ends|The longer road ends", LONG_ROADS[0], "pass"),
        ("french", "comparative", "A long road ends|A longer road ends", LONG_ROADS[1], "fail"),
        ("french", "superlative", "A strong dog barks|The strongest dog barks", STRONG_DOGS, "pass"),
        ("spanish", "comparative", "It is dull|It is duller than the first", "Es aburrida|Es la más aburrida", "fail"),
        ("spanish", "coref:gender", THAN_MINE, "Su idea gana a la mía|Su plan gana a la mía", ["pass", "fail"]),
        ("spanish", "coref:gender", THAN_MINE, "Su idea gana a la de Ana|Su plan gana al de Ana", ["pass", "pass"]),
        ("french", "coref:gender", THAN_MINE, "Son idée bat la mienne|Son plan bat le mien", ["pass", "pass"]),
        (
            "italian",
            "coref:gender",
            BIGGER_ONE,
            "La borsa è piena; ne avete una più grande?|Il cesto è pieno; ne avete una più grande?",
            ["pass", "fail"],
        ),
        ("portuguese", "pronoun_number", "I gave it to him|I gave it to them", "Dei-lho|Dei-lho", "rejected"),
        ("portuguese", "pronoun_number", "I gave it to him|I gave them to him", "Dei-lho|Dei-lhos", "pass"),
        (
            "french",
            "superlative",
            "Wirk-Bellor, sir, is a good cook|Wirk-Bellor, sir, is the best cook",
            "Wirk-Bellor, monsieur, est un bon cuisinier|Wirk-Bellor, monsieur, est le meilleur cuisinier",
            "pass",
        ),
        (
            "french",
            "subjunctive",
            "He said it was late|He doubted that it was late",
            "Il disait que c'était tard|Il doutait que ce fût tard",
            "pass",
        ),
        (
            "french",
            "past",
            "Sleepy fishermen sing songs|Sleepy fishermen sang songs",
            "Sleepy fishermen chantent des chansons|Sleepy fishermen chantaient des chansons",
            "fail",
        ),
        (
            "french",
            "np:gender",
            "I gave it to Paul|I gave Paul this red door",
            "Je l'ai donnée à Paul|J'ai donné à Paul ce porte rouge",
            "fail",
        ),
        ("italian", "pronoun_number", "Give me time|Give us time", "Mi dai tempo?|Dacci tempo", "pass"),
    ],
)
def test_item_with_its_sources(request, language, test, sources, translations, verdict):
    judge = request.getfixturevalue("judge" if language == "french" else f"judge_{language}")
    assert judge(test, *translations.split("|"), sources=sources.split("|")).verdict == verdict


@pytest.mark.parametrize(
    "test, translations, verdict",
    [
        ("number", [f"Proibido {verb} aqui" for verb in "fumar comer correr dormir gritar".split()], "rejected"),
        ("tense", [f"Já {verb} isso" for verb in ("tinham lido", "haviam visto", "tinham ouvido") * 2][:5], 0),
        (
            "number",
            ["Oxalá comam cedo"] + [f"Espero que {verb} cedo" for verb in "cheguem saiam durmam liguem".split()],
            0,
        ),
    ],
)
def test_five_portuguese_verbs(judge_portuguese, test, translations, verdict):
    """An infinitive that may have a person, the two auxiliaries, and a wording that one sentence alone has."""
    assert judge_portuguese(f"verb_consistency:{test}", *translations).verdict == verdict


def test_italian_verbs_of_one_perfect_with_essere(judge_italian):
    prices = [f"I prezzi sono {verb}" for verb in "saliti aumentati scesi diminuiti calati".split()]
    assert judge_italian("verb_consistency:tense", *prices).verdict == 0
    assert judge_italian("verb_consistency:tense", *prices[:4], "I prezzi sono visti").verdict > 0


def test_a_feminine_of_its_own_makes_a_masculine(judge_portuguese):
    """hunspell-pt-pt has "cansativo" with either gender."""
    trips = [f"Foi uma viagem {adjective}" for adjective in "longa chata cara bonita cansativo".split()]
    assert judge_portuguese("adj_consistency:gender", *trips).verdict > 0
