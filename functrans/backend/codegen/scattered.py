"""Loops that compute much and store it here and there: computed in tiles as vector code, then stored one by one.

A store whose place does not move by one from step to step, or that adds to what is there, keeps the compiler from
making the loop vector code, or makes it scatter vectors, which is slower than storing numbers. So the values of a tile
are computed into arrays near at hand, and another loop puts them where they belong, in the order of the first. What is
read at a stride is brought near first: the compiler gives up on records of most sizes. Where all that is read is
near, the last tile is filled up to whole vectors with its first element: scalar code for a few would take as long as
the vectors of half a tile.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import LocalArg
from functrans.ops.uop import UOp, toposort

TILE = 64
VECTOR = 64  # bytes
MAX_TILE_BYTES = 24 * 1024  # of the values of a tile
SHORT = 16  # steps of a loop from which on it is more than a few vectors
PAYS = 3  # operations for each store from which on it pays to compute them as vectors
_FUNCTION = 12  # operations that an elementary function is worth
_RECORDS = (2, 3, 4, 8)  # fields of a record that the compiler takes apart and puts together
_PURE = GroupOp.Elementwise | {Ops.LOAD, Ops.INDEX, Ops.CONST}


def scattered(uops: list[UOp]) -> list[UOp]:
    """The statements, with stores apart from what they store where that pays. Linear in their number."""
    if not any(u.op is Ops.RANGE for u in uops):
        return uops
    writer = _Scattered(uops)
    writer.items(nest(uops))
    return writer.out if writer.changed else uops


class _Scattered(Writer):
    changed = False

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, UOp):
                self.copy(item)
                continue
            found = _values(item)
            if found is None:
                opened = self.open(item.range.replace((self.now(item.range.src[0]),)))
                self.become(item.range, opened)
                self.items(item.items)
                self.close(opened)
            else:
                self.changed = True
                self._tiles(item, found)

    def _tiles(self, loop: Loop, values: list[UOp]) -> None:
        bytes_ = sum(v.dtype.itemsize for v in values)
        size = next((n for n in (TILE, TILE // 2) if n * bytes_ <= MAX_TILE_BYTES), TILE // 4)
        end = self.now(loop.range.src[0])
        if end.op is Ops.CONST and end.arg <= size:
            self._tile(loop, values, size, end, None)
            return
        count = sym.div(sym.add(end, sym.const(size - 1)), size)
        t = self.open(self.fresh(self.value(count), loop.range.arg[1]))
        first = sym.mul(t, size)
        here = self.value(UOp(Ops.MIN, dtypes.index, (sym.const(size), sym.sub(end, first))))
        self._tile(loop, values, size, here, first)
        self.close(t)

    def _tile(self, loop: Loop, values: list[UOp], size: int, end: UOp, first: UOp | None) -> None:
        body = [u for u in loop.items if isinstance(u, UOp)]
        inside, kept = set(body), set(values)
        below = {u for u in toposort(values, enter=inside.__contains__) if u in inside}
        records = {u for u in below if u.op is Ops.LOAD and _stride(u.src[0].src[1], loop.range, inside) not in (0, 1)}
        local = {v: self._local(v, size) for v in body if v in kept or v in records}
        if records:
            self._pass(loop, end, first, set(toposort(records, enter=inside.__contains__)), local, records, set())
        below = {u for u in toposort(values, enter=lambda u: u in inside and u not in records) if u in inside}
        far = any(u.op is Ops.LOAD and u not in records for u in below)
        whole = end if far or not records else self._filled(end, [local[u] for u in body if u in records])
        self._pass(loop, whole, first, below, local, kept - records, records)
        at = self._begin(loop, end, first)
        acts = [u for u in body if u.op in (Ops.STORE, Ops.IF, Ops.ENDIF)]
        wanted = set(toposort(acts, enter=lambda u: u in inside and u not in kept))
        for u in body:
            if u in kept and u in wanted:
                self._near(u, local[u], at)
            elif u in wanted:
                self.copy(u)
        self.close(at)

    def _filled(self, end: UOp, arrays: list[UOp]) -> UOp:
        """The end of the last whole vector, the arrays being filled up to there with their first elements."""
        lanes = min(VECTOR // min(a.dtype.itemsize for a in arrays), TILE // 4)
        whole = self.value(sym.mul(sym.div(sym.add(end, sym.const(lanes - 1)), lanes), lanes))
        more = self.open(self.fresh(self.value(sym.sub(whole, end)), AxisType.LOOP))
        for a in arrays:
            one = self.statement(UOp(Ops.LOAD, a.dtype, (self._place(a, sym.const(0)),)))
            place = self._place(a, self.value(sym.add(end, more)))
            self.statement(UOp(Ops.STORE, dtypes.void, (place, one)))
        self.close(more)
        return whole

    def _pass(
        self, loop: Loop, end: UOp, first: UOp | None, wanted: set[UOp], local: dict[UOp, UOp], kept: set[UOp],
        known: set[UOp],
    ) -> None:  # fmt: skip
        """One loop over the tile: the wanted statements, of which some are kept and some were before."""
        at = self._begin(loop, end, first)
        for u in loop.items:
            if not isinstance(u, UOp) or u not in wanted:
                continue
            if u in known:
                self._near(u, local[u], at)
            else:
                self.copy(u)
            if u in kept:
                self.statement(UOp(Ops.STORE, dtypes.void, (self._place(local[u], at), self.now(u))))
        self.close(at)

    def _near(self, value: UOp, local: UOp, at: UOp) -> None:
        self.become(value, self.statement(UOp(Ops.LOAD, value.dtype, (self._place(local, at),))))

    def _local(self, value: UOp, size: int) -> UOp:
        self.locals += 1
        return self.statement(UOp(Ops.DEFINE_LOCAL, value.dtype, (), LocalArg(self.locals - 1, size)))

    def _begin(self, loop: Loop, end: UOp, first: UOp | None) -> UOp:
        opened = self.open(self.fresh(end, loop.range.arg[1]))
        self.become(loop.range, opened if first is None else self.value(sym.add(first, opened)))
        return opened

    def _place(self, local: UOp, at: UOp) -> UOp:
        return self.value(UOp(Ops.INDEX, local.dtype, (local, at)))


def suits(loop: Loop) -> bool:
    """Whether a loop will be taken apart here."""
    return _values(loop) is not None


def _values(loop: Loop) -> list[UOp] | None:
    """What an innermost loop stores and is to be computed before; None where the loop is left as it is."""
    body = [u for u in loop.items if isinstance(u, UOp)]
    end = loop.range.src[0]
    if loop.range.arg[1] is AxisType.VECTOR or len(body) < len(loop.items) or (end.op is Ops.CONST and end.arg < SHORT):
        return None
    inside = set(body)
    stores = [u for u in body if u.op is Ops.STORE]
    stored = {s.src[0].src[0] for s in stores}
    if any(array.op is not Ops.DEFINE_GLOBAL for array in stored):
        return None  # that is near already
    values: dict[UOp, None] = {}
    rough = False
    for s in stores:
        value = s.src[1]
        update = _updated(value, stored)
        rough = rough or update is not None or len(s.src) > 2 or not _even(s, stores, loop.range, inside)
        value = value if update is None else update
        if value in inside:
            values[value] = None
    below = [u for u in toposort(list(values), enter=inside.__contains__) if u in inside]
    plain = all(u.op in _PURE and not (u.op is Ops.LOAD and u.src[0].src[0] in stored) for u in below)
    if not rough or not plain or any(u.op is Ops.ASSIGN for u in body):
        return None
    work = sum(_FUNCTION if u.op in ELEMENTARY else 1 for u in below if u.dtype.kind == "f" and u.op in _WORK)
    return list(values) if work >= PAYS * len(stores) else None


_WORK = GroupOp.Elementwise - {Ops.CAST, Ops.NEG}


def _updated(value: UOp, stored: set[UOp]) -> UOp | None:
    """What is combined with the value that stands where it is stored."""
    if len(value.src) != 2:
        return None
    old, new = value.src
    return new if old.op is Ops.LOAD and old.src[0].src[0] in stored else None


def _even(store: UOp, stores: list[UOp], r: UOp, inside: set[UOp]) -> bool:
    """Whether the compiler makes vectors of a store: in a row, or of a field of a record of a size it knows."""
    stride = _stride(store.src[0].src[1], r, inside)
    if stride not in _RECORDS:
        return stride == 1
    array = store.src[0].src[0]
    fields = {s.src[0] for s in stores if s.src[0].src[0] is array and _stride(s.src[0].src[1], r, inside) == stride}
    return len(fields) == stride


def _stride(place: UOp, r: UOp, inside: set[UOp]) -> int:
    """By how much a place moves from step to step; 0 where nothing is known of that."""
    _, terms = sym.linear(place)
    return 0 if any(t in inside for t in terms if t is not r) else terms.get(r, 0)
