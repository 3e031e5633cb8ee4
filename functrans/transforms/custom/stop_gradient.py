"""stop_gradient: a value that counts as a constant."""

from __future__ import annotations

from typing import Any

from functrans import dtypes, tree
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.trace import call, check_leaves


def stop_gradient(x: Any) -> Any:
    """The same value, whose derivative is zero: no tangent or cotangent passes. ``x`` may be a pytree.

    Raises ArgumentError for a leaf that is no array. Costs nothing.

    >>> import numpy as np, functrans as ft
    >>> ft.jvp(lambda x: x * ft.stop_gradient(x), (3.0,), (1.0,))
    (np.float64(9.0), np.float64(3.0))

    Source: semantics of ``jax.lax.stop_gradient``.
    """
    leaves, treedef = tree.flatten(x)
    check_leaves(leaves, (x,), {}, "stop_gradient", lambda: ["x"])
    return call(lambda *given: treedef.unflatten(list(map(_stopped, given))), leaves, {}, "stop_gradient", list)


def _stopped(x: Tensor) -> Tensor:
    inexact = dtypes.is_inexact(x.uop.dtype)
    return Tensor.from_uop(UOp(Ops.DETACH, x.uop.dtype, (x.uop,))) if inexact else x
