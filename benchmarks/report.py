"""What all benchmarks share: timing several sides in turn, and a table that is printed row by row and kept."""

import gc
import os
import platform
import time
from collections.abc import Callable, Iterable
from datetime import date
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"


def best_times(functions: list[Callable], runs: int = 5) -> list[float]:
    """Best seconds of each function, called in turn, the garbage collector off."""
    best = [float("inf")] * len(functions)
    for _ in range(runs):
        for i, function in enumerate(functions):
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            function()
            best[i] = min(best[i], time.perf_counter() - start)
            gc.enable()
    return best


def print_table(
    title: str,
    packages: tuple,
    setting: str,
    header: str,
    rows: Iterable[tuple],
    save: str | None,
    command: str = "make bench",
) -> None:
    """Print a Markdown table as its rows come, and write it to benchmarks/results at the end.

    Args:
        title: heading of the page.
        packages: whose versions to name.
        setting: what else to say about the run.
        header: names of the columns and their alignment, two lines.
        rows: the cells of each row, as text.
        save: name of the file, without its ending; None to print only.
        command: what makes the page.
    """
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    machine = f"{platform.machine()} with {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}"
    lines = [f"# {title}", "", f"`{command}`, {date.today()}, {machine}, {versions}; {setting}", "", header]
    print(*lines, sep="\n", flush=True)
    for row in rows:
        lines.append("| " + " | ".join(row) + " |")
        print(lines[-1], flush=True)
    if save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{save}.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


def seconds_cell(seconds: float | None, digits: int = 4) -> str:
    """Seconds as text, nothing for None."""
    return "" if seconds is None else f"{seconds:.{digits}f}"
