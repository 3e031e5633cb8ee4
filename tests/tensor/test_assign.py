"""Assignment: what is read afterwards is new, what was made before is old, no array handed out ever changes."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import numpy as fnp
from functrans.errors import ArgumentError, DtypeError, LeakedValueError, ShapeError
from functrans.ops.source import stored
from functrans.tensor.assign import memory_of
from functrans.tensor.constants import constant

A = np.arange(6.0).reshape(2, 3)


def address(t: ft.Tensor) -> int:
    return int(stored(memory_of(t.uop)).ctypes.data)


def test_later_reads_see_the_new_value_and_earlier_expressions_the_old() -> None:
    for first in ("before", "t", "after"):  # in whichever order they are computed
        t = ft.Tensor(A)
        before = t * 10
        t.assign(t + 1)
        after = t * 10
        things = {"before": (before, A * 10), "t": (t, A + 1), "after": (after, (A + 1) * 10)}
        for name in (first, *things):
            got, want = things[name]
            np.testing.assert_array_equal(got.numpy(), want)


def test_it_refers_to_itself_in_order() -> None:
    t, want = ft.Tensor(A), A.copy()
    for k in range(5):
        t.assign(t * 2 + k)
        want = want * 2 + k
    assert t.assign(t) is t
    np.testing.assert_array_equal(t.numpy(), want)
    np.testing.assert_array_equal(t.assign(t[::-1, ::-1]).numpy(), want[::-1, ::-1])


def test_tensors_that_swap() -> None:
    t, u = ft.Tensor(A), ft.Tensor(-A)
    old = t + 0
    t.assign(u)
    u.assign(old)
    np.testing.assert_array_equal(t.numpy(), -A)
    np.testing.assert_array_equal(u.numpy(), A)
    t.assign(u)
    u.assign(u + 1)
    np.testing.assert_array_equal(u.numpy(), A + 1)
    np.testing.assert_array_equal(t.numpy(), A)


@pytest.mark.parametrize("shape", [(2, 3), (6,), (), (0,), (1, 1, 4)])
def test_the_memory_is_kept_where_nothing_else_sees_it(shape: tuple[int, ...]) -> None:
    t = ft.Tensor(np.ones(shape))
    place = address(t)
    for k in range(3):
        t.assign(t + k).realize()
        assert address(t) == place
    before = t + 1  # an expression sees it
    t.assign(0.0).realize()
    assert address(t) != place or not t.size
    np.testing.assert_array_equal(before.numpy(), np.full(shape, 5.0))
    place = address(t)
    before = t + 1
    del before
    gc.collect()
    np.testing.assert_array_equal(t.assign(t + 7).numpy(), np.full(shape, 7.0))
    assert address(t) == place


def test_what_else_sees_the_memory_keeps_its_numbers() -> None:
    holders: list[Any] = [
        lambda t: np.array(t), lambda t: t.numpy(), lambda t: np.asarray(t, copy=False), lambda t: t.copy(),
        lambda t: t.reshape(-1), lambda t: t[0], lambda t: t.T, lambda t: np.from_dlpack(t),
        lambda t: np.asarray(t, copy=False)[1:], lambda t: ft.Tensor(t), lambda t: t.uop,
    ]  # fmt: skip
    for hold in holders:
        t = ft.Tensor(A)
        held = hold(t)
        want = np.array(A) if held is t.uop else np.array(held)
        t.assign(t + 100).realize()
        t.assign(-1.0).realize()
        got = ft.Tensor.from_uop(held).numpy() if not hasattr(held, "__array__") else np.array(held)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(t.numpy(), np.full((2, 3), -1.0))


def test_compiled_functions_keep_what_they_closed_over() -> None:
    t = ft.Tensor(A)
    f = ft.jit(lambda x: x + t)
    np.testing.assert_array_equal(f(A), A + A)
    t.assign(0.0).realize()
    np.testing.assert_array_equal(f(A), A + A)
    np.testing.assert_array_equal(ft.jit(lambda x: x + t)(A), A)


def test_index_arrays_that_are_shared_by_their_contents_are_not_written() -> None:
    order = np.array([2, 0, 1])
    t = ft.Tensor.from_uop(constant(order))
    t.assign(t * 0).realize()
    np.testing.assert_array_equal(ft.Tensor.from_uop(constant(order)).numpy(), order)
    np.testing.assert_array_equal(t.numpy(), [0, 0, 0])


def test_in_a_traced_function_it_is_a_value() -> None:
    def f(x: ft.Tensor, w: ft.Tensor) -> Any:
        total = ft.Tensor(np.ones(3))
        before = x * 2
        for _ in range(3):
            total.assign(total + x * w)
        x.assign(total * x)
        return before, x, total, w.assign(x)

    def want(x: Any, w: Any) -> Any:
        total = 1 + 3 * x * w
        return x * 2, total * x, total, total * x

    for got, expected in zip(ft.jit(f)(A[0], A[1]), want(A[0], A[1]), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_the_argument_of_the_caller_is_not_changed() -> None:
    x, t = A.copy(), ft.Tensor(A)
    f = ft.jit(lambda x: x.assign(x * 0))
    np.testing.assert_array_equal(f(x), A * 0)
    np.testing.assert_array_equal(f(t).numpy(), A * 0)
    np.testing.assert_array_equal(x, A)
    np.testing.assert_array_equal(t.numpy(), A)


def test_what_was_made_outside_of_a_traced_function_is_not_assigned_to() -> None:
    t = ft.Tensor(A[0])
    for f in (ft.jit(lambda x: t.assign(x)), ft.vmap(lambda x: t.assign(x)), ft.vmap(lambda x: t.assign(t + 1))):
        with pytest.raises(ArgumentError, match=r"(?s)shape \(3,\) inside (jit|vmap) of .*which one would win"):
            f(A if "vmap" in repr(f) or f.__name__ == "<lambda>" else A[0])
    with pytest.raises(ArgumentError, match="inside vmap of <lambda>"):
        ft.jit(lambda x: ft.vmap(lambda y: x[0].contiguous() + y + x.assign(x)[0])(x))(A)
    with pytest.raises(ArgumentError, match="inside jvp of <lambda>"):
        ft.jit(lambda x: ft.jvp(lambda y: x.assign(x + y), (x,), (x,))[1])(A)
    np.testing.assert_array_equal(t.numpy(), A[0])


def test_a_traced_value_does_not_get_out() -> None:
    t, kept = ft.Tensor(A[0]), []
    ft.jit(lambda x: kept.append(x) or x)(A[0])
    with pytest.raises(LeakedValueError):
        t.assign(kept[0])
    with pytest.raises(LeakedValueError):
        kept[0].assign(t)
    np.testing.assert_array_equal(t.numpy(), A[0])
    with pytest.raises(ArgumentError, match="needs the value of variable 'n'"):
        t.assign(t * ft.Variable("n", 0, 2))


def test_what_has_no_memory() -> None:
    t = ft.Tensor(A)
    cases = [
        (ft.Tensor(3.0), "a constant"), (fnp.zeros((2, 3)), "a constant"), (t + 1, "result of ADD"),
        (t[1:], "result of SHRINK"), (t.T, "result of PERMUTE"), (fnp.arange(3), "result of IOTA"),
    ]  # fmt: skip
    for u, what in cases:
        with pytest.raises(ArgumentError, match=rf"that is (a|the) .*{what[2:]}.*has no memory of its own"):
            u.assign(u)
        stored_one = u.contiguous().realize()
        want = stored_one.numpy() * 2
        np.testing.assert_array_equal(stored_one.assign(stored_one * 2).numpy(), want)
    np.testing.assert_array_equal(ft.jit(lambda x: (x + 1).contiguous().assign(x))(A), A)
    with pytest.raises(ArgumentError, match="assign to variable 'n'"):
        ft.Variable("n", 0, 3).bind(2).assign(1)


def test_shapes_and_dtypes_are_those_of_the_tensor() -> None:
    t = ft.Tensor(A)
    for value in (A[0], np.ones((3, 2)), np.ones((1, 2, 3)), np.float64(2.0)):
        with pytest.raises(ShapeError, match=r"value of shape \(.*to a Tensor of shape \(2, 3\)"):
            t.assign(value)
    for dtype in (np.float32, np.int64, np.complex128, np.bool_):
        with pytest.raises(DtypeError, match=rf"{np.dtype(dtype).name} to a Tensor of float64"):
            t.assign(A.astype(dtype))
    with pytest.raises(DtypeError, match=r"2\.5 does not go into"):
        ft.Tensor(np.arange(3)).assign(2.5)
    np.testing.assert_array_equal(t.assign(A.tolist()).assign(2).numpy(), np.full((2, 3), 2.0))
    assert t.dtype == np.float64


def test_shards_stay_shards() -> None:
    t = ft.Tensor(A).shard(("CPU", "CPU:1"), axis=0)
    np.testing.assert_array_equal(t.assign(t * 2).numpy(), A * 2)
    assert t.device == ("CPU", "CPU:1")
