"""Every word over {vmap, jvp} up to length three: against loops, complex steps and extended precision."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.testing import RandomProgram as Program
from tests.laws.references import assert_close, complex_step, difference, interpreted

WORDS = ["".join(w) for n in (1, 2, 3) for w in itertools.product("VJ", repeat=n)]  # innermost letter first
LONG = np.longdouble
# a double keeps the first 15 digits of a difference of numbers with 19, and 11 of a difference of differences
TOLERANCE = 1e-11 if np.finfo(LONG).eps < 1e-18 else 1e-4
LANES = 3
FACTORS = 1.0 + np.arange(LANES) / 7.0
SLOPE = 0.75  # the tangent of the scalar

Function = Callable[[Any, Any], Any]  # of a scalar and an array


def direction(shape: tuple[int, ...]) -> Any:
    return np.cos(1.0 + np.arange(int(np.prod(shape)))).reshape(shape)


def spelled(word: str, f: Function, v: Callable[[Function], Function], j: Callable[[Function], Function]) -> Function:
    for letter in word:
        f = {"V": v, "J": j}[letter](f)
    return f


def mapped(f: Function) -> Function:
    """vmap over axis 0 of the array; the scalar is closed over, and every lane has its own multiple of it."""
    return lambda s, x: ft.vmap(lambda factor, row: f(s * factor, row))(FACTORS, x)


def looped(f: Function) -> Function:
    return lambda s, x: np.stack([f(s * factor, row) for factor, row in zip(FACTORS, x, strict=True)])


def pushed(f: Function) -> Function:
    """Value and derivative, along a tangent of both arguments."""
    return lambda s, x: np.stack(ft.jvp(f, (s, x), (SLOPE * (s * 0 + 1), direction(x.shape) + x * 0)))


def differenced(f: Function) -> Function:
    return lambda s, x: np.stack([f(s, x), difference(lambda h: f(s + h * SLOPE, x + h * direction(x.shape)))])


def stepped(f: Function) -> Function:
    return lambda s, x: np.stack([f(s, x), complex_step(f, (s, x), (LONG(SLOPE), direction(x.shape).astype(LONG)))])


def reference(word: str, f: Function) -> Function:
    """The innermost jvp by a complex step, which is exact; the ones around it by differences."""
    first = word.find("J")
    if first < 0:
        return spelled(word, f, looped, differenced)
    f = stepped(spelled(word[:first], f, looped, differenced))
    return spelled(word[first + 1 :], f, looped, differenced)


def base(s: Any, x: Any) -> Any:
    """Two consumers, a reduction, a product with the scalar, a captured matrix."""
    y = np.sin(s * x) + x * x
    return (y / (1.0 + (y * y).sum(axis=0))) @ np.arange(6.0).reshape(3, 2) * s


def arguments(word: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    x = np.random.default_rng(len(word)).uniform(-1, 1, (LANES,) * word.count("V") + shape)
    return np.float64(0.6), x


@pytest.mark.parametrize("word", WORDS)
def test_words(word: str) -> None:
    s, x = arguments(word, (4, 3))
    wanted = reference(word, base)(LONG(s), x.astype(LONG))
    function = spelled(word, base, mapped, pushed)
    assert_close(ft.jit(function)(s, x), wanted.astype(float), TOLERANCE, word)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.parametrize("word", WORDS)
def test_words_on_random_programs(word: str, seed: int) -> None:
    program = Program(random.Random(seed), 6, smooth=True, shapes=((), (2, 3)), pieces=False, matrices=False)

    def f(s: Any, x: Any) -> Any:
        return program(s, x)[-1]

    s, x = arguments(word, (2, 3))
    wanted = reference(word, f)(LONG(s), x.astype(LONG)).astype(float)
    (got,) = interpreted(spelled(word, f, mapped, pushed), s, x)
    assert_close(got, wanted, 10 * TOLERANCE, f"{word}\n{program}")


def test_jvp_through_nested_maps_with_a_captured_scalar() -> None:
    """The case that the original got silently wrong: the derivative in a scalar that inner functions close over."""
    table = np.arange(12.0).reshape(3, 4) / 5

    def f(s: Any) -> Any:
        return ft.vmap(lambda row: ft.vmap(lambda e: np.sin(s * e) * s)(row))(table)

    value, tangent = ft.jvp(f, (0.7,), (2.0,))
    assert_close(value, np.sin(0.7 * table) * 0.7)
    assert_close(tangent, 2 * (np.sin(0.7 * table) + 0.7 * table * np.cos(0.7 * table)))


def test_a_tangent_that_no_lane_has_of_its_own() -> None:
    """The derivative of x + s in a captured s is the same in every lane: it has to be repeated, not forgotten."""
    table = np.arange(6.0).reshape(2, 3)
    add = ft.vmap(ft.vmap(lambda e, k: e + k, in_axes=(0, None)), in_axes=(0, None), out_axis=1)
    assert_close(ft.jvp(lambda s: add(table, s), (2.0,), (5.0,))[1], np.full((3, 2), 5.0))
    assert_close(ft.jvp(lambda s: ft.vmap(lambda e: e + s)(table), (2.0,), (5.0,))[1], np.full((2, 3), 5.0))
    parts = ft.jvp(lambda s: ft.vmap(lambda e: np.stack([e[0], s, s * e[1]]))(table), (2.0,), (5.0,))[1]
    assert_close(parts, np.array([[0.0, 5.0, 5.0], [0.0, 5.0, 20.0]]))


def test_derivatives_do_not_mix() -> None:
    """An inner derivative in y sees x as a constant, though both have the value 1."""

    def inner(x: Any) -> Any:
        return ft.jvp(lambda y: x * y * y, (x,), (1.0,))[1]  # 2 x y at y = x

    value, tangent = ft.jvp(inner, (3.0,), (1.0,))
    assert (value, tangent) == (18.0, 12.0)  # 2 x**2, whose derivative is 4 x
    apart = ft.jvp(lambda x: x * ft.jvp(lambda y: x + y, (1.0,), (1.0,))[1], (1.0,), (1.0,))
    assert apart == (1.0, 1.0)


def test_a_map_in_a_derivative_in_a_map() -> None:
    """vmap of jvp of vmap, where the innermost function closes over values of both outer levels."""
    rng = np.random.default_rng(0)
    a, b, t = rng.normal(size=3), rng.normal(size=(3, 4)), rng.normal(size=(3, 4))

    def lane(s: Any, row: Any, direction: Any) -> Any:
        return ft.jvp(lambda r: ft.vmap(lambda e: e * s * r.sum())(r), (row,), (direction,))[1]

    wanted = a[:, None] * (t * b.sum(1, keepdims=True) + b * t.sum(1, keepdims=True))
    assert_close(ft.vmap(lane)(a, b, t), wanted)
