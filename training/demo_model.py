"""Make the embedded model that lets the examples run offline: python training/demo_model.py

A stock Llama with random weights, its own byte-level tokenizer and a chat template: loading, prompts and scoring are
the real thing, the judgement is not. A model this small cannot judge meaning, trained or not (0.4 to 1.3 M parameters
stay at chance on PAWS). Seeded: the same versions of the libraries write the same files.
"""

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "spaces" / "parapluie" / "demo_model"
CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}<|end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
CONTROL = ["<|begin|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]


def demo_tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE fitted on the papers' templates."""
    sys.path.insert(0, str(ROOT))
    from metrics.parapluie.templates import ENGLISH

    texts = [message["content"] for messages in ENGLISH.values() for message in messages]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1019, special_tokens=CONTROL, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<|begin|>",
        eos_token="<|end|>",
        pad_token="<|end|>",
        additional_special_tokens=CONTROL[2:],
        chat_template=CHAT_TEMPLATE,
        model_input_names=["input_ids", "attention_mask"],
    )


def main():
    """Write tokenizer and model to the folder."""
    tokenizer = demo_tokenizer()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=160,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        initializer_range=0.15,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(FOLDER)
    tokenizer.save_pretrained(FOLDER)
    # The names that transformers 5 writes are unknown to transformers 4; both know these.
    file = FOLDER / "tokenizer_config.json"
    text = file.read_text(encoding="utf-8")
    text = text.replace("TokenizersBackend", "PreTrainedTokenizerFast").replace("extra_special", "additional_special")
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
