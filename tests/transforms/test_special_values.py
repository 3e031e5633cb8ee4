"""NaN, infinities, signed zeros and the corners of integers, in lanes as in NumPy, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close, loop

NAN, INF = np.nan, np.inf
ROWS = np.array([[1.0, NAN, 3.0], [INF, -INF, 0.0], [-0.0, -0.0, -0.0], [INF, 1.0, 2.0], [5e-324, -1e308, 1e308]])
A, B = np.random.default_rng(0).integers(-5, 6, (2, 4, 6))


def floats(x: Any) -> Any:
    return (
        x.sum(), x.max(), x.min(), np.prod(x), x.mean(), np.cumsum(x), np.argmax(x), np.any(x), np.all(x), x * 0, -x,
        np.where(x > 0, x, -x), np.maximum(x, 0), np.sign(x), 1 / x, x / x, np.sqrt(x), np.floor(x), x % 2.0, x // 2.0,
    )  # fmt: skip


def integers(a: Any, b: Any) -> Any:
    return a // b, a % b, np.fmod(a, b), a & b, a | b, a ^ b, ~a, np.abs(a), a**2, a << 1, a >> 1, a * b - a


def test_floats() -> None:
    with np.errstate(all="ignore"):
        wanted = loop(floats, [0])(ROWS)
    for got, w in zip(ft.vmap(floats)(ROWS), wanted, strict=True):
        assert_close(got, w, 0.0)
        if w.dtype.kind == "f":
            sure = ~np.isnan(w)
            assert np.array_equal(np.signbit(got)[sure], np.signbit(w)[sure]), w


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_integers(dtype: Any) -> None:
    """Division by zero, wrapping, and the smallest number divided by -1."""
    a, b = A.astype(dtype), B.astype(dtype)
    info = np.iinfo(dtype)
    a[0, :3], b[0, :3] = (info.min, info.max, info.min), (-1 if info.min else 1, 0, 0)
    with np.errstate(all="ignore"):
        wanted = loop(integers, [0, 0])(a, b)
    for k, (got, w) in enumerate(zip(ft.vmap(integers)(a, b), wanted, strict=True)):
        assert_close(got, w, 0.0, f"result {k}")


def test_a_nan_stays_in_its_lane() -> None:
    x = np.ones((5, 4))
    x[2, 1] = NAN
    value, change = ft.jvp(ft.vmap(lambda r: np.exp(r - r.max()) / np.exp(r - r.max()).sum()), (x,), (np.ones((5, 4)),))
    assert np.isnan(value).any(axis=1).tolist() == [False, False, True, False, False]
    assert np.isnan(change).any(axis=1).tolist() == [False, False, True, False, False]


def test_a_known_mask_hides_what_it_hides_and_no_more() -> None:
    """Rows of which a mask leaves nothing have the gradient zero, infinite partials or not; others are plain sums."""
    rng = np.random.default_rng(4)
    x, w = rng.normal(size=(5, 4)), rng.normal(size=(4, 6))
    full = np.tril(np.ones((5, 5), bool))
    some = np.tril(full, -1)  # nothing in row 0 and column 4

    def loss(mask: Any, x: Any, w: Any) -> Any:
        y = np.sqrt(x) @ w  # of rows that are hidden the root is that of zero
        return np.where(mask, np.tanh(y @ y.T), 0.0).sum()

    def by_rows(mask: Any, x: Any, w: Any) -> Any:
        y = [np.sqrt(x[i]) @ w for i in range(5)]
        return sum(np.tanh((y[i] * y[j]).sum()) for i in range(5) for j in range(5) if mask[i, j])

    x = np.abs(x)
    for mask in (full, some):
        for k in (0, 1):
            got = ft.jit(ft.grad(lambda x, w, mask=mask: loss(mask, x, w), k))(x, w)
            np.testing.assert_allclose(got, ft.grad(lambda x, w, mask=mask: by_rows(mask, x, w), k)(x, w), rtol=1e-11)
    used = np.zeros((5, 5), bool)
    used[1:4, 1:4] = True  # row 0 and row 4 are in no place
    x[[0, 4]] = 0.0
    got = ft.jit(ft.grad(lambda x: loss(used, x, w)))(x)
    assert (got[[0, 4]] == 0).all() and np.isfinite(got).all()
