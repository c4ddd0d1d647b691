"""What a summary says and its text does not: numbers, names, negations. Words are compared, no model is asked.

Each function takes sentences as strings, in English or French, and finds what stands in them in a form that can be
compared: numbers by value ("1,800", "eighteen hundred" and "1 800" are one), names by their first letters.
"""

import re

from .text_languages import Language, negates, parts
from .text_sentences import natural, words

STEM = 5  # letters by which forms of a word are told to be one
FIGURES = re.compile(r"(?<!\d)\d{1,3}(?:[ \u00a0\u202f,.'’]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,]\d+)?")
GROUPS = re.compile(r"[ \u00a0\u202f,.'’](?=\d{3}(?!\d))")
SCALE = re.compile(r"[\s-]+(\w+)")
LETTERS_OR_MARKS = re.compile(r"[^\W\d_]+|[^\w\s-]")
NAME = re.compile(r"[^\W\d_][\w’'-]*")
ALONE = ("cent", "mille")  # French says them without "one"
SCOPE = 5  # words behind a negation that it may concern


def stem(word: str) -> str:
    """The first letters of a word, by which its forms are told to be one."""
    return word[:STEM]


def numbers(sentence: str, language: Language) -> dict[float, str]:
    """{value: as it is written} of the numbers in a sentence, in figures and in words.

    "one" counts in figures only: in words it is most often a pronoun or an article.

    >>> from .languages import ENGLISH, FRENCH
    >>> numbers("Twenty-two boats, 1,800 tons and 2.5 million euros in four hundred days.", ENGLISH)
    {1800.0: '1,800', 2500000.0: '2.5 million', 22.0: 'twenty two', 400.0: 'four hundred'}
    >>> numbers("Soixante-dix bateaux et 12 600 tonnes.", FRENCH)
    {12600.0: '12 600', 70.0: 'soixante dix'}
    """
    text = natural(sentence).lower()
    found = {}
    for figures in FIGURES.finditer(text):
        value, written = float(GROUPS.sub("", figures[0]).replace(",", ".")), figures[0]
        scale = SCALE.match(text, figures.end())
        if scale and scale[1] in language.scales:
            value, written = value * language.scales[scale[1]], written + scale[0]
        found[value] = written
    for run in _runs(LETTERS_OR_MARKS.findall(text), language):
        value = _value(run, language)
        if value != 1:
            found.setdefault(float(value), " ".join(run))
    return found


def _runs(pieces, language):
    """Number words that stand together; a scale alone, as in "millions of people", is none.

    An ordinal is the last of a number: "the first ninety" and "the first hundred" are two.
    """
    run = []
    for i, word in enumerate([*pieces, ""]):
        behind_ordinal = bool(run) and run[-1] in language.ordinals
        if behind_ordinal:
            yield run
            run = []
        if word in language.numbers or word in language.scales and (run or behind_ordinal or word in ALONE):
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


def names(sentence: str, language: Language) -> list[str]:
    """The words with a capital that are no function words; the first of a sentence only before another one.

    >>> from .languages import ENGLISH
    >>> names("Yesterday the mayor met Anna Lund.", ENGLISH), names("Anna Lund left.", ENGLISH)
    (['Anna', 'Lund'], ['Anna', 'Lund'])
    """
    found = [piece for word in NAME.findall(natural(sentence)) for piece in parts(word, language)[-1:]]
    capital = [word[0].isupper() and word.lower() not in language.function_words for word in found]
    if capital and not any(capital[1:2]):
        capital[0] = False
    return [word for word, is_name in zip(found, capital) if is_name]


def negated(sentence: str, language: Language) -> list[set]:
    """For each negation of a sentence the stems of the content words that it may concern.

    >>> from .languages import ENGLISH
    >>> [sorted(scope) for scope in negated("The council did not pay for the repairs.", ENGLISH)]
    [['pay', 'repai']]
    """
    flat = [piece for word in words(sentence) for piece in parts(word, language)]
    scopes, last = [], -SCOPE
    for i, word in enumerate(flat):
        if negates(word, language):
            scope = {stem(w) for w in flat[i + 1 : i + 1 + SCOPE] if w not in language.function_words}
            if i - last > 2 or not scopes:  # "ne ... pas" is one
                scopes.append(scope)
            else:
                scopes[-1] |= scope
            last = i
    return scopes
