"""The matching behind CEAF: the reductions and sparse solvers against scipy's dense solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from metrics.muc_b3_ceaf_entropy import match_classes as assignment
from metrics.muc_b3_ceaf_entropy.match_classes import heaviest_matching
from metrics.muc_b3_ceaf_entropy.folding import fold_and_match


@pytest.fixture
def always_sparse(monkeypatch):
    monkeypatch.setattr(assignment, "DENSE_CELLS", 0)


def check(matrix):
    rows, columns = np.nonzero(matrix)
    weights = matrix[rows, columns]
    chosen = heaviest_matching(rows, columns, weights, matrix.shape)
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
    optimum = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert weights[chosen].sum() == pytest.approx(optimum)
    return chosen


def matrices(weights):
    return st.integers(1, 8).flatmap(
        lambda width: st.lists(st.lists(weights, min_size=width, max_size=width), min_size=1, max_size=8)
    )


@settings(max_examples=400, deadline=None)
@given(matrices(st.sampled_from([0, 0, 0, 1, 1, 2, 3])) | matrices(st.sampled_from([0, 0.25, 0.4, 2 / 3, 1])))
def test_small_tables(matrix):
    for threshold in (assignment.DENSE_CELLS, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(assignment, "DENSE_CELLS", threshold)
            check(np.array(matrix, dtype=float))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["few values", "many values", "chains", "one value"])
def test_larger_tables(always_sparse, kind, seed):
    random = np.random.default_rng(seed)
    shape = (150, 170)
    if kind == "chains":  # trees and long paths, which peeling has to undo in the right order
        matrix = np.zeros(shape)
        for i in range(150):
            matrix[i, i] = random.integers(1, 5)
            matrix[i, i + 1] = random.integers(1, 5)
    else:
        density = random.random(shape) < 0.02
        values = {
            "few values": random.integers(1, 4, shape),
            "many values": random.random(shape),
            "one value": np.ones(shape),
        }
        matrix = np.where(density, values[kind], 0.0)
    check(matrix)


def densely(rows, columns, gain):
    matrix = np.zeros((rows.max() + 1, columns.max() + 1))
    matrix[rows, columns] = gain
    chosen = {*zip(*(side.tolist() for side in linear_sum_assignment(matrix, maximize=True)))}
    return np.array([i for i, cell in enumerate(zip(rows.tolist(), columns.tolist())) if cell in chosen], dtype=int)


@settings(max_examples=400, deadline=None)
@given(matrices(st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3])) | matrices(st.sampled_from([0, 0, 0, 0.4, 0.5, 2 / 3, 1])))
def test_folding(matrix):
    matrix = np.array(matrix, dtype=float)
    rows, columns = np.nonzero(matrix)
    if len(rows):
        chosen = fold_and_match(rows, columns, matrix[rows, columns], densely)
        assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
        optimum = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
        assert matrix[rows, columns][chosen].sum() == pytest.approx(optimum)


def test_folding_leaves_less_than_half_of_random_classes_of_two_and_three():
    random, n = np.random.default_rng(0), 3000
    labels = np.repeat(np.arange(n), random.choice([2, 3], n))
    (rows, columns), counts = np.unique(np.stack([labels, random.permutation(labels)]), axis=1, return_counts=True)
    sizes = np.bincount(labels)
    gain, left = 2 * counts / (sizes[rows] + sizes[columns]), []
    fold_and_match(rows, columns, gain, lambda *cells: left.append(len(cells[0])) or np.zeros(0, dtype=int))
    assert left[0] < 0.5 * len(rows)


def test_cycles_of_equal_weights(always_sparse):
    """Random classes of two against random classes of two: nothing to reduce, everything tied."""
    random = np.random.default_rng(0)
    n = 400
    matrix = np.zeros((n // 2, n // 2))
    np.add.at(matrix, (random.permutation(n) // 2, random.permutation(n) // 2), 1.0)
    check(matrix)


def test_no_cells(always_sparse):
    none = np.zeros(0, dtype=int)
    assert len(heaviest_matching(none, none, none, (3, 4))) == 0
    assert len(heaviest_matching(none, none, none, (0, 0))) == 0


def test_path_where_the_heaviest_cell_is_wrong(always_sparse):
    """3 - 4 - 3 along a path: the two outer cells together beat the middle one."""
    matrix = np.array([[3.0, 0.0], [4.0, 3.0]])
    assert list(check(matrix)) == [0, 2]


@pytest.mark.parametrize("kind", ["power law", "classes of two"])
def test_no_quadratic_solver_for_ordinary_documents(monkeypatch, kind):
    """Documents like real ones, and classes of two, are solved by the reductions and by counting alone."""

    def refuse(*_, **__):
        raise AssertionError("the general sparse solver was called")

    monkeypatch.setattr("scipy.sparse.csgraph.min_weight_full_bipartite_matching", refuse)
    random = np.random.default_rng(0)
    n = 20_000
    if kind == "power law":
        key = np.repeat(np.arange(n), np.minimum(random.zipf(2.0, n), 1000))[:n]
        response = np.where(random.random(n) < 0.2, random.permutation(key), key)
    else:
        key, response = random.permutation(n) // 2, random.permutation(n) // 2
    (rows, columns), counts = np.unique(np.stack([key, response]), axis=1, return_counts=True)
    heaviest_matching(rows, columns, counts, (n, n))
