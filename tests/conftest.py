"""What all tests share."""

import importlib.util
import os
from pathlib import Path

import evaluate
import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = []
# On a machine with other work to do, an example may take longer than the 200 ms that hypothesis allows it.
hypothesis.settings.register_profile("without deadline", deadline=None)
hypothesis.settings.load_profile("without deadline")


def module_at(path):
    """A module that belongs to no package, from its file; a new one each time."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def load_metric():
    """Load a metric of this repository by name, as a user would; in memory, so that no test waits for a file lock."""
    return lambda name: evaluate.load(str(ROOT / "metrics" / name), keep_in_memory=True)


def pytest_runtest_logreport(report):
    """Remember what is skipped."""
    if report.skipped and not hasattr(report, "wasxfail"):
        SKIPPED.append(report.nodeid)


pytest_collectreport = pytest_runtest_logreport  # whole files


def pytest_sessionfinish(session):
    """Write the names of the skipped tests to the file $SKIPPED_TO, for `pytest @file`."""
    path = os.environ.get("SKIPPED_TO")
    if path and not hasattr(session.config, "workerinput"):  # of several processes, the one that has all reports
        Path(path).write_text("".join(f"{name}\n" for name in SKIPPED), encoding="utf-8")
