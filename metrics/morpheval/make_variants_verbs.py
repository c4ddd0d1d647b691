"""English variants of verbs: tense, mood and negation (test A), a coordinated verb (B), other verbs (C).

A variation is a function from a tagged sentence to its possible variants (paper, sections 3.1 to 3.4); `make_suite`
keeps the most fluent. Each changes the words that the test is about, and what grammar changes with them: agreement,
auxiliaries, a and an.
"""

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
    PRESENT,
    RELATIVES,
    SAYING,
    SUBORDINATORS,
    SUPPORT_VERBS,
    TIMES,
    Clause,
    Sentence,
    Token,
    Unsuitable,
    clause,
    refuse_if,
    refuse_words,
)
from .make_tools import Tools
from .make_word_classes import DONE_FIRST, DONE_LAST, joined_to, kinds_of, others, words_like

BELIEFS = ("believe", "think")
# What one may doubt instead, and who may: whether it is, where the others say that it is.
OPINIONS = frozenset(
    "believe think know say claim argue insist agree suppose assume suspect admit report warn explain note understand "
    "realize notice discover hear remember swear conclude maintain acknowledge predict estimate guess reckon declare "
    "confirm add assert recall feel".split()
)
THINKING = frozenset(("person", "group"))
NOT_DOUBTED = frozenset("may might must should will 'll would 'd ought".split())  # below these are no plain facts
CERTAINTIES = ("sure", "certain", "convinced")
IMPERSONAL_CERTAINTIES = ("true", "certain", "clear", "obvious", "evident")
NEGATIVE_OR_POLAR = frozenset(
    "cannot few seldom rarely used better rather not n't never no none nobody nothing nowhere neither nor hardly "
    "barely scarcely almost nearly practically virtually only some someone something already also too still just both "
    "either any yet even quite finally somebody twice since ever".split()
)
NOT_DENIED = frozenset("if must okay afraid less more after until except wish wonder wonders".split())
QUANTIFIERS = frozenset("everyone everybody everything every each most all many always".split())  # fine after "not"
REASONS = frozenset("because although though so unless until".split())  # of which the negation may be
NOT_PAST = frozenset("today now currently tomorrow tonight soon nowadays presently next".split())
PAST_MODALS = {"can": "could", "will": "would", "may": "might"}
NOT_FUTURE = frozenset("far yesterday ago now currently already recently last since nowadays".split())
# What nobody says that he will do: what lasts or is felt, what is planned or said at once.
LASTING = frozenset(
    "know remember forget want like love hate prefer mean seem belong own think believe sorry glad sure afraid "
    "feeling".split()
)
PLANNED = frozenset("intend plan hope wish keep tend happen call appear recommend".split())
STATES = frozenset("be have live work need understand deserve look sound care own depend contain matter".split())
MIDDLE_ADVERBS = frozenset(
    "also still always often just soon usually really probably certainly clearly widely generally currently all "
    "both".split()
)
BESIDE = ("coordinate", "parallel", "loose")  # clauses that have the tense of the main one
BELIEVED_TAGS = frozenset("DT PRP PRP$ JJ JJR JJS NN NNS NNP NNPS CD POS IN EX".split())
PLAIN_TAGS = frozenset("DT PRP PRP$ JJ NN NNS NNP NNPS CD POS RB IN".split())
ENDS = (".", "!", "?")
TIME_PREPOSITIONS = frozenset("in during after before since until".split())
REFLEXIVES = frozenset("myself yourself himself herself itself ourselves yourselves themselves".split())
EXPERIENCES = frozenset("ever never not n't".split())
HABITS = frozenset("throughout until every each often always usually almost nothing everything years as".split())
MASSES = frozenset(("food", "substance", "~beverage", "possession"))
CONCRETE = frozenset("person animal artifact object food plant communication".split())  # what a deed is done to
FOUR = 4  # variants of test C
PHRASE_ENDS = ("PRP", *NOUN_TAGS)
OBJECT_TAGS = ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "JJ")
# Reasons that several tests have.
TWO_READINGS = "a contraction of two readings"
OTHER_TIME = "an adverb of another time"
NO_FUTURE = "a verb that has no future"
OTHER_ORDER = "a question that takes another order"
NOT_JOINED = "no verb that another comes before or after"
NO_BELIEF = "no belief about one clause"
POLAR_WORD = "a word that goes badly with a negation"

# ---- Test A ----


def past(sentence: Sentence, tools: Tools) -> list[str]:
    """he eats, he ate; he says that he is here, he said that he was here."""
    main = clause(sentence)
    refuse_if(sentence.tokens[main.verb].tag not in PRESENT, "not in the present")
    refuse_words(sentence, NOT_PAST, OTHER_TIME)
    at_present = any(a.text == "at" and b.text == "present" for a, b in pairwise(sentence.tokens))
    refuse_if(at_present, OTHER_TIME)
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
    """Does what looks like an infinitive follow a conjunction, with nothing that governs one: "switch on and make"?"""
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
    _refuse_adverb_before(sentence, main.verb)
    _refuse_beside(sentence, main)
    _refuse_alike(verb, tools)
    near = sentence.tokens[main.verb : main.verb + 5]
    refuse_if(not (LASTING | PLANNED).isdisjoint(token.lemma for token in near[:4]), "what lasts or is planned")
    possesses = any(a.lemma == "have" and b.tag != "TO" for a, b in pairwise(near))
    refuse_if(possesses, NO_FUTURE)  # "you have to wait" has one
    if main.inverted:
        refuse_if(verb.lemma != "do", OTHER_ORDER)
        return [sentence.changed({main.verb: "will"})]
    if following.lemma == "not":
        refuse_if(near[2:3] and near[2].tag == "RB", "an adverb after the verb")
        infinitive = "" if verb.lemma == "do" else f" {verb.lemma}"
        apart = " not" if following.space == "" else "not"
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{apart}{infinitive}"})]
    refuse_if(verb.lemma in SAYING and bool(main.others), "an opinion")
    below = [sentence.tokens[other.verb] for other in main.others if other.relation == "subordinate"]
    perfect = any(a.tag in PRESENT and b.tag == "VBN" for a, b in pairwise(sentence.tokens[main.verb + 2 :]))
    past = any(token.tag in ("VBD", "MD") or token.lemma == "have" for token in below)
    refuse_if(perfect or past, "a verb of another time")
    beside = any(other.relation != "attribution" for other in main.others)
    shown = following.text == "the"  # "there are the kittens"
    refuse_if(sentence.tokens[main.head].tag == "EX" and (beside or shown), "a clause beside what there is")
    said_of_it = verb.lemma == "be" and sentence.tokens[main.head].text.lower() == "it" and below
    refuse_if(bool(said_of_it), "a clause that is something")  # "it is true that", "it's as if"
    idiomatic = following.tag == "TO" or following.text in ("going", "about", "gonna")
    refuse_if(verb.lemma == "be" and idiomatic, NO_FUTURE)
    if verb.lemma == "be" and (following.tag == "RB" or following.text in ("all", "both")):
        refuse_if(following.text not in MIDDLE_ADVERBS, "an adverb after the verb")
        return [sentence.changed({main.verb: "will", main.verb + 1: f"{following.text} {verb.lemma}"})]
    return [sentence.changed({main.verb: f"will {verb.lemma}"})]


def _refuse_alike(verb: Token, tools: Tools) -> None:
    """Forms of two tenses: "we let, they quit"."""
    alike = tools.inflect(verb.lemma, "VBD") == verb.lemma
    refuse_if(alike and verb.tag in ("VBP", "VBD"), "past and present are alike")


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
    refuse_words(sentence, CONDITIONS - {"as"} | {"time"}, "a condition in the present")
    wills = [other.verb for other in main.others if _is_will(sentence.tokens[other.verb])]
    rest = (sentence.tokens[other.verb].tag for other in main.others if other.verb not in wills)
    refuse_if(not {*PRESENT, "MD"}.isdisjoint(rest), "a condition in the present")
    return [sentence.changed(dict.fromkeys((main.verb, *wills), "would"))]


def _is_will(token: Token) -> bool:
    return token.tag == "MD" and token.lemma == "will"


def subjunctive(sentence: Sentence, tools: Tools) -> list[str]:
    """I believe that he comes, I do not believe that he comes; she said that he came, she doubted that he came."""
    main, tokens = clause(sentence), sentence.tokens
    refuse_if(main.inverted or not main.others or tokens[-1].text == "?", NO_BELIEF)
    refuse_words(sentence, NEGATIVE_OR_POLAR | {"no-one", "yes", "bit"}, POLAR_WORD)
    _refuse_adverb_before(sentence, main.verb)
    below, relation, opened = main.others[0]
    after, changes = _disbelief(sentence, main, below, tools)
    said = relation == "subordinate" and (not opened or opened == "that" == tokens[after].text)
    further = all(other.relation == "subordinate" for other in main.others[1:])
    subject = tokens[after + bool(opened) : below]
    said = said and (bool(opened) or tokens[after].tag != "IN")  # "felt like a king was coming"
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
    states = LASTING | STATES
    clash = verb.tag == "VBD" and (tokens[below].tag in PRESENT or tokens[below].lemma not in states)
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
    reported = tokens[main.verb].lemma in SAYING and not main.others
    refuse_if(reported, "what somebody says")  # "Again, he said", "I think leaves"
    refuse_if(not QUANTIFIERS.isdisjoint(token.text.lower() for token in tokens[: main.verb]), POLAR_WORD)
    _refuse_ambiguous(sentence, main.verb)
    _refuse_adverb_before(sentence, main.verb)
    refuse_if(any(other.relation in BESIDE for other in main.others), "a verb beside the first")
    listing = any(token.text == "and" for token in tokens[main.verb :])  # not a and a: neither a nor a
    refuse_if(listing, "a list")
    refuse_if(tokens[main.head].tag == "EX", "what there is")  # there is no, not: "there is not milk"
    refuse_if(tokens[main.verb + 1].text in ("long", "once"), "an adverb after the verb")
    opens = tokens[0].text in ("A", "An", "Some") or tokens[0].tag == "CD"
    refuse_if(opens and not main.inverted, "something new")  # "two nuns were not coming"
    is_one = tokens[main.verb].lemma == "be" and any(token.text in RELATIVES for token in tokens[main.verb :])
    refuse_if(is_one, "what somebody is")  # "he is not a man who"
    refuse_if(tokens[main.verb].lemma == "be" and tokens[main.verb + 1].tag == "TO", "a verb that has no negation")
    _refuse_alike(tokens[main.verb], tools)
    asked = tokens[-1].text == "?" and any(token.tag in ("WRB", "WP", "WDT") for token in tokens[: main.verb])
    refuse_if(asked, OTHER_ORDER)
    if main.inverted:
        refuse_if(tokens[main.head].tag != "PRP", OTHER_ORDER)
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
    refuse_words(sentence, EXPERIENCES | REFLEXIVES | {"?", "entire", "whole", "much"}, "a question or an experience")
    for deed in _deeds(sentence, tools):
        if not _is_alone(sentence.tokens, deed) or deed.transitive and not deed.by_person:
            continue
        if sentence.tokens[deed.verb - 1].tag in ("WP", "WDT", "RB"):
            continue  # "those who work there", "he fully supports it"
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
    subject = next((j for j in range(i - 1, -1, -1) if tokens[j].tag not in ("RB", "VBZ", "VBP", "VBD")), 0)
    if tokens[subject].tag == "PRP" and subject and tokens[subject - 1].tag in NOUN_TAGS:
        return None  # "the songs we sang"
    while subject > 2 and tokens[subject - 1].tag == "IN" and tokens[subject - 2].tag in NOUN_TAGS:
        subject -= 2  # "the brewery in Wales"
    of_subject = _kinds_or_person(tokens[subject], tools)
    kinds = kinds_of(rest[_phrase_end(rest, of=False) - 1], tools) if transitive else of_subject
    if transitive and rest[0].tag == "NN" and not kinds & MASSES:
        return None  # "leave school"
    if transitive and any(t.tag == "IN" for t in beyond) and TIMES.isdisjoint(token.lemma for token in beyond):
        return None  # "in the soup" goes with few verbs
    free = TIME_PREPOSITIONS if transitive else PLACE_PREPOSITIONS
    prepositions = frozenset(token.text for token in beyond if token.tag == "IN") - free
    return Deed(i, kinds, transitive, prepositions, "person" in of_subject, end)


def _kinds_or_person(noun: Token, tools: Tools) -> frozenset:
    """The kinds of a noun; a name is taken for a person's."""
    return frozenset(("person",)) if noun.tag == "NNP" else kinds_of(noun, tools)


def _phrase_end(tokens: Sequence[Token], of: bool = True) -> int:
    """How many tokens the noun phrase at the beginning has; with ``of``, a phrase with of belongs to it."""
    if tokens[0].tag == "PRP":
        return 1
    for i, token in enumerate(tokens):
        inside = i == 0 or token.tag in ("JJ", "CD", "POS", *NOUN_TAGS) or tokens[i - 1].text == "of"
        if not inside and not (of and token.text == "of"):
            return i
    return len(tokens)
