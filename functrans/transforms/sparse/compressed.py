"""The compressed derivative as a graph: one product a color under one vmap, then each nonzero by a known index.

``k`` runs over the colors; the direction of color k is built where it is read, from the color of each input
element (column colors, a tangent) or output element (row colors, a cotangent). The products are stacked, flattened
and re-indexed into the order of the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.source import buffer, param
from functrans.ops.uop import UOp
from functrans.transforms.forward import Push, push_forward
from functrans.transforms.linearize import filled
from functrans.transforms.sparse.decompress import Compression
from functrans.transforms.sparse.traced import value_dtype
from functrans.transforms.transpose import transpose

_ZERO = UOp.const(dtypes.index, 0)


def pushed(outputs: Sequence[UOp], seeds: dict[UOp, UOp]) -> UOp:
    """The tangents of all outputs, flattened and joined."""
    dtype = value_dtype(outputs)
    parts = []
    for o, t in zip(outputs, push_forward(outputs, dict(seeds)), strict=True):
        whole = B.full((o.size,), dtype, 0) if t is None else B.cast(B.reshape(t, (o.size,)), dtype)
        parts.append(whole)
    return B.cat(tuple(parts)) if parts else B.full((0,), dtype, 0)


def pulled(outputs: Sequence[UOp], inputs: Sequence[UOp], cotangents: Sequence[UOp | None]) -> UOp:
    """The cotangents of all inputs, given those of the outputs, flattened and joined."""
    dtype = value_dtype(outputs)
    along = [param(p.sized, p.dtype) for p in inputs]
    _, tangents = Push(dict(zip(inputs, along, strict=True)), to_transpose=True)(outputs)
    found = transpose(tangents, along, cotangents)
    parts = [B.cast(B.reshape(filled(p, c), (p.size,)), dtype) for p, c in zip(inputs, found, strict=True)]
    return B.cat(tuple(parts)) if parts else B.full((0,), dtype, 0)


def column_products(outputs: Sequence[UOp], inputs: Sequence[UOp], colors: NDArray[np.int32], count: int) -> UOp:
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
    >>> products = column_products([B.mul(x, x)], [x], np.array([0, 1, 0], np.int32), 2)
    >>> interpret([products], {x: np.array([1.0, 2.0, 3.0])})[0].tolist()
    [[2.0, 0.0, 6.0], [0.0, 4.0, 0.0]]
    """
    k, seeds = _directions(inputs, colors, count)
    return pushed(outputs, dict(zip(inputs, seeds, strict=True))).vmapout((k, _ZERO))


def row_products(outputs: Sequence[UOp], inputs: Sequence[UOp], colors: NDArray[np.int32], count: int) -> UOp:
    """The products ``(colors == k) @ J`` for all colors: a node of shape (count, columns).

    >>> from functrans.ops.interpret import interpret
    >>> x = param((3,), dtypes.float64)
    >>> products = row_products([B.mul(x, B.flip(x, (True,)))], [x], np.array([0, 1, 1], np.int32), 2)
    >>> interpret([products], {x: np.array([1.0, 2.0, 3.0])})[0].tolist()
    [[3.0, 0.0, 1.0], [3.0, 4.0, 1.0]]
    """
    k, seeds = _directions(outputs, colors, count)
    cotangents = [s if dtypes.is_inexact(s.dtype) else None for s in seeds]
    return pulled(outputs, inputs, cotangents).vmapout((k, _ZERO))


def _directions(nodes: Sequence[UOp], colors: NDArray[np.int32], count: int) -> tuple[UOp, list[UOp]]:
    """A RANGE over the colors, and for each node ones where its elements have the color, zeros elsewhere."""
    k = UOp.range(count)
    color = B.iota(count, dtypes.int32).vmapin((k,))
    seeds, start = [], 0
    for u in nodes:
        own = buffer(colors[start : start + u.size].astype(np.int32).reshape(u.sized))
        seeds.append(B.where(B.eq(own, B.broadcast(color, u.sized)), B.like(u, 1), B.like(u, 0)))
        start += u.size
    return k, seeds


def products(outputs: Sequence[UOp], inputs: Sequence[UOp], compression: Compression) -> UOp:
    """All products that a coloring asks for as one vector: those of rows first."""
    coloring = compression.coloring
    colors, parts = coloring.colors, []
    num_rows = coloring.num_colors if coloring.partition == "row" else coloring.num_rows
    split = 0 if coloring.partition in ("column", "symmetric") else sum(o.size for o in outputs)
    if num_rows:
        parts.append(row_products(outputs, inputs, colors[:split], num_rows))
    if coloring.num_colors > num_rows:
        of_columns = colors[split:] - np.int32(num_rows)
        parts.append(column_products(outputs, inputs, of_columns, coloring.num_colors - num_rows))
    flat = [B.reshape(p, (p.size,)) for p in parts]
    return B.cat(tuple(flat)) if flat else B.full((0,), value_dtype(outputs), 0)


def nonzeros(product: UOp, compression: Compression) -> UOp:
    """The elements that a compression reads off its products: what `Compression.read` does, without the last step."""
    found = picked(product, compression.places)
    for to, of in compression.steps:
        found = B.scatter(found, B.neg(picked(found, of)), (buffer(np.array(to, np.int64)),), "add")
    return found


def picked(vector: UOp, places: NDArray[np.integer]) -> UOp:
    """The elements at known places."""
    if not len(places):
        return B.full((0,), vector.dtype, 0)
    return B.gather(vector, buffer(np.array(places, np.int64)))
