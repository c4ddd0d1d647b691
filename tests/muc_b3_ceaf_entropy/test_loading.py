"""How the metric loads and behaves as an evaluate module."""

import pickle

import evaluate
import pytest

from ..conftest import ROOT

FOLDER = ROOT / "metrics" / "muc_b3_ceaf_entropy"


def test_file_backed_instances_recover_from_errors():
    """The default, on-disk mode: an error in an option leaves no stale documents behind."""
    metric = evaluate.load(str(FOLDER))
    with pytest.raises(ValueError, match="mentions"):
        metric.compute(predictions=[[["a"]]], references=[[["b"]]], mentions="x")
    assert metric.compute(predictions=[[["a"]]], references=[[["a"]]])["b3_f1"] == 1.0


def test_combines_with_other_metrics(metric):
    """evaluate.combine calls compute of each and merges the results under their names."""
    assert metric.name == "muc_b3_ceaf_entropy"
    both = evaluate.combine([metric, metric])
    result = both.compute(predictions=[[["a"]]], references=[[["a"]]])
    assert result["muc_b3_ceaf_entropy_0_b3_f1"] == 1.0


def test_result_is_saved_and_pickled(metric, tmp_path):
    result = metric.compute(predictions=[[["a", "b"]], []], references=[[["a"]], []], baselines=True, confidence=0.9)
    evaluate.save(tmp_path / "result.json", **result)
    assert (tmp_path / "result.json").stat().st_size > 0
    assert len(pickle.loads(pickle.dumps(result))) == len(result)
