"""English variants with other verbs: one joined by "and" (test B), verbs of one use in a verb's place (C)."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from .clauses import Sentence, Token, clause, refuse_if, refuse_words
from .tools import Tools
from .word_classes import DONE_FIRST, DONE_LAST, joined_to, kinds_of, others, words_like
from .words import NOUN_TAGS, PLACE_PREPOSITIONS, RELATIVES, SUBORDINATORS, SUPPORT_VERBS, TIMES

PLAIN_TAGS = frozenset("DT PRP PRP$ JJ NN NNS NNP NNPS CD POS RB IN".split())
ENDS = (".", "!", "?")
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
OF_THIS_VERB = "a word that may go with this verb alone"
UNCLEAR = "a verb whose object or adjuncts are unclear"
NOT_JOINED = "no verb that another comes before or after"


class Deed(NamedTuple):
    """The verb of a sentence of one clause, finite or the participle of a perfect, and what goes with it up to end.

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
    deed, tokens = _deed(sentence, tools), sentence.tokens
    refuse_if(not deed.by_person or tokens[deed.verb].tag != "VBD", "no deed of a person in the past")
    refuse_words(sentence, HABITS, "no single deed")
    concrete = deed.kinds & CONCRETE if deed.transitive else deed.prepositions <= {"to", "at", "with", "on"}
    refuse_if(tokens[deed.verb - 1].tag == "RB" or not concrete, NOT_JOINED)
    verb, last = tokens[deed.verb], len(tokens) - 1
    first = others(sentence, (_past(other, tools) for other in joined_to(verb.lemma, DONE_FIRST)))
    variants = [sentence.changed({deed.verb: f"{other} and {verb.text}"}) for other in first]
    if deed.end == last and not any(token.tag in ("RB", "CD") for token in tokens[deed.verb : last]):
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
    refuse_words(sentence, EXPERIENCES | REFLEXIVES | {"entire", "whole", "much", "moment"}, OF_THIS_VERB)
    described = any(t.tag == "RB" and (t.text.endswith("ly") or t.text in MANNERS) for t in sentence.tokens)
    refuse_if(described, OF_THIS_VERB)  # "he waved violently"
    deed, tokens = _deed(sentence, tools), sentence.tokens
    # "On the grass she had dropped her trowel", "for three days", "away he flew".
    opened = tokens[0].tag == "IN" and not _is_timed(tokens[: deed.verb]) or tokens[0].text in ("For", "Away")
    rest, before = tokens[deed.verb + 1 : deed.end], tokens[deed.verb - 1]
    refuse_if(opened or tokens[deed.end].text not in ENDS or before.tag == "RB", UNCLEAR)  # "he fully supports it"
    refuse_if(deed.transitive and not deed.by_person, UNCLEAR)
    # "Spoke in a whisper"
    refuse_if(any(t.text == "in" and not _is_place(rest[i + 1 :], tools) for i, t in enumerate(rest)), UNCLEAR)
    verb, use = tokens[deed.verb], "transitive" if deed.transitive else "intransitive"
    like = words_like(verb.lemma, use, deed.kinds, deed.prepositions)
    forms = others(sentence, (tools.inflect(other, verb.tag) for other in like))
    refuse_if(len(forms) < FOUR, "no verb with four of its use")
    return [sentence.changed({deed.verb: form}) for form in forms]


def _deed(sentence: Sentence, tools: Tools) -> Deed:
    """What the verb of a sentence does.

    Raises:
        Unsuitable: there is another clause, which may go with this verb alone; or its object or adjuncts are unclear.
    """
    main, tokens = clause(sentence), sentence.tokens
    refuse_if(bool(main.others), "another clause")
    i = main.verb
    if tokens[i].lemma == "have":
        i = next((j for j in (i + 1, i + 2) if tokens[j : j + 1] and tokens[j].tag == "VBN"), i)
    closing = SUBORDINATORS | RELATIVES
    end = next(j for j, t in enumerate(tokens) if j > i and (t.tag in (".", "CC") or t.text.lower() in closing))
    refuse_if(tokens[i].lemma in SUPPORT_VERBS or tokens[end].tag != ".", UNCLEAR)
    rest = tokens[i + 1 : end]
    transitive = bool(rest) and rest[0].tag in OBJECT_TAGS
    beyond = rest[_phrase_end(rest) if transitive else 0 :]
    plain = all(token.tag in PLAIN_TAGS for token in rest) and (not beyond or beyond[0].tag in ("RB", "IN"))
    joined = ((before.tag, after.tag) for before, after in pairwise(beyond))
    clash = any(b == "RB" and a == "JJ" or b in PHRASE_ENDS and a in ("DT", "PRP$", "PRP") for b, a in joined)
    head = tokens[main.head]
    of_subject = frozenset(("person",)) if _names_person(tokens, main.head, tools) else kinds_of(head, tools)
    kinds = kinds_of(rest[_phrase_end(rest, of=False) - 1], tools) if transitive else of_subject
    bare = transitive and rest[0].tag == "NN" and not kinds & MASSES  # "leave school"
    placed = transitive and any(token.tag == "IN" for token in beyond) and not _is_timed(beyond)  # "in the soup"
    refuse_if(not plain or clash or bare or placed, UNCLEAR)
    prepositions = frozenset(token.text for token in beyond if token.tag == "IN") - PLACE_PREPOSITIONS
    return Deed(i, kinds, transitive, prepositions, "person" in of_subject, end)


def _is_timed(tokens: Sequence[Token]) -> bool:
    return any(token.lemma in TIMES or token.tag == "CD" for token in tokens)


def _is_place(phrase: Sequence[Token], tools: Tools) -> bool:
    """Is what a preposition governs a place or a time, by its noun?"""
    if not phrase:
        return False
    head = phrase[_phrase_end(phrase, of=False) - 1]
    return head.lemma in TIMES or bool(kinds_of(head, tools) & PLACES)


def _names_person(tokens: Sequence[Token], i: int, tools: Tools) -> bool:
    """Is there a name that may be a person's: not "the Bible", not "Windows NT", not "London"?"""
    name = list(takewhile(lambda token: token.tag == "NNP", reversed(tokens[: i + 1])))
    short = any(token.text.isupper() and len(token.text) > 1 for token in name)
    kinds = tools.related(tokens[i].text.lower(), "n")["kinds"] if len(name) == 1 else []  # not of "Mr. Brown"
    determined = i >= len(name) and tokens[i - len(name)].tag == "DT"
    return bool(name) and not short and not determined and (not kinds or "person" in kinds)


def _phrase_end(tokens: Sequence[Token], of: bool = True) -> int:
    """How many tokens the noun phrase at the beginning has; with ``of``, a phrase with of belongs to it."""
    for i, token in enumerate(tokens):
        inside = i == 0 or token.tag in INNER_TAGS or tokens[i - 1].text == "of"
        if not inside and not (of and token.text == "of"):
            return i
    return len(tokens)
