"""brat's standoff annotation: ``text.ann`` with the text beside it in ``text.txt``, mentions by characters.

A mention is a text-bound annotation (``T1<tab>Person 0 3<tab>Ann``; several parts are divided by
semicolons, ends are exclusive). Entities hang together by relations whose type says coreference or
identity (``R1<tab>Coref Arg1:T1 Arg2:T2``) and by ``*<tab>Equiv T1 T2``; what no relation joins is a
singleton. LitBank has two annotations of the same characters, one of which has the entity as its type, ``Ann_Lee-0``.

brat has no words. Where punctuation stands alone in the text, words are what is between spaces; else
runs of letters and digits, and each other character alone. This depends on the text only, so that two
annotations of it have the same words.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from .common import Message, input_error, setting, short_repr
from .documents import Document, Mention
from .read_spans import words_in_text
from .read_text import beside, check_text, connected, numbered_lines, warn_of_cut_words, whole_text

TEXT_BOUND = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
RELATION = re.compile(r"R\S*\t(\S+) \w+:(\S+) \w+:(\S+)\s*(?:\t.*)?")  # a third column says nothing of its members
EQUIVALENT = re.compile(r"\*\t(\S+) (\S+(?: \S+)+)\s*")
COREFERENCE = re.compile(  # as a word of a name such as IdentityRel or near_coref, and not of non_coreferent
    r"(?<![^\W_])(?<!(?i:non)[-_])(?i:coref(?:er\w*?)?|ident(?:ity|ical)?|equiv(?:alen\w*?)?)(?![a-z])"
)
ENTITY = re.compile(r".+-\d+")
OTHER_LINES = ("E", "A", "M", "N", "\x23")  # events, attributes, normalisations, notes
GLUED = re.compile(r"\w[,;!?](?:\s|$)")
ALONE = re.compile(r"(?:^|\s)[,;!?.](?:\s|$)")
WORDS = re.compile(r"\w+|[^\w\s]")
BETWEEN_SPACES = re.compile(r"\S+")


def is_brat(line: str) -> bool:
    """Whether a line is of this format: an annotation of some text, or a relation."""
    return any(kind.fullmatch(line.rstrip("\r\n")) for kind in (TEXT_BOUND, RELATION, EQUIVALENT))


def brat_documents(path: str, names: tuple = ()) -> Iterator[Document]:
    """The one document of a file of annotations, whose text is beside it.

    `names` are the types of the relations that are coreference; () for all that are called so.

    Raises:
        ValueError: no text beside it, annotations of other text than it has, relations none of which is coreference,
            or a line that is none of brat's (with file and line).
    """
    text = whole_text(beside(path, ".txt"), newline="")
    bounds = {}
    links: list[tuple[int, str, str]] = []
    others: Counter[str] = Counter()
    for number, line in numbered_lines(path):
        line = line.rstrip("\r\n")
        if bound := TEXT_BOUND.fullmatch(line):
            spans = [tuple(map(int, part.split())) for part in bound[3].split(";")]
            _check_place(text, spans, bound[4], f"{path}:{number}")
            bounds[bound[1]] = number, bound[2], spans
        elif relation := RELATION.fullmatch(line) or EQUIVALENT.fullmatch(line):
            members = [each for group in relation.groups()[1:] for each in group.split()]
            if relation[1] in names if names else COREFERENCE.search(relation[1]):
                links.extend((number, members[0], other) for other in members[1:])
            else:
                others[f"{relation[1]} relations"] += 1
        elif line.strip() and not line.startswith(OTHER_LINES):
            raise input_error(f"{path}:{number}", short_repr(line, 60), "a line like 'T1<tab>Person 0 3<tab>Ann'")
    yield _document(path, text, bounds, links, others)


def _check_place(text, spans, annotated, where):
    start, end = spans[0][0], spans[-1][1]
    if any(first >= last for first, last in spans) or end > len(text):
        raise input_error(where, f"the characters {start} to {end}", f"characters of a text of {len(text)}")
    there = " ".join(text[first:last] for first, last in spans)
    check_text(annotated, there, f"characters {start} to {end}", where)


def _document(path, text, bounds, links, others):
    word = BETWEEN_SPACES if ALONE.search(text) and not GLUED.search(text) else WORDS
    words = [match.span() for match in word.finditer(text)]
    document, starts, ends = words_in_text(text, words, "", str(path))
    document.left_out += others
    cut = 0
    for name, entity in _entities(path, bounds, links, others).items():
        line, _, spans = bounds[name]
        covered = (range(bisect_right(ends, start), bisect_left(starts, end)) for start, end in spans)
        positions = tuple(sorted(set(chain.from_iterable(covered))))
        if not positions:
            raise input_error(f"{path}:{line}", "an annotation of blanks alone", "an annotation of words")
        cut += any(_is_cut(at, starts, ends) for span in spans for at in span)
        document.mentions.append(Mention(entity, positions, (), line))
    warn_of_cut_words(path, cut)
    return document


def _is_cut(at, starts, ends):
    """Whether a place is inside a word; an annotation may begin or end with a blank."""
    number = bisect_right(ends, at)
    return number < len(starts) and starts[number] < at


def _entities(path, bounds, links, others):
    """{name of an annotation: its entity}, for those that are mentions."""
    for number, *members in links:
        if missing := [each for each in members if each not in bounds]:
            raise input_error(f"{path}:{number}", f"no {short_repr(missing[0])} in the file", "this annotation")
    candidates = {name: kind for name, (_, kind, _) in bounds.items() if ENTITY.fullmatch(kind)}
    plain = {tuple(spans) for name, (_, _, spans) in bounds.items() if name not in candidates}
    # A disease may be of the type COVID-19; what names an entity stands beside a type of the same characters.
    named = {name: kind for name, kind in candidates.items() if not plain or tuple(bounds[name][2]) in plain}
    if not links and not named and others:
        expected = Message("relations of coreference, or ", setting("field"), " to name their type")
        raise input_error(path, f"only {', '.join(others)}", expected)
    if links or not named:
        return connected(bounds, [members for _, *members in links])
    there = {tuple(bounds[name][2]) for name in named}
    return {name: named.get(name, name) for name in bounds if name in named or tuple(bounds[name][2]) not in there}
