"""All four metrics beside how they are computed elsewhere: time, memory, growth; in one process.

    make bench                    (or: python benchmarks/speed/side_by_side.py [--only NAME ...] [--save])

Both sides get the same input and must agree on the result. They run in turn; a cell has the median
of the runs and, in brackets, the fastest and the slowest; ratios are computed run by run. Memory is
the peak beyond what the process had before (Linux), in a separate run. Peers:

- parapluie: the papers' formula, two forward passes with a loss for each pair.
- muc_b3_ceaf_entropy: the five measures of scorch, a pip package (ours are all fourteen).
- morpheval: a literal version of the published script's rules; each run reads the lexicon's pickle.
- melasss: every sentence of every pair encoded by itself.
"""

import argparse
import ctypes
import gc
import pickle
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.agreement_summaries import summeval  # noqa: E402
from benchmarks.report import RESULTS, print_table  # noqa: E402
from benchmarks.speed import time_coreference, time_morphology, time_paraphrases, time_summaries  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()  # until the end of the process
HEADER = "| metric | size | peer, s | this, s | times faster | peer, MB | this, MB |\n|---|---:|---|---|---|---:|---:|"


# ---- Measuring ----


def seconds(function):
    """(seconds, result), with the garbage collector off."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    result = function()
    taken = time.perf_counter() - start
    gc.enable()
    return taken, result


def resident(field):
    """Megabytes of this process: VmRSS now, VmHWM at its peak."""
    return int(re.search(rf"{field}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024


def memory(function):
    """Peak megabytes beyond what the process had before."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    function()
    return resident("VmHWM") - before


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def rows(name, sizes, sides, agree, runs, measured):
    """A row of the table for each size; adds the seconds to `measured`, for the plot."""
    for side in sides(sizes[0]):
        side()  # what is done only once is not timed
    for size in sizes:
        peer, ours = sides(size)
        pairs = [[seconds(side) for side in (peer, ours)] for _ in range(runs)]
        agree(*(result for _, result in pairs[0]))
        theirs, mine = ([pair[side][0] for pair in pairs] for side in (0, 1))
        measured.setdefault(name, []).append((size, theirs, mine))
        ratios = [a / b for a, b in zip(theirs, mine)]
        megabytes = [f"{memory(side):.0f}" for side in (peer, ours)]
        yield name, f"{size:,}", spread(theirs, 3), spread(mine, 3), spread(ratios, 1), *megabytes


# ---- The sides: size -> (peer, this metric) ----


@cache
def judge():
    tokenizer = time_paraphrases.TOKENIZERS["mistral v0.2"]()
    return time_paraphrases.LocalModel(time_paraphrases.mistral(len(tokenizer), hidden=256, layers=4), tokenizer)


def paraphrases(size):
    local, pairs, messages = judge(), time_paraphrases.mrpc_pairs(size), time_paraphrases.MESSAGES
    answers = time_paraphrases.answer_ids(local.prompts, messages, time_paraphrases.ANSWERS)

    def peer():
        prompts = time_paraphrases.prompt_ids(local.prompts, messages, pairs)
        return [time_paraphrases.two_losses(local.model, ids, answers) for ids in prompts]

    def ours():
        return time_paraphrases.ratios(local, pairs)

    return peer, ours


def coreference(size):
    key, response = time_coreference.zipf_like(size)
    scorers = time_coreference.scorch_functions()

    def peer():
        return {name: scorer(key, response) for name, scorer in scorers.items()}

    return peer, lambda: time_coreference.all_measures([(key, response)])


def same_coreference(peer, ours):
    for theirs, name in (("muc", "muc"), ("b_cubed", "b3"), ("ceaf_m", "ceafm"), ("ceaf_e", "ceafe")):
        np.testing.assert_allclose(peer[theirs], [ours[f"{name}_{part}"] for part in ("recall", "precision", "f1")])


@cache
def translations():
    """(groups in random order, the lexicon as a pickle, as an index)."""
    path = time_morphology.packaged_file(*time_morphology.PACKAGE)
    entries = list(time_morphology.lexicon.read_mlex(path))
    readings = defaultdict(list)
    for form, reading in entries:
        readings[form.lower()].append(tuple(reading))
    groups = time_morphology.with_english(time_morphology.Suite(entries).groups())
    time_morphology.random.Random(0).shuffle(groups)
    dictionary = Path(FOLDER.name) / "lefff.pkl"
    dictionary.write_bytes(pickle.dumps(dict(readings)))
    return groups, dictionary, time_morphology.lexicon.load(path)


def morphology(size):
    groups, dictionary, index = translations()
    groups = groups[:size]

    def peer():
        readings = defaultdict(list, pickle.loads(dictionary.read_bytes()))
        return time_morphology.literal(groups, readings)

    return peer, lambda: time_morphology.first_time(time_morphology.LIMSI, groups, index)


def same_verdicts(peer, ours):
    for theirs, judgement in zip(peer, ours, strict=True):
        mine = judgement.outcomes if isinstance(theirs, tuple) else judgement.outcomes[0]
        np.testing.assert_allclose(np.array(mine, float), np.array(theirs, float), atol=1e-9)


def summaries(size):
    loaded = time_summaries.encoder.load()
    some = summeval()[:: max(1, 1280 // size)][:size]

    def peer():
        return time_summaries.naive(some)

    def ours():
        loaded.forget()
        sides = loaded.sides([time_summaries.split(row[name]) for row in some for name in ("text", "summary")])
        return [time_summaries.features(time_summaries.Pair(*sides[2 * i : 2 * i + 2])) for i in range(len(some))]

    return peer, ours


def close(peer, ours):
    np.testing.assert_allclose(peer, ours, atol=2e-3, rtol=2e-3)


METRICS = {
    "parapluie, pairs": ((2, 8, 32), paraphrases, close, 3),
    "muc_b3_ceaf_entropy, mentions": ((1_000, 3_000, 10_000), coreference, same_coreference, 5),
    "morpheval, groups": ((500, 2_000, 8_000), morphology, same_verdicts, 5),
    "melasss, pairs": ((4, 16, 64), summaries, close, 3),
}


def plot(measured, path):
    """Seconds over size for both sides, one panel per metric."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(measured), figsize=(3.2 * len(measured), 3), layout="constrained")
    for panel, (name, points) in zip(np.atleast_1d(panels), measured.items()):
        sizes = [size for size, *_ in points]
        for side, label in ((1, "peer"), (2, "this metric")):
            runs = np.array([point[side] for point in points])
            medians = np.median(runs, axis=1)
            spans = np.stack([medians - runs.min(axis=1), runs.max(axis=1) - medians])
            panel.errorbar(sizes, medians, spans, marker="o", label=label)
        panel.set(xscale="log", yscale="log", title=name, ylabel="seconds")
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes], minor=False)
        panel.minorticks_off()
        panel.legend()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="how the metrics' names begin")
    parser.add_argument("--save", action="store_true", help="write the table and the plot to benchmarks/results")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    measured = {}
    chosen = {n: m for n, m in METRICS.items() if not arguments.only or n.startswith(tuple(arguments.only))}
    print_table(
        "Side by side",
        ("evaluate", "numpy", "scipy", "torch", "transformers", "scorch"),
        "one thread, both sides in turn; median [lowest, highest]. Peers:\n\n"
        + __doc__.split("Peers:\n\n")[1]
        + "\n![Seconds over size](side_by_side.svg)",
        HEADER,
        (row for name, (sizes, *how) in chosen.items() for row in rows(name, sizes, *how, measured)),
        "side_by_side" if arguments.save else None,
    )
    if arguments.save:
        plot(measured, RESULTS / "side_by_side.svg")


if __name__ == "__main__":
    main()
