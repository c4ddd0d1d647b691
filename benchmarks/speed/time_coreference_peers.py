"""Coreference beside coval, corefud-scorer and the Perl reference scorer, on the same documents in one run.

    python benchmarks/speed/time_coreference_peers.py --coval DIR --corefud DIR --perl DIR [--python PYTHON]
        [--key FILE] [--save]

Each DIR is a checkout (github.com/ns-moosavi/coval, /ufal/corefud-scorer and
/conll/reference-coreference-scorers), PYTHON an interpreter with what they need (numpy, scipy, udapi);
a scorer without a checkout is left out, and the page says so. Small documents are scored in this
process, as lists of [start, end] pairs, beside coval's functions; through evaluate, its writing and
reading of all mentions is included. Files are scored by whole processes, ours too, in turn: generated
ones, and FILE, a key in tab-separated CoNLL-2012 (such as LitBank's files one after another), with a
response that is it with other one-word mentions. Processor seconds of the fastest run count, since
other work on the machine does not change them as much as time. All sides must print the same CoNLL
F1. What takes longer than the limit is ended.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import head, print_page, table_row  # noqa: E402

MEASURES = ["muc", "b3", "ceafe", "lea"]  # those of coval
CORPORA = {  # name: documents, words and mentions of each
    "LitBank-like": (100, 2100, 290),
    "OntoNotes-test-like": (348, 490, 57),
    "one long document": (1, 200_000, 29_000),
}
SMALL = (1000, 20)  # documents, mentions of each
OURS = "import sys; from metrics.__main__ import main; sys.exit(main(['coref', *sys.argv[1:]]))"
COMMAND = "python benchmarks/speed/time_coreference_peers.py --key LitBank.conll --save"


def document(rng: Random, words: int, mentions: int) -> list[list]:
    """A key and a response: lists of (start, end, entity), no span twice on a side; entities of skewed sizes."""
    key = {}
    while len(key) < mentions:
        start = rng.randrange(words - 3)
        key[start, start + rng.choice((0, 0, 1, 2))] = int(rng.paretovariate(0.7)) % max(2, mentions // 3)
    response = {}
    for (start, end), entity in key.items():
        if rng.random() < 0.12:
            continue
        span = (start, start + rng.randrange(3)) if rng.random() < 0.08 else (start, end)
        response.setdefault(span, rng.randrange(mentions) if rng.random() < 0.15 else entity)
    return [sorted((*span, entity) for span, entity in side.items()) for side in (key, response)]


def clusters_of(mentions: list) -> list[list]:
    """Clusters of [start, end] pairs."""
    clusters = {}
    for start, end, entity in mentions:
        clusters.setdefault(entity, []).append([start, end])
    return list(clusters.values())


# ---- Small documents, in this process ----


def small_rows(coval: str | None, runs: int) -> Iterator[tuple]:
    """Processor seconds for a thousand small documents: coval's functions, and compute."""
    import datasets
    import evaluate

    import metrics

    datasets.disable_progress_bars()
    rng = Random(0)
    sides = zip(*(document(rng, 3 * SMALL[1], SMALL[1]) for _ in range(SMALL[0])))
    keys, responses = ([clusters_of(mentions) for mentions in side] for side in sides)
    metric = evaluate.load(str(ROOT / "metrics" / "muc_b3_ceaf_entropy"), keep_in_memory=True)

    functions = {
        "here, the function, coval's four measures": lambda: metrics.coreference(responses, keys, measures=MEASURES),
        "here, the function, all fourteen": lambda: metrics.coreference(responses, keys),
        "here, through evaluate, coval's four measures": lambda: metric.compute(
            predictions=responses, references=keys, measures=MEASURES
        ),
    }
    result = metric.compute(predictions=responses, references=keys, measures=MEASURES)
    expected = [result[f"{name}_f1"] for name in MEASURES]
    if coval:
        sys.path.insert(0, coval)
        from coval.eval import evaluator

        assert max(abs(a - b) for a, b in zip(coval_scores(evaluator, keys, responses), expected)) < 1e-9
        functions = {"coval": lambda: coval_scores(evaluator, keys, responses)} | functions
    seconds = {name: [] for name in functions}
    for _ in range(runs):
        for name, function in functions.items():
            start = time.process_time()
            function()
            seconds[name].append(time.process_time() - start)
    for name, each in seconds.items():
        yield f"{SMALL[0]} documents of {SMALL[1]} mentions", name, f"{min(each):.3f}", f"{100 * expected[1]:.2f} (B³)"


def coval_scores(evaluator, keys: list, responses: list) -> list[float]:
    """F1 of MUC, B3, CEAF-e and LEA by coval's functions, prepared as its own reader does."""
    evaluators = [
        evaluator.Evaluator(each) for each in (evaluator.muc, evaluator.b_cubed, evaluator.ceafe, evaluator.lea)
    ]
    for key, response in zip(keys, responses):
        sides = [[[tuple(mention) for mention in cluster] for cluster in side] for side in (key, response)]
        classes = [{mention: i for i, cluster in enumerate(side) for mention in cluster} for side in sides]
        in_response = {mention: classes[1][mention] for mention in classes[0] if mention in classes[1]}
        in_key = {mention: classes[0][mention] for mention in classes[1] if mention in classes[0]}
        for each in evaluators:
            each.update((*sides, in_response, in_key))
    return [each.get_f1() for each in evaluators]


# ---- Files, by processes ----


def conll(documents: list, words: int) -> str:
    """A CoNLL-2012 file of one side."""
    lines = []
    for i, mentions in enumerate(documents):
        cells = [[] for _ in range(words)]
        for start, end, entity in mentions:
            cells[start].append(f"({entity}" + (")" if start == end else ""))
            if start != end:
                cells[end].append(f"{entity})")
        lines.append(f"#begin document (d{i}); part 000")
        lines.extend(f"d{i}\t0\t{j}\tw{j}\tX\t{'|'.join(cell) or '-'}" for j, cell in enumerate(cells))
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def corefud(documents: list, words: int) -> str:
    """A CorefUD file of one side; a mention is an item of its own, so that none of an entity cross."""
    lines = []
    for i, mentions in enumerate(documents):
        cells = [[] for _ in range(words)]
        for start, end, entity in sorted(mentions, key=lambda mention: (mention[0], -mention[1])):
            cells[start].append(f"(d{i}e{entity}-x-1-" + (")" if start == end else ""))
            if start != end:
                cells[end].insert(0, f"d{i}e{entity})")
        lines += [f"# newdoc id = d{i}", "# global.Entity = eid-etype-head-other", f"# sent_id = s{i}"]
        tokens = (f"Entity={''.join(cell)}" if cell else "_" for cell in cells)
        lines.extend(f"{j}\tw{j}\tw\tX\t_\t_\t{j - 1}\tdep\t_\t{cell}" for j, cell in enumerate(tokens, 1))
        lines.append("")
    return "\n".join(lines) + "\n"


def file_rows(options: argparse.Namespace) -> Iterator[tuple]:
    """Processor seconds of whole processes for each corpus and scorer."""
    for size, files in corpora(options.key):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            for who, commands, where in scorers(options, folder):
                seconds, output = timed(commands, where, options)
                yield size, who, seconds, f1_in(output)


def corpora(key: str | None) -> Iterator[tuple]:
    """What each corpus is, and {name of a file: its text}."""
    if key:
        text = Path(key).read_text(encoding="utf-8")
        documents, words = text.count("\n#end document"), sum("\t" in line for line in text.splitlines())
        size = f"{Path(key).stem}: {documents} documents, {words:,} words, {text.count('('):,} opening brackets"
        yield size, {"key.conll": text, "response.conll": with_other_mentions(text)}
    for name, (n, words, mentions) in CORPORA.items():
        rng = Random(n)
        sides = list(zip(*(without_crossing(document(rng, words, mentions)) for _ in range(n))))
        yield (
            f"{name}: {n} × {words:,} words, {mentions:,} mentions",
            {
                f"{side}.{ending}": write(documents, words)
                for write, ending in ((conll, "conll"), (corefud, "conllu"))
                for side, documents in zip(("key", "response"), sides)
            },
        )


def with_other_mentions(text: str) -> str:
    """A CoNLL-2012 file where one in four of the mentions that have a column to themselves is gone or alone."""
    rng, lines = Random(0), []
    for number, line in enumerate(text.splitlines()):
        start, tab, column = line.rpartition("\t")
        if re.fullmatch(r"\(\d+\)", column) and rng.random() < 0.25:
            column = rng.choice(("-", f"({10**6 + number})"))
        lines.append(start + tab + column)
    return "\n".join(lines) + "\n"


def without_crossing(sides: list) -> list:
    """Of both sides what brackets can say without doubt: mentions of one entity that do not cross or nest."""
    kept = []
    for mentions in sides:
        last, own = {}, []
        for start, end, entity in mentions:
            if start > last.get(entity, -1):
                last[entity] = end
                own.append((start, end, entity))
        kept.append(own)
    return kept


def scorers(options: argparse.Namespace, folder: str) -> Iterator[tuple]:
    """(name, commands, folder to run in) of each scorer there is."""
    conll_files, corefud_files = (
        [f"{folder}/{side}.{end}" for side in ("key", "response")] for end in ("conll", "conllu")
    )
    here = [sys.executable, "-c", OURS]
    three = ["--measures", "muc", "b3", "ceafe", "conll_f1"]
    yield "here, CoNLL files, coval's measures", [[*here, *conll_files, *three, "lea"]], ROOT
    yield "here, CoNLL files, all fourteen", [[*here, *conll_files]], ROOT
    is_corefud = os.path.exists(corefud_files[0])
    if is_corefud:
        yield "here, CorefUD files, all fourteen, MOR and zeros", [[*here, *corefud_files]], ROOT
    if options.coval:
        yield "coval", [[options.python, "scorer.py", *conll_files]], options.coval
    if options.corefud and is_corefud:
        command = [options.python, "corefud-scorer.py", *corefud_files, "-s", "-a", "exact", "-z", "linear"]
        yield "corefud-scorer", [command], options.corefud
    if options.perl:
        commands = [["perl", "scorer.pl", measure, *conll_files, "none"] for measure in ("muc", "bcub", "ceafe")]
        yield "Perl, three measures", commands, options.perl


def timed(commands: list, where, options: argparse.Namespace) -> tuple[str, str]:
    """Processor seconds of the fastest run of some commands, and what they print; "over" where they take too long."""
    best, output = float("inf"), ""
    for _ in range(options.runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = [run(command, where, options.limit) for command in commands]
        except subprocess.TimeoutExpired:
            return f"over {options.limit}", ""
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        output = "\n".join(done)
    return f"{best:.2f}", output


def run(command: list, where, limit: int) -> str:
    """What a command prints."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, check=True, timeout=limit, env=environment
    )
    return done.stdout


def f1_in(output: str) -> str:
    """The CoNLL F1 that a scorer has printed; of the Perl program, which prints none, from its three last F1."""
    printed = re.findall(r"(?:conll_f1|CoNLL score:)\s*([\d.]+)", output)
    each = [float(value) for value in re.findall(r"^Coreference: Recall.*F1: ([\d.]+)%", output, re.MULTILINE)]
    return printed[-1] if printed else f"{sum(each) / 3:.2f}" if len(each) == 3 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("coval", "corefud", "perl"):
        parser.add_argument(f"--{name}", metavar="DIR", help="checkout of this scorer")
    parser.add_argument("--python", default=sys.executable, help="interpreter for the scorers")
    parser.add_argument("--key", metavar="FILE", help="a CoNLL-2012 key, of which a response is made")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=120, help="seconds after which a process is ended")
    parser.add_argument("--save", action="store_true", help="write the page to benchmarks/results")
    options = parser.parse_args()
    absent = [name for name in ("coval", "corefud", "perl") if not getattr(options, name)]
    setting = (
        f"processor seconds, the least of {options.runs} runs; files: whole processes, ended after {options.limit} s"
    )
    setting += f"; left out, no checkout: {', '.join(absent)}" if absent else ""

    def page():
        yield from head("Coreference beside other scorers", ("numpy", "scipy", "evaluate"), setting, COMMAND)
        yield "| documents | scorer | seconds | CoNLL F1 |\n|---|---|---:|---:|"
        for rows in (small_rows(options.coval, 5 * options.runs), file_rows(options)):
            yield from map(table_row, rows)

    print_page(page(), "coreference_peers" if options.save else None)


if __name__ == "__main__":
    main()
