"""New arrays against NumPy."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    DtypeError,
    ShapeError,
    TracedValueError,
    UnsupportedError,
)
from functrans.ops import dtypes, source
from functrans.tensor import Tensor
from tests.numpy.cases import same, values

CALLS = [
    ("zeros", ((2, 3),), {}), ("zeros", (3,), {"dtype": "int8"}), ("ones", ((0, 2),), {}), ("ones", ((),), {}),
    ("full", ((2, 3), 7), {}), ("full", (2, 1.5), {}), ("full", ((2, 2), [1, 2]), {"dtype": "float32"}),
    ("eye", (3,), {}), ("eye", (2, 4), {"k": 1}), ("eye", (4, 2), {"k": -2, "dtype": "int32"}), ("eye", (0,), {}),
    ("identity", (3,), {"dtype": bool}), ("tri", (3,), {}), ("tri", (2, 4, 1), {}), ("tri", (4, 2, -1, int), {}),
    ("arange", (5,), {}), ("arange", (2, 9), {}), ("arange", (2, 9, 3), {}), ("arange", (9, 2, -2), {}),
    ("arange", (0,), {}), ("arange", (5, 2), {}), ("arange", (3,), {"dtype": "float32"}), ("arange", (3.5,), {}),
    ("arange", (0.1, 1.0, 0.1), {}), ("arange", (1, 2, 0.3), {}), ("arange", (np.int8(4),), {}),
    ("linspace", (0, 1), {}), ("linspace", (0.1, 0.7, 11), {}), ("linspace", (2, -3, 4), {"endpoint": False}),
    ("linspace", (0, 1, 1), {}), ("linspace", (0, 1, 0), {}), ("linspace", (0, 10, 5), {"dtype": int}),
    ("linspace", (0, 1, 5), {"retstep": True}), ("linspace", ([0, 1], [2.0, 9.0], 4), {"axis": 1}),
    ("linspace", (5.0, 5.0, 3), {}), ("linspace", (-0.7, 0.4, 7), {"dtype": int}), ("logspace", (0, 2, 5), {}),
    ("logspace", (0, 2, 4), {"base": 2}), ("geomspace", (1, 1000, 4), {}), ("indices", ((2, 3),), {}),
    ("meshgrid", ([1, 2], [3.0, 4.0, 5.0]), {}), ("meshgrid", ([1, 2], [3, 4, 5], [0, 1]), {"indexing": "ij"}),
    ("meshgrid", ([1, 2], [3, 4, 5]), {"sparse": True}), ("meshgrid", ([1, 2],), {}),
    ("diag", ([1, 2, 3],), {}), ("diag", ([1, 2], 1), {}), ("diag", ([1.5, 2], -2), {}), ("diag", ([],), {}),
    ("diag", ([[1, 2, 3], [4, 5, 6]],), {}), ("diag", ([[1, 2, 3], [4, 5, 6]], 1), {}), ("diagflat", ([[1, 2]], 1), {}),
    ("diag", ([[1, 2, 3], [4, 5, 6]], 7), {}), ("vander", ([1, 2, 3],), {}), ("vander", ([1.5, 2.0], 4), {}),
    ("vander", ([1, 2], 3, True), {}), ("vander", ([1, 2], 0), {}), ("asarray", ([[1, 2], [3, 4]],), {}),
    ("asarray", (2,), {"dtype": "float32"}), ("array", ([1, 2.5],), {"ndmin": 3}), ("copy", ([True, False],), {}),
    ("zeros_like", (np.ones((2, 3), "int8"),), {}), ("ones_like", ([1.0, 2.0],), {"dtype": int}),
    ("full_like", (np.ones((2, 3), "float32"), 7), {}), ("full_like", ([1, 2], 3), {"shape": (3, 1)}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "options"), CALLS)
def test_as_numpy(name, args, options):
    same(getattr(fnp, name)(*args, **options), getattr(np, name)(*args, **options), rtol=4e-16)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "copy", "diag", "vander", "tril", "triu"])
def test_dispatched(name):
    x = values((3,), "float32")
    ours, theirs = getattr(np, name)(Tensor(x)), getattr(np, name)(x)
    assert isinstance(ours, Tensor) and (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    if name != "empty_like":
        same(ours, theirs, rtol=1e-5)


def test_tensors_as_arguments():
    t = Tensor(3.0)
    assert fnp.full((2,), t).tolist() == [3.0, 3.0]
    assert fnp.linspace(0.0, t, 4).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert np.linspace(t, 5.0, 3).tolist() == [3.0, 4.0, 5.0]
    assert fnp.array([[t, 1.0], [2.0, t]]).tolist() == [[3.0, 1.0], [2.0, 3.0]]
    assert fnp.arange(Tensor(3)).tolist() == [0, 1, 2]
    assert np.full_like(t, 2.0).tolist() == 2.0
    traced = Tensor.from_uop(source.param((), dtypes.int64))
    assert fnp.full((2,), traced).shape == (2,)
    with pytest.raises(TracedValueError, match=r"test_creation\.py"):
        fnp.arange(traced)
    with pytest.raises(TracedValueError):
        fnp.zeros(traced)


def test_empty():
    assert (fnp.empty((2, 3)).shape, fnp.empty(3, "int8").dtype) == ((2, 3), np.int8)


def test_dlpack():
    x = np.arange(6.0).reshape(2, 3)
    same(fnp.from_dlpack(x), x)
    np.testing.assert_array_equal(np.from_dlpack(Tensor(x) + 1), x + 1)
    t = Tensor(x)
    assert fnp.from_dlpack(t) is t and t.__dlpack_device__() == (1, 0)
    back = np.from_dlpack(t)
    back = back if back.flags.writeable else back.copy()
    back[:] = 0
    np.testing.assert_array_equal(t.numpy(), x)


def test_dtypes_and_constants():
    assert fnp.float32 is np.float32 and fnp.pi == np.pi and fnp.newaxis is None and np.isnan(fnp.nan)
    assert fnp.result_type(Tensor(np.ones(2, "float32")), 2.0) == np.float32
    assert np.result_type(Tensor([1]), np.float32) == np.float64
    assert fnp.can_cast(Tensor([1]), fnp.float32, "same_kind") and not fnp.can_cast(Tensor([1]), fnp.int8)
    assert fnp.astype(Tensor([1.9, -1.9, np.nan, 1e300]), fnp.int8).tolist() == [1, -1, 0, 127]
    assert fnp.isscalar(2.0) and not fnp.isscalar(Tensor(2.0))
    assert np.iscomplexobj(Tensor([1j])) and not np.iscomplexobj(Tensor([1.0]))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: fnp.zeros(-1), ShapeError, "negative dimensions"),
        (lambda: fnp.zeros("a"), ArgumentError, "expected an integer"),
        (lambda: fnp.zeros(2, dtype="datetime64[s]"), DtypeError, "not supported; expected one of bool"),
        (lambda: fnp.arange(1, 2, 0), ArgumentValueError, "step is 0"),
        (lambda: fnp.linspace(0, 1, -1), ShapeError, "non-negative"),
        (lambda: fnp.meshgrid([1], indexing="zz"), ArgumentValueError, "'xy' or 'ij'"),
        (lambda: fnp.asarray([1], device="gpu"), UnsupportedError, "CPU:1"),
        (lambda: fnp.full((2,), [1, 2, 3]), ShapeError, "does not broadcast"),
        (lambda: fnp.tril(np.float64(1)), ShapeError, "matrix"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("device", ["cpu", "CPU", "CPU:1", None])
def test_a_device_for_new_arrays(device):
    x = np.arange(3.0)
    made = [
        fnp.zeros(3, device=device), fnp.ones(3, device=device), fnp.empty(3, device=device),
        fnp.full(3, 2.0, device=device), fnp.zeros_like(x, device=device), fnp.ones_like(x, device=device),
        fnp.empty_like(x, device=device), fnp.full_like(x, 2.0, device=device), fnp.arange(3, device=device),
        fnp.linspace(0, 1, 3, device=device), fnp.eye(3, device=device), fnp.asarray(x, device=device),
    ]  # fmt: skip
    assert {t.device for t in made} == {"CPU" if device is None else device.upper()}
    if device != "CPU:1":
        np.testing.assert_array_equal(ft.jit(lambda t: np.zeros_like(t, device=device) + t)(x), x)
        for name in ("zeros", "ones", "eye", "arange"):
            np.testing.assert_array_equal(getattr(fnp, name)(3, device=device), getattr(np, name)(3))
    with pytest.raises(UnsupportedError, match="'gpu' is unknown"):
        fnp.zeros(3, device="gpu")
