"""What holds for every metric's folder, because evaluate's loader or the Hub wants it so."""

import ast
import configparser
import importlib.util
import subprocess
import sys
import tokenize
from importlib.metadata import version

import pytest

from .conftest import ROOT

FOLDERS = [path for path in sorted(ROOT.glob("metrics/*")) if not path.name.startswith("_")]
every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)

LOAD_WITHOUT_TORCH = """
import importlib.machinery
import sys
class WithoutTorch(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        absent = name.split(".")[0] in ("torch", "transformers", "accelerate", "sklearn", "nltk")
        return None if absent else super().find_spec(name, path, target)
sys.meta_path = [WithoutTorch if f is importlib.machinery.PathFinder else f for f in sys.meta_path]
import evaluate
metric = evaluate.load(sys.argv[1])
assert metric.name == sys.argv[1].split("/")[-1], metric.name
if metric.name == "muc_b3_ceaf_entropy":
    result = metric.compute(predictions=[[["a", "b"]]], references=[[["a", "b"]]], measures=["conll_f1"])
    assert result == {"conll_f1": 1.0}, result
    try:
        metric.link_mentions("it is it", [[0, 2], [6, 8]])
    except ImportError as error:
        assert "link_mentions needs torch and transformers and accelerate: pip install" in str(error), error
    else:
        raise AssertionError("linked without torch")
assert "torch" not in sys.modules
"""


@every_folder
def test_loads_without_torch(folder, tmp_path):
    """In a process where torch cannot be imported, from a copy of the folder alone and another directory."""
    if folder.name == "melasss" and version("huggingface_hub") < "1":
        pytest.skip("huggingface_hub's class for heads imports torch")
    copy = tmp_path / folder.name
    copy.mkdir()
    for file in folder.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    subprocess.run([sys.executable, "-c", LOAD_WITHOUT_TORCH, str(copy)], check=True, cwd=tmp_path)


@every_folder
def test_every_helper_travels_with_the_script(folder):
    """evaluate copies only the helpers that the main script imports."""
    tree = ast.parse((folder / f"{folder.name}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1}
    assert imported == {file.stem for file in folder.glob("*.py")} - {folder.name}


@every_folder
def test_no_hash_signs_in_strings(folder):
    """evaluate's cache ignores whatever follows one, so a change behind it would not be seen."""
    strings = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    for path in folder.glob("*.py"):
        with path.open("rb") as file:
            assert not [t for t in tokenize.tokenize(file.readline) if t.type in strings and "#" in t.string], path


@every_folder
def test_card_and_requirements_stand_beside_the_script(folder):
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\ntitle: ")
    assert (folder / "requirements.txt").read_text().split()


def test_requirements_are_those_of_setup():
    """Whoever installs for one metric, for its demo or for all gets the same lower bounds."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    parts = {"metrics": setup["options"]["install_requires"], "spaces": setup["options.extras_require"]["demo"]}
    for part, lines in parts.items():
        for file in ROOT.glob(f"{part}/*/requirements.txt"):
            assert set(file.read_text().split()) <= set(lines.split()), file


def test_versions():
    """What make test-oldest and test-newest install: every bound of setup.cfg, or every name without."""
    command = [sys.executable, str(ROOT / ".github" / "versions.py")]
    oldest, newest = (subprocess.check_output([*command, which], text=True).split() for which in ("oldest", "newest"))
    assert [line.split("==")[0] for line in oldest] == newest and {"evaluate", "torch", "gradio"} <= set(newest)
    bounded = (ROOT / "setup.cfg").read_text().replace(">=", "==").split()
    assert set(oldest) <= set(bounded)


def test_vendored_copies_are_the_source():
    for source in (*ROOT.glob("metrics/_common/*.py"), *ROOT.glob("spaces/_common/*.py")):
        copies = [copy for copy in source.parents[1].glob(f"*/{source.name}") if copy != source]
        assert copies and all(copy.read_bytes() == source.read_bytes() for copy in copies)


def test_vendoring(tmp_path):
    """make vendor renews the copies there are, and makes those it is asked for."""
    spec = importlib.util.spec_from_file_location("vendor", ROOT / ".github" / "hub" / "vendor.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ROOT = tmp_path
    for name in ("_common/shared.py", "old/shared.py", "new/new.py", "other/other.py"):
        for part in ("metrics", "spaces"):
            (tmp_path / part / name).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / part / name).write_text(f"{part}/{name}")
    module.vendor(["new"])
    for part in ("metrics", "spaces"):
        same = [
            path for path in tmp_path.glob(f"{part}/*/shared.py") if path.read_text() == f"{part}/_common/shared.py"
        ]
        assert {path.parent.name for path in same} == {"_common", "old", "new"}
