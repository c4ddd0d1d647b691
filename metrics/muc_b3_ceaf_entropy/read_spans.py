"""Mentions that are given in other units than words of a text: its characters, words of a sentence, subtokens."""

import re
from bisect import bisect_left, bisect_right
from contextlib import suppress
from itertools import pairwise

from .common import input_error, is_integer, short_repr
from .documents import Document, Mention

SUBTOKEN_MAP = "subtoken_map"
# Words and single signs; of a script without spaces a character is a word.
NO_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
TOKEN = re.compile(rf"[{NO_SPACES}]|[^\W_{NO_SPACES}]+|[^\w\s]|_")
SPECIAL = re.compile(r"\[(CLS|SEP|PAD)\]|</?s>|<pad>|<\|[^|]*\|>")
WORD_PIECE = re.compile("^\x23\x23|[\u2581\u0120]")  # of WordPiece, SentencePiece and byte-level BPE


# ---- Characters ----


def text_document(
    text: str, mentions: list[tuple], name: str, path: str, line: int = 0, words: list[tuple] | None = None
) -> Document:
    """A document of a text and (entity, begin, end, line) of its mentions, in characters, ends exclusive.

    `words` are (begin, end), too; None for ours, which are cut where mentions begin and end.

    Raises:
        ValueError: a mention without a word in it.
    """
    if words is None:
        cuts, words = sorted({at for _, begin, end, _ in mentions for at in (begin, end)}), []
        for match in TOKEN.finditer(text):
            begin, end = match.span()
            words += pairwise([begin, *cuts[bisect_right(cuts, begin) : bisect_left(cuts, end)], end])
    document, begins, ends = words_in_text(text, words, name, path, line)
    for entity, begin, end, number in mentions:
        positions = tuple(range(bisect_right(ends, begin), bisect_left(begins, end)))
        if not positions:
            raise input_error(document.where, f"a mention without a word at character {begin}", "words in it")
        document.mentions.append(Mention(entity, positions, (), number))
    return document


def words_in_text(text: str, spans: list[tuple], name: str, path: str, line: int = 0) -> tuple:
    """A document of a text, without mentions yet, a sentence a line; and where its words begin, and where they end.

    `spans` are (begin, end) of the words.
    """
    begins, ends = [begin for begin, _ in spans], [end for _, end in spans]
    lines = (bisect_left(begins, match.end()) for match in re.finditer("\n", text))
    words = [text[begin:end] for begin, end in spans]
    sentences = sorted({0, *lines} - {len(words)})
    return Document(name, path, line, words, sentences=sentences, from_text=True), begins, ends


def character_document(item: dict, field: str, name: str, path: str, line: int) -> Document:
    """The document of an object with ``text`` and clusters of [begin, end] in characters, ends exclusive (fastcoref).

    Raises:
        ValueError: a mention that is no such pair, or is outside the text, or (where the object has
            ``clusters_strings``) has another text there.
    """
    text, mentions, where = item["text"], [], Document(name, path, line).where
    for number, cluster in enumerate(item[field]):
        for place, span in enumerate(cluster):
            found = f"the mention {short_repr(span)} in {field}[{number}]"
            if not isinstance(span, list) or len(span) != 2 or not all(is_integer(each, 0) for each in span):
                raise input_error(where, found, "[begin, end] in characters")
            begin, end = span
            if not begin < end <= len(text):
                raise input_error(where, found, f"places within the text's {len(text)} characters, the end exclusive")
            wanted = there = text[begin:end]
            with suppress(IndexError, KeyError, TypeError):  # it may have no strings
                wanted = item["clusters_strings"][number][place]
            if wanted != there:
                found = f"{found}, which is {short_repr(there)}"
                raise input_error(where, found, f"{short_repr(wanted)} as in clusters_strings")
            mentions.append((str(number), begin, end, line))
    return text_document(text, mentions, name, path, line)


# ---- Words of a sentence ----


def as_list(value) -> list:
    """A list as it is; anything else as the only item of one, so that who looks at the items refuses it."""
    return value if isinstance(value, list) else [value]


def sentence_document(sentences: list, field: str, name: str, path: str, line: int = 0) -> Document:
    """A document of sentences, lists of words or of objects that have them in a field; without mentions yet.

    Raises:
        ValueError: a sentence that is no such list, with its number from 0.
    """
    words: list[str] = []
    document = Document(name, path, line, words)
    for number, sentence in enumerate(sentences):
        document.sentences.append(len(words))
        for token in as_list(sentence):
            word = token.get(field) if isinstance(token, dict) else token
            if not isinstance(word, str):
                raise input_error(document.where, f"{short_repr(sentence)} in sentence {number}", "a list of words")
            words.append(word)
    return document


def sentence_positions(document: Document, mention: str, sentence: int, first: int, last: int) -> tuple[int, ...]:
    """The positions of the words first to last of a sentence, all counted from 0.

    Raises:
        ValueError: the sentence has no such words; `mention` says in the error what is there.
    """
    starts, length = document.sentences, 0
    if 0 <= sentence < len(starts):
        is_last = sentence == len(starts) - 1
        length = (len(document.tokens) if is_last else starts[sentence + 1]) - starts[sentence]
    if not 0 <= first <= last < length:
        found = f"words {first} to {last} of sentence {sentence}, counted from 0"
        expected = f"words of a sentence of {length}, in a text of {len(starts)} sentences"
        raise input_error(f"{document.where}: {mention}", found, expected)
    return tuple(range(starts[sentence] + first, starts[sentence] + last + 1))


# ---- Subtokens ----


def word_numbers(item: dict, tokens: list[str] | None) -> list[int] | None:
    """The number of each subtoken's word, as ``subtoken_map`` has it; None for an object without it.

    `tokens` are the object's subtokens, or its words; ValueError for a map that is not of them.
    """
    numbers = item.get(SUBTOKEN_MAP)
    if numbers is None:
        return None
    rising = isinstance(numbers, list) and all(is_integer(each, 0) for each in numbers) and numbers == sorted(numbers)
    if not rising or (tokens is not None and len(tokens) not in (len(numbers), 1 + max(numbers, default=-1))):
        of_these = f", one for each of {len(tokens)} subtokens" if tokens else ""
        raise input_error(SUBTOKEN_MAP, short_repr(numbers), f"rising numbers of words{of_these}")
    return numbers


def words_of_subtokens(tokens: list[str], numbers: list[int]) -> list[str]:
    """The words of subtokens, put together without the marks and special tokens of models."""
    words = [""] * (numbers[-1] + 1)
    for token, number in zip(tokens, numbers, strict=True):
        if not SPECIAL.fullmatch(token):
            words[number] += WORD_PIECE.sub("", token)
    return words
