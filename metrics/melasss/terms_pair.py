"""A text and its summary as the encoder sees them and as words: what the terms of a score are computed from.

Nothing here depends on case or on how the text was tokenised, but for names, which have capitals.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .text_evidence import Known, lower_case_names, names, negated, numbers, readings, stem
from .text_languages import Language, language_of, parts
from .text_sentences import words

LEAD_WORDS = 250  # the beginning of a text, where news put what matters
BLOCK = 2**22  # cosines of tokens in memory at once
SOURCES = 3  # sentences of the text that are named as those a sentence of the summary comes from


@dataclass(frozen=True, eq=False)
class Side:
    """A text or a summary, as the encoder sees it."""

    sentences: list  # n strings
    vectors: np.ndarray  # (n, width) of sentences, float32; fewer where only the beginning was encoded
    token_vectors: Any = None  # (t, width) of these sentences' tokens, of length 1; None where not asked for
    owners: Any = None  # (t,) the sentence of each token, ascending
    told: Language | None = None  # its language, where its own words do not tell: a summary is in that of its text

    @cached_property
    def directions(self) -> np.ndarray:
        """(n, width) sentence vectors of length 1."""
        return unit(self.vectors)

    @cached_property
    def words(self) -> list:
        """The words of each sentence."""
        return [words(sentence) for sentence in self.sentences]

    @cached_property
    def flat_words(self) -> list:
        """The words of all sentences, one after the other."""
        return [word for sentence in self.words for word in sentence]

    @cached_property
    def parts(self) -> list:
        """The words of each sentence without what is written onto them: keeper's is keeper."""
        return [[part for word in sentence for part in parts(word, self.language)] for sentence in self.words]

    @cached_property
    def language(self) -> Language:
        """English or French, whichever has more of the words; where hardly any are known, neither."""
        return self.told or language_of(self.flat_words, sure=True)

    @cached_property
    def content_stems(self) -> list:
        """The stems of the content words of each sentence."""
        function_words = self.language.function_words
        return [[stem(part) for part in parts if part not in function_words] for parts in self.parts]

    @cached_property
    def content(self) -> Counter:
        """How often the stem of each content word occurs."""
        return Counter(stem for stems in self.content_stems for stem in stems)

    @cached_property
    def stems(self) -> Counter:
        """How often the stem of each word occurs."""
        return Counter(stem(part) for parts in self.parts for part in parts)

    @cached_property
    def n_lead(self) -> int:
        """How many sentences make the beginning."""
        return n_lead(self.sentences)

    @cached_property
    def readings(self) -> set:
        """All values that numbers of the sentences may have, also of those that a full stop has split in two."""
        return readings(" ".join(self.sentences), self.language)

    @cached_property
    def known(self) -> Known:
        """The words by which names are known."""
        return Known(self.sentences, self.language)

    @cached_property
    def negated(self) -> list:
        """For each sentence the stems that each of its negations concerns."""
        return [negated(sentence, self.language) for sentence in self.sentences]


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
    def sources(self) -> list:
        """For each sentence of the summary the nearest of the text, at most `SOURCES`, the nearest first."""
        return np.argsort(-self.cosines, axis=0, kind="stable")[:SOURCES].T.tolist()

    @cached_property
    def token_matches(self) -> tuple[np.ndarray, np.ndarray]:
        """Best cosines of tokens with the other side's: (t,) of the text's tokens, (u,) of the summary's."""
        text, summary = self.text.token_vectors, self.summary.token_vectors.T
        covered, supported = np.zeros(len(text), np.float32), np.full(summary.shape[1], -1.0, np.float32)
        step = max(1, BLOCK // max(1, summary.shape[1]))
        for start in range(0, len(text) if summary.size else 0, step):
            cosines = text[start : start + step] @ summary
            covered[start : start + step] = cosines.max(axis=1)
            supported = np.maximum(supported, cosines.max(axis=0))
        return covered, supported

    @cached_property
    def single_supports(self) -> list:
        """For each sentence of the summary the mean best cosine of its tokens with those of one of the text."""
        text, summary = self.text, self.summary
        starts = np.flatnonzero(np.diff(text.owners, prepend=-1))
        supports = []
        for j in np.unique(summary.owners) if len(starts) else ():
            cosines = text.token_vectors @ summary.token_vectors[summary.owners == j].T
            supports.append(float(np.maximum.reduceat(cosines, starts).mean(axis=1).max()))
        return supports

    @cached_property
    def unknown_numbers(self) -> list:
        """For each sentence of the summary its numbers that the text lacks, as they are written; "a" is a 1, too."""
        known, language = self.text.readings | {1}, self.summary.language
        said = [numbers(sentence, language) for sentence in self.summary.sentences]
        return [[written for value, written in own.items() if value not in known] for own in said]

    @cached_property
    def unknown_names(self) -> list:
        """For each sentence of the summary the words of its names of which the text has no word."""
        known, language = self.text.known, self.summary.language
        named = [names(sentence, language) for sentence in self.summary.sentences]
        if not any(named):
            named = [lower_case_names(sentence, known, language) for sentence in self.summary.sentences]
        return [[word for name in own if not known.has_name(name) for word in name] for own in named]

    @cached_property
    def unknown_dates(self) -> list:
        """For each sentence of the summary its months and weekdays that the text lacks."""
        dates = self.summary.language.dates
        known = {part for parts in self.text.parts for part in parts}
        return [[part for part in parts if part in dates and part not in known] for parts in self.summary.parts]

    @cached_property
    def unsupported_negations(self) -> list:
        """For each sentence of the summary how many of its negations concern no word that the text negates."""
        known = set().union(*(scope for scopes in self.text.negated for scope in scopes))
        return [sum(not scope & known for scope in scopes) for scopes in self.summary.negated]


def n_lead(sentences: list) -> int:
    """How many sentences make the beginning of a text: those up to the one with the word number `LEAD_WORDS`."""
    n_words = np.cumsum([len(words(sentence)) for sentence in sentences])
    return int(min(np.searchsorted(n_words, LEAD_WORDS) + 1, len(sentences)))


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors (along the last axis) divided by their lengths; a vector of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)
