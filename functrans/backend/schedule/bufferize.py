"""The ranged graph: every read of a stored node becomes INDEX of a BUFFERIZE, movement disappears into indices."""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans._records import record
from functrans.backend.schedule.inline import simplest
from functrans.backend.schedule.rangeify import Access, Key, Piece, RangeMap
from functrans.errors import SpecError
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.order import order_dtype
from functrans.ops.origin import became
from functrans.ops.reduce import identity
from functrans.ops.uop import UOp, fresh_id, toposort
from functrans.ops.vmap import extent


@record
class StoreArg:
    """How the sources of a STORE divide: value, ``ndim`` indices, a condition if ``gated``, the closed RANGEs."""

    ndim: int
    gated: bool = False
    mode: str = "set"

    @property
    def first_range(self) -> int:
        """Position of the first closed RANGE among the sources."""
        return 1 + self.ndim + self.gated


@record
class BufferArg:
    """A buffer: a number of its own and its shape (batch axes of RANGEs left open around it not counted)."""

    number: int
    shape: tuple[int, ...]
    demanded: bool = False  # by the user, with contiguous(): never optimised away


def bufferize(outputs: list[UOp], ranges: RangeMap) -> list[UOp]:
    """One BUFFERIZE per output."""
    return _Bufferize(ranges).run(outputs)


class _Bufferize:
    def __init__(self, ranges: RangeMap) -> None:
        self.map = ranges
        self.value: dict[Key, UOp] = {}
        self.buffer: dict[UOp, UOp] = {}

    def run(self, outputs: list[UOp]) -> list[UOp]:
        todo: list[Key | UOp] = list(outputs)
        while todo:
            goal = todo[-1]
            if goal in self.buffer or goal in self.value:
                todo.pop()
                continue
            missing = [g for g in self._needs(goal) if g not in self.value and g not in self.buffer]
            if missing:
                todo.extend(missing)
                continue
            todo.pop()
            if isinstance(goal, UOp):
                self.buffer[goal] = became(self._make_buffer(goal), goal)
            else:
                self.value[goal] = became(self._make_value(goal), goal[0])
        return [self.buffer[o] for o in outputs]

    def _needs(self, goal: Key | UOp) -> list[Key | UOp]:
        if isinstance(goal, UOp):
            needs: list[Key | UOp] = []
            for piece in self.map.stored[goal]:
                key = piece.node, piece.access
                needs.extend(self.map.below[key] if self._is_scalar(piece.node) else [key])
                needs.extend(self._token_keys((*piece.dest, piece.gate)))
            return needs
        node, access = goal
        needs = list(self._token_keys((*access[0], access[1])))
        if self._is_scalar(node):
            needs.append(node)
        elif goal in self.map.below:
            needs.extend(self.map.below[goal])
        elif node in self.map.stored:
            needs.append(node)
        return needs

    def _is_scalar(self, node: UOp) -> bool:
        """Whether a node is one stored number: who reads it does so in the way in which it is stored."""
        return node.shape == () and not node.free_ranges and node in self.map.stored

    # gather indices stand in index expressions as tokens until their value is known

    def _token_keys(self, parts: tuple[UOp | None, ...]) -> list[Key]:
        if not self.map.tokens:
            return []
        return [self.map.tokens[t] for p in parts if p is not None for t in p.remember("tokens", self._tokens)]

    def _tokens(self, x: UOp) -> list[UOp]:
        return [u for u in toposort((x,)) if u.op is Ops.NOOP and u.dtype == dtypes.index]

    def _resolve(self, x: UOp) -> UOp:
        tokens = x.remember("tokens", self._tokens) if self.map.tokens else []
        if not tokens:
            return x
        new = {t: as_index(self.value[self.map.tokens[t]]) for t in tokens}
        for node in toposort((x,), enter=lambda u: u not in new):
            if node not in new:
                new[node] = simplest(node, tuple(new[s] for s in node.src))
        return new[x]

    def _make_buffer(self, node: UOp) -> UOp:
        stores = tuple(self._store(p) for p in self.map.stored[node])
        return UOp(Ops.BUFFERIZE, node.dtype, stores, BufferArg(fresh_id(), node.sized, node.op is Ops.CONTIGUOUS))

    def _store(self, piece: Piece) -> UOp:
        value = self._value_of(piece)
        if piece.scan is not None:
            value = UOp(Ops.PREFIX, order_dtype(piece.scan[0], value.dtype), (value, piece.scan[1]), piece.scan[0])
        gate = () if piece.gate is None else (self._resolve(piece.gate),)
        dest = tuple(self._resolve(d) for d in piece.dest)
        arg = StoreArg(len(dest), bool(gate), piece.mode)
        return UOp(Ops.STORE, dtypes.void, (value, *dest, *gate, *piece.ranges), arg)

    def _value_of(self, piece: Piece) -> UOp:
        key = piece.node, piece.access
        if not self._is_scalar(piece.node):
            return self.value[key]
        return became(self._compute(piece.node, piece.access, [self.value[k] for k in self.map.below[key]]), piece.node)

    def _make_value(self, key: Key) -> UOp:
        node, access = key
        if self._is_scalar(node):
            return self._load(self.buffer[node], node, access)
        if key in self.map.below:
            return self._compute(node, access, [self.value[k] for k in self.map.below[key]])
        if node in self.map.stored:
            return self._load(self.buffer[node], node, access)
        if node.op in (Ops.CONST, Ops.RANGE, Ops.DEFINE_VAR):
            return node
        if node.op is Ops.IOTA:
            return UOp(Ops.CAST, node.dtype, (self._resolve(access[0][0]),))
        if node.op is Ops.EMPTY:
            return UOp.const(node.dtype, 0)
        if node.op in (Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW):
            return self._load(UOp(Ops.DEFINE_GLOBAL, node.dtype, (node,)), node, access)
        raise SpecError(f"bufferize has no rule for {node!r}")

    def _load(self, buffer: UOp, node: UOp, access: Access) -> UOp:
        idx, valid = access
        if valid is sym.FALSE or node.size == 0:
            return UOp.const(node.dtype, 0)
        gate = () if valid is None else (self._resolve(valid),)
        return UOp(Ops.INDEX, node.dtype, (buffer, *(self._resolve(i) for i in idx), *gate), bool(gate))

    def _compute(self, node: UOp, access: Access, src: list[UOp]) -> UOp:
        if not src:
            return UOp.const(node.dtype, 0)
        fill = opdef(node).fill
        if fill is not None:
            return self._pad(node, access, src[0], fill(node))
        if node.op in GroupOp.Movement or node.op in GroupOp.Join or node.op in (Ops.VMAPIN, Ops.INDEX):
            return src[0]
        reduces = opdef(node).reduces
        if reduces is not None:
            ranges, (op, _) = self.map.reduce_ranges[node], reduces(node)
            if any(extent(r) == 0 for r in ranges):
                return UOp.const(node.dtype, 0 if op is Ops.ADD else identity(op, node.dtype))
            return UOp(Ops.REDUCE, node.dtype, (src[0], *ranges), op)
        if node.op in (Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD, Ops.ASSIGN):
            return src[0]
        return UOp(node.op, node.dtype, tuple(src), node.arg)

    def _pad(self, node: UOp, access: Access, value: UOp, fill: UOp) -> UOp:
        inner = self.map.below[node, access][0][1][1]
        if inner is access[1]:
            return value
        if inner is sym.FALSE:
            return fill
        gate = self._resolve(inner) if inner is not None else sym.TRUE
        if value.op is Ops.INDEX and value.arg and value.src[-1] is gate and fill is UOp.const(node.dtype, 0):
            return value  # the read gives zero already where the condition fails
        return UOp(Ops.WHERE, node.dtype, (gate, value, fill))


_AFFINE: dict[Ops, Callable[..., UOp]] = {
    Ops.ADD: sym.add, Ops.SUB: sym.sub, Ops.MUL: sym.mul, Ops.NEG: lambda a: sym.mul(a, -1)
}  # fmt: skip


def as_index(value: UOp) -> UOp:
    """An integer expression as an index, affine parts of it in canonical form."""
    for node in toposort((value,), enter=_is_affine):  # sources first: a sum of thousands must not recurse
        node.remember("index", _as_index)
    index: UOp = value.remember("index", _as_index)
    return index


def _is_affine(node: UOp) -> bool:
    return node.op in _AFFINE and node.dtype == dtypes.int64 and (node.memo is None or "index" not in node.memo)


def _as_index(value: UOp) -> UOp:
    if value.dtype == dtypes.index:
        return value
    if value.op is Ops.CONST:
        return sym.const(int(value.arg))
    if value.op is Ops.CAST and value.src[0].dtype == dtypes.index and value.dtype.itemsize == 8:
        return value.src[0]
    if value.op in _AFFINE and value.dtype == dtypes.int64:
        return _AFFINE[value.op](*(s.remember("index", _as_index) for s in value.src))
    return UOp(Ops.CAST, dtypes.index, (value,))
