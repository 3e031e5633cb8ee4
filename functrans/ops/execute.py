"""The meaning of a kernel-stage list, statement by statement: the second oracle, never optimised.

It knows nothing of C, of inlining or of names, and a read or write outside an array is an error here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from functrans.errors import SpecError
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.kernel import closing
from functrans.ops.opdef import opdef
from functrans.ops.order import found_in
from functrans.ops.uop import UOp, toposort

Array = np.ndarray[Any, Any]


def execute(uops: list[UOp], arrays: Mapping[str, Array], numbers: Mapping[str, int]) -> None:
    """Run the statements in place on flat arrays, by the names of their DEFINE_GLOBAL and DEFINE_VAR.

    Raises SpecError for a list that is out of order, and for an access outside an array.
    """
    _Machine(uops, arrays, numbers).run()


class _Machine:
    def __init__(self, uops: list[UOp], arrays: Mapping[str, Array], numbers: Mapping[str, int]) -> None:
        self.uops, self.arrays, self.numbers = uops, arrays, numbers
        self.ends = closing(uops)
        self.value: dict[UOp, Any] = {}  # of an INDEX: (array, position)
        far = [u for u in uops if u.op is Ops.DEFINE_LOCAL and u.arg.offset is not None]
        size = max((u.arg.offset + u.arg.elements * u.dtype.itemsize for u in far), default=0)
        self.scratch = np.empty(size, np.uint8)

    def run(self) -> None:
        at = 0
        while at < len(self.uops):
            at = self._statement(at, self.uops[at])

    def _statement(self, at: int, u: UOp) -> int:
        """Execute one statement; the position of the next one."""
        value, src = self.value, u.src
        match u.op:
            case Ops.RANGE:
                value[u] = 0
                return at + 1 if value[src[0]] > 0 else self.ends[at] + 1
            case Ops.ENDRANGE:
                value[src[0]] += 1
                return self.ends[at] + 1 if value[src[0]] < value[src[0].src[0]] else at + 1
            case Ops.IF:
                return at + 1 if value[src[0]] else self.ends[at] + 1
            case Ops.DEFINE_GLOBAL:
                value[u] = self.arrays[u.arg.name].view(u.dtype.numpy)  # complex numbers may be pairs of real ones
            case Ops.DEFINE_VAR:
                value[u] = self.numbers[u.arg[0]]
            case Ops.DEFINE_LOCAL:
                value[u] = self._local(u)
            case Ops.DEFINE_ACC:
                value[u] = value[src[0]]
            case Ops.ASSIGN:
                value[u] = value[src[0]] = value[src[1]]
            case Ops.INDEX:
                value[u] = (value[src[0]], int(value[src[1]]))
            case Ops.LOAD:
                value[u] = self._load(u) if len(src) == 1 or value[src[2]] else value[src[1]]
            case Ops.STORE:
                if len(src) == 2 or value[src[2]]:
                    array, place = self._place(src[0])
                    array[place] = value[src[1]]
            case op if op in GroupOp.Order:
                found_in(op, [value[s] for s in src])[:] = self._ordered(u)
            case Ops.WMMA:
                self._tile(u)
            case Ops.CALLS:
                self._calls(u)
            case Ops.FOLD:
                value[u] = self._folded(u)
            case Ops.ENDIF | Ops.NAME | Ops.SINK:
                pass
            case _:
                value[u] = self._apply(u)
        return at + 1

    def _local(self, u: UOp) -> Array:
        size, start = u.arg.elements * u.dtype.itemsize, u.arg.offset
        memory = np.empty(size, np.uint8) if start is None else self.scratch[start : start + size]
        memory[:] = 0xFF  # NaN, so that reading too early shows
        return memory.view(u.dtype.numpy)

    def _place(self, index: UOp) -> tuple[Array, int]:
        array, place = self.value[index]
        if not 0 <= place < array.size:
            raise SpecError(f"{index.src[0]!r} of {array.size} elements is accessed at {place}")
        return array, place

    def _load(self, u: UOp) -> Array:
        array, place = self._place(u.src[0])
        return np.asarray(array[place])

    def _ordered(self, u: UOp) -> Array:
        meaning = opdef(u).numpy
        assert meaning is not None
        return np.asarray(meaning(u, self.value[u.src[0]]))

    def _folded(self, u: UOp) -> Array:
        left: Array = self.value[u.src[0]]
        pair = UOp(u.arg, u.dtype, (UOp.const(u.dtype, 0), UOp.const(u.dtype, 0)))
        meaning = opdef(pair).numpy
        assert meaning is not None
        while left.size > 1:
            half = left.size // 2
            left = np.asarray(meaning(pair, left[:half], left[half:]))
        return left.reshape(())

    def _tile(self, u: UOp) -> None:
        """A tile of sums of products, each in order from zero; rows past the last are those of the last."""
        (sums, at), (first, a), (second, b) = (self.value[s] for s in u.src[:3])
        row, step, stride, rows, terms = (int(self.value[s]) for s in u.src[3:])
        across = np.minimum(np.arange(u.arg.rows), rows - 1) * row
        total = np.zeros((u.arg.rows, u.arg.columns), u.src[0].dtype.numpy)
        for k in range(terms):
            places = a + across + k * step
            start = b + k * stride
            ends = (start, start + u.arg.columns - 1)
            if not all(0 <= i < second.size for i in ends) or places.min() < 0 or places.max() >= first.size:
                raise SpecError(f"{u!r} reads outside of its arrays in term {k}")
            total += first[places][:, None] * second[start : start + u.arg.columns]
        place = slice(at, at + total.size)
        sums[place] = sums[place] + total.reshape(-1) if u.arg.adds else total.reshape(-1)

    def _calls(self, u: UOp) -> None:
        """Functions of rows of local arrays, for some lanes."""
        lanes, width = int(self.value[u.src[0]]), u.arg.width
        if lanes > width:
            raise SpecError(f"{u!r} is for {width} lanes at the most, not for {lanes}")
        arrays = {s.dtype: self.value[s] for s in u.src[1:]}
        for call in u.arg.calls:
            filled, read = call.rows[: len(call.results)], call.rows[len(call.results) :]
            found: dict[UOp, Array] = {}
            for v in toposort(call.results):
                if v.op is Ops.PARAM:
                    kind, k = v.arg[0]
                    row = read[k] * width if kind == "row" else 0
                    found[v] = arrays[v.dtype][row : row + lanes] if kind == "row" else np.asarray(call.numbers[k])
                else:
                    meaning = opdef(v).numpy
                    if meaning is None:
                        raise SpecError(f"{v!r} is in a function of rows")
                    found[v] = np.asarray(meaning(v, *(np.asarray(found[s], s.dtype.numpy) for s in v.src)))
            for v, k in zip(call.results, filled, strict=True):
                arrays[v.dtype][k * width : k * width + lanes] = found[v]

    def _apply(self, u: UOp) -> Array:
        meaning = opdef(u).numpy
        if meaning is None:
            raise SpecError(f"{u!r} is no statement of a kernel")
        return np.asarray(meaning(u, *(np.asarray(self.value[s], s.dtype.numpy) for s in u.src)))
