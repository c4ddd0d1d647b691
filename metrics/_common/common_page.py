"""Pages in one file, which load nothing: their frame and style, tables, examples that can be folded.

Elements that may stay open (p, tr, td, li) are not closed, and the bodies of folded examples are comments until they
are unfolded: a page of hundreds of them opens at once.
"""

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 20  # of a table that is not folded
MOST_WORDS = 600  # of an example that is not folded
OPEN_WORDS = 2500  # on the whole page, beyond which examples are folded
STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 0 auto; padding: 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin: 1em 0 .2em }
h1, small { overflow-wrap: anywhere } h3 { font-size: 1em; margin: .8em 0 .2em }
.large { font-size: 2.2em; font-weight: 600; margin: .2em 0 0 }
.table { overflow-x: auto } table { border-collapse: collapse }
th, td { padding: .2em .6em; border-bottom: 1px solid rgb(128 128 128 / .4); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 7em }
article, .fold { border: 1px solid rgb(128 128 128 / .5); border-radius: .5em; padding: .6em .8em; margin: 1em 0 }
summary { cursor: pointer } summary > * { display: inline }
article p { margin: .15em 0; padding-left: 5.5em; line-height: 1.9; overflow-wrap: anywhere }
article p > i { float: left; margin-left: -5.5em; font-size: .85em; opacity: .8 }
article p.b { margin-top: .8em }
mark { color: inherit; background: rgb(217 119 6 / .35); border-radius: .25em; padding: .1em 0 }
@media (max-width: 40em) { article p { padding-left: 0 } article p > i { float: none; margin: 0; display: block } }
"""
SCRIPT = """
document.addEventListener("toggle", event => {
  const body = event.target.querySelector(":scope > .body"), folded = body && body.firstChild;
  if (folded && folded.nodeType === Node.COMMENT_NODE) body.innerHTML = folded.data;
}, true);
const unfold = () => {
  const chosen = document.getElementById(location.hash.slice(1));
  if (chosen) { chosen.querySelector("details").open = true; chosen.scrollIntoView(); }
};
addEventListener("hashchange", unfold);
unfold();
"""
NOSCRIPT = "<noscript><p>Folded parts are shown by a script of this page, which is switched off.</p></noscript>"


def page(title: str, *parts: str, style: str = STYLE) -> str:
    """A whole page: the title, a text, above parts that are HTML."""
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n{body}\n{NOSCRIPT}<script>{SCRIPT}</script></body></html>\n"
    )


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str, is_open: bool = False) -> str:
    """A table which scrolls by itself, its cells HTML; one of many rows can be folded, and is if it is not open."""
    head = "".join(f'<th scope="col">{escape(column)}' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows)
    label = escape(caption)
    drawn = f'<div class="table" role="region" tabindex="0" aria-label="{label}"><table><tr>{head}{body}</table></div>'
    if len(rows) > MOST_ROWS:
        state = " open" if is_open else ""
        return f'<details class="fold"{state}><summary><h2>{label} ({len(rows)})</h2></summary>{drawn}</details>'
    return f"<h2>{label}</h2>{drawn}"


def opened(sizes: Iterable[int]) -> list[bool]:
    """Which examples are not folded, from their numbers of words: the first short ones."""
    shown, is_open = 0, []
    for size in sizes:
        is_open.append(size <= MOST_WORDS and shown + size <= OPEN_WORDS)
        shown += size if is_open[-1] else 0
    return is_open


def example(index: int, name: str, note: str, body: str, is_open: bool = True) -> str:
    """An example under its name and a note, which are texts, folded or not.

    All text in its body, which is HTML, is escaped: so nothing in it can end the comment.
    """
    return (
        f'<article id="d{index}"><details{" open" if is_open else ""}><summary><h2>{escape(name)}</h2> {escape(note)}'
        f'</summary><div class="body">{body if is_open else f"<!--{body}-->"}</div></details></article>'
    )
