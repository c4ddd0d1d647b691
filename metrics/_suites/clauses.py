"""English sentences, tagged, and the clause that a variation changes: its finite verb and its subject.

A sentence may open with a conjunction, an adverbial, a subordinate clause or a quotation, have a relative clause in its
subject, go on with other clauses, or be a question. What cannot be made out is refused: a sentence less does a suite no
harm, a wrong one does.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..morpheval.common import argument, input_error
from .tools import Tools
from .words import BE, FINITE, NOUN_TAGS, RELATIVES, SAYING, SUBORDINATORS, TIMES, words_of


class Unsuitable(Exception):
    """The sentence cannot be a base of the test; the message is the reason, as the report counts it."""


def refuse_if(unsuitable: bool, reason: str) -> None:
    """Raise Unsuitable."""
    if unsuitable:
        raise Unsuitable(reason)


# ---- Closed lists ----

MODALS = {word: word for word in "will would can could may might must shall should".split()}
MODALS |= {"'ll": "will", "wo": "will", "ca": "can", "'d": "would", "cannot": "can"}
PRONOUN_SUBJECTS = {"i": "1s", "you": "2", "he": "3s", "she": "3s", "it": "3s", "we": "p", "they": "p"}
NOMINATIVES = ("i", "he", "she", "we", "they")
DEMONSTRATIVES = {"this": "3s", "that": "3s", "these": "p", "those": "p"}
SUBJECT_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS RB IN VBN VBG EX CC".split())
AUXILIARIES = ("be", "do", "have")
NEGATIVES = frozenset("never seldom rarely hardly scarcely barely neither nor not no only little n't".split())
PAIRED_NEGATIVES = frozenset("neither nor".split())
OPENING_NOUNS = frozenset("way fact case place end result addition contrast".split())
# "Thanks while we", "earrings jangling as he".
NOT_IN_SUBJECTS = {*NOMINATIVES, *"or but nor that while because although though when if unless whereas".split()}
OPENERS = words_of("openers")
NO_SUBJECT = "no simple subject before the verb"  # a reason
MOST_FINITE = 4  # finite verbs in a sentence: with more of them, tags and clauses are often wrong
LONGEST_OPENING = 10  # tokens of an adverbial before the subject


# ---- Sentences ----

# Contractions are two tokens (is n't, he 's), as is the apostrophe after "workers'"; a word keeps its inner
# hyphens and full stops, an abbreviation the full stop after it.
TOKEN = re.compile(
    r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b"
    r"|(?:[A-Z]\.)+(?=,| \w)|(?:Mrs?|Ms|Dr|St|Sen|Rep|Gov|Gen|Lt|Col|Sgt|Capt|Prof|Rev|Hon|Jr|Sr|vs)\.(?=,| \w)"
    r"|\w+(?:[-.,]\w+)*|--|\S",
    re.IGNORECASE,
)
PLAIN = re.compile(r"""["]?[A-Z](?:[\w ,;:.?!"%$£€–—-]|(?<=\w)'(?=\w)|(?<=[sxz])'(?= \w))*[.!?]["]?""")
LONGEST_TOKEN = 40  # characters, with the space before it
TOKENISED = re.compile(r" (?=n't|'s|'re|'ve|'ll|'d|'m|[,.!?])")  # the space that a tokeniser has put in
BREAKS = (":", ";", "--", "–", "—")
MARKS = frozenset((",", '"', *BREAKS))
QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})


class Token(NamedTuple):
    """A word or punctuation with its Penn tag and its lemma."""

    text: str
    space: str  # what stands before it
    tag: str
    lemma: str


class Other(NamedTuple):
    """A finite verb beside that of the clause, and how it belongs there.

    relation: "subordinate", "coordinate" (with the same subject), "parallel" (with its own), "attribution" (he said) or
        "loose" (none of them).
    opened: the word that opens the subordinate clause; "" for none.
    """

    verb: int
    relation: str
    opened: str


class Clause(NamedTuple):
    """A sentence's main clause: where its finite verb and its subject's head are, and the subject's number.

    number: "1s", "2", "3s" or "p".
    inverted: is it a question with the subject after the verb?
    others: the other finite verbs, in order.
    """

    verb: int
    head: int
    number: str
    inverted: bool = False
    others: tuple[Other, ...] = ()


class Sentence(NamedTuple):
    """A tagged sentence, with its clause or the reason why it has none."""

    text: str
    tokens: tuple[Token, ...]
    main_clause: Clause | str

    def changed(self, changes: dict[int, str]) -> str:
        """The text with other words at some positions; "" takes a word out. a and an follow, and the first capital."""
        words = [changes.get(i, token.text) for i, token in enumerate(self.tokens)]
        opening = int(self.tokens[0].text == '"')
        pieces = []
        for i, (word, token) in enumerate(zip(words, self.tokens, strict=True)):
            if token.text in ("a", "an") or token.text in ("A", "An") and i == opening:
                following = next((j for j in range(i + 1, len(words)) if words[j]), None)
                if i not in changes and following in changes:
                    word = article(words[following])
            apart = token.text.startswith("'") and i in changes and word[:1].isalpha()
            pieces.append((" " if apart else token.space) + word if word else "")
        text = "".join(pieces).strip()
        first = text.startswith('"')
        return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def clause(sentence: Sentence) -> Clause:
    """The main clause of a sentence.

    Raises:
        Unsuitable: none could be made out.
    """
    if isinstance(sentence.main_clause, str):
        raise Unsuitable(sentence.main_clause)
    return sentence.main_clause


def refuse_words(sentence: Sentence, words: frozenset, reason: str) -> None:
    """Raise Unsuitable if the sentence has one of the words."""
    refuse_if(not words.isdisjoint(token.text.lower() for token in sentence.tokens), reason)


DIFFICULTIES = ("any", "distant", "nested")
DISTANT = 4  # tokens between a subject's head and its verb


def is_of(difficulty: str, sentence: Sentence) -> bool:
    """Is a sentence of that difficulty: its verb far from its subject's head, or with a subordinate clause?"""
    main = sentence.main_clause
    if difficulty == "any" or isinstance(main, str):
        return difficulty == "any"
    if difficulty == "distant":
        return main.verb - main.head > DISTANT
    return any(other.relation == "subordinate" for other in main.others)


def article(word: str) -> str:
    """a or an, by how the word begins.

    >>> [article(word) for word in ("apple", "union", "unusual", "hour", "house", "one-off", "onerous", "80-year-old")]
    ['an', 'a', 'an', 'an', 'a', 'a', 'an', 'an']
    """
    lower = word.lower()
    if word.isupper() and len(word) > 1:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if re.match(r"[aefhilmnorsx](-|$)|8|1[18](\D|$)|(hour|honest|honou?r|heir)", lower):
        return "an"
    if re.match(
        r"uni(corn|cycl|fi|for|on|qu|s[eo]|t|v|lat|pol)|u(bi|k[re]|r[aeio]|t[eio]|s[aeiu])|eu|ewe|one\b|once", lower
    ):
        return "a"
    return "an" if lower[:1] in "aeiou" else "a"


def normalised(text: str) -> str:
    """The text in one spelling: simple quotation marks and spaces, tokens joined again ("do n't").

    A quotation mark that has no other, or stands around all of the text, is left out.
    """
    text = TOKENISED.sub("", " ".join((text if text.isascii() else text.translate(QUOTES)).split()))
    if text.count('"') == 1 or text.count('"') == 2 and text[0] == '"' in text[-2:]:
        text = text.replace('"', "")
    return text


def n_tokens(text: str) -> int:
    """How many tokens a normalised text has, quotation marks apart, as far as its spaces tell: it may have more."""
    return max(text.count(" ") + 1 - text.count('"'), -(-len(text) // LONGEST_TOKEN))


def read(text: str, tools: Tools, max_tokens: int) -> Sentence:
    """A sentence, checked and tagged.

    Raises:
        Unsuitable: it is too long or too short, or no plain single sentence.
    """
    text = normalised(text[: LONGEST_TOKEN * max_tokens + 1])
    refuse_if(n_tokens(text) > max_tokens, "too long")
    plain = PLAIN.fullmatch(text) and not text.isupper()
    refuse_if(not plain or text.count('"') not in (0, 2), "not one plain sentence")
    matches = list(TOKEN.finditer(text))
    refuse_if(len(matches) > max_tokens + text.count('"'), "too long")
    refuse_if(len(matches) < 4, "too short")
    words = [match[0] for match in matches]
    runs_on = any(word in OPENERS and before not in MARKS for before, word in pairwise(words))
    ends = any(map(_breaks, words, [*words[1:], ""], [*words[2:], "", ""]))
    refuse_if(runs_on or ends or max(map(len, words)) > LONGEST_TOKEN, "not one plain sentence")
    starts = [0, *(match.end() for match in matches)]
    tagged = tools.tag(words)
    if len(tagged) != len(words):
        raise input_error(argument("tagger"), f"{len(tagged)} tags", f"{len(words)} tags, one for each of {words}")
    found = [
        Token(w, text[start : m.start()], *tag)
        for w, m, start, tag in zip(words, matches, starts, tagged, strict=False)  # the last match's end starts none
    ]
    tokens = tuple(_corrected(token, before) for before, token in zip((None, *found), found, strict=False))
    try:
        return Sentence(text, tokens, _main_clause(tokens))
    except Unsuitable as reason:
        return Sentence(text, tokens, str(reason))


def _breaks(word: str, following: str, beyond: str) -> bool:
    """Does a sentence end here, though the text goes on, or is the word none of plain text?"""
    if word in (".", "!", "?"):
        return bool(following) and not (following == '"' and (word != "." or not beyond))
    return word in ("-", "ai")


def _corrected(token: Token, before: Token | None) -> Token:
    """The tagger's slips that closed lists can mend; "the will" is no modal."""
    form = token.text.lower()
    if form in ("will", "can", "might") and before is not None and before.tag in ("DT", "PRP$"):
        return token._replace(tag="NN", lemma=form)
    if form in MODALS:
        return token._replace(tag="MD", lemma=MODALS[form])
    if form in ("n't", "not"):
        return token._replace(tag="RB", lemma="not")
    if form in BE:
        return token._replace(tag=BE[form], lemma="be")
    if form == "'":
        return token._replace(tag="POS")
    if token.tag.startswith("VB") and token.text[0].isupper() and before is not None and before.text not in MARKS:
        return token._replace(tag="NNP")  # "a Twitter joke"
    return token


# ---- The main clause ----


def _main_clause(tokens: tuple[Token, ...]) -> Clause:
    words = [token.text.lower() for token in tokens]
    refuse_if(not PAIRED_NEGATIVES.isdisjoint(words), "neither or nor")
    finite = [i for i, token in enumerate(tokens) if token.tag in FINITE]
    refuse_if(not finite, "no finite verb")
    refuse_if(len(finite) > MOST_FINITE, "too many clauses")
    asked = words.index("?") if "?" in words else None
    start = _subject_start(tokens, finite)
    finite = [i for i in finite if i >= start]
    refuse_if(not finite, NO_SUBJECT)
    question = _question(tokens, start, finite[0]) if asked is not None and finite[0] < asked else None
    main = question or _statement(tokens, start, finite)
    statement = asked is not None and asked == len(tokens) - 1 and not question and tokens[main.head].tag != "WP"
    refuse_if(statement, "a question in the order of a statement")  # "You have a pencil?"
    tag, form = tokens[main.verb].tag, tokens[main.verb].text.lower()
    clash = tag == "VBZ" and main.number != "3s" or tag == "VBP" and main.number == "3s"
    refuse_if(clash or form in ("was", "am") and main.number not in ("1s", "3s"), "subject and verb do not agree")
    others = [i for i, token in enumerate(tokens) if token.tag in FINITE and i != main.verb]
    return main._replace(others=tuple(_other(tokens, main.verb, i) for i in others))


def _subject_start(tokens: Sequence[Token], finite: list[int]) -> int:
    """Where the subject begins: after conjunctions, adverbs, and adverbials and clauses that end before it."""
    i = 0
    while i < finite[-1]:
        token = tokens[i]
        if (
            token.text in ('"', ",")
            or token.tag in ("CC", "UH")
            or token.tag == "RB"
            and token.text.lower() not in NEGATIVES
        ):
            i += 1
        else:
            end = _adverbial_end(tokens, i, finite)
            if end is None:
                break
            i = end
    return i


def _adverbial_end(tokens: Sequence[Token], start: int, finite: list[int]) -> int | None:
    """Where the adverbial that begins here ends, if one does."""
    opening = tokens[start].text.lower()
    comma = next((i for i in range(start, len(tokens)) if tokens[i].text == "," and not _in_figure(tokens, i)), None)
    verb = next(i for i in finite if i >= start)
    if opening in SUBORDINATORS and comma is not None and verb < comma < finite[-1]:
        return comma + 1
    timed = any(token.lemma in TIMES for token in tokens[start : start + 3]) and tokens[start].tag in ("DT", "JJ", "NN")
    if not timed and (tokens[start].tag not in ("IN", "TO", "VBG", "VBN") or opening in RELATIVES):
        return None
    if comma is not None and comma < verb and comma - start <= LONGEST_OPENING:
        return comma + 1
    for i in range(start + 2, verb):
        begins = tokens[i].tag in ("DT", "PRP$") or tokens[i].text.lower() in NOMINATIVES
        before = tokens[i - 1]  # after other nouns it may be a relative clause: "like the ones you see"
        if begins and (before.tag in ("CD", "NNP") or before.lemma in TIMES | OPENING_NOUNS):
            return i
    return None


def _in_figure(tokens: Sequence[Token], i: int) -> bool:
    """Is the comma part of a date or a list of figures ("on 3 May, 2004")?"""
    return i + 2 < len(tokens) and tokens[i - 1].tag == tokens[i + 1].tag == "CD" and tokens[i + 2].text == ","


def _question(tokens: Sequence[Token], start: int, verb: int) -> Clause | None:
    """Does he wait? Where does the man wait? None where the subject stands before the verb, or asks."""
    auxiliary = tokens[verb].tag == "MD" or tokens[verb].lemma in AUXILIARIES
    asking = tokens[start:verb]
    if not auxiliary or asking and not (asking[0].tag in ("WRB", "WP", "WDT") or asking[0].text.lower() in RELATIVES):
        return None
    head = verb + 1
    if tokens[head].tag in ("DT", "PRP$", *NOUN_TAGS):
        while tokens[head + 1].tag in (*NOUN_TAGS, "JJ") and tokens[head].tag not in NOUN_TAGS[2:]:
            head += 1
    if tokens[head].tag not in (*NOUN_TAGS, "PRP", "EX", "DT"):
        return None
    return Clause(verb, head, _number_of(tokens[head], tokens[verb]), inverted=True)


def _statement(tokens: Sequence[Token], start: int, finite: list[int]) -> Clause:
    """A subject, perhaps with a relative clause or an insertion, and the verb after it."""
    verb = end = finite[0]
    first = tokens[start]
    asks = any(token.text == "?" for token in tokens)
    if asks and first.tag == "WP" and verb == start + 1 and first.text.lower() in ("who", "what"):
        return Clause(verb, start, "p" if tokens[verb].tag == "VBP" else "3s")
    inserted = [i for i in range(start + 1, verb) if tokens[i].text == "," or _is_relative(tokens, i)]
    if inserted:
        end, verb = inserted[0], _verb_after_insertion(tokens, inserted[0], finite)
    before = tokens[start:end]
    refuse_if(first.tag in ("IN", "RB", "VBG", "VBN", "CC"), NO_SUBJECT)
    refuse_if(not {token.tag for token in before} <= SUBJECT_TAGS, NO_SUBJECT)
    refuse_if(any(token.text.lower() in NOT_IN_SUBJECTS for token in before[1:]), NO_SUBJECT)
    return Clause(verb, *_head(tokens, start, end, verb))


def _is_relative(tokens: Sequence[Token], i: int) -> bool:
    word = tokens[i].text.lower()
    return word in ("who", "which", "whom") or word == "that" and tokens[i - 1].tag in NOUN_TAGS


def _verb_after_insertion(tokens: Sequence[Token], start: int, finite: list[int]) -> int:
    """The finite verb after an insertion between commas, or after a relative clause."""
    if tokens[start].text == ",":
        for verb in finite[:2]:
            closing = verb - 1 - (tokens[verb - 1].tag == "RB")
            if closing > start and tokens[closing].text == ",":
                return verb
    refuse_if(tokens[start].text == "," or len(finite) < 2, NO_SUBJECT)
    between = [token.text.lower() for token in tokens[finite[0] + 1 : finite[1]]]
    breaks = {"and", "or", "but", *MARKS, *SUBORDINATORS, *RELATIVES, *PRONOUN_SUBJECTS}
    refuse_if(not breaks.isdisjoint(between) or tokens[finite[0]].lemma in SAYING, NO_SUBJECT)
    return finite[1]


def _head(tokens: Sequence[Token], start: int, end: int, verb: int) -> tuple[int, str]:
    """The subject's head, before its first preposition, and its number."""
    cut = next((i for i in range(start, end) if tokens[i].tag in ("IN", "VBN", "VBG") and i > start), end)
    nouns = [i for i in range(start, cut) if tokens[i].tag in (*NOUN_TAGS, "PRP", "EX")]
    if not nouns:
        refuse_if(tokens[start].tag not in ("DT", "CD"), NO_SUBJECT)
        return start, _number_of(tokens[start], tokens[verb])
    head = nouns[-1]
    refuse_if(tokens[head].tag == "PRP" and (head > start or cut < end), NO_SUBJECT)
    if any(token.tag == "CC" for token in tokens[start:cut]):
        return head, "p"
    return head, _number_of(tokens[head], tokens[verb])


def _number_of(head: Token, verb: Token) -> str:
    """Of a subject, by its head; by its verb where the head has no number of its own ("all", "there")."""
    form = head.text.lower()
    if head.tag == "PRP":
        refuse_if(form not in PRONOUN_SUBJECTS, NO_SUBJECT)
        return PRONOUN_SUBJECTS[form]
    if head.tag in NOUN_TAGS:
        return "p" if head.tag in ("NNS", "NNPS") else "3s"
    return DEMONSTRATIVES.get(form, "p" if verb.tag == "VBP" or verb.text.lower() == "were" else "3s")


def _other(tokens: Sequence[Token], verb: int, i: int) -> Other:
    """How the finite verb at i belongs to the main verb: by the nearest word before it that tells."""
    if i < verb:
        opened = next((tokens[j].text.lower() for j in range(i, -1, -1) if _opens(tokens, j)), "")
        return Other(i, "subordinate" if opened else "loose", opened)
    for j in range(i - 1, verb, -1):
        token = tokens[j]
        if _opens(tokens, j):
            return Other(i, "subordinate", token.text.lower())
        if token.tag == "CC":
            own = any(token.tag in (*NOUN_TAGS, "PRP", "DT", "EX") for token in tokens[j + 1 : i])
            return Other(i, "parallel" if own else "coordinate", "")
        if token.text in BREAKS:
            return Other(i, "loose", "")
        if token.text in MARKS:
            return Other(i, "attribution" if tokens[i].lemma in SAYING else "loose", "")
    return Other(i, "subordinate", "")


def _opens(tokens: Sequence[Token], i: int) -> bool:
    """Does a subordinate clause open here?"""
    word = tokens[i].text.lower()
    return word in RELATIVES or word in SUBORDINATORS and tokens[i].tag in ("IN", "WRB", "RB")
