"""What every metric that asks a chat model refuses: options that say which model and how, messages, answers.

The errors do not name the metric: see `values.named`.

This file is vendored: `metrics/_common/chat_options.py` is the source, `make vendor` copies it into the metric folders.
"""

import os

from .chat_llm import FIELD
from .values import SURROGATE, check_integers, is_integer, shown

ROLES = ("system", "user", "assistant")
DTYPES = ("auto", "float32", "bfloat16", "float16", "float64")


def check_model_options(
    *, model_id, model, tokenizer, revision, dtype, device, batch_size, resume, max_new_tokens=1
) -> None:
    """Refuse options of the wrong type or value, or that exclude each other."""
    if not isinstance(model_id, (str, os.PathLike)) or not str(model_id):
        raise ValueError(f"model_id: found {shown(model_id)}, expected a name on the Hub or a folder")
    if (model is None) != (tokenizer is None):
        raise ValueError("found only one of model and tokenizer, expected both or neither")
    check_revisions(revision=revision)
    if dtype_name(dtype) not in DTYPES:
        raise ValueError(f"dtype: found {shown(dtype)}, expected one of {', '.join(DTYPES)}")
    check_device(device)
    if not (isinstance(batch_size, str) and batch_size == "auto") and not is_integer(batch_size, 1):
        raise ValueError(f"batch_size: found {shown(batch_size)}, expected a positive integer or 'auto'")
    check_integers(1, max_new_tokens=max_new_tokens)
    if resume is not None and not (isinstance(resume, (str, os.PathLike)) and str(resume)):
        raise ValueError(f"resume: found {shown(resume)}, expected a path")
    if model is not None and resume is not None:
        raise ValueError("resume: found a live model, which cannot be told from another; expected a model_id")


def check_revisions(**options) -> None:
    """Refuse options that are neither None nor a revision of a repository."""
    for option, value in options.items():
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{option}: found {shown(value)}, expected a commit, a tag or a branch")


def check_device(device) -> None:
    """Refuse a device that is no name."""
    if not isinstance(device, str):
        raise ValueError(f"device: found {shown(device)}, expected a name such as 'cpu'")


def check_messages(messages) -> list[str]:
    """The names of the fields in chat messages, in their order.

    Raises:
        ValueError: they are not a non-empty list of {"role", "content"} with strings that can be encoded.
    """
    if not isinstance(messages, (list, tuple)) or not messages:
        raise ValueError(f"template: found {shown(messages)}, expected a non-empty list of messages")
    for i, message in enumerate(messages):
        if (
            not isinstance(message, dict)
            or set(message) != {"role", "content"}
            or not all(isinstance(part, str) for part in message.values())
            or message["role"] not in ROLES
            or SURROGATE.search(message["content"])
        ):
            raise ValueError(
                f"template, message {i}: found {shown(message)}, expected a dict with a role of {', '.join(ROLES)} and "
                "a string as content"
            )
    return [name for message in messages for name in FIELD.findall(message["content"])]


def check_answers(answers) -> None:
    """Refuse answers that are not two different words."""
    if (
        not isinstance(answers, (list, tuple))
        or len(answers) != 2
        or not all(isinstance(answer, str) and answer.strip() for answer in answers)
        or any(FIELD.search(answer) or SURROGATE.search(answer) for answer in answers)
        or answers[0] == answers[1]
    ):
        raise ValueError(f"answers: found {shown(answers)}, expected two different words")


def dtype_name(dtype) -> str:
    """A dtype's name, whether it is given by name or as torch's object; what is neither gets none."""
    name = dtype if isinstance(dtype, str) else repr(dtype) if type(dtype).__name__ == "dtype" else ""
    return name.removeprefix("torch.")
