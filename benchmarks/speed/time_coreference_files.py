"""From two CorefUD files to scores: this metric beside corefud-scorer, on the same files.

    python benchmarks/speed/time_coreference_files.py SCORER --python PYTHON

SCORER is a checkout of github.com/ufal/corefud-scorer, PYTHON an interpreter with its requirements
(udapi). The files are made here: 348 documents of 400 words, with nested mentions, empty nodes and
dependencies; the response has errors. Both sides are separate processes, one after the other; the
fastest of three runs counts. Ours is timed from its start, too, and also without imports. Official
setting: heads, dependencies, no singletons.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

DOCUMENTS, SENTENCES, WORDS, ENTITIES = 348, 20, 20, 25
OURS = """
import sys, time
begin = time.perf_counter()
sys.path.insert(0, sys.argv[1])
from metrics.muc_b3_ceaf_entropy.score_files import score_files
ready = time.perf_counter()
scores = score_files(sys.argv[2], sys.argv[3], preset="crac")
print(f"{scores['conll_f1'] * 100:.2f} {time.perf_counter() - ready:.2f} {ready - begin:.2f}")
"""


def document(rng: Random, name: str) -> tuple[str, str]:
    """A key and its response, mentions of one to four words or an empty node."""
    sides = [[f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"] for _ in range(2)]
    for number in range(SENTENCES):
        mentions = [(rng.randrange(ENTITIES), start, rng.choice((1, 1, 2, 3))) for start in range(1, WORDS - 2, 4)]
        empty = rng.random() < 0.5 and (rng.randint(1, WORDS), rng.randrange(ENTITIES))
        for side, lines in enumerate(sides):
            lines.append(f"# sent_id = {name}-{number}")
            lines.extend(_tokens(rng, mentions, empty, name, wrong=bool(side)))
            lines.append("")
    return tuple("\n".join(lines) + "\n" for lines in sides)


def _tokens(rng, mentions, empty, name, wrong):
    entities = [[] for _ in range(WORDS + 2)]
    for entity, start, length in mentions:
        if wrong and rng.random() < 0.15:
            continue
        entity = rng.randrange(ENTITIES) if wrong and rng.random() < 0.15 else entity
        length = rng.choice((1, 2, 3)) if wrong and rng.random() < 0.1 else length
        label = f"{name}e{entity}"
        entities[start].append(f"({label}-person-1-" + (")" if length == 1 else ""))
        if length > 1:
            entities[start + length - 1].append(f"{label})")
    for i in range(1, WORDS + 1):
        entity = "".join(entities[i])
        misc = f"Entity={entity}" if entity else "_"
        yield "\t".join([str(i), f"w{i}", "lemma", "NOUN", "_", "_", str(i - 1), "dep", "_", misc])
        if empty and empty[0] == i and not (wrong and rng.random() < 0.2):
            relation = rng.choice(("nsubj", "obj")) if wrong and rng.random() < 0.2 else "nsubj"
            deps, misc = f"{max(1, i - 1)}:{relation}", f"Entity=({name}e{empty[1]}-person-1-)"
            yield "\t".join([f"{i}.1", *"_" * 7, deps, misc])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scorer")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    rng = Random(0)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("key.conllu", "response.conllu")]
        for path, side in zip(paths, zip(*(document(rng, f"d{i}") for i in range(DOCUMENTS)))):
            Path(path).write_text("".join(side), encoding="utf-8")
        theirs = [options.python, "corefud-scorer.py", *paths]
        ours = [sys.executable, "-c", OURS, str(ROOT), *paths]
        times, output = {"ours": [], "theirs": []}, {}
        for _ in range(options.runs):
            for name, command, where in (("theirs", theirs, options.scorer), ("ours", ours, str(ROOT))):
                begin = time.perf_counter()
                done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=True)
                times[name].append(time.perf_counter() - begin)
                output[name] = done.stdout.splitlines()[-1]
    whole, other = min(times["ours"]), min(times["theirs"])
    print(f"corefud-scorer, whole process: {other:.2f} s ({output['theirs']})")
    print(f"here, whole process: {whole:.2f} s (CoNLL F1, s of work, s of imports: {output['ours']})")
    print(f"{other / whole:.1f} x faster")


if __name__ == "__main__":
    main()
