"""map and associative_scan: against stacked results of Python loops."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.references import assert_close

HERE = __file__.rsplit("/", 1)[-1]
X = np.random.default_rng(0).uniform(-1, 1, (2, 5, 3))


def test_map_stacks_results_of_trees() -> None:
    made = ft.map(lambda t: {"s": t[0].sum(), "n": t[1]}, (X, np.arange(2)))
    assert_close(made["s"], X.sum(axis=(1, 2)))
    assert_close(made["n"], np.arange(2))


@pytest.mark.parametrize("size", [None, 1, 2, np.int64(7)])
def test_map_of_any_batch_size_is_the_same(size: Any) -> None:
    assert np.array_equal(ft.map(np.cos, X, batch_size=size), ft.map(np.cos, X))


def test_map_of_nothing_has_the_shape_of_something() -> None:
    assert ft.map(lambda r: r @ np.ones((3, 4)), np.zeros((0, 3))).shape == (0, 4)


def test_map_inside_map_with_loops_of_different_lengths() -> None:
    halvings = ft.map(lambda n: ft.while_loop(lambda c: c[0] > 1, lambda c: (c[0] // 2, c[1] + 1), (n, 0))[1],
                      np.array([1, 2, 9, 100]))  # fmt: skip
    assert halvings.tolist() == [0, 1, 3, 6]
    nested = ft.jit(lambda x: ft.map(lambda a: ft.map(lambda b: b * a.sum(), a), x))(X)
    assert_close(nested, X * X.sum(axis=(1, 2), keepdims=True))


def test_map_has_derivatives() -> None:
    assert_close(ft.grad(lambda x: ft.map(lambda r: np.sin(r).sum(), x).sum())(X), np.cos(X))


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: ft.map(np.sin, 3.0), ft.ShapeError, "xs of map of sin is a number"),
        (lambda: ft.map(np.sin, ()), ft.ArgumentError, "map of sin got no sequence"),
        (lambda: ft.map(np.sin, None), ft.ArgumentError, "map of sin got no sequence"),
        (lambda: ft.map(np.sin, X, batch_size=0), ft.ArgumentValueError, "batch_size=0 of map of sin; expected an int"),
        (lambda: ft.map(np.sin, X, batch_size=1.0), ft.ArgumentValueError, "batch_size=1.0 of map of sin"),  # type: ignore[arg-type]
        (lambda: ft.map(np.sin, X, batch_size=True), ft.ArgumentValueError, "batch_size=True of map of sin"),
        (lambda: ft.map(np.minimum, {"a": X, "b": X[0]}), ft.ShapeError, "xs['a'] has 2 elements, xs['b'] has 5"),
        (lambda: ft.map(3, X), ft.ArgumentError, "f of map is 3 of type int; expected a function"),  # type: ignore[arg-type]
        (lambda: ft.map(lambda t: "s", X), ft.ArgumentError, "is 's' of type str"),
        (lambda: ft.associative_scan(np.add, X, axis=3), ft.AxisError, "axis 3 of associative_scan of add is out of"),
        (lambda: ft.associative_scan(np.add, (X, X[0, 0]), axis=1), ft.AxisError, "elems[1] of shape (3,)"),
        (lambda: ft.associative_scan(np.add, 1.0), ft.AxisError, "axis 0 of associative_scan of add is out of bounds"),
        (lambda: ft.associative_scan(np.add, X, axis=None), ft.ArgumentError, "axis=None of associative_scan"),  # type: ignore[arg-type]
        (lambda: ft.associative_scan(np.add, ()), ft.ArgumentError, "got no arrays"),
        (lambda: ft.associative_scan("add", X), ft.ArgumentError, "fn of associative_scan is 'add' of type str"),  # type: ignore[arg-type]
        (lambda: ft.associative_scan(lambda a, b: a, (X, X[0])), ft.ShapeError, "elems[0] has 2 elements, elems[1]"),
        (lambda: ft.associative_scan(lambda a, b: (a, b), X), ft.ArgumentError, "has the structure *, but its body"),
        (lambda: ft.associative_scan(lambda a, b: a[0], X), ft.ShapeError, "has shape (1, 5, 3), but its body"),
        (lambda: ft.associative_scan(lambda a, b: a + 1j, X), ft.DtypeError, "has dtype float64, but its body"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)) as caught:
        call()
    assert HERE in str(caught.value)


@pytest.mark.parametrize("axis, reverse", [*itertools.product((0, 1, 2, -1, -3), (False, True))])
def test_running_sums_along_any_axis(axis: int, reverse: bool) -> None:
    wanted = np.cumsum(X, axis)
    if reverse:
        wanted = np.flip(np.cumsum(np.flip(X, axis), axis), axis)
    assert_close(ft.associative_scan(np.add, X, reverse, axis), wanted)


def test_running_products_of_matrices_and_their_gradient() -> None:
    """An operation that is not commutative, and which side is which."""
    a = np.random.default_rng(1).uniform(-1, 1, (6, 2, 2))
    rows = list(itertools.accumulate(a, np.matmul))
    assert_close(ft.associative_scan(np.matmul, a), np.stack(rows))
    back = list(itertools.accumulate(a[::-1], np.matmul))
    assert_close(ft.associative_scan(np.matmul, a, reverse=True), np.stack(back[::-1]))

    def unrolled(a: Any) -> Any:
        made = a[0]
        for k in range(1, 6):
            made = made @ a[k]
        return made.sum()

    assert_close(ft.grad(lambda a: ft.associative_scan(np.matmul, a)[-1].sum())(a), ft.grad(unrolled)(a))


def test_pairs_of_a_linear_recurrence() -> None:
    """x[k] = a[k] x[k - 1] + b[k] as a scan of pairs: the classical example."""
    a, b = X[0], X[1]

    def join(left: Any, right: Any) -> Any:
        return left[0] * right[0], right[0] * left[1] + right[1]

    x, rows = np.zeros(3), []
    for k in range(5):
        x = a[k] * x + b[k]
        rows.append(x)
    assert_close(ft.associative_scan(join, (a, b))[1], np.stack(rows))
    lanes = ft.vmap(lambda a, b: ft.associative_scan(join, (a, b), axis=-1)[1], in_axes=1)(a, b)
    assert_close(lanes, np.stack(rows).T)


@pytest.mark.parametrize("length", [0, 1])
def test_short_ones_are_as_they_were(length: int) -> None:
    x = X[0, :length]
    assert np.array_equal(ft.associative_scan(np.multiply, x), x)


def test_dtypes_stay() -> None:
    x = np.array([3, 1, 2], np.int8)
    assert_close(ft.associative_scan(np.maximum, x), np.array([3, 3, 3], np.int8))
    assert_close(ft.associative_scan(np.logical_or, x > 2), np.array([True, True, True]))


@pytest.mark.parametrize("size", [3, 60])  # lanes as vectors, and bodies that are called
def test_a_map_by_launches_in_a_body_is_a_loop_of_its_kernel(size: int) -> None:
    xs = np.random.default_rng(1).normal(size=(4, size))

    def run(kind: str) -> Any:
        outer = ft.vmap(lambda a, b: np.sin(a) * b, axis_type=kind)
        looped = ft.jit(lambda xs: ft.scan(lambda c, x: (outer(c, x) + 0.5 * c, None), xs[0], xs)[0])
        branched = ft.jit(lambda xs: ft.cond(xs[0, 0] < 9, lambda: outer(xs[0], xs[1]), lambda: xs[2]))
        return looped(xs).tobytes(), branched(xs).tobytes()

    assert run("outer") == run("loop")
