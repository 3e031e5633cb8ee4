"""How wide the vectors of a loop of lanes are, and how many go side by side."""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.lanes.batch import SIDES
from functrans.backend.codegen.vectors.target import target
from functrans.backend.codegen.vectors.values import Shape
from functrans.backend.policy import L1_BYTES, STRAIGHT_STATEMENTS
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp


def shape_of(body: list[UOp], near: int, steps: set[int | None]) -> Shape:
    """The shape for statements that have so many bytes of their own in each round, and read and write arrays by so many
    elements from round to round.

    Each vector waits for itself: most go side by side where nothing is a loop. Of columns alone eight lines of memory
    are read together, and of those that little is done with besides what all share.
    """
    size = max(u.dtype.itemsize for u in body if u.dtype.kind in "fiu")
    work = sum(u.op in GroupOp.Elementwise and u.dtype != dtypes.index for u in body)
    lanes = target().lanes(size)
    sides = SIDES if any(u.op is Ops.RANGE for u in body) else 2 * SIDES
    columns = steps == {1} or (steps == {0, 1} and work <= STRAIGHT_STATEMENTS)
    sides = 4 * SIDES if columns else sides
    while sides > 1 and sides * lanes * near > L1_BYTES:
        sides //= 2
    return Shape(lanes, sides, 8 * size)
