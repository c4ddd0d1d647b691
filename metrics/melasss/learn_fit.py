"""Heads: trained on human ratings, and those that were saved."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from huggingface_hub.errors import EntryNotFoundError
from safetensors import SafetensorError

from .common import (
    CheckedOptions,
    Message,
    a_boolean,
    argument,
    at_least,
    expecting,
    input_error,
    is_listing,
    is_number,
    keyword_options,
    one_of,
    option,
    prefix_errors,
    short_repr,
)
from .common_hub import file_of, find
from .common_llm import a_device, a_name, a_revision
from .encoder import DEFAULT, POOLINGS
from .encoder import load as load_encoder
from .learn_agreement import groups_of
from .learn_heads import AGGREGATIONS, head_classes, train
from .terms_regression import Rated, Regression, fit_regression, longest
from .terms_weights import CONSISTENCY, RELEVANCE
from .text_pairs import check_sides, encode_pairs, feature_table, sentences_of

LEARNED = ("attention", "transformer")
TRAINABLE = ("regression", *LEARNED)
EMBEDDED: dict[str, dict[str, Any]] = {"relevance": RELEVANCE, "consistency": CONSISTENCY}
HUB_OPTIONS = ("revision", "token", "cache_dir", "force_download", "local_files_only")


def _is_range(value) -> bool:
    if value is None:
        return True
    pair = isinstance(value, (list, tuple)) and len(value) == 2 and all(map(is_number, value))
    return pair and value[0] < value[1]


an_aspect = expecting("a name", lambda value: isinstance(value, str))
a_range = expecting("the lowest and the highest rating, such as (1, 5)", _is_range)
a_rate = expecting("a positive number", lambda value: is_number(value) and value > 0)


@dataclass(frozen=True, kw_only=True)
class FitOptions(CheckedOptions):
    """Options of `fit`."""

    similarity: str = option("regression", one_of(TRAINABLE))
    aspect: str = option("relevance", an_aspect)
    rating_range: tuple | None = option(None, a_range)
    encoder: str = option(DEFAULT, a_name)
    pooling: str | None = option(None, one_of((None, *POOLINGS)))
    encoder_revision: str | None = option(None, a_revision)
    device: str = option("auto", a_device)
    seed: int = option(0, at_least(0))
    mismatched: bool = option(False, a_boolean)
    aggregation: str = option("max", one_of(AGGREGATIONS))
    marked: bool = option(False, a_boolean)
    epochs: int = option(100, at_least(1))
    patience: int = option(10, at_least(1))
    batch_size: int = option(32, at_least(1))
    learning_rate: float = option(3e-4, a_rate)


@keyword_options
def fit(texts: Sequence, summaries: Sequence, ratings: Sequence, options: FitOptions):
    """Train a head on human ratings.

    The head's `report` is of texts that it was not trained on: the examples of a text are never on both sides.

    Args:
        texts: n texts, strings or lists of sentences (a list of one string is a text); a text may occur many times.
        summaries: n summaries, of the same form; none may be empty here.
        ratings: n numbers.
        similarity: "regression", "attention" or "transformer".
        aspect: what the ratings are about; kept with the head. "relevance" and "consistency" have their own four terms
            and signs ("regression"); under any other name all eight are fitted, which suits texts unlike news better.
        rating_range: the lowest and the highest rating there is, such as (1, 5). Default: the range of the ratings.
        encoder, pooling, encoder_revision, device: as in compute().
        seed: of what is drawn (mismatched summaries; for the learned similarities the texts held out, first weights,
            dropout, order); the same seed gives the same head on the same machine.
        mismatched: True also learns from each text with a summary of another one, as rated lowest, what score is low
            ("regression").
            Right for what a summary says, such as relevance; wrong for how it says it, such as fluency.
        aggregation: "max" or "avg" of the sentences after the transformer layer ("transformer").
        marked: whether the transformer is told which sentence is text and which is summary; the paper's is not.
        epochs, patience, batch_size, learning_rate: of the training; it stops after `patience` epochs without gain on
            a fifth of the texts.

    Returns:
        The head: pass it as head= to compute(). It has save_pretrained(folder), push_to_hub(repo_id) and the class
        method from_pretrained(folder or repo_id), as every model of the Hub, and `report`.

    Raises:
        ValueError: an input or option is wrong.
    """
    summaries, texts = check_sides(summaries, texts)
    targets = scale_ratings(ratings, len(texts), options.rating_range)
    texts, summaries = (list(map(sentences_of, side)) for side in (texts, summaries))
    documents = [tuple(text) for text in texts]
    if len(set(documents)) < 2:
        raise input_error(argument("texts"), "only one text", "at least two different texts to learn from")
    encoder = load_encoder(options.encoder, options.pooling, options.encoder_revision, options.device)
    about = {name: getattr(options, name) for name in ("aspect", "encoder", "encoder_revision")}
    about |= {"pooling": encoder.pooling, "width": encoder.width}
    if options.similarity == "regression":
        controls = [mismatched(encoder, texts, summaries, options.seed)] if options.mismatched else []
        about |= {"longest": {"text": longest(texts), "summary": longest(summaries)}}
        return fit_regression([Rated(feature_table(encoder, texts, summaries), targets, documents)], controls, **about)
    if options.similarity == "transformer":
        about |= {"aggregation": options.aggregation, "marked": options.marked}
    pairs = encode_pairs(encoder, texts, summaries, tokens=False)
    return train(pairs, targets, documents, options, device=encoder.device, **about)


def scale_ratings(ratings, n: int, rating_range: tuple | None) -> np.ndarray:
    """(n,) the ratings, linearly mapped from their range to 0..1; ValueError with the index of what is wrong."""
    if not is_listing(ratings):
        raise input_error(argument("ratings"), type(ratings).__name__, "a list of numbers")
    ratings = list(ratings)
    if len(ratings) != n:
        raise input_error("", f"{len(ratings)} ratings and {n} texts", "a rating for each text")
    for i, rating in enumerate(ratings):
        if not is_number(rating):
            raise input_error(argument("ratings", i), short_repr(rating), "a finite number")
    if min(ratings) == max(ratings):
        raise input_error(argument("ratings"), f"the rating {ratings[0]} everywhere", "ratings that differ")
    low, high = rating_range or (min(ratings), max(ratings))
    for i, rating in enumerate(ratings):
        if not low <= rating <= high:
            raise input_error(argument("ratings", i), short_repr(rating), f"a rating in the range {low}..{high}")
    return (np.array(ratings, float) - low) / (high - low)


def mismatched(encoder, texts: list, summaries: list, seed: int) -> Rated:
    """Each text with a summary of another one, as rated lowest; texts and summaries as lists of sentences."""
    documents = list(map(tuple, texts))
    own, others = draw_mismatched(groups_of(documents), seed)
    table = feature_table(encoder, [texts[i] for i in own], [summaries[i] for i in others])
    return Rated(table, np.zeros(len(own)), [documents[i] for i in own])


def draw_mismatched(groups: list, seed: int) -> tuple[list, list]:
    """Each document's text with a summary of the next one in a random circle: indices of examples with these.

    groups: the indices of each document's examples.
    """
    random = np.random.default_rng(seed)
    circle = random.permutation(len(groups))
    following = np.empty_like(circle)
    following[circle] = np.roll(circle, 1)
    return [group[0] for group in groups], [random.choice(groups[i]) for i in following]


def from_pretrained(path: str | os.PathLike, **options):
    """The head that was saved to a folder or a repository of the Hub.

    Args:
        path: folder or repository.
        options: of huggingface_hub's from_pretrained, such as revision and token.

    Raises:
        ValueError: there is no head of this metric.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise input_error(argument("head"), short_repr(path), "a folder or a repository")
    path = os.fspath(path)
    if "cache_dir" not in options:
        with prefix_errors(argument("head")):
            _, offline = find(path, options.get("revision"))
        options = {"local_files_only": offline, **options}
    try:
        of_the_hub = {name: value for name, value in options.items() if name in HUB_OPTIONS}
        config = json.loads(file_of(path, "config.json", **of_the_hub).read_text(encoding="utf-8"))
        similarity = config["similarity"]
        kind = Regression if similarity == "regression" else head_classes()[similarity]
        return kind.from_pretrained(path, **options)
    except (OSError, KeyError, TypeError, RuntimeError, ValueError, EntryNotFoundError, SafetensorError) as error:
        found = f"{path!r}, which is no head of this metric ({type(error).__name__}: {str(error):.300})"
        expected = "a folder or a repository that save_pretrained or push_to_hub has written"
        raise input_error(argument("head"), found, expected, but="; ") from None


def open_head(head, similarity: str, aspect: str = "relevance"):
    """The head of a similarity: the one given, or saved where a name says, or an aspect's embedded one; or None.

    Raises:
        ValueError: it is for another similarity.
    """
    if similarity not in TRAINABLE:
        return None
    if head is None:
        return Regression(**EMBEDDED[aspect])
    if isinstance(head, (str, os.PathLike)):
        head = from_pretrained(head)
    kind = getattr(head, "similarity", None)
    if kind != similarity:
        hint = ("; pass ", argument("similarity"), f"={kind!r}") if kind in TRAINABLE else ()
        found = f"a head for similarity {kind or type(head).__name__!r}"
        raise input_error(argument("head"), found, Message(f"a head for {similarity!r}", *hint))
    return head
