"""What the demos share: the metric, how a demo runs and fails, links, files, coloured text, tables, code.

publish.py puts this file beside the app of each Space; in a checkout the apps find it here.
"""

import csv
import functools
import json
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from contextvars import ContextVar
from html import escape
from math import isfinite
from pathlib import Path

import evaluate
import gradio as gr
from gradio.routes import templates
from jinja2 import ChoiceLoader, DictLoader

SCRATCH = Path(tempfile.gettempdir()) / "meaning-metrics-demos"  # files to download
KEPT = 3600  # seconds that they are kept
CACHE = (KEPT, KEPT)  # of Gradio's copies: how often to look for old ones, and how old they may be
LARGEST_FILE = "1mb"  # of an upload
MOST_WAITING = 40  # visitors in the queue
AT_ONCE = 2  # calls of one function; free machines on the Hub have two cores
# Of events that lead to others.
UNSEEN = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
PAGE, PREVIEW = "frontend/index.html", "Click to try out the app!"  # Gradio's page, and what it says of every app
FORMULA = tuple("=+-@")  # how formulas begin in spreadsheets
LONGEST_TEXT = 12_000  # characters in a box
# What of a message is no visitor's business: folders of this machine, credentials in addresses.
PRIVATE = re.compile(r"(?<![\w/:.])/(?:[^\s/'\"]+/)+(?=[^\s/])|(?<=//)[^/@\s]+@")
# What a message says to developers, and to visitors.
PLAIN = {
    r"^(?:melasss|morpheval|muc_b3_ceaf_entropy|parapluie): ": "",
    r"^(?:predictions|references)\[(\d+)\]: ": lambda found: f"pair {int(found[1]) + 1}: ",
    r"judge@\w+": "the small judge",
    r',? or (?:\w+="?[\w]*"?)(?: to name \w+| \([^()]*\))?(?=,|$| )': "",  # options, which visitors do not have
    r"(\w+)\.jsonl(?::\d+)?: document 'text (\d+)'": r"\1, document \2",
    r" in '\d+'(?: and '\d+')+(?= \(key, document)": "",  # numbers of entities that a visitor named otherwise
    r"(\w+)\.jsonl": r"\1",
    r"; \w+=\S+ (?:aligns|takes|counts|keeps)\b[^;]*": "",
}
DRAWN = re.compile("one group alone|predictions are empty")  # warnings that the pages have in their own words
RELATIVE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")
SECTIONS = re.compile(r"^## [^\n]*(?:imitations|Citation)[^\n]*\n.*?(?=^## |\Z)", re.M | re.S)
OURS = "Something went wrong that is not your fault. Please try again, or tell us what you typed."
HUE = "37, 99, 235"  # of all shades; up to this strength, dark and light text is legible on it
STRONGEST = 0.55
# Gradio's own orange, its grey notes and chosen tabs have too little contrast (WCAG: 4.5 to 1).
THEME = gr.themes.Default(primary_hue="blue").set(
    button_primary_background_fill="*primary_600", button_primary_background_fill_hover="*primary_700",
    button_primary_background_fill_dark="*primary_700", button_primary_background_fill_hover_dark="*primary_800",
    color_accent="*primary_600", checkbox_background_color_selected="*primary_600",
    body_text_color_subdued="*neutral_600", body_text_color_subdued_dark="*neutral_300",
    block_title_text_color="*neutral_700", block_label_text_color="*neutral_700",
    link_text_color_dark="*secondary_400", link_text_color_visited="*secondary_600",
    link_text_color_visited_dark="*secondary_400",
)  # fmt: skip
# ---- The little JavaScript there is: functions of the inputs' values ----
# What a visitor set, behind "#", which browsers do not send: the address of the page as it is.
# In a Space the page is in a frame: the Hub's page is told what its address should end with.
LINK = """async (...values) => {
  location.hash = encodeURIComponent(JSON.stringify(values));
  if (parent != window) parent.postMessage({hash: location.hash}, "https://huggingface.co");
  try {
    await navigator.clipboard.writeText(location.href);
    return "Link copied";
  } catch {
    return "Link in the address bar";
  }
}"""
LINKED = """(...values) => {
  try {
    const linked = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    if (linked.length == values.length) { window.linked = true; return linked; }
  } catch {}
  return values;
}"""
SCORE_LINKED = "() => { if (window.linked) document.getElementById('score').click(); }"
# To the result, unless its beginning is on the screen.
TO_RESULT = """() => {
  const result = [...document.querySelectorAll(".result")].find(each => each.offsetParent);
  const top = result?.getBoundingClientRect().top;
  if (top < 0 || top > innerHeight * .7) result.scrollIntoView();
}"""
TO_LIMITS = "() => document.getElementById('limits').scrollIntoView()"
# Gradio's SemiBold lacks most letters; Bold has them.
STYLE = """
@font-face { font-family: "Source Sans Pro"; font-weight: 600;
  src: url(static/fonts/SourceSansPro/SourceSansPro-Bold.woff2) format("woff2") }
.dark { --color-accent: var(--primary-400) !important }
.sentences h2 { font-size: 1.1em }
.sentences p { margin: .3em 0; padding: .25em .5em; border-radius: .4em; line-height: 1.5 }
.grid { overflow: auto; max-height: 40em }
.grid table { border-collapse: collapse; font-size: .9em }
.grid caption { text-align: left }
.grid th, .grid td { padding: .3em .5em; border: 1px solid rgba(128, 128, 128, .35); text-align: left }
.grid mark, .card mark { color: inherit; background: rgba(217, 119, 6, .4); border-radius: .2em; padding: 0 .1em }
.grid td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.grid td.bars { min-width: 9em; width: 100%; border: 0 }
.grid:has(.bars) :is(table, tr, th) { border: 0 }
.grid:has(.bars) th { white-space: nowrap; font-weight: 400 }
.bar { display: flex; align-items: center; gap: .4em; padding-right: 6em }
.bar div { height: .8em; min-width: 1px; border-radius: .2em; background: rgb(37, 99, 235) }
.bar.grey div { background: rgb(128, 128, 128) } .bar.other div { background: rgb(217, 119, 6) }
.bar small { white-space: nowrap; margin-right: -6em }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.figure { font-size: 2em; font-weight: 600; margin: .1em 0; line-height: 1.2 }
.figure small { font-size: .5em; font-weight: 400 }
.chip { display: inline-block; padding: 0 .5em; border-radius: .7em; font-weight: 600; white-space: nowrap }
.good { background: rgba(5, 150, 105, .3) }
.bad { background: rgba(220, 38, 38, .3) }
.unsure { background: rgba(128, 128, 128, .3) }
.card { border: 1px solid rgba(128, 128, 128, .5); border-radius: .6em; padding: .6em .9em; margin: .4em 0 }
.card p { margin: .25em 0 }
"""


def metric_folder(name: str) -> Path:
    """The metric's folder: the demo's own in a Space, in metrics/ in a checkout."""
    here = Path(__file__).resolve().parent
    return here if (here / f"{name}.py").exists() else here.parents[1] / "metrics" / name


@functools.cache
def metric_class(name: str) -> type:
    """The metric's class, loaded as every user loads it."""
    return type(evaluate.load(str(metric_folder(name) / f"{name}.py"), keep_in_memory=True))


def metric(name: str):
    """A new metric for each request, because a metric keeps its examples until it has computed."""
    return metric_class(name)(keep_in_memory=True)


def module(name: str, part: str):
    """One of the metric's modules, such as the one that draws its report."""
    return sys.modules[f"{metric_class(name).__module__.rpartition('.')[0]}.{part}"]


# ---- What metrics warn of ----
_warned: ContextVar[list | None] = ContextVar("warned", default=None)  # in the call at work
log_warning = warnings.showwarning


def show_warning(message, *where) -> None:
    """Keep a warning of a metric for the page of the visitor whose call gave it; log it as ever."""
    is_metrics = any(hasattr(text, "parts") for text in message.args[:1])  # not a library's
    if is_metrics and not DRAWN.search(str(message)) and _warned.get() is not None:
        _warned.get().append(message)
    log_warning(message, *where)


warnings.showwarning = show_warning
warnings.simplefilter("always", UserWarning)  # for each visitor, not once

# ---- How a demo looks, runs and fails ----


def header(question: str, answer: str) -> gr.Button:
    """The first lines of a page: the question, and how it is answered; returns the button for `limits`."""
    space = os.environ.get("SPACE_ID", "")
    spaces, results = "https://huggingface.co/spaces", f"{space.partition('/')[0]}/meaning-metrics-results"
    card = f" [Card]({spaces}/{space}/blob/main/README.md) · [Results]({spaces}/{results})" if space else ""
    with gr.Row():
        with gr.Column(scale=1, min_width=280):
            gr.Markdown(f"# {question}\n{answer}{card}")
        return gr.Button("Limits and paper", size="sm", min_width=140, scale=0)


def limits(name: str, button: gr.Button) -> None:
    """The card's limitations and the paper, folded, at the end of a page; a button unfolds them."""
    card = (metric_folder(name) / "README.md").read_text(encoding="utf-8")
    with gr.Accordion("Limits and paper", open=False, elem_id="limits") as folded:
        gr.Markdown("\n\n".join(RELATIVE_LINK.sub(r"\1", section) for section in SECTIONS.findall(card)))
    button.click(lambda: gr.Accordion(open=True), None, folded, **UNSEEN).then(None, js=TO_LIMITS)


def plain(error: Exception) -> str:
    """The message of an error in a visitor's words, as HTML, without paths of this machine."""
    text = PRIVATE.sub("", str(error))
    for developers, visitors in PLAIN.items():
        text = re.sub(developers, visitors, text)
    text = re.sub(r"^[a-z]+(?=[ :,])", lambda word: word[0].capitalize(), text)  # but not the name of a file
    return escape(text, quote=False)


def messages(function):
    """The function with its errors as those of Gradio, which programs get and visitors see, and warnings in the result.

    Of several outputs, the first is HTML, and begins with the metric's warnings.
    """

    @functools.wraps(function)
    def wrapped(*arguments, **options):
        warned = []
        token = _warned.set(warned)
        try:
            result = function(*arguments, **options)
        except (ValueError, OSError, RecursionError, csv.Error) as error:
            raise gr.Error(plain(error), duration=None) from error
        finally:
            _warned.reset(token)
        notes = "".join(
            f'<p><span class="chip unsure">NOTE</span> {text}</p>' for text in dict.fromkeys(map(plain, warned))
        )
        return (notes + result[0], *result[1:]) if notes else result

    return wrapped


def problem(message: str) -> str:
    """An error where the result would be."""
    return f'<div class="card problem" role="alert"><p><span class="chip bad">NOT SCORED</span> {message}</p></div>'


def on_page(function, outputs: int):
    """The function with its errors in the first output, where the eye is, and nothing in the others."""

    @functools.wraps(function)
    def wrapped(*arguments, **options):
        try:
            return function(*arguments, **options)
        except gr.Error as error:
            return (problem(error.message), *[None] * (outputs - 1))

    return wrapped


def first_view(function, arguments: list, outputs: int) -> tuple:
    """What the page shows at first, computed at the start; so models and indexes are loaded, too."""
    return on_page(function, outputs)(*arguments)


def run(function, inputs: list, outputs: list, *triggers, api_name: str | None = None) -> None:
    """Call a function on each trigger; progress shows on the first output, where an error appears, too.

    Programs call it by its `api_name`, through a button that nobody sees; they get errors as such.
    """
    shared = {"concurrency_id": "scoring", "concurrency_limit": AT_ONCE}
    if api_name:
        gr.Button(visible=False).click(function, inputs, outputs, api_name=api_name, **shared)
    failed = [problem(OURS), *[None] * (len(outputs) - 1)]
    for trigger in triggers:
        done = trigger(
            on_page(function, len(outputs)), inputs, outputs, show_progress_on=outputs[0], api_visibility="private",
            **shared,
        )  # fmt: skip
        done.failure(lambda: failed, None, outputs, **UNSEEN).then(None, js=TO_RESULT)
        done.success(None, js=TO_RESULT)


def examples(rows: dict, inputs: list, function, outputs: list) -> gr.Radio:
    """A choice of examples, {label: inputs}: one fills the inputs and runs the function.

    The first is what the page shows; none is marked once a visitor has changed something.
    """
    choice = gr.Radio(list(rows), value=next(iter(rows)), label="Examples", elem_classes="examples")
    filled = choice.input(lambda chosen: rows[chosen], choice, inputs, **UNSEEN)
    run(function, inputs, outputs, filled.success)
    for each in inputs:
        if hasattr(each, "input"):
            each.input(None, None, choice, js="() => null")
    return choice


def permalink(demo: gr.Blocks, inputs: list) -> None:
    """A button for the address of the page with all that is set in it; with such an address it is scored."""
    button = gr.Button("Copy a link to this", min_width=160, scale=0)
    button.click(None, inputs, button, js=LINK, api_visibility="private")
    opened = demo.load(None, inputs, inputs, js=LINKED, api_visibility="private")
    opened.then(None, js=SCORE_LINKED)


def previewed(page: str, title: str, about: str) -> str:
    """Gradio's page with the demo's title and what it is about, for previews of links in place of Gradio's own."""
    return page.replace('content="Gradio"', f'content="{escape(title)}"').replace(PREVIEW, escape(about))


def launch(demo: gr.Blocks, style: str, about: str) -> None:
    """Start a demo, with the limits that all share; `about` is what previews of links say."""
    page = templates.env.loader.get_source(templates.env, PAGE)[0]
    mine = DictLoader({PAGE: previewed(page, demo.title, about)})
    templates.env.loader = ChoiceLoader([mine, templates.env.loader])
    demo.queue(max_size=MOST_WAITING, default_concurrency_limit=AT_ONCE)
    demo.launch(theme=THEME, css=STYLE + style, show_error=True, max_file_size=LARGEST_FILE)


# ---- Visitors' input ----


def checked_text(what: str, text: str | None, most: int = LONGEST_TEXT) -> str:
    """The text, if it is not too long for a demo."""
    if len(text or "") > most:
        raise ValueError(
            f"{what}: {len(text):,} characters are too many for the demo, which takes {most:,}; use Python."
        )
    return text or ""


def as_utf8(path: str) -> str:
    """The file, or its copy in UTF-8 of the same name, from UTF-16 (with BOM) or cp1252."""
    data = Path(path).read_bytes()
    try:
        data.decode("utf-8")
        return path
    except UnicodeDecodeError:
        if data[:4] == b"PAR1":
            raise ValueError(f"{Path(path).name}: found a Parquet file, expected a text file; use Python.") from None
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError(f"{Path(path).name}: found neither UTF-8 nor {encoding}, expected a text in UTF-8") from None
    gr.Warning(f"{escape(Path(path).name)} is not in UTF-8: it was read as {encoding}.")
    copy = scratch() / Path(path).name
    copy.write_text(text, encoding="utf-8")
    return str(copy)


def hub_name(what: str, name: str | None) -> str:
    """A visitor's choice as a name on the Hub: visitors must not read this machine's folders."""
    name = (name or "").strip()
    if not name or os.path.exists(name) or not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", name):
        raise ValueError(f"{what}: {name!r} is no name on the Hub, such as owner/name.")
    return name


# ---- What visitors see ----


def shade(strength: float) -> str:
    """A CSS background for a strength in 0..1."""
    return f"background: rgba({HUE}, {STRONGEST * min(max(strength, 0), 1):.2f})"


def number(value: float) -> str:
    """Two digits, or a word for an undefined figure."""
    return f"{value:.2f}" if isfinite(value) else "undefined"


def grid(columns: list, rows: list, strengths: list | None = None, caption: str = "") -> str:
    """An HTML table; a row's first cell is its heading, numbers are right-aligned, maybe shaded."""
    body = headings(columns)
    for i, (heading, *cells) in enumerate(rows):
        body += f'<tr><th scope="row">{escape(str(heading))}</th>'
        for j, cell in enumerate(cells):
            style = f' style="{shade(strengths[i][j])}"' if strengths else ""
            kind = ' class="number"' if isinstance(cell, (int, float)) else ""
            text = number(cell) if isinstance(cell, float) else escape(str(cell))
            body += f"<td{kind}{style}>{text}</td>"
        body += "</tr>"
    return framed(caption, body)


def headings(columns: list) -> str:
    """The first row of a table."""
    return "<tr>" + "".join(f'<th scope="col">{escape(str(column))}</th>' for column in columns) + "</tr>"


def framed(caption: str, rows: str) -> str:
    """A table's rows with a caption, in a frame that scrolls by itself, also with the keyboard."""
    label = f'role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f'<div class="grid" {label}><table><caption>{escape(caption)}</caption>{rows}</table></div>'


def shaded(heading: str, pieces: list) -> str:
    """Pieces of text, each (text, strength in 0..1, note), one below the other under a heading."""
    lines = (
        f'<p style="{shade(strength)}">{escape(text)} <small>{escape(note)}</small></p>'
        for text, strength, note in pieces
    )
    return f'<div class="sentences"><h2>{escape(heading)}</h2>{"".join(lines)}</div>'


def bars(rows: list, caption: str) -> str:
    """Horizontal bars on one scale: rows of (heading, value in 0..1, text after the bar, a CSS class of it or "")."""
    body = ""
    for heading, value, text, kind in rows:
        share = 100 * min(max(value, 0), 1) if isfinite(value) else 0
        bar = f'<div class="bar {kind}"><div style="width: {share:.1f}%"></div><small>{escape(text)}</small></div>'
        body += f'<tr><th scope="row">{escape(heading)}</th><td class="bars">{bar}</td></tr>'
    return framed(caption, body)


# ---- Downloads and code ----


def scratch() -> Path:
    """A new folder for files; old ones are removed."""
    SCRATCH.mkdir(exist_ok=True)
    for old in SCRATCH.iterdir():
        with suppress(FileNotFoundError):  # another visitor's call has just removed it
            if old.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(dir=SCRATCH))


def downloads(name: str, result: dict, **tables: tuple) -> list[str]:
    """Files of a result: all of it as JSON, and each table, (columns, rows), as CSV with a BOM."""
    folder = scratch()
    paths = [folder / f"{name}.json", *(folder / f"{name}.{table}.csv" for table in tables)]
    text = json.dumps(_finite(result), ensure_ascii=False, indent=1, allow_nan=False)
    paths[0].write_text(text, encoding="utf-8")
    for path, (columns, rows) in zip(paths[1:], tables.values(), strict=True):
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([list(map(_inert, row)) for row in (columns, *rows)])
    return list(map(str, paths))


def _inert(cell):
    """The cell as a spreadsheet may open it: a text that would be a formula there has an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip()[:1] in FORMULA else cell


def _finite(value):
    """The value with null for numbers that JSON lacks."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def snippet(name: str, *steps: str, call: str = "compute", given: tuple = (), **arguments) -> str:
    """Code that computes what is on the screen.

    Args:
        name: the metric.
        steps: lines between loading and computing.
        call: the metric's method.
        given: its positional arguments.
        arguments: its keyword arguments; a `Code` is written as it is.
    """
    space = os.environ.get("SPACE_ID")
    load = ["import evaluate", "", f"metric = evaluate.load({space!r})"]
    if not space:
        load = ["import meaning_metrics", "", f"metric = meaning_metrics.{metric_class(name).__name__}()"]
    named = (f"{key}={value!r}" for key, value in arguments.items())
    lines = "".join(f"    {argument},\n" for argument in (*map(repr, given), *named))
    return "\n".join([*load, *steps, f"result = metric.{call}(\n{lines})"]) + "\n"


class Code(str):
    """A name or an expression in a snippet."""

    __repr__ = str.__str__
