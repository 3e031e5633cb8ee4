"""x.at[i] updates as NumPy's ufunc.at and assignment do, and keeps apart what the update does not concern."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.errors import DtypeError, IndexOutOfRange, ShapeError, TracedValueError
from functrans.ops import build as B
from functrans.ops import source
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.tensor.at import AtIndexer
from tests.tensor.indices import accepted, arange, dynamic, indexed

LAW = settings(max_examples=300, deadline=None)
UFUNCS = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip


def at(x, values=None):
    """``x.at`` whose results are arrays."""
    return AtIndexer(x, lambda node: interpret([node], values or {})[0])


def nodes(x):
    """``x.at`` whose results are nodes."""
    return AtIndexer(x, lambda node: node)


def expected(x, key, v, mode):
    want = x.copy()
    if mode == "set":
        want[key] = v
    else:
        # broadcast first: ufunc.at of a one-dimensional array adds a value that it would have to broadcast only once
        UFUNCS[mode].at(want, key, np.broadcast_to(v, want[key].shape))
    return want


@st.composite
def updates(draw):
    """A shape, a key, a mode and a value that broadcasts to the selection."""
    shape, key = draw(indexed())
    if not accepted(shape, key):
        shape, key = (3,), slice(None)
    selected = arange(shape)[key].shape
    tail = selected[draw(st.integers(0, len(selected))) :]
    v_shape = tuple(draw(st.sampled_from([d, 1])) for d in tail)
    v = np.random.default_rng(draw(st.integers(0, 9))).integers(1, 9, v_shape) / 4
    return shape, key, draw(st.sampled_from(["set", *UFUNCS])), v


@LAW
@given(updates())
def test_every_key_and_mode_is_numpys(update):
    shape, key, mode, v = update
    x = arange(shape)
    got = getattr(at(source.buffer(x))[key], mode)(v)
    assert got.shape == x.shape
    np.testing.assert_allclose(got, expected(x, key, v, mode), rtol=1e-14 if mode == "divide" else 0)


@LAW
@given(updates())
def test_nodes_as_indices_are_constants_known_later(update):
    shape, key, mode, v = update
    x, values = arange(shape), {}
    place, operand = dynamic(key, values), source.param(v.shape, dtypes.float64)
    values[operand] = v
    got = getattr(at(source.buffer(x), values)[place], mode)(operand)
    np.testing.assert_allclose(got, expected(x, key, v, mode), rtol=1e-14 if mode == "divide" else 0)


@given(st.lists(st.integers(-9, 9), max_size=6), st.sampled_from(["set", "add", "min"]))
def test_nodes_out_of_range_are_dropped(raw, mode):
    index, node = np.array(raw, np.int64), source.param((len(raw),), dtypes.int64)
    x, v = arange((4, 2)), np.arange(2.0 * len(raw)).reshape(len(raw), 2)
    keep = (index >= -4) & (index < 4)
    got = getattr(at(source.buffer(x), {node: index})[node], mode)(v)
    np.testing.assert_array_equal(got, expected(x, index[keep], v[keep], mode))


def test_the_larger_half_of_uint64_is_out_of_range():
    index = np.array([2**64 - 1, 1], np.uint64)
    node = source.param((2,), dtypes.uint64)
    np.testing.assert_array_equal(at(source.buffer(np.zeros(3)), {node: index})[node].add(1.0), [0, 1, 0])


def test_duplicates_happen_in_order():
    x = source.buffer(np.array([1.0, 10.0]))
    np.testing.assert_array_equal(at(x)[[0, 1, 0]].set([2.0, 3.0, 4.0]), [4.0, 3.0])
    np.testing.assert_array_equal(at(x)[[0, 1, 0]].multiply([2.0, 3.0, 4.0]), [8.0, 30.0])
    np.testing.assert_array_equal(at(x)[[0, 1, 0]].divide([2.0, 3.0, 4.0]), [0.125, 10 / 3])
    np.testing.assert_array_equal(at(x)[[0, 0]].subtract(1.0), [-1.0, 10.0])


def test_get_is_the_selection():
    x = arange((3, 4))
    np.testing.assert_array_equal(at(source.buffer(x))[1:, [0, 3]].get(), x[1:, [0, 3]])


@pytest.mark.parametrize(
    "key", [0, (slice(1, 3), -1), slice(None, None, 2), [1, 3], np.ix_([0, 2], [3, 1]), (np.arange(4), np.arange(4))]
)
def test_regular_updates_are_joins(key):
    x = source.param((5, 4), dtypes.float64)
    node = nodes(x)[key].set(7.0)
    assert not {Ops.SCATTER, Ops.WHERE, Ops.ADD, Ops.MUL} & {u.op for u in node.toposort()}
    given = arange((5, 4))
    np.testing.assert_array_equal(interpret([node], {x: given})[0], expected(given, key, 7.0, "set"))


def test_filling_an_array_element_by_element_is_one_join():
    x = source.param((50,), dtypes.float64)
    out = B.full((50,), dtypes.float64, 0)
    for k in range(50):
        out = nodes(out)[k].set(B.shrink(x, ((k, k + 1),)))
    assert out.op is Ops.CAT and len(out.src) == 50
    assert sum(u.op is Ops.CAT for u in out.toposort()) == 1


def test_updates_at_one_place_do_not_pile_up_joins():
    x = source.param((9,), dtypes.float64)
    out = x
    for _ in range(20):
        out = nodes(out)[3].add(1.0)
    assert sum(u.op is Ops.CAT for u in out.toposort()) == 1
    np.testing.assert_array_equal(interpret([out], {x: np.zeros(9)})[0], 20.0 * (np.arange(9) == 3))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.float32, np.complex128])
def test_the_dtype_of_x_stays(dtype):
    x = np.ones(3, dtype)
    got = at(source.buffer(x))[1].set(False)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.array([1, 0, 1], dtype))


def test_same_kind_casts_are_made():
    got = at(source.buffer(np.zeros(2, np.float32)))[0].set(np.float64(1 / 3))
    assert got.dtype == np.float32 and got[0] == np.float32(1 / 3)
    np.testing.assert_array_equal(at(source.buffer(np.zeros(2, np.int8)))[:].add(np.array([1, 2])), [1, 2])
    np.testing.assert_array_equal(at(source.buffer(np.zeros(2)))[:].set(np.array([[[1, 2]]])), [1, 2])


@pytest.mark.parametrize(
    ("dtype", "v", "text"),
    [
        (np.int64, 0.5, "0.5 does not go into an array of dtype int64"),
        (np.int64, np.float32(2), "float32 does not go into an array of dtype int64"),
        (np.float64, 1j, "does not go into an array of dtype float64"),
        (np.bool_, 1, "1 does not go into an array of dtype bool"),
        (np.uint8, -1, "out of bounds for uint8"),
        (np.uint8, np.array([1]), "int64 does not go into an array of dtype uint8"),
    ],
)
def test_lossy_values_raise(dtype, v, text):
    with pytest.raises(DtypeError, match=text):
        at(source.buffer(np.zeros(3, dtype)))[0].set(v)


def test_what_an_update_refuses():
    x = at(source.param((4, 3), dtypes.float64))
    with pytest.raises(IndexOutOfRange, match="index 4 is out of bounds for axis 0"):
        x[4]
    with pytest.raises(ShapeError, match=r"shape \(2,\) does not broadcast to the selection, of shape \(4, 3\)"):
        x[:].set(np.zeros(2))
    with pytest.raises(ShapeError, match="does not broadcast"):
        x[0].set(np.zeros((2, 3)))
    with pytest.raises(TracedValueError, match=r"fnp\.where"):
        x[source.param((4, 3), dtypes.bool_)]
    with pytest.raises(DtypeError, match="divide gives fractions"):
        at(source.buffer(np.ones(3, int)))[0].divide(2)


def test_at_says_what_it_is():
    assert "x.at[i].set(v)" in repr(at(source.param((4,), dtypes.float64)))
