#!/bin/sh
# One would guess: a CSV's column of answers, yes and no, is text; so pandas, polars and datasets read it.
# Seen: DuckDB makes it a column of booleans, which come as True and False: a judge's answers are no longer "yes" or
# "no", labels no texts; one "maybe" in the file, and all are text again. all_varchar=true keeps them.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --only-binary :all: duckdb==2.0.1
"$HERE/venv/bin/python" - "$HERE" <<'PYTHON'
import sys
from pathlib import Path

import duckdb

path = Path(sys.argv[1], "answers.csv")


def read(answers, options=""):
    path.write_text("pair,answer\n" + "".join(f"{i},{answer}\n" for i, answer in enumerate(answers)))
    return [answer for (answer,) in duckdb.sql(f"SELECT answer FROM read_csv('{path}'{options})").fetchall()]


found = read(["yes", "no"]), read(["yes", "no", "maybe"]), read(["yes", "no"], ", all_varchar=true")
print("duckdb", duckdb.__version__, *found)
assert found == ([True, False], ["yes", "no", "maybe"], ["yes", "no"])
PYTHON
