"""MiniLM in numpy beside transformers' BERT, on a small model and on the real one."""

import pickle
import sys

import numpy as np
import pytest
import torch
from scipy.special import erf
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer, BertConfig

from metrics.parapluie import common_bert
from metrics.parapluie.common_bert import Bert, Tokenizer, gelu, in_numpy
from metrics.parapluie.common_minilm import find_minilm
from metrics.parapluie.judge_delta import PairBert

from ..conftest import needs_minilm

ROWS = [[1, 9, 4, 4, 7, 2, 3], [1, 5, 6, 2, 2, 3, 8], [1, 8, 3], [2, 2, 2], [1]]
TYPES = [[0, 0, 0, 1, 1, 1, 1], [0] * 7, [0, 1, 1], [1, 1, 1], [0]]
SENTENCES = [
    "The boat left the harbour.", "Ünïcödé, 数字 and [SEP] [MASK] are text!", "x", "a " * 700, "It's 12.5 % — “quoted”."
]  # fmt: skip


@pytest.fixture(scope="module")
def classifier():
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=10, hidden_size=24, num_attention_heads=3, num_hidden_layers=2, intermediate_size=48, num_labels=3
    )
    model = AutoModelForSequenceClassification.from_config(config).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return model


def weights_of(model):
    return {name: weight.numpy() for name, weight in model.state_dict().items()}


@torch.inference_mode()
def test_it_is_transformers_bert(classifier, monkeypatch):
    """Row by row: no row depends on the others, on the share of a thread or on which state is wanted."""
    ours = Bert(classifier.config.to_dict(), weights_of(classifier.bert))
    pairs = PairBert(classifier.config.to_dict(), weights_of(classifier))
    expected = [
        classifier(torch.tensor([row]), token_type_ids=torch.tensor([types]), output_hidden_states=True)
        for row, types in zip(ROWS, TYPES, strict=True)
    ]
    for threads, tokens in ((1, 1024), (1, 8), (2, 8), (3, 1)):
        monkeypatch.setattr(common_bert, "n_threads", lambda threads=threads: threads)
        monkeypatch.setattr(common_bert, "BATCH_TOKENS", tokens)
        every, first = ours.states(ROWS, TYPES), ours.states(ROWS, TYPES, first=True)
        for row, whole, start, output in zip(ROWS, every, first, expected, strict=True):
            states = output.hidden_states[-1][0].numpy()
            assert whole.shape == (len(row), 24) and np.allclose(whole, states, atol=1e-5)
            assert start.shape == (1, 24) and np.allclose(start, states[:1], atol=1e-5)
        log_probs = np.concatenate([output.logits.log_softmax(-1).numpy() for output in expected])
        assert np.allclose(pairs.log_probs(ROWS, TYPES), log_probs, atol=1e-5)


def test_another_architecture_is_refused(classifier):
    config = classifier.config.to_dict() | {"hidden_act": "relu"}
    with pytest.raises(ValueError, match="found 'bert' with 'relu', expected BERT with GELU"):
        Bert(config, weights_of(classifier.bert))


def test_gelu():
    x = np.linspace(-30, 30, 600_001, dtype=np.float32)
    exact = x.astype(float)
    assert np.abs(gelu(x.copy()) - exact * (1 + erf(exact / 2**0.5)) / 2).max() < 1e-6


@needs_minilm
def test_the_real_one():
    """Its tokens and its states, as transformers gives them."""
    files = find_minilm().files
    model, tokenizer = common_bert.open_bert(files)
    place = files["config.json"].parent
    other, peer = AutoModel.from_pretrained(place).eval(), AutoTokenizer.from_pretrained(place)
    pairs = SENTENCES[1:] + SENTENCES[:1]
    for given in ((SENTENCES,), (SENTENCES, pairs)):
        expected = peer(*given, split_special_tokens=True, truncation=False, verbose=False)
        assert tokenizer(*given) == {name: expected[name] for name in ("input_ids", "token_type_ids")}
        assert [tokenizer.decode(ids) for ids in expected["input_ids"]] == peer.batch_decode(expected["input_ids"])
    rows = sorted((row[:512] for row in tokenizer(SENTENCES)["input_ids"]), key=len, reverse=True)
    with torch.inference_mode():
        for row, states in zip(rows, model.states(rows), strict=True):
            assert np.abs(states - other(torch.tensor([row])).last_hidden_state[0].numpy()).max() < 2e-5
    assert isinstance(tokenizer, Tokenizer) and tokenizer.get_added_vocab() == peer.get_added_vocab()
    again = pickle.loads(pickle.dumps((model, tokenizer)))
    assert again[1](SENTENCES) == tokenizer(SENTENCES) and again[0].states([]) == []
    assert (again[0].states(rows)[0] == model.states(rows)[0]).all()


@pytest.mark.parametrize(
    "device, dtype, imported, gpu, expected",
    [
        ("auto", "auto", True, False, True),
        ("auto", "auto", True, True, False),
        ("cpu", "auto", True, False, False),
        ("auto", "float16", True, False, False),
        ("auto", "auto", False, False, True),
    ],
)
def test_where_it_runs(monkeypatch, device, dtype, imported, gpu, expected):
    """In numpy unless a device or a precision is asked for, or there is a GPU."""
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: gpu)
    if not imported:  # nor any sign of a GPU
        monkeypatch.delitem(sys.modules, "torch")
        monkeypatch.setattr(common_bert, "which", lambda _: None)
        monkeypatch.setattr(common_bert, "GPU_FILES", ())
        monkeypatch.setattr(sys, "platform", "linux")
    assert in_numpy(device, dtype) is expected


def test_a_torch_that_is_too_old_is_not_asked(monkeypatch):
    monkeypatch.delattr(torch, "accelerator")
    assert in_numpy()
