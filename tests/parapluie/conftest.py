import pytest

from ..conftest import ROOT

# A model with random weights would rather say anything than yes or no, and the metric says so.
random_judge = pytest.mark.filterwarnings("ignore:.*the two answers together are less likely")
DEMO_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")


@pytest.fixture(scope="session")
def metric(load_metric):
    return load_metric("parapluie")


@pytest.fixture(autouse=True)
def quiet_progress_bars():
    """No bars in the tests' output."""
    import datasets

    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()
