"""Vectors: what the model says of each sentence, whatever else is encoded with it; offline; bounded memory."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer, T5Config, T5EncoderModel, T5Model

from metrics.melasss import encoder as module
from metrics.melasss import text_pairs as pairs
from metrics.melasss.encoder import Encoder, load

from ..hub import hub_in_reach
from . import models

SENTENCES = ["the baker bought a map.", "nobody", "a pilot sold seven boats in lyon before dawn", "A pilot, [SEP] too."]


@pytest.fixture
def new(tiny_bert):
    """Encoders that have met no sentence yet."""
    loaded = load(tiny_bert)
    return lambda: Encoder(loaded.model, loaded.tokenizer, "mean", "")


def alone(folder, sentence, pooling):
    """The sentence by itself through the model: the vector and the tokens' directions."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        states = model(**tokenizer(sentence, return_tensors="pt")).last_hidden_state[0].double()
    vector = states.mean(dim=0) if pooling == "mean" else states[0]
    return vector.numpy(), torch.nn.functional.normalize(states[1:-1], dim=1).numpy()


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_vectors_are_those_of_the_model(tiny_bert, pooling):
    [side] = load(tiny_bert, pooling).sides([SENTENCES[:3]])
    for i, sentence in enumerate(SENTENCES[:3]):
        vector, tokens = alone(tiny_bert, sentence, pooling)
        np.testing.assert_allclose(side.vectors[i], vector, atol=1e-5)
        np.testing.assert_allclose(side.token_vectors[side.owners == i], tokens, atol=1e-5)


def test_roberta_with_its_own_positions(tmp_path):
    folder = models.save_roberta(tmp_path)
    loaded = load(folder)
    assert loaded.window == 22  # 24 places, two taken by the frame
    [side] = loaded.sides([["a" * 22, "b" * 23]])
    vector, _ = alone(folder, "a" * 22, "mean")
    np.testing.assert_allclose(side.vectors[0], vector, atol=1e-5)
    assert (side.owners == 1).sum() == 23


def test_a_sentence_longer_than_the_window_is_split_and_whole(tiny_bert):
    loaded = load(tiny_bert)
    words = ("the baker bought a map in lyon before dawn".split() * 6)[:47]
    [side] = loaded.sides([[" ".join(words)]])
    assert loaded.window == 22 and len(side.token_vectors) == len(words) == 47  # in three pieces
    cuts = [0, 15, 31, 47]
    pieces = [alone(tiny_bert, " ".join(words[a:b]), "mean") for a, b in zip(cuts, cuts[1:])]
    mean = np.average([vector for vector, _ in pieces], axis=0, weights=[17, 18, 18])  # with the frame of two
    np.testing.assert_allclose(side.vectors[0], mean, atol=1e-5)
    np.testing.assert_allclose(side.token_vectors, np.concatenate([tokens for _, tokens in pieces]), atol=1e-5)
    [other] = loaded.sides([[" ".join([*words[:-1], "coal"])]])
    assert np.abs(other.vectors - side.vectors).max() > 1e-3  # the last word counts


def test_batches_and_company_change_nothing(new, monkeypatch):
    alone = [new().sides([[s]])[0] for s in SENTENCES]
    for budget in (1, 20, 10_000):
        monkeypatch.setitem(module.BATCH_TOKENS, "cpu", budget)
        [together] = new().sides([SENTENCES])
        np.testing.assert_allclose(together.vectors, np.concatenate([s.vectors for s in alone]), atol=1e-5)
        np.testing.assert_allclose(together.token_vectors, np.concatenate([s.token_vectors for s in alone]), atol=1e-5)


def test_control_tokens_in_a_sentence_are_text(tiny_bert):
    [ids] = load(tiny_bert)._ids(["a [SEP] [CLS] b"], False)
    assert not {2, 3} & set(ids)


def test_every_sentence_is_encoded_once(new, monkeypatch):
    fresh, seen = new(), []
    forward = fresh._forward
    monkeypatch.setattr(fresh, "_forward", lambda pieces, tokens: seen.extend(pieces) or forward(pieces, tokens))
    fresh.sides([["a map", "a letter"], ["a letter"], ["a map"]], tokens=False)
    assert len(seen) == 2
    fresh.sides([["a map", "coal"]], tokens=False)
    assert len(seen) == 3
    fresh.sides([["a map"]])  # its tokens were not kept
    fresh.sides([["a map"]])
    fresh.sides([["a map"]], tokens=False)
    assert len(seen) == 4


def test_half_precision_and_encoder_decoders(tmp_path, tiny_bert):
    model, tokenizer = AutoModel.from_pretrained(tiny_bert), AutoTokenizer.from_pretrained(tiny_bert)
    model.to(torch.bfloat16).save_pretrained(tmp_path / "half")
    tokenizer.save_pretrained(tmp_path / "half")
    [side] = load(str(tmp_path / "half")).sides([SENTENCES[:2]])
    [whole] = load(tiny_bert).sides([SENTENCES[:2]])
    assert side.vectors.dtype == np.float32
    np.testing.assert_allclose(side.vectors, whole.vectors, atol=0.05)
    config = T5Config(vocab_size=400, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0)
    for kind in (T5Model, T5EncoderModel):
        kind(config).save_pretrained(tmp_path / kind.__name__)
        tokenizer.save_pretrained(tmp_path / kind.__name__)
        [side] = load(str(tmp_path / kind.__name__)).sides([SENTENCES[:2]])
        assert side.vectors.shape == (2, 16) and np.isfinite(side.vectors).all()
        assert load(str(tmp_path / kind.__name__)).signature().startswith(f"{kind.__name__}@")


@pytest.mark.parametrize(
    "config, pooling",
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
        ({}, "mean"),
    ],
)
def test_an_encoders_own_pooling_is_obeyed(tmp_path, config, pooling):
    folder = models.save_bert(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(config))
    assert load(folder).pooling == pooling
    assert load(folder) is load(folder, pooling)
    other = load(folder, "mean" if pooling == "cls" else "cls")  # what is asked for counts
    assert other.pooling != pooling and other.model is load(folder).model


def test_a_pooling_that_is_not_known(tmp_path):
    folder = models.save_bert(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(ValueError, match="^pooling: found 'pooling_mode_max_tokens' in 1_Pooling/config.json of"):
        load(folder)
    assert load(folder, "cls").pooling == "cls"


def test_one_bar_for_all_chunks(new, monkeypatch):
    """It counts each sentence that is new once, whatever its length, over the whole call."""
    bars = []

    class Bar:
        def __init__(self, total, **settings):
            bars.append(self)
            self.total, self.done = total, 0

        def update(self, n=1):
            self.done += n

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(module, "progress", Bar)
    monkeypatch.setattr(pairs, "CHUNK", 2)
    texts = [[f"a letter {i}", "a map", "wet coal " * 40] for i in range(7)]
    summaries = [["a map"], ["a clock"], *([f"a boat {i}"] for i in range(5))]
    fresh = new()
    fresh.sides([["a clock"]])
    bars.clear()
    for tokens in (False, True):
        list(pairs.encode_in_chunks(fresh, texts, summaries, tokens=tokens))
    assert [(bar.total, bar.done) for bar in bars] == [(14, 14), (14, 14)]


def test_the_longest_unused_is_forgotten_first(new, monkeypatch):
    fresh = new()
    fresh.sides([["a map"], ["a letter"]], tokens=False)
    fresh.sides([["a map"]], tokens=False)
    monkeypatch.setattr(module, "CACHE_BYTES", fresh.known_bytes)
    fresh.sides([["wet coal"]], tokens=False)
    assert list(fresh.known) == ["a map", "wet coal"]
    fresh.forget()
    assert not fresh.known and fresh.known_bytes == 0


def test_threads_share_an_encoder(new, monkeypatch):
    monkeypatch.setattr(module, "CACHE_BYTES", 3_000)
    fresh = new()
    texts = [[f"a letter {i % 7}", f"a map {i % 5}"] for i in range(40)]
    expected = [new().sides([text])[0].vectors for text in texts]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda text: fresh.sides([text])[0].vectors, texts))
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, atol=1e-5)


def test_a_machine_without_a_gpu_but_with_the_libraries_for_one(tiny_bert, monkeypatch):
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    assert load(tiny_bert).model.device.type == "cpu"


def with_code_of_its_own(folder):
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("raise SystemExit('it was run')")


def with_weights_that_are_a_pickle(folder):
    torch.save(AutoModel.from_pretrained(folder).state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize("change", [with_code_of_its_own, with_weights_that_are_a_pickle, shutil.rmtree])
def test_what_cannot_be_loaded(tmp_path, change):
    """No code of a repository is run, no pickle read."""
    models.save_bert(tmp_path)
    change(tmp_path)
    tmp_path.mkdir(exist_ok=True)
    with pytest.raises(ValueError, match="^encoder: found .* which cannot be loaded"):
        load(str(tmp_path))


def test_memory_is_bounded(new, monkeypatch):
    fresh = new()
    monkeypatch.setattr(module, "CACHE_BYTES", 10_000)
    sides = fresh.sides([[f"a letter {i}" for i in range(200)]])
    assert len(sides[0].sentences) == 200 and len(fresh.known) < 60
    assert fresh.known_bytes == sum(v.nbytes for v in fresh.known.values()) <= 10_000
    assert "a letter 199" in fresh.known  # the last ones are kept


def test_the_default_is_found_in_the_package(minilm):
    """The weights of all-MiniLM-L6-v2, which put like to like."""
    assert minilm.width == 384 and minilm.window == 510
    [side] = minilm.sides([["The boat left the harbour.", "A ship sailed from the port.", "He ate an apple."]])
    near, far = side.directions[0] @ side.directions[1], side.directions[0] @ side.directions[2]
    assert near > 0.6 > 0.3 > far


def test_an_encoder_is_loaded_once_until_its_folder_changes(tmp_path):
    folder = models.save_bert(tmp_path)
    first = load(folder)
    assert load(folder) is first
    models.save_bert(tmp_path, width=48)
    assert load(folder).width == 48


def test_an_encoder_on_the_hub_is_named_by_its_commit(tmp_path, monkeypatch):
    models.save_bert(tmp_path / "model")
    with hub_in_reach(monkeypatch, tmp_path / "cache") as hub:
        hub.repos["models", "lab/encoder"] = {file.name: file.read_bytes() for file in (tmp_path / "model").iterdir()}
        commit = hub.RequestHandlerClass.commit(hub.repos["models", "lab/encoder"])
        assert load("lab/encoder").signature() == f"encoder@{commit}"


@pytest.mark.parametrize("revision", [None, "main"])
def test_out_of_reach(revision):
    name = "no-such-org/no-such-encoder" if revision is None else module.DEFAULT  # the package has its own commit only
    with pytest.raises(ValueError, match=f"^encoder: found '{name}' neither here nor in the cache"):
        load(name, revision=revision)


@pytest.mark.parametrize("share, foreign", [(0.1, False), (0.2, False), (0.3, True), (1.0, True)])
def test_a_script_of_which_a_fifth_is_unknown(share, foreign):
    unknown = int(10 * share)
    tokenizer = SimpleNamespace(unk_token_id=0)
    encoder = SimpleNamespace(tokenizer=tokenizer, _ids=lambda texts, _: [[0] * unknown + [7] * (10 - unknown)])
    assert Encoder.is_foreign(encoder, "\u0436" * 40) is foreign
