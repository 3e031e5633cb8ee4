"""Histograms against NumPy: equal bins, given edges, weights, densities; compiled, mapped and differentiated."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, DtypeError, ShapeError, UnsupportedError
from tests.numpy import laws
from tests.numpy.cases import check, quiet, values

EDGES = np.array([-3.0, -1.0, -1.0, 0.5, 2.0])
WAYS = [
    {}, {"bins": 4}, {"bins": 3, "range": (-2, 2)}, {"bins": 5, "range": (1.0, 1.0)}, {"bins": EDGES},
    {"bins": [0, 1, 2]}, {"bins": 1},
]  # fmt: skip


@pytest.mark.covering(2, empty={"shape": [(1,), (0,), ()]})
@pytest.mark.parametrize("kind", [None, "float64", "float32", "int64"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8", "int64"])
@pytest.mark.parametrize("shape", [(7,), (4, 25), (1,), (0,), ()])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_counts_and_edges(shape, dtype, way, kind):
    x = values(shape, dtype)
    check("histogram", [x], weights=kind and values(shape, kind, 4), **way)
    check("histogram_bin_edges", [x], **way)


def test_edges_and_ends_belong_to_bins_as_in_numpy():
    x = np.concatenate([np.linspace(-2, 2, 81), [-2.5, 2.5, np.nan, np.inf, -np.inf]])
    check("histogram", [x], bins=10, range=(-2, 2))
    check("histogram", [x], bins=np.linspace(-2, 2, 11))
    check("histogram", [x[:81]], bins=10)
    check("histogram", [x[:81]], bins=10, density=True)
    check("histogram", [np.full(5, 3.0)], bins=4)


@pytest.mark.parametrize(
    "way",
    [{}, {"bins": 4}, {"bins": (2, 3)}, {"bins": [EDGES, 3]}, {"bins": EDGES[[0, 1, 3, 4]]},
     {"bins": 3, "range": [[-1, 1], [-2, 2.0]]}, {"bins": 2, "density": True}],
    ids=str,
)  # fmt: skip
def test_two_dimensions(way):
    x, y, w = (values((50,), "float64", k) for k in (1, 2, 3))
    check("histogram2d", [x, y], **way)
    check("histogram2d", [x, y], weights=abs(w), **way)
    check("histogram2d", [x, y.astype(np.float32)], **way)


def test_laws():
    batch = laws.lanes((6, 5))
    for f in (lambda x: np.histogram(x, bins=4), lambda x: np.histogram(x, bins=4, range=(-1, 1), weights=x)):
        quiet(laws.compiled, f, batch[0])
        quiet(laws.mapped, f, batch)
    laws.differentiated(lambda w: np.histogram(batch[0], bins=4, weights=w)[0], batch[1])
    laws.differentiated(lambda x: np.histogram(x, bins=4)[1], batch[0])


def test_constant_data_of_a_traced_function():
    data = np.array([0.1, 0.4, 0.9])
    np.testing.assert_array_equal(ft.jit(lambda e: np.histogram(data, bins=e)[0])(np.array([0.0, 0.5, 1.0])), [2, 1])


def test_a_range_that_is_traced():
    x = np.array([0.1, 0.4, 0.9, 2.0])
    for f in (lambda x, b: np.histogram(x, bins=3, range=(0.0, b))[0],
              lambda x, b: np.histogram2d(x, x, bins=2, range=[[x.min(), b], (0, b)])[0]):  # fmt: skip
        np.testing.assert_array_equal(ft.jit(f)(x, 1.5), f(x, 1.5))


def test_what_is_refused():
    with pytest.raises(UnsupportedError, match=r"bins='auto'.*depend on values"):
        fnp.histogram(np.ones(3), bins="auto")
    with pytest.raises(ArgumentValueError, match="ascends"):
        fnp.histogram(np.ones(3), bins=[2.0, 1.0])
    with pytest.raises(ArgumentValueError, match="at least 1"):
        fnp.histogram(np.ones(3), bins=0)
    with pytest.raises(ArgumentValueError, match="ends in order"):
        fnp.histogram(np.ones(3), range=(2, 1))
    with pytest.raises(ShapeError, match="weights have shape"):
        fnp.histogram(np.ones(3), weights=np.ones(2))
    with pytest.raises(ShapeError, match="one length"):
        fnp.histogram2d(np.ones(3), np.ones(2))
    with pytest.raises(DtypeError, match="no order"):
        fnp.histogram(np.ones(3) * 1j)
