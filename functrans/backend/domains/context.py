"""The context of pushing MULTI through a graph, and the conversion of values to one layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from functrans.backend.domains.layout import Homes, Spread, cut, disagree
from functrans.ops import placement
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.placement import Window
from functrans.ops.uop import UOp, toposort


class ShardedRange(NamedTuple):
    """A mapped RANGE whose rounds are divided among domains: the window and the RANGE of each domain."""

    devices: tuple[str, ...]
    parts: tuple[Window, ...]
    ranges: tuple[UOp, ...]


class Context:
    """The state of a walk through the graph."""

    def __init__(self) -> None:
        self.done: dict[UOp, Spread] = {}
        self.homes = Homes()
        self.sharded: dict[UOp, ShardedRange] = {}
        self._restricted: dict[tuple[UOp, UOp, int], UOp] = {}

    def of(self, node: UOp) -> Spread:
        """How a source lies."""
        return self.done[node]

    def aligned(self, node: UOp, items: Sequence[Spread]) -> tuple[list[Spread], Spread]:
        """The items in one layout, and one of them to take the layout from."""
        placed = [s for s in items if s.devices]
        if not placed:
            return list(items), items[0]
        like = next((s for s in placed if s.axis is not None), placed[0])
        for s in placed:
            if s.devices != like.devices or not goes_with(s.axis, like.axis):
                raise disagree(node.op.name, like, s)
        return [self._as(s, like) for s in items], like

    def _as(self, x: Spread, like: Spread) -> Spread:
        count = len(like.devices)
        if like.axis is None:
            return x if x.devices else Spread(x.values * count, like.devices)
        if isinstance(like.axis, UOp):
            if x.axis is like.axis:
                return x
            values = tuple(self.restricted(x.on(k), like.axis, k) for k in range(count))
            return Spread(values, like.devices, like.axis)
        if x.axis is not None:
            return self.homes.resharded(x, like.axis, like.sizes, like.devices)
        parts = placement.windows(like.sizes)
        return Spread(tuple(cut(x.on(k), like.axis, w) for k, w in enumerate(parts)), like.devices, like.axis)

    def restricted(self, x: UOp, r: UOp, k: int) -> UOp:
        """What x is under the part of the loop r that domain k runs."""
        known = self._restricted
        _, parts, ranges = self.sharded[r]

        def stays(u: UOp) -> bool:
            return r not in u.free_ranges

        for u in toposort((x,), enter=lambda u: not stays(u) and (u, r, k) not in known):
            if stays(u) or (u, r, k) in known:
                continue
            if u is r:
                known[u, r, k] = sym.add(ranges[k], sym.const(parts[k][0]))
                continue
            src = tuple(s if stays(s) else known[s, r, k] for s in u.src)
            if u.op is Ops.VMAPIN and r in u.src[1:]:
                at = u.src.index(r)
                src = (cut(src[0], at - 1, parts[k]), *src[1:at], ranges[k], *src[at + 1 :])
            known[u, r, k] = u.replace(src)
        return x if stays(x) else known[x, r, k]


def goes_with(axis: int | UOp | None, other: int | UOp | None) -> bool:
    """Whether what lies along an axis, or a RANGE, can be had along the other. RANGEs are compared as objects: equality
    of theirs is a node.
    """
    return axis is None or axis is other or (isinstance(axis, int) and isinstance(other, int) and axis == other)


def per_shard(
    ctx: Context, node: UOp, items: Sequence[Spread], axis: int | None, make: Callable[[int, tuple[UOp, ...]], UOp]
) -> Spread:
    """The op shard by shard, on aligned sources; ``axis`` is where the sharded axis stands in the result."""
    found, like = ctx.aligned(node, items)
    rows = zip(*(s.values for s in found), strict=True)
    values = tuple(make(k, row) for k, row in enumerate(rows))
    return Spread(values, like.devices, axis if isinstance(like.axis, int) else like.axis)


def alike(ctx: Context, node: UOp) -> Spread:
    """Elementwise: the op of the shards."""
    items = [ctx.of(s) for s in node.src]
    axis = next((s.axis for s in items if isinstance(s.axis, int)), None)
    return per_shard(ctx, node, items, axis, lambda k, src: node.replace(src))


def gather_first(ctx: Context, node: UOp) -> Spread:
    """An op that reads across the sharded axis: of all of each source, on each domain."""
    items = [ctx.homes.gathered(s) if isinstance(s.axis, int) else s for s in map(ctx.of, node.src)]
    return per_shard(ctx, node, items, None, lambda k, src: node.replace(src))


def mixed(ctx: Context, node: UOp, items: Sequence[Spread], sharded: set[int], axis: int | None) -> Spread:
    """The op shard by shard where only some sources are sharded along an axis, and the others are whole."""
    mine, like = ctx.aligned(node, [s for k, s in enumerate(items) if k in sharded])
    others = [s for k, s in enumerate(items) if k not in sharded]
    if not isinstance(like.axis, int):
        return per_shard(ctx, node, items, None, lambda k, src: node.replace(src))
    for s in others:
        if s.devices not in ((), like.devices) or s.axis is not None:
            raise disagree(node.op.name, like, s)
    values = []
    for k in range(len(like.devices)):
        first, rest = iter(mine), iter(others)
        values.append(
            node.replace(tuple(next(first).values[k] if i in sharded else next(rest).on(k) for i in range(len(items))))
        )
    return Spread(tuple(values), like.devices, axis)
