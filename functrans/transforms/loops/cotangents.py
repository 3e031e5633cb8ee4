"""Transposes of loops and branches that are linear in some of their sources.

A SCAN runs backward: its carries are cotangents of carries, and of constants, which add up; what the body computes
without the linear sources is computed again in each round, from the carries that a first loop has stored. That first
loop is the one whose derivative this is, where there is one, so it runs once (`Extends`).

Source: Griewank and Walther, Evaluating Derivatives, chapters 3 and 12; semantics of ``jax.lax``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.errors import UnsupportedError
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Extends, Scan, Switch, region, results
from functrans.ops.origin import line_of
from functrans.ops.uop import UOp, toposort
from functrans.transforms.cotangent import Cotangent
from functrans.transforms.dependents import dependents
from functrans.transforms.linearity import LinearMap, Parts, not_linear
from functrans.transforms.loops.body import Transposed, closed_together, endless, like, pruned

Found = list[UOp | None]


def loop_cotangents(node: UOp, cts: Mapping[int, UOp], graph: LinearMap, transpose: Transposed) -> Parts:
    """The cotangent of each source, given those of results."""
    if node.op is Ops.WHILE:
        raise UnsupportedError(
            f"reverse mode does not go through a while_loop, or a fori_loop with traced bounds{line_of(node)}: how "
            "many rounds it has is known only when it has run; give max_steps, or use scan, or jvp"
        )
    linear = [s in graph.nodes for s in node.src]
    found = (_scan if node.op is Ops.SCAN else _switch)(node, cts, linear, transpose)
    return [None if c is None or not is_linear else Cotangent(c) for c, is_linear in zip(found, linear, strict=True)]


class _Kinds(NamedTuple):
    """Which parameters and outputs of a body are linear."""

    params: list[bool]
    outputs: list[bool]


def _kinds(arg: Scan, linear: Sequence[bool]) -> _Kinds:
    """A fixed point: carries that begin so, and those that a round makes so."""
    body, order, params = arg.body, toposort(arg.body.outputs), list(linear)
    while True:
        late = dependents(order, (p for p, is_linear in zip(body.params, params, strict=True) if is_linear))
        outputs = [o in late and dtypes.is_inexact(o.dtype) for o in body.outputs]
        grown = [a or b for a, b in zip(params, outputs[: arg.carries], strict=False)] + params[arg.carries :]
        if grown == params:
            return _Kinds(params, outputs)
        params = grown


def _scan(node: UOp, cts: Mapping[int, UOp], linear: Sequence[bool], transpose: Transposed) -> Found:
    arg: Scan = node.arg
    n, ends, p = arg.carries, arg.carries + arg.sequences, arg.body.params
    kinds = _kinds(arg, linear)
    _check_starts(node, linear, kinds)
    carried = [k for k in range(n) if kinds.params[k]]
    stacked = [k for k in range(n, len(kinds.outputs)) if kinds.outputs[k] and k in cts]
    sequences = [k for k in range(n, ends) if kinds.params[k]]
    constants = [k for k in range(ends, len(p)) if kinds.params[k]]
    holes = like(arg.body.outputs[k] for k in (*carried, *stacked))
    sums = like(p[k] for k in constants)
    pulled = transpose(
        [arg.body.outputs[k] for k in (*carried, *stacked)], [p[k] for k in (*carried, *sequences, *constants)], holes
    )
    filled = [B.full(p[k].sized, p[k].dtype, 0) if c is None else c
              for k, c in zip((*carried, *sequences, *constants), pulled, strict=True)]  # fmt: skip
    first, last = len(carried), len(carried) + len(sequences)
    added = [s if c is None else B.add(s, c) for s, c in zip(sums, pulled[last:], strict=True)]
    outputs = [*filled[:first], *added, *filled[first:last]]
    used = set(toposort(outputs))
    needed = [k for k in range(n) if not kinds.params[k] and p[k] in used]
    stored = _history(node, kinds, needed)
    elements = [k for k in range(n, ends) if not kinds.params[k] and p[k] in used]
    rest = [k for k in range(ends, len(p)) if not kinds.params[k] and p[k] in used]
    params = [*holes[:first], *sums, *holes[first:], *(p[k] for k in (*needed, *elements, *rest))]
    (body,), more = closed_together([(outputs, params)])
    start = [cts[k] if k in cts else B.full(p[k].sized, p[k].dtype, 0) for k in carried]
    start += [B.full(p[k].sized, p[k].dtype, 0) for k in constants]
    sources = [*start, *(cts[k] for k in stacked), *stored, *(node.src[k] for k in (*elements, *rest)), *more]
    back = Scan(body, len(start), len(stacked) + len(needed) + len(elements), arg.length, not arg.reverse, arg.unroll)
    made = results(region(Ops.SCAN, sources, back))
    found: Found = [None] * len(node.src)
    for k, c in zip((*carried, *constants, *sequences), made, strict=True):
        found[k] = c
    return found


def _check_starts(node: UOp, linear: Sequence[bool], kinds: _Kinds) -> None:
    """A carry that becomes linear begins from zero, where it does not begin as a linear value."""
    for k in range(node.arg.carries):
        s = node.src[k]
        if kinds.params[k] and not linear[k] and s.size and B.const_value(s) != 0:
            raise not_linear("SCAN of a carry that varies and begins from a value that does not is not linear")


def _history(node: UOp, kinds: _Kinds, needed: Sequence[int]) -> list[UOp]:
    """The values before each round of carries that are not linear, stacked."""
    if not needed:
        return []
    arg: Scan = node.arg
    known = arg.extends
    if known is not None and isinstance(known.loop, Scan):
        base = known.loop
        place = {known.results[k]: k for k in range(base.carries)}
        if all(k in place for k in needed) and not any(kinds.params[k] for k in known.sources):
            body = Function(base.body.params, (*base.body.outputs, *(base.body.params[place[k]] for k in needed)))
            same = Extends(base, tuple(range(len(known.sources))), tuple(range(len(base.results))))
            longer = Scan(body, base.carries, base.sequences, base.length, base.reverse, base.unroll, same)
            made = results(region(Ops.SCAN, [node.src[k] for k in known.sources], longer))
            return made[len(base.results) :]
    n, ends, p = arg.carries, arg.carries + arg.sequences, arg.body.params
    own = [k for k in range(len(p)) if not kinds.params[k]]
    carries = [k for k in own if k < n]
    body = Function(tuple(p[k] for k in own), (*(arg.body.outputs[k] for k in carries), *(p[k] for k in needed)))
    lead = len(carries) + sum(n <= k < ends for k in own)
    body, sources = pruned(body, [node.src[k] for k in own], lead)
    loop = Scan(body, len(carries), lead - len(carries), arg.length, arg.reverse, arg.unroll)
    return results(region(Ops.SCAN, sources, loop))[len(carries) :]


def _switch(node: UOp, cts: Mapping[int, UOp], linear: Sequence[bool], transpose: Transposed) -> Found:
    arg: Switch = node.arg
    given = sorted(cts)
    varying = [k for k, is_linear in enumerate(linear[1:]) if is_linear]
    fixed = [k for k, is_linear in enumerate(linear[1:]) if not is_linear]
    if linear[0]:
        raise not_linear("SWITCH by an index that varies is not linear")
    graphs = []
    for f in arg.branches:
        late = dependents(toposort(f.outputs), (f.params[k] for k in varying))
        if any(f.outputs[k] not in late and f.outputs[k].size and B.const_value(f.outputs[k]) != 0 for k in given):
            raise not_linear("SWITCH between a value that varies and one that does not is not linear")
        holes = like(f.outputs[k] for k in given)
        inputs = [f.params[k] for k in varying]
        pulled = transpose([f.outputs[k] if f.outputs[k] in late else None for k in given], inputs, holes)
        outputs = [B.full(x.sized, x.dtype, 0) if c is None else c for x, c in zip(inputs, pulled, strict=True)]
        graphs.append((outputs, [*(f.params[k] for k in fixed), *holes]))
    branches, more = closed_together(graphs, endless(graphs))
    sources = [node.src[0], *(node.src[1 + k] for k in fixed), *(cts[k] for k in given), *more]
    made = results(region(Ops.SWITCH, sources, Switch(tuple(branches))))
    found: Found = [None] * len(node.src)
    for k, c in zip(varying, made, strict=True):
        found[1 + k] = c
    return found
