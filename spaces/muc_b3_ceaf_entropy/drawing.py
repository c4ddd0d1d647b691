"""What the coreference demo reads and draws: text in brackets, and documents as in the report."""

import json
import re
from textwrap import shorten

from demo import metric, module, scratch

NAME = "muc_b3_ceaf_entropy"
metric(NAME)  # its modules come with it
PAGE, MARKING, MENTIONS = (module(NAME, part) for part in ("show_page", "show_marks", "documents"))
PIECE = re.compile(r"(?P<open>\[)|\](?P<label>\w+)|(?P<word>[^\s\[\]]+)|(?P<wrong>\])")
MOST_WORDS = 1500  # of a document on the screen
MOST_DRAWN = 20  # documents on the screen
MOST_ERRORS = 50  # of a document on the screen
LONGEST_ERROR = 500  # characters of one
# The report's own style, for its parts of this page only.
STYLE = f".report {{ {PAGE.STYLE} }} .report article {{ border: 0; padding: 0; margin: .5em 0 }}"


# ---- Text in brackets ----


def document_of(text: str, name: str) -> dict:
    """A text with [mentions]1 in brackets, each with its class, as a document of the metric's JSON.

    Each line is a sentence; brackets may nest.
    """
    sentences, classes, opened, n = [], {}, [], 0
    for line in text.splitlines():
        words = []
        for piece in PIECE.finditer(line):
            if piece["open"]:
                opened.append(n)
            elif piece["word"]:
                words.append(piece["word"])
                n += 1
            elif piece["label"] and opened and opened[-1] < n:
                classes.setdefault(piece["label"], []).append([opened.pop(), n - 1])
            else:
                raise ValueError(
                    f"{name}: found {line[max(0, piece.start() - 20) : piece.end()]!r}, expected words in brackets, "
                    "followed by the name of their class, such as [the ferry]3"
                )
        sentences.append(words)
    if opened:
        raise ValueError(f"{name}: found a bracket that is not closed, expected one such as [the ferry]3")
    return {"doc_key": name, "sentences": sentences, "clusters": list(classes.values())}


def sides_of(key: str, response: str) -> tuple:
    """Key and response as typed: two files of text in brackets, or one document's clusters twice.

    Empty lines separate documents. Clusters, without brackets, are one per line, with spaces
    between mentions.
    """
    if ("[" in key) != ("[" in response):
        raise ValueError("Only one side has brackets: both need text with [mentions]1, or both clusters.")
    if "[" not in key:
        return tuple([[line.split() for line in text.splitlines() if line.strip()]] for text in (key, response))
    folder, paths = scratch(), []
    for side, text in (("key", key), ("response", response)):
        documents = re.split(r"\n\s*\n", text.strip())
        lines = [json.dumps(document_of(part, f"text {i}")) for i, part in enumerate(documents, 1)]
        paths.append(folder / f"{side}.jsonl")
        paths[-1].write_text("\n".join(lines), encoding="utf-8")
    return tuple(map(str, paths))


def bracketed(pairs: list, clusters_of_side) -> str:
    """Documents as text in brackets, for `sides_of`, with the clusters that a function returns."""
    return "\n\n".join(_bracketed(pair, clusters_of_side(pair)) for pair in pairs)


def _bracketed(pair, clusters):
    opens, closes = [""] * len(pair.words), [""] * len(pair.words)
    spans = [(m.positions[0], m.positions[-1], i) for i, cluster in enumerate(clusters, 1) for m in cluster]
    for first, last, label in sorted(spans, key=lambda span: span[0] - span[1]):  # the longest first
        opens[first] += "["
        closes[last] = f"]{label}{closes[last]}"
    shown = [f"{opens[i]}{word}{closes[i]}" for i, word in enumerate(pair.words)]
    ends = [*pair.sentences[1:], len(shown)]
    return "\n".join(" ".join(shown[start:end]) for start, end in zip(pair.sentences, ends))


def entities(mentions: list) -> list:
    """The mentions of one side, by their entity."""
    return [[mentions[i] for i in cluster] for cluster in MENTIONS.clusters_of(mentions)]


# ---- Documents ----


def drawn(pairs: list, documents: list) -> str:
    """The first documents: the key's mentions above the response's, in the text, and the errors.

    Args:
        pairs: of documents, aligned.
        documents: their details in the result.
    """
    parts = [_drawn(i, pair, each) for i, (pair, each) in enumerate(zip(pairs[:MOST_DRAWN], documents))]
    if len(pairs) > MOST_DRAWN:
        parts.append(f"<p>The first {MOST_DRAWN} of {len(pairs)} documents; the report has all.</p>")
    return f'<div class="report">{"".join(parts)}{PAGE.legend()}</div>'


def _drawn(i, pair, details):
    view = MARKING.view_of(pair)
    more = len(view.errors) - MOST_ERRORS
    left = f"<p>… and {more} more; the report has all.</p>" if more > 0 else ""
    if len(view.words or view.key) > MOST_WORDS:
        left = f"<p>More than {MOST_WORDS:,} words or mentions are too many to draw here; the report has all.</p>{left}"
        view = view._replace(words=None, key=[], response=[])
    errors = [error._replace(text=shorten(error.text, LONGEST_ERROR)) for error in view.errors[:MOST_ERRORS]]
    view = view._replace(errors=errors)
    return PAGE.document(view, details["scores"], details["totals"], i, True) + left
