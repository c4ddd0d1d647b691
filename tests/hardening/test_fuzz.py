"""Whatever the input: a result, or an error that says what was found and what was expected.

Some hundreds of cases; benchmarks/stress/fuzz.py has thousands. The failures that were found this
way are listed below, each with its call.
"""

import math
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from . import strategies

NAMES = sorted(strategies.CALLS)
some = settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def loaded(load_metric):
    return {name: load_metric(name) for name in NAMES}


@pytest.fixture(scope="module")
def world(tmp_path_factory, loaded):
    folder = strategies.write_world(tmp_path_factory.mktemp("world"))
    strategies.add_saved(folder, loaded)
    return folder


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """A name drawn as a path may become a file."""
    monkeypatch.chdir(tmp_path)


def quietly(action):
    """The action without our own warnings, which some values cause; numpy's remain errors."""

    def quiet_action():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            action()

    return quiet_action


@pytest.mark.parametrize("name", NAMES)
def test_calls(name, loaded, world):
    ending = strategies.ways_to_end(world)[name]

    @some
    @given(strategies.calls(strategies.CALLS[name](world)))
    def attempt(case):
        method, arguments = case
        action = quietly(lambda: strategies.run_call(loaded[name], method, arguments, ending))
        assert not strategies.failure(name, action)

    attempt()


@pytest.mark.parametrize("name", NAMES)
def test_files(name, loaded, world, tmp_path):
    @some
    @given(st.sampled_from(strategies.files(name, world)).flatmap(strategies.damaged_file))
    def attempt(case):
        read, content = case
        path = strategies.put(read, content, world, tmp_path)
        assert not strategies.failure(name, quietly(lambda: read.read(loaded[name], path, world)))

    attempt()


@pytest.mark.parametrize("name", NAMES)
def test_right_calls_are_right(name, loaded, world):
    """Otherwise the two tests above would prove nothing."""
    ending = strategies.ways_to_end(world)[name]
    for call in strategies.CALLS[name](world):
        quietly(partial(strategies.run_call, loaded[name], call.method, call.needed, ending))()
    for read in strategies.files(name, world):
        folder = Path(read.name).parent.name or "files"
        path = strategies.put(read, read.content, world, Path(folder).absolute())
        quietly(partial(read.read, loaded[name], path, world))()


PAIR = {"predictions": ["a"], "references": ["b"], "model_id": strategies.DEMO_MODEL, "template": "direct"}
GROUP = {"predictions": strategies.GROUPS[:1], "references": [strategies.PAST]}
TEXTS = {"predictions": ["A cat."], "references": ["A dog."]}
LARGE = {"prediction": [[10**5000]], "reference": [[1]]}
ONCE = {"predictions": [[["a"]]], "references": [[["a"]]], "measures": iter(["muc"])}
TABLE = pandas.DataFrame({"il est": ["a", "b"], "il dort": ["c", "d"]})
# Each once ended in something other than a ValueError that names the metric.
FOUND = [
    ("parapluie", "compute", {}, "found no pairs, expected pairs here or added before"),
    ("parapluie", "compute", PAIR | {"predictions": TABLE}, "predictions: found DataFrame .*, expected a list of"),
    ("parapluie", "compute", PAIR | {"threshold": 10**400}, "threshold: found 1000.*, expected a number"),
    ("parapluie", "compute", PAIR | {"batch_size": np.array([1, 2])}, "batch_size: found array.*, expected a positive"),
    ("parapluie", "compute", PAIR | {"device": ["cpu"]}, r"device: found \['cpu'\], expected a name"),
    ("parapluie", "compute", PAIR | {"resume": "a\0b"}, "resume: found 'a.x00b', which is no file of kept"),
    ("parapluie", "compute", PAIR | {"endpoint": "localhost"}, "endpoint: found 'localhost', expected an address"),
    ("parapluie", "compute", PAIR | {"dtype": strategies.nested()}, "dtype: found <list that cannot be written"),
    ("parapluie", "compute", PAIR | {"model": 1, "tokenizer": 2}, "found int and int as model and tokenizer"),
    ("melasss", "compute", {}, "found no examples, expected examples here or added before"),
    ("melasss", "compute", TEXTS | {"similarity": np.array(["a", "b"])}, "similarity: found array"),
    ("melasss", "compute", TEXTS | {"device": "meta"}, "device: found 'meta', expected a name"),
    ("melasss", "compute", TEXTS | {"similarity": "llm", "model_id": None}, "model_id: found None, expected a name"),
    ("melasss", "split", {"text": 5}, "split: found 5, expected a text"),
    ("melasss", "from_pretrained", {"path": 5}, "head: found 5, expected a folder or a repository"),
    ("melasss", "agreement", {"scores": ["x"], "ratings": [1], "documents": "a"}, "agreement: scores: found .*numbers"),
    ("melasss", "agreement", {"scores": [1], "ratings": [1], "documents": [{}]}, "agreement: documents: found"),
    ("morpheval", "compute", GROUP | {"lexicon": "~nobody-at-all/x"}, "lexicon: found no file"),
    ("morpheval", "compute", GROUP | {"lexicon": "x" * 5000}, "lexicon: found no file"),
    ("morpheval", "compute", GROUP | {"frequencies": {"was": 10**400}}, "frequencies: found 'was': 1000"),
    ("morpheval", "add_batch", GROUP | {"predictions": TABLE}, "predictions: found DataFrame, expected a list"),
    ("morpheval", "add_batch", GROUP | {"predictions": [TABLE]}, r"predictions\[0\]: found DataFrame"),
    ("morpheval", "significance", {"result": {"past": 0.5}, "sizes": [10**400]}, "sizes: found 1000"),
    ("morpheval", "significance", {"result": {"past": 0.5}, "sizes": None}, "sizes: found None"),
    ("morpheval", "make_suite", {"sentences": ["x"], "tests": 5}, "tests: found 5, expected a list of names"),
    ("morpheval", "make_suite", {"sentences": TABLE}, "sentences: found .*, expected strings or the path"),
    ("morpheval", "make_suite", {"sentences": "x" * 300}, "sentences: found no file"),
    ("morpheval", "load_suite", {"sents_path": "no such folder"}, "no such folder: found no dataset"),
    (
        "morpheval",
        "load_translations",
        {"path": 0, "references": GROUP["references"]},
        "path: found 0, expected the path",
    ),
    ("muc_b3_ceaf_entropy", "read_conll", {"path": 0}, "path: found 0, expected the path of a file"),
    ("muc_b3_ceaf_entropy", "read_conll", {"path": "no such file"}, "cannot read 'no such file': no such file"),
    ("muc_b3_ceaf_entropy", "add", LARGE, r"predictions\[0\], cluster 0: found the mention int <int that"),
    ("muc_b3_ceaf_entropy", "compute", ONCE, "measures: found .*, expected a non-empty list of names"),
]


@pytest.mark.parametrize("name, method, arguments, message", FOUND, ids=[f"{f[0]} {f[3]:.40}" for f in FOUND])
def test_what_was_found(name, method, arguments, message, loaded):
    with pytest.raises(ValueError, match=f"^{name}: {message}"):
        getattr(type(loaded[name])(keep_in_memory=True), method)(**arguments)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"clusters": ' + "9" * 5000 + "}"])
def test_json_that_python_refuses(loaded, tmp_path, line):
    (tmp_path / "x.jsonl").write_text(f"{line}\n")
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: .*x.jsonl:1: found no JSON"):
        loaded["muc_b3_ceaf_entropy"].read_jsonlines(tmp_path / "x.jsonl")


def test_a_head_with_weights_that_are_no_numbers(loaded, world, tmp_path):
    """A NaN among the weights once gave NaN as the score."""
    config = (world / "regression" / "config.json").read_text()
    (tmp_path / "config.json").write_text(config.replace('"intercept": ', '"intercept": NaN, "was": '))
    with pytest.raises(ValueError, match="^melasss: head: found .*intercept nan"):
        loaded["melasss"].compute(**TEXTS, head=str(tmp_path))
    head = loaded["melasss"].from_pretrained(world / "attention")
    with torch.no_grad():
        head.mlp[0].bias[0] = math.nan
    with pytest.raises(ValueError, match="^melasss: example 0: found the score nan, expected a finite score"):
        loaded["melasss"].compute(**TEXTS, similarity="attention", encoder=str(world / "bert"), head=head)


def test_a_damaged_index(loaded, tmp_path, monkeypatch):
    """Rows that SQLite cannot read once ended in its own error."""
    module = sys.modules[type(loaded["morpheval"]).__module__.rpartition(".")[0] + ".lexicon"]
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    (tmp_path / "x.mlex").write_text(strategies.LEXICON)
    lexicon = module.load(tmp_path / "x.mlex")
    content = lexicon.path.read_bytes()
    lexicon.path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(ValueError, match="^morpheval: lexicon: found the index .* damaged .*remove this one"):
        loaded["morpheval"].compute(**GROUP, lexicon=lexicon)
