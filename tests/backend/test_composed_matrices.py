"""Complex matrices, and second derivatives of determinants, in bodies of loops: equal to a Python loop over LAPACK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import functrans as ft
import functrans.scipy.linalg as fsl

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(17)
LANES = 3
LEVELS = np.array([1.0, 1.2, 1e120])


def drawn(*shape: int) -> Array:
    return np.asarray(RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape))


def definite(a: Any) -> Any:
    return a @ np.swapaxes(np.conj(a), -1, -2) + np.eye(a.shape[-1])


def of_eigen(a: Any) -> Any:
    """Without the phases of eigenvectors."""
    w, v = np.linalg.eigh(a)
    return w, (v * w) @ np.swapaxes(np.conj(v), -1, -2)


def of_svd(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return s, u @ vh, (u * s) @ vh


OPS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "systems": lambda m, a, b: (np.linalg.solve(a, b), np.linalg.inv(a)),
    "triangles": lambda m, a, b: (
        m.solve_triangular(a, b, lower=True), m.solve_triangular(a, b, trans="C"),
        m.solve_triangular(a, b, lower=True, unit_diagonal=True), np.linalg.cholesky(definite(a)),
    ),
    "determinants": lambda m, a, b: (np.linalg.det(a), *np.linalg.slogdet(a)),
    "qr": lambda m, a, b: (*np.linalg.qr(a), *np.linalg.qr(a[:, :2]), *np.linalg.qr(a[:2])),
    "eigh": lambda m, a, b: of_eigen(a),
    "svd": lambda m, a, b: (*of_svd(a[:2]), np.linalg.pinv(a[:, :2])),
    "bands": lambda m, a, b: (m.solve_banded((0, 1), a[:2], b), m.solveh_banded(a[:2] + [[9], [0]], b, lower=True)),
}  # fmt: skip


@pytest.mark.parametrize(("name", "n", "dtype"), [("systems", 2, np.complex64), *((k, 3, np.complex128) for k in OPS)])
def test_a_loop_has_what_lapack_has(name: str, n: int, dtype: type) -> None:
    a, b = drawn(LANES, n, n).astype(dtype), drawn(LANES, n, 2).astype(dtype)
    levels = LEVELS if dtype is np.complex128 and name in ("qr", "eigh", "svd") else LEVELS[:2]

    def run(a: Any, b: Any) -> Any:
        return ft.scan(lambda c, x: (c, OPS[name](fsl, (a * x).astype(dtype), b)), 0.0, levels)[1]

    found = ft.jit(ft.vmap(run))(a, b)
    for lane, k in np.ndindex(LANES, len(levels)):
        want = OPS[name](sl, (a[lane] * levels[k]).astype(dtype), b[lane])
        for one, other in zip(found, want, strict=True):
            assert one.dtype == np.asarray(other).dtype
            size = np.abs(other).max()
            np.testing.assert_allclose(one[lane, k] / size, other / size, atol=2e3 * np.finfo(dtype).eps)


PARTS: dict[str, Callable[[Any], Any]] = {
    "det": lambda a: np.linalg.det(a) * a,
    "cholesky": lambda a: np.linalg.cholesky(definite(a)),
}


@pytest.mark.parametrize("name", PARTS)
def test_derivatives_in_loops_are_those_of_a_python_loop(name: str) -> None:
    """By real and imaginary parts, backward, beside differences of what NumPy computes."""
    p, d = (RNG.standard_normal((LANES, 2, 2, 2)) for _ in range(2))

    def step(c: Any, p: Any) -> Any:
        y = PARTS[name](p[0] + 1j * p[1] + c * np.eye(2))
        return 0.1 * (y.real - 0.3 * y.imag).sum()

    gradient = ft.vmap(ft.grad(lambda p: ft.scan(lambda c, _: (step(c, p), None), 0.2, None, 2)[0]))
    change = [[step(step(0.2, x + s * y), x + s * y) for x, y in zip(p, d, strict=True)] for s in (1e-6, -1e-6)]
    np.testing.assert_allclose((ft.jit(gradient)(p) * d).sum((1, 2, 3)), np.subtract(*change) / 2e-6, rtol=1e-6)


def test_second_derivatives_of_determinants_in_loops() -> None:
    """Those of the polynomial it is, where the matrix is singular too."""
    n = 3
    levels = np.array([1.0, 2.0])
    hessian = ft.jit(ft.hessian(lambda a: ft.scan(lambda c, x: (c + np.linalg.det(a * x), None), 0.0, levels)[0]))
    for rank in range(n + 1):
        a = RNG.standard_normal((n, rank)) @ RNG.standard_normal((rank, n))
        want = np.zeros((n,) * 4)
        for i, j, k, m in np.ndindex(*want.shape):
            if i != k and j != m:  # the cofactor of two rows and two columns
                want[i, j, k, m] = (-1) ** (i + j + (k > i) + (m > j) + k + m) * a[3 - i - k, 3 - j - m]
        np.testing.assert_allclose(hessian(a), 9 * want, atol=1e-12)


def test_refused_matrices_are_named() -> None:
    """By their op and place; NaN where that is asked for."""
    a = np.stack([np.eye(3), np.diag([1.0, -1.0, 1.0])]) + 0j
    f = ft.jit(ft.vmap(lambda a: ft.scan(lambda c, _: (np.linalg.cholesky(a), None), a, None, 2)[0]))
    with pytest.raises(ft.LinAlgError, match="cholesky: the matrix at batch index 1 is not positive definite"):
        f(a)
    with ft.config.override(linalg_errors="nan"):
        assert np.isnan(f(a)).any((1, 2)).tolist() == [False, True]


def test_singular_matrices_of_integers_have_no_determinant() -> None:
    a = np.array([[1, 2, 1j], [2, 4, 2j], [0, 1, 1]])
    every = ft.jit(lambda a: ft.scan(lambda c, _: (c, (np.linalg.det(a), *np.linalg.slogdet(a))), 0, None, 1)[1])
    det, sign, log = every(a)
    assert (det[0], sign[0], log[0]) == (0, 0, -np.inf)


def test_matrices_without_rows() -> None:
    f = ft.jit(lambda a: ft.scan(lambda c, _: (c, (np.linalg.det(a), np.linalg.cholesky(a))), 0, None, 1)[1])
    det, lower = f(np.zeros((0, 0), complex))
    assert det.tolist() == [1]
    assert lower.shape == (1, 0, 0)


def test_no_number_stands_where_lapack_has_nan() -> None:
    """Solutions of systems with infinities: complex elimination makes NaN of what the real one's two rows do not."""
    n, rounds = 4, 40
    a, b = drawn(rounds, n, n), drawn(rounds, n, 1)
    for k in range(1, rounds):
        a[k, RNG.integers(n), RNG.integers(n)] = (np.inf, complex(0, np.inf))[k % 2]

    def f(m: Any, a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b), np.linalg.inv(a), m.solve_banded((1, 1), a[:3], b, check_finite=False)

    found = ft.jit(lambda a, b: ft.scan(lambda c, x: (c, f(fsl, *x)), 0.0, (a, b))[1])(a, b)
    wanted = map(np.stack, zip(*(f(sl, *x) for x in zip(a, b, strict=True)), strict=True))
    for one, want in zip(found, wanted, strict=True):
        assert np.isnan(want).any() and not (np.isnan(want) & ~np.isnan(one)).any()
        np.testing.assert_allclose(one[0], want[0], rtol=1e-9)
