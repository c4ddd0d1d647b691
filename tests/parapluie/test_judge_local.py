"""What `model_id` may name: GGUF files, adapters, models for several media, tekken.json, the packaged model; errors;
and the warning of texts with words of the chat template."""

import json
import pickle
import shutil
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
import transformers
from packaging.version import Version
from safetensors.torch import load_file

from metrics.parapluie import common_llm, judge_local
from metrics.parapluie.common import metric_errors
from metrics.parapluie.common_judge import YES_OR_NO
from metrics.parapluie.common_llm import CONTINUES, file_stats, files_digest
from metrics.parapluie.judge_local import PACKAGED, LocalModel, load
from metrics.parapluie.judges import JudgeOptions
from metrics.parapluie.templates import TEMPLATES

from ..common.judging import conversations, expected_log_probs, expected_ratios, ratios
from ..common.models import ARCHITECTURES, TOKENIZERS, tiny_model
from ..common.test_architectures import SHAPES, is_cached
from ..hub import hub_in_reach

FIELDS = [{"source": "a cat", "hypothesis": text} for text in ("a cat", "it is late", "a")]


def save(folder, architecture="llama", **settings):
    """A tiny model with its tokenizer, in a folder."""
    tokenizer = TOKENIZERS["qwen2"]()
    model = tiny_model(architecture, len(tokenizer), **settings)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def digest(path):
    return files_digest(path, file_stats(path))


def log_probs(judge):
    found = judge.answer_log_probs(conversations(TEMPLATES["direct"], FIELDS), YES_OR_NO)
    return [value for *both, _ in found for value in both]


def expected(model):
    """The oracle's, of a live model with the same tokenizer."""
    judge = LocalModel(model, TOKENIZERS["qwen2"]())
    return sum(expected_log_probs(judge, TEMPLATES["direct"], FIELDS, YES_OR_NO), [])


# ---- GGUF ----


def write_gguf(path, model, tokenizer):
    """A Llama model and its byte-level tokenizer as a GGUF file in float32."""
    gguf = pytest.importorskip("gguf")
    if sys.version_info < (3, 11) and Version(transformers.__version__) < Version("5.18"):
        pytest.skip("transformers before 5.18 does not find the package gguf under Python 3.10")
    config, writer = model.config, gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_vocab_size(config.vocab_size)
    content = json.loads(tokenizer.backend_tokenizer.to_str())
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    added = tokenizer.get_added_vocab()
    kinds = [gguf.TokenType.CONTROL if word in added else gguf.TokenType.NORMAL for word in vocabulary]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(vocabulary)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(merge) for merge in content["model"]["merges"]])
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_bos_token_id(tokenizer.eos_token_id)
    writer.add_chat_template(tokenizer.chat_template)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in model.state_dict().items():
        values = weight.float().numpy()
        heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2])
        if heads:  # the two halves of each head's rotation stand side by side there
            values = values.reshape(heads, 2, -1, values.shape[1]).swapaxes(1, 2).reshape(values.shape)
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight",)), values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_gguf_file(tmp_path, monkeypatch):
    tokenizer = TOKENIZERS["qwen2"]()
    model = tiny_model("llama", len(tokenizer), tie_word_embeddings=False)
    write_gguf(tmp_path / "tiny.gguf", model, tokenizer)
    judge = LocalModel(*load(str(tmp_path / "tiny.gguf"), dtype="float32"))
    assert log_probs(judge) == pytest.approx(expected(model), abs=1e-3)
    assert judge.signature().startswith(f"tiny.gguf@{digest(tmp_path / 'tiny.gguf')}|")
    monkeypatch.chdir(tmp_path)
    assert log_probs(LocalModel(*load("tiny.gguf", dtype="float32"))) == pytest.approx(expected(model), abs=1e-3)


def test_the_packaged_model_is_converted_once(tmp_path, monkeypatch):
    """Here with a tiny model in its place; the next process finds the copy."""
    folder = tmp_path / "stands_for_it" / "model"
    folder.mkdir(parents=True)
    (about := tmp_path / "stands_for_it-1.dist-info").mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stands-for-it\nVersion: 1\n")
    (about / "RECORD").write_text("stands_for_it/model/tiny.gguf,,\n")
    tokenizer = TOKENIZERS["qwen2"]()
    model = tiny_model("llama", len(tokenizer), tie_word_embeddings=False)
    write_gguf(folder / "tiny.gguf", model, tokenizer)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(judge_local, "PACKAGE", ("stands-for-it", ".gguf"))
    (tmp_path / "kept").mkdir()
    monkeypatch.setattr(judge_local, "cached_assets_path", lambda *_, **__: tmp_path / "kept")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "no cache"))
    monkeypatch.setattr(common_llm, "LOADED", {})
    for _ in range(2):
        assert log_probs(LocalModel(*load(PACKAGED))) == pytest.approx(expected(model), abs=1e-3)
        common_llm.LOADED.clear()
        (folder / "tiny.gguf").unlink(missing_ok=True)
    with pytest.raises(ValueError, match="found 'HuggingFaceTB/another' neither here nor in the cache"):
        load("HuggingFaceTB/another")


# ---- Adapters ----


@pytest.fixture
def adapter(tmp_path):
    """(folder of an adapter with its head adapted, folder of its base, the adapted model)."""
    peft = pytest.importorskip("peft")
    base = save(tmp_path / "base")
    config = peft.LoraConfig(r=4, target_modules=["lm_head", "q_proj"], init_lora_weights=False, task_type="CAUSAL_LM")
    model = peft.get_peft_model(base, config)
    model.peft_config["default"].base_model_name_or_path = str(tmp_path / "base")
    model.save_pretrained(tmp_path / "adapter", save_embedding_layers=False)
    return tmp_path / "adapter", tmp_path / "base", model.eval()


@pytest.mark.parametrize("own_tokenizer", [False, True])
def test_an_adapter(adapter, own_tokenizer):
    """On the head, too; with the tokenizer beside it or beside its base."""
    folder, base, model = adapter
    if own_tokenizer:
        TOKENIZERS["qwen2"]().save_pretrained(folder)
        (base / "tokenizer.json").unlink()
    judge = LocalModel(*load(str(folder)))
    assert log_probs(judge) == pytest.approx(expected(model), abs=1e-3)
    plain = expected(tiny_model("llama", len(judge.tokenizer)))
    assert log_probs(judge) != pytest.approx(plain, abs=0.05)


def test_an_adapters_base_is_part_of_what_it_is(adapter, tmp_path):
    """Kept scores are found again until the files of either change; the signature changes with the content."""
    folder, base, _ = adapter

    def keys():
        options = JudgeOptions(model_id=str(folder), resume=str(tmp_path / "kept.sqlite"))
        judge = options.open()
        [key] = judge.keys("generate", [[{"role": "user", "content": "a"}]], 8)
        options.close(judge)
        return key, judge.signature(), log_probs(judge.judge)

    first = keys()
    assert keys() == first
    save(base, initializer_range=0.4)  # the same names
    second = keys()
    adapted = folder / "adapter_model.safetensors"
    shutil.copy(adapted, adapted.with_suffix(".old"))
    third = keys()
    for one, other in ((first, second), (second, third)):
        assert one[0] != other[0] and one[1] != other[1]
    assert first[2] != pytest.approx(second[2], abs=0.01) and second[2] == third[2]


def test_an_adapter_of_a_base_on_the_hub_has_a_signature(tmp_path):
    """Its own files count; the base is told by its commit."""
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "lab/base"}', "utf-8")
    found = digest(tmp_path)
    assert len(found) == 12
    (tmp_path / "README.md").write_text("a card", "utf-8")
    assert digest(tmp_path) == found  # what a card says changes no score


def test_an_adapter_without_the_package(tmp_path, monkeypatch):
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "lab/base"}', "utf-8")
    find = judge_local.find_spec
    monkeypatch.setattr(judge_local, "find_spec", lambda name: None if name == "peft" else find(name))
    with pytest.raises(ValueError, match="which cannot be loaded, .*: it is an adapter, which needs the package peft"):
        load(str(tmp_path))


# ---- Models for several media; other files ----

TEXT = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 512, "initializer_range": 0.3,
}  # fmt: skip
IMAGES = {
    "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 28,
    "patch_size": 14,
}  # fmt: skip
SEVERAL_MEDIA = {
    "gemma3": (
        {"model_type": "gemma3_text", "sliding_window": 30},
        {"model_type": "siglip_vision_model", **IMAGES},
        {"mm_tokens_per_image": 4},
    ),
    "mistral3": ({"model_type": "mistral"}, {"model_type": "pixtral", **IMAGES}, {}),
    "qwen3_vl": (
        {"rope_scaling": {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True}},
        {
            "depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32,
            "deepstack_visual_indexes": [0], "num_position_embeddings": 16,
        },
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("architecture", SEVERAL_MEDIA)
def test_models_for_several_media(architecture, tmp_path):
    from transformers import AutoConfig, AutoModelForImageTextToText

    tokenizer = TOKENIZERS["qwen2"]()
    text, images, settings = SEVERAL_MEDIA[architecture]
    text = {**TEXT, **text, "vocab_size": len(tokenizer), "pad_token_id": None}
    torch.manual_seed(0)
    config = AutoConfig.for_model(architecture, text_config=text, vision_config=images, **settings)
    model = AutoModelForImageTextToText.from_config(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    judge = LocalModel(*load(str(tmp_path)))
    assert type(judge.model) is type(model) and judge.context_length == 512
    found = log_probs(judge)
    assert found == pytest.approx(expected(model), abs=1e-3) and max(found) - min(found) > 0.01
    [text] = judge.generate(conversations(TEMPLATES["direct"], FIELDS[:1]), 3)
    assert isinstance(text, str)


def test_a_repository_with_tekken_json(tmp_path):
    """For which transformers prefers mistral-common's tokenizer, which has neither added tokens nor a chat template."""
    mistral_common = pytest.importorskip("mistral_common")
    from transformers import AutoTokenizer

    model = save(tmp_path, "mistral")
    [file, *_] = sorted((Path(mistral_common.__file__).parent / "data").glob("tekken_*.json"))
    tekken = json.loads(file.read_text("utf-8"))
    tekken["vocab"] = tekken["vocab"][:1000]  # all of it takes seconds to read
    tekken["config"]["default_vocab_size"] = 1000 + tekken["config"]["default_num_special_tokens"]
    (tmp_path / "tekken.json").write_text(json.dumps(tekken), "utf-8")
    settings = json.loads((tmp_path / "tokenizer_config.json").read_text("utf-8"))
    settings.pop("tokenizer_class", None)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
    preferred = AutoTokenizer.from_pretrained(tmp_path)
    judge = LocalModel(*load(str(tmp_path)))
    assert log_probs(judge) == pytest.approx(expected(model), abs=1e-3)
    if hasattr(preferred, "get_added_vocab"):
        pytest.skip("this version of transformers takes its own tokenizer by itself")


# ---- What is wrong ----


def pickle_weights(folder):
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def quantise(folder):
    """For a package that is missing."""
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["quantization_config"] = {"quant_method": "gptq", "bits": 4}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")


@pytest.mark.parametrize(
    "change, reason",
    [
        (lambda folder: [file.unlink() for file in folder.iterdir()], ""),
        (lambda folder: (folder / "model.safetensors").unlink(), "model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"no weights"), ""),
        (pickle_weights, "model.safetensors"),
        (lambda folder: [file.unlink() for file in folder.glob("*token*")], "tokenizer"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "unheard_of"}', "utf-8"), "unheard_of"),
        (lambda folder: transformers.ViTConfig().save_pretrained(folder), "ViTConfig"),
        (quantise, "optimum|gptq"),
    ],
)
def test_what_cannot_be_loaded(change, reason, tmp_path):
    """One kind of error, that says which model, and why."""
    save(tmp_path)
    change(tmp_path)
    with pytest.raises(ValueError, match="which cannot be loaded, expected a chat model with safetensors") as caught:
        load(str(tmp_path))
    message = str(caught.value)
    assert message.startswith(f"found {str(tmp_path)!r}") and any(word in message for word in reason.split("|"))


@pytest.mark.parametrize("name", ["config.json", "adapter_config.json"])
def test_a_configuration_of_brackets(name, tmp_path):
    (tmp_path / name).write_text("[" * 100_000)
    with pytest.raises(ValueError, match="found '.*', which cannot be loaded, expected a chat model"):
        JudgeOptions(model_id=str(tmp_path)).open()


def test_pickle_takes_a_judge_along(tmp_path):
    save(tmp_path)
    for options in ({}, {"resume": str(tmp_path / "kept")}):
        judge = JudgeOptions(model_id=str(tmp_path), **options).open()
        before = log_probs(judge)
        assert log_probs(pickle.loads(pickle.dumps(judge))) == pytest.approx(before, abs=1e-5)


@pytest.mark.parametrize("content", [None, b"", b"GGUFno", b"GGUF" + bytes(40), b"something else"])
def test_gguf_files_that_are_none(content, tmp_path):
    pytest.importorskip("gguf")
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^found {str(path)!r}, which cannot be loaded, expected a chat model"):
        load(str(path))


def test_one_model_for_many_threads(tmp_path):
    save(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: load(str(tmp_path))[0], range(4)))
    assert len(set(map(id, found))) == 1


# ---- What is kept for the next call ----


def tokens_seen(judge):
    """A list that grows by the number of tokens of every forward pass."""
    seen = []
    judge.model.register_forward_pre_hook(
        lambda _, __, given: seen.append(given["input_ids"].numel()), with_kwargs=True
    )
    return seen


@pytest.mark.parametrize(
    "model",
    [
        *({"architecture": name} for name in ARCHITECTURES),
        {"architecture": "gemma2", "sliding_window": 600},
        # Caches that cannot be cropped: of a window shorter than the prefix, of a state.
        {"architecture": "mistral", "sliding_window": 20},
        *([{"architecture": "lfm2", **SHAPES["lfm2"]["settings"]}] if is_cached("lfm2") else []),
    ],
    ids=lambda model: "-".join(map(str, list(model.values())[:2])),
)
def test_what_prompts_begin_with_is_kept_for_the_next_call(model):
    """Common prefixes longer than the last, shorter, equal, different; of one prompt, of none."""
    tokenizer = TOKENIZERS["qwen2"]()
    judge, exact = (
        LocalModel(tiny_model(vocabulary=len(tokenizer), dtype=dtype, **model), tokenizer)
        for dtype in (torch.float32, torch.float64)
    )
    long = "the cat sat on a mat and drank its milk " * 3
    calls = [
        [long + "it is", long + "it was not"],
        [long + "it is late", long + "it is not easy", long + "it is"],
        [long[:50] + "no", long + "yes"],
        [long[:50] + "no", long + "yes"],
        ["another cat", "another mat"],
        [long],
        ["yes", "no"],
        [long, long],
    ]
    template = [{"role": "user", "content": "{source} yes or no?"}]
    seen = tokens_seen(judge)
    for texts in calls:
        fields = [{"source": text} for text in texts]
        expected = expected_ratios(exact, template, fields, YES_OR_NO)
        assert ratios(judge, template, fields, YES_OR_NO) == pytest.approx(expected, abs=1e-3)
    assert CONTINUES[judge.model]
    seen.clear()
    assert ratios(judge, template, fields, YES_OR_NO) == pytest.approx(expected, abs=1e-3)
    assert seen == [2]  # of two equal prompts only the last token is computed again


# ---- Templates that a processor has ----


@pytest.mark.parametrize("file", ["chat_template.json", "processor_config.json"])
@pytest.mark.parametrize("named", [False, True])
def test_a_chat_template_in_a_processors_file(file, named, tmp_path):
    """Of a checkpoint for several media; one template, or several by name."""
    model = save(tmp_path)
    for own in tmp_path.glob("*.jinja"):
        own.unlink()
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    config.pop("chat_template", None)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    assert load(str(tmp_path))[1].chat_template is None
    template = TOKENIZERS["qwen2"]().chat_template
    templates = [{"name": "rag", "template": "{{ x }}"}, {"name": "default", "template": template}]
    (tmp_path / file).write_text(json.dumps({"chat_template": templates if named else template}))
    assert log_probs(LocalModel(*load(str(tmp_path)))) == pytest.approx(expected(model), abs=1e-3)


# ---- Words of the chat template ----


@pytest.mark.parametrize("name", TOKENIZERS)
def test_words_that_the_template_writes_as_plain_text(name):
    judge = LocalModel(tiny_model("llama", 8), TOKENIZERS[name]())
    found = judge.template_words(judge.prompts.shape(TEMPLATES["direct"]))
    plain = "[INST]" in judge.tokenizer.chat_template and "[INST]" not in judge.tokenizer.get_added_vocab()
    assert plain or name != "mistral v0.2"
    assert found == (["[/INST]", "[INST]"] if plain else [])
    assert judge.template_words(("Is ", " [INST]?")) == []


def test_texts_with_words_of_the_chat_template_are_warned_of():
    """Once for each word, with the number of texts and one of them; not for what the user's own template says."""
    tokenizer = TOKENIZERS["mistral v0.2"]()
    judge = LocalModel(tiny_model("mistral", len(tokenizer)), tokenizer)
    messages = [
        {"role": "system", "content": "Judge [strictly] with /no_think."},
        {"role": "user", "content": "{source}"},
    ]
    with warnings.catch_warnings(record=True) as given, metric_errors("a metric"):
        warnings.simplefilter("always")
        fields = [{"source": text} for text in ("a", "b [INST]", "b [INST]", "[INST]")]
        judge.answer_log_probs(conversations(messages, fields), YES_OR_NO)
    [message] = [str(warning.message) for warning in given]
    assert message == (
        "a metric: 2 texts, such as '[INST]', contain '[INST]', which the chat template of MistralForCausalLM writes "
        "as plain text; the model may take it for a part of the template"
    )


def test_a_model_on_the_hub_is_told_by_its_commit(tmp_path, monkeypatch):
    """In the signature and in the key of kept answers: another commit is another model."""
    with hub_in_reach(monkeypatch, tmp_path / "cache") as hub:
        judges, commits = [], []
        for spread in (0.3, 0.4):
            save(tmp_path / "model", initializer_range=spread)
            hub.repos["models", "lab/model"] = {f.name: f.read_bytes() for f in (tmp_path / "model").iterdir()}
            commits.append(hub.RequestHandlerClass.commit(hub.repos["models", "lab/model"]))
            monkeypatch.setattr("metrics.parapluie.common_llm.LOADED", {})
            judges.append(LocalModel(*load("lab/model")))
    assert [judge.signature().partition("|")[0] for judge in judges] == [f"model@{commit}" for commit in commits]
    assert judges[0].identity != judges[1].identity and log_probs(judges[0]) != log_probs(judges[1])
