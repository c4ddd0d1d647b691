"""Tokens to words: what the lexicon says of each, and the letters of the lexicon's tags.

`analyse` turns translations into lists of `Word`, each with its readings; `describe` names readings for people.
"""

import re
import threading
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import NamedTuple
from weakref import WeakKeyDictionary

from .language_lists import WordLists
from .lexicon import LEFFF_ENTRY, Lexicon, Reading
from .words_cut import clean, clean_source, tokenise

# ---- The lexicon's letters, which are the same for all languages ----

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

# ---- Words ----


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


SMALL_WORD = re.compile(r"\b[a-z]+\b")
PARTICIPLE, INFINITIVE, PRESENT = frozenset("K"), frozenset("W"), frozenset("P")
FINITE, BARE = frozenset("PFIJCST"), frozenset("KWG")
HAVE, BE = "have", "be"
MARKED_CAPITALS = {"a": "àâ", "e": "éêè", "o": "ô", "u": "ú", "c": "ç"}
TAKE_ENCLITICS = frozenset("WGY")  # infinitives, present participles, imperatives
MOST_ENCLITICS = 2  # in a row: "dámelas"


def agreement(readings: tuple[Reading, ...]) -> dict[str, frozenset]:
    """Genders and numbers of nouns or adjectives; none, for any, where one of the readings shows none."""
    shown = [features(r.features) for r in readings]
    genders, numbers = [f.genders for f in shown], [f.numbers for f in shown]
    return {
        "gender": frozenset().union(*genders) if all(genders) else frozenset(),
        "number": frozenset().union(*numbers) if all(numbers) else frozenset(),
    }


def finite_values(readings: tuple[Reading, ...]) -> dict[str, frozenset]:
    """Tenses, persons and numbers of verb readings."""
    shown = [features(r.features) for r in readings]
    return {
        "tense": frozenset().union(*(f.moods for f in shown)),
        "person": frozenset().union(*(f.persons for f in shown)),
        "number": frozenset().union(*(f.numbers for f in shown)),
    }


class Word:
    """A distinct token with what the lexicon says of it; sentences that have the token share the object.

    What a word may be is found out when it is first asked for, since most words of most sentences never are.
    """

    def __init__(self, form: str, readings: tuple[Reading, ...], lists: WordLists, is_left: bool = False):
        self.form, self.readings, self.lists, self.is_left = form, readings, lists, is_left
        self.function = form in lists.function_words  # a word of grammar, whatever else the lexicon takes it for
        self.unknown = not readings and not self.function and form[0].isalpha() and "_" not in form
        self.verbs = tuple(r for r in readings if r.category in ("v", "auxAvoir", "auxEtre"))
        # What it shows as a determiner, in the Lefff's letters; figures are plural.
        self.determiner = "p" if form[0].isdigit() and form not in ("0", "1") else lists.determiners.get(form)

    @cached_property
    def left(self) -> "Word":
        """The word where it is the source's, left as it was."""
        return Word(self.form, self.readings, self.lists, is_left=True)

    @cached_property
    def closed(self) -> bool:
        """A word of grammar of any kind: an article, a preposition, a pronoun."""
        return self.function or self.form in self.lists.pronouns or self.form in self.lists.negative_particles

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
        return finite_values(self.finite_verbs)

    @cached_property
    def values_by_mood(self) -> dict[str, dict[str, frozenset]]:
        """The same for each of its moods."""
        return {m: finite_values(tuple(r for r in self.verbs if m in features(r.features).moods)) for m in self.moods}

    @cached_property
    def noun_values(self) -> dict[str, frozenset]:
        return agreement(self.nouns)

    @cached_property
    def adjective_values(self) -> dict[str, frozenset]:
        return agreement(self.adjectives)

    @cached_property
    def auxiliary(self) -> str | None:
        """Which it is a form of: HAVE, BE or a verb like it."""
        lemmas = {r.lemma for r in self.verbs}
        return HAVE if lemmas & self.lists.have else BE if lemmas & self.lists.be else None

    @cached_property
    def skippable(self) -> bool:
        """May it stand between an auxiliary and its participle: adverbs, pronouns after a hyphen?"""
        adverb = any(r.category in ("adv", "advneg") for r in self.readings)
        return adverb or "_" in self.form or self.form[0] == "-" or self.form in self.lists.before_participles

    def __repr__(self):
        return f"Word({self.form!r})"

    @cached_property
    def is_name(self) -> bool:
        """Nothing but a name to the lexicon."""
        return bool(self.readings) and all(r.category == "np" for r in self.readings)


ENGLISH_WORD, FEWEST_COPIED = re.compile(r"\w+"), 3


class Sentence(list[Word]):
    """The words of a translation.

    Attributes:
        given: the English sentence that it is of, as it was given; "" where that is not known.
        has_unknown: whether the lexicon lacks one of its words.
    """

    given = ""
    has_unknown = False

    @cached_property
    def source(self) -> str:
        """The English sentence, cleaned."""
        return clean_source(self.given)

    @cached_property
    def source_words(self) -> list[str]:
        """The words of the English sentence, in small letters."""
        return ENGLISH_WORD.findall(self.source.lower())

    def is_copied(self) -> bool:
        """Are all its words the source's, though the lexicon may have some: "il tape", "tape"?"""
        source = self.given.lower()  # a quick look: mostly the first words are not the source's
        if "&" not in source and any(w.form not in source for w in self if w.form.isalnum() and w.form.isascii()):
            return False
        words = [word.form for word in self if word.form[0].isalpha()]
        return len(words) >= FEWEST_COPIED and set(self.source_words).issuperset(words)

    def n_untranslated(self) -> int:
        """How many words the lexicon lacks, of the source's where that is known, but for names.

        The word that opens it may be one: "Fink-Nottle".
        """
        if not self.source:
            return sum(word.unknown for word in self)
        left = [
            i
            for i, word in enumerate(self)
            if word.unknown and word.form in self.source_words and word.form.capitalize() not in self.source[1:]
        ]
        return len(left) if left != [0] else 0


def _parts(lists: WordLists, token: str) -> list[str]:
    """The parts of a token that the lexicon lacks: cut at hyphens, without an apostrophe that closes a quotation.

    "viendra-t-il" has "viendra" and "-il", "anti-inflation" "anti" and "inflation", "mot'" only "mot".
    """
    token = token.rstrip("'")
    for changed, whole in lists.changed_before_hyphens.items():
        token = re.sub(changed, whole, token)
    first, *others = token.split("-")
    parts = [first]
    parts += [f"-{part}" if part.lower() in lists.enclitics else part for part in others if part != lists.linking]
    return [part for part in parts if part]


def _joined_parts(lists: WordLists, form: str) -> Iterable[list[str]]:
    """The ways to cut one or two pronouns off a verb, whose accent they may cause, whose last letter they may cost."""
    cuts, longest_first = [[form]], sorted(lists.joined_enclitics, key=lambda enclitic: (-len(enclitic), enclitic))
    for verb, *pronouns in cuts:  # it grows
        if pronouns:
            bare = verb.translate({ord(accented): letter for accented, letter in lists.unaccented.items()})
            ending = lists.lost_before_enclitics.get(pronouns[0], "")
            whole = bare + ending[-1:] if bare.endswith(ending[:-1]) else bare
            spellings = dict.fromkeys((verb, bare, whole, bare + ending))  # "esporlo": esporre
            yield from ([spelling, *pronouns] for spelling in spellings)
        if len(pronouns) < MOST_ENCLITICS:
            ends = (e for e in longest_first if verb.endswith(e) and len(verb) > len(e) + 1)
            cuts += [[verb.removesuffix(e), f"-{e}", *pronouns] for e in ends]


class Vocabulary:
    """The tokens met so far with one lexicon: of each its `Word`, or those of its parts."""

    def __init__(self, lists: WordLists, lexicon: Lexicon):
        self.lists, self.lexicon = lists, lexicon
        self.corrected = lists.corrected if lexicon.readings([LEFFF_ENTRY]) else {}
        self.words: dict[str, Word] = {}
        self.tokens: dict[str, tuple[Word, ...]] = {}
        self.unknown: set[str] = set()  # those with a word that the lexicon lacks
        self._lock = threading.Lock()

    def look_up(self, tokens: Iterable[str]) -> None:
        """Take in the tokens that are new; the lexicon is asked once for all of them."""
        with self._lock:  # so that a token is one object in all threads: sentences are compared by identity
            new = set(tokens) - self.tokens.keys()
            known = self.lexicon.readings({token.lower() for token in new})
            parts = {t: _parts(self.lists, t) for t in new if _is_cut(self.lists, t.lower(), known)}
            grammar = self.lists.prepositions | self.lists.determiners.keys()  # "dalla"
            named = {t for t in known if all(r.category == "np" for r in known[t])}  # "dale" is no Dale
            unread = {t for t in new if t not in parts and (t.lower() not in known or t in named)}
            joined = self._verbs_with_enclitics({t.lower() for t in unread} - grammar)
            parts |= {t: joined[t.lower()] for t in unread if t.lower() in joined}
            written = {*chain.from_iterable(parts.values()), *(new - parts.keys())}
            known |= self.lexicon.readings({form.lower() for form in written} - known.keys())
            known |= _with_marked_capitals(self.lexicon, {form.lower() for form in written} - known.keys())
            no_names = {form.lower() for form in written if not form[0].isupper() and form[0] != "-"}
            told = told_by_ending(self.lists, no_names - known.keys())
            for token in new:
                words = tuple(self._word(part, known, told) for part in parts.get(token, [token]))
                if any(word.unknown for word in words):
                    self.unknown.add(token)
                self.tokens[token] = words

    def _verbs_with_enclitics(self, forms: set[str]) -> dict[str, list[str]]:
        """Forms that are a verb with pronouns joined to it, cut: "dámelas" into "da", "-me", "-las"."""
        ways = {form: list(_joined_parts(self.lists, form)) for form in forms} if self.lists.joined_enclitics else {}
        readings = self.lexicon.readings({verb for cuts in ways.values() for verb, *_ in cuts})
        verbs = {
            form
            for form, found in readings.items()
            if any(r.category == "v" and features(r.features).moods & TAKE_ENCLITICS for r in found)
        }
        cut = {form: next((parts for parts in cuts if parts[0] in verbs), None) for form, cuts in ways.items()}
        return {form: parts for form, parts in cut.items() if parts}

    def _word(self, token: str, known: dict, told: dict) -> Word:
        """The token's word: without its capital, unless it is a name ("Rose"), as is what the lexicon lacks.

        ``told`` has the readings of what its ending tells, with a small letter only: they do not hang on what else is
        looked up.
        """
        readings = known.get(token.lower(), ()) or (() if token[0].isupper() else told.get(token.lower(), ()))
        if right := self.corrected.get(token.lower()):
            readings = tuple(r._replace(features=right) if r.category == "nc" else r for r in readings)
        if token.lower() in self.lists.invariable:
            readings = (*(r for r in readings if r.category != "adj"), Reading("adj", token.lower(), ""))
        if any("W" in r.features for r in readings):  # a future subjunctive: "falar"
            readings = tuple(r for r in readings if "T" not in r.features)
        names = tuple(r for r in readings if r.category == "np") if token[0].isupper() and token[1:].islower() else ()
        if token[0].isupper() and not readings:
            names = (Reading("np", token, ""),)
        key = token if names else token.lower()
        if key not in self.words:
            self.words[key] = Word(token.lower(), names or readings, self.lists)
        return self.words[key]


def _is_cut(lists: WordLists, token: str, known: dict) -> bool:
    """Is the token to be cut: unknown, with hyphens or a closing apostrophe; or a pronoun after its hyphen?"""
    compound = len(token) > 1 and ("-" in token or token[-1] == "'") and token not in known
    compound = compound and not ("_" in token or token in lists.function_words)  # "l'"
    return compound or token[0] == "-" and _parts(lists, token) != [token]


def _with_marked_capitals(lexicon: Lexicon, forms: set[str]) -> dict[str, tuple[Reading, ...]]:
    """Readings of forms without the mark of their first letter, which capitals often lack: "Etait", "Ultimo"."""
    marked = {mark + form[1:]: form for form in forms for mark in MARKED_CAPITALS.get(form[:1], "")}
    return {marked[form]: found for form, found in lexicon.readings(marked.keys()).items()} if marked else {}


def told_by_ending(lists: WordLists, forms: set[str]) -> dict[str, tuple[Reading, ...]]:
    """Adjectives and verbs that the lexicon lacks and their longest ending tells: "comiquísimos", "strillano"."""
    tables: dict[tuple[str, ...], Mapping[str, str]] = {("nc", "adj"): lists.nominal_endings}
    tables |= {("adj",): {**lists.superlative_endings, **lists.adjective_endings}, ("v",): lists.regular_endings}
    return {
        form: tuple(Reading(kind, form.removesuffix(ending), tag) for kind in kinds for tag in endings[ending].split())
        for kinds, endings in tables.items()
        for ending in sorted(endings, key=len)
        for form in forms
        if form.endswith(ending)
    }


_VOCABULARIES: WeakKeyDictionary = WeakKeyDictionary()  # by lexicon, then by language
MOST_WORDS = 300_000


def analyse(lists: WordLists, texts: list[str], lexicon: Lexicon, sources: Iterable[str] = ()) -> list[Sentence]:
    """Each text as a `Sentence`; what is found out about words is kept from call to call.

    With the English sources, one for each text, unknown words that are theirs are marked as left: small letters tell
    them from names.
    """
    sentences = tokenise(lists, clean(texts))
    of_lexicon = _VOCABULARIES.setdefault(lexicon, {})
    vocabulary = of_lexicon.get(lists)
    if vocabulary is None or len(vocabulary.tokens) > MOST_WORDS:
        vocabulary = of_lexicon[lists] = Vocabulary(lists, lexicon)
    look_up = vocabulary.tokens.__getitem__
    try:
        found = [Sentence(chain.from_iterable(map(look_up, tokens))) for tokens in sentences]
    except KeyError:
        vocabulary.look_up(chain.from_iterable(sentences))
        found = [Sentence(chain.from_iterable(map(look_up, tokens))) for tokens in sentences]
    for sentence, tokens, source in zip(found, sentences, chain(sources, repeat("")), strict=False):
        sentence.has_unknown = not vocabulary.unknown.isdisjoint(tokens)
        sentence.given = source
        if source and sentence.has_unknown:
            english = set(SMALL_WORD.findall(sentence.source))
            sentence[:] = [word.left if word.unknown and word.form in english else word for word in sentence]
    return found


def describe(readings: Iterable[Reading]) -> str:
    """Readings in words.

    >>> describe([Reading("v", "avoir", "I3s")]), describe([Reading("nc", "chat", "mp")])
    ('verb, imperfect, third person singular', 'noun, masculine plural')
    """
    return " or ".join(dict.fromkeys(map(_describe, readings))) or "not in the lexicon"


def _describe(reading: Reading) -> str:
    letters = features(reading.features)

    def names(table, values):
        return "/".join(name for letter, name in table.items() if letter in values)

    persons = [names(PERSONS, letters.persons), "person"] if letters.persons else []
    agreement = " ".join(filter(None, (*persons, names(GENDERS, letters.genders), names(NUMBERS, letters.numbers))))
    category = CATEGORIES.get(reading.category, "function word")
    return ", ".join(filter(None, (category, names(MOODS, letters.moods), agreement)))
