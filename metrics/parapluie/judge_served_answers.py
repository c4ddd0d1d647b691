"""What a server answers: the first choice of a chat completion, its log-probabilities, and what these say of an answer
that the list leaves out."""

import re
from math import exp, inf, isnan, log
from typing import NamedTuple

import numpy as np

from .common import input_error
from .common_judge import ROUNDING
from .common_thinking import TAG, THINKING

UNKNOWN = -9999.0  # what some servers write as a log-probability that they do not tell
NEGLIGIBLE = 1e-3  # nats: what unlisted variants may add to a log p that is not called a bound
APART = ("reasoning_content", "reasoning", "reasoning_details")  # where servers keep thinking apart from the text
SAME_PROBABILITY = 1e-6  # nats: a token that is listed twice with the same log p is one token


class Choice(NamedTuple):
    """The part of a chat completion that counts."""

    text: str
    finish: str | None
    is_thought: bool  # there is no text, and the server keeps the thinking apart
    tokens: tuple[str, ...]  # its tokens; none where there are no log-probabilities
    top: dict[str, float]  # {token: log p} of the most likely first tokens
    model: str | None  # which model the server says has answered


def as_choice(answer: dict) -> Choice:
    """The first choice of a chat completion; ValueError where it is none, or has impossible log-probabilities."""
    try:
        choice = answer["choices"][0]
        message, entries = choice["message"], (choice.get("logprobs") or {}).get("content") or []
        content, finish = message.get("content") or "", choice.get("finish_reason")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]  # Mistral's API has lists
        text = "".join(part["text"] for part in parts if part["type"] == "text")
        is_thought = not text.strip() and (any(map(message.get, APART)) or content is parts)
        listed = (entries[0].get("top_logprobs") or entries[:1]) if entries else []
        told = [(plain(entry["token"]), entry["logprob"]) for entry in listed]
        tokens = tuple(entry["token"] for entry in entries)
        model = answer["model"] if isinstance(answer.get("model"), str) else None
        return Choice(text, finish, is_thought, tokens, log_probs(told), model)
    except (LookupError, TypeError, AttributeError) as error:
        found = f"an answer that is no chat completion ({type(error).__name__}: {error})"
        raise input_error("", found, "a chat completion") from error


def log_probs(entries: list[tuple[str, float | None]]) -> dict[str, float]:
    """{token: log p} of the entries that tell it.

    A token that stands there again with the same probability is the same one. With another it is another token of the
    same text (some servers write " no" and "no" alike), and both are added. ValueError for one above 0 or NaN.
    """
    told: dict[str, list[float]] = {}
    for token, given in entries:
        if given is not None and (isinstance(given, bool) or not isinstance(given, (int, float))):
            raise TypeError(f"the log-probability {given!r} of {token!r}")
        log_p = UNKNOWN if given is None else float(given)
        if isnan(log_p) or log_p > ROUNDING:  # -inf is told of what a server leaves out
            found = f"an answer that is no chat completion with log-probabilities: {log_p} for {token!r}"
            expected = "a number of at most 0; what the server sends as logprobs is not its model's"
            raise input_error("", found, expected)
        known = told.setdefault(token, [])
        if log_p > UNKNOWN and not any(abs(log_p - other) < SAME_PROBABILITY for other in known):
            known.append(log_p)
    return {token: float(np.logaddexp.reduce(known)) for token, known in told.items() if known}


def plain(token: str) -> str:
    """A token's text, where the server shows how the tokenizer marks spaces."""
    return token.replace("\u2581", " ").replace("\u0120", " ").replace("\u010a", "\n")


def log_p(top: dict[str, float], variants: list[str], n_sharing: int = 1) -> tuple[float, bool]:
    """log p of an answer that is any of some tokens, and whether it is a bound.

    Each that is not listed is at most as likely as the last one listed, and all together at most as what the listed
    ones leave, of which every answer that is not listed (there are `n_sharing`) gets the same share. (A list that adds
    up to more than 1 leaves nothing to be told.)
    """
    listed, n = [top[token] for token in variants if token in top], sum(token not in top for token in variants)
    known = float(np.logaddexp.reduce(listed)) if listed else -inf
    if not n:
        return known, False
    rest, left = log(n) + min(top.values(), default=0.0), 1 - sum(map(exp, top.values()))
    if left >= -ROUNDING:
        rest = min(rest, log(max(1e-12, left) / n_sharing))
    return (known, bool(np.logaddexp(known, rest) - known > NEGLIGIBLE)) if listed else (min(rest, 0.0), True)


def begins_thinking(text: str) -> bool | None:
    """Whether a text begins with a tag of thinking, or the beginning of a well-known one; None where it may go on so.

    A marker may be several tokens, of which a server tells the first.
    """
    text, openings = text.lstrip(), [opening for opening, _ in THINKING]
    tag = TAG.match(text)
    if tag and not tag[1] or text.startswith(tuple(openings)):
        return True
    if len(text) > 1 and any(opening.startswith(text) for opening in openings):
        return True
    return None if re.fullmatch(r"[<\[◁][^\s>\]▷]*", text) else False


DATE = re.compile(r"[-@_](\d{4}-?\d{2}-?\d{2}|\d{4}|latest)$")  # of a version, behind a model's name


def is_same_model(asked: str, answered: str) -> bool:
    """Whether a server's name for the model that has answered may stand for the one asked for.

    Folders and file endings do not count, nor does what only one of the names has: a provider or tag behind a colon,
    the date of a version.

    >>> is_same_model("org/some-model:provider", "some-model-2026-01-31"), is_same_model("a-model", "a-model-mini")
    (True, False)
    """
    a, b = (name.casefold().rstrip("/").rpartition("/")[2].removesuffix(".gguf") for name in (asked, answered))
    if ":" in a and ":" in b:
        return a == b
    a, b = a.partition(":")[0], b.partition(":")[0]
    return a in (b, DATE.sub("", b)) or b == DATE.sub("", a)


def shown_names(names, wanted: str, most: int = 10) -> str:
    """At most ten of many names, those that are most like the wanted one first."""
    from difflib import SequenceMatcher

    texts = list(map(str, names))
    if len(texts) <= most:
        return ", ".join(texts)
    nearest = sorted(texts, key=lambda name: -SequenceMatcher(None, wanted.casefold(), name.casefold()).ratio())
    return f"{', '.join(nearest[:most])} and {len(texts) - most} more"


def error_in(answer) -> tuple[str, int | None] | None:
    """(its text, its status) of the error that an answer is, whatever the status of the page; None if it is none."""
    if not isinstance(answer, dict):
        return None
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    error = answer.get("error") or isinstance(first, dict) and first.get("error")
    if not error:
        return None
    details = error if isinstance(error, dict) else {"message": error}
    status = next((str(details[name]) for name in ("code", "status") if str(details.get(name)).isdecimal()), None)
    return str(details.get("message", error)), None if status is None else int(status)
