"""Initial value problems of the tests, written once for NumPy and functrans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import functrans as ft
import functrans.numpy as fnp


def van_der_pol(t: Any, y: Any, mu: Any) -> Any:
    return y[1], mu * (1 - y[0] * y[0]) * y[1] - y[0]


def lorenz(t: Any, y: Any, rho: Any) -> Any:
    a, b, c = y
    return 10.0 * (b - a), a * (rho - c) - b, a * b - 8 / 3 * c


def rotation(t: Any, y: Any, w: Any) -> Any:
    """An array for a state; the exact solution turns by w t."""
    return fnp.stack([w * y[1], -w * y[0]])


def reference(f: Callable[..., Any], t: Any, y0: Any, *args: Any) -> Any:
    """What SciPy finds to twelve digits, (m, n)."""

    def flat(t: Any, y: Any) -> Any:
        return np.array([float(x) for x in f(t, tuple(y), *args)])

    found = solve_ivp(flat, (t[0], t[-1]), y0, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=t)
    assert found.success
    return found.y.T


def derivatives_are_differences(loss: Callable[[Any], Any], at: float, by: float) -> None:
    """Both derivatives of a number by another agree with the central difference, to 1e-5 of it."""
    value = ft.jit(loss)
    wanted = (value(at + by) - value(at - by)) / (2 * by)
    np.testing.assert_allclose(ft.jit(ft.grad(loss))(at), wanted, rtol=1e-5)
    np.testing.assert_allclose(ft.jit(lambda w: ft.jvp(loss, (w,), (1.0,))[1])(at), wanted, rtol=1e-5)
