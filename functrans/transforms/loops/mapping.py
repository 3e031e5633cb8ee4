"""map: a function on every element of a leading axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans import tree
from functrans.trace import call
from functrans.transforms.loops.carry import function_of, named
from functrans.transforms.loops.sequences import length_of, natural
from functrans.transforms.vmap.mapped import vmap


def map(f: Callable[..., Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """``f`` of every element of the leading axis of ``xs``, the results stacked: ``stack([f(x) for x in xs])``.

    ``xs`` and what f returns are pytrees. This is `vmap` over axis 0 of every leaf, which is one loop in C already and
    stores no more than a loop of elements would; a function that is mapped so may have loops with trip counts and
    branches of its own for each element. ``batch_size`` is JAX's: how many elements to compute together there. It
    changes neither results nor memory here.

    Raises ArgumentError (f is no function, ``xs`` holds no array), ShapeError (a number in ``xs``, lengths differ) and
    ArgumentValueError (a batch size that is none).

    >>> import numpy as np, functrans as ft
    >>> ft.map(lambda row: row.sum(), np.arange(6.0).reshape(3, 2))
    array([1., 5., 9.])

    Source: semantics of ``jax.lax.map``.
    """
    what = named(f, "map")
    function_of(f, "f of map")
    if batch_size is not None:
        natural(batch_size, "batch_size", what, 1)

    def body(sequences: Any) -> Any:
        nodes = [t.uop for t in tree.leaves(sequences)]
        count = length_of(nodes, tree.paths(sequences, "xs"), None, what)
        return vmap(f, axis_size=count)(sequences)

    return call(body, (xs,), {}, what, lambda: ["xs"])
