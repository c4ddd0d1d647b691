"""Build the wheel and the source archive for a package index.

python .github/hub/wheel.py --org ORG --repository URL DIR

The README becomes the page of the project there: its links lead to the repository's pages, and
metrics have their names on the Hub. Built from what git tracks, in a folder of its own.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rewriting import LEFT, Rewriting

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"Documentation": "tree/main/docs", "Changelog": "blob/main/CHANGELOG.md", "Issues": "issues"}
# Where the README says how to install what no index has yet.
UNPUBLISHED = {r" and is not on PyPI yet\..*?:$": ".", r"meaning_metrics-\S+?\.whl": "meaning-metrics"}
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"


def described(text: str, org: str, repository: str) -> str:
    """The README for readers who have neither the repository nor its paths.

    Raises:
        ValueError: it names a path that only the repository has.
    """
    rewriting = Rewriting("", org, repository, lambda path: (ROOT / path).exists())
    text = rewriting.markdown(text, "")
    for pattern, replacement in UNPUBLISHED.items():
        text = re.sub(pattern, replacement, text, flags=re.DOTALL | re.MULTILINE)
    if left := LEFT.findall(text):
        raise ValueError(f"README.md names {', '.join(left)}, which is not in the wheel")
    return text


def prepare(folder: Path, org: str, repository: str) -> None:
    """Write what git tracks into a folder, with the description and the project's pages."""
    for path in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0"):
        if path.startswith("metrics/") or path and "/" not in path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, folder / path)
    readme, setup = folder / "README.md", folder / "setup.cfg"
    readme.write_text(described(readme.read_text(encoding="utf-8"), org, repository), encoding="utf-8")
    pages = "".join(f"    {name} = {repository}/{path}\n" for name, path in PAGES.items())
    added = f"[metadata]\nurl = {repository}\nproject_urls =\n{pages}"
    setup.write_text(setup.read_text(encoding="utf-8").replace("[metadata]\n", added, 1), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--org", default=os.environ.get("HUB_ORG"), help="organisation or user on the Hub")
    parser.add_argument("--repository", default=os.environ.get("HUB_REPOSITORY"), help="address of the repository")
    parser.add_argument("folder", metavar="DIR", type=Path, help="where to write the two files")
    given = parser.parse_args()
    if not (given.org and given.repository):
        parser.error("found no --org or no --repository, expected them or HUB_ORG and HUB_REPOSITORY")
    with tempfile.TemporaryDirectory() as source:
        prepare(Path(source), given.org, given.repository.rstrip("/"))
        target = given.folder.resolve()
        target.mkdir(parents=True, exist_ok=True)
        for kind in ("sdist", "wheel"):
            command = [sys.executable, "-c", BUILD.format(kind), str(target)]
            subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)
    print(*sorted(path.name for path in target.iterdir()), sep="\n")


if __name__ == "__main__":
    main()
