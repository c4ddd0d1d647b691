"""What benchmarks share: timing several sides in turn, and tables, printed row by row and kept."""

import gc
import os
import platform
import time
from collections.abc import Callable, Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"


def best_times(functions: list[Callable], runs: int = 5, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """Seconds, by the clock, of each function's fastest run, called in turn with the garbage collector off."""
    best = [float("inf")] * len(functions)
    for _ in range(runs):
        for i, function in enumerate(functions):
            gc.collect()
            gc.disable()
            start = clock()
            function()
            best[i] = min(best[i], clock() - start)
            gc.enable()
    return best


def head(title: str, packages: tuple, setting: str, command: str = "make bench") -> list[str]:
    """The first lines of a page: its title, and what it was made with.

    Args:
        title: heading of the page.
        packages: whose versions to name; one that is not installed was not used.
        setting: anything else about the run.
        command: the command that makes the page.
    """
    machine = f"{platform.machine()} with {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}"
    made_with = [machine, *(f"{name} {version(name)}" for name in packages if _is_installed(name))]
    return [f"# {title}", "", f"`{command}`, {date.today()}, {', '.join(made_with)}; {setting}", ""]


def _is_installed(package):
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def print_page(lines: Iterable[str], save: str | None) -> None:
    """Print a page line by line as it is made, and write it to benchmarks/results at the end.

    Args:
        lines: the page.
        save: name of the file, without its extension; None to print only.
    """
    page = []
    for line in lines:
        print(line, flush=True)
        page.append(line)
    if save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{save}.md").write_text("\n".join([*page, ""]), encoding="utf-8")


def table_row(cells: Iterable[str]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def print_table(
    title: str,
    packages: tuple,
    setting: str,
    header: str,
    rows: Iterable[tuple],
    save: str | None,
    command: str = "make bench",
) -> None:
    """Print a page with one table, row by row; see `head` and `print_page`.

    Args:
        header: names of the columns and their alignment, two lines.
        rows: the cells of each row, as text.
    """
    print_page(chain(head(title, packages, setting, command), [header], map(table_row, rows)), save)


def seconds_cell(seconds: float | None, digits: int = 4) -> str:
    """Seconds as text; empty for None."""
    return "" if seconds is None else f"{seconds:.{digits}f}"
