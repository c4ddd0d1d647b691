"""The metric inside a Trainer: a tiny model, which says nothing yet, is scored against its inputs."""

import math

import numpy as np
import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration, Seq2SeqTrainer, Seq2SeqTrainingArguments

from ..common.models import TOKENIZERS
from .models import articles


@pytest.mark.filterwarnings("ignore:melasss. . of 3 predictions are empty", "ignore:melasss. . of 3 examples have")
def test_summarisation(metric, tmp_path):
    tokenizer = TOKENIZERS["qwen2"]()
    tokenizer.pad_token = "<|endoftext|>"
    pad = tokenizer.pad_token_id
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=256,
        pad_token_id=pad,
        bos_token_id=pad, eos_token_id=tokenizer.eos_token_id, decoder_start_token_id=pad, forced_eos_token_id=None,
    )  # fmt: skip
    texts = [" ".join(text) for text in articles(3, sentences=3)]

    def example(text):
        labels = tokenizer(text[:30])["input_ids"]
        return {**tokenizer(text, padding="max_length", max_length=250), "labels": labels + [-100] * (40 - len(labels))}

    seen = []

    def compute_metrics(prediction):
        predicted, inputs = (np.where(ids < 0, pad, ids) for ids in (prediction.predictions, prediction.inputs))
        summaries = tokenizer.batch_decode(predicted, skip_special_tokens=True)
        seen.append(tokenizer.batch_decode(inputs, skip_special_tokens=True))
        summaries[0] = texts[0][:30]  # as if it had learned one
        return metric.compute(predictions=summaries, references=seen[-1])

    trainer = Seq2SeqTrainer(
        model=BartForConditionalGeneration(config),
        args=Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            num_train_epochs=1,
            per_device_eval_batch_size=2,
            predict_with_generate=True,
            generation_max_length=8,
            include_for_metrics=["inputs"],
            eval_strategy="epoch",
            save_strategy="epoch",
            metric_for_best_model="eval_score",
            load_best_model_at_end=True,
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        ),  # fmt: skip
        train_dataset=[example(text) for text in texts],
        eval_dataset=[example(text) for text in texts],
        compute_metrics=compute_metrics,
    )
    trainer.train()
    result = trainer.evaluate()
    assert 0 < result["eval_score"] < 1 and math.isfinite(result["eval_score"])
    assert result["eval_empty_predictions"] == 2  # an untrained model's answers, which stop nothing
    assert seen[0] == texts  # the metric saw the whole texts, in order
    assert any("eval_score" in entry for entry in trainer.state.log_history)
