"""ParaPLUIE: is H a paraphrase of S? The log-likelihood ratio of "yes" and "no" under a language model.

This file declares the metric and puts the result together. The work is in the modules beside it: `templates` (the
papers' prompts), `checks` and `chat_options` (input and options), `run` and `asking` (one call's work with a model),
`chat_llm` (models: prompts, scores, generation), `served` (models behind an address), `score_store` (results on disk),
`meta_evaluation` and `bootstrap` (how well any scores tell paraphrases from others), `hub` (whether it answers) and
`values` (kinds of values, and how errors show them).
"""

from contextlib import closing
from inspect import signature
from math import nan
from statistics import fmean

import datasets
import evaluate
from rapidfuzz.distance import Levenshtein

from .asking import Chat
from .bootstrap import bootstrap_draws
from .chat_llm import ChatLLM
from .chat_options import dtype_name
from .checks import (
    check_as_many,
    check_model_options,
    check_options,
    checked_explanations,
    checked_sides,
    checked_texts,
)
from .hub import find
from .meta_evaluation import meta_evaluate
from .run import Run, results
from .score_store import ScoreStore
from .served import ServedLLM
from .templates import GENERATORS, METRIC, paraphrase_in, resolve
from .values import check_choices, named

_DESCRIPTION = """\
ParaPLUIE asks a chat model whether a candidate paraphrase means the same as its source, and takes the log-likelihood
ratio of "yes" and "no" as the score: positive for a paraphrase, negative for none, in one forward pass per pair. It
depends far less on edit distance than lexical and embedding metrics do.
"""

_CITATION = """\
@inproceedings{lemesle-etal-2025-paraphrase,
  title = {Paraphrase Generation Evaluation Powered by an {LLM}: A Semantic Metric, Not a Lexical One},
  author = {Lemesle, Quentin and Chevelu, Jonathan and Martin, Philippe and Lolive, Damien and Delhay, Arnaud and
    Barbot, Nelly},
  booktitle = {Proceedings of the 31st International Conference on Computational Linguistics},
  year = {2025}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: the candidate paraphrases H, strings.
    references: the source sentences S, strings, as many.
    model_id: a chat model on the Hub or in a folder.
    template: "direct", "indirect", "exact" or "fs_direct" (the papers'), or a list of chat messages with {source} and
        {hypothesis} in them; {explanation} alone in an assistant's turn stands for the model's own answer up to there.
    answers: the two words whose likelihoods are compared.
    explanations: for templates with an explanation, one text per pair to use instead of generating it.
    model, tokenizer: live objects instead of model_id.
    revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
    threshold: a pair above it counts as a paraphrase.
    classify: True also asks for the generated answer: a pair is a paraphrase if its first word is the first answer.
    details: True adds lists, one value per pair.
    batch_size: pairs in one forward pass (requests at once, for an endpoint), or "auto".
    max_new_tokens: the longest explanation, in tokens.
    resume: path of a file that keeps every result as it is made; a run that was interrupted goes on from it.
    distributed: True under "accelerate launch": each process scores a share, all get the whole result.
    endpoint: address of a served model (OpenAI-compatible chat protocol), asked for model_id.

Returns:
    score: mean over the pairs of log p(yes) - log p(no), in nats; paraphrase_rate: share of pairs above the threshold.
    With classify: classified_rate, the share of pairs whose generated answer begins with the first answer.
    With details: scores, edit_distances (characters, over the longer length), edit_distance_correlation (Pearson, of
    the two; NaN for fewer than two pairs or no spread), and, where they exist, explanations and classes (True for a
    paraphrase).
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Parapluie(evaluate.Metric):
    """Scores pairs of a source sentence and a candidate paraphrase with a chat model."""

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add pairs: lists of candidate paraphrases and of source sentences, of the same length."""
        predictions, references = checked_sides(predictions, references)
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one pair: a candidate paraphrase and its source sentence."""
        checked_sides([prediction], [reference])
        super().add(prediction=prediction, reference=reference, **kwargs)

    def compute(self, *, predictions=None, references=None, **options):
        """Score the given pairs, or those added before; options as in the card.

        They are checked before anything is consumed, so that a wrong one loses none of the pairs added; but whether
        there are as many explanations as pairs is seen only with the pairs.
        """
        given = signature(self._compute).bind([], [], **options)
        given.apply_defaults()
        check_options(**given.kwargs)
        if given.kwargs["explanations"] is not None:
            options["explanations"] = checked_explanations(
                given.kwargs["explanations"], resolve(given.kwargs["template"])
            )
        if predictions is None and references is None and getattr(self, "writer", None) is None:
            raise ValueError(f"{METRIC}: found no pairs, expected some here or added before")
        return super().compute(predictions=predictions, references=references, **options)

    def _compute(
        self,
        predictions,
        references,
        *,
        model_id: str = "mistralai/Mistral-7B-Instruct-v0.2",
        template="fs_direct",
        answers=("yes", "no"),
        explanations: list[str] | None = None,
        model=None,
        tokenizer=None,
        revision: str | None = None,
        dtype: str = "auto",
        device: str = "auto",
        threshold: float = 0.0,
        classify: bool = False,
        details: bool = False,
        batch_size="auto",
        max_new_tokens: int = 256,
        resume: str | None = None,
        distributed: bool = False,
        endpoint: str | None = None,
    ) -> dict:
        messages = resolve(template)
        check_as_many(explanations, references)
        if not references:
            raise ValueError(f"{METRIC}: found no pairs, expected at least one")
        fields = [{"source": s, "hypothesis": h} for s, h in zip(references, predictions)]
        options = _run_options(locals())
        with named(METRIC), closing(Run(**options)) as run:
            found = results(run, messages, tuple(answers), fields, explanations, classify, max_new_tokens)

        scores = found["score"]
        result = {"score": fmean(scores), "paraphrase_rate": fmean(score > threshold for score in scores)}
        if classify:
            result["classified_rate"] = fmean(found["class"])
        if details:
            distances = [Levenshtein.normalized_distance(s, h) for s, h in zip(references, predictions)]
            result["scores"] = scores
            result["edit_distances"] = distances
            result["edit_distance_correlation"] = _pearson(scores, distances)
            for name, plural in (("explanation", "explanations"), ("class", "classes")):
                if name in found:
                    result[plural] = found[name]
        return result

    def generate_paraphrases(
        self,
        sentences: list[str],
        style: str = "naive",
        *,
        model_id: str = "mistralai/Mistral-7B-Instruct-v0.2",
        model=None,
        tokenizer=None,
        revision: str | None = None,
        dtype: str = "auto",
        device: str = "auto",
        batch_size="auto",
        max_new_tokens: int = 256,
        resume: str | None = None,
        distributed: bool = False,
        endpoint: str | None = None,
    ) -> list[str]:
        """Candidate paraphrases by a chat model, as those of the third data set were made (ACL paper, appendix A.1).

        Decoding is greedy; the paper does not say what its own was.

        Args:
            sentences: source sentences, strings.
            style: a prompt of `templates.GENERATORS`: "naive" and "vulgar" (the paper's for Mistral), "naive_system"
                (its for Llama 2, with a system message).
            model_id and the other options: as for `compute`.

        Returns:
            One string per sentence: the first line of the model's answer, without "B:" and quotation marks. It may be
            empty.

        Raises:
            ValueError: a sentence is no text, an option is wrong, or a prompt is too long for the model.
        """
        sentences = checked_texts("sentences", sentences)
        if not sentences:
            raise ValueError(f"{METRIC}: sentences: found none, expected at least one")
        options = _run_options(locals())
        with named(METRIC):
            check_choices(GENERATORS, style=style)
        check_model_options(**options, max_new_tokens=max_new_tokens)
        fields = [{"source": text} for text in sentences]
        with named(METRIC), closing(Run(**options)) as run:
            answers = run.texts("paraphrase", GENERATORS[style], fields, "sentence {}".format, max_new_tokens)
        return [paraphrase_in(answer) for answer in answers]

    def meta_evaluate(
        self,
        scores,
        labels,
        distances=None,
        *,
        threshold: float | None = 0.0,
        lower_is_better: bool = False,
        confidence: float = 0.95,
        resamples: int = 1000,
        seed: int = 0,
        details: bool = False,
    ) -> dict:
        """How well scores, of this or any other metric, tell paraphrases from other pairs (ACL paper, section 5).

        Args:
            scores: n numbers, one per pair.
            labels: n times 1 (or True) for a paraphrase, 0 for none; both must occur.
            distances: n edit distances, or whatever the scores should not depend on.
            threshold: the natural threshold, above which a pair counts as a paraphrase; None where there is none.
            lower_is_better: True for distances such as LEV.: a pair below a threshold counts as a paraphrase.
            confidence: of the intervals.
            resamples: draws of the bootstrap; 0 leaves the intervals out. Paraphrases and other pairs are drawn apart,
                so that every draw has the data's share of paraphrases.
            seed: of the bootstrap.
            details: True adds lists with one value per threshold.

        Returns:
            A flat dict. Counts: pairs, paraphrases. For the two classes, paraphrase and non_paraphrase: <class>_mean,
            <class>_std (of the population). At the threshold with the best accuracy (the strictest, of several):
            best_accuracy_threshold, best_accuracy, best_accuracy_f1, best_accuracy_recall, best_accuracy_precision; at
            that with the best F1: best_f1_threshold, best_f1_accuracy, best_f1, best_f1_recall, best_f1_precision; at
            the natural one: natural_accuracy, natural_f1, natural_recall, natural_precision. The equal error rate and
            the threshold where it is reached: eer, eer_threshold. With distances, Pearson's correlation with the
            scores: edit_distance_correlation for all pairs, <class>_edit_distance_correlation inside a class; NaN
            without spread. For each of these figures <figure>_low and <figure>_high, the ends of its percentile
            bootstrap interval; NaN where a class has only one pair. The best rates are chosen on the same pairs: they
            and their intervals lie too high.
            With details: thresholds (from the one that accepts no pair to the one that accepts all), accepted (how
            many pairs), accuracies, f1s, recalls, precisions, false_acceptance_rates, false_rejection_rates.

        Raises:
            ValueError: lengths differ; a number is not finite; a label is neither 0 nor 1, or all are the same; an
                option is out of its range.
        """
        return meta_evaluate(
            scores, labels, distances, threshold, lower_is_better, confidence, resamples, seed, details
        )  # fmt: skip


def _run_options(arguments: dict) -> dict:
    """Those of a method's arguments that say what runs the model."""
    return {name: arguments[name] for name in signature(Run).parameters}


def _pearson(scores, distances):
    if len(scores) < 2 or min(scores) == max(scores) or min(distances) == max(distances):
        return nan
    from scipy.stats import pearsonr

    return float(pearsonr(scores, distances).statistic)
