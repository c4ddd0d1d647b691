"""What holds for every metric's folder, because evaluate's loader or the Hub needs it."""

import ast
import configparser
import re
import shutil
import subprocess
import sys
import tokenize
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

import pytest

from metrics._common.common import VERSION
from metrics.parapluie.judges import JudgeOptions

from .conftest import ROOT, module_at

FOLDERS = [path for path in sorted(ROOT.glob("metrics/[!_]*")) if path.is_dir()]
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
class Judge:
    name = "one who always says yes"
    def answer_log_probs(self, conversations, answers):
        return [(-0.1, -3.0, "yes") for _ in conversations]
for folder in sys.argv[1:]:
    metric = evaluate.load(folder)
    assert metric.name == folder.split("/")[-1], metric.name
    if metric.name == "muc_b3_ceaf_entropy":
        result = metric.compute(predictions=[[["a", "b"]]], references=[[["a", "b"]]], measures=["conll_f1"])
        assert result == {"conll_f1": 1.0}, result
        assert metric.link_mentions("it is it", [[0, 2], [6, 8]], Judge()) == [[[0, 2], [6, 8]]]
    assert "torch" not in sys.modules, metric.name
    print(metric.name)
"""


@pytest.fixture(scope="module")
def loaded_without_torch(tmp_path_factory):
    """What a process prints that loads copies of all folders, elsewhere."""
    folder = tmp_path_factory.mktemp("copies")
    for file in ROOT.glob("metrics/[!_]*/*.py"):
        (folder / file.parent.name).mkdir(exist_ok=True)
        (folder / file.parent.name / file.name).write_bytes(file.read_bytes())
    # huggingface_hub's class for heads imported torch before version 1, so melasss comes last.
    copies = sorted(map(str, folder.iterdir()), key=lambda path: path.endswith("melasss"))
    command = [sys.executable, "-c", LOAD_WITHOUT_TORCH, *copies]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


@every_folder
def test_loads_without_torch(folder, loaded_without_torch):
    """Where torch cannot be imported, from a copy of the folder alone and another directory."""
    if folder.name == "melasss" and version("huggingface_hub") < "1":
        pytest.skip("huggingface_hub's class for heads imports torch")
    assert folder.name in loaded_without_torch.stdout.split(), loaded_without_torch.stderr


@every_folder
def test_every_helper_travels_with_the_script(folder):
    """evaluate copies only the helpers that the main script imports."""
    tree = ast.parse((folder / f"{folder.name}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1}
    assert imported == {file.stem for file in folder.glob("*.py")} - {folder.name}
    lines = (folder / f"{folder.name}.py").read_text(encoding="utf-8").splitlines()
    # What follows an import would be taken for an address.
    assert not [line for line in lines if line.startswith("from .") and "#" in line]


@every_folder
def test_no_hash_signs_in_strings(folder):
    """evaluate's cache ignores whatever follows one, so a later change would not be seen."""
    strings = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    for path in folder.glob("*.py"):
        with path.open("rb") as file:
            assert not [t for t in tokenize.tokenize(file.readline) if t.type in strings and "#" in t.string], path


def test_requirements_are_those_of_setup():
    """Installing for one metric, for its demo or for all gives the same lower bounds."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    least, extras = setup["options"]["install_requires"], setup["options.extras_require"]
    for file in ROOT.glob("metrics/*/requirements.txt"):
        own = extras.get(file.parent.name, "")
        assert set(file.read_text().split()) <= set(f"{least} {extras['evaluate']} {own}".split()), file
    for file in ROOT.glob("spaces/*/requirements.txt"):
        assert set(file.read_text().split()) <= set(extras["demo"].split()), file


def test_versions():
    """What make test-oldest and test-newest install: every bound of setup.cfg, or every name without."""
    command = [sys.executable, str(ROOT / ".github" / "versions.py")]
    oldest, newest = (subprocess.check_output([*command, which], text=True).split() for which in ("oldest", "newest"))
    assert [line.split("==")[0] for line in oldest] == newest and {"evaluate", "torch", "gradio"} <= set(newest)
    bounded = (ROOT / "setup.cfg").read_text().replace(">=", "==").split()
    assert set(oldest) <= set(bounded)


def test_the_version_is_the_same_everywhere():
    """That of the last release; after it, the next one's with .dev0, so that no score is said to be a release's."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["metadata"]["version"] == VERSION
    changes, citation = ((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    releases = re.findall(r"^## (\S+),", changes, re.M)
    assert releases[0] == setup["metadata"]["version"] == VERSION
    # Between two releases one cites the last.
    cited = releases[1] if VERSION.endswith(".dev0") else VERSION
    assert re.search(r"^version: (\S+)$", citation, re.M)[1] == cited


# ---- What is shared ----


def vendor_module():
    return module_at(ROOT / ".github" / "hub" / "vendor.py")


def test_copies_are_what_make_vendor_writes():
    copies = vendor_module().copies()
    assert set(ROOT.glob("metrics/[!_]*/common*.py")) == set(copies)
    assert [path for path, text in copies.items() if path.read_text(encoding="utf-8") != text] == []


def test_copies_say_where_to_edit_and_are_marked_as_generated():
    copies = [str(path.relative_to(ROOT)) for path in vendor_module().copies()]
    for path in copies:
        first, *_ = (ROOT / path).read_text(encoding="utf-8").splitlines()
        source = re.fullmatch("# Copied from (.*): edit there, then run make vendor.", first)[1]
        assert (ROOT / source).is_file() and Path(source).name == Path(path).name
    ask = ["git", "check-attr", "linguist-generated", "--", *copies, "metrics/_common/common.py"]
    *marked, own = subprocess.check_output(ask, text=True, cwd=ROOT).splitlines()
    assert all(line.endswith(": set") for line in marked) and own.endswith(": unset")


def test_make_vendor(tmp_path):
    """It renews copies, and makes those that are missing."""
    for part in (".github/hub", "metrics/_common"):
        shutil.copytree(ROOT / part, tmp_path / part)
    copies = [path.relative_to(ROOT) for path in vendor_module().copies()]
    for path in copies:
        (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / copies[0]).write_text("old")
    command = [sys.executable, str(tmp_path / ".github" / "hub" / "vendor.py")]
    assert subprocess.check_output(command, text=True).split() == list(map(str, copies))
    assert all((tmp_path / path).read_bytes() == (ROOT / path).read_bytes() for path in copies)


# ---- What a folder needs ----


@every_folder
def test_a_metric_carries_only_what_it_needs(folder):
    """A local model where one is asked; elsewhere nothing of chat models."""
    copies, asks = [*folder.glob("common*.py")], folder.name in ("parapluie", "melasss")
    assert {"torch", "transformers"}.isdisjoint(packages_of(copies)) is not asks


def packages_of(paths):
    """What modules import, at once or when it is needed."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module.partition(".")[0]


CHAT_OPTIONS = {field.name for field in fields(JudgeOptions)} - {"revision", "device"}


@every_folder
def test_the_chat_options_are_listed_once(folder):
    """In ChatOptions and JudgeOptions: no other class or function repeats more than two of them."""
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            listed = set()
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                listed = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
            elif isinstance(node, ast.ClassDef) and node.name not in ("ChatOptions", "JudgeOptions"):
                listed = {entry.target.id for entry in node.body if isinstance(entry, ast.AnnAssign)}
            elif isinstance(node, ast.Call):
                listed = {keyword.arg for keyword in node.keywords}
                assert ast.unparse(node.func) != "locals", path
            most = 4 if path.name.startswith(("common_llm", "judge_")) else 2  # which judge, and how to ask it
            assert len(listed & CHAT_OPTIONS) <= most, f"{path}, line {node.lineno}"
