"""PAD and SHRINK at a place that RANGEs decide: the slice of a vmap, and its way back, as movement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from functrans.errors import SpecError
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.symbolic import const, linear, sub
from functrans.ops.uop import UOp

Bound = int | UOp


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
    arg, moving = [], []
    for start, stop in bounds:
        if isinstance(start, UOp) or isinstance(stop, UOp):
            moving.append(_node(start))
            arg.append((None, _length(sub(_node(stop), _node(start)), "SHRINK", "the length of the window")))
        else:
            arg.append((start, stop))  # type: ignore[arg-type]
    return UOp(Ops.SHRINK, x.dtype, (x, *moving), tuple(arg)) if moving else B.shrink(x, tuple(arg))  # type: ignore[arg-type]


def pad(x: UOp, widths: Sequence[tuple[Bound, Bound]]) -> UOp:
    """Zeros before and after along each axis; the widths of an axis may be expressions of RANGEs with a constant sum.

    Of floating-point zeros these are the negative ones where a width is an expression: what is added to them stays
    as it is, so that ``reduce(pad(x, ((r, n - 1 - r),)), Ops.ADD, r)`` is exact.

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
    arg, moving = [], []
    for (before, after), n in zip(widths, x.sized, strict=True):
        if isinstance(before, UOp) or isinstance(after, UOp):
            moving.append(_node(before))
            arg.append((None, n + _length(_node(before) + _node(after), "PAD", "the sum of the widths")))
        else:
            arg.append((before, after))  # type: ignore[arg-type]
    if not moving:
        return B.pad(x, tuple(arg))  # type: ignore[arg-type]
    return UOp(Ops.PAD, x.dtype, (x, *moving, UOp.const(x.dtype, B.neutral(x.dtype))), tuple(arg))


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


def moving(pairs: Any) -> bool:
    """Whether bounds or widths are expressions of RANGEs."""
    return isinstance(pairs, (tuple, list)) and any(
        isinstance(p, (tuple, list)) and any(isinstance(b, UOp) for b in p) for p in pairs
    )


def _node(n: Bound) -> UOp:
    return n if isinstance(n, UOp) else const(n)


def _length(n: UOp, op: str, what: str) -> int:
    constant, terms = linear(n)
    if terms:
        raise SpecError(f"{op}: {what} is {n!r}, which depends on {tuple(terms)}; it must be a number")
    return constant
