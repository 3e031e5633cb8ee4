"""Steps of LAPACK share their work: one LU of a matrix for all that reads it, all parts of a decomposition at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

N = 50  # rows: steps between kernels
RNG = np.random.default_rng(0)


def matrix(dtype: Any = np.float64, *lead: int) -> np.ndarray:
    a = RNG.standard_normal((*lead, N, N)) + 3 * np.eye(N)
    return (a + 0.5j * RNG.standard_normal(a.shape) if np.dtype(dtype).kind == "c" else a).astype(dtype)


def steps(f: Callable[..., Any], *args: Any) -> list[str]:
    """What each host step of a function is."""
    return [s.name.split()[0] for s in ft.jit(f).lower(*args).program.host_steps]


def likelihood(a: Any, b: Any) -> Any:
    return b @ np.linalg.solve(a, b) + np.linalg.slogdet(a)[1]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_one_factorization_for_all_solutions_and_determinants(dtype: Any) -> None:
    def f(a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b), np.linalg.solve(a.T, b), np.linalg.det(a), *np.linalg.slogdet(a), np.linalg.inv(a)

    a, b = matrix(dtype), RNG.standard_normal((N, 3)).astype(dtype)
    assert steps(f, a, b).count("LU") == 1
    tolerance = 2e-3 if dtype == np.float32 else 1e-9
    for got, want in zip(ft.jit(f)(a, b), f(a, b), strict=True):
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def test_the_gradient_reads_the_factors_of_the_value() -> None:
    a, b = matrix(), RNG.standard_normal(N)
    both = ft.value_and_grad(likelihood, argnums=(0, 1))
    assert steps(both, a, b).count("LU") == 1
    value, (da, db) = ft.jit(both)(a, b)
    x, y = np.linalg.solve(a, b), np.linalg.solve(a.T, b)
    np.testing.assert_allclose(value, likelihood(a, b), rtol=1e-10)
    np.testing.assert_allclose(da, np.linalg.inv(a).T - np.outer(y, x), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(db, x + y, rtol=1e-9, atol=1e-10)


def test_a_matrix_that_is_read_once_is_not_kept() -> None:
    assert steps(np.linalg.solve, matrix(), RNG.standard_normal((N, 2))) == ["SOLVE"]


@pytest.mark.parametrize("turned", [False, True])
def test_batches(turned: bool) -> None:
    def f(a: Any, b: Any) -> Any:
        own = a.T if turned else a
        return np.linalg.solve(own, b), np.linalg.slogdet(own)[1]

    a, b = matrix(np.float64, 4), RNG.standard_normal((4, N))
    got = ft.jit(ft.vmap(f))(a, b)
    for k in range(4):
        for g, w in zip(got, f(a[k], b[k]), strict=True):
            np.testing.assert_allclose(g[k], w, rtol=1e-9, atol=1e-11)
    shared = ft.jit(ft.vmap(f, in_axes=(None, 0)))(a[0], b)
    np.testing.assert_allclose(shared[0], np.stack([f(a[0], row)[0] for row in b]), rtol=1e-9, atol=1e-11)


def test_a_singular_matrix_is_refused_with_its_lane() -> None:
    a = matrix(np.float64, 3)
    a[1, :, 4] = 0
    f = ft.jit(ft.vmap(lambda a, b: np.linalg.solve(a, b).sum() + np.linalg.det(a)))
    with pytest.raises(ft.LinAlgError, match="1"):
        f(a, RNG.standard_normal((3, N)))
    assert ft.jit(lambda a: (np.linalg.det(a), np.linalg.slogdet(a)[0]))(a[1]) == (0, 0)


@pytest.mark.parametrize(
    "f, name",
    [
        (lambda a: np.linalg.eigh(a @ a.T), "EIGH"),
        (lambda a: np.linalg.svd(a, full_matrices=False), "SVD"),
        (np.linalg.qr, "QR"),
        (np.linalg.slogdet, "SLOGDET"),
    ],
)
def test_all_parts_of_a_decomposition_are_one_step(f: Callable[..., Any], name: str) -> None:
    a = matrix()
    assert steps(lambda a: tuple(f(a)), a).count(name) == 1
    for got, want in zip(ft.jit(lambda a: tuple(f(a)))(a), f(a), strict=True):
        np.testing.assert_allclose(np.abs(got), np.abs(want), rtol=1e-7, atol=1e-8)
