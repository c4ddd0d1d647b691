"""The metric inside a Trainer: a tiny sequence-to-sequence model learns to paraphrase and is scored as it goes."""

import copy

import pytest

from ..common.models import TOKENIZERS, decoded, trained_and_evaluated
from .conftest import DEMO_MODEL, random_judge

SOURCES = ["The cat sat on the mat.", "It is late.", "He is here.", "She drank milk."]
TARGETS = ["On the mat sat a cat.", "It is not early.", "Here he is.", "Milk is what she drank."]


@random_judge
def test_seq2seq_trainer(metric, tmp_path):
    tokenizer, seen = copy.deepcopy(TOKENIZERS["qwen2"]()), []
    given = {"references": SOURCES, "model_id": DEMO_MODEL, "template": "direct"}

    def compute_metrics(prediction):
        seen.append(decoded(tokenizer, prediction.predictions))
        return metric.compute(predictions=seen[-1], **given)

    pairs = list(zip(SOURCES, TARGETS))
    trainer, result = trained_and_evaluated(pairs, tokenizer, 40, compute_metrics, tmp_path)
    trainer.log_metrics("eval", result)
    expected = metric.compute(predictions=seen[-1], **given)
    assert len(seen[-1]) == len(SOURCES)
    assert result["eval_score"] == pytest.approx(expected["score"], abs=1e-4)
    assert result["eval_paraphrase_rate"] == expected["paraphrase_rate"]
    assert result["eval_answer_mass"] == pytest.approx(expected["answer_mass"])
    assert trainer.state.best_metric is not None
