"""What parapluie refuses: input and options of the wrong kind, before any work starts."""

import os

from .chat_llm import FIELD
from .run import dtype_name, words
from .templates import METRIC, asked_before, resolve
from .values import is_number, shown

DTYPES = ("auto", "float32", "bfloat16", "float16", "float64")


def checked_sides(predictions, references) -> list:
    """Both sides as lists of strings of the same length; ValueError with the index of what is wrong."""
    sides = [checked_texts("predictions", predictions), checked_texts("references", references)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{METRIC}: found {len(sides[0])} predictions and {len(sides[1])} references, expected as many"
        )
    return sides


def checked_texts(name: str, texts) -> list:
    """A list of strings that can be encoded."""
    if (
        isinstance(texts, (str, bytes, dict, set, frozenset))
        or not hasattr(texts, "__iter__")
        or hasattr(texts, "columns")  # a DataFrame would give their names
        or getattr(texts, "ndim", 1) == 0  # an array that is none
    ):
        raise ValueError(f"{METRIC}: {name}: found {type(texts).__name__}, expected a list of strings")
    texts = list(texts)
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{METRIC}: {name}[{i}]: found {type(text).__name__} {shown(text)}, expected a string")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{METRIC}: {name}[{i}]: found a lone surrogate in {text!a:.60}, expected text") from None
    return texts


def check_explanations(explanations, messages: list, n: int) -> None:
    """Refuse explanations that are not one text for each of n pairs, or that the template has no place for."""
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
    checked_texts("explanations", explanations)


def check_options(*, template, answers, threshold, classify, details, explanations, **options) -> None:
    """Refuse options of the wrong type or value; what depends on the pairs is checked with them."""
    resolve(template)
    check_model_options(**options)
    for option, value in (("classify", classify), ("details", details)):
        _check_bool(option, value)
    if (
        not isinstance(answers, (list, tuple))
        or len(answers) != 2
        or not all(isinstance(answer, str) and answer.strip() and not FIELD.search(answer) for answer in answers)
        or answers[0] == answers[1]
    ):
        raise ValueError(f"{METRIC}: answers: found {shown(answers)}, expected two different words")
    checked_texts("answers", answers)
    if not is_number(threshold):
        raise ValueError(f"{METRIC}: threshold: found {shown(threshold)}, expected a number")
    if classify and words(answers[0]) == words(answers[1]):
        raise ValueError(
            f"{METRIC}: answers: found {shown(answers)}, expected words that differ in more than case to classify"
        )


def check_model_options(
    *, model_id, model, tokenizer, revision, dtype, device, batch_size, max_new_tokens, resume, distributed, endpoint
) -> None:
    """Refuse wrong options of what runs the model."""
    if not isinstance(model_id, (str, os.PathLike)) or not str(model_id):
        raise ValueError(f"{METRIC}: model_id: found {shown(model_id)}, expected a name on the Hub or a folder")
    if dtype_name(dtype) not in DTYPES:
        raise ValueError(f"{METRIC}: dtype: found {shown(dtype)}, expected one of {', '.join(DTYPES)}")
    if revision is not None and not isinstance(revision, str):
        raise ValueError(f"{METRIC}: revision: found {shown(revision)}, expected a commit, a tag or a branch")
    if not isinstance(device, str):
        raise ValueError(f"{METRIC}: device: found {shown(device)}, expected a name such as 'cpu'")
    _check_bool("distributed", distributed)
    if not (isinstance(batch_size, str) and batch_size == "auto") and not _is_positive_integer(batch_size):
        raise ValueError(f"{METRIC}: batch_size: found {shown(batch_size)}, expected a positive integer or 'auto'")
    if not _is_positive_integer(max_new_tokens):
        raise ValueError(f"{METRIC}: max_new_tokens: found {shown(max_new_tokens)}, expected a positive integer")
    for option, value in (("resume", resume), ("endpoint", endpoint)):
        if value is not None and not (isinstance(value, (str, os.PathLike)) and str(value)):
            raise ValueError(f"{METRIC}: {option}: found {shown(value)}, expected a path or an address")
    if endpoint is not None and not str(endpoint).startswith(("http://", "https://")):
        raise ValueError(f"{METRIC}: endpoint: found {shown(endpoint)}, expected an address, http://... or https://...")
    if (model is None) != (tokenizer is None):
        raise ValueError(f"{METRIC}: found only one of model and tokenizer, expected both or neither")
    if model is not None and endpoint is not None:
        raise ValueError(f"{METRIC}: found both a live model and an endpoint, expected one of them")
    if model is not None and resume is not None:
        raise ValueError(
            f"{METRIC}: resume: found a live model, which cannot be told from another; expected a model_id"
        )


def _check_bool(option, value):
    if not isinstance(value, bool):
        raise ValueError(f"{METRIC}: {option}: found {shown(value)}, expected True or False")


def _is_positive_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
