"""Values from one order into another, and blocks assembled along a diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.errors import ArgumentError, ShapeError, SparsityError
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.transforms.sparse.checkers import patterns


@settings(deadline=None)
@given(patterns(), st.sampled_from(["csr", "csc", "coo"]), st.integers(0, 2**32 - 1))
def test_values_in_another_format_and_in_a_triangle(pattern: SparsityPattern, format: str, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=pattern.nnz)
    dense = pattern.to_scipy(values).toarray()
    for other in (pattern.with_format(format), pattern.with_format(format).lower(), pattern.upper()):
        moved = values[pattern.places_of(other)]
        np.testing.assert_array_equal(moved, dense[other.rows, other.cols])


def test_places_of_what_is_not_there() -> None:
    pattern = SparsityPattern([0, 1], [0, 1], (2, 2))
    with pytest.raises(SparsityError, match=r"entry \(1, 0\) is not in this pattern"):
        pattern.places_of(SparsityPattern([0, 1], [0, 0], (2, 2)))
    with pytest.raises(SparsityError, match=r"entry \(0, 0\)"):
        SparsityPattern([], [], (2, 2)).places_of(pattern)
    with pytest.raises(ShapeError, match=r"shape \(3, 2\), this one \(2, 2\)"):
        pattern.places_of(SparsityPattern([], [], (3, 2)))


@settings(deadline=None)
@given(patterns(max_size=4), st.integers(0, 4), st.tuples(st.integers(0, 5), st.integers(0, 5)), st.booleans())
def test_blocks_are_where_they_belong(block: SparsityPattern, count: int, step: Any, default: bool) -> None:
    stages = block.along_diagonal(count) if default else block.along_diagonal(count, step)
    down, right = block.shape if default else step
    values = np.random.default_rng(0).normal(size=(count, block.nnz))
    want = np.zeros(stages.pattern.shape)
    mask = np.zeros(stages.pattern.shape, bool)
    for k in range(count):
        here = slice(k * down, k * down + block.shape[0]), slice(k * right, k * right + block.shape[1])
        want[here] += block.to_scipy(values[k]).toarray()
        mask[here] |= block.to_scipy().toarray()
    found = stages.pattern.to_scipy(stages.values(values))
    np.testing.assert_allclose(found.toarray(), want, rtol=1e-14, atol=1e-14)
    np.testing.assert_array_equal(stages.pattern.to_scipy().toarray(), mask)
    assert stages.pattern.format == block.format


def test_stages_of_a_shooting_problem() -> None:
    """x[k + 1] = F(x[k], u[k]) over stages [x, u]: one block by vmap, and the whole Jacobian of all stages at once."""
    rng = np.random.default_rng(1)
    steps, nx, nu = 5, 3, 2
    a = rng.normal(size=(nx, nx)) * (rng.random((nx, nx)) < 0.6)

    def defect(w: Any) -> Any:
        x, u, after = w[:nx], w[nx : nx + nu], w[nx + nu :]
        return after - np.sin(a @ x) - u[:1] * x

    def all_defects(z: Any) -> Any:
        stages = np.reshape(z[: steps * (nx + nu)], (steps, nx + nu))
        after = np.concatenate([stages[1:, :nx], z[None, steps * (nx + nu) :]])
        return ft.vmap(defect)(np.concatenate([stages, after], 1)).reshape(-1)

    z = rng.normal(size=steps * (nx + nu) + nx)
    windows = np.stack([z[k * (nx + nu) : k * (nx + nu) + 2 * nx + nu] for k in range(steps)])
    for format in ("csr", "csc"):
        J = ft.spjacobian(defect, format=format)
        stages = J.pattern(windows[0]).along_diagonal(steps, (nx, nx + nu))
        whole = ft.spjacobian(all_defects, format=format)
        assert stages.pattern == whole.pattern(z)
        np.testing.assert_allclose(stages.values(ft.vmap(J.values)(windows)), whole.values(z), rtol=1e-13)
        jitted = ft.jit(lambda w: stages.values(ft.vmap(J.values)(w)))
        np.testing.assert_allclose(jitted(windows), whole.values(z), rtol=1e-13)
    blocks = np.ones((steps, J.pattern(windows[0]).nnz))
    in_rows = J.pattern(windows[0]).with_format("csr").along_diagonal(steps, (nx, nx + nu))
    assert np.shares_memory(in_rows.values(blocks), blocks)


def test_overlapping_blocks_are_added_under_a_trace_too() -> None:
    dense = SparsityPattern([0, 0, 1, 1], [0, 1, 0, 1], (2, 2))
    stages = dense.along_diagonal(3, (1, 1))
    blocks = np.arange(1.0, 13).reshape(3, 4)
    np.testing.assert_array_equal(stages.values(blocks), [1, 2, 3, 9, 6, 7, 17, 10, 11, 12])
    np.testing.assert_array_equal(ft.jit(stages.values)(blocks), stages.values(blocks))


def test_refusals() -> None:
    block = SparsityPattern([0], [0], (1, 1))
    with pytest.raises(ArgumentError, match="neither may be negative"):
        block.along_diagonal(-1)
    with pytest.raises(ArgumentError, match="neither may be negative"):
        block.along_diagonal(2, (-1, 1))
    with pytest.raises(ShapeError, match=r"blocks have shape \(2, 2\), expected \(2, 1\)"):
        block.along_diagonal(2).values(np.ones((2, 2)))
