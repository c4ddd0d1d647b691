"""From a corpus to a suite: which sentences are tried, which of their variants are kept (paper, section 3.1).

One pass over the sentences: each that can be a base of a test may be drawn for it; at the end the variants of those
drawn are ranked by fluency. The draw keeps the sentences with the smallest hashes: it needs no more memory than what is
drawn, takes the same sentences in any order of the corpus, and has no duplicates. (The phrases that `np` puts in come
from the sentences that were read, and these are fewer once the draws are full.)
"""

import hashlib
import heapq
import json
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import isnan
from numbers import Real
from pathlib import Path

from datasets import Dataset, Features, Value, load_from_disk
from datasets.utils import tqdm

from .chat_llm import load
from .contrasts import TESTS
from .english import VARIATIONS, WITH_RELATED_WORDS, Sentence, Unsuitable, normalised, noun_phrases, read
from .lexicon import UNREADABLE, is_file, open_text
from .suite import DIRECTED_TESTS, check_references, load_suite
from .tools import (
    Tools,
    Trigrams,
    WordNet,
    fastcoref_links,
    hanta_tagger,
    kenlm_fluency,
    lemminflect_form,
    nltk_related,
    only_antecedent,
    spacy_tagger,
)
from .values import is_listing, named, shown
from .verdicts import METRIC

DRAWN_PER_GROUP = 8  # sentences drawn for each group that is kept
PHRASES, PHRASES_TRIED = 5000, 12
VARIANTS_TRIED = 12
LONGEST = 10_000  # characters; a longer line is no sentence
KENLM_SUFFIXES = (".arpa", ".bin", ".binary", ".klm", ".gz")


class Suite(list):
    """Groups {"test", "sources"} (with "direction" where it matters), as `compute` takes them as references.

    Attributes:
        settings: what the suite was made with.
        report: for each test how many sentences were drawn and kept, and why the others were dropped.
    """

    def __init__(self, groups: Iterable[dict], settings: dict | None = None, report: dict | None = None):
        super().__init__(groups)
        self.settings, self.report = settings or {}, report or {}

    def to_dataset(self) -> Dataset:
        """The groups as rows; settings and report are in the description, as JSON."""
        columns = {"test": Value("string"), "sources": [Value("string")], "direction": Value("string")}
        rows = [{"test": g["test"], "sources": g["sources"], "direction": g.get("direction", "added")} for g in self]
        dataset = Dataset.from_list(rows, features=Features(columns))
        dataset.info.description = json.dumps({"settings": self.settings, "report": self.report})
        return dataset

    def save(self, folder: str | Path) -> None:
        """Save as a dataset; `load_saved` has it back.

        Raises:
            ValueError: there are no groups.
        """
        if not self:
            raise ValueError(f"{METRIC}: found no groups, expected some to save")
        self.to_dataset().save_to_disk(str(folder))

    def save_pair(self, sents_path: str | Path, info_path: str | Path) -> None:
        """Save as a pair of files like the published one; settings and report go beside it, in <sents_path>.json.

        Raises:
            ValueError: a group with "direction": "removed", for which the files have no place.
        """
        if any(group.get("direction") == "removed" for group in self):
            raise ValueError(
                f'{METRIC}: found a group with the direction "removed", expected none: the pair of files cannot tell'
            )
        sources = [(i, group["test"], text) for i, group in enumerate(self, start=1) for text in group["sources"]]
        Path(sents_path).write_text("".join(f"{text}\n" for _, _, text in sources), encoding="utf-8")
        Path(info_path).write_text("".join(f"{i} {test}\n" for i, test, _ in sources), encoding="utf-8")
        about = json.dumps({"settings": self.settings, "report": self.report}, indent=1)
        Path(f"{sents_path}.json").write_text(about, encoding="utf-8")


def load_saved(folder: str | Path) -> Suite:
    """A suite that `Suite.save` or `Dataset.save_to_disk` has written."""
    if not isinstance(folder, (str, Path)):
        raise ValueError(f"{METRIC}: sents_path: found {shown(folder)}, expected the folder of a saved suite or a file")
    try:
        dataset = load_from_disk(str(folder))
        rows = list(dataset)
    except Exception as error:  # whatever the library makes of files that are missing or damaged
        raise ValueError(
            f"{METRIC}: {folder}: found no dataset that can be read ({type(error).__name__}: {str(error):.300}), "
            "expected the folder of a saved suite"
        ) from error
    if not isinstance(dataset, Dataset) or not {"test", "sources"} <= set(dataset.column_names):
        raise ValueError(f'{METRIC}: {folder}: found {shown(dataset)}, expected a dataset with "test" and "sources"')
    groups = check_references(rows)
    for group in groups:
        if group["test"] not in DIRECTED_TESTS:
            del group["direction"]
    return _with_about(groups, dataset.info.description)


def load_pair(sents_path: str | Path, info_path: str | Path) -> Suite:
    """A suite from a pair of files; settings and report where `Suite.save_pair` has written them beside it."""
    groups = load_suite(sents_path, info_path)
    about = Path(f"{sents_path}.json")
    return _with_about(groups, about.read_text(encoding="utf-8", errors="replace") if is_file(about) else "")


def _with_about(groups: list[dict], description: str) -> Suite:
    try:
        about = json.loads(description or "{}")
    except (ValueError, RecursionError):
        about = {}  # a dataset of another origin
    about = about if isinstance(about, dict) else {}
    return Suite(groups, about.get("settings"), about.get("report"))


# ---- Options ----


TAGGERS = {"hanta": hanta_tagger, "spacy": spacy_tagger}
RESOLVERS = {"rule": lambda: only_antecedent, "fastcoref": fastcoref_links}


def tools_of(
    tests: list[str], tagger: str | Callable, wordnet: str | Path | Callable | None, coreference: str | Callable
) -> Tools:
    """The tools by their names, or as they are given; WordNet is opened only if one of the tests takes it.

    Raises:
        ValueError: an unknown name.
        MissingTool: it is not installed.
    """
    related = wordnet
    if not callable(wordnet) and any(test.partition(":")[0] in WITH_RELATED_WORDS for test in tests):
        related = nltk_related() if wordnet == "nltk" else WordNet(wordnet)
    return Tools(
        _named("tagger", tagger, TAGGERS), lemminflect_form(), related, _named("coreference", coreference, RESOLVERS)
    )


def _named(option: str, value: str | Callable, table: dict[str, Callable]) -> Callable:
    if callable(value):
        return value
    if not isinstance(value, str) or value not in table:
        raise ValueError(f"{METRIC}: {option}: found {shown(value)}, expected a function or one of {', '.join(table)}")
    return table[value]()


def fluency_of(fluency: str | Path | Callable | None) -> Callable:
    """A function from sentences to log-likelihoods: the one given, a KenLM file's, a language model's, or Trigrams."""
    if fluency is None:
        return Trigrams()
    if callable(fluency):
        return fluency
    if not isinstance(fluency, (str, Path)):
        raise ValueError(
            f"{METRIC}: fluency: found {shown(fluency)}, expected a function, a model's name or a KenLM file"
        )
    if str(fluency).endswith(KENLM_SUFFIXES):
        return kenlm_fluency(fluency)
    with named(f"{METRIC}: fluency"):
        return load(str(fluency)).sentence_log_likelihoods


def texts_of(sentences: Iterable[str] | str | Path) -> Iterator[str]:
    """The sentences of an iterable, or the lines of a text file (also .gz, .xz, .bz2), one at a time.

    Raises:
        ValueError: no such file, or an element that is no string, with its number.
    """
    if isinstance(sentences, (str, Path)):
        if not is_file(sentences):
            raise ValueError(f"{METRIC}: sentences: found no file {shown(str(sentences))}, expected one or an iterable")
        try:
            with open_text(sentences, "utf-8-sig", errors="replace") as lines:
                yield from lines
        except UNREADABLE as error:
            raise ValueError(
                f"{METRIC}: sentences {sentences}: found bytes that cannot be read, expected text: {error}"
            ) from error
        return
    if not is_listing(sentences) and not isinstance(sentences, (set, frozenset)):
        raise ValueError(f"{METRIC}: sentences: found {shown(sentences)}, expected strings or the path of a text file")
    for i, text in enumerate(sentences):
        if not isinstance(text, str):
            raise ValueError(f"{METRIC}: sentences[{i}]: found {type(text).__name__} {shown(text)}, expected a string")
        yield text.encode("utf-8", "replace").decode()  # a lone surrogate as in a file, where it is replaced


# ---- Drawing ----


class Draw:
    """The sentences of one test with the smallest keys."""

    def __init__(self, size: int):
        self.size, self.drawn = size, {}
        self._largest = []  # heap of (-key, text)

    def admits(self, key: int) -> bool:
        return len(self._largest) < self.size or key < -self._largest[0][0]

    def add(self, key: int, sentence: Sentence) -> str | None:
        """Take the sentence in; the reason why one is dropped for it, if one is."""
        if sentence.text in self.drawn:
            return "duplicate"
        self.drawn[sentence.text] = key, sentence
        heapq.heappush(self._largest, (-key, sentence.text))
        if len(self._largest) > self.size:
            del self.drawn[heapq.heappop(self._largest)[1]]
            return "not drawn"
        return None


def _key(seed: int, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed} {text}".encode("utf-8", "replace"), digest_size=8).digest(), "big")


class Generator:
    """One pass over a corpus, then the choice of variants."""

    def __init__(self, tests: list[str], size: int, seed: int, tools: Tools, fluency: Callable, max_tokens: int):
        self.tests, self.size, self.seed = tests, size, seed
        self.tools, self.fluency, self.max_tokens = tools, fluency, max_tokens
        self.draws = {test: Draw(DRAWN_PER_GROUP * size) for test in tests}
        self.dropped = {test: Counter() for test in tests}
        self.read = 0
        self.phrases = {}

    def add(self, text: str) -> None:
        """Try one sentence for every test."""
        self.read += 1
        if isinstance(self.fluency, Trigrams) and text and len(text) < LONGEST:
            self.fluency.add(text)
        key = _key(self.seed, normalised(text[:LONGEST]))
        keys = {test: key ^ zlib.crc32(test.encode()) << 32 for test in self.tests}
        open_tests = [test for test in self.tests if self.draws[test].admits(keys[test])]
        for test in self.tests:
            if test not in open_tests:
                self.dropped[test]["not drawn"] += 1
        if not open_tests:
            return
        try:
            sentence = read(text, self.tools, self.max_tokens)
        except Unsuitable as reason:
            for test in open_tests:
                self.dropped[test][str(reason)] += 1
            return
        for phrase in noun_phrases(sentence):
            self._keep_phrase(phrase)
        for test in open_tests:
            try:
                _variation(test)(sentence, self.tools)
                dropped = self.draws[test].add(keys[test], sentence)
            except Unsuitable as reason:
                dropped = str(reason)
            if dropped:
                self.dropped[test][dropped] += 1

    def _keep_phrase(self, phrase: str) -> None:
        self.phrases[phrase] = _key(self.seed, phrase)
        if len(self.phrases) > 4 * PHRASES:
            self.phrases = dict(sorted(self.phrases.items(), key=lambda item: item[1])[:PHRASES])

    def groups(self, test: str) -> list[dict]:
        """The groups of a test, most fluent first: its drawn sentences, each with its most fluent variants."""
        needed = TESTS[test][0].size - 1
        phrases, candidates = sorted(self.phrases), []
        for key, sentence in self.draws[test].drawn.values():
            choose = random.Random(key)
            tools = self.tools._replace(phrases=choose.sample(phrases, min(len(phrases), PHRASES_TRIED)))
            variants = [text for text in _variation(test)(sentence, tools) if text != sentence.text]
            if len(variants) < needed:
                self.dropped[test]["too few variants"] += 1
                continue
            candidates.append((sentence.text, variants[:VARIANTS_TRIED]))
        scores = iter(self._scores([text for base, variants in candidates for text in (base, *variants)]))
        ranked = []
        for base, variants in candidates:
            base_score = next(scores)
            best = sorted(((next(scores), text) for text in variants), reverse=True)[:needed]
            ranked.append((sum(score for score, _ in best) / needed - base_score, [base, *(text for _, text in best)]))
        ranked.sort(reverse=True)
        if len(ranked) > self.size:
            self.dropped[test]["less fluent"] += len(ranked) - self.size
        direction = {"direction": "added"} if test in DIRECTED_TESTS else {}
        return [{"test": test, "sources": sources, **direction} for _, sources in ranked[: self.size]]

    def _scores(self, texts: list[str]) -> list[float]:
        """Fluency of each text, checked."""
        scores = list(self.fluency(texts))
        if len(scores) != len(texts) or not all(isinstance(score, Real) and not isnan(score) for score in scores):
            raise ValueError(
                f"{METRIC}: fluency: found {shown(scores)}, expected {len(texts)} numbers, one per sentence"
            )
        return scores

    def report(self, groups: dict[str, list]) -> dict:
        """What became of the sentences, test by test: kept and dropped add up to those read."""
        return {
            "sentences": self.read,
            "tests": {
                test: {
                    "wanted": self.size,
                    "kept": len(groups[test]),
                    "drawn": len(self.draws[test].drawn),
                    "dropped": dict(self.dropped[test].most_common()),
                }
                for test in self.tests
            },
        }


def _variation(test: str) -> Callable:
    return VARIATIONS[test.partition(":")[0]]


def generate(
    sentences: Iterable[str] | str | Path,
    tests: list[str],
    size: int,
    seed: int,
    tools: Tools,
    fluency: Callable,
    max_tokens: int,
) -> tuple[dict[str, list], dict]:
    """{test: its groups} and the report; see `morpheval.Morpheval.make_suite`."""
    generator = Generator(tests, size, seed, tools, fluency, max_tokens)
    for text in tqdm(texts_of(sentences), desc="Reading sentences", unit=" sentences", unit_scale=True):
        generator.add(text.strip())
    if not generator.read:
        raise ValueError(f"{METRIC}: sentences: found none, expected some")
    groups = {test: generator.groups(test) for test in tqdm(tests, desc="Choosing variants", unit=" tests")}
    return groups, generator.report(groups)
