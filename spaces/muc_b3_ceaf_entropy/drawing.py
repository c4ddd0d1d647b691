"""A key and a response as pictures: mentions coloured by class, in a row or in the running text, errors marked."""

import re
from collections import Counter
from html import escape
from itertools import groupby
from typing import NamedTuple

from demo import framed

COLOURS = ("37, 99, 235", "217, 119, 6", "5, 150, 105", "190, 24, 93", "109, 40, 217", "100, 116, 139")
NONE = "128, 128, 128"
SPAN = re.compile(r"\[\d+, \d+\]|[\d.]+-[\d.]+(,[\d.]+-[\d.]+)*")
MOST_WORDS = 1500  # of a document's text on the screen


class Mark(NamedTuple):
    """How a mention is drawn on one side."""

    number: int  # of its class, from 1
    colour: str
    error: str  # "" for none


def marks(key, response):
    """{mention: Mark} of the key and of the response.

    A class of the response has the colour of the key's class that most of its mentions are from. A mention from another
    class is misplaced; one that the key does not have is spurious, one that the response does not have is missed.
    """
    places = {mention: i for i, cluster in enumerate(key) for mention in cluster}
    found = {mention for cluster in response for mention in cluster}
    of_key = {m: Mark(i + 1, colour_of(i), "" if m in found else "missed") for m, i in places.items()}
    of_response = {}
    for j, cluster in enumerate(response):
        known = Counter(places[mention] for mention in cluster if mention in places)
        home = known.most_common(1)[0][0] if known else None
        for mention in cluster:
            place = places.get(mention)
            error = "spurious" if place is None else "" if place == home else "misplaced"
            of_response[mention] = Mark(j + 1, colour_of(home), error)
    return of_key, of_response


def colour_of(place):
    return NONE if place is None else COLOURS[place % len(COLOURS)]


def style_of(mark):
    """Background and, for an error, a dashed frame."""
    return f"background: rgba({mark.colour}, .35)" + (
        "; outline: 2px dashed currentColor; outline-offset: -2px" if mark.error else ""
    )


def row(mentions, side, marked):
    """A row of a table: each mention with its class."""
    cells = ""
    for mention in mentions:
        mark = marked.get(mention)
        words = f"class {mark.number} {mark.error}" if mark else "absent"
        style = style_of(mark) if mark else "opacity: .7"
        cells += f'<td style="{style}">{escape(mention)}<br><small>{words}</small></td>'
    return f'<tr><th scope="row">{side}</th>{cells}</tr>'


def in_a_row(key, response):
    """Every mention once, key above response; where all are numbers in their order."""
    mentions = list(dict.fromkeys(m for cluster in (*key, *response) for m in cluster))
    if all(mention.isdecimal() for mention in mentions):
        mentions.sort(key=int)
    rows = "".join(row(mentions, side, marked) for side, marked in zip(("key", "response"), marks(key, response)))
    return framed("colours: classes of the key; dashed: missed, spurious or misplaced", rows)


def span_of(mention):
    """First and last position of "[3, 5]" (CoNLL-2012, JSON lines) or "3-5" (CorefUD; parts and empty nodes, too).

    An empty node "7.1" stands between the words 6 and 7; a mention of nothing else has no words to show.
    """
    if not SPAN.fullmatch(mention):
        return None
    ends = re.findall(r"\d+(?:\.\d+)*", mention)
    first, last = int(ends[0].partition(".")[0]), int(ends[-1].partition(".")[0]) - ("." in ends[-1])
    return (first, last) if first <= last else None


def text_of(words, marked):
    """The running text with its mentions in brackets and their classes' numbers; the innermost colours the words."""
    spans = {mention: span_of(mention) for mention in marked}
    spans = {m: span for m, span in spans.items() if span and span[1] < len(words)}
    opened, closed, inside = {}, {}, {}
    for mention, (first, last) in sorted(spans.items(), key=lambda item: item[1][0] - item[1][1]):  # longest first
        mark = marked[mention]
        opened[first] = opened.get(first, "") + "<b>[</b>"
        label = f"{mark.number} {mark.error}".strip()
        close = f'<sub style="{style_of(mark)}">{label}</sub><b>]</b>'
        closed[last] = close + closed.get(last, "")
        inside |= dict.fromkeys(range(first, last + 1), mark.colour)
    text = ""
    for colour, places in groupby(range(min(len(words), MOST_WORDS)), key=inside.get):
        pieces = (f"{opened.get(i, '')}{escape(words[i])}{closed.get(i, '')}" for i in places)
        stretch = " ".join(pieces)
        text += f'<span style="background: rgba({colour}, .2)">{stretch}</span> ' if colour else f"{stretch} "
    return text + ("…" if len(words) > MOST_WORDS else "")


def in_text(words, key, response):
    """A document's text with the key's classes, and below it with the response's."""
    sides = zip(("Key", "Response"), marks(key, response))
    blocks = "".join(f"<p><b>{side}</b><br>{text_of(words, marked)}</p>" for side, marked in sides)
    return f'<div class="running" role="region" tabindex="0" aria-label="Text with its mentions">{blocks}</div>'
