"""Powers with a constant exponent: how they are built, and which of them are products.

A constant exponent is folded where the node is built, in derivatives too: x**3 has 3 x**2, which is 3 (x x), and that
has 6 x. In a graph a power from the third on is one POW node; :func:`as_products` says which become products of their
base before anything is compiled.
"""

from __future__ import annotations

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

PLAIN = 4  # products of floats up to this power are within 2 ULP without compensation


def power_of(x: UOp, exponent: complex) -> UOp:
    """X to the power of a number, of the dtype of x: 1, x, x * x, 1 / x, else POW with a constant."""
    n = _rounded(x.dtype, exponent)
    if n == 0:
        return B.like(x, 1)
    if n == 1:
        return x
    if n == 2:
        return B.mul(x, x)
    return B.recip(x) if n == -1 and x.dtype.kind == "f" else B.alu(Ops.POW, x, B.like(x, n))


def _rounded(dtype: DType, exponent: complex) -> complex:
    return dtype.numpy.type(exponent).item() if dtype.kind in "fc" else exponent


def power_partial(x: UOp, exponent: complex) -> UOp:
    """The derivative of x to the power of a number: 0 where that is 0, whatever x is."""
    if exponent == 0:
        return B.like(x, 0)
    return B.mul(B.like(x, exponent), power_of(x, exponent - 1))


def exponent_of(node: UOp) -> float | None:
    """The exponent of a POW if it is one constant real number."""
    n = B.const_value(node.src[1])
    if isinstance(n, complex):
        return n.real if n.imag == 0 else None
    return None if n is None else float(n) if node.dtype.kind == "f" else n


def as_products(node: UOp) -> UOp | None:
    """A POW as products of its base, by repeated squaring; None where it stays a POW.

    Integers to any power, exact as they wrap; floats and complex numbers to the third and fourth. float16 stays, for
    it is computed in float32 and rounded once.
    """
    n = exponent_of(node)
    if n is None or n < 0 or not float(n).is_integer() or node.dtype.name == "float16":
        return None
    if node.dtype.kind not in "iu" and n not in range(3, PLAIN + 1):
        return None
    return _product(node.src[0], int(n))


def _product(x: UOp, n: int) -> UOp:
    if n == 0:
        return B.like(x, 1)
    y = x
    for bit in bin(n)[3:]:
        y = B.mul(y, y)
        y = B.mul(y, x) if bit == "1" else y
    return y
