"""What each sentence of a corpus has to give, worked out by itself: in this process, or in several at once."""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import current_process, get_start_method, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import NamedTuple

from .make_clauses import DIFFICULTIES, Sentence, Unsuitable, read
from .make_tools import Phrase, Tools
from .make_variants_adjectives import adj_consistency, comparative, superlative, with_degrees
from .make_variants_deeds import coord_verb, verb_consistency
from .make_variants_nouns import coref, governed, noun_number, noun_phrases, np, pronoun_number
from .make_variants_verbs import conditional, future, negation, past, subjunctive

# By the tests, each with the function that writes its variants.
VARIATIONS: dict[str, Callable[[Sentence, Tools], list[str]]] = {
    **{"past": past, "future": future, "conditional": conditional, "subjunctive": subjunctive},
    **{"pronoun_number": pronoun_number, "comparative": comparative, "superlative": superlative},
    **{"negation": negation, "noun_number": noun_number, "coord_verb": coord_verb, "np": np, "coref": coref},
    **{"verb_consistency": verb_consistency, "adj_consistency": adj_consistency},
}
WITH_PHRASES = "np"  # the test whose variants take phrases of the corpus
VARIANTS_TRIED = 12
CHUNK, AHEAD = 200, 3  # sentences that a process is handed at a time; chunks for each process that may be waiting


class Found(NamedTuple):
    """What a sentence gives: by tests, its variants or the reason why it has none; what it shows of usage.

    text: normalised.
    phrases: adjectives with nouns.
    objects: verbs and prepositions, each with a noun that it governs.
    graded: adjectives that it has with a degree.
    """

    text: str
    sentence: Sentence | None
    variants: dict[str, list[str] | str]
    phrases: Sequence[Phrase] = ()
    objects: Sequence[tuple[str, str]] = ()
    graded: Sequence[str] = ()


class Reader:
    """Reads sentences: a function of a text and the longest length in tokens of each test that it is tried for."""

    def __init__(self, tools: Tools, difficulty: str, takes_phrases: bool):
        self.tools, self.suits, self.takes_phrases = tools, DIFFICULTIES[difficulty], takes_phrases

    def __call__(self, text: str, longest: dict[str, int]) -> Found:
        try:
            sentence = read(text, self.tools, max(longest.values()))
        except Unsuitable as reason:
            return Found(text, None, dict.fromkeys(longest, str(reason)))
        length = len(sentence.tokens) - text.count('"')
        short = [test for test in longest if length <= longest[test]]
        reasons = dict.fromkeys(longest.keys() - short, "too long")
        if not self.suits(sentence):
            return Found(text, None, reasons | dict.fromkeys(short, "not of this difficulty"))
        shown = {"graded": with_degrees(sentence)}
        if self.takes_phrases:
            shown |= {"phrases": noun_phrases(sentence, self.tools), "objects": governed(sentence, self.tools)}
        variants = {test: variants_of(test, sentence, self.tools) for test in short}
        return Found(text, sentence, reasons | variants, **{name: list(values) for name, values in shown.items()})


def variants_of(test: str, sentence: Sentence, tools: Tools) -> list[str] | str:
    """A sentence's variants for a test, or why there are none."""
    try:
        return VARIATIONS[kind(test)](sentence, tools)[:VARIANTS_TRIED]
    except Unsuitable as reason:
        return str(reason)


def kind(test: str) -> str:
    """The name without its feature: "np" of "np:gender"."""
    return test.partition(":")[0]


# ---- In several processes ----

_reader: Reader | None = None  # of this process


def read_all(
    tries: Iterable[tuple[str, dict[str, int]]], reader: Reader, num_proc: int, remake: Callable[[], Reader]
) -> Iterator[Found]:
    """reader(*each) of what is to be tried, in order.

    Args:
        num_proc: processes at most: no more than there are cores, and this one alone for what one may be handed.
        remake: gives each of several processes a reader of its own.
    """
    tries, num_proc = iter(tries), min(num_proc, os.cpu_count() or 1)
    first = list(islice(tries, CHUNK if num_proc > 1 else 0))
    if len(first) < CHUNK:
        yield from (reader(*each) for each in chain(first, tries))
        return
    if current_process().daemon:
        raise ValueError(f"num_proc: found {num_proc} in a process of a pool, which may have none, expected 1 there")
    if get_start_method() != "fork":
        _check_sent(remake, num_proc)
    try:
        yield from _read_in_chunks(chain(first, tries), num_proc, remake)
    except BrokenProcessPool as error:
        raise ValueError(
            f"num_proc: found {num_proc} processes, of which one could not start or ended ({error}), expected enough "
            'memory, tools whose errors can be pickled, and a script that begins with if __name__ == "__main__":; or '
            "num_proc=1"
        ) from error


def _read_in_chunks(tries: Iterator, num_proc: int, remake: Callable[[], Reader]) -> Iterator[Found]:
    with ProcessPoolExecutor(num_proc, initializer=_start, initargs=(remake,)) as pool:
        waiting = deque()
        while chunk := list(islice(tries, CHUNK)):
            waiting.append(pool.submit(_read_chunk, chunk))
            if len(waiting) >= AHEAD * num_proc:
                yield from waiting.popleft().result()
        for chunk in waiting:
            yield from chunk.result()


def _check_sent(remake: Callable[[], Reader], num_proc: int) -> None:
    """Raise ValueError unless another process can be given the tools."""
    try:
        pickle.dumps(remake)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"num_proc: found {num_proc} and a function that cannot be sent to another process ({error}), expected "
            "functions defined at the top of a module, or num_proc=1"
        ) from error


def _start(remake: Callable[[], Reader]) -> None:
    """Make a process's reader; it leaves Ctrl-C to its parent, and ends with it."""
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _reader = remake()


def _end_with_parent() -> None:
    wait([parent_process().sentinel])
    os._exit(1)


def _read_chunk(chunk: list[tuple[str, dict[str, int]]]) -> list[Found]:
    return [_reader(*each) for each in chunk]
