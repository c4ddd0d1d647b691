"""The report as one HTML page: functions from plain data to HTML. Colours repeat what stands in numbers and words."""

import re
from bisect import bisect_right
from html import escape
from itertools import compress, groupby, pairwise
from math import isfinite

from .common_page import STYLE as PAGE_STYLE
from .common_page import example, table
from .show_marks import Mark, View, word_of

HUES = (215, 30, 150, 330, 275, 50, 185, 0)  # of the key's entities, in turn
MOST_DOCUMENTS = 10  # of those in which two systems differ
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
QUOTED = re.compile("\u201c[^\u201d]*\u201d")
KINDS = {
    "split": "an entity of the key in several classes of the response",
    "merged": "a class of the response from several entities of the key",
    "boundary": "a mention with other boundaries",
    "missing": "a mention of the key that the response lacks",
    "spurious": "a mention of the response that the key lacks",
}
STYLE = f"""{PAGE_STYLE}
mark {{ background: rgb(128 128 128 / .2) }}
sub {{ font-weight: 600; font-size: .7em; padding: 0 .15em; unicode-bidi: isolate }}
sub b {{ border-bottom: 2px dashed currentColor }}
li b {{ font-weight: 600 }}
""" + "".join(f".c{i} {{ background: hsl({hue} 80% 50% / .28) }}\n" for i, hue in enumerate(HUES))


def legend() -> str:
    """How to read the texts."""
    return (
        "<p>Each mention stands in brackets with the number of its entity in the key, "
        f"{_example('Ann', '1', 0)}; in the response the number says which entity a class is taken for. "
        f"{_example('she', '2a', 1)} and {_example('her', '2b', 1, 'split')} are two classes that share entity 2, "
        f"{_example('it', '+1', None, 'spurious')} is in a class that has nothing of the key. "
        "∅ is a zero, a word that is not in the text.</p>"
    )


def _example(word, label, entity, *notes):
    return running_text([word], {}, [Mark(((0, 0),), label, entity, notes)], 0, 1)


# ---- Tables ----


def number(value: float) -> str:
    """A score in percent, or a word where it is not defined."""
    return f"{100 * value:.2f}" if isfinite(value) else "undefined"


def score_rows(result: dict, head: dict[str, str]) -> list[tuple]:
    """A table of the measures in percent, its head first, without columns that have nothing in them.

    Args:
        result: of `compute`, with details.
        head: {what is in a column: how it is called}, of name, f1 (or the value), interval, recall, precision; recall
            and precision have the counts x / y beside them that the CoNLL scorer prints.
    """
    rows, fractions = [], result["totals"]["fractions"]
    for key, value in result.items():
        name = key.removesuffix("_f1")
        if isinstance(value, float) and not key.endswith(("_recall", "_precision", "_low", "_high")):
            sides = {side: f"{name}_{side}" for side in ("recall", "precision") if f"{name}_{side}" in result}
            cells = {side: number(result[score]) + fraction(fractions.get(name), side) for side, score in sides.items()}
            row = {"name": name if sides else key, "f1": number(value), "interval": interval(result, key)}
            rows.append(row | cells)
    rows.sort(key=lambda row: "recall" not in row)  # what has no recall comes last
    return filled([tuple(row.get(column, "") for column in head) for row in (head, *rows)])


def fraction(counts: dict | None, side: str) -> str:
    """What a score is made of, where it is a fraction."""
    return f" ({counts[f'{side}_numerator']:.6g} / {counts[f'{side}_denominator']:.6g})" if counts else ""


def filled(rows: list[tuple]) -> list[tuple]:
    """A table, its head first, without columns that have nothing in them."""
    kept = [any(column[1:]) for column in zip(*rows, strict=True)]
    return [tuple(compress(row, kept)) for row in rows]


def interval(result: dict, key: str) -> str:
    """Both ends of a score's interval; nothing where it has none."""
    if f"{key}_low" not in result:
        return ""
    return f"{number(result[f'{key}_low'])} to {number(result[f'{key}_high'])}"


def comparison_tables(compared: dict) -> str:
    """Two responses' scores in percent, their difference, its interval and p-value; the documents that differ most."""
    rows: list[tuple] = []
    for key, p_value in p_values(compared).items():
        values = [number(compared[f"{key}_{what}"]) for what in SYSTEMS]
        rows.append((escape(key), *values, interval(compared, f"{key}_difference"), f"{p_value:.4f}"))
    head = ("F1 or value %", "response", "other", "difference", "interval", "p")
    columns, *rows = filled([head, *rows])
    drawn = table(columns, rows, "Comparison with another response")
    title, differing = most_different(compared)
    linked = [(f'<a href="\x23d{i}">{isolated(escape(name))}</a>', *cells) for i, name, *cells in differing]
    return drawn + (table(["document", *columns[1:4]], linked, title) if linked else "")


SYSTEMS = ("a", "b", "difference")


def most_different(compared: dict) -> tuple[str, list[tuple]]:
    """Where two systems differ most, by the CoNLL F1 or else the first score, of what `compare_pairs` gives.

    In words, how many documents differ; and of some the number, the name, both scores and the difference.
    """
    key = main_score(compared)
    if not key:
        return "", []
    documents = [each for each in compared["documents"] if abs(each[f"{key}_difference"]) > 0]  # nor NaN
    documents.sort(key=lambda each: -abs(each[f"{key}_difference"]))
    rows = []
    for each in documents[:MOST_DOCUMENTS]:
        name = each["name"] or f"document {each['document'] + 1}"
        rows.append((each["document"], name, *(number(each[f"{key}_{what}"]) for what in SYSTEMS)))
    return f"{key} differs in {len(documents)} of {len(compared['documents'])} documents", rows


def main_score(compared: dict) -> str:
    """The score by which documents are told apart: the CoNLL F1, or else the first one; "" if there is none."""
    keys = list(p_values(compared))
    return "conll_f1" if "conll_f1" in keys else next(iter(keys), "")


def p_values(compared: dict) -> dict[str, float]:
    """The p-values of F1 and single values, of what `compare` gives."""
    values = {key.removesuffix("_p_value"): value for key, value in compared.items() if key.endswith("_p_value")}
    return {key: value for key, value in values.items() if not key.endswith(("_recall", "_precision"))}


def totals_table(totals: dict) -> str:
    """The corpus in numbers."""
    rows = [
        ("documents", str(totals["documents"])),
        ("entities in key, in response", f"{totals['key_entities']:,}, {totals['response_entities']:,}"),
        ("mentions in key, in response", f"{totals['key_mentions']:,}, {totals['response_mentions']:,}"),
        ("mentions in both", f"{totals['common_mentions']:,}"),
        *((f"<b>{kind}</b>: {what}", f"{totals[kind]:,}") for kind, what in KINDS.items()),
    ]
    return table(["what", "number"], rows, "Corpus")


# ---- Documents ----


def document(view: View, scores: dict, totals: dict, index: int, is_open: bool) -> str:
    """A document: its text on both sides, and what went wrong, folded or not."""
    score = f"CoNLL F1 {number(scores['conll_f1'])} · " if "conll_f1" in scores else ""
    errors = ", ".join(f"{totals[kind]} {kind}" for kind in KINDS if totals[kind]) or "no errors"
    name = view.name or f"document {index + 1}"
    return example(index, name, f"{score}{errors}", text_and_errors(view), is_open)


def text_and_errors(view: View) -> str:
    """The text on both sides, or their classes, and what went wrong."""
    drawn = text_of(view) if view.words is not None else clusters_of(view)
    texts = (QUOTED.sub(lambda quoted: isolated(quoted[0]), escape(error.text)) for error in view.errors)
    items = "".join(f"<li><b>{error.kind}</b> {text}" for error, text in zip(view.errors, texts, strict=True))
    return f"{drawn}<h3>What went wrong</h3><ul>{items}</ul>" if items else drawn


def isolated(drawn: str) -> str:
    """HTML with words from right to left by itself, so that what is around it keeps its order."""
    return f"<bdi>{drawn}</bdi>" if RIGHT_TO_LEFT.search(drawn) else drawn


def text_of(view: View) -> str:
    """The running text, sentence by sentence: the key above the response, or both in one where nothing differs."""
    words = view.words or []
    starts = view.sentences if view.sentences[:1] == [0] else [0, *view.sentences]
    sides = by_sentence(view.key, starts), by_sentence(view.response, starts)
    drawn = []
    for (start, end), *marks in zip(pairwise([*starts, len(words)]), *sides, strict=True):
        key, response = (isolated(running_text(words, view.zeros, side, start, end)) for side in marks)
        if key == response:
            drawn.append(f"<p class=b><i>both</i>{key}")
        else:
            drawn.append(f"<p class=b><i>key</i>{key}<p><i>response</i>{response}")
    return "".join(drawn)


def by_sentence(marks: list[Mark], starts: list[int]) -> list[list[Mark]]:
    """The marks that have a part in each sentence."""
    by_number: list[list[Mark]] = [[] for _ in starts]
    for mark in marks:
        reached: set[int] = set()
        for first, last in mark.runs:
            reached.update(range(bisect_right(starts, first) - 1, bisect_right(starts, last)))
        for sentence in sorted(reached):
            by_number[sentence].append(mark)
    return by_number


def running_text(words: list, zeros: dict, marks: list[Mark], start: int, end: int) -> str:
    """Words from start to end with the mentions in brackets, their labels and notes; the innermost gives the colour."""
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    innermost: dict[int, str] = {}
    runs = [(last - first, first, last, mark) for mark in marks for first, last in mark.runs]
    for _, first, last, mark in sorted(runs, key=lambda run: (-run[0], run[1])):  # the longest first
        opens[first] = opens.get(first, "") + "["
        closes[last] = label(mark) + closes.get(last, "")
        innermost |= dict.fromkeys(range(max(first, start), min(last + 1, end)), colour(mark))
    drawn = []
    for shade, positions in groupby(range(start, end), key=innermost.get):
        stretch = " ".join(
            f"{opens.get(i, '')}{escape(word_of(words[i], i in zeros))}{closes.get(i, '')}" for i in positions
        )
        drawn.append(stretch if shade is None else f"<mark{shade}>{stretch}</mark>")
    return " ".join(drawn)


def colour(mark: Mark) -> str:
    """The class of a mark, as an attribute."""
    return "" if mark.entity is None else f" class=c{mark.entity % len(HUES)}"


def label(mark: Mark) -> str:
    """The end of a mention: its class and the remarks on it."""
    notes = f" <b>{escape(', '.join(mark.notes))}</b>" if mark.notes else ""
    return f"<sub>{escape(mark.label)}{notes}</sub>]"


def clusters_of(view: View) -> str:
    """The classes of a document that has no words."""
    drawn = ""
    for side, marks in (("key", view.key), ("response", view.response)):
        by_label: dict[str, str] = {}
        for mark in marks:
            mention = f"<mark{colour(mark)}>[{isolated(escape(mark.name))}{label(mark)}</mark>"
            by_label[mark.label] = by_label.get(mark.label, "") + f" {mention}"
        drawn += f"<p class=b><i>{side}</i>" + "".join(by_label.values()).lstrip()
    return drawn
