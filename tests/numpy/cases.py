"""Calls of functions by name, to compare functrans.numpy with NumPy: eager, traced and through NumPy's own dispatch."""

import warnings

import numpy as np

import functrans.numpy as fnp
from functrans.ops import dtypes, source
from functrans.ops.interpret import interpret
from functrans.tensor import Tensor

FLOATS = ["float64", "float32", "float16"]
INTS = ["int8", "int32", "int64", "uint8", "uint16", "uint64"]
COMPLEX = ["complex64", "complex128"]
SHAPES = [(2, 3, 5), (3, 1, 2), (1,), (), (0, 3), (2, 0, 4), (7,)]


def values(shape, dtype, seed=0, low=-4.0, high=4.0):
    rng = np.random.default_rng([seed, *shape])
    x = rng.uniform(low, high, shape)
    kind = np.dtype(dtype).kind
    if kind == "c":
        x = x + 1j * rng.uniform(low, high, shape)
    if kind == "u":
        x = abs(x)
    if kind == "b":
        x = x > 0
    return np.asarray(x).astype(dtype)


def quiet(function, *args, **kwargs):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


def flat(result):
    """A result as a list of arrays: of a Tensor, an array, or a tuple or list of them."""
    if isinstance(result, (tuple, list)):
        return [leaf for part in result for leaf in flat(part)]
    return [result]


def same(ours, theirs, rtol=None, what=""):
    ours, theirs = flat(ours), flat(theirs)
    assert len(ours) == len(theirs), what
    for a, b in zip(ours, theirs, strict=True):
        assert isinstance(a, Tensor), what
        b = np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype), f"{what}: {a.shape} {a.dtype} for {b.shape} {b.dtype}"
        close(a.numpy(), b, rtol, what)


def close(a, b, rtol=None, what=""):
    if b.dtype.kind in "fc":
        tight = {2: 2e-3, 4: 1e-5, 8: 1e-13}[b.dtype.itemsize // (1 + (b.dtype.kind == "c"))]
        np.testing.assert_allclose(a, b, rtol=rtol or tight, atol=(rtol or tight) * 4, err_msg=what)
    else:
        np.testing.assert_array_equal(a, b, err_msg=what)


def traced(function, arrays):
    """The function applied to placeholders, then interpreted: what a transform would run."""
    params = [source.param(a.shape, dtypes.from_numpy(a.dtype)) for a in arrays]
    out = function(*map(Tensor.from_uop, params))
    leaves = flat(out)
    found = interpret([t.uop for t in leaves], dict(zip(params, arrays, strict=True)))
    return leaves, found


def check(name, arrays, *rest, rtol=None, dispatched=True, **options):
    """fnp.name(*arrays, ...) eager, of placeholders, and np.name of Tensors, against NumPy."""
    what = f"{name}{[a.shape for a in arrays]}{[str(a.dtype) for a in arrays]}{rest}{options}"
    theirs = quiet(getattr(np, name), *arrays, *rest, **options)
    ours = getattr(fnp, name)
    same(ours(*map(Tensor, arrays), *rest, **options), theirs, rtol, what)
    leaves, found = traced(lambda *t: ours(*t, *rest, **options), arrays)
    for leaf, a, b in zip(leaves, found, flat(theirs), strict=True):
        assert (leaf.shape, leaf.dtype) == (a.shape, a.dtype) == (np.shape(b), np.asarray(b).dtype), what
        close(a, np.asarray(b), rtol, what)
    if dispatched and arrays:
        same(getattr(np, name)(*map(Tensor, arrays), *rest, **options), theirs, rtol, what)
