"""What a loop backward reads of a round instead of computing it again: few numbers that take long.

A stored number is written once and read once. An elementary function, or a sum of products, takes many times that; and
where only its result is asked for, as that of tanh is for its derivative, everything below it is not computed again
either. What is cheap is, as is what a checkpoint in the body encloses. So is what is inside of a call with a rule of
its own, which would close over the stored value, and be differentiated by it.

Source: Griewank and Walther, Evaluating Derivatives, chapter 12, on what to store and what to recompute.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from functrans import dtypes
from functrans.ops.custom import Again, inside_calls
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.price import ADDITION, SHORTEST, picoseconds
from functrans.ops.uop import UOp, toposort
from functrans.transforms.dependents import dependents


def dear(outputs: Sequence[UOp], given: Collection[UOp], late: Collection[UOp]) -> list[UOp]:
    """The nodes below outputs of a loop backward that are to be stored: they depend on what is ``given`` of a round,
    and not on cotangents, which are known ``late``. Linear.
    """
    order = toposort(outputs)
    primal = dependents(order, given) - dependents(order, late)
    primal -= dependents(order, (u for u in order if isinstance(u.arg, Again)))
    called = inside_calls(order)
    found = {u for u in primal if u not in given and u not in called and _takes_long(u)}
    return [u for u in toposort(outputs, enter=lambda u: u not in found) if u in found]


def _takes_long(u: UOp) -> bool:
    """Whether an element takes as long as an elementary function."""
    if u.free_ranges or not dtypes.is_inexact(u.dtype):
        return False
    if u.op is Ops.REDUCE_AXIS:
        return bool(2 * ADDITION * prod(u.src[0].sized[k] for k in u.arg[1]) >= SHORTEST)
    return u.op in GroupOp.Elementwise and picoseconds(u) * 8 >= SHORTEST * min(u.dtype.itemsize, 8)
