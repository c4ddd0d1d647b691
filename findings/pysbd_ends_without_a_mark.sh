#!/bin/sh
# One would guess: a rule-based splitter errs at full stops: it takes an abbreviation's for an end, or an end for an
# abbreviation's. Between two words without any mark no sentence ends.
# Seen: where an abbreviation of letters ends one sentence ("q.i.d. She"), pySBD 0.3.4 begins a sentence before it and
# before a later "p.m.", in the middle of "at 5 p.m.", and not where the sentence ended. Each kind of abbreviation alone
# is split right.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check pysbd==0.3.4
"$HERE/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import pysbd

expected = {
    "He takes it q.i.d. She came at 5 p.m. She left.": ["He takes it", "q.i.d. She came at 5", "p.m.", "She left."],
    "It opened at 9 a.m. It closed at 5 p.m. She left.": ["It opened at 9 a.m.", "It closed at 5 p.m.", "She left."],
}
split = pysbd.Segmenter(language="en", clean=False).segment
found = {text: [sentence.strip() for sentence in split(text)] for text in expected}
print("pysbd", version("pysbd"), found)
assert found == expected
PYTHON
