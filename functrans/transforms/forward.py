"""Tangents pushed forward through a graph: one rule a kind, from the facts of the op records.

A tangent that is zero is None and costs nothing. VMAPIN and VMAPOUT are linear, so a tangent passes a bracket as
its primal does; nothing here knows about batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from functrans import dtypes
from functrans.errors import UnsupportedError
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort

Tangent = UOp | None
Tangents = Sequence[Tangent]


def push_forward(outputs: Sequence[UOp], seeds: Mapping[UOp, Tangent]) -> list[Tangent]:
    """The tangents of the outputs, given those of some nodes. Linear in the graph.

    Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 3.
    """
    tangents: dict[UOp, Tangent] = dict(seeds)
    for node in toposort(outputs, enter=lambda u: u not in seeds):
        if node not in tangents:
            incoming = [tangents[s] for s in node.src]
            active = any(t is not None for t in incoming) and node.shape is not None
            tangents[node] = _tangent(node, incoming) if active and dtypes.is_inexact(node.dtype) else None
    return [tangents[o] for o in outputs]


def _tangent(node: UOp, t: Tangents) -> Tangent:
    rule = _RULES.get(node.op)
    if rule is not None:
        return rule(node, t)
    if node.op in GroupOp.Elementwise or node.op is Ops.NOOP:
        return _elementwise(node, t)
    raise UnsupportedError(f"jvp has no rule for {node.op.name}")


def _elementwise(node: UOp, t: Tangents) -> Tangent:
    partials = opdef(node).partials
    if partials == ():
        raise UnsupportedError(f"the derivative of {node.op.name} is not available")
    if partials is None:  # linear
        return UOp(node.op, node.dtype, tuple(_or_zero(s, ti) for s, ti in zip(node.src, t, strict=True)), node.arg)
    total: Tangent = None
    for partial, ti in zip(partials, t, strict=True):
        if partial is None or ti is None:
            continue
        term = B.mul(partial(node, *node.src), ti)
        total = term if total is None else _sum(total, term)
    return total


def _sum(a: UOp, b: UOp) -> UOp:
    return B.sub(a, b.src[0]) if b.op is Ops.NEG else B.add(a, b)


def _or_zero(primal: UOp, t: Tangent) -> UOp:
    return B.like(primal, 0) if t is None else t


def _where(node: UOp, t: Tangents) -> Tangent:
    _, a, b = node.src
    return B.where(node.src[0], _or_zero(a, t[1]), _or_zero(b, t[2]))


def _cast(node: UOp, t: Tangents) -> Tangent:
    assert t[0] is not None
    return B.cast(t[0], node.dtype)


def _through(node: UOp, t: Tangents) -> Tangent:
    """The op is linear in its first source alone: the same op on the tangent."""
    if t[0] is None:
        return None
    return UOp(node.op, node.dtype, (t[0], *node.src[1:]), node.arg)


def _join(node: UOp, t: Tangents) -> Tangent:
    return node.replace(tuple(_or_zero(s, ti) for s, ti in zip(node.src, t, strict=True)))


def _kept(x: UOp, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if i in axes else d for i, d in enumerate(x.sized))


def _reduce(node: UOp, t: Tangents) -> Tangent:
    op, axes = node.arg
    (x,), (tx,) = node.src, t
    assert tx is not None
    if op is Ops.ADD:
        return B.reduce_axis(tx, Ops.ADD, axes)
    if op in (Ops.MAX, Ops.MIN):
        # elements that attain the extremum share it equally; where it is NaN so is the tangent
        hit = B.eq(x, B.expand(B.reshape(node, _kept(x, axes)), x.sized))
        total = B.reduce_axis(B.where(hit, tx, B.like(tx, 0)), Ops.ADD, axes)
        count = B.reduce_axis(B.cast(hit, node.dtype), Ops.ADD, axes)
        return B.div(total, count)
    if op is Ops.MUL:
        return _product(x, tx, axes)
    raise UnsupportedError(f"jvp has no rule for a reduction by {op.name}")


def _product(x: UOp, tx: UOp, axes: tuple[int, ...]) -> UOp:
    """Sum over k of t[k] times the product of all other elements, by running products: right where some are zero."""
    rest = tuple(i for i in range(x.ndim) if i not in axes)
    lead = tuple(x.sized[i] for i in rest)
    n = prod(x.sized[i] for i in axes)
    if n == 0:
        return B.full(lead, x.dtype, 0)

    def flat(u: UOp) -> UOp:
        return B.reshape(B.permute(u, (*rest, *axes)), (*lead, n))

    def before(u: UOp) -> UOp:
        running = UOp(Ops.CUMULATE, u.dtype, (u,), (Ops.MUL, len(lead)))
        ones = B.full((*lead, 1), u.dtype, 1)
        return B.cat((ones, B.shrink(running, (*((0, d) for d in lead), (0, n - 1)))), len(lead))

    ends = (*(False for _ in lead), True)
    xs = flat(x)
    others = B.mul(before(xs), B.flip(before(B.flip(xs, ends)), ends))
    return B.reduce_axis(B.mul(others, flat(tx)), Ops.ADD, (len(lead),))


def _cumulate(node: UOp, t: Tangents) -> Tangent:
    op, axis = node.arg
    (x,), (tx,) = node.src, t
    assert tx is not None
    if op is Ops.ADD:
        return node.replace((tx,))
    if op not in (Ops.MAX, Ops.MIN):
        raise UnsupportedError(f"jvp has no rule for a running reduction by {op.name}")
    # the running extremum is the element at which it was last attained
    order = (axis, *(i for i in range(x.ndim) if i != axis))
    back = tuple(order.index(i) for i in range(x.ndim))
    shape = tuple(x.sized[i] for i in order)
    grid = [_along(shape, i) for i in range(len(shape))]
    place = B.where(B.permute(B.eq(x, node), order), grid[0], B.like(grid[0], 0))
    last = UOp(Ops.CUMULATE, dtypes.int64, (place,), (Ops.MAX, 0))
    return B.permute(B.gather(B.permute(tx, order), last, *grid[1:]), back)


def _along(shape: tuple[int, ...], axis: int) -> UOp:
    one = tuple(n if i == axis else 1 for i, n in enumerate(shape))
    return B.expand(B.reshape(B.iota(shape[axis]), one), shape)


def _scatter(node: UOp, t: Tangents) -> Tangent:
    base, value, *indices = node.src
    tb, tv = _or_zero(base, t[0]), _or_zero(value, t[1])
    if node.arg in ("add", "set"):
        return node.replace((tb, tv, *indices))
    if node.arg not in ("min", "max"):
        raise UnsupportedError(f"jvp has no rule for .at[].{node.arg}; write it as a product of gathered values")
    hit_base = B.eq(base, node)
    hit_value = B.eq(value, B.gather(node, *indices))

    def collect(b: UOp, v: UOp) -> UOp:
        kept = B.where(hit_base, b, B.like(b, 0)), B.where(hit_value, v, B.like(v, 0))
        return B.scatter(*kept, tuple(indices), "add")

    return B.div(collect(tb, tv), collect(B.like(tb, 1), B.like(tv, 1)))


_RULES: dict[Ops, Callable[[UOp, Tangents], Tangent]] = {
    Ops.WHERE: _where, Ops.CAST: _cast, Ops.REDUCE_AXIS: _reduce, Ops.CUMULATE: _cumulate, Ops.SCATTER: _scatter,
    Ops.INDEX: _through, Ops.DETACH: lambda node, t: None, Ops.BITCAST: lambda node, t: None,
} | dict.fromkeys(GroupOp.Movement | GroupOp.VMap, _through) | dict.fromkeys(GroupOp.Join, _join)  # fmt: skip
