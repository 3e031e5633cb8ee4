"""Slices pushed down: a value of which only one element of a RANGE is ever read is computed for that element.

``VMAPIN(f(x), r)`` becomes ``f(VMAPIN(x, r))`` wherever f treats the axis of r as a batch. A function whose nodes were
given a real batch axis, and whose result is then read along a RANGE, is by this pass the function of one element
inside the loop of that RANGE, as if its arguments had been sliced to begin with.

Readers come before what they read: each asks for a slice of its sources, written like the varg of a VMAPIN, and a
node gives what all its readers agree on and its op allows (the rows in `slice_rules`). What it does not give, a
VMAPIN above it does.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.schedule.slice_rules import RULES, ZERO, Varg
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort


def sliced(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, every VMAPIN as near to the arguments as its axis is a batch axis. Linear in the graph."""
    order = toposort(roots)
    if not any(u.op is Ops.VMAPIN for u in order):
        return list(roots)
    asked: dict[UOp, Varg] = {root: (ZERO,) * root.ndim for root in roots}
    given: dict[UOp, Varg] = {}
    wanted: dict[UOp, list[Varg]] = {}
    for node in reversed(order):
        if node.shape is not None:
            given[node], wanted[node] = _ask(node, asked[node])
            for s, slice_ in zip(_arrays(node), wanted[node], strict=True):
                asked[s] = tuple(p if p is q else ZERO for p, q in zip(asked.get(s, slice_), slice_, strict=True))
    new: dict[UOp, UOp] = {}
    for node in order:
        if node.shape is None:
            new[node] = node
            continue
        slices = iter(wanted[node])
        src = tuple(s if s.shape is None else _slice(new[s], given[s], next(slices)) for s in node.src)
        rule = RULES.get(node.op)
        new[node] = node.replace(src) if rule is None else rule.build(node, given[node], src)
    return [new[r] for r in roots]


def _arrays(node: UOp) -> list[UOp]:
    return [s for s in node.src if s.shape is not None]


def _ask(node: UOp, varg: Varg) -> tuple[Varg, list[Varg]]:
    """What the node gives of the slice it is asked for, and what it asks of its sources."""
    rule = RULES.get(node.op)
    if rule is None:
        return (ZERO,) * node.ndim, [(ZERO,) * s.ndim for s in _arrays(node)]
    given = rule.give(node, varg)
    return given, rule.ask(node, given)


def _slice(value: UOp, have: Varg, want: Varg) -> UOp:
    rest = tuple(w for h, w in zip(have, want, strict=True) if h is ZERO)
    return value if all(a is ZERO for a in rest) else value.vmapin(rest)
