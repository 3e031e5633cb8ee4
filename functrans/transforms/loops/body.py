"""Closure conversion: graphs on placeholders become a FUNCTION, and what they read from outside its arguments.

What a body computes from values of outside alone is computed outside, once: loop-invariant code motion comes with it.
A call with a derivative rule of its own goes as a whole or stays: a part of it is nothing that its rule speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from functrans.ops.build import is_marked
from functrans.ops.custom import inside_calls
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.dependents import dependents

Transposed = Callable[[Sequence[UOp | None], Sequence[UOp], Sequence[UOp | None]], list[UOp | None]]
"""`transpose`, given to those it calls."""

Graph = tuple[Sequence[UOp], Sequence[UOp]]
"""Outputs and placeholders."""
Inside = Callable[[UOp], bool]

_DATA = (GroupOp.Source - {Ops.CONST, Ops.IOTA, Ops.EMPTY}) | {Ops.RESULT}


def closed(outputs: Sequence[UOp], params: Sequence[UOp]) -> tuple[Function, list[UOp]]:
    """The function of the placeholders and of more of them at the end, and what to give for those. Linear."""
    (found,), constants = closed_together([(outputs, params)])
    return found, constants


def closed_together(graphs: Sequence[Graph], inside: Inside = lambda u: False) -> tuple[list[Function], list[UOp]]:
    """Functions, one for each pair of outputs and placeholders, that all take the same values of outside at the end.

    What does not depend on the placeholders is computed outside, but for nodes that are to stay ``inside``.
    """
    around = frozenset[UOp]().union(*(o.free_ranges for outputs, _ in graphs for o in outputs))
    # of all together: what one function is given would replace the same node inside of a call of another
    called = inside_calls(toposort([o for outputs, _ in graphs for o in outputs]))
    constants: dict[UOp, UOp] = {}
    for outputs, params in graphs:
        for u in _outside(outputs, params, around, lambda u: u in called, inside):
            constants.setdefault(u, param(u.sized, u.dtype))
    more = tuple(constants.values())
    made = []
    for outputs, params in graphs:
        inner = substitute(outputs, {p: p for p in params} | constants)
        made.append(Function((*params, *more), tuple(inner)))
    return made, list(constants)


def endless(graphs: Sequence[Graph]) -> Inside:
    """Which nodes depend on a loop that may have no end: outside of a branch or loop that is not entered, they hang."""
    order = toposort([o for outputs, _ in graphs for o in outputs])
    found = dependents(order, (u for u in order if u.op is Ops.WHILE))
    return found.__contains__


def _outside(
    outputs: Sequence[UOp], params: Sequence[UOp], around: frozenset[UOp], called: Inside, inside: Inside
) -> list[UOp]:
    """The nodes of outside that a graph reads: as near to its outputs as they are, but for constants that show."""
    own = set(params)
    order = toposort(outputs, enter=lambda u: u not in own)
    late = dependents(order, own)
    data = dependents(order, (u for u in order if u.op in _DATA and u not in own))
    found: list[UOp] = []
    seen = set(outputs)
    todo = list(dict.fromkeys(outputs))
    while todo:
        u = todo.pop()
        if u in own or u.op is Ops.RANGE or u not in data:
            continue
        stays = u.op not in _DATA or u.op is Ops.RESULT
        stays = stays and inside(u) and all(s.op is not Ops.RANGE or s not in around for s in u.src)
        # a body reads through it; repeated, it would be stored, and what an index is known to be would be lost
        moved = (u.op in GroupOp.Movement and len(u.src) == 1) or is_marked(u)
        if u in late or called(u) or moved or stays or u.shape is None or not u.free_ranges <= around:
            todo.extend(s for s in u.src if s not in seen)
            seen.update(u.src)
        else:
            found.append(u)
    order_of = {u: k for k, u in enumerate(order)}
    return sorted(found, key=order_of.__getitem__)


def pruned(f: Function, arguments: Sequence[UOp], fixed: int) -> tuple[Function, list[UOp]]:
    """The function without those parameters, behind the first ``fixed``, that nothing in it reads."""
    used = set(toposort(f.outputs))
    kept = [k for k, p in enumerate(f.params) if k < fixed or p in used]
    return Function(tuple(f.params[k] for k in kept), f.outputs), [arguments[k] for k in kept]


def like(nodes: Iterable[UOp]) -> list[UOp]:
    """A fresh placeholder for each node."""
    return [param(x.sized, x.dtype) for x in nodes]
