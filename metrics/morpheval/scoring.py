"""From options and groups to the result of `compute`."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from .check_input import warn_about_copies, warn_about_empty, warn_about_language, warn_about_order, warn_about_sources
from .common import CheckedOptions, Message, a_boolean, argument, input_error, one_of, option
from .common_statistics import a_confidence
from .contrastive_tests import TESTS, Judgement, judge_together
from .frequencies import check_frequencies, read_frequencies, source_frequency
from .intervals import Outcomes, band_scores, strictly
from .language_french import FRENCH
from .language_italian import ITALIAN
from .language_portuguese import PORTUGUESE
from .language_spanish import SPANISH
from .lexicon import Lexicon, load
from .limsi import LIMSI
from .show_reasons import explain
from .verdicts import Rules

LANGUAGES = {"fr": FRENCH, "es": SPANISH, "it": ITALIAN, "pt": PORTUGUESE}
MODES = {"default": LANGUAGES, "limsi": {"fr": LIMSI}}  # the published script is for French
STRICT = "|strict:True"  # in a signature
DETAILS = ("verdicts", "reasons", "words", "themes", "tokens")
CHUNK = 500  # groups whose sentences are held as words at once


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CheckedOptions):
    """How translations are judged."""

    language: str = option("fr", one_of(LANGUAGES))
    lexicon: str | Path | Lexicon | None = option(None, affects_score=False)  # in the signature by its digest
    mode: str = option("default", one_of(MODES))

    def check_together(self) -> None:
        if self.language not in MODES[self.mode]:
            known = ", ".join(map(repr, MODES[self.mode]))
            found = Message(f"{self.language!r} with ", argument("mode"), f"={self.mode!r}")
            raise input_error(argument("language"), found, known)

    def open(self) -> tuple[Rules, Lexicon]:
        """The rules of the mode for the language, and the lexicon."""
        rules = MODES[self.mode][self.language]
        return rules, load(self.lexicon, rules.default_lexicon)


@dataclass(frozen=True, kw_only=True)
class Options(JudgeOptions):
    """Options of `compute`."""

    strict: bool = option(False, a_boolean, affects_score=False)  # in the signature if it is True
    frequencies: dict | str | Path | None = option(None, check_frequencies, affects_score=False)
    confidence: float | None = option(0.95, a_confidence, affects_score=False)
    details: bool = option(False, a_boolean, affects_score=False)
    OF_COMPUTE = ("frequencies",)


class Scorer:
    """The rules of a language with a lexicon, and counts of English words if they are asked for."""

    ADDS_UP = ("outcomes",)

    def __init__(self, options: Options):
        self.options = options
        self.rules, self.lexicon = options.open()
        self.counts = None if options.frequencies is None else read_frequencies(options.frequencies)

    def close(self):
        """Nothing is held open."""

    def signature(self) -> str:
        """Language, mode, and the digest of the lexicon's file (the class of a lexicon of one's own)."""
        lexicon = self.lexicon
        digest = lexicon.signature() if hasattr(lexicon, "signature") else type(lexicon).__name__
        return f"{self._settings()}|lexicon:{digest}"

    def _settings(self) -> str:
        return self.options.signature() + (STRICT if self.options.strict else "")

    def score(self, predictions: list[list[str]], references: list[dict]) -> dict:
        """The result of `compute` for groups of translations and their references."""
        return self.combine(*self._judged(predictions, references), self.options)

    def sample(self, predictions: list[list[str]], references: list[dict]) -> Outcomes:
        """The groups, as what counts of them adds up."""
        return Outcomes(self._judged(predictions, references)[1]["outcomes"], self.options.strict)

    @staticmethod
    def combine(known: dict, lists: dict, options) -> dict:
        """The result, from counts and the signature, and from the lists of its details."""
        strict = STRICT in known["signature"]
        groups = Outcomes(lists["outcomes"], strict)
        result = groups.suite_scores(options.confidence) | band_scores(_bands(lists, strict))
        result |= {"empty_predictions": known["empty_predictions"]} if known.get("empty_predictions") else {}
        return result | (lists if options.details else {})

    def _judged(self, predictions: list[list[str]], references: list[dict]) -> tuple[dict, dict]:
        """Counts, and lists of what is said of each group."""
        if not references:
            raise input_error("", "no groups", "at least one group")
        warn_about_sources(references)
        n_empty = warn_about_empty(predictions)
        warn_about_copies(predictions, references)
        warn_about_order(predictions, references)
        lists: defaultdict[str, list] = defaultdict(list)
        for reference, sentences, judgements in judge(self.rules, self.lexicon, predictions, references):
            lists["outcomes"].append({name: list(judgement.outcomes) for name, judgement in judgements.items()})
            if self.counts is not None:
                lists["source_frequencies"].append(_source_frequencies(reference, self.counts))
            if self.options.details:
                entry = explain(sentences, judgements, reference["direction"], self.rules.describe)
                for key in DETAILS:
                    lists[key].append(entry[key])
        return {"empty_predictions": n_empty, "signature": self._settings()}, dict(lists)


def _source_frequencies(reference: dict, counts: Counter) -> list[float]:
    """Of the source word that a test A or B turns on, in base and variant; tests on one side take the latter."""
    if TESTS[reference["test"]][0].family == "C":
        return []
    base, variant = reference["sources"] if reference["direction"] == "added" else reference["sources"][::-1]
    return [source_frequency(variant, base, counts), source_frequency(base, variant, counts)]


def _bands(lists: dict, strict: bool) -> dict[str, list[tuple]]:
    """{test: (frequency, outcome) of each translation}, where frequencies are known."""
    known: defaultdict[str, list[tuple]] = defaultdict(list)
    for frequencies, outcomes in zip(lists.get("source_frequencies", ()), lists["outcomes"], strict=False):
        for name, values in outcomes.items() if frequencies else ():
            counted = strictly(name, values) if strict else values
            known[name].extend(zip(frequencies[-len(values) :], counted, strict=True))
    return known


def judge(
    rules: Rules, lexicon: Lexicon, predictions: list[list[str]], references: list[dict]
) -> Iterator[tuple[dict, list, dict[str, Judgement]]]:
    """For each group its reference, its analysed sentences and {name: judgement} of its tests."""
    counted: Counter = Counter()
    for start in range(0, len(predictions), CHUNK):
        groups = predictions[start : start + CHUNK]
        chunk = references[start : start + CHUNK]
        sources = chain.from_iterable(reference["sources"] for reference in chunk)
        sentences = iter(rules.analyse(list(chain.from_iterable(groups)), lexicon, sources))
        for group, reference in zip(groups, chunk, strict=True):
            analysed = [next(sentences) for _ in group]
            if group != reference["sources"]:  # a copied source fails, and is no other language's translation
                counted += Counter(word.unknown for words in analysed for word in words if word.form[0].isalpha())
            if reference["direction"] == "removed":
                analysed.reverse()  # what the variant lost is what the base has and the variant not
            yield reference, analysed, judge_together(TESTS[reference["test"]], analysed, rules.finders)
    warn_about_language(counted[True], counted.total())
