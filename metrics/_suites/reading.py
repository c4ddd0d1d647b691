"""What each sentence of a corpus has to give, worked out by itself: in this process, or in several at once."""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from multiprocessing import current_process, get_start_method, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import NamedTuple

from ..morpheval.common import argument, input_error
from .bases import Base, read_base
from .clauses import Sentence, Unsuitable, is_of
from .tools import Phrase, Tools
from .variants_adjectives import adj_consistency, comparative, superlative
from .variants_deeds import coord_verb, verb_consistency
from .variants_nouns import coref, governed, noun_number, noun_phrases, np, pronoun_number
from .variants_verbs import conditional, future, negation, past, subjunctive

# By the tests, each with the function that writes its variants.
VARIATIONS: dict[str, Callable[[Sentence, Tools], list[str]]] = {
    **{"past": past, "future": future, "conditional": conditional, "subjunctive": subjunctive},
    **{"pronoun_number": pronoun_number, "comparative": comparative, "superlative": superlative},
    **{"negation": negation, "noun_number": noun_number, "coord_verb": coord_verb, "np": np, "coref": coref},
    **{"verb_consistency": verb_consistency, "adj_consistency": adj_consistency},
}
OF_TWO_CLAUSES = ("subjunctive", "coref")
WITH_PHRASES = "np"  # the test whose variants take phrases of the corpus
VARIANTS_TRIED = 12
CHUNK, AHEAD = 200, 3  # sentences that a process is handed at a time; chunks for each process that may be waiting

Try = tuple[Base, list[str]]  # what may be the base of some tests, and these


class Usage(NamedTuple):
    """What was read for some tests shows of usage: adjectives with nouns; verbs, each with a noun that it governs."""

    tests: tuple[str, ...]
    phrases: list[Phrase]
    objects: list[tuple[str, str]]


class Found(NamedTuple):
    """What a text gives: by tests, a base with its variants, or why it has none; and what of it shows of usage."""

    text: str
    variants: dict[str, tuple[Sentence, list[str]] | str]
    usages: list[Usage]


class Reader:
    """Reads texts, up to so many tokens of each base: a function of a text and what of it is to be tried.

    longest: how many tokens the bases of each test may have.
    """

    def __init__(self, tools: Tools, difficulty: str, longest: dict[str, int], max_tokens: int):
        self.tools, self.longest, self.max_tokens = tools, longest, max_tokens
        self.suits, self.takes_phrases = partial(is_of, difficulty), WITH_PHRASES in map(kind, longest)

    def __call__(self, text: str, tries: list[Try]) -> Found:
        """For each test the first base that has variants, or why the last one tried has none.

        Where a clause stands alone that a test was tried on, all of the sentence is tried for the tests of two clauses
        only: it gives the others next to nothing more. What else is tried must not matter here: which tests are still
        open depends on the order of the corpus.
        """
        found = Found(text, {}, [])
        clauses: set[str] = set()  # the tests that were tried on a clause
        for base, tests in tries:
            whole = base.following is None
            done = {test for test in clauses if kind(test) not in OF_TWO_CLAUSES} if whole else set()
            done |= {test for test, given in found.variants.items() if not isinstance(given, str)}
            wanted = [test for test in tests if test not in done]
            if not wanted:
                continue
            try:
                sentences = read_base(base, self.tools, self.max_tokens)
            except Unsuitable as reason:
                found.variants.update(dict.fromkeys(wanted, str(reason)))
                continue
            new = set(wanted) - clauses if self.takes_phrases else ()  # for the others a clause has shown it
            if new:
                all_of_it = sentences[-1].text == base.text
                found.usages.append(self._usage(new, sentences[-1:] if all_of_it else sentences))
            for sentence in sentences:
                self._vary(sentence, wanted, found.variants)
            if not whole and any(map(self.suits, sentences)):
                clauses.update(wanted)
        return found

    def _vary(self, sentence: Sentence, tests: list[str], variants: dict) -> None:
        """Note for each test without variants what this sentence gives."""
        length, suits = len(sentence.tokens) - sentence.text.count('"'), self.suits(sentence)
        for test in tests:
            if isinstance(variants.get(test, ""), str):
                reason = "too long" if length > self.longest[test] else "" if suits else "not of this difficulty"
                given = reason or variants_of(test, sentence, self.tools)
                variants[test] = given if isinstance(given, str) else (sentence, given)

    def _usage(self, tests: Iterable[str], sentences: list[Sentence]) -> Usage:
        phrases = [phrase for sentence in sentences for phrase in noun_phrases(sentence, self.tools)]
        objects = [pair for sentence in sentences for pair in governed(sentence, self.tools)]
        return Usage(tuple(sorted(tests)), phrases, objects)


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

_reader: Reader  # of this process, once `_start` has made it


def read_all(
    tries: Iterable[tuple[str, list[Try]]], reader: Reader, num_proc: int, remake: Callable[[], Reader]
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
        raise input_error(argument("num_proc"), f"{num_proc} in a worker process, which may start no other", "1 there")
    try:
        if get_start_method() != "fork":
            pickle.dumps(remake)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise input_error(
            argument("num_proc"),
            f"{num_proc} and a function that cannot be sent to another process ({error})",
            "functions defined at the top of a module, or num_proc=1",
        ) from error
    try:
        yield from _read_in_chunks(chain(first, tries), num_proc, remake)
    except BrokenProcessPool as error:
        raise input_error(
            argument("num_proc"),
            f"{num_proc} processes, of which one could not start or ended ({error})",
            "enough memory, tools whose errors can be pickled, and a script that begins with if "
            '__name__ == "__main__":; or num_proc=1',
        ) from error


def _read_in_chunks(tries: Iterator, num_proc: int, remake: Callable[[], Reader]) -> Iterator[Found]:
    with ProcessPoolExecutor(num_proc, initializer=_start, initargs=(remake,)) as pool:
        waiting: deque = deque()
        while chunk := list(islice(tries, CHUNK)):
            waiting.append(pool.submit(_read_chunk, chunk))
            if len(waiting) >= AHEAD * num_proc:
                yield from waiting.popleft().result()
        for chunk in waiting:
            yield from chunk.result()


def _start(remake: Callable[[], Reader]) -> None:
    """Make a process's reader; it leaves Ctrl-C to its parent, and ends with it."""
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    _reader = remake()


def _end_with(parent_sentinel: int) -> None:
    wait([parent_sentinel])
    os._exit(1)


def _read_chunk(chunk: list[tuple[str, list[Try]]]) -> list[Found]:
    return [_reader(*each) for each in chunk]
