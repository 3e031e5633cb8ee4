"""Sorting and what is made of it: positions in order, ranks in a sorted array, quantiles.

Everything rests on ARGSORT; the values in order are a gather, so their derivatives follow the permutation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, ShapeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.constants import known
from functrans.tensor.elementwise import call
from functrans.tensor.indexing import along, take_along_axis
from functrans.tensor.lexical import before
from functrans.tensor.lift import broadcast, is_weak, lift
from functrans.tensor.meanings import isnan, less, negate
from functrans.tensor.reduce import keep, normal_axes, sum_
from functrans.tensor.shape import moveaxis, option, sizes
from functrans.tensor.statistics import mean
from functrans.tensor.window import part

KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")
_UNBUILT = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "median_unbiased", "normal_unbiased",
)  # fmt: skip
_TERMS = {"linear": None, "lower": np.floor, "higher": np.ceil, "nearest": np.rint, "midpoint": None}


def argsort(x: UOp, axis: Any = -1, descending: bool = False) -> UOp:
    """The positions along an axis (of the flattened x where it is None) in order; equal elements as they stand."""
    x, k = along(x, axis)
    if descending:  # backwards twice: equal elements keep their order
        n = x.sized[k]
        back = _flip(argsort(_flip(x, k), k), k)
        return B.sub(B.like(back, n - 1), back)
    return moveaxis(B.argsort(moveaxis(x, k, -1)), -1, k)


def sort(x: UOp, axis: Any = -1, descending: bool = False) -> UOp:
    """The elements along an axis (of the flattened x where it is None) in order, NaN last; a scalar has no axis."""
    x, k = along(x, axis)
    if x.sized[k] < 2 or x.size == 0:
        return x
    y = take_along_axis(x, argsort(x, k), k)
    return _flip(y, k) if descending else y


def _flip(x: UOp, axis: int) -> UOp:
    return B.flip(x, tuple(i == axis for i in range(x.ndim)))


def check_kind(name: str, kind: Any, order: Any, kinds: Sequence[Any] = KINDS) -> None:
    """The arguments of sort and argsort that only name an algorithm, or fields that no Tensor has."""
    option(f"{name}: kind", kind, kinds)
    if order is not None:
        raise ArgumentValueError(f"{name}: order={order!r} names fields, and Tensors have none{at_user_line()}")


def partition_axis(name: str, x: UOp, kth: Any, axis: Any) -> None:
    """Raise for a kth that the axis does not have."""
    y, k = along(x, axis)
    for at in sizes(kth, "kth"):
        if not -y.sized[k] <= at < y.sized[k]:
            raise ArgumentValueError(f"{name}: kth is {at} for an axis of size {y.sized[k]}{at_user_line()}")


def lexsort(keys: Sequence[UOp], axis: Any = -1) -> UOp:
    """The positions along an axis in order by the last key, equal ones by the key before, and so on."""
    found = None
    for key in keys:
        here = key if found is None else take_along_axis(key, found, axis)
        order = argsort(here, axis)
        found = order if found is None else take_along_axis(found, order, axis)
    if found is None:
        raise ArgumentError(f"lexsort needs at least one key{at_user_line()}")
    return found


def _before(a: UOp, b: UOp) -> UOp:
    """Whether a stands strictly before b in sorted order: NaN is larger than every number."""
    if a.dtype.kind == "c":
        return before(a, b)
    return B.alu(Ops.OR, less(a, b), B.alu(Ops.AND, isnan(b), negate(isnan(a))))


def searchsorted(a: UOp, v: UOp, side: str = "left", sorter: UOp | None = None) -> UOp:
    """Where v would be inserted into the sorted a; a search by halves, in as many steps as the size has digits."""
    option("searchsorted: side", side, ("left", "right"))
    if a.ndim != 1:
        raise ShapeError(f"searchsorted: a has shape {a.shape}; expected one axis{at_user_line()}")
    n, found = a.size, B.full(v.sized, dtypes.int64, 0)
    a = a if sorter is None else _sorted_by(a, sorter)
    if n == 0:
        return found
    common = dtypes.from_numpy(np.promote_types(a.dtype.numpy, v.dtype.numpy))
    a, v = B.cast(a, common), B.cast(v, common)
    for bit in reversed(range(n.bit_length())):
        there = B.add(found, B.like(found, 1 << bit))
        seen = B.gather(a, B.sub(there, B.like(found, 1)))
        passed = _before(seen, v) if side == "left" else negate(_before(v, seen))
        inside = B.alu(Ops.CMPLE, there, B.like(there, n))
        found = B.where(B.alu(Ops.AND, inside, passed), there, found)
    return found


def _sorted_by(a: UOp, sorter: UOp) -> UOp:
    """The vector a in the order of the positions that sorter holds."""
    if sorter.dtype.kind not in "iu":
        raise DtypeError(f"searchsorted: sorter has dtype {sorter.dtype.name}{at_user_line()}; expected integers")
    if sorter.shape != a.shape:
        raise ShapeError(
            f"searchsorted: sorter has shape {sorter.shape} and a {a.shape}{at_user_line()}; expected as many positions"
        )
    at = known(sorter)
    if at is not None and at.size and not ((at >= 0) & (at < a.size)).all():
        raise ArgumentValueError(f"searchsorted: sorter holds a position outside of 0 to {a.size - 1}{at_user_line()}")
    return take_along_axis(a, sorter, 0)


def joined(x: UOp, axis: Any) -> tuple[UOp, tuple[int, ...], int]:
    """X with the axes of a reduction as its first one, the axes, and how many elements they hold."""
    axes = normal_axes(axis, x.ndim)
    rest = tuple(i for i in range(x.ndim) if i not in axes)
    n = prod(x.sized[a] for a in axes)
    return B.reshape(B.permute(x, (*axes, *rest)), (n, *(x.sized[i] for i in rest))), axes, n


def median(x: UOp, axis: Any = None, keepdims: bool = False) -> UOp:
    """The middle of the elements in order, the mean of the two in the middle of an even number; NaN if any is."""
    flat, axes, n = joined(x, axis)
    if n == 0:
        y = mean(flat, 0)
    else:
        flat = sort(flat, 0)
        y = mean(part(flat, 0, (n - 1) // 2, n // 2 + 1), 0)
        if flat.dtype.kind in "fc":
            last = B.cast(B.reshape(part(flat, 0, n - 1, n), y.sized), y.dtype)
            y = B.where(isnan(last), last, y)
    return B.reshape(y, keep(x.sized, axes)) if keepdims else y


def quantile(
    x: UOp, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False, whole: int = 1
) -> UOp:  # fmt: skip
    """The values below which fractions q / whole of the elements lie, between neighbors in order; NaN if any is."""
    check_method(x, method)
    at = fractions(q, x, whole)
    method = _way(method, q, whole)
    flat, axes, n = joined(x, axis)
    if n == 0:
        raise ShapeError(f"quantile of nothing: shape {x.shape}, axis {axis}{at_user_line()}")
    y = _between(sort(flat, 0), at, n, method)
    kept = keep(x.sized, axes) if keepdims else flat.sized[1:]
    return B.reshape(y, (*at.sized, *kept))


def check_method(x: UOp, method: str) -> None:
    """Raise where a method does not exist, is not built, or does not suit the elements."""
    if method in _UNBUILT:
        raise UnsupportedError(
            f"quantile: method {method!r} is not built{at_user_line()}; there are {', '.join(_TERMS)}"
        )
    if method not in _TERMS:
        raise ArgumentValueError(f"quantile: method is {method!r}; expected one of {', '.join(_TERMS)}{at_user_line()}")
    if x.dtype.kind == "c":
        raise DtypeError(f"quantile of {x.dtype.name}: complex numbers have no order{at_user_line()}")


def _way(method: str, q: Any, whole: int) -> str:
    """A method that means the same: whole numbers are the least and the largest element, in their dtype."""
    exact = whole == 1 and method != "midpoint" and lift(q).dtype.kind in "biu"
    return "lower" if exact else method


def fractions(q: Any, x: UOp, whole: int) -> UOp:
    """Fractions as floats; a Python number gives way to the dtype of x."""
    weak = is_weak(q) and x.dtype.kind == "f"
    at = lift(q, x.dtype) if weak else lift(q)
    if at.dtype.kind == "c":
        raise DtypeError(f"q has dtype {at.dtype.name}; expected real fractions{at_user_line()}")
    at = at if at.dtype.kind == "f" else B.cast(at, dtypes.float64)
    value = known(at)
    if value is not None and not ((value >= 0) & (value <= whole)).all():
        raise ArgumentValueError(f"q must lie in [0, {whole}]; given is {value}{at_user_line()}")
    return B.div(at, B.like(at, whole))


def _between(flat: UOp, at: UOp, n: int, method: str) -> UOp:
    """The values of the sorted first axis at fractions of its length."""
    index, share = _neighbors(B.mul(at, B.like(at, n - 1)), method)
    value = B.gather(flat, index)
    share = B.reshape(share, (*at.sized, *(1 for _ in flat.sized[1:])))
    if _TERMS[method] is None:
        value = _mixed(value, B.gather(flat, B.add(index, B.like(index, 1))), share)
    if flat.dtype.kind == "f":
        last = part(flat, 0, n - 1, n)
        lost = isnan(B.broadcast(B.reshape(last, flat.sized[1:]), value.sized))
        lost = B.alu(Ops.OR, lost, B.broadcast(B.reshape(isnan(at), share.sized), value.sized))
        value = B.where(lost, B.like(value, np.nan), value)
    return value


def _neighbors(place: UOp, method: str) -> tuple[UOp, UOp]:
    """The whole number at or below a place in order, and how far the place is on the way to the next one."""
    rounded = _TERMS[method]
    if rounded is not None:
        place = call(rounded, place)
    low = B.alu(Ops.FLOOR, place)
    share = B.sub(place, low)
    if method == "midpoint":
        share = B.where(B.eq(share, B.like(share, 0)), share, B.like(share, 0.5))
    return B.cast(low, dtypes.int64), share


def quantile_without_nan(
    x: UOp, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False, whole: int = 1
) -> UOp:  # fmt: skip
    """The quantiles of what is not NaN, which comes first in order; NaN where there is nothing."""
    check_method(x, method)
    at = fractions(q, x, whole)
    flat, axes, n = joined(x, axis)
    kept = keep(x.sized, axes) if keepdims else flat.sized[1:]
    method = _way(method, q, whole)
    if x.dtype.kind != "f":
        return quantile(x, q, axis, method, keepdims, whole)
    if n == 0:
        return B.full((*at.sized, *kept), dtypes.from_numpy(np.promote_types(x.dtype.numpy, at.dtype.numpy)), np.nan)
    flat, last = sort(flat, 0), _last(flat)
    place = B.reshape(at, (at.size, *(1 for _ in last.sized)))
    place = call(np.multiply, place, B.reshape(B.cast(last, at.dtype), (1, *last.sized)))
    index, share = _neighbors(B.where(isnan(place), B.like(place, 0), place), method)
    value = take_along_axis(flat, index, 0)
    if _TERMS[method] is None:
        above = B.alu(Ops.MIN, *broadcast([B.add(index, B.like(index, 1)), B.reshape(last, (1, *last.sized))]))
        value = _mixed(value, take_along_axis(flat, above, 0), share)
    value = B.where(isnan(place), B.like(value, np.nan), value)
    return B.reshape(value, (*at.sized, *kept))


def median_without_nan(x: UOp, axis: Any = None, keepdims: bool = False) -> UOp:
    """The middle of what is not NaN, of an even number the mean of two; NaN where there is nothing."""
    flat, axes, n = joined(x, axis)
    if x.dtype.kind not in "fc" or n == 0:
        return median(x, axis, keepdims)
    flat, last = sort(flat, 0), B.reshape(_last(flat), (1, *flat.sized[1:]))
    two = B.like(last, 2)
    ends = call(np.floor_divide, last, two), call(np.floor_divide, B.add(last, B.like(last, 1)), two)
    low, high = (take_along_axis(flat, k, 0) for k in ends)
    one = B.eq(*ends)
    if x.dtype == dtypes.float16:  # as means are
        low, high = B.cast(low, dtypes.float32), B.cast(high, dtypes.float32)
    other = B.where(one, B.like(high, -0.0), high)  # with which a sum is the first, zeros with their sign
    y = B.div(B.add(low, other), B.where(one, B.like(low, 1), B.like(low, 2)))
    return B.reshape(B.cast(y, x.dtype), keep(x.sized, axes) if keepdims else flat.sized[1:])


def _last(flat: UOp) -> UOp:
    """The place of the last element along the first axis, in order, that is not NaN; 0 where there is none."""
    count = sum_(negate(isnan(flat)), 0, dtypes.int64)
    return B.alu(Ops.MAX, B.sub(count, B.like(count, 1)), B.like(count, 0))


def _mixed(a: UOp, b: UOp, t: UOp) -> UOp:
    """Between a and b, from the nearer end: exact at both."""
    a, b, t = broadcast([a, b, t])
    step = call(np.subtract, b, a)
    up, down = call(np.add, a, call(np.multiply, step, t)), call(np.subtract, b, call(np.multiply, step, _rest(t)))
    return B.where(B.lt(t, B.like(t, 0.5)), up, down)


def _rest(t: UOp) -> UOp:
    return B.sub(B.like(t, 1), t)
