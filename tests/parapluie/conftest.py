import pytest

from ..conftest import ROOT
from . import server as servers

# A model with random weights would rather say anything than what is asked for, and the metric says so.
random_judge = pytest.mark.filterwarnings("ignore:.*answers together are less likely")
DEMO_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")


class Said:
    """A judge whose answers are given: one for each question, or one for all."""

    name = "said"

    def __init__(self, *values):
        self.values = values

    def answer_log_probs(self, conversations, answers):
        return self.values * len(conversations) if len(self.values) == 1 else self.values

    def generate(self, conversations, max_new_tokens):
        return ["Yes."] * len(conversations)


@pytest.fixture(scope="session")
def metric(load_metric):
    return load_metric("parapluie")


@pytest.fixture
def server(monkeypatch):
    """A server that speaks the chat protocol. No Hub is needed, but without one the client refuses any server."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    with servers.running() as server:
        yield server


@pytest.fixture
def compute(metric, server):
    """Compute with three pairs and the server."""

    def compute(**options):
        options = {"endpoint": server.url, "model_id": "served", "template": "direct", "details": True, **options}
        return metric.compute(predictions=servers.HYPOTHESES, references=servers.SOURCES, **options)

    return compute


@pytest.fixture(autouse=True)
def quiet_progress_bars():
    """No bars in the tests' output."""
    import datasets

    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()
