"""English verbs, adjectives and nouns that can take each other's place: words of one use, for the same kinds of noun.

Thesauri group words by meaning; what matters in a variant is that the sentence stays English. With verbs that is
valency, and there WordNet's frames are of little help: they belong to sets of synonyms, so that "bask" is transitive
as "enjoy" is. These classes, in `words.txt`, are in the manner of Levin (English Verb Classes and Alternations, 1993):
any word of a class may replace any other.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .clauses import Sentence, Token
from .tools import Tools
from .words import SECTIONS, table


class WordClass(NamedTuple):
    """Words of one use.

    use: "transitive" or "intransitive" verbs, "adjective"s or "noun"s.
    kinds, prepositions: what they go with, as `words.txt` says.
    """

    use: str
    kinds: frozenset
    prepositions: frozenset
    words: tuple[str, ...]


def _classes(use: str) -> Iterable[WordClass]:
    for row in SECTIONS[use]:
        kinds, _, words = row.rpartition(": ")
        words, _, prepositions = words.partition(" | ")
        named = frozenset(kind for name in kinds.split() for kind in NAMES.get(name, name).split())
        yield WordClass(use, named, frozenset(prepositions.split()), tuple(words.split()))


NAMES, DONE_FIRST, DONE_LAST, FEMININE = map(table, ("names", "done first", "done last", "feminine"))
CLASSES = (*_classes("transitive"), *_classes("intransitive"), *_classes("adjective"), *_classes("noun"))
PERSONAL_PRONOUNS = frozenset("i me we us you he him she her who".split())
ALTERNATIVES = 12  # words tried for one


def words_like(word: str, use: str, kinds: frozenset = frozenset(), prepositions: frozenset = frozenset()) -> list[str]:
    """Words that may take a word's place beside nouns of these kinds (none: unknown) and before these prepositions.

    They are those of the first class that fits: of two classes, one may be of what lasts and one of deeds.

    >>> words_like("burn", "transitive", frozenset({"letter"}))[:5]
    ['write', 'read', 'send', 'receive', 'keep']
    >>> words_like("burn", "transitive", frozenset({"person"})), words_like("bask", "transitive", frozenset())
    ([], [])
    >>> words_like("talk", "intransitive", frozenset({"person"}), frozenset({"with"}))
    ['whisper', 'argue', 'chat', 'quarrel']
    """
    fitting = (c for c in CLASSES if word in c.words and c.use == use and prepositions <= c.prepositions)
    first = next((c for c in fitting if not c.kinds or c.kinds & kinds), None)
    return [other for other in first.words if other != word] if first else []


def joined_to(verb: str, table: dict[str, str]) -> list[str]:
    """What may come before a verb or after it, by one of the two tables.

    >>> joined_to("smile", DONE_FIRST), joined_to("knock", DONE_LAST)
    (['turn round', 'stop'], ['wait'])
    """
    return [other for other, verbs in table.items() if verb in verbs.split()]


def others(sentence: Sentence, words: Iterable[str]) -> list[str]:
    """The words, each once, without those that the sentence has already."""
    own = {token.text for token in sentence.tokens}
    return [word for word in dict.fromkeys(words) if word not in own]


def kinds_of(token: Token, tools: Tools) -> frozenset:
    """The kinds of noun that a noun or pronoun is, and the noun; none if that is unknown, as of names."""
    if token.tag == "PRP" or token.text.lower() == "who":
        return frozenset(("person",)) if token.text.lower() in PERSONAL_PRONOUNS else frozenset()
    noun = token.tag in ("NN", "NNS") and token.text.islower()
    return frozenset((token.lemma, *tools.related(token.lemma, "n")["kinds"])) if noun else frozenset()
