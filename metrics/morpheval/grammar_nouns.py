"""Gender and number of nouns with their determiners, and of adjectives."""

import re

from .grammar_classes import is_determiner, precedes_noun
from .grammar_verbs import in_moods
from .language_lists import WordLists
from .words import NUMBERS, PARTICIPLE, Word, agreement, features


def noun_values(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Gender and number of the noun at i, none where neither it nor its determiner shows one."""
    numbers = numbers_of(lists, sentence, i)
    return {"gender": _genders_of(lists, sentence, i), "number": numbers if len(numbers) == 1 else frozenset()}


def _genders_of(lists: WordLists, sentence: list[Word], i: int) -> frozenset:
    """Genders that the noun at i may have: "le livre" is masculine, though the form has both.

    A title that the lexicon has in one gender may have both; what stands before it decides ("une excellente médecin").
    """
    noun = sentence[i]
    genders = noun.noun_values["gender"]
    common = "f" not in genders and any(r.lemma in lists.common_gender for r in noun.nouns)
    if len(genders) == 1 and not common:
        return genders
    j = i - 1
    shown: frozenset = frozenset()
    while j >= 0 and not is_determiner(lists, sentence, j) and sentence[j].adjectives:
        shown = shown or sentence[j].adjective_values["gender"]
        j -= 1
    opens = j >= 0 and is_determiner(lists, sentence, j)
    determined = determiner_values(lists, sentence[j], sentence[j + 1])["gender"] if opens else None
    return determined or shown or (frozenset() if common else genders)


def numbers_of(lists: WordLists, sentence: list[Word], i: int) -> frozenset:
    """Numbers that the noun at i may have; its determiner decides where the noun shows none ("les pays")."""
    shown = (features(r.features).numbers or NUMBERS.keys() for r in sentence[i].nouns)
    numbers = frozenset().union(*shown) or frozenset(NUMBERS)  # an unknown word shows none
    for j in range(i - 1, max(i - 4, -1), -1) if len(numbers) > 1 else ():
        if is_determiner(lists, sentence, j):
            return features(sentence[j].determiner).numbers or numbers
        if sentence[j].form in lists.of:
            return frozenset("p") if j < i - 1 else numbers
        if not precedes_noun(lists, sentence[j]):
            break
        numbers = sentence[j].adjective_values["number"] or numbers  # "buone università"
    return numbers


def determiner_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the determiner of the noun at i, straight before it or before its adjectives."""
    for j in range(i - 1, -1, -1):
        if is_determiner(lists, sentence, j):
            return j - 1 if j and is_determiner(lists, sentence, j - 1) else j  # "i due attori"
        if not precedes_noun(lists, sentence[j]):
            return None
    return None


def determiner_values(lists: WordLists, determiner: Word, following: Word) -> dict[str, frozenset]:
    """What the determiner shows; no gender where it has one form for both: "el agua", "mon amie"."""
    shown = features(determiner.determiner)
    either = re.match(lists.determiners_of_either.get(determiner.form, "$"), following.form)
    return {"gender": frozenset() if either else shown.genders, "number": shown.numbers}


def adjective_values(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Gender and number of the adjective at i, none for a colour with its shade ("bleu roi", not "un grand roi")."""
    shaded = i + 1 < len(sentence) and sentence[i + 1].form in lists.shades
    if shaded and not (i and is_determiner(lists, sentence, i - 1)):
        return {"gender": frozenset(), "number": frozenset()}
    word = sentence[i]
    return agreement(word.adjectives or in_moods(word.verbs, PARTICIPLE) or word.nouns)
