import pytest

from . import runs


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Starts runs in processes of their own."""
    with runs.Server(tmp_path_factory.mktemp("runs")) as server:
        yield server
