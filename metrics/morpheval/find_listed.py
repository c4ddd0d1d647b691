"""What the tests with closed lists look for: a new word of the list, in the right place, or none; nothing to reject."""

import re
from itertools import pairwise

from .grammar_classes import (
    is_adjective,
    is_determiner,
    is_finite,
    is_noun,
    is_only_verb,
    is_partitive,
    is_pronoun,
    is_verb,
)
from .grammar_nouns import determiner_before
from .grammar_verbs import has_auxiliary
from .language_lists import WordLists
from .verdicts import FAIL, PASS, REJECTED, Evidence, Finding, first_of, new_positions, unknown_words
from .words import Sentence, Word

THIRD_PERSONS = ("he", "she", "him", "her", "it")
PLURAL_SUBJECTS = {"we": "1", "they": "3"}
FAR = 6  # words between a superlative and its determiner

NO_NUMBER, STILL_SINGULAR = "*{0.form}* shows no number", "*{0.form}* is singular still"
PLURAL_PRONOUN = "new word *{0.form}*: a plural pronoun"


def find_plural_pronoun(lists: WordLists, base: Sentence, variant: Sentence, new: list[int]) -> Finding:
    """A new plural pronoun, or the plural of a verb whose subject stands for it; one that stays singular fails."""
    plural = (i for i in new if is_plural_pronoun(lists, variant, i))
    kept, singular = _kept_singular(lists, base, variant)
    found = first_of(FAIL, STILL_SINGULAR, variant, singular) or first_of(PASS, PLURAL_PRONOUN, variant, plural)
    if found:
        return found
    dropped = lists.drops_subjects and not kept
    subjects = {p for w, p in PLURAL_SUBJECTS.items() if dropped and _count(variant, w) > _count(base, w)}
    of_verbs = (i for i in new if _is_plural_of_verb(lists, base, variant[i], subjects))
    found = first_of(PASS, "*{0.form}*: the plural of what stands for the pronoun", variant, of_verbs, "finite_verbs")
    found = found or first_of(FAIL, STILL_SINGULAR, variant, kept)
    if not found and any(_count(base, person) > _count(variant, person) for person in ("him", "her")):
        datives = (i for i in range(len(variant)) if _is_numberless_dative(lists, variant, i))
        if not any(_is_singular_object(lists, variant, i) for i in new):
            found = first_of(REJECTED, NO_NUMBER, variant, datives)
    lost = [base[i].form for i in new_positions(variant, base) if _is_singular_pronoun(lists, base, i)]
    plurals = {p for form in lost for p in lists.plurals_of_persons.get(form.lstrip("-"), "").split()}
    of_person = (i for i in new if variant[i].form.lstrip("-") in plurals)  # "prendermi", "ci prende"
    found = found or first_of(PASS, PLURAL_PRONOUN, variant, of_person)
    if found:
        return found
    pronouns = lists.pronouns.keys() | lists.plurals_of_persons.keys()
    pronouns |= {f"-{form}" for form in pronouns}
    if lost and new and not any(variant[i].nouns or variant[i].form in pronouns for i in new):
        return Finding(REJECTED, "no new pronoun")  # a noun in its place is a failure
    shown = (lists.pronouns.get(word.form) and _is_singular_pronoun(lists, base, i) for i, word in enumerate(base))
    positions = new if any(shown) and new else range(len(variant))
    joined = [i for i in new if variant[i].unknown and variant[i].form.endswith(tuple(lists.joined_enclitics))]
    if any(base[i].unknown for i in new_positions(variant, base)):
        found = unknown_words(variant, joined, 1)  # "adagiatela", "adagiatele"
    found = found or first_of(REJECTED, NO_NUMBER, variant, (i for i in positions if _is_numberless(lists, variant, i)))
    return found or Finding(FAIL, "no new plural pronoun")


def _is_numberless(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a pronoun that is of one thing or of several: "j'y pense"?"""
    form = sentence[i].form
    if form in lists.articles_or_pronouns:
        return form in lists.numberless_pronouns and is_pronoun(lists, sentence, i)
    alone = form not in lists.prepositions_or_pronouns or is_partitive(lists, sentence, i)
    return form in lists.numberless_pronouns and alone


def _is_numberless_dative(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i se before an object, for le or les: "se lo mandé"?"""
    after = sentence[i + 1].form.lstrip("-") if i + 1 < len(sentence) else ""
    return sentence[i].form.lstrip("-") in lists.numberless_before_objects and after in lists.articles_or_pronouns


def _is_plural_of_verb(lists: WordLists, base: list[Word], word: Word, persons: set[str]) -> bool:
    """Is it the plural of a verb of the base, which shows what subject it has?

    Of any verb in one of the persons, "come, comen", or of one whose subject English has as its object: "me gustan".
    Where the base has none of these persons in the plural, it may be another verb: "caminé, anduvimos".
    """
    plurals = [r for r in word.finite_verbs if "p" in r.features]
    of_base = [set(r.features) for other in base for r in other.finite_verbs]
    if any(persons & set(r.features) for r in plurals) and not any("p" in f and persons & f for f in of_base):
        return True
    lemmas = {r.lemma for r in plurals if persons & set(r.features) or r.lemma in lists.verbs_of_pleasing}
    return any(r.lemma in lemmas and "s" in r.features for other in base for r in other.finite_verbs)


def _is_singular_pronoun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    form = sentence[i].form
    if form in lists.articles_or_pronouns:
        return is_pronoun(lists, sentence, i)
    known = lists.plurals_of_persons, lists.pronouns, lists.reflexives
    return any(form in kind or form.lstrip("-") in kind for kind in known)


def _kept_singular(lists: WordLists, base: Sentence, variant: Sentence) -> tuple[list[int], list[int]]:
    """Singular objects that the base has, too, and what is singular beside a plural: positions in the variant.

    There are none unless English has lost its singular third person. The second are objects beside their own plural,
    "égouttez-le et réservez-les", and where subjects are dropped pronouns that are no clitics: "a él les gusta".
    """
    had, has = (any(_count(sentence, person) for person in THIRD_PERSONS) for sentence in (base, variant))
    if not had or has:
        return [], []
    kept = [i for i, word in enumerate(variant) if word in base and _is_singular_object(lists, variant, i)]
    forms = {word.form.lstrip("-") for word in variant if word not in base}
    beside = [i for i in kept if f"{variant[i].form.lstrip('-')}s" in forms - lists.prepositions]
    persons = (form for form, person in lists.subjects.items() if person == "3s" and form in lists.pronouns)
    stressed = set(persons) - lists.clitics if lists.drops_subjects else ()
    return kept, beside + [i for i, word in enumerate(variant) if word.form in stressed]


def _is_singular_object(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a clitic for one person or thing?"""
    form = sentence[i].form
    clitic = form.lstrip("-") in lists.clitics - lists.subjects.keys()
    return clitic and "s" in lists.pronouns.get(form, "") and _is_singular_pronoun(lists, sentence, i)


def is_plural_pronoun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """A pronoun of the plural."""
    form = sentence[i].form
    if form in lists.articles_or_pronouns:
        return "p" in lists.pronouns.get(form, lists.reflexives.get(form, "")) and is_pronoun(lists, sentence, i)
    plural = "p" in lists.pronouns.get(form, lists.subjects.get(form, ""))
    return plural and not (i and is_determiner(lists, sentence, i - 1))  # "i loro amici"


def is_comparative(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does the word compare here: not the plus of "ne … plus" or "de plus,", nor that of "plus ou moins"?"""
    form, after = sentence[i].form, sentence[i + 1 : i + 3]
    if form not in (lists.more, lists.less):
        return form in lists.comparative_words or form.startswith(tuple(lists.comparative_stems))
    if _ends_denied(lists, sentence, i) or len(after) > 1 and after[0].form in lists.of and after[1].determiner == "p":
        return False  # "plus de 30"
    near = [word.form for word in sentence[max(i - 2, 0) : i + 3]]
    doubled = lists.more in near and lists.less in near  # "plus ou moins"
    return not (doubled or after and after[0].form in lists.one) and not _is_no_longer(lists, sentence, i)  # "mais uma"


def _ends_denied(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does more or less at i end a denied clause, with nothing that it may compare: "no vive más aquí"?"""
    after = sentence[i + 1] if i + 1 < len(sentence) else None
    compared = after is not None and (
        after.adjectives or after.nouns or after.skippable or after.form in lists.that | lists.of
    )
    start = max((j + 1 for j in range(i) if _bounds_clause(lists, sentence[j])), default=0)
    return not compared and any(word.form in lists.negative_alone for word in sentence[start:i])


def _bounds_clause(lists: WordLists, word: Word) -> bool:
    return word.form in lists.that or word.form in ",;:"


def _is_no_longer(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is plus "no longer" here: after ne in its clause, which has no other negative, and not in "plus grand que"?"""
    ne = max((j for j in range(i) if sentence[j].form in lists.negative_particles), default=None)
    if ne is None or any(_bounds_clause(lists, word) for word in sentence[ne:i]):
        return False
    if any(word.form in lists.negatives and word.form != lists.more for word in sentence[ne:]):
        return False
    after = sentence[i + 1 : i + 5]
    compared = bool(after) and bool(after[0].adjectives or after[0].skippable)
    return not (compared and any(word.form in lists.that for word in sentence[i + 2 : i + 5]))


def find_superlative(lists: WordLists, base: Sentence, variant: Sentence, new: list[int]) -> Finding:
    """A comparative after an article or a possessive, one of which is new: "le plus", "mon meilleur"."""
    for i, word in enumerate(variant):
        if i and is_comparative(lists, variant, i):
            determiner = _determiner_of_clause(lists, variant, i) or _determiner_before(lists, variant, i)
            if determiner is not None and (i in new or determiner in new):
                evidence = Evidence(1, determiner, variant[determiner].readings), Evidence(1, i, word.readings)
                return Finding(PASS, "*{0.form}* with *{1.form}*: a superlative", evidence)
    endings = tuple(lists.superlative_endings)
    ending = (i for i in new if variant[i].form.endswith(endings) and not _is_relative(base, variant))
    found = first_of(PASS, "new word *{0.form}*: a superlative by its ending", variant, ending)
    return found or _no_comparison(lists, base, variant, new, "superlative")


def _is_relative(base: Sentence, variant: Sentence) -> bool:
    """Is the English superlative that of a comparison: "the tallest", "the most polite", not "a most polite"?"""
    before, words = (re.findall("[a-z]+", sentence.source.lower()) for sentence in (base, variant))
    new = set(words) - set(before)
    most = {"most", "least"} & new and ("a", "most") not in pairwise(words)
    return bool(most) or any(word.endswith(("est", "worst")) for word in new)


def find_comparative(lists: WordLists, base: Sentence, variant: Sentence, new: list[int]) -> Finding:
    """A new comparative, that no new article makes a superlative where English has none."""
    compared = (i for i in new if is_comparative(lists, variant, i))
    finding = first_of(PASS, "new word *{0.form}*: a comparative", variant, compared)
    if not finding:
        return _no_comparison(lists, base, variant, new, "comparative")
    if _is_made_superlative(lists, base, variant, new, finding.evidence[0].position):
        return finding._replace(verdict=FAIL, reason="*{0.form}* after an article: a superlative")
    return finding


def _is_made_superlative(lists: WordLists, base: Sentence, variant: Sentence, new: list[int], i: int) -> bool:
    """Does a new article make the comparative at i a superlative, without a new one in English (but in "than the …")?

    Before a noun that had one, too, or none, it does not: "la maison la plus petite", "las casas más grandes".
    """
    k = _determiner_before(lists, variant, i)
    before, after = (s.source.lower().partition(" than ")[0].split().count("the") for s in (base, variant))
    if k not in new or after > before:
        return False
    own = determiner_before(lists, variant, i - 2) if k == i - 1 and variant[i - 2].nouns else None
    of_noun = k < i - 1 or own is not None and variant[own] in base and after
    lost = (base[j] for j in new_positions(variant, base))
    return not of_noun or any(w.determiner is not None and not _makes_superlative(lists, w) for w in lost)


def _count(sentence: Sentence, english: str) -> int:
    return sentence.source_words.count(english)


def _no_comparison(lists: WordLists, base: list[Word], variant: list[Word], new: list[int], what: str) -> Finding:
    """Rejected where the compared adjective was reformulated."""
    lost = [i for i in new_positions(variant, base) if is_adjective(lists, base, i) and not is_noun(lists, base, i)]
    lemmas = {r.lemma for i in lost for r in base[i].adjectives}
    kept = any(r.lemma in lemmas for i in new for r in variant[i].adjectives)  # "grave", "graves"
    adjective = any(is_adjective(lists, variant, i) and not is_noun(lists, variant, i) for i in new)
    if lost and not kept and not adjective and not any(is_comparative(lists, variant, i) for i in new):
        return Finding(REJECTED, f"no new adjective, no {what}")
    return Finding(FAIL, f"no new {what}")


def _determiner_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """The determiner straight before i, or with a numeral between: "les deux meilleurs".

    In some languages the noun stands between, with what belongs to it: "la casa de madera más alta".
    """
    after = sentence[i + 1] if i + 1 < len(sentence) else None
    describes = after and (after.adjectives or after.skippable or after.unknown)
    described = sentence[i].form not in (lists.more, lists.less) or describes
    for j in range(i - 1, max(i - FAR, -1), -1):
        word = sentence[j]
        if _makes_superlative(lists, word) and is_determiner(lists, sentence, j):
            return j
        if word.determiner != "p" and not (lists.drops_subjects and described and _is_of_noun(lists, word)):
            return None
    return None


def _determiner_of_clause(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """The determiner of a relative clause that stands for a noun: "el que corre más", "la que más corre"."""
    that = next((j for j in range(i - 1, max(i - FAR, 0), -1) if sentence[j].form in lists.that), 0)
    return that - 1 if that and _makes_superlative(lists, sentence[that - 1]) else None


def _makes_superlative(lists: WordLists, word: Word) -> bool:
    return word.form in lists.superlative_determiners or word.form in lists.contractions


def _is_of_noun(lists: WordLists, word: Word) -> bool:
    """May the word stand between an article and an adjective that belong together?"""
    of_noun = word.nouns or word.adjectives or word.is_name or word.skippable or word.unknown
    return bool(of_noun) or word.form in lists.of | lists.that | lists.prepositions


def find_negation(lists: WordLists, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """ne with a negative, one of which is new; spoken "c'est pas"; ne alone with pouvoir; not "ne … que"."""

    def passes(reason: str, *positions: int) -> Finding:
        return Finding(PASS, reason, tuple(Evidence(1, i, variant[i].readings) for i in positions))

    particles = [i for i, word in enumerate(variant) if word.form in lists.negative_particles]
    for ne in particles:
        negative = _negative_of(lists, variant, ne)
        if negative is not None and (ne in new or negative in new):
            return passes("*{0.form}* … *{1.form}*: a negation", ne, negative)
    for i in new:
        form = variant[i].form
        alone = form in lists.negative_alone and _negates_alone(lists, variant, i)
        alone = alone or form == lists.ever and _is_never(lists, variant, i)
        if alone or form == lists.more and _is_no_longer_spoken(lists, variant, i):
            return passes("new word *{0.form}*: a negation", i)
    for ne in (i for i in particles if i in new):
        verbs = [word for word in variant[ne + 1 :] if word.verbs and not word.function]
        verb = next((word for word in verbs if not word.auxiliary), None)  # "n'a pu"
        if verb is not None and any(r.lemma in lists.verbs_negated_by_particle_alone for r in verb.verbs):
            return passes("new word *{0.form}* with a verb that needs no other negative", ne)
        return passes("new word *{0.form}* without another negative", ne)._replace(verdict=FAIL)
    if _other_verb(lists, base, variant, new) or not any(is_verb(lists, variant, i) for i in range(len(variant))):
        return Finding(REJECTED, "another verb or none, no new negation")
    return Finding(FAIL, "no new negation")


def _other_verb(lists: WordLists, base: list[Word], variant: list[Word], new: list[int]) -> bool:
    """Has the verb of a base without negation given way to another one, and no other word: "sait", "ignore"?"""
    lost = new_positions(variant, base)
    negative = lists.negative_particles | lists.negative_alone
    if len(lost) != 1 or len(new) != 1 or any(word.form in negative for word in base):
        return False
    before, after = base[lost[0]], variant[new[0]]
    if after.function or not (_makes_clause(lists, base, lost[0]) and _makes_clause(lists, variant, new[0])):
        return False
    return {r.lemma for r in before.verbs}.isdisjoint(r.lemma for r in after.verbs)


def _makes_clause(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a finite verb, or a participle with an auxiliary?"""
    return has_auxiliary(lists, sentence, i) or is_finite(lists, sentence, i)


def _negative_of(lists: WordLists, sentence: list[Word], ne: int) -> int | None:
    """Position of the negative that goes with ne: after it, before any que; or as a subject ("personne ne vient")."""
    for i in range(ne + 1, len(sentence)):
        following = sentence[i + 1].form if i + 1 < len(sentence) else ""
        if sentence[i].form in lists.negatives and not (sentence[i].form == lists.more and following in lists.that):
            return i
        if sentence[i].form in lists.that:
            break
    return None


def _is_never(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is jamais at i "never" without ne: not in a subordinate clause ("si jamais"), nor after a verb in a question?

    Where negatives have no particle, not after a verb at all: "rispondono mai".
    """
    if any(word.form in lists.subordinators - {lists.elided_if} for word in sentence[:i]):
        return False
    ever = not lists.negative_particles or any(word.form == "?" for word in sentence[i:])
    return not (ever and any(is_finite(lists, sentence, j) for j in range(i)))


def _is_no_longer_spoken(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is plus at i "no longer" without ne, with nothing that it may compare: "j'ai plus faim"?"""
    if not (lists.negative_particles and i < len(sentence) - 1):
        return False
    after = sentence[i + 1]
    compares = after.adjectives or after.skippable and not after.function or after.form in lists.of
    return not compares and not any(word.form in lists.that for word in sentence[i:])


def _negates_alone(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a negation without ne: "c'est pas vrai", "non membre"; not "un pas", "non, il vient"?"""
    if i and is_determiner(lists, sentence, i - 1) and sentence[i - 1].determiner:  # not "por qué no"
        return False
    near = range(max(i - FAR, 0), i - 1) if i and sentence[i - 1].form in lists.that else ()
    if any(is_comparative(lists, sentence, j) for j in near):  # "better than anybody"
        return False
    after = sentence[i + 1].form if i + 1 < len(sentence) else ""
    if f"{sentence[i].form}_{after}" in lists.idle_negatives:
        return False
    if is_finite(lists, sentence, i) and is_only_verb(lists, sentence, i):
        return False  # "la niña nada"
    answers = i and sentence[i - 1].form in lists.that | lists.of  # "creo que no"
    ends = lists.drops_subjects and i and sentence[i - 1].form not in lists.coordinators | lists.commas  # "gostei não"
    goes_on = any(word.form == "?" or is_finite(lists, sentence, j) for j, word in enumerate(sentence) if j > i)
    return sentence[i].form != lists.no or bool(answers) or after[:1].isalpha() or bool(ends and not goes_on)
