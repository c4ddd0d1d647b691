"""CEAF's one-to-one alignment of key and response classes (Luo 2005): a maximum weight matching.

Small tables go to scipy's dense solver. Large ones are first made smaller by two reductions that
keep an optimum: cells that outweigh their rivals are taken, and lines with a single cell are peeled
off. On real documents that is all. What is left has the same weight in all cells (classes of two against classes of
two), which is a matter of counting, or goes to scipy's sparse solver, whose time grows with the square of the number of
classes: 100,000 mentions in random classes of two and three take fifteen times as long as a real text.
"""

import numpy as np

DENSE_CELLS = 4096  # a table of up to 64 x 64 classes is solved faster as a dense matrix
WORTHWHILE = 0.1  # a round of reductions that removes a smaller share of the cells is the last


def max_weight_matching(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray, shape: tuple) -> np.ndarray:
    """Choose cells, at most one per row and per column, so that the sum of their weights is as large as possible.

    Args:
        rows, columns: of every cell, integers below `shape`. No two cells share row and column.
        weights: positive weight of every cell.

    Returns:
        Indices of the chosen cells, ascending. The sum of their weights is the optimum up to rounding; among
        equally heavy matchings, which one is returned depends only on the order of the cells.
    """
    if shape[0] * shape[1] <= DENSE_CELLS:
        return dense_matching(rows, columns, weights, shape)
    gain = np.asarray(weights, dtype=np.float64)
    left = np.arange(len(weights))
    chosen, fallbacks = [], []
    while len(left):
        before = len(left)
        dominant = _dominant(rows[left], columns[left], gain, shape)
        chosen.append(left[dominant])
        keep = ~(_member(rows[left], dominant, shape[0]) | _member(columns[left], dominant, shape[1]))
        left, gain = left[keep], gain[keep]
        for leaf_side, other_side, size in ((rows, columns, shape[1]), (columns, rows, shape[0])):
            leaves, keep, gain = _peel(leaf_side[left], other_side[left], gain, size)
            fallbacks.append((left[leaves], other_side))
            left, gain = left[keep], gain[keep]
        if before - len(left) < WORTHWHILE * before:
            break
    if len(left):
        chosen.append(left[_sparse(rows[left], columns[left], gain)])
    return _with_fallbacks(chosen, fallbacks, rows, columns, shape)


def dense_matching(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray, shape: tuple) -> np.ndarray:
    """As `max_weight_matching`, by a dense matrix; absent cells weigh 0 and are dropped from the solution."""
    from scipy.optimize import linear_sum_assignment  # here, because it takes a third of a second

    matrix = np.zeros(shape)
    matrix[rows, columns] = weights
    cell = np.full(shape, -1)
    cell[rows, columns] = np.arange(len(rows))
    chosen = cell[linear_sum_assignment(matrix, maximize=True)]
    return np.sort(chosen[chosen >= 0])


def _dominant(rows, columns, gain, shape):
    """Cells at least as heavy as the best rival in their row and the best rival in their column together.

    Any matching without such a cell loses nothing when it takes the cell instead of the (at most two) rivals it
    excludes, so some optimum contains all of them.
    """
    row_best, row_rival = _best_and_rival(rows, gain, shape[0])
    column_best, column_rival = _best_and_rival(columns, gain, shape[1])
    candidates = row_best[row_best >= 0]
    candidates = candidates[column_best[columns[candidates]] == candidates]
    rivals = row_rival[rows[candidates]] + column_rival[columns[candidates]]
    return candidates[gain[candidates] >= rivals]


def _best_and_rival(lines, gain, n_lines):
    """For every line (row or column): the index of its heaviest cell, or -1, and the weight of the next one, or 0."""
    heaviest = np.zeros(n_lines)
    np.maximum.at(heaviest, lines, gain)
    tied = np.flatnonzero(gain == heaviest[lines])
    best = np.full(n_lines, -1)
    best[lines[tied]] = tied
    others = np.ones(len(gain), dtype=bool)
    others[best[best >= 0]] = False
    rival = np.zeros(n_lines)
    np.maximum.at(rival, lines[others], gain[others])
    return best, rival


def _member(lines, cells, n_lines):
    """Whether each cell lies on the line (row or column) of one of the given cells."""
    used = np.zeros(n_lines, dtype=bool)
    used[lines[cells]] = True
    return used[lines]


def _peel(leaf_lines, other_lines, gain, n_others):
    """Take out the lines with a single cell ("leaves"), after which the other line has a fallback.

    A line whose heaviest leaf weighs w can always have w, so a further cell of it is worth only what it weighs
    beyond w: w is subtracted from the others, and those with nothing left are dropped. Gives the heaviest leaf of
    every line that has one (the fallbacks), the mask of the cells that remain, and the new weights of all.
    """
    leaf = np.flatnonzero(np.bincount(leaf_lines, minlength=1)[leaf_lines] == 1)
    leaf = leaf[np.argsort(gain[leaf], kind="stable")]
    fallback = np.full(n_others, -1)
    fallback[other_lines[leaf]] = leaf
    leaves = fallback[fallback >= 0]
    floor = np.zeros(n_others)
    floor[other_lines[leaves]] = gain[leaves]
    gain = gain - floor[other_lines]
    keep = gain > 0
    keep[leaf] = False
    return leaves, keep, gain


def _sparse(rows, columns, gain):
    """Indices of the cells that solve what no reduction could."""
    from scipy.sparse import coo_array  # here, because few texts need it
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    row_names, rows = np.unique(rows, return_inverse=True)
    column_names, columns = np.unique(columns, return_inverse=True)
    n_rows, n_columns = len(row_names), len(column_names)
    if np.ptp(gain) <= 1e-12 * gain[0]:  # all weigh the same
        return _largest_matching(rows, columns, n_rows, n_columns)
    # scipy matches every row; one that stays free in the optimum takes a column of its own that is
    # worth nothing. 1 is added everywhere because scipy does not see cells of weight 0.
    graph = coo_array(
        (
            np.concatenate([1 + gain, np.ones(n_rows)]),
            (np.concatenate([rows, np.arange(n_rows)]), np.concatenate([columns, n_columns + np.arange(n_rows)])),
        ),
        shape=(n_rows, n_columns + n_rows),
    ).tocsr()
    partner = min_weight_full_bipartite_matching(graph, maximize=True)[1]
    return np.flatnonzero(partner[rows] == columns)


def _largest_matching(rows, columns, n_rows, n_columns):
    """A matching of as many cells as possible: the heaviest one when all weigh the same.

    Such tables are long cycles (classes of two against other classes of two). scipy's matcher is linear on them when
    neighbours have neighbouring numbers, which is what the Cuthill-McKee order gives, and far slower otherwise.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_bipartite_matching, reverse_cuthill_mckee

    n = n_rows + n_columns
    ends = (np.concatenate([rows, n_rows + columns]), np.concatenate([n_rows + columns, rows]))
    order = reverse_cuthill_mckee(coo_array((np.ones(2 * len(rows)), ends), shape=(n, n)).tocsr(), symmetric_mode=True)
    number = np.empty(n, dtype=np.int64)
    number[order[order < n_rows]] = np.arange(n_rows)
    number[order[order >= n_rows]] = np.arange(n_columns)
    new_rows, new_columns = number[rows], number[n_rows + columns]
    graph = coo_array((np.ones(len(rows)), (new_rows, new_columns)), shape=(n_rows, n_columns)).tocsr()
    partner = maximum_bipartite_matching(graph, perm_type="column")
    return np.flatnonzero(partner[new_rows] == new_columns)


def _with_fallbacks(chosen, fallbacks, rows, columns, shape):
    """Undo the peeling, last round first: a line that stayed free takes the leaf kept for it."""
    taken = np.zeros(sum(shape), dtype=bool)
    for cells in chosen:
        taken[rows[cells]] = taken[shape[0] + columns[cells]] = True
    for cells, other_side in reversed(fallbacks):
        offset = shape[0] if other_side is columns else 0
        cells = cells[~taken[offset + other_side[cells]]]
        taken[rows[cells]] = taken[shape[0] + columns[cells]] = True
        chosen.append(cells)
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, dtype=np.int64)
