"""Dead code elimination of loops and branches: results that nobody reads, carries that no result depends on, and
sources that are not needed then.

Source: Aho, Lam, Sethi and Ullman, Compilers, section 9.1; of a loop the fixed point over its carries.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import reduce
from operator import or_
from typing import Any

from functrans._records import replace
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, loop_of, over_bodies, regions, result
from functrans.ops.uop import UOp, toposort


def without_unused(roots: Sequence[UOp]) -> list[UOp]:
    """The same values of smaller loops and branches, in bodies too. Linear in the graph; in a loop also in its carries.
    Loops must not extend others any more: that names sources and results by their places.
    """
    return _without(roots, {})


def _without(roots: Sequence[UOp], known: dict[Function, Function]) -> list[UOp]:
    order = toposort(roots)
    if not regions(order):
        return list(roots)
    read: dict[UOp, set[int]] = {}
    kept: dict[UOp, tuple[Any, list[int], list[int]]] = {}
    wanted = set(roots)
    for u in reversed(order):  # who reads a node comes before it, and may turn out not to need it
        if u not in wanted:
            continue
        loop = loop_of(u)
        if loop is not None:
            read.setdefault(loop, set()).add(u.arg)
        if u in read and isinstance(u.arg, Scan | While | Switch):
            kept[u] = _kept(u.arg, read[u])
            wanted.update(u.src[k] for k in kept[u][1])
        else:
            wanted.update(u.src)
    new: dict[UOp, UOp] = {}
    for u in (u for u in order if u in wanted):
        loop = loop_of(u)
        if loop in kept:
            new[u] = result(new[loop], kept[loop][2].index(u.arg))
        elif u in kept:
            arg, sources, _ = kept[u]
            arg = over_bodies(arg, lambda outputs: _without(outputs, known), known)
            new[u] = UOp(u.op, u.dtype, tuple(new[u.src[k]] for k in sources), arg)
        else:
            new[u] = u.replace(tuple(new[s] for s in u.src))
    return [new[r] for r in roots]


def _kept(arg: Scan | While | Switch, read: Set[int]) -> tuple[Any, list[int], list[int]]:
    """What is left where these results are read, which sources and which results."""
    reach = _sources(arg, {})
    used = 0
    for k in read:
        used |= reach[k]
    sources = [k for k in range(used.bit_length()) if used >> k & 1]
    if isinstance(arg, Switch):
        results, params = sorted(read), [k - 1 for k in sources if k]
        return replace(arg, branches=tuple(_part(b, params, results) for b in arg.branches)), sources, results
    carries = [k for k in sources if k < arg.carries]
    results = [*carries, *(k for k in sorted(read) if k >= arg.carries)]
    body = _part(arg.body, sources, results)
    if isinstance(arg, While):
        condition = _part(arg.condition, sources, [0])
        return replace(arg, condition=condition, body=body, carries=len(carries)), sources, results
    sequences = sum(arg.carries <= k < arg.carries + arg.sequences for k in sources)
    return replace(arg, body=body, carries=len(carries), sequences=sequences), sources, results


def _sources(arg: Scan | While | Switch, known: dict[Function, list[int]]) -> list[int]:
    """For each result the sources that it depends on, a bit each: by way of carries, and of the condition."""
    if isinstance(arg, Switch):
        uses = [_uses(b, known) for b in arg.branches]
        return [1 | reduce(or_, masks) << 1 for masks in zip(*uses, strict=True)]
    found = _uses(arg.body, known)
    test = _uses(arg.condition, known)[0] if isinstance(arg, While) else 0
    found = [test | mask | (1 << k if k < arg.carries else 0) for k, mask in enumerate(found)]
    while True:
        longer = [reduce(or_, (found[j] for j in range(arg.carries) if m >> j & 1), m) for m in found]
        if longer == found:
            return found
        found = longer


def _uses(f: Function, known: dict[Function, list[int]]) -> list[int]:
    """For each output the placeholders that it depends on, a bit each."""
    if f not in known:
        masks = {p: 1 << k for k, p in enumerate(f.params)}
        reach: dict[UOp, list[int]] = {}  # of each loop, whose results are many
        for u in toposort(f.outputs):
            if u in masks:
                continue
            src: Sequence[UOp] = u.src
            loop = loop_of(u)
            if loop is not None and isinstance(loop.arg, Scan | While | Switch):
                if loop not in reach:
                    reach[loop] = _sources(loop.arg, known)
                src = [s for k, s in enumerate(loop.src) if reach[loop][u.arg] >> k & 1]
            masks[u] = reduce(or_, (masks[s] for s in src), 0)
        known[f] = [masks[o] for o in f.outputs]
    return known[f]


def _part(f: Function, params: Sequence[int], outputs: Sequence[int]) -> Function:
    """The function of some of its placeholders that gives some of its outputs."""
    whole = list(params) == list(range(len(f.params))) and list(outputs) == list(range(len(f.outputs)))
    return f if whole else Function(tuple(f.params[k] for k in params), tuple(f.outputs[k] for k in outputs))
