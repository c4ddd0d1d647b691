"""What a judgement is made of: where words differ, which of them a verdict rests on, and the verdict."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .words import Sentence

PASS, FAIL, REJECTED = "pass", "fail", "rejected"
NEW_WORD = "new word *{0.form}*: {0.reading}"
FEW_WORDS = 4  # of a sentence, in which one unknown word tells nothing
FEW = 30  # words, which a list counts faster than a Counter


class Apart(str):
    """The value of a translation that agrees with no other: what it is ("empty"), and its number."""


class Evidence(NamedTuple):
    """A word that a verdict rests on: its translation's number in the group, its position, the readings that count."""

    side: int
    position: int
    readings: tuple = ()


class Finding(NamedTuple):
    """A verdict with its reason, in which ``{0.form}`` and ``{0.reading}`` stand for the first word of the evidence."""

    verdict: str
    reason: str
    evidence: tuple[Evidence, ...] = ()


EMPTY = Finding(FAIL, "one translation is empty")
UNTRANSLATED = Finding(FAIL, "not translated: more words are not in the lexicon than are words of grammar")


class Marked(NamedTuple):
    """A word (or verb with its auxiliaries) and the values it may have of each feature; no value: it is unmarked.

    by_tense: of a verb the persons and numbers that it has in each tense that it may be of.
    """

    evidence: tuple[Evidence, ...]
    values: dict[str, frozenset]
    by_tense: dict[str, dict[str, frozenset]] = {}

    def goes_with(self, other: "Marked", feature: str) -> bool:
        """Have they a value in common? One that shows none goes with any."""
        own, others = self.values.get(feature), other.values.get(feature)
        return not own or not others or not own.isdisjoint(others)


class Rules(NamedTuple):
    """What judging needs of a language: texts to sentences, readings in words, what each kind of contrast looks for.

    analyse(texts, lexicon, sources) gives each text as a list of words, which have a form and readings;
    describe(readings) says them in words; finders[kind](base, variant, new) looks among the positions of the new words,
    for test C finders[kind](sentence, new, side), for coref finders[kind](base, variant). default_lexicon() is the path
    of the lexicon where none is given (None: there is none). drops_subjects: needs a verb no pronoun as its subject?
    """

    analyse: Callable
    describe: Callable
    finders: dict[str, Callable]
    default_lexicon: Callable | None = None
    drops_subjects: bool = False


def new_positions(base: list, variant: list) -> list[int]:
    """Positions in the variant of words that the base lacks or has fewer times (paper, section 3.2).

    >>> new_positions("je le vois".split(), "je les vois".split())
    [1]
    >>> new_positions("il le voit".split(), "il le voit et le prend".split())
    [1, 3, 4, 5]
    """
    start, end, least = 0, 0, min(len(base), len(variant))  # what both begin and end with is new in neither
    while start < least and base[start] == variant[start]:
        start += 1
    while end < least - start and base[-1 - end] == variant[-1 - end]:
        end += 1
    before, after = base[start : len(base) - end], variant[start : len(variant) - end]
    if len(after) < FEW:
        grown = {word for word in after if after.count(word) > before.count(word)}
    else:
        had, has = Counter(before), Counter(after)
        grown = {word for word in has if has[word] > had[word]}
    return [i for i, word in enumerate(variant) if word in grown] if grown else []


def varying_positions(group: list[list]) -> list[list[int]]:
    """For each sentence of a group the positions of words that another one lacks or has fewer times (section 3.4).

    What most of the sentences have comes last: it does not vary, but one of them says it otherwise.

    >>> varying_positions([["il", "dort"], ["il", "dormait"], ["il", "dort"]])
    [[1], [1], [1]]
    >>> varying_positions([["je", "veux", "rire"], ["je", "veux", "lire"], ["laisse-moi", "dormir"]])
    [[2, 0, 1], [2, 0, 1], [0, 1]]
    """
    counts = list(map(Counter, group))
    shared = set(group[0]).intersection(*group[1:])
    least = {word: min(count[word] for count in counts) for word in shared}
    varying = [
        [i for i, word in enumerate(sentence) if word not in shared or count[word] > least[word]]
        for count, sentence in zip(counts, group, strict=True)
    ]
    return [
        sorted(positions, key=lambda i: 2 * sum(sentence[i] in count for count in counts) > len(group))
        for positions, sentence in zip(varying, group, strict=True)
    ]


def first_of(
    verdict: str, reason: str, sentence: list, positions: Iterable[int], readings: str = "readings"
) -> Finding | None:
    """A verdict on the word at the first of the positions, with its readings (of verbs, of nouns); None without one."""
    i = next(iter(positions), None)
    return None if i is None else Finding(verdict, reason, (Evidence(1, i, getattr(sentence[i], readings)),))


# ---- When there is no translation, or nothing new is as it should be ----


def is_untranslated(sentence: Sentence) -> bool:
    """Is it copied, or has it more words that the lexicon lacks and the source has than words of grammar?"""
    if sentence.is_copied():
        return True
    n = sentence.n_untranslated() if sentence.has_unknown else 0
    enough = n > 1 or n and sum(word.form[0].isalpha() for word in sentence) >= FEW_WORDS
    return bool(enough) and n > sum(word.closed for word in sentence)


def unless_untranslated(find: Callable) -> Callable:
    """The finder for tests A and B on one side, which what is not translated fails."""

    def find_translated(base: Sentence, variant: Sentence, new: list[int]):
        unknown = variant.has_unknown and any(variant[i].unknown for i in new)
        if unknown and is_untranslated(variant) or is_untranslated(base):
            return UNTRANSLATED
        return unless_left(find(base, variant, new), variant, new, side=1)

    return find_translated


def unless_copied(find: Callable) -> Callable:
    """The finder for test C, to which what is not translated is a value by itself."""

    def find_translated(sentence: Sentence, new: list[int], side: int):
        return Apart(f"untranslated ({side})") if is_untranslated(sentence) else find(sentence, new, side)

    return find_translated


def unless_left(found: Finding | tuple, sentence: list, new: list[int], side: int) -> Finding | tuple:
    """What was found; but what would be rejected fails where a new word is the source's own, left as it was."""
    rejected = isinstance(found, Finding) and found.verdict == REJECTED
    left = tuple(Evidence(side, i) for i in new if sentence[i].is_left) if rejected else ()
    return Finding(FAIL, "*{0.form}* is left in English", left) if left else found


def unknown_words(sentence: list, new: list[int], side: int) -> Finding | None:
    """Rejected for new words that the lexicon lacks, if there are any."""
    evidence = tuple(Evidence(side, i) for i in new if sentence[i].unknown)
    return Finding(REJECTED, "new word *{0.form}* is not in the lexicon", evidence) if evidence else None


def not_found(base: list, variant: list, new: list[int], kind: str, is_kind: Callable, seen: list[Evidence]) -> Finding:
    """Nothing new is as it should be: failed, or rejected where forms cannot tell.

    They cannot where a word of the kind was lost for which there is no new one: it was reformulated, or what stands in
    its place is not in the lexicon. ``is_kind(sentence, i)`` says of what is in the base whether it is of the kind.
    """
    lost = [i for i in new_positions(variant, base) if base[i].unknown or is_kind(base, i)]
    if seen and len(seen) >= len(lost):
        return Finding(FAIL, NEW_WORD, tuple(seen))
    if lost or not any(is_kind(base, i) for i in range(len(base))):
        return unknown_words(variant, new, 1) or Finding(REJECTED, f"no new {kind}")
    return Finding(FAIL, f"no {kind} has changed")


def nothing_varies(sentence: list, new: list[int], kind: str, side: int) -> Finding | str:
    """Rejected where new words are not of the kind; without any it is a value by itself."""
    if not new:
        return "no new word"
    if any(sentence[i].is_left for i in new):
        return Apart(f"untranslated ({side})")
    evidence = tuple(Evidence(side, i) for i in new)
    return unknown_words(sentence, new, side) or Finding(REJECTED, f"no {kind} in *{{0.form}}* …", evidence)
