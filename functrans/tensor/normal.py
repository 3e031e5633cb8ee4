"""The error functions and the normal distribution: values, logarithms, inverses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

SERIES_BELOW = {4: -10.0, 8: -20.0}
"""By bytes, below what the tail is a short asymptotic series; erfc has no more digits from -13 and -37 on."""

# Wichura, Algorithm AS 241: The percentage points of the normal distribution, Applied Statistics 37 (1988): numerators
# and denominators, the highest power first, in the middle, beside it, and in the tails
MIDDLE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
BESIDE = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
     0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)  # fmt: skip
TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
     0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)  # fmt: skip


def erf(x: UOp) -> UOp:
    """The error function."""
    return B.alu(Ops.ERF, x)


def erfc(x: UOp) -> UOp:
    """1 - erf(x), accurate where erf(x) is near 1."""
    return B.alu(Ops.ERFC, x)


def ndtr(x: UOp) -> UOp:
    """The distribution function of the normal distribution, accurate in both tails."""
    return B.mul(B.like(x, 0.5), B.alu(Ops.ERFC, B.mul(x, B.like(x, -math.sqrt(0.5)))))


def log_ndtr(x: UOp) -> UOp:
    """The logarithm of `ndtr`, accurate in both tails."""
    one, above, far = B.like(x, 1), B.lt(B.like(x, 0), x), B.lt(x, B.like(x, SERIES_BELOW[x.dtype.itemsize]))
    upper = B.alu(Ops.LOG1P, B.neg(ndtr(B.neg(B.where(above, x, one)))))
    lower = B.alu(Ops.LOG, ndtr(B.where(B.alu(Ops.OR, above, far), B.neg(one), x)))
    away = B.where(far, x, B.like(x, SERIES_BELOW[x.dtype.itemsize]))
    y = B.recip(B.mul(away, away))
    series = B.like(x, 2027025.0)
    for c in (-135135.0, 10395.0, -945.0, 105.0, -15.0, 3.0, -1.0):
        series = B.add(B.mul(series, y), B.like(x, c))
    tail = B.sub(B.alu(Ops.LOG1P, B.mul(series, y)), B.alu(Ops.LOG, B.neg(away)))
    tail = B.sub(B.sub(tail, B.like(x, 0.5 * math.log(2 * math.pi))), B.mul(B.mul(away, away), B.like(x, 0.5)))
    return B.where(above, upper, B.where(far, tail, lower))  # lower of NaN is NaN, and its derivative


def _ratio(x: UOp, terms: Sequence[Sequence[float]]) -> UOp:
    values = []
    for coefficients in terms:
        y = B.like(x, coefficients[0])
        for c in coefficients[1:]:
            y = B.add(B.mul(y, x), B.like(x, c))
        values.append(y)
    return B.div(*values)


def _quantile(q: UOp, tail: UOp) -> UOp:
    """Where the normal distribution function is 1/2 + q; tail is 1/2 - |q| without its rounding."""
    middle = B.alu(Ops.CMPLE, B.alu(Ops.ABS, q), B.like(q, 0.425))
    inner = B.where(middle, q, B.like(q, 0))
    near = B.mul(inner, _ratio(B.sub(B.like(q, 0.180625), B.mul(inner, inner)), MIDDLE))
    # the logarithm is infinite at the ends, and NaN outside: so are the derivatives by it
    size = B.neg(B.alu(Ops.LOG, B.where(middle, B.like(tail, 0.05), tail)))
    end = B.eq(size, B.like(size, math.inf))
    r = B.alu(Ops.SQRT, B.where(end, B.like(size, 1), size))
    beside = _ratio(B.sub(r, B.like(r, 1.6)), BESIDE)
    outer = B.where(B.lt(B.like(r, 5), r), _ratio(B.sub(r, B.like(r, 5)), TAIL), beside)
    outer = B.where(end, size, outer)
    return B.where(middle, near, B.where(B.lt(q, B.like(q, 0)), B.neg(outer), outer))


def ndtri(p: UOp) -> UOp:
    """The inverse of `ndtr`: infinite at 0 and 1, NaN outside."""
    q = B.sub(p, B.like(p, 0.5))
    return _quantile(q, B.where(B.lt(q, B.like(q, 0)), p, B.sub(B.like(p, 1), p)))


def erfinv(y: UOp) -> UOp:
    """The inverse of the error function: infinite at -1 and 1, NaN outside."""
    half = B.like(y, 0.5)
    tail = B.mul(B.sub(B.like(y, 1), B.alu(Ops.ABS, y)), half)
    return B.mul(_quantile(B.mul(y, half), tail), B.like(y, math.sqrt(0.5)))


def erfcinv(y: UOp) -> UOp:
    """The inverse of erfc: infinite at 0 and 2, NaN outside."""
    return B.mul(ndtri(B.mul(y, B.like(y, 0.5))), B.like(y, -math.sqrt(0.5)))


FUNCTIONS: dict[str, Callable[..., UOp]] = {
    "erf": erf, "erfc": erfc, "ndtr": ndtr, "log_ndtr": log_ndtr, "ndtri": ndtri, "erfinv": erfinv, "erfcinv": erfcinv,
}  # fmt: skip
