"""Key and response in one text: documents paired by name, their words compared, empty nodes of both put together."""

from bisect import bisect_left
from itertools import zip_longest

from .common import short_repr
from .documents import Document, Pair


def pair_documents(keys: list[Document], responses: list[Document]) -> list[tuple[Document, Document]]:
    """The documents of two files as pairs (key, response), in the key's order: by name; what has none, by place.

    Raises:
        ValueError: the same name twice in a file, a document that one side lacks, other numbers of documents.
    """
    in_key, in_response = _by_name(keys), _by_name(responses)
    left = [document for document in keys if document.name not in in_response]
    others = [document for document in responses if document.name not in in_key]
    if all(document.name for document in (*left, *others)):
        for document, there in (*((each, responses) for each in left), *((each, keys) for each in others)):
            raise ValueError(f"{document.where}: found no such document in {_files(there)}, expected one")
    if len(left) != len(others):
        raise ValueError(
            f"found {len(responses)} documents in {_files(responses)} and {len(keys)} in {_files(keys)}, some of "
            "them without a name; expected names, or the same documents in the same order"
        )
    for pair in zip(left, others):
        _check_names(*pair)
    unnamed = iter(others)
    return [(key, in_response[key.name] if key.name in in_response else next(unnamed)) for key in keys]


def _files(documents):
    return ", ".join(sorted({document.file for document in documents})) or "the other file"


def _check_names(key, response):
    """Of documents that are paired by place: where both have names, the same."""
    if key.name and response.name and key.name != response.name:
        raise ValueError(f"{response.where}: found this name, expected {short_repr(key.name)} as in {key.where}")


def _by_name(documents):
    found = {}
    for document in filter(lambda each: each.name, documents):
        if document.name in found:
            first = found[document.name].where
            raise ValueError(f"{document.where}: found this name again, expected it once; first at {first}")
        found[document.name] = document
    return found


def align(key: Document, response: Document) -> Pair:
    """Both sides in one text.

    Raises:
        ValueError: the words or (with empty nodes) the sentences differ, a side has names for mentions where the
            other has places, or no words where the other has empty nodes; with file, line, document and both words.
    """
    check_words(key, response)
    _check_kinds(key, response)
    left_out = key.left_out + response.left_out
    name = key.name or response.name
    if not key.empty and not response.empty:
        text = response if key.words is None else key
        return Pair(name, text.words, key.mentions, response.mentions, {}, {}, text.sentences, {}, left_out, key.format)
    _check_have_words(key, response)
    _check_sentences(key, response)
    words, key_places, response_places, sentences = _merged(key, response)
    return Pair(
        name,
        words,
        _moved(key.mentions, key_places),
        _moved(response.mentions, response_places),
        {key_places[place]: node for place, node in key.empty.items()},
        {response_places[place]: node for place, node in response.empty.items()},
        sentences,
        {},
        left_out,
        key.format,
    )


# ---- Checks ----


def _text(document):
    """The places of the words that are in the text."""
    places = range(len(document.words))
    return [place for place in places if place not in document.empty] if document.empty else places


def check_words(key: Document, response: Document) -> None:
    """Refuse other words than the key's, empty nodes aside; words that a file does not have are not compared."""
    if key.words is None or response.words is None:
        for one, other in ((key, response), (response, key)):
            _check_within(one, other)
        return
    places = _text(key), _text(response)
    ours, theirs = ([each.words[place] for place in own] for each, own in zip((key, response), places))
    if ours == theirs:
        return
    for number, (expected, found) in enumerate(zip_longest(ours, theirs)):
        if expected is None or found is None:
            raise ValueError(
                f"{response.where}: found {len(theirs)} words, expected {len(ours)} as in {key.where}; "
                f"{short_repr(found or expected)} is the first that only one has"
            )
        if found != expected and found and expected:  # "" where a file's tokens have no words
            here, there = (_place(each, own[number]) for each, own in zip((response, key), reversed(places)))
            raise ValueError(
                f"{here}: document {short_repr(key.name)}: found {short_repr(found)} as word {number}, expected "
                f"{short_repr(expected)} as in {there}"
            )


def _place(document, place):
    return f"{document.file}:{document.lines[place]}" if document.lines else document.where


def _check_within(one, other):
    """Mentions of a side without words must fit into the other's text."""
    if other.words is None or one.words is not None:
        return
    for mention in one.mentions:
        if mention.places and mention.places[-1] >= len(other.words):
            raise ValueError(
                f"{one.where}: found a mention that ends at word {mention.places[-1]}, expected one of the "
                f"{len(other.words)} words of {other.where}"
            )


def _check_have_words(key, response):
    """With empty nodes, places of a file without words say too little: do they count these?"""
    for one, other in ((key, response), (response, key)):
        if one.words is None:
            raise ValueError(
                f"{one.where}: found no words, expected some, because {other.where} has empty nodes, and places alone "
                "do not say whether they count them"
            )


def _check_kinds(key, response):
    kinds = [{bool(mention.name) for mention in side.mentions} for side in (key, response)]
    if all(kinds) and kinds[0] != kinds[1]:
        raise ValueError(
            f"{response.where}: found names for mentions on one side and places on the other, expected one of them"
        )


def _check_sentences(key, response):
    """With empty nodes, which are counted within sentences, these must be the same."""
    texts = {id(side): _text(side) for side in (key, response)}
    starts = [[bisect_left(texts[id(side)], place) for place in side.sentences] for side in (key, response)]
    if starts[0] != starts[1] and all(starts):
        number = next(i for i, (ours, theirs) in enumerate(zip_longest(*starts)) if ours != theirs)
        raise ValueError(
            f"{response.where}: found sentence {number} at another word than in {key.where}, expected the same "
            "sentences, because empty nodes are counted within them"
        )


# ---- Empty nodes of both sides in one text ----


def _merged(key, response):
    """The words of both; for each side its places in them, in order; where sentences begin."""
    words, order = [], [{}, {}]
    nodes = [{_number(node): place for place, node in side.empty.items()} for side in (key, response)]
    texts = [_text(key), _text(response)]
    gaps = [_gaps(side, text) for side, text in zip((key, response), texts)]
    for number in range(len(texts[0]) + 1):
        for node in sorted({*gaps[0].get(number, ()), *gaps[1].get(number, ())}):
            own = [side.get(node) for side in nodes]
            words.append(response.words[own[1]] if own[0] is None else key.words[own[0]])
            for places, place in zip(order, own):
                if place is not None:
                    places[place] = len(words) - 1
        if number < len(texts[0]):
            for places, text in zip(order, texts):
                places[text[number]] = len(words)
            words.append(key.words[texts[0][number]])
    sentences = [order[0][place] for place in key.sentences]
    return words, *order, sentences


def _gaps(document, text):
    """{number of words before: empty nodes there, as (sentence, N, k)}."""
    gaps = {}
    for place, node in document.empty.items():
        gaps.setdefault(bisect_left(text, place), []).append(_number(node))
    return gaps


def _number(node):
    return node.sentence, node.after, node.number


def _moved(mentions, places):
    return [
        mention._replace(
            places=tuple(map(places.__getitem__, mention.places)), head=tuple(map(places.__getitem__, mention.head))
        )
        for mention in mentions
    ]
