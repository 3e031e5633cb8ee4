"""Matrices of every size in kernels: backward errors beside LAPACK's, refusals, lanes, loops, what is factored once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops.enums import Ops
from functrans.ops.linalg import adjugate
from functrans.ops.loops import region, results
from functrans.ops.routines import Kind, Routine
from functrans.tensor.core import Tensor

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(11)
SIZES = [
    *((n, "float64") for n in (*range(1, 26), 31, 32, 33, 40, 41, 48)),
    *((n, "float32") for n in (1, 2, 8, 9, 16, 33, 40, 56)),
]


def matrices(n: int) -> Array:
    """Random ones, permuted and scaled ones, graded, nearly singular, and of many equal pivots."""
    drawn = RNG.standard_normal((4, n, n))
    permuted = np.stack([np.eye(n)[RNG.permutation(n)] * RNG.standard_normal(n) for _ in range(2)])
    graded = RNG.standard_normal((3, n, n)) * 10.0 ** RNG.integers(-9, 10, (3, n, 1))
    near = RNG.standard_normal((2, n, n))
    near[:, -1] = near[:, 0] + 1e-6 * near[:, -1]
    alike = np.tril(RNG.integers(0, 2, (2, n, n)) * 2.0 - 1)[:, ::-1] + 0.0
    return np.concatenate([drawn, permuted, graded, near, alike])


def backward_error(a: Array, x: Array, b: Array) -> Array:
    """Of each solution, beside the size of the matrix and of the solution, row by row."""
    a, x, b = (np.asarray(v, np.longdouble) for v in (a, x, b))
    below = np.abs(a).max(-1, keepdims=True) * np.abs(x).max(-2, keepdims=True) * a.shape[-1] + np.abs(b)
    return np.asarray((np.abs(a @ x - b) / np.where(below == 0, 1, below)).max((-2, -1)), float)


def everything(a: Any, b: Any, s: Any) -> Any:
    x, inverse = np.linalg.solve(a, b), np.linalg.inv(a)
    return x, inverse, np.linalg.det(a), *np.linalg.slogdet(a), np.linalg.cholesky(s)


@pytest.mark.parametrize("n, dtype", SIZES)
def test_every_size_is_as_good_as_lapack(n: int, dtype: str) -> None:
    a = matrices(n).astype(dtype)
    b = RNG.standard_normal((len(a), n, 2)).astype(dtype)
    s = (a[:4] @ a[:4].swapaxes(1, 2)).repeat(4, 0)[: len(a)] + np.eye(n, dtype=dtype)
    f = ft.jit(ft.vmap(everything))
    assert f.lower(a, b, s).cost().host_steps == 0
    x, inverse, det, sign, log, lower = f(a, b, s)
    unit, eye = n * np.finfo(dtype).eps, np.broadcast_to(np.eye(n), a.shape)
    assert x.dtype == inverse.dtype == det.dtype == lower.dtype == dtype
    for found in (x, ft.jit(ft.vmap(np.linalg.solve))(a, b)):  # factored for all that is computed, and for itself
        assert backward_error(a, found, b).max() <= 4 * max(backward_error(a, np.linalg.solve(a, b), b).max(), unit)
    theirs = backward_error(a, np.linalg.inv(a), eye).max()
    assert backward_error(a, inverse, eye).max() <= 4 * max(theirs, unit)
    size = np.sqrt((a.astype(float) ** 2).sum(-1)).prod(-1)
    tol = 1e-5 if dtype == "float32" else 1e-11
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(det / size, np.linalg.det(a) / size, atol=tol)
    np.testing.assert_array_equal(sign, np.linalg.slogdet(a)[0])
    np.testing.assert_allclose(log, np.linalg.slogdet(a)[1], rtol=1e-4, atol=max(tol, 1e-9))
    assert np.abs(lower @ lower.swapaxes(1, 2) - s).max() <= 4 * unit * np.abs(s).max()
    np.testing.assert_array_equal(np.triu(lower, 1), 0)


@pytest.mark.parametrize("n", [9, 12, 13, 32])
def test_a_lane_has_the_bits_that_it_has_alone(n: int) -> None:
    a = matrices(n)
    b, s = RNG.standard_normal((len(a), n, 2)), np.stack([np.eye(n) * 2] * len(a)) + 0.1
    together, alone = ft.jit(ft.vmap(everything)), ft.jit(everything)
    want = together(a, b, s)
    for k in (0, 5, len(a) - 1):
        for got, one in zip(alone(a[k], b[k], s[k]), want, strict=True):
            np.testing.assert_array_equal(got, one[k])
    for got, one in zip(together(a[:3], b[:3], s[:3]), want, strict=True):
        np.testing.assert_array_equal(got, one[:3])


def zero_row(n: int) -> Array:
    a = RNG.standard_normal((n, n))
    a[n // 2] = 0
    return a


def zero_column(n: int) -> Array:
    return zero_row(n).T.copy()


def twice_a_row(n: int) -> Array:
    a = RNG.integers(-4, 5, (n, n)) + 0.0
    a[-1] = 2 * a[0]
    a[1:-1] = np.eye(n)[1:-1]
    return a


@pytest.mark.parametrize("n", [2, 8, 9, 16, 24, 33, 40])
def test_singular_matrices(n: int) -> None:
    inv, solve = ft.jit(ft.vmap(np.linalg.inv)), ft.jit(ft.vmap(lambda m: np.linalg.solve(m, m[0])))
    determinants = ft.jit(ft.vmap(lambda a: (np.linalg.det(a), *np.linalg.slogdet(a))))
    for kind in (zero_row, zero_column, twice_a_row):
        a = RNG.standard_normal((11, n, n))
        a[6] = kind(n)
        with pytest.raises(np.linalg.LinAlgError):
            np.linalg.inv(a[6])
        for f in (inv, solve):
            with pytest.raises(ft.LinAlgError, match="batch index 6 is singular"):
                f(a)
        with ft.config.override(linalg_errors="nan"):
            found = inv(a)
        assert np.isnan(found[6]).all() and not np.isnan(np.delete(found, 6, 0)).any(), kind
        det, sign, log = determinants(a)
        assert det[6] == sign[6] == 0 and log[6] == -np.inf, kind


@pytest.mark.parametrize("n", [9, 20])
def test_nan_is_no_singular_matrix(n: int) -> None:
    a = np.stack([np.eye(n)] * 3)
    a[1, 0, 0] = np.nan
    for f in (np.linalg.inv, np.linalg.cholesky, np.linalg.det, lambda m: np.linalg.slogdet(m)[1]):
        found = ft.vmap(f)(a)
        assert np.isnan(found[1]).any() and not np.isnan(found[[0, 2]]).any()


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200])
def test_products_neither_over_nor_underflow(scale: float) -> None:
    n = 12
    a = np.diag([scale] * (n // 2) + [1 / max(scale, 1e-300)] * (n // 2)) if scale > 1e-300 else np.eye(n) * scale
    if scale > 1e-300:
        np.testing.assert_allclose(ft.jit(np.linalg.det)(a), 1.0, rtol=1e-12)
    x = ft.jit(np.linalg.solve)(a, np.diagonal(a))
    np.testing.assert_allclose(x, 1.0, rtol=1e-12)


@pytest.mark.parametrize("n", [9, 30, 50])
def test_in_bodies_of_loops_and_branches(n: int) -> None:
    def run(a: Any, b: Any, stop: Any) -> Any:
        def body(c: Any) -> Any:
            k, x = c
            return k + 1, ft.cond(k > 1, np.linalg.solve, lambda a, x: x, a + k * np.eye(n), x)

        x = ft.while_loop(lambda c: c[0] < stop, body, (0.0, b))[1]
        return ft.scan(lambda x, k: (x, np.linalg.slogdet(a - k * np.eye(n))[1]), x, np.arange(2.0))

    a, b = RNG.standard_normal((9, n, n)), RNG.standard_normal((9, n))
    stop = np.arange(9.0) % 5
    x, logs = ft.jit(ft.vmap(run))(a, b, stop)
    for i in range(9):
        want = b[i]
        for k in range(2, int(stop[i])):
            want = np.linalg.solve(a[i] + k * np.eye(n), want)
        np.testing.assert_allclose(x[i], want, rtol=1e-8, atol=1e-9 * np.abs(want).max())
        np.testing.assert_allclose(logs[i], [np.linalg.slogdet(a[i] - k * np.eye(n))[1] for k in range(2)], rtol=1e-9)
    a[7] = -3 * np.eye(n)
    ft.jit(ft.vmap(run))(a, b, np.minimum(stop, 3))  # the lane leaves before
    with pytest.raises(ft.LinAlgError, match="batch index 7 is singular"):
        ft.jit(ft.vmap(run))(a, b, stop + 2)


@pytest.mark.parametrize("n", [6, 8])
def test_terms_of_products_are_not_stored(n: int) -> None:
    """What a small matrix is summed of is n times as large: it is computed with the routine, or loop, that reads it."""
    a, b = np.random.default_rng(n).normal(size=(2, 5, n, n))

    def solution(a: Any, b: Any) -> Any:
        return np.linalg.solve(a @ b, b)

    def loop(a: Any, x: Any) -> Any:
        return ft.fori_loop(0, 3, lambda _, y: np.tanh(y), a @ x)

    for f, second in ((solution, b), (loop, b[..., 0])):
        mapped = ft.jit(ft.vmap(f))
        assert len(mapped.lower(a, second).kernels) == 1
        np.testing.assert_allclose(mapped(a, second), [f(*each) for each in zip(a, second, strict=True)], rtol=1e-8)


def test_a_matrix_is_factored_once_for_all() -> None:
    def f(a: Any, b: Any) -> Any:
        return np.linalg.slogdet(a)[1] + (np.linalg.solve(a, b) ** 2).sum()

    a, b = RNG.standard_normal((9, 12, 12)), RNG.standard_normal((9, 12))
    g = ft.jit(ft.vmap(ft.grad(f)))
    text = g.lower(a, b).c_source
    assert "matrix_solve_" not in text
    assert sum("matrix_lu_" in line and "static" not in line for line in text.split("\n")) == 1
    for k in range(9):
        x = np.linalg.solve(a[k], b[k])
        want = np.linalg.inv(a[k]).T - 2 * np.outer(np.linalg.solve(a[k].T, x), x)
        np.testing.assert_allclose(g(a, b)[k], want, rtol=1e-8, atol=1e-9 * np.abs(want).max())


def test_no_factors_are_kept_for_determinants_alone() -> None:
    """Both parts of one, and others of the same matrix, read its pivots: rows of factors need not be exchanged."""
    low = ft.jit(ft.vmap(lambda a: (np.linalg.det(a), *np.linalg.slogdet(a)))).lower(np.ones((9, 12, 12)))
    calls = [line for line in low.c_source.split("\n") if "matrix_lu_" in line and "static" not in line]
    assert len(calls) == 1
    assert calls[0].endswith(", 12, 0);")


def test_a_matrix_that_lanes_share_is_factored_once() -> None:
    a, b = RNG.standard_normal((14, 14)), RNG.standard_normal((40, 14))
    f = ft.jit(ft.vmap(np.linalg.solve, in_axes=(None, 0)))
    assert "matrix_solve_" not in f.lower(a, b).c_source
    np.testing.assert_allclose(f(a, b), np.linalg.solve(a, b.T).T, rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 17])
def test_the_gradient_of_a_determinant_needs_no_lapack(n: int) -> None:
    a = RNG.standard_normal((6, n, n))
    if n > 1:
        a[1, 0] = 0
        a[2, :, 1] = a[2, :, 0]
        a[3] = np.outer(a[3, 0], a[3, 1])
    a[4] = 0
    g = ft.jit(ft.vmap(ft.grad(np.linalg.det)))
    assert g.lower(a).cost().host_steps == 0
    want = adjugate(a).swapaxes(1, 2)
    np.testing.assert_allclose(g(a), want, rtol=1e-9, atol=1e-12 * max(1, np.abs(want).max()))

    def total(a: Any) -> Any:
        return ft.scan(lambda c, k: (c + np.linalg.det(k * a), None), 0.0, np.arange(1.0, 3.0))[0]

    np.testing.assert_allclose(ft.jit(ft.grad(total))(a[0]), (1 + 2.0**n) * want[0], rtol=1e-9)


def definite(n: int) -> Array:
    a = RNG.standard_normal((n, n))
    return np.asarray(a @ a.T + np.eye(n))


ROUTINES = [
    (Routine(Kind.SOLVE, 5, 2), None), (Routine(Kind.LU, 5, 5), None), (Routine(Kind.CHOLESKY, 5), definite),
    (Routine(Kind.LU, 7), None), (Routine(Kind.LU, 27, 27), None), (Routine(Kind.LU, 27), None),
    (Routine(Kind.SOLVE, 12, 3), None), (Routine(Kind.SOLVE, 27, 1), None), (Routine(Kind.CHOLESKY, 27), definite),
    (Routine(Kind.AFTER_LU, 5, 2), None), (Routine(Kind.AFTER_LU, 5, 2, transposed=True), None),
    (Routine(Kind.ADJUGATE, 5), None), (Routine(Kind.BANDED, 6, 2, below=2, above=1), None),
    (Routine(Kind.TRIANGULAR, 5, 3, True, True), None), (Routine(Kind.TRIANGULAR, 5, 3, False, False, True), None),
    (Routine(Kind.POSITIVE, 6, 2, below=1), None),
]  # fmt: skip


@pytest.mark.parametrize("routine, made", ROUTINES, ids=lambda x: str(getattr(x, "kind", x is not None)))
def test_routines_do_what_their_meaning_says(routine: Routine, made: Any) -> None:
    given = [RNG.standard_normal((9, *shape)) for shape, _ in routine.sources]
    if made is not None:
        given[0][:] = [made(routine.rows) for _ in range(9)]
    if routine.kind is Kind.AFTER_LU:
        given[1][:] = [RNG.permutation(routine.rows) for _ in range(9)]
    if routine.kind is Kind.POSITIVE:
        given[0][:, 0] += 9

    def f(*args: Any) -> Any:
        node = region(Ops.ROUTINE, [a.uop for a in args], routine)
        return tuple(map(Tensor.from_uop, results(node)))

    found = ft.jit(ft.vmap(f))(*given)
    first = 2 if routine.kind is Kind.LU and not routine.columns else 0  # the factors nobody reads
    for k in range(9):
        for got, want in zip(found[first:], routine.run(None, [g[k] for g in given])[first:], strict=True):
            np.testing.assert_allclose(got[k], want, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("n", [3, 9, 13])
@pytest.mark.parametrize("lanes", [1, 3, 8, 21])
def test_numbers_of_32_bits_are_converted_with_the_routine(n: int, lanes: int) -> None:
    """The bits are those of float64, rounded; what is given stays as it is, and is read again."""
    a = np.random.default_rng(n).standard_normal((lanes, n, n)).astype(np.float32)
    a = a @ a.swapaxes(1, 2) + np.eye(n, dtype=np.float32)

    def both(f: Any) -> None:
        got, wide = ft.jit(ft.vmap(lambda x: f(x, x)))(a), ft.jit(ft.vmap(lambda x: f(x, x)))(a.astype(float))
        np.testing.assert_array_equal(got, wide.astype(np.float32))

    both(lambda x, _: np.linalg.cholesky(x))
    both(lambda x, y: ft.scipy.linalg.solve_triangular(x, y, lower=True))
    if n > 8:
        both(np.linalg.solve)
    whole = ft.jit(ft.vmap(np.linalg.cholesky)).lower(a)
    assert whole.cost().kernels == 1
    left = ft.jit(ft.vmap(lambda x: (np.linalg.cholesky(x), x)))(a)
    np.testing.assert_array_equal(left[1], a)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_lanes_do_not_end_where_lapack_begins_for_one(dtype: str) -> None:
    a = np.random.default_rng(0).standard_normal((9, 56, 56)).astype(dtype)
    for f in (np.linalg.inv, lambda a: (np.linalg.solve(a, a[0]), np.linalg.slogdet(a)[1])):
        lowered = ft.jit(ft.vmap(f)).lower(a)
        assert lowered.cost().host_steps == 0
        assert re.findall(r"matrix_(?:solve|lu)\w*_f64(x?)", lowered.c_source).count("") == 0
