"""A lexicon in the Lefff's format from dictionaries of Apertium, which many languages have; Debian packages them.

They need not be installed. Spanish from a folder into which packages were unpacked (or sources put):

    apt-get download apertium-spa-cat apertium-eng-spa && for p in *.deb; do dpkg -x $p here; done
    MORPHEVAL_SPANISH=here/usr/share/apertium python ...

A table for all, made of compiled dictionaries (`*.automorf.bin`, `*.autogen.bin`) or sources (`*.dix`), and published
on the Hub:

    python -m metrics.morpheval.lexicon_apertium \
        here/usr/share/apertium/apertium-cat-ita/{ita-cat.automorf,cat-ita.autogen}.bin italian.mlex.xz \
        --publish ORG/NAME --license gpl-2.0

Apertium's dictionaries are free software, most of them under the GPL (/usr/share/doc/<package>/copyright): who passes
on a lexicon made of one does so under its licence. Tags of Apertium: Forcada et al. 2011.
"""

import argparse
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import HfApi, hf_hub_download

from .common import progress
from .lexicon_dictionaries import read_compiled, read_source
from .lexicon_lefff import OPENERS, Reading, cache_folder, is_file

FOLDER = Path("/usr/share/apertium")  # of Debian's packages
READERS = {".bin": read_compiled, ".dix": read_source}

CATEGORIES = {
    **dict.fromkeys(("vblex", "vbser", "vbhaver", "vbmod", "vaux"), "v"),
    **{"n": "nc", "np": "np", "adj": "adj", "adv": "adv", "preadv": "adv"},
    **{"det": "det", "predet": "det", "detnt": "det", "prn": "pro", "rel": "pro", "pr": "prep"},
    **{"cnjcoo": "coo", "cnjsub": "csu", "cnjadv": "csu", "ij": "pres", "num": "adj"},
}
LETTERS = {
    **{"pri": "P", "prs": "S", "pis": "T", "fts": "T", "pii": "I", "ifi": "J", "fti": "F", "cni": "C"},
    **{"imp": "Y", "inf": "W", "ger": "G", "pp": "K", "pmp": "J", "infps": "W"},
    **{"p1": "1", "p2": "2", "p3": "3", "m": "m", "f": "f", "sg": "s", "pl": "p"},
}
VERB, NAME, PARTICIPLE = "v", "np", "K"
NUMERAL = "num"


class Dictionaries(NamedTuple):
    """Where the default lexicon of a language comes from.

    Attributes:
        files: compiled dictionaries, each in the folder of its Debian package.
        source: of a dictionary, which will do as well.
        variable: the environment variable that names a file, a folder with dictionaries, or a dataset on the Hub that
            has ``lexicon``.
        lexicon: the name of the lexicon's file.
    """

    files: tuple[str, ...]
    source: str
    variable: str
    lexicon: str

    def found_in(self, folder: Path) -> list[Path]:
        """The dictionaries in a folder: compiled, below it as in packages or in itself, or a source."""
        choices = [self.files, [Path(file).name for file in self.files], [self.source]]
        paths = ([folder / name for name in names] for names in choices)
        return next((some for some in paths if all(map(is_file, some))), [])


@lru_cache(maxsize=None)
def find_lexicon(wanted: Dictionaries) -> Path:
    """The lexicon that the environment variable names, else the one made of the installed package, kept in the cache.

    Raises:
        ValueError: none of them; the message says how to get one.
    """
    named = os.environ.get(wanted.variable, "")
    if named and not os.path.isdir(named):
        return _named(named, wanted)
    made, dictionaries = cache_folder() / wanted.lexicon, wanted.found_in(Path(named) if named else FOLDER)
    if named and dictionaries:
        states = [(str(path.resolve()), path.stat().st_mtime_ns) for path in dictionaries]
        made = made.with_name(f"{zlib.crc32(repr(states).encode()):08x}-{wanted.lexicon}")
    if not made.is_file() or named and not dictionaries:
        if not dictionaries:
            packages = " ".join(Path(file).parts[0] for file in wanted.files)
            raise ValueError(
                f"found none in {named or FOLDER}: install its dictionaries (apt-get install {packages}), or name by "
                f"the environment variable {wanted.variable} a folder that has them (apt-get download and dpkg -x need "
                f"no rights; or {wanted.source}, their source), a file that lexicon_apertium made elsewhere, or a "
                f"dataset on the Hub that has {wanted.lexicon}"
            )
        write_lexicon(dictionaries, made)
    return made


def _named(name: str, wanted: Dictionaries) -> Path:
    """The file with this name, or the one in the Hub's dataset with this name."""
    if is_file(name):
        return Path(name)
    try:
        return Path(hf_hub_download(name, wanted.lexicon, repo_type="dataset"))
    except (OSError, ValueError) as error:  # no such dataset, no network, not the name of one
        raise ValueError(
            f"{wanted.variable}: found {name!r}, expected a file, a folder, or a dataset on the Hub that has "
            f"{wanted.lexicon} ({type(error).__name__})"
        ) from error


# ---- From a dictionary to rows ----


def write_lexicon(sources: Iterable[str | Path], path: str | Path) -> int:
    """Write the rows of dictionaries to an .mlex file (plain, .gz, .xz or .bz2); returns how many there are.

    Of each dictionary forms that those before it lack, and adjectives that they have as nouns: a common word does not
    get the readings of rare homographs.

    Raises:
        ValueError: no such file, or one that is no dictionary.
    """
    path, known, nouns, rows = Path(path), set(), set(), set()
    for source in sources:
        words = progress(read_dictionary(source), desc=f"Making {path.name} (once)", unit=" rows")
        rows |= {
            (form, *reading)
            for form, reading in words
            if form.lower() not in known or reading.category == "adj" and (form, reading.lemma) in nouns
        }
        nouns = {(form, lemma) for form, category, lemma, _ in rows if category == "nc"}
        known = {form.lower() for form, category, *_ in rows if category != NAME}
    rows = sorted(rows)
    unfinished = path.with_name(f"{os.getpid()}-{path.name}")  # the ending says how it is compressed
    try:
        with OPENERS.get(path.suffix, open)(unfinished, "wt", encoding="utf-8", newline="\n") as file:
            file.writelines("\t".join(row) + "\n" for row in rows)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return len(rows)


def read_dictionary(source: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every word of a dictionary, compiled or not, of entries of one word."""
    read = READERS.get(Path(source).suffix)
    if read is None or not is_file(source):
        raise ValueError(f"found no file {str(source)!r}, expected a dictionary (*.bin, *.dix)")
    for form, analysis in read(source):
        yield from readings(form, analysis)


def readings(form: str, analysis: str) -> Iterator[tuple[str, Reading]]:
    """The reading of an analysis in the Lefff's letters; participles are adjectives, too, as there.

    Roman numerals have none: "VI" is no reading of "vi".

    >>> list(readings("vio", "ver<vblex><ifi><p3><sg>"))
    [('vio', Reading(category='v', lemma='ver', features='J3s'))]
    """
    lemma, _, rest = analysis.partition("<")
    first, *others = re.findall(r"[^<>]+", rest) or [""]
    if first == NUMERAL and form.isupper():
        return
    category = CATEGORIES.get(first, first)
    letters = "".join(LETTERS.get(tag, "") for tag in others)
    yield form, Reading(category, lemma, letters)
    if category == VERB and letters[:1] == PARTICIPLE:
        yield form, Reading("adj", lemma, letters)


def publish(path: Path, dataset: str, license: str, sources: list[str]) -> None:
    """Put a lexicon into a dataset on the Hub, with a card that says what it is made of and its licence."""
    card = (
        f"---\nlicense: {license}\n---\n\n{path.name}: forms, categories, lemmas and features for morpheval, in the "
        f"format of the Lefff; made of Apertium's dictionaries {', '.join(Path(source).name for source in sources)}.\n"
    )
    api = HfApi()
    api.create_repo(dataset, repo_type="dataset", exist_ok=True)
    for file, name in ((card.encode(), "README.md"), (path, path.name)):
        api.upload_file(path_or_fileobj=file, path_in_repo=name, repo_id=dataset, repo_type="dataset")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make a lexicon for morpheval of dictionaries of Apertium.")
    parser.add_argument("dictionaries", nargs="+", help="dictionaries, *.automorf.bin, *.autogen.bin or *.dix")
    parser.add_argument("lexicon", help="the file to write: .mlex, plain or .gz, .xz, .bz2")
    parser.add_argument("--publish", metavar="DATASET", help="put it into this dataset on the Hub, too")
    parser.add_argument("--license", default="gpl-3.0", help="of the dataset (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        rows = write_lexicon(given.dictionaries, given.lexicon)
        if given.publish:
            publish(Path(given.lexicon), given.publish, given.license, given.dictionaries)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(f"{given.lexicon}: {rows:,} rows, under the licence of {' '.join(given.dictionaries)}")


if __name__ == "__main__":
    main()
