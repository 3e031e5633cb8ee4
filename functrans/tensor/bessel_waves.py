"""Bessel functions of the first kind, of the orders 0 and 1: J0 and J1.

Source: NIST Digital Library of Mathematical Functions, 10.2.2 for what is near, 10.17.3 for waves of slowly changing
size and phase.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.bessel import polynomial

WAVES_FROM = 8.0

# Polynomials, the highest power first, by order and bytes: Chebyshev expansions, by 50 digits, without their terms
# below half a unit in the last place of 1. Of x^2 / 32 - 1, up to WAVES_FROM: J0(x), J1(x) / x
NEAR: tuple[dict[int, tuple[float, ...]], ...] = (
    {
        8: (
            -1.243301171273326e-11, 3.3794626319436793e-10, -7.91532308295207e-09,
            1.5955848859935914e-07, -2.717749223632098e-06, 3.847320005801417e-05,
            -0.0004435459224311503, 0.004058078988108771, -0.028472718610882047, 0.14598884856785538,
            -0.5074680458471, 1.0383794611436883, -0.8080888076696872, -0.6484692830871821,
            0.9303012472958572, 0.045829664859813754,
        ),
        4: (
            3.8953797593184164e-05, -0.0004510584083871106, 0.0040575375951056895,
            -0.028465193218330603, 0.14598912947702114, -0.5074713410315926, 1.038379395279324,
            -0.8080882189410413, -0.6484692774401636, 0.9303012178493267, 0.045829664781368046,
        ),
    },
    {
        8: (
            -4.0045728425886457e-13, 1.1658972367678622e-11, -2.943013798001659e-10,
            6.431190177265836e-09, -1.196708186787801e-07, 1.8684526037206013e-06,
            -2.404574865968694e-05, 0.0002494945813597261, -0.0020290394945705996, 0.012456814392263375,
            -0.05474581821284722, 0.15858376432721838, -0.2595948652859303, 0.15151665143806636,
            0.08105866038589796, -0.05814382795599107,
        ),
        4: (
            -2.4376280977281116e-05, 0.0002541923078389141, -0.002028708482589763, 0.012452696115057602,
            -0.05474596313557745, 0.15858523652842377, -0.25959483939561806, 0.15151646730877008,
            0.08105865909100714, -0.058143824272016045,
        ),
    },
)  # fmt: skip
# and of 128 / x^2 - 1: P, and Q x / 8, with J(x) = sqrt(2 / (pi x)) (P cos(x - c) - Q sin(x - c))
COSINES: tuple[dict[int, tuple[float, ...]], ...] = (
    {
        8: (
            3.339452259070809e-14, -1.0251790052831013e-13, 2.4531772967345006e-13,
            -1.0157485021065676e-12, 4.786995821368028e-12, -2.491146535471666e-11,
            1.5500565496632596e-10, -1.2121098178951377e-09, 1.280376144080092e-08,
            -2.0527448261170675e-07, 6.137416080109497e-06, -0.0005363673192129672, 0.9994572757882519,
        ),
        4: (
            -2.068237815042439e-07, 6.150369575038949e-06, -0.0005363669289770836, 0.9994572741627311,
        ),
    },
    {
        8: (
            -3.5455617466606254e-14, 1.0923713653079462e-13, -2.6335760672461096e-13,
            1.0954826479277623e-12, -5.191158004646548e-12, 2.72345126828134e-11,
            -1.713107485294131e-10, 1.3602969253877949e-09, -1.4708512991275258e-08,
            2.453676633366693e-07, -7.9596946984383e-06, 0.0008988049416705183, 1.0009070262780821,
        ),
        4: (
            2.4710535842577195e-07, -7.974568600977817e-06, 0.0008988045040671215, 1.0009070281443142,
        ),
    },
)  # fmt: skip
SINES: tuple[dict[int, tuple[float, ...]], ...] = (
    {
        8: (
            -3.417306155904644e-14, 9.894020065590535e-14, -2.0979723806283122e-13,
            8.172520584990984e-13, -3.605043103124562e-12, 1.7060404730873274e-11,
            -9.469830663448226e-11, 6.432698991315309e-10, -5.668717017471248e-09,
            7.106214965332309e-08, -1.477138832589449e-06, 6.833149099340043e-05, -0.01555511387951352,
        ),
        4: (
            7.188982899187597e-08, -1.4828996822121294e-06, 6.83312820543726e-05, -0.015555113155495903,
        ),
    },
    {
        8: (
            3.620117603894229e-14, -1.0515607072587001e-13, 2.2462055932168237e-13,
            -8.785014186436455e-13, 3.8929927766683146e-12, -1.855351813063018e-11,
            1.0394482901993273e-10, -7.1510179969292e-10, 6.420133519314915e-09, -8.29196082083117e-08,
            1.8212018511674905e-06, -9.621458822050365e-05, 0.04677687402744898,
        ),
        4: (
            -8.38391255363337e-08, 1.8277230515910909e-06, -9.621435614741855e-05, 0.04677687320800953,
        ),
    },
)  # fmt: skip


def _bessel(order: int) -> Callable[[UOp], UOp]:
    """J0 or J1. Each part has an argument of its own domain, as a derivative passes through all of them."""

    def function(x: UOp) -> UOp:
        size, end = B.alu(Ops.ABS, x), B.like(x, WAVES_FROM)
        near, width = B.alu(Ops.CMPLE, size, end), x.dtype.itemsize
        inside = B.where(near, x, B.like(x, 0))
        one = B.like(x, 1)
        t = B.sub(B.mul(B.mul(inside, inside), B.like(x, 1 / 32)), one)
        low = polynomial(t, NEAR[order][width])
        beyond = B.where(near, end, size)
        z = B.div(end, beyond)
        t = B.sub(B.mul(B.mul(z, z), B.like(x, 2)), one)
        p = polynomial(t, COSINES[order][width])
        q = B.mul(polynomial(t, SINES[order][width]), z)
        # an angle less pi / 4 would be rounded: its cosine is (c + s) / sqrt(2), its sine (s - c) / sqrt(2)
        c, s = B.alu(Ops.COS, beyond), B.alu(Ops.SIN, beyond)
        plus, minus = B.add(c, s), B.sub(s, c)
        wave = B.sub(B.mul(p, plus), B.mul(q, minus)) if not order else B.add(B.mul(p, minus), B.mul(q, plus))
        high = B.div(wave, B.alu(Ops.SQRT, B.mul(beyond, B.like(x, math.pi))))
        if order:
            low, high = B.mul(inside, low), B.mul(high, B.alu(Ops.COPYSIGN, one, x))
        return B.where(near, low, high)  # NaN is not near

    return function


FUNCTIONS: dict[str, Callable[..., UOp]] = {"j0": _bessel(0), "j1": _bessel(1)}
