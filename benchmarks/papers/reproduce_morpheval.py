"""The tables of Burlot and Yvon (2018) beside the computed ones.

    python benchmarks/papers/reproduce_morpheval.py [--save]
    python benchmarks/papers/reproduce_morpheval.py --suite morpheval.limsi.v2.en.sents morpheval.limsi.v2.en.info \
        --translations Moses moses.fr [--frequencies parallel.en] --save                       (where they are)

The systems' translations are not public, so without --translations only what follows from other printed figures is
computed: percentages from counts, and the intervals of table 7. SYSTEM is Moses, Nematus or Back-translation; its file
has one translation a line, in the order of the suite. Verdicts are those of the published script (mode="limsi").
"""

import argparse
import sys
from functools import cache
from pathlib import Path

import evaluate

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.paper_tables import Cell, Table, print_tables  # noqa: E402
from tests.morpheval.paper import SIZES, TABLE_7  # noqa: E402

SCRIPT = "python benchmarks/papers/reproduce_morpheval.py"
SYSTEMS = ("Moses", "Nematus", "Back-translation")
SUITE = "the published suite"
SCORE = f"{SCRIPT} --suite morpheval.limsi.v2.en.sents morpheval.limsi.v2.en.info --translations"
COMMANDS = {
    **{f"translations of {name}": f"{SCORE} {name} FILE --save" for name in SYSTEMS},
    **{
        f"translations and training text of {name}": f"{SCORE} {name} FILE --frequencies TEXT --save"
        for name in SYSTEMS
    },
    **{f"Newstest-2014 by {name}": "sacrebleu --test-set wmt14 --language-pair en-fr --input FILE" for name in SYSTEMS},
    SUITE: f"{SCRIPT} --suite morpheval.limsi.v2.en.sents morpheval.limsi.v2.en.info --save",
}

# ---- What the paper prints ----

# For each test a row of (percent, right, judged), one per system.
TABLE_1 = {
    "past": ((69.5, 321, 462), (74.4, 349, 469), (84.3, 402, 477)),
    "future": ((88.7, 422, 476), (76.2, 356, 467), (85.2, 410, 481)),
    "conditional": ((62.3, 299, 480), (62.9, 303, 482), (83.1, 398, 479)),
    "subjunctive": ((86.0, 430, 500), (85.5, 425, 497), (91.4, 457, 500)),
    "pronoun_number": ((82.8, 414, 500), (76.4, 382, 500), (87.8, 439, 500)),
    "comparative": ((80.4, 402, 500), (82.2, 411, 500), (87.2, 436, 500)),
    "superlative": ((78.0, 390, 500), (87.4, 437, 500), (90.2, 451, 500)),
    "negation": ((97.0, 485, 500), (96.6, 483, 500), (98.8, 494, 500)),
    "noun_number": ((82.6, 395, 478), (86.8, 400, 461), (89.2, 415, 465)),
}
TABLE_2 = {
    "coord_verb:number": ((97.5, 394, 404), (94.8, 423, 446), (97.8, 435, 445)),
    "coord_verb:person": ((97.0, 392, 404), (94.6, 422, 446), (98.4, 438, 445)),
    "coord_verb:tense": ((95.3, 385, 404), (94.4, 421, 446), (98.0, 436, 445)),
    "np:gender": ((94.4, 356, 377), (95.8, 365, 381), (97.9, 375, 383)),
    "np:number": ((92.0, 347, 377), (95.8, 365, 381), (98.4, 377, 383)),
    "coref:gender": ((83.2, 691, 831), (89.4, 787, 880), (88.4, 827, 936)),
}
TABLE_3 = {"Moses": 32.25, "Nematus": 33.06, "Back-translation": 34.11}
TABLE_4 = {
    "verb_consistency:number": (0.075, 0.040, 0.024),
    "verb_consistency:person": (0.039, 0.033, 0.015),
    "verb_consistency:tense": (0.099, 0.080, 0.066),
    "adj_consistency:gender": (0.131, 0.076, 0.065),
    "adj_consistency:number": (0.131, 0.052, 0.049),
}
# (percent, right, judged) for each band of frequencies.
BANDS = ("0", "1_49", "50_999", "1000")
TABLE_5 = {
    "past": ((0.0, 0, 0), (81.2, 13, 16), (71.7, 66, 92), (68.5, 241, 352)),
    "comparative": ((0.0, 0, 2), (50.0, 9, 18), (76.9, 60, 78), (79.0, 226, 286)),
    "noun_number": ((0.0, 0, 1), (79.5, 31, 39), (79.0, 94, 119), (84.9, 270, 318)),
    "coord_verb:tense": ((87.5, 7, 8), (97.7, 42, 43), (98.4, 121, 123), (92.3, 120, 130)),
    "coref:gender": ((40.0, 2, 5), (54.8, 34, 62), (68.3, 153, 224), (71.1, 494, 695)),
}
TABLE_6 = {
    "past": ((50.0, 1, 2), (61.1, 11, 18), (76.7, 66, 86), (87.3, 322, 369)),
    "comparative": ((0.0, 0, 2), (11.1, 2, 18), (82.1, 64, 78), (89.5, 256, 286)),
    "noun_number": ((66.7, 2, 3), (68.6, 24, 35), (96.5, 110, 114), (89.4, 279, 312)),
    "coord_verb:tense": ((100.0, 10, 10), (95.1, 39, 41), (98.5, 133, 135), (99.3, 139, 140)),
    "coref:gender": ((60.0, 3, 5), (69.4, 43, 62), (81.2, 182, 224), (84.5, 587, 695)),
}

# ---- Scores ----


@cache
def metric():
    return evaluate.load(str(ROOT / "metrics" / "morpheval"), keep_in_memory=True)


def scores(suite, path, frequencies):
    """The metric's result for a file of translations, with the published script's verdicts."""
    predictions = metric().load_translations(path, suite)
    return metric().compute(predictions=predictions, references=suite, mode="limsi", frequencies=frequencies)


# ---- Tables ----


def from_counts(title, printed, columns):
    """Percentages, from the counts printed beside them."""
    rows = {
        test: [Cell(percent, 100 * right / judged, 1) if judged else None for percent, right, judged in values]
        for test, values in printed.items()
    }
    return Table(title, list(columns), rows)


def accuracies(title, printed, results):
    """Percentages and numbers judged, from translations."""
    rows = {}
    for test, values in printed.items():
        rows[test] = []
        for name, (percent, _, judged) in zip(SYSTEMS, values, strict=True):
            found, needs = results.get(name), f"translations of {name}"
            rows[test].append(Cell(percent, found and 100 * found[test], 1, needs=needs))
            rows[test].append(Cell(judged, found and found[f"{test}_n"], 0, needs=needs))
    return Table(title, [f"{name}{what}" for name in SYSTEMS for what in ("", ", judged")], rows)


def entropies(results):
    rows = {
        test: [
            Cell(value, results.get(name) and results[name][test], 3, needs=f"translations of {name}")
            for name, value in zip(SYSTEMS, values, strict=True)
        ]
        for test, values in TABLE_4.items()
    }
    return Table("Table 4: entropies", list(SYSTEMS), rows)


def bleu():
    rows = {"Newstest-2014": [Cell(value, needs=f"Newstest-2014 by {name}") for name, value in TABLE_3.items()]}
    return Table("Table 3: BLEU", list(TABLE_3), rows, "No part of this metric.")


def by_frequency(title, printed, name, result):
    """Percentages by the source word's frequency, from translations."""
    needs, rows = f"translations and training text of {name}", {}
    for test, values in printed.items():
        found = [result and result.get(f"{test}_frequency_{band}") for band in BANDS]
        rows[test] = [
            Cell(percent, value and 100 * value, 1, needs=needs) if judged else None
            for (percent, _, judged), value in zip(values, found, strict=True)
        ]
    return Table(title, list(BANDS), rows)


def significance():
    found = metric().significance({test: mean / 100 for test, (mean, *_) in TABLE_7.items()}, SIZES)
    rows = {
        test: [Cell(value, 100 * found[test][size], 1) for size, value in zip(SIZES, values, strict=True)]
        for test, (_, *values) in TABLE_7.items()
    }
    return Table(
        "Table 7: half-widths of the 95 % interval by number of groups",
        [str(size) for size in SIZES],
        rows,
        "From the printed means, by the normal approximation; the paper drew 10,000 samples of each size.",
    )


def group_counts(suite):
    rows = {
        test: [
            Cell(500, suite and sum(group["test"] in (test, test.partition(":")[0]) for group in suite), 0, "", SUITE)
        ]
        for test in (*TABLE_1, *TABLE_2, *TABLE_4)
    }
    return Table("Section 4.4.1: groups of each test in the suite", ["groups"], rows)


def tables(suite, results):
    yield from_counts("Table 1: test A, percentages from the printed counts", TABLE_1, SYSTEMS)
    yield from_counts("Table 2: test B, percentages from the printed counts", TABLE_2, SYSTEMS)
    yield from_counts("Table 5: Moses by frequency, percentages from the printed counts", TABLE_5, BANDS)
    yield from_counts("Table 6: back-translation by frequency, from the printed counts", TABLE_6, BANDS)
    yield significance()
    yield group_counts(suite)
    yield accuracies("Table 1: test A, from translations", TABLE_1, results)
    yield accuracies("Table 2: test B, from translations", TABLE_2, results)
    yield bleu()
    yield entropies(results)
    for number, printed, name in ((5, TABLE_5, "Moses"), (6, TABLE_6, "Back-translation")):
        yield by_frequency(f"Table {number}: {name} by frequency, from translations", printed, name, results.get(name))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", nargs=2, metavar=("SENTS", "INFO"), help="the published suite's files")
    parser.add_argument("--translations", nargs=2, action="append", default=[], metavar=("SYSTEM", "FILE"))
    parser.add_argument("--frequencies", help="English training text of the systems, for tables 5 and 6")
    parser.add_argument("--save", action="store_true", help="write the tables to benchmarks/results")
    options = parser.parse_args(arguments)
    for name, _ in options.translations:
        if name not in SYSTEMS:
            parser.error(f"--translations: found {name!r}, expected one of the paper's systems: {', '.join(SYSTEMS)}")
    if options.translations and not options.suite:
        parser.error("--translations: found no --suite, expected the files of the sentences that were translated")
    suite = options.suite and metric().load_suite(*options.suite)
    results = {name: scores(suite, path, options.frequencies) for name, path in options.translations}
    print_tables(
        "Morpheval: the paper's tables",
        ("evaluate", "scipy"),
        'figures in percent, entropies in 0..1; verdicts of the published script (mode="limsi").',
        " ".join([SCRIPT, *(sys.argv[1:] if arguments is None else arguments)]),
        tables(suite, results),
        COMMANDS,
        "reproduction_morpheval" if options.save else None,
    )


if __name__ == "__main__":
    main()
