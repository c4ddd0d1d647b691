"""ParaPLUIE: is H a paraphrase of S? The log-likelihood ratio of "yes" and "no" under a language model.

This file declares the metric, checks its input and puts the result together. The work is in the modules beside it:
`templates` (the papers' prompts), `chat_llm` (models: prompts, scores, generation), `served` (models behind an address)
and `score_store` (results kept on disk).
"""

import os
import re
import warnings
from inspect import signature
from math import isfinite, nan
from statistics import fmean

import datasets
import evaluate
from rapidfuzz.distance import Levenshtein

from .chat_llm import FIELD, ChatLLM, fitting_prompts, load
from .hub import find
from .score_store import ScoreStore
from .served import MissingAnswer, ServedLLM
from .templates import METRIC, asked_before, resolve

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

DTYPES = ("auto", "float32", "bfloat16", "float16", "float64")
WORDS_FOR_AN_ANSWER = 8  # tokens to generate when only the first word counts


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
        predictions, references = _checked_sides(predictions, references)
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one pair: a candidate paraphrase and its source sentence."""
        _checked_sides([prediction], [reference])
        super().add(prediction=prediction, reference=reference, **kwargs)

    def compute(self, *, predictions=None, references=None, **options):
        """Score the given pairs, or those added before; options as in the card.

        They are checked before anything is consumed, so that a wrong one loses none of the pairs added.
        """
        given = signature(self._compute).bind([], [], **options)
        given.apply_defaults()
        _check_options(**given.kwargs)
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
        _check_explanations(explanations, messages, len(references))
        if not references:
            raise ValueError(f"{METRIC}: found no pairs, expected at least one")
        state = _processes() if distributed else None
        model_id = os.fspath(model_id)
        if endpoint is not None:
            llm = ServedLLM(endpoint, model_id)
        elif model is not None:
            llm = _named(ChatLLM, model, tokenizer)
        else:
            place = device
            if state and device == "auto":  # transformers 4 cannot load to "cpu:0", accelerate's name
                place = "cpu" if state.device.type == "cpu" else str(state.device)
            llm = _named(load, model_id, revision, _dtype_name(dtype), place)
        run = _Run(llm, messages, tuple(answers), batch_size, max_new_tokens, resume, state)
        fields = [{"source": s, "hypothesis": h} for s, h in zip(references, predictions)]
        found = run.results(fields, explanations, classify)

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


class _Run:
    """The steps of one call: explanations where the template has them, scores, classes; kept, shared out, shown."""

    def __init__(self, llm, messages, answers, batch_size, max_new_tokens, resume, state):
        self.llm = llm
        self.messages = messages
        self.answers = answers
        self.batch_size = batch_size
        self.max_new_tokens = max_new_tokens
        self.before = asked_before(messages)
        self.state = state
        self.store = _named(ScoreStore, resume, llm.identity) if resume else None

    def results(self, fields, explanations, classify) -> dict:
        """{"score": floats, and where they exist "explanation": texts, "class": bools}, in the order of the pairs."""
        llm, size, found = self.llm, self.batch_size, {}
        answers = _named(llm.answers, self.messages, self.answers)

        def generate(limit):
            return lambda chosen: llm.generate(chosen, limit, size)

        try:
            if self.before is not None:
                if explanations is None:
                    prompts = self._prompts(self.before, fields, self.max_new_tokens)
                    explanations = self._step(
                        "explanation", self.max_new_tokens, prompts, generate(self.max_new_tokens)
                    )
                found["explanation"] = list(explanations)
                fields = [{**values, "explanation": text} for values, text in zip(fields, explanations, strict=True)]
            self._warn_of_control_words(fields)
            longest_answer = len(answers[0]) + max(map(len, answers[1:]))  # a served model has no limit to compare with
            room = max(longest_answer, WORDS_FOR_AN_ANSWER if classify else 0)
            prompts = self._prompts(self.messages, fields, room)
            found["score"] = self._step("score", answers, prompts, lambda chosen: llm.log_ratios(chosen, answers, size))
            if classify:
                texts = self._step("answer", WORDS_FOR_AN_ANSWER, prompts, generate(WORDS_FOR_AN_ANSWER))
                first = _words(self.answers[0])
                found["class"] = [_words(text)[: len(first)] == first for text in texts]
        finally:
            if self.store:
                self.store.close()
        return found

    def _step(self, name, settings, prompts, compute):
        """One value per prompt: from the store where it is there, else computed; shared out over all processes.

        A kept value is found by what it depends on: the model, the step with its settings, and the prompt itself.
        """
        first, step = (0, 1) if self.state is None else (self.state.process_index, self.state.num_processes)
        mine = range(first, len(prompts), step)
        keys = {i: self.store.key(name, settings, prompts[i]) for i in mine} if self.store else {}
        known = {i: value for i, key in keys.items() if (value := self.store.get(key)) is not None}
        todo = [i for i in mine if i not in known]
        with datasets.utils.tqdm(total=len(mine), initial=len(known), desc=f"{METRIC}: {name}s", unit="pair") as bar:
            try:
                for place, value in compute([prompts[i] for i in todo]):
                    i = todo[place]
                    if isinstance(value, float) and not isfinite(value):
                        raise ValueError(
                            f"{METRIC}: pair {i}: found the score {value}, expected a finite one; try another dtype"
                        )
                    known[i] = value
                    if self.store:
                        self.store.put(keys[i], value)
                    bar.update()
            except MissingAnswer as error:
                raise ValueError(f"{METRIC}: pair {todo[error.place]}: {error}") from None
        if self.state is not None:
            from accelerate.utils import gather_object

            known = dict(gather_object(list(known.items())))
        return [known[i] for i in range(len(prompts))]

    def _prompts(self, messages, fields, room):
        """The prompts, all of which must leave room for so many tokens in the model's context."""
        return _named(fitting_prompts, self.llm, messages, fields, room, "pair {}".format)

    def _warn_of_control_words(self, fields):
        """Point out texts that no encoding can keep apart from the template."""
        for word in self.llm.control_words(self.messages):
            for i, values in enumerate(fields):
                if any(word in text for text in values.values()):
                    warnings.warn(
                        f"{METRIC}: pair {i}: the text contains {word!r}, which the chat template of {self.llm.name} "
                        "writes as plain text; the model may take it for a part of the template",
                        stacklevel=2,
                    )


def _processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())


def _named(function, *arguments):
    """Call a function of the shared module, which does not know the metric, so that its errors name it."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ValueError(f"{METRIC}: {error}") from None


def _words(text):
    """The words of a text, without case."""
    return re.findall(r"\w+", text.casefold())


def _pearson(scores, distances):
    if len(scores) < 2 or min(scores) == max(scores) or min(distances) == max(distances):
        return nan
    from scipy.stats import pearsonr

    return float(pearsonr(scores, distances).statistic)


def _dtype_name(dtype):
    """A dtype's name, whether it is given by name or as torch's object."""
    return str(dtype).removeprefix("torch.")


def _checked_sides(predictions, references):
    """Both sides as lists of strings of the same length; ValueError with the index of what is wrong."""
    sides = []
    for name, texts in (("predictions", predictions), ("references", references)):
        if isinstance(texts, (str, bytes, dict, set, frozenset)) or not hasattr(texts, "__iter__"):
            raise ValueError(f"{METRIC}: {name}: found {type(texts).__name__}, expected a list of strings")
        sides.append(list(texts))
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{METRIC}: found {len(sides[0])} predictions and {len(sides[1])} references, expected as many"
        )
    for name, texts in zip(("predictions", "references"), sides):
        _check_strings(name, texts)
    return sides


def _check_strings(name, texts):
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{METRIC}: {name}[{i}]: found {type(text).__name__} {text!r:.60}, expected a string")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{METRIC}: {name}[{i}]: found a lone surrogate in {text!a:.60}, expected text") from None


def _check_explanations(explanations, messages, n):
    if explanations is None:
        return
    if asked_before(messages) is None:
        raise ValueError(f"{METRIC}: explanations: found some, but the template has no {{explanation}}")
    if not isinstance(explanations, (list, tuple)):
        raise ValueError(f"{METRIC}: explanations: found {type(explanations).__name__}, expected a list of strings")
    if len(explanations) != n:
        raise ValueError(
            f"{METRIC}: explanations: found {len(explanations)}, expected a list of {n}, one for each pair"
        )
    _check_strings("explanations", explanations)


def _check_options(
    *,
    model_id,
    template,
    answers,
    model,
    tokenizer,
    dtype,
    threshold,
    classify,
    details,
    batch_size,
    max_new_tokens,
    resume,
    distributed,
    endpoint,
    **_,
):
    """Refuse options of the wrong type or value; what depends on the pairs is checked with them."""
    resolve(template)
    if not isinstance(model_id, (str, os.PathLike)) or not str(model_id):
        raise ValueError(f"{METRIC}: model_id: found {model_id!r}, expected a name on the Hub or a folder")
    if _dtype_name(dtype) not in DTYPES:
        raise ValueError(f"{METRIC}: dtype: found {dtype!r}, expected one of {', '.join(DTYPES)}")
    for option, value in (("classify", classify), ("details", details), ("distributed", distributed)):
        if not isinstance(value, bool):
            raise ValueError(f"{METRIC}: {option}: found {value!r}, expected True or False")
    if (
        not isinstance(answers, (list, tuple))
        or len(answers) != 2
        or not all(isinstance(answer, str) and answer.strip() and not FIELD.search(answer) for answer in answers)
        or answers[0] == answers[1]
    ):
        raise ValueError(f"{METRIC}: answers: found {answers!r}, expected two different words")
    _check_strings("answers", answers)
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not isfinite(threshold):
        raise ValueError(f"{METRIC}: threshold: found {threshold!r}, expected a number")
    if batch_size != "auto" and not _is_positive_integer(batch_size):
        raise ValueError(f"{METRIC}: batch_size: found {batch_size!r}, expected a positive integer or 'auto'")
    if not _is_positive_integer(max_new_tokens):
        raise ValueError(f"{METRIC}: max_new_tokens: found {max_new_tokens!r}, expected a positive integer")
    if classify and _words(answers[0]) == _words(answers[1]):
        raise ValueError(
            f"{METRIC}: answers: found {answers!r}, expected words that differ in more than case to classify"
        )
    for option, value in (("resume", resume), ("endpoint", endpoint)):
        if value is not None and not (isinstance(value, (str, os.PathLike)) and str(value)):
            raise ValueError(f"{METRIC}: {option}: found {value!r}, expected a path or an address")
    if (model is None) != (tokenizer is None):
        raise ValueError(f"{METRIC}: found only one of model and tokenizer, expected both or neither")
    if model is not None and endpoint is not None:
        raise ValueError(f"{METRIC}: found both a live model and an endpoint, expected one of them")
    if model is not None and resume is not None:
        raise ValueError(
            f"{METRIC}: resume: found a live model, which cannot be told from another; expected a model_id"
        )


def _is_positive_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
