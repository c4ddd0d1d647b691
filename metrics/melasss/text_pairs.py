"""Texts and summaries: checked, as sentences, and as an encoder sees them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import starmap

import numpy as np

from .common import Message, argument, as_python, check_text, input_error, is_listing, short_repr
from .terms_pair import Pair, n_lead
from .terms_table import features
from .text_sentences import EMPHASIS, has_word, split, without_markup

LISTED_TOKENS = 8  # a list of so many single words is a tokenised text
CHUNK = 256  # examples whose vectors are in memory at once


def check_sides(
    summaries, texts, names: tuple = ("summaries", "texts"), start: int = 0, allow_empty: bool = False
) -> tuple[list, list]:
    """Summaries and texts as lists of the same length, at least one of each.

    They are strings, or lists of sentences, on each side all of the kind of the first. A text must have a word, as must
    a summary unless `allow_empty`. Errors call the sides by their names, the first example by the number `start`.
    """
    summaries = _check_side(summaries, names[0], start, allow_empty)
    texts = _check_side(texts, names[1], start, False)
    if len(summaries) != len(texts):
        raise input_error("", f"{len(summaries)} {names[0]} and {len(texts)} {names[1]}", "the same number of both")
    if not texts:
        raise input_error("", "no examples", "at least one example")
    return summaries, texts


def _check_side(items, name, start, allow_empty):
    items = as_python(items)
    if not is_listing(items):
        raise input_error(argument(name), type(items).__name__, "a list of texts")
    checked = [_check_item(item, argument(name, i), allow_empty) for i, item in enumerate(items, start)]
    for i, item in enumerate(checked, start):
        if isinstance(item, str) is not isinstance(checked[0], str):
            kind = "a string" if isinstance(checked[0], str) else "a list of sentences"
            raise input_error(argument(name, i), type(item).__name__, f"{kind}, as the first is")
    return checked


def _check_item(item, where, allow_empty):
    """A text: a string or a list of sentences."""
    item = without_markup(check_text(item, where)) if isinstance(item, str) else _check_sentences(item, where)
    if not allow_empty and not has_word(item):
        raise input_error(where, short_repr(item), "a text with at least one word")
    return item


def _check_sentences(item, where):
    if not is_listing(item):
        raise input_error(where, f"{type(item).__name__} {short_repr(item)}", "a string or a list of sentences")
    sentences = [without_markup(check_text(sentence, Message(where, f"[{k}]"))) for k, sentence in enumerate(item)]
    if len(sentences) > 1 and all(len(split(sentence)) > 1 for sentence in sentences):
        found = f"a list of {len(sentences)} texts of several sentences"
        raise input_error(where, found, "one text: a string, or a list of its sentences")
    for k, sentence in enumerate(sentences):
        if len(sentences) > 1 and not sentence.strip():
            raise input_error(Message(where, f"[{k}]"), "an empty sentence", "a sentence of text")
    return sentences


def sentences_of(item: str | list[str]) -> list[str]:
    """The sentences of a text: those given; a string, a list with one string only, or of tokens, is split.

    Without Markdown's stars around what is **bold**.
    """
    if isinstance(item, str):
        return split(EMPHASIS.sub(r"\2", item))
    tokens = len(item) >= LISTED_TOKENS and not any(" " in piece.strip() for piece in item)
    return split(" ".join(item)) if len(item) == 1 or tokens else list(item)


def encode_pairs(encoder, texts: list, summaries: list, tokens: bool, bar=None, whole: bool = True) -> list[Pair]:
    """The pairs as the encoder sees them; equal texts are one object, so that what is computed of it is shared.

    texts, summaries: n lists of sentences each, none empty; tokens, bar: as for `Encoder.sides`; whole: whether vectors
    of the whole texts are wanted, not only of their beginnings.
    """
    distinct = list({tuple(text): text for text in texts}.values())
    sides = encoder.sides([*(distinct if whole else map(beginning, distinct)), *summaries], tokens, bar)
    shared = {
        tuple(text): replace(side, sentences=text) for text, side in zip(distinct, sides[: len(distinct)], strict=True)
    }
    of_each = [shared[tuple(text)] for text in texts]
    own = [replace(side, told=text.language) for text, side in zip(of_each, sides[len(distinct) :], strict=True)]
    return list(starmap(Pair, zip(of_each, own, strict=True)))


def beginning(text: list) -> list:
    """The sentences that make the beginning of a text."""
    return text[: n_lead(text)]


def encode_in_chunks(
    encoder, texts: list, summaries: list, tokens: bool, indices: Iterable | None = None, whole: bool = True
) -> Iterator[tuple[list, list]]:
    """Yield (indices of examples, their pairs), a chunk at a time, of all examples or those with these indices.

    Examples with the same text are together.
    """
    first: dict[tuple, int] = {}
    for i, text in enumerate(texts):
        first.setdefault(tuple(text), i)
    order = sorted(range(len(texts)) if indices is None else indices, key=lambda i: first[tuple(texts[i])])
    beginnings = {} if whole else {text: beginning(texts[i]) for text, i in first.items()}
    encoded = texts if whole else [beginnings[tuple(text)] for text in texts]
    with encoder.bar([side[i] for side in (encoded, summaries) for i in order], tokens) as bar:
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            some_texts, some_summaries = ([side[i] for i in chunk] for side in (texts, summaries))
            yield chunk, encode_pairs(encoder, some_texts, some_summaries, tokens, bar, whole)


def feature_table(encoder, texts: list, summaries: list) -> np.ndarray:
    """(n, number of terms) all terms of n pairs."""
    rows = [None] * len(texts)
    for chunk, pairs in encode_in_chunks(encoder, texts, summaries, tokens=True):
        for i, pair in zip(chunk, pairs, strict=True):
            rows[i] = features(pair)
    return np.array(rows)
