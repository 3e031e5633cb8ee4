"""Every word over {vmap, jvp} up to length three, on functions that themselves map and differentiate inside.

The reference runs NumPy element by element on numbers that carry tangents; see duals.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from tests.laws.duals import Reference

WEIGHTS = np.arange(1.0, 7.0).reshape(2, 3) / 5
Function = Callable[[Any], Any]


def plain(transforms: Any) -> Function:
    return lambda x: np.sin(x) * np.sum(x * x) + WEIGHTS[0]


def contracted(transforms: Any) -> Function:
    return lambda x: np.exp(-1.0 * (WEIGHTS @ x)) / (np.sum(np.cos(x)) + 9.0)


def mapped_inside(transforms: Any) -> Function:
    # an inner vmap over the rows of an outer product, which captures a scalar of the function around it
    def f(x: Any) -> Any:
        scale = np.sum(x) * 0.5
        rows = x.reshape(3, 1) * np.sin(x).reshape(1, 3)
        return transforms.vmap(lambda row: np.sin(row * scale) * np.sum(row))(rows)

    return f


def mapped_twice(transforms: Any) -> Function:
    # the captured scalar goes through two levels of vmap, one of them over another axis
    def f(x: Any) -> Any:
        scale = np.sum(x * x)
        rows = x.reshape(3, 1) * WEIGHTS[1].reshape(1, 3)

        def row(r: Any) -> Any:
            return transforms.vmap(lambda e: e * scale + np.sum(r) * np.cos(e * x))(r)

        return np.sum(transforms.vmap(row, in_axes=1, out_axis=1)(rows), axis=0)

    return f


def differentiated_inside(transforms: Any) -> Function:
    # the derivative along x of a function that captures x: no perturbation may be taken for another
    def f(x: Any) -> Any:
        return x * transforms.jvp(lambda y: np.sin(y) * np.sum(x) + x * y, (x * x,), (np.cos(x),))[1]

    return f


def apply(transforms: Any, letter: str, f: Function) -> Function:
    if letter == "v":
        return transforms.vmap(f)
    # a tangent that itself depends on the point, so that an outer jvp has to differentiate it too
    return lambda x: transforms.jvp(f, (x,), (np.cos(x) + 0.5,))[1]


WORDS = ["".join(w) for n in (1, 2, 3) for w in itertools.product("vj", repeat=n)]
FUNCTIONS = [plain, contracted, mapped_inside, mapped_twice, differentiated_inside]


def spelled(transforms: Any, make: Callable[[Any], Function], word: str) -> Function:
    f = make(transforms)
    for letter in reversed(word):
        f = apply(transforms, letter, f)
    return f


@pytest.mark.parametrize("make", FUNCTIONS, ids=lambda f: f.__name__)
def test_words(make: Callable[[Any], Function]) -> None:
    """All of a function in one translation unit: most of a run is compiling."""
    shapes = [(*(2, 4, 3)[: word.count("v")], 3) for word in WORDS]
    xs = [np.random.default_rng(len(word)).uniform(-1, 1, shape) for word, shape in zip(WORDS, shapes, strict=True)]
    ours = [spelled(ft, make, word) for word in WORDS]
    found = ft.jit(lambda xs: [f(x) for f, x in zip(ours, xs, strict=True)])(xs)
    for word, x, got in zip(WORDS, xs, found, strict=True):
        want = Reference.numbers(spelled(Reference, make, word)(Reference.wrap(x)))
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11 * np.abs(want).max(), err_msg=word)
