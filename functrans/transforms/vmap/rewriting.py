"""Brackets away: every value between VMAPIN and VMAPOUT gets its batch axes as real leading axes.

A table with one row per category of ops says what becomes of a node whose sources are batched. The context maps each
node to its batched form and the RANGEs of its leading axes, outer first; a source that no bracket reaches has
none and is broadcast only where it meets a batched one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import fill_of, offsets
from functrans.ops.opdef import closed_by, opdef, ops_that
from functrans.ops.origin import became
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat
from functrans.ops.vmap import extent
from functrans.ops.window import reduce

_ZERO = UOp.const(dtypes.index, 0)


class Batched(NamedTuple):
    """A node's batched form, and the RANGE behind each of its leading axes."""

    value: UOp
    ranges: tuple[UOp, ...]


class Context:
    """What is known while the graph is walked, sources first."""

    def __init__(self, order: Iterable[UOp]) -> None:
        self.depth = {r: k for k, r in enumerate(order)}  # outer ranges first
        self.done: dict[UOp, Batched] = {}

    def of(self, node: UOp) -> Batched:
        """The batched form of a source; a node never visited stands for itself."""
        return self.done.get(node) or Batched(node, ())

    def sources(self, node: UOp) -> list[Batched]:
        """The batched forms of all sources."""
        return [self.of(s) for s in node.src]

    def merged(self, items: Iterable[Batched], *more: UOp) -> tuple[UOp, ...]:
        """All ranges of the items, in nesting order."""
        found = {r for item in items for r in item.ranges}.union(more)
        return tuple(sorted(found, key=self.depth.__getitem__))

    def aligned(self, items: Sequence[Batched], *more: UOp) -> tuple[list[UOp], tuple[UOp, ...]]:
        """The items under the same leading axes, and the ranges of these."""
        ranges = self.merged(items, *more)
        return [align(item, ranges) for item in items], ranges


def align(item: Batched, ranges: tuple[UOp, ...]) -> UOp:
    """The item broadcast to the leading axes of ``ranges``, which include its own in the same order."""
    if item.ranges == ranges:
        return item.value
    inner = item.value.sized[len(item.ranges) :]
    ones = tuple(extent(r) if r in item.ranges else 1 for r in ranges)
    return B.expand(B.reshape(item.value, ones + inner), tuple(map(extent, ranges)) + inner)


def unbracket(roots: Sequence[UOp], ranges: Iterable[UOp] | None = None) -> list[UOp]:
    """The same values without VMAPIN and VMAPOUT: batch axes are real axes.

    Parameters
    ----------
    roots : nodes outside of the brackets that are taken away
    ranges : the RANGEs to take away, outer first; by default all that the graph closes

    Returns
    -------
    list of nodes of the same shapes and values, bit for bit (a reduction whose order of summation depends
    on the layout of its source excepted)

    Raises
    ------
    SpecError
        A root is open in one of the ranges, or a node belongs to a later stage.

    Notes
    -----
    Linear in the graph, whatever the extents. Brackets over other ranges stay where they are.

    Examples
    --------
    >>> import numpy as np
    >>> from functrans.ops.interpret import interpret
    >>> from functrans.ops.source import buffer
    >>> x, r = buffer(np.arange(6.0).reshape(2, 3)), UOp.range(2)
    >>> row = x.vmapin((r, _ZERO))
    >>> y = B.add(row, row).vmapout((r, _ZERO))
    >>> interpret(unbracket([y]))[0].tolist()
    [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]
    """
    roots = collapse(roots) if ranges is None else roots
    order = toposort(roots)
    closed = dict.fromkeys(r for u in reversed(order) for r in closed_by(u))
    ctx = Context(closed if ranges is None else (r for r in closed if r in set(ranges)))
    _walk(order, ctx)
    for root in roots:
        if ctx.of(root).ranges:
            raise SpecError(f"unbracket: the root {root!r} is open in {ctx.of(root).ranges}; close it by VMAPOUT")
    return [ctx.of(r).value for r in roots]


def batched(values: Sequence[UOp], r: UOp) -> list[UOp]:
    """What is open in a RANGE that nothing else closes, with a real leading axis in its place.

    Linear in the nodes between the values and the VMAPINs of the RANGE; nothing else is looked at.
    """
    ctx = Context([r])
    _walk((u for u in toposort(values, enter=lambda u: r in u.free_ranges) if r in u.free_ranges), ctx)
    return [align(ctx.of(v), (r,)) for v in values]


def _walk(order: Iterable[UOp], ctx: Context) -> None:
    for node in order:
        if node.shape is not None:
            made = pm_vmap.rewrite(node, ctx)
            if made is None:
                raise SpecError(f"unbracket: {node!r} belongs to a later stage and has no batched form")
            ctx.done[node] = made
            if all(s not in ctx.done or ctx.done[s].value is not made.value for s in node.src):
                became(made.value, node)


def _same(ctx: Context, node: UOp) -> Batched:
    """Elementwise: the same op on sources under the same axes."""
    values, ranges = ctx.aligned(ctx.sources(node))
    return Batched(node.replace(tuple(values)), ranges)


def _stored(ctx: Context, node: UOp) -> Batched:
    """Each lane is stored on its own: ``arg`` tells lanes from axes that belong together."""
    x = ctx.of(node.src[0])
    lanes = len(x.ranges) + (node.arg or 0)
    return Batched(UOp(node.op, node.dtype, (x.value,), lanes or None), x.ranges)


def _shifted(ctx: Context, node: UOp) -> Batched:
    """Movement, reductions and joins: the axes they name move up by the number of batch axes."""
    axes = opdef(node).axes
    if axes is None:
        raise SpecError(f"unbracket: the record of {node.op!r} does not say how it is batched")
    values, ranges = ctx.aligned(ctx.sources(node))
    arg = axes.arg(node, range(node.ndim), tuple(map(extent, ranges)))
    return Batched(UOp(node.op, node.dtype, tuple(values), arg), ranges)


def _windowed(ctx: Context, node: UOp) -> Batched:
    """PAD and SHRINK: a shift of the axes, and along an axis where each lane has a place of its own a gather or
    a scatter.
    """
    own, at = ctx.of(node.src[0]), {k: ctx.of(s) for k, s in enumerate(offsets(node)) if s is not None}
    own_place = [k for k, start in at.items() if start.ranges]
    ranges = ctx.merged((own, *at.values()))
    value, lead, pads = align(own, ranges), tuple(map(extent, ranges)), node.op is Ops.PAD
    sizes = node.src[0].sized
    arg = [(0, 0 if pads else n) for n in lead]
    arg += [(0, 0 if pads else sizes[k]) if k in own_place else node.arg[k] for k in range(len(sizes))]
    starts = [start.value for k, start in at.items() if k not in own_place]
    fill = (fill_of(node),) if pads and at else ()
    if starts or not own_place or any(a != (0, 0 if pads else n) for a, n in zip(arg, value.sized, strict=True)):
        value = UOp(node.op, node.dtype, (value, *starts, *fill), tuple(arg))
    for k in own_place:
        value = _placed(node, value, ranges, k, align(at[k], ranges))
    return Batched(value, ranges)


def _placed(node: UOp, value: UOp, ranges: tuple[UOp, ...], axis: int, start: UOp) -> UOp:
    """One axis of a PAD or SHRINK, the batch axes in front, beginning at ``start`` in each lane."""
    lead = len(ranges)
    order = (*range(lead), lead + axis, *(k for k in range(lead, value.ndim) if k != lead + axis))
    value = B.permute(value, order)
    size = node.src[0].sized[axis] if node.op is Ops.PAD else node.sized[axis]
    shape = (*map(extent, ranges), size)
    first = B.expand(B.reshape(B.cast(start, dtypes.int64), (*start.sized, 1)), shape)
    at = (*_lanes(ranges, ranges, shape), B.add(first, B.broadcast(B.iota(size), shape)))
    if node.op is Ops.PAD:
        base = B.broadcast(fill_of(node), (*shape[:lead], node.sized[axis], *value.sized[lead + 1 :]))
        value = B.scatter(base, value, at, "set")
    else:
        value = B.gather(value, *at)
    return B.permute(value, tuple(order.index(k) for k in range(value.ndim)))


def _reduced(ctx: Context, node: UOp) -> Batched:
    """A reduction over RANGEs: over axes, where these have become such."""
    closing = tuple(r for r in node.src[1:] if r in ctx.depth)
    (value,), ranges = ctx.aligned([ctx.of(node.src[0])], *closing)
    value = B.reduce_axis(value, node.arg, tuple(ranges.index(r) for r in closing))
    others = tuple(r for r in node.src[1:] if r not in ctx.depth)
    return Batched(reduce(value, node.arg, *others) if others else value, tuple(r for r in ranges if r not in closing))


def _lanes(own: tuple[UOp, ...], ranges: tuple[UOp, ...], shape: tuple[int, ...]) -> list[UOp]:
    """For each of an array's own batch axes the index that keeps a lane in its lane, in the given shape."""
    found = []
    for r in own:
        at = ranges.index(r)
        ones = tuple(extent(r) if k == at else 1 for k in range(len(shape)))
        found.append(B.expand(B.reshape(B.iota(extent(r)), ones), shape))
    return found


def _gather(ctx: Context, node: UOp) -> Batched:
    """A gather from a batched array also indexes the batch axes, each lane its own."""
    x, *indices = ctx.sources(node)
    ranges = ctx.merged((x, *indices))
    at = [align(i, ranges) for i in indices]
    return Batched(node.replace((x.value, *_lanes(x.ranges, ranges, at[0].sized), *at)), ranges)


def _scatter(ctx: Context, node: UOp) -> Batched:
    """A scatter where anything is batched has a base for each lane, and indexes the batch axes too."""
    (base, value, *at), ranges = ctx.aligned(ctx.sources(node))
    return Batched(node.replace((base, value, *_lanes(ranges, ranges, at[0].sized), *at)), ranges)


def _range(ctx: Context, node: UOp) -> Batched:
    """A loop variable used as a value is the numbers it runs through."""
    if node not in ctx.depth:
        return Batched(node, ())
    return Batched(B.iota(extent(node), node.dtype), (node,))


def _open(ctx: Context, node: UOp) -> Batched:
    """A slice opened at a RANGE: its axis becomes a leading one."""
    x, varg = ctx.of(node.src[0]), node.src[1:]
    value, stay = x.value, [a for a in varg if a is _ZERO or a in ctx.depth]
    if len(stay) < len(varg):  # ranges that are not taken away
        kept = tuple(_ZERO if a in ctx.depth else a for a in varg)
        value = value.vmapin((_ZERO,) * len(x.ranges) + kept)
    axes = {r: k for k, r in enumerate((*x.ranges, *stay)) if r is not _ZERO}
    ranges = ctx.merged((x,), *(a for a in stay if a is not _ZERO))
    rest = [k + len(x.ranges) for k, a in enumerate(stay) if a is _ZERO]
    return Batched(B.permute(value, (*(axes[r] for r in ranges), *rest)), ranges)


def _copied(ctx: Context, node: UOp) -> Batched:
    """A copy is of all lanes."""
    x = ctx.of(node.src[1])
    return Batched(node.replace((node.src[0], x.value)), x.ranges)


def _sharded(ctx: Context, node: UOp) -> Batched:
    """Each shard has the lanes in front, so the sharded axis moves up."""
    values, ranges = ctx.aligned(ctx.sources(node))
    axis, real = node.arg
    return Batched(
        UOp(Ops.MULTI, node.dtype, tuple(values), (None if axis is None else axis + len(ranges), real)), ranges
    )


def _close(ctx: Context, node: UOp) -> Batched:
    """A closed RANGE: its leading axis moves to its place; a value that ignores it is broadcast."""
    varg = node.src[1:]
    closing = tuple(a for a in varg if a in ctx.depth)
    (value,), ranges = ctx.aligned([ctx.of(node.src[0])], *closing)
    outer = tuple(r for r in ranges if r not in closing)
    stay = tuple(a for a in varg if a not in ctx.depth)
    if any(a is not _ZERO for a in stay):  # ranges that are not taken away
        value = value.vmapout((_ZERO,) * len(ranges) + stay)
    rest = iter(range(len(ranges), value.ndim))
    inner = [ranges.index(a) if a in ctx.depth else next(rest) for a in varg]
    return Batched(B.permute(value, (*map(ranges.index, outer), *inner)), outer)


def _custom(ctx: Context, node: UOp) -> Batched:
    """A call with a rule of its own: the rule is that of one lane still."""
    value, *inputs = ctx.sources(node)
    ranges = ctx.merged((value, *inputs))
    if not ranges:
        return Batched(node.replace((value.value, *(x.value for x in inputs))), ())
    rule, k = node.arg
    sizes = tuple(map(extent, ranges))
    rule = rule.batched(sizes, tuple(tuple(map(ranges.index, x.ranges)) for x in inputs))
    made = UOp(Ops.CUSTOM_RULE, node.dtype, (align(value, ranges), *(x.value for x in inputs)), (rule, k))
    return Batched(made, ranges)


def _result(ctx: Context, node: UOp) -> Batched:
    """A loop or branch stays that of one lane, between brackets of its own."""
    loop = node.src[0]
    items = ctx.sources(loop)
    ranges = ctx.merged(items)
    lanes = [x.value.vmapin((*x.ranges, *(_ZERO for _ in s.sized))) if x.ranges else x.value
             for x, s in zip(items, loop.src, strict=True)]  # fmt: skip
    made = node.replace((loop.replace(tuple(lanes)),))
    return Batched(made.vmapout((*ranges, *(_ZERO for _ in node.sized))) if ranges else made, ranges)


pm_vmap = PatternMatcher(
    [
        (UPat(Ops.RANGE, name="node"), _range),
        (UPat(GroupOp.Source, name="node"), lambda node: Batched(node, ())),
        (UPat((Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD), name="node"), _stored),
        (UPat(GroupOp.Elementwise | GroupOp.Custom | {Ops.NOOP, Ops.ASSIGN}, name="node"), _same),
        (UPat((Ops.PAD, Ops.SHRINK), name="node"), _windowed),
        (UPat(ops_that(lambda record: record.axes), name="node"), _shifted),
        (UPat(Ops.REDUCE, name="node"), _reduced),
        (UPat(Ops.INDEX, name="node"), _gather),
        (UPat(Ops.SCATTER, name="node"), _scatter),
        (UPat(Ops.COPY, name="node"), _copied),
        (UPat(Ops.MULTI, name="node"), _sharded),
        (UPat(Ops.CUSTOM_RULE, name="node"), _custom),
        (UPat(Ops.RESULT, name="node"), _result),
        (UPat(Ops.VMAPIN, name="node"), _open),
        (UPat(Ops.VMAPOUT, name="node"), _close),
    ]
)
