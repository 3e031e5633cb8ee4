"""Reverse mode through loops whose number of rounds is a value: each lane's own, as alone, against Python loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.transforms.loops.while_loop import bounded, counted

_A = np.array([[0.5, -0.3, 0.1], [0.2, 0.9, -0.4], [0.0, 0.3, 0.7]])
_COUNTS = np.array([3, 0, 7, 1, 5, 2, 6, 4, 0, 7, 3])


def test_a_linear_loop_of_so_many_rounds() -> None:
    def f(x: Any, first: Any, n: Any) -> Any:
        return counted(n - first, 7, lambda i, x: _A @ x * (1.0 + first + i), x).sum()

    def by_hand(first: int, n: int) -> Any:
        row = np.ones(3)
        for i in reversed(range(first, n)):
            row = row @ _A * (1.0 + i)
        return row

    x = np.array([1.0, 2.0, -1.0])
    for first, n in ((0, 4), (2, 5), (3, 3), (4, 2), (-2, 1)):
        np.testing.assert_allclose(ft.grad(f)(x, first, n), by_hand(first, n), rtol=1e-14)
    found = ft.vmap(ft.grad(f), in_axes=(None, None, 0))(x, 0, _COUNTS)
    np.testing.assert_allclose(found, [by_hand(0, n) for n in _COUNTS], rtol=1e-14)


def test_a_loop_that_is_linear_in_what_it_reads() -> None:
    rows = np.arange(24.0).reshape(8, 3)

    def f(x: Any, w: Any, n: Any) -> Any:
        return (counted(n, 7, lambda i, x: _A @ x + w[i], x) ** 2).sum()

    def by_hand(x: Any, w: Any, n: int) -> Any:
        for i in range(n):
            x = _A @ x + w[i]
        by_x, by_w = 2.0 * x, np.zeros_like(w)
        for i in reversed(range(n)):
            by_w[i] = by_x
            by_x = _A.T @ by_x
        return by_x, by_w

    x = np.array([1.0, 2.0, -1.0])
    found = ft.vmap(ft.grad(f, (0, 1)), in_axes=(None, None, 0))(x, rows, _COUNTS)
    wanted = [by_hand(x, rows, n) for n in _COUNTS]
    for k in range(2):
        np.testing.assert_allclose(found[k], [w[k] for w in wanted], rtol=1e-13)


def _chaos(x: Any, a: Any, n: Any) -> Any:
    """Not linear: what a round begins with is needed again."""
    return counted(n, 7, lambda i, x: a * x * (1.0 - x) + 0.01 * i, x)


def _growth(x: Any, a: Any, n: Any) -> Any:
    """The same until a condition on the carry ends it, too."""
    return bounded(lambda c: (c[0] < n) & (c[1] < 0.9), lambda c: (c[0] + 1, a * c[1] * (1.0 - c[1])), (0, x), 7)[1]


def _values(x: float, a: float, n: int) -> list[float]:
    found = [x]
    for i in range(n):
        found.append(a * found[-1] * (1.0 - found[-1]) + 0.01 * i)
    return found


@pytest.mark.parametrize("f", [_chaos, _growth])
def test_what_a_round_begins_with_is_stored(f: Any) -> None:
    for n in (0, 1, 4, 7, -1):
        by_x, by_a = ft.grad(f, (0, 1))(0.3, 3.4, n)
        for found, along in ((by_x, (1.0, 0.0)), (by_a, (0.0, 1.0))):
            assert found == pytest.approx(ft.jvp(lambda x, a, n=n: f(x, a, n), (0.3, 3.4), along)[1], rel=1e-13)
    lanes = ft.vmap(ft.grad(f, (0, 1)), in_axes=(None, None, 0))(0.3, 3.4, _COUNTS)
    alone = [ft.grad(f, (0, 1))(0.3, 3.4, n) for n in _COUNTS]
    assert [list(x) for x in zip(*lanes, strict=True)] == [list(x) for x in alone]


def test_by_hand() -> None:
    xs = _values(0.3, 3.4, 5)
    back = 1.0
    for x in reversed(xs[:-1]):
        back *= 3.4 * (1.0 - 2.0 * x)
    assert ft.grad(_chaos)(0.3, 3.4, 5) == pytest.approx(back, rel=1e-13)


@pytest.mark.parametrize("f", [_chaos, _growth])
def test_second_derivatives(f: Any) -> None:
    e = 1e-5
    by_x = ft.grad(f)
    wanted = (by_x(0.3 + e, 3.4, 5) - by_x(0.3 - e, 3.4, 5)) / (2 * e)
    assert ft.grad(by_x)(0.3, 3.4, 5) == pytest.approx(wanted, rel=1e-6)
    assert ft.jvp(lambda x: by_x(x, 3.4, 5), (0.3,), (1.0,))[1] == pytest.approx(wanted, rel=1e-6)


def test_rows_that_rounds_store_into() -> None:
    def f(x: Any, n: Any) -> Any:
        def store(i: Any, c: Any) -> Any:
            x, rows = c
            return x * 1.5, rows.at[i].set(x * x)

        return (counted(n, 7, store, (x, fnp.zeros(8)))[1] * np.arange(1.0, 9.0)).sum()

    for n in range(8):
        wanted = sum((i + 1) * 2 * 0.7 * 1.5 ** (2 * i) for i in range(n))
        assert ft.grad(f)(0.7, n) == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize("body", [lambda x: x * x, lambda x: 2.0 * x])
def test_what_has_no_bound_is_refused(body: Any) -> None:
    with pytest.raises(ft.UnsupportedError, match="give max_steps, or use scan"):
        ft.grad(lambda x, n: ft.fori_loop(0, n, lambda i, x: body(x), x))(1.5, 3)
    with pytest.raises(ft.UnsupportedError, match="give max_steps, or use scan"):
        ft.grad(lambda x: ft.while_loop(lambda x: x < 10.0, body, x))(1.5)
