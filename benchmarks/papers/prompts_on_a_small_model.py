"""Every prompt of this project on a real chat model of 135 million parameters: what it answers.

    python benchmarks/papers/prompts_on_a_small_model.py [--model MODEL] [--save]

SmolLM2-135M-Instruct comes with the set-up commands. It shows that prompts reach a chat model as they should, and what
so small a model can do with them; it says nothing about larger ones.
"""

import argparse
import json
import sys
import warnings
from itertools import product
from pathlib import Path
from statistics import fmean

import datasets
import evaluate

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics.parapluie.templates import ENGLISH  # noqa: E402

MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
PAIRS = (
    ("The ferry leaves at noon.", "At twelve o'clock the ferry sets off."),
    ("The ferry leaves at noon.", "The ferry arrives at noon."),
    ("Nobody missed the old storm.", "The old storm was missed by no one."),
    ("She lent her brother the boat.", "Her brother lent her the boat."),
)
FRENCH_PAIRS = ROOT / "benchmarks" / "papers" / "everyday" / "french.jsonl"  # half of them paraphrases
IN_FRENCH = ("direct_fr", "indirect_fr", "fs_direct_fr", "direct", "fs_direct")
TEXT = (
    "The harbour opened again on Monday. A storm had closed it for three weeks. The pilot boat, which the town had "
    "bought for 20,000 euros, was lost. Nobody was hurt."
)
SUMMARIES = ("After three weeks the harbour opened again on Monday.", "A bakery burned down in Lyon.")
WORDS = "Ann met her sister in Brest . She had lost her boat there .".split()
MENTIONS = [[0, 0], [2, 3], [2, 2], [7, 7], [10, 11], [10, 10], [5, 5], [12, 12]]


def load(name):
    """A metric of this repository."""
    return evaluate.load(str(ROOT / "metrics" / name), keep_in_memory=True)


def judged(model):
    """Rows of parapluie's templates: the mean mass, pairs above 0, the likeliest tokens, an explanation."""
    metric = load("parapluie")
    sources, hypotheses = zip(*PAIRS)
    for template in ENGLISH:
        asked = {"predictions": hypotheses, "references": sources, "model_id": model, "template": template}
        found = metric.compute(**asked, max_new_tokens=60, details=True)
        literal = metric.compute(**asked, answers=("yes", "no"), explanations=found.get("explanations"))
        scores = " ".join(f"{score:+.2f}" for score in found["scores"])
        output = found.get("explanations", found["likeliest"])[0]
        yield template, f"{found['answer_mass']:.3f}", f"{literal['answer_mass']:.3f}", scores, output[:160]


def in_french(model):
    """Rows of French pairs, half of them paraphrases: yes, right at 0, AUC, what the judge says it cannot read."""
    metric = load("parapluie")
    rows = list(map(json.loads, FRENCH_PAIRS.read_text(encoding="utf-8").splitlines()))
    sources, hypotheses, labels = ([row[key] for row in rows] for key in ("source", "hypothesis", "label"))
    asked = {"predictions": hypotheses, "references": sources, "details": True, "max_new_tokens": 60}
    for judge, template in (*((model, name) for name in IN_FRENCH), ("small", "fs_direct")):
        found = metric.compute(**asked, model_id=judge, template=template)
        scores = {label: [s for s, y in zip(found["scores"], labels) if y == label] for label in (0, 1)}
        auc = fmean((yes > no) + (yes == no) / 2 for yes, no in product(scores[1], scores[0]))
        right = fmean((score > 0) == y for score, y in zip(found["scores"], labels))
        name = "the small judge" if judge == "small" else template
        said = sum(score > 0 for score in found["scores"])
        yield name, f"{found['answer_mass']:.3f}", said, f"{right:.2f}", f"{auc:.2f}", found.get("unread_pairs", "")


def written(model):
    """Rows of what the model writes: paraphrases, simpler sentences, relations."""
    metric = load("parapluie")
    for style in ("naive", "naive_system", "vulgar"):
        [answer] = metric.generate_paraphrases([PAIRS[0][0]], style=style, model_id=model, max_new_tokens=40)
        yield f"paraphrase, {style}", PAIRS[0][0], answer
    metric, judge = load("melasss"), load("parapluie").judge(model_id=model)
    for rewrite, unit in product(("simplify", "relations"), ("sentence", "document")):
        options = {"rewrite": rewrite, "rewrite_unit": unit, "judge": judge, "details": True}
        pair = {"predictions": [SUMMARIES[0]], "references": [TEXT]}
        found = metric.compute(**pair, **options, max_new_tokens={"sentence": 80, "document": 200}[unit])
        name = f"{rewrite}, each {unit}"
        for fallback in found["fallbacks"][:2]:
            yield f"{name}, refused ({fallback['faults'][0]:.60})", fallback["sentence"], fallback["output"]
        yield f"{name}, kept", f"{found['rewritten']} of {found['rewritten'] + found['not_rewritten']} sentences", ""


def compared(model):
    """Rows of what the model decides: summaries, coreference."""
    judge, pairs = load("parapluie").judge(model_id=model), {"predictions": SUMMARIES, "references": [TEXT] * 2}
    found = load("melasss").compute(**pairs, similarity="llm", judge=judge, details=True)
    yield "a good and an unrelated summary: p(yes)", " ".join(f"{score:.2f}" for score in found["scores"])
    clusters = load("muc_b3_ceaf_entropy").link_mentions(WORDS, MENTIONS, judge)
    yield " ".join(WORDS), str([[" ".join(WORDS[a : b + 1]) for a, b in cluster] for cluster in clusters])


def page(model):
    """The page's lines: four tables."""
    command = "python benchmarks/papers/prompts_on_a_small_model.py --save"
    yield from head("Every prompt on a small chat model", ("torch", "transformers"), model, command)
    for columns, rows in (
        (("template", "mass", "mass of yes and no alone", "scores of the four pairs", "first answer"), judged(model)),
        (("24 French pairs", "mass", "yes", "right", "AUC", "cannot read"), in_french(model)),
        (("prompt", "given", "answer"), written(model)),
        (("question", "answer"), compared(model)),
    ):
        yield from (table_row(columns), "|" + " --- |" * len(columns))
        yield from (table_row(" ".join(str(cell).split()).replace("|", "/") for cell in row) for row in rows)
        yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/prompts.md, too")
    arguments = parser.parse_args()
    datasets.disable_progress_bars()
    warnings.simplefilter("ignore")  # of pairs whose mass is low, which the table shows
    print_page(page(arguments.model), "prompts" if arguments.save else None)


if __name__ == "__main__":
    main()
