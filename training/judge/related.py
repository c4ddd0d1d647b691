"""Words that WordNet relates to a word: synonyms, antonyms, sisters; more than morpheval needs."""

from functools import lru_cache

from metrics._suites.wordnet import FILES, SENSES, WordNet

HYPONYM, HYPERNYM, SIMILAR = "~", "@", "&"


class Related(WordNet):
    """WordNet's files of nouns, adjectives and verbs."""

    files, senses = FILES | {"v": "verb"}, SENSES | {"v": 2}

    @lru_cache(maxsize=100_000)  # noqa: B019  there is one, for as long as the program runs
    def __call__(self, lemma: str, pos: str) -> dict[str, list[str]]:
        """Single words related to the most frequent senses of a lemma, nearest first."""
        related = {"synonyms": [], "antonyms": super().__call__(lemma, pos)["antonyms"], "sisters": []}
        for offset in self._offsets(lemma, pos)[: self.senses[pos]]:
            related["synonyms"] += self._common(pos, offset)
            for symbol, to, other_pos, _, _ in self._synset(pos, offset).pointers:
                if other_pos.replace("s", "a") != pos:
                    continue
                if symbol == SIMILAR:
                    related["sisters"] += self._common(pos, to)
                elif symbol[0] == HYPERNYM:
                    pointers = self._synset(pos, to).pointers
                    hyponyms = (to for kind, to, of, _, _ in pointers if kind[0] == HYPONYM and of == pos)
                    related["sisters"] += [word for synset in hyponyms for word in self._common(pos, synset)]
        return {
            name: [w for w in dict.fromkeys(words) if w.isalpha() and w != lemma] for name, words in related.items()
        }

    @lru_cache(maxsize=100_000)  # noqa: B019  there is one, for as long as the program runs
    def _common(self, pos, offset):
        """The words of a synset that are in use, and whose most frequent sense it is."""
        entries = [(word, self._entry(word, pos)) for word in self._synset(pos, offset).words if word]
        return [word for word, fields in entries if fields and _is_in_use(fields) and _first(fields) == offset]


def _first(fields):
    """Offset of the most frequent sense in an index entry."""
    return int(fields[-int(fields[2])])


def _is_in_use(fields):
    """Does the word occur in the texts that WordNet's authors have tagged?"""
    return int(fields[-int(fields[2]) - 1]) > 0
