"""Failures that are found while a program runs: a boolean that raises where it is set.

A NOOP of bools with a `Failure` for its argument passes its source on, and a call in which one of these is set raises,
naming the first lane. Below loops and branches the flags travel as those of singular matrices do, so a lane that has
left a loop, or takes another branch, reports nothing.
"""

from __future__ import annotations

from functrans._records import record
from functrans.errors import ConvergenceError
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


@record
class Failure:
    """What went wrong where the flag is set, and what to do about it."""

    text: str
    line: str
    advice: str

    def error(self, where: tuple[int, ...]) -> ConvergenceError:
        """The error for a lane."""
        lane = f" at batch index {where[0] if len(where) == 1 else where}" if where else ""
        return ConvergenceError(f"{self.text}{lane}{self.line}; {self.advice}")


def raising(flag: UOp, failure: Failure) -> UOp:
    """The same boolean; a call in which it is set raises."""
    return UOp(Ops.NOOP, flag.dtype, (flag,), failure)


def raises(node: UOp) -> bool:
    """Whether the node is such a boolean."""
    return node.op is Ops.NOOP and isinstance(node.arg, Failure)
