"""The words in which two texts differ, marked."""

import re
import unicodedata
from difflib import SequenceMatcher
from html import escape

MARKS = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c))[0] == "M")  # accents, vowel signs
CHARACTERS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"  # of scripts without blanks between words
LETTERS = rf"(?:[^\W{CHARACTERS}][{MARKS}]*)+"
PIECE = re.compile(rf"{LETTERS}(?:['’]{LETTERS})*|[{CHARACTERS}]|[^\w\s]+|\s+")


def differences(*pair: str) -> list[str]:
    """Both texts as HTML with the words marked that the other does not have at that place; case does not count."""
    sides = [PIECE.findall(text) for text in pair]
    shown = [[i for i, piece in enumerate(side) if re.match(r"\w", piece)] for side in sides]
    words = [[side[i].casefold() for i in places] for side, places in zip(sides, shown, strict=True)]
    same = SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks()
    drawn = []
    for number, (side, places) in enumerate(zip(sides, shown, strict=True)):
        kept = {places[block[number] + i] for block in same for i in range(block.size)}
        pieces = (
            f"<mark>{escape(piece)}</mark>" if i in places and i not in kept else escape(piece)
            for i, piece in enumerate(side)
        )
        drawn.append(re.sub(r"</mark>(\s*)<mark>", r"\1", "".join(pieces)))
    return drawn
