"""Options and signature; words are read alike whatever was read before; the rules of all languages, and of Spanish."""

import random
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from importlib import import_module
from itertools import permutations

import pytest

from metrics.morpheval import lexicon as lexicon_module
from metrics.morpheval.contrastive_tests import CONTRASTS, normalised_entropy
from metrics.morpheval.find_verbs import like_a_conditional
from metrics.morpheval.language_lists import WordLists, read_lists
from metrics.morpheval.language_spanish import SPANISH, WORDS
from metrics.morpheval.lexicon import Lexicon, Reading, build_index
from metrics.morpheval.scoring import LANGUAGES
from metrics.morpheval.verdicts import NEW_WORD, PASS, Evidence, Finding
from metrics.morpheval.words import analyse

from ..conftest import ROOT
from .conftest import judge_with
from .items import items

ITEMS = [
    (language, test, group, verdict)
    for language in LANGUAGES
    for test, *group, verdict in (item[language == "fr" :] for item in items(f"items_{language}"))  # after its point
]


def test_an_unknown_list_is_named():
    with pytest.raises(ValueError, match="found the list 'pronuons', expected one of adverbials, "):
        read_lists("pronuons: ms: lo")


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


def test_a_word_is_read_alike_whatever_was_read_before(tmp_path):
    """Told by its ending or as a name, with the mark of its first letter left out, as a word or a part of one."""
    lists = WordLists(adjective_endings={"able": "s", "os": "mp"}, enclitics=frozenset(["os"]))
    build_index([("élèvé", Reading("nc", "élèvé", "ms"))], tmp_path / "index.sqlite")
    texts = ["es Amable", "es amable", "es no-amable", "es amable-os", "es -os", "es élèvé", "es elèvé"]

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


# ---- All languages ----


@pytest.mark.parametrize("language, test, group, verdict", ITEMS)
def test_item(judge_in, language, test, group, verdict):
    found = judge_in(language)(test, *group).verdict
    same = len(group) == 5 and verdict != "rejected"  # which values of the feature are the same
    assert found == (pytest.approx(normalised_entropy(verdict, len(group))) if same else verdict)


@pytest.mark.parametrize("name, language", [*zip(("french", "spanish", "italian", "portuguese"), LANGUAGES)])
def test_words_of_grammar_in_any_order_are_judged(judge_in, name, language):
    """Short, torn and ungrammatical translations: no rule reads beyond a sentence or takes a word for another."""
    judge = judge_in(language)
    lists = import_module(f"metrics.morpheval.language_{name}").WORDS
    filled = (getattr(lists, field.name) for field in fields(lists))
    words = sorted({w for of in filled if isinstance(of, (frozenset, Mapping)) for w in of if isinstance(w, str)})
    words += [".", ",", "?", "-", "casa", "porte", "visto", "3"]
    draw = random.Random(0)
    for test, contrast in CONTRASTS.items():
        for _ in range(10):
            group = [" ".join(draw.choices(words, k=draw.choice((0, 1, 2, 3, 6)))) for _ in range(contrast.size)]
            judge(test, *group, sources=["I see him.", "I see them.", "It is red.", "They go.", ""][: len(group)])


# ---- Spanish ----


@pytest.fixture(scope="session")
def small():
    """A few words, for what needs no real lexicon."""
    return lexicon_module.load(ROOT / "spaces" / "morpheval" / "examples" / "few_words.es.mlex")


@pytest.mark.parametrize("test, base, variant, verdict", items("items_es_few"))
def test_few_words(small, test, base, variant, verdict):
    assert judge_with(small, SPANISH, test, base, variant).verdict == verdict


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("¿Dámelas?", "¿ da -me -las ?"),
        ("Va a verlo viéndola", "va a ver -lo viendo -la"),
        ("¡Vámonos! Sentaos", "¡ vamos -nos ! sentad -os"),
        ("A lo mejor canta", "a_lo_mejor canta"),
        ("el blorcnos", "el blorcnos"),
    ],
)
def test_tokens(small, text, tokens):
    (sentence,) = SPANISH.analyse([text], small)
    assert " ".join(word.form for word in sentence) == tokens


def test_voseo_is_told_by_its_ending(small):
    ((olvidas, blorc),) = analyse(WORDS, ["olvidás blorc"], small)
    assert [reading[::2] for reading in olvidas.readings] == [("v", "P2s"), ("v", "S2s")] and blorc.unknown


@pytest.fixture
def compute_spanish(metric, small):
    group = {"test": "past", "sources": ["she sings", "she sang"]}
    return partial(metric.compute, predictions=[["ella canta", "ella cantó"]], references=[group], lexicon=small)


def test_language_is_an_option(metric, compute_spanish, small):
    result = compute_spanish(language="es", details=True)
    assert result["past"] == 1 and "simple past" in result["reasons"][0]
    assert result["signature"] == metric.signature(language="es", lexicon=small)
    assert "|language:es|mode:default|" in result["signature"]
    group = {"test": "past", "sources": ["she sings", "she sang"]}
    systems = [["ella canta", "ella cantó"]], [["ella canta", "ella canta"]]
    compared = metric.compare(*systems, [group], language="es", lexicon=small, n_resamples=9)
    assert (compared["past_a"], compared["past_b"]) == (1, 0)


def test_the_published_script_is_for_french(compute_spanish):
    with pytest.raises(ValueError, match="language: found 'es' with mode='limsi', expected 'fr'"):
        compute_spanish(language="es", mode="limsi")
    with pytest.raises(ValueError, match="language: found 'de', expected"):
        compute_spanish(language="de")
