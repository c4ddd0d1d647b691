"""The metric inside a Trainer: a tiny sequence-to-sequence model learns to paraphrase and is scored as it goes."""

import numpy as np
import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration, Seq2SeqTrainer, Seq2SeqTrainingArguments

from ..common.models import TOKENIZERS
from .conftest import DEMO_MODEL, random_judge

SOURCES = ["The cat sat on the mat.", "It is late.", "He is here.", "She drank milk."]
TARGETS = ["On the mat sat a cat.", "It is not early.", "Here he is.", "Milk is what she drank."]


@pytest.fixture
def tokenizer():
    tokenizer = TOKENIZERS["qwen2"]()
    tokenizer.pad_token = "<|endoftext|>"
    return tokenizer


@random_judge
def test_seq2seq_trainer(metric, tokenizer, tmp_path):
    torch.manual_seed(0)
    pad = tokenizer.pad_token_id
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=64, pad_token_id=pad,
        bos_token_id=pad, eos_token_id=tokenizer.eos_token_id, decoder_start_token_id=pad, forced_eos_token_id=None,
    )  # fmt: skip
    model = BartForConditionalGeneration(config)

    def example(source, target):
        labels = tokenizer(target)["input_ids"]
        return {
            **tokenizer(source, padding="max_length", max_length=40),
            "labels": labels + [-100] * (40 - len(labels)),
        }

    seen = []

    def compute_metrics(prediction):
        ids = prediction.predictions
        ids = np.where(ids < 0, pad, ids)  # generated rows are filled up with -100, which no tokenizer can decode
        hypotheses = tokenizer.batch_decode(ids, skip_special_tokens=True)
        seen.append(hypotheses)
        return metric.compute(predictions=hypotheses, references=SOURCES, model_id=DEMO_MODEL, template="direct")

    trainer = Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            num_train_epochs=1,
            per_device_train_batch_size=2,
            per_device_eval_batch_size=3,
            predict_with_generate=True,
            generation_max_length=8,
            eval_strategy="epoch",
            save_strategy="epoch",
            metric_for_best_model="eval_score",
            load_best_model_at_end=True,
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        ),  # fmt: skip
        train_dataset=[example(*pair) for pair in zip(SOURCES, TARGETS)],
        eval_dataset=[example(*pair) for pair in zip(SOURCES, TARGETS)],
        compute_metrics=compute_metrics,
    )
    trainer.train()
    result = trainer.evaluate()
    trainer.log_metrics("eval", result)
    expected = metric.compute(predictions=seen[-1], references=SOURCES, model_id=DEMO_MODEL, template="direct")
    assert len(seen[-1]) == len(SOURCES)
    assert result["eval_score"] == pytest.approx(expected["score"], abs=1e-4)
    assert result["eval_paraphrase_rate"] == expected["paraphrase_rate"]
    assert result["eval_answer_mass"] == pytest.approx(expected["answer_mass"])
    assert trainer.state.best_metric is not None
