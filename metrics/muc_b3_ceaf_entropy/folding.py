"""Heaviest matching of a large sparse table by folding: lines with one or two cells are removed, one after the other.

A line v with the cells (v, a) and (v, b), of which the first is no lighter, takes a if nothing else does, and b or a
as soon as the other is taken. So a and b become one line, whose cells are those of b, and those of a less what is lost
by taking b instead; provided that v is not better left alone, which is so if no other cell of a is heavier than (v, a),
or none of b than (v, b). (For equal weights this is a rule of Karp and Sipser 1981.) What remains is undone backwards.
"""

from collections.abc import Callable

import numpy as np

ROUNDING = 1e-12  # less is nothing


def fold_and_match(rows: np.ndarray, columns: np.ndarray, gain: np.ndarray, solve: Callable) -> np.ndarray:
    """Cells of a heaviest matching.

    Args:
        rows, columns, gain: of the cells; all gains positive, no two cells in the same place.
        solve: solve(rows, columns, gain) gives the cells' indices for what cannot be folded.
    """
    n_rows = int(rows.max()) + 1
    table = _Table(n_rows + int(columns.max()) + 1)
    for cell, (row, column, value) in enumerate(zip(rows.tolist(), (n_rows + columns).tolist(), gain.tolist())):
        table.lines[row][column] = table.lines[column][row] = value, cell
    table.fold()
    left = [(i, j, *cell) for i in range(n_rows) for j, cell in table.lines[i].items()]
    matched = [None] * len(table.lines)
    if left:
        own_rows, own_columns, own_gain, cells = zip(*left)
        for k in solve(np.array(own_rows), np.array(own_columns), np.array(own_gain)).tolist():
            matched[own_rows[k]] = matched[own_columns[k]] = cells[k]
    table.undo(matched)
    return np.array(sorted({cell for cell in matched if cell is not None}), dtype=np.int64)


class _Table:
    """Lines (rows and columns) by number, each {the line it crosses: (gain, cell)}, and the steps to be undone."""

    def __init__(self, n):
        self.lines = [{} for _ in range(n)]
        self.steps = []
        self.waiting = []

    def fold(self):
        """Remove lines while there are some to be removed."""
        self.waiting = [v for v, line in enumerate(self.lines) if 0 < len(line) < 3]
        while self.waiting:
            v = self.waiting.pop()
            if len(self.lines[v]) == 1:
                self._peel(v)
            elif len(self.lines[v]) == 2:
                self._fold(v)

    def _peel(self, v):
        """A line with one cell: the line it crosses can always have it, so its other cells are worth that less."""
        [(a, (value, cell))] = self.lines[v].items()
        self._cut(v, a)
        self.steps.append((v, a, cell))
        self._lessen(a, value)

    def _fold(self, v):
        """A line with two cells: the lines it crosses become one, if that is right."""
        (a, (first, cell_a)), (b, (second, cell_b)) = self.lines[v].items()
        if first < second:
            (a, first, cell_a), (b, second, cell_b) = (b, second, cell_b), (a, first, cell_a)
        if self._heaviest_but(b, v) > second and self._heaviest_but(a, v) > first:
            return
        self._cut(v, a)
        self._cut(v, b)
        self._lessen(a, first - second)
        into, out = (a, b) if len(self.lines[a]) > len(self.lines[b]) else (b, a)
        self.steps.append((v, a, b, cell_a, cell_b, into, self._move(out, into)))
        self._wake(into)

    def _move(self, out, into):
        """Give a line's cells to another line; where both cross a third one, the heavier stays. The cells moved."""
        moved, lines = set(), self.lines
        for y, entry in lines[out].items():
            del lines[y][out]
            if y not in lines[into] or lines[into][y][0] < entry[0]:
                lines[into][y] = lines[y][into] = entry
                moved.add(entry[1])
            self._wake(y)
        lines[out] = {}
        return moved

    def _lessen(self, a, value):
        """Take a value off all cells of a line; those with nothing left are dropped."""
        if not value:
            self._wake(a)
            return
        for y, (gain, cell) in list(self.lines[a].items()):
            if gain - value > ROUNDING:
                self.lines[a][y] = self.lines[y][a] = gain - value, cell
            else:
                self._cut(a, y)
            self._wake(y)
        self._wake(a)

    def _heaviest_but(self, line, v):
        return max((gain for y, (gain, _) in self.lines[line].items() if y != v), default=0.0)

    def _cut(self, one, other):
        del self.lines[one][other], self.lines[other][one]

    def _wake(self, line):
        if 0 < len(self.lines[line]) < 3:
            self.waiting.append(line)

    def undo(self, matched):
        """Go back from a matching of what was left, {line: cell} in a list, to one of all."""
        for v, a, *step in reversed(self.steps):
            if len(step) == 1:
                if matched[a] is None:
                    matched[v] = matched[a] = step[0]
                continue
            b, cell_a, cell_b, into, moved = step
            taken = matched[into]
            matched[a] = matched[b] = None
            out = a if into == b else b
            if taken is None:
                matched[v] = matched[a] = cell_a
                continue
            taker = out if taken in moved else into
            other, cell = (b, cell_b) if taker == a else (a, cell_a)
            matched[taker] = taken
            matched[v] = matched[other] = cell
