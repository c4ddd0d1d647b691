"""English and French: function words, negations, number words; which of the two a text is in, or neither.

Words are as `text_sentences.words` gives them. What the tables of a language lack is a content word; in
`NEUTRAL`, where a text is in neither, all are.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

ELIDED = re.compile(r"^((?:[ldjmtsnc]|qu|jusqu|lorsqu|puisqu|quoiqu)['’])(?=\w)")
POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")


class Language(NamedTuple):
    """What is known of a language."""

    function_words: frozenset = frozenset()  # they say nothing of the content
    articles: frozenset = frozenset()  # words that a noun group must follow
    dates: frozenset = frozenset()  # names of months and days
    negations: frozenset = frozenset()  # words that negate; in English also what ends in n't
    ordinals: frozenset = frozenset()  # the words for first, second...
    numbers: dict = {}  # {word: value} of numbers that are added up, as in "twenty-two", and of the ordinals
    scales: dict = {}  # {word: value} of those that multiply what stands before
    conjunction: str = ""  # the word for "and"
    titles: frozenset = frozenset()  # words that a person's name follows; with the next two for text without capitals
    before_places: frozenset = frozenset()  # prepositions after which a noun without an article is mostly a name
    no_names: re.Pattern = re.compile("")  # adverbs, short words, and endings of words that are hardly names
    least: float = 0.0  # share of function words from which on a text is surely in it


def _counted(words: str, first: int = 0, step: int = 1) -> dict:
    return {word: first + step * i for i, word in enumerate(words.split())}


_ORDINALS = _counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
) | {"thirtieth": 30}
_ORDINALS_FR = {"premier": 1, "première": 1}
ENGLISH = Language(
    function_words=frozenset(
        "a about after again against all also although am an and any are aren't as at be because been before being "
        "both but by can can't could couldn't did didn't do does doesn't doing don't down each either for from had "
        "has have having he her here hers him his how however i if in into is isn't it it's its just may me might "
        "more most must my neither no nor not of off on once one only or other our ours out over own same shall she "
        "should since so some such than that that's the their theirs them then there these they this those though "
        "through to too under until up upon us very was wasn't we were weren't what when where whether which while "
        "who whom whose why will with within without won't would wouldn't yet you your yours".split()
    ),
    articles=frozenset("the a an my your its our their".split()),
    dates=frozenset(
        "january february march april june july august september october november december monday tuesday wednesday "
        "thursday friday saturday sunday".split()
    ),
    negations=frozenset(
        "no not never nobody nothing none neither nor nowhere without hardly barely scarcely cannot unable refuses "
        "refused fails failed lacks lacked".split()
    ),
    ordinals=frozenset(_ORDINALS),
    numbers=_counted(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen"
    )
    | _counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
    | {**_ORDINALS, "dozen": 12},
    scales={"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12},
    conjunction="and",
    titles=frozenset(
        "mr mrs ms dr sir lord lady president minister mayor king queen prince princess judge captain coach manager "
        "striker midfielder defender goalkeeper winger actor actress singer senator governor chancellor professor "
        "secretary commissioner chairman chairwoman director named called".split()
    ),
    before_places=frozenset("in at from near by of against".split()),
    no_names=re.compile(
        "^(?:.{1,3}|across|anyway|around|away|cannot|past)$|"
        "(?:ed|ing|ly|[ts]ions?|ments?|ness|it(?:y|ies)|ous|ives?|[ai]ble|ful|less|[eo]rs?|ists?|all?y?s?|[ae]nces?|"
        "ages?|ships?|ism|[^aeious]s|es|ures?|ths?|\\w{3}est)$"
    ),
    least=0.2,
)
FRENCH = Language(
    function_words=frozenset(
        "a à afin ai aie ainsi alors après as au aucun aucune auquel aussi autre autres aux auxquels avaient avait "
        "avant avec avoir ayant beaucoup bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez "
        "comme comment contre d dans de depuis dès des desquels deux donc dont du duquel elle elles en encore entre "
        "es est et étaient était étant été êtes être eu eut eux fait faut fut furent il ils j je jusque l la là "
        "laquelle le lequel les lesquels leur leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n ne "
        "ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi puis puisque "
        "qu quand que quel quelle quelles quels qui quoi s sa sans sauf se selon sera seront ses si soi soit son "
        "sont sous sur t ta tandis tant te tel telle tes toi ton toujours tous tout toute toutes très trop tu un une "
        "vers voici voilà vont vos votre vous y".split()
    ),
    articles=frozenset(
        "le la les un une des du au aux ce cet cette ces mon ma mes ton ta tes sa ses nos vos l".split()
    ),
    dates=frozenset(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi "
        "jeudi vendredi samedi dimanche".split()
    ),
    negations=frozenset(
        "ne n pas jamais aucun aucune rien personne ni non sans guère nullement refuse refusé refusent "
        "incapable".split()
    ),
    ordinals=frozenset(_ORDINALS_FR),
    numbers=_counted("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize")
    | {"une": 1, "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
    | {"septante": 70, "huitante": 80, "nonante": 90, "douzaine": 12, **_ORDINALS_FR},
    scales={"cent": 100, "cents": 100, "mille": 1000, "million": 10**6, "millions": 10**6}
    | {"milliard": 10**9, "milliards": 10**9},
    conjunction="et",
    least=0.35,
)


NEUTRAL = Language()
FEW = 10  # words, which may be a headline


def language_of(words: Iterable[str], sure: bool = False) -> Language:
    """French if more of the words are French function words than English ones, else English.

    With `sure`, NEUTRAL where these are fewer than a text in that language has, and the words are at least `FEW`.
    """
    french = english = total = 0
    for word in words:
        french += word in FRENCH.function_words or ELIDED.match(word) is not None
        english += word in ENGLISH.function_words
        total += 1
    language, found = (FRENCH, french) if french > english else (ENGLISH, english)
    return NEUTRAL if sure and total >= FEW and found < language.least * total else language


def parts(word: str, language: Language) -> list[str]:
    """A word without what is written onto it: l'eau is l and eau, keeper's is keeper.

    >>> parts("qu'il", FRENCH), parts("keeper's", ENGLISH)
    (['qu', 'il'], ['keeper'])
    """
    if language is FRENCH and (elided := ELIDED.match(word)):
        return [elided[1][:-1], word[elided.end() :]]
    return [POSSESSIVE.sub("", word)]


def negates(word: str, language: Language) -> bool:
    """Whether a word negates.

    >>> negates("didn't", ENGLISH), negates("knot", ENGLISH)
    (True, False)
    """
    return word in language.negations or language is ENGLISH and word.endswith(("n't", "n’t"))
