"""From options and groups to the result of `compute`, and two systems compared."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from .check_input import check_references, check_translations, warn_about_empty, warn_about_same_sources
from .common import CheckedOptions, a_boolean, at_least, keyword_options, one_of, option
from .contrastive_tests import TESTS, Judgement, judge_together
from .frequencies import check_frequencies, read_frequencies, source_frequency
from .intervals import band_scores, compare_scores, suite_scores
from .language_french import FRENCH
from .language_spanish import SPANISH
from .lexicon_lefff import Lexicon, load
from .limsi import LIMSI
from .show_reasons import explain
from .verdicts import Rules

LANGUAGES = {"fr": FRENCH, "es": SPANISH}
MODES = {"default": LANGUAGES, "limsi": {"fr": LIMSI}}  # the published script is for French
DETAILS = ("verdicts", "reasons", "words", "themes", "tokens")
CHUNK = 10_000  # groups whose sentences are held as words at once


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CheckedOptions):
    """How translations are judged."""

    language: str = option("fr", one_of(LANGUAGES))
    lexicon: str | Path | Lexicon | None = option(None, affects_score=False)  # in the signature by its digest
    mode: str = option("default", one_of(MODES))

    def check_together(self) -> None:
        if self.language not in MODES[self.mode]:
            known = ", ".join(map(repr, MODES[self.mode]))
            raise ValueError(f"language: found {self.language!r} with mode={self.mode!r}, expected {known}")

    def open(self) -> tuple[Rules, Lexicon]:
        """The rules of the mode for the language, and the lexicon."""
        rules = MODES[self.mode][self.language]
        return rules, load(self.lexicon, rules.default_lexicon)


@dataclass(frozen=True, kw_only=True)
class Options(JudgeOptions):
    """Options of `compute`."""

    frequencies: dict | str | Path | None = option(None, check_frequencies, affects_score=False)
    details: bool = option(False, a_boolean, affects_score=False)


@dataclass(frozen=True, kw_only=True)
class CompareOptions(JudgeOptions):
    """Options of `compare`."""

    n_resamples: int = option(9999, at_least(1))
    seed: int = option(0, at_least(0))


class Scorer:
    """The rules of a language with a lexicon, and counts of English words if they are asked for."""

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
        return f"{self.options.signature()}|lexicon:{digest}"

    def score(self, predictions: list[list[str]], references: list[dict]) -> dict:
        """The result of `compute` for groups of translations and their references."""
        if not references:
            raise ValueError("found no groups, expected some")
        warn_about_same_sources(references)
        n_empty = warn_about_empty(predictions)
        outcomes, bands, explained = defaultdict(list), defaultdict(list), []
        for reference, sentences, judgements in judge(self.rules, self.lexicon, predictions, references):
            known = self._source_frequencies(reference)
            for name, judgement in judgements.items():
                outcomes[name].append(judgement.outcomes)
                if known:
                    bands[name].extend(zip(known[-len(judgement.outcomes) :], judgement.outcomes))
            if self.options.details:
                explained.append(explain(sentences, judgements, reference["direction"], self.rules.describe))
        result = suite_scores(outcomes) | band_scores(bands)
        if n_empty:
            result["empty_predictions"] = n_empty
        if self.options.details:
            result |= {key: [entry[key] for entry in explained] for key in DETAILS}
        return result

    def _source_frequencies(self, reference: dict) -> tuple[float, ...]:
        """Of the source word that a test A or B turns on, in base and variant; tests on one side take the latter."""
        if self.counts is None or TESTS[reference["test"]][0].family == "C":
            return ()
        base, variant = reference["sources"] if reference["direction"] == "added" else reference["sources"][::-1]
        return source_frequency(variant, base, self.counts), source_frequency(base, variant, self.counts)


def judge(
    rules: Rules, lexicon: Lexicon, predictions: list[list[str]], references: list[dict]
) -> Iterator[tuple[dict, list, dict[str, Judgement]]]:
    """For each group its reference, its analysed sentences and {name: judgement} of its tests."""
    for start in range(0, len(predictions), CHUNK):
        groups = predictions[start : start + CHUNK]
        sentences = iter(rules.analyse(list(chain.from_iterable(groups)), lexicon))
        for group, reference in zip(groups, references[start : start + CHUNK]):
            analysed = [next(sentences) for _ in group]
            if reference["direction"] == "removed":
                analysed.reverse()  # what the variant lost is what the base has and the variant not
            yield reference, analysed, judge_together(TESTS[reference["test"]], analysed, rules.finders)


@keyword_options
def compare(predictions_a: list, predictions_b: list, references: list, options: CompareOptions) -> dict:
    """Is the difference between two systems more than chance? Paired bootstrap over the groups of each test.

    Args:
        predictions_a: the first system's translations, in the form that `compute` takes.
        predictions_b: the second system's, of the same sentences.
        references: as for `compute`.
        language, lexicon, mode: as for `compute`.
        n_resamples: number of draws.
        seed: of the draws.

    Returns:
        For every test <test>_a, <test>_b, <test>_difference (a - b), <test>_low and <test>_high (its 95 %
        interval), <test>_p_value (two-sided: twice the share of draws on the other side of 0). NaN where a system
        has nothing judged, and interval and p-value of a test with one group.

    Raises:
        ValueError: a wrong option, no lexicon, or groups that are not in the form that `compute` takes.
    """
    (rules, lexicon), systems, references = options.open(), [], check_references(references)
    for name, predictions in (("predictions_a", predictions_a), ("predictions_b", predictions_b)):
        groups, outcomes = check_translations(predictions, references, name=name), defaultdict(list)
        warn_about_empty(groups)
        for _, _, judgements in judge(rules, lexicon, groups, references):
            for test, judgement in judgements.items():
                outcomes[test].append(judgement.outcomes)
        systems.append(outcomes)
    return compare_scores(*systems, options.n_resamples, options.seed)
