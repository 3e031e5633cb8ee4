"""Along one axis: running sums and products, differences, the trapezoidal rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentValueError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.elementwise import call
from functrans.tensor.join import concatenate
from functrans.tensor.lift import broadcast, is_weak, lift
from functrans.tensor.reduce import normal_axis, sum_, sum_dtype
from functrans.tensor.shape import integer
from functrans.tensor.window import part


def cumulate(x: UOp, op: Ops, axis: Any = None, dtype: Any = None) -> UOp:
    """The running reduction along an axis; of the flattened x where axis is None."""
    if axis is None:
        x, axis = B.reshape(x, (x.size,)), 0
    k = normal_axis(axis, x.ndim)
    wide = sum_dtype(x.dtype) if op in (Ops.ADD, Ops.MUL) else x.dtype
    x = B.cast(x, dtypes.from_numpy(dtype) if dtype is not None else wide)
    if x.dtype.kind == "b" and op in (Ops.ADD, Ops.MAX):
        op = Ops.OR
    elif x.dtype.kind == "b" and op in (Ops.MUL, Ops.MIN):
        op = Ops.AND
    if x.size == 0 or x.sized[k] == 1:
        return x
    return UOp(Ops.CUMULATE, x.dtype, (x,), (op, k))


def cumulative(x: UOp, op: Ops, axis: Any, dtype: Any, include_initial: bool) -> UOp:
    """The Array API's running reduction: an axis is needed beyond one, and may begin with the unit."""
    if axis is None and x.ndim != 1:
        raise ArgumentValueError(f"axis must be given for an array of shape {x.shape}{at_user_line()}")
    k = normal_axis(0 if axis is None else axis, x.ndim)
    y = cumulate(x, op, k, dtype)
    if not include_initial:
        return y
    unit = B.full((*y.sized[:k], 1, *y.sized[k + 1 :]), y.dtype, 0 if op is Ops.ADD else 1)
    return B.cat((unit, y), k)


def diff(x: UOp, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> UOp:
    """The n-th differences of neighbors along an axis; of bools, whether they differ."""
    times = integer(n, "n")
    if times < 0:
        raise ArgumentValueError(f"diff: the order n is {times}; expected at least 0{at_user_line()}")
    if x.ndim == 0:
        raise ShapeError(f"diff needs an array of at least one axis{at_user_line()}")
    k = normal_axis(axis, x.ndim)
    if times == 0:
        return x
    ends = [x if e is x else _end(e, x, k) for e in (prepend, x, append) if e is not None]
    x = concatenate(ends, k) if len(ends) > 1 else x
    ufunc = np.not_equal if x.dtype.kind == "b" else np.subtract
    for _ in range(times):
        last = max(x.sized[k], 1)
        x = call(ufunc, part(x, k, min(1, x.sized[k]), x.sized[k]), part(x, k, 0, min(last - 1, x.sized[k])))
    return x


def _end(value: Any, x: UOp, axis: int) -> UOp:
    node = lift(value)
    return node if node.ndim else B.broadcast(node, (*x.sized[:axis], 1, *x.sized[axis + 1 :]))


def trapezoid(y: UOp, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> UOp:
    """The integral along an axis by the trapezoidal rule."""
    k = normal_axis(axis, y.ndim)
    n = y.sized[k]
    left, right = part(y, k, min(1, n), n), part(y, k, 0, max(n - 1, 0))
    twice = call(np.add, left, right)  # in NumPy's order, which integers and bools show
    if x is None and is_weak(dx):  # a weak number: the dtype is that of y
        return sum_(call(np.divide, call(np.multiply, dx, twice), 2.0), k)
    if x is None:
        width = lift(dx)
    else:
        at = lift(x)
        width = diff(at, axis=axis if at.ndim > 1 else 0)
        if at.ndim == 1:
            width = B.reshape(width, tuple(max(n - 1, 0) if i == k else 1 for i in range(y.ndim)))
    width, twice = broadcast([width, twice], "trapezoid")
    areas = call(np.divide, call(np.multiply, width, twice), 2.0)
    return sum_(areas, normal_axis(axis, areas.ndim))  # widths may have more axes than y
