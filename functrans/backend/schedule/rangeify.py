"""Every node its ranges: backwards from what is stored, how each value is read.

An access is a tuple of index expressions, one an axis, and the condition under which the value is used. A node
that computes and is read in two different ways gets a buffer of its own, and so do the sources of gathers, of
expansions and of what is mostly padding: a lavish choice that is always right, and that fuse then takes back wherever
it does not pay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from functrans import dtypes
from functrans.backend.schedule.outer import is_outer
from functrans.backend.schedule.realize import (
    BIJECTIVE,
    LEAVES,
    REDUCING,
    RUNNING,
    TRANSPARENT,
    UPDATING,
    consumer_counts,
    realize,
)
from functrans.backend.schedule.together import Together, side_by_side
from functrans.errors import SpecError
from functrans.ops import symbolic as sym
from functrans.ops.build import is_inside
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, fresh_id, toposort
from functrans.ops.vmap import placed_in, ranges_of

Indices = tuple[UOp, ...]
Access = tuple[Indices, UOp | None]
Key = tuple[UOp, Access]
Dest = Callable[[Indices], Indices]
_FILLED = GroupOp.Join | RUNNING | UPDATING | {Ops.VMAPOUT}
# a node, where its elements go, the vmap RANGEs around it, and whether it fills the whole buffer
_Part = tuple[UOp, Dest, Indices, bool]


@dataclass
class Piece:
    """One store of a buffer: the value read at ``access`` goes to ``dest``, closing ``ranges``."""

    node: UOp
    access: Access
    dest: Indices
    ranges: Indices
    mode: str = "set"
    gate: UOp | None = None
    scan: tuple[Ops, UOp] | None = None


@dataclass
class RangeMap:
    """What rangeify found: per stored node its pieces, per read of a node the reads of its sources."""

    stored: dict[UOp, list[Piece]] = field(default_factory=dict)
    reads: dict[UOp, dict[Access, None]] = field(default_factory=dict)
    below: dict[Key, list[Key]] = field(default_factory=dict)
    reduce_ranges: dict[UOp, Indices] = field(default_factory=dict)
    tokens: dict[UOp, Key] = field(default_factory=dict)


def rangeify(outputs: list[UOp]) -> RangeMap:
    """The RangeMap of a graph; linear in its nodes and reads."""
    return _Rangeify(outputs).run()


class _Rangeify:
    def __init__(self, outputs: list[UOp]) -> None:
        self.order = toposort(outputs)
        self.outputs = set(outputs)
        self.must = realize(outputs, self.order)
        self.wanted: set[UOp] = set()  # sources of gathers and expansions
        self.uses = consumer_counts(self.order)
        self.readers = _readers(self.order)
        self.reduced = _reduced(self.order)
        scatters = [u for u in self.order if u.op in UPDATING]
        self.updates = Counter(u.src[1] for u in scatters)
        self.absorbed: set[UOp] = set()
        self.together = Together(outputs, self.order)
        self.map = RangeMap()

    def run(self) -> RangeMap:
        for node in reversed(self.order):
            if node in self.absorbed or (node not in self.must and node not in self.map.reads):
                continue
            if node.op in TRANSPARENT and node in self.wanted and node not in self.map.stored:
                self.wanted.add(node.src[0])
            reads = list(self.map.reads.get(node, ()))
            if node in self.must or self._wants_buffer(node, reads):
                self._store(node)
            elif node.op not in LEAVES:
                for access in reads:
                    self._push(node, access)
        return self.map

    def _wants_buffer(self, node: UOp, reads: list[Access]) -> bool:
        if node.op is Ops.VMAPIN:  # a slice read twice may be worth a copy near at hand
            return len(reads) > 1 and node.sized != ()
        if node.op in LEAVES or node.op in TRANSPARENT or node.size == 0:
            return False
        if node.op in GroupOp.Join:
            return any(idx[node.arg].op is not Ops.CONST for idx, _ in reads)
        if node.shape == ():  # a value without axes is computed where its free ranges are open: no buffer helps
            several = self.readers[node] > 1 or node in self.wanted
            return len(reads) > 1 or (several and node in self.reduced and not node.free_ranges)
        if node in self.wanted:
            return True
        return len(reads) > 1 and not (node.op in GroupOp.Elementwise and side_by_side(reads))

    def _read(self, node: UOp, access: Access) -> Key:
        self.map.reads.setdefault(node, {})[access] = None
        return node, access

    def _push(self, node: UOp, access: Access) -> None:
        # an array without elements is never read: its value is any constant
        sources = self._sources(node, access) if node.size else []
        self.map.below[node, access] = [self._read(s, a) for s, a in sources]

    def _sources(self, node: UOp, access: Access) -> list[Key]:
        idx, valid = access
        if node.op in GroupOp.Movement:
            record = opdef(node)
            assert record.ranges is not None
            inner, condition = record.ranges(node, idx)
            if record.repeats is not None or (record.fill is not None and node.size >= 2 * node.src[0].size):
                self.wanted.add(node.src[0])
            return [(node.src[0], (inner, sym.both(valid, condition)))]
        if node.op is Ops.VMAPIN:
            return [(node.src[0], (placed_in(node.src[1:], idx), valid))]
        reduces = opdef(node).reduces
        if reduces is not None:
            return [(node.src[0], (self._open_axes(node, reduces(node)[1], idx), valid))]
        if node.op is Ops.INDEX:
            return self._gather(node, access)
        if node.op in GroupOp.Join:
            select = opdef(node).select
            assert select is not None
            k, inner = select(node, idx)
            return [(node.src[k], (inner, valid))]
        if node.op is Ops.ASSIGN:  # what was there before is not read
            return [(node.src[1], access)]
        if node.op in GroupOp.OfElements or node.op is Ops.NOOP:
            return [(s, access) for s in node.src]
        raise SpecError(f"rangeify has no rule for {node!r}")

    def _open_axes(self, node: UOp, axes: tuple[int, ...], idx: Indices) -> Indices:
        shape = node.src[0].sized
        if node not in self.map.reduce_ranges:
            self.map.reduce_ranges[node] = tuple(UOp.range(shape[a], None, AxisType.REDUCE) for a in axes)
        mine, rest = iter(self.map.reduce_ranges[node]), iter(idx)
        return tuple(next(mine) if i in axes else next(rest) for i in range(len(shape)))

    def _gather(self, node: UOp, access: Access) -> list[Key]:
        idx, valid = access
        x, *indices = node.src
        lead = indices[0].ndim
        keys: list[Key] = []
        at: list[UOp] = []
        for i, n in zip(indices, x.sized, strict=False):
            place = counted(i) if is_inside(i, n) else None
            if place is not None:
                at.append(place)
                continue
            key = (i, (idx[:lead], valid))
            keys.append(key)
            token = self._token(key)
            at.append(token if is_inside(i, n) else sym.clamp(token, n))
        if keys or not node.free_ranges <= x.free_ranges.union(*(a.free_ranges for a in at)):
            self.wanted.add(x)
        return [(x, ((*at, *idx[lead:]), valid)), *keys]

    def _token(self, key: Key) -> UOp:
        token = UOp(Ops.NOOP, dtypes.index, (UOp.const(dtypes.index, 0),), fresh_id())
        self.map.tokens[token] = key
        return token

    # stored nodes

    def _store(self, node: UOp) -> None:
        pieces: list[Piece] = []
        self.map.stored[node] = pieces
        todo: list[_Part] = [(node, lambda idx: idx, (), True)]
        while todo:
            self._fill(node, todo.pop(), pieces, todo)

    def _fill(self, target: UOp, part: _Part, pieces: list[Piece], todo: list[_Part]) -> None:
        """The stores that put a part at its place in the buffer of ``target``; smaller parts may go on ``todo``."""
        node, dest, around, whole = part
        if node is not target:
            if not self._absorbable(node) or not self._fillable(node, whole):
                self._plain(target, part, pieces)
                return
            self.absorbed.add(node)
        if node.op is Ops.VMAPOUT:
            varg = node.src[1:]
            todo.append((node.src[0], lambda idx: dest(placed_in(varg, idx)), (*around, *ranges_of(varg)), whole))
        elif node.op in BIJECTIVE and self._fillable(node, whole):
            todo.extend((s, d, around, whole) for s, d in _parts(node, dest))
        elif node.op in GroupOp.Join:
            todo.extend((s, d, around, False) for s, d in reversed(_parts(node, dest)))
        elif node.op in UPDATING:
            self._scatter(target, part, pieces)
        elif node.op in RUNNING:
            self._run_along(part, pieces)
        else:
            self._plain(target, part, pieces)

    def _absorbable(self, node: UOp) -> bool:
        return self.uses[node] == 1 and node not in self.outputs

    def _fillable(self, node: UOp, whole: bool) -> bool:
        while node.op in BIJECTIVE:
            node = node.src[0]
            if not self._absorbable(node):
                return False
        # the kernel of an OUTER range fills one buffer whole: its launches are for all stores alike
        return node.op in _FILLED and (whole or not any(map(is_outer, node.src[1:])))

    def _plain(self, target: UOp, part: _Part, pieces: list[Piece]) -> None:
        node, dest, around, _ = part
        ranges = self.together.ranges(target, around, node.sized)
        if node is target or node in self.absorbed:
            self._push(node, (ranges, None))
        else:
            self._read(node, (ranges, None))
        pieces.append(Piece(node, (ranges, None), dest(ranges), (*around, *ranges)))

    def _scatter(self, target: UOp, part: _Part, pieces: list[Piece]) -> None:
        node, dest, around, _ = part
        updates = [node]
        while updates[-1].src[0].op in UPDATING and self._absorbable(updates[-1].src[0]):
            updates.append(updates[-1].src[0])
            self.absorbed.add(updates[-1])
        if updates[-1].src[0].op is not Ops.EMPTY:
            base = updates[-1].src[0]
            ranges = tuple(UOp.range(n) for n in base.sized)  # a loop that is over before the updates begin
            self._read(base, (ranges, None))
            pieces.append(Piece(base, (ranges, None), dest(ranges), (*around, *ranges)))
        for update in reversed(updates):
            pieces.append(self._update(update, dest, around))

    def _update(self, node: UOp, dest: Dest, around: Indices) -> Piece:
        base, value, *indices = node.src
        lead = indices[0].ndim
        inner = self._in_their_loops(node)
        if inner is None:
            inner, ranges = value, tuple(UOp.range(n, None, AxisType.ORDERED) for n in value.sized)
            access: Access = (ranges, None)
        else:
            ranges, access = ranges_of(value.src[1:]), ((), None)
        at, gate = [], None
        for i, n in zip(indices, base.sized, strict=False):
            token = self._token(self._read(i, (ranges[:lead], None)))
            at.append(token)
            if not is_inside(i, n):
                gate = sym.both(gate, sym.both(sym.at_least(token, 0), sym.less(token, sym.const(n))))
        self._read(inner, access)
        where = dest((*at, *ranges[lead:]))
        mode = "set" if node.arg == "place" else node.arg
        return Piece(inner, access, where, (*around, *ranges), mode=mode, gate=gate)

    def _in_their_loops(self, node: UOp) -> UOp | None:
        """The update by what loops compute element by element, if it can be made in these loops."""
        value = node.src[1]
        if value.op is not Ops.VMAPOUT or value in self.outputs or self.updates[value] < self.uses[value]:
            return None  # something else reads it
        if node.arg not in ("place", "add"):  # of others the order is meaning: one update after the other
            return None
        if node.src[2].ndim != value.ndim or value.src[0].ndim or any(map(is_outer, value.src[1:])):
            return None
        self.absorbed.add(value)
        return value.src[0]

    def _run_along(self, part: _Part, pieces: list[Piece]) -> None:
        node, dest, around, _ = part
        runs = opdef(node).runs
        assert runs is not None
        op, axis = runs(node)
        ranges = tuple(
            UOp.range(n, None, AxisType.ORDERED if i == axis else AxisType.LOOP) for i, n in enumerate(node.sized)
        )
        inner = (*ranges[:axis], *ranges[axis + 1 :], ranges[axis])  # the running axis goes round fastest
        self._read(node.src[0], (ranges, None))
        pieces.append(Piece(node.src[0], (ranges, None), dest(ranges), (*around, *inner), scan=(op, ranges[axis])))


def _readers(order: list[UOp]) -> Counter[UOp]:
    """How many nodes read each node, through nodes that only move."""
    found: Counter[UOp] = Counter()
    for u in reversed(order):
        for s in u.src:
            found[s] += max(found[u], 1) if u.op in TRANSPARENT else 1
    return found


def _reduced(order: list[UOp]) -> set[UOp]:
    """The numbers that are made of reductions: loops, which none of several readers is to run for itself."""
    found: set[UOp] = set()
    for u in order:
        if u.shape == () and (u.op in REDUCING or (u.op in GroupOp.OfElements and not found.isdisjoint(u.src))):
            found.add(u)
    return found


def counted(index: UOp) -> UOp | None:
    """The place that an index is, where it is a number of RANGEs and constants alone, added and multiplied."""
    places: dict[UOp, UOp] = {}
    for u in toposort((index,), enter=lambda u: u.op is not Ops.CAST):
        if u.op is Ops.CAST and u.src[0].dtype == dtypes.index:
            places[u] = u.src[0]
        elif u.op is Ops.CONST and u.dtype.kind == "i":
            places[u] = sym.const(int(u.arg))
        elif u.op is Ops.NOOP and u.src[0] in places:
            places[u] = places[u.src[0]]
        elif u.op in _COUNTS and all(s in places for s in u.src) and u.dtype == dtypes.int64:
            places[u] = _COUNTS[u.op](*(places[s] for s in u.src))
        else:
            return None
    return places[index] if index.shape == () else None


_COUNTS: dict[Ops, Callable[[UOp, UOp], UOp]] = {Ops.ADD: sym.add, Ops.MUL: sym.mul}


def _parts(node: UOp, dest: Dest) -> list[tuple[UOp, Dest]]:
    """The sources of a join, or of a movement that keeps every element, and where in the buffer theirs land."""
    lands = opdef(node).lands
    assert lands is not None
    return [(s, lambda idx, k=k: dest(lands(node, k, idx))) for k, s in enumerate(node.src)]  # type: ignore[misc]
