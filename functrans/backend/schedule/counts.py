"""What loops count becomes numbers of 32 bits, where it is known to fit and real numbers have no more.

A vector of lanes has as many as it has of the widest numbers: a count of 64 bits halves those of float32. A carry of a
WHILE fits where it begins with a known number and either a round makes it a known one again, or adds to it what is
bounded, and the condition ends it or the rounds are bounded: ``n < 200`` ends n, ``a + b < 200`` both if they grow, and
bounds the rounds if each of them adds to it.

Source: value range propagation, Harrison, Compiler Analysis of the Value Ranges for Variables, 1977.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, loop_of, over_bodies, region, regions, result
from functrans.ops.opdef import opdef, ops_that
from functrans.ops.source import param
from functrans.ops.uop import UOp, rebuilt, toposort

_SAME = ops_that(lambda record: record.kind == "movement" and record.fill is None) | {Ops.DETACH}
_OF_TWO = frozenset({Ops.WHERE, Ops.ADD, Ops.SUB, Ops.MUL, Ops.MAX, Ops.MIN})


class Interval(NamedTuple):
    """Whole numbers from the least to the greatest."""

    lo: int
    hi: int

    @property
    def fits(self) -> bool:
        """Whether 32 bits hold each of them."""
        return self.lo >= -(2**31) and self.hi < 2**31

    def with_(self, other: Interval | None) -> Interval:
        """The least one around both."""
        return self if other is None else Interval(min(self.lo, other.lo), max(self.hi, other.hi))


_ALL = Interval(-(2**63), 2**63 - 1)
Known = dict[UOp, Interval]


class Made(NamedTuple):
    """What a round makes of a carry: that with a number ``added`` to it, or else a ``known`` one."""

    added: Interval | None
    known: Interval | None


def counted(roots: list[UOp]) -> list[UOp]:
    """The graph with such counts. Linear in the graph, in each loop for each of its carries."""
    return rebuilt(roots, _of_node) if regions(toposort(roots)) else roots


def _of_node(u: UOp, made: UOp) -> UOp:
    if (loop := loop_of(made)) is not None:
        return B.cast(result(loop, u.arg), u.dtype)
    if not isinstance(u.arg, Scan | While | Switch):
        return made
    return _of_region(region(u.op, made.src, over_bodies(u.arg, counted, {})))


def _of_region(loop: UOp) -> UOp:
    """A loop or branch with what it counts in 32 bits, if nothing else in it takes 64."""
    arg: Scan | While | Switch = loop.arg
    if all(u.dtype != dtypes.int64 for f in arg.functions for u in toposort(f.outputs)):
        return loop
    known = _fitting(loop) if isinstance(arg, While) else {}

    def shorter(f: Function) -> Function:
        if isinstance(arg, While) and f is arg.condition:
            ranges = {arg.body.params[k]: i for k, i in known.items()}
            after = {k: _interval(arg.body.outputs[k], ranges).with_(_interval(loop.src[k], {})) for k in known}
            return _function(f, after, frozenset())
        return _function(f, known, known.keys())

    made = arg.over(shorter)
    numbers = (u for f in made.functions for u in toposort(f.outputs) if u.dtype.kind in "fiuc")
    if any(u.dtype.itemsize >= 8 and u.op is not Ops.CONST for u in numbers):
        return loop
    return region(loop.op, [B.cast(s, dtypes.int32) if k in known else s for k, s in enumerate(loop.src)], made)


def _fitting(loop: UOp) -> dict[int, Interval]:
    """The carries that 32 bits hold as a round begins, and what they lie in there."""
    arg: While = loop.arg
    found: dict[int, tuple[Interval, Interval]] = {}  # where it begins or is made anew, and what a round adds
    only_added, alone = set[int](), Known()
    for k, (s, p) in enumerate(zip(loop.src[: arg.carries], arg.body.params, strict=False)):
        made = _made(arg.body.outputs[k], p, alone) if p.dtype == dtypes.int64 else None
        if made is not None:
            found[k] = _interval(s, alone).with_(made.known), made.added or Interval(0, 0)
            only_added |= {k} if made.known is None else set()
    params = arg.condition.params
    by_param = _ends(arg.condition, {params[k]: base for k, (base, more) in found.items() if more.lo >= 0})
    ends = {k: by_param[params[k]] for k in found if params[k] in by_param}
    rounds = [] if arg.most is None else [arg.most]
    for k in only_added & ends.keys():
        base, more = found[k]
        if more.lo > 0:
            rounds.append(max((ends[k] - base.lo) // more.lo + 1, 0))
    inside = {k: _within(base, more, ends.get(k), min(rounds, default=None)) for k, (base, more) in found.items()}
    return {k: i for k, i in inside.items() if i.fits and found[k][0].fits}


def _within(base: Interval, more: Interval, end: int | None, most: int | None) -> Interval:
    """What a carry is as a round begins: at most its ``end``, or what was added in so many rounds but one."""
    if more == (0, 0):
        return base
    if end is not None:
        return Interval(base.lo, max(base.lo, end))
    if most is None:
        return _ALL
    rounds = max(most - 1, 0)
    return _sum(base, Interval(min(0, more.lo) * rounds, max(0, more.hi) * rounds))


def _ends(condition: Function, growing: dict[UOp, Interval]) -> dict[UOp, int]:
    """The greatest value with which a carry goes through a round, of those that never fall below their first ones."""
    found: dict[UOp, int] = {}
    for test in _operands(condition.outputs[0], Ops.AND):
        if test.op not in (Ops.CMPLT, Ops.CMPLE) or test.src[0].dtype != dtypes.int64:
            continue
        terms = list(_operands(test.src[0], Ops.ADD))
        unknown = any(t not in growing and B.const_value(t) is None for t in terms)
        if unknown or B.const_value(test.src[1]) is None:
            continue
        least = sum(growing[t].lo if t in growing else _constant(t) for t in terms)
        for t in (t for t in terms if t in growing):
            most = _constant(test.src[1]) - (test.op is Ops.CMPLT) - (least - growing[t].lo)
            found[t] = min(most, found.get(t, most))
    return found


def _constant(x: UOp) -> int:
    value = B.const_value(x)
    assert value is not None and not isinstance(value, complex)
    return int(value)


def _operands(x: UOp, op: Ops) -> Iterator[UOp]:
    """What one op joins, however it is nested: conditions that all hold where x does, what x is the sum of."""
    if x.op is op:
        for s in x.src:
            yield from _operands(s, op)
    else:
        yield x


def _made(x: UOp, carry: UOp, alone: Known) -> Made | None:
    """What a round makes of a carry; None where it may be any number. ``alone``: what intervals others lie in."""
    known: dict[UOp, Made | None] = {carry: Made(Interval(0, 0), None)}
    for u in toposort((x,), enter=lambda u: u.dtype == dtypes.int64):
        if u is not carry:
            found = _interval(u, alone)
            known[u] = Made(None, found) if found.fits else _made_by(u, [known.get(s) for s in u.src])
    return known[x]


def _made_by(u: UOp, of: list[Made | None]) -> Made | None:
    if u.op in _SAME:
        return of[0]
    if u.op is Ops.WHERE and (a := of[1]) is not None and (b := of[2]) is not None:
        return Made(_hull(a.added, b.added), _hull(a.known, b.known))
    if u.op is not Ops.ADD or (a := of[0]) is None or (b := of[1]) is None:
        return None
    if b.added is not None:
        a, b = b, a
    if b.added is not None or b.known is None:  # twice the carry
        return None
    added, known = (None if x is None else _sum(x, b.known) for x in a)
    return Made(added, known)


def _sum(a: Interval, b: Interval) -> Interval:
    return Interval(a.lo + b.lo, a.hi + b.hi)


def _hull(a: Interval | None, b: Interval | None) -> Interval | None:
    return b if a is None else a.with_(b)


def _interval(x: UOp, known: Known) -> Interval:
    """What a whole number lies in. ``known`` says it of some nodes, and is told of all that are asked."""
    for u in toposort((x,), enter=lambda u: u not in known and u.dtype.kind in "biu"):
        if u not in known:
            found = _interval_of(u, [known.get(s, _ALL) for s in u.src])
            known[u] = found if _ALL.lo <= found.lo and found.hi <= _ALL.hi else _ALL
    return known[x]


def _interval_of(u: UOp, of: list[Interval]) -> Interval:
    """The same of a node, by those of its sources."""
    if u.op is Ops.CONST and u.dtype == dtypes.int64:
        return Interval(int(u.arg), int(u.arg))
    if u.dtype != dtypes.int64:  # shorter ones begin anew where they end
        bits = 8 * u.dtype.itemsize if u.dtype.kind != "b" else 1
        return Interval(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if u.dtype.kind == "i" else Interval(0, 2**bits - 1)
    if u.op is Ops.IOTA:
        return Interval(0, max(int(u.arg) - 1, 0))
    if (reduces := opdef(u).reduces) is not None and u.src[0].size:
        combined, _ = reduces(u)
        many = u.src[0].size // u.size if combined is Ops.ADD else 1
        return Interval(of[0].lo * many, of[0].hi * many) if combined in (Ops.ADD, Ops.MAX, Ops.MIN) else _ALL
    if u.op in _SAME or (u.op is Ops.CAST and u.src[0].dtype.kind in "biu"):
        return of[0]
    if u.op is Ops.NEG:
        return Interval(-of[0].hi, -of[0].lo)
    if u.op not in _OF_TWO:
        return _ALL
    a, b = of[-2:]
    if u.op is Ops.WHERE:
        return a.with_(b)
    if u.op is Ops.ADD:
        return _sum(a, b)
    if u.op is Ops.SUB:
        return Interval(a.lo - b.hi, a.hi - b.lo)
    if u.op is Ops.MUL:
        ends = [p * q for p in a for q in b]
        return Interval(min(ends), max(ends))
    of_both = max if u.op is Ops.MAX else min
    return Interval(of_both(a.lo, b.lo), of_both(a.hi, b.hi))


def _function(f: Function, known: dict[int, Interval], outputs: AbstractSet[int]) -> Function:
    """A function with parameters of 32 bits, which lie there, and those outputs."""
    params = [param(p.sized, dtypes.int32) if k in known else p for k, p in enumerate(f.params)]
    ranges: Known = {f.params[k]: i for k, i in known.items()}
    short = {f.params[k]: params[k] for k in known}
    new: dict[UOp, UOp] = dict(zip(f.params, params, strict=True))
    new |= {p: B.cast(s, dtypes.int64) for p, s in short.items()}
    for u in toposort(f.outputs):
        if u in new:
            continue
        is_short = u.dtype == dtypes.int64 and _interval(u, ranges).fits
        if is_short and all(s in short or s.dtype != dtypes.int64 for s in u.src):
            short[u] = _shortened(u, short, new)
            new[u] = B.cast(short[u], dtypes.int64)
        else:
            new[u] = _over(u, short, new)
    made = (B.cast(short.get(o, new[o]), dtypes.int32) if k in outputs else new[o]
            for k, o in enumerate(f.outputs))  # fmt: skip
    return Function(tuple(params), tuple(made))


def _shortened(u: UOp, short: dict[UOp, UOp], new: dict[UOp, UOp]) -> UOp:
    """A whole number in 32 bits."""
    if u.op is Ops.CONST:
        return UOp.const(dtypes.int32, u.arg)
    if u.op is Ops.CAST:
        return B.cast(new[u.src[0]], dtypes.int32)
    return UOp(u.op, dtypes.int32, tuple(short.get(s, new[s]) for s in u.src), u.arg)


def _over(u: UOp, short: dict[UOp, UOp], new: dict[UOp, UOp]) -> UOp:
    """A node over new sources: a comparison or another number of counts reads them in 32 bits."""
    counts = [s in short for s in u.src]
    if (u.op in GroupOp.Compare and all(counts)) or (u.op is Ops.CAST and counts[0]):
        return u.replace(tuple(short[s] for s in u.src))
    return u.replace(tuple(new[s] for s in u.src))
