"""What of a text may be the base of a group: the sentence itself, or a clause cut out of it that can stand alone.

Most sentences of real text are too long for a base, or have further clauses, which hold a word in its place ("he bought
a bike and painted it"). A clause says one thing. It is cut where the text shows that one ends (punctuation, a
conjunction before a new subject); what is cut must then be found to be a clause of its own.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, takewhile
from typing import NamedTuple

from .clauses import Clause, Sentence, Token, Unsuitable, read, refuse_if
from .tools import Tools
from .words import FINITE, NOUN_TAGS, RELATIVES, SAYING, SUBORDINATORS, TIMES

# Where a clause may end: at a mark, before a subordinate clause that may be left out, before a conjunction with a
# pronoun that is a subject.
CUT = re.compile(
    r'\s*([,;:](?=[\s"])|["()]|--|[–—]|\s(?=(?:because|although|though|whereas|unless)\s)'
    r"|\s(?=(?:and|but|so)\s(?:he|she|we|they|there)\s))\s*"
)
JOINING = re.compile(r"(?:and|but|so|yet)\s+", re.IGNORECASE)
# Words that open a subject; without a conjunction before it, only one of these begins a clause.
SUBJECT_PRONOUNS = frozenset("i you he she it we they this these those there".split())
SUBJECT_STARTS = SUBJECT_PRONOUNS | frozenset(
    "the a an my your his her its our their some many most all every each no".split()
)
# A clause with one of these may want another, which would be cut off.
PAIRED = re.compile(
    r"\b(?:either|neither|nor|both|whether|not only|the more|the less|such an?|(?:every|each) time|in case)\b"
    r"|(?<=\w )so\b",
    re.IGNORECASE,
)
# What says when, as "after" does: "by the time he came", "the day the boat sank"; but "for the first time he laughed".
WHEN = re.compile(
    r"(?:(?:by|on|at|until|since|from) )?the "
    rf"(?:(?:first|last|next|only) time|(?:very )?(?:way|instant|{'|'.join(sorted(TIMES))})) "
    rf"(?:{'|'.join(sorted(SUBJECT_STARTS))})\b",
    re.IGNORECASE,
)
NOT_FIRST = SUBORDINATORS | {"that"}
SHORTEST = 3  # words
# What may end a clause; a verb may not, since its object or its clause may be what is cut off.
LAST_TAGS = frozenset((*NOUN_TAGS, "CD", "PRP", "RP", "RB"))
NOT_LAST = frozenset("not n't as very too most more less than so even only also and or but".split())
LINKING = ("be", "become", "get", "seem", "feel", "look")
UNFINISHED = frozenset(
    ("tell", "ask", "give", "put", "spend", "remind", "inform", "assure", "convince", "want", "call", "elect", *SAYING)
)
BROKEN_OFF = ("IN", "TO", "RB", "VBG")  # after a conjunction: "and in some cases"
# "A team led by him" may be a subject, and its verb cut off, unless another clause follows.
OPENING = SUBJECT_STARTS | SUBORDINATORS | RELATIVES | frozenset("and but so yet".split())
# "From his cold" may go on with another adjective, unless one of these follows, too.
PREPOSITIONS = frozenset("in at on with for to from of by like according including such".split())


class Base(NamedTuple):
    """A text that may be a base; and for what was cut out the word that follows, "" for none. A sentence has None."""

    text: str
    following: str | None = None


def bases(text: str) -> Iterator[Base]:
    """What may be clauses of a normalised text, as sentences, then the text itself.

    >>> [base.text for base in bases("When it rained, the guests left, but the cook stayed in the kitchen.")]
    ['The guests left.', 'The cook stayed in the kitchen.', 'When it rained, the guests left, but the cook stayed in \
the kitchen.']
    """
    body = text.rstrip('."!?')
    parts, marks = _parts(body)
    asked = "?" in text[len(body) :]
    if len(parts) > 1 and not PAIRED.search(text):
        for i, part in enumerate(parts[: len(parts) - asked]):
            joined = JOINING.match(part)
            words = part[joined.end() if joined else 0 :].split(" ")
            listed = i and marks[i] == "," and _first(parts[i - 1]) in SUBJECT_STARTS  # "the wine, the bread"
            begins = not i or joined or words[0].lower() in (SUBJECT_PRONOUNS if listed else SUBJECT_STARTS)
            if begins and len(words) >= SHORTEST and words[0].lower() not in NOT_FIRST:
                following = _first(parts[i + 1]) if i + 1 < len(parts) else ""
                clause = " ".join(words)
                if not WHEN.match(clause):
                    yield Base(f"{clause[0].upper()}{clause[1:]}.", following)
    yield Base(text)


def _parts(body: str) -> tuple[list[str], list[str]]:
    """What stands between the marks, and what stands before each, "" before the first."""
    split = ["", *CUT.split(body)]
    kept = [(part, mark) for mark, part in zip(split[::2], split[1::2], strict=False) if part]
    return [part for part, _ in kept], [mark for _, mark in kept]


def _first(part: str) -> str:
    return part.split(" ")[0].lower()


def read_base(base: Base, tools: Tools, max_tokens: int) -> list[Sentence]:
    """The clauses of its verbs that share a subject ("he took the box and opened it"), then all of it.

    Raises:
        Unsuitable: it is no plain sentence, or none of these can stand alone.
    """
    sentence, found = read(base.text, tools, max_tokens), []
    for text, following in _conjuncts(sentence):
        with suppress(Unsuitable):
            conjunct = read(text, tools, max_tokens)
            found += [conjunct] if _stands_alone(conjunct, following) else []
    if base.following is None or _stands_alone(sentence, base.following):
        found.append(sentence)
    refuse_if(not found, "no clause of its own")
    return found


def _conjuncts(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Clauses of the verbs that share the subject, each with the word that follows it, "" for none."""
    main, tokens = sentence.main_clause, sentence.tokens
    if not isinstance(main, Clause) or main.inverted or tokens[-1].text == "?" or PAIRED.search(sentence.text):
        return
    coordinate = takewhile(lambda other: other.relation == "coordinate", main.others)
    joins = [next(i for i in range(other.verb - 1, -1, -1) if tokens[i].tag == "CC") for other in coordinate]
    for start, end in pairwise((main.verb, *joins, len(tokens) - 1) if joins else ()):
        said = (*tokens[: main.verb], *tokens[start + (start in joins) : end])
        text = "".join(token.space + token.text for token in said).rstrip(",")
        yield f"{text}.", tokens[end].text if end in joins else ""


def _stands_alone(sentence: Sentence, following: str) -> bool:
    """Is what was cut out a whole clause, at most with one of what somebody says or thinks?"""
    main, tokens = sentence.main_clause, sentence.tokens
    if not isinstance(main, Clause) or not _may_end(*tokens[-3:-1]):
        return False
    verb, finite = tokens[main.verb], [i for i, token in enumerate(tokens) if token.tag in FINITE]
    opened = [t.text.lower() for t in tokens[main.verb :] if t.text.lower() in RELATIVES | SUBORDINATORS]
    says = len(finite) == 2 and verb.lemma in SAYING and opened in ([], ["that"])
    joined = not opened and all(other.relation in ("coordinate", "parallel") for other in main.others)
    broken = any(a.tag == "CC" and b.tag in BROKEN_OFF for a, b in pairwise(tokens[finite[-1] :]))
    last_verb = next(token for token in reversed(tokens) if token.tag == "MD" or token.tag.startswith("VB"))
    if not (says or joined) or broken or last_verb.lemma in UNFINISHED:
        return False
    after, clause_follows = tokens[main.verb + 1], following in OPENING or following.endswith(("ing", "ed"))
    may_be_participle = verb.tag == "VBD" and after.tag in ("IN", "TO", "RB", "NNP") and tokens[main.head].tag != "PRP"
    may_be_adjective = bool(following) and tokens[-3].tag in ("DT", "PRP$", "JJ") and following not in PREPOSITIONS
    return clause_follows or not (may_be_participle or may_be_adjective)


def _may_end(before: Token, last: Token) -> bool:
    if last.text.lower() in NOT_LAST or before.tag == "RB" and last.tag in NOUN_TAGS:
        return False  # "in very good"
    if last.tag == "RP" and before.tag in NOUN_TAGS:
        return False  # "some points of the conference on"
    if last.text.endswith("ly") and before.lemma in LINKING:
        return last.tag == "JJ"  # "our system is significantly"
    return last.tag in LAST_TAGS or last.tag == "JJ" and (before.lemma in LINKING or before.tag == "RB")
