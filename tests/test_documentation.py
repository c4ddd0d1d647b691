"""The examples of the README and of every card print what they show; the quickstart, too."""

import ast
import doctest
import importlib.util
import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from inspect import signature
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest

from .browser import browser_in, needs_browser
from .conftest import ROOT, module_at

CARDS = sorted(ROOT.glob("metrics/*/README.md"))
PAGES = [
    ROOT / "README.md",
    *CARDS,
    *(page for page in sorted(ROOT.glob("docs/**/*.md")) if ">>> " in page.read_text(encoding="utf-8")),
]
MARKDOWN = [path for path in sorted(ROOT.rglob("*.md")) if not any(part.startswith(".venv") for part in path.parts)]
HEADINGS = """# Metric Card for
## Metric Description
## How to Use
### Inputs
### Output Values
#### Values from Popular Papers
### Examples
## Limitations and Bias
## Citation
## Further References""".split("\n")  # of evaluate's template
MOST_WORDS = 1400
TYPED = re.compile(r"\*\*`(\w+)`\*\* \(\*([^*]+)\*, default `([^`]+)`\)")
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = page.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert code.count(">>> ") == text.count(">>> ")  # none stands outside the blocks
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    assert test.examples
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.parent.name)
def test_cards_follow_the_template(card):
    """evaluate's headings in their order, and no more words than the longest of its cards."""
    text = card.read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if re.match("#+ ", line)]
    assert [heading if heading in HEADINGS else heading[: len(HEADINGS[0])] for heading in headings] == HEADINGS
    assert len(text.split()) <= MOST_WORDS


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.parent.name)
def test_cards_have_every_option_with_its_default(card):
    options = importlib.import_module(f"metrics.{card.parent.name}.scoring").Options
    text = " ".join(card.read_text(encoding="utf-8").split())
    listed = {name: ast.literal_eval(default) for name, _, default in TYPED.findall(text)}
    assert listed == {field.name: field.default for field in fields(options)}


def test_quickstart_prints_the_scores_of_the_paper(tmp_path):
    """From another directory, offline; without a terminal no libraries' progress bars, either."""
    command = [sys.executable, str(ROOT / "quickstart.py")]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=offline)
    assert (done.returncode, done.stderr) == (0, "")
    output = done.stdout
    rows = {line.split("  ")[1]: line.split()[-6:] for line in output.splitlines() if line.startswith("  ")}
    assert rows["MUC"][:3] == ["0.85", "0.79", "0.81"]
    assert rows["entropy"][:3] == ["0.55", "0.37", "0.44"]
    judged = [line.split()[:2] for line in output.splitlines() if "  A: " in line]
    assert len(judged) == 4 and {mass for _, mass in judged} == {"1.00"}  # a classifier of pairs
    scores = {line.split("  ")[-1]: float(line.split()[0]) for line in output.splitlines() if line.startswith("   0.")}
    assert scores["faithful"] > max(scores["repetitive"], scores["beside the point"], scores["invented"])


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """Those to other files of the repository, outside of code."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)", text)
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 1200


def test_the_figure_is_drawn_from_the_results():
    module = module_at(ROOT / "docs" / "figure.py")
    assert module.figure() == (ROOT / "docs" / "figure.svg").read_text(encoding="utf-8"), "run python docs/figure.py"
    with pytest.raises(ValueError, match="scale.md: found no row 'absent', expected one"):
        module.cell("scale.md", "absent", 1)


# ---- Notebooks ----


def shown(notebook: dict) -> list:
    """The cells' output: kinds and texts; of a picture, that it is there."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return [(sorted(o.get("data", "s")), "".join(o.get("text") or o["data"]["text/plain"])) for o in outputs]


@pytest.fixture(scope="module")
def run_again():
    """{name: the notebook as it is now}; all in one process, which takes most of its time to load the libraries."""
    names = [path.stem for path in NOTEBOOKS]
    command = [sys.executable, str(ROOT / "docs" / "notebooks" / "run.py"), "--show", *names]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=offline)
    assert done.returncode == 0, done.stderr
    return dict(zip(names, map(json.loads, done.stdout.strip().split("\n\n")), strict=True))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_their_cells_give(path, run_again):
    """In a fresh process, offline; numbers may differ in the last digit shown."""
    kept, now = shown(json.loads(path.read_text(encoding="utf-8"))), shown(run_again[path.stem])
    number = re.compile(r"-?\d+\.\d+")
    assert [(kinds, number.sub("x", text)) for kinds, text in now] == [
        (kinds, number.sub("x", text)) for kinds, text in kept
    ]
    values = [[float(each) for _, text in some for each in number.findall(text)] for some in (now, kept)]
    assert values[0] == pytest.approx(values[1], abs=0.101)
    assert any("text/html" in kinds for kinds, _ in kept)  # a picture


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_jupyter_s_form(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"} and notebook["nbformat"] == 4
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]{1,64}", each) for each in ids)
    keys = {"cell_type", "id", "metadata", "source"}
    for cell in notebook["cells"]:
        assert set(cell) == keys | ({"execution_count", "outputs"} if cell["cell_type"] == "code" else set())
    titles = [line for cell in notebook["cells"] for line in cell["source"] if line.startswith("## ")]
    assert [title.strip() for title in titles] == ["## Data", "## Score", "## Picture", "## Comparison"]


# ---- The site ----


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built strictly: every page in a tab, every link between pages, every docstring that a page names."""
    if not all(map(importlib.util.find_spec, ("mkdocs", "material", "mkdocstrings_handlers"))):
        pytest.skip("mkdocs or its theme is not installed: pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class References(HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, page):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            self.links += [value] if name in ("href", "src") and value else []
            self.places |= {value} if name == "id" else set()


def test_every_reference_of_the_site_resolves(site):
    """Pages, places in them, pictures, scripts and styles, so that the site can be read from a disk."""
    pages = {
        page: References(page) for page in site.rglob("*.html") if page.name != "404.html"
    }  # that one is for servers
    assert {site / "README.html", *(site / card.relative_to(ROOT).with_name("index.html") for card in CARDS)} <= {
        *pages
    }
    wanted = [(page, link) for page, references in pages.items() for link in references.links]
    wanted += [
        (style, link)
        for style in site.rglob("*.css")
        for link in re.findall(r"url\(['\"]?([^)'\"]+)", style.read_text())
    ]
    assert {".css", ".js", ".svg", ".png"} <= {Path(urlsplit(link).path).suffix for _, link in wanted}
    dead = []
    for page, link in wanted:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            lost = target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].places
            dead += [(page.relative_to(site), link)] if lost or not target.is_file() else []
    assert dead == []


def test_the_site_has_its_search(site):
    """The functions, and the questions as they are asked."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    assert {"metrics/melasss/index.html", "docs/api/parapluie.html#_functions.paraphrases"} <= {
        entry["location"] for entry in index
    }
    questions = re.findall(r"^## (.+\?)$", (ROOT / "docs" / "faq.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(questions) > 9
    found = {unescape(entry["title"]) for entry in index if entry["location"].startswith("docs/faq.html#")}
    assert {question.replace("`", "") for question in questions} <= {re.sub("<[^>]+>", "", title) for title in found}


@needs_browser
def test_pages_on_a_phone(site, tmp_path):
    """No page is wider than the screen, nothing comes from elsewhere, what is copied can be run; light and dark."""
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=site)) as server,
        browser_in(tmp_path) as browser,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.execute_cdp_cmd("Network.enable", {})  # the index of the search would take half of the time
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/search_index.json"]})
        seen, wide, foreign = set(), [], []
        for number, page in enumerate(sorted(site.rglob("*.html"))):
            media = {"features": [{"name": "prefers-color-scheme", "value": ("light", "dark")[number % 2]}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            path = page.relative_to(site).as_posix()
            browser.get(address + path)
            width, scheme, loaded = browser.execute_script(SHOWN)
            wide += [(path, width)] if width > 390 else []
            foreign += [each for each in loaded if not each.startswith((address, "data:", "blob:"))]
            seen.add((number % 2, scheme))
        assert (wide, foreign, seen) == ([], [], {(0, "default"), (1, "slate")})
        copied = {path: copies(browser, address + path) for path in ("index.html", "README.html")}
        server.shutdown()
    typed = re.findall("^>>> (.*)", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert copied["index.html"] == ["\n".join(typed)]
    assert len(copied["README.html"]) > 5
    assert not re.search(r"^(>>>|\.\.\.|\$) ", "\n".join(copied["README.html"]), re.MULTILINE)


SHOWN = """
const loaded = performance.getEntriesByType("resource").map(entry => entry.name);
return [document.documentElement.scrollWidth, document.body.dataset.mdColorScheme, loaded];
"""
COPIED = """
window.copied = [];
document.addEventListener("copy", () => copied.push(document.activeElement.value ?? String(getSelection())));
"""


def copies(browser, address):
    """What a page's copy buttons put on the clipboard, one after the other."""
    browser.get(address)
    browser.execute_script(COPIED)
    browser.implicitly_wait(20)  # for the theme's script, which makes the buttons
    for button in browser.find_elements("css selector", "[data-clipboard-target]"):
        button.click()
    return browser.execute_script("return copied")


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.parent.name)
def test_the_reference_describes_every_parameter(site, card):
    """Of every function, each with its default; and of the options none as the code has them."""
    page = (site / "docs" / "api" / f"{card.parent.name}.html").read_text(encoding="utf-8")
    for path in reference(card.parent.name):
        module, _, name = path.rpartition(".")
        expected = signature(getattr(importlib.import_module(f"metrics.{module}"), name)).parameters
        part = page.partition(f'id="{path}"')[2].partition('<div class="doc doc-object')[0]
        assert re.search(rf"doc-signature.*?{name}.*?\(", part, re.S)
        items = re.findall(r"<b><code>(\w+)</code></b>(.*?)</li>", part, re.S)
        assert [name for name, text in items if re.search(r"–\s*<div[^>]*>\s*<p>\S", text)][: len(expected)] == [
            *expected
        ]
        shown = {name: re.search(r"default:.*?<code>(.*?)</code>", text, re.S) for name, text in items}
        for name, parameter in expected.items():
            if isinstance(parameter.default, (bool, int, float)):
                assert shown[name][1].strip() == repr(parameter.default), (path, name)
    assert "option(" not in page and "&lt;key&gt;_low" in page or card.parent.name != "muc_b3_ceaf_entropy"


def reference(name):
    """What the metric's page of the reference describes."""
    return re.findall(r"^::: (\S+)$", (ROOT / f"docs/api/{name}.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.parent.name)
def test_every_method_is_in_the_reference(card):
    """Every method that the metric's class adds to evaluate's."""
    name = card.parent.name
    described = reference(name) + reference("statistics")
    for path in described:
        module, _, attribute = path.rpartition(".")
        assert hasattr(importlib.import_module(f"metrics.{module}"), attribute), path
    main = importlib.import_module(f"metrics.{name}.{name}")
    (own,) = (found for found in vars(main).values() if isinstance(found, type) and found.__module__ == main.__name__)
    methods = {key for key, value in vars(own).items() if isinstance(value, staticmethod)} - {"check_examples"}
    assert methods <= {path.rpartition(".")[2] for path in described}
