"""Test items, one a row of a table or a line of a file: a new item is a new row.

Tables have their columns by tabs, and the first row names them. items_fr: what is difficult in French by points, and
the causes of what an independent hold-out showed; groups of five translations are for test C.
items_es: what is difficult in Spanish, written with the rules in sight; items_it, items_pt: the same in few;
items_es_few: with the few words that the demo has. items_paper: what the paper shows. floors: how many verdicts of
each round of judged items there are, how many are wrong, and how many clear failures pass.

judged_<language>.jsonl: what others wrote and judged without sight of the rules, in rounds ("round": a, b, ...). An
item has test, sources, translations, verdict (for coref a list of two; for test C five numbers, the same for sentences
with one value of the feature), and in some rounds style, arguable, why.
"""

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from metrics.morpheval.contrastive_tests import CONTRASTS, normalised_entropy

FOLDER = Path(__file__).parent


def rows(name, folder=FOLDER):
    """The rows of a table, as lists of cells."""
    lines = (folder / f"{name}.tsv").read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines[1:-1]]


def items(name):
    """The rows of items; their last cell is a verdict, two for coref, or for test C which values are the same."""
    return [(*cells, _verdict(verdict)) for *cells, verdict in rows(name)]


def _verdict(text):
    verdicts = [int(value) if value.isdigit() else value for value in text.split()]
    return verdicts if len(verdicts) > 1 else verdicts[0]


def judged(language):
    """{round: its items} of a language."""
    lines = (FOLDER / f"judged_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return {name: list(group) for name, group in groupby(map(json.loads, lines), key=itemgetter("round"))}


def cases():
    """Small groups with the verdict that is right, as dicts like judged items, with their language and "expected"."""
    return list(map(json.loads, (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()))


def compared(item, found):
    """(the readers' verdict, the one found) of each verdict of a judged item.

    Of test C it is whether the entropy is the readers', or whether it is 0 where they did not say the values.
    """
    expected = item["verdict"]
    if item["test"].startswith("coref"):
        return list(zip(expected, found))
    if expected in ("pass", "fail") and not isinstance(found, str):
        return [(expected, "pass" if found < 1e-9 else "fail")]
    if CONTRASTS[item["test"]].family == "C" and isinstance(expected, list):
        same = not isinstance(found, str) and abs(found - normalised_entropy(expected)) < 1e-9
        return [("entropy", "entropy" if same else "another")]
    return [(expected, found)]
