"""Short axes are cells, up to their limits; the values are the same on both sides of each."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.sparse.direct.spaces import SHORT, components


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ((100, SHORT), SHORT),
        ((100, SHORT + 1), 1),  # an axis that is too long
        ((SHORT, 100), SHORT),
        ((100, 1), 1),
        ((5000, SHORT, SHORT), SHORT**2),
        ((5000, SHORT, SHORT, 2), 1),  # too many elements
        ((9, 3, 3), 9),
        ((10, 4, 4), 1),  # fewer cells than elements in one
        ((SHORT * 4, SHORT, 4), SHORT * 4),
    ],
)
def test_what_is_a_cell(shape: tuple[int, ...], count: int) -> None:
    parts = components(shape)
    assert len(parts) == count
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
