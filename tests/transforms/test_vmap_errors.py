"""What vmap refuses, and how it says so. The numbers are those of the table of faults that the project promises."""

from __future__ import annotations

import re
import warnings
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ops import AxisType

HERE = __file__.rsplit("/", 1)[-1]
A, B = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)


def add(a: Any, b: Any) -> Any:
    return a + b


def says(*parts: str) -> str:
    """A pattern that finds the parts in this order."""
    return "(?s)" + ".*".join(map(re.escape, parts))


@pytest.mark.parametrize("axis, needed", [(5, 6), (2, 3), (-3, 3)])
def test_01_axis_out_of_range(axis: int, needed: int) -> None:
    text = says(
        f"argument a along axis {axis}", f"rank should be at least {needed}", "only 2 (its shape is (2, 3))", HERE
    )
    with pytest.raises(ft.AxisError, match=text):
        ft.vmap(add, in_axes=(axis, None))(A, 1.0)
    with pytest.raises(ValueError):
        ft.vmap(add, in_axes=axis)(A, A)


def test_01_names_the_place_in_a_pytree() -> None:
    with pytest.raises(ft.AxisError, match=re.escape("argument p['w'][1] along axis 1")):
        ft.vmap(lambda p: p["w"][0], in_axes=1)({"w": (A, np.zeros(3))})


def test_01_inside_a_map_counts_what_the_function_sees() -> None:
    with pytest.raises(ft.AxisError, match=re.escape("only 1 (its shape is (3,))")):
        ft.vmap(ft.vmap(np.sin, in_axes=1))(A)


def test_02_sizes_differ() -> None:
    with pytest.raises(ft.ShapeError, match="inconsistent sizes for array axes to be mapped") as caught:
        ft.vmap(add)(A, B)
    text = str(caught.value)
    assert "* one axis had size 2: axis 0 of argument a of type float64[2,3]" in text
    assert "* one axis had size 3: axis 0 of argument b of type float64[3,4]" in text
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ft.ShapeError, match=says("some axes had size 2", "argument a", "argument c", "size 3")):
        ft.vmap(lambda a, b, c: a)(A, B, A)


def test_02_sizes_against_axis_size_and_keywords() -> None:
    with pytest.raises(ft.ShapeError, match=says("size 7", "axis_size")):
        ft.vmap(np.sin, axis_size=7)(A)
    with pytest.raises(ft.ShapeError, match=says("size 2", "argument a", "size 3", "argument b")):
        ft.vmap(add)(A, b=B)


def test_02_no_batch_of_one_is_stretched() -> None:
    with pytest.raises(ft.ShapeError):
        ft.vmap(add)(np.zeros((1, 3)), np.zeros((2, 3)))


def test_03_wrong_number_of_axes() -> None:
    text = says("positional arguments passed to the function", "len(in_axes)=1, len(args)=2", HERE)
    with pytest.raises(ft.AxisError, match=text) as caught:
        ft.vmap(add, in_axes=(0,))(A, B)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match=re.escape("len(in_axes)=3, len(args)=2")):
        ft.vmap(add, in_axes=[0, 0, 0])(A, B)


def test_03_prefix_of_another_structure() -> None:
    with pytest.raises(ValueError, match="in_axes"):
        ft.vmap(add, in_axes=((0, 0), 0))(A, A)
    with pytest.raises(ValueError, match="in_axes"):
        ft.vmap(lambda p: p["a"], in_axes=({"b": 0},))({"a": A})
    with pytest.raises(ValueError, match="in_axes"):
        ft.vmap(lambda p: p[0], in_axes=((0, 0, 0),))((A, A))


def test_04_nothing_is_mapped() -> None:
    with pytest.raises(ValueError, match="at least one non-None value in in_axes or axis_size must be specified"):
        ft.vmap(add, in_axes=None)(A, A)
    with pytest.raises(ValueError, match="at least one non-None value"):
        ft.vmap(add, in_axes=(None, None))(A, A)
    assert ft.vmap(lambda a: a * 2, in_axes=None, axis_size=3)(1.5).tolist() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize("axes", ["0", 0.0, True, (0, True), (0, "1"), ({"a": 1.5}, 0), A])
def test_05_axes_that_are_none(axes: Any) -> None:
    with pytest.raises(TypeError, match=says("in_axes must be an int, None, or a tuple of entries", "but got", HERE)):
        ft.vmap(add, in_axes=axes)


@pytest.mark.parametrize("axes", ["0", 0.0, True, (0, None, 1.5)])
def test_05_result_axes_that_are_none(axes: Any) -> None:
    with pytest.raises(TypeError, match=says("out_axis must be an int", "got", HERE)):
        ft.vmap(add, out_axis=axes)(A, A)


def test_05_a_list_is_read_as_a_tuple() -> None:
    assert np.array_equal(ft.vmap(add, in_axes=[0, None])(A, 1.0), A + 1)
    assert np.array_equal(ft.vmap(np.sum, in_axes=np.int64(1))(A), A.sum(0))


def test_06_no_arguments() -> None:
    text = "must be passed at least one argument containing an array or axis_size must be specified, got empty *args=()"
    with pytest.raises(ValueError, match=re.escape(text)):
        ft.vmap(lambda: 1.0)()
    with pytest.raises(ValueError, match=re.escape("got empty *args=(None,)")):
        ft.vmap(lambda x: 1.0)(None)
    assert ft.vmap(lambda: 1.5, axis_size=2)().tolist() == [1.5, 1.5]


def test_07_a_scalar_is_mapped() -> None:
    with pytest.raises(ValueError, match=says("rank should be at least 1, but is only 0 (its shape is ())", HERE)):
        ft.vmap(np.sin)(1.0)
    with pytest.raises(ValueError, match="argument b"):
        ft.vmap(add)(A, np.float64(2))


def test_08_empty_batches_are_fine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y, z = ft.vmap(lambda a: (np.exp(a).sum(), a @ B))(np.zeros((0, 3)))
    assert (y.shape, z.shape, y.dtype) == ((0,), (0, 4), np.float64)


@pytest.mark.parametrize("axis", [7, 2, -3])
def test_09_result_axis_out_of_range(axis: int) -> None:
    with pytest.raises(ValueError, match=says(f"axis {axis} is out of bounds for array of dimension 2", HERE)):
        ft.vmap(np.sin, out_axis=axis)(A)


def test_09_names_the_result() -> None:
    with pytest.raises(ft.AxisError, match=says("axis 1 is out of bounds for array of dimension 1", "['s']")):
        ft.vmap(lambda a: {"v": a, "s": a.sum()}, out_axis=1)(A)


def test_09_prefix_of_another_structure() -> None:
    with pytest.raises(ValueError, match="out_axis"):
        ft.vmap(lambda a: (a, a), out_axis=(0, 0, 0))(A)
    with pytest.raises(ValueError, match="out_axis"):
        ft.vmap(lambda a: a, out_axis=(0,))(A)
    with pytest.raises(ValueError, match=r"out_axis is None for result\[1\], .* depends on the mapped"):
        ft.vmap(lambda a: (a, a), out_axis=(0, None))(A)


def test_10_constant_results_are_repeated() -> None:
    assert ft.vmap(lambda a: 1.0)(A).tolist() == [1.0, 1.0]


Point = namedtuple("Point", "x y")


def test_11_containers_are_results() -> None:
    found = ft.vmap(lambda a: [a, None, {"k": (a.sum(), Point(a, 2))}])(A)
    assert found[1] is None and found[2]["k"][1].y.tolist() == [2, 2]


@pytest.mark.parametrize("value", ["s", object(), {1, 2}, b"x", lambda: 1, np, slice(3)])
def test_11_results_that_are_no_arrays(value: Any) -> None:
    with pytest.raises(TypeError, match=says(f"of type {type(value).__name__}", HERE)) as caught:
        ft.vmap(lambda a: (a, {"k": value}))(A)
    assert "result[1]['k']" in str(caught.value)


@pytest.mark.parametrize("value", [np.array(["a"]), np.array([None]), np.datetime64("2020-01-01"), [np.longdouble(1)]])
def test_11_results_of_no_dtype(value: Any) -> None:
    with pytest.raises(TypeError):
        ft.vmap(lambda a: (a, value))(A)


def test_12_keywords_are_mapped_over_axis_0() -> None:
    assert np.array_equal(ft.vmap(add, in_axes=1)(A, b=np.arange(3.0)), (A + np.arange(3.0)).T)
    with pytest.raises(ValueError, match=says("argument b along axis 0", "shape is ()")):
        ft.vmap(add)(A, b=1.0)


@pytest.mark.parametrize("value", ["s", object(), np.array(["a"]), np.ma.masked_array([1.0, 2.0]), 2**70])
def test_arguments_that_are_no_arrays(value: Any) -> None:
    with pytest.raises(TypeError, match=says("argument b['k'] of vmap of add is", HERE)):
        ft.vmap(add)(A, {"k": value})


@pytest.mark.parametrize("value", [np.array(["a"]), np.ma.masked_array([1.0, 2.0]), 2**70])
def test_arrays_of_other_kinds_that_are_not_mapped(value: Any) -> None:
    with pytest.raises(TypeError, match=says("argument b['k'] of vmap of add is", HERE)):
        ft.vmap(add, in_axes=(0, None))(A, {"k": value})


def test_a_shape_is_no_array() -> None:
    with pytest.raises(TypeError, match="ShapeDtype"):
        ft.vmap(np.sin)(ft.ShapeDtype((2, 3)))


def test_options() -> None:
    with pytest.raises(TypeError, match="out_axis") as caught:
        ft.vmap(np.sin, out_axes=0)
    assert "out_axes" in str(caught.value)
    with pytest.raises(TypeError, match="axes_in"):
        ft.vmap(np.sin, axes_in=0)
    with pytest.raises(TypeError, match=says("method 'loop'", "'vmapin', 'rewrite', 'pad_reduce'")):
        ft.vmap(np.sin, method="loop")
    with pytest.raises(TypeError, match="axis_type 'inner'"):
        ft.vmap(np.sin, axis_type="inner")
    for size in (-1, 2.0, True, "3"):
        with pytest.raises(TypeError, match="axis_size must be an int >= 0"):
            ft.vmap(np.sin, axis_size=size)
    with pytest.raises(TypeError, match="vmap maps a function, but got 3"):
        ft.vmap(3)
    assert np.array_equal(ft.vmap(np.negative, axis_type=AxisType.LOOP)(A), -A)


def test_errors_of_the_function_pass_through() -> None:
    def broken(a: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        ft.vmap(broken)(A)
    assert np.array_equal(ft.vmap(np.negative)(A), -A), "the trace that failed has ended"
