"""JSON: one object a line, as coreference systems write, a list of such objects, scorch's files, those of toolkits.

Systems differ in the names of their fields; the tables here are those that are understood, the first one found counts.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain

from .common import input_error, is_integer, prefix_errors, short_repr
from .documents import Document, Mention, grouped
from .read_brackets import is_brackets
from .read_corenlp import corenlp_document, is_corenlp
from .read_rows import NAMES, document_name, is_row, row_documents
from .read_spacy import is_spacy, spacy_document
from .read_spans import SUBTOKEN_MAP, character_document, word_numbers, words_of_subtokens
from .read_text import connected, numbered_lines, sentence_starts, whole_text

TEXT = "text"  # of fastcoref: mentions are characters of it
SENTENCES = "sentences"
WL_COREF_WORDS = "cased_words"
WORDS = ("tokens", WL_COREF_WORDS, "words", "document")  # the last is AllenNLP's
MAVERICK, WL_COREF, PRECO = "clusters_token_offsets", "span_clusters", "mention_clusters"
KEY_CLUSTERS = ("gold_clusters", "clusters", MAVERICK, WL_COREF, PRECO)
RESPONSE_CLUSTERS = ("predicted_clusters", "clusters", MAVERICK, WL_COREF, PRECO)
OF_TOOLKITS = ((is_corenlp, corenlp_document), (is_spacy, spacy_document), (is_row, row_documents))
END_EXCLUSIVE = (WL_COREF, PRECO)  # the end is the first word after the mention; so it is in wl-coref's "clusters"
BEGINNING = re.compile(r"\s*(?:\{\s*(?:[\"'}]|$)|\[\s*(?:[\[{\]]|$))")
LONGEST_MENTION = 100_000  # words; in a file without words nothing else tells a wrong number


def is_json(line: str) -> bool:
    """Whether a line begins an object or a list, no text with brackets and none of SACR's mentions, {M1 Ann}."""
    return bool(BEGINNING.match(line)) and not is_brackets(line)


def json_objects(path: str) -> Iterator[tuple[int, dict]]:
    """The objects of a file with one on each line, with the line's number.

    Raises:
        ValueError: a line that is no JSON object, with file and line.
    """
    for number, line in numbered_lines(path):
        if line.strip():
            yield number, _object(_parsed(line, f"{path}:{number}", "one object a line"), f"{path}:{number}")


def json_documents(path: str, clusters: tuple = KEY_CLUSTERS) -> Iterator[Document]:
    """Documents of a JSON file of any of these forms; `clusters` are the fields that may have them, by precedence.

    Raises:
        ValueError: no JSON, an object without clusters, a mention that is none or beyond the text; with file, line
            and document.
    """
    objects = iter(_objects(path))
    for line, item in objects:
        if reader := _reader_of_toolkit(item):
            yield from reader(item, document_name(item), str(path), line)
        elif item.get("type") in ("graph", "clusters") and words_of(item) is None:
            yield _scorch_document(item, str(path))
        elif _names_documents(item):
            _, maps = next(objects, (line, {}))
            for name, each in item.items():
                own = {NAMES[0]: name, clusters[0]: each, SUBTOKEN_MAP: maps.get(name)}
                yield _system_document(own, str(path), line, clusters)
        else:
            yield _system_document(item, str(path), line, clusters)


def json_texts(path: str) -> Iterator[Document]:
    """The documents of a JSON file without their mentions, whatever the clusters are called."""
    for line, item in _objects(path):
        if reader := _reader_of_toolkit(item):
            yield from reader(item, document_name(item), str(path), line)
        else:
            yield _text(item, str(path), line)[0]


def _reader_of_toolkit(item):
    return next((reader for knows, reader in OF_TOOLKITS if knows(item)), None)


def _objects(path):
    """JSON lines, or all of the file as one list or object."""
    text = whole_text(path)
    if _is_an_object_a_line(text) or not text.strip():
        return json_objects(path)
    value = _parsed(text, path, "a list of objects, or one object")
    return [(0, _object(each, str(path))) for each in (value if isinstance(value, list) else [value])]


def _is_an_object_a_line(text):
    """Whether the first line is an object; or begins one, as if it were cut off, and others begin one, too."""
    first_line = text.lstrip().partition("\n")[0]
    try:
        return isinstance(json.loads(first_line), dict)
    except (ValueError, RecursionError):
        return first_line.startswith("{") and first_line != "{" and "\n{" in text


def _parsed(text, where, expected):
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of too many digits, and too deep a nesting
        raise input_error(where, f"no JSON ({error})", expected) from None


def _object(value, where):
    if not isinstance(value, dict):
        of_stanza = isinstance(value, list) and value and isinstance(value[0], dict)
        hint = """; of a stanza document "{:C}".format(doc), which is CoNLL-U""" if of_stanza else ""
        raise input_error(where, type(value).__name__, f"an object with words and clusters{hint}")
    return value


def _first(item, names):
    """The first of some names that the object has; "" for none."""
    return next((name for name in names if name in item), "")


# ---- What systems write ----


def _text(item, path, line):
    """A document with its name, words and sentences; and `word_numbers`."""
    starts = sentence_starts(_sentences(item) or [])
    document = Document(document_name(item), path, line, words_of(item), sentences=starts)
    with prefix_errors(document.where):
        numbers = word_numbers(item, document.words)
    if numbers and len(document.tokens) == len(numbers):  # else the sentences have words, not subtokens
        document.words = words_of_subtokens(document.tokens, numbers)
        document.sentences = sorted({numbers[start] for start in document.sentences if start < len(numbers)})
    return document, numbers


def _system_document(item, path, line, cluster_names):
    document, numbers = _text(item, path, line)
    field = _first(item, cluster_names)
    clusters = item.get(field)
    if not isinstance(clusters, list):
        expected = f"a list of clusters in {', '.join(map(repr, cluster_names))}"
        raise input_error(document.where, f"the fields {short_repr(sorted(item))}", expected)
    if document.words is None and isinstance(item.get(TEXT), str) and _have_pairs(clusters):
        return character_document(item, field, document.name, path, line)
    after = int(field in END_EXCLUSIVE or WL_COREF_WORDS in item)
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list) or not cluster:
            raise input_error(document.where, f"{short_repr(cluster)} in {field}[{number}]", "a list of mentions")
        document.mentions.extend(_mention(each, str(number), document, field, numbers, after) for each in cluster)
    return document


def _have_pairs(clusters):
    """Whether the first mention is a list of two: an object without tokens may have names for mentions, too."""
    lists = (cluster for cluster in clusters if isinstance(cluster, list)) if isinstance(clusters, list) else ()
    return isinstance(next(chain.from_iterable(lists), None), list)


def _names_documents(item):
    """Whether an object has the clusters of several documents, under their names (s2e-coref's predictions).

    The next object has their subtokens' words, under the same names.
    """
    filled = [value for value in item.values() if value != []]
    return bool(filled) and all(map(_have_pairs, filled)) and not {*item} & {*KEY_CLUSTERS, *RESPONSE_CLUSTERS}


def _mention(value, entity, document, field, numbers, after):
    """A pair of word numbers (PreCo's: [sentence, start, end] in it), or of subtokens with these words, or a name.

    after: how many words the end is after the last word of the mention.
    """
    if isinstance(value, str) or is_integer(value):
        return Mention(entity, (), (), document.line, str(value))
    found = f"the mention {short_repr(value)} in {field}[{entity}]"
    size = 3 if field == PRECO else 2
    if not isinstance(value, list) or len(value) != size or not all(is_integer(each, 0) for each in value):
        form = "[sentence, start, end]" if field == PRECO else "[start, end] or a name"
        raise input_error(document.where, found, form)
    begin = _sentence_start(value[0], document) if field == PRECO else 0
    start, end = begin + value[-2], begin + value[-1] - after
    if numbers is not None and start <= end:
        if end >= len(numbers):
            raise input_error(document.where, found, f"some of the {len(numbers)} subtokens of subtoken_map")
        start, end = numbers[start], numbers[end]
    if document.words is None:
        fits, length = end - start < LONGEST_MENTION, f", at most {LONGEST_MENTION} words"
    else:
        fits, length = end < len(document.words), f" within {len(document.words)} words, the end inclusive"
    if start > end or not fits:
        raise input_error(document.where, found, f"a start before the end{length}")
    return Mention(entity, tuple(range(start, end + 1)), (), document.line)


def _sentence_start(number, document):
    if number >= len(document.sentences):
        raise input_error(document.where, f"sentence {number}", f"one of {len(document.sentences)} sentences, from 0")
    return document.sentences[number]


def inclusive(item: dict, field: str, where: str) -> list:
    """The clusters of a field of an object, as [start, end] pairs with inclusive ends; as they are if they have these.

    Raises:
        ValueError: the field's ends are exclusive, and its mentions no pairs (of PreCo, no triples in its sentences).
    """
    clusters = item[field]
    if field not in END_EXCLUSIVE:
        return clusters
    try:
        if field == PRECO:
            starts = sentence_starts(_sentences(item) or [])
            clusters = [[[starts[number] + each for each in ends] for number, *ends in c] for c in clusters]
        return [[[start, end - 1] for start, end in cluster] for cluster in clusters]
    except (TypeError, ValueError, IndexError):
        form = "[sentence, start, end] triples" if field == PRECO else "[start, end] pairs"
        raise input_error(where, f"the clusters {short_repr(clusters)}", f"lists of {form}") from None


def words_of(item: dict) -> list[str] | None:
    """The words of an object: lists of words in ``sentences``, or else one list; None where it has none of them."""
    sentences = _sentences(item) if SENTENCES in item else None
    words = item.get(_first(item, WORDS)) if sentences is None else list(chain.from_iterable(sentences))
    return words if isinstance(words, list) and all(isinstance(word, str) for word in words) else None


def _sentences(item):
    """The sentences of an object, [] where it has none; None for what is no list of lists."""
    sentences = item.get(SENTENCES, [])
    is_split = isinstance(sentences, list) and all(isinstance(sentence, list) for sentence in sentences)
    return sentences if is_split else None


# ---- scorch ----


def _scorch_document(item, path):
    """scorch's clusters ({id: mentions}), or its graph: mentions, and links between two that corefer."""
    document = Document(str(item.get("name", "")), path)
    clusters = _connected(item, document) if item["type"] == "graph" else item.get("clusters")
    if not isinstance(clusters, dict) or not all(isinstance(cluster, list) for cluster in clusters.values()):
        raise input_error(document.where, short_repr(clusters), "lists of mentions by cluster id")
    for entity, cluster in clusters.items():
        document.mentions.extend(Mention(str(entity), (), (), 0, _identifier(each, document)) for each in cluster)
    return document


def _identifier(value, document):
    if not isinstance(value, str) and not is_integer(value):
        raise input_error(document.where, f"the mention {short_repr(value)}", "a string or an integer")
    return str(value)


def _connected(item, document):
    """The connected components of a graph, each named after its first mention."""
    mentions, links = item.get("mentions"), item.get("links", [])
    if not isinstance(mentions, list) or not isinstance(links, list):
        raise input_error(document.where, f"the fields {short_repr(sorted(item))}", "lists of mentions and links")
    names = dict.fromkeys(_identifier(mention, document) for mention in mentions)
    for link in links:
        if not isinstance(link, list) or len(link) != 2 or any(_identifier(m, document) not in names for m in link):
            raise input_error(document.where, f"the link {short_repr(link)}", "a list of two of the mentions")
    firsts = connected(names, [map(str, link) for link in links])
    return grouped((first, mention) for mention, first in firsts.items())
