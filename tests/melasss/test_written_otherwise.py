"""How a summary is set, and what is said around it, changes its score by no more than .02."""

import unicodedata

import pytest

from metrics.melasss.text_evidence import numbers, readings
from metrics.melasss.text_languages import ENGLISH
from metrics.melasss.text_pairs import sentences_of
from metrics.melasss.text_sentences import without_frame, without_items

TEXT = (
    "The fishing harbour of Orléans-sur-Mer, which had been closed from 2007 to 2011 and again this winter, opened on "
    "Monday. A storm had shut it for three weeks, and twelve ships waited outside. The regional council promised "
    "400,000 euros for repairs, but the mayor, Anne Dubois, wants twice as much. Her team won the vote by four to one. "
    "Nobody was hurt when two cranes fell into the water. Work begins in June 1998 style, she joked: with spades."
)
SUMMARY = (
    "The harbour of Orléans-sur-Mer opened again after three weeks. The council promised 400,000 euros for repairs. "
    "Twelve ships had waited outside, and nobody was hurt."
)
FIRST, SECOND, THIRD = SUMMARY.replace(". ", ".|").split("|")
THOUGHT = "<think>\nThe text has 6 sentences. It did not say who paid in 1850, perhaps Paris.\n</think>\n\n"
SETTINGS = {
    "stars": f"**{FIRST}** {SECOND} *Twelve ships* {THIRD.removeprefix('Twelve ships ')}",
    "a heading of its own": f"# A harbour opens\n\n{SUMMARY}",
    "a question praised": f"Great question! Here is a summary:\n\n{SUMMARY}",
    "a numbered list": f"1. {FIRST}\n2. {SECOND}\n3. {THIRD}",
    "a numbered list in one line": f"1) {FIRST} 2) {SECOND} 3) {THIRD}",
    "bullets": f"- {FIRST}\n- {SECOND}\n- {THIRD}",
    "notes": f"{FIRST[:-1]}.[1] {SECOND[:-1]} [2, 3]. {THIRD}[4-6]",
    "soft hyphens": SUMMARY.replace("harbour", "har\u00adbour").replace("council", "coun\u00adcil"),
    "decomposed": unicodedata.normalize("NFD", SUMMARY),
    "an offer behind": SUMMARY + "\n\nLet me know if you would like a shorter version!",
    "a hope behind": SUMMARY + " I hope this helps!",
    "thoughts": THOUGHT + SUMMARY,
    "thoughts without a beginning": THOUGHT.removeprefix("<think>\n") + SUMMARY,
    "all of these": f"{THOUGHT}Of course! Here are the key points:\n\n1. {FIRST}\n2. {SECOND}\n3. {THIRD}\n\n"
    "Would you like me to add anything?",
}
SETTINGS |= {
    heading: heading + SUMMARY
    for heading in (
        "Summary: ",
        "**Summary:** ",
        "**Summary**\n",
        "## Summary\n\n",
        "### Summary of the Article on Orléans-sur-Mer\n\n",
        "Summary (3 sentences): ",
        "Key points:\n",
        "TL;DR: ",
        "Here is a summary of the text:\n\n",
        "Sure! Here's a brief summary of the article: ",
        "Sure! Here is the summary you asked for:\n\n",
        "Certainly! I'd be happy to help you summarize this text. Here's a short summary:\n",
        "Résumé : ",
        "Voici un résumé du texte :\n",
    )
}
# The same said in two ways.
ALIKE = {
    "a span of years": (" It had been closed from 2007 to 2011.", " It had been closed 2007–2011."),
    "a span cut short": (" It had been closed from 2007 to 2011.", " It had been closed 2007-11."),
    "sentences of two words": (" Ships waited, and nobody drowned.", " Ships waited. Nobody drowned."),
}
MOST = 0.02


@pytest.fixture(scope="module")
def scores(metric):
    """{aspect: {name of a setting: score}}, of all in one call."""
    written = {"": SUMMARY} | SETTINGS
    written |= {(name, k): SUMMARY + end for name, ends in ALIKE.items() for k, end in enumerate(ends)}
    given = {"predictions": list(written.values()), "references": [TEXT] * len(written), "details": True}
    return {
        aspect: dict(zip(written, metric.compute(**given, aspect=aspect)["scores"], strict=True))
        for aspect in ("relevance", "consistency")
    }


@pytest.mark.parametrize("aspect", ["relevance", "consistency"])
@pytest.mark.parametrize("name", SETTINGS)
def test_how_it_is_set(scores, aspect, name):
    assert scores[aspect][name] == pytest.approx(scores[aspect][""], abs=MOST)


@pytest.mark.parametrize("aspect", ["relevance", "consistency"])
@pytest.mark.parametrize("name", ALIKE)
def test_how_it_is_said(scores, aspect, name):
    assert scores[aspect][name, 1] == pytest.approx(scores[aspect][name, 0], abs=MOST)


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "notes"])
def test_only_the_summary_is_left(name):
    left = " ".join(without_items(sentences_of(without_frame(SETTINGS[name]))))
    expected = {"soft hyphens": SETTINGS[name], "decomposed": SETTINGS[name]}.get(name, SUMMARY)
    assert left.replace(" 2) ", " ").replace(" 3) ", " ") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Hello Kitty turns fifty. Her maker hopes for more.",
        "Of course the harbour opened again, the mayor said.",
        "Here is where the boat sank: off Brest.",
        "I can help, said the mayor: the money is there.",
        "Let me know, the mayor wrote to the council, and nobody answered.\nThe harbour stayed shut.",
        "2. Bundesliga begins on Friday.",
        "The summary court sat: it sank.",
        "Le résumé a plu.",
    ],
)
def test_what_a_summary_says_stays(text):
    assert without_items([without_frame(text)]) == [text]


@pytest.mark.parametrize(
    "said",
    ["four hundred thousand", "400 000", "400k", "3 weeks", "12", "2007-11", "2007–2011", "4-1", "one boat"],
)
def test_numbers_are_known_however_they_are_spelt(said):
    assert set(numbers(said, ENGLISH)) <= readings(TEXT, ENGLISH) | {1}


def test_spans_of_years():
    assert set(numbers("Closed 2007–11, 2009-10-11 and 1999/98.", ENGLISH)) == {2007, 2011, 2009, 10, 11, 1999, 98}
    assert {2007, 2011} <= readings("from 2007/11 on", ENGLISH)
