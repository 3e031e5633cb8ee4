"""The slow and obvious meaning of a pattern: every element carries the set of inputs it depends on."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import GroupOp, Ops, UOp
from functrans.ops.interpret import interpret
from functrans.ops.opdef import opdef
from functrans.ops.uop import toposort
from functrans.transforms.vmap.rewriting import unbracket

NONE: frozenset[int] = frozenset()
_union = np.frompyfunc(lambda a, b: (a or NONE) | (b or NONE), 2, 1)


def sets(roots: list[UOp], params: list[UOp]) -> list[list[set[int]]]:
    """For each element of each root, in C order, the flat positions of the params it depends on."""
    flat = unbracket(roots)
    order = toposort(flat)
    found: dict[UOp, Any] = {}
    start = 0
    for p in params:
        found[p] = np.empty(p.sized, object)
        found[p].reshape(-1)[:] = [frozenset({start + k}) for k in range(p.size)]
        start += p.size
    constant = _values(order)
    for node in order:
        if node in found or node.shape is None:
            continue
        nothing = np.empty(node.sized, object)
        nothing[...] = NONE
        inner = dtypes.is_inexact(node.dtype) and any(s.shape is not None for s in node.src)
        made = _node(node, [found.get(s) for s in node.src], constant) if inner else nothing
        found[node] = np.asarray(made, object)
    return [[set(e or NONE) for e in found[root].reshape(-1)] for root in flat]


def _values(order: list[UOp]) -> dict[UOp, Any]:
    varying: set[UOp] = set()
    for u in order:
        if u.op is Ops.PARAM or varying.intersection(u.src):
            varying.add(u)
    fixed = [u for u in order if u not in varying and u.shape is not None]
    return dict(zip(fixed, interpret(fixed)))


def _node(node: UOp, src: list[Any], constant: dict[UOp, Any]) -> Any:
    if node.op in GroupOp.Movement | GroupOp.Join:
        return opdef(node).numpy(node, *src)
    if node.op is Ops.REDUCE_AXIS:
        out = src[0]
        for axis in reversed(node.arg[1]):
            out = _union.reduce(out, axis=axis, initial=NONE)
        return out
    if node.op is Ops.CUMULATE:
        return _union.accumulate(src[0], axis=node.arg[1]) if src[0].size else src[0]
    if node.op is Ops.INDEX:
        return _gather(node, src[0], [constant.get(i) for i in node.src[1:]])
    if node.op is Ops.SCATTER:
        return _scatter(node, src[0], src[1], [constant.get(i) for i in node.src[2:]])
    if node.op is Ops.WHERE:
        mask = constant.get(node.src[0])
        return _union(src[1], src[2]) if mask is None else np.where(mask, src[1], src[2])
    if node.op in (Ops.MUL, Ops.FDIV):
        a, b = (constant.get(s) for s in node.src)
        left = src[0] if b is None or node.op is Ops.FDIV else np.where(b == 0, NONE, src[0])
        return _union(left, src[1] if a is None else np.where(a == 0, NONE, src[1]))
    if node.op in (Ops.SIGN, Ops.RINT):
        return np.where(np.ones(node.sized, bool), NONE, src[0])
    if node.op in GroupOp.Elementwise:
        out = src[0]
        for s in src[1:]:
            out = _union(out, s)
        return out
    raise SpecError(f"no sets for {node!r}")


def _places(shape: tuple[int, ...], at: list[int | None]) -> Any:
    return tuple(slice(None) if i is None else i for i in at)


def _gather(node: UOp, x: Any, indices: list[Any]) -> Any:
    out = np.empty(node.sized, object)
    lead = node.src[1].sized
    for at in np.ndindex(*lead):
        where = [None if i is None else int(np.clip(i[at], 0, n - 1)) for i, n in zip(indices, x.shape)]
        picked = x[_places(x.shape, where)]
        for _ in range(sum(w is None for w in where)):
            picked = _union.reduce(picked, axis=0, initial=NONE)
        out[at] = picked
    return out


def _scatter(node: UOp, base: Any, value: Any, indices: list[Any]) -> Any:
    out = base.copy()
    lead = node.src[2].sized
    exact = all(i is not None for i in indices)
    for at in np.ndindex(*lead):
        where = [None if i is None else int(i[at]) for i in indices]
        if any(w is not None and not 0 <= w < n for w, n in zip(where, base.shape)):
            continue
        places = _places(base.shape, where)
        new = value[at] if exact else np.broadcast_to(value[at], out[places].shape)
        out[places] = new if node.arg == "set" and exact else _union(out[places], new)
    return out
