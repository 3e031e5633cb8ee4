"""Loops over the same lanes, one after the other, as one kernel: a block of lanes goes through all of them.

What one of them passes to a later one, lane by lane, and to nobody else, is never stored for all lanes: a block of
lanes has it in memory of its own. So a gradient's history, the carries that the forward loop stacks and the loop
backward reads, takes the memory of a block, whatever the batch.

Source: loop fusion with contraction of the arrays in between, Gao, Olsen, Sarkar and Thekkath (LCPC 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.backend.schedule.regions import Lanes
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan
from functrans.ops.uop import UOp


@dataclass(eq=False, repr=False)
class Chain(RegionKernel):
    """``links``: its REGIONs, each after what it reads. ``inside``: buffers between them that nothing else reads.
    ``program``: what becomes of it, noted by who takes it.
    """

    links: list[UOp] = field(default_factory=list)
    inside: list[UOp] = field(default_factory=list)
    program: object = None

    @property
    def regions(self) -> list[UOp]:
        """The REGIONs."""
        return self.links

    @property
    def reads(self) -> list[UOp]:
        """Sources that it does not make itself, numbers left out."""
        own = {*self.roots, *self.inside}
        sources = (s for link in self.links for s in link.src)
        return list(dict.fromkeys(s for s in sources if s.op is not Ops.CONST and s not in own))


def chained(made: list[Kernel], outputs: Iterable[UOp], takes: Callable[[Chain], bool]) -> list[Kernel]:
    """The kernels in order, loops over the same lanes as one kernel where that kernel ``takes`` them."""
    if sum(isinstance(k, RegionKernel) for k in made) < 2:
        return made
    kept, at = set(outputs), 0
    while at < len(made):
        joined = _joined(made, at, kept, takes)
        if joined is None:
            at += 1
        else:
            made = joined  # and what was there at first, or the loops that it is in, comes next
    for number, k in enumerate(made):
        k.name = f"k{number}"
    return made


def _joined(made: list[Kernel], at: int, outputs: set[UOp], takes: Callable[[Chain], bool]) -> list[Kernel] | None:
    """The kernels with one loop joined to a later one that reads it, the next that can be."""
    first = made[at]
    if not isinstance(first, RegionKernel) or not _counts(first):
        return None
    filled, after = set(first.roots), list[int]()
    for k in range(at + 1, len(made)):
        second = made[k]
        read = filled.intersection(second.reads)
        if not read:
            continue
        if isinstance(second, RegionKernel) and _counts(second) and read <= set(first.roots):
            others = [x for n, x in enumerate(made) if n not in (at, k)]
            chain = _chain(first, second, outputs.union(*(x.reads for x in others)))
            if chain is not None and takes(chain):
                before = [x for n, x in enumerate(made[:k]) if n != at and n not in after]
                return [*before, chain, *(made[n] for n in after), *made[k + 1 :]]
        filled.update(second.roots)
        after.append(k)
    return None


def _counts(kernel: RegionKernel) -> bool:
    return all(isinstance(r.arg.region, Scan) for r in kernel.regions)


def _chain(first: RegionKernel, second: RegionKernel, read: set[UOp]) -> Chain | None:
    """Both as one kernel, if each lane of the second reads no other lane of the first; ``read``: by others."""
    passed: set[UOp] = set()
    for link in second.regions:
        lanes: Lanes = link.arg
        every = tuple(range(len(lanes.ranges)))
        for s, axes in zip(link.src, lanes.axes, strict=True):
            if s in first.roots:
                if axes != every or lanes.extents != first.lanes.extents:
                    return None
                passed.add(s)
    inside = [b for b in first.roots if b in passed and b not in read]
    roots = [*(b for b in first.roots if b not in inside), *second.roots]
    between = [*getattr(first, "inside", ()), *inside, *getattr(second, "inside", ())]
    return Chain(roots, set(), first.name, {}, [*first.regions, *second.regions], between)
