"""Columns of a table that is read: CSV, TSV, JSON lines or Parquet, as its content says; unpacked if it ends in .gz."""

import csv
import gzip
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .._loading import input_error
from .files import Texts

PARQUET = b"PAR1"  # how such a file begins
DELIMITERS = ",\t;"
LONGEST = 2**31 - 1  # cell of CSV, in characters


class Table(NamedTuple):
    """A table in a file."""

    path: str
    columns: list[str]
    lines: Sequence[int]  # the file's, where each row begins; of Parquet the row's number
    cells: Callable[[str], list]  # of a column

    def texts(self, column: str) -> Texts:
        """The cells of a column."""
        return Texts(self.cells(column), self.path, self.lines, column)

    def find(self, option: str, given: Iterable[str], known: Iterable[str]) -> list[str]:
        """The columns that an option names, or the only one that has a well-known name."""
        found = list(given) or [column for column in self.columns if column.strip().lower() in known]
        missing = [name for name in found if name not in self.columns]
        columns = ", ".join(map(repr, self.columns))
        if missing:
            raise input_error(option, repr(missing[0]), f"a column of {self.path}: {columns}")
        if len(found) != 1 and not given:
            which = " and ".join(map(repr, found)) or f"none of {', '.join(known)}"
            raise input_error(self.path, f"{which} among the columns {columns}", f"{option} NAME, to choose a column")
        return found


def read_table(path: str) -> Table:
    """The table in a file."""
    from ..morpheval.common_files import numbered_lines, unreadable

    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            if file.read(len(PARQUET)) == PARQUET:
                return _parquet(path, file)
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from error
    lines = [line for _, line in numbered_lines(path, newline="")]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise input_error(path, "an empty file", "a table")
    return _json(path, lines) if lines[0].lstrip().startswith("{") else _separated(path, lines)


def _parquet(path, file):
    from ..morpheval.common_files import unreadable

    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise input_error(path, "a file of Parquet", "pyarrow to read it: pip install pyarrow") from error
    file.seek(0)
    try:
        table = parquet.read_table(file)
    except pyarrow.ArrowException as error:
        raise unreadable(path, error) from error
    return Table(path, table.column_names, range(1, len(table) + 1), lambda name: table.column(name).to_pylist())


def _json(path, lines):
    from ..morpheval.common_files import field_of, value_of

    rows = [value_of(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise input_error(f"{path}:{number}", type(row).__name__, "a JSON object, as on the first line")
    numbers = range(1, len(rows) + 1)

    def cells(name):
        return [field_of(row, f"{path}:{number}", [name]) for number, row in zip(numbers, rows, strict=True)]

    return Table(path, list(rows[0]), numbers, cells)


def _separated(path, lines):
    delimiter = max(DELIMITERS, key=lines[0].count)
    try:
        rows = _rows(path, lines, delimiter, csv.QUOTE_MINIMAL)
    except ValueError:
        if delimiter != "\t":
            raise
        rows = _rows(path, lines, delimiter, csv.QUOTE_NONE)  # where quotes are part of the texts
    columns, numbers = rows.pop(0)[1], [number for number, _ in rows]
    return Table(path, columns, numbers, lambda name: [row[columns.index(name)] for _, row in rows])


def _rows(path, lines, delimiter, quoting):
    """[(number of the line where it begins, cells)] of each row, the columns' names first."""
    csv.field_size_limit(LONGEST)
    reader, rows, begin = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True), [], 1
    try:
        for row in reader:
            if row:  # else a blank line
                rows.append((begin, row))
            if row and len(row) != len(rows[0][1]):
                names = ", ".join(map(repr, rows[0][1]))
                raise input_error(f"{path}:{begin}", f"{len(row)} cells", f"{len(rows[0][1])} cells: {names}")
            begin = reader.line_num + 1
    except csv.Error as error:
        raise input_error(f"{path}:{begin}", f"a broken row of a table ({error})", "cells as in the first") from error
    return rows
