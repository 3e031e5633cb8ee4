"""Dead code elimination of loops and branches: results that nobody reads, carries that no result depends on, and
sources that are not needed then.

Source: Aho, Lam, Sethi and Ullman, Compilers, section 9.1; of a loop the fixed point over its carries.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, loop_of, regions, result
from functrans.ops.uop import UOp, toposort


def without_unused(roots: Sequence[UOp]) -> list[UOp]:
    """The same values of smaller loops and branches. Linear in the graph; in a loop also in its carries."""
    order = toposort(roots)
    if not regions(order):
        return list(roots)
    read: dict[UOp, set[int]] = {}
    for u in order:
        loop = loop_of(u)
        if loop is not None:
            read.setdefault(loop, set()).add(u.arg)
    new: dict[UOp, UOp] = {}
    places: dict[UOp, dict[int, int]] = {}  # of each loop or branch that became smaller, where its results are
    for u in order:
        src = tuple(new[s] for s in u.src)
        loop = loop_of(u)
        if loop in places:
            new[u] = result(new[loop], places[loop][u.arg])
        elif u in read and (kept := _kept(u.arg, read[u])) is not None:
            arg, sources, results = kept
            new[u] = UOp(u.op, u.dtype, tuple(src[k] for k in sources), arg)
            places[u] = {k: at for at, k in enumerate(results)}
        else:
            new[u] = u.replace(src)
    return [new[r] for r in roots]


def _kept(arg: Any, read: Set[int]) -> tuple[Any, list[int], list[int]] | None:
    """What is left where these results are read, which sources and which results; None where all is needed."""
    if not isinstance(arg, Scan | While | Switch):
        return None
    reach = _sources(arg, {})
    used = 0
    for k in read:
        used |= reach[k]
    sources = [k for k in range(used.bit_length()) if used >> k & 1]
    if isinstance(arg, Switch):
        results = sorted(read)
        params = [k - 1 for k in sources if k]
        smaller: Any = replace(arg, branches=tuple(_part(b, params, results) for b in arg.branches))
        count = 1 + len(arg.branches[0].params)
    else:
        carries = [k for k in sources if k < arg.carries]
        results = [*carries, *(k for k in sorted(read) if k >= arg.carries)]
        smaller = replace(arg, body=_part(arg.body, sources, results), carries=len(carries))
        count = len(arg.body.params)
    if isinstance(arg, While):
        smaller = replace(smaller, condition=_part(arg.condition, sources, [0]))
    if isinstance(arg, Scan):
        ends = arg.carries + arg.sequences
        smaller = replace(smaller, sequences=sum(arg.carries <= k < ends for k in sources))
    return None if len(results) == len(arg.results) and len(sources) == count else (smaller, sources, results)


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
        for u in toposort(f.outputs):
            if u in masks:
                continue
            src: Sequence[UOp] = u.src
            loop = loop_of(u)
            if loop is not None and isinstance(loop.arg, Scan | While | Switch):
                used = _sources(loop.arg, known)[u.arg]
                src = [s for k, s in enumerate(loop.src) if used >> k & 1]
            masks[u] = reduce(or_, (masks[s] for s in src), 0)
        known[f] = [masks[o] for o in f.outputs]
    return known[f]


def _part(f: Function, params: Sequence[int], outputs: Sequence[int]) -> Function:
    """The function of some of its placeholders that gives some of its outputs."""
    whole = list(params) == list(range(len(f.params))) and list(outputs) == list(range(len(f.outputs)))
    if whole:
        return f
    return Function(tuple(f.params[k] for k in params), tuple(without_unused([f.outputs[k] for k in outputs])))
