"""ParaPLUIE: is H a paraphrase of S? The log-likelihood ratio of "yes" and "no" under a language model.

This file declares the metric. The modules beside it:
  scoring            options, Scorer, the formula (equation 1); `generate_paraphrases`
  templates          the papers' prompts, the user's own, answers
  judges             which judge the options ask for; `judge(...)` for other metrics
  judge_*            the judges: local (models of every kind here), thinking, vllm, pairs (classifiers; the small
                     judge's weights in judge_delta), served (what a server takes in judge_served_requests, what it
                     answers in judge_served_answers, its pages and failures in judge_served_http); and kept, around
                     any of them (answers on disk, questions shared by processes)
  meta_evaluation    how well any scores tell paraphrases from other pairs
  calibration        what scores are worth once some pairs are labelled
  grades             numbers in place of yes and no: their expectation
  agreement          how far several judges agree
  sensitivity        how far they depend on wording and order
  show_differences   the words in which two texts differ, for pages and demos
  common*            what metrics share: common (the way from compute to a score), common_judge (what a judge is),
                     common_llm (one forward pass), common_prompts (token ids), common_turns and common_thinking (what
                     chat templates write), common_hub (files), common_minilm and common_bert (the small judge's
                     encoder), common_statistics (intervals), common_comparison, common_templates (fields in messages)
"""

import datasets
import evaluate

# evaluate takes along only the modules that this file imports, used here or not.
from .agreement import agreement
from .calibration import calibrate, corrected_rate
from .common import warn
from .common_bert import Bert
from .common_comparison import ComparedMetric
from .common_hub import find
from .common_judge import ask
from .common_llm import ChatModel
from .common_minilm import MINILM
from .common_prompts import Prompts
from .common_statistics import Sample
from .common_templates import fields_of
from .common_thinking import ThinkingTemplate
from .common_turns import ChatTemplate
from .common_write import write_file
from .grades import Grades
from .judge_delta import PairBert
from .judge_kept import Kept
from .judge_local import LocalModel
from .judge_pairs import PairJudge
from .judge_served import ServedModel
from .judge_served_answers import Choice
from .judge_served_http import Server
from .judge_served_requests import Manner
from .judge_thinking import ThinkingModel
from .judge_vllm import VLLM
from .judges import judge
from .meta_evaluation import meta_evaluate
from .scoring import Options, Scorer, check_pairs, generate_paraphrases
from .sensitivity import sensitivity
from .show_differences import differences
from .templates import TEMPLATES

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
    references: the source sentences S, strings, the same number.
    model_id: a chat model on the Hub or in a folder, an adapter of one, or a .gguf file; or a classifier of pairs,
        which needs no prompt, such as "small", the one that comes with the metric. Default: the papers',
        mistralai/Mistral-7B-Instruct-v0.2, for `compute`; "small" after evaluate.load(..., "small"), for the package's
        functions and in the shell, unless a server or a judge is asked.
    template: "direct", "indirect", "exact" or "fs_direct" (the papers'), or with _fr behind it, in French; or a list of
        chat messages with {source} and {hypothesis} in them; {explanation} alone in an assistant's turn stands for the
        model's own answer up to there. For a model without a chat template, one string of plain text.
    answers: the two words whose likelihoods are compared; each may be a tuple of variants, whose probabilities are
        added. Default: the template's own, (("yes", "Yes"), ("no", "No")) or (("oui", "Oui"), ("non", "Non"));
        ("yes", "no") is the papers' definition.
    grades: in place of two answers, numbers such as (1, 2, 3, 4, 5), or labels with numbers such as {"poor": 1,
        "good": 2}; a score is their expectation over the answers' probabilities. template= has to ask for them.
    explanations: for templates with an explanation, one text per pair to use instead of generating it.
    model, tokenizer: live objects instead of model_id.
    revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
    both_orders: True judges each pair in both orders, at twice the cost: its log-likelihoods and mass are the means.
        Default: True for classifiers of pairs, False for chat models.
    minimum_mass: a probability; pairs whose answers together have less are counted as low_mass_pairs, and where these
        are more than half of the first 64 pairs, that is an error.
    threshold: a pair above it counts as a paraphrase. Of grades the middle, unless another one between them is given.
    classify: True also asks for the generated answer: a pair is a paraphrase if it begins with the first answer.
    details: True adds lists, one value per pair.
    confidence: such as 0.95; adds <key>_low and <key>_high: Wilson's interval of a rate, of other scores that of a
        percentile bootstrap over the pairs.
    n_resamples, seed: number of draws, and where they begin.
    batch_size: pairs in one forward pass (requests at once, for an endpoint), or "auto".
    max_new_tokens: the longest explanation, in tokens.
    resume: path of a file that keeps every result as it is made; a run that was interrupted goes on from it.
    distributed: True under "accelerate launch": each process scores a share, all get the whole result.
    chat_template_kwargs: arguments of the chat template. Thinking is switched off where it has a switch.
    think: how many tokens the model may think before it answers; scores are taken after its thinking.
    endpoint: address of a served model (OpenAI-compatible chat protocol), asked for model_id.
    timeout: seconds to wait for a server that starts: it refuses connections, or says that it is not ready.
    request: fields that every request to the server has besides; None takes one away.
    judge: an object to ask instead of a model: metric.VLLM(...), metric.judge(...), or your own (see `common_judge`).

Returns:
    score, and the same as parapluie: mean over the pairs of log p(yes) - log p(no), in nats.
    paraphrase_rate: share of pairs above the threshold.
    answer_mass: mean of p(yes) + p(no); where it is low, the model would rather say something else.
    too_close_rate, for a judge that has a band (the small one): share of pairs with a score so near the threshold that
        the verdict is as good as open.
    With both orders: order_agreement, the share of pairs with the same verdict in both.
    With classify: classified_rate, the share of pairs whose generated answer begins with the first answer.
    empty_predictions, their number, if there are any.
    unread_pairs: how many have a text that the judge cannot read (the small one: other languages, emoji), if any.
    bounded_scores: how many may be off by more than .001, because a server does not tell how unlikely an answer or a
        variant of it is, if there are any.
    low_mass_pairs: how many have less than minimum_mass, if there are any.
    With details: scores; paraphrases (above the threshold), answer_masses, answer_log_probs (log p of each answer) and
    likeliest (the token that the model would say first); grades (the most probable, if they are asked for); bounded,
    edit_distances (characters, over the longer length), edit_distance_correlation (Pearson, of the two; NaN for fewer
    than two pairs or no spread), and, where they exist, explanations (of both orders those of S, H),
    classes (True for a paraphrase), too_close, unread, and of both orders orders_agree and
    order_differences (log-ratio of S, H less that of H, S); signature, as of metric.signature().
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Parapluie(ComparedMetric, evaluate.Metric):
    """Scores pairs of a source sentence and a candidate paraphrase with a chat model."""

    METRIC, UNIT = "parapluie", "pairs"
    CONFIGS = {"small": {"model_id": "small"}}
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_pairs)
    generate_paraphrases = staticmethod(generate_paraphrases)
    meta_evaluate = staticmethod(meta_evaluate)
    calibrate, corrected_rate = staticmethod(calibrate), staticmethod(corrected_rate)
    sensitivity = staticmethod(sensitivity)
    judge, agreement = staticmethod(judge), staticmethod(agreement)
    VLLM = VLLM

    def _with_bound(self, options):
        """The small judge of a configuration is asked where no other is named."""
        bound = super()._with_bound({})
        if bound.get("model_id") == "small" and any(options.get(name) for name in ("model", "endpoint", "judge")):
            del bound["model_id"]
        return {**bound, **options}

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )
