"""Publishing, proved on a local Hub: all four Spaces up, loaded from there in a fresh process, computed with."""

import posixpath
import re
import shutil
import subprocess
import sys

import pytest

from metrics._common.common import VERSION

from ..conftest import ROOT
from .conftest import hub_environment, publish

NAMES = ["melasss", "morpheval", "muc_b3_ceaf_entropy", "parapluie"]
EXAMPLE = re.compile(r'"(examples[^"]*)"')
USE = """
import evaluate
key = [[["a", "b"], ["c"]]]
print(evaluate.load("lab/muc_b3_ceaf_entropy").compute(predictions=key, references=key)["conll_f1"])
pair = {"predictions": ["A boat came."], "references": ["A boat came. It left."]}
print(evaluate.load("lab/melasss").compute(**pair)["score"])
group = {"test": "past", "sources": ["he sleeps", "he slept"]}
translated = [["il dort", "il dormait"]]
print(evaluate.load("lab/morpheval").compute(predictions=translated, references=[group])["past"])
print(evaluate.load("lab/parapluie").compute(**pair, model_id=MODEL)["score"])
"""


def test_all_four_are_there(published):
    server, _ = published
    assert sorted(name for kind, name in server.repos if kind == "spaces") == [f"lab/{name}" for name in NAMES]
    for name in NAMES:
        files = server.repos["spaces", f"lab/{name}"]
        assert {f"{name}.py", "app.py", "demo.py", "README.md", "requirements.txt"} <= set(files)
        assert not [path for path in files if "__pycache__" in path or path.startswith(".")]
        assert b"gradio" in files["requirements.txt"] and b"evaluate" in files["requirements.txt"]
        assert set(server.tags[f"lab/{name}"]) == {f"release-{VERSION}"}


def test_cards_lead_somewhere_in_their_space(published):
    """With the pages that they link to, and with load lines and paths that hold there."""
    server, _ = published
    for name in NAMES:
        files = server.repos["spaces", f"lab/{name}"]
        for path in [path for path in files if path.endswith(".md")]:
            text = re.sub(r"```.*?```", "", files[path].decode(), flags=re.DOTALL)
            for link in re.findall(r"\]\((?![a-z]+:)([^)#\s]+)", text):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(path), link)) in files, (name, path, link)
        card = files["README.md"].decode()
        assert f'evaluate.load("lab/{name}")\n' in card
        assert f"metrics/{name}" not in card and "<organisation>" not in card
        assert all(path in files or any(file.startswith(path) for file in files) for path in EXAMPLE.findall(card))
    coreference = server.repos["spaces", "lab/muc_b3_ceaf_entropy"]
    assert 'folder = "examples"\n' in coreference["README.md"].decode()
    assert 'load("lab/muc_b3_ceaf_entropy")' in coreference["docs/muc_b3_ceaf_entropy/files.md"].decode()


def test_loaded_from_there_and_computed(published, tmp_path):
    server, _ = published
    model = str(ROOT / "spaces" / "parapluie" / "demo_model")
    code = USE.replace("MODEL", repr(model))
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=hub_environment(server, tmp_path),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    coreference, summary, morphology, _ = map(float, done.stdout.split())
    assert coreference == morphology == 1.0 and 0 < summary < 1


def test_publishing_twice_changes_nothing(published):
    server, home = published
    before = {repo: dict(files) for repo, files in server.repos.items()}
    server.requests.clear()
    assert publish(server, home, "--org", "lab", "melasss").returncode == 0
    assert server.repos == before and not [r for r in server.requests if "/commit/" in r]


def test_a_failed_upload_leaves_the_old_version(published):
    server, home = published
    files = server.repos["spaces", "lab/parapluie"]
    files["app.py"] = b"the version before"
    server.failing = True
    try:
        assert publish(server, home, "--org", "lab", "parapluie").returncode != 0
        assert files["app.py"] == b"the version before"
    finally:
        server.failing = False
    files["gone.py"] = b"no longer in the repository"
    assert publish(server, home, "--org", "lab", "parapluie").returncode == 0
    assert files["app.py"] == (ROOT / "spaces" / "parapluie" / "app.py").read_bytes() and "gone.py" not in files


def test_dry_run_and_wrong_names(published, tmp_path):
    server, home = published
    server.requests.clear()
    assert publish(server, home, "--dry-run", str(tmp_path / "out"), "melasss").returncode == 0
    assert (tmp_path / "out" / "melasss" / "app.py").exists() and not server.requests
    (tmp_path / "out" / "melasss" / "old.py").write_text("stale")
    assert "expected an empty folder" in publish(server, home, "--dry-run", str(tmp_path / "out"), "melasss").stderr
    assert "found no metric bertscore" in publish(server, home, "--org", "lab", "bertscore").stderr
    assert "expected either --org or --dry-run" in publish(server, home).stderr


def test_only_what_git_tracks_and_nothing_that_is_broken(published, tmp_path):
    server, home = published
    root = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(root)], check=True)
    shutil.copytree(ROOT / ".github", root / ".github", dirs_exist_ok=True)
    (root / "metrics" / "morpheval" / "secrets.txt").write_text("my token")
    dry = ("--dry-run", str(tmp_path / "out"), "morpheval")
    done = publish(server, home, *dry, root=root)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "out" / "morpheval" / "secrets.txt").exists()
    shutil.rmtree(tmp_path / "out")
    (root / "spaces" / "morpheval" / "demo.py").write_text("from .verdict import METRIC")
    card = root / "metrics" / "morpheval" / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("- evaluate\n- metric\n", ""), encoding="utf-8")
    subprocess.run(["git", "rm", "-q", "--cached", "metrics/morpheval/scores.py"], cwd=root, check=True)
    error = publish(server, home, *dry, root=root).stderr
    for fault in ("demo.py is not the shared one", "morpheval.py imports scores, which", "README.md: no tag metric"):
        assert f"morpheval: {fault}" in error


def test_a_token_that_is_missing_and_a_tag_that_stays(published):
    server, home = published
    requests = len(server.requests)
    error = publish(server, home, "--org", "lab", "parapluie", token="").stderr
    assert error.startswith("publish.py: ") and "token" in error.lower() and "Traceback" not in error
    assert not [request for request in server.requests[requests:] if "POST" in request]
    server.tags["lab/parapluie"][f"release-{VERSION}"] = "0" * 40
    assert f"release-{VERSION} stays at 000" in publish(server, home, "--org", "lab", "parapluie").stdout


@pytest.mark.slow
def test_checks_come_before_the_upload(published, tmp_path):
    """The examples of the card and the requirements: what holds is written, a wrong example stops everything."""
    server, home = published
    root = shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(".venv", "__pycache__"))
    done = publish(server, home, "--dry-run", str(tmp_path / "out"), "muc_b3_ceaf_entropy", root=root, checks="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "out" / "muc_b3_ceaf_entropy" / "app.py").exists()

    card = root / "metrics" / "muc_b3_ceaf_entropy" / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("\n0.563\n", "\n0.999\n"), encoding="utf-8")
    server.requests.clear()
    done = publish(server, home, "--org", "lab", "muc_b3_ceaf_entropy", root=root, checks="")
    assert done.returncode != 0 and "0.999" in done.stdout and not server.requests
