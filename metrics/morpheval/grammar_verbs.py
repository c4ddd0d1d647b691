"""Verbs with their auxiliaries: which governs which, over what, and the tense, person and number of all together.

All functions take the word lists of the language first (`WordLists`), then a sentence as a list of `Word`.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from .language_lists import WordLists
from .lexicon import Reading
from .verdicts import Evidence, Marked
from .words import FINITE, Word, features, finite_values

REACH = 12  # words between an auxiliary and what it governs; keeps long sentences fast

# ---- What governs what ----


class Search(NamedTuple):
    """How a verb's companion is looked for.

    Attributes:
        step: -1 before the verb, 1 after it.
        wanted: wanted(lists, word) says whether a word is one.
        skippable: skippable(lists, word) says whether a word may stand between.
        phrases: may a phrase with a preposition stand between? With the verb of going it is where one goes.
    """

    step: int
    wanted: Callable
    skippable: Callable
    phrases: bool = True


def _nearest(lists: WordLists, sentence: list[Word], i: int, search: Search) -> int | None:
    """The nearest wanted word, if all between it and i is skippable or an insertion."""
    step, wanted, skippable, phrases = search
    comma, j = False, i + step
    for _ in range(REACH):
        if not 0 <= j < len(sentence):
            return None
        word = sentence[j]
        if wanted(lists, word):
            return j
        comma = comma or word.form in lists.commas
        if not skippable(lists, word) and not _restricts(lists, sentence, j):
            end = _phrase_end(lists, sentence, j, step) if phrases else None
            if end is None and comma:  # "a, à vrai dire, jamais parlé"
                beyond = range(j + step, j + step * REACH, step)
                end = next((k for k in beyond if 0 <= k < len(sentence) and sentence[k].form in lists.commas), None)
                comma = False
            if end is None:
                return None
            j = end
        j += step
    return None


def _restricts(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is que at i that of "n'a que rarement parlé"?"""
    return sentence[i].form in lists.that and i + 1 < len(sentence) and sentence[i + 1].skippable


def _phrase_end(lists: WordLists, sentence: list[Word], i: int, step: int) -> int | None:
    """The other end of a short phrase with a preposition that has one end at i: "à plusieurs reprises"."""
    opens = sentence[i].form in lists.phrase_prepositions
    closes = sentence[i].nouns or sentence[i].is_name or sentence[i].determiner is not None
    if not (opens if step > 0 else closes):
        return None
    for j in range(i + step, i + 5 * step, step):
        if not 0 <= j < len(sentence):
            return None
        word = sentence[j]
        if word.nouns or word.is_name if opens else word.form in lists.phrase_prepositions:
            return j
        if word.determiner is None and not word.adjectives:
            return j - step if opens else None  # "ai supplementari, alle 4"
    return None


def phrase_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position where a short phrase with a preposition begins that ends at i: "per anni"."""
    return _phrase_end(lists, sentence, i, -1)


def is_going(lists: WordLists, word: Word, mood: str = "P") -> bool:
    """Is it a present of the verb of going, or in the other mood?"""
    return any(r.lemma in lists.go and mood in r.features for r in word.verbs)


def _before_gerund(lists: WordLists, word: Word) -> bool:
    return any(r.lemma in lists.before_gerunds for r in word.verbs)


def _in_near_future(lists: WordLists, word: Word) -> bool:
    """May the word stand between go and its infinitive? After go the subject may, where more marks the infinitive."""
    subject = lists.before_infinitives and (word.is_name or word.form in lists.subjects)
    return bool(subject) or word.skippable or word.form in lists.clitics or word.form in lists.before_infinitives


def _skippable(_lists: WordLists, word: Word) -> bool:
    return word.skippable


def _or_coordinated(mood: str, skippable: Callable = _skippable) -> Callable:
    """Skippable is also another verb form in the mood with its conjunction: "a mangé et bu"."""
    return lambda lists, word: skippable(lists, word) or word.form in lists.coordinators or mood in word.moods


AUXILIARY = Search(
    -1, lambda _, word: word.auxiliary, _or_coordinated("K", lambda _, word: word.skippable or word.form == ",")
)
PARTICIPLE_AFTER = Search(1, lambda _, word: "K" in word.moods and not word.function, _skippable)
GOING = {
    mood: Search(-1, partial(is_going, mood=mood), _or_coordinated("W", _in_near_future), phrases=False)
    for mood in ("P", "I")
}
INFINITIVE = Search(1, lambda _, word: "W" in word.moods, _in_near_future, phrases=False)
MODAL = Search(-1, lambda _, word: bool(word.moods & FINITE), _in_near_future, phrases=False)
GERUND_HEAD = Search(-1, _before_gerund, _or_coordinated("G"))


def auxiliary_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the form of avoir or être that governs the participle at i, over adverbs and other participles."""
    return _nearest(lists, sentence, i, AUXILIARY)


def has_auxiliary(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i the participle of an auxiliary: "haya visto", though visto is also of vestir?"""
    return "K" in sentence[i].moods and auxiliary_before(lists, sentence, i) is not None


def participle_after(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the participle that the auxiliary at i governs."""
    return _nearest(lists, sentence, i, PARTICIPLE_AFTER)


def going_before(lists: WordLists, sentence: list[Word], i: int, mood: str = "P") -> int | None:
    """Position of the present of aller that makes the infinitive at i a future, over adverbs and clitics.

    In the imperfect, mood I, it makes the future of a past.
    """
    return _nearest(lists, sentence, i, GOING[mood])


def infinitive_after(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the infinitive that the form of aller at i governs."""
    return _nearest(lists, sentence, i, INFINITIVE)


def modal_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the finite verb that governs the infinitive at i: "peux le prendre"."""
    return _nearest(lists, sentence, i, MODAL)


# ---- The values of all together ----


def verb_group(lists: WordLists, sentence: list[Word], i: int, side: int = 1) -> Marked:
    """The verb at i with its auxiliaries: "a mangé" has the person of "a" and tense P+K, "va manger" the tense F."""
    parts, compound, future = [_main_verb(lists, sentence, i)], "", False
    while not future:
        word = sentence[parts[-1]]
        head = auxiliary_before(lists, sentence, parts[-1]) if "K" in word.moods else None
        if head is not None:
            compound += "+K" * is_compound(lists, sentence, head, parts[-1])
        elif "G" in word.moods and lists.before_gerunds:
            head = _nearest(lists, sentence, parts[-1], GERUND_HEAD)
        elif "W" in word.moods:
            head = going_before(lists, sentence, parts[-1])
            future = head is not None
        if head is None:
            break
        parts.append(head)
    first = sentence[parts[-1]]
    values = with_subject(lists, sentence, parts[-1])
    if len(parts) > 1:
        values = values | _with_participle(first, sentence[parts[0]])
    by_tense = {("F" if future else mood) + compound: _in_mood(first, mood, values) for mood in values["tense"]}
    values = values | {"tense": frozenset(by_tense)}
    if lists.drops_subjects and len(parts) == 1 and "Y" in first.moods:  # "inserta y pulse" can only be commands
        by_tense["Y"] = first.values_by_mood["Y"]
    return Marked(tuple(Evidence(side, j, sentence[j].verbs) for j in sorted(parts)), values, by_tense)


def _main_verb(lists: WordLists, sentence: list[Word], i: int) -> int:
    """Position of the verb that the auxiliary at i stands for in the end; i of any other verb."""
    while True:
        word = sentence[i]
        step = participle_after(lists, sentence, i) if word.auxiliary else None
        if step is None and is_going(lists, word):
            step = infinitive_after(lists, sentence, i)
        if step is None:
            return i
        i = step


def _in_mood(word: Word, mood: str, values: dict[str, frozenset]) -> dict[str, frozenset]:
    """Persons and numbers of the word in one mood, of those that it has here."""
    shown = word.values_by_mood[mood]
    return {feature: shown[feature] & values[feature] or values[feature] for feature in ("person", "number")}


def _with_participle(auxiliary: Word, participle: Word) -> dict[str, frozenset]:
    """Person and number of those readings of an auxiliary that agree with its participle: "sono cambiate"."""
    if "K" not in participle.moods:
        return {}
    numbers = participle.values_by_mood["K"]["number"]
    readings = tuple(r for r in auxiliary.finite_verbs if not numbers.isdisjoint(features(r.features).numbers))
    if not readings:
        return {}
    return {feature: finite_values(readings)[feature] for feature in ("person", "number")}


def _is_imperative(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does an imperative at i open the sentence, or stand after a conjunction in one that an imperative opens?

    Where subjects are dropped, "come" is a present.
    """
    if lists.drops_subjects:
        return False
    if "Y" not in sentence[i].moods or i and sentence[i - 1].form not in lists.coordinators:
        return False
    if i:
        return _is_imperative(lists, sentence, 0)
    return len(sentence) == 1 or sentence[1].form not in lists.inverted_subjects


def with_subject(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Values of the verb at i, of those that its form admits the ones of the pronoun before it: "je dors, se lave"."""
    if _is_imperative(lists, sentence, i):
        return finite_values(in_moods(sentence[i].verbs, frozenset("Y")))
    values, j = sentence[i].finite_values, i - 1
    if j >= 0 and lists.reflexives.get(sentence[j].form) == "3":
        values = values | {"person": values["person"] & frozenset("3") or values["person"]}
    while j >= 0:
        form = sentence[j].form
        subject = features(lists.subject_persons.get(form, ""))
        if subject.persons & values["person"]:
            numbers = values["number"] & subject.numbers or values["number"]
            return values | {"person": values["person"] & subject.persons, "number": numbers}
        if form not in lists.clitics and form not in lists.negative_particles:
            break
        j -= 1
    return values


def is_compound(lists: WordLists, sentence: list[Word], head: int, main: int) -> bool:
    """Do they make a compound tense, no passive: with avoir, and with être for some verbs and reflexive ones?"""
    if sentence[head].auxiliary == lists.have:
        return True
    return any(r.lemma in lists.verbs_with_be for r in sentence[main].verbs) or _is_reflexive(lists, sentence, head)


def _is_reflexive(lists: WordLists, sentence: list[Word], head: int) -> bool:
    """Is the form of être at head that of a reflexive verb: "s'est", "me suis", "nous nous sommes"?"""
    i = head - 1
    while i > 0 and sentence[i].form in lists.adverbial_clitics:  # "s'en est souvenu"
        i -= 1
    before = sentence[i].form if i >= 0 else ""
    if before in lists.doubled_reflexives:
        return i > 0 and sentence[i - 1].form == before
    person = lists.reflexives.get(before)
    return person is not None and any(person in r.features for r in sentence[head].verbs)


def in_moods(readings: tuple[Reading, ...], moods: frozenset) -> tuple[Reading, ...]:
    return tuple(r for r in readings if features(r.features).moods & moods)
