# Copied from metrics/_common/common_judge.py: edit there, then run make vendor.
"""What a judge is, and how any judge is asked.

A judge is any object with
    name;
    answer_log_probs(conversations, answers): for each conversation (see `common_prompts`), in order, (log p(first
        answer), log p(second answer), top token), where `answers` are two tuples of variants whose probabilities are
        added, or as many as there are grades, with a log p of each; one more value True says that one is a bound;
    generate(conversations, max_new_tokens): the greedy answers, texts, in order;
and, if it likes, as_completed(method, conversations, argument): (index, what the method gives), in any order; and
identity, JSON-serialisable: what tells it from any other judge; else its name.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import exp, inf, isfinite
from operator import itemgetter

from .common import expecting, input_error, is_integer, is_listing, prefix_errors, progress, short_repr
from .common_prompts import ItemError
from .common_thinking import THINKING

YES_OR_NO = (("yes", "Yes"), ("no", "No"))  # models begin their answers in either case, whatever the prompt says
ROUNDING = 1e-3  # by so much a probability may seem to be above 1


class Judgement(tuple):
    """How likely a judge finds the answers: (log p of each, in nats, top token, bounded).

    top_token is what it would say first; bounded: an answer is too unlikely to be listed, its log p a bound.
    """

    def __new__(cls, *log_probs_and_top_token, bounded: bool = False):
        return super().__new__(cls, (*log_probs_and_top_token, bounded))

    def __getnewargs_ex__(self):
        return self[:-1], {"bounded": self.bounded}

    log_probs = property(lambda self: self[:-2])
    first, second = property(itemgetter(0)), property(itemgetter(1))
    top_token, bounded = property(itemgetter(-2)), property(itemgetter(-1))


def signature(judge) -> str:
    """The judge for a reader: its own signature, or its name and kind."""
    return judge.signature() if hasattr(judge, "signature") else f"{judge.name} ({type(judge).__name__})"


def ask(judge, method: str, conversations: list, argument, name: Callable, unit: str) -> list:
    """What the judge's method gives for each conversation, checked: a `Judgement`, or a text without thinking.

    argument: the answers, or max_new_tokens; name(i): what errors call conversation i; unit: what the bar counts.
    """
    values, n = completed(judge, method, conversations, argument), len(conversations)
    try:
        known = dict(progress(values, total=n, desc=f"{unit}s", unit=unit, disable=None))
    except ItemError as error:
        with prefix_errors(name(error.index)):
            raise
    return [known[i] for i in range(n)]


def completed(judge, method: str, conversations: list, argument) -> Iterator[tuple]:
    """Yield (index, checked value) of every conversation, as soon as the judge has it; ItemError for a wrong one."""
    in_any_order = hasattr(judge, "as_completed")
    run = partial(judge.as_completed, method) if in_any_order else getattr(judge, method)
    values = run(conversations, argument)
    if not is_listing(values):
        raise input_error("judge", f"{short_repr(values)} from {judge.name}", "a list or a generator of values")
    n, number, left = len(conversations), 0, set(range(len(conversations)))
    for number, item in enumerate(values if in_any_order else enumerate(values), 1):
        if number > n:
            break
        if not (is_listing(item) and len(item := list(item)) == 2 and is_integer(item[0]) and item[0] in left):
            expected = f"(index, value), each index below {n} once"
            raise input_error("judge", f"{short_repr(item)} from as_completed of {judge.name}", expected)
        left.remove(item[0])
        yield item[0], CHECKS[method](*item, argument, judge.name)
    if number != n:
        given = f"more than {n}" if number > n else number
        raise input_error("judge", f"{given} values from {judge.name}", f"one for each of {n} questions")


def as_judgement(index: int, value, answers: tuple, *_) -> Judgement:
    """A `Judgement` from what a judge gives; ItemError if it is nothing of the kind."""
    n = len(answers)
    try:
        given = list(value) if is_listing(value) else []  # a set has no order
        judgement = Judgement(*map(float, given[:n]), str(given[n]), bounded=any(given[n + 1 :]))
    except (TypeError, ValueError, OverflowError, IndexError):
        each = "log p(first answer), log p(second answer)" if n == 2 else f"log p of each of {n} answers"
        raise ItemError(index, f"found {short_repr(value)}, expected ({each}, top token)") from None
    if sum(exp(min(log_p, 1)) if isfinite(log_p) else inf for log_p in judgement.log_probs) > 1 + ROUNDING:
        expected = "finite ones of answers that together have a probability of at most 1"
        hint = "of a model that runs here, another dtype may be more exact"
        raise ItemError(index, f"found log-likelihoods of {judgement.log_probs}, expected {expected}; {hint}")
    return judgement


def as_text(index: int, value, max_new_tokens: int, name: str) -> str:
    """A judge's text without the thinking before it; ItemError if it is none, or the thinking has no end."""
    if not isinstance(value, str):
        raise ItemError(index, f"found {short_repr(value)} from {name}, expected a text")
    text = value.strip()
    for start, end in THINKING:
        if text.startswith(start) and end not in text:
            raise ItemError(index, f"found {name} still thinking after {max_new_tokens} tokens, expected an answer")
        text = text.rpartition(end)[2].strip()
    return text


CHECKS: dict[str, Callable] = {"answer_log_probs": as_judgement, "generate": as_text}
a_judge = expecting(
    "an object with a name and the methods answer_log_probs and generate",
    lambda x: x is None or isinstance(getattr(x, "name", 0), str) and all(callable(getattr(x, m, 0)) for m in CHECKS),
)


class AnyOrder:
    """The two methods of a judge (see above), from its `as_completed`."""

    as_completed: Callable

    def answer_log_probs(self, conversations: list, answers: tuple) -> list[tuple]:
        return [value for _, value in sorted(self.as_completed("answer_log_probs", conversations, answers))]

    def generate(self, conversations: list, max_new_tokens: int) -> list[str]:
        return [text for _, text in sorted(self.as_completed("generate", conversations, max_new_tokens))]
