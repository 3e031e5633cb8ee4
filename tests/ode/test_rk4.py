"""rk4: against known solutions, in its order, with derivatives and lanes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.ode.problems import rotation, van_der_pol


def _by_hand(f: Any, t: Any, y: Any, *args: Any) -> Any:
    rows = [y]
    for a, b in itertools.pairwise(t):
        h = b - a
        k1 = f(a, y, *args)
        k2 = f(a + h / 2, y + h / 2 * k1, *args)
        k3 = f(a + h / 2, y + h / 2 * k2, *args)
        k4 = f(a + h, y + h * k3, *args)
        y = y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
        rows.append(y)
    return np.array(rows)


def test_it_is_the_classical_method() -> None:
    def f(t: Any, y: Any, a: Any) -> Any:
        return np.cos(t) * y - a * y * y

    t = np.array([0.0, 0.1, 0.15, 0.4, 0.3])  # steps of any length, backward too
    y0 = np.array([1.0, -0.5, 0.2])
    np.testing.assert_allclose(ft.ode.rk4(f, t, y0, 0.3), _by_hand(f, t, y0, 0.3), rtol=1e-13)


def test_order_four() -> None:
    errors = []
    for n in (20, 40):
        t = np.linspace(0.0, 2.0, n + 1)
        y = ft.ode.rk4(rotation, t, np.array([0.0, 1.0]), 1.5)
        assert y.shape == (n + 1, 2)
        errors.append(np.abs(y - np.stack([np.sin(1.5 * t), np.cos(1.5 * t)], 1)).max())
    assert 3.8 < np.log2(errors[0] / errors[1]) < 4.3


def test_substeps_are_steps() -> None:
    def f(t: Any, y: Any) -> Any:
        return np.cos(5 * t) * y

    a = ft.ode.rk4(f, np.linspace(0.0, 1.0, 5), 1.0, substeps=3)
    b = ft.ode.rk4(f, np.linspace(0.0, 1.0, 13), 1.0)
    np.testing.assert_allclose(a, b[::3], rtol=1e-13)


def test_states_are_pytrees() -> None:
    y0 = {"x": np.arange(6).reshape(2, 3), "v": np.float64(1.0)}
    y = ft.ode.rk4(lambda t, y: {"x": -y["x"], "v": y["v"] * t}, np.linspace(0.0, 1.0, 11), y0)
    assert y["x"].shape == (11, 2, 3) and y["v"].shape == (11,)
    assert y["x"].dtype == np.float64
    np.testing.assert_allclose(y["x"][-1], y0["x"] * np.exp(-1.0), rtol=1e-5)
    np.testing.assert_allclose(y["v"][-1], np.exp(0.5), rtol=1e-5)
    assert ft.ode.rk4(lambda t, y: -y, np.array([0.0]), 3.0).tolist() == [3.0]
    assert ft.ode.rk4(lambda t, y: -y, np.linspace(0, 1, 3), np.float32(3.0)).dtype == np.float32
    z = ft.ode.rk4(lambda t, y: 1j * y, np.linspace(0.0, 1.0, 21), 1 + 0j)
    assert abs(z[-1] - np.exp(1j)) < 1e-6


def test_both_derivatives() -> None:
    t = np.linspace(0.0, 2.0, 9)

    def loss(mu: Any, y0: Any, t: Any) -> Any:
        x, v = ft.ode.rk4(van_der_pol, t, y0, mu, substeps=2)
        return (x * x + v * t).sum()

    at, along = (1.5, (2.0, 0.3), t), (0.7, (0.2, -0.4), 0.1 * t)
    value, slope = ft.jvp(loss, at, along)
    e = 1e-6

    def moved(s: float) -> Any:
        return loss(1.5 + 0.7 * s, (2.0 + 0.2 * s, 0.3 - 0.4 * s), t + 0.1 * t * s)

    assert value == pytest.approx(moved(0.0), rel=1e-13)
    assert slope == pytest.approx((moved(e) - moved(-e)) / (2 * e), rel=1e-7)
    by_mu, by_y0, by_t = ft.grad(loss, (0, 1, 2))(*at)
    assert by_mu * 0.7 + by_y0[0] * 0.2 - by_y0[1] * 0.4 + by_t @ (0.1 * t) == pytest.approx(slope, rel=1e-12)


def test_lanes_are_what_they_are_alone() -> None:
    t = np.linspace(0.0, 2.0, 9)
    mus = np.linspace(0.1, 3.0, 11)

    def last(mu: Any) -> Any:
        return ft.ode.rk4(van_der_pol, t, (2.0, 0.0), mu)[0][-1]

    for f in (last, ft.grad(last)):
        assert ft.vmap(f)(mus).tolist() == [f(mu) for mu in mus]


def test_it_stays_a_loop() -> None:
    def steps(n: int) -> Any:
        lowered = ft.jit(lambda y: ft.ode.rk4(rotation, np.linspace(0.0, 1.0, n), y, 1.0)[-1]).lower(np.ones(2))
        return len(lowered.c_source.splitlines())

    assert steps(1001) == steps(11)


def test_errors() -> None:
    t = np.linspace(0.0, 1.0, 3)
    with pytest.raises(ft.ArgumentError, match=r"f of ode.rk4 is 3"):
        ft.ode.rk4(3, t, 1.0)  # type: ignore[arg-type]
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(ft.ArgumentValueError, match="substeps"):
            ft.ode.rk4(rotation, t, np.ones(2), 1.0, substeps=wrong)  # type: ignore[arg-type]
    with pytest.raises(ft.ShapeError, match=r"shape \(3,\) for y of shape \(2,\)"):
        ft.ode.rk4(lambda t, y: np.ones(3), t, np.ones(2))
    for given in ([1.0, 2.0], None):
        with pytest.raises(ft.ArgumentError, match="structure"):
            ft.ode.rk4(lambda t, y, given=given: given, t, np.ones(2))
    with pytest.raises(ft.DtypeError, match="complex128 for y of float64"):
        ft.ode.rk4(lambda t, y: 1j * y, t, 1.0)
    for times in (np.zeros((2, 2)), np.zeros(0), np.float64(1.0)):
        with pytest.raises(ft.ShapeError, match=r"t of ode.rk4"):
            ft.ode.rk4(lambda t, y: -y, times, 1.0)
