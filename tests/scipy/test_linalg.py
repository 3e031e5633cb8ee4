"""`functrans.scipy.linalg` beside SciPy: values, errors, derivatives, lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import functrans as ft
from functrans.testing import check_jvp, check_vjp

Array = np.ndarray[Any, Any]
F: Any = ft.scipy.linalg
pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(3)
theirs: Any = scipy.linalg.solve_triangular


def square(n: int, dtype: Any) -> Array:
    a = RNG.standard_normal((n, n)) / n + 2 * np.eye(n)
    return np.asarray(a + 1j * RNG.standard_normal((n, n)) / n if dtype is complex else a, dtype)


def bands(n: int, below: int, above: int, dtype: Any = float) -> Array:
    """With a weak diagonal: without exchanges of rows the solutions would be far off. A triangular matrix is not weak:
    it would be singular to working precision, and whether the last pivot is 0 or 1e-80 is a matter of rounding."""
    ab = RNG.standard_normal((below + above + 1, n))
    ab[above] = ab[above] * 1e-3 if below and above else 4 * (below + above + 1) + ab[above]
    return np.asarray(ab + 1j * RNG.standard_normal(ab.shape) if dtype is complex else ab, dtype)


def near(got: Any, want: Any, dtype: Any) -> None:
    tol = 1e-4 if dtype is np.float32 else 1e-9
    np.testing.assert_allclose(got, want, rtol=tol, atol=tol * np.abs(want).max(initial=1))


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("n", [1, 3, 8, 9, 20, 41, 70])
def test_triangular_systems(n: int, dtype: Any) -> None:
    a, b = square(n, dtype), RNG.standard_normal((n, 2)).astype(dtype)
    ways = [(k % 3, bool(k // 3 % 2), bool(k // 6)) for k in range(12)]
    found = ft.jit(lambda a, b: [F.solve_triangular(a, b[:, 0] if w[2] else b, *w) for w in ways])(a, b)
    for way, got in zip(ways, found, strict=True):
        near(got, theirs(a, b[:, 0] if way[2] else b, *way), dtype)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("n", [1, 4, 12, 45])
@pytest.mark.parametrize("lower", [False, True])
def test_cholesky(n: int, dtype: Any, lower: bool) -> None:
    a, b = square(n, dtype), RNG.standard_normal(n).astype(dtype)
    a = a @ a.conj().T
    assert F.cho_factor(a, lower)[1] is lower
    near(ft.jit(lambda a: F.cholesky(a, lower))(a), scipy.linalg.cholesky(a, lower), dtype)
    near(ft.jit(lambda a, b: F.cho_solve(F.cho_factor(a, lower), b))(a, b), np.linalg.solve(a, b), dtype)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("below, above", [(0, 0), (1, 1), (2, 1), (0, 2), (3, 0), (2, 4)])
@pytest.mark.parametrize("n", [1, 2, 6, 40, 300])
def test_banded_systems(n: int, below: int, above: int, dtype: Any) -> None:
    ab, b = bands(n, below, above, dtype), RNG.standard_normal((n, 2)).astype(dtype)
    got = ft.jit(lambda ab, b: F.solve_banded((below, above), ab, b))(ab, b)
    dense = np.zeros((n, n), dtype)
    for i in range(n):
        for j in range(max(0, i - below), min(n, i + above + 1)):
            dense[i, j] = ab[above + i - j, j]
    size = np.abs(dense).max() * np.abs(got).max() * (below + above + 1) + np.abs(b).max()
    assert np.abs(dense @ got - b).max() <= 1e-13 * size
    if below < n and above < n:
        of_scipy = scipy.linalg.solve_banded((below, above), ab, b)
        assert np.abs(dense @ got - b).max() <= 4 * max(np.abs(dense @ of_scipy - b).max(), 1e-15 * size)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("n", [5, 90])
def test_banded_systems_of_positive_definite_matrices(n: int, k: int, dtype: Any) -> None:
    ab, b = bands(n, k, 0, dtype), RNG.standard_normal(n).astype(dtype)
    ab[0] = 4 * k + 2 + ab[0] - ab[0].real  # of the diagonal the real parts are read
    upper = np.stack([np.roll(ab[k - r].conj(), k - r) for r in range(k + 1)])
    for given, lower in ((ab, True), (upper, False)):
        got = ft.jit(lambda ab, b, lower=lower: F.solveh_banded(ab, b, lower=lower))(given, b)
        near(got, scipy.linalg.solveh_banded(given, b, lower=lower), dtype)
        turned = np.where(np.arange(k + 1)[:, None] == (0 if lower else k), 1j, 0) * np.ones(n)
        moved = ft.jvp(
            lambda ab, lower=lower: F.solveh_banded(ab, b, lower=lower), (given.astype(complex),), (turned,)
        )[1]
        np.testing.assert_array_equal(moved, 0)


def test_batches_are_lanes_and_have_the_bits_of_one() -> None:
    ab, b = np.stack([bands(60, 1, 1) for _ in range(11)]), RNG.standard_normal((11, 60))
    f = ft.jit(ft.vmap(lambda ab, b: F.solve_banded((1, 1), ab, b)))
    assert f.lower(ab, b).cost().host_steps == 0
    one = ft.jit(lambda ab, b: F.solve_banded((1, 1), ab, b))
    for k in range(11):
        np.testing.assert_array_equal(f(ab, b)[k], one(ab[k], b[k]))
    batch = ft.jit(lambda ab, b: F.solve_banded((1, 1), ab, b[..., None])[..., 0])
    np.testing.assert_array_equal(batch(ab, b), f(ab, b))


def test_what_is_refused_names_the_matrix() -> None:
    ab, t = np.ones((5, 3, 20)), np.stack([np.eye(20)] * 5)
    ab[:, 1] = 4
    ab[2] = 0
    t[3, 7, 7] = 0
    positive = ab[:, 1:].copy()
    positive[2] = [[1.0], [3.0]]
    b = np.ones((5, 20))
    cases: list[tuple[Callable[[], Any], int, str, str]] = [
        (lambda: ft.vmap(lambda ab, b: F.solve_banded((1, 1), ab, b))(ab, b), 2, "solve_banded", "is singular"),
        (
            lambda: ft.vmap(lambda ab, b: F.solveh_banded(ab, b, lower=True))(positive, b),
            2,
            "solveh_banded",
            "is not pos",
        ),
        (lambda: ft.vmap(lambda t, b: F.solve_triangular(t, b))(t, b), 3, "solve_triangular", "is singular"),
    ]
    for f, index, name, what in cases:
        with pytest.raises(ft.LinAlgError, match=f"^{name}: the matrix at batch index {index} {what}"):
            f()
        with ft.config.override(linalg_errors="nan"):
            found = f()
        assert np.isnan(found[index]).all() and not np.isnan(np.delete(found, index, 0)).any()
    with pytest.raises(ft.LinAlgError, match="singular"):
        ft.jit(lambda t, b: F.solve_triangular(t, b))(np.diag(np.arange(50.0)), np.ones(50))


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda a, b: F.solve_triangular(a, b, trans=3), "trans is 3"),
        (lambda a, b: F.solve_triangular(a, b[:2]), "b has shape"),
        (lambda a, b: F.solve_banded((1, 2), a, b), "expected .*4, n"),
        (lambda a, b: F.solve_banded(3, a, b), "l_and_u"),
        (lambda a, b: F.solveh_banded(b, b), "solveh_banded: ab"),
    ],
)
def test_wrong_arguments(call: Callable[..., Any], match: str) -> None:
    with pytest.raises(ft.FunctransError, match=match):
        ft.jit(call)(np.eye(3), np.ones(3))


def _both(x: Any) -> Any:
    """Of complex solutions numbers that have derivatives by real ones."""
    return x.real + 2 * x.imag


SYSTEMS: dict[str, Callable[[Any, Any], Any]] = {
    "upper": lambda a, b: F.solve_triangular(a, b),
    "lower": lambda a, b: F.solve_triangular(a, b, lower=True),
    "transposed": lambda a, b: _both(F.solve_triangular(a * (1 - 0.5j), b, "T")),
    "unit": lambda a, b: F.solve_triangular(a, b, unit_diagonal=True),
    "cholesky": lambda a, b: F.cho_solve(F.cho_factor(a @ a.T), b),
    "banded": lambda a, b: F.solve_banded((2, 1), np.concatenate([a[:1], a[1:2] * a[1:2] + 12, a[2:4]]), b),
    "positive": lambda a, b: _both(
        F.solveh_banded(np.concatenate([abs(a[:1]) + 9, a[1:3] * (1 - 0.5j)]), b, lower=True)
    ),
    "upper bands": lambda a, b: F.solveh_banded(np.concatenate([a[1:3], abs(a[:1]) + 9]), b),
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("n", [4, 11])
def test_derivatives(n: int, name: str) -> None:
    f = SYSTEMS[name]
    a, b = square(n, float) + 0.1 * RNG.standard_normal((n, n)), RNG.standard_normal((n, 2))
    check_jvp(f, (a, b))
    check_vjp(f, (a, b))
    batch = np.stack([a, a + 0.1]), np.stack([b, b])
    g = ft.grad(lambda a, b: (f(a, b) ** 2).sum(), argnums=(0, 1))
    for got, *want in zip(ft.vmap(g)(*batch), *(g(*x) for x in zip(*batch, strict=True)), strict=True):
        np.testing.assert_allclose(got, np.stack(want), rtol=1e-9, atol=1e-9)


def test_a_log_determinant_by_cholesky_solves_triangular_systems() -> None:
    def f(a: Any) -> Any:
        return 2 * np.log(np.diagonal(np.linalg.cholesky(a))).sum()

    a = square(15, float)
    a = a @ a.T
    low = ft.jit(ft.grad(f)).lower(a)
    assert low.cost().host_steps == 0
    found = ft.grad(f)(a)
    want = np.linalg.inv(a)
    np.testing.assert_allclose(np.diagonal(found), np.diagonal(want), rtol=1e-8)
    np.testing.assert_allclose(np.tril(found, -1), 2 * np.tril(want, -1), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("n", [1, 3, 10])
def test_exponentials(n: int, dtype: Any) -> None:
    a = np.stack([square(n, dtype) * scale for scale in (0.0, 1e-3, 1.0, -30.0)])
    near(ft.jit(F.expm)(a), scipy.linalg.expm(a.astype(np.complex128 if dtype is complex else float)), dtype)
    near(np.asarray(F.expm(-1e6 * np.eye(n))), np.zeros((n, n)), float)
    assert np.isnan(np.asarray(F.expm(1e13 * np.eye(n)))).all()


def test_derivatives_of_exponentials() -> None:
    for scale in (0.3, 4.0):
        a, e = scale * RNG.standard_normal((2, 4, 4))
        found = ft.jvp(F.expm, (a,), (e,))[1]
        near(found, scipy.linalg.expm_frechet(a, e, compute_expm=False), float)
        back = ft.grad(lambda a, e=e: (F.expm(a) * e).sum())(a)
        near(back, scipy.linalg.expm_frechet(a.T, e, compute_expm=False), float)


def test_matrices_of_a_pattern() -> None:
    c, r = RNG.standard_normal(4), RNG.standard_normal(3) + 1j
    for args in ((c,), (r,), (c, r)):
        np.testing.assert_array_equal(F.toeplitz(*args), scipy.linalg.toeplitz(*args))
    for blocks in ((np.eye(2), c, 3.0), (c[:, None],), ()):
        np.testing.assert_array_equal(F.block_diag(*blocks), scipy.linalg.block_diag(*blocks))
    with pytest.raises(ft.ShapeError, match="argument 1"):
        F.block_diag(1.0, np.ones((2, 2, 2)))


@pytest.mark.covering(1)
@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 9, 9), (3, 5), (2, 5, 3)])
def test_lu_is_scipys_and_gives_the_matrix_back(shape: Any, dtype: Any) -> None:
    a = np.asarray(RNG.standard_normal(shape) + (1j * RNG.standard_normal(shape) if dtype is complex else 0), dtype)
    p, lower, upper = ft.jit(F.lu)(a)
    for got, want in zip((p, lower, upper), scipy.linalg.lu(a), strict=True):
        near(got, want, dtype)
    assert (p.dtype, lower.dtype, upper.dtype) == (a.real.dtype, a.dtype, a.dtype)
    near(p @ lower @ upper, a, dtype)
    rows, *_ = F.lu(a, p_indices=True)
    near(np.take_along_axis(lower @ upper, np.asarray(rows)[..., None], -2), a, dtype)
    near(np.asarray(F.lu(a, permute_l=True)[0]), p @ lower, dtype)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("trans", [0, 1, 2])
def test_lu_solve_of_exchanged_rows(trans: int, dtype: Any) -> None:
    a = square(6, dtype)[[3, 0, 5, 1, 2, 4]]
    factors, pivots = ft.jit(F.lu_factor)(a)
    want = scipy.linalg.lu_factor(a)
    near(factors, want[0], dtype)
    np.testing.assert_array_equal(pivots, want[1])
    for b in (np.arange(6.0), np.arange(12.0).reshape(6, 2)):
        got = ft.jit(lambda f, p, b: F.lu_solve((f, p), b, trans))(factors, pivots, b)
        near(got, scipy.linalg.lu_solve(want, b, trans), dtype)


def test_lu_solve_in_batches_lanes_and_loops() -> None:
    a, b = np.stack([square(5, float)[RNG.permutation(5)] for _ in range(4)]), RNG.standard_normal((4, 5, 2))
    want = np.linalg.solve(a, b)
    near(F.lu_solve(F.lu_factor(a), b), want, float)
    near(ft.vmap(lambda a, b: F.lu_solve(F.lu_factor(a), b))(a, b), want, float)
    near(ft.scan(lambda c, x: (c, F.lu_solve(F.lu_factor(x[0]), x[1])), 0.0, (a, b))[1], want, float)


@pytest.mark.parametrize("n, batch", [(3, (3,)), (3, (2,)), (2, (2, 2)), (1, (1,)), (0, (2,)), (2, (0,)), (0, ())])
def test_one_right_hand_side_of_many_matrices(n: int, batch: tuple[int, ...]) -> None:
    """Also where there are as many matrices as rows: what solves them for one factor is a vector each, no matrix."""
    a, b = RNG.standard_normal((*batch, n, n)) + 4 * np.eye(n), RNG.standard_normal(n)
    turned = np.swapaxes(a, -1, -2)
    bands = 9 + RNG.standard_normal((*batch, 1, n))
    ways = [
        (lambda a, b, c: F.lu_solve(F.lu_factor(a), b), a),
        (lambda a, b, c: F.lu_solve(F.lu_factor(a), b, 1), turned),
        (lambda a, b, c: F.cho_solve((a, True), b), np.tril(a) @ np.swapaxes(np.tril(a), -1, -2)),
        (lambda a, b, c: F.cho_solve((a, False), b), np.swapaxes(np.triu(a), -1, -2) @ np.triu(a)),
        (lambda a, b, c: F.solve_triangular(a, b, "T"), np.swapaxes(np.triu(a), -1, -2)),
        (lambda a, b, c: F.solve_banded((0, 0), c, b), np.eye(n) * bands),
        (lambda a, b, c: F.solveh_banded(c, b), np.eye(n) * bands),
    ]
    found = ft.jit(lambda a, b, c: [f(a, b, c) for f, _ in ways])(a, b, bands)
    for got, (_, matrices) in zip(found, ways, strict=True):
        assert got.shape == (*batch, n)
        near(got, np.linalg.solve(matrices, np.broadcast_to(b, (*batch, n))[..., None])[..., 0], float)


def test_derivatives_of_lu() -> None:
    a, b = square(4, float)[[2, 0, 3, 1]], np.arange(4.0)
    solves: list[Any] = [lambda a, trans=k: F.lu_solve(F.lu_factor(a), b, trans) for k in (0, 1)]
    for f in (lambda a: F.lu_factor(a)[0], *solves):
        check_jvp(f, (a,))
        check_vjp(f, (a,))


def test_lu_of_singular_and_wrong_matrices() -> None:
    lu, pivots = F.lu_factor(np.zeros((2, 2)))
    np.testing.assert_array_equal(lu, np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError):
        np.asarray(F.lu_solve((lu, pivots), np.ones(2)))
    with pytest.raises(ft.ShapeError, match="lu_factor"):
        F.lu_factor(np.ones(3))
    with pytest.raises(ft.ShapeError, match="matrices of 2 rows"):
        F.lu_solve((lu, pivots), np.ones(3))
    with pytest.raises(ValueError, match="trans is 3"):
        F.lu_solve((lu, pivots), np.ones(2), 3)
