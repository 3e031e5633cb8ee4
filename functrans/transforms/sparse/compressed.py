"""The compressed Jacobian as a graph: one tangent a color under one vmap, then each nonzero by a known index.

``k`` runs over the colors; the direction of color k is built where it is read, from the color of each input
element. The products are stacked, flattened and re-indexed into the order of the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp
from functrans.transforms.forward import push_forward

_ZERO = UOp.const(dtypes.index, 0)


def value_dtype(outputs: Sequence[UOp]) -> DType:
    """The dtype of the nonzeros: what the outputs that have a derivative promote to."""
    kinds = [o.dtype.numpy for o in outputs if dtypes.is_inexact(o.dtype)]
    return dtypes.from_numpy(np.result_type(*kinds)) if kinds else dtypes.float64


def pushed(outputs: Sequence[UOp], seeds: dict[UOp, UOp]) -> UOp:
    """The tangents of all outputs, flattened and joined."""
    dtype = value_dtype(outputs)
    parts = []
    for o, t in zip(outputs, push_forward(outputs, dict(seeds)), strict=True):
        whole = B.full((o.size,), dtype, 0) if t is None else B.cast(B.reshape(t, (o.size,)), dtype)
        parts.append(whole)
    return B.cat(tuple(parts)) if parts else B.full((0,), dtype, 0)


def compressed(outputs: Sequence[UOp], inputs: Sequence[UOp], colors: NDArray[np.int32], count: int) -> UOp:
    """The products ``J @ (colors == k)`` for all colors: a node of shape (count, rows).

    Parameters
    ----------
    outputs : nodes, in the order of the rows
    inputs : PARAMs, in the order of the columns
    colors : the color of each column
    count : the number of colors

    >>> from functrans.ops.interpret import interpret
    >>> from functrans.ops.source import param
    >>> x = param((3,), dtypes.float64)
    >>> products = compressed([B.mul(x, x)], [x], np.array([0, 1, 0], np.int32), 2)
    >>> interpret([products], {x: np.array([1.0, 2.0, 3.0])})[0].tolist()
    [[2.0, 0.0, 6.0], [0.0, 4.0, 0.0]]
    """
    k = UOp.range(count)
    color = B.iota(count, dtypes.int32).vmapin((k,))
    seeds, start = {}, 0
    for p in inputs:
        own = buffer(colors[start : start + p.size].astype(np.int32).reshape(p.sized))
        seeds[p] = B.where(B.eq(own, B.broadcast(color, p.sized)), B.like(p, 1), B.like(p, 0))
        start += p.size
    return pushed(outputs, seeds).vmapout((k, _ZERO))


def picked(products: UOp, places: NDArray[np.int32] | NDArray[np.int64]) -> UOp:
    """The elements at known flat places of an array."""
    if not len(places):
        return B.full((0,), products.dtype, 0)
    return B.gather(B.reshape(products, (products.size,)), buffer(np.array(places, np.int64)))
