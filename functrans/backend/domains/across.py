"""MULTI through what may cross the shards: reductions, gathers, scatters, and maps over the sharded axis."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.domains.context import Context, ShardedRange, alike, gather_first, mixed, per_shard
from functrans.backend.domains.layout import Spread, cut, disagree
from functrans.ops import build as B
from functrans.ops import placement
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.ops.vmap import ranges_of

_ZERO = const(0)


def reduce(ctx: Context, node: UOp) -> Spread:
    """Over other axes it stays sharded; over the sharded one the results of the shards are combined in their order."""
    x = ctx.of(node.src[0])
    op, axes = node.arg
    if not isinstance(x.axis, int):
        return alike(ctx, node)
    if x.axis not in axes:
        return per_shard(ctx, node, [x], x.axis - sum(a < x.axis for a in axes), lambda k, src: node.replace(src))
    partial = [(node.replace((v,)), d) for v, d, n in zip(x.values, x.devices, x.sizes, strict=True) if n]
    if not partial:
        return Spread((node.replace((B.full(node.src[0].sized, node.dtype, 0),)),) * len(x.devices), x.devices)
    totals = []
    for target in x.devices:
        first, *rest = (ctx.homes.move(p, d, target) for p, d in partial)
        for p in rest:
            first = B.alu(op, first, p)
        totals.append(first)
    return Spread(tuple(totals), x.devices)


def by_axes(ctx: Context, node: UOp) -> Spread:
    """Along a batch axis of the op it stays sharded; along one that the op works along each domain has all of it."""
    axes = opdef(node).axes
    assert axes is not None
    batch = {axes.source(node, k) for k in range(node.ndim)}
    inside = (isinstance(s.axis, int) and s.axis not in batch for s in map(ctx.of, node.src))
    return gather_first(ctx, node) if any(inside) else alike(ctx, node)


def gather(ctx: Context, node: UOp) -> Spread:
    """A gather stays sharded along what the indices leave alone, or along an axis of the indices."""
    x, *indices = map(ctx.of, node.src)
    lead, count = node.src[1].ndim, len(indices)
    if isinstance(x.axis, int) and x.axis < count:
        x = ctx.homes.gathered(x)
    if isinstance(x.axis, int):
        indices = [ctx.homes.gathered(i) if isinstance(i.axis, int) else i for i in indices]
        return mixed(ctx, node, [x, *indices], {0}, x.axis - count + lead)
    axis = next((i.axis for i in indices if isinstance(i.axis, int)), None)
    return mixed(ctx, node, [x, *indices], set(range(1, count + 1)), axis)


def scatter(ctx: Context, node: UOp) -> Spread:
    """A scatter stays sharded along an axis of the base that the indices leave alone."""
    base, value, *indices = map(ctx.of, node.src)
    lead, count = node.src[2].ndim, len(indices)
    axis = base.axis if isinstance(base.axis, int) else None
    if axis is None and isinstance(value.axis, int) and value.axis >= lead:
        axis = value.axis - lead + count
    free = axis is not None and axis >= count
    if not free or any(isinstance(i.axis, int) for i in indices):
        return gather_first(ctx, node)
    assert axis is not None
    source = base if isinstance(base.axis, int) else value
    sizes = source.sizes
    base = _dealt(ctx, node, base, axis, sizes, source)
    value = _dealt(ctx, node, value, axis - count + lead, sizes, source)
    values = tuple(
        node.replace((base.values[k], value.values[k], *(i.on(k) for i in indices))) for k in range(len(sizes))
    )
    for i in indices:
        if i.devices not in ((), source.devices) or i.axis is not None:
            raise disagree(node.op.name, source, i)
    return Spread(values, source.devices, axis)


def _dealt(ctx: Context, node: UOp, x: Spread, axis: int, sizes: Sequence[int], like: Spread) -> Spread:
    if x.devices not in ((), like.devices) or not (x.axis is None or x.along(axis)):
        raise disagree(node.op.name, like, x)
    if x.axis is not None:
        return ctx.homes.resharded(x, axis, sizes, like.devices)
    parts = placement.windows(sizes)
    return Spread(tuple(cut(x.on(k), axis, w) for k, w in enumerate(parts)), like.devices, axis)


def open_map(ctx: Context, node: UOp) -> Spread:
    """A map over the sharded axis: each domain loops over its part."""
    x, varg = ctx.of(node.src[0]), node.src[1:]
    if not isinstance(x.axis, int) or varg[x.axis].op is not Ops.RANGE:
        axis = sum(a is _ZERO for a in varg[: x.axis]) if isinstance(x.axis, int) else None
        return per_shard(ctx, node, [x], axis, lambda k, src: src[0].vmapin(varg))
    r = varg[x.axis]
    if r not in ctx.sharded:
        ranges = tuple(UOp.range(n, None, r.arg[1]) for n in x.sizes)
        ctx.sharded[r] = ShardedRange(x.devices, placement.windows(x.sizes), ranges)
    devices, parts, ranges = ctx.sharded[r]
    if devices != x.devices:
        raise disagree("a map over the same axis", x, Spread((), devices, r))
    x = ctx.homes.resharded(x, x.axis, [b - a for a, b in parts], devices)
    values = tuple(v.vmapin(tuple(own if a is r else a for a in varg)) for v, own in zip(x.values, ranges, strict=True))
    return Spread(values, devices, r)


def close_map(ctx: Context, node: UOp) -> Spread:
    """What was mapped in parts is sharded along the axis that reappears."""
    x, varg = ctx.of(node.src[0]), node.src[1:]
    if isinstance(x.axis, UOp) and any(r is x.axis for r in ranges_of(varg)):
        ranges = ctx.sharded[x.axis].ranges
        values = tuple(
            v.vmapout(tuple(own if a is x.axis else a for a in varg)) for v, own in zip(x.values, ranges, strict=True)
        )
        return Spread(values, x.devices, next(k for k, a in enumerate(varg) if a is x.axis))
    axis = None
    if isinstance(x.axis, int):
        axis = [k for k, a in enumerate(varg) if a is _ZERO][x.axis]
    return per_shard(ctx, node, [x], axis, lambda k, src: src[0].vmapout(varg))
