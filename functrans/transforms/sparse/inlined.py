"""Nonzeros as part of another graph: of a loop, of a function that is mapped."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops.custom import has_rules
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent, ranges_of
from functrans.transforms.sparse.detection import flattened
from functrans.transforms.sparse.problem import Problem


def inlined(problem: Problem, nodes: Sequence[UOp]) -> list[UOp]:
    """The nonzeros of each matrix, where the arguments are these nodes."""
    return _at(problem, problem.values, nodes)


def beside(problem: Problem, nodes: Sequence[UOp]) -> tuple[list[UOp], list[UOp]] | None:
    """The same, and the results as vectors: elementary functions that both need are one node each. None where the
    nonzeros share none, and where a call has a rule of its own, which the results must keep.
    """
    outputs = problem.outputs
    if problem.direct is None or has_rules(toposort(outputs)) or any(o.free_ranges for o in outputs):
        return None
    flat = flattened(outputs)
    direct = problem.direct.beside(flat)
    if direct is problem.direct:
        return None
    values = direct.values()
    found = _at(problem, [*values, *flat], nodes)
    return found[: len(values)], found[len(values) :]


def _at(problem: Problem, roots: Sequence[UOp], nodes: Sequence[UOp]) -> list[UOp]:
    # loops of their own: the same RANGE inside itself would be another loop's variable
    closed = {r for u in toposort(roots) if u.op is Ops.VMAPOUT for r in ranges_of(u.src[1:])}
    fresh = {r: UOp.range(extent(r), axis_type=r.arg[1]) for r in closed}
    given = {p: u.src[0] if p.op is Ops.DEFINE_VAR else u for p, u in zip(problem.params, nodes, strict=True)}
    return substitute(roots, {**fresh, **given})
