"""What `pip install` gives: the files of metrics/ as a package, light until used; the wheel."""

import copy
import doctest
import importlib
import json
import os
import pickle
import pydoc
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import signature
from threading import Thread
from typing import Literal, get_args, get_origin, get_type_hints

import datasets
import evaluate
import pandas
import pyarrow
import pytest

import metrics
from metrics._loading import METRICS, Name, part
from metrics.parapluie.common_llm import LOADED
from metrics.parapluie.judge_pairs import SMALL_DIGEST

from .conftest import ROOT, needs_minilm

EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
PAGES = "https://code.example/lab/meaning"  # of the repository
HEAVY = {"evaluate", "datasets", "torch", "transformers", "pandas", "pyarrow", "scipy.stats"}
DOCUMENTS = {"predictions": [[["a", "b"], ["c"]]], "references": [[["a", "b", "c"]]]}
GROUPS = {
    "predictions": [["il est heureux", "il était heureux"]],
    "references": [{"test": "past", "sources": ["he is happy", "he was happy"]}],
}


COLUMNS = {
    "coreference": DOCUMENTS,
    "morphology": GROUPS,
    "paraphrases": {"predictions": ["A boat."], "references": ["A ship."]},
    "summaries": {"predictions": [["A boat.", "It sank."]], "references": [["A ship sank."]]},
}


class PolarsLike(list):
    """A column of lists as polars has it: what is in it are columns, too."""

    def __iter__(self):
        return (PolarsLike(item) if isinstance(item, list) else item for item in super().__iter__())

    def to_list(self):
        return [*super().__iter__()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as it is published, built by setuptools from what git tracks, without the network."""
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, str(ROOT / ".github" / "hub" / "wheel.py"), "--org", "lab", "--repository", PAGES]
    done = subprocess.run([*command, str(target)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    archive, wheel = sorted(target.iterdir(), key=lambda path: path.suffix)
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    assert {"LICENSE", "NOTICE", "metrics/py.typed", "metrics/parapluie/judge/delta.safetensors"} <= names
    return wheel


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Run code where the wheel is unpacked, without the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)

    def run(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    return run


def test_the_wheel_has_the_files_of_the_metrics(wheel):
    """All modules, words of suites, the small judge and the suite, byte for byte; not the sources of the copies."""
    listed = subprocess.check_output(["git", "ls-files", "metrics"], cwd=ROOT, text=True).split()
    listed = [
        path for path in listed if path.endswith((".py", "py.typed", "words.txt")) or re.search("/(judge|suite)/", path)
    ]
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


def test_the_page_of_an_index(wheel):
    """The description: links to pages, metrics by their names on the Hub, nothing of the checkout; author, licences."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = (name for name in archive.namelist() if name.endswith("/METADATA"))
        head, _, page = archive.read(name).decode().partition("\n\n")
        licences = [name.rpartition("/")[2] for name in archive.namelist() if "/licenses/" in name]
    assert sorted(licences) == ["LICENSE", "NOTICE"]
    fields = [line.split(": ", 1) for line in head.splitlines()]
    assert {"Author", "Keywords", "License", "Project-URL", "Requires-Python"} <= {field for field, _ in fields}
    assert {"Typing :: Typed", "Programming Language :: Python :: 3.13"} <= {v for k, v in fields if k == "Classifier"}
    links = re.findall(r"\]\(([^)\s]+)", page)
    assert len(links) > 20 and all(link.startswith("https://") for link in links)
    for link in links:
        if path := link.partition(PAGES + "/")[2]:
            assert (ROOT / path.partition("#")[0].split("/", 2)[2]).exists(), link
    assert 'evaluate.load("lab/muc_b3_ceaf_entropy")' in page and "<organisation>" not in page
    assert "pip install 'meaning-metrics[small]' " in page and "not on PyPI" not in page and ".whl" not in page
    assert not re.search(
        r"(metrics|spaces)/\w", re.sub(re.escape(PAGES) + r"\S+|## What is where.*", "", page, flags=re.S)
    )


class Index(BaseHTTPRequestHandler):
    """A package index on 127.0.0.1: files are sent to it as to PyPI, and pip finds them."""

    def do_POST(self):
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        sent = message_from_bytes(head + self.rfile.read(int(self.headers["Content-Length"])), policy=policy.HTTP)
        [file] = (part for part in sent.iter_parts() if part.get_filename())
        (self.server.folder / file.get_filename()).write_bytes(file.get_content())
        self.answer(b"")

    def do_GET(self):
        name = self.path.rpartition("/")[2]
        names = (path.name for path in self.server.folder.iterdir())
        page = "".join(f'<a href="/{each}">{each}</a>' for each in names).encode()
        self.answer((self.server.folder / name).read_bytes() if name else page)

    def answer(self, data):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    "kind", ["--only-binary=:all:", pytest.param("--no-binary=meaning-metrics", marks=pytest.mark.slow)]
)
def test_an_index_takes_and_gives_the_package(kind, wheel, tmp_path):
    """Uploaded as docs/publishing.md says, and installed by name from there, as wheel and from the sources."""
    pytest.importorskip("twine")
    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        server.folder = tmp_path / "index"
        server.folder.mkdir()
        Thread(target=server.serve_forever, daemon=True).start()
        address, python = f"http://127.0.0.1:{server.server_port}", [sys.executable, "-m"]
        account = {**os.environ, "TWINE_REPOSITORY_URL": address + "/", "TWINE_USERNAME": "me", "TWINE_PASSWORD": "me"}
        files = sorted(map(str, wheel.parent.iterdir()))
        subprocess.run([*python, "twine", "check", "--strict", *files], check=True)
        subprocess.run([*python, "twine", "upload", "--disable-progress-bar", *files], check=True, env=account)
        assert sorted(path.name for path in server.folder.iterdir()) == [os.path.basename(file) for file in files]
        pip = [*python, "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir", kind]
        target = tmp_path / "installed"
        source = ["--isolated", "--index-url", f"{address}/simple", "--target", str(target), "--pre", "meaning-metrics"]
        subprocess.run([*pip, *source], check=True)
        server.shutdown()
    found = {
        path.relative_to(target).as_posix() for path in target.glob("meaning_metrics/**/*.*") if path.suffix != ".pyc"
    }
    with zipfile.ZipFile(wheel) as archive:
        assert found == {name for name in archive.namelist() if name.startswith("meaning_metrics/")}


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


@needs_minilm
def test_the_small_judge_travels(python, tmp_path):
    """With the wheel alone, by function and command; in the copy that evaluate makes of a metric, too."""
    code = f"""
import sys, meaning_metrics
meaning_metrics.summaries(predictions=["Bread is sold."], references=["We sell bread."])
meaning_metrics.paraphrases(predictions=["Bread is sold."], references=["We sell bread."])
heavy = set(sys.modules) & {HEAVY!r}
assert not heavy, heavy
"""
    code += """
pair = {"predictions": ["We sell fresh bread."], "references": ["We sell bread that is fresh."]}
result = meaning_metrics.paraphrases(**pair, model_id="small", details=True)
module = meaning_metrics.parapluie.judge_pairs
print(result["signature"], module.small_judge()[0].startswith(meaning_metrics.__path__[0]))
import evaluate
metric = evaluate.load(meaning_metrics.__path__[0] + "/parapluie")
assert result == metric.compute(**pair, model_id="small", details=True)
import runpy, sys
sys.argv[1:] = ["parapluie", *sys.argv[1:], "--model-id", "small", "--json"]
runpy.run_module("meaning_metrics", run_name="__main__", alter_sys=True)
"""
    for name, text in {"a.txt": "We sell bread that is fresh.\n", "b.txt": "We sell fresh bread.\n"}.items():
        (tmp_path / name).write_text(text)
    done = python("-W", "ignore", "-c", code, *(str(tmp_path / name) for name in ("a.txt", "b.txt")))
    assert done.returncode == 0, done.stderr
    by_function, _, by_command = done.stdout.partition("\n")
    assert by_function.endswith(f"|model:small@{SMALL_DIGEST} (PairJudge) True")
    assert json.loads(by_command)["score"] > 0


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


@needs_minilm
def test_where_no_judge_is_named(load_metric):
    """The papers' model for `compute`, whose error names the small judge; the small one for functions and "small"."""
    pairs = {"predictions": ["a boat", "it rains"], "references": ["the boat", "It is raining."]}
    expected = load_metric("parapluie").compute(**pairs, model_id="small")
    assert metrics.paraphrases(**pairs) == expected
    small = evaluate.load(str(ROOT / "metrics" / "parapluie"), "small", keep_in_memory=True)
    assert small.compute(**pairs) == expected
    with pytest.raises(ValueError, match="Mistral-7B-Instruct-v0.2' neither .*; 'small' is a judge that comes with"):
        small.compute(**pairs, model_id=None)
    assert small._with_bound({"endpoint": "http://127.0.0.1:9"}) == {"endpoint": "http://127.0.0.1:9"}
    systems = (pairs["predictions"], ["a ship", "it snows"], pairs["references"])
    assert metrics.compare("parapluie", *systems) == small.compare(*systems)


def test_options_bound_once(load_metric):
    """For all methods that know them; a call may give others; a copy by pickle keeps them."""
    metric = load_metric("muc_b3_ceaf_entropy")
    bound = metric.with_options(measures=["b3"], average="macro")
    key, response = [[["a", "b"], ["c"]]] * 3, [[["a", "b", "c"]]] * 3
    examples = {"predictions": response, "references": key}
    assert bound.compute(**examples) == metric.compute(**examples, measures=["b3"], average="macro")
    assert pickle.loads(pickle.dumps(bound)).signature() == bound.signature() != metric.signature()
    assert "muc_f1" in bound.compute(**examples, measures=["muc"])
    assert bound.compare(response, key, key) == metric.compare(response, key, key, measures=["b3"], average="macro")
    both = evaluate.combine([bound, metric.with_options(measures=["lea"])]).compute(**examples)
    assert {"b3_f1", "lea_f1"} <= both.keys() and "muc_f1" not in both
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: measures: "):
        metric.with_options(measures=["b4"])
    with pytest.raises(TypeError, match="found the unknown option 'x'"):
        metric.with_options(x=1)


def test_what_load_does_not_know_is_refused():
    folder = str(ROOT / "metrics" / "parapluie")
    with pytest.raises(TypeError, match="^parapluie: load.. found the unknown argument 'model_id'"):
        evaluate.load(folder, model_id="small")
    with pytest.raises(ValueError, match="^parapluie: found the configuration 'smal', expected 'small'"):
        evaluate.load(folder, "smal")


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
    with pytest.raises(TypeError, match=r"^coreference\(\) got an unexpected keyword argument 'x'"):
        metrics.coreference(**DOCUMENTS, x=1)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.function)
def test_functions_show_their_options(metric):
    """To whoever reads the file, too: real functions, which make vendor has written; each option has its words."""
    function = getattr(metrics, metric.function)
    _, _, *found = signature(function).parameters.values()
    expected = part(metric.name, "scoring.Options").parameters()
    assert [(p.name, p.default, p.kind) for p in found] == [(p.name, p.default, p.kind) for p in expected]
    assert get_type_hints(function).keys() == {"predictions", "references", *(p.name for p in found), "return"}
    text = pydoc.render_doc(function, renderer=pydoc.plaintext)
    described = {name for names in re.findall(r"^ {8}([\w, ]+): ", text, re.M) for name in names.split(", ")}
    assert described >= {"predictions", "references", *(p.name for p in found)}
    assert all(f"\n    {title}:\n" in text for title in ("Args", "Returns", "Raises"))


def test_signatures_list_what_a_closed_choice_may_be(load_metric):
    """Of the functions as they are written, for editors; of `compute` when it is loaded."""
    assert signature(metrics.summaries).parameters["pooling"].annotation == "Literal[None, 'mean', 'cls']"
    kind = signature(load_metric("morpheval").compute).parameters["language"].annotation
    assert get_origin(kind) is Literal and get_args(kind) == ("fr", "es", "it", "pt")
    assert get_args(Name) == tuple(metric.name for metric in METRICS)


def test_a_result_is_a_dict_that_a_notebook_shows_as_a_table():
    """Whoever copies it, or opens it in another process, has a plain one."""
    options = {"confidence": 0.9, "measures": ["b3", "kappa"], "details": True}
    result = metrics.coreference(**{side: documents * 2 for side, documents in DOCUMENTS.items()}, **options)
    plain = dict(result)
    assert isinstance(result, dict) and result == plain and repr(result) == repr(plain)
    assert json.dumps(result) == json.dumps(plain) and type(result | {"a": 1}) is dict
    for other in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert type(other) is dict and other == plain
    assert datasets.Dataset.from_list([result])[0]["b3_f1"] == pandas.DataFrame([result])["b3_f1"][0] == plain["b3_f1"]
    cells = re.findall("<td>([^<]*)", result._repr_html_())
    assert cells[4:6] == ["b3_f1", "{b3_f1:.3f} ({b3_f1_low:.3f} to {b3_f1_high:.3f})".format(**plain)]
    assert cells[6] == "kappa" and len(cells) == 8


def test_functions_are_what_make_vendor_writes():
    command = [sys.executable, "-c", "import functions; print(functions.written(), end='')"]
    written = subprocess.check_output(command, text=True, cwd=ROOT / ".github" / "hub")
    assert written == (ROOT / "metrics" / "_functions.py").read_text(encoding="utf-8"), "run make vendor"


@pytest.mark.parametrize(
    "column", [pyarrow.array, lambda items: pyarrow.chunked_array([items]), pandas.Series, PolarsLike]
)
def test_columns_are_lists(column):
    """Of a table, also in a comparison; the table itself is refused."""
    for function, check_examples in ((m.function, part(m.name, m.checks)) for m in METRICS):
        sides = COLUMNS[function]
        columns = {side: column(items) for side, items in sides.items()}
        assert check_examples(**columns) == check_examples(**sides)
        with pytest.raises(ValueError, match="references: found .*, expected a list"):
            check_examples(sides["predictions"], pyarrow.table({"a": ["b"]}))
    predictions, references = (column(DOCUMENTS[side] * 2) for side in DOCUMENTS)
    found = metrics.compare("muc_b3_ceaf_entropy", predictions, predictions, references, measures="b3")
    assert found["b3_f1_a"] == metrics.coreference(**DOCUMENTS, measures="b3")["b3_f1"]


def test_names():
    assert dir(metrics) == [
        "Melasss", "Morpheval", "MucB3CeafEntropy", "Parapluie", "__version__", "combine", "compare", "compare_many",
        "coreference", "morphology", "paraphrases", "summaries",
    ]  # fmt: skip
    assert all(getattr(metrics, name) for name in dir(metrics))
    assert importlib.import_module("meaning_metrics").__file__ == metrics.__file__  # installed, these files are it
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        assert metrics.nothing


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
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    extras = {name: setup["options.extras_require"][name].split() for name in ("evaluate", "morpheval", "parapluie")}
    for line, names in zip(lines, (("evaluate", "morpheval"), ("parapluie",)), strict=True):
        said, *wanted = shlex.split(line.partition("; install what is missing: pip ")[2])
        assert said == "install" and sorted(wanted) == sorted(each for name in names for each in extras[name])


def test_what_the_small_judge_lacks_is_named():
    """Not torch, which it does not need."""
    code = "import sys, metrics; sys.modules['tokenizers'] = None; metrics.paraphrases(['a'], ['b'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (
        "ModuleNotFoundError" in done.stderr
        and "'tokenizers>=" in done.stderr
        and "torch" not in done.stderr.splitlines()[-1]
    )


@pytest.mark.parametrize("path", sorted((ROOT / "metrics").rglob("*.py")), ids=lambda path: path.stem)
def test_examples_of_docstrings(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    assert doctest.testmod(module).failed == 0


def test_a_command_names_what_is_missing():
    code = """
import sys
sys.modules["huggingface_hub"] = None
from metrics.__main__ import main
sys.exit(main(["morpheval", "a", "b", "c"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "; install what is missing: pip install 'huggingface-hub>=" in done.stderr and "'pyarrow>=" in done.stderr


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
    assert missing.returncode == 2 and "pip install 'accelerate>=" in missing.stderr
    size = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{size / 1e6:.0f} MB")
    assert size < 300e6
