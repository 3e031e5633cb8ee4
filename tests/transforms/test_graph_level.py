"""Maps written by hand, as in the seeds: UOp.range, vmapin, vmapout, Tensor.empty, ft.schedule, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import Tensor, UOp
from functrans.ops import AxisType, GroupOp, Ops, dtypes
from tests.laws.references import assert_close

RNG = np.random.default_rng(8)
ZERO = UOp.const(dtypes.index, 0)
Function = Callable[[Any], Any]


def by_hand(f: Function, in_axis: int = 0, axis_id: int | None = None) -> Function:
    """The map of the seeds' test suite: the batch at the front of the result."""

    def mapped(x: Any) -> Any:
        r = UOp.range(x.shape[in_axis], axis_id, AxisType.LOOP)
        y = f(x.vmapin(tuple(r if i == in_axis else ZERO for i in range(x.ndim))))
        return y.vmapout((r, *(ZERO for _ in range(y.ndim))))

    return mapped


def kernels(y: Any) -> int:
    return len(ft.schedule(UOp.sink(y.uop)))


def both(f: Function, *args: Any) -> list[Any]:
    """Read at the prompt, and compiled."""
    return [f(*map(Tensor, args)).numpy(), ft.jit(f)(*args)]


def stacked(x: Any) -> Any:
    """The intermediate with two consumers, of section 5.1."""
    return Tensor.stack(x[:2].sum(), x[2:].sum())[[0, 1]]


def basis(x: Any) -> Any:
    """Section 6.9, and the reproduction script."""
    flat = Tensor.stack(*(x * Tensor(v) for v in np.eye(3))).flatten()
    return Tensor.stack(flat[0], flat[1])


def softmax(x: Any) -> Any:
    e = (x - x.max()).exp()
    return e / e.sum()


def test_the_reproduction_script_of_the_seeds() -> None:
    """tinygrad's own words, with its imports replaced: it schedules, in one kernel."""
    result = by_hand(basis, 0, -1)(Tensor.empty((10, 3)))
    assert result.shape == (10, 2)
    assert kernels(result) == 1
    x = RNG.normal(size=(10, 3))
    for got in both(by_hand(basis), x):
        assert_close(got, x[:, [0, 0]] * [1.0, 0.0])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_slices(axis: int) -> None:
    x = RNG.normal(size=(3, 6, 2))
    for got in both(by_hand(lambda v: v * v.sum(), axis), x):
        assert_close(got, np.stack([v * v.sum() for v in np.moveaxis(x, axis, 0)]))


def test_the_document_of_the_intermediate() -> None:
    """x.vmapin((CONST(0), RANGE(3))): every batch element has its own intermediate, not the last one's."""
    x = RNG.normal(size=(4, 3))
    wanted = np.stack([x[:2].sum(0), x[2:].sum(0)], 1)
    for got in both(by_hand(stacked, 1), x):
        assert_close(got, wanted)


@pytest.mark.parametrize(
    "f", [stacked, softmax, lambda x: x * 2 + 1, lambda x: (x.reshape((4, 1)) * x).sum(axis=0) @ x],
    ids=["stacked", "softmax", "elementwise", "outer product"],
)
def test_one_kernel(f: Function) -> None:
    assert kernels(by_hand(f)(Tensor.empty((10, 4)))) == 1
    assert kernels(by_hand(f, 1)(Tensor.empty((4, 10)))) == 1


def test_two_ranges_in_one_varg() -> None:
    """One bracket opens two axes, and another closes them, in another order."""
    x = RNG.normal(size=(2, 3, 4))

    def f(x: Any) -> Any:
        r, s = UOp.range(2), UOp.range(4)
        v = x.vmapin((r, ZERO, s))
        assert v.shape == (3,) and v.uop.free_ranges == {r, s}
        y = v * v.sum()
        return y.vmapout((s, ZERO, r))

    for got in both(f, x):
        assert_close(got, (x * x.sum(1, keepdims=True)).transpose(2, 1, 0))


def test_two_ranges_of_one_size() -> None:
    """Only their order tells them apart."""
    x = RNG.normal(size=(3, 2, 3))

    def f(x: Any) -> Any:
        r, s = UOp.range(3), UOp.range(3)
        y = x.vmapin((r, ZERO, s))
        return (y * y.sum()).vmapout((s, ZERO, r)), y.vmapout((r, s, ZERO)), y[0].vmapout((s, r))

    products = x * x.sum(1, keepdims=True)
    wanted = products.transpose(2, 1, 0), x.transpose(0, 2, 1), x[:, 0].T
    for got in ([t.numpy() for t in f(Tensor(x))], ft.jit(f)(x)):
        for g, w in zip(got, wanted, strict=True):
            assert_close(g, w)


def test_brackets_closed_one_by_one() -> None:
    x = RNG.normal(size=(2, 3, 4))

    def f(x: Any) -> Any:
        r, s = UOp.range(2), UOp.range(4)
        inner = x.vmapin((r, ZERO, s)).sum().vmapout((s,))  # (4,), r still open
        assert inner.shape == (4,) and inner.uop.free_ranges == {r}
        return (inner * inner.max()).vmapout((ZERO, r))

    sums = x.sum(1).T
    for got in both(f, x):
        assert_close(got, sums * sums.max(axis=0))


def test_brackets_by_hand_inside_and_outside_of_vmap() -> None:
    x = RNG.normal(size=(2, 3, 4))
    wanted = x * x.sum(2, keepdims=True)
    assert_close(ft.vmap(by_hand(lambda v: v * v.sum()))(x), wanted)
    for got in both(by_hand(ft.vmap(lambda v: v * v.sum())), x):
        assert_close(got, wanted)


def test_a_derivative_through_brackets_by_hand() -> None:
    x, t = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
    got = ft.jvp(by_hand(lambda v: v * v.sum()), (x,), (t,))[1]
    assert_close(got, t * x.sum(1, keepdims=True) + x * t.sum(1, keepdims=True))


def test_ranges_without_an_id_are_all_new() -> None:
    assert len({UOp.range(3) for _ in range(5)}) == 5
    assert UOp.range(3, 7) is UOp.range(3, 7)
    assert UOp.range(3).arg[1] is AxisType.LOOP


def test_groups() -> None:
    assert set(GroupOp.VMap) == {Ops.VMAPIN, Ops.VMAPOUT}


# what is refused


X = Tensor(np.zeros((3, 4)))
R3, R4 = UOp.range(3), UOp.range(4)


@pytest.mark.parametrize(
    "varg, text",
    [
        ((R3,), "1 entries in varg for 2 axes"),
        ((R3, ZERO, ZERO), "3 entries in varg for 2 axes"),
        ((R4, ZERO), "RANGE of 4, axis 0 has size 3"),
        ((ZERO, ZERO), "no RANGE"),
        ((UOp.const(dtypes.index, 1), R4), "expected a RANGE or CONST"),
        ((UOp.const(dtypes.int64, 0), R4), "dtype int64; expected index"),
    ],
)
def test_wrong_entries(varg: tuple[UOp, ...], text: str) -> None:
    with pytest.raises(ft.SpecError, match=text) as caught:
        X.vmapin(varg)
    assert isinstance(caught.value, ValueError)


def test_one_range_twice() -> None:
    square = Tensor(np.zeros((3, 3)))
    with pytest.raises(ft.SpecError, match="one RANGE twice"):
        square.vmapin((R3, R3))


def test_a_range_that_is_still_open() -> None:
    square = Tensor(np.zeros((3, 3)))
    inner = square.vmapin((R3, ZERO))
    with pytest.raises(ft.SpecError, match="still open"):
        inner.vmapin((R3,))
    again = UOp.range(3, 77)
    with pytest.raises(ft.SpecError, match="still open"):
        square.vmapin((again, ZERO)).vmapin((UOp.range(3, 77),))


@pytest.mark.parametrize("varg", [(R3,), (R3, ZERO, ZERO), (ZERO, ZERO)])
def test_wrong_entries_on_the_way_out(varg: tuple[UOp, ...]) -> None:
    inner = X.vmapin((R3, ZERO))  # (4,)
    with pytest.raises(ft.SpecError):
        inner.vmapout(varg)


def test_an_open_range_has_no_value() -> None:
    inner = X.vmapin((R3, ZERO))
    with pytest.raises(ft.TracedValueError):
        inner.numpy()
    with pytest.raises(ft.FunctransError):
        ft.schedule(inner.uop)
