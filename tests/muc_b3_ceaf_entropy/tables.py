"""Tables of examples, one on each line: a new example is a new line."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent


def table(name):
    return list(map(json.loads, (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()))
