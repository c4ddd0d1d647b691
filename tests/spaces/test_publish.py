"""Publishing to a local Hub: all four Spaces uploaded, and loaded from there by a new process."""

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from metrics._common.common import VERSION
from metrics.morpheval.suite_shipped import SUITE_DIGEST, SUITE_VERSION
from metrics.parapluie.common_hub import packaged_file
from metrics.parapluie.common_minilm import MINILM, PACKAGE, REVISION
from metrics.parapluie.judge_pairs import SMALL_DIGEST

from ..conftest import ROOT, needs_minilm
from .conftest import REPOSITORY, publish, run_python

NAMES = ["melasss", "morpheval", "muc_b3_ceaf_entropy", "parapluie"]
TORCH = re.search(r"torch==(\S+)", (ROOT / "setup.cfg").read_text())[1]  # of the tests
EXAMPLES = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_all_four_are_there(published):
    server, _ = published
    spaces = {name: files for (kind, name), files in server.repos.items() if kind == "spaces"}
    assert sorted(spaces) == sorted(f"lab/{name}" for name in [*NAMES, "meaning-metrics-results"])
    assert sorted(spaces["lab/meaning-metrics-results"]) == ["README.md", "index.html"]
    for name in NAMES:
        files = server.repos["spaces", f"lab/{name}"]
        assert {f"{name}.py", "app.py", "demo.py", "README.md", "requirements.txt"} <= set(files)
        assert not [path for path in files if "__pycache__" in path or path.startswith(".")]
        assert files["demo.py"] == (ROOT / "spaces" / "_common" / "demo.py").read_bytes()
        assert files["NOTICE"] == (ROOT / "NOTICE").read_bytes() and "LICENSE" in files
        assert b"gradio" in files["requirements.txt"] and b"evaluate" in files["requirements.txt"]
        assert set(server.tags[f"lab/{name}"]) == {f"release-{VERSION}"}


@pytest.mark.parametrize("name", NAMES)
def test_an_app_in_a_checkout_finds_what_all_share(name, monkeypatch):
    """The lines above its first import from demo.py lead to that file; no copy beside the app hides it."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    app = ROOT / "spaces" / name / "app.py"
    exec(app.read_text(encoding="utf-8").partition("\nfrom demo import")[0], {"__file__": str(app)})
    assert sys.path[0] == str(ROOT / "spaces" / "_common") and not app.with_name("demo.py").exists()


@needs_minilm
def test_the_small_judge_is_a_model_of_its_own(published, tmp_path):
    """For a metric loaded from the Hub, with nothing of this repository, and without the encoder's package."""
    server, home = published
    folder = ROOT / "metrics" / "parapluie" / "judge"
    files = server.repos["models", "lab/parapluie-judge"]
    assert set(files) == {"README.md", "config.json", "delta.safetensors", "LICENSE", "NOTICE"}
    assert set(server.tags["lab/parapluie-judge"]) == {f"weights-{SMALL_DIGEST}"}
    assert files["delta.safetensors"] == (folder / "delta.safetensors").read_bytes()
    assert server.repos["spaces", "lab/parapluie"]["judge/config.json"] == files["config.json"]
    assert f"({REPOSITORY}/blob/main/training/judge/README.md)".encode() in files["README.md"]

    encoder = packaged_file(PACKAGE, "model/config.json")
    server.repos["models", MINILM] = {f.name: f.read_bytes() for f in encoder.parent.iterdir() if f.is_file()}
    server.requests.clear()
    code = """
import sys
import importlib.metadata
sys.modules["meaning_metrics"], importlib.metadata.files = None, lambda _: ()
import evaluate
metric = evaluate.load("lab/parapluie")
pair = {"predictions": ["We sell fresh bread."], "references": ["We sell bread that is fresh."]}
for model_id in ("small", "lab/parapluie-judge"):
    print(metric.compute(**pair, model_id=model_id)["score"], metric.signature(model_id=model_id))
"""
    printed = run_python(server, home, tmp_path, "-W", "ignore", "-c", code)
    small, named = (line.split(" ", 1) for line in printed.splitlines())
    assert float(small[0]) > 0 and small[0] == named[0]
    assert f"|model:small@{SMALL_DIGEST} " in small[1] and "|model:parapluie-judge@" in named[1]
    fetched = {request.removeprefix("GET ") for request in server.requests if request.startswith("GET ")}
    judge, tag = "/lab/parapluie-judge/resolve", f"weights-{SMALL_DIGEST}"
    assert f"{judge}/{tag}/config.json" in fetched  # the tag leads to a commit, of which all other files are
    assert f"{judge}/{server.tags['lab/parapluie-judge'][tag]}/delta.safetensors" in fetched
    assert f"/{MINILM}/resolve/{REVISION}/model.safetensors" in fetched
    del server.repos["models", MINILM]


def test_the_suite_is_a_dataset_of_its_own(published, tmp_path):
    """For a metric loaded from the Hub, with nothing of this repository."""
    server, home = published
    files, tag = server.repos["datasets", "lab/morpheval-suite"], f"data-{SUITE_DIGEST}"
    assert set(files) == {"README.md", "en.jsonl", "en.sents", "en.info", "LICENSE", "NOTICE"}
    assert set(server.tags["lab/morpheval-suite"]) == {tag}
    assert files["en.jsonl"] == (ROOT / "metrics" / "morpheval" / "suite" / "en.jsonl").read_bytes()
    assert server.repos["spaces", "lab/morpheval"]["suite/en.jsonl"] == files["en.jsonl"]
    card = files["README.md"].decode()
    assert 'evaluate.load("lab/morpheval")' in card and f"({REPOSITORY}/blob/main/metrics/morpheval/README.md)" in card
    assert yaml.safe_load(card.split("---\n")[1])["configs"][0]["data_files"] == "en.jsonl"
    server.requests.clear()
    code = """
import sys
sys.modules["meaning_metrics"] = None
import evaluate
suite = evaluate.load("lab/morpheval").load_suite()
print(len(suite), suite.version)
"""
    printed = run_python(server, home, tmp_path, "-W", "ignore", "-c", code)
    assert printed.split() == [str(files["en.jsonl"].count(b"\n")), SUITE_VERSION]
    assert f"GET /datasets/lab/morpheval-suite/resolve/{tag}/en.jsonl" in server.requests


def test_cards_as_published(published, tmp_path):
    """Their examples, read from the Hub and run by someone with nothing else of this repository."""
    server, home = published
    for name in NAMES:
        card = server.repos["spaces", f"lab/{name}"]["README.md"].decode()
        assert f'evaluate.load("lab/{name}")' in card
        (tmp_path / f"{name}.txt").write_text("\n".join(EXAMPLES.findall(card)), encoding="utf-8")
    options = ["-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "-o", "ELLIPSIS"]
    run_python(server, home, tmp_path, *options, *(f"{name}.txt" for name in NAMES))


def test_publishing_twice_changes_nothing(published):
    server, home = published
    before = {repo: dict(files) for repo, files in server.repos.items()}
    server.requests.clear()
    assert publish(server, home, "--org", "lab", "melasss")[0] == 0
    assert server.repos == before and not [r for r in server.requests if "/commit/" in r]


def test_a_failed_upload_leaves_the_old_version(published):
    server, home = published
    files = server.repos["spaces", "lab/parapluie"]
    files["app.py"] = b"the version before"
    server.failing = True
    try:
        assert publish(server, home, "--org", "lab", "parapluie")[0] != 0
        assert files["app.py"] == b"the version before"
    finally:
        server.failing = False
    files["gone.py"] = b"no longer in the repository"
    assert publish(server, home, "--org", "lab", "parapluie")[0] == 0
    assert files["app.py"] == (ROOT / "spaces" / "parapluie" / "app.py").read_bytes() and "gone.py" not in files


def test_dry_run_and_wrong_names(published, tmp_path):
    server, home = published
    server.requests.clear()
    out = tmp_path / "out"
    dry = ("--org", "lab", "--dry-run", str(out), "melasss")
    assert publish(server, home, *dry, "--torch-index", "https://wheels.example/cpu")[0] == 0
    lines = (out / "melasss" / "requirements.txt").read_text().splitlines()
    assert "--extra-index-url https://wheels.example/cpu" in lines
    assert [line for line in lines if line.startswith("torch")] == [f"torch=={TORCH}+cpu"]
    assert (out / "melasss" / "app.py").exists() and not server.requests
    for arguments, fault in (
        (dry, "expected an empty folder"),
        (["--org", "lab", "bertscore"], "found no metric bertscore"),
        ([], "found no --org, expected it or HUB_ORG"),
    ):
        assert fault in publish(server, home, *arguments)[2]


def test_front_matter(published):
    """What the card says, what the table adds, and what follows from the files."""
    server, _ = published
    for name in NAMES:
        files = server.repos["spaces", f"lab/{name}"]
        matter = yaml.safe_load(files["README.md"].decode().split("---\n")[1])
        assert {"title", "description", "tags"} <= set(matter) and matter["suggested_hardware"] == "cpu-basic"
        picture = f"{server.url}/spaces/lab/{name}/resolve/main/thumbnail.png"
        assert matter.get("thumbnail") == (picture if "thumbnail.png" in files else None)
        assert bool(matter.get("hf_oauth")) == (b"LoginButton(" in files["app.py"])
        encoder = "sentence-transformers/all-MiniLM-L6-v2"  # of melasss, and below parapluie's small judge
        preloaded = [line.split()[0] for line in matter.get("preload_from_hub", [])]
        assert preloaded == matter.get("models", []) == ([encoder] if name in ("melasss", "parapluie") else [])


def test_only_what_git_tracks_and_nothing_that_is_broken(published, tmp_path):
    server, home = published
    root = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(root)], check=True)
    shutil.copytree(ROOT / ".github", root / ".github", dirs_exist_ok=True)
    (root / "metrics" / "morpheval" / "secrets.txt").write_text("my token")
    app = root / "spaces" / "morpheval" / "app.py"
    app.write_text("gr.LoginButton()")
    (app.parent / "thumbnail.png").write_bytes(b"picture")
    subprocess.run(["git", "add", "spaces"], cwd=root, check=True)
    out = tmp_path / "out" / "morpheval"
    dry = ("--org", "lab", "--dry-run", str(out.parent), "morpheval")
    status, _, errors = publish(server, home, *dry, root=root)
    assert status == 0, errors
    assert not (out / "secrets.txt").exists()
    matter = yaml.safe_load((out / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert matter["thumbnail"].endswith("/spaces/lab/morpheval/resolve/main/thumbnail.png")
    assert matter["hf_oauth"] and matter["hf_oauth_scopes"] == ["inference-api"]

    shutil.rmtree(out.parent)
    (root / "spaces" / "_common" / "demo.py").write_text("from .verdict import METRIC")
    with (root / "metrics" / "morpheval" / "common_files.py").open("a") as file:
        file.write("CHANGED = True\n")
    app.write_text("import sklearn.svm\nfrom gradio import Blocks\ntry:\n    import spaces\nexcept ImportError: pass\n")
    card = root / "metrics" / "morpheval" / "README.md"
    text = card.read_text(encoding="utf-8").replace("- evaluate\n- metric\n", "- evaluate\ncolour: red\n")
    card.write_text(text + '`x="metrics/morpheval"`\n', encoding="utf-8")
    table = root / ".github" / "hub" / "spaces.yaml"
    table.write_text(table.read_text(encoding="utf-8").replace("Does a translation", "Does " + 6 * "very long "))
    subprocess.run(["git", "rm", "-q", "--cached", "metrics/morpheval/intervals.py"], cwd=root, check=True)
    _, _, error = publish(server, home, *dry, root=root)
    for fault in (
        "common_files.py is not the shared one",
        "demo.py imports verdict, which",
        "morpheval.py imports intervals, which",
        "app.py imports sklearn, which",
        "README.md names metrics/morpheval, which is not on the Hub",
        "README.md: tags is ['evaluate'], expected evaluate and metric",
        "README.md: colour, which the Hub does not know",
        "README.md: short_description is 'Does very long",
    ):
        assert f"morpheval: {fault}" in error
    assert "imports gradio" not in error and "imports spaces" not in error


def test_alone(tmp_path):
    """What is required, directly or in turn, can be imported; nothing else, nor the checkout."""
    (tmp_path / "requirements.txt").write_text("--extra-index-url https://wheels.example\ntqdm>=4\nscipy\n")
    (tmp_path / "app.py").write_text(
        "from importlib import import_module as get\n"
        "for name in 'numpy packaging scipy tqdm json own pytest pandas yaml meaning_metrics metrics'.split():\n"
        "    try: get(name)\n"
        "    except ModuleNotFoundError: print(name, __name__)\n"
    )
    (tmp_path / "own.py").touch()
    command = [sys.executable, str(ROOT / ".github" / "hub" / "alone.py"), "app.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split("\n")[:-1] == [
        f"{name} __main__" for name in ("packaging", "pytest", "pandas", "yaml", "meaning_metrics", "metrics")
    ]


def test_a_token_that_is_missing_and_a_tag_that_stays(published):
    server, home = published
    requests = len(server.requests)
    _, _, error = publish(server, home, "--org", "lab", "parapluie", token="")
    assert error.startswith("publish.py: ") and "token" in error.lower() and "Traceback" not in error
    assert not [request for request in server.requests[requests:] if "POST" in request]
    server.tags["lab/parapluie"][f"release-{VERSION}"] = "0" * 40
    assert f"release-{VERSION} stays at 000" in publish(server, home, "--org", "lab", "parapluie")[1]


@pytest.mark.slow
def test_checks_come_before_the_upload(published, tmp_path):
    """The card's examples and the requirements: one that is wrong stops everything."""
    server, home = published
    root = shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(".venv", "__pycache__"))
    dry = ("--org", "lab", "--dry-run", str(tmp_path / "out"), "muc_b3_ceaf_entropy")
    status, printed, errors = publish(server, home, *dry, root=root, checks=True)
    assert status == 0, printed + errors
    assert (tmp_path / "out" / "muc_b3_ceaf_entropy" / "app.py").exists()

    card = root / "metrics" / "muc_b3_ceaf_entropy" / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("\n0.563\n", "\n0.999\n"), encoding="utf-8")
    server.requests.clear()
    status, printed, _ = publish(server, home, "--org", "lab", "muc_b3_ceaf_entropy", root=root, checks=True)
    assert status != 0 and "0.999" in printed
    assert not [request for request in server.requests if request.startswith("POST")]
