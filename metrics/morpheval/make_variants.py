"""English: which sentences can be a base of a test, and what their variants are (paper, sections 3.1 to 3.4).

A variation is a function from a tagged sentence to its possible variants; `generation` keeps the most fluent.
Each changes the words that the test is about, and what grammar changes with them: agreement, auxiliaries, a and an.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile

from .make_clauses import (
    CONDITIONS,
    FINITE,
    MARKS,
    NOUN_TAGS,
    PRESENT,
    RELATIVES,
    SAYING,
    TIMES,
    Clause,
    Sentence,
    Token,
    Unsuitable,
    clause,
)
from .make_tools import PLURAL, Phrase, Tools
from .make_word_classes import words_like

# ---- Closed lists ----

PERSONAL_PRONOUNS = frozenset("i me we us you he him she her who".split())
OBJECT_PRONOUNS = ("me", "him", "her", "it", "us", "them", "you")
SINGULAR_OBJECTS = ("him", "her", "it")
BOTH_OBJECTS = ("me", "you")
PLURAL_OBJECTS = ("us", "them", "you")
POSSESSIVES = ("my", "your", "his", "her", "its", "our", "their")
NUMBERED = {"the": "the", "this": "these", "that": "those", **dict.fromkeys(POSSESSIVES)}
BELIEFS = ("believe", "think")
CERTAINTIES = ("sure", "certain", "convinced")
NEGATIVE_OR_POLAR = frozenset(
    "cannot few seldom rarely used better rather not n't never no none nobody nothing nowhere neither nor hardly "
    "barely scarcely almost nearly practically virtually only some someone something already also too still just both "
    "either any yet even quite".split()
)
QUANTIFIERS = frozenset("everyone everybody everything every each most all many always".split())  # fine behind "not"
PAIRED_CONJUNCTIONS = frozenset("either both".split())
NOT_PAST = frozenset("now currently tomorrow tonight soon nowadays presently next".split())
PAST_MODALS = {"can": "could", "will": "would", "may": "might"}
NOT_FUTURE = frozenset("yesterday ago now currently already recently last since nowadays".split())
PREDETERMINERS = frozenset("such what quite rather half many as so too".split())
DEGREE_WORDS = frozenset("very too so as more most less least how quite rather much far no such enough".split())
GRADABLE_ENDINGS = ("ful", "ous", "ive", "ant", "ent", "able", "ible", "ern", "ular", "ult", "ess", "some")
NOT_GRADABLE = frozenset(
    "available possible impossible inferior superior absent civil criminal public private interior exterior legal "
    "free full empty equal separate apparent current pregnant permanent interim subsequent consecutive simultaneous "
    "previous various responsible alternative executive legislative western eastern northern southern modern regular "
    "similar clear worthless own other same such last next first second third only main major former latter whole "
    "entire chief total final due new past present future double single daily annual joint actual alleged dead able "
    "unable unlikely likely ready many few several more less much little most least certain real senior junior prime "
    "late recent wrong right true ill alive sure farther further inner outer upper lower utter left front back top "
    "bottom side middle opposite different male female married mighty black white red green blue yellow brown gray "
    "grey pink purple orange very average mean".split()
)
# Nouns in fixed phrases with adjectives.
FIXED_NOUNS = frozenset("deal while lot bit amount number many few way time medium art".split())
UNCOUNTABLE = frozenset(
    "information advice news evidence money work time water air oil gas food music traffic weather equipment "
    "furniture research progress knowledge health help business education trade safety security violence peace war "
    "homework luggage energy electricity power blood sand rice bread milk coffee tea beer wine gold silver cash stuff "
    "fun luck damage growth support pressure trust love hate anger fear joy death life public press rest world sun "
    "moon sky economy internet media police staff crew people government number lot kind sort bit way clothing "
    "machinery jewelry mail software hardware ammunition cattle poetry laundry paper cloth cotton steel glass wood "
    "timber leather plastic mankind humanity youth clergy majority minority universe sea ocean ground land soil earth "
    "countryside environment horizon speech laughter applause praise grammar literature fiction television radio "
    "telephone phone military navy administration congress senate parliament opposition leadership faculty artillery "
    "character infantry cavalry wildlife vegetation scenery audience person legislation success soul past "
    "north south east west".split()
)
# Nouns of these kinds (WordNet's lexicographer files) have plurals that mean nothing else.
COUNTABLE = frozenset("person animal artifact plant object".split())
UNIQUE = frozenset(
    "wife husband mother father mama papa mom mum mommy dad daddy spouse family boss hometown birthplace home head "
    "name bride king queen pope god lord country nation".split()
)
WHOLE = frozenset("whole entire sole single full only same very".split())
SINGULAR_PRONOUNS = frozenset("it its itself he him his himself she her hers herself one".split())
DRESSING = ("dress", "clothe", "clad")
COPULAS = ("be", "become", "remain", "seem")
SUPPORT_VERBS = frozenset(
    "be have do get make take go come give put let keep seem become need want use say tell".split()
)
MIDDLE_ADVERBS = frozenset(
    "also still always often just soon usually really probably certainly clearly widely generally currently".split()
)
# "it" may be no pronoun of a noun: after these, before these, as these, and where a clause follows.
VERBS_OF_CLAUSES = frozenset(
    "help swear settle dig risk chance beat make find think consider get believe know mean say blame take do call keep "
    "as".split()
)
COPULA_TAGS = frozenset("MD RB VB VBZ VBD VBN VBG".split())
EXPLETIVE_VERBS = frozenset("seem appear happen turn rain snow take matter follow look feel sound".split())
RAIN = frozenset("rain snow hail raining snowing hailing".split())
WEATHER = frozenset("dark cold hot warm late early light noon midnight easter christmas quiet raining snowing".split())
NO_PREPOSITIONS = frozenset("if as than whether while since like before after when though for".split())
CLAUSE_OPENERS = frozenset("that to for if when who how whether because like".split())
# Prepositions that any verb may have after it; those that make few idioms with "the"; those of a place about somebody.
PLACES = frozenset("in near during after before under behind since until inside outside".split())
AROUND = frozenset("behind around about before beside above below under over near with of on".split())
OPEN_PREPOSITIONS = frozenset("with from for about near behind against into".split())
BESIDE = ("coordinate", "parallel", "loose")  # clauses that have the tense of the main one
BELIEVED_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS IN EX".split())
PHRASE_ENDS = ("PRP", *NOUN_TAGS)
OBJECT_TAGS = ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "JJ")

PARTICLES = ("up", "out", "off", "down", "away", "back", "together", "apart", "along", "aside", "over")
ALTERNATIVES = 12  # words tried in a place


def _following(sentence: Sentence, i: int) -> Token:
    return sentence.tokens[i + 1]  # there always is one: a sentence ends with a mark


def _refuse(sentence: Sentence, words: frozenset, reason: str) -> None:
    if not words.isdisjoint(token.text.lower() for token in sentence.tokens):
        raise Unsuitable(reason)


# ---- Test A ----


def past(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he ate; he says that he is here, he said that he was here."""
    found = clause(sentence)
    if sentence.tokens[found.verb].tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse(sentence, NOT_PAST, "an adverb of another time")
    changes = {found.verb: _past_form(sentence, found.verb, found.number in ("1s", "3s"), tools)}
    for other in found.others:
        token = sentence.tokens[other.verb]
        if token.tag in PRESENT:
            if not _has_clear_subject(sentence, other.verb):
                raise Unsuitable("another verb of unclear form")
            changes[other.verb] = _past_form(sentence, other.verb, token.text.lower() not in ("are", "'re"), tools)
        elif token.text in PAST_MODALS:
            changes[other.verb] = PAST_MODALS[token.text]
        elif token.text in ("'ll", "'d", "ca", "wo", "shall"):
            raise Unsuitable("a contraction of two readings")
    return [sentence.changed(changes)]


def _past_form(sentence: Sentence, i: int, singular: bool, tools: Tools) -> str:
    verb = sentence.tokens[i]
    _refuse_ambiguous(sentence, i)
    if verb.lemma == "be":
        return "was" if singular else "were"
    if verb.text.lower() == "'ve":
        raise Unsuitable("a contraction of two readings")
    form = tools.inflect(verb.lemma, "VBD")
    if form == verb.text:
        raise Unsuitable("past and present are alike")
    return form


def _has_clear_subject(sentence: Sentence, verb: int) -> bool:
    """Is what the tagger takes for a present no infinitive: a form in -s or of be, or straight after its subject?"""
    token, before = sentence.tokens[verb], sentence.tokens[verb - 1]
    plural = before.tag in ("NNS", "NNPS") or before.text.lower() in ("i", "you", "we", "they", "who", "which", "that")
    return token.tag == "VBZ" or token.lemma == "be" or plural


def future(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he will eat; he doesn't eat, he won't eat; does he eat, will he eat."""
    found = clause(sentence)
    verb, following = sentence.tokens[found.verb], _following(sentence, found.verb)
    if verb.tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse_ambiguous(sentence, found.verb)
    _refuse(sentence, NOT_FUTURE, "an adverb of another time")
    _refuse_adverb_before(sentence, found.verb)
    _refuse_beside(sentence, found)
    if found.inverted:
        if verb.lemma != "do":
            raise Unsuitable("a question that takes another order")
        return [sentence.changed({found.verb: "will"})]
    if following.lemma == "not":
        infinitive = "" if verb.lemma == "do" else f" {verb.lemma}"
        apart = " not" if following.space == "" else "not"
        return [sentence.changed({found.verb: "will", found.verb + 1: f"{apart}{infinitive}"})]
    if verb.lemma == "be" and (following.tag == "TO" or following.text in ("going", "about", "gonna")):
        raise Unsuitable("a verb that has no future")
    if verb.lemma in ("be", "have") and following.tag == "RB":
        if following.text not in MIDDLE_ADVERBS:
            raise Unsuitable("an adverb after the verb")
        return [sentence.changed({found.verb: "will", found.verb + 1: f"{following.text} {verb.lemma}"})]
    return [sentence.changed({found.verb: f"will {verb.lemma}"})]


def _refuse_adverb_before(sentence: Sentence, verb: int) -> None:
    if verb and sentence.tokens[verb - 1].tag == "RB" and sentence.tokens[verb - 1].text.islower():
        raise Unsuitable("an adverb before the verb")


def _refuse_beside(sentence: Sentence, found: Clause) -> None:
    """Another present verb beside the clause's would have to change with it."""
    for other in found.others:
        if other.relation in BESIDE and sentence.tokens[other.verb].tag in PRESENT:
            raise Unsuitable("a verb beside the first")


def _refuse_ambiguous(sentence: Sentence, verb: int) -> None:
    """'s before a participle is "is" or "has"; do before a verb is emphatic; have got has no other forms."""
    token, following = sentence.tokens[verb], _following(sentence, verb)
    if token.text.lower() == "'s" and (token.lemma != "be" or following.tag in ("VBN", "VBD", "RB")):
        raise Unsuitable("a contraction of two readings")
    if token.lemma == "do" and following.tag in ("VB", "VBP") or following.text == "got":
        raise Unsuitable("an emphatic or idiomatic verb")


def conditional(sentence: Sentence, tools: Tools) -> list[str]:
    """he will eat, he would eat; every will of the sentence changes."""
    found = clause(sentence)
    if not _is_will(sentence.tokens[found.verb]):
        raise Unsuitable("no will")
    for other in found.others:
        present = sentence.tokens[other.verb].tag in PRESENT
        if present and (other.opened in CONDITIONS or other.relation in BESIDE):
            raise Unsuitable("a condition in the present")
        if other.opened in CONDITIONS and sentence.tokens[other.verb].tag == "MD":
            raise Unsuitable("a condition in the present")
    wills = [other.verb for other in found.others if _is_will(sentence.tokens[other.verb])]
    return [sentence.changed(dict.fromkeys((found.verb, *wills), "would"))]


def _is_will(token: Token) -> bool:
    return token.tag == "MD" and token.lemma == "will"


def subjunctive(sentence: Sentence, tools: Tools) -> list[str]:
    """I believe that he comes, I do not believe that he comes."""
    found, tokens = clause(sentence), sentence.tokens
    main = found.verb
    if found.inverted or [(other.relation, other.opened) for other in found.others] not in (
        [("subordinate", "that")],
        [("subordinate", "")],
    ):
        raise Unsuitable("no belief about one clause")
    below = found.others[0].verb
    if tokens[below].tag not in PRESENT or tokens[main].tag not in PRESENT:
        raise Unsuitable("not in the present")
    _refuse(sentence, NEGATIVE_OR_POLAR | {"yes", "bit"}, "a word that goes badly with a negation")
    _refuse_adverb_before(sentence, main)
    if tokens[main].lemma in BELIEFS:
        after, auxiliary = main + 1, "does" if tokens[main].tag == "VBZ" else "do"
        changes = {main: f"{auxiliary} not {tokens[main].lemma}"}
    elif tokens[main].lemma == "be" and tokens[main + 1].text in CERTAINTIES:
        after, changes = main + 2, {main + 1: f"not {tokens[main + 1].text}"}
    else:
        raise Unsuitable("no belief about one clause")
    start = after + (tokens[after].text == "that")
    if start >= below or not {token.tag for token in tokens[start:below]} <= BELIEVED_TAGS:
        raise Unsuitable("no belief about one clause")
    return [sentence.changed(changes)]


def pronoun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I see him, I see them."""
    i = _object_pronoun(sentence, SINGULAR_OBJECTS)
    tokens, pronoun = sentence.tokens, sentence.tokens[i].text
    same = {"him": {"he", "his", "himself"}, "her": {"she", "her", "hers", "herself"}, "it": {"it", "its", "itself"}}
    others = {token.text.lower() for j, token in enumerate(tokens) if j != i}
    if others & (same[pronoun] | {"they", "them", "their"}):
        raise Unsuitable("the antecedent may be in the sentence")
    found = clause(sentence)
    participle = any(token.tag == "VBG" for token in tokens[found.verb : i]) and tokens[found.verb].lemma != "be"
    simple = not found.others and not participle and tokens[i - 1].text not in AROUND
    for j, token in enumerate(tokens[:i]):
        if _may_be_meant(token, pronoun, tools) and not (simple and j < found.verb and pronoun != "it"):
            raise Unsuitable("the antecedent may be in the sentence")
    return [sentence.changed({i: "them"})]


def _may_be_meant(noun: Token, pronoun: str, tools: Tools) -> bool:
    """May the pronoun stand for the noun: a person or a name for him and her, something else for it?"""
    if noun.tag.startswith("NNP"):
        return True
    person = "person" in _kinds(noun, tools)
    return noun.tag == "NN" and person == (pronoun != "it")


def _object_pronoun(sentence: Sentence, forms: tuple[str, ...]) -> int:
    """Position of the only object pronoun: after a verb or preposition, at the end of its phrase."""
    clause(sentence)
    found = [i for i, token in enumerate(sentence.tokens) if token.text in forms and token.tag == "PRP"]
    found = [i for i in found if i and sentence.tokens[i - 1].tag in ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "IN")]
    if len(found) != 1:
        raise Unsuitable("no single object pronoun")
    i = found[0]
    before, after = sentence.tokens[i - 1], _following(sentence, i)
    if after.tag not in (".", "IN") and after.text not in MARKS:
        raise Unsuitable("the pronoun does not end its phrase")
    if before.lemma in SUPPORT_VERBS or before.tag in FINITE and i == 1 or before.text.lower() in ("that", "because"):
        raise Unsuitable("an idiom or a subject")
    if before.tag == "IN" and before.text.lower() in NO_PREPOSITIONS or before.lemma in VERBS_OF_CLAUSES | {"damn"}:
        raise Unsuitable("an idiom or a subject")
    return i


def noun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I know the man, I know the men; the man sleeps, the men sleep."""
    found, variants = clause(sentence), []
    _refuse(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    for i, token in enumerate(sentence.tokens):
        determiner = _determiner(sentence, i) if _is_countable(token, tools) else None
        if determiner is not None and _may_be_plural(sentence, found, i, determiner):
            plural, form = tools.inflect(token.lemma, "NNS"), NUMBERED[sentence.tokens[determiner].text.lower()]
            changes = {i: plural} | ({determiner: form} if form else {})
            if i == found.head:
                changes |= _plural_verb(sentence, found.verb)
            if plural != token.text:
                variants.append(sentence.changed(changes))
    if not variants:
        raise Unsuitable("no countable singular noun with a definite determiner")
    return variants


def _is_countable(token: Token, tools: Tools) -> bool:
    plain = token.tag == "NN" and token.text.islower() and token.text.isalpha()
    if not plain or token.text in UNCOUNTABLE | TIMES:
        return False
    return bool(_kinds(token, tools) & COUNTABLE or words_like(token.lemma, "noun", frozenset()))


def _kinds(token: Token, tools: Tools) -> frozenset:
    """The kinds of noun that a noun or pronoun is, and the noun; none if that is unknown, as of names."""
    if token.tag == "PRP" or token.text.lower() == "who":
        return frozenset(("person",)) if token.text.lower() in PERSONAL_PRONOUNS else frozenset()
    noun = token.tag in ("NN", "NNS") and token.text.islower()
    return frozenset((token.lemma, *tools.related(token.lemma, "n")["kinds"])) if noun else frozenset()


def _may_be_plural(sentence: Sentence, found: Clause, i: int, determiner: int) -> bool:
    """Is the noun at i a subject or object with a definite determiner, which nothing else takes up in the singular?"""
    tokens, article = sentence.tokens, sentence.tokens[determiner].text.lower()
    following, before = tokens[i + 1], tokens[determiner - 1] if determiner else None
    rest = {token.text.lower() for token in tokens[i + 1 :]}
    if article not in NUMBERED or rest & SINGULAR_PRONOUNS or _is_repeated(sentence, i):
        return False
    if following.text.lower() in RELATIVES | {"'s", "'"}:
        return False
    if article in POSSESSIVES and tokens[i].lemma in UNIQUE or WHOLE & {t.text for t in tokens[determiner:i]}:
        return False
    if following.text == "of" and tokens[i].text.endswith("ing"):
        return False
    if i == found.head:
        if {"it", "its", "itself"} & {token.text.lower() for token in tokens}:
            return False
        agreed = not any(other.relation == "coordinate" for other in found.others)
        return found.number == "3s" and agreed and not found.inverted and not _has_predicate(sentence, found.verb)
    goes_on = following.text == "," or following.tag[:2] in ("NN", "JJ", "CD", "PO", "VB", "MD", "RP")
    if i < found.verb or goes_on or _is_named(sentence, i):
        return False
    idiomatic = before.lemma in SUPPORT_VERBS | {"play", "bring"} or following.text in PARTICLES
    governed = before.tag in ("VB", "VBZ", "VBP", "VBD", "VBG") and not idiomatic
    return governed or before.tag == "IN" and before.text in OPEN_PREPOSITIONS


def _has_predicate(sentence: Sentence, verb: int) -> bool:
    """Does a noun phrase say what the subject is, or what each of several would have: the man wears a hat?"""
    tokens = sentence.tokens
    for i in range(verb, len(tokens) - 2):
        after = next((token for token in tokens[i + 1 :] if token.tag != "RB"), tokens[-1])
        if tokens[i].lemma in COPULAS and after.tag in ("DT", "PRP$", "CD", "TO", *NOUN_TAGS) or after.text == "that":
            return True
        owned = tokens[i].tag.startswith("VB") or tokens[i].lemma in ("as", "like") or tokens[i - 1].lemma in DRESSING
        if owned and tokens[i + 1].text in ("a", "an"):
            return True
    return False


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


def _plural_verb(sentence: Sentence, verb: int) -> dict[int, str]:
    token = sentence.tokens[verb]
    if token.text.startswith("'"):
        raise Unsuitable("a contraction of two readings")
    if token.lemma == "be" and token.tag != "MD":
        return {verb: "were" if token.tag == "VBD" else "are"}
    return {verb: token.lemma} if token.tag == "VBZ" else {}


def negation(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he does not eat; he can, he cannot; is he here, is he not here."""
    found = clause(sentence)
    _refuse(sentence, NEGATIVE_OR_POLAR, "a word that goes badly with a negation")
    if not QUANTIFIERS.isdisjoint(token.text.lower() for token in sentence.tokens[: found.verb]):
        raise Unsuitable("a word that goes badly with a negation")
    _refuse_ambiguous(sentence, found.verb)
    verb = sentence.tokens[found.verb]
    _refuse_adverb_before(sentence, found.verb)
    if any(other.relation in ("coordinate", "loose") for other in found.others):
        raise Unsuitable("a verb beside the first")
    if sentence.tokens[found.head].tag == "EX" and any(token.tag == "CC" for token in sentence.tokens[found.verb :]):
        raise Unsuitable("a list")  # not a and a: neither a nor a
    if found.inverted:
        asked = any(token.tag in ("WRB", "WP", "WDT") for token in sentence.tokens[: found.verb])
        if asked or sentence.tokens[found.head].tag != "PRP":
            raise Unsuitable("a question that takes another order")
        return [sentence.changed({found.head: f"{sentence.tokens[found.head].text} not"})]
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
        if word == "far":
            continue
        if i > 1 and sentence.tokens[i - 2].text.lower() in PREDETERMINERS or _is_introduced(sentence, i):
            continue
        if before.text.lower() in ("a", "an"):
            variants.append(sentence.changed({i - 1: "the", i: form}))
        elif before.text.lower() in ("the", *POSSESSIVES):
            variants.append(sentence.changed({i: form}))
    if not variants:
        raise Unsuitable("no gradable adjective with a determiner before a noun")
    return variants


def _is_introduced(sentence: Sentence, i: int) -> bool:
    """Does "there is" stand before, behind which no noun is definite?"""
    return any(token.tag == "EX" for token in sentence.tokens[:i])


def _gradable(sentence: Sentence, tools: Tools) -> list[tuple[int, str]]:
    """Positions and forms of adjectives that can be compared: with an opposite, and not relational ("national")."""
    found = []
    for i, word in _adjectives(sentence):
        known = tools.related(word, "a")
        form = tools.inflect(word, "JJR")
        compared = form != word and (not form.startswith("more ") or word.endswith(GRADABLE_ENDINGS))
        if compared and word not in NOT_GRADABLE and known["antonyms"] and not known["relational"]:
            found.append((i, word))
    if not found:
        raise Unsuitable("no gradable adjective in a simple place")
    return found


def _adjectives(sentence: Sentence) -> list[tuple[int, str]]:
    """Positions and forms of adjectives after be, or between a determiner and a noun, without others beside them."""
    found, words = [], [token.text for token in sentence.tokens]
    for i, token in enumerate(sentence.tokens[:-1]):
        if token.tag == "JJ" and i and token.text.isalpha() and token.text.islower():
            before, after = sentence.tokens[i - 1], sentence.tokens[i + 1]
            beyond = sentence.tokens[i + 2].tag if i + 2 < len(sentence.tokens) else ""
            noun = after.tag in ("NN", "NNS") and not beyond.startswith("NN")  # not "a high school student"
            place = before.lemma == "be" or before.tag in ("DT", "PRP$") and noun
            alone = after.tag not in ("JJ", "CC") and after.text not in (",", "that", "to", "enough")
            alone = alone and after.lemma not in FIXED_NOUNS and words.count(token.text) == 1
            if place and alone and before.text.lower() not in DEGREE_WORDS:
                found.append((i, token.text))
    return found


# ---- Test B ----


def coord_verb(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he eats and drinks."""
    i, others = _verbs_like(sentence, tools)
    return [sentence.changed({i: f"{sentence.tokens[i].text} and {other}"}) for other in others]


def _verbs_like(sentence: Sentence, tools: Tools) -> tuple[int, list[str]]:
    """The verb's position, and in its form the others of its classes, by its object's kind or else by its subject's.

    Raises:
        Unsuitable: an auxiliary or support verb, or one with a particle, a clause or a preposition of its own.
    """
    found, tokens = clause(sentence), sentence.tokens
    i = found.verb
    verb = tokens[i]
    _refuse(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    if verb.tag == "MD" or found.inverted or verb.lemma in SUPPORT_VERBS or verb.text.startswith("'"):
        raise Unsuitable("no content verb")
    if any(other.verb > i and other.opened not in CONDITIONS | {"because"} for other in found.others):
        raise Unsuitable("a verb with a particle or a clause")
    ends = (j for j in range(i + 1, len(tokens)) if tokens[j].tag == "." or tokens[j].text in MARKS)
    rest = tokens[i + 1 : next(ends)]
    transitive = bool(rest) and rest[0].tag in OBJECT_TAGS
    last = _phrase_end(rest) if transitive else 0
    if not {"RP", "TO", "VB", "VBN"}.isdisjoint(token.tag for token in rest) or tokens[i + 1].text == '"':
        raise Unsuitable("a verb with a particle or a clause")
    if rest[last:] and (rest[last].tag not in ("RB", "IN", "CC") or rest[last].text in PARTICLES):
        raise Unsuitable("a verb with a particle or a clause")
    joined = ((before.tag, after.tag) for before, after in pairwise(rest[last:]) if after.text not in ("this", "that"))
    if any(b == "RB" and a == "JJ" or b in PHRASE_ENDS and a in ("DT", "PRP$") for b, a in joined):
        raise Unsuitable("a verb with a particle or a clause")
    kinds = _kinds(rest[_phrase_end(rest, of=False) - 1] if transitive else tokens[found.head], tools)
    prepositions = frozenset(token.text for token in rest[last:] if token.tag == "IN") - PLACES
    use = "transitive" if transitive else "intransitive"
    forms = [tools.inflect(other, verb.tag) for other in words_like(verb.lemma, use, kinds, prepositions)]
    if not forms:
        raise Unsuitable("no verb of the same use")
    return i, _others(sentence, forms)


def _others(sentence: Sentence, words: Iterable[str]) -> list[str]:
    """The words, each once, without those that the sentence has already."""
    own = {token.text for token in sentence.tokens}
    return [word for word in dict.fromkeys(words) if word not in own]


def _phrase_end(tokens: Sequence[Token], of: bool = True) -> int:
    """How many tokens the noun phrase at the beginning has; with ``of``, a phrase with of belongs to it."""
    if tokens[0].tag == "PRP":
        return 1
    for i, token in enumerate(tokens):
        inside = i == 0 or token.tag in ("JJ", "CD", "POS", *NOUN_TAGS) or tokens[i - 1].text == "of"
        if not inside and not (of and token.text == "of"):
            return i
    return len(tokens)


def np(sentence: Sentence, tools: Tools) -> list[str]:
    """I see them, I see the happy researchers: the pronoun gives way to an adjective and a noun of the corpus.

    They are of its number, and of persons where it is.
    """
    i = _object_pronoun(sentence, OBJECT_PRONOUNS)
    pronoun = sentence.tokens[i].text
    if sentence.tokens[i - 1].text == "of":
        raise Unsuitable("an idiom or a subject")
    fitting = (
        phrase
        for phrase in tools.phrases
        if pronoun in (PLURAL_OBJECTS if phrase.plural else SINGULAR_OBJECTS + BOTH_OBJECTS)
        and (pronoun == "them" or phrase.person == (pronoun != "it"))
    )
    return [sentence.changed({i: f"the {phrase.text}"}) for phrase in fitting]


def noun_phrases(sentence: Sentence, tools: Tools) -> Iterable[Phrase]:
    """Adjective and noun that stand together after "the" in the sentence: what `np` puts in a pronoun's place."""
    for determiner, adjective, noun, after in zip(*(sentence.tokens[i:] for i in range(4))):
        plain = adjective.text.isalpha() and noun.text.isalpha() and (adjective.text + noun.text).islower()
        if determiner.text.lower() == "the" and adjective.tag == "JJ" and noun.tag in ("NN", "NNS") and plain:
            if after.tag not in ("NN", "NNS", "POS") and adjective.text not in NOT_GRADABLE:
                person = "person" in _kinds(noun, tools)
                yield Phrase(f"{adjective.text} {noun.text}", noun.tag == "NNS", person)


def coref(sentence: Sentence, tools: Tools) -> list[str]:
    """he takes the book and reads it, he takes the volume and reads it."""
    tokens, links = sentence.tokens, tools.coreference(list(sentence.tokens))
    if len({antecedent for antecedent, _ in links}) != 1:
        raise Unsuitable("no single antecedent")
    i, pronouns = links[0][0], [pronoun for _, pronoun in links]
    noun, kinds = tokens[i], _kinds(tokens[i], tools)
    if sum(token.tag in FINITE for token in tokens) < 2:
        raise Unsuitable("antecedent and pronoun in one clause")
    compound = tokens[i + 1].tag in NOUN_TAGS or i and tokens[i - 1].tag in (*NOUN_TAGS, "VBG", "PRP")  # "you girls"
    again = _is_repeated(sentence, i)
    if not noun.text.islower() or compound or again or noun.tag == "NN" and _determiner(sentence, i) is None:
        raise Unsuitable("no single antecedent")
    if any(_is_expletive(tokens, j) for j in pronouns):
        raise Unsuitable("a pronoun that may stand for nothing")
    if not all(_may_refer(tokens, i, j, "person" in kinds) for j in pronouns):
        raise Unsuitable("a pronoun that may stand for another")
    forms = (tools.inflect(word, noun.tag) for word in words_like(noun.lemma, "noun", frozenset()))
    forms = _others(sentence, forms)[:ALTERNATIVES]
    variants = [sentence.changed({i: form}) for form in forms]
    if not variants:
        raise Unsuitable("no noun of the antecedent's use")
    return variants


def _is_repeated(sentence: Sentence, i: int) -> bool:
    """Does the noun stand in the sentence once more?"""
    return sum(token.lemma == sentence.tokens[i].lemma for token in sentence.tokens) > 1


def _may_refer(tokens: Sequence[Token], noun: int, pronoun: int, person: bool) -> bool:
    """May the pronoun stand for the noun, as far as the sentence tells?

    Not in a relative clause of the noun ("the stories they told"), nor behind a preposition ("he drew his gun and fired
    at it"), nor for a noun behind one ("they sat on the table, it was great"), nor where it stands before the noun as
    well, nor behind "one", nor as an object for its own subject ("the guests would steal them"); "it" for no person;
    "they" for things only where these are something ("they are red").
    """
    start = next((i for i in range(noun - 1, -1, -1) if tokens[i].tag not in ("JJ", "DT", "PRP$", "CD")), 0)
    earlier = {token.text.lower() for token in tokens[:noun]}
    form, between = tokens[pronoun].text.lower(), {token.text.lower() for token in tokens[noun + 1 : pronoun]}
    if tokens[start].tag == "IN" or not earlier.isdisjoint(PLURAL if form in PLURAL else (form,)):
        return False
    if "one" in between or form in ("it", "them") and _is_subject_of(tokens, noun, pronoun):
        return False
    if tokens[noun + 1].tag == "TO" and pronoun == noun + 3:
        return False  # "questions to ask them"
    if pronoun - noun < 2 or between & RELATIVES or tokens[pronoun - 1].tag == "IN" and form in ("it", "them"):
        return False
    if form == "they":
        return person or any(token.lemma == "be" for token in tokens[pronoun + 1 : pronoun + 3])
    return form == "them" or not person


def _is_subject_of(tokens: Sequence[Token], noun: int, pronoun: int) -> bool:
    """Is the noun the subject of the verb whose object stands at pronoun, with no other subject between them?"""
    verb = next(i for i in range(noun + 1, len(tokens)) if tokens[i].tag != "RB")
    is_object = tokens[pronoun - 1].tag[:2] == "VB" and tokens[pronoun + 1].tag not in FINITE
    if tokens[verb].tag not in FINITE or not is_object:
        return False
    subjects = (*NOUN_TAGS, "PRP", "EX", "WP", "WDT")
    words = [token.tag for token in tokens[verb + 1 : pronoun] if token.tag != "RB"]
    return not any(tag in subjects and after in (*FINITE, "TO", "VBG", "VB") for tag, after in zip(words, words[1:]))


def _is_expletive(tokens: Sequence[Token], i: int) -> bool:
    """May the "it" at i stand for nothing, or for what a clause says: it rains, it is time to go, he made it clear?"""
    if tokens[i].text.lower() != "it":
        return False
    if i and tokens[i - 1].lemma in VERBS_OF_CLAUSES or tokens[i + 1].lemma in EXPLETIVE_VERBS:
        return True
    following = list(takewhile(lambda token: token.text not in (",", ";", ":", '"'), tokens[i + 1 :]))
    content = next((token for token in following if token.tag not in ("MD", "RB") and token.lemma != "be"), None)
    copula = any(token.lemma == "be" for token in takewhile(lambda token: token.tag in COPULA_TAGS, following))
    if content is None or content.lemma in EXPLETIVE_VERBS:
        return True
    if copula and _is_said(following):
        return True
    if any(token.lemma in RAIN or token.text in RAIN for token in following):
        return True
    vague = content.tag in (".", "DT") or content.lemma in TIMES | WEATHER
    return copula and (vague or any(token.text in CLAUSE_OPENERS for token in following))


def _is_said(following: list[Token]) -> bool:
    """Is what follows "it" a passive of saying: "has just been said"?"""
    verb = next((token for token in following if token.tag not in COPULA_TAGS or token.lemma in SAYING), None)
    return verb is not None and verb.tag == "VBN" and verb.lemma in SAYING


# ---- Test C ----


def verb_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he drinks, ...: verbs of near or opposite meaning in the place of the verb."""
    i, others = _verbs_like(sentence, tools)
    return [sentence.changed({i: other}) for other in others]


def adj_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """a big house, a small house, ...: other adjectives of its classes in the place of the adjective."""
    for i, word in _adjectives(sentence):
        noun = sentence.tokens[i + 1]
        if not noun.tag.startswith("NN"):
            if noun.tag == "IN" and noun.text not in PLACES:
                continue
            noun = _subject_of(sentence, i)
        words = _others(sentence, words_like(word, "adjective", _kinds(noun, tools))) if noun is not None else []
        if len(words) >= 4:
            return [sentence.changed({i: other}) for other in words[:ALTERNATIVES]]
    raise Unsuitable("no adjective with four of its use")


def _subject_of(sentence: Sentence, i: int) -> Token | None:
    """The head of the subject of the adjective at i, if the clause's verb is the form of be before it."""
    found = sentence.found
    straight = isinstance(found, Clause) and found.verb == i - 1 and sentence.tokens[i - 1].lemma == "be"
    return sentence.tokens[found.head] if straight else None


# Tests whose variants, or whose choice of adjectives, take WordNet.
WITH_RELATED_WORDS = ("comparative", "superlative", "pronoun_number", "noun_number", "coord_verb", "np", "coref")
WITH_RELATED_WORDS += ("verb_consistency", "adj_consistency")
WITH_PHRASES = ("np",)  # tests whose variants take phrases of the corpus, known when all of it is read
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
