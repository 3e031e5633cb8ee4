"""What jvp refuses, and how it says so. The numbers are those of the table of faults that the project promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import functrans as ft
from tests.transforms.test_vmap_errors import says

HERE = __file__.rsplit("/", 1)[-1]
X = np.arange(3.0)


def test_13_shapes_differ() -> None:
    text = says("different primal and tangent shapes", "primal shape (3,)", "tangent shape (2,)", "primals[0]", HERE)
    with pytest.raises(ft.ShapeError, match=text) as caught:
        ft.jvp(np.sin, (X,), (np.ones(2),))
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match=says("(3,)", "()")):
        ft.jvp(np.sin, (X,), (1.0,))
    with pytest.raises(ValueError, match=says("(3,)", "(3, 1)", "primals[0]['a'][1]")):
        ft.jvp(lambda p: p["a"][0], ({"a": [X, X]},), ({"a": [X, X[:, None]]},))


@pytest.mark.parametrize("dtype", ["int64", "bool", "float32", "complex128"])
def test_14_dtypes_differ(dtype: str) -> None:
    text = says("primal dtype float64", "expected tangent dtype float64, but got tangent dtype " + dtype, HERE)
    with pytest.raises(ft.DtypeError, match=text) as caught:
        ft.jvp(np.sin, (X,), (np.ones(3, dtype),))
    assert isinstance(caught.value, TypeError)


def test_14_inside_a_trace() -> None:
    with pytest.raises(TypeError, match="expected tangent dtype float64, but got tangent dtype int64"):
        ft.vmap(lambda x, t: ft.jvp(np.sin, (x,), (t,)))(X, np.arange(3))


@pytest.mark.parametrize("wrong", [1.0, np.ones(3), np.arange(3), True])
def test_14_integers_do_not_vary(wrong: Any) -> None:
    primal = 2 if np.ndim(wrong) == 0 else np.arange(3)
    with pytest.raises(TypeError, match=says("primals[1], of dtype int64, must be None or zeros", HERE)):
        ft.jvp(lambda x, n: x, (X, primal), (X, wrong))


def test_14_a_float_needs_a_tangent() -> None:
    with pytest.raises(TypeError, match=says("tangent of primals[0], of dtype float64, is None", "zeros")):
        ft.jvp(np.sin, (X,), (None,))


@pytest.mark.parametrize("primals, tangents", [(X, X), ((X,), X), (X, (X,)), (1.0, 1.0), ({"x": X}, {"x": X})])
def test_15_no_tuples(primals: Any, tangents: Any) -> None:
    kinds = f"{type(primals).__name__} and {type(tangents).__name__}"
    with pytest.raises(TypeError, match=says("to jvp must be tuples or lists; found " + kinds, HERE)):
        ft.jvp(np.sin, primals, tangents)


@pytest.mark.parametrize("tangents", [(X, X), (), ([X],), ({"b": X},), ((X, X),)])
def test_structures_differ(tangents: Any) -> None:
    with pytest.raises(TypeError, match=says("must have the same tree structure", HERE)):
        ft.jvp(lambda p: p["a"], ({"a": X},), tangents)


@pytest.mark.parametrize("value", ["s", np.array([None]), object()])
def test_arguments_that_are_no_arrays(value: Any) -> None:
    with pytest.raises(TypeError, match=says("argument primals[0] of jvp of sin", HERE)):
        ft.jvp(np.sin, (value,), (value,))
    with pytest.raises(TypeError, match=says("tangent of primals[0]", HERE)):
        ft.jvp(np.sin, (X,), (value,))


def test_results_that_are_no_arrays() -> None:
    with pytest.raises(TypeError, match=says("of type str", HERE)):
        ft.jvp(lambda x: (x, "s"), (X,), (X,))


def test_auxiliary_results_come_in_a_pair() -> None:
    for f in (lambda x: x, lambda x: [x, x], lambda x: (x, x, x)):
        with pytest.raises(TypeError, match=r"has_aux=True .* must return \(result, aux\)"):
            ft.jvp(f, (X,), (X,), has_aux=True)


def test_no_function() -> None:
    with pytest.raises(TypeError, match="jvp differentiates a function, but got 3"):
        ft.jvp(3, (X,), (X,))


def test_derivatives_that_there_are_not() -> None:
    with pytest.raises(NotImplementedError, match=r"ZETA by its exponent is not available \(test_jvp_errors.py:\d+\)"):
        ft.jvp(lambda x: scipy.special.zeta(x, 1.5), (X + 2,), (X,))
