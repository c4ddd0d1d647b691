"""BookNLP's entities and LitBank's TSV: a line for each mention, by numbers of words that stand in a file beside it.

BookNLP writes ``book.entities`` and ``book.tokens``, LitBank has ``book.ann`` and ``book.txt`` (a sentence a line,
words between spaces; a no-break space is part of a word). Ends are inclusive. Where a line has the mention's text, too,
it must be that of the words.
"""

import os
from collections.abc import Iterator
from itertools import chain

from .common import input_error, short_repr
from .documents import Document, Mention
from .read_text import beside, check_text, columns_of, numbered_lines, sentence_starts

BOOKNLP = ["COREF", "start_token", "end_token"]  # the first names of its header
UNRESOLVED = "-1"
TOKENS = ("word", "sentence_ID")
LITBANK = {"MENTION": 6, "COREF": 3, "COP": 3, "APPOS": 3}  # columns that each kind of line has at least
LEFT_OUT = {"COP": "copulas", "APPOS": "appositions"}


def is_booknlp(line: str) -> bool:
    """Whether a line is of this format: the header."""
    return line.split("\t")[:3] == BOOKNLP


def is_litbank(line: str) -> bool:
    """Whether a line is of this format: a mention, or what is said of one."""
    columns = line.split("\t")
    return len(columns) >= LITBANK.get(columns[0], len(columns) + 1)


def _number(text, where):
    if not text.isdecimal():
        raise input_error(where, short_repr(text), "the number of a word or a sentence")
    return int(text)


# ---- BookNLP ----


def booknlp_documents(path: str) -> Iterator[Document]:
    """The one document of a file of entities; its words are those of the file of tokens beside it, if there is one.

    What BookNLP has not resolved, as when its pipeline has no coreference, is a singleton.

    Raises:
        ValueError: lines of too few columns, ends before beginnings or after the text, another text than the words
            there (with file and line).
    """
    tokens = beside(path, ".tokens")
    words, sentences = _tokens(tokens) if os.path.exists(tokens) else (None, [])
    document, header = Document("", str(path), 1, words, sentences=sentences), BOOKNLP
    for number, line in numbered_lines(path):
        where, columns = f"{path}:{number}", line.rstrip("\r\n").split("\t")
        if columns[:3] == BOOKNLP:
            header = columns
            continue
        if not line.strip():
            continue
        if len(columns) < 3:
            raise input_error(where, f"{len(columns)} columns", f"the columns {', '.join(BOOKNLP)}")
        start, end = (_number(column, where) for column in columns[1:3])
        if start > end or words is not None and end >= len(words):
            length = "" if words is None else f" of {len(words)} words"
            raise ValueError(f"{where}: found the words {start} to {end}, expected words of a text{length}")
        if words is not None:
            text = dict(zip(header, columns, strict=False)).get("text")
            check_text(text, " ".join(words[start : end + 1]), f"words {start} to {end}", where)
        entity = columns[0] if columns[0] != UNRESOLVED else f"{UNRESOLVED} in line {number}"
        document.mentions.append(Mention(entity, tuple(range(start, end + 1)), (), number))
    yield document


def _tokens(path):
    """The words of a file of tokens, and where each sentence begins."""
    rows = ((number, line.rstrip("\r\n").split("\t")) for number, line in numbered_lines(path) if line.strip())
    _, header = next(rows, (1, []))
    if not set(TOKENS) <= set(header):
        raise input_error(f"{path}:1", f"the columns {short_repr(header)}", f"the columns {' and '.join(TOKENS)}")
    word, sentence = map(header.index, TOKENS)
    words, sentences, last = [], [], None
    for number, columns in rows:
        if len(columns) < len(header):
            raise input_error(f"{path}:{number}", f"{len(columns)} columns", f"{len(header)}, as in the header")
        if columns[sentence] != last:
            last = columns[sentence]
            sentences.append(len(words))
        words.append(columns[word])
    return words, sentences


# ---- LitBank ----


def litbank_documents(path: str) -> Iterator[Document]:
    """The one document of a file; a mention without an entity is a singleton, as in LitBank's own CoNLL files.

    Raises:
        ValueError: no text beside it, lines of too few columns, words that the text does not have, another text than
            the words there (with file and line).
    """
    text = [columns_of(line) for _, line in numbered_lines(beside(path, ".txt"))]
    starts = sentence_starts(text)
    document = Document("", str(path), 1, list(chain.from_iterable(text)), sentences=starts)
    mentions, entities = {}, {}
    for number, line in numbered_lines(path):
        where, columns = f"{path}:{number}", line.rstrip("\r\n").split("\t")
        if not line.strip():
            continue
        if not is_litbank(line):
            raise input_error(where, short_repr(line.strip(), 60), f"a line of {' or '.join(LITBANK)} with its columns")
        if columns[0] == "MENTION":
            positions = _positions(columns[2:6], text, starts, where)
            there = " ".join(document.tokens[positions[0] : positions[-1] + 1])
            check_text(columns[6] if len(columns) > 6 else None, there, f"words {' '.join(columns[2:6])}", where)
            mentions[columns[1]] = number, positions
        elif columns[0] == "COREF":
            entities[columns[1]] = number, columns[2]
        else:
            document.left_out[LEFT_OUT[columns[0]]] += 1
    for name, (number, _) in entities.items():
        if name not in mentions:
            raise input_error(f"{path}:{number}", f"no MENTION line of {short_repr(name)}", "a line with its words")
    for name, (number, positions) in mentions.items():
        _, entity = entities.get(name, (number, name))
        document.mentions.append(Mention(entity, positions, (), number))
    yield document


def _positions(columns, text, starts, where):
    """From the numbers of the first word's sentence and of the word in it, and the same of the last word."""
    numbers = [_number(column, where) for column in columns]
    for sentence, word in (numbers[:2], numbers[2:]):
        if sentence >= len(text) or word >= len(text[sentence]):
            raise input_error(where, f"word {word} of sentence {sentence}", "a word that the text has")
    first, last = starts[numbers[0]] + numbers[1], starts[numbers[2]] + numbers[3]
    if first > last:
        raise input_error(where, "an end before the beginning", "an end after it")
    return tuple(range(first, last + 1))
