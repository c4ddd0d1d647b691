"""PARAPHRASUS (Michail, Clematide and Opitz, COLING 2025): where a judge says yes and should not, or no.

    python benchmarks/papers/paraphrasus.py [--model MODEL_ID] [--revision COMMIT] [--resume FILE] [--save]

Error rates of the verdicts "score > threshold" on the half of the benchmark that is in ../shared/data/paraphrasus, on
MRPC's test set, and on every fourth pair of PAWS's (the benchmark's PAWS-X is a part of it), beside published figures.
For other scorers, `error_rates` takes any function from sentences and candidates to scores. XNLI is not there; means
of published figures are taken without it, too.
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from math import nan
from pathlib import Path
from statistics import fmean

from rapidfuzz.distance import Levenshtein

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.paper_tables import data_file  # noqa: E402
from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402
from metrics.parapluie.parapluie import Parapluie  # noqa: E402

GROUPS = {
    "classify": ("PAWS-X", "STS-H", "MRPC"),  # some are paraphrases: wrong verdicts
    "minimize": ("SNLI", "ANLI", "STS", "SICK"),  # none are: every yes
    "maximize": ("TRUE", "SIMP"),  # all are: every no
}
SETS = [name for names in GROUPS.values() for name in names]
# Percent; the benchmark's repository (its README and results).
PUBLISHED = {
    "Llama-3.3-70B-Instruct (Q8)": (23.1, 48.2, 22.7, 6.1, 3.1, 4.4, 0.1, 6.6, 18.5),
    "XLM-RoBERTa on PAWS-X": (15.2, 54.1, 33.4, 32.4, 7.2, 46.6, 37.0, 31.4, 5.3),
}
PUBLISHED_OVERALL = {  # percent, with XNLI; the sets' figures of these are not at hand
    "Llama-3-8B-Instruct, zero-shot, three prompts": "20.9, 27.9, 25.7",
    "Llama-3-8B-Instruct, four examples, three prompts": "24.2, 27.5, 29.6",
    "Llama-3.3-70B-Instruct (Q8)": "15.8",
    "XLM-RoBERTa on PAWS-X": "27.5",
}
PAWS_STEP = 4
CLASS_FIGURES = ("paraphrase_edit_distance_correlation", "non_paraphrase_edit_distance_correlation")


# ---- Data ----


def rows_of(name: str) -> list[dict]:
    with gzip.open(data_file(f"paraphrasus/{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def labelled(rows: list[dict], label: int | None = None) -> list[tuple]:
    """(sentence, candidate, label) of each row; its own label, or one for all."""
    return [(row["sentence1"], row["sentence2"], int(row["label"]) if label is None else label) for row in rows]


def mrpc(part: str = "test") -> list[tuple]:
    lines = data_file(f"mrpc/msr_paraphrase_{part}.txt").read_text(encoding="utf-8-sig").splitlines()[1:]
    return [(row[3], row[4], int(row[0])) for row in (line.split("\t") for line in lines)]


def paws() -> list[tuple]:
    """PAWS's test set."""
    lines = data_file("paws/paws_wiki_labeled_final_test.tsv").read_text(encoding="utf-8").splitlines()
    return [(row[1], row[2], int(row[3])) for row in (line.split("\t") for line in lines)]


def sets() -> dict[str, list[tuple]]:
    """The pairs of each set, as the benchmark counts them."""
    sts, sick = rows_of("stsbenchmark-test-sts"), rows_of("sickr-sts")
    snli, anli = (
        [row for order in ("pre-hyp", "hyp-pre") for row in rows_of(f"{name}-{order}")]
        for name in ("stannlp-snli", "fb-anli")
    )
    return {
        "PAWS-X": paws()[::PAWS_STEP],
        "STS-H": labelled([row for row in sts if "label" in row]),
        "MRPC": mrpc(),
        "SNLI": labelled(snli, 0),
        "ANLI": labelled(anli, 0),
        "STS": labelled([row for row in sts if 0 <= row.get("score", 5) < 3], 0),
        "SICK": labelled([row for row in sick if 1 <= row["score"] < 3], 0),
        "TRUE": labelled(rows_of("amr_true_paraphrases"), 1),
        "SIMP": labelled(rows_of("onestop_parallel_all_pairs"), 1),
    }


# ---- Figures ----


def error_rates(score: Callable, data: dict[str, list[tuple]], threshold: float = 0.0) -> dict[str, float]:
    """Share of wrong verdicts in each set.

    Args:
        score: from a list of sentences and one of candidates to a list of scores, higher for paraphrases.
        data: from `sets`, or some of them.
        threshold: a pair above it is judged a paraphrase.
    """
    rates = {}
    for name, pairs in data.items():
        sentences, candidates, labels = zip(*pairs)
        scores = score(list(sentences), list(candidates))
        rates[name] = fmean((s > threshold) != bool(label) for s, label in zip(scores, labels, strict=True))
    return rates


def overall(rates: dict[str, float]) -> tuple[dict[str, float], float]:
    """The mean of each group of sets, and the mean of these.

    >>> overall(dict.fromkeys(SETS, 0.25))
    ({'classify': 0.25, 'minimize': 0.25, 'maximize': 0.25}, 0.25)
    """
    groups = {group: fmean(rates[name] for name in names) for group, names in GROUPS.items()}
    return groups, fmean(groups.values())


def by_model(metric, options: dict, results: list, sentences: list, candidates: list) -> list[float]:
    """The metric's scores; the whole result goes to `results`."""
    results.append(metric.compute(predictions=candidates, references=sentences, details=True, **options))
    return results[-1]["scores"]


def of_judge(results: dict[str, dict], data: dict[str, list[tuple]]):
    """(title, share of each set): errors in one order, verdicts that turn; those too close, the others' errors."""
    if all("order_agreement" in result for result in results.values()):
        alone = (
            [score + difference / 2 for score, difference in zip(result["scores"], result["order_differences"])]
            for result in results.values()
        )
        yield "errors in the given order alone", error_rates(lambda *_: next(alone), data)
        yield "verdicts that differ between the orders", {k: 1 - r["order_agreement"] for k, r in results.items()}
    if all("too_close" in result for result in results.values()):
        yield "too close to call", {name: result["too_close_rate"] for name, result in results.items()}
        errors = {}
        for name, result in results.items():
            judged = zip(result["scores"], result["too_close"], data[name])
            wrong = [(score > 0) != bool(label) for score, close, (*_, label) in judged if not close]
            errors[name] = fmean(wrong) if wrong else nan
        yield "errors of the others", errors


def by_edit_distance(sentences: list, candidates: list) -> list[float]:
    return [-Levenshtein.normalized_distance(a, b) for a, b in zip(sentences, candidates)]


def yes_to_all(sentences: list, candidates: list) -> list[float]:
    return [1.0] * len(sentences)


# ---- The page ----


def with_interval(found: dict, key: str) -> str:
    return f"{found[key]:.3f} [{found[key + '_low']:.3f}, {found[key + '_high']:.3f}]"


def lines(options: dict):
    """The page for a model: its error rates beside published ones, and on all of MRPC's and PAWS's test pairs."""
    name, metric, data = Path(options["model_id"]).name, Parapluie(), sets()
    results = []
    score = partial(by_model, metric, options, results)
    start = time.perf_counter()
    rates = error_rates(score, data)
    seconds, n = time.perf_counter() - start, sum(map(len, data.values()))
    sentences, candidates, labels = zip(*mrpc("train"))
    threshold = meta_evaluate(by_edit_distance(sentences, candidates), labels, resamples=0)["best_accuracy_threshold"]
    computed = {
        f"**{name}**": rates,
        **dict(of_judge(dict(zip(data, results)), data)),
        "edit distance, threshold from MRPC's training pairs": error_rates(by_edit_distance, data, threshold),
    }
    published = {name: dict(zip(SETS, [rate / 100 for rate in rates])) for name, rates in PUBLISHED.items()}

    yield from head("PARAPHRASUS", ("torch", "transformers"), "error rates in percent", f"python {COMMAND}")
    took = "" if options["resume"] else f" in {seconds:.0f} s, {n / seconds:.0f} pairs/s"
    yield f"{metric.signature(**options)}; {n} pairs{took}."
    yield from ("", table_row(["", *SETS, *GROUPS, "overall without XNLI"]), "|---|" + "---:|" * (len(SETS) + 4))
    for title, found in {**computed, **published}.items():
        groups, mean = overall(found)
        title += " (published)" if title in published else ""
        yield table_row([title, *(f"{100 * rate:.1f}" for rate in (*found.values(), *groups.values(), mean))])
    yield table_row(["pairs", *(str(len(pairs)) for pairs in data.values()), "", "", "", ""])
    yield from ("", "Published overall figures, with XNLI:", "", "| | overall |", "|---|---|")
    yield from (table_row(row) for row in PUBLISHED_OVERALL.items())
    yield from ("", "## All test pairs of MRPC and PAWS, with 95 % bootstrap intervals", "")
    yield "| | pairs | accuracy | F1 | correlation with edit distance: paraphrases | other pairs |"
    yield "|---|---:|---:|---:|---:|---:|"
    deciders = {
        f"**{name}**": (score, 0.0),
        "edit distance": (by_edit_distance, threshold),
        "yes to all": (yes_to_all, 0.0),
    }
    for title, pairs in {"MRPC": mrpc(), "PAWS": paws()}.items():
        sentences, candidates, labels = map(list, zip(*pairs))
        distances = [-value for value in by_edit_distance(sentences, candidates)]
        for decider, (judge, above) in deciders.items():
            found = meta_evaluate(judge(sentences, candidates), labels, distances, threshold=above)
            rates = [with_interval(found, key) for key in ("natural_accuracy", "natural_f1")]
            correlations = [with_interval(found, key) if judge is score else "" for key in CLASS_FIGURES]
            yield table_row([f"{title}, {decider}", str(len(pairs)), *rates, *correlations])


COMMAND = "benchmarks/papers/paraphrasus.py --save"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="small", help="a chat model or a classifier of pairs")
    parser.add_argument("--revision")
    parser.add_argument("--resume", help="a file that keeps every answer: what is in it is not asked again")
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    given = parser.parse_args(arguments)
    options = {"model_id": given.model, "revision": given.revision, "resume": given.resume}
    print_page(lines(options), "paraphrasus" if given.save else None)


if __name__ == "__main__":
    main()
