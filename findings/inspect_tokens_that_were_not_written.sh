#!/bin/sh
# One would guess: with logprobs=True, inspect-ai's provider hf/ says of each token that the model wrote how likely it
# was, as servers do: the tokens joined are the text, and a sum of their log-probabilities is the text's.
# Seen: it names the likeliest token of each place, which is another one wherever the model, sampling as it does by
# default, wrote something else: the answer is "no", and the token listed beside it is "yes". Tokens come in the
# tokenizer's own spelling ("Ġyes"), so that a search for " yes" finds none. The numbers themselves are right.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-compile --only-binary :all: \
    inspect-ai==0.3.285 transformers==5.24.0 torch==2.13.0 accelerate==1.15.0
HF_HOME="$HERE" HF_HUB_OFFLINE=1 "$HERE/venv/bin/python" - "$HERE/model" 2> "$HERE/errors" <<'PYTHON' || { cat "$HERE/errors"; exit 1; }
import asyncio
import math
import sys
from importlib.metadata import version

import torch
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

folder, words = sys.argv[1], ["<s>", "</s>", "<unk>", "Ġsame", "Ġyes", "Ġno", "Ġmaybe"]
tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(use_regex=True), decoders.ByteLevel()
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
fast.chat_template = "{{ messages[0]['content'] }}"
fast.save_pretrained(folder)
size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
torch.manual_seed(0)
LlamaForCausalLM(LlamaConfig(vocab_size=len(words), bos_token_id=0, eos_token_id=1, **size)).save_pretrained(folder)

model = get_model("hf/tiny", model_path=folder, device="cpu", memoize=False)
config = GenerateConfig(max_tokens=1, logprobs=True, top_logprobs=len(words), max_connections=1)


async def ask():
    return [(await model.generate([ChatMessageUser(content=" same")], config=config)).choices[0] for _ in range(40)]


found = [(choice.message.text, choice.logprobs.content[0]) for choice in asyncio.run(ask())]
written, listed = {text for text, _ in found}, {token.token for _, token in found}
print("inspect-ai", version("inspect-ai"), "written:", sorted(written), "listed:", sorted(listed))
[token] = listed
assert len(written) > 1 and all(each.token == each.top_logprobs[0].token for _, each in found)
assert {" yes", " no"} <= written | {each.token.replace("Ġ", " ") for each in found[0][1].top_logprobs}
assert not any(each.token.startswith(" ") for each in found[0][1].top_logprobs)
assert math.isclose(sum(math.exp(each.logprob) for each in found[0][1].top_logprobs), 1, abs_tol=1e-5)
PYTHON
