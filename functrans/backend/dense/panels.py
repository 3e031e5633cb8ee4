"""Routines that eliminate panels of columns of one matrix, where those fill vectors better than lanes do.

How many matrices there are is how many lanes the loops have that a routine is in, too. Bits are the same either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from functrans._records import replace
from functrans.backend.dense.policy import is_by_panels
from functrans.backend.policy import SUM_ROUNDS
from functrans.ops.enums import GroupOp
from functrans.ops.function import Function
from functrans.ops.loops import Program
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

_BY_PANELS = frozenset({Kind.SOLVE, Kind.LU, Kind.AFTER_LU, Kind.CHOLESKY, Kind.TRIANGULAR})
_ALWAYS_BY_PANELS = frozenset({Kind.COMPLEX_LU, Kind.AFTER_COMPLEX_LU})


def with_panels(roots: Sequence[UOp], inside: bool) -> list[UOp]:
    """The same values, of routines by panels and by lanes; ``inside``, as bodies are. Linear in the graph."""
    return _Panels().graph(roots, inside, 1)


class _Panels:
    def __init__(self) -> None:
        self.known: dict[tuple[Function, int], Function] = {}

    def graph(self, roots: Sequence[UOp], inside: bool, lanes: int) -> list[UOp]:
        new: dict[UOp, UOp] = {}
        for u in toposort(roots):
            sources = tuple(new[s] for s in u.src)
            own = u.op in GroupOp.Region
            new[u] = UOp(u.op, u.dtype, sources, self._region(u, inside, lanes)) if own else u.replace(sources)
        return [new[r] for r in roots]

    def _region(self, node: UOp, inside: bool, lanes: int) -> Program:
        every = lanes * prod(map(extent, node.free_ranges))
        if isinstance(node.arg, Routine):
            return _by_panels(node.arg, every, inside)
        bodies = {f: self._function(f, every) for f in node.arg.functions}
        arg: Program = node.arg.over(bodies.__getitem__)
        return arg

    def _function(self, f: Function, lanes: int) -> Function:
        if (f, lanes) not in self.known:
            self.known[f, lanes] = f.mapped(lambda outputs: self.graph(outputs, True, lanes))
        return self.known[f, lanes]


def _by_panels(routine: Routine, matrices: int, inside: bool) -> Routine:
    by = routine.kind in _BY_PANELS and is_by_panels(routine, matrices, inside)
    return replace(routine, panel=SUM_ROUNDS) if by or routine.kind in _ALWAYS_BY_PANELS else routine
