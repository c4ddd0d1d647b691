"""A paper's tables beside the computed ones: what every reproduce_*.py shares.

A cell shows the figure as the paper prints it, the computed one, and one of

    reproduced               the computed figure rounds to the printed one
    differs by <difference>  it does not
    other model (<name>)     computed, but not with what the paper used
    needs <what>             not computed: what it takes is not there; the page ends with the command for where it is
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..report import head, print_page, table_row

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
ENDS_OF_A_ROUNDING = 1e-9  # half a unit away is still a way to round


class Cell(NamedTuple):
    """One figure of a table."""

    printed: float
    computed: float | None = None
    digits: int = 2  # after the decimal point, as printed
    other: str = ""  # name of the model that stands in for the paper's
    needs: str = ""  # what is missing, if nothing was computed


class Table(NamedTuple):
    """A table of a paper; a cell may be None where the paper has none."""

    title: str
    columns: list[str]
    rows: dict[str, list[Cell | None]]
    remark: str = ""


def verdict(cell: Cell) -> str:
    """What comparing a printed figure with the computed one says.

    >>> verdict(Cell(0.69, 0.6913)), verdict(Cell(0.66, 0.336)), verdict(Cell(20.0, needs="a model"))
    ('reproduced', 'differs by -0.32', 'needs a model')
    """
    if cell.computed is None:
        return f"needs {cell.needs}"
    if cell.other:
        return f"other model ({cell.other})"
    unit = 10**-cell.digits
    if abs(cell.computed - cell.printed) <= unit / 2 + ENDS_OF_A_ROUNDING:
        return "reproduced"
    difference = round(cell.computed, cell.digits) - cell.printed
    return f"differs by {difference:+.{cell.digits}f}"


def cell_text(cell: Cell | None) -> str:
    """Printed figure, computed figure, verdict."""
    if cell is None:
        return ""
    figures = [f"{value:.{cell.digits}f}" for value in (cell.printed, cell.computed) if value is not None]
    return f"{' / '.join(figures)} {verdict(cell)}"


def table_lines(table: Table) -> Iterator[str]:
    """The table in Markdown, under its title."""
    yield from (f"## {table.title}", "")
    if table.remark:
        yield from (table.remark, "")
    yield table_row(["", *table.columns])
    yield "|---|" + "---|" * len(table.columns)
    for name, cells in table.rows.items():
        yield table_row([name, *map(cell_text, cells)])
    yield ""


def kind(cell: Cell) -> str:
    """A verdict without its figures, for counting."""
    return " ".join(verdict(cell).split()[: 2 if cell.other and cell.computed is not None else 1])


def page_lines(top: list[str], tables: Iterable[Table], commands: dict[str, str]) -> Iterator[str]:
    """A page: the tables as they come, how many cells came out how, and how to fill in what is missing.

    Args:
        top: from `report.head`.
        tables: the tables.
        commands: for what cells may need, the command that computes them where it is there.
    """
    yield from [*top, "Each cell: printed / computed, and how they compare.", ""]
    counts, missing = {}, set()
    for table in tables:
        yield from table_lines(table)
        cells = [cell for row in table.rows.values() for cell in row if cell is not None]
        counts[table.title] = Counter(map(kind, cells))
        missing |= {cell.needs if cell.computed is None else cell.other for cell in cells} - {""}
    kinds = [
        name for name in ("reproduced", "differs", "other model", "needs") if any(c[name] for c in counts.values())
    ]
    yield from ("## How many cells", "", table_row(["", *kinds]), "|---|" + "---:|" * len(kinds))
    for title, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        yield table_row([title, *(str(count[name]) for name in kinds)])
    if missing:
        yield from ("", "## What is missing", "", "| needs, or other model | command where it is there |", "|---|---|")
        for name in sorted(missing):
            yield table_row([name, f"`{commands[name]}`" if name in commands else "none"])


def print_tables(
    title: str,
    packages: tuple,
    setting: str,
    command: str,
    tables: Iterable[Table],
    commands: dict[str, str],
    save: str | None,
) -> None:
    """Print a page of tables, and keep it; see `report.head` and `page_lines`."""
    print_page(page_lines(head(title, packages, setting, command), tables, commands), save)


def printed_tables(name: str) -> dict:
    """The papers' tables of a metric, from ../shared/data/paper_tables."""
    return json.loads(data_file(f"paper_tables/{name}.json").read_text(encoding="utf-8"))


def data_file(path: str) -> Path:
    """A file of ../shared/data; the program ends with a message where it is not there."""
    file = SHARED / "data" / path
    if not file.is_file():
        raise SystemExit(f"found no {file}; the papers' tables and data sets lie in ../shared, beside this repository")
    return file
