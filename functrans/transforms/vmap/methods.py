"""The three ways to write a map: how an argument becomes its slice, and how results come back under a new axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent
from functrans.ops.window import pad, reduce, shrink
from functrans.transforms.vmap.rewriting import batched


class Method(NamedTuple):
    """``enter(x, r, axis)`` is the slice of x at r; ``leave(ys, r, axes)`` the values for all r, along new axes."""

    enter: Callable[[UOp, UOp, int], UOp]
    leave: Callable[[Sequence[UOp], UOp, Sequence[int]], list[UOp]]


def _varg(r: UOp, axis: int, ndim: int) -> tuple[UOp, ...]:
    return tuple(r if i == axis else const(0) for i in range(ndim))


def enter(x: UOp, r: UOp, axis: int) -> UOp:
    """The slice of x at r along an axis."""
    return x.vmapin(_varg(r, axis, x.ndim))


def leave(y: UOp, r: UOp, axis: int) -> UOp:
    """The values of y for every r, along a new axis; what does not depend on r is repeated."""
    return y.vmapout(_varg(r, axis, y.ndim + 1))


def _leave_all(ys: Sequence[UOp], r: UOp, axes: Sequence[int]) -> list[UOp]:
    return [leave(y, r, axis) for y, axis in zip(ys, axes, strict=True)]


def _rewrite(ys: Sequence[UOp], r: UOp, axes: Sequence[int]) -> list[UOp]:
    """Every node between the slices and the results with a batch axis of its own.

    The results are then read along a RANGE: it says which axis is the batch, and by its type whether its loop is in
    the kernel or around it.
    """
    mark = UOp.range(r.src[0], None, r.arg[1])
    return [leave(enter(y, mark, 0), mark, axis) for y, axis in zip(batched(ys, r), axes, strict=True)]


def _slice(x: UOp, r: UOp, axis: int) -> UOp:
    """The window of one element at r, its axis taken away."""
    one = shrink(x, [(r, r + 1) if k == axis else (0, n) for k, n in enumerate(x.sized)])
    return B.reshape(one, x.sized[:axis] + x.sized[axis + 1 :])


def _pad_reduce(ys: Sequence[UOp], r: UOp, axes: Sequence[int]) -> list[UOp]:
    """Each result at its place among zeros, summed over the RANGE."""
    return [_summed(y, r, axis) for y, axis in zip(ys, axes, strict=True)]


def _summed(y: UOp, r: UOp, axis: int) -> UOp:
    one = B.reshape(y, (*y.sized[:axis], 1, *y.sized[axis:]))
    placed = pad(one, [(r, extent(r) - 1 - r) if k == axis else (0, 0) for k in range(one.ndim)])
    return reduce(placed, Ops.OR if y.dtype.kind == "b" else Ops.ADD, r)


VMAPIN = Method(enter, _leave_all)
REWRITE = Method(enter, _rewrite)
PAD_REDUCE = Method(_slice, _pad_reduce)
