"""French: words, closed lists, and enough grammar to tell what a word is where it stands.

`analyse` turns translations into lists of `Word`, each with the lexicon's readings. The functions after it look at a
word in its sentence (is it a verb here? which auxiliary governs it?), and `FRENCH` has one function per kind of
contrast: it looks for what the test wants in the words that are new. Another target language is another such module.
"""

import html
import threading
import unicodedata
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
NEGATIVE_SUBJECTS = frozenset("personne rien aucun aucune nul nulle jamais ni".split())
NEGATIVE_ALONE = frozenset("pas non aucun aucune".split())
EQUALLY = frozenset("aussi si autant tant".split())
DEGREES = frozenset("plus moins mieux davantage pis".split())
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


PARTICIPLE, PRESENT = frozenset("K"), frozenset("P")
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
        adverb = any(r.category in ("adv", "advneg") for r in self.readings)
        pronoun = self.form[0] == "-" or self.form.endswith(("-même", "-mêmes")) or self.form in NUMERALS
        return adverb or pronoun or self.form in ("rien", "tout", "tous", "toute", "toutes")

    def __repr__(self):
        return f"Word({self.form!r})"

    @property
    def unknown(self) -> bool:
        """A word of letters that the lexicon lacks."""
        return not self.readings and not self.function and self.form[0].isalpha()


def tokenise(texts: list[str]) -> list[list[str]]:
    """Lower-case tokens of French texts, plain or already tokenised; elided words keep their apostrophe.

    All texts go through each step together: a step then costs a fraction of a microsecond per sentence.

    >>> tokenise(["L\u2019été, qu'il aime.", "j' ai faim"])
    [["l'", 'été', ',', "qu'", 'il', 'aime', '.'], ["j'", 'ai', 'faim']]
    """
    text = "\n".join(texts)
    if "&" in text or text.count("\n") != len(texts) - 1:
        text = "\n".join(" ".join(html.unescape(text).split()) for text in texts)  # Moses writes &apos;
    text = unicodedata.normalize("NFC", text).lower()
    for found, spelling in SPELLINGS.items():
        text = text.replace(found, spelling)
    for mark in MARKS:
        text = text.replace(mark, f" {mark} ")
    text = (
        text.replace("'", "' ").replace("'  ", "' ").replace(" '", "'").replace(" @-@ ", "-").replace(" - t - ", "-t-")
    )
    for apart, whole in NOT_ELIDED.items():
        text = text.replace(apart, whole)
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
            known = self.lexicon.readings(new)
            parts = {token: _parts(token) for token in new if _is_cut(token, known)}
            known |= self.lexicon.readings(set(chain.from_iterable(parts.values())) - new - self.words.keys())
            for token in new:
                if token in parts:
                    self.tokens[token] = tuple(self._word(part, known) for part in parts[token])
                else:
                    self.tokens[token] = self._word(token, known)

    def _word(self, form: str, known: dict) -> Word:
        if form not in self.words:
            self.words[form] = Word(form, known.get(form, ()))
        return self.words[form]


def _is_cut(token: str, known: dict) -> bool:
    """Is the token to be cut: unknown, with hyphens or a closing apostrophe; or a pronoun behind its hyphen?"""
    compound = len(token) > 1 and ("-" in token or token[-1] == "'") and token not in known
    return compound or token[0] == "-" and _parts(token) != [token]


_VOCABULARIES = WeakKeyDictionary()  # by lexicon
MOST_WORDS = 300_000


def analyse(texts: list[str], lexicon: Lexicon) -> list[list[Word]]:
    """Each text as a list of `Word`; what is found out about words is kept from call to call."""
    sentences = tokenise(texts)
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


def is_pronoun(sentence: list[Word], i: int) -> bool:
    """Is le, la, les, l' or leur a pronoun here ("je les vois"), not a determiner ("les gens")?"""
    if sentence[i].form[0] == "-":
        return True
    if i + 1 == len(sentence):
        return False
    following = sentence[i + 1]
    if following.form in CLITICS:
        return True
    if following.function or not following.moods - PARTICIPLE:
        return False
    before = sentence[i - 1].form if i else ""
    if before in BEFORE_CLITIC or sentence[i].form == "leur" and before in ARTICLES_OR_PRONOUNS:
        return True
    return not _is_nominal(following) or not _goes_with(sentence[i].form, following)


def _goes_with(determiner: str, word: Word) -> bool:
    """May the word be a noun or adjective with this determiner ("la porte"), or do they clash ("le porte")?"""
    wanted = features(DETERMINERS[determiner])
    found = [features(r.features) for r in word.nouns + word.adjectives]
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
    form = sentence[i].form
    return form in DETERMINERS and not (form in ARTICLES_OR_PRONOUNS and is_pronoun(sentence, i))


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
    if is_determiner(sentence, i - 1):
        return False
    if before.form in PREPOSITIONS:
        pronoun = before.form == "en" and i > 1 and sentence[i - 2].form in BEFORE_CLITIC
        return pronoun or bool(word.moods & frozenset("WG"))
    adjective = before.adjectives and not before.verbs and i > 1 and is_determiner(sentence, i - 2)
    return not adjective


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

    return _walk(sentence, range(i - 1, -1, -1), lambda word: word.auxiliary, passable)


def participle_after(sentence: list[Word], i: int) -> int | None:
    """Position of the participle that the auxiliary at i governs."""
    after = range(i + 1, len(sentence))
    return _walk(sentence, after, lambda word: "K" in word.moods and not word.function, lambda word: word.passable)


def _is_aller(word: Word) -> bool:
    return "P" in word.moods and any(r.lemma == "aller" and "P" in r.features for r in word.verbs)


def aller_before(sentence: list[Word], i: int) -> int | None:
    """Position of the present of aller that makes the infinitive at i a future, over adverbs and clitics."""

    def passable(word: Word) -> bool:
        return word.passable or word.form in CLITICS or word.form in COORDINATORS or "W" in word.moods

    return _walk(sentence, range(i - 1, -1, -1), _is_aller, passable)


def infinitive_after(sentence: list[Word], i: int) -> int | None:
    """Position of the infinitive that the form of aller at i governs."""
    after = range(i + 1, len(sentence))
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
            compound += "+K"
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
    if len(numbers) > 1:
        for j in range(i - 1, max(i - 4, -1), -1):
            if is_determiner(sentence, j):
                return features(DETERMINERS[sentence[j].form]).numbers or numbers
            if not sentence[j].adjectives:
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
    auxiliary = sentence[head]
    if "K" in auxiliary.moods:  # "été": what governs it decides
        above = auxiliary_before(sentence, head)
        return above is not None and _is_past(sentence, above, head)
    if not auxiliary.moods & frozenset("PSIJT"):
        return False
    if auxiliary.auxiliary == "avoir" or auxiliary.moods & frozenset("IJ"):
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
    start = next((i + 1 for i in range(len(variant)) if _is_conjunction(variant, i)), None)
    if start is None:
        verbs = [i for i in new if is_verb(variant, i)]
        sure = [i for i in verbs if not variant[i].moods & PRESENT]
        return _judge_subjunctive(variant, new, sure or verbs)
    clause = _clause_verbs(variant, start)
    sure = [i for i in clause if not _is_nominal(variant[i])] or [i for i in clause if i in new] or clause
    return _judge_subjunctive(variant, new, sure[:1])


def _judge_subjunctive(variant: list[Word], new: list[int], verbs: list[int]) -> Finding:
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


def _clause_verbs(sentence: list[Word], start: int) -> list[int]:
    """Positions of the finite verbs from start on, without those of relative clauses."""
    found, relative = [], 0
    for i in range(start, len(sentence)):
        if sentence[i].form == "qui":
            relative += 1
        elif i == start and any(r.category == "np" for r in sentence[i].readings):
            continue  # "que Rose vienne"
        elif sentence[i].moods & FINITE and is_verb(sentence, i):
            if relative:
                relative -= 1
            else:
                found.append(i)
    return found


def find_plural_noun(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A new noun in the plural, or a new plural determiner before a noun that shows none ("le pays", "les pays")."""
    nouns = [i for i in new if is_noun(variant, i)]
    plurals = [i for i in new if is_determiner(variant, i) and DETERMINERS[variant[i].form].endswith("p")]
    determined = [j for j in (_determined_noun(variant, i) for i in plurals) if j is not None and j not in nouns]
    for i in (*nouns, *(j for j in determined if _shows_no_number(variant[j]))):
        if "p" in numbers_of(variant, i):
            shown = tuple(r for r in variant[i].nouns if features(r.features).numbers != {"s"})
            return Finding(
                PASS, NEW_WORD if i in nouns else "plural determiner of *{0.form}*", (Evidence(1, i, shown),)
            )
    return _not_found(variant, new, "noun", [Evidence(1, i, variant[i].nouns) for i in (*nouns, *determined)])


def _shows_no_number(word: Word) -> bool:
    return any(not features(r.features).numbers for r in word.nouns)


def _determined_noun(sentence: list[Word], i: int) -> int | None:
    """Position of the noun of the determiner at i."""
    for j in range(i + 1, min(i + 4, len(sentence))):
        if is_noun(sentence, j):
            return j
    return None


# Closed lists: a new word of the list, in the right place, or none; there is nothing to reject.


def _find_listed(accepts: Callable, what: str, base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    for i in new:
        if accepts(variant, i):
            return Finding(PASS, f"new word *{{0.form}}*: {what}", (Evidence(1, i, variant[i].readings),))
    return Finding(FAIL, f"no new word that is {what}")


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
    form, before = sentence[i].form, sentence[i - 1].form if i else ""
    if form in DEGREES:
        if form == "plus":
            return before not in ("non", "sans", "ni") and not _is_negative_plus(sentence, i)
        return not (form == "moins" and before in ("au", "du", "à"))
    return form.startswith(COMPARATIVE_STEMS)


def _is_negative_plus(sentence: list[Word], i: int) -> bool:
    """Is plus "no longer" here: after ne, which has no other negative, and not in "plus grand que"?"""
    ne = [j for j in range(i) if sentence[j].form in NE]
    others = NEGATIVES - {"plus"}
    if not ne or any(word.form in others for word in sentence[ne[-1] :]):
        return False
    after = sentence[i + 1 : i + 5]
    compared = bool(after) and bool(after[0].adjectives or after[0].passable) and after[0].form not in EQUALLY
    return not (compared and any(word.form in ("que", "qu'") for word in after[1:]))


def find_superlative(base: list[Word], variant: list[Word], new: list[int]) -> Finding:
    """A comparative after an article or a possessive, one of which is new: "le plus", "mon meilleur", "au moins"."""
    for i, word in enumerate(variant):
        if i and is_comparative(variant, i):
            determiner = _determiner_before(variant, i)
            if determiner is not None and (i in new or determiner in new):
                evidence = Evidence(1, determiner, variant[determiner].readings), Evidence(1, i, word.readings)
                return Finding(PASS, "*{0.form}* with *{1.form}*: a superlative", evidence)
    return Finding(FAIL, "no new superlative")


SUPERLATIVE_DETERMINERS = frozenset(
    "le la les l' du des au aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs".split()
)


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
        if variant[i].form in NEGATIVE_ALONE:
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
        if sentence[i].form in NEGATIVES:
            return i
        if sentence[i].form in ("que", "qu'") or sentence[i].form in NE:
            break
    for i in range(ne - 1, max(ne - 6, -1), -1):
        if sentence[i].form in NEGATIVE_SUBJECTS:
            return None if i and is_determiner(sentence, i - 1) else i
    return None


# ---- Test B: two words that must agree ----


def find_coordinated_verbs(base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    """The verbs on both sides of a conjunction, at least one of the three new; two different verbs."""
    verbs = [i for i in range(len(variant)) if is_verb(variant, i)]
    repeated = None
    for conjunctions in (COORDINATORS, (",",)):
        pairs = []
        for c, word in enumerate(variant):
            if word.form in conjunctions:
                left = max((i for i in verbs if i < c), default=None)
                right = min((i for i in verbs if i > c), default=None)
                if left is not None and right is not None and not {left, c, right}.isdisjoint(new):
                    pairs.append((right - left, left, right))
        for _, left, right in sorted(pairs):
            first, second = verb_group(variant, left), verb_group(variant, right)
            if _lemmas(variant, first).isdisjoint(_lemmas(variant, second)):
                return first, second
            repeated = left, right
    if repeated:
        evidence = tuple(Evidence(1, i, variant[i].verbs) for i in repeated)
        return Finding(FAIL, "*{0.form}* and *{1.form}* are the same verb", evidence)
    missing = _not_found(variant, new, "verb", [Evidence(1, i, variant[i].verbs) for i in verbs if i in new])
    return missing._replace(reason="no second verb beside *{0.form}*") if missing.verdict == FAIL else missing


def _lemmas(sentence: list[Word], group: Marked) -> set:
    """Lemmas of a verb group's main verb, which is the last of its words."""
    return {r.lemma for r in sentence[group.evidence[-1].position].verbs}


def find_noun_phrase(base: list[Word], variant: list[Word], new: list[int]) -> Finding | tuple[Marked, Marked]:
    """The new adjective and the new noun nearest each other, two different words."""
    nouns = [i for i in new if variant[i].nouns and (not variant[i].auxiliary or is_noun(variant, i))]
    pairs = [(i, j) for i in nouns for j in new if i != j and variant[j].adjectives]
    if not pairs:
        return _not_found(variant, new, "noun with a new adjective", [])
    i, j = min(pairs, key=lambda pair: _unlikeliness(variant, *pair))
    return (
        Marked((Evidence(1, i, variant[i].nouns),), variant[i].noun_values),
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
    numbers = numbers_of(sentence, noun)
    values = {"gender": _genders_of(sentence, noun), "number": numbers if len(numbers) == 1 else frozenset()}
    pronouns = []
    for i in range(noun + 1, len(sentence)):
        if _takes_up_a_noun(sentence, i):
            found = features(PRONOUNS[sentence[i].form])
            readings = tuple(r for r in sentence[i].readings if CATEGORIES.get(r.category) == "pronoun")
            evidence = (Evidence(side, i, readings),)
            pronouns.append(Marked(evidence, {"gender": found.genders, "number": found.numbers}))
    return Marked((Evidence(side, noun, sentence[noun].nouns),), values), pronouns


def _genders_of(sentence: list[Word], i: int) -> frozenset:
    """Genders that the noun at i may have: "le livre" is masculine, though the form has both."""
    genders = sentence[i].noun_values["gender"]
    if len(genders) != 1 and i and is_determiner(sentence, i - 1):
        return features(DETERMINERS[sentence[i - 1].form]).genders or genders
    return genders


def _takes_up_a_noun(sentence: list[Word], i: int) -> bool:
    """Is the word at i a pronoun of the third person that may refer to a noun?"""
    form = sentence[i].form
    if form in ARTICLES_OR_PRONOUNS:
        return is_pronoun(sentence, i)
    if form == "en":
        return _is_pronoun_en(sentence, i)
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
        "pronoun_number": partial(_find_listed, is_plural_pronoun, "a plural pronoun"),
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
