"""CEAF's alignment: the reductions and sparse solvers against scipy's dense solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from metrics.muc_b3_ceaf_entropy import match_classes
from metrics.muc_b3_ceaf_entropy.match_classes import max_weight_matching


@pytest.fixture
def always_sparse(monkeypatch):
    monkeypatch.setattr(match_classes, "DENSE_CELLS", 0)


def check(matrix):
    rows, columns = np.nonzero(matrix)
    weights = matrix[rows, columns]
    chosen = max_weight_matching(rows, columns, weights, matrix.shape)
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
    optimum = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert weights[chosen].sum() == pytest.approx(optimum)
    return chosen


def matrices(weights):
    return st.integers(1, 8).flatmap(
        lambda width: st.lists(st.lists(weights, min_size=width, max_size=width), min_size=1, max_size=8)
    )


@settings(max_examples=400)
@given(matrices(st.sampled_from([0, 0, 0, 1, 1, 2, 3])) | matrices(st.sampled_from([0, 0.25, 0.4, 2 / 3, 1])))
def test_small_tables(matrix):
    for threshold in (match_classes.DENSE_CELLS, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(match_classes, "DENSE_CELLS", threshold)
            check(np.array(matrix, dtype=float))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["few values", "many values", "chains", "one value", "classes"])
def test_larger_tables(always_sparse, kind, seed):
    random = np.random.default_rng(seed)
    shape = (150, 170)
    if kind == "chains":  # trees and long paths, which peeling has to undo in the right order
        matrix = np.zeros(shape)
        for i in range(150):
            matrix[i, i] = random.integers(1, 5)
            matrix[i, i + 1] = random.integers(1, 5)
    elif kind == "classes":  # of two and three, both sides random: what no reduction makes smaller
        labels = np.repeat(np.arange(150), random.choice([2, 3], 150))
        matrix, sizes = np.zeros((150, 150)), np.bincount(labels)
        np.add.at(matrix, (labels, random.permutation(labels)), 2.0)
        matrix /= sizes[:, None] + sizes
    else:
        density = random.random(shape) < 0.02
        values = {
            "few values": random.integers(1, 4, shape),
            "many values": random.random(shape),
            "one value": np.ones(shape),
        }
        matrix = np.where(density, values[kind], 0.0)
    check(matrix)


def test_cycles_of_equal_weights(always_sparse):
    """Random classes of two against random classes of two: nothing to reduce, everything tied."""
    random = np.random.default_rng(0)
    n = 400
    matrix = np.zeros((n // 2, n // 2))
    np.add.at(matrix, (random.permutation(n) // 2, random.permutation(n) // 2), 1.0)
    check(matrix)


def test_no_cells(always_sparse):
    none = np.zeros(0, dtype=int)
    assert len(max_weight_matching(none, none, none, (3, 4))) == 0
    assert len(max_weight_matching(none, none, none, (0, 0))) == 0


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
    max_weight_matching(rows, columns, counts, (n, n))
