"""What speaks against a sentence of a summary, and the sentence with that marked."""

import re
from html import escape

from .text_sentences import LETTERS_OF_A_WORD

# What of the evidence speaks against a sentence, and the words for it.
DOUBTS = {"numbers": "number not in the text", "names": "name not in the text", "dates": "date not in the text"}
NEGATION = re.compile(
    r"\b(?:(?:did|does|do|was|were|is|are|has|have|had|will|would|can|could) )?(?:not|never|no|nobody|nothing|none|"
    r"neither|nor|without|cannot|pas|jamais|rien|personne|aucune?)\b|\b\w+n['’]t\b",
    re.I,
)
WORD = re.compile(LETTERS_OF_A_WORD)  # of a script with blanks between words; l'école is two
LONG, STEM = 4, 5  # letters of a word that is looked for in the text, and those that must be the same
SMALL = frozenset(
    "that this with from they them then than have been were will would about also into over when which while "
    "their there these those what more most some such only dans avec pour plus sont cette leur elle mais".split()
)  # words that say little


def doubts(row: dict, j: int) -> list[tuple]:
    """What speaks against sentence j of the summary: (what it is, the words of the sentence that say it)."""
    evidence, claim = row["evidence"][j], row["summary_sentences"][j]
    found = [(what, evidence[kind]) for kind, what in DOUBTS.items() if evidence[kind]]
    if evidence["negations"]:
        found.append(("negation that the text does not make", NEGATION.findall(claim)))
    if j in row["unsupported"]:
        found.append(("nothing like it in the text", []))
    return found


def with_doubts(row: dict, j: int) -> str:
    """Sentence j of the summary as HTML: what is in doubt is marked, other words that the text lacks are underlined."""
    claim = row["summary_sentences"][j]
    in_doubt = sorted({words for _, found in doubts(row, j) for words in found if words}, key=len, reverse=True)
    known = {word.casefold()[:STEM] for sentence in row["text_sentences"] for word in WORD.findall(sentence)}
    marked = "|".join(rf"(?<!\w){re.escape(words)}(?!\w)" for words in in_doubt)
    drawn, last = "", 0
    for found in re.finditer(f"(?P<doubt>{marked or '(?!)'})|{WORD.pattern}", claim, re.I):
        word, drawn, last = found[0], drawn + escape(claim[last : found.start()]), found.end()
        plain = word.casefold()
        if found["doubt"]:
            drawn += f"<mark>{escape(word)}</mark>"
        elif len(word) >= LONG and word.isalpha() and plain not in SMALL and plain[:STEM] not in known:
            drawn += f'<u title="the text does not have this word">{escape(word)}</u>'
        else:
            drawn += escape(word)
    return drawn + escape(claim[last:])
