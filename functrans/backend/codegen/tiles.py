"""Loops over sines, cosines and tangents, tile by tile: one test a tile, and no branch inside.

The reduction of an argument by half of pi is short where the argument is near zero, as it nearly always is, and long
elsewhere. A branch in the loop would keep the compiler from making it vector code, so the loop runs with the functions
for near arguments and notes whether one was far; if so, the tile is run again with the functions for all, which give
the same bits for near arguments. What a second run would spoil, a sum for one, is tested before its only run. See
docs/decisions/0020-vector-mathematics.md.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.spelling import APART, ELEMENTARY, NEAR
from functrans.backend.elementary.expansion import LIMITS
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp, toposort

TILE = 512  # iterations that are run again for one far argument
MANY = 64  # loops of more waves keep the branch, as the compiler would take too long
SHORT = 8  # loops of fewer iterations keep the branch
WAVES = frozenset({Ops.SIN, Ops.COS, Ops.TAN})
_PURE = GroupOp.Elementwise | {Ops.LOAD, Ops.INDEX, Ops.CONST, Ops.RANGE, Ops.DEFINE_VAR}
_FLAG = {8: dtypes.int64, 4: dtypes.int32}  # of the width of the argument


def tiles(uops: list[UOp]) -> list[UOp]:
    """The statements, with the innermost loops over waves in tiles. Linear in their number."""
    if not any(u.op in WAVES and u.dtype.kind == "f" for u in uops):
        return uops
    writer = _Tiles(uops)
    writer.items(nest(uops))
    return writer.out


class _Tiles(Writer):
    near: bool | None = None  # whether waves are for near arguments, and elementary functions are calls; None elsewhere

    def items(self, items: list[UOp | Loop]) -> None:
        """Write statements and loops."""
        for item in items:
            if isinstance(item, Loop):
                self._loop(item)
            elif item.op in ELEMENTARY and item.dtype.kind == "f":
                self._elementary(item)
            else:
                self.copy(item)

    def _elementary(self, item: UOp) -> None:
        kind = APART if self.near is False else None
        if item.op in WAVES:
            kind = NEAR if self.near or item.dtype == dtypes.float16 else None
        new = self.statement(UOp(item.op, item.dtype, tuple(self.now(s) for s in item.src), kind))
        self.become(item, new)

    def _loop(self, loop: Loop) -> None:
        end = self.now(loop.range.src[0])
        known = int(end.arg) if end.op is Ops.CONST else None
        far = [] if loop.range.arg[1] is AxisType.VECTOR else _arguments(loop)
        if not far or (known is not None and known < SHORT):
            opened = self.open(loop.range.replace((end,)))
            self.become(loop.range, opened)
            self.items(loop.items)
            self.close(opened)
        elif 0 <= sym.bounds(end)[1] <= TILE:
            self._tile(loop, far, end)
        else:
            size = sym.const(TILE)
            count = sym.div(sym.add(end, sym.const(TILE - 1)), TILE)
            t = self.open(self.fresh(self.value(count), loop.range.arg[1]))
            first = sym.mul(t, TILE)
            left = sym.sub(end, first)
            here = self.value(UOp(Ops.MIN, dtypes.index, (size, left)))
            self._tile(loop, far, here, first)
            self.close(t)

    def _tile(self, loop: Loop, far: list[UOp], end: UOp, first: UOp | None = None) -> None:
        """One tile: the near functions and the test, then all functions where the test says so."""
        flags = {t: self._flag(t) for t in dict.fromkeys(a.dtype for a in far)}
        again = _may_run_again(loop)
        if again:
            self._run(loop, end, first, near=True, flags=flags, far=far)
        else:
            self._run(_only(loop, far), end, first, near=True, flags=flags, far=far)
        found = [UOp(Ops.CMPNE, dtypes.bool_, (f, UOp.const(f.dtype, 0))) for f in flags.values()]
        some = found[0] if len(found) == 1 else UOp(Ops.OR, dtypes.bool_, tuple(found))
        self._if(some, loop, end, first, near=False)
        if not again:
            self._if(UOp(Ops.NOT, dtypes.bool_, (some,)), loop, end, first, near=True)

    def _flag(self, dtype: dtypes.DType) -> UOp:
        kind = _FLAG[dtype.itemsize]
        self.accumulators += 1
        return self.statement(UOp(Ops.DEFINE_ACC, kind, (self.value(UOp.const(kind, 0)),), self.accumulators - 1))

    def _if(self, condition: UOp, loop: Loop, end: UOp, first: UOp | None, *, near: bool) -> None:
        opened = self.statement(UOp(Ops.IF, dtypes.void, (self.value(condition),)))
        self._run(loop, end, first, near=near)
        self.out.append(UOp(Ops.ENDIF, dtypes.void, (opened,)))

    def _run(
        self, loop: Loop, end: UOp, first: UOp | None, *, near: bool,
        flags: dict[dtypes.DType, UOp] | None = None, far: list[UOp] | None = None,
    ) -> None:  # fmt: skip
        """The loop once more, and a flag for each dtype of the arguments that may be far."""
        opened = self.open(self.fresh(end, loop.range.arg[1]))
        self.become(loop.range, opened if first is None else self.value(sym.add(first, opened)))
        self.near = near
        self.items(loop.items)
        self.near = None
        for argument in far or ():
            flag = (flags or {})[argument.dtype]
            value = self.now(argument)
            size = UOp(Ops.ABS, value.dtype, (value,))
            beyond = UOp(Ops.CMPLT, dtypes.bool_, (UOp.const(value.dtype, LIMITS[value.dtype.itemsize]), size))
            new = self.value(UOp(Ops.OR, flag.dtype, (flag, UOp(Ops.CAST, flag.dtype, (beyond,)))))
            self.statement(UOp(Ops.ASSIGN, flag.dtype, (flag, new)))
        self.close(opened)


def _arguments(loop: Loop) -> list[UOp]:
    """The arguments of waves in an innermost loop that can be known before the rest of it runs."""
    body: list[UOp] = [u for u in loop.items if isinstance(u, UOp)]
    if len(body) < len(loop.items):
        return []
    waves = [u for u in body if u.op in WAVES and u.dtype.kind == "f" and u.dtype.itemsize in _FLAG]
    if len(waves) > MANY:
        return []
    arguments = list(dict.fromkeys(u.src[0] for u in waves))
    inside, stored = set(body), _stored(body)
    for u in toposort(arguments, enter=lambda u: u in inside):
        if u in inside and (u.op not in _PURE or (u.op is Ops.LOAD and u.src[0].src[0] in stored)):
            return []
        if u.op is Ops.DEFINE_ACC and any(a.op is Ops.ASSIGN and a.src[0] is u for a in body):
            return []
    return arguments


def _stored(body: list[UOp]) -> set[UOp]:
    return {u.src[0].src[0] for u in body if u.op is Ops.STORE}


def _may_run_again(loop: Loop) -> bool:
    """Whether the loop does nothing but store what it computes from what it does not store."""
    body = [u for u in loop.items if isinstance(u, UOp)]
    stored = _stored(body)
    reads = any(u.op is Ops.LOAD and u.src[0].src[0] in stored for u in body)
    return not reads and all(u.op in _PURE or u.op is Ops.STORE for u in body)


def _only(loop: Loop, wanted: list[UOp]) -> Loop:
    """The loop with nothing in it but what the wanted values need."""
    inside = {u for u in loop.items if isinstance(u, UOp)}
    needed = {u for u in toposort(wanted, enter=lambda u: u in inside) if u in inside}
    return Loop(loop.range, [u for u in loop.items if u in needed])
