"""English variants of verbs for test A: tense, mood and negation.

A variation is a function from a tagged sentence to its possible variants (paper, sections 3.1 to 3.4); `make_suite`
keeps the most fluent. Each changes the words that the test is about, and what grammar changes with them: agreement,
auxiliaries, a and an.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from .clauses import Clause, Sentence, Token, clause, refuse_if, refuse_words
from .tools import Tools
from .word_classes import kinds_of
from .words import FINITE, NOUN_TAGS, RELATIVES, SAYING, TIMES, words_of

PRESENT = ("VBZ", "VBP")
CONDITIONS = frozenset("if when unless until till once after before while whenever as".split())
BELIEFS = ("believe", "think")
# What one may doubt instead, and who may: whether it is, where the others say that it is.
OPINIONS = words_of("opinions")
THINKING = frozenset(("person", "group"))
NOT_DOUBTED = frozenset("may might must should will 'll would 'd ought".split())  # below these are no plain facts
CERTAINTIES = ("sure", "certain", "convinced")
IMPERSONAL_CERTAINTIES = ("true", "certain", "clear", "obvious", "evident")
NEGATIVE_OR_POLAR = words_of("negative or polar")
NOT_DENIED = frozenset(
    "instead probably yes if must okay afraid less more after until except wish wonder wonders".split()
)
QUANTIFIERS = frozenset("everyone everybody everything every each most all many always".split())  # fine after "not"
REASONS = frozenset("because although though so unless until".split())  # of which the negation may be
NOT_PAST = frozenset("today now currently tomorrow tonight soon nowadays presently next".split())
YEAR = re.compile("1[0-9]{3}|20[0-2][0-9]")
PAST_MODALS = {"can": "could", "will": "would", "may": "might"}
NOT_FUTURE = frozenset("perhaps maybe far yesterday ago now currently already recently last since nowadays".split())
# What nobody says that he will do: what lasts or is felt, what is planned or said at once.
LASTING = words_of("lasting")
PLANNED = frozenset("intend plan hope wish keep tend happen call appear recommend care".split())
COMING = ("going", "about", "gonna")  # after be
STATES = frozenset("be have live work need understand deserve look sound care own depend contain matter".split())
MIDDLE_ADVERBS = words_of("middle adverbs")
BESIDE = ("coordinate", "parallel", "loose")  # clauses that have the tense of the main one
BELIEVED_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS IN EX".split())
# Reasons that several tests have.
TWO_READINGS = "a contraction of two readings"
OTHER_TIME = "an adverb of another time"
NO_FUTURE = "a verb that has no future"
OTHER_ORDER = "a question that takes another order"
NO_BELIEF = "no belief about one clause"
POLAR_WORD = "a word that goes badly with a negation"


def past(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he ate; he says that he is here, he said that he was here."""
    main = clause(sentence)
    refuse_if(sentence.tokens[main.verb].tag not in PRESENT, "not in the present")
    refuse_words(sentence, NOT_PAST, OTHER_TIME)
    refuse_if(any(a.text == "at" and b.text == "present" for a, b in pairwise(sentence.tokens)), OTHER_TIME)
    refuse_if(_has_bare_verb(sentence.tokens) or _lacks_verb(sentence.tokens), "another verb of unclear form")
    beside = (sentence.tokens[other.verb].tag for other in main.others if other.relation == "loose")
    refuse_if("VBD" in beside, "a verb in the past")  # "I know, it was late"
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


def _has_bare_verb(tokens: Sequence[Token]) -> bool:
    """Does what looks like an infinitive follow a conjunction, with nothing that governs one: "switch on and make"?

    Or a subject, with no auxiliary before it: "I think I get along".
    """
    subjects = ("i", "we", "they")
    said = zip(tokens, tokens[1:], tokens[2:], strict=False)
    if any(c.tag == "VB" and b.text.lower() in subjects and a.tag != "MD" and a.lemma != "do" for a, b, c in said):
        return True
    bare = next((i for i, (a, b) in enumerate(pairwise(tokens)) if a.tag == "CC" and b.tag == "VB"), 0)
    return bare > 0 and not any(token.tag in ("TO", "MD") or token.lemma in ("do", "let") for token in tokens[:bare])


def _lacks_verb(tokens: Sequence[Token]) -> bool:
    """Has a clause no finite verb, as the tagger sees it: "when the cat steps on it"?"""
    opened = (i for i, token in enumerate(tokens) if token.text in ("when", "if", "while", "because"))
    return any(not any(token.tag in FINITE for token in tokens[i:]) for i in opened)


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
    refuse_words(sentence, NOT_FUTURE | {"being"}, OTHER_TIME)  # "far" of "so far"
    refuse_if(sentence.tokens[main.verb - 1].tag == "RB", "an adverb before the verb")
    _refuse_beside(sentence, main)
    _refuse_alike(verb, tools)
    near = sentence.tokens[main.verb : main.verb + 5]
    refuse_if(not (LASTING | PLANNED).isdisjoint(token.lemma for token in near[:4]), "what lasts or is planned")
    defined = verb.lemma == "be" and sentence.tokens[main.head].tag in NOUN_TAGS and following.tag == "DT"
    dated = any(
        a.text.lower() in ("in", "since", "by") and YEAR.fullmatch(b.text) for a, b in pairwise(sentence.tokens)
    )
    refuse_if(defined or dated, "what always is, or was")
    refuse_if(any(a.lemma == "have" and b.tag != "TO" for a, b in pairwise(near)), NO_FUTURE)  # not "have to wait"
    if main.inverted:
        refuse_if(verb.lemma != "do", OTHER_ORDER)
        return [sentence.changed({main.verb: "will"})]
    if following.lemma == "not":
        planned = any(token.text in ("see", *COMING) for token in near)  # "I don't see how"
        refuse_if(planned, "what lasts or is planned")
        refuse_if(near[2].tag == "RB", "an adverb after the verb")
        infinitive = "" if verb.lemma == "do" else f" {verb.lemma}"
        apart = " not" if following.space == "" else "not"
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{apart}{infinitive}"})]
    refuse_if(verb.lemma in SAYING and bool(main.others), "an opinion")
    below = any(other.relation == "subordinate" for other in main.others)
    perfect = any(a.tag in PRESENT and b.tag == "VBN" for a, b in pairwise(sentence.tokens[main.verb + 2 :]))
    refuse_if(perfect, "a verb of another time")
    refuse_if(sentence.tokens[main.head].tag == "EX" and below, "a clause beside what there is")
    said_of_it = sentence.tokens[main.head].text.lower() == "it" and below or following.text in ("that", "what")
    refuse_if(verb.lemma == "be" and said_of_it, "a clause that is something")  # "it is true that", "it's as if"
    refuse_if(verb.lemma == "be" and (following.tag == "TO" or following.text in COMING), NO_FUTURE)
    if verb.lemma == "be" and (following.tag == "RB" or following.text in ("all", "both")):
        refuse_if(following.text not in MIDDLE_ADVERBS, "an adverb after the verb")
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{following.text} {verb.lemma}"})]
    return [sentence.changed({main.verb: f"will {verb.lemma}"})]


def _refuse_alike(verb: Token, tools: Tools) -> None:
    """Forms of two tenses: "we let, they quit"."""
    alike = tools.inflect(verb.lemma, "VBD") == verb.lemma
    refuse_if(alike and verb.tag in ("VBP", "VBD"), "past and present are alike")


def _refuse_beside(sentence: Sentence, main: Clause) -> None:
    """Another verb would have to change with the clause's, but a present below it: "she waits when he is late"."""
    for other in main.others:
        verb = sentence.tokens[other.verb]
        below = other.relation == "subordinate" and other.opened not in ("", "which")
        refuse_if(other.relation != "attribution" and not (below and verb.tag in PRESENT), "a verb beside the first")


def _refuse_ambiguous(sentence: Sentence, verb: int) -> None:
    """'s before a participle is "is" or "has"; do before a verb is emphatic; have got has no other forms."""
    token, following = sentence.tokens[verb], sentence.tokens[verb + 1]
    contracted = token.text.lower() == "'s" and (token.lemma != "be" or following.tag in ("VBN", "VBD", "RB"))
    refuse_if(contracted, TWO_READINGS)
    emphatic = token.lemma == "do" and following.tag in ("VB", "VBP") or following.text == "got"
    refuse_if(emphatic, "an emphatic or idiomatic verb")


def conditional(sentence: Sentence, _tools: Tools) -> list[str]:
    """he will eat, he would eat; every will of the sentence changes."""
    main = clause(sentence)
    refuse_if(not _is_will(sentence.tokens[main.verb]), "no will")
    # "The door won't open": it does not. "I'll be back."
    refuse_if(sentence.tokens[main.verb].text.lower() in ("wo", "'ll"), TWO_READINGS)
    refuse_words(sentence, CONDITIONS - {"as"} | {"time", "perhaps", "maybe"}, "a condition in the present")
    wills = [other.verb for other in main.others if _is_will(sentence.tokens[other.verb])]
    rest = (sentence.tokens[other.verb].tag for other in main.others if other.verb not in wills)
    refuse_if(not {*PRESENT, "MD"}.isdisjoint(rest), "a condition in the present")
    return [sentence.changed(dict.fromkeys((main.verb, *wills), "would"))]


def _is_will(token: Token) -> bool:
    return token.tag == "MD" and token.lemma == "will"


def subjunctive(sentence: Sentence, tools: Tools) -> list[str]:
    """I believe that he comes, I do not believe that he comes; she said that he came, she doubted that he came."""
    main, tokens = clause(sentence), sentence.tokens
    refuse_if(not main.others, NO_BELIEF)
    refuse_words(sentence, NEGATIVE_OR_POLAR | {"no-one", "yes", "bit"}, POLAR_WORD)
    sudden = any(token.tag == "RB" and token.text.endswith("ly") for token in tokens[: main.verb])
    refuse_if(sudden or tokens[main.verb - 1].tag == "RB", "an adverb before the verb")  # "instantly I knew"
    below, relation, opened = main.others[0]
    after, changes = _disbelief(sentence, main, below, tools)
    said = relation == "subordinate" and (not opened or opened == "that" == tokens[after].text)
    further = all(other.relation == "subordinate" for other in main.others[1:])
    subject = tokens[after + bool(opened) : below]
    # "Felt like a king was coming", "notice the grip I am getting".
    said = said and (bool(opened) or tokens[after].tag != "IN" and "PRP" not in [token.tag for token in subject[1:]])
    refuse_if(tokens[below].lemma == "do" and tokens[below + 1].tag == "VB", "an emphatic or idiomatic verb")
    # Below a doubt, too, some languages have the future.
    refuse_if(tokens[below + 1].text in ("going", "gonna"), NO_BELIEF)
    refuse_if(not (said and further and subject) or not {t.tag for t in subject} <= BELIEVED_TAGS, NO_BELIEF)
    pronoun = next((token.text.lower() for token in subject if token.tag == "PRP"), "")
    head = tokens[main.head]
    own = head.tag != "PRP" and any(token.tag == "PRP$" for token in tokens[after:])  # "his sleep", of who argues
    same = own or pronoun == head.text.lower() or pronoun in ("he", "she", "it", "they") and head.tag != "PRP"
    refuse_if(same, "both clauses may have one subject")  # a translation may have an infinitive
    return [sentence.changed(changes)]


def _disbelief(sentence: Sentence, main: Clause, below: int, tools: Tools) -> tuple[int, dict[int, str]]:
    """Where what is believed begins, and the changes: "do not believe", "not sure", or "doubt" for other opinions."""
    tokens, verb = sentence.tokens, sentence.tokens[main.verb]
    if verb.tag in PRESENT and (tokens[below].tag in PRESENT or tokens[below].lemma == "can"):
        following = tokens[main.verb + 1].text
        certain = IMPERSONAL_CERTAINTIES if tokens[main.head].text.lower() == "it" else CERTAINTIES
        if verb.lemma in BELIEFS:
            return main.verb + 1, {main.verb: f"{'does' if verb.tag == 'VBZ' else 'do'} not {verb.lemma}"}
        if verb.lemma == "be" and following in certain:
            return main.verb + 2, {main.verb + 1: f"not {following}"}
    thinks = tokens[main.head].tag.startswith("NNP") or kinds_of(tokens[main.head], tools) & THINKING
    told = verb.lemma in OPINIONS and verb.tag in FINITE and thinks and tokens[below].text not in NOT_DOUBTED
    refuse_if(not told or len(main.others) > 1 or any(token.text == '"' for token in tokens), NO_BELIEF)
    clash = verb.tag == "VBD" and (tokens[below].tag in PRESENT or tokens[below].lemma not in LASTING | STATES)
    refuse_if(clash and tokens[below].tag != "MD", "another time in the clause")  # "doubted that he has, that he came"
    that = "" if tokens[main.verb + 1].text == "that" else " that"
    return main.verb + 1, {main.verb: tools.inflect("doubt", verb.tag) + that}


def negation(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he does not eat; he can, he cannot; is he here, is he not here."""
    main, tokens = clause(sentence), sentence.tokens
    refuse_words(sentence, NEGATIVE_OR_POLAR | REASONS | NOT_DENIED, POLAR_WORD)
    lasting = any(a.text == "for" and b.tag in ("CD", "DT") for a, b in pairwise(tokens))
    refuse_if(lasting and not TIMES.isdisjoint(token.lemma for token in tokens), OTHER_TIME)  # "for two weeks"
    refuse_if(any(token.text == "but" for token in tokens[main.verb :]), POLAR_WORD)
    # "He did not look up, teeming with excitement"
    refuse_if(any(a.text == "," and b.tag == "VBG" for a, b in pairwise(tokens)), "what goes on beside it")
    refuse_if(tokens[main.verb].lemma in SAYING and not main.others, "what somebody says")  # "Again, he said"
    refuse_if(not QUANTIFIERS.isdisjoint(token.text.lower() for token in tokens[: main.verb]), POLAR_WORD)
    _refuse_ambiguous(sentence, main.verb)
    refuse_if(tokens[main.verb - 1].tag == "RB", "an adverb before the verb")
    refuse_if(any(other.relation in BESIDE for other in main.others), "a verb beside the first")
    refuse_if(any(token.text == "and" for token in tokens[main.verb :]), "a list")  # neither a nor a
    refuse_if(tokens[main.head].tag == "EX", "what there is")  # there is no, not: "there is not milk"
    refuse_if(tokens[main.verb + 1].text in ("long", "once"), "an adverb after the verb")
    # "Two nuns were not coming"
    refuse_if(tokens[0].text in ("A", "An", "Some") or tokens[0].tag == "CD", "something new")
    is_one = tokens[main.verb].lemma == "be" and any(token.text in RELATIVES for token in tokens[main.verb :])
    refuse_if(is_one, "what somebody is")  # "he is not a man who"
    refuse_if(tokens[main.verb].lemma == "be" and tokens[main.verb + 1].tag == "TO", "a verb that has no negation")
    _refuse_alike(tokens[main.verb], tools)
    asking = any(token.tag in ("WRB", "WP", "WDT") for token in tokens[: main.verb])
    refuse_if(asking and any(token.text == "?" for token in tokens), OTHER_ORDER)
    if main.inverted:
        refuse_if(tokens[main.head].tag != "PRP", OTHER_ORDER)
        return [sentence.changed({main.head: f"{tokens[main.head].text} not"})]
    return [sentence.changed({main.verb: _negated(tokens[main.verb], tokens[main.verb + 1 : main.verb + 3])})]


def _negated(verb: Token, following: Sequence[Token]) -> str:
    if verb.tag == "MD":
        refuse_if(verb.text == "'d", TWO_READINGS)
        return {"can": "cannot", "'ll": "will not"}.get(verb.text, f"{verb.text} not")
    if verb.lemma == "be" or verb.lemma == "have" and "VBN" in [token.tag for token in following]:
        return f"{verb.text} not"
    refuse_if(verb.text.startswith("'"), TWO_READINGS)
    return f"{ {'VBZ': 'does', 'VBP': 'do', 'VBD': 'did'}[verb.tag] } not {verb.lemma}"
