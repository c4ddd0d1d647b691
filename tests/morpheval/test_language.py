"""Options and signature; words are read alike whatever was read before; Italian and Portuguese."""

import inspect
import random
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from itertools import permutations

import pytest

from metrics.morpheval.contrastive_tests import CONTRASTS
from metrics.morpheval.find_verbs import like_a_conditional
from metrics.morpheval.language_lists import WordLists, read_lists
from metrics.morpheval.lexicon import Lexicon, Reading, build_index
from metrics.morpheval.verdicts import NEW_WORD, PASS, Evidence, Finding
from metrics.morpheval.words import analyse

from .items import items


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


def test_compute_shows_its_options(metric):
    assert list(inspect.signature(metric.compute).parameters) == [
        *("predictions", "references", "language", "lexicon", "mode", "strict", "frequencies", "confidence", "details")
    ]
    options = ["language", "lexicon", "mode", "strict", "frequencies", "confidence", "details", "n_resamples", "seed"]
    assert list(inspect.signature(metric.compare).parameters)[3:] == options
    assert list(inspect.signature(metric.make_suite).parameters)[:4] == ["sentences", "tests", "size", "seed"]


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


def test_italian_verbs_of_one_perfect_with_essere(judge_italian):
    prices = [f"I prezzi sono {verb}" for verb in "saliti aumentati scesi diminuiti calati".split()]
    assert judge_italian("verb_consistency:tense", *prices).verdict == 0
    assert judge_italian("verb_consistency:tense", *prices[:4], "I prezzi sono visti").verdict > 0


def test_a_feminine_of_its_own_makes_a_masculine(judge_portuguese):
    """hunspell-pt-pt has "cansativo" with either gender."""
    trips = [f"Foi uma viagem {adjective}" for adjective in "longa chata cara bonita cansativo".split()]
    assert judge_portuguese("adj_consistency:gender", *trips).verdict > 0
