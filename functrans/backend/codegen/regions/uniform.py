"""Uniformity of a program: which of its arrays differ from lane to lane.

A fixed point: an array varies where statements write such to it, or as a carry, a result of a branch that some lanes
alone take, or of a loop that lanes leave at different times.
"""

from __future__ import annotations

from functrans.backend.codegen.regions.tree import Block, Branch, Call, Move, Part, Rounds, Statements
from functrans.backend.codegen.varying import varying
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def mark_varying(program: Block) -> None:
    """Note of each array whether it varies. Linear in the program times the depth of its loops."""
    items = list(program.walk())
    while sum(map(_mark, items)):  # all of them each time
        pass


def _mark(item: Statements | Move | Rounds | Branch | Call) -> bool:
    """Whether an array was found to vary."""
    if isinstance(item, Statements):
        found = [_becomes(item.parts[u], True) for u in values_that_vary(item)[1]]
        return any(found)
    if isinstance(item, Move):
        return _becomes(item.to, item.source.array.varying)
    if isinstance(item, Call):
        shared = any(p.array.varying for p in item.shares)
        found = [_becomes(p, shared) for p in item.shares]
        found += [_becomes(Part(a), shared or item.varying) for a in item.arrays]
        return any(found)
    if isinstance(item, Rounds):
        all_of_them = item.goes_on is not None and item.goes_on.varying
        found = [_becomes(Part(c.now), all_of_them or c.start.array.varying or c.next.varying) for c in item.carries]
        found += [_becomes(c.end, c.now.varying) for c in item.carries if c.end is not None]
        return any(found)
    chosen = item.index.array.varying
    found = [_becomes(r, chosen or any(made[k].varying for made in item.made)) for k, r in enumerate(item.results)]
    return any(found)


def _becomes(part: Part, varying: bool) -> bool:
    if not varying or part.array.varying:
        return False
    part.array.varying = True
    return True


def values_that_vary(item: Statements) -> tuple[set[UOp], set[UOp]]:
    """The nodes that stand for varying values, accumulators among them, and arrays that are written such."""
    arrays = {u for u, p in item.parts.items() if p.array.varying}
    found = varying(item.uops, item.lanes | arrays, item.parts)
    return {u for u in found if u not in item.parts and u.op is not Ops.INDEX}, found.intersection(item.parts)
