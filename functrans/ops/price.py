"""What an operation takes: measured picoseconds, the one table that every estimate of time starts from.

The figures are those of one element in vector code of 512 bits whose numbers are in registers, float64 unless said, in
the middle of the range of each function: what ``python -m benchmarks.prices`` prints, rounded, on the machine that the
results of the benchmark come from (AMD EPYC 9V74, one core, gcc 12). Only their ratios matter to decisions, and those
are alike on other processors: those of HYPOT, MOD, FLOORMOD and FLOORDIV are by their ratio to EXP on one of AVX2
(Zen 3). An op that is not listed takes as long as an addition.
"""

from __future__ import annotations

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.powers import exponent_of
from functrans.ops.uop import UOp

ADDITION = 14
_CUSTOM = 400  # C of the user's: nothing is known of it
_PICOSECONDS: dict[Ops, int] = {
    Ops.MAX: 20, Ops.MIN: 20, Ops.SIGN: 28, Ops.FLOOR: 25, Ops.CEIL: 25, Ops.TRUNC: 25, Ops.RINT: 25,
    Ops.FDIV: 110, Ops.RECIP: 110, Ops.SQRT: 260,
    Ops.EXP: 310, Ops.EXP2: 270, Ops.EXPM1: 600, Ops.LOG: 510, Ops.LOG2: 850, Ops.LOG10: 900, Ops.LOG1P: 970,
    Ops.SIN: 400, Ops.COS: 390, Ops.TAN: 930, Ops.SINH: 850, Ops.COSH: 750, Ops.TANH: 1080,
    Ops.ASIN: 590, Ops.ACOS: 580, Ops.ATAN: 750, Ops.ATAN2: 2000,
    Ops.ASINH: 1860, Ops.ACOSH: 1590, Ops.ATANH: 1720,
    Ops.POW: 4100, Ops.CBRT: 1090, Ops.ERF: 1010, Ops.ERFC: 1610, Ops.LGAMMA: 2940, Ops.GAMMA: 30_000,
    Ops.EXPI: 24_000, Ops.GAMMAINC: 70_000, Ops.GAMMAINCC: 70_000,
    Ops.HYPOT: 500, Ops.DIGAMMA: 24_800, Ops.ZETA: 340_000, Ops.FLOORMOD: 300, Ops.MOD: 300, Ops.FLOORDIV: 550,
    Ops.SORT: 2000, Ops.ARGSORT: 8000,  # of rows of 7 to 100
}  # fmt: skip
SHORTEST = min(_PICOSECONDS[op] for op in (Ops.SQRT, Ops.EXP, Ops.EXP2))
"""What an elementary function of float64 takes at the least: twice as long as to store and read a number."""
_SHORT_POWER = 1150  # of a constant exponent up to 8
_WHOLE = 1580  # a division of integers, or its rest
_DIVISIONS = frozenset({Ops.IDIV, Ops.MOD, Ops.FLOORDIV, Ops.FLOORMOD})
_HALVED = frozenset(  # of half the width: half the time; those that compute in float64 all the same are not here
    {Ops.FDIV, Ops.RECIP, Ops.SQRT, Ops.MAX, Ops.MIN, Ops.SIGN, Ops.EXP, Ops.EXP2, Ops.EXPM1, Ops.LOG, Ops.LOG2}
    | {Ops.LOG10, Ops.LOG1P, Ops.SIN, Ops.COS, Ops.TAN, Ops.SINH, Ops.COSH, Ops.TANH, Ops.ASIN, Ops.ACOS, Ops.ATAN}
    | {Ops.ATAN2, Ops.ERF}
)
_COMPLEX = {Ops.MUL: 6, Ops.FDIV: 20}  # additions of real numbers that one of complex numbers is; 2 of all others
_FREE = frozenset({Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD, Ops.REAL, Ops.IMAG, Ops.CONST})


def picoseconds(node: UOp) -> float:
    """The time of one element of an operation on numbers; 0 for what is none."""
    op, dtype = node.op, max((node.dtype, *(s.dtype for s in node.src)), key=lambda d: d.itemsize)
    if op in _FREE:
        return 0.0
    if op in GroupOp.Custom:
        return float(_CUSTOM)
    if op in _DIVISIONS and dtype.kind in "iu":
        return float(_WHOLE)
    exponent = exponent_of(node) if op is Ops.POW and dtype.kind in "fiu" else None
    if exponent is not None:
        return _power(exponent, min(dtype.itemsize, 8) / 8)
    known = _PICOSECONDS.get(op)
    if dtype.kind == "c":
        times = _COMPLEX.get(op, 2)
        return float(ADDITION * times if known is None or op in _COMPLEX else known * times) * dtype.itemsize / 16
    if known is None or op in _HALVED:
        return (known or ADDITION) * min(dtype.itemsize, 8) / 8
    return float(known)


def _power(exponent: float, width: float) -> float:
    """A power with a constant exponent: products, a root and a reciprocal, or a logarithm and an exponential."""
    size = abs(exponent)
    if size <= 64 and 2 * size == int(2 * size):
        products = 3 * int(size).bit_length() * ADDITION
        return width * (products + (260 if size % 1 else 0) + (110 if exponent < 0 else 0))
    return float(_SHORT_POWER if size <= 8 else _PICOSECONDS[Ops.POW])


def additions(node: UOp) -> int:
    """The same in additions of numbers of its kind, at least one for what is an operation."""
    found: int = node.remember("additions", _additions)
    return found


def _additions(node: UOp) -> int:
    kinds = [node.dtype, *(s.dtype for s in node.src)]
    width = max(d.itemsize // 2 if d.kind == "c" else min(d.itemsize, 8) for d in kinds)
    time = picoseconds(node)
    return max(1, round(8 * time / (ADDITION * width))) if time else 0
