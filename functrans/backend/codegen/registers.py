"""Scalar replacement: local arrays whose every place is a constant become values. Short loops written out leave them.

A loop around them is then nothing but values, reads and writes, of which there are vectors. An array stays where one
of its places is read before it is written, where it is used in an inner loop, under a condition or by a helper, and
where what was stored would be another number at the read: a sum that goes on, or memory that is written in between.
"""

from __future__ import annotations

from functrans.backend.codegen.nest import Writer, nest
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def registers(uops: list[UOp]) -> list[UOp]:
    """The statements with such arrays replaced. Linear in their number, times what stored values are made of."""
    found = _Found(uops)
    if not found.arrays:
        return uops
    writer = _Replaced(uops, found.arrays)
    writer.items(nest(uops))
    return writer.out


def _array(u: UOp) -> UOp | None:
    """The array that a statement reads or writes."""
    return u.src[0].src[0] if u.op in (Ops.LOAD, Ops.STORE) else None


class _Found:
    """The arrays to replace."""

    def __init__(self, uops: list[UOp]) -> None:
        self.arrays = {u for u in uops if u.op is Ops.DEFINE_LOCAL}
        if self.arrays:
            for u in uops:
                self._look_at(u)
        before = -1
        while self.arrays and len(self.arrays) != before:  # what stays is memory to the others
            before = len(self.arrays)
            self._walk(uops, {a for u in uops if u.op is Ops.STORE and (a := _array(u)) not in self.arrays})

    def _look_at(self, u: UOp) -> None:
        """Leave out what a statement uses in any other way than one element by a constant place."""
        if u.op is Ops.INDEX:
            if u.src[1].op is not Ops.CONST:
                self.arrays.discard(u.src[0])
        elif (u.op is Ops.LOAD and len(u.src) > 1) or (u.op is Ops.STORE and len(u.src) > 2):
            self.arrays.discard(u.src[0].src[0])
        elif u.op not in (Ops.LOAD, Ops.STORE):
            for s in u.src:
                self.arrays.discard(s.src[0] if s.op is Ops.INDEX else s)

    def _walk(self, uops: list[UOp], memory: set[UOp | None]) -> None:
        """Leave out what is not known where it is read, or would not be the same there. ``memory`` is written."""
        scopes: list[UOp] = []
        home: dict[UOp, int] = {}
        made_of: dict[UOp, frozenset[UOp]] = {}  # of each value, the accumulators and the memory it is computed of
        known: dict[UOp, frozenset[UOp]] = {}  # and so of what is at a place
        for u in uops:
            if u.op in (Ops.RANGE, Ops.IF):
                scopes.append(u)
            elif u.op in (Ops.ENDRANGE, Ops.ENDIF):
                scopes.pop()
            elif u.op is Ops.DEFINE_LOCAL:
                home[u] = len(scopes)
                known = {place: made for place, made in known.items() if place.src[0] is not u}
            array = _array(u)
            made_of[u] = frozenset().union(*(made_of[s] for s in u.src))
            if array is not None and array in self.arrays:
                if home[array] != len(scopes) or (u.op is Ops.LOAD and u.src[0] not in known):
                    self.arrays.discard(array)
                elif u.op is Ops.STORE:
                    known[u.src[0]] = made_of[u.src[1]]
                else:
                    made_of[u] = known[u.src[0]]
            elif u.op is Ops.DEFINE_ACC or (u.op is Ops.LOAD and array in memory):
                made_of[u] |= {u if array is None else array}
            changed = u.src[0] if u.op is Ops.ASSIGN else array if u.op is Ops.STORE else None
            if changed is not None:
                self.arrays -= {place.src[0] for place, made in known.items() if changed in made}


class _Replaced(Writer):
    def __init__(self, uops: list[UOp], arrays: set[UOp]) -> None:
        super().__init__(uops)
        self.arrays = arrays
        self.known: dict[UOp, UOp] = {}

    def one(self, old: UOp) -> None:
        """Write a statement, or note what is at a place of such an array."""
        if _array(old) in self.arrays:
            if old.op is Ops.STORE:
                self.known[old.src[0]] = self.now(old.src[1])
            else:
                self.become(old, self.known[old.src[0]])
        elif old not in self.arrays and not (old.op is Ops.INDEX and old.src[0] in self.arrays):
            self.copy(old)
