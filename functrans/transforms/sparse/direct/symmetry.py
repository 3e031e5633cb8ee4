"""Terms of a symmetric matrix that are each other's transpose: their coefficients are computed once.

The element (i, j) of an element's Hessian is written down by another way than (j, i), so that no two expressions are
alike. Whether they are equal is seen by their values: at random numbers for what they read two different rational
functions are not equal, with probability one (Schwartz, Fast probabilistic algorithms for verification of polynomial
identities, Journal of the ACM 27 (1980)). What is no rational function is a number of its own, the same for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.expressions import alike
from functrans.transforms.sparse.direct.terms import Term

SAMPLES = 16
ROUNDING = 1e-11  # of a sample, relative to the largest number on the way to it

Numbers = NDArray[Any]


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
    """Values of expressions at random numbers, and how large the numbers on the way are."""

    def __init__(self, expressions: Sequence[UOp]) -> None:
        self._rng = np.random.default_rng(0)
        self._others: dict[Any, list[UOp]] = {}
        self._values: dict[UOp, Numbers] = {}
        self._largest: dict[UOp, Numbers] = {}
        for u in toposort(expressions):
            of = _OPS.get(u.op)
            if u.op is Ops.CONST:
                value = np.full(SAMPLES, u.arg)
            elif of is None or u.dtype.kind != "f":
                value = self._other(u)
            else:
                with np.errstate(all="ignore"):
                    value = of(*(self._values[s] for s in u.src))
            self._values[u] = value
            self._largest[u] = np.max([np.abs(value), *(self._largest[s] for s in u.src)], axis=0)

    def _other(self, u: UOp) -> Numbers:
        """The value of what is no rational function: the same for another one of equal sources."""
        for other in self._others.setdefault((u.op, u.dtype, u.arg, len(u.src)), []) if u.src else ():
            if all(map(self.equal, u.src, other.src)):
                return self._values[other]
        self._others.setdefault((u.op, u.dtype, u.arg, len(u.src)), []).append(u)
        if u.dtype.kind == "b":
            return self._rng.integers(2, size=SAMPLES).astype(np.bool_)
        return self._rng.standard_normal(SAMPLES)

    def equal(self, a: UOp, b: UOp) -> bool:
        """Whether two expressions are one function of what they read."""
        if a is b or a.dtype != b.dtype or a.dtype.kind != "f":
            return a is b or (a.dtype == b.dtype and np.array_equal(self._values[a], self._values[b]))
        bound = ROUNDING * np.maximum(self._largest[a], self._largest[b])
        return bool((np.abs(self._values[a] - self._values[b]) <= bound).all())


def _first(a: Numbers) -> Numbers:
    return a


_OPS: dict[Ops, Callable[..., Numbers]] = {
    Ops.ADD: np.add, Ops.SUB: np.subtract, Ops.MUL: np.multiply, Ops.NEG: np.negative, Ops.FDIV: np.divide,
    Ops.RECIP: np.reciprocal, Ops.MULACC: lambda a, b, c: a * b + c, Ops.WHERE: np.where, Ops.NOOP: _first,
}  # fmt: skip
