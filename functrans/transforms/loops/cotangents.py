"""Transposes of loops and branches that are linear in some of their sources.

A SCAN runs backward: its carries are cotangents of carries, and of constants, which add up; what the body computes
without the linear sources is computed again in each round, from the carries that a first loop has stored, but for
values that take long (`dear`), which that stores as well. That first loop is the one whose derivative this is, where
there is one, so it runs once (`Extends`).

Source: Griewank and Walther, Evaluating Derivatives, chapters 3 and 12; semantics of ``jax.lax``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Extends, Scan, Switch, While, region, results
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.cotangent import Cotangent
from functrans.transforms.dependents import dependents
from functrans.transforms.linearity import LinearMap, Parts, not_linear
from functrans.transforms.loops.body import Transposed, closed_together, endless, like, pruned
from functrans.transforms.loops.dear import dear
from functrans.transforms.loops.recompute import History, Recomputed, recomputed, stored
from functrans.transforms.loops.while_cotangents import while_cotangents

Found = list[UOp | None]


def loop_cotangents(node: UOp, cts: Mapping[int, UOp], graph: LinearMap, transpose: Transposed) -> Parts:
    """The cotangent of each source, given those of results."""
    linear = [s in graph.nodes for s in node.src]
    found = _RULES[node.op](node, cts, linear, transpose)
    return [None if c is None or not is_linear else Cotangent(c) for c, is_linear in zip(found, linear, strict=True)]


class _Kinds(NamedTuple):
    """Which parameters and outputs of a body are linear."""

    params: list[bool]
    outputs: list[bool]


def _kinds(arg: Scan | While, linear: Sequence[bool]) -> _Kinds:
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
    kept: list[UOp] = []
    if needed and arg.snapshots is None:  # else no loop forward is there, or it stores no more than snapshots
        given = {p[k] for k in range(ends) if not kinds.params[k]}
        kept = dear(outputs, given, [*holes, *sums])
        used = set(toposort(outputs, enter=lambda u: u not in kept))
        needed = [k for k in needed if p[k] in used]
    elements = [k for k in range(n, ends) if not kinds.params[k] and p[k] in used]
    rest = [k for k in range(ends, len(p)) if not kinds.params[k] and p[k] in used]
    back = _Back(
        arg, outputs, [*holes[:first], *sums], holes[first:], [*(p[k] for k in needed), *kept],
        [p[k] for k in elements], [p[k] for k in rest],
    )  # fmt: skip
    start = [cts[k] if k in cts else B.full(p[k].sized, p[k].dtype, 0) for k in carried]
    start += [B.full(p[k].sized, p[k].dtype, 0) for k in constants]
    made = back.at(
        _before(node, kinds, needed, kept), start, [cts[k] for k in stacked], [node.src[k] for k in elements],
        [node.src[k] for k in rest],
    )  # fmt: skip
    found: Found = [None] * len(node.src)
    for k, c in zip((*carried, *constants, *sequences), made, strict=True):
        found[k] = c
    return found


def _while(node: UOp, cts: Mapping[int, UOp], linear: Sequence[bool], transpose: Transposed) -> Found:
    kinds = _kinds(node.arg, linear)
    _check_starts(node, linear, kinds)
    return while_cotangents(node, cts, kinds.params, transpose)


class _Back(NamedTuple):
    """The loop backward of a loop: outputs of a round, cotangents of carries and of constants, then of elements; and
    what these are made of: placeholders for what is carried and for cotangents of what is stacked, the ``needed``
    carries of the loop forward and values that it stores, elements of its sequences and the rest of its sources.
    """

    arg: Scan
    outputs: list[UOp]
    carried: list[UOp]
    stacked: list[UOp]
    needed: list[UOp]
    elements: list[UOp]
    rest: list[UOp]

    def at(
        self, before: Recomputed, start: list[UOp], stacked: list[UOp], elements: list[UOp], rest: list[UOp]
    ) -> list[UOp]:
        """Its results, where the carries that a round began with are known."""
        slots, rows, tables, own = before.slots, before.rows, before.constants, len(self.carried)
        outputs = substitute(self.outputs, dict(zip(self.needed, before.carries, strict=True)))
        params = [*self.carried, *slots.holes, *self.stacked, *rows.holes, *self.elements, *self.rest, *tables.holes]
        (body,), more = closed_together([([*outputs[:own], *before.following, *outputs[own:]], params)])
        parts = [start, slots.sources, stacked, rows.sources, elements, rest, tables.sources, more]
        plain = None if before.history is None else self._plain(before.history, parts)
        lead = len(stacked) + len(rows.holes) + len(elements)
        back = Scan(body, own + len(slots.holes), lead, self.arg.length, not self.arg.reverse, self.arg.unroll,
                    plain=plain)  # fmt: skip
        made = results(region(Ops.SCAN, [x for part in parts for x in part], back))
        return [*made[:own], *made[own + len(slots.holes) :]]

    def _plain(self, history: History, parts: list[list[UOp]]) -> Function:
        """The same results, every carry stored; slots are passed on as they are."""
        holes = [like(part) for part in parts]
        start, slots, stacked, _, elements, rest, tables, more = holes
        made = self.at(stored(history(slots, tables)), start, stacked, elements, rest)
        found = substitute([*made[: len(start)], *slots, *made[len(start) :]], dict(zip(parts[-1], more, strict=True)))
        return Function(tuple(x for part in holes for x in part), tuple(found))


def _check_starts(node: UOp, linear: Sequence[bool], kinds: _Kinds) -> None:
    """A carry that becomes linear begins from zero, where it does not begin as a linear value."""
    for k in range(node.arg.carries):
        s = node.src[k]
        if kinds.params[k] and not linear[k] and s.size and B.const_value(s) != 0:
            raise not_linear("SCAN of a carry that varies and begins from a value that does not is not linear")


def _before(node: UOp, kinds: _Kinds, needed: Sequence[int], kept: Sequence[UOp]) -> Recomputed:
    """The values before each round of carries that are not linear: stored, or computed again from snapshots; and those
    of each round that are ``kept``.
    """
    arg: Scan = node.arg
    if not needed or arg.snapshots is None:
        return stored(_history(node, kinds, needed, kept))
    body, sources, n, sequences = _without_linear(node, kinds, [])
    carries = [k for k in range(arg.carries) if not kinds.params[k]]
    places = [carries.index(k) for k in needed]
    return recomputed(Scan(body, n, sequences, arg.length, arg.reverse), sources, arg.snapshots, places)


def _history(node: UOp, kinds: _Kinds, needed: Sequence[int], kept: Sequence[UOp]) -> list[UOp]:
    """The values before each round of carries that are not linear, and other values of each round, stacked."""
    if not needed and not kept:
        return []
    arg: Scan = node.arg
    stacked = [*(arg.body.params[k] for k in needed), *kept]
    made = _extended(node, kinds, stacked)
    if made is None:
        body, sources, n, sequences = _without_linear(node, kinds, stacked)
        made = results(region(Ops.SCAN, sources, Scan(body, n, sequences, arg.length, arg.reverse, arg.unroll)))
    return made[len(made) - len(stacked) :]


def _extended(node: UOp, kinds: _Kinds, stacked: Sequence[UOp]) -> list[UOp] | None:
    """The results of the loop whose derivative this is, and the stacks; None if that loop does not know all of them."""
    arg: Scan = node.arg
    known, p = arg.extends, arg.body.params
    if known is None or not isinstance(known.loop, Scan) or any(kinds.params[k] for k in known.sources):
        return None
    base, ends = known.loop, arg.carries + arg.sequences
    read = set(toposort(stacked))
    more = [k for k in range(len(p)) if p[k] in read and k not in known.sources]
    if any(k < ends for k in more):
        return None
    same = dict(zip((p[k] for k in known.sources), base.body.params, strict=True))
    params = (*base.body.params, *(p[k] for k in more))
    body = Function(params, (*base.body.outputs, *substitute(stacked, same)))
    whole = Extends(base, tuple(range(len(known.sources))), tuple(range(len(base.results))))
    longer = Scan(body, base.carries, base.sequences, base.length, base.reverse, base.unroll, whole)
    return results(region(Ops.SCAN, [node.src[k] for k in (*known.sources, *more)], longer))


def _without_linear(node: UOp, kinds: _Kinds, stacked: Sequence[UOp]) -> tuple[Function, list[UOp], int, int]:
    """The loop of what is not linear, which gives some stacks: its body and sources, and how many carries and sequences
    it has.
    """
    arg: Scan = node.arg
    n, ends, p = arg.carries, arg.carries + arg.sequences, arg.body.params
    own = [k for k in range(len(p)) if not kinds.params[k]]
    carries = [k for k in own if k < n]
    sequences = sum(n <= k < ends for k in own)
    body = Function(tuple(p[k] for k in own), (*(arg.body.outputs[k] for k in carries), *stacked))
    body, sources = pruned(body, [node.src[k] for k in own], len(carries) + sequences)
    return body, sources, len(carries), sequences


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


_RULES = {Ops.SCAN: _scan, Ops.WHILE: _while, Ops.SWITCH: _switch}
