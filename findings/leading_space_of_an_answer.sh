#!/bin/sh
# One would guess: a leading space makes an answer the token that a model writes after "Answer:", as evaluation
# harnesses have it, and " yes" is one token, as it is for GPT-2, Llama 3 and SmolLM2.
# Seen: Mistral's tokenizers (version 1 is Mistral-7B-Instruct-v0.2's) add a space of their own to every text: " yes"
# and " no" are two tokens each, and the first of both is the lone space. Log-probabilities of the first token are then
# the same for both answers, whatever the model thinks: a ratio of 0. "yes" without the space is right here: one token,
# that of a word after a space; after a line break the same word is yet another token.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-deps mistral-common==1.13.1 sentencepiece==0.2.3
"$HERE/venv/bin/python" - <<'PYTHON'
from importlib.metadata import distribution, version

from sentencepiece import SentencePieceProcessor

expected = {"yes": ["▁yes"], "no": ["▁no"], " yes": ["▁", "▁yes"], " no": ["▁", "▁no"]}
expected["?\nyes"] = ["▁?", "<0x0A>", "yes"]
print("mistral-common", version("mistral-common"), "sentencepiece", version("sentencepiece"))
for name in ("tokenizer.model.v1", "mistral_instruct_tokenizer_240323.model.v3", "mistral_instruct_tokenizer_241114.model.v7"):
    path = distribution("mistral-common").locate_file(f"mistral_common/data/{name}")
    model = SentencePieceProcessor(model_file=str(path))
    found = {text: model.encode(text, out_type=str) for text in expected}
    print(name, found)
    assert found == expected
PYTHON
