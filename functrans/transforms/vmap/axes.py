"""in_axes and out_axis: what may be given, and which axis of which leaf is meant."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans.errors import ArgumentError, ArgumentValueError, AxisError, ShapeError, at_user_line
from functrans.ops.uop import UOp

Names = Callable[[], Sequence[str]]  # computed for a message only: reading a signature is slow
_IN = (
    "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the "
    "function"
)


def check_in_axes(in_axes: Any) -> Any:
    """in_axes, a list at the top read as a tuple; ArgumentError where an entry is neither an int nor None."""
    if isinstance(in_axes, dict) or not all(map(_is_axis, tree.flatten(in_axes)[0])):
        raise ArgumentError(f"{_IN}, but got {in_axes!r}{at_user_line()}")
    return tuple(in_axes) if isinstance(in_axes, list) else in_axes


def check_out_axis(out_axis: Any) -> Any:
    """out_axis; ArgumentError where an entry is neither an int nor None."""
    if not all(map(_is_axis, tree.flatten(out_axis)[0])):
        raise ArgumentError(
            f"vmap out_axis must be an int, None, or a pytree prefix of them, got {out_axis!r}{at_user_line()}"
        )
    return out_axis


def _is_axis(entry: Any) -> bool:
    return isinstance(entry, (int, np.integer)) and not isinstance(entry, bool)


def leaf_axes(in_axes: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[int | None]:
    """The axis of every leaf, as given (perhaps negative); keyword arguments are mapped over axis 0."""
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        raise AxisError(f"{_IN}, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}{at_user_line()}")
    try:
        axes = tree.flatten_prefix(in_axes, tree.flatten(args)[1], "in_axes")
    except ArgumentError as error:
        raise AxisError(f"vmap {error.message}{at_user_line()}") from None
    return axes + [0] * (tree.flatten(kwargs)[1].num_leaves if kwargs else 0)


def resolve(leaves: Sequence[UOp], axes: Sequence[int | None], names: Names) -> list[int | None]:
    """The axes counted from the front; AxisError where an array has no such axis."""
    found: list[int | None] = []
    for k, (x, axis) in enumerate(zip(leaves, axes, strict=True)):
        if axis is not None and not -x.ndim <= axis < x.ndim:
            needed = axis + 1 if axis >= 0 else -axis
            raise AxisError(
                f"vmap was requested to map its argument {names()[k]} along axis {axis}, which implies that its rank "
                f"should be at least {needed}, but is only {x.ndim} (its shape is {x.sized}){at_user_line()}"
            )
        found.append(None if axis is None else operator.index(axis) % x.ndim)
    return found


def batch_size(leaves: Sequence[UOp], axes: Sequence[int | None], names: Names, axis_size: int | None) -> int:
    """The common size of the mapped axes; ShapeError listing every argument where they differ."""
    sizes = {x.sized[a] for x, a in zip(leaves, axes, strict=True) if a is not None}
    if axis_size is not None:
        sizes.add(axis_size)
    if len(sizes) == 1:
        return sizes.pop()
    who: dict[int, list[str]] = {} if axis_size is None else {axis_size: ["the argument axis_size"]}
    for x, a, name in zip(leaves, axes, names(), strict=True):
        if a is not None:
            text = f"axis {a} of argument {name} of type {x.dtype.name}[{','.join(map(str, x.sized))}]"
            who.setdefault(x.sized[a], []).append(text)
    lines = [f"  * {'one axis' if len(w) == 1 else 'some axes'} had size {n}: {', '.join(w)}" for n, w in who.items()]
    raise ShapeError("vmap got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines) + at_user_line())


def leaf_places(out_axis: Any, out_tree: tree.TreeDef) -> list[int | None]:
    """Where the mapped axis stands in every result, as given; None for one that has no such axis."""
    try:
        return tree.flatten_prefix(out_axis, out_tree, "out_axis")
    except ArgumentError as error:
        raise AxisError(f"vmap {error.message}{at_user_line()}") from None


def place(axis: int | None, y: UOp, r: UOp, name: str) -> int | None:
    """Where the mapped axis stands in the result y of all r, or None for none.

    AxisError out of range, ArgumentValueError for None where y depends on r: it has no one value.
    """
    if axis is None:
        if r in y.free_ranges:
            raise ArgumentValueError(
                f"vmap out_axis is None for {name}, of shape {y.shape} and dtype {y.dtype.name}, which depends on the "
                f"mapped arguments{at_user_line()}; give the axis that the mapped axis is to be in it"
            )
        return None
    ndim = y.ndim + 1
    if not -ndim <= axis < ndim:
        raise AxisError(
            f"vmap out_axis {axis} is out of bounds for array of dimension {ndim}, which {name} is{at_user_line()}"
        )
    return operator.index(axis) % ndim
