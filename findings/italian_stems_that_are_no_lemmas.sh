#!/bin/sh
# One would guess: a spelling dictionary's stem of a word is its lemma, or at least a word of the same kind, as it
# mostly is in the English and French ones; tools use stems so, to find a noun's gender or to compare words.
# Seen: the Italian dictionary packs words together that only look like forms of each other, to be small: the one stem
# of casa (house) is caso (case), a masculine noun; that of ministra (woman minister) is the verb ministrare, that of
# braccia (arms) the verb bracciare. All are spelt right; what their stems say of gender and kind is wrong.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check spylls==0.1.7
(cd "$HERE" && npm pack --silent dictionary-it@2.0.0 > packed && tar xzf "$(cat packed)")
"$HERE/venv/bin/python" - "$HERE/package/index" <<'PYTHON'
import sys
from importlib.metadata import version

from spylls.hunspell import Dictionary

spelling = Dictionary.from_files(sys.argv[1])
words = "casa gatta ministra architetta braccia".split()
stems = {word: sorted({form.stem for form in spelling.lookuper.good_forms(word)}) for word in words}
print("dictionary-it 2.0.0, spylls", version("spylls"), stems)
assert stems == {
    "casa": ["caso"],
    "gatta": ["gatto"],
    "ministra": ["ministrare"],
    "architetta": ["architettare"],
    "braccia": ["bracciare"],
}
PYTHON
