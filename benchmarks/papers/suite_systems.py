"""Systems on morpheval's English suite: python benchmarks/papers/suite_systems.py [--save] [--failures]

benchmarks/suite has a file SYSTEM.LANGUAGE.jsonl for each: a group of the suite a line, {"id", "translations"}. A new
row is such a file. Systems that come with few groups are judged on these. `--failures` prints what does not pass.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics import morphology  # noqa: E402
from metrics.morpheval.contrastive_tests import CONTRASTS  # noqa: E402
from metrics.morpheval.intervals import HEADLINE, as_accuracies  # noqa: E402
from metrics.morpheval.suite_files import load_suite  # noqa: E402
from metrics.morpheval.suite_shipped import SUITE_VERSION  # noqa: E402

SYSTEMS = ROOT / "benchmarks" / "suite"
WHAT = {
    "apertium": "Debian's packages eng-spa 0.8.1, and from its Spanish on es-pt 1.1.6, spa-ita 0.2.1, fr-es 0.9.4, "
    "with an empty line after each sentence, so that none is read with the next",
    "careful": "24 groups of each test (23 of coord_verb), by language models that were asked for careful "
    "translations and knew no rule. Of 1,436 groups none fails",
}


def judged(path: Path) -> tuple[list[dict], list[list[str]], dict]:
    """(groups, translations, result with details) of a system's file."""
    suite = load_suite()
    groups = dict(zip(suite.ids, suite, strict=True))
    given = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    references, translations = [groups[row["id"]] for row in given], [row["translations"] for row in given]
    language = path.name.split(".")[1]
    return references, translations, morphology(translations, references, language=language, details=True)


def page(paths: list[Path]) -> Iterator[str]:
    """The headline of all systems, and each system by test."""
    setting = f"suite {SUITE_VERSION}; percent; C: 100 × (1 − entropy)"
    yield from head("Systems on the English suite", (), setting, "benchmarks/papers/suite_systems.py --save")
    results = {path.name.removesuffix(".jsonl"): as_accuracies(judged(path)[2]) for path in paths}
    yield table_row(["system", "groups", "score", "A", "B", "C", "rejected"])
    yield "|---|" + "---:|" * 6
    for name, result in results.items():
        headline = [f"{100 * result[key]:.1f}" for key in (*HEADLINE, "rejected_rate")]
        yield table_row([name, str(len(result["verdicts"])), *headline])
    yield from ("", *(f"- **{name}**: {text}." for name, text in WHAT.items()), "", "## By test", "")
    yield table_row(["test", *results])
    yield "|---|" + "---:|" * len(results)
    for test in CONTRASTS:
        yield table_row([test, *(cell(result, test) for result in results.values())])


def cell(result: dict, test: str) -> str:
    judged, rejected = result[f"{test}_n"], result[f"{test}_rejected"]
    return f"{100 * result[test]:.1f} ({rejected} of {judged + rejected} rejected)"


def failures(path: Path) -> Iterator[str]:
    """Every group that does not pass, with what was found."""
    references, translations, result = judged(path)
    for i, (reference, texts, verdict) in enumerate(zip(references, translations, result["verdicts"], strict=True)):
        each = verdict if isinstance(verdict, dict) else {reference["test"]: verdict}
        wrong = {test: said for test, said in each.items() if said not in ("pass", ["pass", "pass"], 0.0)}
        if wrong:
            yield f"{i} {wrong} {result['reasons'][i]}\n   " + "\n   ".join(
                map(" | ".join, zip(reference["sources"], texts))
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="systems' files (default: all of benchmarks/suite)")
    parser.add_argument("--failures", action="store_true", help="print what does not pass instead")
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    given = parser.parse_args()
    paths = given.files or sorted(SYSTEMS.glob("*.jsonl"))
    if given.failures:
        for path in paths:
            print(path.name, *failures(path), sep="\n")
    else:
        print_page(page(paths), "morpheval_suite" if given.save else None)


if __name__ == "__main__":
    main()
