"""What the tests about nouns look for: a plural (A), noun phrases, antecedents (B), the adjective that varies (C)."""

from .grammar import (
    is_determiner,
    is_noun,
    is_partitive,
    is_pronoun,
    noun_values,
    numbers_of,
    precedes_noun,
)
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
from .wordlists import WordLists
from .words import CATEGORIES, Word, features

NEAR = 10  # words between a noun and its adjective

# ---- Test A: a new plural ----


def find_plural_noun(lists: WordLists, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A new noun in the plural, or a new plural determiner before a noun that shows none ("le pays", "les pays")."""
    nouns = [i for i in new if is_noun(lists, variant, i)]
    determined = {j for j in (_determined_noun(lists, variant, i) for i in new) if j is not None} - set(nouns)
    for i in (*nouns, *(j for j in sorted(determined) if _shows_no_number(variant[j]))):
        if "p" in numbers_of(lists, variant, i) and (i in nouns or "s" not in numbers_of(lists, variant, i)):
            shown = tuple(r for r in variant[i].nouns if features(r.features).numbers != {"s"})
            return Finding(
                PASS, NEW_WORD if i in nouns else "plural determiner of *{0.form}*", (Evidence(1, i, shown),)
            )
    plurals = [i for i in sorted(determined) if any((variant[j].determiner or "").endswith("p") for j in new if j < i)]
    return not_found(variant, new, "noun", [Evidence(1, i, variant[i].nouns) for i in (*nouns, *plurals)])


def _shows_no_number(word: Word) -> bool:
    return any(not features(r.features).numbers for r in word.nouns)


def _determined_noun(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the noun that the determiner or adjective at i stands before."""
    if not (is_determiner(lists, sentence, i) or precedes_noun(lists, sentence[i]) or sentence[i].form in lists.of):
        return None
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
    """The new adjective and the new noun nearest each other, two different words."""
    nouns = [i for i in new if variant[i].nouns and (not variant[i].auxiliary or is_noun(lists, variant, i))]
    adjectives = {i for i in new if variant[i].adjectives}
    near = [(i, j) for i in nouns for j in range(i - NEAR, i + NEAR + 1) if i != j and j in adjectives]
    pairs = near or [(i, j) for i in nouns[:NEAR] for j in sorted(adjectives)[:NEAR] if i != j]
    if not pairs:
        return not_found(variant, new, "noun with a new adjective", [])
    i, j = min(pairs, key=lambda pair: _unlikeliness(lists, variant, *pair))
    return (
        Marked((Evidence(1, i, variant[i].nouns),), noun_values(lists, variant, i)),
        Marked((Evidence(1, j, variant[j].adjectives),), variant[j].adjective_values),
    )


def _unlikeliness(lists: WordLists, sentence: list[Word], i: int, j: int) -> tuple:
    """How far the words at i and j are from being a noun and its adjective."""
    noun, adjective = sentence[i], sentence[j]
    before_nouns = any(r.lemma in lists.adjectives_before_nouns for r in noun.adjectives)
    # As a noun it has a gender, as an adjective none: "maison".
    rather_noun = bool(adjective.nouns and adjective.noun_values["gender"]) and not adjective.adjective_values["gender"]
    doubt = bool(noun.adjectives) + bool(adjective.nouns) + 2 * before_nouns + 2 * rather_noun
    return not is_noun(lists, sentence, i), abs(i - j), doubt, i, j


def find_antecedents(lists: WordLists, base: list[Word], variant: list[Word]) -> tuple:
    """In each sentence what `_find_antecedent` gives: the noun that the other one lacks, and the pronouns after it."""
    if base == variant:
        return (Finding(FAIL, "base and variant are translated alike"),) * 2
    return (
        _find_antecedent(lists, base, new_positions(variant, base), 0),
        _find_antecedent(lists, variant, new_positions(base, variant), 1),
    )


def _find_antecedent(
    lists: WordLists, sentence: list[Word], new: list[int], side: int
) -> Finding | tuple[Marked, list[Marked]]:
    """The leftmost new noun, and the pronouns after it that may take up a noun."""
    noun = next((i for i in new if is_noun(lists, sentence, i)), None)
    if noun is None:
        return unknown_words(sentence, new, side) or Finding(REJECTED, "no new noun")
    values = noun_values(lists, sentence, noun)
    pronouns = []
    for i in range(noun + 1, len(sentence)):
        if _takes_up_a_noun(lists, sentence, i):
            found = features(lists.pronouns[sentence[i].form])
            readings = tuple(r for r in sentence[i].readings if CATEGORIES.get(r.category) == "pronoun")
            evidence = (Evidence(side, i, readings),)
            pronouns.append(Marked(evidence, {"gender": found.genders, "number": found.numbers}))
    return Marked((Evidence(side, noun, sentence[noun].nouns),), values), pronouns


def _takes_up_a_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a pronoun of the third person that may refer to a noun?"""
    form = sentence[i].form
    if form in lists.articles_or_pronouns:
        return is_pronoun(lists, sentence, i)
    if form in lists.prepositions_or_pronouns:
        return is_partitive(lists, sentence, i)
    if form == lists.there:
        return i + 1 < len(sentence) and sentence[i + 1].auxiliary != lists.have  # not "il y a"
    return form in lists.pronouns and not (form in lists.impersonal_subjects and _is_impersonal(lists, sentence, i))


def _is_impersonal(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is il at i that of "il faut", "il y a", "il s'agit de", "il semble que"?"""
    if sentence[i].form[0] == "-":  # "faut-il", "y a-t-il"
        verb = i - 1
    else:
        after = range(i + 1, min(i + 5, len(sentence)))
        verb = next((j for j in after if sentence[j].verbs and not sentence[j].function), -1)
    if verb < 0:
        return False
    lemmas = {r.lemma for r in sentence[verb].verbs}
    before = sentence[verb - 1].form if verb else ""
    complement = next((word for word in sentence[max(verb, i) + 1 :] if not word.passable), None)
    clause = complement is not None and (complement.form in lists.that | lists.of or "W" in complement.moods)
    return (
        not lemmas.isdisjoint(lists.impersonal_verbs)
        or before == lists.there
        and sentence[verb].auxiliary == lists.have
        or before == lists.impersonal_reflexive
        and not lemmas.isdisjoint(lists.impersonal_reflexive_verbs)
        or clause
        and not lemmas.isdisjoint(lists.impersonal_before_a_clause)
    )


# ---- Test C: the adjective that varies ----


def find_varying_adjective(lists: WordLists, sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """The first adjective that another sentence of the group lacks."""
    candidates = [i for i in new if sentence[i].adjectives]
    if not candidates:
        return nothing_varies(sentence, new, side)
    i = min(candidates, key=lambda i: (bool(sentence[i].nouns) and is_noun(lists, sentence, i), i))
    return Marked((Evidence(side, i, sentence[i].adjectives),), sentence[i].adjective_values)
