"""Numbers, names and negations, against what a reader would say; which language a text is in."""

import numpy as np
import pytest

from metrics.melasss.text_evidence import Known, lower_case_names, names, negated, numbers, readings
from metrics.melasss.text_languages import ENGLISH, FRENCH, language_of, parts
from metrics.melasss.text_sentences import words


@pytest.mark.parametrize(
    "text, values",
    [
        ("It cost 1,800 euros, or 1.800,50.", {1800, 1800.5}),
        ("Two hundred and six men", {206}),
        ("between two hundred and six hundred", {200, 600}),
        ("a dozen and the two of them", {12, 2}),
        ("twenty, thirty or forty", {20, 30, 40}),
        ("twenty-two", {22}),
        ("four hundred thousand", {400_000}),
        ("2.5 million", {2_500_000}),
        ("the 19th century", {19}),
        ("on the sixth, in 2010, 50 people", {6, 2010, 50}),
        ("the first ninety minutes", {90}),
        ("the first hundred days", {100}),
        ("the hundred and first of three hundred and second", {302}),
        ("one of the first", set()),
        ("millions of them", set()),
        ("10 , 000 in tokenised text", {10_000}),
    ],
)
def test_numbers_in_english(text, values):
    assert set(numbers(text, ENGLISH)) == values


@pytest.mark.parametrize(
    "text, values",
    [
        ("12 600 tonnes et quatre-vingt-douze bateaux", {12_600, 92}),
        ("soixante-dix, vingt et un, soixante et onze", {70, 21, 71}),
        ("vingt et trente", {20, 30}),
        ("deux millions trois cent mille", {2_300_000}),
        ("mille neuf cents", {1900}),
        ("cent mètres", {100}),
        ("une femme", set()),
        ("0,8 %", {0.8}),
    ],
)
def test_numbers_in_french(text, values):
    assert set(numbers(text, FRENCH)) == values


@pytest.mark.parametrize(
    "text, values",
    [
        ("It cost 15, 000 or 98. 7.", {15_000, 98.7}),
        ("It cost 15 , 000 and 1 200 and 1.200,50", {15_000, 1200, 1200.5}),
        ("£20m, $44.5bn and 2.9million", {20e6, 44.5e9, 2.9e6}),
        ("in 2014, 300 people", {2014, 300}),
        ("twenty-two", {22}),
    ],
)
def test_readings_have_every_spelling(text, values):
    assert values <= readings(text, ENGLISH)


@pytest.mark.parametrize("language, word", [(ENGLISH, "hundred"), (ENGLISH, "trillion"), (FRENCH, "cent")])
def test_ever_more_number_words(language, word):
    text = "Two " + f"{word} " * 400 + "boats."
    assert all(np.isfinite(value) for value in [*numbers(text, language), *readings(text, language)])


def test_names():
    assert names("Nobody saw Anna Lund in Kerloc'h.", ENGLISH) == [["Anna", "Lund"], ["Kerloc'h"]]
    assert names("The boat sank. It", ENGLISH) == [] and names("lower case only", ENGLISH) == []
    assert names("Hier, en juin, l'Europe a voté.", FRENCH) == [["Europe"]]


TOLD = Known(["The World Health Organization in Germany thanked Efraín Lund of the BBC."], ENGLISH)


@pytest.mark.parametrize(
    "name, known",
    [
        (["Lund"], True),
        (["Anna", "Lund"], True),  # known in part
        (["German"], True),
        (["Efrain"], True),
        (["WHO"], True),
        (["World", "Bank"], True),
        (["British", "Broadcasting", "Corporation"], True),
        (["Lundgren"], False),
        (["Brest"], False),
        (["UNO"], False),
    ],
)
def test_names_are_known_however_they_are_written(name, known):
    assert TOLD.has_name(name) is known


@pytest.mark.parametrize(
    "sentence, found",
    [
        ("the boat sank in brest", [["brest"]]),
        ("mayor lund and anna finney were there", [["anna"], ["finney"]]),  # the text has Lund
        ("mayor moreau was there", [["moreau"]]),
        ("the world cup", []),
        ("the boat sank in recent decades", []),
        ("they came to replace it quickly", []),
    ],
)
def test_names_without_capitals(sentence, found):
    assert lower_case_names(sentence, TOLD, ENGLISH) == found


def test_negations():
    assert negated("Nobody paid, and the harbour didn't open.", ENGLISH) == [{"paid", "harbo"}, {"open"}]
    assert negated("La ville n'a pas payé.", FRENCH) == [{"payé"}]
    assert negated("The knot held.", ENGLISH) == []


def test_language():
    assert language_of(words("Le conseil de la ville n'a pas payé l'eau.")) is FRENCH
    assert language_of(words("The council has not paid for the water.")) is ENGLISH
    assert language_of([]) is ENGLISH and parts("l'eau", ENGLISH) == ["l'eau"]


@pytest.mark.parametrize(
    "text, summary, expected",
    [
        (
            "The council of Brest met on Monday. It promised 400,000 euros. The mayor did not come.",
            "On Friday Anna Lund was promised 900,000 euros. The council did not meet.",
            [
                {"numbers": ["900,000"], "names": ["Anna", "Lund"], "dates": ["friday"], "negations": 0},
                {"numbers": [], "names": [], "dates": [], "negations": 1},
            ],
        ),
        (
            "Le conseil de Brest s'est réuni lundi. Il a promis quatre cent mille euros. Le maire n'est pas venu.",
            "Le conseil de Lyon a promis 400 000 euros mardi. Le maire n'est pas venu.",
            [
                {"numbers": [], "names": ["Lyon"], "dates": ["mardi"], "negations": 0},
                {"numbers": [], "names": [], "dates": [], "negations": 0},
            ],
        ),
    ],
    ids=["English", "French"],
)
def test_evidence_under_details(metric, text, summary, expected):
    result = metric.compute(predictions=[summary], references=[text], details=True)
    [found] = result["evidence"]
    sources = [sentence.pop("sources") for sentence in found]
    assert found == expected
    assert all(sorted(places) == [0, 1, 2] for places in sources)
    assert [places[0] for places in sources] == result["summary_matches"][0]
