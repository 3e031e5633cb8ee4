"""Programs of one sparse system against its loops, bit by bit, and orders of elimination with short chains."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans.backend.sparse import engine, programs, steps
from functrans.backend.sparse.balance import balanced
from functrans.backend.sparse.plan import symbolic
from functrans.backend.sparse.symbolic import elimination_tree, factor_pattern
from functrans.ops.sparse_pattern import Symbolic

pytestmark = pytest.mark.usefixtures("compiler")


def pattern(n: int, density: float, seed: int, pairs: bool) -> tuple[np.ndarray, np.ndarray, int]:
    """Places of a symmetric pattern, each entry one of two by two unknowns if they come in pairs."""
    kept = np.random.default_rng(seed).random((n, n)) < density
    dense = np.kron(kept | kept.T | np.eye(n, dtype=bool), np.ones((1 + pairs, 1 + pairs), bool))
    rows, cols = np.nonzero(dense)
    return rows.astype(np.int32), cols.astype(np.int32), len(dense)


def worked_out(s: Symbolic, values: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """Factors, and solutions with them, with their transpose, and with factors that nobody sees."""
    lu, found = np.empty((1, s.fill)), []
    assert steps._run(s, steps.FACTOR, values[None], lu) is not None
    for what, factors, turned in ((steps.SOLVE, lu, False), (steps.SOLVE, lu, True), (3, None, False)):
        x = np.empty((1, s.n, 1))
        found.append(steps._run(s, what, values[None], factors, b[None, :, None], x, turned))
        found.append(x)
    return [lu, *found]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.sampled_from([0.02, 0.1, 0.5]), st.integers(0, 99), st.booleans(), st.booleans())
def test_a_program_does_what_the_loops_do(n, density, seed, pairs, symmetric):
    """In rows wide enough for all kinds of tasks, rows by themselves and in pairs."""
    rows, cols, n = pattern(n, density, seed, pairs)
    s = symbolic(rows, cols, n, "ldl" if symmetric else "lu")
    rng = np.random.default_rng(seed)
    values = rng.normal(size=len(rows)) + n * (rows == cols)
    if symmetric:
        values = sp.coo_array((values, (rows, cols))).toarray()
        values = (values + values.T)[rows, cols]
    b = rng.normal(size=n)
    assert programs.programs(s)
    found = worked_out(s, values, b)
    with pytest.MonkeyPatch.context() as patched:
        for module in (engine, steps):
            patched.setattr(module, "programs", lambda s: [])
        patched.setattr(steps, "_patterns", type(steps._patterns)())
        for x, y in zip(found, worked_out(s, values, b), strict=True):
            np.testing.assert_array_equal(x, y)


def test_a_program_that_is_longer_than_factors_of_eight_systems_is_none(monkeypatch):
    s = symbolic(*pattern(12, 0.2, 1, False))
    assert len(programs.programs(s)) == 3
    monkeypatch.setattr(programs, "_known", type(programs._known)())
    monkeypatch.setattr(programs, "LINE_BYTES", 1)
    assert programs.programs(s) == []
    assert engine.engine(s, 1) is engine._loops(False)


def chains(rows: np.ndarray, cols: np.ndarray, n: int) -> tuple[int, int]:
    """How many entries a factorization has, and how many rows its longest chain."""
    parent = elimination_tree(rows, cols, n)[0].tolist()
    height = [1] * n
    for v, p in enumerate(parent):
        if p >= 0:
            height[p] = max(height[p], height[v] + 1)
    return len(factor_pattern(rows, cols, n)[1]), max(height, default=0)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.sampled_from([0.0, 0.03, 0.1, 0.4]), st.integers(0, 99), st.sampled_from([0, 1, 3]))
def test_an_order_of_shorter_chains_fills_in_no_more(n, density, seed, band):
    rows, cols, _ = pattern(n, density, seed, False)
    near = np.abs(np.arange(n)[:, None] - np.arange(n)) <= band
    rows, cols = np.nonzero(sp.coo_array((np.ones(len(rows)), (rows, cols)), (n, n)).toarray() + near)
    order = balanced(*elimination_tree(rows, cols, n))
    np.testing.assert_array_equal(np.sort(order), np.arange(n))
    place = np.argsort(order)
    (fill, long), (same, short) = chains(rows, cols, n), chains(place[rows], place[cols], n)
    assert same <= fill and short <= long  # less, where the first order fills in more than it must
    if band and density == 0.0:
        assert short <= n // 2 + band + 1
