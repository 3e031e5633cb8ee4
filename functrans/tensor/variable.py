"""`ft.Variable`: an integer that is known when the compiled code runs, and within bounds before."""

from __future__ import annotations

import operator
from typing import Any, Self

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort
from functrans.tensor.core import Tensor
from functrans.tensor.handle import place
from functrans.tensor.lift import Array
from functrans.tensor.reading import KEEP, before_refusal, refuse

EXTREME = 1 << 62  # bounds stay below it in magnitude: sums of two variables fit into 64 bits


class Variable(Tensor):
    """An integer from ``min`` to ``max`` that compiled code is given with every call.

    ``v.bind(value)`` is the variable with a value, to compute with or to pass to a transformed function. It is an
    int64 scalar that gives way to floats as a Python integer does: an operand (``x * v``), an index (``x[v]``,
    read as any traced index: negatives wrap, then it is clamped, and nothing of that where the bounds prove it in
    range), the start of a slice of constant length (``x[v:v + 3]``, within the axis for every value in the bounds),
    and vmap's ``axis_size``. Another value runs the same compiled code. Its derivative is zero.

    Parameters
    ----------
    name : str
        What errors and the C text call it. Two variables of one name are two variables.
    min, max : int
        The bounds, both inclusive, less than 2**62 in magnitude.

    Raises
    ------
    ArgumentError
        No name, bounds that are no integers or out of order; a value that is out of bounds, or missing where a result
        is computed.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> v = ft.Variable("start", 0, 7)
    >>> window = ft.jit(lambda x, start: x[start : start + 3])
    >>> [window(np.arange(10.0), v.bind(k)).tolist() for k in (0, 7)]
    [[0.0, 1.0, 2.0], [7.0, 8.0, 9.0]]
    """

    __slots__ = ()

    def __init__(self, name: str, min: int, max: int) -> None:
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"the name of a Variable is {name!r}; expected a non-empty text{at_user_line()}")
        low, high = _integer(min, f"min of variable {name!r}"), _integer(max, f"max of variable {name!r}")
        if not -EXTREME < low <= high < EXTREME:
            raise ArgumentError(
                f"variable {name!r} has the bounds {low} and {high}; expected min <= max, less than 2**62 in magnitude"
                f"{at_user_line()}"
            )
        self._uop = B.cast(UOp(Ops.DEFINE_VAR, dtypes.index, (), (name, low, high)), dtypes.int64)
        self._made_in = place.now

    @classmethod
    def from_uop(cls, uop: UOp) -> Any:
        """What is computed from variables is a Tensor."""
        return Tensor.from_uop(uop)

    @classmethod
    def of(cls, node: UOp) -> Variable:
        """The Variable of a DEFINE_VAR or a BIND."""
        made = object.__new__(cls)
        made._uop, made._made_in = B.cast(node, dtypes.int64), place.now
        return made

    @property
    def definition(self) -> UOp:
        """The DEFINE_VAR."""
        node = self._uop.src[0]
        return node.src[0] if node.op is Ops.BIND else node

    @property
    def name(self) -> str:
        """The name it was given."""
        return str(self.definition.arg[0])

    @property
    def limits(self) -> tuple[int, int]:
        """The least and greatest value, both inclusive."""
        return self.definition.arg[1], self.definition.arg[2]

    @property
    def value(self) -> int | None:
        """The value it is bound to, or None."""
        node = self._uop.src[0]
        return int(node.src[1].arg) if node.op is Ops.BIND else None

    def bind(self, value: Any) -> Variable:
        """This variable with a value; ArgumentError where it is no integer or out of bounds."""
        given = _integer(value, f"the value of variable {self.name!r}")
        low, high = self.limits
        if not low <= given <= high:
            raise ArgumentError(
                f"variable {self.name!r} takes {low} to {high}, and is bound to {given}{at_user_line()}"
            )
        return self.of(UOp(Ops.BIND, dtypes.index, (self.definition, UOp.const(dtypes.index, given))))

    def assign(self, value: Any) -> Self:
        """Refused: bind makes a variable with another value."""
        name = self.name
        raise ArgumentError(f"assign to variable {name!r}{at_user_line()}; use what {name}.bind(value) returns")

    def _value(self, what: str, way: str = KEEP) -> Array:
        if self.value is None:
            raise refuse(what, self._uop, way)
        return np.asarray(self.value, np.int64)

    def __repr__(self) -> str:
        low, high = self.limits
        bound = "" if self.value is None else f".bind({self.value})"
        return f"Variable({self.name!r}, {low}, {high}){bound}"

    __str__ = __repr__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> Any:
        if len(self.definition.arg) > 3:
            raise refuse("pickle", self._uop, KEEP)
        return (_restored, (self.name, *self.limits, self.value))


def _restored(name: str, low: int, high: int, value: int | None) -> Variable:
    made = Variable(name, low, high)
    return made if value is None else made.bind(value)


def _integer(value: Any, what: str) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise ArgumentError(f"{what} is {value!r}; expected an integer{at_user_line()}")
    try:
        return operator.index(value)
    except TypeError as error:
        raise ArgumentError(f"{what} is {value!r}; expected an integer{at_user_line()}") from error


def unbound(x: UOp) -> UOp | None:
    """A variable below x that has no value and is no argument of a running trace; or None."""
    order = toposort((x,), enter=lambda u: u.op is not Ops.BIND)
    return next((u for u in order if u.op is Ops.DEFINE_VAR and len(u.arg) == 3), None)


def no_value(node: UOp, what: str) -> ArgumentError:
    """The error of a variable without a value where one is needed."""
    name, low, high = node.arg[:3]
    return ArgumentError(
        f"{what} needs the value of variable {name!r}, which has none{at_user_line()}: bind it to an integer from "
        f"{low} to {high}, as in {name}.bind({low}), and compute with what bind returns"
    )


def _refuse_unbound(x: UOp, what: str) -> None:
    found = unbound(x)
    if found is not None:
        raise no_value(found, what)


before_refusal.append(_refuse_unbound)
