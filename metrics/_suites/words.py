"""Lists of English words and of their tags that several modules take, long ones from the sections of `words.txt`."""

from pathlib import Path


def _sections(text: str) -> dict[str, list[str]]:
    """{name in brackets: the lines of that section}, without remarks."""
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


SECTIONS = _sections(Path(__file__).with_name("words.txt").read_text(encoding="utf-8"))


def table(name: str) -> dict[str, str]:
    """{what stands before the colon: the words behind it} of a section."""
    return dict(row.split(": ") for row in SECTIONS[name])


def words_of(name: str) -> frozenset[str]:
    """The words of a section that is one list."""
    return frozenset(" ".join(SECTIONS[name]).split())


BE = {"am": "VBP", "is": "VBZ", "are": "VBP", "was": "VBD", "were": "VBD", "'m": "VBP", "'re": "VBP"}
FINITE = ("VBZ", "VBP", "VBD", "MD")
NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
SUBORDINATORS = words_of("subordinators")
RELATIVES = frozenset("who whom whose which that what".split())
TIMES = words_of("times")
SAYING = words_of("saying")
SUPPORT_VERBS = frozenset(
    "be have do get make take go come give put let keep seem become need want use say tell".split()
)
PLACE_PREPOSITIONS = frozenset("in near during after before under behind since until inside outside".split())
