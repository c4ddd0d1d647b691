"""spaCy's documents, as JSON (``Doc.to_json``) and ``DocBin``: a group ``coref_clusters_N`` of spans is an entity.

JSON of a document without any group has no ``spans``.
"""

from bisect import bisect_left
from collections.abc import Iterator

from .common import input_error, is_integer, short_repr
from .documents import Document
from .read_spans import as_list, text_document

GROUP = "coref_clusters_"
LISTS = {"ents", "sents", "tokens"}  # fields that `Doc.to_json` writes


def is_spacy(item: dict) -> bool:
    """Whether an object of JSON is spaCy's: one without groups of spans has places of all tokens, and no other list."""
    text, tokens, spans = map(item.get, ("text", "tokens", "spans"))
    if not isinstance(text, str) or not isinstance(tokens, list):
        return False
    if "spans" in item:
        return isinstance(spans, dict)
    placed = all(isinstance(token, dict) and {*token} >= {"id", "start", "end"} for token in tokens)
    return placed and bool(tokens) == bool(text) and not any(isinstance(item[name], list) for name in {*item} - LISTS)


def spacy_document(item: dict, name: str, path: str, line: int = 0) -> Iterator[Document]:
    """The one document of an object of JSON; its tokens that are blank are none of its words.

    Raises:
        ValueError: a token or a span that has no place in the text, with file, line and document.
    """
    text, where = item["text"], Document(name, path, line).where
    places = [_place(token, text, where) for token in item["tokens"]]
    words = [(begin, end) for begin, end in places if not text[begin:end].isspace()]
    groups = [(entity, as_list(spans)) for entity, spans in item.get("spans", {}).items() if entity.startswith(GROUP)]
    mentions = [(entity, *_place(span, text, where), line) for entity, spans in groups for span in spans]
    document = text_document(text, mentions, name, path, line, words)
    starts = [_place(sentence, text, where)[0] for sentence in as_list(item.get("sents", []))]
    document.sentences = sorted({bisect_left(words, (start, 0)) for start in starts}) or document.sentences
    yield document


def _place(value, text, where):
    """(start, end) of a token or span, in characters."""
    place = (value.get("start"), value.get("end")) if isinstance(value, dict) else ()
    if not place or not all(is_integer(each, 0) for each in place) or not place[0] < place[1] <= len(text):
        raise input_error(where, short_repr(value), f"start and end within the text's {len(text)} characters")
    return place


def docbin_documents(path: str) -> Iterator[Document]:
    """The documents of a ``DocBin`` on disk.

    Raises:
        ValueError: spaCy is not installed, it cannot read the file, or as `spacy_document`.
    """
    try:
        import spacy  # here, because it is needed for this format only
        from spacy.tokens import DocBin
    except ImportError:
        found = "spaCy's binary format, and no spaCy to read it"
        raise input_error(path, found, "spaCy installed, or JSON of Doc.to_json") from None
    try:
        documents = list(DocBin().from_disk(path).get_docs(spacy.blank("xx").vocab))
    except Exception as error:  # whatever zlib, msgpack and numpy raise for what is no such file
        raise input_error(path, f"a file that spaCy cannot read ({error})", "a DocBin") from error
    for document in documents:
        yield from spacy_document(document.to_json(), "", str(path))
