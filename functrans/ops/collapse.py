"""Slices and reductions over RANGEs brought to brackets: ``sum over r of (i == r ? v(r) : 0)`` is ``v(i)``.

A map written with pad and reduce does the work of all its elements once for each of them. Two rows undo that: a
slice of one element at a RANGE is a VMAPIN, and a sum over the RANGE of what is padded to its place is a VMAPOUT.
Any other reduction over RANGEs is one over the axes that a VMAPOUT gives them. After this pass the tensor stage
has brackets alone, and every transform and schedule sees the same graph whichever way the map was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import fill_of, offsets
from functrans.ops.rewrite import graph_rewrite
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat
from functrans.ops.vmap import extent

_ZERO = const(0)


def walked(node: UOp) -> dict[int, UOp] | None:
    """The axes whose offset is a RANGE that walks it from end to end, each another; None if more than that moves."""
    whole = node.sized if node.op is Ops.PAD else node.src[0].sized
    part = node.src[0].sized if node.op is Ops.PAD else node.sized
    at = {k: r for k, r in enumerate(offsets(node)) if r is not None}
    others = all(a == b for k, (a, b) in enumerate(zip(whole, part, strict=True)) if k not in at)
    fits = all(r.op is Ops.RANGE and part[k] == 1 and extent(r) == whole[k] for k, r in at.items())
    return at if at and fits and others and len(set(at.values())) == len(at) else None


def _varg(at: dict[int, UOp], ndim: int) -> tuple[UOp, ...]:
    return tuple(at.get(k, _ZERO) for k in range(ndim))


def _slice(node: UOp) -> UOp | None:
    at = walked(node)
    if at is None or not node.src[0].free_ranges.isdisjoint(at.values()):
        return None
    return B.reshape(node.src[0].vmapin(_varg(at, node.ndim)), node.sized)


def _place(node: UOp) -> UOp | None:
    """A sum of what is zero but at its own place: the zeros are such that adding them changes no bit."""
    padded, closed = node.src[0], node.src[1:]
    at = walked(padded) if padded.op is Ops.PAD else None
    if at is None or not set(at.values()) <= set(closed):
        return None
    if node.arg is not (Ops.OR if node.dtype.kind == "b" else Ops.ADD):
        return None
    if node.dtype.kind in "fc" and fill_of(padded) is not UOp.const(node.dtype, B.neutral(node.dtype)):
        return None
    rest = tuple(n for k, n in enumerate(padded.src[0].sized) if k not in at)
    placed = B.reshape(padded.src[0], rest).vmapout(_varg(at, padded.ndim))
    others = tuple(q for q in closed if q not in at.values())
    return node.replace((placed, *others)) if others else placed


def over_axes(node: UOp) -> UOp:
    """A REDUCE over RANGEs as one over the axes that these become."""
    ranges = node.src[1:]
    every = node.src[0].vmapout((*ranges, *(_ZERO,) * node.ndim))
    return B.reduce_axis(every, node.arg, tuple(range(len(ranges))))


pm_collapse = PatternMatcher(
    [
        (UPat(Ops.SHRINK, name="node"), _slice),
        (UPat(Ops.REDUCE, name="node"), _place),
        (UPat(Ops.REDUCE, name="node"), over_axes),
    ]
)


def collapse(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, bit for bit but for the order of general sums, without REDUCE over RANGEs.

    Linear in the graph. A graph that has none is given back as it is.

    >>> from functrans import dtypes
    >>> from functrans.ops.enums import GroupOp
    >>> from functrans.ops.source import param
    >>> from functrans.ops.window import pad, reduce, shrink
    >>> x, r = param((5,), dtypes.float64), UOp.range(5)
    >>> y = B.neg(B.reshape(shrink(x, ((r, r + 1),)), ()))
    >>> every = reduce(pad(B.reshape(y, (1,)), ((r, 4 - r),)), Ops.ADD, r)
    >>> [u.op.name for u in collapse([every])[0].toposort() if u.op in GroupOp.VMap | GroupOp.Unary]
    ['VMAPIN', 'NEG', 'VMAPOUT']
    """
    if not any(u.op is Ops.REDUCE or (u.op is Ops.SHRINK and len(u.src) > 1) for u in toposort(roots)):
        return list(roots)
    return graph_rewrite(roots, pm_collapse)
