import sys

import datasets
import pytest

from metrics.melasss import encoder as encoder_module

from ..conftest import ROOT
from . import models

CHAT_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")


@pytest.fixture(scope="session")
def metric(load_metric):
    return load_metric("melasss")


@pytest.fixture(scope="session")
def module_of(metric):
    """A module of the metric as evaluate has loaded it, which is another one than that of the checkout."""
    package = type(metric).__module__.rpartition(".")[0]
    return lambda name: sys.modules[f"{package}.{name}"]


@pytest.fixture(scope="session")
def minilm():
    """The default encoder, from the installed package: real weights."""
    return encoder_module.load()


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    """The folder of a BERT with random weights, of width 32."""
    return models.save_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="session")
def chat_model():
    """The folder of a chat model with random weights."""
    return CHAT_MODEL


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Offline, as this machine is, and without bars in the tests' output."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()
