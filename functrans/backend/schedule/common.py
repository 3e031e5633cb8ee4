"""Loop fusion of results: outermost loops that compute the same expensive value become one, and then one kernel.

The constraints of an optimal control problem, their Jacobian and the Hessian of the Lagrangian are three loops over the
same stages, each with the same sines. A function and its derivatives share most of their expensive values.
"""

from __future__ import annotations

from functrans.backend.policy import is_expensive
from functrans.backend.schedule.independence import iterations_independent
from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import first_range, is_global
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.price import picoseconds
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

_Loop = list[tuple[UOp, UOp]]  # buffers and the stores that it is the outermost loop of


def in_common(roots: list[UOp]) -> list[UOp]:
    """Fuse outermost loops of one extent that compute the same expensive value. Linear in the graph."""
    by_extent: dict[int, list[UOp]] = {}
    loops = _loops(roots)
    for r in loops:
        by_extent.setdefault(extent(r), []).append(r)
    one: dict[UOp, UOp] = {}
    for same in by_extent.values():
        if len(same) > 1:
            one.update(_alike(same, loops))
    return substitute(roots, one) if one else roots


def _loops(roots: list[UOp]) -> dict[UOp, _Loop]:
    """Outermost loops whose steps write places of their own, and what they fill."""
    found: dict[UOp, _Loop] = {}
    inner: set[UOp] = set()
    for buffer in (u for u in toposort(roots) if u.op is Ops.BUFFERIZE):
        for store in buffer.src:
            first = first_range(store) if is_global(buffer) else None
            inner.update(r for r in closed_by(store) if r is not first)
            if first is not None:
                found.setdefault(first, []).append((buffer, store))
    return {
        r: loop for r, loop in found.items()
        if r.arg[1] is AxisType.LOOP and r.src[0].op is Ops.CONST and extent(r) > 1 and r not in inner
        and _is_apart(r, loop)
    }  # fmt: skip


def _is_apart(r: UOp, loop: _Loop) -> bool:
    stores: dict[UOp, tuple[UOp, ...]] = {}
    for buffer, store in loop:
        stores[buffer] = (*stores.get(buffer, ()), store)
    return iterations_independent(Kernel(list(stores), parts=stores), r)


def _alike(same: list[UOp], loops: dict[UOp, _Loop]) -> dict[UOp, UOp]:
    """For each loop that becomes another one, the other."""
    first_of: dict[UOp, UOp] = {}  # the loop that an expensive value, written for the first loop, is computed in
    one: dict[UOp, UOp] = {}
    for r in same:
        expensive = _expensive(r, [store for _, store in loops[r]])
        renamed = substitute(expensive, {r: same[0]}) if r is not same[0] else expensive
        into = next((first_of[u] for u in renamed if u in first_of), r)
        if into is not r:
            one[r] = into
        for u in renamed:
            first_of.setdefault(u, into)
    return one


def _expensive(r: UOp, stores: list[UOp]) -> list[UOp]:
    below = toposort(stores, enter=lambda u: not is_global(u))
    return [u for u in below if u.op in GroupOp.Elementwise and r in u.free_ranges and is_expensive(picoseconds(u))]
