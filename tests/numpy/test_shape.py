"""Movement, joining and splitting against NumPy."""

import itertools

import numpy as np
import pytest

import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, AxisError, FunctransError, IntegerOutOfRange, ShapeError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, same, values

A = values((2, 3, 5), "float64")
SHAPES = [(2, 3, 5), (3, 1, 2), (1,), (0, 3), (4, 4)]


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("reshape", ((5, -1),)), ("reshape", ((30,),)), ("reshape", (-1,)), ("reshape", ((1, 2, 15, 1),)),
        ("reshape", ((5, 6), "F")), ("ravel", ()), ("ravel", ("F",)), ("transpose", ()), ("transpose", ((1, 2, 0),)),
        ("transpose", ((-1, 0, 1),)), ("permute_dims", ((2, 0, 1),)), ("matrix_transpose", ()),
        ("swapaxes", (0, -1)), ("moveaxis", (0, -1)), ("moveaxis", ((0, 1), (-1, 0))), ("rollaxis", (2,)),
        ("rollaxis", (0, 3)), ("expand_dims", (1,)), ("expand_dims", ((0, -1),)), ("broadcast_to", ((4, 2, 3, 5),)),
        ("flip", ()), ("flip", (1,)), ("flip", ((0, -1),)), ("flipud", ()), ("fliplr", ()), ("rot90", ()),
        ("rot90", (2,)), ("rot90", (3, (1, 2))), ("rot90", (-1, (2, 0))), ("roll", (1,)), ("roll", (-7, 1)),
        ("roll", ((1, -2), (0, 2))), ("roll", (2, (0, 1))), ("roll", (100,)), ("tile", (2,)), ("tile", ((2, 1, 3),)),
        ("tile", ((2, 1, 1, 2),)), ("tile", (0,)), ("repeat", (2,)), ("repeat", (3, 1)), ("repeat", ([2, 0, 1], 1)),
        ("repeat", (0, 0)), ("repeat", (True,)), ("diagonal", ()), ("diagonal", (1, 1, 2)),
        ("diagonal", (-1, 0, 1)), ("trace", ()), ("trace", (1, 2, 1)),
        ("tril", ()), ("tril", (1,)), ("triu", (-1,)), ("atleast_1d", ()), ("atleast_2d", ()),
        ("atleast_3d", ()), ("squeeze", ()), ("split", (3, 1)), ("split", ([1, 3], 2)), ("array_split", (2, 1)),
        ("array_split", ([2, 9], 2)), ("split", ([2, 1], 2)), ("hsplit", (3,)), ("vsplit", (2,)), ("dsplit", ([2],)),
        ("take", ([2, 0, -1], 1)), ("take", ([[0, 29], [3, 3]],)), ("unstack", ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float64", "int16", "bool"])
def test_movement(name, rest, dtype):
    check(name, [values((2, 3, 5), dtype)], *rest)


@pytest.mark.parametrize("name", ["ravel", "transpose", "squeeze", "flip", "atleast_1d", "atleast_2d", "atleast_3d"])
def test_movement_of_small_and_empty(name):
    for shape in ((), (1,), (0, 3), (2, 0, 1), (1, 1)):
        check(name, [np.ones(shape)])


def test_squeeze_axis():
    check("squeeze", [np.ones((1, 2, 1, 3))], axis=(0, -2))
    with pytest.raises(ShapeError, match="size not equal to one"):
        fnp.squeeze(A, 0)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("widths", [2, (1, 3), ((0, 1), (2, 0), (7, 4)), ((1,), (0,), (2,)), {-1: (2, 11)}])
def test_pad(mode, widths):
    for dtype in ("float64", "int8"):
        check("pad", [values((2, 3, 5), dtype)], widths, mode=mode)
    check("pad", [np.arange(3.0)], (5, 8), mode=mode)


def test_pad_constants():
    check("pad", [A], 1, constant_values=3.5)
    check("pad", [A], ((1, 2),), constant_values=(4, 6))
    check("pad", [A], 1, constant_values=((1, 2), (3, 4), (5, 6)))
    check("pad", [A[0] > 0], 1, constant_values=True)
    check("pad", [np.zeros((0, 2))], 1, constant_values=7)
    padded = fnp.pad(np.ones(2), 1, constant_values=-0.0)
    assert np.signbit(padded.numpy()).tolist() == [True, False, False, True]
    same(fnp.pad(A, 1, constant_values=Tensor(2.0)), np.pad(A, 1, constant_values=2.0))
    nan = fnp.pad(np.array([np.nan, np.inf]), (1, 0), constant_values=1.0)
    np.testing.assert_array_equal(nan.numpy(), [1.0, np.nan, np.inf])
    same(fnp.pad(A, 1, constant_values=np.array([4, 6])), np.pad(A, 1, constant_values=(4, 6)))
    with pytest.raises(ShapeError, match="negative"):
        fnp.pad(A, -1)
    with pytest.raises(ShapeError, match="empty axis 0"):
        fnp.pad(np.zeros((0, 2)), 1, mode="edge")


COMPUTED = [
    *(("linear_ramp", {"end_values": e}) for e in (None, 3, (7, 2.5))),
    *((m, {"stat_length": k}) for m in ("maximum", "mean", "median", "minimum") for k in (None, 1, (2, 3), 99)),
    *((m, {"reflect_type": "odd"}) for m in ("reflect", "symmetric")),
]


@pytest.mark.parametrize(("mode", "options"), COMPUTED, ids=str)
@pytest.mark.parametrize("widths", [2, (1, 3), ((0, 1), (2, 0), (7, 4)), (0, 0)])
def test_pad_by_what_is_computed(mode, options, widths):
    options = {k: v for k, v in options.items() if v is not None}
    for dtype in ("float64", "float32", "float16", "int8", "uint8", "int64", "bool", "complex128"):
        check("pad", [values((2, 3, 5), dtype)], widths, mode=mode, **options)
    check("pad", [values((3, 1, 2), "float64")], widths, mode=mode, **options)
    check("pad", [np.arange(3.0)], (5, 8), mode=mode, **options)
    check("pad", [np.zeros((2, 0))], ((1, 2), (0, 0)), mode=mode, **options)
    check("pad", [np.array([1.0, np.nan, -0.0, np.inf])], 3, mode=mode, **options)
    check("pad", [np.asarray(3.0)], 1, mode=mode, **options)


def test_pad_by_nothing_has_no_extreme_and_no_mean_but_nan():
    check("pad", [np.arange(3.0)], 1, mode="mean", stat_length=0)
    check("pad", [np.arange(3.0)], 1, mode="median", stat_length=0)
    check("pad", [A], 1, mode="linear_ramp", end_values=((1, 2), (3, 4), (5, 6)))
    check("pad", [A], 1, mode="mean", stat_length=((1, 2), (3, 1), (5, 4)))
    for x, mode in ((A, "maximum"), (A, "minimum"), (np.arange(3), "mean"), (np.arange(3), "median")):
        with pytest.raises(ArgumentValueError, match="stat_length of 0 yields no value"):
            fnp.pad(x, 1, mode=mode, stat_length=0)


PADS = [
    lambda x: np.pad(x, ((1, 2), (3, 0)), mode="linear_ramp", end_values=(1.0, -2.0)),
    lambda x: np.pad(x, 2, mode="mean", stat_length=2),
    lambda x: np.pad(x, 2, mode="median", stat_length=(3, 2)),
    lambda x: np.pad(x, 2, mode="maximum"),
    lambda x: np.pad(x, 5, mode="reflect", reflect_type="odd"),
    lambda x: np.pad(x, 5, mode="symmetric", reflect_type="odd"),
]


@pytest.mark.parametrize("f", PADS)
def test_pads_compiled_mapped_and_differentiated(f):
    x = laws.lanes((3, 4))
    laws.compiled(f, x[0])
    laws.mapped(f, x)
    laws.differentiated(f, x[0])


def test_a_ramp_has_a_derivative_in_its_ends():
    laws.differentiated(lambda x, e: np.pad(x, 2, mode="linear_ramp", end_values=e), np.arange(3.0), np.float64(2.0))


def test_options_that_a_mode_does_not_take():
    for mode, options in (("edge", {"constant_values": 1}), ("mean", {"end_values": 2}), ("none", {})):
        for pad, x in ((np.pad, A), (fnp.pad, A), (np.pad, Tensor(A))):
            with pytest.raises(ValueError, match="mode"):
                pad(x, 1, mode=mode, **options)


JOINS = ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack"]


@pytest.mark.parametrize("name", JOINS)
@pytest.mark.parametrize("shape", [(2, 3, 4), (3, 2), (4,), (0, 2), (1,)])
def test_joins(name, shape):
    a, b = values(shape, "float32", 1), values(shape, "int16", 2)
    for parts in ([a], [a, b], (a, b, a)):
        theirs = getattr(np, name)(parts)
        same(getattr(fnp, name)([Tensor(p) for p in parts]), theirs)
        same(getattr(np, name)([parts[0], *map(Tensor, parts[1:])]) if len(parts) > 1 else Tensor(theirs), theirs)


def test_joins_along_axes():
    a, b = values((2, 3, 4), "float64", 1), values((2, 5, 4), "float64", 2)
    same(fnp.concatenate([a, Tensor(b)], axis=1), np.concatenate([a, b], axis=1))
    same(fnp.concatenate([a, Tensor(b)], axis=None), np.concatenate([a, b], axis=None))
    same(fnp.concatenate([a, a[:0], a], axis=-3), np.concatenate([a, a[:0], a], axis=-3))
    same(fnp.concat([a, a], axis=-1, dtype="float32"), np.concat([a, a], axis=-1, dtype="float32"))
    for axis in range(-4, 4):
        same(fnp.stack([a, Tensor(a)], axis), np.stack([a, a], axis))
    same(fnp.stack([Tensor(1.0), 2.0]), np.stack([1.0, 2.0]))
    same(fnp.stack(Tensor(a)), a)
    same(np.append(Tensor(a), 5.0), np.append(a, 5.0))
    same(np.append(Tensor(a), b, axis=1), np.append(a, b, axis=1))
    blocks = [[a[0], a[1]], [b[0, :2], b[1, :2]]]
    same(np.block([[Tensor(x) for x in row] for row in blocks]), np.block(blocks))
    same(fnp.block([[1.0, Tensor(2.0)]]), np.block([[1.0, 2.0]]))


@pytest.mark.parametrize("join", [lambda xp, *a: xp.concatenate(a, axis=None), lambda xp, *a: xp.union1d(*a)])
def test_numbers_give_way_where_arrays_are_flattened(join):
    arrays = [np.float32(2), np.float16(1), np.ones(2, "f4"), np.ones((1, 2), "i1"), np.ones(1, bool)]
    given = [1.5, 2, True, 1j, [1.5], *arrays]
    for pair in itertools.product(given, repeat=2):
        same(join(fnp, *pair), join(np, *pair))
    for array in (np.ones(2, "i1"), np.ones((2, 2), "u1")):  # NumPy takes 300 for 44
        with pytest.raises(IntegerOutOfRange):
            join(fnp, array, 300)


def test_broadcasting():
    parts = [np.ones((3, 1)), np.zeros(4), 2.0]
    same(fnp.broadcast_arrays(*parts), list(np.broadcast_arrays(*parts)))
    same(np.broadcast_arrays(Tensor(parts[0]), parts[1]), list(np.broadcast_arrays(parts[0], parts[1])))
    assert [x.shape for x in np.atleast_2d(Tensor(1.0), np.ones(2))] == [(1, 1), (1, 2)]
    assert np.shape(Tensor(A)) == (2, 3, 5) and np.ndim(Tensor(A)) == 3 and np.size(Tensor(A), 1) == 3


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: fnp.reshape(A, (4, -1)), ShapeError, r"cannot reshape array of size 30 \(shape \(2, 3, 5\)\)"),
        (lambda: fnp.reshape(A, (-1, -1)), ShapeError, "one size may be -1"),
        (lambda: fnp.reshape(A, (2.5,)), ArgumentError, "integer"),
        (lambda: fnp.transpose(A, (0, 1)), AxisError, "expected 3 axes"),
        (lambda: fnp.transpose(A, (0, 1, 1)), AxisError, "twice"),
        (lambda: fnp.moveaxis(A, 0, 7), AxisError, "out of bounds"),
        (lambda: fnp.broadcast_to(A, (2, 3, 4)), ShapeError, r"\(2, 3, 5\) does not broadcast to \(2, 3, 4\)"),
        (lambda: fnp.concatenate([]), ShapeError, "need at least one array"),
        (lambda: fnp.concatenate([A, A[0]]), ShapeError, r"\(2, 3, 5\) and \(3, 5\)"),
        (lambda: fnp.concatenate([A, A[:, :1]]), ShapeError, "other axes must agree"),
        (lambda: fnp.concatenate([Tensor(1.0)]), ShapeError, "zero-dimensional"),
        (lambda: fnp.stack([A, A[0]]), ShapeError, "same shape"),
        (lambda: fnp.split(A, 2, 1), ShapeError, "equal division"),
        (lambda: fnp.split(A, 0), ShapeError, "at least 1"),
        (lambda: fnp.repeat(A, [1, 2], 1), ShapeError, "expected 3 or 1"),
        (lambda: fnp.repeat(A, -1), ShapeError, "negative"),
        (lambda: fnp.diag(A), ShapeError, "vector or a matrix"),
        (lambda: fnp.flip(A, 3), AxisError, "out of bounds"),
        (lambda: fnp.roll(A, (1, 2, 3), (0, 1)), ShapeError, "3 shifts for 2 axes"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text) as caught:
        call()
    assert "test_shape.py" in str(caught.value)
    assert isinstance(caught.value, FunctransError)
