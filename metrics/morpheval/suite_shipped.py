"""The English test suite that ships with the metric: where its file is, beside the metric or on the Hub."""

import json
from hashlib import sha256
from pathlib import Path

from huggingface_hub import hf_hub_download

from .common import input_error
from .common_hub import folders_of
from .lexicon import DIGITS, digest_of, is_file

SUITE_VERSION = "1.0"
SUITE_DIGEST = "15796eb415b8"  # of its file, by training/suite/build.py: another one is not taken
GROUPS_DIGEST = "2cad372c71b8"  # of its groups, in whatever file they are
SUITE_ON_HUB = "metrics/morpheval/suite"  # publish.py writes the dataset's name on the Hub here
FILE = "en.jsonl"


def digest_of_groups(groups: list[dict]) -> str:
    """What tells a suite from others: the digest of its tests, sentences and directions."""
    told = [[group["test"], group["sources"], group.get("direction", "added")] for group in groups]
    return sha256(json.dumps(told).encode()).hexdigest()[:DIGITS]


def find_suite() -> Path:
    """The suite's file: in the metric's folder, which the package has, or the Hub's of the same digest.

    Raises:
        ValueError: neither; the message says how to get one.
    """
    for folder in folders_of(__file__, "morpheval"):
        path = folder / "suite" / FILE
        if is_file(path) and digest_of(path)[:DIGITS] == SUITE_DIGEST:
            return path
    try:
        path = Path(hf_hub_download(SUITE_ON_HUB, FILE, repo_type="dataset", revision=f"data-{SUITE_DIGEST}"))
    except (OSError, ValueError) as error:  # no network, no such dataset
        raise input_error(
            "",
            f"no suite {SUITE_VERSION} beside the metric, and the Hub cannot give {SUITE_ON_HUB} ("
            f"{type(error).__name__})",
            "a suite there, the package meaning-metrics, or the path of a suite",
            but="; ",
        ) from error
    if (found := digest_of(path)[:DIGITS]) != SUITE_DIGEST:
        raise input_error(path, f"the digest {found}", f"{SUITE_DIGEST}, that of the suite {SUITE_VERSION}")
    return path
