"""Lists of English words, of which `words.txt` has the sections."""

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
