"""MeLaSSS on SummEval: agreement with the experts' relevance beside the paper's table.

    make reproduce                (or: python benchmarks/papers/agreement_summaries.py [--quick] [--save])

The data are the 80 articles x 16 systems of ../shared/data/summeval, the encoder is all-MiniLM-L6-v2, mean pooling.

Every similarity and baseline, Spearman's correlation, pooled over all pairs and inside each article, with 95 %
bootstrap intervals over articles. The paper's similarities are learned on four fifths of the articles and score the
last fifth, five times ("by article"), and for comparison on four fifths of the pairs, where every article is met in
training ("random", which leaks). The regression is fitted on other collections alone, and on these with four fifths of
the articles (fit_summaries.py).
"""

import argparse
import gzip
import json
import sys
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.fit_summaries import DATA, collections, left_out, rated  # noqa: E402
from benchmarks.report import print_table  # noqa: E402
from metrics.melasss import encoder, similarities  # noqa: E402
from metrics.melasss import learn_heads as heads  # noqa: E402
from metrics.melasss.learn_agreement import agreement, groups_of  # noqa: E402
from metrics.melasss.learn_fit import FitOptions  # noqa: E402
from metrics.melasss.terms_regression import columns, fit_regression  # noqa: E402
from metrics.melasss.text_pairs import encode_pairs  # noqa: E402
from metrics.melasss.text_sentences import split, words  # noqa: E402

SUMMEVAL = DATA / "summeval" / "summeval_train80.jsonl.gz"
FOLDS = 5


@cache
def summeval():
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def pairs():
    """The pairs as the encoder sees them."""
    texts, summaries = ([split(row[name]) for row in summeval()] for name in ("text", "summary"))
    return encode_pairs(encoder.load(), texts, summaries, tokens=True)


def ratings(aspect="relevance"):
    return (np.array([row[aspect] for row in summeval()]) - 1) / 4


# ---- Agreement ----


def out_of_fold(found, similarity, documents, **about):
    """Scores of every pair by heads trained without its fold, folds of what `documents` says is one."""
    groups, truth = groups_of(documents), ratings()
    order = np.random.default_rng(0).permutation(len(groups))
    scores, options = np.empty(len(found)), FitOptions(similarity=similarity)
    for k in range(FOLDS):
        held = np.concatenate([groups[i] for i in order[k::FOLDS]])
        kept = np.setdiff1d(np.arange(len(found)), held)
        head = heads.train([found[i] for i in kept], truth[kept], [documents[i] for i in kept], options, **about)
        scores[held] = head.scores([found[i] for i in held])
    return scores


def by_article():
    """Scores by regressions fitted on the other collections and four fifths of these articles."""
    names = [name for name in collections("relevance") if name != "SummEval"]
    own = rated("relevance", "SummEval")
    groups = groups_of(own.documents)
    order = np.random.default_rng(0).permutation(len(groups))
    scores = np.empty(len(own.ratings))
    for k in range(FOLDS):
        held = np.concatenate([groups[i] for i in order[k::FOLDS]])
        kept = own.take(np.setdiff1d(np.arange(len(scores)), held))
        about = {"aspect": "relevance", "encoder": encoder.DEFAULT, "pooling": "mean", "width": encoder.load().width}
        head = fit_regression([kept, *(rated("relevance", name) for name in names)], **about)
        scores[held] = head.scores(columns(own.features, head.terms)[held])
    return scores


def rouge(kind, against):
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array(
        [np.mean([scorer.score(r, row["summary"])[kind].fmeasure for r in against(row)]) for row in summeval()]
    )


def token_matching():
    """F of the best cosines of tokens both ways, as BERTScore takes it, here with the metric's encoder."""
    found = [pair.text.token_vectors @ pair.summary.token_vectors.T for pair in pairs()]
    recalls, precisions = (np.array([cosines.max(axis=axis).mean() for cosines in found]) for axis in (1, 0))
    return 2 * recalls * precisions / (recalls + precisions)


def means_by(field, truth):
    values = {}
    for row, rating in zip(summeval(), truth):
        values.setdefault(row[field], []).append(rating)
    return np.array([np.mean(values[row[field]]) for row in summeval()])


def agreement_rows(quick):
    found = pairs()
    rows, truth = summeval(), ratings()
    articles, single = [row["doc_id"] for row in rows], list(range(len(rows)))
    alpha = {id(pair.text): similarities.rouge_weights(pair.text.words) for pair in found}

    def cells(name, paper, scores, random=None):
        result = agreement(scores, truth, articles)
        honest = [
            f"{100 * result[kind]:.1f} [{100 * result[f'{kind}_low']:.1f}, {100 * result[f'{kind}_high']:.1f}]"
            for kind in ("pooled", "per_document")
        ]
        leaking = "" if random is None else f"{100 * agreement(random, truth, articles)['pooled']:.1f}"
        return name, paper, *honest, leaking

    equation1 = [similarities.weighted_match(alpha[id(pair.text)], pair) for pair in found]
    yield cells("sim_ROUGE (equation 1)", "13.2", equation1)
    learned = (
        ("sim_cos (equation 2)", "27.9", "attention", {}),
        ("sim_TRANS, avg (equation 3)", "42.5", "transformer", {"aggregation": "avg"}),
        ("sim_TRANS, max (equation 3)", "45.7", "transformer", {"aggregation": "max"}),
        ("sim_TRANS, max, sides marked", "", "transformer", {"aggregation": "max", "marked": True}),
    )
    for name, paper, similarity, options in () if quick else learned:
        width = encoder.load().width
        scores = [out_of_fold(found, similarity, documents, width=width, **options) for documents in (articles, single)]
        yield cells(name, paper, *scores)
    yield cells("**regression** (default), SummEval left out", "", left_out("relevance")["SummEval"])
    yield cells("regression, also fitted on the other articles", "", by_article())
    for kind, paper in (("rouge1", "32.6"), ("rouge2", "29.0"), ("rougeL", "31.1")):
        yield cells(f"{kind} F1 against the text", "", rouge(kind, lambda row: [row["text"]]))
        name = f"{kind} F1, mean over 11 references"
        yield cells(name, f"{paper} (per article)", rouge(kind, lambda row: row["references"]))
    yield cells("number of words", "", np.array([len(words(row["summary"])) for row in rows]))
    yield cells("token matching F", "", token_matching())
    yield cells("oracle: the system's mean rating", "", means_by("system", truth))
    cheat = means_by("system", truth) + means_by("doc_id", truth)
    yield cells("cheat: the system's and the article's means", "", cheat)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without trained heads")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    print_table(
        "MeLaSSS: agreement with the experts' relevance on SummEval",
        ("torch", "transformers", "scipy"),
        "all-MiniLM-L6-v2, mean pooling, 80 articles x 16 systems; Spearman x 100, 95 % bootstrap intervals over "
        "articles; the paper's encoder is bert-base-cased, its split is not given.",
        "| | paper | pooled, by article | per article, by article | pooled, random pairs (leaks) |\n"
        "|---|---:|---:|---:|---:|",
        agreement_rows(arguments.quick),
        "melasss_agreement" if arguments.save else None,
        "make reproduce",
    )


if __name__ == "__main__":
    main()
