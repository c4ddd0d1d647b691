"""Coreference scoring: MUC, B3, CEAF, BLANC, LEA, and the paper's kappa, core classes, exclusive cores and entropy.

This file declares the metric. The modules beside it, by the families of their names:

scoring             options of `compute`, Scorer, compute_typed: from documents to a result
check_input         what a user may hand in, brought into one form
measures            from a table to counts to scores: every measure of the card, one row each
measure_*           `table` (two partitions crossed), `files` (words and zeros), `pronouns`, `repeats`,
                    `agreement` (of annotators)
score_files         options and presets of files, from two paths to scores
read_formats        the table of formats, and one file alone
read_*              a format each: `conll`, `corefud`, `ua`, `json`, `brat`, `webanno`, `books` (BookNLP,
                    LitBank), `brackets`, `corenlp`, `spacy`, `rows` (of data sets), `spans` (characters, words of
                    a sentence, subtokens; `text` is what they share);
                    `pairs`: two files read, cleaned, matched, and what is said of odd ones
documents           what a file says: words, mentions, and the names of mentions
match_*             what is the same on both sides: `documents`, `words` (one text), `tokens` and `carried`
                    (words that differ), `repeats`, `mentions`, `boundaries`; `classes` is CEAF's alignment
show_*              `errors` (details), `marks` and `page` (drawn), `report` (written), `conventions`
                    (another tool's number)
link_mentions       a judge's response, such as a chat model's
common*             what all metrics share: the way from compute to a score, options, errors; statistics
                    (intervals), comparison (of systems; parts combined), page (its frame), templates (fields in
                    messages)
"""

import datasets
import evaluate

# evaluate takes along only the modules that this file imports, used here or not.
from .check_input import check_documents
from .common import warn
from .common_comparison import ComparedMetric
from .common_files import numbered_lines
from .common_page import STYLE
from .common_statistics import Sample
from .common_templates import fields_of
from .common_write import write_file
from .documents import partitions
from .link_mentions import link_mentions
from .match_boundaries import boundary_pairs
from .match_carried import carry
from .match_classes import max_weight_matching
from .match_documents import pair_documents
from .match_mentions import match_mentions
from .match_repeats import drop_repeats
from .match_tokens import link_tokens
from .match_words import align
from .measure_agreement import agreement
from .measure_files import FILE_MEASURES
from .measure_pronouns import pronoun_resolution
from .measure_repeats import measured_with_copies
from .measure_table import contingency
from .measures import MEASURES
from .read_books import litbank_documents
from .read_brackets import bracket_documents
from .read_brat import brat_documents
from .read_conll import conll_documents
from .read_corefud import corefud_documents
from .read_corenlp import corenlp_xml_documents
from .read_formats import read_conll, read_corefud, read_jsonlines, read_words
from .read_json import json_documents
from .read_pairs import read_pairs
from .read_rows import dataset_documents
from .read_spacy import docbin_documents
from .read_spans import text_document
from .read_text import is_token
from .read_ua import ua_documents
from .read_webanno import webanno_documents
from .score_files import read_pair, score_files
from .scoring import Options, Scorer, compute_typed
from .show_conventions import explain_score
from .show_errors import diagnose
from .show_marks import view_of
from .show_page import legend
from .show_report import report

_DESCRIPTION = """\
Scores coreference resolution: how well a response's clusters of mentions agree with the key's. One contingency table
per document gives MUC, B3, CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL F1, as well as Popescu-Belis's
core classes, exclusive cores, size overlap, D-error, entropy measure and Passonneau's kappa.
"""

_CITATION = """\
@article{popescu-belis-1999-evaluation,
  author = {Popescu-Belis, Andrei},
  title = {{\\'E}valuation num{\\'e}rique de la r{\\'e}solution de la r{\\'e}f{\\'e}rence : critiques et propositions},
  journal = {Traitement automatique des langues},
  volume = {40},
  number = {2},
  year = {1999}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: the responses, one document each: a list of clusters, each a list of mentions. A mention is a string,
        an integer or a [start, end] pair, the same kind in the whole document, key and response.
    references: the keys, in the same form and order.
    measures: names of measures, or one name, of muc, b3, ceafm, ceafe, blanc, lea, mention, conll_f1, core,
        exclusive_core, entropy, kappa, size_overlap, d_error. Default: all.
    mentions: "raw" keeps each side's own mentions (the CoNLL scorer's way), "union" first gives each side the
        other's as singletons, "strict" makes different mentions an error. The paper's measures (core to d_error) are
        always computed as with "union".
    zero_division: value of 0/0 in the CoNLL family: 0.0, 1.0 or NaN.
    average: "micro" adds up numerators and denominators over documents, "macro" is the mean of the documents'
        scores.
    keep_singletons: False removes each side's singletons before scoring.
    subset: for each document the mentions to score; both sides are restricted to them.
    baselines: True adds the scores of three trivial responses, under the prefixes no_resolution_, one_class_, random_.
    confidence: such as 0.95; adds <key>_low and <key>_high, a percentile bootstrap interval over documents.
    n_resamples: number of bootstrap draws.
    seed: for the bootstrap and the random baseline.
    details: True adds "documents": for each its scores, its counts, CEAF's alignments and the errors; "totals";
        "signature".

Returns:
    A flat dict of floats in this order: <measure>_recall, <measure>_precision and <measure>_f1 for muc, b3, ceafm,
    ceafe, blanc, lea and mention; conll_f1; the three of core, exclusive_core and entropy; kappa (NaN when
    undefined); size_overlap; d_error (positive: mentions in too small classes, a recall error; negative: too large).

Example:
    >>> import evaluate
    >>> metric = evaluate.load("metrics/muc_b3_ceaf_entropy")
    >>> key = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
    >>> response = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
    >>> result = metric.compute(predictions=[response], references=[key])
    >>> round(result["entropy_f1"], 2)
    0.44
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class MucB3CeafEntropy(ComparedMetric, evaluate.Metric):
    """Compares responses' clusters of mentions with the keys'."""

    METRIC, UNIT = "muc_b3_ceaf_entropy", "documents"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_documents)
    agreement = staticmethod(agreement)
    compute_typed = staticmethod(compute_typed)
    explain_score = staticmethod(explain_score)
    link_mentions = staticmethod(link_mentions)
    pronoun_resolution = staticmethod(pronoun_resolution)
    read_conll = staticmethod(read_conll)
    read_corefud = staticmethod(read_corefud)
    read_jsonlines = staticmethod(read_jsonlines)
    read_pair = staticmethod(read_pair)
    read_words = staticmethod(read_words)
    report = staticmethod(report)
    score_files = staticmethod(score_files)

    def _info(self):
        document = datasets.Sequence(datasets.Sequence(datasets.Value("string")))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": document, "references": document}),
        )
