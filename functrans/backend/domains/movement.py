"""MULTI through movement and joins: the axis of the shards moves, splits or grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from functrans.backend.domains.context import Context, alike, gather_first, per_shard
from functrans.backend.domains.layout import Spread, cut, disagree, nothing, within
from functrans.ops import build as B
from functrans.ops import placement
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.placement import Window
from functrans.ops.uop import UOp


def reshape(ctx: Context, node: UOp) -> Spread:
    """Stays sharded where each shard is still a part of one axis."""
    x = ctx.of(node.src[0])
    if not isinstance(x.axis, int):
        return alike(ctx, node)
    found = _survives(node.src[0].sized, x.axis, x.sizes, node.arg)
    if found is None:
        return gather_first(ctx, node)
    axis, sizes = found

    def make(k: int, src: tuple[UOp, ...]) -> UOp:
        return B.reshape(src[0], (*node.arg[:axis], sizes[k], *node.arg[axis + 1 :]))

    return per_shard(ctx, node, [x], axis, make)


def _survives(
    shape: tuple[int, ...], axis: int, sizes: Sequence[int], new: tuple[int, ...]
) -> tuple[int, tuple[int, ...]] | None:
    """The axis of the new shape that the shards are parts of, and their sizes along it."""
    if 0 in shape:  # there is nothing to move
        return None
    before, behind = prod(shape[:axis]), prod(shape[axis + 1 :])
    for k, n in enumerate(new):
        block = prod(new[k + 1 :])
        # an axis of one element is never taken for a longer one: all of that would lie in one shard
        alike = (n == 1) == (shape[axis] == 1)
        if alike and prod(new[:k]) == before and all(s * behind % block == 0 for s in sizes):
            return k, tuple(s * behind // block for s in sizes)
    return None


def permute(ctx: Context, node: UOp) -> Spread:
    """The sharded axis goes where it is put."""
    x = ctx.of(node.src[0])
    axis = node.arg.index(x.axis) if isinstance(x.axis, int) else None
    return per_shard(ctx, node, [x], axis, lambda k, src: B.permute(src[0], node.arg))


def expand(ctx: Context, node: UOp) -> Spread:
    """Along other axes each shard expands; an axis of one element that is repeated is whole before."""
    x = ctx.of(node.src[0])
    if isinstance(x.axis, int) and node.arg[x.axis] != node.src[0].sized[x.axis]:
        return gather_first(ctx, node)

    def make(k: int, src: tuple[UOp, ...]) -> UOp:
        sizes = [n if not x.along(i) else src[0].sized[i] for i, n in enumerate(node.arg)]
        return B.expand(src[0], tuple(sizes))

    return per_shard(ctx, node, [x], x.axis if isinstance(x.axis, int) else None, make)


def pad(ctx: Context, node: UOp) -> Spread:
    """Along the sharded axis the first and the last shard grow."""
    x = ctx.of(node.src[0])
    last = len(x.devices) - 1

    def widths(axis: int, k: int) -> Window:
        before, after = node.arg[axis]
        return (before if k == 0 else 0, after if k == last else 0)

    return _window(ctx, node, x, widths)


def shrink(ctx: Context, node: UOp) -> Spread:
    """Along the sharded axis each shard keeps what it has of the window."""
    x = ctx.of(node.src[0])

    def bounds(axis: int, k: int) -> Window:
        (start, stop), (low, high) = node.arg[axis], placement.windows(x.sizes)[k]
        first = min(max(start, low), high)
        return (first - low, max(min(stop, high), first) - low)

    return _window(ctx, node, x, bounds)


def _window(ctx: Context, node: UOp, x: Spread, part: Callable[[int, int], Window]) -> Spread:
    """PAD or SHRINK by what each shard has of it; where the place along the sharded axis is not known before it runs,
    of all of it.
    """
    axis = x.axis
    if not isinstance(axis, int):
        return alike(ctx, node)
    if node.arg[axis][0] is None:
        return gather_first(ctx, node)
    places = [ctx.of(s) for s in node.src[1:]]
    for s in places:
        if s.devices not in ((), x.devices) or s.axis is not None:
            raise disagree(node.op.name, x, s)
    values = []
    for k, v in enumerate(x.values):
        arg = (*node.arg[:axis], part(axis, k), *node.arg[axis + 1 :])
        fixed = opdef(node).fill is None and not places
        values.append(within(v, arg) if fixed else UOp(node.op, node.dtype, (v, *(s.on(k) for s in places)), arg))
    return Spread(tuple(values), x.devices, axis)


def flip(ctx: Context, node: UOp) -> Spread:
    """Along the sharded axis the shards come in the other order, and go back to the domains in theirs."""
    x = ctx.of(node.src[0])
    made = alike(ctx, node)
    if not isinstance(x.axis, int) or not node.arg[x.axis]:
        return made
    turned = Spread(made.values[::-1], made.devices[::-1], x.axis)
    return ctx.homes.resharded(turned, x.axis, x.sizes, x.devices)


def join(ctx: Context, node: UOp) -> Spread:
    """Joins along another axis stay sharded; along the sharded axis the parts are dealt out anew."""
    items = [ctx.of(s) for s in node.src]
    like = next((s for s in items if isinstance(s.axis, int)), None)
    if like is None or not isinstance(like.axis, int):
        return alike(ctx, node)
    at = like.axis
    if node.op is Ops.STACK:
        return per_shard(ctx, node, items, at + (at >= node.arg), lambda k, src: node.replace(src))
    if at != node.arg:
        return alike(ctx, node)
    for s in items:
        if s.devices and (s.devices != like.devices or not (s.axis is None or s.along(at))):
            raise disagree(node.op.name, like, s)
    count = len(like.devices)
    whole = placement.windows([s.sized[at] for s in node.src])
    values = []
    for k, (start, stop) in enumerate(placement.even(node.sized[at], count)):
        parts = []
        for s, (first, last) in zip(items, whole, strict=True):
            low, high = max(start, first) - first, min(stop, last) - first
            if low < high:
                sharded = s.axis is not None
                parts.append(
                    ctx.homes.take(s, (low, high), k, like.devices) if sharded else cut(s.on(k), at, (low, high))
                )
        values.append(B.cat(tuple(parts), at) if parts else nothing(node, at))
    return Spread(tuple(values), like.devices, at)
