"""What can be read off the similarity matrices of a text and its summary, each feature one number with a meaning.

A feature is a function of a `Pair`; `FEATURES` is the table of all, in their order. None depends on case or on how the
text was tokenised.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .sentences import words

SPANNED = 1e-3  # directions that are shorter, beside the longest, are noise
BLOCK = 2**22  # cosines of tokens in memory at once
FUNCTION_WORDS = frozenset(
    "a about after also an and are as at be been before being but by can could did do does for from had has have he "
    "her him his i if in into is it its may more most my no not of on or our out over she should so some such than "
    "that the their them then there these they this those to up was we were what when where which while who will "
    "with would you your".split()
)


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
    def content_words(self) -> list:
        """The same without function words."""
        return [word for word in self.flat_words if word not in FUNCTION_WORDS]

    @cached_property
    def content(self) -> Counter:
        """How often each content word occurs."""
        return Counter(self.content_words)

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
    def token_matches(self) -> tuple[np.ndarray, np.ndarray]:
        """For each token of the summary its best cosine with a token of the text, and the place of that token; (u,)."""
        summary = self.summary.token_vectors.T
        best, places = np.full(summary.shape[1], -1.0, np.float32), np.zeros(summary.shape[1], int)
        step = max(1, BLOCK // max(1, summary.shape[1]))
        for start in range(0, len(self.text.token_vectors), step):
            cosines = self.text.token_vectors[start : start + step] @ summary
            nearest = cosines.argmax(axis=0)
            found = np.take_along_axis(cosines, nearest[None], axis=0)[0]
            places = np.where(found > best, start + nearest, places)
            best = np.maximum(best, found)
        return best, places

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


def _closeness(pair, power):
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


def _content_recall(pair):
    """Share of the text's content words that the summary has, each counted as often as the text says it."""
    counts = pair.text.content
    return sum(counts[word] for word in counts.keys() & pair.summary.content.keys()) / max(counts.total(), 1)


def _steps(pair):
    """From token to token of a summary's sentence, how far the nearest tokens of the text lie apart."""
    owners = pair.summary.owners
    return np.diff(pair.token_matches[1])[owners[1:] == owners[:-1]]


def _fragment_length(pair):
    return float(np.log1p(sum(k * k for k in pair.fragments) / max(len(pair.summary.flat_words), 1)))


def _cohesion(pair):
    return _mean((pair.summary.token_vectors * pair.summary.directions[pair.summary.owners]).sum(axis=1))


def _lengths(pair):
    return np.log1p([len(sentence) for sentence in pair.summary.words])


# name: (what it is, its function). Logarithms are natural, of 1 + the number.
TABLE = {
    "coverage": ("mean best cosine of the text's sentences", lambda p: _mean(p.covered)),
    "first_coverage": ("best cosine of the text's first sentence", lambda p: float(p.covered[0])),
    "closeness": ("cosine of summary and text, its sentences weighted 1, 1/2, 1/3, ...", lambda p: _closeness(p, 1)),
    "broad_closeness": ("the same with the square roots of these weights", lambda p: _closeness(p, 0.5)),
    "long_closeness": ("closeness, the summary's sentences weighted by their length", _long_closeness),
    "span": ("share of the text's centre that the summary's sentences span", _span),
    "content_recall": ("share of the text's content words, by frequency, that the summary has", _content_recall),
    "support": ("mean best cosine of the summary's sentences", lambda p: _mean(p.supported)),
    "last_support": ("best cosine of the summary's last sentence", lambda p: float(p.supported[-1])),
    "token_support": ("mean best cosine of the summary's tokens", lambda p: _mean(p.token_matches[0])),
    "centrality": ("mean cosine of the summary's sentences and the whole text", lambda p: _mean(p.central)),
    "least_centrality": ("the least of these cosines", lambda p: float(p.central.min())),
    "depth": ("mean log place in the text of the nearest sentences", lambda p: _mean(np.log1p(p.sources))),
    "entry": ("log place of the earliest of them", lambda p: float(np.log1p(p.sources.min()))),
    "steps": ("share of neighbouring tokens that are neighbours in the text", lambda p: _mean(_steps(p) == 1)),
    "backward_steps": ("share of neighbouring tokens whose order the text reverses", lambda p: _mean(_steps(p) < 0)),
    "novelty": ("share of the summary's runs of three words that the text lacks", lambda p: p.novelty),
    "fragments": ("copied pieces for each word", lambda p: len(p.fragments) / max(len(p.summary.flat_words), 1)),
    "fragment_length": ("log mean length of the copied piece around a word", _fragment_length),
    "repeated_words": ("share of content words said again", lambda p: p.summary.repetition(p.summary.content_words)),
    "repeated_pairs": ("share of word pairs said again", lambda p: p.summary.repetition(p.summary.word_pairs)),
    "cohesion": ("mean cosine of the summary's tokens and their sentences", _cohesion),
    "vector_length": (
        "mean length of the sentence vectors",
        lambda p: _mean(np.linalg.norm(p.summary.vectors, axis=1)),
    ),
    "words": ("log number of words", lambda p: float(np.log1p(len(p.summary.flat_words)))),
    "sentences": ("log number of sentences", lambda p: float(np.log1p(len(p.summary.sentences)))),
    "sentence_length": ("mean log words in a sentence", lambda p: _mean(_lengths(p))),
    "longest_sentence": ("log words in the longest sentence", lambda p: float(_lengths(p).max())),
    "text_words": ("log number of words of the text", lambda p: float(np.log1p(len(p.text.flat_words)))),
}
NAMES = tuple(TABLE)


def features(pair: Pair) -> np.ndarray:
    """(len(NAMES),) the features of a pair, in the order of `NAMES`."""
    return np.array([function(pair) for _, function in TABLE.values()])
