"""How the metric loads and behaves as an evaluate module."""

import ast
import pickle
import subprocess
import sys
import tokenize

import evaluate
import pytest

from ..conftest import ROOT

FOLDER = ROOT / "metrics" / "muc_b3_ceaf_entropy"

LOAD_WITHOUT_TORCH = """
import importlib.machinery
import sys
class WithoutTorch(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        absent = name.split(".")[0] in ("torch", "transformers", "sklearn", "nltk", "rapidfuzz")
        return None if absent else super().find_spec(name, path, target)
sys.meta_path = [WithoutTorch if f is importlib.machinery.PathFinder else f for f in sys.meta_path]
import evaluate
metric = evaluate.load({folder!r})
result = metric.compute(predictions=[[["a", "b"]]], references=[[["a", "b"]]], measures=["conll_f1"])
assert result == {{"conll_f1": 1.0}}, result
assert "torch" not in sys.modules
"""


def test_loads_and_computes_without_torch(tmp_path):
    """In a process where torch cannot be imported, from a copy of the folder alone and another directory."""
    copy = tmp_path / "muc_b3_ceaf_entropy"
    copy.mkdir()
    for file in FOLDER.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    script = LOAD_WITHOUT_TORCH.format(folder=str(copy))
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)


def test_every_helper_travels_with_the_script():
    """evaluate copies only the helpers that the main script imports."""
    tree = ast.parse((FOLDER / "muc_b3_ceaf_entropy.py").read_text(encoding="utf-8"))
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1}
    assert imported == {file.stem for file in FOLDER.glob("*.py")} - {"muc_b3_ceaf_entropy"}


def test_no_hash_signs_in_strings():
    """evaluate's cache ignores whatever follows one, so a change behind it would not be seen."""
    strings = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    for path in FOLDER.glob("*.py"):
        with path.open("rb") as file:
            assert not [t for t in tokenize.tokenize(file.readline) if t.type in strings and "#" in t.string], path


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
