"""Tangents of what is not linear and not elementwise: extrema, products, running reductions, updates.

Ties share equally, as in a reduction's limit from all sides; a NaN that decides a value owns its tangent. No rule
divides by an element, so a zero among the factors of a product is no special case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from functrans.errors import UnsupportedError
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.origin import line_of
from functrans.ops.uop import UOp
from functrans.tensor.constants import known

Tangent = UOp | None
Bundle = tuple[UOp, ...]


def zeros(x: UOp) -> UOp:
    """Zeros of the shape and dtype of x."""
    return B.like(x, 0)


def select(c: UOp, x: UOp) -> UOp:
    """X where c, else zero."""
    return B.where(c, x, zeros(x))


def attains(x: UOp, best: UOp) -> UOp:
    """Where x is the extremum: equal to it, or NaN (which every extremum of a NaN is)."""
    return B.alu(Ops.OR, B.eq(x, best), B.alu(Ops.CMPNE, x, x))


def reduction(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """REDUCE_AXIS."""
    op, axes = node.arg
    x, tx = node.src[0], t[0]
    if tx is None:
        return None
    if op is Ops.ADD:
        return B.reduce_axis(tx, Ops.ADD, axes)
    if op is Ops.MUL:
        return _product(x, tx, axes)
    kept = tuple(1 if i in axes else d for i, d in enumerate(x.sized))
    hit = attains(x, B.expand(B.reshape(node, kept), x.sized))
    total = B.reduce_axis(select(hit, tx), Ops.ADD, axes)
    return B.div(total, B.reduce_axis(B.cast(hit, node.dtype), Ops.ADD, axes))


def _product(x: UOp, tx: UOp, axes: tuple[int, ...]) -> UOp:
    """Sum over k of t[k] times the product of all other elements, by running products from both ends."""
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


def running(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """CUMULATE: of a sum by a sum, else by combining spans that double in length.

    Source: Blelloch, Prefix sums and their applications (1990).
    """
    op, axis = node.arg
    x, tx = node.src[0], t[0]
    if tx is None:
        return None
    if op is Ops.ADD:
        return node.replace((tx,))
    if op is Ops.MUL:
        return _spans((x, tx), axis, _multiply)[1]
    _, total, count = _spans((x, tx, B.like(x, 1)), axis, _larger if op is Ops.MAX else _smaller)
    return B.div(total, count)


def _spans(parts: Bundle, axis: int, join: Callable[[Bundle, Bundle], Bundle]) -> Bundle:
    """The running combination of the parts along an axis: after the step of length s each spans 2 s elements."""
    shape = parts[0].sized
    n, step = shape[axis], 1

    def window(x: UOp, start: int, stop: int) -> UOp:
        return B.shrink(x, tuple((start, stop) if i == axis else (0, d) for i, d in enumerate(shape)))

    while step < n:
        left = tuple(window(p, 0, n - step) for p in parts)
        right = tuple(window(p, step, n) for p in parts)
        head = (window(p, 0, step) for p in parts)
        parts = tuple(B.cat((h, j), axis) for h, j in zip(head, join(left, right), strict=True))
        step *= 2
    return parts


def _multiply(a: Bundle, b: Bundle) -> Bundle:
    return B.mul(a[0], b[0]), B.add(B.mul(a[1], b[0]), B.mul(a[0], b[1]))


def _extremum(a: Bundle, b: Bundle, op: Ops) -> Bundle:
    best = B.alu(op, a[0], b[0])
    of_a, of_b = attains(a[0], best), attains(b[0], best)
    return best, *(B.add(select(of_a, p), select(of_b, q)) for p, q in zip(a[1:], b[1:], strict=True))


def _larger(a: Bundle, b: Bundle) -> Bundle:
    return _extremum(a, b, Ops.MAX)


def _smaller(a: Bundle, b: Bundle) -> Bundle:
    return _extremum(a, b, Ops.MIN)


def update(node: UOp, t: Sequence[Tangent]) -> Tangent:
    """SCATTER. A write that is dropped has no tangent, as the scatter of tangents drops it too."""
    base, value, *indices = node.src
    at = tuple(indices)
    tb, tv = t[0], t[1]
    if node.arg == "add" and tv is None:
        return tb
    tb, tv = zeros(base) if tb is None else tb, zeros(value) if tv is None else tv
    if node.arg in ("add", "set", "place"):
        return B.scatter(tb, tv, at, node.arg)
    if node.arg == "multiply":
        return _scaled(node, t[0], t[1])
    if node.arg not in ("min", "max"):
        raise UnsupportedError(f"jvp has no rule for an update by {node.arg!r}{line_of(node)}")
    hit_base, hit_value = attains(base, node), attains(value, B.gather(node, *at))

    def collect(b: UOp, v: UOp) -> UOp:
        return B.scatter(select(hit_base, b), select(hit_value, v), at, "add")

    return B.div(collect(tb, tv), collect(B.like(tb, 1), B.like(tv, 1)))


def _scaled(node: UOp, tb: Tangent, tv: Tangent) -> Tangent:
    """Updates by factors: each cell is its base times all the factors written to it.

    The tangent of a factor meets the base and the other factors of its cell, by a product of its own: a quotient
    would be wrong where a factor is zero, and in second derivatives wherever one is. Unless the indices are constants
    that never repeat, every factor looks at every other: quadratic in their number.
    """
    base, value, *indices = node.src
    at = tuple(indices)
    of_base = None if tb is None else B.scatter(tb, value, at, "multiply")
    if tv is None:
        return of_base
    change = B.mul(B.gather(base, *at), tv)
    if not _distinct(at):
        change = B.mul(change, _others(value, at))
    of_value = B.scatter(zeros(base), change, at, "add")
    return of_value if of_base is None else B.add(of_base, of_value)


def _distinct(at: Bundle) -> bool:
    """Whether the indices are known, and no two places alike."""
    places = [known(i) for i in at]
    if any(p is None for p in places):
        return False
    rows = np.stack([np.ravel(p) for p in places if p is not None], axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def _others(value: UOp, at: Bundle) -> UOp:
    """For every factor the product of the others that are written to its place."""
    n, rest = at[0].size, value.sized[at[0].ndim :]

    def alike(index: UOp) -> UOp:
        flat = B.reshape(index, (n,))
        return B.eq(B.broadcast(B.reshape(flat, (n, 1)), (n, n)), B.broadcast(flat, (n, n)))

    other = B.alu(Ops.NOT, alike(B.iota(n)))
    for index in at:
        other = B.alu(Ops.AND, other, alike(index))
    mask = B.broadcast(B.reshape(other, (n, n, *(1 for _ in rest))), (n, n, *rest))
    row = B.broadcast(B.reshape(value, (n, *rest)), (n, n, *rest))
    return B.reshape(B.reduce_axis(B.where(mask, row, B.like(row, 1)), Ops.MUL, (1,)), value.sized)
