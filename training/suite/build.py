"""Build the English test suite that ships with morpheval, metrics/morpheval/suite, from groups that editors have read.

    .venv/bin/python training/suite/build.py                          of groups.jsonl, beside this file
    .venv/bin/python training/suite/build.py --written one.jsonl ...  makes groups.jsonl first

A line of groups.jsonl is a group: {"test", "genre", "sources", "direction" (of comparative and superlative), "editors":
two of {"right", "sense", "contrast", "why" (what is false)}, "doubt" or "rewritten" (what a later reader found)}.
--written takes files of groups without "editors"; beside one.jsonl are one.editor_a.jsonl and one.editor_b.jsonl,
verdicts with the group's number, "i", from 0.

The suite has the groups that both editors call right, its sense and its contrast, and nobody doubts: of each test so
many at most, evenly over the genres. Its version and digests are written into suite_shipped.py, by which the metric
knows it.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from itertools import zip_longest
from pathlib import Path

from sklearn.metrics import cohen_kappa_score

HERE, ROOT = Path(__file__).resolve().parent, Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from metrics.morpheval.check_input import DIRECTED_TESTS, check_reference  # noqa: E402
from metrics.morpheval.contrastive_tests import TESTS  # noqa: E402
from metrics.morpheval.lexicon import DIGITS  # noqa: E402
from metrics.morpheval.suite_shipped import digest_of_groups  # noqa: E402

GROUPS = HERE / "groups.jsonl"
SUITE = ROOT / "metrics" / "morpheval" / "suite"
MODULE = ROOT / "metrics" / "morpheval" / "suite_shipped.py"
CRITERIA = ("right", "sense", "contrast")
EDITORS = ("editor_a", "editor_b")


# ---- What is read ----


def read(path: Path) -> list[dict]:
    """The objects of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def joined(paths: list[Path]) -> list[dict]:
    """The groups of files, each with the verdicts of both editors beside them."""
    groups = []
    for path in paths:
        verdicts = [{each.pop("i"): each for each in read(path.with_suffix(f".{name}.jsonl"))} for name in EDITORS]
        groups += [group | {"editors": [by[i] for by in verdicts]} for i, group in enumerate(read(path))]
    return groups


def checked(groups: list[dict]) -> list[dict]:
    """The groups, in the order of the tests.

    Raises:
        ValueError: a group that the metric refuses, verdicts that are not two.
    """
    for i, group in enumerate(groups):
        reference = {key: group[key] for key in ("test", "sources", "direction") if key in group}
        if check_reference(reference, i)["sources"] != group["sources"] or ("direction" in group) != is_directed(group):
            raise ValueError(
                f"group {i}: found {group}, expected plain sentences, a direction for {DIRECTED_TESTS} alone"
            )
        if len(group["editors"]) != 2 or not all(isinstance(e[c], bool) for e in group["editors"] for c in CRITERIA):
            raise ValueError(f"group {i}: found {group['editors']}, expected {', '.join(CRITERIA)} of two editors")
    return sorted(groups, key=lambda group: list(TESTS).index(group["test"]))


def is_directed(group: dict) -> bool:
    return group["test"] in DIRECTED_TESTS


# ---- What is chosen ----


def approved(group: dict) -> list[bool]:
    """Whether each editor finds nothing wrong."""
    return [all(editor[criterion] for criterion in CRITERIA) for editor in group["editors"]]


def both(group: dict) -> bool:
    return all(approved(group))


def chosen(groups: list[dict], most: int) -> list[dict]:
    """Of each test so many groups at most that all approve of, and that share no sentence; of each genre in turn."""
    by_test: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    seen: set[tuple[str, str]] = set()
    for group in groups:
        texts = {(group["test"], text) for text in group["sources"]}
        if both(group) and "doubt" not in group and seen.isdisjoint(texts):
            by_test[group["test"]][group["genre"]].append(group)
            seen |= texts
    rows = []
    for test, by_genre in by_test.items():
        in_turn = [group for turn in zip_longest(*by_genre.values()) for group in turn if group]
        for number, group in enumerate(in_turn[:most], 1):
            kept = {key: group[key] for key in ("test", "genre", "direction", "sources") if key in group}
            rows.append({"id": f"{test}-{number}", **kept})
    return rows


# ---- What is written ----


def files(groups: list[dict], rows: list[dict], version: str) -> dict[str, str]:
    """{name: text} of the suite's files: as JSON, in the published form, its card."""
    lines = []
    for row in rows:
        test = f"{row['test']}:removed" if row.get("direction") == "removed" else row["test"]
        lines += [(text, f"{row['id']} {test}") for text in row["sources"]]
    return {
        "en.jsonl": "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows),
        "en.sents": "".join(f"{text}\n" for text, _ in lines),
        "en.info": "".join(f"{info}\n" for _, info in lines),
        "README.md": card(groups, rows, version),
    }


def card(groups: list[dict], rows: list[dict], version: str) -> str:
    """The card, with its figures."""
    written, kept, in_suite = (Counter(g["test"] for g in gs) for gs in (groups, filter(both, groups), rows))
    agreed_on = {test: share([approved(group) for group in groups if group["test"] == test]) for test in written}
    table = "\n".join(f"| `{t}` | {written[t]} | {kept[t]} | {in_suite[t]} | {agreed_on[t]:.1f} |" for t in written)
    genres = ", ".join(f"{genre} {n}" for genre, n in sorted(Counter(row["genre"] for row in rows).items()))
    verdicts = {c: [[e[c] for e in g["editors"]] for g in groups] for c in CRITERIA}
    verdicts["all three"] = list(map(approved, groups))
    agreed = "\n".join(f"| {c} | {share(pairs):.1f} | {kappa(pairs)} |" for c, pairs in verdicts.items())
    figures = {
        "version": version,
        "groups": len(rows),
        "sentences": sum(len(row["sources"]) for row in rows),
        "most": max(in_suite.values()),
        "written": len(groups),
        "kept": sum(kept.values()),
        **{name: sum(name in group for group in groups) for name in ("doubt", "rewritten")},
        "faulty": sum("doubt" in group or "rewritten" in group for group in groups),
        "removed": sum(row.get("direction") == "removed" for row in rows),
        "table": table,
        "genres": genres,
        "agreement": agreed,
    }
    text = (HERE / "card.txt").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: str(figures[match[1]]), text)


def share(pairs: list) -> float:
    """Of a hundred pairs so many are of equals."""
    return 100 * sum(a == b for a, b in pairs) / len(pairs)


def kappa(pairs: list) -> str:
    """Cohen's kappa; a dash where both always say the same."""
    a, b = zip(*pairs, strict=True)
    return "–" if len({*a, *b}) < 2 else f"{cohen_kappa_score(a, b):.2f}"


def with_version(module: str, version: str, data: str) -> str:
    """The module's text with this version, and the digests of these data and of their groups."""
    digest = hashlib.sha256(data.encode()).hexdigest()[:DIGITS]
    of_groups = digest_of_groups([json.loads(line) for line in data.splitlines()])
    for name, value in (("SUITE_VERSION", version), ("SUITE_DIGEST", digest), ("GROUPS_DIGEST", of_groups)):
        module = re.sub(rf'^{name} = "[^"]*"', f'{name} = "{value}"', module, flags=re.MULTILINE)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--written", nargs="+", type=Path, metavar="FILE", help="groups, with editors' verdicts beside")
    parser.add_argument("--most", type=int, default=100, help="groups of a test (default: 100)")
    parser.add_argument("--version", default="1.0", help="of the suite (default: 1.0)")
    given = parser.parse_args()
    if given.written:
        lines = (json.dumps(group, ensure_ascii=False) for group in joined(given.written))
        GROUPS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    groups = checked(read(GROUPS))
    rows = chosen(groups, given.most)
    texts = files(groups, rows, given.version)
    SUITE.mkdir(exist_ok=True)
    for name, text in texts.items():
        (SUITE / name).write_text(text, encoding="utf-8")
    MODULE.write_text(
        with_version(MODULE.read_text(encoding="utf-8"), given.version, texts["en.jsonl"]), encoding="utf-8"
    )
    print(f"{len(rows)} groups of {len(groups)}: {dict(Counter(row['test'] for row in rows))}")


if __name__ == "__main__":
    main()
