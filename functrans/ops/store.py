"""Loops written by hand: AFTER, STORE and END, and the SCAN that they become where the loop is closed.

    acc_i = acc.after(i)                                       a fold: acc as it is in a round
    acc.after(acc_i.store(acc_i + a[i]).end(i))
    out.after(out[i].store(f(out[i - 1], a[i])).end(i))        a scan: element by element
    UOp.sink(acc_i.store(...), out[i].store(acc_i)).end(i)     both in one loop: what acc.after and out.after take
    acc.after(acc_ij.store(acc_ij + a[i, j]).end(j, i))        a loop of loops, the innermost RANGE first

AFTER and END are words to write a loop with, not ops that anything computes: ``after`` makes ordinary ops of them.

Source: stores, AFTER and END of tinygrad's graphs, in whose tests folds and scans are written so.
"""

from __future__ import annotations

from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.nests import outermost, ranges_of, stored_array
from functrans.ops.opdef import OpDef, no_shape, register, same_shape
from functrans.ops.recurrence import loop_of
from functrans.ops.rounds import Loop, Stored, place_of
from functrans.ops.source import param
from functrans.ops.stored_memory import memory_of
from functrans.ops.uop import UOp, after_rule, substitute, toposort


def _after_check(node: UOp) -> str | None:
    x, r = node.src
    if x.shape is None or r.op is not Ops.RANGE:
        return f"of {x!r} in {r!r}; expected an array and a RANGE, or what end gives"
    if r.src[0].op is not Ops.CONST:
        return f"a loop of {r.src[0]!r} rounds; expected a number of them"
    return "a RANGE that is still open in the array; use a fresh one" if r in x.free_ranges else None


def _end_check(node: UOp) -> str | None:
    stored, r = node.src
    every = stored.src if stored.op is Ops.SINK else (stored,)
    stores = every and all(u.op is Ops.STORE and u.arg is None for u in every)
    if not (stores or stored.op is Ops.END) or r.op is not Ops.RANGE:
        return f"of {stored!r} by {r!r}; expected a store and a RANGE, a SINK of stores, or the END of an inner RANGE"
    if stored.op is Ops.END and r in ranges_of(stored):
        return f"twice by {r!r}"
    return f"a loop of {r.src[0]!r} rounds; expected a number of them" if r.src[0].op is not Ops.CONST else None


register(OpDef(Ops.AFTER, "framework", "an array as it is in a round of a loop", same_shape,
               check=_after_check))  # fmt: skip
register(OpDef(Ops.END, "framework", "stores for each value of a RANGE, in order", no_shape,
               closes=lambda n: n.src[1:], check=_end_check))  # fmt: skip


def after(x: UOp, event: UOp) -> UOp:
    """X in a round of a RANGE, or after a loop of stores into it; see `functrans.Tensor.after`."""
    if event.op is not Ops.END:
        return UOp(Ops.AFTER, x.dtype, (x, event))
    made: dict[UOp, UOp] = event.remember("arrays after it", lambda _: {})  # one loop, however many arrays it fills
    if x not in made:
        made.update(_arrays_after(x, event))
    return made[x]


def _arrays_after(x: UOp, event: UOp) -> dict[UOp, UOp]:
    """Each array that a loop stores into, after it; X as it is given."""
    if event.src[0].op is Ops.END:
        event = outermost(event, after)
    r, stores = event.src[1], event.src[0].src if event.src[0].op is Ops.SINK else event.src[:1]
    for s in stores:
        _check_shapes(*s.src)
    arrays = _arrays(x, r, stores)
    own = [param(a.sized, a.dtype) for a in arrays]
    names: dict[UOp, UOp] = {}
    for array, name, s in zip(arrays, own, stores, strict=True):
        names |= _names(array, r, s.src[0], [v.src[1] for v in stores], name)
    stored = []
    for array, name, s in zip(arrays, own, stores, strict=True):
        target, value = substitute(s.src, names)
        place = place_of(target)
        if place is None or place.array is not name:
            raise _unclear(s.src[0])
        stored.append(Stored(array, place, value))
    if r.src[0].arg == 0:
        return {a: a for a in arrays}
    return dict(zip(arrays, loop_of(Loop(tuple(stored), r)), strict=True))


def _arrays(x: UOp, r: UOp, stores: tuple[UOp, ...]) -> list[UOp]:
    """The arrays of stores as they are before the loop, X as it is given."""
    found: list[UOp] = []
    for s in stores:
        array = stored_array(s.src[0], (r,))
        if array is None or any(flat(array) is flat(a) for a in found):
            raise _unclear(s.src[0])
        found.append(x if flat(array) is flat(x) else array)
    if x not in found:
        raise _unclear(stores[0].src[0])
    if any(r in a.free_ranges for a in found):
        raise SpecError(f"AFTER: {r!r} is still open in the array{at_user_line()}; use a fresh one for the loop")
    return found


def _check_shapes(target: UOp, value: UOp) -> None:
    if (target.shape, target.dtype) != (value.shape, value.dtype):
        raise SpecError(
            f"STORE: {value.shape} {value.dtype.name} into {target.shape} {target.dtype.name}{at_user_line()}; "
            "expected equal shapes and dtypes"
        )


def _unclear(target: UOp) -> SpecError:
    return SpecError(
        f"AFTER: the store is into {target!r}{at_user_line()}; expected the array that this is after, itself or at one "
        "index of one axis, as in out.after(out[i].store(...).end(i)), and once in a round"
    )


def _names(x: UOp, r: UOp, target: UOp, values: list[UOp], name: UOp) -> dict[UOp, UOp]:
    """What stands for the array that is stored through, in a round: AFTER, and where the store is into the array
    itself that and its memory.
    """
    current = UOp(Ops.AFTER, x.dtype, (x, r))
    if current in toposort((target,)):
        if x.op is Ops.EMPTY and x in toposort(values, enter=lambda u: u is not current):
            raise SpecError(f"AFTER: the loop reads an array without values{at_user_line()}; read what after(i) gives")
        return {current: name}
    base = memory_of(x)
    return {current: name, base: B.reshape(name, base.sized), x: name}


after_rule.append(after)
