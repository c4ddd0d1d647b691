"""Projecto Natura's spelling dictionary of Portuguese (Almeida and Simões), which says what its words are.

An entry of pt_PT.dic is a word, flags, and its category with features: "mochila/p [CAT=nc,G=f,N=s]"; under a flag
pt_PT.aff has endings with the features that they change: "SFX p 0 s [^ã][^lsmrnzx] +N=p".
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from .common import input_error
from .lexicon import Reading

CATEGORIES = {"v": ("v",), "nc": ("nc",), "adj": ("adj",), "a_nc": ("adj", "nc"), "adv": ("adv",)}
MOODS = {
    **{"p": "P", "pc": "S", "pic": "T", "fc": "T", "pi": "I", "pp": "J", "pmp": "J", "f": "F", "c": "C", "i": "Y"},
    **{"inf": "W", "ip": "W", "g": "G", "ppa": "K"},
}
PARTICIPLE = "K"
FEATURE = re.compile(r"(\w+)=(\w+)")
LEMMA = re.compile(r"\[\$([^$]+)\$")  # of an irregular form
ENDING = "SFX"
FEMININE = "f"  # the flag of words that have a feminine of their own
NO_GENDER = re.compile(r"\bG=_\b")
HYPHEN = "-"  # before a pronoun


def read_natura(path: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of verbs, nouns, adjectives and adverbs; the endings are in the .aff file beside the .dic."""
    path = Path(path)
    if not path.with_suffix(".aff").is_file():
        raise input_error(path, f"no {path.with_suffix('.aff').name} beside the file", "the endings there")
    endings = _endings(path.with_suffix(".aff").read_text(encoding="utf-8"))
    entries = path.read_text(encoding="utf-8").splitlines()[1:]  # after their number
    if not any("CAT=" in entry for entry in entries):
        raise input_error(path, "words without their categories", "categories such as [CAT=nc,G=f,N=s]")
    for entry in entries:
        yield from _entry(entry, endings)


def _endings(text: str) -> dict[str, list[tuple]]:
    """[(letters that go, letters that come, pattern of the word's end, features, whether it is a word of its own)]."""
    endings = defaultdict(list)
    for line in text.splitlines():
        name, *columns = line.split() or [""]
        if name == ENDING and len(columns) > 4:
            flag, old, new, end, features = columns[:5]
            new = new.partition("/")[0]
            if HYPHEN not in new:
                old, new = (letters.replace("0", "") for letters in (old, new))
                is_word = "CAT" in dict(FEATURE.findall(features))
                endings[flag].append((old, new, re.compile(f"{end}$"), features, is_word))
    return endings


def _entry(entry: str, endings: dict[str, list[tuple]]) -> Iterator[tuple[str, Reading]]:
    head, _, described = entry.partition("\t")
    word, _, flags = head.partition("/")
    irregular = LEMMA.search(described)
    lemma = irregular[1] if irregular else word
    if FEMININE in flags and NO_GENDER.search(described):  # "cansativo", by mistake
        described += " G=m"
    yield from _readings(word, lemma, described)
    for old, new, end, features, is_word in (ending for flag in flags for ending in endings.get(flag, ())):
        if end.search(word):
            form = word.removesuffix(old) + new
            yield from _readings(form, form if is_word else lemma, f"{described} {features}")


def _readings(form: str, lemma: str, described: str) -> Iterator[tuple[str, Reading]]:
    """Those of a form by its features, of which the last one of a name holds.

    >>> list(_readings("mimava", "mimar", "[CAT=v,T=inf,TR=t] +P=1_3,N=s,T=pi"))[0]
    ('mimava', Reading(category='v', lemma='mimar', features='I1s'))
    """
    if HYPHEN not in form:
        for category, letters in _meanings(described):
            yield form, Reading(category, lemma, letters)


@lru_cache(maxsize=10_000)  # a few hundred, of irregular words some thousands; the words are half a million
def _meanings(described: str) -> list[tuple[str, str]]:
    """Categories and features in the Lefff's letters; participles are adjectives, too, as there. "P=1_3": two persons.

    >>> _meanings("CAT=v,T=pi,P=1_3,N=s")
    [('v', 'I1s'), ('v', 'I3s')]
    """
    features = dict(FEATURE.findall(described))
    shown = "".join(letter for name in "GN" for letter in features.get(name, "").lower() if letter in "mfsp")
    mood = MOODS.get(features.get("T", ""), "")
    found = []
    for category in CATEGORIES.get(features.get("CAT", ""), ()):
        if category == "adv" and set("mf") & set(shown):
            found.append(("adj", shown))  # "caríssimo"
        elif category != "v":
            found.append((category, shown))
        elif mood == PARTICIPLE:
            found += [(kind, mood + shown) for kind in ("v", "adj")]
        elif mood:
            persons = [person + shown for person in features["P"].split("_")] if "P" in features else [""]
            found += [(category, mood + person) for person in persons]
    return found
