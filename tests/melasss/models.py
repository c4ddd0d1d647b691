"""Tiny encoders with random weights, and texts written for the tests."""

import random

import torch
from tokenizers import Tokenizer, pre_tokenizers, processors, trainers
from tokenizers.models import BPE
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast, RobertaConfig, RobertaModel

from ..common.models import word_piece_tokenizer

HARBOUR = (
    "The harbour of Brest opened again on Monday after a storm had closed it for three weeks. The pilot boat brought "
    "twelve ships in on the first day. Fishermen said they had lost half of their income. The mayor promised 40,000 "
    "euros from the city. Nobody was hurt in the storm, but two cranes fell into the water."
)
GOOD = "The harbour of Brest opened again after three weeks, and the city promised fishermen 40,000 euros."
BAD = "A cat slept on the piano. It was a very nice piano."
SUBJECTS = (
    "the baker,a pilot,the council,her brother,the museum,a farmer,the choir,our teacher,the ferry,a doctor".split(",")
)
VERBS = "bought,repaired,lost,praised,painted,sold,hid,found,counted,carried".split(",")
OBJECTS = (
    "an old clock,seven boats,the northern bridge,a letter,three lamps,the red piano,a map,wet coal,two goats".split(
        ","
    )
)
PLACES = "in Lyon,near the lake,on Friday,after lunch,behind the mill,in 1998,at the station,before dawn".split(",")


def articles(n, sentences=8, seed=0):
    """Texts of simple sentences, as lists."""
    draw = random.Random(seed)
    return [
        [" ".join(map(draw.choice, (SUBJECTS, VERBS, OBJECTS, PLACES))).capitalize() + "." for _ in range(sentences)]
        for _ in range(n)
    ]


def save_bert(folder, width=32, window=24):
    """A BERT whose window is short, saved with its tokenizer; returns the folder as a string."""
    words = {word.lower() for part in (SUBJECTS, VERBS, OBJECTS, PLACES) for phrase in part for word in phrase.split()}
    tokenizer = word_piece_tokenizer(window, sorted(words))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=2 * width, max_position_embeddings=window,
    )  # fmt: skip
    return _saved(folder, BertModel(config), tokenizer)


def save_roberta(folder, window=24):
    """A RoBERTa, whose positions begin after the padding index, with a byte-level tokenizer without length limit."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator([], trainers.BpeTrainer(special_tokens=special, initial_alphabet=alphabet))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>",
        pad_token="<pad>",
    )  # fmt: skip
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(fast), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=window + 2, pad_token_id=1, bos_token_id=0, eos_token_id=2,
    )  # fmt: skip
    return _saved(folder, RobertaModel(config), fast)


def _saved(folder, model, tokenizer):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
