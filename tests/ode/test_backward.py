"""solve with adjoint="backward": against gradients of the steps themselves, lanes against alone, and what it keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.ode.problems import rotation, van_der_pol

_T, _Y0, _MU = np.linspace(0.1, 2.0, 4), (2.0, 0.5), 3.0


def _loss(t: Any, y0: Any, mu: Any, rtol: float = 1e-9, **options: Any) -> Any:
    x, v = ft.ode.solve(van_der_pol, t, y0, mu, rtol=rtol, atol=rtol, max_steps=600, **options).y
    return (x * x + v * np.arange(4)).sum()


@pytest.mark.parametrize("method", ["dopri5", "esdirk", "radau"])
def test_gradients_are_those_of_the_solution(method: str) -> None:
    wanted = ft.grad(_loss, (0, 1, 2))(_T, _Y0, _MU)
    found = ft.grad(lambda *a: _loss(*a, adjoint="backward", method=method), (0, 1, 2))(_T, _Y0, _MU)
    for got, exact in zip(ft.tree.leaves(found), ft.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(got, exact, rtol=1e-6)
    moved = [_loss(_T, _Y0, _MU + e, 1e-12) for e in (1e-4, -1e-4)]
    assert found[2] == pytest.approx((moved[0] - moved[1]) / 2e-4, rel=1e-6)


def test_lanes_take_the_steps_they_take_alone() -> None:
    mus = np.array([1.0, 9.0, 2.0, 0.5, 4.0])

    def gradient(mu: Any) -> Any:
        return ft.grad(lambda mu: _loss(_T, _Y0, mu, 1e-6, adjoint="backward"))(mu)

    assert ft.vmap(gradient)(mus).tolist() == [gradient(mu) for mu in mus]


def test_what_is_kept_does_not_grow_with_the_steps() -> None:
    def kept(adjoint: str, most: int) -> Any:
        def last(mu: Any) -> Any:
            return ft.ode.solve(van_der_pol, _T[:2], _Y0, mu, max_steps=most, adjoint=adjoint).y[0][-1]

        return ft.jit(ft.grad(last)).lower(1.0).cost().temporaries

    assert kept("backward", 100_000) == kept("backward", 100) < 10_000
    assert kept("checkpoint", 100_000) < 8 * kept("backward", 100_000)


def test_states_of_arrays_backward_in_time_and_arguments_that_do_not_vary() -> None:
    t, y0 = np.array([1.0, 0.4, 0.4, -1.0]), np.array([0.3, 1.0])

    def last(w: Any, n: Any, adjoint: str = "backward") -> Any:
        return ft.ode.solve(lambda t, y, w, n: rotation(t, y, w * n), t, y0, w, n, rtol=1e-10, adjoint=adjoint).y[-1, 0]

    angle = -2.0 * 3 * 0.7
    wanted = -2.0 * 3 * (np.cos(angle) * 1.0 - np.sin(angle) * 0.3)
    assert ft.grad(last)(0.7, 3) == pytest.approx(wanted, rel=1e-8)


def test_what_is_not_reached_has_no_derivative() -> None:
    found = ft.grad(lambda y: ft.ode.solve(lambda t, y: y * y, np.array([0.0, 2.0]), y, adjoint="backward").y[-1])(1.0)
    assert np.isnan(found)


def test_errors() -> None:
    t, f = np.array([0.0, 1.0]), lambda t, y, k=1.0: -k * y
    for options in ({"dense": True}, {"events": lambda t, y: y}):
        with pytest.raises(ft.UnsupportedError, match=f"{next(iter(options))}= of .* use adjoint='checkpoint'"):
            ft.ode.solve(f, t, 1.0, adjoint="backward", **options)
    with pytest.raises(ft.ArgumentError, match=r"custom_vjp function ode\.solve of"):
        ft.jvp(lambda k: ft.ode.solve(f, t, 1.0, k, adjoint="backward").y[-1], (1.0,), (1.0,))
    with pytest.raises(ft.ArgumentError, match="closed-over"):
        ft.grad(lambda k: ft.ode.solve(lambda t, y: -k * y, t, 1.0, adjoint="backward").y[-1])(1.0)


def test_arguments_of_higher_precision_than_the_state() -> None:
    # of y' = a p y with a of float64 and a Python number p: steps are of float32, derivatives of the arguments' dtype
    def last(y: Any, a: Any, p: Any) -> Any:
        def slope(t: Any, y: Any, a: Any, p: Any) -> Any:
            return (a * p).astype(y.dtype) * y

        return ft.ode.solve(slope, np.array([0.0, 0.5, 1.0]), y, a, p, rtol=1e-5, adjoint="backward").y[-1].sum()

    y, a = np.array([0.5, 2.0], np.float32), np.array([-0.5, 0.3])
    by_y, by_a, by_p = ft.grad(last, (0, 1, 2))(y, a, 0.9)
    assert (by_y.dtype, by_a.dtype) == (np.float32, np.float64)
    end = y * np.exp(0.9 * a)
    np.testing.assert_allclose(by_y, np.exp(0.9 * a), rtol=1e-3)
    np.testing.assert_allclose(by_a, 0.9 * end, rtol=1e-3)
    assert float(by_p) == pytest.approx((a * end).sum(), rel=1e-2)
