"""English variants of nouns and pronouns: number (test A), a noun phrase for a pronoun, another antecedent (B)."""

from collections.abc import Container, Iterable, Sequence
from itertools import pairwise, takewhile

from .clauses import MARKS, Clause, Sentence, Token, Unsuitable, clause, refuse_if, refuse_words
from .tools import PLURAL, Phrase, Tools
from .variants_adjectives import is_phrase
from .word_classes import ALTERNATIVES, CLASSES, kinds_of, others, words_like
from .words import FINITE, NOUN_TAGS, RELATIVES, SUPPORT_VERBS, TIMES, words_of

PAIRED_CONJUNCTIONS = frozenset("either both".split())
POSSESSIVES = ("my", "your", "his", "her", "its", "our", "their")
PARTICLES = ("up", "out", "off", "down", "away", "back", "together", "apart", "along", "aside", "over", "forward")
OBJECT_PRONOUNS = ("him", "her", "it", "them")
PLURALS = {"me": "us", "him": "them", "her": "them", "it": "them"}
SAME = {
    **{"me": "i my mine myself".split(), "us": "we our ours ourselves".split()},
    **{"him": "he his himself him".split(), "her": "she her hers herself".split(), "it": "it its itself".split()},
    "them": "they their theirs themselves them".split(),
}
OFTEN, PERSON = 2, "person"  # times that a verb is seen with persons
OTHER_SEX = {"him": ("woman", "girl", "daughter", "sister"), "her": ("man", "boy", "son", "brother")}
OF_PERSONS_TOO = frozenset("to for with at from about of after".split())  # prepositions; not "in her", of a ship
OF_WHAT_IT_IS = ("with", "of", "from")  # after a participle: filled with, made of
THINGS = frozenset(("artifact", "object", "food", "~writing", "~publication", "~structure", "~clothing", "plant"))
WHOLE = frozenset("whole entire sole single full only same very".split())
# Whose they are is said: "the old friend".
RELATIONAL = frozenset(
    "person friend neighbor neighbour colleague relative cousin son daughter brother sister uncle aunt".split()
)
# After these it is no object, here or in other languages: "me gusta".
IDIOMATIC = frozenset("damn do let be think say suppose seem mean like".split())
OF_ANYTHING = ("get", "make", "provide")  # which of people want more: "make him laugh"
IN_IDIOMS = frozenset("play bring leave miss steal".split())  # with the noun that follows
NUMBERED = {"the": "the", "this": "these", "that": "those", **dict.fromkeys(POSSESSIVES)}
UNCOUNTABLE = words_of("uncountable")
# Nouns of these kinds (WordNet's lexicographer files) have plurals that mean nothing else.
COUNTABLE = frozenset("person animal artifact plant object".split())
ADJECTIVES = frozenset(w for c in CLASSES if c.use == "adjective" for w in c.words)
# Adjectives of character and mood, which go with every person.
OF_PERSONS = tuple(
    w for one in "nice clever brave happy".split() for w in (one, *words_like(one, "adjective", frozenset([PERSON])))
)
UNIQUE = words_of("unique")
SINGULAR_PRONOUNS = frozenset("i it its itself he him his himself she her hers herself one".split())
SHARED = ("as", "like", "with", "into")  # before what each of several would have
COPULAS = ("be", "become", "remain", "seem")
# "it" may be no pronoun of a noun: after these, before these, as these, and where a clause follows.
EXPLETIVE_VERBS = frozenset("seem appear happen turn rain snow take matter follow look feel sound".split())
VERBS_OF_CLAUSES = words_of("verbs of clauses")
COPULA_TAGS = frozenset("MD RB VB VBZ VBD VBN VBG".split())
NO_PREPOSITIONS = frozenset("if as than whether while since like before after when though for".split())
CLAUSE_OPENERS = frozenset("that to for if when who how whether because like".split())
AROUND = frozenset("behind around about before beside above below under over near with of on".split())
OPEN_PREPOSITIONS = frozenset("with about".split())
OWNERS = {"their": "they", "its": "it"}
GOVERNING_TAGS = ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "IN")
# Reasons that several tests have.
ANTECEDENT = "the antecedent may be in the sentence"
IDIOM = "an idiom or a subject"

# ---- Test A ----


def pronoun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I see him, I see them."""
    i = _object_pronoun(sentence, PLURALS)
    tokens, pronoun, main = sentence.tokens, sentence.tokens[i].text, sentence.main_clause
    refuse_if(not _words_beside(sentence, i).isdisjoint({pronoun, *SAME[PLURALS[pronoun]], *SAME[pronoun]}), ANTECEDENT)
    if pronoun == "me":
        return [sentence.changed({i: "us"})]
    refuse_if(any(token.tag == "NNS" for token in tokens[:i]), ANTECEDENT)
    simple = isinstance(main, Clause) and not main.others and tokens[i - 1].text not in AROUND
    verb = clause(sentence).verb if simple else 0  # what stands before it may be the subject, which is not meant
    participle = tokens[verb].lemma != "be" and any(t.tag == "VBG" for t in tokens[verb:i])
    for j, token in enumerate(tokens[:i]):
        subject = not participle and j < verb and pronoun != "it"
        refuse_if(_may_be_meant(token, pronoun, tools) and not subject, ANTECEDENT)
    return [sentence.changed({i: "them"})]


def _words_beside(sentence: Sentence, i: int) -> set[str]:
    return {token.text.lower() for j, token in enumerate(sentence.tokens) if j != i}


def _may_be_meant(noun: Token, pronoun: str, tools: Tools) -> bool:
    """May the pronoun stand for the noun: a person or a name for him and her, something else for it?"""
    if noun.tag.startswith("NNP"):
        return True
    kinds = kinds_of(noun, tools)  # none of "headteacher", which WordNet lacks
    return noun.tag == "NN" and (not kinds or (PERSON in kinds) == (pronoun != "it"))


def _object_pronoun(sentence: Sentence, forms: Container[str]) -> int:
    """Position of an object pronoun: after a verb or preposition, and before what may follow one.

    "it" is that of a verb with things alone, since it may be nothing ("felt it", "all there is to it").
    """
    tokens, reason = sentence.tokens, "no object pronoun"
    for i, pronoun in enumerate(tokens):
        if i and pronoun.text in forms and pronoun.tag == "PRP" and tokens[i - 1].tag in GOVERNING_TAGS:
            before, after, thing = tokens[i - 1], tokens[i + 1], pronoun.text == "it"
            ends = after.tag in (".", "IN", "CC", "RB") or after.text in MARKS
            goes_on = after.tag in ("TO", "VB", "VBG") or after.text == "the" and before.tag != "IN"
            of_things = any(c.kinds & THINGS and before.lemma in c.words for c in CLASSES if c.use == "transitive")
            idiom = thing and not of_things or before.lemma in IDIOMATIC or before.tag in FINITE and i == 1
            idiom = idiom or before.text.lower() in ("that", "because", "of")
            if not (ends or goes_on and not thing):
                reason = "the pronoun does not end its phrase"
            elif idiom or before.tag == "IN" and before.text.lower() in NO_PREPOSITIONS:
                reason = IDIOM
            else:
                return i
    raise Unsuitable(reason)


def noun_number(sentence: Sentence, tools: Tools) -> list[str]:
    """I know the man, I know the men; the man sleeps, the men sleep."""
    main = clause(sentence)
    refuse_words(sentence, PAIRED_CONJUNCTIONS, "a paired conjunction")
    known = [(i, _determiner(sentence, i)) for i, token in enumerate(sentence.tokens) if _is_countable(token, tools)]
    definite = [(i, j) for i, j in known if j is not None and sentence.tokens[j].text.lower() in NUMBERED]
    refuse_if(not definite, "no countable singular noun with a definite determiner")
    # Of two, one may belong to each of the other: "the horse stopped, the rider went on".
    refuse_if(len(definite) > 1, "several definite nouns")
    i, determiner = definite[0]
    token = sentence.tokens[i]
    refuse_if(not _may_be_plural(sentence, main, i, determiner, tools), "a noun that may have no plural here")
    plural, form = tools.inflect(token.lemma, "NNS"), NUMBERED[sentence.tokens[determiner].text.lower()]
    refuse_if(plural == token.text, "a noun that may have no plural here")
    changes = {i: plural} | ({determiner: form} if form else {})
    changes |= _plural_verb(sentence.tokens[main.verb], main.verb) if i == main.head else {}
    return [sentence.changed(changes)]


def _is_countable(token: Token, tools: Tools) -> bool:
    plain = token.tag == "NN" and token.text.islower() and token.text.isalpha()
    if not plain or len(token.text) < 3 or token.text in UNCOUNTABLE | TIMES:
        return False
    return bool(kinds_of(token, tools) & COUNTABLE or words_like(token.lemma, "noun"))


def _may_be_plural(sentence: Sentence, main: Clause, i: int, determiner: int, tools: Tools) -> bool:
    """Is the noun at i a subject or object with a definite determiner, which nothing else takes up in the singular?

    What is one person's may be the only one: "behind his house".
    """
    tokens, article = sentence.tokens, sentence.tokens[determiner].text.lower()
    following = tokens[i + 1]
    if SINGULAR_PRONOUNS & {token.text.lower() for token in tokens[i + 1 :]} or _is_repeated(sentence, i):
        return False
    one = article in ("my", "your", "his", "her", "its") and PERSON not in kinds_of(tokens[i], tools)
    if one or article in POSSESSIVES and tokens[i].lemma in UNIQUE or WHOLE & {t.text for t in tokens[determiner:i]}:
        return False
    gerund = following.text == "of" and tokens[i].text.endswith("ing")
    if gerund or following.text.lower() in RELATIVES | {"'s", "'"}:
        return False
    if i == main.head:
        if following.text in (",", "in", "with") or SINGULAR_PRONOUNS & {token.text.lower() for token in tokens[:i]}:
            return False
        agreed = not any(other.relation == "coordinate" for other in main.others)
        return main.number == "3s" and agreed and not main.inverted and not _has_predicate(sentence, main.verb)
    quoted = determiner > 1 and tokens[determiner - 2].text in MARKS  # "Well," returned the doctor
    goes_on = quoted or following.text == "," or following.tag[:2] in ("NN", "JJ", "CD", "PO", "VB", "MD", "RP")
    named = following.text == "of" and tokens[i + 2].tag.startswith("NNP")  # "the province of Alzira"
    if i < main.verb or goes_on or named or following.text == "into":
        return False
    before = tokens[determiner - 1]
    idiomatic = before.lemma in SUPPORT_VERBS | IN_IDIOMS or following.text in PARTICLES
    governed = before.tag in ("VB", "VBZ", "VBP", "VBD", "VBG") and not idiomatic
    return governed or before.tag == "IN" and before.text in OPEN_PREPOSITIONS


def _has_predicate(sentence: Sentence, verb: int) -> bool:
    """Does a noun phrase say what the subject is, or what each of several would have: the man wears a hat?"""
    tokens = sentence.tokens
    for i in range(verb, len(tokens) - 2):
        after = next((token for token in tokens[i + 1 :] if token.tag != "RB"), tokens[-1])
        if tokens[i].lemma in COPULAS and after.tag in ("DT", "PRP$", "CD", "TO", *NOUN_TAGS) or after.text == "that":
            return True
        if tokens[i + 1].text in ("a", "an") and (tokens[i].tag.startswith("VB") or tokens[i].lemma in SHARED):
            return True
    return False


def _determiner(sentence: Sentence, noun: int) -> int | None:
    """Position of the noun's determiner, before adjectives alone."""
    for i in range(noun - 1, -1, -1):
        if sentence.tokens[i].tag in ("DT", "PRP$"):
            return i
        if sentence.tokens[i].tag != "JJ":
            return None
    return None


def _plural_verb(verb: Token, i: int) -> dict[int, str]:
    """The change of the verb at i, if its plural has another form."""
    refuse_if(verb.text.startswith("'"), "a contraction of two readings")
    if verb.lemma == "be" and verb.tag != "MD":
        return {i: "were" if verb.tag == "VBD" else "are"}
    return {i: verb.lemma} if verb.tag == "VBZ" else {}


# ---- Test B ----


def np(sentence: Sentence, tools: Tools) -> list[str]:
    """I see them, I see the happy researchers: the pronoun gives way to a noun of the corpus, with an adjective.

    They are of its number, and of persons where it is.
    """
    i = _object_pronoun(sentence, OBJECT_PRONOUNS)
    pronoun = sentence.tokens[i].text
    refuse_if(not _words_beside(sentence, i).isdisjoint(SAME[pronoun]), ANTECEDENT)
    refuse_if(sentence.tokens[i + 1].tag in ("CC", "DT"), "the pronoun does not end its phrase")
    before = sentence.tokens[:i]
    several = pronoun == "them" and any(token.tag in ("NNS", "CC") for token in before)
    elsewhere = pronoun == "it" or sum(token.tag in FINITE for token in sentence.tokens) > 1
    meant = elsewhere and pronoun != "them" and any(_may_be_meant(token, pronoun, tools) for token in before)
    own = before[-1].text == "with" and before[-2].tag in NOUN_TAGS  # "took the key with him"
    refuse_if(several or meant or own, ANTECEDENT)
    fitting = [phrase for phrase in tools.phrases if phrase.plural == (pronoun == "them")]
    if pronoun != "them":
        fitting = [p for p in fitting if p.person == (pronoun != "it") and p.noun not in OTHER_SEX.get(pronoun, ())]
    elif sentence.tokens[i + 1].tag in ("TO", "VB", "VBG"):
        fitting = [phrase for phrase in fitting if phrase.person]  # "saw them dance"
    governing = before[-1]
    if before[-2:-1] and before[-2].tag == "VBN" and governing.text in OF_WHAT_IT_IS:
        fitting = [phrase for phrase in fitting if not phrase.person]  # "infested with them"
    usual = [phrase for phrase in fitting if _is_usual(phrase, governing, tools)]
    return [sentence.changed({i: f"the {phrase.text}"}) for phrase in usual]


def _is_usual(phrase: Phrase, governing: Token, tools: Tools) -> bool:
    """Does the corpus, or a class, have the verb with that noun, or with persons: "eat them" is of no screws?"""
    verb = governing.lemma
    if verb in OF_ANYTHING:
        return False
    if governing.tag == "IN":  # "sat with them" is of no machines, though these stand with others
        return phrase.person and verb in OF_PERSONS_TOO
    kind = PERSON if phrase.person else phrase.noun
    classed = any(verb in c.words and kind in c.kinds for c in CLASSES if c.use == "transitive")
    return classed or tools.seen is None or tools.seen.objects[verb, kind] >= (OFTEN if phrase.person else 1)


def noun_phrases(sentence: Sentence, tools: Tools) -> Iterable[Phrase]:
    """What `np` puts, with "the", in a pronoun's place: a noun of the corpus after a determiner, with an adjective.

    A thing's adjective is the one before it or another of its class, a person's any of those that go with all persons.
    """
    tokens = sentence.tokens
    for i, noun in enumerate(tokens[2:-1], 2):
        adjective = tokens[i - 1] if tokens[i - 1].tag == "JJ" else None
        determined = tokens[i - 2 if adjective else i - 1].tag in ("DT", "PRP$")
        plain = noun.tag in ("NN", "NNS") and noun.text.isalpha() and noun.text.islower()
        if not (determined and plain) or tokens[i + 1].tag in ("NN", "NNS", "POS"):
            continue
        person = _kind(noun, tools) == PERSON
        words: tuple[str, ...] = ()
        if not _is_describable(noun, person, tools):
            continue
        if person:
            words = OF_PERSONS
        elif adjective and adjective.text in ADJECTIVES:
            words = (adjective.text, *words_like(adjective.text, "adjective", kinds_of(noun, tools)))
        for word in words:
            if not is_phrase(word, noun, tools):
                yield Phrase(f"{word} {noun.text}", noun.tag == "NNS", person, noun.lemma)


def _is_describable(noun: Token, person: bool, tools: Tools) -> bool:
    """Is it a thing, or a person of a class (not "the sad realist")? Of neither must one say whose it is: "the son"."""
    if noun.lemma in RELATIONAL | UNIQUE or not kinds_of(noun, tools) & (COUNTABLE - {"object"}):
        return False
    return not person or bool(words_like(noun.lemma, "noun"))


def governed(sentence: Sentence, tools: Tools) -> Iterable[tuple[str, str]]:
    """Verbs, each with the noun that it governs, and with "person" for one: what `np` goes by."""
    tokens = sentence.tokens
    for i, token in enumerate(tokens[:-2]):
        if token.tag.startswith("VB"):
            j = i + 1
            while j < len(tokens) - 1 and (
                tokens[j].tag in ("DT", "PRP$", "JJ", "CD") or tokens[j + 1].tag in ("NN", "NNS")
            ):
                j += 1
            if tokens[j].tag in ("NN", "NNS"):
                yield token.lemma, tokens[j].lemma
                if _kind(tokens[j], tools) == PERSON:
                    yield token.lemma, PERSON


def _kind(noun: Token, tools: Tools) -> str:
    return next(iter(tools.related(noun.lemma, "n")["kinds"]), "")


def coref(sentence: Sentence, tools: Tools) -> list[str]:
    """he takes the book and reads it, he takes the volume and reads it."""
    tokens, links = sentence.tokens, tools.coreference(list(sentence.tokens))
    refuse_if(len({antecedent for antecedent, _ in links}) != 1, "no single antecedent")
    i, pronouns = links[0][0], [pronoun for _, pronoun in links]
    noun, kinds = tokens[i], kinds_of(tokens[i], tools)
    refuse_if(sum(token.tag in FINITE for token in tokens) < 2, "antecedent and pronoun in one clause")
    shown = any(_shows_gender(tokens, j) for j in pronouns)
    refuse_if(tools.drops_subjects and not shown, "a subject that the language drops")
    compound = tokens[i + 1].tag in NOUN_TAGS or i and tokens[i - 1].tag in (*NOUN_TAGS, "VBG", "PRP")  # "you girls"
    bare = not noun.text.islower() or noun.tag == "NN" and _determiner(sentence, i) is None
    refuse_if(bare or compound or _is_repeated(sentence, i), "no single antecedent")
    refuse_if(any(_is_expletive(tokens, j) for j in pronouns), "a pronoun that may stand for nothing")
    refers = all(_may_refer(tokens, i, j, PERSON in kinds) for j in pronouns)
    refuse_if(not refers, "a pronoun that may stand for another")
    like = words_like(noun.lemma, "noun")
    if PERSON not in kinds:
        other = [word for word in like if (word in tools.feminine) != (noun.lemma in tools.feminine)]
        like = other or like  # of the other gender, where there is one
    forms = others(sentence, (tools.inflect(word, noun.tag) for word in like))
    refuse_if(not forms, "no noun of the antecedent's use")
    return [sentence.changed({i: form}) for form in forms[:ALTERNATIVES]]


def _shows_gender(tokens: Sequence[Token], pronoun: int) -> bool:
    """Is the pronoun an object, or has it a predicate, which shows gender where the subject is dropped?"""
    verb = next((j for j in (pronoun + 1, pronoun + 2) if j < len(tokens) and tokens[j].tag in FINITE), None)
    if verb is None:
        return tokens[pronoun].text.lower() != "they"  # "how can they know?"
    return tokens[verb].lemma == "be" and any(t.tag in ("JJ", "VBN") for t in tokens[verb : verb + 4])


def _is_repeated(sentence: Sentence, i: int) -> bool:
    return sum(token.lemma == sentence.tokens[i].lemma for token in sentence.tokens) > 1


def _may_refer(tokens: Sequence[Token], noun: int, pronoun: int, person: bool) -> bool:
    """May the pronoun stand for the noun, as far as the sentence tells?

    Not in a relative clause of the noun ("the stories they told"), nor after a preposition ("he drew
    his gun and fired at it"), nor for a noun after one ("they sat on the table, it was great"), nor
    where it stands before the noun as well, nor after "one", nor as an object for its own subject
    ("the guests would steal them"); "it" for no person; "they" for things only where these are
    something ("they are red").
    """
    start = next((i for i in range(noun - 1, -1, -1) if tokens[i].tag not in ("JJ", "DT", "PRP$", "CD")), 0)
    earlier = {OWNERS.get(token.text.lower(), token.text.lower()) for token in tokens[:noun]}
    form, between = tokens[pronoun].text.lower(), {token.text.lower() for token in tokens[noun + 1 : pronoun]}
    if tokens[start].tag == "IN" or not earlier.isdisjoint(PLURAL if form in PLURAL else (form,)):
        return False
    if tokens[noun + 1].text in ("for", "of") and tokens[noun + 2].tag in ("NN", "NNS"):
        return False  # "a demand for whisky": both may be sold
    if "one" in between or form in ("it", "them") and _is_subject_of(tokens, noun, pronoun):
        return False
    if tokens[pronoun - 1].lemma in (*IDIOMATIC, "have"):
        return False  # "I like it that way": "me gusta así", "let him have it"
    if between & RELATIVES or tokens[pronoun - 1].tag == "IN" and form in ("it", "them"):
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
    return not any(tag in subjects and after in (*FINITE, "TO", "VBG", "VB") for tag, after in pairwise(words))


def _is_expletive(tokens: Sequence[Token], i: int) -> bool:
    """May the "it" at i stand for nothing, or for what a clause says: it rains, it is time to go, he made it clear?"""
    if tokens[i].text.lower() != "it":
        return False
    if i and tokens[i - 1].lemma in VERBS_OF_CLAUSES:
        return True
    following = list(takewhile(lambda token: token.text not in (",", ";", ":", '"'), tokens[i + 1 :]))
    content = next((token for token in following if token.tag not in ("MD", "RB") and token.lemma != "be"), None)
    copula = any(token.lemma == "be" for token in takewhile(lambda token: token.tag in COPULA_TAGS, following))
    if content is None or content.lemma in EXPLETIVE_VERBS:
        return True
    return copula and (content.tag in (".", "DT") or any(token.text in CLAUSE_OPENERS for token in following))
