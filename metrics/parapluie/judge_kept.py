"""Judges around another judge: answers kept on disk, so that an interrupted run resumes; questions that processes
share. What they do not have themselves, they have from the judge inside."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache

from .common import argument, closed_on_failure, input_error, text_of
from .common_judge import AnyOrder, completed, signature
from .common_prompts import ItemError

LOOKED_UP_TOGETHER = 500  # answers
TABLE = "results (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
LONGEST_WAIT = timedelta(days=1)  # of a process for the slowest one's answers


@contextmanager
def indices_of_all(indices: Sequence):
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
    or kill -9 an answer is there whole or not at all. Several processes may use one file, which is made if there is
    none. ValueError if it is no such store, is damaged, or cannot be written; what was kept before stays.
    """

    def __init__(self, judge, path: str):
        super().__init__(judge)
        self.path = os.fspath(path)
        with self._errors("which is no file of kept answers", "such a file or a new path"):
            path = os.path.abspath(path)  # ":memory:" is a file, too
            self.connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
            with closed_on_failure(self):
                # Nothing is written into a file of another program.
                if list(self.connection.execute("SELECT name FROM sqlite_master")):
                    self.connection.execute("SELECT key, value FROM results LIMIT 1")
                with suppress(sqlite3.OperationalError):  # some file systems cannot; another process may be at it
                    self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")  # thousands of transactions a second
                self.connection.execute(f"CREATE TABLE IF NOT EXISTS {TABLE}")

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
        for digest, conversation in zip(digests, conversations, strict=True):
            digest.update(json.dumps(conversation).encode())
        return [digest.hexdigest() for digest in digests]

    def _kept(self, keys):
        """{key: value} of those keys that have one."""
        kept = {}
        for start in range(0, len(keys), LOOKED_UP_TOGETHER):
            some = keys[start : start + LOOKED_UP_TOGETHER]
            query = f"SELECT key, value FROM results WHERE key IN ({', '.join('?' * len(some))})"
            with self._errors("which is damaged", "the file as it was left"):
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
            found, expected = f"which is closed ({error})", "a judge that is open"
            raise input_error(argument("resume"), f"{self.path!r}, {found}", expected) from None
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
            raise input_error(argument("resume"), f"{self.path!r}, {found} ({error})", expected) from None


class Shared(Around):
    """A judge whose questions the processes of "accelerate launch" share; all get all answers, or the same error."""

    def as_completed(self, method: str, conversations: list, argument) -> Iterator[tuple]:
        """Yield (index, value) of the own share as they come, and then of all others."""
        rank, n_processes = place_among_processes()
        indices = range(rank, len(conversations), n_processes)
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
        for values, its_failure in gathered((own, failure), n_processes):
            if its_failure is not None:
                index, message = its_failure
                raise ValueError(message) if index is None else ItemError(index, message)
            yield from ((i, value) for i, value in values.items() if i not in own)


# ---- Processes ----


def place_among_processes() -> tuple[int, int]:
    """(number of this process, how many there are): of the caller's process group, or as they were launched."""
    import torch.distributed as dist
    from accelerate.utils import get_cpu_distributed_information

    if dist.is_initialized():
        return dist.get_rank(), dist.get_world_size()
    launched = get_cpu_distributed_information()
    return launched.rank, launched.world_size


def own_device() -> str:
    """The device of this process, which becomes torch's current one: its GPU, or "cpu" where there is none."""
    import torch
    from accelerate.utils import get_cpu_distributed_information

    if not torch.accelerator.is_available():
        return "cpu"
    index = get_cpu_distributed_information().local_rank % torch.accelerator.device_count()
    torch.accelerator.set_device_index(index)
    return f"{torch.accelerator.current_accelerator()}:{index}"


def gathered(item, n_processes: int) -> list:
    """What each of the processes gives, in their order; all must call it.

    Their process group ends here, and is a second one beside the caller's, if there is one. A group that is left to the
    end of a script may abort it: its threads still run when C++ tears down what they use.
    """
    import torch.distributed as dist

    if n_processes == 1:
        return [item]
    items = [None] * n_processes
    if dist.is_initialized():
        group = dist.new_group(backend="gloo", timeout=LONGEST_WAIT)
    else:
        store, rank, n_processes = meeting_place()
        # Not where an earlier group has left its addresses; counted in the store, for all copies of this module.
        here = dist.PrefixStore(f"parapluie {store.add(f'groups of {rank}', 1)}", store)
        dist.init_process_group("gloo", timeout=LONGEST_WAIT, store=here, rank=rank, world_size=n_processes)
        group = dist.group.WORLD
    try:
        dist.all_gather_object(items, item, group)
    finally:
        dist.destroy_process_group(group)
    return items


@cache
def meeting_place() -> tuple:
    """(store, number of this process, number of processes): where those that were launched find each other."""
    import torch.distributed as dist

    return next(dist.rendezvous("env://", *place_among_processes(), timeout=LONGEST_WAIT))
