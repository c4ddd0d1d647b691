"""A lexicon in the Lefff's format from a dictionary of Apertium, which many languages have; Debian packages them.

From the repository's root, for Spanish, or for any language from its compiled dictionaries (`*.automorf.bin`):

    apt-get install lttoolbox-dev apertium-spa-cat apertium-eng-spa
    python -m metrics.morpheval.lexicon_apertium \
        /usr/share/apertium/{apertium-spa-cat,apertium-eng-spa}/spa-*.automorf.bin spanish.mlex.xz

Apertium's dictionaries are free software, most of them under the GPL (/usr/share/doc/<package>/copyright): who passes
on a lexicon made of one does so under its licence. Tags of Apertium: Forcada et al. 2011.
"""

import argparse
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import hf_hub_download

from .common import progress
from .lexicon_lefff import OPENERS, Reading, cache_folder, is_file

PRINTER = "lt-print"  # of the package lttoolbox-dev
FOLDER = Path("/usr/share/apertium")
SECTION, NOTHING = "--", "ε"  # in what it prints
JOINED = "+"  # before a word that is written together with another: "verlo" is ver+lo
SEPARATORS = frozenset(" _")  # inside an entry of several words

CATEGORIES = {
    **dict.fromkeys(("vblex", "vbser", "vbhaver", "vbmod", "vaux"), "v"),
    **{"n": "nc", "np": "np", "adj": "adj", "adv": "adv", "preadv": "adv"},
    **{"det": "det", "predet": "det", "detnt": "det", "prn": "pro", "rel": "pro", "pr": "prep"},
    **{"cnjcoo": "coo", "cnjsub": "csu", "cnjadv": "csu", "ij": "pres", "num": "adj"},
}
LETTERS = {
    **{"pri": "P", "prs": "S", "pis": "T", "fts": "T", "pii": "I", "ifi": "J", "fti": "F", "cni": "C"},
    **{"imp": "Y", "inf": "W", "ger": "G", "pp": "K"},
    **{"p1": "1", "p2": "2", "p3": "3", "m": "m", "f": "f", "sg": "s", "pl": "p"},
}
VERB, PARTICIPLE = "v", "K"


class Dictionaries(NamedTuple):
    """Where the default lexicon of a language comes from.

    Attributes:
        files: compiled dictionaries, each below `FOLDER` in the folder of its Debian package.
        variable: the environment variable that names a lexicon's file, or a dataset on the Hub that has ``lexicon``.
        lexicon: the name of the lexicon's file.
    """

    files: tuple[str, ...]
    variable: str
    lexicon: str

    @property
    def paths(self) -> list[Path]:
        return [FOLDER / file for file in self.files]

    @property
    def packages(self) -> str:
        return " ".join(Path(file).parts[0] for file in self.files)


@lru_cache(maxsize=None)
def find_lexicon(wanted: Dictionaries) -> Path:
    """The lexicon that the environment variable names, else the one made of the installed package, kept in the cache.

    Raises:
        ValueError: none of them; the message says how to get one.
    """
    named = os.environ.get(wanted.variable)
    if named:
        return _named(named, wanted)
    made = cache_folder() / wanted.lexicon
    if not made.is_file():
        if not (all(path.is_file() for path in wanted.paths) and shutil.which(PRINTER)):
            raise ValueError(
                f"found none: install its dictionaries (apt-get install lttoolbox-dev {wanted.packages}) and load it "
                "again, or make a file where they are installed (python -m metrics.morpheval.lexicon_apertium "
                f"{' '.join(map(str, wanted.paths))} {wanted.lexicon}) and pass lexicon=<its path>, or name the file, "
                f"or a dataset on the Hub that has it, by the environment variable {wanted.variable}"
            )
        write_lexicon(wanted.paths, made)
    return made


def _named(name: str, wanted: Dictionaries) -> Path:
    """The file with this name, or the one in the Hub's dataset with this name."""
    if is_file(name):
        return Path(name)
    try:
        return Path(hf_hub_download(name, wanted.lexicon, repo_type="dataset"))
    except (OSError, ValueError) as error:  # no such dataset, no network, not the name of one
        raise ValueError(
            f"{wanted.variable}: found {name!r}, expected a file, or a dataset on the Hub that has "
            f"{wanted.lexicon} ({type(error).__name__})"
        ) from error


# ---- From a compiled dictionary to rows ----


def write_lexicon(sources: Iterable[str | Path], path: str | Path) -> int:
    """Write the rows of compiled dictionaries to an .mlex file (plain, .gz, .xz or .bz2); returns how many there are.

    Raises:
        ValueError: no such file, no lt-print, or a file that it cannot read.
    """
    path = Path(path)
    rows = chain.from_iterable(map(read_dictionary, sources))
    words = progress(rows, desc=f"Making {path.name} (once)", unit=" rows")
    rows = sorted({(form, *reading) for form, reading in words})
    unfinished = path.with_name(f"{os.getpid()}-{path.name}")  # the ending says how it is compressed
    try:
        with OPENERS.get(path.suffix, open)(unfinished, "wt", encoding="utf-8", newline="\n") as file:
            file.writelines("\t".join(row) + "\n" for row in rows)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return len(rows)


def read_dictionary(source: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every word of a compiled dictionary, of entries of one word."""
    if not is_file(source):
        raise ValueError(f"found no file {str(source)!r}, expected a compiled dictionary (*.automorf.bin)")
    try:
        printed = subprocess.run([PRINTER, str(source)], capture_output=True, encoding="utf-8")
    except FileNotFoundError as error:
        raise ValueError(f"found no {PRINTER}, expected it installed (apt-get install lttoolbox-dev)") from error
    if printed.returncode or not printed.stdout.strip():
        raise ValueError(f"{source}: found what {PRINTER} cannot read {printed.stderr.strip()}, expected a dictionary")
    return read_transducer(printed.stdout.splitlines())


def read_transducer(lines: Iterable[str]) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of the words of a transducer in the AT&T format: arcs are state, next state, surface, analysis.

    Its largest section has the words; others have punctuation and patterns of numbers and addresses, without end.

    >>> lines = ["0 1 v v", "1 2 i e", "2 3 o r", "3 4 ε <vblex>", "4 5 ε <ifi>", "5 6 ε <p3>", "6 7 ε <sg>", "7 0.0"]
    >>> list(read_transducer(line.replace(" ", "\\t") for line in lines))
    [('vio', Reading(category='v', lemma='ver', features='J3s'))]
    """
    sections = [(defaultdict(list), set())]
    for line in lines:
        row = line.split("\t")
        arcs, finals = sections[-1]
        if row[0] == SECTION:
            sections.append((defaultdict(list), set()))
        elif len(row) < 4:
            finals.add(row[0])
        else:
            state, following, *symbols = row[:4]
            arcs[state].append((following, *("" if symbol == NOTHING else symbol for symbol in symbols)))
    arcs, finals = max(sections, key=lambda section: len(section[0]))
    paths = [("0", "", "")]
    while paths:
        state, form, analysis = paths.pop()
        if state in finals and form:
            yield from _readings(form, analysis)
        for following, surface, analysed in arcs.get(state, ()):
            if surface not in SEPARATORS and analysed != JOINED:
                paths.append((following, form + surface, analysis + analysed))


def _readings(form: str, analysis: str) -> Iterator[tuple[str, Reading]]:
    """The reading "ver<vblex><ifi><p3><sg>" in the Lefff's letters; participles are adjectives, too, as there."""
    lemma, _, rest = analysis.partition("<")
    first, *others = re.findall(r"[^<>]+", rest) or [""]
    category = CATEGORIES.get(first, first)
    letters = "".join(LETTERS.get(tag, "") for tag in others)
    yield form, Reading(category, lemma, letters)
    if category == VERB and letters[:1] == PARTICIPLE:
        yield form, Reading("adj", lemma, letters)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make a lexicon for morpheval of compiled dictionaries of Apertium.")
    parser.add_argument("dictionaries", nargs="+", help="compiled dictionaries, *.automorf.bin")
    parser.add_argument("lexicon", help="the file to write: .mlex, plain or .gz, .xz, .bz2")
    given = parser.parse_args(arguments)
    try:
        rows = write_lexicon(given.dictionaries, given.lexicon)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(f"{given.lexicon}: {rows:,} rows, under the licence of {' '.join(given.dictionaries)}")


if __name__ == "__main__":
    main()
