"""What the operators of loop variables make: indices, comparisons as int64, arrays."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Number
from typing import Any

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import operators, symbolic
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

INDICES = {"add": symbolic.add, "sub": symbolic.sub, "mul": symbolic.mul}


def index_of(x: Any) -> UOp:
    """A loop variable, or an integer as an index."""
    return x if isinstance(x, UOp) else UOp.const(dtypes.index, int(x))


def arithmetic(name: str, *operands: Any) -> Any:
    """Of loop variables and integers; arrays have the constructors of ops.build, which do not guess at dtypes."""
    if name not in INDICES or not all(isinstance(a, (UOp, Integral)) for a in operands):
        numbers = all(isinstance(a, (UOp, Number)) for a in operands)
        return operators.array_rule[name](*operands) if numbers else NotImplemented  # an array's own operator answers
    nodes = [index_of(a) for a in operands]
    if any(a.dtype != dtypes.index for a in nodes):
        raise SpecError(f"{name} of {nodes[0]!r} and {nodes[1]!r}: operators are for nodes of dtype index alone")
    return INDICES[name](*nodes)


def compared(op: Ops, swap: bool, a: UOp, other: Any) -> Any:
    """Of loop variables and integers, as int64. What is open in no RANGE is compared as all objects are."""
    if not a.free_ranges or a.dtype is not dtypes.index or not isinstance(other, (UOp, Integral)):
        return NotImplemented
    b = index_of(other)
    wide = [UOp(Ops.CAST, dtypes.int64, (n,)) for n in ((b, a) if swap else (a, b))]
    return UOp(op, dtypes.bool_, tuple(wide))


operators.arithmetic.update({n: partial(arithmetic, n) for n in (*INDICES, "div", "floordiv", "mod")})
operators.compared.update(
    eq=partial(compared, Ops.CMPEQ, False), ne=partial(compared, Ops.CMPNE, False),
    lt=partial(compared, Ops.CMPLT, False), gt=partial(compared, Ops.CMPLT, True),
    le=partial(compared, Ops.CMPLE, False), ge=partial(compared, Ops.CMPLE, True),
)  # fmt: skip
