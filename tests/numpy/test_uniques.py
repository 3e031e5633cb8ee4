"""unique and union1d: NumPy's where the number of values is known, and a given number of them else."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, ShapeError, TracedValueError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import same, traced

ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


def few(shape, dtype, seed=0):
    """Values that are equal again and again, with NaN among floats."""
    rng = np.random.default_rng([seed, *shape])
    x = rng.integers(0, 4, shape).astype(dtype)
    if x.dtype.kind == "c":
        x = x + 1j * rng.integers(0, 2, shape).astype(dtype)
    return np.where(rng.random(shape) < 0.2, np.nan, x).astype(dtype) if x.dtype.kind in "fc" else x


def filled(x, size, fill, equal_nan=True):
    """What unique of a given size is, by NumPy's."""
    u, index, inverse, counts = np.unique(x, equal_nan=equal_nan, **ALL)
    more = max(size - len(u), 0)
    rest = np.full(more, u[0] if fill is None else fill, u.dtype)
    ends = np.full(more, index[0] if more else 0), np.zeros(more, int)
    return np.append(u, rest)[:size], np.append(index, ends[0])[:size], inverse, np.append(counts, ends[1])[:size]


@pytest.mark.parametrize("equal_nan", [True, False])
@pytest.mark.parametrize("dtype", "float64 float32 float16 int8 uint64 int64 bool complex128".split())
@pytest.mark.parametrize("shape", [(7,), (1,), (3, 4), (), (40,)])
def test_as_many_as_size_says(shape, dtype, equal_nan):
    x = few(shape, dtype)
    for size in (0, 1, 3, 9):
        for fill in (None, 1):
            options = {"size": size, "fill_value": fill, "equal_nan": equal_nan, **ALL}
            want = filled(x, size, fill, equal_nan)
            same(fnp.unique(Tensor(x), **options), want)
            for a, b in zip(traced(lambda t, o=options: fnp.unique(t, **o), [x])[1], want, strict=True):
                np.testing.assert_array_equal(a, b)
                assert a.dtype == b.dtype
    one = fnp.unique(x, size=3)
    same(one, filled(x, 3, None)[0])
    same(fnp.unique(x, return_counts=True, size=3), filled(x, 3, None)[::3])


def test_of_nothing():
    for dtype in ("float64", "int8"):
        same(fnp.unique(np.zeros(0, dtype), size=0), np.zeros(0, dtype))
        got = fnp.unique(np.zeros((0, 2), dtype), size=2, fill_value=7, **ALL)
        same(got, (np.full(2, 7, dtype), np.zeros(2, int), np.zeros((0, 2), int), np.zeros(2, int)))
    with pytest.raises(ArgumentValueError, match="give fill_value="):
        fnp.unique(np.zeros(0), size=2)


@pytest.mark.parametrize("equal_nan", [True, False])
def test_known_values_give_as_many_as_there_are(equal_nan):
    for shape, axis in (((7,), None), ((3, 4), None), ((0,), None), ((6, 2), 0), ((2, 5), 1), ((4,), 0)):
        x = few(shape, "int64" if axis is not None else "float64")
        for unique in (fnp.unique, np.unique):
            options = {"axis": axis, "equal_nan": equal_nan, **ALL}
            same(unique(Tensor(x), **options), np.unique(x, **options))
            same(unique(Tensor(x), axis=axis), np.unique(x, axis=axis))
    a, b = few((5,), "int64"), few((2, 3), "int8")
    same(np.union1d(Tensor(a), b), np.union1d(a, b))
    same(fnp.union1d([1, 2], [2, 5], size=4, fill_value=9), np.array([1, 2, 5, 9]))


def test_compiled_and_mapped():
    x = few((3, 8), "float64")
    laws.compiled(lambda t: fnp.unique(t, size=5, **ALL), x)

    def f(t):
        return tuple(fnp.unique(t, size=6, fill_value=-1.0, **ALL))

    laws.mapped(f, x)
    laws.compiled(lambda t: fnp.union1d(t, t + 1, size=6), few((5,), "int64"))


def test_differentiated():
    x = np.array([3.0, 1.0, 3.0, 2.0, 1.0])
    spread = x + np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    laws.differentiated(lambda t: fnp.unique(t, size=7), spread)
    laws.differentiated(lambda t: fnp.unique(t, size=7, fill_value=0.0), spread)
    slope = ft.grad(lambda t: (fnp.unique(t, size=3) * np.array([1.0, 10.0, 100.0])).sum())(x)
    np.testing.assert_array_equal(slope, [100.0, 1.0, 0.0, 10.0, 0.0])
    laws.differentiated(lambda t, v: fnp.unique(t, size=7, fill_value=v), spread, np.float64(0.5))


def test_what_is_refused():
    x = np.ones((2, 3))
    with pytest.raises(TracedValueError, match=r"write fnp.unique\(x, size=n\)"):
        ft.jit(np.unique)(x)
    with pytest.raises(TracedValueError, match=r"size=n"):
        ft.jit(lambda t: np.union1d(t, t))(x)
    with pytest.raises(UnsupportedError, match="axis 0"):
        fnp.unique(x, axis=0, size=2)
    with pytest.raises(ShapeError, match="size is -1"):
        fnp.unique(x, size=-1)
