"""Movement ops: each is stated by where an element comes from; jvp, sparsity and lowering follow."""

from __future__ import annotations

from math import prod

import numpy as np

from functrans.ops import symbolic as sym
from functrans.ops.build import expand, flip, pad, permute, reduce_axis, reshape, shrink
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, register
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
        flat = sym.flatten(out[b:j], given[b:j])
        indices.extend(sym.unflatten(flat, shape[a:i]))
    return tuple(indices), None


register(
    OpDef(
        Ops.RESHAPE, "movement", "the elements in C order under another shape",
        lambda n: tuple(n.arg), lambda n, x: np.reshape(x, n.arg),
        ranges=_reshape_ranges,
        transpose=lambda n, ct: reshape(ct, n.src[0].sized),
        batch=lambda n, size: (size, *n.arg),
        check=_reshape_check,
    )
)  # fmt: skip


def _inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axes.index(i) for i in range(len(axes)))


def _permute_check(node: UOp) -> str | None:
    ok = sorted(node.arg) == list(range(node.src[0].ndim))
    return None if ok else f"{node.arg} is no permutation of {node.src[0].ndim} axes"


register(
    OpDef(
        Ops.PERMUTE, "movement", "axis i of the result is axis arg[i] of the source",
        lambda n: tuple(n.src[0].sized[a] for a in n.arg), lambda n, x: np.transpose(x, n.arg),
        ranges=lambda n, out: (tuple(out[i] for i in _inverse(n.arg)), None),
        transpose=lambda n, ct: permute(ct, _inverse(n.arg)),
        batch=lambda n, size: (0, *(a + 1 for a in n.arg)),
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
        transpose=lambda n, ct: reshape(reduce_axis(ct, Ops.ADD, _grown(n)), n.src[0].sized),
        batch=lambda n, size: (size, *n.arg),
        check=_expand_check,
    )
)  # fmt: skip


def _pad_ranges(node: UOp, out: tuple[UOp, ...]) -> Ranged:
    indices, valid = [], None
    for r, (before, after), n in zip(out, node.arg, node.src[0].sized, strict=True):
        moved = sym.sub(r, sym.const(before))
        if before:
            valid = sym.both(valid, sym.at_least(r, before))
        if after:
            valid = sym.both(valid, sym.less(r, sym.const(before + n)))
        indices.append(moved)
    return tuple(indices), valid


def _pad_shape(node: UOp) -> Shape:
    return tuple(b + d + a for d, (b, a) in zip(node.src[0].sized, node.arg, strict=True))


def _pad_check(node: UOp) -> str | None:
    ok = len(node.arg) == node.src[0].ndim and all(b >= 0 and a >= 0 for b, a in node.arg)
    return None if ok else f"widths {node.arg} for shape {node.src[0].shape}; expected one pair >= 0 an axis"


register(
    OpDef(
        Ops.PAD, "movement", "zeros before and after",
        _pad_shape, lambda n, x: np.pad(x, n.arg) if n.arg else x,
        ranges=_pad_ranges,
        transpose=lambda n, ct: shrink(
            ct, tuple((b, b + d) for d, (b, _) in zip(n.src[0].sized, n.arg, strict=True))),
        batch=lambda n, size: ((0, 0), *n.arg),
        check=_pad_check,
    )
)  # fmt: skip


def _shrink_check(node: UOp) -> str | None:
    shape = node.src[0].sized
    ok = len(node.arg) == len(shape) and all(0 <= s <= e <= d for (s, e), d in zip(node.arg, shape))
    return None if ok else f"window {node.arg} does not lie in shape {shape}"


register(
    OpDef(
        Ops.SHRINK, "movement", "the window [start, stop) along each axis",
        lambda n: tuple(e - s for s, e in n.arg), lambda n, x: x[tuple(slice(s, e) for s, e in n.arg)],
        ranges=lambda n, out: (
            tuple(sym.add(r, sym.const(s)) for r, (s, _) in zip(out, n.arg, strict=True)), None),
        transpose=lambda n, ct: pad(
            ct, tuple((s, d - e) for (s, e), d in zip(n.arg, n.src[0].sized, strict=True))),
        batch=lambda n, size: ((0, size), *n.arg),
        check=_shrink_check,
    )
)  # fmt: skip


def _flip_check(node: UOp) -> str | None:
    return None if len(node.arg) == node.src[0].ndim else f"{node.arg} for {node.src[0].ndim} axes"


register(
    OpDef(
        Ops.FLIP, "movement", "reversed along the marked axes",
        lambda n: n.src[0].shape, lambda n, x: np.flip(x, tuple(i for i, f in enumerate(n.arg) if f)),
        ranges=lambda n, out: (
            tuple(sym.sub(sym.const(d - 1), r) if f else r
                  for r, f, d in zip(out, n.arg, n.src[0].sized, strict=True)), None),
        transpose=lambda n, ct: flip(ct, n.arg),
        batch=lambda n, size: (False, *n.arg),
        check=_flip_check,
    )
)  # fmt: skip

MOVEMENT_BUILDERS = {Ops.RESHAPE: reshape, Ops.PERMUTE: permute, Ops.EXPAND: expand,
                     Ops.PAD: pad, Ops.SHRINK: shrink, Ops.FLIP: flip}  # fmt: skip
