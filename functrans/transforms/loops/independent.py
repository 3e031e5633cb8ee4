"""Loops and branches parted by what their results depend on.

The derivative of a loop computes the loop's own results too. Where the loop was linear in something, its derivative
does not depend on the point, but those results do: without them the derivative shows as what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from functrans._records import replace
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Extends, Region, Scan, Switch, While, region
from functrans.ops.uop import UOp, toposort


def independent(roots: Sequence[UOp], late: Iterable[UOp]) -> list[UOp]:
    """The same values, results of loops and branches that depend on nothing late by ones without it. Linear."""
    new: dict[UOp, UOp] = {}
    varying = set(late)
    shorter: dict[UOp, dict[int, UOp]] = {}
    for u in toposort(roots):
        sources = tuple(new[s] for s in u.src)
        if u.op is Ops.RESULT and u.arg in shorter.get(u.src[0], {}):
            new[u] = shorter[u.src[0]][u.arg]
            continue
        new[u] = made = u.replace(sources)
        if u in varying or not varying.isdisjoint(sources):
            varying.add(made)
        if u.op in GroupOp.Region:
            shorter[u] = _shortened(u.op, u.arg, sources, [s in varying for s in sources])
    return [new[r] for r in roots]


def _shortened(op: Ops, arg: Region, sources: Sequence[UOp], late: Sequence[bool]) -> dict[int, UOp]:
    """The results that depend on no late source, of a loop that has none."""
    if not any(late):
        return {}
    found = _switch(arg, late) if isinstance(arg, Switch) else _loop(arg, late)
    if found is None:
        return {}
    shorter, given, kept = found
    node = region(op, [sources[k] for k in given], replace(shorter, extends=extending(arg, given, kept)))
    return {k: UOp(Ops.RESULT, d, (node,), n) for n, (k, (_, d)) in enumerate(zip(kept, shorter.results, strict=True))}


Parted = tuple[Region, list[int], list[int]]
"""A region, which of the sources it takes and which of the results it has."""


def settled(arg: Scan | While, late: Sequence[bool]) -> tuple[list[UOp], list[bool], list[bool]]:
    """The outputs of a body whose loops are parted, which placeholders are late in some round, given which are in the
    first, and which outputs are.
    """
    params = list(late)
    while True:
        outputs, later = parted(arg.body, params)
        grown = [a or b for a, b in zip(params, later[: arg.carries], strict=False)] + params[arg.carries :]
        if grown == params:
            return outputs, params, later
        params = grown


def _loop(arg: Scan | While, late: Sequence[bool]) -> Parted | None:
    outputs, params, later = settled(arg, late)
    given = [k for k, is_late in enumerate(params) if not is_late]
    # a carry that is late before the first round is left out even if no round leaves it so: there may be no round
    kept = [k for k, is_late in enumerate(later) if not (is_late or (k < arg.carries and params[k]))]
    if not kept:
        return None
    body = Function(tuple(arg.body.params[k] for k in given), tuple(outputs[k] for k in kept))
    carries = sum(k < arg.carries for k in given)
    if isinstance(arg, While):
        (test,), (is_late,) = parted(arg.condition, params)
        if is_late:  # how many rounds there are depends on it
            return None
        condition = Function(tuple(arg.condition.params[k] for k in given), (test,))
        return replace(arg, condition=condition, body=body, carries=carries), given, kept
    sequences = sum(arg.carries <= k < arg.carries + arg.sequences for k in given)
    return replace(arg, body=body, carries=carries, sequences=sequences, plain=None), given, kept


def _switch(arg: Switch, late: Sequence[bool]) -> Parted | None:
    if late[0]:
        return None
    parts = [parted(f, late[1:]) for f in arg.branches]
    given = [k for k, is_late in enumerate(late[1:]) if not is_late]
    kept = [k for k in range(len(arg.results)) if not any(later[k] for _, later in parts)]
    if not kept:
        return None
    branches = [
        Function(tuple(f.params[k] for k in given), tuple(outputs[k] for k in kept))
        for f, (outputs, _) in zip(arg.branches, parts, strict=True)
    ]
    return replace(arg, branches=tuple(branches)), [0, *(1 + k for k in given)], kept


def parted(f: Function, late: Sequence[bool]) -> tuple[list[UOp], list[bool]]:
    """The outputs of a body whose loops are parted, and which of them depend on late placeholders."""
    holes = {p for p, is_late in zip(f.params, late, strict=True) if is_late}
    outputs = independent(f.outputs, holes)
    reached: set[UOp] = set(holes)
    for u in toposort(outputs):
        if not reached.isdisjoint(u.src):
            reached.add(u)
    return outputs, [o in reached for o in outputs]


def extending(arg: Region, given: Sequence[int], kept: Sequence[int]) -> Extends | None:
    """The nearest loop, of those that a loop extends, that what is left of it still extends."""
    known = arg.extends
    while known is not None:
        if set(known.sources) <= set(given) and set(known.results) <= set(kept):
            return Extends(
                known.loop, tuple(given.index(k) for k in known.sources), tuple(kept.index(k) for k in known.results)
            )
        before = known.loop.extends
        known = before and Extends(
            before.loop,
            tuple(known.sources[k] for k in before.sources),
            tuple(known.results[k] for k in before.results),
        )
    return None
