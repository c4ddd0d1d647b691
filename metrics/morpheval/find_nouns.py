"""What the tests about nouns look for: a plural (A), noun phrases, antecedents (B), the adjective that varies (C)."""

from functools import partial

from .grammar_classes import is_adjective, is_determiner, is_noun, precedes_noun
from .grammar_nouns import adjective_values, determiner_before, determiner_values, noun_values, numbers_of
from .language_lists import WordLists
from .verdicts import (
    FAIL,
    NEW_WORD,
    PASS,
    REJECTED,
    Evidence,
    Finding,
    Marked,
    new_positions,
    not_found,
    nothing_varies,
    unknown_words,
)
from .words import BE, Word, features

NEAR = 10  # words between a noun and its adjective

# ---- Test A: a new plural ----


def find_plural_noun(lists: WordLists, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A new noun in the plural, or a new plural determiner before a noun that shows none ("le pays", "les pays")."""
    nouns = [i for i in new if is_noun(lists, variant, i)]
    determined = {j for j in (determined_noun(lists, variant, i) for i in new) if j is not None} - set(nouns)
    for i in (*nouns, *sorted(determined)):
        k = determiner_before(lists, variant, i)
        if k is not None and numbers_of(lists, variant, i).isdisjoint(features(variant[k].determiner).numbers or "sp"):
            evidence = Evidence(1, k, variant[k].readings), Evidence(1, i, variant[i].nouns)
            return Finding(FAIL, "*{0.form}* and *{1.form}* do not agree in number", evidence)  # "la voces"
    unmarked = [j for j in sorted(determined) if any(not features(r.features).numbers for r in variant[j].nouns)]
    for i in (*nouns, *unmarked):
        numbers = numbers_of(lists, variant, i)
        if "p" in numbers and (i in nouns or "s" not in numbers):
            shown = tuple(r for r in variant[i].nouns if features(r.features).numbers != {"s"})
            reason = NEW_WORD if i in nouns else "plural determiner of *{0.form}*"
            return Finding(PASS, reason, (Evidence(1, i, shown),))
    plurals = [i for i in sorted(determined) if any((variant[j].determiner or "").endswith("p") for j in new if j < i)]
    seen = [Evidence(1, i, variant[i].nouns) for i in (*nouns, *plurals)]
    as_noun = (i for i in new if stands_for_noun(lists, variant, i))
    plural = next((i for i in as_noun if "p" in variant[i].adjective_values["number"]), None)
    if plural is not None:
        return Finding(PASS, NEW_WORD, (Evidence(1, plural, variant[plural].adjectives),))
    either = next((i for i in range(len(variant)) if _may_be_either(lists, base, variant, i)), None)
    if either is not None:
        return Finding(REJECTED, "*{0.form}* shows no number", (Evidence(1, either, variant[either].nouns),))
    return not_found(base, variant, new, "noun", partial(_is_only_noun, lists), seen)


def _may_be_either(lists: WordLists, base: list[Word], sentence: list[Word], i: int) -> bool:
    """Is the word at i a noun of the base, singular or plural, with nothing before it that tells: "avec parapluie"?

    Where another noun shows its number, but after a preposition, that is the one: "le garçon parle anglais".
    """
    word = sentence[i]
    if word.function or word not in base or not is_noun(lists, sentence, i):
        return False
    if numbers_of(lists, sentence, i) != {"s", "p"}:
        return False
    others = (k for k in range(len(sentence)) if k != i and is_noun(lists, sentence, k))
    shown = (k for k in others if len(numbers_of(lists, sentence, k)) == 1)
    return all(_follows_preposition(lists, sentence, k) for k in shown)


def _follows_preposition(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does the noun at i follow a preposition, which may be one word with its article?"""
    determiner = determiner_before(lists, sentence, i)
    start = i if determiner is None else determiner
    return any(word.form in lists.prepositions for word in sentence[max(start - 1, 0) : start + 1])


def stands_for_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the adjective at i a noun, after a determiner and without a noun: "los ricos", "o grande covarde"?"""
    if not sentence[i].adjectives or determiner_before(lists, sentence, i) is None:
        return False
    return not (i + 1 < len(sentence) and (sentence[i + 1].nouns or sentence[i + 1].adjectives))


def _is_only_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    return i > 0 and is_determiner(lists, sentence, i - 1) and is_noun(lists, sentence, i)


def determined_noun(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the noun that the word at i stands before, with nothing but adjectives between."""
    for j in range(i + 1, min(i + 4, len(sentence))):
        if is_noun(lists, sentence, j):
            return j
        if not precedes_noun(lists, sentence[j]):
            return None
    return None


# ---- Test B: a noun and its adjective, a noun and its pronoun ----


def find_noun_phrase(
    lists: WordLists, base: list[Word], variant: list[Word], new: list[int]
) -> Finding | tuple[Marked, Marked]:
    """The new adjective and the new noun of one phrase, nearest each other, two different words."""
    nouns = [i for i in new if variant[i].nouns]
    nouns = nouns or [i for i in new if stands_for_noun(lists, variant, i)]
    adjectives = {i for i in new if is_adjective(lists, variant, i)}
    near = [(i, j) for i in nouns for j in range(i - NEAR, i + NEAR + 1) if i != j and j in adjectives]
    pairs = [pair for pair in near if _in_one_phrase(lists, variant, *pair)]
    if not pairs:
        verdict = REJECTED if nouns or adjectives or new_positions(variant, base) else FAIL
        return unknown_words(variant, new, 1) or Finding(verdict, "no new noun with a new adjective")

    def doubt(pair: tuple[int, int]) -> tuple:
        i, j = pair
        return not is_noun(lists, variant, i), abs(i - j), precedes_noun(lists, variant[i])

    i, j = min(pairs, key=doubt)
    noun = Marked((Evidence(1, i, variant[i].nouns or variant[i].readings),), noun_values(lists, variant, i))
    beside = [i - 1] * (not variant[i - 1].nouns) + [i + 1]
    if j > i and joins(lists, variant[min(j + 1, len(variant) - 1)]):  # "claire et précise"
        beside.append(j + 2)
    marked = [
        Marked((Evidence(1, k, variant[k].adjectives),), adjective_values(lists, variant, k))
        for k in (j, *(k for k in beside if k in adjectives and k != j))
    ]
    k = determiner_before(lists, variant, i if variant[i].adjectives else min(i, j))  # "las graves problemas"
    if k is not None:
        evidence = (Evidence(1, k, variant[k].readings),)
        marked.append(Marked(evidence, determiner_values(lists, variant[k], variant[k + 1])))
    shown = {feature for word in (noun, *marked) for feature, values in word.values.items() if len(values) == 1}
    least = min(marked, key=lambda adjective: sum(noun.goes_with(adjective, feature) for feature in noun.values))
    return _showing(shown, noun), _showing(shown, least)


def _showing(shown: set[str], word: Marked) -> Marked:
    """The word without the features that nothing in its phrase shows: "jeunes touristes" has no gender."""
    return word._replace(values={feature: values for feature, values in word.values.items() if feature in shown})


def _in_one_phrase(lists: WordLists, sentence: list[Word], i: int, j: int) -> bool:
    """Does what stands between the noun at i and the adjective at j leave them together?

    Before the noun these are other adjectives; after it also complements ("chercheurs en biologie réputés") and what
    makes the adjective a predicate ("chercheurs qui sont fous").
    """
    if j < i:
        return all(word.adjectives or word.skippable or joins(lists, word) for word in sentence[j + 1 : i])
    if sentence[j - 1].form in lists.prepositions - lists.of:
        return False  # "sous couvert de"
    return all(
        any((word.adjectives, word.nouns, word.skippable, word.determiner is not None, word.auxiliary == BE))
        or joins(lists, word)
        or word.form in lists.prepositions
        or word.form in lists.subordinators
        for word in sentence[i + 1 : j]
    )


def joins(lists: WordLists, word: Word) -> bool:
    return word.form in lists.coordinators or word.form in lists.commas


# ---- Test C: the adjective that varies ----


def find_varying_adjective(lists: WordLists, sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """The first adjective that another sentence of the group lacks."""
    candidates = (
        [i for i in new if is_adjective(lists, sentence, i)]
        or [i for i in new if is_adjective(lists, sentence, i, of_state=True)]
        or [i for i in new if i and "K" in sentence[i].moods and is_noun(lists, sentence, i - 1)]  # "uma voz embargada"
    )
    if not candidates:
        return nothing_varies(sentence, new, "adjective", side)
    i = min(candidates, key=lambda i: bool(sentence[i].nouns) and is_noun(lists, sentence, i))
    values = _values_with_noun(lists, sentence, new, i)
    shown = {feature: own for feature, own in values.items() if own}
    return Marked((Evidence(side, i, sentence[i].adjectives),), shown)


def _values_with_noun(lists: WordLists, sentence: list[Word], new: list[int], i: int) -> dict[str, frozenset]:
    """Values of the adjective at i; where it shows several or none, those of its noun if that varies, too.

    The noun stands beside it, or is the subject before être: "le texte est absurde".
    """
    values, j = adjective_values(lists, sentence, i), i - 1
    while j > 0 and (sentence[j].auxiliary == BE or sentence[j].skippable and not sentence[j].nouns):
        j -= 1
    beside = (k for k in (j, i + 1) if k in new and sentence[k].form not in lists.shades)
    noun = next((k for k in beside if is_noun(lists, sentence, k)), None)
    if noun is None:
        return values
    shown = noun_values(lists, sentence, noun)
    return {feature: (own & shown[feature] if own else shown[feature]) or own for feature, own in values.items()}
