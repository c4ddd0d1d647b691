"""Random CorefUD documents, scored here and by corefud-scorer: where do the scores differ?

    python benchmarks/stress/matching.py SCORER --python PYTHON [--documents 10000]

SCORER is a checkout of github.com/ufal/corefud-scorer, PYTHON an interpreter with its requirements
(udapi). Documents have nested, crossing and discontinuous mentions and empty nodes with
dependencies; responses have errors of all kinds: missing and spurious mentions, other boundaries,
heads and entities, empty nodes omitted, renumbered or with other dependencies. Every combination of
`match` and `zeros` is tried, with and without singletons.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from metrics.muc_b3_ceaf_entropy.documents import partitions  # noqa: E402
from metrics.muc_b3_ceaf_entropy.match_mentions import counted_twice  # noqa: E402
from metrics.muc_b3_ceaf_entropy.measure_files import FILE_MEASURES  # noqa: E402
from metrics.muc_b3_ceaf_entropy.measures import NAMES  # noqa: E402
from metrics.muc_b3_ceaf_entropy.read_pairs import read_pairs  # noqa: E402
from metrics.muc_b3_ceaf_entropy.score_files import FileOptions  # noqa: E402
from metrics.muc_b3_ceaf_entropy.scoring import Options, corpus_of, count, prepare  # noqa: E402

MEASURES = ("muc", "b3", "ceafe", "ceafm", "lea", "mor", "zero")
SETTINGS = list(product(("exact", "partial", "head"), ("linear", "dependent"), (True, False)))
TOLERANCE = 1e-9
IN_A_FILE = 500

# Runs in the scorer's own Python: each document by itself, as [recall, precision, F1].
THEIR_SIDE = """
import json, logging, sys
sys.path.insert(0, sys.argv[1])
logging.disable(logging.CRITICAL)
from scorer.corefud.reader import CorefUDReader
from scorer.eval import evaluator
names = dict(muc="muc", b3="b_cubed", ceafe="ceafe", ceafm="ceafm", lea="lea", mor="mention_overlap", zero="als_zeros")
key, response, match, zeros, singletons = sys.argv[2:7]
reader = CorefUDReader(match={"partial": "partial-corefud"}.get(match, match), keep_zeros=True, zero_match_method=zeros,
                       keep_singletons=singletons == "True")
reader.get_coref_infos(key, response)
print(json.dumps([
    {name: evaluator.evaluate_documents({doc: info}, getattr(evaluator, function)) for name, function in names.items()}
    for doc, info in reader.doc_coref_infos.items()
]))
"""


# ---- Random documents ----


def random_document(rng: Random, name: str) -> tuple[str, str]:
    """A key and a response in CorefUD's format."""
    sentences = [rng.randint(3, 8) for _ in range(rng.randint(1, 4))]
    key_nodes = [_random_nodes(rng, n) for n in sentences]
    response_nodes = [_other_nodes(rng, nodes, n) for nodes, n in zip(key_nodes, sentences)]
    entities = rng.randint(1, 5)
    key = [_random_mentions(rng, n, nodes, entities) for n, nodes in zip(sentences, key_nodes)]
    response = [
        _other_mentions(rng, mentions, n, nodes, entities) for mentions, n, nodes in zip(key, sentences, response_nodes)
    ]
    return _written(name, sentences, key_nodes, key), _written(name, sentences, response_nodes, response)


def _random_nodes(rng, n):
    """{(N, k): DEPS} of a sentence's empty nodes."""
    times = [rng.choice((0, 0, 0, 0, 1, 1, 2)) for _ in range(n + 1)]
    return {(after, k + 1): _random_deps(rng, n) for after in range(n + 1) for k in range(times[after])}


def _random_deps(rng, n):
    some = {(rng.randint(1, n), rng.choice(("nsubj", "obj"))) for _ in range(rng.choice((1, 1, 1, 2)))}
    return "|".join(f"{parent}:{relation}" for parent, relation in sorted(some))


def _other_nodes(rng, nodes, n):
    kept = {position: deps for position, deps in nodes.items() if rng.random() < 0.8}
    kept = {position: deps if rng.random() < 0.8 else _random_deps(rng, n) for position, deps in kept.items()}
    if rng.random() < 0.3:
        kept[(rng.randint(0, n), 1)] = _random_deps(rng, n)
    numbered, times = {}, Counter()
    for after, _ in sorted(kept):  # numbers are without gaps, so one left out renumbers the next
        times[after] += 1
        numbered[(after, times[after])] = None
    return dict(zip(numbered, (kept[position] for position in sorted(kept))))


def _tokens(n, nodes):
    return sorted([*((i, 0) for i in range(1, n + 1)), *nodes])


def _random_mentions(rng, n, nodes, entities):
    """[(entity, positions, number of the head)], no two with the same positions."""
    tokens, drawn = _tokens(n, nodes), []
    for _ in range(rng.randint(0, n)):
        _add(drawn, (rng.randrange(entities), _random_positions(rng, tokens, nodes)), rng)
    return drawn


def _random_positions(rng, tokens, nodes):
    if nodes and rng.random() < 0.4:
        return (rng.choice(sorted(nodes)),)
    start = rng.randrange(len(tokens))
    positions = tokens[start : start + rng.choice((1, 1, 2, 3, 4, 5))]
    if len(positions) > 2 and rng.random() < 0.2:
        del positions[rng.randint(1, len(positions) - 2)]
    return tuple(positions)


def _other_mentions(rng, mentions, n, nodes, entities):
    tokens, drawn = _tokens(n, nodes), []
    for entity, positions, head in mentions:
        if rng.random() < 0.15:
            continue
        if rng.random() < 0.2:
            entity = rng.randrange(entities)
        positions = tuple(position for position in positions if position in tokens)
        if rng.random() < 0.3 or not positions:
            extra = _random_positions(rng, tokens, nodes)
            positions = tuple(sorted({*positions, *extra})) if rng.random() < 0.5 else extra
        if rng.random() < 0.2 and len(positions) > 1:
            positions = positions[1:]
        _add(drawn, (entity, positions), rng, head)
    for _ in range(rng.choice((0, 0, 1, 2))):
        _add(drawn, (rng.randrange(entities), _random_positions(rng, tokens, nodes)), rng)
    return drawn


def _add(mentions, mention, rng, head=None):
    """Append it if it can be written: no equal positions; no crossing mentions of one entity."""
    entity, positions = mention
    span = (positions[0], positions[-1])
    for other, theirs, _ in mentions:
        if theirs == positions or (other == entity and not _apart((theirs[0], theirs[-1]), span)):
            return
    head = head if head and head <= len(positions) and rng.random() < 0.8 else rng.randint(1, len(positions))
    mentions.append((entity, positions, head))


def _apart(one, other):
    return one[1] < other[0] or other[1] < one[0]


def _written(name, sentences, all_nodes, all_mentions):
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
    for number, (n, nodes, mentions) in enumerate(zip(sentences, all_nodes, all_mentions)):
        tokens = _tokens(n, nodes)
        opened, closed = _items(tokens, mentions, name)
        lines.append(f"# sent_id = {name}-{number}")
        for i, k in tokens:
            entity = "".join([*closed.get((i, k), ()), *opened.get((i, k), ())])
            deps = nodes[(i, k)] if k else "_"
            head = "_" if k else str(i - 1)
            label = f"{i}.{k}" if k else str(i)
            lines.append("\t".join([label, f"w{i}", *"____", head, "dep", deps, f"Entity={entity}" if entity else "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def _items(tokens, mentions, name):
    """What opens and what closes at each token."""
    parts = []
    for entity, positions, head in mentions:
        runs, order = [], {token: i for i, token in enumerate(tokens)}
        for position in positions:
            if runs and order[runs[-1][-1]] == order[position] - 1:
                runs[-1].append(position)
            else:
                runs.append([position])
        for i, run in enumerate(runs):
            label = f"{name}e{entity}" + (f"[{i + 1}/{len(runs)}]" if len(runs) > 1 else "")
            parts.append((run, label, head))
    opened, closed = {}, {}
    for run, label, head in sorted(parts, key=lambda part: -len(part[0])):
        opened.setdefault(run[0], []).append(f"({label}-x-{head}-{')' if len(run) == 1 else ''}")
        if len(run) > 1:
            closed.setdefault(run[-1], []).insert(0, f"{label})")
    return opened, closed


# ---- Both sides ----


def our_scores(key: str, response: str, match: str, zeros: str, singletons: bool) -> list[dict]:
    """For each document {measure: [recall, precision, F1]}."""
    pairs = read_pairs(key, response, FileOptions(match=match, zeros=zeros, keep_singletons=singletons))
    examples, options = partitions(pairs), Options(measures=[name for name in MEASURES if name in NAMES])
    counts = count(prepare(examples["predictions"], examples["references"], options), options)
    documents = []
    for i, pair in enumerate(pairs):
        scores = corpus_of({name: values[[i]] for name, values in counts.items()}, options).scores()
        for name, measure in FILE_MEASURES.items():
            values = measure.score(np.array(measure.count(pair), float), 0.0)
            scores |= {name + suffix: float(value) for suffix, value in values.items()}
        own = {name: [scores[f"{name}_{part}"] for part in ("recall", "precision", "f1")] for name in MEASURES}
        documents.append(own | {"twice": counted_twice(pair, match) > 0})
    return documents


def their_scores(python: str, scorer: str, *arguments) -> list[dict]:
    """The same from corefud-scorer."""
    done = subprocess.run(
        [python, "-c", THEIR_SIDE, scorer, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scorer")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="print so many of the documents that differ")
    options = parser.parse_args()
    rng, shown = Random(options.seed), 0
    total, twice, twice_differing, differing = (Counter() for _ in range(4))
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("key.conllu", "response.conllu")]
        for start in range(0, options.documents, IN_A_FILE):
            setting = SETTINGS[start // IN_A_FILE % len(SETTINGS)]
            size = min(IN_A_FILE, options.documents - start)
            texts = [random_document(rng, f"d{start + i}") for i in range(size)]
            for path, side in zip(paths, zip(*texts)):
                Path(path).write_text("".join(side), encoding="utf-8")
            ours = our_scores(*paths, *setting)
            theirs = their_scores(options.python, options.scorer, *paths, *setting)
            assert len(ours) == len(theirs) == size
            total[setting] += size
            for i, (here, there) in enumerate(zip(ours, theirs)):
                wrong = [m for m in MEASURES if max(abs(a - b) for a, b in zip(here[m], there[m])) > TOLERANCE]
                twice[setting] += here["twice"]
                if here["twice"]:
                    twice_differing[setting] += bool(wrong)
                    continue
                differing[setting] += bool(wrong)
                if wrong and shown < options.show:
                    shown += 1
                    print(setting, {m: (here[m], there[m]) for m in wrong}, *texts[i], sep="\n")
    print(
        "| match | zeros | singletons | documents | with a zero that is matched elsewhere | of these, differ | "
        "of the others, differ |"
    )
    print("|---|---|---|---:|---:|---:|---:|")
    for setting in SETTINGS:
        counts = (each[setting] for each in (total, twice, twice_differing, differing))
        print("|", " | ".join(map(str, (*setting, *counts))), "|")


if __name__ == "__main__":
    main()
