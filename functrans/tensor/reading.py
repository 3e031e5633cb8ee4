"""What reads the numbers of a Tensor out: refused while tracing, evaluated otherwise."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from functrans.errors import ArgumentError, TracedValueError, at_line, at_user_line, user_frame, user_frame_of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.placement import whole
from functrans.ops.uop import UOp
from functrans.tensor import late
from functrans.tensor.assign import settled
from functrans.tensor.constants import evaluate, is_traced
from functrans.tensor.handle import Handle, place
from functrans.tensor.hints import ATTRIBUTES, NUMBERS, STATIC, called, hint
from functrans.tensor.lift import Array

# asked before a traced value is refused; one may know better what is wrong (a value that leaked) and raise it
before_refusal: list[Callable[[UOp, str], None]] = []

BRANCH = "use fnp.where(condition, a, b) for a branch, a fixed number of rounds for a loop"
KEEP = "keep the Tensor until the transformed function has returned"
FLOAT = (
    "use functions of NumPy, not those of math; instead of out[i] = t write fnp.stack([...]) or "
    "out = fnp.zeros(n).at[i].set(t)"
)


def refuse(what: str, x: UOp, way: str) -> TracedValueError:
    """The error for reading a traced value."""
    for check in before_refusal:
        check(x, what)
    line = user_frame()
    text = (
        f"{what} reads a traced value of shape {x.shape} and dtype {x.dtype.name}{at_line(line)}: while functrans "
        f"traces a function its values are not known; {way}"
    )
    place.refused = text, line
    return TracedValueError(text)


def hidden(error: TypeError | ValueError) -> TracedValueError | None:
    """The refusal in whose place NumPy raised an error of its own, which does not name it: ``np.zeros(t)`` does so."""
    if type(error) not in (TypeError, ValueError) or place.refused is None:
        return None
    text, line = place.refused
    return TracedValueError(text) if line == user_frame_of(error) else None


def simple(x: UOp) -> bool:
    """Whether a node is stored already, or one constant."""
    x = flat(whole(x))
    return x.op in (Ops.BUFFER, Ops.BUFFER_VIEW) or B.const_value(x) is not None


class Reading(Handle):
    """Values as NumPy arrays and Python numbers."""

    __slots__ = ()

    def _value(self, what: str, way: str = KEEP) -> Array:
        """The elements, computed once; the array belongs to the Tensor."""
        if is_traced(self._uop):
            raise refuse(what, self._uop, way)
        value = evaluate(self._uop)
        return value if simple(self._uop) else settled(self, value)

    def numpy(self) -> Array:
        """The elements as a new ndarray.

        Raises
        ------
        TracedValueError
            The Tensor is traced: inside a transformed function it has no value yet.
        """
        return np.array(self._value(".numpy()"), order="C")

    def item(self, *index: Any) -> Any:
        """One element as a Python number."""
        return self._value(".item()").item(*index)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._value(".tolist()").tolist()

    def tobytes(self) -> bytes:
        """The bytes of the elements, in C order."""
        return self._value(".tobytes()").tobytes()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        name = called(sys._getframe(1)) if is_traced(self._uop) else None
        inner = str(sys._getframe(1).f_globals.get("__name__", "")).startswith("functrans.")
        value = self._value(name or "NumPy", NUMBERS if inner else hint(name or ""))
        if copy is False and dtype is not None and np.dtype(dtype) != value.dtype:
            raise ArgumentError(f"a Tensor of dtype {value.dtype} is no array of {np.dtype(dtype)} without a copy")
        return np.array(value, dtype, copy=copy is not False, order="C")

    if not TYPE_CHECKING:  # to which any name would be an attribute

        def __getattr__(self, name: str) -> Any:
            way = f"{at_user_line()}; write {ATTRIBUTES[name]}" if name in ATTRIBUTES else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{way}", name=name, obj=self)

    def __bool__(self) -> bool:
        return bool(self._value("bool (if, while, and, or, not)", BRANCH))

    def __int__(self) -> int:
        return int(self._value("int()"))

    def __float__(self) -> float:
        return float(self._value("float()", FLOAT))

    def __complex__(self) -> complex:
        return complex(self._value("complex()"))

    def __index__(self) -> int:
        way = f"as an index it works on Tensors: Tensor(a)[t]; {STATIC}"
        return operator.index(self._value("a size, range(), or a position in a list or an ndarray", way)[()])

    def __contains__(self, item: Any) -> bool:
        return bool((self._value("in", "use (t == x).any()") == item).any())

    def __repr__(self) -> str:
        if is_traced(self._uop):
            return f"Tensor(traced, shape={self.shape}, dtype={self.dtype.name})"
        text = np.array2string(self._value("repr()"), separator=", ", prefix="Tensor(")
        return f"Tensor({text}, dtype={self.dtype.name})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the elements as a table; of a traced Tensor, shape and dtype."""
        if is_traced(self._uop):
            return late.notebook.code(repr(self))
        title = f"Tensor of shape {self.shape}, dtype {self.dtype.name}"
        return late.notebook.block(title, late.notebook.numbers(self._value("a notebook")))

    def __str__(self) -> str:
        return repr(self) if is_traced(self._uop) else str(self._value("str()"))

    def __format__(self, spec: str) -> str:
        if not spec or self.shape:
            return format(str(self), spec)
        return format(self.item(), spec)


def values(t: Reading, what: str) -> Array:
    """The elements of a Tensor as they are stored, not to be written; ``what`` reads them, for messages.

    Raises TracedValueError as `Reading.numpy` does.
    """
    return t._value(what)
