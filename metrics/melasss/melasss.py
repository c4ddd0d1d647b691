"""MeLaSSS: does a summary carry its text's information? Sentences compared in the latent space of an encoder.

This file declares the metric; the work is in the modules beside it:

scoring, similarities   options and the way from examples to a result; what each similarity gives (equations 1 to 3)
text_*                  input and pairs, sentences, languages, evidence (numbers, names, negations)
terms_*                 the default similarity: a pair, the table of terms, their weights, the regression
learn_*                 fitting and loading heads, those of the paper that are learned, agreement with ratings
show_doubts             what speaks against a sentence of a summary, for pages and demos
encoder, rewriting      vectors, kept; simpler sentences by a chat model
common*                 what all metrics share
"""

import datasets
import evaluate

from .common import progress
from .common_bert import Bert
from .common_comparison import ComparedMetric
from .common_hub import find
from .common_judge import ask
from .common_llm import ChatModel
from .common_minilm import MINILM
from .common_prompts import Prompts
from .common_statistics import Sample
from .common_thinking import ThinkingTemplate
from .common_turns import ChatTemplate
from .encoder import DEFAULT

# evaluate takes along only the modules that this file imports, used here or not.
from .learn_agreement import agreement
from .learn_fit import fit, from_pretrained
from .learn_heads import head_classes
from .rewriting import rewrite_all
from .scoring import Options, Scorer, check_examples
from .show_doubts import doubts
from .similarities import weighted_match
from .terms_pair import Pair
from .terms_regression import Regression
from .terms_table import TERMS
from .terms_weights import RELEVANCE
from .text_evidence import numbers
from .text_languages import language_of
from .text_pairs import encode_pairs
from .text_sentences import split

_DESCRIPTION = """\
MeLaSSS (metric in the latent space on simplified sentences) compares a summary with the text it summarises, without
reference summaries: an encoder turns the sentences of both into vectors, and a similarity of the two sets is the score.
Three similarities are those of the paper (Herserant, Luiggi, Soulier and Guigue 2024); the default is a regression on
features of the same vectors, fitted on expert ratings, the only one that generalises to unseen articles.
"""

_CITATION = """\
@inproceedings{herserant-etal-2024-melasss,
  author = {Herserant, Tanguy and Luiggi, Tristan and Soulier, Laure and Guigue, Vincent},
  title = {{MeLaSSS} : M{\\'e}trique dans l'espace latent sur les phrases simplifi{\\'e}es},
  booktitle = {Atelier sur l'{\\'e}valuation des mod{\\`e}les g{\\'e}n{\\'e}ratifs (LLM) et challenge d'extraction
    d'information few-shot},
  address = {Toulouse, France},
  year = {2024},
  url = {https://hal.science/hal-04678042}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: the summaries: strings, or lists of sentences. A list of one string is a text as the string is: it is
        split into sentences. An empty summary, or one without a word, gets the score 0; no model is asked.
    references: the texts they summarise, the same number, of the same forms; none may be empty.
    similarity: "regression" (default), "rouge", "attention", "transformer" (the paper's equations 1 to 3), or "llm", a
        chat model asked whether the summary is good.
    aspect: "relevance" (default) or "consistency", what the default regression estimates.
    encoder: an encoder on the Hub or in a folder. Default: the head's, else sentence-transformers/all-MiniLM-L6-v2.
    pooling: "mean" of an encoder's tokens or "cls", its first one. Default: the head's, else what the encoder's
        1_Pooling/config.json says, else "mean".
    head: what fit() returned, a folder or a repository it was saved to. "attention" and "transformer" need one;
        "regression" has its own, fitted on relevance, for the default encoder.
    rewrite: None, "simplify" or "relations": a chat model first rewrites the sentences of both sides.
    rewrite_unit: "sentence" (default), or "document", as in the paper: the model is asked about a whole text at once,
        so that pronouns can be resolved across sentences; each sentence is still checked by itself.
    model_id: the chat model for rewrite and "llm", on the Hub or in a folder.
    model, tokenizer: live objects instead of model_id.
    revision, encoder_revision: commits, tags or branches of model_id and of encoder.
    dtype, device: how to load; "auto" is the chat model's own dtype, and a GPU where there is one.
    batch_size: prompts of the chat model in one forward pass, or "auto".
    max_new_tokens: the longest rewriting, in tokens. Default: 256 of a sentence, 2048 of a document.
    judge: what to ask instead of a chat model here: evaluate.load("parapluie").judge(endpoint=..., resume=...,
        think=...) gives one that is served, keeps its answers, or thinks first.
    threshold: a sentence whose best cosine is lower is listed as uncovered or unsupported (details).
    details: True adds lists, one value per example.
    confidence: such as 0.95; adds <key>_low and <key>_high, a percentile bootstrap interval over the examples.
    n_resamples, seed: number of draws, and where they begin.

Returns:
    score, and the same as melasss: mean over the examples, in 0..1 ("rouge" and "attention": a weighted mean of
    cosines, in -1..1).
    With rewrite: rewritten and not_rewritten, numbers of distinct sentences.
    empty_predictions, their number, if there are any; headings, of summaries without what was said around them, such as
    "Here is a summary:"; out_of_range, of examples much longer than the head was fitted on ("regression");
    language_neutral, of those whose text is neither in English nor in French ("regression").
    With details: scores; text_sentences and summary_sentences; similarities (cosines, a row for each sentence of the
    text); text_matches and summary_matches (for each sentence the index of the nearest one on the other side);
    uncovered and unsupported (indices of sentences of the text and of the summary that have none near); weights of
    the text's sentences ("rouge", "attention"); contributions, in log-odds ("regression"); evidence, for each sentence
    of the summary {"sources": the nearest sentences of the text, "numbers", "names", "dates": those that the text
    lacks, "negations": how many it does not make}; with rewrite, rewritings (of each that was asked about the
    sentences, what checks they failed, the output) and fallbacks, the sentences that failed, with the reasons;
    signature, as of metric.signature(). "llm" has
    scores and signature only. For an empty summary text_sentences and uncovered have all sentences of the text (which
    are not rewritten), similarities an empty row for each, and the rest is empty.
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Melasss(ComparedMetric, evaluate.Metric):
    """Scores summaries against the texts they summarise."""

    METRIC, UNIT = "melasss", "examples"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_examples)
    fit = staticmethod(fit)
    from_pretrained = staticmethod(from_pretrained)
    agreement = staticmethod(agreement)
    split = staticmethod(split)

    def _info(self):
        kinds = (datasets.Value("string"), datasets.Sequence(datasets.Value("string")))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[datasets.Features({"predictions": p, "references": r}) for p in kinds for r in kinds],
        )
