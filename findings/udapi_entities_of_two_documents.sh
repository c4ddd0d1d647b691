#!/bin/sh
# One would guess: in a CorefUD file an entity's id holds within its document (# newdoc), so that udapi, the library of
# CorefUD, gives two entities where two documents both have an e1, as CoNLL-2012 counts.
# Seen: udapi has one entity with the mentions of both documents. Who makes clusters of doc.coref_entities, one document
# of a file after the other, gets mentions of other documents, and two of them may have one name: span '1' is a word's
# number in its sentence. What it writes is the same file again, so nothing shows.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check udapi==0.5.2
"$HERE/venv/bin/python" - "$HERE" <<'PYTHON'
import sys
from importlib.metadata import version
from pathlib import Path

from udapi.core.document import Document


def document(name, word, entity):
    columns = f"1 {word} {word} PROPN _ _ 0 root _ Entity=({entity}-person-1)".split()
    above = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head", f"# sent_id = {name}-1", f"# text = {word}"]
    return "\n".join([*above, "\t".join(columns), "\n"])


text = document("harbour", "Ann", "e1") + document("mountain", "Bea", "e1") + document("island", "Cleo", "e2")
before, after = Path(sys.argv[1], "before.conllu"), Path(sys.argv[1], "after.conllu")
before.write_text(text)
read = Document(str(before))
found = [(entity.eid, [(mention.span, mention.head.form) for mention in entity.mentions]) for entity in read.coref_entities]
read.store_conllu(str(after))
print("udapi", version("udapi"), found, "written the same:", after.read_text() == text)
assert found == [("e1", [("1", "Ann"), ("1", "Bea")]), ("e2", [("1", "Cleo")])]
assert after.read_text() == text
PYTHON
