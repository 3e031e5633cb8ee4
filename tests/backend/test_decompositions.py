"""Eigenvalues, singular values, QR and pseudo-inverses in kernels: errors beside LAPACK's, refusals, lanes, loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft

pytestmark = pytest.mark.usefixtures("compiler")
Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(23)
UNIT = np.finfo(float).eps


def matrices(m: int, n: int) -> Array:
    """Random ones, and with equal, zero and nearly equal rows, graded, permuted, huge, tiny, zero, and an identity."""
    a = RNG.standard_normal((14, m, n))
    a[1, -1] = a[1, 0]
    a[2] = np.outer(a[2, :, 0], a[2, 0])
    a[3, -1] = a[3, 0] + 1e-9 * a[3, -1]
    a[4] *= 10.0 ** RNG.integers(-9, 10, (m, 1))
    a[5] *= 10.0 ** RNG.integers(-9, 10, n)
    a[6] = np.eye(m, n)[RNG.permutation(m)] * RNG.standard_normal(n)
    a[7], a[8], a[9], a[10] = a[7] * 1e300, a[8] * 1e-300, 0, np.eye(m, n)
    a[11] = RNG.integers(-1, 2, (m, n))
    a[12, :, 0] = a[12, 0] = 0
    return a


def symmetric(n: int) -> Array:
    a = matrices(n, n)
    scale = np.abs(a).max((1, 2), keepdims=True) / 2
    scale[scale == 0] = 1
    return np.asarray((a / scale + (a / scale).swapaxes(1, 2)) * scale)


def off(x: Array) -> float:
    """How far columns are from orthonormal."""
    return float(np.abs(x.swapaxes(-1, -2) @ x - np.eye(x.shape[-1])).max())


def scaled(a: Array) -> tuple[Array, Array]:
    size = np.abs(a).max((-1, -2), keepdims=True)
    size[size == 0] = 1
    return a / size, size


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 13, 24, 32, 40])
def test_eigenvalues_are_as_good_as_lapack(n: int) -> None:
    a = symmetric(n)
    unread = np.tril(a) + np.triu(np.full((n, n), np.nan), 1)
    f = ft.jit(ft.vmap(lambda x: tuple(np.linalg.eigh(x))))
    assert f.lower(a).cost().host_steps == 0
    (w, v), (theirs, vectors) = f(a), np.linalg.eigh(a)
    np.testing.assert_array_equal(f(unread)[1], v)
    np.testing.assert_array_equal(ft.jit(ft.vmap(np.linalg.eigvalsh))(a), w)
    b, size = scaled(a)

    def residual(w: Array, v: Array) -> float:
        return float(np.abs(b @ v - v * (w[:, None] / size)).max())

    assert (np.diff(w) >= 0).all()
    assert residual(w, v) <= 4 * max(residual(theirs, vectors), n * UNIT)
    assert off(v) <= 4 * max(off(vectors), n * UNIT)
    assert (np.abs(w - theirs) / size[:, 0]).max() <= 8 * n * UNIT


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 5), (5, 3), (8, 8), (90, 3), (9, 18), (16, 16)])
def test_singular_values_are_as_good_as_lapack(shape: tuple[int, int]) -> None:
    a = matrices(*shape)
    f = ft.jit(ft.vmap(lambda x: tuple(np.linalg.svd(x, full_matrices=False))))
    assert f.lower(a).cost().host_steps == 0
    b, size = scaled(a)

    def errors(u: Array, s: Array, vh: Array) -> Array:
        return np.array([np.abs((u * (s[:, None] / size)) @ vh - b).max(), off(u), off(vh.swapaxes(1, 2))])

    found, theirs = f(a), np.linalg.svd(a, full_matrices=False)
    assert (errors(*found) <= 4 * np.maximum(errors(*theirs), max(shape) * UNIT)).all()
    assert (np.diff(found[1]) <= 0).all() and (np.abs(found[1] - theirs[1]) / size[:, 0]).max() <= 99 * UNIT
    well = RNG.standard_normal((9, *shape))
    np.testing.assert_allclose(ft.jit(ft.vmap(np.linalg.pinv))(well), np.linalg.pinv(well), rtol=1e-8, atol=1e-9)
    low = np.outer(well[0, :, 0], well[0, 0])
    np.testing.assert_allclose(ft.jit(lambda x: np.linalg.pinv(x, 1e-12))(low), np.linalg.pinv(low, 1e-12), atol=1e-9)


@pytest.mark.parametrize("shape", [(9, 5), (12, 30), (30, 17), (40, 40)])
def test_singular_values_alone_are_as_good_as_lapack(shape: tuple[int, int]) -> None:
    a = matrices(*shape)

    def values(x: Any) -> Any:
        return np.linalg.svd(x, compute_uv=False)

    f = ft.jit(values)
    assert f.lower(a).cost().host_steps == 0
    found = f(a)
    assert (np.diff(found) <= 0).all() and (found >= 0).all()
    assert (np.abs(found - values(a)) / scaled(a)[1][:, 0]).max() <= 8 * max(shape) * UNIT
    in_a_body = ft.jit(lambda x: ft.fori_loop(1, 2, lambda k, _: values(k * x), np.zeros(min(shape))))
    for k in (0, 5, len(a) - 1):
        np.testing.assert_array_equal(in_a_body(a[k]), found[k])
        if min(shape) <= 16:
            np.testing.assert_array_equal(f(a[k]), found[k])


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 5), (5, 3), (9, 9), (40, 7), (7, 40), (40, 40)])
def test_orthogonal_factors_are_as_good_as_lapack(shape: tuple[int, int]) -> None:
    a = matrices(*shape)
    f = ft.jit(ft.vmap(lambda x: tuple(np.linalg.qr(x))))
    assert f.lower(a).cost().host_steps == 0
    (q, r), (theirs, upper) = f(a), np.linalg.qr(a)
    norms = np.abs(a).max(1, keepdims=True)
    norms[norms == 0] = 1

    def residual(q: Array, r: Array) -> float:
        return float(np.abs(q @ (r / norms) - a / norms).max())

    assert residual(q, r) <= 4 * max(residual(theirs, upper), max(shape) * UNIT)
    assert off(q) <= 4 * max(off(theirs), max(shape) * UNIT)
    np.testing.assert_array_equal(np.tril(r, -1), 0)
    np.testing.assert_allclose(q[0], theirs[0], atol=1e-10)  # signs as well


def everything(a: Any) -> Any:
    s = a + a.T
    return *np.linalg.eigh(s), *np.linalg.qr(a), *np.linalg.svd(a), np.linalg.pinv(a)


@pytest.mark.parametrize("n", [2, 3, 8])
def test_a_lane_has_the_bits_that_it_has_alone(n: int) -> None:
    a = matrices(n, n)
    together, alone = ft.jit(ft.vmap(everything)), ft.jit(everything)
    want = together(a)
    for k in (0, 2, 9, 13):
        for got, one in zip(alone(a[k]), want, strict=True):
            np.testing.assert_array_equal(got, one[k])
    for got, one in zip(together(a[:3]), want, strict=True):
        np.testing.assert_array_equal(got, one[:3])


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("part", [0, 1])
def test_eigenvalues_of_what_is_not_finite(n: int, part: int) -> None:
    """NaN is refused from three rows on, where NumPy's does not converge, and infinity where reflections meet it; else
    infinity gives NaN, and of one row itself.
    """

    def f(a: Any) -> Any:
        return np.linalg.eigh(a)[part]

    a = RNG.standard_normal((3, n, n))
    a[1, -1, -1] = np.nan
    if n > 2:
        with pytest.raises(np.linalg.LinAlgError):
            f(a[1])
        with pytest.raises(ft.LinAlgError, match="batch index 1 has eigenvalues that do not converge"):
            ft.jit(ft.vmap(f))(a)
    with ft.config.override(linalg_errors="nan" if n > 2 else "raise"):
        found = ft.jit(ft.vmap(f))(a)
    assert np.isnan(found[1]).all() != (n == 1 and part == 1) and not np.isnan(found[[0, 2]]).any()
    a[1, -1, -1] = np.inf
    found = ft.jit(ft.vmap(f))(a)
    if n == 1:
        np.testing.assert_array_equal(found, f(a))
    else:
        assert np.isnan(found[1]).all() and not np.isnan(found[[0, 2]]).any()
    a[1, -1, 0] = np.inf
    if n > 2:
        with pytest.raises(np.linalg.LinAlgError):
            f(a[1])
        with pytest.raises(ft.LinAlgError, match="batch index 1 has eigenvalues that do not converge"):
            ft.jit(ft.vmap(f))(a)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_nan_stays_in_its_lane(n: int) -> None:
    a = symmetric(n)[[0, 10, 13]]
    a[1, -1, 0] = np.nan
    found = ft.jit(ft.vmap(lambda x: np.linalg.qr(x)[1]))(a)
    assert np.isnan(found[1]).any() and not np.isnan(found[[0, 2]]).any()
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.svd(a)
    for f in (np.linalg.pinv, lambda x: np.linalg.svd(x)[1]):
        with pytest.raises(ft.LinAlgError, match="batch index 1 has singular values that do not converge"):
            ft.jit(ft.vmap(f))(a)
        with ft.config.override(linalg_errors="nan"):
            found = ft.jit(ft.vmap(f))(a)
        assert np.isnan(found[1]).all() and not np.isnan(found[[0, 2]]).any()


@pytest.mark.parametrize("n", [3, 7])
def test_in_bodies_of_loops_and_with_derivatives(n: int) -> None:
    def f(a: Any, ks: Any) -> Any:
        def body(c: Any, k: Any) -> Any:
            w, v = np.linalg.eigh(c + c.T + k * np.eye(n))
            q, r = np.linalg.qr(c)
            s = np.linalg.svd(c + k * c.T)[1]
            x = np.linalg.pinv(c[:, :2]) @ c[:, 2] + np.linalg.lstsq(c, c[0])[0][:2]
            return c + 0.1 * (v * np.tanh(w)) @ v.T, np.sum(s) + np.sum((q @ r) ** 2) + x[0] * x[1]

        return ft.scan(body, a, ks)

    def by_numpy(a: Array) -> tuple[Array, list[float]]:
        found = []
        for k in (0.5, 1.5):
            w, v = np.linalg.eigh(a + a.T + k * np.eye(n))
            s = np.linalg.svd(a + k * a.T)[1]
            x = np.linalg.pinv(a[:, :2]) @ a[:, 2] + np.linalg.lstsq(a, a[0])[0][:2]
            found.append(np.sum(s) + np.sum(a**2) + x[0] * x[1])
            a = a + 0.1 * (v * np.tanh(w)) @ v.T
        return a, found

    a, ks = RNG.standard_normal((5, n, n)) + 2 * np.eye(n), np.array([0.5, 1.5])
    g = ft.jit(ft.vmap(f, in_axes=(0, None)))
    assert g.lower(a, ks).cost().host_steps == 0
    last, sums = g(a, ks)
    for k in range(5):
        want, total = by_numpy(a[k])
        np.testing.assert_allclose(last[k], want, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(sums[k], total, rtol=1e-7, atol=1e-8)
    for check in (ft.testing.check_jvp, ft.testing.check_vjp):
        check(lambda a: f(a, ks), (a[0],))
    np.testing.assert_allclose(
        ft.vmap(ft.grad(lambda a: f(a, ks)[1].sum()))(a)[2], ft.grad(lambda a: f(a, ks)[1].sum())(a[2]), rtol=1e-8
    )


def test_few_large_matrices_are_left_to_lapack() -> None:
    values = ft.jit(ft.vmap(np.linalg.eigvalsh))
    assert values.lower(np.ones((3, 30, 30))).cost().host_steps == 1
    assert values.lower(np.ones((4, 30, 30))).cost().host_steps == 0
    assert ft.jit(np.linalg.eigvalsh).lower(np.ones((9, 30, 30))).cost().host_steps == 0
    assert ft.jit(np.linalg.eigvalsh).lower(np.ones((9, 57, 57))).cost().host_steps == 1


def reflections(a: Array) -> tuple[Array, Array]:
    """Q and r by LAPACK's xGEQR2 and xORG2R: a reflection goes up to its last element, and the last column, that is
    not zero.
    """
    n, m = a.shape
    a, k = a.copy(), min(n, m)
    scales = np.zeros(k)

    def apply(v: Array, scale: float, x: Array) -> None:
        rows = np.flatnonzero(v)[-1] + 1
        columns = np.flatnonzero((x[:rows] != 0).any(0))
        if scale != 0 and len(columns):
            some = x[:rows, : columns[-1] + 1]
            some -= scale * np.outer(v[:rows], v[:rows] @ some)

    for j in range(k):
        first, rest = a[j, j], (a[j + 1 :, j] ** 2).sum()
        if rest != 0:
            end = -np.copysign(np.sqrt(first**2 + rest), first)
            scales[j], a[j, j] = (end - first) / end, end
            a[j + 1 :, j] *= 1 / (first - end)
        apply(np.array([1.0, *a[j + 1 :, j]]), scales[j], a[j:, j + 1 :])
    q = np.eye(n, k)
    for j in reversed(range(k)):
        v = np.array([1.0, *a[j + 1 :, j]])
        apply(v, scales[j], q[j:, j + 1 :])
        q[j:, j] = -scales[j] * v
        q[j, j] = 1 - scales[j]
    return q, np.triu(a[:k])


@pytest.mark.parametrize(("n", "m"), [(2, 2), (4, 4), (5, 3), (3, 5)])
def test_orthogonal_factors_with_infinities_are_lapacks(n: int, m: int) -> None:
    a = RNG.standard_normal((9, n, m))
    for lane in range(1, len(a)):
        for _ in range(1 + lane % 2):
            a[lane, RNG.integers(n), RNG.integers(m)] = np.inf * (-1) ** (lane // 2)
    with np.errstate(invalid="ignore"):
        want = [np.stack(x) for x in zip(*map(reflections, a), strict=True)]
    for found, other in zip(ft.vmap(np.linalg.qr)(a), want, strict=True):
        np.testing.assert_allclose(found, other, atol=1e-12)
