"""MeLaSSS on collections left out of its fit, and good summaries beside what rules and people make of them.

    python benchmarks/papers/validity.py [--save] [texts.jsonl ...]

Each rated collection is scored by a head that was fitted on the others (fit_summaries.py); which terms there are was
decided by such figures. Beside it stand what needs no fitting: the number of words, ROUGE-1, 2 and L against the text
(package rouge-score), the Jensen-Shannon divergence of words, and token matching as BERTScore takes it; for consistency
the precisions of ROUGE and of token matching.

The texts (by default those of the folder summaries, written for this, never rated) are of seven genres in two
languages; the metric as it is scores them.
A line has "text", "good" and "good2", two good summaries, and under other names summaries with one fault made by hand.
How often the good one wins, with the rules of corruptions.py beside the faults made by hand; and how much of what is
wrong the evidence under details names.
"""

import argparse
import json
import sys
from collections import defaultdict
from functools import cache, partial
from pathlib import Path

import numpy as np
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers import fit_summaries as study  # noqa: E402
from benchmarks.papers.corruptions import corrupted  # noqa: E402
from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics.melasss import encoder  # noqa: E402
from metrics.melasss.learn_agreement import agreement, groups_of  # noqa: E402
from metrics.melasss.scoring import Options, Scorer  # noqa: E402
from metrics.melasss.text_evidence import numbers  # noqa: E402
from metrics.melasss.text_languages import FRENCH, language_of  # noqa: E402
from metrics.melasss.text_pairs import encode_in_chunks  # noqa: E402
from metrics.melasss.text_sentences import split, words  # noqa: E402

FRESH = [
    Path(__file__).parent / "summaries" / f"{name}.jsonl"
    for name in ("development", "development_2", "held_out", "fresh", "fresh_2")
]
FRESH = [path for path in FRESH if path.exists()]
WRITTEN = ("text", "good", "good2", "genre", "language")  # what a line of fresh texts has beside its faulty summaries
NAMED = {  # what the evidence calls what a rule does
    "negated": ("negations",),
    "insertion": ("numbers", "names", "dates"),
}
HEADINGS = {
    "en": ("**Summary**\n", "Here is a summary of the text:\n"),
    "fr": ("Résumé :\n", "Voici un résumé du texte :\n"),
}


# ---- Rivals: what can be counted without fitting. Each from texts and summaries, strings, to an array. ----


def number_of_words(texts, summaries):
    """How many words the summary has."""
    return np.array([len(words(summary)) for summary in summaries])


def rouge(kind, texts, summaries):
    """F1 of ROUGE against the text, with stemming."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array([scorer.score(text, summary)[kind].fmeasure for text, summary in zip(texts, summaries)])


def encoded(texts, summaries):
    """The pairs of all examples, in order."""
    sides = [list(map(split, side)) for side in (texts, summaries)]
    found = [None] * len(texts)
    for indices, pairs in encode_in_chunks(encoder.load(), *sides, tokens=True):
        for i, pair in zip(indices, pairs):
            found[i] = pair
    return found


def divergence(pairs):
    """Minus the Jensen-Shannon divergence of the content words, in bits."""

    def one(pair):
        p, q = pair.text.content, pair.summary.content
        stems = list(p | q)
        p, q = (np.array([side[stem] for stem in stems]) / max(side.total(), 1) for side in (p, q))
        middle = (p + q) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            return -sum(np.where(side > 0, side * np.log2(side / middle), 0).sum() / 2 for side in (p, q))

    return np.array([one(pair) for pair in pairs])


def token_matching(pairs):
    """F of the best cosines of tokens both ways, with the metric's encoder."""
    found = [[best.mean() for best in pair.token_matches] for pair in pairs]
    return np.array([2 * recall * precision / (recall + precision) for recall, precision in found])


def rivals(texts, summaries):
    """{name: scores of all examples}."""
    pairs = encoded(texts, summaries)
    kinds = {f"ROUGE-{kind[5:]} F1": rouge(kind, texts, summaries) for kind in ("rouge1", "rouge2", "rougeL")}
    return {
        "words": number_of_words(texts, summaries),
        **kinds,
        "Jensen-Shannon": divergence(pairs),
        "token matching F": token_matching(pairs),
    }


def precisions(texts, summaries):
    """{name: scores of all examples}: how much of the summary the text has."""
    from rouge_score.rouge_scorer import RougeScorer

    kinds = ("rouge1", "rouge2", "rougeL")
    scorer = RougeScorer(list(kinds), use_stemmer=True)
    rows = [scorer.score(text, summary) for text, summary in zip(texts, summaries)]
    found = {f"ROUGE-{kind[5:]} precision": np.array([row[kind].precision for row in rows]) for kind in kinds}
    supports = [pair.token_matches[1] for pair in encoded(texts, summaries)]
    return found | {"token precision": np.array([support.mean() for support in supports])}


@cache
def scorer():
    """The metric as it is, with its embedded head."""
    return Scorer(Options(details=True))


def scores(texts, summaries):
    """The metric's scores of all examples."""
    return np.array(scorer().score(summaries, texts)["scores"])


# ---- Collections of rated summaries ----


def agreement_cells(found, ratings, texts, systems):
    """Spearman with intervals, Pearson, Kendall, and of the systems' means."""
    result = agreement(found, ratings, texts)
    for kind in ("pooled", "per_document"):
        yield "{:.3f} [{:.2f}, {:.2f}]".format(*(result[kind + end] for end in ("", "_low", "_high")))
    yield f"{pearsonr(found, ratings).statistic:.3f}"
    yield f"{kendalltau(found, ratings).statistic:.3f}"
    if systems:
        groups = groups_of(systems)
        yield f"{spearmanr([found[g].mean() for g in groups], [ratings[g].mean() for g in groups]).statistic:.3f}"
    else:
        yield ""


def relevance_lines():
    """A table for each collection, and one of all."""
    pooled = {}
    for name, own in study.left_out("relevance").items():
        texts, summaries, ratings, documents, systems = study.collections("relevance")[name]
        yield from ("", f"## {name}, left out of the fit", "")
        yield "| | Spearman, pooled | Spearman inside texts | Pearson | Kendall | Spearman of systems |"
        yield "|---|---:|---:|---:|---:|---:|"
        for rival, found in {"**melasss**": own, **rivals(texts, summaries)}.items():
            cells = list(agreement_cells(found, ratings, documents, systems))
            pooled.setdefault(rival, []).append(cells[:2])
            yield table_row([rival, *cells])
    names = list(study.collections("relevance"))
    for k, kind in enumerate(("pooled", "inside texts")):
        yield from ("", f"## Relevance, each collection left out: Spearman, {kind}", "")
        yield table_row(["", *names, "mean"])
        yield "|---|" + "---:|" * (len(names) + 1)
        for rival, cells in pooled.items():
            values = [float(cell[k].split()[0]) for cell in cells]
            yield table_row([f"{rival}, {kind}", *(f"{value:.3f}" for value in (*values, np.mean(values)))])


def consistency_lines():
    """Pearson's correlation and ROC on QAGS, right above wrong on Rank19, Spearman on SummEval, each left out."""
    yield from ("", "## Consistency, each collection left out of the fit", "")
    yield "| | QAGS, CNN/DM: Pearson, ROC | QAGS, XSum: the same | Rank19: right first | SummEval: pooled, inside |"
    yield "|---|---:|---:|---:|---:|"
    rows = {}
    for name, own in study.left_out("consistency").items():
        found = study.collections("consistency")[name]
        for rival, values in {"**melasss**": own, **precisions(found.texts, found.summaries)}.items():
            figures = study.figures(values, found)
            if "pearson" in figures:
                cell = f"{figures['pearson']:.3f}, {roc(values, found.ratings == 1):.3f}"
            elif "right_above_wrong" in figures:
                cell = f"{figures['right_above_wrong']:.3f}"
            else:
                cell = f"{figures['pooled']:.3f}, {figures['per_document']:.3f}"
            rows.setdefault(rival, []).append(cell)
    yield from (table_row([rival, *cells]) for rival, cells in rows.items())


def roc(values, right):
    """Area under the curve: the chance that a right one scores higher than a wrong one."""
    ranks = rankdata(values)
    n_right = right.sum()
    return (ranks[right].sum() - n_right * (n_right + 1) / 2) / (n_right * (~right).sum())


# ---- Fresh texts ----


def fresh_pairs(rows, seed=1):
    """Yield (kind of fault, index of the text, text, good summary, faulty one)."""
    random = np.random.default_rng(seed)
    for k, row in enumerate(rows):
        text, other = split(row["text"]), split(rows[(k + 3) % len(rows)]["good"])
        for fault in row.keys() - set(WRITTEN):
            yield f"{fault}, by hand", k, row["text"], row["good"], row[fault]
        for good in filter(None, map(row.get, ("good", "good2"))):
            for rule, made in corrupted(text, split(good), other, random).items():
                yield rule, k, row["text"], good, "\n".join(made)


def fresh_lines(path):
    """How often the good summary wins, for each fault, and what a heading does."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kinds, owners, texts, good, faulty = (list(column) for column in zip(*fresh_pairs(rows)))
    both = texts + texts, good + faulty
    columns = {"**melasss**": scores(*both), **rivals(*both)}
    yield from ("", f"## {path.name}: {len(rows)} texts, good summaries that win", "")
    yield "Of pairs; and the texts of which every good summary wins by melasss."
    yield ""
    yield table_row(["fault", "pairs", "melasss, texts", *columns])
    yield "|---|---:|---:|" + "---:|" * len(columns)
    n = len(texts)
    for kind in sorted(set(kinds), key=lambda kind: ("by hand" in kind, kind)):
        indices = np.array([i for i, other in enumerate(kinds) if other == kind])
        shares = [(found[indices] > found[indices + n]).mean() for found in columns.values()]
        lost = {owners[i] for i in indices if columns["**melasss**"][i] <= columns["**melasss**"][i + n]}
        n_texts = len({owners[i] for i in indices})
        whole = f"{n_texts - len(lost)} of {n_texts}"
        yield table_row([kind, str(len(indices)), whole, *(f"{100 * share:.0f} %" for share in shares)])
    plain = scores([row["text"] for row in rows], [row["good"] for row in rows])
    for k in range(2):
        headed = [HEADINGS[row.get("language", "en")][k] + row["good"] for row in rows]
        change = np.abs(scores([row["text"] for row in rows], headed) - plain).max()
        yield from ("", f"A heading such as {HEADINGS['en'][k].strip()!r} changes a score by at most {change:.3f}.")
    yield from evidence_lines(path.name, kinds, texts, good, faulty)


def counted_numbers(good, faulty, language):
    """Of numbers: changed and named, changed, right and named, right; sides are (sentence, evidence) of sentences."""
    right, made = ([numbers(sentence, language) for sentence, _ in side] for side in (good, faulty))
    known = {value for found in right for value in found}
    changed = [[written for value, written in found.items() if value not in known] for found in made]
    named = [set(written) & set(evidence["numbers"]) for written, (_, evidence) in zip(changed, faulty)]
    counts = (named, changed, [evidence["numbers"] for _, evidence in good], right)
    return [sum(map(len, found)) for found in counts]


def counted_sentences(kinds, good, faulty, language):
    """The same of sentences in which the evidence names something of some kinds."""
    same = {sentence for sentence, _ in good}
    changed = [any(evidence[kind] for kind in kinds) for sentence, evidence in faulty if sentence not in same]
    right = [any(evidence[kind] for kind in kinds) for _, evidence in good]
    return sum(changed), len(changed), sum(right), len(right)


COUNTED = {"numbers": counted_numbers} | {rule: partial(counted_sentences, kinds) for rule, kinds in NAMED.items()}


def evidence_lines(name, kinds, texts, good, faulty):
    """For each fault and language, how much of what is wrong the evidence names, and how much of what is right."""
    yield from ("", f"## {name}: what the evidence names", "")
    yield "Of the numbers, else of the sentences, that a rule or a hand changed; false alarms in the good summaries."
    yield from ("", "| fault | language | named | false alarms |", "|---|---|---:|---:|")
    found = scorer().score(good + faulty, texts + texts)
    sides = [list(zip(*pair)) for pair in zip(found["summary_sentences"], found["evidence"])]
    counts = defaultdict(lambda: np.zeros(4, int))
    for kind, text, right, wrong in zip(kinds, texts, sides, sides[len(texts) :]):
        language = language_of(words(text))
        if count := COUNTED.get(kind.split(",")[0]):
            counts[kind, "French" if language is FRENCH else "English"] += count(right, wrong, language)
    for key, (named, changed, alarms, right) in sorted(counts.items()):
        shares = (f"{100 * a / max(b, 1):.0f} % ({a} of {b})" for a, b in ((named, changed), (alarms, right)))
        yield table_row([*key, *shares])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="*", type=Path, default=FRESH)
    parser.add_argument("--save", action="store_true", help="write the page to benchmarks/results")
    arguments = parser.parse_args()

    def lines():
        setting = f"{scorer().signature()}; intervals are 95 % bootstraps over texts"
        packages = ("torch", "transformers", "scipy", "rouge-score")
        command = "python benchmarks/papers/validity.py"
        yield from head("MeLaSSS: collections left out, and spoilt summaries", packages, setting, command)
        if study.DATA.exists():
            yield from relevance_lines()
            yield from consistency_lines()
        for path in arguments.texts:
            yield from fresh_lines(path)

    print_page(lines(), "validity" if arguments.save else None)


if __name__ == "__main__":
    main()
