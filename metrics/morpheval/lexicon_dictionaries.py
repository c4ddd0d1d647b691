"""Where a language's lexicon is found, or the dictionaries that it is made of, as Debian packages them.

They need not be installed. Spanish from a folder into which packages were unpacked (or sources put):

    apt-get download apertium-spa-cat apertium-eng-spa && for p in *.deb; do dpkg -x $p here; done
    MORPHEVAL_SPANISH=here python ...
"""

import lzma
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import hf_hub_download

from .common import input_error, progress
from .common_write import whole_file
from .lexicon import OPENERS, Reading, cache_folder, is_file
from .lexicon_apertium import read_apertium
from .lexicon_morphit import read_morphit
from .lexicon_natura import read_natura

FOLDER = Path("/usr/share")  # of Debian's packages


class Kind(NamedTuple):
    """A kind of dictionary: how it is read, and whose it is."""

    read: Callable
    credit: str


APERTIUM = Kind(read_apertium, "Apertium (Forcada et al. 2011; apertium.org), GPL")
NATURA = Kind(read_natura, "Projecto Natura (Almeida and Simões; natura.di.uminho.pt), GPL, LGPL or MPL")
MORPHIT = Kind(read_morphit, "Morph-it! (Zanchetta and Baroni 2005), CC BY-SA 2.0 or LGPL")
KINDS = {".bin": APERTIUM, ".dix": APERTIUM, ".dic": NATURA, ".json": MORPHIT}
NOT_READ = (OSError, ValueError, LookupError, AttributeError, TypeError, RecursionError, re.error)
ENDINGS = (".mlex", *(f".mlex{ending}" for ending in OPENERS))
# A lexicon is read by whoever made it: the quickest of xz's ways takes a twentieth of the time and a quarter more room.
WRITERS = OPENERS | {".xz": partial(lzma.open, preset=1)}
ROW_MARKS = frozenset("\t\r\n")  # of rows, which no form may have
VERSION = 10  # of how lexicons are made: one that was made otherwise is not taken from the cache


class Dictionaries(NamedTuple):
    """Where the default lexicon of a language comes from.

    Attributes:
        packages: of Debian, with ``files``.
        files: dictionaries in /usr/share, the most trustworthy first.
        source: a dictionary's source, which will do instead of ``files``.
        variable: the environment variable that names a file, a folder with dictionaries, or a dataset on the Hub that
            has ``lexicon``: "ORG/NAME@REVISION", so that it stays the same.
        lexicon: the name of the lexicon's file.
        more: dictionaries with further words, if the folder that the variable names has them.
    """

    packages: str
    files: tuple[str, ...]
    source: str
    variable: str
    lexicon: str
    more: tuple[str, ...] = ()

    def installed(self) -> list[Path]:
        """The dictionaries of Debian's packages; none unless all are there."""
        paths = [FOLDER / file for file in self.files]
        return paths if all(map(is_file, paths)) else []

    def found_in(self, folder: Path) -> list[Path]:
        """The dictionaries anywhere in a folder: those of the packages, or a source, and more."""
        found = [path for file in self.files for path in sorted(folder.rglob(Path(file).name))[:1]]
        if len(found) < len(self.files):
            found = sorted(folder.rglob(self.source))[:1]
        return found and found + [path for file in self.more for path in sorted(folder.rglob(file))[:1]]


def find_lexicon(wanted: Dictionaries) -> Path:
    """The lexicon that the environment variable names, else the one made of the installed packages, kept in the cache.

    Raises:
        ValueError: none of them; the message says how to get one.
    """
    return _find(wanted, os.path.expanduser(os.environ.get(wanted.variable, "")))


@lru_cache(maxsize=None)
def _find(wanted: Dictionaries, named: str) -> Path:
    if named and not os.path.isdir(named):
        return _named(named, wanted)
    dictionaries = wanted.found_in(Path(named)) if named else wanted.installed()
    if not dictionaries:
        raise input_error(
            "",
            f"not all dictionaries in {named or FOLDER}",
            f"{', '.join(wanted.files)}: install them (apt-get install {wanted.packages}), or name by "
            f"the environment variable {wanted.variable} a folder that has them (apt-get download and "
            f"dpkg -x need no root; or {wanted.source}, a source), a file that 'meaning-metrics "
            f"lexicon' made elsewhere, or a dataset on the Hub that has {wanted.lexicon}",
        )
    files = [*dictionaries, *filter(is_file, (path.with_suffix(".aff") for path in dictionaries))]
    states = [VERSION, *((str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files)]
    made = cache_folder() / f"{zlib.crc32(repr(states).encode()):08x}-{wanted.lexicon}"
    if not made.is_file():
        write_lexicon(dictionaries, made)
    return made


def _named(name: str, wanted: Dictionaries) -> Path:
    """The file with this name, or the one in the Hub's dataset with this name, at the revision behind its "@"."""
    if is_file(name):
        return Path(name)
    dataset, _, revision = name.partition("@")
    try:
        return Path(hf_hub_download(dataset, wanted.lexicon, repo_type="dataset", revision=revision or None))
    except (OSError, ValueError) as error:  # no such dataset, no network, not the name of one
        raise input_error(
            wanted.variable,
            repr(name),
            f"a file, a folder, or a dataset on the Hub that has {wanted.lexicon} ({type(error).__name__})",
        ) from error


# ---- From a dictionary to rows ----


def write_lexicon(sources: Iterable[str | Path], path: str | Path) -> int:
    """Write the rows of dictionaries to an .mlex file (plain, .gz, .xz or .bz2); returns how many there are.

    A form has its readings of each category, participles apart, by the first dictionary that knows it so: a common word
    does not get the readings of rare homographs of its kind.

    Raises:
        ValueError: no such file, one that is no dictionary or has no words, or a path that does not end so.
    """
    path = Path(path)
    rows: set[tuple[str, ...]] = set()
    if not path.name.endswith(ENDINGS):
        raise input_error("", f"{str(path)!r} to write to", f"a name that ends in {', '.join(ENDINGS)}")
    for source in sources:
        known = {_use(form, category, features) for form, category, _, features in rows}
        words = progress(read_dictionary(source), desc=f"Making {path.name} (once)", unit=" rows")
        found = ((form, *reading) for form, reading in words)
        new = {row for row in found if _use(row[0], row[1], row[3]) not in known}
        if not new and not rows:
            raise input_error(str(source), "no words", "a dictionary of words")
        rows |= new
    opener = WRITERS.get(path.suffix, open)
    try:
        with whole_file(path) as place, opener(place, "wt", encoding="utf-8", newline="\n") as file:
            file.writelines("\t".join(row) + "\n" for row in sorted(rows))
    except OSError as error:
        raise input_error("", f"{str(path)!r}, where nothing can be written ({error})", "a writable folder") from error
    return len(rows)


def credits_of(sources: Iterable[str | Path]) -> list[str]:
    """Whose the dictionaries are, by the endings of their names.

    Raises:
        ValueError: a file that is none by its name.
    """
    return list(dict.fromkeys(_kind_of(source).credit for source in sources))


def _kind_of(source: str | Path) -> Kind:
    kind = KINDS.get(Path(source).suffix)
    if kind is None:
        raise input_error("", repr(str(source)), f"a dictionary, a file that ends in {' or '.join(KINDS)}")
    return kind


def _use(form: str, category: str, features: str) -> tuple[str, str, bool]:
    """What two dictionaries may both know of a form: of which category it is, and whether as a participle."""
    return form.lower(), category, features[:1] == "K"


def read_dictionary(source: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every word of a dictionary.

    Raises:
        ValueError: no such file, or one that cannot be read.
    """
    kind = _kind_of(source)
    if not is_file(source):
        raise input_error("", f"no file {str(source)!r}", "a dictionary")
    try:
        for form, reading in kind.read(source):
            if not isinstance(form, str) or not form or not ROW_MARKS.isdisjoint(form):
                raise ValueError(f"the form {form!r}")
            yield form, reading
    except NOT_READ as error:
        if str(error).startswith(f"{source}: "):
            raise
        what = kind.credit.partition(" (")[0]
        raise input_error(str(source), f"a file that cannot be read ({error!r})", f"a dictionary of {what}") from error
