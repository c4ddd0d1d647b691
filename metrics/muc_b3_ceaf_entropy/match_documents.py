"""Which document of the response is which of the key: by name, in one canonical form, or by their order."""

import re
from collections import Counter

from .common import Message, input_error, setting, short_repr
from .documents import Document, listed

DOCUMENTS = ("name", "order")
# "(bc/cctv_0005); part 000" of CoNLL-2012 is bc/cctv_0005_0 elsewhere (e2e-coref and its successors), or
# bc:cctv_0005_000 (where the name's first part is the genre).
PART = re.compile(r"^(?P<name>.*?)\s*[;,]\s*part\s*0*(?P<part>\d+)$", re.I)
IN_PARENTHESES = re.compile(r"^\((.*)\)$")
ZEROS = re.compile(r"_0+(?=\d+$)")
FIRST_PART = re.compile(r"_0+$")


def canonical_name(name: str) -> str:
    """A document's name without parentheses, and with its part, if it has one, as ``name_0``."""
    part = PART.match(name.strip())
    base = part["name"] if part else name.strip().rstrip(";")
    base = IN_PARENTHESES.sub(r"\1", base).strip()
    return f"{base}_{part['part']}" if part else base


def pair_documents(keys: list[Document], responses: list[Document], by: str = "name") -> list[tuple]:
    """The documents of two files as pairs (key, response), in the key's order.

    They go by "name", as it is or else in canonical form, and what has no name by position; or by "order", the first
    with the first, whatever their names.

    Raises:
        ValueError: the same name twice in a file, a document that one side lacks, other numbers of documents.
    """
    counted = f"{len(responses)} documents in {_files(responses)} and {len(keys)} in {_files(keys)}"
    if by == "order":
        if len(keys) != len(responses):
            raise input_error("", counted, "the same documents in the same order")
        return list(zip(keys, responses, strict=True))
    named = _same_names(_by_name(keys), _by_name(responses))
    taken = set(map(id, named.values()))
    left = [document for document in keys if id(document) not in named]
    others = [document for document in responses if id(document) not in taken]
    if all(document.name for document in (*left, *others)):
        for document, there in (*((each, responses) for each in left), *((each, keys) for each in others)):
            expected = Message("a document of this name; ", _others(there))
            raise input_error(document.where, f"no such document in {_files(there)}", expected)
    if len(left) != len(others):
        wanted = "a name for each document, or the same documents in the same order"
        raise input_error("", f"{counted}, some of them without a name", wanted, but="; ")
    for key, response in zip(left, others, strict=True):
        if key.name and response.name and key.name != response.name:
            raise input_error(response.where, "this name", f"the name {short_repr(key.name)}, as in {key.where}")
    unnamed = iter(others)
    return [(key, named[id(key)] if id(key) in named else next(unnamed)) for key in keys]


def _same_names(keys: dict, responses: dict) -> dict:
    """{id of a key: its response} for names that are the same as they are, in canonical form, or but for a part 0.

    At last zeros before a part's number do not count, a colon is as a slash, and ".txt" (CoreNLP's) nothing.
    """
    pairs = {id(key): responses[name] for name, key in keys.items() if name in responses}
    if len(pairs) == len(keys) == len(responses):
        return pairs
    for form in (
        canonical_name,
        lambda name: FIRST_PART.sub("", canonical_name(name)),
        lambda name: ZEROS.sub("_", canonical_name(name)).replace(":", "/").removesuffix(".txt"),
    ):
        left = _unique(form, (name for name, key in keys.items() if id(key) not in pairs))
        taken = set(map(id, pairs.values()))
        others = _unique(form, (name for name, response in responses.items() if id(response) not in taken))
        pairs |= {id(keys[name]): responses[others[same]] for same, name in left.items() if same in others}
    return pairs


def _unique(form, names):
    """{form of a name: name} for those names whose form no other has."""
    names = list(names)
    times = Counter(map(form, names))
    return {form(name): name for name in names if times[form(name)] == 1}


def _files(documents):
    return ", ".join(sorted({document.file for document in documents})) or "the other file"


def _others(documents):
    """What else is there, and what to do."""
    names = [short_repr(document.name) for document in documents if document.name]
    there = f"there are {listed(names)}; " if names else ""
    left_out = documents[0].beside if documents else []
    if left_out:
        return f"{there}left out was {listed(left_out)}"
    return Message(there, setting("documents", "order"), " takes the documents as they come")


def _by_name(documents):
    named = {}
    for document in filter(lambda each: each.name, documents):
        first = named.setdefault(document.name, document)
        if first is not document:
            raise input_error(document.where, "this name again", f"a name of its own; first at {first.where}")
    return named
