# Copied from metrics/_common/common_templates.py: edit there, then run make vendor.
"""Templates of what a judge is asked: chat messages with fields in braces, and the two answers to choose between."""

import re

from .common import SURROGATE, expecting, input_error, short_repr

ROLES = ("system", "user", "assistant")
FIELD = re.compile(r"\{(\w+)\}")


def fields_of(messages) -> list[str]:
    """The names of the fields in chat messages, in their order.

    Raises:
        ValueError: they are not a non-empty list of {"role", "content"} with strings that can be encoded.
    """
    if not isinstance(messages, (list, tuple)) or not messages:
        raise input_error("", short_repr(messages), "a non-empty list of messages")
    for i, message in enumerate(messages):
        if not _is_message(message):
            expected = f"a dict with a role of {', '.join(ROLES)} and a string as content"
            raise input_error(f"message {i}", short_repr(message), expected)
    return [name for message in messages for name in FIELD.findall(message["content"])]


def filled(messages: list, values: dict) -> list[dict]:
    """The messages with the values of their fields, put in in one pass: braces in a value stay text."""
    return [{**turn, "content": FIELD.sub(lambda name: values[name[1]], turn["content"])} for turn in messages]


def _is_message(message) -> bool:
    if not isinstance(message, dict) or set(message) != {"role", "content"} or message["role"] not in ROLES:
        return False
    return isinstance(message["content"], str) and not SURROGATE.search(message["content"])


def _variants(answer) -> tuple:
    return (answer,) if isinstance(answer, str) else tuple(answer) if isinstance(answer, (list, tuple)) else ()


def are_answers(answers) -> bool:
    """Whether these are answers that differ, each a text or a tuple of variants."""
    if not isinstance(answers, (list, tuple)) or not all(map(_variants, answers)):
        return False
    words = [word for answer in answers for word in _variants(answer)]
    fit = all(isinstance(w, str) and w.strip() and not FIELD.search(w) and not SURROGATE.search(w) for w in words)
    return fit and len(set(words)) == len(words)


two_answers = expecting(
    "two different words, or two tuples of variants such as (('yes', 'Yes'), ('no', 'No'))",
    lambda answers: are_answers(answers) and len(answers) == 2,
    lambda answers: tuple(map(_variants, answers)),
)
