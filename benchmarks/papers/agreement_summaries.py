"""MeLaSSS on SummEval: agreement with the experts beside the paper's table; fitting the default head.

    make reproduce                (or: python benchmarks/papers/agreement_summaries.py [--save])
    python benchmarks/papers/agreement_summaries.py refit

The data are the 80 articles x 16 systems of ../shared/data/summeval, the encoder is all-MiniLM-L6-v2, mean pooling.

Every similarity and baseline, Spearman's correlation with the experts' relevance, pooled over all pairs and inside each
article, with 95 % bootstrap intervals over articles. What is learned is learned on four fifths of the articles and
scores the last fifth, five times ("by article"), and for comparison on four fifths of the pairs, where every article is
met in training ("random", which leaks).

refit: fit the embedded regression again and write metrics/melasss/terms_table.py.
"""

import argparse
import gzip
import json
import sys
from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.corruptions import RULES, corrupted  # noqa: E402
from benchmarks.report import print_table  # noqa: E402
from metrics.melasss import encoder, learn_heads as heads, similarities  # noqa: E402
from metrics.melasss.learn_agreement import agreement, groups_of  # noqa: E402
from metrics.melasss.terms_aspects import ASPECTS, TERMS  # noqa: E402
from metrics.melasss.terms_features import features  # noqa: E402
from metrics.melasss.text_pairs import encode_pairs, feature_table  # noqa: E402
from metrics.melasss.terms_regression import Controls, Pairs, cross_validate, fit_regression  # noqa: E402
from metrics.melasss.text_sentences import split, words  # noqa: E402
from metrics.melasss.learn_fit import draw_mismatched  # noqa: E402

SUMMEVAL = ROOT.parent / "shared" / "data" / "summeval" / "summeval_train80.jsonl.gz"
FOLDS = 5
HEADER = '''"""The embedded regressions on four aspects, for {encoder} with mean pooling.

Fitted on the expert ratings of SummEval (Fabbri et al. 2021): 80 articles, 16 systems each, mean of three experts, 1
to 5 brought to 0..1; relevance also on each article with a summary of another one, as rated 1; and on references of
these articles, each better than what a rule makes of it. Written by
`python benchmarks/papers/agreement_summaries.py refit` on {today}; the reports are five-fold, by article.
"""
'''
GOOD = 3  # references of an article that the rules are applied to
SUFFERS = {
    "relevance": tuple(RULES),
    "coherence": ("shuffled", "keywords", "repeated"),
    "consistency": ("numbers", "negated", "swapped", "insertion", "other"),
    "fluency": ("shuffled", "keywords"),
}
EMPHASIS = {
    "lead": 15.0,  # experts rate a news text's first sentences high, which is no rule for other texts
    "negated": 6.0,  # few words change, but the meaning does
}


@cache
def summeval():
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def pairs():
    """The pairs as the encoder sees them, and their features."""
    texts, summaries = ([split(row[name]) for row in summeval()] for name in ("text", "summary"))
    found = encode_pairs(encoder.load(), texts, summaries, tokens=True)
    return found, np.array([features(pair) for pair in found])


@cache
def controls():
    """The features of each article with a summary of another one."""
    texts, summaries = ([split(row[name]) for row in summeval()] for name in ("text", "summary"))
    own, others, places = draw_mismatched(groups_of([row["doc_id"] for row in summeval()]), 0)
    table = feature_table(encoder.load(), [texts[i] for i in own], [summaries[i] for i in others])
    return Controls(table, *places)


def ratings(aspect="relevance"):
    return (np.array([row[aspect] for row in summeval()]) - 1) / 4


# ---- Agreement ----


def out_of_fold(found, similarity, documents, width, **options):
    """Scores of every pair by heads trained without its fold, folds of what `documents` says is one."""
    groups, truth = groups_of(documents), ratings()
    order = np.random.default_rng(0).permutation(len(groups))
    scores, about = np.empty(len(found)), {"width": width, **options}
    for k in range(FOLDS):
        held = np.concatenate([groups[i] for i in order[k::FOLDS]])
        kept = np.setdiff1d(np.arange(len(found)), held)
        head = heads.train(similarity, [found[i] for i in kept], truth[kept], [documents[i] for i in kept], **about)
        scores[held] = head.scores([found[i] for i in held])
    return scores


def rouge(kind, against):
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array(
        [np.mean([scorer.score(r, row["summary"])[kind].fmeasure for r in against(row)]) for row in summeval()]
    )


def token_matching():
    """F of the best cosines of tokens both ways, as BERTScore takes it, here with the metric's encoder."""
    found = [pair.text.token_vectors @ pair.summary.token_vectors.T for pair in pairs()[0]]
    recalls, precisions = (np.array([cosines.max(axis=axis).mean() for cosines in found]) for axis in (1, 0))
    return 2 * recalls * precisions / (recalls + precisions)


def means_by(field, truth):
    values = {}
    for row, rating in zip(summeval(), truth):
        values.setdefault(row[field], []).append(rating)
    return np.array([np.mean(values[row[field]]) for row in summeval()])


def agreement_rows(quick):
    found, table = pairs()
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
        scores = [out_of_fold(found, similarity, documents, width, **options) for documents in (articles, single)]
        yield cells(name, paper, *scores)
    folds = [
        cross_validate(table, truth, groups_of(articles), *teaching("relevance"), TERMS["relevance"]),
        cross_validate(table, truth, groups_of(single), terms=TERMS["relevance"]),
    ]
    yield cells("**regression** (default)", "", *folds)
    systems = groups_of([row["system"] for row in rows])
    apart = cross_validate(table, truth, systems, terms=TERMS["relevance"], folds=len(systems))
    yield cells("regression, systems never seen", "", apart)
    for aspect in ("coherence", "consistency", "fluency"):
        unseen = cross_validate(table, ratings(aspect), groups_of(articles), *teaching(aspect), TERMS[aspect])
        result = agreement(unseen, ratings(aspect), articles)
        shown = [f"{100 * result[kind]:.1f}" for kind in ("pooled", "per_document")]
        yield f"regression fitted on {aspect}, against {aspect}", "", *shown, ""
    for kind, paper in (("rouge1", "32.6"), ("rouge2", "29.0"), ("rougeL", "31.1")):
        yield cells(f"{kind} F1 against the text", "", rouge(kind, lambda row: [row["text"]]))
        name = f"{kind} F1, mean over 11 references"
        yield cells(name, f"{paper} (per article)", rouge(kind, lambda row: row["references"]))
    yield cells("number of words", "", np.array([len(words(row["summary"])) for row in rows]))
    yield cells("token matching F", "", token_matching())
    yield cells("oracle: the system's mean rating", "", means_by("system", truth))
    cheat = means_by("system", truth) + means_by("doc_id", truth)
    yield cells("cheat: the system's and the article's means", "", cheat)


# ---- The embedded regression ----


@cache
def compared(seed=0):
    """Good summaries of each article (references of people), and what the rules make of them.

    Returns:
        The features of all, and (article, rule, place of the good one, place of the other) for each that a rule made.
    """
    random = np.random.default_rng(seed)
    groups = groups_of([row["doc_id"] for row in summeval()])
    firsts = [summeval()[group[0]] for group in groups]
    texts, summaries, found = [], [], []
    for k, row in enumerate(firsts):
        text, other = split(row["text"]), split(firsts[(k + 7) % len(firsts)]["references"][0])
        usable = [good for good in map(split, row["references"]) if 25 <= sum(len(words(s)) for s in good) <= 90]
        for i in random.permutation(len(usable))[:GOOD]:
            place = len(texts)
            for rule, made in {"": usable[i], **corrupted(text, usable[i], other, random)}.items():
                found += [(k, rule, place, len(texts))] if rule else []
                texts.append(text)
                summaries.append(made)
    return feature_table(encoder.load(), texts, summaries), found


def comparisons(aspect="relevance"):
    """Good summaries beside what the rules make of them, of the rules that an aspect suffers from."""
    table, found = compared()
    found = [row for row in found if row[1] in SUFFERS[aspect]]
    counts = Counter(rule for _, rule, _, _ in found)
    articles, rules, better, worse = (list(column) for column in zip(*found))
    weights = np.array([EMPHASIS.get(rule, 1.0) / counts[rule] for rule in rules])
    return Pairs(table[better], table[worse], weights, np.array(articles))


def teaching(aspect):
    """What a head is fitted on beside the ratings: controls where the content counts, and pairs."""
    return controls() if aspect == "relevance" else None, comparisons(aspect)


def refit():
    """Fit the heads of all aspects and write their table."""
    documents = [row["doc_id"] for row in summeval()]
    about = {"encoder": encoder.DEFAULT, "pooling": "mean", "width": encoder.load().width}
    path = ROOT / "metrics" / "melasss" / "terms_table.py"
    page = HEADER.format(encoder=encoder.DEFAULT, today=date.today())
    for aspect in ASPECTS:
        fitted = fit_regression(pairs()[1], ratings(aspect), documents, *teaching(aspect), aspect=aspect, **about)
        entries = {
            name: {key: rounded(value) for key, value in getattr(fitted, name).items()}
            for name in ("means", "scales", "weights", "report")
        }
        entries |= {name: getattr(fitted, name) for name in ("aspect", "encoder", "pooling", "width")}
        entries |= {"intercept": rounded(fitted.intercept)}
        page += f"\n{aspect.upper()} = {json.dumps(entries, indent=4)}\n"
        print(aspect, fitted.report)
    path.write_text(page, encoding="utf-8")


def rounded(value):
    """A number with six digits."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="agreement", choices=["agreement", "refit"])
    parser.add_argument("--quick", action="store_true", help="without trained heads")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    if arguments.part == "refit":
        return refit()
    print_table(
        "MeLaSSS: agreement with the experts' relevance on SummEval",
        ("torch", "transformers", "scipy"),
        "all-MiniLM-L6-v2, mean pooling, 80 articles x 16 systems; Spearman x 100, 95 % bootstrap intervals over "
        "articles; the paper's encoder is bert-base-cased, its split is not said.",
        "| | paper | pooled, by article | per article, by article | pooled, random pairs (leaks) |\n"
        "|---|---:|---:|---:|---:|",
        agreement_rows(arguments.quick),
        "melasss_agreement" if arguments.save else None,
        "make reproduce",
    )


if __name__ == "__main__":
    main()
