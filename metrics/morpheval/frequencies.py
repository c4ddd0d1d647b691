"""How frequent the source words are that a test turns on (paper, section 4.3, tables 5 and 6)."""

import gzip
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from .suite import METRIC
from .verdicts import new_positions

# Lower bounds of the bands; each is half-open, so that 50 and 1000 have a place (the paper's tables omit them).
BANDS = {"0": 0, "1_49": 1, "50_999": 50, "1000": 1000}
WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")


def words(sentence: str) -> list[str]:
    """Lower-case words of an English sentence.

    >>> words("He doesn't eat well-known apples.")
    ['he', "doesn't", 'eat', 'well-known', 'apples']
    """
    return WORD.findall(sentence.lower().replace("\u2019", "'"))


def read_frequencies(frequencies: Mapping | str | Path) -> Mapping:
    """Counts by lower-case word, as given or counted in a text file (plain or .gz), read line by line.

    Raises:
        ValueError: neither a mapping to numbers nor the path of a file.
    """
    if isinstance(frequencies, Mapping):
        wrong = next(((k, v) for k, v in frequencies.items() if not isinstance(v, (int, float)) or v < 0), None)
        if wrong is not None:
            raise ValueError(f"{METRIC}: frequencies: found {wrong[0]!r}: {wrong[1]!r}, expected a number from 0 on")
        return frequencies
    if not isinstance(frequencies, (str, Path)) or not Path(frequencies).is_file():
        raise ValueError(
            f"{METRIC}: frequencies: found {frequencies!r:.80}, expected a mapping from words to counts or a text file"
        )
    counts = Counter()
    opener = gzip.open if str(frequencies).endswith(".gz") else open
    with opener(frequencies, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            counts.update(words(line))
    return counts


def band(frequency: float) -> str:
    """Name of the band a frequency is in.

    >>> [band(frequency) for frequency in (0, 1, 49, 50, 999, 1000)]
    ['0', '1_49', '1_49', '50_999', '50_999', '1000']
    """
    return [name for name, least in BANDS.items() if least <= max(frequency, 0)][-1]


def source_frequency(base: str, variant: str, frequencies: Mapping) -> float:
    """Frequency of the rarest word that the variant's source has and the base's lacks.

    Without one (a word was only taken away) it is that of the rarest word taken away; 0 if the sources are alike.
    """
    before, after = words(base), words(variant)
    changed = [after[i] for i in new_positions(before, after)] or [before[i] for i in new_positions(after, before)]
    return min((frequencies.get(word, 0) for word in changed), default=0)
