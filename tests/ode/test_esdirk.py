"""solve with method="esdirk": against SciPy's Radau to eleven digits, its order, its lanes and its derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import functrans as ft
import functrans.numpy as fnp
from functrans.ode import esdirk
from tests.laws.references import alone
from tests.ode.problems import rotation, van_der_pol

METHODS = ["vmapin", "rewrite", "pad_reduce"]


def robertson(t: Any, y: Any, k: Any) -> Any:
    a, b, c = y
    slow, back, fast = k * a, 1e4 * b * c, 3e7 * b * b
    return back - slow, slow - back - fast, fast


def solve(f: Any, t: Any, y0: Any, *args: Any, **options: Any) -> Any:
    return ft.ode.solve(f, t, y0, *args, method="esdirk", **options)


def exact(f: Any, t: Any, y0: Any, *args: Any, rtol: float = 1e-8) -> Any:
    """By SciPy's Radau, which takes most of the time of a test: as exact as the test asks."""

    def flat(t: Any, y: Any) -> Any:
        return np.array([float(x) for x in f(t, tuple(y), *args)])

    found = solve_ivp(flat, (t[0], t[-1]), y0, method="Radau", rtol=rtol, atol=1e-3 * rtol, t_eval=t)
    assert found.success
    return found.y


def swung(a: Any, t: Any) -> Any:
    """The solution of y' = a @ y + sin(t) from ones, in closed form: sine and cosine are states of their own."""
    n = len(a)
    whole, start = np.zeros((n + 2, n + 2)), np.concatenate([np.ones(n), [0.0, 1.0]])
    whole[:n, :n], whole[:n, n], whole[n, n + 1], whole[n + 1, n] = a, 1.0, 1.0, -1.0
    return np.stack([expm(whole * at)[:n] @ start for at in t])


def rows() -> tuple[Any, Any, Any]:
    """The matrix of stages, the weights, the nodes."""
    a = np.zeros((7, 7))
    for k, row in enumerate(esdirk._STAGES, 1):
        a[k, : len(row)] = row
        a[k, k] = esdirk._DIAGONAL
    return a, np.array(esdirk._WEIGHTS), np.array([0.0, *esdirk._NODES])


def test_the_table_is_of_order_five_and_its_embedded_weights_of_order_four() -> None:
    a, b, c = rows()
    np.testing.assert_allclose(a.sum(1), c, atol=1e-15)
    np.testing.assert_allclose(a @ c, c * c / 2, atol=1e-15)  # stages of order two
    np.testing.assert_allclose([b @ c**k for k in range(5)], 1 / np.arange(1, 6), atol=1e-14)
    np.testing.assert_allclose([b @ a @ c**2, b @ (c * (a @ c**2)), b @ a @ c**3, b @ a @ a @ c**2],
                               [1 / 12, 1 / 15, 1 / 20, 1 / 60], atol=1e-14)  # fmt: skip
    e = b - np.array(esdirk._ERROR)
    np.testing.assert_allclose([e @ c**k for k in range(4)], 1 / np.arange(1, 5), atol=1e-14)
    np.testing.assert_allclose(e @ a @ c**2, 1 / 12, atol=1e-14)
    w = np.array(esdirk._CURVE)
    conditions = [*(w @ c**k for k in range(4)), w @ (a @ c**2 - c**3 / 3)]
    np.testing.assert_allclose(conditions, [0, 0, 0, 0.25, 0], atol=1e-14)


def test_robertson() -> None:
    t = np.array([0.0, 0.4, 40.0, 4e3, 4e5])
    s = solve(robertson, t, (1.0, 0.0, 0.0), 0.04, rtol=1e-6, atol=1e-11)
    wanted = exact(robertson, t, (1.0, 0.0, 0.0), 0.04)
    assert s.status == 0 and s.stats.accepted < 200
    assert (np.abs(np.stack(s.y) - wanted) < 1e-11 + 5e-5 * np.abs(wanted)).all()
    assert abs(sum(s.y) - 1).max() < 1e-12  # what the equations keep


@pytest.mark.parametrize("mu", [10.0, 1000.0])
def test_van_der_pol(mu: float) -> None:
    t = np.linspace(0.0, 0.8 * mu, 6)
    s = solve(van_der_pol, t, (2.0, 0.0), mu, rtol=1e-6, atol=1e-9)
    wanted = exact(van_der_pol, t, (2.0, 0.0), mu)
    assert s.status == 0
    error = np.abs(np.stack(s.y) - wanted) / (1e-9 + np.abs(wanted))
    assert (error[:, -1] < 1e-4).all()
    assert (error[0] < 1e-5).all() and (error[1] < 1e-3).all()  # in between, the part that is all but constant is rough
    explicit = ft.ode.solve(van_der_pol, t, (2.0, 0.0), mu, max_steps=100_000)
    assert mu < 100 or s.stats.accepted * 50 < explicit.stats.accepted


def test_errors_follow_the_tolerance() -> None:
    errors, steps = [], []
    for rtol in (1e-5, 1e-10):
        s = solve(rotation, np.array([0.0, 10.0]), np.array([0.0, 1.0]), 1.0, rtol=rtol, atol=rtol)
        errors.append(abs(s.y[-1, 0] - np.sin(10.0)))
        steps.append(int(s.stats.accepted))
    assert 7 < steps[1] / steps[0] < 12
    assert 1e4 < errors[0] / errors[1] < 1e6
    assert errors[1] < 20e-10


def test_linear_systems_backward_and_in_between() -> None:
    t = np.linspace(0.0, -3.0, 23)
    s = solve(rotation, t, np.array([0.0, 1.0]), 2.0, rtol=1e-8, atol=1e-8)
    assert s.status == 0 and np.abs(s.y - np.stack([np.sin(2 * t), np.cos(2 * t)], 1)).max() < 3e-7


@pytest.mark.parametrize("n", [6, 7, 15])
def test_matrices_of_all_sizes_and_a_jacobian_that_is_given(n: int) -> None:
    a = -np.diag(np.geomspace(1.0, 1e5, n)) + np.random.default_rng(n).normal(size=(n, n)) * 0.1
    t = np.array([0.0, 1.0, 2.0])
    s = solve(lambda t, y: a @ y + np.sin(t), t, np.ones(n))
    np.testing.assert_allclose(s.y, swung(a, t), atol=1e-5)
    given = solve(lambda t, y: a @ y + np.sin(t), t, np.ones(n), jac=lambda t, y: a)
    np.testing.assert_allclose(given.y, s.y, atol=1e-10)
    rough = solve(lambda t, y: a @ y + np.sin(t), t, np.ones(n), jac=lambda t, y: np.diag(np.diag(a)))
    np.testing.assert_allclose(rough.y, s.y, atol=1e-5)
    assert rough.stats.evaluations > given.stats.evaluations


def test_lanes_take_the_steps_they_take_alone() -> None:
    mus = np.array([1.0, 300.0, 2.0, 0.5, 11.0])

    def run(mu: Any) -> Any:
        s = solve(van_der_pol, np.array([0.0, 0.5, 1.0, 2.0]) * mu, (2.0, 0.0), mu, max_steps=400)
        return s.y, s.stats, s.status

    apart = [ft.tree.leaves(x) for x in alone(run, mus)]
    for method in METHODS:
        found = ft.tree.leaves(ft.vmap(run, method=method)(mus))
        for got, *wanted in zip(found, *apart, strict=True):
            np.testing.assert_array_equal(got, np.stack(wanted), method)


def test_derivatives() -> None:
    t = np.linspace(0.0, 20.0, 4)

    def loss(k: Any, y0: Any, rtol: float = 1e-7, **options: Any) -> Any:
        options = {"max_steps": 300, **options}
        y = solve(robertson, t, (1.0, y0, 0.0), k, rtol=rtol, atol=1e-4 * rtol, **options).y
        return y[0].sum() + 1e3 * y[1][-1]

    def difference(e: float) -> Any:
        up, down = (loss(0.04 + d, d / 100, 1e-10, max_steps=5000) for d in (e, -e))
        return (up - down) / (2 * e)

    wanted = difference(1e-5)
    _, slope = ft.jvp(lambda k, y: loss(k, y, adjoint="forward"), (0.04, 0.0), (1.0, 0.01))
    assert slope == pytest.approx(wanted, rel=1e-5)
    of_k, of_y = ft.grad(loss, (0, 1))(0.04, 0.0)
    assert of_k + 0.01 * of_y == pytest.approx(slope, rel=1e-9)


def test_a_slope_that_depends_on_nothing() -> None:
    assert ft.grad(lambda y: solve(lambda t, y: 2.0 + 0.0 * t, np.array([0.0, 1.0]), y).y[-1])(1.0) == 1.0


def test_how_it_ends() -> None:
    def ends(f: Any, y0: Any = 1.0, **options: Any) -> Any:
        return solve(f, np.array([0.0, 2.0]), y0, **options)

    pole = ends(lambda t, y: y * y)
    assert pole.status == 2 and np.isnan(pole.y[-1])
    assert ends(lambda t, y: y * np.nan).status == 2
    assert ends(lambda t, y: -y, max_steps=2).status == 1
    met = ends(lambda t, y: -y, events=lambda t, y: y - 0.5, rtol=1e-9)
    assert abs(ft.tree.leaves(met.t_events)[0].ravel()[0] - np.log(2.0)) < 1e-7
    single = ends(lambda t, y: -y, np.float32(1.0), rtol=1e-4, atol=1e-5)
    assert single.y.dtype == np.float32 and abs(single.y[-1] - np.exp(-2.0)) < 1e-3
    narrow = {"method": "esdirk", "rtol": np.float64(1e-4), "atol": 1e-5}
    along = ft.grad(lambda y: ft.ode.solve(lambda t, y, a: -a * y, np.array([0.0, 2.0]), y, 1.0, **narrow).y[-1])
    assert ft.make_graph(along)(np.float32(1.0)).outputs[0].dtype == ft.dtypes.float32
    nowhere = solve(lambda t, y: -y, np.array([0.0, 0.0]), 1.0)
    np.testing.assert_array_equal(nowhere.y, [1.0, 1.0])


def test_errors() -> None:
    t, f = np.array([0.0, 1.0]), lambda t, y: -y
    for options, error, text in (
        ({"jac": 3}, ft.ArgumentError, "jac of"),
        ({"jac": lambda t, y: np.ones(3)}, ft.ShapeError, r"expected \(1, 1\)"),
        ({"y0": 1j}, ft.UnsupportedError, "complex"),
    ):
        with pytest.raises(error, match=text):
            solve(f, t, **{"y0": 1.0, **options})
    with pytest.raises(ft.ArgumentValueError, match="'dopri5', 'esdirk' or 'radau'"):
        ft.ode.solve(f, t, 1.0, method="euler")
    assert fnp.isfinite(solve(f, t, 1.0).y).all()
