"""Dependence test of the outermost loop of a kernel: iterations that write disjoint elements run in any order."""

from __future__ import annotations

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
        if not any(never_meets([walk(s.src[1 + a], walked) for s in stores], extent(walked)) for a in axes):
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


def never_meets(walks: list[Walk | None], steps: int) -> bool:
    """Whether no two steps come to one place, of one store or of two. Linear but for sorting, where stores fill ranges
    of their own, or records.
    """
    found = [w for w in walks if w is not None]
    if len(found) < len(walks) or any(high - low >= abs(step) for step, low, high in found):
        return False
    alike: dict[int, list[Walk]] = {}
    for w in dict.fromkeys(found):
        alike.setdefault(w[0], []).append(w)
    if not all(_are_fields(own) or _never_meet_among(own, steps) for own in alike.values()):
        return False
    ends: dict[int, int] = {}  # of each step how far the stores go that begin before
    for (first, last), step in sorted((_reach(w, steps), w[0]) for own in alike.values() for w in own):
        if any(end >= first for other, end in ends.items() if other != step):
            return False
        ends[step] = max(last, ends.get(step, last))
    return True


def _are_fields(walks: list[Walk]) -> bool:
    """Whether stores of one step have places of their own in records as long as the step is."""
    size = abs(walks[0][0])
    fields = sorted((low % size, high - low) for _, low, high in walks)
    ends = [*(at for at, _ in fields[1:]), fields[0][0] + size]
    return all(at + more < end for (at, more), end in zip(fields, ends, strict=True))


def _never_meet_among(walks: list[Walk], steps: int) -> bool:
    """Whether no two steps of two stores come to one place."""
    near: list[tuple[int, Walk]] = []  # those that go as far as the next begins
    for (first, last), w in sorted((_reach(w, steps), w) for w in walks):
        near = [(end, other) for end, other in near if end >= first]
        if not all(_never_meet(other, w) for _, other in near):
            return False
        near.append((last, w))
    return True


def _never_meet(a: Walk, b: Walk) -> bool:
    """Whether no two steps of two stores that go by the same step come to one place."""
    # of one step they lie so far apart; of two that are k apart the multiple of the step by k less
    least, most, step = b[1] - a[2], b[2] - a[1], abs(a[0])
    ks = range(-(-least // step), most // step + 1)
    return not ks or ks == range(1)


def _reach(walk: Walk, steps: int) -> tuple[int, int]:
    step, low, high = walk
    way = step * max(steps - 1, 0)
    return low + min(way, 0), high + max(way, 0)
