"""Sums over a batch of outer products, such as the gradient by a matrix that all elements of the batch share.

Written as it comes, each element's product would be made first, and then summed: a matrix for each element. Here the
factors are kept, one for each element, and multiplied inside of the sum, along a real batch axis.
"""

from __future__ import annotations

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import ranges_of
from functrans.ops.window import reduce
from functrans.transforms.vmap.rewriting import unbracket

_MOVES = frozenset({Ops.RESHAPE, Ops.PERMUTE, Ops.EXPAND})
_PRODUCTS = frozenset({Ops.MUL, Ops.NEG})


def summed(x: UOp, ranges: tuple[UOp, ...]) -> UOp:
    """The sum of x over RANGEs, which are closed: as a REDUCE, which knows that a sum of padded slices is no sum."""

    def inside(u: UOp) -> bool:  # a product of smaller factors, or one of these, seen through movements
        return u.op in _MOVES or (u.op in _PRODUCTS and u.size == x.size)

    order = toposort([x], enter=inside)
    factors = [u for u in order if not inside(u) and not u.free_ranges.isdisjoint(ranges)]
    made = sum(u.size for u in factors if not _is_slice(u, ranges))  # and would be kept
    if made >= x.size or any(opdef(u).fill is not None for u in factors):
        return reduce(x, Ops.ADD, *ranges)
    kept: dict[UOp, UOp] = {}
    slices = {u: _slice(u, ranges, kept) for u in factors}
    whole = substitute([x], slices)[0].vmapout((*ranges, *(const(0) for _ in x.sized)))
    total = B.reduce_axis(unbracket([whole], ranges)[0], Ops.ADD, tuple(range(len(ranges))))
    return substitute([total], kept)[0]


def _slice(u: UOp, ranges: tuple[UOp, ...], kept: dict[UOp, UOp]) -> UOp:
    """The factor as a slice of a placeholder for all elements; ``kept`` tells what that stands for."""
    varg = u.src[1:]
    if _is_slice(u, ranges):
        whole = u.src[0]
    else:
        varg = (*(r for r in ranges if r in u.free_ranges), *(const(0) for _ in u.sized))
        whole = u.vmapout(varg)
    place = param(whole.sized, whole.dtype)
    kept[place] = whole
    return place.vmapin(varg)


def _is_slice(u: UOp, ranges: tuple[UOp, ...]) -> bool:
    """Whether there is an array of it for all elements already."""
    whole = u.op is Ops.VMAPIN and u.src[0].free_ranges.isdisjoint(ranges)
    return whole and set(ranges_of(u.src[1:])) <= set(ranges)
