#!/bin/sh
# One would guess: where a CorefUD file gives no head of a mention, udapi finds it in the tree that the file has, as it
# can (udapi has a block for it), or says that there is none.
# Seen: the head is the mention's first word: of "the old boat" it is "the". With match="head" a system's "the boat"
# would be right by its article, and "a boat", which has the same noun, wrong.
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

rows = ["1 the the DET _ _ 3 det _ Entity=(e1-thing", "2 old old ADJ _ _ 3 amod _ _",
        "3 boat boat NOUN _ _ 4 nsubj _ Entity=e1)", "4 sank sink VERB _ _ 0 root _ _"]  # fmt: skip
path = Path(sys.argv[1], "file.conllu")
head = "# newdoc id = harbour\n# global.Entity = eid-etype\n# sent_id = harbour-1\n"
path.write_text(head + "".join("\t".join(row.split()) + "\n" for row in rows) + "\n")
[mention] = Document(str(path)).coref_entities[0].mentions
in_tree = [word.form for word in mention.words if word.parent not in mention.words]
print("udapi", version("udapi"), mention.span, "head:", mention.head.form, "in the tree:", in_tree)
assert (mention.span, mention.head.form, in_tree) == ("1-3", "the", ["boat"])
PYTHON
