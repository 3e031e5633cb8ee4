"""Arguments that are no arrays: transforms that have nothing to do with them hand them on as they are."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.errors import ArgumentError


class Kind(Enum):
    SINE = 1
    SQUARE = 2


def f(x: Any, how: Any, options: Any = None, *, scale: Any = 1.0) -> Any:
    made = np.sin(x) if how in ("sine", Kind.SINE) else how(x) if callable(how) else x * x
    options = options or {"names": ["plain"], "w": np.ones(3)}
    twice = 2.0 if options["names"] == ["double"] else 1.0
    return (made * options["w"]).sum() * twice * (1.0 if scale == "one" else scale)


X = np.array([0.3, 1.2, 2.0])
DERIVATIVES = {
    "grad": ft.grad, "value_and_grad": ft.value_and_grad, "jacfwd": ft.jacfwd, "jacrev": ft.jacrev,
    "hessian": ft.hessian,
    "grad(vmap)": lambda f: ft.grad(lambda x, *more, **named: ft.vmap(lambda s: f(s * x, *more, **named))(X).sum()),
}  # fmt: skip


@pytest.mark.parametrize("name", DERIVATIVES)
@pytest.mark.parametrize("how", ["sine", "square", Kind.SINE, Kind.SQUARE, np.exp, np.cos])
def test_derivatives_are_those_of_the_function_with_it_bound(name: str, how: Any) -> None:
    make = DERIVATIVES[name]
    derivative = make(f)
    named: dict[str, Any] = {"scale": "one"} if how != "square" else {"scale": 3.0}
    for got, want in zip(*(ft.tree.leaves(d) for d in (
        derivative(X, how, **named), make(partial(f, how=how, **named))(X)
    )), strict=True):  # fmt: skip
        np.testing.assert_allclose(got, want, rtol=1e-14)


@pytest.mark.parametrize("how", ["sine", "square", np.exp])
def test_static_arguments_of_a_compiled_derivative(how: Any) -> None:
    static = ft.jit(ft.grad(f), static_argnums=1, static_argnames="scale")
    for scale in ("one", 2.0):
        want = ft.grad(partial(f, how=how, scale=scale))(X)
        np.testing.assert_allclose(static(X, how, scale=scale), want, rtol=1e-14)


def test_words_beside_arrays_in_one_argument() -> None:
    options = {"names": ["double"], "w": np.array([1.0, 2.0, 3.0])}
    np.testing.assert_allclose(ft.grad(f)(X, "sine", options), 2 * options["w"] * np.cos(X))
    np.testing.assert_allclose(ft.hvp(f)(X, "square", options, np.ones(3)), 4 * options["w"])
    axes = {"names": None, "w": 0}
    lanes = {"names": ["double"], "w": np.arange(6.0).reshape(2, 3)}
    mapped = ft.vmap(f, in_axes=(None, None, axes))
    for call in (mapped, lambda x, how, o: ft.jit(lambda x, w: mapped(x, how, {**o, "w": w}))(x, o["w"])):
        np.testing.assert_allclose(call(X, "sine", lanes), 2 * (np.sin(X) * lanes["w"]).sum(1))
    every = ft.vmap(ft.grad(f), in_axes=(0, None))(np.stack([X, 2 * X]), "sine")
    np.testing.assert_allclose(every, np.cos(np.stack([X, 2 * X])))


def test_what_is_differentiated_by_or_mapped_is_an_array() -> None:
    class Box:
        def __init__(self, w: Any) -> None:
            self.w = w

    for call in (
        lambda: ft.grad(f)("sine", X), lambda: ft.grad(f, argnums=1)(X, "sine"), lambda: ft.vmap(f)(X[:, None], "sine"),
        lambda: ft.vmap(f, in_axes=(0, None))(X[:, None], "sine", scale="one"), lambda: ft.jit(f)(X, "sine"),
        lambda: ft.hvp(f)(X, "sine", "v"), lambda: ft.grad(f)(X, Box(X)), lambda: ft.spjacobian(f)(X, "sine"),
    ):  # fmt: skip
        with pytest.raises(ArgumentError):
            call()
