"""The tables and propositions of Popescu-Belis (1999) beside the computed ones, in percent as printed.

    python benchmarks/papers/reproduce_muc_b3_ceaf_entropy.py [--save]
    python benchmarks/papers/reproduce_muc_b3_ceaf_entropy.py --text VA KEY.conll RESPONSE.conll --save

Examples 1, 2a and 2b are given whole in the paper. Of the MUC-6 text (3a to 3c) it gives numbers only: 147 expressions
in 15 classes, 50 of them pronouns in 5. Many keys are drawn with these numbers; a figure on which all of them agree is
computed, any other needs the text. The real texts of section 6.2 were never published with their annotation.
"""

import argparse
import math
import random
import sys
from functools import cache
from itertools import chain
from pathlib import Path

import evaluate
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.paper_tables import Cell, Table, print_tables  # noqa: E402

SCRIPT = "python benchmarks/papers/reproduce_muc_b3_ceaf_entropy.py"
MUC6 = "the MUC-6 sample text"
TEXTS = ("VA", ".eq", "LPG")
COMMANDS = {f"annotated text {name}": f"{SCRIPT} --text {name} KEY.conll RESPONSE.conll --save" for name in TEXTS}
DRAWS = 20  # keys with the numbers of the MUC-6 text
UNDETERMINED = 1e-9

# ---- What the paper prints ----

KEY = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
RESPONSE = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
TWO_CLASSES = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
RECALLS_AND_PRECISIONS = {
    "MRS": "muc_recall",
    "MPS": "muc_precision",
    "BRS": "b3_recall",
    "BPS": "b3_precision",
    "CRS": "core_recall",
    "CPS": "core_precision",
    "XRS": "exclusive_core_recall",
    "XPS": "exclusive_core_precision",
    "D-err's side": "d_error",
    "RVT": "size_overlap",
    "HRS": "entropy_recall",
    "HPS": "entropy_precision",
}
F_MEASURES = {
    "MUC": "muc_f1",
    "B3": "b3_f1",
    "K": "kappa",
    "C": "core_f1",
    "XC": "exclusive_core_f1",
    "H": "entropy_f1",
}
TABLE_2 = {
    "1": (85, 79, 74, 49, 77, 50, 53, 59, -1, 77, 55, 37),
    "2a": (0, 100, 20, 100, 0, 100, 20, 100, 1, 20, 30, 100),
    "2b": (100, 89, 100, 50, 100, 44, 50, 50, -1, 50, 100, 0),
    "3a": (0, 100, 10, 100, 0, 100, 10, 100, 1, 10, 40, 100),
    "3b": (100, 90, 100, 19, 100, 31, 31, 31, -1, 31, 100, 0),
    "3c": (96, 97, 65, 79, 67, 82, 69, 84, 1, 86, 76, 81),
}
TABLE_3 = {
    "1": (81, 59, -18, 61, 56, 44),
    "2a": (0, 33, 0, 0, 33, 46),
    "2b": (94, 67, 0, 62, 50, 0),
    "3a": (0, 19, 0, 0, 19, 57),
    "3b": (95, 33, 0, 47, 31, 0),
    "3c": (97, 71, 66, 73, 76, 78),
}
# Expressions, key classes, their ratio; noun phrases, pronouns, not analysed.
TABLE_4 = {
    "VA": (638, 372, 1.72, 510, 102, 26),
    ".eq": (686, 216, 3.18, 390, 262, 34),
    "LPG": (3359, 480, 7.00, 1864, 1398, 97),
}
TABLE_5 = {
    "VA": (70, 78, 75, 75, 53, 47, 70, 79, 1, 85, 89, 89),
    ".eq": (62, 77, 50, 57, 43, 36, 41, 65, 1, 73, 71, 71),
    "LPG": (70, 88, 37, 52, 43, 44, 35, 61, 1, 66, 59, 64),
}
TABLE_6 = {"VA": (74, 75, 57, 50, 74, 89), ".eq": (69, 53, 20, 39, 50, 71), "LPG": (78, 43, 9, 43, 44, 61)}

# ---- Scores ----


@cache
def metric():
    return evaluate.load(str(ROOT / "metrics" / "muc_b3_ceaf_entropy"), keep_in_memory=True)


def scores(pairs):
    """Scores of each (key, response), with the paper's conventions."""
    keys, responses = zip(*pairs)
    result = metric().compute(predictions=responses, references=keys, mentions="union", zero_division=1.0, details=True)
    return [document["scores"] for document in result["documents"]]


def in_percent(found, key):
    """As the paper prints it; of D-err, whose formula it leaves out, the side: 1 recall, -1 precision."""
    return float(np.sign(found[key])) if key == "d_error" else 100 * found[key]


def agreed(found, key):
    """The figure that all drawn texts have, or None."""
    values = [in_percent(one, key) for one in found]
    return None if np.ptp(values) > UNDETERMINED else values[0]


def singletons(key):
    return [[mention] for mention in chain(*key)]


def merged(key):
    return [list(chain(*key))]


def muc6_texts(seed=0):
    """Yield (key, response of 3c): 97 expressions that are no pronouns in 15 classes, 50 pronouns in 5 of them."""
    draw = random.Random(seed)
    for _ in range(DRAWS):
        mention = iter(range(147))
        others, pronouns = [1] * 5 + [2] * 10, [1] * 5 + [0] * 10
        for sizes, classes, total in ((others, 15, 97), (pronouns, 5, 50)):
            weights = [draw.expovariate(1) ** 2 for _ in range(classes)]
            for i in draw.choices(range(classes), weights, k=total - sum(sizes)):
                sizes[i] += 1
        classes = [
            ([next(mention) for _ in range(n)], [next(mention) for _ in range(p)]) for n, p in zip(others, pronouns)
        ]
        key = [nouns + pronoun for nouns, pronoun in classes]
        yield key, [nouns for nouns, _ in classes] + [list(chain(*(pronoun for _, pronoun in classes)))]


def examples():
    """Scores of the examples: one text each, or several with the same numbers."""
    drawn = list(muc6_texts())
    pairs = {
        "1": [(KEY, RESPONSE)],
        "2a": [(TWO_CLASSES, singletons(TWO_CLASSES))],
        "2b": [(TWO_CLASSES, merged(TWO_CLASSES))],
        "3a": [(key, singletons(key)) for key, _ in drawn],
        "3b": [(key, merged(key)) for key, _ in drawn],
        "3c": drawn,
    }
    found = iter(scores(list(chain(*pairs.values()))))
    return {name: [next(found) for _ in texts] for name, texts in pairs.items()}


# ---- Tables ----


def figures_table(title, printed, columns, found, needs, remark=""):
    """A table of the paper whose rows are texts; `needs` gives what a figure of a row takes if it is not determined."""
    rows = {}
    for name, values in printed.items():
        computed = [agreed(found[name], key) if name in found else None for key in columns.values()]
        rows[name] = [Cell(value, one, 0, needs=needs(name)) for value, one in zip(values, computed, strict=True)]
    return Table(title, list(columns), rows, remark)


def real_text(name):
    return f"annotated text {name}"


def table_4():
    rows = {}
    for name, (expressions, classes, ratio, *kinds) in TABLE_4.items():
        rows[name] = [Cell(expressions, sum(kinds), 0), Cell(ratio, expressions / classes)]
    return Table(
        "Table 4: properties of the texts",
        ["expressions, from their kinds", "expressions per class"],
        rows,
        "From the other figures of the table; the texts themselves are not public.",
    )


def table_6():
    """F from the printed recall and precision; kappa from those of MUC and the numbers of table 4."""
    rows = {}
    for name, printed in TABLE_6.items():
        values = dict(zip(RECALLS_AND_PRECISIONS, TABLE_5[name]))
        f1 = {m: 2 / (1 / values[f"{m}RS"] + 1 / values[f"{m}PS"]) for m in ("M", "B", "C", "X", "H")}
        computed = (f1["M"], f1["B"], kappa(*TABLE_4[name][:2], values["MRS"], values["MPS"]), *map(f1.get, "CXH"))
        rows[name] = [Cell(value, one, 0) for value, one in zip(printed, computed, strict=True)]
    return Table(
        "Table 6: F-measures and kappa on real texts, from table 5",
        list(F_MEASURES),
        rows,
        "From the rounded figures of table 5, which leaves an error of about one unit, of kappa two.",
    )


def kappa(expressions, classes, recall, precision):
    """Of links, in percent: MUC's recall and precision give the common links and the response's."""
    potential, ours = expressions - 1, expressions - classes
    common = recall / 100 * ours
    theirs = common / (precision / 100)
    agreement = (common + potential - ours - theirs + common) / potential
    chance = (ours * theirs + (potential - ours) * (potential - theirs)) / potential**2
    return 100 * (agreement - chance) / (1 - chance)


def random_partition(draw, n):
    """The numbers below n in classes; small and large ones occur, and none or all."""
    labels = [draw.randrange(draw.choice((1, 2, 5, n))) for _ in range(n)]
    classes = {}
    for mention, label in enumerate(labels):
        classes.setdefault(label, []).append(mention)
    return list(classes.values())


def independent_partitions(draw):
    """Two partitions of which neither tells anything of the other: rows and columns of a grid."""
    rows, columns = draw.randint(2, 5), draw.randint(1, 5)
    places = [(row, column) for row in range(rows) for column in range(columns)] * draw.randint(1, 2)
    return [
        [[i for i, place in enumerate(places) if place[side] == line] for line in range(lines)]
        for side, lines in ((0, rows), (1, columns))
    ]


def entropy(partition):
    """In bits."""
    n = sum(map(len, partition))
    return sum(len(c) / n * math.log2(n / len(c)) for c in partition)


def propositions(n_pairs):
    """Propositions 2 to 13 on random keys and responses: on how many they hold."""
    draw = random.Random(1)
    pairs = [[random_partition(draw, n) for _ in range(2)] for n in (draw.randint(2, 25) for _ in range(n_pairs))]
    pairs = [(key, response if draw.random() < 0.9 else key) for key, response in pairs]
    pairs[::10] = [independent_partitions(draw) for _ in pairs[::10]]
    found = scores(pairs)
    merged_found = scores([(key, merged(key)) for key, _ in pairs])
    larger = [[c for c in key if len(c) > 1] or key for key, _ in pairs]
    without = metric().compute(
        predictions=[response for _, response in pairs],
        references=larger,
        measures=["muc", "core"],
        mentions="union",
        zero_division=1.0,
        details=True,
    )["documents"]
    held = dict.fromkeys(PROPOSITIONS, 0)
    for (key, response), one, fused, small in zip(pairs, found, merged_found, without, strict=True):
        facts = Facts(key, response, one, fused, small["scores"])
        for name, holds in PROPOSITIONS.items():
            held[name] += bool(holds(facts))
    rows = {name: [Cell(n_pairs, count, 0)] for name, count in held.items()}
    return Table("Propositions on random responses", ["responses / those on which it holds"], rows)


class Facts:
    """A pair with its numbers and scores; attributes are the paper's symbols."""

    def __init__(self, key, response, found, fused, small):
        self.E, self.K, self.R = sum(map(len, key)), len(key), len(response)
        self.Km, self.Rm = max(map(len, key)), max(map(len, response))
        self.same = sorted(map(sorted, key)) == sorted(map(sorted, response))
        self.HK, self.HR = entropy(key), entropy(response)
        self.independent = all(len(set(k) & set(r)) * self.E == len(k) * len(r) for k in key for r in response)
        self.inside = all(any(set(c) <= set(other) for other in response) for c in key)
        for symbol, name in RECALLS_AND_PRECISIONS.items():
            setattr(self, symbol, found[name])
        self.found, self.fused, self.small = found, fused, small


def close(a, b):
    return abs(a - b) < 1e-9


def at_least(a, b):
    return a >= b - 1e-9


PROPOSITIONS = {
    "2: the numerators of MRS and MPS are equal": lambda f: (
        min(f.E - f.K, f.E - f.R) == 0 or close(f.MRS * (f.E - f.K), f.MPS * (f.E - f.R))
    ),
    "3: MRS = 1 if and only if every key class lies in a response class": lambda f: close(f.MRS, 1) == f.inside,
    "3: F of MUC = 1 if and only if the partitions are the same": lambda f: close(f.found["muc_f1"], 1) == f.same,
    "4: merging all gives MRS = 1, MPS = (E - K) / (E - 1)": lambda f: (
        close(f.fused["muc_recall"], 1) and close(f.fused["muc_precision"], (f.E - f.K) / (f.E - 1))
    ),
    "5: bounds of MRS and MPS": lambda f: (
        at_least(f.MRS * (f.E - f.K), f.E - f.K * f.R) and at_least(f.MPS * (f.E - f.R), f.E - f.K * f.R)
    ),
    "6: bounds of BRS and BPS": lambda f: (
        at_least(f.BRS, f.K / f.E) and at_least(1, f.BRS) and at_least(f.BPS, f.R / f.E) and at_least(1, f.BPS)
    ),
    "7: bounds of CRS and CPS": lambda f: (
        at_least(f.CRS * (f.E - f.K), f.Rm - f.K) and at_least(f.CPS * (f.E - f.R), f.Km - f.R)
    ),
    "8: C is at most MUC": lambda f: at_least(f.MRS, f.CRS) and at_least(f.MPS, f.CPS),
    "9: H(R) - H(K) = H(R given K) - H(K given R), and their bounds": lambda f: (
        close(f.HR * f.HRS, f.HK * f.HPS) and at_least(1, max(f.HRS, f.HPS)) and at_least(min(f.HRS, f.HPS), 0)
    ),
    "10: F of H = 1 if and only if the partitions are the same": lambda f: close(f.found["entropy_f1"], 1) == f.same,
    "11: merging all gives F of H = 0, unless the key is one class": lambda f: close(
        f.fused["entropy_f1"], 1.0 if f.K == 1 else 0.0
    ),
    "12: knowing one tells nothing of the other if and only if they are independent": lambda f: (
        (close(f.HK * f.HPS, 0) == f.independent) and (close(f.HR * f.HRS, 0) == f.independent)
    ),
    "13: MRS and CRS do not change without the key's singletons": lambda f: (
        close(f.small["muc_recall"], f.MRS) and close(f.small["core_recall"], f.CRS)
    ),
}


def random_responses(n_draws):
    """Section 5.1: H and kappa "in principle" vanish on a random response with the key's class sizes."""
    rows = {}
    for name, (expressions, classes) in {
        "example 1": (17, 4),
        "numbers of the MUC-6 text": (147, 15),
        "numbers of LPG": (3359, 480),
    }.items():
        sizes = [len(c) for c in KEY] if expressions == 17 else [expressions // classes] * classes
        sizes[0] += expressions - sum(sizes)
        mentions = iter(range(expressions))
        key = [[next(mentions) for _ in range(size)] for size in sizes]
        draw, pairs = random.Random(2), []
        for _ in range(n_draws):
            shuffled = draw.sample(range(expressions), expressions)
            rest = iter(shuffled)
            pairs.append((key, [[next(rest) for _ in range(size)] for size in sizes]))
        found = scores(pairs)
        rows[f"{name}: {expressions} expressions in {classes} classes"] = [
            Cell(0, 100 * np.mean([one[figure] for one in found]), 0) for figure in ("entropy_f1", "kappa")
        ]
    return Table(
        "Section 5.1: random responses with the key's class sizes",
        ["F of H, mean", "kappa, mean"],
        rows,
        "The paper expects 0 in principle. Classes of a few expressions share some by chance, which H rewards; kappa, "
        "which looks at links in a row, is below 0.",
    )


def tables(texts, n_pairs):
    found = examples()
    remark = "The paper leaves out D-err's formula: only its side is compared, 1 for recall and -1 for precision. "
    remark += "RVT of example 1 is 1 - 8 / 34 = 76.47 by the paper's own figures (section 4.6)."
    rows = {"key classes": [Cell(4.25, sum(map(len, KEY)) / len(KEY))]}
    rows["response classes"] = [Cell(5.67, sum(map(len, RESPONSE)) / len(RESPONSE))]
    yield Table("Section 3.2: expressions per class in the example", ["coreference rate"], rows)

    def needs_muc6(name):
        return MUC6

    yield figures_table(
        "Table 2: recall and precision on the examples", TABLE_2, RECALLS_AND_PRECISIONS, found, needs_muc6, remark
    )
    yield figures_table("Table 3: F-measures and kappa on the examples", TABLE_3, F_MEASURES, found, needs_muc6)
    yield table_4()
    yield figures_table(
        "Table 5: recall and precision on real texts", TABLE_5, RECALLS_AND_PRECISIONS, texts, real_text
    )
    if texts:
        yield figures_table("Table 6: F-measures and kappa on real texts", TABLE_6, F_MEASURES, texts, real_text)
    yield table_6()
    yield propositions(n_pairs)
    yield random_responses(max(2, n_pairs // 50))


def scores_of_files(key, response):
    """Scores of a text in CoNLL-2012 format, all its documents as one."""
    keys, responses = metric().read_conll(key), metric().read_conll(response, like=key)
    result = metric().compute(predictions=responses, references=keys, mentions="union", zero_division=1.0)
    return [result]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--text", nargs=3, action="append", default=[], metavar=("NAME", "KEY", "RESPONSE"), help="VA, .eq or LPG"
    )
    parser.add_argument("--pairs", type=int, default=1000, help="random responses for the propositions")
    parser.add_argument("--save", action="store_true", help="write the tables to benchmarks/results")
    options = parser.parse_args(arguments)
    for name, *_ in options.text:
        if name not in TEXTS:
            parser.error(f"--text: found {name!r}, expected one of the paper's texts: {', '.join(TEXTS)}")
    texts = {name: scores_of_files(key, response) for name, key, response in options.text}
    print_tables(
        "Coreference measures: the paper's tables",
        ("evaluate", "numpy", "scipy"),
        "figures in percent.",
        " ".join([SCRIPT, *(sys.argv[1:] if arguments is None else arguments)]),
        tables(texts, options.pairs),
        COMMANDS,
        "reproduction_muc_b3_ceaf_entropy" if options.save else None,
    )


if __name__ == "__main__":
    main()
