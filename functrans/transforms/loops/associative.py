"""associative_scan: running results of an operation that may be grouped in any way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, AxisError, at_user_line
from functrans.ops import build as B
from functrans.ops.loops import Scan
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.trace import call, claim
from functrans.transforms.loops.body import closed
from functrans.transforms.loops.carry import Carry, function_of, named, traced_body
from functrans.transforms.loops.scan import loop
from functrans.transforms.loops.sequences import length_of


def associative_scan(fn: Callable[..., Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Running results along an axis: element k is ``fn(... fn(fn(e0, e1), e2) ..., ek)``.

    ``fn`` takes two pytrees like ``elems`` whose arrays are slices along the axis, and returns one; it works on slices
    of any length there, element by element. With ``reverse`` the elements come from last to first. A negative axis is
    counted from the end of the first array.

    It is one loop that goes from element to element: n - 1 calls of fn, where a tree of sums makes about 2 n. Results
    are grouped from the left, so they do not depend on fn being associative.

    Raises ArgumentError (fn is no function, the structure changes, no arrays), AxisError, ShapeError and DtypeError
    (lengths along the axis differ, fn changes shapes or dtypes).

    >>> import numpy as np, functrans as ft
    >>> ft.associative_scan(np.multiply, np.arange(1.0, 6.0))
    array([  1.,   2.,   6.,  24., 120.])
    >>> ft.associative_scan(np.maximum, np.array([3.0, 1.0, 2.0]), reverse=True)
    array([3., 2., 2.])

    Source: semantics of ``jax.lax.associative_scan``; prefix sums as in Blelloch, Prefix Sums and Their Applications.
    """
    what = named(fn, "associative_scan")
    function_of(fn, "fn of associative_scan")
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise ArgumentError(f"axis={axis!r} of {what}; expected an int{at_user_line()}")

    def body(given: Any) -> Any:
        leaves, treedef = tree.flatten(given)
        names = tree.paths(given, "elems")
        if not leaves:
            raise ArgumentError(f"{what} got no arrays{at_user_line()}")
        place = axis + leaves[0].ndim if axis < 0 else axis
        for name, x in zip(names, leaves, strict=True):
            if not 0 <= place < x.ndim:
                raise AxisError(f"axis {axis} of {what} is out of bounds for {name} of shape {x.shape}{at_user_line()}")
        rows = [_rows(x.uop, place) for x in leaves]
        count = length_of(rows, names, None, what)
        if count < 2:
            return given
        made = _running(fn, rows, treedef, bool(reverse), what)
        return treedef.unflatten([Tensor.from_uop(_along(x, place)) for x in made])

    return call(body, (elems,), {}, what, lambda: ["elems"])


def _running(fn: Callable[..., Any], rows: Sequence[UOp], treedef: tree.TreeDef, reverse: bool, what: str) -> list[UOp]:
    """The loop over rows, the first (or last) of which is what it begins with."""
    count = rows[0].sized[0]
    edge, others = ((count - 1, count), (0, count - 1)) if reverse else ((0, 1), (1, count))
    starts = [_between(x, edge) for x in rows]
    begin = Carry([B.reshape(x, x.sized[1:]) for x in starts], treedef, [False] * len(rows))
    elements = [claim(param(x.sized[1:], x.dtype)) for x in rows]
    element = treedef.unflatten(map(Tensor.from_uop, elements))
    carry, holes, made, _, _ = traced_body(lambda c: (fn(c, element), None), begin, what)
    found, constants = closed([*made, *made], [*holes, *elements])
    arg = Scan(found, len(holes), len(rows), count - 1, reverse)
    stacks = loop(arg, [*carry.nodes, *(_between(x, others) for x in rows), *constants])[len(holes) :]
    return [B.cat((y, x) if reverse else (x, y)) for x, y in zip(starts, stacks, strict=True)]


def _between(x: UOp, bounds: tuple[int, int]) -> UOp:
    return B.shrink(x, (bounds, *((0, n) for n in x.sized[1:])))


def _rows(x: UOp, axis: int) -> UOp:
    """Slices of length one along the axis, one behind the other along a new axis in front."""
    moved = B.permute(x, (axis, *(k for k in range(x.ndim) if k != axis)))
    return B.reshape(moved, (x.sized[axis], *x.sized[:axis], 1, *x.sized[axis + 1 :]))


def _along(rows: UOp, axis: int) -> UOp:
    """Slices one behind the other, along the axis that they are slices of."""
    shape = rows.sized
    flat = B.reshape(rows, (shape[0], *shape[1 : axis + 1], *shape[axis + 2 :]))
    return B.permute(flat, (*range(1, axis + 1), 0, *range(axis + 1, flat.ndim)))
