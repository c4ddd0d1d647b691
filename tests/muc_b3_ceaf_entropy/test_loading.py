"""How the metric loads and behaves as an evaluate module."""

import pickle

import evaluate

from ..conftest import ROOT

FOLDER = ROOT / "metrics" / "muc_b3_ceaf_entropy"


def test_result_is_saved_and_pickled(metric, tmp_path):
    result = metric.compute(predictions=[[["a", "b"]], []], references=[[["a"]], []], baselines=True, confidence=0.9)
    evaluate.save(tmp_path / "result.json", **result)
    assert (tmp_path / "result.json").stat().st_size > 0
    assert len(pickle.loads(pickle.dumps(result))) == len(result)
