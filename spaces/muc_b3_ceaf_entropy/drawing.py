"""What the coreference demo reads and draws: text in brackets, and documents as in the report."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from textwrap import shorten

from demo import metric, module, scratch

NAME = "muc_b3_ceaf_entropy"
metric(NAME)  # its modules come with it
PAGE, MARKING, MENTIONS, BRACKETS = (
    module(NAME, part) for part in ("show_page", "show_marks", "documents", "read_brackets")
)
WORD = r"['’]?\w+(?:['’.,:-]\w+)*|[^\w\s\[\]]"  # with a clitic, or with signs inside
PIECE = re.compile(rf"(?P<open>\[)|(?P<close>\])|(?P<word>{WORD})")
LABEL = re.compile(r"\w+")  # of a class, also where the metric's own format wants a number or a sign before it
SENTENCE = re.compile(r"[,;]|[.!?](?:\s|$)", re.M)  # in a text, not in clusters
NUMBERED = re.compile(r"(?<![+\w])\d+(?=[a-z]?\b)(?! (?:classes|entities|more)\b)")  # of an entity, maybe in parts
MOST_WORDS = 1500  # of a document on the screen
MOST_DRAWN = 20  # documents on the screen
MOST_ERRORS = 50  # of a document on the screen
LONGEST_ERROR = 500  # characters of one
# The report's own style, for its parts of this page only. A mention's chain lights up on all sides.
HUES = range(len(PAGE.HUES))
LIT = ", ".join(f".result:has(.c{i}:is(:hover, :focus)) .c{i}" for i in HUES)
BRIGHT = "".join(
    f".result:has(.c{i}:is(:hover, :focus)) .c{i} {{ background: hsl({PAGE.HUES[i]} 80% 50% / .45) }} " for i in HUES
)
DIMMED = ".result:has(mark:is(:hover, :focus)) mark"
STYLE = f"""
.report {{ {PAGE.STYLE} }} .report article {{ border: 0; padding: 0; margin: .5em 0 }}
.report p {{ unicode-bidi: plaintext; text-align: start }} .report sub {{ unicode-bidi: isolate; direction: ltr }}
.report mark {{ cursor: pointer }} {DIMMED} {{ background: none }} {LIT} {{ outline: 2px solid currentColor }}
{BRIGHT}
.two {{ display: flex; flex-wrap: wrap; gap: 0 2em }} .two > section {{ flex: 1 1 24em; min-width: 0 }}
.two h2 {{ font-size: 1.15em; margin: .8em 0 0 }} .two article h2 {{ font-size: 1em }}
"""


# ---- Text in brackets ----


def document_of(text: str, name: str, side: str) -> tuple[dict, dict]:
    """A text with [mentions]1 in brackets, each with its class, as a document of the metric's JSON.

    Classes are written in all ways that the metric's files have, such as [she]#1, or as a word behind the bracket.
    Each line is a sentence; brackets may nest; signs are words of their own, so that "Warsaw." and "[Warsaw]2." are the
    same words. Also {(first, last word) of each mention: the typed name of its class}.
    """
    sentences, classes, opened, n = [], {}, [], 0
    for line in text.splitlines():
        words, at = [], 0
        while piece := PIECE.search(line, at):
            at = piece.end()
            if piece["open"]:
                opened.append(n)
            elif piece["word"]:
                words.append(piece["word"])
                n += 1
            elif (found := _label_after(line, piece.start())) and opened and opened[-1] < n:
                label, at = found
                classes.setdefault(label, []).append([opened.pop(), n - 1])
            else:
                raise ValueError(
                    f"{side}, {name}: near {line[max(0, piece.start() - 20) : piece.end()]!r}, a mention needs words "
                    "in brackets and a number behind them, such as [the ferry]3."
                )
        sentences.append(words)
    if opened:
        raise ValueError(f"{side}, {name}: a bracket is not closed; a mention looks like [the ferry]3.")
    own = {tuple(span): label for label, spans in classes.items() for span in spans}
    return {"doc_key": name, "sentences": sentences, "clusters": list(classes.values())}, own


def _label_after(line, closed):
    """(label, its end) behind the closing bracket; None without one."""
    word = LABEL.match(line, closed + 1)
    return BRACKETS.id_after(line, closed) or word and (word[0], word.end())


def without_brackets(text: str) -> str:
    """The words of a text in brackets, as it has them."""
    texts = enumerate(re.split(r"\n\s*\n", text.strip()), start=1)
    parts = (document_of(part, f"text {i}", "key")[0]["sentences"] for i, part in texts)
    return "\n\n".join("\n".join(map(" ".join, sentences)) for sentences in parts)


def sides_of(key: str, response: str, other: str = "") -> tuple[tuple, list]:
    """Key and responses as typed: files of text in brackets, or one document's clusters each; None for no other.

    Empty lines separate documents. Clusters, without brackets, are one per line, with spaces
    between mentions. Also the typed names of the key's mentions, {(first, last word): name} for each document.
    A response may be empty, or the key's text without a bracket: it has no mention.
    """
    if not key.strip():
        raise ValueError("The key is empty: type text with [mentions]1 in brackets.")
    bare = without_brackets(key) if "[" in key else ""
    if bare and "[" not in response and without_brackets(response) in ("", bare):
        response = bare
    texts = {"key": key, "response": response} | ({"other": other} if other.strip() else {})
    if len({"[" in text for text in texts.values() if text != bare}) > 1:
        raise ValueError("Only one side has brackets: all need text with [mentions]1, or all clusters.")
    if "[" not in key:
        if any(SENTENCE.search(text) for text in texts.values()):
            raise ValueError(
                "There are no mentions: put them in brackets with a number each, such as [the ferry]3. Type clusters "
                "one a line, with spaces between the mentions."
            )
        for side, text in texts.items():
            for mention, times in Counter(text.split()).items():
                if times > 1:
                    raise ValueError(f"{side}: the mention {mention!r} stands {times} times in the clusters.")
        sides = [[[line.split() for line in text.splitlines() if line.strip()]] for text in texts.values()]
        return (*sides, *[None] * (3 - len(sides))), []
    folder, paths, own = scratch(), [None] * 3, []
    for i, (side, text) in enumerate(texts.items()):
        parts = [document_of(part, f"text {j}", side) for j, part in enumerate(re.split(r"\n\s*\n", text.strip()), 1)]
        own = own or [names for _, names in parts]
        paths[i] = str(folder / f"{side}.jsonl")
        Path(paths[i]).write_text("\n".join(json.dumps(document) for document, _ in parts), encoding="utf-8")
    return tuple(paths), own


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
    return "\n".join(" ".join(shown[start:end]) for start, end in pairwise([*pair.sentences, len(shown)]))


def entities(mentions: list) -> list:
    """The mentions of one side, by their entity."""
    return [[mentions[i] for i in cluster] for cluster in MENTIONS.clusters_of(mentions)]


# ---- Documents ----


def drawn(pairs: list, documents: list, own: list = ()) -> str:
    """The first documents: the key's mentions above the response's, in the text, and the errors.

    Args:
        pairs: of documents, aligned.
        documents: their details in the result.
        own: of each document {(first, last word) of a mention of the key: what a visitor called its entity}.
    """
    rows = zip(pairs[:MOST_DRAWN], documents, [*own, *[{}] * len(pairs)], strict=False)
    parts = [_drawn(i, *row) for i, row in enumerate(rows)]
    if len(pairs) > MOST_DRAWN:
        parts.append(f"<p>The first {MOST_DRAWN} of {len(pairs)} documents; the report has all.</p>")
    return f'<div class="report">{"".join(parts)}</div>'


def how_to_read() -> str:
    return f'<div class="report">{PAGE.legend()}</div>'


def _drawn(i, pair, details, own):
    view = _in_own_words(MARKING.view_of(pair), pair, own)
    more = len(view.errors) - MOST_ERRORS
    left = f"<p>… and {more} more; the report has all.</p>" if more > 0 else ""
    if len(view.words or view.key) > MOST_WORDS:
        left = f"<p>More than {MOST_WORDS:,} words or mentions are too many to draw here; the report has all.</p>{left}"
        view = view._replace(words=None, key=[], response=[])
    errors = [error._replace(text=shorten(error.text, LONGEST_ERROR)) for error in view.errors[:MOST_ERRORS]]
    html = PAGE.document(view._replace(errors=errors), details["scores"], details["totals"], i, True)
    return html.replace("<mark class=", "<mark tabindex=0 class=") + left


def _in_own_words(view, pair, own):
    """The view with the visitor's names of the key's entities for their numbers, and errors as sentences."""
    spans = ([(m.positions[0], m.positions[-1]) for m in cluster if m.positions] for cluster in entities(pair.key))
    names = {str(n): own.get(each[0], str(n)) if each else str(n) for n, each in enumerate(spans, 1)}

    def renamed(text):
        quoted = re.split("(“.*?”)", text)  # what is quoted stays
        quoted[::2] = (NUMBERED.sub(lambda found: names.get(found[0], found[0]), part) for part in quoted[::2])
        return "".join(quoted)

    def of(marks):
        return [mark._replace(label=renamed(mark.label), notes=tuple(map(renamed, mark.notes))) for mark in marks]

    errors = [error._replace(text=_sentence(error.kind, renamed(error.text))) for error in view.errors]
    return view._replace(key=of(view.key), response=of(view.response), errors=errors)


def _sentence(kind, text):
    """What the report says in short, “hers” of 2, as one reads it."""
    said = {"missing": r"\1 (entity \2) is not in the response", "spurious": r"\1 (in \2) is not in the key"}
    return re.sub(r"^(“.*”) (?:of|in) (\S+)$", said[kind], text) if kind in said else text
