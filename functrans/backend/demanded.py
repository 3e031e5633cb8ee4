"""The operations of a graph of arrays, each element that a result demands counted once: what a schedule is held to.

A schedule may compute an element where it is read, and then once for each read; what it adds by that is the difference
between the operations of its kernels and the figure here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from functrans.backend.schedule.operations import of_element
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent, ranges_of

Mask = np.ndarray[Any, np.dtype[np.bool_]]  # which elements of an array are demanded; all of them: a view of one True


def demanded(roots: Sequence[UOp]) -> int:
    """The operations for the roots, counted as `Cost.flops` are. They hold no REDUCE over RANGEs: see `collapse`.

    A loop of a vmap counts whole, and so does what is read at indices that only a call knows. Linear in the graph, and
    in the elements of arrays that are demanded in part.
    """
    masks = {root: _all(root) for root in roots}
    total = 0
    for node in reversed(toposort(roots)):
        mask = masks.pop(node, None)
        if mask is None or not mask.any():
            continue
        total += _operations(node, mask) * prod(map(extent, node.free_ranges))
        for k, source in enumerate(node.src):
            if source.shape is not None and source.dtype.kind != "x":
                part = _of_source(node, k, mask)
                masks[source] = _either(masks[source], part) if source in masks else part
    return total


def _all(node: UOp) -> Mask:
    return np.broadcast_to(np.True_, node.sized)


def _is_all(mask: Mask) -> bool:
    return not any(mask.strides)


def _either(a: Mask, b: Mask) -> Mask:
    return a if _is_all(a) else b if _is_all(b) else a | b


def _operations(node: UOp, mask: Mask) -> int:
    """Of the elements of a node that are demanded."""
    count = mask.size if _is_all(mask) else int(np.count_nonzero(mask))
    reduces = opdef(node).reduces
    if reduces is not None:
        terms: int = prod(node.src[0].sized[a] for a in reduces(node)[1])
        return count * terms
    if opdef(node).runs is not None:
        return count
    if node.op is Ops.SCATTER:
        return 0 if node.arg in ("place", "set") else node.src[1].size
    return count * of_element(node)


def _of_source(node: UOp, k: int, mask: Mask) -> Mask:
    """Which elements of source k those of a node demand."""
    source = node.src[k]
    if node.op in GroupOp.Movement:
        return _moved(node, mask) if k == 0 and len(node.src) == 1 else _all(source)
    if node.op in GroupOp.Join:
        return _where(node, k, mask)
    if node.op in GroupOp.VMap:
        return _bracketed(node, mask)
    reduces = opdef(node).reduces
    if reduces is not None and not _is_all(mask):
        return np.broadcast_to(np.expand_dims(mask, reduces(node)[1]), source.sized)
    return mask if node.op in GroupOp.OfElements and source.shape == node.shape else _all(source)


def _moved(node: UOp, mask: Mask) -> Mask:
    whole = node.size >= node.src[0].size
    return _all(node.src[0]) if whole and _is_all(mask) else _where(node, 0, mask)


def _where(node: UOp, k: int, mask: Mask) -> Mask:
    """Found by moving the numbers of the elements of source k as the node moves elements."""
    shapes = [s.sized for s in node.src]
    numbers = np.arange(1, prod(shapes[k]) + 1).reshape(shapes[k])
    move = opdef(node).numpy
    assert move is not None
    moved = move(node, *(numbers if i == k else np.zeros(s, int) for i, s in enumerate(shapes)))
    found = np.zeros(numbers.size + 1, bool)
    found[moved[mask]] = True
    return found[1:].reshape(shapes[k])


def _bracketed(node: UOp, mask: Mask) -> Mask:
    axes = tuple(i for i, a in enumerate(node.src[1:]) if a in ranges_of(node.src[1:]))
    if _is_all(mask):
        return _all(node.src[0])
    if node.op is Ops.VMAPOUT:
        return np.asarray(mask.any(axis=axes))
    return np.broadcast_to(np.expand_dims(mask, axes), node.src[0].sized)
