"""English variants with other verbs: one joined by "and" (test B), verbs of one use in a verb's place (C)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .make_clauses import (
    CONDITIONS,
    FINITE,
    MARKS,
    NOUN_TAGS,
    PAIRED_CONJUNCTIONS,
    PARTICLES,
    PLACE_PREPOSITIONS,
    RELATIVES,
    SAYING,
    SUBORDINATORS,
    SUPPORT_VERBS,
    TIMES,
    Sentence,
    Token,
    Unsuitable,
    clause,
    refuse_if,
    refuse_words,
)
from .make_tools import Tools
from .make_word_classes import DONE_FIRST, DONE_LAST, joined_to, kinds_of, others, words_like

PLAIN_TAGS = frozenset("DT PRP PRP$ JJ NN NNS NNP NNPS CD POS RB IN".split())
ENDS = (".", "!", "?")
TIME_PREPOSITIONS = frozenset("in during after before since until".split())
REFLEXIVES = frozenset("myself yourself himself herself itself ourselves yourselves themselves".split())
EXPERIENCES = frozenset("ever never not n't".split())
HABITS = frozenset(
    "nobody none only throughout until every each often always usually almost nothing everything years as".split()
)
MANNERS = frozenset("again fast hard well better closer behind too still together anyhow last".split())
PLACES = frozenset("location artifact object plant group".split())
MASSES = frozenset(("food", "substance", "~beverage", "possession"))
CONCRETE = frozenset("person animal artifact object food plant communication".split())  # what a deed is done to
FOUR = 4  # variants of test C
PHRASE_ENDS = ("PRP", *NOUN_TAGS)
OBJECT_TAGS = ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "JJ")
INNER_TAGS = ("JJ", "CD", "POS", *NOUN_TAGS)
PHRASE_TAGS = ("DT", "PRP$", *INNER_TAGS)
NOT_JOINED = "no verb that another comes before or after"


class Deed(NamedTuple):
    """A finite verb, or the participle of a perfect, and what goes with it as far as end.

    kinds: of its object if it is transitive, else of its subject.
    """

    verb: int
    kinds: frozenset
    transitive: bool
    prepositions: frozenset
    by_person: bool
    end: int


def coord_verb(sentence: Sentence, tools: Tools) -> list[str]:
    """he opens the box, he stopped and opened the box; she paid the bill, she paid the bill and left."""
    main, tokens = clause(sentence), sentence.tokens
    deed = next((deed for deed in _deeds(sentence, tools) if deed.verb == main.verb), None)
    person = deed is not None and "person" in _kinds_or_person(tokens[main.head], tools)
    refuse_if(not person or tokens[main.verb].tag != "VBD", "no deed of a person in the past")
    refuse_words(sentence, HABITS | {"?"}, "no single deed")
    refuse_if(any(token.tag == "CD" and token.text.isdigit() for token in tokens), "no single deed")
    lasts = any(a.text == "for" and any(t.lemma in TIMES for t in tokens[i : i + 5]) for i, a in enumerate(tokens))
    opened = any(other.verb < main.verb for other in main.others)  # "when I rang, he congratulated me"
    refuse_if(lasts or opened, "no single deed")
    beside = any(other.relation != "subordinate" for other in main.others) or tokens[main.verb - 1].tag == "RB"
    concrete = deed.kinds & CONCRETE if deed.transitive else deed.prepositions <= {"to", "at", "with", "on"}
    refuse_if(beside or not concrete, NOT_JOINED)
    verb, last = tokens[main.verb], len(tokens) - 1
    first = others(sentence, (_past(other, tools) for other in joined_to(verb.lemma, DONE_FIRST)))
    variants = [sentence.changed({main.verb: f"{other} and {verb.text}"}) for other in first]
    if deed.end == last and not any(token.lemma in TIMES or token.tag == "RB" for token in tokens[main.verb : last]):
        after = others(sentence, (_past(other, tools) for other in joined_to(verb.lemma, DONE_LAST)))
        variants += [sentence.changed({last: f" and {other}{tokens[last].text}"}) for other in after]
    refuse_if(not variants, NOT_JOINED)
    return variants


def _past(phrase: str, tools: Tools) -> str:
    """The past of a verb and what goes with it: "stood up"."""
    verb, space, particle = phrase.partition(" ")
    return tools.inflect(verb, "VBD") + space + particle


def verb_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he drinks, ...: verbs of one use in the place of the verb."""
    refuse_words(
        sentence, EXPERIENCES | REFLEXIVES | {"?", "entire", "whole", "much", "moment"}, "a question or an experience"
    )
    described = any(t.tag == "RB" and (t.text.endswith("ly") or t.text in MANNERS) for t in sentence.tokens)
    refuse_if(described, "an adverb of this verb's")  # "he waved violently"
    opened = sentence.tokens[0].tag == "IN" and sentence.tokens[0].text.lower() not in SUBORDINATORS
    for deed in _deeds(sentence, tools):
        if opened and not _is_timed(sentence.tokens[: deed.verb]):
            continue  # "on the grass she had dropped her trowel"
        if not _is_alone(sentence.tokens, deed) or deed.transitive and not deed.by_person:
            continue
        if sentence.tokens[deed.verb - 1].tag in ("WP", "WDT", "RB"):
            continue  # "those who work there", "he fully supports it"
        rest = sentence.tokens[deed.verb + 1 : deed.end]
        if any(token.text == "in" and not _is_place(rest[i + 1 :], tools) for i, token in enumerate(rest)):
            continue  # "spoke in a whisper"
        verb, use = sentence.tokens[deed.verb], "transitive" if deed.transitive else "intransitive"
        like = words_like(verb.lemma, use, deed.kinds, deed.prepositions)
        forms = others(sentence, (tools.inflect(other, verb.tag) for other in like))
        if len(forms) >= FOUR:
            return [sentence.changed({deed.verb: form}) for form in forms]
    raise Unsuitable("no verb with four of its use")


def _deeds(sentence: Sentence, tools: Tools) -> Iterator[Deed]:
    """The content verbs of all clauses whose object and adjuncts can be made out."""
    tokens = sentence.tokens
    refuse_words(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    for i in range(1, len(tokens) - 1):
        verb = tokens[i]
        if verb.tag not in ("VBD", "VBZ", "VBP", "VBN") or verb.lemma in SUPPORT_VERBS or not verb.text.isalpha():
            continue
        before = [token for token in tokens[max(i - 4, 0) : i] if token.tag != "RB"]
        said = any(token.text == '"' for token in before) or verb.lemma in SAYING and tokens[i + 1].tag == "."
        if said or not before or not _governs(before[-1], verb.tag):
            continue
        end = next(j for j in range(i + 1, len(tokens)) if _ends_deed(tokens[j]))
        if tokens[end].tag not in (".", "CC") and tokens[end].text not in (",", ";", *CONDITIONS, "because"):
            continue
        deed = _deed(tokens, i, end, tools)
        if deed is not None:
            yield deed


def _is_alone(tokens: Sequence[Token], deed: Deed) -> bool:
    """Whether nothing else in the sentence goes with this verb alone: "bought a bike and painted it" does not.

    The clause may be what somebody says or thinks.
    """
    verb = deed.verb
    opened = [j for j, token in enumerate(tokens) if token.text == "that" and tokens[j - 1].lemma in SAYING]
    own = range(max(verb - 3, 0), verb)  # where a form of have may be the verb's auxiliary
    others = (j for j, t in enumerate(tokens) if t.tag in FINITE and j != verb and not (t.lemma == "have" and j in own))
    return tokens[deed.end].text in ENDS and all(any(j < that < verb for that in opened) for j in others)


def _governs(before: Token, tag: str) -> bool:
    """May the word stand before a finite verb with the tag, or a participle of a perfect?"""
    if tag == "VBN":
        return before.lemma == "have"
    plural = before.tag in ("NNS", "NNPS") or before.text.lower() in ("i", "you", "we", "they", "who")
    return tag != "VBP" or plural  # else it is no present: "does he like", "oh, forgive me"


def _ends_deed(token: Token) -> bool:
    opens = token.text.lower() in SUBORDINATORS | RELATIVES and token.tag in ("IN", "WRB", "RB", "WP", "WDT", "DT")
    return token.tag in (".", "CC") or token.text in MARKS or opens


def _deed(tokens: Sequence[Token], i: int, end: int, tools: Tools) -> Deed | None:
    """What the verb at i does, with its clause as far as end; None where that is a particle, a clause or unclear."""
    rest = tokens[i + 1 : end]
    transitive = bool(rest) and rest[0].tag in OBJECT_TAGS
    beyond = rest[_phrase_end(rest) if transitive else 0 :]
    if any(token.tag not in PLAIN_TAGS or token.tag == "RB" and token.text in PARTICLES for token in rest):
        return None
    if beyond and (beyond[0].tag not in ("RB", "IN") or beyond[0].text in PARTICLES):
        return None
    joined = ((before.tag, after.tag) for before, after in pairwise(beyond) if after.text not in ("this", "that"))
    if any(b == "RB" and a == "JJ" or b in PHRASE_ENDS and a in ("DT", "PRP$", "PRP") for b, a in joined):
        return None
    start, subject = _subject(tokens, i)
    if tokens[subject].tag == "PRP" and subject and tokens[subject - 1].tag in NOUN_TAGS:
        return None  # "the songs we sang"
    named = tokens[subject].tag == "NNP" and tokens[start].tag == "DT"  # "the Bible"
    of_subject = frozenset() if named else _kinds_or_person(tokens[subject], tools)
    kinds = kinds_of(rest[_phrase_end(rest, of=False) - 1], tools) if transitive else of_subject
    if transitive and rest[0].tag == "NN" and not kinds & MASSES:
        return None  # "leave school"
    if transitive and any(token.tag == "IN" for token in beyond) and not _is_timed(beyond):
        return None  # "in the soup" goes with few verbs
    free = TIME_PREPOSITIONS if transitive else PLACE_PREPOSITIONS
    prepositions = frozenset(token.text for token in beyond if token.tag == "IN") - free
    return Deed(i, kinds, transitive, prepositions, "person" in of_subject, end)


def _is_timed(tokens: Sequence[Token]) -> bool:
    return any(token.lemma in TIMES or token.tag == "CD" for token in tokens)


def _subject(tokens: Sequence[Token], verb: int) -> tuple[int, int]:
    """Where the subject of the verb begins, and its head: "a poster" of "a poster of Ho Chi Minh"."""
    head = next((j for j in range(verb - 1, -1, -1) if tokens[j].tag not in ("RB", "VBZ", "VBP", "VBD")), 0)
    while True:
        start = head
        while start and tokens[start].tag in PHRASE_TAGS and tokens[start - 1].tag in PHRASE_TAGS:
            start -= 1
        if start < 2 or tokens[start - 1].tag != "IN" or tokens[start - 2].tag not in NOUN_TAGS:
            return start, head
        head = start - 2  # "the brewery in Wales"


def _is_place(phrase: Sequence[Token], tools: Tools) -> bool:
    """Is what a preposition governs a place, by its name alone or by its noun, or a time?"""
    if not phrase:
        return False
    head = phrase[_phrase_end(phrase, of=False) - 1]
    return head is phrase[0] and head.tag == "NNP" or head.lemma in TIMES or bool(kinds_of(head, tools) & PLACES)


def _kinds_or_person(noun: Token, tools: Tools) -> frozenset:
    """The kinds of a noun; a name is taken for a person's."""
    return frozenset(("person",)) if noun.tag == "NNP" else kinds_of(noun, tools)


def _phrase_end(tokens: Sequence[Token], of: bool = True) -> int:
    """How many tokens the noun phrase at the beginning has; with ``of``, a phrase with of belongs to it."""
    if tokens[0].tag == "PRP":
        return 1
    for i, token in enumerate(tokens):
        after_noun = token.tag == "JJ" and i and tokens[i - 1].tag in NOUN_TAGS  # "found the boy asleep"
        inside = i == 0 or token.tag in INNER_TAGS and not after_noun or tokens[i - 1].text == "of"
        if not inside and not (of and token.text == "of"):
            return i
    return len(tokens)
