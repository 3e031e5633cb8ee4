"""`Tensor.assign`: a Tensor is given another value, in its own memory where nothing else can see that."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops.build import const_value
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.placement import lay, whole
from functrans.ops.source import buffer, memory, overwrite
from functrans.ops.uop import UOp
from functrans.tensor.assigned import assigned
from functrans.tensor.constants import is_interned, is_traced
from functrans.tensor.handle import Handle, place
from functrans.tensor.lift import Array, is_weak, lift
from functrans.tensor.placing import layout_of

# what an array lies in: stored, an argument, or its slice in a mapped function
_MEMORY = frozenset({Ops.BUFFER, Ops.PARAM, Ops.EMPTY, Ops.CONTIGUOUS, Ops.VMAPIN})


def assign(t: Handle, value: Any, refuse: Callable[[str, UOp, str], Exception]) -> UOp:
    """The node of t with another value; see `Tensor.assign`."""
    target, here = t.uop, place.now
    if here is not None and t.made_in is not here:
        raise ArgumentError(
            f"assign to a Tensor of shape {target.shape} inside {here}{at_user_line()}: it was made outside of that "
            "function, which may be run once for many calls and for all lanes of a map (which one would win?); return "
            "the value, and assign it where the Tensor was made"
        )
    _check_memory(target)
    if is_weak(value):
        new = assigned(value, target.dtype, target.sized)
    else:
        new = lift(value)
        if new.shape != target.shape:
            raise ShapeError(
                f"assign of a value of shape {new.shape} to a Tensor of shape {target.shape}{at_user_line()}; expected "
                "equal shapes: use fnp.broadcast_to"
            )
        if new.dtype != target.dtype:
            raise DtypeError(
                f"assign of a value of dtype {new.dtype.name} to a Tensor of {target.dtype.name}{at_user_line()}; "
                f"expected equal dtypes: convert it with .astype({target.dtype.name!r})"
            )
    if here is None and (is_traced(new) or is_traced(target)):
        raise refuse("assign", new if is_traced(new) else target, "assign inside the function that made it")
    return target if new is target else UOp(Ops.ASSIGN, target.dtype, (target, new))


def memory_of(x: UOp) -> UOp:
    """What x lies in, as far as it is another value or another shape of that."""
    while True:
        dealt = whole(x)
        if x.op in (Ops.RESHAPE, Ops.ASSIGN) or (x.op is Ops.SHRINK and len(x.src) > 1):
            x = x.src[0]
        elif dealt is not x:
            x = dealt
        else:
            return x


def _check_memory(target: UOp) -> None:
    found = memory_of(target)
    if found.op in _MEMORY:
        return
    what = "a constant" if const_value(found) is not None else f"the result of {found.op.name}"
    raise ArgumentError(
        f"assign to a Tensor of shape {target.shape} that is {what}, and has no memory of its own{at_user_line()}; "
        "make it a stored array first, with t = t.contiguous().realize() or ft.Tensor(an array), in a traced function "
        "with t = t.contiguous()"
    )


def settled(t: Handle, value: Array) -> Array:
    """The computed value of t, stored: where it was before if t was assigned to and nothing else sees that memory."""
    if t.uop.op is Ops.ASSIGN:
        t.rebind(_before(t.uop))  # drops the expression that was just computed
        if _alone(t):
            overwrite(flat(t.uop), value)
            return value
    at = layout_of(t.uop)
    made = buffer(np.array(value, order="C"))
    t.rebind(made if at is None else lay(made, at))
    return value


def _before(x: UOp) -> UOp:
    while x.op is Ops.ASSIGN:
        x = x.src[0]
    return x


def _alone(t: Handle) -> bool:
    """Whether t is all that refers to its nodes, and they to their memory.

    Counted by Python's reference counts, against that of an object that is known to have one owner besides the list.
    """
    held = [t.uop]
    if t.uop.op is Ops.RESHAPE:
        held.append(t.uop.src[0])
    if held[-1].op is not Ops.BUFFER or is_interned(held[-1]):
        return False
    arrays = memory(held[-1])
    if not arrays or not arrays[-1].flags.writeable:
        return False
    owned: list[Any] = [*held, *arrays]
    held.clear()
    arrays.clear()
    alone = _Owner()
    one = _count([alone.thing], 0)
    return all(_count(owned, k) == one for k in range(len(owned)))


class _Owner:
    def __init__(self) -> None:
        self.thing = object()


def _count(items: list[Any], k: int) -> int:
    return sys.getrefcount(items[k])
