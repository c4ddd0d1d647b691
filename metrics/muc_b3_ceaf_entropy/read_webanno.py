"""WebAnno TSV 3, as WebAnno and INCEpTION export: a line for each token, mentions in the columns of layers.

The header says which layers there are: ``T_SP=`` spans, ``T_CH=`` chains, ``T_RL=`` relations. A chain
layer is coreference (``COREFERENTIAL->1-2``: chain 1, its second mention). So is a relation layer called so, as in GUM,
between the annotations of the span layer that it names; what no relation joins is a singleton.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from .common import Message, input_error, setting, short_repr
from .documents import Document, Mention
from .read_text import HASH, Reading, connected, numbered_lines, warn_of_cut_words

HEADER = re.compile(HASH + r"FORMAT=WebAnno TSV (\S+)")
LAYER = re.compile(HASH + r"T_(SP|CH|RL)=([^|\s]*)\|?(.*)")
TOKEN = re.compile(r"(\d+-\d+)(\.\d+)?")  # a part of a token has a number of its own
NUMBERED = re.compile(r".*?(?:\[(\d+)\])?")
LINK = re.compile(r".*->(\d+-\d+)")
TARGET = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(?:0|(\d+))_(?:0|(\d+))\])?")
DIVIDED = re.compile(r"(?<!\\)\|")
ESCAPED = re.compile(r"\\(->|.)")
RELATION, BASE = "referenceRelation", "BT_"  # names of features in the header
COREFERENCE = re.compile("coref", re.IGNORECASE)
LEFT_OUT = {"brid": "bridging links", "split": "split antecedents"}  # by the beginning of a relation's type
FIRST_LAYER, WORD = 3, 2  # columns


class _Layer(NamedTuple):
    """A layer of annotation: its kind (SP, CH or RL), name, names of columns, and the number of the first."""

    kind: str
    name: str
    features: list
    column: int


class _Row(NamedTuple):
    """A line of a token or of a part of one: its number, the token's name, its position, its columns."""

    line: int
    token: str
    position: int
    columns: list


def webanno_documents(path: str, names: tuple = ()) -> Iterator[Document]:
    """The one document of a file; `names` are of the layer that is coreference, () for the only one that can be.

    Raises:
        ValueError: another version of the format, no such layer or several, lines of too few columns, a relation
            to no annotation (with file and line).
    """
    layers: list[_Layer] = []
    rows: list[_Row] = []
    reading = Reading("", path, 1)
    for number, line in numbered_lines(path):
        text = line.rstrip("\r\n")
        if header := HEADER.match(text):
            if not header[1].startswith("3"):
                raise input_error(f"{path}:{number}", f"WebAnno TSV {header[1]}", "version 3")
        elif layer := LAYER.match(text):
            layers.append(_Layer(layer[1], layer[2], layer[3].split("|"), _end(layers)))
        elif not text.strip():
            reading.in_sentence = False
        elif not text.startswith(HASH):
            token, part, columns = _row(text, layers, f"{path}:{number}")
            if not part:
                reading.add_word(ESCAPED.sub(r"\1", columns[WORD]), number)
            rows.append(_Row(number, token + part, len(reading.words) - 1, columns))
    document = reading.document
    if layers:  # the header lists those that are in use: a text without annotation has none
        layer, base = _coreference(layers, names, path)
        mentions = _related(layer, base, rows, document) if base else _chains(layer, rows, path)
        for entity, line, positions in mentions:
            document.mentions.append(Mention(entity, tuple(sorted(set(positions))), (), line))
    yield document


def _end(layers):
    return layers[-1].column + len(layers[-1].features) if layers else FIRST_LAYER


def _row(text, layers, where):
    columns = text.split("\t")
    token = TOKEN.fullmatch(columns[0])
    if token is None or len(columns) < _end(layers):
        expected = f"{_end(layers)} columns, as the layers of the header need, the first such as '1-1'"
        raise input_error(where, f"{len(columns)} columns, the first {short_repr(columns[0], 60)}", expected)
    return token[1], token[2] or "", columns


def _coreference(layers, names, path):
    """The layer that is coreference, and of relations the layer of the annotations that they are between, or None."""
    if names:
        chosen = [layer for layer in layers if {layer.name, layer.name.rpartition(".")[2]} & {*names}]
    else:
        chosen = [each for each in layers if each.kind == "CH" or each.kind == "RL" and COREFERENCE.search(each.name)]
    base = {f"{BASE}{layer.name}": layer for layer in layers}
    if len(chosen) != 1 or chosen[0].kind == "SP" or chosen[0].kind == "RL" and chosen[0].features[-1] not in base:
        expected = "one layer of chains, or one of relations between spans that is called coreference, or "
        found = f"the layers {short_repr([layer.name for layer in layers])}"
        raise input_error(path, found, Message(expected, setting("field"), " to name it"))
    return chosen[0], base.get(chosen[0].features[-1])


def _values(cell):
    """What a cell holds, which may be several values."""
    return [] if cell == "_" else DIVIDED.split(cell)


# ---- Mentions: (entity, line, positions) ----


def _mentions(spans, entities, path):
    """Those of the annotations that have an entity; spans: {annotation: its rows}."""
    kept = {name: rows for name, rows in spans.items() if name in entities}
    warn_of_cut_words(path, sum(any("." in row.token for row in rows) for rows in kept.values()))
    return [(entities[name], rows[0].line, [row.position for row in rows]) for name, rows in kept.items()]


def _chains(layer, rows, path):
    """The mentions of a chain layer: each row says of which chain and which of its links it is a part."""
    column = layer.column + (layer.features.index(RELATION) if RELATION in layer.features else 1)
    spans = {}
    for row in rows:
        for value in _values(row.columns[column]):
            link = LINK.fullmatch(value)
            if link is None:
                raise input_error(f"{path}:{row.line}", f"{short_repr(value)} in a chain", "links like '*->1-2'")
            spans.setdefault(link[1], []).append(row)
    return _mentions(spans, {name: name.partition("-")[0] for name in spans}, path)


def _related(layer, base, rows, document):
    """The mentions of a relation layer; its relations that are none of coreference are counted.

    An annotation has a number where it has several tokens or is one of several, and else the name of its token.
    """
    spans, links = {}, []
    for row in rows:
        for value in _values(row.columns[base.column]):
            spans.setdefault(NUMBERED.fullmatch(value)[1] or row.token, []).append(row)
    for row in rows:
        for kind, target in _relations(layer, row.columns):
            left_out = next((what for start, what in LEFT_OUT.items() if kind.startswith(start)), "")
            if left_out:
                document.left_out[left_out] += 1
                continue
            ends = TARGET.fullmatch(target)
            link = (ends[2] or ends[1], ends[3] or row.token) if ends else ()
            if not link or not spans.keys() >= {*link}:
                found = f"the relation {short_repr(kind)} to {short_repr(target)}"
                expected = f"a relation to an annotation of {base.name}, such as '1-2[3_4]'"
                raise input_error(f"{document.file}:{row.line}", found, expected)
            links.append(link)
    return _mentions(spans, connected(spans, links), document.file)


def _relations(layer, columns):
    """(type, target) of each relation that a row has; a type without a target, or the other way round, has ""."""
    kinds = _values(columns[layer.column]) if len(layer.features) > 1 else []
    targets = _values(columns[layer.column + len(layer.features) - 1])
    return zip_longest(kinds, targets, fillvalue="")
