"""What mkdocs shows: docs/, README, cards and measured results.

Every page keeps its path in the repository, so that links between pages work on the site as in a
checkout.
"""

import json
import re
from pathlib import Path

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
# The landing page is the site's first one, in place of the README.
MOVED = {"docs/index.md": "index.html", "README.md": "README.html"}
# Fences as GitHub likes them; with prompts, they are of a session, so that the copy button knows what is code.
SESSIONS = {r"^```python\n(?=>>> )": "```pycon\n", r"^```\n(?=\$ )": "```console\n"}
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "NOTICE",
    "benchmarks/results/*",
    "docs/**/*.md",
    "docs/site.css",
    "docs/*.svg",
    "findings/*",
    "metrics/*/README.md",
    "metrics/morpheval/suite/README.md",
    "metrics/parapluie/judge/README.md",
    "spaces/*/thumbnail.png",
    "training/*/README.md",
)


def on_config(config):
    """Results that the navigation does not name come last in their tab."""
    pages = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("benchmarks/results/*.md"))]
    config.nav[-1]["Results"] += [page for page in pages if page not in str(config.nav)]


def on_files(files, config):
    """The theme's files; and as pages and pictures each file that matches one of PAGES, the notebooks with outputs."""
    paths = [path.relative_to(ROOT).as_posix() for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    pages = [File.generated(config, path, abs_src_path=str(ROOT / path)) for path in paths]
    for path in sorted(ROOT.glob("docs/notebooks/*.ipynb")):
        name = path.relative_to(ROOT).with_suffix(".md").as_posix()
        pages.append(File.generated(config, name, content=as_markdown(json.loads(path.read_text(encoding="utf-8")))))
    for page in pages:
        page.dest_uri = MOVED.get(page.src_uri, page.dest_uri)
    theme = [file for file in files if not Path(file.abs_src_path).is_relative_to(config.docs_dir)]
    return Files([*theme, *pages])


def on_page_markdown(markdown, page, **_):
    """A link to a notebook leads to its page; sessions are marked as such; the search puts results last."""
    path = page.file.src_uri
    page.meta["search"] = {"boost": 4 if path == "docs/faq.md" else 0.25 if path.startswith("benchmarks/") else 1}
    for pattern, fence in SESSIONS.items():
        markdown = re.sub(pattern, fence, markdown, flags=re.MULTILINE)
    return markdown.replace(".ipynb)", ".md)")


def as_markdown(notebook: dict) -> str:
    """A notebook's cells, one below the other: text, code, its output, its picture."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text")})
            html, text = "".join(data.get("text/html", ())), "".join(data["text/plain"]).rstrip()
            parts.append(f'<div class="picture">{html}</div>' if html else f"```\n{text}\n```")
    return "\n\n".join(parts)
