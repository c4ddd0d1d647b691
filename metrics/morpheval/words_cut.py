"""Texts to tokens: cleaned where they enter, so that how a sentence is set changes no verdict, then cut."""

import html
import re
import unicodedata
from functools import lru_cache

from .language_lists import WordLists

MARKS = ",.;:!?¡¿…()[]{}/|—"  # these stand alone
APOSTROPHES = "\u2019\u2018\u201b\u02bc\u2032\u02b9\u0060\u00b4"
HYPHENS, QUOTES = "-\u2010\u2011", '"\u201e\u201a'  # that their Unicode categories do not tell
# An ending in brackets or after a full stop, of a form for both genders: "employé(e)s", "étudiant.e.s".
INCLUSIVE = re.compile(r"[(.](?<=[^\W\d_].)([^\W\d_A-Z]{1,3})(?:[).]([^\W\d_A-Z]?)(?![^\W_])|\b)")
TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
LINK = re.compile(r"\[([^][\n]*)\]\([^()\s]*\)")  # of Markdown: its text stays
# Up to what closes after a word of three letters or a mark, else to the last before another opens: 'un po' di vino'.
QUOTED = re.compile(r"'(?<!\w')(?=\w)((?:(?!'(?<!\w')\w).)*?(?:\w{3}|[^\w\s])|(?:(?!'(?<!\w')\w).)*)'(?!\w)")
TORN = re.compile(r"\b([cdjlmnstv]|un|\w*(?:qu|ll)) '(?=\w)", re.IGNORECASE)  # by a tokeniser: "j 'ai", "dell 'acqua"
OPENING = re.compile(r"'(?<!\w')")  # what is left of those before a word
PLAIN = re.compile(r"[A-Za-z0-9]+(?:['-][A-Za-z0-9]+)*[,.;:!?]*(?: [A-Za-z0-9]+(?:['-][A-Za-z0-9]+)*[,.;:!?]*)*")
IN_FRONT = re.compile(r"^[^\w¡¿]+")
FIRST_WORD = re.compile(r"\W*\S+")


@lru_cache(maxsize=None)
def _written(mark: str) -> str:
    """What stands for a character that is no letter, by its Unicode category.

    >>> [_written(mark) for mark in "\u2018\u00a0\u2015\u2011\u200e\u00ab,_"]
    ["'", ' ', ' — ', '-', '', ' ', ' , ', '*']
    """
    category = unicodedata.category(mark)
    if mark in APOSTROPHES:
        return "'"
    if mark in HYPHENS:
        return "-"
    if mark in MARKS or category == "Pd":
        return f" {mark if mark in MARKS else '—'} "
    if mark in QUOTES or category in ("Pi", "Pf", "Cc") or category[0] == "Z":
        return " "
    if category == "Cf":
        return ""
    return "*" if mark == "_" else mark  # underscores join words of one meaning


@lru_cache(maxsize=None)
def _at_an_edge(marks: frozenset) -> re.Pattern:
    """What counts between letters alone: all marks but those that stand alone, such as "*", "_", "%"."""
    return re.compile(f"[{re.escape(''.join(sorted(marks)))}](?:(?<!\\w.)|(?!\\w))")


def clean(texts: list[str]) -> list[str]:
    """The texts without tags, quotes, marks of emphasis, marks in front, and what nobody sees; the other marks apart.

    All texts go through each step together: a step then costs a fraction of a microsecond per sentence.

    >>> clean(["\u2014 \u00ab **L\u2018été** \u00bb, <b>dit</b>-il.", "j 'ai _faim_\u00a0!", "un 'po' di' vino"])
    ["L'été , dit-il .", "j'ai faim !", "un po' di vino"]
    """
    lines = [(html.unescape(text) if "&" in text else text).replace("\n", " ") for text in texts]
    text = unicodedata.normalize("NFC", TAG.sub("", "\n".join(lines))).replace(" @-@ ", "-")
    text = INCLUSIVE.sub(r"·\1\2", LINK.sub(r"\1", text) if "](" in text else text)
    marks = {mark for mark in set(text) - {"\n", " "} if not mark.isalnum()}
    for mark in marks:
        text = text.replace(mark, _written(mark))
    text = QUOTED.sub(r"\1", text)
    if " '" in text:
        text = OPENING.sub("", TORN.sub(r"\1'", text))
    if inside := frozenset("".join(map(_written, marks))) - set(f"{MARKS}'&- "):
        text = _at_an_edge(inside).sub("", text)
    while "  " in text:
        text = text.replace("  ", " ")
    lines = [line.strip(" ") for line in text.split("\n")] if texts else []
    return [line if line[:1].isalnum() else IN_FRONT.sub("", line) for line in lines]


def clean_source(source: str) -> str:
    """An English sentence cleaned, if it needs that, with a capital; its marks may stick to words.

    >>> clean_source("it's late, Bob."), clean_source("*it's*  late, Bob.")
    ("It's late, Bob.", "It's late , Bob .")
    """
    source = source if PLAIN.fullmatch(source) else clean([source])[0]
    return source[:1].upper() + source[1:]


def tokenise(lists: WordLists, lines: list[str]) -> list[list[str]]:
    """Tokens of clean texts; elided words keep their apostrophe, and the first word loses its capital.

    >>> tokenise(WordLists(), ["L'été , qu'il aime .", "J' ai faim"])
    [["l'", 'été', ',', "qu'", 'il', 'aime', '.'], ["j'", 'ai', 'faim']]
    """
    text = "\n".join(
        line.lower() if line[1:].isupper() else _lower_first(line) for line in lines
    )  # no names by capitals
    text = text.replace("œ", "oe").replace("'", "' ").replace("'  ", "' ")
    if lists.linking:
        text = text.replace(f" - {lists.linking} - ", f"-{lists.linking}-")
    text = f" {text} ".replace("\n", " \n ")
    for adverbial in sorted(lists.adverbials, key=lambda joined: (-len(joined), joined)):
        if (apart := adverbial.replace("_", " ")) in text:
            text = text.replace(f" {apart} ", f" {adverbial} ")
    return [line.split() for line in text.split("\n")] if lines else []


def _lower_first(line: str) -> str:
    """The line without the capital of its first word.

    >>> _lower_first("Il dort"), _lower_first("¿ Duerme ?")
    ('il dort', '¿ duerme ?')
    """
    if line[:1].isalnum():
        word, space, rest = line.partition(" ")
        return word.lower() + space + rest
    first = FIRST_WORD.match(line)
    return line if first is None else first.group().lower() + line[first.end() :]
