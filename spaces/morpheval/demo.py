# Copied from spaces/_common/demo.py: edit there, then run make vendor.
"""What the demos share: the metric beside them, errors as messages, downloads, coloured text, tables, code to copy.

This file is vendored: `spaces/_common/demo.py` is the source, `make vendor` copies it into the Spaces' folders.
"""

import csv
import functools
import json
import os
import re
import tempfile
from html import escape
from math import isfinite
from pathlib import Path

import evaluate
import gradio as gr

HERE = Path(__file__).resolve().parent
UPLOADED = re.compile(r"\S*/gradio/\w+/")  # where Gradio puts a visitor's files
HUE = "37, 99, 235"  # of all shades; readable behind dark and light text up to the strength used here
STRONGEST = 0.55
COLOURS = ("37, 99, 235", "217, 119, 6", "5, 150, 105", "190, 24, 93")
STYLE = """
.sentences p, .sentences li { margin: .3em 0; padding: .25em .5em; border-radius: .4em; line-height: 1.5 }
.grid { overflow-x: auto }
.grid table { border-collapse: collapse; font-size: .9em }
.grid th, .grid td { padding: .3em .5em; border: 1px solid rgba(128, 128, 128, .35); text-align: left }
.grid mark { color: inherit; background: rgba(217, 119, 6, .4) }
.grid td.number { text-align: right; font-variant-numeric: tabular-nums }
.grid td.bars { min-width: 12em; width: 100% }
.bar { display: flex; align-items: center; gap: .4em; margin: .1em 0; padding-right: 8em }
.bar div { height: .7em; min-width: 1px; border-radius: .2em }
.bar small { white-space: nowrap; margin-right: -8em }
.key { display: inline-block; width: .8em; height: .8em; border-radius: .2em }
.gauge { border: 1px solid rgba(128, 128, 128, .6); border-radius: .5em; height: 1.4em; position: relative }
.gauge div { height: 100%; border-radius: .4em; background: rgb(37, 99, 235); position: absolute }
.gauge i { position: absolute; height: 100%; border-left: 2px solid currentColor }
.running { line-height: 2; max-height: 40em; overflow-y: auto }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.figure { font-size: 1.6em; font-weight: 600; margin: .2em 0 }
"""


def metric_folder(name: str) -> Path:
    """Where the metric is: beside the demo in a Space, among the metrics in a checkout."""
    return HERE if (HERE / f"{name}.py").exists() else HERE.parents[1] / "metrics" / name


@functools.cache
def metric_class(name: str) -> type:
    """The metric's class, loaded as every user loads it."""
    return type(evaluate.load(str(metric_folder(name) / f"{name}.py"), keep_in_memory=True))


def metric(name: str):
    """A metric of its own for each request, because one keeps what it was given until it has computed."""
    return metric_class(name)(keep_in_memory=True)


def messages(function):
    """The function with its errors as messages on the screen, uploaded files by their own names."""

    @functools.wraps(function)
    def shown(*arguments, **options):
        try:
            return function(*arguments, **options)
        except (ValueError, OSError, RecursionError, csv.Error) as error:
            raise gr.Error(UPLOADED.sub("", str(error)), duration=None) from error

    return shown


def hub_name(what: str, name: str | None) -> str:
    """A visitor's choice as a name on the Hub: the folders of this machine are not the visitor's to look into."""
    name = (name or "").strip()
    if not name or os.path.exists(name) or not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", name):
        raise ValueError(f"{what}: found {name!r}, expected a name on the Hub, owner/name")
    return name


def shade(strength: float) -> str:
    """A CSS background for a strength in 0..1."""
    return f"background: rgba({HUE}, {STRONGEST * min(max(strength, 0), 1):.2f})"


def number(value: float) -> str:
    """Two digits, or a word where a figure is not defined."""
    return f"{value:.2f}" if isfinite(value) else "undefined"


def grid(columns: list, rows: list, strengths: list | None = None, caption: str = "") -> str:
    """An HTML table; the first cell of a row is its heading, numbers stand to the right and may have a shade."""
    head = "".join(f'<th scope="col">{escape(str(column))}</th>' for column in columns)
    body = ""
    for i, (heading, *cells) in enumerate(rows):
        body += f'<tr><th scope="row">{escape(str(heading))}</th>'
        for j, cell in enumerate(cells):
            style = f' style="{shade(strengths[i][j])}"' if strengths else ""
            kind = ' class="number"' if isinstance(cell, (int, float)) else ""
            text = number(cell) if isinstance(cell, float) else escape(str(cell))
            body += f"<td{kind}{style}>{text}</td>"
        body += "</tr>"
    return framed(caption, f"<tr>{head}</tr>{body}")


def framed(caption: str, rows: str) -> str:
    """A table's rows under its caption, in a frame that scrolls by itself, with the keyboard, too."""
    label = f'role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f'<div class="grid" {label}><table><caption>{escape(caption)}</caption>{rows}</table></div>'


def shaded(heading: str, pieces: list) -> str:
    """Pieces of text, each (text, strength in 0..1, note), one under the other, below a heading."""
    lines = (
        f'<p style="{shade(strength)}">{escape(text)} <small>{escape(note)}</small></p>'
        for text, strength, note in pieces
    )
    return f'<div class="sentences"><h4>{escape(heading)}</h4>{"".join(lines)}</div>'


def gauge(value: float, low: float, high: float, words: str) -> str:
    """A figure, and a bar from 0 to where it lies between two others."""
    zero, share = (100 * (min(max(x, low), high) - low) / (high - low) for x in (0, value))
    bar = f"left: {min(zero, share):.1f}%; width: {abs(share - zero):.1f}%"
    return (
        f'<p class="figure">{value:.2f}</p>'
        f'<div class="gauge" role="meter" aria-valuemin="{low}" aria-valuemax="{high}" '
        f'aria-valuenow="{value:.2f}" aria-label="{escape(words)}">'
        f'<div style="{bar}"></div><i style="left: {zero:.1f}%"></i></div>'
        f"<p>{escape(words)}</p>"
    )


def bars(names: list, rows: list, caption: str) -> str:
    """Horizontal bars side by side: rows of (heading, [(value in 0..1, note) for each name]), with a legend."""
    colours = dict(zip(names, COLOURS))
    legend = " ".join(f'<span class="key" style="background: rgb({c})"></span> {escape(n)}' for n, c in colours.items())
    body = ""
    for heading, values in rows:
        lines = ""
        for (value, note), (name, colour) in zip(values, colours.items(), strict=True):
            share = 100 * min(max(value, 0), 1) if isfinite(value) else 0
            lines += (
                f'<div class="bar"><div style="width: {share:.1f}%; background: rgb({colour})"></div>'
                f'<small><span class="unseen">{escape(name)}: </span>{number(value)} {escape(note)}</small></div>'
            )
        body += f'<tr><th scope="row">{escape(heading)}</th><td class="bars">{lines}</td></tr>'
    return f"<p>{legend}</p>{framed(caption, body)}"


def downloads(name: str, result: dict, **tables: tuple) -> list[str]:
    """Files with a result: all of it as JSON, and each table, (columns, rows), as CSV with a mark for spreadsheets."""
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    paths = [folder / f"{name}.json", *(folder / f"{name}.{table}.csv" for table in tables)]
    text = json.dumps(_finite(result), ensure_ascii=False, indent=1, allow_nan=False)
    paths[0].write_text(text, encoding="utf-8")
    for path, (columns, rows) in zip(paths[1:], tables.values()):
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
    return list(map(str, paths))


def _finite(value):
    """The same with null for numbers that JSON does not have."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def snippet(name: str, *steps: str, remark: str = "", **arguments) -> str:
    """Code that gives what is on the screen.

    Args:
        name: the metric.
        steps: lines between loading and computing.
        remark: a comment above.
        arguments: of `compute`; a `Code` stands as it is.
    """
    place = os.environ.get("SPACE_ID") or str(metric_folder(name) / f"{name}.py")
    head = [f"# {remark}"] if remark else []
    given = "".join(f"    {key}={value!r},\n" for key, value in arguments.items())
    lines = [
        "import evaluate",
        "",
        *head,
        f"metric = evaluate.load({place!r})",
        *steps,
        f"result = metric.compute(\n{given})",
    ]
    return "\n".join(lines) + "\n"


class Code(str):
    """A name or an expression in a snippet."""

    __repr__ = str.__str__
