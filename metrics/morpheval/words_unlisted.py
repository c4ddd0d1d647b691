"""Words that the lexicon lacks: read as an older spelling, a regular form, or a derivation of one that it has."""

from collections import defaultdict
from collections.abc import Mapping

from .language_lists import WordLists
from .lexicon import Lexicon, Reading

Readings = dict[str, tuple[Reading, ...]]


def read_unlisted(lists: WordLists, lexicon: Lexicon, forms: set[str]) -> Readings:
    """Readings of forms that the lexicon lacks, by the first way that has some: of a word that it has."""
    known: Readings = {}
    for read in (_respelled, _conjugated, _feminines):
        known |= read(lists, lexicon, forms - known.keys())
    return known


# What a capital often goes without: "Etait", "Ultimo".
MARKED_CAPITALS = {"a": "àâ", "e": "éêè", "o": "ô", "c": "ç"}


def _respelled(lists: WordLists, lexicon: Lexicon, forms: set[str]) -> Readings:
    """Readings of forms that the lexicon has in an older spelling, or with a marked capital: "connait", "etait"."""
    older = defaultdict(list)  # two forms may lack one mark each: "elève" and "éleve"
    for form in forms:
        for i, letter in enumerate(form):
            if mark := lists.unmarked_letters.get(letter):
                older[f"{form[:i]}{mark}{form[i + 1 :]}"].append(form)
        for mark in MARKED_CAPITALS.get(form[:1], ""):
            older[mark + form[1:]].append(form)
    known = lexicon.readings(older.keys()) if older else {}
    return {form: readings for spelling, readings in known.items() for form in older[spelling]}


def _conjugated(lists: WordLists, lexicon: Lexicon, forms: set[str]) -> Readings:
    """Readings of verb forms that the lexicon lacks but whose infinitive it has: "olvidás"."""
    guesses = [
        (form, form.removesuffix(ending) + infinitive, letters)
        for form in forms
        for ending, infinitive, letters in lists.verb_endings
        if form.endswith(ending)
    ]
    known = lexicon.readings({infinitive for _, infinitive, _ in guesses}) if guesses else {}
    return {
        form: (Reading("v", infinitive, letters),)
        for form, infinitive, letters in guesses
        if any("W" in reading.features for reading in known.get(infinitive, ()))
    }


def _feminines(lists: WordLists, lexicon: Lexicon, forms: set[str]) -> Readings:
    """Readings of feminine nouns that the lexicon lacks but whose masculine it has: "professeure"."""
    masculines = defaultdict(list)
    for form in forms:
        stem, plural = (form[:-1], "s") if form[-1] == "s" else (form, "")
        for feminine, masculine in lists.feminine_endings.items():
            if stem.endswith(feminine):
                masculines[stem.removesuffix(feminine) + masculine + plural].append(form)
    known = lexicon.readings(masculines.keys()) if masculines else {}
    return {
        form: (Reading("nc", nouns[0].lemma, "fp" if form[-1] == "s" else "fs"),)
        for masculine, readings in known.items()
        if (nouns := [r for r in readings if r.category == "nc" and "f" not in r.features])
        for form in masculines[masculine]
    }


def told_by_ending(lists: WordLists, forms: set[str]) -> Readings:
    """Adjectives and verbs that the lexicon lacks and their longest ending tells: "comiquísimos", "strillano"."""
    tables: dict[tuple[str, ...], Mapping[str, str]] = {("nc", "adj"): lists.nominal_endings}
    tables |= {("adj",): {**lists.superlative_endings, **lists.adjective_endings}, ("v",): lists.regular_endings}
    return {
        form: tuple(Reading(kind, form.removesuffix(ending), tag) for kind in kinds for tag in endings[ending].split())
        for kinds, endings in tables.items()
        for ending in sorted(endings, key=len)
        for form in forms
        if form.endswith(ending)
    }
