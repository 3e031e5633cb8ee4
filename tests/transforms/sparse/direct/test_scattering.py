"""Windows of many points: values in the order of rows, the function of a point once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import functrans as ft
from functrans import tree
from tests.transforms.sparse.direct.test_values import by_complex_step, close, interpreted

Array = NDArray[Any]


def window(n: int, wide: int, law: Any) -> Any:
    weights = np.random.default_rng(0).normal(size=(2 * wide + 1, 2 * wide + 1))

    def f(u: Any) -> Any:
        p = np.pad(law(u.reshape(n, n)), wide)
        side = range(2 * wide + 1)
        return sum(weights[i, j] * p[i : i + n, j : j + n] for i in side for j in side).reshape(-1)

    return f


def direct(f: Any, x: Array) -> Any:
    leaves, treedef = tree.flatten(((x,), {}))
    found = ft.spjacobian(f, method="direct")._problem(leaves, treedef).direct
    assert found is not None
    return found


@pytest.mark.parametrize("law", [np.tanh, lambda u: u * u, lambda u: np.where(u > 0, np.exp(u), u)])
@pytest.mark.parametrize("n", [5, 9, 14])
def test_windows(n: int, law: Any) -> None:
    f, x = window(n, 2, law), np.random.default_rng(1).normal(size=n * n)
    J = ft.spjacobian(f, method="direct")
    want = np.asarray(ft.jacfwd(f)(x))
    close(interpreted(J, x)[0], want)
    close(J(x).toarray(), want)


def test_values_are_in_the_order_of_rows() -> None:
    x = np.random.default_rng(1).normal(size=14 * 14)
    found = direct(window(14, 2, np.tanh), x)
    assert all(t.rows.is_identity or t.rows.alive is not None for t in found.terms)
    for t in found.terms:
        live = t.rows.at >= 0
        np.testing.assert_array_equal(t.rows.at[live], np.flatnonzero(live))
    assert len(found.extraction.temporaries.made) == 1


def test_few_rows_or_many_functions_stay() -> None:
    """Three rows for a column; functions of the point for each row, of which arrays would be copies."""
    x = np.random.default_rng(1).normal(size=40)

    def line(u: Any) -> Any:
        p = np.pad(np.tanh(u), 1)
        return p[:-2] - 2 * p[1:-1] + p[2:]

    assert not direct(line, x).extraction.temporaries.made

    def own(u: Any) -> Any:
        p = np.pad(u, 3)
        return sum(np.pad(np.sin(k * u), 3)[k : k + 40] * (1.0 + k) for k in range(1, 7)) + p[:-6]

    J = ft.spjacobian(own, method="direct")
    close(interpreted(J, x)[0], by_complex_step(own, [x])[0])
    assert not direct(own, x).extraction.temporaries.made
