"""Items that others wrote and judged without sight of the rules, and how many verdicts are theirs.

judged_<set>.jsonl has one item a line: test, sources, translations, verdict (for coref a list of two; for test C five
numbers, the same for sentences with one value of the feature), and in some sets style, arguable, why. The rules were
mended on what they show. Ten verdicts follow what was decided later: a noun for the pronoun fails (6), and so does
what is left in English (4).
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from metrics.morpheval.contrastive_tests import CONTRASTS, normalised_entropy

# By set: the verdicts, those that are wrong, in which tests more than one is, and clear failures that pass.
FLOORS = {
    "fr": (604, 7, {"coref:gender": 2}, 0),
    "fr_b": (381, 10, {"coref:gender": 2}, 4),
    "fr_c": (295, 1, {}, 0),
    "fr_d": (151, 3, {}, 0),
    "es": (
        419,
        14,
        {"noun_number": 3, **dict.fromkeys(("future", "adj_consistency:number"), 2)},
        2,
    ),
    "es_d": (84, 1, {}, 0),
    # Subtitles, forums, law, recipes, news; "pass" and "fail" for test C, too.
    "fr_e": (249, 7, {"past": 2, "coref:gender": 3}, 0),
    "fr_f": (249, 4, {"coref:gender": 2}, 0),
    "es_e": (240, 6, {"coref:gender": 2, "negation": 2}, 1),
    "es_f": (241, 7, {"coref:gender": 2, "negation": 2}, 2),
    "it_e": (128, 1, {}, 0),
    "it_f": (127, 9, {"coref:gender": 4, "comparative": 2}, 1),
    # By a writer who knew the tests only; the rules were mended on all but es_h.
    "fr_g": (188, 1, {}, 0),
    "fr_h": (187, 5, {"noun_number": 2}, 1),
    "es_g": (161, 0, {}, 0),
    "es_h": (168, 4, {"coref:number": 2}, 0),
    "it_g": (161, 3, {}, 0),
    "it_h": (170, 5, {}, 0),
    # By another, opened when all was mended.
    "fr_i": (306, 7, {"coref:gender": 2}, 2),
    "it_i": (307, 10, {"pronoun_number": 2, "verb_consistency:tense": 2}, 3),
    # By a third, with more of the world in them; opened once, then some causes were mended.
    "fr_j": (404, 14, {"noun_number": 2, "verb_consistency:tense": 2}, 2),
    "es_j": (
        416,
        27,
        {
            "noun_number": 2,
            "pronoun_number": 3,
            "coord_verb:number": 2,
            "coord_verb:tense": 2,
            "coref:gender": 5,
            "coref:number": 4,
            "verb_consistency:tense": 2,
        },
        2,
    ),
    "it_j": (
        422,
        39,
        {
            "noun_number": 4,
            "pronoun_number": 4,
            "superlative": 2,
            "negation": 3,
            "np:gender": 2,
            "np:number": 2,
            "coord_verb:number": 2,
            "coord_verb:person": 2,
            "coord_verb:tense": 2,
            "coref:gender": 4,
            "verb_consistency:number": 2,
            "verb_consistency:person": 4,
            "adj_consistency:gender": 2,
            "adj_consistency:number": 2,
        },
        4,
    ),
    # By a fourth, opened when all was done.
    "fr_k": (250, 7, {"verb_consistency:person": 2}, 4),
    "es_k": (261, 12, {"noun_number": 2, "coref:gender": 2}, 2),
    "it_k": (250, 17, {"np:number": 2, "coord_verb:number": 2, "coref:gender": 2, "adj_consistency:gender": 2}, 3),
    # Portuguese, by others; opened once, then mended on. The lexicon lacks many verbs of pt_j.
    "pt_i": (153, 11, dict.fromkeys(("coord_verb:person", "verb_consistency:tense", "coref:gender"), 2), 1),
    "pt_j": (
        396,
        33,
        {
            **dict.fromkeys(("subjunctive", "negation", "np:gender", "np:number", "verb_consistency:number"), 2),
            **dict.fromkeys(("coord_verb:tense", "verb_consistency:person", "coref:gender", "coref:number"), 3),
            "verb_consistency:tense": 4,
        },
        1,
    ),
}


def verdicts(name, item, found):
    """(expected, found) of each verdict of the item."""
    if name.startswith("coref"):
        return list(zip(item["verdict"], found))
    if item["verdict"] in ("pass", "fail") and not isinstance(found, str):
        return [(item["verdict"], "pass" if found < 1e-9 else "fail")]
    if CONTRASTS[name].family == "C" and isinstance(item["verdict"], list):
        return [(pytest.approx(normalised_entropy(item["verdict"])), found)]
    return [(item["verdict"], found)]


@pytest.mark.parametrize("judged", FLOORS)
def test_accuracy(request, judged):
    """No fewer verdicts are right than were when the set was last looked at, in no test and of no kind."""
    judge = request.getfixturevalue(
        {"fr": "judge", "es": "judge_spanish", "it": "judge_italian", "pt": "judge_portuguese"}[judged[:2]]
    )
    lines = Path(__file__).with_name(f"judged_{judged}.jsonl").read_text(encoding="utf-8").splitlines()
    wrong, n, false_passes = Counter(), Counter(), 0
    for number, item in enumerate(map(json.loads, lines), start=1):
        name = item["test"]
        judgement = judge(name, *item["translations"], sources=item["sources"])
        pairs = verdicts(name, item, judgement.verdict)
        agreed = [expected == found for expected, found in pairs]
        n[name] += len(agreed)
        wrong[name] += len(agreed) - sum(agreed)
        false_passes += pairs.count(("fail", "pass"))
        if not all(agreed):
            arguable = " (arguable)" if item.get("arguable") else ""
            print(f"line {number}, {name}{arguable}: expected {item['verdict']}, found {judgement.verdict}")
            print(*(f"    {text}" for text in item["translations"]), sep="\n")
    n_verdicts, n_wrong, often_wrong, n_false_passes = FLOORS[judged]
    print(f"{n.total() - wrong.total()} of {n.total()}", +wrong, f"{false_passes} clear failures pass")
    assert set(n) == set(CONTRASTS) and n.total() == n_verdicts
    assert wrong.total() <= n_wrong
    assert not {name: count for name, count in wrong.items() if count > often_wrong.get(name, 1)}
    assert false_passes <= n_false_passes
