"""English variants of adjectives: comparative and superlative (test A), other adjectives of the same use (C)."""

import re
from collections.abc import Sequence

from .clauses import Sentence, Token, Unsuitable, clause, refuse_if, refuse_words
from .tools import Tools
from .word_classes import ALTERNATIVES, kinds_of, others, words_like
from .words import BE, FINITE, PLACE_PREPOSITIONS, words_of

GRADABLE_ENDINGS = ("ful", "ous", "ive", "ant", "ent", "able", "ible", "ern", "ular", "ult", "ess", "some")
NOT_GRADABLE = words_of("not gradable")
OPPOSED = words_of("opposed")
AFTER_DEGREE = re.compile(r"(?i:\b(?:very|too|so|more|most|less|least|how|quite|rather|extremely)) ([a-z]+)")
CHOSEN = frozenset("person animal artifact plant object location".split())
DOING = ("have", "make", "take", "give")  # of deeds: the noun is what is done
# Nouns in fixed phrases with adjectives.
FIXED_NOUNS = frozenset("deal while lot bit amount number many few way time medium art".split())


# ---- Test A ----


def comparative(sentence: Sentence, tools: Tools) -> list[str]:
    """the house is small, the house is smaller; he bought a small house, he bought a smaller house."""
    _refuse_comparing(sentence)
    places = [(i, word) for i, word in _gradable(sentence, "JJR", tools) if _may_be_compared(sentence, i, tools)]
    refuse_if(not places, "no gradable adjective after a or be")
    return [sentence.changed({i: tools.inflect(word, "JJR")}) for i, word in places]


def _refuse_comparing(sentence: Sentence) -> None:
    """What one clause says is compared; more clauses tell why it is as it is."""
    refuse_words(sentence, OPPOSED | {"?"}, "a contrast or a condition")
    refuse_if(sum(token.tag in FINITE for token in sentence.tokens) != 1, "another clause")


def _may_be_compared(sentence: Sentence, i: int, tools: Tools) -> bool:
    """Ends the adjective at i what is said with be, or stands it after a verb and "a"?"""
    tokens = sentence.tokens
    if any(token.text in ("a", "an") for token in tokens[i:]):
        return False  # "a bad poet and a good husband"
    if tokens[i - 1].text in BE:
        return tokens[i + 1].tag in (".", ":")  # not "proud of you", "hot by day"
    done = tokens[i - 2].lemma in DOING and not kinds_of(tokens[i + 1], tools) & CHOSEN  # "had a good cry"
    return not done and tokens[i - 1].text in ("a", "an") and tokens[i - 2].tag in ("VB", "VBD", "VBN", "VBP", "VBZ")


def superlative(sentence: Sentence, tools: Tools) -> list[str]:
    """it is a small house, it is the smallest house; one of the dark places, one of the darkest places."""
    _refuse_comparing(sentence)
    variants = []
    for i, word in _gradable(sentence, "JJS", tools):
        if _is_one_of_several(sentence.tokens, i):
            variants.append(sentence.changed({i - 1: "the", i: tools.inflect(word, "JJS")}))
    refuse_if(not variants, "no gradable adjective of a noun that is one of several")
    return variants


def with_degrees(text: str) -> list[str]:
    """What follows "very", "more", ...: adjectives that do have degrees.

    >>> with_degrees("Very few were more careful, and none so young.")
    ['few', 'careful', 'young']
    """
    return AFTER_DEGREE.findall(text)


def _is_one_of_several(tokens: Sequence[Token], i: int) -> bool:
    """Is the adjective at i that of what the subject is ("he is a good man"), or after "one of"?

    Elsewhere nothing tells of what it is the most: "he told the poorest tale".
    """
    if tokens[i - 1].text == "the" and tokens[i - 3].text == "one":
        return True
    predicate = tokens[i - 1].text in ("a", "an") and tokens[i - 2].lemma in ("be", "become", "remain")
    if not predicate or any(token.tag == "EX" for token in tokens):
        return False
    after, beyond = (*tokens[i + 2 : i + 4], tokens[-1])[:2]  # "a good man." or "an old friend of hers"
    definite = beyond.tag in ("DT", "PRP$", "NNP") and beyond.text not in ("a", "an")
    return after.text in (".", "!") or after.text in ("in", "of", "on") and definite


def _gradable(sentence: Sentence, degree: str, tools: Tools) -> list[tuple[int, str]]:
    """Positions and forms of adjectives that can be compared: with an opposite."""
    gradable = []
    for i, word in _adjectives(sentence, tools):
        form = tools.inflect(word, degree)
        seen = tools.seen is None or word in tools.seen.graded  # with a degree in the corpus: "very important"
        compared = seen and word.endswith(GRADABLE_ENDINGS) if " " in form else form != word
        if compared and word not in NOT_GRADABLE and tools.related(word, "a")["antonyms"]:
            gradable.append((i, word))
    refuse_if(not gradable, "no gradable adjective in a simple place")
    return gradable


def _adjectives(sentence: Sentence, tools: Tools) -> list[tuple[int, str]]:
    """Positions and forms of adjectives after be, or between a determiner and a noun, without others beside
    them, and no phrase of WordNet's."""
    adjectives = []
    for i, token in enumerate(sentence.tokens[:-1]):
        if token.tag == "JJ":
            before, after = sentence.tokens[i - 1], sentence.tokens[i + 1]
            beyond = sentence.tokens[i + 2].tag if i + 2 < len(sentence.tokens) else ""
            noun = after.tag in ("NN", "NNS") and not beyond.startswith("NN")  # not "a high school student"
            in_place = before.lemma == "be" or before.tag in ("DT", "PRP$") and noun
            alone = after.tag not in ("JJ", "CC", "NNP") and after.text not in (",", "that", "to", "enough")
            alone = alone and after.lemma not in FIXED_NOUNS
            if in_place and alone and not is_phrase(token.text, after, tools):
                adjectives.append((i, token.text))
    return adjectives


def is_phrase(adjective: str, noun: Token, tools: Tools) -> bool:
    """Are they one of WordNet's phrases: "the long run", "my great aunt"?"""
    return any(tools.related(f"{adjective}{mark}{noun.lemma}", "n")["kinds"] for mark in " -")


# ---- Test C ----


def adj_consistency(sentence: Sentence, tools: Tools) -> list[str]:
    """a big house, a small house, ...: other adjectives of its classes in the place of the adjective."""
    refuse_words(sentence, OPPOSED | {"even", "afraid", "?"}, "a contrast or a condition")
    main = clause(sentence)
    refuse_if(bool(main.others), "another clause")  # which goes with this adjective alone
    for i, word in _adjectives(sentence, tools):
        after = sentence.tokens[i + 1]
        if sentence.tokens[i - 2].text == "of" or after.tag == "IN" and after.text not in PLACE_PREPOSITIONS:
            continue  # "the height of a tall man"
        subject = sentence.tokens[main.head] if main.verb == i - 1 else None  # of "is" before it
        noun = after if after.tag.startswith("NN") else subject
        if noun is None:
            continue
        words = others(sentence, words_like(word, "adjective", kinds_of(noun, tools)))
        words = [other for other in words if not is_phrase(other, noun, tools)]
        if len(words) >= 4:
            return [sentence.changed({i: other}) for other in words[:ALTERNATIVES]]
    raise Unsuitable("no adjective with four of its use")
