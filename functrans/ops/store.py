"""Loops written by hand: AFTER, STORE and END, and the SCAN that they become where the loop is closed.

    acc_i = acc.after(i)                                       a fold: acc as it is in a round
    acc.after(acc_i.store(acc_i + a[i]).end(i))
    out.after(out[i].store(f(out[i - 1], a[i])).end(i))        a scan: element by element

AFTER and END are words to write a loop with, not ops that anything computes: ``after`` makes ordinary ops of them.

Source: stores, AFTER and END of tinygrad's graphs, in whose tests folds and scans are written so.
"""

from __future__ import annotations

from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.opdef import OpDef, no_shape, register, same_shape
from functrans.ops.recurrence import fold, recurrence
from functrans.ops.rounds import Loop, place_of
from functrans.ops.source import param
from functrans.ops.uop import UOp, after_rule, substitute, toposort

FOLDED_INTO = "folded into an index"  # noted of nodes the values of which became constants of an index
_MEMORY = frozenset({Ops.EMPTY, Ops.PARAM, Ops.BUFFER, Ops.CONTIGUOUS, Ops.VMAPIN, Ops.VMAPOUT, Ops.RESULT, Ops.AFTER})


def _after_check(node: UOp) -> str | None:
    x, r = node.src
    if x.shape is None or r.op is not Ops.RANGE:
        return f"of {x!r} in {r!r}; expected an array and a RANGE, or what end gives"
    if r.src[0].op is not Ops.CONST:
        return f"a loop of {r.src[0]!r} rounds; expected a number of them"
    return "a RANGE that is still open in the array; use a fresh one" if r in x.free_ranges else None


def _end_check(node: UOp) -> str | None:
    stored, r = node.src
    if stored.op is not Ops.STORE or stored.arg is not None or r.op is not Ops.RANGE:
        return f"of {stored!r} by {r!r}; expected a store and a RANGE"
    return f"a loop of {r.src[0]!r} rounds; expected a number of them" if r.src[0].op is not Ops.CONST else None


register(OpDef(Ops.AFTER, "framework", "an array as it is in a round of a loop", same_shape,
               check=_after_check))  # fmt: skip
register(OpDef(Ops.END, "framework", "a store for each value of a RANGE, in order", no_shape,
               closes=lambda n: n.src[1:], check=_end_check))  # fmt: skip


def after(x: UOp, event: UOp) -> UOp:
    """X in a round of a RANGE, or after a loop of stores into it; see `functrans.Tensor.after`."""
    if event.op is not Ops.END:
        return UOp(Ops.AFTER, x.dtype, (x, event))
    (target, value), r = event.src[0].src, event.src[1]
    if (target.shape, target.dtype) != (value.shape, value.dtype):
        raise SpecError(
            f"STORE: {value.shape} {value.dtype.name} into {target.shape} {target.dtype.name}{at_user_line()}; "
            "expected equal shapes and dtypes"
        )
    if r in x.free_ranges:
        raise SpecError(f"AFTER: {r!r} is still open in the array{at_user_line()}; use a fresh one for the loop")
    name = param(x.sized, x.dtype)
    target, value = substitute((target, value), _names(x, r, target, value, name))
    place = place_of(target)
    if place is None or place.array is not name:
        raise SpecError(
            f"AFTER: the store is into {event.src[0].src[0]!r}{at_user_line()}; expected the array that this is after, "
            "itself or at one index of one axis, as in out.after(out[i].store(...).end(i))"
        )
    if r.src[0].arg == 0:
        return x
    loop = Loop(x, name, value, r)
    return fold(loop) if place.at is None else recurrence(loop, place)


def _names(x: UOp, r: UOp, target: UOp, value: UOp, name: UOp) -> dict[UOp, UOp]:
    """What stands for the array that is stored through, in a round: AFTER, and where the store is into the array
    itself that and its memory.
    """
    current = UOp(Ops.AFTER, x.dtype, (x, r))
    if current in toposort((target,)):
        if x.op is Ops.EMPTY and x in toposort((value,), enter=lambda u: u is not current):
            raise SpecError(f"AFTER: the loop reads an array without values{at_user_line()}; read what after(i) gives")
        return {current: name}
    base = flat(x)
    if base.op not in _MEMORY:
        raise SpecError(
            f"STORE: into {x!r}, which has no memory of its own{at_user_line()}: what the loop reads of it could be "
            "what it is computed from; write x = x.contiguous() before"
        )
    if any(u.memo is not None and FOLDED_INTO in u.memo for u in (x, base)):
        raise SpecError(
            f"STORE: into {x!r}, of which an index was made{at_user_line()}: that index has the value from before the "
            "loop; write x_i = x.after(i), and read and store x_i"
        )
    return {current: name, base: B.reshape(name, base.sized), x: name}


after_rule.append(after)
