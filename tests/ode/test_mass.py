"""Mass matrices of solve: against SciPy with the algebraic equations solved for, and against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.linalg import expm

import functrans as ft
import functrans.numpy as fnp
from tests.laws.references import alone
from tests.ode.test_esdirk import exact, robertson

_INDEX_ONE = np.diag([1.0, 1.0, 0.0])


def conserved(t: Any, y: Any, k: Any) -> Any:
    """Robertson's reactions, the last by what they keep."""
    a, b, c = y[0], y[1], y[2]
    slow, back, fast = k * a, 1e4 * b * c, 3e7 * b * b
    return fnp.stack([back - slow, slow - back - fast, a + b + c - 1.0])


def _robertson(k: Any, t: Any, method: str, **options: Any) -> Any:
    options = {"rtol": 1e-6, "atol": 1e-11, "mass": _INDEX_ONE, **options}
    return ft.ode.solve(conserved, t, np.array([1.0, 0.0, 0.0]), k, method=method, **options)


@pytest.mark.covering(1)
@pytest.mark.parametrize("jac", ["dense", "sparse"])
@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_an_algebraic_equation_in_lanes_that_take_the_steps_they_take_alone(method: str, jac: str) -> None:
    t, ks = np.array([0.0, 0.4, 40.0, 4e3]), np.array([0.04, 0.01, 0.09])

    def run(k: Any) -> Any:
        s = _robertson(k, t, method, jac=jac)
        return s.y, s.stats, s.status

    y, stats, status = ft.vmap(run)(ks)
    assert (status == 0).all() and stats.accepted.max() < 130 and len(set(stats.accepted)) > 1
    ks = ks[:1] if jac == "sparse" else ks
    for lane, (k, apart) in enumerate(zip(ks, alone(run, ks), strict=True)):
        wanted = exact(robertson, t, (1.0, 0.0, 0.0), k).T
        # the second state is fast: between steps 1e-5 to 2.4e-5 for k of 0.01 to 0.13
        assert (np.abs(y[lane] - wanted) < 1e-11 + 4e-5 * np.abs(wanted)).all()
        for got, x in zip(ft.tree.leaves((y, stats)), ft.tree.leaves(apart[:2]), strict=True):
            np.testing.assert_array_equal(got[lane], x)


_MASS, _STIFFNESS = np.array([[2.0, 0.5], [-0.3, 1.0]]), np.array([[-1.0, 3.0], [-40.0, -50.0]])


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_a_regular_mass_and_derivatives_by_it(method: str) -> None:
    t, y0, along = np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([[0.3, -0.2], [0.1, 0.4]])

    def last(mass: Any, **options: Any) -> Any:
        return ft.ode.solve(
            lambda t, y: _STIFFNESS @ y, t, y0, method=method, rtol=1e-8, atol=1e-10, mass=mass, max_steps=200,
            **options,
        ).y[-1]  # fmt: skip

    def wanted(e: float) -> Any:
        return expm(np.linalg.solve(_MASS + e * along, _STIFFNESS)) @ y0

    np.testing.assert_allclose(last(_MASS), wanted(0.0), atol=1e-8)
    np.testing.assert_array_equal(ft.vmap(last)(np.stack([2 * _MASS, _MASS]))[1], last(_MASS))
    _, slope = ft.jvp(lambda m: last(m, adjoint="forward"), (_MASS,), (along,))
    np.testing.assert_allclose(slope, (wanted(1e-5) - wanted(-1e-5)) / 2e-5, atol=1e-7)
    by_mass = ft.grad(lambda m: last(m) @ np.array([1.0, -2.0]))(_MASS)
    assert (by_mass * along).sum() == pytest.approx(slope @ np.array([1.0, -2.0]), rel=1e-9)


def _skew(t: Any, y: Any, rate: Any) -> Any:
    """With a mass of ones: the sum falls, and the first is twice the second."""
    both = -rate * (y[0] + y[1])
    return fnp.stack([both, both + y[0] - 2.0 * y[1]])


def _closed(t: Any, rate: float = 1.0) -> Any:
    return np.outer(np.exp(-rate * t), [2 / 3, 1 / 3])


@pytest.mark.parametrize("method", ["esdirk", "radau"])
def test_algebraic_equations_that_are_sums_of_rows(method: str) -> None:
    t = np.linspace(0.0, 2.0, 5)

    def solve(y0: Any, **options: Any) -> Any:
        return ft.ode.solve(_skew, t, y0, 1.0, method=method, mass=np.ones((2, 2)), rtol=1e-8, max_steps=80, **options)

    s = solve(np.array([2 / 3, 1 / 3]), dense=True, events=lambda t, y, rate: y[1] - 0.2)
    np.testing.assert_allclose(s.y, _closed(t), rtol=3e-7)
    between = np.array([0.01, 0.77, 1.9])
    np.testing.assert_allclose(s.sol(between), _closed(between), rtol=3e-6)  # from the first step on
    assert s.t_events[0, 0] == pytest.approx(np.log(5 / 3), rel=1e-6)
    apart = solve(np.array([0.5, 0.5]))  # not on the algebraic equation: there after a step
    np.testing.assert_allclose(apart.y[1:], _closed(t[1:]), rtol=1e-6)


def test_derivatives_of_a_differential_algebraic_equation() -> None:
    t = np.array([0.0, 0.6, 1.0])

    def last(rate: Any, method: str) -> Any:
        mass, y0 = np.ones((2, 2)), np.array([2 / 3, 1 / 3])
        y = ft.ode.solve(_skew, t, y0, rate, method=method, mass=mass, rtol=1e-8, max_steps=64).y
        return (y * np.arange(6).reshape(3, 2)).sum()

    wanted = (-t[:, None] * _closed(t, 1.3) * np.arange(6).reshape(3, 2)).sum()
    for method in ("esdirk", "radau"):
        assert ft.grad(lambda rate, method=method: last(rate, method))(1.3) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(("method", "jac"), [("esdirk", "dense"), ("radau", "sparse")])
def test_what_is_algebraic_is_within_tolerances_between_steps_and_derivatives_agree(method: str, jac: str) -> None:
    t = np.linspace(0.0, 1.0, 6)

    def pendulum(t: Any, y: Any, p: Any) -> Any:
        x, v, z = y[0], y[1], y[2]
        return fnp.stack([v, -p[0] * x - z, z - p[1] * x**3 + 0.3 * np.sin(t) * z])

    def solve(p: Any) -> Any:
        y0 = fnp.stack([p[0] * 0.0 + 1.0, p[0] * 0.0, p[1]])
        options = {"method": method, "jac": jac, "mass": _INDEX_ONE, "rtol": 1e-8, "atol": 1e-10, "max_steps": 60}
        return ft.ode.solve(pendulum, t, y0, p, **options).y

    def solved(p: Any) -> Any:
        def reduced(t: Any, y: Any, p: Any) -> Any:
            return fnp.stack([y[1], -p[0] * y[0] - p[1] * y[0] ** 3 / (1 + 0.3 * np.sin(t))])

        y = ft.ode.solve(reduced, t, np.array([1.0, 0.0]), p, rtol=1e-12, atol=1e-13).y
        return fnp.concatenate([y, (p[1] * y[:, 0] ** 3 / (1 + 0.3 * np.sin(t)))[:, None]], 1)

    p = np.array([2.0, 0.5])
    forward = ft.jacfwd(solve)(p)
    np.testing.assert_allclose(solve(p), ft.jit(solved)(p), atol=3e-8)
    np.testing.assert_allclose(forward, ft.jacfwd(solved)(p), atol=1e-7)
    np.testing.assert_allclose(ft.jacrev(solve)(p), forward, atol=1e-13)


def test_sparse_masses_and_jacobians() -> None:
    """Matrices of as many rows as are factored in every step, so that the steps are the same."""
    n, t = 20, np.array([0.0, 0.02, 0.05])
    x = np.linspace(0.0, 1.0, n + 2)[1:-1]
    stiffness = scipy.sparse.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)) * (n + 1.0) ** 2
    mass = scipy.sparse.diags_array([1 / 6, 4 / 6, 1 / 6], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
    product = ft.sparse(stiffness.tocsr())

    def solve(mass: Any, jac: str, c: Any = 5.0) -> Any:
        return ft.ode.solve(
            lambda t, y, c: product @ y - c * y**3, t, np.sin(np.pi * x), c, method="esdirk", mass=mass, jac=jac,
            max_steps=100,
        )  # fmt: skip

    found = solve(mass, "sparse")
    assert found.status == 0
    np.testing.assert_allclose(found.y, solve(mass.toarray(), "dense").y, rtol=1e-9)
    eigenvalue = (2 * np.cos(np.pi / (n + 1)) - 2) * (n + 1.0) ** 2 / (2 / 3 + np.cos(np.pi / (n + 1)) / 3)
    linear = solve(mass, "sparse", 0.0)
    np.testing.assert_allclose(linear.y, np.outer(np.exp(eigenvalue * t), np.sin(np.pi * x)), rtol=1e-5)


def test_equations_of_a_higher_index_do_not_come_to_an_end() -> None:
    s = ft.ode.solve(
        lambda t, y: fnp.stack([y[1], y[0] - 1.0]), np.array([0.0, 1.0]), np.array([1.0, 0.0]), method="radau",
        mass=np.diag([1.0, 0.0]),
    )  # fmt: skip
    assert s.status == 2 and np.isnan(s.y[-1]).all()


def test_errors() -> None:
    t, f, y0 = np.array([0.0, 1.0]), lambda t, y: -y, np.ones(2)
    for options, error, text in (
        ({"mass": np.eye(3)}, ft.ShapeError, r"mass of .* has shape \(3, 3\) where y holds 2 numbers"),
        ({"mass": np.ones(2)}, ft.ShapeError, r"mass of .* has shape \(2,\); expected \(n, n\)"),
        ({"mass": [[1.0, 2.0], [3.0]]}, ft.ArgumentError, "mass of"),
        ({"mass": 1j * np.eye(2)}, ft.DtypeError, "complex128"),
        ({"mass": np.diag([1.0, np.nan])}, ft.ArgumentValueError, "not finite"),
        ({"mass": np.eye(2), "method": "dopri5"}, ft.UnsupportedError, "'dopri5' is explicit"),
        ({"mass": np.eye(2), "adjoint": "backward"}, ft.UnsupportedError, "use adjoint='checkpoint'"),
        ({"jac": "banded"}, ft.ArgumentError, "'dense', 'sparse'"),
    ):  # fmt: skip
        with pytest.raises(error, match=text):
            ft.ode.solve(f, t, y0, **{"method": "esdirk", **options})
    with pytest.raises(ft.UnsupportedError, match="no pattern is known"):
        ft.jit(lambda m: ft.ode.solve(f, t, y0, method="esdirk", jac="sparse", mass=m).y)(np.eye(2))
