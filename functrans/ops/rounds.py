"""A graph that is open in a RANGE as the body of a SCAN: what differs from round to round becomes sequences, what the
rounds hand on carries, all else constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, region, results
from functrans.ops.movement import fill_of, flat, offsets
from functrans.ops.opdef import closed_by
from functrans.ops.source import param
from functrans.ops.symbolic import const, linear
from functrans.ops.uop import UOp, toposort

_DATA = (GroupOp.Source - {Ops.CONST, Ops.IOTA}) | {Ops.RESULT, Ops.AFTER}
_ZERO = const(0)


class Place(NamedTuple):
    """The elements of an array at an index along an axis, an int64 scalar; the whole array where that is None."""

    array: UOp
    axis: int
    at: UOp | None


class Stored(NamedTuple):
    """A store of a round: the array before the loop, where in what stands for it in a round it is stored, the value."""

    array: UOp
    place: Place
    value: UOp

    @property
    def name(self) -> UOp:
        """What stands for the array in a round."""
        return self.place.array


class Loop(NamedTuple):
    """A loop of stores, each into an array of its own, and the RANGE that counts the rounds."""

    stores: tuple[Stored, ...]
    r: UOp

    @property
    def rounds(self) -> int:
        """How many."""
        return int(self.r.src[0].arg)

    @property
    def values(self) -> tuple[UOp, ...]:
        """All that a round computes."""
        return (*(s.value for s in self.stores), *(s.place.at for s in self.stores if s.place.at is not None))


def scanned(carries: Sequence[tuple[UOp, UOp]], outputs: Sequence[UOp], r: UOp) -> list[UOp]:
    """The results of the SCAN of ``outputs``: new carries, and then elements of stacked results.

    ``carries`` are what stands for each in a round, and what it is at first.
    """
    body = _Body([name for name, _ in carries], outputs, r)
    made = [body.of(u) for u in outputs]
    used = set(toposort(made))
    sequences = {x: e for x, e in body.sequences.items() if e in used}
    constants = {x: p for x, p in body.constants.items() if p in used}
    names, starts = [name for name, _ in carries], [B.like(x, 0) if x.op is Ops.EMPTY else x for _, x in carries]
    if body.counter in used:
        names.append(body.counter)
        starts.append(UOp.const(dtypes.int64, 0))
        made.insert(len(carries), B.add(body.counter, UOp.const(dtypes.int64, 1)))
    params = (*names, *sequences.values(), *constants.values())
    arg = Scan(Function(params, tuple(made)), len(names), len(sequences), int(r.src[0].arg))
    found = results(region(Ops.SCAN, (*starts, *sequences, *constants), arg))
    return found[: len(carries)] + found[len(names) :]


class _Body:
    """The nodes of a round, made of those that are open in the RANGE or depend on a carry."""

    def __init__(self, names: Sequence[UOp], outputs: Sequence[UOp], r: UOp) -> None:
        self.r, self.names = r, set(names)
        self.counter = param((), dtypes.int64)
        self.around = frozenset[UOp]().union(*(u.free_ranges for u in outputs)) - {r}
        self.sequences: dict[UOp, UOp] = {}
        self.constants: dict[UOp, UOp] = {}
        self.new: dict[UOp, UOp] = {n: n for n in names}
        order = toposort(outputs, enter=lambda u: u not in self.names)
        self.data = {u for u in order if u.op in _DATA and u not in self.names}
        self.late = set(self.names)
        for u in order:
            if not self.data.isdisjoint(u.src):
                self.data.add(u)
            if not self.late.isdisjoint(u.src):
                self.late.add(u)
            if u in self.late and r in closed_by(u):
                raise SpecError(f"AFTER: {u!r} closes {r!r}, which counts the rounds, within them{at_user_line()}")

    def inside(self, u: UOp) -> bool:
        """Whether a node is computed in each round."""
        return u in self.late or self.r in u.free_ranges or not u.free_ranges <= self.around

    def of(self, root: UOp) -> UOp:
        """What a node is in a round."""
        for u in toposort((root,), enter=lambda u: u not in self.new and self.inside(u)):
            if u not in self.new and u.shape is not None:
                self.new[u] = self._made(u) if self.inside(u) else self._outside(u)
            elif u not in self.new:  # a tuple, the sources of which are known
                self.new[u] = u.replace(tuple(self.new[s] for s in u.src)) if self.inside(u) else u
        return self.new[root]

    def _outside(self, u: UOp) -> UOp:
        if u.dtype == dtypes.index or not (u in self.data or u.free_ranges):
            return u
        return self.constants.setdefault(u, param(u.sized, u.dtype))

    def _made(self, u: UOp) -> UOp:
        if u.dtype == dtypes.index:
            return u  # those who use it know what it is in a round
        if u.op is Ops.VMAPIN:
            return self._slice(u)
        if u.op is Ops.SHRINK and self._moves(u.src[1:]):
            return self._window(u)
        if u.op is Ops.PAD and self._moves(u.src[1:]):
            return self._placed(u)
        closes = set(closed_by(u))
        return u.replace(tuple(s if s in closes or s is _ZERO else self._source(s) for s in u.src))

    def _source(self, u: UOp) -> UOp:
        return self.number(u) if u.dtype == dtypes.index and self._moves((u,)) else self.new[u]

    def _moves(self, at: Sequence[UOp]) -> bool:
        """Whether index expressions are those of the round, or of maps around the loop."""
        return any(not a.free_ranges.isdisjoint({self.r, *self.around}) for a in at)

    def number(self, at: UOp) -> UOp:
        """An index expression as an int64 in a round."""
        if at is self.r:
            return self.counter
        wide = B.cast(at, dtypes.int64)
        if at.op is Ops.CONST:
            return UOp.const(dtypes.int64, at.arg)
        if self.r not in at.free_ranges and at.free_ranges <= self.around:
            return self.constants.setdefault(wide, param((), dtypes.int64))
        if not self._moves((at,)):
            return wide
        return UOp(at.op, dtypes.int64, tuple(self.number(s) for s in at.src))

    def _element(self, sequence: UOp) -> UOp:
        return self.sequences.setdefault(sequence, param(sequence.sized[1:], sequence.dtype))

    def _slice(self, u: UOp) -> UOp:
        """A VMAPIN: an element of a sequence where its source is none of the round's, else a gather."""
        x, varg = u.src[0], u.src[1:]
        own = [k for k, a in enumerate(varg) if self._moves((a,))]
        if self.r in varg and not self.inside(x):
            around = tuple(a if k in own and a is not self.r else _ZERO for k, a in enumerate(varg))
            base = x.vmapin(around) if any(a is not _ZERO for a in around) else x
            axis = [a for a, b in zip(varg, around, strict=True) if b is _ZERO].index(self.r)
            y = self._element(first(base, axis))
        elif self.inside(x):
            y = self.new[x]
            for axis in reversed(own):
                y = B.gather(first(y, axis), self.number(varg[axis]))
        else:
            base = x.vmapin(tuple(a if k in own else _ZERO for k, a in enumerate(varg))) if own else x
            y = self._outside(base)
        rest = tuple(a for k, a in enumerate(varg) if k not in own)
        return y.vmapin(rest) if any(a is not _ZERO for a in rest) else y

    def _window(self, u: UOp) -> UOp:
        """A SHRINK at the round's place: an element of a sequence where it is one of an array, else a gather."""
        x = u.src[0]
        single = all(n == 1 for (start, n) in u.arg if start is None)
        if single and not self.inside(x) and self.r in u.free_ranges and u.free_ranges <= self.around | {self.r}:
            return self._element(self._windows(u))
        y = self.new[x]
        for axis, ((begin, end), at) in enumerate(zip(u.arg, offsets(u), strict=True)):
            start, n = (0, end) if begin is None else (begin, end - begin)
            if at is None:
                y = B.shrink(y, tuple((start, start + n) if k == axis else (0, d) for k, d in enumerate(y.sized)))
            else:
                y = back(B.gather(first(y, axis), self._line(at, n)), axis)
        return y

    def _windows(self, u: UOp) -> UOp:
        """The window of each round, one after the other: part of the array as it is, or reversed, where it can be."""
        moving = [(k, *linear(at)) for k, at in enumerate(offsets(u)) if at is not None]
        axis, start, terms = moving[0]
        step, n = terms.get(self.r, 0), int(self.r.src[0].arg)
        if len(moving) > 1 or len(terms) > 1 or step not in (1, -1):
            return u.vmapout((self.r, *(_ZERO,) * u.ndim))
        low = start if step == 1 else start - n + 1
        ends = [(low, low + n) if k == axis else pair for k, pair in enumerate(u.arg)]
        line = first(B.shrink(u.src[0], tuple(ends)), axis)
        line = line if step == 1 else B.flip(line, (True,) + (False,) * (line.ndim - 1))
        return B.reshape(line, (n, *u.sized))

    def _placed(self, u: UOp) -> UOp:
        """A PAD to the round's place."""
        y = self.new[u.src[0]]
        for axis, ((before, end), at) in enumerate(zip(u.arg, offsets(u), strict=True)):
            if at is None:
                y = B.pad(y, tuple((before, end) if k == axis else (0, 0) for k in range(y.ndim)))
            else:
                moved = first(y, axis)
                base = B.full((end, *moved.sized[1:]), u.dtype, fill_of(u).arg)
                y = back(B.scatter(base, moved, (self._line(at, moved.sized[0]),), "set"), axis)
        return y

    def _line(self, at: UOp, n: int) -> UOp:
        return B.add(B.broadcast(self.number(at), (n,)), B.iota(n))


def slices_of(x: UOp, order: Sequence[UOp]) -> list[UOp]:
    """The slices of an array at RANGEs, among nodes."""
    return [u for u in order if u.op is Ops.VMAPIN and u.src[0] is x]


def window_at(x: UOp, varg: Sequence[UOp]) -> UOp:
    """The slice of an array at RANGEs that may be open in it, as a window."""
    at = tuple(a for a in varg if a.op is Ops.RANGE)
    arg = tuple((None, 1) if a.op is Ops.RANGE else (0, n) for a, n in zip(varg, x.sized, strict=True))
    window = UOp(Ops.SHRINK, x.dtype, (x, *at), arg)
    return B.reshape(window, tuple(n for a, n in zip(varg, x.sized, strict=True) if a.op is not Ops.RANGE))


def first(x: UOp, axis: int) -> UOp:
    """X with an axis moved to the front."""
    return B.permute(x, (axis, *(k for k in range(x.ndim) if k != axis)))


def back(x: UOp, axis: int) -> UOp:
    """X with its first axis moved to where it was."""
    return B.permute(x, (*range(1, axis + 1), 0, *range(axis + 1, x.ndim)))


def place_of(target: UOp) -> Place | None:
    """What is stored into: an array, or the elements at an index along one axis of it."""
    if target.op is Ops.VMAPIN:
        at = [(k, a) for k, a in enumerate(target.src[1:]) if a.op is Ops.RANGE]
        return Place(target.src[0], at[0][0], B.cast(at[0][1], dtypes.int64)) if len(at) == 1 else None
    if target.op is Ops.INDEX and len(target.src) == 2 and target.src[1].shape == ():
        return _indexed(target)
    window = flat(target)
    if window is not target and window.op is Ops.SHRINK:
        x, ends = window.src[0], list(window.arg)
        cut = [k for k, (n, e) in enumerate(zip(x.sized, ends, strict=True)) if e != (0, n)]
        if len(cut) != 1 or window.sized[cut[0]] != 1 or target.sized != (*x.sized[: cut[0]], *x.sized[cut[0] + 1 :]):
            return None
        start, stop = ends[cut[0]]
        at_node = UOp.const(dtypes.int64, stop - 1) if start is not None else B.cast(window.src[1], dtypes.int64)
        return Place(x, cut[0], at_node)
    return Place(target, 0, None)


def _indexed(target: UOp) -> Place:
    x, at = target.src
    if x.op is Ops.PERMUTE and x.arg[1:] == tuple(sorted(x.arg[1:])):
        return Place(x.src[0], x.arg[0], at)
    return Place(x, 0, at)
