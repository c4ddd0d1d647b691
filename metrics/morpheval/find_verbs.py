"""What the tests about verbs look for: tenses and moods (A), coordinated verbs (B), the verb that varies (C)."""

import re
from bisect import bisect
from collections.abc import Callable
from functools import partial

from .grammar_classes import is_determiner, is_finite, is_verb
from .grammar_verbs import (
    auxiliary_before,
    going_before,
    has_auxiliary,
    in_moods,
    infinitive_after,
    is_compound,
    is_going,
    modal_before,
    participle_after,
    verb_group,
    was_going_before,
    with_subject,
)
from .language_lists import WordLists
from .lexicon import Reading
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
from .words import BARE, FINITE, PARTICIPLE, PRESENT, Sentence, Word, features

OF_PASTS = frozenset("PSTIJ")  # what auxiliaries of a past are in
PERFECT = re.compile(r"\b(has|have)\b|'(s|ve)\b", re.IGNORECASE)  # in English
NEAREST_VERBS = 5  # how many verbs before a conjunction may be the first of the pair

# ---- Test A: a new verb in a tense or mood ----


def find_tense(
    lists: WordLists, moods: str, periphrasis: Callable | None, base: Sentence, variant: Sentence, new: list[int]
) -> Finding:
    """A new verb in one of the moods, or a new compound tense that ``periphrasis`` accepts."""

    def found_in(sentence: list[Word], i: int, other: list[Word]) -> Finding | None:
        readings = _readings_here(lists, other, sentence, i)
        shown = in_moods(readings, wanted)
        if shown and not in_moods(readings, PRESENT) or in_moods(shown, frozenset("I")):
            return Finding(PASS, NEW_WORD, (Evidence(1, i, shown),))
        return periphrasis(lists, sentence, i) if periphrasis else None

    def all_in(sentence: list[Word], positions: list[int], other: list[Word]) -> list[Finding]:
        governed = {
            i for i in positions if "K" in sentence[i].moods and auxiliary_before(lists, sentence, i) in positions
        }
        return list(filter(None, (found_in(sentence, i, other) for i in positions if i not in governed)))

    wanted, verbs = frozenset(moods), [i for i in new if is_verb(lists, variant, i)]
    findings = all_in(variant, verbs, base)
    if findings:
        lost = [i for i in new_positions(variant, base) if is_verb(lists, base, i)]
        heads = (i for i in range(len(variant)) if variant[i].auxiliary)
        set_back = [variant[j] for j in (participle_after(lists, variant, i) for i in heads) if j]
        before = [f for f in all_in(base, lost, variant) if base[f.evidence[-1].position] not in set_back]
        perfect = set_back and PERFECT.search(base.source)  # "has been": "esteve", "tinha estado"
        again = {r.lemma for word in set_back for r in word.verbs} if perfect else set()
        had = [f for f in before if again.isdisjoint(r.lemma for r in base[f.evidence[-1].position].verbs)]
        if len(had) < len(findings):  # "has paralysed", "had paralysed" is a past of a past
            return findings[0]
        return findings[0]._replace(verdict=FAIL, reason="the base has the tense of *{0.form}* too")
    both = None if verbs else find_both_tenses(lists, moods, variant)
    if both:
        return both
    lemmas = {r.lemma for i in new_positions(variant, base) for r in base[i].verbs}
    seen = [
        Evidence(1, i, _readings_here(lists, base, variant, i))
        for i in verbs
        if _is_governed(lists, variant, i) or any(r.lemma in lemmas for r in variant[i].verbs)
    ]
    return not_found(base, variant, new, "verb", partial(is_finite, lists), seen)


def find_both_tenses(lists: WordLists, moods: str, sentence: list[Word]) -> Finding | None:
    """Rejected where the first verb is of the present and of one of the moods: "trabajamos", "il finit"."""
    i = next((i for i in range(len(sentence)) if is_finite(lists, sentence, i)), None)
    if i is None:
        return None
    persons, verbs = with_subject(lists, sentence, i)["person"], sentence[i].verbs
    tenses = {m for r in verbs if persons & features(r.features).persons for m in features(r.features).moods}
    both = tenses & PRESENT and not tenses.isdisjoint(moods)
    return Finding(REJECTED, "*{0.form}* is of both tenses", (Evidence(1, i, verbs),)) if both else None


def _is_governed(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the verb at i finite or a present participle, or an infinitive or participle with what governs it?"""
    return "G" in sentence[i].moods or is_finite(lists, sentence, i) or len(verb_group(lists, sentence, i).evidence) > 1


def _readings_here(lists: WordLists, base: list[Word], sentence: list[Word], i: int) -> tuple[Reading, ...]:
    """The verb readings, those of a verb of the base alone if it is among them: after "voit", "vit" is of voir."""
    readings = sentence[i].verbs
    if not lists.drops_subjects:
        readings = _with_a_subject(lists, sentence, readings)
    lemmas = {r.lemma for other in base for r in other.verbs}
    return tuple(r for r in readings if r.lemma in lemmas) or readings


def _with_a_subject(lists: WordLists, sentence: list[Word], readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Those that are of no first or second person whose pronoun is nowhere: "les invités partis" is no "je partis"."""
    shown = [(r, features(r.features).persons) for r in readings]
    if all(not of_form or "3" in of_form for _, of_form in shown):
        return readings
    pronouns = (features(lists.subjects.get(word.form.lstrip("-"), "")) for word in sentence)
    persons = frozenset("3").union(*(pronoun.persons for pronoun in pronouns))
    return tuple(r for r, of_form in shown if not of_form or of_form & persons) or readings


def compound_past(lists: WordLists, sentence: list[Word], i: int) -> Finding | None:
    """Passé composé or another compound past with the word at i; "il est mangé" is none, "il est parti" is."""
    if "W" in sentence[i].moods and i > 1 and sentence[i - 1].form in lists.of:
        coming = sentence[i - 2]
        if "P" in coming.moods and any(r.lemma == lists.come for r in coming.verbs):
            evidence = Evidence(1, i - 2, coming.verbs), Evidence(1, i, sentence[i].verbs)
            return Finding(PASS, "*{0.form}* with *{1.form}*: recent past", evidence)
    main = i if "K" in sentence[i].moods else participle_after(lists, sentence, i) if sentence[i].auxiliary else None
    head = auxiliary_before(lists, sentence, main) if main is not None else None
    if main is None or head is None or not sentence[head].moods & OF_PASTS:
        return None
    if not is_compound(lists, sentence, head, main):
        return None
    evidence = Evidence(1, head, sentence[head].verbs), Evidence(1, main, in_moods(sentence[main].verbs, PARTICIPLE))
    return Finding(PASS, "*{0.form}* with *{1.form}*: compound past", evidence)


def near_future(lists: WordLists, sentence: list[Word], i: int) -> Finding | None:
    """The present of aller with an infinitive, one of which is at i."""
    head = going_before(lists, sentence, i) if "W" in sentence[i].moods else None
    if head is None:
        return None
    evidence = Evidence(1, head, in_moods(sentence[head].verbs, PRESENT)), Evidence(1, i, sentence[i].verbs)
    return Finding(PASS, "*{0.form}* with *{1.form}*: near future", evidence)


def like_a_conditional(lists: WordLists, sentence: list[Word], i: int) -> Finding | None:
    """What stands for a conditional: the future of a past, and the imperfect subjunctive of some verbs.

    "Dijo que iba a venir", with a conjunction before it; "quisiera", "hubiera venido".
    """
    main = infinitive_after(lists, sentence, i) if is_going(lists, sentence[i], "I") else i
    head = was_going_before(lists, sentence, main) if main is not None and "W" in sentence[main].moods else None
    if main is not None and head is not None and any(word.form in lists.that for word in sentence[:head]):
        going = in_moods(sentence[head].verbs, frozenset("I"))
        evidence = Evidence(1, head, going), Evidence(1, main, sentence[main].verbs)
        return Finding(PASS, "*{0.form}* with *{1.form}*: the future of a past", evidence)
    readings = in_moods(sentence[i].verbs, frozenset("T"))
    shown = tuple(r for r in readings if r.lemma in lists.conditional_subjunctives)
    conditions = (sentence[j:] for j, word in enumerate(sentence) if word.form == lists.elided_if)
    if any("T" in word.moods for clause in conditions for word in clause):  # "se tivesse tempo, apanhava"
        shown = shown or in_moods(sentence[i].verbs, frozenset("I"))
    return Finding(PASS, NEW_WORD, (Evidence(1, i, shown),)) if shown else None


def find_subjunctive(lists: WordLists, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A subjunctive in the clause after que; a form that may be either mood is right, a kept indicative is not."""
    clauses = [i + 1 for i, word in enumerate(variant) if word.form in lists.that]
    negatives = lists.negative_particles or lists.negative_alone
    ne = next((i for i, word in enumerate(variant) if word.form in negatives), 0)
    start = next((i for i in clauses if i > ne), clauses[0] if clauses else None)
    if start is None:
        verbs = [i for i in new if is_finite(lists, variant, i)]  # "personne qui sache"
        readings = [_readings_here(lists, base, variant, i) for i in verbs]
        if not any(in_moods(r, frozenset("ST")) and not in_moods(r, PRESENT) for r in readings):
            return unknown_words(variant, new, 1) or Finding(REJECTED, "no new clause")
        return _judge_subjunctive(lists, base, variant, new, verbs)
    return _judge_subjunctive(lists, base, variant, new, _clause_verb(lists, variant, start))


def _judge_subjunctive(
    lists: WordLists, base: list[Word], variant: list[Word], new: list[int], verbs: list[int]
) -> Finding:
    """Passes if one of the verbs may be a subjunctive."""
    seen = []
    for i in verbs:
        readings = _readings_here(lists, base, variant, i)
        if i not in new:  # "miente", the indicative of the base, is not of mentar
            indicative = {r.lemma for r in in_moods(readings, PRESENT)}
            readings = tuple(r for r in readings if r.lemma in indicative) or readings
        persons = with_subject(lists, variant, i)["person"]
        shown = in_moods(readings, frozenset("ST"))
        shown = tuple(r for r in shown if not persons.isdisjoint(features(r.features).persons))  # "nous sommes"
        if shown:
            return Finding(PASS, "*{0.form}*: {0.reading}", (Evidence(1, i, shown),))
        seen.append(Evidence(1, i, variant[i].finite_verbs))
    if seen:
        return Finding(FAIL, "*{0.form}*: {0.reading}", tuple(seen))
    return not_found(base, variant, new, "verb", partial(is_finite, lists), [])


def _clause_verb(lists: WordLists, sentence: list[Word], start: int) -> list[int]:
    """Position of the first finite verb from start on that is of no relative clause or condition; or none."""
    relative = 0
    for i in range(start, len(sentence)):
        if sentence[i].form in lists.subordinators - {lists.elided_if}:
            relative += 1
        elif is_finite(lists, sentence, i) and not has_auxiliary(lists, sentence, i):
            if not relative:
                return [i]
            relative -= 1
    return []


# ---- Test B: two verbs that must agree ----


def find_coordinated_verbs(
    lists: WordLists, _base: list[Word], variant: list[Word], new: list[int]
) -> Finding | tuple[Marked, Marked]:
    """The verbs on both sides of a conjunction, at least one of the three new; two different verbs."""
    verbs, fresh = [i for i in range(len(variant)) if is_verb(lists, variant, i)], set(new)
    repeated = None
    for conjunctions in (lists.coordinators, (",",)):
        for c in (c for c, word in enumerate(variant) if word.form in conjunctions):
            following = bisect(verbs, c)
            if following in (0, len(verbs)) or fresh.isdisjoint((verbs[following - 1], c, verbs[following])):
                continue
            second = verb_group(lists, variant, verbs[following])
            before = _of_its_clause(lists, variant, verbs[:following], c)
            first = _partner(lists, variant, before[-NEAREST_VERBS:], second)
            if conjunctions == (",",) and _is_finite(first) != _is_finite(second):  # "ayant lu, il sortit"
                continue
            if not _lemmas(variant, first).isdisjoint(_lemmas(variant, second)):
                repeated = repeated or (first.evidence[-1], second.evidence[-1])
                continue
            if _is_bare(second) and (len(first.evidence) > 1 or _lacks_participle(lists, variant, first, second, c)):
                # It shares the auxiliary: "a mangé une pomme et bu"
                return _shown(first), _shown(second._replace(values=first.values))
            if _is_bare(first) and _is_bare(second):
                first, second = _without_person(variant, first), _without_person(variant, second)
            return _shown(first), _shown(second)
    if repeated:
        return Finding(FAIL, "*{0.form}* and *{1.form}* are the same verb", repeated)
    return unknown_words(variant, new, 1) or Finding(REJECTED, "no second verb")


def _lacks_participle(lists: WordLists, sentence: list[Word], first: Marked, second: Marked, c: int) -> bool:
    """Is a participle beside another in no lexicon, but after its auxiliary: "ha pianto e sorriso"?"""
    head, other = first.evidence[0].position, sentence[second.evidence[0].position]
    between = head == c - 2 and not is_determiner(lists, sentence, c - 1)
    return bool(between and sentence[head].auxiliary and "K" in other.moods)


def _of_its_clause(lists: WordLists, sentence: list[Word], verbs: list[int], c: int) -> list[int]:
    """The verbs before the conjunction at c that are not closed off: by the last comma, straight after a verb by que.

    "Les trains, que le maire aime, s'arrêtent et …", "si tout va bien, nous dînons et …", "je sais que tu dors et …".
    """
    closing = {",", *(lists.that if verbs[-1] == c - 1 else ())}
    start = max((i for i in range(c) if sentence[i].form in closing), default=-1)
    return [i for i in verbs if i > start] or verbs


def _partner(lists: WordLists, sentence: list[Word], candidates: list[int], second: Marked) -> Marked:
    """The verb before the conjunction that goes with the one after it best, the nearest of several.

    In "il voit les enfants qui jouent et rit", "rit" goes with "voit"; bare participles and infinitives go with others.
    """
    bare = sentence[second.evidence[-1].position].moods & BARE if _is_bare(second) else frozenset()
    groups = [verb_group(lists, sentence, i) for i in reversed(candidates)]

    def fit(group: Marked) -> tuple | bool:
        if bare:
            return bool(sentence[group.evidence[-1].position].moods & bare)
        return not _is_bare(group), sum(second.goes_with(group, feature) for feature in second.values)

    return max(groups, key=fit)  # the first, which is nearest, of the best


def _is_bare(group: Marked) -> bool:
    """A participle, past or present, or an infinitive without what governs it."""
    return len(group.evidence) == 1 and group.values["tense"] <= BARE


def _is_finite(group: Marked) -> bool:
    """Has it a finite verb: "a lu", not "ayant lu"?"""
    return all(tense[0] in FINITE | {"Y"} for tense in group.values["tense"])


def _lemmas(sentence: list[Word], group: Marked) -> set:
    """Lemmas of a verb group's main verb, which is the last of its words."""
    return {r.lemma for r in sentence[group.evidence[-1].position].verbs}


def _shown(group: Marked) -> Marked:
    """The group with the features that it shows: an infinitive has no person."""
    return group._replace(values={feature: values for feature, values in group.values.items() if values})


def _without_person(sentence: list[Word], group: Marked) -> Marked:
    """An infinitive that may have a person, as one that has none: "fumar"; other groups as they are."""
    if not any(r.features == "W" for r in sentence[group.evidence[0].position].verbs):
        return group
    return group._replace(values={"tense": group.values["tense"]})


# ---- Test C: the verb that varies ----


def find_varying_verb(lists: WordLists, sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """The first verb that another sentence of the group lacks."""
    i = next((i for i in new if is_verb(lists, sentence, i)), None)
    if i is None:
        return nothing_varies(sentence, new, "verb", side)
    group = _shown(verb_group(lists, sentence, i, side))
    group = _without_person(sentence, group) if _is_bare(group) else group
    modal = modal_before(lists, sentence, i) if _is_bare(group) and "W" in sentence[i].moods else None
    if modal is not None and is_verb(lists, sentence, modal):
        governing = verb_group(lists, sentence, modal, side)
        return _shown(governing._replace(evidence=(*governing.evidence, *group.evidence)))
    return group
