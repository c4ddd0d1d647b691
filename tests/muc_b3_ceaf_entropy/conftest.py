import json
from pathlib import Path

import pytest


def table(name):
    """A table of examples, one on each line."""
    return list(map(json.loads, Path(__file__).with_name(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="session")
def metric(load_metric):
    return load_metric("muc_b3_ceaf_entropy")


@pytest.fixture(scope="session")
def score(metric):
    """Score one document: score(key, response, **options)."""
    return lambda key, response, **options: metric.compute(predictions=[response], references=[key], **options)


@pytest.fixture
def write(tmp_path):
    def write(text, name="file.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
