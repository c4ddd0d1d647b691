"""Put together the Space of each metric, and the model or dataset that a metric has, check and upload them to the Hub.

python .github/hub/publish.py --org ORG --repository URL [--dry-run DIR] [NAME ...]

HF_TOKEN sets the account, HF_ENDPOINT the Hub; with --dry-run, what would be uploaded is written into DIR/NAME instead.

A Space is metrics/NAME overlaid with spaces/NAME and spaces/_common, as far as git tracks them. Their
requirements are joined, spaces.yaml adds to the card's front matter, and links, load lines and paths are rewritten
for the Hub (rewriting.py). All Spaces are checked before any is uploaded; the checks run tests, so
Python must have what these need (make .venv/ready-test). A Space is uploaded in one commit that
also removes what is no longer there: if it fails, the old version stays. An unchanged Space is left
alone. A model, metrics/NAME/PART with a config.json, is the repository NAME-PART, uploaded before
its Space and tagged with what its weights are, by which the metric asks for them; a dataset,
metrics/NAME/PART with a file in JSON lines, likewise.
"""

import argparse
import ast
import configparser
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import results
import yaml
from alone import importable
from huggingface_hub import HfApi, SpaceHardware, constants, metadata_load, metadata_save
from huggingface_hub.errors import HfHubHTTPError
from rewriting import LEFT, Rewriting
from vendor import copies

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from metrics.morpheval.lexicon import DIGITS, digest_of  # noqa: E402
from metrics.parapluie.common_llm import file_stats, files_digest  # noqa: E402

LICENCES = ("LICENSE", "NOTICE")
TABLE = Path(__file__).with_name("spaces.yaml")
# Keys that a Gradio Space's front matter must have, and may have; what some of them may be.
NEEDED = (
    "title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "python_version", "app_file", "license", "tags",
    "description", "short_description", "suggested_hardware",
)  # fmt: skip
KNOWN = NEEDED + (
    "pinned", "models", "datasets", "preload_from_hub", "thumbnail", "fullWidth", "header", "base_path",
    "disable_embedding", "startup_duration_timeout", "custom_headers", "hf_oauth", "hf_oauth_scopes",
    "hf_oauth_expiration_minutes", "hf_oauth_authorized_org",
)  # fmt: skip
COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
RIGHT = {
    "colorFrom": (f"one of {', '.join(COLOURS)}", COLOURS.__contains__),
    "colorTo": (f"one of {', '.join(COLOURS)}", COLOURS.__contains__),
    "short_description": ("at most 60 characters", lambda text: len(text) <= 60),
    "suggested_hardware": ("hardware of the Hub", [hardware.value for hardware in SpaceHardware].__contains__),
    "tags": ("evaluate and metric among them", {"evaluate", "metric"}.issubset),
}
# What parts of a metric are repositories of their own: by a file that they have, the kind, and how their tags begin.
PARTS = {"config.json": ("model", "weights"), "*.jsonl": ("dataset", "data")}
# Visitors' own accounts pay for served models.
LOGIN = {"hf_oauth": True, "hf_oauth_scopes": ["inference-api"]}


def names() -> list[str]:
    """All metrics."""
    folders = [path for path in (ROOT / "metrics").iterdir() if path.is_dir()]
    return sorted(folder.name for folder in folders if not folder.name.startswith(("_", ".")))


def parts(name: str) -> list[str]:
    """The models and datasets of a metric, "NAME/PART"."""
    files = (file for pattern in PARTS for file in (ROOT / "metrics" / name).glob(f"*/{pattern}"))
    return sorted(f"{name}/{file.parent.name}" for file in files)


def assemble(rewriting: Rewriting, folder: Path) -> None:
    """Write the files of a Space, a model or a dataset into a folder.

    Args:
        rewriting: how they are rewritten.
        folder: where to write; empty, or not there yet.
    """
    name = rewriting.name
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ValueError(f"{folder}: found files, expected an empty folder")
    for source in sources(name):
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT / source, check=True, capture_output=True, text=True
        )
        for path in map(Path, filter(None, listed.stdout.split("\0"))):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                text = (ROOT / source / path).read_text(encoding="utf-8")
                text = rewriting.markdown(text, (source / path).parent.as_posix())
                (folder / path).write_text(text, encoding="utf-8")
            elif path.suffix == ".py":
                text = rewriting.code((ROOT / source / path).read_text(encoding="utf-8"))
                (folder / path).write_text(text, encoding="utf-8")
            else:
                shutil.copyfile(ROOT / source / path, folder / path)
    for file in LICENCES:
        shutil.copyfile(ROOT / file, folder / file)


def sources(name: str) -> list[Path]:
    """The folders of the repository that make up a Space, a model or a dataset; what a later one has stands."""
    if "/" in name:
        return [Path("metrics", name)]
    return [Path("metrics", name), Path("spaces", name), Path("spaces", "_common")]


def complete(rewriting: Rewriting, folder: Path, torch_index: str | None = None) -> None:
    """Write the front matter and the requirements of a Space; an index has torch without CUDA, for Spaces on a CPU."""
    matter = front_matter(rewriting, folder)
    metadata_save(folder / "README.md", matter)
    on_cpu = str(matter.get("suggested_hardware")).startswith("cpu")
    lines = requirements(rewriting.name, torch_index if on_cpu else None)
    (folder / "requirements.txt").write_text("\n".join(lines) + "\n")


def front_matter(rewriting: Rewriting, folder: Path) -> dict:
    """A card's front matter: its own, what the table adds, and what follows from the files.

    Raises:
        ValueError: card and table have the same key.
    """
    name, table = rewriting.name, yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    card, added = metadata_load(folder / "README.md") or {}, table["all"] | table.get(name, {})
    if both := sorted(set(card) & set(added)):
        raise ValueError(f"{name}: found {', '.join(both)} in the card and in {TABLE.name}, expected it in one of them")
    if (folder / "thumbnail.png").exists():
        files = f"{constants.ENDPOINT}/spaces/{rewriting.org}/{name}/resolve/main"
        added["thumbnail"] = f"{files}/thumbnail.png"
    if "LoginButton(" in (folder / "app.py").read_text(encoding="utf-8"):
        added |= LOGIN
    return card | added


def requirements(name: str, torch_index: str | None) -> list[str]:
    """What metric and demo require.

    With an index, torch is the tests' version in its build without CUDA: by default, pip installs
    gigabytes of CUDA's libraries, which a CPU has no use for.
    """
    files = [ROOT / part / name / "requirements.txt" for part in ("metrics", "spaces")]
    lines = {line for file in files if file.exists() for line in file.read_text().splitlines() if line}
    of_torch = {line for line in lines if line.startswith("torch>")}
    if torch_index and of_torch:
        [pinned] = [line for line in setup()["options.extras_require"]["demo"].split() if line.startswith("torch==")]
        lines = lines - of_torch | {f"{pinned}+cpu", f"--extra-index-url {torch_index}"}
    return sorted(lines, key=str.lower)


def setup() -> configparser.ConfigParser:
    """setup.cfg."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def errors(name: str, folder: Path) -> list[str]:
    """Why a Space cannot be published; nothing is uploaded or installed."""
    found = links_left(folder)
    if "/" in name:  # a model or a dataset
        modules = (ROOT / "metrics" / name).parent.glob("*.py")
        asked = any(digest(name) in path.read_text(encoding="utf-8") for path in modules)
        return [*found, *([] if asked else [f"{digest(name)} is not what the metric's modules ask for"])]
    for path, text in copies().items():
        copy = folder / path.name
        if path.parent.name == name and path.exists() and path.read_text(encoding="utf-8") != text:
            found.append(f"{copy.name} is not the shared one; run make vendor")
    own = {path.stem for path in folder.glob("*.py")}
    there = own | importable((folder / "requirements.txt").read_text().splitlines()) | sys.stdlib_module_names
    for path in sorted(folder.rglob("*.py")):
        missing = imported(path.read_text(encoding="utf-8")) - there
        found += [f"{path.relative_to(folder)} imports {module}, which is not there" for module in sorted(missing)]
    card = metadata_load(folder / "README.md") or {}
    found += [f"README.md: no {key} in the front matter" for key in NEEDED if not card.get(key)]
    found += [f"README.md: {key}, which the Hub does not know" for key in sorted(set(card) - set(KNOWN))]
    for key, (expected, is_right) in RIGHT.items():
        if card.get(key) and not is_right(card[key]):
            found.append(f"README.md: {key} is {card[key]!r}, expected {expected}")
    needed = (card.get("app_file", "app.py"), f"{name}.py")
    found += [f"no file {file}" for file in needed if not (folder / file).exists()]
    return found


def links_left(folder: Path) -> list[str]:
    """What pages name that is not on the Hub."""
    pages = {path.relative_to(folder): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))}
    left = [(path, what) for path, text in pages.items() for what in dict.fromkeys(LEFT.findall(text))]
    return [f"{path} names {what}, which is not on the Hub" for path, what in left]


def imported(code: str) -> set[str]:
    """Names of the modules that a module must have: imported at its top level, outside of try."""
    names = set()
    for node in ast.parse(code).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def checks(chosen: list[str], requirements: list[Path]) -> list[list[str]]:
    """Commands that must succeed: requirements that fit together, cards and demos as published."""
    python = [sys.executable, "-m"]
    installable = [[*python, "pip", "install", "--quiet", "--dry-run", "-r", str(file)] for file in requirements]
    demos = [f"tests/spaces/test_demos.py::test_api[{name}]" for name in chosen]
    return [*installable, [*python, "pytest", "-qx", "tests/spaces/test_publish.py::test_cards_as_published", *demos]]


def digest(name: str) -> str:
    """What a model's files are, or a dataset's one in JSON lines, as the metric knows them."""
    folder = ROOT / "metrics" / name
    data = [digest_of(file)[:DIGITS] for file in folder.glob("*.jsonl")]
    return data[0] if data else files_digest(folder, file_stats(folder))


def kind_and_tag(name: str, version: str) -> tuple[str, str]:
    """What a repository is on the Hub, and the tag of what is uploaded."""
    for pattern, (kind, prefix) in PARTS.items() if "/" in name else ():
        if any((ROOT / "metrics" / name).glob(pattern)):
            return kind, f"{prefix}-{digest(name)}"
    # evaluate first looks for tags such as v0.4.6, its own version: ours must look different.
    return "space", f"release-{version}"


def upload(api: HfApi, repo: str, folder: Path, version: str, kind: str, tag: str, sdk: str = "gradio") -> str:
    """Upload a Space, a model or a dataset and tag it; returns what was done."""
    api.create_repo(repo, repo_type=kind, space_sdk=sdk if kind == "space" else None, exist_ok=True)
    commit = api.upload_folder(
        repo_id=repo, repo_type=kind, folder_path=folder, delete_patterns="*", commit_message=f"Version {version}"
    )
    api.create_tag(repo, repo_type=kind, tag=tag, revision=commit.oid, exist_ok=True)
    tags = {ref.name: ref.target_commit for ref in api.list_repo_refs(repo, repo_type=kind).tags}
    if tags[tag] != commit.oid:
        return f"{commit.commit_url} ({tag} stays at {tags[tag]}: raise the version in setup.cfg)"
    return f"{commit.commit_url} ({tag})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics; all by default")
    setting(parser, "--org", "HUB_ORG", "organisation or user on the Hub")
    setting(parser, "--repository", "HUB_REPOSITORY", "address of this repository's pages, for what links lead to")
    setting(parser, "--torch-index", "TORCH_INDEX", "index of packages with torch without CUDA, for Spaces on a CPU")
    parser.add_argument("--dry-run", metavar="DIR", type=Path, help="write the Spaces there and upload nothing")
    parser.add_argument("--no-checks", action="store_true", help="leave out the checks that take minutes")
    arguments = parser.parse_args()
    chosen = arguments.names or names()
    if unknown := set(chosen) - set(names()):
        parser.error(f"found no metric {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    if missing := [name for name in ("org", "repository") if not getattr(arguments, name)]:
        parser.error(f"found no --{missing[0]}, expected it or HUB_{missing[0].upper()} in the environment")
    try:
        publish(chosen, arguments)
    except (OSError, ValueError, HfHubHTTPError, subprocess.CalledProcessError, yaml.YAMLError) as error:
        sys.exit(f"publish.py: {error}")


def setting(parser: argparse.ArgumentParser, option: str, variable: str, meaning: str) -> None:
    """An option that the environment may set, too."""
    parser.add_argument(option, default=os.environ.get(variable), help=f"{meaning} (default: ${variable})")


def publish(chosen: list[str], settings: argparse.Namespace) -> None:
    """Assemble, check and, unless it is a dry run, upload.

    Raises:
        ValueError: there are errors in what would be uploaded.
        OSError, HfHubHTTPError: the Hub refuses it or is out of reach.
    """
    api, repository = HfApi(), settings.repository.rstrip("/")
    if not settings.dry_run:
        api.whoami()  # says that a token is missing or wrong before the checks, which take minutes
    with tempfile.TemporaryDirectory() as temporary:
        target = (settings.dry_run or Path(temporary)).resolve()
        folders = {name: target / name.replace("/", "-") for metric in chosen for name in (*parts(metric), metric)}
        for name, folder in folders.items():
            rewriting = Rewriting(name, settings.org, repository, lambda path: (ROOT / path).exists())
            assemble(rewriting, folder)
            if name in chosen:
                complete(rewriting, folder, settings.torch_index)
        if found := [f"{name}: {error}" for name, folder in folders.items() for error in errors(name, folder)]:
            raise ValueError("\n".join(["found errors", *found]))
        if not settings.no_checks:
            without_token = {key: value for key, value in os.environ.items() if key != "HF_TOKEN"}
            for command in checks(chosen, [target / name / "requirements.txt" for name in chosen]):
                subprocess.run(command, check=True, cwd=ROOT, env=without_token)
        version = setup()["metadata"]["version"]
        for name, folder in {} if settings.dry_run else folders.items():
            print(upload(api, f"{settings.org}/{folder.name}", folder, version, *kind_and_tag(name, version)))
        if set(chosen) == set(names()):  # the page of results comes with all metrics
            folder = target / results.NAME
            results.write(folder)
            if not settings.dry_run:
                repo = f"{settings.org}/{results.NAME}"
                print(upload(api, repo, folder, version, "space", f"release-{version}", "static"))


if __name__ == "__main__":
    main()
