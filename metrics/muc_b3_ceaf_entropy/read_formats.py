"""The table of file formats, and one file alone as the metric takes it: clusters of mentions.

A new format is a module `read_<name>`, with a function from a path to its documents and one that
knows its lines, and a row in `FORMATS`. (`read_pairs` puts two files together, `score_files` scores
them.) A syntax error is a ValueError that names the file and the line.
"""

import os
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from .common import Message, argument, input_error, one_of, prefix_errors, setting, short_repr, warn
from .documents import Document, clusters_of, mention_name, position_labels
from .match_documents import pair_documents
from .match_words import check_words, words_of
from .read_books import booknlp_documents, is_booknlp, is_litbank, litbank_documents
from .read_brackets import bracket_documents, is_brackets
from .read_brat import brat_documents, is_brat
from .read_conll import conll_documents
from .read_corefud import corefud_documents, is_corefud
from .read_corenlp import XML, corenlp_xml_documents
from .read_json import inclusive, is_json, json_documents, json_objects, json_texts
from .read_rows import dataset_documents, is_dataset, parquet_documents
from .read_spacy import docbin_documents
from .read_text import BEGIN, HASH, beside, numbered_lines
from .read_ua import is_ua, ua_documents
from .read_webanno import HEADER as WEBANNO
from .read_webanno import webanno_documents


class Format(NamedTuple):
    """A format of files."""

    read: Callable  # path -> the documents of the file; a second argument are names of fields, () for the usual ones
    begins: str  # what a file begins with, for people
    knows: Callable = lambda line: False  # noqa: ARG005  # whether a line is of this format; no line is of two
    has_fields: bool = False  # whether clusters are looked for by name: fields of JSON, types of relations, layers
    names_entities: bool = False  # whether an entity's id can be meant for several documents
    magic: bytes = b""  # with which a file of it begins that is no text


FORMATS = {
    "conll": Format(conll_documents, f"{HASH}begin document", BEGIN.match, names_entities=True),
    "corefud": Format(corefud_documents, "ten columns of CoNLL-U", is_corefud, names_entities=True),
    "ua": Format(ua_documents, "columns of CoNLL-U and more", is_ua, names_entities=True),
    "json": Format(json_documents, "{ or [", is_json, True),
    "booknlp": Format(booknlp_documents, "COREF start_token end_token", is_booknlp),
    "litbank": Format(litbank_documents, "MENTION T1 0 3 0 4 Ann Lee", is_litbank),
    "brat": Format(brat_documents, "T1 Person 0 3 Ann", is_brat, True),
    "webanno": Format(webanno_documents, f"{HASH}FORMAT=WebAnno TSV 3", WEBANNO.match, True),
    "corenlp": Format(corenlp_xml_documents, "<?xml (CoreNLP's)", XML.match),
    "spacy": Format(docbin_documents, "spaCy's DocBin", magic=b"\x78\x9c"),
    "parquet": Format(parquet_documents, "Parquet, with rows of OntoNotes or coref-data", magic=b"PAR1"),
    "brackets": Format(bracket_documents, f"text with [She]{HASH}1 in it", is_brackets),
}
AUTO = "auto"  # by what a file has in it
COMPANIONS = {".ann": (".txt",), ".entities": (".tokens",)}  # what is read with a file
SHOWN_LINES = 3
LOOKED_AT = 50  # lines: between those that begin and end documents of CoNLL-2012 may be text with brackets


def is_source(value) -> bool:
    """Whether a side is given as a file, a folder or rows of a data set, and not as documents."""
    return isinstance(value, (str, os.PathLike)) or is_dataset(value)


def read_documents(
    path,
    file_format: str = AUTO,
    field: str | None = None,
    usual: tuple = (),
    word_column: int | None = None,
) -> list[Document]:
    """The documents of a file, of all files in a folder (without a name, under their file's), or of rows of data sets.

    Args:
        path, file_format, field, word_column: as for `score_files`.
        usual: the fields of JSON in which clusters are looked for without a field.

    Raises:
        ValueError: what the format's reader refuses, no format that is known, a field for one that has none.
    """
    if is_dataset(path):
        name, documents = "json", list(dataset_documents(path))
    elif is_source(path) and os.path.isdir(path):
        return _folder(path, file_format, field, usual, word_column)
    else:
        name = find_format(path) if file_format == AUTO else file_format
        if field is not None and not FORMATS[name].has_fields:
            raise input_error(path, f"the format {name}, which has no field {field!r}", "a format that has fields")
        names = (field,) if field else usual if name == "json" else ()
        setting = names or (word_column if name == "conll" else None)
        documents = list(FORMATS[name].read(path, setting) if setting else FORMATS[name].read(path))
    for document in documents:
        document.format = name
    return documents


def _folder(folder, file_format, *settings):
    """The documents of all files of a folder, those in its own folders too, by name; a warning for what is left out."""
    documents, paths = [], sorted(files_of(folder))
    readable = [path for path in paths if _is_known(path, file_format)]
    endings = set(map(_ending, readable or paths))  # a format that is given is of all files that end so
    known = readable if file_format == AUTO else [path for path in paths if _ending(path) in endings]
    for path in known:
        own = read_documents(path, file_format, *settings)
        if len(own) == 1 and not own[0].name:
            own[0].name = os.path.splitext(os.path.relpath(path, folder))[0]
        documents.extend(own)
    if not documents:
        lacking = "document" if known else "file of a format that is known" if paths else "file"
        raise input_error(folder, f"no {lacking} in the folder", "documents in it")
    left_out = sorted({*paths} - {*known})
    if left_out:
        what = "of no format that is known" if file_format == AUTO else f"with nothing of the format {file_format}"
        more = ("; with ", setting("format"), " those that end as the others do are read, too")
        known = f"{folder}: left out files {what}, {len(left_out)} in all, such as {left_out[0]}"
        warn(known, *(more if file_format == AUTO else ()))
    for document in documents:
        document.beside = left_out
    return documents


def files_of(folder: str) -> list[str]:
    """The files of a folder, without hidden ones and those that are read with another."""
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name[0] != "."]
    companions = {beside(path, other) for path in paths for other in COMPANIONS.get(_ending(path), ())}
    return [path for path in paths if path not in companions]


def _ending(path):
    return os.path.splitext(path.removesuffix(".gz"))[1]


def _is_known(path, file_format):
    try:
        if file_format == AUTO:
            return bool(find_format(path))
        if magic := FORMATS[file_format].magic:
            return _begins_with(path, magic)
        return any(FORMATS[file_format].knows(line) for _, line in numbered_lines(path))
    except ValueError:
        return False


def find_format(path: str) -> str:
    """The name of a file's format, by its first lines.

    Raises:
        ValueError: it looks like none of them.
    """
    for name, each in FORMATS.items():
        if each.magic and _begins_with(path, each.magic):
            return name

    shown: list[str] = []
    for _, line in numbered_lines(path):
        if not shown:  # nothing but comments so far
            for name, each in FORMATS.items():
                if each.knows(line):
                    return name if name != "conll" or not _has_brackets(path, LOOKED_AT) else "brackets"
        if line.strip() and (shown or not line.strip().startswith(HASH)):
            shown.append(short_repr(line.rstrip(), 60))
        if len(shown) == SHOWN_LINES:
            break
    if _has_brackets(path):  # a sentence of chat comes first
        return "brackets"
    begins = "; ".join(f"{name}: {each.begins}" for name, each in FORMATS.items())
    expected = f"the beginning of a format that is known ({begins}), or "
    found = ", ".join(shown) or "no document"
    raise input_error(path, found, Message(expected, setting("format"), " to name it"))


def _has_brackets(path, most=None):
    """Whether one of the first lines, or of all lines, has a bracket with an id."""
    return any(is_brackets(line) for _, line in islice(numbered_lines(path), most))


def _begins_with(path, magic):
    try:
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except (OSError, TypeError, ValueError):
        return False  # `numbered_lines` says why


# ---- One file alone ----


def read_conll(path: str, like: str | None = None) -> list:
    """Documents of a CoNLL-2012 file, mentions as [start, end] token positions in the document (end inclusive).

    Args:
        path: the file.
        like: another file (the key, say) whose documents give the order: by name, or one by one where they have no
            names. Both must have the same documents, each with the same words.

    Raises:
        ValueError: brackets that do not match, a token outside a document, a document without an end (with file
            and line); other documents or words than in ``like``.
    """
    documents = map(_clusters, _in_order(path, conll_documents, like))
    return [[[[m.positions[0], m.positions[-1]] for m in cluster] for cluster in clusters] for clusters in documents]


def read_jsonlines(path: str, like: str | None = None, field: str = "clusters") -> list:
    """Documents of a JSON-lines file: the lists of clusters under ``field``, for ``like`` named by ``doc_key``.

    Of wl-coref's ``span_clusters`` and PreCo's ``mention_clusters``, whose ends are exclusive, the mentions are [start,
    end] with the end inclusive, as everywhere else.

    Args:
        path: the file.
        like: as for `read_conll`.
        field: where a line has its clusters.

    Raises:
        ValueError: a line that is not a JSON object or has no list in the field, with file and line; with ``like``,
            other documents or words.
    """
    if not isinstance(field, str):
        raise input_error(argument("field"), short_repr(field), "the name of a field")
    documents = []
    for line, document in json_objects(path):
        if not isinstance(document.get(field), list):
            found = f"the fields {short_repr(sorted(document))}"
            raise input_error(f"{path}:{line}", found, f"a list of clusters in {short_repr(field)}")
        documents.append(inclusive(document, field, f"{path}:{line}"))
    if like is None:
        return documents
    texts = list(json_texts(path))
    clusters = dict(zip(map(id, texts), documents, strict=True))
    return [clusters[id(document)] for document in _like(texts, list(json_texts(like)))]


def read_corefud(path: str, like: str | None = None) -> list:
    """Documents of a CorefUD file; mentions are strings, "3-5", or "3-4,8-8" for one in several parts.

    Only words of the text are counted, so that a predicted empty node shifts nothing; an empty node N.k is named after
    the number of words before it, "7.1", and one at the beginning of a sentence (0.k) "7.0.1".

    Args:
        path: the file.
        like: as for `read_conll`.

    Raises:
        ValueError: entity brackets or parts that do not match, lines without ten columns, with file and line; other
            documents or words than in ``like``.
    """
    documents = []
    for document in _in_order(path, corefud_documents, like):
        labels = position_labels(document.tokens, document.empty)
        documents.append([[mention_name(mention, labels) for mention in cluster] for cluster in _clusters(document)])
    return documents


def read_words(path: str, file_format: str = AUTO, like: str | None = None) -> list:
    """The words of each document of a file, to which its mentions' positions refer.

    Args:
        path: the file.
        file_format: "conll" (the fourth column), "corefud" and "ua" (the forms, without empty nodes), "json" (the lists
            in ``sentences``, or ``tokens``; also "jsonlines"), or "auto": by what the file has in it.
        like: another file whose documents give the order.

    Returns:
        A list of words for each document.

    Raises:
        ValueError: another format, a document without words, or other documents than in ``like``.
    """
    with prefix_errors("file_format"):
        one_of((AUTO, *WITH_WORDS))(file_format)
    name = find_format(path) if file_format == AUTO else file_format
    documents = _in_order(path, WITH_WORDS[name], like)
    for i, document in enumerate(documents):
        if document.words is None or (document.words and not any(document.words)):
            found = f"no words in document {i}, {short_repr(document.name)}"
            raise input_error(path, found, "words beside the clusters")
    return [words_of(document) for document in documents]


WITH_WORDS = {name: each.read for name, each in FORMATS.items()} | {"json": json_texts, "jsonlines": json_texts}


def _clusters(document):
    return [[document.mentions[i] for i in cluster] for cluster in clusters_of(document.mentions)]


def _in_order(path: str, reader: Callable, like: str | None) -> list[Document]:
    """The file's documents, in the order in which the reader finds them in another file, if there is one."""
    documents = list(reader(path))
    return documents if like is None else _like(documents, list(reader(like)))


def _like(documents, others):
    """The documents in the order of others; ValueError where these differ in more than their mentions."""
    pairs = pair_documents(others, documents)
    for other, document in pairs:
        check_words(other, document)
    return [document for _, document in pairs]
