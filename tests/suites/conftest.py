import pytest

from ..morpheval.conftest import lefff_path, lexicon, metric  # noqa: F401 fixtures
from .wordnet import write


@pytest.fixture(scope="session")
def wordnet(tmp_path_factory):
    """A folder with a small WordNet of our own."""
    folder = tmp_path_factory.mktemp("wordnet")
    write(folder)
    return folder
