"""Interiors of index spaces: what is read and written by steps there, and every element once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.sparse.direct.interior import interior
from functrans.transforms.sparse.direct.spaces import SHORT


def test_a_line_is_cut_where_its_ends_are_different() -> None:
    k = np.arange(100, dtype=np.int32)
    to = np.where(k < 98, 3 * k, -1).astype(np.int32)
    found = interior([np.maximum(k - 1, 0).astype(np.int32)], [to], [])
    assert found is not None and found.shape == (96,)
    np.testing.assert_array_equal(np.sort(np.concatenate(found[1:])), k)
    assert (to[found.inside] >= 0).all() and set(found.around.tolist()) == {0, 1, 98, 99}


def test_a_plane_is_cut_at_its_edges() -> None:
    k = np.arange(20 * 30, dtype=np.int32).reshape(20, 30)
    to = np.pad(5 * k[1:-1, 1:-1], 1, constant_values=-1).reshape(-1)
    found = interior([k.reshape(-1)], [to], [(20, 30)])
    assert found is not None and found.shape == (18, 28)
    np.testing.assert_array_equal(to[found.inside].reshape(18, 28), 5 * k[1:-1, 1:-1])


def test_there_is_none() -> None:
    """Where all is by steps, where nothing is, where there is little, where the borders would be most of it."""
    k = np.arange(200, dtype=np.int32)
    assert interior([k], [k], []) is None
    assert interior([k], [np.random.default_rng(0).permutation(k)], []) is None
    few = np.maximum(np.arange(SHORT**2 - 1, dtype=np.int32) - 1, 0)
    assert interior([few], [np.arange(len(few), dtype=np.int32)], []) is None
    plane = np.arange(64, dtype=np.int32).reshape(8, 8)
    to = np.pad(plane[2:-2, 2:-2], 2, constant_values=-1).reshape(-1)
    assert interior([], [to], [(8, 8)]) is None


@pytest.mark.parametrize("n", [5, 63, 64, 65, 66, 130])
def test_stencils_on_a_line(n: int) -> None:
    def f(x: Any) -> Any:
        flow = np.tanh(x[1:] + x[:-1]) * (x[1:] - x[:-1])
        return x[1:-1] ** 2 - (flow[1:] - flow[:-1])

    x = np.linspace(0.1, 2, n)
    np.testing.assert_allclose(ft.spjacobian(f)(x).toarray(), np.asarray(ft.jacfwd(f)(x)), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("shape", "wide"), [((8, 8), 1), ((9, 20), 1), ((16, 12), 1), ((3, 40), 1), ((9, 20), 2), ((3, 40), 2)]
)
def test_windows_on_a_plane(shape: tuple[int, int], wide: int) -> None:
    """Padded by zeros: rows at the edges have fewer entries than those inside."""
    weights = np.random.default_rng(0).normal(size=(2 * wide + 1, 2 * wide + 1))

    def f(x: Any) -> Any:
        u = np.pad(np.sin(x.reshape(shape)), wide)
        parts = [
            weights[i, j] * u[i : i + shape[0], j : j + shape[1]]
            for i in range(2 * wide + 1)
            for j in range(2 * wide + 1)
        ]
        return (sum(parts[1:], parts[0]) * x.reshape(shape)).reshape(-1)

    x = np.random.default_rng(1).normal(size=shape[0] * shape[1])
    J = ft.spjacobian(f, method="direct")
    want = np.asarray(ft.jacfwd(f)(x))
    np.testing.assert_allclose(J(x).toarray(), want, rtol=1e-13, atol=1e-14)
    out = J.empty_values(x)
    np.testing.assert_array_equal(J.values(x, out=out), J.values(x))
