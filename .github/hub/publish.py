"""Put together the Space of each metric, check it, and upload it to the Hub.

python .github/hub/publish.py --org ORG [NAME ...]            (HF_TOKEN sets the account, HF_ENDPOINT the Hub)
python .github/hub/publish.py --dry-run DIR [--org ORG] [NAME ...]  (write what would be uploaded into DIR)

A Space is metrics/NAME overlaid with spaces/NAME, as far as git tracks them; what both require is joined. What its card
links to comes along in its folder docs; links, paths and load lines are those of the Space. All are
checked before any is uploaded; the checks run tests, so the Python must have what they need (make .venv/ready-test).
A Space is uploaded in one commit that also removes what is no longer there: if it fails, the old version stays. A
Space that would not change is left alone.
"""

import argparse
import configparser
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from huggingface_hub import HfApi, metadata_load
from huggingface_hub.errors import HfHubHTTPError
from vendor import copies
from yaml import YAMLError

ROOT = Path(__file__).resolve().parents[2]
FRONT_MATTER = ("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "license", "description")
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)[^)#\s]+")  # to another file
IMPORT = re.compile(r"^from \.?(\w+) import", re.M)


def names() -> list[str]:
    """All metrics."""
    folders = [path for path in (ROOT / "metrics").iterdir() if path.is_dir()]
    return sorted(folder.name for folder in folders if not folder.name.startswith(("_", ".")))


def assemble(name: str, folder: Path, org: str) -> None:
    """Write the Space of a metric into a folder; its card and pages load the metric from this organisation."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ValueError(f"{folder}: found files, expected an empty folder")
    for part in ("metrics", "spaces"):
        source = ROOT / part / name
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True, text=True)
        for path in filter(None, listed.stdout.split("\0")):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, folder / path)
    required = [ROOT / part / name / "requirements.txt" for part in ("metrics", "spaces")]
    lines = {line for file in required if file.exists() for line in file.read_text().splitlines() if line}
    (folder / "requirements.txt").write_text("\n".join(sorted(lines, key=str.lower)) + "\n")
    with_pages(name, folder, org)


def with_pages(name: str, folder: Path, org: str) -> None:
    """Write a Space's card and, into docs, all that it leads to, with links, paths and load lines as they are there."""
    todo = [f"metrics/{name}/README.md"]
    for path in todo:  # which grows
        place = place_of(path, name)
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        if not path.endswith((".md", ".ipynb")):
            shutil.copyfile(ROOT / path, folder / place)
            continue

        def there(link: re.Match) -> str:
            linked = os.path.normpath(os.path.join(os.path.dirname(path), link[0]))
            if linked not in todo:
                todo.append(linked)
            return os.path.relpath(place_of(linked, name), os.path.dirname(place))

        text = (ROOT / path).read_text(encoding="utf-8")
        text = LINK.sub(there, text) if path.endswith(".md") else text
        loads = rf'(?<=load\(")metrics/{name}"\)(  # from the Hub: "<organisation>/{name}")?'
        text = re.sub(loads, f'{org}/{name}")', text)
        (folder / place).write_text(re.sub(rf"(?<![\w/.])((\.\./)*)spaces/{name}/", r"\1", text), encoding="utf-8")


def place_of(path: str, name: str) -> str:
    """Where a file of the repository is in the Space of a metric."""
    for part in (f"metrics/{name}/", f"spaces/{name}/"):
        if path.startswith(part):
            return path.removeprefix(part)
    return f"docs/{path.removeprefix('docs/')}"


def faults(name: str, folder: Path) -> list[str]:
    """What forbids to publish a Space; nothing is uploaded or installed."""
    found = []
    for path, text in copies().items():
        copy = folder / path.name
        if path.parent.name == name and copy.exists() and copy.read_text(encoding="utf-8") != text:
            found.append(f"{copy.name} is not the shared one; run make vendor")
    own = {path.stem for part in ("metrics", "spaces") for path in ROOT.glob(f"{part}/*/*.py")}
    for path in folder.glob("*.py"):
        missing = set(IMPORT.findall(path.read_text(encoding="utf-8"))) & own - {p.stem for p in folder.glob("*.py")}
        found += [f"{path.name} imports {module}, which is not there" for module in sorted(missing)]
    card = (folder / "README.md").exists() and metadata_load(folder / "README.md") or {}
    found += [f"README.md: no {key} in the front matter" for key in FRONT_MATTER if not card.get(key)]
    found += [f"README.md: no tag {tag}" for tag in ("evaluate", "metric") if tag not in (card.get("tags") or [])]
    needed = (card.get("app_file", "app.py"), f"{name}.py")
    found += [f"no file {file}" for file in needed if not (folder / file).exists()]
    return found


def checks(chosen: list[str], requirements: list[Path]) -> list[list[str]]:
    """Commands that must succeed: the examples of the cards, and whether what is required can be installed together."""
    python = [sys.executable, "-m"]
    cards = [f"tests/test_documentation.py::test_examples[metrics/{name}/README.md]" for name in chosen]
    installable = [[*python, "pip", "install", "--quiet", "--dry-run", "-r", str(file)] for file in requirements]
    return [[*python, "pytest", "-q", *cards], *installable]


def upload(api: HfApi, repo: str, folder: Path, version: str) -> str:
    """Upload a Space and tag it; returns what has been done."""
    api.create_repo(repo, repo_type="space", space_sdk="gradio", exist_ok=True)
    commit = api.upload_folder(
        repo_id=repo, repo_type="space", folder_path=folder, delete_patterns="*", commit_message=f"Version {version}"
    )
    # evaluate looks for tags such as v0.4.6, its own version, first: ours must look otherwise.
    tag = f"release-{version}"
    api.create_tag(repo, repo_type="space", tag=tag, revision=commit.oid, exist_ok=True)
    tags = {ref.name: ref.target_commit for ref in api.list_repo_refs(repo, repo_type="space").tags}
    if tags[tag] != commit.oid:
        return f"{commit.commit_url} ({tag} stays at {tags[tag]}: raise the version in setup.cfg)"
    return f"{commit.commit_url} ({tag})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics; all by default")
    parser.add_argument("--org", help="organisation or user on the Hub, which the cards name")
    parser.add_argument("--dry-run", metavar="DIR", type=Path, help="write the Spaces there and upload nothing")
    parser.add_argument("--no-checks", action="store_true", help="leave out the checks that take minutes")
    arguments = parser.parse_args()
    chosen = arguments.names or names()
    if unknown := set(chosen) - set(names()):
        parser.error(f"found no metric {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    if not (arguments.org or arguments.dry_run):
        parser.error("expected either --org or --dry-run")
    try:
        publish(chosen, arguments.org, arguments.dry_run and arguments.dry_run.resolve(), not arguments.no_checks)
    except (OSError, ValueError, HfHubHTTPError, subprocess.CalledProcessError, YAMLError) as error:
        sys.exit(f"publish.py: {error}")


def publish(chosen: list[str], org: str | None, folder: Path | None, with_checks: bool) -> None:
    """Assemble, check and, without a folder to write to, upload.

    Raises:
        ValueError: what would be uploaded is not right. OSError, HfHubHTTPError: the Hub refuses it or is out of reach.
    """
    api = HfApi()
    if not folder:
        api.whoami()  # a token that is missing or wrong is told before the checks, which take minutes
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        for name in chosen:
            assemble(name, place / name, org or "<organisation>")
        if found := [f"{name}: {fault}" for name in chosen for fault in faults(name, place / name)]:
            raise ValueError("\n".join(["found faults", *found]))
        if with_checks:
            without_token = {key: value for key, value in os.environ.items() if key != "HF_TOKEN"}
            for command in checks(chosen, [place / name / "requirements.txt" for name in chosen]):
                subprocess.run(command, check=True, cwd=ROOT, env=without_token)
        for name in () if folder else chosen:
            print(upload(api, f"{org}/{name}", place / name, setup["metadata"]["version"]))


if __name__ == "__main__":
    main()
