"""What a summary says and its text does not: numbers, names, negations. Words are compared, no model is asked.

Each function takes sentences as strings, in English or French, and gives what stands in them in a form that can be
compared, of another language nothing: numbers by value ("1,800", "eighteen hundred" and "1 800" are one), names by
their letters.
"""

import re
import unicodedata
from collections.abc import Iterable
from os.path import commonprefix
from typing import NamedTuple

from .text_languages import NEUTRAL, Language, negates, parts
from .text_sentences import natural, words

STEM = 5  # letters by which forms of a word are taken to be one
FIGURES = re.compile(r"(?<![\d⁄])\d{1,3}(?:[ \u00a0\u202f,.'’]\d{3}(?!\d))+(?:[.,]\d+)?|(?<!⁄)\d+(?:[.,]\d+)?(?!⁄)")
GROUPS = re.compile(r"[ \u00a0\u202f,.'’](?=\d{3}(?!\d))")
# Figures that may be one number or several: "15, 000", "98. 7", "2014, 300".
CHAIN = re.compile(r"\d+(?:\s?[.,'’\u00a0\u202f ]\s?\d+)*")
DIGITS = re.compile(r"\d+")
WINDOW = 4  # of these are read together at most
SCALE = re.compile(r"[\s-]*([^\W\d_]+)")
SUFFIXES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "tn": 10**12}
LETTERS_OR_PUNCTUATION = re.compile(r"[^\W\d_]+|[^\w\s-]")
LETTERS = re.compile(r"[^\W\d_]+")
NAME = re.compile(r"[^\W\d_][\w’'-]*")
ALONE = ("cent", "mille")  # French says them without "one"
LONGEST_NUMBER = 20  # number words that may be one number
SCOPE = 5  # words after a negation that it may concern
PREFIX = 4  # letters that the forms of a name have in common at least
SUFFIX_LETTERS = 2  # last letters by which they may differ: "Germany", "German"


def stem(word: str) -> str:
    """The first letters of a word, by which its forms are taken to be one."""
    return word[:STEM]


# ---- Numbers ----


def numbers(sentence: str, language: Language) -> dict[float, str]:
    """{value: as it is written} of the numbers in a sentence, in figures and in words.

    "one" counts in figures only: in words it is most often a pronoun or an article.

    >>> from .text_languages import ENGLISH, FRENCH
    >>> numbers("Twenty-two boats, 1,800 tons and 2.5 million euros in four hundred days.", ENGLISH)
    {22.0: 'twenty two', 400.0: 'four hundred', 1800.0: '1,800', 2500000.0: '2.5 million'}
    >>> numbers("Soixante-dix bateaux et 12 600 tonnes.", FRENCH)
    {70.0: 'soixante dix', 12600.0: '12 600'}
    """
    text = natural(sentence).lower()
    values: dict[float, str] = {}
    if language is NEUTRAL:
        return values
    for figures in FIGURES.finditer(text):
        value, written = float(GROUPS.sub("", figures[0]).replace(",", ".")), figures[0]
        scale = SCALE.match(text, figures.end())
        if scale and scale[1] in language.scales:
            value, written = value * language.scales[scale[1]], written + scale[0]
        values[value] = written
    return _in_words(text, language) | values


def readings(sentence: str, language: Language) -> set[float]:
    """All values that the numbers of a sentence may have, however they were spelt or tokenised.

    >>> from .text_languages import ENGLISH
    >>> sorted(readings("It cost 15, 000 euros.", ENGLISH)), {44.5e9, 5e9} <= readings("$44.5bn", ENGLISH)
    ([0.0, 15.0, 15000.0], True)
    """
    text = natural(sentence).lower()
    values = set(_in_words(text, language))
    for chain in CHAIN.finditer(text):
        digits = DIGITS.findall(chain[0])
        runs = [digits[i:j] for i in range(len(digits)) for j in range(i + 1, min(i + WINDOW, len(digits)) + 1)]
        joined = {float("".join(run)) for run in runs if all(len(group) == 3 for group in run[1:])}
        joined |= {float("".join(run[:-1]) + "." + run[-1]) for run in runs if len(run) > 1}
        scale = SCALE.match(text, chain.end())
        factor = (language.scales | SUFFIXES).get(scale[1]) if scale else None
        values |= joined | {value * factor for value in joined if factor}
    return values


def _in_words(text, language):
    """{value: as it is written} of the number words in a text."""
    runs = _runs(LETTERS_OR_PUNCTUATION.findall(text), language)
    values = {float(_value(run, language)): " ".join(run) for run in runs}
    return {value: written for value, written in values.items() if value != 1}


def _runs(pieces, language):
    """Number words that stand together; a scale alone, as in "millions of people", is none.

    An ordinal is the last of a number: "the first ninety" and "the first hundred" are two.
    """
    run = []
    for i, word in enumerate([*pieces, ""]):
        after_ordinal = bool(run) and run[-1] in language.ordinals
        if after_ordinal or len(run) == LONGEST_NUMBER:
            yield run
            run = []
        if word in language.numbers or word in language.scales and (run or after_ordinal or word in ALONE):
            run.append(word)
        elif run and not (word == language.conjunction and _goes_on(run[-1], pieces[i + 1 : i + 3], language)):
            yield run
            run = []


def _goes_on(last, following, language):
    """Whether "and" joins parts of a number, as in "two hundred and six", "vingt et un", but "two and six hundred"."""
    if not following or following[0] not in language.numbers or following[-1] in language.scales:
        return False
    return last in language.scales or language.numbers[following[0]] in (1, 11)


def _value(run, language):
    """The value of number words: 400000 of "four hundred thousand", 92 of "quatre vingt douze"."""
    total = current = 0
    for word in run:
        if word in language.scales:
            current = max(current, 1) * language.scales[word]
            total, current = (total, current) if language.scales[word] == 100 else (total + current, 0)
        elif word.startswith("vingt") and current == 4:
            current = 80
        else:
            current += language.numbers[word]
    return total + current


# ---- Names ----


def names(sentence: str, language: Language) -> list[list[str]]:
    """The names of a sentence: words beside each other with a capital that are no function words.

    The first word of a sentence is one only before another one.

    >>> from .text_languages import ENGLISH
    >>> names("Yesterday the mayor met Anna Lund in Brest.", ENGLISH), names("Anna Lund left.", ENGLISH)
    ([['Anna', 'Lund'], ['Brest']], [['Anna', 'Lund']])
    """
    text = "" if language is NEUTRAL else natural(sentence)
    matches = [(match, parts(match[0], language)[-1]) for match in NAME.finditer(text)]
    capital = [word[:1].isupper() and word.lower() not in language.function_words for _, word in matches]
    if capital and not any(capital[1:2]):
        capital[0] = False
    runs: list[list[str]] = []
    end = None
    for (match, word), is_name in zip(matches, capital, strict=True):
        if is_name:
            if end is None or text[end : match.start()].strip():
                runs.append([])
            runs[-1].append(word)
            end = match.end()
    return runs


def lower_case_names(sentence: str, known: "Known", language: Language) -> list[list[str]]:
    """Words of a lower-cased sentence that look like names and are none of the text's."""
    read = [_read(parts(word, language)[-1], known, language) for word in words(sentence)]
    around = [NOTHING, *read, NOTHING]
    found: set[int] = set()
    for i, word in enumerate(read):
        before, after = around[i], around[i + 2]
        if word.may_be_name and after.may_be_name and before.text not in language.articles | {"to"}:
            found |= {i, i + 1}  # a first name and a surname: "anna lund"
        elif word.may_be_name and before.text in language.before_places and not after.is_content:
            found.add(i)  # a place, alone after a preposition: "in brest"
        elif word.is_new and before.text in language.titles:
            found.add(i)  # a name after a title: "mayor lund"
    return [[read[i].text] for i in sorted(found)]


class Word(NamedTuple):
    """A word of a lower-cased sentence, and what may be said of it alone."""

    text: str
    is_content: bool = False  # it has letters only, three at least, and is no function word
    is_new: bool = False  # it is such a word, and none of the text's in any form
    may_be_name: bool = False  # it is a new one, and does not end as adjectives and verbs do


NOTHING = Word("")  # what stands before the first word and after the last


def _read(text, known, language) -> Word:
    is_content = text.isalpha() and len(text) > 2 and text not in language.function_words
    is_new = is_content and stem(text) not in known.stems and not known.has(text)
    return Word(text, is_content, is_new, is_new and not language.no_names.search(text))


def folded_words(sentence: str) -> list[str]:
    """What is written in letters, in lower case and without accents."""
    plain = unicodedata.normalize("NFD", natural(sentence).lower())
    return LETTERS.findall("".join(sign for sign in plain if not unicodedata.combining(sign)))


class Known:
    """The words of a text, by which a name is known however it is inflected or abbreviated."""

    def __init__(self, sentences: Iterable[str], language: Language):
        listed = [folded_words(sentence) for sentence in sentences]
        self.words = {word for words in listed for word in words}
        self.stems = set(map(stem, self.words))
        self.by_prefix: dict[str, list[str]] = {}
        for word in self.words:
            self.by_prefix.setdefault(word[:PREFIX], []).append(word)
        content = ([word for word in words if word not in language.function_words] for words in listed)
        self.initials = " ".join("".join(word[0] for word in words) for words in [*listed, *content])

    def has(self, word: str) -> bool:
        """Whether a folded word, or one that differs in up to two last letters, is there."""
        if word in self.words:
            return True
        others = self.by_prefix.get(word[:PREFIX], ()) if len(word) > PREFIX else ()
        return any(len(commonprefix([word, other])) >= max(len(word), len(other)) - SUFFIX_LETTERS for other in others)

    def has_name(self, name: list[str]) -> bool:
        """Whether any word of a name is there, its abbreviation, or what it abbreviates."""
        folded = [word for part in name for word in folded_words(part)]
        if any(map(self.has, folded)) or len(folded) > 1 and "".join(word[0] for word in folded) in self.words:
            return True
        return any(part.isupper() and len(part) > 1 and part.lower() in self.initials for part in name)


# ---- Negations ----


def negated(sentence: str, language: Language) -> list[set]:
    """For each negation of a sentence the stems of the content words that it may concern.

    >>> from .text_languages import ENGLISH
    >>> [sorted(scope) for scope in negated("The council did not pay for the repairs.", ENGLISH)]
    [['pay', 'repai']]
    """
    flat = [piece for word in words(sentence) for piece in parts(word, language)]
    scopes: list[set] = []
    last = -SCOPE
    for i, word in enumerate(flat):
        if negates(word, language):
            scope = {stem(w) for w in flat[i + 1 : i + 1 + SCOPE] if w not in language.function_words}
            if i - last > 2 or not scopes:  # "ne ... pas" is one
                scopes.append(scope)
            else:
                scopes[-1] |= scope
            last = i
    return scopes
