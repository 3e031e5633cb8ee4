"""Outer-loop vectorization, the writer: one loop goes in tiles of lanes."""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.lanes.blocks import Blocks, blocks_of
from functrans.backend.codegen.lanes.liveness import liveness
from functrans.backend.codegen.lanes.products import write
from functrans.backend.codegen.lanes.regions import Inner, Node, Region, Row, regions
from functrans.backend.codegen.lanes.rows import turned
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, Writer
from functrans.backend.schedule.inline import simplest
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.kernel import LocalArg
from functrans.ops.uop import UOp, toposort

LINE = 8  # numbers between the rounds of a block, so that those of one lane are not all in the same set of the cache
STACK_BYTES = 32 * 1024  # of local arrays; those beyond lie in scratch memory


class LaneWriter(Writer):
    """Writes a kernel with one of its loops in tiles. Each region of the body becomes a loop over the lanes of a tile;
    a value that another region uses is stored in an array with a place for each lane.
    """

    def __init__(self, uops: list[UOp], facts: Uniformity, width: int, unit: int) -> None:
        super().__init__(uops)
        self.facts, self.width, self.unit = facts, width, unit
        self.scratch = self.stack = 0
        self.blocked: dict[UOp, tuple[UOp, UOp]] = {}  # stores of a block: the array that keeps them, the round
        self.turned: dict[UOp, tuple[UOp, int]] = {}  # of a row: copies lane after lane, and the length of a lane
        self.free: list[dict[DType, list[UOp]]] = [{}]  # arrays of each open scope that nothing lives in

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops, of which one is in tiles."""
        for item in items:
            if isinstance(item, UOp):
                self._around(item)
            elif item.range is self.facts.range:
                self._tiles(item)
            else:
                opened = self.open(item.range.replace((self.now(item.range.src[0]),)))
                self.become(item.range, opened)
                self.items(item.items)
                self.close(opened)

    def _around(self, u: UOp) -> None:
        """Write a statement outside of the loop."""
        if u.op is Ops.IF:
            self.become(u, self.open(u.replace(tuple(self.now(s) for s in u.src))))
        elif u.op is Ops.ENDIF:
            self._leave(u)
        else:
            self._shared(u)

    def _leave(self, u: UOp) -> None:
        opened = self.now(u.src[0])
        self._known.pop()
        self._placed.pop()
        self.out.append(UOp(Ops.ENDIF, dtypes.void, (opened,)))

    def _tiles(self, loop: Loop) -> None:
        nodes = regions(loop.items, self.facts)
        self.kept = liveness(nodes, self.facts)
        end, width = self.now(loop.range.src[0]), self.width
        count = sym.div(sym.add(end, sym.const(width - 1)), width)
        t = self.open(self.fresh(self.value(count), loop.range.arg[1]))
        self.first = self.value(sym.mul(t, width))
        self.count = self.value(UOp(Ops.MIN, dtypes.index, (sym.const(width), sym.sub(end, self.first))))
        whole = sym.mul(sym.div(sym.add(self.count, sym.const(self.unit - 1)), self.unit), self.unit)
        self.lanes = self.value(whole)  # whole vectors: what the last ones hold beyond is never stored
        self._nodes(nodes)
        self.close(t)

    def _nodes(self, nodes: list[Node]) -> None:
        self.free.append({})
        ends: dict[int, list[UOp]] = {}
        self._read(_statements(nodes), early=True)
        for k, node in enumerate(nodes):
            if isinstance(node, Region):
                for array, last in self._region(node):
                    ends.setdefault(last, []).append(array)
            elif isinstance(node, Inner):
                self._inner(node)
            elif isinstance(node, Row):
                self._row(node.loop)
            else:
                self._shared(node)
            for array in ends.pop(k, ()):
                self.free[-1].setdefault(array.dtype, []).append(array)
        self.free.pop()

    def _inner(self, node: Inner) -> None:
        blocks = blocks_of(node, self.facts)
        if blocks is not None:
            self._in_blocks(node, blocks)
            return
        opened = self.open(node.range.replace((self.now(node.range.src[0]),)))
        self.become(node.range, opened)
        self._nodes(node.nodes)
        self.close(opened)

    def _in_blocks(self, node: Inner, blocks: Blocks) -> None:
        """A loop in blocks: what it stores is kept for the rounds of a block, then written record by record."""
        outer = self.open(self.fresh(self.number(int(node.range.src[0].arg) // blocks.rounds)))
        first = self.value(sym.mul(outer, blocks.rounds))
        arrays = {u: self._memory(u.src[1].dtype, blocks.rounds * (self.width + LINE)) for u in blocks.stores}
        k = self.open(self.fresh(self.number(blocks.rounds)))
        self.become(node.range, self.value(sym.add(first, k)))
        self.blocked = {u: (array, k) for u, array in arrays.items()}
        self._nodes(node.nodes)
        self.close(k)
        self.blocked = {}
        for u, array in arrays.items():
            lane = self._loop(self.count)
            k = self.open(self.fresh(self.number(blocks.rounds)))
            self.become(node.range, self.value(sym.add(first, k)))
            value = self.statement(UOp(Ops.LOAD, array.dtype, (self._at(array, self._slot(k, lane)),)))
            self.statement(UOp(Ops.STORE, dtypes.void, (self._need(u.src[0]), value)))
            self.close(k)
            self.close(lane)
        self.close(outer)

    def _slot(self, k: UOp, lane: UOp) -> UOp:
        return self.value(sym.add(sym.mul(k, self.width + LINE), lane))

    def _shared(self, node: UOp) -> None:
        """A statement that is the same for all lanes, or a local array."""
        if node.op is Ops.DEFINE_LOCAL:
            width = self.width if node in self.facts.varying else 1
            self.become(node, self._memory(node.dtype, node.arg.elements * width))
        elif node.op is Ops.WMMA and node in self.facts.varying:
            write(node, self, self.width)
        elif node.dtype == dtypes.index and node.op is not Ops.CAST:
            self.become(node, self.value(simplest(node, tuple(self.now(s) for s in node.src))))
        else:
            self.copy(node)

    # arrays with a place for each lane

    def _memory(self, dtype: DType, elements: int) -> UOp:
        bytes_, offset = elements * dtype.itemsize, None
        if self.stack + bytes_ <= STACK_BYTES:
            self.stack += bytes_
        else:
            offset = self.scratch
            self.scratch += -(-bytes_ // 64) * 64
        arg = LocalArg(self.locals, elements, offset)
        self.locals += 1
        return self.statement(UOp(Ops.DEFINE_LOCAL, dtype, (), arg))

    def _array(self, dtype: DType) -> UOp:
        free = self.free[-1].get(dtype)
        return free.pop() if free else self._memory(dtype, self.width)

    def _at(self, array: UOp, lane: UOp) -> UOp:
        return self.value(UOp(Ops.INDEX, array.dtype, (array, lane)))

    def _loop(self, end: UOp) -> UOp:
        """A loop over lanes."""
        lane = self.lane = self.open(self.fresh(end))
        self.become(self.facts.range, self.value(sym.add(self.first, lane)))
        return lane

    # reads and stores of what all lanes have in one array, as many as there are lanes of the batch

    def _read(self, items: list[UOp], *, early: bool) -> None:
        """Copy what the statements read of inputs into arrays, several in one loop. ``early``: what can be read at the
        start of the scope.
        """
        wanted: dict[UOp, None] = {}
        for u in toposort(items, enter=lambda u: u in self.facts.varying and not self._has(u)):
            if self.facts.is_read(u) and not self._has(u) and (not early or self._is_early(u)):
                wanted[u] = None
        if not wanted:
            return
        arrays = {u: self._array(u.dtype) for u in wanted}
        lane = self._loop(self.count)
        for u, array in arrays.items():
            self.statement(UOp(Ops.STORE, dtypes.void, (self._at(array, lane), self._load(u))))
        self.close(lane)
        whole = [a for a in arrays.values() if a.dtype.kind in "iub"]  # may be places: none of what they do not hold
        if whole:
            rest = self.open(self.fresh(self.value(sym.sub(self.lanes, self.count))))
            for array in whole:
                first = self.statement(UOp(Ops.LOAD, array.dtype, (self._at(array, self.number(0)),)))
                place = self._at(array, self.value(sym.add(self.count, rest)))
                self.statement(UOp(Ops.STORE, dtypes.void, (place, first)))
            self.close(rest)
        for u, array in arrays.items():
            self.become(u, array)

    def _has(self, u: UOp) -> bool:
        return self.now(u) is not u

    def _is_early(self, u: UOp) -> bool:
        below = toposort(u.src, enter=lambda u: u is not self.facts.range)
        if not all(v.op in _CONSTANT or (v.op is not Ops.CAST and v.dtype in _PLACES) for v in below):
            return False
        return not any(v.op is Ops.RANGE and v is not self.facts.range and not self._has(v) for v in below)

    def _load(self, u: UOp) -> UOp:
        """Write a read of an input in a loop over lanes."""
        src = tuple(self.value(self._need(s)) for s in u.src)  # a gate that all lanes share may not stand yet
        return self.statement(UOp(Ops.LOAD, u.dtype, src))

    # regions

    def _region(self, region: Region) -> list[tuple[UOp, int]]:
        """Write a region; return the arrays that it fills for others, each with its last use."""
        self._read(region.items, early=False)
        self.arrays = {v: self._array(v.dtype) for v in self.kept[region]}
        late = self._late(region.items)
        after = {u: self._array(u.src[1].dtype) for u in late}
        whole = self.open(self.fresh(self.number(1))) if region.alone else None  # with what tells near from far
        lane = self._loop(self.lanes)
        for u in region.items:
            if u in self.blocked:
                array, k = self.blocked[u]
                place = self._at(array, self._slot(k, self.lane))
                self.statement(UOp(Ops.STORE, dtypes.void, (place, self._need(u.src[1]))))
            elif u in after:
                self._set(after[u], self._need(u.src[1]))
            else:
                self._statement(u)
        self.close(lane)
        if whole is not None:
            self.close(whole)
        if after:
            lane = self._loop(self.count)
            for u, array in after.items():
                value = self.statement(UOp(Ops.LOAD, array.dtype, (self._at(array, lane),)))
                self.statement(UOp(Ops.STORE, dtypes.void, (self._need(u.src[0]), value)))
            self.close(lane)
        for array in after.values():
            self.free[-1].setdefault(array.dtype, []).append(array)
        for v, array in self.arrays.items():
            self.become(v, array)
        return [(self.arrays[v], last) for v, last in self.kept[region].items()]

    # loops that each lane goes through by itself

    def _row(self, loop: Loop) -> None:
        arrays = turned(loop, self.facts)
        self.turned = {a: (self._memory(a.dtype, a.arg.elements * self.width), a.arg.elements) for a in arrays}
        for old, (new, length) in self.turned.items():
            lane = self.open(self.fresh(self.count))
            k = self.open(self.fresh(self.number(length)))
            place = self._at(self.now(old), self.value(sym.add(sym.mul(k, self.width), lane)))
            value = self.statement(UOp(Ops.LOAD, old.dtype, (place,)))
            target = self._at(new, self.value(sym.add(sym.mul(lane, length), k)))
            self.statement(UOp(Ops.STORE, dtypes.void, (target, value)))
            self.close(k)
            self.close(lane)
        lane = self._loop(self.count)
        own = set(loop.walk())
        for v in dict.fromkeys(v for u in loop.walk() for v in self.facts.values_of(u) if v not in own):
            self._need(v)
        self._row_items([loop])
        self.close(lane)
        self.turned = {}

    def _row_items(self, items: list[UOp | Loop]) -> None:
        for item in items:
            if isinstance(item, Loop):
                opened = self.open(item.range.replace((self._need(item.range.src[0]),)))
                self.become(item.range, opened)
                self._row_items(item.items)
                self.close(opened)
            elif item not in self.facts.varying:
                self._shared(item)
            elif item.op is not Ops.INDEX and item.dtype != dtypes.index:
                self._made(item, item.replace(tuple(self._need(s) for s in item.src)))

    def _late(self, items: list[UOp]) -> list[UOp]:
        """The stores that can follow the loop, as nothing later in the region uses their array."""
        found: list[UOp] = []
        touched: set[UOp] = set()
        for u in (v for v in reversed(items) if v.op in (Ops.STORE, Ops.LOAD)):
            if u not in self.blocked and u.src[0].src[0] not in touched and self._is_stored_after(u):
                found.insert(0, u)
            else:
                touched.add(u.src[0].src[0])
        return found

    def _is_stored_after(self, u: UOp) -> bool:
        if u.op is not Ops.STORE or u.src[0].src[0].op is not Ops.DEFINE_GLOBAL or len(u.src) > 2:
            return False
        return self.facts.stride(u.src[0].src[1]) is not None

    def _set(self, array: UOp, value: UOp) -> None:
        self.statement(UOp(Ops.STORE, dtypes.void, (self._at(array, self.lane), value)))

    def _statement(self, u: UOp) -> None:
        array = self.arrays.get(u)
        if u.op is Ops.IF:
            self.become(u, self.open(UOp(Ops.IF, dtypes.void, (self._both(self._need(u.src[0])),))))
        elif u.op is Ops.ENDIF:
            self._leave(u)
        elif u.op is Ops.STORE:
            self._store(u)
        elif u.op is Ops.DEFINE_ACC and array is not None:
            value = self._need(u.src[0])
            self._set(array, value)
            self.become(u, value)
        elif u.op is Ops.ASSIGN:
            self._assign(u)
        elif u.op is Ops.LOAD and self._differs(u.src[0]):
            gate = self._inside() if len(u.src) == 1 else self._both(self._need(u.src[2]))
            other = self.value(UOp.const(u.dtype, 0)) if len(u.src) == 1 else self._need(u.src[1])
            self._made(u, UOp(Ops.LOAD, u.dtype, (self._need(u.src[0]), other, gate)))
        else:
            self._made(u, u.replace(tuple(self._need(s) for s in u.src)))
        if array is not None and u.op is not Ops.DEFINE_ACC:
            self._set(array, self.now(u))

    def _differs(self, address: UOp) -> bool:
        """Whether the address, as it stands, may be none for lanes that are not of the batch."""
        return address.src[0].op is Ops.DEFINE_GLOBAL or address.src[1] in self.facts.varying

    def _inside(self) -> UOp:
        """Whether the lane is one of the batch, and not beyond its end."""
        return self.value(UOp(Ops.CMPLT, dtypes.bool_, (self.lane, self.count)))

    def _both(self, gate: UOp) -> UOp:
        return self.value(UOp(Ops.AND, dtypes.bool_, (self._inside(), gate)))

    def _made(self, old: UOp, new: UOp) -> None:
        self.become(old, self.statement(new))

    def _assign(self, u: UOp) -> None:
        """One step of an accumulator, which is an array or a variable of this loop."""
        acc = u.src[0]
        value = self._need(u.src[1])
        kept = self.arrays.get(acc) or self._array_of(acc)
        if kept is None:
            self._made(u, u.replace((self._need(acc), value)))
            return
        self._set(kept, value)
        self.become(acc, value)
        self.become(u, value)

    def _store(self, u: UOp) -> None:
        address, value = self._need(u.src[0]), self._need(u.src[1])
        gate = (self._need(u.src[2]),) if len(u.src) > 2 else ()
        if self._differs(u.src[0]):
            gate = (self._both(gate[0]) if gate else self._inside(),)
        self.statement(UOp(Ops.STORE, dtypes.void, (address, value, *gate)))

    def _need(self, node: UOp) -> UOp:
        """What stands for a node in this loop over the lanes; written if it does not stand here."""
        varying = self.facts.varying
        for u in toposort((node,), enter=lambda u: not self._has(u) and (u in varying or u.dtype in _PLACES)):
            if u.op is Ops.DEFINE_LOCAL or (self._has(u) and self.now(u).op is not Ops.DEFINE_LOCAL):
                continue
            if u in varying or (u.dtype in _PLACES and u.src and any(map(self._has, u.src))):
                self.become(u, self._had(u))
        return self.value(self.now(node))  # what all lanes share may stand further down only

    def _array_of(self, u: UOp) -> UOp | None:
        """The array that keeps a value of another region."""
        found = (known[u] for known in reversed(self._known) if u in known)
        return next((array for array in found if array.op is Ops.DEFINE_LOCAL), None)

    def _had(self, u: UOp) -> UOp:
        """Rematerialize a node: a value of another region, a read of an input, an address, an index."""
        if self._has(u):
            return self.statement(UOp(Ops.LOAD, u.dtype, (self._at(self.now(u), self.lane),)))
        src = tuple(self.now(s) for s in u.src)
        if u.op is Ops.INDEX and u.src[0] in self.turned:
            array, length = self.turned[u.src[0]]
            return self.value(UOp(Ops.INDEX, u.dtype, (array, sym.add(sym.mul(self.lane, length), src[1]))))
        if u.op is Ops.INDEX and u.src[0].op is Ops.DEFINE_LOCAL:
            place = sym.add(sym.mul(src[1], self.width), self.lane) if u.src[0] in self.facts.varying else src[1]
            return self.value(UOp(Ops.INDEX, u.dtype, (src[0], place)))
        if u.op is Ops.LOAD:
            gate = self._inside() if len(src) == 1 else self._both(src[2])
            other = self.value(UOp.const(u.dtype, 0)) if len(src) == 1 else src[1]
            return self.statement(UOp(Ops.LOAD, u.dtype, (src[0], other, gate)))
        if u.dtype == dtypes.index and u.op is not Ops.CAST:
            return self.value(simplest(u, src))
        return self.value(u.replace(src))


def _statements(nodes: list[Node]) -> list[UOp]:
    """What varies among nodes and in the loops among them."""
    found: list[UOp] = []
    for node in nodes:
        if isinstance(node, Region):
            found.extend(node.items)
        elif isinstance(node, Inner):
            found.extend(_statements(node.nodes))
    return found


_PLACES = frozenset({dtypes.index, dtypes.bool_})
_CONSTANT = frozenset({Ops.CONST, Ops.INDEX, Ops.DEFINE_VAR, Ops.DEFINE_GLOBAL, Ops.RANGE})
