"""Matrices of many rows are eliminated by panels: with the bits of elimination row by row, and as good as LAPACK's."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.dense import panels
from functrans.backend.dense.policy import is_by_panels
from functrans.ops.routines import Routine
from functrans.scipy.linalg import solve_triangular
from tests.backend.test_routines import backward_error, matrices
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
OTHERS = Target(32, masks=True), Target(16, masks=False), Target(8, masks=False)


def everything(a: Any, b: Any, s: Any) -> Any:
    """What is computed by elimination, in the body of a loop."""

    def body(_: Any, results: Any) -> Any:
        kinds = [(lower, trans, unit) for lower in (0, 1) for trans in (0, 1) for unit in (0, 1)]
        found = [solve_triangular(a, b, trans, lower, unit_diagonal=unit) for lower, trans, unit in kinds]
        c = a + 1.0
        found += [np.linalg.solve(c, b), np.linalg.solve(a, b), np.linalg.solve(a.T, b)]
        return [*found, np.linalg.cholesky(s), *np.linalg.slogdet(a), np.linalg.det(c / 4)]

    zeros = [*[np.zeros_like(b)] * 11, np.zeros_like(s), 0.0, 0.0, 0.0]
    return ft.fori_loop(0, 1, body, zeros)


@pytest.mark.parametrize("n, machine", [*((n, None) for n in (41, 48, 65, 101, 130)), *product((48, 101), OTHERS)])
def test_bits_are_those_of_elimination_row_by_row(
    n: int, machine: Target | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rng = np.random.default_rng(n)

    def run(where: str) -> list[list[Array]]:
        found = []
        with kept_apart(tmp_path / where), ft.config.override(linalg_errors="nan"):
            f = ft.jit(everything)
            for given in cases:
                found.append([np.asarray(x) for x in f(*given)])
        return found

    cases = []
    for m, kind in ((1, ""), (3, "strange"), (n, "graded")):
        a, b = rng.standard_normal((n, n)), rng.standard_normal((n, m))
        s = a @ a.T + np.eye(n)
        if kind == "strange":
            a[2, 5], a[7, 1], s[8, 8] = np.nan, np.inf, np.nan
        if kind == "graded":
            a *= 10.0 ** rng.integers(-160, 160, (n, 1))
            a[n // 2] *= 0
        cases.append((a, b, s))
    if machine is None:
        own = run("panels")
    else:
        with written_for(machine):
            own = run("panels")
    monkeypatch.setattr(panels, "_BY_PANELS", frozenset())
    for got, want in zip(own, run("rows"), strict=True):
        for x, y in zip(got, want, strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("n", [8, 16, 32, 40, 41, 48, 56, 57, 64, 100])
def test_a_lane_has_the_bits_that_it_has_alone(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((5, n, n)), rng.standard_normal((5, n, 2))
    z = a + 1j * rng.standard_normal((5, n, n))

    def run(a: Any, z: Any, b: Any) -> Any:
        def body(k: Any, x: Any) -> Any:
            c = a + k * np.eye(n)
            return np.linalg.solve(c, x[0]) + np.linalg.slogdet(c)[1], np.linalg.solve(z, x[1])

        return ft.fori_loop(0, 2, body, (b, b + 0j))

    together, alone = ft.jit(ft.vmap(run))(a, z, b), ft.jit(run)
    for k in range(5):
        for got, want in zip(alone(a[k], z[k], b[k]), together, strict=True):
            np.testing.assert_array_equal(got, want[k])


@pytest.mark.parametrize("n", [4, 33, 50, 101])
def test_zeros_of_an_identity_are_left_out(n: int) -> None:
    """With the bits of right-hand sides that are twice as large, which are no identity."""
    a = np.random.default_rng(n).standard_normal((n, n))

    def f(a: Any, b: Any) -> Any:
        return np.linalg.det(a), np.linalg.solve(a, b), np.linalg.solve(a.T, b)

    for own, of_both in zip(ft.jit(f)(a, np.eye(n))[1:], ft.jit(f)(a, 2 * np.eye(n))[1:], strict=True):
        np.testing.assert_array_equal(2 * own, of_both)
    np.testing.assert_allclose(ft.jit(f)(a, np.eye(n))[1], np.linalg.inv(a), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("n, m, some", [(3, 50, 5), (17, 200, 5), (30, 2, 5), (31, 2, 5), (60, 7, 5), (60, 300, 5),
                                        (33, 50, 4), (40, 300, 9)])  # fmt: skip
def test_outside_of_loops_bits_are_those_of_lanes(n: int, m: int, some: int) -> None:
    """Of few matrices panels are eliminated, or triangles gone through, where there are many rows or columns."""
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((some, n, n)), rng.standard_normal((some, n, m))
    s = a @ a.swapaxes(1, 2) + np.eye(n)

    def f(a: Any, b: Any, s: Any) -> Any:
        return np.linalg.solve(a, b), solve_triangular(a, b), solve_triangular(a, b, lower=True), np.linalg.cholesky(s)

    for k, alone in enumerate(ft.jit(f)(*given) for given in zip(a, b, s, strict=True)):
        for got, want in zip(alone, ft.jit(ft.vmap(f))(a, b, s), strict=True):
            np.testing.assert_array_equal(got, want[k])


def test_lanes_around_a_loop_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One matrix in a body is eliminated by panels, many side by side."""
    found = list[tuple[int, bool]]()

    def chosen(routine: Routine, matrices: int, inside: bool) -> bool:
        found.append((matrices, by := is_by_panels(routine, matrices, inside)))
        return by

    def f(a: Any) -> Any:
        return ft.fori_loop(0, 1, lambda _, x: np.linalg.solve(a, x), np.ones((36, 1)))

    monkeypatch.setattr(panels, "is_by_panels", chosen)
    a = np.broadcast_to(np.eye(36), (3, 7, 36, 36))
    with kept_apart(tmp_path):
        for g, given in ((f, a[0, 0]), (ft.vmap(ft.vmap(f)), a)):
            np.testing.assert_array_equal(ft.jit(g)(given), 1.0)
    assert found == [(1, True), (21, False)]


@pytest.mark.parametrize("n", [41, 64, 150])
def test_bodies_are_as_good_as_lapack(n: int) -> None:
    a = matrices(n)
    b = np.random.default_rng(n).standard_normal((len(a), n, 2))
    s = a @ a.swapaxes(1, 2) / np.abs(a).max((1, 2), keepdims=True) ** 2 + np.eye(n)

    def run(a: Any, b: Any, s: Any) -> Any:
        return ft.fori_loop(0, 1, lambda _, r: (np.linalg.solve(a, b), np.linalg.cholesky(s)), (b, s))

    x, lower = ft.jit(ft.vmap(run))(a, b, s)
    unit = n * np.finfo(float).eps
    assert backward_error(a, x, b).max() <= 4 * max(backward_error(a, np.linalg.solve(a, b), b).max(), unit)
    assert np.abs(lower @ lower.swapaxes(1, 2) - s).max() <= 4 * unit * np.abs(s).max()
    np.testing.assert_array_equal(np.triu(lower, 1), 0)


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("n", [20, 21, 33, 64, 130])
def test_complex_systems_are_as_good_as_lapack(n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    turn = np.exp(1j * rng.uniform(0, 6, (len(matrices(n)), n, 1)))
    a = (matrices(n) * turn + 0.1 * matrices(n)).astype(dtype)
    b = (rng.standard_normal((len(a), n, 2)) * 1j + 1).astype(dtype)
    f = ft.jit(ft.vmap(lambda a, b: ft.fori_loop(0, 1, lambda _, x: np.linalg.solve(a, x), b)))
    x, theirs = f(a, b), np.linalg.solve(a, b)
    assert x.dtype == dtype

    def error(x: Array) -> float:
        size = np.abs(a).max(-1, keepdims=True) * np.abs(x).max(-2, keepdims=True) * n + np.abs(b)
        wide = a.astype(np.clongdouble) @ x.astype(np.clongdouble) - b
        return float((np.abs(wide) / size).max())

    assert error(x) <= 4 * max(error(theirs), n * float(np.finfo(dtype).eps))


@pytest.mark.parametrize("n", [21, 41, 70])
@pytest.mark.parametrize("dtype", [float, complex])
def test_singular_matrices_and_nan(n: int, dtype: Any) -> None:
    rng = np.random.default_rng(n)
    a = rng.standard_normal((4, n, n)).astype(dtype) * (1j if dtype is complex else 1)
    b = np.ones((4, n), dtype)
    a[2, :, n // 2] = 0
    f = ft.jit(ft.vmap(lambda a, b: ft.fori_loop(0, 1, lambda _, x: np.linalg.solve(a, x), b)))
    with pytest.raises(ft.LinAlgError, match="batch index 2 is singular"):
        f(a, b)
    with ft.config.override(linalg_errors="nan"):
        x = f(a, b)
    assert np.isnan(x[2]).all() and np.isfinite(np.delete(x, 2, 0)).all()
    a[2] = np.eye(n)
    a[1, 3, 4] = np.nan
    x = f(a, b)
    assert np.isnan(x[1]).any() and np.isfinite(np.delete(x, 1, 0)).all()


def test_numbers_near_the_ends_of_the_range() -> None:
    n = 45
    for scale in (1e-320, 1e-300, 1e300):
        for one in (1.0, 1j, 0.6 + 0.8j):
            a, b = np.eye(n) * scale * one, np.full(n, scale * one)
            x = ft.jit(lambda a, b: ft.fori_loop(0, 1, lambda _, x: np.linalg.solve(a, x), b))(a, b)
            np.testing.assert_allclose(x, 1.0, rtol=1e-12 if scale > 1e-310 else 1e-2)
