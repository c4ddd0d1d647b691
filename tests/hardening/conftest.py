import datasets
import pytest
import torch

from . import runs


@pytest.fixture(scope="module", autouse=True)
def quiet():
    """One thread for each process, no bars, and nothing is asked of the Hub."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    datasets.disable_progress_bars()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        yield
    datasets.enable_progress_bars()
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Starts runs in processes of their own."""
    with runs.Server(tmp_path_factory.mktemp("runs")) as server:
        yield server
