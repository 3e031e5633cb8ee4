"""Terms of a symmetric matrix that are each other's transpose: their coefficients are computed once.

The element (i, j) of an element's Hessian is written down by another way than (j, i), so that no two expressions are
alike. Whether they are one polynomial is seen by their values at random points, in the integers modulo a prime, where
nothing is rounded: two different ones of a degree d are equal there with a probability of d / 2**61 (Schwartz, Fast
probabilistic algorithms for verification of polynomial identities, Journal of the ACM 27 (1980)). A float is the
fraction that it is. What is no polynomial is a number of its own, the same for equal arguments; so is a reciprocal, as
x * y / y is another function than x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from random import Random
from typing import Any

from functrans._records import replace
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.expressions import alike
from functrans.transforms.sparse.direct.terms import Term

PRIME = (1 << 61) - 1


def shared(terms: Sequence[Term]) -> list[Term]:
    """The terms; of two that are each other's transpose and equal, the later one with the coefficient of the other."""
    by_key = {(t.every, t.cols): t for t in reversed(terms) if t.every.alive is None}
    pairs = {t: other for t in terms if (other := by_key.get((t.cols, t.every))) is not None and other is not t}
    if not pairs:
        return list(terms)
    expressions = dict(zip(pairs, alike([t.coefficient for t in pairs]), strict=True))
    sampled = _Samples(list(expressions.values()))
    found: dict[Term, UOp] = {}
    for t, other in pairs.items():
        known = found.get(other, expressions[other]) if other in expressions else None
        same = known is not None and other in found and sampled.equal(known, expressions[t])
        found[t] = known if same and known is not None else expressions[t]
    return [replace(t, coefficient=found[t]) if t in found else t for t in terms]


class _Samples:
    """Values of expressions at a random point."""

    def __init__(self, expressions: Sequence[UOp]) -> None:
        self._random = Random(0)
        self._others: dict[Any, int] = {}
        self._values: dict[UOp, int] = {}
        for u in toposort(expressions):
            self._values[u] = self._value(u)

    def equal(self, a: UOp, b: UOp) -> bool:
        """Whether two expressions are one polynomial of what they read."""
        return a.dtype == b.dtype and self._values[a] == self._values[b]

    def _value(self, u: UOp) -> int:
        values = [self._values[s] for s in u.src]
        if u.dtype.kind != "f":
            return self._other(u, values)
        if u.op is Ops.CONST:
            return _fraction(u.arg) if isfinite(u.arg) else self._other(u, values)
        if u.op in (Ops.FDIV, Ops.RECIP):
            inverse = self._of((Ops.RECIP, u.dtype, values[-1]))
            return values[0] * inverse % PRIME if u.op is Ops.FDIV else inverse
        of = _OPS.get(u.op)
        return self._other(u, values) if of is None else of(*values) % PRIME

    def _other(self, u: UOp, values: Sequence[int]) -> int:
        return self._of((u.op, u.dtype, u.arg, *values) if u.src else u)

    def _of(self, key: Any) -> int:
        """The number of what is no polynomial."""
        if key not in self._others:
            self._others[key] = self._random.randrange(PRIME)
        return self._others[key]


def _fraction(number: float) -> int:
    above, below = float(number).as_integer_ratio()
    return above * pow(below, -1, PRIME) % PRIME


_OPS: dict[Ops, Callable[..., int]] = {
    Ops.ADD: lambda a, b: a + b, Ops.SUB: lambda a, b: a - b, Ops.MUL: lambda a, b: a * b, Ops.NEG: lambda a: -a,
    Ops.MULACC: lambda a, b, c: a * b + c, Ops.NOOP: lambda a: a,
}  # fmt: skip
