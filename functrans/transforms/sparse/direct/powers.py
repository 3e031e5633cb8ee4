"""A power and its derivative, whose exponents differ by one, by one evaluation of the function."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.powers import exponent_of
from functrans.ops.uop import UOp, toposort


def related(roots: Sequence[UOp], stored: Collection[UOp] = ()) -> list[UOp]:
    """The same values, of real powers of one base whose exponents differ by one each from the other.

    From an exponent of 1 on x**p is x times x**(p - 1), unless it is in ``stored`` and known anyhow; below that
    x**(p - 1) is x**p divided by x. Neither leaves the range of numbers where its result does not. Linear in the graph.
    """
    found: dict[tuple[UOp, float], UOp] = {}
    for u in toposort(roots):
        if u.op is Ops.POW and u.dtype.kind == "f" and u.dtype.name != "float16":
            exponent = exponent_of(u)
            if exponent is not None:
                found[u.src[0], exponent] = u
    new: dict[UOp, UOp] = {}
    for (x, p), larger in sorted(found.items(), key=lambda item: abs(item[0][1] - 0.5)):
        smaller = found.get((x, float(x.dtype.numpy.type(p - 1))))
        if smaller is None or smaller is larger:  # so large a number is the one below it
            continue
        if p < 1:
            new[smaller] = _quotient(x, p, larger)
        elif larger not in stored:
            new[larger] = B.mul(_base(x, p), smaller)
    if not new:
        return list(roots)
    made: dict[UOp, UOp] = {}
    for u in toposort(roots, sources=lambda u: (new[u],) if u in new else u.src):
        made[u] = made[new[u]] if u in new else u.replace(tuple(made[s] for s in u.src))
    return [made[r] for r in roots]


def _base(x: UOp, p: float) -> UOp:
    """The base, of other exponents than whole numbers the sign of zero has no part in a power."""
    return x if p == int(p) else B.alu(Ops.ABS, x)


def _quotient(x: UOp, p: float, power: UOp) -> UOp:
    """X to the power of p - 1 by that of p, which is less than 1."""
    if p <= 0:
        return B.div(power, _base(x, p))
    inside = B.alu(Ops.AND, B.lt(B.like(x, 0), x), B.lt(x, B.like(x, np.inf)))
    # elsewhere the power of -1/2 is the same: infinite at zero of either sign, zero at infinity, no number below zero
    root = B.add(B.alu(Ops.SQRT, x), B.like(x, 0))
    return B.where(inside, B.div(power, x), B.recip(root))
