"""Graphs deeper than Python's stack: scheduled, lowered, compiled and run without recursion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from functrans import dtypes
from functrans.backend.pipeline import Program
from functrans.backend.schedule.passes import schedule
from functrans.ops import Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret

pytestmark = pytest.mark.usefixtures("compiler")
F = dtypes.float64
X = source.param((5,), F)
AT = source.param((3,), dtypes.int64)
VALUES = [np.linspace(-1, 1, 5), np.array([4, 0, 2])]


def repeated(step: Callable[[UOp, int], UOp], start: UOp, n: int) -> UOp:
    """A step taken n times."""
    for k in range(n):
        start = step(start, k)
    return start


def bracket(y: UOp, k: int) -> UOp:
    """One more lane-wise sine."""
    r = UOp.range(5)
    return B.alu(Ops.SIN, y.vmapin((r,))).vmapout((r,))


CHAINS: dict[str, Callable[[], UOp]] = {
    "sines": lambda: repeated(lambda y, k: B.alu(Ops.SIN, y), X, 2500),
    "sums over shared values": lambda: repeated(lambda y, k: B.add(B.mul(y, y), X), X, 1500),
    "choices": lambda: repeated(lambda y, k: B.where(B.lt(y, X), y, B.neg(y)), X, 1500),
    "windows": lambda: repeated(lambda y, k: B.pad(B.shrink(y, ((1, 5),)), ((0, 1),)), X, 1500),
    "flips and reshapes": lambda: repeated(
        lambda y, k: B.reshape(B.flip(B.reshape(y, (5, 1)), (True, False)), (5,)), X, 1501
    ),
    "index sums": lambda: B.gather(X, repeated(lambda i, k: B.add(i, B.like(i, (-1) ** k)), AT, 4000)),
    "reads at what was read": lambda: B.gather(
        X, repeated(lambda i, k: B.cast(B.gather(X, i), dtypes.int64), AT, 150)
    ),
    "brackets": lambda: repeated(bracket, X, 150),
    "reductions": lambda: repeated(
        lambda y, k: B.sub(y, B.broadcast(B.reduce_axis(y, Ops.MAX, (0,)), (5,))), X, 150
    ),
    "updates": lambda: repeated(lambda y, k: B.scatter(y, B.gather(X, AT), (AT,), "add"), X, 300),
    "joins": lambda: repeated(lambda y, k: B.shrink(B.cat((y, X), 0), ((1, 6),)), X, 300),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_deep_chains(name: str) -> None:
    root = CHAINS[name]()
    want = interpret([root], {X: VALUES[0], AT: VALUES[1]})[0]
    got = Program([root], [X, AT])(VALUES)[0]
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


def test_a_chain_of_ten_thousand_is_scheduled() -> None:
    assert len(schedule(repeated(lambda y, k: B.alu(Ops.SIN, y), X, 10_000))) == 1
