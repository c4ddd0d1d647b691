#!/bin/sh
# One would guess: a sentence splitter ends a sentence at a blank line, so that a headline and the article under it, or
# the items of a list, are sentences of their own.
# Seen: BlingFire takes line breaks, blank lines too, for spaces: headline and first sentence are one, a list without
# full stops is one sentence. Counts of sentences and scores by sentence are those of another text; split lines first.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check blingfire==0.1.8 numpy==2.3.5
"$HERE/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from blingfire import text_to_sentences

expected = {
    "Storm closes harbour\n\nThe boat sank. Nobody was hurt.": 2,
    "- The boat sank\n- Nobody was hurt\n- It rained": 1,
    "The boat sank. Nobody was hurt.": 2,
}
found = {text: text_to_sentences(text).split("\n") for text in expected}
print("blingfire", version("blingfire"), found)
assert {text: len(sentences) for text, sentences in found.items()} == expected
PYTHON
