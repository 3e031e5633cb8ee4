"""Inner loops along records, in blocks: what lies side by side in memory is written together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from functrans.backend.codegen.lanes.regions import Inner, Region
from functrans.backend.codegen.lanes.rows import along
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

MAX_ROUNDS, MIN_ROUNDS = 64, 8  # of a block
MIN_BLOCKED_ROUNDS = 256  # of a loop that goes in blocks: the records of a tile do not stay in the caches


@dataclass(eq=False)
class Blocks:
    """How many rounds a block has, and the statements that store records."""

    rounds: int
    stores: list[UOp] = field(default_factory=list)


def blocks_of(node: Inner, facts: Uniformity) -> Blocks | None:
    """The blocks of a long loop over the numbers of records; None where it is none."""
    end = node.range.src[0]
    if end.op is not Ops.CONST or end.arg < MIN_BLOCKED_ROUNDS:
        return None
    rounds = next((k for k in range(MAX_ROUNDS, MIN_ROUNDS - 1, -1) if int(end.arg) % k == 0), None)
    if rounds is None:
        return None
    found = Blocks(rounds)
    loop = Loop(node.range)
    for region in (n for n in node.nodes if isinstance(n, Region)):
        if any(u.op is Ops.IF for u in region.items):
            continue
        for u in region.items:
            if u.op is Ops.STORE and len(u.src) == 2 and _lies_along(u, loop, facts):
                found.stores.append(u)
    touched = {u.src[0].src[0] for u in _walk(node) if u.op in (Ops.STORE, Ops.LOAD) and u not in found.stores}
    found.stores = [u for u in found.stores if u.src[0].src[0] not in touched]  # no store passes another
    return found if found.stores else None


def _walk(node: Inner) -> Iterator[UOp]:
    """The statements of a loop."""
    for n in node.nodes:
        if isinstance(n, Inner):
            yield from _walk(n)
        elif isinstance(n, UOp):
            yield n
        else:
            yield from n.items if isinstance(n, Region) else n.loop.walk()


def _lies_along(u: UOp, loop: Loop, facts: Uniformity) -> bool:
    array, place = u.src[0].src
    apart = array.op is Ops.DEFINE_GLOBAL and facts.stride(place) not in (0, 1, None)
    return apart and along(loop, place) == 1
