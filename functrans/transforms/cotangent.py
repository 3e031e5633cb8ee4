"""A cotangent: a value, and perhaps the only places where it counts.

A WHERE transposes to a choice: elsewhere the cotangent is zero. That zero is not multiplied by the partial of a
branch that was not taken, which may be infinite there; it is put in where elements meet, at sums and scatters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.interpret import interpret
from functrans.ops.uop import UOp, toposort
from functrans.ops.window import reduce
from functrans.transforms.outer_sums import summed


class Cotangent(NamedTuple):
    """``value`` at ``places`` (everywhere if None), zero elsewhere; if ``exact``, value holds that zero already."""

    value: UOp
    places: UOp | None = None
    exact: bool = False

    def dense(self) -> UOp:
        """The array itself."""
        if self.places is None or self.exact:
            return self.value
        return B.where(self.places, self.value, B.like(self.value, 0))

    def each(self, f: Callable[[UOp], UOp]) -> Cotangent:
        """Under a function of the elements alone."""
        return Cotangent(f(self.value), self.places)

    def moved(self, f: Callable[[UOp], UOp]) -> Cotangent:
        """Under a movement, which takes every place along."""
        return Cotangent(f(self.value), None if self.places is None else f(self.places), self.exact)

    def at(self, places: UOp) -> Cotangent:
        """The same in fewer places."""
        return Cotangent(self.value, places if self.places is None else B.alu(Ops.AND, self.places, places))

    def over_axes(self, axes: tuple[int, ...]) -> Cotangent:
        """The sum over axes; of places none of which counts it is zero still."""
        total = B.reduce_axis(self.dense(), Ops.ADD, axes)
        return Cotangent(total, None if self.places is None else _some(B.reduce_axis(self.places, Ops.OR, axes)), True)

    def over_ranges(self, ranges: tuple[UOp, ...]) -> Cotangent:
        """The sum over RANGEs, which are closed for it."""
        if self.places is not None and self.places.free_ranges.isdisjoint(ranges):
            return Cotangent(summed(self.value, ranges), self.places, self.exact)
        places = None if self.places is None else _some(reduce(self.places, Ops.OR, *ranges))
        return Cotangent(summed(self.dense(), ranges), places, True)


def _some(places: UOp) -> UOp | None:
    """The places; None where they are known to be all: each row of a causal mask has one."""
    if any(u.op in GroupOp.Open for u in toposort((places,))):
        return places
    return None if places.remember("every place", lambda u: bool(interpret([u])[0].all())) else places


def added(a: Cotangent | None, b: Cotangent) -> Cotangent:
    """The sum."""
    if a is None:
        return b
    if a.places is b.places:
        return Cotangent(sum_of(a.value, b.value), a.places, a.exact and b.exact)
    if a.places is not None and b.places is not None and _opposite(a.places, b.places):
        return Cotangent(B.where(a.places, a.value, b.value))
    total = sum_of(a.dense(), b.dense())
    if a.places is None or b.places is None:
        return Cotangent(total)
    return Cotangent(total, B.alu(Ops.OR, a.places, b.places), True)


def _opposite(a: UOp, b: UOp) -> bool:
    return (a.op is Ops.NOT and a.src[0] is b) or (b.op is Ops.NOT and b.src[0] is a)


def sum_of(a: UOp, b: UOp) -> UOp:
    """The sum of two, a difference where the second is negated."""
    return B.sub(a, b.src[0]) if b.op is Ops.NEG else B.add(a, b)
