"""cg, bicgstab, gmres and minres: against SciPy, derivatives against the dense solve, lanes against alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import functrans as ft
import functrans.numpy as fnp

linalg = ft.scipy.sparse.linalg
NAMES = ["cg", "bicgstab", "gmres", "minres"]
N = 40
RNG = np.random.default_rng(0)
BANDS = scipy.sparse.diags_array([-np.ones(N - 1), 2.3 * np.ones(N), -np.ones(N - 1)], offsets=[-1, 0, 1]).tocsr()
RIGHT = RNG.normal(size=N)
SCALE = scipy.sparse.diags_array((1 + np.arange(N) / N) / 2.3).tocsr()
SYMMETRIC = np.array([[2.0, 0.5, 0], [0.5, 3, 0.2], [0, 0.2, 2.5]])
SMALL = {"cg": SYMMETRIC, "minres": SYMMETRIC * [[1], [1], [-1]] * [1, 1, -1] - 6 * np.diag([0, 0, 1.0])}
SMALL |= dict.fromkeys(("bicgstab", "gmres"), SYMMETRIC + np.array([[0, 0, 0.4], [0, 0, 0], [0.1, 0, 0]]))


def solver(name: str, **options: Any) -> Any:
    def f(a: Any, b: Any) -> Any:
        a = (a + a.T) / 2 if name in ("cg", "minres") else a
        return getattr(linalg, name)(a, b, rtol=1e-13, **options)[0]

    return f


def dense(name: str) -> Any:
    return lambda a, b: fnp.linalg.solve((a + a.T) / 2 if name in ("cg", "minres") else a, b)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("preconditioner", [None, SCALE])
@pytest.mark.parametrize(
    "matrix",
    [
        BANDS, BANDS.toarray(), lambda x: ft.sparse(BANDS) @ x, scipy.sparse.linalg.aslinearoperator(BANDS),
        scipy.sparse.linalg.LinearOperator((N, N), matvec=lambda x: ft.sparse(BANDS) @ x),
    ],
    ids=["sparse", "array", "function", "operator", "own operator"],
)  # fmt: skip
def test_against_scipy(name: str, preconditioner: Any, matrix: Any) -> None:
    x, info = getattr(linalg, name)(matrix, RIGHT, rtol=1e-9, M=preconditioner)
    wanted, _ = getattr(scipy.sparse.linalg, name)(BANDS, RIGHT, rtol=1e-9, M=preconditioner)
    assert info == 0
    np.testing.assert_allclose(x, wanted, atol=1e-6)
    assert np.linalg.norm(BANDS @ x - RIGHT) < (1e-6 if name == "minres" else 1.01e-9 * np.linalg.norm(RIGHT))


@pytest.mark.parametrize("name", NAMES)
def test_as_many_iterations_as_scipy_and_not_enough_of_them(name: str) -> None:
    for maxiter in (3, 7):
        options = {"restart": 4} if name == "gmres" else {}
        x, info = getattr(linalg, name)(BANDS, RIGHT, rtol=1e-12, maxiter=maxiter, **options)
        wanted, their = getattr(scipy.sparse.linalg, name)(BANDS, RIGHT, rtol=1e-12, maxiter=maxiter, **options)
        assert info == their == maxiter
        np.testing.assert_allclose(x, wanted, rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_of_the_solution(name: str) -> None:
    f, g, a, b = solver(name), dense(name), SMALL[name], np.array([1.0, 2.0, 3.0])
    for of in (
        lambda f: ft.jvp(f, (a, b), (a * 0.3, b * b)),
        lambda f: ft.grad(lambda a, b: (f(a, b) ** 2).sum(), (0, 1))(a, b),
        lambda f: ft.hessian(lambda b: (f(a, b) ** 3).sum())(b),
    ):
        for got, wanted in zip(ft.tree.leaves(of(f)), ft.tree.leaves(of(g)), strict=True):
            np.testing.assert_allclose(got, wanted, atol=1e-9)


@pytest.mark.covering(1)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
def test_lanes_are_bit_for_bit_as_alone(name: str, method: str) -> None:
    a = SMALL[name] + np.linspace(0, 0.3, 7)[:, None, None] * np.eye(3)
    b = RNG.normal(size=(7, 3))
    b[3] = 0.0
    b[4] = [1.0, 0.0, 0.0]
    found = ft.vmap(solver(name), method=method)(a, b)
    np.testing.assert_array_equal(found, [solver(name)(x, y) for x, y in zip(a, b, strict=True)])


@pytest.mark.parametrize("name", NAMES)
def test_a_good_beginning_takes_no_iteration(name: str) -> None:
    exact = np.linalg.solve(BANDS.toarray(), RIGHT)
    x, info = getattr(linalg, name)(BANDS, RIGHT, exact, maxiter=1)
    assert info == 0
    np.testing.assert_allclose(x, exact, rtol=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_what_has_no_solution_says_so(name: str) -> None:
    assert getattr(linalg, name)(BANDS, RIGHT * 0)[1] == 0
    assert getattr(linalg, name)(BANDS, RIGHT * np.nan)[1] < 0
    if name != "minres":  # which finds the least squares, as SciPy's does
        assert getattr(linalg, name)(0 * BANDS.toarray(), RIGHT)[1] < 0


def test_linearized_functions_and_trees() -> None:
    push = ft.linearize(lambda x: x + 0.1 * np.sin(x) + 0.1 * fnp.roll(x, 1), RIGHT)[1]
    for name in ("gmres", "bicgstab"):
        x, info = getattr(linalg, name)(push, RIGHT, rtol=1e-11)
        assert info == 0
        np.testing.assert_allclose(push(x), RIGHT, atol=1e-9)
    x, info = linalg.cg(lambda x: {"u": 2 * x["u"], "v": 4 * x["v"]}, {"u": RIGHT, "v": np.ones((2, 2))}, rtol=1e-12)
    assert info == 0
    np.testing.assert_allclose(x["u"], RIGHT / 2)
    np.testing.assert_allclose(x["v"], 0.25)


def test_shift() -> None:
    x, info = linalg.minres(BANDS, RIGHT, shift=0.3, rtol=1e-12)
    assert info == 0
    np.testing.assert_allclose(BANDS @ x - 0.3 * x, RIGHT, atol=1e-8)
    slope = ft.grad(lambda s: linalg.minres(SYMMETRIC, np.ones(3), shift=s, rtol=1e-13)[0].sum())(0.3)
    wanted = ft.grad(lambda s: fnp.linalg.solve(SYMMETRIC - s * np.eye(3), np.ones(3)).sum())(0.3)
    assert slope == pytest.approx(wanted)


@pytest.mark.parametrize("name", NAMES)
def test_errors(name: str) -> None:
    f = getattr(linalg, name)
    for args, options, error, text in (
        ((BANDS, RIGHT[:5]), {}, ft.ShapeError, r"A of \w+ has shape \(40, 40\), and b \(5,\)"),
        ((np.ones((2, 3)), np.ones(2)), {}, ft.ShapeError, "expected"),
        ((BANDS, RIGHT, RIGHT[:3]), {}, ft.ShapeError, "x0"),
        ((BANDS, RIGHT * 1j), {}, ft.UnsupportedError, "complex"),
        ((BANDS, RIGHT), {"callback": print}, ft.UnsupportedError, "callback"),
        ((3, RIGHT), {}, ft.ArgumentError, "expected a matrix"),
        ((BANDS, RIGHT), {"M": 3}, ft.ArgumentError, "M of"),
        ((BANDS, RIGHT), {"maxiter": 0}, ft.ArgumentValueError, "int >= 1"),
        ((lambda x: x[:3], RIGHT), {}, ft.ShapeError, "shapes"),
    ):
        with pytest.raises(error, match=text):
            f(*args, **options)


def test_options_of_one_method() -> None:
    with pytest.raises(ft.ArgumentValueError, match="restart"):
        linalg.gmres(BANDS, RIGHT, restart=0)
    with pytest.raises(ft.UnsupportedError, match="callback"):
        linalg.gmres(BANDS, RIGHT, callback_type="x")
    with pytest.raises(ft.UnsupportedError, match="show"):
        linalg.minres(BANDS, RIGHT, show=True)
