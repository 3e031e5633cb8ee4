"""Movement ops: each is stated by where an element comes from; jvp, sparsity and lowering follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.ops import symbolic as sym
from functrans.ops.axes import Axes, for_each_axis, same_axis
from functrans.ops.build import expand, flip, neutral, pad, permute, reduce_axis, reshape, shrink
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, first, like_first, ops_that, register
from functrans.ops.uop import Shape, UOp

Ranged = tuple[tuple[UOp, ...], UOp | None]


def _reshape_check(node: UOp) -> str | None:
    have, want = prod(node.src[0].sized), prod(node.arg)
    return None if have == want else f"{have} elements cannot take the shape {node.arg}"


def _reshape_ranges(node: UOp, out: tuple[UOp, ...]) -> Ranged:
    shape = node.src[0].sized
    if 0 in shape:
        return tuple(sym.const(0) for _ in shape), None
    # axes that both sides keep whole pass their index through: no division is made and undone
    given, groups = node.arg, []
    i = j = 0
    while i < len(shape) or j < len(given):
        a, b = i, j
        p, q = (shape[i] if i < len(shape) else 1), (given[j] if j < len(given) else 1)
        i, j = min(i + 1, len(shape)), min(j + 1, len(given))
        while p != q:
            if p < q:
                p, i = p * shape[i], i + 1
            else:
                q, j = q * given[j], j + 1
        groups.append((a, i, b, j))
    indices: list[UOp] = []
    for a, i, b, j in groups:
        # an axis of size 1 that is joined with others, or split off, selects nothing: a RANGE there is not read
        at = (k if n != 1 or j - b == 1 else sym.const(0) for k, n in zip(out[b:j], given[b:j], strict=True))
        flat = sym.flatten(tuple(at), given[b:j])
        indices.extend(sym.unflatten(flat, shape[a:i]))
    return tuple(indices), None


def _kept_axis(node: UOp, axis: int) -> int | None:
    """The axis of the source of a RESHAPE that is this axis of its result.

    A batch axis leads on both sides, so that it is found whatever its size; another of size 1 may be any of several.
    """
    before, n, shape = prod(node.arg[:axis]), node.arg[axis], node.src[0].sized
    if shape[: axis + 1] == node.arg[: axis + 1] and prod(shape[axis + 1 :]) == prod(node.arg[axis + 1 :]):
        return axis
    if n < 2 or node.size == 0:
        return None
    return next((j for j, m in enumerate(shape) if m == n and prod(shape[:j]) == before), None)


register(
    OpDef(
        Ops.RESHAPE, "movement", "the elements in C order under another shape",
        lambda n: tuple(n.arg), lambda n, x: np.reshape(x, n.arg),
        ranges=_reshape_ranges,
        lands=lambda n, k, at: sym.unflatten(sym.flatten(at, n.src[0].sized), n.sized),
        typed=like_first, linear=first, transpose=lambda n, ct, k: reshape(ct, n.src[0].sized),
        axes=Axes(_kept_axis, for_each_axis(lambda size: size)),
        check=_reshape_check,
    )
)  # fmt: skip


def _inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axes.index(i) for i in range(len(axes)))


def _permuted(node: UOp, kept: Sequence[int], lead: Sequence[int]) -> tuple[int, ...]:
    axes = [node.arg[k] for k in kept]
    rank = {a: len(lead) + k for k, a in enumerate(sorted(axes))}
    return (*range(len(lead)), *(rank[a] for a in axes))


def _permute_check(node: UOp) -> str | None:
    ok = sorted(node.arg) == list(range(node.src[0].ndim))
    return None if ok else f"{node.arg} is no permutation of {node.src[0].ndim} axes"


register(
    OpDef(
        Ops.PERMUTE, "movement", "axis i of the result is axis arg[i] of the source",
        lambda n: tuple(n.src[0].sized[a] for a in n.arg), lambda n, x: np.transpose(x, n.arg),
        ranges=lambda n, out: (tuple(out[i] for i in _inverse(n.arg)), None),
        lands=lambda n, k, at: tuple(at[a] for a in n.arg),
        typed=like_first, linear=first, transpose=lambda n, ct, k: permute(ct, _inverse(n.arg)),
        axes=Axes(lambda n, axis: n.arg[axis], _permuted),
        check=_permute_check,
    )
)  # fmt: skip


def _expand_check(node: UOp) -> str | None:
    shape = node.src[0].sized
    ok = len(shape) == len(node.arg) and all(a in (1, b) for a, b in zip(shape, node.arg))
    return None if ok else f"{shape} does not expand to {node.arg}: only an axis of size 1 is repeated"


def _grown(node: UOp) -> tuple[int, ...]:
    return tuple(i for i, (a, b) in enumerate(zip(node.src[0].sized, node.arg, strict=True)) if a != b)


register(
    OpDef(
        Ops.EXPAND, "movement", "axes of size one repeated",
        lambda n: tuple(n.arg), lambda n, x: np.broadcast_to(x, n.arg),
        ranges=lambda n, out: (
            tuple(sym.const(0) if a == 1 else r for a, r in zip(n.src[0].sized, out, strict=True)), None),
        typed=like_first, linear=first,
        transpose=lambda n, ct, k: reshape(reduce_axis(ct, Ops.ADD, _grown(n)), n.src[0].sized),
        axes=Axes(same_axis, for_each_axis(lambda size: size)), repeats=_grown,
        check=_expand_check,
    )
)  # fmt: skip


def flat(x: UOp) -> UOp:
    """What an array is a reshape of: its elements in C order."""
    while x.op is Ops.RESHAPE:
        x = x.src[0]
    return x


def offsets(node: UOp) -> list[UOp | None]:
    """For each axis of a PAD or SHRINK the index expression it starts at, or None where ``arg`` says it in numbers."""
    given = iter(node.src[1:])
    return [next(given) if first is None else None for first, _ in node.arg]


def fill_of(node: UOp) -> UOp:
    """The constant around the source of a PAD: zero, of either sign."""
    return node.src[-1] if node.src[-1].op is Ops.CONST and len(node.src) > 1 else UOp.const(node.dtype, 0)


def _wrong_offset(start: UOp, size: int, total: int) -> str | None:
    if start.dtype != dtypes.index:
        return f"an offset of dtype {start.dtype.name}; expected index"
    low, high = sym.bounds(start)
    never = any(sym.bounds(r.src[0])[1] == 0 for r in start.free_ranges)
    fits = never or (low >= 0 and high + size <= total)
    return None if fits else f"an offset from {low} to {high} for {size} of {total} elements"


def _starts(node: UOp) -> list[UOp]:
    pairs = zip(offsets(node), node.arg, strict=True)
    return [sym.const(first) if at is None else at for at, (first, _) in pairs]


def _pad_ranges(node: UOp, out: tuple[UOp, ...]) -> Ranged:
    indices, valid = [], None
    for r, start, total, n in zip(out, _starts(node), node.sized, node.src[0].sized, strict=True):
        if start.op is not Ops.CONST:
            moved = sym.sub(r, start)
            valid = sym.both(valid, sym.both(sym.at_least(moved, 0), sym.less(moved, sym.const(n))))
        else:
            if start.arg:
                valid = sym.both(valid, sym.at_least(r, start.arg))
            if start.arg + n < total:
                valid = sym.both(valid, sym.less(r, sym.const(start.arg + n)))
        indices.append(sym.sub(r, start))
    return tuple(indices), valid


def _pad_shape(node: UOp) -> Shape:
    return tuple(a if b is None else b + d + a for d, (b, a) in zip(node.src[0].sized, node.arg, strict=True))


def _pad_check(node: UOp) -> str | None:
    x = node.src[0]
    if len(node.arg) != x.ndim or any(a < 0 or (b is not None and b < 0) for b, a in node.arg):
        return f"widths {node.arg} for shape {x.shape}; expected one pair >= 0 an axis"
    moving = sum(b is None for b, _ in node.arg)
    fill = node.src[1 + moving :]
    if len(fill) > 1 or any(f.op is not Ops.CONST or f.dtype != node.dtype or f.arg for f in fill):
        return f"it is filled with {fill}; expected one zero of dtype {node.dtype.name}"
    pairs = zip(offsets(node), node.arg, x.sized, strict=True)
    return next(filter(None, (_wrong_offset(at, d, a) for at, (_, a), d in pairs if at is not None)), None)


def _pad_numpy(node: UOp, x: Any, *more: Any) -> Any:
    given = iter(more)
    starts = [int(next(given)) if b is None else b for b, _ in node.arg]
    out = np.full(node.sized, np.asarray(fill_of(node).arg).astype(x.dtype))  # x may be row numbers in its stead
    out[tuple(slice(b, b + d) for b, d in zip(starts, x.shape, strict=True))] = x
    return out


def _unpad(node: UOp, ct: UOp, k: int) -> UOp:
    sizes = node.src[0].sized
    window = tuple((None, d) if b is None else (b, b + d) for d, (b, _) in zip(sizes, node.arg, strict=True))
    return _window(Ops.SHRINK, ct, window, offsets(node))


register(
    OpDef(
        Ops.PAD, "movement", "zeros before and after; the place may be an expression of RANGEs",
        _pad_shape, _pad_numpy,
        ranges=_pad_ranges, fill=fill_of,
        typed=like_first, linear=first, transpose=_unpad,
        axes=Axes(lambda n, k: k if n.arg[k] == (0, 0) else None, for_each_axis(lambda size: (0, 0))),
        check=_pad_check,
    )
)  # fmt: skip


def _shrink_check(node: UOp) -> str | None:
    x = node.src[0]
    static = [(s, e, d) for (s, e), d in zip(node.arg, x.sized) if s is not None]
    if len(node.arg) != x.ndim or any(not 0 <= s <= e <= d for s, e, d in static):
        return f"window {node.arg} does not lie in shape {x.shape}"
    if len(node.src) - 1 != len(node.arg) - len(static):
        return f"{len(node.src) - 1} offsets for the window {node.arg}"
    pairs = zip(offsets(node), node.arg, x.sized, strict=True)
    return next(filter(None, (_wrong_offset(at, n, d) for at, (_, n), d in pairs if at is not None)), None)


def _shrink_shape(node: UOp) -> Shape:
    return tuple(e if s is None else e - s for s, e in node.arg)


def _shrink_numpy(node: UOp, x: Any, *more: Any) -> Any:
    given = iter(more)
    starts = [int(next(given)) if s is None else s for s, _ in node.arg]
    return x[tuple(slice(s, s + n) for s, n in zip(starts, node.sized, strict=True))]


def _unshrink(node: UOp, ct: UOp, k: int) -> UOp:
    sizes = node.src[0].sized
    widths = tuple((None, d) if s is None else (s, d - e) for (s, e), d in zip(node.arg, sizes, strict=True))
    return _window(Ops.PAD, ct, widths, offsets(node))


def _window(op: Ops, x: UOp, arg: Any, starts: list[UOp | None]) -> UOp:
    moving = tuple(s for s in starts if s is not None)
    if not moving:
        return shrink(x, arg) if op is Ops.SHRINK else pad(x, arg)
    fill = (UOp.const(x.dtype, neutral(x.dtype)),) if op is Ops.PAD else ()
    return UOp(op, x.dtype, (x, *moving, *fill), arg)


register(
    OpDef(
        Ops.SHRINK, "movement", "a window along each axis; where it begins may be an expression of RANGEs",
        _shrink_shape, _shrink_numpy,
        ranges=lambda n, out: (
            tuple(sym.add(r, start) for r, start in zip(out, _starts(n), strict=True)), None),
        typed=like_first, linear=first, transpose=_unshrink,
        axes=Axes(
            lambda n, k: k if n.arg[k] == (0, n.src[0].sized[k]) else None, for_each_axis(lambda size: (0, size))),
        check=_shrink_check,
    )
)  # fmt: skip


def _flipped(node: UOp, at: tuple[UOp, ...]) -> tuple[UOp, ...]:
    turned = zip(at, node.arg, node.sized, strict=True)
    return tuple(sym.sub(sym.const(n - 1), i) if flag else i for i, flag, n in turned)


def _flip_check(node: UOp) -> str | None:
    return None if len(node.arg) == node.src[0].ndim else f"{node.arg} for {node.src[0].ndim} axes"


register(
    OpDef(
        Ops.FLIP, "movement", "reversed along the marked axes",
        lambda n: n.src[0].shape, lambda n, x: np.flip(x, tuple(i for i, f in enumerate(n.arg) if f)),
        ranges=lambda n, out: (_flipped(n, out), None),
        lands=lambda n, k, at: _flipped(n, at),
        typed=like_first, linear=first, transpose=lambda n, ct, k: flip(ct, n.arg),
        axes=Axes(lambda n, k: None if n.arg[k] else k, for_each_axis(lambda size: False)),
        check=_flip_check,
    )
)  # fmt: skip

TAKING = ops_that(lambda record: record.kind == "movement" and record.fill is None)
"""The ops whose result has elements of the source alone."""
MOVEMENT_BUILDERS: dict[Ops, Callable[[UOp, Any], UOp]] = {
    Ops.RESHAPE: reshape, Ops.PERMUTE: permute, Ops.EXPAND: expand, Ops.PAD: pad, Ops.SHRINK: shrink, Ops.FLIP: flip,
}  # fmt: skip
