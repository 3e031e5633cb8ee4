"""PAD and SHRINK at a place that RANGEs decide: the slice of a vmap, and its way back, as movement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.symbolic import bounds as limits
from functrans.ops.symbolic import const, linear, sub
from functrans.ops.uop import UOp

Bound = int | UOp


def is_window(node: UOp) -> bool:
    """Whether a node is a window whose place is known."""
    return node.op is Ops.SHRINK and len(node.src) == 1


def shrink(x: UOp, bounds: Sequence[tuple[Bound, Bound]]) -> UOp:
    """The window [start, stop) along each axis; a start and its stop may be expressions of RANGEs.

    The shape is that of a window, the dtype stays. Raises SpecError where the length of the window is not a number, or
    it may leave the array. Costs nothing: it is arithmetic on indices, and a window of one element at a RANGE that
    walks the whole axis is scheduled as a VMAPIN.

    >>> import numpy as np
    >>> from functrans.ops import UOp, source
    >>> x, r = source.buffer(np.arange(6.0).reshape(3, 2)), UOp.range(3)
    >>> shrink(x, ((r, r + 1), (0, 2))).shape
    (1, 2)

    Source: slicing with symbolic bounds, as in the vmap that functrans grew from.
    """
    still, starts = _apart(bounds, x.sized)
    if starts:
        lengths = {k: _length(sub(_node(bounds[k][1]), at), "SHRINK", "the length of the window")
                   for k, at in starts.items()}  # fmt: skip
        arg = tuple((None, lengths[k]) if k in starts else (0, n) for k, n in enumerate(x.sized))
        x = UOp(Ops.SHRINK, x.dtype, (x, *starts.values()), arg)
        still = [(0, lengths[k]) if k in starts else b for k, b in enumerate(still)]
    return B.shrink(x, tuple(still))


def pad(x: UOp, widths: Sequence[tuple[Bound, Bound]]) -> UOp:
    """Zeros before and after along each axis; the widths of an axis may be expressions of RANGEs with a constant sum.

    Of floating-point zeros these are the negative ones along axes whose width is an expression: what is added to them
    stays as it is, so that ``reduce(pad(x, ((r, n - 1 - r),)), Ops.ADD, r)`` is exact.

    Raises SpecError where the size of the result is not a number. Costs nothing by itself. The sum over a RANGE of what
    is padded to its place is scheduled as a VMAPOUT, linear in the extent; with any other offset it is the sum that it
    says, of as many arrays as the RANGE has values.

    >>> import numpy as np
    >>> from functrans.ops import Ops, UOp, source
    >>> from functrans.ops.interpret import interpret
    >>> x, r = source.buffer(np.arange(3.0)), UOp.range(3)
    >>> one = pad(shrink(x, ((r, r + 1),)), ((r, 2 - r),))
    >>> interpret([reduce(one, Ops.ADD, r)])[0]
    array([0., 1., 2.])

    Source: the pad and reduce vmap that functrans grew from, with a neutral padding.
    """
    still, starts = _apart(widths, (0,) * x.ndim)
    x = B.pad(x, tuple(still))
    if not starts:
        return x
    sizes = {k: x.sized[k] + _length(at + _node(widths[k][1]), "PAD", "the sum of the widths")
             for k, at in starts.items()}  # fmt: skip
    arg = tuple((None, sizes[k]) if k in starts else (0, 0) for k in range(x.ndim))
    return UOp(Ops.PAD, x.dtype, (x, *starts.values(), UOp.const(x.dtype, B.neutral(x.dtype))), arg)


def reduce(x: UOp, op: Ops, *ranges: UOp) -> UOp:
    """The reduction of x over all values of the RANGEs, which are closed. Shape and dtype are those of x.

    ``op`` is ADD, MUL, MAX, MIN, or, of bool, AND and OR. Raises SpecError of another one, or where no RANGE is given.
    Costs what the same reduction over axes does, the RANGEs being the first ones of the array.

    >>> import numpy as np
    >>> from functrans import dtypes
    >>> from functrans.ops import Ops, UOp, source
    >>> from functrans.ops.interpret import interpret
    >>> x, r = source.buffer(np.arange(6.0).reshape(3, 2)), UOp.range(3)
    >>> row = x.vmapin((r, UOp.const(dtypes.index, 0)))
    >>> interpret([reduce(row, Ops.MAX, r)])[0]
    array([4., 5.])

    Source: as for `pad`.
    """
    return UOp(Ops.REDUCE, x.dtype, (x, *ranges), op)


def element(x: UOp, axis: int, at: UOp) -> UOp:
    """The elements of x at an expression of RANGEs along an axis, which disappears. SpecError where it may leave that.

    >>> import numpy as np
    >>> from functrans.ops import UOp, source
    >>> x, r = source.buffer(np.arange(6.0).reshape(3, 2)), UOp.range(2)
    >>> element(x, 1, 1 - r).shape
    (3,)
    """
    if at.op is Ops.RANGE and at not in x.free_ranges and limits(at.src[0])[1] == x.sized[axis]:
        return x.vmapin(tuple(at if k == axis else const(0) for k in range(x.ndim)))
    window = shrink(x, tuple((at, at + 1) if k == axis else (0, n) for k, n in enumerate(x.sized)))
    return B.reshape(window, (*x.sized[:axis], *x.sized[axis + 1 :]))


def moving(pairs: Any) -> bool:
    """Whether bounds or widths are expressions of RANGEs."""
    return isinstance(pairs, (tuple, list)) and any(
        isinstance(p, (tuple, list)) and any(isinstance(b, UOp) for b in p) for p in pairs
    )


def _apart(pairs: Sequence[tuple[Bound, Bound]], idle: tuple[int, ...]) -> tuple[list[tuple[int, int]], dict[int, UOp]]:
    """The pairs of numbers, (0, idle) where there is an expression; and the axes of these with where they start."""
    still: list[tuple[int, int]] = []
    starts: dict[int, UOp] = {}
    for k, ((first, last), n) in enumerate(zip(pairs, idle, strict=True)):
        if isinstance(first, UOp) or isinstance(last, UOp):
            starts[k] = _node(first)
            still.append((0, n))
        else:
            still.append((first, last))
    return still, starts


def _node(n: Bound) -> UOp:
    return n if isinstance(n, UOp) else const(n)


def _length(n: UOp, op: str, what: str) -> int:
    constant, terms = linear(n)
    if terms:
        raise SpecError(f"{op}: {what} is {n!r}, which depends on {tuple(terms)}; it must be a number{at_user_line()}")
    return constant
