"""Modified Bessel functions of the first kind, of the orders 0 and 1: I0, I1, and these times exp(-|x|).

Source: NIST Digital Library of Mathematical Functions, 10.25 for the power series, 10.40 for what is expanded beyond.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

SERIES_TO = 8.0  # up to here the power series, whose terms are all positive
TERMS = {4: 16, 8: 22}  # of it, by bytes
OVERFLOW = {4: 92.0, 8: 714.0}  # I0 and I1 of more are infinite

# exp(-x) sqrt(x) I(x) as polynomials in 16 / x - 1, the highest power first, by order and bytes: Chebyshev expansions,
# by 60 digits, without their terms below half a unit in the last place
FAR: tuple[dict[int, tuple[float, ...]], ...] = (
    {
        8: (
        -6.067631570603006e-11, -2.0260604287413626e-11, 4.577087631643623e-10, 1.5279202694981569e-10,
        -1.618980683624682e-09, -5.715843864202709e-10, 3.6379546359011143e-09, 1.5200816953924232e-09,
        -5.95356943826489e-09, -3.505966530879332e-09, 7.430464650325426e-09, 7.552583062123384e-09,
        -5.404771567579958e-09, -1.340891754008974e-08, -6.747657956107524e-09, 7.554691881248808e-09,
        2.1548377974791598e-08, 3.932584334552952e-08, 8.872219737904054e-08, 2.9735985885673923e-07,
        1.4838475658279249e-06, 1.1143033790932038e-05, 0.0001362160743919305, 0.0033605519836678614,
        0.4021765094450081,
        ),
        4: (
        1.0867942482266837e-07, 3.626670384797085e-07, 1.4761157343412484e-06, 1.111214828523939e-05,
        0.00013621716424322397, 0.0033605557001427145, 0.4021765094192122,
        ),
    },
    {
        8: (
        6.305965197150057e-11, 1.8515118828852956e-11, -4.758818838703853e-10, -1.4011625179770627e-10,
        1.6848984479705146e-09, 5.295625441161261e-10, -3.794670896208339e-09, -1.4387250533041013e-09,
        6.242741219786445e-09, 3.4262341490077958e-09, -7.888351507862078e-09, -7.64239413436356e-09,
        5.974437608040264e-09, 1.4034238782067183e-08, 6.734464815301592e-09, -8.427766093735185e-09,
        -2.337392820814264e-08, -4.312917729178349e-08, -1.0001288294864884e-07, -3.483855761044295e-07,
        -1.8349101326980946e-06, -1.5038547200567216e-05, -0.00021923576383388928, -0.009749577193235737,
        0.38939845902587233,
        ),
        4: (
        -1.2273217235085558e-07, -4.2103501550232313e-07, -1.8256907317698838e-06, -1.5003965466132858e-05,
        -0.00021923712538189863, -0.00974958137037718, 0.3893984590596593,
        ),
    },
)  # fmt: skip


def polynomial(x: UOp, coefficients: Sequence[float]) -> UOp:
    """A polynomial by its coefficients, the highest power first."""
    y = B.like(x, coefficients[0])
    for c in coefficients[1:]:
        y = B.add(B.mul(y, x), B.like(x, c))
    return y


def _near(x: UOp, order: int) -> UOp:
    """I(x), |x| at most SERIES_TO, by powers of x^2 / 4 (10.25.2)."""
    half = B.mul(x, B.like(x, 0.5))
    powers = reversed(range(TERMS[x.dtype.itemsize]))
    series = polynomial(B.mul(half, half), [1 / (math.factorial(k) * math.factorial(k + order)) for k in powers])
    return B.mul(half, series) if order else series


def _far(x: UOp, order: int) -> UOp:
    """exp(-x) I(x), x at least SERIES_TO."""
    t = B.sub(B.div(B.like(x, 2 * SERIES_TO), x), B.like(x, 1))
    return B.div(polynomial(t, FAR[order][x.dtype.itemsize]), B.alu(Ops.SQRT, x))


def _bessel(order: int, scaled: bool) -> Callable[[UOp], UOp]:
    """I0 or I1. Each part has an argument of its own domain, as a derivative passes through all of them."""

    def function(x: UOp) -> UOp:
        size, end = B.alu(Ops.ABS, x), B.like(x, SERIES_TO)
        near = B.alu(Ops.CMPLE, size, end)
        inside = B.where(near, x, B.like(x, 0))
        low = _near(inside, order)
        over = B.lt(B.like(x, OVERFLOW[x.dtype.itemsize]), size)
        beyond = B.where(B.alu(Ops.OR, near, B.like(near, False) if scaled else over), end, size)
        high = _far(beyond, order)
        if scaled:
            low = B.mul(low, B.alu(Ops.EXP, B.neg(B.alu(Ops.ABS, inside))))
        else:
            root = B.alu(Ops.EXP, B.mul(beyond, B.like(x, 0.5)))  # its square may be infinite where the product is not
            high = B.mul(B.mul(high, root), root)
            # infinite, as its derivatives are
            high = B.where(over, B.mul(B.where(over, B.mul(size, size), B.like(x, 1)), B.like(x, math.inf)), high)
        if order:
            high = B.mul(high, B.alu(Ops.COPYSIGN, B.like(x, 1), x))
        return B.where(near, low, high)  # NaN is not near, and high of it is NaN, as its derivative is

    return function


FUNCTIONS: dict[str, Callable[..., UOp]] = {
    "i0": _bessel(0, False), "i1": _bessel(1, False), "i0e": _bessel(0, True), "i1e": _bessel(1, True),
}  # fmt: skip
