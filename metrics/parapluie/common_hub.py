# Copied from metrics/_common/common_hub.py: edit there, then run make vendor.
"""Where a model's files are: a folder, the Hub or its cache, an installed package. Whether the Hub can be reached is
one short question before the libraries' long ones."""

import json
import os
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

from huggingface_hub import constants, get_session, hf_hub_download, try_to_load_from_cache
from huggingface_hub.errors import HFValidationError

from .common import input_error, short_repr

TIMEOUT = 3  # seconds; huggingface_hub asks for about half a minute before it gives up


def find(name: str, revision: str | None = None, any_of=("config.json", "adapter_config.json")) -> tuple[str, bool]:
    """A folder or a name on the Hub, as the libraries take it, and what to give them as `local_files_only`.

    It is in the cache if one of the files is. ValueError where it is nowhere in reach.
    """
    if os.path.isdir(name := os.fspath(name)):
        return name, True
    try:
        cached = any(isinstance(try_to_load_from_cache(name, file, revision=revision), str) for file in any_of)
    except HFValidationError as error:
        raise input_error("", short_repr(name), f"a folder or a name on the Hub: {error!s:.300}") from None
    is_reachable = hub_is_reachable()
    if not cached and not is_reachable:
        expected = f"expected a folder, a cached model or a reachable Hub (at {constants.ENDPOINT})"
        raise ValueError(f"found {short_repr(name)} neither here nor in the cache, and no way to the Hub; {expected}")
    return name, not is_reachable


def file_of(name: str, file: str, **options) -> Path:
    """Where a model's file is: in its folder, or fetched from the Hub, with the options of that, into the cache."""
    return Path(name, file) if os.path.isdir(name) else Path(hf_hub_download(name, file, **options))


def commit_of(name: str, file: str, revision: str | None, local_files_only: bool) -> str | None:
    """The commit of a model's file, to load all others of the same; None for a folder.

    transformers says it no longer, since 5.18: config._commit_hash was the commit before.
    """
    if os.path.isdir(name):
        return None
    return file_of(name, file, revision=revision, local_files_only=local_files_only).parent.name


def hub_is_reachable() -> bool:
    """Whether the Hub may be asked (HF_HUB_OFFLINE) and answers, even if it has no such page."""
    if constants.HF_HUB_OFFLINE:
        return False
    try:
        status = get_session().get(constants.ENDPOINT, timeout=TIMEOUT).status_code
    except Exception:  # of the library's HTTP client, another one in each version
        return False
    return status < 500 and status != 407  # else it is a proxy that answers, or the Hub is down


def folders_of(module: str, metric: str) -> list[Path]:
    """Where a metric's folder may be, which has more than modules: that of the module's file, the one that evaluate has
    copied the module from, the installed package's."""
    here, package = Path(module).parent, find_spec("meaning_metrics")
    note = here / f"{metric}.json"  # evaluate's, beside its copy
    folders = [here]
    if note.is_file():
        folders.append(Path(json.loads(note.read_text(encoding="utf-8"))["original file path"]).parent)
    if package and package.origin:
        folders.append(Path(package.origin).parent / metric)
    return folders


def packaged_file(package: str, ending: str) -> Path | None:
    """A data file in an installed package, found without importing its code, which may want other packages."""
    try:
        return next((Path(file.locate()) for file in files(package) or () if str(file).endswith(ending)), None)
    except PackageNotFoundError:
        return None
