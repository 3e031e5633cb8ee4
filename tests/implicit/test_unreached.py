"""Where a solution is NaN, because its time was not reached, its derivatives are NaN, lane by lane; elsewhere they are
those of the solution alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.implicit.unreached import where_reached

STARTS = np.array([0.3, 1.0, 0.1])  # 1 / (1 / y0 - t): the second one ends at 1


def test_the_selection_has_derivatives_that_are_nan_where_it_is() -> None:
    """Of any order and mode, by what it selects from and by what it is given besides."""
    there = np.array([True, False])

    def f(x: Any, a: Any) -> Any:
        return where_reached(there, x * x, a)

    x, a = np.array([2.0, 3.0]), 1.0
    np.testing.assert_array_equal(ft.jit(f)(x, a), [4.0, np.nan])
    forward = ft.vmap(lambda dx: ft.jvp(f, (x, a), (dx, 0.0))[1])(np.eye(2))
    np.testing.assert_array_equal(forward, [[4.0, np.nan], [0.0, np.nan]])
    by_x, by_a = ft.vmap(ft.vjp(f, x, a)[1])(np.eye(2))  # what nobody asks for is no NaN
    np.testing.assert_array_equal(by_x, [[4.0, 0.0], [0.0, np.nan]])
    np.testing.assert_array_equal(by_a, [0.0, np.nan])
    second = [ft.jvp(ft.grad(lambda a, k=k: f(x * a, a)[k]), (a,), (1.0,))[1] for k in range(2)]
    np.testing.assert_array_equal(second, [8.0, np.nan])


@pytest.mark.usefixtures("compiler")
def test_tangents_and_gradients_of_a_solution_are_nan_where_it_is() -> None:
    def f(y0: Any, a: Any) -> Any:
        times = np.array([0.0, 0.5, 1.5])
        return ft.ode.solve(lambda t, y, a: a * y * y, times, y0, a, max_steps=60).y

    ones = np.ones(3)
    values, tangents = ft.jit(ft.vmap(lambda y, a, da: ft.jvp(lambda a: f(y, a), (a,), (da,))))(STARTS, ones, ones)
    assert np.isnan(values).any(1).tolist() == [False, True, False]
    np.testing.assert_array_equal(np.isnan(tangents), np.isnan(values))
    rows = ft.jit(ft.vmap(lambda y, a: ft.vmap(ft.vjp(f, y, a)[1])(np.eye(3))))(STARTS, ones)
    for gradient in rows:  # by the start, and by the argument
        np.testing.assert_array_equal(np.isnan(gradient), np.isnan(values))
