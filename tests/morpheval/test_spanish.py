"""Spanish: the option, the lists, enclitics."""

from functools import partial

import pytest

from metrics.morpheval import lexicon as lexicon_module
from metrics.morpheval.language_spanish import SPANISH, WORDS
from metrics.morpheval.words import analyse

from ..conftest import ROOT
from .conftest import judge_with
from .items import items


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


@pytest.mark.parametrize("test, base, variant, verdict", items("items_es"))
def test_item(judge_spanish, test, base, variant, verdict):
    assert judge_spanish(test, base, variant).verdict == verdict


def test_mal_before_a_noun_is_an_adjective(judge_spanish):
    kings = [f"Fue un {adjective} rey." for adjective in "gran buen mal pobre".split()]
    assert judge_spanish("adj_consistency:number", *kings, "Fue un rey terrible.").verdict == 0
    assert judge_spanish("adj_consistency:number", *kings, "Fueron unos reyes terribles.").verdict > 0


# ---- The option ----


@pytest.fixture
def compute(metric, small):
    group = {"test": "past", "sources": ["she sings", "she sang"]}
    return partial(metric.compute, predictions=[["ella canta", "ella cantó"]], references=[group], lexicon=small)


def test_language_is_an_option(metric, compute, small):
    result = compute(language="es", details=True)
    assert result["past"] == 1 and "simple past" in result["reasons"][0]
    assert result["signature"] == metric.signature(language="es", lexicon=small)
    assert "|language:es|mode:default|" in result["signature"]
    group = {"test": "past", "sources": ["she sings", "she sang"]}
    systems = [["ella canta", "ella cantó"]], [["ella canta", "ella canta"]]
    compared = metric.compare(*systems, [group], language="es", lexicon=small, n_resamples=9)
    assert (compared["past_a"], compared["past_b"]) == (1, 0)


def test_the_published_script_is_for_french(compute):
    with pytest.raises(ValueError, match="language: found 'es' with mode='limsi', expected 'fr'"):
        compute(language="es", mode="limsi")
    with pytest.raises(ValueError, match="language: found 'de', expected"):
        compute(language="de")
