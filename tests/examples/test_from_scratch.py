"""The 150 lines of the tutorial compute what functrans computes."""

from __future__ import annotations

import numpy as np
import pytest

import functrans as ft
from examples import from_scratch as small

X = np.array([0.4, -0.7, 1.1, 0.3, 2.0])
FUNCTIONS = {
    "chain": lambda x: x[1:] - x[:-1] ** 2,
    "stencil": lambda x: np.sin(x[1:-1]) * (x[2:] - x[:-2]) / np.exp(x[1:-1]),
    "scalar beside vector": lambda x: x[0] * x[2:] + 3.0,
    "a sum in all": lambda x: x - (np.cos(x) * 0.5).sum(),
    "repeated and strided": lambda x: x[::2] * -x[np.array([0, 0, 3])],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms(name: str) -> None:
    f, v = FUNCTIONS[name], np.arange(1.0, 6.0)
    ours, theirs = small.jvp(f, X, v), ft.jvp(f, (X,), (v,))
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-14)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-13)
    batch = np.stack([X, 2 * X, X + 1])
    np.testing.assert_allclose(small.vmap(f)(batch), np.stack([f(x) for x in batch]), rtol=1e-14)
    J = ft.spjacobian(f)
    np.testing.assert_array_equal(small.pattern(f, 5), J.pattern(X).to_scipy().toarray() != 0)
    dense, (rows, columns, values) = np.zeros(J(X).shape), small.sparse_jacobian(f, X)
    dense[rows, columns] = values
    np.testing.assert_allclose(dense, J(X).toarray(), rtol=1e-13)


def test_transforms_nest() -> None:
    def second(x: np.ndarray) -> np.ndarray:
        return small.jvp(lambda y: small.jvp(lambda z: (z**3).sum(), y, np.ones(5))[1], x, np.ones(5))[1]

    np.testing.assert_allclose(small.vmap(second)(np.stack([X, -X])), [6 * X.sum(), -6 * X.sum()], rtol=1e-14)


def test_a_function_closes_over_what_an_outer_map_maps() -> None:
    rows, points = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    mapped = small.vmap(lambda a: small.vmap(lambda b: a * b + a[0])(points))(rows)
    np.testing.assert_array_equal(mapped, rows[:, None] * points + rows[:, None, :1])


def test_perturbations_are_told_apart() -> None:
    derivative = small.jvp(lambda x: x * small.jvp(lambda y: x + y, 1.0, 1.0)[1], 3.0, 1.0)[1]
    assert derivative == 1.0


def test_what_has_no_rule_is_refused() -> None:
    with pytest.raises(TypeError, match="arctan"):
        small.jvp(np.arctan, X, X)
