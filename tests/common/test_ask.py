"""Asking a judge that answers by rule: order, whose fault it is, what is an answer and what is none."""

import math
import random
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics._common.common import metric_errors
from metrics._common.common_judge import Judgement, ask, completed
from metrics._common.common_prompts import ItemError

ANSWERS = ("yes", "Yes"), ("no",)
NAME = "question {}".format


class Rule:
    """A judge: log p is a text's length, below 0, and a nat less; says a text after it. Its answers come in order."""

    name = "rule"

    def answer_log_probs(self, conversations, answers):
        assert answers == ANSWERS
        for [turn] in conversations:
            length = math.nan if turn["content"] == "?" else -1.0 - len(turn["content"])
            yield length, length - 1, "yes"

    def generate(self, conversations, max_new_tokens):
        return [turn["content"][:max_new_tokens] for [turn] in conversations]


class AnyOrderRule(Rule):
    """The same, in any order; "unfit" cannot be asked."""

    def as_completed(self, method, conversations, argument):
        for i, [turn] in enumerate(conversations):
            if turn["content"] == "unfit":
                raise ItemError(i, "found an unfit text")
        values = list(enumerate(getattr(self, method)(conversations, argument)))
        yield from random.sample(values, len(values))


def conversations(texts):
    return [[{"role": "user", "content": text}] for text in texts]


def judgements(texts):
    return [Judgement(-1.0 - len(text), -2.0 - len(text), "yes") for text in texts]


@given(st.lists(st.text("ab", max_size=5), max_size=12), st.sampled_from([Rule(), AnyOrderRule()]))
@settings(max_examples=40, deadline=None)
def test_every_question_gets_its_answer(texts, judge):
    assert ask(judge, "answer_log_probs", conversations(texts), ANSWERS, NAME, "score") == judgements(texts)
    assert ask(judge, "generate", conversations(texts), 3, NAME, "text") == [text[:3] for text in texts]


@pytest.mark.parametrize(
    "texts, message",
    [
        (["a", "b", "unfit"], "^a metric: question 2: found an unfit text$"),
        (["a", "b", "c", "?"], r"^a metric: question 3: found log-likelihoods of \(nan, nan\), expected finite ones"),
    ],
)
def test_what_is_wrong_is_named(texts, message):
    with pytest.raises(ValueError, match=message), metric_errors("a metric"):
        ask(AnyOrderRule(), "answer_log_probs", conversations(texts), ANSWERS, NAME, "score")


def test_answers_before_an_error_are_not_lost():
    """Whoever keeps answers has had those that came before."""
    values = completed(Rule(), "answer_log_probs", conversations(["a", "b", "?"]), ANSWERS)
    assert [next(values), next(values)] == list(enumerate(judgements("ab")))
    with pytest.raises(ItemError) as caught:
        next(values)
    assert caught.value.index == 2


def asked(value, method="answer_log_probs", argument=ANSWERS):
    judge = Rule()
    setattr(judge, method, lambda *_: [value])
    return ask(judge, method, conversations(["a"]), argument, NAME, "score")[0]


@pytest.mark.parametrize(
    "value, message",
    [
        (0.5, "found 0.5, expected .log p.first answer., log p.second answer., top token."),
        (None, "found None, expected"),
        ({-0.5, -0.9, "yes"}, "found {.*}, expected .log p.first answer., log p.second answer., top token."),
        ((-0.5, -0.9), "found .-0.5, -0.9., expected"),
        ((-0.5, "x", "yes"), "found .*, expected"),
        ((10**400, -1.0, "yes"), "found .*, expected"),
        ((-math.inf, -1.0, "yes"), "found log-likelihoods of .-inf, -1.0., expected finite ones of answers that"),
        ((-1.0, math.nan, "yes"), "found log-likelihoods of .-1.0, nan., expected finite ones"),
        ((-0.1, -0.1, "yes"), "found log-likelihoods of .-0.1, -0.1., expected .* together have a probability of at"),
        ((0.5, -3.0, "yes"), "found log-likelihoods of .*, another dtype may be"),
        ((1e300, -3.0, "yes"), "found log-likelihoods of .*, another dtype may be"),
    ],
)
def test_what_is_no_judgement(value, message):
    with pytest.raises(ValueError, match=f"^question 0: {message}"):
        asked(value)


def test_what_is_a_judgement():
    assert asked([-1, -2.0, "yes"]) == (-1.0, -2.0, "yes", False)
    assert asked((-1, -2.0, "yes", True)).bounded and not asked((-1, -2.0, "yes", False)).bounded
    assert asked((1e-4, -20.0, "yes")).first == 1e-4  # rounding


@pytest.mark.parametrize(
    "text, expected",
    [
        (" Yes. ", "Yes."),
        ("", ""),
        ("<think>Hm.</think> Yes.", "Yes."),
        ("Hm.</think>\n\nYes.", "Yes."),
        ("<think>\n\n</think>\n\n", ""),
        ("[THINK]Hm.[/THINK]Yes.", "Yes."),
        ("A <think> in between.", "A <think> in between."),
    ],
)
def test_a_text_comes_without_thinking(text, expected):
    assert asked(text, "generate", 9) == expected


@pytest.mark.parametrize(
    "value, message",
    [
        (3, "found 3 from rule, expected a text"),
        ("<think>Hm.", "found rule still thinking after 9 tokens, expected an"),
    ],
)
def test_what_is_no_text(value, message):
    with pytest.raises(ValueError, match=f"^question 0: {message}"):
        asked(value, "generate", 9)


VALUE = (-1, -2, "yes")


@pytest.mark.parametrize(
    "method, values, message",
    [
        ("answer_log_probs", [VALUE], "found 1 values from rule, expected one for each of 2 questions"),
        ("answer_log_probs", repeat(VALUE), "found more than 2 values from rule, expected one for each of 2 questions"),
        ("answer_log_probs", "ab", "found 'ab' from rule, expected a list or a generator of values"),
        ("answer_log_probs", None, "found None from rule, expected a list or a generator of values"),
        ("as_completed", [(0, VALUE)] * 2, r"found \[0, \(-1, -2, 'yes'\)\] from as_completed of rule, "),
        ("as_completed", [(2, VALUE)], r"found \[2, .*, expected \(index, value\), each index below 2 once"),
        ("as_completed", [("0", VALUE)], r"found \['0', .*, expected \(index, value\), each"),
        ("as_completed", [VALUE, 3], r"found \[-1, -2, 'yes'\] from as_completed of rule, expected \(index, value\)"),
        ("as_completed", [7], r"found 7 from as_completed of rule, expected \(index, value\)"),
        ("as_completed", 7, "found 7 from rule, expected a list or a generator of values"),
        ("as_completed", [(1, VALUE)], "found 1 values from rule, expected one for each of 2 questions"),
    ],
)
def test_as_many_values_as_questions(method, values, message):
    judge = Rule()
    setattr(judge, method, lambda *_: values)
    with pytest.raises(ValueError, match=f"^judge: {message}"):
        ask(judge, "answer_log_probs", conversations(["a", "b"]), ANSWERS, NAME, "score")
