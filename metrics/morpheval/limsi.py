"""The rules of the published script (morpheval v2 for French), kept with its slips, so that numbers stay comparable.

All readings of all new words count, wherever they stand. docs/morpheval/published_script.md lists where the defaults
judge otherwise. The script has no rule for an empty translation; here it fails, as in the default mode.
"""

import html
import re
from collections.abc import Callable
from functools import partial
from itertools import chain
from weakref import WeakKeyDictionary

from .language_french import WORDS
from .lexicon import Lexicon
from .lexicon_lefff import find_lefff
from .verdicts import EMPTY, FAIL, PASS, REJECTED, Evidence, Finding, Marked, Rules, new_positions
from .words import MOODS, Word, describe

VALUES = {"tense": MOODS.keys(), "person": "123", "number": "sp", "gender": "mf"}
# Words much as the Moses tokenizer cuts them, so that its output stays as it is but for marks inside words.
TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\w+(?:[-.]\w+)*'?|\.+|[^\w\s]")
SPLIT_AT_HYPHENS = ("le", "la", "les", "ils")  # a word that ends with one of these after a hyphen

NEGATIONS = re.compile(r"(ne|n'|non)$|aucun")
PLURAL_PRONOUNS = re.compile(r"(ils|les|leur|eux|en)$")
COMPARATIVES = re.compile(r"(plus|moins|pire|davantage|mieux)$|(ult|ant|inf|sup)érieur|meilleur|moindre")
SUPERLATIVES = re.compile(r"plus$|meilleur|pire")
ARTICLES = ("le", "la", "les")
NOTHING_NEW = Finding(FAIL, "one translation has no word that the other lacks")


_MET: WeakKeyDictionary = WeakKeyDictionary()  # by lexicon: words by form, and those of each token


def analyse(texts: list[str], lexicon: Lexicon, _sources=()) -> list[list[Word]]:
    """Each text as a list of `Word`, lower-case; the script does not look at the sources."""
    words, tokens = _MET.setdefault(lexicon, ({}, {}))
    sentences = [TOKEN.findall(html.unescape(text).replace("\u2019", "'")) for text in texts]
    parts = {token: _parts(token) for token in set(chain.from_iterable(sentences)) - tokens.keys()}
    new = set(chain.from_iterable(parts.values())) - words.keys()
    known = lexicon.readings(new) if new else {}
    words.update((form, Word(form, known.get(form, ()), WORDS)) for form in new)
    tokens.update((token, [words[form] for form in forms]) for token, forms in parts.items())
    return [list(chain.from_iterable(map(tokens.__getitem__, sentence))) for sentence in sentences]


def _parts(token: str) -> list[str]:
    return token.lower().split("-") if token.rpartition("-")[2] in SPLIT_AT_HYPHENS else [token.lower()]


def _readings(word: Word, category: str) -> tuple:
    """Readings of a category: "v", "adj", or "n" for common nouns and names."""
    return tuple(r for r in word.readings if r.category == category or category == "n" and r.category[0] == "n")


def _evidence(sentence: list[Word], positions: list[int], category: str, side: int = 1) -> tuple[Evidence, ...]:
    readings_at = ((i, _readings(sentence[i], category)) for i in positions)
    return tuple(Evidence(side, i, readings) for i, readings in readings_at if readings)


def _letters(evidence: tuple[Evidence, ...]) -> str:
    return "".join(r.features for e in evidence for r in e.readings)


def _marked(evidence: tuple[Evidence, ...]) -> Marked:
    letters = set(_letters(evidence))
    return Marked(evidence, {name: frozenset(letters & set(values)) for name, values in VALUES.items()})


def _find_letter(
    category: str, wanted: str, _base: list[Word], variant: list[Word], new: list[int], anywhere: bool = False
) -> Finding:
    """A new word with one of the letters in its features; ``anywhere``: in the whole sentence, if none is new."""
    evidence = _evidence(variant, new, category)
    if not evidence and anywhere:
        evidence = _evidence(variant, [*range(len(variant))], category)
    if not evidence:
        return Finding(REJECTED, "no new word of the category in the lexicon")
    shown = [e for e in evidence if set(wanted) & set(_letters((e,)))]
    return Finding(PASS if shown else FAIL, "*{0.form}*: {0.reading}", tuple(shown or evidence))


def _find_future(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    finding = _find_letter("v", "F", base, variant, new)
    going = [e for e in finding.evidence if any(r.lemma == "aller" and "P" in r.features for r in e.readings)]
    return finding._replace(verdict=PASS, evidence=tuple(going)) if finding.verdict == FAIL and going else finding


def _find_listed(listed: re.Pattern, _base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    evidence = tuple(Evidence(1, i, variant[i].readings) for i in new if listed.match(variant[i].form))
    return Finding(PASS, "new word *{0.form}*", evidence) if evidence else Finding(FAIL, "no new word of the list")


def _find_superlative(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """An article that is new, or any article with a new "plus", and a new word of the list."""
    finding = _find_listed(SUPERLATIVES, base, variant, new)
    fresh = {variant[i].form for i in new}
    articles = {word.form for word in variant} if "plus" in fresh else fresh
    if articles.isdisjoint(ARTICLES):
        return Finding(FAIL, "no article", finding.evidence)
    return finding


def _find_coordinated_verbs(_base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    """The new verbs, and all verbs after the first new word."""
    if len(new) < 2:
        return Finding(FAIL, "fewer than two new words")
    first = _evidence(variant, new, "v")
    second = _evidence(variant, [*range(min(new) + 1, len(variant))], "v")
    if not first or not second:
        return Finding(REJECTED, "no new verb, or none after it")
    return _marked(first), _marked(second)


def _find_noun_phrase(_base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    noun, adjective = _evidence(variant, new, "n"), _evidence(variant, new, "adj")
    if not noun or not adjective:
        return Finding(REJECTED, "no new noun or no new adjective")
    return _marked(noun), _marked(adjective)


def _find_antecedents(base: list[Word], variant: list[Word]) -> tuple:
    """Both sides; neither counts if one has no new word, and both fail if one is empty."""
    if not base or not variant:
        return (EMPTY, EMPTY)
    new_in_base, new_in_variant = new_positions(variant, base), new_positions(base, variant)
    if not new_in_base or not new_in_variant:
        return (Finding(REJECTED, "base or variant has no new word"),) * 2
    return _find_antecedent(base, new_in_base, 0), _find_antecedent(variant, new_in_variant, 1)


def _find_antecedent(sentence: list[Word], new: list[int], side: int) -> Finding | tuple[Marked, list[Marked]]:
    """The new nouns, and all that may be pronouns (the article l' too) after the first of them."""
    nouns = _evidence(sentence, new, "n", side)
    if not nouns:
        return Finding(REJECTED, "no new noun")
    pronouns = []
    for i in range(nouns[0].position + 1, len(sentence)):
        readings = tuple(r for r in sentence[i].readings if r.category == "pro" or r.category.startswith("cl"))
        if readings:
            pronouns.append(Evidence(side, i, readings))
    if not pronouns:
        return Finding(REJECTED, "no pronoun after *{0.form}*", nouns)
    return _marked(nouns), [_marked(tuple(pronouns))]


def _find_varying(category: str, sentence: list[Word], new: list[int], side: int) -> Marked | str:
    """All new words of the category; other new words may have any value; none: unlike all others."""
    if not new:
        return f"no new word ({side})"
    return _marked(_evidence(sentence, new, category, side))


def _unless_nothing_new(find: Callable) -> Callable:
    return lambda base, variant, new: find(base, variant, new) if new else NOTHING_NEW


ON_ONE_SIDE: dict[str, Callable] = {
    "past": partial(_find_letter, "v", "IJK"),
    "future": _find_future,
    "conditional": partial(_find_letter, "v", "C"),
    "subjunctive": partial(_find_letter, "v", "ST", anywhere=True),
    "noun_number": partial(_find_letter, "n", "p"),
    "pronoun_number": partial(_find_listed, PLURAL_PRONOUNS),
    "comparative": partial(_find_listed, COMPARATIVES),
    "superlative": _find_superlative,
    "negation": partial(_find_listed, NEGATIONS),
    "coord_verb": _find_coordinated_verbs,
    "np": _find_noun_phrase,
}
ON_ALL_SIDES: dict[str, Callable] = {
    "coref": _find_antecedents,
    "verb_consistency": partial(_find_varying, "v"),
    "adj_consistency": partial(_find_varying, "adj"),
}

FINDERS = {name: _unless_nothing_new(find) for name, find in ON_ONE_SIDE.items()} | ON_ALL_SIDES
LIMSI = Rules(analyse, describe, FINDERS, find_lefff)
