"""How a sentence is set changes no verdict: capitals, dashes, quotes, marks of emphasis, blanks, what nobody sees."""

import random
import re

import pytest

from metrics.morpheval.contrastive_tests import CONTRASTS
from metrics.morpheval.scoring import LANGUAGES

from . import items

SAMPLE = 20  # items of a language
WORD = re.compile(r"(?<!\S)[^\W\d_]+(?=[.,;!?]*(?:\s|$))")


def other_case(text):
    first = re.search(r"[^\W\d_]", text)
    return text if first is None else text[: first.start()] + first.group().swapcase() + text[first.end() :]


def around(opening, closing):
    """The whole text between two marks; one word that is drawn; every word."""

    def one_word(text):
        words = [match.span() for match in WORD.finditer(text)] or [(0, len(text))]
        start, end = random.Random(text).choice(words)
        return f"{text[:start]}{opening}{text[start:end]}{closing}{text[end:]}"

    every_word = f"{opening}\\g<0>{closing}"
    return (lambda text: f"{opening}{text}{closing}", one_word, lambda text: WORD.sub(every_word, text))


PAIRS = (
    "**|** _|_ ***|*** <b>|</b> <i>|</i> \u200e|\u200f \u2060|\u2060 ‘|’ ‹|› «\u00a0|\u00a0» “|” „|“ '|' \"|\"".split(
        " "
    )
)
WAYS = {
    "other case": (other_case,),
    "dashes": tuple(lambda text, dash=dash: dash + text for dash in ("— ", "\u2015", "– ", "- ", "-")),
    **{pair: around(*pair.split("|")) for pair in PAIRS},
    "left apostrophes": (lambda text: re.sub(r"(?<=\w)['\u2019](?=\w)", "\u2018", text),),
    "bars": (lambda text: re.sub("[—–]", "\u2015", text),),
    "blanks": tuple(lambda text, blank=blank: text.replace(" ", blank) for blank in ("  ", "\u00a0", "\u202f", "\t")),
}


def changed(judge, chosen):
    """What changes the verdict of which item, and on which side."""
    for item in chosen:
        test, texts = item["test"], {"translations": item["translations"], "sources": item["sources"]}
        expected = judge(test, *texts["translations"], sources=texts["sources"]).verdict
        for name, ways in WAYS.items():
            for way in ways:
                for side in texts:
                    set_otherwise = texts | {side: [way(text) for text in texts[side]]}
                    found = judge(test, *set_otherwise["translations"], sources=set_otherwise["sources"]).verdict
                    if found != expected:
                        yield name, side, set_otherwise, expected, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_of_the_judged_items_keeps_its_verdicts(judge_in, language):
    everything = [item for of_round in items.judged(language).values() for item in of_round]
    assert not list(changed(judge_in(language), random.Random(46).sample(everything, SAMPLE)))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_judged_items_keep_their_verdicts(judge_in, language):
    everything = [item for of_round in items.judged(language).values() for item in of_round]
    assert {item["test"] for item in everything} == set(CONTRASTS)
    assert not list(changed(judge_in(language), everything))
