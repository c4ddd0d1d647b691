#!/bin/sh
# One would guess: a score that is undefined (NaN, as kappa is where it is 0/0) survives datasets' to_json, or fails
# there: Python's json writes it as NaN, which datasets can read, too.
# Seen: it is written as null and comes back as None, a missing value, without a word; so with CSV. What takes a mean
# afterwards leaves out what was undefined, or stops at None. Parquet keeps NaN and None apart, and both come back as
# they were.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --only-binary :all: datasets==5.2.0 pandas==3.1.1 pyarrow==26.0.1
HF_HOME="$HERE/home" HF_HUB_OFFLINE=1 "$HERE/venv/bin/python" - "$HERE" <<'PYTHON'
import math
import sys
from pathlib import Path

import datasets
from datasets import Dataset

datasets.disable_progress_bars()
folder = Path(sys.argv[1])
scores = Dataset.from_dict({"kappa": [0.5, math.nan, None]})
scores.to_json(folder / "scores.jsonl")
scores.to_csv(folder / "scores.csv")
scores.to_parquet(folder / "scores.parquet")
found = {
    "json": Dataset.from_json(str(folder / "scores.jsonl"))["kappa"][:],
    "csv": Dataset.from_csv(str(folder / "scores.csv"))["kappa"][:],
    "parquet": Dataset.from_parquet(str(folder / "scores.parquet"))["kappa"][:],
}
(folder / "python.jsonl").write_text('{"kappa": 0.5}\n{"kappa": NaN}\n{"kappa": null}\n')
found["python's json"] = Dataset.from_json(str(folder / "python.jsonl"))["kappa"][:]
print("datasets", datasets.__version__, (folder / "scores.jsonl").read_text().split(), found)
assert str(found) == str({
    "json": [0.5, None, None],
    "csv": [0.5, None, None],
    "parquet": [0.5, math.nan, None],
    "python's json": [0.5, math.nan, None],
})  # fmt: skip
PYTHON
