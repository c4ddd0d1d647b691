"""A judge on 200 everyday pairs, not trained on: python benchmarks/papers/everyday_pairs.py

benchmarks/papers/everyday/test.jsonl, half of them paraphrases: to be measured when a judge is finished, not to choose.
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics import paraphrases  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402

PAIRS = ROOT / "benchmarks" / "papers" / "everyday" / "test.jsonl"
HEADER = "| pairs | right | of |\n|---|---:|---:|"


def rows(options: dict):
    """All pairs with an interval, each class, and what the order of the two sides changes."""
    items = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    sources, hypotheses, labels = ([item[key] for item in items] for key in ("source", "hypothesis", "label"))
    scores, turned = (
        paraphrases(*sides, details=True, **options)["scores"]
        for sides in ((hypotheses, sources), (sources, hypotheses))
    )
    found = meta_evaluate(scores, labels)
    accuracy, low, high = (100 * found[f"natural_accuracy{end}"] for end in ("", "_low", "_high"))
    yield "all", f"{accuracy:.1f} % [{low:.1f}, {high:.1f}]", str(len(items))
    for label, name in ((1, "paraphrases"), (0, "others")):
        own = [score > 0 for score, each in zip(scores, labels) if each == label]
        yield name, str(sum(yes == label for yes in own)), str(len(own))
    yield "all, sides exchanged", str(sum((score > 0) == each for score, each in zip(turned, labels))), str(len(items))
    yield "another verdict then", str(sum((a > 0) != (b > 0) for a, b in zip(scores, turned))), str(len(items))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="small", help="a chat model or a classifier of pairs")
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    given = parser.parse_args(arguments)
    packages, command = ("torch", "transformers"), "benchmarks/papers/everyday_pairs.py --save"
    setting, save = f"model_id={given.model!r}, threshold 0.", "everyday_pairs" if given.save else None
    print_table("Everyday pairs", packages, setting, HEADER, rows({"model_id": given.model}), save, command)


if __name__ == "__main__":
    main()
