"""Trivial responses to a key, against which a score can be read (Popescu-Belis, section 5.1)."""

import random
from collections.abc import Callable
from itertools import chain, islice


def no_resolution(key: list, seed: int) -> list:
    """Every mention of the key alone."""
    return [[mention] for cluster in key for mention in cluster]


def one_class(key: list, seed: int) -> list:
    """All mentions of the key in one class; no class for an empty key."""
    mentions = list(chain.from_iterable(key))
    return [mentions] if mentions else []


def random_classes(key: list, seed: int) -> list:
    """The key's mentions shuffled into classes of the key's sizes; the same for a document wherever it stands."""
    mentions = sorted(chain.from_iterable(key))
    random.Random(f"{seed} {mentions}").shuffle(mentions)
    rest = iter(mentions)
    return [list(islice(rest, size)) for size in sorted(map(len, key), reverse=True)]


BASELINES: dict[str, Callable[[list, int], list]] = {
    "no_resolution": no_resolution,
    "one_class": one_class,
    "random": random_classes,
}
