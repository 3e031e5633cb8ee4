"""Loops and branches at their edges: no rounds, nothing in a lane, Python numbers, other dtypes, effects not taken."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close

Pair = namedtuple("Pair", "a b")
X = np.arange(6.0).reshape(3, 2)
V = np.array([0.5, 2.0, 4.0])


def add(c: Any, x: Any) -> Any:
    return c + x, c


def doubled_until(limit: Any) -> Any:
    return ft.while_loop(lambda c: c[0] < limit, lambda c: (c[0] * 2, c[1] + 1), (1.0, 0))[1]


def looped(f: Callable[[Any, Any], Any], init: Any, xs: Any) -> Any:
    """scan as its docstring has it, on NumPy."""
    c, ys = init, []
    for x in xs:
        c, y = f(c, x)
        ys.append(y)
    return c, np.stack(ys)


# a carry, elements, and the dtypes of last carry and stack: Python numbers give way, NumPy's do not
DTYPES: list[tuple[Any, Any, str, str]] = [
    (0, np.ones(3), "float64", "float64"), (0, np.ones(3, np.int8), "int8", "int8"),
    (0.5, np.ones(3, np.float32), "float32", "float32"), (0, np.ones(3, np.float16), "float16", "float16"),
    (0.5, np.ones(3), "float64", "float64"), (1, np.ones(3) * 1j, "complex128", "complex128"),
    (np.float32(1), np.ones(3, np.int8), "float32", "float32"),
    (np.uint8(250), np.full(3, 3, np.uint8), "uint8", "uint8"),
    (np.complex64(1j), np.ones(3, np.float32), "complex64", "complex64"),
]  # fmt: skip


@pytest.mark.parametrize("init, xs, carry, stack", DTYPES)
def test_dtypes_of_carries(init: Any, xs: Any, carry: str, stack: str) -> None:
    start = np.dtype(carry).type(init)
    with np.errstate(over="ignore"):
        wanted = looped(lambda c, x: ((c + x).astype(carry), c), start, xs)
    for got in (ft.scan(add, init, xs), ft.jit(lambda xs: ft.scan(add, init, xs))(xs)):
        assert (got[0].dtype, got[1].dtype) == (np.dtype(carry), np.dtype(stack))
        assert_close(got[0], wanted[0])
        assert_close(got[1], wanted[1])


def test_python_numbers_become_what_a_body_makes_of_them() -> None:
    """Never cut off: an integer that meets 1.5 is a float from the first round on."""
    assert_close(ft.while_loop(lambda c: c < 4, lambda c: c + 1.5, 0), np.float64(4.5))
    assert_close(ft.while_loop(lambda z: abs(z) < 30, lambda z: z * z + 1j, 2.0), np.complex128(144 + 271j))
    assert_close(ft.fori_loop(0, 3, lambda i, c: c / 2, 4), np.float64(0.5))
    assert_close(ft.scan(lambda c, x: (1.5, c), 3, V)[1], np.array([3.0, 1.5, 1.5]))


def test_the_index_of_a_fori_loop_gives_way() -> None:
    for start in (np.float32(0), np.int8(0), np.int32(0), 0, 0.0, np.complex64(0)):
        got = ft.fori_loop(1, 4, lambda i, c: c + i, start)
        assert_close(got, (np.asarray(start) + 6).astype(np.asarray(start).dtype))
    assert ft.fori_loop(0, np.int8(3), lambda i, c: i, 0).dtype == np.int64


@pytest.mark.parametrize("bounds", [(3, -3), (0, 0), (5, 5), (-2, -7)])
def test_no_rounds(bounds: tuple[int, int]) -> None:
    lower, upper = bounds
    assert ft.fori_loop(lower, upper, lambda i, c: c * i, 7.0) == 7.0
    assert ft.jit(lambda a, b: ft.fori_loop(a, b, lambda i, c: c * i, 7.0))(lower, upper) == 7.0
    assert ft.vmap(lambda n: ft.fori_loop(0, n, lambda i, c: c + i, 0))(np.array([-3, 0, 1, 5])).tolist() == [
        0,
        0,
        0,
        10,
    ]


def test_bounds_at_the_edge_of_int64() -> None:
    top = 2**63 - 1
    assert ft.fori_loop(top - 2, top, lambda i, c: c + 1, 0) == 2
    assert ft.jit(lambda a, b: ft.fori_loop(a, b, lambda i, c: c + 1, 0))(top - 2, top) == 2


def test_bounds_of_any_kind() -> None:
    for n in (3, np.int8(3), np.array(3), np.uint64(3), ft.Tensor(np.array(3))):
        assert int(ft.fori_loop(0, n, lambda i, c: c + i, 0)) == 3
    assert ft.jit(lambda n: ft.fori_loop(0, n, lambda i, c: c + i, 0))(ft.Variable("n", 0, 9).bind(5)) == 10


def test_nothing_to_loop_over() -> None:
    carry, ys = ft.scan(lambda c, x: (c + x.sum(), {"y": c, "x": x}), 1, X[:0])
    assert_close(carry, np.float64(1.0))
    assert ys["y"].shape == (0,) and ys["x"].shape == (0, 2)
    carry, ys = ft.vmap(lambda x: ft.scan(lambda c, v: (c + v, c * v), 1.0, x[:0]))(X)
    assert_close(carry, np.ones(3))
    assert ys.shape == (3, 0)
    carry, ys = ft.vmap(lambda x: ft.scan(add, 1.0, x))(X[:0])
    assert carry.shape == (0,) and ys.shape == (0, 2)
    assert_close(ft.grad(lambda x: ft.scan(lambda c, v: (c * v, c), x[0], x[:0])[0])(V), np.array([1.0, 0.0, 0.0]))
    assert ft.vmap(ft.grad(lambda x: ft.scan(add, 1.0, x * x)[0]))(X[:0]).shape == (0, 2)
    assert ft.hessian(lambda x: ft.scan(lambda c, v: (c * v, c), 1.0, x)[0])(np.ones(0)).shape == (0, 0)
    assert ft.scan(lambda c, v: (c + v, c), np.zeros(0), X[:, :1])[1].shape == (3, 0)


def test_structures() -> None:
    carry, ys = ft.scan(lambda c, x: (Pair(c.a + x["v"], None), (x["n"], c.b)), Pair(0.0, None), {"v": V, "n": None})
    assert_close(carry.a, V.sum())
    assert carry.b is None and ys == (None, None)
    assert ft.fori_loop(0, 3, lambda i, c: None, None) is None
    assert ft.while_loop(lambda c: np.False_, lambda c: c, ()) == ()
    assert_close(ft.scan(lambda c, x: (c + 1, c), 0, None, length=np.int32(3))[1], np.arange(3))  # type: ignore[arg-type]
    assert ft.cond(True, lambda x: None, lambda x: None, X) is None
    tree = ft.cond(False, lambda p: {"s": p["a"][0]}, lambda p: {"s": p["a"][1]}, {"a": (1, 2)})
    assert tree == {"s": 2}


def test_carries_that_are_exchanged() -> None:
    assert ft.scan(lambda c, _: ((c[1], c[0] + c[1]), c[0]), (0, 1), length=8)[1].tolist() == [0, 1, 1, 2, 3, 5, 8, 13]
    assert ft.while_loop(lambda c: c[2] < 3, lambda c: (c[1], c[0], c[2] + 1), (1.0, 2.0, 0)) == (2.0, 1.0, 3)
    same = ft.jit(lambda a: ft.scan(lambda c, _: ((c[1] + 1, c[0] * 2), None), (a, a), length=3)[0])(X)
    assert_close(same[0], X * 2 + 3)
    assert_close(same[1], X * 4 + 2)


@pytest.mark.parametrize("n", [3, 100])  # in registers, in memory
def test_carries_that_are_one_array(n: int) -> None:
    """Each goes on by itself, one of them in place; the array is read in each round, and stays what it was."""
    x = np.arange(1.0, n + 1.0)

    def f(x: Any) -> Any:
        body = lambda c, i: ((ft.at(c[0])[i].set(c[1][i] + x[0]), c[1] * 0.5 + x), c[0][0])  # noqa: E731
        return ft.scan(body, (x, x), np.array([0, 2, 1, 0]))

    a, b, seen = x.copy(), x.copy(), []
    for i in (0, 2, 1, 0):
        seen.append(a[0])
        a[i], b = b[i] + x[0], b * 0.5 + x
    for found in (f(x), ft.jit(f)(x), [[y[1] for y in z] if isinstance(z, tuple) else z[1]
                                      for z in ft.vmap(f)(np.stack([x[::-1], x, x]))]):  # fmt: skip
        assert_close(np.concatenate([*found[0], found[1]]), np.concatenate([a, b, seen]))
    assert_close(x, np.arange(1.0, n + 1.0))


def test_tensors_in_tensors_out() -> None:
    carry, ys = ft.scan(add, 0.0, ft.Tensor(V))
    assert isinstance(carry, ft.Tensor) and isinstance(ys, ft.Tensor)
    outside = ft.Tensor(X)
    assert_close(ft.scan(lambda c, x: (c + outside.sum(), x), 0.0, V)[0], np.float64(45.0))
    assert_close(ft.jit(lambda a, b: ft.scan(lambda c, _: (c * a + b, c), b, length=3)[0])(2.0, 3.0), np.float64(45.0))


@pytest.mark.parametrize("index, chosen", [(-3, 0), (0, 0), (1, 1), (9, 1), (np.uint8(200), 1), (np.int8(-1), 0)])
def test_an_index_out_of_range_takes_the_nearest_branch(index: Any, chosen: int) -> None:
    assert ft.switch(index, [lambda x: x, lambda x: -x], 5.0) == (5.0, -5.0)[chosen]
    assert ft.vmap(lambda i: ft.switch(i, [lambda: 0, lambda: 1]))(np.array([index])).tolist() == [chosen]


@pytest.mark.parametrize("pred, holds", [(3, True), (0, False), (-0.0, False), (np.nan, True), (np.False_, False)])
def test_predicates_that_are_numbers(pred: Any, holds: bool) -> None:
    assert ft.cond(pred, lambda: 1, lambda: 2.0) == (1.0 if holds else 2.0)


def test_each_lane_has_its_own_rounds_and_branches() -> None:
    assert ft.vmap(doubled_until)(np.array([1.0, 9.0, 0.0, 100.0])).tolist() == [0, 4, 0, 7]
    chosen = ft.vmap(lambda i, x: ft.switch(i, [lambda x: x, lambda x: x * 10, lambda x: 0 * x + 7], x))
    got = chosen(np.array([-5, 1, 9]), V)
    assert_close(got, np.array([0.5, 20.0, 7.0]))


def test_a_branch_not_taken_has_no_effect() -> None:
    """No endless loop, no infinite derivative, no index out of range: written out, closed over, or passed on."""
    step = np.array([1.0, -1.0, 0.0])
    endless = ft.vmap(
        lambda x: ft.cond(x > 0, lambda: ft.while_loop(lambda c: c < 9, lambda c: c + x, 0.0), lambda: -1.0)
    )
    assert_close(endless(step), np.array([9.0, -1.0, -1.0]))
    assert_close(ft.jvp(endless, (step,), (np.ones(3),))[1], np.array([9.0, 0.0, 0.0]))
    inner = ft.vmap(lambda n, x: ft.fori_loop(0, n, lambda i, c: c + ft.while_loop(
        lambda d: d < 9, lambda d: d + x, 0.0), 0.0))  # fmt: skip
    assert_close(inner(np.array([2, 0, 0]), step), np.array([18.0, 0.0, 0.0]))
    for f in (lambda x: ft.cond(x > 0, lambda: np.sqrt(x), lambda: 0 * x), lambda x: ft.cond(x > 0, np.sqrt, up, x),
              lambda x: ft.while_loop(lambda c: (c[1] > 0) & (c[2] < 1), lambda c: (np.sqrt(x), c[1], c[2] + 1),
                                      (0 * x, x, 0), max_steps=2)[0]):  # fmt: skip
        wanted = np.array([0.25, 0.0, 0.0])
        assert_close(ft.vmap(ft.grad(f))(np.array([4.0, -1.0, 0.0])), wanted)
        assert_close(ft.vmap(ft.jacfwd(f))(np.array([4.0, -1.0, 0.0])), wanted)
    table = ft.Tensor(V)
    read = ft.vmap(lambda i: ft.cond(i < 3, lambda: table[i], lambda: -1.0))(np.array([0, 2, 3, 10**15]))
    assert_close(read, np.array([0.5, 4.0, -1.0, -1.0]))


def up(x: Any) -> Any:
    return 0 * x


def test_what_is_computed_before_a_branch_is_computed_once() -> None:
    """And its derivative is that of where it was computed, as in NumPy."""

    def f(x: Any) -> Any:
        root = np.sqrt(x)
        return ft.cond(x > 0, lambda: root, lambda: 0 * x)

    found = ft.vmap(ft.grad(f))(np.array([4.0, 0.0]))
    assert found[0] == 0.25 and np.isnan(found[1])


def test_reverse_with_a_bound_on_the_rounds() -> None:
    def f(x: Any) -> Any:
        return ft.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, 1.0), max_steps=5)[1]

    assert_close(ft.grad(f)(3.0), np.float64(27.0))
    assert ft.while_loop(lambda c: c < 300, lambda c: c + 1.5, np.float32(0), max_steps=3) == 4.5
    assert ft.while_loop(lambda c: c < 300, lambda c: c + 1.5, np.float32(0), max_steps=0) == 0


def test_rules_and_marks_in_bodies() -> None:
    wrong = ft.custom_jvp(np.sin)
    wrong.defjvp(lambda p, t: (np.sin(p[0]), 100 * t[0]))
    for f, wanted in (
        (wrong, 1e4),
        (ft.checkpoint(np.sin), np.cos(0.3) * np.cos(np.sin(0.3))),
        (lambda c: np.sin(ft.stop_gradient(c)) * c, None),
    ):
        got = ft.grad(lambda x, f=f: ft.scan(lambda c, _: (f(c), c), x, length=2)[0])(0.3)
        unrolled = ft.grad(lambda x, f=f: f(f(x)))(0.3)
        assert_close(got, unrolled)
        assert wanted is None or abs(got - wanted) < 1e-12 * abs(wanted)


def test_transforms_in_bodies() -> None:
    got = ft.scan(lambda c, v: (ft.grad(lambda a: (a**3).sum())(c) * v, ft.vmap(np.cos)(c)), np.ones(2), X)
    wanted = looped(lambda c, v: (3 * c**2 * v, np.cos(c)), np.ones(2), X)
    assert_close(got[0], wanted[0])
    assert_close(got[1], wanted[1])
    hits = ft.scan(lambda c, k: (ft.at(c)[k].add(1), None), np.zeros(4, int), np.array([0, 1, 1, 3, 7]))[0]
    assert hits.tolist() == [1, 2, 0, 1]
    nested = ft.scan(lambda c, row: ft.scan(lambda d, e: (d * 0.5 + e, d), c, row), 0.0, X)
    c, rows = 0.0, []
    for row in X:
        c, ys = looped(lambda d, e: (d * 0.5 + e, d), c, row)
        rows.append(ys)
    assert_close(nested[0], np.float64(c))
    assert_close(nested[1], np.stack(rows))


def test_six_maps_around_a_loop() -> None:
    """Row 49: maps of every kind in each other, a derivative among them; each lane with its own number of rounds."""

    def halved(x: Any) -> Any:
        return ft.while_loop(lambda c: c[0] > 1.0, lambda c: (c[0] * 0.5, c[1] + x), (x, 0.0))[1]

    def once(x: float) -> tuple[float, float]:
        c, total, slope = x, 0.0, 0.0
        while c > 1.0:
            c, total, slope = c * 0.5, total + x, slope + 1.0
        return total, slope

    x = np.geomspace(0.3, 90.0, 2**6).reshape((2,) * 6)
    f: Callable[[Any], Any] = halved
    for k in range(6):
        method = ("vmapin", "rewrite", "pad_reduce")[k % 3]
        f = ft.vmap(f, in_axes=-1 if k % 2 else 0, out_axis=-1 if k % 2 else 0, method=method)
        if k == 2:
            f = (lambda inner: lambda y: ft.jvp(inner, (y,), (y * 0 + 1.0,))[1])(f)
    assert_close(f(x), np.vectorize(lambda v: once(v)[1])(x))
    g = ft.grad(lambda y: ft.vmap(ft.vmap(ft.vmap(lambda r: ft.scan(lambda c, e: (c * e, None), 1.0, r)[0])))(y).sum())
    y = np.linspace(0.5, 1.5, 16).reshape(2, 2, 2, 2)
    assert_close(g(y), y[..., ::-1])
