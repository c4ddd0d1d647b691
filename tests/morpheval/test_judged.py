"""Items that others wrote and judged without sight of the rules, and how many verdicts are theirs.

judged_fr.jsonl has one item a line: test, sources, translations, verdict (for coref a list of two; for test C five
numbers, the same for sentences with one value of the feature), style, arguable, why.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from metrics.morpheval.contrasts import CONTRASTS, normalised_entropy

OVERALL, BY_TEST = 0.97, 0.93


def verdicts(name, item, found):
    """(expected, found) of each verdict of the item."""
    if name.startswith("coref"):
        return list(zip(item["verdict"], found))
    if CONTRASTS[name].family == "C" and isinstance(item["verdict"], list):
        return [(pytest.approx(normalised_entropy(item["verdict"])), found)]
    return [(item["verdict"], found)]


@pytest.mark.parametrize("language", ["fr"])
def test_accuracy(judge, language):
    lines = Path(__file__).with_name(f"judged_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    right, n = Counter(), Counter()
    for number, item in enumerate(map(json.loads, lines), start=1):
        name = item["test"]
        judgement = judge(name, *item["translations"])
        pairs = verdicts(name, item, judgement.verdict)
        agreed = [expected == found for expected, found in pairs]
        n[name] += len(agreed)
        right[name] += sum(agreed)
        if not all(agreed):
            arguable = " (arguable)" if item["arguable"] else ""
            print(f"line {number}, {name}{arguable}: expected {item['verdict']}, found {judgement.verdict}")
            print(*(f"    {text}" for text in item["translations"]), sep="\n")
    assert set(n) == set(CONTRASTS)
    assert right.total() >= OVERALL * n.total()
    assert not {name: f"{right[name]} of {n[name]}" for name in n if right[name] < BY_TEST * n[name]}
