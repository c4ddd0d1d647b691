"""How frequent the source words are that a test turns on (paper, section 4.3, tables 5 and 6)."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from .common import argument, input_error, is_number, short_repr
from .lexicon import UNREADABLE, is_file, open_text
from .verdicts import new_positions

# Lower bounds of the bands; each is half-open, so that 50 and 1000 have a place (the paper's tables omit them).
BANDS = {"0": 0, "1_49": 1, "50_999": 50, "1000": 1000}
WORD = re.compile(r"\w+(?:['-]\w+)*")


def words(sentence: str) -> list[str]:
    """Lower-case words of an English sentence.

    >>> words("He doesn't eat well-known apples.")
    ['he', "doesn't", 'eat', 'well-known', 'apples']
    """
    return WORD.findall(sentence.lower().replace("\u2019", "'"))


def check_frequencies(frequencies: Mapping | str | Path | None) -> Mapping | str | Path | None:
    """What `read_frequencies` takes, not yet read; None for none.

    Raises:
        ValueError: neither a mapping from words to numbers from 0 on nor the path of a file.
    """
    if isinstance(frequencies, Mapping):
        for word, count in frequencies.items():
            if not isinstance(word, str) or not is_number(count) or count < 0:
                raise input_error("", f"{short_repr(word)}: {short_repr(count)}", "a word and a count from 0")
    elif frequencies is not None and not (isinstance(frequencies, (str, Path)) and is_file(frequencies)):
        raise input_error("", short_repr(frequencies), "a mapping from words to counts or a text file")
    return frequencies


def read_frequencies(frequencies: Mapping | str | Path) -> Counter:
    """Counts by lower-case word, as given or counted in a text file (plain, .gz, .xz or .bz2), read line by line.

    Raises:
        ValueError: a damaged archive.
    """
    counts: Counter = Counter()
    if isinstance(frequencies, Mapping):
        for word, count in frequencies.items():
            counts[word.lower()] += count
        return counts
    try:
        with open_text(frequencies, errors="replace") as lines:
            for line in lines:
                counts.update(words(line))
    except UNREADABLE as error:
        found = f"{str(frequencies)!r}, which cannot be read"
        raise input_error(argument("frequencies"), found, f"text: {error}") from error
    return counts


def band(frequency: float) -> str:
    """Name of the band a frequency is in.

    >>> [band(frequency) for frequency in (0, 1, 49, 50, 999, 1000)]
    ['0', '1_49', '1_49', '50_999', '50_999', '1000']
    """
    return [name for name, least in BANDS.items() if least <= frequency][-1]


def source_frequency(base: str, variant: str, frequencies: Mapping) -> float:
    """Frequency of the rarest word that the variant's source has and the base's lacks.

    Without one (a word was only taken away) it is that of the rarest word taken away; 0 if the sources are alike.
    """
    before, after = words(base), words(variant)
    changed = [after[i] for i in new_positions(before, after)] or [before[i] for i in new_positions(after, before)]
    return min((frequencies.get(word, 0) for word in changed), default=0)
