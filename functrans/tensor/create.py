"""New arrays: constants, ranges, identities, triangles and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, at_user_line, text_of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp
from functrans.tensor.elementwise import call
from functrans.tensor.indexing import getitem
from functrans.tensor.lift import broadcast, is_weak, lift, node_of
from functrans.tensor.reduce import normal_axis, sum_
from functrans.tensor.shape import broadcast_to, integer, moveaxis, sizes


def extents(shape: Any) -> Shape:
    """A shape of sizes that are not negative."""
    want = sizes(shape)
    if any(n < 0 for n in want):
        raise ShapeError(f"negative dimensions are not allowed: shape {want}{at_user_line()}")
    return want


def extent(n: Any) -> int:
    """One size that is not negative."""
    return extents(integer(n, "size"))[0]


def dtype_or(dtype: Any, default: DType) -> DType:
    """The element type asked for, or the default."""
    return default if dtype is None else dtypes.from_numpy(dtype)


def full(shape: Any, value: Any, dtype: Any = None) -> UOp:
    """One value (or an array that broadcasts) everywhere."""
    node = lift(value, None if dtype is None else dtypes.from_numpy(dtype))
    return broadcast_to(node, extents(shape))


def like(x: UOp, value: Any, dtype: Any, shape: Any) -> UOp:
    """`full` with the shape and dtype of x unless others are given."""
    return full(x.sized if shape is None else shape, value, dtype_or(dtype, x.dtype))


def empty(shape: Any, dtype: Any = None) -> UOp:
    """An array whose values do not matter."""
    return UOp(Ops.EMPTY, dtype_or(dtype, dtypes.float64), (), extents(shape))


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> UOp:
    """start, start + step, ... before stop."""
    given = [x for x in (start, stop, step) if x is not None]
    if any(node_of(x) is not None for x in given):
        given = [np.asarray(x)[()] if node_of(x) is not None else x for x in given]  # a traced bound raises
        start, stop, step = given[0], given[1] if stop is not None else None, given[-1]
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ArgumentValueError(f"arange: the step is 0{at_user_line()}; expected another number")
    whole = all(isinstance(x, (int, np.integer)) for x in (start, stop, step))
    if not whole:
        try:
            made: Any = np.arange(start, stop, step)
        except (TypeError, ValueError) as error:
            refused = ArgumentError if isinstance(error, TypeError) else ArgumentValueError
            raise refused(f"arange({start!r}, {stop!r}, {step!r}){at_user_line()}: {text_of(error)}") from error
        return lift(made, None if dtype is None else dtypes.from_numpy(dtype))
    first, gap = int(start), int(step)
    count = len(range(first, int(stop), gap))
    kind = dtype_or(dtype, dtypes.from_numpy(np.arange(start, start, step).dtype))
    line = B.iota(count)
    line = B.mul(line, B.like(line, gap))
    line = line if first == 0 else B.add(line, B.like(line, first))
    return B.cast(line, kind)


def linspace(start: Any, stop: Any, num: Any, endpoint: bool, dtype: Any, axis: Any) -> tuple[UOp, UOp]:
    """`num` values evenly spaced from start to stop, along a new axis, and the space between them."""
    count = integer(num, "num")
    if count < 0:
        raise ShapeError(f"linspace: number of samples, {count}, must be non-negative{at_user_line()}")
    parts = count - 1 if endpoint else count
    kind = np.result_type(*(x if is_weak(x) else lift(x).dtype.numpy for x in (start, stop)), float(count))
    wide = dtypes.from_numpy(kind)
    a, b = broadcast([lift(start, wide), lift(stop, wide)], "linspace")
    span = B.sub(b, a)
    step = B.div(span, B.like(span, parts)) if parts > 0 else B.like(span, float("nan"))
    shape = (count, *a.sized)
    line = B.broadcast(B.reshape(B.cast(B.iota(count), wide), (count,) + (1,) * a.ndim), shape)
    first, gap, last = (B.broadcast(u, shape) for u in (a, step, b))
    y = B.add(B.mul(line, gap), first) if parts > 0 else first
    if endpoint and count > 1:  # exactly stop, whatever rounding says
        y = B.where(B.eq(line, B.like(line, count - 1)), last, y)
    out = dtype_or(dtype, wide)
    if out.kind in "iu":
        y = B.alu(Ops.FLOOR, y)
    return moveaxis(B.cast(y, out), 0, normal_axis(axis, a.ndim + 1)), step


def _grid(rows: int, cols: int) -> tuple[UOp, UOp]:
    """Row and column numbers of a matrix."""
    row = B.reshape(B.iota(rows), (rows, 1))
    return B.broadcast(row, (rows, cols)), B.broadcast(B.reshape(B.iota(cols), (1, cols)), (rows, cols))


def on_diagonal(rows: int, cols: int, k: int) -> UOp:
    """Whether an element lies on the k-th diagonal."""
    row, col = _grid(rows, cols)
    return B.eq(B.add(row, B.like(row, k)), col) if k else B.eq(row, col)


def below(rows: int, cols: int, k: int) -> UOp:
    """Whether an element lies on or below the k-th diagonal."""
    row, col = _grid(rows, cols)
    return B.alu(Ops.CMPLE, col, B.add(row, B.like(row, k)) if k else row)


def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> UOp:
    """Ones on the k-th diagonal, zeros elsewhere."""
    rows, cols, shift = extent(n), extent(n if m is None else m), integer(k, "k")
    return B.cast(on_diagonal(rows, cols, shift), dtype_or(dtype, dtypes.float64))


def tri(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> UOp:
    """Ones on and below the k-th diagonal, zeros above."""
    rows, cols, shift = extent(n), extent(n if m is None else m), integer(k, "k")
    return B.cast(below(rows, cols, shift), dtype_or(dtype, dtypes.float64))


def triangle(x: UOp, k: Any, lower: bool) -> UOp:
    """X with zeros above (or below) the k-th diagonal of its last two axes."""
    shift = integer(k, "k")
    if x.ndim == 1:
        x = B.broadcast(x, (x.size, x.size))
    if x.ndim < 2:
        raise ShapeError(f"{'tril' if lower else 'triu'} of shape {x.shape}{at_user_line()}; expected a matrix")
    rows, cols = x.sized[-2:]
    mask = B.broadcast(below(rows, cols, shift if lower else shift - 1), x.sized)
    zero = B.like(x, 0)
    return B.where(mask, x, zero) if lower else B.where(mask, zero, x)


def diagonal(x: UOp, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> UOp:
    """The diagonal of two axes, as the last axis."""
    if x.ndim < 2:
        raise ShapeError(f"diagonal of shape {x.shape}{at_user_line()}; expected at least two axes")
    a, b = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    if a == b:
        raise ShapeError(f"diagonal: axis1 and axis2 are both {a}{at_user_line()}; expected two axes")
    k = integer(offset, "offset")
    moved = moveaxis(x, (a, b), (x.ndim - 2, x.ndim - 1))
    rows, cols = moved.sized[-2:]
    count = max(min(rows - max(-k, 0), cols - max(k, 0)), 0)
    line = np.arange(count)
    return getitem(moved, (Ellipsis, line + max(-k, 0), line + max(k, 0)))


def diag(x: UOp, k: Any = 0) -> UOp:
    """The diagonal of a matrix, or the matrix that has a vector as its diagonal."""
    if x.ndim == 2:
        return diagonal(x, k)
    if x.ndim != 1:
        raise ShapeError(f"diag of shape {x.shape}{at_user_line()}; expected a vector or a matrix")
    shift = integer(k, "k")
    n = x.size
    # the vector as the first column of n rows of n + 1: read n at a time, it runs down the diagonal
    column = B.pad(B.reshape(x, (n, 1)), ((0, 0), (0, n)))
    flat = B.shrink(B.reshape(column, (n * (n + 1),)), ((0, n * n),))
    return B.pad(B.reshape(flat, (n, n)), ((max(-shift, 0), max(shift, 0)), (max(shift, 0), max(-shift, 0))))


def trace(x: UOp, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> UOp:
    """The sum of the diagonal of two axes."""
    return sum_(diagonal(x, offset, axis1, axis2), -1, dtype)


def vander(x: UOp, n: Any = None, increasing: bool = False) -> UOp:
    """The powers of a vector as columns."""
    if x.ndim != 1:
        raise ShapeError(f"vander of shape {x.shape}{at_user_line()}; expected one axis")
    count = extent(x.size if n is None else n)
    wide = lift(x, dtypes.from_numpy(np.result_type(x.dtype.numpy, int)))
    powers = B.iota(count)
    exponent = B.reshape(powers if increasing else B.flip(powers, (True,)), (1, count))
    columns = [B.like(wide, 1)]
    for _ in range(1, count):
        columns.append(call(np.multiply, columns[-1], wide))
    if not count:
        return B.broadcast(B.cast(exponent, wide.dtype), (x.size, 0))
    return B.stack(tuple(columns if increasing else reversed(columns)), 1)


def meshgrid(arrays: tuple[Any, ...], indexing: str, sparse: bool) -> list[UOp]:
    """Coordinate arrays of the grid over vectors."""
    if indexing not in ("xy", "ij"):
        raise ArgumentValueError(f"meshgrid: indexing is {indexing!r}{at_user_line()}; expected 'xy' or 'ij'")
    lines = [lift(x) for x in arrays]
    count = len(lines)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = [1, 0]
    shaped = [B.reshape(x, tuple(x.size if i == order[k] else 1 for i in range(count))) for k, x in enumerate(lines)]
    return shaped if sparse or not shaped else broadcast(shaped)
