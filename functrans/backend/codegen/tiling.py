"""Loops that copy along one axis what lies along another go tile by tile: strip-mining and interchange.

A transpose reads numbers that lie far apart, or writes such, one line of memory for each; the next number of a line
is asked for when the line has long left the caches. In tiles of a few lines by a few lines, 32 numbers at the most,
each line comes once, and tiles follow one another along the axis of shorter jumps. Such a nest of loops has one body,
which stores what it computes of what it does not store, so its steps may run in any order. Source: loop
tiling, as in Allen and Kennedy, Optimizing Compilers for Modern Architectures, chapter 9.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, loops_of, nest
from functrans.backend.policy import FEW_ROUNDS, LINE_BYTES, NARROWEST_BYTES, VECTOR_ROUNDS
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, toposort

_PURE = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD}


def tiled(uops: list[UOp]) -> list[UOp]:
    """The statements with such a nest of loops in tiles. Linear in their number."""
    top = nest(uops)
    loops = loops_of(top)
    found = _nest(loops[0]) if len(loops) == 1 else None
    if found is None:
        return uops
    writer = _Tiling(uops)
    for item in top:
        if isinstance(item, Loop):
            writer.nest(found)
        else:
            writer.copy(item)
    return writer.out


class _Nest(NamedTuple):
    """Loops, outermost first, all that stands in them, and which two of them make tiles of how many steps."""

    loops: list[UOp]
    body: list[UOp]
    along: UOp  # what is stored lies along it
    across: UOp  # what is read lies along it
    step: int
    unit: int  # of which the steps of a tile are a multiple
    near: UOp  # the one of the two along which the other side moves in shorter jumps: tiles follow one another there


def _nest(loop: Loop) -> _Nest | None:
    """The nest of a loop, where its steps may run in any order and tiles are of use."""
    loops, body = [loop.range], list[UOp]()
    while True:
        inner = loop.inner
        body += [item for item in loop.items if isinstance(item, UOp)]
        if not inner:
            break
        if len(inner) > 1:
            return None
        loop = inner[0]
        loops.append(loop.range)
    stores = [u for u in body if u.op is Ops.STORE]
    written = {u.src[0].src[0] for u in stores}
    if any(u.op not in _PURE and u.op is not Ops.STORE for u in body) or not written:
        return None
    if any(len(u.src) > 2 for u in stores) or any(r.arg[1] is not AxisType.LOOP for r in loops):
        return None
    reads = [u for u in body if u.op is Ops.LOAD]
    if any(u.src[0].src[0] in written or u.src[0].src[0].op is not Ops.DEFINE_GLOBAL for u in reads):
        return None
    return _crossed(loops, body, stores, reads)


def _crossed(loops: list[UOp], body: list[UOp], stores: list[UOp], reads: list[UOp]) -> _Nest | None:
    """The nest, where all that is stored lies along one loop, and something that is read along another alone."""
    strides = {u: _strides(u, loops) for u in (*stores, *reads)}
    ways = {r for u in stores for r, n in (strides[u] or {}).items() if n == 1}
    if None in strides.values() or len(ways) != 1:
        return None
    (along,) = ways
    if any((strides[u] or {}).get(along) != 1 for u in stores):
        return None
    crossed, far = Counter[UOp](), 0
    for u in reads:
        found = strides[u] or {}
        if abs(found.get(along, 0)) * u.dtype.itemsize >= LINE_BYTES:
            crossed.update(r for r, n in found.items() if abs(n) == 1)
            far = max(far, abs(found[along]))
    size = max(u.src[1].dtype.itemsize for u in stores)
    step = min(2 * VECTOR_ROUNDS, LINE_BYTES // size)
    across = next((r for r, _ in crossed.most_common()), None)
    if across is None or any(sym.bounds(r.src[0])[1] <= step for r in (along, across)):
        return None
    unit = NARROWEST_BYTES // size  # of fewer than four the compiler makes no vectors here
    near = across if far > max(abs((strides[u] or {}).get(across, 0)) for u in stores) else along
    return _Nest(loops, body, along, across, step, unit if unit >= FEW_ROUNDS else 1, near)


def _strides(access: UOp, loops: list[UOp]) -> dict[UOp, int] | None:
    """How many numbers each loop moves a read or store on, HUGE for rows whose length is an argument; None where it is
    not the same at each step.
    """
    found: dict[UOp, int] = {}
    for term, n in sym.linear(access.src[0].src[1])[1].items():
        moving = [r for r in loops if r in toposort((term,))]
        if term in loops:
            found[term] = n
        elif moving:
            rows = [s for s in term.src if s.op is not Ops.DEFINE_VAR]
            if term.op is not Ops.MUL or len(rows) > 1 or not set(sym.linear(rows[0])[1]) <= set(loops):
                return None
            found.update((r, sym.HUGE) for r in moving)
    return found


def _step(end: UOp, found: _Nest) -> int:
    """The steps of a tile of a loop: no more tiles than it takes, which hardly overlap."""
    if end.op is not Ops.CONST:
        return found.step
    n, unit = int(end.arg), found.unit
    return -(-n // (-(-n // found.step) * unit)) * unit


class _Tiling(Writer):
    def nest(self, found: _Nest) -> None:
        """Write the nest: the loops over tiles where the two loops stood, those inside of a tile innermost.

        The last tile begins before its end, where another ends, so that all have one size: what is stored twice is the
        same.
        """
        opened, first = list[UOp](), dict[UOp, UOp]()
        pair = (found.along, found.across)
        order = iter(sorted(pair, key=lambda r: r is found.near))
        for r in (next(order) if r in pair else r for r in found.loops):
            end = self.now(r.src[0])
            if r not in pair:
                opened.append(self.open(r.replace((end,))))
                self.become(r, opened[-1])
                continue
            step = _step(end, found)
            tiles = sym.div(sym.add(end, sym.const(step - 1)), step)
            opened.append(self.open(self.fresh(self.value(tiles), r.arg[1])))
            last = self._least(sym.sub(end, sym.const(step)), sym.mul(opened[-1], step))
            first[r] = last if end.op is Ops.CONST else UOp(Ops.MAX, dtypes.index, (last, sym.const(0)))
        for r in (found.across, found.along):
            end = self.now(r.src[0])
            here = self.value(self._least(sym.const(_step(end, found)), end))
            opened.append(self.open(self.fresh(here, r.arg[1])))
            self.become(r, self.value(sym.add(first[r], opened[-1])))
        for u in found.body:
            self.copy(u)
        for r in reversed(opened):
            self.close(r)

    @staticmethod
    def _least(a: UOp, b: UOp) -> UOp:
        low, high = sym.bounds(a), sym.bounds(b)
        if low[1] <= high[0] or high[1] <= low[0]:
            return a if low[1] <= high[0] else b
        return UOp(Ops.MIN, dtypes.index, (a, b))
