"""What is refused: input and options of the wrong type or value, before anything is loaded or encoded."""

import os

import numpy as np

from .chat_options import check_model_options, check_revisions
from .encoder import POOLINGS
from .heads import AGGREGATIONS
from .rewriting import MESSAGES
from .sentences import METRIC, has_word
from .values import (
    SURROGATE,
    check_booleans,
    check_choices,
    check_integers,
    check_numbers,
    is_choice,
    is_listing,
    is_number,
    named,
    shown,
)

LEARNED = ("attention", "transformer")
TRAINABLE = ("regression", *LEARNED)
SIMILARITIES = ("regression", "rouge", *LEARNED, "llm")


def checked_sides(**sides) -> tuple[list, list]:
    """Both sides as lists, of the same length, of texts; ValueError with the index of what is wrong."""
    checked = {}
    for name, items in sides.items():
        if not is_listing(items):
            raise ValueError(f"{METRIC}: {name}: found {type(items).__name__}, expected a list of texts")
        checked[name] = [
            item if isinstance(item, str) else _checked_list(name, i, item) for i, item in enumerate(items)
        ]
    (first, a), (second, b) = checked.items()
    if len(a) != len(b):
        raise ValueError(f"{METRIC}: found {len(a)} {first} and {len(b)} {second}, expected as many")
    if not a:
        raise ValueError(f"{METRIC}: found no examples, expected at least one")
    for name, items in checked.items():
        for i, item in enumerate(items):
            _check_text(f"{name}[{i}]", item)
            if isinstance(item, str) is not isinstance(items[0], str):
                kind = "a string" if isinstance(items[0], str) else "a list of sentences"
                raise ValueError(f"{METRIC}: {name}[{i}]: found {type(item).__name__}, expected {kind}, as the first")
    return a, b


def _checked_list(name, i, item):
    if not is_listing(item):
        raise ValueError(
            f"{METRIC}: {name}[{i}]: found {type(item).__name__} {shown(item)}, expected a string or a list of "
            "sentences"
        )
    return list(item)


def _check_text(place, item):
    for k, sentence in enumerate([item] if isinstance(item, str) else item):
        where = place if isinstance(item, str) else f"{place}[{k}]"
        if not isinstance(sentence, str):
            raise ValueError(f"{METRIC}: {where}: found {type(sentence).__name__} {shown(sentence)}, expected a string")
        if SURROGATE.search(sentence):
            raise ValueError(f"{METRIC}: {where}: found a lone surrogate in {sentence!a:.60}, expected text")
        if not isinstance(item, str) and not sentence.strip():
            raise ValueError(f"{METRIC}: {where}: found an empty sentence, expected text")
    if not has_word(item if isinstance(item, str) else " ".join(item)):
        raise ValueError(f"{METRIC}: {place}: found {shown(item)}, expected a text with at least one word")


def scaled(ratings, n: int, rating_range: tuple | None) -> np.ndarray:
    """(n,) the ratings, brought from their range to 0..1; ValueError with the index of what is wrong."""
    if not is_listing(ratings):
        raise ValueError(f"{METRIC}: ratings: found {type(ratings).__name__}, expected a list of numbers")
    ratings = list(ratings)
    if len(ratings) != n:
        raise ValueError(f"{METRIC}: found {len(ratings)} ratings and {n} texts, expected as many")
    for i, rating in enumerate(ratings):
        if not is_number(rating):
            raise ValueError(f"{METRIC}: ratings[{i}]: found {shown(rating)}, expected a finite number")
    if min(ratings) == max(ratings):
        raise ValueError(f"{METRIC}: ratings: found {ratings[0]} everywhere, expected ratings that differ")
    low, high = rating_range or (min(ratings), max(ratings))
    for i, rating in enumerate(ratings):
        if not low <= rating <= high:
            raise ValueError(f"{METRIC}: ratings[{i}]: found {shown(rating)}, expected one in the range {low}..{high}")
    return (np.array(ratings, float) - low) / (high - low)


def check_fit(similarity, pooling, aggregation, aspect, learning_rate, rating_range, seed, encoder):
    """Refuse options of `fit` of the wrong type or value."""
    if not is_choice(similarity, TRAINABLE):
        raise ValueError(
            f"{METRIC}: similarity: found {shown(similarity)}, expected one of {', '.join(TRAINABLE)} to train"
        )
    with named(METRIC):
        check_choices(POOLINGS, pooling=pooling)
        check_choices(AGGREGATIONS, aggregation=aggregation)
        check_integers(0, seed=seed)
    if not isinstance(encoder, (str, os.PathLike)) or not str(encoder):
        raise ValueError(f"{METRIC}: encoder: found {shown(encoder)}, expected a name or a path")
    if not isinstance(aspect, str):
        raise ValueError(f"{METRIC}: aspect: found {shown(aspect)}, expected a name")
    if not is_number(learning_rate) or learning_rate <= 0:
        raise ValueError(f"{METRIC}: learning_rate: found {shown(learning_rate)}, expected a positive number")
    if rating_range is not None and not (
        isinstance(rating_range, (list, tuple))
        and len(rating_range) == 2
        and all(map(is_number, rating_range))
        and rating_range[0] < rating_range[1]
    ):
        raise ValueError(
            f"{METRIC}: rating_range: found {shown(rating_range)}, expected the least and the best rating, such as "
            "(1, 5)"
        )


def check_options(
    *,
    similarity,
    encoder,
    pooling,
    encoder_revision,
    head,
    rewrite,
    threshold,
    details,
    **chat,
):
    """Refuse options of the wrong type or value before anything is loaded."""
    with named(METRIC):
        check_choices(SIMILARITIES, similarity=similarity)
        check_choices((None, *POOLINGS), pooling=pooling)
        check_choices((None, *MESSAGES), rewrite=rewrite)
    if encoder is not None and not (isinstance(encoder, (str, os.PathLike)) and str(encoder)):
        raise ValueError(f"{METRIC}: encoder: found {shown(encoder)}, expected a name or a path")
    with named(METRIC):
        check_revisions(encoder_revision=encoder_revision)
        check_booleans(details=details)
        check_model_options(**chat)
        check_numbers(threshold=threshold)
    model, resume = chat["model"], chat["resume"]
    if similarity == "llm" and rewrite is None and encoder is not None:
        raise ValueError(
            f"{METRIC}: encoder: found {shown(encoder)}, which similarity 'llm' uses only with rewrite; expected None"
        )
    if similarity != "llm" and rewrite is None and (model is not None or resume is not None):
        raise ValueError(
            f"{METRIC}: found a chat model or resume, which only rewrite and similarity llm use; expected neither"
        )
