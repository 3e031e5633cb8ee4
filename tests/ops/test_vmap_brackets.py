"""VMAPIN and VMAPOUT: what they accept, what they mean, which RANGEs they leave open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import AxisType, GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.vmap import extent, ranges_of

ZERO = UOp.const(dtypes.index, 0)
F = dtypes.float64


@pytest.fixture
def x() -> UOp:
    return source.param((2, 3, 4), F)


def refused(says: str) -> pytest.RaisesExc[SpecError]:
    """A SpecError with this text."""
    return pytest.raises(SpecError, match=says)


# shapes and open ranges


def test_the_group() -> None:
    assert GroupOp.VMap == {Ops.VMAPIN, Ops.VMAPOUT}


def test_in_drops_the_axes_under_ranges(x: UOp) -> None:
    r, q = UOp.range(2), UOp.range(4)
    assert x.vmapin((r, ZERO, ZERO)).shape == (3, 4)
    assert x.vmapin((r, ZERO, q)).shape == (3,)
    assert x.vmapin((r, UOp.range(3), q)).shape == ()
    assert x.vmapin((r, ZERO, q)).dtype == F


def test_out_puts_them_where_the_varg_says(x: UOp) -> None:
    r, q = UOp.range(2), UOp.range(4)
    y = x.vmapin((r, ZERO, q))
    assert y.vmapout((r, q, ZERO)).shape == (2, 4, 3)
    assert y.vmapout((ZERO, q, r)).shape == (3, 4, 2)
    assert y.vmapout((q, ZERO)).shape == (4, 3)


def test_free_ranges(x: UOp) -> None:
    r, q = UOp.range(2), UOp.range(4)
    y = x.vmapin((r, ZERO, q))
    z = B.mul(y, y)
    assert x.free_ranges == frozenset()
    assert y.free_ranges == z.free_ranges == {r, q}
    assert z.vmapout((ZERO, q)).free_ranges == {r}
    assert z.vmapout((ZERO, r)).free_ranges == {q}
    assert z.vmapout((r, ZERO, q)).free_ranges == frozenset()
    assert B.add(z.vmapout((ZERO, q)), source.param((3, 4), F)).free_ranges == {r}


def test_out_repeats_what_does_not_depend_on_the_range() -> None:
    y = source.param((3,), F)
    r = UOp.range(2)
    out = y.vmapout((ZERO, r))
    assert (out.shape, out.free_ranges) == ((3, 2), frozenset())
    values = np.arange(3.0)
    np.testing.assert_array_equal(interpret([out], {y: values})[0], np.stack([values, values], 1))


def test_a_range_itself_is_a_value() -> None:
    r, q = UOp.range(3), UOp.range(2)
    node = B.add(B.cast(r, dtypes.int64), B.cast(q, dtypes.int64)).vmapout((r, q))
    np.testing.assert_array_equal(interpret([node])[0], [[0, 1], [1, 2], [2, 3]])


@pytest.mark.parametrize("n", [0, 1])
def test_ranges_of_size_0_and_1_keep_their_role(n: int) -> None:
    x = source.param((3, n), F)
    r = UOp.range(n)
    inner = x.vmapin((ZERO, r))
    assert (inner.shape, inner.free_ranges) == ((3,), {r})
    out = inner.vmapout((r, ZERO))
    values = np.arange(3.0 * n).reshape(3, n)
    np.testing.assert_array_equal(interpret([out], {x: values})[0], values.T)


# meaning


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_out_after_in_is_a_transpose(data: st.DataObject) -> None:
    ndim = data.draw(st.integers(1, 4))
    shape = tuple(data.draw(st.sampled_from([0, 1, 2, 3, 4])) for _ in range(ndim))
    mapped = sorted(data.draw(st.sets(st.integers(0, ndim - 1), min_size=1)))
    ranges = {a: UOp.range(shape[a]) for a in mapped}
    x = source.param(shape, F)
    inner = x.vmapin(tuple(ranges.get(a, ZERO) for a in range(ndim)))
    kept = [a for a in range(ndim) if a not in mapped]
    order: list[int] = []  # the axis of x that each axis of the result is: kept ones in order, mapped ones anywhere
    rest, opened = iter(kept), list(data.draw(st.permutations(mapped)))
    for is_range in data.draw(st.permutations([True] * len(mapped) + [False] * len(kept))):
        order.append(opened.pop() if is_range else next(rest))
    out = B.neg(inner).vmapout(tuple(ranges.get(a, ZERO) for a in order))
    values = np.random.default_rng(0).uniform(1, 2, shape)
    np.testing.assert_array_equal(interpret([out], {x: values})[0], -values.transpose(order))


def test_brackets_closed_either_way_round() -> None:
    # one body under two nestings: a value of a lane must not be taken for that of another
    x = source.param((2, 2), F)
    r, q = UOp.range(2), UOp.range(2)
    body = B.neg(x.vmapin((r, q)))
    rows = body.vmapout((q,)).vmapout((r, ZERO))
    columns = body.vmapout((r,)).vmapout((q, ZERO))
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    a, b = interpret([rows, columns], {x: values})
    np.testing.assert_array_equal(a, -values)
    np.testing.assert_array_equal(b, -values.T)


def test_what_is_captured_is_not_mapped() -> None:
    x, w = source.param((3, 2), F), source.param((2,), F)
    r = UOp.range(3)
    out = B.reduce_axis(B.mul(x.vmapin((r, ZERO)), w), Ops.ADD, (0,)).vmapout((r,))
    values, weights = np.arange(6.0).reshape(3, 2), np.array([1.0, -2.0])
    np.testing.assert_array_equal(interpret([out], {x: values, w: weights})[0], values @ weights)


# what is refused


def test_wrong_number_of_entries(x: UOp) -> None:
    r = UOp.range(2)
    for varg in ((r,), (r, ZERO), (r, ZERO, ZERO, ZERO)):
        with refused(f"{len(varg)} entries in varg for 3 axes"):
            x.vmapin(varg)


def test_wrong_count_of_zeros(x: UOp) -> None:
    r = UOp.range(2)
    y = x.vmapin((r, ZERO, ZERO))
    for varg in ((r,), (r, ZERO), (ZERO, ZERO, r, ZERO)):
        with refused(rf"{varg.count(ZERO)} CONST\(0\) in varg for 2 axes"):
            y.vmapout(varg)


def test_wrong_dtype(x: UOp) -> None:
    for entry in (UOp.const(dtypes.int64, 0), UOp.const(dtypes.int32, 0), x):
        with refused(r"varg\[1\] has dtype \w+; expected index"):
            x.vmapin((UOp.range(2), entry, ZERO))
        with refused(r"varg\[0\] has dtype"):
            x.vmapout((entry, ZERO))


def test_what_is_neither_a_range_nor_zero(x: UOp) -> None:
    one = UOp.const(dtypes.index, 1)
    for entry in (one, UOp(Ops.ADD, dtypes.index, (UOp.range(3), one))):
        with refused(r"varg\[1\] is .*; expected a RANGE or CONST\(0\)"):
            x.vmapin((UOp.range(2), entry, ZERO))
        with refused(r"varg\[0\] is .*; expected a RANGE or CONST\(0\)"):
            x.vmapout((entry, ZERO))


def test_no_range(x: UOp) -> None:
    with refused("varg has no RANGE"):
        x.vmapin((ZERO, ZERO, ZERO))
    with refused("varg has no RANGE"):
        x.vmapout((ZERO, ZERO, ZERO))


def test_one_range_twice() -> None:
    x, r = source.param((3, 3), F), UOp.range(3)
    with refused("varg names one RANGE twice"):
        x.vmapin((r, r))
    with refused("varg names one RANGE twice"):
        source.param((), F).vmapout((r, r))


@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_sizes_are_compared(x: UOp, n: int) -> None:
    with refused(rf"varg\[0\] is a RANGE of {n}, axis 0 has size 2"):
        x.vmapin((UOp.range(n), ZERO, ZERO))


def test_an_open_range_is_not_used_again() -> None:
    x = source.param((3, 3), F)
    r = UOp.range(3)
    y = x.vmapin((r, ZERO))
    with refused(r"varg\[0\] is a RANGE that is still open in the source; use a fresh one"):
        y.vmapin((r,))
    assert y.vmapout((r, ZERO)).vmapin((r, ZERO)).free_ranges == {r}  # closed in between


def test_user_ids_collide_on_purpose() -> None:
    x = source.param((3, 3), F)
    with refused("still open"):
        x.vmapin((UOp.range(3, 7), ZERO)).vmapin((UOp.range(3, 7),))
    assert x.vmapin((UOp.range(3), ZERO)).vmapin((UOp.range(3),)).shape == ()


def test_wrong_ends() -> None:
    with refused("end -1; expected at least 0"):
        UOp.range(-1)
    with refused("end 2.0; expected an integer"):
        UOp.range(2.0)  # type: ignore[arg-type]
    with refused("expected one node of dtype index"):
        UOp.range(UOp.const(dtypes.int64, 3))
    assert UOp.range(np.int64(3)).src[0].arg == 3


# helpers


def test_extent_and_ranges() -> None:
    r, q = UOp.range(5), UOp.range(2, axis_type=AxisType.OUTER)
    n = UOp(Ops.DEFINE_VAR, dtypes.index, (), ("n", 1, 9))
    assert (extent(r), extent(q), extent(UOp.range(n))) == (5, 2, 9)
    assert ranges_of((ZERO, q, ZERO, r)) == (q, r)
