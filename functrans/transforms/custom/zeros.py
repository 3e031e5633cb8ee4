"""Zeros that a custom rule can see: tangents and cotangents that are zero whatever the values are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._records import record
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp


@record
class SymbolicZero:
    """A tangent or cotangent that is zero because nothing that varies reaches it; it holds no array.

    Rules set with ``symbolic_zeros=True`` are given it, and any rule may return it. It takes part in no arithmetic:
    ask with ``isinstance`` first. ``shape`` and ``dtype`` are those of the array of zeros that it stands for.

    >>> import numpy as np, functrans as ft
    >>> ft.SymbolicZero((2,), np.dtype(float))
    SymbolicZero((2,), float64)

    Source: semantics of ``jax.custom_derivatives.SymbolicZero``.
    """

    shape: Shape
    dtype: np.dtype[Any]
    __array_ufunc__ = None  # NumPy raises TypeError, where it would make an array of objects

    def __repr__(self) -> str:
        return f"SymbolicZero({self.shape}, {self.dtype})"

    @staticmethod
    def like(x: UOp) -> SymbolicZero:
        """The zero tangent of a node: of float64 where that is of ints or bools."""
        dtype = x.dtype if dtypes.is_inexact(x.dtype) else dtypes.float64
        return SymbolicZero(x.sized, dtype.numpy)


@record
class CustomVJPPrimal:
    """An argument as ``fwd`` sees it with ``symbolic_zeros=True``: its value, and whether a derivative is by it.

    Source: semantics of ``jax.custom_derivatives.CustomVJPPrimal``.
    """

    value: Any
    perturbed: bool


def touched(flat: UOp, bounds: Sequence[tuple[int, int]]) -> list[bool]:
    """Which parts of a flat array may be other than zero: those that meet an operand of its sum.

    Terms are zero outside of what they were padded around. Never too few; linear in the graph of the sum.
    """
    found = [False] * len(bounds)
    todo, seen = [flat], {flat}
    while todo:
        node = todo.pop()
        if node.op in (Ops.ADD, Ops.SUB, Ops.NEG):
            todo.extend(s for s in node.src if s not in seen)
            seen.update(node.src)
            continue
        start, stop, inner = 0, flat.size, node
        if node.op is Ops.PAD and node.arg[0][0] is not None:
            (before, after), inner = node.arg[0], node.src[0]
            start, stop = before, flat.size - after
        if B.const_value(inner) != 0:
            found = [f or (start < b and a < stop) for f, (a, b) in zip(found, bounds, strict=True)]
    return found
