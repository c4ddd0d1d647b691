"""A judge on everyday pairs, not trained on: python benchmarks/papers/everyday_pairs.py

In benchmarks/papers/everyday, to be measured when a judge is finished, not to choose: 240 in reworded_exam.jsonl and
300 in blind_exam.jsonl, reworded or close, the same or not, and 120 in marks_exam.jsonl that change the final mark. 448
by kind in exam.jsonl, 200 in test.jsonl and 396 in kinds_test.jsonl were looked at while this judge was trained.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics import paraphrases  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402

EXAMS = ("exam", "reworded_exam", "blind_exam", "marks_exam")  # whose kinds are told apart
PARTS = ("test", "kinds_test", *EXAMS)
EVERYDAY = ROOT / "benchmarks" / "papers" / "everyday"
HEADER = "| pairs | right | of |\n|---|---:|---:|"


def share(name: str, right: list) -> tuple:
    return name, f"{sum(right)} ({100 * fmean(right):.1f} %)", str(len(right))


def rows(options: dict):
    """Of each part all pairs, each class, what order changes, those not too close to call; of the exams each kind."""
    for part in PARTS:
        items = [json.loads(line) for line in (EVERYDAY / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]
        sources, hypotheses, labels = ([item[key] for item in items] for key in ("source", "hypothesis", "label"))
        result = paraphrases(hypotheses, sources, details=True, **options | {"both_orders": True})
        scores, differences = result["scores"], result["order_differences"]
        right = [(score > 0) == bool(label) for score, label in zip(scores, labels)]
        found = meta_evaluate(scores, labels)
        accuracy, low, high = (100 * found[f"natural_accuracy{end}"] for end in ("", "_low", "_high"))
        yield f"**{part}**, all", f"{accuracy:.1f} % [{low:.1f}, {high:.1f}]", str(len(items))
        yield share("paraphrases", [yes for yes, label in zip(right, labels) if label])
        yield share("others", [yes for yes, label in zip(right, labels) if not label])
        for name, side in (("in the given order alone", 1), ("in the other order alone", -1)):
            alone = [score + side * each / 2 > 0 for score, each in zip(scores, differences)]
            yield share(name, [yes == bool(label) for yes, label in zip(alone, labels)])
        turned = 1 - result["order_agreement"]
        yield "another verdict in the other order", f"{turned * len(items):.0f} ({100 * turned:.1f} %)", str(len(items))
        if "too_close" in result:
            yield share("not too close to call", [yes for yes, close in zip(right, result["too_close"]) if not close])
        yield "a text that it cannot read", str(result.get("unread_pairs", 0)), str(len(items))
        for kind in sorted({item["kind"] for item in items}) if part in EXAMS else ():
            yield share(kind, [yes for yes, item in zip(right, items) if item["kind"] == kind])


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
