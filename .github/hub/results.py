"""The results of this repository as one page, a static Space: every table of benchmarks/results, sortable.

    python .github/hub/results.py FOLDER

writes index.html and README.md there; `publish.py` uploads them.
"""

import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "meaning-metrics-results"  # of the Space, beside those of the metrics
CARD = """---
title: Results of the meaning metrics
emoji: 📏
colorFrom: blue
colorTo: gray
sdk: static
pinned: false
---
What was measured with the four metrics of this organisation: every table, sortable, with intervals.
"""
INTERVAL = re.compile(r"^\W*(-?\d*\.?\d+) ?%? \[(-?\d*\.?\d+), (-?\d*\.?\d+)\]")
INLINE = {r"\[([^\]]*)\]\([^)]*\)": r"\1", r"\*\*(.+?)\*\*": r"<b>\1</b>", r"`([^`]+)`": r"<code>\1</code>"}
STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75em; margin: 0 auto; padding: 1em }
details { border: 1px solid rgb(128 128 128 / .5); border-radius: .5em; padding: .5em .8em; margin: .6em 0 }
summary { cursor: pointer } summary h2 { display: inline; font-size: 1.1em }
h3 { margin: 1em 0 .2em } p { overflow-wrap: anywhere }
.table { overflow: auto; max-height: 40em } table { border-collapse: collapse; font-size: .9em }
th, td { padding: .3em .6em; border: 1px solid rgb(128 128 128 / .4); text-align: left; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th button { all: unset; cursor: pointer; font-weight: 600 } th button:focus-visible { outline: 2px solid }
th[aria-sort=ascending] button::after { content: " ↑" } th[aria-sort=descending] button::after { content: " ↓" }
.interval { position: relative; display: block; height: .6em; min-width: 6em }
.interval i { position: absolute; top: .25em; height: .12em; background: currentColor; opacity: .6 }
.interval b { position: absolute; width: .5em; height: .5em; margin-left: -.25em; top: .06em; border-radius: 50%;
  background: #2563eb }
"""
# A heading sorts its table by the first number of each cell, or by its text; again, the other way round.
SCRIPT = """
const number = text => parseFloat(text.replaceAll(",", "").match(/-?\\d*\\.?\\d+/)?.[0]);
document.addEventListener("click", event => {
  const head = event.target.closest("th");
  if (!head) return;
  const down = head.ariaSort != "descending", table = head.closest("table"), column = head.cellIndex;
  const rows = [...table.rows].slice(1), text = row => row.cells[column]?.textContent ?? "";
  const compare = (a, b) => {
    const [x, y] = [number(text(a)), number(text(b))];
    if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y) || (down ? -1 : 1) * text(a).localeCompare(text(b));
    return down ? y - x : x - y;
  };
  table.tBodies[0].append(...rows.sort(compare));
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.ariaSort = down ? "descending" : "ascending";
});
"""


def inline(text: str) -> str:
    """A line of Markdown as HTML; links as their words."""
    html = escape(text, quote=False)
    for pattern, replacement in INLINE.items():
        html = re.sub(pattern, replacement, html)
    return html


def cells(line: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def table(lines: list[str]) -> str:
    """A Markdown table as HTML; values with an interval, 1.5 [1.2, 1.9], have it drawn on their column's scale."""
    heads, rows = cells(lines[0]), [cells(line) for line in lines[2:]]
    ends = {}  # of each column's intervals
    for row in rows:
        for i, cell in enumerate(row):
            if found := INTERVAL.match(cell):
                ends.setdefault(i, []).extend(map(float, found.groups()))
    head = "".join(f'<th scope="col"><button type="button">{inline(cell) or "row"}</button></th>' for cell in heads)
    body = "".join("<tr>" + "".join(_cell(cell, ends.get(i)) for i, cell in enumerate(row)) + "</tr>" for row in rows)
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="table"><table><tr>{head}</tr>{body}</table></div>'
    )


def _cell(cell, ends):
    kind = ' class="number"' if re.match(r"^\W*\d", cell) else ""
    drawn, found = "", INTERVAL.match(cell)
    if found and max(ends) > min(ends):
        value, low, high = (100 * (float(x) - min(ends)) / (max(ends) - min(ends)) for x in found.groups())
        drawn = (
            f'<span class="interval" aria-hidden="true"><i style="left: {low:.0f}%; width: {high - low:.0f}%"></i>'
            f'<b style="left: {value:.0f}%"></b></span>'
        )
    return f"<td{kind}>{inline(cell)}{drawn}</td>"


def document(text: str) -> str:
    """One page of results as a folded part: its headings, paragraphs and tables; pictures are left out."""
    title, *lines = text.strip().splitlines()
    parts, block = [], []
    for line in [*lines, ""]:
        if line.startswith("|"):
            block.append(line)
            continue
        if block:
            parts.append(table(block))
            block = []
        if line.startswith("#"):
            parts.append(f"<h3>{inline(line.lstrip('# '))}</h3>")
        elif line.strip() and not line.startswith(("![", "<", "```")):
            parts.append(f"<p>{inline(line)}</p>")
    return f"<details><summary><h2>{inline(title.lstrip('# '))}</h2></summary>{''.join(parts)}</details>"


def page(folder: Path = ROOT / "benchmarks" / "results") -> str:
    """All results that have tables, as one HTML page that loads nothing."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md")) if path.name != "README.md")
    parts = [document(text) for text in texts if "\n|" in text]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Results of the meaning metrics</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head><body>'
        "<main><h1>What was measured</h1><p>Four metrics, every table of this repository, with its command. "
        "Press a heading to sort; a line under a figure is its interval.</p>"
        f"{''.join(parts)}</main><script>{SCRIPT}</script></body></html>\n"
    )


def write(folder: Path) -> None:
    """The files of the Space."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page(), encoding="utf-8")
    (folder / "README.md").write_text(CARD, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
