"""The page of results: every table, intervals drawn, sorted in a browser; and its Space."""

import re

from ..browser import browser_in, needs_browser
from ..conftest import ROOT, module_at

RESULTS = module_at(ROOT / ".github" / "hub" / "results.py")
TEXT = """# Some `scores`

With a [link](x.md) and <b>.

## Part

| metric | score |
|---|---:|
| **a**<i> | 0.5 [0.2, 1.0] |
| b | 12 [11, 12.2] |
| c \\| d | |
| e | 3 |
"""


def test_tables_have_their_intervals_and_text_stays_text():
    html = RESULTS.document(TEXT)
    assert "<h2>Some <code>scores</code></h2>" in html and "<h3>Part</h3>" in html
    assert "<p>With a link and &lt;b&gt;.</p>" in html and "<b>a</b>&lt;i&gt;" in html and ">c | d<" in html
    # the column's scale is from .2 to 12.2
    assert re.findall(r'left: (\d+)%; width: (\d+)%"></i><b style="left: (\d+)%', html) == [
        ("0", "7", "2"), ("90", "10", "98"),
    ]  # fmt: skip
    assert html.count('class="number"') == 3


def test_all_results_are_there():
    page = RESULTS.page()
    for path in (ROOT / "benchmarks" / "results").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        if "\n|" in text and path.name != "README.md":
            assert RESULTS.inline(text.splitlines()[0].lstrip("# ")) in page


@needs_browser
def test_a_heading_sorts(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "page.html").write_text(RESULTS.page(tmp_path / "folder"), encoding="utf-8")
    with browser_in(tmp_path) as browser:
        browser.get(f"file://{tmp_path}/page.html")
        browser.execute_script("document.querySelector('details').open = true")
        seen = []
        for _ in range(2):
            browser.find_elements("css selector", "th button")[1].click()
            seen.append([row.text.split()[0] for row in browser.find_elements("css selector", "tr")[1:]])
    assert seen == [["b", "e", "a<i>", "c"], ["a<i>", "e", "b", "c"]]
