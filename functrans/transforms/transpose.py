"""Transposition: a graph that is linear in some of its nodes, read backward.

A node that depends on an input of the linear map is linear in all its sources that do; the others are coefficients.
The rules, one row per op, are in transpose_rules. What happens at brackets is here: a value without a RANGE that is
read inside the bracket of the RANGE is read once for every value of it, so its cotangent is summed over the RANGE.
Ranges that the linear map does not close belong to a map around it and are never summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans.ops.enums import Ops
from functrans.ops.opdef import closed_by
from functrans.ops.placement import whole as undealt
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.accumulate import Part, total
from functrans.transforms.cotangent import Cotangent, added
from functrans.transforms.dependents import dependents
from functrans.transforms.linearity import LinearMap, not_linear
from functrans.transforms.loops.cotangents import loop_cotangents
from functrans.transforms.transpose_rules import SUMMED, rule_of


def transpose(
    outputs: Sequence[UOp | None], inputs: Sequence[UOp], cotangents: Sequence[UOp | None]
) -> list[UOp | None]:
    """The cotangents of the inputs, given those of the outputs, of a map that is linear in the inputs.

    None is zero, in the outputs as in their cotangents and in the result. Linear in the graph.

    Raises UnsupportedError, naming the op, where the graph is not linear in an input.

    Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 3.
    """
    return [None if c is None else c.dense() for c in pulled(outputs, inputs, cotangents)]


def pulled(
    outputs: Sequence[UOp | None], inputs: Sequence[UOp], cotangents: Sequence[UOp | None]
) -> list[Cotangent | None]:
    """As `transpose`, with the places where each cotangent counts. An input may be computed from another one."""
    pairs = [(o, c) for o, c in zip(outputs, cotangents, strict=True) if o is not None and c is not None]
    order = toposort([o for o, _ in pairs])
    linear = dependents(order, inputs)
    dealt = {u: undealt(u) for u in order if u in linear and u.op is Ops.MULTI}  # the identity, backward too
    if dealt:
        pairs = list(zip(substitute([o for o, _ in pairs], dealt), (c for _, c in pairs), strict=True))
        order = toposort([o for o, _ in pairs])
        linear = dependents(order, inputs)
    ends = frozenset(inputs)
    graph = LinearMap(linear, frozenset(r for u in order if u in linear for r in closed_by(u)))
    found: dict[UOp, list[Part | _Repeated]] = {}
    passed: dict[UOp, dict[int, UOp]] = {}  # to loops and branches, the cotangents of what they pass on
    for output, cotangent in pairs:
        if output in linear:
            found.setdefault(output, []).append(Cotangent(cotangent))
    for node in reversed(order):
        if node in passed:
            parts = loop_cotangents(node, passed.pop(node), graph, transpose)
        elif node in ends or node not in found:
            continue
        else:
            whole = total(node, _in_one_sum(found.pop(node)))
            if node.op is Ops.RESULT:
                passed.setdefault(node.src[0], {})[node.arg] = whole.dense()
                continue
            rule = rule_of(node)
            if rule is None:
                raise not_linear(f"{node.op.name} is not linear, or its transpose is not known")
            parts = rule(node, whole, graph)
        for source, part in zip(node.src, parts, strict=False):
            if part is not None and source in linear:
                found.setdefault(source, []).append(_summed(part, node, source, graph))
    return [total(x, _in_one_sum(found[x])) if x in found else None for x in inputs]


class _Repeated(NamedTuple):
    """A part of the cotangent of a number that is yet to be summed over RANGEs, with all others over them."""

    part: Cotangent
    ranges: tuple[UOp, ...]


def _summed(part: Part, node: UOp, source: UOp, graph: LinearMap) -> Part | _Repeated:
    """The part over the RANGEs that its source has not; the rules of reads and windows sum over theirs."""
    ranges = graph.repeated(node, source)
    if not ranges or node.op in SUMMED or not isinstance(part, Cotangent):
        return part
    return _Repeated(part, ranges) if source.size == 1 else part.over_ranges(ranges)


def _in_one_sum(parts: Sequence[Part | _Repeated]) -> list[Part]:
    """The parts, those over the same RANGEs as one: a number that is used at many places has one sum, not many."""
    each: dict[tuple[UOp, ...], Cotangent] = {}
    for p in parts:
        if isinstance(p, _Repeated):
            each[p.ranges] = added(each.get(p.ranges), p.part)
    sums = {ranges: part.over_ranges(ranges) for ranges, part in each.items()}
    made = [sums.pop(p.ranges, None) if isinstance(p, _Repeated) else p for p in parts]
    return [p for p in made if p is not None]
