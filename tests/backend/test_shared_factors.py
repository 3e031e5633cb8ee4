"""Matrices between kernels: one factorization for all that reads it, one step for all parts of a decomposition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.dense import expansion
from functrans.backend.dense.expansion import expanded
from functrans.ops import Ops, dtypes, factors
from functrans.ops import build as B
from functrans.ops.opdef import TABLE
from functrans.ops.routines import Kind
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.scipy import linalg as fsl
from tests.plans import plan_anew

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
N = 48


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrices count as large: those that are take long to check."""
    monkeypatch.setattr(expansion, "is_routine", lambda node, inside, shares: False)
    plan_anew(monkeypatch)


def matrices(lead: tuple[int, ...] = (), dtype: Any = np.float64, n: int = N) -> Array:
    """Well-conditioned, positive definite."""
    rng = np.random.default_rng(len(lead))
    x = rng.normal(size=(*lead, n, n))
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.normal(size=x.shape)
    return (x @ np.conj(np.swapaxes(x, -1, -2)) / n + 2 * np.eye(n)).astype(dtype)


def steps(f: Callable[..., Any], *args: Any) -> Counter[str]:
    """How many steps of which name a call takes."""
    return Counter(step.name.partition(" ")[0] for step, _ in ft.explain(f, *args).host)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a matrix is factored, by whatever function."""
    found: Counter[str] = Counter()

    def counted(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
        def g(*args: Any, **kwargs: Any) -> Any:
            found[name] += 1
            return f(*args, **kwargs)

        return g

    assert fnp.linalg.solve  # imported now, it stands for NumPy's functions, not for those that count
    monkeypatch.setattr(factors, "lu", counted("lu", factors.lu))
    for name in ("solve", "det", "slogdet", "eigvalsh", "cholesky"):
        monkeypatch.setattr(np.linalg, name, counted(name, getattr(np.linalg, name)))
    return found


def by_lu(a: Any, y: Any) -> Any:
    return fnp.dot(y, fnp.linalg.solve(a, y)) + fnp.linalg.slogdet(a)[1]


def by_cholesky(a: Any, y: Any) -> Any:
    c = fsl.cho_factor(a, lower=True)
    return fnp.dot(y, fsl.cho_solve(c, y)) + 2 * fnp.sum(fnp.log(fnp.diagonal(c[0])))


def by_triangle(a: Any, y: Any) -> Any:
    c = fnp.linalg.cholesky(a)
    z = fsl.solve_triangular(c, y, lower=True)
    return fnp.dot(z, z) + 2 * fnp.sum(fnp.log(fnp.diagonal(c)))


@pytest.mark.parametrize("f", [by_lu, by_cholesky, by_triangle])
def test_a_likelihood_and_its_gradient_factor_once(f: Callable[..., Any], calls: Counter[str]) -> None:
    a, y = matrices(), np.random.default_rng(1).normal(size=N)
    value, slope = ft.jit(ft.value_and_grad(f))(a, y)
    assert dict(calls) == ({"lu": 1} if f is by_lu else {"cholesky": 1})
    x = scipy.linalg.solve(a, y)
    np.testing.assert_allclose(value, y @ x + np.log(np.linalg.eigvalsh(a)).sum(), rtol=1e-12)
    want = np.linalg.inv(a) - np.outer(x, x)
    lower = slope if f is by_lu else (slope + slope.T) / 2  # a Cholesky factor reads the lower triangle
    np.testing.assert_allclose(lower, want, rtol=1e-9, atol=1e-11)


def test_a_matrix_and_its_transposed_have_one_factorization() -> None:
    a, b = matrices() + np.triu(np.ones((N, N))), np.random.default_rng(1).normal(size=(N, 3))

    def f(a: Any) -> Any:
        return fnp.linalg.solve(a, b), fnp.linalg.solve(a.T, b), fnp.linalg.det(a), fnp.linalg.inv(a.T)

    x, turned, det, inverse = ft.jit(f)(a)
    for m, got, right in ((a, x, b), (a.T, turned, b), (a.T, inverse, np.eye(N))):
        size = np.linalg.norm(m, 2) * np.linalg.norm(got, 2)
        assert np.linalg.norm(m @ got - right, 2) <= N * np.finfo(float).eps * size
    np.testing.assert_allclose(det, np.linalg.det(a), rtol=1e-11)
    assert steps(f, a) == {"LU": 1, "SOLVE": 3, "DET": 1}


def test_what_reads_a_matrix_alone_has_no_step_before() -> None:
    a, b = matrices(), np.ones((N, 2))
    assert steps(lambda a: fnp.linalg.solve(a, b), a) == {"SOLVE": 1}
    assert steps(lambda a: fnp.linalg.slogdet(a), a) == {"SLOGDET": 1}
    assert steps(lambda a: (fnp.linalg.solve(a, b), fnp.linalg.det(a * 2)), a) == {"SOLVE": 1, "DET": 1}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("lead", [(), (3,), (2, 2)])
def test_factors_are_those_of_each_matrix(dtype: Any, lead: tuple[int, ...]) -> None:
    a = matrices(lead, dtype)
    b = np.random.default_rng(2).normal(size=(*lead, N, 2)).astype(dtype)
    x, sign, size, det = ft.jit(
        lambda a, b: (fnp.linalg.solve(a, b), *fnp.linalg.slogdet(a), fnp.linalg.det(a / 2), fnp.linalg.solve(a / 2, b))
    )(a, b)[:4]
    rounding = 100 * N * np.finfo(dtype).eps
    np.testing.assert_allclose(a @ x, b, rtol=rounding, atol=rounding)
    want = np.linalg.slogdet(a)
    np.testing.assert_allclose(sign, want[0], rtol=rounding)
    np.testing.assert_allclose(size, want[1], rtol=rounding)
    np.testing.assert_allclose(det, np.linalg.det(a / 2), rtol=rounding)
    assert (x.dtype, sign.dtype, size.dtype) == (dtype, dtype, np.finfo(dtype).dtype)


def test_vmap_is_matrix_by_matrix() -> None:
    a, y = matrices((3,)), np.random.default_rng(3).normal(size=(3, N))
    f = ft.value_and_grad(by_lu)
    value, slope = ft.jit(ft.vmap(f))(a, y)
    for k in range(3):
        want = ft.jit(f)(a[k], y[k])
        np.testing.assert_allclose(value[k], want[0], rtol=1e-13)
        np.testing.assert_allclose(slope[k], want[1], rtol=1e-12, atol=1e-13)
    many, slopes = ft.jit(ft.vmap(f, in_axes=(None, 0)))(a[0], y)  # one matrix for all
    np.testing.assert_allclose(many[0], value[0], rtol=1e-13)
    np.testing.assert_allclose(slopes[0], slope[0], rtol=1e-12, atol=1e-13)
    assert steps(ft.vmap(f, in_axes=(None, 0)), a[0], y)["LU"] == 1


def test_forward_mode_shares_the_factorization(calls: Counter[str]) -> None:
    a, y = matrices(), np.random.default_rng(4).normal(size=N)
    da = np.random.default_rng(5).normal(size=(N, N))
    _, rate = ft.jit(lambda a: ft.jvp(lambda a: by_lu(a, y), (a,), (da,)))(a)
    assert dict(calls) == {"lu": 1}
    slope = ft.grad(by_lu)(a, y)
    np.testing.assert_allclose(rate, (slope * da).sum(), rtol=1e-10)


def both(a: Any) -> Any:
    return fnp.linalg.solve(a, np.ones((N, 1))), *fnp.linalg.slogdet(a)


def test_a_singular_matrix_is_named_and_has_a_determinant() -> None:
    a = matrices((3,))
    a[1] = 0
    with pytest.raises(ft.LinAlgError, match="solve: the matrix at batch index 1 is singular"):
        ft.jit(both)(a)
    sign, size = ft.jit(lambda a: (*fnp.linalg.slogdet(a), fnp.linalg.det(a)))(a)[:2]
    np.testing.assert_allclose((sign, size), np.linalg.slogdet(a), rtol=1e-14)
    with ft.config.override(linalg_errors="nan"):
        x, sign, size = ft.jit(both)(a)
    np.testing.assert_array_equal((sign[1], size[1]), (0, -np.inf))
    assert np.isnan(x[1]).all()
    np.testing.assert_allclose(x[[0, 2]], np.linalg.solve(a[[0, 2]], np.ones((N, 1))), rtol=1e-12)


def test_nearly_singular_and_nan_as_numpy() -> None:
    a = matrices((3,))
    u, s, vh = np.linalg.svd(a[0])
    a[0] = (u * np.where(np.arange(N) < N - 1, s, 1e-13)) @ vh
    a[1, 2, 3] = np.nan
    x, sign, size = ft.jit(both)(a)
    with np.errstate(invalid="ignore"):
        want = np.linalg.slogdet(a)
    residual = np.abs(a[0] @ x[0] - 1).max()
    assert residual <= N * np.finfo(float).eps * np.abs(a[0]).max() * np.abs(x[0]).max() * N
    assert np.isnan(size[1]) and np.isnan(want[1][1]) and np.isnan(x[1]).any()
    np.testing.assert_allclose(size[2], want[1][2], rtol=1e-12)
    np.testing.assert_array_equal(sign[[0, 2]], want[0][[0, 2]])


def test_a_determinant_of_large_and_small_pivots_does_not_overflow() -> None:
    a = np.diag([1e200, 1e200, 1e-200, 1e-200] * 12)
    det, _ = ft.jit(lambda a: (fnp.linalg.det(a), fnp.linalg.solve(a, np.ones((N, 1)))))(a)
    np.testing.assert_allclose(det, 1, rtol=1e-10)


PARTS: dict[str, Callable[[Any], Any]] = {
    "eigh": lambda a: np.linalg.eigh(a),
    "svd": lambda a: np.linalg.svd(a, full_matrices=False),
    "qr": lambda a: np.linalg.qr(a),
    "slogdet": lambda a: np.linalg.slogdet(a),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("lead", [(), (3,)])
def test_the_parts_of_a_decomposition_are_one_step(name: str, lead: tuple[int, ...]) -> None:
    a, f = matrices(lead), PARTS[name]
    for got, want in zip(ft.jit(lambda a: tuple(f(a)))(a), f(a), strict=True):
        np.testing.assert_array_equal(got, want)
    assert steps(lambda a: tuple(f(a)), a) == {name.upper(): 1}
    assert steps(lambda a: (*f(a), *f(2 * a)), a) == {name.upper(): 2}


@pytest.mark.parametrize("name", ["eigh", "svd", "qr"])
def test_derivatives_read_the_parts_of_the_same_step(name: str) -> None:
    a, f = matrices(), PARTS[name]

    def loss(a: Any) -> Any:
        return sum(fnp.sum(x * np.cos(np.arange(x.size)).reshape(x.shape)) for x in f(a))

    assert steps(ft.value_and_grad(loss), a)[name.upper()] == 1


def test_parts_that_are_refused_say_so() -> None:
    a, f = matrices((3,)), PARTS["svd"]
    a[1] = np.nan
    with pytest.raises(ft.LinAlgError, match="svd: the matrix at batch index 1"):
        ft.jit(lambda a: tuple(f(a)))(a)
    with ft.config.override(linalg_errors="nan"):
        found = ft.jit(lambda a: tuple(f(a)))(a)
    for got, want in zip(found, f(a[::2]), strict=True):
        assert np.isnan(got[1]).all()
        np.testing.assert_allclose(got[::2], want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("n", [1, 32, 33, 90])
def test_triangles_as_they_lie(dtype: Any, n: int) -> None:
    a = matrices((2,), dtype, n)
    b = np.random.default_rng(6).normal(size=(2, n, 3)).astype(dtype)
    rounding = 100 * n * np.finfo(dtype).eps
    for lower in (True, False):
        for unit in (True, False):
            t = np.tril(a) if lower else np.triu(a)
            t = t / (4 * n) if unit else t
            whole = t + (np.triu(np.ones((n, n)), 1) if lower else np.tril(np.ones((n, n)), -1)).astype(dtype)
            t = t + (1 - t) * np.eye(n) if unit else t
            for given in (whole, np.ascontiguousarray(np.swapaxes(whole, -1, -2)).swapaxes(-1, -2)):
                x = factors.substituted(given, b, lower, unit)
                np.testing.assert_allclose(t @ x, b, rtol=rounding, atol=rounding)
                one = factors.substituted(given[0], b, lower, unit)  # one triangle for both
                np.testing.assert_allclose(t[0] @ one, b, rtol=rounding, atol=rounding)


def test_the_meaning_of_what_refuses_looks_at_the_matrix() -> None:
    """A right-hand side with a batch of its own does not say which matrix it is."""
    a, b = np.zeros((N, N)), np.ones((4, N, 1))
    node = B.solve(param((N, N), dtypes.float64), param((N, 1), dtypes.float64))
    step = TABLE[Ops.SOLVE].numpy
    assert step is not None
    with pytest.raises(ft.LinAlgError, match="solve: the matrix is singular"):
        step(node, a, b)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
@pytest.mark.parametrize("n", range(2, 13))
def test_one_matrix_is_eliminated_once_in_a_kernel(dtype: Any, n: int) -> None:
    """All that read a matrix are written out, or routines, and do the same as one of them."""
    a = param((3, n, n), dtype)
    solutions = [B.solve(a, param((3, n, k), dtype)) for k in (1, n)]
    roots = [B.det(a), *(UOp(Ops.SLOGDET, dtype, (a,), part) for part in (0, 1)), *solutions]
    for some in (roots[:3], roots[1:3], roots[:1] + roots[3:], roots):
        made, _ = expanded(some)
        kinds = [{u.arg.kind for u in toposort((x,)) if u.op is Ops.ROUTINE} for x in made]
        assert not any(kinds) or all(Kind.LU in k for k in kinds)
