"""MULTI pushed through a graph: what the shards of each value are, from those of its sources.

A table with one row per category of ops, walked once, sources first. What stays sharded costs no exchange. A value
that cannot stay sharded is gathered by a COPY to each domain, and computed by each; a reduction over the sharded axis
combines the results of the shards, in their order, on each domain. Values of different layouts do not meet.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.domains import across, movement
from functrans.backend.domains.context import Context, alike
from functrans.backend.domains.layout import Homes, Spread
from functrans.errors import SpecError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.custom import inlined
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import ops_that
from functrans.ops.placement import HOST
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat


def spread(roots: Sequence[UOp]) -> tuple[list[Spread], Homes]:
    """How each root lies over domains, by values without MULTI, and the domains of the sources of the COPYs in them.

    Linear in the graph, times the number of shards; times its square where values are gathered.

    Raises UnsupportedError where values of different layouts meet, or a value sharded along a mapped axis is copied
    inside the map.

    >>> import functrans as ft
    >>> x = ft.Tensor([1.0, 2.0, 3.0]).shard(("CPU", "CPU:1"), axis=0)
    >>> (found,), _ = spread([(x + x).uop])
    >>> found.axis, found.devices, found.sizes
    (0, ('CPU', 'CPU:1'), (2, 1))
    """
    ctx, roots = Context(), collapse(inlined(roots))
    for node in toposort(roots):
        if node.shape is None:
            continue
        items = [ctx.of(s) for s in node.src if s.shape is not None]
        if node.op not in (Ops.COPY, Ops.MULTI) and not any(s.devices for s in items):
            made: Spread | None = Spread((node.replace(_values(node, items)),))
        else:
            made = pm_multi.rewrite(node, ctx)
            if made is None and not any(isinstance(s.axis, int) for s in items) and len(items) == len(node.src):
                made = alike(ctx, node)  # whatever it is, each domain does it for its part of a map, or as a whole
        if made is None:
            raise UnsupportedError(
                f"{node.op.name} of a sharded value is not built{at_user_line()}; bring it to one domain with "
                ".to(device)"
            )
        ctx.done[node] = made
    return [ctx.of(r) for r in roots], ctx.homes


def _values(node: UOp, items: Sequence[Spread]) -> tuple[UOp, ...]:
    given = iter(items)
    return tuple(s if s.shape is None else next(given).values[0] for s in node.src)


def _multi(ctx: Context, node: UOp) -> Spread:
    """Where it begins: each shard on the domain of its COPY."""
    axis, real = node.arg
    values, devices = [], []
    for s, is_real in zip(node.src, real, strict=True):
        x = ctx.of(s)
        if len(x.devices) > 1:
            raise SpecError(f"MULTI: the shard {s!r} lies over {x.devices} itself; COPY it to one domain")
        values.append(x.values[0] if is_real else B.like(x.values[0], 0))
        devices.append((x.devices or (HOST,))[0])
    return Spread(tuple(values), tuple(devices), axis)


def _copy(ctx: Context, node: UOp) -> Spread:
    """To the domain where it is, or from anywhere: nothing to do; from elsewhere: all of it, there."""
    x, target = ctx.of(node.src[1]), node.src[0].arg
    if isinstance(x.axis, UOp):
        raise UnsupportedError(
            f"a value sharded along a mapped axis is brought to {target} inside the map{at_user_line()}; call .to or "
            ".shard on the result of the vmap, or on its arguments"
        )
    value = ctx.homes.whole(x, target)
    return Spread((UOp(Ops.CONTIGUOUS, value.dtype, (value,)) if node.arg else value,), (target,))


HOST_STEPS = ops_that(lambda record: record.kind == "host")
_REDUCING = ops_that(lambda record: record.reduces)
_RUNNING = ops_that(lambda record: record.runs)
pm_multi = PatternMatcher(
    [
        (UPat(Ops.MULTI, name="node"), _multi),
        (UPat(Ops.COPY, name="node"), _copy),
        (UPat(GroupOp.Elementwise | GroupOp.Custom | {Ops.NOOP, Ops.ASSIGN}, name="node"), alike),
        (UPat(Ops.RESHAPE, name="node"), movement.reshape),
        (UPat(Ops.PERMUTE, name="node"), movement.permute),
        (UPat(Ops.EXPAND, name="node"), movement.expand),
        (UPat(Ops.PAD, name="node"), movement.pad),
        (UPat(Ops.SHRINK, name="node"), movement.shrink),
        (UPat(Ops.FLIP, name="node"), movement.flip),
        (UPat(GroupOp.Join, name="node"), movement.join),
        (UPat(_REDUCING, name="node"), across.reduce),
        (UPat(_RUNNING | HOST_STEPS, name="node"), across.by_axes),
        (UPat(Ops.INDEX, name="node"), across.gather),
        (UPat(Ops.SCATTER, name="node"), across.scatter),
        (UPat(Ops.ASSIGN, name="node"), lambda ctx, node: ctx.of(node.src[1])),
        (UPat(Ops.VMAPIN, name="node"), across.open_map),
        (UPat(Ops.VMAPOUT, name="node"), across.close_map),
    ]
)
