"""solve with method="radau": its tables, against SciPy's Radau to eleven digits, its order, lanes and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.ode import radau
from tests.laws.references import alone
from tests.ode.problems import rotation, van_der_pol
from tests.ode.test_esdirk import exact, robertson, swung


def solve(f: Any, t: Any, y0: Any, *args: Any, **options: Any) -> Any:
    return ft.ode.solve(f, t, y0, *args, method="radau", **options)


def test_the_tables() -> None:
    a, c = np.array(radau._STAGES), np.array(radau._NODES)
    for k in range(1, 4):  # collocation: a polynomial of degree 3 is integrated to each node
        np.testing.assert_allclose(a @ c ** (k - 1), c**k / k, atol=1e-15)
    np.testing.assert_allclose([a[2] @ c**k for k in range(5)], 1 / np.arange(1, 6), atol=1e-15)
    block = np.array([[radau._REAL, 0, 0], [0, radau._A, radau._B], [0, -radau._B, radau._A]])
    t, inverse = np.array(radau._T), np.array(radau._T_INVERSE)
    np.testing.assert_allclose(t @ inverse, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(t @ block @ inverse, a, atol=1e-15)
    e = np.array(radau._ERROR)
    np.testing.assert_allclose([e.sum() + radau._REAL, e @ c, e @ c**2], 0, atol=1e-15)
    w, nodes = np.array(radau._CURVE), np.array([0.0, *c])
    np.testing.assert_allclose([w @ nodes**k for k in range(4)], [0, 0, 0, 0.25], atol=1e-14)


def test_robertson() -> None:
    t = np.array([0.0, 0.4, 40.0, 4e3, 4e5])
    s = solve(robertson, t, (1.0, 0.0, 0.0), 0.04, rtol=1e-6, atol=1e-11)
    wanted = exact(robertson, t, (1.0, 0.0, 0.0), 0.04)
    assert s.status == 0 and s.stats.accepted < 150  # SciPy's takes 230
    assert (np.abs(np.stack(s.y) - wanted) < 1e-11 + 1e-6 * np.abs(wanted)).all()
    assert abs(sum(s.y) - 1).max() < 1e-12  # what the equations keep


def test_van_der_pol_of_any_stiffness_in_lanes_that_take_the_steps_they_take_alone() -> None:
    mus = np.array([1.0, 300.0, 2.0, 11.0, 1000.0])

    def run(mu: Any) -> Any:
        s = solve(van_der_pol, np.array([0.0, 0.3, 0.8]) * mu, (2.0, 0.0), mu, rtol=1e-5, max_steps=2000)
        return s.y, s.stats, s.status

    found = ft.tree.leaves(ft.vmap(run)(mus))
    for lane, (mu, apart) in enumerate(zip(mus, alone(run, mus), strict=True)):
        for got, wanted in zip(found, ft.tree.leaves(apart), strict=True):
            np.testing.assert_array_equal(got[lane], wanted)
        wanted = exact(van_der_pol, np.array([0.0, 0.3, 0.8]) * mu, (2.0, 0.0), mu)
        np.testing.assert_allclose(found[0][lane], wanted[0], rtol=1e-4)


def test_errors_follow_the_tolerance() -> None:
    errors = []
    for rtol in (1e-4, 1e-9):
        s = solve(rotation, np.array([0.0, 10.0]), np.array([0.0, 1.0]), 1.0, rtol=rtol, atol=rtol)
        errors.append(abs(s.y[-1, 0] - np.sin(10.0)))
        assert errors[-1] < 20 * rtol
    assert errors[0] > 1e3 * errors[1]


def test_of_one_step_the_error_is_of_order_six() -> None:
    """From a step to one of half its length the error falls to a 64th."""
    step = radau.stepper(lambda t, y: (y[1], -y[0] + np.sin(3 * t)), None, radau.Tolerance(1e-13, 1e-13))

    def end(h: Any) -> Any:
        y = fnp.asarray(0.3), fnp.asarray(-0.4)
        made = step(fnp.asarray(0.2), y, (y[1], -y[0] + np.sin(0.6)), h)
        return made.y[0], made.error[0], made.curve[0]

    def wanted(h: float) -> Any:
        t = np.array([0.2, 0.2 + h])
        return exact(lambda t, y: (y[1], -y[0] + np.sin(3 * t)), t, (0.3, -0.4), rtol=1e-12)[0, -1]

    found = [ft.jit(end)(h) for h in (0.5, 0.25)]
    left, right = (abs(f[0] - wanted(h)) for f, h in zip(found, (0.5, 0.25), strict=True))
    assert 40 < left / right < 90
    assert 10 < abs(found[0][1] / found[1][1]) < 22  # the estimate is of order 3
    assert 10 < abs(found[0][2] / found[1][2]) < 24  # and the curve goes with the fourth power


@pytest.mark.parametrize("n", [2, 3, 7])
def test_matrices_of_all_sizes_and_a_jacobian_that_is_given(n: int) -> None:
    a = -np.diag(np.geomspace(1.0, 1e5, n)) + np.random.default_rng(n).normal(size=(n, n)) * 0.1
    t = np.array([0.0, -0.5, -1.0]) * -1
    s = solve(lambda t, y: a @ y + np.sin(t), t, np.ones(n))
    np.testing.assert_allclose(s.y, swung(a, t), atol=1e-5)
    given = solve(lambda t, y: a @ y + np.sin(t), t, np.ones(n), jac=lambda t, y: a)
    np.testing.assert_allclose(given.y, s.y, atol=1e-9)


def test_backward_and_in_between() -> None:
    t = np.linspace(0.0, -3.0, 23)
    s = solve(rotation, t, np.array([0.0, 1.0]), 2.0, rtol=1e-8, atol=1e-8)
    assert s.status == 0 and np.abs(s.y - np.stack([np.sin(2 * t), np.cos(2 * t)], 1)).max() < 3e-7


def test_derivatives() -> None:
    t = np.array([0.0, 20.0])

    def loss(k: Any, y0: Any, rtol: float = 1e-7, **options: Any) -> Any:
        options = {"max_steps": 900, **options}
        y = solve(robertson, t, (1.0, y0, 0.0), k, rtol=rtol, atol=1e-4 * rtol, **options).y
        return y[0][-1] + 1e3 * y[1][-1]

    def difference(e: float) -> Any:
        up, down = (loss(0.04 + d, d / 100, 1e-9, max_steps=6000) for d in (e, -e))
        return (up - down) / (2 * e)

    _, slope = ft.jvp(lambda k, y: loss(k, y, adjoint="forward"), (0.04, 0.0), (1.0, 0.01))
    assert slope == pytest.approx(difference(1e-5), rel=1e-5)
    of_k, of_y = ft.grad(loss, (0, 1))(0.04, 0.0)
    assert of_k + 0.01 * of_y == pytest.approx(slope, rel=1e-9)


def test_how_it_ends() -> None:
    t = np.array([0.0, 2.0])
    assert solve(lambda t, y: y * y, t, 1.0).status == 2  # no step is refused before the pole, and time stands still
    assert solve(lambda t, y: -y, t, 1.0, max_steps=2).status == 1
    single = solve(lambda t, y: -y, t, np.float32(1.0), rtol=1e-4, atol=1e-5)
    assert single.y.dtype == np.float32 and abs(single.y[-1] - np.exp(-2.0)) < 1e-3
    narrow = {"method": "radau", "rtol": np.float64(1e-4), "atol": 1e-5}
    along = ft.grad(lambda y: ft.ode.solve(lambda t, y, a: -a * y, np.array([0.0, 2.0]), y, 1.0, **narrow).y[-1])
    assert ft.make_graph(along)(np.float32(1.0)).outputs[0].dtype == ft.dtypes.float32
    with pytest.raises(ft.UnsupportedError, match="'radau' does not take"):
        solve(lambda t, y: -y, t, 1j)
