"""Reading by index: NumPy's x[key], take and take_along_axis."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import DtypeError, FunctransError, IndexOutOfRange, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp
from functrans.tensor.affine import interval
from functrans.tensor.at_ranges import at_ranges
from functrans.tensor.constants import constant
from functrans.tensor.lift import node_of
from functrans.tensor.plan import Plan, arrange, plan
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import option
from functrans.tensor.static_index import Entry, Index, as_integers, check_bounds, settle
from functrans.tensor.variable_slice import windows
from functrans.tensor.window import whole, window

MODES = ("raise", "wrap", "clip")


def getitem(x: UOp, key: Any) -> UOp:
    """``x[key]`` with NumPy's meaning; for an integer node, negatives wrap and the rest is clamped.

    An expression of RANGEs is an integer that differs from lane to lane or from round to round, and is refused with
    SpecError where it may leave its axis. Integers, slices, masks with a regular pattern and arrays that are
    progressions become movement of axes; other arrays become one gather along the axes they index.

    Raises
    ------
    IndexOutOfRange
        A constant index is outside its axis; something is no index; index arrays do not broadcast.
    TracedValueError
        A boolean mask or a slice bound is traced (a slice between run-time integers may be, see `ft.Variable`).
    AxisError, ShapeError, ArgumentError
        Too many indices; rows of different lengths; a bound of a slice that is no integer.

    Examples
    --------
    >>> import numpy as np
    >>> from functrans.ops import source
    >>> from functrans.ops.interpret import interpret
    >>> x = source.buffer(np.arange(12.0).reshape(3, 4))
    >>> interpret([getitem(x, (slice(None, None, 2), [3, 1, 1]))])[0]
    array([[ 3.,  1.,  1.],
           [11.,  9.,  9.]])
    """
    x, key = windows(*at_ranges(x, key))
    return read(x, plan(key, x.sized))


def read(x: UOp, p: Plan) -> UOp:
    """X under a plan."""
    y = window(B.reshape(x, p.source), p.spans)
    if p.lead:
        y = B.permute(y, (*p.lead, *p.rest))
        y = _joint(y, p)
    y = B.permute(B.reshape(y, p.laid), p.order)
    return B.reshape(y, p.shape)


def _joint(y: UOp, p: Plan) -> UOp:
    sizes, rest = y.sized[: len(p.lead)], y.sized[len(p.lead) :]
    if p.flat is not None:
        merged = B.reshape(y, (prod(sizes), *rest))
        return window(merged, (p.flat, *map(whole, rest)))
    if 0 in sizes and 0 not in p.joint:
        raise IndexOutOfRange(
            f"an integer Tensor indexes an axis of size 0 (of shape {p.source}): there is nothing to read"
            f"{at_user_line()}"
        )
    return B.gather(y, *index_nodes(p))


def index_nodes(p: Plan) -> tuple[UOp, ...]:
    """The arrays of a plan's joint gather as int64 nodes of one shape, negatives counted from the end."""
    sizes = (p.source[a] for a in p.lead)
    return tuple(B.broadcast(index_node(i, n), p.joint) for i, n in zip(p.indices, sizes, strict=True))


def index_node(index: Index, n: int) -> UOp:
    """One index array as an int64 node; an index below -n or above n - 1 stays out of range. Constants are in range."""
    if not isinstance(index, UOp):
        return B.inside(constant(index), n)
    if index.dtype == dtypes.uint64:  # the larger half does not fit into int64
        index = B.alu(Ops.MIN, index, B.like(index, n))
    wide = B.cast(index, dtypes.int64)
    if index.dtype.kind == "u" or interval(wide)[0] >= 0:
        return wide
    return B.where(B.lt(wide, B.like(wide, 0)), B.add(wide, B.like(wide, n)), wide)


def take(x: UOp, indices: Any, axis: int | None = None, mode: str = "raise") -> UOp:
    """The elements of x at integer indices along an axis (of the flattened x where axis is None).

    ``mode`` is NumPy's: ``"raise"`` (constants out of range raise; of nodes, negatives wrap and the rest
    is clamped), ``"wrap"`` (modulo the size) or ``"clip"`` (clamped, negatives to 0).
    """
    option("take: mode", mode, MODES)
    x, at = along(x, axis)
    index = _moded(integers(indices, "indices"), x.sized[at], at, mode)
    entries = [Entry(index=index) if a == at else Entry(span=whole(n)) for a, n in enumerate(x.sized)]
    return read(x, arrange(x.sized, entries))


def along(x: UOp, axis: int | None) -> tuple[UOp, int]:
    """X and a non-negative axis of it; x flattened where the axis is None."""
    if axis is None:
        return B.reshape(x, (x.size,)), 0
    return x, normal_axis(axis, x.ndim)


def integers(indices: Any, name: str, error: type[FunctransError] = DtypeError) -> Index:
    """Integer indices as they are given: a node or a constant array; an error for other elements."""
    node = node_of(indices)
    given = as_integers(indices) if node is None else node
    if given.dtype.kind not in "iu":
        raise error(f"{name} has dtype {given.dtype.name}; expected integers{at_user_line()}")
    return given


def _moded(index: Index, n: int, axis: int, mode: str) -> Index:
    if isinstance(index, UOp):
        if mode == "raise":
            return settle(index, n)
        if mode == "clip":
            return index if index.dtype.kind == "u" else B.alu(Ops.MAX, index, B.like(index, 0))
        wide = B.cast(index, dtypes.int64)
        return B.alu(Ops.FLOORMOD, wide, B.like(wide, n))
    if mode == "raise" or not n:
        return check_bounds(index, n, axis)
    # n need not fit into a narrow dtype, nor uint64 into int64
    wide_enough = index if index.dtype.kind == "u" and index.dtype.itemsize == 8 else index.astype(np.int64)
    return (wide_enough % n if mode == "wrap" else np.clip(wide_enough, 0, n - 1)).astype(np.int64)


def take_along_axis(x: UOp, indices: Any, axis: int | None = -1) -> UOp:
    """``out[..., k, ...] = x[..., indices[..., k, ...], ...]``: one index for every element, as from argsort.

    The other axes of x and of indices broadcast against each other. Indices are checked or clamped as by
    `getitem`.
    """
    x, at = along(x, axis)
    index = integers(indices, "indices", IndexOutOfRange)
    shape = index.sized if isinstance(index, UOp) else index.shape
    if len(shape) != x.ndim:
        raise ShapeError(
            f"indices has {len(shape)} axes and x has {x.ndim} (shapes {shape} and {x.shape}); "
            f"expected as many{at_user_line()}"
        )
    n = x.sized[at]
    index = settle(index, n) if isinstance(index, UOp) else check_bounds(index, n, at)
    common = _common(x.sized, shape, at)
    others = [_line(d, a, x.ndim) for a, d in enumerate(x.sized)]
    if n == 0 and 0 not in common:
        raise IndexOutOfRange(f"axis {at} of shape {x.shape} has size 0: there is nothing to take{at_user_line()}")
    nodes = [index_node(index, n) if a == at else others[a] for a in range(x.ndim)]
    return B.gather(x, *(B.broadcast(i, common) for i in nodes))


def _line(n: int, axis: int, ndim: int) -> UOp:
    return B.reshape(B.iota(n), tuple(n if a == axis else 1 for a in range(ndim)))


def _common(shape: Shape, given: Shape, axis: int) -> Shape:
    own = (*shape[:axis], 1, *shape[axis + 1 :])
    try:
        return np.broadcast_shapes(own, given)
    except ValueError as error:
        raise IndexOutOfRange(
            f"indices of shape {given} do not broadcast with x of shape {shape} outside axis {axis}{at_user_line()}"
        ) from error
