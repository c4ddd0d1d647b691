"""Key and response in one text: their words compared, empty nodes of both put together."""

from collections import defaultdict
from itertools import zip_longest
from math import inf
from unicodedata import normalize

from .common import Message, input_error, short_repr
from .documents import Document, Pair
from .match_carried import WAY_OUT, carry


def align(key: Document, response: Document, words: str = "exact", lost: dict | None = None) -> Pair:
    """Both sides, one document of each, in one text.

    Words are "exact", the same (of text with characters or brackets, the characters are); or "aligned": other words
    are aligned, and the response's mentions carried over to the key's words. `lost` is told which cannot be.

    Raises:
        ValueError: the words or (with empty nodes) the sentences differ, a side has names for mentions where the
            other has positions, or no words where the other has empty nodes; with file, line, document and both words.
    """
    may_differ = words == "aligned" or key.from_text or response.from_text
    if may_differ and has_words(key) and has_words(response) and words_of(key) != words_of(response):
        _check_kinds(key, response)
        key, response = carry(key, response, words, defaultdict(list) if lost is None else lost)
    else:
        check_words(key, response, Message("; ", WAY_OUT) if words == "exact" else "")
        _check_kinds(key, response)
    text = key if has_words(key) or response.words is None else response
    pair = Pair(key.name or response.name, text.words, key.mentions, response.mentions, sentences=text.sentences)
    pair.left_out, pair.format = key.left_out + response.left_out, key.format
    if key.empty or response.empty:
        _check_countable(key, response)
        pair.words, key_positions, response_positions = _merged(key, response)
        pair.key, pair.response = _moved(key.mentions, key_positions), _moved(response.mentions, response_positions)
        pair.key_empty = {key_positions[position]: node for position, node in key.empty.items()}
        pair.response_empty = {response_positions[position]: node for position, node in response.empty.items()}
        pair.sentences = [key_positions[position] for position in key.sentences]
    return pair


def has_words(document: Document) -> bool:
    """Whether there are words to compare."""
    return any(document.tokens)


def words_of(document: Document) -> list[str]:
    """The words that are in the text."""
    return [document.tokens[position] for position in document.text] if document.empty else document.tokens


def check_words(key: Document, response: Document, way_out: str = "") -> None:
    """Refuse other words than the key's, empty nodes aside; words that a file does not have are not compared.

    `way_out` is what the error ends with.
    """
    if key.words is None or response.words is None:
        _check_within(key, response)
        _check_within(response, key)
        return
    ours, theirs = words_of(key), words_of(response)
    if ours == theirs:
        return
    for number, (expected, word) in enumerate(zip_longest(ours, theirs)):
        if expected is None or word is None:
            first = f"{len(ours)} as in {key.where}; the first that only one side has is {short_repr(word or expected)}"
            raise input_error(response.where, f"{len(theirs)} words", Message(first, way_out))
        if word != expected and word and expected:  # "" where a file's tokens have no words
            here, there = _line(response, response.text[number]), _line(key, key.text[number])
            where = f"{here}: document {short_repr(key.name)}" if response.lines else here
            shown = ascii if normalize("NFC", word) == normalize("NFC", expected) else short_repr
            way = Message(f"{shown(expected)} as in {there}", way_out)
            raise input_error(where, f"{shown(word)} as word {number}", way)


def _line(document, position):
    return f"{document.file}:{document.lines[position]}" if document.lines else document.where


def _check_within(one, other):
    """Mentions of a side without words must fit into the other's text."""
    if other.words is None or one.words is not None:
        return
    for mention in one.mentions:
        if mention.positions and mention.positions[-1] >= len(other.words):
            expected = f"an end within the {len(other.words)} words of {other.where}"
            raise input_error(one.where, f"a mention that ends at word {mention.positions[-1]}", expected)


def _check_countable(key, response):
    """With empty nodes there must be words (what else do positions count?) and the same sentences."""
    for one, other in ((key, response), (response, key)):
        if one.words is None:
            reason = f"{other.where} has empty nodes, and places alone do not say whether they count them"
            raise input_error(one.where, "a document without words", f"words, because {reason}")
    ours, theirs = key.sentences_of_text, response.sentences_of_text
    if ours != theirs and ours and theirs:
        number = next(i for i, (one, other) in enumerate(zip_longest(ours, theirs)) if one != other)
        found = f"a sentence {number} that begins at another word than in {key.where}"
        raise input_error(response.where, found, "the same sentences, because empty nodes are counted within them")


def _check_kinds(key, response):
    kinds = [{bool(mention.name) for mention in side.mentions} for side in (key, response)]
    if all(kinds) and kinds[0] != kinds[1]:
        raise input_error(response.where, "names for mentions on one side and places on the other", "the same on both")


def _merged(key, response):
    """The words of both sides in one list; for each side where in it each of its words is."""
    key_slots, response_slots = _slots(key), _slots(response)
    index = {slot: i for i, slot in enumerate(sorted({*key_slots, *response_slots}))}
    words = [""] * len(index)
    for document, slots in ((response, response_slots), (key, key_slots)):  # the key's word counts
        for word, slot in zip(document.words, slots, strict=True):
            words[index[slot]] = word
    return words, [index[slot] for slot in key_slots], [index[slot] for slot in response_slots]


def _slots(document):
    """For each word a tuple, words of the text before it first, by which both sides are merged.

    Words of the text are the same under the same number, empty nodes under the same N.k.
    """
    slots, number = [], 0
    for position in range(len(document.words)):
        node = document.empty.get(position)
        if node is None:
            slots.append((number, inf))  # after the empty nodes before it
            number += 1
        else:
            slots.append((number, node.sentence, node.after, node.number))
    return slots


def _moved(mentions, places):
    def moved(positions):
        return tuple(places[position] for position in positions)

    return [mention._replace(positions=moved(mention.positions), head=moved(mention.head)) for mention in mentions]
