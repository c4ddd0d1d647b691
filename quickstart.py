"""Run the metrics on the examples of this repository and print what they say.

make quickstart                 (or: make quickstart MODEL=<model on the Hub or folder>)
"""

import json
import os
import sys
import warnings
from pathlib import Path

if not (sys.stdout.isatty() and sys.stderr.isatty()):  # libraries' bars and notes are for terminals
    bars = ("TQDM_DISABLE", "HF_DATASETS_DISABLE_PROGRESS_BARS", "HF_HUB_DISABLE_PROGRESS_BARS")
    notes = ("TRANSFORMERS_VERBOSITY", "HF_HUB_VERBOSITY", "DATASETS_VERBOSITY")
    os.environ |= dict.fromkeys(bars, "1") | dict.fromkeys(notes, "error")
warnings.filterwarnings("ignore")

import evaluate  # noqa: E402

ROOT = Path(__file__).resolve().parent
PAIRS = (
    ("The ferry leaves at noon.", "At twelve o'clock the ferry sets off."),
    ("The ferry leaves at noon.", "The ferry arrives at noon."),
    ("Nobody missed the old storm.", "The old storm was missed by no one."),
    ("She lent her brother the boat.", "Her brother lent her the boat."),
)
LABELS = {
    "muc": "MUC",
    "b3": "B3",
    "ceafm": "CEAF-m",
    "ceafe": "CEAF-e",
    "blanc": "BLANC",
    "lea": "LEA",
    "mention": "mentions",
    "core": "core classes",
    "exclusive_core": "exclusive cores",
    "entropy": "entropy",
    "conll_f1": "CoNLL F1",
    "kappa": "kappa",
    "size_overlap": "size overlap",
    "d_error": "D-error",
}


def coreference():
    """Score the paper's alpine text and a small CoNLL file."""
    examples = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
    metric = evaluate.load(str(ROOT / "metrics" / "muc_b3_ceaf_entropy"))
    alpine = json.loads((examples / "alpine.json").read_text(encoding="utf-8"))
    key = metric.read_conll(examples / "harbour.key.conll")
    response = metric.read_conll(examples / "harbour.response.conll", like=examples / "harbour.key.conll")
    texts = {
        "alpine text": metric.compute(predictions=[alpine["response"]], references=[alpine["key"]]),
        "harbour.conll": metric.compute(predictions=response, references=key, baselines=True),
    }

    print("\nmuc_b3_ceaf_entropy: do the response's clusters of mentions agree with the key's?\n")
    print("  The alpine text of the paper (section 1.2), 17 expressions by number:")
    for side in ("key", "response"):
        print(f"    {side:9}", *("{" + " ".join(map(str, cluster)) + "}" for cluster in alpine[side]))
    print("  harbour.conll: two short documents with nested, missing and spurious mentions.\n")
    print(" " * 18, *(f"{title:^26}" for title in texts))
    print(f"  {'':16}", *[f"{'recall':>8} {'precision':>9} {'F1':>6} "] * len(texts))
    for name, label in LABELS.items():
        cells = []
        for result in texts.values():
            if name in result:
                cells.append(f"{'':18} {result[name]:6.2f} ")
            else:
                recall, precision, f1 = (result[f"{name}_{part}"] for part in ("recall", "precision", "f1"))
                cells.append(f"{recall:8.2f} {precision:9.2f} {f1:6.2f} ")
        print(f"  {label:16}", *cells)
    harbour = texts["harbour.conll"]
    print(
        f"\n  To read a score: on harbour.conll, one single class has CoNLL F1 {harbour['one_class_conll_f1']:.2f}, "
        f"no resolution at all {harbour['no_resolution_conll_f1']:.2f}."
    )


def paraphrase(model_id):
    """Score four pairs with the small judge, or another model."""
    metric = evaluate.load(str(ROOT / "metrics" / "parapluie"))
    sources, hypotheses = zip(*PAIRS, strict=True)
    print("\n\nparapluie: is B a paraphrase of A? log p(yes) - log p(no), above 0 for a paraphrase\n")
    try:
        result = metric.compute(predictions=hypotheses, references=sources, model_id=model_id, details=True)
    except ValueError as error:
        sys.exit(f"  {error}")
    print(f"  {'score':>7}  {'mass':>5}  {'edits':>5}  pair")
    columns = (result[name] for name in ("scores", "answer_masses", "edit_distances"))
    for (source, hypothesis), value, mass, edits in zip(PAIRS, *columns, strict=True):
        print(f"  {value:7.2f}  {mass:5.2f}  {edits:5.2f}  A: {source}\n{'':25}B: {hypothesis}")
    print(f"  mean {result['score']:.2f}; {result['paraphrase_rate']:.0%} above 0.")
    if model_id == "small":
        print(
            "  Judged by the small judge, a classifier of pairs that travels with the metric: 23 million\n"
            "  parameters are quick, and err at times where one word matters. To rely on a judgement, take\n"
            "  a large chat model (make quickstart MODEL=mistralai/Mistral-7B-Instruct-v0.2)."
        )


def summaries():
    """Score five summaries of one text, and say what the best one leaves out."""
    example = json.loads((ROOT / "spaces" / "melasss" / "examples" / "harbour.json").read_text(encoding="utf-8"))
    metric = evaluate.load(str(ROOT / "metrics" / "melasss"))
    given = list(example["summaries"].values())
    result = metric.compute(predictions=given, references=[example["text"]] * len(given), details=True)

    print("\n\nmelasss: does a summary carry its text's information? 0 to 1, as experts would rate relevance\n")
    print(f"  {'score':>5}  {'uncovered':>9}  {'unsupported':>11}  summary")
    lists = (result[name] for name in ("scores", "uncovered", "unsupported"))
    for name, score, uncovered, unsupported in zip(example["summaries"], *lists, strict=True):
        print(f"  {score:5.2f}  {len(uncovered):9}  {len(unsupported):11}  {name}")
    print("  (Learned from news, whose readers want what stands first: the lead is liked, even alone.)")
    print("\n  The faithful one leaves out, for example:")
    for index in result["uncovered"][0][:3]:
        print(f"    {result['text_sentences'][0][index]}")


def translation():
    """Judge two systems' translations of a handful of groups of the suite that ships, test by test."""
    metric = evaluate.load(str(ROOT / "metrics" / "morpheval"))
    shipped = metric.load_suite()
    groups = dict(zip(shipped.ids, shipped, strict=True))
    lines = (ROOT / "spaces" / "morpheval" / "examples" / "suite.two_systems.fr.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    suite, systems = [groups[row["id"]] for row in rows], {n: [row[n] for row in rows] for n in ("careful", "hasty")}
    results = {name: metric.compute(predictions=p, references=suite, details=True) for name, p in systems.items()}

    print("\n\nmorpheval: do two systems' French translations carry tense, number, gender?\n")
    print(f"  {len(suite)} of the {len(shipped)} groups of suite {shipped.version}")
    print(f"  {'accuracy':24}", *(f"{name:>8}" for name in systems))
    for key in results["careful"]:
        if key == "score" or f"{key}_n" in results["careful"]:
            print(f"  {key:24}", *(f"{result[key]:8.2f}" for result in results.values()))
    print("\n  Why the hasty system fails, for example:")
    failures = [i for i, verdict in enumerate(results["hasty"]["verdicts"]) if verdict == "fail"]
    for i in failures:
        print(f"    {suite[i]['test']}: {systems['hasty'][i][-1]} ({results['hasty']['reasons'][i]})")


if __name__ == "__main__":
    coreference()
    translation()
    summaries()
    paraphrase(sys.argv[1] if len(sys.argv) > 1 else "small")
