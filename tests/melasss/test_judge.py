"""A chat model asked directly: its probabilities of yes and no, whatever the text contains."""

import pytest
import torch

from metrics.melasss import similarities as judge
from metrics.melasss.common_chat import YES_OR_NO
from metrics.melasss.common_llm import ChatLLM
from metrics.melasss.common_loading import load

from .models import BAD, GOOD, HARBOUR

PAIRS = {"predictions": [GOOD, BAD], "references": [HARBOUR, HARBOUR]}


def test_probabilities_are_the_models(metric, chat_model):
    llm = ChatLLM(*load(chat_model))
    expected = []
    for summary in (GOOD, BAD):
        [prompt] = llm.prompts(
            judge.MESSAGES, [{"text": "\n".join(metric.split(HARBOUR)), "summary": "\n".join(metric.split(summary))}]
        )
        yes, no = ([token for [token] in variants] for variants in llm.answers(judge.MESSAGES, YES_OR_NO))
        with torch.no_grad():
            logits = llm.model(torch.tensor([prompt])).logits[0, -1].double()
        sums = torch.stack([logits[yes].logsumexp(0), logits[no].logsumexp(0)])
        expected.append(float(torch.softmax(sums, dim=0)[0]))
    result = metric.compute(**PAIRS, similarity="llm", model_id=chat_model, details=True)
    assert result["scores"] == pytest.approx(expected, abs=1e-4)
    assert list(result) == ["score", "melasss", "scores", "signature"]
    assert result["score"] == pytest.approx(sum(expected) / 2, abs=1e-4)


def test_live_objects_and_batches(metric, chat_model):
    llm = ChatLLM(*load(chat_model))
    one = metric.compute(**PAIRS, similarity="llm", model=llm.model, tokenizer=llm.tokenizer, batch_size=1)
    assert one["score"] == pytest.approx(
        metric.compute(**PAIRS, similarity="llm", model_id=chat_model)["score"], abs=1e-5
    )


def test_resumed(metric, chat_model, tmp_path):
    options = {"similarity": "llm", "model_id": chat_model, "resume": str(tmp_path / "said.sqlite")}
    assert metric.compute(**PAIRS, **options) == metric.compute(**PAIRS, **options)
    (tmp_path / "text.sqlite").write_text("no database, but text long enough to be looked at as one")
    with pytest.raises(ValueError, match="^melasss: resume: found .* which is no score file"):
        metric.compute(**PAIRS, **{**options, "resume": str(tmp_path / "text.sqlite")})


def test_a_text_longer_than_the_model_can_read(metric, chat_model):
    with pytest.raises(ValueError, match=r"^melasss: example 1: found a prompt of \d+ tokens, expected at most"):
        metric.compute(
            predictions=[GOOD] * 2, references=[HARBOUR, HARBOUR * 200], similarity="llm", model_id=chat_model
        )
