"""What all tests share."""

from pathlib import Path

import evaluate
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def load_metric():
    """Load a metric of this repository by name, as a user would; in memory, so that no test waits for a file lock."""
    return lambda name: evaluate.load(str(ROOT / "metrics" / name), keep_in_memory=True)
