"""Speed and memory of morpheval beside the published script's rules, in one process.

    make bench                                   (or: python benchmarks/speed/time_morphology.py)

The peer is a literal version of the published script's rules (tests/morpheval/oracle.py) with the
whole lexicon in a dictionary, as the script has it. The suite consists of words drawn from the
Lefff with text-like frequencies: 500 groups for each of 17 tests, 20,000 sentences of about ten
words; their sources are those of the English test suite, of the same tests, in turn. The fastest of
several runs counts, in processor time, which other processes on the machine hardly change, with
both sides in turn and the garbage collector off.
--save writes the table to benchmarks/results.
"""

import argparse
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from itertools import accumulate, chain, cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import best_times, print_table, seconds_cell  # noqa: E402
from metrics.morpheval import lexicon, words  # noqa: E402
from metrics.morpheval.common_hub import packaged_file  # noqa: E402
from metrics.morpheval.contrastive_tests import CONTRASTS, TESTS, judge_together  # noqa: E402
from metrics.morpheval.language_french import FRENCH  # noqa: E402
from metrics.morpheval.lexicon_lefff import PACKAGE  # noqa: E402
from metrics.morpheval.limsi import LIMSI  # noqa: E402
from metrics.morpheval.suite_files import load_suite  # noqa: E402
from tests.morpheval import oracle  # noqa: E402

GROUPS = 500
SENTENCE = "Le {n} {a} {v} le {m} de la {f} d'un {o} ."
# Base and variant of each test; @v is the verb's form.
PAIRS = {
    "past": ("PS13s", "I3s", "{}", "{}"),
    "future": ("PS13s", "F3s", "{}", "{}"),
    "conditional": ("F3s", "C3s", "{}", "{}"),
    "negation": ("PS13s", "PS13s", "{}", "ne {} pas"),
    "comparative": ("PS13s", "PS13s", "{}", "{} plus"),
    "superlative": ("PS13s", "PS13s", "{}", "{} le plus"),
    "subjunctive": ("PS13s", "PS13s", "croit qu'il {}", "ne croit pas qu'il {}"),
    "pronoun_number": ("PS13s", "PS13s", "le {}", "les {}"),
    "noun_number": ("PS13s", "PS13s", "{} un cheval et", "{} des chevaux et"),
}


class Suite:
    """Groups of translations, their words drawn by a power law."""

    def __init__(self, entries, seed=0):
        self.random = random.Random(seed)
        verbs, nouns = defaultdict(dict), defaultdict(list)
        for form, (category, lemma, tag) in entries:
            if form.isalpha() and form.islower():
                if category == "v":
                    verbs[lemma].setdefault(tag, form)
                elif category in ("nc", "adj"):
                    nouns[category, tag].append(form)
        needed = {"PS13s", "I3s", "F3s", "C3s", "Kms", "W"}
        self.pools = {f"{category} {tag}": forms for (category, tag), forms in nouns.items()}
        self.pools["v"] = [forms for _, forms in sorted(verbs.items()) if needed <= forms.keys()]
        for pool in self.pools.values():
            self.random.shuffle(pool)
        self.weights = {name: list(accumulate(1 / (i + 3) for i in range(len(p)))) for name, p in self.pools.items()}

    def draw(self, pool):
        return self.random.choices(self.pools[pool], cum_weights=self.weights[pool])[0]

    def words(self):
        return {
            "n": self.draw("nc ms"),
            "m": self.draw("nc ms"),
            "o": self.draw("nc ms"),
            "f": self.draw("nc fs"),
            "a": self.draw("adj ms"),
        }

    def group(self, test):
        words, verb = self.words(), self.draw("v")
        if test in PAIRS:
            before, after, base, variant = PAIRS[test]
            verbs = base.format(verb[before]), variant.format(verb[after])
        elif test.startswith("coord_verb"):
            verbs = verb["PS13s"], f"{verb['PS13s']} et {self.draw('v')['PS13s']}"
        elif test.startswith("np"):
            verbs = f"les {verb['PS13s']}", f"{verb['PS13s']} les {self.draw('nc mp')} {self.draw('adj mp')} dans"
        elif test.startswith("coref"):
            group = [SENTENCE.format(v=verb["PS13s"], **words | {"n": self.draw("nc ms")}) for _ in range(2)]
            return [f"{sentence[:-1]} et il le {verb['PS13s']} ." for sentence in group]
        elif test.startswith("verb"):
            verbs = [self.draw("v")["PS13s"] for _ in range(5)]
        else:
            return [SENTENCE.format(v=verb["PS13s"], **words | {"a": self.draw("adj ms")}) for _ in range(5)]
        return [SENTENCE.format(v=form, **words) for form in verbs]

    def groups(self):
        left_out = ("coref:number", "verb_consistency:number", "verb_consistency:person", "adj_consistency:number")
        tests = [name for name in CONTRASTS if name not in left_out]
        return [(test, self.group(test)) for test in tests for _ in range(GROUPS)]


def with_english(groups):
    """(test, English sentences, translations) of each group."""
    by_test = defaultdict(list)
    for group in load_suite():
        for contrast in TESTS[group["test"]]:
            by_test[contrast.name].append(group["sources"])
    in_turn = {test: cycle(sources) for test, sources in by_test.items()}
    return [(test, next(in_turn[test]), group) for test, group in groups]


# ---- Both sides ----


def literal(groups, readings):
    return [oracle.judge(test, [oracle.prepare(text) for text in group], readings) for test, _, group in groups]


def ours(rules, groups, loaded):
    texts = [text for _, _, group in groups for text in group]
    sentences = iter(rules.analyse(texts, loaded, chain.from_iterable(sources for _, sources, _ in groups)))
    return [
        judge_together((CONTRASTS[test],), [next(sentences) for _ in group], rules.finders)[test]
        for test, _, group in groups
    ]


def first_time(rules, groups, loaded):
    words._VOCABULARIES.clear()
    return ours(rules, groups, loaded)


# ---- Whole runs, each in a process of its own ----

LITERAL_RUN = """
from collections import defaultdict
readings = defaultdict(list, pickle.load(open(folder / "lefff.pkl", "rb")))
groups = pickle.load(open(folder / "groups.pkl", "rb"))
oracle_path = Path(sys.argv[2]) / "tests" / "morpheval" / "oracle.py"
oracle = {}
exec(compile(oracle_path.read_text(), "oracle", "exec"), oracle)
for test, _, group in groups:
    oracle["judge"](test, [oracle["prepare"](text) for text in group], readings)
"""
OUR_RUN = """
import evaluate
metric = evaluate.load(str(Path(sys.argv[2]) / "metrics" / "morpheval"), keep_in_memory=True)
groups = pickle.load(open(folder / "groups.pkl", "rb"))
imported, start = peak(), time.process_time()
metric.compute(
    predictions=[group for _, _, group in groups],
    references=[{"test": test, "sources": sources} for test, sources, _ in groups],
    lexicon=str(folder / "lefff.mlex"),
)
"""
CHILD = """
import pickle, re, sys, time
from pathlib import Path

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

folder, imported, start = Path(sys.argv[1]), peak(), time.process_time()
{}
print(time.process_time() - start, peak(), peak() - imported)
"""


def whole_run(code, folder):
    """Seconds, peak megabytes, and how many of these came after the imports."""
    command = [sys.executable, "-c", CHILD.format(code), str(folder), str(ROOT)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return tuple(map(float, output.split()))


def table(path):
    entries = list(lexicon.read_mlex(path))
    groups = with_english(Suite(entries).groups())
    n = sum(len(group) for _, _, group in groups)
    readings = defaultdict(list)
    for form, reading in entries:
        readings[form.lower()].append(tuple(reading))
    yield f"{len(groups):,} groups, {n:,} sentences", None, ""

    loaded = lexicon.load(path)
    sides = {
        "literal published rules, whole lexicon in a dictionary": lambda: literal(groups, readings),
        "default, words met before": lambda: ours(FRENCH, groups, loaded),
        "default, first time (words looked up on disk)": lambda: first_time(FRENCH, groups, loaded),
        "mode limsi (words looked up on disk)": lambda: ours(LIMSI, groups, loaded),
    }
    times = best_times(list(sides.values()), clock=time.process_time)
    for name, seconds in zip(sides, times):
        yield f"inner loop: {name}", seconds, f"{n / seconds:,.0f} sentences/s, {times[0] / seconds:.2f} x literal"

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lefff.mlex").write_bytes(Path(path).read_bytes())
        (folder / "lefff.pkl").write_bytes(pickle.dumps(dict(readings)))
        (folder / "groups.pkl").write_bytes(pickle.dumps(groups))
        start = time.process_time()
        index = lexicon.load(folder / "lefff.mlex").path
        yield "index of the lexicon, built once", time.process_time() - start, f"{index.stat().st_size / 2**20:.0f} MB"
        runs = [[whole_run(code, folder) for code in (LITERAL_RUN, OUR_RUN)] for _ in range(3)]
        index.unlink()
    theirs, mine = (min(run[side] for run in runs) for side in (0, 1))
    yield "whole run: literal, the lexicon from a pickle", theirs[0], f"peak {theirs[1]:.0f} MB"
    figure = f"peak {mine[1]:.0f} MB, {mine[2]:.0f} beyond the imports; {theirs[0] / mine[0]:.1f} x faster"
    yield "whole run: compute(), with evaluate's own work", mine[0], figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    parser.add_argument("--lexicon", default=packaged_file(*PACKAGE), help="a Lefff .mlex file")
    arguments = parser.parse_args()
    print_table(
        "Morpheval: speed and memory",
        ("evaluate", "datasets", "numpy"),
        "processor time; one run, all sides in it; the sources are the English suite's.",
        "| what | seconds | |\n|---|---:|---|",
        ((what, seconds_cell(seconds), figure) for what, seconds, figure in table(arguments.lexicon)),
        "morpheval" if arguments.save else None,
    )


if __name__ == "__main__":
    main()
