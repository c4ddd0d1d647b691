"""English: which sentences can be a base of a test, and what their variants are (paper, sections 3.1 to 3.4).

A variation is a function from a tagged sentence to its possible variants; `generation` keeps the most fluent.
Each changes the words that the test is about, and what grammar changes with them: agreement, auxiliaries, a and an.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .tools import Tools


class Unsuitable(Exception):
    """The sentence cannot be a base of the test; the message is the reason, as the report counts it."""


# ---- Sentences ----

# Contractions are two tokens (is n't, he 's); a word keeps its inner hyphens and points.
TOKEN = re.compile(r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?:[-.,]\w+)*|\S", re.IGNORECASE)
PLAIN = re.compile(r"[A-Z][\w ,.'%$-]*[.!]")
LONGEST_TOKEN = 40  # characters, with the space before it
TOKENISED = tuple((f" {part}", part) for part in ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", ",", ".", "!", "?"))


class Token(NamedTuple):
    text: str
    space: str  # what stands before it
    tag: str
    lemma: str


class Sentence(NamedTuple):
    text: str
    tokens: tuple[Token, ...]

    def changed(self, changes: dict[int, str]) -> str:
        """The text with other words at some positions; "" takes a word out. a and an follow, and the first capital."""
        words = [changes.get(i, token.text) for i, token in enumerate(self.tokens)]
        pieces = []
        for i, (word, token) in enumerate(zip(words, self.tokens)):
            following = next((j for j in range(i + 1, len(words)) if words[j]), None)
            if token.text in ("a", "an") or not i and token.text in ("A", "An"):
                if i not in changes and following in changes:
                    word = article(words[following])
            apart = token.text.startswith("'") and i in changes and word[:1].isalpha()
            pieces.append((" " if apart else token.space) + word if word else "")
        text = "".join(pieces).strip()
        return text[:1].upper() + text[1:]


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
    """The text in one spelling: simple apostrophes and spaces, tokens joined again ("do n't")."""
    text = " ".join(text.replace("\u2019", "'").split())
    for apart, joined in TOKENISED:
        text = text.replace(apart, joined)
    return text


def read(text: str, tools: Tools, max_tokens: int) -> Sentence:
    """A sentence, checked and tagged.

    Raises:
        Unsuitable: it is too long or too short, no plain single sentence, or a question.
    """
    if len(text) > LONGEST_TOKEN * max_tokens:
        raise Unsuitable("too long")
    text = normalised(text)
    if not PLAIN.fullmatch(text):
        raise Unsuitable("not one plain sentence")
    found = list(TOKEN.finditer(text))
    if len(found) > max_tokens:
        raise Unsuitable("too long")
    if len(found) < 4:
        raise Unsuitable("too short")
    words = [match[0] for match in found]
    if any(word in (".", "!", "-", "'", "ai") or len(word) > LONGEST_TOKEN for word in words[:-1]):
        raise Unsuitable("not one plain sentence")
    ends = [0, *(match.end() for match in found)]
    tagged = tools.tag(words)
    if len(tagged) != len(words):
        raise ValueError(f"tagger: found {len(tagged)} tags, expected {len(words)}, one for each of {words}")
    tokens = (Token(w, text[end : m.start()], *t) for w, m, end, t in zip(words, found, ends, tagged))
    return Sentence(text, tuple(map(_corrected, tokens)))


def _corrected(token: Token) -> Token:
    """The tagger's slips that closed lists can mend."""
    form = token.text.lower()
    if form in MODALS:
        return token._replace(tag="MD", lemma=MODALS[form])
    if form in ("n't", "not"):
        return token._replace(tag="RB", lemma="not")
    if form in BE:
        return token._replace(tag=BE[form], lemma="be")
    return token


# ---- Closed lists ----

MODALS = {word: word for word in "will would can could may might must shall should".split()}
MODALS |= {"'ll": "will", "wo": "will", "ca": "can", "'d": "would", "cannot": "can"}
BE = {"am": "VBP", "is": "VBZ", "are": "VBP", "was": "VBD", "were": "VBD", "'m": "VBP", "'re": "VBP"}
FINITE = ("VBZ", "VBP", "VBD", "MD")
PRESENT = ("VBZ", "VBP")
PRONOUN_SUBJECTS = {"i": "1s", "you": "2", "he": "3s", "she": "3s", "it": "3s", "we": "p", "they": "p"}
OBJECT_PRONOUNS = ("me", "him", "her", "it", "us", "them", "you")
SINGULAR_OBJECTS = ("him", "her", "it")
POSSESSIVES = ("my", "your", "his", "her", "its", "our", "their")
NUMBERED = {"the": "the", "this": "these", "that": "those", **dict.fromkeys(POSSESSIVES)}
BELIEFS = ("believe", "think")
CERTAINTIES = ("sure", "certain", "convinced")
NEGATIVE_OR_POLAR = frozenset(
    "cannot everyone everybody every each few most all many seldom rarely used better rather not n't never no none "
    "nobody nothing nowhere neither nor hardly barely scarcely only some someone something already also too still "
    "just both either any yet even quite always".split()
)
NOT_PAST = frozenset("now currently tomorrow tonight soon nowadays presently next".split())
NOT_FUTURE = frozenset("yesterday ago now currently already recently last since nowadays".split())
DEGREE_WORDS = frozenset("very too so as more most less least how quite rather much far no such enough".split())
TIMES = frozenset(
    "second minute hour day night week weekend month year season quarter decade century past future end beginning "
    "start moment period spring summer autumn winter afternoon time".split()
)
GRADABLE_ENDINGS = ("ful", "ous", "ive", "ant", "ent", "able", "ible", "ern", "ular", "ult", "ess", "some")
NOT_GRADABLE = frozenset(
    "available possible impossible inferior superior absent civil criminal public private interior exterior legal "
    "free full empty equal separate apparent current pregnant permanent interim subsequent consecutive simultaneous "
    "previous various responsible alternative executive legislative western eastern northern southern modern regular "
    "similar clear worthless own other same such last next first second third only main major former latter whole "
    "entire chief total final due new past present future double single daily annual joint actual alleged dead able "
    "unable unlikely likely ready many few several more less much little most least certain real senior junior prime "
    "late recent wrong right true ill alive sure farther further".split()
)
UNCOUNTABLE = frozenset(
    "information advice news evidence money work time water air oil gas food music traffic weather equipment "
    "furniture research progress knowledge health help business education trade safety security violence peace war "
    "homework luggage energy electricity power blood sand rice bread milk coffee tea beer wine gold silver cash stuff "
    "fun luck damage growth support pressure trust love hate anger fear joy death life public press rest world sun "
    "moon sky economy internet media police staff crew people government number lot kind sort bit way morning evening "
    "today".split()
)
SUPPORT_VERBS = frozenset(
    "be have do get make take go come give put let keep seem become need want use say tell".split()
)
PAIRED_CONJUNCTIONS = frozenset("neither either nor both".split())
RELATIVES = frozenset("who whom whose which that".split())
REFLEXIVES = frozenset("himself herself itself".split())
MIDDLE_ADVERBS = frozenset(
    "also still always often just soon usually really probably certainly clearly widely generally currently".split()
)
SUBJECT_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS RB IN VBN VBG".split())

# Prepositions of place and time, which any verb may have after it.
PLACES = frozenset("in on at near with for during after before under behind since until inside outside".split())
OBJECT_TAGS = ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "JJ")

ALTERNATIVES = 12  # words tried in a place


# ---- Clauses ----


class Clause(NamedTuple):
    """A sentence's only clause: the position of its finite verb, of its subject's head, and the subject's number."""

    verb: int
    head: int
    number: str  # "1s", "2", "3s" or "p"


def clause(sentence: Sentence) -> Clause:
    """The clause of a sentence that has one finite verb, with a subject straight before it.

    Raises:
        Unsuitable: other sentences.
    """
    tokens = sentence.tokens
    _refuse(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    finite = [i for i, token in enumerate(tokens) if token.tag in FINITE]
    if len(finite) != 1:
        raise Unsuitable("no finite verb" if not finite else "more than one finite verb")
    _refuse(sentence, RELATIVES, "a relative clause")
    verb = finite[0]
    before = tokens[:verb]
    if not before or not {token.tag for token in before} <= SUBJECT_TAGS or before[0].tag in ("IN", "RB", "VBG", "VBN"):
        raise Unsuitable("no simple subject before the verb")
    prepositions = [i for i, token in enumerate(before) if token.tag == "IN"]
    nouns = [i for i in range(prepositions[0] if prepositions else verb) if before[i].tag[:2] in ("NN", "PR")]
    nouns = [i for i in nouns if before[i].tag != "PRP$"]
    if not nouns:
        raise Unsuitable("no simple subject before the verb")
    head = nouns[-1]
    number = _number_of(before[head])
    if before[head].tag == "PRP" and head:
        raise Unsuitable("no simple subject before the verb")
    if tokens[verb].tag == "VBZ" and number != "3s" or tokens[verb].tag == "VBP" and number == "3s":
        raise Unsuitable("subject and verb do not agree")
    return Clause(verb, head, number)


def _number_of(head: Token) -> str:
    if head.tag == "PRP":
        if head.text.lower() not in PRONOUN_SUBJECTS:
            raise Unsuitable("no simple subject before the verb")
        return PRONOUN_SUBJECTS[head.text.lower()]
    return "p" if head.tag in ("NNS", "NNPS") else "3s"


def _following(sentence: Sentence, i: int) -> Token:
    return sentence.tokens[i + 1]  # there always is one: a sentence ends with a point


def _refuse(sentence: Sentence, words: frozenset, reason: str) -> None:
    if not words.isdisjoint(token.text.lower() for token in sentence.tokens):
        raise Unsuitable(reason)


# ---- Test A ----


def past(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he ate; he is, he was."""
    found = clause(sentence)
    verb = sentence.tokens[found.verb]
    if verb.tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse(sentence, NOT_PAST, "an adverb of another time")
    _refuse_ambiguous(sentence, found.verb)
    if verb.lemma == "be":
        form = "was" if found.number in ("1s", "3s") else "were"
    elif verb.text.lower() == "'ve":
        raise Unsuitable("a contraction of two readings")
    else:
        form = tools.inflect(verb.lemma, "VBD")
    if form == verb.text:
        raise Unsuitable("past and present are alike")
    return [sentence.changed({found.verb: form})]


def future(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he will eat; he doesn't eat, he won't eat."""
    found = clause(sentence)
    verb, following = sentence.tokens[found.verb], _following(sentence, found.verb)
    if verb.tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse_ambiguous(sentence, found.verb)
    _refuse(sentence, NOT_FUTURE, "an adverb of another time")
    _refuse_adverb_before(sentence, found.verb)
    if following.lemma == "not":
        infinitive = "" if verb.lemma == "do" else f" {verb.lemma}"
        apart = " not" if following.space == "" else "not"
        return [sentence.changed({found.verb: "will", found.verb + 1: f"{apart}{infinitive}"})]
    if verb.lemma == "be" and following.tag == "TO":
        raise Unsuitable("a verb that has no future")
    if verb.lemma in ("be", "have") and following.tag == "RB":
        if following.text not in MIDDLE_ADVERBS:
            raise Unsuitable("an adverb after the verb")
        return [sentence.changed({found.verb: "will", found.verb + 1: f"{following.text} {verb.lemma}"})]
    return [sentence.changed({found.verb: f"will {verb.lemma}"})]


def _refuse_adverb_before(sentence: Sentence, verb: int) -> None:
    if verb and sentence.tokens[verb - 1].tag == "RB":
        raise Unsuitable("an adverb before the verb")


def _refuse_ambiguous(sentence: Sentence, verb: int) -> None:
    """'s before a participle is "is" or "has"; do before a verb is emphatic; have got has no other forms."""
    token, following = sentence.tokens[verb], _following(sentence, verb)
    if token.text.lower() == "'s" and (token.lemma != "be" or following.tag in ("VBN", "VBD", "RB")):
        raise Unsuitable("a contraction of two readings")
    if token.lemma == "do" and following.tag in ("VB", "VBP") or following.text == "got":
        raise Unsuitable("an emphatic or idiomatic verb")


def conditional(sentence: Sentence, tools: Tools) -> list[str]:
    """he will eat, he would eat."""
    found = clause(sentence)
    if sentence.tokens[found.verb].lemma != "will" or sentence.tokens[found.verb].tag != "MD":
        raise Unsuitable("no will")
    return [sentence.changed({found.verb: "would"})]


def subjunctive(sentence: Sentence, tools: Tools) -> list[str]:
    """I believe that he comes, I do not believe that he comes."""
    tokens = sentence.tokens
    finite = [i for i, token in enumerate(tokens) if token.tag in FINITE]
    if len(finite) != 2 or finite[0] != 1 or tokens[0].text.lower() not in PRONOUN_SUBJECTS:
        raise Unsuitable("no belief about one clause")
    main, below = finite
    if tokens[below].tag not in PRESENT or tokens[main].tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse(sentence, NEGATIVE_OR_POLAR, "a word that goes badly with a negation")
    if tokens[main].lemma in BELIEFS:
        after, auxiliary = main + 1, "does" if tokens[main].tag == "VBZ" else "do"
        changes = {main: f"{auxiliary} not {tokens[main].lemma}"}
    elif tokens[main].lemma == "be" and tokens[main + 1].text in CERTAINTIES:
        after, changes = main + 2, {main + 1: f"not {tokens[main + 1].text}"}
    else:
        raise Unsuitable("no belief about one clause")
    start = after + (tokens[after].text == "that")
    if start >= below or not {token.tag for token in tokens[start:below]} <= SUBJECT_TAGS - {"IN"}:
        raise Unsuitable("no belief about one clause")
    return [sentence.changed(changes)]


def pronoun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I see him, I see them."""
    i = _object_pronoun(sentence, SINGULAR_OBJECTS)
    verb = next((j for j, token in enumerate(sentence.tokens) if token.tag in FINITE), i)
    if sentence.tokens[i].text == "it" and any(token.tag == "NN" for token in sentence.tokens[verb:i]):
        raise Unsuitable("the antecedent may be in the sentence")
    return [sentence.changed({i: "them"})]


def _object_pronoun(sentence: Sentence, forms: tuple[str, ...]) -> int:
    """Position of the only object pronoun: after a verb or preposition, at the end of its phrase."""
    found = [i for i, token in enumerate(sentence.tokens) if token.text in forms and token.tag == "PRP"]
    found = [i for i in found if i and sentence.tokens[i - 1].tag in ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "IN")]
    if len(found) != 1:
        raise Unsuitable("no single object pronoun")
    i = found[0]
    before, after = sentence.tokens[i - 1], _following(sentence, i)
    if after.tag not in (".", "IN") and after.text not in (".", "!", ","):
        raise Unsuitable("the pronoun does not end its phrase")
    if before.lemma in SUPPORT_VERBS or before.tag in FINITE and i == 1 or before.text.lower() in ("that", "because"):
        raise Unsuitable("an idiom or a subject")
    if before.tag == "IN" and before.text.lower() in ("if", "as", "than", "whether", "while", "since", "like"):
        raise Unsuitable("an idiom or a subject")
    return i


def noun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I know the man, I know the men; the man sleeps, the men sleep."""
    found, variants = clause(sentence), []
    for i, token in enumerate(sentence.tokens):
        if token.tag == "NN" and token.text.islower() and token.text not in UNCOUNTABLE | TIMES:
            plural, determiner = tools.inflect(token.lemma, "NNS"), _determiner(sentence, i)
            if plural != token.text and determiner is not None and _may_be_plural(sentence, found, i, determiner):
                form = NUMBERED[sentence.tokens[determiner].text.lower()]
                changes = {i: plural} | ({determiner: form} if form else {})
                if i == found.head:
                    changes |= _plural_verb(sentence, found.verb, tools)
                variants.append(sentence.changed(changes))
    if not variants:
        raise Unsuitable("no countable singular noun with a definite determiner")
    return variants


def _may_be_plural(sentence: Sentence, found: Clause, i: int, determiner: int) -> bool:
    """Is the noun at i the subject's head, or an object that ends its phrase, with a definite determiner?

    Raises:
        Unsuitable: it is a subject that the rest of the sentence takes up in the singular.
    """
    tokens = sentence.tokens
    if tokens[determiner].text.lower() not in NUMBERED or tokens[i + 1].text == "'s":
        return False
    if i == found.head:
        _refuse(sentence, REFLEXIVES, "a reflexive pronoun")
        after = {token.text for token in tokens[found.verb + 1 : found.verb + 3]}
        if tokens[found.verb].lemma in ("be", "become", "remain") and after & {"a", "an", "the"}:
            raise Unsuitable("a predicate noun")
        return True
    ends = tokens[i + 1].tag[:2] not in ("NN", "JJ", "CD", "PO", "VB")
    return i > found.verb and ends and not _is_predicate(sentence, determiner) and not _is_named(sentence, i)


def _is_predicate(sentence: Sentence, determiner: int) -> bool:
    """Does the noun phrase say what another one is: after be, a comma or as?"""
    before = sentence.tokens[determiner - 1]
    return determiner > 0 and (before.lemma == "be" or before.text in (",", "as"))


def _is_named(sentence: Sentence, i: int) -> bool:
    """Is the noun followed by its own name ("the province of Alzira")?"""
    return sentence.tokens[i + 1].text == "of" and sentence.tokens[i + 2].tag.startswith("NNP")


def _determiner(sentence: Sentence, noun: int) -> int | None:
    """Position of the noun's determiner, before adjectives alone."""
    for i in range(noun - 1, -1, -1):
        if sentence.tokens[i].tag in ("DT", "PRP$"):
            return i
        if sentence.tokens[i].tag != "JJ":
            return None
    return None


def _plural_verb(sentence: Sentence, verb: int, tools: Tools) -> dict[int, str]:
    token = sentence.tokens[verb]
    if token.text.startswith("'"):
        raise Unsuitable("a contraction of two readings")
    if token.lemma == "be" and token.tag != "MD":
        return {verb: "were" if token.tag == "VBD" else "are"}
    return {verb: "have" if token.lemma == "have" else token.lemma} if token.tag == "VBZ" else {}


def negation(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he does not eat; he can, he cannot."""
    found = clause(sentence)
    _refuse(sentence, NEGATIVE_OR_POLAR, "a word that goes badly with a negation")
    _refuse_ambiguous(sentence, found.verb)
    verb = sentence.tokens[found.verb]
    _refuse_adverb_before(sentence, found.verb)
    following = _following(sentence, found.verb)
    if verb.tag == "MD":
        if verb.text == "'d":
            raise Unsuitable("a contraction of two readings")
        form = {"can": "cannot", "'ll": "will not"}.get(verb.text, f"{verb.text} not")
    elif verb.lemma == "be":
        form = f"{verb.text} not"
    elif verb.lemma == "have" and "VBN" in (following.tag, *(t.tag for t in sentence.tokens[found.verb + 2 :][:1])):
        form = f"{verb.text} not"
    elif verb.text.startswith("'"):
        raise Unsuitable("a contraction of two readings")
    else:
        form = f"{ {'VBZ': 'does', 'VBP': 'do', 'VBD': 'did'}[verb.tag] } not {verb.lemma}"
    return [sentence.changed({found.verb: form})]


def comparative(sentence: Sentence, tools: Tools) -> list[str]:
    """a small house, a smaller house."""
    return [sentence.changed({i: tools.inflect(word, "JJR")}) for i, word in _gradable(sentence, tools)]


def superlative(sentence: Sentence, tools: Tools) -> list[str]:
    """a small house, the smallest house; his small house, his smallest house."""
    variants = []
    for i, word in _gradable(sentence, tools):
        before, form = sentence.tokens[i - 1], tools.inflect(word, "JJS")
        if not _following(sentence, i).tag.startswith("NN") or before.tag not in ("DT", "PRP$"):
            continue
        if before.text.lower() in ("a", "an"):
            variants.append(sentence.changed({i - 1: "the", i: form}))
        elif before.text.lower() in ("the", *POSSESSIVES):
            variants.append(sentence.changed({i: form}))
    if not variants:
        raise Unsuitable("no gradable adjective with a determiner before a noun")
    return variants


def _gradable(sentence: Sentence, tools: Tools) -> list[tuple[int, str]]:
    """Positions and forms of adjectives that can be compared: with an opposite, and not relational ("national")."""
    found = []
    for i, word in _adjectives(sentence):
        known = tools.related(word, "a")
        compared = not tools.inflect(word, "JJR").startswith("more ") or word.endswith(GRADABLE_ENDINGS)
        if compared and word not in NOT_GRADABLE and known["antonyms"] and not known["relational"]:
            found.append((i, word))
    if not found:
        raise Unsuitable("no gradable adjective in a simple place")
    return found


def _adjectives(sentence: Sentence) -> list[tuple[int, str]]:
    """Positions and forms of adjectives after be, or between a determiner and a noun, without others beside them."""
    found = []
    for i, token in enumerate(sentence.tokens[:-1]):
        if token.tag == "JJ" and i and token.text.isalpha() and token.text.islower():
            before, after = sentence.tokens[i - 1], sentence.tokens[i + 1]
            beyond = sentence.tokens[i + 2].tag if i + 2 < len(sentence.tokens) else ""
            noun = after.tag in ("NN", "NNS") and not beyond.startswith("NN")  # not "a high school student"
            place = before.lemma == "be" or before.tag in ("DT", "PRP$") and noun
            alone = after.tag not in ("JJ", "CC") and after.text not in (",", "that", "to")
            if place and alone and before.text.lower() not in DEGREE_WORDS:
                found.append((i, token.text))
    return found


# ---- Test B ----


def coord_verb(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he eats and drinks."""
    i, others = _verbs_like(sentence, tools)
    return [sentence.changed({i: f"{sentence.tokens[i].text} and {other}"}) for other in others]


def _content_verb(sentence: Sentence) -> int:
    """Position of the finite verb, if it is no auxiliary, support or phrasal verb."""
    i = clause(sentence).verb
    verb, following = sentence.tokens[i], _following(sentence, i)
    if verb.tag == "MD" or verb.lemma in SUPPORT_VERBS or verb.text.startswith("'"):
        raise Unsuitable("no content verb")
    if any(token.tag in ("RP", "TO") for token in sentence.tokens) or following.tag in ("VBG", "VB", "JJ", "VBN", "CD"):
        raise Unsuitable("a verb with a particle or a clause")
    if following.text in ("that", "up", "out", "off", "down") or following.tag == "IN" and following.text not in PLACES:
        raise Unsuitable("a verb with a particle or a clause")
    return i


def _verbs_like(sentence: Sentence, tools: Tools) -> tuple[int, list[str]]:
    """The verb's position and others of near meaning in its form, with an object if it has one and else without."""
    i = _content_verb(sentence)
    verb = sentence.tokens[i]
    frame = "transitive" if _following(sentence, i).tag in OBJECT_TAGS else "intransitive"
    known = tools.related(verb.lemma, "v")
    words = [*known["synonyms"], *known["antonyms"], *known["hyponyms"], *known["sisters"]]
    words = [word for word in dict.fromkeys(words) if word not in SUPPORT_VERBS and len(word) > 2]
    words = [word for word in words if frame in tools.related(word, "v")["frames"]]
    forms = [tools.inflect(word, verb.tag) for word in words[:ALTERNATIVES]]
    forms = [form for form in dict.fromkeys(forms) if form != verb.text]
    if not forms:
        raise Unsuitable("no verb of near meaning")
    return i, forms


def np(sentence: Sentence, tools: Tools) -> list[str]:
    """I see them, I see the happy researchers: the pronoun gives way to an adjective and a noun of the corpus."""
    i = _object_pronoun(sentence, OBJECT_PRONOUNS)
    if sentence.tokens[i - 1].text == "of":
        raise Unsuitable("an idiom or a subject")
    return [sentence.changed({i: f"the {phrase}"}) for phrase in tools.phrases]


def noun_phrases(sentence: Sentence) -> Iterable[str]:
    """Adjective and noun that stand together after "the" in the sentence: what `np` puts in a pronoun's place."""
    for determiner, adjective, noun, after in zip(*(sentence.tokens[i:] for i in range(4))):
        plain = adjective.text.isalpha() and noun.text.isalpha() and (adjective.text + noun.text).islower()
        if determiner.text.lower() == "the" and adjective.tag == "JJ" and noun.tag in ("NN", "NNS") and plain:
            if after.tag not in ("NN", "NNS", "POS") and adjective.text not in NOT_GRADABLE:
                yield f"{adjective.text} {noun.text}"


def coref(sentence: Sentence, tools: Tools) -> list[str]:
    """he takes the book and reads it, he takes the volume and reads it."""
    links = tools.coreference(list(sentence.tokens))
    if len({antecedent for antecedent, _ in links}) != 1:
        raise Unsuitable("no single antecedent")
    i = links[0][0]
    noun = sentence.tokens[i]
    finite = [token for token in sentence.tokens if token.tag in FINITE]
    if len(finite) < 2:
        raise Unsuitable("antecedent and pronoun in one clause")
    if (
        not noun.text.islower()
        or noun.text.endswith(("one", "body", "thing"))
        or noun.lemma in UNCOUNTABLE | TIMES
        or _following(sentence, i).tag in ("NN", "NNS")
    ):
        raise Unsuitable("no single antecedent")
    known = tools.related(noun.lemma, "n")
    words = [*known["synonyms"], *known["hyponyms"], *known["sisters"]][:ALTERNATIVES]
    forms = dict.fromkeys(tools.inflect(word, noun.tag) for word in words)
    variants = [sentence.changed({i: form}) for form in forms if form != noun.text]
    if not variants:
        raise Unsuitable("no synonym of the antecedent")
    return variants


# ---- Test C ----


def verb_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he drinks, ...: verbs of near or opposite meaning in the place of the verb."""
    i, others = _verbs_like(sentence, tools)
    return [sentence.changed({i: other}) for other in others]


def adj_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """a big house, a small house, ...: adjectives of near or opposite meaning in the place of the adjective."""
    for i, word in _adjectives(sentence):
        known = tools.related(word, "a")
        words = [*known["antonyms"], *known["synonyms"], *known["sisters"]]
        words = [
            other for other in dict.fromkeys(words) if other not in NOT_GRADABLE and not _is_compared(other, tools)
        ]
        if len(words) >= 4 and word not in NOT_GRADABLE:
            return [sentence.changed({i: other}) for other in words[:ALTERNATIVES]]
    raise Unsuitable("no adjective with four of near or opposite meaning")


def _is_compared(word: str, tools: Tools) -> bool:
    """Is the word another adjective's comparative or superlative ("larger"; "modest" is none)?"""
    for tag, ending in (("JJR", "er"), ("JJS", "est")):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            for lemma in (stem, stem + "e", stem[:-1], stem[:-1] + "y"):
                if len(lemma) > 2 and tools.inflect(lemma, tag) == word and any(tools.related(lemma, "a").values()):
                    return True
    return False


# Tests whose variants, or whose choice of adjectives, take WordNet.
WITH_RELATED_WORDS = ("comparative", "superlative", "coord_verb", "coref", "verb_consistency", "adj_consistency")
VARIATIONS: dict[str, Callable[[Sentence, Tools], list[str]]] = {
    "past": past,
    "future": future,
    "conditional": conditional,
    "subjunctive": subjunctive,
    "pronoun_number": pronoun_number,
    "comparative": comparative,
    "superlative": superlative,
    "negation": negation,
    "noun_number": noun_number,
    "coord_verb": coord_verb,
    "np": np,
    "coref": coref,
    "verb_consistency": verb_consistency,
    "adj_consistency": adj_consistency,
}
