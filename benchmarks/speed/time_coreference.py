"""Speed and memory of the coreference metric beside its peers, in one process.

    make bench                                   (or: python benchmarks/speed/time_coreference.py)

Peers: scorch (a pip package; its functions get the same clusters as sets) and literal Python
versions of what other scorers do (the registry's package coval is not the coreference scorer). The
fastest of several runs counts, with both sides in turn and the garbage collector off. Sizes are
mentions in one document. "all measures" is everything the metric reports, from lists of clusters to
scores. --save writes the table to benchmarks/results.
"""

import argparse
import subprocess
import sys
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import best_times, print_table, seconds_cell  # noqa: E402
from metrics.muc_b3_ceaf_entropy.measure_table import by_first_mention, contingency  # noqa: E402
from metrics.muc_b3_ceaf_entropy.measures import MEASURES, NAMES, Corpus, measure_document  # noqa: E402


def all_measures(documents) -> dict:
    """What the metric computes for a corpus once its input is checked."""
    rows = []
    for key, response in documents:
        table = contingency(by_first_mention(key), by_first_mention(response))
        rows.append(measure_document(table, list(MEASURES), "raw"))
    counts = {name: np.array([row[name].counts for row in rows], dtype=float) for name in MEASURES}
    return Corpus(counts, NAMES, "micro", 0.0).scores()


# ---- Documents ----


def clusters(labels) -> list:
    classes = {}
    for mention, label in enumerate(labels.tolist()):
        classes.setdefault(label, []).append(f"m{mention}")
    return list(classes.values())


def zipf_like(n, seed=0):
    """Class sizes by a power law, about 4; in the response a fifth stray, a tenth are alone."""
    random = np.random.default_rng(seed)
    sizes = np.minimum(random.zipf(2.0, n), max(1, n // 20))
    labels = np.repeat(np.arange(n), np.diff(np.minimum(np.cumsum(sizes), n), prepend=0))
    random.shuffle(labels)
    response = labels.copy()
    moved, alone = random.random(n) < 0.2, random.random(n) < 0.1
    response[moved] = random.choice(labels, moved.sum())
    response[alone] = n + np.arange(alone.sum())
    return clusters(labels), clusters(response)


def own_mentions(n, seed=0):
    """Zipf-like, but each side lacks a tenth of the mentions."""
    random = np.random.default_rng(seed)
    sides = []
    for side in zipf_like(n, seed):
        kept = [[m for m in cluster if random.random() < 0.9] for cluster in side]
        sides.append([cluster for cluster in kept if cluster])
    return tuple(sides)


def classes_of(*sizes):
    """Random classes of the given sizes on both sides: nearly all overlaps tie."""

    def document(n, seed=0):
        random = np.random.default_rng(seed)
        ends = np.minimum(np.cumsum(random.choice(sizes, n)), n)
        labels = np.repeat(np.arange(n), np.diff(ends, prepend=0))
        return tuple(clusters(random.permutation(labels)) for _ in range(2))

    return document


# ---- The other sides ----


def literal_muc_and_b3(key, response):
    """MUC and B3 as scorers do it: a dictionary from mention to class, then counts per class."""

    def side(ours, theirs):
        class_of = {mention: j for j, cluster in enumerate(theirs) for mention in cluster}
        muc = muc_all = b3 = b3_all = 0
        for cluster in ours:
            counts, alone = {}, 0
            for mention in cluster:
                if mention in class_of:
                    j = class_of[mention]
                    counts[j] = counts.get(j, 0) + 1
                else:
                    alone += 1
            muc += len(cluster) - len(counts) - alone
            muc_all += len(cluster) - 1
            b3 += sum(n * n for n in counts.values()) / len(cluster)
            b3_all += len(cluster)
        return muc / muc_all if muc_all else 0.0, b3 / b3_all

    return side(key, response), side(response, key)


def ceafe_of_all_pairs(key, response):
    """CEAF-e as coval and most scorers do it: all pairs of classes, then scipy's dense solver."""
    key, response = list(map(set, key)), list(map(set, response))
    similarity = np.array([[2 * len(k & r) / (len(k) + len(r)) for r in response] for k in key])
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    total = similarity[rows, columns].sum()
    return total / len(key), total / len(response)


def ceafe_by_dictionary(key, response):
    """CEAF-e as peers could but do not do it: overlaps from a dictionary, then the dense solver."""
    class_of = {mention: j for j, cluster in enumerate(response) for mention in cluster}
    similarity = np.zeros((len(key), len(response)))
    for i, cluster in enumerate(key):
        for mention in cluster:
            if mention in class_of:
                j = class_of[mention]
                similarity[i, j] += 2 / (len(cluster) + len(response[j]))
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    total = similarity[rows, columns].sum()
    return total / len(key), total / len(response)


def scorch_functions():
    """scorch's functions by name; none if it is not installed."""
    if not hasattr(np, "bool"):
        np.bool = bool  # scorch 0.2 was written for numpy 1
    try:
        from scorch import scores as scorch
    except ImportError:
        return {}
    names = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")

    def of_sets(function, key, response):
        return function(list(map(set, key)), list(map(set, response)))

    return {name: partial(of_sets, getattr(scorch, name)) for name in names}


# ---- Measuring ----


def peak_of_child(code):
    """Peak resident megabytes (Linux) of a fresh process while it runs the code.

    Its input of 1 M mentions is made first. That needs more memory than scoring it, so the kernel's
    peak is reset in between.
    """
    script = "\n".join(
        [
            f"import gc, re, sys; sys.path.insert(0, {str(ROOT)!r})",
            "from benchmarks.speed.time_coreference import *",
            "key, response = zipf_like(1_000_000); gc.collect(); Path('/proc/self/clear_refs').write_text('5')",
            code,
            "print(int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1]) // 1024)",
        ]
    )
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    return int(output.split()[-1])


CHILD_EVALUATE = """
import evaluate
metric = evaluate.load(str(ROOT / "metrics" / "muc_b3_ceaf_entropy"))
metric.compute(predictions=[response], references=[key])
"""


def against_peers():
    key, response = zipf_like(10_000)
    peers = {"literal CEAF-e of all pairs": lambda: ceafe_of_all_pairs(key, response)}
    if functions := scorch_functions():
        peers["scorch CEAF-e"] = lambda: functions["ceaf_e"](key, response)
    peers["CEAF-e by dictionary and dense solver"] = lambda: ceafe_by_dictionary(key, response)
    ours, *theirs = best_times([partial(all_measures, [(key, response)]), *peers.values()], runs=3)
    yield "10 k mentions: all measures", ours, "", ""
    for name, seconds in zip(peers, theirs):
        target = "" if "dictionary" in name else "at least 100 x"
        yield f"10 k mentions: {name} alone", seconds, f"{seconds / ours:.0f} x ours", target
    for name, make in (
        ("Zipf-like", zipf_like),
        ("Zipf-like, own mentions", own_mentions),
        ("classes of two", classes_of(2)),
    ):
        key, response = make(100_000)
        ours, literal = best_times(
            [partial(all_measures, [(key, response)]), partial(literal_muc_and_b3, key, response)], runs=5
        )
        target = "under 1.5 x" if make is zipf_like else ""
        yield f"100 k, {name}: literal MUC + B3 alone", literal, "", ""
        yield f"100 k, {name}: all measures", ours, f"{ours / literal:.2f} x literal", target


def growth():
    zipf = {}
    for n, runs in ((10_000, 7), (100_000, 5), (1_000_000, 3)):
        for name, make in (("Zipf-like", zipf_like), ("classes of two", classes_of(2))):
            key, response = make(n)
            seconds, literal = best_times(
                [partial(all_measures, [(key, response)]), partial(literal_muc_and_b3, key, response)], runs
            )
            zipf.setdefault(n, seconds)
            ratio = f", {seconds / zipf[n]:.1f} x Zipf-like" if make is not zipf_like else ""
            target = "at most 5 x Zipf-like" if ratio else "flat (the literal version's is beside it)"
            yield f"{n:,} mentions, {name}", seconds, f"{1e6 * seconds / n:.2f} us a mention{ratio}", target
            if not ratio:
                yield f"{n:,} mentions, literal MUC + B3 alone", literal, f"{1e6 * literal / n:.2f} us a mention", ""
    for n in (10_000, 30_000, 100_000):
        key, response = classes_of(2, 3)(n)
        [seconds] = best_times([partial(all_measures, [(key, response)])], 1)
        yield (
            f"{n:,} mentions, classes of two and three",
            seconds,
            f"{1e6 * seconds / n:.2f} us a mention",
            "the slow case",
        )


def corpus():
    documents = [zipf_like(120, seed) for seed in range(348)]
    functions = {"all measures": lambda: all_measures(documents)}
    peers = scorch_functions()
    if peers:
        functions["scorch, its five measures"] = lambda: [f(k, r) for k, r in documents for f in peers.values()]
    functions["literal MUC + B3 alone"] = lambda: [literal_muc_and_b3(*document) for document in documents]
    times = best_times(list(functions.values()), 3)
    for name, seconds in zip(functions, times):
        yield f"348 documents of 120 mentions: {name}", seconds, f"{1e3 * seconds / 348:.2f} ms a document", ""


def through_evaluate():
    """The same with evaluate's own work and input checks, which no peer has."""
    import evaluate

    metric = evaluate.load(str(ROOT / "metrics" / "muc_b3_ceaf_entropy"))
    for n, runs in ((10_000, 5), (100_000, 5), (1_000_000, 1)):
        key, response = zipf_like(n)
        peer, what = (ceafe_of_all_pairs, "literal CEAF-e") if n == 10_000 else (literal_muc_and_b3, "literal MUC + B3")
        seconds, other = best_times(
            [partial(metric.compute, predictions=[response], references=[key]), partial(peer, key, response)], runs
        )
        ratio = f"{other / seconds:.0f} x faster than" if n == 10_000 else f"{seconds / other:.2f} x"
        yield f"{n:,} mentions, compute()", seconds, f"{1e6 * seconds / n:.2f} us a mention, {ratio} {what}", ""


def memory():
    yield "1 M mentions: the process with its input", None, f"{peak_of_child('')} MB", ""
    yield "1 M mentions: all measures", None, f"{peak_of_child('all_measures([(key, response)])')} MB", "under 1,000 MB"
    yield "1 M mentions: through evaluate's compute", None, f"{peak_of_child(CHILD_EVALUATE)} MB", "under 1,000 MB"
    key, response = zipf_like(100_000)
    table = contingency(key, response)
    tracemalloc.start()
    MEASURES["blanc"].count(table)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield "100 k mentions: BLANC beyond the table", None, f"{peak:.1f} MB", "no n x n (10,000 MB)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    sections = (against_peers, growth, corpus, through_evaluate, memory)
    print_table(
        "Coreference scoring: speed and memory",
        ("evaluate", "datasets", "numpy", "scipy"),
        "one run, all sides in it.",
        "| what | seconds | | target |\n|---|---:|---|---|",
        ((what, seconds_cell(seconds), *cells) for section in sections for what, seconds, *cells in section()),
        "muc_b3_ceaf_entropy" if arguments.save else None,
    )


if __name__ == "__main__":
    main()
