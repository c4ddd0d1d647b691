"""Judges around another judge: answers kept on disk, so that an interrupted run resumes; questions that processes
share. What they do not have themselves, they have from the judge inside."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .common import argument, input_error, text_of
from .common_judge import AnyOrder, completed, signature
from .common_prompts import ItemError

LOOKED_UP_TOGETHER = 500  # answers


@contextmanager
def indices_of_all(indices: list):
    """An ItemError raised inside, about one of some items, has its index among all."""
    try:
        yield
    except ItemError as error:
        raise ItemError(indices[error.index], text_of(error)) from error


class Around(AnyOrder):
    """A judge around another: its name, signature and whatever else it has."""

    def __init__(self, judge):
        self.judge = judge

    def signature(self) -> str:
        """That of the judge inside."""
        return signature(self.judge)

    def __getattr__(self, name):
        if name in ("judge", "as_completed"):  # not there yet, while a copy is made
            raise AttributeError(name)
        return getattr(self.judge, name)


class Kept(Around):
    """A judge that keeps every answer of another in a SQLite file, as it is made, and asks nothing twice.

    An answer's key is a digest of all that it depends on: the judge, what is asked for, the conversation. After a crash
    or kill -9 an answer is there whole or not at all. Several processes may use one file.

    Args:
        path: the file, which is made if there is none.

    Raises:
        ValueError: the file is no such store, is damaged, or cannot be written (the disk is full, say); what was kept
            before stays.
    """

    def __init__(self, judge, path: str):
        super().__init__(judge)
        self.path = os.fspath(path)
        with self._errors("which is no score file", "one or a new path"):
            path = os.path.abspath(path)  # ":memory:" is a file, too
            self.connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
            with suppress(sqlite3.OperationalError):  # some file systems cannot; another process may be at it
                self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")  # thousands of transactions a second, one an answer
            self.connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            self.connection.execute("SELECT key, value FROM results LIMIT 1")

    def __reduce__(self):
        """For pickle: the file is opened anew."""
        return Kept, (self.judge, self.path)

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, value) of every conversation: what is kept first, then what is asked, kept at once."""
        keys = self.keys(method, conversations, argument)
        kept = self._kept(keys)
        yield from ((i, kept[key]) for i, key in enumerate(keys) if key in kept)
        indices = [i for i, key in enumerate(keys) if key not in kept]
        with indices_of_all(indices):
            for k, value in completed(self.judge, method, [conversations[i] for i in indices], argument):
                with self._errors("which cannot be written", "room for the answers; what was kept before is there"):
                    row = keys[indices[k]], json.dumps(value)
                    self.connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", row)
                yield indices[k], value

    def keys(self, method: str, conversations: list, argument) -> list[str]:
        """The digests under which the answers to conversations are kept."""
        identity = getattr(self.judge, "identity", self.judge.name)
        common = hashlib.sha256(json.dumps([identity, method, argument]).encode("utf-8", "surrogatepass"))
        digests = [common.copy() for _ in conversations]
        for digest, conversation in zip(digests, conversations):
            digest.update(json.dumps(conversation).encode())
        return [digest.hexdigest() for digest in digests]

    def _kept(self, keys):
        """{key: value} of those keys that have one."""
        kept = {}
        for start in range(0, len(keys), LOOKED_UP_TOGETHER):
            some = keys[start : start + LOOKED_UP_TOGETHER]
            query = f"SELECT key, value FROM results WHERE key IN ({', '.join('?' * len(some))})"
            with self._errors("damaged", "it as it was left"):
                kept |= {key: json.loads(value) for key, value in self.connection.execute(query, some)}
        return kept

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    @contextmanager
    def _errors(self, found, expected):
        try:
            yield
        except sqlite3.ProgrammingError as error:
            found, expected = f"closed ({error})", "another judge for it"
            raise input_error(argument("resume"), f"{self.path!r}, {found}", expected) from None
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
            raise input_error(argument("resume"), f"{self.path!r}, {found} ({error})", expected) from None


class Shared(Around):
    """A judge whose questions the processes of "accelerate launch" share; all get all answers, or the same error."""

    def __init__(self, judge):
        super().__init__(judge)
        self.state = processes()

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, value) of the own share as they come, and then of all others."""
        from accelerate.utils import gather_object

        indices = range(self.state.process_index, len(conversations), self.state.num_processes)
        own, failure = {}, None
        try:
            with indices_of_all(indices):
                for k, value in completed(self.judge, method, [conversations[i] for i in indices], argument):
                    own[indices[k]] = value
                    yield indices[k], value
        except Exception as error:  # the others wait for this process
            failure = (getattr(error, "index", None), text_of(error))
            if not isinstance(error, ValueError):
                failure = (None, f"{type(error).__name__}: {error}")
        for values, failure in gather_object([(own, failure)]):
            if failure is not None:
                index, message = failure
                raise ValueError(message) if index is None else ItemError(index, message)
            yield from ((i, value) for i, value in values.items() if i not in own)


def processes():
    """The processes that "accelerate launch" has started: accelerate's state, joined by gloo where there is no GPU."""
    import torch
    from accelerate import PartialState

    return PartialState(cpu=not torch.accelerator.is_available())
