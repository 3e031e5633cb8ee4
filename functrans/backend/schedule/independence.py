"""Dependence test of the outermost loop of a kernel: iterations that write disjoint elements run in any order."""

from __future__ import annotations

from itertools import combinations

from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

# of a place along an axis: what one step moves it by, and the bounds of the rest
Walk = tuple[int, int, int]


def iterations_independent(kernel: Kernel, walked: UOp) -> bool:
    """Whether no two iterations of the loop over ``walked`` write one element."""
    for root in kernel.roots:
        stores = kernel.own(root)
        if any(closed_by(s)[:1] != (walked,) for s in stores):
            return False
        axes = range(root.src[0].arg.ndim)
        if not any(_apart([walk(s.src[1 + a], walked) for s in stores], extent(walked)) for a in axes):
            return False
    return True


def walk(place: UOp, walked: UOp) -> Walk | None:
    """How a place moves with the steps of a loop; None where it does not, or otherwise than by so much each step."""
    constant, terms = sym.linear(place)
    step = terms.get(walked, 0)
    if not step or any(t is not walked and walked in t.free_ranges for t in terms):
        return None
    low = high = constant
    for t, times in terms.items():
        if t is not walked:
            ends = [times * b for b in sym.bounds(t)]
            low, high = low + min(ends), high + max(ends)
    return step, low, high


def _apart(walks: list[Walk | None], steps: int) -> bool:
    """Whether no two steps come to one place, of one store or of two."""
    found = [w for w in walks if w is not None]
    if len(found) < len(walks) or any(high - low >= abs(step) for step, low, high in found):
        return False
    return all(_never_meet(a, b, steps) for a, b in combinations(dict.fromkeys(found), 2))


def _never_meet(a: Walk, b: Walk, steps: int) -> bool:
    if a[0] == b[0]:
        # of one step they lie so far apart; of two that are k apart the multiple of the step by k less
        least, most, step = b[1] - a[2], b[2] - a[1], abs(a[0])
        ks = range(-(-least // step), most // step + 1)
        if not ks or ks == range(1):
            return True
    (low, high), (first, last) = (_reach(w, steps) for w in (a, b))
    return high < first or last < low


def _reach(walk: Walk, steps: int) -> tuple[int, int]:
    step, low, high = walk
    way = step * max(steps - 1, 0)
    return low + min(way, 0), high + max(way, 0)
