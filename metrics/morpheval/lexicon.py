"""Morphological lexicons in the format of the Lefff (Sagot 2010): how they are read, their index on disk.

Each row is a form, its category, its lemma and its features: "avait v avoir I3s". Reading the 549,274 rows of the
Lefff takes seconds and hundreds of megabytes, so they are put once into an SQLite file in the user's cache, and later
only those of the words in question are looked up there.
"""

import atexit
import bz2
import csv
import gzip
import hashlib
import lzma
import os
import shutil
import sqlite3
import tempfile
import time
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, cast

from huggingface_hub import cached_assets_path

from .common import argument, input_error, prefix_errors, progress, short_repr, warn
from .common_write import whole_file

LIBRARY, INDEX_VERSION = "morpheval", 3  # where the cache keeps indices
LEFFF_ENTRY = "_error"  # the Lefff's own, by which it is known from other lexicons
HOUR = 3600  # seconds
DIGITS = 12  # of a digest, in signatures and messages
QUERY_SIZE = 500  # words in one query; SQLite admits 999 in its oldest builds

OPENERS: dict[str, Callable] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error)  # what damaged archives raise


def open_text(path: str | Path, encoding: str = "utf-8", **options):
    """A text file for reading, compressed if its name ends so."""
    return OPENERS.get(Path(path).suffix, open)(path, "rt", encoding=encoding, **options)


def is_file(path: str | Path) -> bool:
    """Whether there is a file; what the system does not take for a path is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


class Reading(NamedTuple):
    """What the lexicon says about a form; ``features`` as in the Lefff: "I3s", "mp", "" for none."""

    category: str
    lemma: str
    features: str


class Lexicon:
    """Readings of words, from an index made by `build_index`.

    Args:
        path: the index.
        source: the file that it was made from; without one the index itself counts as it.
    """

    def __init__(self, path: str | Path, source: str | Path | None = None):
        self.path, self.source = Path(path), Path(source or path)

    def signature(self) -> str:
        """The first digits of the SHA-256 of the source file."""
        return digest_of(self.source)[:DIGITS]

    @prefix_errors(argument("lexicon"))
    def readings(self, words: Iterable[str]) -> dict[str, tuple[Reading, ...]]:
        """The readings of lower-case words; a word that is not in the lexicon is not in the result."""
        by_form: dict[str, list[Reading]] = {}
        rest = iter(sorted(words))  # in the order of the file
        try:
            with closing(_open(self.path)) as connection:
                while some := list(islice(rest, QUERY_SIZE)):
                    marks = ",".join("?" * len(some))
                    query = f"SELECT form, category, lemma, features FROM readings WHERE form IN ({marks})"
                    for form, *reading in connection.execute(query, some):
                        by_form.setdefault(form, []).append(Reading._make(reading))
        except sqlite3.Error as error:
            raise input_error(
                "",
                f"the index {str(self.path)!r} damaged ({error})",
                "an index as it was built; remove this one and load the lexicon again",
            ) from error
        return {form: tuple(readings) for form, readings in by_form.items()}


def digest_of(path: Path) -> str:
    """The SHA-256 of a file as it is now."""
    state = path.stat()
    return _digest((path, state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=None)
def _digest(path_and_state: tuple[Path, int, int]) -> str:
    digest = hashlib.sha256()
    with open(path_and_state[0], "rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return digest.hexdigest()


@prefix_errors(argument("lexicon"))
def load(lexicon: str | Path | Lexicon | None = None, default: Callable[[], Path] | None = None) -> Lexicon:
    """The lexicon at a path, else the one that the language has by default.

    Args:
        lexicon: an .mlex file (plain, .gz, .xz or .bz2), a .parquet file like the Hub's, or a Lexicon already loaded.
        default: finds the file where none is given.

    Raises:
        ValueError: no such file, a file that is not a lexicon (with the line), or no lexicon anywhere; the message says
            how to get one.
    """
    if hasattr(lexicon, "readings"):  # not isinstance: evaluate loads its own copy of this module
        return cast(Lexicon, lexicon)
    if lexicon is None:
        if default is None:
            raise input_error("", "no lexicon, and the language has none by default", "the path of a Lefff .mlex file")
        source = default()
    elif not isinstance(lexicon, (str, Path)):
        raise input_error("", short_repr(lexicon), "the path of a Lefff .mlex file")
    else:
        source = Path(os.path.expanduser(lexicon))
        if not is_file(source):
            raise input_error("", f"no file {short_repr(str(source))}", "the path of a Lefff .mlex file")
    return _lexicon_at(_index_of(source), source)


@lru_cache(maxsize=None)
def _lexicon_at(index: Path, source: Path) -> Lexicon:
    """One object for one index, so that what is found out with it is kept from call to call."""
    return Lexicon(index, source)


# ---- Reading ----


def read_mlex(path: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every row of an .mlex file: four columns separated by tabs, UTF-8, plain or compressed.

    Accents are composed, as they are in translations.

    Raises:
        ValueError: a line without four columns, or not UTF-8 (with file and line).
    """
    number = 0
    with open_text(path, newline="") as lines:
        try:
            rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            for number, row in enumerate(rows, start=1):  # noqa: B007 an error names the line
                if len(row) != 4:
                    raise input_error("", f"{len(row)} columns", "4 columns: form, category, lemma, features")
                form, *reading = (unicodedata.normalize("NFC", cell) for cell in row)
                yield form, Reading(*reading)
        except (ValueError, csv.Error, *UNREADABLE) as error:
            raise _unfit(f"{path}, line {number}" if number else path, error) from error


def read_parquet(path: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every row of the Hub's file: columns form, category, lemma and msfeatures.

    Raises:
        ValueError: other columns.
    """
    import pyarrow
    from pyarrow import parquet

    columns = ["form", "category", "lemma", "msfeatures"]
    try:
        table = parquet.ParquetFile(path)
        if not set(columns) <= set(table.schema_arrow.names):
            raise input_error("", f"the columns {table.schema_arrow.names}", str(columns))
        for batch in table.iter_batches(columns=columns):
            texts = (batch.column(name).cast(pyarrow.string()).to_pylist() for name in columns)
            for form, *reading in zip(*texts, strict=True):
                if form:
                    yield form, Reading(*(value or "" for value in reading))
    except (ValueError, OSError, pyarrow.ArrowException) as error:
        raise _unfit(path, error) from error


def _unfit(where, error) -> ValueError:
    """The error for a file that is not a lexicon, from what was raised while it was read."""
    message = str(error)
    if not message.startswith("found"):
        message = f"found a file that cannot be read ({message}), expected a Lefff file"
    return ValueError(f"{where}: {message}")


# ---- The index ----


def build_index(entries: Iterable[tuple[str, Reading]], path: str | Path) -> None:
    """Write the index of (form, reading) pairs; forms are folded to lower case.

    It is written beside its place and then put there, so that whoever looks sees a whole index or none. What a build
    that was killed has left is removed when it is an hour old: until then it may be another process's.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for leftover in path.parent.glob("*.unfinished"):
        with suppress(OSError):  # another process may do the same
            if time.time() - leftover.stat().st_mtime > HOUR:
                leftover.unlink()
    with whole_file(path) as place, closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute(
            "CREATE TABLE readings (form TEXT, category TEXT, lemma TEXT, features TEXT, "
            "PRIMARY KEY (form, category, lemma, features)) WITHOUT ROWID"
        )
        rows = ((form.lower(), *reading) for form, reading in entries)
        connection.executemany("INSERT OR IGNORE INTO readings VALUES (?, ?, ?, ?)", rows)
        connection.execute(f"PRAGMA user_version = {INDEX_VERSION}")


def _index_of(source: Path) -> Path:
    """The index of a file, built if there is none yet of this file as it is now."""
    state = source.resolve().stat()
    identity = f"{source.resolve()} {state.st_size} {state.st_mtime_ns}"
    path = cache_folder() / f"lefff-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.sqlite"
    if not _is_index(path):
        entries = read_parquet(source) if source.suffix == ".parquet" else read_mlex(source)
        first = next(entries, None)
        if first is None:
            raise input_error(str(source), "no rows", "a Lefff file")
        rows = progress(chain([first], entries), desc="Indexing the lexicon (once)", unit=" rows", unit_scale=True)
        try:
            build_index(rows, path)
        except (OSError, sqlite3.Error) as error:
            raise input_error(
                "",
                f"{str(path.parent)!r}, where its index cannot be written ({error})",
                "room for about 60 MB; the environment variable HF_ASSETS_CACHE names another place",
            ) from error
    return path


@lru_cache(maxsize=None)
def cache_folder() -> Path:
    """The user's cache, or where that cannot be written a folder of this process, with the indices that are there."""
    folder = None
    try:
        folder = cached_assets_path(library_name=LIBRARY, namespace="lexicon", subfolder=f"v{INDEX_VERSION}")
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, ValueError) as error:  # ValueError: a file is where a folder should be
        warn(f"the lexicon's index cannot be kept ({error}); a new one is built in each process")
        own = Path(tempfile.mkdtemp(prefix=f"{LIBRARY}-"))
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        for index in folder.glob("*.sqlite") if folder else ():
            (own / index.name).symlink_to(index)
        return own


def _is_index(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with closing(_open(path)) as connection:
            return connection.execute("PRAGMA user_version").fetchone() == (INDEX_VERSION,)
    except sqlite3.DatabaseError:
        return False


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
