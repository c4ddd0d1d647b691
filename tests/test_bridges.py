"""The metrics in other libraries' hands: combined, mapped over datasets, hashed, pickled."""

import pickle
import warnings

import datasets
import evaluate
import pytest
from datasets.fingerprint import Hasher

from .conftest import ROOT

NAMES = sorted(path.name for path in ROOT.glob("metrics/[!_]*"))
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
    """Also once it has scored, with its files on disk, or has examples to score."""
    path = str(ROOT / "metrics" / "muc_b3_ceaf_entropy")
    fresh, used = evaluate.load(path), evaluate.load(path)
    used.compute(predictions=[[["a"]]], references=[[["a"]]])
    used.add(prediction=[["a"]], reference=[["a"]])
    assert Hasher.hash(used) == Hasher.hash(fresh) != Hasher.hash(evaluate.load(path, keep_in_memory=True))


def test_mapped(load_metric, tmp_path):
    """datasets knows the result again: the function, and the metric in it, have a fingerprint."""
    metric = load_metric("muc_b3_ceaf_entropy")
    rows = [{"key": [["a", "b"], ["c"]], "response": [["a", "b", "c"]]}, {"key": [["a"]], "response": [["a"]]}]
    datasets.Dataset.from_list(rows).save_to_disk(str(tmp_path))

    def score(row):
        return metric.compute(predictions=[row["response"]], references=[row["key"]], measures=["b3"])

    found = [datasets.load_from_disk(str(tmp_path)).map(score) for _ in range(2)]
    assert found[0]["b3_precision"] == pytest.approx([5 / 9, 1])
    assert found[0].cache_files == found[1].cache_files and len(found[0].cache_files) == 1


def test_combined(load_metric):
    """Two that have a "score" each: both are there, each under a name of its own."""

    def with_judge(metric):
        compute = metric.compute
        metric.compute = lambda **examples: compute(**examples, model_id=JUDGE)
        return metric

    paraphrase, summary = with_judge(load_metric("parapluie")), load_metric("melasss")
    examples = {"predictions": [SUMMARY], "references": [TEXT]}
    result = evaluate.combine([paraphrase, summary]).compute(**examples)
    assert result["melasss"] == summary.compute(**examples)["score"] == result["melasss_score"]
    assert result["parapluie"] == paraphrase.compute(**examples)["score"] == result["parapluie_score"]
