"""Short axes are cells, up to their limits; the values are the same on both sides of each."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.ops.interpret import interpret
from functrans.transforms.sparse.direct.spaces import SHORT, components


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ((100, SHORT), SHORT),
        ((100, SHORT + 1), 0),  # an axis that is too long
        ((SHORT, 100), SHORT),
        ((100, 1), 0),
        ((5000, SHORT, SHORT), SHORT**2),
        ((5000, SHORT, SHORT, 2), 0),  # too many elements
        ((9, 3, 3), 9),
        ((10, 4, 4), 0),  # fewer cells than elements in one
        ((SHORT * 4, SHORT, 4), SHORT * 4),
    ],
)
def test_what_is_a_cell(shape: tuple[int, ...], count: int) -> None:
    parts = components(shape)
    assert len(parts) == count
    if parts:
        np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(prod(shape)))


@pytest.mark.parametrize(("rows", "cols"), [(2, SHORT), (2, SHORT + 1), (SHORT, SHORT), (SHORT, SHORT + 1)])
def test_values_on_both_sides(rows: int, cols: int) -> None:
    rng = np.random.default_rng(0)
    nodes, elements = 30, 70
    at, weights = rng.integers(0, nodes, (elements, cols)), rng.random((elements, rows, cols))

    def f(u: Any) -> Any:
        parts = np.einsum("eij,ej->ei", weights, u[at] ** 2)
        return np.bincount(at[:, 0], np.tanh(parts).sum(-1) * u[at[:, 1]], nodes)

    u = rng.random(nodes)
    J = ft.spjacobian(f, method="direct")
    np.testing.assert_allclose(J(u).toarray(), ft.jacfwd(f)(u), rtol=1e-12, atol=1e-13)


def systems(order: int, columns: int, seed: int = 0) -> tuple[Any, Any]:
    """A system in each element, and the sums of its solutions at nodes."""
    rng = np.random.default_rng(seed)
    nodes = 20
    ends, right = rng.integers(0, nodes, (24, order)), rng.random((24, order, columns))
    to_node = np.equal.outer(np.arange(nodes), ends[:, 0]).astype(float)

    def f(u: Any) -> Any:
        local = u[ends]
        a = 3 * np.eye(order) + np.sin(local)[:, :, None] * (local[:, None, ::-1] + right[:, :, :1])
        found = np.linalg.solve(a, right * local[:, :, None])
        return to_node @ (found**2).sum((1, 2))

    return f, rng.random(nodes)


@pytest.mark.parametrize(("order", "columns", "apart"), [(1, 1, 0), (4, 4, 0), (4, 5, 1), (8, 1, 0), (9, 1, 1)])
def test_small_systems_are_products_with_the_inverse(order: int, columns: int, apart: int) -> None:
    """On both sides of 64 products; what is larger is left to products with directions."""
    f, u = systems(order, columns)
    J = ft.spjacobian(f, method="direct")
    assert sum("SOLVE" in part for part in J.plan(u).parts) == apart
    leaves, treedef = tree.flatten(((u,), {}))
    problem = J._problem(leaves, treedef)
    (data,) = interpret(problem.values, {problem.params[0]: u})
    have = problem.patterns[0].to_scipy(data).toarray()
    want = np.stack([f(u + step).imag / 1e-40 for step in 1e-40j * np.eye(len(u))], 1)
    np.testing.assert_allclose(have, want, rtol=1e-10, atol=1e-12)
