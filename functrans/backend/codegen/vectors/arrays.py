"""The local arrays that loops of vectors write: their memory, and what is noted beside them."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.codegen.nest import loops_of, nest
from functrans.backend.codegen.vectors.analysis import Body
from functrans.backend.codegen.vectors.folds import EXTREMES
from functrans.backend.codegen.vectors.spelling import shape_of
from functrans.backend.codegen.vectors.target import Target
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp


class Arrays:
    """The arrays of one kernel. Of one ``in_pieces`` no mask stands beside an array: pieces are given arrays alone."""

    def __init__(self, uops: Sequence[UOp], target: Target, in_pieces: bool) -> None:
        extremes = {u.src[0] for u in uops if u.op is Ops.FOLD and u.arg in EXTREMES and u.dtype.kind == "f"}
        self.target = target
        self.watched = {} if in_pieces else {u: f"s{u.arg.number}_nan" for u in extremes}
        self._filled = _filled_by_vectors(uops)
        self.lanes: dict[UOp, int] = {}  # how many elements of an array are written at once
        self._began: dict[UOp, tuple[int, ...] | None] = {}  # in which loops accumulators begin; None later on

    def lines(self, array: UOp, kind: str, name: str, large: int) -> list[str]:
        """The definition of an array on the stack, which begins where a cache line does if it has so many bytes."""
        is_large = array.arg.elements * array.dtype.itemsize >= large or array in self._filled
        aligned = " __attribute__((aligned(64)))" if is_large else ""
        found = [f"{kind} {name}[{max(self.room(array), 1)}]{aligned};"]
        if array in self.watched:
            shape = shape_of(array.dtype, self.target.lanes(array.dtype.itemsize))
            found.append(f"ft_m{shape} {self.watched[array]} = {{0}};")
        return found

    def room(self, array: UOp) -> int:
        """For how many elements an array has memory: on the stack for whole vectors, where those fill it. What no
        vector has filled is not read as one: numbers that nobody wrote may be slow to compute with.
        """
        elements, lanes = int(array.arg.elements), self.target.lanes(array.dtype.itemsize)
        padded = array in self._filled and array.arg.offset is None
        return -(-elements // lanes) * lanes if padded else elements

    def empty(self, loops: Sequence[int]) -> list[UOp]:
        """The arrays of maxima and minima that began in these very loops and have taken in nothing yet."""
        return [a for a in self.watched if self._began.get(a) == tuple(loops)]

    def note(self, body: Body, loops: Sequence[int]) -> None:
        """A loop of vectors is written. What was written in parts is not soon read as a whole. The first one that
        writes accumulators puts down what they begin from.
        """
        for u in body.items:
            if u.op is Ops.STORE:
                array = u.src[0].src[0]
                self.lanes[array] = self.target.lanes(body.widest)
                self._began[array] = None if array in self._began else tuple(loops)


def _filled_by_vectors(uops: Sequence[UOp]) -> set[UOp]:
    """The arrays that loops of vectors write."""
    loops = (loop for top in loops_of(nest(list(uops))) for loop in top.every())
    inside = (u for loop in loops if loop.range.arg[1] is AxisType.VECTOR for u in loop.walk())
    return {u.src[0].src[0] for u in inside if u.op is Ops.STORE}
