"""Which buffers one kernel fills, and in what order the kernels run."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from functrans.backend.schedule.outer import closed_by, is_outer
from functrans.backend.schedule.parts import first_range, fission, globals_of, inside, is_global, refuse_open
from functrans.backend.schedule.regions import Lanes
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


@dataclass(eq=False)
class Kernel:
    """The buffers that one C function fills, in full or those of their stores that ``parts`` has. They are closed: no
    RANGE is open around them.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> ft.jit(np.sin).lower(ft.ShapeDtype((3,))).kernels[0]
    KERNEL k0 that reads 1 and fills 1 buffers
      store under LOOP 3
    """

    roots: list[UOp]
    needs: set[int] = field(default_factory=set)  # numbers of the kernels whose buffers it reads
    name: str = "k"
    parts: dict[UOp, tuple[UOp, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Loops and buffers, a line a store."""
        lines = [f"KERNEL {self.name} that reads {len(self.reads)} and fills {len(self.roots)} buffers"]
        for store in self.stores:
            loops = " > ".join(f"{r.arg[1].name} {extent(r)}" for r in closed_by(store))
            inner = [u for u in toposort((store,), enter=lambda u: not is_global(u)) if u.op in (Ops.REDUCE, Ops.WMMA)]
            sums = ", ".join(map(_reduction, inner))
            lines.append(f"  store under {loops or 'no loop'}" + (f", reducing {sums}" if sums else ""))
        return "\n".join(lines)

    @property
    def stores(self) -> list[UOp]:
        """The STOREs, in order; one that fills two buffers alike comes twice."""
        return [s for root in self.roots for s in self.own(root)]

    def own(self, root: UOp) -> tuple[UOp, ...]:
        """The STOREs of one of the buffers."""
        return self.parts.get(root, root.src)

    @property
    def lead(self) -> UOp | None:
        """The outermost loop that all stores share, or None."""
        first = set(map(first_range, self.stores))
        return first.pop() if len(first) == 1 else None

    @property
    def outer(self) -> tuple[UOp, ...]:
        """The OUTER RANGEs: the kernel is launched once for each of their values."""
        return tuple(filter(is_outer, closed_by(self.roots[0].src[0])))

    @property
    def launches(self) -> int:
        """How often one run of the program calls the kernel."""
        return prod(map(extent, self.outer))

    @property
    def reads(self) -> list[UOp]:
        """The arguments and buffers it reads: DEFINE_GLOBAL, and BUFFERIZE of other kernels."""
        return list(dict.fromkeys(u for store in self.stores for u in globals_of(store)))


class RegionKernel(Kernel):
    """The buffers that a loop or branch fills, for all its lanes: no statements, but functions of arrays in a loop."""

    @property
    def regions(self) -> list[UOp]:
        """The REGION, or several of the same lanes."""
        return [self.roots[0].src[0].src[0]]

    @property
    def region(self) -> UOp:
        """The first of them."""
        return self.regions[0]

    @property
    def lanes(self) -> Lanes:
        """The argument of that."""
        found: Lanes = self.region.arg
        return found

    @property
    def stores(self) -> list[UOp]:
        """None."""
        return []

    @property
    def outer(self) -> tuple[UOp, ...]:
        """None: lanes are loops inside."""
        return ()

    @property
    def reads(self) -> list[UOp]:
        """Its sources, numbers left out."""
        return list(dict.fromkeys(s for r in self.regions for s in r.src if s.op is not Ops.CONST))

    def __repr__(self) -> str:
        """Lanes, and the functions."""
        lanes = " x ".join(map(str, self.lanes.extents)) or "one"
        each = ", then ".join(f"{r.arg.op.name} of {r.arg.region.functions}" for r in self.regions)
        return f"KERNEL {self.name}: {each} for {lanes} lanes"


def _reduction(node: UOp) -> str:
    what, ranges = ("products", node.src[4:]) if node.op is Ops.WMMA else (node.arg.name, node.src[1:])
    return f"{what} over {' x '.join(str(extent(r)) for r in ranges)}"


def tiles_of(buffer: UOp) -> UOp | None:
    """The WMMA whose sums fill the buffer, or None."""
    return next((u for store in buffer.src for u in inside(store) if u.op is Ops.WMMA), None)


def kernels(buffers: list[UOp]) -> list[Kernel]:
    """The kernels that fill the buffers, each after what it reads. Buffers, or parts of them, whose stores share their
    outermost RANGE and do not read one another are filled by one kernel, in one loop; so are those without a loop.
    """
    refuse_open(buffers)
    made: list[Kernel] = []
    by_range: dict[UOp | None, list[int]] = {}
    owners: dict[UOp, list[int]] = {}
    loops: dict[UOp, int] = {}
    for buffer in (u for u in toposort(buffers) if is_global(u)):
        if buffer.src[0].op is Ops.RESULT:
            region = buffer.src[0].src[0]
            if region not in loops:
                loops[region] = len(made)
                made.append(RegionKernel([], {k for s in region.src for k in owners.get(s, ())}))
            made[loops[region]].roots.append(buffer)
            owners[buffer] = [loops[region]]
            continue
        outer, tiled = Kernel([buffer]).outer, tiles_of(buffer) is not None
        for part in [buffer.src] if outer or tiled else fission(buffer.src):
            alone = Kernel([buffer], parts={buffer: part})
            needs = {k for u in (*alone.reads, buffer) for k in owners.get(u, ())}
            shares = (alone.lead is not None or not any(map(closed_by, part))) and not tiled
            candidates = by_range.setdefault(alone.lead, []) if shares else []
            number = _join(made, [c for c in candidates if made[c].outer == outer], needs)
            if number is None:
                number = len(made)
                made.append(Kernel([]))
                candidates.append(number)
            made[number].roots.append(buffer)
            made[number].needs |= needs
            if part != buffer.src:
                made[number].parts[buffer] = part
            owners.setdefault(buffer, []).append(number)
    return _in_order(made)


def _join(made: list[Kernel], candidates: list[int], needs: set[int]) -> int | None:
    reached: set[int] = set()
    todo = list(needs) if candidates else []
    while todo:
        k = todo.pop()
        if k not in reached:
            reached.add(k)
            todo.extend(made[k].needs)
    return next((c for c in candidates if c not in reached), None)


def _in_order(made: list[Kernel]) -> list[Kernel]:
    done: dict[int, None] = {}
    for start in range(len(made)):
        todo = [start]
        while todo:
            k = todo[-1]
            missing = [n for n in sorted(made[k].needs) if n not in done]
            if missing:
                todo.extend(missing)
            else:
                done[todo.pop()] = None
    for number, k in enumerate(done):
        made[k].name = f"k{number}"
    return [made[k] for k in done]
