"""Train the judge of "does the text say this?": as the small judge, on directed pairs. README.md says what it takes.

python training/entailment/train.py train STATE    # from the small judge's weights, or from the last state there
python training/entailment/train.py export STATE   # its weights, packed, as STATE/judge
python training/entailment/train.py measure JUDGE  # on the groups that were held out, by kind
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from training.entailment import pairs  # noqa: E402
from training.entailment.stages import STAGES  # noqa: E402
from training.judge import train as shared  # noqa: E402


def train(folder: Path) -> None:
    """All steps that are left; see the small judge's `train`."""
    shared.train(folder, start=shared.JUDGE, stages=STAGES, sources=pairs.Sources, directed=True)


def export(folder: Path) -> None:
    """The weights at the last stage's end, as FOLDER/judge."""
    sets = [[row for *row, _ in pairs.measured()]]
    shared.export(folder, STAGES[-1].name, judge=folder / "judge", sets=sets, both_orders=False)


def measure(judge: Path) -> None:
    """How many held-out claims are judged right, by kind."""
    rows = pairs.measured()
    scores = shared.scores_of(judge, [row for *row, _ in rows], both_orders=False)
    kinds = defaultdict(list)
    for (*_, label, how), score in zip(rows, scores, strict=True):
        kinds["said" if label else "not", how].append((score > 0) == bool(label))
        kinds["all", ""].append((score > 0) == bool(label))
    for kind, right in sorted(kinds.items()):
        print(*kind, f"{sum(right)} of {len(right)}")


def main() -> None:
    commands = {"train": train, "export": export, "measure": measure}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=commands)
    parser.add_argument("folder", type=Path, help="of the training's state; of the judge to measure")
    arguments = parser.parse_args()
    commands[arguments.command](arguments.folder)


if __name__ == "__main__":
    main()
