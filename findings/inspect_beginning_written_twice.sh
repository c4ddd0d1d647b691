#!/bin/sh
# One would guess: an evaluation library gives a chat model what its chat template writes, token for token, as
# tokenizer.apply_chat_template does.
# Seen: inspect-ai's provider hf/ writes the template as text and reads that with the tokenizer's usual additions. Where
# template and tokenizer both write the token that begins a text (Llama 3, Mistral), it stands there twice, and every
# probability of an answer is that after another prompt. SmolLM2 and Qwen, whose tokenizers add nothing, do not show it.
# lighteval 0.13 does the same by default; its add_special_tokens=False, or inspect-ai's
# tokenizer_call_args={"add_special_tokens": False}, gives the template alone.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-compile --only-binary :all: \
    inspect-ai==0.3.285 transformers==5.24.0 torch==2.13.0 accelerate==1.15.0
HF_HOME="$HERE" HF_HUB_OFFLINE=1 "$HERE/venv/bin/python" - "$HERE/model" 2> "$HERE/errors" <<'PYTHON' || { cat "$HERE/errors"; exit 1; }
import asyncio
import sys
from importlib.metadata import version

from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

folder, words = sys.argv[1], ["<s>", "</s>", "<unk>", "[INST]", "[/INST]", "the", "same", "?"]
tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A $B", [("<s>", 0)])
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
fast.chat_template = "{{ bos_token }} [INST] {{ messages[0]['content'] }} [/INST]"
fast.save_pretrained(folder)
size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
LlamaForCausalLM(LlamaConfig(vocab_size=len(words), bos_token_id=0, eos_token_id=1, **size)).save_pretrained(folder)


def prompt(**options):
    """The tokens that the model is given."""
    model, given = get_model("hf/tiny", model_path=folder, device="cpu", memoize=False, **options), []
    generate = model.api.model.generate
    model.api.model.generate = lambda **inputs: given.append(inputs["input_ids"][0].tolist()) or generate(**inputs)
    asyncio.run(model.generate([ChatMessageUser(content="the same ?")], config=GenerateConfig(max_tokens=1)))
    return " ".join(fast.convert_ids_to_tokens(given[0]))


template = fast.apply_chat_template([{"role": "user", "content": "the same ?"}], tokenize=False)
found = prompt(), prompt(tokenizer_call_args={"add_special_tokens": False})
print("inspect-ai", version("inspect-ai"), *found, sep="\n")
assert found == (f"<s> {template}", template)
PYTHON
