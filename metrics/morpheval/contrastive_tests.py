"""The contrastive tests of Burlot and Yvon (2018, sections 3.2 to 3.4) as one table, and how each kind is judged.

A language gives the functions that find words (`verdicts.Rules`: what is a past, where is the antecedent); this module
says what is compared with what, and is the same for all languages. An empty translation is a failed one: with it a
group fails tests A and B (of coref that side), and in test C it agrees with no other.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from .verdicts import EMPTY, FAIL, PASS, REJECTED, Apart, Finding, Marked, new_positions, varying_positions


class Judgement(NamedTuple):
    """What a test says of one group.

    Attributes:
        verdict: "pass", "fail" or "rejected"; a list of two for tests on both sides; the entropy, or "rejected", for C.
        findings: the reasons: one for tests A, one per side for tests B on both sides, one for C.
        outcomes: what counts: 1.0 or 0.0 per judged translation, the group's entropy for C; None where rejected.
    """

    verdict: str | list | float
    findings: tuple[Finding, ...]
    outcomes: tuple[float | None, ...]


class Contrast(NamedTuple):
    """One test: its name in results, its set in the paper, its group's size, what is looked for, how it is judged.

    What ``find`` finds in a group is the same for all features of a test ("np:gender", "np:number"); ``weigh`` makes
    the judgement of it.
    """

    name: str
    family: str
    size: int
    sought: str
    find: Callable
    weigh: Callable


def judge_together(contrasts: tuple[Contrast, ...], group: list, finders: dict) -> dict[str, Judgement]:
    """{name: judgement} of contrasts that differ in the feature alone: the words are looked for once."""
    matched = contrasts[0].find(group, finders)
    return {contrast.name: contrast.weigh(matched) for contrast in contrasts}


OUTCOMES = {PASS: 1.0, FAIL: 0.0, REJECTED: None}


def _one(finding: Finding) -> Judgement:
    return Judgement(finding.verdict, (finding,), (OUTCOMES[finding.verdict],))


# ---- How base and variants are compared ----


def find_new(kind: str, group: list, finders: dict) -> Finding | tuple[Marked, Marked]:
    """Tests A and B: something among the new words of the variant."""
    base, variant = group
    if not base or not variant:
        return EMPTY
    return finders[kind](base, variant, new_positions(base, variant))


def find_on_both_sides(kind: str, group: list, finders: dict) -> tuple:
    """Test B on both sides: something in the base and in the variant."""
    return finders[kind](*group)


def find_in_each(kind: str, group: list, finders: dict) -> list:
    """Test C: something among the words of each sentence that another one lacks."""
    sides = [side for side, sentence in enumerate(group) if sentence]
    varying = dict(zip(sides, varying_positions([group[side] for side in sides]), strict=True)) if sides else {}
    return [
        finders[kind](sentence, varying[side], side) if side in varying else Apart(f"empty ({side})")
        for side, sentence in enumerate(group)
    ]


def agree(feature: str, matched: Finding | tuple[Marked, Marked]) -> Judgement:
    """Two words of the variant can have the same value of the feature."""
    if isinstance(matched, Finding):
        return _one(matched)
    findings = [_compare(first, second, feature) for first, second in in_shared_tenses(feature, matched)]
    return _one(next((finding for finding in findings if finding.verdict == PASS), findings[0]))


def in_shared_tenses(feature: str, words: Sequence[Marked]) -> list[Sequence[Marked]]:
    """The verbs in each tense that all may be of, else as they are: "parli" and "mangia" are presents, of two persons.

    "Parli" is also a subjunctive of the third person, "mangia" a command to the second: all tenses at once look alike.
    """
    shared = set.intersection(*(set(word.by_tense) for word in words)) if words and feature != "tense" else set()
    shared = shared - {"Y"} or shared  # commands, where they can be nothing else together
    return [[_in_tense(word, tense, feature) for word in words] for tense in sorted(shared)] or [words]


def _in_tense(verb: Marked, tense: str, feature: str) -> Marked:
    shown = {feature: verb.by_tense[tense][feature]} if feature in verb.values else {}
    return verb._replace(values=verb.values | shown)


def refers(feature: str, sides: Sequence[Finding | tuple[Marked, list[Marked]]]) -> Judgement:
    """In the base and in the variant a pronoun can have the value of its antecedent."""
    findings = tuple(side if isinstance(side, Finding) else _compare_any(*side, feature) for side in sides)
    verdicts = [finding.verdict for finding in findings]
    return Judgement(verdicts, findings, tuple(OUTCOMES[verdict] for verdict in verdicts))


def consistent(feature: str, matched: list) -> Judgement:
    """The entropy of the feature's values over the group, 0 if all sentences can have the same.

    One sentence whose forms cannot tell is left out, and the reason says so; with two the group is rejected.
    """
    unclear = [finding for finding in matched if isinstance(finding, Finding)]
    if len(unclear) > 1:
        return Judgement(REJECTED, (unclear[0],), (None,))
    size, matched = len(matched), [marked for marked in matched if not isinstance(marked, Finding)]
    words = [marked for marked in matched if isinstance(marked, Marked)]
    if words and not any(feature in marked.values for marked in words):
        return Judgement(REJECTED, (Finding(REJECTED, f"no {feature} in *{{0.form}}* …", words[0].evidence),), (None,))
    possible = (_values(feature, same, matched) for same in in_shared_tenses(feature, words))
    entropy, values = min(((normalised_entropy(values, size), values) for values in possible), key=itemgetter(0))
    parts = [() if isinstance(marked, str) else marked.evidence for marked in matched]
    numbers = iter(range(sum(map(len, parts))))
    forms = [
        " ".join(f"{{{next(numbers)}.form}}" for _ in part)
        or (marked.partition(" (")[0] if isinstance(marked, Apart) else "nothing new")
        for part, marked in zip(parts, matched, strict=True)
    ]
    alike = {
        value: [form for form, other in zip(forms, values, strict=True) if other == value]
        for value in dict.fromkeys(values)
    }
    reason = f"{feature}: " + "; ".join(", ".join(f"*{form}*" for form in group) for group in alike.values())
    evidence = tuple(chain.from_iterable(parts))
    for finding in unclear:
        reason += f"; left out: {finding.reason.replace('{0.', f'{{{len(evidence)}.')}"
        evidence += finding.evidence
    return Judgement(entropy, (Finding(PASS, reason, evidence),), (entropy,))


def _values(feature: str, words: Sequence[Marked], matched: list) -> list[str]:
    """One value per sentence: of the words, in the places that they have in the group, or what stands there instead."""
    found = iter(words)
    return resolve([m if isinstance(m, str) else next(found).values.get(feature, frozenset()) for m in matched])


def _compare(first: Marked, second: Marked, feature: str) -> Finding:
    if feature not in first.values and feature not in second.values:
        return Finding(REJECTED, f"*{{0.form}}* shows no {feature}", first.evidence + second.evidence)
    same = first.goes_with(second, feature)
    verb, n = "agree" if same else "do not agree", len(first.evidence)
    named = " and ".join(_named(numbers) for numbers in (range(n), range(n, n + len(second.evidence))))
    return Finding(PASS if same else FAIL, f"{named} {verb} in {feature}", first.evidence + second.evidence)


def _named(numbers: range) -> str:
    """Words of the evidence and what they are, for a reason: "*a mangé* (verb, present + verb, past participle)"."""
    forms, readings = (" ".join(f"{{{i}.form}}" for i in numbers), " + ".join(f"{{{i}.reading}}" for i in numbers))
    return f"*{forms}* ({readings})"


def _compare_any(antecedent: Marked, pronouns: list[Marked], feature: str) -> Finding:
    """Does one of the pronouns agree? Where some agree in the other features, the rest takes up something else.

    One that shows no value of the feature, as *l'*, tells only where none does.
    """
    pronouns = [pronoun for pronoun in pronouns if feature in pronoun.values]
    pronouns = [pronoun for pronoun in pronouns if pronoun.values[feature]] or pronouns
    if not pronouns:
        return Finding(REJECTED, f"nothing after *{{0.form}}* shows the {feature} of a pronoun", antecedent.evidence)
    others = antecedent.values.keys() - {feature}
    likely = [p for p in pronouns if all(antecedent.goes_with(p, other) for other in others)] or pronouns
    matching = [pronoun for pronoun in likely if antecedent.goes_with(pronoun, feature)]
    return _compare(antecedent, (matching or likely)[0], feature)


# ---- Entropy ----


def resolve(possible: list[frozenset | str]) -> list[str]:
    """One value per sentence: of those possible for it, the one that is possible for most sentences (section 3.4).

    Args:
        possible: for each sentence the values it may have, none for any; or a string, a value that only it may have.

    >>> resolve([frozenset("PS"), frozenset("P"), frozenset(), frozenset("F"), "no new word"])
    ['P', 'P', 'P', 'F', 'no new word']
    """
    counts = Counter(value for values in possible if not isinstance(values, str) for value in values)
    ranked = sorted(counts, key=lambda value: (counts[value], value), reverse=True) or ["any"]
    return [
        values if isinstance(values, str) else next(value for value in ranked if not values or value in values)
        for values in possible
    ]


def normalised_entropy(values: list, size: int | None = None) -> float:
    """Entropy of the values' shares, over the logarithm of the group's size: 0 all the same, 1 all different.

    Args:
        values: one of each sentence.
        size: of the group, where a sentence is left out; default: as many as there are values.

    >>> [round(normalised_entropy(list(values)), 3) for values in ("aaaaa", "aaaab", "aaabb", "abcde")]
    [0.0, 0.311, 0.418, 1.0]
    >>> round(normalised_entropy(list("aaab"), 5), 3)
    0.349
    """
    shares = [count / len(values) for count in Counter(values).values()]
    return min(abs(sum(share * math.log(share) for share in shares)) / math.log(size or len(values)), 1.0)


# ---- The tests ----


APPEARS = (find_new, _one)
AGREE = (find_new, agree)
REFERS = (find_on_both_sides, refers)
CONSISTENT = (find_in_each, consistent)


def _contrast(family: str, size: int, name: str, sought: str, how: tuple[Callable, Callable]) -> Contrast:
    """The part of the name before the colon is what the language's finders are called by, the rest the feature."""
    kind, *feature = name.split(":")
    find, weigh = how
    return Contrast(name, family, size, sought, partial(find, kind), partial(weigh, *feature))


CONTRASTS = {
    contrast.name: contrast
    for contrast in (
        _contrast("A", 2, "past", "a new verb in the past", APPEARS),
        _contrast("A", 2, "future", "a new verb in the future", APPEARS),
        _contrast("A", 2, "conditional", "a new verb in the conditional", APPEARS),
        _contrast("A", 2, "subjunctive", "a subjunctive in the clause", APPEARS),
        _contrast("A", 2, "pronoun_number", "a new plural pronoun", APPEARS),
        _contrast("A", 2, "comparative", "a new comparative", APPEARS),
        _contrast("A", 2, "superlative", "a new superlative", APPEARS),
        _contrast("A", 2, "negation", "a new negation", APPEARS),
        _contrast("A", 2, "noun_number", "a new plural noun", APPEARS),
        _contrast("B", 2, "coord_verb:number", "the coordinated verbs to have one number", AGREE),
        _contrast("B", 2, "coord_verb:person", "the coordinated verbs to have one person", AGREE),
        _contrast("B", 2, "coord_verb:tense", "the coordinated verbs to have one tense and mood", AGREE),
        _contrast("B", 2, "np:gender", "the new adjective to have the gender of the new noun", AGREE),
        _contrast("B", 2, "np:number", "the new adjective to have the number of the new noun", AGREE),
        _contrast("B", 2, "coref:gender", "a pronoun with the gender of its antecedent", REFERS),
        _contrast("B", 2, "coref:number", "a pronoun with the number of its antecedent", REFERS),
        _contrast("C", 5, "verb_consistency:number", "the five verbs to have one number", CONSISTENT),
        _contrast("C", 5, "verb_consistency:person", "the five verbs to have one person", CONSISTENT),
        _contrast("C", 5, "verb_consistency:tense", "the five verbs to have one tense and mood", CONSISTENT),
        _contrast("C", 5, "adj_consistency:gender", "the five adjectives to have one gender", CONSISTENT),
        _contrast("C", 5, "adj_consistency:number", "the five adjectives to have one number", CONSISTENT),
    )
}
# A name without feature stands for all tests on the same sentences: "np" for np:gender and np:number.
TESTS = {
    name: tuple(contrast for contrast in CONTRASTS.values() if name in (contrast.name, contrast.name.partition(":")[0]))
    for name in (*CONTRASTS, *(name.partition(":")[0] for name in CONTRASTS))
}
