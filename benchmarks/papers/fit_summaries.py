"""MeLaSSS's default: fit it on all rated collections at hand and write its table; what it is worth on one left out.

    python benchmarks/papers/fit_summaries.py [--dry]

Relevance is fitted on SummEval, DailyNews, 555 CNN/DailyMail summaries, Newsroom and REALSumm, consistency on QAGS,
Rank19 and SummEval (../shared/data; of most of them half of the texts), each collection with the same weight. Every
collection is left out once, and the figures printed and kept in the report are those of it: nothing is tuned on it.
The terms themselves were chosen by such figures. Without --dry metrics/melasss/terms_weights.py is written.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from metrics.melasss import encoder  # noqa: E402
from metrics.melasss.learn_agreement import groups_of, pearson, per_document, spearman  # noqa: E402
from metrics.melasss.learn_fit import mismatched  # noqa: E402
from metrics.melasss.terms_regression import Rated, Regression, columns, fit_regression, longest  # noqa: E402
from metrics.melasss.terms_table import ASPECTS  # noqa: E402
from metrics.melasss.text_pairs import feature_table, sentences_of  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
TABLE = ROOT / "metrics" / "melasss" / "terms_weights.py"
HEADER = '''"""The embedded regressions, for {encoder} with mean pooling.

Each is fitted on several collections of rated summaries, all of the same weight:
{collections}
Written by `python benchmarks/papers/fit_summaries.py` on {today}, which also prints what a regression fitted on the
others reaches on each; what the terms are stands in terms_table.
"""
'''


class Collection(NamedTuple):
    """Rated summaries: n texts, summaries, ratings in 0..1, labels of texts and of systems (None without)."""

    texts: list
    summaries: list
    ratings: np.ndarray
    documents: list
    systems: list | None


def _rows(path):
    with gzip.open(DATA / path, "rt", encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json.gz") else list(map(json.loads, file))


def _collection(rows, rating: Callable, document: str, lowest=1.0, highest=5.0):
    ratings = (np.array([rating(row) for row in rows], float) - lowest) / (highest - lowest)
    systems = [row.get("system", "") for row in rows]
    sides = ([row[name] for row in rows] for name in ("text", "summary"))
    return Collection(*sides, ratings, [row[document] for row in rows], systems if len(set(systems)) > 2 else None)


def _summeval(aspect):
    return lambda: _collection(_rows("summeval/summeval_train80.jsonl.gz"), lambda row: row[aspect], "doc_id")


def _outside(name, *kinds, lowest=1.0, highest=5.0):
    def load():
        rows = _rows(f"summaries_outside/{name}_half.jsonl.gz")
        return _collection(rows, lambda row: np.mean([row["ratings"][k] for k in kinds]), "text_id", lowest, highest)

    return load


def _daily_news():
    def overall(row):
        return np.mean([score for score in row["map_quality_scores"]["Overall"]["scores"] if score is not None])

    return _collection(_rows("summaries_dailynews/DailyNews_300_aspects.json.gz"), overall, "text")


LOADERS = {
    "relevance": {
        "SummEval": _summeval("relevance"),
        "DailyNews": _daily_news,
        "CNN/DM 555": _outside("cnn_dailymail_555", "overall"),
        "Newsroom": _outside("newsroom", "informativeness", "relevance"),
        "REALSumm": _outside("realsumm", "litepyramid_recall", lowest=0, highest=1),
    },
    "consistency": {
        "QAGS, CNN/DM": _outside("qags_cnndm", "fact", lowest=0, highest=1),
        "QAGS, XSum": _outside("qags_xsum", "fact", lowest=0, highest=1),
        "Rank19": _outside("rank19", "fact", lowest=0, highest=1),
        "SummEval": _summeval("consistency"),
    },
}


@cache
def collections(aspect: str = "relevance") -> dict[str, Collection]:
    """{name: the collection} of those rated for an aspect."""
    return {name: load() for name, load in LOADERS[aspect].items()}


@cache
def rated(aspect: str, name: str) -> Rated:
    """A collection as the regression sees it."""
    found = collections(aspect)[name]
    sides = ([sentences_of(item) for item in side] for side in (found.texts, found.summaries))
    return Rated(feature_table(encoder.load(), *sides), found.ratings, found.documents)


@cache
def controls(aspect: str, name: str) -> Rated:
    """Each of its texts with a summary of another one."""
    found = collections(aspect)[name]
    sides = ([sentences_of(item) for item in side] for side in (found.texts, found.summaries))
    return mismatched(encoder.load(), *sides, seed=0)


def fitted(aspect: str, names) -> Regression:
    """A regression fitted on some collections."""
    found = [collections(aspect)[name] for name in names]
    lengths = {
        side: longest([sentences_of(item) for c in found for item in dict.fromkeys(getattr(c, f"{kind}"))])
        for side, kind in (("text", "texts"), ("summary", "summaries"))
    }
    about = {"encoder": encoder.DEFAULT, "pooling": "mean", "width": encoder.load().width, "longest": lengths}
    examples, others = ([get(aspect, name) for name in names] for get in (rated, controls))
    return fit_regression(examples, others, aspect=aspect, **about)


def left_out(aspect: str) -> dict[str, np.ndarray]:
    """{name: scores of a collection by a regression fitted on the others}."""
    scores = {}
    for name in collections(aspect):
        head = fitted(aspect, [other for other in collections(aspect) if other != name])
        scores[name] = head.scores(columns(rated(aspect, name).features, head.terms))
    return scores


def right_above_wrong(scores, found: Collection) -> float:
    """Of all summaries of one text of which one is rated higher, the share that scores higher."""
    pairs = [
        scores[i] > scores[j]
        for group in groups_of(found.documents)
        for i in group
        for j in group
        if found.ratings[i] > found.ratings[j]
    ]
    return float(np.mean(pairs))


def figures(scores, found: Collection) -> dict[str, float]:
    """Spearman's correlation over all and inside texts; where a text has one summary, Pearson's beside the first."""
    groups, scores = groups_of(found.documents), np.asarray(scores, float)
    result = {"pooled": spearman(scores, found.ratings)}
    if len(groups) == len(scores):
        return result | {"pearson": pearson(scores, found.ratings)}
    if set(found.ratings) == {0, 1}:
        return result | {"right_above_wrong": right_above_wrong(scores, found)}
    return result | {"per_document": float(per_document(scores, found.ratings, groups).mean())}


def refit(dry: bool = False) -> None:
    """Print what heads reach on collections left out, fit the embedded ones, and write their table."""
    listed = "\n".join(f"{aspect}: {'; '.join(names)}" for aspect, names in LOADERS.items())
    page = HEADER.format(encoder=encoder.DEFAULT, collections=listed, today=date.today())
    for aspect in ASPECTS:
        scores = left_out(aspect)
        report = {name: figures(scores[name], collections(aspect)[name]) for name in scores}
        head = fitted(aspect, list(report))
        names = ("means", "scales", "weights", "longest", "intercept", "aspect", "encoder", "pooling", "width")
        entries = {name: getattr(head, name) for name in names}
        page += f"\n{aspect.upper()} = {json.dumps(rounded(entries), indent=4)}\n"
        print(aspect, json.dumps(rounded({"weights": head.weights, **report}, 3), indent=1))
    if not dry:
        TABLE.write_text(page, encoding="utf-8")


def rounded(value, digits: int = 6):
    """The same with numbers of six digits."""
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help="print only")
    refit(parser.parse_args().dry)


if __name__ == "__main__":
    main()
