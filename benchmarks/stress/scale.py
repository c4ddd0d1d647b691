"""A million examples: peak memory and time of each metric, beside a tenth of them to show growth.

    make harden                                  (or: python benchmarks/stress/scale.py)

Each row is a separate process. Its memory is the kernel's peak (resident) while compute() runs;
"input" is what the process had once the examples were made. Models compute nearly nothing, so that
the metrics' own code is measured: parapluie's model gets its prompts but returns a fixed score,
melasss's encoder has width 32 and sees few distinct sentences, or in the last row only new ones.
--save writes the table to benchmarks/results.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["HF_HUB_OFFLINE"] = "1"

from benchmarks.report import print_table  # noqa: E402
from tests.hardening import strategies  # noqa: E402

DEMO_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")


def coreference(n, _):
    """n documents of five mentions."""
    key = [[["a", "b"], ["c", "d", "e"]], [["a", "b", "c"], ["d", "e"]]]
    return {"predictions": [key[i % 2] for i in range(n)], "references": [key[0]] * n}


def morphology(n, world):
    """n groups of two translations, 1,000 of them different."""
    groups = [["il est heureux", f"il etait heureux dans la maison {i}"] for i in range(1000)]
    past = {"test": "past", "sources": ["he is happy", "he was happy in the house"]}
    lexicon = str(world / "small.mlex")
    return {"predictions": [groups[i % 1000] for i in range(n)], "references": [past] * n, "lexicon": lexicon}


def paraphrases(n, _, template="direct"):
    """n pairs of different sentences."""
    sources = [f"The cat number {i} sat on the mat." for i in range(n)]
    hypotheses = [f"On the mat sat cat {i}." for i in range(n)]
    return {"predictions": hypotheses, "references": sources, "model_id": DEMO_MODEL, "template": template}


def few_shot(n, world):
    """The same with the long template."""
    return paraphrases(n, world, "fs_direct")


def summaries(n, world, distinct=2000):
    """n summaries of texts with a hundred or so different sentences."""
    texts = [[f"Cat {i % 97} slept on the mat.", f"It was {i % 89} years old."] for i in range(distinct)]
    short = [[f"Cat {i % 97} slept."] for i in range(distinct)]
    options = {"similarity": "rouge", "encoder": str(world / "bert")}
    return {
        "predictions": [short[i % distinct] for i in range(n)],
        "references": [texts[i % distinct] for i in range(n)],
        **options,
    }


def new_summaries(n, world):
    """n summaries and texts in which no sentence occurs twice."""
    sentence = "Cat {} slept on the old red mat near the lake"
    return {
        "predictions": [[sentence.format(f"a{i}")] for i in range(n)],
        "references": [[sentence.format(f"b{i}")] for i in range(n)],
        "similarity": "rouge",
        "encoder": str(world / "bert"),
    }


INPUTS = {
    "coreference": ("muc_b3_ceaf_entropy", coreference, "documents", 1),
    "morphology": ("morpheval", morphology, "groups", 1),
    "paraphrases": ("parapluie", paraphrases, "pairs, template direct", 1),
    "few_shot": ("parapluie", few_shot, "pairs, template fs_direct", 10),  # 700 tokens each
    "summaries": ("melasss", summaries, "summaries, known sentences", 1),
    "new_summaries": ("melasss", new_summaries, "summaries, new sentences", 1),
}


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def child(what, n, world):
    """Compute n examples in this process; prints JSON."""
    import datasets
    import evaluate
    import torch

    datasets.disable_progress_bars()
    name, make, *_ = INPUTS[what]
    torch.set_num_threads(1)
    metric = evaluate.load(str(ROOT / "metrics" / name))
    if name == "parapluie":
        model = sys.modules[type(metric).__module__].LocalModel
        model._score = lambda self, shape, prompts, answers: ((i, (-0.7, -0.7, "yes")) for i in range(len(prompts)))
    metric.compute(**make(2, world))  # loads and imports
    examples = make(n, world)
    before, start = peak_mb(), time.process_time()
    metric.compute(**examples)
    print(json.dumps({"before": before, "peak": peak_mb(), "seconds": time.process_time() - start}))


def measured(what, n, world):
    command = [sys.executable, __file__, "--child", what, str(n), str(world)]
    environment = {**os.environ, "HF_METRICS_CACHE": str(world / "metrics"), "HF_ASSETS_CACHE": str(world / "assets")}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(output.splitlines()[-1])


def rows(names, most, world, jobs):
    sizes = [(what, n // INPUTS[what][3]) for what in names for n in (most // 10, most)]
    with ThreadPoolExecutor(jobs) as pool:
        own = {}
        for (what, n), found in zip(sizes, pool.map(lambda size: measured(*size, world), sizes)):
            name, _, unit, _ = INPUTS[what]
            own.setdefault(what, []).append(found["peak"] - found["before"])
            yield (
                f"{name}: {n:,} {unit}",
                f"{found['before']:,}",
                f"{found['peak']:,}",
                f"{own[what][-1] * 2**20 / n:,.0f}",
                f"{own[what][1] / max(own[what][0], 1):.1f} x" if len(own[what]) == 2 else "",
                f"{found['seconds']:.0f}",
                f"{1e6 * found['seconds'] / n:.0f}",
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*", choices=INPUTS, default=list(INPUTS))
    parser.add_argument("--jobs", type=int, default=1, help="processes at once; what is measured is each one's own")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    if arguments.child:
        what, n, world = arguments.child
        return child(what, int(n), Path(world))
    with tempfile.TemporaryDirectory() as folder:
        world = strategies.write_world(Path(folder) / "world")
        print_table(
            "Hardening: a million examples",
            ("evaluate", "datasets", "numpy"),
            "MB of resident memory: of the process with its input, and the peak while compute() runs; the bytes that "
            "each example adds to the former, and how much more it is for ten times as many.",
            "| what | input MB | peak MB | bytes an example | growth | CPU seconds | us an example |\n"
            "|---|---:|---:|---:|---:|---:|---:|",
            rows(arguments.only, arguments.examples, world, arguments.jobs),
            "scale" if arguments.save else None,
            "make harden",
        )


if __name__ == "__main__":
    main()
