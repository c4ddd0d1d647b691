"""Texts and summaries: checked, as sentences, and as an encoder sees them."""

from collections.abc import Iterable, Iterator

import numpy as np

from .common import check_text, is_listing, short_repr
from .terms_features import Pair, features
from .text_sentences import has_word, split

CHUNK = 256  # examples whose vectors are in memory at once


def check_sides(
    summaries, texts, names: tuple = ("summaries", "texts"), start: int = 0, allow_empty: bool = False
) -> tuple[list, list]:
    """Summaries and texts as lists of the same length, at least one of each.

    Args:
        summaries, texts: strings, or lists of sentences; on each side all of the kind of the first.
        names: what errors call the two.
        start: the number of the first example, for errors.
        allow_empty: whether a summary may have no word. A text must have one.

    Raises:
        ValueError: with the name of the side and the number of the example.
    """
    summaries = _check_side(summaries, names[0], start, allow_empty)
    texts = _check_side(texts, names[1], start, False)
    if len(summaries) != len(texts):
        raise ValueError(f"found {len(summaries)} {names[0]} and {len(texts)} {names[1]}, expected the same number")
    if not texts:
        raise ValueError("found no examples, expected at least one")
    return summaries, texts


def _check_side(items, name, start, allow_empty):
    if not is_listing(items):
        raise ValueError(f"{name}: found {type(items).__name__}, expected a list of texts")
    checked = [_check_item(item, f"{name}[{i}]", allow_empty) for i, item in enumerate(items, start)]
    for i, item in enumerate(checked, start):
        if isinstance(item, str) is not isinstance(checked[0], str):
            kind = "a string" if isinstance(checked[0], str) else "a list of sentences"
            raise ValueError(f"{name}[{i}]: found {type(item).__name__}, expected {kind}, as the first")
    return checked


def _check_item(item, where, allow_empty):
    """A text: a string or a list of sentences."""
    if not isinstance(item, str):
        item = _check_sentences(item, where)
    else:
        check_text(item, where)
    if not allow_empty and not has_word(item):
        raise ValueError(f"{where}: found {short_repr(item)}, expected a text with at least one word")
    return item


def _check_sentences(item, where):
    if not is_listing(item):
        raise ValueError(
            f"{where}: found {type(item).__name__} {short_repr(item)}, expected a string or a list of sentences"
        )
    sentences = [check_text(sentence, f"{where}[{k}]") for k, sentence in enumerate(item)]
    for k, sentence in enumerate(sentences):
        if len(sentences) > 1 and not sentence.strip():
            raise ValueError(f"{where}[{k}]: found an empty sentence, expected text")
    return sentences


def sentences_of(item: str | list[str]) -> list[str]:
    """The sentences of a text: those given; a string, or a list with one string only, is split."""
    if not isinstance(item, str) and len(item) != 1:
        return list(item)
    return split(item if isinstance(item, str) else item[0])


def encode_pairs(encoder, texts: list, summaries: list, tokens: bool, bar=None) -> list[Pair]:
    """The pairs as the encoder sees them; equal texts are one object, so that what is computed of it is shared.

    Args:
        encoder: an `Encoder`.
        texts, summaries: n lists of sentences each, none empty.
        tokens: whether the vectors of tokens are wanted as well.
        bar: a progress bar that goes on, or None for one of these pairs.
    """
    distinct = {tuple(text): text for text in texts}
    sides = encoder.sides([*distinct.values(), *summaries], tokens, bar)
    shared = dict(zip(distinct, sides))
    return [Pair(shared[tuple(text)], side) for text, side in zip(texts, sides[len(distinct) :], strict=True)]


def encode_in_chunks(
    encoder, texts: list, summaries: list, tokens: bool, places: Iterable | None = None
) -> Iterator[tuple[list, list]]:
    """Yield (places of examples, their pairs), a chunk at a time, examples with the same text together.

    Args:
        places: the examples that are wanted; all by default.
    """
    first = {}
    for i, text in enumerate(texts):
        first.setdefault(tuple(text), i)
    order = sorted(range(len(texts)) if places is None else places, key=lambda i: first[tuple(texts[i])])
    with encoder.bar([side[i] for side in (texts, summaries) for i in order], tokens) as bar:
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            yield chunk, encode_pairs(encoder, *([side[i] for i in chunk] for side in (texts, summaries)), tokens, bar)


def feature_table(encoder, texts: list, summaries: list) -> np.ndarray:
    """(n, number of features) the features of n pairs."""
    rows = [None] * len(texts)
    for chunk, pairs in encode_in_chunks(encoder, texts, summaries, tokens=True):
        for i, pair in zip(chunk, pairs, strict=True):
            rows[i] = features(pair)
    return np.array(rows)
