"""What mkdocs shows: docs/, README, cards and measured results.

Every page keeps its place in the repository, so that the links between them hold on the site as in a checkout.
"""

from pathlib import Path

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "benchmarks/results/*",
    "docs/**/*.md",
    "docs/**/*.ipynb",
    "docs/*.svg",
    "metrics/*/README.md",
    "spaces/parapluie/judge/README.md",
)


def on_files(files, config):
    """The site's pages; each file that matches one of PAGES."""
    paths = [path.relative_to(ROOT).as_posix() for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    return Files([File.generated(config, path, abs_src_path=str(ROOT / path)) for path in paths])
