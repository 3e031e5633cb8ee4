"""The checks for users pass where the law holds and say what differs where it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError
from functrans.testing import check_jvp, check_pattern, check_spjacobian, check_vjp, check_vmap

X = np.random.default_rng(3).uniform(0.5, 1.5, (3, 4))


def wrong_twice(x: Any) -> Any:
    """A function whose second call on anything differs: no law holds of it."""
    wrong_twice.calls += 1  # type: ignore[attr-defined]
    return x * wrong_twice.calls  # type: ignore[attr-defined]


wrong_twice.calls = 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_jvp_that_is_right(dtype: Any) -> None:
    check_jvp(lambda p, n: {"a": np.sin(p[0]) * p[1].sum() * n, "n": n + 1}, ((X.astype(dtype), X.astype(dtype)), 3))


def test_jvp_that_is_wrong() -> None:
    detached = lambda x: x * (x.detach() if isinstance(x, ft.Tensor) else x)  # noqa: E731
    with pytest.raises(AssertionError, match="tangent: result"):
        check_jvp(detached, (X,))
    with pytest.raises(AssertionError, match="value: result"):
        check_jvp(np.sin, (X,), f_jvp=lambda p, t: (np.cos(p[0]), np.cos(p[0]) * t[0]))
    with pytest.raises(AssertionError, match=r"tangent: structure \(\*,\), expected \*"):
        check_jvp(np.sin, (X,), f_jvp=lambda p, t: (np.sin(p[0]), (np.cos(p[0]) * t[0],)))
    with pytest.raises(AssertionError, match=r"tangent: result is float32\[3, 4\], expected float64\[3, 4\]"):
        check_jvp(np.sin, (X,), f_jvp=lambda p, t: (np.sin(p[0]), (np.cos(p[0]) * t[0]).astype(np.float32)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_vjp_that_is_right(dtype: Any) -> None:
    check_vjp(lambda p, n: {"a": np.sin(p[0]) * p[1].sum() * n, "n": n + 1}, ((X.astype(dtype), X.astype(dtype)), 3))
    check_vjp(lambda n: n + 1, (3,))


def test_vjp_that_is_wrong() -> None:
    detached = lambda x: x * (x.detach() if isinstance(x, ft.Tensor) else x)  # noqa: E731
    with pytest.raises(AssertionError, match=r"vjp: <J t, c> is .*, <t, J' c> is"):
        check_vjp(detached, (X,))
    with pytest.raises(AssertionError, match="value: result"):
        check_vjp(np.sin, (X,), f_vjp=lambda x: (np.cos(x), lambda c: (np.cos(x) * c,)))
    with pytest.raises(AssertionError, match="vjp: <J t, c> is"):
        check_vjp(np.sin, (X,), f_vjp=lambda x: (np.sin(x), lambda c: (np.sin(x) * c,)))
    with pytest.raises(AssertionError, match=r"cotangents: structure \(\*, \*\), expected \(\*,\)"):
        check_vjp(np.sin, (X,), f_vjp=lambda x: (np.sin(x), lambda c: (np.cos(x) * c, c)))
    with pytest.raises(AssertionError, match=r"cotangents: result\[0\] is float64\[4\], expected float64\[3, 4\]"):
        check_vjp(np.sin, (X,), f_vjp=lambda x: (np.sin(x), lambda c: ((np.cos(x) * c)[0],)))


def test_vmap_that_is_right() -> None:
    check_vmap(lambda x, p: (np.cumsum(x) * p["k"], x > 1), (X, {"k": 2.0}), in_axes=[1, None], out_axis=-1)


def test_vmap_that_is_wrong() -> None:
    with pytest.raises(AssertionError, match="vmap: result"):
        check_vmap(wrong_twice, (X,))
    with pytest.raises(ArgumentError, match="the batch is empty"):
        check_vmap(np.sin, (X[:0],))


def test_sparse_jacobians_that_are_right() -> None:
    f = lambda p, c: (p["u"][1:] * np.sin(p["v"][:-1]), c * p["u"].sum())  # noqa: E731
    for check in (check_pattern, check_spjacobian):
        check(f, ({"u": X[0], "v": X[1]}, 2.0))
        check(lambda c, x: c * x[::-1], (2.0, X), 1)


def test_sparse_jacobians_that_are_wrong() -> None:
    cut = lambda x: x * (x[0] if isinstance(x, np.ndarray) else 2.0)  # noqa: E731
    with pytest.raises(AssertionError, match=r"the pattern lacks entry \(1, 0\), where the Jacobian is"):
        check_pattern(cut, (X[0],))
    scaled = lambda x: x * (2.0 if isinstance(x, np.ndarray) else 3.0)  # noqa: E731
    check_pattern(scaled, (X[0],))
    with pytest.raises(AssertionError, match=r"Jacobian along a direction by differences, row 0: .*, expected"):
        check_spjacobian(scaled, (X[0],))


@pytest.mark.parametrize("method", ["auto", "compressed"])
def test_given_patterns_are_checked(method: str) -> None:
    f = lambda x: np.concatenate([np.sin(x[1:]) * x[:-1], (x**2).sum()[None]])  # noqa: E731
    x = np.random.default_rng(0).uniform(0.5, 1.5, 200)
    whole = ft.spjacobian(f).pattern(x)
    check_pattern(f, (x,), pattern=whole)
    check_spjacobian(f, (x,), pattern=whole, method=method)
    for drop in (0, 77, 398, 400, 597):  # entries of the two diagonals and of the full row
        fewer = (np.delete(whole.rows, drop), np.delete(whole.cols, drop), whole.shape)
        entry = rf"the pattern lacks entry \({whole.rows[drop]}, {whole.cols[drop]}\)"
        with pytest.raises(AssertionError, match=entry):
            check_pattern(f, (x,), pattern=fewer)
        with pytest.raises(AssertionError, match=entry):
            check_spjacobian(f, (x,), pattern=fewer, method=method)


def test_large_functions_are_checked_in_a_few_calls() -> None:
    calls = 0

    def f(x: Any) -> Any:
        nonlocal calls
        calls += 1
        return x[1:-1] * (x[2:] - x[:-2])

    x = np.random.default_rng(0).uniform(0.5, 1.5, 20_000)
    check_spjacobian(f, (x,))
    check_pattern(f, (x,))
    assert calls < 60


def test_sparse_checks_of_functions_without_elements() -> None:
    for check in (check_pattern, check_spjacobian):
        check(lambda x: x * 2, (np.zeros(0),))
        check(lambda x: (x[:0], x.argmax(), x * x), (np.ones(1),))
