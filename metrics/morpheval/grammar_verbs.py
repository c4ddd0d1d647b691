"""Verbs with their auxiliaries: which governs which, over what, and the tense, person and number of all together.

All functions take the word lists of the language first (`WordLists`), then a sentence as a list of `Word`.
"""

from collections.abc import Callable
from functools import partial

from .language_lists import WordLists
from .lexicon import Reading
from .verdicts import Evidence, Marked
from .words import FINITE, HAVE, Word, features, finite_values

REACH = 12  # words between an auxiliary and what it governs; keeps long sentences fast

# ---- What governs what ----


def _nearest(
    step: int, wanted: Callable, skippable: Callable, lists: WordLists, sentence: list[Word], i: int
) -> int | None:
    """The nearest wanted word before i (step -1) or after it (1), if all between is skippable or an insertion.

    wanted(lists, word) and skippable(lists, word) say whether it is one, and whether it may stand between.
    """
    comma, j = False, i + step
    for _ in range(REACH):
        if not 0 <= j < len(sentence):
            return None
        word = sentence[j]
        if wanted(lists, word):
            return j
        comma = comma or word.form in lists.commas
        if not skippable(lists, word):
            if not comma:
                return None
            beyond = range(j + step, j + step * REACH, step)  # "a, à vrai dire, jamais parlé"
            end = next((k for k in beyond if 0 <= k < len(sentence) and sentence[k].form in lists.commas), None)
            if end is None:
                return None
            j, comma = end, False
        j += step
    return None


def is_going(lists: WordLists, word: Word, mood: str = "P") -> bool:
    """Is it a present of the verb of going, or in the other mood?"""
    return any(r.lemma in lists.go and mood in r.features for r in word.verbs)


def _in_near_future(lists: WordLists, word: Word) -> bool:
    """May the word stand between go and its infinitive? After go the subject may, where more marks the infinitive."""
    subject = lists.before_infinitives and (word.is_name or word.form in lists.subjects)
    return bool(subject) or word.skippable or word.form in lists.clitics or word.form in lists.before_infinitives


def _skippable(_lists: WordLists, word: Word) -> bool:
    return word.skippable


def _or_coordinated(mood: str, skippable: Callable = _skippable) -> Callable:
    """Skippable is also another verb form in the mood with its conjunction: "a mangé et bu"."""
    return lambda lists, word: skippable(lists, word) or word.form in lists.coordinators or mood in word.moods


# Each gives the position of a word for (lists, sentence, i), None if there is none.
# of the form of have or be that governs the participle at i, over adverbs and other participles
auxiliary_before = partial(
    _nearest,
    -1,
    lambda _, word: word.auxiliary,
    _or_coordinated("K", lambda _, word: word.skippable or word.form == ","),
)
# of the participle that the auxiliary at i governs
participle_after = partial(_nearest, 1, lambda _, word: "K" in word.moods and not word.function, _skippable)
# of the present of aller that makes the infinitive at i a future, of its imperfect that makes it the future of a past
going_before = partial(_nearest, -1, is_going, _or_coordinated("W", _in_near_future))
was_going_before = partial(_nearest, -1, partial(is_going, mood="I"), _or_coordinated("W", _in_near_future))
# of the infinitive that the form of aller at i governs, and of the finite verb that governs the infinitive at i
infinitive_after = partial(_nearest, 1, lambda _, word: "W" in word.moods, _in_near_future)
modal_before = partial(_nearest, -1, lambda _, word: bool(word.moods & FINITE), _in_near_future)
_gerund_head_before = partial(
    _nearest, -1, lambda lists, word: any(r.lemma in lists.before_gerunds for r in word.verbs), _or_coordinated("G")
)


def has_auxiliary(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i the participle of an auxiliary: "haya visto", though visto is also of vestir?"""
    return "K" in sentence[i].moods and auxiliary_before(lists, sentence, i) is not None


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
            head = _gerund_head_before(lists, sentence, parts[-1])
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


def with_subject(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Values of the verb at i, of those that its form admits the ones of the pronoun before it: "je dors, se lave"."""
    values, j = sentence[i].finite_values, i - 1
    if j >= 0 and lists.reflexives.get(sentence[j].form) == "3":
        values = values | {"person": values["person"] & frozenset("3") or values["person"]}
    while j >= 0:
        form = sentence[j].form
        subject = features(lists.subjects.get(form, ""))
        if subject.persons & values["person"]:
            numbers = values["number"] & subject.numbers or values["number"]
            return values | {"person": values["person"] & subject.persons, "number": numbers}
        if form not in lists.clitics and form not in lists.negative_particles:
            break
        j -= 1
    return values


def is_compound(lists: WordLists, sentence: list[Word], head: int, main: int) -> bool:
    """Do they make a compound tense, no passive: with avoir, and with être for some verbs and reflexive ones?"""
    if sentence[head].auxiliary == HAVE:
        return True
    return any(r.lemma in lists.verbs_with_be for r in sentence[main].verbs) or _is_reflexive(lists, sentence, head)


def _is_reflexive(lists: WordLists, sentence: list[Word], head: int) -> bool:
    """Is the form of être at head that of a reflexive verb: "s'est", "me suis", "nous nous sommes"?"""
    i = head - 1
    while i > 0 and sentence[i].form in lists.clitics - lists.reflexives.keys():  # "s'en est souvenu"
        i -= 1
    before = sentence[i].form if i >= 0 else ""
    if before in lists.subjects:  # "nous nous sommes"
        return i > 0 and sentence[i - 1].form == before
    person = lists.reflexives.get(before)
    return person is not None and any(person in r.features for r in sentence[head].verbs)


def in_moods(readings: tuple[Reading, ...], moods: frozenset) -> tuple[Reading, ...]:
    return tuple(r for r in readings if features(r.features).moods & moods)
