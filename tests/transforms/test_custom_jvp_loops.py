"""Rules of custom_jvp that go through loops and branches, in reverse: what is linear passes, what is not raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft


def _value(x: Any, a: Any) -> Any:
    """Three rounds of which some are left out, with a stack: a scan around a cond around a scan."""

    def inner(c: Any, _: Any) -> Any:
        x, n = c
        return (np.sin(a * x) + x, n + 1), x * n

    def block(c: Any, w: Any) -> Any:
        c, ys = ft.cond(c[1] < 5, lambda c: ft.scan(inner, c, None, length=3), lambda c: (c, a * w * np.ones(3)), c)
        return c, ys.sum()

    (x, _), ys = ft.scan(block, (x, 0), np.arange(1.0, 4.0))
    return x + ys @ ys


def _ruled(rule: Callable[..., Any]) -> Any:
    f = ft.custom_jvp(_value)
    f.defjvp(rule)
    return f


def test_a_rule_that_is_a_jvp_of_loops_has_a_transpose() -> None:
    f = _ruled(lambda primals, tangents: ft.jvp(_value, primals, tangents))
    for argnums in (0, 1, (0, 1)):
        np.testing.assert_allclose(ft.grad(f, argnums)(0.3, 0.7), ft.grad(_value, argnums)(0.3, 0.7), rtol=1e-13)
    np.testing.assert_allclose(ft.hessian(f)(0.3, 0.7), ft.hessian(_value)(0.3, 0.7), rtol=1e-12)


def test_a_rule_that_is_not_linear_in_a_loop_raises() -> None:
    def rule(primals: Any, tangents: Any) -> Any:
        x, a = primals
        square, _ = ft.scan(lambda c, _: (c * tangents[0] + c, None), tangents[0], None, length=2)
        return _value(x, a), square

    with pytest.raises(ft.ArgumentError, match="not linear"):
        ft.grad(_ruled(rule))(0.3, 0.7)


def test_what_a_call_in_a_loop_computes_from_a_constant_alone_stays_in_it() -> None:
    f = ft.custom_jvp(lambda x, d: x * np.sin(d))
    f.defjvps(lambda t, value, x, d: 10 * t * np.sin(d), lambda t, value, x, d: 10 * t * x * np.cos(d))

    def turns(d: Any) -> Any:
        return ft.fori_loop(0, 3, lambda i, x: f(x, d), 2.0)

    def by_hand(d: float) -> float:
        x, dx = 2.0, 0.0
        for _ in range(3):
            x, dx = x * np.sin(d), 10 * dx * np.sin(d) + 10 * x * np.cos(d)
        return dx

    np.testing.assert_allclose(ft.jvp(turns, (0.7,), (1.0,)), [2 * np.sin(0.7) ** 3, by_hand(0.7)], rtol=1e-14)
    np.testing.assert_allclose(ft.grad(turns)(0.7), by_hand(0.7), rtol=1e-14)


def test_a_root_with_a_sparse_jacobian_in_a_loop_is_differentiated_by_what_the_loop_is_given() -> None:
    def turns(d: Any, jac: str) -> Any:
        f = lambda new, old, d: new - old - 0.1 * (d * new - new**3)  # noqa: E731
        return ft.fori_loop(0, 3, lambda i, u: ft.implicit.root(f, u, u, d, jac=jac), np.arange(3.0) / 5)

    sparse, dense = (ft.jvp(lambda d: turns(d, jac), (1e-3,), (1.0,))[1] for jac in ("sparse", "dense"))
    np.testing.assert_allclose(sparse, dense, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("start", [lambda p: 0.0, lambda p: 0.3 * p])
def test_what_is_inside_of_a_call_is_not_stored_for_a_loop_backward(start: Callable[..., Any]) -> None:
    """A second derivative would be one by a value that the call closes over."""
    f = ft.custom_jvp(lambda x: np.tanh(x))

    @f.defjvp
    def rule(primals: tuple[Any], tangents: tuple[Any]) -> Any:
        y = f(*primals)
        return y, (1 - y * y) * tangents[0]

    def loop(g: Any, p: Any) -> Any:
        levels = np.array([0.8, 1.1])
        return ft.scan(lambda c, s: (np.tanh(c) + g(p * s + 0.1 * c), None), start(p), levels)[0]

    want = ft.hessian(lambda p: loop(np.tanh, p))(0.4)
    np.testing.assert_allclose(ft.hessian(lambda p: loop(f, p))(0.4), want, rtol=1e-12)
    np.testing.assert_allclose(ft.grad(ft.grad(lambda p: loop(f, p)))(0.4), want, rtol=1e-12)
