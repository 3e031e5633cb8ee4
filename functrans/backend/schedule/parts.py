"""Loop fission: loops of a kernel that share nothing become kernels of their own, with lanes and threads.

A vector put together of dynamics, path constraints and boundary values is filled by loops of different lengths.
In one C function they run one after the other; in several they do too, and each is by itself to what comes after.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TypeVar

from functrans.backend.policy import EXPENSIVE_ADDITIONS, THREAD_PICOSECONDS
from functrans.backend.schedule.outer import closed_by
from functrans.errors import SpecError
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.price import ADDITION, additions
from functrans.ops.uop import Shape, UOp, toposort
from functrans.ops.vmap import extent

Stores = tuple[UOp, ...]
T = TypeVar("T")


def is_global(node: UOp) -> bool:
    """Whether the node is a buffer that outlives a kernel: no RANGE is open around it."""
    return node.op is Ops.BUFFERIZE and not node.free_ranges


def shape_of(array: UOp) -> Shape:
    """The shape of an array that a kernel is given, or of a buffer."""
    shape: Shape = array.arg.shape if array.op is Ops.BUFFERIZE else array.src[0].sized
    return shape


def places_of(index: UOp) -> tuple[UOp, ...]:
    """Where an INDEX reads, axis by axis."""
    return index.src[1:-1] if index.arg else index.src[1:]


def inside(root: UOp) -> tuple[UOp, ...]:
    """What a store or a value is computed of, sources first, down to other buffers; several passes ask."""
    found: tuple[UOp, ...] = root.remember("inside", _down_to_buffers)
    return found


def _down_to_buffers(root: UOp) -> tuple[UOp, ...]:
    return tuple(toposort(root.src, enter=lambda u: u.op is not Ops.BUFFERIZE))  # not itself: it would hold itself


def globals_of(store: UOp) -> tuple[UOp, ...]:
    """The arguments and the buffers that outlive a kernel that a store reads."""
    found: tuple[UOp, ...] = store.remember("globals", _globals_of)
    return found


def _globals_of(store: UOp) -> tuple[UOp, ...]:
    below = toposort(store.src, enter=lambda u: not is_global(u))
    return tuple(u for u in below if u.op is Ops.DEFINE_GLOBAL or is_global(u))


def led(leader: dict[T, T], one: T) -> T:
    """Who leads the group that one is in, of groups that became one as their leaders got leaders.

    >>> led({0: 0, 1: 0, 2: 1, 3: 2, 4: 3}, 4)
    0
    """
    while leader[one] is not one:
        leader[one] = leader[leader[one]]
        one = leader[one]
    return one


def first_range(store: UOp) -> UOp | None:
    """The outermost loop of a store, or None."""
    return next(iter(closed_by(store)), None)


def refuse_open(results: Iterable[UOp]) -> None:
    """Raise an error where a result is of a round of a loop."""
    for u in results:
        if u.free_ranges:
            raise SpecError(
                f"a result is left with open ranges of sizes {sorted(map(extent, u.free_ranges))}: its buffer would "
                "miss those axes; close each VMAPIN with a VMAPOUT"
            )


def fission(stores: Stores) -> list[Stores]:
    """Group the stores of a buffer by kernels, in order. Linear in their nodes."""
    groups: list[list[UOp]] = []
    for store in stores:
        if groups and first_range(groups[-1][-1]) is first_range(store):
            groups[-1].append(store)
        else:
            groups.append([store])
    heavy = [len(groups) > 1 and _is_heavy(g) for g in groups]
    if not any(heavy) or _share(groups):
        return [stores]
    parts: list[list[UOp]] = []
    alone = True
    for group, own in zip(groups, heavy, strict=True):
        if own or alone:
            parts.append(list(group))
        else:
            parts[-1].extend(group)
        alone = own
    return list(map(tuple, parts))


def _inside(group: list[UOp]) -> list[UOp]:
    return toposort(group, enter=lambda u: not is_global(u))


def _is_heavy(group: list[UOp]) -> bool:
    """Whether one step of the loop is much work, or all of them are."""
    if sum(prod(map(extent, closed_by(s))) for s in group) >= THREAD_PICOSECONDS // (EXPENSIVE_ADDITIONS * ADDITION):
        return True
    lead = first_range(group[0])
    below = [u for u in _inside(group) if lead is not None and lead in u.free_ranges]
    if any(u.op in (Ops.REDUCE, Ops.BUFFERIZE) for u in below):
        return True
    computed = (u for u in below if u.op in GroupOp.Elementwise and u.dtype.kind != "x")
    return sum(map(additions, computed)) >= 2 * EXPENSIVE_ADDITIONS


def _share(groups: list[list[UOp]]) -> bool:
    """Whether something is summed or stored for several of the loops, ahead of them."""
    seen: set[UOp] = set()
    for group in groups:
        ahead = {u for u in _inside(group) if u.op in _LOOPS and not u.free_ranges and not is_global(u)}
        if not seen.isdisjoint(ahead):
            return True
        seen |= ahead
    return False


_LOOPS = frozenset({Ops.REDUCE, Ops.BUFFERIZE, Ops.PREFIX, Ops.WMMA})
