"""Detection through gathers and scatters: exact for known indices, every position along the axis of a computed one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.transforms.sparse import structure
from functrans.transforms.sparse.context import Context, Sources
from functrans.transforms.sparse.numbering import in_groups
from functrans.transforms.sparse.rows import Rows, unite_groups
from functrans.transforms.sparse.structure import Structure

_INSTEAD = ", and all of them count as nonzeros; make the index a NumPy array that no argument enters, or give pattern="


def index(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """A gather or a scatter."""
    return _gather(ctx, node, sources) if node.op is Ops.INDEX else _scatter(ctx, node, sources)


def _gather(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    x, indices = sources[0], node.src[1:]
    result = None
    if x is not None and x.at.size:
        values = [ctx.constants.value(i) for i in indices]
        computed = tuple(k for k, v in enumerate(values) if v is None)
        if computed and ctx.certain:
            return None
        if computed:
            ctx.note(node, f"a computed index may read every position along axes {computed} of {x.at.shape}{_INSTEAD}")
        given = tuple(v for v in values if v is not None)
        result = ctx.moved((indices, node.shape), [ctx.reduced(x, computed)],
                           lambda at: np.broadcast_to(_read(at, given), node.sized))  # fmt: skip
    return ctx.united([result, *(_beside(ctx, s, node.sized) for s in sources[1:])])


def _read(at: Any, given: tuple[NDArray[Any], ...]) -> Any:
    inside = tuple(np.clip(v, 0, n - 1) for v, n in zip(given, at.shape, strict=False))
    return at[inside] if inside else at


def _beside(ctx: Context, s: Structure | None, shape: tuple[int, ...]) -> Structure | None:
    """What an index array depends on, for each element that it decides about (when values are followed)."""
    if s is None or not ctx.values:
        return None
    more = (1,) * (len(shape) - s.at.ndim)
    return Structure(s.rows, np.broadcast_to(s.at.reshape((*s.at.shape, *more)), shape))


def _scatter(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    base, shape = sources[0], node.sized
    value = ctx.united([sources[1], *(_beside(ctx, s, node.src[1].sized) for s in sources[2:])])
    if (value is None and node.arg not in ("set", "place")) or not node.src[1].size:
        return base
    indices = node.src[2:]
    values = [ctx.constants.value(i) for i in indices]
    computed = tuple(k for k, v in enumerate(values) if v is None)
    known = tuple(n for n, v in zip(shape, values, strict=False) if v is not None)
    landing = _landing(known, [v for v in values if v is not None], node.src[2].size)
    if not computed:
        overwrites = node.arg in ("set", "place")
        key = ("scatter", overwrites, indices, shape, base is None, value is None)
        put = _overwrite if overwrites else _accumulate
        items = [s for s in (base, value) if s is not None]
        return ctx.once(key, items, lambda: put(ctx, base, value, landing, shape, len(indices)))
    if ctx.certain and computed:
        return base if node.arg == "add" else None
    if value is None:
        return base
    ctx.note(node, f"a computed index may write to every position along axes {computed} of {shape}{_INSTEAD}")
    reach = (*known, *shape[len(indices) :])
    spread = _accumulate(ctx, None, value, landing, reach, len(known))
    everywhere = np.broadcast_to(np.expand_dims(spread.at, computed), shape)
    return ctx.united([base, Structure(spread.rows, everywhere)])


class _Landing(NamedTuple):
    """Where updates go: of how many, which land inside, and on which flat place along the indexed axes."""

    total: int
    lines: NDArray[np.intp]
    places: NDArray[np.int64]


def _landing(sizes: tuple[int, ...], values: list[NDArray[Any]], count: int) -> _Landing:
    flat, inside = np.zeros(count, np.int64), np.ones(count, np.bool_)
    for n, v in zip(sizes, values, strict=True):
        v = v.reshape(-1).astype(np.int64)
        inside &= (v >= 0) & (v < n)
        flat = flat * n + v
    lines = np.flatnonzero(inside)
    return _Landing(count, lines, flat[lines])


def _tables(
    ctx: Context, base: Structure | None, value: Structure | None, landing: _Landing, shape: tuple[int, ...], axes: int
) -> tuple[Rows, Any, Any]:
    """Row numbers of the base (a copy) and of the updates that land, as lines along the indexed axes."""
    rows, (at, new) = structure.common([base, value], ctx.rows)
    places, length = int(np.prod(shape[:axes], dtype=np.int64)), int(np.prod(shape[axes:], dtype=np.int64))
    at = np.array(np.broadcast_to(at, shape).reshape(places, length), np.int32)
    if value is None:
        return rows, at, np.zeros((len(landing.lines), length), np.int32)
    return rows, at, new.reshape(landing.total, length)[landing.lines]


def _overwrite(
    ctx: Context, base: Structure | None, value: Structure | None, landing: _Landing, shape: tuple[int, ...], axes: int
) -> Structure:
    """The last update of a place takes it."""
    rows, at, new = _tables(ctx, base, value, landing, shape, axes)
    last = np.full(len(at), -1)
    np.maximum.at(last, landing.places, np.arange(len(landing.places)))
    hit = np.flatnonzero(last >= 0)
    at[hit] = new[last[hit]]
    return Structure(rows, at.reshape(shape))


def _accumulate(
    ctx: Context, base: Structure | None, value: Structure | None, landing: _Landing, shape: tuple[int, ...], axes: int
) -> Structure:
    """The union of a place's base and all its updates."""
    rows, at, new = _tables(ctx, base, value, landing, shape, axes)
    times = np.bincount(landing.places, minlength=len(at))
    touched = np.flatnonzero(times)
    if not touched.size or not at.size:
        return Structure(rows, at.reshape(shape))
    group = (np.cumsum(times > 0) - 1)[landing.places]
    order, _ = in_groups(np.concatenate([np.arange(len(touched)), group]), len(touched))
    counts = 1 + times[touched]
    first = np.cumsum(counts) - counts
    length = at.shape[1]
    # all groups once for each element of a line, then the whole base, an element a group
    ids = np.ascontiguousarray(np.concatenate([at[touched], new])[order].T).reshape(-1)
    start = (np.arange(length)[:, None] * len(order) + first).reshape(-1)
    every = np.concatenate([start, len(ids) + np.arange(at.size)])
    united, numbers = unite_groups(rows, np.concatenate([ids, at.reshape(-1)]), every)
    at = numbers[len(start) :].reshape(at.shape)
    at[touched] = numbers[: len(start)].reshape(length, -1).T
    return Structure(united, at.reshape(shape))
