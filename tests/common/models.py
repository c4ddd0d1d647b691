"""Tiny models with random weights and real tokenizers, built here because none can be downloaded.

Chat templates are short versions of those that the models of these families come with.
"""

import functools
import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoConfig, AutoModelForCausalLM, LlamaTokenizer, PreTrainedTokenizerFast

MISTRAL_V02 = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
    "{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}"
)
MISTRAL_V02_NEWER = MISTRAL_V02.replace("{{ m['content'] + eos_token }}", "{{ ' ' + m['content'] + eos_token }}")
LLAMA_3 = (
    "{{ bos_token }}{% for m in messages %}{{ '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n'"
    " + m['content'] | trim + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
GEMMA = (
    "{{ bos_token }}{% for m in messages %}{{ '<start_of_turn>' + ('model' if m['role'] == 'assistant' else m['role'])"
    " + '\n' + m['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)
CORPUS = [
    "You will receive two sentences A and B. Do these two sentences mean the same thing?",
    'Answer with only one word "yes" or "no". Please provide the sentences for me to evaluate.',
    "yes no Yes No user assistant model the cat sat on a mat and drank its milk, 12 345 times; it wasn't easy.",
]


@functools.cache
def byte_level_tokenizer(template, special, plain=(), bos=None, eos=None):
    """A byte-level BPE tokenizer with these special tokens and these added tokens that are not special."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet))
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=bos, eos_token=eos)
    fast.add_tokens(list(special), special_tokens=True)
    fast.add_tokens(list(plain))
    fast.chat_template = template
    return fast


@functools.cache
def sentencepiece_tokenizer(file, template):
    """A SentencePiece tokenizer of the Mistral family, from the files in the package mistral-common."""
    import mistral_common

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(mistral_common.__file__).parent / "data" / file, Path(folder) / "tokenizer.model")
        tokenizer = LlamaTokenizer.from_pretrained(folder)
    tokenizer.chat_template = template
    return tokenizer


TOKENIZERS = {
    "mistral v0.2": lambda: sentencepiece_tokenizer("tokenizer.model.v1", MISTRAL_V02),
    "mistral v0.2, newer template": lambda: sentencepiece_tokenizer("tokenizer.model.v1", MISTRAL_V02_NEWER),
    "mistral v0.3": lambda: sentencepiece_tokenizer("mistral_instruct_tokenizer_240323.model.v3", MISTRAL_V02_NEWER),
    "llama-3": lambda: byte_level_tokenizer(
        LLAMA_3,
        ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        bos="<|begin_of_text|>",
        eos="<|eot_id|>",
    ),
    "qwen2": lambda: byte_level_tokenizer(
        CHATML, ("<|im_start|>", "<|im_end|>", "<|endoftext|>"), ("<tool_call>", "</tool_call>"), eos="<|im_end|>"
    ),
    "gemma": lambda: byte_level_tokenizer(
        GEMMA, ("<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"), bos="<bos>", eos="<eos>"
    ),
}
ARCHITECTURES = {"mistral": {"sliding_window": None}, "llama": {}, "qwen2": {}, "gemma": {"head_dim": 8}}


def tiny_model(architecture, vocabulary, dtype=torch.float32, **settings):
    """A random model whose scores differ clearly from prompt to prompt."""
    torch.manual_seed(0)
    defaults = {
        "vocab_size": vocabulary, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 4096, "initializer_range": 0.3,
        "pad_token_id": None, "bos_token_id": None, "eos_token_id": None,
    }  # fmt: skip
    config = AutoConfig.for_model(architecture, **{**defaults, **ARCHITECTURES.get(architecture, {}), **settings})
    return AutoModelForCausalLM.from_config(config).to(dtype).eval()


def trained_and_evaluated(texts, tokenizer, length, compute_metrics, folder, **settings):
    """(the Trainer, what it evaluates to) of a tiny model that learns for an epoch to write the second of two texts."""
    from transformers import BartConfig, BartForConditionalGeneration, Seq2SeqTrainer, Seq2SeqTrainingArguments

    tokenizer.pad_token = "<|endoftext|>"
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=256,
        pad_token_id=tokenizer.pad_token_id, bos_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id, forced_eos_token_id=None,
    )  # fmt: skip
    examples = []
    for text, target in texts:
        labels = tokenizer(target)["input_ids"]
        labels += [-100] * (40 - len(labels))
        examples.append({**tokenizer(text, padding="max_length", max_length=length), "labels": labels})
    trainer = Seq2SeqTrainer(
        model=BartForConditionalGeneration(config),
        args=Seq2SeqTrainingArguments(
            output_dir=str(folder), num_train_epochs=1, per_device_eval_batch_size=len(texts) - 1,
            predict_with_generate=True, generation_max_length=8, eval_strategy="epoch", save_strategy="epoch",
            metric_for_best_model="eval_score", load_best_model_at_end=True, report_to=[], use_cpu=True,
            disable_tqdm=True, **settings,
        ),
        train_dataset=examples,
        eval_dataset=examples,
        compute_metrics=compute_metrics,
    )  # fmt: skip
    trainer.train()
    return trainer, trainer.evaluate()


def decoded(tokenizer, ids):
    """The texts of rows that are filled up with -100, which no tokenizer can decode."""
    return tokenizer.batch_decode(np.where(ids < 0, tokenizer.pad_token_id, ids), skip_special_tokens=True)
