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


@pytest.mark.parametrize(
    "test, base, variant, verdict",
    [
        ("past", "ella canta", "ella cantaba", "pass"),
        ("past", "ella canta", "ella ha cantado", "pass"),
        ("past", "la casa es alta", "la casa fue alta", "pass"),
        ("past", "ella canta", "ella está cantando", "fail"),
        ("future", "ella canta", "cantará", "pass"),
        ("future", "ella canta", "ella va a cantar", "pass"),
        ("future", "ella canta", "ella ha cantado", "fail"),
        ("subjunctive", "creo que llueve", "no creo que llueva", "pass"),
        ("subjunctive", "creo que llueve", "no creo que llueve", "fail"),
        ("negation", "ella canta", "ella nunca canta", "pass"),
        ("negation", "ella canta", "no solo canta", "fail"),
        ("negation", "ella canta", "canta, ¿no?", "fail"),
        ("comparative", "la casa es alta", "la casa es más alta", "pass"),
        ("comparative", "la casa es alta", "la casa es más o menos alta", "fail"),
        ("superlative", "la casa es alta", "es la casa más alta", "pass"),
        ("superlative", "la casa es alta", "la casa es más alta", "fail"),
        ("superlative", "la casa es alta", "la casa es altísima", "pass"),
        ("noun_number", "ve la casa", "ve las casas", "pass"),
        ("noun_number", "ve la casa", "ve la casa alta", "fail"),
        ("pronoun_number", "la ve", "las ve", "pass"),
        ("pronoun_number", "dámela", "dámelas", "pass"),
        ("pronoun_number", "va a verlo", "va a verla", "fail"),
        ("coord_verb:number", "canta", "canta y baila", "pass"),
        ("coord_verb:number", "canta", "canta y bailan", "fail"),
        ("np:gender", "la ve", "ve a una periodista simpática", "pass"),
        ("np:gender", "la ve", "ve a una periodista simpático", "fail"),
        ("np:gender", "la ve", "ve el agua alta", "pass"),
        ("np:gender", "la ve", "ve el agua alto", "fail"),
        ("coref:gender", "ve el gato y lo da", "ve la casa y lo da", ["pass", "fail"]),
        ("coref:gender", "el gato canta porque está alto", "la gata canta porque está alto", ["pass", "fail"]),
        ("coref:gender", "el gato canta porque ve", "la gata canta porque ve", ["rejected", "rejected"]),
    ],
)
def test_few_words(small, test, base, variant, verdict):
    assert judge_with(small, SPANISH, test, base, variant).verdict == verdict


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("¿Dámelas?", "¿ da -me -las ?"),
        ("Va a verlo viéndola", "va a ver -lo viendo -la"),
        ("¡Vámonos! Sentaos", "¡ vamos -nos ! sentad -os"),
        ("A lo mejor canta", "a_lo_mejor canta"),
        ("mas alta", "más alta"),
        ("el blorcnos", "el blorcnos"),
    ],
)
def test_tokens(small, text, tokens):
    (sentence,) = SPANISH.analyse([text], small)
    assert " ".join(word.form for word in sentence) == tokens


def test_voseo_comes_from_the_infinitive(small):
    ((olvidas, blorcas),) = analyse(WORDS, ["olvidás blorcás"], small)
    assert [tuple(reading) for reading in olvidas.readings] == [("v", "olvidar", "P2s")] and blorcas.unknown


@pytest.mark.parametrize("test, base, variant, verdict", items("items_es"))
def test_item(judge_spanish, test, base, variant, verdict):
    assert judge_spanish(test, base, variant).verdict == verdict


@pytest.mark.parametrize(
    "test, sources, translations, verdict",
    [
        ("pronoun_number", ("I eat.", "We eat."), ("Como.", "Comemos."), "pass"),
        ("pronoun_number", ("He sees it.", "He sees them."), ("La ve.", "La ven."), "fail"),
        (
            "pronoun_number",
            ("I sent it to her.", "I sent it to them."),
            ("Se lo mandé.", "Ayer se lo mandé."),
            "rejected",
        ),
        ("pronoun_number", ("He ate it up.", "He ate them up."), ("Se lo comió.", "Se lo comió."), "fail"),
        ("pronoun_number", ("He ate it up.", "He ate them up."), ("Se lo comió.", "Se los comió."), "pass"),
        ("comparative", ("A big one.", "The bigger one."), ("Uno grande.", "El más grande."), "pass"),
    ],
)
def test_what_the_source_tells(judge_spanish, test, sources, translations, verdict):
    assert judge_spanish(test, *translations, sources=sources).verdict == verdict


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
