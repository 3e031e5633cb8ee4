"""Long reductions in the rounds of loops: each is made once, by a kernel, with the bits that it has outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(0)
N = 300
A, B = RNG.normal(size=(N, 3)), RNG.normal(size=N)

Value = Callable[[Any, Any, Any], Any]  # of a number and two arrays, to a number


def two_sums(c: Any, a: Any, b: Any) -> Any:
    return ((b * c).sum() + np.abs(b - c).sum()) / N


def rows(c: Any, a: Any, b: Any) -> Any:
    return (np.exp(-((b * c) ** 2)) * (a * c).sum(axis=1)).sum() / N + (a * c).max()


def read_again(c: Any, a: Any, b: Any) -> Any:
    s = (b * c).sum() / N
    return ((b - s) ** 2).sum() / N + s


VALUES = [two_sums, rows, read_again]


def in_while(f: Value, c: Any, a: Any, b: Any) -> Any:
    """A reduction in the rounds, and one in the condition."""
    more = lambda s: (s[0] < 4) & (f(s[1], a, b) < 1e9)  # noqa: E731
    return ft.while_loop(more, lambda s: (s[0] + 1, 0.5 * s[1] + f(s[1], a, b)), (0, c))[1]


def in_scan(f: Value, c: Any, a: Any, b: Any) -> Any:
    return ft.scan(lambda c, k: (0.5 * c + f(c, a, b), f(c + k, a, b)), c, np.arange(4.0))


def in_branch(f: Value, c: Any, a: Any, b: Any) -> Any:
    def body(_: Any, c: Any) -> Any:
        return ft.cond(c > 0.1, lambda c: c - f(c, a, b), lambda c: c + 0.5 + f(-c, a, b), c)

    return ft.fori_loop(0, 4, body, c)


def plainly(loop: Any, f: Value, c: float) -> list[Any]:
    """The same in Python, each value by its own call."""
    value, made = ft.jit(f), []
    for k in range(4):
        if loop is in_branch:
            c = c - value(c, A, B) if c > 0.1 else c + 0.5 + value(-c, A, B)
        else:
            made.append(value(c + float(k), A, B))
            c = 0.5 * c + value(c, A, B)
    return [c, np.array(made)] if loop is in_scan else [c]


@pytest.mark.parametrize("f", VALUES)
@pytest.mark.parametrize("loop", [in_while, in_scan, in_branch])
def test_they_are_those_of_one_call_each(loop: Any, f: Value) -> None:
    starts = np.array([0.7, -0.4])
    found = ft.tree.leaves(ft.jit(ft.vmap(lambda c: loop(f, c, A, B)))(starts))
    for k, c in enumerate(starts):
        alone = ft.tree.leaves(ft.jit(lambda c, a, b: loop(f, c, a, b))(c, A, B))
        for one, many, want in zip(alone, found, plainly(loop, f, float(c)), strict=True):
            np.testing.assert_array_equal(many[k], one)
            np.testing.assert_allclose(one, want, rtol=1e-13)


@pytest.mark.parametrize("n", [256, N, 5000])
def test_a_sum_has_the_bits_that_it_has_outside(n: int) -> None:
    b = RNG.normal(size=n) * 10.0 ** RNG.integers(-6, 6, n)
    outside = ft.jit(lambda b, c: (b * c).sum())
    inside = ft.jit(lambda b, c: ft.scan(lambda s, _: (0.5 * s, (b * s).sum()), c, None, length=3)[1])
    np.testing.assert_array_equal(inside(b, 0.3), [outside(b, 0.3 * 0.5**k) for k in range(3)])


SHAPES = [((300,), None), ((16, 16), None), ((100, 100), None), ((2, 8, 16), (0, 1, 2)), ((3, 16, 16), (1, 2))]


def in_rounds(axes: Any) -> Any:
    """Sums of an array times a number, in three rounds."""
    return lambda b, c: ft.scan(lambda s, _: (0.5 * s, (b * s).sum(axis=axes)), c, None, length=3)[1]


@pytest.mark.parametrize(("shape", "axes"), SHAPES)
def test_a_sum_over_several_axes_is_as_long_as_all_of_them(shape: tuple[int, ...], axes: Any) -> None:
    b = RNG.normal(size=shape) * 10.0 ** RNG.integers(-6, 6, shape)
    outside = ft.jit(lambda b, c: (b * c).sum(axis=axes))
    inside = ft.jit(in_rounds(axes))
    np.testing.assert_array_equal(inside(b, 0.3), [outside(b, 0.3 * 0.5**k) for k in range(3)])
    assert "elements are reduced in each round" in str(ft.explain(in_rounds(axes), b, 0.3))


def test_what_is_not_reduced_does_not_count() -> None:
    b = RNG.normal(size=(8, 40))  # 320 elements, of which each sum has 8
    assert "elements are reduced" not in str(ft.explain(in_rounds(0), b, 0.3))
