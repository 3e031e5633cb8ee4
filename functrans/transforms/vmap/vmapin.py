"""vmap by VMAPIN and VMAPOUT: the function is traced on slices, and no op below is changed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, AxisError, UnsupportedError, at_user_line
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.tensor.variable import Variable
from functrans.trace import argument_names, call, claim, leaf_names, name_of, results
from functrans.transforms.vmap.axes import (
    batch_size,
    check_in_axes,
    check_out_axis,
    leaf_axes,
    leaf_places,
    place,
    resolve,
)

_METHODS = ("vmapin", "rewrite", "pad_reduce")


def vmap(
    f: Callable[..., Any],
    in_axes: Any = 0,
    out_axis: Any = 0,
    *,
    axis_size: int | Variable | None = None,
    method: str = "vmapin",
    axis_type: Any = "loop",
    **other: Any,
) -> Callable[..., Any]:
    """Map a function over an axis of its arguments.

    ``in_axes``: the axis of each positional argument, counted from the end if negative, None for an argument that all
    elements share; one value for all, or a tuple, each entry a pytree prefix of its argument. Keyword arguments are
    mapped over axis 0. ``out_axis``: where the mapped axis stands in the result, one for all or a pytree prefix of
    the result. ``axis_size``, an int or a bound `Variable`, is needed where no argument is mapped. A result that does
    not depend on the mapped arguments is broadcast.

    The batch becomes the outermost loop of the compiled kernel; intermediate values live inside one iteration. Cost
    is linear in the batch; another batch size runs the same code.

    Raises AxisError, ShapeError (sizes differ, listed by argument) and ArgumentError (what is no axis).

    >>> import numpy as np, functrans as ft
    >>> ft.vmap(lambda x, a: a * x.sum(), in_axes=(0, None))(np.ones((2, 3)), 2.0)
    array([6., 6.])

    Source: seed 000, sections 2 and 3; semantics of ``jax.vmap``.
    """
    size = _check_options(method, axis_type, axis_size, other)
    in_axes, out_axis = check_in_axes(in_axes), check_out_axis(out_axis)
    if not callable(f):
        raise ArgumentError(f"vmap maps a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")

    @functools.wraps(f)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        def body(*targs: Any, **tkwargs: Any) -> Any:
            return _map(f, (in_axes, out_axis, size), targs, tkwargs)

        _check_call(in_axes, size, args, kwargs)
        return call(body, args, kwargs, f"vmap of {name_of(f)}", lambda: argument_names(f, args))

    return mapped


def _check_options(method: str, axis_type: Any, axis_size: Any, other: dict[str, Any]) -> int | None:
    """The axis size as a number."""
    if other:
        name = next(iter(other))
        hint = "; functrans spells it out_axis" if name == "out_axes" else ""
        raise ArgumentError(f"vmap() got an unexpected keyword argument {name!r}{hint}{at_user_line()}")
    if method not in _METHODS:
        raise ArgumentError(f"vmap method {method!r}; expected one of {_METHODS}{at_user_line()}")
    if method != "vmapin":
        raise UnsupportedError(f"vmap method {method!r} is not built yet; use method='vmapin'{at_user_line()}")
    kind = str(getattr(axis_type, "name", axis_type)).lower()
    if kind not in ("loop", "outer"):
        raise ArgumentError(f"vmap axis_type {axis_type!r}; expected 'loop' or 'outer'{at_user_line()}")
    if kind != "loop":
        raise UnsupportedError(f"vmap axis_type {axis_type!r} is not built yet; use axis_type='loop'{at_user_line()}")
    if isinstance(axis_size, Variable):
        if axis_size.value is None:
            raise ArgumentError(
                f"vmap axis_size is {axis_size!r}, which has no value{at_user_line()}; shapes are known when a "
                "function is traced: pass v.bind(n) as axis_size, not through an argument of a transformed function"
            )
        return axis_size.value
    if axis_size is not None and (isinstance(axis_size, bool) or not isinstance(axis_size, int) or axis_size < 0):
        raise ArgumentError(f"vmap axis_size must be an int >= 0 or None, but got {axis_size!r}{at_user_line()}")
    return axis_size


def _check_call(in_axes: Any, axis_size: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    axes = leaf_axes(in_axes, args, kwargs)
    if axis_size is None and not axes:
        raise AxisError(
            "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
            f"specified, got empty *args={args!r} and **kwargs={kwargs!r}{at_user_line()}"
        )
    if axis_size is None and all(a is None for a in axes):
        raise AxisError(
            f"vmap must have at least one non-None value in in_axes or axis_size must be specified{at_user_line()}"
        )


def _map(
    f: Callable[..., Any], axes: tuple[Any, Any, int | None], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    in_axes, out_axis, axis_size = axes
    leaves, treedef = tree.flatten((args, kwargs))
    nodes = [t.uop for t in leaves]

    def names() -> list[str]:
        return leaf_names(argument_names(f, args), args, kwargs)

    found = resolve(nodes, leaf_axes(in_axes, args, kwargs), names)
    r = claim(UOp.range(batch_size(nodes, found, names, axis_size)))
    slices = [x if a is None else enter(x, r, a) for x, a in zip(nodes, found, strict=True)]
    given = [t if isinstance(t, Variable) else Tensor.from_uop(s) for t, s in zip(leaves, slices, strict=True)]
    targs, tkwargs = treedef.unflatten(given)
    value = f(*targs, **tkwargs)
    outputs, out_tree = results(value, f"vmap of {name_of(f)}")
    places = leaf_places(out_axis, out_tree)
    named = zip(outputs, places, tree.paths(value, "result"), strict=True)
    return out_tree.unflatten([Tensor.from_uop(leave(y, r, place(a, y.ndim + 1, name))) for y, a, name in named])


def enter(x: UOp, r: UOp, axis: int) -> UOp:
    """The slice of x at r along an axis."""
    return x.vmapin(tuple(r if i == axis else const(0) for i in range(x.ndim)))


def leave(y: UOp, r: UOp, axis: int) -> UOp:
    """The values of y for every r, along a new axis; what does not depend on r is repeated."""
    return y.vmapout(tuple(r if i == axis else const(0) for i in range(y.ndim + 1)))
