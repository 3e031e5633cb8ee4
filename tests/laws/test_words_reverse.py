"""Every word over {vmap, jvp, vjp} up to length three that has a vjp in it, and Hessians by every order of modes.

The reference builds each gradient by forward mode, one direction an element; the words without vjp are compared with
loops and complex steps in `test_words`.
"""

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
import functrans.numpy as fnp
from functrans.testing import RandomProgram as Program
from tests.laws.references import assert_close, interpreted
from tests.laws.test_words import base, direction, pushed

WORDS = ["".join(w) for n in (1, 2, 3) for w in itertools.product("VJG", repeat=n) if "G" in w]  # innermost first
METHODS = ("vmapin", "rewrite", "pad_reduce")
SEEDS = st.integers(0, 2**32)
LANES = 2
FACTORS = 1.0 + np.arange(LANES) / 7.0

Function = Callable[[Any, Any], Any]  # of a scalar and an array


def mapped(f: Function, method: str = "vmapin") -> Function:
    """vmap over axis 0 of the array; the scalar is closed over, and every lane has its own multiple of it."""
    return lambda s, x: ft.vmap(lambda factor, row: f(s * factor, row), method=method)(FACTORS, x)


def pulled(f: Function) -> Function:
    """The cotangents of both arguments; that of the scalar is added to every element of the other."""

    def function(s: Any, x: Any) -> Any:
        value, pullback = ft.vjp(f, s, x)
        of_s, of_x = pullback(direction(value.shape) + 0 * value)
        return of_x + of_s

    return function


def forward(f: Function) -> Function:
    """The same by forward mode."""

    def function(s: Any, x: Any) -> Any:
        def along(t: Any, e: Any) -> Any:
            value, tangent = ft.jvp(f, (s, x), (t, e))
            return (tangent * direction(value.shape)).sum()

        units = np.eye(x.size).reshape(x.size, *x.shape)
        of_x = ft.vmap(lambda e: along(fnp.zeros_like(s), e))(units).reshape(x.shape)
        return of_x + along(fnp.ones_like(s), fnp.zeros_like(x))

    return function


def written(word: str, f: Function, v: Callable[[Function], Function], g: Callable[[Function], Function]) -> Function:
    for letter in word:
        f = {"V": v, "J": pushed, "G": g}[letter](f)
    return f


def arguments(word: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    x = np.random.default_rng(len(word)).uniform(-1, 1, (LANES,) * word.count("V") + shape)
    return np.float64(0.6), x


@pytest.mark.parametrize("word", WORDS)
def test_words(word: str) -> None:
    s, x = arguments(word, (4, 3))
    (wanted,) = interpreted(written(word, base, mapped, forward), s, x)
    assert_close(ft.jit(written(word, base, mapped, pulled))(s, x), wanted, 1e-12, word)


@settings(max_examples=4, deadline=None)
@given(SEEDS)
@pytest.mark.parametrize("word", WORDS)
def test_words_on_random_programs(word: str, seed: int) -> None:
    program = Program(random.Random(seed), 5, shapes=((), (2, 3)))

    def f(s: Any, x: Any) -> Any:
        return program(s, x)[-1] * 1.0

    s, x = arguments(word, (2, 3))
    with np.errstate(all="ignore"):
        (wanted,) = interpreted(written(word, f, mapped, forward), s, x)
        (got,) = interpreted(written(word, f, mapped, pulled), s, x)
    assert_close(got, wanted, 1e-11, f"{word}\n{program}")


@settings(max_examples=8, deadline=None)
@given(SEEDS)
@pytest.mark.parametrize("method", METHODS[1:])
@pytest.mark.parametrize("word", ["VG", "GV", "VGV", "GVG"])
def test_other_ways_to_map(word: str, method: str, seed: int) -> None:
    """vmap of vjp and vjp of vmap by rewriting and by pad and reduce: as by brackets."""
    program = Program(random.Random(seed), 5, shapes=((), (2, 3)))

    def f(s: Any, x: Any) -> Any:
        return program(s, x)[-1] * 1.0

    s, x = arguments(word, (2, 3))
    with np.errstate(all="ignore"):
        (wanted,) = interpreted(written(word, f, mapped, pulled), s, x)
        (got,) = interpreted(written(word, f, lambda g: mapped(g, method), pulled), s, x)
    assert_close(got, wanted, 1e-11, f"{word}\n{program}")


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_hessians_by_every_order_of_modes(seed: int) -> None:
    program = Program(random.Random(seed), 5, smooth=True, shapes=((2, 3), (3,)))

    def f(x: Any, y: Any) -> Any:
        value = program(x, y)[-1]
        return (value * direction(value.shape)).sum()

    rng = np.random.default_rng(seed)
    args = rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, 3)
    both, vectors = (0, 1), (rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, 3))
    wanted = interpreted(ft.jacfwd(ft.jacfwd(f, both), both), *args)
    for outer, inner in ((ft.jacfwd, ft.jacrev), (ft.jacrev, ft.jacfwd), (ft.jacrev, ft.jacrev), (ft.jacrev, ft.grad)):
        for got, w in zip(interpreted(outer(inner(f, both), both), *args), wanted, strict=True):
            assert_close(got, w, 1e-10, program)
    xx, xy, yx, yy = wanted
    products = interpreted(ft.hvp(f, both), *args, vectors)
    u, v = vectors
    assert_close(products[0], np.tensordot(xx, u, 2) + np.tensordot(xy, v, 1), 1e-10, program)
    assert_close(products[1], np.tensordot(yx, u, 2) + np.tensordot(yy, v, 1), 1e-10, program)
