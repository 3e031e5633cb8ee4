"""DEVICE, COPY, MULTI, BUFFER_VIEW: what they mean, what is wrong with them, and the rules that fold them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import ArgumentError, SpecError, UnsupportedError
from functrans.ops import Ops, UOp, placement, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.movement import flat
from functrans.ops.placement import Layout
from functrans.ops.printer import from_text, to_text
from functrans.ops.rewrite import graph_rewrite
from functrans.ops.spec import verify

F = dtypes.float64
X = np.arange(12.0).reshape(4, 3)


def test_names_of_domains() -> None:
    names = ["CPU", "cpu", "CPU:0", "CPU:1", "cpu:12"]
    assert [placement.domain(n) for n in names] == ["CPU", "CPU", "CPU", "CPU:1", "CPU:12"]
    for name in ("gpu", "CPU:", "CPU:01", "CPU:-1", "CPU:1 ", "CPU:99999", "", "CPU:\u0661"):
        with pytest.raises(UnsupportedError, match="CPU:1"):
            placement.domain(name)
    with pytest.raises(ArgumentError, match="is a int"):
        placement.domain(1)


@given(st.integers(0, 40), st.integers(1, 7))
def test_even_windows(n: int, count: int) -> None:
    parts = placement.even(n, count)
    sizes = [b - a for a, b in parts]
    assert len(parts) == count and sum(sizes) == n and max(sizes) - min(sizes) <= 1
    assert sorted(sizes, reverse=True) == sizes
    assert [a for a, _ in parts] == [sum(sizes[:k]) for k in range(count)]


@given(st.lists(st.integers(0, 4), max_size=4), st.data())
def test_a_block_is_where_numpy_finds_it(shape: list[int], data: st.DataObject) -> None:
    x = np.arange(int(np.prod(shape))).reshape(shape)
    bounds = []
    for n in shape:
        start = data.draw(st.integers(0, n))
        bounds.append((start, data.draw(st.integers(start, n))))
    found = placement.block(tuple(shape), bounds)
    window = x[tuple(slice(a, b) for a, b in bounds)]
    if found is None:
        assert window.size > 1 and not window.flags.c_contiguous
    else:
        size, offset = found
        np.testing.assert_array_equal(x.reshape(-1)[offset : offset + size], window.reshape(-1))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("devices", [("CPU:1",), ("CPU", "CPU:1"), ("CPU", "CPU:1", "CPU:2", "CPU:3", "CPU:4")])
def test_an_array_dealt_out_is_the_array(axis: int | None, devices: tuple[str, ...]) -> None:
    x = source.buffer(X)
    sizes = () if axis is None else placement.even_sizes(X.shape[axis], len(devices))
    laid = placement.lay(x, Layout(devices, axis, sizes))
    np.testing.assert_array_equal(interpret([laid])[0], X)
    assert placement.domains_of(laid) == devices
    assert placement.whole(laid) is x
    assert from_text(to_text(placement.lay(source.param((4, 3), F), Layout(devices, axis, sizes))))[0].op is laid.op
    verify([laid], "tensor", "a test")


def test_what_is_no_dealing_out_stays() -> None:
    x = source.buffer(X)
    rows = [placement.copy(B.shrink(x, ((a, b), (0, 3))), d) for (a, b), d in (((2, 4), "CPU"), ((0, 2), "CPU:1"))]
    turned = placement.multi(rows, 0)
    assert placement.whole(turned) is turned
    np.testing.assert_array_equal(interpret([turned])[0], X[[2, 3, 0, 1]])
    part = placement.multi(rows[:1], 0)
    assert placement.whole(part) is part


def test_shards_that_are_not_real_are_zeros() -> None:
    x = source.buffer(X)
    y = placement.multi([x, B.neg(x), x], 1, (True, False, True))
    np.testing.assert_array_equal(interpret([y])[0], np.concatenate([X, 0 * X, X], 1))


def test_a_clone_is_memory_of_its_own() -> None:
    x = source.buffer(X)
    same, cloned = (interpret([placement.copy(x, "CPU:1", clone)])[0] for clone in (False, True))
    assert np.shares_memory(same, source.stored(flat(x)))
    assert not np.shares_memory(cloned, source.stored(flat(x)))


def test_a_copy_to_where_it_is_folds_away() -> None:
    x = placement.copy(source.param((2,), F), "CPU:1")
    y = B.neg(x)
    again, clone, away = placement.copy(y, "CPU:1"), placement.copy(y, "CPU:1", clone=True), placement.copy(y, "CPU")
    assert graph_rewrite([again, clone, away], placement.pm_copy) == [y, clone, away]
    assert placement.on(y, "CPU:1") is y


def test_a_window_of_a_view_is_a_view() -> None:
    base = source.buffer(np.arange(24.0))
    x = B.reshape(placement.buffer_view(base, 12, 6), (2, 3, 2))
    cases = {
        ((1, 2), (0, 3), (0, 2)): (6, 12),
        ((1, 2), (1, 3), (0, 2)): (4, 14),
        ((0, 1), (2, 3), (1, 2)): (1, 11),
        ((0, 2), (0, 0), (0, 2)): (0, 6),
    }
    for bounds, arg in cases.items():
        made = placement.view(B.shrink(x, bounds))
        assert flat(made).op is Ops.BUFFER_VIEW and flat(made).arg == arg
        np.testing.assert_array_equal(interpret([made])[0], interpret([B.shrink(x, bounds)])[0])
    scattered = B.shrink(x, ((0, 2), (0, 2), (0, 2)))
    assert placement.view(scattered) is scattered
    plain = B.shrink(B.reshape(base, (4, 6)), ((1, 2), (0, 6)))
    assert placement.view(plain) is plain  # an array in memory is read through the slice


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda x: UOp(Ops.COPY, F, (x,), False), "expected a DEVICE and an array"),
        (lambda x: UOp(Ops.COPY, F, (x, x), False), "expected a DEVICE and an array"),
        (lambda x: UOp(Ops.COPY, F, (placement.device("CPU"), x), 1), "whether to clone"),
        (lambda x: placement.multi([x, x], 2), "axis 2 of shards"),
        (lambda x: placement.multi([x, B.permute(x, (1, 0))], 0), "the other axes must agree"),
        (lambda x: placement.multi([x, B.shrink(x, ((0, 1), (0, 3)))], None), "copies of shapes"),
        (lambda x: placement.multi([x, x], 0, (True,)), "one flag a shard"),
        (lambda x: placement.multi([x, x], None, (True, False)), "are real"),
        (lambda x: UOp(Ops.MULTI, F, (), (0, ())), "one flag a shard"),
        (lambda x: placement.buffer_view(x, 1, 0), "expected a BUFFER"),
        (lambda x: placement.buffer_view(x.src[0], 7, 6), "window of 7 from 6 on in a buffer of 12"),
        (lambda x: placement.buffer_view(x.src[0], 1, -1), "window of 1 from -1"),
    ],
)
def test_wrong_nodes_say_what_is_wrong(make: object, text: str) -> None:
    with pytest.raises(SpecError, match=text):
        make(source.buffer(X))  # type: ignore[operator]


def test_only_the_tensor_stage_knows_domains() -> None:
    x = UOp.const(F, 1.0)
    for node in (placement.copy(x, "CPU"), placement.multi([x, x], None)):
        with pytest.raises(SpecError, match="not legal at the ranged stage"):
            verify([node], "ranged", "a test")
    view = placement.buffer_view(source.buffer(np.arange(4.0)), 2, 1)
    verify([view], "ranged", "a test")
    wrong = UOp(Ops.COPY, dtypes.float32, (placement.device("CPU"), x), False)
    with pytest.raises(SpecError, match="not legal at the tensor stage"):
        verify([wrong], "tensor", "a test")
