"""Tiny models with random weights and real tokenizers, built here because none can be downloaded.

Chat templates are short versions of those that the models of these families come with.
"""

import functools
import shutil
import tempfile
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
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


def word_piece_tokenizer(window, words=()):
    """A tokenizer as BERT's: these words, signs and small letters; [PAD] is 0, [CLS] 2, [SEP] 3."""
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    letters = [chr(c) for c in range(33, 127) if not chr(c).isupper()]
    tokens = dict.fromkeys([*special.values(), *words, *letters, *("##" + c for c in letters)])
    tokenizer = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    inputs = ["input_ids", "token_type_ids", "attention_mask"]
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=window, model_input_names=inputs, **special
    )


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
