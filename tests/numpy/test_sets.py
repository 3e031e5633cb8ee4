"""setdiff1d and intersect1d: NumPy's where the number of values is known, and a given number of them else."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ShapeError, TracedValueError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import same
from tests.numpy.test_uniques import few


def filled(u, size, fill):
    fill = (u[0] if len(u) else 0) if fill is None else fill
    return np.append(u, np.full(max(size - len(u), 0), fill, u.dtype))[:size]


@pytest.mark.parametrize(
    "dtypes", [("float64", "float64"), ("int64", "int8"), ("float32", "float64"), ("bool", "bool"), ("uint8", "int64")]
)
def test_as_many_as_size_says(dtypes):
    for seed, (n, m) in enumerate([(0, 0), (1, 0), (0, 3), (5, 3), (9, 40), (40, 7)]):
        x, y = few((n,), dtypes[0], seed), few((m,), dtypes[1], seed + 9)
        both, first, second = np.intersect1d(x, y, return_indices=True)
        for size, fill in ((0, None), (1, None), (9, 1), (9, None)):
            options = {"size": size, "fill_value": fill}
            for unique in (False, True):
                got = fnp.setdiff1d(Tensor(x), y, unique, **options)
                same(got, filled(np.setdiff1d(x, y, unique), size, fill))
            want = filled(both, size, fill), filled(first, size, n), filled(second, size, m)
            same(fnp.intersect1d(x, Tensor(y), return_indices=True, **options), want)
            same(fnp.intersect1d(x, y, **options), want[0])


def test_known_values_give_as_many_as_there_are():
    x, y = few((3, 4), "float64"), few((5,), "float64", 1)
    same(np.setdiff1d(Tensor(x), y), np.setdiff1d(x, y))
    same(fnp.setdiff1d(x, y, True), np.setdiff1d(x, y, True))
    same(np.intersect1d(Tensor(x), y), np.intersect1d(x, y))
    same(fnp.intersect1d(x, y, return_indices=True), np.intersect1d(x, y, return_indices=True))


def test_compiled_mapped_and_differentiated():
    x, y = few((3, 8), "float64"), few((3, 5), "float64", 1)

    def f(a, b):
        return fnp.setdiff1d(a, b, size=4), *fnp.intersect1d(a, b, return_indices=True, size=4, fill_value=-1.0)

    laws.compiled(f, x[0], y[0])
    laws.mapped(f, x, y)
    a = np.array([3.0, 1.0, 3.0, 2.0, 5.0])
    of_a = ft.grad(lambda a: (fnp.setdiff1d(a, [2.0, 4.0], size=5, fill_value=0.0) * 10.0 ** np.arange(5)).sum())(a)
    np.testing.assert_array_equal(of_a, [10.0, 1.0, 0.0, 0.0, 100.0])
    common = ft.jit(ft.grad(lambda a, b: fnp.intersect1d(a, b, size=1).sum(), argnums=(0, 1)))(a, np.array([2.0, 7.0]))
    np.testing.assert_array_equal(np.concatenate(common), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def test_what_is_refused():
    for name in ("setdiff1d", "intersect1d"):
        with pytest.raises(TracedValueError, match=rf"write fnp.{name}\(x, y, size=n\)"):
            ft.jit(lambda t, name=name: getattr(np, name)(t, t))(np.ones(3))
        with pytest.raises(ShapeError, match="size is -1"):
            getattr(fnp, name)(np.ones(3), np.ones(3), size=-1)
