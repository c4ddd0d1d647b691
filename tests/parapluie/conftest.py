import pytest

from ..conftest import ROOT

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
