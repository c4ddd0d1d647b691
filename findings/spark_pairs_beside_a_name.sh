#!/bin/sh
# One would guess: where documents of a JSON file have mentions of two kinds, pairs [0, 1] in one and names in another,
# Spark refuses the column, as Arrow does, or makes only that document's something else.
# Seen: the whole column is one of text. In all other documents [0, 1] is now "[0, 1]", a string, without a warning; so
# with numbers: 1 beside "b" is "1". Where the key's column has pairs alone, no mention of the response equals one of
# the key's, though nothing was wrong with these documents. Give read.json a schema.
# It needs Java.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-compile pyspark==4.3.0
"$HERE/venv/bin/python" - "$HERE" 2> "$HERE/errors" <<'PYTHON' || { cat "$HERE/errors"; exit 1; }
import json
import sys
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

folder = sys.argv[1]
options = {"spark.ui.enabled": "false", "spark.driver.memory": "700m", "spark.local.dir": folder}
spark = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()


def read(name, *columns):
    path = Path(folder, f"{name}.jsonl")
    path.write_text("".join(json.dumps({"clusters": clusters}) + "\n" for clusters in columns))
    return [row.clusters for row in spark.read.json(str(path)).collect()]


pairs = [[[0, 1], [3, 3]]]
found = read("pairs", pairs), read("pairs_and_names", pairs, [["a", "b"]]), read("numbers", [[1, 2]], [[1, "b"]])
print("pyspark", pyspark.__version__, *found)
assert found == ([pairs], [[["[0, 1]", "[3, 3]"]], [["a", "b"]]], [[["1", "2"]], [["1", "b"]]])
PYTHON
