"""ARGSORT compiled: in every dtype, inside loops and launches, on the stack and in the arena."""

from __future__ import annotations

import numpy as np
import pytest

from functrans.backend.pipeline import Program
from functrans.errors import SpecError
from functrans.ops import AxisType, Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from tests.backend.executed import executed

pytestmark = pytest.mark.usefixtures("compiler")
ZERO = UOp.const(dtypes.index, 0)


def messy(shape: tuple[int, ...], dtype: dtypes.DType) -> np.ndarray:
    """Ties, NaN, infinities, zeros of both signs."""
    rng = np.random.default_rng(len(shape) + sum(shape))
    x = rng.integers(-3, 4, shape)
    if dtype.kind not in "fc":
        return x.astype(dtype.numpy)
    y = rng.choice([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf], shape).astype(dtype.numpy)
    if dtype.kind == "c":
        y.imag = rng.choice([0.0, -1.0, 2.0, np.nan], shape)
    return y


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.name)
def test_every_dtype_and_size(dtype: dtypes.DType) -> None:
    roots, bound = [], {}
    for shape in [(3,), (1,), (0,), (4, 5), (2, 3, 7), (3, 0), (0, 3), (2, 1), (17,), (2, 9, 100), (3000,)]:
        p = source.param(shape, dtype)
        bound[p] = messy(shape, dtype)
        roots.append(B.argsort(p))
    got = Program(roots, list(bound))(list(bound.values()))
    for w, g in zip(interpret(roots, bound), got, strict=True):
        assert g.dtype == np.int64
        np.testing.assert_array_equal(g, w)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "iuf"], ids=lambda d: d.name)
def test_numbers_of_the_whole_range(dtype: dtypes.DType) -> None:
    """A few are counted, many go byte by byte: every byte, and the signs, matter."""
    rng = np.random.default_rng(dtype.itemsize)
    for n in (8, 191, 192, 193, 700):
        x = rng.integers(0, 256, n * dtype.itemsize, dtype=np.uint8).view(dtype.numpy)  # also NaN
        p = source.param((n,), dtype)
        np.testing.assert_array_equal(Program([B.argsort(p)], [p])([x])[0], np.argsort(x, kind="stable"))


@pytest.mark.parametrize("n", [5, 5000])
@pytest.mark.parametrize("kind", [AxisType.LOOP, AxisType.OUTER])
def test_computed_keys_under_brackets(kind: AxisType, n: int) -> None:
    x, r = source.param((n, 3, 2), dtypes.float64), UOp.range(3, None, kind)
    row = x.vmapin((ZERO, r, ZERO))
    keys = B.alu(Ops.SIN, B.permute(row, (1, 0)))
    mean = B.broadcast(B.reshape(B.reduce_axis(keys, Ops.ADD, (1,)), (2, 1)), (2, n))
    y = B.argsort(B.mul(B.sub(keys, mean), keys))
    root = B.add(y, B.argsort(B.neg(keys))).vmapout((ZERO, r, ZERO))
    a = np.random.default_rng(0).normal(size=x.sized)
    p = Program([root], [x])
    np.testing.assert_array_equal(p([a])[0], interpret([root], {x: a})[0])
    if kind is AxisType.LOOP and n == 5:
        assert len(p.kernels) == 1


def test_statements_mean_the_same() -> None:
    x, r = source.param((3, 20), dtypes.float64), UOp.range(3)
    row = x.vmapin((r, ZERO))
    root = B.gather(row, B.argsort(B.mul(row, row))).vmapout((r, ZERO))
    a = messy((3, 20), dtypes.float64)
    np.testing.assert_array_equal(executed([root], {x: a})[0], interpret([root], {x: a})[0])


def test_an_order_read_by_another() -> None:
    x = source.param((4, 6), dtypes.float64)
    ranks = B.argsort(B.argsort(x))
    a = np.random.default_rng(1).normal(size=(4, 6))
    np.testing.assert_array_equal(Program([ranks], [x])([a])[0], np.argsort(np.argsort(a)))


def test_wrong_nodes() -> None:
    with pytest.raises(SpecError, match="no axis to sort along"):
        B.argsort(source.param((), dtypes.float64))
    with pytest.raises(SpecError, match="expected int64"):
        UOp(Ops.ARGSORT, dtypes.int32, (source.param((3,), dtypes.float64),))
