"""Random graphs of whole numbers: every op is exact, so two forms of a graph must agree to the last bit."""

from __future__ import annotations

import numpy as np

from functrans.ops import Ops, UOp
from functrans.ops import build as B
from tests.backend.random_graphs import Graph


class WholeNumbers(Graph):
    """`Graph` with values that are small whole numbers throughout, whatever the order of summation."""

    def values(self) -> list[np.ndarray]:
        r = np.random.default_rng(self.rng.randrange(2**32))
        return [r.integers(-9, 9, p.shape).astype(float) for p in self.params]

    def unary(self) -> UOp:
        x = self.pick()
        if self.rng.random() < 0.2:
            return B.alu(Ops.RINT, B.mul(B.like(x, 8), B.alu(Ops.SIN, x)))
        return B.alu(self.rng.choice([Ops.NEG, Ops.ABS, Ops.SIGN, Ops.CONTIGUOUS]), x)

    def binary(self) -> UOp:
        a, b = self.pick(), self.pick()
        c = B.alu(self.rng.choice([Ops.ADD, Ops.SUB, Ops.MUL, Ops.MAX, Ops.MIN]), a, self.fit(b, a.sized))
        return B.alu(Ops.MIN, B.alu(Ops.MAX, c, B.like(c, -50)), B.like(c, 50))

    def where(self) -> UOp:
        a = self.pick()
        b = self.fit(self.pick(), a.sized)
        return B.where(B.lt(a, b), b, B.neg(a))
