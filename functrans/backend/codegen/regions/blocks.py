"""Of a loop of lanes, how wide vectors are, how many go side by side, and how many where fewer rounds are left."""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.lanes.batch import SIDES
from functrans.backend.codegen.regions.tree import Array
from functrans.backend.codegen.vectors.target import target
from functrans.backend.codegen.vectors.values import Shape
from functrans.backend.policy import L1_BYTES, STRAIGHT_STATEMENTS
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

_FEWER = {4 * SIDES: 2 * SIDES}  # sides of what goes before one behind blocks of so many


def counts_of(shape: Shape, rounds: int | None) -> tuple[int, ...]:
    """How many vectors go side by side in blocks, and in what is left: of known rounds all, and once."""
    sides, lanes = shape.sides, shape.lanes
    if rounds is not None:
        blocks = rounds // (lanes * sides)
        return tuple(n for n in (sides * (blocks > 0), -(-rounds // lanes) - blocks * sides) if n)
    return (sides, _FEWER[sides], 1) if sides in _FEWER else (sides, 1)


def shape_of(body: list[UOp], own: list[Array], steps: set[int | None]) -> Shape:
    """How wide the vectors are and how many go side by side: each waits for itself, most where nothing is a loop. Of
    columns alone eight lines of memory are read together, and of those that little is done with besides what all share.
    """
    size = max(u.dtype.itemsize for u in body if u.dtype.kind in "fiu")
    work = sum(u.op in GroupOp.Elementwise and u.dtype != dtypes.index for u in body)
    lanes, near = target().lanes(size), sum(a.elements * a.dtype.itemsize for a in own)
    sides = SIDES if any(u.op is Ops.RANGE for u in body) else 2 * SIDES
    columns = steps == {1} or (steps == {0, 1} and work <= STRAIGHT_STATEMENTS)
    sides = 4 * SIDES if columns else sides
    while sides > 1 and sides * lanes * near > L1_BYTES:
        sides //= 2
    return Shape(lanes, sides, 8 * size)
