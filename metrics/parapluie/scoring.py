"""From options and pairs to ParaPLUIE's result; also the prompts that write candidate paraphrases.

score = mean over the pairs of log p(yes | template, S, H) - log p(no | template, S, H) (ACL paper, section 3, eq. 1);
or, where grades are asked for, of their expectation (see `grades`).
"""

from collections import Counter
from dataclasses import dataclass
from math import exp, nan
from statistics import fmean
from typing import cast
from unicodedata import category

import numpy as np
from rapidfuzz.distance import Levenshtein

from .common import (
    a_boolean,
    a_number,
    argument,
    as_python,
    at_least,
    check_text,
    closed_on_failure,
    example,
    expecting,
    input_error,
    is_listing,
    is_number,
    keyword_options,
    one_of,
    option,
    short_repr,
    warn,
)
from .common_judge import ask, signature
from .common_statistics import IntervalOptions, Sample, interval_of
from .common_templates import two_answers
from .grades import Grades, expected_grade, resolve_grades
from .judge_pairs import for_pairs
from .judges import JudgeOptions
from .templates import FIELDS, GENERATORS, Template, asked_before, conversation, paraphrase_in, resolve

INVISIBLE = frozenset(("Cc", "Cf", "Zl", "Zp", "Zs"))  # categories of characters
LEAST_MASS = 0.5  # of p(yes) + p(no); below, the judge has something else to say
FIRST_PAIRS = 64  # after which a run with a minimum mass ends, if most of them have a lower one
WORDS_FOR_AN_ANSWER = 8  # tokens to generate when only the first word counts


a_share = expecting(
    "None or a number from 0 to 1",
    lambda value: value is None or is_number(value) and 0 <= value <= 1,
    lambda value: None if value is None else float(value),
)


@dataclass(frozen=True, kw_only=True)
class Options(IntervalOptions, JudgeOptions):
    """Options of `compute`; those of `JudgeOptions` say which judge."""

    template: str | list = option("fs_direct", resolve)
    answers: tuple | None = option(None, lambda value: None if value is None else two_answers(value))
    grades: tuple | list | dict | None = option(None, resolve_grades)
    explanations: list[str] | None = option(None, affects_score=False)
    minimum_mass: float | None = option(None, a_share, affects_score=False)
    threshold: float = option(0.0, a_number)
    both_orders: bool | None = option(None, lambda value: None if value is None else a_boolean(value))
    classify: bool = option(False, a_boolean, affects_score=False)
    max_new_tokens: int = option(256, at_least(1))
    OF_COMPUTE = ("explanations",)  # of one system

    def check_together(self):
        super().check_together()
        if self.explanations is not None:
            if asked_before(self.template.messages) is None:
                found = "explanations, but the template has no {explanation}"
                raise input_error(argument("explanations"), found, "no explanations", but="; ")
            if self.both_orders:
                found = "explanations with both orders, each of which has its own"
                raise input_error(argument("explanations"), found, "no explanations", but="; ")
            object.__setattr__(self, "explanations", check_texts(self.explanations, "explanations"))
        if self.grades is not None:
            self._check_grades()
        if self.answers is None:
            object.__setattr__(self, "answers", self.template.answers)
        if isinstance(self.template.messages, str) and (self.endpoint is not None or self.judge is not None):
            found = "plain text together with an endpoint or a judge, which take chat messages"
            raise input_error(argument("template"), found, "chat messages", but="; ")
        first, *others = ({tuple(words(variant) or [variant.strip()]) for variant in side} for side in self.answers)
        if self.classify and first & others[0]:
            expected = "words that differ in more than case to classify"
            raise input_error(argument("answers"), short_repr(self.answers), expected)

    def _check_grades(self):
        """Grades are the answers; in place of the default threshold stands the middle of a scale without 0 inside."""
        grades = cast(Grades, self.grades)
        if self.answers not in (None, grades.answers):
            raise input_error(argument("grades"), "grades together with answers", "grades alone, which are the answers")
        if self.template.name != "own":
            found = f"grades with the template {self.template.name!r}, which asks for yes or no"
            expected = "template= with messages of your own that ask for a grade"
            raise input_error(argument("grades"), found, expected, but="; ")
        if self.classify:
            found = "grades together with classify, which reads yes or no"
            raise input_error(argument("grades"), found, "grades or classify", but="; ")
        object.__setattr__(self, "answers", grades.answers)
        if not min(grades.numbers) < self.threshold < max(grades.numbers):
            if self.threshold != 0.0:
                expected = f"a number between the grades {grades!r}"
                raise input_error(argument("threshold"), f"{self.threshold:g}", expected)
            object.__setattr__(self, "threshold", grades.middle)


def is_blank(text: str) -> bool:
    """Whether there is nothing to be seen: white space, control and format characters only."""
    return all(category(c) in INVISIBLE for c in text)


def check_texts(texts, name: str, start: int = 0) -> list[str]:
    """A list of strings that can be encoded; `start` is the number of the first, for errors."""
    texts = as_python(texts)
    if not is_listing(texts):
        raise input_error(argument(name), f"{type(texts).__name__} {short_repr(texts)}", "a list of strings")
    return [check_text(text, argument(name, i)) for i, text in enumerate(texts, start)]


def check_pairs(predictions, references, start: int = 0) -> tuple[list, list]:
    """Both sides as lists of strings of the same length; a prediction may be empty, a source may not."""
    predictions = check_texts(predictions, "predictions", start)
    references = check_texts(references, "references", start)
    if len(predictions) != len(references):
        found = f"{len(predictions)} predictions and {len(references)} references"
        raise input_error("", found, "the same number of both")
    for i, source in enumerate(references, start):
        if is_blank(source):
            raise input_error(argument("references", i), short_repr(source), "a source sentence")
    return predictions, references


COUNTS = ("bounded_scores", "low_mass_pairs", "unread_pairs", "empty_predictions")
MEANS = {  # keys of the result: the list of the details whose mean each is
    "score": "scores",
    "parapluie": "scores",  # the name of its own is for tables of several metrics
    "paraphrase_rate": "paraphrases",
    "answer_mass": "answer_masses",
    "too_close_rate": "too_close",
    "order_agreement": "orders_agree",
    "classified_rate": "classes",
}
RATES = ("paraphrase_rate", "too_close_rate", "order_agreement", "classified_rate")  # shares of the pairs


def sample_of(lists: dict) -> Sample:
    """The pairs, from the lists of a result's details."""
    return Sample.of_means({key: lists[name] for key, name in MEANS.items() if name in lists}, RATES)


class Scorer:
    """A judge asked with one template, or a classifier of pairs."""

    ADDS_UP = ("scores", "paraphrases", "answer_masses")

    def __init__(self, options: Options):
        self.judge, self.options = options.open(), options
        with closed_on_failure(self):
            if hasattr(self.judge, "labels"):
                self.options = for_pairs(options, self.judge)
            self.messages = cast(Template, self.options.template).messages
            self.answers = cast(tuple, self.options.answers)
            self.explains = asked_before(self.messages) is not None  # the model, before it answers
            if hasattr(self.judge, "prompts"):  # wrong answers are refused before an explanation is written
                shape = self.judge.prompts.shape(conversation(self.messages, dict.fromkeys(FIELDS, "x")))
                self.judge.prompts.answers(shape, self.answers)

    def close(self):
        self.options.close(self.judge)

    def signature(self) -> str:
        given = "|explanations:given" if self.options.explanations is not None else ""
        return f"{self.options.signature()}{given}|model:{signature(self.judge)}"

    def score(self, predictions: list[str], references: list[str]) -> dict:
        """The result of `compute` for the candidate paraphrases and their sources."""
        return self.combine(*self._judged(predictions, references), self.options)

    def sample(self, predictions: list[str], references: list[str]) -> Sample:
        """The pairs, as what is said of them adds up."""
        return sample_of(self._judged(predictions, references)[1])

    @staticmethod
    def combine(known: dict, lists: dict, options: IntervalOptions) -> dict:
        """The result, from counts and from the lists of its details."""
        sample = sample_of(lists)
        result = sample.scores() | {name: known[name] for name in COUNTS if known.get(name)}
        result |= sample.intervals(*interval_of(options))
        if options.details:
            result |= lists
        if options.details and "edit_distances" in lists:
            result["edit_distance_correlation"] = _pearson(lists["scores"], lists["edit_distances"])
        return result

    def _judged(self, predictions: list[str], references: list[str]) -> tuple[dict, dict]:
        """Counts, and lists of what is said of each pair."""
        options, n_empty = self.options, sum(map(is_blank, predictions))
        if not references:
            raise input_error("", "no pairs", "at least one pair")
        if n_empty:
            side = argument("predictions")
            warn(f"{n_empty} of {len(predictions)} ", side, " are empty; they are scored as they are")
        pairs = list(zip(references, predictions, strict=True))
        unread = self._unread(pairs)
        turned = [i for i, (s, h) in enumerate(pairs) if s != h] if options.both_orders else []
        fields = [{"pair": i, "source": s, "hypothesis": h} for i, (s, h) in enumerate(pairs)]
        fields += [{"pair": i, "source": pairs[i][1], "hypothesis": pairs[i][0]} for i in turned]
        if (given := options.explanations) is not None:
            if len(given) != len(fields):
                expected = f"{len(fields)}, one for each pair"
                raise input_error(argument("explanations"), f"{len(given)} explanations", expected)
            fields = [each | {"explanation": text} for each, text in zip(fields, given, strict=True)]
        fields, judged, classes = self._explained_judged_classified(fields, len(pairs))
        explained = {"explanations": [each["explanation"] for each in fields[: len(pairs)]]} if self.explains else {}
        back = dict(zip(turned, judged[len(pairs) :], strict=True))
        orders = [(there, back.get(i, there)) for i, there in enumerate(judged[: len(pairs)])]
        log_probs = [list(map(fmean, zip(there.log_probs, back.log_probs, strict=True))) for there, back in orders]
        grades, least = cast(Grades | None, options.grades), options.minimum_mass
        scores = list(map(self._score, log_probs))
        if low := _low_mass(judged[: len(pairs)], LEAST_MASS if least is None else least):
            warn(f"{low}. Pass answers= with the words that it uses, or take another template or model")
        lists: dict[str, list] = {
            "scores": scores,
            "paraphrases": [score > options.threshold for score in scores],
            "answer_masses": [fmean(map(mass, both)) for both in orders],
            "answer_log_probs": log_probs,
            "likeliest": [there.top_token for there, _ in orders],
            "bounded": [any(pair.bounded for pair in both) for both in orders],
            "edit_distances": [Levenshtein.normalized_distance(s, h) for s, h in pairs],
        }
        if grades is not None:
            lists["grades"] = [grades.numbers[int(np.argmax(each))] for each in log_probs]
        band = getattr(self.judge, "too_close", None)
        lists |= {} if band is None else {"too_close": [abs(score - options.threshold) < band for score in scores]}
        if options.both_orders:
            both = [[self._score(pair.log_probs) for pair in each] for each in orders]
            lists["orders_agree"] = [(a > options.threshold) == (b > options.threshold) for a, b in both]
            lists["order_differences"] = [a - b for a, b in both]  # of (S, H) less that of (H, S)
        lists |= {"unread": unread} if unread else {}
        counts = {"bounded_scores": sum(lists["bounded"]), "unread_pairs": sum(unread), "empty_predictions": n_empty}
        if least is not None:
            counts["low_mass_pairs"] = sum(each < least for each in lists["answer_masses"])
        return counts, lists | explained | classes

    def _unread(self, pairs):
        """For a judge that says it, which pairs have a text that it cannot read; with a warning."""
        unread = self.judge.unread(pairs) if hasattr(self.judge, "unread") else []
        if any(unread):
            warn(
                f"{sum(unread)} of {len(pairs)} pairs, first ",
                example("pair", unread.index(True)),
                f", have a text that {self.judge.name} cannot read, such as one in another language; ",
                "their scores are guesses",
            )
        return unread

    def _score(self, log_probs) -> float:
        """The pair's score: log p(yes) - log p(no), or the expected grade."""
        if self.options.grades is None:
            yes, no = log_probs
            return yes - no
        return expected_grade(log_probs, cast(Grades, self.options.grades).numbers)

    def _classes(self, fields: list[dict]) -> dict:
        """Whether the generated answer begins with a variant of the first answer, if that is asked for."""
        if not self.options.classify:
            return {}
        texts = self._ask("generate", self.messages, fields, WORDS_FOR_AN_ANSWER, "answer")
        return {"classes": [any(begins(text, variant) for variant in self.answers[0]) for text in texts]}

    def _explained_judged_classified(self, fields: list[dict], n: int) -> tuple[list[dict], list, dict]:
        """The fields with what the model explains, the judge's answers, and the classes of the first n.

        What is too long with an answer behind it is refused before anything is scored. With a minimum mass the first
        pairs go alone, until most of these have it, and nothing else is generated before.
        """
        least = self.options.minimum_mass
        if least is None:
            fields = self._explained(fields)
            classes = self._classes(fields[:n])
            return fields, self._judgements(fields), classes
        explained = self._explained(fields[:FIRST_PAIRS])
        judged = self._judgements(explained)
        if 2 * sum(mass(pair) < least for pair in judged) > len(judged):
            expected = (
                f"at most half of the first {len(judged)} below it: pass answers= with the words that it uses, another "
                "template or model, think= for a model that runs here and thinks first, or a lower minimum_mass"
            )
            raise input_error(argument("minimum_mass"), f"that {_low_mass(judged, least)}", expected)
        if rest := self._explained(fields[FIRST_PAIRS:]):
            judged, explained = judged + self._judgements(rest), explained + rest
        return explained, judged, self._classes(explained[:n])

    def _judgements(self, fields):
        return self._ask("answer_log_probs", self.messages, fields, self.answers, "score")

    def _explained(self, fields: list[dict]) -> list[dict]:
        """The fields with what the model explains before it answers, where the template asks for it."""
        if not self.explains or not fields or "explanation" in fields[0]:
            return fields
        before, most = asked_before(self.messages), self.options.max_new_tokens
        texts = self._ask("generate", before, fields, most, "explanation")
        return [each | {"explanation": text} for each, text in zip(fields, texts, strict=True)]

    def _ask(self, method, messages, fields, argument, unit):
        """What the judge gives for each pair."""
        conversations = [conversation(messages, values) for values in fields]
        return ask(self.judge, method, conversations, argument, lambda i: example("pair", fields[i]["pair"]), unit)


@dataclass(frozen=True, kw_only=True)
class GenerationOptions(JudgeOptions):
    """Options of `generate_paraphrases`; those of `JudgeOptions` say which judge."""

    style: str = option("naive", one_of(GENERATORS))
    max_new_tokens: int = option(256, at_least(1))


@keyword_options
def generate_paraphrases(sentences: list[str], options: GenerationOptions) -> list[str]:
    """Candidate paraphrases by a chat model, as those of the third data set were made (ACL paper, appendix A.1).

    Decoding is greedy; the paper does not say what its own was.

    Args:
        sentences: source sentences, strings.
        style: a prompt of `templates.GENERATORS`: "naive" and "vulgar" (the paper's for Mistral), "naive_system" (its
            for Llama 2, with a system message).
        max_new_tokens: the longest answer, in tokens.
        model_id and the other options: as for `compute`.

    Returns:
        One string per sentence: the first line of the model's answer, without "B:" and quotation marks. It may be
        empty.

    Raises:
        ValueError: a sentence is not text, an option is wrong, or a prompt is too long for the model.
    """
    sentences = check_texts(sentences, "sentences")
    if not sentences:
        raise input_error(argument("sentences"), "no sentence", "at least one sentence")
    conversations = [conversation(GENERATORS[options.style], {"source": text}) for text in sentences]
    judge = options.open()
    try:
        answers = ask(judge, "generate", conversations, options.max_new_tokens, "sentence {}".format, "paraphrase")
    finally:
        options.close(judge)
    return [paraphrase_in(answer) for answer in answers]


def begins(text: str, answer: str) -> bool:
    """Whether a text begins with the words of an answer; with the answer as it is, if that has no words.

    >>> begins("Yes, it is.", "yes"), begins("Yesterday", "yes"), begins(" ✓ indeed", "✓"), begins("no", "✓")
    (True, False, True, False)
    """
    expected = words(answer)
    return words(text)[: len(expected)] == expected if expected else text.strip().startswith(answer.strip())


def words(text: str) -> list[str]:
    """The words of a text, without case: runs of letters, their marks (as in Hindi), and digits."""
    return "".join(c if category(c)[0] in "LMN" else " " for c in text.casefold()).split()


def mass(pair) -> float:
    """The sum of the answers' probabilities, in 0 to 1: rounding may lead beyond."""
    return min(1.0, sum(map(exp, pair.log_probs)))


def mass_deciles(masses: list[float]) -> list[float]:
    """The 11 deciles of the answers' masses, from the least (0 %) to the largest (100 %)."""
    return np.quantile(masses, np.linspace(0, 1, 11)).tolist()


def _low_mass(judged, least) -> str | None:
    """What is wrong with pairs for which the model would rather say something else; None where there is none."""
    weak = [pair for pair in judged if mass(pair) < least]
    if not weak:
        return None
    (top_token, n), *_ = Counter(pair.top_token for pair in weak).most_common(1)
    answers = "two answers" if len(weak[0].log_probs) == 2 else "answers"
    return (
        f"for {len(weak)} of {len(judged)} pairs the {answers} together are less likely than {least:g}; the model "
        f"would rather say {top_token!r} ({n} times)"
    )


def _pearson(scores, distances):
    if len(scores) < 2 or min(scores) == max(scores) or min(distances) == max(distances):
        return nan
    from scipy.stats import pearsonr  # here, because it takes half a second

    return float(pearsonr(scores, distances).statistic)
