"""Test items, one a row of a table: columns by tabs, the first row names them. A new item is a new row.

items_fr: what is difficult in French, at least five for each point; items_fr_causes: the causes of what an independent
hold-out showed, in natural French, and groups of five (items_fr_fives); items_es: what is difficult in Spanish, written
with the rules in sight; variants_en and unsuitable_en: what `make_suite` makes of a sentence, or why nothing.
"""

from pathlib import Path


def rows(name):
    """The rows of a table, as lists of cells."""
    lines = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines[1:-1]]


def items(name):
    """The rows of items; their last cell is a verdict, two for coref, or for test C which values are the same."""
    return [(*cells, _verdict(verdict)) for *cells, verdict in rows(name)]


def _verdict(text):
    verdicts = [int(value) if value.isdigit() else value for value in text.split()]
    return verdicts if len(verdicts) > 1 else verdicts[0]
