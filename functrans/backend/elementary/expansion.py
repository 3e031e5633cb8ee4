"""Each elementary function of real numbers as a graph of simpler ops, for a dtype and a target.

A function that has no expansion in float32, and every one where the target does not fuse multiply-adds, computes in
float64 there and rounds once: errors would be larger than promised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from functrans import dtypes
from functrans._records import record
from functrans.backend.elementary import (
    circular,
    circular32,
    exponential,
    exponential32,
    hypot,
    inverse,
    logarithm,
    special,
)
from functrans.backend.elementary.number import Arithmetic, Num, argument
from functrans.backend.elementary.powers import power_by, power_product, product_of
from functrans.dtypes import DType
from functrans.ops.uop import UOp

Formula = Callable[..., Num]
DOUBLE: dict[str, Formula] = {
    "exp": exponential.exp, "exp2": exponential.exp2, "expm1": exponential.expm1, "sinh": exponential.sinh,
    "cosh": exponential.cosh, "tanh": exponential.tanh, "log": logarithm.log, "log2": logarithm.log2,
    "log10": logarithm.log10, "log1p": logarithm.log1p, "asinh": logarithm.asinh, "acosh": logarithm.acosh,
    "atanh": logarithm.atanh, "cbrt": logarithm.cbrt, "pow": logarithm.power, "sin": circular.sin,
    "cos": circular.cos, "tan": circular.tan, "asin": inverse.asin, "acos": inverse.acos, "atan": inverse.atan,
    "atan2": inverse.atan2, "erf": special.erf, "erfc": special.erfc, "lgamma": special.lgamma, "powby": power_by,
    "hypot": hypot.hypot,
}  # fmt: skip
SINGLE: dict[str, Formula] = {
    "exp": exponential.exp, "exp2": exponential.exp2, "expm1": exponential32.expm1, "sinh": exponential32.sinh,
    "cosh": exponential32.cosh, "tanh": exponential32.tanh, "log": exponential32.log, "log2": exponential32.log2,
    "log10": exponential32.log10, "log1p": exponential32.log1p, "erf": exponential32.erf, "sin": circular.sin,
    "cos": circular.cos, "tan": circular32.tan, "asin": circular32.asin, "acos": circular32.acos,
    "atan": circular32.atan, "atan2": circular32.atan2, "hypot": hypot.hypot,
}  # fmt: skip
BINARY = frozenset({"pow", "atan2", "hypot"})
_ARGUMENTS = dict.fromkeys(BINARY, 2) | {"powby": 5}
LIMITS = {8: circular.LIMIT, 4: circular32.LIMIT}
"""Up to where the expansions of sine, cosine and tangent are right, by the size of a number."""


def is_function(name: str) -> bool:
    """Whether there is an expansion of that name, in float64 at least."""
    return name in DOUBLE or product_of(name) is not None


def arity(name: str) -> int:
    """How many arguments a function has."""
    return _ARGUMENTS.get(name, 1)


@record
class Expansion:
    """A function of scalars as a graph over its arguments."""

    arguments: tuple[UOp, ...]
    result: UOp


@cache
def expansion(name: str, dtype: DType, *, fused: bool) -> Expansion | None:
    """The function of that name in a dtype, or None where it has no expansion of its own there."""
    formula, product = (SINGLE if dtype == dtypes.float32 else DOUBLE).get(name), product_of(name)
    if product is not None:
        formula = partial(power_product, minus=product[0], whole=product[1], half=product[2])
    if formula is None or (dtype == dtypes.float32 and not fused):
        return None
    given = [argument(k, dtype) for k in range(arity(name))]
    return Expansion(tuple(x.uop for x in given), formula(Arithmetic(dtype, fused), *given).uop)
