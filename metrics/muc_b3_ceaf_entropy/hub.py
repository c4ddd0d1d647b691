"""Where a model's files are, and whether the Hub answers: one short question before the libraries' long ones.

This file is vendored: `metrics/_common/hub.py` is the source, `make vendor` copies it into the metric folders.
"""

import os
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import urlopen

from huggingface_hub import constants, try_to_load_from_cache
from huggingface_hub.errors import HFValidationError

from .values import shown

TIMEOUT = 3  # seconds; huggingface_hub asks for about half a minute before it gives up


def find(name: str, revision: str | None = None) -> tuple[str, bool]:
    """Where a model is, and whether it must be taken without asking the Hub.

    Args:
        name: a folder, or a name on the Hub.
        revision: commit, tag or branch.

    Returns:
        The name as the libraries take it, and what to give them as `local_files_only`.

    Raises:
        ValueError: it is no folder and no name, or it is not in the cache and the Hub is out of reach.
    """
    name = os.fspath(name)
    if os.path.isdir(name):
        return name, True
    try:
        cached = isinstance(try_to_load_from_cache(name, "config.json", revision=revision), str)
    except HFValidationError as error:
        raise ValueError(
            f"found {shown(name)}, which is no folder and no name on the Hub, expected one of them: {str(error):.300}"
        ) from None
    if answers():
        return name, False
    if cached:
        return name, True
    hub = f"the Hub at {constants.ENDPOINT}"
    raise ValueError(
        f"found {shown(name)}, which is neither a folder nor in the cache, and {hub} is out of reach; expected one of "
        "the three"
    )


def answers() -> bool:
    """Whether the Hub may be asked (HF_HUB_OFFLINE) and answers, be it that it has no such page."""
    if constants.HF_HUB_OFFLINE:
        return False
    try:
        urlopen(constants.ENDPOINT, timeout=TIMEOUT).close()
    except HTTPError as error:
        return error.code < 500 and error.code != 407  # else it is a proxy that answers, or the Hub is down
    except (OSError, HTTPException, ValueError):
        return False
    return True
