#!/bin/sh
# One would guess: stanza reads the CoNLL-U that it writes, so that a document's coreference chains, which it writes
# into the column MISC, are there again: doc.coref after CoNLL.conll2doc is what it was before.
# Seen: doc.coref is empty, without a warning, and what belongs to each word is a piece of text ("unit-repr-id0") where
# it was a list of objects. A score of documents that were kept as CoNLL-U and read again finds no entity at all.
# Read the column itself, or score before writing.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-compile --only-binary :all: stanza==1.15.0 torch==2.13.0
"$HERE/venv/bin/python" - "$HERE/file.conllu" <<'PYTHON'
import sys
from pathlib import Path

import stanza
from stanza.models.common.doc import Document
from stanza.models.coref.coref_chain import CorefChain, CorefMention
from stanza.utils.conll import CoNLL

sentences = [["Ann", "slept", "."], ["She", "woke", "."]]
doc = Document([[{"id": i, "text": word} for i, word in enumerate(words, 1)] for words in sentences])
doc.coref = [CorefChain(0, [CorefMention(0, 0, 1), CorefMention(1, 0, 1)], "Ann", 0)]
Path(sys.argv[1]).write_text(f"{doc:C}\n\n")
back = CoNLL.conll2doc(sys.argv[1])
words = [[sentence.words[0].coref_chains for sentence in each.sentences] for each in (doc, back)]
print("stanza", stanza.__version__, "chains:", len(doc.coref), len(back.coref), "of the words:", *words)
assert len(doc.coref) == 1 and back.coref == []
assert words[1] == ["unit-repr-id0", "unit-id0"] and words[0][0][0].chain is doc.coref[0]
PYTHON
