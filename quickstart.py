"""Run the metrics on the examples of this repository and print what they say (`make quickstart`)."""

import json
from pathlib import Path

import evaluate

ROOT = Path(__file__).resolve().parent
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


if __name__ == "__main__":
    coreference()
