"""vmap: what its arguments mean, and the trace of the function on slices. How a slice is written is the method's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from functrans import tree
from functrans.errors import ArgumentError, AxisError, at_user_line
from functrans.ops.enums import AxisType
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.tensor.variable import Variable
from functrans.trace import argument_names, call, claim, held, leaf_names, name_of, results
from functrans.transforms.transformed import Transformed
from functrans.transforms.vmap.axes import (
    batch_size,
    check_in_axes,
    check_out_axis,
    leaf_axes,
    leaf_places,
    place,
    resolve,
)
from functrans.transforms.vmap.methods import PAD_REDUCE, REWRITE, VMAPIN, Method

_METHODS: dict[str, Method] = {"vmapin": VMAPIN, "rewrite": REWRITE, "pad_reduce": PAD_REDUCE}
_KINDS = {"loop": AxisType.LOOP, "outer": AxisType.OUTER, AxisType.LOOP: AxisType.LOOP, AxisType.OUTER: AxisType.OUTER}


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
    elements share, which may be anything; one value for all, or a tuple, each entry a pytree prefix of its argument.
    Keyword arguments are mapped over axis 0. ``out_axis``: where the mapped axis stands in the result, one for all or a
    pytree prefix of the result. A result that does not depend on the mapped arguments is broadcast, or returned as it
    is where ``out_axis`` is None. ``axis_size``, an int or a bound `Variable`, is needed where no argument is mapped.

    With ``axis_type="loop"`` the batch becomes the outermost loop of the compiled kernel; intermediate values live
    inside one iteration. With ``"outer"`` the kernel is launched once an element; what several kernels of an element
    hand on is then stored for all elements.

    ``method`` says how the map is written into the graph, never what it means: ``"vmapin"`` traces slices between
    VMAPIN and VMAPOUT, ``"rewrite"`` gives every node a real batch axis, ``"pad_reduce"`` pads each result to its
    place and sums over the RANGE. Results are equal bit for bit, and methods nest in any mix.

    Cost is that of f times the batch, by every method; what does not depend on the mapped arguments is computed once.
    f is traced at each call, once; another batch size runs the same code.

    Raises AxisError (an axis that an argument or result has not, nothing mapped), ShapeError (sizes differ, listed by
    argument), ArgumentValueError (``out_axis`` is None for a result that depends on the mapped arguments) and
    ArgumentError (what is no axis, an unknown method or axis_type).

    >>> import numpy as np, functrans as ft
    >>> ft.vmap(lambda x, a: a * x.sum(), in_axes=(0, None))(np.ones((2, 3)), 2.0)
    array([6., 6.])
    >>> ft.vmap(np.cumsum, out_axis=1, method="pad_reduce", axis_type="outer")(np.ones((2, 3)))
    array([[1., 1.],
           [2., 2.],
           [3., 3.]])

    Semantics of ``jax.vmap``, with ``out_axis`` for its ``out_axes``. Decision 0001 is about
    the brackets, 0014 about how the other methods come to them.
    """
    size = _check_options(axis_size, other)
    formulation, kind = _method(method), _kind(axis_type)
    in_axes, out_axis = check_in_axes(in_axes), check_out_axis(out_axis)
    if not callable(f):
        raise ArgumentError(f"vmap maps a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")

    def mapped(*args: Any, **kwargs: Any) -> Any:
        axes = _leaf_axes(in_axes, size, args, kwargs)
        own, args, kwargs = held(f, args, kwargs, [a is None for a in axes])
        axes = axes if own is f else leaf_axes(in_axes, args, kwargs)

        def body(*targs: Any, **tkwargs: Any) -> Any:
            return _map(own, _Options(axes, out_axis, size, formulation, kind), targs, tkwargs)

        return call(body, args, kwargs, f"vmap of {name_of(f)}", lambda: argument_names(f, args))

    make = functools.partial(vmap, axis_size=axis_size, method=method, axis_type=axis_type)
    return Transformed(mapped, make, f, in_axes, out_axis)


class _Options(NamedTuple):
    axes: list[int | None]  # of the leaves of the arguments
    out_axis: Any
    axis_size: int | None
    method: Method
    kind: AxisType


def _method(name: Any) -> Method:
    found = _METHODS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ArgumentError(f"vmap method {name!r}; expected one of {tuple(_METHODS)}{at_user_line()}")
    return found


def _kind(axis_type: Any) -> AxisType:
    found = _KINDS.get(axis_type) if isinstance(axis_type, (str, AxisType)) else None
    if found is None:
        raise ArgumentError(f"vmap axis_type {axis_type!r}; expected 'loop' or 'outer'{at_user_line()}")
    return found


def _check_options(axis_size: Any, other: dict[str, Any]) -> int | None:
    """The axis size as a number."""
    if other:
        name = next(iter(other))
        hint = "; functrans spells it out_axis" if name == "out_axes" else ""
        raise ArgumentError(f"vmap() got an unexpected keyword argument {name!r}{hint}{at_user_line()}")
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


def _leaf_axes(in_axes: Any, axis_size: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[int | None]:
    """The axis of every leaf; AxisError where nothing is mapped."""
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
    return axes


def _map(f: Callable[..., Any], options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    leaves, treedef = tree.flatten((args, kwargs))
    nodes = [t.uop for t in leaves]

    def names() -> list[str]:
        return leaf_names(argument_names(f, args), args, kwargs)

    found = resolve(nodes, options.axes, names)
    r = claim(UOp.range(batch_size(nodes, found, names, options.axis_size), None, options.kind))
    slices = [x if a is None else options.method.enter(x, r, a) for x, a in zip(nodes, found, strict=True)]
    given = [t if isinstance(t, Variable) else Tensor.from_uop(s) for t, s in zip(leaves, slices, strict=True)]
    targs, tkwargs = treedef.unflatten(given)
    value = f(*targs, **tkwargs)
    outputs, out_tree = results(value, f"vmap of {name_of(f)}")
    wanted = leaf_places(options.out_axis, out_tree)
    named = zip(outputs, wanted, tree.paths(value, "result"), strict=True)
    places = [place(a, y, r, name) for y, a, name in named]
    mapped = [(y, a) for y, a in zip(outputs, places, strict=True) if a is not None]
    left = iter(options.method.leave([y for y, _ in mapped], r, [a for _, a in mapped]))
    made = [y if a is None else next(left) for y, a in zip(outputs, places, strict=True)]
    return out_tree.unflatten(list(map(Tensor.from_uop, made)))
