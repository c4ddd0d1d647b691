"""CorefUD files: CoNLL-U with the mentions in ``Entity=`` of the last column (CorefUD 1.0, Nedoluzhko et al. 2022).

An item is ``(e1-person-1-``, ``e1)`` or ``(e1-person-1-)``; what its fields are says the comment ``global.Entity``. A
mention in several parts has them as ``e1[1/2]``, ``e1[2/2]``; the head counts the words of all of them. Where there
is no ``head``, GUM's ``minspan`` is the head, which may have several words.

stanza's chains (``coref_chains=start-repr-id1,unit-id0``), in the same column, are read, too; they have no heads.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .common import input_error, short_repr
from .documents import Document, EmptyNode, Mention
from .read_text import HASH, Begun, Reading, conllu_documents, is_token

ENTITY_HEADER = re.compile(HASH + r"\s*global\.Entity\s*=\s*(\S+)")
ITEM = re.compile(r"\([^()]+\)?|[^()]+\)")
PART = re.compile(r"(.*)\[(\d+)/(\d+)\]$")
ID_FIELDS = ("eid", "GRP")  # GRP: the name before CorefUD 1.0
ONE, SOME = re.compile(r"\d+"), re.compile(r"\d+(?:,\d+)*")
HEAD_FIELDS = {"head": ONE, "minspan": SOME}  # minspan: such as 1,3
WORD, DEPS, MISC, COLUMNS = 1, 8, 9, 10
CHAIN = re.compile(r"(unit|start|middle|end)-(?:repr-)?id(\d+)")  # stanza's
LEFT_OUT = {"SplitAnte": "split antecedents", "Split": "split antecedents", "Bridge": "bridging links"}


def is_corefud(line: str) -> bool:
    """Whether a line is of this format: a token of CoNLL-U."""
    return is_token(line) and line.count("\t") == COLUMNS - 1


def corefud_documents(path: str) -> Iterator[Document]:
    """Documents of a CorefUD file, empty nodes among the words; without ``newdoc`` the file is one document.

    Raises:
        ValueError: entity brackets or parts that do not match, lines without ten columns, a header without an entity's
            id, a head that is no number, annotation of CorefUD 0.x, or stanza's beside CorefUD's (with file and line).
    """
    return conllu_documents(path, _Entities, DEFAULT_FIELDS, _header)


class _Fields(NamedTuple):
    """Where an item has the entity's id and the head, or GUM's minimal span; NO_HEAD where it has neither."""

    entity: int
    head: int
    heads: re.Pattern  # what may stand there


NO_HEAD = 10**6
DEFAULT_FIELDS = _Fields(0, 2, ONE)  # eid-etype-head-other


def _header(comment, where):
    """The fields that a comment ``global.Entity`` names."""
    header = ENTITY_HEADER.match(comment)
    if header is None:
        return None
    names = header[1].split("-")
    numbers = [number for number, name in enumerate(names) if name in ID_FIELDS]
    if not numbers:
        raise input_error(where, f"the entity format {short_repr(header[1])}", "a field 'eid' in it (or 'GRP')")
    head = next(((names.index(name), form) for name, form in HEAD_FIELDS.items() if name in names), (NO_HEAD, ONE))
    return _Fields(numbers[0], *head)


@dataclass(eq=False)
class _InParts(Begun):
    """A mention of so many parts, the last of which has begun.

    head: numbers of words, () where the first is taken; None where the annotation has no heads.
    """

    part: int = 1
    total: int = 1


class _Entities(Reading):
    """The mentions of one document, while it is read."""

    def __init__(self, *where):
        super().__init__(*where)
        self._overt = 0  # words that are in the text
        self._unfinished = defaultdict(list)  # entity: mentions of which parts are still to come
        self._mentions = []
        self._kinds = set()  # of annotation: Entity, coref_chains

    def read_token(self, line, fields, number):
        columns = line.rstrip("\r\n").split("\t")
        if len(columns) != COLUMNS:
            raise self.error(number, f"found {len(columns)} tab-separated columns, expected {COLUMNS}")
        name, misc = columns[0], columns[MISC]
        if "-" in name:
            if "Entity=" in misc:
                raise self.error(number, f"found {misc:.60} at a multiword token, expected Entity= at its words")
            return
        position = self.add_word(columns[WORD], number)
        if "." in name:
            self.document.empty[position] = self._empty_node(name, columns[DEPS], number)
        else:
            self._overt += 1
        if misc != "_":
            self._read_misc(misc, fields, position, number)

    def _empty_node(self, number, deps, line):
        try:
            after, k = map(int, number.split("."))
        except ValueError:
            raise self.error(line, f"found the empty node {short_repr(number)}, expected a number like 3.1") from None
        relations = () if deps == "_" else (tuple(each.partition(":")[::2]) for each in deps.split("|"))
        label = f"{self._overt}.{k}" if after else f"{self._overt}.0.{k}"
        return EmptyNode(len(self.document.sentences) - 1, after, k, frozenset(relations), label)

    def _read_misc(self, misc, fields, position, line):
        for part in misc.split("|"):
            name, _, value = part.partition("=")
            if name in ("Entity", "coref_chains"):
                self._kinds.add(name)
                if len(self._kinds) > 1:
                    raise self.error(line, f"found {part:.60} beside {' or '.join(self._kinds - {name})}, expected one")
            if name == "Entity":
                self._read_entity(value, fields, position, line)
            elif name == "coref_chains":
                self._read_chains(value, position, line)
            elif name in LEFT_OUT:
                self.document.left_out[LEFT_OUT[name]] += len(value.split(","))
            elif name == "ClusterId":
                raise self.error(line, f"found {part:.60}, which is CorefUD 0.x, expected Entity= as in CorefUD 1.0")

    def _read_entity(self, text, fields, position, line):
        items = ITEM.findall(text)
        if "".join(items) != text:
            raise self.error(line, f"found Entity={text:.60}, expected items such as '(e1-person', 'e1)' or '(e1)'")
        for item in items:
            values = item.strip("()").split("-")
            if item.startswith("("):
                self._begin(values, fields, item.endswith(")"), position, line)
            else:
                self._end(values, fields, position, line)

    def _read_chains(self, text, position, line):
        for item in text.split(","):
            chain = CHAIN.fullmatch(item)
            if chain is None:
                raise self.error(line, f"found coref_chains={text:.60}, expected items such as 'start-repr-id1'")
            place, entity = chain.groups()
            if place in ("unit", "start"):
                self._mentions.append(_InParts(entity, line, None))
                self.open.append((entity, self._mentions[-1], position))
            if place in ("unit", "end"):
                self._end([entity], DEFAULT_FIELDS, position, line)

    def _begin(self, values, fields, ends, position, line):
        """An item that begins a mention, or one of its parts; ends: it has just this word."""
        if len(values) > 1 and len(values) <= fields.entity:
            text = "-".join(values)
            raise self.error(line, f"found Entity=({text:.60}, expected the entity's id in field {fields.entity + 1}")
        label = values[fields.entity] if len(values) > 1 else values[0]
        match = PART.match(label) if label.endswith("]") else None
        entity, number, total = (match[1], int(match[2]), int(match[3])) if match else (label, 1, 1)
        if number == 1:
            mention = _InParts(entity, line, total=total)
            self._mentions.append(mention)
            if total > 1:
                self._unfinished[entity].append(mention)
        else:
            mention = self._next_part(entity, number, total, label, line)
        mention.head = self._head(values, fields, line) or mention.head
        self.open.append((entity, mention, position))
        if ends:
            self._end([label], fields, position, line)

    def _head(self, values, fields, line):
        """The numbers of the head's words among the mention's, from 1; () where the item has none."""
        text = values[fields.head] if fields.head < len(values) else ""
        if text and not fields.heads.fullmatch(text):
            found = f"found the head {short_repr(text)} in Entity=({'-'.join(values):.60}"
            expected = f"a word's number in field {fields.head + 1} of those that hyphens divide"
            raise self.error(line, f"{found}, expected {expected}")
        return tuple(sorted({*map(int, text.split(","))} - {0})) if text else ()

    def _next_part(self, entity, number, total, label, line):
        are_open = [mention for _, mention, _ in self.open]
        waiting = [each for each in self._unfinished[entity] if each not in are_open]
        for mention in waiting:
            if (mention.part, mention.total) == (number - 1, total):
                mention.part = number
                return mention
        expected = waiting[0].part + 1 if waiting else 1
        raise self.error(line, f"found {label}, expected part {expected} of {total} of this mention")

    def _end(self, values, fields, position, line):
        label = values[0]
        if len(values) > 1:  # before CorefUD 1.0 the fields before the id were repeated
            label = values[fields.entity] if fields.entity < len(values) else label
        match = PART.match(label) if label.endswith("]") else None
        entity = match[1] if match else label
        mention, inside = self.end(entity, position, line)
        mention.positions.extend(inside)
        if mention.part == mention.total > 1:
            self._unfinished[entity].remove(mention)

    def finish(self):
        """The document with its mentions; ValueError for one that is still open or lacks parts."""
        self.check_closed()
        document = self.document
        for mention in self._mentions:
            if mention.part < mention.total:
                found = f"found {mention.part} of the {mention.total} parts of a mention of entity"
                raise self.error(mention.line, f"{found} {short_repr(mention.entity)}, expected all parts")
            positions, head = tuple(sorted(set(mention.positions))), mention.head
            if head and head[-1] > len(positions):
                found = f"found the head {','.join(map(str, head))} of a mention of {len(positions)} words"
                raise self.error(mention.line, f"{found}, expected numbers of these words")
            document.headless += head == () and len(positions) > 1
            words = () if head is None else tuple(positions[number - 1] for number in head or (1,))
            document.mentions.append(Mention(mention.entity, positions, words, mention.line))
        return document
