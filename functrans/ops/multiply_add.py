"""The NumPy meaning of a fused multiply-add: a * b + c rounded once, as the hardware does it.

NumPy has no such function. A float32 product is exact in float64, and a sum rounded to odd there may be rounded again.
A float64 product and its sum are taken apart without error (Dekker; Knuth), and put together by way of a rounding to
odd, see S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to
odd" (IEEE Transactions on Computers 57, 2008). Numbers for which that could leave the range are taken as fractions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans._lazy import fractions
from functrans.ops.enums import Ops
from functrans.ops.powers import as_products
from functrans.ops.uop import UOp

FUSED = (dtypes.float32, dtypes.float64)
"""The dtypes in which a multiply-add is rounded once."""
_SPLIT = 2.0**27 + 1
_LEAST, _MOST = 2.0**-900, 2.0**900  # of products and terms whose parts are numbers of full precision


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """The array a * b + c. It is rounded once in float32 and float64, and twice in any other dtype.

    >>> x = np.array([1 + 2.0**-30])
    >>> float(multiply_add(x, x, -(x * x))[0]) == 2.0**-60
    True
    """
    if a.dtype == np.float32:
        return _to_odd(*_two_sum(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))).astype(np.float32)
    return _fused(a, b, c) if a.dtype == np.float64 else a * b + c


def is_looked_into(node: UOp) -> bool:
    """Whether a sum would be another if the node were an array that is given: a product, a power that becomes one, or
    one of the other sign.

    What cuts a graph in parts computes it in each of them, from its sources.
    """
    looked_into = node.op in (Ops.MUL, Ops.NEG) or (node.op is Ops.POW and as_products(node) is not None)
    return looked_into and node.dtype in FUSED


def _two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The sum, rounded, and what it lacks."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The product, rounded, and what it lacks."""
    p = a * b
    (ah, al), (bh, bl) = (_halves(x) for x in (a, b))
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def _halves(x: Any) -> tuple[Any, Any]:
    t = _SPLIT * x
    high = t - (t - x)
    return high, x - high


def _to_odd(s: Any, rest: Any) -> Any:
    """A float64 and what it lacks in one: of the two neighbors of the exact sum that with an odd last bit."""
    s = np.asarray(s)
    even = (s.view(np.int64) & 1) == 0
    moved = np.where((rest > 0) == (s > 0), 1, -1)  # away from zero, or towards it
    inexact = even & (rest != 0) & np.isfinite(rest)
    return (s.view(np.int64) + np.where(inexact, moved, 0)).view(np.float64)


def _fused(a: Any, b: Any, c: Any) -> Any:
    a, b, c = np.broadcast_arrays(a, b, c)
    high, low = _two_product(a, b)
    first, second = _two_sum(c, low)
    total, rest = _two_sum(high, first)
    fused = total + _to_odd(*_two_sum(second, rest))
    plain = a * b + c
    exact = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & (a != 0) & (b != 0)
    near = (np.abs(a) < _MOST) & (np.abs(b) < _MOST) & _is_near(high) & ((c == 0) | _is_near(c))
    y = np.where(exact, fused, np.where(np.isinf(c) & np.isfinite(a) & np.isfinite(b), c, plain))
    for at in np.argwhere(exact & ~near):
        k = tuple(at)
        exact = [fractions.Fraction(float(v[k])) for v in (a, b, c)]
        y[k] = _rounded(exact[0] * exact[1] + exact[2], plain[k])
    return y


def _is_near(x: Any) -> Any:
    return (np.abs(x) > _LEAST) & (np.abs(x) < _MOST)


def _rounded(value: fractions.Fraction, plain: float) -> float:
    """The nearest float64; a zero as it is without fusing."""
    if value == 0:
        return plain if plain == 0 else 0.0
    try:
        nearest = float(value)
    except OverflowError:
        return float(np.copysign(np.inf, 1 if value > 0 else -1))
    return nearest if nearest or value > 0 else -0.0
