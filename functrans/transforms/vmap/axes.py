"""in_axes and out_axis: what may be given, and which axis of which leaf is meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, AxisError, ShapeError, at_user_line
from functrans.ops.uop import UOp


def check_in_axes(in_axes: Any) -> Any:
    """in_axes, a list at the top read as a tuple; ArgumentError where an entry is neither an int nor None."""
    for leaf in _entries(in_axes):
        if isinstance(leaf, bool) or not isinstance(leaf, int):
            raise ArgumentError(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                f"passed to the function, but got {in_axes!r}{at_user_line()}"
            )
    return tuple(in_axes) if isinstance(in_axes, list) else in_axes


def check_out_axis(out_axis: Any) -> Any:
    """out_axis; ArgumentError where an entry is not an int."""
    for leaf in _entries(out_axis):
        if isinstance(leaf, bool) or not isinstance(leaf, int):
            raise ArgumentError(f"vmap out_axis must be an int or a pytree prefix of ints, but got {out_axis!r}{at_user_line()}")
    return out_axis


def _entries(axes: Any) -> list[Any]:
    return tree.flatten(axes)[0]


def argument_names(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> list[str]:
    """A name for every leaf: the function's own argument names where it has them."""
    try:
        names = [p.name for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        names = []
    given = [names[k] if k < len(names) else f"args[{k}]" for k in range(len(args))]
    out = [p for a, n in zip(args, given, strict=True) for p in tree.paths(a, n)]
    return out + [p for k in sorted(kwargs, key=str) for p in tree.paths(kwargs[k], k)]


def leaf_axes(in_axes: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[int | None]:
    """The axis of every leaf, as given (perhaps negative); keyword arguments are mapped over axis 0."""
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        raise AxisError(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
            f"passed to the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}{at_user_line()}"
        )
    treedef = tree.flatten(tuple(args))[1]
    try:
        axes = tree.flatten_prefix(in_axes, treedef, "in_axes")
    except ArgumentError as error:
        raise AxisError(f"vmap {error}{at_user_line()}") from None
    return axes + [0] * tree.flatten(kwargs)[1].num_leaves


def resolve(axis: int, ndim: int, name: str, shape: tuple[int, ...]) -> int:
    """The axis counted from the front; AxisError out of range."""
    if not -ndim <= axis < ndim:
        needed = axis + 1 if axis >= 0 else -axis
        raise AxisError(
            f"vmap was requested to map its argument {name} along axis {axis}, which implies that its rank should be "
            f"at least {needed}, but is only {ndim} (its shape is {shape}){at_user_line()}"
        )
    return axis % ndim


def batch_size(leaves: Sequence[UOp], axes: Sequence[int | None], names: Sequence[str], axis_size: int | None) -> int:
    """The common size of the mapped axes; ShapeError listing every argument where they differ."""
    sizes: dict[int, list[str]] = {}
    for x, a, name in zip(leaves, axes, names, strict=True):
        if a is not None:
            text = f"axis {a} of argument {name} of type {x.dtype.name}[{','.join(map(str, x.sized))}]"
            sizes.setdefault(x.sized[a], []).append(text)
    if axis_size is not None:
        sizes.setdefault(axis_size, []).append("axis_size")
    if len(sizes) > 1:
        lines = [
            f"  * {'one axis' if len(who) == 1 else 'some axes'} had size {n}: {', '.join(who)}" for n, who in sizes.items()
        ]
        raise ShapeError(
            "vmap got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines) + at_user_line()
        )
    return next(iter(sizes))
