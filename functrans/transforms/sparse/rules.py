"""Detection by kind of op: elementwise, movement, joins, reductions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import Shape, UOp
from functrans.transforms.sparse.context import Context, Sources
from functrans.transforms.sparse.room import check_room
from functrans.transforms.sparse.rows import Rows, unite
from functrans.transforms.sparse.structure import Structure

_SYSTEMS = frozenset({Ops.SOLVE, Ops.TRIANGULAR, Ops.BANDED, Ops.POSITIVE})
# of a matrix without zeros there are no zeros in the result, or in its derivative
_DENSE = frozenset({Ops.DET, Ops.SOLVE})
# sources whose known zeros cut others off: source -> what it cuts
CUTS: dict[Ops, dict[int, tuple[int, ...]]] = {
    Ops.MUL: {0: (1,), 1: (0,)}, Ops.MULACC: {0: (1,), 1: (0,)}, Ops.FDIV: {0: (1,)}, Ops.POW: {1: (0, 1)},
}  # fmt: skip


def elementwise(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """The union of the sources that a derivative passes from; known zeros and masks cut off what they cut."""
    if node.op is Ops.WHERE and ctx.constants.constant(node.src[0]):
        return _select(ctx, node, sources)
    items: list[Structure | None] = []
    for k in _carriers(ctx, node):
        s = sources[k]
        for cutter, cut in CUTS.get(node.op, {}).items():
            if s is not None and k in cut:
                s = _masked(ctx, node.src[cutter], s)
        items.append(s)
    return ctx.united(items)


def _carriers(ctx: Context, node: UOp) -> Sequence[int]:
    """The sources of an elementwise node that its derivative (or its value) depends on."""
    record, every = opdef(node), range(len(node.src))
    if ctx.values:
        return every
    if record.linear is not None:
        return record.linear(node)
    partials = node.arg.partials if node.op in GroupOp.Custom else record.partials
    # a record without partials says nothing, so everything passes
    return every if not partials else tuple(k for k in every if partials[k] is not None)


def _masked(ctx: Context, by: UOp, s: Structure) -> Structure:
    zeros = ctx.constants.zeros(by)
    if zeros is None:
        return s
    return ctx.once(("zero", by), [s], lambda: Structure(s.rows, np.where(zeros, np.int32(0), s.at)))


def _select(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """A known mask takes each row from the side it chooses."""
    mask = ctx.constants.value(node.src[0])
    assert mask is not None
    return ctx.moved(("where", node.src[0]), sources[1:], lambda a, b: np.where(mask, a, b))


def movement(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """Row numbers move as the values do; padding brings the number 0, which is no input."""
    numpy = opdef(node).numpy
    assert numpy is not None
    return ctx.moved((node.op, node.arg), sources[:1], lambda at: numpy(node, at))


def join(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """As movement, of several sources."""
    numpy = opdef(node).numpy
    assert numpy is not None
    shapes = tuple(s.sized for s in node.src)
    key = (node.op, node.arg, shapes)
    return ctx.moved(key, sources, lambda *at: numpy(node, *map(np.broadcast_to, at, shapes)))


def placement(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """A copy depends on what its source does; shards are joined, or are one and the same."""
    if node.op is Ops.COPY:
        return sources[1]
    return ctx.united(sources) if node.arg[0] is None else join(ctx, node, sources)


def reduce(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """The union along axes; for running reductions, of all positions up to each."""
    (s,) = sources
    assert s is not None
    reduces = opdef(node).reduces
    if reduces is not None:
        return ctx.reduced(s, reduces(node)[1])
    return ctx.once(("cumulate", node.arg[1]), [s], lambda: _cumulate(s, node.arg[1]))


def _cumulate(s: Structure, axis: int) -> Structure:
    """Running unions, in as many steps as the length has binary digits."""
    rows, at = s.rows, np.moveaxis(s.at, axis, -1)
    check_room(_running_entries(rows, at))
    step, length = 1, at.shape[-1]
    while step < length and at.size:
        before = np.concatenate([np.zeros_like(at[..., :step]), at[..., :-step]], axis=-1)
        rows, flat = unite(rows, [at.reshape(-1), before.reshape(-1)])
        at, step = flat.reshape(at.shape), 2 * step
    return Structure(rows, np.moveaxis(at, -1, axis))


def _running_entries(rows: Rows, at: Any) -> int:
    """The nonzeros of the running unions along the last axis: each column from the first place on that has it."""
    length = at.shape[-1]
    check_room(rows.entries(at))
    places = np.repeat(np.arange(at.size), rows.lengths[at.reshape(-1)])
    columns = rows.matrix[at.reshape(-1)].indices
    _, first = np.unique(places // max(length, 1) * rows.columns + columns, return_index=True)
    return int((length - places[first] % max(length, 1)).sum())


def order(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """A position depends on every element of its line."""
    (s,) = sources
    assert s is not None
    line = ctx.reduced(s, (node.ndim - 1,))
    return ctx.once(("order", node.sized), [line], lambda: _repeated(line, node.sized))


def _repeated(line: Structure, shape: tuple[int, ...]) -> Structure:
    return Structure(line.rows, np.broadcast_to(line.at[..., None], shape))


def assign(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """The value's: what was there before is gone."""
    return sources[1]


def matrices(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """A dense block for each matrix; a solution depends on no other column of the right-hand sides than its own."""
    if ctx.certain:
        return None
    if node.op is Ops.FFT:
        return _lines(ctx, node, sources)
    if node.op in GroupOp.SparseSystem:
        return _sparse_systems(ctx, node, sources)
    items: list[Structure | None] = []
    for k, s in enumerate(sources):
        if s is None:
            continue
        n = node.src[k].ndim
        own_column = node.op in _SYSTEMS and k == 1
        kept = ctx.reduced(s, (n - 2,) if own_column else (n - 2, n - 1))
        inner = (None, slice(None)) if own_column else (None, None)
        items.append(_blocks(ctx, kept, inner[: node.ndim - n + 2], node.sized))
    if node.op not in _DENSE or not _is_full(sources[0]):
        ctx.note(
            node,
            "dense linear algebra: every element of a result counts as dependent on all of its matrix, whatever is "
            "zero in it; if you know more zeros, give pattern=",
        )
    whole = ctx.united(items)
    if whole is None or node.op is not Ops.CHOLESKY:
        return whole
    return ctx.once("lower", [whole], lambda: Structure(whole.rows, np.tril(whole.at)))


def _is_full(s: Structure | None) -> bool:
    """Whether no element of the matrices can be a zero that is known: inputs reach all of them."""
    return s is not None and bool(s.at.all())


def _sparse_systems(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """All of a matrix and of a column of right-hand sides is in each number that is computed from them."""
    items: list[Structure | None] = []
    for k, s in enumerate(sources):
        if s is not None:
            line = ctx.reduced(s, (node.src[k].ndim - (2 if k == 2 else 1),))
            inner = (None, slice(None)) if k == 2 else (None,) * (node.ndim - node.src[k].ndim + 1)
            items.append(_blocks(ctx, line, inner, node.sized) if inner else line)
    ctx.note(node, "sparse systems: a solution depends on all of its matrix and of its right-hand side")
    return ctx.united(items)


def _lines(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """Every element of a transformed line depends on all of the line."""
    (s,) = sources
    assert s is not None
    ctx.note(node, "a dense block for each line of a transform")
    return _blocks(ctx, ctx.reduced(s, (node.ndim - 1,)), (None,), node.sized)


def _blocks(ctx: Context, s: Structure, inner: tuple[Any, ...], shape: Shape) -> Structure:
    return ctx.once(("block", inner == (None, None), shape), [s], lambda: _spread(s, inner, shape))


def _spread(s: Structure, inner: tuple[Any, ...], shape: Shape) -> Structure:
    return Structure(s.rows, np.broadcast_to(s.at[(..., *inner)], shape))


def unknown(ctx: Context, node: UOp, sources: Sources) -> Structure | None:
    """An op without a rule makes a dense block, and says so."""
    if ctx.certain:
        return None
    ctx.note(
        node,
        "no rule of sparsity for this op: every element counts as dependent on every input; if you know better, give "
        "pattern=",
    )
    return Structure(Rows.every(ctx.rows.columns), np.ones(node.sized, np.int32))
