"""Morph-it! (Zanchetta and Baroni 2005), a lexicon of Italian, as npm packages it: nouns, adjectives and verbs in JSON.

italian-words-dict, italian-adjectives-dict and italian-verbs-dict have words.json, {"valigia": {"G": "F", "P":
"valigie"}}; adjectives.json, {"calmo": {"MP": "calmi", "FS": "calma", "FP": "calme"}}; and verbs.json, {"tritare":
{"ind": {"pres": {"S1": "trito"}}, "part": {"past": {"SF": "tritata"}}, "inf": {"pres": "tritare"}}}.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from .common import input_error
from .lexicon import Reading

MOODS = {
    **{("ind", "pres"): "P", ("ind", "impf"): "I", ("ind", "past"): "J", ("ind", "fut"): "F"},
    **{("sub", "pres"): "S", ("sub", "impf"): "T", ("cond", "pres"): "C", ("impr", "pres"): "Y"},
    **{("inf", "pres"): "W", ("ger", "pres"): "G", ("part", "past"): "K"},
}
SHOWN = {"S": "ms", "P": "mp", "SF": "fs", "PF": "fp"}
SHOWN |= {number + person: person + number.lower() for number in "SP" for person in "123"}
PARTICIPLE = "K"


def read_morphit(path: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of the words of one of the three files."""
    path = Path(path)
    read = READERS.get(path.name)
    if read is None:
        raise input_error(path, "a file of this name", f"a file called {' or '.join(READERS)}")
    for lemma, entry in json.loads(path.read_text(encoding="utf-8")).items():
        yield from ((form, reading) for form, reading in read(lemma, entry) if form is not None)


def _noun(lemma: str, entry: dict) -> Iterator[tuple[str | None, Reading]]:
    """The lemma is the singular, unless that is said ("S"): some have none."""
    gender = entry["G"].lower() if entry.get("G") in ("M", "F") else ""
    for form, number in ((entry.get("S", lemma), "s"), (entry.get("P"), "p")):
        yield form, Reading("nc", lemma, gender + number)


def _adjective(lemma: str, entry: dict) -> Iterator[tuple[str, Reading]]:
    for shown, form in {"MS": lemma, **entry}.items():
        yield form, Reading("adj", lemma, shown.lower())


def _verb(lemma: str, entry: dict) -> Iterator[tuple[str | None, Reading]]:
    """Participles are adjectives, too, as in the Lefff; "dimmi" is no verb, but one with a pronoun."""
    if not lemma.endswith(("r", "re", "rsi")):
        return
    for (mood, tense), letter in MOODS.items():
        forms = entry.get(mood, {}).get(tense) or {}
        for shown, form in {"": forms}.items() if isinstance(forms, str) else forms.items():
            features, form = letter + SHOWN.get(shown, ""), _without_pronouns(form, letter, lemma)
            yield form, Reading("v", lemma, features)
            if letter == PARTICIPLE:
                yield form, Reading("adj", lemma, features)


def _without_pronouns(form: str | None, letter: str, lemma: str) -> str | None:
    """The form; the files have many infinitives and gerunds only with pronouns: "radunarvi", "infischiandosene"."""
    if letter == "W":
        ending = "re" if lemma.endswith(("orsi", "ursi", "trarsi")) else "e"
        return lemma[:-2] + ending if lemma.endswith("rsi") else lemma  # "porsi", "pentirsi"
    if letter == "G" and form:
        before, ndo, _ = form.rpartition("ndo")
        return before + ndo or None
    return form


READERS: dict[str, Callable] = {"words.json": _noun, "adjectives.json": _adjective, "verbs.json": _verb}
