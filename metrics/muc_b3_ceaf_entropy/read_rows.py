"""Rows of data sets on the Hub, from a `datasets.Dataset`, JSON or Parquet: sentences with words, entities beside them.

OntoNotes 5 (``conll2012_ontonotesv5``) has ``coref_spans`` in each sentence: [entity, first, last] or [entity, [first,
last]]; each part of a document is a document, as in CoNLL-2012. The sets of coref-data have ``coref_chains``: lists of
[sentence, first, last]. Words are counted from 0 in their sentence, the last one is inclusive.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby

from .common import input_error, is_integer, short_repr
from .documents import Document, Mention
from .read_spans import as_list, sentence_document, sentence_positions

NAMES = ("doc_key", "doc_id", "document_id", "docId", "id", "name")
PART = "part_id"  # beside the name, or in each sentence
SPANS, CHAINS = "coref_spans", "coref_chains"
DATASET = "data set"  # what it is called where a file has its path


def document_name(item: Mapping) -> str:
    """What an object calls its document, with its part; "" where it does not say.

    `load_dataset("json")` makes times of a column of dates, such as newspapers call their documents.
    """
    name = next((item[each] for each in NAMES if each in item), None)
    if isinstance(name, datetime):
        name = name.isoformat().removesuffix("T00:00:00")
    return "" if name is None else f"{name}_{item[PART]}" if is_integer(item.get(PART), 0) else str(name)


def is_row(item: Mapping) -> bool:
    """Whether an object is a row of one of these data sets."""
    sentences = item.get("sentences")
    if not isinstance(sentences, list) or not all(isinstance(sentence, dict) for sentence in sentences):
        return False
    return isinstance(item.get(CHAINS), list) or any(SPANS in sentence for sentence in sentences)


def row_documents(item: Mapping, name: str, path: str, line: int = 0) -> Iterator[Document]:
    """The documents of a row: one, or of OntoNotes one for each part.

    Raises:
        ValueError: sentences without words, a mention that is none or outside its sentence; with the document.
    """
    if CHAINS in item:
        document = sentence_document([each.get("tokens") for each in item["sentences"]], "text", name, path, line)
        for entity, chain in enumerate(item[CHAINS]):
            for mention in as_list(chain):
                _add(document, str(entity), mention, mention)
        yield document
        return
    for part, sentences in groupby(item["sentences"], key=lambda sentence: sentence.get(PART)):
        yield _document_of_spans(list(sentences), name if part is None else f"{name}_{part}", path, line)


def _document_of_spans(sentences, name, path, line):
    document = sentence_document([sentence.get("words") for sentence in sentences], "", name, path, line)
    for number, sentence in enumerate(sentences):
        for span in as_list(sentence.get(SPANS, [])):
            entity, *ends = as_list(span) or [span]
            if len(ends) == 1:
                ends = as_list(ends[0])
            _add(document, str(entity), [number, *ends], span)
    return document


def _add(document, entity, place, shown):
    """Add a mention of an entity, [sentence, first word, last word]; `shown` is it as the row has it."""
    found = f"the mention {short_repr(shown)} of entity {entity}"
    if not isinstance(place, list) or len(place) != 3 or not all(is_integer(number, 0) for number in place):
        raise input_error(document.where, found, "numbers of its first and its last word in a sentence")
    document.mentions.append(Mention(entity, sentence_positions(document, found, *place), (), document.line))


def is_dataset(value) -> bool:
    """Whether a value has rows: a `datasets.Dataset`, or a list or tuple of rows."""
    listed = isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)
    return listed or hasattr(value, "column_names")


def dataset_documents(rows: Iterable[Mapping], path: str = DATASET) -> Iterator[Document]:
    """The documents of rows; a document's line is the number of its row, from 1.

    Raises:
        ValueError: a row of another data set, or as `row_documents`.
    """
    rows = rows.with_format(None) if hasattr(rows, "with_format") else rows  # a data set may give arrays or tables
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or not is_row(row):
            fields = {name: type(value).__name__ for name, value in row.items()} if isinstance(row, Mapping) else row
            expected = f"lists: sentences with {SPANS} (OntoNotes 5), or sentences and {CHAINS} (coref-data)"
            raise input_error(f"{path}:{number}", short_repr(fields), expected)
        yield from row_documents(row, document_name(row), path, number)


def parquet_documents(path: str) -> Iterator[Document]:
    """The documents of a file of Parquet; ValueError for one that cannot be read, and as `dataset_documents`."""
    import pyarrow  # here, because it takes a third of a second
    from pyarrow import parquet

    try:
        rows = parquet.read_table(path).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise ValueError(f"cannot read {short_repr(str(path))}: {error}") from error
    yield from dataset_documents(rows, str(path))
