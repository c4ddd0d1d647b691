"""Morpheval's verdicts beside those of readers who had not seen its rules: python benchmarks/papers/judged_verdicts.py

tests/morpheval/judged_<set>.jsonl: translations with the verdicts that their writers gave. Each set was opened once;
what was the same then, before its causes were mended, is kept here. From q on a second reader judged each item, too
(the same in 97.6 to 100 %): what one of them calls arguable, or judges otherwise, is arguable. All but French need
dictionaries, Italian Morph-it!, too (docs/morpheval/lexicons.md).
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics import morphology  # noqa: E402
from metrics.morpheval.contrastive_tests import CONTRASTS, normalised_entropy  # noqa: E402
from metrics.morpheval.intervals import wilson  # noqa: E402

FOLDER = ROOT / "tests" / "morpheval"
# By language and set, when it was opened: verdicts that were the same, and of those that are not arguable (both in per
# cent), and clear failures that passed; None where that was not written down.
NOT_KEPT = (None, None, None)
SETS = {
    "French": {
        **dict.fromkeys(("fr", *(f"fr_{letter}" for letter in "bcdefgh")), NOT_KEPT),
        **{"fr_i": (97.4, None, 2), "fr_j": (96.3, None, None), "fr_k": (97.2, 97.2, 4), "fr_l": (97.2, 98.3, 0)},
        **{"fr_m": (95.6, 97.4, 0), "fr_n": (97.6, 98.7, 0), "fr_o": (94.8, 97.0, 0), "fr_p": (92.6, 93.9, 0)},
        **{
            "fr_q": (93.3, 95.1, 2),
            "fr_r": (94.7, 96.2, 0),
            "fr_s": (96.6, 100.0, 0),
            "fr_t": (96.2, 98.4, 1),
            "fr_u": (94.2, 96.3, 1),
            "fr_v": (94.7, 96.7, 1),
        },
    },
    "Spanish": {
        **dict.fromkeys(("es", "es_d", "es_e", "es_f", "es_g"), NOT_KEPT),
        **{"es_h": (97.6, None, 0), "es_j": (93.3, None, None), "es_k": (95.4, 96.1, 1), "es_l": (91.2, 93.9, 0)},
        **{"es_m": (94.4, 96.5, 1), "es_n": (91.6, 94.8, 1), "es_o": (94.4, 96.1, 0), "es_p": (85.2, 89.3, 4)},
        **{
            "es_q": (93.3, 95.1, 4),
            "es_r": (92.3, 94.2, 0),
            "es_s": (93.8, 96.8, 0),
            "es_t": (94.2, 96.2, 0),
            "es_u": (94.7, 96.4, 1),
            "es_v": (93.3, 94.3, 2),
        },
    },
    "Italian": {
        **dict.fromkeys(("it_e", "it_f", "it_g", "it_h"), NOT_KEPT),
        **{"it_i": (96.7, None, 3), "it_j": (90.0, None, None), "it_k": (93.2, 93.2, 3), "it_l": (88.0, 90.0, 4)},
        **{"it_m": (91.6, 92.3, 1), "it_n": (92.8, 93.6, 0), "it_o": (93.6, 95.3, 1), "it_p": (92.6, 95.5, 1)},
        **{
            "it_q": (88.5, 91.7, 5),
            "it_r": (90.9, 93.4, 0),
            "it_s": (89.4, 95.2, 0),
            "it_t": (88.5, 90.6, 2),
            "it_u": (95.2, 97.8, 1),
            "it_v": (88.9, 92.1, 2),
        },
    },
    "Portuguese": {
        **{"pt_i": NOT_KEPT, "pt_j": (85.9, None, 2), "pt_l": (93.2, 96.1, 0), "pt_n": (96.4, 97.4, 0)},
        **{
            "pt_p": (89.3, 94.2, 0),
            "pt_q": (89.4, 91.3, 2),
            "pt_r": (93.3, 94.8, 2),
            "pt_s": (89.9, 92.6, 2),
            "pt_t": (92.8, 96.3, 4),
            "pt_u": (93.8, 95.2, 3),
            "pt_v": (92.8, 94.9, 2),
        },
    },
}
HEADER = (
    "| language | set | verdicts | when opened: the same, % | of the clear ones, % | clear failures that pass "
    "| now: the same, % [95 %] | of the clear ones, % | clear failures that pass |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|"
)


def compared(name: str) -> list[tuple]:
    """(is it arguable, reader's verdict, the metric's) of every item of a set."""
    items = [json.loads(line) for line in (FOLDER / f"judged_{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    references = [{"test": item["test"], "sources": item["sources"]} for item in items]
    translations = [item["translations"] for item in items]
    found = morphology(translations, references, language=name[:2], details=True)["verdicts"]
    return [(bool(item.get("arguable")), *pair) for item, verdict in zip(items, found) for pair in pairs(item, verdict)]


def pairs(item: dict, verdict) -> list[tuple]:
    """(reader's verdict, the metric's); for test C whether the entropy is the reader's."""
    expected = item["verdict"]
    if item["test"].startswith("coref"):
        return list(zip(expected, verdict))
    if expected in ("pass", "fail") and not isinstance(verdict, str):  # test C, said without its values
        return [(expected, "pass" if verdict < 1e-9 else "fail")]
    if CONTRASTS[item["test"]].family == "C" and isinstance(expected, list):
        expected = normalised_entropy(expected)
        return [("entropy", "entropy" if not isinstance(verdict, str) and abs(verdict - expected) < 1e-9 else "other")]
    return [(expected, verdict)]


def rows():
    for language, sets in SETS.items():
        for name, opened in sets.items():
            judged = compared(name)
            clear = [(reader, found) for arguable, reader, found in judged if not arguable]
            n, same = len(judged), sum(reader == found for _, reader, found in judged)
            low, high = wilson(same / n, n)
            yield (
                language,
                name,
                str(n),
                *("" if value is None else str(value) for value in opened),
                f"{100 * same / n:.1f} [{100 * low:.1f}, {100 * high:.1f}]",
                f"{100 * sum(reader == found for reader, found in clear) / len(clear):.1f}",
                str(clear.count(("fail", "pass"))),
            )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    save = "morpheval_judged" if parser.parse_args(arguments).save else None
    setting = (
        "translations that others wrote and judged without sight of the rules, each set opened once and then mended "
        "on, from q on with a second reader; Wilson's intervals; Italian with Morph-it!."
    )
    command = "benchmarks/papers/judged_verdicts.py --save"
    print_table("Morpheval: verdicts beside readers'", (), setting, HEADER, rows(), save, command)


if __name__ == "__main__":
    main()
