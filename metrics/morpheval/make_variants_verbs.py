"""English variants of verbs: tense, mood and negation (test A), a coordinated verb (B), other verbs (C).

A variation is a function from a tagged sentence to its possible variants (paper, sections 3.1 to 3.4); `make_suite`
keeps the most fluent. Each changes the words that the test is about, and what grammar changes with them: agreement,
auxiliaries, a and an.
"""

from collections.abc import Sequence
from itertools import pairwise

from .make_clauses import (
    CONDITIONS,
    MARKS,
    NOUN_TAGS,
    PAIRED_CONJUNCTIONS,
    PARTICLES,
    PLACE_PREPOSITIONS,
    PRESENT,
    SUPPORT_VERBS,
    Clause,
    Sentence,
    Token,
    clause,
    refuse_if,
    refuse_words,
)
from .make_tools import Tools
from .make_word_classes import kinds_of, others, words_like

BELIEFS = ("believe", "think")
CERTAINTIES = ("sure", "certain", "convinced")
NEGATIVE_OR_POLAR = frozenset(
    "cannot few seldom rarely used better rather not n't never no none nobody nothing nowhere neither nor hardly "
    "barely scarcely almost nearly practically virtually only some someone something already also too still just both "
    "either any yet even quite".split()
)
QUANTIFIERS = frozenset("everyone everybody everything every each most all many always".split())  # fine after "not"
NOT_PAST = frozenset("now currently tomorrow tonight soon nowadays presently next".split())
PAST_MODALS = {"can": "could", "will": "would", "may": "might"}
NOT_FUTURE = frozenset("yesterday ago now currently already recently last since nowadays".split())
MIDDLE_ADVERBS = frozenset(
    "also still always often just soon usually really probably certainly clearly widely generally currently".split()
)
BESIDE = ("coordinate", "parallel", "loose")  # clauses that have the tense of the main one
BELIEVED_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS IN EX".split())
PHRASE_ENDS = ("PRP", *NOUN_TAGS)
OBJECT_TAGS = ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "JJ")
# Reasons that several tests have.
TWO_READINGS = "a contraction of two readings"
OTHER_TIME = "an adverb of another time"
OTHER_ORDER = "a question that takes another order"
NO_BELIEF = "no belief about one clause"
POLAR_WORD = "a word that goes badly with a negation"
GOVERNS_MORE = "a verb with a particle or a clause"

# ---- Test A ----


def past(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he ate; he says that he is here, he said that he was here."""
    main = clause(sentence)
    refuse_if(sentence.tokens[main.verb].tag not in PRESENT, "not in the present")
    refuse_words(sentence, NOT_PAST, OTHER_TIME)
    changes = {main.verb: _past_form(sentence, main.verb, main.number in ("1s", "3s"), tools)}
    for other in main.others:
        token = sentence.tokens[other.verb]
        if token.tag in PRESENT:
            refuse_if(not _has_clear_subject(sentence, other.verb), "another verb of unclear form")
            changes[other.verb] = _past_form(sentence, other.verb, token.text.lower() not in ("are", "'re"), tools)
        elif token.text in PAST_MODALS:
            changes[other.verb] = PAST_MODALS[token.text]
        else:
            refuse_if(token.text in ("'ll", "'d", "ca", "wo", "shall"), TWO_READINGS)
    return [sentence.changed(changes)]


def _past_form(sentence: Sentence, i: int, singular: bool, tools: Tools) -> str:
    verb = sentence.tokens[i]
    _refuse_ambiguous(sentence, i)
    if verb.lemma == "be":
        return "was" if singular else "were"
    refuse_if(verb.text.lower() == "'ve", TWO_READINGS)
    form = tools.inflect(verb.lemma, "VBD")
    refuse_if(form == verb.text, "past and present are alike")
    return form


def _has_clear_subject(sentence: Sentence, verb: int) -> bool:
    """Is what the tagger takes for a present no infinitive: a form in -s or of be, or straight after its subject?"""
    token, before = sentence.tokens[verb], sentence.tokens[verb - 1]
    plural = before.tag in ("NNS", "NNPS") or before.text.lower() in ("i", "you", "we", "they", "who", "which", "that")
    return token.tag == "VBZ" or token.lemma == "be" or plural


def future(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he will eat; he doesn't eat, he won't eat; does he eat, will he eat."""
    main = clause(sentence)
    verb, following = sentence.tokens[main.verb], sentence.tokens[main.verb + 1]
    refuse_if(verb.tag not in PRESENT, "not in the present")
    _refuse_ambiguous(sentence, main.verb)
    refuse_words(sentence, NOT_FUTURE, OTHER_TIME)
    _refuse_adverb_before(sentence, main.verb)
    _refuse_beside(sentence, main)
    if main.inverted:
        refuse_if(verb.lemma != "do", OTHER_ORDER)
        return [sentence.changed({main.verb: "will"})]
    if following.lemma == "not":
        infinitive = "" if verb.lemma == "do" else f" {verb.lemma}"
        apart = " not" if following.space == "" else "not"
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{apart}{infinitive}"})]
    idiomatic = following.tag == "TO" or following.text in ("going", "about", "gonna")
    refuse_if(verb.lemma == "be" and idiomatic, "a verb that has no future")
    if verb.lemma in ("be", "have") and following.tag == "RB":
        refuse_if(following.text not in MIDDLE_ADVERBS, "an adverb after the verb")
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{following.text} {verb.lemma}"})]
    return [sentence.changed({main.verb: f"will {verb.lemma}"})]


def _refuse_adverb_before(sentence: Sentence, verb: int) -> None:
    before = sentence.tokens[verb - 1]
    refuse_if(verb and before.tag == "RB" and before.text.islower(), "an adverb before the verb")


def _refuse_beside(sentence: Sentence, main: Clause) -> None:
    """Another present verb beside the clause's would have to change with it."""
    beside = (other.verb for other in main.others if other.relation in BESIDE)
    refuse_if(any(sentence.tokens[verb].tag in PRESENT for verb in beside), "a verb beside the first")


def _refuse_ambiguous(sentence: Sentence, verb: int) -> None:
    """'s before a participle is "is" or "has"; do before a verb is emphatic; have got has no other forms."""
    token, following = sentence.tokens[verb], sentence.tokens[verb + 1]
    contracted = token.text.lower() == "'s" and (token.lemma != "be" or following.tag in ("VBN", "VBD", "RB"))
    refuse_if(contracted, TWO_READINGS)
    emphatic = token.lemma == "do" and following.tag in ("VB", "VBP") or following.text == "got"
    refuse_if(emphatic, "an emphatic or idiomatic verb")


def conditional(sentence: Sentence, tools: Tools) -> list[str]:
    """he will eat, he would eat; every will of the sentence changes."""
    main = clause(sentence)
    refuse_if(not _is_will(sentence.tokens[main.verb]), "no will")
    for other in main.others:
        tag, opens = sentence.tokens[other.verb].tag, other.opened in CONDITIONS
        present = tag in PRESENT and (opens or other.relation in BESIDE)
        refuse_if(present or opens and tag == "MD", "a condition in the present")
    wills = [other.verb for other in main.others if _is_will(sentence.tokens[other.verb])]
    return [sentence.changed(dict.fromkeys((main.verb, *wills), "would"))]


def _is_will(token: Token) -> bool:
    return token.tag == "MD" and token.lemma == "will"


def subjunctive(sentence: Sentence, tools: Tools) -> list[str]:
    """I believe that he comes, I do not believe that he comes."""
    main, tokens = clause(sentence), sentence.tokens
    clauses = [(other.relation, other.opened) for other in main.others]
    refuse_if(main.inverted or clauses not in ([("subordinate", "that")], [("subordinate", "")]), NO_BELIEF)
    verb, below = main.verb, main.others[0].verb
    refuse_if(tokens[below].tag not in PRESENT or tokens[verb].tag not in PRESENT, "not in the present")
    refuse_words(sentence, NEGATIVE_OR_POLAR | {"yes", "bit"}, POLAR_WORD)
    _refuse_adverb_before(sentence, verb)
    if tokens[verb].lemma in BELIEFS:
        after, auxiliary = verb + 1, "does" if tokens[verb].tag == "VBZ" else "do"
        changes = {verb: f"{auxiliary} not {tokens[verb].lemma}"}
    else:
        refuse_if(tokens[verb].lemma != "be" or tokens[verb + 1].text not in CERTAINTIES, NO_BELIEF)
        after, changes = verb + 2, {verb + 1: f"not {tokens[verb + 1].text}"}
    start = after + (tokens[after].text == "that")
    refuse_if(start >= below or not {token.tag for token in tokens[start:below]} <= BELIEVED_TAGS, NO_BELIEF)
    return [sentence.changed(changes)]


def negation(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he does not eat; he can, he cannot; is he here, is he not here."""
    main, tokens = clause(sentence), sentence.tokens
    refuse_words(sentence, NEGATIVE_OR_POLAR, POLAR_WORD)
    refuse_if(not QUANTIFIERS.isdisjoint(token.text.lower() for token in tokens[: main.verb]), POLAR_WORD)
    _refuse_ambiguous(sentence, main.verb)
    _refuse_adverb_before(sentence, main.verb)
    refuse_if(any(other.relation in ("coordinate", "loose") for other in main.others), "a verb beside the first")
    listing = tokens[main.head].tag == "EX" and any(token.tag == "CC" for token in tokens[main.verb :])
    refuse_if(listing, "a list")  # not a and a: neither a nor a
    if main.inverted:
        asked = any(token.tag in ("WRB", "WP", "WDT") for token in tokens[: main.verb])
        refuse_if(asked or tokens[main.head].tag != "PRP", OTHER_ORDER)
        return [sentence.changed({main.head: f"{tokens[main.head].text} not"})]
    return [sentence.changed({main.verb: _negated(tokens[main.verb], tokens[main.verb + 1 : main.verb + 3])})]


def _negated(verb: Token, following: Sequence[Token]) -> str:
    """The verb with its negation, by the two words after it."""
    if verb.tag == "MD":
        refuse_if(verb.text == "'d", TWO_READINGS)
        return {"can": "cannot", "'ll": "will not"}.get(verb.text, f"{verb.text} not")
    if verb.lemma == "be" or verb.lemma == "have" and "VBN" in [token.tag for token in following]:
        return f"{verb.text} not"
    refuse_if(verb.text.startswith("'"), TWO_READINGS)
    return f"{ {'VBZ': 'does', 'VBP': 'do', 'VBD': 'did'}[verb.tag] } not {verb.lemma}"


# ---- Tests B and C: verbs of one use ----


def coord_verb(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he eats and drinks."""
    i, verbs = _verbs_like(sentence, tools)
    return [sentence.changed({i: f"{sentence.tokens[i].text} and {verb}"}) for verb in verbs]


def verb_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he drinks, ...: verbs of near or opposite meaning in the place of the verb."""
    i, verbs = _verbs_like(sentence, tools)
    return [sentence.changed({i: verb}) for verb in verbs]


def _verbs_like(sentence: Sentence, tools: Tools) -> tuple[int, list[str]]:
    """The verb's position, and in its form the others of its classes, by its object's kind or else by its subject's.

    Raises:
        Unsuitable: an auxiliary or support verb, or one with a particle, a clause or a preposition of its own.
    """
    main, tokens = clause(sentence), sentence.tokens
    i = main.verb
    verb = tokens[i]
    refuse_words(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    no_content = verb.tag == "MD" or main.inverted or verb.lemma in SUPPORT_VERBS or verb.text.startswith("'")
    refuse_if(no_content, "no content verb")
    governed = any(other.verb > i and other.opened not in CONDITIONS | {"because"} for other in main.others)
    refuse_if(governed, GOVERNS_MORE)
    ends = (j for j in range(i + 1, len(tokens)) if tokens[j].tag == "." or tokens[j].text in MARKS)
    rest = tokens[i + 1 : next(ends)]
    transitive = bool(rest) and rest[0].tag in OBJECT_TAGS
    last = _phrase_end(rest) if transitive else 0
    particle = not {"RP", "TO", "VB", "VBN"}.isdisjoint(token.tag for token in rest) or tokens[i + 1].text == '"'
    beyond = rest[last:]
    goes_on = beyond and (beyond[0].tag not in ("RB", "IN", "CC") or beyond[0].text in PARTICLES)
    joined = ((before.tag, after.tag) for before, after in pairwise(beyond) if after.text not in ("this", "that"))
    unclear = any(b == "RB" and a == "JJ" or b in PHRASE_ENDS and a in ("DT", "PRP$") for b, a in joined)
    refuse_if(particle or goes_on or unclear, GOVERNS_MORE)
    kinds = kinds_of(rest[_phrase_end(rest, of=False) - 1] if transitive else tokens[main.head], tools)
    prepositions = frozenset(token.text for token in beyond if token.tag == "IN") - PLACE_PREPOSITIONS
    use = "transitive" if transitive else "intransitive"
    forms = [tools.inflect(other, verb.tag) for other in words_like(verb.lemma, use, kinds, prepositions)]
    refuse_if(not forms, "no verb of the same use")
    return i, others(sentence, forms)


def _phrase_end(tokens: Sequence[Token], of: bool = True) -> int:
    """How many tokens the noun phrase at the beginning has; with ``of``, a phrase with of belongs to it."""
    if tokens[0].tag == "PRP":
        return 1
    for i, token in enumerate(tokens):
        inside = i == 0 or token.tag in ("JJ", "CD", "POS", *NOUN_TAGS) or tokens[i - 1].text == "of"
        if not inside and not (of and token.text == "of"):
            return i
    return len(tokens)
