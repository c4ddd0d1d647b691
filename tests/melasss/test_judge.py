"""A chat model asked directly: its probabilities of yes and no, whatever the text contains."""

import pytest
import torch

from metrics.melasss import scoring
from metrics.melasss.common_judge import YES_OR_NO
from metrics.melasss.similarities import QUESTION

from .models import BAD, GOOD, HARBOUR

PAIRS = {"predictions": [GOOD, BAD], "references": [HARBOUR, HARBOUR]}


def test_probabilities_are_the_models(metric, chat_model):
    llm = scoring.open_judge(scoring.Options(model_id=chat_model))
    expected = []
    for summary in (GOOD, BAD):
        text, short = ("\n".join(metric.split(each)) for each in (HARBOUR, summary))
        conversation = [{"role": "user", "content": QUESTION.format(text=text, summary=short)}]
        shape = llm.prompts.shape(conversation)
        [prompt] = llm.prompts.ids([conversation])
        yes, no = ([token for [token] in variants] for variants in llm.prompts.answers(shape, YES_OR_NO))
        with torch.no_grad():
            logits = llm.model(torch.tensor([prompt])).logits[0, -1].double()
        sums = torch.stack([logits[yes].logsumexp(0), logits[no].logsumexp(0)])
        expected.append(float(torch.softmax(sums, dim=0)[0]))
    result = metric.compute(**PAIRS, similarity="llm", model_id=chat_model, details=True)
    assert result["scores"] == pytest.approx(expected, abs=1e-4)
    assert list(result) == ["score", "melasss", "scores", "signature"]
    assert result["score"] == pytest.approx(sum(expected) / 2, abs=1e-4)


def test_live_objects_and_batches(metric, chat_model):
    llm = scoring.open_judge(scoring.Options(model_id=chat_model))
    one = metric.compute(**PAIRS, similarity="llm", model=llm.model, tokenizer=llm.tokenizer, batch_size=1)
    named = metric.compute(**PAIRS, similarity="llm", model_id=chat_model)
    assert one["score"] == pytest.approx(named["score"], abs=1e-5)
