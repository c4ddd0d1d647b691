"""French: words, closed lists, and enough grammar to tell what a word is where it stands.

`analyse` turns translations into lists of `Word`, each with the lexicon's readings. The functions after it look at a
word in its sentence (is it a verb here? which auxiliary governs it?), and `FRENCH` has one function per kind of
contrast: it looks for what the test wants in the words that are new. Another target language is another such module.
"""

import html
import threading
import unicodedata
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import NamedTuple
from weakref import WeakKeyDictionary

from .lexicon import Lexicon, Reading
from .verdicts import FAIL, PASS, REJECTED, Evidence, Finding, Marked, Rules, new_positions

# ---- Closed lists ----

MOODS = {
    "P": "present",
    "F": "future",
    "I": "imperfect",
    "J": "simple past",
    "C": "conditional",
    "Y": "imperative",
    "S": "subjunctive",
    "T": "imperfect subjunctive",
    "K": "past participle",
    "G": "present participle",
    "W": "infinitive",
}
CATEGORIES = {
    **{"v": "verb", "auxAvoir": "verb", "auxEtre": "verb", "nc": "noun", "np": "name", "adj": "adjective"},
    **{"adv": "adverb", "advneg": "adverb", "det": "determiner", "pro": "pronoun", "ilimp": "pronoun"},
    **dict.fromkeys(("cln", "cla", "cld", "clr", "clar", "cldr", "clg", "cll"), "pronoun"),
}
PERSONS = {"1": "first", "2": "second", "3": "third"}
NUMBERS = {"s": "singular", "p": "plural"}
GENDERS = {"m": "masculine", "f": "feminine"}

SUBJECTS = frozenset("je j' tu il elle on nous vous ils elles qui".split())
NE = frozenset(("ne", "n'"))
REFLEXIVES = {"me": "1s", "m'": "1s", "te": "2s", "t'": "2s", "se": "3", "s'": "3", "nous": "1p", "vous": "2p"}
CLITICS = frozenset("y en lui leur le la les l' me m' te t' se s' nous vous".split())
BEFORE_CLITIC = SUBJECTS | NE | frozenset("me m' te t' se s'".split())
ENCLITICS = frozenset("je tu il elle on nous vous ils elles ce le la les lui leur moi toi y en".split())

# Adverbs of several words, which are taken as one.
ADVERBIALS = (
    "d' abord|tout de suite|tout d' abord|à nouveau|de nouveau|en effet|en fait|en partie|du tout|sans doute|en vain|"
    "une nouvelle fois|encore une fois|une fois|pour la première fois|dans un premier temps|tous les deux|par exemple|"
    "toutes les deux|en revanche|par ailleurs|au contraire|à peine|peu à peu|tout à fait|tout à coup".split("|")
)
NUMERALS = frozenset(
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante "
    "cinquante soixante cent cents mille".split()
)
# Gender and number of a noun phrase by its determiner, in the Lefff's letters; "" where it shows neither.
DETERMINERS = {
    **dict.fromkeys("le un ce cet du au quel aucun nul certain tel".split(), "ms"),
    **dict.fromkeys("la une cette ma ta sa quelle aucune nulle certaine telle".split(), "fs"),
    **dict.fromkeys("l' mon ton son notre votre leur quelque chaque".split(), "s"),
    **dict.fromkeys("quels certains tels".split(), "mp"),
    **dict.fromkeys("quelles certaines telles".split(), "fp"),
    **dict.fromkeys("les des aux ces mes tes ses nos vos leurs plusieurs quelques".split(), "p"),
    **dict.fromkeys(NUMERALS, "p"),
}
ARTICLES_OR_PRONOUNS = frozenset("le la les l' leur".split())
PREPOSITIONS = frozenset(
    "à de d' en dans sur sous avec sans pour par vers chez contre entre depuis pendant avant après dès malgré".split()
)
COORDINATORS = frozenset("et ou mais ni puis".split())

# Words of grammar that the lexicon also knows as verbs, nouns or adjectives ("lui" of luire, "son" the sound). As
# verbs they count only straight after a subject ("il entre"), as nouns and adjectives never.
FUNCTION_WORDS = frozenset(
    "autre autres aucun aucune aucuns aucunes avant bien car cela certain certaine certaines certains chaque combien "
    "comment concernant considérant contre de derrière dessous dessus devant durant en entre envers excepté la le les "
    "leur leurs lui là mais me mes moi moins moyennant mieux même mêmes ne non nul nulle nulles nuls or oui outre par "
    "au aux auquel auxquels auxquelles duquel desquels desquelles du des tandis etc "
    "partant pas pendant peu plus pour pourquoi puis quelque quelques qui rien sa sauf se si soi son sous suivant sur "
    "tel telle telles tels toi ton tous tout toute toutes très trop tu un une unes uns vers voici voilà y".split()
).union(NUMERALS)
# Lemmas of adjectives that stand before their noun: of "jeune directrice", "directrice" is the noun.
ADJECTIVES_BEFORE_NOUNS = frozenset(
    "ancien beau bon bref dernier double énorme faux gentil grand gros haut jeune joli long mauvais meilleur moindre "
    "nouveau pauvre petit pire premier prochain second seul simple vaste vieux vrai".split()
)
# Verbs whose compound tenses are made with être, so that "il est parti" is past and "il est mangé" a present passive.
VERBS_WITH_ETRE = frozenset(
    "accourir advenir aller apparaître arriver décéder demeurer descendre devenir échoir éclore entrer intervenir "
    "monter mourir naître obvenir partir parvenir passer provenir redescendre redevenir remonter renaître rentrer "
    "repartir repasser ressortir rester retomber retourner revenir sortir survenir tomber venir".split()
)
VERBS_NEGATED_BY_NE_ALONE = frozenset("pouvoir savoir oser cesser".split())
NEGATIVES = frozenset(
    "pas point jamais plus guère rien personne aucun aucune aucuns aucunes nul nulle nullement ni".split()
)
QUANTITIES = frozenset("beaucoup peu plus moins trop tant combien assez nombre tellement davantage".split())
NEGATIVE_SUBJECTS = frozenset("personne rien aucun aucune nul nulle jamais ni".split())
NEGATIVE_ALONE = frozenset("pas non aucun aucune".split())
SUPERLATIVE_DETERMINERS = frozenset(
    "le la les l' du des au aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs".split()
)
CLAUSE_BOUNDARIES = frozenset("que qu' mais , ; :".split())
EQUALLY = frozenset("aussi si autant tant".split())
DEGREES = frozenset("mieux davantage pis".split())
COMPARATIVE_STEMS = ("meilleur", "pire", "moindre", "supérieur", "inférieur", "antérieur", "postérieur", "ultérieur")
PLURAL_PRONOUNS = frozenset(
    "eux ils elles ceux celles ceux-ci celles-ci ceux-là celles-là eux-mêmes elles-mêmes -les -leur -ils -elles "
    "-en".split()  # en shows no number, and is right for a plural too
)
# Third-person pronouns that may take up a noun, in the Lefff's letters; "lui" and "les" show no gender, "y" nothing.
PRONOUNS = {
    **dict.fromkeys("il le -il -le celui celui-ci celui-là lequel auquel duquel lui-même".split(), "ms"),
    **dict.fromkeys("elle la -elle -la celle celle-ci celle-là laquelle elle-même".split(), "fs"),
    **dict.fromkeys("ils -ils eux ceux ceux-ci ceux-là lesquels auxquels desquels eux-mêmes".split(), "mp"),
    **dict.fromkeys(
        "elles -elles celles celles-ci celles-là lesquelles auxquelles desquelles elles-mêmes".split(), "fp"
    ),
    **dict.fromkeys("en -en y -y".split(), ""),
    **dict.fromkeys("l' lui -lui".split(), "s"),
    **dict.fromkeys("les leur -les -leur".split(), "p"),
}
SUBORDINATORS = frozenset("qui que qu' dont où si s' quand lorsque lorsqu'".split())
IMPERSONAL_VERBS = frozenset("falloir pleuvoir neiger".split())
IMPERSONAL_BEFORE_A_CLAUSE = frozenset("sembler paraître suffire importer arriver".split())
NO_CONJUNCTION_AFTER = frozenset(
    "parce alors tandis ainsi tant autant dès après depuis pendant plus moins aussi".split()
)

# ---- Words ----

# Spellings brought to the lexicon's: apostrophes, hyphens, œ; invisible characters go.
SPELLINGS = {
    **dict.fromkeys("\u2019\u02bc\u2032\u02b9\u0060\u00b4", "'"),
    **dict.fromkeys("\u2010\u2011", "-"),
    **dict.fromkeys("\u00ad\u200b\ufeff", ""),
    "œ": "oe",
}
MARKS = ',.;:!?\u2026\u00ab\u00bb"\u201c\u201d\u201e()[]{}/|\u2014\u2013'
NOT_ELIDED = {"aujourd' hui": "aujourd'hui", "quelqu' un": "quelqu'un", "c' est-à-dire": "c'est-à-dire"}
NOT_ELIDED |= {"prud' hom": "prud'hom", "presqu' île": "presqu'île", "grand' chose": "grand-chose"}


class Features(NamedTuple):
    """The values that a tag admits of each feature, in the Lefff's letters; none where it shows none."""

    moods: frozenset
    persons: frozenset
    numbers: frozenset
    genders: frozenset


@lru_cache(maxsize=None)
def features(tag: str) -> Features:
    """The letters of a Lefff tag, sorted out.

    >>> sorted(features("PS13s").moods), sorted(features("PS13s").persons), features("PS13s").numbers
    (['P', 'S'], ['1', '3'], frozenset({'s'}))
    """
    letters = set(tag.partition("_")[0])  # what follows is the possessor
    return Features(*(frozenset(letters & set(values)) for values in (MOODS, PERSONS, NUMBERS, GENDERS)))


PARTICIPLE, INFINITIVE, PRESENT = frozenset("K"), frozenset("W"), frozenset("P")
FINITE = frozenset("PFIJCST")


class Word:
    """A distinct token with what the lexicon says of it; sentences that have the token share the object.

    What a word may be is found out when it is first asked for, since most words of most sentences never are.
    """

    def __init__(self, form: str, readings: tuple[Reading, ...] = ()):
        self.form, self.readings = form, readings

    @cached_property
    def function(self) -> bool:
        """A word of grammar, whatever else the lexicon takes it for."""
        return self.form in FUNCTION_WORDS

    @cached_property
    def verbs(self) -> tuple[Reading, ...]:
        return tuple(r for r in self.readings if r.category in ("v", "auxAvoir", "auxEtre"))

    @cached_property
    def nouns(self) -> tuple[Reading, ...]:
        content = not self.function and len(self.form) > 1  # letters are nouns in the lexicon
        return tuple(r for r in self.readings if r.category == "nc" and content)

    @cached_property
    def adjectives(self) -> tuple[Reading, ...]:
        content = not self.function and not self.auxiliary
        return tuple(r for r in self.readings if r.category == "adj" and content)

    @cached_property
    def moods(self) -> frozenset:
        return frozenset().union(*(features(r.features).moods for r in self.verbs))

    @cached_property
    def finite_verbs(self) -> tuple[Reading, ...]:
        """The verb readings, without the participle where the form may be finite ("dit", without an auxiliary)."""
        return tuple(r for r in self.verbs if features(r.features).moods & FINITE) or self.verbs

    @cached_property
    def finite_values(self) -> dict[str, frozenset]:
        """Values of the tense, person and number as a verb without auxiliaries."""
        found = [features(r.features) for r in self.finite_verbs]
        return {
            "tense": frozenset().union(*(f.moods for f in found)),
            "person": frozenset().union(*(f.persons for f in found)),
            "number": frozenset().union(*(f.numbers for f in found)),
        }

    @cached_property
    def noun_values(self) -> dict[str, frozenset]:
        return _agreement(self.nouns)

    @cached_property
    def adjective_values(self) -> dict[str, frozenset]:
        return _agreement(self.adjectives)

    @cached_property
    def auxiliary(self) -> str | None:
        """avoir or être, if it is a form of one of them."""
        return next((r.lemma for r in self.verbs if r.lemma in ("avoir", "être")), None)

    @cached_property
    def passable(self) -> bool:
        """May it stand between an auxiliary and its participle: adverbs, pronouns after a hyphen, "tous deux"?"""
        adverb = "_" in self.form or any(r.category in ("adv", "advneg") for r in self.readings)
        pronoun = self.form[0] == "-" or self.form.endswith(("-même", "-mêmes")) or self.form in NUMERALS
        return adverb or pronoun or self.form in ("rien", "tout", "tous", "toute", "toutes")

    def __repr__(self):
        return f"Word({self.form!r})"

    @cached_property
    def is_name(self) -> bool:
        """Nothing but a name to the lexicon."""
        return bool(self.readings) and all(r.category == "np" for r in self.readings)

    @property
    def unknown(self) -> bool:
        """A word of letters that the lexicon lacks."""
        return not self.readings and not self.function and self.form[0].isalpha() and "_" not in self.form

    @cached_property
    def determiner(self) -> str | None:
        """What it shows as a determiner, in the Lefff's letters; figures are plural."""
        plural = self.form[0].isdigit() and self.form not in ("0", "1")
        return "p" if plural else DETERMINERS.get(self.form)


def tokenise(texts: list[str]) -> list[list[str]]:
    """Tokens of French texts, plain or already tokenised; elided words keep their apostrophe.

    All texts go through each step together: a step then costs a fraction of a microsecond per sentence.

    >>> tokenise(["L\u2019été, qu'il aime.", "j' ai faim"])
    [["L'", 'été', ',', "qu'", 'il', 'aime', '.'], ["j'", 'ai', 'faim']]
    """
    text = "\n".join(texts)
    if "&" in text or text.count("\n") != len(texts) - 1:
        text = "\n".join(" ".join(html.unescape(text).split()) for text in texts)  # Moses writes &apos;
    text = unicodedata.normalize("NFC", text)
    if text.isupper():  # nothing but capitals tells no names
        text = text.lower()
    for found, spelling in SPELLINGS.items():
        text = text.replace(found, spelling)
    for mark in MARKS:
        text = text.replace(mark, f" {mark} ")
    text = (
        text.replace("'", "' ").replace("'  ", "' ").replace(" '", "'").replace(" @-@ ", "-").replace(" - t - ", "-t-")
    )
    for apart, whole in NOT_ELIDED.items():
        text = text.replace(apart, whole)
    for adverbial in ADVERBIALS:
        if adverbial in text:
            text = text.replace(f" {adverbial} ", f" {adverbial.replace(' ', '_')} ")
    return [line.split() for line in text.split("\n")]


def _parts(token: str) -> list[str]:
    """The parts of a token that the lexicon lacks: cut at hyphens, without an apostrophe that closes a quotation.

    >>> _parts("viendra-t-il"), _parts("anti-inflation"), _parts("mot'")
    (['viendra', '-il'], ['anti', 'inflation'], ['mot'])
    """
    first, *others = token.rstrip("'").split("-")
    parts = [first]
    parts += [f"-{part}" if part in ENCLITICS else part for part in others if part != "t"]
    return [part for part in parts if part]


class Vocabulary:
    """The tokens met so far with one lexicon: each is one `Word`, or a tuple of those of its parts."""

    def __init__(self, lexicon: Lexicon):
        self.lexicon, self.words, self.tokens = lexicon, {}, {}
        self._lock = threading.Lock()

    def look_up(self, tokens: Iterable[str]) -> None:
        """Take in the tokens that are new; the lexicon is asked once for all of them."""
        with self._lock:  # so that a token is one object in all threads: sentences are compared by identity
            new = set(tokens) - self.tokens.keys()
            known = self.lexicon.readings({token.lower() for token in new})
            parts = {token: _parts(token.lower()) for token in new if _is_cut(token.lower(), known)}
            known |= self.lexicon.readings(set(chain.from_iterable(parts.values())) - known.keys())
            for token in new:
                if token in parts:
                    self.tokens[token] = tuple(self._word(part, known) for part in parts[token])
                else:
                    self.tokens[token] = self._word(token, known)

    def _word(self, token: str, known: dict) -> Word:
        """The token's word: without its capital, unless it is a name that the lexicon has ("Rose")."""
        readings = known.get(token.lower(), ())
        names = tuple(r for r in readings if r.category == "np") if token[0].isupper() and token[1:].islower() else ()
        key = token if names else token.lower()
        if key not in self.words:
            self.words[key] = Word(token.lower(), names or readings)
        return self.words[key]


def _is_cut(token: str, known: dict) -> bool:
    """Is the token to be cut: unknown, with hyphens or a closing apostrophe; or a pronoun behind its hyphen?"""
    compound = len(token) > 1 and ("-" in token or token[-1] == "'") and token not in known
    return compound or token[0] == "-" and _parts(token) != [token]


_VOCABULARIES = WeakKeyDictionary()  # by lexicon
MOST_WORDS = 300_000


def analyse(texts: list[str], lexicon: Lexicon) -> list[list[Word]]:
    """Each text as a list of `Word`; what is found out about words is kept from call to call."""
    sentences = tokenise(texts)
    for sentence in sentences:
        if sentence:
            sentence[0] = sentence[0].lower()
    vocabulary = _VOCABULARIES.get(lexicon)
    if vocabulary is None or len(vocabulary.tokens) > MOST_WORDS:
        vocabulary = _VOCABULARIES[lexicon] = Vocabulary(lexicon)
    tokens = vocabulary.tokens
    try:
        found = [[tokens[token] for token in sentence] for sentence in sentences]
    except KeyError:
        vocabulary.look_up(chain.from_iterable(sentences))
        found = [[tokens[token] for token in sentence] for sentence in sentences]
    return [list(_flat(words)) if tuple in map(type, words) else words for words in found]


def _flat(words: list[Word | tuple]) -> Iterable[Word]:
    for word in words:
        if isinstance(word, tuple):
            yield from word
        else:
            yield word


def describe(readings: Iterable[Reading]) -> str:
    """Readings in words.

    >>> describe([Reading("v", "avoir", "I3s")]), describe([Reading("nc", "chat", "mp")])
    ('verb, imperfect, third person singular', 'noun, masculine plural')
    """
    described = dict.fromkeys(_describe(reading) for reading in readings)
    return " or ".join(described) or "not in the lexicon"


def _describe(reading: Reading) -> str:
    found = features(reading.features)

    def names(table, values):
        return "/".join(name for letter, name in table.items() if letter in values)

    persons = [names(PERSONS, found.persons), "person"] if found.persons else []
    agreement = " ".join(filter(None, (*persons, names(GENDERS, found.genders), names(NUMBERS, found.numbers))))
    category = CATEGORIES.get(reading.category, "function word")
    return ", ".join(filter(None, (category, names(MOODS, found.moods), agreement)))


# ---- What a word is where it stands ----

# How far words are looked for, which keeps long sentences fast.
REACH = 12  # words between an auxiliary and what it governs
NEAR = 10  # words between a noun and its adjective
NEAREST_VERBS = 5  # how many verbs before a conjunction may be the first of the pair


def is_pronoun(sentence: list[Word], i: int) -> bool:
    """Is le, la, les, l' or leur a pronoun here ("je les vois"), not a determiner ("les gens")?"""
    if sentence[i].form[0] == "-":
        return True
    if i + 1 == len(sentence):
        return False
    following, before = sentence[i + 1], sentence[i - 1] if i else None
    if following.form in CLITICS or following.form in ("voici", "voilà"):
        return True
    if following.function or not following.moods - PARTICIPLE:
        return False
    if before is not None and (before.form in BEFORE_CLITIC or before.is_name):
        return True
    if sentence[i].form == "leur" and (following.moods & INFINITIVE or before and before.form in ARTICLES_OR_PRONOUNS):
        return True
    inside = before is not None and before.form[0].isalpha()  # no object opens a clause
    return not _is_nominal(following) or inside and not _goes_with(sentence[i].form, following)


def _goes_with(determiner: str, word: Word) -> bool:
    """May the word be a noun or adjective with this determiner ("la porte"), or do they clash ("le porte")?"""
    wanted = features(DETERMINERS[determiner])
    found = [features(r.features) for r in word.nouns or word.adjectives]
    return any(
        (not f.genders or not wanted.genders or f.genders & wanted.genders)
        and (not f.numbers or not wanted.numbers or f.numbers & wanted.numbers)
        for f in found
    )


def _is_nominal(word: Word) -> bool:
    """May the word be a noun, or an adjective that is no participle?"""
    return bool(word.nouns) or any(r.features[:1] != "K" for r in word.adjectives)


def is_determiner(sentence: list[Word], i: int) -> bool:
    """Is the word a determiner here, and no pronoun?"""
    word = sentence[i]
    return word.determiner is not None and not (word.form in ARTICLES_OR_PRONOUNS and is_pronoun(sentence, i))


def is_verb(sentence: list[Word], i: int) -> bool:
    """Is the word a verb here? It is none after a determiner or a preposition if it may be a noun."""
    word = sentence[i]
    if not word.verbs:
        return False
    before = sentence[i - 1] if i else None
    if word.function:
        return before is not None and before.form in SUBJECTS and bool(word.moods & FINITE)
    if before is None or not _is_nominal(word):
        return True
    if is_determiner(sentence, i - 1) or _is_determined(sentence, i):
        return False
    if before.form in PREPOSITIONS:
        pronoun = before.form == "en" and i > 1 and sentence[i - 2].form in BEFORE_CLITIC
        return pronoun or bool(word.moods & frozenset("WG"))
    return True


def _is_determined(sentence: list[Word], i: int) -> bool:
    """Do adjectives that stand before their noun, behind a determiner or de, come before i: "la plus grande porte"?"""
    j = i - 1
    while j >= 0 and (_precedes_noun(sentence[j]) or j < i - 1 and sentence[j].form in ("plus", "moins", "très", "si")):
        j -= 1
    return (
        0 <= j < i - 1
        and (sentence[j].form in ("de", "d'") or is_determiner(sentence, j))
        or (j < i - 1 and sentence[j + 1].form in ("toute", "tout"))
    )


def _precedes_noun(word: Word) -> bool:
    """An adjective that stands before its noun, or one that cannot be a noun or a verb itself."""
    if word.form in ("même", "mêmes", "autre", "autres", "toute", "tout"):
        return True
    alone = bool(word.adjectives) and not word.nouns and not word.verbs
    return alone or any(r.lemma in ADJECTIVES_BEFORE_NOUNS for r in word.adjectives)


def is_noun(sentence: list[Word], i: int) -> bool:
    """Is the word a noun here? Not after a subject; nor, if it may be an adjective, beside one that can only be one."""
    word = sentence[i]
    if not word.nouns:
        return False
    before = sentence[i - 1] if i else None
    if word.auxiliary:
        return before is not None and is_determiner(sentence, i - 1)
    if word.verbs and before is not None and before.form in BEFORE_CLITIC:
        return False
    if "K" in word.moods and auxiliary_before(sentence, i) is not None:
        return False
    if word.adjectives and before is not None and before.auxiliary == "être":
        return False
    if word.adjectives:
        after = sentence[i + 1] if i + 1 < len(sentence) else None
        return not any(near and near.nouns and not near.adjectives and not near.verbs for near in (before, after))
    return True


def _walk(sentence: list[Word], positions: Iterable[int], wanted: Callable, passable: Callable) -> int | None:
    """The first of the positions with a wanted word, if all before it are passable."""
    for i in positions:
        if wanted(sentence[i]):
            return i
        if not passable(sentence[i]):
            return None
    return None


def auxiliary_before(sentence: list[Word], i: int) -> int | None:
    """Position of the form of avoir or être that governs the participle at i, over adverbs and other participles."""

    def passable(word: Word) -> bool:
        return word.passable or word.form in COORDINATORS or word.form == "," or "K" in word.moods

    return _walk(sentence, range(i - 1, max(i - REACH, -1), -1), lambda word: word.auxiliary, passable)


def participle_after(sentence: list[Word], i: int) -> int | None:
    """Position of the participle that the auxiliary at i governs."""
    after = range(i + 1, min(i + REACH, len(sentence)))
    return _walk(sentence, after, lambda word: "K" in word.moods and not word.function, lambda word: word.passable)


def _is_aller(word: Word) -> bool:
    return "P" in word.moods and any(r.lemma == "aller" and "P" in r.features for r in word.verbs)


def aller_before(sentence: list[Word], i: int) -> int | None:
    """Position of the present of aller that makes the infinitive at i a future, over adverbs and clitics."""

    def passable(word: Word) -> bool:
        return word.passable or word.form in CLITICS or word.form in COORDINATORS or "W" in word.moods

    return _walk(sentence, range(i - 1, max(i - REACH, -1), -1), _is_aller, passable)


def infinitive_after(sentence: list[Word], i: int) -> int | None:
    """Position of the infinitive that the form of aller at i governs."""
    after = range(i + 1, min(i + REACH, len(sentence)))
    return _walk(sentence, after, lambda word: "W" in word.moods, lambda w: w.passable or w.form in CLITICS)


def verb_group(sentence: list[Word], i: int, side: int = 1) -> Marked:
    """The verb at i with its auxiliaries: "a mangé" has the person of "a" and tense P+K, "va manger" the tense F."""
    main = i
    while True:
        word = sentence[main]
        step = participle_after(sentence, main) if word.auxiliary else None
        if step is None and _is_aller(word):
            step = infinitive_after(sentence, main)
        if step is None:
            break
        main = step
    parts, compound, future = [main], "", False
    while not future:
        word = sentence[parts[-1]]
        head = auxiliary_before(sentence, parts[-1]) if "K" in word.moods else None
        if head is not None:
            compound += "+K" * _is_compound(sentence, head, parts[-1])
        elif "W" in word.moods:
            head = aller_before(sentence, parts[-1])
            future = head is not None
        if head is None:
            break
        parts.append(head)
    values = sentence[parts[-1]].finite_values
    if len(parts) > 1:
        values = values | {"tense": frozenset(mood + compound for mood in ("F" if future else values["tense"]))}
    return Marked(tuple(Evidence(side, j, sentence[j].verbs) for j in sorted(parts)), values)


def _agreement(readings: tuple[Reading, ...]) -> dict[str, frozenset]:
    """Genders and numbers of nouns or adjectives; none, for any, where one of the readings shows none."""
    found = [features(r.features) for r in readings]
    genders, numbers = [f.genders for f in found], [f.numbers for f in found]
    return {
        "gender": frozenset().union(*genders) if all(genders) else frozenset(),
        "number": frozenset().union(*numbers) if all(numbers) else frozenset(),
    }


def numbers_of(sentence: list[Word], i: int) -> frozenset:
    """Numbers that the noun at i may have; its determiner decides where the noun shows none ("les pays")."""
    numbers = frozenset().union(*(features(r.features).numbers or NUMBERS.keys() for r in sentence[i].nouns))
    for j in range(i - 1, max(i - 4, -1), -1) if len(numbers) > 1 else ():
        if is_determiner(sentence, j):
            return features(sentence[j].determiner).numbers or numbers
        if sentence[j].form in ("de", "d'"):
            return frozenset("p") if j < i - 1 or j and sentence[j - 1].form in QUANTITIES else numbers
        if not _precedes_noun(sentence[j]):
            break
    return numbers


# ---- What the tests look for: test A ----

NEW_WORD = "new word *{0.form}*: {0.reading}"


def _not_found(variant: list[Word], new: list[int], kind: str, seen: list[Evidence]) -> Finding:
    """Nothing new is as it should be: rejected where the lexicon cannot tell, else failed."""
    rejected = _unknown(variant, new, 1)
    if rejected or seen:
        return rejected or Finding(FAIL, NEW_WORD, tuple(seen))
    return Finding(REJECTED, f"no new {kind}")


def _unknown(sentence: list[Word], new: list[int], side: int) -> Finding | None:
    """Rejected for new words that the lexicon lacks, if there are any."""
    found = tuple(Evidence(side, i) for i in new if sentence[i].unknown)
    return Finding(REJECTED, "new word *{0.form}* is not in the lexicon", found) if found else None


def _readings_here(base: list[Word], word: Word) -> tuple[Reading, ...]:
    """The verb readings, those of a verb of the base alone if it is among them: after "voit", "vit" is of voir."""
    if len(word.verbs) > 1:
        lemmas = {r.lemma for other in base for r in other.verbs}
        shared = tuple(r for r in word.verbs if r.lemma in lemmas)
        if shared:
            return shared
    return word.verbs


def _in_moods(readings: tuple[Reading, ...], moods: frozenset) -> tuple[Reading, ...]:
    return tuple(r for r in readings if features(r.features).moods & moods)


def _find_tense(
    moods: str, periphrasis: Callable | None, base: list[Word], variant: list[Word], new: list[int]
) -> Finding:
    """A new verb in one of the moods, or a new compound tense that ``periphrasis`` accepts."""
    wanted, seen = frozenset(moods), []
    for i in new:
        if not is_verb(variant, i):
            continue
        readings = _readings_here(base, variant[i])
        if "K" in variant[i].moods and auxiliary_before(variant, i) is not None:
            readings = _in_moods(variant[i].verbs, PARTICIPLE)  # "ils sont élus", no simple past
        shown = _in_moods(readings, wanted)
        if shown and not _in_moods(readings, PRESENT) or _in_moods(shown, frozenset("I")):
            return Finding(PASS, NEW_WORD, (Evidence(1, i, shown),))
        compound = periphrasis(variant, i) if periphrasis else None
        if compound:
            return compound
        seen.append(Evidence(1, i, readings))
    return _not_found(variant, new, "verb", seen)


def compound_past(sentence: list[Word], i: int) -> Finding | None:
    """Passé composé or another compound past with the word at i; "il est mangé" is none, "il est parti" is."""
    main = i if "K" in sentence[i].moods else participle_after(sentence, i) if sentence[i].auxiliary else None
    head = auxiliary_before(sentence, main) if main is not None else None
    if head is None or not _is_past(sentence, head, main):
        return None
    evidence = Evidence(1, head, sentence[head].verbs), Evidence(1, main, _in_moods(sentence[main].verbs, PARTICIPLE))
    return Finding(PASS, "*{0.form}* with *{1.form}*: compound past", evidence)


def _is_past(sentence: list[Word], head: int, main: int) -> bool:
    """Is the auxiliary at head with the participle at main a past: "a mangé", "est parti", "était mangé"?"""
    auxiliary = sentence[head]
    if "K" in auxiliary.moods:  # "été": what governs it decides
        above = auxiliary_before(sentence, head)
        return above is not None and _is_past(sentence, above, head)
    if auxiliary.moods & frozenset("IJ"):
        return True
    return bool(auxiliary.moods & frozenset("PST")) and _is_compound(sentence, head, main)


def _is_compound(sentence: list[Word], head: int, main: int) -> bool:
    """Do they make a compound tense, no passive: with avoir, and with être for some verbs and reflexive ones?"""
    if sentence[head].auxiliary == "avoir":
        return True
    return any(r.lemma in VERBS_WITH_ETRE for r in sentence[main].verbs) or _is_reflexive(sentence, head)


def _is_reflexive(sentence: list[Word], head: int) -> bool:
    """Is the form of être at head that of a reflexive verb: "s'est", "me suis", "nous nous sommes"?"""
    before = sentence[head - 1].form if head else ""
    if before in ("nous", "vous"):
        return head > 1 and sentence[head - 2].form == before
    person = REFLEXIVES.get(before)
    return person is not None and any(person in r.features for r in sentence[head].verbs)


def near_future(sentence: list[Word], i: int) -> Finding | None:
    """The present of aller with an infinitive, one of which is at i."""
    main = infinitive_after(sentence, i) if _is_aller(sentence[i]) else i if "W" in sentence[i].moods else None
    head = aller_before(sentence, main) if main is not None else None
    if head is None:
        return None
    evidence = Evidence(1, head, _in_moods(sentence[head].verbs, PRESENT)), Evidence(1, main, sentence[main].verbs)
    return Finding(PASS, "*{0.form}* with *{1.form}*: near future", evidence)


def find_subjunctive(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A subjunctive in the clause after que; a form that may be either mood is right, a kept indicative is not."""
    clauses = [i + 1 for i in range(len(variant)) if _is_conjunction(variant, i)]
    ne = next((i for i, word in enumerate(variant) if word.form in NE), 0)
    start = next((i for i in clauses if i > ne), clauses[0] if clauses else None)
    if start is None:
        verbs = [i for i in new if is_verb(variant, i)]
        sure = [i for i in verbs if not variant[i].moods & PRESENT]
        return _judge_subjunctive(variant, new, sure or verbs)
    clause = _clause_verbs(variant, start)
    sure = [i for i in clause if not _is_nominal(variant[i])] or [i for i in clause if i in new] or clause
    return _judge_subjunctive(variant, new, sure[:1])


def _judge_subjunctive(variant: list[Word], new: list[int], verbs: list[int]) -> Finding:
    """Passes if one of the verbs may be a subjunctive."""
    seen = []
    for i in verbs:
        shown = _in_moods(variant[i].verbs, frozenset("ST"))
        if shown:
            return Finding(PASS, "*{0.form}*: {0.reading}", (Evidence(1, i, shown),))
        seen.append(Evidence(1, i, variant[i].finite_verbs))
    if seen:
        return Finding(FAIL, "*{0.form}*: {0.reading}", tuple(seen))
    return _not_found(variant, new, "verb", seen)


def _is_conjunction(sentence: list[Word], i: int) -> bool:
    """Does que at i introduce a clause that a verb governs: not "parce que", "plus que"?"""
    return sentence[i].form in ("que", "qu'") and (not i or sentence[i - 1].form not in NO_CONJUNCTION_AFTER)


def _starts_condition(sentence: list[Word], i: int) -> bool:
    """Is s' at i "if": before il or ils?"""
    return i + 1 < len(sentence) and sentence[i + 1].form in ("il", "ils")


def _clause_verbs(sentence: list[Word], start: int) -> list[int]:
    """Positions of the finite verbs from start on, without those of relative clauses and conditions."""
    found, relative = [], 0
    for i in range(start, len(sentence)):
        if sentence[i].form in SUBORDINATORS and (sentence[i].form != "s'" or _starts_condition(sentence, i)):
            relative += 1
        elif sentence[i].moods & FINITE and is_verb(sentence, i):
            if relative:
                relative -= 1
            else:
                found.append(i)
    return found


def find_plural_noun(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A new noun in the plural, or a new plural determiner before a noun that shows none ("le pays", "les pays")."""
    nouns = [i for i in new if is_noun(variant, i)]
    determined = {j for j in (_determined_noun(variant, i) for i in new) if j is not None} - set(nouns)
    for i in (*nouns, *(j for j in sorted(determined) if _shows_no_number(variant[j]))):
        if "p" in numbers_of(variant, i) and (i in nouns or "s" not in numbers_of(variant, i)):
            shown = tuple(r for r in variant[i].nouns if features(r.features).numbers != {"s"})
            return Finding(
                PASS, NEW_WORD if i in nouns else "plural determiner of *{0.form}*", (Evidence(1, i, shown),)
            )
    plurals = [i for i in sorted(determined) if any((variant[j].determiner or "").endswith("p") for j in new if j < i)]
    return _not_found(variant, new, "noun", [Evidence(1, i, variant[i].nouns) for i in (*nouns, *plurals)])


def _shows_no_number(word: Word) -> bool:
    return any(not features(r.features).numbers for r in word.nouns)


def _determined_noun(sentence: list[Word], i: int) -> int | None:
    """Position of the noun that the determiner or adjective at i stands before."""
    if not (is_determiner(sentence, i) or _precedes_noun(sentence[i]) or sentence[i].form in ("de", "d'")):
        return None
    for j in range(i + 1, min(i + 4, len(sentence))):
        if is_noun(sentence, j):
            return j
        if not _precedes_noun(sentence[j]):
            return None
    return None


# Closed lists: a new word of the list, in the right place, or none; there is nothing to reject.


def _find_listed(accepts: Callable, what: str, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    for i in new:
        if accepts(variant, i):
            return Finding(PASS, f"new word *{{0.form}}*: {what}", (Evidence(1, i, variant[i].readings),))
    return Finding(FAIL, f"no new word that is {what}")


def find_plural_pronoun(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A new plural pronoun; leur is one also where the base has lui ("Marie lui montre", "Marie leur montre")."""
    forms = {word.form for word in variant}
    if any(word.form == "lui" for word in base) and "lui" not in forms:
        for i in (i for i in new if variant[i].form == "leur" and i + 1 < len(variant) and variant[i + 1].verbs):
            return Finding(PASS, "new word *{0.form}* for *lui*", (Evidence(1, i, variant[i].readings),))
    return _find_listed(is_plural_pronoun, "a plural pronoun", base, variant, new)


def is_plural_pronoun(sentence: list[Word], i: int) -> bool:
    """A pronoun of the plural; en shows no number and is right."""
    form = sentence[i].form
    if form in ("les", "leur"):
        return is_pronoun(sentence, i)
    return form in PLURAL_PRONOUNS or form == "en" and _is_pronoun_en(sentence, i)


def _is_pronoun_en(sentence: list[Word], i: int) -> bool:
    """Is en at i a pronoun ("il en parle"), no preposition ("en parlant", "en mer")?"""
    following = sentence[i + 1] if i + 1 < len(sentence) else None
    return following is not None and is_verb(sentence, i + 1) and "G" not in following.moods


def is_comparative(sentence: list[Word], i: int) -> bool:
    """Does the word compare here: not the plus of "ne … plus" or "de plus,", nor the moins of "au moins"?"""
    form, before = sentence[i].form, sentence[i - 1].form if i else ""
    after = [word.form for word in sentence[i + 1 : i + 3]]
    if form == "plus":
        aside = before in ("de", "en") and (not after or not after[0][0].isalpha())  # "de plus, ..."
        idle = before in ("non", "sans", "ni") or after == ["ou", "moins"] or aside
        return not idle and not _is_negative_plus(sentence, i)
    if form == "moins":
        return before not in ("au", "du", "à") and not (before == "ou" and i > 1 and sentence[i - 2].form == "plus")
    return form in DEGREES or form.startswith(COMPARATIVE_STEMS)


def _is_negative_plus(sentence: list[Word], i: int) -> bool:
    """Is plus "no longer" here: after ne in its clause, which has no other negative, and not in "plus grand que"?"""
    ne = max((j for j in range(i) if sentence[j].form in NE), default=None)
    if ne is None or any(word.form in CLAUSE_BOUNDARIES for word in sentence[ne:i]):
        return False
    if any(word.form in NEGATIVES - {"plus"} for word in sentence[ne:]) or _negative_subject(sentence, ne) is not None:
        return False
    after = sentence[i + 1 : i + 5]
    compared = bool(after) and bool(after[0].adjectives or after[0].passable) and after[0].form not in EQUALLY
    return not (compared and any(_is_conjunction(sentence, j) for j in range(i + 2, min(i + 5, len(sentence)))))


def find_superlative(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A comparative after an article or a possessive, one of which is new: "le plus", "mon meilleur"."""
    for i, word in enumerate(variant):
        if i and is_comparative(variant, i):
            determiner = _determiner_before(variant, i)
            if determiner is not None and (i in new or determiner in new):
                evidence = Evidence(1, determiner, variant[determiner].readings), Evidence(1, i, word.readings)
                return Finding(PASS, "*{0.form}* with *{1.form}*: a superlative", evidence)
    return Finding(FAIL, "no new superlative")


def _determiner_before(sentence: list[Word], i: int) -> int | None:
    """The determiner straight before i, or with a numeral between: "les deux meilleurs"."""
    for j in (i - 1, i - 2):
        if j < 0:
            return None
        if sentence[j].form in SUPERLATIVE_DETERMINERS:
            return j
        if DETERMINERS.get(sentence[j].form) != "p":
            return None
    return None


def find_negation(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """ne with a negative, one of which is new; spoken "c'est pas"; ne alone with pouvoir; not "ne … que"."""

    def passes(reason: str, *positions: int) -> Finding:
        return Finding(PASS, reason, tuple(Evidence(1, i, variant[i].readings) for i in positions))

    particles = [i for i, word in enumerate(variant) if word.form in NE]
    for ne in particles:
        negative = _negative_of(variant, ne)
        if negative is not None and (ne in new or negative in new):
            return passes("*{0.form}* … *{1.form}*: a negation", ne, negative)
    for i in new:
        if variant[i].form in NEGATIVE_ALONE and _negates_alone(variant, i):
            return passes("new word *{0.form}*: a negation", i)
    for ne in (i for i in particles if i in new):
        verb = next((word for word in variant[ne + 1 :] if word.verbs and not word.function), None)
        if verb is not None and any(r.lemma in VERBS_NEGATED_BY_NE_ALONE for r in verb.verbs):
            return passes("new word *{0.form}* with a verb that needs no *pas*", ne)
        return passes("new word *{0.form}* without *pas* or another negative", ne)._replace(verdict=FAIL)
    return Finding(FAIL, "no new negation")


def _negative_of(sentence: list[Word], ne: int) -> int | None:
    """Position of the negative that goes with ne: after it, before any que; or as a subject ("personne ne vient")."""
    for i in range(ne + 1, len(sentence)):
        following = sentence[i + 1].form if i + 1 < len(sentence) else ""
        if sentence[i].form in NEGATIVES and not (sentence[i].form == "plus" and following in ("que", "qu'")):
            return None if sentence[i - 1].form == "-ce" else i  # "n'est-ce pas ?"
        if sentence[i].form in ("que", "qu'") or sentence[i].form in NE:
            break
    return _negative_subject(sentence, ne)


def _negative_subject(sentence: list[Word], ne: int) -> int | None:
    """Position of a negative before ne that is no noun ("rien ne bouge", not "la personne ne vient")."""
    for i in range(ne - 1, max(ne - 6, -1), -1):
        if sentence[i].form in NEGATIVE_SUBJECTS:
            return None if i and is_determiner(sentence, i - 1) else i
    return None


def _negates_alone(sentence: list[Word], i: int) -> bool:
    """Is the word at i a negation without ne: "c'est pas vrai", "non membre"; not "un pas", "non, il vient"?"""
    if i and is_determiner(sentence, i - 1) or i and sentence[i - 1].form == "-ce":
        return False
    after = sentence[i + 1].form if i + 1 < len(sentence) else ""
    return sentence[i].form != "non" or after not in ("seulement", "moins", "plus") and after[:1].isalpha()


# ---- Test B: two words that must agree ----


def find_coordinated_verbs(base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    """The verbs on both sides of a conjunction, at least one of the three new; two different verbs."""
    verbs, fresh = [i for i in range(len(variant)) if is_verb(variant, i)], set(new)
    repeated = None
    for conjunctions in (COORDINATORS, (",",)):
        for c in (c for c, word in enumerate(variant) if word.form in conjunctions):
            place = bisect(verbs, c)
            if place in (0, len(verbs)) or fresh.isdisjoint((verbs[place - 1], c, verbs[place])):
                continue
            second = verb_group(variant, verbs[place])
            first = _partner(variant, verbs[max(place - NEAREST_VERBS, 0) : place], second)
            if not _lemmas(variant, first).isdisjoint(_lemmas(variant, second)):
                repeated = repeated or (first.evidence[-1], second.evidence[-1])
            elif _is_bare(second) and len(first.evidence) > 1:  # it shares the auxiliary: "a mangé une pomme et bu"
                return first, second._replace(values=first.values)
            else:
                return first, second
    if repeated:
        return Finding(FAIL, "*{0.form}* and *{1.form}* are the same verb", repeated)
    missing = _not_found(variant, new, "verb", [Evidence(1, i, variant[i].verbs) for i in verbs if i in fresh])
    return missing._replace(reason="no second verb beside *{0.form}*") if missing.verdict == FAIL else missing


def _partner(sentence: list[Word], candidates: list[int], second: Marked) -> Marked:
    """The verb before the conjunction that goes with the one after it best, the nearest of several.

    In "il voit les enfants qui jouent et rit", "rit" goes with "voit"; bare participles and infinitives go with others.
    """
    bare = sentence[second.evidence[-1].position].moods & frozenset("KW") if _is_bare(second) else frozenset()
    groups = [verb_group(sentence, i) for i in reversed(candidates)]

    def fit(group: Marked) -> int:
        if bare:
            return bool(sentence[group.evidence[-1].position].moods & bare)
        return sum(not a or not b or not a.isdisjoint(b) for a, b in zip(group.values.values(), second.values.values()))

    return max(groups, key=fit)  # the first, which is nearest, of the best


def _is_bare(group: Marked) -> bool:
    """A participle or an infinitive without what governs it."""
    return len(group.evidence) == 1 and group.values["tense"] <= frozenset("KW")


def _lemmas(sentence: list[Word], group: Marked) -> set:
    """Lemmas of a verb group's main verb, which is the last of its words."""
    return {r.lemma for r in sentence[group.evidence[-1].position].verbs}


def find_noun_phrase(base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    """The new adjective and the new noun nearest each other, two different words."""
    nouns = [i for i in new if variant[i].nouns and (not variant[i].auxiliary or is_noun(variant, i))]
    adjectives = {i for i in new if variant[i].adjectives}
    near = [(i, j) for i in nouns for j in range(i - NEAR, i + NEAR + 1) if i != j and j in adjectives]
    pairs = near or [(i, j) for i in nouns[:NEAR] for j in sorted(adjectives)[:NEAR] if i != j]
    if not pairs:
        return _not_found(variant, new, "noun with a new adjective", [])
    i, j = min(pairs, key=lambda pair: _unlikeliness(variant, *pair))
    return (
        Marked((Evidence(1, i, variant[i].nouns),), _noun_values(variant, i)),
        Marked((Evidence(1, j, variant[j].adjectives),), variant[j].adjective_values),
    )


def _unlikeliness(sentence: list[Word], i: int, j: int) -> tuple:
    """How far the words at i and j are from being a noun and its adjective."""
    noun, adjective = sentence[i], sentence[j]
    before_nouns = any(r.lemma in ADJECTIVES_BEFORE_NOUNS for r in noun.adjectives)
    # As a noun it has a gender, as an adjective none: "maison".
    rather_noun = bool(adjective.nouns and adjective.noun_values["gender"]) and not adjective.adjective_values["gender"]
    doubt = bool(noun.adjectives) + bool(adjective.nouns) + 2 * before_nouns + 2 * rather_noun
    return not is_noun(sentence, i), abs(i - j), doubt, i, j


def find_antecedents(base: list[Word], variant: list[Word]) -> tuple:
    """In each sentence what `_find_antecedent` gives: the noun that the other one lacks, and the pronouns after it."""
    if base == variant:
        return (Finding(FAIL, "base and variant are translated alike"),) * 2
    return (
        _find_antecedent(base, new_positions(variant, base), 0),
        _find_antecedent(variant, new_positions(base, variant), 1),
    )


def _find_antecedent(sentence: list[Word], new: list[int], side: int) -> Finding | tuple[Marked, list[Marked]]:
    """The leftmost new noun, and the pronouns after it that may take up a noun."""
    noun = next((i for i in new if is_noun(sentence, i)), None)
    if noun is None:
        return _unknown(sentence, new, side) or Finding(REJECTED, "no new noun")
    values = _noun_values(sentence, noun)
    pronouns = []
    for i in range(noun + 1, len(sentence)):
        if _takes_up_a_noun(sentence, i):
            found = features(PRONOUNS[sentence[i].form])
            readings = tuple(r for r in sentence[i].readings if CATEGORIES.get(r.category) == "pronoun")
            evidence = (Evidence(side, i, readings),)
            pronouns.append(Marked(evidence, {"gender": found.genders, "number": found.numbers}))
    return Marked((Evidence(side, noun, sentence[noun].nouns),), values), pronouns


def _noun_values(sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Gender and number of the noun at i, none where neither it nor its determiner shows one."""
    numbers = numbers_of(sentence, i)
    return {"gender": _genders_of(sentence, i), "number": numbers if len(numbers) == 1 else frozenset()}


def _genders_of(sentence: list[Word], i: int) -> frozenset:
    """Genders that the noun at i may have: "le livre" is masculine, though the form has both."""
    genders = sentence[i].noun_values["gender"]
    if len(genders) != 1 and i and is_determiner(sentence, i - 1):
        return features(sentence[i - 1].determiner).genders or genders
    return genders


def _takes_up_a_noun(sentence: list[Word], i: int) -> bool:
    """Is the word at i a pronoun of the third person that may refer to a noun?"""
    form = sentence[i].form
    if form in ARTICLES_OR_PRONOUNS:
        return is_pronoun(sentence, i)
    if form == "en":
        return _is_pronoun_en(sentence, i)
    if form == "y":
        return i + 1 < len(sentence) and sentence[i + 1].auxiliary != "avoir"  # not "il y a"
    return form in PRONOUNS and not (form in ("il", "-il") and _is_impersonal(sentence, i))


def _is_impersonal(sentence: list[Word], i: int) -> bool:
    """Is il at i that of "il faut", "il y a", "il s'agit de", "il semble que"?"""
    if sentence[i].form == "-il":  # "faut-il", "y a-t-il"
        verb = i - 1
    else:
        after = range(i + 1, min(i + 5, len(sentence)))
        verb = next((j for j in after if sentence[j].verbs and not sentence[j].function), -1)
    if verb < 0:
        return False
    lemmas = {r.lemma for r in sentence[verb].verbs}
    before = sentence[verb - 1].form if verb else ""
    complement = next((word for word in sentence[max(verb, i) + 1 :] if not word.passable), None)
    clause = complement is not None and (complement.form in ("que", "qu'", "de", "d'") or "W" in complement.moods)
    return (
        not lemmas.isdisjoint(IMPERSONAL_VERBS)
        or before == "y"
        and sentence[verb].auxiliary == "avoir"
        or before == "s'"
        and "agir" in lemmas
        or clause
        and not lemmas.isdisjoint(IMPERSONAL_BEFORE_A_CLAUSE)
    )


# ---- Test C: the word that varies in a group ----


def find_varying_verb(sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """The first verb that another sentence of the group lacks."""
    i = next((i for i in new if is_verb(sentence, i)), None)
    if i is None:
        return _nothing_varies(sentence, new, side)
    return verb_group(sentence, i, side)


def _nothing_varies(sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """Rejected with an unknown new word; other new words may have any value; without any it is a value by itself."""
    if not new:
        return "no new word"
    rejected = _unknown(sentence, new, side)
    return rejected or Marked(tuple(Evidence(side, i, sentence[i].readings) for i in new), defaultdict(frozenset))


def find_varying_adjective(sentence: list[Word], new: list[int], side: int) -> Marked | Finding | str:
    """The first adjective that another sentence of the group lacks."""
    candidates = [i for i in new if sentence[i].adjectives]
    if not candidates:
        return _nothing_varies(sentence, new, side)
    i = min(candidates, key=lambda i: (bool(sentence[i].nouns) and is_noun(sentence, i), i))
    return Marked((Evidence(side, i, sentence[i].adjectives),), sentence[i].adjective_values)


FRENCH = Rules(
    analyse,
    describe,
    {
        "past": partial(_find_tense, "IJ", compound_past),
        "future": partial(_find_tense, "F", near_future),
        "conditional": partial(_find_tense, "C", None),
        "subjunctive": find_subjunctive,
        "noun_number": find_plural_noun,
        "pronoun_number": find_plural_pronoun,
        "comparative": partial(_find_listed, is_comparative, "a comparative"),
        "superlative": find_superlative,
        "negation": find_negation,
        "coord_verb": find_coordinated_verbs,
        "np": find_noun_phrase,
        "coref": find_antecedents,
        "verb_consistency": find_varying_verb,
        "adj_consistency": find_varying_adjective,
    },
)
