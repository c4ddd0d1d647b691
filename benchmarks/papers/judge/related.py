"""Words that WordNet relates to a word: synonyms, antonyms and sisters; more than morpheval's suites need of it."""

from functools import lru_cache

from metrics.morpheval import tools
from metrics.morpheval.tools import ANTONYM, WordNet

POS = {"n": "noun", "v": "verb", "a": "adj"}
SENSES = {"n": 1, "v": 2, "a": 2}  # how many of a word's senses, the most frequent ones
HYPONYM, HYPERNYM, SIMILAR = "~", "@", "&"


class Related(WordNet):
    """WordNet's files of nouns, adjectives and verbs."""

    def __init__(self):
        super().__init__()
        folder = tools._packaged_folder()
        self._index["v"], self._data["v"] = tools._map(folder / "index.verb"), tools._data(folder / "data.verb")

    @lru_cache(maxsize=100_000)
    def __call__(self, lemma: str, pos: str) -> dict[str, list[str]]:
        """Single words related to the most frequent senses of a lemma, nearest first."""
        found = {"synonyms": [], "antonyms": [], "sisters": []}
        for offset in self._offsets(lemma, pos)[: SENSES[pos]]:
            synset = self._synset(pos, offset)
            found["synonyms"] += self._common(pos, offset)
            place = next((i for i, word in enumerate(synset.words, 1) if word == lemma), 0)
            for symbol, to, other_pos, source, target in synset.pointers:
                if other_pos.replace("s", "a") != pos:
                    continue
                other = self._synset(pos, to)
                if symbol == ANTONYM and source in (0, place):
                    found["antonyms"] += other.words[target - 1 : target] if target else other.words
                elif symbol == SIMILAR:
                    found["sisters"] += self._common(pos, to)
                elif symbol[0] == HYPERNYM:
                    below = (to for kind, to, of, _, _ in other.pointers if kind[0] == HYPONYM and of == pos)
                    found["sisters"] += [word for synset in below for word in self._common(pos, synset)]
        return {name: [w for w in dict.fromkeys(words) if w.isalpha() and w != lemma] for name, words in found.items()}

    @lru_cache(maxsize=100_000)
    def _common(self, pos, offset):
        """The words of a synset that are in use, and in this sense first of all."""
        entries = [(word, self._entry(word, pos)) for word in self._synset(pos, offset).words if word]
        return [word for word, fields in entries if fields and _is_in_use(fields) and _first(fields) == offset]


def _first(fields):
    """Offset of the most frequent of the senses in an index entry."""
    return int(fields[-int(fields[2])])


def _is_in_use(fields):
    """Does the word occur in the texts that WordNet's authors have tagged?"""
    return int(fields[-int(fields[2]) - 1]) > 0
