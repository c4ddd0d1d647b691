"""The metric inside a Trainer: a tiny model, which says nothing yet, is scored against its inputs."""

import copy
import math

import pytest

from ..common.models import TOKENIZERS, decoded, trained_and_evaluated
from .models import articles


@pytest.mark.filterwarnings("ignore:melasss. . of 3 predictions are empty", "ignore:melasss. . of 3 examples have")
def test_summarisation(metric, tmp_path):
    tokenizer, seen = copy.deepcopy(TOKENIZERS["qwen2"]()), []
    texts = [" ".join(text) for text in articles(3, sentences=3)]

    def compute_metrics(prediction):
        summaries = decoded(tokenizer, prediction.predictions)
        seen.append(decoded(tokenizer, prediction.inputs))
        summaries[0] = texts[0][:30]  # as if it had learned one
        return metric.compute(predictions=summaries, references=seen[-1])

    pairs = [(text, text[:30]) for text in texts]
    options = {"folder": tmp_path, "include_for_metrics": ["inputs"]}
    trainer, result = trained_and_evaluated(pairs, tokenizer, 250, compute_metrics, **options)
    assert 0 < result["eval_score"] < 1 and math.isfinite(result["eval_score"])
    assert result["eval_empty_predictions"] == 2  # an untrained model's answers, which stop nothing
    assert seen[0] == texts  # the metric saw the whole texts, in order
    assert any("eval_score" in entry for entry in trainer.state.log_history)
