"""One string says what a score depends on; what it does not depend on is not in it."""

import re

import pytest

from .models import GOOD, HARBOUR, articles

PAIR = {"predictions": [GOOD], "references": [HARBOUR]}
VERSION = re.escape("melasss|version:") + r"\d+\.\d+\.\d+(\.dev0)?\|"
MINILM = r"encoder:all-MiniLM-L6-v2@[0-9a-f]{12,40}\|pooling:mean"


def test_default(metric):
    signature = metric.signature()
    assert re.fullmatch(rf"{VERSION}similarity:regression\|{MINILM}\|head:relevance@[0-9a-f]{{12}}", signature)
    assert metric.compute(**PAIR, details=True, threshold=0.9)["signature"] == signature
    assert "signature" not in metric.compute(**PAIR)


def test_only_what_is_used(metric, chat_model):
    assert re.fullmatch(rf"{VERSION}similarity:rouge\|{MINILM}", metric.signature(similarity="rouge"))
    chat = r"model:demo_model@[0-9a-f]{12}\|chat_template_kwargs:.*"
    judged = metric.signature(similarity="llm", model_id=chat_model)
    assert re.fullmatch(rf"{VERSION}dtype:auto\|.*similarity:llm\|rewrite:None\|.*{chat}", judged)
    rewritten = metric.signature(rewrite="simplify", similarity="rouge", model_id=chat_model)
    assert re.fullmatch(rf"{VERSION}.*similarity:rouge\|rewrite:simplify\|.*{chat}\|{MINILM}", rewritten)
    assert metric.signature(similarity="llm", model_id=chat_model, dtype="float64") != judged


@pytest.mark.parametrize("similarity", ["regression", "attention", "transformer"])
def test_a_head_is_known_wherever_it_lies(metric, tiny_bert, tmp_path, similarity):
    texts, ratings = articles(6), range(6)
    options = {"similarity": similarity, "encoder": tiny_bert, "epochs": 1, "aspect": "fluency"}
    head = metric.fit(texts, [text[:2] for text in texts], ratings, **options)
    head.save_pretrained(tmp_path)
    signature = metric.signature(similarity=similarity, head=head)
    assert re.search(r"\|encoder:bert\w*@[0-9a-f]{12}\|pooling:mean\|head:fluency@[0-9a-f]{12}$", signature)
    assert metric.signature(similarity=similarity, head=tmp_path) == signature
    other = metric.fit(texts, [text[2:] for text in texts], ratings, **options)
    assert metric.signature(similarity=similarity, head=other) != signature


def test_a_pooling_of_sentences_that_no_weight_shows(metric, tiny_bert):
    texts = articles(4)
    options = {"similarity": "transformer", "encoder": tiny_bert, "epochs": 1}
    head = metric.fit(texts, texts, range(4), **options)
    signature = metric.signature(similarity="transformer", head=head)
    head.aggregation = "avg"
    assert metric.signature(similarity="transformer", head=head) != signature


def test_opening_does_no_work_twice(metric, module_of, monkeypatch):
    opened, module = [], module_of("scoring")
    for name in ("open_head", "load_encoder"):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *args, real=real, name=name: opened.append(name) or real(*args))
    metric.compute(**PAIR)
    assert opened == ["open_head", "load_encoder"]
