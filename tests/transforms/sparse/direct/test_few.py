"""Matrices that are stored dense and are mostly zero: what few elements read is no list over all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft

ROWS, COLS, CELLS = 40, 50, 12


def sparse(rng: np.random.Generator, shape: tuple[int, int], one_in: int) -> Any:
    """A matrix with a number that is not zero in so many, and one in each row."""
    made = np.where(rng.random(shape) * one_in < 1, rng.normal(size=shape), 0.0)
    made[np.arange(shape[0]), rng.integers(0, shape[1], shape[0])] = 1.0
    return made


def reactions(first: Any, second: Any, masked: bool) -> Any:
    """Two products with a function between them in each cell; some of the cells are left out in the second one."""

    def f(c: Any) -> Any:
        c = c.reshape(COLS, CELLS)
        speed = np.exp(0.1 * (first @ c)) * c[:1]
        if masked:
            speed = speed * (np.arange(CELLS) % 5 == 0)
        return ((second @ speed) + 0.1 * c[: second.shape[0]]).reshape(-1)

    return f


@pytest.mark.parametrize("masked", [False, True], ids=["all cells", "some cells"])
def test_values(masked: bool) -> None:
    rng = np.random.default_rng(0)
    f = reactions(sparse(rng, (ROWS, COLS), 40), sparse(rng, (COLS, ROWS), 40), masked)
    x = rng.normal(size=COLS * CELLS)
    J = ft.spjacobian(f, method="direct")
    np.testing.assert_allclose(J(x).toarray(), ft.jacfwd(f)(x), rtol=1e-12, atol=1e-12)
