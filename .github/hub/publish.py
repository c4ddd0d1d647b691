"""Put together the Space of each metric, check it, and upload it to the Hub.

python .github/hub/publish.py --org ORG [NAME ...]            (HF_TOKEN and HF_ENDPOINT say who and where)
python .github/hub/publish.py --dry-run DIR [NAME ...]        (write what would be uploaded into DIR/NAME)

A Space is metrics/NAME overlaid with spaces/NAME; what both require is joined. All are checked before any is uploaded.
A Space is uploaded in one commit that also removes what is no longer there: if it fails, the old version stays. A
Space that would not change is left alone.
"""

import argparse
import configparser
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from huggingface_hub import HfApi, metadata_load

ROOT = Path(__file__).resolve().parents[2]
FRONT_MATTER = ("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "license", "description")
NOT_UPLOADED = shutil.ignore_patterns("__pycache__", ".*")


def names() -> list[str]:
    """All metrics."""
    return sorted(folder.name for folder in (ROOT / "metrics").iterdir() if not folder.name.startswith(("_", ".")))


def assemble(name: str, folder: Path) -> None:
    """Write the Space of a metric into a folder."""
    for part in ("metrics", "spaces"):
        shutil.copytree(ROOT / part / name, folder, ignore=NOT_UPLOADED, dirs_exist_ok=True)
    required = [ROOT / part / name / "requirements.txt" for part in ("metrics", "spaces")]
    lines = {line for file in required if file.exists() for line in file.read_text().splitlines() if line}
    (folder / "requirements.txt").write_text("\n".join(sorted(lines, key=str.lower)) + "\n")


def faults(name: str, folder: Path) -> list[str]:
    """What forbids to publish a Space; nothing is uploaded or installed."""
    found = []
    for source in (ROOT / "metrics" / "_common").glob("*.py"):
        if (folder / source.name).exists() and (folder / source.name).read_bytes() != source.read_bytes():
            found.append(f"{source.name} is not the shared one; run make vendor")
    card = metadata_load(folder / "README.md") or {}
    found += [f"README.md: no {key} in the front matter" for key in FRONT_MATTER if not card.get(key)]
    found += [f"README.md: no tag {tag}" for tag in ("evaluate", "metric") if tag not in card.get("tags", [])]
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
    """Upload a Space and tag it; returns the address of the commit, or of the Space if nothing changed."""
    api.create_repo(repo, repo_type="space", space_sdk="gradio", exist_ok=True)
    commit = api.upload_folder(
        repo_id=repo, repo_type="space", folder_path=folder, delete_patterns="*", commit_message=f"Version {version}"
    )
    # evaluate looks for tags such as v0.4.6, its own version, first: ours must look otherwise.
    api.create_tag(repo, repo_type="space", tag=f"release-{version}", exist_ok=True)
    return commit.commit_url


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics; all by default")
    parser.add_argument("--org", help="organisation or user on the Hub")
    parser.add_argument("--dry-run", metavar="DIR", type=Path, help="write the Spaces there and upload nothing")
    parser.add_argument("--no-checks", action="store_true", help="leave out the checks that take minutes")
    arguments = parser.parse_args()
    chosen = arguments.names or names()
    if unknown := set(chosen) - set(names()):
        parser.error(f"found no metric {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    if bool(arguments.org) == bool(arguments.dry_run):
        parser.error("expected either --org or --dry-run")
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.dry_run or Path(temporary)
        for name in chosen:
            assemble(name, place / name)
        found = [f"{name}: {fault}" for name in chosen for fault in faults(name, place / name)]
        if found:
            sys.exit("\n".join(found))
        if not arguments.no_checks:
            for command in checks(chosen, [place / name / "requirements.txt" for name in chosen]):
                subprocess.run(command, check=True, cwd=ROOT)
        if arguments.org:
            api = HfApi()
            for name in chosen:
                print(upload(api, f"{arguments.org}/{name}", place / name, setup["metadata"]["version"]))


if __name__ == "__main__":
    main()
