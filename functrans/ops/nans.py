"""Which node made a NaN: from a result that holds one, down to the first node whose sources hold none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.interpret import Array, interpret, key_of
from functrans.ops.uop import UOp
from functrans.ops.vmap import ranges_of

Index = tuple[int, ...]


class Origin(NamedTuple):
    """The node that made a NaN, the lanes of the maps around it (outermost first), the element within it."""

    node: UOp
    lanes: Index
    element: Index


def nan_index(array: Array) -> Index | None:
    """The first NaN of an array, in C order; None where there is none."""
    if array.dtype.kind not in "fc":
        return None
    flags = np.isnan(array)
    return tuple(int(i) for i in np.unravel_index(int(flags.argmax()), array.shape)) if flags.any() else None


def nan_origin(root: UOp, values: Mapping[UOp, Array]) -> Origin | None:
    """Who made the first NaN of a value, given the arrays of the PARAMs: evaluates every node below by the interpreter.

    Goes from element to element through brackets and elementwise ops (of a WHERE into the branch that is taken), to
    the first NaN of a source through others. None where the interpreter finds no NaN in the root.
    """
    memo: dict[Any, Array] = {}
    index = nan_index(interpret([root], values, memo)[0])
    if index is None:
        return None
    node, lanes = root, dict[UOp, int]()
    while True:
        below = _source(node, lanes, index, memo)
        if below is None:
            return Origin(node, tuple(lanes[r] for r in lanes if r in node.free_ranges), index)
        node, lanes, index = below


def _source(
    node: UOp, lanes: dict[UOp, int], index: Index, memo: Mapping[Any, Array]
) -> tuple[UOp, dict[UOp, int], Index] | None:
    """A source that holds the NaN already."""
    if node.op is Ops.VMAPOUT:
        inside = {a: i for a, i in zip(node.src[1:], index, strict=True) if a.op is Ops.RANGE}
        rest = tuple(i for a, i in zip(node.src[1:], index, strict=True) if a.op is not Ops.RANGE)
        return node.src[0], lanes | inside, rest
    if node.op is Ops.VMAPIN:
        kept = iter(index)
        whole = tuple(lanes[a] if a.op is Ops.RANGE else next(kept) for a in node.src[1:])
        outside = {r: i for r, i in lanes.items() if r not in ranges_of(node.src[1:])}
        return node.src[0], outside, whole
    for s in node.src:
        if s.shape is None or (node.op is Ops.WHERE and s is node.src[0]):
            continue
        value = memo[key_of(s, lanes)]
        found = nan_index(value)
        if node.op in GroupOp.OfElements and found is not None:
            found = index if np.isnan(value[index]) else None
        if node.op is Ops.WHERE and found is not None:
            taken = node.src[1] if memo[key_of(node.src[0], lanes)][index] else node.src[2]
            found = found if s is taken else None
        if found is not None:
            return s, lanes, found
    return None
