"""A dictionary of Apertium: forms with their analyses, such as ("vio", "ver<vblex><ifi><p3><sg>"), and their readings.

A dictionary is read as it is published: its source (*.dix, XML: entries and the paradigms that they take) or its
compiled form (*.bin, a transducer), of which Debian's packages have both directions. That of analysis
(*.automorf.bin) is cut to the words that the pair of languages translates; that of generation (*.autogen.bin) is whole.
Tags: Forcada et al. 2011.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from .common import input_error
from .lexicon import Reading

MAGIC, MAGIC_OF_TRANSDUCER = b"LTTB", b"LTTD"  # newer files begin with them, and with 8 bytes of flags
WEIGHTED = 1  # the flag of weights
GENERATOR = ".autogen"  # ends the stem of files whose analyses come first
POSTPONED = "~"  # before a form that a following word may change
JOINED = "+"  # before a word that is written together with another: "verlo" is ver+lo
LONGEST_ENTRY = 500  # characters
SEPARATORS = frozenset(" _")  # inside an entry of several words

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
VERB, PARTICIPLE, IMPERATIVE = "v", "K", "Y"
NUMERAL = "num"


def read_apertium(path: str | Path) -> Iterator[tuple[str, Reading]]:
    """(form, reading) of every word of a dictionary, compiled or not, of entries of one word.

    Raises:
        ValueError: it has no forms with analyses, as a bilingual one, or one of generation with another name.
    """
    read = read_source if Path(path).suffix == ".dix" else read_compiled
    for form, analysis in read(path):
        if "<" in form or "<" not in analysis:
            wanted = "of analysis (*.automorf.bin), of generation (*.autogen.bin) or a source of them (*.dix)"
            raise input_error(path, f"{form!r} with {analysis!r}", f"a dictionary {wanted}")
        yield from readings(form, analysis)


def readings(form: str, analysis: str) -> Iterator[tuple[str, Reading]]:
    """The reading of an analysis in the Lefff's letters; participles are adjectives, too, as there.

    Roman numerals have none: "VI" is no reading of "vi".

    >>> list(readings("vio", "ver<vblex><ifi><p3><sg>"))
    [('vio', Reading(category='v', lemma='ver', features='J3s'))]
    """
    lemma, _, tags = analysis.partition("<")
    first, category, letters = _meaning(tags)
    if first == NUMERAL and form.isupper():
        return
    if category == VERB and letters[:1] == IMPERATIVE and form == lemma:
        return  # "dimmi", with its pronoun an entry of its own
    yield form, Reading(category, lemma, letters)
    if category == VERB and letters[:1] == PARTICIPLE:
        yield form, Reading("adj", lemma, letters)


@lru_cache(maxsize=None)  # a dictionary has hundreds of them, for hundreds of thousands of words
def _meaning(tags: str) -> tuple[str, str, str]:
    """The first tag, its category and the letters of the others, of such as "vblex><ifi><p3><sg>"."""
    first, *others = re.findall(r"[^<>]+", tags) or [""]
    return first, CATEGORIES.get(first, first), "".join(LETTERS.get(tag, "") for tag in others)


# ---- Compiled ----


class Numbers:
    """The numbers of a compiled dictionary: the two highest bits of the first byte say how many bytes follow it."""

    def __init__(self, data: bytes):
        self.data, self.position = data, 0

    def __call__(self) -> int:
        first = self.data[self.position]
        end = self.position + 1 + (first >> 6)
        value = int.from_bytes(bytes([first & 0x3F]) + self.data[self.position + 1 : end], "big")
        self.position = end
        return value

    def text(self) -> str:
        return "".join(chr(self()) for _ in range(self()))

    def flags(self, magic: bytes) -> int:
        """The flags where the data go on with this magic word, which older files lack."""
        start = self.position + len(magic)
        if self.data[self.position : start] != magic:
            return 0
        self.position = start + 8
        return int.from_bytes(self.data[start : self.position], "little")


def read_compiled(path: str | Path) -> Iterator[tuple[str, str]]:
    """(form, analysis) of the entries of one word of a compiled dictionary.

    Its largest transducer has the words; others have punctuation and patterns of numbers and addresses, without end.

    Raises:
        ValueError: it is not one, or has weights.
    """
    numbers = Numbers(Path(path).read_bytes())
    try:
        reverse = Path(path).stem.endswith(GENERATOR)
        transducer = max(_transducers(numbers, reverse), key=lambda transducer: len(transducer[1]))
    except (IndexError, ValueError, OverflowError) as error:  # ValueError: nothing, or no character
        raise input_error(path, f"a file that cannot be read ({error})", "a compiled dictionary") from error
    return _paths(*transducer)


def _transducers(numbers: Numbers, reverse: bool) -> Iterator[tuple[int, dict, set]]:
    """(first state, {state: [(next, surface, analysis)]}, final states) of each."""
    numbers.flags(MAGIC)
    for _ in range(numbers()):
        numbers()  # the letters
    tags = [f"<{numbers.text()}>" for _ in range(numbers())]

    def symbol() -> str:
        number = numbers() - len(tags)
        return tags[-number - 1] if number < 0 else chr(number) if number else ""

    pairs = [(symbol(), symbol())[:: -1 if reverse else 1] for _ in range(numbers())]
    for _ in range(numbers()):
        numbers.text()  # its name
        if numbers.flags(MAGIC_OF_TRANSDUCER) & WEIGHTED:
            raise ValueError("weights")
        first, n_finals, final, finals = numbers(), numbers(), 0, set()
        for _ in range(n_finals):
            final += numbers()
            finals.add(final)
        arcs, n_states = defaultdict(list), numbers()
        for state in range(n_states):
            pair = 0
            for _ in range(numbers()):
                pair += numbers()
                arcs[state].append(((state + numbers()) % n_states, *pairs[pair]))
        yield first, arcs, finals


def _paths(first: int, arcs: dict, finals: set) -> Iterator[tuple[str, str]]:
    """(form, analysis) of all ways through a transducer, but those of several words."""
    paths = [(first, "", "")]
    while paths:
        state, form, analysis = paths.pop()
        if len(form) + len(analysis) > LONGEST_ENTRY:
            raise ValueError("entries without end")
        if state in finals and form:
            yield form.removeprefix(POSTPONED), analysis
        for following, surface, analysed in arcs.get(state, ()):
            if surface not in SEPARATORS and analysed != JOINED:
                paths.append((following, form + surface, analysis + analysed))


# ---- Sources ----

GENERATED_ONLY = "RL"  # the direction of entries for the way from an analysis to a form
TEXT_OF = {"b": " ", "j": JOINED, "a": "~", "g": "\x23", "m": ""}  # elements that stand for a character


def read_source(path: str | Path) -> Iterator[tuple[str, str]]:
    """(form, analysis) of the entries of one word of a dictionary's source; patterns are left out.

    Raises:
        ValueError: it is none.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise input_error(path, f"a file that cannot be read ({error})", "a dictionary in XML") from error
    if root.tag != "dictionary":
        raise input_error(path, f"the element {root.tag!r}", "the element 'dictionary'")
    paradigms = Paradigms(root)
    for section in root.iter("section"):
        for form, analysis in paradigms.expand(section):
            if form and SEPARATORS.isdisjoint(form) and JOINED not in analysis:
                yield form, analysis


class Paradigms:
    """What the entries of a source stand for, which name its paradigms; each of these is written out once."""

    def __init__(self, root: Element):
        self.entries = {paradigm.get("n"): paradigm for paradigm in root.iter("pardef")}
        self.expanded: dict[str | None, list[tuple[str, str]]] = {}

    def expand(self, entries: Iterable[Element]) -> Iterator[tuple[str, str]]:
        """(form, analysis) of all that are for the way from a form to its analysis, and no patterns."""
        for entry in entries:
            if entry.get("r") != GENERATED_ONLY and entry.get("i") != "yes" and entry.find("re") is None:
                yield from self._pairs(entry)

    def _pairs(self, entry: Element) -> list[tuple[str, str]]:
        found = [("", "")]
        for part in entry:
            endings = self._endings(part)
            found = [(form + a, analysis + b) for form, analysis in found for a, b in endings]
        return found

    def _endings(self, part: Element) -> list[tuple[str, str]]:
        if part.tag == "p":
            return [(_written(part.find("l")), _written(part.find("r")))]
        if part.tag != "par":
            return [(_written(part), _written(part))]
        name = part.get("n")
        if name not in self.expanded:
            self.expanded[name] = list(self.expand(self.entries[name]))
        return self.expanded[name]


def _written(element) -> str:
    """The text of an element, with its symbols as tags."""
    pieces = [element.text or ""]
    for child in element:
        symbol = child.tag == "s"
        pieces += [f"<{child.get('n')}>" if symbol else TEXT_OF.get(child.tag, ""), (child.tail or "").rstrip("\n")]
    return "".join(pieces).strip()
