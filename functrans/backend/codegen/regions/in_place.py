"""Carries that a round changes at a few places: these are stored into the carry, nothing is copied.

A carry whose next value is a SCATTER into it is handed on in place. The body then gives what is stored and where; when
it is done, and nobody reads the old carry any more, it is stored. A carry that goes through an inner loop, and nowhere
else, is in place where it is in that one. One that goes through a branch that hands it on, or makes it anew from other
things, is so too.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from functrans._records import record
from functrans.backend.schedule.passes import Pass, scheduled
from functrans.backend.schedule.realize import distinct, readers_of, root_of
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While
from functrans.ops.opdef import opdef
from functrans.ops.passes import SILENT
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort


@record
class Update:
    """How a carry changes: ``buffer``, the carry with stores into it, made of ``params``: the carry and what stands for
    the ``operands``, nodes of the body.
    """

    carry: int
    operands: tuple[UOp, ...]
    params: tuple[UOp, ...]
    buffer: UOp


# A loop in loops is asked about by each of those around it, and by each way to write them.
_known: WeakKeyDictionary[Function, dict[tuple[int, tuple[Pass, ...]], list[Update]]] = WeakKeyDictionary()


def updates(body: Function, carries: int, steps: tuple[Pass, ...]) -> list[Update]:
    """The carries that change at a few places, scheduled by some passes. Linear in the body, once for all who ask."""
    known = _known.setdefault(body, {})
    key = carries, steps
    if key not in known:
        known[key] = [u for k in range(carries) if (u := _update(body, k, steps)) is not None]
    return known[key]


def _update(body: Function, k: int, steps: tuple[Pass, ...]) -> Update | None:
    own = set(body.params)
    made: list[UOp] = []
    node = body.outputs[k]
    while opdef(node).updates:
        made.append(node)
        node = node.src[0]
    if node is not body.params[k] or not made or 2 * sum(s.src[1].size for s in made) > node.size:
        return None
    given = dict.fromkeys(x for s in made for x in s.src[1:] if not own.isdisjoint(toposort((x,))))
    holes = {x: param(x.sized, x.dtype) for x in given}
    (output,) = substitute((body.outputs[k],), holes)
    if any(u in own and u is not node for u in toposort((output,))):
        return None
    f = Function((node, *holes.values()), (output,))
    buffer = _stores(f, steps)
    return None if buffer is None else Update(k, tuple(holes), f.params, buffer)


def _stores(f: Function, steps: tuple[Pass, ...]) -> UOp | None:
    """The first parameter as the buffer in which the one output is made by stores. None where it is not plain that it
    is read for that alone.
    """
    (buffer,) = scheduled(distinct(f.outputs), SILENT, steps)
    copy, *rest = buffer.src
    value = copy.src[0]
    whole = copy.arg.mode == "set" and not copy.arg.gated and value.op is Ops.INDEX and not value.arg
    source = value.src[0] if whole else None
    if source is None or source.op is not Ops.DEFINE_GLOBAL or source.src[0] is not f.params[0]:
        return None
    alike = value.src[1:] == copy.src[1 : 1 + copy.arg.ndim]
    if not alike or not rest or source in toposort(rest):
        return None
    return UOp(buffer.op, buffer.dtype, tuple(rest), buffer.arg)


def passed_on(body: Function, carries: int, steps: tuple[Pass, ...]) -> list[int]:
    """The carries that an inner loop changes in place, and that nothing else reads. Linear in the body."""
    readers = readers_of(toposort(body.outputs))
    return [k for k in range(carries) if _is_passed_on(body, k, readers, steps)]


def _is_passed_on(body: Function, k: int, readers: dict[UOp, list[UOp]], steps: tuple[Pass, ...]) -> bool:
    last, param = body.outputs[k], body.params[k]
    if last.op is not Ops.RESULT or body.outputs.count(last) > 1 or last in readers or param in body.outputs:
        return False
    loop, j = last.src[0], last.arg
    if not isinstance(loop.arg, (Scan, While)) or j >= loop.arg.carries or readers.get(param) != [loop]:
        return False
    return loop.src[j] is param and j in in_place(loop.arg.body, loop.arg.carries, steps)


def in_place(body: Function, carries: int, steps: tuple[Pass, ...]) -> set[int]:
    """The carries that a round changes in place."""
    return {u.carry for u in updates(body, carries, steps)} | set(passed_on(body, carries, steps))


def handed_on(branch: Function, k: int) -> int | None:
    """Which parameter of a branch an output is, None where it is none."""
    return next((i for i, p in enumerate(branch.params) if p is branch.outputs[k]), None)


def kept_by_branches(body: Function, carries: int) -> list[int]:
    """The carries that a SWITCH hands on or makes anew, and that nothing else reads. Linear in the body."""
    readers, roots = readers_of(toposort(body.outputs)), [root_of(o) for o in body.outputs]
    return [k for k in range(carries) if _is_kept(body.params[k], roots[k], roots, readers)]


def _is_kept(own: UOp, last: UOp, roots: list[UOp], readers: dict[UOp, list[UOp]]) -> bool:
    if last.op is not Ops.RESULT or roots.count(last) > 1:
        return False
    switch, j = last.src[0], last.arg
    if not isinstance(switch.arg, Switch) or readers.get(own) != [switch] or switch.src.count(own) > 1:
        return False
    i = switch.src.index(own) - 1
    hands = [handed_on(f, j) == i for f in switch.arg.branches]
    others = (f for f, is_handed in zip(switch.arg.branches, hands, strict=True) if not is_handed)
    return i >= 0 and any(hands) and all(f.params[i] not in toposort(f.outputs) for f in others)
