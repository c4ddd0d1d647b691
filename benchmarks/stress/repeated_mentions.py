"""Random documents in which both sides repeat mentions, scored here and by the official CoNLL program.

    python benchmarks/stress/repeated_mentions.py PERL [--documents 1000] [--save]

PERL is a checkout of github.com/conll/reference-coreference-scorers. A mention is twice in an entity, in
several entities, on either side or on both; compared are the fractions of MUC, B3, CEAF-m and CEAF-e
that the program prints, with `duplicates="conll"` here.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics.muc_b3_ceaf_entropy.score_files import score_files  # noqa: E402

MEASURES = {"muc": "muc", "b3": "bcub", "ceafm": "ceafm", "ceafe": "ceafe"}
NUMBER = r"([\d.e+-]+)"
PRINTED = re.compile(rf"^Coreference: Recall: \({NUMBER} / {NUMBER}\).*Precision: \({NUMBER} / {NUMBER}\)", re.M)
TOLERANCE = 1e-9
COMMAND = "python benchmarks/stress/repeated_mentions.py PERL --save"


def mentions(rng: Random, spans: list, repeats: int) -> list[tuple]:
    """(start, end, entity), some spans again: in any entity (repeats=2), never in the same (1), or nowhere (0)."""
    drawn = [(*rng.choice(spans), rng.randrange(4)) for _ in range(rng.randint(1, 9))]
    kept = {2: range(len(drawn)), 1: drawn, 0: [span[:2] for span in drawn]}[repeats]
    return list(dict(zip(kept, drawn)).values())


def document(rng: Random) -> list[list[str]]:
    """The coreference columns of a key and a response, which has other spans too."""
    words = rng.randint(3, 12)
    starts = [rng.randrange(words) for _ in range(12)]
    spans = [(start, min(words - 1, start + rng.choice((0, 0, 0, 1, 2)))) for start in starts]
    sides = mentions(rng, spans[:9], rng.randrange(3)), mentions(rng, spans, rng.randrange(3))
    return [columns(side, words) for side in sides]


def columns(side: list[tuple], words: int) -> list[str]:
    """Mentions as CoNLL-2012 has them, ends last."""
    begins, ends = ([[] for _ in range(words)] for _ in range(2))
    for start, end, entity in side:
        begins[start].append(f"({entity}" + (")" if start == end else ""))
        if start != end:
            ends[end].append(f"{entity})")
    return ["|".join(begin + end) or "-" for begin, end in zip(begins, ends)]


def written(path: Path, column: list[str]) -> str:
    """A file of one document."""
    rows = "".join(f"d\t0\t{i}\tw{i}\t{each}\n" for i, each in enumerate(column))
    path.write_text(f"#begin document (d); part 000\n{rows}\n#end document\n", encoding="utf-8")
    return str(path)


def difference(perl: str, key: str, response: str) -> dict[str, float]:
    """The largest difference of each measure's recall and precision."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = score_files(key, response, duplicates="conll", measures=list(MEASURES))
    differences = {}
    for name, theirs in MEASURES.items():
        command = ["perl", f"{perl}/scorer.pl", theirs, key, response, "none"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found, possible, kept, given = map(float, PRINTED.findall(printed)[-1])
        expected = (found / possible if possible else 0.0, kept / given if given else 0.0)
        sides = zip(expected, (ours[f"{name}_recall"], ours[f"{name}_precision"]))
        differences[name] = max(abs(one - other) for one, other in sides)
    return differences


def lines(perl: str, documents: int):
    """The page, as it is made."""
    yield from head(
        "Repeated mentions beside the official CoNLL program",
        ("numpy", "scipy"),
        f"{documents} random documents, recall and precision, equal to {TOLERANCE:g}",
        COMMAND,
    )
    unlike, largest = Counter(), Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(documents):
            sides = zip(("key", "response"), document(Random(seed)))
            paths = [written(Path(folder, name), column) for name, column in sides]
            for name, value in difference(perl, *paths).items():
                unlike[name] += value > TOLERANCE
                largest[name] = max(largest[name], value)
    yield from map(table_row, (("measure", "documents that differ", "largest difference"), ("---", "---:", "---:")))
    yield from (table_row((name, str(unlike[name]), f"{largest[name]:.1e}")) for name in MEASURES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("perl")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/repeated_mentions.md")
    args = parser.parse_args()
    print_page(lines(args.perl, args.documents), "repeated_mentions" if args.save else None)


if __name__ == "__main__":
    main()
