"""What can be read off the similarity matrices of a text and its summary, each feature one number with a meaning.

A feature is a function of a `Pair`; `TABLE` is the table of all, in their order. None depends on case or on how the
text was tokenised.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from .text_evidence import names, negated, numbers, stem
from .text_languages import Language, language_of, parts
from .text_sentences import natural, words

SPANNED = 1e-3  # directions that are shorter, beside the longest, are noise
BLOCK = 2**22  # cosines of tokens in memory at once
ALLOWED_WORDS = (50, 0.25)  # a summary may have so many words, and so many more for each word of the text
SOURCES = 3  # sentences of the text that are named as those a sentence of the summary comes from
LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, eq=False)
class Side:
    """A text or a summary, as the encoder sees it.

    Attributes:
        sentences: n strings.
        vectors: (n, width) sentence vectors, float32.
        token_vectors: (t, width) vectors of the tokens of all sentences, of length 1; None where not asked for.
        owners: (t,) the sentence of each token, ascending.
    """

    sentences: list
    vectors: np.ndarray
    token_vectors: np.ndarray | None = None
    owners: np.ndarray | None = None

    @cached_property
    def directions(self) -> np.ndarray:
        """(n, width) sentence vectors of length 1."""
        return unit(self.vectors)

    @cached_property
    def centre(self) -> np.ndarray:
        """(width,) direction of the mean of the sentences, sentence i weighted 1 / i: news put first what matters."""
        return unit((1 / np.arange(1, len(self.sentences) + 1)) @ self.directions)

    @cached_property
    def mean(self) -> np.ndarray:
        """(width,) direction of the mean of the sentences."""
        return unit(self.directions.mean(axis=0))

    @cached_property
    def words(self) -> list:
        """The words of each sentence."""
        return [words(sentence) for sentence in self.sentences]

    @cached_property
    def flat_words(self) -> list:
        """The words of all sentences, one after the other."""
        return [word for sentence in self.words for word in sentence]

    @cached_property
    def language(self) -> Language:
        """English or French, whichever has more of the words."""
        return language_of(self.flat_words)

    @cached_property
    def content_stems(self) -> list:
        """The stems of the content words of each sentence."""
        return [
            [stem(part) for word in words for part in parts(word, self.language) if self.is_content(part)]
            for words in self.words
        ]

    def is_content(self, word: str) -> bool:
        """Whether a word is no function word of the language."""
        return word not in self.language.function_words

    @cached_property
    def content_words(self) -> list:
        """The stems of all sentences, one after the other."""
        return [stem for stems in self.content_stems for stem in stems]

    @cached_property
    def content(self) -> Counter:
        """How often each of these stems occurs."""
        return Counter(self.content_words)

    @cached_property
    def numbers(self) -> list:
        """The numbers of each sentence: {value: as it is written}."""
        return [numbers(sentence, self.language) for sentence in self.sentences]

    @cached_property
    def names(self) -> list:
        """The names of each sentence."""
        return [names(sentence, self.language) for sentence in self.sentences]

    @cached_property
    def negated(self) -> list:
        """For each sentence the stems that each of its negations concerns."""
        return [negated(sentence, self.language) for sentence in self.sentences]

    @cached_property
    def negated_words(self) -> set:
        """The stems that any negation concerns."""
        return set().union(*(scope for scopes in self.negated for scope in scopes))

    @cached_property
    def letter_stems(self) -> set:
        """The stems of everything written in letters, by which a name is known."""
        return {stem(word) for sentence in self.sentences for word in LETTERS.findall(natural(sentence).lower())}

    @cached_property
    def word_pairs(self) -> list:
        """Words beside each other."""
        return list(zip(self.flat_words, self.flat_words[1:]))

    @cached_property
    def places(self) -> dict:
        """Where each word stands among all, ascending."""
        places = {}
        for i, word in enumerate(self.flat_words):
            places.setdefault(word, []).append(i)
        return {word: np.array(found) for word, found in places.items()}

    @cached_property
    def numbered_words(self) -> np.ndarray:
        """The words as the place where each one first stands, and -1 behind the last."""
        return np.array([*(self.places[word][0] for word in self.flat_words), -1])

    @cached_property
    def triples(self) -> set:
        """The distinct runs of three words."""
        return set(zip(self.flat_words, self.flat_words[1:], self.flat_words[2:]))

    @staticmethod
    def repetition(items: list) -> float:
        """Share of the items that came before."""
        return 1 - len(set(items)) / len(items) if items else 0.0


@dataclass(frozen=True, eq=False)
class Pair:
    """A text and its summary."""

    text: Side
    summary: Side

    @cached_property
    def cosines(self) -> np.ndarray:
        """(n, m) cosines of the sentences of the text and of the summary."""
        return self.text.directions @ self.summary.directions.T

    @cached_property
    def covered(self) -> np.ndarray:
        """(n,) best cosine of each sentence of the text."""
        return self.cosines.max(axis=1)

    @cached_property
    def supported(self) -> np.ndarray:
        """(m,) best cosine of each sentence of the summary."""
        return self.cosines.max(axis=0)

    @cached_property
    def sources(self) -> np.ndarray:
        """(m,) for each sentence of the summary the nearest one of the text."""
        return self.cosines.argmax(axis=0)

    @cached_property
    def central(self) -> np.ndarray:
        """(m,) cosine of each sentence of the summary and the mean of the text."""
        return self.summary.directions @ self.text.mean

    @cached_property
    def token_matches(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Best cosines of tokens with the other side's.

        Returns:
            (u,) of each token of the summary, (u,) the place of that token of the text, (t,) of each token of the text.
        """
        summary = self.summary.token_vectors.T
        best, places = np.full(summary.shape[1], -1.0, np.float32), np.zeros(summary.shape[1], int)
        told = np.zeros(len(self.text.token_vectors), np.float32)
        step = max(1, BLOCK // max(1, summary.shape[1]))
        for start in range(0, len(self.text.token_vectors) if summary.size else 0, step):
            cosines = self.text.token_vectors[start : start + step] @ summary
            told[start : start + step] = cosines.max(axis=1)
            nearest = cosines.argmax(axis=0)
            found = np.take_along_axis(cosines, nearest[None], axis=0)[0]
            places = np.where(found > best, start + nearest, places)
            best = np.maximum(best, found)
        return best, places, told

    @cached_property
    def source_counts(self) -> list:
        """For each sentence of the summary that has tokens, of how many sentences of the text the nearest ones are."""
        sources = self.text.owners[self.token_matches[1]] if len(self.text.owners) else self.summary.owners
        return [len(set(sources[self.summary.owners == j].tolist())) for j in np.unique(self.summary.owners)]

    @cached_property
    def single_supports(self) -> list:
        """For each of them the mean best cosine of its tokens with those of the one sentence that suits them best."""
        starts = np.flatnonzero(np.diff(self.text.owners, prepend=-1))
        supports = []
        for j in np.unique(self.summary.owners) if len(starts) else ():
            cosines = self.text.token_vectors @ self.summary.token_vectors[self.summary.owners == j].T
            supports.append(float(np.maximum.reduceat(cosines, starts).mean(axis=1).max()))
        return supports

    @cached_property
    def fragments(self) -> list:
        """Lengths in words of what the summary copies, read greedily from left to right (Grusky et al. 2018)."""
        words, numbered, lengths, i = self.summary.flat_words, self.text.numbered_words, [], 0
        while i < len(words):
            places, length = self.text.places.get(words[i], np.empty(0, int)), 0
            while len(places):  # where the text goes on as the summary does
                length += 1
                following = self.text.places.get(words[i + length], [-2])[0] if i + length < len(words) else -2
                places = places[numbered[places + length] == following]
            lengths += [length] if length else []
            i += max(length, 1)
        return lengths

    @cached_property
    def unknown_numbers(self) -> list:
        """For each sentence of the summary its numbers that the text lacks, as they are written."""
        known = {value for found in self.text.numbers for value in found}
        return [[written for value, written in found.items() if value not in known] for found in self.summary.numbers]

    @cached_property
    def unknown_names(self) -> list:
        """For each sentence of the summary its names of which no part is a word of the text, whatever its ending."""
        return [[name for name in found if not self._is_known(name)] for found in self.summary.names]

    def _is_known(self, name):
        return any(stem(part) in self.text.letter_stems for part in LETTERS.findall(name.lower()))

    @cached_property
    def unknown_dates(self) -> list:
        """For each sentence of the summary its months and weekdays that the text lacks."""
        known = {word for words in self.text.words for word in words}
        dates = self.summary.language.dates
        return [[word for word in words if word in dates and word not in known] for words in self.summary.words]

    @cached_property
    def best_sources(self) -> list:
        """For each sentence of the summary the nearest sentences of the text, at most `SOURCES`, the nearest first."""
        return np.argsort(-self.cosines, axis=0, kind="stable")[:SOURCES].T.tolist()

    @cached_property
    def unsupported_negations(self) -> list:
        """For each sentence of the summary how many of its negations concern no word that the text negates."""
        known = self.text.negated_words
        return [sum(not scope & known for scope in scopes) for scopes in self.summary.negated]

    @cached_property
    def unknown_negations(self) -> list:
        """For each sentence of the summary the sum over its negations of the share of words the text never negates.

        A negation with no content word behind it, as in "but the others did not", adds nothing.
        """
        known = self.text.negated_words
        return [sum(len(scope - known) / max(len(scope), 1) for scope in scopes) for scopes in self.summary.negated]

    @property
    def novelty(self) -> float:
        """Share of the summary's distinct runs of three words that the text lacks."""
        return len(self.summary.triples - self.text.triples) / max(len(self.summary.triples), 1)


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors (along the last axis) divided by their lengths; a vector of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def _mean(values):
    return float(np.mean(values)) if len(values) else 0.0


def _closeness(power, pair):
    """Cosine of the summary's mean and the text's, whose sentence i has the weight 1 / i**power."""
    weights = np.arange(1, len(pair.text.sentences) + 1) ** -float(power)
    return float(unit(weights @ pair.text.directions) @ pair.summary.mean)


def _long_closeness(pair):
    """Cosine of the text's lead-weighted centre and the summary's mean, each sentence weighted by its tokens."""
    weights = np.bincount(pair.summary.owners, minlength=len(pair.summary.sentences))
    return float(pair.text.centre @ unit(weights @ pair.summary.directions))


def _span(pair):
    """Length of the projection of the text's lead-weighted centre on the space that the summary's sentences span."""
    basis, lengths, _ = np.linalg.svd(pair.summary.directions.T, full_matrices=False)
    basis = basis[:, lengths > SPANNED * lengths[0]]  # a sentence said twice spans no more than once
    return float(np.linalg.norm(basis.T @ pair.text.centre))


def _ramp(value, first, last):
    """0 up to the first of two values, 1 from the last on, linear between them."""
    return float(np.clip((value - first) / (last - first), 0, 1))


def _content_recall(pair):
    counts = pair.text.content
    return sum(counts[word] for word in counts.keys() & pair.summary.content.keys()) / max(counts.total(), 1)


def _recall(pair):
    """Share of the text's content words that the summary has; one in sentence i weighs 1 / sqrt(i)."""
    found = whole = 0.0
    for i, stems in enumerate(pair.text.content_stems, 1):
        found += sum(stem in pair.summary.content for stem in stems) / i**0.5
        whole += len(stems) / i**0.5
    return found / whole if whole else 0.0


def _token_recall(pair):
    """Mean best cosine of the text's tokens; one in sentence i weighs 1 / i."""
    weights = 1.0 / (1 + pair.text.owners)
    return float(weights @ pair.token_matches[2] / weights.sum()) if len(weights) else 0.0


def _by_sentence(cosines, owners):
    """The means of the tokens' cosines in each sentence that has tokens."""
    counts = np.bincount(owners)
    return np.bincount(owners, cosines)[counts > 0] / counts[counts > 0]


def _detail(pair):
    """How much better the text's words are found again than its sentences."""
    return _mean(_by_sentence(pair.token_matches[2], pair.text.owners)) - _mean(pair.covered)


def _least_token_support(pair):
    found = _by_sentence(pair.token_matches[0], pair.summary.owners)
    return float(found.min()) if len(found) else 0.0


def _compression(pair):
    return len(pair.summary.flat_words) / max(len(pair.text.flat_words), 1)


def _new_words(pair):
    content = pair.summary.content
    return sum(count for stem, count in content.items() if stem not in pair.text.content) / max(content.total(), 1)


def _too_long(pair):
    start, share = ALLOWED_WORDS
    return _ramp(np.log(len(pair.summary.flat_words) / (start + share * len(pair.text.flat_words)) + 1e-9), 0, 0.2)


def _function_words(pair):
    """Share of function words."""
    found = [part for word in pair.summary.flat_words for part in parts(word, pair.summary.language)]
    return sum(not pair.summary.is_content(part) for part in found) / max(len(found), 1)


def _astray(pair):
    """Share of the articles (three at least) that a function word or the end of a sentence follows."""
    language, count, astray = pair.summary.language, 0, 0
    for sentence in pair.summary.words:
        found = [part for word in sentence for part in parts(word, language)]
        for word, following in zip(found, [*found[1:], ""]):
            count += word in language.articles
            astray += word in language.articles and (not following or following in language.unfit)
    return astray / max(count, 3)


def _faithful_rewording(pair):
    """Other words than the text's, all runs of three new, times what shows that they are no invention or jumble."""
    faults = (
        DEFECTS["unknown_names"](pair),
        DEFECTS["unknown_numbers"](pair),
        DEFECTS["list"](pair),
        DEFECTS["jumble"](pair),
        _ramp(pair.summary.repetition(pair.summary.content_words), 0.12, 0.27),
        _ramp(-_recall(pair), -0.12, -0.05),
        _ramp(-_least_token_support(pair), -0.5, -0.38),
    )
    return _ramp(pair.novelty, 0.5, 0.8) * float(np.prod([1 - fault for fault in faults]))


def _copied_sentences(pair):
    known = set(map(tuple, pair.text.words))
    return _mean([tuple(words) in known for words in pair.summary.words])


def _cut_short(pair):
    """Share of the sentences whose last two words stand in the text, but not at the end of a sentence."""
    pairs, ends = set(pair.text.word_pairs), {tuple(words[-2:]) for words in pair.text.words}
    found = [tuple(words[-2:]) for words in pair.summary.words]
    return _mean([end in pairs and end not in ends for end in found])


def _first_conjunction(pair):
    """1 if the summary begins with a word that joins it to what is not there."""
    return float(pair.summary.flat_words[:1] != [] and pair.summary.flat_words[0] in pair.summary.language.joining)


def _share(found, most):
    """Faults for each sentence of the summary, `most` of which are as bad as can be."""
    return _ramp(_mean([float(number) for number in found]), 0, most)


def _steps(pair):
    """From token to token of a summary's sentence, how far the nearest tokens of the text lie apart."""
    owners = pair.summary.owners
    return np.diff(pair.token_matches[1])[owners[1:] == owners[:-1]]


def _fragment_length(pair):
    return float(np.log1p(sum(k * k for k in pair.fragments) / max(len(pair.summary.flat_words), 1)))


def _cohesion(pair):
    return _mean((pair.summary.token_vectors * pair.summary.directions[pair.summary.owners]).sum(axis=1))


def _log(value):
    return float(np.log(max(value, 1.0)))


def _lengths(pair):
    return np.log1p([len(sentence) for sentence in pair.summary.words])


# name: what is wrong with a summary, 0 (nothing) to 1; each in itself enough to make one bad.
DEFECTS = {
    "too_long": _too_long,
    "list": lambda p: _ramp(-_function_words(p), -0.2, -0.1),
    "jumble": lambda p: _ramp(_astray(p), 0.05, 0.25),
    "off_topic": lambda p: _ramp(-_closeness(0, p), -0.4, -0.2),
    "made_up": lambda p: _ramp(-_least_token_support(p), -0.52, -0.4),
    "unknown_numbers": lambda p: _share(map(len, p.unknown_numbers), 2 / 3),
    "unknown_names": lambda p: _share(map(len, p.unknown_names), 2 / 3),
    "unknown_negations": lambda p: _share(p.unknown_negations, 1),
}


class Feature(NamedTuple):
    """What a feature is, its function, and whether it can only be good (1) or bad (-1) for a summary, or either (0)."""

    meaning: str
    function: Callable
    sign: int = 0


# Logarithms are natural, of 1 + the number.
TABLE = {
    "coverage": Feature("mean best cosine of the text's sentences", lambda p: _mean(p.covered)),
    "first_coverage": Feature("best cosine of the text's first sentence", lambda p: float(p.covered[0])),
    "closeness": Feature("cosine of summary and text, its sentences weighted 1, 1/2, ...", partial(_closeness, 1), 1),
    "broad_closeness": Feature("the same with the square roots of these weights", partial(_closeness, 0.5), 1),
    "long_closeness": Feature("closeness, the summary's sentences weighted by their length", _long_closeness, 1),
    "span": Feature("share of the text's centre that the summary's sentences span", _span, 1),
    "content_recall": Feature("share of the text's content words that the summary has", _content_recall, 1),
    "recall": Feature("the same, early words counting more", _recall, 1),
    "first_recall": Feature("the same as far as a quarter", lambda p: min(_recall(p), 0.25), 1),
    "token_recall": Feature("mean best cosine of the text's tokens, early ones first", _token_recall, 1),
    "concentration": Feature("recall for the length", lambda p: _recall(p) / max(_compression(p), 1e-3) ** 0.5, 1),
    "detail": Feature("how much better the text's tokens are found again than its sentences", _detail, 1),
    "support": Feature("mean best cosine of the summary's sentences", lambda p: _mean(p.supported), 1),
    "least_support": Feature("the least of these cosines", lambda p: float(p.supported.min()), 1),
    "last_support": Feature("best cosine of the summary's last sentence", lambda p: float(p.supported[-1]), 1),
    "token_support": Feature("mean best cosine of the summary's tokens", lambda p: _mean(p.token_matches[0]), 1),
    "least_token_support": Feature("the least mean of a sentence's tokens", _least_token_support, 1),
    "centrality": Feature("mean cosine of the summary's sentences and the whole text", lambda p: _mean(p.central)),
    "least_centrality": Feature("the least of these cosines", lambda p: float(p.central.min()), 1),
    "depth": Feature("mean log place in the text of the nearest sentences", lambda p: _mean(np.log1p(p.sources))),
    "entry": Feature("log place of the earliest of them", lambda p: float(np.log1p(p.sources.min()))),
    "steps": Feature("share of neighbouring tokens that are neighbours in the text", lambda p: _mean(_steps(p) == 1)),
    "backward_steps": Feature("share of neighbours whose order the text reverses", lambda p: _mean(_steps(p) < 0)),
    "novelty": Feature("share of the summary's runs of three words that the text lacks", lambda p: p.novelty),
    "new_words": Feature("share of the summary's content words that the text lacks", _new_words),
    "fragments": Feature("copied pieces for each word", lambda p: len(p.fragments) / max(len(p.summary.flat_words), 1)),
    "fragment_length": Feature("log mean length of the copied piece around a word", _fragment_length),
    "repeated_words": Feature(
        "share of content words said again", lambda p: p.summary.repetition(p.summary.content_words), -1
    ),
    "repeated_pairs": Feature(
        "share of word pairs said again", lambda p: p.summary.repetition(p.summary.word_pairs), -1
    ),
    "cohesion": Feature("mean cosine of the summary's tokens and their sentences", _cohesion),
    "vector_length": Feature(
        "mean length of the sentence vectors", lambda p: _mean(np.linalg.norm(p.summary.vectors, axis=1))
    ),
    "sources": Feature("log mean number of sentences that a sentence draws on", lambda p: _log(_mean(p.source_counts))),
    "most_sources": Feature("the same of the sentence with the most", lambda p: _log(max(p.source_counts, default=1))),
    "single_support": Feature("support of a sentence's tokens by one of the text", lambda p: _mean(p.single_supports)),
    "copied_sentences": Feature("share of sentences that are the text's", _copied_sentences),
    "cut_short": Feature("share of sentences that end where the text's goes on", _cut_short),
    "backward_sentences": Feature(
        "share of sentences whose nearest stands before that of the one before", lambda p: _mean(np.diff(p.sources) < 0)
    ),
    "first_conjunction": Feature('whether the summary begins with "but", "and", ...', _first_conjunction),
    "stutter": Feature(
        "largest share of words said again in a sentence", lambda p: max(map(p.summary.repetition, p.summary.words))
    ),
    "words": Feature("log number of words", lambda p: float(np.log1p(len(p.summary.flat_words)))),
    "sentences": Feature("log number of sentences", lambda p: float(np.log1p(len(p.summary.sentences)))),
    "sentence_length": Feature("mean log words in a sentence", lambda p: _mean(_lengths(p))),
    "shortest_sentence": Feature("log words in the shortest sentence", lambda p: float(_lengths(p).min())),
    "length_spread": Feature("standard deviation of log words in a sentence", lambda p: float(_lengths(p).std())),
    "longest_sentence": Feature("log words in the longest sentence", lambda p: float(_lengths(p).max())),
    "text_words": Feature("log number of words of the text", lambda p: float(np.log1p(len(p.text.flat_words)))),
    "rewording": Feature("other words than the text's, and nothing made up or jumbled, 0 to 1", _faithful_rewording, 1),
    "too_long": Feature("more words than 50 and a quarter of the text's, 0 to 1", DEFECTS["too_long"], -1),
    "list": Feature("hardly any function words, as in a list of keywords, 0 to 1", DEFECTS["list"], -1),
    "jumble": Feature("articles that nothing fitting follows, 0 to 1", DEFECTS["jumble"], -1),
    "off_topic": Feature("far from the text as a whole, 0 to 1", DEFECTS["off_topic"], -1),
    "made_up": Feature("a sentence whose tokens have nothing near in the text, 0 to 1", DEFECTS["made_up"], -1),
    "unknown_numbers": Feature(
        "numbers that the text lacks, for each sentence, 0 to 1", DEFECTS["unknown_numbers"], -1
    ),
    "unknown_names": Feature("names that the text lacks, for each sentence, 0 to 1", DEFECTS["unknown_names"], -1),
    "unknown_negations": Feature(
        "share of negated words that the text never negates, for each sentence, 0 to 1",
        DEFECTS["unknown_negations"],
        -1,
    ),
}
NAMES = tuple(TABLE)
FRACTIONS = ("rewording", *DEFECTS)  # features of 0 to 1 that are 0 in most summaries


def features(pair: Pair, names: Iterable[str] = NAMES) -> np.ndarray:
    """The features of a pair, all of them or those asked for."""
    return np.array([TABLE[name].function(pair) for name in names])
